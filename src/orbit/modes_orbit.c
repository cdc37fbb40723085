// Orbits of k impacts per period: their impulses, where they are at any time, and whether they stay above the obstacle.

#include "la/dense.h"
#include "orbit/modes.h"

#include <math.h>

enum { DEPTH = 64, NEWTON = 60 };
static const double TOUCH = 1e-9; // of the gap at rest: what counts as touching


// --- where an orbit is ---------------------------------------------------------------------------------------

// The time since impact i, in [0, T).
static double since(const rico_modes_orbit *orbit, double t, int64_t i)
{
    double T = orbit->period;
    for (int64_t m = 0; m < i; m++) t -= orbit->duration[m];
    t -= T * floor(t / T);
    return t < T ? t : 0.0;
}


void rico_modes_gap(const rico_modes *modes, const rico_modes_orbit *orbit, double t, double *gap,
                    double *rate)
{
    double g = modes->g0, v = 0.0;
    for (int64_t i = 0; i < orbit->impacts; i++) {
        rico_green green = rico_modes_green(modes, orbit->period, since(orbit, t, i));
        g += orbit->impulse[i] * green.value;
        v += orbit->impulse[i] * green.rate;
    }
    if (gap) *gap = g;
    if (rate) *rate = v;
}


// Positions and velocities in the modes, where since[i] has passed since impact i.
static void superpose(const rico_modes *modes, const rico_modes_orbit *orbit, const double *since, double *q,
                      double *v)
{
    for (int64_t j = 0; j < modes->n; j++) {
        double position = 0.0, velocity = 0.0;
        for (int64_t i = 0; modes->b[j] != 0.0 && i < orbit->impacts; i++) {
            rico_green green = rico_green_at(modes->omega[j], orbit->period, since[i]);
            position += orbit->impulse[i] * green.value;
            velocity += orbit->impulse[i] * green.rate;
        }
        if (q) q[j] = modes->b[j] * position;
        if (v) v[j] = modes->b[j] * velocity;
    }
}


void rico_modes_modal(const rico_modes *modes, const rico_modes_orbit *orbit, double t, double *q, double *v)
{
    double passed[RICO_MODES_IMPACTS];
    for (int64_t i = 0; i < orbit->impacts; i++) passed[i] = since(orbit, t, i);
    superpose(modes, orbit, passed, q, v);
}


void rico_modes_after(const rico_modes *modes, const rico_modes_orbit *orbit, int64_t l, double *q, double *v)
{
    double passed[RICO_MODES_IMPACTS];
    for (int64_t i = 0; i < orbit->impacts; i++)
        passed[i] = rico_modes_arc(orbit->impacts, orbit->duration, i, l);
    superpose(modes, orbit, passed, q, v);
}


rico_status rico_modes_state(const rico_modes *modes, const rico_modes_orbit *orbit, double t, double *u,
                             double *v)
{
    int64_t n = modes->n;
    if (!modes->shape)
        return rico_fail(modes->ctx, RICO_UNSUPPORTED,
                         "positions need the shapes of the modes, which were not given");
    double *modal = rico_alloc(modes->ctx, 2 * n, sizeof *modal);
    if (!modal) return RICO_NO_MEMORY;
    rico_modes_modal(modes, orbit, t, modal, modal + n);
    if (u) rico_dense_times(n, n, 1.0, modes->shape, modal, 0.0, u);
    if (v) rico_dense_times(n, n, 1.0, modes->shape, modal + n, 0.0, v);
    rico_free(modes->ctx, modal);
    return RICO_OK;
}


// --- whether it stays above the obstacle ---------------------------------------------------------------------

