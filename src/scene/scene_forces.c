// Springs, dampers and forces between parts, and forces of a matrix part that depend on its state.
//
// A spring of length l(t, q), rest length l0, stiffness k and damping c pulls with k (l - l0) + c dl/dt along grad l:
//
//     V = k (l - l0)^2 / 2,    f = -(k (l - l0) + c dl/dt) grad l.
//
// Where l moves by itself (t in it), its force is an applied one: the work of whoever moves it is booked.

#include "scene/document_build.h"
#include "scene/scene_bodies.h"
#include "scene/scene_force.h"

#include <stdio.h>
#include <string.h>

// --- springs -------------------------------------------------------------------------------------------------------

static rico_term apply(const rico_force_builder *b, rico_operation code, rico_term x, rico_term y)
{
    return rico_graph_apply(b->graph, code, x, y);
}


// Shares along the gradient of the length: the pull of the spring, that of the damper, or both together where t moves it.
static rico_status share_spring(rico_force_builder *b, rico_term length, double k, double rest, double c)
{
    rico_graph *graph = b->graph;
    int64_t count;
    const int64_t *variable;
    const rico_term *slope;
    rico_term stretch = apply(b, RICO_DO_SUBTRACT, length, rico_graph_constant(graph, rest)),
              rate = RICO_TERM_ZERO;
    rico_graph_gradient(graph, length, 0, b->force->slot_count, &count, &variable, &slope);
    bool moves = count > 0 && variable[0] == 0;
    int64_t *own = rico_alloc(b->scene->ctx, count, sizeof *own);
    rico_term *along = rico_alloc(b->scene->ctx, count, sizeof *along);
    rico_status status = own && along ? RICO_OK : RICO_NO_MEMORY;
    for (int64_t i = 0; status == RICO_OK && i < count; i++) {
        own[i] = variable[i];
        along[i] = slope[i];
        rico_term v = RICO_TERM_ONE; // of t
        if (own[i] > 0 && c != 0.0)
            v = rico_graph_variable(graph, b->scene->map[1 + b->nq + rico_force_dof(b, own[i])]);
        if (c != 0.0) rate = apply(b, RICO_DO_ADD, rate, apply(b, RICO_DO_MULTIPLY, along[i], v));
    }
    rico_term pull = apply(b, RICO_DO_MULTIPLY, rico_graph_constant(graph, -k), stretch);
    rico_term drag = apply(b, RICO_DO_MULTIPLY, rico_graph_constant(graph, -c), rate);
    for (int64_t i = 0; status == RICO_OK && i < count; i++) {
        if (own[i] == 0) continue;
        int64_t dof = rico_force_dof(b, own[i]);
        status = rico_force_add_share(b, dof, moves ? RICO_FORCE_APPLIED : RICO_FORCE_CONSERVATIVE,
                                      apply(b, RICO_DO_MULTIPLY, pull, along[i]));
        if (status == RICO_OK)
            status = rico_force_add_share(b, dof, moves ? RICO_FORCE_APPLIED : RICO_FORCE_DAMPING,
                                          apply(b, RICO_DO_MULTIPLY, drag, along[i]));
    }
    b->conserves = !moves && k != 0.0;
    b->energy = apply(b, RICO_DO_MULTIPLY, rico_graph_constant(graph, 0.5 * k),
                      apply(b, RICO_DO_MULTIPLY, stretch, stretch));
    rico_free(b->scene->ctx, own);
    rico_free(b->scene->ctx, along);
    return status;
}


static rico_status read_spring(rico_scene *scene, const rico_node *node, double *k, double *rest, double *c)
{
    rico_document *document = scene->document;
    rico_status status = rico_document_real(document, rico_node_at(node, "stiffness"), k);
    if (status == RICO_OK) status = rico_document_real(document, rico_node_at(node, "rest"), rest);
    if (status == RICO_OK) status = rico_document_real(document, rico_node_at(node, "damping"), c);
    if (status != RICO_OK) return status;
    if (*k == 0.0 && *c == 0.0)
        return rico_document_fail_key(
            document, node, "spring '%s' has neither 'stiffness' nor 'damping'; give one of them", node->key);
    if (*k < 0.0)
        rico_scene_warn(
            scene, node,
            "the stiffness of spring '%s' is negative: %g; it pushes away from rest, and the motion may grow "
            "without bound",
            node->key, *k);
    return RICO_OK;
}


