// Units of contacts, their colours, and who has to hear what before which.

#ifndef RICO_MPI_SHARE_UNITS_H
#define RICO_MPI_SHARE_UNITS_H

#include "share.h"

// Colours of all pairs of parts that touch: colour[s * parts + t], 0 where they do not, the same on every rank.
rico_status rico_mpi_colour_pairs(rico_crew *crew, const rico_mpi_slab *slab, const rico_mpi_split *split,
                                  uint16_t *colour, int *colours);

// Sorts the rank's contacts by colour, pair and number, and makes the units.
rico_status rico_mpi_make_units(rico_mpi_share *share, const rico_mpi_split *split, const uint16_t *colour,
                                int64_t count, rico_mpi_contact *contacts);

// The halos of every colour and of all.
rico_status rico_mpi_make_halos(rico_mpi_share *share);

#endif
