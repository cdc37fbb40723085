// Rigid bodies of a scene: materials, bodies and their copies, springs between them.
//
// Shapes are built first: they say whether the scene lies in the plane, and with that how many numbers a position has.

#include "scene/scene_bodies.h"

#include "scene/scene_friction.h"

#include "base/suggest.h"
#include "model/bodies_look.h"
#include "scene/document_build.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

rico_status rico_scene_keep(rico_context *ctx, void *list, int64_t *count, int64_t *room, void *item)
{
    void ***items = list;
    if (*count == *room) {
        void **grown = rico_grow(ctx, *items, *count, 2 * *room + 8, sizeof *grown);
        if (!grown) return RICO_NO_MEMORY;
        *items = grown;
        *room = 2 * *room + 8;
    }
    (*items)[(*count)++] = item;
    return RICO_OK;
}


void rico_scene_bodies_destroy(rico_scene_bodies *bodies)
{
    if (!bodies) return;
    rico_context *ctx = bodies->scene->ctx;
    rico_bodies_destroy(bodies->set);
    for (int64_t i = bodies->shape_count - 1; i >= 0; i--) rico_shape_destroy(bodies->shape[i]);
    for (int64_t i = 0; i < bodies->formulas_count; i++) rico_body_formulas_destroy(ctx, bodies->formulas[i]);
    for (int64_t i = 0; i < bodies->user_count; i++) rico_free(ctx, bodies->user[i]);
    for (int64_t i = 0; i < bodies->beam_count; i++) rico_scene_beam_destroy(ctx, bodies->beam[i]);
    for (int64_t i = 0; i < bodies->drive_count; i++) rico_joint_drive_destroy(ctx, bodies->drive[i]);
    void *all[] = {(void *)bodies->shape, (void *)bodies->formulas, (void *)bodies->user,
                   (void *)bodies->drive, (void *)bodies->beam,     (void *)bodies->node,
                   bodies->free};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(ctx, all[i]);
    rico_free(ctx, bodies);
}


// --- materials -----------------------------------------------------------------------------------------------------

static rico_status read_law(const rico_scene_bodies *bodies, const rico_node *node, rico_contact_law *law)
{
    rico_scene *scene = bodies->scene;
    const struct {
        const char *key;
        double *value;
    } all[] = {
        {"restitution", &law->restitution}, {"stiffness", &law->stiffness}, {"exponent", &law->exponent}};
    rico_friction_place place = bodies->dimension == 2 ? RICO_FRICTION_PLANE : RICO_FRICTION_SPACE;
    rico_status status = rico_scene_read_friction(scene, rico_node_at(node, "friction"), place,
                                                  &law->friction, &law->friction_law);
    for (size_t i = 0; status == RICO_OK && i < sizeof all / sizeof *all; i++)
        status = rico_document_real(scene->document, rico_node_at(node, all[i].key), all[i].value);
    return status;
}


// The material of that name; an unknown one is refused with the nearest known.
static rico_status find_material(rico_scene_bodies *bodies, const rico_node *node, int *index)
{
    const char *name;
    rico_suggestion near;
    char hint[RICO_SUGGEST_SENTENCE];
    rico_suggest_start(&near, node->text);
    for (*index = 0; (name = rico_bodies_material(bodies->set, *index)); (*index)++) {
        if (strcmp(name, node->text) == 0) return RICO_OK;
        rico_suggest_offer(&near, name);
    }
    return rico_document_fail(bodies->scene->document, node, "there is no material '%.60s'%s", node->text,
                              rico_suggest_sentence(&near, "", hint));
}


static rico_status build_materials(rico_scene_bodies *bodies, const rico_node *root)
{
    rico_scene *scene = bodies->scene;
    const rico_node *materials = rico_node_at(root, "materials"), *pairs = rico_node_at(root, "pairs");
    rico_status status = RICO_OK;
    for (const rico_node *child = materials ? materials->first : NULL; status == RICO_OK && child;
         child = child->next) {
        rico_contact_law law;
        status = read_law(bodies, child, &law);
        if (status == RICO_OK) status = rico_bodies_set_material(bodies->set, child->key, law, NULL);
        status = rico_scene_place(scene, child, status);
    }
    for (const rico_node *child = pairs ? pairs->first : NULL; status == RICO_OK && child;
         child = child->next) {
        const rico_node *between = rico_node_at(child, "between");
        rico_contact_law law;
        int a, b;
        status = read_law(bodies, child, &law);
        if (status == RICO_OK) status = find_material(bodies, between->first, &a);
        if (status == RICO_OK) status = find_material(bodies, between->last, &b);
        if (status == RICO_OK) status = rico_bodies_set_pair(bodies->set, a, b, law);
    }
    return status;
}


