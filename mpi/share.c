// A rank's bodies and contacts, and products with M^-1, H and H': see share.h.

#include "share.h"

#include "la/small_lu.h"
#include "share_units.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void rico_mpi_share_destroy(rico_mpi_share *share)
{
    if (!share) return;
    rico_context *ctx = share->crew->ctx;
    void *blocks[] = {share->part_start, share->part,     share->body_id,      share->dof,
                      share->dofs,       share->diagonal, share->inverse,      share->v_free,
                      share->v,          share->id,       share->body,         share->H,
                      share->w,          share->mu,       share->norm,         share->local,
                      share->plane,      share->unit,     share->colour_start, share->rows};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) rico_free(ctx, blocks[i]);
    for (int c = 0; share->halo && c < share->colours; c++)
        rico_mpi_halo_release(share->crew, &share->halo[c]);
    rico_free(ctx, share->halo);
    rico_mpi_halo_release(share->crew, &share->everybody);
    if (share->six != MPI_DATATYPE_NULL) MPI_Type_free(&share->six);
    if (share->square != MPI_DATATYPE_NULL) MPI_Type_free(&share->square);
    rico_free(ctx, share);
}


// --- products -------------------------------------------------------------------------------------------------


void rico_mpi_share_read(const rico_mpi_share *share, const double *v, int64_t contact, double u[3])
{
    const double *H = &share->H[36 * contact], *w = &share->w[3 * contact];
    double u0 = w[0], u1 = w[1], u2 = w[2];
    for (int side = 0; side < 2; side++, H += 18) {
        int32_t body = share->body[2 * contact + side];
        if (body < 0) break;
        const double *x = &v[6 * (int64_t)body];
        for (int k = 0; k < 6; k++) {
            u0 += H[3 * k] * x[k];
            u1 += H[3 * k + 1] * x[k];
            u2 += H[3 * k + 2] * x[k];
        }
    }
    u[0] = u0;
    u[1] = u1;
    u[2] = u2;
}


void rico_mpi_share_write(const rico_mpi_share *share, int64_t contact, const double step[3], double *v)
{
    const double *H = &share->H[36 * contact];
    for (int side = 0; side < 2; side++, H += 18) {
        int32_t body = share->body[2 * contact + side];
        if (body < 0) break;
        double *x = &v[6 * (int64_t)body], push[6];
        const double *inverse = &share->inverse[36 * (int64_t)body];
        for (int k = 0; k < 6; k++)
            push[k] = H[3 * k] * step[0] + H[3 * k + 1] * step[1] + H[3 * k + 2] * step[2];
        if (share->diagonal[body]) {
            for (int k = 0; k < 6; k++) x[k] += inverse[k] * push[k];
        } else {
            for (int j = 0; j < 6; j++)
                for (int k = 0; k < 6; k++) x[k] += inverse[6 * j + k] * push[j];
        }
    }
}


// Own entries go out, those of others come in: two stretches of one array.
static rico_status hear(rico_mpi_share *share, rico_mpi_halo *halo, MPI_Datatype type, int64_t times,
                        double *array)
{
    rico_crew *crew = share->crew;
    if (crew->size == 1) return RICO_OK;
    crew->traffic.messages += halo->messages;
    crew->traffic.bytes += times * halo->bytes;
    return rico_mpi_halo_pass(crew, halo, type, array);
}


rico_status rico_mpi_share_hear(rico_mpi_share *share, int colour)
{
    return hear(share, colour < 0 ? &share->everybody : &share->halo[colour], share->six, 1, share->v);
}


rico_status rico_mpi_share_hear_of(rico_mpi_share *share, double *vector)
{
    return hear(share, &share->everybody, share->six, 1, vector);
}


rico_status rico_mpi_share_hear_blocks(rico_mpi_share *share, double *blocks)
{
    return hear(share, &share->everybody, share->square, RICO_MPI_DOFS, blocks);
}


rico_status rico_mpi_share_velocities(rico_mpi_share *share, const double *r, bool hear)
{
    memcpy(share->v, share->v_free, 6 * (size_t)share->bodies * sizeof *share->v);
    // contacts stand in one order on all ranks, so that every body adds its own in the same one
    for (int64_t c = 0; c < share->contacts; c++) rico_mpi_share_write(share, c, &r[3 * c], share->v);
    return hear ? rico_mpi_share_hear(share, -1) : RICO_OK;
}


// --- setting up -----------------------------------------------------------------------------------------------


