// A scene from inside: what its builders share.

#ifndef RICO_SCENE_SCENE_PRIVATE_H
#define RICO_SCENE_SCENE_PRIVATE_H

#include "la/csc.h"
#include "model/assembly.h"
#include "scene/program.h"
#include "scene/scene.h"

// The scheme of a scene that names none.
#define RICO_SCENE_SCHEME "midpoint-projection"
// The same of one with bodies, which may be many.
#define RICO_BODIES_SCHEME "moreau-jean-projected"
// And of one with relations, or with equations of first order alone.
#define RICO_RELATIONS_SCHEME "moreau-jean"
// And of one with joints.
#define RICO_JOINTS_SCHEME "midpoint-joints"

// What formulas call the integral of a state: integral_i.
#define RICO_SCENE_INTEGRAL "integral_"

// States of a first-order part without a mass have no energy: their equations are taken times this, which changes no motion and leaves
// the ledger to those that have one.
#define RICO_SCENE_WEIGHTLESS 0x1p-40

// A part of a scene: its names, and what its functions read. Variables of its formulas: t, its positions, its
// velocities.
typedef struct rico_scene_part {
    rico_scene *scene;
    rico_node *node;
    const char *name;
    rico_place place;
    int64_t n;
    const char **coordinate, **velocity; // names; NULL for a part that is known by its own name and an index
    rico_symbol *symbol;                 // t, positions, velocities
    rico_scope scope;

    rico_formula **mass; // its diagonal, or n x n by columns; or NULL
    bool diagonal;
    rico_formula *kinetic, *potential;
    rico_formula **force, **load; // n each, or NULL
    double *variables, *work;     // for values of these formulas
    bool varies;                  // the mass depends on the positions: it brings forces of its own
    bool first_order;             // its velocities are the states, its positions their integrals
    double weight;                // of its equations: 1, or RICO_SCENE_WEIGHTLESS
    rico_program *loads;          // of a part by matrices whose load depends on t; or NULL
} rico_scene_part;

// A joint, motion or contact by formulas of t and all positions.
typedef struct rico_scene_constraint {
    rico_scene *scene;
    rico_node *node;
    bool contact;
    int64_t count; // formulas: gap and tangents, or equations
    rico_formula **formula;
    int64_t dof_count;
    int64_t *dof, *slot; // velocities it touches; where their positions stand among the variables
    double *work, *gradient;
    rico_program *value, *frame, *rate;                    // of t and the positions in `slot`
    rico_program *drift, *turn, *bend;                     // how its rows turn, scene_turning.c
    int64_t frame_at, rate_at, drift_at, turn_at, bend_at; // their numbers, those of the values first
    int64_t scratch;
    bool moves; // some formula reads t
} rico_scene_constraint;

// A spring or force between parts, or the forces of a matrix part that depend on its state.
typedef struct rico_scene_force rico_scene_force;

// The rigid bodies of a scene, scene_bodies.h.
typedef struct rico_scene_bodies rico_scene_bodies;

// A formula of a coefficient of friction, scene_friction.c.
typedef struct rico_scene_friction rico_scene_friction;

// The elastic parts of a scene, scene_elastic.h.
typedef struct rico_scene_elastics rico_scene_elastics;

struct rico_scene {
    rico_context *ctx;
    rico_document *document;
    rico_parameters parameters;
    rico_system *system;
    rico_assembly *assembly; // at the start, for checks
    int64_t part_count, constraint_count;
    rico_scene_part **part;
    rico_scene_constraint **constraint;
    rico_symbol *symbol; // t and all positions, for constraints
    rico_scope scope;
    rico_symbol *velocity_symbol; // all velocities
    rico_scope state_scope;       // t, positions and velocities, for forces
    int64_t force_count;
    rico_scene_force **force;
    int64_t friction_count;
    rico_scene_friction **friction; // formulas of coefficients
    int64_t relation_count;
    struct rico_scene_relation **relation; // scene_relations.c
    int64_t sampled_count;
    struct rico_scene_sampled **sampled; // scene_sampled.c
    double *variables;                   // t and all positions
    int64_t *map;                        // of slots to those of a constraint or force, while it is built
    double *q, *v;                       // initial state
    rico_scene_bodies *bodies;           // or NULL
    rico_scene_elastics *elastics;       // or NULL
};

// Bodies: built behind the parts, so that those have as many positions as velocities before them.
rico_status rico_scene_build_bodies(rico_scene *scene, rico_node *root);
void rico_scene_bodies_destroy(rico_scene_bodies *bodies);
// What a coordinate of a body is called, "ball.x", "ball.v_x"; false where it is none of theirs.
bool rico_scene_body_coordinate(const rico_scene_bodies *bodies, int64_t index, bool velocity,
                                char name[RICO_SCENE_NAME]);
// Coordinates and velocities of single bodies for formulas of the whole state, scene_body_symbols.c: room for them, and they; a name of
// theirs that `others` know is refused. The velocity that goes with the variable in a slot; whether it is a spin in space.
int64_t rico_scene_body_symbol_room(const rico_scene *scene);
rico_status rico_scene_body_symbols(rico_scene *scene, const rico_scope *others, rico_symbol *out,
                                    int64_t *count);
