// Whether arrays make a sound mesh.

#include "mesh/mesh_check.h"

#include "base/context.h"
#include "mesh/jacobian.h"
#include "mesh/keys.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Coordinates that differ from 0 by this much of the size of the mesh are round-off of whoever wrote them.
static const double FLAT = 1e-10;

// A Jacobian below this much of the element's size to the power of its dimension is 0.
static const double EMPTY = 1e-13;


static long long node_name(const rico_mesh_arrays *a, int64_t node)
{
    return (long long)(a->node_number ? a->node_number[node] : node);
}


static long long cell_name(const rico_mesh_arrays *a, int64_t cell)
{
    return (long long)(a->cell_number ? a->cell_number[cell] : cell);
}


rico_status rico_mesh_check_sizes(rico_context *ctx, const rico_mesh_arrays *a, int *dimension)
{
    const int64_t limit = INT64_C(1) << 40; // of what is multiplied below
    if (a->nodes < 0 || a->cells < 0 || a->groups < 0 || a->nodes > limit || a->cells > limit)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a mesh cannot have %lld nodes, %lld cells and %lld groups",
                         (long long)a->nodes, (long long)a->cells, (long long)a->groups);
    int highest = 0;
    for (int64_t c = 0; c < a->cells; c++) {
        if (a->kind[c] >= RICO_CELL_KINDS)
            return rico_fail(ctx, RICO_BAD_INPUT, "cell %lld is of a kind %d, which does not exist",
                             cell_name(a, c), a->kind[c]);
        if (rico_cells[a->kind[c]].dimension > highest) highest = rico_cells[a->kind[c]].dimension;
    }
    if (highest == 0)
        return rico_fail(ctx, RICO_BAD_INPUT,
                         "the mesh has no elements: none of its %lld cells is a line, a face or a solid",
                         (long long)a->cells);
    if (a->dimension != 0 && a->dimension != highest)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a mesh of dimension %d has cells of dimension %d",
                         a->dimension, highest);
    *dimension = highest;
    return RICO_OK;
}


static rico_status check_cell(rico_context *ctx, const rico_mesh_arrays *a, int64_t c, const int64_t *node,
                              int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        if (node[i] < 0 || node[i] >= a->nodes)
            return rico_fail(
                ctx, RICO_BAD_INPUT, "cell %lld (%s) has a node %lld; the mesh has %lld nodes, from 0",
                cell_name(a, c), rico_cells[a->kind[c]].name, (long long)node[i], (long long)a->nodes);
        for (int64_t j = 0; j < i; j++)
            if (node[i] == node[j])
                return rico_fail(ctx, RICO_BAD_INPUT, "cell %lld (%s) has the node %lld twice",
                                 cell_name(a, c), rico_cells[a->kind[c]].name, node_name(a, node[i]));
    }
    return RICO_OK;
}


rico_status rico_mesh_check_cells(rico_context *ctx, const rico_mesh_arrays *a, const int64_t *start)
{
    for (int64_t i = 0; i < 3 * a->nodes; i++)
        if (!isfinite(a->position[i]))
            return rico_fail(ctx, RICO_BAD_INPUT, "node %lld has %c = %g", node_name(a, i / 3), "xyz"[i % 3],
                             a -> position[i]);
    rico_status status = RICO_OK;
    for (int64_t c = 0; status == RICO_OK && c < a->cells; c++)
        status = check_cell(ctx, a, c, a->node + start[c], start[c + 1] - start[c]);
    return status;
}


static rico_status check_group(rico_context *ctx, const rico_mesh_arrays *a, const rico_mesh_group *group)
{
    for (int64_t i = 0; i < group->count; i++) {
        int64_t cell = group->cell[i];
        if (cell < 0 || cell >= a->cells)
            return rico_fail(ctx, RICO_BAD_INPUT,
                             "the group '%s' names a cell %lld; the mesh has %lld cells, from 0", group->name,
                             (long long)cell, (long long)a->cells);
        int here = rico_cells[a->kind[cell]].dimension, first = rico_cells[a->kind[group->cell[0]]].dimension;
        if (here != first)
            return rico_fail(
                ctx, RICO_BAD_INPUT,
                "the group '%s' has cells of several dimensions: cell %lld of %d, cell %lld of %d",
                group->name, cell_name(a, group->cell[0]), first, cell_name(a, cell), here);
    }
    return RICO_OK;
}


rico_status rico_mesh_check_groups(rico_context *ctx, const rico_mesh_arrays *a)
{
    rico_status status = RICO_OK;
    for (int64_t i = 0; status == RICO_OK && i < a->groups; i++) {
        const char *name = a->group[i].name;
        if (name == NULL || *name == '\0')
            return rico_fail(ctx, RICO_BAD_INPUT, "group %lld has no name", (long long)i);
        for (int64_t j = 0; j < i; j++)
            if (strcmp(a->group[j].name, name) == 0)
                return rico_fail(
                    ctx, RICO_BAD_INPUT,
                    "two groups are named '%s'; give each a name of its own, also where their cells "
                    "are of different dimensions",
                    name);
        status = check_group(ctx, a, &a->group[i]);
    }
    return status;
}


// --- elements ------------------------------------------------------------------------------------------------------

// Largest extent of the nodes of elements along an axis.
static double extent(const rico_mesh_arrays *a, const int64_t *start, int dimension)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, most = 0.0;
    for (int64_t c = 0; c < a->cells; c++) {
        if (rico_cells[a->kind[c]].dimension != dimension) continue;
        for (int64_t k = start[c]; k < start[c + 1]; k++)
            for (int i = 0; i < 3; i++) {
                double x = a->position[3 * a->node[k] + i];
                low[i] = fmin(low[i], x);
                high[i] = fmax(high[i], x);
            }
    }
    for (int i = 0; i < 3; i++) most = fmax(most, high[i] - low[i]);
    return most;
}


