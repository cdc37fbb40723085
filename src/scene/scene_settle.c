// The equilibrium that a scene starts from: steps without inertia that all end at the start, until nothing moves any more.
//
// Loads and motions are those of the start, at once: friction that depends on the way there knows this way alone. Each step finds the contacts
// near the state that the one before left, so that what was apart may come to touch.

#include "scene/scene_private.h"

#include "ricochet/simulation.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 20 };
// Change of a position in a step over the largest change in one: what is less changes no contacts, and each step is an equilibrium by itself.
static const double STILL = 1e-3;


// One step from the state in scene->q to the start, its contact problems solved as closely as the scene asks of its own; how far it went.
static rico_status settle_once(rico_scene *scene, double t, double h, bool sticking, double *way)
{
    rico_simulation *sim = NULL;
    const rico_node *tol = rico_node_at(rico_node_at(rico_document_root(scene->document), "scheme"), "tol");
    double asked = 0.0;
    int64_t nq = rico_system_positions(scene->system);
    rico_status status = rico_simulation_create(scene->system, "quasi-static", &sim);
    if (status == RICO_OK && sticking) status = rico_simulation_set(sim, "slip", "never");
    if (status == RICO_OK && tol) status = rico_document_real(scene->document, tol, &asked);
    if (status == RICO_OK && tol) status = rico_simulation_set_number(sim, "tol", asked);
    if (status == RICO_OK) status = rico_simulation_start(sim, t - h, scene->q, scene->v);
    if (status == RICO_OK) status = rico_simulation_step(sim, h);
    *way = 0.0;
    const double *q = status == RICO_OK ? rico_simulation_position(sim) : scene->q;
    for (int64_t i = 0; i < nq; i++) *way = fmax(*way, fabs(q[i] - scene->q[i]));
    if (status == RICO_OK) memcpy(scene->q, q, (size_t)nq * sizeof *q);
    rico_simulation_destroy(sim);
    return status;
}


rico_status rico_scene_settle(rico_scene *scene)
{
    const rico_node *initial = rico_node_at(rico_document_root(scene->document), "initial"),
                    *node = rico_node_at(initial, "equilibrium"), *stick = rico_node_at(initial, "sticking");
    bool asked = false, sticking = false;
    rico_status status = node ? rico_document_flag(scene->document, node, &asked) : RICO_OK;
    if (status == RICO_OK && stick) status = rico_document_flag(scene->document, stick, &sticking);
    if (status == RICO_OK && sticking && !asked)
        return rico_document_fail_key(scene->document, stick, "'sticking' belongs to 'equilibrium: true'");
    if (status != RICO_OK || !asked) return status;
    if (!rico_scene_has_time(scene))
        return rico_document_fail_key(
            scene->document, node, "an equilibrium is that of an instant; add 'time: {end: ..., step: ...}'");
    for (int64_t i = 0; i < rico_system_velocities(scene->system); i++) scene->v[i] = 0.0;
    rico_scene_time time = rico_scene_times(scene);
    // long steps: what dashpots bear vanishes with their length
    double way = 0.0, most = 0.0, h = fmax(time.end - time.start, 1e3 * time.step);
    int steps = 0;
    do {
        status = settle_once(scene, time.start, h, sticking, &way);
        most = fmax(most, way);
    } while (status == RICO_OK && way > STILL * most && ++steps < MOST_STEPS);
    if (status == RICO_OK && way > STILL * most)
        status = rico_document_fail_key(scene->document, node,
                                        "no equilibrium was found at the start: after %d steps without "
                                        "inertia positions still move by %g",
                                        MOST_STEPS, way);
    return rico_scene_place(scene, node, status);
}
