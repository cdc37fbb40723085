// The kinds of cells: a table.

#ifndef RICO_MESH_CELL_H
#define RICO_MESH_CELL_H

#include "ricochet/mesh.h"

enum { RICO_CELL_FACES = 6 };

// Faces list their nodes so that the normal of the face points out of the cell (in the plane: to the right of the way along the edge).
typedef struct rico_cell_info {
    const char *name; // "T3"
    int dimension, nodes, corners;
    int gmsh, vtk; // numbers of the kind in those formats
    int faces;
    rico_cell_kind face;                                     // kind of all of them
    signed char face_node[RICO_CELL_FACES][RICO_CELL_NODES]; // as many as that kind has
} rico_cell_info;

extern const rico_cell_info rico_cells[RICO_CELL_KINDS];

#endif
