// Springs, dampers and forces between parts, and forces of a matrix part that depend on its state.
//
// A spring of length l(t, q), rest length l0, stiffness k and damping c pulls with k (l - l0) + c dl/dt along grad l:
//
//     V = k (l - l0)^2 / 2,    f = -(k (l - l0) + c dl/dt) grad l.
//
// Where l moves by itself (t in it), its force is an applied one: the work of whoever moves it is booked.

#include "model/interaction.h"
#include "scene/document_build.h"
#include "scene/scene_private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Which books a share of the force goes to.
typedef enum kind { APPLIED, DAMPING, CONSERVATIVE, KINDS } kind;

typedef struct share {
    int64_t dof;
    kind to;
    rico_term term;
} share;

struct rico_scene_force {
    rico_scene *scene;
    const rico_node *node;
    int64_t slot_count;
    int64_t *slot; // of the scene's state that its formulas read, t left out
    int64_t share_count;
    share *share; // outputs of `forces`
    rico_program *forces, *tangents, *energy;
    int64_t K_count, C_count;
};


void rico_scene_force_destroy(rico_scene_force *force)
{
    if (!force) return;
    rico_context *ctx = force->scene->ctx;
    rico_program_destroy(force->forces);
    rico_program_destroy(force->tangents);
    rico_program_destroy(force->energy);
    rico_free(ctx, force->slot);
    rico_free(ctx, force->share);
    rico_free(ctx, force);
}


// --- what the model asks -----------------------------------------------------------------------------------------

static void run(const rico_scene_force *force, rico_program *program, double t, const double *q,
                const double *v)
{
    double *x = rico_program_variables(program);
    int64_t nq = rico_system_positions(force->scene->system);
    x[0] = t;
    for (int64_t k = 0; k < force->slot_count; k++) {
        int64_t s = force->slot[k];
        x[1 + k] = s <= nq ? q[s - 1] : v ? v[s - nq - 1] : 0.0;
    }
    rico_program_run(program);
}


static bool forces(void *user, double t, const double *q, const double *v, double *applied, double *damping,
                   double *conservative)
{
    const rico_scene_force *force = user;
    double *const to[KINDS] = {applied, damping, conservative};
    run(force, force->forces, t, q, v);
    for (int64_t k = 0; k < force->share_count; k++) {
        double value = rico_program_output(force->forces, k);
        if (!isfinite(value)) return false;
        to[force->share[k].to][force->share[k].dof] += value;
    }
    return true;
}


static bool tangents(void *user, double t, const double *q, const double *v, double *K, double *C)
{
    const rico_scene_force *force = user;
    run(force, force->tangents, t, q, v);
    for (int64_t k = 0; k < force->K_count; k++) K[k] = rico_program_output(force->tangents, k);
    for (int64_t k = 0; k < force->C_count; k++)
        C[k] = rico_program_output(force->tangents, force->K_count + k);
    return true;
}


static bool potential(void *user, const double *q, double *V)
{
    const rico_scene_force *force = user;
    run(force, force->energy, 0.0, q, NULL);
    *V = rico_program_output(force->energy, 0);
    return isfinite(*V) != 0;
}


// --- building ------------------------------------------------------------------------------------------------------

typedef struct builder {
    rico_scene *scene;
    rico_scene_force *force;
    rico_graph *graph;
    int64_t nq, share_room, slot_room;
    rico_term energy;
    bool conserves; // it has an energy
} builder;


static rico_status note_slot(builder *b, int64_t slot)
{
    rico_scene_force *force = b->force;
    if (slot == 0) return RICO_OK;
    for (int64_t k = 0; k < force->slot_count; k++)
        if (force->slot[k] == slot) return RICO_OK;
    if (force->slot_count == b->slot_room) {
        int64_t more = 2 * b->slot_room + 8;
        int64_t *grown = rico_grow(b->scene->ctx, force->slot, force->slot_count, more, sizeof *grown);
        if (!grown) return RICO_NO_MEMORY;
        force->slot = grown;
        b->slot_room = more;
    }
    force->slot[force->slot_count++] = slot;
    return RICO_OK;
}


