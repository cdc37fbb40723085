// Small problems on a dense W: joints eliminated exactly, contacts by Gauss-Seidel with exact local solutions.
//
// For the handful of contacts of most mechanisms this converges to round-off in a few sweeps and allocates nothing. It is
// the solver `dense` by name, and what a time step runs on the W that it keeps: the arrays are the caller's to fill.

#ifndef RICO_SOLVE_DENSE_H
#define RICO_SOLVE_DENSE_H

#include "problem/problem.h"
#include "solve/one_contact.h"

typedef struct rico_dense {
    int64_t count;           // blocks, equalities first
    const rico_block *block; // the caller's
    const int64_t *offset;   // first row of each; the caller's
    int64_t rows, joint_rows;
    int64_t room, block_room; // rows and blocks that the arrays hold
    double *W, *S;            // row-major: W, and W with the joints eliminated
    int64_t *pivot;           // joints in the order of elimination, then those that depend on them
    int64_t pivots;
    double *y;              // right-hand side with the joints eliminated
    double *z;              // work space
    rico_one_contact *cone; // per block
    int64_t sweeps;         // done so far
} rico_dense;

// Room for so many rows and blocks. When it grows, W is lost.
rico_status rico_dense_reserve(rico_context *ctx, rico_dense *dense, int64_t rows, int64_t blocks);
void rico_dense_destroy(rico_context *ctx, rico_dense *dense);

// The rows and blocks of W as it now stands, `rows` entries to a row: eliminates the joints and prepares the contacts.
void rico_dense_prepare(rico_dense *dense, int64_t count, const rico_block *block, const int64_t *offset,
                        int64_t rows);

// After numbers of the blocks changed, their coefficients say: the contacts once more.
void rico_dense_renew_cones(rico_dense *dense);

// For a new right-hand side c: eliminates the joints from it. Then sweeps over the contacts from p as it stands; each
// returns the largest change as a velocity. Last, the impulses of the joints follow from those of the contacts.
void rico_dense_begin(rico_dense *dense, const double *c);
double rico_dense_sweep(rico_dense *dense, double *p);
void rico_dense_finish(rico_dense *dense, double *p);

// Sweeps until nothing changes but round-off of velocities of the size `scale`; false when they do not settle.
bool rico_dense_settle(rico_dense *dense, double scale, double *p);

// The residual of p on W and c, as every solver is judged; u receives W p + c.
rico_residual rico_dense_judge(const rico_dense *dense, const double *c, const double *p, double noise,
                               double *u);

#endif
