// Contact of meshes: sides, memory, and what goes with every contact of a node.

#include "model/touch.h"
#include "model/bodies.h"

#include "model/add.h"
#include "model/assembly.h"
#include "model/contact_frame.h"

#include <math.h>
#include <string.h>

// Gaps up to this share of a face are looked at, whatever moves; and a step's motion counts twice, since velocities change in it.
static const double NEAR = 0.25, MOTION = 2.0;

// What is less than this of the products of other rows is nothing.
static const double HELD = 1e-14;

static const double WORLD[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};


int64_t rico_touch_node(uint64_t key, bool *second)
{
    if (second) *second = key >> 63 != 0;
    return (int64_t)((key & ~(UINT64_C(1) << 63)) >> 31);
}


// --- adding --------------------------------------------------------------------------------------------------------

// Every node must be a point of the part.
static rico_status check_nodes(rico_bound_touch *touch, const rico_touch_side *given,
                               const rico_touch_nodes *own)
{
    const rico_system *system = touch->system;
    const rico_point world = {.part = -1}, any = {.part = given->part};
    int64_t count = 0, *dof = rico_alloc(touch->ctx, rico_points_reach(system, &any, &world), sizeof *dof);
    rico_status status = dof ? RICO_OK : RICO_NO_MEMORY;
    for (int64_t k = 0; status == RICO_OK && k < own->count; k++) {
        const rico_point point = {.part = given->part, .item = own->node[k]};
        status = rico_points_dofs(system, touch->ctx, touch->name, &point, &world, &count, dof);
    }
    rico_free(touch->ctx, dof);
    return status;
}


// Where nodes stand while nothing is displaced: a part of displacements may have turned and shifted its mesh; others take it as it is made.
static rico_status undeformed(const rico_bound_touch *touch, const rico_mesh *mesh, rico_touch_nodes *own)
{
    rico_context *ctx = touch->ctx;
    const rico_part *part = touch->system->part[own->part];
    double *still = rico_alloc(ctx, part->place.q_size, sizeof *still);
    own->place = rico_alloc(ctx, 3 * own->count, sizeof *own->place);
    rico_status status = still && own->place ? RICO_OK : RICO_NO_MEMORY;
    for (int64_t k = 0; status == RICO_OK && k < own->count; k++) {
        const rico_point point = {.part = own->part, .item = own->node[k]};
        rico_vec3_copy(mesh->position + 3 * own->node[k], own->place + 3 * k);
        if (part->extent > 0.0 && !part->kind->point(part, still, &point, own->place + 3 * k))
            status = rico_fail(ctx, RICO_BAD_INPUT, "the place of node %lld of part %s was refused",
                               (long long)own->node[k], part->name);
    }
    rico_free(ctx, still);
    return status;
}


static rico_status take_side(rico_bound_touch *touch, int which, const rico_touch_side *given,
                             const rico_skin_options *options)
{
    rico_context *ctx = touch->ctx;
    rico_touch_nodes *own = &touch->side[which];
    if (!given->mesh) return rico_fail(ctx, RICO_BAD_ARGUMENT, "contact %s has no mesh", touch->name);
    if (given->part < 0 || given->part >= touch->system->part_count)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "contact %s is of part %lld, but there are %lld",
                         touch->name, (long long)given->part, (long long)touch->system->part_count);
    own->part = given->part;
    rico_status status;
    if (options) {
        status = rico_skin_create(ctx, given->mesh, given->group, *options, &own->skin);
        own->node = own->skin.node;
        own->count = own->skin.nodes;
        own->size = own->skin.size;
    } else {
        status = rico_skin_nodes(ctx, given->mesh, given->group, &own->count, &own->own, &own->size);
        own->node = own->own;
    }
    if (status == RICO_OK) status = check_nodes(touch, given, own);
    if (status == RICO_OK && touch->small) status = undeformed(touch, given->mesh, own);
    return status == RICO_OK || status == RICO_NO_MEMORY ? status : rico_fail_in(ctx, status, touch->name);
}