static rico_status check_flat(rico_context *ctx, const rico_mesh_arrays *a, const int64_t *start,
                              int dimension, int64_t c, double bound)
{
    static const char *const WHAT[] = {"", "a line, along x with y = z = 0", "the plane, with z = 0"};
    for (int64_t k = start[c]; k < start[c + 1]; k++)
        for (int i = dimension; i < 3; i++) {
            double x = a->position[3 * a->node[k] + i];
            if (fabs(x) > bound)
                return rico_fail(
                    ctx, RICO_BAD_INPUT,
                    "node %lld of the element %lld (%s) has %c = %g; the mesh has elements of dimension "
                    "%d only and must lie in %s",
                    node_name(a, a->node[k]), cell_name(a, c), rico_cells[a->kind[c]].name, "xyz"[i], x,
                    dimension, WHAT[dimension]);
        }
    return RICO_OK;
}


typedef struct volumes {
    int64_t elements, inverted, empty;
    int64_t worst; // first cell that is inverted, or else empty; -1: none
    double jacobian;
    int where;
} volumes;


static void weigh(const rico_mesh_arrays *a, const int64_t *start, int64_t c, volumes *v)
{
    const rico_cell_info *cell = &rico_cells[a->kind[c]];
    double x[RICO_CELL_NODES][3], size = 0.0;
    int where = -1;
    for (int i = 0; i < cell->nodes; i++) {
        memcpy(x[i], a->position + 3 * a->node[start[c] + i], sizeof x[i]);
        for (int k = 0; k < cell->dimension; k++) size = fmax(size, fabs(x[i][k] - x[0][k]));
    }
    double jacobian = rico_cell_least_jacobian(a->kind[c], (const double(*)[3])x, &where);
    double none = EMPTY * pow(size, cell->dimension);
    bool inverted = jacobian < -none, empty = !inverted && !(jacobian > none);
    v->elements++;
    if ((inverted && v->inverted == 0) || (empty && v->worst < 0)) {
        v->worst = c;
        v->jacobian = jacobian;
        v->where = where;
    }
    v->inverted += inverted;
    v->empty += empty;
}


static rico_status refuse(rico_context *ctx, const rico_mesh_arrays *a, const int64_t *start,
                          const volumes *v)
{
    long long name = cell_name(a, v->worst);
    const rico_cell_info *cell = &rico_cells[a->kind[v->worst]];
    char at[64] = "in its middle";
    if (v->where >= 0)
        snprintf(at, sizeof at, "at its node %lld", node_name(a, a->node[start[v->worst] + v->where]));
    if (v->inverted == 0)
        return rico_fail(ctx, RICO_BAD_INPUT,
                         "element %lld (%s) has no volume: its Jacobian is %.3g %s (%lld of %lld elements)",
                         name, cell->name, v->jacobian, at, (long long)v->empty, (long long)v->elements);
    const char *remedy = "check its corners, and the middles of its edges if it has them";
    if (v->inverted == v->elements)
        remedy =
            cell->dimension == 2
                ? "all are: the mesh is seen from behind. List the nodes of each the other way around, in "
                  "Gmsh by 'ReverseMesh Surface{:};'"
                : "all are: list the nodes of each the other way around";
    return rico_fail(ctx, RICO_BAD_INPUT,
                     "element %lld (%s) is inverted: its Jacobian is %.3g %s (%lld of %lld elements); %s",
                     name, cell->name, v->jacobian, at, (long long)v->inverted, (long long)v->elements,
                     remedy);
}


// Two elements on the same corners would make everything there twice as stiff and heavy.
static rico_status check_twins(rico_context *ctx, const rico_mesh_arrays *a, const int64_t *start,
                               int dimension, int64_t elements)
{
    rico_keys keys = {0};
    int64_t *first = rico_alloc(ctx, elements, sizeof *first);
    rico_status status = first && rico_keys_start(&keys, ctx, 8, elements) ? RICO_OK : RICO_NO_MEMORY;
    for (int64_t c = 0; status == RICO_OK && c < a->cells; c++) {
        const rico_cell_info *cell = &rico_cells[a->kind[c]];
        if (cell->dimension != dimension) continue;
        int64_t before = keys.count;
        int64_t number = rico_keys_number(&keys, cell->corners, a->node + start[c], true);
        if (number < 0) {
            status = RICO_NO_MEMORY;
        } else if (number < before) {
            status = rico_fail(ctx, RICO_BAD_INPUT, "the elements %lld and %lld (%s) have the same corners",
                               cell_name(a, first[number]), cell_name(a, c), cell->name);
        } else {
            first[number] = c;
        }
    }
    rico_keys_release(&keys);
    rico_free(ctx, first);
    return status;
}


rico_status rico_mesh_check_elements(rico_context *ctx, const rico_mesh_arrays *a, const int64_t *start,
                                     int dimension)
{
    volumes v = {.worst = -1};
    double bound = FLAT * extent(a, start, dimension);
    rico_status status = RICO_OK;
    for (int64_t c = 0; status == RICO_OK && c < a->cells; c++) {
        if (rico_cells[a->kind[c]].dimension != dimension) continue;
        status = check_flat(ctx, a, start, dimension, c, bound);
        weigh(a, start, c, &v);
    }
    if (status == RICO_OK && v.worst >= 0) status = refuse(ctx, a, start, &v);
    return status == RICO_OK ? check_twins(ctx, a, start, dimension, v.elements) : status;
}
