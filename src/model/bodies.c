// A set of rigid bodies: what a user says of them, checked, with their masses.

#include "model/bodies.h"

#include "model/friction.h"

#include "la/quaternion.h"
#include "model/add.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

rico_status rico_bodies_create(rico_context *ctx, int dimension, rico_bodies **out)
{
    *out = NULL;
    if (dimension != 2 && dimension != 3)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "bodies live in 2 or 3 dimensions, got %d", dimension);
    rico_bodies *bodies = rico_alloc(ctx, 1, sizeof *bodies);
    if (!bodies) return RICO_NO_MEMORY;
    *bodies = (rico_bodies){.ctx = ctx,
                            .dimension = dimension,
                            .q_size = dimension == 3 ? 7 : 3,
                            .v_size = dimension == 3 ? 6 : 3,
                            .part = -1};
    rico_status status = rico_bodies_set_material(bodies, "default", (rico_contact_law){0.0}, NULL);
    if (status != RICO_OK) {
        rico_bodies_destroy(bodies);
        return status;
    }
    *out = bodies;
    return RICO_OK;
}


void rico_bodies_destroy(rico_bodies *bodies)
{
    if (!bodies) return;
    rico_context *ctx = bodies->ctx;
    for (int64_t i = 0; i < bodies->count; i++) rico_free(ctx, bodies->body[i].name);
    for (int i = 0; i < bodies->material_count; i++) rico_free(ctx, bodies->material[i].name);
    for (int64_t i = 0; i < bodies->spring_count; i++) rico_free(ctx, bodies->spring[i].name);
    rico_bodies_release_beams(bodies);
    void *all[] = {bodies->body, bodies->material, bodies->pair, bodies->spring, bodies->exclusion};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(ctx, all[i]);
    rico_free(ctx, bodies);
}


static rico_status still_open(const rico_bodies *bodies)
{
    if (!bodies->bound) return RICO_OK;
    return rico_fail(bodies->ctx, RICO_BAD_ARGUMENT, "the bodies are in a system already and cannot change");
}


static bool finite(int count, const double *x)
{
    for (int i = 0; i < count; i++)
        if (!isfinite(x[i])) return false;
    return true;
}


rico_status rico_bodies_set_gravity(rico_bodies *bodies, const double g[3])
{
    rico_status status = still_open(bodies);
    if (status != RICO_OK) return status;
    if (!finite(3, g) || (bodies->dimension == 2 && g[2] != 0.0))
        return rico_fail(bodies->ctx, RICO_BAD_INPUT,
                         "gravity (%g, %g, %g) is not finite, or leaves the plane", g[0], g[1], g[2]);
    rico_vec3_copy(g, bodies->gravity);
    return RICO_OK;
}


// --- materials -----------------------------------------------------------------------------------------------------

static rico_status check_law(rico_context *ctx, const char *name, const rico_contact_law *law)
{
    const struct {
        const char *what;
        double value;
    } all[] = {{"friction", law->friction},
               {"restitution", law->restitution},
               {"stiffness", law->stiffness},
               {"exponent", law->exponent}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!(all[i].value >= 0.0 && isfinite(all[i].value)))
            return rico_fail(ctx, RICO_BAD_INPUT, "%s: %s = %g must be finite and not negative", name,
                             all[i].what, all[i].value);
    return RICO_OK;
}


rico_status rico_bodies_set_material(rico_bodies *bodies, const char *name, rico_contact_law with_itself,
                                     int *index)
{
    rico_context *ctx = bodies->ctx;
    rico_status status = still_open(bodies);
    if (status == RICO_OK) status = check_law(ctx, name, &with_itself);
    if (status != RICO_OK) return status;
    int at = 0, count = bodies->material_count;
    while (at < count && strcmp(bodies->material[at].name, name) != 0) at++;
    if (at == count) {
        rico_material *list = rico_grow(ctx, bodies->material, count, count + 1, sizeof *list);
        if (!list) return RICO_NO_MEMORY;
        bodies->material = list;
        list[at].name = rico_model_copy_text(ctx, name);
        if (!list[at].name) return RICO_NO_MEMORY;
        bodies->material_count++;
    }
    bodies->material[at].law = with_itself;
    if (index) *index = at;
    return RICO_OK;
}


static rico_status check_material(const rico_bodies *bodies, int material)
{
    if (material >= 0 && material < bodies->material_count) return RICO_OK;
    return rico_fail(bodies->ctx, RICO_BAD_ARGUMENT, "there is no material %d, there are %d", material,
                     bodies->material_count);
}


