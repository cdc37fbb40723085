// Branches of forced orbits with k impacts in r periods: times of impact as unknowns, Green's functions of damped modes.

#include "la/dense.h"
#include "la/eigenvalues.h"
#include "orbit/curve.h"
#include "orbit/forced.h"

#include <math.h>
#include <string.h>

enum { MOST = RICO_MODES_IMPACTS, SAMPLES = 256, HALVINGS = 27 };
static const double TOUCH = 1e-9; // of the gap at rest

// The drive at a period that varies along a branch.
static rico_forced at_period(const rico_forced *drive, double period)
{
    rico_forced now = *drive;
    now.period = period;
    return now;
}


// The time since an impact, in [0, T).
static double since(double t, double impact, double T)
{
    t -= impact;
    t -= T * floor(t / T);
    return t < T ? t : 0.0;
}


void rico_forced_orbit_state(const rico_modes *modes, const rico_forced *drive,
                             const rico_forced_orbit *orbit, double t, double *q, double *v)
{
    rico_forced now = at_period(drive, orbit->period);
    double T = orbit->period * (double)orbit->multiple, rate = 2.0 * acos(-1.0) / orbit->period;
    double c = cos(rate * t), s = sin(rate * t);
    for (int64_t j = 0; j < modes->n; j++) {
        rico_damped mode = rico_damped_mode(modes, &now, j);
        rico_steady p;
        rico_damped_steady(mode, drive->force ? drive->force[j] : 0.0, rate, &p);
        double position = p.in * c + p.out * s, velocity = rate * (p.out * c - p.in * s);
        for (int64_t i = 0; modes->b[j] != 0.0 && i < orbit->impacts; i++) {
            double z, u;
            rico_damped_after(mode, T, &z, &u);
            rico_damped_flow(mode, since(t, orbit->time[i], T), &z, &u);
            position += modes->b[j] * orbit->impulse[i] * z;
            velocity += modes->b[j] * orbit->impulse[i] * u;
        }
        if (q) q[j] = position;
        if (v) v[j] = velocity;
    }
}


// --- the equations -------------------------------------------------------------------------------------------

// Gap and its velocity after a unit impulse in every T, and under the force alone.
static void answer(const rico_modes *modes, const rico_forced *drive, double T, double s, double *gap,
                   double *rate)
{
    *gap = *rate = 0.0;
    for (int64_t j = 0; j < modes->n; j++) {
        rico_damped mode = rico_damped_mode(modes, drive, j);
        double z, u, square = modes->b[j] * modes->b[j];
        if (square == 0.0) continue;
        rico_damped_after(mode, T, &z, &u);
        rico_damped_flow(mode, s, &z, &u);
        *gap += square * z;
        *rate += square * u;
    }
}


static void steady_gap(const rico_modes *modes, const rico_forced *drive, double t, double *gap, double *rate)
{
    double w = 2.0 * acos(-1.0) / drive->period, c = cos(w * t), s = sin(w * t);
    *gap = modes->g0;
    *rate = 0.0;
    for (int64_t j = 0; drive->force && j < modes->n; j++) {
        rico_steady p;
        rico_damped_steady(rico_damped_mode(modes, drive, j), drive->force[j], w, &p);
        *gap += modes->b[j] * (p.in * c + p.out * s);
        *rate += modes->b[j] * w * (p.out * c - p.in * s);
    }
}


typedef struct equations {
    const rico_modes *modes;
    const rico_forced *drive;
    int64_t impacts, multiple;
    double impulse[MOST]; // of the last evaluation
} equations;


// Impulses from the closed gaps; then what is left of v+ + e v- = 0, where v+- = v +- W p/2 and v is the mean of both.
static rico_status left_over(void *user, const double *x, double *F)
{
    equations *e = user;
    const rico_modes *modes = e->modes;
    int64_t k = e->impacts;
    double A[MOST * MOST], B[MOST * MOST], rate[MOST], *p = e->impulse;
    int32_t pivot[MOST];
    rico_forced now = at_period(e->drive, x[k]);
    rico_status status = rico_forced_check(modes, &now);
    if (status != RICO_OK) return status;
    double T = now.period * (double)e->multiple, loss = now.restitution;
    for (int64_t l = 0; l < k; l++) {
        double gap;
        steady_gap(modes, &now, x[l], &gap, &rate[l]);
        p[l] = -gap;
        for (int64_t i = 0; i < k; i++) {
            answer(modes, &now, T, i == l ? 0.0 : since(x[l], x[i], T), &A[l + k * i], &B[l + k * i]);
            if (i == l) B[l + k * i] -= 0.5 * modes->W;
        }
    }
    if (rico_dense_lu(modes->ctx, k, A, pivot) != RICO_OK)
        return rico_fail(modes->ctx, RICO_SINGULAR, "no impulses close the gap at the period %g", now.period);
    rico_dense_lu_solve(k, A, pivot, 1, p);
    rico_dense_times(k, k, 1.0, B, p, 1.0, rate);
    for (int64_t l = 0; l < k; l++)
        F[l] = ((1.0 + loss) * rate[l] + 0.5 * (1.0 - loss) * modes->W * p[l]) / sqrt(modes->W) / modes->g0;
    return RICO_OK;
}


