// Isolated processes: fork, limits, a pipe for the answer, and a reading of how the child ended.

#include "lab/cell.h"

#include "base/clock.h"
#include "base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef _OPENMP
#include <omp.h>
#endif

// The sanitizers reserve more address space than any limit would allow.
#if defined(__SANITIZE_ADDRESS__)
enum { CAN_LIMIT_MEMORY = 0 };
#else
enum { CAN_LIMIT_MEMORY = 1 };
#endif

// ---- in the child ----

// What the process has mapped already; 0 where the system does not say.
static int64_t mapped_bytes(void)
{
    FILE *statm = fopen("/proc/self/statm", "r");
    if (statm == NULL) return 0;
    char text[64] = "";
    const char *line = fgets(text, sizeof text, statm);
    fclose(statm);
    return line != NULL ? strtoll(line, NULL, 10) * (int64_t)sysconf(_SC_PAGESIZE) : 0;
}


static void limit_resource(int resource, int64_t soft)
{
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0) return;
    rlim_t wanted = (rlim_t)soft;
    if (limit.rlim_max == RLIM_INFINITY || wanted < limit.rlim_max) limit.rlim_cur = wanted;
    setrlimit(resource, &limit);
}


static void enter_cell(const rico_cell_limits *limits)
{
    // Ctrl-C ends the child at once: the parent throws its work away in any case. So does a crash, whatever
    // the parent would do about one of its own
    static const int fatal[] = {SIGINT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS};
    for (size_t i = 0; i < sizeof fatal / sizeof fatal[0]; i++) signal(fatal[i], SIG_DFL);
    signal(SIGPIPE, SIG_IGN);
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
        close(nowhere);
    }

    // should the parent die, nobody else would end a child that hangs
    alarm((unsigned)fmin(ceil(limits->wall_seconds) + 5.0, 1e9));
    limit_resource(RLIMIT_CORE, 0);
    if (limits->cpu_seconds > 0.0) limit_resource(RLIMIT_CPU, (int64_t)fmin(ceil(limits->cpu_seconds), 1e9));
    if (CAN_LIMIT_MEMORY && limits->memory > 0) limit_resource(RLIMIT_AS, mapped_bytes() + limits->memory);
}


static void send_answer(int pipe, const unsigned char *answer, size_t size)
{
    while (size > 0) {
        ssize_t sent = write(pipe, answer, size);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) _exit(1);
        answer += sent;
        size -= (size_t)sent;
    }
}


// ---- in the parent ----

// Threads of OpenMP do not come along into a child, and its first parallel region would wait for them for ever. They are there
// once a large matrix was factored: CHOLMOD takes four, whatever OMP_NUM_THREADS says. GCC has the call since its version 9.
static void end_threads(void)
{
#if defined(_OPENMP) && (_OPENMP >= 201811 || __GNUC__ >= 9)
    (void)omp_pause_resource_all(omp_pause_soft);
#endif
}


rico_status rico_cell_start(rico_context *ctx, const rico_cell_limits *limits, rico_cell_work work,
                            void *user, size_t size, rico_cell *cell)
{
    *cell = (rico_cell){.size = size, .pipe = -1};
    cell->answer = rico_alloc(ctx, (int64_t)size, 1);
    if (cell->answer == NULL) return RICO_NO_MEMORY;

    int ends[2];
    if (pipe(ends) != 0) {
        int reason = errno;
        rico_cell_release(ctx, cell);
        return rico_fail(ctx, RICO_IO_ERROR, "cannot make a pipe: %s", rico_system_words(reason));
    }
    end_threads();
    // what is buffered would be printed twice, by parent and child
    fflush(NULL);
    pid_t process = fork();
    if (process < 0) {
        int reason = errno;
        close(ends[0]);
        close(ends[1]);
        rico_cell_release(ctx, cell);
        return rico_fail(ctx, RICO_IO_ERROR, "cannot start a process: %s", rico_system_words(reason));
    }
    if (process == 0) {
        close(ends[0]);
        enter_cell(limits);
        work(user, cell->answer);
        send_answer(ends[1], cell->answer, size);
        _exit(0); // no exit handlers: they belong to the parent
    }
    close(ends[1]);
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    cell->process = process;
    cell->pipe = ends[0];
    cell->deadline = rico_clock() + limits->wall_seconds;
    return RICO_OK;
}


