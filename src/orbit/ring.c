// Periodic orbits of a ring of impact oscillators: the linear boundary value problem over half a period, and its judge.
//
// James, Acary and Perignon (2018), Advanced Topics in Nonsmooth Dynamics, chapter 3. On (0, T/2) the ring moves freely, with
//
//     v_n(0) = 0 unless n strikes at 0, y_n(0) = -1 if it does,     v_n(T/2) = 0 unless n strikes at T/2, y_n(T/2) = -1 if it does.
//
// x holds what is free at 0: the speed of a particle that strikes there, the place of another. M x = eta follows row by row from the
// flow over T/2; evenness and period give the law of impact by themselves.

#include "orbit/ring.h"

#include "la/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_PARTICLES = 10000 };


const char *rico_ring_verdict_words(rico_ring_verdict verdict)
{
    static const char *const WORDS[] = {"feasible",
                                        "the boundary value problem is singular",
                                        "the amplitude diverges",
                                        "an impact has lost its speed",
                                        "a particle that never strikes touches the wall",
                                        "a particle that strikes touches the wall a second time"};
    return verdict >= 0 && verdict < RICO_RING_VERDICTS ? WORDS[verdict] : "unknown";
}


static rico_status check(rico_context *ctx, const rico_ring *ring)
{
    if (ring->particles < 1 || ring->particles > MOST_PARTICLES)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a ring of %lld particles: 1 to %d are possible",
                         (long long)ring->particles, MOST_PARTICLES);
    if (!(ring->coupling >= 0.0 && isfinite(ring->coupling)))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "the coupling of a ring must not be negative, got %g",
                         ring->coupling);
    if (!(ring->period > 0.0 && isfinite(ring->period)))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "the period of a ring must be positive, got %g",
                         ring->period);
    int64_t striking = 0;
    for (int64_t n = 0; n < ring->particles; n++) {
        if (ring->pattern[n] < RICO_RING_NEVER || ring->pattern[n] > RICO_RING_AT_START)
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "the pattern of particle %lld is unknown: %d",
                             (long long)n, (int)ring->pattern[n]);
        striking += ring->pattern[n] != RICO_RING_NEVER;
    }
    if (striking == 0)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a pattern in which no particle strikes has no orbit");
    return RICO_OK;
}


void rico_ring_orbit_destroy(rico_ring_orbit *orbit)
{
    if (!orbit) return;
    rico_context *ctx = orbit->ctx;
    rico_ring_motion_destroy(ctx, orbit->motion);
    rico_free(ctx, (void *)orbit->ring.pattern);
    rico_free(ctx, orbit->y);
    rico_free(ctx, orbit);
}


static rico_status create(rico_context *ctx, const rico_ring *ring, rico_ring_orbit **made)
{
    int64_t p = ring->particles;
    rico_ring_orbit *orbit = rico_alloc(ctx, 1, sizeof *orbit);
    if (!orbit) return RICO_NO_MEMORY;
    *orbit = (rico_ring_orbit){.ring = *ring, .ctx = ctx};
    rico_ring_impact *pattern = rico_alloc(ctx, p, sizeof *pattern);
    orbit->ring.pattern = pattern;
    orbit->y = rico_alloc(ctx, 4 * p, sizeof *orbit->y);
    rico_status status = RICO_NO_MEMORY;
    if (pattern && orbit->y) status = rico_ring_motion_create(ctx, p, ring->coupling, &orbit->motion);
    if (status != RICO_OK) {
        rico_ring_orbit_destroy(orbit);
        return status;
    }
    memcpy(pattern, ring->pattern, (size_t)p * sizeof *pattern);
    orbit->v = orbit->y + p;
    orbit->y_half = orbit->v + p;
    orbit->v_half = orbit->y_half + p;
    *made = orbit;
    return RICO_OK;
}


// M by columns and eta, from the columns c, s, w of the flow over T/2.
static void fill(const rico_ring *ring, const double *c, const double *s, const double *w, double *M,
                 double *eta)
{
    int64_t p = ring->particles;
    for (int64_t i = 0; i < p; i++) {
        bool speed = ring->pattern[i] == RICO_RING_AT_START;
        for (int64_t j = 0; j < p; j++) {
            int64_t d = j >= i ? j - i : j - i + p;
            bool place = ring->pattern[j] == RICO_RING_AT_HALF;
            double from_place = place ? c[d] : -w[d], from_speed = place ? s[d] : c[d];
            M[i * p + j] = speed ? from_speed : from_place;
            if (speed) eta[j] += from_place;
        }
    }
    for (int64_t j = 0; j < p; j++)
        if (ring->pattern[j] == RICO_RING_AT_HALF) eta[j] -= 1.0;
}


static int sign_of_determinant(int64_t n, const double *lu, const int32_t *pivot)
{
    int sign = 1;
    for (int64_t i = 0; i < n; i++) {
        if (lu[i * n + i] < 0.0) sign = -sign;
        if (pivot[i] != i + 1) sign = -sign;
    }
    return sign;
}


