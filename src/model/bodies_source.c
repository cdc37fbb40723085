// The contacts of rigid bodies as a source: found for each step, and followed through it.
//
// A contact keeps, beside its two points, the bodies and features that it names and where it was found: within the step its
// gap, normal and points are those of the same two features at the other state.

#include "base/context.h"
#include "la/mat3.h"
#include "model/assembly.h"
#include "model/bodies_search.h"
#include "model/contact_frame.h"

#include <math.h>
#include <string.h>

// Depths below this share of the smaller body are taken as its features say.
static const double SHALLOW = 1e-9;

// Depth, as a share of the smaller body, from which corners count that have turned in unseen; what is less is the next step's.
static const double TURNED_IN = 1e-4;

// Cosine of the angle to the normal of a contact from which on two bodies are taken to be on the wrong sides of each other.
static const double BEHIND = -0.5;

// What a contact carries of its own.
enum { BODY_A, BODY_B, FEATURE_A, FEATURE_B, ON_A, ON_B = ON_A + 3, WAY = ON_B + 3, DATA };
_Static_assert((int)DATA <= (int)RICO_EMITTED_DATA, "a contact carries more than it can");


// --- emission ------------------------------------------------------------------------------------------------------

rico_point rico_bodies_point_on(const rico_bodies *bodies, const rico_bound_body *body, const rico_pose *pose,
                                const double x[3])
{
    rico_point point = {.part = -1, .local = {x[0], x[1], x[2]}};
    if (body->item < 0) return point;
    double from[3];
    rico_vec3_subtract(x, pose->x, from);
    rico_mat3_transpose_times(pose->R, from, point.local);
    rico_vec3_subtract(point.local, body->center, point.local);
    point.part = bodies->part;
    point.item = body->item;
    return point;
}


static bool emit_found(const rico_bodies *bodies, const rico_bodies_memory *memory, const rico_found *found,
                       const rico_contact_law *law, rico_emission *out)
{
    const rico_meeting *m = &memory->list[found->list].item[found->at];
    const rico_body_sweep *a = &memory->sweep[found->a], *b = &memory->sweep[found->b];
    rico_emitted contact = {.key = found->key,
                            .a = rico_bodies_point_on(bodies, a->body, &a->pose, m->on_a),
                            .b = rico_bodies_point_on(bodies, b->body, &b->pose, m->on_b),
                            .gap = m->gap,
                            .dimension = rico_law_rubs(law) ? bodies->dimension : 1,
                            .friction_law = law->friction_law,
                            .restitution = law->restitution,
                            .friction = law->friction,
                            .stiffness = law->stiffness,
                            .exponent = law->exponent};
    rico_frame_of(bodies->dimension, m->normal, contact.frame);
    contact.data[BODY_A] = (double)(a->body - bodies->body);
    contact.data[BODY_B] = (double)(b->body - bodies->body);
    contact.data[FEATURE_A] = m->feature_a;
    contact.data[FEATURE_B] = m->feature_b;
    rico_vec3_copy(m->on_a, contact.data + ON_A);
    rico_vec3_copy(m->on_b, contact.data + ON_B);
    contact.data[WAY] = found->way;
    return rico_emit(out, &contact);
}


// Two copies, or a copy and what nobody moves freely: that is the business of the shares that have the bodies.
static bool is_ours(const rico_body_sweep *a, const rico_body_sweep *b)
{
    return (a->body->item >= 0 && !a->body->ghost) || (b->body->item >= 0 && !b->body->ghost);
}


static bool emit(void *user, void *of, double t, double h, const double *q, const double *v,
                 rico_emission *out)
{
    const rico_bodies *bodies = user;
    rico_bodies_memory *memory = of;
    rico_context *ctx = out->assembly->ctx;
    if (bodies->mute) return true;
    out->status = rico_bodies_search(bodies, memory, ctx, t, h, q + bodies->place.q, v + bodies->place.v);
    if (out->status != RICO_OK) return false;
    rico_contact_law law = {0.0};
    int first = -1, second = -1; // materials that the law is of
    for (int64_t k = 0; k < memory->found_count; k++) {
        const rico_found *found = &memory->found[k];
        if (!is_ours(&memory->sweep[found->a], &memory->sweep[found->b])) continue;
        int one = memory->sweep[found->a].body->given.material,
            two = memory->sweep[found->b].body->given.material;
        if (one != first || two != second) law = rico_bodies_law(bodies, one, two);
        first = one, second = two;
        if (!emit_found(bodies, memory, found, &law, out)) return false;
    }
    return true;
}


// --- through the step ----------------------------------------------------------------------------------------------

// A contact at another state.
typedef struct followed {
    const rico_bound_body *a, *b;
    rico_pose A, B;
    rico_meeting m;
} followed;


static void point_in_world(const rico_bound_body *body, const rico_pose *pose, const rico_point *point,
                           double x[3])
{
    double own[3];
    rico_vec3_copy(point->local, x);
    if (body->item < 0) return;
    rico_vec3_add(point->local, body->center, own);
    rico_pose_point(pose, own, x);
}


