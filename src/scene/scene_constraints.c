// Contacts and joints of a scene: formulas of t and all coordinates, their gradients taken by the program.

#include "model/add.h"
#include "model/friction.h"
#include "scene/scene_friction.h"
#include "scene/scene_private.h"
#include "scene/scene_turning.h"

#include <stdio.h>
#include <string.h>

void rico_scene_constraint_destroy(rico_scene_constraint *constraint)
{
    if (!constraint) return;
    rico_context *ctx = constraint->scene->ctx;
    for (int64_t i = 0; constraint->formula && i < constraint->count; i++)
        rico_formula_destroy(constraint->formula[i]);
    rico_free(ctx, constraint->formula);
    rico_free(ctx, constraint->dof);
    rico_free(ctx, constraint->slot);
    rico_free(ctx, constraint->work);
    rico_free(ctx, constraint->gradient);
    rico_program_destroy(constraint->value);
    rico_program_destroy(constraint->frame);
    rico_program_destroy(constraint->rate);
    rico_program_destroy(constraint->drift);
    rico_program_destroy(constraint->turn);
    rico_program_destroy(constraint->bend);
    rico_free(ctx, constraint);
}


// --- what the model asks -------------------------------------------------------------------------------------

// Only the positions that the formulas read: a bar of a thousand nodes touches the wall with one of them.
static void run(const rico_scene_constraint *constraint, const rico_program *program, double *x, double t,
                const double *q, int64_t count, double *out)
{
    x[0] = t;
    for (int64_t i = 0; i < constraint->dof_count; i++) x[1 + i] = q[constraint->slot[i] - 1];
    rico_program_run(program, x);
    for (int64_t i = 0; i < count; i++) out[i] = rico_program_output(program, x, i);
}


static void prepare(const rico_constraint *bound, double *scratch)
{
    const rico_scene_constraint *constraint = bound->data;
    rico_program_prepare(constraint->value, scratch);
    rico_program_prepare(constraint->frame, scratch + constraint->frame_at);
    rico_program_prepare(constraint->rate, scratch + constraint->rate_at);
    rico_program_prepare(constraint->drift, scratch + constraint->drift_at);
    rico_program_prepare(constraint->turn, scratch + constraint->turn_at);
    rico_program_prepare(constraint->bend, scratch + constraint->bend_at);
}


static bool value(const rico_constraint *bound, rico_assembly *assembly, double *scratch, double t,
                  const double *q, double *g)
{
    (void)assembly;
    const rico_scene_constraint *constraint = bound->data;
    run(constraint, constraint->value, scratch, t, q, constraint->contact ? 1 : constraint->count, g);
    return true;
}


static bool frame(const rico_constraint *bound, rico_assembly *assembly, double *scratch, double t,
                  const double *q, double *H)
{
    (void)assembly;
    const rico_scene_constraint *constraint = bound->data;
    run(constraint, constraint->frame, scratch + constraint->frame_at, t, q,
        constraint->count * constraint->dof_count, H);
    return true;
}


static bool rate(const rico_constraint *bound, rico_assembly *assembly, double *scratch, double t,
                 const double *q, double *w)
{
    (void)assembly;
    const rico_scene_constraint *constraint = bound->data;
    run(constraint, constraint->rate, scratch + constraint->rate_at, t, q, constraint->count, w);
    return true;
}


static const rico_constraint_kind FORMULAS = {.prepare = prepare,
                                              .value = value,
                                              .frame = frame,
                                              .rate = rate,
                                              .turn = rico_scene_rows_turn,
                                              .bend = rico_scene_rows_bend};


// --- reading -------------------------------------------------------------------------------------------------