// --- what an orbit is like -----------------------------------------------------------------------------------

// Derivative of the state after the orbit by that at time 0: flows and saltation matrices
//     [ R 0 ; (a+ - R a-) b'/nu  R ],   R = I - (1 + e) b b'/W,   nu the gap's velocity before the impact.
static rico_status find_multiplier(const rico_modes *modes, const rico_forced *drive,
                                   rico_forced_orbit *orbit)
{
    int64_t n = modes->n, size = 2 * n;
    double *D = rico_alloc(modes->ctx, size * size + 4 * size, sizeof *D), at = orbit->time[0];
    double T = orbit->period * (double)orbit->multiple, factor = 1.0 + drive->restitution;
    if (!D) return RICO_NO_MEMORY;
    double *v = D + size * size, *jump = v + n, *re = jump + n, *im = re + size;
    rico_forced now = at_period(drive, orbit->period);
    for (int64_t i = 0; i < size; i++) D[i + size * i] = 1.0;
    for (int64_t l = 1; l <= orbit->impacts; l++) {
        int64_t i = l % orbit->impacts;
        double flight = l < orbit->impacts ? orbit->time[i] - at : orbit->time[0] + T - at;
        at = orbit->time[i];
        // before the impact: v- = v+ - b p
        rico_forced_orbit_state(modes, drive, orbit, at, NULL, v);
        double after = rico_dot(n, modes->b, v), nu = after - modes->W * orbit->impulse[i];
        // a = -2 delta v - omega^2 q + f: R a- has the normal part times -e, a+ - a- = -2 delta b p
        double normal = 0.0;
        rico_forced_orbit_state(modes, drive, orbit, at, jump, NULL);
        for (int64_t j = 0; j < n; j++) {
            double delta = rico_damped_mode(modes, &now, j).delta, omega = modes->omega[j];
            double before = v[j] - modes->b[j] * orbit->impulse[i];
            double load = drive->force ? drive->force[j] * cos(2.0 * acos(-1.0) * at / orbit->period) : 0.0;
            normal += modes->b[j] * (load - 2.0 * delta * before - omega * omega * jump[j]);
        }
        for (int64_t j = 0; j < n; j++)
            jump[j] = modes->b[j] * (factor * normal / modes->W -
                                     2.0 * rico_damped_mode(modes, &now, j).delta * orbit->impulse[i]);
        for (int64_t c = 0; c < size; c++) {
            double *dq = D + size * c, *dv = dq + n;
            for (int64_t j = 0; j < n; j++)
                rico_damped_flow(rico_damped_mode(modes, &now, j), flight, &dq[j], &dv[j]);
            double gap = rico_dot(n, modes->b, dq), rate = rico_dot(n, modes->b, dv);
            rico_axpy(n, -factor * gap / modes->W, modes->b, dq);
            rico_axpy(n, -factor * rate / modes->W, modes->b, dv);
            rico_axpy(n, gap / nu, jump, dv);
        }
    }
    rico_status status = rico_eigenvalues(modes->ctx, size, D, re, im);
    orbit->multiplier = 0.0;
    for (int64_t i = 0; status == RICO_OK && i < size; i++)
        orbit->multiplier = fmax(orbit->multiplier, hypot(re[i], im[i]));
    rico_free(modes->ctx, D);
    return status;
}


typedef struct watched {
    const rico_modes *modes;
    const rico_forced *drive;
    const rico_forced_orbit *orbit;
    double *q;
} watched;


static double gap_at(void *user, double t)
{
    const watched *w = user;
    rico_forced_orbit_state(w->modes, w->drive, w->orbit, t, w->q, NULL);
    return w->modes->g0 + rico_dot(w->modes->n, w->modes->b, w->q);
}


