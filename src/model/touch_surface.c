// Nodes of a mesh against a surface g(t, x) = 0 of a caller's function.
//
// g need be no distance: the gap is g / |grad g|, which is the distance to first order and has the same zeros, the normal grad g / |grad g|.

#include "model/touch.h"

#include "base/context.h"
#include "model/assembly.h"
#include "model/contact_frame.h"

#include <math.h>

// Gap, normal and the surface's own velocity along the normal, away from the node being negative: d gap/dt at rest.
static bool measure(const rico_bound_touch *touch, double t, const double x[3], double *gap, double normal[3],
                    double *rate)
{
    double g = 0.0, own = 0.0, gradient[3] = {0.0, 0.0, 0.0};
    if (!touch->surface(touch->user, t, x, &g, gradient, &own)) return false;
    if (touch->dimension == 2) gradient[2] = 0.0;
    double size = rico_vec3_norm(gradient);
    if (!isfinite(g) || !isfinite(own) || !(size > 0.0) || !isfinite(size)) return false;
    rico_vec3_scale(1.0 / size, gradient, normal);
    *gap = g / size;
    *rate = own / size;
    return true;
}


static bool emit(void *user, void *of, double t, double h, const double *q, const double *v,
                 rico_emission *out)
{
    const rico_bound_touch *touch = user;
    rico_touch_memory *memory = of;
    if (!rico_touch_gather(touch, memory, SLAVE, q, v)) return false;
    for (int64_t k = 0; k < touch->side[SLAVE].count; k++) {
        const double *x = memory->x[SLAVE] + 3 * k;
        double gap, normal[3], rate, approach[3];
        if (!measure(touch, t, x, &gap, normal, &rate)) {
            out->status = rico_fail(out->assembly->ctx, RICO_BAD_INPUT,
                                    "the surface of contact %s has no value or gradient at (%g, %g, %g), "
                                    "where node %lld is",
                                    touch->name, x[0], x[1], x[2], (long long)touch->side[SLAVE].node[k]);
            return false;
        }
        rico_vec3_copy(memory->v[SLAVE] + 3 * k, approach);
        rico_vec3_add_scaled(rate, normal, approach);
        if (!(gap <= rico_touch_margin(touch, h, approach))) continue;
        rico_emitted contact = {.key = rico_touch_key(0, touch->side[SLAVE].node[k], 0),
                                .a = {.part = -1, .local = {x[0], x[1], x[2]}},
                                .gap = gap};
        rico_vec3_add_scaled(-gap, normal, contact.a.local);
        rico_frame_of(touch->dimension, normal, contact.frame);
        if (!rico_touch_emit(touch, memory, q, SLAVE, k, &contact, out)) return false;
    }
    return true;
}


static bool gap(void *user, const rico_emitted *contact, double t, const double *q, double *value)
{
    const rico_bound_touch *touch = user;
    double x[3], normal[3], rate;
    return rico_point_at(touch->system, q, &contact->b, x) && measure(touch, t, x, value, normal, &rate);
}


static bool frame(void *user, const rico_emitted *contact, double t, const double *q, rico_point *a,
                  rico_point *b, double *axes)
{
    const rico_bound_touch *touch = user;
    double x[3], normal[3], rate, own;
    (void)b;
    if (!rico_point_at(touch->system, q, &contact->b, x) || !measure(touch, t, x, &own, normal, &rate))
        return false;
    rico_vec3_copy(x, a->local);
    rico_vec3_add_scaled(-own, normal, a->local);
    rico_frame_carry(touch->dimension, contact->frame, normal, axes, contact->dimension);
    return true;
}


static bool rate(void *user, const rico_emitted *contact, double t, const double *q, double *w)
{
    const rico_bound_touch *touch = user;
    double x[3], normal[3], own;
    for (int j = 0; j < contact->dimension; j++) w[j] = 0.0;
    return rico_point_at(touch->system, q, &contact->b, x) && measure(touch, t, x, &own, normal, w);
}


rico_status rico_system_touch_surface(rico_system *system, const char *name, const rico_touch_side *nodes,
                                      rico_touch_function surface, void *user, bool moves,
                                      const rico_touch *how)
{
    rico_bound_touch *touch = NULL;
    if (!surface) return rico_fail(system->ctx, RICO_BAD_ARGUMENT, "contact %s has no function", name);
    rico_status status = rico_touch_begin(system, name, nodes, NULL, how, &touch);
    if (status != RICO_OK) return status;
    touch->surface = surface;
    touch->user = user;
    rico_contact_source source = rico_touch_source(touch);
    source.emit = emit;
    source.gap = gap;
    source.frame = frame;
    source.rate = moves ? rate : NULL;
    return rico_touch_add(system, touch, source);
}
