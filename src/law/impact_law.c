// The table of laws and the life of one: create, options, setup, apply, destroy.

#include "law/impact_law.h"

#include "base/option.h"
#include "la/dense.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const rico_impact_law_method *const table[] = {
    &rico_moreau_method,        &rico_newton_method,        &rico_poisson_method,
    &rico_binary_method,        &rico_lzb_method,           &rico_cradle_method,
    &rico_lzb_friction_method,  &rico_compliant_methods[0], &rico_compliant_methods[1],
    &rico_compliant_methods[2], &rico_compliant_methods[3], &rico_compliant_methods[4],
    &rico_compliant_methods[5], &rico_compliant_methods[6], &rico_compliant_methods[7],
    &rico_compliant_methods[8], &rico_compliant_methods[9],
};
enum { LAWS = sizeof table / sizeof table[0] };

// part of the terms of a gap velocity that counts as round-off
static const double round_off = 512.0 * DBL_EPSILON;

static const struct {
    const char *name, *sentence;
} stops[RICO_IMPACT_STOPS] = {
    [RICO_IMPACT_DONE] = {"done", "the impact is over"},
    [RICO_IMPACT_SWEPT] = {"swept", "the sweeps asked for are done; contacts may still close"},
    [RICO_IMPACT_INFINITE] = {"infinite", "the sequence of collisions is infinite"},
    [RICO_IMPACT_DECAYED] = {"decayed",
                             "approach velocities sank to round-off: the sequence of collisions is "
                             "infinite, or too long to follow"},
    [RICO_IMPACT_MAX_COUNT] = {"max-count", "the limit of collisions or steps was reached"},
    [RICO_IMPACT_NO_SOLUTION] = {"no-solution", "no impulses satisfy the law"},
    [RICO_IMPACT_DIVERGED] = {"diverged", "the integration left the range of numbers: the step is too long"},
    [RICO_IMPACT_STOPPED] = {"stopped", "interrupted"},
};


const char *rico_impact_stop_name(rico_impact_stop stop)
{
    return (unsigned)stop < RICO_IMPACT_STOPS ? stops[stop].name : "unknown";
}


const char *rico_impact_stop_sentence(rico_impact_stop stop)
{
    return (unsigned)stop < RICO_IMPACT_STOPS ? stops[stop].sentence : "unknown";
}


const rico_impact_law_info *rico_impact_law_at(int index)
{
    return index >= 0 && index < LAWS ? &table[index]->info : NULL;
}


static const rico_impact_law_method *find_method(const char *name)
{
    for (int i = 0; i < LAWS; i++)
        if (strcmp(table[i]->info.name, name) == 0) return table[i];
    return NULL;
}


const rico_impact_law_info *rico_impact_law_find(const char *name)
{
    const rico_impact_law_method *method = find_method(name);
    return method ? &method->info : NULL;
}


rico_status rico_impact_law_create(rico_context *ctx, const char *name, rico_impact_law **out)
{
    const rico_impact_law_method *method = find_method(name);
    if (!method) return rico_fail(ctx, RICO_BAD_ARGUMENT, "there is no impact law \"%s\"", name);
    rico_impact_law *law = rico_alloc(ctx, 1, sizeof *law);
    if (!law) return RICO_NO_MEMORY;
    law->ctx = ctx;
    law->method = method;
    law->option = rico_alloc(ctx, method->info.option_count, sizeof *law->option);
    if (!law->option) {
        rico_impact_law_destroy(law);
        return RICO_NO_MEMORY;
    }
    for (int i = 0; i < method->info.option_count; i++) law->option[i] = method->info.options[i].standard;
    *out = law;
    return RICO_OK;
}


