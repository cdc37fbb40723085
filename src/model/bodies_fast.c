// Bodies that move by about their size, or more, in one step: whether they meet, when, and along which normal.
//
// At the start of the step such a pair is far apart: its gap there points from one to the other and says nothing of the side on which they
// will touch, if they do. So its way is followed at constant velocities to the moment of touching. The contact is that of this moment:
// its normal n is held through the step, and its gap at any state is how far the bodies are apart along n, which is negative behind the
// obstacle: nothing is crossed unseen.

#include "model/bodies_search.h"

#include "collide/planar.h"
#include "la/quaternion.h"

#include <math.h>

enum { ADVANCES = 40 }; // until a pair is taken as one that meets

// Part of the slack at which bodies that close in are as good as touching.
static const double TOUCHING = 1e-3;


static void pose_after(const rico_body_sweep *own, double s, rico_pose *out)
{
    double phi[3], turn[4], R[9], arm[3];
    rico_vec3_scale(s, own->spin, phi);
    rico_quaternion_exp(phi, turn);
    rico_quaternion_to_matrix(turn, R);
    rico_mat3_multiply(R, own->pose.R, out->R);
    rico_mat3_times(out->R, own->arm, arm);
    for (int i = 0; i < 3; i++) out->x[i] = own->center[i] + s * own->velocity[i] - arm[i];
}


static bool is_convex(const rico_shape *shape)
{
    rico_shape_class class = shape->kind->class;
    return class != RICO_TRIANGLES && class != RICO_COMPOUND;
}


bool rico_shape_is_rolling(const rico_shape *shape)
{
    if (shape->kind->class == RICO_PLANAR) return rico_polygon_of(shape)->radius > 0.0;
    return shape->kind->class == RICO_ROUND;
}


void rico_shape_farthest(const rico_shape *shape, const rico_pose *pose, const double n[3], double x[3])
{
    double own[3];
    rico_mat3_transpose_times(pose->R, n, own);
    shape->kind->support(shape, own, own);
    rico_pose_point(pose, own, x);
}


// The first time from *s on at which the distance of the two is at most `target`, by conservative advancement: between two convex shapes
// that are d apart along n it is at least d + n.(v_b - v_a) s - (|w_a| r_a + |w_b| r_b) s after a time s, as the maximum over all
// normals is not below its value at one. Shapes that are not convex: |v_b - v_a| in the place of the product. False: not in this step.
// Doubt is a yes.
static bool advance(const rico_body_way *way, double target, double enough, double *s)
{
    const rico_shape *one = way->a->body->given.shape, *two = way->b->body->given.shape;
    bool convex = is_convex(one) && is_convex(two);
    double relative[3], now = *s;
    rico_vec3_subtract(way->b->velocity, way->a->velocity, relative);
    for (int k = 0; k < ADVANCES; k++) {
        rico_pose A, B;
        rico_nearest near;
        pose_after(way->a, now, &A);
        pose_after(way->b, now, &B);
        *s = now;
        if (!rico_meet_nearest(one, &A, two, &B, &near) || !(near.gap > target + enough)) return true;
        double closing = convex ? -rico_vec3_dot(near.normal, relative) : rico_vec3_norm(relative);
        closing += way->rolling / way->h;
        if (!(closing > 0.0)) return false;
        now += (near.gap - target) / closing;
        if (now > way->h) return false;
    }
    return true;
}


// A point that was found at the pose `then` at the start of the step.
static void bring_back(const rico_body_sweep *own, const rico_pose *then, const double n[3], double x[3])
{
    double from[3];
    if (rico_shape_is_rolling(own->body->given.shape)) {
        rico_shape_farthest(own->body->given.shape, &own->pose, n, x);
        return;
    }
    rico_vec3_subtract(x, then->x, from);
    rico_mat3_transpose_times(then->R, from, from);
    rico_pose_point(&own->pose, from, x);
}


// The contacts of the moment s, with their gaps at the start.
static bool meet_at(const rico_body_way *way, double s, rico_meeting_list *list)
{
    const rico_body_sweep *a = way->a, *b = way->b;
    int64_t first = list->count;
    rico_pose A, B;
    pose_after(a, s, &A);
    pose_after(b, s, &B);
    double margin = way->slack + (1.0 - s / way->h) * (way->margin - way->slack);
    if (!rico_meet(a->body->given.shape, &A, b->body->given.shape, &B, margin, list)) return false;
    for (int64_t k = first; k < list->count; k++) {
        rico_meeting *m = &list->item[k];
        double back[3], apart[3];
        rico_vec3_scale(-1.0, m->normal, back);
        bring_back(a, &A, m->normal, m->on_a);
        bring_back(b, &B, back, m->on_b);
        rico_vec3_subtract(m->on_b, m->on_a, apart);
        m->gap = rico_vec3_dot(m->normal, apart);
    }
    return true;
}


// Whether a contact changes the way of the two by more than the slack.
static bool deflects(const rico_body_way *way, const rico_meeting *m)
{
    const rico_body_sweep *own[2] = {way->a, way->b};
    const double *on[2] = {m->on_a, m->on_b};
    double closing = 0.0;
    for (int k = 0; k < 2; k++) {
        double arm[3], turning[3];
        rico_vec3_subtract(on[k], own[k]->center, arm);
        rico_vec3_cross(own[k]->spin, arm, turning);
        rico_vec3_add(turning, own[k]->velocity, turning);
        closing += (k ? -1.0 : 1.0) * rico_vec3_dot(m->normal, turning);
    }
    return m->gap - way->h * closing < -way->slack;
}


bool rico_bodies_follow_way(const rico_body_way *way, rico_meeting_list *list, rico_pair_found *out)
{
    const rico_shape *one = way->a->body->given.shape, *two = way->b->body->given.shape;
    double s = 0.0;
    bool touching = false;
    for (int64_t m = out->first; m < list->count; m++) {
        if (list->item[m].gap > way->slack) continue;
        touching = true; // as good as
        if (deflects(way, &list->item[m])) out->moment = 0.0;
    }
    if (touching || !(way->h > 0.0)) return true;
    if (!advance(way, way->slack, 0.0, &s)) {
        if (!way->struck) list->count = out->first;
        return true;
    }
    out->moment = s;
    if (way->struck && s > way->first) return true;
    // planes and surfaces have normals that do not depend on the side that is looked from
    if (!one->kind->support || !two->kind->support || !is_convex(one) || !is_convex(two)) return true;
    advance(way, 0.0, TOUCHING * way->slack, &s);
    int64_t start = list->count;
    if (!meet_at(way, s, list)) return false;
    if (list->count == start) return true; // not found there by round-off: those of the start are good
    for (int64_t m = start; m < list->count; m++) list->item[out->first + m - start] = list->item[m];
    list->count = out->first + list->count - start;
    out->way = RICO_WAY_HELD;
    return true;
}
