// Joints between rigid bodies: a table of kinds, equations between two frames, drives, stops and reactions.
//
//     rico_body_joint pin = rico_body_joint_default();
//     pin.name = "pin", pin.kind = "revolute", pin.a = -1, pin.b = crank;
//     rico_body_joint_place(bodies, &pin, (double[]){0, 0, 0}, (double[]){0, 1, 0}, NULL);
//     rico_system_add_body_joint(system, bodies, &pin, &index);
//
// A joint holds a frame of body a to a frame of body b; -1 is the world. Everything follows from where b's frame is in a's:
// with P_a, P_b their points and a_i, b_j their axes, p_i = a_i.(P_b - P_a) and C_ij = a_i.b_j. The third axis is that
// of the joint. `rico_joint_kind_at()` lists the kinds; docs/theory/joints.md has the equations.

#ifndef RICOCHET_JOINTS_H
#define RICOCHET_JOINTS_H

#include "ricochet/bodies.h"

RICO_API_BEGIN

enum {
    RICO_JOINT_LENGTH = 1 << 0, // needs `length`
    RICO_JOINT_PITCH = 1 << 1,  // needs `pitch`
    RICO_JOINT_SECOND = 1 << 2, // has a second axis
    RICO_JOINT_OF = 1 << 3,     // couples the coordinates of two joints: `of` and `factor`
    RICO_JOINT_AXIS = 1 << 4,   // has an axis
    RICO_JOINT_TURNS = 1 << 5,  // has an angle as a coordinate
    RICO_JOINT_SLIDES = 1 << 6, // has a displacement along its axis as a coordinate
    RICO_JOINT_TEETH = 1 << 7,  // couples two angles
    RICO_JOINT_RADIUS = 1 << 8, // couples an angle to a displacement
    RICO_JOINT_SLACK = 1 << 9,  // holds from one side: a contact, without restitution
    RICO_JOINT_PLAY = 1 << 10,  // may have a clearance
    RICO_JOINT_RUBS = 1 << 12,  // may have friction
    RICO_JOINT_FORCE = 1 << 11  // no constraint: forces along its rows, by `stiffness` and `damping`
};

typedef struct rico_joint_kind {
    const char *name;
    const char *summary;
    int space, plane; // rows; 0: there is none in the plane
    unsigned flags;
} rico_joint_kind;

// NULL past the last, or for a name that none has.
const rico_joint_kind *rico_joint_kind_at(int index);
const rico_joint_kind *rico_joint_kind_find(const char *name);

// Play in a joint, as contacts between the surfaces: NAME.play, or NAME.play1 and so on where there are several. A pin in a hole (revolute,
// cylindrical), a ball in a socket (spherical), a slider in a channel (prismatic). With a width, the pin touches at both of its ends
// and the slider at its corners, and it may tilt; without one, directions stay as they are and only places are free. A pin of a
// revolute joint in space does not move along its axis.
typedef struct rico_joint_clearance {
    double play;   // how far the center may go to any side: radius of the hole less that of the pin
    double radius; // of pin or ball, half height of the slider: where it touches; 0: at its center
    double width;  // of the bearing, or length of the slider
    double friction, restitution;
} rico_joint_clearance;

typedef struct rico_body_joint {
    const char *name;
    const char *kind;
    int64_t a, b;            // bodies; -1: the world
    double on_a[3], on_b[3]; // points, in the axes of each body
    double axes_a[9],
        axes_b[9];    // unit axes of the frames in them, one after the other: the third is that of the joint
    double length;    // distance, rope, revolute-spherical
    double pitch;     // screw: advance in one turn
    int64_t of[2];    // gear, rack-and-pinion, coupler: constraints that are joints with a coordinate
    double factor[2]; // factor[0] u_0 + factor[1] u_1 = offset; of two angles: whole numbers
    double offset;
    double stiffness[6], damping[6];       // bushing: along the axes of a's frame, then about them
    const rico_joint_clearance *clearance; // NULL: none; read when the joint is added
} rico_body_joint;

rico_body_joint rico_body_joint_default(void);

// Frames of both bodies where they stand at the start: at a point of the world, the third axis along `axis` (NULL: z), the first one
// across it, along what of `first` is (NULL: any). False: the axis vanishes, or `first` is along it.
bool rico_body_joint_place(const rico_bodies *bodies, rico_body_joint *joint, const double point[3],
                           const double axis[3], const double first[3]);

// Adds it to the system in which the bodies are. `index` is that of a constraint; with a clearance, that of the first of its own; -1 of a bushing, which is a force.
rico_status rico_system_add_body_joint(rico_system *system, const rico_bodies *bodies,
                                       const rico_body_joint *joint, int64_t *index);

