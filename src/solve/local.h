// Solving one block of the problem while the others stand still: the step of every Gauss-Seidel sweep.
//
// Coulomb contacts in space go through a local solver by name (local_solvers.h). Contacts in the plane, unilateral rows,
// boxes and joints have cheap closed forms, exact to round-off, and take them whatever the local solver; cones without
// one go by projections (one_block.h).

#ifndef RICO_SOLVE_LOCAL_H
#define RICO_SOLVE_LOCAL_H

#include "problem/problem.h"
#include "solve/local_solvers.h"
#include "solve/one_block.h"

// How blocks are solved.
typedef struct rico_local_settings {
    const rico_local_solver *solver;
    rico_rho_rule rule;
    rico_local_limits limits;
    double omega; // relaxation, 0 < omega < 2; 1 is Gauss-Seidel (eq. 119)
} rico_local_settings;

// The exact solver without relaxation.
rico_local_settings rico_local_default_settings(void);

// What the diagonal blocks W_aa give once, before the sweeps.
typedef struct rico_local {
    rico_context *ctx;
    const rico_problem *problem;
    int64_t *slot; // block -> its place in the array of its kind
    rico_local_settings settings;
    rico_one_contact *contact;  // Coulomb 3D
    rico_local_tuning *tuning;  // beside each of them; made for solvers that iterate
    rico_one_contact_2d *plane; // Coulomb 2D
    double *pivot;              // unilateral and box: W_aa
    rico_one_block *general;    // kinds that are solved by projections
    double *inverse;            // equality: W_aa^-1, or a regularized pseudo-inverse, row-major
    int64_t largest;            // rows of the largest block
    double *velocity, *step;    // work space for sweeps, `largest` entries each
    double *block, *columns;    // work space for preparing, `largest` squared entries each
} rico_local;

// `diagonal` gives the block W_aa of block a, row-major.
typedef void (*rico_diagonal_function)(void *user, int64_t a, double *block);

rico_status rico_local_create(const rico_problem *problem, rico_diagonal_function diagonal, void *user,
                              rico_local **out);

// The same work space for new diagonal blocks.
rico_status rico_local_prepare(rico_local *local, rico_diagonal_function diagonal, void *user);
void rico_local_destroy(rico_local *local);

// From now on blocks are solved like this. Steps of local iterations start anew; allocates nothing.
void rico_local_configure(rico_local *local, const rico_local_settings *settings);

// Given u_a = (W r + q)_a for the present r, replaces r_a by the solution of its own block and puts the change
// into step (of the size of the block). Returns the squared norm of the change. Blocks may be solved by several
// threads at once: work space is the caller's, the rest belongs to the block.
double rico_local_solve(const rico_local *local, int64_t a, const double *u_a, double *r_a, double *step);

#endif
