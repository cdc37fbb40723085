// Bodies and contacts of a slab, from columns of M and H: see slab.h.

#include "slab.h"

#include "slab_columns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void rico_mpi_slab_release(rico_mpi_slab *slab)
{
    if (!slab->ctx) return;
    rico_free(slab->ctx, slab->start);
    rico_free(slab->ctx, slab->body);
    rico_free(slab->ctx, slab->contact);
    *slab = (rico_mpi_slab){0};
}


int32_t rico_mpi_slab_body_of(const rico_mpi_slab *slab, int64_t dof)
{
    // bodies are mostly of one size
    int64_t guess = slab->dofs > 0 ? dof * slab->bodies / slab->dofs : 0;
    if (slab->start[guess] <= dof && dof < slab->start[guess + 1]) return (int32_t)guess;
    int64_t low = 0, high = slab->bodies; // start[low] <= dof < start[high]
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (slab->start[middle] <= dof)
            low = middle;
        else
            high = middle;
    }
    return (int32_t)low;
}


rico_mpi_memory rico_mpi_foresee(int ranks, int64_t contacts, int64_t bodies)
{
    // a contact: its record twice while it moves, its rows, its local solver, twelve vectors of the acceleration and
    // four beside; a body: its record, its inverse, eight velocities; everywhere 12 bytes for each body; a part may be
    // a tenth larger than its share, and neighbours' contacts come on top
    enum { CONTACT = 2 * 336 + 288 + 200 + 16 * 24, BODY = 2 * 344 + 288 + 8 * 48, EVERYWHERE = 12 };
    enum { EDGE = 64, VERTEX = 64, PROGRAM = 100 << 20 };
    double share = 1.25 / ranks;
    rico_mpi_memory needed = {.rank = share * ((double)contacts * CONTACT + (double)bodies * BODY) +
                                      (double)bodies * EVERYWHERE + PROGRAM};
    needed.first = needed.rank + (double)contacts * EDGE + (double)bodies * VERTEX;
    return needed;
}


// Where the slab of a rank begins among `count` things.
static int64_t cut(const rico_mpi_slab *slab, int64_t count, int rank, int ranks)
{
    if (slab->rooted) return rank == 0 ? 0 : count;
    return count * rank / ranks;
}


int rico_mpi_slab_rank(const rico_mpi_slab *slab, int ranks, int32_t body)
{
    if (slab->rooted) return 0;
    int rank = (int)((int64_t)body * ranks / slab->bodies);
    while (cut(slab, slab->bodies, rank, ranks) > body) rank--;
    while (cut(slab, slab->bodies, rank + 1, ranks) <= body) rank++;
    return rank;
}


// --- where bodies begin ---------------------------------------------------------------------------------------


// A body begins at a velocity that no column before reaches. `farthest` is what the columns of lower ranks reach.
static rico_status mark_starts(rico_context *ctx, const rico_mpi_columns *M, int64_t farthest,
                               int32_t *starts, int64_t *count)
{
    int64_t first = 0; // of the present body
    *count = 0;
    for (int64_t j = 0; j < M->count; j++) {
        int64_t dof = M->first + j;
        if (farthest < dof) {
            starts[(*count)++] = (int32_t)dof;
            first = dof;
        }
        for (int64_t k = M->start[j]; k < M->start[j + 1]; k++) {
            int64_t row = M->row[k - M->start[0]];
            if (row > farthest) farthest = row;
            if (*count > 0 && row < first)
                return rico_fail(ctx, RICO_UNSUPPORTED,
                                 "M has an entry in row %lld, column %lld, but none across", (long long)row,
                                 (long long)dof);
        }
        if (*count > 0 && farthest - first >= RICO_MPI_DOFS)
            return rico_fail(
                ctx, RICO_UNSUPPORTED,
                "M couples the velocities %lld to %lld: it does not fall apart into bodies of at most "
                "%d successive velocities, which is what rico-mpi takes",
                (long long)first, (long long)farthest, RICO_MPI_DOFS);
        if (M->start[j + 1] == M->start[j])
            return rico_fail(ctx, RICO_SINGULAR, "column %lld of M is empty", (long long)dof);
    }
    return RICO_OK;
}


