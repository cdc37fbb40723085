// The skin of a mesh, or a piece of it: the faces of a group, turned outwards, for contact.

#ifndef RICO_MESH_SKIN_H
#define RICO_MESH_SKIN_H

#include "mesh/face.h"
#include "mesh/mesh.h"

// Faces belong to one patch where the edges between them are not sharp.
typedef struct rico_skin {
    rico_context *ctx;
    int dimension; // 2: edges of a mesh of the plane, 3: faces
    int64_t faces, nodes, patches;
    unsigned char *kind; // rico_cell_kind of each face
    int64_t *cell;       // of the mesh
    int32_t *patch;
    int64_t *start; // faces + 1
    int64_t *local; // nodes of each face, outwards, as numbers of the skin
    int64_t *
        beside; // laid out likewise: the face beyond side k (line: at end k) of the same patch or another, -1: an open border
    int64_t *node;         // of the mesh
    int32_t *node_patch;   // the one that a node belongs to, where nodes are split
    int64_t *around_start; // nodes + 1
    int64_t *around;       // faces at each node
    double size;           // mean size of a face as the mesh is made
} rico_skin;

typedef struct rico_skin_options {
    bool linear; // quadratic faces as several linear ones
    bool split;  // a node between patches stands once in each
} rico_skin_options;

// Refused, in words: no such group, cells that are no faces of the mesh, that are within it, or that stand there twice.
rico_status rico_skin_create(rico_context *ctx, const rico_mesh *mesh, const char *group,
                             rico_skin_options options, rico_skin *out);
void rico_skin_destroy(rico_skin *skin);

// Nodes of face f, gathered from three coordinates a node of the skin.
void rico_skin_gather(const rico_skin *skin, const double *x, int64_t face, double *out);

// Unit normal of a face in its middle.
void rico_skin_normal(const rico_skin *skin, const double *x, int64_t face, double normal[3]);

// The group of a mesh by its name, or a message.
rico_status rico_skin_group(rico_context *ctx, const rico_mesh *mesh, const char *group,
                            const rico_mesh_set **out);

// All nodes of the cells of a group, ascending, and the mean size of these cells; for points, about how far nodes stand from each other.
rico_status rico_skin_nodes(rico_context *ctx, const rico_mesh *mesh, const char *group, int64_t *count,
                            int64_t **node, double *size);

#endif
