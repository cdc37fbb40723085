// A linear system against one obstacle in its modes, as the files of nonsmooth modes see it.

#ifndef RICO_ORBIT_MODES_H
#define RICO_ORBIT_MODES_H

#include "base/context.h"
#include "ricochet/modes.h"

struct rico_modes {
    rico_context *ctx;
    int64_t n;
    double g0;
    double W;      // b'b = w' M^-1 w
    double *omega; // ascending
    double *b;     // Phi'w
    double *shape; // Phi, n x n; NULL if unknown
};

// The response of one mode of frequency omega to a unit impulse in every period T, at s in [0, T] after it, without its
// participation: G = cos(omega (s - T/2)) / (2 omega sin(omega T/2)), and its derivatives. The velocity after the impulse.
typedef struct rico_green {
    double value, rate;    // G, G' = dG/ds
    double by_period;      // dG/dT
    double rate_by_period; // dG'/dT
} rico_green;
rico_green rico_green_at(double omega, double T, double s);

// False where a mode that the gap sees resonates with the period.
bool rico_modes_off_resonance(const rico_modes *modes, double T);

// Sum over modes of b^2 times the response.
rico_green rico_modes_green(const rico_modes *modes, double T, double s);

// From impact i to impact l of k, in time: 0 for i = l.
double rico_modes_arc(int64_t k, const double *s, int64_t i, int64_t l);

// Modal state right after impact l, in the order of the durations.
void rico_modes_after(const rico_modes *modes, const rico_modes_orbit *orbit, int64_t l, double *q,
                      double *v);

// F = Pi p with p = -g0 Sigma^-1 1, and its derivative by the durations (k x k, column after column; NULL: not wanted).
rico_status rico_modes_elastic(const rico_modes *modes, int64_t k, const double *s, double *p, double *F,
                               double *J);

// Newton's method on F = 0 in the durations, their component along `border` held.
rico_status rico_modes_newton(const rico_modes *modes, int64_t k, const double *border, double *s);

// The direction of the curve of solutions at the durations s, of length one, on the side of `border`. False where there is none.
bool rico_modes_tangent(const rico_modes *modes, int64_t k, const double *s, const double *border,
                        double *out);

// Period, energy, residual and admissibility of an orbit whose durations and impulses are known.
rico_status rico_modes_complete(const rico_modes *modes, rico_modes_orbit *orbit);

// Smallest value of a function on [a, b] below -tol, or 0 if there is none: exact between samples by the bound `curve` on its second
// derivative. The first that is found, not the deepest.
typedef double (*rico_sampled)(void *user, double t);
double rico_below(rico_sampled f, void *user, double a, double b, double tol, double curve);

// Roots of a function with a derivative, given bounds of it and of the next derivative, in (a, b): all of them where they are simple,
// ascending. Returns how many there are; `room` of them are kept.
typedef struct rico_smooth {
    double value, rate;
} rico_smooth;
typedef rico_smooth (*rico_smooth_function)(const void *user, double x);
int64_t rico_isolated_roots(rico_smooth_function f, const void *user, double a, double b, double steepest,
                            double most_curved, int64_t room, double *roots);

#endif