// Sends each contact to the rank of each of its bodies.
static rico_status send_contacts(rico_crew *crew, const rico_mpi_slab *slab, const rico_mpi_split *split,
                                 int64_t *count, rico_mpi_contact **out)
{
    rico_context *ctx = crew->ctx;
    if (slab->placed) {
        *count = slab->contact_count;
        *out = rico_alloc(ctx, *count, sizeof **out);
        if (*out && *count > 0) memcpy(*out, slab->contact, (size_t)*count * sizeof **out);
        return rico_crew_agree(crew, *out ? RICO_OK : RICO_NO_MEMORY);
    }
    int *counts = rico_alloc(ctx, 3 * (int64_t)crew->size, sizeof *counts);
    rico_status status = rico_crew_agree(crew, counts ? RICO_OK : RICO_NO_MEMORY);
    if (status) return status;
    int64_t total = 0;
    int *at = counts + crew->size, *received = counts + 2 * crew->size;
    for (int pass = 0; pass < 2 && !status; pass++) {
        rico_mpi_contact *send = NULL;
        if (pass == 1) {
            send = rico_alloc(ctx, total, sizeof *send);
            status = rico_crew_agree(crew, send ? RICO_OK : RICO_NO_MEMORY);
            for (int k = 1; k < crew->size; k++) at[k] = at[k - 1] + counts[k - 1];
        }
        for (int64_t c = 0; !status && c < slab->contact_count; c++) {
            const int32_t *body = slab->contact[c].body;
            // contacts that touch nothing stay with the first part
            int a = split->rank_of[body[0] < 0 ? 0 : split->part[body[0]]];
            int b = body[1] < 0 ? a : split->rank_of[split->part[body[1]]];
            for (int side = 0; side < (a == b ? 1 : 2); side++) {
                int to = side == 0 ? a : b;
                if (pass == 0) {
                    counts[to]++;
                    total++;
                } else {
                    send[at[to]++] = slab->contact[c];
                }
            }
        }
        void *arrived = NULL;
        if (pass == 1 && !status)
            status = rico_crew_exchange_counted(crew, counts, send, sizeof *send, received, count, &arrived);
        if (pass == 1) *out = arrived;
        rico_free(ctx, send);
    }
    rico_free(ctx, counts);
    return status;
}


static int compare_places(const void *a, const void *b)
{
    const int32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}


// The rank's parts, and where each begins among its own bodies.
static rico_status list_parts(rico_mpi_share *share, const rico_mpi_split *split)
{
    int rank = share->crew->rank;
    share->all_parts = split->parts;
    share->first_part = split->rank_first[rank];
    share->parts = split->rank_first[rank + 1] - share->first_part;
    share->part_start = rico_alloc(share->crew->ctx, share->parts + 1, sizeof *share->part_start);
    if (!share->part_start) return RICO_NO_MEMORY;
    const int32_t *start = &split->part_start[share->first_part];
    for (int p = 0; p <= share->parts; p++) share->part_start[p] = start[p] - start[0];
    return RICO_OK;
}


// The bodies of the rank: its own in their order, then those of others that its contacts touch. place_of[] are places
// in the order of all bodies.
static rico_status list_bodies(rico_mpi_share *share, const rico_mpi_split *split, int64_t count,
                               const rico_mpi_contact *contacts, int32_t **places)
{
    rico_context *ctx = share->crew->ctx;
    int rank = share->crew->rank;
    int32_t first = split->part_start[split->rank_first[rank]];
    int32_t last = split->part_start[split->rank_first[rank + 1]];
    share->own = last - first;
    int32_t *place = rico_alloc(ctx, share->own + 2 * count, sizeof *place);
    if (!place) return RICO_NO_MEMORY;
    int64_t at = share->own;
    for (int32_t p = first; p < last; p++) place[p - first] = p;
    for (int64_t c = 0; c < count; c++)
        for (int side = 0; side < 2; side++) {
            int32_t body = contacts[c].body[side];
            if (body < 0) continue;
            int32_t p = split->place[body];
            if (p < first || p >= last) place[at++] = p;
        }
    qsort(place + share->own, (size_t)(at - share->own), sizeof *place, compare_places);
    share->bodies = share->own;
    for (int64_t k = share->own; k < at; k++)
        if (k == share->own || place[k] != place[k - 1]) place[share->bodies++] = place[k];
    *places = place;
    return RICO_OK;
}


// The records of bodies that are here already; `wanted` is sorted as they are.
static rico_status find_bodies(const rico_mpi_share *share, const rico_mpi_slab *slab, int64_t count,
                               const int32_t *wanted, int64_t *found, rico_mpi_body **out)
{
    int64_t at = 0;
    *out = rico_alloc(share->crew->ctx, count, sizeof **out);
    for (int64_t b = 0; *out && b < count; b++) {
        while (slab->body[at].id != wanted[b]) at++;
        (*out)[b] = slab->body[at];
    }
    *found = *out ? count : 0;
    return rico_crew_agree(share->crew, *out ? RICO_OK : RICO_NO_MEMORY);
}


