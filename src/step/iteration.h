// The iteration matrix a M + b C + c K of a scheme and its factor, kept while nothing in it changes.

#ifndef RICO_STEP_ITERATION_H
#define RICO_STEP_ITERATION_H

#include "la/factor.h"
#include "model/system.h"

typedef struct rico_iteration {
    rico_system *system;
    double *value;       // on the system's pattern
    rico_factor *factor; // Cholesky where the matrix is symmetric positive definite, LU otherwise
    rico_factor *lu;     // made when the first Cholesky fails, kept beside it
    bool valid, use_lu;
    double a, b, c;
    int64_t factorizations;
} rico_iteration;

rico_status rico_iteration_create(rico_system *system, rico_iteration *out);
void rico_iteration_destroy(rico_iteration *iteration);

// The matrix for the values that M, C and K have now. Nothing to do when they are constant and a, b, c the same.
// *changed tells whether the factor is another one.
rico_status rico_iteration_set(rico_iteration *iteration, double a, double b, double c, bool *changed);

// x = A^-1 b for count right-hand sides; may be in place.
rico_status rico_iteration_solve(rico_iteration *iteration, int64_t count, const double *b, double *x);

// y = A x
void rico_iteration_multiply(const rico_iteration *iteration, const double *x, double *y);

#endif
