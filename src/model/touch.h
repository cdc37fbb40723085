// Contact of meshes from inside: what all kinds of it share.

#ifndef RICO_MODEL_TOUCH_H
#define RICO_MODEL_TOUCH_H

#include "collide/narrow.h"
#include "mesh/mortar.h"
#include "model/system.h"
#include "ricochet/touch.h"

enum { SLAVE, MASTER, SIDES };

// Nodes of a part.
typedef struct rico_touch_nodes {
    int64_t part, count;
    const int64_t *node; // the skin's, or `own`
    int64_t *own;
    double *place;  // as the mesh is made, three coordinates a node; where displacements are small
    rico_skin skin; // where it has faces
    double size;    // of its cells
} rico_touch_nodes;

typedef struct rico_bound_touch {
    rico_context *ctx;
    const rico_system *system;
    char *name;
    int dimension;
    rico_contact_law law;
    double margin, reach;
    rico_touch_nodes side[SIDES];
    rico_touch_shape against; // a shape
    rico_pose pose;           // of one that stands in the world
    rico_shape *probe;        // a ball that a node is taken for
    double radius;
    rico_touch_function surface;
    void *user;
    bool both, mortar, radial, small;
} rico_bound_touch;

// What a simulation keeps of it: places and velocities of the nodes, what finds them.
typedef struct rico_touch_memory {
    rico_context *ctx;
    double *x[SIDES], *v[SIDES]; // three numbers a node
    int64_t *dof;                // work space of points
    double *rows;
    rico_skin_search search[SIDES];
    rico_mortar mortar;
    bool found; // what the meshes as they are made have decided is there
    rico_meeting_list meetings;
    int64_t share_room;
    rico_contact_share *share;
} rico_touch_memory;

// --- adding --------------------------------------------------------------------------------------------------------

// A contact of meshes with its nodes of the first side, or faces where `options` is not NULL; to be added or released by the caller.
rico_status rico_touch_begin(rico_system *system, const char *name, const rico_touch_side *side,
                             const rico_skin_options *options, const rico_touch *how, rico_bound_touch **out);

// The second side; refused in words: the part itself, another dimension.
rico_status rico_touch_second(rico_bound_touch *touch, const rico_touch_side *side,
                              const rico_skin_options *options);

// Puts it into the system, with its source; releases it on failure.
rico_status rico_touch_add(rico_system *system, rico_bound_touch *touch, rico_contact_source source);
void rico_touch_destroy(rico_bound_touch *touch);

// --- a step --------------------------------------------------------------------------------------------------------

// Memory of a source, as ricochet/source.h wants it; nothing of it is part of a state.
rico_contact_source rico_touch_source(rico_bound_touch *touch);

// Places and velocities of the nodes of a side. False: a part refused.
bool rico_touch_gather(const rico_bound_touch *touch, rico_touch_memory *memory, int side, const double *q,
                       const double *v);

// Where the nodes of a side are for finding what meets what: now, or as the mesh is made.
const double *rico_touch_places(const rico_bound_touch *touch, const rico_touch_memory *memory, int side);

// The velocity of a point; zero for the world.
bool rico_touch_velocity(const rico_bound_touch *touch, rico_touch_memory *memory, const double *q,
                         const double *v, const rico_point *point, double out[3]);

// Gap up to which a contact is wanted whose points move with this relative velocity.
double rico_touch_margin(const rico_bound_touch *touch, double h, const double velocity[3]);

// Emits a contact of node k of a side whose frame, gap and point a are set: along the axes that something moves it along; not at all if that is not
// the normal.
bool rico_touch_emit(const rico_bound_touch *touch, rico_touch_memory *memory, const double *q, int side,
                     int64_t k, rico_emitted *contact, rico_emission *out);

// Room for the shares of a contact; NULL: out of memory.
rico_contact_share *rico_touch_shares(rico_touch_memory *memory, int64_t count);

// Keys: the side, the node, the patch.
static inline uint64_t rico_touch_key(int side, int64_t node, int64_t patch)
{
    return (uint64_t)side << 63 | (uint64_t)node << 31 | (uint64_t)patch;
}

#endif
