// Strains of elastic parts that are too large for linear elasticity.

#include "store/strain_watch.h"

#include "ricochet/elastic.h"
#include "scene/scene_elastic.h"

#include <stdio.h>

// Steps with inertia from one look to the next. A look costs 0.07 to 0.4 steps on meshes from some hundred elements on, and so less than one in a hundred of the
// run; on a hundred elements, where a step takes microseconds, up to three steps.
enum { STRIDE = 64 };


static rico_status look(rico_context *ctx, const rico_scene *scene, int64_t index, rico_simulation *sim,
                        rico_runner_result *result)
{
    const char *name;
    int64_t part, element;
    rico_place place;
    double strain, limit = rico_scene_strain_limit(scene, index);
    (void)rico_scene_elastic_part(scene, index, &name, &part, &place);
    rico_status status = rico_elastic_strain(rico_scene_system((rico_scene *)scene), ctx, part,
                                             rico_simulation_position(sim) + place.q, &strain, &element);
    if (status != RICO_OK || !(strain > limit && strain > result->strain)) return status;
    result->strain = strain;
    result->strain_time = rico_simulation_time(sim);
    result->strain_element = element;
    snprintf(result->strained, sizeof result->strained, "%s", name);
    return RICO_OK;
}


rico_status rico_strain_watch(rico_context *ctx, const rico_scene *scene, rico_simulation *sim, bool last,
                              rico_runner_result *result)
{
    int64_t count = rico_scene_elastic_count(scene);
    rico_status status = RICO_OK;
    // what a motion without inertia starts from is no equilibrium yet
    bool statics = rico_scheme_find(rico_scene_scheme(scene))->statics;
    int64_t steps = rico_simulation_steps(sim);
    bool due = statics ? steps > 0 : last || steps % STRIDE == 0;
    for (int64_t i = 0; status == RICO_OK && due && i < count; i++) status = look(ctx, scene, i, sim, result);
    return status;
}
