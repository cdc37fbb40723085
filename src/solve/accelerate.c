// Sweeps under Anderson's acceleration: what is accepted, what is thrown away.

#include "solve/accelerate.h"

#include <math.h>
#include <string.h>

rico_status rico_accelerator_create(const rico_problem *problem, rico_sweep_order *order, int window,
                                    rico_accelerator *out)
{
    rico_context *ctx = problem->ctx;
    rico_accelerator a = {.ctx = ctx, .problem = problem, .order = order};
    int64_t velocities = 0;
    rico_sweeper_velocities(order->sweeper, &velocities);
    rico_status status = rico_anderson_create(ctx, problem->rows, window, &a.mixer);
    if (!status && velocities > 0) status = rico_anderson_board(&a.mixer, velocities);
    if (!status) {
        a.x = rico_alloc(ctx, problem->rows, sizeof *a.x);
        if (!a.x) status = RICO_NO_MEMORY;
    }
    if (status) {
        rico_accelerator_destroy(&a);
        return status;
    }
    *out = a;
    return RICO_OK;
}


void rico_accelerator_destroy(rico_accelerator *a)
{
    if (!a->ctx) return;
    rico_anderson_destroy(&a->mixer);
    rico_free(a->ctx, a->x);
    *a = (rico_accelerator){0};
}


void rico_accelerator_begin(rico_accelerator *a, double growth)
{
    const rico_problem *p = a->problem;
    rico_anderson_restart(&a->mixer);
    a->mixer.threads = a->order->threads;
    for (int64_t b = 0; b < p->block_count; b++)
        for (int64_t i = p->offset[b]; i < p->offset[b + 1]; i++)
            a->mixer.weight[i] = p->block_norm[b] > 0.0 ? sqrt(p->block_norm[b]) : 1.0;
    a->growth = growth;
    a->least = a->mark = INFINITY;
    a->idle = a->pause = a->rest = 0;
    a->jumped = false;
}


double rico_accelerator_sweep(rico_accelerator *a, double *r)
{
    memcpy(a->x, r, (size_t)a->problem->rows * sizeof *r);
    double change = rico_sweep_order_next(a->order, r);
    a->step = rico_anderson_step(&a->mixer, a->x, r);
    return change;
}


typedef enum verdict {
    KEEP,
    GIVE_UP, // go back to the plain sweep
    REST     // go on from here, plainly
} verdict;

// Judges the point before the sweep by its step.
static verdict judge(rico_accelerator *a)
{
    enum { LONGEST_PAUSE = 1024 };
    int64_t patience = 3 * a->mixer.window;
    if (a->step < 0.9 * a->mark) {
        a->mark = a->step;
        a->idle = 0;
        if (a->jumped) a->pause = 0;
    } else if (a->jumped) {
        a->idle++;
    }
    bool bad = a->jumped && !(a->step <= a->growth * a->least);
    if (!bad && a->idle <= patience) {
        a->least = fmin(a->least, a->step);
        return KEEP;
    }
    a->idle = 0;
    a->pause = 2 * a->pause + 1 < LONGEST_PAUSE ? 2 * a->pause + 1 : LONGEST_PAUSE;
    return bad ? GIVE_UP : REST;
}


void rico_accelerator_advance(rico_accelerator *a, double *r)
{
    size_t bytes = (size_t)a->problem->rows * sizeof *r;
    verdict found = judge(a);
    if (found != KEEP) {
        a->rest = a->pause;
        rico_anderson_restart(&a->mixer);
    }
    if (found == GIVE_UP) {
        // back to the last plain sweep, which the mixer still has
        memcpy(r, a->mixer.last_G, bytes);
        rico_sweeper_restart(a->order->sweeper);
        a->jumped = false;
        return;
    }
    // the mixer takes note of plain sweeps too; velocities kept beside r follow it
    int used = rico_anderson_mix(&a->mixer, a->x, r, r);
    a->jumped = used > 0 && a->rest == 0;
    double *v = rico_sweeper_velocities(a->order->sweeper, NULL);
    if (v) rico_anderson_carry(&a->mixer, used, a->jumped, v);
    if (a->jumped) return;
    memcpy(r, a->mixer.last_G, bytes);
    if (a->rest > 0) a->rest--;
}
