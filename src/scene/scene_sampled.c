// Sampled parts of a scene: numbers that a clock updates, by formulas of the whole state.

#include "ricochet/sampler.h"
#include "scene/scene_private.h"

#include <math.h>
#include <string.h>

typedef struct rico_scene_sampled {
    const rico_scene_part *part;
    double every;
    int64_t reads, *slot; // of the scene's state, t left out
    rico_program *update;
} rico_scene_sampled;


static void prepare(void *user, double *scratch)
{
    const rico_scene_sampled *sampled = user;
    rico_program_prepare(sampled->update, scratch);
}


static bool update(void *user, double *scratch, double t, const double *q, const double *v, double *values)
{
    const rico_scene_sampled *sampled = user;
    int64_t nq = rico_system_positions(sampled->part->scene->system);
    scratch[0] = t;
    for (int64_t k = 0; k < sampled->reads; k++) {
        int64_t s = sampled->slot[k];
        scratch[1 + k] = s <= nq ? q[s - 1] : v[s - nq - 1];
    }
    rico_program_run(sampled->update, scratch);
    for (int64_t i = 0; i < sampled->part->n; i++)
        values[i] = rico_program_output(sampled->update, scratch, i);
    return true;
}


// What a formula reads becomes variables of the program.
static rico_status note_reads(rico_scene *scene, rico_scene_sampled *sampled, const rico_formula *formula)
{
    int64_t count;
    const int64_t *slot = rico_formula_slots(formula, &count);
    for (int64_t k = 0; k < count; k++) {
        int64_t at = 0;
        while (at < sampled->reads && sampled->slot[at] != slot[k]) at++;
        if (slot[k] == 0 || at < sampled->reads) continue;
        int64_t *grown = rico_grow(scene->ctx, sampled->slot, sampled->reads, at + 1, sizeof *grown);
        if (!grown) return RICO_NO_MEMORY;
        sampled->slot = grown;
        sampled->slot[sampled->reads++] = slot[k];
    }
    return RICO_OK;
}


static rico_status compile(rico_scene *scene, rico_scene_sampled *sampled, rico_formula *const *formula)
{
    int64_t n = sampled->part->n;
    rico_graph *graph = NULL;
    rico_term *term = rico_alloc(scene->ctx, n, sizeof *term);
    rico_status status = term ? rico_graph_create(scene->ctx, 1 + sampled->reads, &graph) : RICO_NO_MEMORY;
    scene->map[0] = 0;
    for (int64_t k = 0; k < sampled->reads; k++) scene->map[sampled->slot[k]] = 1 + k;
    for (int64_t i = 0; status == RICO_OK && i < n; i++)
        term[i] = rico_graph_formula(graph, formula[i], scene->map);
    if (status == RICO_OK) status = rico_graph_status(graph);
    if (status == RICO_OK) status = rico_program_create(graph, n, term, &sampled->update);
    rico_graph_destroy(graph);
    rico_free(scene->ctx, term);
    return status;
}


static rico_status read_update(rico_scene *scene, rico_scene_sampled *sampled)
{
    const rico_scene_part *part = sampled->part;
    const rico_node *node = rico_node_at(part->node, "update");
    bool list = node->kind == RICO_NODE_LIST;
    if (list ? node->count != part->n : part->n != 1 || node->kind != RICO_NODE_SCALAR)
        return rico_document_fail(scene->document, node,
                                  "'update' of part '%s' must be a list of %lld formulas, one for each state",
                                  part->name, (long long)part->n);
    rico_formula **formula = rico_alloc(scene->ctx, part->n, sizeof(rico_formula *));
    rico_status status = formula ? RICO_OK : RICO_NO_MEMORY;
    const rico_node *own = list ? node->first : node;
    for (int64_t i = 0; status == RICO_OK && i < part->n; i++, own = own->next) {
        status = rico_document_formula(scene->document, own, &scene->state_scope, &formula[i]);
        if (status == RICO_OK) status = note_reads(scene, sampled, formula[i]);
    }
    if (status == RICO_OK) status = compile(scene, sampled, formula);
    for (int64_t i = 0; formula && i < part->n; i++) rico_formula_destroy(formula[i]);
    rico_free(scene->ctx, formula);
    return status;
}


static rico_status build(rico_scene *scene, rico_scene_sampled *sampled)
{
    const rico_scene_part *part = sampled->part;
    int64_t *dof = rico_alloc(scene->ctx, part->n, sizeof *dof);
    rico_status status = dof ? read_update(scene, sampled) : RICO_NO_MEMORY;
    if (status == RICO_OK)
        status = rico_document_real(scene->document, rico_node_at(part->node, "every"), &sampled->every);
    for (int64_t i = 0; dof && i < part->n; i++) dof[i] = part->place.v + i;
    if (status == RICO_OK) {
        const rico_sampler given = {.every = sampled->every,
                                    .count = part->n,
                                    .dof = dof,
                                    .scratch = rico_program_room(sampled->update),
                                    .prepare = prepare,
                                    .update = update,
                                    .user = sampled};
        status =
            rico_scene_place(scene, part->node, rico_system_add_sampler(scene->system, part->name, &given));
    }
    rico_free(scene->ctx, dof);
    return status;
}


rico_status rico_scene_build_sampled(rico_scene *scene)
{
    scene->sampled = rico_alloc(scene->ctx, scene->part_count, sizeof(rico_scene_sampled *));
    rico_status status = scene->sampled ? RICO_OK : RICO_NO_MEMORY;
    for (int64_t p = 0; status == RICO_OK && p < scene->part_count; p++) {
        const rico_scene_part *part = scene->part[p];
        if (!rico_node_at(part->node, "update")) continue;
        rico_scene_sampled *sampled = rico_alloc(scene->ctx, 1, sizeof *sampled);
        if (!sampled) return RICO_NO_MEMORY;
        sampled->part = part;
        scene->sampled[scene->sampled_count++] = sampled;
        status = build(scene, sampled);
    }
    return status;
}


void rico_scene_sampled_destroy(rico_scene *scene)
{
    for (int64_t i = 0; i < scene->sampled_count; i++) {
        rico_program_destroy(scene->sampled[i]->update);
        rico_free(scene->ctx, scene->sampled[i]->slot);
        rico_free(scene->ctx, scene->sampled[i]);
    }
    rico_free(scene->ctx, scene->sampled);
}


static bool whole(double ratio)
{
    return fabs(ratio - nearbyint(ratio)) <= 1e-6;
}


rico_status rico_scene_check_sampled(rico_scene *scene, const rico_scene_time *time)
{
    for (int64_t i = 0; i < scene->sampled_count; i++) {
        const rico_scene_sampled *sampled = scene->sampled[i];
        const rico_node *every = rico_node_at(sampled->part->node, "every");
        if (time->adaptive)
            return rico_document_fail(scene->document, every,
                                      "part '%s' is sampled, and steps that adapt do not meet its clock; "
                                      "take 'adaptive: false'",
                                      sampled->part->name);
        if (!whole(sampled->every / time->step) || !whole(time->start / time->step))
            return rico_document_fail(scene->document, every,
                                      "part '%s' is sampled every %g, which is no multiple of the step %g%s",
                                      sampled->part->name, sampled->every, time->step,
                                      whole(sampled->every / time->step) ? " counted from t = 0" : "");
    }
    return RICO_OK;
}
