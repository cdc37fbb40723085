// Beams as bodies and what lies between them: nodes that are bodies, elements that are forces, and masses that neighbours share.
//
// An element of length l has the consistent masses rho A l/6 [2 1; 1 2] on displacements, in the plane rho I l/6 [2 1; 1 2] on angles too.
// In space the sections turn in axes of their own, and their inertia is lumped: half an element's at each node. A node's own mass, which
// gravity acts on, is the sum of its row; what it shares with a neighbour is taken off the diagonal (model/bodies_part.c).

#include "model/beam.h"

#include "la/quaternion.h"
#include "model/add.h"
#include "model/bodies_look.h"

#include <stdio.h>
#include <string.h>

// Of the second node of an element against the first, in rad.
static const double FARTHEST_TURN = 0.9 * M_PI;

rico_beam rico_beam_default(void)
{
    return (rico_beam){.node = rico_body_default()};
}


// --- what a user says ------------------------------------------------------------------------------------------------

static rico_status check_numbers(rico_context *ctx, const rico_beam *beam, bool plane)
{
    const rico_section *of = &beam->section;
    const struct {
        const char *what;
        double value;
        bool read;
    } all[] = {{"young", beam->young, true},
               {"density", beam->density, true},
               {"area", of->area, true},
               {"the area that bears shear along axis 2", of->shear[0], true},
               {"the area that bears shear along axis 3", of->shear[1], !plane},
               {"the torsion constant", of->torsion, !plane},
               {"the second moment about axis 2", of->bending[0], !plane},
               {"the second moment about axis 3", of->bending[1], true}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].read && !(all[i].value > 0.0 && isfinite(all[i].value)))
            return rico_fail(ctx, RICO_BAD_INPUT, "beam %s: %s is %g, expected more than 0", beam->name,
                             all[i].what, all[i].value);
    if (!(beam->poisson > -1.0 && beam->poisson <= 0.5))
        return rico_fail(ctx, RICO_BAD_INPUT, "beam %s: poisson is %g, expected above -1 and at most 0.5",
                         beam->name, beam->poisson);
    if (!(beam->damping >= 0.0 && isfinite(beam->damping)))
        return rico_fail(ctx, RICO_BAD_INPUT, "beam %s: damping is %g, expected 0 or more", beam->name,
                         beam->damping);
    return RICO_OK;
}


static rico_status check_beam(const rico_bodies *bodies, const rico_beam *beam)
{
    rico_context *ctx = bodies->ctx;
    if (bodies->bound)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "the bodies are in a system already and cannot change");
    if (!beam->name || beam->nodes < 2 || !beam->stand)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a beam needs a name and 2 nodes or more, got %lld",
                         (long long)beam->nodes);
    if (beam->nodes == 2 && beam->clamped[0] && beam->clamped[1])
        return rico_fail(ctx, RICO_BAD_INPUT, "beam %s: nothing of it is free to move", beam->name);
    for (int64_t i = 0; i < beam->load_count; i++)
        if (beam->load[i].node < 0 || beam->load[i].node >= beam->nodes)
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "beam %s: a load acts on node %lld, there are %lld",
                             beam->name, (long long)beam->load[i].node, (long long)beam->nodes);
    for (int64_t i = 0; i + 1 < beam->nodes; i++) {
        double d[3];
        rico_vec3_subtract(beam->stand[i + 1].position, beam->stand[i].position, d);
        if (!(rico_vec3_norm(d) > 0.0))
            return rico_fail(ctx, RICO_BAD_INPUT, "beam %s: its nodes %lld and %lld stand in one place",
                             beam->name, (long long)i, (long long)i + 1);
    }
    return check_numbers(ctx, beam, bodies->dimension == 2);
}


static double length_of(const rico_beam *beam, int64_t element)
{
    double d[3];
    rico_vec3_subtract(beam->stand[element + 1].position, beam->stand[element].position, d);
    return rico_vec3_norm(d);
}


// --- nodes -----------------------------------------------------------------------------------------------------------

