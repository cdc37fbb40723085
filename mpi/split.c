// Parts by Scotch: see split.h.

#include "split.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <scotch.h>

// Bodies that a part should have at least: below that, its surface is all there is.
enum { LEAST_BODIES = 8 };


void rico_mpi_split_release(rico_mpi_split *split)
{
    if (!split->ctx) return;
    rico_free(split->ctx, split->part);
    rico_free(split->ctx, split->place);
    rico_free(split->ctx, split->part_start);
    rico_free(split->ctx, split->rank_first);
    rico_free(split->ctx, split->rank_of);
    *split = (rico_mpi_split){0};
}


// --- the graph, on the first rank -------------------------------------------------------------------------------


typedef struct edge {
    int32_t body[2];
} edge;


// All pairs of bodies that touch, on the first rank; contacts with the ground have a -1.
static rico_status gather_edges(rico_crew *crew, const rico_mpi_slab *slab, int64_t *count, edge **out)
{
    edge *mine = rico_alloc(crew->ctx, slab->contact_count, sizeof *mine);
    int *to = rico_alloc(crew->ctx, slab->contact_count, sizeof *to);
    rico_status status = rico_crew_agree(crew, mine && to ? RICO_OK : RICO_NO_MEMORY);
    for (int64_t c = 0; !status && c < slab->contact_count; c++)
        mine[c] = (edge){{slab->contact[c].body[0], slab->contact[c].body[1]}};
    void *all = NULL;
    if (!status) status = rico_crew_exchange(crew, slab->contact_count, to, mine, sizeof *mine, count, &all);
    rico_free(crew->ctx, mine);
    rico_free(crew->ctx, to);
    *out = all;
    return status;
}


static int compare_neighbours(const void *a, const void *b)
{
    SCOTCH_Num x = *(const SCOTCH_Num *)a, y = *(const SCOTCH_Num *)b;
    return (x > y) - (x < y);
}


// Each row sorted and without repetition; start[] follows.
static void tidy_rows(int64_t bodies, SCOTCH_Num *start, SCOTCH_Num *neighbour)
{
    SCOTCH_Num at = 0;
    for (int64_t b = 0; b < bodies; b++) {
        SCOTCH_Num first = start[b], last = start[b + 1];
        qsort(&neighbour[first], (size_t)(last - first), sizeof *neighbour, compare_neighbours);
        start[b] = at;
        for (SCOTCH_Num k = first; k < last; k++)
            if (k == first || neighbour[k] != neighbour[k - 1]) neighbour[at++] = neighbour[k];
    }
    start[bodies] = at;
}


// The graph in compressed rows, and the work of each body: its contacts and one more.
typedef struct graph {
    SCOTCH_Num *start, *neighbour, *weight;
} graph;


static void release_graph(rico_context *ctx, graph *g)
{
    rico_free(ctx, g->start);
    rico_free(ctx, g->neighbour);
    rico_free(ctx, g->weight);
}


static rico_status make_graph(rico_context *ctx, int64_t bodies, int64_t count, const edge *edges, graph *g)
{
    g->start = rico_alloc(ctx, bodies + 2, sizeof *g->start);
    g->weight = rico_alloc(ctx, bodies, sizeof *g->weight);
    if (!g->start || !g->weight) return RICO_NO_MEMORY;
    for (int64_t b = 0; b < bodies; b++) g->weight[b] = 1;
    for (int64_t e = 0; e < count; e++) {
        const int32_t *ends = edges[e].body;
        for (int side = 0; side < 2; side++) {
            if (ends[side] < 0) continue;
            g->weight[ends[side]]++;
            if (ends[0] >= 0 && ends[1] >= 0) g->start[ends[side] + 2]++;
        }
    }
    for (int64_t b = 0; b < bodies; b++) g->start[b + 2] += g->start[b + 1];
    g->neighbour = rico_alloc(ctx, g->start[bodies + 1], sizeof *g->neighbour);
    if (!g->neighbour) return RICO_NO_MEMORY;
    for (int64_t e = 0; e < count; e++) {
        const int32_t *ends = edges[e].body;
        if (ends[0] < 0 || ends[1] < 0) continue;
        for (int side = 0; side < 2; side++) g->neighbour[g->start[ends[side] + 1]++] = ends[1 - side];
    }
    tidy_rows(bodies, g->start, g->neighbour);
    return RICO_OK;
}