// t and every position by name: coordinates, or PART[index].
static rico_status make_scope(rico_scene *scene)
{
    int64_t count = 2; // t, and the note
    for (int64_t p = 0; p < scene->part_count; p++)
        count += scene->part[p]->coordinate ? scene->part[p]->n : 1;
    count += rico_scene_beam_symbols(scene, NULL);
    scene->symbol = rico_alloc(scene->ctx, count, sizeof *scene->symbol);
    scene->variables =
        rico_alloc(scene->ctx, 1 + rico_system_positions(scene->system), sizeof *scene->variables);
    scene->map = rico_alloc(scene->ctx, 1 + 2 * rico_system_positions(scene->system), sizeof *scene->map);
    if (!scene->symbol || !scene->variables || !scene->map) return RICO_NO_MEMORY;
    int64_t at = 0;
    scene->symbol[at++] = (rico_symbol){.name = "t", .kind = RICO_SYMBOL_VARIABLE, .slot = 0};
    for (int64_t p = 0; p < scene->part_count; p++) {
        const rico_scene_part *part = scene->part[p];
        if (!part->coordinate)
            scene->symbol[at++] = (rico_symbol){
                .name = part->name, .kind = RICO_SYMBOL_VECTOR, .slot = 1 + part->place.q, .count = part->n};
        for (int64_t i = 0; part->coordinate && i < part->n; i++)
            scene->symbol[at++] = (rico_symbol){
                .name = part->coordinate[i], .kind = RICO_SYMBOL_VARIABLE, .slot = 1 + part->place.q + i};
    }
    at += rico_scene_beam_symbols(scene, scene->symbol + at);
    scene->symbol[at++] = (rico_symbol){
        .name = "what joins parts may depend on t and the coordinates of all of them, not on velocities",
        .kind = RICO_SYMBOL_NOTE};
    scene->scope = (rico_scope){at, scene->symbol, &scene->parameters.scope};
    return RICO_OK;
}


// The union of what the formulas read, and work space for them.
static rico_status take_reach(rico_scene_constraint *constraint)
{
    rico_context *ctx = constraint->scene->ctx;
    int64_t total = 0, most = 1;
    for (int64_t f = 0; f < constraint->count; f++) {
        int64_t count;
        rico_formula_slots(constraint->formula[f], &count);
        total += count;
    }
    constraint->slot = rico_alloc(ctx, total, sizeof *constraint->slot);
    constraint->dof = rico_alloc(ctx, total, sizeof *constraint->dof);
    if (!constraint->slot || !constraint->dof) return RICO_NO_MEMORY;
    for (int64_t f = 0; f < constraint->count; f++) {
        int64_t count;
        const int64_t *slot = rico_formula_slots(constraint->formula[f], &count);
        for (int64_t i = 0; i < count; i++) {
            if (slot[i] == 0) {
                constraint->moves = true;
                continue;
            }
            int64_t k = 0;
            while (k < constraint->dof_count && constraint->slot[k] != slot[i]) k++;
            if (k < constraint->dof_count) continue;
            constraint->slot[k] = slot[i];
            constraint->dof[k] = slot[i] - 1; // positions and velocities of a scene's parts are paired
            constraint->dof_count++;
        }
    }
    for (int64_t f = 0; f < constraint->count; f++) {
        int64_t need = rico_formula_work(constraint->formula[f], 1, constraint->dof_count + 1);
        if (need > most) most = need;
    }
    constraint->work = rico_alloc(ctx, most, sizeof *constraint->work);
    constraint->gradient =
        rico_alloc(ctx, constraint->count * constraint->dof_count, sizeof *constraint->gradient);
    return constraint->work && constraint->gradient ? RICO_OK : RICO_NO_MEMORY;
}


// Values, gradients and rates of all formulas, in terms of t and the positions that they read.
static rico_status derive(rico_scene_constraint *constraint, rico_graph *graph, rico_term *value,
                          rico_term *gradient, rico_term *rates)
{
    int64_t rows = constraint->count, n = constraint->dof_count, count;
    const int64_t *slot;
    const rico_term *term;
    for (int64_t f = 0; f < rows; f++) {
        value[f] = rico_graph_formula(graph, constraint->formula[f], constraint->scene->map);
        rico_graph_gradient(graph, value[f], 0, n, &count, &slot, &term);
        for (int64_t k = 0; k < count; k++)
            if (slot[k] == 0)
                rates[f] = term[k];
            else
                gradient[f * n + slot[k] - 1] = term[k];
    }
    // a contact's tangents are only differentiated
    rico_status status =
        rico_program_create(graph, constraint->contact ? 1 : rows, value, &constraint->value);
    if (status == RICO_OK) status = rico_program_create(graph, rows * n, gradient, &constraint->frame);
    if (status == RICO_OK) status = rico_program_create(graph, rows, rates, &constraint->rate);
    return status;
}


static void lay_out(rico_scene_constraint *constraint)
{
    constraint->frame_at = rico_program_room(constraint->value);
    constraint->rate_at = constraint->frame_at + rico_program_room(constraint->frame);
    constraint->drift_at = constraint->rate_at + rico_program_room(constraint->rate);
    constraint->turn_at = constraint->drift_at + rico_program_room(constraint->drift);
    constraint->bend_at = constraint->turn_at + rico_program_room(constraint->turn);
    constraint->scratch = constraint->bend_at + rico_program_room(constraint->bend);
}


