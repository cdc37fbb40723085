// Two masses with a cubic spring against a wall: orbits of one impact per period by shooting from 0+ to T-, free and forced.
//
// Between 0+ and T- the motion is smooth, so that shooting is, too: the wall enters by where the motion begins and ends alone.

#include "base/context.h"
#include "la/dense.h"
#include "orbit/curve.h"
#include "ricochet/forced.h"

#include <math.h>
#include <string.h>

enum { STEPS = 1000, FREE = 3, FORCED = 4, HALVINGS = 20 };

typedef struct shooting {
    const rico_duffing *system;
    bool forced;
} shooting;


static bool is_forced(const rico_duffing *system)
{
    return system->damping != 0.0 || system->force[0] != 0.0 || system->force[1] != 0.0;
}


static rico_status check(rico_context *ctx, const rico_duffing *system)
{
    const double positive[] = {system->mass[0], system->mass[1], system->stiffness, system->gap,
                               system->restitution};
    static const char *const NAMES[] = {"first mass", "second mass", "stiffness", "gap", "restitution"};
    for (int i = 0; i < 5; i++)
        if (!(positive[i] > 0.0 && isfinite(positive[i])))
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "the %s must be positive, got %g", NAMES[i],
                             positive[i]);
    if (!(system->restitution <= 1.0))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "restitution must not be above 1, got %g",
                         system->restitution);
    if (!isfinite(system->cubic) || !(system->damping >= 0.0) || !isfinite(system->damping) ||
        !isfinite(system->force[0] + system->force[1]))
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "cubic spring %g, damping %g or force %g, %g is not possible", system->cubic,
                         system->damping, system->force[0], system->force[1]);
    return RICO_OK;
}


// Derivative of x = (u1, u2, v1, v2).
static void derivative(const rico_duffing *s, double drive, const double *x, double *out)
{
    double k = s->stiffness, apart = x[0] - x[1], cube = s->cubic * apart * apart * apart;
    double first = x[0] + s->damping * x[2], second = x[1] + s->damping * x[3]; // K (u + b v)
    out[0] = x[2];
    out[1] = x[3];
    out[2] = (s->force[0] * drive - 2.0 * k * first + k * second - cube) / s->mass[0];
    out[3] = (s->force[1] * drive + k * first - k * second + cube) / s->mass[1];
}


static void runge_kutta(const rico_duffing *s, double rate, double phase, double t, double h, double *x)
{
    static const double AT[] = {0.0, 0.5, 0.5, 1.0}, WEIGHT[] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    double slope[4] = {0.0}, sum[4] = {0.0}, place[4];
    for (int stage = 0; stage < 4; stage++) {
        for (int i = 0; i < 4; i++) place[i] = x[i] + AT[stage] * h * slope[i];
        derivative(s, cos(rate * (t + AT[stage] * h) + phase), place, slope);
        for (int i = 0; i < 4; i++) sum[i] += WEIGHT[stage] * slope[i];
    }
    for (int i = 0; i < 4; i++) x[i] += h * sum[i];
}


static double energy_of(const rico_duffing *s, const double *x)
{
    double apart = x[0] - x[1], square = apart * apart;
    return 0.5 * (s->mass[0] * x[2] * x[2] + s->mass[1] * x[3] * x[3]) +
           0.5 * s->stiffness * (x[0] * x[0] + square) + 0.25 * s->cubic * square * square;
}


// --- the equations -------------------------------------------------------------------------------------------

// Unknowns: u1, v1, v2, then the phase of a forced orbit, then the period.
static rico_status left_over(void *user, const double *y, double *F)
{
    const shooting *shot = user;
    const rico_duffing *s = shot->system;
    double T = y[shot->forced ? 4 : 3], phase = shot->forced ? y[3] : 0.0;
    double x[4] = {y[0], s->gap, y[1], y[2]};
    if (!(T > 0.0)) return RICO_BAD_ARGUMENT;
    for (int i = 0; i < STEPS; i++) runge_kutta(s, 2.0 * acos(-1.0) / T, phase, T * i / STEPS, T / STEPS, x);
    F[0] = (x[0] - y[0]) / s->gap;
    F[1] = (x[2] - y[1]) / s->gap;
    F[2] = (x[1] - s->gap) / s->gap;
    if (shot->forced) F[3] = (s->restitution * x[3] + y[2]) / s->gap;
    return rico_all_finite(shot->forced ? FORCED : FREE, F) ? RICO_OK : RICO_SINGULAR;
}


static void pack(const shooting *shot, const rico_duffing_orbit *orbit, double *y)
{
    const double all[] = {orbit->u1, orbit->v1, orbit->v2, orbit->phase, orbit->period};
    memcpy(y, all, sizeof all);
    if (!shot->forced) y[3] = orbit->period;
}


