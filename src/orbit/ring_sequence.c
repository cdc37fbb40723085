// Orbits of a ring with any number of impacts: times and impulses as unknowns, found by Newton's method.
//
// With impulses p_j on particles n_j at times t_j the periodic motion is y_n(t) = sum_j p_j G(n - n_j, t - t_j), G the periodic Green's function
// of the ring. An impact without loss closes the gap, y = -1 or the place of the upper wall, and reverses the velocity: the mean of
// the velocities before and after is zero, to which the impulse itself gives nothing. Twice as many equations as impacts for as many
// unknowns; a shift of all times solves them too, and with it one equation follows from the others: steps are those of
// minimum norm.

#include "orbit/ring_sequence.h"

#include "la/blas.h"
#include "la/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STRIKES = 500, ROUNDS = 60, HALVINGS = 12 };
static const double RANK = 1e-11, GOOD = 1e-10, BEST = 1e-14;


void rico_ring_green(int64_t particles, double coupling, double period, int64_t d, double s,
                     double response[3])
{
    response[0] = response[1] = response[2] = 0.0;
    for (int64_t k = 0; k <= particles / 2; k++) {
        double pair = k == 0 || 2 * k == particles ? 1.0 : 2.0;
        double share =
            pair / (double)particles * cos(2.0 * M_PI * (double)(k * d % particles) / (double)particles);
        double w = rico_ring_frequency(particles, coupling, k), phase = w * (s - 0.5 * period);
        double twice = 2.0 * sin(0.5 * w * period);
        response[0] += share * cos(phase) / (w * twice);
        response[1] -= share * sin(phase) / twice;
        response[2] -= share * cos(phase) * w / twice;
    }
}


// The time since an impact, in [0, T).
static double since(double period, double time)
{
    double s = time - period * floor(time / period);
    return s < period ? s : 0.0;
}


static double wall_of(const rico_ring_sequence *self, int64_t j)
{
    return self->strike[j].upper ? self->upper : -1.0;
}


// --- checks --------------------------------------------------------------------------------------------------

static rico_status check_strikes(rico_context *ctx, const rico_ring_sequence *start)
{
    if (start->count < 1 || start->count > MOST_STRIKES)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "an orbit has 1 to %d impacts, got %lld", MOST_STRIKES,
                         (long long)start->count);
    for (int64_t j = 0; j < start->count; j++) {
        const rico_ring_strike *strike = &start->strike[j];
        if (strike->particle < 0 || strike->particle >= start->particles)
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "impact %lld is of particle %lld; there are 0 to %lld",
                             (long long)j, (long long)strike->particle, (long long)start->particles - 1);
        if (!isfinite(strike->time))
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "impact %lld has the time %g", (long long)j,
                             strike->time);
        if (strike->upper && !isfinite(start->upper))
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "impact %lld is at an upper wall, and there is none",
                             (long long)j);
    }
    return RICO_OK;
}


static rico_status check(rico_context *ctx, const rico_ring_sequence *start)
{
    if (start->particles < 1 || start->particles > 10000)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a ring of %lld particles: 1 to 10000 are possible",
                         (long long)start->particles);
    if (!(start->coupling >= 0.0 && isfinite(start->coupling)))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "the coupling of a ring must not be negative, got %g",
                         start->coupling);
    if (!(start->period > 0.0 && isfinite(start->period)))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "the period of a ring must be positive, got %g",
                         start->period);
    if (!(start->upper > 0.0))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "the upper wall must be above the particles at rest, got %g",
                         start->upper);
    for (int64_t k = 0; k <= start->particles / 2; k++) {
        double w = rico_ring_frequency(start->particles, start->coupling, k);
        if (fabs(sin(0.5 * w * start->period)) < 1e-12 * w * start->period)
            return rico_fail(ctx, RICO_SINGULAR, "the period %g is a multiple of that of linear mode %lld",
                             start->period, (long long)k);
    }
    return check_strikes(ctx, start);
}


// --- equations -----------------------------------------------------------------------------------------------

typedef struct equations {
    int64_t count; // of impacts, K
    double *rest;  // 2 K: gaps, then mean velocities
    double *J;     // 2 K x 2 K by columns: times, then impulses
    double *trial, *work;
    int32_t *pivot;
    double *kept; // times and impulses before a step
} equations;


static rico_status make_room(rico_context *ctx, int64_t count, equations *out)
{
    int64_t n = 2 * count;
    *out = (equations){.count = count};
    out->rest = rico_alloc(ctx, 3 * n + n * n + rico_dense_minimum_norm_work(n), sizeof *out->rest);
    out->pivot = rico_alloc(ctx, n, sizeof *out->pivot);
    if (!out->rest || !out->pivot) return RICO_NO_MEMORY;
    out->trial = out->rest + n;
    out->kept = out->trial + n;
    out->J = out->kept + n;
    out->work = out->J + n * n;
    return RICO_OK;
}


