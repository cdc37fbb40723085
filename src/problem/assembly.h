// Rigid bodies and the blocks that join them, collected one by one, then assembled into M, H, f and w = 0.
//
// A body has dim translations and its rotations (6 velocities in space, 3 in a plane); a block gives dim rows: the
// velocity of body b with respect to a at one point, along each vector of a frame.

#ifndef RICO_PROBLEM_ASSEMBLY_H
#define RICO_PROBLEM_ASSEMBLY_H

#include "ricochet/problem.h"

enum { RICO_GROUND = -1 }; // the body that does not move

typedef struct rico_rigid_body {
    double centre[3];
    double mass;
    double inertia[9];  // about the centre, row-major, in the axes of space; in a plane the first entry alone
    double velocity[6]; // at the end of the step if nothing touched
} rico_rigid_body;

typedef struct rico_junction {
    int64_t a, b; // a may be RICO_GROUND
    double point[3];
    double frame[9]; // dim orthonormal vectors, one after the other; the normal, first, points from a to b
    rico_block block;
} rico_junction;

typedef struct rico_assembly {
    rico_context *ctx;
    int dim;            // 2 or 3
    rico_status status; // of the first failure: what is added after it is dropped
    int64_t body_count, body_room;
    int64_t junction_count, junction_room;
    rico_rigid_body *bodies;
    rico_junction *junctions;
} rico_assembly;

// An empty assembly; release it also when something failed.
rico_assembly rico_assembly_start(rico_context *ctx, int dim);
void rico_assembly_release(rico_assembly *assembly);

// Adds a copy. Failures are kept in `status`, so that builders need not look until the end.
void rico_assembly_add_body(rico_assembly *assembly, const rico_rigid_body *body);
void rico_assembly_add_junction(rico_assembly *assembly, const rico_junction *junction);

// The problem of all that was added: global, or with W and q alone.
rico_status rico_assembly_finish(const rico_assembly *assembly, bool reduced, rico_problem **out);

#endif
