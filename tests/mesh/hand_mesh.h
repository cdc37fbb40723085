// Meshes for tests, made by hand: bars, rectangles and boxes of any kind of element, moved by a map, with their sides as groups.
//
// Quadratic kinds use a grid of twice the fineness; nodes of it that no element has stay in the mesh, as they do in many a file.

#ifndef RICO_TESTS_MESH_HAND_MESH_H
#define RICO_TESTS_MESH_HAND_MESH_H

#include "mesh/mesh.h"
#include "support.h"

// Moves a point of the unit line, square or cube to where it belongs.
typedef void (*hand_map)(void *user, const double unit[3], double x[3]);

typedef struct hand_mesh {
    rico_mesh mesh;
    int grid[3], fine; // nodes a side of the grid, and grid steps an element
    int64_t room, node_room;
} hand_mesh;


static inline int64_t hand_node(const hand_mesh *m, int i, int j, int k)
{
    return i + (int64_t)m->grid[0] * (j + (int64_t)m->grid[1] * k);
}


static inline void hand_cell(hand_mesh *m, rico_cell_kind kind, const int64_t *node, int group)
{
    rico_mesh *mesh = &m->mesh;
    int nodes = rico_cells[kind].nodes;
    int64_t cell = mesh->cells++;
    assert_true(cell < m->room && mesh->start[cell] + nodes <= m->node_room);
    mesh->kind[cell] = (unsigned char)kind;
    mesh->start[cell + 1] = mesh->start[cell] + nodes;
    memcpy(mesh->node + mesh->start[cell], node, (size_t)nodes * sizeof *node);
    rico_mesh_set *set = &mesh->group[group];
    set->dimension = rico_cells[kind].dimension;
    set->cell[set->count++] = cell;
}


static inline void hand_begin(hand_mesh *m, int dimension, rico_cell_kind kind, int nx, int ny, int nz,
                              hand_map map, void *user)
{
    static const char *const NAMES[] = {"body", "left", "right", "bottom", "top", "back", "front"};
    int n[3] = {nx, ny, nz};
    bool quadratic =
        kind == RICO_CELL_LINE3 || kind == RICO_CELL_T6 || kind == RICO_CELL_Q8 || kind == RICO_CELL_TET10;
    *m = (hand_mesh){.fine = quadratic ? 2 : 1};
    rico_mesh *mesh = &m->mesh;
    mesh->dimension = dimension;
    mesh->nodes = 1;
    for (int i = 0; i < 3; i++) {
        m->grid[i] = i < dimension ? m->fine * n[i] + 1 : 1;
        mesh->nodes *= m->grid[i];
    }
    int64_t bricks = (int64_t)nx * (dimension > 1 ? ny : 1) * (dimension > 2 ? nz : 1);
    m->room = 20 * bricks + 8;
    m->node_room = 10 * m->room;
    mesh->position = calloc((size_t)(3 * mesh->nodes), sizeof(double));
    mesh->kind = calloc((size_t)m->room, 1);
    mesh->start = calloc((size_t)m->room + 1, sizeof(int64_t));
    mesh->node = calloc((size_t)m->node_room, sizeof(int64_t));
    mesh->groups = 1 + 2 * dimension;
    mesh->group = calloc((size_t)mesh->groups, sizeof *mesh->group);
    for (int64_t g = 0; g < mesh->groups; g++) {
        mesh->group[g].name = (char *)(uintptr_t)NAMES[g];
        mesh->group[g].cell = calloc((size_t)m->room, sizeof(int64_t));
    }
    for (int k = 0; k < m->grid[2]; k++)
        for (int j = 0; j < m->grid[1]; j++)
            for (int i = 0; i < m->grid[0]; i++) {
                double unit[3] = {(double)i / (m->grid[0] - 1),
                                  dimension > 1 ? (double)j / (m->grid[1] - 1) : 0.0,
                                  dimension > 2 ? (double)k / (m->grid[2] - 1) : 0.0};
                double *x = mesh->position + 3 * hand_node(m, i, j, k);
                memcpy(x, unit, sizeof unit);
                if (map) map(user, unit, x);
            }
}


static inline void hand_end(hand_mesh *m)
{
    for (int64_t g = 0; g < m->mesh.groups; g++) free(m->mesh.group[g].cell);
    free(m->mesh.group);
    free(m->mesh.position);
    free(m->mesh.kind);
    free(m->mesh.start);
    free(m->mesh.node);
}