// On a piece of length h, f >= its chord - (curve/2)(t-a)(b-t), which stays above zero where sqrt(f_a) + sqrt(f_b) >= sqrt(curve/2) h;
// other pieces are halved. With f + tol in the place of f this ends: pieces of length sqrt(8 tol/curve) always pass.
double rico_below(rico_sampled f, void *user, double a, double b, double tol, double curve)
{
    struct piece {
        double a, b, fa, fb;
    } stack[DEPTH + 2];
    int count = 0;
    stack[count++] = (struct piece){a, b, f(user, a), f(user, b)};
    while (count > 0) {
        struct piece now = stack[--count];
        double least = fmin(now.fa, now.fb);
        if (least < -tol) return least;
        if (sqrt(now.fa + tol) + sqrt(now.fb + tol) >= sqrt(0.5 * curve) * (now.b - now.a)) continue;
        if (count > DEPTH) continue; // halves of halves: shorter than round-off
        double middle = 0.5 * (now.a + now.b), at = f(user, middle);
        stack[count++] = (struct piece){middle, now.b, at, now.fb};
        stack[count++] = (struct piece){now.a, middle, now.fa, at};
    }
    return 0.0;
}


typedef struct watched {
    const rico_modes *modes;
    const rico_modes_orbit *orbit;
} watched;


static double gap_at(void *user, double t)
{
    const watched *w = user;
    double gap;
    rico_modes_gap(w->modes, w->orbit, t, &gap, NULL);
    return gap;
}


// A mode that rings after an impulse has the acceleration omega/(2 sin(omega T/2)) at most.
static double sharpest(const rico_modes *modes, const rico_modes_orbit *orbit)
{
    double sum = 0.0, impulses = 0.0;
    for (int64_t i = 0; i < orbit->impacts; i++) impulses += fabs(orbit->impulse[i]);
    for (int64_t j = 0; j < modes->n; j++)
        if (modes->b[j] != 0.0)
            sum += modes->b[j] * modes->b[j] * modes->omega[j] /
                   (2.0 * fabs(sin(0.5 * modes->omega[j] * orbit->period)));
    return sum * impulses;
}


static void look(const rico_modes *modes, rico_modes_orbit *orbit)
{
    watched w = {modes, orbit};
    double curve = sharpest(modes, orbit), from = 0.0;
    orbit->penetration = 0.0;
    orbit->admissible = orbit->residual < 1e-8;
    for (int64_t i = 0; i < orbit->impacts; i++)
        if (!(orbit->impulse[i] > 0.0)) orbit->admissible = false;
    for (int64_t i = 0; orbit->admissible && i < orbit->impacts; i++) {
        double below = rico_below(gap_at, &w, from, from + orbit->duration[i], TOUCH * modes->g0, curve);
        orbit->penetration = fmax(orbit->penetration, -below);
        if (below < 0.0) orbit->admissible = false;
        from += orbit->duration[i];
    }
}


// --- orbits --------------------------------------------------------------------------------------------------

static double energy_of(const rico_modes *modes, const rico_modes_orbit *orbit)
{
    double energy = 0.0;
    for (int64_t j = 0; j < modes->n; j++) {
        double q = 0.0, v = 0.0, omega = modes->omega[j], b = modes->b[j];
        for (int64_t i = 0; b != 0.0 && i < orbit->impacts; i++) {
            rico_green green = rico_green_at(omega, orbit->period, since(orbit, 0.0, i));
            q += b * orbit->impulse[i] * green.value;
            v += b * orbit->impulse[i] * green.rate;
        }
        energy += 0.5 * (v * v + omega * omega * q * q);
    }
    return energy;
}


static void complete(const rico_modes *modes, const double *F, rico_modes_orbit *out)
{
    int64_t k = out->impacts;
    double most = rico_norm_inf(k, out->impulse);
    out->period = 0.0;
    for (int64_t i = 0; i < k; i++) out->period += out->duration[i];
    out->residual = most > 0.0 ? rico_norm_inf(k, F) / (modes->W * most) : 0.0;
    out->energy = energy_of(modes, out);
    look(modes, out);
}


