// Parts of space: recursive bisection of the bodies' centers, each weighed by its contacts.
//
// A function of the state alone: planes stand at multiples of a length of the scene, what is counted are integers. A piece is
// cut across its longest side, where the weights on both sides are nearest to each other.

#include "space.h"

#include <math.h>
#include <string.h>

enum { BINS = 32, LEAST_BODIES = 8 };
static const double FARTHEST = 1e15; // cells from the origin: beyond, all is one

// One cut of a level: an axis, and the first cell on the upper side.
typedef struct plane {
    int axis;
    int64_t low, high; // cells between which the plane is sought
    int64_t below;     // weight below `low`
} plane;

typedef struct cut {
    int64_t count;     // own bodies
    const int32_t *at; // their places in the rank's simulation
    int64_t *cell;     // three for each
    int64_t *weight;
    int *piece;
    plane *plane;
    int64_t *sums, *range;
} cut;


// Powers of two, a piece with enough bodies each.
static int parts_for(int64_t bodies)
{
    int parts = 1;
    while (2 * parts <= RICO_MPI_PARTS && 2 * parts * LEAST_BODIES <= bodies) parts *= 2;
    return parts;
}


// A power of two of about half the size of the smallest body.
static double cell_for(const rico_bodies *all)
{
    double least = INFINITY;
    for (int64_t b = 0; b < all->count; b++) {
        const rico_bound_body *body = &all->body[b];
        if (body->item >= 0 && body->given.shape) least = fmin(least, body->given.shape->reach);
    }
    return isfinite(least) && least > 0.0 ? exp2(floor(log2(least))) : 1.0;
}


rico_status rico_space_create_split(rico_space *space)
{
    rico_context *ctx = space->own;
    rico_mpi_split *split = &space->split;
    int size = space->crew->size;
    *split = (rico_mpi_split){.ctx = ctx, .parts = parts_for(space->all->free), .bodies = space->all->free};
    space->cell = cell_for(space->all);
    split->part = rico_alloc(ctx, split->bodies, sizeof *split->part);
    split->place = rico_alloc(ctx, split->bodies, sizeof *split->place);
    split->part_start = rico_alloc(ctx, split->parts + 1, sizeof *split->part_start);
    split->rank_first = rico_alloc(ctx, size + 1, sizeof *split->rank_first);
    split->rank_of = rico_alloc(ctx, split->parts, sizeof *split->rank_of);
    space->reach = rico_alloc(ctx, split->parts, sizeof *space->reach);
    if (!split->part || !split->place || !split->part_start || !split->rank_first || !split->rank_of ||
        !space->reach)
        return RICO_NO_MEMORY;
    for (int rank = 0; rank <= size; rank++)
        split->rank_first[rank] = (int)((int64_t)split->parts * rank / size);
    for (int rank = 0; rank < size; rank++)
        for (int k = split->rank_first[rank]; k < split->rank_first[rank + 1]; k++) split->rank_of[k] = rank;
    return RICO_OK;
}


static int64_t cell_of(double x, double cell)
{
    double at = floor(x / cell);
    return (int64_t)fmax(-FARTHEST, fmin(FARTHEST, at));
}


// One for each body, and one more for each of its contacts.
static void weigh(const rico_space_local *local, const int64_t *place, int64_t *weight)
{
    const rico_simulation *sim = local->sim;
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_emitted *between = &rico_step_constraint(sim, c)->between;
        const rico_point *both[2] = {&between->a, &between->b};
        for (int k = 0; k < 2; k++)
            if (both[k]->part >= 0 && place[both[k]->item] >= 0) weight[place[both[k]->item]]++;
    }
}


static rico_status take_bodies(rico_space *space, cut *own)
{
    rico_context *ctx = space->own;
    const rico_space_local *local = &space->local;
    int64_t *place = rico_alloc(ctx, local->count, sizeof *place);
    int32_t *at = rico_alloc(ctx, local->count, sizeof *at);
    own->at = at;
    if (!place || !at) {
        rico_free(ctx, place);
        return RICO_NO_MEMORY;
    }
    for (int64_t b = 0; b < local->count; b++) {
        place[b] = local->own[b] ? own->count : -1;
        if (local->own[b]) at[own->count++] = (int32_t)b;
    }
    own->cell = rico_alloc(ctx, 3 * own->count, sizeof *own->cell);
    own->weight = rico_alloc(ctx, own->count, sizeof *own->weight);
    own->piece = rico_alloc(ctx, own->count, sizeof *own->piece);
    bool room = own->cell && own->weight && own->piece;
    for (int64_t b = 0; room && b < own->count; b++) {
        const double *q = local->sim->now.q + at[b] * space->all->q_size;
        for (int i = 0; i < space->all->dimension; i++) own->cell[3 * b + i] = cell_of(q[i], space->cell);
        own->weight[b] = 1;
    }
    if (room && local->sim) weigh(local, place, own->weight);
    rico_free(ctx, place);
    return room ? RICO_OK : RICO_NO_MEMORY;
}


