// Responses at one frequency as complex numbers, and the Riccati equation inside other formulas.

#ifndef RICO_CONTROL_RESPONSE_H
#define RICO_CONTROL_RESPONSE_H

#include "control/matrix.h"

#include <complex.h>

// G(i omega) into out, outputs x inputs.
rico_status rico_response_at(const rico_state_space *sys, double omega, double complex *out);

// Singular values of a complex matrix, descending, and the largest of G(i omega).
rico_status rico_complex_singular_values(rico_context *ctx, int64_t rows, int64_t cols,
                                         const double complex *a, double *values);
rico_status rico_largest_gain(const rico_state_space *sys, double omega, double *gain);

// The stabilizing solution of A'X + X A - X R X + Q = 0; *found is false without one, which is no failure.
rico_mat rico_mat_riccati(rico_pad *pad, rico_mat a, rico_mat r, rico_mat q, bool *found);

#endif
