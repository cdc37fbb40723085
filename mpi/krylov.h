// Generalized minimal residuals over ranks (Saad, Schultz 1986), for A v = b with A = M + H C H'.
//
// Preconditioned from the right, so that what falls is the residual itself, in the norm |rho|^2 = rho' M^-1 rho. Products
// of vectors are summed part by part and those sums exactly: the same bits on any number of ranks. Gram and Schmidt's
// orthogonalization is done twice, with one sum over all ranks each.

#ifndef RICO_MPI_KRYLOV_H
#define RICO_MPI_KRYLOV_H

#include "schwarz.h"

enum { RICO_MPI_KRYLOV = 60 }; // vectors before a restart

typedef struct rico_mpi_krylov {
    rico_mpi_body_matrix *matrix;
    rico_mpi_schwarz *schwarz;
    double *basis; // RICO_MPI_KRYLOV + 1 vectors of own bodies
    double *w, *weighted, *rest;
    double *z; // of all bodies
    rico_exact *sum;
    double h[RICO_MPI_KRYLOV + 1][RICO_MPI_KRYLOV], cosine[RICO_MPI_KRYLOV], sine[RICO_MPI_KRYLOV],
        g[RICO_MPI_KRYLOV + 1];
    int64_t iterations; // in all
} rico_mpi_krylov;

rico_status rico_mpi_krylov_create(rico_mpi_body_matrix *matrix, rico_mpi_schwarz *schwarz,
                                   rico_mpi_krylov **out);
void rico_mpi_krylov_destroy(rico_mpi_krylov *krylov);

// v for b, own bodies each, from v = 0, until |b - A v| <= goal, `most` products are spent, or nothing more is gained.
// *left: |b - A v|, computed from v. v has room for all bodies.
rico_status rico_mpi_krylov_solve(rico_mpi_krylov *krylov, const double *b, double goal, int64_t most,
                                  double *v, double *left);

// The bytes that it takes on this rank.
double rico_mpi_krylov_bytes(const rico_mpi_share *share);

#endif
