// Mechanical systems: parts with masses and forces, joints and contacts between them.
//
// A system is a list of parts. Each owns a slice of the positions q and of the velocities v and obeys
//
//     M(q) dv = [ load(t) + force(t, q, v) - grad V(q) ] dt + H(q) dI,      q moves along v,
//
// with dI the impulses of joints and contacts. H has one column for each of their rows: u = H' v + w is the relative
// velocity, normal first in a contact, positive when it separates; w is the velocity that a moving obstacle or a
// prescribed motion adds. Parts and constraints are added before the system is simulated, never after. Indices count
// from 0; those of q and v in a constraint are the system's (the offsets that adding a part returns).
//
// A complete system never changes: any number of simulations share it, on any number of threads, each with a context of
// its own. rico_system_complete() ends the time of adding; creating a simulation does it too, for who has one thread.
//
// Callbacks are the caller's: they return true, or false to stop the simulation ("refused" in its message). A number
// that is not finite stops it just so, with the name of the part, the entry and the time. Simulations on several threads
// call them at the same time, so they may write to what they are handed and to nothing else.

#ifndef RICOCHET_MODEL_H
#define RICOCHET_MODEL_H

#include "ricochet/context.h"
#include "ricochet/friction.h"
#include "ricochet/sparse.h"

RICO_API_BEGIN

typedef struct rico_system rico_system;

rico_status rico_system_create(rico_context *ctx, rico_system **out);
void rico_system_destroy(rico_system *system);

// Where a part lies in the vectors of the system.
typedef struct rico_place {
    int64_t q, q_size; // first position and their number
    int64_t v, v_size; // first velocity and their number
} rico_place;

// Ends the time of adding. Harmless when repeated.
rico_status rico_system_complete(rico_system *system);

// A point of a part: what joints, contacts and loads hold on to. `item` says which body or node of the part it belongs
// to and `local` where it is there, in the way of the kind of part. part = -1: a point of the world, at `local`.
typedef struct rico_point {
    int64_t part, item; // parts count in the order in which they were added
    double local[3];
} rico_point;

// Fills f (the part's velocities) with the load at time t.
typedef bool (*rico_load_function)(void *user, double t, double *f);

// M dv + (K q + C v) dt = F dt: a part given by its matrices. M must be symmetric positive definite, K symmetric (its
// energy is q'Kq/2); K and C may be empty. Everything is copied and checked.
//
// With a `dimension` of 1 to 3 the part has points: node k has the displacements q[k dimension] and so on, and stands
// at reference + displacement; rico_point.item is the node, its local an offset from there.
typedef struct rico_matrix_part {
    int64_t size;
    rico_sparse_view M, K, C;
    const double *force;     // constant load, or NULL
    rico_load_function load; // added to it, or NULL
    void *user;
    int dimension;           // 0: no points
    const double *reference; // size numbers, or NULL: zeros
} rico_matrix_part;

rico_status rico_system_add_matrices(rico_system *system, const char *name, const rico_matrix_part *part,
                                     rico_place *place);

// A part given by functions. Matrices are filled entry by entry on `pattern` (in the order of its columns; its values
// are not read), or as dense column-major arrays where pattern is NULL. Where M depends on q, its inertia forces
// dT/dq - (d^2 T/dv dq) v belong to `inertia`: their work shows as a change of kinetic energy and is not booked twice.
typedef struct rico_callback_part {
    int64_t size;                    // velocities
    int64_t q_size;                  // positions; 0 means as many
    const rico_sparse_view *pattern; // of M, of the tangents, or NULL
    bool constant_mass;              // M does not depend on q

    bool (*mass)(void *user, const double *q, double *M);
    rico_load_function load;                                                          // or NULL
    bool (*force)(void *user, double t, const double *q, const double *v, double *f); // or NULL
    bool (*inertia)(void *user, const double *q, const double *v, double *f);         // or NULL
    bool (*potential)(void *user, const double *q, double *V);                        // or NULL
    bool (*gradient)(void *user, const double *q, double *g);                         // of V, needed with it

    // Tangents: K = -d(force + inertia)/dq + d gradient/dq and C = -d(force + inertia)/dv. NULL: by finite differences, column by column.
    bool (*stiffness)(void *user, double t, const double *q, const double *v, double *K);
    bool (*damping)(void *user, double t, const double *q, const double *v, double *C);

    // out = q moved by the velocities dq for a unit of time; NULL: q + dq. Needed when q_size differs from size.
    bool (*retract)(void *user, const double *q, const double *dq, double *out);
    void *user;

    // Points, or NULL: where one is; the velocities that move it, counted from the part's first, each once, at most
    // `point_reach` of them (returns how many, -1 for a point that does not exist); and its velocity along `size` axes,
    // the rows of `frame`: entry (i, j) at rows[i + j * reach] is what velocity i gives along axis j.
    int64_t point_reach;
    bool (*point)(void *user, const double *q, const rico_point *point, double *x);
    int64_t (*point_dofs)(void *user, const rico_point *point, int64_t *dof);
    bool (*point_rows)(void *user, const double *q, const rico_point *point, const double *frame, int size,
                       double *rows);
} rico_callback_part;

