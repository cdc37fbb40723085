// The face of the cones on which an impulse lies, and the linear problem that Coulomb's law becomes there.
//
// Contacts keep their states: open ones stay at rest, sticking ones move freely, sliding ones along the normal and
// across the slip, with the radius of the friction disk frozen (Tresca) and its curvature |u_T| / |r_T| added. What is
// left is symmetric: P (W + C) P dr = -P u, P the projector onto the free directions.

#ifndef RICO_SOLVE_FACE_H
#define RICO_SOLVE_FACE_H

#include "problem/problem.h"

typedef struct rico_face_block {
    int free;          // how many directions, columns of basis; -1: all rows of an equality
    double basis[9];   // orthonormal, column k at basis[3 k]
    double curvature;  // C on the last column of a sliding contact
    double inverse[9]; // of basis' (W_aa + C) basis, free x free in a 3x3 array: the preconditioner
} rico_face_block;

typedef struct rico_face {
    rico_problem *problem;
    rico_face_block *block;
    double *diagonal; // 1 / W_ii, the preconditioner of equality rows
} rico_face;

// For a problem with W.
rico_status rico_face_create(rico_problem *problem, rico_face *out);
void rico_face_destroy(rico_face *face);

// Reads the states off r and u = W r + q.
void rico_face_identify(rico_face *face, const double *r, const double *u);

// x <- P x
void rico_face_restrict(const rico_face *face, double *x);

// y = P (W + C) x for x = P x
void rico_face_times(const rico_face *face, const double *x, double *y);

// y = B x, B the inverse of the diagonal blocks of P (W + C) P on the free directions
void rico_face_precondition(const rico_face *face, const double *x, double *y);

#endif