// One rank cuts, in a context of its own with a seed that never changes: Scotch on several ranks, or with the threads and
// the clock that it may otherwise draw on, would cut otherwise from run to run. PETSc's MatPartitioning knows no such
// context, so Scotch is called by name here.
static bool cut_graph(int64_t bodies, const graph *g, int parts, int32_t *part)
{
    static const double imbalance = 0.02;
    SCOTCH_Context context;
    SCOTCH_Graph plain, bound;
    SCOTCH_Strat strategy;
    if (SCOTCH_contextInit(&context) != 0) return false;
    SCOTCH_contextOptionSetNum(&context, SCOTCH_OPTIONNUMDETERMINISTIC, 1);
    SCOTCH_contextOptionSetNum(&context, SCOTCH_OPTIONNUMRANDOMFIXEDSEED, 1);
    bool cut = SCOTCH_contextRandomClone(&context) == 0;
    SCOTCH_contextRandomSeed(&context, 1);
    SCOTCH_contextRandomReset(&context);
    cut = SCOTCH_contextThreadSpawn(&context, 1, NULL) == 0 && cut;
    SCOTCH_graphInit(&plain);
    SCOTCH_graphInit(&bound);
    SCOTCH_stratInit(&strategy);
    cut = cut &&
          SCOTCH_graphBuild(&plain, 0, (SCOTCH_Num)bodies, g->start, NULL, g->weight, NULL, g->start[bodies],
                            g->neighbour, NULL) == 0 &&
          SCOTCH_contextBindGraph(&context, &plain, &bound) == 0 &&
          SCOTCH_stratGraphMapBuild(&strategy, SCOTCH_STRATRECURSIVE, parts, imbalance) == 0 &&
          SCOTCH_graphPart(&bound, parts, &strategy, part) == 0;
    SCOTCH_stratExit(&strategy);
    SCOTCH_graphExit(&bound);
    SCOTCH_graphExit(&plain);
    SCOTCH_contextExit(&context);
    return cut;
}


static rico_status cut_bodies(rico_context *ctx, int64_t count, const edge *edges, rico_mpi_split *split)
{
    graph g = {0};
    rico_status status = make_graph(ctx, split->bodies, count, edges, &g);
    if (!status && !cut_graph(split->bodies, &g, split->parts, split->part))
        status = rico_fail(ctx, RICO_INTERNAL, "Scotch could not cut the graph of %lld bodies into %d parts",
                           (long long)split->bodies, split->parts);
    release_graph(ctx, &g);
    return status;
}


// --- what follows from the parts --------------------------------------------------------------------------------


void rico_mpi_split_order(rico_mpi_split *split)
{
    memset(split->part_start, 0, ((size_t)split->parts + 1) * sizeof *split->part_start);
    for (int64_t b = 0; b < split->bodies; b++) split->part_start[split->part[b] + 1]++;
    for (int k = 0; k < split->parts; k++) split->part_start[k + 1] += split->part_start[k];
    for (int64_t b = 0; b < split->bodies; b++) split->place[b] = split->part_start[split->part[b]]++;
    for (int k = split->parts; k > 0; k--) split->part_start[k] = split->part_start[k - 1];
    split->part_start[0] = 0;
}


static void give_to_ranks(const rico_crew *crew, rico_mpi_split *split)
{
    for (int rank = 0; rank <= crew->size; rank++)
        split->rank_first[rank] = (int)((int64_t)split->parts * rank / crew->size);
    for (int rank = 0; rank < crew->size; rank++)
        for (int k = split->rank_first[rank]; k < split->rank_first[rank + 1]; k++) split->rank_of[k] = rank;
}


static int parts_for(int64_t bodies)
{
    int64_t parts = bodies / LEAST_BODIES;
    return parts < 1 ? 1 : parts > RICO_MPI_PARTS ? RICO_MPI_PARTS : (int)parts;
}


rico_status rico_mpi_split_create(rico_crew *crew, const rico_mpi_slab *slab, int parts, rico_mpi_split *out)
{
    rico_context *ctx = crew->ctx;
    rico_mpi_split split = {
        .ctx = ctx, .parts = parts > 0 ? parts : parts_for(slab->bodies), .bodies = slab->bodies};
    split.part = rico_alloc(ctx, split.bodies, sizeof *split.part);
    split.place = rico_alloc(ctx, split.bodies, sizeof *split.place);
    split.part_start = rico_alloc(ctx, split.parts + 1, sizeof *split.part_start);
    split.rank_first = rico_alloc(ctx, crew->size + 1, sizeof *split.rank_first);
    split.rank_of = rico_alloc(ctx, split.parts, sizeof *split.rank_of);
    bool room = split.part && split.place && split.part_start && split.rank_first && split.rank_of;
    rico_status status = rico_crew_agree(crew, room ? RICO_OK : RICO_NO_MEMORY);
    edge *edges = NULL;
    int64_t count = 0;
    if (!status) status = gather_edges(crew, slab, &count, &edges);
    if (!status && crew->rank == 0 && split.parts > 1) status = cut_bodies(ctx, count, edges, &split);
    rico_free(ctx, edges);
    status = rico_crew_agree(crew, status);
    if (status) {
        rico_mpi_split_release(&split);
        return status;
    }
    MPI_Bcast(split.part, (int)split.bodies, MPI_INT32_T, 0, crew->comm);
    rico_mpi_split_order(&split);
    give_to_ranks(crew, &split);
    *out = split;
    return RICO_OK;
}
