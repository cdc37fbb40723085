// Nodes of a mesh against a shape, of the world or of a rigid body: by the signed distance of each node to it.
//
// A node is looked at as a small ball, whose distance is less by its radius, exactly, outside of any shape and inside of convex ones. A convex
// shape has one contact with a node, where it is nearest; others (triangles, compounds) may have one with each of their features that are near,
// so that a node in a notch is held by both walls.

#include "model/touch.h"

#include "base/context.h"
#include "model/assembly.h"
#include "model/bodies.h"
#include "model/contact_frame.h"

#include <math.h>

// Radius of the ball, as a share of the size of the mesh's cells.
static const double BALL = 0.1;

// What a contact carries of its own.
enum { FEATURE_A, FEATURE_B, ON_A, ON_B = ON_A + 3, DATA = ON_B + 3 };
_Static_assert((int)DATA <= (int)RICO_EMITTED_DATA, "a contact carries more than it can");

static const double WORLD[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};


static const rico_bound_body *body_of(const rico_bound_touch *touch)
{
    return touch->against.bodies ? &touch->against.bodies->body[touch->against.body] : NULL;
}


static bool pose_at(const rico_bound_touch *touch, double t, const double *q, rico_pose *out)
{
    const rico_bodies *bodies = touch->against.bodies;
    *out = touch->pose;
    return !bodies || rico_bodies_pose(bodies, body_of(touch), t, q + bodies->place.q, out);
}


static bool is_convex(const rico_shape *shape)
{
    return shape->kind->class == RICO_HALFSPACE ||
           (shape->kind->class != RICO_TRIANGLES && shape->kind->class != RICO_COMPOUND);
}


static rico_pose ball_at(const double x[3])
{
    return (rico_pose){.x = {x[0], x[1], x[2]}, .R = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}};
}


// A point of the shape as one of the body, or of the world.
static rico_point point_on(const rico_bound_touch *touch, const rico_pose *pose, const double x[3])
{
    const rico_bound_body *body = body_of(touch);
    if (body) return rico_bodies_point_on(touch->against.bodies, body, pose, x);
    return (rico_point){.part = -1, .local = {x[0], x[1], x[2]}};
}


// --- emission ------------------------------------------------------------------------------------------------------

// Contacts of a ball at x with gaps up to `above`, as meetings of the memory's list; false: out of memory.
static bool meet(const rico_bound_touch *touch, rico_touch_memory *memory, const rico_pose *pose,
                 const double x[3], double above)
{
    const rico_shape *shape = touch->against.shape;
    const rico_pose ball = ball_at(x);
    rico_nearest nearest;
    memory->meetings.count = 0;
    if (!is_convex(shape))
        return rico_meet(shape, pose, touch->probe, &ball, above - touch->radius, &memory->meetings);
    if (!rico_meet_nearest(shape, pose, touch->probe, &ball, &nearest)) return true;
    rico_meeting *m = nearest.gap + touch->radius <= above ? rico_meeting_add(&memory->meetings) : NULL;
    if (!m) return nearest.gap + touch->radius > above;
    *m = (rico_meeting){.gap = nearest.gap};
    rico_vec3_copy(nearest.normal, m->normal);
    rico_vec3_copy(nearest.on_a, m->on_a);
    rico_vec3_copy(nearest.on_b, m->on_b);
    return true;
}


// How fast any point of the body may be.
static bool body_speed(const rico_bound_touch *touch, double t, const double *v, double *speed)
{
    const rico_bound_body *body = body_of(touch);
    double linear[3] = {0.0, 0.0, 0.0}, spin[3] = {0.0, 0.0, 0.0};
    *speed = 0.0;
    if (!body || body->given.type == RICO_BODY_FIXED) return true;
    if (body->given.type == RICO_BODY_MOVED) {
        rico_stand stand;
        if (!body->given.motion(body->given.user, t, &stand, linear, spin)) return false;
    } else {
        const rico_bodies *bodies = touch->against.bodies;
        const double *own = v + bodies->place.v + body->v;
        for (int i = 0; i < bodies->dimension; i++) linear[i] = own[i];
        if (bodies->dimension == 3)
            rico_vec3_copy(own + 3, spin);
        else
            spin[2] = own[2];
    }
    double reach = isfinite(touch->against.shape->reach) ? touch->against.shape->reach : 0.0;
    *speed = rico_vec3_norm(linear) + rico_vec3_norm(spin) * (reach + rico_vec3_norm(body->center));
    return true;
}


