// The family of systems that orbits are sought in: simulations at a value of the parameter, and at its neighbours for difference quotients.

#include "orbit/orbit.h"

#include <math.h>
#include <string.h>

rico_orbit_options rico_orbit_defaults(void)
{
    return (rico_orbit_options){.tol = 1e-10, .iterations = 30, .pieces = 1, .multiple = 1};
}


rico_status rico_orbits_create(rico_context *ctx, const rico_family *family,
                               const rico_orbit_options *options, rico_orbits **out)
{
    *out = NULL;
    rico_orbits *self = rico_alloc(ctx, 1, sizeof *self);
    if (!self) return RICO_NO_MEMORY;
    self->ctx = ctx;
    self->family = family;
    self->options = options ? *options : rico_orbit_defaults();
    if (self->options.multiple < 1 || self->options.pieces < 1 || self->options.iterations < 1) {
        rico_free(ctx, self);
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "orbits need at least one period, one piece and one iteration");
    }
    *out = self;
    return RICO_OK;
}


static void drop(rico_orbits *self)
{
    for (int k = 0; k < RICO_FAN; k++) {
        if (self->sim[k]) self->family->drop(self->family->user, self->sim[k], self->owner[k]);
        self->sim[k] = NULL;
    }
    self->made = self->wide = false;
}


void rico_orbits_destroy(rico_orbits *orbits)
{
    if (!orbits) return;
    drop(orbits);
    rico_free(orbits->ctx, orbits);
}


// Member k of the fan.
static rico_status make(rico_orbits *self, int k, double value, double t, const double *q, const double *v)
{
    rico_status status = self->family->make(self->family->user, value, &self->sim[k], &self->owner[k]);
    if (status != RICO_OK) {
        self->sim[k] = NULL;
        return status;
    }
    rico_simulation *sim = self->sim[k];
    status = rico_segment_prepare(sim, t, q, v);
    if (status != RICO_OK) return status;
    int64_t rows = sim->assembly->set.rows, constraints = sim->assembly->set.count;
    if (self->nv == 0) {
        self->nq = sim->nq;
        self->nv = sim->nv;
        self->rows = rows;
        self->constraints = constraints;
    }
    if (self->nq != sim->nq || self->nv != sim->nv || self->rows != rows || self->constraints != constraints)
        return rico_fail(self->ctx, RICO_BAD_INPUT,
                         "the system has other coordinates or contacts at the value %g", value);
    return RICO_OK;
}


rico_status rico_orbits_at(rico_orbits *orbits, double value, bool wide, double t, const double *q,
                           const double *v)
{
    static const double PLACE[RICO_FAN] = {0.0, -2.0, -1.0, 1.0, 2.0};
    if (orbits->made && orbits->value == value && (orbits->wide || !wide)) return RICO_OK;
    if (!(orbits->made && orbits->value == value)) drop(orbits);
    orbits->value = value;
    orbits->stride = orbits->family->stride > 0.0 ? orbits->family->stride : 1e-4 * fmax(1.0, fabs(value));
    for (int k = 0; k < (wide ? RICO_FAN : 1); k++) {
        if (orbits->sim[k]) continue;
        rico_status status = make(orbits, k, value + PLACE[k] * orbits->stride, t, q, v);
        if (status != RICO_OK) {
            drop(orbits);
            return status;
        }
    }
    orbits->made = true;
    orbits->wide = orbits->wide || wide;
    return RICO_OK;
}


rico_status rico_orbits_period(const rico_orbits *orbits, double value, double *period)
{
    rico_status status = orbits->family->period(orbits->family->user, value, period);
    *period *= (double)orbits->options.multiple;
    if (status == RICO_OK && !(*period > 0.0 && isfinite(*period)))
        return rico_fail(orbits->ctx, RICO_BAD_INPUT, "the period must be positive, not %g", *period);
    return status;
}
