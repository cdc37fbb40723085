// Nodes of one mesh against faces of another: each meets the nearest point of a face, and presses on the nodes of that face by the values of
// their shape functions there. Within a step the point stays where it was found on the face.

#include "model/touch.h"

#include "base/context.h"
#include "model/assembly.h"
#include "model/contact_frame.h"

#include <math.h>

static double fastest(const double *v, int64_t count)
{
    double most = 0.0;
    for (int64_t k = 0; k < count; k++) most = fmax(most, rico_vec3_norm(v + 3 * k));
    return most;
}


// The shares of a face's nodes at the place of a hit, where that is now, and the velocity there.
static bool share_out(const rico_bound_touch *touch, rico_touch_memory *memory, int other,
                      const rico_skin_hit *hit, rico_emitted *contact, double at[3], double velocity[3])
{
    const rico_skin *skin = &touch->side[other].skin;
    int64_t first = skin->start[hit->face], count = skin->start[hit->face + 1] - first;
    double N[RICO_FACE_NODES];
    rico_contact_share *share = rico_touch_shares(memory, count);
    if (!share) return false;
    rico_face_shape(skin->kind[hit->face], hit->near.xi, N, NULL);
    rico_vec3_set(0.0, 0.0, 0.0, at);
    rico_vec3_set(0.0, 0.0, 0.0, velocity);
    for (int64_t k = 0; k < count; k++) {
        int64_t local = skin->local[first + k];
        share[k] = (rico_contact_share){skin->node[local], N[k]};
        rico_vec3_add_scaled(N[k], memory->x[other] + 3 * local, at);
        rico_vec3_add_scaled(N[k], memory->v[other] + 3 * local, velocity);
    }
    contact->share = share;
    contact->spread = (int)count;
    contact->a = (rico_point){.part = touch->side[other].part, .item = share[0].item};
    return true;
}


// All contacts of one node.
static bool emit_node(const rico_bound_touch *touch, rico_touch_memory *memory, double h, const double *q,
                      int side, int64_t k, double speed, rico_emission *out)
{
    const double *x = memory->x[side] + 3 * k, *v = memory->v[side] + 3 * k;
    const double most[3] = {rico_vec3_norm(v) + speed, 0.0, 0.0};
    double above = touch->small ? touch->reach : rico_touch_margin(touch, h, most);
    rico_skin_hit hit[RICO_SKIN_HITS];
    int count = rico_skin_look(&memory->search[1 - side], rico_touch_places(touch, memory, side) + 3 * k,
                               above, touch->reach, hit);
    for (int i = 0; i < count; i++) {
        int32_t patch = touch->side[1 - side].skin.patch[hit[i].face];
        double at[3], velocity[3];
        rico_emitted contact = {.key = rico_touch_key(side, touch->side[side].node[k], patch),
                                .gap = hit[i].gap};
        if (!share_out(touch, memory, 1 - side, &hit[i], &contact, at, velocity)) {
            out->status = rico_fail(out->assembly->ctx, RICO_NO_MEMORY,
                                    "out of memory for the contacts of %s", touch->name);
            return false;
        }
        rico_vec3_subtract(x, at, at);
        rico_vec3_subtract(v, velocity, velocity);
        if (touch->small) contact.gap = rico_vec3_dot(hit[i].normal, at);
        if (!(contact.gap <= rico_touch_margin(touch, h, velocity))) continue;
        rico_frame_of(touch->dimension, hit[i].normal, contact.frame);
        if (!rico_touch_emit(touch, memory, q, side, k, &contact, out)) return false;
    }
    return true;
}


static bool emit(void *user, void *of, double t, double h, const double *q, const double *v,
                 rico_emission *out)
{
    const rico_bound_touch *touch = user;
    rico_touch_memory *memory = of;
    (void)t;
    for (int s = 0; s < SIDES; s++)
        if (!rico_touch_gather(touch, memory, s, q, v)) return false;
    for (int s = 0; s < (touch->both ? SIDES : 1); s++) {
        double speed = fastest(memory->v[1 - s], touch->side[1 - s].count);
        const double *places = rico_touch_places(touch, memory, 1 - s);
        rico_status status =
            memory->found ? RICO_OK : rico_skin_search_update(&memory->search[1 - s], places);
        if (status != RICO_OK) {
            out->status = rico_fail(out->assembly->ctx, status, "contact %s: %s", touch->name,
                                    rico_message(memory->ctx));
            return false;
        }
        for (int64_t k = 0; k < touch->side[s].count; k++)
            if (!emit_node(touch, memory, h, q, s, k, speed, out)) return false;
    }
    memory->found = touch->small;
    return true;
}


rico_status rico_system_touch_faces(rico_system *system, const char *name, const rico_touch_side *nodes,
                                    const rico_touch_side *faces, bool both, const rico_touch *how)
{
    static const rico_skin_options AS_IT_IS = {.linear = false};
    rico_bound_touch *touch = NULL;
    rico_status status = rico_touch_begin(system, name, nodes, both ? &AS_IT_IS : NULL, how, &touch);
    if (status != RICO_OK) return status;
    status = rico_touch_second(touch, faces, &AS_IT_IS);
    if (status != RICO_OK) {
        rico_touch_destroy(touch);
        return status;
    }
    touch->both = both;
    if (both)
        rico_log(system->ctx, RICO_LOG_WARNING,
                 "contact %s runs both ways: some of its conditions follow from others, and pressures are "
                 "not unique",
                 name);
    rico_contact_source source = rico_touch_source(touch);
    source.emit = emit;
    return rico_touch_add(system, touch, source);
}
