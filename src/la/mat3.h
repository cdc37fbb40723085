// 3x3 matrices as plain double[9], row-major: products, solves, symmetric eigenvalues.

#ifndef RICO_LA_MAT3_H
#define RICO_LA_MAT3_H

#include "la/vec3.h"

#include <float.h>
#include <string.h>

static inline void rico_mat3_identity(double out[9])
{
    for (int k = 0; k < 9; k++) out[k] = k % 4 == 0 ? 1.0 : 0.0;
}


static inline void rico_mat3_transpose(const double a[9], double out[9])
{
    double t[9] = {a[0], a[3], a[6], a[1], a[4], a[7], a[2], a[5], a[8]};
    memcpy(out, t, sizeof t);
}


static inline void rico_mat3_times(const double a[9], const double x[3], double out[3])
{
    rico_vec3_set(a[0] * x[0] + a[1] * x[1] + a[2] * x[2], a[3] * x[0] + a[4] * x[1] + a[5] * x[2],
                  a[6] * x[0] + a[7] * x[1] + a[8] * x[2], out);
}


// A' x
static inline void rico_mat3_transpose_times(const double a[9], const double x[3], double out[3])
{
    rico_vec3_set(a[0] * x[0] + a[3] * x[1] + a[6] * x[2], a[1] * x[0] + a[4] * x[1] + a[7] * x[2],
                  a[2] * x[0] + a[5] * x[1] + a[8] * x[2], out);
}


