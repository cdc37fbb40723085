// Orbits of a ring whose walls give way: what smooth models of contact pay for the orbits that rigid walls have from one linear system.
//
// A particle at depth d = -1 - y > 0 is pushed back by k d^e. Motions that are at rest at 0 and at T/2 are even and have the period T, so that p
// positions at 0 are sought for p velocities that vanish at T/2: shooting. State and tangents run together through the pair 5(4) of
// Dormand and Prince; steps follow the contacts, whose length falls like k^(-1/2) for springs.

#include "orbit/ring.h"

#include "la/blas.h"
#include "la/dense.h"

#include <math.h>
#include <string.h>

enum { STAGES = 7, ROUNDS = 40, HALVINGS = 10, MOST_STEPS = 50000000 };

typedef struct shooting {
    rico_context *ctx;
    const rico_ring *ring;
    double stiffness, exponent, tolerance;
    int64_t p, size; // of state and tangents
    double *state, *trial, *stage;
    int64_t evaluations;
} shooting;


// The acceleration of particle n by its springs, at positions x or along a tangent.
static double pull(const shooting *self, const double *x, int64_t n)
{
    return -x[n] + self->ring->coupling * rico_ring_laplacian(self->p, x, n);
}


// The rate of (y, v) and of p tangents behind it, each (dy, dv).
static void rate(shooting *self, const double *z, double *out)
{
    int64_t p = self->p;
    self->evaluations++;
    for (int64_t column = 0; column <= p; column++) {
        const double *x = z + 2 * p * column, *v = x + p;
        double *dx = out + 2 * p * column;
        for (int64_t n = 0; n < p; n++) {
            double depth = -1.0 - z[n];
            dx[n] = v[n];
            dx[p + n] = pull(self, x, n);
            if (depth <= 0.0) continue;
            double force = self->stiffness * pow(depth, self->exponent - 1.0);
            dx[p + n] += column == 0 ? force * depth : -self->exponent * force * x[n];
        }
    }
}