// Bodies of six velocities (three in the plane), one after the other, unless M couples across them. Parts of a body that
// M does not couple, as in a sphere, are one body all the same.
static bool bodies_of_one_size(rico_crew *crew, const rico_mpi_columns *M, const rico_mpi_slab *slab,
                               int64_t size)
{
    int across = 0;
    for (int64_t j = 0; j < M->count; j++)
        for (int64_t k = M->start[j]; k < M->start[j + 1]; k++)
            across = across || M->row[k - M->start[0]] / size != (M->first + j) / size;
    MPI_Allreduce(MPI_IN_PLACE, &across, 1, MPI_INT, MPI_MAX, crew->comm);
    return !across && slab->dofs % size == 0;
}


static rico_status find_bodies(rico_crew *crew, const rico_mpi_columns *M, rico_mpi_slab *slab)
{
    rico_context *ctx = crew->ctx;
    int64_t size = slab->dimension == 3 ? 6 : 3;
    if (bodies_of_one_size(crew, M, slab, size)) {
        slab->bodies = slab->dofs / size;
        slab->start = rico_alloc(ctx, slab->bodies + 1, sizeof *slab->start);
        for (int64_t b = 0; slab->start && b <= slab->bodies; b++) slab->start[b] = (int32_t)(size * b);
        return rico_crew_agree(crew, slab->start ? RICO_OK : RICO_NO_MEMORY);
    }
    int64_t reach = -1, before = -1, count = 0;
    for (int64_t k = 0; k < M->start[M->count] - M->start[0]; k++)
        if (M->row[k] > reach) reach = M->row[k];
    MPI_Exscan(&reach, &before, 1, MPI_INT64_T, MPI_MAX, crew->comm);
    if (crew->rank == 0) before = -1;

    int32_t *mine = rico_alloc(ctx, M->count, sizeof *mine);
    int *counts = rico_alloc(ctx, 2 * (int64_t)crew->size, sizeof *counts), *places = counts + crew->size;
    rico_status status = mine && counts ? mark_starts(ctx, M, before, mine, &count) : RICO_NO_MEMORY;
    status = rico_crew_agree(crew, status);
    if (!status) {
        int own = (int)count;
        MPI_Allgather(&own, 1, MPI_INT, counts, 1, MPI_INT, crew->comm);
        for (int k = 1; k < crew->size; k++) places[k] = places[k - 1] + counts[k - 1];
        slab->bodies = places[crew->size - 1] + counts[crew->size - 1];
        slab->start = rico_alloc(ctx, slab->bodies + 1, sizeof *slab->start);
        status = rico_crew_agree(crew, slab->start ? RICO_OK : RICO_NO_MEMORY);
    }
    if (!status) {
        MPI_Allgatherv(mine, (int)count, MPI_INT32_T, slab->start, counts, places, MPI_INT32_T, crew->comm);
        slab->start[slab->bodies] = (int32_t)slab->dofs;
    }
    // a body across two slabs was seen in parts
    for (int64_t b = 0; !status && b < slab->bodies; b++)
        if (slab->start[b + 1] - slab->start[b] > RICO_MPI_DOFS)
            status = rico_fail(ctx, RICO_UNSUPPORTED, "M couples more than %d velocities, from %d on",
                               RICO_MPI_DOFS, slab->start[b]);
    rico_free(ctx, mine);
    rico_free(ctx, counts);
    return status;
}


// --- records --------------------------------------------------------------------------------------------------


static rico_status fill_bodies(rico_mpi_slab *slab, const rico_mpi_columns *M, const double *f)
{
    for (int64_t b = 0; b < slab->body_count; b++) {
        rico_mpi_body *body = &slab->body[b];
        int64_t first = slab->start[slab->first_body + b];
        body->id = (int32_t)(slab->first_body + b);
        body->dofs = (int32_t)(slab->start[slab->first_body + b + 1] - first);
        for (int32_t j = 0; j < body->dofs; j++) {
            int64_t column = first + j - M->first;
            body->f[j] = f[column];
            for (int64_t k = M->start[column]; k < M->start[column + 1]; k++) {
                int64_t i = M->row[k - M->start[0]] - first;
                if (i < 0 || i >= body->dofs)
                    return rico_fail(slab->ctx, RICO_UNSUPPORTED,
                                     "M has an entry in column %lld outside of its body",
                                     (long long)first + j);
                body->M[i + j * body->dofs] += M->value[k - M->start[0]];
            }
        }
    }
    return RICO_OK;
}


