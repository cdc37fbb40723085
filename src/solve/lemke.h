// Lemke's method for dense linear complementarity problems w = M z + q, w >= 0, z >= 0, w'z = 0.

#ifndef RICO_SOLVE_LEMKE_H
#define RICO_SOLVE_LEMKE_H

#include "solve/method.h"

typedef enum rico_lemke_end {
    RICO_LEMKE_SOLVED,
    RICO_LEMKE_RAY, // a secondary ray: no complementary solution on this path
    RICO_LEMKE_CUT  // a limit of the run was met
} rico_lemke_end;

// The dictionary x_B = rhs + T x_N and who stands where. Variables are numbered w_0 .. w_n-1, z_0 .. z_n-1, z0.
typedef struct rico_lemke {
    rico_context *ctx;
    int64_t size;
    double *T;      // size x (size + 1), column-major
    double *rhs;    // size
    int64_t *basic; // variable of each row
    int64_t *slot;  // variable of each column, size + 1
    int64_t *place; // of each variable: its row, or -1 - its column
    double *ray;    // size: the z part of the ray, after RICO_LEMKE_RAY
    int64_t pivots;
} rico_lemke;

rico_status rico_lemke_create(rico_context *ctx, int64_t size, rico_lemke **out);
void rico_lemke_destroy(rico_lemke *lemke);

// Complementary pivoting from the basis w with the covering vector of ones. z receives the solution when there is one.
rico_lemke_end rico_lemke_solve(rico_lemke *lemke, const double *M, const double *q, double *z,
                                rico_run *run);

// Does the ray prove that no z >= 0 has M z + q >= 0? It does when v >= 0, M'v <= 0 and q'v < 0 (Farkas), whatever the
// class of M. M'v holds to round-off at best, so the proof covers the z with |z|_1 <= *reach |q|_1 alone; it is
// accepted from a reach of a million.
bool rico_lemke_ray_is_proof(const rico_lemke *lemke, const double *M, const double *q, double *reach);

#endif
