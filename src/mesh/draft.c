// A mesh while it grows.

#include "mesh/draft.h"

#include "base/context.h"
#include "mesh/keys.h"

#include <math.h>
#include <string.h>

void rico_draft_release(rico_draft *d)
{
    for (int64_t i = 0; i < d->groups; i++) rico_free(d->ctx, d->name[i]);
    void *all[] = {d->position,    d->mask, d->node_number, d->kind,  d->start,
                   d->cell_number, d->node, d->name,        d->member};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(d->ctx, all[i]);
    *d = (rico_draft){.ctx = d->ctx, .failed = d->failed};
}


// Moves the array at *at, a pointer to any pointer, to a room for `more`.
static bool widen(rico_draft *d, void *at, int64_t room, int64_t larger, size_t size)
{
    void *old, *moved;
    memcpy(&old, at, sizeof old);
    moved = rico_grow(d->ctx, old, room, larger, size);
    if (moved == NULL) return false;
    memcpy(at, &moved, sizeof moved);
    return true;
}


int64_t rico_draft_node(rico_draft *d, const double x[3], unsigned mask, int64_t number)
{
    if (d->failed) return -1;
    if (d->nodes == d->node_room) {
        int64_t room = d->node_room, larger = 2 * room + 64;
        d->failed = !widen(d, &d->position, 3 * room, 3 * larger, sizeof *d->position) ||
                    !widen(d, &d->mask, room, larger, sizeof *d->mask) ||
                    !widen(d, &d->node_number, room, larger, sizeof *d->node_number);
        if (d->failed) return -1;
        d->node_room = larger;
    }
    memcpy(d->position + 3 * d->nodes, x, 3 * sizeof *x);
    d->mask[d->nodes] = (unsigned char)mask;
    d->node_number[d->nodes] = number;
    return d->nodes++;
}


int64_t rico_draft_cell(rico_draft *d, rico_cell_kind kind, const int64_t *node, int64_t number)
{
    int count = rico_cells[kind].nodes;
    if (d->failed) return -1;
    if (d->cells + 1 >= d->cell_room) {
        int64_t room = d->cell_room, larger = 2 * room + 64;
        d->failed = !widen(d, &d->kind, room, larger, sizeof *d->kind) ||
                    !widen(d, &d->start, room, larger, sizeof *d->start) ||
                    !widen(d, &d->cell_number, room, larger, sizeof *d->cell_number);
        if (d->failed) return -1;
        d->cell_room = larger;
    }
    int64_t at = d->start[d->cells];
    if (at + count > d->list_room) {
        int64_t larger = 2 * d->list_room + 256;
        d->failed = !widen(d, &d->node, d->list_room, larger, sizeof *d->node);
        if (d->failed) return -1;
        d->list_room = larger;
    }
    memcpy(d->node + at, node, (size_t)count * sizeof *node);
    d->kind[d->cells] = (unsigned char)kind;
    d->cell_number[d->cells] = number;
    d->start[d->cells + 1] = at + count;
    return d->cells++;
}


int64_t rico_draft_group(rico_draft *d, const char *name)
{
    if (d->failed) return -1;
    if (d->groups == d->group_room) {
        int64_t larger = 2 * d->group_room + 8;
        d->failed = !widen(d, &d->name, d->group_room, larger, sizeof *d->name);
        if (d->failed) return -1;
        d->group_room = larger;
    }
    size_t length = strlen(name) + 1;
    char *copy = rico_alloc(d->ctx, (int64_t)length, 1);
    d->failed = copy == NULL;
    if (d->failed) return -1;
    memcpy(copy, name, length);
    d->name[d->groups] = copy;
    return d->groups++;
}


void rico_draft_join(rico_draft *d, int64_t group, int64_t cell)
{
    if (d->failed) return;
    if (d->members == d->member_room) {
        int64_t larger = 2 * d->member_room + 64;
        d->failed = !widen(d, &d->member, d->member_room, larger, sizeof *d->member);
        if (d->failed) return;
        d->member_room = larger;
    }
    d->member[d->members++] = (rico_draft_member){group, cell};
}


// --- shapes --------------------------------------------------------------------------------------------------------

void rico_draft_quad(rico_draft *d, bool triangles, const int64_t node[4], bool other)
{
    if (!triangles) {
        rico_draft_cell(d, RICO_CELL_Q4, node, d->cells);
        return;
    }
    static const signed char CUT[2][2][3] = {{{0, 1, 2}, {0, 2, 3}}, {{0, 1, 3}, {1, 2, 3}}};
    for (int t = 0; t < 2; t++) {
        int64_t corner[3];
        for (int i = 0; i < 3; i++) corner[i] = node[CUT[other][t][i]];
        rico_draft_cell(d, RICO_CELL_T3, corner, d->cells);
    }
}


