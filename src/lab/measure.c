// Measuring a solver: each run gets its own copy of the problem, so that none profits from the one before.

#include "lab/measure.h"

#include "base/clock.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

size_t rico_measure_size(int64_t rows)
{
    return sizeof(rico_measure) + (size_t)rows * sizeof(double);
}


double *rico_measure_impulses(void *answer)
{
    return (double *)((rico_measure *)answer + 1);
}


static rico_status copy_blocks(rico_context *ctx, const rico_problem *problem, rico_block **out)
{
    int64_t count = rico_problem_block_count(problem);
    *out = rico_alloc(ctx, count, sizeof **out);
    if (*out == NULL) return RICO_NO_MEMORY;
    for (int64_t i = 0; i < count; i++) (*out)[i] = rico_problem_block(problem, i);
    return RICO_OK;
}


rico_status rico_problem_copy_data(rico_context *ctx, rico_problem *problem, rico_problem **out)
{
    rico_block *blocks = NULL;
    rico_status status = copy_blocks(ctx, problem, &blocks);
    if (status != RICO_OK) return status;

    int64_t count = rico_problem_block_count(problem);
    if (rico_problem_is_global(problem)) {
        rico_sparse_view M = rico_problem_mass(problem), H = rico_problem_jacobian(problem);
        status = rico_problem_create_global(ctx, count, blocks, &M, &H, rico_problem_force(problem),
                                            rico_problem_offset(problem), out);
    } else {
        rico_sparse_view W;
        status = rico_problem_delassus(problem, &W);
        if (status == RICO_OK) {
            status =
                rico_problem_create_reduced(ctx, count, blocks, &W, rico_problem_free_velocity(problem), out);
            rico_sparse_release(ctx, &W);
        }
    }
    rico_free(ctx, blocks);
    return status;
}


// ---- a limit in seconds of work, for machines that others use too ----

// A solver watches the wall clock alone. On a busy machine that would cut it short, so that a timer of
// processor time looks at both clocks now and then. Its handler has no other way to know what to look at.
static const double DEAF_SECONDS = 2.0;
static struct {
    rico_context *ctx;
    double limit, wall_began, cpu_began;
    volatile sig_atomic_t over;
} busy;

static double process_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}


static void look_at_clocks(int number)
{
    double spent = fmin(rico_clock() - busy.wall_began, process_clock() - busy.cpu_began);
    if (spent < busy.limit) return;
    busy.over = 1;
    rico_context_interrupt(busy.ctx);
    // one that does not listen is taken down
    if (spent > 2.0 * busy.limit + DEAF_SECONDS) {
        signal(number, SIG_DFL);
        raise(number);
    }
}


// Ticks ten times in the limit and more, not so often as to be felt. 0 switches it off.
static void set_timer(double limit)
{
    double tick = fmin(fmax(limit / 100.0, 1e-3), 0.05);
    struct timeval every = {.tv_usec = limit > 0.0 ? (suseconds_t)(tick * 1e6) : 0};
    setitimer(ITIMER_PROF, &(struct itimerval){.it_interval = every, .it_value = every}, NULL);
}


static void start_busy_limit(rico_context *ctx, double limit)
{
    struct sigaction look = {.sa_handler = look_at_clocks, .sa_flags = SA_RESTART};
    sigemptyset(&look.sa_mask);
    sigaction(SIGPROF, &look, NULL);
    busy.ctx = ctx;
    busy.limit = limit;
    busy.wall_began = rico_clock();
    busy.cpu_began = process_clock();
    set_timer(limit);
}


// ---- runs ----

// One run, between prepare and discard.
typedef struct solver_run {
    const rico_measure_task *task;
    rico_measure *measure;
    double *r;
    rico_problem *problem;
    rico_solver *solver;
} solver_run;


static rico_status prepare(void *user)
{
    solver_run *run = user;
    const rico_measure_task *task = run->task;
    memset(run->r, 0, (size_t)rico_problem_rows(task->problem) * sizeof *run->r);
    rico_status status = rico_problem_copy_data(task->ctx, task->problem, &run->problem);
    if (status == RICO_OK)
        status = rico_contender_create(task->ctx, task->contender, task->contest, &run->solver);
    if (task->busy_limit > 0.0) start_busy_limit(task->ctx, task->busy_limit);
    return status;
}


static rico_status solve(void *user, bool *again)
{
    solver_run *run = user;
    rico_report report = {.stop = RICO_BREAKDOWN};
    rico_status status = rico_solver_setup(run->solver, run->problem);
    if (status == RICO_OK) status = rico_solver_solve(run->solver, run->r, NULL, &report);
    run->measure->stop = busy.over != 0 && report.stop == RICO_STOPPED ? RICO_TIME_LIMIT : report.stop;
    run->measure->iterations = report.iterations;
    snprintf(run->measure->note, sizeof run->measure->note, "%s", report.note);
    *again = report.stop == RICO_CONVERGED;
    return status;
}


static void discard(void *user)
{
    solver_run *run = user;
    if (run->task->busy_limit > 0.0) set_timer(0.0);
    rico_solver_destroy(run->solver);
    rico_problem_destroy(run->problem);
    run->solver = NULL;
    run->problem = NULL;
}


static rico_status open_counters(const rico_measure_task *task, rico_flops *flops)
{
    *flops = (rico_flops){0};
    if (!task->flops) return RICO_OK;
    rico_flops_source machine = rico_flops_machine();
    return rico_flops_open(task->ctx, &machine, flops);
}


void rico_measure_solver(void *user, void *answer)
{
    const rico_measure_task *task = user;
    rico_measure *measure = answer;
    solver_run run = {.task = task, .measure = measure, .r = rico_measure_impulses(answer)};
    rico_trial trial = {.prepare = prepare, .run = solve, .discard = discard, .user = &run, .ctx = task->ctx};
    rico_flops flops;
    measure->status = open_counters(task, &flops);
    if (task->flops) trial.flops = &flops;
    if (measure->status == RICO_OK)
        measure->status = rico_time_trial(&trial, task->most_runs, &measure->timing);
    rico_flops_close(&flops);
    if (measure->status != RICO_OK)
        snprintf(measure->note, sizeof measure->note, "%s", rico_message(task->ctx));
}