static rico_status make_programs(rico_scene_constraint *constraint)
{
    rico_scene *scene = constraint->scene;
    int64_t rows = constraint->count, n = constraint->dof_count;
    rico_graph *graph = NULL;
    rico_term *term = rico_alloc(scene->ctx, rows * (n + 2), sizeof *term);
    rico_status status = term ? rico_graph_create(scene->ctx, n + 1, &graph) : RICO_NO_MEMORY;
    scene->map[0] = 0;
    for (int64_t i = 0; i < n; i++) scene->map[constraint->slot[i]] = 1 + i;
    if (status == RICO_OK) status = derive(constraint, graph, term, term + 2 * rows, term + rows);
    if (status == RICO_OK) status = rico_scene_make_turning(constraint);
    if (status == RICO_OK) lay_out(constraint);
    rico_graph_destroy(graph);
    rico_free(scene->ctx, term);
    return status;
}


// A formula, or a list of them.
static int64_t formulas_of(const rico_node *node)
{
    return !node ? 0 : node->kind == RICO_NODE_LIST ? node->count : 1;
}


// Formulas from `first` (a scalar, or NULL) and `rest` (a scalar, a list, or NULL).
static rico_status read_formulas(rico_scene *scene, rico_node *first, rico_node *rest, const rico_node *last,
                                 rico_scene_constraint **out)
{
    rico_context *ctx = scene->ctx;
    int64_t more = formulas_of(rest) + formulas_of(last);
    rico_scene_constraint *constraint = rico_alloc(ctx, 1, sizeof *constraint);
    if (!constraint) return RICO_NO_MEMORY;
    constraint->scene = scene;
    constraint->contact = first != NULL;
    constraint->count = more + (first != NULL);
    constraint->formula = rico_alloc(ctx, constraint->count, sizeof(rico_formula *));
    rico_status status = constraint->formula ? RICO_OK : RICO_NO_MEMORY;
    int64_t at = 0;
    if (status == RICO_OK && first)
        status = rico_document_formula(scene->document, first, &scene->scope, &constraint->formula[at++]);
    const rico_node *lists[] = {rest, last};
    for (int k = 0; k < 2; k++) {
        const rico_node *list = lists[k];
        if (status == RICO_OK && list && list->kind != RICO_NODE_LIST)
            status = rico_document_formula(scene->document, list, &scene->scope, &constraint->formula[at++]);
        for (const rico_node *child = list && list->kind == RICO_NODE_LIST ? list->first : NULL;
             status == RICO_OK && child; child = child->next)
            status = rico_document_formula(scene->document, child, &scene->scope, &constraint->formula[at++]);
    }
    if (status == RICO_OK) status = take_reach(constraint);
    if (status == RICO_OK) status = make_programs(constraint);
    if (status != RICO_OK) {
        rico_scene_constraint_destroy(constraint);
        return status;
    }
    *out = constraint;
    return RICO_OK;
}


// All formulas affine, without t: constant gradients, and an offset.
static rico_status is_affine(const rico_scene_constraint *constraint, bool *affine)
{
    *affine = !constraint->moves;
    for (int64_t f = 0; *affine && f < constraint->count; f++) {
        int degree;
        rico_status status = rico_formula_degree(constraint->formula[f], &degree);
        if (status != RICO_OK) return status;
        *affine = degree <= 1;
    }
    return RICO_OK;
}


// Angles for the moments of a law, as many as it has.
static rico_status check_turning(rico_scene *scene, const rico_node *mu, const rico_node *turning,
                                 int dimension, int law, int *moments)
{
    int64_t given = formulas_of(turning);
    *moments = rico_scene_friction_moments(scene, law, dimension);
    if (given == *moments) return RICO_OK;
    if (*moments == 0)
        return rico_document_fail_key(
            scene->document, turning,
            "'turning' is for friction with 'rolling' or 'spinning', and there is none");
    return rico_document_fail_key(scene->document, turning ? turning : mu,
                                  "the moments of this friction need %d angle%s under 'turning', got %lld",
                                  *moments, *moments == 1 ? "" : "s", (long long)given);
}