static rico_status build_spring(rico_scene *scene, const rico_node *node)
{
    rico_force_builder b;
    rico_formula *length = NULL;
    double k = 0.0, rest = 0.0, c = 0.0;
    const rico_node *given = rico_node_at(node, "length");
    if (rico_node_at(node, "law"))
        return rico_document_fail_key(scene->document, rico_node_at(node, "law"),
                                      "'law' is of springs between bodies; write a force under 'forces'");
    rico_status status = read_spring(scene, node, &k, &rest, &c);
    if (status == RICO_OK) status = rico_force_begin(scene, node, &b);
    if (status != RICO_OK) return status;
    status = rico_document_formula(scene->document, given, &scene->scope, &length);
    if (status == RICO_OK) status = rico_force_note_reads(&b, length, NULL);
    int64_t reads = b.force->slot_count;
    if (status == RICO_OK && reads == 0)
        status = rico_document_fail(scene->document, given,
                                    "'length' of spring '%s' depends on no coordinate", node->key);
    for (int64_t i = 0; status == RICO_OK && c != 0.0 && i < reads; i++)
        status = rico_force_note_slot(&b, b.nq + b.force->slot[i]);
    if (status == RICO_OK) status = rico_force_open_graph(&b);
    if (status == RICO_OK)
        status = share_spring(&b, rico_graph_formula(b.graph, length, scene->map), k, rest, c);
    if (status == RICO_OK) status = rico_force_finish(&b, node->key);
    rico_graph_destroy(b.graph);
    rico_formula_destroy(length);
    return rico_scene_place(scene, node, status);
}


// --- forces --------------------------------------------------------------------------------------------------------

static rico_status build_potential(rico_scene *scene, const rico_node *node, const rico_node *given)
{
    rico_force_builder b;
    rico_formula *formula = NULL;
    rico_status status = rico_force_begin(scene, node, &b);
    if (status != RICO_OK) return status;
    status = rico_document_formula(scene->document, given, &scene->scope, &formula);
    if (status == RICO_OK) {
        int64_t count;
        const int64_t *slot = rico_formula_slots(formula, &count);
        if (count == 0 || slot[0] == 0)
            status = rico_document_fail(
                scene->document, given,
                "'potential' of force '%s' may depend on coordinates alone, and must on one; "
                "what depends on t goes under 'force'",
                node->key);
    }
    if (status == RICO_OK) status = rico_force_note_reads(&b, formula, NULL);
    if (status == RICO_OK) status = rico_force_open_graph(&b);
    if (status == RICO_OK) {
        int64_t count;
        const int64_t *variable;
        const rico_term *slope;
        b.conserves = true;
        b.energy = rico_graph_formula(b.graph, formula, scene->map);
        rico_graph_gradient(b.graph, b.energy, 1, b.force->slot_count, &count, &variable, &slope);
        // the arrays belong to the graph, which the next term may move
        for (int64_t i = 0; status == RICO_OK && i < count; i++)
            status =
                rico_force_add_share(&b, rico_force_dof(&b, variable[i]), RICO_FORCE_CONSERVATIVE, slope[i]);
        for (int64_t i = 0; i < b.force->share_count; i++)
            b.force->share[i].term = apply(&b, RICO_DO_NEGATE, b.force->share[i].term, 0);
    }
    if (status == RICO_OK) status = rico_force_finish(&b, node->key);
    rico_graph_destroy(b.graph);
    rico_formula_destroy(formula);
    return rico_scene_place(scene, node, status);
}


static const rico_scene_part *part_of(const rico_scene *scene, int64_t dof)
{
    for (int64_t p = 0; p < scene->part_count; p++)
        if (dof >= scene->part[p]->place.v && dof < scene->part[p]->place.v + scene->part[p]->n)
            return scene->part[p];
    return NULL;
}


rico_status rico_scene_find_dof(rico_scene *scene, const rico_node *node, int64_t *dof, double *weight)
{
    rico_formula *formula = NULL;
    rico_formula_fault fault;
    rico_status status = rico_formula_create(scene->ctx, node->key, &scene->state_scope, &fault, &formula);
    int64_t count = 0, nq = rico_system_positions(scene->system), at = -1;
    const int64_t *slot = status == RICO_OK ? rico_formula_slots(formula, &count) : NULL;
    bool plain = status == RICO_OK && count == 1 && slot[0] > 0 && rico_formula_is_variable(formula);
    *weight = 1.0;
    if (plain) {
        bool velocity = slot[0] > nq;
        at = rico_scene_slot_dof(scene, slot[0]);
        const rico_scene_part *part = part_of(scene, at);
        plain = part ? velocity == part->first_order : !velocity || rico_scene_is_spin(scene, at);
        if (part) *weight = part->weight;
    }
    rico_formula_destroy(formula);
    if (status == RICO_NO_MEMORY) return status;
    if (plain) {
        *dof = at;
        return RICO_OK;
    }
    if (status == RICO_OK)
        return rico_document_fail_key(
            scene->document, node, "'%.60s' is no coordinate or state on which a force can act", node->key);
    return rico_document_fail_key(scene->document, node, "%s", rico_message(scene->ctx));
}