// Asks the slabs for the records of our bodies. They come by number; `wanted` is sorted so.
static rico_status fetch_bodies(rico_mpi_share *share, const rico_mpi_slab *slab, int64_t count,
                                int32_t *wanted, int64_t *found, rico_mpi_body **out)
{
    rico_crew *crew = share->crew;
    rico_context *ctx = crew->ctx;
    qsort(wanted, (size_t)count, sizeof *wanted, compare_places);
    if (slab->placed) return find_bodies(share, slab, count, wanted, found, out);
    int *asked = rico_alloc(ctx, 3 * (int64_t)crew->size, sizeof *asked);
    rico_status status = rico_crew_agree(crew, asked ? RICO_OK : RICO_NO_MEMORY);
    if (status) return status;
    int *counts = asked + crew->size, *back = asked + 2 * crew->size;
    for (int64_t b = 0; b < count; b++) asked[rico_mpi_slab_rank(slab, crew->size, wanted[b])]++;
    int64_t number = 0;
    void *requests = NULL, *records = NULL;
    status = rico_crew_exchange_counted(crew, asked, wanted, sizeof *wanted, counts, &number, &requests);
    rico_mpi_body *answer = NULL;
    if (!status) {
        answer = rico_alloc(ctx, number, sizeof *answer);
        status = rico_crew_agree(crew, answer ? RICO_OK : RICO_NO_MEMORY);
    }
    for (int64_t k = 0; !status && k < number; k++)
        answer[k] = slab->body[((const int32_t *)requests)[k] - slab->first_body];
    if (!status)
        status = rico_crew_exchange_counted(crew, counts, answer, sizeof *answer, back, found, &records);
    rico_free(ctx, requests);
    rico_free(ctx, answer);
    rico_free(ctx, asked);
    *out = records;
    return status;
}


// M^-1 and M^-1 f of a body.
static rico_status invert(rico_mpi_share *share, int64_t b, const rico_mpi_body *body, bool solved)
{
    int n = body->dofs;
    bool diagonal = true;
    for (int i = 0; i < n * n; i++) diagonal = diagonal && (i % n == i / n || body->M[i] == 0.0);
    double *inverse = &share->inverse[36 * b], *v = &share->v_free[6 * b], factor[36], x[6];
    share->diagonal[b] = diagonal;
    share->dofs[b] = (uint8_t)n;
    // what factors would make of a diagonal, with less ado
    bool regular = true;
    for (int i = 0; i < n; i++) regular = regular && fabs(body->M[i + i * n]) > 0.0;
    if (diagonal && regular) {
        for (int i = 0; i < n; i++) {
            inverse[i] = 1.0 / body->M[i + i * n];
            v[i] = solved ? body->f[i] : body->f[i] / body->M[i + i * n];
        }
        return RICO_OK;
    }
    int32_t pivot[6];
    memcpy(factor, body->M, sizeof factor);
    if (!rico_small_lu(n, factor, pivot))
        return rico_fail(share->crew->ctx, RICO_SINGULAR, "the mass of body %d is singular", body->id);
    memcpy(x, body->f, sizeof x);
    if (!solved) rico_small_lu_solve(n, factor, pivot, 1, x);
    for (int i = 0; i < n; i++) v[i] = x[i];
    for (int j = 0; j < n; j++) {
        memset(x, 0, sizeof x);
        x[j] = 1.0;
        rico_small_lu_solve(n, factor, pivot, 1, x);
        for (int i = 0; i < n; i++) inverse[6 * j + i] = x[i];
    }
    return RICO_OK;
}


// Where in the rank's list a place is.
static int32_t find_place(const rico_mpi_share *share, const int32_t *places, int32_t place)
{
    int32_t first = share->own > 0 ? places[0] : 0;
    if (share->own > 0 && place >= first && place < first + share->own) return place - first;
    int64_t low = share->own, high = share->bodies;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (places[middle] <= place)
            low = middle;
        else
            high = middle;
    }
    return (int32_t)low;
}


