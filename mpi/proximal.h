// Extrapolated proximal point steps over ranks, each by Newton's method on Alart and Curnier's map: what
// solve/proximal_newton.c does.

#ifndef RICO_MPI_PROXIMAL_H
#define RICO_MPI_PROXIMAL_H

#include "newton.h"
#include "run.h"

typedef struct rico_mpi_proximal_options {
    double alpha;     // first regularization, times W_NN
    double tolerance; // growth of the residual that an extrapolation may cause
    int stall;        // proximal steps without halving the residual before giving up
} rico_mpi_proximal_options;

// From p->r on, until the run ends or nothing is gained.
rico_status rico_mpi_proximal(rico_mpi_run *run, rico_mpi_newton *newton,
                              const rico_mpi_proximal_options *options);

#endif
