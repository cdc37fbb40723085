// A problem over all ranks, as the library of several machines sees it.

#ifndef RICO_MPI_PROBLEM_H
#define RICO_MPI_PROBLEM_H

#include "mix.h"
#include "rico_mpi.h"

struct rico_mpi_problem {
    rico_context *ctx;
    rico_crew *crew;
    rico_mpi_share *share;
    rico_mpi_mixer *mixer;
    char *path; // of the file it was read from
    rico_mpi_facts facts;
    double *r, *u, *best; // three entries for each contact of the rank
};

#endif