// --- one body --------------------------------------------------------------------------------------------------------

// The bit of a group's name, which becomes known by being mentioned.
static rico_status find_group(rico_scene_bodies *bodies, const rico_node *node, uint32_t *bit)
{
    int at = 0;
    while (at < bodies->group_count && strcmp(bodies->group[at], node->text) != 0) at++;
    if (at == RICO_BODY_GROUPS)
        return rico_document_fail(bodies->scene->document, node, "there are more than %d groups",
                                  RICO_BODY_GROUPS - 1);
    if (at == bodies->group_count) bodies->group[bodies->group_count++] = node->text;
    *bit = UINT32_C(1) << at;
    return RICO_OK;
}


static rico_status read_filter(rico_scene_bodies *bodies, const rico_node *node, rico_body *body)
{
    const rico_node *group = rico_node_at(node, "group"), *meets = rico_node_at(node, "meets");
    rico_status status = group ? find_group(bodies, group, &body->group) : RICO_OK;
    if (status != RICO_OK || !meets) return status;
    body->meets = 0;
    for (const rico_node *child = meets->first; status == RICO_OK && child; child = child->next) {
        uint32_t bit = 0;
        status = find_group(bodies, child, &bit);
        if (status == RICO_OK) body->meets |= bit;
    }
    return status;
}


rico_status rico_scene_read_meeting(rico_scene_bodies *bodies, const rico_node *node, rico_body *body)
{
    rico_status status = find_material(bodies, rico_node_at(node, "material"), &body->material);
    return status == RICO_OK ? read_filter(bodies, node, body) : status;
}


// Three numbers (a diagonal), three rows of three, or in the plane one number.
static rico_status read_inertia(rico_scene_bodies *bodies, const rico_node *node, double inertia[9])
{
    rico_scene *scene = bodies->scene;
    if (bodies->dimension == 2) return rico_document_real(scene->document, node, &inertia[8]);
    rico_status status = RICO_OK;
    if (node->kind == RICO_NODE_LIST && node->first && node->first->kind == RICO_NODE_LIST) {
        int row = 0;
        if (node->count != 3)
            return rico_document_fail(scene->document, node, "'inertia' has %lld rows, expected 3",
                                      (long long)node->count);
        for (const rico_node *child = node->first; status == RICO_OK && child; child = child->next)
            status = rico_scene_read_vector(scene, child, 3, inertia + 3 * row++);
        return status;
    }
    double diagonal[3];
    if (node->kind != RICO_NODE_LIST)
        return rico_document_fail(scene->document, node,
                                  "'inertia' must be three numbers, or three rows of three");
    status = rico_scene_read_vector(scene, node, 3, diagonal);
    for (int i = 0; status == RICO_OK && i < 3; i++) inertia[4 * i] = diagonal[i];
    return status;
}


static rico_status read_mass(rico_scene_bodies *bodies, const rico_node *node, rico_body *body)
{
    rico_document *document = bodies->scene->document;
    const rico_node *density = rico_node_at(node, "density"), *mass = rico_node_at(node, "mass"),
                    *center = rico_node_at(node, "center"), *inertia = rico_node_at(node, "inertia");
    rico_status status = RICO_OK;
    if (density && mass)
        return rico_document_fail_key(document, mass,
                                      "'mass' and 'density' (line %lld) exclude each other; keep one",
                                      (long long)density->key_line);
    if ((inertia && !mass) || (center && !inertia))
        return rico_document_fail_key(document, inertia ? inertia : center, "'%s' needs '%s'",
                                      inertia ? "inertia" : "center",
                                      inertia ? "mass" : "inertia' and 'mass");
    if (body->type == RICO_BODY_FREE && !density && !mass)
        return rico_document_fail_key(
            document, node, "body '%s' has no mass; add 'density: ...' or 'mass: ...', or 'fixed: true'",
            node->key);
    if (density) status = rico_document_real(document, density, &body->density);
    if (status == RICO_OK && mass) status = rico_document_real(document, mass, &body->mass);
    if (status == RICO_OK && center)
        status = rico_scene_read_vector(bodies->scene, center, bodies->dimension, body->center);
    if (status == RICO_OK && inertia) status = read_inertia(bodies, inertia, body->inertia);
    body->has_inertia = inertia != NULL;
    return status;
}


