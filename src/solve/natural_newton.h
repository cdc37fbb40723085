// Newton's method on the natural map of any blocks, within proximal steps: for kinds that the other Newton methods do not know.
//
// Proximal step k solves the problem with W + alpha D in place of W and q - alpha D r_k in place of q, D = |W_aa| of each block (Acary et al.
// 2018, eq. 122), by Newton's method on F = r - P_K(r - rho hat(u)), piecewise smooth, with the generalized Jacobians of the table of
// cones. W is dense here: this is for some hundreds of rows.

#ifndef RICO_SOLVE_NATURAL_NEWTON_H
#define RICO_SOLVE_NATURAL_NEWTON_H

#include "solve/method.h"

enum { RICO_NATURAL_ROWS = 1200 }; // that it is worth trying with

typedef struct rico_natural_newton rico_natural_newton;
rico_status rico_natural_newton_create(rico_problem *problem, rico_natural_newton **out);
void rico_natural_newton_destroy(rico_natural_newton *newton);
rico_status rico_natural_newton_update(rico_natural_newton *newton); // after W changed

// From run->r; ends when the run is over, or when it gets no further.
rico_status rico_natural_newton_solve(rico_natural_newton *newton, rico_run *run);

#endif
