// Cone programs: minimize c'x with A x = b, every part of x free, a half line or a second-order cone of three.
//
// Solved by a primal-dual interior-point method on the homogeneous self-dual embedding (Xu, Hung and Ye 1996; Andersen, Roos and Terlaky 2003)
//
//     A x = b tau,   A'y + s = c tau,   b'y - c'x = kappa,     x in K,  s in K*,  tau, kappa >= 0,
//
// which always has a solution: with tau > 0 it is that of the program and of its dual, else y proves that no x is feasible (A'y in -K*,
// b'y > 0), or x is a ray along which c'x falls for ever. Neither the start nor the answer depends on units.

#ifndef RICO_LIMIT_CONE_PROGRAM_H
#define RICO_LIMIT_CONE_PROGRAM_H

#include "la/csc.h"

typedef enum rico_cone_program_kind {
    RICO_PROGRAM_FREE, // one column
    RICO_PROGRAM_RAY,  // one column, x >= 0
    RICO_PROGRAM_CONE  // three columns, x_0 >= |(x_1, x_2)|
} rico_cone_program_kind;

typedef enum rico_cone_program_finding {
    RICO_PROGRAM_OPTIMAL,
    RICO_PROGRAM_INFEASIBLE, // y is the proof, b'y = 1
    RICO_PROGRAM_UNBOUNDED,  // x is the ray, c'x = -1
    RICO_PROGRAM_UNSURE      // the best that was reached is in x and y
} rico_cone_program_finding;

typedef struct rico_cone_program_answer {
    rico_cone_program_finding finding;
    double value, bound; // c'x and b'y
    double accuracy;     // largest of the relative errors of A x = b, of A'y + s = c, and of value = bound
    int64_t iterations;
    const double *x, *y, *s; // the program's, until the next call
} rico_cone_program_answer;

typedef struct rico_cone_program rico_cone_program;

// The columns of A are those of the parts, one after the other. A and the rest are copied; the pattern of the normal equations is analysed once.
rico_status rico_cone_program_create(rico_context *ctx, const rico_csc *A, const double *b,
                                     int64_t part_count, const rico_cone_program_kind *kind,
                                     rico_cone_program **out);
void rico_cone_program_destroy(rico_cone_program *program);

rico_status rico_cone_program_solve(rico_cone_program *program, const double *c,
                                    rico_cone_program_answer *out);

#endif
