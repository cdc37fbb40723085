// Gauss-Seidel sweeps: every block in turn solved while the others stand still.

#ifndef RICO_SOLVE_SWEEP_H
#define RICO_SOLVE_SWEEP_H

#include "problem/problem.h"
#include "solve/colour.h"
#include "solve/local.h"

typedef struct rico_sweeper rico_sweeper;

// Prepares the local solvers, and the strips of H on a global problem with block-diagonal M. The problem must
// outlive it.
rico_status rico_sweeper_create(rico_problem *problem, rico_sweeper **out);
void rico_sweeper_destroy(rico_sweeper *sweeper);

// The vectors of the problem changed; with `matrix`, the values of W too.
rico_status rico_sweeper_update(rico_sweeper *sweeper, bool matrix);

// How blocks are solved from now on; exactly, without relaxation, unless this is called. Allocates nothing.
void rico_sweeper_configure(rico_sweeper *sweeper, const rico_local_settings *settings);

// A new tolerance for local iterations, everything else as it stands.
void rico_sweeper_set_local_tolerance(rico_sweeper *sweeper, double tol);

// Colours the blocks and makes room for sweeps by colour, once; later calls do nothing.
rico_status rico_sweeper_colour(rico_sweeper *sweeper);
const rico_colouring *rico_sweeper_colouring(const rico_sweeper *sweeper); // NULL before

// The velocities kept beside r and their number (n of the problem): whoever changes r between two sweeps may change
// them accordingly instead of calling restart(). NULL and 0 when the sweeps run on W, which keeps none.
double *rico_sweeper_velocities(const rico_sweeper *sweeper, int64_t *count);

// Seconds that one sweep takes, roughly, by its operations: the clock would make runs differ.
double rico_sweeper_seconds(const rico_sweeper *sweeper);

// To be called when the next sweep's r does not come from the last sweep: velocities kept beside r are made anew.
void rico_sweeper_restart(rico_sweeper *sweeper);

// One sweep over r in the given order of blocks (NULL: 0, 1, 2, ...). Returns the squared norm of the change.
double rico_sweep(rico_sweeper *sweeper, const int64_t *order, double *r);

// One sweep colour after colour, on `threads` >= 1 threads (one without OpenMP). r and the value returned are bitwise
// those of rico_sweep() in the order of the colouring, whatever the number of threads.
double rico_sweep_by_colour(rico_sweeper *sweeper, int threads, double *r);

#endif
