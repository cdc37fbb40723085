// A force between parts: shares by formulas, their derivatives, and what the model asks.

#include "scene/scene_force.h"

#include "model/interaction.h"

#include <math.h>

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

static void run(const rico_scene_force *force, const rico_program *program, double *x, double t,
                const double *q, const double *v)
{
    int64_t nq = rico_system_positions(force->scene->system);
    x[0] = t;
    for (int64_t k = 0; k < force->slot_count; k++) {
        int64_t s = force->slot[k];
        x[1 + k] = s <= nq ? q[s - 1] : v ? v[s - nq - 1] : 0.0;
    }
    rico_program_run(program, x);
}


static void prepare(void *user, double *scratch)
{
    const rico_scene_force *force = user;
    rico_program_prepare(force->forces, scratch);
    rico_program_prepare(force->tangents, scratch + force->tangents_at);
    rico_program_prepare(force->energy, scratch + force->energy_at);
}


static bool forces(void *user, double *scratch, double t, const double *q, const double *v, double *applied,
                   double *damping, double *conservative)
{
    const rico_scene_force *force = user;
    double *const to[RICO_FORCE_BOOKS] = {applied, damping, conservative};
    run(force, force->forces, scratch, t, q, v);
    for (int64_t k = 0; k < force->share_count; k++) {
        double value = rico_program_output(force->forces, scratch, k);
        if (!isfinite(value)) return false;
        to[force->share[k].to][force->share[k].dof] += value;
    }
    return true;
}


static bool tangents(void *user, double *scratch, double t, const double *q, const double *v, double *K,
                     double *C)
{
    const rico_scene_force *force = user;
    double *x = scratch + force->tangents_at;
    run(force, force->tangents, x, t, q, v);
    for (int64_t k = 0; k < force->K_count; k++) K[k] = rico_program_output(force->tangents, x, k);
    for (int64_t k = 0; k < force->C_count; k++)
        C[k] = rico_program_output(force->tangents, x, force->K_count + k);
    return true;
}


static bool potential(void *user, double *scratch, const double *q, double *V)
{
    const rico_scene_force *force = user;
    double *x = scratch + force->energy_at;
    run(force, force->energy, x, 0.0, q, NULL);
    *V = rico_program_output(force->energy, x, 0);
    return isfinite(*V) != 0;
}


// --- building ------------------------------------------------------------------------------------------------------

rico_status rico_force_note_slot(rico_force_builder *b, int64_t slot)
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
rico_status rico_force_note_reads(rico_force_builder *b, const rico_formula *formula, const int64_t *of)
{
    int64_t count;
    const int64_t *slot = rico_formula_slots(formula, &count);
    rico_status status = RICO_OK;
    for (int64_t k = 0; status == RICO_OK && k < count; k++)
        status = rico_force_note_slot(b, of ? of[slot[k]] : slot[k]);
    return status;
}


// All reads are noted: the graph, and where each slot stands among its variables.
rico_status rico_force_open_graph(rico_force_builder *b)
{
    b->scene->map[0] = 0;
    for (int64_t k = 0; k < b->force->slot_count; k++) b->scene->map[b->force->slot[k]] = 1 + k;
    return rico_graph_create(b->scene->ctx, 1 + b->force->slot_count, &b->graph);
}


rico_status rico_force_add_share(rico_force_builder *b, int64_t dof, rico_force_book to, rico_term term)
{
    rico_scene_force *force = b->force;
    if (term == RICO_TERM_ZERO) return RICO_OK;
    if (force->share_count == b->share_room) {
        int64_t more = 2 * b->share_room + 8;
        rico_force_share *grown =
            rico_grow(b->scene->ctx, force->share, force->share_count, more, sizeof *grown);
        if (!grown) return RICO_NO_MEMORY;
        force->share = grown;
        b->share_room = more;
    }
    force->share[force->share_count++] = (rico_force_share){dof, to, term};
    return RICO_OK;
}


// The velocity on which the position in a variable of the force acts; -1 where it holds a velocity.
int64_t rico_force_dof(const rico_force_builder *b, int64_t variable)
{
    int64_t slot = b->force->slot[variable - 1];
    return slot <= b->nq ? rico_scene_slot_dof(b->scene, slot) : -1;
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
static rico_status derive(rico_force_builder *b, tangent_list *K, tangent_list *C)
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
            status = add_tangent(b->scene->ctx, slot <= b->nq ? K : C, row,
                                 rico_scene_slot_dof(b->scene, slot), term[k]);
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


static rico_status make_programs(rico_force_builder *b, const tangent_list *K, const tangent_list *C)
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
rico_status rico_force_finish(rico_force_builder *b, const char *name)
{
    rico_scene_force *force = b->force;
    rico_context *ctx = b->scene->ctx;
    tangent_list K = {0}, C = {0};
    rico_status status = derive(b, &K, &C);
    if (status == RICO_OK) status = rico_graph_status(b->graph);
    if (status == RICO_OK) status = make_programs(b, &K, &C);
    if (status == RICO_OK) {
        bool has[RICO_FORCE_BOOKS] = {false};
        for (int64_t k = 0; k < force->share_count; k++) has[force->share[k].to] = true;
        bool constant = !has[RICO_FORCE_APPLIED] && all_constant(b->graph, &K) && all_constant(b->graph, &C);
        force->K_count = K.count;
        force->C_count = C.count;
        force->tangents_at = rico_program_room(force->forces);
        force->energy_at = force->tangents_at + rico_program_room(force->tangents);
        force->scratch_size = force->energy_at + rico_program_room(force->energy);
        rico_interaction given = {.K = {K.count, K.row, K.col},
                                  .C = {C.count, C.row, C.col},
                                  .constant_tangents = constant,
                                  .symmetric =
                                      constant || (!has[RICO_FORCE_APPLIED] && !has[RICO_FORCE_DAMPING]),
                                  .damped = has[RICO_FORCE_DAMPING],
                                  .stiff = !constant || has[RICO_FORCE_CONSERVATIVE],
                                  .scratch = force->scratch_size,
                                  .prepare = prepare,
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


rico_status rico_force_begin(rico_scene *scene, const rico_node *node, rico_force_builder *b)
{
    *b = (rico_force_builder){.scene = scene, .nq = rico_system_positions(scene->system)};
    b->force = rico_alloc(scene->ctx, 1, sizeof *b->force);
    if (!b->force) return RICO_NO_MEMORY;
    b->force->scene = scene;
    b->force->node = node;
    // kept at once, so that it is released whatever happens
    scene->force[scene->force_count++] = b->force;
    return RICO_OK;
}


rico_status rico_force_try(rico_scene_force *force, double t, const double *q, const double *v, double *f,
                           rico_force_trial *out)
{
    rico_context *ctx = force->scene->ctx;
    double *scratch = rico_alloc(ctx, force->scratch_size, sizeof *scratch);
    if (!scratch) return RICO_NO_MEMORY;
    prepare(force, scratch);
    out->acts = false;
    out->energy = 0.0;
    out->finite = forces(force, scratch, t, q, v, f, f, f) &&
                  (!force->energy || potential(force, scratch, q, &out->energy));
    for (int64_t k = 0; out->finite && k < force->share_count; k++)
        out->acts |= rico_program_output(force->forces, scratch, k) != 0.0;
    rico_free(ctx, scratch);
    return RICO_OK;
}
