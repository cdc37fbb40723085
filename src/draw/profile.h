// Performance profiles (Dolan and More 2002; Acary, Bremond and Huber 2018, section 8.2).
//
// With t_ps the cost for solver s to solve problem p, infinite when it does not, and r_ps = t_ps / min_s t_ps,
//
//     rho_s(tau) = card{ p : r_ps <= tau } / n_p,    tau >= 1                                  (eq. 133-135)
//
// rho_s(1) is how often s is the best, rho_s for large tau how often it solves at all. A problem that nobody
// solves counts in n_p all the same.

#ifndef RICO_DRAW_PROFILE_H
#define RICO_DRAW_PROFILE_H

#include "base/context.h"

#include <stdio.h>

typedef struct rico_profile {
    int64_t problems, solvers;
    double *ratio; // [solver * problems + i]: the finite r_ps of the solver in rising order, then INFINITY
} rico_profile;

// `cost` holds t_ps at [problem * solvers + solver]: >= 0, INFINITY for unsolved.
rico_status rico_profile_create(rico_context *ctx, int64_t problems, int64_t solvers, const double *cost,
                                rico_profile *out);
void rico_profile_release(rico_context *ctx, rico_profile *profile);

double rico_profile_value(const rico_profile *profile, int64_t solver, double tau); // rho_s(tau)

// How many problems the solver solves at all.
int64_t rico_profile_solved(const rico_profile *profile, int64_t solver);

// Draws all curves over a logarithmic axis of tau, as an SVG document. `labels` names the solvers.
typedef struct rico_profile_text {
    const char *title, *subtitle, *axis; // axis: what tau compares, "time"
    const char *const *labels;
} rico_profile_text;
rico_status rico_profile_draw(rico_context *ctx, const rico_profile *profile, const rico_profile_text *text,
                              FILE *out);

#endif