static void forget(rico_context *ctx, const equations *self)
{
    rico_free(ctx, self->rest);
    rico_free(ctx, self->pivot);
}


// What is left of the equations, and their derivatives where wanted. Returns the largest, over the largest impulse.
static double evaluate(const rico_ring_sequence *of, double *rest, double *J)
{
    int64_t K = of->count, n = 2 * K, p = of->particles;
    double largest = 0.0, most = 1.0;
    if (J) memset(J, 0, (size_t)(n * n) * sizeof *J);
    for (int64_t l = 0; l < K; l++) {
        double place = -wall_of(of, l), velocity = 0.0, acceleration = 0.0;
        for (int64_t j = 0; j < K; j++) {
            double green[3], impulse = of->strike[j].impulse;
            int64_t d = of->strike[l].particle - of->strike[j].particle;
            rico_ring_green(p, of->coupling, of->period, d < 0 ? d + p : d,
                            since(of->period, of->strike[l].time - of->strike[j].time), green);
            place += impulse * green[0];
            if (J) J[(K + j) * n + l] = green[0];
            if (j == l) continue; // an impulse gives no mean velocity to its own impact
            velocity += impulse * green[1];
            acceleration += impulse * green[2];
            if (!J) continue;
            J[(K + j) * n + K + l] = green[1];
            J[j * n + l] = -impulse * green[1];
            J[j * n + K + l] = -impulse * green[2];
        }
        rest[l] = place;
        rest[K + l] = velocity;
        if (J) {
            J[l * n + l] = velocity;
            J[l * n + K + l] = acceleration;
        }
        largest = fmax(largest, fmax(fabs(place), fabs(velocity)));
        most = fmax(most, fabs(of->strike[l].impulse));
    }
    return largest / most;
}


// Impulses that close the gaps at the times given.
static rico_status first_impulses(rico_ring_sequence *of, equations *self)
{
    int64_t K = of->count, rank;
    for (int64_t j = 0; j < K; j++) of->strike[j].impulse = 0.0;
    evaluate(of, self->rest, self->J);
    double *block = self->J; // in its own room: every entry is read before it is overwritten
    for (int64_t j = 0; j < K; j++)
        for (int64_t l = 0; l < K; l++) block[j * K + l] = self->J[(K + j) * 2 * K + l];
    for (int64_t l = 0; l < K; l++) self->trial[l] = -self->rest[l];
    rico_status status =
        rico_dense_minimum_norm(of->ctx, K, block, self->trial, RANK, self->work, self->pivot, &rank);
    for (int64_t j = 0; j < K && status == RICO_OK; j++) of->strike[j].impulse = self->trial[j];
    return status;
}


static void move(rico_ring_sequence *of, const equations *self, double share)
{
    for (int64_t j = 0; j < of->count; j++) {
        of->strike[j].time = self->kept[j] - share * self->trial[j];
        of->strike[j].impulse = self->kept[of->count + j] - share * self->trial[of->count + j];
    }
}


// One step of Newton's method, shortened until it helps. *size is what is left of the equations.
static rico_status improve(rico_ring_sequence *of, equations *self, double *size, bool *better)
{
    int64_t K = of->count, n = 2 * K, rank;
    evaluate(of, self->rest, self->J);
    memcpy(self->trial, self->rest, (size_t)n * sizeof *self->trial);
    for (int64_t j = 0; j < K; j++) {
        self->kept[j] = of->strike[j].time;
        self->kept[K + j] = of->strike[j].impulse;
    }
    *better = false;
    if (!rico_all_finite(n * n, self->J)) return RICO_OK;
    // times in units in which a change weighs as much as one of the impulses, however large these are
    double unit = fmax(1.0, rico_norm_inf(K, self->kept + K));
    for (int64_t i = 0; i < n * K; i++) self->J[i] /= unit;
    rico_status status =
        rico_dense_minimum_norm(of->ctx, n, self->J, self->trial, RANK, self->work, self->pivot, &rank);
    if (status != RICO_OK) return status;
    for (int64_t j = 0; j < K; j++) self->trial[j] /= unit;
    double longest = rico_norm_inf(K, self->trial), share = fmin(1.0, 0.1 * of->period / longest);
    for (int k = 0; k < HALVINGS; k++, share *= 0.5) {
        move(of, self, share);
        double now = evaluate(of, self->rest, NULL);
        if (!(now < *size * (1.0 - 1e-4 * share))) continue;
        *size = now;
        *better = true;
        return RICO_OK;
    }
    move(of, self, 0.0);
    return RICO_OK;
}


