// Loads of parts by matrices: formulas of t alone, constant or compiled.

#include "la/dense.h"
#include "model/add.h"
#include "scene/scene_private.h"

#include <string.h>

static void prepare(void *user, double *scratch)
{
    const rico_scene_part *part = user;
    rico_program_prepare(part->loads, scratch);
}


static bool fill(void *user, double *scratch, double t, double *f)
{
    const rico_scene_part *part = user;
    scratch[0] = t;
    rico_program_run(part->loads, scratch);
    for (int64_t i = 0; i < part->n; i++) f[i] = rico_program_output(part->loads, scratch, i);
    return true;
}


static bool constant(const rico_scene_part *part)
{
    for (int64_t i = 0; i < part->n; i++) {
        int64_t count = 0;
        if (part->load[i]) rico_formula_slots(part->load[i], &count);
        if (count > 0) return false;
    }
    return true;
}


static rico_status compile(rico_scene_part *part)
{
    rico_context *ctx = part->scene->ctx;
    const int64_t t_alone = 0;
    rico_graph *graph = NULL;
    rico_term *term = rico_alloc(ctx, part->n, sizeof *term);
    rico_status status = term ? rico_graph_create(ctx, 1, &graph) : RICO_NO_MEMORY;
    for (int64_t i = 0; status == RICO_OK && i < part->n; i++)
        term[i] = part->load[i] ? rico_graph_formula(graph, part->load[i], &t_alone) : RICO_TERM_ZERO;
    if (status == RICO_OK) status = rico_program_create(graph, part->n, term, &part->loads);
    rico_graph_destroy(graph);
    rico_free(ctx, term);
    return status;
}


rico_status rico_scene_add_matrices(rico_scene_part *part, rico_matrix_part *given)
{
    rico_scene *scene = part->scene;
    rico_context *ctx = scene->ctx;
    double *force = NULL;
    rico_status status = RICO_OK;
    if (part->load && constant(part)) {
        force = rico_alloc(ctx, part->n, sizeof *force);
        if (!force) return RICO_NO_MEMORY;
        for (int64_t i = 0; i < part->n; i++)
            force[i] = part->load[i] ? rico_formula_value(part->load[i], part->variables, part->work) : 0.0;
        // what is no number is told with the place of its formula, once all is read
        if (rico_all_finite(part->n, force)) given->force = force;
    } else if (part->load) {
        status = compile(part);
    }
    if (status == RICO_OK) status = rico_system_add_matrices(scene->system, part->name, given, &part->place);
    if (status == RICO_OK && part->loads) {
        const rico_scratch_load load = {fill, prepare, rico_program_room(part->loads), part};
        rico_matrices_set_load(scene->system->part[scene->system->part_count - 1], &load);
    }
    rico_free(ctx, force);
    return status;
}
