// Meshes made by hand for the tests of contact: rectangles of Q4, boxes of H8, with the faces of their sides as groups.

#ifndef RICO_TESTS_MESH_GRIDS_H
#define RICO_TESTS_MESH_GRIDS_H

#include "mesh/mesh.h"
#include "support.h"

static inline rico_mesh *grid_room(int dimension, int64_t nodes, int64_t cells, int64_t groups)
{
    rico_mesh *mesh = calloc(1, sizeof *mesh);
    assert_non_null(mesh);
    mesh->dimension = dimension;
    mesh->nodes = nodes;
    mesh->groups = groups;
    mesh->position = calloc((size_t)(3 * nodes), sizeof *mesh->position);
    mesh->kind = calloc((size_t)cells, 1);
    mesh->start = calloc((size_t)(cells + 1), sizeof *mesh->start);
    mesh->node = calloc((size_t)(RICO_CELL_NODES * cells), sizeof *mesh->node);
    mesh->group = calloc((size_t)groups, sizeof *mesh->group);
    assert_true(mesh->position && mesh->kind && mesh->start && mesh->node && mesh->group);
    return mesh;
}


static inline void grid_destroy(rico_mesh *mesh)
{
    for (int64_t g = 0; g < mesh->groups; g++) free(mesh->group[g].cell);
    free(mesh->position);
    free(mesh->kind);
    free(mesh->start);
    free(mesh->node);
    free(mesh->group);
    free(mesh);
}


static inline int64_t grid_cell(rico_mesh *mesh, rico_cell_kind kind, const int64_t *node)
{
    int64_t cell = mesh->cells++;
    mesh->kind[cell] = (unsigned char)kind;
    mesh->start[cell + 1] = mesh->start[cell] + rico_cells[kind].nodes;
    for (int k = 0; k < rico_cells[kind].nodes; k++) mesh->node[mesh->start[cell] + k] = node[k];
    return cell;
}


static inline void grid_group(rico_mesh *mesh, int64_t group, const char *name, int64_t room)
{
    mesh->group[group] = (rico_mesh_set){.name = (char *)(uintptr_t)name,
                                         .dimension = mesh->dimension - 1,
                                         .cell = calloc((size_t)room, sizeof(int64_t))};
    assert_non_null(mesh->group[group].cell);
}


static inline void grid_member(rico_mesh *mesh, int64_t group, int64_t cell)
{
    mesh->group[group].cell[mesh->group[group].count++] = cell;
}


// nx x ny cells of Q4 from `low` to `high`; node i + j (nx + 1). Groups: bottom, right, top, left; their edges in any direction.
static inline rico_mesh *grid_rectangle(int64_t nx, int64_t ny, const double low[2], const double high[2])
{
    static const char *const NAME[] = {"bottom", "right", "top", "left"};
    rico_mesh *mesh = grid_room(2, (nx + 1) * (ny + 1), nx * ny + 2 * (nx + ny), 4);
    for (int g = 0; g < 4; g++) grid_group(mesh, g, NAME[g], nx + ny);
    for (int64_t n = 0; n < mesh->nodes; n++) {
        const int64_t column = n % (nx + 1), row = n / (nx + 1);
        mesh->position[3 * n] = low[0] + (high[0] - low[0]) * (double)column / (double)nx;
        mesh->position[3 * n + 1] = low[1] + (high[1] - low[1]) * (double)row / (double)ny;
    }
    for (int64_t j = 0; j < ny; j++)
        for (int64_t i = 0; i < nx; i++) {
            int64_t n = i + j * (nx + 1);
            grid_cell(mesh, RICO_CELL_Q4, (int64_t[]){n, n + 1, n + nx + 2, n + nx + 1});
        }
    for (int64_t i = 0; i < nx; i++) {
        int64_t n = ny * (nx + 1) + i;
        grid_member(mesh, 0, grid_cell(mesh, RICO_CELL_LINE2, (int64_t[]){i, i + 1}));
        grid_member(mesh, 2, grid_cell(mesh, RICO_CELL_LINE2, (int64_t[]){n, n + 1}));
    }
    for (int64_t j = 0; j < ny; j++) {
        int64_t n = j * (nx + 1);
        grid_member(mesh, 1, grid_cell(mesh, RICO_CELL_LINE2, (int64_t[]){n + nx, n + 2 * nx + 1}));
        grid_member(mesh, 3, grid_cell(mesh, RICO_CELL_LINE2, (int64_t[]){n, n + nx + 1}));
    }
    return mesh;
}


// n[0] x n[1] x n[2] cells of H8. Groups: bottom, top (of Q4, or of two T3 to a cell face).
static inline rico_mesh *grid_box(const int64_t n[3], const double low[3], const double high[3])
{
    int64_t a = n[0] + 1, b = n[1] + 1, layer = a * b, faces = n[0] * n[1];
    rico_mesh *mesh = grid_room(3, layer * (n[2] + 1), faces * n[2] + 2 * faces, 2);
    grid_group(mesh, 0, "bottom", faces);
    grid_group(mesh, 1, "top", faces);
    for (int64_t k = 0; k < mesh->nodes; k++) {
        const int64_t at[3] = {k % a, k / a % b, k / layer};
        for (int i = 0; i < 3; i++)
            mesh->position[3 * k + i] = low[i] + (high[i] - low[i]) * (double)at[i] / (double)n[i];
    }
    for (int64_t c = 0; c < faces * n[2]; c++) {
        int64_t p = c % n[0] + (c / n[0] % n[1]) * a + c / faces * layer;
        grid_cell(mesh, RICO_CELL_H8,
                  (int64_t[]){p, p + 1, p + a + 1, p + a, p + layer, p + layer + 1, p + layer + a + 1,
                              p + layer + a});
    }
    for (int64_t c = 0; c < faces; c++) {
        int64_t p = c % n[0] + c / n[0] * a, q = p + n[2] * layer;
        grid_member(mesh, 0, grid_cell(mesh, RICO_CELL_Q4, (int64_t[]){p, p + 1, p + a + 1, p + a}));
        grid_member(mesh, 1, grid_cell(mesh, RICO_CELL_Q4, (int64_t[]){q, q + 1, q + a + 1, q + a}));
    }
    return mesh;
}

#endif