static rico_status check_how(rico_context *ctx, const char *name, const rico_touch *how)
{
    const rico_contact same = {.dimension = rico_law_rubs(&how->law) ? 3 : 1,
                               .restitution = how->law.restitution,
                               .friction = how->law.friction,
                               .friction_law = how->law.friction_law,
                               .stiffness = how->law.stiffness,
                               .exponent = how->law.exponent};
    if (!(how->margin >= 0.0) || !isfinite(how->margin) || !(how->reach >= 0.0) || !isfinite(how->reach))
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "contact %s has a margin of %g and a reach of %g, expected 0 or more", name,
                         how->margin, how->reach);
    return rico_contact_check(ctx, name, &same);
}


rico_status rico_touch_begin(rico_system *system, const char *name, const rico_touch_side *side,
                             const rico_skin_options *options, const rico_touch *how, rico_bound_touch **out)
{
    rico_context *ctx = system->ctx;
    rico_status status = rico_system_open(system, name);
    if (status == RICO_OK) status = check_how(ctx, name, how);
    if (status == RICO_OK && rico_law_rubs(&how->law) && side->mesh && side->mesh->dimension == 1)
        status =
            rico_fail(ctx, RICO_BAD_ARGUMENT,
                      "contact %s has friction, but its mesh is of a line and moves along it alone", name);
    if (status != RICO_OK) return status;
    rico_bound_touch *touch = rico_alloc(ctx, 1, sizeof *touch);
    if (!touch) return RICO_NO_MEMORY;
    *touch = (rico_bound_touch){.ctx = ctx,
                                .system = system,
                                .dimension = side->mesh && side->mesh->dimension == 3 ? 3 : 2,
                                .law = how->law,
                                .margin = how->margin,
                                .reach = how->reach,
                                .small = how->small,
                                .name = rico_model_copy_text(ctx, name)};
    status = touch->name ? take_side(touch, SLAVE, side, options) : RICO_NO_MEMORY;
    if (status != RICO_OK) {
        rico_touch_destroy(touch);
        return status;
    }
    *out = touch;
    return RICO_OK;
}


rico_status rico_touch_second(rico_bound_touch *touch, const rico_touch_side *side,
                              const rico_skin_options *options)
{
    if (side->part == touch->side[SLAVE].part)
        return rico_fail(touch->ctx, RICO_UNSUPPORTED,
                         "contact %s is of part %s with itself: self-contact is not supported", touch->name,
                         touch->system->part[side->part]->name);
    if (side->mesh && (side->mesh->dimension == 3) != (touch->dimension == 3))
        return rico_fail(touch->ctx, RICO_BAD_ARGUMENT,
                         "contact %s is between a mesh of space and one of the plane", touch->name);
    return take_side(touch, MASTER, side, options);
}


rico_status rico_touch_add(rico_system *system, rico_bound_touch *touch, rico_contact_source source)
{
    double size = fmax(touch->side[SLAVE].size, touch->side[MASTER].size);
    rico_bound_touch **list = rico_model_room(system->ctx, system->touch, system->touch_count,
                                              &system->touch_room, sizeof(rico_bound_touch *));
    if (touch->margin == 0.0) touch->margin = NEAR * size;
    if (touch->reach == 0.0) touch->reach = size;
    if (list) system->touch = list;
    rico_status status = list ? rico_system_add_source(system, touch->name, &source) : RICO_NO_MEMORY;
    if (status == RICO_OK)
        list[system->touch_count++] = touch;
    else
        rico_touch_destroy(touch);
    return status;
}


void rico_touch_destroy(rico_bound_touch *touch)
{
    if (!touch) return;
    for (int s = 0; s < SIDES; s++) {
        rico_free(touch->ctx, touch->side[s].own);
        rico_free(touch->ctx, touch->side[s].place);
        rico_skin_destroy(&touch->side[s].skin);
    }
    rico_shape_destroy(touch->probe);
    rico_free(touch->ctx, touch->name);
    rico_free(touch->ctx, touch);
}