void rico_draft_brick(rico_draft *d, bool tetrahedra, const int64_t node[8])
{
    if (!tetrahedra) {
        rico_draft_cell(d, RICO_CELL_H8, node, d->cells);
        return;
    }
    int64_t apex = node[0];
    for (int i = 1; i < 8; i++) apex = node[i] < apex ? node[i] : apex;
    for (int f = 0; f < 6; f++) {
        int64_t face[4];
        int first = 0;
        bool beside = false;
        for (int i = 0; i < 4; i++) {
            face[i] = node[rico_cells[RICO_CELL_H8].face_node[f][i]];
            beside = beside || face[i] == apex;
            if (face[i] < face[first]) first = i;
        }
        // the faces look outwards, away from the apex
        for (int t = 1; !beside && t <= 2; t++) {
            int64_t corner[4] = {face[first], face[(first + t + 1) % 4], face[(first + t) % 4], apex};
            rico_draft_cell(d, RICO_CELL_TET4, corner, d->cells);
        }
    }
}


// --- second order --------------------------------------------------------------------------------------------------

typedef struct rise {
    rico_cell_kind to;
    int edges;
    signed char edge[6][2]; // in the order of the middles
} rise;

static const rise RISES[RICO_CELL_KINDS] = {
    [RICO_CELL_LINE2] = {RICO_CELL_LINE3, 1, {{0, 1}}},
    [RICO_CELL_T3] = {RICO_CELL_T6, 3, {{0, 1}, {1, 2}, {2, 0}}},
    [RICO_CELL_Q4] = {RICO_CELL_Q8, 4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}},
    [RICO_CELL_TET4] = {RICO_CELL_TET10, 6, {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {2, 3}, {1, 3}}},
};


static int64_t add_middle(rico_draft *d, const rico_draft_round *round, int64_t a, int64_t b)
{
    unsigned mask = d->mask[a] & d->mask[b];
    double x[3], length = 0.0;
    for (int k = 0; k < 3; k++) x[k] = 0.5 * (d->position[3 * a + k] + d->position[3 * b + k]);
    if (round->side & mask) {
        for (int k = 0; k < round->axes; k++) length = hypot(length, x[k] - round->centre[k]);
        for (int k = 0; k < round->axes; k++)
            x[k] = round->centre[k] + (x[k] - round->centre[k]) * (round->radius / length);
    }
    return rico_draft_node(d, x, mask, d->nodes);
}


void rico_draft_elevate(rico_draft *d, const rico_draft_round *round)
{
    rico_draft old = *d;
    rico_keys keys = {0};
    int64_t corners = d->nodes;
    d->failed = d->failed || !rico_keys_start(&keys, d->ctx, 2, 2 * d->cells);
    if (d->failed) return;
    d->cells = d->cell_room = d->list_room = 0;
    d->kind = NULL;
    d->start = d->cell_number = d->node = NULL;
    for (int64_t c = 0; !d->failed && c < old.cells; c++) {
        const rise *r = &RISES[old.kind[c]];
        const int64_t *from = old.node + old.start[c];
        int64_t node[RICO_CELL_NODES];
        int count = rico_cells[old.kind[c]].nodes;
        memcpy(node, from, (size_t)count * sizeof *node);
        for (int e = 0; e < r->edges; e++) {
            int64_t ends[2] = {from[r->edge[e][0]], from[r->edge[e][1]]};
            int64_t number = rico_keys_number(&keys, 2, ends, true);
            d->failed = d->failed || number < 0;
            node[count + e] = corners + number;
            if (corners + number == d->nodes) add_middle(d, round, ends[0], ends[1]);
        }
        rico_draft_cell(d, r->to, node, c);
    }
    rico_keys_release(&keys);
    void *all[] = {old.kind, old.start, old.cell_number, old.node};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(d->ctx, all[i]);
}


// --- groups, and the end -------------------------------------------------------------------------------------------