// What follows from durations and impulses that are known.
rico_status rico_modes_complete(const rico_modes *modes, rico_modes_orbit *orbit)
{
    int64_t k = orbit->impacts;
    double Sigma[RICO_MODES_IMPACTS * RICO_MODES_IMPACTS], Pi[RICO_MODES_IMPACTS * RICO_MODES_IMPACTS];
    double F[2 * RICO_MODES_IMPACTS];
    rico_status status = rico_modes_matrices(modes, k, orbit->duration, Sigma, Pi);
    if (status != RICO_OK) return status;
    rico_dense_times(k, k, 1.0, Pi, orbit->impulse, 0.0, F);
    complete(modes, F, orbit);
    // gaps that the impulses do not close count too, in units of the gap at rest
    rico_dense_times(k, k, 1.0, Sigma, orbit->impulse, 0.0, F);
    for (int64_t i = 0; i < k; i++) orbit->residual = fmax(orbit->residual, fabs(F[i] / modes->g0 + 1.0));
    if (orbit->residual > 1e-8) orbit->admissible = false;
    return RICO_OK;
}


rico_status rico_modes_at(const rico_modes *modes, int64_t k, const double *s, rico_modes_orbit *out)
{
    double p[RICO_MODES_IMPACTS], F[RICO_MODES_IMPACTS];
    rico_status status = rico_modes_elastic(modes, k, s, p, F, NULL);
    if (status != RICO_OK) return status;
    rico_modes_orbit orbit = {.impacts = k};
    for (int64_t i = 0; i < k; i++) {
        orbit.duration[i] = s[i];
        orbit.impulse[i] = p[i];
    }
    complete(modes, F, &orbit);
    *out = orbit;
    return RICO_OK;
}


rico_status rico_modes_one(const rico_modes *modes, double period, rico_modes_orbit *out)
{
    return rico_modes_at(modes, 1, &period, out);
}


// F = 0 with border's component of the durations held. One equation follows from the others, p'F = 0: that of the largest impulse
// makes room for the border.
rico_status rico_modes_newton(const rico_modes *modes, int64_t k, const double *border, double *s)
{
    double p[RICO_MODES_IMPACTS], F[RICO_MODES_IMPACTS], J[RICO_MODES_IMPACTS * RICO_MODES_IMPACTS];
    int32_t pivot[RICO_MODES_IMPACTS];
    for (int round = 0; round < NEWTON; round++) {
        rico_status status = rico_modes_elastic(modes, k, s, p, F, J);
        if (status != RICO_OK) return status;
        int64_t most = 0;
        double T = 0.0, shrink = 1.0;
        for (int64_t i = 0; i < k; i++) {
            T += s[i];
            if (fabs(p[i]) > fabs(p[most])) most = i;
        }
        for (int64_t m = 0; m < k; m++) J[most + k * m] = border[m];
        F[most] = 0.0;
        if (rico_dense_lu(modes->ctx, k, J, pivot) != RICO_OK) break;
        rico_dense_lu_solve(k, J, pivot, 1, F);
        for (int64_t i = 0; i < k; i++)
            while (shrink * F[i] > 0.5 * s[i]) shrink *= 0.5; // durations stay positive
        for (int64_t i = 0; i < k; i++) s[i] -= shrink * F[i];
        if (rico_norm_inf(k, F) <= 4e-14 * T) return RICO_OK;
    }
    return rico_fail(modes->ctx, RICO_SINGULAR, "no orbit of %lld impacts near the durations given",
                     (long long)k);
}


rico_status rico_modes_refine(const rico_modes *modes, rico_modes_orbit *orbit)
{
    double s[RICO_MODES_IMPACTS], ones[RICO_MODES_IMPACTS];
    for (int64_t i = 0; i < RICO_MODES_IMPACTS; i++) {
        s[i] = orbit->duration[i];
        ones[i] = 1.0;
    }
    if (orbit->impacts < 2) return rico_modes_at(modes, orbit->impacts, s, orbit);
    rico_status status = rico_modes_newton(modes, orbit->impacts, ones, s);
    return status == RICO_OK ? rico_modes_at(modes, orbit->impacts, s, orbit) : status;
}
