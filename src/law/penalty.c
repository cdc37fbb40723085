// A blow on a penalized half line in closed form: q'' + 2 eps s q' + n q = f with s = sqrt(n), from q = 0 and q' < 0.
//
// x = q - f/n obeys the equation without f. For eps < 1, x = exp(-eps s t)(A cos w t + B sin w t) with w = s sqrt(1 - eps^2); for
// eps = 1, x = exp(-s t)(A + B t). q falls, turns once and rises to the first of its maxima (eps < 1) or towards f/n (eps = 1): it
// leaves there or never, for later maxima are lower.

#include "ricochet/vibro.h"

#include "base/context.h"

#include <math.h>

double rico_penalty_damping(double e)
{
    if (!(e >= 0.0 && e <= 1.0)) return NAN;
    if (e == 0.0) return 1.0;
    return -log(e) / hypot(M_PI, log(e));
}


double rico_penalty_restitution(double damping)
{
    if (!(damping >= 0.0 && damping <= 1.0)) return NAN;
    return damping == 1.0 ? 0.0 : exp(-M_PI * damping / sqrt((1.0 - damping) * (1.0 + damping)));
}


typedef struct blow {
    double decay, w; // eps s, and the frequency; 0: critical
    double A, B, rest;
} blow;


static double position(const blow *b, double t)
{
    double x = b->w > 0.0 ? b->A * cos(b->w * t) + b->B * sin(b->w * t) : b->A + b->B * t;
    return b->rest + exp(-b->decay * t) * x;
}


static double velocity(const blow *b, double t)
{
    double x, rate;
    if (b->w > 0.0) {
        x = b->A * cos(b->w * t) + b->B * sin(b->w * t);
        rate = b->w * (b->B * cos(b->w * t) - b->A * sin(b->w * t));
    } else {
        x = b->A + b->B * t;
        rate = b->B;
    }
    return exp(-b->decay * t) * (rate - b->decay * x);
}


// When the velocity vanishes for the first time: it is exp(-decay t)(v0 cos w t + D sin w t), or exp(-decay t)(v0 - decay B t).
static double turning_time(const blow *b, double v0)
{
    if (b->w == 0.0) return v0 / (b->decay * b->B);
    return atan2(-v0, -b->w * b->A - b->decay * b->B) / b->w; // in (0, pi), as v0 < 0
}


// The zero of q between its minimum and a later time where it is not negative.
static double leaving_time(const blow *b, double low, double high)
{
    for (int k = 0; k < 200 && low < high; k++) {
        double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high) break;
        *(position(b, middle) < 0.0 ? &low : &high) = middle;
    }
    return high;
}


rico_status rico_penalty_blow_of(rico_context *ctx, double stiffness, double e, double approach, double force,
                                 rico_penalty_blow *out)
{
    double eps = rico_penalty_damping(e), s = sqrt(stiffness);
    if (isnan(eps))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "the restitution %g of a penalty is not in [0, 1]", e);
    if (!(stiffness > 0.0) || !isfinite(stiffness))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "the stiffness %g of a penalty must be positive", stiffness);
    if (!(approach < 0.0) || !isfinite(approach) || !isfinite(force))
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "a blow begins with a velocity below 0 under a finite force; got %g and %g",
                         approach, force);
    blow b = {.decay = eps * s, .w = s * sqrt((1.0 - eps) * (1.0 + eps)), .rest = force / stiffness};
    b.A = -b.rest;
    b.B = b.w > 0.0 ? (approach + b.decay * b.A) / b.w : approach + b.decay * b.A;
    *out = (rico_penalty_blow){.duration = INFINITY, .lowest = turning_time(&b, approach)};
    // critical, and drawn in so strongly that it never turns: it sinks to its rest
    if (b.w == 0.0 && !(out->lowest > 0.0)) out->lowest = INFINITY;
    out->depth = isfinite(out->lowest) ? -position(&b, out->lowest) : -b.rest;
    if (!isfinite(out->lowest)) return RICO_OK;

    double high = out->lowest + M_PI / (b.w > 0.0 ? b.w : s);
    // critical: it rises towards its rest for ever, and passes 0 if that lies beyond
    for (int k = 0; b.w == 0.0 && b.rest > 0.0 && position(&b, high) < 0.0 && k < 64; k++) high *= 2.0;
    if (position(&b, high) < 0.0 || (b.w == 0.0 && b.rest <= 0.0)) return RICO_OK;
    out->leaves = true;
    out->duration = leaving_time(&b, out->lowest, high);
    out->exit = velocity(&b, out->duration);
    return RICO_OK;
}