// What a formula reads becomes variables of the force; slots of a part are slots of the scene through `of`.
static rico_status note_reads(builder *b, const rico_formula *formula, const int64_t *of)
{
    int64_t count;
    const int64_t *slot = rico_formula_slots(formula, &count);
    rico_status status = RICO_OK;
    for (int64_t k = 0; status == RICO_OK && k < count; k++)
        status = note_slot(b, of ? of[slot[k]] : slot[k]);
    return status;
}


// All reads are noted: the graph, and where each slot stands among its variables.
static rico_status open_graph(builder *b)
{
    b->scene->map[0] = 0;
    for (int64_t k = 0; k < b->force->slot_count; k++) b->scene->map[b->force->slot[k]] = 1 + k;
    return rico_graph_create(b->scene->ctx, 1 + b->force->slot_count, &b->graph);
}


static rico_status add_share(builder *b, int64_t dof, kind to, rico_term term)
{
    rico_scene_force *force = b->force;
    if (term == RICO_TERM_ZERO) return RICO_OK;
    if (force->share_count == b->share_room) {
        int64_t more = 2 * b->share_room + 8;
        share *grown = rico_grow(b->scene->ctx, force->share, force->share_count, more, sizeof *grown);
        if (!grown) return RICO_NO_MEMORY;
        force->share = grown;
        b->share_room = more;
    }
    force->share[force->share_count++] = (share){dof, to, term};
    return RICO_OK;
}


// The velocity on which the position in a variable of the force acts; -1 where it holds a velocity.
static int64_t dof_of(const builder *b, int64_t variable)
{
    int64_t slot = b->force->slot[variable - 1];
    return slot <= b->nq ? slot - 1 : -1;
}


typedef struct tangent_list {
    int64_t count, room;
    int64_t *row, *col;
    rico_term *term;
} tangent_list;


static rico_status add_tangent(rico_context *ctx, tangent_list *list, int64_t row, int64_t col,
                               rico_term term)
{
    if (list->count == list->room) {
        int64_t more = 2 * list->room + 8;
        int64_t *rows = rico_grow(ctx, list->row, list->count, more, sizeof *rows);
        if (rows) list->row = rows;
        int64_t *cols = rico_grow(ctx, list->col, list->count, more, sizeof *cols);
        if (cols) list->col = cols;
        rico_term *terms = rico_grow(ctx, list->term, list->count, more, sizeof *terms);
        if (terms) list->term = terms;
        if (!rows || !cols || !terms) return RICO_NO_MEMORY;
        list->room = more;
    }
    list->row[list->count] = row;
    list->col[list->count] = col;
    list->term[list->count++] = term;
    return RICO_OK;
}


// -d(shares)/dq into K and -d(shares)/dv into C.
static rico_status derive(builder *b, tangent_list *K, tangent_list *C)
{
    rico_status status = RICO_OK;
    for (int64_t i = 0; status == RICO_OK && i < b->force->share_count; i++) {
        int64_t count, row = b->force->share[i].dof;
        const int64_t *variable;
        const rico_term *term;
        rico_term minus = rico_graph_apply(b->graph, RICO_DO_NEGATE, b->force->share[i].term, 0);
        rico_graph_gradient(b->graph, minus, 1, b->force->slot_count, &count, &variable, &term);
        for (int64_t k = 0; status == RICO_OK && k < count; k++) {
            int64_t slot = b->force->slot[variable[k] - 1];
            status = slot <= b->nq ? add_tangent(b->scene->ctx, K, row, slot - 1, term[k])
                                   : add_tangent(b->scene->ctx, C, row, slot - b->nq - 1, term[k]);
        }
    }
    return status;
}


static bool all_constant(const rico_graph *graph, const tangent_list *list)
{
    for (int64_t k = 0; k < list->count; k++)
        if (!rico_graph_is_constant(graph, list->term[k])) return false;
    return true;
}


static rico_status make_programs(builder *b, const tangent_list *K, const tangent_list *C)
{
    rico_scene_force *force = b->force;
    rico_context *ctx = b->scene->ctx;
    int64_t count = K->count + C->count, most = count > force->share_count ? count : force->share_count;
    rico_term *term = rico_alloc(ctx, most, sizeof *term);
    if (!term) return RICO_NO_MEMORY;
    for (int64_t k = 0; k < force->share_count; k++) term[k] = force->share[k].term;
    rico_status status = rico_program_create(b->graph, force->share_count, term, &force->forces);
    for (int64_t k = 0; k < count; k++) term[k] = k < K->count ? K->term[k] : C->term[k - K->count];
    if (status == RICO_OK) status = rico_program_create(b->graph, count, term, &force->tangents);
    if (status == RICO_OK && b->conserves)
        status = rico_program_create(b->graph, 1, &b->energy, &force->energy);
    rico_free(ctx, term);
    return status;
}