static rico_status take_bodies(rico_mpi_share *share, const rico_mpi_slab *slab, const rico_mpi_split *split,
                               const int32_t *places)
{
    rico_crew *crew = share->crew;
    rico_context *ctx = crew->ctx;
    share->body_id = rico_alloc(ctx, share->bodies, sizeof *share->body_id);
    share->dof = rico_alloc(ctx, share->bodies, sizeof *share->dof);
    share->part = rico_alloc(ctx, share->bodies, sizeof *share->part);
    share->dofs = rico_alloc(ctx, share->bodies, sizeof *share->dofs);
    share->diagonal = rico_alloc(ctx, share->bodies, sizeof *share->diagonal);
    share->inverse = rico_alloc(ctx, 36 * share->bodies, sizeof *share->inverse);
    share->v_free = rico_alloc(ctx, 6 * share->bodies, sizeof *share->v_free);
    share->v = rico_alloc(ctx, 6 * share->bodies, sizeof *share->v);
    int32_t *by_place = rico_alloc(ctx, slab->bodies, sizeof *by_place);
    int32_t *wanted = rico_alloc(ctx, share->bodies, sizeof *wanted);
    bool room = share->body_id && share->dof && share->part && share->dofs && share->diagonal &&
                share->inverse && share->v_free && share->v && by_place && wanted;
    rico_status status = rico_crew_agree(crew, room ? RICO_OK : RICO_NO_MEMORY);
    int64_t found = 0;
    rico_mpi_body *records = NULL;
    if (!status) {
        for (int64_t b = 0; b < slab->bodies; b++) by_place[split->place[b]] = (int32_t)b;
        for (int64_t b = 0; b < share->bodies; b++) wanted[b] = share->body_id[b] = by_place[places[b]];
        for (int64_t b = 0; slab->start && b < share->bodies; b++)
            share->dof[b] = slab->start[share->body_id[b]];
        for (int64_t b = 0; b < share->bodies; b++) share->part[b] = split->part[share->body_id[b]];
        status = fetch_bodies(share, slab, share->bodies, wanted, &found, &records);
    }
    rico_status own = RICO_OK;
    for (int64_t k = 0; !status && !own && k < found; k++)
        own =
            invert(share, find_place(share, places, split->place[records[k].id]), &records[k], slab->placed);
    rico_free(ctx, records);
    rico_free(ctx, by_place);
    rico_free(ctx, wanted);
    return status ? status : rico_crew_agree(crew, own);
}


// W_aa of one contact, row-major, `n` by `n`.
static void diagonal_block(const rico_mpi_share *share, int64_t c, int n, double *W)
{
    const double *H = &share->H[36 * c];
    memset(W, 0, (size_t)(n * n) * sizeof *W);
    for (int side = 0; side < 2; side++, H += 18) {
        int32_t body = share->body[2 * c + side];
        if (body < 0) break;
        const double *inverse = &share->inverse[36 * (int64_t)body];
        for (int j = 0; j < n; j++) {
            double x[6] = {0.0};
            for (int k = 0; k < 6; k++)
                for (int l = 0; l < 6; l++) {
                    if (share->diagonal[body] && l != k) continue;
                    x[k] += (share->diagonal[body] ? inverse[k] : inverse[6 * l + k]) * H[3 * l + j];
                }
            for (int i = 0; i < n; i++)
                for (int k = 0; k < 6; k++) W[i * n + j] += H[3 * k + i] * x[k];
        }
    }
}


// Local solvers, |W_aa|, q and what its round-off leaves undecided (as problem/reduce.c has it).
static rico_status prepare_contacts(rico_mpi_share *share)
{
    rico_crew *crew = share->crew;
    if (share->dimension == 3)
        share->local = rico_alloc(crew->ctx, share->contacts, sizeof *share->local);
    else
        share->plane = rico_alloc(crew->ctx, share->contacts, sizeof *share->plane);
    rico_status status = rico_crew_agree(crew, share->local || share->plane ? RICO_OK : RICO_NO_MEMORY);
    if (status) return status;
    double largest = 0.0, noise = 0.0;
    rico_exact square = {0};
    for (int64_t u = 0; u < share->unit_count; u++) {
        double sum = 0.0;
        for (int64_t c = share->unit[u].first; c < share->unit[u].last; c++) {
            double W[9], q[3], norm = 0.0;
            int n = share->rows[c];
            diagonal_block(share, c, n, W);
            if (n == 1) {
                (share->local ? share->local[c].W : share->plane[c].W)[0] = W[0];
            } else if (n == 3) {
                rico_one_contact_prepare(&share->local[c], W, share->mu[c]);
            } else {
                memcpy(share->plane[c].W, W, sizeof share->plane[c].W);
                share->plane[c].mu = share->mu[c];
            }
            for (int i = 0; i < n * n; i++) norm += W[i] * W[i];
            share->norm[c] = sqrt(norm);
            largest = fmax(largest, share->norm[c]);
            rico_mpi_share_read(share, share->v_free, c, q);
            for (int i = 0; i < n; i++) {
                double size = fabs(share->w[3 * c + i]);
                for (int side = 0; side < 2; side++) {
                    int32_t body = share->body[2 * c + side];
                    for (int k = 0; body >= 0 && k < 6; k++)
                        size += fabs(share->H[36 * c + 18 * side + 3 * k + i] * share->v_free[6 * body + k]);
                }
                noise = fmax(noise, size);
                sum += q[i] * q[i];
            }
        }
        if (share->unit[u].counts && isfinite(sum)) rico_exact_add(&square, sum);
    }
    rico_crew_sum(crew, 1, &square);
    share->q_size = sqrt(rico_exact_value(&square));
    share->noise = 4.0 * DBL_EPSILON * rico_crew_largest(crew, noise);
    largest = rico_crew_largest(crew, largest);
    for (int64_t c = 0; c < share->contacts; c++)
        if (share->norm[c] == 0.0) share->norm[c] = largest > 0.0 ? largest : 1.0;
    return RICO_OK;
}


