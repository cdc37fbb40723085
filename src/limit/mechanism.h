// Motions of a structure seen from its blocks, and the gap that vanishes where forces and motion obey Coulomb's law.

#ifndef RICO_LIMIT_MECHANISM_H
#define RICO_LIMIT_MECHANISM_H

#include "limit/limit.h"

// u = H'v of a block, as many numbers as it has rows; 6 at most where it is no joint.
void rico_limit_block_motion(const rico_limit *limit, const double *velocity, int64_t block, double *u);

// r'u + (what the motion dissipates at most with these normal forces) >= 0 for u_N >= 0 and r in K: De Saxce's bipotential gap, 0 where the law holds; of
// one block, or the sum over all.
double rico_limit_block_gap(const rico_limit *limit, int64_t block, const double *u, const double *force);
double rico_limit_gap(const rico_limit *limit, const double *velocity, const double *force);

// How far the forces are outside their cones, over the largest.
double rico_limit_violation(const rico_limit *limit, const double *force);

#endif