// Drives the coordinate of a joint: angle (turns) or displacement = position(t), in rad or m. The joint itself stays as it is.
typedef bool (*rico_joint_motion)(void *user, double t, double *position, double *velocity);
rico_status rico_system_drive_joint(rico_system *system, const char *name, int64_t joint, bool turns,
                                    rico_joint_motion motion, void *user, int64_t *index);

// A motor that holds a velocity with a force or torque of at most `bound`: exactly that velocity where so much is enough, else the bound.
rico_status rico_system_hold_joint(rico_system *system, const char *name, int64_t joint, bool turns,
                                   double velocity, double bound, int64_t *index);

// Coulomb's friction in a revolute or prismatic joint, from its own reaction in the same step: sticking for ever below the bound, and no force beyond.
// Of a pin with a radius and a width, the torque is at most friction radius (|F| + |F_axis| + 2 |M|/width), F across the axis and M bending it; of a
// slider, the force is at most friction (|F| + 2 |M|/width + |M_axis|/radius). Width or radius 0: those moments give none.
typedef struct rico_joint_friction {
    double friction, radius, width;
} rico_joint_friction;
rico_status rico_system_rub_joint(rico_system *system, const char *name, int64_t joint,
                                  const rico_joint_friction *given, int64_t *index);

// A spring and a damper along the coordinate of a joint: -stiffness (u - free) - damping u'. From its free angle an angle goes the
// shorter way round.
rico_status rico_system_spring_joint(rico_system *system, const char *name, int64_t joint, bool turns,
                                     double stiffness, double damping, double free);

// A force along the coordinate, or torque about the axis, by a law of the coordinate u (an angle is in (-pi, pi]) and its rate w, with its
// derivatives by both; what pushes u up is positive. Refused, or not finite: false. The same between the points of two bodies (or
// of the world) that `ends` has beside its name, u their distance: what pushes them apart is positive.
typedef bool (*rico_joint_law)(void *user, double t, double u, double w, double *force, double *by_u,
                               double *by_w);
rico_status rico_system_force_joint(rico_system *system, const char *name, int64_t joint, bool turns,
                                    rico_joint_law law, void *user);
rico_status rico_system_force_points(rico_system *system, const rico_bodies *bodies,
                                     const rico_body_joint *ends, rico_joint_law law, void *user);

// Stops: low <= coordinate <= high, as contacts NAME.low and NAME.high with a restitution; either end may be infinite for a displacement.
// An angle is the one nearest to the middle, so that its stops are less than a turn apart.
rico_status rico_system_limit_joint(rico_system *system, const char *name, int64_t joint, bool turns,
                                    double low, double high, double restitution);

// The coordinate of a joint at a state of the system: an angle in (-pi, pi], or a displacement.
rico_status rico_system_joint_coordinate(const rico_system *system, int64_t joint, bool turns, double t,
                                         const double *q, double *value);

// And how fast it changes.
rico_status rico_system_joint_rate(const rico_system *system, int64_t joint, bool turns, double t,
                                   const double *q, const double *v, double *value);

// What a joint, a drive or a stop does to its bodies: in the axes of the world, forces on a and b and torques about the
// joint's point of each (the point that is fixed to that body). `rows` are forces or impulses of its own rows. A coupling has two pairs of bodies,
// those of the joints it couples; others have pair 0 alone.
typedef struct rico_joint_reaction {
    double force_a[3], torque_a[3], force_b[3], torque_b[3];
} rico_joint_reaction;
rico_status rico_system_joint_reaction(const rico_system *system, int64_t joint, int pair, double t,
                                       const double *q, const double *rows, rico_joint_reaction *out);

// Whether a constraint is one of those above, and of how many pairs of bodies; 0: it is not.
int rico_system_joint_pairs(const rico_system *system, int64_t constraint);

// All that acts in the joints of bodies, in the order in which it was added: joints (a coupling once for each pair of bodies, the
// second called NAME.second), motors, stops. A constraint or several on end, or none: a force that follows from the state.
typedef struct rico_joint_element_info {
    const char *name;
    int64_t constraint, constraints; // the first, and how many; -1 and 0: a force
    int pair;
    bool turns, slides; // has an angle, a displacement
    bool acts;          // along one of them: it has an effort
} rico_joint_element_info;
int64_t rico_system_joint_elements(const rico_system *system);
rico_joint_element_info rico_system_joint_element(const rico_system *system, int64_t index);

// At a state: `rows` are forces (or impulses) of all rows of the system. Efforts are forces along the coordinate, torques about the axis:
// what pushes the coordinate up counts as positive.
typedef struct rico_joint_element_state {
    rico_joint_reaction reaction;
    double angle, spin, displacement, speed; // 0 where it has none
    double effort;
} rico_joint_element_state;
rico_status rico_system_joint_element_at(const rico_system *system, int64_t index, double t, const double *q,
                                         const double *v, const double *rows, rico_joint_element_state *out);

RICO_API_END

#endif