static rico_status fill(rico_mpi_share *share, const rico_mpi_slab *slab, const rico_mpi_split *split)
{
    rico_crew *crew = share->crew;
    rico_context *ctx = crew->ctx;
    int64_t count = 0;
    rico_mpi_contact *contacts = NULL;
    int32_t *places = NULL;
    uint16_t *colour = rico_alloc(ctx, (int64_t)split->parts * split->parts, sizeof *colour);
    rico_status status = rico_crew_agree(crew, colour ? RICO_OK : RICO_NO_MEMORY);
    if (!status) status = rico_mpi_colour_pairs(crew, slab, split, colour, &share->colours);
    if (!status) status = send_contacts(crew, slab, split, &count, &contacts);
    if (!status) status = rico_crew_agree(crew, list_parts(share, split));
    if (!status) status = rico_crew_agree(crew, list_bodies(share, split, count, contacts, &places));
    if (!status) status = take_bodies(share, slab, split, places);
    if (!status) status = rico_crew_agree(crew, rico_mpi_make_units(share, split, colour, count, contacts));
    rico_free(ctx, contacts);
    rico_free(ctx, colour);
    for (int64_t k = 0; !status && k < 2 * share->contacts; k++)
        if (share->body[k] >= 0) share->body[k] = find_place(share, places, split->place[share->body[k]]);
    rico_free(ctx, places);
    if (!status) status = rico_mpi_make_halos(share);
    if (!status) status = prepare_contacts(share);
    return status;
}


rico_status rico_mpi_share_create(rico_crew *crew, const rico_mpi_slab *slab, const rico_mpi_split *split,
                                  rico_mpi_share **out)
{
    rico_mpi_share *share = rico_alloc(crew->ctx, 1, sizeof *share);
    rico_status status = rico_crew_agree(crew, share ? RICO_OK : RICO_NO_MEMORY);
    if (status) return status;
    share->crew = crew;
    share->dimension = slab->dimension;
    share->all_contacts = slab->contacts;
    share->all_bodies = slab->bodies;
    share->all_dofs = slab->dofs;
    share->six = share->square = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(6, MPI_DOUBLE, &share->six);
    MPI_Type_commit(&share->six);
    MPI_Type_contiguous(RICO_MPI_DOFS, share->six, &share->square);
    MPI_Type_commit(&share->square);
    status = fill(share, slab, split);
    if (status) {
        rico_mpi_share_destroy(share);
        return status;
    }
    *out = share;
    return RICO_OK;
}


bool rico_mpi_share_mass(const rico_mpi_share *share, int64_t b, double M[36])
{
    const double *inverse = &share->inverse[36 * b];
    double factor[36];
    int32_t pivot[6];
    for (int k = 0; k < 6; k++)
        for (int i = 0; i < 6; i++) {
            bool inside = k < share->dofs[b] && i < share->dofs[b];
            factor[6 * k + i] = !inside              ? (i == k)
                                : share->diagonal[b] ? (i == k ? inverse[k] : 0.0)
                                                     : inverse[6 * k + i];
            M[6 * k + i] = i == k;
        }
    if (!rico_small_lu(6, factor, pivot)) return false;
    rico_small_lu_solve(6, factor, pivot, 6, M);
    // columns came out, rows are wanted
    for (int k = 0; k < 6; k++)
        for (int i = 0; i < k; i++) {
            double swap = M[6 * k + i];
            M[6 * k + i] = M[6 * i + k];
            M[6 * i + k] = swap;
        }
    return true;
}