// The velocity of a node seen from the point of the shape that it meets.
static bool approach(const rico_bound_touch *touch, rico_touch_memory *memory, double t, const double *q,
                     const double *v, int64_t k, const rico_meeting *m, const rico_point *a, double out[3])
{
    const rico_bound_body *body = body_of(touch);
    double other[3];
    if (!rico_touch_velocity(touch, memory, q, v, a, other)) return false;
    rico_vec3_subtract(memory->v[SLAVE] + 3 * k, other, out);
    return !body || rico_bodies_add_rate(body, t, m->on_a, WORLD, 3, -1.0, out);
}


static bool emit_meeting(const rico_bound_touch *touch, rico_touch_memory *memory, double t, double h,
                         const double *q, const double *v, const rico_pose *pose, int64_t k,
                         const rico_meeting *m, rico_emission *out)
{
    int64_t feature = is_convex(touch->against.shape) ? 0 : (int64_t)m->feature_a + 1;
    double velocity[3];
    rico_emitted contact = {.key = rico_touch_key(0, touch->side[SLAVE].node[k], feature),
                            .a = point_on(touch, pose, m->on_a),
                            .gap = m->gap + touch->radius};
    if (!approach(touch, memory, t, q, v, k, m, &contact.a, velocity)) return false;
    if (!(contact.gap <= rico_touch_margin(touch, h, velocity))) return true;
    rico_frame_of(touch->dimension, m->normal, contact.frame);
    contact.data[FEATURE_A] = m->feature_a;
    contact.data[FEATURE_B] = m->feature_b;
    rico_vec3_copy(m->on_a, contact.data + ON_A);
    rico_vec3_copy(m->on_b, contact.data + ON_B);
    return rico_touch_emit(touch, memory, q, SLAVE, k, &contact, out);
}


static bool emit(void *user, void *of, double t, double h, const double *q, const double *v,
                 rico_emission *out)
{
    const rico_bound_touch *touch = user;
    rico_touch_memory *memory = of;
    rico_pose pose;
    double speed, lower[3], upper[3];
    if (!rico_touch_gather(touch, memory, SLAVE, q, v) || !pose_at(touch, t, q, &pose) ||
        !body_speed(touch, t, v, &speed))
        return false;
    touch->against.shape->kind->bounds(touch->against.shape, &pose, lower, upper);
    for (int64_t k = 0; k < touch->side[SLAVE].count; k++) {
        const double *x = memory->x[SLAVE] + 3 * k;
        const double most[3] = {rico_vec3_norm(memory->v[SLAVE] + 3 * k) + speed, 0.0, 0.0};
        double above = rico_touch_margin(touch, h, most);
        bool near = true;
        for (int i = 0; i < touch->dimension; i++)
            near &= x[i] >= lower[i] - above && x[i] <= upper[i] + above;
        if (!near) continue;
        if (!meet(touch, memory, &pose, x, above)) {
            out->status = rico_fail(out->assembly->ctx, RICO_NO_MEMORY,
                                    "out of memory for the contacts of %s", touch->name);
            return false;
        }
        for (int64_t i = 0; i < memory->meetings.count; i++)
            if (!emit_meeting(touch, memory, t, h, q, v, &pose, k, &memory->meetings.item[i], out))
                return false;
    }
    return true;
}


// --- through the step ----------------------------------------------------------------------------------------------

// The contact at another state. Where the shape does not meet the node any more, or from the other side, it is held as it was found.
static bool follow(const rico_bound_touch *touch, const rico_emitted *contact, double t, const double *q,
                   rico_pose *pose, rico_meeting *m)
{
    const rico_shape *shape = touch->against.shape;
    const double *data = contact->data;
    double x[3], foot[3], way[3];
    rico_nearest nearest;
    if (!rico_point_at(touch->system, q, &contact->b, x) || !pose_at(touch, t, q, pose)) return false;
    const rico_pose ball = ball_at(x);
    *m = (rico_meeting){.feature_a = (uint32_t)data[FEATURE_A], .feature_b = (uint32_t)data[FEATURE_B]};
    m->gap = contact->gap - touch->radius;
    rico_vec3_copy(contact->frame, m->normal);
    rico_vec3_copy(data + ON_A, m->on_a);
    rico_vec3_copy(data + ON_B, m->on_b);
    bool there;
    if (is_convex(shape)) {
        there = rico_meet_nearest(shape, pose, touch->probe, &ball, &nearest);
        if (there) {
            m->gap = nearest.gap;
            rico_vec3_copy(nearest.normal, m->normal);
            rico_vec3_copy(nearest.on_a, m->on_a);
        }
    } else {
        there = rico_meet_again(shape, pose, touch->probe, &ball, m);
    }
    m->gap += touch->radius;
    if (there && rico_vec3_dot(m->normal, contact->frame) > 0.0) return true;
    if (!rico_point_at(touch->system, q, &contact->a, foot)) return false;
    rico_vec3_subtract(x, foot, way);
    rico_vec3_copy(contact->frame, m->normal);
    rico_vec3_copy(foot, m->on_a);
    m->gap = rico_vec3_dot(way, contact->frame);
    return true;
}