static inline void hand_bar(hand_mesh *m, rico_cell_kind kind, int n, hand_map map, void *user)
{
    hand_begin(m, 1, kind, n, 1, 1, map, user);
    for (int i = 0; i < n; i++) {
        int64_t a = (int64_t)i * m->fine, node[3] = {a, a + m->fine, a + 1};
        hand_cell(m, kind, node, 0);
    }
    int64_t first = 0, last = m->grid[0] - 1;
    hand_cell(m, RICO_CELL_POINT, &first, 1);
    hand_cell(m, RICO_CELL_POINT, &last, 2);
}


// An edge from (i, j) on by one element along axis 0 or 1.
static inline void hand_edge(hand_mesh *m, int i, int j, int axis, int group)
{
    int f = m->fine, di = axis == 0, dj = axis == 1;
    int64_t node[3] = {hand_node(m, i, j, 0), hand_node(m, i + f * di, j + f * dj, 0),
                       hand_node(m, i + di, j + dj, 0)};
    hand_cell(m, f == 2 ? RICO_CELL_LINE3 : RICO_CELL_LINE2, node, group);
}


// Triangles: the diagonal from lower left to upper right, or every other the other way. Edges of sides run along x or y, so some of them
// have their outside on the left.
static inline void hand_rectangle(hand_mesh *m, rico_cell_kind kind, int nx, int ny, bool alternate,
                                  hand_map map, void *user)
{
    hand_begin(m, 2, kind, nx, ny, 1, map, user);
    int f = m->fine;
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            int64_t at[3][3];
            for (int b = 0; b <= f; b++)
                for (int a = 0; a <= f; a++) at[a][b] = hand_node(m, f * i + a, f * j + b, 0);
            int64_t p = at[0][0], q = at[f][0], r = at[f][f], s = at[0][f];
            if (kind == RICO_CELL_Q4 || kind == RICO_CELL_Q8) {
                int64_t node[8] = {p, q, r, s, at[1][0], at[f][1], at[1][f], at[0][1]};
                hand_cell(m, kind, node, 0);
            } else if (!alternate || (i + j) % 2 == 0) {
                int64_t low[6] = {p, q, r, at[1][0], at[f][1], at[1][1]},
                        high[6] = {p, r, s, at[1][1], at[1][f], at[0][1]};
                hand_cell(m, kind, low, 0);
                hand_cell(m, kind, high, 0);
            } else {
                int64_t low[6] = {p, q, s, at[1][0], at[1][1], at[0][1]},
                        high[6] = {q, r, s, at[f][1], at[1][f], at[1][1]};
                hand_cell(m, kind, low, 0);
                hand_cell(m, kind, high, 0);
            }
        }
    for (int j = 0; j < ny; j++) hand_edge(m, 0, f * j, 1, 1);
    for (int j = 0; j < ny; j++) hand_edge(m, f * nx, f * j, 1, 2);
    for (int i = 0; i < nx; i++) hand_edge(m, f * i, 0, 0, 3);
    for (int i = 0; i < nx; i++) hand_edge(m, f * i, f * ny, 0, 4);
}