// The side of the contact that belongs to a body, -1 where it touches two others already.
static int side_of(rico_mpi_contact *contact, int32_t body)
{
    for (int side = 0; side < 2; side++) {
        if (contact->body[side] == -1) contact->body[side] = body;
        if (contact->body[side] == body) return side;
    }
    return -1;
}


static rico_status fill_contacts(rico_mpi_slab *slab, const rico_mpi_columns *H, const double *w,
                                 const double *mu)
{
    for (int64_t c = 0; c < slab->contact_count; c++) {
        rico_mpi_contact *contact = &slab->contact[c];
        contact->id = slab->first_contact + c;
        contact->body[0] = contact->body[1] = -1;
        contact->mu = mu[c];
        if (!(mu[c] >= 0.0))
            return rico_fail(slab->ctx, RICO_BAD_INPUT, "contact %lld has the coefficient of friction %g",
                             (long long)contact->id, mu[c]);
        for (int i = 0; i < slab->dimension; i++) {
            int64_t column = slab->dimension * c + i;
            contact->w[i] = w[column];
            for (int64_t k = H->start[column]; k < H->start[column + 1]; k++) {
                int64_t dof = H->row[k - H->start[0]];
                int32_t body = rico_mpi_slab_body_of(slab, dof);
                int side = side_of(contact, body);
                if (side < 0)
                    return rico_fail(slab->ctx, RICO_UNSUPPORTED, "contact %lld touches more than two bodies",
                                     (long long)contact->id);
                contact->H[18 * side + 3 * (dof - slab->start[body]) + i] += H->value[k - H->start[0]];
            }
        }
        // in the order of their numbers, whatever the order of the entries
        if (contact->body[1] >= 0 && contact->body[1] < contact->body[0]) {
            double kept[18];
            int32_t first = contact->body[1];
            contact->body[1] = contact->body[0];
            contact->body[0] = first;
            memcpy(kept, contact->H, sizeof kept);
            memcpy(contact->H, contact->H + 18, sizeof kept);
            memcpy(contact->H + 18, kept, sizeof kept);
        }
    }
    return RICO_OK;
}


static rico_status make_room(rico_crew *crew, rico_mpi_slab *slab)
{
    slab->first_body = cut(slab, slab->bodies, crew->rank, crew->size);
    slab->body_count = cut(slab, slab->bodies, crew->rank + 1, crew->size) - slab->first_body;
    slab->first_contact = cut(slab, slab->contacts, crew->rank, crew->size);
    slab->contact_count = cut(slab, slab->contacts, crew->rank + 1, crew->size) - slab->first_contact;
    slab->body = rico_alloc(crew->ctx, slab->body_count, sizeof *slab->body);
    slab->contact = rico_alloc(crew->ctx, slab->contact_count, sizeof *slab->contact);
    return rico_crew_agree(crew, slab->body && slab->contact ? RICO_OK : RICO_NO_MEMORY);
}


