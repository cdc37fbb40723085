// The nearest point of a polyhedron by trying every set of faces: slow, and sharing nothing with the library.

#ifndef RICO_TESTS_NEAREST_POINT_H
#define RICO_TESTS_NEAREST_POINT_H

#include "support.h"

enum { NEAREST_MOST = 16 };

// Gauss with row pivoting on an m x m system, rows of NEAREST_MOST + 1 with the right side behind; false where it is singular.
static inline bool gauss(int m, double a[NEAREST_MOST][NEAREST_MOST + 1])
{
    for (int k = 0; k < m; k++) {
        int pivot = k;
        for (int i = k + 1; i < m; i++)
            if (fabs(a[i][k]) > fabs(a[pivot][k])) pivot = i;
        if (fabs(a[pivot][k]) < 1e-11) return false;
        for (int j = k; j <= m; j++) {
            double keep = a[k][j];
            a[k][j] = a[pivot][j];
            a[pivot][j] = keep;
        }
        for (int i = 0; i < m; i++) {
            double share = i == k ? 0.0 : a[i][k] / a[k][k];
            for (int j = k; j <= m; j++) a[i][j] -= share * a[k][j];
        }
    }
    for (int i = 0; i < m; i++) a[i][m] /= a[i][i];
    return true;
}


// z = argmin |z - w|_M over A z + b >= 0 (rows of A, one after the other), multipliers with M (z - w) = A' lambda: the set of faces for
// which both are admissible. M is n x n.
static inline void nearest_point(int n, const double *M, int count, const double *A, const double *b,
                                 const double *w, double *z, double *lambda)
{
    assert_true(n + count <= NEAREST_MOST);
    for (unsigned set = 0; set < 1u << count; set++) {
        double a[NEAREST_MOST][NEAREST_MOST + 1] = {{0.0}};
        int face[NEAREST_MOST] = {0}, faces = 0;
        for (int c = 0; c < count; c++)
            if (set >> c & 1u) face[faces++] = c;
        int m = n + faces;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                a[i][j] = M[i + j * n];
                a[i][m] += M[i + j * n] * w[j];
            }
            for (int k = 0; k < faces; k++) {
                a[i][n + k] = -A[face[k] * n + i];
                a[n + k][i] = A[face[k] * n + i];
            }
        }
        for (int k = 0; k < faces; k++) a[n + k][m] = -b[face[k]];
        if (faces > n || !gauss(m, a)) continue;
        bool good = true;
        for (int k = 0; k < faces; k++) good &= a[n + k][m] >= -1e-11;
        for (int c = 0; c < count; c++) {
            double gap = b[c];
            for (int i = 0; i < n; i++) gap += A[c * n + i] * a[i][m];
            good &= gap >= -1e-11;
        }
        if (!good) continue;
        for (int i = 0; i < n; i++) z[i] = a[i][m];
        for (int c = 0; c < count; c++) lambda[c] = 0.0;
        for (int k = 0; k < faces; k++) lambda[face[k]] = a[n + k][m];
        return;
    }
    fail_msg("no set of faces gives the nearest point");
}

#endif