static rico_status unpack(shooting *shot, const double *y, rico_duffing_orbit *out)
{
    const rico_duffing *s = shot->system;
    double F[FORCED], x[4] = {y[0], s->gap, y[1], y[2]}, T = y[shot->forced ? 4 : 3];
    rico_duffing_orbit orbit = {.period = T, .u1 = y[0], .v1 = y[1], .v2 = y[2], .least = INFINITY};
    if (shot->forced) orbit.phase = remainder(y[3], 2.0 * acos(-1.0));
    rico_status status = left_over(shot, y, F);
    if (status != RICO_OK) return status;
    orbit.residual = rico_norm_inf(shot->forced ? FORCED : FREE, F);
    for (int i = 0; i < STEPS; i++) {
        orbit.energy += 0.5 * energy_of(s, x) / STEPS;
        runge_kutta(s, 2.0 * acos(-1.0) / T, orbit.phase, T * i / STEPS, T / STEPS, x);
        orbit.energy += 0.5 * energy_of(s, x) / STEPS;
        if (i + 1 < STEPS) orbit.least = fmin(orbit.least, s->gap - x[1]);
    }
    orbit.admissible = y[2] < 0.0 && orbit.least >= -1e-9 * s->gap && orbit.residual < 1e-8;
    *out = orbit;
    return RICO_OK;
}


static rico_curve curve_of(rico_context *ctx, shooting *shot)
{
    return (rico_curve){.ctx = ctx,
                        .equations = shot->forced ? FORCED : FREE,
                        .function = left_over,
                        .user = shot,
                        .tolerance = 1e-9};
}


rico_status rico_duffing_refine(rico_context *ctx, const rico_duffing *system, rico_duffing_orbit *orbit)
{
    rico_status status = check(ctx, system);
    if (status != RICO_OK) return status;
    if (!(orbit->period > 0.0 && isfinite(orbit->period)))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a period must be positive, got %g", orbit->period);
    shooting shot = {system, is_forced(system)};
    rico_curve curve = curve_of(ctx, &shot);
    double y[RICO_CURVE_UNKNOWNS], border[RICO_CURVE_UNKNOWNS] = {0.0};
    pack(&shot, orbit, y);
    border[curve.equations] = 1.0;
    if (!rico_curve_newton(&curve, border, y))
        return rico_fail(ctx, RICO_SINGULAR, "shooting finds no orbit of period %g from there",
                         orbit->period);
    return unpack(&shot, y, orbit);
}


rico_status rico_duffing_follow(rico_context *ctx, const rico_duffing *system,
                                const rico_duffing_orbit *start, int direction, double step, int64_t room,
                                rico_duffing_orbit *orbits, int64_t *count)
{
    double y[RICO_CURVE_UNKNOWNS], border[RICO_CURVE_UNKNOWNS] = {0.0}, along[RICO_CURVE_UNKNOWNS];
    *count = 0;
    rico_status status = check(ctx, system);
    if (status != RICO_OK) return status;
    if (!(step > 0.0) || room < 1)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a branch needs room and a positive step, got %g", step);
    shooting shot = {system, is_forced(system)};
    rico_curve curve = curve_of(ctx, &shot);
    pack(&shot, start, y);
    border[curve.equations] = direction < 0 ? -1.0 : 1.0;
    if (!rico_curve_tangent(&curve, y, border, along))
        return rico_fail(ctx, RICO_SINGULAR, "the branch has no direction at its start, period %g",
                         start->period);
    orbits[(*count)++] = *start;
    for (double h = step; *count < room && h >= ldexp(step, -HALVINGS);) {
        double trial[RICO_CURVE_UNKNOWNS], next[RICO_CURVE_UNKNOWNS];
        if (rico_context_interrupted(ctx))
            return rico_fail(ctx, RICO_INTERRUPTED, "interrupted at the period %g",
                             orbits[*count - 1].period);
        if (!rico_curve_advance(&curve, y, along, h, trial, next) ||
            unpack(&shot, trial, &orbits[*count]) != RICO_OK) {
            h *= 0.5;
            continue;
        }
        ++*count;
        memcpy(y, trial, sizeof y);
        memcpy(along, next, sizeof along);
        h = fmin(step, 1.5 * h);
    }
    return RICO_OK;
}


rico_status rico_duffing_trace(rico_context *ctx, const rico_duffing *system, const rico_duffing_orbit *orbit,
                               int64_t samples, double *out)
{
    rico_status status = check(ctx, system);
    if (status != RICO_OK) return status;
    double x[4] = {orbit->u1, system->gap, orbit->v1, orbit->v2}, T = orbit->period;
    int64_t inner = (STEPS + samples - 1) / samples;
    for (int64_t i = 0; i < samples; i++) {
        memcpy(out + 4 * i, x, sizeof x);
        for (int64_t m = 0; m < inner; m++) {
            double h = T / (double)(samples * inner);
            runge_kutta(system, 2.0 * acos(-1.0) / T, orbit->phase, h * (double)(i * inner + m), h, x);
        }
    }
    return RICO_OK;
}