rico_status rico_scene_read_velocity(rico_scene_bodies *bodies, const rico_node *node, rico_body *body)
{
    rico_scene *scene = bodies->scene;
    const rico_node *velocity = rico_node_at(node, "velocity"), *spin = rico_node_at(node, "spin");
    rico_status status = RICO_OK;
    if ((velocity || spin) && body->type != RICO_BODY_FREE)
        return rico_document_fail_key(scene->document, velocity ? velocity : spin,
                                      "body '%s' is %s: '%s' belongs to a free one", node->key,
                                      body->type == RICO_BODY_FIXED ? "fixed" : "moved by its 'motion'",
                                      velocity ? "velocity" : "spin");
    if (velocity) status = rico_scene_read_vector(scene, velocity, bodies->dimension, body->velocity);
    if (status != RICO_OK || !spin) return status;
    if (bodies->dimension == 2) return rico_document_real(scene->document, spin, &body->spin[2]);
    return rico_scene_read_vector(scene, spin, 3, body->spin);
}


// All but the shape and the copies.
static rico_status read_body(rico_scene_bodies *bodies, rico_node *node, rico_body *body)
{
    rico_scene *scene = bodies->scene;
    const rico_node *motion = rico_node_at(node, "motion");
    const rico_node *pushed =
        rico_node_at(node, "force") ? rico_node_at(node, "force") : rico_node_at(node, "torque");
    bool fixed;
    rico_status status = rico_document_flag(scene->document, rico_node_at(node, "fixed"), &fixed);
    if (status != RICO_OK) return status;
    if (fixed && motion)
        return rico_document_fail_key(scene->document, motion,
                                      "a body that is fixed has no 'motion'; keep one");
    if (pushed && (fixed || motion))
        return rico_document_fail_key(scene->document, pushed, "'%s' means nothing to a body that is %s",
                                      pushed->key, fixed ? "fixed" : "moved");
    body->type = fixed ? RICO_BODY_FIXED : motion ? RICO_BODY_MOVED : RICO_BODY_FREE;
    status = rico_scene_read_meeting(bodies, node, body);
    if (status == RICO_OK)
        status = rico_document_flag(scene->document, rico_node_at(node, "sensor"), &body->sensor);
    if (status == RICO_OK) status = rico_scene_read_stand(scene, node, bodies->dimension, &body->stand);
    if (status == RICO_OK) status = rico_scene_read_velocity(bodies, node, body);
    if (status == RICO_OK) status = read_mass(bodies, node, body);
    return status;
}


static rico_status add_body(rico_scene_bodies *bodies, rico_node *node, const rico_body_formulas *formulas,
                            const char *name, rico_body body)
{
    body.name = name;
    rico_status status = rico_body_formulas_use(bodies, formulas, &body);
    if (status == RICO_OK) status = rico_bodies_add(bodies->set, &body, NULL);
    if (status == RICO_OK)
        status =
            rico_scene_keep(bodies->scene->ctx, (void *)&bodies->node, &bodies->count, &bodies->room, node);
    return rico_scene_place(bodies->scene, node, status);
}


// What a block of a structure has of its own; its mass is that of unit density times the density, or the mass that is given.
static void use_block(const rico_stone *block, rico_body *body)
{
    body->shape = block->shape;
    if (block->fixed) {
        const rico_body still = rico_body_default();
        body->type = RICO_BODY_FIXED;
        memcpy(body->velocity, still.velocity, sizeof body->velocity);
        memcpy(body->spin, still.spin, sizeof body->spin);
        return;
    }
    if (!block->given || body->type != RICO_BODY_FREE || body->has_inertia) return;
    double scale = body->mass > 0.0 ? body->mass / block->solid.mass : body->density;
    body->mass = scale * block->solid.mass;
    body->density = 0.0;
    body->has_inertia = true;
    memcpy(body->center, block->solid.center, sizeof body->center);
    for (int i = 0; i < 9; i++) body->inertia[i] = scale * block->solid.inertia[i];
}