static int by_time(const void *a, const void *b)
{
    const rico_ring_strike *x = a, *y = b;
    if (x->time != y->time) return x->time < y->time ? -1 : 1;
    return x->particle < y->particle ? -1 : x->particle > y->particle;
}


static rico_status find(rico_ring_sequence *of)
{
    equations self;
    rico_status status = make_room(of->ctx, of->count, &self);
    bool better = true;
    if (status == RICO_OK) status = first_impulses(of, &self);
    of->residual = status == RICO_OK ? evaluate(of, self.rest, NULL) : 0.0;
    while (status == RICO_OK && better && of->residual > BEST && of->iterations < ROUNDS) {
        status = improve(of, &self, &of->residual, &better);
        of->iterations++;
        if (status == RICO_OK && rico_context_interrupted(of->ctx))
            status = rico_fail(of->ctx, RICO_INTERRUPTED, "interrupted");
    }
    forget(of->ctx, &self);
    if (status == RICO_OK && !(of->residual <= GOOD))
        status =
            rico_fail(of->ctx, RICO_SINGULAR, "no orbit of %lld impacts and period %g near the times given",
                      (long long)of->count, of->period);
    if (status != RICO_OK) return status;
    for (int64_t j = 0; j < of->count; j++) {
        double time = since(of->period, of->strike[j].time);
        // round-off before T is the moment 0
        bool wraps = of->period - time < RICO_RING_TOGETHER * of->period;
        of->strike[j].time = wraps ? time - of->period : time;
    }
    qsort(of->strike, (size_t)of->count, sizeof *of->strike, by_time);
    for (int64_t j = 0; j < of->count; j++)
        for (int64_t i = 0; i < j; i++) {
            double apart = of->strike[j].time - of->strike[i].time;
            if (of->strike[i].particle == of->strike[j].particle &&
                fmin(apart, of->period - apart) < RICO_RING_TOGETHER * of->period)
                return rico_fail(of->ctx, RICO_SINGULAR,
                                 "two impacts of particle %lld have become one at the time %g",
                                 (long long)of->strike[j].particle, of->strike[j].time);
        }
    return RICO_OK;
}


// --- life ----------------------------------------------------------------------------------------------------

void rico_ring_sequence_destroy(rico_ring_sequence *sequence)
{
    if (!sequence) return;
    rico_context *ctx = sequence->ctx;
    rico_ring_motion_destroy(ctx, sequence->motion);
    rico_free(ctx, sequence->strike);
    rico_free(ctx, sequence->y);
    rico_free(ctx, sequence);
}


rico_status rico_ring_sequence_solve(rico_context *ctx, const rico_ring_sequence *start,
                                     rico_ring_sequence **sequence)
{
    *sequence = NULL;
    rico_status status = check(ctx, start);
    if (status != RICO_OK) return status;
    rico_ring_sequence *made = rico_alloc(ctx, 1, sizeof *made);
    if (!made) return RICO_NO_MEMORY;
    *made = (rico_ring_sequence){.particles = start->particles,
                                 .coupling = start->coupling,
                                 .period = start->period,
                                 .upper = start->upper,
                                 .count = start->count,
                                 .ctx = ctx};
    made->strike = rico_alloc(ctx, start->count, sizeof *made->strike);
    made->y = rico_alloc(ctx, 2 * start->particles, sizeof *made->y);
    made->v = made->y ? made->y + start->particles : NULL;
    status = made->strike && made->y
                 ? rico_ring_motion_create(ctx, start->particles, start->coupling, &made->motion)
                 : RICO_NO_MEMORY;
    if (status == RICO_OK) {
        memcpy(made->strike, start->strike, (size_t)start->count * sizeof *made->strike);
        bool held = rico_blas_hold();
        status = find(made);
        rico_blas_release(held);
    }
    if (status == RICO_OK) status = rico_ring_sequence_judge(made);
    if (status != RICO_OK) {
        rico_ring_sequence_destroy(made);
        return status;
    }
    *sequence = made;
    return RICO_OK;
}


void rico_ring_sequence_at(const rico_ring_sequence *sequence, double t, double *y, double *v)
{
    int64_t p = sequence->particles;
    for (int64_t n = 0; n < p; n++) {
        y[n] = v[n] = 0.0;
        for (int64_t j = 0; j < sequence->count; j++) {
            const rico_ring_strike *strike = &sequence->strike[j];
            double green[3];
            rico_ring_green(p, sequence->coupling, sequence->period, (n - strike->particle + p) % p,
                            since(sequence->period, t - strike->time), green);
            y[n] += strike->impulse * green[0];
            v[n] += strike->impulse * green[1];
        }
    }
}
