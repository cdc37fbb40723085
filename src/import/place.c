// Where bodies stand: down the tree, joint by joint, at the coordinates of the file and at those of the start.
//
// A hinge turns its body about a line through pos along axis, a slide shifts it along axis, a ball turns it about pos; joints of one body act
// one after the other, each in the axes that those before it have left (MuJoCo's documentation, "Kinematic tree").

#include "import/model.h"
#include "la/quaternion.h"

#include <string.h>

static void hosts(rico_import *import)
{
    for (int64_t b = 0; b < import->body_count; b++) {
        rico_import_body *body = &import->body[b];
        if (body->parent < 0 || body->mocap || body->joints > 0) {
            body->host = b;
            body->in_host = RICO_FRAME_SAME;
            body->still = body->mocap || (body->parent < 0 && body->joints == 0);
        } else {
            const rico_import_body *parent = &import->body[body->parent];
            body->host = parent->host;
            rico_frame_chain(&parent->in_host, &body->at, &body->in_host);
        }
    }
}


// A point that a frame carries, moving with (speed, spin) of the frame's origin.
static void carry(const rico_frame_in *frame, const double speed[3], const double spin[3], const double x[3],
                  double out[3])
{
    double arm[3], turned[3];
    rico_vec3_subtract(x, frame->p, arm);
    rico_vec3_cross(spin, arm, turned);
    rico_vec3_add(speed, turned, out);
}


static void act_free(const rico_import_joint *joint, bool start, rico_frame_in *frame, double speed[3],
                     double spin[3])
{
    if (!start) return;
    rico_vec3_copy(joint->q, frame->p);
    memcpy(frame->q, joint->q + 3, sizeof frame->q);
    rico_vec3_copy(joint->v, speed);
    rico_quaternion_rotate(frame->q, joint->v + 3, spin);
}


// One joint on the frame of its body so far.
static void act(rico_import_joint *joint, bool start, rico_frame_in *frame, double speed[3], double spin[3])
{
    double anchor[3], axis[3], at_anchor[3];
    if (joint->kind == RICO_DOF_FREE) {
        act_free(joint, start, frame, speed, spin);
        rico_vec3_copy(frame->p, joint->anchor);
        joint->frame = *frame;
        return;
    }
    rico_frame_point(frame, joint->pos, anchor);
    rico_quaternion_rotate(frame->q, joint->axis, axis);
    carry(frame, speed, spin, anchor, at_anchor);
    double u = start ? joint->q[0] - joint->ref : 0.0, w = start ? joint->v[0] : 0.0;
    if (joint->kind == RICO_DOF_SLIDE) {
        rico_vec3_add_scaled(u, axis, frame->p);
        // the carrier turns about its own origin still, and takes the shift along
        double at_origin[3], shift[3], turned[3];
        rico_vec3_scale(u, axis, shift);
        rico_vec3_cross(spin, shift, turned);
        rico_vec3_add(speed, turned, at_origin);
        rico_vec3_copy(at_origin, speed);
        rico_vec3_add_scaled(w, axis, speed);
        rico_vec3_add_scaled(u, axis, anchor);
    } else {
        double turn[4], own[3], moved[4];
        if (joint->kind == RICO_DOF_BALL && start)
            memcpy(turn, joint->q, sizeof turn);
        else if (joint->kind == RICO_DOF_BALL)
            rico_quaternion_identity(turn);
        else
            rico_turn_about(joint->axis, u, turn);
        rico_quaternion_multiply(frame->q, turn, moved);
        memcpy(frame->q, moved, sizeof moved);
        rico_quaternion_normalise(frame->q);
        rico_quaternion_rotate(frame->q, joint->pos, own);
        rico_vec3_subtract(anchor, own, frame->p);
        if (joint->kind == RICO_DOF_BALL && start) {
            double more[3];
            rico_quaternion_rotate(frame->q, joint->v, more);
            rico_vec3_add_scaled(1.0, more, spin);
        } else if (joint->kind == RICO_DOF_HINGE) {
            rico_vec3_add_scaled(w, axis, spin);
        }
        double arm[3], turned[3];
        rico_vec3_subtract(frame->p, anchor, arm);
        rico_vec3_cross(spin, arm, turned);
        rico_vec3_add(at_anchor, turned, speed);
    }
    rico_vec3_copy(anchor, joint->anchor);
    rico_vec3_copy(axis, joint->direction);
    joint->frame = *frame;
}


static void walk(rico_import *import, bool start)
{
    for (int64_t b = 0; b < import->body_count; b++) {
        rico_import_body *body = &import->body[b];
        rico_frame_in frame = RICO_FRAME_SAME;
        double speed[3] = {0.0}, spin[3] = {0.0};
        if (body->parent >= 0) {
            const rico_import_body *parent = &import->body[body->parent];
            const rico_frame_in *under = start ? &parent->world : &parent->zero;
            rico_frame_chain(under, &body->at, &frame);
            if (start && !body->mocap) {
                carry(under, parent->speed, parent->spin, frame.p, speed);
                rico_vec3_copy(parent->spin, spin);
            }
        } else {
            frame = body->at;
        }
        for (int64_t j = body->joint; j < body->joint + body->joints; j++) {
            rico_import_joint *joint = &import->joint[j];
            act(joint, start, &frame, speed, spin);
            rico_vec3_copy(speed, joint->speed);
            rico_vec3_copy(spin, joint->spin);
        }
        if (start) {
            body->world = frame;
            rico_vec3_copy(speed, body->speed);
            rico_vec3_copy(spin, body->spin);
        } else {
            body->zero = frame;
        }
    }
}


rico_status rico_import_place(rico_import *import)
{
    hosts(import);
    walk(import, false);
    // free bodies that nothing has placed start where the file has them
    for (int64_t j = 0; j < import->joint_count; j++) {
        rico_import_joint *joint = &import->joint[j];
        if (joint->kind != RICO_DOF_FREE || joint->q[3] != 0.0 || joint->q[4] != 0.0 || joint->q[5] != 0.0 ||
            joint->q[6] != 0.0)
            continue;
        memcpy(joint->q, joint->frame.p, sizeof joint->frame.p);
        memcpy(joint->q + 3, joint->frame.q, sizeof joint->frame.q);
    }
    walk(import, true);
    return RICO_OK;
}
