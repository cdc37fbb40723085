// Joints between rigid bodies from inside: functions of the relative pose of two frames.

#ifndef RICO_MODEL_BODY_JOINTS_H
#define RICO_MODEL_BODY_JOINTS_H

#include "model/bodies.h"
#include "model/constraint.h"
#include "ricochet/joints.h"

enum { RICO_JOINT_PAIRS = 2, RICO_JOINT_ROWS = 6, RICO_JOINT_NAME = 96 };

// A function of p and C (ricochet/joints.h; C row by row) and its derivatives. `setting` is the kind's own number.
typedef struct rico_joint_value {
    double g, p[3], C[9];
} rico_joint_value;
// A direction in which p and C change.
typedef struct rico_joint_change {
    double p[3], C[9];
} rico_joint_change;

typedef struct rico_joint_row {
    bool (*value)(double setting, const double p[3], const double C[9], rico_joint_value *out);
    // Second derivative along z, twice, where `at` is the value; NULL: 0.
    double (*curve)(double setting, const double p[3], const double C[9], const rico_joint_value *at,
                    const rico_joint_change *z);
} rico_joint_row;

extern const rico_joint_row rico_joint_angle, rico_joint_slide, rico_joint_reach;

// The rows of a kind; NULL behind the last.
const rico_joint_row *const *rico_joint_rows(const rico_joint_kind *kind, int dimension);

// How many of them, the first ones, hold places along the axes.
int rico_joint_places(const rico_joint_kind *kind, int dimension);

typedef struct rico_joint_frame {
    int64_t body; // -1: the world
    double point[3], axes[9];
} rico_joint_frame;

typedef struct rico_joint_pair {
    const rico_bodies *bodies;
    rico_joint_frame side[2];
    int64_t column[2]; // first of a side's velocities among those of the constraint; -1: it has none
} rico_joint_pair;

// Row r: g = wrap( sum_k factor[k] row_r(pair k) - shift[r] - position(t) ) + base, the wrap to half a period on either
// side, none where the period is 0. What counts turns needs no memory so: g is 0 where it should be, at any turn.
typedef struct rico_bound_joint {
    const rico_joint_kind *kind; // NULL: a drive or a stop
    int pairs;
    rico_joint_pair pair[RICO_JOINT_PAIRS];
    int rows;
    const rico_joint_row *row[RICO_JOINT_PAIRS][RICO_JOINT_ROWS];
    double setting, factor[RICO_JOINT_PAIRS];
    double shift[RICO_JOINT_ROWS], period[RICO_JOINT_ROWS], base;
    rico_joint_motion motion; // or NULL
    void *user;
    rico_box_bound box; // a bounded force along the coordinate
    double held;        // and the velocity that it holds
    bool loose;         // has a clearance, and not all rows of its kind
} rico_bound_joint;


// The constraint as one of these; NULL for others.
const rico_bound_joint *rico_bound_joint_of(const rico_system *system, int64_t constraint);

// What acts in a joint, for reports: rows of constraints (of one pair of them), or a force that is a function of the state.
// The list of a system's is in ricochet/joints.h.
typedef struct rico_joint_element {
    rico_joint_element_info info;
    char *name;
    rico_joint_pair pair; // whose coordinates it has
    bool (*force)(const void *data, double t, const double *q, const double *v, rico_joint_reaction *out,
                  double *effort); // or NULL
    const void *data;              // what it reads
    void *owned;                   // its data, released with the system
} rico_joint_element;

// On failure `owned` stays the caller's.
rico_status rico_joint_element_add(rico_system *system, const char *name, const rico_joint_element *made);

// Where an element acts, for those who draw it: the bodies (-1: the world), its point in the axes of each, its axis in those of
// the first. The kind is that of the joint; "effort": along a coordinate; "stop"; "force": it follows from the state.
typedef struct rico_joint_spot {
    const char *kind;
    bool loose; // has play
    int64_t body[2];
    double point[2][3], axis[3];
} rico_joint_spot;
rico_joint_spot rico_joint_element_spot(const rico_system *system, int64_t index);

// The angle or displacement of a pair and, where v is not NULL, its rate.
bool rico_joint_coordinate_at(const rico_joint_pair *pair, bool turns, double t, const double *q,
                              const double *v, double *value, double *rate);

// Where the velocities of each side stand among those of the constraint, into `dof` (24 at most); how many there are. Two pairs may share
// a body. And whether some side moves as a function of time.
int64_t rico_bound_joint_columns(rico_bound_joint *joint, int64_t *dof);
bool rico_bound_joint_driven(const rico_bound_joint *joint);

// The contacts of a joint with play, body_joint_clearance.c: the first, and how many.
rico_status rico_clearance_add(rico_system *system, const char *name, const rico_bound_joint *joint,
                               const rico_joint_clearance *given, int64_t *first, int64_t *count);
bool rico_is_clearance(const rico_constraint *constraint);
bool rico_clearance_reaction(const rico_constraint *constraint, double t, const double *q, const double *rows,
                             rico_joint_reaction *out);

// The joint of a constraint whose angle or displacement is asked for; `name` is who asks.
rico_status rico_joint_coordinate_of(const rico_system *system, const char *name, int64_t joint, bool turns,
                                     const rico_bound_joint **out);

// One row: the coordinate of a joint.
rico_bound_joint rico_joint_along(const rico_bound_joint *of, bool turns);

// Forces that follow from the state, body_joint_forces.c: a bushing along the rows of `bound`, a law of the distance of two points.
rico_status rico_joint_add_bushing(rico_system *system, const rico_body_joint *given,
                                   const rico_bound_joint *bound);
rico_status rico_joint_add_span(rico_system *system, const char *name, const rico_joint_pair *pair,
                                rico_joint_law law, void *user);

// Puts `count` constraints from `first` on into the list of what acts, pair by pair.
rico_status rico_bound_joint_list(rico_system *system, const char *name, const rico_bound_joint *joint,
                                  int64_t first, int64_t count);

// Adds it, as a joint or as a contact (a stop); the system takes a copy. `put` leaves it off the list of what acts.
rico_status rico_bound_joint_put(rico_system *system, const char *name, const rico_bound_joint *made,
                                 bool stop, double restitution, int64_t *index);
rico_status rico_bound_joint_add(rico_system *system, const char *name, const rico_bound_joint *made,
                                 bool stop, double restitution, int64_t *index);

#endif