static rico_status check_contact_keys(rico_scene *scene, const rico_node *node)
{
    static const char *const FOREIGN[] = {"against", "body", "surface", "faces", "method", "margin", "reach"};
    rico_document *document = scene->document;
    const rico_node *tangent = rico_node_at(node, "tangent"), *turning = rico_node_at(node, "turning");
    for (size_t i = 0; i < sizeof FOREIGN / sizeof *FOREIGN; i++)
        if (rico_node_at(node, FOREIGN[i]))
            return rico_document_fail_key(document, rico_node_at(node, FOREIGN[i]),
                                          "'%s' belongs to a contact of 'nodes', and '%s' has a gap",
                                          FOREIGN[i], node->key);
    if (tangent && tangent->kind == RICO_NODE_LIST && (tangent->count < 1 || tangent->count > 2))
        return rico_document_fail(document, tangent,
                                  "'tangent' has %lld formulas, expected one (in the plane) or two "
                                  "(in space)",
                                  (long long)tangent->count);
    if (tangent && tangent->kind == RICO_NODE_MAPPING)
        return rico_document_fail(document, tangent, "'tangent' must be a formula or a list of two");
    if (turning && turning->kind == RICO_NODE_MAPPING)
        return rico_document_fail(document, turning, "'turning' must be a formula or a list of them");
    return RICO_OK;
}


// A contact whose formulas are not affine, or of t: by their programs.
static rico_status add_by_formulas(rico_scene *scene, const rico_node *node, const rico_contact *contact,
                                   rico_scene_constraint *own)
{
    const rico_bound_friction *law = NULL;
    rico_status status =
        rico_friction_find(scene->system, scene->ctx, node->key, contact->friction_law, &law);
    if (status == RICO_OK)
        status = rico_friction_check_listed(scene->ctx, node->key, law, contact->dimension);
    if (status == RICO_OK) status = rico_contact_check(scene->ctx, node->key, contact);
    if (status != RICO_OK) return status;
    rico_constraint made = {.kind = &FORMULAS,
                            .size = own->count,
                            .moves = own->moves,
                            .restitution = contact->restitution,
                            .friction = contact->friction,
                            .rubs = law,
                            .moments = contact->moments,
                            .arm = 1.0,
                            .stiffness = contact->stiffness > 0.0 ? contact->stiffness : 1.0,
                            .exponent = contact->exponent > 0.0 ? contact->exponent : 1.5,
                            .dof_count = own->dof_count,
                            .scratch = own->scratch,
                            .data = own};
    return rico_system_add_constraint(scene->system, node->key, &made, own->dof, NULL, NULL);
}


static rico_status build_contact(rico_scene *scene, rico_node *node, rico_scene_constraint **out)
{
    rico_document *document = scene->document;
    rico_node *tangent = rico_node_at(node, "tangent"), *mu = rico_node_at(node, "friction"),
              *turning = rico_node_at(node, "turning");
    rico_status status = check_contact_keys(scene, node);
    if (status == RICO_OK) status = read_formulas(scene, rico_node_at(node, "gap"), tangent, turning, out);
    if (status != RICO_OK) return status;
    rico_scene_constraint *own = *out;
    int dimension = (int)(1 + formulas_of(tangent));
    if (own->dof_count == 0)
        return rico_document_fail(
            document, rico_node_at(node, "gap"),
            "'gap' of contact '%s' depends on no coordinate; write a distance between things "
            "that move",
            node->key);

    rico_contact contact = {.dimension = dimension, .reach = {own->dof_count, own->dof}};
    status = rico_document_real(document, rico_node_at(node, "restitution"), &contact.restitution);
    if (status == RICO_OK)
        status = rico_scene_read_friction(scene, mu, RICO_FRICTION_LISTED, &contact.friction,
                                          &contact.friction_law);
    if (status == RICO_OK)
        status = rico_document_real(document, rico_node_at(node, "stiffness"), &contact.stiffness);
    if (status == RICO_OK)
        status = rico_document_real(document, rico_node_at(node, "exponent"), &contact.exponent);
    if (status != RICO_OK) return status;
    status = check_turning(scene, mu, turning, dimension, contact.friction_law, &contact.moments);
    if (status != RICO_OK) return status;
    if (contact.friction > 0.0 && dimension == 1)
        return rico_document_fail(document, mu, "'friction' = %g needs a 'tangent' to act along",
                                  contact.friction);
    if (contact.restitution > 1.0)
        rico_scene_warn(scene, rico_node_at(node, "restitution"),
                        "the restitution of contact '%s' is %g, above 1: every impact creates energy",
                        node->key, contact.restitution);

    bool affine;
    status = is_affine(own, &affine);
    if (status != RICO_OK) return status;
    if (affine) {
        memset(scene->variables, 0, (size_t)(1 + rico_system_positions(scene->system)) * sizeof(double));
        contact.offset = rico_formula_value(own->formula[0], scene->variables, own->work);
        for (int64_t f = 0; f < own->count; f++)
            rico_formula_gradient(own->formula[f], scene->variables, own->dof_count, own->slot, own->work,
                                  own->gradient + f * own->dof_count);
        contact.gradient = own->gradient;
        return rico_system_add_contact(scene->system, node->key, &contact, NULL);
    }
    return add_by_formulas(scene, node, &contact, own);
}