rico_status rico_system_add_callbacks(rico_system *system, const char *name, const rico_callback_part *part,
                                      rico_place *place);

// Which columns a constraint fills: entry (i, j) of its block of H stands in velocity dof[i], row j, and is stored at
// H[i + j * dof_count]. q and v below are the whole system's.
typedef struct rico_reach {
    int64_t dof_count;
    const int64_t *dof; // velocities that the constraint touches, each once
} rico_reach;

// A contact. Linear: gap = sum_i gradient[i] q[dof[i]] + offset with constant gradients (the first column of
// `gradient`, one per coordinate that is its own velocity's integral), or by functions of t and q.
typedef struct rico_contact {
    int dimension;      // 1 without friction, 2 in the plane, 3 in space
    double restitution; // e >= 0
    double friction;    // mu >= 0
    int friction_law; // 0: Coulomb's with `friction`; else one of rico_system_add_friction(), and `friction` is not read
    int moments; // rows of H behind the tangents, of that law: two that roll, one that spins; in the plane one that rolls
    // of its spring during an impact, force K delta^eta, for the law of impact lzb alone; 0: K = 1, eta = 3/2 (Hertz)
    double stiffness, exponent;
    rico_reach reach;

    const double *gradient; // dof_count x dimension, column-major; NULL: functions
    double offset;

    bool (*gap)(void *user, double t, const double *q, double *gap);
    bool (*frame)(void *user, double t, const double *q, double *H);
    bool (*rate)(void *user, double t, const double *q, double *w); // dimension entries, or NULL: zero
    void *user;
} rico_contact;

rico_status rico_system_add_contact(rico_system *system, const char *name, const rico_contact *contact,
                                    int64_t *index);

// A joint: g(t, q) = 0 in R^size; H = dg/dq in the reach, rate = dg/dt.
typedef struct rico_joint {
    int64_t size;
    rico_reach reach;
    bool (*value)(void *user, double t, const double *q, double *g);
    bool (*frame)(void *user, double t, const double *q, double *H);
    bool (*rate)(void *user, double t, const double *q, double *w); // or NULL
    void *user;
} rico_joint;

rico_status rico_system_add_joint(rico_system *system, const char *name, const rico_joint *joint,
                                  int64_t *index);

// A motion prescribed to one coordinate: q[dof] = position(t), as a joint; velocity is its derivative.
typedef struct rico_motion {
    int64_t position_index, velocity_index;
    bool (*position)(void *user, double t, double *x);
    bool (*velocity)(void *user, double t, double *x);
    void *user;
} rico_motion;

rico_status rico_system_prescribe(rico_system *system, const char *name, const rico_motion *motion,
                                  int64_t *index);

// A joint that keeps two points together along the first `size` axes of `frame` (row by row; NULL: those of the world).
rico_status rico_system_pin(rico_system *system, const char *name, rico_point a, rico_point b, int size,
                            const double *frame, int64_t *index);

// A load that acts on a point: F(t) in the axes of the world.
typedef bool (*rico_point_load)(void *user, double t, double *F);
rico_status rico_system_add_point_load(rico_system *system, const char *name, rico_point point,
                                       rico_point_load load, void *user);

// A force on velocities of any parts that depends on the whole state, such as a controller's: f has an entry for each velocity of the
// reach, 0 when it is handed out. Its work is external. It has no tangent: schemes that iterate take it from the iterate before, so that
// a stiff one bounds their steps.
typedef struct rico_force {
    rico_reach reach; // copied
    bool (*force)(void *user, double t, const double *q, const double *v, double *f);
    void *user;
} rico_force;
rico_status rico_system_add_force(rico_system *system, const char *name, const rico_force *force);

// Where a point is at the positions q.
rico_status rico_system_point(const rico_system *system, rico_context *ctx, const double *q, rico_point point,
                              double *x);

// Sizes and names.
int64_t rico_system_positions(const rico_system *system);
int64_t rico_system_velocities(const rico_system *system);
int64_t rico_system_constraints(
    const rico_system *system);                        // joints and contacts, in the order they were added
int64_t rico_system_rows(const rico_system *system);   // of all of them
bool rico_system_is_linear(const rico_system *system); // M, K, C constant, every gradient constant

typedef struct rico_constraint_info {
    const char *name;
    bool joint;
    int64_t row, rows; // first row and number
    double restitution, friction;
    double stiffness, exponent; // of a contact under lzb
    int64_t source;             // of a contact that comes and goes: ricochet/source.h; -1: always there
    uint64_t key;               // its name there
    int moments;                // the last of its rows, of friction that rolls or spins
    double arm;                 // impulses of these times this length are moments
} rico_constraint_info;

rico_constraint_info rico_system_constraint(const rico_system *system, int64_t index);

// Energies of a state, without the impulses' share: v'M(q)v/2 and the sum of the potentials.
rico_status rico_system_energies(rico_system *system, const double *q, const double *v, double *kinetic,
                                 double *potential);

RICO_API_END

#endif
