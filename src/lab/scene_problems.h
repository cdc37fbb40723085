// Contact problems of a scene, as its motion meets them.
//
// At the state (q, v) of a step of length h, Moreau's time stepping asks for v+ with
//
//     M v+ = H r + M v + h F(t, q, v),     u = H'v+ + w,     r and u in the cone and its law,
//
// of the contacts that would be closed at its end without impulses. Where the system is linear and stiff, as elastic bodies are, forces
// are those of the middle of the step (Moreau-Jean's scheme, theta = 1/2), and M + h C/2 + h^2 K/4 stands in the place of M. w holds the velocities of obstacles and, along the
// normal, e times the velocity before: Newton's law. Joints are equalities behind the contacts. The problem is the same
// whichever scheme moves the scene.

#ifndef RICO_LAB_SCENE_PROBLEMS_H
#define RICO_LAB_SCENE_PROBLEMS_H

#include "ricochet/problem.h"
#include "ricochet/scene.h"

typedef struct rico_scene_problems rico_scene_problems;

rico_status rico_scene_problems_create(rico_context *ctx, const rico_system *system,
                                       rico_scene_problems **out);
void rico_scene_problems_destroy(rico_scene_problems *problems);

// The problem of the step of length h from the state of the simulation. *out is NULL, with RICO_OK, where nothing touches.
rico_status rico_scene_problems_make(rico_scene_problems *problems, const rico_simulation *sim, double h,
                                     rico_problem **out);

#endif
