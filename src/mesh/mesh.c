// Meshes: made from arrays, checked, looked at.

#include "mesh/mesh.h"

#include "base/context.h"
#include "mesh/mesh_check.h"

#include <stdlib.h>
#include <string.h>

rico_mesh_view rico_mesh_look(const rico_mesh *mesh)
{
    return (rico_mesh_view){.dimension = mesh->dimension,
                            .nodes = mesh->nodes,
                            .position = mesh->position,
                            .cells = mesh->cells,
                            .kind = mesh->kind,
                            .start = mesh->start,
                            .node = mesh->node,
                            .groups = mesh->groups};
}


rico_mesh_group rico_mesh_group_at(const rico_mesh *mesh, int64_t index)
{
    const rico_mesh_set *group = &mesh->group[index];
    return (rico_mesh_group){group->name, group->dimension, group->count, group->cell};
}


int64_t rico_mesh_group_find(const rico_mesh *mesh, const char *name)
{
    for (int64_t i = 0; i < mesh->groups; i++)
        if (strcmp(mesh->group[i].name, name) == 0) return i;
    return -1;
}


const char *rico_cell_kind_name(rico_cell_kind kind)
{
    return (int)kind >= 0 && kind < RICO_CELL_KINDS ? rico_cells[kind].name : NULL;
}


void rico_mesh_destroy(rico_mesh *mesh)
{
    if (mesh == NULL) return;
    rico_context *ctx = mesh->ctx;
    for (int64_t i = 0; mesh->group && i < mesh->groups; i++) {
        rico_free(ctx, mesh->group[i].name);
        rico_free(ctx, mesh->group[i].cell);
    }
    void *all[] = {mesh->position, mesh->kind, mesh->start, mesh->node, mesh->group, mesh};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(ctx, all[i]);
}


// --- making one ----------------------------------------------------------------------------------------------------

// What is kept of the arrays: the new number of each node and cell, -1: left out.
typedef struct sieve {
    int64_t *start; // of each given cell in the list of nodes
    int64_t *node, *cell;
    int64_t nodes, cells, list, lost_cells;
} sieve;


static void release(rico_context *ctx, sieve *s)
{
    rico_free(ctx, s->start);
    rico_free(ctx, s->node);
    rico_free(ctx, s->cell);
}


// Elements are kept with their nodes, and lower cells whose nodes all are.
static void sift(const rico_mesh_arrays *a, int dimension, sieve *s)
{
    for (int64_t c = 0; c < a->cells; c++)
        if (rico_cells[a->kind[c]].dimension == dimension)
            for (int64_t k = s->start[c]; k < s->start[c + 1]; k++) s->node[a->node[k]] = 1;
    for (int64_t i = 0; i < a->nodes; i++) s->node[i] = s->node[i] ? s->nodes++ : -1;
    for (int64_t c = 0; c < a->cells; c++) {
        bool kept = true;
        for (int64_t k = s->start[c]; k < s->start[c + 1]; k++) kept = kept && s->node[a->node[k]] >= 0;
        s->cell[c] = kept ? s->cells++ : -1;
        s->list += kept ? s->start[c + 1] - s->start[c] : 0;
    }
    s->lost_cells = a->cells - s->cells;
}


static bool fill(rico_mesh *mesh, const rico_mesh_arrays *a, const sieve *s)
{
    rico_context *ctx = mesh->ctx;
    mesh->nodes = s->nodes;
    mesh->cells = s->cells;
    mesh->position = rico_alloc(ctx, 3 * s->nodes, sizeof *mesh->position);
    mesh->kind = rico_alloc(ctx, s->cells, sizeof *mesh->kind);
    mesh->start = rico_alloc(ctx, s->cells + 1, sizeof *mesh->start);
    mesh->node = rico_alloc(ctx, s->list, sizeof *mesh->node);
    if (!mesh->position || !mesh->kind || !mesh->start || !mesh->node) return false;
    for (int64_t i = 0; i < a->nodes; i++)
        // what is left of the other coordinates is round-off, or it would have been refused
        if (s->node[i] >= 0)
            memcpy(mesh->position + 3 * s->node[i], a->position + 3 * i,
                   (size_t)mesh->dimension * sizeof *a->position);
    for (int64_t c = 0; c < a->cells; c++) {
        if (s->cell[c] < 0) continue;
        int64_t at = mesh->start[s->cell[c]];
        for (int64_t k = s->start[c]; k < s->start[c + 1]; k++) mesh->node[at++] = s->node[a->node[k]];
        mesh->kind[s->cell[c]] = a->kind[c];
        mesh->start[s->cell[c] + 1] = at;
    }
    return true;
}


static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}