// Leaves the law as before any setup.
static void forget_impact(rico_impact_law *law)
{
    rico_context *ctx = law->ctx;
    if (law->work) law->method->cleanup(law);
    rico_free(ctx, law->velocity);
    rico_free(ctx, law->before);
    rico_free(ctx, law->after);
    rico_free(ctx, law->impulse);
    rico_free(ctx, law->loss);
    rico_free(ctx, law->compression);
    rico_free(ctx, law->potential);
    rico_free(ctx, law->impacts);
    rico_free(ctx, law->order);
    rico_free(ctx, law->witness);
    rico_free(ctx, law->slip_before);
    rico_free(ctx, law->tangential);
    rico_free(ctx, law->both_after);
    rico_free(ctx, law->both);
    law->slip_before = law->tangential = law->both_after = law->both = NULL;
    law->velocity = law->before = law->after = law->impulse = NULL;
    law->loss = law->compression = law->potential = law->witness = NULL;
    law->impacts = law->order = NULL;
    law->work = NULL;
    law->impact = NULL;
}


void rico_impact_law_destroy(rico_impact_law *law)
{
    if (!law) return;
    forget_impact(law);
    rico_free(law->ctx, law->option);
    rico_free(law->ctx, law);
}


// Index of an option, or -1 with a message.
static int find_option(const rico_impact_law *law, const char *name)
{
    const rico_impact_law_info *info = &law->method->info;
    int index = rico_option_find(info->options, info->option_count, name);
    if (index < 0)
        rico_fail(law->ctx, RICO_BAD_ARGUMENT, "the impact law %s has no option \"%s\"", info->name, name);
    return index;
}


rico_status rico_impact_law_set(rico_impact_law *law, const char *name, const char *value)
{
    int index = find_option(law, name);
    if (index < 0) return RICO_BAD_ARGUMENT;
    return rico_option_parse(law->ctx, &law->method->info.options[index], value, &law->option[index]);
}


rico_status rico_impact_law_set_number(rico_impact_law *law, const char *name, double value)
{
    int index = find_option(law, name);
    if (index < 0) return RICO_BAD_ARGUMENT;
    rico_status status = rico_option_check(law->ctx, &law->method->info.options[index], value);
    if (!status) law->option[index] = value;
    return status;
}


rico_status rico_impact_law_get_number(const rico_impact_law *law, const char *name, double *value)
{
    int index = find_option(law, name);
    if (index < 0) return RICO_BAD_ARGUMENT;
    *value = law->option[index];
    return RICO_OK;
}


// Work space of a law that knows friction; refuses the others where there is some.
static rico_status prepare_friction(rico_impact_law *law)
{
    const rico_impact *impact = law->impact;
    int64_t slips = impact->contacts * impact->directions, all = impact->contacts + slips;
    if (!impact->full) return RICO_OK;
    for (int64_t j = 0; j < impact->contacts && !law->method->info.friction; j++)
        if (impact->active[j] && impact->friction[j] > 0.0)
            return rico_fail(law->ctx, RICO_BAD_ARGUMENT,
                             "%s knows no friction, and contact %lld has mu = %g", law->method->info.name,
                             (long long)j, impact->friction[j]);
    law->slip_before = rico_alloc(law->ctx, slips, sizeof *law->slip_before);
    law->tangential = rico_alloc(law->ctx, slips, sizeof *law->tangential);
    law->both_after = rico_alloc(law->ctx, all, sizeof *law->both_after);
    law->both = rico_alloc(law->ctx, all, sizeof *law->both);
    return law->slip_before && law->tangential && law->both_after && law->both ? RICO_OK : RICO_NO_MEMORY;
}


