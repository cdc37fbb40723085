// Reads pairs, lets a library answer them in child processes, writes what it said.

#define _DEFAULT_SOURCE
#include "pairs_text.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *const ENDS[] = {"died", "hung", "unknown", "none", "found"};

static void set_rotation(pair_shape *shape)
{
    const double *q = shape->turn;
    double w = q[0], x = q[1], y = q[2], z = q[3];
    double R[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                   2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                   2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    memcpy(shape->R, R, sizeof R);
}

static bool read_shape(FILE *file, pair_shape *shape)
{
    if (fscanf(file, "%15s", shape->kind) != 1) return false;
    double x[10];
    for (int i = 0; i < 10; i++)
        if (fscanf(file, "%lf", &x[i]) != 1) return false;
    memcpy(shape->size, x, sizeof shape->size);
    memcpy(shape->position, x + 3, sizeof shape->position);
    memcpy(shape->turn, x + 6, sizeof shape->turn);
    set_rotation(shape);
    return true;
}

known_pair *pairs_read(const char *path, int *count)
{
    FILE *file = fopen(path, "r");
    if (!file) {
        fprintf(stderr, "The pairs %s cannot be opened.\n", path);
        return NULL;
    }
    known_pair *all = NULL, next = {0};
    int room = 0, firm;
    *count = 0;
    while (read_shape(file, &next.side[0]) && read_shape(file, &next.side[1]) &&
           fscanf(file, "%lf %lf %lf %lf %lf %d", &next.size, &next.gap, &next.normal[0], &next.normal[1],
                  &next.normal[2], &firm) == 6) {
        if (*count == room) {
            room = room ? 2 * room : 1024;
            known_pair *grown = realloc(all, (size_t)room * sizeof *grown);
            if (!grown) break;
            all = grown;
        }
        next.firm = firm != 0;
        all[(*count)++] = next;
    }
    fclose(file);
    return all;
}

bool pairs_answers_read(const char *path, int count, pair_answer *answer, double *ns)
{
    FILE *file = fopen(path, "r");
    if (!file) return false;
    bool good = fscanf(file, " ns %lf", ns) == 1;
    for (int i = 0; i < count && good; i++) {
        char word[16];
        good = fscanf(file, "%15s", word) == 1;
        for (int e = 0; e <= PAIR_FOUND; e++)
            if (!strcmp(word, ENDS[e])) answer[i].end = (pair_end)e;
        if (good && answer[i].end == PAIR_FOUND)
            good = fscanf(file, "%lf %lf %lf %lf", &answer[i].gap, &answer[i].normal[0], &answer[i].normal[1],
                          &answer[i].normal[2]) == 4;
    }
    fclose(file);
    return good;
}

static double cpu_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

// What children leave behind.
typedef struct board {
    int at; // the pair that is being answered
    double ns;
    pair_answer answer[];
} board;

static void answer_from(const pair_library *library, known_pair *pair, int count, board *board)
{
    struct itimerval second = {.it_value.tv_sec = 1};
    for (int i = board->at; i < count; i++) {
        board->at = i;
        known_pair *p = &pair[i];
        for (int s = 0; s < 2; s++) p->own[s] = library->create(&p->side[s]);
        if (!p->own[0] || !p->own[1]) {
            board->answer[i].end = PAIR_UNKNOWN;
            continue;
        }
        setitimer(ITIMER_VIRTUAL, &second, NULL);
        pair_answer answer = {.end = PAIR_FOUND};
        library->distance(p, &answer);
        board->answer[i] = answer;
    }
    board->at = count;
}

static void time_all(const pair_library *library, known_pair *pair, int count, board *board)
{
    int timed = 0;
    for (int i = 0; i < count; i++) {
        if (board->answer[i].end < PAIR_NONE) continue;
        for (int s = 0; s < 2; s++) pair[i].own[s] = library->create(&pair[i].side[s]);
        pair[timed++] = pair[i];
    }
    for (int pass = 0; pass < 3 && timed; pass++) {
        double begin = cpu_ns();
        for (int i = 0; i < timed; i++) {
            pair_answer answer = {.end = PAIR_FOUND};
            library->distance(&pair[i], &answer);
        }
        double mean = (cpu_ns() - begin) / timed;
        board->ns = pass ? fmin(board->ns, mean) : mean;
    }
}

// A child does it; returns how it ended.
static int in_child(void (*work)(const pair_library *, known_pair *, int, board *),
                    const pair_library *library, known_pair *pair, int count, board *board)
{
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        if (!freopen("/dev/null", "w", stderr)) _exit(1);
        work(library, pair, count, board);
        _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0) return -1;
    return status;
}

