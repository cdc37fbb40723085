// The circle criterion for a sector that is as wide downwards as upwards.
//
// With G_cl stable and ||G_cl|| < 1/gamma, (1 + gamma G_cl)/(1 - gamma G_cl) is strictly positive real: the loop with v = -f(q), |f(q)| <= gamma |q|, is
// absolutely stable. What f obeys only between two values of q gives a region about the equilibrium.

#include "ricochet/control.h"

#include "base/context.h"

#include <math.h>

static const double FIRST = 1e-6;  // part of `reach` where the search begins
static const double RATIO = 1.001; // of one point to the next


static bool obeys(rico_sector_function f, void *user, double gamma, double q)
{
    return fabs(f(user, q)) <= gamma * fabs(q);
}


// How far f obeys on one side; infinite when as far as `reach`.
static double extent(rico_sector_function f, void *user, double gamma, double side, double reach)
{
    double inside = 0.0, q = FIRST * reach;
    while (obeys(f, user, gamma, side * q)) {
        inside = q;
        if (!(q < reach)) return side * INFINITY;
        q = fmin(q * RATIO, reach);
    }
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (inside + q);
        if (obeys(f, user, gamma, side * middle))
            inside = middle;
        else
            q = middle;
    }
    return side * inside;
}


rico_status rico_circle_criterion(const rico_state_space *closed, rico_sector_function f, void *user,
                                  double reach, rico_sector *out)
{
    double norm, frequency;
    if (closed->inputs != 1 || closed->outputs != 1)
        return rico_fail(closed->ctx, RICO_BAD_ARGUMENT,
                         "the circle criterion is for one input and one output, not %lld and %lld",
                         (long long)closed->inputs, (long long)closed->outputs);
    if (!(reach > 0.0 && isfinite(reach)))
        return rico_fail(closed->ctx, RICO_BAD_ARGUMENT, "a sector searched as far as %g", reach);
    if (!(fabs(f(user, 0.0)) <= 0.0))
        return rico_fail(closed->ctx, RICO_BAD_INPUT, "the function of a sector is %g at 0, not 0",
                         f(user, 0.0));
    rico_status status = rico_hinf_norm(closed, 1e-8, &norm, &frequency);
    if (status != RICO_OK) return status;
    *out = (rico_sector){.gamma = 1.0 / norm, .frequency = frequency};
    out->low = extent(f, user, out->gamma, -1.0, reach);
    out->high = extent(f, user, out->gamma, 1.0, reach);
    return RICO_OK;
}
