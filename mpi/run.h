// A run of one method, or of several in turn: what they share.

#ifndef RICO_MPI_RUN_H
#define RICO_MPI_RUN_H

#include "problem.h"

typedef struct rico_mpi_run {
    rico_mpi_problem *p;
    const rico_mpi_options *options;
    rico_mpi_report *report;
    double began;
    int64_t sweeps, systems,
        products; // done: sweeps or alternations, Newton systems, products with their matrix
    rico_residual residual, best;
    double first;                   // relative residual at the start
    bool judged;                    // something has been
    struct rico_mpi_newton *newton; // made when first needed
    bool no_newton;                 // it would not fit
    bool done;
} rico_mpi_run;

// Judges p->r, whose velocities are then p->u; keeps the best; ends the run where there is reason to.
rico_status rico_mpi_run_check(rico_mpi_run *run);
void rico_mpi_run_end(rico_mpi_run *run, rico_stop why);

// Has the run as many iterations as it may?
bool rico_mpi_run_spent(rico_mpi_run *run);

// Has somebody interrupted it, or has its time passed? All ranks ask, and hear the same.
bool rico_mpi_run_limits(rico_mpi_run *run);

// Makes what Newton-like methods need and foresees it; says what they will cost together, in sweeps.
rico_status rico_mpi_run_prepare_newton(rico_mpi_run *run, double *sweeps);

// Newton-like methods from the best point (newton_run.c).
rico_status rico_mpi_run_newton(rico_mpi_run *run);

#endif