static bool is_held(const rico_emitted *contact)
{
    return contact->data[WAY] == RICO_WAY_HELD;
}


// The points of a contact along its normal: those that it was found at, or, `far`, the farthest of each body towards the other. The gap
// between them.
static double points_along(const rico_emitted *contact, bool far, const double normal[3], followed *out)
{
    const rico_bound_body *body[2] = {out->a, out->b};
    const rico_pose *pose[2] = {&out->A, &out->B};
    const rico_point *point[2] = {&contact->a, &contact->b};
    double *on[2] = {out->m.on_a, out->m.on_b}, way[3], n[3];
    for (int k = 0; k < 2; k++) {
        const rico_shape *shape = body[k]->given.shape;
        rico_vec3_scale(k ? -1.0 : 1.0, normal, n);
        if (far || (is_held(contact) && rico_shape_is_rolling(shape)))
            rico_shape_farthest(shape, pose[k], n, on[k]);
        else
            point_in_world(body[k], pose[k], point[k], on[k]);
    }
    rico_vec3_subtract(out->m.on_b, out->m.on_a, way);
    return rico_vec3_dot(way, normal);
}


// How far the bodies are apart along the normal as it was found: where it is held; where the two features do not meet any more; or have
// passed through each other, so that their normal has turned to the other side.
static void hold(const rico_emitted *contact, followed *out)
{
    rico_vec3_copy(contact->frame, out->m.normal);
    out->m.gap = points_along(contact, false, contact->frame, out);
}


static bool is_convex(const rico_shape *shape)
{
    return shape->kind->support != NULL && shape->kind->class != RICO_COMPOUND;
}


// The contact where the two are nearest, or deepest in each other, in the place of `m`. False: they have passed through each other, and
// this is seen from the other side.
static bool at_nearest(const followed *own, rico_meeting *m)
{
    rico_nearest nearest;
    if (!rico_meet_nearest(own->a->given.shape, &own->A, own->b->given.shape, &own->B, &nearest) ||
        rico_vec3_dot(nearest.normal, own->m.normal) < BEHIND)
        return false;
    m->gap = nearest.gap;
    rico_vec3_copy(nearest.normal, m->normal);
    rico_vec3_copy(nearest.on_a, m->on_a);
    rico_vec3_copy(nearest.on_b, m->on_b);
    return true;
}


// Features go on for ever, bodies do not: a corner that has slid off its face lies behind the plane of it and yet outside, and the
// crossing of two edges that are nearly parallel runs away along them. Two bodies are nowhere deeper in each other than their
// distance says, which is the largest over all normals: no contact of polytopes is, when it is found and from there on. Points and
// normal stay those of the features: several contacts in one place would only make a problem worse.
static double no_deeper(const followed *own)
{
    const rico_shape *a = own->a->given.shape, *b = own->b->given.shape;
    bool flat = a->kind->class == RICO_POLYTOPE && b->kind->class == RICO_POLYTOPE;
    rico_meeting nearest;
    if (!flat || own->m.gap >= -SHALLOW * fmin(a->reach, b->reach)) return own->m.gap;
    return at_nearest(own, &nearest) ? fmax(own->m.gap, nearest.gap) : own->m.gap;
}


// A body that is hit may turn far in the step, and corners come in of which no contact was found: they count for those that are open.
static void turn_in(const rico_emitted *contact, followed *out)
{
    const rico_shape *a = out->a->given.shape, *b = out->b->given.shape;
    double deep = -TURNED_IN * fmin(a->reach, b->reach);
    rico_meeting own = out->m;
    // of several contacts, those that are entered stand for themselves
    if (own.gap <= (contact->data[WAY] == RICO_WAY_LONE ? deep : 0.0)) return;
    out->m.gap = points_along(contact, true, own.normal, out);
    if (out->m.gap < deep && !is_held(contact)) at_nearest(out, &out->m);
    if (out->m.gap >= deep) out->m = own;
}


static bool follow(const rico_bodies *bodies, const rico_emitted *contact, double t, const double *q,
                   followed *out)
{
    const double *data = contact->data;
    out->a = &bodies->body[(int64_t)data[BODY_A]];
    out->b = &bodies->body[(int64_t)data[BODY_B]];
    if (!rico_bodies_pose(bodies, out->a, t, q + bodies->place.q, &out->A) ||
        !rico_bodies_pose(bodies, out->b, t, q + bodies->place.q, &out->B))
        return false;
    rico_meeting *m = &out->m;
    *m = (rico_meeting){
        .feature_a = (uint32_t)data[FEATURE_A], .feature_b = (uint32_t)data[FEATURE_B], .gap = contact->gap};
    rico_vec3_copy(contact->frame, m->normal);
    rico_vec3_copy(data + ON_A, m->on_a);
    rico_vec3_copy(data + ON_B, m->on_b);
    bool there = !is_held(contact) &&
                 rico_meet_again(out->a->given.shape, &out->A, out->b->given.shape, &out->B, m) &&
                 rico_vec3_dot(m->normal, contact->frame) > 0.0;
    if (!there) hold(contact, out);
    if (!is_convex(out->a->given.shape) || !is_convex(out->b->given.shape)) return true;
    if (data[WAY] != RICO_WAY_SLOW) turn_in(contact, out);
    return true;
}


