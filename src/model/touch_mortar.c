// Faces of one mesh against faces of another by a dual mortar: each node of the slave meets the weighted mean of the master's nodes that its
// biorthogonal function sees, along the mean normal of the slave there. docs/theory/mortar.md.
//
// The gap of node j is n_j.(x_j - sum_l M_jl x_l / D_j), the weighted gap over D_j, so that it is a length; its impulse is D_j times the mean
// pressure there. Weights and normals stand still within a step.

#include "model/touch.h"

#include "base/context.h"
#include "model/assembly.h"
#include "model/contact_frame.h"

#include <math.h>

static bool emit_node(const rico_bound_touch *touch, rico_touch_memory *memory, double h, const double *q,
                      int64_t j, rico_emission *out)
{
    const rico_mortar *mortar = &memory->mortar;
    const rico_touch_nodes *slave = &touch->side[SLAVE], *master = &touch->side[MASTER];
    int64_t first = mortar->start[j], count = mortar->start[j + 1] - first;
    if (count == 0) return true;
    rico_contact_share *share = rico_touch_shares(memory, count);
    if (!share) {
        out->status = rico_fail(out->assembly->ctx, RICO_NO_MEMORY, "out of memory for the contacts of %s",
                                touch->name);
        return false;
    }
    double way[3], velocity[3], normal[3];
    rico_vec3_copy(memory->x[SLAVE] + 3 * j, way);
    rico_vec3_copy(memory->v[SLAVE] + 3 * j, velocity);
    for (int64_t k = 0; k < count; k++) {
        const rico_mortar_share *own = &mortar->share[first + k];
        share[k] = (rico_contact_share){master->node[own->node], own->weight};
        rico_vec3_add_scaled(-own->weight, memory->x[MASTER] + 3 * own->node, way);
        rico_vec3_add_scaled(-own->weight, memory->v[MASTER] + 3 * own->node, velocity);
    }
    // from the master to the slave
    rico_vec3_scale(-1.0, mortar->normal + 3 * j, normal);
    rico_emitted contact = {.key = rico_touch_key(0, slave->node[j], slave->skin.node_patch[j]),
                            .a = {.part = master->part, .item = share[0].item},
                            .spread = (int)count,
                            .share = share,
                            .gap = rico_vec3_dot(way, normal)};
    if (!(contact.gap <= rico_touch_margin(touch, h, velocity))) return true;
    rico_frame_of(touch->dimension, normal, contact.frame);
    return rico_touch_emit(touch, memory, q, SLAVE, j, &contact, out);
}


static bool emit(void *user, void *of, double t, double h, const double *q, const double *v,
                 rico_emission *out)
{
    const rico_bound_touch *touch = user;
    rico_touch_memory *memory = of;
    double most[3] = {0.0, 0.0, 0.0};
    (void)t;
    for (int s = 0; s < SIDES; s++) {
        double speed = 0.0;
        if (!rico_touch_gather(touch, memory, s, q, v)) return false;
        for (int64_t k = 0; k < touch->side[s].count; k++)
            speed = fmax(speed, rico_vec3_norm(memory->v[s] + 3 * k));
        most[0] += speed;
    }
    double reach = touch->small ? touch->reach : fmax(touch->reach, rico_touch_margin(touch, h, most));
    rico_status status = RICO_OK;
    if (!memory->found)
        status = rico_mortar_update(&memory->mortar, rico_touch_places(touch, memory, SLAVE),
                                    rico_touch_places(touch, memory, MASTER), reach);
    if (status != RICO_OK) {
        out->status =
            rico_fail(out->assembly->ctx, status, "contact %s: %s", touch->name, rico_message(memory->ctx));
        return false;
    }
    memory->found = touch->small;
    for (int64_t j = 0; j < touch->side[SLAVE].count; j++)
        if (!emit_node(touch, memory, h, q, j, out)) return false;
    return true;
}


rico_status rico_system_touch_mortar(rico_system *system, const char *name, const rico_touch_side *slave,
                                     const rico_touch_side *master, bool radial, const rico_touch *how)
{
    static const rico_skin_options FIRST = {.linear = true, .split = true}, SECOND = {.linear = true};
    rico_bound_touch *touch = NULL;
    rico_status status = rico_touch_begin(system, name, slave, &FIRST, how, &touch);
    if (status != RICO_OK) return status;
    status = rico_touch_second(touch, master, &SECOND);
    if (status == RICO_OK && radial && touch->dimension != 2)
        status = rico_fail(system->ctx, RICO_BAD_ARGUMENT,
                           "contact %s is of bodies of revolution, but its meshes are of space", name);
    if (status != RICO_OK) {
        rico_touch_destroy(touch);
        return status;
    }
    touch->mortar = true;
    touch->radial = radial;
    rico_contact_source source = rico_touch_source(touch);
    source.emit = emit;
    return rico_touch_add(system, touch, source);
}
