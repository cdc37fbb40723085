// The motions that a part brings to the coarse level.

#ifndef RICO_MPI_SCHWARZ_MODES_H
#define RICO_MPI_SCHWARZ_MODES_H

#include "schwarz.h"

// Values of a piece for contacts scaled by C: with its border, and where `inner` without it and its layer.
void rico_mpi_piece_values(const rico_mpi_body_matrix *matrix, const rico_mpi_piece *piece, const double *C,
                           bool inner, double *value);

// The softest motions of A_N x = lambda A_D x by simultaneous inverse iteration from those of the last system, and how
// many of them are worth bringing. The factors of the piece are then those of A_N.
rico_status rico_mpi_piece_modes(rico_mpi_schwarz *schwarz, rico_mpi_piece *piece, const double *symmetric);

#endif
