// Generators of meshes from inside: a row each, and what they share.

#ifndef RICO_MESH_GENERATE_H
#define RICO_MESH_GENERATE_H

#include "mesh/draft.h"

#include <stddef.h>

// Option i is the member at offset[i] of the generator's struct: a double, an int64_t or an enum by its type. Option 0 is the kind of the
// elements, choice k of it is kinds[k].
typedef struct rico_mesh_recipe {
    rico_mesh_generator about;
    const size_t *offset;
    const rico_cell_kind *kinds;
    size_t size; // of the struct
    rico_status (*make)(rico_context *ctx, const void *options, rico_mesh **out);
} rico_mesh_recipe;

extern const rico_mesh_recipe rico_recipe_bar, rico_recipe_rectangle, rico_recipe_box, rico_recipe_disc,
    rico_recipe_cylinder, rico_recipe_sphere;

// Ranges of options.
#define RICO_MESH_PLACE -1e100, 1e100
#define RICO_MESH_SIZE 1e-100, 1e100
#define RICO_MESH_COUNT 1, 1e6
#define RICO_MESH_GRADING 1, 1e6
extern const char *const rico_toward_names[];

// Fills a struct with the standard values; makes a mesh of one after checking it.
void rico_recipe_standard(const rico_mesh_recipe *recipe, void *options);
rico_status rico_recipe_make(rico_context *ctx, const rico_mesh_recipe *recipe, const void *options,
                             rico_mesh **out);

// Refuses more cells than can be meant.
rico_status rico_recipe_room(rico_context *ctx, const rico_mesh_recipe *recipe, double cells);

// The ends of `cells` intervals of [0, 1], from exactly 0 to exactly 1: cells + 1 numbers, released by rico_free(); NULL without memory.
double *rico_graded(rico_context *ctx, int64_t cells, double grading, rico_mesh_toward toward);

// The disc as Q4 cells, in the order of docs/guide/meshes.md; its mask has rim, top and axis in bits 1, 2, 4.
rico_status rico_plan_disc(rico_context *ctx, const rico_mesh_disc *o, rico_draft *plan);

#endif