void rico_touches_destroy(rico_system *system)
{
    for (int64_t k = 0; k < system->touch_count; k++) rico_touch_destroy(system->touch[k]);
    rico_free(system->ctx, system->touch);
}


// --- memory --------------------------------------------------------------------------------------------------------

static void destroy(void *user, void *of)
{
    (void)user;
    rico_touch_memory *memory = of;
    rico_context *ctx = memory->ctx;
    for (int s = 0; s < SIDES; s++) {
        rico_free(ctx, memory->x[s]);
        rico_free(ctx, memory->v[s]);
        rico_skin_search_destroy(&memory->search[s]);
    }
    rico_mortar_destroy(&memory->mortar);
    rico_meeting_list_destroy(&memory->meetings);
    rico_free(ctx, memory->dof);
    rico_free(ctx, memory->rows);
    rico_free(ctx, memory->share);
    rico_free(ctx, memory);
    rico_context_destroy(ctx);
}


// Simulations on several threads share the source: each allocates through a context of its own.
static void *create(void *user)
{
    const rico_bound_touch *touch = user;
    rico_context *ctx = rico_context_sibling(touch->ctx);
    rico_touch_memory *memory = ctx ? rico_alloc(ctx, 1, sizeof *memory) : NULL;
    if (!memory) {
        rico_context_destroy(ctx);
        return NULL;
    }
    int64_t reach = 0;
    for (int64_t p = 0; p < touch->system->part_count; p++)
        if (touch->system->part[p]->point_reach > reach) reach = touch->system->part[p]->point_reach;
    memory->ctx = memory->meetings.ctx = ctx;
    memory->dof = rico_alloc(ctx, reach, sizeof *memory->dof);
    memory->rows = rico_alloc(ctx, 3 * reach, sizeof *memory->rows);
    bool whole = memory->dof && memory->rows;
    for (int s = 0; s < SIDES; s++) {
        const rico_touch_nodes *side = &touch->side[s];
        memory->x[s] = rico_alloc(ctx, 3 * side->count, sizeof(double));
        memory->v[s] = rico_alloc(ctx, 3 * side->count, sizeof(double));
        whole = whole && memory->x[s] && memory->v[s];
        if (whole && side->skin.ctx && !touch->mortar)
            whole = rico_skin_search_create(ctx, &side->skin, &memory->search[s]) == RICO_OK;
    }
    if (whole && touch->mortar)
        whole = rico_mortar_create(ctx, &touch->side[SLAVE].skin, &touch->side[MASTER].skin, touch->radial,
                                   &memory->mortar) == RICO_OK;
    if (whole) return memory;
    destroy(user, memory);
    return NULL;
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
    (void)user, (void)memory, (void)bytes;
    return size == 0;
}


rico_contact_source rico_touch_source(rico_bound_touch *touch)
{
    return (rico_contact_source){.create = create,
                                 .destroy = destroy,
                                 .state_size = state_size,
                                 .save = save,
                                 .load = load,
                                 .user = touch};
}


rico_contact_share *rico_touch_shares(rico_touch_memory *memory, int64_t count)
{
    if (count <= memory->share_room) return memory->share;
    rico_contact_share *grown =
        rico_grow(memory->ctx, memory->share, memory->share_room, 2 * count, sizeof *grown);
    if (!grown) return NULL;
    memory->share_room = 2 * count;
    return memory->share = grown;
}


// --- points --------------------------------------------------------------------------------------------------------

bool rico_touch_velocity(const rico_bound_touch *touch, rico_touch_memory *memory, const double *q,
                         const double *v, const rico_point *point, double out[3])
{
    rico_vec3_set(0.0, 0.0, 0.0, out);
    if (point->part < 0) return true;
    const rico_part *part = touch->system->part[point->part];
    int64_t reach = part->kind->point_reach(part, point, memory->dof);
    if (reach < 0 || !part->kind->point_rows(part, q + part->place.q, point, WORLD, 3, memory->rows))
        return false;
    for (int j = 0; j < 3; j++)
        for (int64_t i = 0; i < reach; i++)
            out[j] += memory->rows[i + j * reach] * v[part->place.v + memory->dof[i]];
    return true;
}


