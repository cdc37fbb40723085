// All orbits of two impacts of a period, and bridges: roots of smooth functions, isolated by bounds of their derivatives.

#include "orbit/modes.h"

#include <math.h>

enum { DEPTH = 48, BISECTIONS = 200 };

typedef struct piece {
    double a, b;
    rico_smooth at_a, at_b;
    int depth;
} piece;


// The root between two points of opposite signs: Newton's method inside a bracket that bisection shrinks.
static double bracketed(rico_smooth_function f, const void *user, double a, double b, bool rising)
{
    double x = 0.5 * (a + b);
    for (int round = 0; round < BISECTIONS && a < x && x < b; round++) {
        rico_smooth now = f(user, x);
        if (now.value == 0.0) return x;
        if ((now.value > 0.0) == rising)
            b = x;
        else
            a = x;
        double next = x - now.value / now.rate;
        if (!(next > a && next < b)) next = 0.5 * (a + b);
        if (fabs(next - x) <= 1e-15 * fabs(x)) return next;
        x = next;
    }
    return x;
}


// No root where the slope cannot bring either end to zero before they meet; at most one where the slope keeps its sign.
int64_t rico_isolated_roots(rico_smooth_function f, const void *user, double a, double b, double steepest,
                            double most_curved, int64_t room, double *roots)
{
    piece stack[DEPTH + 4];
    int count = 0;
    int64_t found = 0;
    stack[count++] = (piece){a, b, f(user, a), f(user, b), 0};
    while (count > 0) {
        piece now = stack[--count];
        double h = now.b - now.a, fa = now.at_a.value, fb = now.at_b.value;
        if (fa * fb > 0.0 && fabs(fa) + fabs(fb) > steepest * h) continue;
        if (fa == 0.0 && now.a > a) { // a root that a cut has hit
            if (found < room) roots[found] = now.a;
            found++;
        }
        bool one_way = now.at_a.rate * now.at_b.rate > 0.0 &&
                       fabs(now.at_a.rate) + fabs(now.at_b.rate) > most_curved * h;
        if (one_way || now.depth == DEPTH) {
            if (fa * fb < 0.0) {
                if (found < room) roots[found] = bracketed(f, user, now.a, now.b, fb > 0.0);
                found++;
            }
            continue;
        }
        double middle = 0.5 * (now.a + now.b);
        rico_smooth at = f(user, middle);
        stack[count++] = (piece){middle, now.b, at, now.at_b, now.depth + 1};
        stack[count++] = (piece){now.a, middle, now.at_a, at, now.depth + 1};
    }
    return found;
}


// --- two impacts ---------------------------------------------------------------------------------------------

typedef struct pair {
    const rico_modes *modes;
    double T;
} pair;


static rico_smooth pair_rate(const void *user, double s)
{
    const pair *at = user;
    rico_smooth out = {0};
    for (int64_t j = 0; j < at->modes->n; j++) {
        double b = at->modes->b[j], omega = at->modes->omega[j];
        if (b == 0.0) continue;
        rico_green green = rico_green_at(omega, at->T, s);
        out.value += b * b * green.rate;
        out.rate -= b * b * omega * omega * green.value;
    }
    return out;
}


rico_status rico_modes_pairs(const rico_modes *modes, double period, int64_t room, double *s, int64_t *count)
{
    double steepest = 0.0, most_curved = 0.0;
    *count = 0;
    if (!(period > 0.0 && isfinite(period)))
        return rico_fail(modes->ctx, RICO_BAD_ARGUMENT, "a period must be positive, got %g", period);
    if (!rico_modes_off_resonance(modes, period))
        return rico_fail(modes->ctx, RICO_SINGULAR, "the period %g is a multiple of that of a linear mode",
                         period);
    for (int64_t j = 0; j < modes->n; j++) {
        double omega = modes->omega[j];
        if (modes->b[j] == 0.0) continue;
        double size = modes->b[j] * modes->b[j] / (2.0 * fabs(sin(0.5 * omega * period)));
        steepest += omega * size;
        most_curved += omega * omega * size;
    }
    const pair at = {modes, period};
    *count = rico_isolated_roots(pair_rate, &at, 0.0, 0.5 * period, steepest, most_curved, room, s);
    return RICO_OK;
}


// --- bridges -------------------------------------------------------------------------------------------------

// sum b^2 tan(omega T/4)/omega.
static double bridge_function(const rico_modes *modes, double T)
{
    double sum = 0.0;
    for (int64_t j = 0; j < modes->n; j++)
        if (modes->b[j] != 0.0)
            sum += modes->b[j] * modes->b[j] * tan(0.25 * modes->omega[j] * T) / modes->omega[j];
    return sum;
}


// The first pole of the function beyond T: omega T/4 = pi/2 + m pi.
static double next_pole(const rico_modes *modes, double T)
{
    double nearest = INFINITY, pi = acos(-1.0);
    for (int64_t j = 0; j < modes->n; j++) {
        if (modes->b[j] == 0.0) continue;
        double unit = 4.0 * pi / modes->omega[j], m = floor(T / unit + 0.5);
        double pole = (m + 0.5) * unit;
        if (!(pole > T * (1.0 + 1e-14))) pole += unit;
        nearest = fmin(nearest, pole);
    }
    return nearest;
}


// Every tangent rises, so that there is one root between neighbouring poles.
rico_status rico_modes_bridges(const rico_modes *modes, double low, double high, int64_t room, double *period,
                               int64_t *count)
{
    *count = 0;
    if (!(low > 0.0 && high > low && isfinite(high)))
        return rico_fail(modes->ctx, RICO_BAD_ARGUMENT, "no range of periods from %g to %g", low, high);
    double left = 0.0;
    while (next_pole(modes, left) < low) left = next_pole(modes, left);
    while (left < high) {
        double right = next_pole(modes, left), a = left, b = right, x = 0.5 * (a + b);
        for (int i = 0; i < BISECTIONS && a < x && x < b; i++) {
            if (bridge_function(modes, x) > 0.0)
                b = x;
            else
                a = x;
            x = 0.5 * (a + b);
        }
        // the first piece begins at T = 0, a root that is no orbit
        if (left > 0.0 && x >= low && x <= high) {
            if (*count < room) period[*count] = x;
            ++*count;
        }
        left = right;
    }
    return RICO_OK;
}


rico_status rico_modes_bridge(const rico_modes *modes, double period, double d, rico_modes_orbit *out)
{
    rico_modes_orbit half;
    rico_status status = rico_modes_one(modes, 0.5 * period, &half);
    if (status != RICO_OK) return status;
    double s[2] = {0.5 * period, 0.5 * period}, p[2] = {half.impulse[0] + d, half.impulse[0] - d};
    rico_modes_orbit orbit = {.impacts = 2};
    for (int i = 0; i < 2; i++) {
        orbit.duration[i] = s[i];
        orbit.impulse[i] = p[i];
    }
    status = rico_modes_complete(modes, &orbit);
    if (status == RICO_OK) *out = orbit;
    return status;
}
