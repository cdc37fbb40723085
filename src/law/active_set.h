// The complementarity problem of an impact, 0 <= z _|_ w = G z + q >= 0, G symmetric positive semidefinite, to
// round-off.
//
// It is the optimality condition of min z'Gz/2 + q'z over z >= 0. An active-set method in the manner of Lawson and
// Hanson (1974, chapter 23), with the Cholesky factor of G on the set of positive z kept up to date. A contact whose
// gradient depends on those of the set enters along the null direction of G: the objective falls in a straight line
// until another contact leaves, or for ever, and then there is no solution (Best 1984). z need not be unique; G z is.

#ifndef RICO_LAW_ACTIVE_SET_H
#define RICO_LAW_ACTIVE_SET_H

#include "la/csc.h"

typedef struct rico_active_set {
    rico_context *ctx;
    int64_t size;
    int64_t count;      // members of the set
    int64_t *member;    // in the order of the factor
    int64_t *place;     // of each unknown in member, -1 outside the set
    int64_t *extent;    // of each column of the factor: its last row that is not zero; short in a chain
    bool *refused;      // entered and left again at once: its w is round-off
    double *factor;     // size x size, column-major: lower Cholesky factor of G on the set
    double *w, *weight; // G z + q, and the sum of the sizes of its terms
    double *forward;    // L^-1 (-q) on the set
    double *trial, *direction;
    int64_t pivots; // of the last solve
} rico_active_set;

typedef enum rico_active_set_end {
    RICO_SET_SOLVED,
    RICO_SET_NO_SOLUTION,
    RICO_SET_CYCLING // the limit of pivots: not met unless G is no semidefinite matrix
} rico_active_set_end;

rico_status rico_active_set_create(rico_context *ctx, int64_t size, rico_active_set **out);
void rico_active_set_destroy(rico_active_set *set);

// Unknowns with active[j] false keep z = 0 and any w. z receives the solution; w stands in set->w. With `in_range` the
// caller knows that q is in the range of G, whatever its rounding: there is a solution then.
rico_active_set_end rico_active_set_solve(rico_active_set *set, const rico_csc *G, const bool *active,
                                          bool in_range, const double *q, double *z);

#endif
