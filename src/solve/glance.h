// A glance at a problem of a few contacts: the first sweeps of `auto`, on the problem as it stands.
//
// Whoever has a handful of contacts that hardly know of each other is done after a sweep or two; a copy in units of its own, local solvers
// and work space for what may follow would cost several times that. The glance makes the very numbers that `auto` would have made: its units
// are powers of four, its first sweeps are plain, and each of them is judged. What it does not solve is begun anew, with everything.

#ifndef RICO_SOLVE_GLANCE_H
#define RICO_SOLVE_GLANCE_H

#include "problem/problem.h"

// Is the problem one that a glance may solve: a few contacts, by W and q, of kinds with a closed form?
bool rico_glance_takes(const rico_problem *problem);

// From r as it stands, whose entries are finite. True when the residual is at most tol: r and u (may be NULL) are the solution then, and as
// they were otherwise. Allocates nothing.
bool rico_glance(const rico_problem *problem, double tol, double *r, double *u, rico_residual *residual,
                 int64_t *sweeps);

#endif
