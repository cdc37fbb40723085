// A mesh from inside, and how one is put together.

#ifndef RICO_MESH_MESH_H
#define RICO_MESH_MESH_H

#include "mesh/cell.h"

typedef struct rico_mesh_set { // a group
    char *name;
    int dimension;
    int64_t count;
    int64_t *cell;
} rico_mesh_set;

struct rico_mesh {
    rico_context *ctx;
    int dimension;
    int64_t nodes, cells, groups;
    double *position;
    unsigned char *kind;
    int64_t *start, *node;
    rico_mesh_set *group;
};

#endif
