// Gauss-Seidel sweeps: every block in turn solved exactly while the others stand still.

#ifndef RICO_SOLVE_SWEEP_H
#define RICO_SOLVE_SWEEP_H

#include "problem/problem.h"

typedef struct rico_sweeper rico_sweeper;

// Prepares the local solvers, and the strips of H on a global problem with block-diagonal M. The problem must
// outlive it.
rico_status rico_sweeper_create(rico_problem *problem, rico_sweeper **out);
void rico_sweeper_destroy(rico_sweeper *sweeper);

// The vectors of the problem changed; with `matrix`, the values of W too.
rico_status rico_sweeper_update(rico_sweeper *sweeper, bool matrix);

// To be called when the next sweep's r does not come from the last sweep: velocities kept beside r are made anew.
void rico_sweeper_restart(rico_sweeper *sweeper);

// One sweep over r in the given order of blocks (NULL: 0, 1, 2, ...). Returns the squared norm of the change.
double rico_sweep(rico_sweeper *sweeper, const int64_t *order, double *r);

#endif