rico_status rico_impact_law_setup(rico_impact_law *law, const rico_impact *impact)
{
    rico_context *ctx = law->ctx;
    int64_t h = impact->contacts;
    forget_impact(law);
    law->impact = impact;
    rico_status ready = prepare_friction(law);
    if (ready) {
        forget_impact(law);
        return ready;
    }
    law->velocity = rico_alloc(ctx, impact->dofs, sizeof *law->velocity);
    law->before = rico_alloc(ctx, h, sizeof *law->before);
    law->after = rico_alloc(ctx, h, sizeof *law->after);
    law->impulse = rico_alloc(ctx, h, sizeof *law->impulse);
    law->loss = rico_alloc(ctx, h, sizeof *law->loss);
    law->compression = rico_alloc(ctx, h, sizeof *law->compression);
    law->potential = rico_alloc(ctx, h, sizeof *law->potential);
    law->impacts = rico_alloc(ctx, h, sizeof *law->impacts);
    law->order = rico_alloc(ctx, h, sizeof *law->order);
    bool vectors = law->velocity && law->before && law->after && law->impulse && law->loss &&
                   law->compression && law->potential;
    rico_status status = vectors && law->impacts && law->order ? law->method->setup(law) : RICO_NO_MEMORY;
    if (status) {
        forget_impact(law);
        return status;
    }
    for (int64_t j = 0; j < h; j++) law->order[j] = j;
    return RICO_OK;
}


rico_status rico_impact_law_set_order(rico_impact_law *law, int64_t count, const int64_t *contacts)
{
    if (!law->impact) return rico_fail(law->ctx, RICO_BAD_ARGUMENT, "an order before the law was set up");
    int64_t h = law->impact->contacts;
    if (count != h)
        return rico_fail(law->ctx, RICO_BAD_ARGUMENT, "an order of %lld contacts for an impact of %lld",
                         (long long)count, (long long)h);

    // `impacts` is free between two uses of the law: it counts how often each contact is named
    memset(law->impacts, 0, (size_t)h * sizeof *law->impacts);
    for (int64_t k = 0; k < h; k++)
        if (contacts[k] < 0 || contacts[k] >= h || law->impacts[contacts[k]]++)
            return rico_fail(law->ctx, RICO_BAD_ARGUMENT,
                             "entry %lld of the order, %lld, is no contact or one named before", (long long)k,
                             (long long)contacts[k]);
    memcpy(law->order, contacts, (size_t)h * sizeof *contacts);
    return RICO_OK;
}


void rico_impact_law_set_observer(rico_impact_law *law, rico_impact_observer function, void *user,
                                  int64_t every)
{
    law->observer = function;
    law->observer_user = user;
    law->observe_every = every > 0 ? every : 1;
}


void rico_impact_law_stop(rico_impact_law *law, rico_impact_stop stop, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(law->note, sizeof law->note, format, arguments);
    va_end(arguments);
    law->stop = stop;
}


rico_status rico_impact_law_run(rico_impact_law *law)
{
    int64_t h = law->impact->contacts;
    law->stop = RICO_IMPACT_DONE;
    law->note[0] = '\0';
    law->collisions = law->steps = 0;
    law->duration = law->criterion = 0.0;
    for (int64_t j = 0; j < h; j++) {
        law->impulse[j] = law->loss[j] = law->compression[j] = law->potential[j] = 0.0;
        law->impacts[j] = 0;
        law->after[j] = law->before[j];
    }
    for (int64_t i = 0; i < h * law->impact->directions; i++) law->tangential[i] = 0.0;
    rico_status status = law->method->apply(law);
    if (status) return status;
    if (!law->impact->full) {
        rico_csc_times(&law->impact->G, 1.0, law->impulse, 1.0, law->after);
        return RICO_OK;
    }

    // with friction: normals and directions together
    int64_t slips = h * law->impact->directions;
    memcpy(law->both, law->impulse, (size_t)h * sizeof *law->both);
    memcpy(law->both + h, law->tangential, (size_t)slips * sizeof *law->both);
    memcpy(law->both_after, law->before, (size_t)h * sizeof *law->both_after);
    memcpy(law->both_after + h, law->slip_before, (size_t)slips * sizeof *law->both_after);
    rico_csc_times(&law->impact->full->G, 1.0, law->both, 1.0, law->both_after);
    memcpy(law->after, law->both_after, (size_t)h * sizeof *law->after);
    return RICO_OK;
}


