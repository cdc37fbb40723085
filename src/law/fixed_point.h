// The complementarity problem of an impact by a fixed point, beside the pivots of active_set.h.

#ifndef RICO_LAW_FIXED_POINT_H
#define RICO_LAW_FIXED_POINT_H

#include "la/csc.h"

// Alart and Curnier's z_j <- max(0, z_j - r_j (G z + q)_j), r_j = 1/G_jj, contact by contact with the newest
// values, from z = 0. Ends when a sweep moves no contact by more than tol times the largest |q| in velocity.
// w = G z + q and the sum of the sizes of its terms, `weight`, are left as the pivots leave them. False:
// `limit` sweeps were not enough.
bool rico_fixed_point_solve(const rico_csc *G, const bool *active, const double *q, double tol, int64_t limit,
                            double *z, double *w, double *weight, int64_t *sweeps);

#endif
