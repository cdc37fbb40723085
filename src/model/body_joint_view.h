// Two frames of a joint at a state: where they are in each other, how they move, and what a row does to their bodies.

#ifndef RICO_MODEL_BODY_JOINT_VIEW_H
#define RICO_MODEL_BODY_JOINT_VIEW_H

#include "la/quaternion.h"
#include "la/vec3.h"
#include "model/body_joints.h"

// One side of a pair at a state.
typedef struct rico_joint_side {
    double x[3], axes[9];  // the frame in the axes of the world, its axes one after the other
    double R[9], arm[3];   // of its body; from the center of mass to the point, in its axes
    double dx[3], spin[3]; // of a body that is moved: velocities of the point
    bool free, moved;
} rico_joint_side;

typedef struct rico_joint_view {
    rico_joint_side side[2];
    double d[3], p[3], C[9];
} rico_joint_view;

// False: a motion refused.
bool rico_joint_see(const rico_joint_pair *pair, double t, const double *q, rico_joint_view *out);

// d, p and C anew from the two sides.
void rico_joint_relate(rico_joint_view *at);

// Row r of pair k; false: it has no value there.
bool rico_joint_row_at(const rico_bound_joint *joint, int pair, int row, const rico_joint_view *at,
                       rico_joint_value *out);

// n and m of a row (body_joints.c), and the force and the torque about the side's point of a multiplier 1.
void rico_joint_wrench(const rico_joint_view *at, const rico_joint_value *row, double n[3], double m[3]);
void rico_joint_on_side(const rico_joint_view *at, int s, const double n[3], const double m[3],
                        double force[3], double torque[3]);

// What a unit multiplier of row r of pair k does to both of its bodies.
bool rico_joint_sides(const rico_bound_joint *joint, int k, int r, const rico_joint_view *at,
                      double force[2][3], double torque[2][3]);

// Adds `factor` times a force and a torque at a side's point to forces along its body's velocities; or what these give to a row.
void rico_joint_add_columns(const rico_bodies *bodies, const rico_joint_side *of, const double force[3],
                            const double torque[3], double factor, double *row);

// Velocity of a side's point and spin, in the axes of the world; v is the whole system's.
void rico_joint_side_velocity(const rico_joint_pair *pair, const rico_joint_view *at, int s, const double *v,
                              double dx[3], double spin[3]);
// How fast a row's value changes.
double rico_joint_row_rate(const rico_joint_pair *pair, const rico_joint_view *at,
                           const rico_joint_value *row, const double *v);

#endif