static rico_status add_copies(rico_scene_bodies *bodies, rico_node *node, const rico_body_formulas *formulas,
                              const rico_body *body)
{
    rico_copies copies;
    int64_t first = bodies->count, number = 0;
    rico_status status = rico_scene_generate(bodies, rico_node_at(node, "copies"), body->shape, &copies);
    for (int64_t i = 0; status == RICO_OK && i < copies.count; i++) {
        char name[RICO_SCENE_NAME];
        const rico_stone *block = copies.block ? &copies.block[i] : NULL;
        rico_body one = *body;
        one.shape = copies.shape;
        if (block) use_block(block, &one);
        one.stand = rico_stand_within(&body->stand, &copies.stand[i]);
        if (block && block->number > 0)
            snprintf(name, sizeof name, "%.60s-%s-%lld", node->key, block->called, (long long)block->number);
        else if (block && block->called)
            snprintf(name, sizeof name, "%.60s-%s", node->key, block->called);
        else
            snprintf(name, sizeof name, "%.60s-%lld", node->key, (long long)++number);
        status = add_body(bodies, node, block && block->fixed ? NULL : formulas, name, one);
    }
    for (int64_t i = 0; status == RICO_OK && i < copies.apart_count; i++)
        status = rico_bodies_exclude(bodies->set, first + copies.apart[i][0], first + copies.apart[i][1]);
    rico_copies_release(bodies->scene->ctx, &copies);
    return status;
}


static rico_status build_body(rico_scene_bodies *bodies, rico_node *node, const rico_shape *shape)
{
    rico_body body = rico_body_default();
    rico_body_formulas *formulas = NULL;
    rico_status status = read_body(bodies, node, &body);
    if (status == RICO_OK) status = rico_body_formulas_read(bodies, node, &formulas);
    if (status != RICO_OK) return status;
    body.shape = shape;
    if (rico_node_at(node, "copies")) return add_copies(bodies, node, formulas, &body);
    return add_body(bodies, node, formulas, node->key, body);
}


// --- all bodies ------------------------------------------------------------------------------------------------------

// Without any shape, beams or gravity may tell how many axes there are.
static rico_status choose_dimension(rico_scene_bodies *bodies, const rico_node *root)
{
    const rico_node *gravity = rico_node_at(root, "gravity");
    double g[3];
    if (bodies->dimension == 0) bodies->dimension = rico_scene_beam_dimension(root);
    if (bodies->dimension == 0) bodies->dimension = gravity ? (int)gravity->count : 3;
    rico_status status = rico_bodies_create(bodies->scene->ctx, bodies->dimension, &bodies->set);
    if (status == RICO_OK && gravity) {
        status = rico_scene_read_vector(bodies->scene, gravity, bodies->dimension, g);
        if (status == RICO_OK) status = rico_bodies_set_gravity(bodies->set, g);
    }
    return status;
}


static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}


// Copies may clash with a body that is named like one.
static rico_status check_names(rico_scene_bodies *bodies)
{
    rico_scene *scene = bodies->scene;
    const char **name = rico_alloc(scene->ctx, bodies->count, sizeof *name);
    if (!name) return RICO_NO_MEMORY;
    for (int64_t i = 0; i < bodies->count; i++) name[i] = rico_bodies_name(bodies->set, i);
    qsort((void *)name, (size_t)bodies->count, sizeof *name, by_name);
    rico_status status = RICO_OK;
    for (int64_t i = 1; status == RICO_OK && i < bodies->count; i++)
        if (strcmp(name[i - 1], name[i]) == 0)
            status =
                rico_document_fail_key(scene->document, bodies->node[rico_bodies_find(bodies->set, name[i])],
                                       "two bodies are called '%.60s'; rename one of them", name[i]);
    rico_free(scene->ctx, (void *)name);
    return status;
}


// Which body has the k-th place among the positions.
static rico_status list_free(rico_scene_bodies *bodies)
{
    bodies->free = rico_alloc(bodies->scene->ctx, rico_bodies_free_count(bodies->set), sizeof *bodies->free);
    if (!bodies->free) return RICO_NO_MEMORY;
    int64_t at = 0;
    for (int64_t i = 0; i < bodies->count; i++)
        if (rico_bodies_type(bodies->set, i) == RICO_BODY_FREE) bodies->free[at++] = i;
    return RICO_OK;
}


