// The response of a system with many joints: what impulses do to velocities while the joints hold.
//
// With A the iteration matrix and J the joints' columns of H,
//
//     [  A   -J ] [ dv ]   [ b ]
//     [ -J'   0 ] [ p  ] = [ c ]          J'(v + dv) + ... = 0 for a right-hand side c of the joints' rows,
//
// is solved through a sparse factor, so that time and memory follow the mechanism's graph and thousands of joints cost what
// they are. Joints that say the same twice make it singular; a diagonal -D^-1, 1e-8 of each joint's own compliance,
// stands in for 0, and refinement with the true matrix takes out what that does: velocities are those of the joints as
// they are, impulses that redundancy leaves undetermined are as small as they can be. Where A is positive definite, p is
// eliminated and A + J D J' has a Cholesky factor; elsewhere the whole has an LU factor.

#ifndef RICO_STEP_JOINT_RESPONSE_H
#define RICO_STEP_JOINT_RESPONSE_H

#include "step/iteration.h"

#define RICO_REDUNDANT 1e-9 // what is left of a row, scaled to 1, that follows from others

typedef struct rico_joint_response {
    rico_context *ctx;
    int64_t n, rows; // velocities and rows of joints
    int64_t row_room, entry_room;
    rico_csc matrix;    // lower right block: the stand-in diagonal
    int64_t *which;     // rows: columns of H
    double *compliance; // rows: h' diag(A)^-1 h
    int64_t column_room;
    double *right, *found, *left; // sides that are solved for together
    double *whole;                // n + rows
    rico_factor *factor;
    bool definite;   // the factor is that of `normal`
    rico_csc normal; // A + J D J', lower triangle
    int64_t *place;  // where its entries stand in it, those of A before those of each joint's row
    int64_t places;

    int64_t redundant;  // rows that depend on others at the last look, or -1 before
    int64_t *dependent; // they, counted within the joints' rows
} rico_joint_response;

void rico_joint_response_destroy(rico_joint_response *response);

// For A as the iteration has it and the columns row[0 .. rows) of H. Looks for dependent rows where the pattern is new.
rico_status rico_joint_response_prepare(rico_joint_response *response, const rico_iteration *iteration,
                                        const rico_csc *H, int64_t rows, const int64_t *row);

// Whether it was last prepared for these columns.
bool rico_joint_response_is_of(const rico_joint_response *response, int64_t rows, const int64_t *row);

// dv and p for b (n entries) and c (rows, NULL: zeros). dv may be b; p may be NULL.
rico_status rico_joint_response_solve(rico_joint_response *response, const double *b, const double *c,
                                      double *dv, double *p);

// x = dv for `count` right-hand sides b = x with c = 0, together.
rico_status rico_joint_response_answer(rico_joint_response *response, int64_t count, double *x);

#endif
