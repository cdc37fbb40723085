// The largest violation of a constraint since the start, and whether it is large for what moves there.
//
// A depth means nothing by itself: 0.3 m is much for a ball that falls from 1 m and little for a planet. It is measured
// against the way that the coordinates of the gap have moved since the start, through the gradient of the gap: a length
// of the scene itself, whatever its units and wherever its origin.

#include "la/dense.h"
#include "step/simulation.h"

#include <math.h>
#include <string.h>

static void widen(rico_simulation *sim)
{
    rico_state *next = &sim->next;
    for (int64_t i = 0; i < sim->nq; i++) {
        next->low[i] = fmin(next->low[i], next->q[i]);
        next->high[i] = fmax(next->high[i], next->q[i]);
    }
}


// The farthest that any coordinate has moved, where they are no velocities integrated.
static double farthest(const rico_simulation *sim)
{
    double largest = 0.0;
    for (int64_t i = 0; sim->nq != sim->nv && i < sim->nq; i++)
        largest = fmax(largest, sim->now.high[i] - sim->now.low[i]);
    rico_step_largest(sim, 1, &largest);
    return largest;
}


// How far the row's gap would open if its coordinates moved as far as they ever have, all in its favour. Coordinates
// that are no velocities integrated count with the largest of them.
static double way(const rico_simulation *sim, int64_t row, double largest)
{
    const rico_csc *H = &sim->assembly->H;
    const rico_state *now = &sim->now;
    double sum = 0.0;
    for (int64_t k = H->start[row]; k < H->start[row + 1]; k++) {
        int64_t i = H->row[k];
        sum += fabs(H->value[k]) * (sim->nq == sim->nv ? now->high[i] - now->low[i] : largest);
    }
    return sum;
}


// What round-off may leave of any gap: of the largest terms and ways of all rows, for a formula may have terms that cancel
// where its coordinates are 0 and at rest. And what impulses within their residual may leave in a step, which the summary states by itself
// where it is more than was asked for.
static double round_off(const rico_simulation *sim, double moved)
{
    double largest = 0.0;
    for (int64_t row = 0; row < sim->rows; row++)
        largest = fmax(largest, fmax(rico_step_reach(sim, row), way(sim, row, moved)));
    rico_step_largest(sim, 1, &largest);
    double left = sim->h * fmax(sim->contacts.tol, sim->contacts.residual.relative) *
                  fmax(*sim->now.scale, *sim->next.scale);
    return fmax(1e-12 * largest, left);
}


// The share that a depth has of the way that the coordinates of the gap have moved; what round-off leaves is none, however
// little moves.
static double share_of(const rico_simulation *sim, int64_t row, double depth, double floor, double moved)
{
    return depth > floor ? depth / fmax(way(sim, row, moved), depth) : 0.0;
}


// A contact that will be gone tomorrow is judged today.
static void judge_emitted(rico_simulation *sim, int64_t c, double floor, double moved)
{
    const rico_constraint *constraint = rico_step_constraint(sim, c);
    double depth = sim->next.deep[constraint->row],
           share = share_of(sim, constraint->row, depth, floor, moved);
    double *worst = sim->next.worst;
    worst[0] = fmax(worst[0], depth);
    if (share <= worst[1]) return;
    worst[1] = share;
    worst[2] = (double)(1 + constraint->source);
    memcpy(&worst[3], &constraint->key, sizeof worst[3]);
}


rico_status rico_step_audit(rico_simulation *sim)
{
    rico_status status = RICO_OK;
    widen(sim);
    // who goes from event to event does not go in straight lines
    if (!sim->scheme->finds_events)
        status = rico_assembly_passed(sim->assembly, *sim->now.t, sim->h, sim->next.q);
    if (status != RICO_OK || (sim->rows == 0 && !sim->share)) return status;
    status = rico_assembly_gaps(sim->assembly, *sim->next.t, sim->next.q, sim->gap);
    if (status != RICO_OK) return status;
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *constraint = rico_step_constraint(sim, c);
        for (int64_t i = 0; i < (constraint->joint ? constraint->size : 1); i++) {
            int64_t row = constraint->row + i;
            double depth = constraint->joint ? fabs(sim->gap[row]) : -sim->gap[row];
            sim->next.deep[row] = fmax(sim->next.deep[row], depth);
        }
    }
    if (sim->system->source_count == 0) return RICO_OK;
    double moved = farthest(sim), floor = round_off(sim, moved);
    for (int64_t c = sim->system->constraint_count; c < sim->constraints; c++)
        judge_emitted(sim, c, floor, moved);
    return RICO_OK;
}


rico_breach rico_simulation_breach(const rico_simulation *sim)
{
    rico_breach worst = {.constraint = -1, .source = -1};
    double moved = farthest(sim), floor = round_off(sim, moved);
    for (int64_t c = 0; c < sim->system->constraint_count; c++) {
        const rico_constraint *constraint = rico_step_constraint(sim, c);
        for (int64_t row = constraint->row; row < constraint->row + constraint->size; row++) {
            double depth = sim->now.deep[row], share = share_of(sim, row, depth, floor, moved);
            worst.depth = fmax(worst.depth, depth);
            if (depth == 0.0 || share < worst.share || (worst.constraint >= 0 && share == worst.share))
                continue;
            worst.share = share;
            worst.constraint = c;
        }
    }
    const double *gone = sim->now.worst;
    worst.depth = fmax(worst.depth, gone[0]);
    if (gone[1] > worst.share) {
        worst.share = gone[1];
        worst.constraint = -1;
        worst.source = (int64_t)gone[2] - 1;
        memcpy(&worst.key, &gone[3], sizeof worst.key);
    }
    return worst;
}
