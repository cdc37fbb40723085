// The problem of one proximal step: W + diag(alpha) and q - alpha x on the same blocks (Acary et al. 2018, eq. 122).

#ifndef RICO_PROBLEM_SHIFT_H
#define RICO_PROBLEM_SHIFT_H

#include "problem/problem.h"

// A reduced copy of `base` (which is reduced first), to be shifted again and again.
rico_status rico_problem_create_shifted(rico_problem *base, rico_problem **out);

// W <- W_base + alpha_a I on the diagonal of each block a, q <- q_base - alpha_a x_a. alpha has one entry per block.
void rico_problem_shift(rico_problem *shifted, const rico_problem *base, const double *alpha,
                        const double *x);

#endif
