// A contact problem that is too hard for sweeps, solved as a whole.

#ifndef RICO_MPI_SPACE_PROBLEM_H
#define RICO_MPI_SPACE_PROBLEM_H

#include "problem.h"
#include "slab.h"
#include "space.h"

// Gathers the problem on the first rank, solves it there by `auto` from p->r and tells everybody: p->r, and what the solver said. The
// order of bodies and contacts is that of their numbers, whatever ranks they came from.
rico_status rico_space_solve_whole(rico_space *space, const rico_contacts *contacts,
                                   const rico_mpi_slab *slab, rico_mpi_problem *p, rico_report *report);

#endif