static bool gap(void *user, const rico_emitted *contact, double t, const double *q, double *value)
{
    rico_pose pose;
    rico_meeting m;
    if (!follow(user, contact, t, q, &pose, &m)) return false;
    *value = m.gap;
    return true;
}


static bool frame(void *user, const rico_emitted *contact, double t, const double *q, rico_point *a,
                  rico_point *b, double *axes)
{
    const rico_bound_touch *touch = user;
    rico_pose pose;
    rico_meeting m;
    (void)b;
    if (!follow(touch, contact, t, q, &pose, &m)) return false;
    *a = point_on(touch, &pose, m.on_a);
    rico_frame_carry(touch->dimension, contact->frame, m.normal, axes, contact->dimension);
    return true;
}


static bool rate(void *user, const rico_emitted *contact, double t, const double *q, double *w)
{
    const rico_bound_touch *touch = user;
    rico_pose pose;
    rico_meeting m;
    double axes[9];
    for (int j = 0; j < contact->dimension; j++) w[j] = 0.0;
    if (!follow(touch, contact, t, q, &pose, &m)) return false;
    rico_frame_carry(touch->dimension, contact->frame, m.normal, axes, contact->dimension);
    return rico_bodies_add_rate(body_of(touch), t, m.on_a, axes, contact->dimension, -1.0, w);
}


// --- adding --------------------------------------------------------------------------------------------------------

static rico_status take_shape(rico_bound_touch *touch, const rico_touch_shape *given)
{
    rico_context *ctx = touch->ctx;
    touch->against = *given;
    if (given->bodies) {
        if (!given->bodies->bound || given->body < 0 || given->body >= given->bodies->count)
            return rico_fail(ctx, RICO_BAD_ARGUMENT,
                             "contact %s is with body %lld, which is none, or in no system", touch->name,
                             (long long)given->body);
        touch->against.shape = given->bodies->body[given->body].given.shape;
    } else if (!rico_pose_of(&given->stand, &touch->pose)) {
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "the stand of the shape of contact %s is not finite, or its quaternion is zero",
                         touch->name);
    }
    const rico_shape *shape = touch->against.shape;
    if (!shape) return rico_fail(ctx, RICO_BAD_ARGUMENT, "contact %s is with what has no shape", touch->name);
    if (shape->kind->info.planar != (touch->dimension == 2))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "contact %s is of a mesh of %d dimensions with a %s",
                         touch->name, touch->dimension, shape->kind->info.name);
    touch->radius = BALL * touch->side[SLAVE].size;
    return rico_shape_create(ctx, touch->dimension == 3 ? "sphere" : "disc", &touch->radius, 1,
                             &touch->probe);
}


rico_status rico_system_touch_shape(rico_system *system, const char *name, const rico_touch_side *nodes,
                                    const rico_touch_shape *shape, const rico_touch *how)
{
    rico_bound_touch *touch = NULL;
    rico_status status = rico_touch_begin(system, name, nodes, NULL, how, &touch);
    if (status != RICO_OK) return status;
    status = take_shape(touch, shape);
    if (status != RICO_OK) {
        rico_touch_destroy(touch);
        return status;
    }
    const rico_bound_body *body = body_of(touch);
    rico_contact_source source = rico_touch_source(touch);
    source.emit = emit;
    source.gap = gap;
    source.frame = frame;
    source.rate = body && body->given.type == RICO_BODY_MOVED ? rate : NULL;
    return rico_touch_add(system, touch, source);
}