static bool write_answers(const char *path, const board *board, int count)
{
    FILE *file = fopen(path, "w");
    if (!file) return false;
    fprintf(file, "ns %.6g\n", board->ns);
    for (int i = 0; i < count; i++) {
        const pair_answer *a = &board->answer[i];
        fputs(ENDS[a->end], file);
        if (a->end == PAIR_FOUND)
            fprintf(file, " %.17g %.17g %.17g %.17g", a->gap, a->normal[0], a->normal[1], a->normal[2]);
        fputc('\n', file);
    }
    return fclose(file) == 0;
}

int pairs_main(int argc, char **argv, const pair_library *library)
{
    if (argc < 3) {
        fprintf(stderr, "usage: %s PAIRS ANSWERS\n", argv[0]);
        return 2;
    }
    int count;
    known_pair *pair = pairs_read(argv[1], &count);
    if (!pair) return 1;
    size_t bytes = sizeof(board) + (size_t)count * sizeof(pair_answer);
    board *board = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (board == MAP_FAILED) return 1;
    while (board->at < count) {
        int status = in_child(answer_from, library, pair, count, board);
        if (status == -1) return 1;
        if (status == 0) break;
        bool hung = WIFSIGNALED(status) && WTERMSIG(status) == SIGVTALRM;
        board->answer[board->at++].end = hung ? PAIR_HUNG : PAIR_DIED;
    }
    in_child(time_all, library, pair, count, board);
    bool good = write_answers(argv[2], board, count);
    free(pair);
    munmap(board, bytes);
    return good ? 0 : 1;
}

// ---- supports ---------------------------------------------------------------------------------------------------

static void support_own(const pair_shape *shape, const double n[3], double x[3])
{
    const double *s = shape->size;
    double across = hypot(n[0], n[1]), size = sqrt(across * across + n[2] * n[2]);
    double radius = across > 0.0 ? s[0] / across : 0.0;
    switch (shape->kind[0] == 'c' ? shape->kind[1] : shape->kind[0]) {
    case 's': // sphere
        for (int i = 0; i < 3; i++) x[i] = s[0] * n[i] / size;
        break;
    case 'a': // capsule
        for (int i = 0; i < 3; i++) x[i] = s[0] * n[i] / size;
        x[2] += copysign(0.5 * s[1], n[2]);
        break;
    case 'y': // cylinder
        x[0] = radius * n[0], x[1] = radius * n[1], x[2] = copysign(0.5 * s[1], n[2]);
        break;
    case 'o': { // cone: apex or rim
        bool apex = s[1] * n[2] > s[0] * across;
        x[0] = apex ? 0.0 : radius * n[0], x[1] = apex ? 0.0 : radius * n[1];
        x[2] = apex ? 0.5 * s[1] : -0.5 * s[1];
        break;
    }
    case 'e': { // ellipsoid
        double h = 0.0;
        for (int i = 0; i < 3; i++) h += s[i] * s[i] * n[i] * n[i];
        for (int i = 0; i < 3; i++) x[i] = s[i] * s[i] * n[i] / sqrt(h);
        break;
    }
    default: // box
        for (int i = 0; i < 3; i++) x[i] = copysign(0.5 * s[i], n[i]);
    }
}

void pair_support(const pair_shape *shape, const double direction[3], double point[3])
{
    const double *R = shape->R;
    double n[3], x[3];
    for (int i = 0; i < 3; i++)
        n[i] = R[i] * direction[0] + R[3 + i] * direction[1] + R[6 + i] * direction[2];
    support_own(shape, n, x);
    for (int i = 0; i < 3; i++)
        point[i] = shape->position[i] + R[3 * i] * x[0] + R[3 * i + 1] * x[1] + R[3 * i + 2] * x[2];
}
