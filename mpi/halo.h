// Who has to hear of which bodies: lists that both sides make alike, so that setting them up needs no message.

#ifndef RICO_MPI_HALO_H
#define RICO_MPI_HALO_H

#include "crew.h"

// A body that two ranks have in a contact: ours, which the other hears of, or the other's.
typedef struct rico_mpi_shared {
    int32_t rank, body; // the other rank; the body's place here
    bool ours;
} rico_mpi_shared;

typedef struct rico_mpi_halo {
    int neighbours;
    int *rank;               // of each, ascending
    int64_t *start[2];       // neighbours + 1: of those of theirs that we hear of, of ours that they do
    int32_t *body[2];        // places here, ascending for each neighbour: in the order of all bodies
    MPI_Request *request;    // two for each neighbour
    char *buffer;            // of what is on its way
    int64_t room;            // bytes of it
    int64_t messages, bytes; // that this rank sends for six numbers of each body
} rico_mpi_halo;

// From a list of any order, in which a body may stand more than once; it is sorted.
rico_status rico_mpi_halo_make(rico_crew *crew, int64_t count, rico_mpi_shared *list, rico_mpi_halo *out);
void rico_mpi_halo_release(rico_crew *crew, rico_mpi_halo *halo);

// The entries of others' bodies become what their owners have, of an array with one of `type` for each body.
rico_status rico_mpi_halo_pass(rico_crew *crew, rico_mpi_halo *halo, MPI_Datatype type, void *array);

#endif
