// Estimates of extreme eigenvalues and of conditioning through products alone (power iteration, Lanczos).

#ifndef RICO_LA_SPECTRUM_H
#define RICO_LA_SPECTRUM_H

#include "base/context.h"

// y = A x for a symmetric operator of order n.
typedef void (*rico_operator)(void *user, const double *x, double *y);

typedef struct rico_spectrum {
    double largest;  // estimate of the largest eigenvalue (from below)
    double smallest; // estimate of the smallest (from above)
    int iterations;
    bool exact; // the Krylov space closed: both are eigenvalues to round-off
} rico_spectrum;

// Lanczos with full reorthogonalization, at most `iterations` >= 1 steps, seeded start vector. Keeps n numbers per
// step. An operator of order 0 has the estimates 0.
rico_status rico_lanczos(rico_context *ctx, int64_t n, rico_operator apply, void *user, int iterations,
                         uint64_t seed, rico_spectrum *out);

// The eigenvalue of largest modulus, with its sign, by power iteration until Rayleigh's quotient changes by no more
// than tol, relatively, or `iterations` >= 1 are done: an estimate from inside the spectrum in either case. When A
// has eigenvalues of both signs and the same modulus, it is a mean of them.
rico_status rico_power(rico_context *ctx, int64_t n, rico_operator apply, void *user, int iterations,
                       double tol, uint64_t seed, double *largest);

#endif
