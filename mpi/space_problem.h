// The contact problem of a step once it is posed: solved by all ranks, or as a whole where it is too hard for sweeps.

#ifndef RICO_MPI_SPACE_PROBLEM_H
#define RICO_MPI_SPACE_PROBLEM_H

#include "problem.h"
#include "slab.h"
#include "space.h"

// Impulses p->r within what contacts->tol, accept, loose and resort allow, p->share->v with them, contacts->residual; or refused in a sentence:
// space_stages.c.
rico_status rico_space_solve_posed(rico_space *space, rico_contacts *contacts, const rico_mpi_slab *slab,
                                   rico_mpi_problem *p);

// Gathers the problem on the first rank, solves it there to `tol` by `auto`, for so many rounds where they are not 0, from p->r and tells
// everybody: p->r, and what the solver said. The order of bodies and contacts is that of their numbers, whatever ranks they came from.
rico_status rico_space_solve_whole(rico_space *space, double tol, int rounds, const rico_mpi_slab *slab,
                                   rico_mpi_problem *p, rico_report *report);

#endif