// The six tetrahedra of Kuhn: along the ways from one corner to the opposite one.
static inline void hand_tetrahedra(hand_mesh *m, rico_cell_kind kind, int i, int j, int k)
{
    static const int ORDER[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {1, 0, 2}, {0, 2, 1}, {2, 1, 0}};
    static const int EDGE[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {2, 3}, {1, 3}};
    for (int t = 0; t < 6; t++) {
        int corner[4][3] = {{i, j, k}};
        for (int c = 1; c < 4; c++) {
            memcpy(corner[c], corner[c - 1], sizeof corner[c]);
            corner[c][ORDER[t][c - 1]] += m->fine;
        }
        if (t >= 3) { // odd permutations are the other way round
            int kept[3];
            memcpy(kept, corner[1], sizeof kept);
            memcpy(corner[1], corner[2], sizeof kept);
            memcpy(corner[2], kept, sizeof kept);
        }
        int64_t node[10];
        for (int c = 0; c < 4; c++) node[c] = hand_node(m, corner[c][0], corner[c][1], corner[c][2]);
        for (int e = 0; kind == RICO_CELL_TET10 && e < 6; e++) {
            const int *a = corner[EDGE[e][0]], *b = corner[EDGE[e][1]];
            node[4 + e] = hand_node(m, (a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2);
        }
        hand_cell(m, kind, node, 0);
    }
}


// A square of a side at grid point p, across axes a and b; triangles along the diagonal that Kuhn's tetrahedra have.
static inline void hand_side(hand_mesh *m, rico_cell_kind kind, const int p[3], int a, int b, int group)
{
    int f = m->fine;
    int64_t at[3][3];
    for (int s = 0; s <= f; s++)
        for (int r = 0; r <= f; r++) {
            int g[3] = {p[0], p[1], p[2]};
            g[a] += r;
            g[b] += s;
            at[r][s] = hand_node(m, g[0], g[1], g[2]);
        }
    if (kind == RICO_CELL_H8) {
        int64_t node[4] = {at[0][0], at[1][0], at[1][1], at[0][1]};
        hand_cell(m, RICO_CELL_Q4, node, group);
        return;
    }
    int64_t low[6] = {at[0][0], at[f][0], at[f][f], at[1][0], at[f][1], at[1][1]},
            high[6] = {at[0][0], at[f][f], at[0][f], at[1][1], at[1][f], at[0][1]};
    hand_cell(m, f == 2 ? RICO_CELL_T6 : RICO_CELL_T3, low, group);
    hand_cell(m, f == 2 ? RICO_CELL_T6 : RICO_CELL_T3, high, group);
}


static inline void hand_box(hand_mesh *m, rico_cell_kind kind, int nx, int ny, int nz, hand_map map,
                            void *user)
{
    int n[3] = {nx, ny, nz};
    hand_begin(m, 3, kind, nx, ny, nz, map, user);
    int f = m->fine;
    for (int k = 0; k < nz; k++)
        for (int j = 0; j < ny; j++)
            for (int i = 0; i < nx; i++) {
                if (kind != RICO_CELL_H8) {
                    hand_tetrahedra(m, kind, f * i, f * j, f * k);
                    continue;
                }
                int64_t node[8];
                for (int c = 0; c < 8; c++)
                    node[c] = hand_node(m, i + (c % 4 == 1 || c % 4 == 2), j + (c % 4 > 1), k + (c > 3));
                hand_cell(m, kind, node, 0);
            }
    for (int axis = 0; axis < 3; axis++)
        for (int end = 0; end < 2; end++) {
            int a = (axis + 1) % 3, b = (axis + 2) % 3;
            for (int s = 0; s < n[b]; s++)
                for (int r = 0; r < n[a]; r++) {
                    int p[3];
                    p[axis] = end ? f * n[axis] : 0;
                    p[a] = f * r;
                    p[b] = f * s;
                    hand_side(m, kind, p, a, b, 1 + 2 * axis + end);
                }
        }
}


// Shifts the corners inside by up to `by` in each direction and puts the middles of edges between them again.
static inline void hand_distort(hand_mesh *m, double by, uint64_t seed)
{
    rico_random random;
    rico_random_seed(&random, seed);
    int f = m->fine, dimension = m->mesh.dimension;
    for (int k = 0; k < m->grid[2]; k += f)
        for (int j = 0; j < m->grid[1]; j += f)
            for (int i = 0; i < m->grid[0]; i += f) {
                int at[3] = {i, j, k};
                bool inside = true;
                for (int a = 0; a < dimension; a++) inside &= at[a] > 0 && at[a] < m->grid[a] - 1;
                double *x = m->mesh.position + 3 * hand_node(m, i, j, k);
                for (int a = 0; inside && a < dimension; a++) x[a] += rico_random_range(&random, -by, by);
            }
    // a point between corners stands in the middle of the two that its diagonal, lower to upper, joins
    for (int k = 0; f == 2 && k < m->grid[2]; k++)
        for (int j = 0; j < m->grid[1]; j++)
            for (int i = 0; i < m->grid[0]; i++) {
                double *x = m->mesh.position + 3 * hand_node(m, i, j, k);
                const double *low = m->mesh.position + 3 * hand_node(m, i - i % 2, j - j % 2, k - k % 2),
                             *high = m->mesh.position + 3 * hand_node(m, i + i % 2, j + j % 2, k + k % 2);
                for (int a = 0; a < 3; a++) x[a] = 0.5 * (low[a] + high[a]);
            }
}

#endif