rico_status rico_scene_find_body(const rico_scene_bodies *bodies, const rico_node *name, int64_t *body)
{
    if (strchr(name->text, '@')) return rico_scene_find_node(bodies, name, body);
    *body = strcmp(name->text, "world") == 0 ? -1 : rico_bodies_find(bodies->set, name->text);
    if (*body < 0 && strcmp(name->text, "world") != 0) {
        rico_suggestion near;
        char hint[RICO_SUGGEST_SENTENCE];
        rico_suggest_start(&near, name->text);
        for (int64_t i = 0; i < bodies->count; i++)
            rico_suggest_offer(&near, rico_bodies_name(bodies->set, i));
        return rico_document_fail(bodies->scene->document, name, "there is no body '%.60s'%s", name->text,
                                  rico_suggest_sentence(&near, "", hint));
    }
    return RICO_OK;
}


// A point of a body in its own axes; of the world where no body is named.
static rico_status read_end(rico_scene_bodies *bodies, const rico_node *name, const rico_node *at,
                            int64_t *body, double on[3])
{
    for (int i = 0; i < 3; i++) on[i] = 0.0;
    rico_status status = rico_scene_find_body(bodies, name, body);
    return status == RICO_OK && at ? rico_scene_read_vector(bodies->scene, at, bodies->dimension, on)
                                   : status;
}


static rico_status check_law(rico_scene_bodies *bodies, const rico_node *node)
{
    static const char *const OTHERS[] = {"stiffness", "damping", "rest"};
    const rico_node *law = rico_node_at(node, "law");
    for (int i = 0; law && i < 3; i++) {
        const rico_node *other = rico_node_at(node, OTHERS[i]);
        double value = 0.0;
        rico_status status = rico_document_real(bodies->scene->document, other, &value);
        if (status != RICO_OK) return status;
        if (value != 0.0)
            return rico_document_fail_key(bodies->scene->document, law,
                                          "spring '%s' has a law and '%s'; give one or the other", node->key,
                                          OTHERS[i]);
    }
    return RICO_OK;
}


// Those with a law act on bodies that are in the system already.
static rico_status build_spring(rico_scene_bodies *bodies, const rico_node *node, bool laws)
{
    rico_scene *scene = bodies->scene;
    const rico_node *between = rico_node_at(node, "between"), *at = rico_node_at(node, "at");
    rico_body_spring spring = {.name = node->key};
    if (at && (at->kind != RICO_NODE_LIST || at->count != 2))
        return rico_document_fail(scene->document, at,
                                  "'at' must be two points, one of each body in its own axes");
    rico_status status = read_end(bodies, between->first, at ? at->first : NULL, &spring.a, spring.on_a);
    if (status == RICO_OK)
        status = read_end(bodies, between->last, at ? at->last : NULL, &spring.b, spring.on_b);
    if (status == RICO_OK) status = check_law(bodies, node);
    if (status == RICO_OK && laws)
        return rico_scene_place(scene, node, rico_scene_build_span(bodies, node, &spring));
    if (status == RICO_OK)
        status = rico_document_real(scene->document, rico_node_at(node, "rest"), &spring.rest);
    if (status == RICO_OK)
        status = rico_document_real(scene->document, rico_node_at(node, "stiffness"), &spring.stiffness);
    if (status == RICO_OK)
        status = rico_document_real(scene->document, rico_node_at(node, "damping"), &spring.damping);
    if (status == RICO_OK) status = rico_bodies_add_spring(bodies->set, &spring);
    return rico_scene_place(scene, node, status);
}


static rico_status build_springs(rico_scene_bodies *bodies, const rico_node *root, bool laws)
{
    const rico_node *springs = rico_node_at(root, "springs");
    rico_status status = RICO_OK;
    for (const rico_node *child = springs ? springs->first : NULL; status == RICO_OK && child;
         child = child->next)
        if (rico_node_at(child, "between") && (rico_node_at(child, "law") != NULL) == laws)
            status = build_spring(bodies, child, laws);
    return status;
}


