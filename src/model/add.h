// Adding to a system: what the kinds of parts and constraints share.

#ifndef RICO_MODEL_ADD_H
#define RICO_MODEL_ADD_H

#include "model/system.h"

// A part of a kind, not yet in the system. rico_part_destroy() takes NULL and releases what the kind allocated.
rico_status rico_part_create(rico_system *system, const char *name, const rico_part_kind *kind,
                             rico_part **out);
void rico_part_destroy(rico_part *part);

// Puts it at the end of the vectors. On failure the part stays the caller's.
rico_status rico_part_add(rico_system *system, rico_part *part, int64_t q_size, int64_t v_size,
                          rico_place *place);

// A load of a part by matrices that needs work space of its own, in the place of a caller's function.
typedef struct rico_scratch_load {
    bool (*fill)(void *user, double *scratch, double t, double *f);
    void (*prepare)(void *user, double *scratch);
    int64_t scratch;
    void *user;
} rico_scratch_load;
void rico_matrices_set_load(rico_part *part, const rico_scratch_load *load);

// A constraint as `made` has it, its row and name set here; dof and gradient (NULL: none) are copied. Adding n of them
// takes time of order n.
rico_status rico_system_add_constraint(rico_system *system, const char *name, const rico_constraint *made,
                                       const int64_t *dof, const double *gradient, int64_t *index);
void rico_constraints_destroy(rico_system *system);

// Refuses what is no contact: the fields that all ways to add one have in common.
rico_status rico_contact_check(rico_context *ctx, const char *name, const rico_contact *contact);
rico_status rico_contact_check_reach(const rico_system *system, const char *name, const rico_reach *reach);

void rico_system_release_friction(rico_system *system);

// Interactions: all freed; the pattern of parts enlarged by theirs; flags.
void rico_interactions_destroy(rico_system *system);
rico_status rico_interactions_layout(rico_system *system);
void rico_interactions_describe(rico_system *system);

// A contact or pin between points: the velocities that move either, each once, into dof (as many as
// rico_points_reach() says at most). Refuses points that do not exist.
int64_t rico_points_reach(const rico_system *system, const rico_point *a, const rico_point *b);
rico_status rico_points_dofs(const rico_system *system, rico_context *ctx, const char *name,
                             const rico_point *a, const rico_point *b, int64_t *count, int64_t *dof);
// The same for what a source emits, which may be spread over several items.
int64_t rico_emitted_reach(const rico_system *system, const rico_emitted *given);
rico_status rico_emitted_dofs(const rico_system *system, rico_context *ctx, const char *name,
                              const rico_emitted *given, int64_t *count, int64_t *dof);
extern const rico_constraint_kind rico_points_kind, rico_pin_kind;
void rico_point_loads_destroy(rico_system *system);
void rico_forces_destroy(rico_system *system);         // force.c
void rico_joint_elements_destroy(rico_system *system); // body_joint_read.c
void rico_touches_destroy(rico_system *system);        // touch.c

// A copy of a text.
char *rico_model_copy_text(rico_context *ctx, const char *text);

// A list with room for one more, twice as long when it is full; NULL without memory, the old one stays.
void *rico_model_room(rico_context *ctx, void *list, int64_t count, int64_t *room, size_t size);

// Refuses additions to a system that is being simulated.
rico_status rico_system_open(const rico_system *system, const char *name);

#endif
