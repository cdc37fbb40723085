// One sweep over all contacts, and the residual that judges, over all ranks.

#ifndef RICO_MPI_SWEEP_H
#define RICO_MPI_SWEEP_H

#include "share.h"

// Solves every contact in turn, the others standing still: inside of parts, then colour after colour between them. r has
// three entries for each contact of the rank; the velocities of own bodies must belong to it, and do so afterwards.
rico_status rico_mpi_sweep(rico_mpi_share *share, double *r);

// The common residual (problem/residual.c) of r. Velocities are made anew from it. u may be NULL.
rico_status rico_mpi_residual(rico_mpi_share *share, const double *r, double *u, rico_residual *out);

#endif