rico_status rico_bodies_set_pair(rico_bodies *bodies, int material_a, int material_b, rico_contact_law law)
{
    rico_context *ctx = bodies->ctx;
    rico_status status = still_open(bodies);
    if (status == RICO_OK) status = check_material(bodies, material_a);
    if (status == RICO_OK) status = check_material(bodies, material_b);
    if (status == RICO_OK) status = check_law(ctx, bodies->material[material_a].name, &law);
    if (status != RICO_OK) return status;
    int a = material_a < material_b ? material_a : material_b, b = material_a + material_b - a, at = 0;
    while (at < bodies->pair_count && (bodies->pair[at].a != a || bodies->pair[at].b != b)) at++;
    if (at == bodies->pair_count) {
        rico_material_pair *list = rico_grow(ctx, bodies->pair, at, at + 1, sizeof *list);
        if (!list) return RICO_NO_MEMORY;
        bodies->pair = list;
        bodies->pair_count++;
    }
    bodies->pair[at] = (rico_material_pair){a, b, law};
    return RICO_OK;
}


rico_contact_law rico_bodies_law(const rico_bodies *bodies, int material_a, int material_b)
{
    int a = material_a < material_b ? material_a : material_b, b = material_a + material_b - a;
    for (int i = 0; i < bodies->pair_count; i++)
        if (bodies->pair[i].a == a && bodies->pair[i].b == b) return bodies->pair[i].law;
    const rico_contact_law *one = &bodies->material[a].law, *two = &bodies->material[b].law;
    if (a == b) return *one;
    // laws have no mean: a pair says which (scenes ask for it)
    return (rico_contact_law){.friction = sqrt(one->friction * two->friction),
                              .friction_law = one->friction_law == two->friction_law ? one->friction_law : 0,
                              .restitution = fmax(one->restitution, two->restitution),
                              .stiffness = sqrt(one->stiffness * two->stiffness),
                              .exponent = fmax(one->exponent, two->exponent)};
}


static bool is_used(const rico_bodies *bodies, int material)
{
    for (int64_t b = 0; b < bodies->count; b++)
        if (bodies->body[b].given.material == material) return true;
    return false;
}


static bool is_paired(const rico_bodies *bodies, int a, int b)
{
    for (int i = 0; i < bodies->pair_count; i++)
        if (bodies->pair[i].a == a && bodies->pair[i].b == b) return true;
    return false;
}


rico_status rico_bodies_check_laws(const rico_bodies *bodies, const rico_system *system)
{
    const rico_bound_friction *found;
    rico_context *ctx = system->ctx;
    rico_status status = RICO_OK;
    for (int a = 0; status == RICO_OK && a < bodies->material_count; a++) {
        const rico_material *one = &bodies->material[a];
        status = rico_friction_find(system, ctx, one->name, one->law.friction_law, &found);
        for (int b = 0; status == RICO_OK && b < a; b++) {
            const rico_material *two = &bodies->material[b];
            if (one->law.friction_law == two->law.friction_law || is_paired(bodies, b, a)) continue;
            if (is_used(bodies, a) && is_used(bodies, b))
                status = rico_fail(
                    ctx, RICO_BAD_INPUT,
                    "bodies of %s and of %s may meet, and laws of friction have no mean: say how in "
                    "a pair of the two materials",
                    two->name, one->name);
        }
    }
    for (int i = 0; status == RICO_OK && i < bodies->pair_count; i++)
        status = rico_friction_find(system, ctx, bodies->material[bodies->pair[i].a].name,
                                    bodies->pair[i].law.friction_law, &found);
    return status;
}


// --- masses --------------------------------------------------------------------------------------------------------

// Principal moments of a body: positive, and none larger than the sum of the other two, for masses are not negative.
static rico_status check_inertia(rico_context *ctx, const char *name, const double inertia[9])
{
    double moment[3], size = rico_mat3_norm_frobenius(inertia);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++)
            if (fabs(inertia[3 * i + j] - inertia[3 * j + i]) > 1e-12 * size)
                return rico_fail(ctx, RICO_BAD_INPUT,
                                 "body %s: inertia[%d][%d] = %g and inertia[%d][%d] = %g must be the same",
                                 name, i, j, inertia[3 * i + j], j, i, inertia[3 * j + i]);
    rico_mat3_symmetric_eigen(inertia, moment, NULL);
    if (!(moment[0] > 0.0))
        return rico_fail(ctx, RICO_BAD_INPUT,
                         "body %s: a principal moment of its inertia is %g, not positive", name, moment[0]);
    if (moment[2] > (moment[0] + moment[1]) * (1.0 + 1e-9))
        return rico_fail(ctx, RICO_BAD_INPUT,
                         "body %s: no body has the principal moments %g, %g, %g: the largest exceeds the sum "
                         "of the other two",
                         name, moment[0], moment[1], moment[2]);
    return RICO_OK;
}