// The longest side of each piece, and between which cells it lies.
static void choose_axes(rico_space *space, cut *own, int pieces)
{
    int64_t *range = own->range; // of each piece and axis: -first, last
    for (int k = 0; k < 6 * pieces; k++) range[k] = INT64_MIN;
    for (int64_t b = 0; b < own->count; b++)
        for (int i = 0; i < 3; i++) {
            int64_t *of = &range[6 * own->piece[b] + 2 * i], cell = own->cell[3 * b + i];
            if (-cell > of[0]) of[0] = -cell;
            if (cell > of[1]) of[1] = cell;
        }
    rico_crew_reduce(space->crew, range, 6 * pieces, MPI_INT64_T, MPI_MAX);
    for (int k = 0; k < pieces; k++) {
        plane *p = &own->plane[k];
        *p = (plane){0};
        int64_t longest = -1;
        for (int i = 0; i < 3; i++) {
            const int64_t *of = &range[6 * k + 2 * i];
            if (of[0] == INT64_MIN || of[1] + of[0] <= longest) continue; // nobody is there
            longest = of[1] + of[0];
            *p = (plane){.axis = i, .low = -of[0], .high = of[1] + 1};
        }
    }
}


// Narrows down where the planes are: weights of bins, then the bin in which half of the weight is reached.
static void narrow(rico_space *space, cut *own, int pieces, const int64_t *total)
{
    memset(own->sums, 0, (size_t)(pieces * BINS) * sizeof *own->sums);
    for (int64_t b = 0; b < own->count; b++) {
        const plane *p = &own->plane[own->piece[b]];
        int64_t width = (p->high - p->low + BINS - 1) / BINS, at = own->cell[3 * b + p->axis] - p->low;
        if (at < 0 || at >= p->high - p->low) continue;
        own->sums[own->piece[b] * BINS + at / width] += own->weight[b];
    }
    rico_crew_reduce(space->crew, own->sums, pieces * BINS, MPI_INT64_T, MPI_SUM);
    for (int k = 0; k < pieces; k++) {
        plane *p = &own->plane[k];
        int64_t span = p->high - p->low, width = (span + BINS - 1) / BINS;
        if (span <= 1) continue;
        const int64_t *sum = &own->sums[k * BINS];
        int bin = 0;
        while (bin < BINS - 1 && 2 * (p->below + sum[bin]) < total[k]) p->below += sum[bin++];
        p->low += bin * width;
        p->high = p->low + width < p->high ? p->low + width : p->high;
    }
}


// The plane of each piece: before or behind the cell in which half of the weight is reached, whichever leaves the halves nearer.
static void find_planes(rico_space *space, cut *own, int pieces)
{
    int64_t total[RICO_MPI_PARTS], inside[RICO_MPI_PARTS];
    memset(total, 0, sizeof total);
    memset(inside, 0, sizeof inside);
    for (int64_t b = 0; b < own->count; b++) total[own->piece[b]] += own->weight[b];
    rico_crew_reduce(space->crew, total, pieces, MPI_INT64_T, MPI_SUM);
    for (bool wide = true; wide;) {
        wide = false;
        for (int k = 0; k < pieces; k++) wide |= own->plane[k].high - own->plane[k].low > 1;
        if (wide) narrow(space, own, pieces, total);
    }
    for (int64_t b = 0; b < own->count; b++) {
        const plane *p = &own->plane[own->piece[b]];
        if (own->cell[3 * b + p->axis] == p->low) inside[own->piece[b]] += own->weight[b];
    }
    rico_crew_reduce(space->crew, inside, pieces, MPI_INT64_T, MPI_SUM);
    for (int k = 0; k < pieces; k++) {
        plane *p = &own->plane[k];
        int64_t before = total[k] - 2 * p->below, behind = 2 * (p->below + inside[k]) - total[k];
        if (behind < before) p->low++;
    }
}


static rico_status tell_parts(rico_space *space, const cut *own)
{
    const rico_space_local *local = &space->local;
    rico_mpi_split *split = &space->split;
    for (int64_t b = 0; b < split->bodies; b++) split->part[b] = 0;
    for (int64_t b = 0; b < own->count; b++) split->part[local->item[own->at[b]]] = own->piece[b];
    rico_crew_reduce(space->crew, split->part, split->bodies, MPI_INT32_T, MPI_MAX);
    rico_mpi_split_order(split);
    return RICO_OK;
}


rico_status rico_space_cut(rico_space *space)
{
    rico_context *ctx = space->own;
    int parts = space->split.parts;
    cut own = {0};
    rico_status status = take_bodies(space, &own);
    own.plane = rico_alloc(ctx, parts, sizeof *own.plane);
    own.sums = rico_alloc(ctx, (int64_t)parts * BINS, sizeof *own.sums);
    own.range = rico_alloc(ctx, 6 * (int64_t)parts, sizeof *own.range);
    if (!own.plane || !own.sums || !own.range) status = RICO_NO_MEMORY;
    status = rico_crew_agree(space->crew, status);
    for (int pieces = 1; !status && pieces < parts; pieces *= 2) {
        choose_axes(space, &own, pieces);
        find_planes(space, &own, pieces);
        for (int64_t b = 0; b < own.count; b++) {
            const plane *p = &own.plane[own.piece[b]];
            own.piece[b] = 2 * own.piece[b] + (own.cell[3 * b + p->axis] >= p->low);
        }
    }
    if (!status) status = tell_parts(space, &own);
    void *all[] = {(void *)own.at, own.cell, own.weight, own.piece, own.plane, own.sums, own.range};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(ctx, all[i]);
    return status;
}
