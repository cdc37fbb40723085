// The D scaling of two full blocks inside other computations.

#ifndef RICO_CONTROL_MU_H
#define RICO_CONTROL_MU_H

#include "control/response.h"

// Work space for complex matrices of rows x cols; lives on a pad.
typedef struct rico_mu_work {
    rico_context *ctx;
    int64_t rows, cols;
    rico_blocks blocks;
    double complex *a, *b;
    double *values;
} rico_mu_work;

rico_mu_work rico_mu_work_on(rico_pad *pad, int64_t rows, int64_t cols, rico_blocks blocks);

// sigma_max(diag(k d I, I) N diag(I/d, I)).
rico_status rico_mu_scaled(rico_mu_work *work, const double complex *n, double k, double d, double *sigma);

// Least 1/k for which that is 1 with this d; infinite when none is.
rico_status rico_mu_skewed_with(rico_mu_work *work, const double complex *n, double d, double *mu);

// The same with the best d.
rico_status rico_mu_skewed(rico_mu_work *work, const double complex *n, double *mu, double *d);

// Refuses blocks that leave nothing of a matrix of rows x cols, in one sentence.
rico_status rico_mu_check(rico_context *ctx, int64_t rows, int64_t cols, rico_blocks blocks);

#endif
