// Contact of meshes: nodes against obstacles, surfaces and rigid bodies, faces against faces.
//
//     rico_touch_side block = {.part = 0, .mesh = mesh, .group = "bottom"};
//     rico_touch how = {.law = {.friction = 0.3}};
//     rico_system_touch_shape(system, "ground", &block, &(rico_touch_shape){.shape = plane, .stand = at}, &how);
//
// A part whose points are the nodes of a mesh (rico_point.item = the node) meets something else. Each of these adds a source of
// contacts: a contact stands for a node of the first side, by which its key is named, so that it keeps what it has while it slides from face
// to face. In a mesh of the plane contacts have two dimensions, in space three; one without friction.
//
// Between two meshes a node meets a point of a face (`touch_faces`) or the mean of all faces that it lies over (`touch_mortar`). The
// first is exact where nodes stand on nodes; elsewhere it carries a constant pressure over with an error of some percent that does not
// vanish with refinement. The second carries it over exactly, for linear faces. docs/theory/mortar.md.
//
// A mesh is read while it is added and may go afterwards; shapes and bodies must live as long as the system.

#ifndef RICOCHET_TOUCH_H
#define RICOCHET_TOUCH_H

#include "ricochet/bodies.h"
#include "ricochet/mesh.h"

RICO_API_BEGIN

// Nodes or faces of a group of the mesh of a part.
typedef struct rico_touch_side {
    int64_t part; // in the order in which parts were added
    const rico_mesh *mesh;
    const char *group;
} rico_touch_side;

typedef struct rico_touch {
    rico_contact_law law;
    double
        margin; // contacts are there up to this gap, and as far as the motion of a step goes; 0: a quarter of a face
    double
        reach; // nodes that are deeper behind a face, and faces that are farther apart, do not meet; 0: the size of a face
    // Displacements are small against faces: which faces nodes meet, with what weights and normals, is decided once, by the meshes as they are
    // made. H is then constant, which saves most of the work of large systems. Of meshes against meshes; others do not read it.
    bool small;
} rico_touch;

// A shape that stands in the world, or that of a body: bodies, in the same system already, and its index.
typedef struct rico_touch_shape {
    const rico_shape *shape;
    rico_stand stand;
    const rico_bodies *bodies; // NULL: shape and stand
    int64_t body;
} rico_touch_shape;

// Nodes of the group (of cells of any dimension) against the shape, by the signed distance of each to it.
rico_status rico_system_touch_shape(rico_system *system, const char *name, const rico_touch_side *nodes,
                                    const rico_touch_shape *shape, const rico_touch *how);

// A surface g(t, x) = 0, g > 0 being outside: its value, gradient by x (not zero where it is asked) and derivative by t. Gaps are g / |gradient|.
typedef bool (*rico_touch_function)(void *user, double t, const double x[3], double *g, double gradient[3],
                                    double *rate);

// Nodes against it. moves: g depends on t.
rico_status rico_system_touch_surface(rico_system *system, const char *name, const rico_touch_side *nodes,
                                      rico_touch_function surface, void *user, bool moves,
                                      const rico_touch *how);

// Nodes of the first side against faces of the second; both: and the other way round, which makes conditions that follow from each
// other: pressures are then not unique, and a warning says so.
rico_status rico_system_touch_faces(rico_system *system, const char *name, const rico_touch_side *nodes,
                                    const rico_touch_side *faces, bool both, const rico_touch *how);

// Faces against faces by a dual mortar, the multipliers on the first side. radial: bodies of revolution about the second axis, areas
// are weighted with the radius.
rico_status rico_system_touch_mortar(rico_system *system, const char *name, const rico_touch_side *slave,
                                     const rico_touch_side *master, bool radial, const rico_touch *how);

// The node that a contact of such a source stands for, by its key; *second: of the second side, where both are asked.
int64_t rico_touch_node(uint64_t key, bool *second);

RICO_API_END

#endif
