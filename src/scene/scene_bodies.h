// Rigid bodies of a scene: what their builders share.

#ifndef RICO_SCENE_SCENE_BODIES_H
#define RICO_SCENE_SCENE_BODIES_H

#include "collide/stand.h"
#include "ricochet/joints.h"
#include "scene/scene_private.h"

// The tables, scene_bodies_schema.c.
extern const rico_schema rico_scene_body_schema, rico_scene_material_schema, rico_scene_pair_schema,
    rico_scene_apart_schema, rico_scene_rotation_schema, rico_scene_shape_schema;
extern const rico_schema rico_scene_joint_schema; // scene_body_joints.c
extern const rico_schema rico_scene_beam_schema;  // scene_beams.c

// Forces, torques and motions by formulas of one entry of `bodies`; shared by its copies.
typedef struct rico_body_formulas rico_body_formulas;

// What the functions of one body read.
typedef struct rico_body_user {
    const rico_body_formulas *formulas;
    rico_stand base; // of a moved body: where it stands while its motion is 0
} rico_body_user;

// What a motor of a joint follows, scene_body_joints.c.
typedef struct rico_joint_drive rico_joint_drive;

// A beam, scene_beams.h.
typedef struct rico_scene_beam rico_scene_beam;

enum { RICO_BODY_GROUPS = 32 };

struct rico_scene_bodies {
    rico_scene *scene;
    int dimension;         // 0: no shape has said yet
    const rico_node *said; // the shape that did
    rico_bodies *set;
    rico_place place;
    int64_t shape_count, shape_room;
    rico_shape **shape;
    int64_t formulas_count, formulas_room;
    rico_body_formulas **formulas;
    int64_t user_count, user_room;
    rico_body_user **user;
    int64_t drive_count, drive_room;
    rico_joint_drive **drive;
    int64_t beam_count, beam_room;
    rico_scene_beam **beam;
    int64_t count, room;
    const rico_node **node; // of each body, for messages
    int64_t *free;          // the bodies that are free, in the order of their coordinates
    int64_t source;         // of their contacts in the system
    int group_count;
    const char *group[RICO_BODY_GROUPS]; // names, the first one being that of bodies that name none
};

// Grows a list of pointers and appends one.
rico_status rico_scene_keep(rico_context *ctx, void *list, int64_t *count, int64_t *room, void *item);

// Material, group and meets of a mapping that has those keys; velocity and spin of one that may.
rico_status rico_scene_read_meeting(rico_scene_bodies *bodies, const rico_node *node, rico_body *body);
rico_status rico_scene_read_velocity(rico_scene_bodies *bodies, const rico_node *node, rico_body *body);

// The body of that name, or a node of a beam, -1 for `world`; an unknown one is refused with the nearest known.
rico_status rico_scene_find_body(const rico_scene_bodies *bodies, const rico_node *name, int64_t *body);

// --- scene_body_joints.c

// Bodies that a joint holds together do not touch, unless it says so.
rico_status rico_scene_exclude_joined(rico_scene_bodies *bodies, const rico_node *root);

// --- scene_joint_drives.c

extern const rico_schema rico_scene_motor_schema, rico_scene_limits_schema, rico_scene_clearance_schema,
    rico_scene_joint_spring_schema, rico_scene_joint_friction_schema;
rico_status rico_scene_build_friction(rico_scene *scene, const rico_node *node, int64_t index);
void rico_joint_drive_destroy(rico_context *ctx, rico_joint_drive *drive);
rico_status rico_scene_build_motor(rico_scene_bodies *bodies, const rico_node *node, int64_t index,
                                   bool turns);
rico_status rico_scene_build_joint_spring(rico_scene_bodies *bodies, const rico_node *node, int64_t index,
                                          bool turns);
rico_status rico_scene_build_limits(rico_scene *scene, const rico_node *node, int64_t index, bool turns);
rico_status rico_scene_read_clearance(rico_scene *scene, const rico_node *node, rico_joint_clearance *out);
// A spring between points of bodies that has a law.
rico_status rico_scene_build_span(rico_scene_bodies *bodies, const rico_node *node,
                                  const rico_body_spring *ends);

