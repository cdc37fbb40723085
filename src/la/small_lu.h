// LU factors of a few unknowns with row exchanges, in place: where a call of LAPACK costs more than the work. Column-major.

#ifndef RICO_LA_SMALL_LU_H
#define RICO_LA_SMALL_LU_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum { RICO_SMALL_LU = 12 }; // unknowns up to which it is worth it

// False on a zero pivot, or one that is no number.
static inline bool rico_small_lu(int64_t n, double *a, int32_t *pivot)
{
    for (int64_t k = 0; k < n; k++) {
        int64_t best = k;
        for (int64_t i = k + 1; i < n; i++)
            if (fabs(a[i + k * n]) > fabs(a[best + k * n])) best = i;
        pivot[k] = (int32_t)best;
        if (!(fabs(a[best + k * n]) > 0.0)) return false;
        for (int64_t j = k; best != k && j < n;
             j++) { // what stands left stays: exchanges and columns alternate below
            double swap = a[k + j * n];
            a[k + j * n] = a[best + j * n];
            a[best + j * n] = swap;
        }
        double over = 1.0 / a[k + k * n];
        for (int64_t i = k + 1; i < n; i++) a[i + k * n] *= over;
        for (int64_t j = k + 1; j < n; j++)
            for (int64_t i = k + 1; i < n; i++) a[i + j * n] -= a[i + k * n] * a[k + j * n];
    }
    return true;
}


// Solves for `count` right-hand sides in place.
static inline void rico_small_lu_solve(int64_t n, const double *a, const int32_t *pivot, int64_t count,
                                       double *b)
{
    for (int64_t c = 0; c < count; c++) {
        double *x = b + c * n;
        for (int64_t k = 0; k < n; k++) {
            double value = x[pivot[k]];
            x[pivot[k]] = x[k];
            x[k] = value;
            for (int64_t i = k + 1; i < n; i++) x[i] -= a[i + k * n] * value;
        }
        for (int64_t k = n - 1; k >= 0; k--) {
            x[k] /= a[k + k * n];
            for (int64_t i = 0; i < k; i++) x[i] -= a[i + k * n] * x[k];
        }
    }
}

// A^-1, row-major if A is; A is overwritten. False where it is singular or no number.
static inline bool rico_small_inverse(int64_t n, double *a, double *inverse)
{
    int32_t pivot[RICO_SMALL_LU];
    for (int64_t i = 0; i < n * n; i++) inverse[i] = i % (n + 1) == 0 ? 1.0 : 0.0;
    if (!rico_small_lu(n, a, pivot)) return false;
    rico_small_lu_solve(n, a, pivot, n, inverse);
    return true;
}

#endif
