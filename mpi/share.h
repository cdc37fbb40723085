// What one rank holds: the bodies of its parts, those of others that they touch, and every contact between them.
//
// Contacts stand in units, swept one after the other: those inside of a part (colour 0), then those between two parts.
// Pairs of parts are coloured so that those of one colour have no part in common. A contact between parts of two ranks
// is on both: each side has the velocities of both bodies when its colour comes, solves it, and finds the same bits. So
// one message each way is all that a pair of parts costs in a sweep, and the impulses need none.

#ifndef RICO_MPI_SHARE_H
#define RICO_MPI_SHARE_H

#include "halo.h"
#include "slab.h"
#include "solve/one_contact.h"
#include "split.h"

typedef struct rico_mpi_unit {
    int64_t first, last; // contacts
    int colour;
    int other;   // the rank that has it too, -1: none
    bool counts; // this rank adds it to sums; of two that have it, the one with the lower part does
} rico_mpi_unit;

typedef struct rico_mpi_share {
    rico_crew *crew;
    int dimension;
    int64_t all_contacts, all_bodies, all_dofs;

    int64_t own, bodies;              // own bodies come first, then those of others
    int32_t *body_id, *dof;           // number of each, and its first velocity in the problem
    int all_parts, first_part, parts; // of the problem; those that the rank owns, one after the other
    int64_t *part_start;              // parts + 1: first body of each own part
    int32_t *part;                    // of each body, in the numbers of all
    uint8_t *dofs, *diagonal;         // velocities of a body; is its mass diagonal?
    double
        *inverse; // 36 for each body: M^-1 column by column, the diagonal first where there is nothing else
    double *v_free, *v; // six for each body

    int64_t contacts;
    int64_t *id;
    int32_t *body; // two for each contact, -1 for none
    uint8_t *rows; // of each contact: those of its dimension, or 1
    double *H;     // 36 for each, as in the record
    double *w, *mu, *norm;
    rico_one_contact *local;
    rico_one_contact_2d *plane;

    int64_t unit_count;
    rico_mpi_unit *unit;
    int colours;
    int64_t *colour_start; // colours + 1: first unit of each
    rico_mpi_halo *halo;   // what each colour has to hear before its contacts are solved; the first has none
    rico_mpi_halo everybody;
    MPI_Datatype six, square; // velocities of a body, and a block of its size

    double q_size, noise; // |q|, and what its round-off leaves undecided
} rico_mpi_share;

// Everybody calls it; the slab is not needed afterwards.
rico_status rico_mpi_share_create(rico_crew *crew, const rico_mpi_slab *slab, const rico_mpi_split *split,
                                  rico_mpi_share **out);
void rico_mpi_share_destroy(rico_mpi_share *share);

// Brings velocities of others' bodies up to date, before contacts of a colour; -1 for all.
rico_status rico_mpi_share_hear(rico_mpi_share *share, int colour);

// The same for any vector with six entries for each body: those of others' bodies from their owners.
rico_status rico_mpi_share_hear_of(rico_mpi_share *share, double *vector);

// And with a block of 36 for each body.
rico_status rico_mpi_share_hear_blocks(rico_mpi_share *share, double *blocks);

// M of a body, padded with ones, row-major: the inverse of its inverse. False where that is singular.
bool rico_mpi_share_mass(const rico_mpi_share *share, int64_t body, double M[36]);

// v = M^-1 (H r + f) of own bodies; with `hear`, the velocities of others' too.
rico_status rico_mpi_share_velocities(rico_mpi_share *share, const double *r, bool hear);

// u = H'v + w of one contact, from v as it stands.
void rico_mpi_share_read(const rico_mpi_share *share, const double *v, int64_t contact, double u[3]);

// v += M^-1 H step for the bodies of one contact.
void rico_mpi_share_write(const rico_mpi_share *share, int64_t contact, const double step[3], double *v);

#endif
