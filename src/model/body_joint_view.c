// Two frames of a joint at a state; body_joints.c says what n, m and d are.

#include "model/body_joint_view.h"


#include <string.h>

// --- kinematics ----------------------------------------------------------------------------------------------------

static bool see_motion(const rico_bound_body *body, double t, const rico_pose *pose, rico_joint_side *out)
{
    rico_stand stand;
    double arm[3];
    memset(out->spin, 0, sizeof out->spin);
    if (!body->given.motion(body->given.user, t, &stand, out->dx, out->spin)) return false;
    rico_vec3_subtract(out->x, pose->x, arm);
    rico_vec3_cross(out->spin, arm, arm);
    rico_vec3_add(out->dx, arm, out->dx);
    return true;
}


static bool see_side(const rico_bodies *bodies, const rico_joint_frame *frame, double t, const double *q,
                     rico_joint_side *out)
{
    out->free = out->moved = false;
    if (frame->body < 0) {
        rico_vec3_copy(frame->point, out->x);
        memcpy(out->axes, frame->axes, sizeof out->axes);
        return true;
    }
    const rico_bound_body *body = &bodies->body[frame->body];
    rico_pose pose;
    if (!rico_bodies_pose(bodies, body, t, q + bodies->place.q, &pose)) return false;
    rico_pose_point(&pose, frame->point, out->x);
    for (int i = 0; i < 3; i++) rico_mat3_times(pose.R, frame->axes + 3 * i, out->axes + 3 * i);
    memcpy(out->R, pose.R, sizeof out->R);
    rico_vec3_subtract(frame->point, body->center, out->arm);
    out->free = body->item >= 0;
    out->moved = body->given.type == RICO_BODY_MOVED;
    memset(out->dx, 0, sizeof out->dx);
    return !out->moved || see_motion(body, t, &pose, out);
}


void rico_joint_relate(rico_joint_view *at)
{
    const double *a = at->side[0].axes, *b = at->side[1].axes;
    rico_vec3_subtract(at->side[1].x, at->side[0].x, at->d);
    for (int i = 0; i < 3; i++) {
        at->p[i] = rico_vec3_dot(a + 3 * i, at->d);
        for (int j = 0; j < 3; j++) at->C[3 * i + j] = rico_vec3_dot(a + 3 * i, b + 3 * j);
    }
}


bool rico_joint_see(const rico_joint_pair *pair, double t, const double *q, rico_joint_view *out)
{
    for (int s = 0; s < 2; s++)
        if (!see_side(pair->bodies, &pair->side[s], t, q, &out->side[s])) return false;
    rico_joint_relate(out);
    return true;
}


bool rico_joint_row_at(const rico_bound_joint *joint, int pair, int row, const rico_joint_view *at,
                       rico_joint_value *out)
{
    memset(out, 0, sizeof *out);
    return joint->row[pair][row]->value(joint->setting, at->p, at->C, out);
}


// n and m of a row.
void rico_joint_wrench(const rico_joint_view *at, const rico_joint_value *row, double n[3], double m[3])
{
    const double *a = at->side[0].axes, *b = at->side[1].axes;
    rico_vec3_set(0.0, 0.0, 0.0, n);
    rico_vec3_set(0.0, 0.0, 0.0, m);
    for (int i = 0; i < 3; i++) {
        rico_vec3_add_scaled(row->p[i], a + 3 * i, n);
        for (int j = 0; j < 3; j++) {
            double across[3], slope = row->C[3 * i + j];
            if (slope == 0.0) continue;
            rico_vec3_cross(b + 3 * j, a + 3 * i, across);
            rico_vec3_add_scaled(slope, across, m);
        }
    }
}


// The force and the torque about the side's point of a multiplier 1.
void rico_joint_on_side(const rico_joint_view *at, int s, const double n[3], const double m[3],
                        double force[3], double torque[3])
{
    if (s == 1) {
        rico_vec3_copy(n, force);
        rico_vec3_copy(m, torque);
        return;
    }
    rico_vec3_scale(-1.0, n, force);
    rico_vec3_cross(n, at->d, torque);
    rico_vec3_subtract(torque, m, torque);
}


// What a unit multiplier of row r of pair k does to both of its bodies.
bool rico_joint_sides(const rico_bound_joint *joint, int k, int r, const rico_joint_view *at,
                      double force[2][3], double torque[2][3])
{
    rico_joint_value row;
    double n[3], m[3];
    if (!rico_joint_row_at(joint, k, r, at, &row)) return false;
    rico_joint_wrench(at, &row, n, m);
    for (int s = 0; s < 2; s++) rico_joint_on_side(at, s, n, m, force[s], torque[s]);
    return true;
}


// Adds what a side's velocities give to one row.
void rico_joint_add_columns(const rico_bodies *bodies, const rico_joint_side *of, const double force[3],
                            const double torque[3], double factor, double *row)
{
    double turned[3], arm[3];
    for (int i = 0; i < bodies->dimension; i++) row[i] += factor * force[i];
    if (bodies->dimension == 3) {
        rico_mat3_transpose_times(of->R, force, turned);
        rico_vec3_cross(of->arm, turned, arm);
        rico_mat3_transpose_times(of->R, torque, turned);
        for (int i = 0; i < 3; i++) row[3 + i] += factor * (arm[i] + turned[i]);
        return;
    }
    rico_mat3_times(of->R, of->arm, arm);
    row[2] += factor * (arm[0] * force[1] - arm[1] * force[0] + torque[2]);
}


// --- velocities ----------------------------------------------------------------------------------------------------

void rico_joint_side_velocity(const rico_joint_pair *pair, const rico_joint_view *at, int s, const double *v,
                              double dx[3], double spin[3])
{
    const rico_joint_side *side = &at->side[s];
    const rico_bodies *bodies = pair->bodies;
    double arm[3];
    rico_vec3_set(0.0, 0.0, 0.0, dx);
    rico_vec3_set(0.0, 0.0, 0.0, spin);
    if (side->moved) {
        rico_vec3_copy(side->dx, dx);
        rico_vec3_copy(side->spin, spin);
    }
    if (!side->free) return;
    v += bodies->place.v + bodies->body[pair->side[s].body].v;
    if (bodies->dimension == 3)
        rico_mat3_times(side->R, v + 3, spin);
    else
        spin[2] = v[2];
    rico_mat3_times(side->R, side->arm, arm);
    rico_vec3_cross(spin, arm, dx);
    for (int i = 0; i < bodies->dimension; i++) dx[i] += v[i];
}


double rico_joint_row_rate(const rico_joint_pair *pair, const rico_joint_view *at,
                           const rico_joint_value *row, const double *v)
{
    double n[3], m[3], rate = 0.0;
    rico_joint_wrench(at, row, n, m);
    for (int s = 0; s < 2; s++) {
        double force[3], torque[3], dx[3], spin[3];
        rico_joint_on_side(at, s, n, m, force, torque);
        rico_joint_side_velocity(pair, at, s, v, dx, spin);
        rate += rico_vec3_dot(force, dx) + rico_vec3_dot(torque, spin);
    }
    return rate;
}
