// The ranks that work together: who we are, agreeing on failures, sums that all ranks share, and what was sent.

#ifndef RICO_MPI_CREW_H
#define RICO_MPI_CREW_H

#include "base/context.h"
#include "exact.h"

#include <mpi.h>

// What this rank has sent, beyond setting up.
typedef struct rico_mpi_traffic {
    int64_t messages, bytes;           // to neighbours
    int64_t reductions, reduced_bytes; // sums over all ranks; bytes of one contribution
    double waiting;                    // processor seconds spent on both
} rico_mpi_traffic;

typedef struct rico_crew {
    rico_context *ctx;
    MPI_Comm comm;
    int rank, size;
    rico_mpi_traffic traffic;
} rico_crew;

rico_status rico_crew_create(rico_context *ctx, MPI_Comm comm, rico_crew **out);
void rico_crew_destroy(rico_crew *crew);

// All ranks call it with what they have met; all leave with the same status and, where one failed, with the sentence of
// the lowest rank that did.
rico_status rico_crew_agree(rico_crew *crew, rico_status mine);

// Processor time of this rank, in seconds.
double rico_crew_clock(void);

// Adds the exact sums of all ranks, in place.
void rico_crew_sum(rico_crew *crew, int count, rico_exact *sums);

// MPI_Allreduce in place, kept account of.
void rico_crew_reduce(rico_crew *crew, void *x, int64_t count, MPI_Datatype type, MPI_Op op);

// The largest over all ranks.
double rico_crew_largest(rico_crew *crew, double mine);

// Sends `record`s of `bytes` bytes: to[i] is the rank of record i (sorted by rank). *received are those for us, by
// sender, in memory of the context.
rico_status rico_crew_exchange(rico_crew *crew, int64_t count, const int *to, const void *records,
                               size_t bytes, int64_t *received_count, void **received);

// The same, telling how many came from each rank (`size` entries), for answers that go back.
rico_status rico_crew_exchange_counted(rico_crew *crew, const int *counts, const void *records, size_t bytes,
                                       int *received_counts, int64_t *received_count, void **received);

#endif
