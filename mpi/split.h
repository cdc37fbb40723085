// Which part each body belongs to, and which rank each part.
//
// The number of parts and the cut depend on the problem alone, never on the ranks: everything that is computed part by
// part is then the same on any number of them. Ranks take successive parts.

#ifndef RICO_MPI_SPLIT_H
#define RICO_MPI_SPLIT_H

#include "slab.h"

enum { RICO_MPI_PARTS = 64, RICO_MPI_MOST_PARTS = 4096 };

typedef struct rico_mpi_split {
    rico_context *ctx;
    int parts;
    int64_t bodies;
    int32_t *part;       // of each body
    int32_t *place;      // of each body in the order by part, then number
    int32_t *part_start; // parts + 1: place of the first body of each part
    int *rank_first;     // ranks + 1: first part of each rank
    int *rank_of;        // rank of each part
} rico_mpi_split;

// Cuts the graph of bodies that touch by Scotch, on the first rank, which tells the others. parts = 0: as many as the
// problem wants.
rico_status rico_mpi_split_create(rico_crew *crew, const rico_mpi_slab *slab, int parts, rico_mpi_split *out);
// The places of the bodies, after part[].
void rico_mpi_split_order(rico_mpi_split *split);
void rico_mpi_split_release(rico_mpi_split *split);

#endif
