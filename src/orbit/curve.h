// Curves of solutions: F(x) = 0 with one unknown more than equations, followed by pseudo-arclength.

#ifndef RICO_ORBIT_CURVE_H
#define RICO_ORBIT_CURVE_H

#include "base/context.h"

enum { RICO_CURVE_UNKNOWNS = 68 }; // those of forced orbits: RICO_MODES_IMPACTS times, and the period

// Fills `equations` values at x, which has one entry more; anything but RICO_OK: not defined there.
typedef rico_status (*rico_curve_function)(void *user, const double *x, double *F);

typedef struct rico_curve {
    rico_context *ctx;
    int64_t equations; // at most RICO_CURVE_UNKNOWNS - 1
    rico_curve_function function;
    void *user;
    double tolerance; // of the largest entry of F
} rico_curve;

// Newton's method with the component of x along `border` held; derivatives by central differences. False: none found.
bool rico_curve_newton(const rico_curve *curve, const double *border, double *x);
// The direction of the curve at x, of length one, on the side of `border`.
bool rico_curve_tangent(const rico_curve *curve, const double *x, const double *border, double *out);
// One step of length h from x along a direction: the next point and the direction there. False where it leads nowhere, or the curve turns too fast.
bool rico_curve_advance(const rico_curve *curve, const double *x, const double *along, double h, double *next,
                        double *turned);

#endif