static rico_status build_joint(rico_scene *scene, rico_node *node, rico_scene_constraint **out)
{
    static const char *const FOREIGN[] = {
        "between", "at",    "axis",   "second",  "length", "pitch",    "of",        "teeth",   "radius",
        "factors", "motor", "limits", "collide", "spring", "friction", "stiffness", "damping", "clearance"};
    rico_node *equations = rico_node_at(node, "equations");
    if (!equations) return rico_scene_build_body_joint(scene, node);
    for (size_t i = 0; i < sizeof FOREIGN / sizeof *FOREIGN; i++)
        if (rico_node_at(node, FOREIGN[i]))
            return rico_document_fail_key(scene->document, rico_node_at(node, FOREIGN[i]),
                                          "'%s' belongs to a joint with a 'kind', and '%s' has equations",
                                          FOREIGN[i], node->key);
    if (equations->kind == RICO_NODE_MAPPING || (equations->kind == RICO_NODE_LIST && equations->count == 0))
        return rico_document_fail(scene->document, equations,
                                  "'equations' of joint '%s' must be a formula or a list of them", node->key);
    rico_status status = read_formulas(scene, NULL, equations, NULL, out);
    if (status != RICO_OK) return status;
    rico_scene_constraint *own = *out;
    if (own->dof_count == 0)
        return rico_document_fail(scene->document, equations,
                                  "the equations of joint '%s' depend on no coordinate", node->key);
    rico_constraint made = {.kind = &FORMULAS,
                            .joint = true,
                            .size = own->count,
                            .moves = own->moves,
                            .dof_count = own->dof_count,
                            .scratch = own->scratch,
                            .data = own};
    return rico_system_add_constraint(scene->system, node->key, &made, own->dof, NULL, NULL);
}


rico_status rico_scene_build_constraints(rico_scene *scene, rico_node *root)
{
    rico_node *joints = rico_node_at(root, "joints"), *contacts = rico_node_at(root, "contacts");
    int64_t total = (joints ? joints->count : 0) + (contacts ? contacts->count : 0);
    rico_status status = make_scope(scene);
    if (status != RICO_OK) return status;
    scene->constraint = rico_alloc(scene->ctx, total, sizeof(rico_scene_constraint *));
    if (!scene->constraint) return RICO_NO_MEMORY;
    // joints that couple others come behind those
    for (int pass = 0; pass < 3; pass++) {
        rico_node *list = pass < 2 ? joints : contacts;
        for (rico_node *child = list ? list->first : NULL; child; child = child->next) {
            rico_scene_constraint *made = NULL;
            if (pass < 2 && (rico_node_at(child, "of") != NULL) != (pass == 1)) continue;
            if (pass == 2 && rico_node_at(child, "nodes"))
                status = rico_scene_build_touch(scene, child);
            else
                status = pass < 2 ? build_joint(scene, child, &made) : build_contact(scene, child, &made);
            if (made) {
                made->node = child;
                scene->constraint[scene->constraint_count++] = made;
            }
            if (status != RICO_OK) return rico_scene_place(scene, child, status);
        }
    }
    int64_t p = 0;
    rico_node *parts = rico_node_at(root, "parts");
    for (rico_node *child = parts ? parts->first : NULL; child; child = child->next, p++) {
        if (strcmp(rico_node_at(child, "kind")->text, "chain") != 0) continue;
        status = rico_scene_build_chain_contacts(scene, scene->part[p], child);
        if (status != RICO_OK) return rico_scene_place(scene, child, status);
    }
    return RICO_OK;
}