static bool gap(void *user, const rico_emitted *contact, double t, const double *q, double *value)
{
    followed own;
    if (!follow(user, contact, t, q, &own)) return false;
    *value = is_held(contact) ? own.m.gap : no_deeper(&own);
    return true;
}


static bool frame(void *user, const rico_emitted *contact, double t, const double *q, rico_point *a,
                  rico_point *b, double *axes)
{
    const rico_bodies *bodies = user;
    followed own;
    if (!follow(bodies, contact, t, q, &own)) return false;
    *a = rico_bodies_point_on(bodies, own.a, &own.A, own.m.on_a);
    *b = rico_bodies_point_on(bodies, own.b, &own.B, own.m.on_b);
    rico_frame_carry(bodies->dimension, contact->frame, own.m.normal, axes, contact->dimension);
    return true;
}


bool rico_bodies_add_rate(const rico_bound_body *body, double t, const double x[3], const double *axes,
                          int size, double sign, double *w)
{
    rico_stand stand;
    double velocity[3], spin[3], arm[3], turning[3];
    if (body->given.type != RICO_BODY_MOVED) return true;
    if (!body->given.motion(body->given.user, t, &stand, velocity, spin)) return false;
    rico_vec3_subtract(x, stand.position, arm);
    rico_vec3_cross(spin, arm, turning);
    rico_vec3_add(velocity, turning, velocity);
    for (int j = 0; j < size; j++) w[j] += sign * rico_vec3_dot(axes + 3 * j, velocity);
    return true;
}


// u = H'v + w is the velocity of b seen from a: w = velocity of b's obstacle less that of a's.
static bool rate(void *user, const rico_emitted *contact, double t, const double *q, double *w)
{
    const rico_bodies *bodies = user;
    followed own;
    double axes[9];
    for (int j = 0; j < contact->dimension; j++) w[j] = 0.0;
    const rico_bound_body *a = &bodies->body[(int64_t)contact->data[BODY_A]];
    const rico_bound_body *b = &bodies->body[(int64_t)contact->data[BODY_B]];
    if (a->given.type != RICO_BODY_MOVED && b->given.type != RICO_BODY_MOVED) return true;
    if (!follow(bodies, contact, t, q, &own)) return false;
    rico_frame_carry(bodies->dimension, contact->frame, own.m.normal, axes, contact->dimension);
    return rico_bodies_add_rate(a, t, own.m.on_a, axes, contact->dimension, -1.0, w) &&
           rico_bodies_add_rate(b, t, own.m.on_b, axes, contact->dimension, 1.0, w);
}


static bool spin(void *user, const rico_emitted *contact, double t, const double *q, double out[3])
{
    (void)q;
    const rico_bodies *bodies = user;
    for (int i = 0; i < 3; i++) out[i] = 0.0;
    for (int k = 0; k < 2; k++) {
        const rico_bound_body *body = &bodies->body[(int64_t)contact->data[k == 0 ? BODY_A : BODY_B]];
        rico_stand stand;
        double velocity[3], turning[3];
        if (body->given.type != RICO_BODY_MOVED) continue;
        if (!body->given.motion(body->given.user, t, &stand, velocity, turning)) return false;
        rico_vec3_add_scaled(k == 0 ? -1.0 : 1.0, turning, out);
    }
    return true;
}


static rico_status passed(void *user, void *memory, rico_context *ctx, double t, double h, const double *next)
{
    const rico_bodies *bodies = user;
    return rico_bodies_passed(bodies, memory, ctx, t, h, next + bodies->place.q);
}


// --- memory --------------------------------------------------------------------------------------------------------

static void *create(void *user)
{
    return rico_bodies_memory_create(user);
}


static void destroy(void *user, void *memory)
{
    (void)user;
    rico_bodies_memory_destroy(memory);
}


// Nothing of it is worth keeping: what is found does not depend on it.
static int64_t state_size(void *user, const void *memory)
{
    (void)user, (void)memory;
    return 0;
}


static void save(void *user, const void *memory, void *bytes)
{
    (void)user, (void)memory, (void)bytes;
}


static bool load(void *user, void *memory, const void *bytes, int64_t size)
{
    (void)user, (void)bytes;
    rico_bodies_memory *own = memory;
    rico_tree_forget(&own->tree);
    return size == 0;
}


rico_contact_source rico_bodies_source(rico_bodies *bodies)
{
    bool moves = false;
    for (int64_t b = 0; b < bodies->count; b++) moves |= bodies->body[b].given.type == RICO_BODY_MOVED;
    return (rico_contact_source){.emit = emit,
                                 .gap = gap,
                                 .frame = frame,
                                 .rate = moves ? rate : NULL,
                                 .spin = moves ? spin : NULL,
                                 .passed = passed,
                                 .create = create,
                                 .destroy = destroy,
                                 .state_size = state_size,
                                 .save = save,
                                 .load = load,
                                 .user = bodies};
}
