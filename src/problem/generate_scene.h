// How the kinds of scenes are built: each is a function that lays bodies on a stage until it is full.

#ifndef RICO_PROBLEM_GENERATE_SCENE_H
#define RICO_PROBLEM_GENERATE_SCENE_H

#include "problem/assembly.h"
#include "ricochet/generate.h"

typedef struct rico_stage {
    rico_assembly assembly;
    int64_t target; // contacts
    double friction;
    int64_t layers;
    bool aligned;
    double inclination,
        shear; // of a floor, degrees; of the speed along it, over h g and for each length of height
} rico_stage;

// True when the contacts are all there, or when memory ran out: no further body then.
bool rico_stage_full(const rico_stage *stage);

// Adds a body at rest; returns its number.
int64_t rico_stage_body(rico_stage *stage, const double centre[3], double mass, const double inertia[9]);

// Adds a contact. The normal, of unit length, points from a (which may be RICO_GROUND) to b.
void rico_stage_touch(rico_stage *stage, int64_t a, int64_t b, const double point[3], const double normal[3]);

// The kinds.
void rico_scene_spheres(rico_stage *stage);
void rico_scene_bed(rico_stage *stage);
void rico_scene_wall(rico_stage *stage);
void rico_scene_tower(rico_stage *stage);
void rico_scene_chain(rico_stage *stage);
void rico_scene_aqueduct(rico_stage *stage);
void rico_scene_capsules(rico_stage *stage);
void rico_scene_chute(rico_stage *stage);

// Lays the bodies of a recipe, which is checked first, and loads them. Release the assembly whatever the status.
rico_status rico_stage_build(rico_context *ctx, const rico_scene_recipe *recipe, rico_stage *stage);

#endif
