// Meshes: nodes, cells of several kinds, groups with names.
//
// A mesh comes from a generator, from a file or from arrays. Once made it never changes. Nodes have three coordinates; in a mesh of
// the plane the third is 0, in one of a line the second too. Cells are numbered from 0 and hold their nodes in the order of
// Gmsh: corners first, then the middles of edges. A mesh holds cells of its own dimension, which become elements, and cells of lower
// ones (faces, edges, points), which loads, supports and contacts refer to by the names of their groups.

#ifndef RICOCHET_MESH_H
#define RICOCHET_MESH_H

#include "ricochet/context.h"

RICO_API_BEGIN

typedef enum rico_cell_kind {
    RICO_CELL_POINT,
    RICO_CELL_LINE2,
    RICO_CELL_LINE3,
    RICO_CELL_T3,
    RICO_CELL_T6,
    RICO_CELL_Q4,
    RICO_CELL_Q8,
    RICO_CELL_TET4,
    RICO_CELL_TET10,
    RICO_CELL_H8,
    RICO_CELL_KINDS
} rico_cell_kind;

enum { RICO_CELL_NODES = 10 }; // of a cell, at most

typedef struct rico_mesh rico_mesh;

// What a mesh holds; pointers live as long as the mesh.
typedef struct rico_mesh_view {
    int dimension; // 1, 2 or 3: of its elements
    int64_t nodes;
    const double *position; // three a node
    int64_t cells;
    const unsigned char *kind; // rico_cell_kind of each
    const int64_t *start;      // cells + 1: cell c has the nodes node[start[c]] to node[start[c + 1] - 1]
    const int64_t *node;
    int64_t groups;
} rico_mesh_view;

typedef struct rico_mesh_group {
    const char *name;
    int dimension; // of its cells
    int64_t count;
    const int64_t *cell; // ascending
} rico_mesh_group;

rico_mesh_view rico_mesh_look(const rico_mesh *mesh);
rico_mesh_group rico_mesh_group_at(const rico_mesh *mesh, int64_t index);
int64_t rico_mesh_group_find(const rico_mesh *mesh, const char *name); // -1: none of that name
void rico_mesh_destroy(rico_mesh *mesh);

RICO_API_END

#endif
