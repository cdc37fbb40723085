// The systems of a scene over one of its parameters: what orbits are sought in.

#include "ricochet/family.h"

#include "base/context.h"
#include "scene/formula.h"
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { OWN = 2, TEXT = 192 }; // overrides of our own: the scheme, the parameter

struct rico_scene_family {
    rico_context *ctx;
    rico_scene_family_options options;
    rico_family systems;
    rico_scene *scene;
    double value;
};


static rico_status load(const rico_scene_family *self, int64_t count, const char *const *overrides,
                        rico_scene **out)
{
    rico_scene_options options = {.path = self->options.path,
                                  .text = self->options.text,
                                  .length = self->options.text ? (int64_t)strlen(self->options.text) : 0,
                                  .override_count = count,
                                  .overrides = overrides,
                                  .excerpt = self->options.excerpt,
                                  .excerpt_size = self->options.excerpt_size};
    return rico_scene_create(self->ctx, &options, out);
}


rico_status rico_scene_family_at(rico_scene_family *family, double value, rico_scene **out)
{
    const rico_scene_family_options *options = &family->options;
    char number[TEXT];
    int64_t count = options->override_count;
    const char **overrides = rico_alloc(family->ctx, count + OWN, sizeof *overrides);
    if (!overrides) return RICO_NO_MEMORY;
    for (int64_t i = 0; i < count; i++) overrides[i] = options->overrides[i];
    overrides[count++] = "scheme=event-driven";
    if (options->parameter) {
        snprintf(number, sizeof number, "%s=%.17g", options->parameter, value);
        overrides[count++] = number;
    }
    rico_status status = load(family, count, overrides, out);
    rico_free(family->ctx, (void *)overrides);
    return status;
}


// Impacts that accumulate are part of many orbits; unless the scene has a word about them, series end with hops of 1e-4 of the first one's time, 1e-8 of its height.
static rico_status pass_accumulations(rico_simulation *sim)
{
    double share = 0.0;
    rico_status status = rico_simulation_get_number(sim, "accumulation", &share);
    return status == RICO_OK && share == 0.0 ? rico_simulation_set_number(sim, "accumulation", 1e-4) : status;
}


static rico_status make(void *user, double value, rico_simulation **sim, void **owner)
{
    rico_scene_family *self = user;
    rico_scene *scene = NULL;
    rico_status status = rico_scene_family_at(self, value, &scene);
    if (status == RICO_OK) status = rico_scene_prepare(scene, sim);
    // impacts are differentiated: they must be solved as well as numbers allow
    if (status == RICO_OK) status = rico_simulation_set_number(*sim, "tol", 1e-12);
    if (status == RICO_OK) status = pass_accumulations(*sim);
    if (status != RICO_OK) {
        rico_scene_destroy(scene);
        return status;
    }
    *owner = scene;
    return RICO_OK;
}


static void drop(void *user, rico_simulation *sim, void *owner)
{
    (void)user;
    rico_simulation_destroy(sim);
    rico_scene_destroy(owner);
}


static rico_status period_of(void *user, double value, double *period)
{
    rico_scene_family *self = user;
    rico_scene *scene = NULL;
    rico_status status = rico_scene_family_at(self, value, &scene);
    if (status == RICO_OK) {
        const rico_scope *scope = &rico_scene_parameters(scene)->scope;
        status = rico_formula_constant(self->ctx, self->options.period, scope, NULL, period);
        if (status != RICO_OK) status = rico_fail_in(self->ctx, status, "the period");
    }
    rico_scene_destroy(scene);
    return status;
}


static rico_status find_parameter(rico_scene_family *self)
{
    const char *name;
    for (int64_t i = 0; (name = rico_scene_parameter(self->scene, i, &self->value)); i++)
        if (strcmp(name, self->options.parameter) == 0) return RICO_OK;
    return rico_fail(self->ctx, RICO_BAD_ARGUMENT, "the scene has no parameter \"%s\"",
                     self->options.parameter);
}


rico_status rico_scene_family_create(rico_context *ctx, const rico_scene_family_options *options,
                                     rico_scene_family **out)
{
    rico_scene_family *self = rico_alloc(ctx, 1, sizeof *self);
    *out = NULL;
    if (!self) return RICO_NO_MEMORY;
    self->ctx = ctx;
    self->options = *options;
    self->systems = (rico_family){.make = make, .drop = drop, .user = self};
    if (options->period) self->systems.period = period_of;
    rico_status status = load(self, options->override_count, options->overrides, &self->scene);
    if (status == RICO_OK && options->parameter && strlen(options->parameter) > TEXT - 32)
        status = rico_fail(ctx, RICO_BAD_ARGUMENT, "the name of the parameter is too long");
    if (status == RICO_OK && options->parameter) status = find_parameter(self);
    if (status != RICO_OK) {
        rico_scene_family_destroy(self);
        return status;
    }
    *out = self;
    return RICO_OK;
}


void rico_scene_family_destroy(rico_scene_family *family)
{
    if (!family) return;
    rico_scene_destroy(family->scene);
    rico_free(family->ctx, family);
}


const rico_family *rico_scene_family_systems(const rico_scene_family *family)
{
    return &family->systems;
}


rico_scene *rico_scene_family_scene(rico_scene_family *family)
{
    return family->scene;
}


double rico_scene_family_value(const rico_scene_family *family)
{
    return family->value;
}