static rico_status shape_mass(rico_context *ctx, const char *name, const rico_shape *shape,
                              rico_mass_properties *out)
{
    if (!shape)
        return rico_fail(ctx, RICO_BAD_INPUT,
                         "body %s has no shape: it needs a mass and an inertia of its own", name);
    rico_status status = rico_shape_mass(ctx, shape, out);
    char prefix[96];
    snprintf(prefix, sizeof prefix, "body %.80s", name);
    return status == RICO_OK ? status : rico_fail_in(ctx, status, prefix);
}


static rico_status set_mass(const rico_bodies *bodies, rico_bound_body *own)
{
    rico_context *ctx = bodies->ctx;
    const rico_body *given = &own->given;
    rico_mass_properties unit;
    if (given->density != 0.0 && given->mass != 0.0)
        return rico_fail(ctx, RICO_BAD_INPUT, "body %s has a mass and a density: one of the two is enough",
                         own->name);
    double amount = given->density != 0.0 ? given->density : given->mass;
    if (!(amount > 0.0 && isfinite(amount)))
        return rico_fail(ctx, RICO_BAD_INPUT, "body %s is free and needs a mass or a density > 0, got %g",
                         own->name, amount);
    if (given->has_inertia && given->mass > 0.0) {
        own->mass = given->mass;
        memcpy(own->inertia, given->inertia, sizeof own->inertia);
        rico_vec3_copy(given->center, own->center);
    } else {
        rico_status status = shape_mass(ctx, own->name, given->shape, &unit);
        if (status != RICO_OK) return status;
        double scale = given->density != 0.0 ? given->density : given->mass / unit.mass;
        own->mass = scale * unit.mass;
        for (int i = 0; i < 9; i++) own->inertia[i] = scale * unit.inertia[i];
        rico_vec3_copy(unit.center, own->center);
    }
    if (!finite(9, own->inertia) || !finite(3, own->center) || !isfinite(own->mass))
        return rico_fail(ctx, RICO_BAD_INPUT, "body %s: mass, center or inertia is not finite", own->name);
    if (bodies->dimension == 2) {
        if (own->inertia[8] > 0.0) return RICO_OK;
        return rico_fail(ctx, RICO_BAD_INPUT, "body %s: its inertia is %g, not positive", own->name,
                         own->inertia[8]);
    }
    rico_status status = check_inertia(ctx, own->name, own->inertia);
    const double *I = own->inertia, round = 16.0 * DBL_EPSILON * rico_mat3_norm_frobenius(I);
    own->turned = fabs(I[1]) > round || fabs(I[2]) > round || fabs(I[5]) > round;
    own->isotropic = !own->turned && fabs(I[0] - I[4]) <= round && fabs(I[0] - I[8]) <= round;
    return status;
}


// --- bodies --------------------------------------------------------------------------------------------------------

rico_body rico_body_default(void)
{
    return (rico_body){.group = 1, .meets = UINT32_MAX, .stand = {.orientation = {1.0, 0.0, 0.0, 0.0}}};
}


// Bodies of the plane stand in it and turn about z.
static rico_status check_plane(rico_context *ctx, const char *name, const rico_body *body)
{
    bool inside = body->stand.position[2] == 0.0 && body->velocity[2] == 0.0 && body->spin[0] == 0.0 &&
                  body->spin[1] == 0.0 && body->stand.orientation[1] == 0.0 &&
                  body->stand.orientation[2] == 0.0;
    if (inside) return RICO_OK;
    return rico_fail(ctx, RICO_BAD_INPUT, "body %s leaves the plane: z, velocity z, or a turn about x or y",
                     name);
}