static rico_body node_of(const rico_beam *beam, int64_t i, const char *name)
{
    const rico_section *of = &beam->section;
    rico_body node = rico_body_default();
    double around[3];
    node.name = name;
    node.shape = beam->node.shape;
    node.material = beam->node.material;
    node.group = beam->node.group;
    node.meets = beam->node.meets;
    node.sensor = beam->node.sensor;
    node.stand = beam->stand[i];
    if ((i == 0 && beam->clamped[0]) || (i + 1 == beam->nodes && beam->clamped[1])) {
        node.type = RICO_BODY_FIXED;
        return node;
    }
    double half = 0.5 * beam->density *
                  ((i > 0 ? length_of(beam, i - 1) : 0.0) + (i + 1 < beam->nodes ? length_of(beam, i) : 0.0));
    node.mass = half * of->area;
    node.has_inertia = true;
    node.inertia[0] = half * (of->bending[0] + of->bending[1]);
    node.inertia[4] = half * of->bending[0];
    node.inertia[8] = half * of->bending[1];
    rico_vec3_subtract(node.stand.position, beam->about, around);
    rico_vec3_cross(beam->spin, around, node.velocity);
    rico_vec3_add(node.velocity, beam->velocity, node.velocity);
    rico_vec3_copy(beam->spin, node.spin);
    for (int64_t k = 0; k < beam->load_count; k++)
        if (beam->load[k].node == i) {
            node.force = beam->load[k].force;
            node.user = beam->load[k].user;
        }
    return node;
}


static rico_status add_nodes(rico_bodies *bodies, const rico_beam *beam)
{
    rico_status status = RICO_OK;
    for (int64_t i = 0; status == RICO_OK && i < beam->nodes; i++) {
        char name[128];
        snprintf(name, sizeof name, "%.96s-%lld", beam->name, (long long)i);
        const rico_body node = node_of(beam, i, name);
        status = rico_bodies_add(bodies, &node, NULL);
    }
    return status;
}


// Neighbours overlap, and on a curve or a coarse radius those behind them.
static rico_status exclude_near(rico_bodies *bodies, const rico_beam *beam, int64_t first)
{
    rico_status status = RICO_OK;
    if (!beam->node.shape) return RICO_OK;
    for (int64_t i = 0; i < beam->nodes; i++) {
        double along = 0.0;
        for (int64_t j = i + 1; status == RICO_OK && j < beam->nodes; j++) {
            along += length_of(beam, j - 1);
            if (j > i + 1 && along > 4.0 * beam->node.shape->reach) break;
            status = rico_bodies_exclude(bodies, first + i, first + j);
        }
    }
    return status;
}


// What elements share between their nodes, once these are there.
static void share_masses(rico_bodies *bodies, const rico_beam *beam, int64_t first)
{
    bool plane = bodies->dimension == 2;
    for (int64_t e = 0; e + 1 < beam->nodes; e++) {
        rico_bound_body *a = &bodies->body[first + e], *b = a + 1;
        double sixth = beam->density * length_of(beam, e) / 6.0,
               share[2] = {sixth * beam->section.area, plane ? sixth * beam->section.bending[1] : 0.0};
        for (int k = 0; k < 2; k++) {
            a->shared[k] += share[k];
            b->shared[k] += share[k];
            if (a->item >= 0 && b->item >= 0) a->link[k] = share[k];
        }
    }
}


// --- elements --------------------------------------------------------------------------------------------------------

// The positions of a node as bodies have them, from the part's slice of q; of one that is clamped, from where it stands.
static const double *positions(const rico_bound_beam *beam, int64_t node, const double *q, double own[7])
{
    const rico_bound_body *body = &beam->bodies->body[beam->first + node];
    if (q && body->item >= 0) return q + body->q;
    const rico_stand *stand = &body->given.stand;
    if (beam->bodies->dimension == 3) {
        rico_vec3_copy(stand->position, own);
        memcpy(own + 3, stand->orientation, sizeof stand->orientation);
    } else {
        own[0] = stand->position[0];
        own[1] = stand->position[1];
        own[2] = 2.0 * atan2(stand->orientation[3], stand->orientation[0]);
    }
    return own;
}


