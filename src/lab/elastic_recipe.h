// Elastic bodies that meet with friction, made for collections of problems: two cubes, and a low wall of bricks.
//
// Cubes: of n x n x n H8, the upper one turned about the vertical and dropped with a small horizontal velocity and a spin, nodes of the upper on faces of the lower, nothing
// held (Cubes_H8_2, _5 and _20 of Acary, Bremond and Huber 2018, table 5). Wall: five courses of eight bricks of 4 x 2 x 3 H8 in running
// bond on a fixed ground, pushed by random velocities (LowWall_FEM). `stiffness` is h c/l, with c the velocity of sound along a bar and l the size of an element:
// the condition of W goes with its square.

#ifndef RICO_LAB_ELASTIC_RECIPE_H
#define RICO_LAB_ELASTIC_RECIPE_H

#include "ricochet/mesh.h"
#include "ricochet/simulation.h"

typedef struct rico_elastic_recipe {
    bool wall;
    int64_t elements; // along a side of a cube
    double friction, stiffness;
    double step;
    uint64_t seed; // cubes: angle, velocities, restitution 0 or 0.3; wall: velocities
} rico_elastic_recipe;

typedef struct rico_elastic_stage {
    rico_context *ctx;
    rico_mesh *mesh[2]; // the cube; a brick and half a brick
    rico_system *system;
    rico_simulation *sim;
} rico_elastic_stage;

// Stiffness that gives the conditions of the table for cubes of n elements a side; of the wall.
double rico_elastic_recipe_stiffness(bool wall, int64_t elements);

// A stage that has started; close it whatever the status.
rico_status rico_elastic_stage_open(rico_context *ctx, const rico_elastic_recipe *recipe,
                                    rico_elastic_stage *out);
void rico_elastic_stage_close(rico_elastic_stage *stage);

#endif
