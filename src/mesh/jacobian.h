// The Jacobian of an element: how much of space a piece of its reference cell takes.

#ifndef RICO_MESH_JACOBIAN_H
#define RICO_MESH_JACOBIAN_H

#include "mesh/cell.h"

// The smallest determinant of dx/dxi over the element's nodes and its middle; x: position of each node. *where: the node (0, ...) at which
// it is found, -1: the middle. Reference cells: [-1, 1]^d, and r, s, t >= 0 with r + s + t <= 1.
double rico_cell_least_jacobian(rico_cell_kind kind, const double (*x)[3], int *where);

#endif
