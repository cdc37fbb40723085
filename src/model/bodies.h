// A set of rigid bodies from inside.

#ifndef RICO_MODEL_BODIES_H
#define RICO_MODEL_BODIES_H

#include "collide/shape.h"
#include "model/part.h"
#include "ricochet/bodies.h"
#include "ricochet/source.h"

typedef struct rico_bound_body {
    char *name;
    rico_body given;         // as the user said it, its stand normalised
    double mass, inertia[9]; // of a free body; inertia about the center, in the body's axes
    double center[3];        // of mass, in the body's own axes
    int64_t q, v;            // first position and velocity in the part's slices; -1: not free
    int64_t item;            // among the free ones; -1: not free
    uint32_t first_feature;  // of its shape, among the features of all
    bool isotropic;          // inertia is a multiple of I: no gyroscopic terms
    bool turned;             // the inertia has off-diagonal entries
    bool ghost;              // a copy of what another share of the bodies moves
    double
        shared[2]; // of a beam's node: what of its mass, and in the plane of its inertia, is off the diagonal
    double link[2]; // and stands between it and the next body
} rico_bound_body;

typedef struct rico_material {
    char *name;
    rico_contact_law law;
} rico_material;

typedef struct rico_material_pair {
    int a, b; // a <= b
    rico_contact_law law;
} rico_material_pair;

typedef struct rico_bound_spring {
    char *name;
    rico_body_spring given;
    const struct rico_bodies *bodies;
} rico_bound_spring;

typedef struct rico_bound_beam rico_bound_beam; // beam.h

struct rico_bodies {
    rico_context *ctx;
    int dimension, q_size, v_size; // per free body: 7 and 6, or 3 and 3
    double gravity[3];
    int64_t count, room, free;
    rico_bound_body *body;
    int material_count;
    rico_material *material;
    int pair_count, pair_room;
    rico_material_pair *pair;
    int64_t spring_count, spring_room;
    rico_bound_spring *spring;
    int64_t beam_count, beam_room;
    rico_bound_beam *beam;
    int64_t exclusion_count, exclusion_room;
    int64_t *exclusion; // pairs a < b, sorted once in a system
    uint64_t features;  // of all shapes
    int64_t part;       // its index in the system, once it is there
    rico_place place;   // and its slices
    bool bound;
    bool mute; // nothing is emitted: a state comes with its contacts
    const rico_bodies
        *whole; // of some of them: all, which decide what kind of part they are; NULL: these are all
};

// The bodies of a part, NULL where it has none; bodies_part.c.
const rico_bodies *rico_part_bodies(const rico_part *part);

// The law of two materials.
// Laws of friction exist in the system, and materials that have different ones are paired.
rico_status rico_bodies_check_laws(const rico_bodies *bodies, const rico_system *system);

// Whether contacts have tangents.
static inline bool rico_law_rubs(const rico_contact_law *law)
{
    return law->friction > 0.0 || law->friction_law != 0;
}

rico_contact_law rico_bodies_law(const rico_bodies *bodies, int a, int b);

// The pose of a body's own axes at time t, from the part's slice of q. False: a motion refused or gave what is not finite.
bool rico_bodies_pose(const rico_bodies *bodies, const rico_bound_body *body, double t, const double *q,
                      rico_pose *out);

// The springs as interactions of the system; bodies_springs.c.
rico_status rico_bodies_bind_springs(rico_system *system, rico_bodies *bodies);

// The elements of beams likewise; beam.c.
rico_status rico_bodies_bind_beams(rico_system *system, rico_bodies *bodies);
void rico_bodies_release_beams(rico_bodies *bodies);

// A point of the world as one of a body: of the part where it is free, else of the world; bodies_source.c.
rico_point rico_bodies_point_on(const rico_bodies *bodies, const rico_bound_body *body, const rico_pose *pose,
                                const double x[3]);

// The velocity of a moved body's point x along the axes, times sign, onto w; others have none. False: its motion refused.
bool rico_bodies_add_rate(const rico_bound_body *body, double t, const double x[3], const double *axes,
                          int size, double sign, double *w);

// The source that finds the contacts of bodies with shapes; bodies_source.c.
rico_contact_source rico_bodies_source(rico_bodies *bodies);

#endif