static rico_status build_applied(rico_scene *scene, const rico_node *node, const rico_node *on)
{
    rico_force_builder b;
    int64_t count = on->count, at = 0;
    rico_formula **formula = rico_alloc(scene->ctx, count, sizeof(rico_formula *));
    int64_t *dof = rico_alloc(scene->ctx, count, sizeof *dof);
    double *weight = rico_alloc(scene->ctx, count, sizeof *weight);
    rico_status status = formula && dof && weight ? rico_force_begin(scene, node, &b) : RICO_NO_MEMORY;
    if (status != RICO_OK) {
        rico_free(scene->ctx, formula);
        rico_free(scene->ctx, dof);
        rico_free(scene->ctx, weight);
        return status;
    }
    for (const rico_node *child = on->first; status == RICO_OK && child; child = child->next, at++) {
        status = rico_scene_find_dof(scene, child, &dof[at], &weight[at]);
        if (status == RICO_OK)
            status = rico_document_formula(scene->document, child, &scene->state_scope, &formula[at]);
        if (status == RICO_OK) status = rico_force_note_reads(&b, formula[at], NULL);
        if (status == RICO_OK) status = rico_scene_check_jump(scene, child, formula[at], 1 + b.nq, INT64_MAX);
    }
    if (status == RICO_OK) status = rico_force_open_graph(&b);
    for (int64_t i = 0; status == RICO_OK && i < count; i++)
        status = rico_force_add_share(&b, dof[i], RICO_FORCE_APPLIED,
                                      apply(&b, RICO_DO_MULTIPLY, rico_graph_constant(b.graph, weight[i]),
                                            rico_graph_formula(b.graph, formula[i], scene->map)));
    if (status == RICO_OK) status = rico_force_finish(&b, node->key);
    rico_graph_destroy(b.graph);
    for (int64_t i = 0; i < count; i++) rico_formula_destroy(formula[i]);
    rico_free(scene->ctx, formula);
    rico_free(scene->ctx, dof);
    rico_free(scene->ctx, weight);
    return rico_scene_place(scene, node, status);
}


static rico_status build_force(rico_scene *scene, const rico_node *node)
{
    const rico_node *energy = rico_node_at(node, "potential"), *on = rico_node_at(node, "force");
    if (energy) return build_potential(scene, node, energy);
    if (on->kind != RICO_NODE_MAPPING)
        return rico_document_fail(
            scene->document, on,
            "'force' of '%s' must be a mapping from coordinates to formulas; write {x: ...}", node->key);
    return build_applied(scene, node, on);
}


// --- forces of a matrix part that depend on its state --------------------------------------------------------------

static rico_status build_own(rico_scene *scene, rico_scene_part *part)
{
    rico_force_builder b;
    int64_t n = part->n;
    int64_t *of = rico_alloc(scene->ctx, 2 * n + 1, sizeof *of),
            *map = rico_alloc(scene->ctx, 2 * n + 1, sizeof *map);
    rico_status status = of && map ? rico_force_begin(scene, part->node, &b) : RICO_NO_MEMORY;
    if (status != RICO_OK) {
        rico_free(scene->ctx, of);
        rico_free(scene->ctx, map);
        return status;
    }
    for (int64_t i = 0; i < n; i++) {
        of[1 + i] = 1 + part->place.q + i;
        of[1 + n + i] = 1 + b.nq + part->place.v + i;
    }
    for (int64_t i = 0; status == RICO_OK && i < n; i++)
        if (part->force[i]) {
            status = rico_force_note_reads(&b, part->force[i], of);
            if (status == RICO_OK)
                status = rico_scene_check_jump(scene, rico_node_at(part->node, "force"), part->force[i],
                                               n + 1, 2 * n);
        }
    if (status == RICO_OK) status = rico_force_open_graph(&b);
    for (int64_t s = 0; status == RICO_OK && s < 2 * n + 1; s++) map[s] = scene->map[of[s]];
    for (int64_t i = 0; status == RICO_OK && i < n; i++)
        if (part->force[i])
            status = rico_force_add_share(&b, part->place.v + i, RICO_FORCE_APPLIED,
                                          rico_graph_formula(b.graph, part->force[i], map));
    if (status == RICO_OK) status = rico_force_finish(&b, part->name);
    rico_graph_destroy(b.graph);
    rico_free(scene->ctx, of);
    rico_free(scene->ctx, map);
    return rico_scene_place(scene, part->node, status);
}