static rico_status check_body(const rico_bodies *bodies, const rico_bound_body *own)
{
    rico_context *ctx = bodies->ctx;
    const rico_body *body = &own->given;
    double turn[4];
    memcpy(turn, body->stand.orientation, sizeof turn);
    if (!finite(3, body->stand.position) || !finite(3, body->velocity) || !finite(3, body->spin))
        return rico_fail(ctx, RICO_BAD_INPUT, "body %s: position, velocity or spin is not finite", own->name);
    if (!rico_quaternion_normalise(turn))
        return rico_fail(ctx, RICO_BAD_INPUT, "body %s: its orientation is no quaternion", own->name);
    bool planar = bodies->dimension == 2;
    if (body->shape && body->shape->kind->info.planar != planar)
        return rico_fail(ctx, RICO_BAD_INPUT, "body %s is a %s, and that does not live in %d dimensions",
                         own->name, body->shape->kind->info.name, bodies->dimension);
    if (body->type == RICO_BODY_MOVED && !body->motion)
        return rico_fail(ctx, RICO_BAD_INPUT, "body %s is moved, but there is no motion", own->name);
    if (body->type == RICO_BODY_FREE && body->shape && !isfinite(body->shape->reach))
        return rico_fail(ctx, RICO_BAD_INPUT, "body %s is an endless %s and cannot be free", own->name,
                         body->shape->kind->info.name);
    rico_status status = check_material(bodies, body->material);
    if (status == RICO_OK && planar) status = check_plane(ctx, own->name, body);
    return status;
}


static rico_status begin_body(const rico_bodies *bodies, const rico_body *body, rico_bound_body *own)
{
    char number[32];
    snprintf(number, sizeof number, "body-%lld", (long long)bodies->count + 1);
    *own = (rico_bound_body){.given = *body, .q = -1, .v = -1, .item = -1};
    own->name = rico_model_copy_text(bodies->ctx, body->name ? body->name : number);
    if (!own->name) return RICO_NO_MEMORY;
    own->given.name = own->name;
    own->first_feature = (uint32_t)bodies->features;
    rico_status status = check_body(bodies, own);
    rico_quaternion_normalise(own->given.stand.orientation);
    if (status == RICO_OK && body->type == RICO_BODY_FREE) status = set_mass(bodies, own);
    uint64_t features = bodies->features + (body->shape ? body->shape->features : 0);
    if (status == RICO_OK && features > UINT32_MAX)
        status = rico_fail(bodies->ctx, RICO_BAD_INPUT,
                           "body %s: all shapes together have more than 2^32 features", own->name);
    return status;
}


rico_status rico_bodies_add(rico_bodies *bodies, const rico_body *body, int64_t *index)
{
    rico_context *ctx = bodies->ctx;
    rico_status status = still_open(bodies);
    if (status != RICO_OK) return status;
    rico_bound_body *list = rico_model_room(ctx, bodies->body, bodies->count, &bodies->room, sizeof *list),
                    own;
    if (!list) return RICO_NO_MEMORY;
    bodies->body = list;
    status = begin_body(bodies, body, &own);
    if (status != RICO_OK) {
        rico_free(ctx, own.name);
        return status;
    }
    if (body->type == RICO_BODY_FREE) {
        own.item = bodies->free++;
        own.q = own.item * bodies->q_size;
        own.v = own.item * bodies->v_size;
    }
    bodies->features += body->shape ? body->shape->features : 0;
    if (index) *index = bodies->count;
    list[bodies->count++] = own;
    return RICO_OK;
}


static rico_status check_index(const rico_bodies *bodies, const char *what, int64_t body)
{
    if (body >= -1 && body < bodies->count) return RICO_OK;
    return rico_fail(bodies->ctx, RICO_BAD_ARGUMENT, "%s: there is no body %lld, there are %lld", what,
                     (long long)body, (long long)bodies->count);
}


rico_status rico_bodies_add_spring(rico_bodies *bodies, const rico_body_spring *spring)
{
    rico_context *ctx = bodies->ctx;
    const char *name = spring->name ? spring->name : "spring";
    rico_status status = still_open(bodies);
    if (status == RICO_OK) status = check_index(bodies, name, spring->a);
    if (status == RICO_OK) status = check_index(bodies, name, spring->b);
    if (status != RICO_OK) return status;
    if (spring->a == spring->b) return rico_fail(ctx, RICO_BAD_ARGUMENT, "%s joins a body to itself", name);
    const double number[] = {spring->stiffness, spring->damping, spring->rest};
    if (!finite(3, number) || !finite(3, spring->on_a) || !finite(3, spring->on_b) || number[0] < 0.0 ||
        number[1] < 0.0 || number[2] < 0.0)
        return rico_fail(ctx, RICO_BAD_INPUT,
                         "%s: stiffness = %g, damping = %g and rest = %g must be finite and not negative",
                         name, number[0], number[1], number[2]);
    rico_bound_spring *list =
        rico_model_room(ctx, bodies->spring, bodies->spring_count, &bodies->spring_room, sizeof *list);
    if (!list) return RICO_NO_MEMORY;
    bodies->spring = list;
    list[bodies->spring_count] = (rico_bound_spring){rico_model_copy_text(ctx, name), *spring};
    if (!list[bodies->spring_count].name) return RICO_NO_MEMORY;
    bodies->spring_count++;
    return RICO_OK;
}


