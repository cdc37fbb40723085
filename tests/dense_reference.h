// Plain dense computations that tests compare the library with: slow, short, obviously right.

#ifndef RICO_TESTS_DENSE_REFERENCE_H
#define RICO_TESTS_DENSE_REFERENCE_H

#include "ricochet/sparse.h"
#include "support.h"

// Row-major dense copy of a sparse matrix; the caller frees it.
static inline double *dense_copy(const rico_sparse_view *a)
{
    double *dense = calloc((size_t)(a->rows * a->cols) + 1, sizeof *dense);
    for (int64_t j = 0; j < a->cols; j++)
        for (int64_t k = a->start[j]; k < a->start[j + 1]; k++) dense[a->row[k] * a->cols + j] += a->value[k];
    return dense;
}


// Solves A x = b by Gaussian elimination with partial pivoting; A and b are destroyed, b becomes x.
static inline void dense_solve(int64_t n, double *a, double *b)
{
    for (int64_t k = 0; k < n; k++) {
        int64_t best = k;
        for (int64_t i = k + 1; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[best * n + k])) best = i;
        for (int64_t j = 0; j < n; j++) {
            double kept = a[k * n + j];
            a[k * n + j] = a[best * n + j];
            a[best * n + j] = kept;
        }
        double kept = b[k];
        b[k] = b[best];
        b[best] = kept;
        for (int64_t i = k + 1; i < n; i++) {
            double factor = a[i * n + k] / a[k * n + k];
            for (int64_t j = k; j < n; j++) a[i * n + j] -= factor * a[k * n + j];
            b[i] -= factor * b[k];
        }
    }
    for (int64_t k = n - 1; k >= 0; k--) {
        for (int64_t j = k + 1; j < n; j++) b[k] -= a[k * n + j] * b[j];
        b[k] /= a[k * n + k];
    }
}


// The sign of det A by Gaussian elimination with partial pivoting; A is destroyed.
static inline int dense_sign(int64_t n, double *a)
{
    int sign = 1;
    for (int64_t k = 0; k < n; k++) {
        int64_t best = k;
        for (int64_t i = k + 1; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[best * n + k])) best = i;
        if (best != k) sign = -sign;
        for (int64_t j = 0; best != k && j < n; j++) {
            double kept = a[k * n + j];
            a[k * n + j] = a[best * n + j];
            a[best * n + j] = kept;
        }
        if (a[k * n + k] < 0.0) sign = -sign;
        for (int64_t i = k + 1; i < n; i++) {
            double factor = a[i * n + k] / a[k * n + k];
            for (int64_t j = k; j < n; j++) a[i * n + j] -= factor * a[k * n + j];
        }
    }
    return sign;
}


// How far (u, r) of one 3D contact is from Coulomb's law, |r - P_K(r - hat(u))|, by the geometry of the cone.
static inline double coulomb_defect(double mu, const double u[3], const double r[3])
{
    double z[3] = {r[0] - u[0] - mu * hypot(u[1], u[2]), r[1] - u[1], r[2] - u[2]};
    double slip = hypot(z[1], z[2]), p[3] = {z[0], z[1], z[2]};
    if (slip > mu * z[0]) {
        // the nearest point of the ray (1, mu) in the half plane through z, or the apex
        double along = (z[0] + mu * slip) / (1.0 + mu * mu);
        if (along < 0.0) along = 0.0;
        p[0] = along;
        p[1] = slip > 0.0 ? mu * along * z[1] / slip : 0.0;
        p[2] = slip > 0.0 ? mu * along * z[2] / slip : 0.0;
    }
    return sqrt((r[0] - p[0]) * (r[0] - p[0]) + (r[1] - p[1]) * (r[1] - p[1]) +
                (r[2] - p[2]) * (r[2] - p[2]));
}

#endif
