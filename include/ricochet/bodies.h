// Rigid bodies with shapes: what moves, what stands, and what they do when they meet.
//
//     rico_bodies *bodies;
//     rico_bodies_create(ctx, 3, &bodies);
//     rico_bodies_set_gravity(bodies, (double[]){0.0, 0.0, -9.81});
//     rico_body ball = rico_body_default();
//     ball.name = "ball", ball.shape = sphere, ball.density = 1000.0, ball.stand.position[2] = 1.0;
//     rico_bodies_add(bodies, &ball, NULL);
//     rico_system_add_bodies(system, bodies, &part);
//     rico_bodies_start(bodies, q, v);             // the first state, at the part's place in q and v
//
// A free body of space has seven positions, its center of mass and a unit quaternion (body to world, the scalar first), and six
// velocities: that of the center in the axes of the world, and the angular velocity in the axes of the body, in which the
// inertia is constant. A free body of the plane has three of each: x, y, angle. Fixed bodies, and those moved by a function of time,
// have none.
//
// A set of bodies is immutable once it is in a system, and must live as long as the system.

#ifndef RICOCHET_BODIES_H
#define RICOCHET_BODIES_H

#include "ricochet/model.h"
#include "ricochet/shape.h"

RICO_API_BEGIN

typedef struct rico_bodies rico_bodies;

// dimension: 2 in the plane, 3 in space.
rico_status rico_bodies_create(rico_context *ctx, int dimension, rico_bodies **out);
void rico_bodies_destroy(rico_bodies *bodies);
rico_status rico_bodies_set_gravity(rico_bodies *bodies, const double g[3]);

// How materials meet: friction and restitution of a pair; stiffness and exponent of its spring under the law lzb, 0: defaults.
typedef struct rico_contact_law {
    double friction, restitution, stiffness, exponent;
    int friction_law; // 0: Coulomb's with `friction`; else one of rico_system_add_friction() of the system that they go into
} rico_contact_law;

// A material by its name. Two materials that no pair says more of meet with the geometric mean of their frictions and the larger of
// their restitutions. Material 0, "default", is always there, without friction or restitution until it is set again.
rico_status rico_bodies_set_material(rico_bodies *bodies, const char *name, rico_contact_law with_itself,
                                     int *index);
rico_status rico_bodies_set_pair(rico_bodies *bodies, int material_a, int material_b, rico_contact_law law);

// The stand of a body at time t, and its velocities: of the stand's position, and angular in the axes of the world.
typedef bool (*rico_body_motion)(void *user, double t, rico_stand *stand, double velocity[3], double spin[3]);

// Force at the center of mass and torque about it, both in the axes of the world. The velocity is that of the center, the spin in the axes of the world.
typedef bool (*rico_body_force)(void *user, double t, const rico_stand *stand, const double velocity[3],
                                const double spin[3], double force[3], double torque[3]);

typedef enum rico_body_type { RICO_BODY_FREE, RICO_BODY_FIXED, RICO_BODY_MOVED } rico_body_type;

typedef struct rico_body {
    const char *name; // NULL: body-1, body-2, ...
    rico_body_type type;
    const rico_shape *shape; // or NULL: it meets nothing; kept, not copied
    int material;
    uint32_t group,
        meets;   // bodies a and b meet when (a.group & b.meets) and (b.group & a.meets); 1 and all by default
    bool sensor; // meetings are reported and nothing more

    rico_stand stand; // of the body's own axes, those of its shape, at the start
    double velocity[3],
        spin[3]; // at the start: of the center of mass, and angular, both in the axes of the world

    // Mass: from the shape and a density > 0, or given: mass > 0, center in the body's own axes and inertia about it in them (row by row).
    double density, mass, center[3], inertia[9];
    bool has_inertia; // false with a mass: that of the shape, scaled to the mass

    rico_body_motion motion; // of a moved body
    rico_body_force force;   // of a free body, or NULL
    void *user;
} rico_body;

rico_body rico_body_default(void);
rico_status rico_bodies_add(rico_bodies *bodies, const rico_body *body, int64_t *index);

// A spring and damper between a point of body a and one of body b, in their own axes (index -1: the world): it pulls with
// stiffness (length - rest) + damping d(length)/dt along the line between the points.
typedef struct rico_body_spring {
    const char *name;
    int64_t a, b;
    double on_a[3], on_b[3];
    double stiffness, damping, rest;
} rico_body_spring;

rico_status rico_bodies_add_spring(rico_bodies *bodies, const rico_body_spring *spring);

// No contact between these two; any number of times.
rico_status rico_bodies_exclude(rico_bodies *bodies, int64_t a, int64_t b);

// Puts them into a system: a part for those that are free, a source of contacts, the springs. The set is immutable from then on.
rico_status rico_system_add_bodies(rico_system *system, const char *name, rico_bodies *bodies,
                                   rico_place *place);

// The first state, in the part's slices of q and v.
void rico_bodies_start(const rico_bodies *bodies, double *q, double *v);

int64_t rico_bodies_count(const rico_bodies *bodies);
const char *rico_bodies_name(const rico_bodies *bodies, int64_t body);
int64_t rico_bodies_find(const rico_bodies *bodies, const char *name); // -1: none of that name
const rico_shape *rico_bodies_shape(const rico_bodies *bodies, int64_t body);
rico_body_type rico_bodies_type(const rico_bodies *bodies, int64_t body);
// first of its positions and velocities, counted from the part's first; -1: it has none
int64_t rico_bodies_position(const rico_bodies *bodies, int64_t body);
int64_t rico_bodies_velocity(const rico_bodies *bodies, int64_t body);
double rico_bodies_mass(const rico_bodies *bodies, int64_t body); // 0 for those that are not free

// Where a body stands at time t, its own axes, from the part's slice of q. False: a motion refused.
bool rico_bodies_stand(const rico_bodies *bodies, int64_t body, double t, const double *q, rico_stand *out);

// Whom a body, a sensor as a rule, touches at time t, from the part's slice of q: indices of up to `room` of them, in order, and how many
// they are in all. Those that its groups and exclusions leave out do not count, nor two fixed ones. -1: a motion refused.
int64_t rico_bodies_sense(const rico_bodies *bodies, int64_t sensor, double t, const double *q, int64_t room,
                          int64_t *body);

// The kinetic energy of a free body from the part's slice of v; 0 for others. Of a beam's node: v_i'(M v)_i/2, so that their sum is the beam's.
double rico_bodies_kinetic(const rico_bodies *bodies, int64_t body, const double *v);

// A point of a body, for joints and loads; of a body that is not free it is a point of the world where the body stands at t = 0.
rico_point rico_bodies_point(const rico_bodies *bodies, int64_t part, int64_t body, const double own[3]);

// Holds the center of mass of a free body where it stands at the start, while the body turns: a joint whose rows are constant.
rico_status rico_system_pin_body(rico_system *system, const rico_bodies *bodies, const char *name,
                                 int64_t body, int64_t *index);

// Which bodies and features meet in a contact of the source, by its key.
void rico_bodies_contact(const rico_bodies *bodies, uint64_t key, int64_t *body_a, int64_t *body_b,
                         uint32_t *feature_a, uint32_t *feature_b);

RICO_API_END

#endif
