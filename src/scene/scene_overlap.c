// Bodies that stand in one another at the start: refused with their names and the depth, or let through on request.

#include "model/contact_set.h"
#include "scene/scene_bodies.h"

#include <math.h>
#include <string.h>

// Depths in units of the smaller body: what round-off and a rounded number in the file explain, and what neither does.
static const double ROUND_OFF = 1e-8, DEEP = 1e-3;


// How far a body extends from one end to the other, at most; infinite for a plane.
static double extent(const rico_shape *shape)
{
    const rico_stand own = {.orientation = {1.0}};
    double lower[3], upper[3], largest = 0.0;
    rico_shape_bounds(shape, &own, lower, upper);
    for (int i = 0; i < 3; i++) largest = fmax(largest, upper[i] - lower[i]);
    return largest;
}


// The deepest contact of the state among those of the bodies; -1 where none is entered.
static int64_t deepest(const rico_scene_bodies *bodies, const rico_assembly *assembly, double *share)
{
    int64_t worst = -1;
    *share = 0.0;
    for (int64_t c = 0; c < assembly->set.count; c++) {
        const rico_constraint *contact = assembly->set.constraint[c];
        if (contact->source != bodies->source || contact->between.gap >= 0.0) continue;
        int64_t a, b;
        uint32_t on_a, on_b;
        rico_bodies_contact(bodies->set, contact->key, &a, &b, &on_a, &on_b);
        double size =
            fmin(extent(rico_bodies_shape(bodies->set, a)), extent(rico_bodies_shape(bodies->set, b)));
        if (-contact->between.gap <= *share * size) continue;
        *share = -contact->between.gap / size;
        worst = c;
    }
    return worst;
}


// The contacts of the state are collected in scene->assembly.
rico_status rico_scene_check_overlap(rico_scene *scene)
{
    const rico_scene_bodies *bodies = scene->bodies;
    const rico_node *initial = rico_node_at(rico_document_root(scene->document), "initial");
    const rico_node *flag = rico_node_at(initial, "overlap");
    bool allowed = false, changed;
    double share;
    if (!bodies) return RICO_OK;
    rico_status status = flag ? rico_document_flag(scene->document, flag, &allowed) : RICO_OK;
    if (status == RICO_OK)
        status = rico_assembly_collect(scene->assembly, rico_scene_times(scene).start, 0.0, scene->q,
                                       scene->v, &changed);
    if (status != RICO_OK || allowed) return status;
    int64_t worst = deepest(bodies, scene->assembly, &share);
    if (worst < 0 || share <= ROUND_OFF) return RICO_OK;
    const rico_constraint *contact = scene->assembly->set.constraint[worst];
    int64_t a, b;
    uint32_t on_a, on_b;
    rico_bodies_contact(bodies->set, contact->key, &a, &b, &on_a, &on_b);
    const char *one = rico_bodies_name(bodies->set, a), *other = rico_bodies_name(bodies->set, b);
    if (share > DEEP)
        return rico_document_fail_key(
            scene->document, bodies->node[b],
            "bodies '%.60s' and '%.60s' overlap by %.6g at the start; move them apart, or "
            "write 'initial: {overlap: true}'",
            one, other, -contact->between.gap);
    rico_scene_warn(scene, bodies->node[b], "bodies '%.60s' and '%.60s' overlap by %.3g at the start", one,
                    other, -contact->between.gap);
    return RICO_OK;
}
