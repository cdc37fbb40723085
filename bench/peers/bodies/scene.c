// Reads scenes, runs them through an engine by the clock of the process, writes what came of it.

#define _POSIX_C_SOURCE 200809L
#include "scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int numbers(const char *text, int most, double *out)
{
    int count = 0;
    for (char *end; count < most; text = end) {
        out[count] = strtod(text, &end);
        if (end == text) break;
        count++;
    }
    return count;
}

static bool add_body(scene *scene, bool box, const double *x, int *room)
{
    if (scene->bodies == *room) {
        *room = *room ? 2 * *room : 64;
        scene_body *grown = realloc(scene->body, (size_t)*room * sizeof *grown);
        if (!grown) return false;
        scene->body = grown;
    }
    scene_body *body = &scene->body[scene->bodies++];
    *body = (scene_body){.box = box, .half = {x[0], x[1], x[2]}, .mass = x[3]};
    memcpy(body->state, x + 4, sizeof body->state);
    return true;
}

// One line; false: not understood.
static bool read_line(scene *scene, const char *word, const char *rest, int *room)
{
    double x[17];
    if (!strcmp(word, "measure")) return sscanf(rest, "%31s", scene->measure) == 1;
    int count = numbers(rest, 17, x);
    if (!strcmp(word, "gravity") && count == 3) {
        memcpy(scene->gravity, x, sizeof scene->gravity);
    } else if (!strcmp(word, "step") && count == 3) {
        scene->step = x[0], scene->steps = (int)x[1], scene->keep = (int)x[2];
    } else if (!strcmp(word, "contact") && count == 2) {
        scene->friction = x[0], scene->restitution = x[1];
    } else if (!strcmp(word, "plane") && count == 6 && scene->planes < MAX_PLANES) {
        memcpy(scene->plane[scene->planes++], x, sizeof scene->plane[0]);
    } else if ((!strcmp(word, "sphere") || !strcmp(word, "box")) && count == 17) {
        return add_body(scene, word[0] == 'b', x, room);
    } else {
        return false;
    }
    return true;
}

bool scene_read(const char *path, scene *out)
{
    *out = (scene){.keep = 1};
    FILE *file = fopen(path, "r");
    if (!file) {
        fprintf(stderr, "The scene %s cannot be opened.\n", path);
        return false;
    }
    char line[1024], word[32];
    int room = 0, used, row = 0;
    bool good = true;
    while (good && fgets(line, sizeof line, file)) {
        row++;
        if (sscanf(line, "%31s%n", word, &used) < 1) continue;
        good = read_line(out, word, line + used, &room);
    }
    fclose(file);
    if (!good) fprintf(stderr, "%s:%d: not understood, or out of memory.\n", path, row);
    return good;
}

void scene_release(scene *scene)
{
    free(scene->body);
    *scene = (struct scene){0};
}

bool scene_result_create(const scene *scene, scene_result *out)
{
    int room = scene->steps / scene->keep + 1;
    *out = (scene_result){.at = calloc((size_t)room, sizeof(int)),
                          .state = calloc((size_t)room * (size_t)scene->bodies, STATE * sizeof(double))};
    return out->at && out->state;
}

void scene_result_release(scene_result *result)
{
    free(result->at);
    free(result->state);
    *result = (scene_result){0};
}

bool scene_result_write(const char *path, const scene *scene, const scene_result *result)
{
    FILE *file = fopen(path, "w");
    if (!file) {
        fprintf(stderr, "The result %s cannot be written.\n", path);
        return false;
    }
    fprintf(file, "cpu %.6g\ncontacts %.6g\n", result->cpu, result->contacts);
    const double *x = result->state;
    for (int k = 0; k < result->kept; k++) {
        for (int b = 0; b < scene->bodies; b++, x += STATE) {
            fprintf(file, "state %d %d", result->at[k], b);
            for (int i = 0; i < STATE; i++) fprintf(file, " %.17g", x[i]);
            fputc('\n', file);
        }
    }
    return fclose(file) == 0;
}

bool scene_result_read(const char *path, const scene *scene, scene_result *out)
{
    *out = (scene_result){0};
    FILE *file = fopen(path, "r");
    if (!file) return false;
    bool good = scene_result_create(scene, out);
    int room = scene->steps / scene->keep + 1;
    char line[1024], word[32];
    int used, lines = 0;
    while (good && fgets(line, sizeof line, file) && sscanf(line, "%31s%n", word, &used) == 1) {
        double x[2 + STATE];
        int count = numbers(line + used, 2 + STATE, x);
        if (!strcmp(word, "cpu")) out->cpu = x[0];
        if (!strcmp(word, "contacts")) out->contacts = x[0];
        if (strcmp(word, "state") != 0) continue;
        int k = lines / scene->bodies, b = lines % scene->bodies;
        good = count == 2 + STATE && k < room && (int)x[1] == b;
        if (!good) break;
        out->at[k] = (int)x[0];
        memcpy(out->state + ((size_t)k * (size_t)scene->bodies + (size_t)b) * STATE, x + 2,
               STATE * sizeof *x);
        lines++;
    }
    fclose(file);
    out->kept = lines / scene->bodies;
    return good && out->kept > 0;
}

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool scene_run(const scene *scene, const scene_engine *engine, scene_result *out)
{
    int last = scene->steps - scene->steps / 3;
    double contacts = 0.0, start = cpu_seconds();
    for (int i = 1; i <= scene->steps; i++) {
        if (!engine->step(engine->user, scene->step)) return false;
        if (i > last) contacts += engine->contacts(engine->user);
        if (i % scene->keep != 0) continue;
        double *x = out->state + (size_t)out->kept * (size_t)scene->bodies * STATE;
        for (int b = 0; b < scene->bodies; b++) engine->state(engine->user, b, x + (size_t)b * STATE);
        out->at[out->kept++] = i;
    }
    out->cpu = cpu_seconds() - start;
    out->contacts = contacts / (scene->steps - last);
    return true;
}

void scene_inertia(const scene_body *body, double diagonal[3])
{
    const double *a = body->half;
    for (int i = 0; i < 3; i++) {
        double b = a[(i + 1) % 3], c = a[(i + 2) % 3];
        diagonal[i] = body->box ? body->mass * (b * b + c * c) / 3.0 : 0.4 * body->mass * a[0] * a[0];
    }
}

void scene_plane_turn(const double plane[6], double q[4])
{
    // half of the angle between z and n lies along z + n
    const double *n = plane + 3;
    double half[3] = {n[0], n[1], n[2] + 1.0};
    double size = sqrt(half[0] * half[0] + half[1] * half[1] + half[2] * half[2]);
    if (size < 1e-9) {
        memcpy(q, (double[4]){0.0, 1.0, 0.0, 0.0}, 4 * sizeof *q); // upside down
        return;
    }
    q[0] = half[2] / size, q[1] = -half[1] / size, q[2] = half[0] / size, q[3] = 0.0;
}