// Everything but reading: `source` gives columns and vectors.
static rico_status take_in(rico_crew *crew, rico_mpi_source *source, rico_mpi_slab *slab)
{
    rico_context *ctx = crew->ctx;
    rico_mpi_columns M = {0}, H = {0};
    double *f = NULL, *w = NULL, *mu = NULL;
    int64_t first = cut(slab, slab->dofs, crew->rank, crew->size),
            last = cut(slab, slab->dofs, crew->rank + 1, crew->size);
    rico_status status = rico_crew_agree(crew, rico_mpi_source_mass(source, first, last, &M));
    if (!status) status = find_bodies(crew, &M, slab);
    if (!status) status = make_room(crew, slab);
    rico_mpi_columns_release(ctx, &M);
    if (status) return status;

    // bodies, whole this time
    int64_t from = slab->start[slab->first_body], to = slab->start[slab->first_body + slab->body_count];
    status = rico_mpi_source_mass(source, from, to, &M);
    if (!status) status = rico_mpi_source_vector(source, RICO_MPI_FORCE, from, to, &f);
    if (!status) status = fill_bodies(slab, &M, f);
    rico_mpi_columns_release(ctx, &M);
    rico_free(ctx, f);

    int64_t d = slab->dimension, start = slab->first_contact, end = start + slab->contact_count;
    if (!status) status = rico_mpi_source_jacobian(source, d * start, d * end, &H);
    if (!status) status = rico_mpi_source_vector(source, RICO_MPI_OFFSET, d * start, d * end, &w);
    if (!status) status = rico_mpi_source_vector(source, RICO_MPI_FRICTION, start, end, &mu);
    if (!status) status = fill_contacts(slab, &H, w, mu);
    rico_mpi_columns_release(ctx, &H);
    rico_free(ctx, w);
    rico_free(ctx, mu);
    return rico_crew_agree(crew, status);
}


// --- sizes and memory -----------------------------------------------------------------------------------------


double rico_mpi_available(rico_crew *crew)
{
    MPI_Comm here;
    int ranks;
    MPI_Comm_split_type(crew->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &ranks);
    MPI_Comm_free(&here);
    return rico_machine_memory() / ranks;
}


static rico_status check_memory(rico_crew *crew, double limit, const rico_mpi_memory *needed)
{
    double mine = crew->rank == 0 ? needed->first : needed->rank,
           room = limit > 0.0 ? limit : rico_mpi_available(crew);
    if (mine <= room) return RICO_OK;
    return rico_fail(
        crew->ctx, RICO_NO_MEMORY,
        "rank %d would need %.2f GB of memory and may use %.2f GB; more ranks need less each, on more "
        "machines",
        crew->rank, mine / 1e9, room / 1e9);
}


rico_status rico_mpi_slab_read(rico_crew *crew, const char *path, double limit, rico_mpi_memory *needed,
                               rico_mpi_slab *out)
{
    rico_mpi_slab slab = {.ctx = crew->ctx};
    rico_mpi_source source = {0};
    int64_t rows = 0;
    rico_status status = rico_mpi_source_open(crew->ctx, path, &source, &slab.dimension, &slab.dofs, &rows);
    status = rico_crew_agree(crew, status);
    slab.contacts = status ? 0 : rows / slab.dimension;
    if (!status) {
        *needed = rico_mpi_foresee(crew->size, slab.contacts, slab.dofs / (slab.dimension == 3 ? 6 : 3));
        status = rico_crew_agree(crew, check_memory(crew, limit, needed));
    }
    if (!status) status = take_in(crew, &source, &slab);
    rico_mpi_source_close(&source);
    if (status) {
        rico_mpi_slab_release(&slab);
        bool named = strncmp(rico_message(crew->ctx), path, strlen(path)) == 0;
        return named ? status : rico_fail_in(crew->ctx, status, path);
    }
    *out = slab;
    return RICO_OK;
}


rico_status rico_mpi_slab_of_problem(rico_crew *crew, const rico_problem *problem, rico_mpi_slab *out)
{
    rico_mpi_slab slab = {.ctx = crew->ctx, .rooted = true};
    rico_mpi_source source = {.ctx = crew->ctx};
    int64_t sizes[3] = {3, 0, 0};
    rico_status status = RICO_OK;
    if (crew->rank == 0) {
        int dimension = 3;
        status = rico_mpi_source_of_problem(crew->ctx, problem, &source, &dimension, &sizes[1], &sizes[2]);
        sizes[0] = dimension;
    }
    status = rico_crew_agree(crew, status);
    MPI_Bcast(sizes, 3, MPI_INT64_T, 0, crew->comm);
    slab.dimension = (int)sizes[0];
    slab.dofs = sizes[1];
    slab.contacts = sizes[2] / sizes[0];
    if (!status) status = take_in(crew, &source, &slab);
    rico_mpi_source_close(&source);
    if (status) {
        rico_mpi_slab_release(&slab);
        return status;
    }
    *out = slab;
    return RICO_OK;
}