// --- scene_beams.c

// How many axes the first beam has; 0: there is none.
int rico_scene_beam_dimension(const rico_node *root);
// Their nodes behind the bodies; and once these are in the system, what is pinned.
rico_status rico_scene_build_beams(rico_scene_bodies *bodies, const rico_node *root);
rico_status rico_scene_pin_beams(rico_scene_bodies *bodies);
// No contact between two bodies that are joined; where one is a node of a beam, between the other and the whole beam; of two beams, between
// what is near the joint.
rico_status rico_scene_exclude_pair(rico_scene_bodies *bodies, int64_t a, int64_t b);
// The node that BEAM@LENGTH names.
rico_status rico_scene_find_node(const rico_scene_bodies *bodies, const rico_node *name, int64_t *body);
void rico_scene_beam_destroy(rico_context *ctx, rico_scene_beam *beam);

// --- scene_shapes.c

// Builds the shape that a node of the schema `shape` describes; the bodies own it.
rico_status rico_scene_build_shape(rico_scene_bodies *bodies, rico_node *node, const rico_shape **out);
// Takes a shape that was made elsewhere.
rico_status rico_scene_keep_shape(rico_scene_bodies *bodies, rico_shape *shape);

// `dimension` numbers, zeros behind them.
rico_status rico_scene_read_vector(rico_scene *scene, const rico_node *node, int dimension, double x[3]);
// Position and rotation of a mapping that has those keys.
rico_status rico_scene_read_stand(rico_scene *scene, const rico_node *node, int dimension, rico_stand *out);
rico_status rico_scene_read_axis(rico_scene *scene, const rico_node *node, double axis[3]);
// Turned by an angle in degrees about a unit axis: exact at the quarters.
void rico_scene_turn(const double axis[3], double degrees, double orientation[4]);

// --- scene_body_formulas.c

// Reads `force`, `torque` and `motion` of a body. *out is NULL where it has none of them.
rico_status rico_body_formulas_read(rico_scene_bodies *bodies, rico_node *node, rico_body_formulas **out);
void rico_body_formulas_destroy(rico_context *ctx, rico_body_formulas *formulas);
// Sets the functions of a body that stands where its definition says.
rico_status rico_body_formulas_use(rico_scene_bodies *bodies, const rico_body_formulas *formulas,
                                   rico_body *body);

// --- scene_generators.c

// What a block of a structure has of its own.
typedef struct rico_stone {
    const rico_shape *shape; // the bodies own it
    const char *called;      // it is NAME-called; NULL: NAME-1, NAME-2, ... among those without
    int64_t number;          // of several that are called alike: NAME-called-number; 0: it is one
    bool fixed;
    bool given; // its mass is not that of the shape but `solid`, for unit density
    rico_mass_properties solid;
} rico_stone;

// Where copies stand in the axes of their definition, and what they are where the generator makes them.
typedef struct rico_copies {
    int64_t count;
    rico_stand *stand;
    const rico_shape *shape;
    rico_stone *block; // as many, or NULL: all are alike
    int64_t apart_count;
    int64_t (*apart)[2]; // copies that never touch
} rico_copies;
rico_status rico_scene_generate(rico_scene_bodies *bodies, rico_node *node, const rico_shape *shape,
                                rico_copies *out);
void rico_copies_release(rico_context *ctx, rico_copies *copies);

// --- scene_structures.c

// Structures of blocks that touch face to face, scene_structures_schema.c; NULL: it is none.
typedef struct rico_structure_kind rico_structure_kind;
extern const rico_schema rico_scene_arch_schema, rico_scene_flat_arch_schema, rico_scene_bond_schema,
    rico_scene_buttress_schema, rico_scene_vault_schema, rico_scene_cross_vault_schema,
    rico_scene_dome_schema;
const rico_structure_kind *rico_structure_find(const char *key);
rico_status rico_structure_build(const rico_structure_kind *kind, rico_scene_bodies *bodies,
                                 const rico_node *node, rico_copies *out);

#endif
