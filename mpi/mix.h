// Anderson's acceleration of sweeps over all ranks, with the safeguards of solve/accelerate.h.
//
// Vectors of impulses are the rank's own, contacts of two ranks on both; products are summed over stretches of a unit,
// in order, and those sums exactly: the coefficients are the same bits on any number of ranks, and so is what both
// ranks make of a contact that they share. Velocities follow the impulses with the same coefficients.

#ifndef RICO_MPI_MIX_H
#define RICO_MPI_MIX_H

#include "share.h"

enum { RICO_MPI_WINDOW = 5 };

typedef struct rico_mpi_mixer {
    rico_mpi_share *share;
    int used, next;    // differences kept; where the next one goes
    bool has_last;     // the point before is known
    double *vectors;   // the one allocation of the following
    double *x;         // the point before the sweep
    double *G, *older; // after the last sweep noted, and the one before
    double *f;         // weighted step of the last
    double *dF[RICO_MPI_WINDOW], *dG[RICO_MPI_WINDOW];
    double *v, *dV[RICO_MPI_WINDOW]; // velocities of own bodies, likewise
    double *weight;                  // of each contact
    double gram[RICO_MPI_WINDOW][RICO_MPI_WINDOW], along[RICO_MPI_WINDOW], c[RICO_MPI_WINDOW];

    // what the safeguards remember: see solve/accelerate.h
    double step, least, mark;
    int64_t idle, pause, rest;
    bool jumped;
} rico_mpi_mixer;

rico_status rico_mpi_mixer_create(rico_mpi_share *share, rico_mpi_mixer **out);
void rico_mpi_mixer_destroy(rico_mpi_mixer *mixer);
void rico_mpi_mixer_begin(rico_mpi_mixer *mixer);

// Keeps r, the point to sweep from.
void rico_mpi_mixer_from(rico_mpi_mixer *mixer, const double *r);

// Takes note of r after the sweep and of the velocities of the share. One sum over all ranks. Returns |change|^2 over
// all contacts; a number that is not finite is returned as INFINITY.
double rico_mpi_mixer_note(rico_mpi_mixer *mixer, const double *r);

// r and the velocities of own bodies become those to sweep from next. *afresh: velocities have to be made anew.
void rico_mpi_mixer_advance(rico_mpi_mixer *mixer, double *r, bool *afresh);

#endif