// --- all of them ---------------------------------------------------------------------------------------------------

// t, every position, every velocity.
static rico_status make_state_scope(rico_scene *scene)
{
    int64_t nq = rico_system_positions(scene->system), count = 1; // the note
    for (int64_t p = 0; p < scene->part_count; p++)
        count += scene->part[p]->coordinate ? scene->part[p]->n : 1;
    count += rico_scene_body_symbol_room(scene);
    scene->velocity_symbol = rico_alloc(scene->ctx, count, sizeof *scene->velocity_symbol);
    if (!scene->velocity_symbol) return RICO_NO_MEMORY;
    int64_t at = 0, bodies;
    for (int64_t p = 0; p < scene->part_count; p++) {
        const rico_scene_part *part = scene->part[p];
        int64_t first = 1 + nq + part->place.v;
        for (int64_t i = 0; part->coordinate && i < part->n; i++)
            scene->velocity_symbol[at++] =
                (rico_symbol){.name = part->velocity[i], .kind = RICO_SYMBOL_VARIABLE, .slot = first + i};
        if (part->coordinate) continue;
        size_t length = strlen(part->name) + 3;
        char *name = rico_document_cut(scene->document, length);
        if (!name) return RICO_NO_MEMORY;
        snprintf(name, length, "v_%s", part->name);
        scene->velocity_symbol[at++] =
            (rico_symbol){.name = name, .kind = RICO_SYMBOL_VECTOR, .slot = first, .count = part->n};
    }
    const rico_scope others = {at, scene->velocity_symbol, &scene->scope};
    rico_status status = rico_scene_body_symbols(scene, &others, scene->velocity_symbol + at, &bodies);
    if (status != RICO_OK) return status;
    at += bodies;
    scene->velocity_symbol[at++] = (rico_symbol){
        .name = "it may depend on t and the coordinates, velocities and states of all parts and bodies",
        .kind = RICO_SYMBOL_NOTE};
    scene->state_scope = (rico_scope){at, scene->velocity_symbol, &scene->scope};
    return RICO_OK;
}


rico_status rico_scene_build_forces(rico_scene *scene, rico_node *root)
{
    const rico_node *springs = rico_node_at(root, "springs"), *given = rico_node_at(root, "forces");
    int64_t room = (springs ? springs->count : 0) + (given ? given->count : 0) + scene->part_count;
    scene->force = rico_alloc(scene->ctx, room, sizeof(rico_scene_force *));
    rico_status status = scene->force ? make_state_scope(scene) : RICO_NO_MEMORY;
    for (int64_t p = 0; status == RICO_OK && p < scene->part_count; p++)
        if (!scene->part[p]->coordinate && scene->part[p]->force) status = build_own(scene, scene->part[p]);
    for (const rico_node *child = springs ? springs->first : NULL; status == RICO_OK && child;
         child = child->next)
        if (!rico_node_at(child, "between")) status = build_spring(scene, child);
    for (const rico_node *child = given ? given->first : NULL; status == RICO_OK && child;
         child = child->next)
        status = build_force(scene, child);
    return status;
}


// A stretched spring that pulls nothing: its length has no gradient where its ends meet.
static void warn_direction(rico_scene *scene, const rico_scene_force *force, const rico_force_trial *trial)
{
    const rico_node *length = rico_node_at(force->node, "length");
    if (!length || trial->energy == 0.0 || trial->acts) return;
    rico_scene_warn(
        scene, length,
        "spring '%s' is stretched at the start but pulls in no direction: the gradient of its 'length' is 0 "
        "there; move its ends apart",
        force->node->key);
}


rico_status rico_scene_check_forces(rico_scene *scene)
{
    double t = rico_scene_times(scene).start;
    double *f = rico_alloc(scene->ctx, rico_system_velocities(scene->system), sizeof *f);
    rico_status status = f ? RICO_OK : RICO_NO_MEMORY;
    for (int64_t i = 0; status == RICO_OK && i < scene->force_count; i++) {
        rico_scene_force *force = scene->force[i];
        rico_force_trial trial;
        status = rico_force_try(force, t, scene->q, scene->v, f, &trial);
        if (status == RICO_OK && !trial.finite)
            status = rico_document_fail_key(
                scene->document, force->node,
                "the force of '%s' is not a finite number at the start; check its divisions "
                "and domains, or the initial state",
                force->node->key);
        else if (status == RICO_OK)
            warn_direction(scene, force, &trial);
    }
    rico_free(scene->ctx, f);
    return status;
}
