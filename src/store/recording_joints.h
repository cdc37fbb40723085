// What a recording holds of the joints between bodies, and of accelerations, row by row of the state.

#ifndef RICO_STORE_RECORDING_JOINTS_H
#define RICO_STORE_RECORDING_JOINTS_H

#include "base/text.h"
#include "ricochet/joints.h"
#include "ricochet/simulation.h"
#include "store/archive.h"

// Numbers of each element: force and torque on b, then on a; angle, its rate, displacement, its rate; effort and power.
enum { RICO_JOINT_REACTION = 12, RICO_JOINT_COORDINATES = 4, RICO_JOINT_EFFORTS = 2 };
enum { RICO_JOINT_WORDS = RICO_JOINT_REACTION + RICO_JOINT_COORDINATES + RICO_JOINT_EFFORTS };
enum { RICO_JOINT_TABLES = 2, RICO_JOINT_COLUMNS = 3, RICO_JOINT_NOTES = 2 };

typedef struct rico_joint_plan {
    rico_column joint[RICO_JOINT_COLUMNS], rate[1];
    rico_text names; // "ts- shaft": turns, slides, acts along its coordinate, and the name
    rico_text
        places; // of each, in the same order: kind, bodies (-1: the world), its point in the axes of each, its axis
    int64_t table_count;
    rico_table table[RICO_JOINT_TABLES];
} rico_joint_plan;

// `rates`: the scheme has accelerations.
rico_status rico_joint_plan_make(rico_context *ctx, const rico_system *system, bool rates,
                                 rico_joint_plan *out);
void rico_joint_plan_release(rico_context *ctx, rico_joint_plan *plan);

// All elements at a state, column by column, for the forces of all rows; `out` has RICO_JOINT_WORDS for each.
rico_status rico_joints_capture(const rico_system *system, double t, const double *q, const double *v,
                                const double *rows, double *out);

#endif
