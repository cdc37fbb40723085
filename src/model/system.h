// A system from inside: what a user describes, and what follows from it once it is complete. Nothing of a state.

#ifndef RICO_MODEL_SYSTEM_H
#define RICO_MODEL_SYSTEM_H

#include "model/constraint.h"
#include "model/interaction.h"
#include "model/part.h"

// An interaction in a system: its entries, those of K before those of C, and where they stand in the system's pattern.
typedef struct rico_bound_interaction {
    char *name;
    rico_interaction given;
    int64_t *row, *col, *place;
    int64_t scratch_at, value_at; // its numbers in an assembly: work space, and the values of its entries
} rico_bound_interaction;

typedef struct rico_bound_source {
    char *name;
    rico_contact_source given;
} rico_bound_source;

// A load on a point, as an interaction's user data.
typedef struct rico_bound_point_load rico_bound_point_load;

// A force of a caller, likewise.
typedef struct rico_bound_force rico_bound_force;

struct rico_system {
    rico_context *ctx; // of who builds it; simulations bring their own
    int64_t nq, nv;
    int64_t rows; // of the constraints that are always there
    int64_t part_count, part_room;
    rico_part **part;
    int64_t constraint_count, constraint_room; // those that are always there
    rico_constraint **constraint;
    int64_t interaction_count, interaction_room;
    rico_bound_interaction *interaction;
    int64_t source_count, source_room;
    rico_bound_source *source;
    int64_t point_load_count, point_load_room;
    rico_bound_point_load **point_load;
    int64_t force_count, force_room; // of callers, force.c
    rico_bound_force **force;
    int64_t element_count, element_room; // of joints between bodies, body_joints.h
    struct rico_joint_element *element;
    int friction_count; // laws of friction, friction.h
    struct rico_bound_friction **friction;
    int64_t relation_count; // of the constraints, relation.h
    bool bent;              // the output of some relation is not affine
    int64_t sampler_count;
    struct rico_bound_sampler *sampler; // sampler.h
    int64_t touch_count, touch_room;    // contacts of meshes, touch.h
    struct rico_bound_touch **touch;

    // made by rico_system_complete()
    bool complete;
    bool linear, constant_mass, constant_tangents, symmetric, damped, stiff, loaded, constant_load;
    bool constant_frames; // every contact that may ever act has a constant gradient
    bool flat, idle;      // every part moves by addition; none has forces but loads, nor a potential
    double extent;        // largest coordinate that displacements add to: round-off of gaps goes by it
    bool moving;          // some obstacle moves, or a joint is driven
    rico_csc pattern;     // nv x nv, of M, K and C; values unused
    unsigned char *alike; // of a large one: runs of columns on the same rows, la/alike.h
    int64_t *spread;      // with interactions: where the entries of parts, one after the other, stand in it
    int64_t largest_part; // entries of the largest part's pattern
    int64_t scratch, interaction_values; // numbers that an assembly keeps for all of them
    int64_t *part_scratch;               // where each part's begin
};

#endif
