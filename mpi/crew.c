// The ranks that work together: see crew.h.

#include "crew.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

rico_status rico_crew_create(rico_context *ctx, MPI_Comm comm, rico_crew **out)
{
    rico_crew *crew = rico_alloc(ctx, 1, sizeof *crew);
    if (!crew) return RICO_NO_MEMORY;
    crew->ctx = ctx;
    crew->comm = comm;
    MPI_Comm_rank(comm, &crew->rank);
    MPI_Comm_size(comm, &crew->size);
    *out = crew;
    return RICO_OK;
}


void rico_crew_destroy(rico_crew *crew)
{
    if (crew) rico_free(crew->ctx, crew);
}


rico_status rico_crew_agree(rico_crew *crew, rico_status mine)
{
    int first = mine != RICO_OK ? crew->rank : crew->size;
    rico_crew_reduce(crew, &first, 1, MPI_INT, MPI_MIN);
    if (first == crew->size) return RICO_OK;

    char sentence[1024] = "";
    int status = (int)mine;
    if (crew->rank == first) snprintf(sentence, sizeof sentence, "%s", rico_message(crew->ctx));
    MPI_Bcast(&status, 1, MPI_INT, first, crew->comm);
    MPI_Bcast(sentence, sizeof sentence, MPI_CHAR, first, crew->comm);
    return rico_fail(crew->ctx, (rico_status)status, "%s", sentence);
}


double rico_crew_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}


void rico_crew_sum(rico_crew *crew, int count, rico_exact *sums)
{
    crew->traffic.reductions++;
    crew->traffic.reduced_bytes += (int64_t)count * (int64_t)sizeof *sums;
    if (crew->size == 1) return;
    double began = rico_crew_clock();
    MPI_Allreduce(MPI_IN_PLACE, sums, count * RICO_EXACT_LIMBS, MPI_INT64_T, MPI_SUM, crew->comm);
    crew->traffic.waiting += rico_crew_clock() - began;
}


void rico_crew_reduce(rico_crew *crew, void *x, int64_t count, MPI_Datatype type, MPI_Op op)
{
    enum { PIECE = 1 << 24 }; // counts are ints
    int bytes;
    if (crew->size == 1) return;
    double began = rico_crew_clock();
    MPI_Type_size(type, &bytes);
    for (int64_t at = 0; at < count; at += PIECE)
        MPI_Allreduce(MPI_IN_PLACE, (char *)x + at * bytes, (int)(count - at < PIECE ? count - at : PIECE),
                      type, op, crew->comm);
    crew->traffic.waiting += rico_crew_clock() - began;
}


double rico_crew_largest(rico_crew *crew, double mine)
{
    rico_crew_reduce(crew, &mine, 1, MPI_DOUBLE, MPI_MAX);
    return mine;
}


rico_status rico_crew_exchange_counted(rico_crew *crew, const int *counts, const void *records, size_t bytes,
                                       int *received_counts, int64_t *received_count, void **received)
{
    rico_context *ctx = crew->ctx;
    int *places = rico_alloc(ctx, 2 * (int64_t)crew->size, sizeof *places);
    rico_status status = rico_crew_agree(crew, places ? RICO_OK : RICO_NO_MEMORY);
    if (status) {
        rico_free(ctx, places);
        return status;
    }
    double began = rico_crew_clock();
    MPI_Alltoall(counts, 1, MPI_INT, received_counts, 1, MPI_INT, crew->comm);
    crew->traffic.waiting += rico_crew_clock() - began;
    int *from = places, *to = places + crew->size;
    int64_t total = received_counts[0];
    for (int k = 1; k < crew->size; k++) {
        from[k] = from[k - 1] + counts[k - 1];
        to[k] = to[k - 1] + received_counts[k - 1];
        total += received_counts[k];
    }
    void *block = rico_alloc(ctx, total, bytes);
    status = rico_crew_agree(crew, block ? RICO_OK : RICO_NO_MEMORY);
    if (!status) {
        began = rico_crew_clock();
        // counted in records, so that no count exceeds an int where bytes would
        MPI_Datatype record;
        MPI_Type_contiguous((int)bytes, MPI_BYTE, &record);
        MPI_Type_commit(&record);
        MPI_Alltoallv(records, counts, from, record, block, received_counts, to, record, crew->comm);
        MPI_Type_free(&record);
        crew->traffic.waiting += rico_crew_clock() - began;
        *received = block;
        *received_count = total;
    } else {
        rico_free(ctx, block);
    }
    rico_free(ctx, places);
    return status;
}


rico_status rico_crew_exchange(rico_crew *crew, int64_t count, const int *to, const void *records,
                               size_t bytes, int64_t *received_count, void **received)
{
    int *counts = rico_alloc(crew->ctx, 2 * (int64_t)crew->size, sizeof *counts);
    rico_status status = rico_crew_agree(crew, counts ? RICO_OK : RICO_NO_MEMORY);
    if (!status) {
        for (int64_t i = 0; i < count; i++) counts[to[i]]++;
        status = rico_crew_exchange_counted(crew, counts, records, bytes, counts + crew->size, received_count,
                                            received);
    }
    rico_free(crew->ctx, counts);
    return status;
}
