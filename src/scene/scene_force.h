// A force between parts, from the shares that formulas give to what the model asks: how it is put together.

#ifndef RICO_SCENE_SCENE_FORCE_H
#define RICO_SCENE_SCENE_FORCE_H

#include "scene/scene_private.h"

// Which books a share of the force goes to.
typedef enum rico_force_book {
    RICO_FORCE_APPLIED,
    RICO_FORCE_DAMPING,
    RICO_FORCE_CONSERVATIVE,
    RICO_FORCE_BOOKS
} rico_force_book;

typedef struct rico_force_share {
    int64_t dof;
    rico_force_book to;
    rico_term term;
} rico_force_share;

struct rico_scene_force {
    rico_scene *scene;
    const rico_node *node;
    int64_t slot_count;
    int64_t *slot; // of the scene's state that its formulas read, t left out
    int64_t share_count;
    rico_force_share *share; // outputs of `forces`
    rico_program *forces, *tangents, *energy;
    int64_t K_count, C_count;
    int64_t tangents_at, energy_at, scratch_size; // numbers of the programs, those of the forces first
};

typedef struct rico_force_builder {
    rico_scene *scene;
    rico_scene_force *force;
    rico_graph *graph;
    int64_t nq, share_room, slot_room;
    rico_term energy;
    bool conserves; // it has an energy
} rico_force_builder;

// In this order: begin; note all that formulas read (slots of the scene, t left out; those of a part through `of`); open the
// graph, after which scene->map leads from slots to its variables; add shares; finish, which derives, compiles and adds to
// the system. What is begun belongs to the scene, whatever happens.
rico_status rico_force_begin(rico_scene *scene, const rico_node *node, rico_force_builder *b);
rico_status rico_force_note_slot(rico_force_builder *b, int64_t slot);
rico_status rico_force_note_reads(rico_force_builder *b, const rico_formula *formula, const int64_t *of);
rico_status rico_force_open_graph(rico_force_builder *b);
rico_status rico_force_add_share(rico_force_builder *b, int64_t dof, rico_force_book to, rico_term term);
rico_status rico_force_finish(rico_force_builder *b, const char *name);

// The velocity on which the position in a variable of the graph acts; -1 where it holds a velocity.
int64_t rico_force_dof(const rico_force_builder *b, int64_t variable);

// Runs forces and energy at a state. f: of all velocities, added to.
typedef struct rico_force_trial {
    bool finite, acts; // every number is one; some share is not 0
    double energy;
} rico_force_trial;
rico_status rico_force_try(rico_scene_force *force, double t, const double *q, const double *v, double *f,
                           rico_force_trial *out);

#endif