static void report(const rico_impact_law *law, rico_impact_result *result)
{
    *result =
        (rico_impact_result){.stop = law->stop,
                             .collisions = law->collisions,
                             .steps = law->steps,
                             .duration = law->duration,
                             .criterion = law->criterion,
                             .energy_before = NAN,
                             .energy_after = NAN,
                             .impulse = law->impulse,
                             .gap_before = law->before,
                             .gap_after = law->after,
                             .loss = law->loss,
                             .compression = law->compression,
                             .potential = law->potential,
                             .tangential = law->tangential,
                             .slip_before = law->slip_before,
                             .slip_after = law->both_after ? law->both_after + law->impact->contacts : NULL,
                             .impacts = law->impacts};
    memcpy(result->note, law->note, sizeof result->note);
}


// The law must have a system, and the vector be finite.
static rico_status check_ready(const rico_impact_law *law, const char *name, int64_t count, const double *x)
{
    if (!law->impact)
        return rico_fail(law->ctx, RICO_BAD_ARGUMENT, "the impact law %s was not set up",
                         law->method->info.name);
    if (law->impact->full && !law->both)
        return rico_fail(law->ctx, RICO_BAD_ARGUMENT, "the impact got friction after the law %s was set up",
                         law->method->info.name);
    for (int64_t i = 0; i < count; i++)
        if (!isfinite(x[i]))
            return rico_fail(law->ctx, RICO_BAD_INPUT, "%s[%lld] = %g before the impact", name, (long long)i,
                             x[i]);
    return RICO_OK;
}


// gamma- = W'u-, where what is round-off of its terms is rest: contacts that move together neither close nor open.
static void gap_velocity_before(rico_impact_law *law, const double *velocity)
{
    const rico_csc *W = &law->impact->W;
    for (int64_t j = 0; j < W->cols; j++) {
        double sum = 0.0, size = 0.0;
        for (int64_t k = W->start[j]; k < W->start[j + 1]; k++) {
            sum += W->value[k] * velocity[W->row[k]];
            size += fabs(W->value[k] * velocity[W->row[k]]);
        }
        law->before[j] = fabs(sum) > round_off * size ? sum : 0.0;
    }
}


rico_status rico_impact_law_apply(rico_impact_law *law, const double *velocity, rico_impact_result *result)
{
    int64_t n = law->impact ? law->impact->dofs : 0;
    rico_status status = check_ready(law, "u", n, velocity);
    if (status) return status;
    const rico_impact *impact = law->impact;
    gap_velocity_before(law, velocity);
    if (impact->full) {
        int64_t h = impact->contacts;
        rico_csc_transpose_times(&impact->full->W, 1.0, velocity, 0.0, law->both);
        memcpy(law->slip_before, law->both + h, (size_t)(h * impact->directions) * sizeof *law->slip_before);
    }
    status = rico_impact_law_run(law);
    if (!status)
        status = impact->full ? rico_impact_velocity_change(impact->full, law->both, law->velocity)
                              : rico_impact_velocity_change(impact, law->impulse, law->velocity);
    if (status) return status;

    rico_axpy(n, 1.0, velocity, law->velocity);
    report(law, result);
    result->velocity = law->velocity;
    result->energy_before = rico_impact_kinetic_energy(impact, velocity);
    result->energy_after = rico_impact_kinetic_energy(impact, law->velocity);
    return RICO_OK;
}


rico_status rico_impact_law_map_contact(rico_impact_law *law, const double *gamma, rico_impact_result *result)
{
    int64_t h = law->impact ? law->impact->contacts : 0;
    rico_status status = check_ready(law, "gamma", h, gamma);
    if (status) return status;
    if (law->impact->full)
        return rico_fail(law->ctx, RICO_UNSUPPORTED,
                         "an impact with friction is no map of gap velocities alone");
    if (h > 0) memmove(law->before, gamma, (size_t)h * sizeof *gamma);
    status = rico_impact_law_run(law);
    if (!status) report(law, result);
    return status;
}
