// The linear system of one Newton step on the global form, in velocities and impulses at once.
//
//     ( M       -H          ) (dv)   ( 0 )
//     ( D_u H'   D_r + s D_u) (dr) = (-G )          Acary et al. 2018, eq. 157, u = H'v + w substituted
//
// with D_u, D_r block-diagonal, the Jacobian blocks of the map, and s the shift of each block (newton_system.h). W is
// never formed: the matrix has the pattern of M and H, whatever M^-1 would fill in, and is analysed once.

#ifndef RICO_SOLVE_NEWTON_MIXED_H
#define RICO_SOLVE_NEWTON_MIXED_H

#include "problem/problem.h"

typedef struct rico_newton_mixed rico_newton_mixed;

// The problem must be global, with its block norms.
rico_status rico_newton_mixed_create(const rico_problem *problem, rico_newton_mixed **out);
void rico_newton_mixed_destroy(rico_newton_mixed *mixed);

// Factors for the blocks du and dr (9 numbers each; equalities read du[0] alone) and solves into d = dr and Wd = H'dv.
// RICO_SINGULAR, with a sentence, when the matrix is, exactly or to round-off.
rico_status rico_newton_mixed_solve(rico_newton_mixed *mixed, const double *du, const double *dr,
                                    const double *G, double shift, double *d, double *Wd);

// Entries of the matrix and of its factors, 0 before a solve.
int64_t rico_newton_mixed_entries(const rico_newton_mixed *mixed);
int64_t rico_newton_mixed_fill(const rico_newton_mixed *mixed);

#endif