// As for a motion: what decays after an impact has at most (omega + 2 delta) sqrt(e) of acceleration.
static double sharpest(const rico_modes *modes, const rico_forced *drive, const rico_forced_orbit *orbit)
{
    double sum = 0.0, impulses = 0.0, rate = 2.0 * acos(-1.0) / orbit->period;
    double T = orbit->period * (double)orbit->multiple;
    for (int64_t i = 0; i < orbit->impacts; i++) impulses += fabs(orbit->impulse[i]);
    for (int64_t j = 0; j < modes->n; j++) {
        rico_damped mode = rico_damped_mode(modes, drive, j);
        rico_steady p;
        double z, v, b = fabs(modes->b[j]);
        rico_damped_steady(mode, drive->force ? drive->force[j] : 0.0, rate, &p);
        rico_damped_after(mode, T, &z, &v);
        sum += b * rate * rate * hypot(p.in, p.out);
        if (b > 0.0) sum += b * b * impulses * (mode.omega + 2.0 * mode.delta) * hypot(v, mode.omega * z);
    }
    return sum;
}


// Mean energy, the lowest gap, the largest multiplier.
static rico_status complete(const rico_modes *modes, const rico_forced *drive, rico_forced_orbit *orbit)
{
    int64_t n = modes->n, k = orbit->impacts, samples = SAMPLES * orbit->multiple;
    double *q = rico_alloc(modes->ctx, 2 * n, sizeof *q), T = orbit->period * (double)orbit->multiple;
    if (!q) return RICO_NO_MEMORY;
    rico_forced now = at_period(drive, orbit->period);
    watched w = {modes, drive, orbit, q};
    double curve = sharpest(modes, &now, orbit);
    orbit->energy = orbit->penetration = 0.0;
    for (int64_t i = 0; i < samples; i++) {
        rico_forced_orbit_state(modes, drive, orbit, T * (double)i / (double)samples, q, q + n);
        for (int64_t j = 0; j < n; j++) {
            double stretch = modes->omega[j] * q[j];
            orbit->energy += 0.5 * (q[n + j] * q[n + j] + stretch * stretch) / (double)samples;
        }
    }
    orbit->admissible = orbit->residual < 1e-8;
    for (int64_t i = 0; i < k; i++)
        if (!(orbit->impulse[i] > 0.0)) orbit->admissible = false;
    for (int64_t i = 0; orbit->admissible && i < k; i++) {
        double to = i + 1 < k ? orbit->time[i + 1] : orbit->time[0] + T;
        double below = rico_below(gap_at, &w, orbit->time[i], to, TOUCH * modes->g0, curve);
        orbit->penetration = fmax(orbit->penetration, -below);
        if (below < 0.0) orbit->admissible = false;
    }
    rico_free(modes->ctx, q);
    return find_multiplier(modes, drive, orbit);
}


// --- orbits --------------------------------------------------------------------------------------------------

static rico_status check(const rico_modes *modes, const rico_forced_orbit *orbit)
{
    if (orbit->impacts < 1 || orbit->impacts > MOST || orbit->multiple < 1)
        return rico_fail(modes->ctx, RICO_BAD_ARGUMENT,
                         "a forced orbit has 1 to %d impacts in a period or more, got %lld in %lld", MOST,
                         (long long)orbit->impacts, (long long)orbit->multiple);
    double T = orbit->period * (double)orbit->multiple;
    for (int64_t i = 0; i < orbit->impacts; i++) {
        double next = i + 1 < orbit->impacts ? orbit->time[i + 1] : orbit->time[0] + T;
        if (!(next > orbit->time[i]))
            return rico_fail(modes->ctx, RICO_BAD_ARGUMENT, "impact %lld at %g is not before the next, at %g",
                             (long long)i + 1, orbit->time[i], next);
    }
    return RICO_OK;
}


// The orbit at x, a solution.
static rico_status make(equations *e, const double *x, rico_forced_orbit *out)
{
    double F[MOST];
    int64_t k = e->impacts;
    rico_forced_orbit orbit = {.impacts = k, .multiple = e->multiple, .period = x[k]};
    rico_status status = left_over(e, x, F);
    if (status != RICO_OK) return status;
    memcpy(orbit.time, x, (size_t)k * sizeof *x);
    memcpy(orbit.impulse, e->impulse, (size_t)k * sizeof *x);
    status = check(e->modes, &orbit);
    if (status != RICO_OK) return status;
    double most = rico_norm_inf(k, orbit.impulse);
    orbit.residual = most > 0.0 ? rico_norm_inf(k, F) * e->modes->g0 / (sqrt(e->modes->W) * most) : 0.0;
    status = complete(e->modes, e->drive, &orbit);
    *out = orbit;
    return status;
}


static rico_curve curve_of(equations *e)
{
    return (rico_curve){
        .ctx = e->modes->ctx, .equations = e->impacts, .function = left_over, .user = e, .tolerance = 1e-10};
}