rico_status rico_bodies_exclude(rico_bodies *bodies, int64_t a, int64_t b)
{
    rico_status status = still_open(bodies);
    if (status == RICO_OK) status = check_index(bodies, "exclusion", a);
    if (status == RICO_OK) status = check_index(bodies, "exclusion", b);
    if (status != RICO_OK) return status;
    int64_t *list = bodies->exclusion, count = 2 * bodies->exclusion_count;
    if (count == bodies->exclusion_room) {
        list = rico_grow(bodies->ctx, list, count, 2 * count + 8, sizeof *list);
        if (!list) return RICO_NO_MEMORY;
        bodies->exclusion = list;
        bodies->exclusion_room = 2 * count + 8;
    }
    list[2 * bodies->exclusion_count] = a < b ? a : b;
    list[2 * bodies->exclusion_count + 1] = a < b ? b : a;
    bodies->exclusion_count++;
    return RICO_OK;
}


// --- what one can ask ----------------------------------------------------------------------------------------------

int64_t rico_bodies_count(const rico_bodies *bodies)
{
    return bodies->count;
}


const char *rico_bodies_name(const rico_bodies *bodies, int64_t body)
{
    return bodies->body[body].name;
}


int64_t rico_bodies_find(const rico_bodies *bodies, const char *name)
{
    for (int64_t i = 0; i < bodies->count; i++)
        if (strcmp(bodies->body[i].name, name) == 0) return i;
    return -1;
}


const rico_shape *rico_bodies_shape(const rico_bodies *bodies, int64_t body)
{
    return bodies->body[body].given.shape;
}


rico_body_type rico_bodies_type(const rico_bodies *bodies, int64_t body)
{
    return bodies->body[body].given.type;
}


int64_t rico_bodies_position(const rico_bodies *bodies, int64_t body)
{
    return bodies->body[body].q;
}


int64_t rico_bodies_velocity(const rico_bodies *bodies, int64_t body)
{
    return bodies->body[body].v;
}


double rico_bodies_mass(const rico_bodies *bodies, int64_t body)
{
    return bodies->body[body].mass;
}


rico_point rico_bodies_point(const rico_bodies *bodies, int64_t part, int64_t body, const double own[3])
{
    const rico_bound_body *of = &bodies->body[body];
    rico_point point = {.part = of->item >= 0 ? part : -1, .item = of->item >= 0 ? of->item : 0};
    rico_pose pose;
    if (of->item >= 0)
        rico_vec3_subtract(own, of->center, point.local);
    else if (rico_bodies_pose(bodies, of, 0.0, NULL, &pose))
        rico_pose_point(&pose, own, point.local);
    return point;
}


// The body that a feature belongs to: the last one whose features begin at it or before.
static int64_t owner(const rico_bodies *bodies, uint32_t feature)
{
    int64_t low = 0, high = bodies->count;
    while (high - low > 1) {
        int64_t middle = (low + high) / 2;
        if (bodies->body[middle].first_feature <= feature)
            low = middle;
        else
            high = middle;
    }
    // bodies without a shape have no features: the owner is the first of those that begin here that has one
    while (low > 0 && !bodies->body[low].given.shape) low--;
    return low;
}


void rico_bodies_contact(const rico_bodies *bodies, uint64_t key, int64_t *body_a, int64_t *body_b,
                         uint32_t *feature_a, uint32_t *feature_b)
{
    uint32_t a = (uint32_t)(key >> 32), b = (uint32_t)key;
    *body_a = owner(bodies, a);
    *body_b = owner(bodies, b);
    *feature_a = a - bodies->body[*body_a].first_feature;
    *feature_b = b - bodies->body[*body_b].first_feature;
}