// One step of length h into `trial`, its error over the tolerance returned; stage 0 holds the rate at the start, and the last one that at the end.
static double step(shooting *self, double h)
{
    static const double A[STAGES][STAGES - 1] = {
        {0},
        {1.0 / 5},
        {3.0 / 40, 9.0 / 40},
        {44.0 / 45, -56.0 / 15, 32.0 / 9},
        {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
        {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
        {35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
    static const double E[STAGES] = {71.0 / 57600,      0.0,          -71.0 / 16695, 71.0 / 1920,
                                     -17253.0 / 339200, 22.0 / 525.0, -1.0 / 40};
    int64_t size = self->size, p = self->p;
    for (int i = 1; i < STAGES; i++) {
        for (int64_t j = 0; j < size; j++) {
            double sum = 0.0;
            for (int k = 0; k < i; k++) sum += A[i][k] * self->stage[k * size + j];
            self->trial[j] = self->state[j] + h * sum;
        }
        rate(self, self->trial, self->stage + i * size);
    }
    // tangents follow the steps of the state
    double worst = 0.0;
    for (int64_t j = 0; j < 2 * p; j++) {
        double sum = 0.0;
        for (int k = 0; k < STAGES; k++) sum += E[k] * self->stage[k * size + j];
        worst = fmax(worst, fabs(h * sum) / (self->tolerance * (1.0 + fabs(self->state[j]))));
    }
    return worst;
}


// From `from` to `to`.
static rico_status integrate(shooting *self, double from, double to)
{
    double t = from, h = fmin(0.01, 0.1 / sqrt(self->stiffness));
    int64_t size = self->size;
    rate(self, self->state, self->stage);
    for (int64_t count = 0; t < to; count++) {
        if (count > MOST_STEPS)
            return rico_fail(self->ctx, RICO_SINGULAR, "walls of stiffness %g take more than %d steps",
                             self->stiffness, MOST_STEPS);
        if (rico_context_interrupted(self->ctx)) return rico_fail(self->ctx, RICO_INTERRUPTED, "interrupted");
        bool last = t + h >= to;
        double length = last ? to - t : h, error = step(self, length);
        if (error <= 1.0) {
            t = last ? to : t + length;
            memcpy(self->state, self->trial, (size_t)size * sizeof *self->state);
            memcpy(self->stage, self->stage + (STAGES - 1) * size, (size_t)size * sizeof *self->stage);
        }
        double grow = error > 0.0 ? 0.9 * pow(error, -0.2) : 5.0;
        double next = length * fmin(5.0, fmax(0.2, grow));
        h = last && error <= 1.0 ? fmax(h, next) : next;
        if (!(h > 1e-14 * to))
            return rico_fail(self->ctx, RICO_SINGULAR, "the steps of walls of stiffness %g vanish at t = %g",
                             self->stiffness, t);
    }
    return RICO_OK;
}


// From the positions y at rest to T/2; the state at T/4 is noted on the way.
static rico_status shoot(shooting *self, const double *y, double *quarter)
{
    int64_t p = self->p;
    memset(self->state, 0, (size_t)self->size * sizeof *self->state);
    memcpy(self->state, y, (size_t)p * sizeof *y);
    for (int64_t n = 0; n < p; n++) self->state[2 * p * (n + 1) + n] = 1.0;
    rico_status status = integrate(self, 0.0, 0.25 * self->ring->period);
    memcpy(quarter, self->state, 2 * (size_t)p * sizeof *quarter);
    return status == RICO_OK ? integrate(self, 0.25 * self->ring->period, 0.5 * self->ring->period) : status;
}


// Newton's method for velocities at T/2 that vanish; `space` holds p^2 + 2 p.
static rico_status find(shooting *self, rico_ring_compliant *orbit, double *space, int32_t *pivot)
{
    int64_t p = self->p;
    double *J = space, *change = J + p * p, *kept = change + p;
    // in contact a velocity is known to as many digits less as its wall is quicker than the springs
    double enough = 10.0 * self->tolerance * sqrt(1.0 + self->stiffness);
    rico_status status = shoot(self, orbit->y, orbit->quarter);
    orbit->residual = rico_norm_inf(p, self->state + p);
    while (status == RICO_OK && orbit->residual > enough && orbit->iterations < ROUNDS) {
        orbit->iterations++;
        for (int64_t j = 0; j < p; j++)
            memcpy(J + j * p, self->state + 2 * p * (j + 1) + p, (size_t)p * sizeof *J);
        memcpy(change, self->state + p, (size_t)p * sizeof *change);
        memcpy(kept, orbit->y, (size_t)p * sizeof *kept);
        status = rico_dense_lu(self->ctx, p, J, pivot);
        if (status != RICO_OK) return status;
        rico_dense_lu_solve(p, J, pivot, 1, change);
        double before = orbit->residual, share = 1.0;
        for (int k = 0; k < HALVINGS && status == RICO_OK; k++, share *= 0.5) {
            for (int64_t n = 0; n < p; n++) orbit->y[n] = kept[n] - share * change[n];
            status = shoot(self, orbit->y, orbit->quarter);
            orbit->residual = rico_norm_inf(p, self->state + p);
            if (orbit->residual < before) break;
        }
        if (!(orbit->residual < before)) break;
    }
    if (status == RICO_OK && !(orbit->residual <= enough))
        status = rico_fail(self->ctx, RICO_SINGULAR,
                           "no orbit of period %g near the rigid one with walls of stiffness %g",
                           self->ring->period, self->stiffness);
    return status;
}


static double depth_of(double y)
{
    return y < -1.0 ? -1.0 - y : 0.0;
}


// What follows from the positions at 0 and, in the state, at T/2. A ring at rest has no velocities either: whoever strikes must touch.
static rico_status complete(const shooting *self, rico_ring_compliant *orbit)
{
    int64_t p = self->p;
    for (int64_t n = 0; n < p; n++) {
        rico_ring_impact impact = self->ring->pattern[n];
        double y = impact == RICO_RING_AT_START ? orbit->y[n] : self->state[n];
        if (impact != RICO_RING_NEVER && !(y < -1.0))
            return rico_fail(self->ctx, RICO_SINGULAR,
                             "with walls of stiffness %g particle %lld does not touch: they are too soft",
                             self->stiffness, (long long)n);
    }
    for (int64_t n = 0; n < p; n++) {
        double stretch = orbit->y[(n + 1) % p] - orbit->y[n], depth = depth_of(orbit->y[n]);
        orbit->energy += 0.5 * orbit->y[n] * orbit->y[n] + 0.5 * self->ring->coupling * stretch * stretch +
                         self->stiffness * pow(depth, self->exponent + 1.0) / (self->exponent + 1.0);
        orbit->deepest = fmax(orbit->deepest, fmax(depth, depth_of(self->state[n])));
    }
    orbit->evaluations = self->evaluations;
    return RICO_OK;
}


void rico_ring_compliant_destroy(rico_ring_compliant *orbit)
{
    if (!orbit) return;
    rico_free(orbit->ctx, orbit->y);
    rico_free(orbit->ctx, orbit);
}


static rico_status check(const rico_ring_orbit *rigid, double stiffness, double exponent)
{
    if (!(stiffness > 0.0 && isfinite(stiffness)))
        return rico_fail(rigid->ctx, RICO_BAD_ARGUMENT, "the stiffness of a wall must be positive, got %g",
                         stiffness);
    if (!(exponent >= 1.0 && exponent <= 3.0))
        return rico_fail(rigid->ctx, RICO_BAD_ARGUMENT, "the exponent of a wall must be from 1 to 3, got %g",
                         exponent);
    if (rigid->verdict != RICO_RING_FEASIBLE)
        return rico_fail(rigid->ctx, RICO_BAD_ARGUMENT, "the rigid ring has no orbit: %s",
                         rico_ring_verdict_words(rigid->verdict));
    return RICO_OK;
}


rico_status rico_ring_compliant_solve(const rico_ring_orbit *rigid, double stiffness, double exponent,
                                      double tolerance, rico_ring_compliant **orbit)
{
    rico_context *ctx = rigid->ctx;
    int64_t p = rigid->ring.particles, size = 2 * p * (p + 1);
    *orbit = NULL;
    rico_status status = check(rigid, stiffness, exponent);
    if (status != RICO_OK) return status;
    shooting self = {.ctx = ctx,
                     .ring = &rigid->ring,
                     .stiffness = stiffness,
                     .exponent = exponent,
                     .tolerance = tolerance > 0.0 ? tolerance : 1e-11,
                     .p = p,
                     .size = size};
    rico_ring_compliant *made = rico_alloc(ctx, 1, sizeof *made);
    double *space = rico_alloc(ctx, (2 + STAGES) * size + p * p + 2 * p, sizeof *space);
    int32_t *pivot = rico_alloc(ctx, p, sizeof *pivot);
    if (made) {
        *made = (rico_ring_compliant){.particles = p, .ctx = ctx};
        made->y = rico_alloc(ctx, 3 * p, sizeof *made->y);
    }
    status = made && made->y && space && pivot ? RICO_OK : RICO_NO_MEMORY;
    if (status == RICO_OK) {
        made->quarter = made->y + p;
        self.state = space;
        self.trial = self.state + size;
        self.stage = self.trial + size;
        // a particle at the wall goes as deep as its speed drives it there
        for (int64_t n = 0; n < p; n++) {
            double energy = 0.5 * (exponent + 1.0) * rigid->v[n] * rigid->v[n] / stiffness;
            made->y[n] = rigid->y[n] - pow(energy, 1.0 / (exponent + 1.0));
        }
        bool held = rico_blas_hold();
        status = find(&self, made, self.stage + STAGES * size, pivot);
        rico_blas_release(held);
    }
    if (status == RICO_OK) status = complete(&self, made);
    rico_free(ctx, space);
    rico_free(ctx, pivot);
    if (status != RICO_OK) {
        rico_ring_compliant_destroy(made);
        return status;
    }
    *orbit = made;
    return RICO_OK;
}