// All shares are there: derives, compiles, and adds to the system.
static rico_status finish(builder *b, const char *name)
{
    rico_scene_force *force = b->force;
    rico_context *ctx = b->scene->ctx;
    tangent_list K = {0}, C = {0};
    rico_status status = derive(b, &K, &C);
    if (status == RICO_OK) status = rico_graph_status(b->graph);
    if (status == RICO_OK) status = make_programs(b, &K, &C);
    if (status == RICO_OK) {
        bool has[KINDS] = {false};
        for (int64_t k = 0; k < force->share_count; k++) has[force->share[k].to] = true;
        bool constant = !has[APPLIED] && all_constant(b->graph, &K) && all_constant(b->graph, &C);
        force->K_count = K.count;
        force->C_count = C.count;
        rico_interaction given = {.K = {K.count, K.row, K.col},
                                  .C = {C.count, C.row, C.col},
                                  .constant_tangents = constant,
                                  .symmetric = constant || (!has[APPLIED] && !has[DAMPING]),
                                  .damped = has[DAMPING],
                                  .stiff = !constant || has[CONSERVATIVE],
                                  .forces = forces,
                                  .tangents = tangents,
                                  .potential = b->conserves ? potential : NULL,
                                  .user = force};
        status = rico_system_add_interaction(b->scene->system, name, &given);
    }
    tangent_list *lists[2] = {&K, &C};
    for (int i = 0; i < 2; i++) {
        rico_free(ctx, lists[i]->row);
        rico_free(ctx, lists[i]->col);
        rico_free(ctx, lists[i]->term);
    }
    return status;
}


static rico_status begin(rico_scene *scene, const rico_node *node, builder *b)
{
    *b = (builder){.scene = scene, .nq = rico_system_positions(scene->system)};
    b->force = rico_alloc(scene->ctx, 1, sizeof *b->force);
    if (!b->force) return RICO_NO_MEMORY;
    b->force->scene = scene;
    b->force->node = node;
    // kept at once, so that it is released whatever happens
    scene->force[scene->force_count++] = b->force;
    return RICO_OK;
}


// --- springs -------------------------------------------------------------------------------------------------------

static rico_term apply(const builder *b, rico_operation code, rico_term x, rico_term y)
{
    return rico_graph_apply(b->graph, code, x, y);
}


// Shares along the gradient of the length: the pull of the spring, that of the damper, or both together where t moves it.
static rico_status share_spring(builder *b, rico_term length, double k, double rest, double c)
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
            v = rico_graph_variable(graph, b->scene->map[1 + b->nq + dof_of(b, own[i])]);
        if (c != 0.0) rate = apply(b, RICO_DO_ADD, rate, apply(b, RICO_DO_MULTIPLY, along[i], v));
    }
    rico_term pull = apply(b, RICO_DO_MULTIPLY, rico_graph_constant(graph, -k), stretch);
    rico_term drag = apply(b, RICO_DO_MULTIPLY, rico_graph_constant(graph, -c), rate);
    for (int64_t i = 0; status == RICO_OK && i < count; i++) {
        if (own[i] == 0) continue;
        int64_t dof = dof_of(b, own[i]);
        status =
            add_share(b, dof, moves ? APPLIED : CONSERVATIVE, apply(b, RICO_DO_MULTIPLY, pull, along[i]));
        if (status == RICO_OK)
            status = add_share(b, dof, moves ? APPLIED : DAMPING, apply(b, RICO_DO_MULTIPLY, drag, along[i]));
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
    builder b;
    rico_formula *length = NULL;
    double k = 0.0, rest = 0.0, c = 0.0;
    const rico_node *given = rico_node_at(node, "length");
    rico_status status = read_spring(scene, node, &k, &rest, &c);
    if (status == RICO_OK) status = begin(scene, node, &b);
    if (status != RICO_OK) return status;
    status = rico_document_formula(scene->document, given, &scene->scope, &length);
    if (status == RICO_OK) status = note_reads(&b, length, NULL);
    int64_t reads = b.force->slot_count;
    if (status == RICO_OK && reads == 0)
        status = rico_document_fail(scene->document, given,
                                    "'length' of spring '%s' depends on no coordinate", node->key);
    for (int64_t i = 0; status == RICO_OK && c != 0.0 && i < reads; i++)
        status = note_slot(&b, b.nq + b.force->slot[i]);
    if (status == RICO_OK) status = open_graph(&b);
    if (status == RICO_OK)
        status = share_spring(&b, rico_graph_formula(b.graph, length, scene->map), k, rest, c);
    if (status == RICO_OK) status = finish(&b, node->key);
    rico_graph_destroy(b.graph);
    rico_formula_destroy(length);
    return rico_scene_place(scene, node, status);
}