rico_status rico_forced_refine(const rico_modes *modes, const rico_forced *drive, rico_forced_orbit *orbit)
{
    int64_t k = orbit->impacts;
    orbit->period = drive->period;
    rico_status status = check(modes, orbit);
    if (status != RICO_OK) return status;
    equations e = {.modes = modes, .drive = drive, .impacts = k, .multiple = orbit->multiple};
    rico_curve curve = curve_of(&e);
    double x[RICO_CURVE_UNKNOWNS], border[RICO_CURVE_UNKNOWNS] = {0.0};
    memcpy(x, orbit->time, (size_t)k * sizeof *x);
    x[k] = drive->period;
    border[k] = 1.0;
    if (!rico_curve_newton(&curve, border, x))
        return rico_fail(modes->ctx, RICO_SINGULAR,
                         "no orbit of %lld impacts in %lld periods of %g near the times given", (long long)k,
                         (long long)orbit->multiple, drive->period);
    x[k] = drive->period; // round-off of the border
    return make(&e, x, orbit);
}


rico_status rico_forced_follow(const rico_modes *modes, const rico_forced *drive,
                               const rico_forced_orbit *start, int direction, double step, int64_t room,
                               rico_forced_orbit *orbits, int64_t *count, rico_modes_end *end)
{
    int64_t k = start->impacts;
    double border[RICO_CURVE_UNKNOWNS] = {0.0}, along[RICO_CURVE_UNKNOWNS], next[RICO_CURVE_UNKNOWNS],
           x[RICO_CURVE_UNKNOWNS], h = step;
    *count = 0;
    *end = RICO_MODES_END_OPEN;
    rico_status status = check(modes, start);
    if (status != RICO_OK) return status;
    if (!(step > 0.0) || room < 1)
        return rico_fail(modes->ctx, RICO_BAD_ARGUMENT, "a branch needs room and a positive step, got %g",
                         step);
    equations e = {.modes = modes, .drive = drive, .impacts = k, .multiple = start->multiple};
    rico_curve curve = curve_of(&e);
    memcpy(x, start->time, (size_t)k * sizeof *x);
    x[k] = start->period;
    border[k] = direction < 0 ? -1.0 : 1.0;
    if (!rico_curve_tangent(&curve, x, border, along))
        return rico_fail(modes->ctx, RICO_SINGULAR, "the branch has no direction at its start, period %g",
                         start->period);
    orbits[(*count)++] = *start;
    while (*count < room) {
        double trial[RICO_CURVE_UNKNOWNS];
        rico_forced_orbit orbit = {0};
        if (rico_context_interrupted(modes->ctx))
            return rico_fail(modes->ctx, RICO_INTERRUPTED, "interrupted at the period %g", x[k]);
        bool found =
            rico_curve_advance(&curve, x, along, h, trial, next) && make(&e, trial, &orbit) == RICO_OK;
        if (found && orbit.admissible) {
            orbits[(*count)++] = orbit;
            memcpy(x, trial, sizeof x);
            memcpy(along, next, sizeof along);
            h = fmin(step, 1.5 * h);
            continue;
        }
        h *= 0.5;
        if (h >= ldexp(step, -HALVINGS)) continue;
        const rico_forced_orbit *last = &orbits[*count - 1];
        double least = INFINITY, most = rico_norm_inf(k, last->impulse);
        for (int64_t i = 0; i < k; i++) least = fmin(least, last->impulse[i]);
        bool lost = least < 1e-4 * most || most < 1e-4 * modes->g0 / sqrt(modes->W);
        *end = !found ? RICO_MODES_END_STUCK : lost ? RICO_MODES_END_LOST : RICO_MODES_END_TOUCH;
        return RICO_OK;
    }
    return RICO_OK;
}


// --- from a motion -------------------------------------------------------------------------------------------

rico_status rico_forced_orbit_of(rico_forced_motion *motion, int64_t multiple, rico_forced_orbit *out)
{
    const rico_forced *drive;
    const rico_modes *modes = rico_forced_motion_parts(motion, &drive);
    rico_forced_orbit orbit = {.multiple = multiple, .period = drive->period};
    double begin = rico_forced_motion_time(motion), end = begin + drive->period * (double)multiple;
    double whole = drive->period * floor(begin / drive->period);
    while (rico_forced_motion_time(motion) < end) {
        if (rico_forced_motion_to(motion, end, 1)) break;
        if (orbit.impacts == MOST)
            return rico_fail(modes->ctx, RICO_UNSUPPORTED,
                             "an orbit has at most %d impacts, and this one more", MOST);
        orbit.time[orbit.impacts++] = rico_forced_motion_time(motion) - whole;
    }
    *out = orbit;
    if (orbit.impacts == 0)
        return rico_fail(modes->ctx, RICO_SINGULAR,
                         "the motion does not touch the obstacle in %lld periods of %g", (long long)multiple,
                         drive->period);
    return rico_forced_refine(modes, drive, out);
}