static rico_status build_all(rico_scene_bodies *bodies, rico_node *root, rico_node *list,
                             const rico_shape **shape)
{
    rico_status status = RICO_OK;
    int64_t k = 0;
    for (rico_node *child = list ? list->first : NULL; status == RICO_OK && child; child = child->next, k++)
        if (rico_node_at(child, "shape"))
            status = rico_scene_build_shape(bodies, rico_node_at(child, "shape"), &shape[k]);
    if (status == RICO_OK) status = choose_dimension(bodies, root);
    if (status == RICO_OK) status = build_materials(bodies, root);
    k = 0;
    for (rico_node *child = list ? list->first : NULL; status == RICO_OK && child; child = child->next, k++)
        status = build_body(bodies, child, shape[k]);
    if (status == RICO_OK) status = rico_scene_build_beams(bodies, root);
    if (status == RICO_OK) status = check_names(bodies);
    if (status == RICO_OK && rico_bodies_free_count(bodies->set) == 0 && bodies->scene->part_count == 0 &&
        !bodies->scene->elastics)
        status = rico_document_fail_key(bodies->scene->document, list ? list : root,
                                        "nothing moves in the scene: no body is free");
    if (status == RICO_OK) status = list_free(bodies);
    if (status == RICO_OK) status = build_springs(bodies, root, false);
    if (status == RICO_OK) status = rico_scene_exclude_joined(bodies, root);
    return status;
}


// Keys that belong to bodies, in a scene that has none.
static rico_status refuse_orphans(rico_scene *scene, const rico_node *root)
{
    static const char *const KEYS[] = {"materials", "pairs", "apart", "gravity"};
    size_t keys = rico_node_at(root, "elastic") ? 3 : 4; // gravity acts on elastic parts too
    const rico_node *springs = rico_node_at(root, "springs"), *orphan = NULL;
    for (size_t i = 0; i < keys && !orphan; i++) orphan = rico_node_at(root, KEYS[i]);
    for (const rico_node *child = springs ? springs->first : NULL; child && !orphan; child = child->next)
        orphan = rico_node_at(child, "between");
    if (!orphan) return RICO_OK;
    return rico_document_fail_key(scene->document, orphan,
                                  "'%s' belongs to bodies, and the scene has none; add "
                                  "'bodies: ...' or remove it",
                                  orphan->key);
}


rico_status rico_scene_build_bodies(rico_scene *scene, rico_node *root)
{
    rico_node *list = rico_node_at(root, "bodies"), *beams = rico_node_at(root, "beams");
    if (!list && !beams) return refuse_orphans(scene, root);
    rico_scene_bodies *bodies = rico_alloc(scene->ctx, 1, sizeof *bodies);
    if (!bodies) return RICO_NO_MEMORY;
    bodies->scene = scene;
    bodies->group[bodies->group_count++] = "";
    scene->bodies = bodies;
    const rico_shape **shape = rico_alloc(scene->ctx, list ? list->count : 1, sizeof(rico_shape *));
    rico_status status = shape ? build_all(bodies, root, list, shape) : RICO_NO_MEMORY;
    rico_free(scene->ctx, (void *)shape);
    bodies->source = rico_system_sources(scene->system);
    if (status == RICO_OK)
        status = rico_system_add_bodies(scene->system, "bodies", bodies->set, &bodies->place);
    if (status == RICO_OK) status = rico_scene_pin_beams(bodies);
    if (status == RICO_OK) status = build_springs(bodies, root, true);
    return rico_scene_place(scene, list ? list : beams, status);
}


const rico_bodies *rico_scene_body_set(const rico_scene *scene, rico_place *place, int64_t *source)
{
    if (!scene->bodies) return NULL;
    if (place) *place = scene->bodies->place;
    if (source) *source = scene->bodies->source;
    return scene->bodies->set;
}


// --- names -----------------------------------------------------------------------------------------------------------

bool rico_scene_body_coordinate(const rico_scene_bodies *bodies, int64_t index, bool velocity,
                                char name[RICO_SCENE_NAME])
{
    static const char *const SPACE_Q[] = {"x", "y", "z", "q0", "q1", "q2", "q3"},
                             *const SPACE_V[] = {"v_x", "v_y", "v_z", "w_x", "w_y", "w_z"},
                             *const PLANE_Q[] = {"x", "y", "angle"}, *const PLANE_V[] = {"v_x", "v_y", "w"};
    if (!bodies) return false;
    const rico_place *place = &bodies->place;
    int64_t i = index - (velocity ? place->v : place->q);
    if (i < 0 || i >= (velocity ? place->v_size : place->q_size)) return false;
    int q_size, v_size;
    rico_bodies_sizes(bodies->set, &q_size, &v_size);
    int size = velocity ? v_size : q_size;
    const char *const *of =
        bodies->dimension == 2 ? (velocity ? PLANE_V : PLANE_Q) : (velocity ? SPACE_V : SPACE_Q);
    snprintf(name, RICO_SCENE_NAME, "%.80s.%s", rico_bodies_name(bodies->set, bodies->free[i / size]),
             of[i % size]);
    return true;
}