// --- forces --------------------------------------------------------------------------------------------------------

static rico_status build_potential(rico_scene *scene, const rico_node *node, const rico_node *given)
{
    builder b;
    rico_formula *formula = NULL;
    rico_status status = begin(scene, node, &b);
    if (status != RICO_OK) return status;
    status = rico_document_formula(scene->document, given, &scene->scope, &formula);
    if (status == RICO_OK) {
        int64_t count;
        const int64_t *slot = rico_formula_slots(formula, &count);
        if (count == 0 || slot[0] == 0)
            status = rico_document_fail(
                scene->document, given,
                "'potential' of force '%s' may depend on coordinates alone, and must on one; "
                "what depends on t goes under 'on'",
                node->key);
    }
    if (status == RICO_OK) status = note_reads(&b, formula, NULL);
    if (status == RICO_OK) status = open_graph(&b);
    if (status == RICO_OK) {
        int64_t count;
        const int64_t *variable;
        const rico_term *slope;
        b.conserves = true;
        b.energy = rico_graph_formula(b.graph, formula, scene->map);
        rico_graph_gradient(b.graph, b.energy, 1, b.force->slot_count, &count, &variable, &slope);
        // the arrays belong to the graph, which the next term may move
        for (int64_t i = 0; status == RICO_OK && i < count; i++)
            status = add_share(&b, dof_of(&b, variable[i]), CONSERVATIVE, slope[i]);
        for (int64_t i = 0; i < b.force->share_count; i++)
            b.force->share[i].term = apply(&b, RICO_DO_NEGATE, b.force->share[i].term, 0);
    }
    if (status == RICO_OK) status = finish(&b, node->key);
    rico_graph_destroy(b.graph);
    rico_formula_destroy(formula);
    return rico_scene_place(scene, node, status);
}


// The velocity that a key of 'on' names: a coordinate, or an entry of a part known by indices.
static rico_status find_dof(rico_scene *scene, const rico_node *node, int64_t *dof)
{
    rico_formula *formula = NULL;
    rico_formula_fault fault;
    rico_status status = rico_formula_create(scene->ctx, node->key, &scene->scope, &fault, &formula);
    int64_t count = 0;
    const int64_t *slot = status == RICO_OK ? rico_formula_slots(formula, &count) : NULL;
    bool plain = status == RICO_OK && count == 1 && slot[0] > 0 && rico_formula_is_variable(formula);
    if (plain) *dof = slot[0] - 1;
    rico_formula_destroy(formula);
    if (status == RICO_NO_MEMORY || plain) return status;
    if (status == RICO_OK)
        return rico_document_fail_key(scene->document, node,
                                      "'%.60s' is no coordinate on which a force can act", node->key);
    return rico_document_fail_key(scene->document, node, "%s", rico_message(scene->ctx));
}


