// Units, colours and halos: see share_units.h.

#include "share_units.h"

#include <stdlib.h>
#include <string.h>

// --- colours ----------------------------------------------------------------------------------------------------


rico_status rico_mpi_colour_pairs(rico_crew *crew, const rico_mpi_slab *slab, const rico_mpi_split *split,
                                  uint16_t *colour, int *colours)
{
    int parts = split->parts;
    for (int64_t c = 0; c < slab->contact_count; c++) {
        const int32_t *body = slab->contact[c].body;
        if (body[1] < 0 || split->part[body[0]] == split->part[body[1]]) continue;
        int64_t s = split->part[body[0]], t = split->part[body[1]];
        colour[s * parts + t] = colour[t * parts + s] = 1;
    }
    rico_crew_reduce(crew, colour, (int64_t)parts * parts, MPI_UINT16_T, MPI_MAX);

    // first fit, pair by pair: at most one less than twice the neighbours of a part
    bool *taken = rico_alloc(crew->ctx, 2 * (int64_t)parts + 1, sizeof *taken);
    rico_status status = rico_crew_agree(crew, taken ? RICO_OK : RICO_NO_MEMORY);
    if (status) {
        rico_free(crew->ctx, taken);
        return status;
    }
    *colours = 1;
    for (int s = 0; s < parts; s++)
        for (int t = s + 1; t < parts; t++) {
            if (colour[s * parts + t] == 0) continue;
            memset(taken, 0, (2 * (size_t)parts + 1) * sizeof *taken);
            // pairs that come later still hold a 1: look only at those that have their colour
            for (int k = 0; k < parts; k++) {
                bool done_s = k < s || (k > s && k < t), done_t = k < s;
                if (done_s) taken[colour[s * parts + k]] = true;
                if (done_t) taken[colour[t * parts + k]] = true;
            }
            uint16_t own = 1;
            while (taken[own]) own++;
            colour[s * parts + t] = colour[t * parts + s] = own;
            if (own + 1 > *colours) *colours = own + 1;
        }
    rico_free(crew->ctx, taken);
    return RICO_OK;
}


// --- units ------------------------------------------------------------------------------------------------------


// A contact with what it is sorted by.
typedef struct sorted {
    int32_t colour, low, high; // parts; the same where the contact is inside of one
    int64_t id, at;
} sorted;


static int compare(const void *a, const void *b)
{
    const sorted *x = a, *y = b;
    if (x->colour != y->colour) return x->colour < y->colour ? -1 : 1;
    if (x->low != y->low) return x->low < y->low ? -1 : 1;
    if (x->high != y->high) return x->high < y->high ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}


static int other_of(const rico_mpi_share *share, const rico_mpi_split *split, const sorted *contact)
{
    int low = split->rank_of[contact->low], high = split->rank_of[contact->high];
    return low == high ? -1 : low == share->crew->rank ? high : low;
}


static rico_status cut_units(rico_mpi_share *share, const rico_mpi_split *split, const sorted *order,
                             int64_t count)
{
    rico_context *ctx = share->crew->ctx;
    int64_t units = 0;
    for (int64_t k = 0; k < count; k++)
        units += k == 0 || order[k].low != order[k - 1].low || order[k].high != order[k - 1].high;
    share->unit = rico_alloc(ctx, units, sizeof *share->unit);
    share->colour_start = rico_alloc(ctx, share->colours + 1, sizeof *share->colour_start);
    if (!share->unit || !share->colour_start) return RICO_NO_MEMORY;
    share->unit_count = 0;
    for (int64_t k = 0; k < count; k++) {
        if (k == 0 || order[k].low != order[k - 1].low || order[k].high != order[k - 1].high)
            share->unit[share->unit_count++] =
                (rico_mpi_unit){.first = k,
                                .colour = order[k].colour,
                                .other = other_of(share, split, &order[k]),
                                .counts = split->rank_of[order[k].low] == share->crew->rank};
        share->unit[share->unit_count - 1].last = k + 1;
    }
    for (int64_t u = 0; u < share->unit_count; u++) share->colour_start[share->unit[u].colour + 1] = u + 1;
    for (int c = 0; c < share->colours; c++)
        if (share->colour_start[c + 1] < share->colour_start[c])
            share->colour_start[c + 1] = share->colour_start[c];
    return RICO_OK;
}