// An element at q, NULL: at the start.
static void element_at(const rico_bound_beam *beam, int64_t e, const double *q, rico_beam_state *out)
{
    double a[7], b[7];
    beam->kind->strain(beam->element[e].length, positions(beam, e, q, a), positions(beam, e + 1, q, b), out);
}


static void set_stiffness(const rico_beam *given, rico_bound_beam *own, bool plane)
{
    const rico_section *of = &given->section;
    double E = given->young, G = 0.5 * E / (1.0 + given->poisson);
    const double in_plane[] = {E * of->area, G * of->shear[0], E * of->bending[1]};
    const double in_space[] = {E * of->area,    G * of->shear[0],   G * of->shear[1],
                               G * of->torsion, E * of->bending[0], E * of->bending[1]};
    if (plane)
        memcpy(own->stiffness, in_plane, sizeof in_plane);
    else
        memcpy(own->stiffness, in_space, sizeof in_space);
    own->damping = given->damping;
}


static rico_status add_elements(rico_bodies *bodies, const rico_beam *given, int64_t first)
{
    rico_context *ctx = bodies->ctx;
    rico_bound_beam *list =
        rico_model_room(ctx, bodies->beam, bodies->beam_count, &bodies->beam_room, sizeof *list);
    if (!list) return RICO_NO_MEMORY;
    bodies->beam = list;
    rico_bound_beam own = {.bodies = bodies, .first = first, .elements = given->nodes - 1};
    bool plane = bodies->dimension == 2;
    own.kind = plane ? &rico_beam_plane : &rico_beam_space;
    own.name = rico_model_copy_text(ctx, given->name);
    own.element = rico_alloc(ctx, own.elements, sizeof *own.element);
    if (!own.name || !own.element) {
        rico_free(ctx, own.name);
        rico_free(ctx, own.element);
        return RICO_NO_MEMORY;
    }
    set_stiffness(given, &own, plane);
    for (int64_t e = 0; e < own.elements; e++) {
        rico_beam_state at;
        own.element[e].length = length_of(given, e);
        element_at(&own, e, NULL, &at);
        memcpy(own.element[e].rest, at.strain, sizeof at.strain);
    }
    list[bodies->beam_count++] = own;
    return RICO_OK;
}


rico_status rico_bodies_add_beam(rico_bodies *bodies, const rico_beam *beam, int64_t *first)
{
    rico_status status = check_beam(bodies, beam);
    if (status != RICO_OK) return status;
    int64_t count = bodies->count, free_count = bodies->free, exclusions = bodies->exclusion_count;
    uint64_t features = bodies->features;
    status = add_nodes(bodies, beam);
    if (status == RICO_OK) status = exclude_near(bodies, beam, count);
    if (status == RICO_OK) status = add_elements(bodies, beam, count);
    if (status != RICO_OK) {
        while (bodies->count > count) rico_free(bodies->ctx, bodies->body[--bodies->count].name);
        bodies->free = free_count;
        bodies->exclusion_count = exclusions;
        bodies->features = features;
        return status;
    }
    share_masses(bodies, beam, count);
    if (first) *first = count;
    return RICO_OK;
}


void rico_bodies_release_beams(rico_bodies *bodies)
{
    for (int64_t i = 0; i < bodies->beam_count; i++) {
        rico_free(bodies->ctx, bodies->beam[i].name);
        rico_free(bodies->ctx, bodies->beam[i].element);
    }
    rico_free(bodies->ctx, bodies->beam);
}


// --- forces ----------------------------------------------------------------------------------------------------------

// Velocities of an element's nodes; zeros where one is clamped.
static void gather(const rico_bound_beam *beam, int64_t e, const double *v, double *out)
{
    int half = beam->kind->velocities / 2;
    for (int side = 0; side < 2; side++) {
        const rico_bound_body *body = &beam->bodies->body[beam->first + e + side];
        for (int i = 0; i < half; i++) out[side * half + i] = body->item >= 0 ? v[body->v + i] : 0.0;
    }
}