static rico_status build_applied(rico_scene *scene, const rico_node *node, const rico_node *on)
{
    builder b;
    int64_t count = on->count, at = 0;
    rico_formula **formula = rico_alloc(scene->ctx, count, sizeof(rico_formula *));
    int64_t *dof = rico_alloc(scene->ctx, count, sizeof *dof);
    rico_status status = formula && dof ? begin(scene, node, &b) : RICO_NO_MEMORY;
    if (status != RICO_OK) {
        rico_free(scene->ctx, formula);
        rico_free(scene->ctx, dof);
        return status;
    }
    for (const rico_node *child = on->first; status == RICO_OK && child; child = child->next, at++) {
        status = find_dof(scene, child, &dof[at]);
        if (status == RICO_OK)
            status = rico_document_formula(scene->document, child, &scene->state_scope, &formula[at]);
        if (status == RICO_OK) status = note_reads(&b, formula[at], NULL);
        if (status == RICO_OK) status = rico_scene_check_jump(scene, child, formula[at], 1 + b.nq, INT64_MAX);
    }
    if (status == RICO_OK) status = open_graph(&b);
    for (int64_t i = 0; status == RICO_OK && i < count; i++)
        status = add_share(&b, dof[i], APPLIED, rico_graph_formula(b.graph, formula[i], scene->map));
    if (status == RICO_OK) status = finish(&b, node->key);
    rico_graph_destroy(b.graph);
    for (int64_t i = 0; i < count; i++) rico_formula_destroy(formula[i]);
    rico_free(scene->ctx, formula);
    rico_free(scene->ctx, dof);
    return rico_scene_place(scene, node, status);
}


static rico_status build_force(rico_scene *scene, const rico_node *node)
{
    const rico_node *energy = rico_node_at(node, "potential"), *on = rico_node_at(node, "on");
    if (energy) return build_potential(scene, node, energy);
    if (on->kind != RICO_NODE_MAPPING)
        return rico_document_fail(
            scene->document, on,
            "'on' of force '%s' must be a mapping from coordinates to formulas; write {x: ...}", node->key);
    return build_applied(scene, node, on);
}


// --- forces of a matrix part that depend on its state --------------------------------------------------------------

static rico_status build_own(rico_scene *scene, rico_scene_part *part)
{
    builder b;
    int64_t n = part->n;
    int64_t *of = rico_alloc(scene->ctx, 2 * n + 1, sizeof *of),
            *map = rico_alloc(scene->ctx, 2 * n + 1, sizeof *map);
    rico_status status = of && map ? begin(scene, part->node, &b) : RICO_NO_MEMORY;
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
            status = note_reads(&b, part->force[i], of);
            if (status == RICO_OK)
                status = rico_scene_check_jump(scene, rico_node_at(part->node, "force"), part->force[i],
                                               n + 1, 2 * n);
        }
    if (status == RICO_OK) status = open_graph(&b);
    for (int64_t s = 0; status == RICO_OK && s < 2 * n + 1; s++) map[s] = scene->map[of[s]];
    for (int64_t i = 0; status == RICO_OK && i < n; i++)
        if (part->force[i])
            status =
                add_share(&b, part->place.v + i, APPLIED, rico_graph_formula(b.graph, part->force[i], map));
    if (status == RICO_OK) status = finish(&b, part->name);
    rico_graph_destroy(b.graph);
    rico_free(scene->ctx, of);
    rico_free(scene->ctx, map);
    return rico_scene_place(scene, part->node, status);
}


// --- all of them ---------------------------------------------------------------------------------------------------

// t, every position, every velocity.
static rico_status make_state_scope(rico_scene *scene)
{
    int64_t nq = rico_system_positions(scene->system), count = 0;
    for (int64_t p = 0; p < scene->part_count; p++)
        count += scene->part[p]->coordinate ? scene->part[p]->n : 1;
    scene->velocity_symbol = rico_alloc(scene->ctx, count, sizeof *scene->velocity_symbol);
    if (!scene->velocity_symbol) return RICO_NO_MEMORY;
    int64_t at = 0;
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
        status = build_spring(scene, child);
    for (const rico_node *child = given ? given->first : NULL; status == RICO_OK && child;
         child = child->next)
        status = build_force(scene, child);
    return status;
}


rico_status rico_scene_check_forces(rico_scene *scene)
{
    double t = rico_scene_times(scene).start, V;
    double *f = rico_alloc(scene->ctx, rico_system_velocities(scene->system), sizeof *f);
    rico_status status = f ? RICO_OK : RICO_NO_MEMORY;
    for (int64_t i = 0; status == RICO_OK && i < scene->force_count; i++) {
        rico_scene_force *force = scene->force[i];
        if (!forces(force, t, scene->q, scene->v, f, f, f) ||
            (force->energy && !potential(force, scene->q, &V)))
            status = rico_document_fail_key(
                scene->document, force->node,
                "the force of '%s' is not a finite number at the start; check its divisions "
                "and domains, or the initial state",
                force->node->key);
    }
    rico_free(scene->ctx, f);
    return status;
}
