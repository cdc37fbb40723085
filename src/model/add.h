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

// Frees all constraints; lays out H for them.
void rico_constraints_destroy(rico_system *system);
rico_status rico_constraints_layout(rico_system *system);

// Interactions: all freed; the pattern of parts enlarged by theirs; flags; what they add to forces, K and C, and V.
void rico_interactions_destroy(rico_system *system);
rico_status rico_interactions_layout(rico_system *system);
void rico_interactions_describe(rico_system *system);
rico_status rico_interactions_forces(rico_system *system, double t, const double *q, const double *v,
                                     double *applied, double *damping, double *conservative);
rico_status rico_interactions_tangents(rico_system *system, double t, const double *q, const double *v);
rico_status rico_interactions_potential(rico_system *system, double t, const double *q, double *V);

// A copy of a text.
char *rico_model_copy_text(rico_context *ctx, const char *text);

// Refuses additions to a system that is being simulated.
rico_status rico_system_open(const rico_system *system, const char *name);

#endif
