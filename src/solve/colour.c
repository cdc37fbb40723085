// Colouring of the blocks.

#include "solve/colour.h"

static const uint8_t REMAINDER = RICO_COLOUR_LIMIT;


// The lowest bit that is not set, RICO_COLOUR_LIMIT when all are.
static uint8_t lowest_free(uint64_t taken)
{
    uint8_t colour = 0;
    while (colour < RICO_COLOUR_LIMIT && taken >> colour & 1) colour++;
    return colour;
}


static uint64_t bit_of(uint8_t colour)
{
    return colour < RICO_COLOUR_LIMIT ? (uint64_t)1 << colour : 0;
}


static int64_t units_of(int64_t blocks, int64_t chunk)
{
    return (blocks + chunk - 1) / chunk;
}


// Sorts the units by colour, counting.
static rico_status sort_by_colour(rico_context *ctx, int64_t blocks, int64_t chunk, const uint8_t *colour,
                                  rico_colouring **out)
{
    rico_colouring *c = rico_alloc(ctx, 1, sizeof *c);
    if (!c) return RICO_NO_MEMORY;
    c->ctx = ctx;
    c->blocks = blocks;
    c->chunk = chunk;
    c->count = units_of(blocks, chunk);
    c->order = rico_alloc(ctx, c->count, sizeof *c->order);
    if (!c->order) {
        rico_colouring_destroy(c);
        return RICO_NO_MEMORY;
    }

    int64_t next[RICO_COLOUR_LIMIT + 2] = {0};
    for (int64_t u = 0; u < c->count; u++) {
        next[colour[u] + 1]++;
        if (colour[u] != REMAINDER && colour[u] >= c->colours) c->colours = colour[u] + 1;
    }
    for (int k = 0; k <= RICO_COLOUR_LIMIT; k++) next[k + 1] += next[k];
    for (int k = 0; k <= RICO_COLOUR_LIMIT; k++) c->start[k] = next[k];
    for (int64_t u = 0; u < c->count; u++) c->order[next[colour[u]]++] = u;
    *out = c;
    return RICO_OK;
}


// A unit avoids the colours of those that it reads (its rows) and of those that read it and came earlier, which left
// a mark; together these are all of its neighbours that have a colour yet.
rico_status rico_colour_matrix(const rico_block_matrix *W, int64_t chunk, rico_colouring **out)
{
    rico_context *ctx = W->ctx;
    int64_t units = units_of(W->blocks, chunk);
    uint8_t *colour = rico_alloc(ctx, units, sizeof *colour);
    uint64_t *taken = rico_alloc(ctx, units, sizeof *taken);
    rico_status status = colour && taken ? RICO_OK : RICO_NO_MEMORY;
    for (int64_t u = 0; !status && u < units; u++) {
        int64_t end = (u + 1) * chunk < W->blocks ? (u + 1) * chunk : W->blocks;
        uint64_t around = taken[u];
        for (int64_t k = W->start[u * chunk]; k < W->start[end]; k++)
            if (W->col[k] / chunk < u) around |= bit_of(colour[W->col[k] / chunk]);
        colour[u] = lowest_free(around);
        for (int64_t k = W->start[u * chunk]; k < W->start[end]; k++)
            taken[W->col[k] / chunk] |= bit_of(colour[u]);
    }
    if (!status) status = sort_by_colour(ctx, W->blocks, chunk, colour, out);
    rico_free(ctx, colour);
    rico_free(ctx, taken);
    return status;
}


rico_status rico_colour_incidence(rico_context *ctx, int64_t blocks, int64_t chunk, const int64_t *start,
                                  const int64_t *item, int64_t items, rico_colouring **out)
{
    int64_t units = units_of(blocks, chunk);
    uint8_t *colour = rico_alloc(ctx, units, sizeof *colour);
    uint64_t *taken = rico_alloc(ctx, items, sizeof *taken);
    rico_status status = colour && taken ? RICO_OK : RICO_NO_MEMORY;
    for (int64_t u = 0; !status && u < units; u++) {
        int64_t end = (u + 1) * chunk < blocks ? (u + 1) * chunk : blocks;
        uint64_t around = 0;
        for (int64_t k = start[u * chunk]; k < start[end]; k++) around |= taken[item[k]];
        colour[u] = lowest_free(around);
        for (int64_t k = start[u * chunk]; k < start[end]; k++) taken[item[k]] |= bit_of(colour[u]);
    }
    if (!status) status = sort_by_colour(ctx, blocks, chunk, colour, out);
    rico_free(ctx, colour);
    rico_free(ctx, taken);
    return status;
}


void rico_colouring_unit(const rico_colouring *c, int64_t unit, int64_t *first, int64_t *last)
{
    *first = unit * c->chunk;
    *last = *first + c->chunk < c->blocks ? *first + c->chunk : c->blocks;
}


void rico_colouring_destroy(rico_colouring *colouring)
{
    if (!colouring) return;
    rico_free(colouring->ctx, colouring->order);
    rico_free(colouring->ctx, colouring);
}