rico_status rico_mpi_make_units(rico_mpi_share *share, const rico_mpi_split *split, const uint16_t *colour,
                                int64_t count, rico_mpi_contact *contacts)
{
    rico_context *ctx = share->crew->ctx;
    sorted *order = rico_alloc(ctx, count, sizeof *order);
    if (!order) return RICO_NO_MEMORY;
    for (int64_t c = 0; c < count; c++) {
        const int32_t *body = contacts[c].body;
        int32_t s = body[0] < 0 ? 0 : split->part[body[0]], t = body[1] < 0 ? s : split->part[body[1]];
        order[c] = (sorted){.colour = s == t ? 0 : colour[(int64_t)s * split->parts + t],
                            .low = s < t ? s : t,
                            .high = s < t ? t : s,
                            .id = contacts[c].id,
                            .at = c};
    }
    qsort(order, (size_t)count, sizeof *order, compare);
    rico_status status = cut_units(share, split, order, count);

    share->contacts = count;
    share->id = rico_alloc(ctx, count, sizeof *share->id);
    share->body = rico_alloc(ctx, 2 * count, sizeof *share->body);
    share->H = rico_alloc(ctx, 36 * count, sizeof *share->H);
    share->w = rico_alloc(ctx, 3 * count, sizeof *share->w);
    share->mu = rico_alloc(ctx, count, sizeof *share->mu);
    share->norm = rico_alloc(ctx, count, sizeof *share->norm);
    share->rows = rico_alloc(ctx, count, sizeof *share->rows);
    if (!share->rows || !share->id || !share->body || !share->H || !share->w || !share->mu || !share->norm)
        status = RICO_NO_MEMORY;
    for (int64_t k = 0; !status && k < count; k++) {
        const rico_mpi_contact *from = &contacts[order[k].at];
        share->id[k] = from->id;
        memcpy(&share->body[2 * k], from->body, sizeof from->body);
        memcpy(&share->H[36 * k], from->H, sizeof from->H);
        memcpy(&share->w[3 * k], from->w, sizeof from->w);
        share->mu[k] = from->mu;
        share->rows[k] = (uint8_t)(from->rows > 0 ? from->rows : share->dimension);
    }
    rico_free(ctx, order);
    return status;
}


// --- halos ------------------------------------------------------------------------------------------------------


// The bodies of units first ... last - 1 that are on two ranks.
static rico_status make_halo(rico_mpi_share *share, int64_t first, int64_t last, rico_mpi_halo *halo)
{
    int64_t count = 0, at = 0;
    for (int64_t u = first; u < last; u++)
        if (share->unit[u].other >= 0) count += 2 * (share->unit[u].last - share->unit[u].first);
    rico_mpi_shared *list = rico_alloc(share->crew->ctx, count, sizeof *list);
    if (!list) return RICO_NO_MEMORY;
    for (int64_t u = first; u < last; u++)
        for (int64_t k = 2 * share->unit[u].first; share->unit[u].other >= 0 && k < 2 * share->unit[u].last;
             k++)
            list[at++] = (rico_mpi_shared){share->unit[u].other, share->body[k], share->body[k] < share->own};
    rico_status status = rico_mpi_halo_make(share->crew, count, list, halo);
    rico_free(share->crew->ctx, list);
    return status;
}


rico_status rico_mpi_make_halos(rico_mpi_share *share)
{
    rico_crew *crew = share->crew;
    share->halo = rico_alloc(crew->ctx, share->colours, sizeof *share->halo);
    rico_status status = share->halo ? RICO_OK : RICO_NO_MEMORY;
    for (int c = 1; !status && c < share->colours; c++)
        status = make_halo(share, share->colour_start[c], share->colour_start[c + 1], &share->halo[c]);
    if (!status) status = make_halo(share, 0, share->unit_count, &share->everybody);
    return rico_crew_agree(crew, status);
}
