// Alternating directions over all ranks, with one distributed factorization.
//
// The iteration of solve/admm.c in the space of velocities: with a penalty R = rho |W_aa| for each contact and X = R^-1,
//
//     y = P_K(p),   w = p - y,   b = R (y - w) - q - g,   (M + H X H') v = H X b,   r = X (b - H'v),   p <- p + relax (r - y).
//
// M + H X H' is as sparse as the graph of who touches whom and is factored once, by MUMPS through PETSc. MUMPS rounds
// otherwise on another number of ranks: here results agree within the tolerance and not to the last bit.

#ifndef RICO_MPI_ADMM_H
#define RICO_MPI_ADMM_H

#include "share.h"

#include <petscmat.h>

typedef struct rico_mpi_admm {
    rico_mpi_share *share;
    double *penalty;           // rho |W_aa| of each contact
    double *vectors;           // the one allocation of the following
    double *p, *y, *w, *q, *b; // three for each contact
    Mat matrix, factors;
    Vec right, answer;
} rico_mpi_admm;

// Assembles and factors. rho = 0: by the largest eigenvalue of W, as solve/admm.c does. Factors that would take more than
// `room` bytes of a rank, by MUMPS' own analysis, are refused before they are made; 0: any.
rico_status rico_mpi_admm_create(rico_mpi_share *share, double rho, double room, rico_mpi_admm **out);
void rico_mpi_admm_destroy(rico_mpi_admm *admm);

// p from impulses.
rico_status rico_mpi_admm_begin(rico_mpi_admm *admm, const double *r);

// One iteration; y are impulses that obey the cone, to be judged. p is moved.
rico_status rico_mpi_admm_step(rico_mpi_admm *admm);

#endif