// A group of the cells that are left, each once; one without cells is not made.
static bool add_group(rico_mesh *mesh, const rico_mesh_group *given, const sieve *s)
{
    rico_context *ctx = mesh->ctx;
    rico_mesh_set *group = &mesh->group[mesh->groups];
    int64_t *cell = rico_alloc(ctx, given->count, sizeof *cell), count = 0;
    if (cell == NULL) return false;
    for (int64_t i = 0; i < given->count; i++)
        if (s->cell[given->cell[i]] >= 0) cell[count++] = s->cell[given->cell[i]];
    if (count == 0) {
        rico_log(ctx, RICO_LOG_WARNING, "the group '%s' has no cells and is left out", given->name);
        rico_free(ctx, cell);
        return true;
    }
    mesh->groups++;
    group->cell = cell;
    qsort(cell, (size_t)count, sizeof *cell, ascending);
    for (int64_t i = 0; i < count; i++)
        if (i == 0 || cell[i] != cell[i - 1]) cell[group->count++] = cell[i];
    group->dimension = rico_cells[mesh->kind[cell[0]]].dimension;
    size_t length = strlen(given->name) + 1;
    group->name = rico_alloc(ctx, (int64_t)length, 1);
    if (group->name) memcpy(group->name, given->name, length);
    return group->name != NULL;
}


static rico_status assemble(rico_context *ctx, const rico_mesh_arrays *a, int dimension, const sieve *s,
                            rico_mesh **out)
{
    rico_mesh *mesh = rico_alloc(ctx, 1, sizeof *mesh);
    if (mesh == NULL) return RICO_NO_MEMORY;
    mesh->ctx = ctx;
    mesh->dimension = dimension;
    mesh->group = rico_alloc(ctx, a->groups, sizeof *mesh->group);
    bool made = mesh->group && fill(mesh, a, s);
    for (int64_t i = 0; made && i < a->groups; i++) made = add_group(mesh, &a->group[i], s);
    if (made) {
        *out = mesh;
        return RICO_OK;
    }
    rico_mesh_destroy(mesh);
    return RICO_NO_MEMORY;
}


static void tell_losses(rico_context *ctx, const rico_mesh_arrays *a, const sieve *s)
{
    if (s->nodes < a->nodes) {
        int64_t first = 0;
        while (s->node[first] >= 0) first++;
        rico_log(ctx, RICO_LOG_WARNING,
                 "%lld of %lld nodes belong to no element and are left out, node %lld the first",
                 (long long)(a->nodes - s->nodes), (long long)a->nodes,
                 (long long)(a->node_number ? a->node_number[first] : first));
    }
    if (s->lost_cells)
        rico_log(ctx, RICO_LOG_WARNING, "%lld cells lie on nodes that belong to no element and are left out",
                 (long long)s->lost_cells);
}


rico_status rico_mesh_create(rico_context *ctx, const rico_mesh_arrays *arrays, rico_mesh **out)
{
    const rico_mesh_arrays *a = arrays;
    sieve s = {0};
    int dimension;
    rico_status status = rico_mesh_check_sizes(ctx, a, &dimension);
    if (status != RICO_OK) return status;

    s.start = rico_alloc(ctx, a->cells + 1, sizeof *s.start);
    s.node = rico_alloc(ctx, a->nodes, sizeof *s.node);
    s.cell = rico_alloc(ctx, a->cells, sizeof *s.cell);
    status = s.start && s.node && s.cell ? RICO_OK : RICO_NO_MEMORY;
    for (int64_t c = 0; status == RICO_OK && c < a->cells; c++)
        s.start[c + 1] = s.start[c] + rico_cells[a->kind[c]].nodes;
    if (status == RICO_OK) status = rico_mesh_check_cells(ctx, a, s.start);
    if (status == RICO_OK) status = rico_mesh_check_groups(ctx, a);
    if (status == RICO_OK) status = rico_mesh_check_elements(ctx, a, s.start, dimension);
    if (status == RICO_OK) {
        sift(a, dimension, &s);
        tell_losses(ctx, a, &s);
        status = assemble(ctx, a, dimension, &s, out);
    }
    release(ctx, &s);
    return status;
}


rico_status rico_mesh_copy(rico_context *ctx, const rico_mesh *mesh, rico_mesh **out)
{
    rico_mesh_group *group = rico_alloc(ctx, mesh->groups, sizeof *group);
    if (group == NULL) return RICO_NO_MEMORY;
    for (int64_t i = 0; i < mesh->groups; i++) group[i] = rico_mesh_group_at(mesh, i);
    rico_status status = rico_mesh_create(ctx,
                                          &(rico_mesh_arrays){.dimension = mesh->dimension,
                                                              .nodes = mesh->nodes,
                                                              .position = mesh->position,
                                                              .cells = mesh->cells,
                                                              .kind = mesh->kind,
                                                              .node = mesh->node,
                                                              .groups = mesh->groups,
                                                              .group = group},
                                          out);
    rico_free(ctx, group);
    return status;
}
