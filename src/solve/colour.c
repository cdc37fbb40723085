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


// Sorts the blocks by colour, counting.
static rico_status sort_by_colour(rico_context *ctx, int64_t blocks, const uint8_t *colour,
                                  rico_colouring **out)
{
    rico_colouring *c = rico_alloc(ctx, 1, sizeof *c);
    if (!c) return RICO_NO_MEMORY;
    c->ctx = ctx;
    c->count = blocks;
    c->order = rico_alloc(ctx, blocks, sizeof *c->order);
    if (!c->order) {
        rico_colouring_destroy(c);
        return RICO_NO_MEMORY;
    }

    int64_t next[RICO_COLOUR_LIMIT + 2] = {0};
    for (int64_t a = 0; a < blocks; a++) {
        next[colour[a] + 1]++;
        if (colour[a] != REMAINDER && colour[a] >= c->colours) c->colours = colour[a] + 1;
    }
    for (int k = 0; k <= RICO_COLOUR_LIMIT; k++) next[k + 1] += next[k];
    for (int k = 0; k <= RICO_COLOUR_LIMIT; k++) c->start[k] = next[k];
    for (int64_t a = 0; a < blocks; a++) c->order[next[colour[a]]++] = a;
    *out = c;
    return RICO_OK;
}


// A block avoids the colours of those that it reads (its row) and of those that read it and came earlier, which left
// a mark; together these are all of its neighbours that have a colour yet.
rico_status rico_colour_matrix(const rico_block_matrix *W, rico_colouring **out)
{
    rico_context *ctx = W->ctx;
    uint8_t *colour = rico_alloc(ctx, W->blocks, sizeof *colour);
    uint64_t *taken = rico_alloc(ctx, W->blocks, sizeof *taken);
    rico_status status = colour && taken ? RICO_OK : RICO_NO_MEMORY;
    for (int64_t a = 0; !status && a < W->blocks; a++) {
        uint64_t around = taken[a];
        for (int64_t k = W->start[a]; k < W->start[a + 1]; k++)
            if (W->col[k] < a) around |= bit_of(colour[W->col[k]]);
        colour[a] = lowest_free(around);
        for (int64_t k = W->start[a]; k < W->start[a + 1]; k++) taken[W->col[k]] |= bit_of(colour[a]);
    }
    if (!status) status = sort_by_colour(ctx, W->blocks, colour, out);
    rico_free(ctx, colour);
    rico_free(ctx, taken);
    return status;
}


rico_status rico_colour_incidence(rico_context *ctx, int64_t blocks, const int64_t *start,
                                  const int64_t *item, int64_t items, rico_colouring **out)
{
    uint8_t *colour = rico_alloc(ctx, blocks, sizeof *colour);
    uint64_t *taken = rico_alloc(ctx, items, sizeof *taken);
    rico_status status = colour && taken ? RICO_OK : RICO_NO_MEMORY;
    for (int64_t a = 0; !status && a < blocks; a++) {
        uint64_t around = 0;
        for (int64_t k = start[a]; k < start[a + 1]; k++) around |= taken[item[k]];
        colour[a] = lowest_free(around);
        for (int64_t k = start[a]; k < start[a + 1]; k++) taken[item[k]] |= bit_of(colour[a]);
    }
    if (!status) status = sort_by_colour(ctx, blocks, colour, out);
    rico_free(ctx, colour);
    rico_free(ctx, taken);
    return status;
}


void rico_colouring_destroy(rico_colouring *colouring)
{
    if (!colouring) return;
    rico_free(colouring->ctx, colouring->order);
    rico_free(colouring->ctx, colouring);
}