// f -= l B's
static void subtract(const rico_bound_beam *beam, int64_t e, const rico_beam_state *at, const double *s,
                     double *f)
{
    int n = beam->kind->velocities, m = beam->kind->strains, half = n / 2;
    for (int j = 0; j < n; j++) {
        const rico_bound_body *body = &beam->bodies->body[beam->first + e + j / half];
        if (body->item < 0) continue;
        double sum = 0.0;
        for (int i = 0; i < m; i++) sum += at->B[i * n + j] * s[i];
        f[body->v + j % half] -= at->length * sum;
    }
}


// Elastic stresses, and those of the strain's rate.
static void stresses(const rico_bound_beam *beam, int64_t e, const rico_beam_state *at, const double *v,
                     double *elastic, double *viscous)
{
    int n = beam->kind->velocities, m = beam->kind->strains;
    double own[RICO_BEAM_VELOCITIES];
    for (int i = 0; i < m; i++) {
        elastic[i] = beam->stiffness[i] * (at->strain[i] - beam->element[e].rest[i]);
        viscous[i] = 0.0;
    }
    if (beam->damping == 0.0 || !v) return;
    gather(beam, e, v, own);
    for (int i = 0; i < m; i++) {
        double rate = 0.0;
        for (int j = 0; j < n; j++) rate += at->B[i * n + j] * own[j];
        viscous[i] = beam->damping * beam->stiffness[i] * rate;
    }
}


static bool forces(void *user, double *scratch, double t, const double *q, const double *v, double *applied,
                   double *damping, double *conservative)
{
    (void)scratch, (void)t, (void)applied;
    const rico_bound_beam *beam = user;
    const rico_place *place = &beam->bodies->place;
    for (int64_t e = 0; e < beam->elements; e++) {
        rico_beam_state at;
        double elastic[RICO_BEAM_STRAINS], viscous[RICO_BEAM_STRAINS];
        element_at(beam, e, q + place->q, &at);
        stresses(beam, e, &at, v + place->v, elastic, viscous);
        subtract(beam, e, &at, elastic, conservative + place->v);
        if (beam->damping > 0.0) subtract(beam, e, &at, viscous, damping + place->v);
    }
    return true;
}


// In space a turn is told up to a whole one: at half a turn it would be taken as one to the other side. A state that is to be accepted stays
// well away from there.
static bool turned_too_far(const rico_bound_beam *beam, const rico_beam_state *at)
{
    return beam->bodies->dimension == 3 && rico_vec3_norm(at->psi) > FARTHEST_TURN;
}


static bool potential(void *user, double *scratch, const double *q, double *V)
{
    (void)scratch;
    const rico_bound_beam *beam = user;
    *V = 0.0;
    for (int64_t e = 0; e < beam->elements; e++) {
        rico_beam_state at;
        double elastic[RICO_BEAM_STRAINS], viscous[RICO_BEAM_STRAINS], sum = 0.0;
        element_at(beam, e, q + beam->bodies->place.q, &at);
        if (turned_too_far(beam, &at)) return false;
        stresses(beam, e, &at, NULL, elastic, viscous);
        for (int i = 0; i < beam->kind->strains; i++)
            sum += elastic[i] * (at.strain[i] - beam->element[e].rest[i]);
        *V += 0.5 * at.length * sum;
    }
    return true;
}


// Entries of an element that both nodes are free for, column by column: how many, and where they stand.
static int64_t entries(const rico_bound_beam *beam, int64_t e, const double *from, double *to, int64_t *row,
                       int64_t *col)
{
    int n = beam->kind->velocities, half = n / 2;
    const rico_bound_body *node = &beam->bodies->body[beam->first + e];
    int64_t count = 0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            const rico_bound_body *one = &node[i / half], *two = &node[j / half];
            if (one->item < 0 || two->item < 0) continue;
            if (to) to[count] = from[i + n * j];
            if (row) row[count] = beam->bodies->place.v + one->v + i % half;
            if (col) col[count] = beam->bodies->place.v + two->v + j % half;
            count++;
        }
    return count;
}