void rico_draft_sides(rico_draft *d, int count, const char *const *names)
{
    if (d->failed) return;
    rico_mesh shell = {.ctx = d->ctx,
                       .dimension = rico_cells[d->kind[0]].dimension,
                       .nodes = d->nodes,
                       .cells = d->cells,
                       .position = d->position,
                       .kind = d->kind,
                       .start = d->start,
                       .node = d->node};
    int64_t faces = 0;
    rico_mesh_face *face = NULL;
    if (rico_mesh_boundary(d->ctx, &shell, &faces, &face) != RICO_OK) {
        d->failed = true;
        return;
    }
    int64_t elements = d->cells;
    for (int side = 0; side < count; side++) {
        int64_t group = rico_draft_group(d, names[side]);
        for (int64_t f = 0; f < faces; f++) {
            unsigned mask = ~0U;
            for (int i = 0; i < rico_cells[face[f].kind].nodes; i++) mask &= d->mask[face[f].node[i]];
            if (mask & 1U << side)
                rico_draft_join(d, group, rico_draft_cell(d, face[f].kind, face[f].node, d->cells));
        }
    }
    int64_t all = rico_draft_group(d, "all");
    for (int64_t c = 0; c < elements; c++) rico_draft_join(d, all, c);
    rico_mesh_faces_free(d->ctx, face);
}


// Drops the cells that are not their own first twin and numbers the others anew.
static void drop_twins(rico_draft *d, int64_t *twin)
{
    int64_t kept = 0, at = 0;
    for (int64_t c = 0; c < d->cells; c++) {
        int64_t first = twin[c];
        if (first < c) {
            twin[c] = twin[first];
            continue;
        }
        int64_t from = d->start[c], count = d->start[c + 1] - from;
        memmove(d->node + at, d->node + from, (size_t)count * sizeof *d->node);
        d->kind[kept] = d->kind[c];
        d->cell_number[kept] = d->cell_number[c];
        d->start[kept] = at;
        at += count;
        twin[c] = kept++;
    }
    d->cells = kept;
    if (kept) d->start[kept] = at;
    for (int64_t i = 0; i < d->members; i++) d->member[i].cell = twin[d->member[i].cell];
}


rico_status rico_draft_merge_twins(rico_draft *d)
{
    rico_keys keys = {0};
    int64_t *first = rico_alloc(d->ctx, d->cells, sizeof *first);
    int64_t *twin = rico_alloc(d->ctx, d->cells, sizeof *twin);
    bool made = first && twin && rico_keys_start(&keys, d->ctx, 8, d->cells);
    for (int64_t c = 0; made && c < d->cells; c++) {
        int64_t before = keys.count;
        int64_t number = rico_keys_number(&keys, rico_cells[d->kind[c]].corners, d->node + d->start[c], true);
        made = number >= 0;
        if (number == before) first[number] = c;
        if (made) twin[c] = d->kind[first[number]] == d->kind[c] ? first[number] : c;
    }
    if (made && keys.count < d->cells) drop_twins(d, twin);
    rico_keys_release(&keys);
    rico_free(d->ctx, first);
    rico_free(d->ctx, twin);
    return made ? RICO_OK : RICO_NO_MEMORY;
}


// Members in the order of their groups: a counting sort.
static bool sort_members(const rico_draft *d, rico_mesh_group *group, int64_t *cell)
{
    int64_t *at = rico_alloc(d->ctx, d->groups + 1, sizeof *at);
    if (at == NULL) return false;
    for (int64_t i = 0; i < d->members; i++) at[d->member[i].group + 1]++;
    for (int64_t g = 0; g < d->groups; g++) {
        group[g] = (rico_mesh_group){.name = d->name[g], .count = at[g + 1], .cell = cell + at[g]};
        at[g + 1] += at[g];
    }
    for (int64_t i = 0; i < d->members; i++) cell[at[d->member[i].group]++] = d->member[i].cell;
    rico_free(d->ctx, at);
    return true;
}


rico_status rico_draft_finish(rico_draft *d, rico_mesh **out)
{
    rico_status status = d->failed ? RICO_NO_MEMORY : RICO_OK;
    rico_mesh_group *group = NULL;
    int64_t *cell = NULL;
    if (status == RICO_OK) {
        group = rico_alloc(d->ctx, d->groups, sizeof *group);
        cell = rico_alloc(d->ctx, d->members, sizeof *cell);
        if (!group || !cell || !sort_members(d, group, cell)) status = RICO_NO_MEMORY;
    }
    if (status == RICO_OK)
        status = rico_mesh_create(d->ctx,
                                  &(rico_mesh_arrays){.nodes = d->nodes,
                                                      .position = d->position,
                                                      .cells = d->cells,
                                                      .kind = d->kind,
                                                      .node = d->node,
                                                      .groups = d->groups,
                                                      .group = group,
                                                      .node_number = d->node_number,
                                                      .cell_number = d->cell_number},
                                  out);
    rico_free(d->ctx, group);
    rico_free(d->ctx, cell);
    rico_draft_release(d);
    return status;
}
