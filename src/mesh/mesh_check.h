// Whether arrays make a sound mesh; each refusal is a sentence with the cell or node that caused it.

#ifndef RICO_MESH_MESH_CHECK_H
#define RICO_MESH_MESH_CHECK_H

#include "mesh/mesh.h"

// Counts and kinds; *dimension: of the elements.
rico_status rico_mesh_check_sizes(rico_context *ctx, const rico_mesh_arrays *a, int *dimension);

// Nodes of cells, and coordinates. Cell c has the nodes node[start[c]] to node[start[c + 1] - 1].
rico_status rico_mesh_check_cells(rico_context *ctx, const rico_mesh_arrays *a, const int64_t *start);

rico_status rico_mesh_check_groups(rico_context *ctx, const rico_mesh_arrays *a);

// Flatness, volumes, twins.
rico_status rico_mesh_check_elements(rico_context *ctx, const rico_mesh_arrays *a, const int64_t *start,
                                     int dimension);

#endif