// K = l B'C B + l dB'/dq s. What B v turns by with q, in the stresses of the strain's rate, is left out: their share is small, and the
// equations that Newton's loops solve do not depend on it.
static bool tangents(void *user, double *scratch, double t, const double *q, const double *v, double *K,
                     double *C)
{
    (void)scratch, (void)t;
    const rico_bound_beam *beam = user;
    const rico_place *place = &beam->bodies->place;
    int n = beam->kind->velocities, m = beam->kind->strains;
    for (int64_t e = 0; e < beam->elements; e++) {
        rico_beam_state at;
        double s[RICO_BEAM_STRAINS], viscous[RICO_BEAM_STRAINS],
            own[RICO_BEAM_VELOCITIES * RICO_BEAM_VELOCITIES];
        element_at(beam, e, q + place->q, &at);
        stresses(beam, e, &at, v + place->v, s, viscous);
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                double sum = 0.0;
                for (int k = 0; k < m; k++) sum += beam->stiffness[k] * at.B[k * n + i] * at.B[k * n + j];
                own[i + n * j] = at.length * sum;
            }
        if (beam->damping > 0.0) {
            int64_t filled = entries(beam, e, own, C, NULL, NULL);
            for (int64_t k = 0; k < filled; k++) C[k] *= beam->damping;
            C += filled;
        }
        for (int i = 0; i < m; i++) s[i] += viscous[i];
        beam->kind->bend(&at, s, own);
        K += entries(beam, e, own, K, NULL, NULL);
    }
    return true;
}


static rico_status bind(rico_system *system, rico_bound_beam *beam)
{
    rico_context *ctx = system->ctx;
    int64_t count = 0, square = (int64_t)beam->kind->velocities * beam->kind->velocities;
    int64_t *row = rico_alloc(ctx, beam->elements * square, sizeof *row),
            *col = rico_alloc(ctx, beam->elements * square, sizeof *col);
    rico_status status = row && col ? RICO_OK : RICO_NO_MEMORY;
    for (int64_t e = 0; status == RICO_OK && e < beam->elements; e++)
        count += entries(beam, e, NULL, NULL, row + count, col + count);
    if (status == RICO_OK) {
        const rico_interaction_entries all = {count, row, col};
        const rico_interaction made = {.K = all,
                                       .C = beam->damping > 0.0 ? all : (rico_interaction_entries){0},
                                       .symmetric = beam->bodies->dimension == 2,
                                       .damped = beam->damping > 0.0,
                                       .stiff = true,
                                       .forces = forces,
                                       .tangents = tangents,
                                       .potential = potential,
                                       .limit = "an element has turned by half a turn (take more of them)",
                                       .user = beam};
        status = rico_system_add_interaction(system, beam->name, &made);
    }
    rico_free(ctx, row);
    rico_free(ctx, col);
    return status;
}


rico_status rico_bodies_bind_beams(rico_system *system, rico_bodies *bodies)
{
    rico_status status = RICO_OK;
    for (int64_t i = 0; status == RICO_OK && i < bodies->beam_count; i++)
        status = bind(system, &bodies->beam[i]);
    return status;
}


// --- what one can ask ------------------------------------------------------------------------------------------------

int64_t rico_bodies_beams(const rico_bodies *bodies)
{
    return bodies->beam_count;
}


const char *rico_bodies_beam(const rico_bodies *bodies, int64_t beam, int64_t *first, int64_t *nodes)
{
    const rico_bound_beam *own = &bodies->beam[beam];
    *first = own->first;
    *nodes = own->elements + 1;
    return own->name;
}


double rico_bodies_beam_width(const rico_bodies *bodies, int64_t beam)
{
    const rico_bound_beam *own = &bodies->beam[beam];
    return sqrt(12.0 * own->stiffness[own->kind->strains - 1] / own->stiffness[0]);
}


int rico_bodies_beam_section(const rico_bodies *bodies, int64_t beam, int64_t element, const double *q,
                             double strain[6], double force[6])
{
    const rico_bound_beam *own = &bodies->beam[beam];
    rico_beam_state at;
    double viscous[RICO_BEAM_STRAINS];
    element_at(own, element, q, &at);
    stresses(own, element, &at, NULL, force, viscous);
    for (int i = 0; i < own->kind->strains; i++) strain[i] = at.strain[i] - own->element[element].rest[i];
    return own->kind->strains;
}
