// Exchanges with neighbours: see halo.h.

#include "halo.h"

#include <stdlib.h>
#include <string.h>

enum { THEIRS, OURS, TAG = 4711, VELOCITIES = 6 };


void rico_mpi_halo_release(rico_crew *crew, rico_mpi_halo *halo)
{
    void *all[] = {halo->rank,    halo->start[0], halo->start[1], halo->body[0],
                   halo->body[1], halo->request,  halo->buffer};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(crew->ctx, all[i]);
    *halo = (rico_mpi_halo){0};
}


static int in_order(const void *a, const void *b)
{
    const rico_mpi_shared *x = a, *y = b;
    if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
    if (x->ours != y->ours) return x->ours ? 1 : -1;
    return (x->body > y->body) - (x->body < y->body);
}


rico_status rico_mpi_halo_make(rico_crew *crew, int64_t count, rico_mpi_shared *list, rico_mpi_halo *out)
{
    rico_context *ctx = crew->ctx;
    int64_t left = 0;
    int neighbours = 0;
    qsort(list, (size_t)count, sizeof *list, in_order);
    for (int64_t k = 0; k < count; k++) {
        if (left > 0 && in_order(&list[left - 1], &list[k]) == 0) continue;
        neighbours += left == 0 || list[left - 1].rank != list[k].rank;
        list[left++] = list[k];
    }
    *out = (rico_mpi_halo){.neighbours = neighbours};
    out->rank = rico_alloc(ctx, neighbours, sizeof *out->rank);
    out->request = rico_alloc(ctx, 2 * (int64_t)neighbours, sizeof(MPI_Request));
    bool room = out->rank && out->request;
    for (int side = 0; side < 2; side++) {
        out->start[side] = rico_alloc(ctx, neighbours + 1, sizeof *out->start[side]);
        out->body[side] = rico_alloc(ctx, left, sizeof *out->body[side]);
        room = room && out->start[side] && out->body[side];
    }
    if (!room) return RICO_NO_MEMORY;
    int at = -1;
    for (int64_t k = 0; k < left; k++) {
        if (k == 0 || list[k].rank != list[k - 1].rank) {
            out->rank[++at] = list[k].rank;
            for (int side = 0; side < 2; side++) out->start[side][at + 1] = out->start[side][at];
        }
        int64_t *end = &out->start[list[k].ours ? OURS : THEIRS][at + 1];
        out->body[list[k].ours ? OURS : THEIRS][(*end)++] = list[k].body;
    }
    for (int k = 0; k < neighbours; k++) out->messages += out->start[OURS][k + 1] > out->start[OURS][k];
    out->bytes = out->start[OURS][neighbours] * VELOCITIES * (int64_t)sizeof(double);
    return RICO_OK;
}


// One message each way for each neighbour; what comes in stands first in the buffer.
rico_status rico_mpi_halo_pass(rico_crew *crew, rico_mpi_halo *halo, MPI_Datatype type, void *array)
{
    int size, requests = 0, n = halo->neighbours;
    if (n == 0) return RICO_OK;
    MPI_Type_size(type, &size);
    int64_t incoming = halo->start[THEIRS][n] * size, total = incoming + halo->start[OURS][n] * size;
    if (total > halo->room) {
        rico_free(crew->ctx, halo->buffer);
        halo->room = 0;
        halo->buffer = rico_alloc(crew->ctx, total, 1);
        if (!halo->buffer) MPI_Abort(crew->comm, EXIT_FAILURE); // the others wait already
        halo->room = total;
    }
    char *own = array, *in = halo->buffer, *out = halo->buffer + incoming;
    for (int64_t k = 0; k < halo->start[OURS][n]; k++)
        memcpy(out + k * size, own + (int64_t)halo->body[OURS][k] * size, (size_t)size);
    double began = rico_crew_clock();
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < n; k++) {
            int64_t first = halo->start[side][k], count = halo->start[side][k + 1] - first;
            if (count == 0) continue;
            if (side == THEIRS)
                MPI_Irecv(in + first * size, (int)count, type, halo->rank[k], TAG, crew->comm,
                          &halo->request[requests++]);
            else
                MPI_Isend(out + first * size, (int)count, type, halo->rank[k], TAG, crew->comm,
                          &halo->request[requests++]);
        }
    MPI_Waitall(requests, halo->request, MPI_STATUSES_IGNORE);
    crew->traffic.waiting += rico_crew_clock() - began;
    for (int64_t k = 0; k < halo->start[THEIRS][n]; k++)
        memcpy(own + (int64_t)halo->body[THEIRS][k] * size, in + k * size, (size_t)size);
    return RICO_OK;
}
