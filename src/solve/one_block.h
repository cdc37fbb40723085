// One block of any kind while the others stand still, by projections: for kinds that have no exact solver of their own.
//
// u = W r + q with hat(u) in K*, orthogonal to r in K, as a variational inequality over K by Khobotov's extragradient method
// (solve/vi.h). For a given g(u), as in each of its steps near the end, the map is that of a positive definite W and the
// method converges (Khobotov 1987); with g moving along there is no proof, as there is none for the sweeps around it, and
// the residual of the whole problem decides.

#ifndef RICO_SOLVE_ONE_BLOCK_H
#define RICO_SOLVE_ONE_BLOCK_H

#include "cone/cone.h"

typedef struct rico_one_block {
    rico_block block;
    double W[RICO_LARGEST_CONE * RICO_LARGEST_CONE]; // row-major
    double norm;                                     // |W|_F
    double step;                                     // carried from one solve to the next
} rico_one_block;

void rico_one_block_prepare(rico_one_block *own, const rico_block *block, const double *W);

// Brings r, on entry a guess, a thousand times closer to the solution or to round-off of it, or as far as its iterations
// allow. A block that no motion answers to (W = 0) keeps its impulse: no value of it changes u.
void rico_one_block_solve(rico_one_block *own, const double *q, double *r);

#endif