int64_t rico_scene_slot_dof(const rico_scene *scene, int64_t slot);
bool rico_scene_is_spin(const rico_scene *scene, int64_t dof);
rico_status rico_scene_check_overlap(rico_scene *scene);
// Elastic parts: built between parts and bodies; a contact of one; the start of all of them.
rico_status rico_scene_build_elastics(rico_scene *scene, const rico_node *root);
void rico_scene_elastics_destroy(rico_scene_elastics *all);
rico_status rico_scene_build_touch(rico_scene *scene, const rico_node *node);
rico_status rico_scene_build_probes(rico_scene *scene, const rico_node *root);
rico_status rico_scene_start_elastics(rico_scene *scene);
rico_status rico_scene_check_touches(rico_scene *scene);
// The equilibrium of the start where it is asked for, scene_settle.c.
rico_status rico_scene_settle(rico_scene *scene);
// Coordinates of the nodes of beams in the plane, for formulas of all positions: NAME_x[0], NAME_y[0], NAME_angle[0] and so on. How
// many names there are; out NULL: that alone.
int64_t rico_scene_beam_symbols(const rico_scene *scene, rico_symbol *out);

rico_status rico_scene_build_parts(rico_scene *scene, rico_node *node);
// A joint of a kind, between bodies, scene_body_joints.c.
rico_status rico_scene_build_body_joint(rico_scene *scene, const rico_node *node);
rico_status rico_scene_build_constraints(rico_scene *scene, rico_node *root);
rico_status rico_scene_build_forces(rico_scene *scene, rico_node *root);
// The velocity that a key names on which a force acts: a coordinate, an entry of a part known by indices, or a state.
// `weight` is that of its equation.
rico_status rico_scene_find_dof(rico_scene *scene, const rico_node *node, int64_t *dof, double *weight);
// Relations: after the forces, whose names of the whole state they use.
rico_status rico_scene_build_relations(rico_scene *scene, const rico_node *root);
void rico_scene_relations_destroy(rico_scene *scene);
// Updates of sampled parts, likewise.
rico_status rico_scene_build_sampled(rico_scene *scene);
void rico_scene_sampled_destroy(rico_scene *scene);
rico_status rico_scene_check_sampled(rico_scene *scene, const rico_scene_time *time);
void rico_scene_force_destroy(rico_scene_force *force);
rico_status rico_scene_build_initial(rico_scene *scene, rico_node *root);
void rico_scene_part_destroy(rico_scene_part *part);
void rico_scene_constraint_destroy(rico_scene_constraint *constraint);

// Entry (i, j) of the mass by formulas; NULL for a zero.
const rico_formula *rico_scene_mass_entry(const rico_scene_part *part, int64_t i, int64_t j);

// Adds a part by matrices to the system, with the loads of its formulas, scene_load.c.
rico_status rico_scene_add_matrices(rico_scene_part *part, rico_matrix_part *given);

// Adds a part by formulas to the system, with everything that follows from them derived.
rico_status rico_scene_add_lagrange(rico_scene_part *part);

// What is read without a mistake may still make no sense. Each refuses with line, name and remedy; names are judged before
// anything is built, the others once all is, in the order below.
rico_status rico_scene_check_names(rico_scene *scene, rico_node *root);
rico_status rico_scene_check_constraint_names(rico_scene *scene, rico_node *root);
rico_status rico_scene_check_parts(rico_scene *scene);
rico_status rico_scene_check_forces(rico_scene *scene);
rico_status rico_scene_check_frames(rico_scene *scene);
rico_status rico_scene_check_start(rico_scene *scene);
rico_status rico_scene_check_jumps(rico_scene *scene);
rico_status rico_scene_check_time(rico_scene *scene);

// Warns where a force by a formula jumps with a velocity, in slots low ... high.
rico_status rico_scene_check_jump(rico_scene *scene, const rico_node *node, const rico_formula *formula,
                                  int64_t low, int64_t high);

// A warning that begins with file, line and column.
void rico_scene_warn(rico_scene *scene, const rico_node *node, const char *format, ...) RICO_PRINTF(3, 4);

// Is the word before the '=' of an override a key of the file rather than a parameter?
bool rico_scene_is_path(const char *word, size_t length);

// A sentence of the model in front of which no place stands yet gets that of the node's key.
rico_status rico_scene_place(rico_scene *scene, const rico_node *node, rico_status status);

// The rods of a bar, as matrices (Acary 2012, eq. 71).
rico_status rico_scene_bar(rico_scene *scene, rico_node *node, rico_csc *M, rico_csc *K, int64_t *massless);
extern const char *const rico_scene_bar_ends[]; // choices of its key `massless`

// A chain of balls: its part, its contacts once all parts are there, and what they hold.
rico_status rico_scene_build_chain(rico_scene_part *part, rico_node *node);
rico_status rico_scene_build_chain_contacts(rico_scene *scene, const rico_scene_part *part, rico_node *node);

// `count` numbers: a list of them, a file, or a formula of their index i.
rico_status rico_scene_indexed(rico_scene *scene, rico_node *node, const char *what, int64_t count,
                               double *x);

// Schemes and solvers take options from tables of their own: checks a mapping {name: ..., option: value, ...}.
const char *rico_scene_scheme_name(int index); // names of the tables, NULL past the last
const char *rico_scene_solver_name(int index);
const char *rico_scene_law_name(int index);
rico_status rico_scene_check_scheme(rico_document *document, rico_node *node);
rico_status rico_scene_check_solver(rico_document *document, rico_node *node);
rico_status rico_scene_check_impact(rico_document *document, rico_node *node);

#endif