static const char *signal_name(int number, char *other, size_t size)
{
    static const struct {
        int number;
        const char *name;
    } names[] = {{SIGSEGV, "SIGSEGV"}, {SIGABRT, "SIGABRT"}, {SIGFPE, "SIGFPE"},   {SIGBUS, "SIGBUS"},
                 {SIGILL, "SIGILL"},   {SIGKILL, "SIGKILL"}, {SIGTERM, "SIGTERM"}, {SIGSYS, "SIGSYS"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (names[i].number == number) return names[i].name;
    }
    snprintf(other, size, "signal %d", number);
    return other;
}


// Collects the child, which must be dying or dead, and reads its end.
static void collect(rico_cell *cell)
{
    int state = 0;
    while (waitpid(cell->process, &state, 0) < 0 && errno == EINTR) continue;
    close(cell->pipe);
    cell->pipe = -1;
    cell->process = 0;

    char other[32];
    int signal_number = WIFSIGNALED(state) ? WTERMSIG(state) : 0;
    bool timed_out = cell->killed || signal_number == SIGXCPU || signal_number == SIGALRM ||
                     signal_number == SIGPROF || signal_number == SIGVTALRM;
    if (cell->received == cell->size) {
        cell->end = RICO_CELL_DONE;
    } else if (timed_out) {
        cell->end = RICO_CELL_TIMEOUT;
    } else if (signal_number == SIGINT) {
        cell->end = RICO_CELL_INTERRUPTED;
    } else {
        cell->end = RICO_CELL_CRASHED;
        if (signal_number != 0)
            snprintf(cell->reason, sizeof cell->reason, "%s",
                     signal_name(signal_number, other, sizeof other));
        else
            snprintf(cell->reason, sizeof cell->reason, "exit code %d", WEXITSTATUS(state));
    }
}


// Takes what the pipe holds; true at its end.
static bool drain(rico_cell *cell)
{
    for (;;) {
        unsigned char beyond[64];
        size_t room = cell->size - cell->received;
        ssize_t got = read(cell->pipe, room > 0 ? cell->answer + cell->received : beyond,
                           room > 0 ? room : sizeof beyond);
        if (got > 0 && room > 0) cell->received += (size_t)got;
        if (got > 0 || (got < 0 && errno == EINTR)) continue;
        return got == 0 || errno != EAGAIN;
    }
}


static bool runs(const rico_cell *cell)
{
    return cell->process > 0 && cell->end == RICO_CELL_RUNNING;
}


rico_status rico_cell_wait(rico_context *ctx, rico_cell *const *cells, int count, double seconds)
{
    struct pollfd *watch = rico_alloc(ctx, count, sizeof *watch);
    if (watch == NULL) return RICO_NO_MEMORY;
    double now = rico_clock(), until = now + seconds;
    for (int i = 0; i < count; i++) {
        watch[i] = (struct pollfd){.fd = runs(cells[i]) ? cells[i]->pipe : -1, .events = POLLIN};
        if (runs(cells[i]) && cells[i]->deadline < until) until = cells[i]->deadline;
    }
    double wait = until > now ? ceil((until - now) * 1e3) : 0.0;
    int ready = poll(watch, (nfds_t)count, (int)fmin(wait, 1e8));

    now = rico_clock();
    for (int i = 0; i < count; i++) {
        rico_cell *cell = cells[i];
        if (!runs(cell)) continue;
        bool ended = ready > 0 && watch[i].revents != 0 && drain(cell);
        if (!ended && now >= cell->deadline) ended = cell->killed = true;
        // a child whose pipe is closed has nothing more to say, whatever it still does
        if (ended) {
            kill(cell->process, SIGKILL);
            collect(cell);
        }
    }
    rico_free(ctx, watch);
    return RICO_OK;
}


void rico_cell_release(rico_context *ctx, rico_cell *cell)
{
    if (cell->process > 0) {
        kill(cell->process, SIGKILL);
        collect(cell);
    }
    rico_free(ctx, cell->answer);
    *cell = (rico_cell){0};
}