// x = M^-1 eta with one correction; what remains is the residual. `space` holds M twice more.
static rico_status solve_linear(rico_ring_orbit *orbit, const double *M, const double *eta, double *x,
                                double *space, int32_t *pivot, double *rest)
{
    int64_t p = orbit->ring.particles;
    memcpy(space, M, (size_t)(p * p) * sizeof *M);
    rico_status status = rico_dense_singular_values(orbit->ctx, p, p, space, rest);
    if (status != RICO_OK) return status;
    orbit->condition = rest[p - 1] > 0.0 ? rest[0] / rest[p - 1] : INFINITY;

    memcpy(space, M, (size_t)(p * p) * sizeof *M);
    status = rico_dense_lu(orbit->ctx, p, space, pivot);
    if (status != RICO_OK) return status;
    orbit->determinant_sign = sign_of_determinant(p, space, pivot);
    memcpy(x, eta, (size_t)p * sizeof *x);
    rico_dense_lu_solve(p, space, pivot, 1, x);
    for (int turn = 0; turn < 2; turn++) {
        memcpy(rest, eta, (size_t)p * sizeof *rest);
        rico_dense_times(p, p, -1.0, M, x, 1.0, rest);
        orbit->residual = rico_norm_inf(p, rest);
        if (turn == 1) break;
        rico_dense_lu_solve(p, space, pivot, 1, rest);
        rico_axpy(p, 1.0, rest, x);
    }
    return RICO_OK;
}


static rico_status solve_boundary_problem(rico_ring_orbit *orbit)
{
    const rico_ring *ring = &orbit->ring;
    int64_t p = ring->particles;
    double *numbers = rico_alloc(orbit->ctx, 2 * p * p + 6 * p, sizeof *numbers);
    int32_t *pivot = rico_alloc(orbit->ctx, p, sizeof *pivot);
    rico_status status = RICO_NO_MEMORY;
    if (numbers && pivot) {
        double *M = numbers, *space = M + p * p, *c = space + p * p, *s = c + p, *w = s + p;
        double *eta = w + p, *x = eta + p, *rest = x + p;
        rico_ring_flow(orbit->motion, 0.5 * ring->period, c, s, w);
        fill(ring, c, s, w, M, eta);
        status = solve_linear(orbit, M, eta, x, space, pivot, rest);
        for (int64_t n = 0; n < p && status == RICO_OK; n++) {
            bool speed = ring->pattern[n] == RICO_RING_AT_START;
            orbit->y[n] = speed ? -1.0 : x[n];
            orbit->v[n] = speed ? x[n] : 0.0;
        }
    }
    rico_free(orbit->ctx, pivot);
    rico_free(orbit->ctx, numbers);
    return status;
}


static double energy(const rico_ring *ring, const double *y, const double *v)
{
    double sum = 0.0;
    for (int64_t n = 0; n < ring->particles; n++) {
        double stretch = y[(n + 1) % ring->particles] - y[n];
        sum += 0.5 * v[n] * v[n] + 0.5 * y[n] * y[n] + 0.5 * ring->coupling * stretch * stretch;
    }
    return sum;
}


static rico_status judge(rico_ring_orbit *orbit)
{
    const rico_ring *ring = &orbit->ring;
    rico_ring_motion_set(orbit->motion, orbit->y, orbit->v);
    rico_ring_motion_at(orbit->motion, 0.5 * ring->period, orbit->y_half, orbit->v_half);
    orbit->energy = energy(ring, orbit->y, orbit->v);
    orbit->amplitude =
        fmax(rico_norm_inf(ring->particles, orbit->y), rico_norm_inf(ring->particles, orbit->v));

    orbit->slowest = INFINITY;
    for (int64_t n = 0; n < ring->particles; n++) {
        if (ring->pattern[n] == RICO_RING_NEVER) continue;
        double speed = ring->pattern[n] == RICO_RING_AT_START ? orbit->v[n] : -orbit->v_half[n];
        if (speed >= orbit->slowest) continue;
        orbit->slowest = speed;
        orbit->slowest_particle = n;
    }
    rico_status status = rico_ring_find_gap(orbit);
    if (status != RICO_OK) return status;
    if (!(orbit->slowest > 0.0))
        orbit->verdict = RICO_RING_NO_IMPACT;
    else if (!(orbit->gap > 0.0))
        orbit->verdict = ring->pattern[orbit->gap_particle] == RICO_RING_NEVER ? RICO_RING_TOUCHES
                                                                               : RICO_RING_SECOND_CONTACT;
    return RICO_OK;
}


rico_status rico_ring_solve(rico_context *ctx, const rico_ring *ring, rico_ring_orbit **orbit)
{
    *orbit = NULL;
    rico_status status = check(ctx, ring);
    if (status != RICO_OK) return status;
    rico_ring_orbit *made;
    status = create(ctx, ring, &made);
    if (status != RICO_OK) return status;
    status = solve_boundary_problem(made);
    if (status == RICO_OK) status = judge(made);
    if (status != RICO_OK) {
        rico_ring_orbit_destroy(made);
        return status;
    }
    *orbit = made;
    return RICO_OK;
}


void rico_ring_orbit_at(const rico_ring_orbit *orbit, double t, double *y, double *v)
{
    const rico_ring *ring = &orbit->ring;
    double period = ring->period, phase = t - period * floor(t / period);
    bool mirrored = phase >= 0.5 * period;
    rico_ring_motion_at(orbit->motion, mirrored ? period - phase : phase, y, v);

    // even in time: the second half is the first, backwards
    for (int64_t n = 0; n < ring->particles && mirrored; n++) v[n] = -v[n];
}
