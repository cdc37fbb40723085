// The matrix of Newton's systems over ranks: A = M + H C H', six rows for each body.
//
// Every Newton-like method for contacts ends in dr = c - C W dr with a block-diagonal C. With v = M^-1 H dr,
//
//     (M + H C H') v = H c,     dr = c - C H' v
//
// (solve/body_system.h). A is not stored: products go contact by contact, in the one order that all ranks keep. An
// inexact v that leaves the force rho = H c - A v makes dr obey dr = c - C (W dr - H' M^-1 rho): an error of the
// velocities alone, which is why residuals are measured by |rho|^2 = rho' M^-1 rho.

#ifndef RICO_MPI_BODY_MATRIX_H
#define RICO_MPI_BODY_MATRIX_H

#include "share.h"

typedef struct rico_mpi_body_matrix {
    rico_mpi_share *share;
    double *mass;     // 36 for each own body, row-major, ones where it has no velocity
    double *C;        // 9 for each contact, row-major with stride 3
    double *diagonal; // 36 for each body, others' too: the diagonal blocks of A, row-major
} rico_mpi_body_matrix;

rico_status rico_mpi_body_matrix_create(rico_mpi_share *share, rico_mpi_body_matrix **out);
void rico_mpi_body_matrix_destroy(rico_mpi_body_matrix *matrix);

// Makes the diagonal blocks for C as it stands, and brings those of others.
rico_status rico_mpi_body_matrix_update(rico_mpi_body_matrix *matrix);

// y = A x for own bodies; brings x of others' bodies.
rico_status rico_mpi_body_matrix_times(rico_mpi_body_matrix *matrix, double *x, double *y);

// y = H c for own bodies, c with three entries for each contact.
void rico_mpi_body_matrix_gather(const rico_mpi_body_matrix *matrix, const double *c, double *y);

// t = H' x of one contact.
void rico_mpi_body_matrix_read(const rico_mpi_share *share, int64_t contact, const double *x, double t[3]);

// H_i B H_j' of a contact for its sides i and j and a 3 x 3 block B, row-major, added to `block`.
void rico_mpi_body_matrix_couple(const rico_mpi_share *share, int64_t contact, const double B[9], int i,
                                 int j, double block[36]);

// y = M^-1 x for own bodies.
void rico_mpi_body_matrix_divide(const rico_mpi_body_matrix *matrix, const double *x, double *y);

#endif
