// Bodies that went through others in a step: the last look before it is accepted.
//
// Contacts are found from the motion that bodies have at the start of a step. One that others fling away may go where nobody looked, and come
// out on the other side of a wall. So the way that was taken is looked at once more: in the axes of one body, the center of another
// goes in a straight line, and it may not reach the surface, which its own surface reaches long before. That is no
// contact any more but a step that is too long, and it is said.

#include "model/bodies_search.h"

#include "base/context.h"
#include "collide/look.h"
#include "la/mat3.h"

#include <math.h>

enum { ADVANCES = 200 };

// Motion in a step, in sizes, below which nobody looks: what is at rest on something is not asked every time. A heavy body drives a light one
// through a thin wall in steps of a tenth.
static const double MUCH = 0.05;
// Size of what stands for a center, as a share of the smallest body.
static const double POINT = 1e-4;
// Cosine of the turn in a step from which on a way is not straight in the axes of a body.
static const double STRAIGHT = 0.95;

typedef struct passage {
    const rico_bodies *bodies;
    const rico_bodies_memory *memory;
    const rico_pose *after; // by sweep
    int64_t fast;           // whose way is looked at
    int64_t one, other;     // the first went through the second
} passage;


rico_status rico_bodies_center_shape(const rico_bodies *bodies, rico_context *ctx, rico_shape **out)
{
    double least = INFINITY;
    if (bodies->whole) bodies = bodies->whole;
    for (int64_t b = 0; b < bodies->count; b++)
        if (bodies->body[b].given.shape) least = fmin(least, bodies->body[b].given.shape->reach);
    const double radius = isfinite(least) ? POINT * least : 1.0;
    return rico_shape_create(ctx, bodies->dimension == 3 ? "sphere" : "disc", &radius, 1, out);
}


static void into_axes(const rico_pose *pose, const double x[3], double own[3])
{
    double from[3];
    rico_vec3_subtract(x, pose->x, from);
    rico_mat3_transpose_times(pose->R, from, own);
}


// The product of the same axis before and after is the cosine of how far it has turned, at the least over the three.
static bool turned(const rico_pose *before, const rico_pose *after)
{
    for (int j = 0; j < 3; j++) {
        double cosine = 0.0;
        for (int i = 0; i < 3; i++) cosine += before->R[3 * i + j] * after->R[3 * i + j];
        if (cosine < STRAIGHT) return true;
    }
    return false;
}


// A point inside of a shape, in its own axes: the center, or the middle of a piece where that is in none of them. False: none was found, as
// in what has no inside.
static bool inside_of(const passage *own, const rico_body_sweep *sweep, double probe[3])
{
    const rico_shape *shape = sweep->body->given.shape, *point = own->memory->point;
    const rico_pose still = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    rico_vec3_copy(sweep->arm, probe);
    if (shape->kind->support != NULL && shape->kind->class != RICO_COMPOUND) return true;
    for (int64_t k = -1; k < rico_shape_pieces(shape); k++) {
        rico_stand stand;
        rico_nearest near;
        rico_pose at = still;
        if (k >= 0) {
            rico_shape_piece(shape, k, &stand);
            rico_vec3_copy(stand.position, probe);
        }
        rico_vec3_copy(probe, at.x);
        if (rico_meet_nearest(point, &at, shape, &still, &near) && near.gap < -2.0 * point->reach)
            return true;
    }
    return false;
}


// Whether the center of `one` gets to the surface of `other` on its way: by conservative advancement, as nothing is nearer than its distance.
static bool reaches(const passage *own, int64_t one, int64_t other)
{
    const rico_body_sweep *a = &own->memory->sweep[one], *b = &own->memory->sweep[other];
    const rico_shape *shape = b->body->given.shape, *point = own->memory->point;
    const rico_pose still = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    double from[3], to[3], end[3], way[3], probe[3];
    if (a->body->item < 0 || turned(&b->pose, &own->after[other]) || !inside_of(own, a, probe)) return false;
    rico_pose_point(&a->pose, probe, from);
    rico_pose_point(&own->after[one], probe, end);
    into_axes(&b->pose, from, from);
    into_axes(&own->after[other], end, to);
    rico_vec3_subtract(to, from, way);
    double length = rico_vec3_norm(way), s = 0.0;
    if (!(length > MUCH * a->body->given.shape->reach)) return false;
    for (int k = 0; k < ADVANCES; k++) {
        rico_pose at = still;
        rico_nearest near;
        for (int i = 0; i < 3; i++) at.x[i] = from[i] + s * way[i];
        if (!rico_meet_nearest(point, &at, shape, &still, &near)) return false;
        if (near.gap <= point->reach) return k > 0; // at the start: they overlap, which others have judged
        s += near.gap / length;
        if (s > 1.0) return false;
    }
    return false;
}


static bool visit(void *user, int64_t item)
{
    passage *own = user;
    const int64_t both[2] = {own->fast, item};
    if (item == own->fast || !rico_bodies_touch(own->bodies, own->memory, own->fast, item)) return true;
    for (int k = 0; k < 2; k++) {
        if (!reaches(own, both[k], both[1 - k])) continue;
        own->one = both[k], own->other = both[1 - k];
        return false;
    }
    return true;
}


// Everything that the center passes on its way, and its body around it.
static rico_box box_of_way(const rico_body_sweep *own, const double end[3])
{
    rico_box box;
    for (int i = 0; i < 3; i++) {
        box.lower[i] = fmin(own->center[i], end[i]) - own->reach;
        box.upper[i] = fmax(own->center[i], end[i]) + own->reach;
    }
    return box;
}


rico_status rico_bodies_passed(const rico_bodies *bodies, const rico_bodies_memory *memory, rico_context *ctx,
                               double t, double h, const double *next)
{
    passage own = {.bodies = bodies, .memory = memory, .after = memory->after};
    bool placed = false;
    for (int64_t s = 0; s < memory->count; s++) {
        const rico_body_sweep *sweep = &memory->sweep[s];
        double end[3] = {0.0}, way[3];
        if (sweep->body->item < 0 || !memory->point || sweep->body->given.sensor) continue;
        for (int i = 0; i < bodies->dimension; i++) end[i] = next[sweep->body->q + i];
        rico_vec3_subtract(end, sweep->center, way);
        if (!(rico_vec3_norm(way) > MUCH * sweep->reach)) continue;
        for (int64_t k = 0; !placed && k < memory->count; k++)
            if (!rico_bodies_pose(bodies, memory->sweep[k].body, t + h, next, &memory->after[k]))
                return RICO_OK;
        placed = true;
        own.fast = s;
        rico_box box = box_of_way(sweep, end);
        if (rico_tree_query(&memory->tree, &box, visit, &own)) continue;
        return rico_fail(ctx, RICO_SINGULAR,
                         "body %s went through %s from t = %.17g to %.17g: the step is too long for how "
                         "bodies are hit; take a smaller one",
                         memory->sweep[own.one].body->name, memory->sweep[own.other].body->name, t, t + h);
    }
    return RICO_OK;
}
