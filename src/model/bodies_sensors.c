// What a user asks of single bodies at a state: whom a sensor touches, and how much a body's motion holds.
//
// Functions of the state alone: the same answers from a simulation, from a row of a result, or from a state made up.

#include "collide/narrow.h"
#include "collide/tree.h"
#include "model/bodies.h"

#include "la/mat3.h"

// Whether the two speak of each other at all.
static bool senses(const rico_bodies *bodies, int64_t sensor, int64_t other)
{
    const rico_body *one = &bodies->body[sensor].given, *two = &bodies->body[other].given;
    if (sensor == other || !two->shape) return false;
    if (!(one->group & two->meets) || !(two->group & one->meets)) return false;
    int64_t low = sensor < other ? sensor : other, high = sensor < other ? other : sensor;
    for (int64_t k = 0; k < bodies->exclusion_count; k++)
        if (bodies->exclusion[2 * k] == low && bodies->exclusion[2 * k + 1] == high) return false;
    return one->type != RICO_BODY_FIXED || two->type != RICO_BODY_FIXED;
}


int64_t rico_bodies_sense(const rico_bodies *bodies, int64_t sensor, double t, const double *q, int64_t room,
                          int64_t *body)
{
    const rico_bound_body *own = &bodies->body[sensor];
    const rico_shape *shape = own->given.shape;
    rico_pose A, B;
    rico_box one, two;
    int64_t count = 0;
    if (!shape) return 0;
    if (!rico_bodies_pose(bodies, own, t, q, &A)) return -1;
    shape->kind->bounds(shape, &A, one.lower, one.upper);
    for (int64_t b = 0; b < bodies->count; b++) {
        const rico_shape *other = bodies->body[b].given.shape;
        rico_nearest nearest;
        if (!senses(bodies, sensor, b)) continue;
        if (!rico_bodies_pose(bodies, &bodies->body[b], t, q, &B)) return -1;
        other->kind->bounds(other, &B, two.lower, two.upper);
        if (!rico_box_overlap(&one, &two) || !rico_meet_nearest(shape, &A, other, &B, &nearest) ||
            nearest.gap > 0.0)
            continue;
        if (count < room) body[count] = b;
        count++;
    }
    return count;
}


// What the node of a beam has less, and what it shares with its neighbours: half of v_i M_ij v_j off the diagonal.
static double kinetic_shared(const rico_bodies *bodies, int64_t body, const double *v)
{
    const rico_bound_body *own = &bodies->body[body];
    double sum = 0.0;
    for (int j = 0; j < bodies->v_size; j++) {
        int k = j < bodies->dimension ? 0 : 1;
        double beside = -own->shared[k] * v[own->v + j];
        if (own->link[k] > 0.0) beside += own->link[k] * v[own->v + bodies->v_size + j];
        if (body > 0 && own[-1].link[k] > 0.0) beside += own[-1].link[k] * v[own->v - bodies->v_size + j];
        sum += 0.5 * v[own->v + j] * beside;
    }
    return sum;
}


double rico_bodies_kinetic(const rico_bodies *bodies, int64_t body, const double *v)
{
    const rico_bound_body *own = &bodies->body[body];
    if (own->item < 0) return 0.0;
    const double *u = v + own->v, shared = kinetic_shared(bodies, body, v);
    if (bodies->dimension == 2)
        return shared + 0.5 * own->mass * (u[0] * u[0] + u[1] * u[1]) + 0.5 * own->inertia[8] * u[2] * u[2];
    double momentum[3];
    rico_mat3_times(own->inertia, u + 3, momentum);
    return shared + 0.5 * own->mass * rico_vec3_dot(u, u) + 0.5 * rico_vec3_dot(u + 3, momentum);
}
