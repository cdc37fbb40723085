// Projection onto Coulomb's cone in a metric R of its own: the y in K with the least (y - x)'R(y - x) (Acary et al. 2018, eq. 55).

#ifndef RICO_CONE_SKEW_H
#define RICO_CONE_SKEW_H

#include <stdbool.h>

typedef struct rico_skew {
    double mu;
    double R[9]; // symmetric, positive definite
    double axis[9],
        stretch
            [3]; // R-orthonormal vectors (columns) that make mu^2 y_N^2 - |y_T|^2 diagonal, the positive value last
} rico_skew;

// Of the symmetric part of R, row-major with `rows` = 2 or 3. False where it is not positive definite, or mu = 0.
bool rico_skew_create(int rows, double mu, const double *R, rico_skew *out);

// In place; the third entry is not touched in the plane.
void rico_skew_project(const rico_skew *skew, int rows, double *x);

#endif
