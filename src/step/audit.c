// The largest violation of a constraint since the start, and whether it is large for what moves there.
//
// A depth means nothing by itself: 0.3 m is much for a ball that falls from 1 m and little for a planet. It is measured
// against the way that the coordinates of the gap have moved since the start, through the gradient of the gap: a length
// of the scene itself, whatever its units and wherever its origin.

#include "la/dense.h"
#include "step/simulation.h"

#include <math.h>

static void widen(rico_simulation *sim)
{
    rico_state *next = &sim->next;
    for (int64_t i = 0; i < sim->nq; i++) {
        next->low[i] = fmin(next->low[i], next->q[i]);
        next->high[i] = fmax(next->high[i], next->q[i]);
    }
}


// How far the row's gap would open if its coordinates moved as far as they ever have, all in its favour. Coordinates
// that are no velocities integrated count with the largest of them.
static double way(const rico_simulation *sim, int64_t row)
{
    const rico_csc *H = &sim->system->H;
    const rico_state *now = &sim->now;
    double largest = 0.0, sum = 0.0;
    for (int64_t i = 0; sim->nq != sim->nv && i < sim->nq; i++)
        largest = fmax(largest, now->high[i] - now->low[i]);
    for (int64_t k = H->start[row]; k < H->start[row + 1]; k++) {
        int64_t i = H->row[k];
        sum += fabs(H->value[k]) * (sim->nq == sim->nv ? now->high[i] - now->low[i] : largest);
    }
    return sum;
}


rico_status rico_step_audit(rico_simulation *sim)
{
    widen(sim);
    if (sim->rows == 0) return RICO_OK;
    rico_status status = rico_system_gaps(sim->system, *sim->next.t, sim->next.q, sim->gap);
    if (status != RICO_OK) return status;
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *constraint = sim->system->constraint[c];
        for (int64_t i = 0; i < (constraint->joint ? constraint->size : 1); i++) {
            int64_t row = constraint->row + i;
            double depth = constraint->joint ? fabs(sim->gap[row]) : -sim->gap[row];
            sim->next.deep[row] = fmax(sim->next.deep[row], depth);
        }
    }
    return RICO_OK;
}


// What round-off may leave of any gap: of the largest terms and ways of all rows, for a formula may have terms that cancel
// where its coordinates are 0 and at rest.
static double round_off(const rico_simulation *sim)
{
    double largest = 0.0;
    for (int64_t row = 0; row < sim->rows; row++)
        largest = fmax(largest, fmax(rico_step_reach(sim, row), way(sim, row)));
    return 1e-12 * largest;
}


rico_breach rico_simulation_breach(const rico_simulation *sim)
{
    rico_breach worst = {.constraint = -1};
    double floor = round_off(sim);
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *constraint = sim->system->constraint[c];
        for (int64_t row = constraint->row; row < constraint->row + constraint->size; row++) {
            // what round-off leaves is no violation, however little moves
            double depth = sim->now.deep[row],
                   share = depth > floor ? depth / fmax(way(sim, row), depth) : 0.0;
            worst.depth = fmax(worst.depth, depth);
            if (depth == 0.0 || share < worst.share || (worst.constraint >= 0 && share == worst.share))
                continue;
            worst.share = share;
            worst.constraint = c;
        }
    }
    return worst;
}
