// Whether a sequence of impacts is an orbit of the ring, and its multipliers: from impact to impact the motion is free.

#include "orbit/ring_sequence.h"

#include "la/blas.h"
#include "la/dense.h"

#include <cblas.h>
#include <float.h>
#include <math.h>
#include <string.h>


int64_t rico_ring_sequence_next(const rico_ring_sequence *sequence, int64_t strike)
{
    int64_t next = strike + 1;
    double apart = RICO_RING_TOGETHER * sequence->period;
    while (next < sequence->count && sequence->strike[next].time - sequence->strike[strike].time < apart)
        next++;
    return next;
}


static double energy(const rico_ring_sequence *of)
{
    double sum = 0.0;
    for (int64_t n = 0; n < of->particles; n++) {
        double stretch = of->y[(n + 1) % of->particles] - of->y[n];
        sum += 0.5 * (of->v[n] * of->v[n] + of->y[n] * of->y[n] + of->coupling * stretch * stretch);
    }
    return sum;
}


static void mark(const rico_ring_sequence *of, int64_t from, int64_t to, rico_ring_wall *wall)
{
    for (int64_t n = 0; n < of->particles; n++) wall[n] = RICO_RING_NO_WALL;
    for (int64_t j = from; j < to; j++)
        wall[of->strike[j].particle] = of->strike[j].upper ? RICO_RING_UPPER : RICO_RING_LOWER;
}


// Every flight from one moment of impact to the next.
static void look_for_gaps(rico_ring_sequence *of, double *space, rico_ring_wall *wall, rico_ring_gap *found)
{
    int64_t p = of->particles;
    for (int64_t j = 0, next; j < of->count; j = next) {
        next = rico_ring_sequence_next(of, j);
        int64_t after = next < of->count ? next : 0;
        double from = of->strike[next - 1].time;
        double to = of->strike[after].time + (after == 0 ? of->period : 0.0), seen = found->gap;
        mark(of, j, next, wall);
        mark(of, after, rico_ring_sequence_next(of, after), wall + p);
        rico_ring_sequence_at(of, from, space, space + p);
        rico_ring_motion_set(of->motion, space, space + p);
        const rico_ring_stretch stretch = {to - from, of->upper, wall, wall + p};
        rico_ring_gap_look(of->motion, &stretch, found);
        if (found->gap < seen) found->time += from;
    }
}


static bool strikes(const rico_ring_sequence *of, int64_t particle)
{
    for (int64_t j = 0; j < of->count; j++)
        if (of->strike[j].particle == particle) return true;
    return false;
}


rico_status rico_ring_sequence_judge(rico_ring_sequence *sequence)
{
    int64_t p = sequence->particles;
    rico_ring_sequence_at(sequence, 0.0, sequence->y, sequence->v);
    sequence->energy = energy(sequence);
    sequence->amplitude = fmax(rico_norm_inf(p, sequence->y), rico_norm_inf(p, sequence->v));
    if (!(sequence->amplitude < sqrt(DBL_MAX)))
        return rico_fail(sequence->ctx, RICO_SINGULAR, "the orbit of period %g is too large to be judged",
                         sequence->period);
    sequence->slowest = INFINITY;
    for (int64_t j = 0; j < sequence->count; j++) {
        const rico_ring_strike *strike = &sequence->strike[j];
        double speed = 0.5 * (strike->upper ? -strike->impulse : strike->impulse);
        if (speed >= sequence->slowest) continue;
        sequence->slowest = speed;
        sequence->slowest_particle = strike->particle;
    }

    double *space = rico_alloc(sequence->ctx, 2 * p, sizeof *space);
    rico_ring_wall *wall = rico_alloc(sequence->ctx, 2 * p, sizeof *wall);
    rico_ring_gap found = {.gap = INFINITY, .tolerance = 1e-12 * fmax(1.0, sequence->amplitude)};
    bool made = space && wall;
    if (made) look_for_gaps(sequence, space, wall, &found);
    rico_free(sequence->ctx, space);
    rico_free(sequence->ctx, wall);
    if (!made) return RICO_NO_MEMORY;
    sequence->gap = found.gap;
    sequence->gap_time = found.time;
    sequence->gap_particle = found.particle;
    sequence->verdict = RICO_RING_FEASIBLE;
    if (!(sequence->slowest > 0.0))
        sequence->verdict = RICO_RING_NO_IMPACT;
    else if (!(sequence->gap > 0.0))
        sequence->verdict =
            strikes(sequence, sequence->gap_particle) ? RICO_RING_SECOND_CONTACT : RICO_RING_TOUCHES;
    return RICO_OK;
}


// --- multipliers ---------------------------------------------------------------------------------------------

// M becomes the flow over t times M.
static void flow(const rico_ring_sequence *of, double t, double *space, double *M)
{
    int order = (int)(2 * of->particles);
    double *F = space + 3 * of->particles, *product = F + (int64_t)order * order;
    rico_ring_flow_matrix(of->motion, t, space, F);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, order, order, order, 1.0, F, order, M, order, 0.0,
                product, order);
    memcpy(M, product, (size_t)order * (size_t)order * sizeof *M);
}


// From just after 0 to just after T: what strikes at 0 does so at the end.
static void multiply(const rico_ring_sequence *of, double *space, double *M)
{
    int64_t p = of->particles, order = 2 * p, first = 0;
    double *state = space + 3 * p + 2 * order * order, at = 0.0, apart = RICO_RING_TOGETHER * of->period;
    memset(M, 0, (size_t)(order * order) * sizeof *M);
    for (int64_t i = 0; i < order; i++) M[i * order + i] = 1.0;
    while (first < of->count && of->strike[first].time < apart) first++;
    for (int64_t i = 0; i < of->count; i++) {
        int64_t j = (first + i) % of->count;
        const rico_ring_strike *strike = &of->strike[j];
        double to = strike->time + (first + i >= of->count ? of->period : 0.0);
        if (to > at) flow(of, to - at, space, M);
        at = fmax(at, to);
        rico_ring_sequence_at(of, strike->time, state, state + p);
        rico_ring_saltate(p, of->coupling, strike->particle, state, -0.5 * strike->impulse, M);
    }
    if (at < of->period) flow(of, of->period - at, space, M);
}


rico_status rico_ring_sequence_stability(const rico_ring_sequence *sequence, double tolerance,
                                         rico_ring_stability **stability)
{
    rico_context *ctx = sequence->ctx;
    int64_t p = sequence->particles, order = 2 * p;
    *stability = NULL;
    if (sequence->verdict != RICO_RING_FEASIBLE)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "multipliers of what is no orbit: %s",
                         rico_ring_verdict_words(sequence->verdict));
    rico_ring_stability *made = NULL;
    double *space = rico_alloc(ctx, 5 * p + 2 * order * order, sizeof *space);
    rico_status status = space ? rico_ring_stability_room(ctx, p, &made) : RICO_NO_MEMORY;
    if (status == RICO_OK) {
        bool held = rico_blas_hold();
        multiply(sequence, space, made->monodromy);
        status = rico_ring_stability_fill(made, tolerance);
        rico_blas_release(held);
    }
    rico_free(ctx, space);
    if (status != RICO_OK) {
        rico_ring_stability_destroy(made);
        return status;
    }
    *stability = made;
    return RICO_OK;
}