static inline void rico_mat3_multiply(const double a[9], const double b[9], double out[9])
{
    double c[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            c[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
    memcpy(out, c, sizeof c);
}


// The matrix of x -> a x x (cross product).
static inline void rico_mat3_cross(const double a[3], double out[9])
{
    double c[9] = {0.0, -a[2], a[1], a[2], 0.0, -a[0], -a[1], a[0], 0.0};
    memcpy(out, c, sizeof c);
}


static inline double rico_mat3_determinant(const double a[9])
{
    return a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) +
           a[2] * (a[3] * a[7] - a[4] * a[6]);
}


static inline double rico_mat3_norm_frobenius(const double a[9])
{
    double rows[3] = {rico_vec3_norm(a), rico_vec3_norm(a + 3), rico_vec3_norm(a + 6)};
    return rico_vec3_norm(rows);
}


// An LU factorization with scaled partial pivoting: rows are compared after division by their largest entry, so
// that rows in different units are treated alike.
typedef struct rico_mat3_lu {
    double lu[9];
    int order[3]; // row of the matrix that stands in each row of lu
} rico_mat3_lu;


// False, with nothing usable in *out, when A is singular to round-off or not finite: a pivot is below 8 eps of the
// size of its row. Cofactors would be quicker, but lose twice the digits that the condition of A costs.
static inline bool rico_mat3_factor(const double a[9], rico_mat3_lu *out)
{
    double size[3];
    memcpy(out->lu, a, sizeof out->lu);
    for (int i = 0; i < 3; i++) {
        out->order[i] = i;
        size[i] = rico_vec3_norm_inf(a + 3 * i);
    }
    for (int k = 0; k < 3; k++) {
        // the row with the largest entry for its size
        int best = -1;
        double largest = 8.0 * DBL_EPSILON;
        for (int i = k; i < 3; i++) {
            double entry = fabs(out->lu[3 * i + k]) / size[i];
            if (entry > largest && isfinite(entry)) {
                largest = entry;
                best = i;
            }
        }
        if (best < 0) return false;
        if (best != k) {
            for (int j = 0; j < 3; j++) {
                double kept = out->lu[3 * k + j];
                out->lu[3 * k + j] = out->lu[3 * best + j];
                out->lu[3 * best + j] = kept;
            }
            double kept_size = size[k];
            size[k] = size[best];
            size[best] = kept_size;
            int kept_row = out->order[k];
            out->order[k] = out->order[best];
            out->order[best] = kept_row;
        }
        for (int i = k + 1; i < 3; i++) {
            double factor = out->lu[3 * i + k] /= out->lu[3 * k + k];
            for (int j = k + 1; j < 3; j++) out->lu[3 * i + j] -= factor * out->lu[3 * k + j];
        }
    }
    return true;
}


static inline void rico_mat3_factor_solve(const rico_mat3_lu *factor, const double b[3], double x[3])
{
    const double *lu = factor->lu;
    double y0 = b[factor->order[0]];
    double y1 = b[factor->order[1]] - lu[3] * y0;
    double y2 = b[factor->order[2]] - lu[6] * y0 - lu[7] * y1;
    double x2 = y2 / lu[8];
    double x1 = (y1 - lu[5] * x2) / lu[4];
    rico_vec3_set((y0 - lu[1] * x1 - lu[2] * x2) / lu[0], x1, x2, x);
}


// A x = b; false, and x untouched, when A is singular to round-off.
static inline bool rico_mat3_solve(const double a[9], const double b[3], double x[3])
{
    rico_mat3_lu factor;
    if (!rico_mat3_factor(a, &factor)) return false;
    rico_mat3_factor_solve(&factor, b, x);
    return true;
}


// The inverse; false, and out untouched, when A is singular to round-off.
static inline bool rico_mat3_inverse(const double a[9], double out[9])
{
    rico_mat3_lu factor;
    if (!rico_mat3_factor(a, &factor)) return false;
    for (int j = 0; j < 3; j++) {
        double column[3] = {j == 0 ? 1.0 : 0.0, j == 1 ? 1.0 : 0.0, j == 2 ? 1.0 : 0.0};
        rico_mat3_factor_solve(&factor, column, column);
        for (int i = 0; i < 3; i++) out[3 * i + j] = column[i];
    }
    return true;
}


// Eigenvalues (ascending) of a symmetric matrix, the lower triangle of which is read; the unit eigenvectors, unless
// NULL, are the columns of vectors. By Jacobi's rotations: the closed formula loses half the digits where two
// eigenvalues meet, as they do in every isotropic block.
static inline void rico_mat3_symmetric_eigen(const double a[9], double values[3], double vectors[9])
{
    double s[9] = {a[0], a[3], a[6], a[3], a[4], a[7], a[6], a[7], a[8]}, v[9];
    rico_mat3_identity(v);

    // quadratic convergence: a handful of sweeps does, more than a dozen only for what is not finite
    for (int sweep = 0; sweep < 16; sweep++) {
        if (s[1] == 0.0 && s[2] == 0.0 && s[5] == 0.0) break;
        for (int turn = 0; turn < 3; turn++) {
            int p = turn == 2 ? 1 : 0, q = turn == 0 ? 1 : 2, r = 3 - p - q;
            double off = s[3 * p + q], at_p = s[3 * p + p], at_q = s[3 * q + q];
            // an entry that changes neither neighbour on the diagonal is zero
            if (fabs(at_p) + fabs(off) == fabs(at_p) && fabs(at_q) + fabs(off) == fabs(at_q)) {
                s[3 * p + q] = s[3 * q + p] = 0.0;
                continue;
            }
            // tangent of the smaller of the two angles that zero the entry (Golub and Van Loan 2013, 8.5.2)
            double ratio = (at_q - at_p) / (2.0 * off);
            double t = copysign(1.0, ratio) / (fabs(ratio) + hypot(1.0, ratio));
            double c = 1.0 / sqrt(1.0 + t * t), d = t * c;
            s[3 * p + p] = at_p - t * off;
            s[3 * q + q] = at_q + t * off;
            s[3 * p + q] = s[3 * q + p] = 0.0;
            double rp = s[3 * r + p], rq = s[3 * r + q];
            s[3 * r + p] = s[3 * p + r] = c * rp - d * rq;
            s[3 * r + q] = s[3 * q + r] = d * rp + c * rq;
            for (int i = 0; i < 3; i++) {
                double vp = v[3 * i + p], vq = v[3 * i + q];
                v[3 * i + p] = c * vp - d * vq;
                v[3 * i + q] = d * vp + c * vq;
            }
        }
    }

    int order[3] = {0, 1, 2};
    for (int k = 0; k < 3; k++) { // of neighbours: 01, 12, 01
        int i = k == 1 ? 1 : 0, first = order[i];
        if (s[4 * first] <= s[4 * order[i + 1]]) continue;
        order[i] = order[i + 1];
        order[i + 1] = first;
    }
    for (int k = 0; k < 3; k++) {
        values[k] = s[4 * order[k]];
        if (!vectors) continue;
        for (int i = 0; i < 3; i++) vectors[3 * i + k] = v[3 * i + order[k]];
    }
}

#endif