bool rico_touch_gather(const rico_bound_touch *touch, rico_touch_memory *memory, int side, const double *q,
                       const double *v)
{
    const rico_touch_nodes *own = &touch->side[side];
    for (int64_t k = 0; k < own->count; k++) {
        const rico_point point = {.part = own->part, .item = own->node[k]};
        if (!rico_point_at(touch->system, q, &point, memory->x[side] + 3 * k) ||
            !rico_touch_velocity(touch, memory, q, v, &point, memory->v[side] + 3 * k))
            return false;
    }
    return true;
}


const double *rico_touch_places(const rico_bound_touch *touch, const rico_touch_memory *memory, int side)
{
    return touch->small ? touch->side[side].place : memory->x[side];
}


double rico_touch_margin(const rico_bound_touch *touch, double h, const double velocity[3])
{
    return touch->margin + MOTION * h * rico_vec3_norm(velocity);
}


// Adds the products of the rows of a point along the axes of a contact, times weight^2.
static bool add_products(const rico_bound_touch *touch, rico_touch_memory *memory, const double *q,
                         const rico_point *point, const double *axes, int size, double weight, double G[9])
{
    if (point->part < 0 || weight == 0.0) return true;
    const rico_part *part = touch->system->part[point->part];
    int64_t reach = part->kind->point_reach(part, point, memory->dof);
    if (reach <= 0) return reach == 0;
    if (!part->kind->point_rows(part, q + part->place.q, point, axes, size, memory->rows)) return false;
    for (int j = 0; j < size; j++)
        for (int k = 0; k < size; k++)
            for (int64_t i = 0; i < reach; i++)
                G[3 * j + k] += weight * weight * memory->rows[i + j * reach] * memory->rows[i + k * reach];
    return true;
}


// Nodes are held along axes, by symmetry as a rule. Friction along an axis that nothing moves would be a row of zeros: the contact then
// has the free tangent alone, or none.
static void drop_held(const double G[9], rico_emitted *contact)
{
    double a = G[4], b = G[5], c = G[8], sum = a + c;
    double *one = contact->frame + 3, *two = contact->frame + 6, old[3];
    if (contact->dimension == 1) return;
    if (!(sum > HELD * G[0])) {
        contact->dimension = 1;
        contact->friction = 0.0;
    } else if (contact->dimension == 3 && a * c - b * b <= HELD * sum * sum) {
        double turn = 0.5 * atan2(2.0 * b, a - c), along = cos(turn), across = sin(turn);
        rico_vec3_copy(one, old);
        for (int i = 0; i < 3; i++) {
            one[i] = along * old[i] + across * two[i];
            two[i] = along * two[i] - across * old[i];
        }
        contact->dimension = 2;
    }
}


bool rico_touch_emit(const rico_bound_touch *touch, rico_touch_memory *memory, const double *q, int side,
                     int64_t k, rico_emitted *contact, rico_emission *out)
{
    double G[9] = {0.0};
    contact->b = (rico_point){.part = touch->side[side].part, .item = touch->side[side].node[k]};
    contact->dimension = rico_law_rubs(&touch->law) ? touch->dimension : 1;
    contact->restitution = touch->law.restitution;
    contact->friction = touch->law.friction;
    contact->friction_law = touch->law.friction_law;
    contact->stiffness = touch->law.stiffness;
    contact->exponent = touch->law.exponent;
    int size = contact->dimension;
    bool known = add_products(touch, memory, q, &contact->b, contact->frame, size, 1.0, G);
    if (contact->spread == 0)
        known = known && add_products(touch, memory, q, &contact->a, contact->frame, size, 1.0, G);
    for (int i = 0; known && i < contact->spread; i++) {
        const rico_point point = {.part = contact->a.part, .item = contact->share[i].item};
        known = add_products(touch, memory, q, &point, contact->frame, size, contact->share[i].weight, G);
    }
    if (!known) return false;
    if (!(G[0] > 0.0)) return true; // held on both sides
    drop_held(G, contact);
    return rico_emit(out, contact);
}
