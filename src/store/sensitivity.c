// Derivatives along a run of a scene.

#include "store/sensitivity.h"

#include "base/suggest.h"
#include "scene/scene.h"
#include "step/simulation.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_NAMES = 64, LONGEST = 100 };
static const double BLOW = 1e-3;   // of the velocities compared: slower ones rest
static const double STRIDE = 1e-3; // of a parameter, over its value; of one that is 0, over 1

// A coordinate that is differentiated, or one that a derivative is taken by.
typedef struct coordinate {
    char name[RICO_SCENE_NAME];
    int64_t index;
    bool velocity;
} coordinate;

// A parameter, or a coordinate at the start.
typedef struct cause {
    char name[RICO_SCENE_NAME];
    bool parameter;
    coordinate start;
    int64_t index; // among the parameters of the derivatives
    rico_scene *scene[RICO_MOST_TWINS];
    rico_simulation *twin[RICO_MOST_TWINS];
} cause;

struct rico_sensitivity {
    rico_context *ctx;
    rico_scene *scene;
    rico_simulation *sim;
    rico_derivatives *d;
    int64_t of_count, with_count, size;
    coordinate *of;
    cause *with;
    char (*name)[LONGEST + 1];
    double *S, *before; // size x with_count, now and before the last step
    double *work;       // positions and a column
    double *carried;    // 1 for the parameter of a column
    int64_t *by;
    rico_sensitivity_report report;
};


// --- names -----------------------------------------------------------------------------------------------------

static bool find_coordinate(const rico_scene *scene, const char *name, coordinate *out)
{
    const rico_system *system = rico_scene_system((rico_scene *)scene);
    char own[RICO_SCENE_NAME];
    for (int velocity = 0; velocity < 2; velocity++) {
        int64_t count = velocity ? rico_system_velocities(system) : rico_system_positions(system);
        for (int64_t i = 0; i < count; i++) {
            if (velocity)
                rico_scene_velocity_name(scene, i, own);
            else
                rico_scene_position_name(scene, i, own);
            if (strcmp(own, name) != 0) continue;
            snprintf(out->name, sizeof out->name, "%s", name);
            out->index = i;
            out->velocity = velocity != 0;
            return true;
        }
    }
    return false;
}


// Refuses a name with the nearest of those that there are.
static rico_status unknown(rico_context *ctx, const rico_scene *scene, const char *name, bool with)
{
    const rico_system *system = rico_scene_system((rico_scene *)scene);
    char hint[RICO_SUGGEST_SENTENCE], own[RICO_SCENE_NAME], best[RICO_SCENE_NAME + 2] = "";
    rico_suggestion near;
    rico_suggest_start(&near, name);
    for (int64_t i = 0; with && rico_scene_parameter(scene, i, NULL); i++)
        rico_suggest_offer(&near, rico_scene_parameter(scene, i, NULL));
    for (int64_t i = 0; !with && i < rico_system_positions(system); i++) {
        rico_scene_position_name(scene, i, own);
        rico_suggest_offer(&near, own);
        if (near.best == own) {
            snprintf(best, sizeof best, "%s", own);
            near.best = best;
        }
    }
    rico_suggest_sentence(&near, "", hint);
    if (with)
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "derivatives with '%.60s': the scene has no such parameter%s (initial coordinates "
                         "are written x@0)",
                         name, hint);
    return rico_fail(ctx, RICO_BAD_ARGUMENT,
                     "derivatives of '%.60s': the scene has no such position or velocity%s", name, hint);
}


// The next name of a list between commas; false at its end.
static bool next_name(const char **at, char name[RICO_SCENE_NAME])
{
    if (!**at) return false;
    size_t length = strcspn(*at, ",");
    snprintf(name, RICO_SCENE_NAME, "%.*s", (int)(length < RICO_SCENE_NAME ? length : RICO_SCENE_NAME - 1),
             *at);
    *at += length + ((*at)[length] == ',');
    return true;
}


static rico_status read_cause(const rico_sensitivity *self, const char *name, cause *out)
{
    size_t length = strlen(name);
    snprintf(out->name, sizeof out->name, "%s", name);
    if (length > 2 && strcmp(name + length - 2, "@0") == 0) {
        char own[RICO_SCENE_NAME];
        snprintf(own, sizeof own, "%.*s", (int)(length - 2), name);
        if (!find_coordinate(self->scene, own, &out->start))
            return unknown(self->ctx, self->scene, own, false);
        if (!out->start.velocity && !self->sim->system->flat)
            return rico_fail(
                self->ctx, RICO_BAD_ARGUMENT,
                "derivatives with '%.60s': positions of this scene are no free coordinates, some "
                "of them describe rotations; make it a parameter of the scene",
                name);
        return RICO_OK;
    }
    for (int64_t i = 0; rico_scene_parameter(self->scene, i, NULL); i++)
        out->parameter |= strcmp(rico_scene_parameter(self->scene, i, NULL), name) == 0;
    return out->parameter ? RICO_OK : unknown(self->ctx, self->scene, name, true);
}


static rico_status too_many(const rico_sensitivity *self, const char *side)
{
    return rico_fail(self->ctx, RICO_BAD_ARGUMENT,
                     "derivatives %s more than %d names: ask for them in several runs", side, MOST_NAMES);
}


static rico_status read_names(rico_sensitivity *self, const rico_sensitivity_options *options)
{
    char name[RICO_SCENE_NAME];
    self->of = rico_alloc(self->ctx, MOST_NAMES, sizeof *self->of);
    self->with = rico_alloc(self->ctx, MOST_NAMES, sizeof *self->with);
    if (!self->of || !self->with) return RICO_NO_MEMORY;
    for (const char *at = options->of; next_name(&at, name);) {
        if (self->of_count == MOST_NAMES) return too_many(self, "of");
        if (!find_coordinate(self->scene, name, &self->of[self->of_count++]))
            return unknown(self->ctx, self->scene, name, false);
    }
    for (const char *at = options->with; next_name(&at, name);) {
        if (self->with_count == MOST_NAMES) return too_many(self, "with");
        rico_status status = read_cause(self, name, &self->with[self->with_count++]);
        if (status != RICO_OK) return status;
    }
    if (self->of_count == 0 || self->with_count == 0)
        return rico_fail(self->ctx, RICO_BAD_ARGUMENT,
                         "derivatives need names on both sides: of=x,v_x with=mu");
    return RICO_OK;
}


// "x_by_mu"; what a column may not be called becomes _.
static rico_status name_columns(rico_sensitivity *self)
{
    self->name = rico_alloc(self->ctx, self->of_count * self->with_count, sizeof *self->name);
    if (!self->name) return RICO_NO_MEMORY;
    for (int64_t o = 0; o < self->of_count; o++)
        for (int64_t w = 0; w < self->with_count; w++) {
            char *name = self->name[o * self->with_count + w];
            snprintf(name, LONGEST + 1, "%.45s_by_%.45s", self->of[o].name, self->with[w].name);
            for (char *c = name; *c; c++)
                if (!isalnum((unsigned char)*c)) *c = '_';
        }
    return RICO_OK;
}


// --- systems beside the value of a parameter ------------------------------------------------------------------

static double value_of(const rico_scene *scene, const char *name)
{
    double value = 0.0;
    for (int64_t i = 0; rico_scene_parameter(scene, i, NULL); i++)
        if (strcmp(rico_scene_parameter(scene, i, NULL), name) == 0) rico_scene_parameter(scene, i, &value);
    return value;
}


static void release_twins(cause *own)
{
    for (int k = 0; k < RICO_MOST_TWINS; k++) {
        rico_simulation_destroy(own->twin[k]);
        rico_scene_destroy(own->scene[k]);
        own->twin[k] = NULL;
        own->scene[k] = NULL;
    }
}


static rico_status build_twins(rico_sensitivity *self, cause *own, const rico_scene_options *made,
                               const double *offset)
{
    double value = value_of(self->scene, own->name);
    char words[RICO_SCENE_NAME + 40];
    const char **override = rico_alloc(self->ctx, made->override_count + 1, sizeof *override);
    if (!override) return RICO_NO_MEMORY;
    rico_scene_options options = *made;
    for (int64_t i = 0; i < made->override_count; i++) override[i] = made->overrides[i];
    override[made->override_count] = words;
    options.overrides = override;
    options.override_count = made->override_count + 1;
    options.excerpt = NULL;
    rico_status status = RICO_OK;
    for (int k = 0; status == RICO_OK && k < RICO_MOST_TWINS; k++) {
        snprintf(words, sizeof words, "%s=%.17g", own->name, value + offset[k]);
        status = rico_scene_create(self->ctx, &options, &own->scene[k]);
        if (status == RICO_OK) status = rico_scene_simulate(own->scene[k], &own->twin[k]);
        if (status == RICO_OK && own->twin[k]->nv != self->sim->nv)
            status = rico_fail(self->ctx, RICO_BAD_ARGUMENT,
                               "derivatives with '%s': the scene has %lld velocities at %s and %lld at its "
                               "value; it is no number to differentiate by",
                               own->name, (long long)own->twin[k]->nv, words, (long long)self->sim->nv);
    }
    rico_free(self->ctx, override);
    return status;
}


// On both sides of the value; above or below it where the scene refuses the other side.
static rico_status add_parameter(rico_sensitivity *self, cause *own, const rico_scene_options *made,
                                 double *column)
{
    static const double SIDES[][RICO_MOST_TWINS] = {
        {-2.0, -1.0, 1.0, 2.0}, {1.0, 2.0, 3.0, 4.0}, {-1.0, -2.0, -3.0, -4.0}};
    double value = value_of(self->scene, own->name), stride = STRIDE * (value != 0.0 ? fabs(value) : 1.0);
    double offset[RICO_MOST_TWINS];
    rico_status status = RICO_OK;
    for (int side = 0; side < 3; side++) {
        for (int k = 0; k < RICO_MOST_TWINS; k++) offset[k] = SIDES[side][k] * stride;
        status = build_twins(self, own, made, offset);
        if (status == RICO_OK || status == RICO_NO_MEMORY) break;
        release_twins(own);
    }
    if (status == RICO_OK)
        status = rico_derivatives_add_parameter(self->d, RICO_MOST_TWINS, own->twin, offset, &own->index);
    if (status == RICO_OK) status = rico_derivatives_parameter_start(self->d, own->index, column);
    return status;
}


// --- life --------------------------------------------------------------------------------------------------------

static rico_status begin(rico_sensitivity *self, const rico_sensitivity_options *options)
{
    rico_context *ctx = self->ctx;
    rico_status status = rico_derivatives_create(self->sim, &self->d);
    if (status != RICO_OK) return status;
    int64_t size = self->size = rico_derivatives_size(self->d), nv = self->sim->nv;
    self->S = rico_alloc(ctx, size * self->with_count, sizeof *self->S);
    self->before = rico_alloc(ctx, size * self->with_count, sizeof *self->before);
    self->work = rico_alloc(ctx, 6 * self->sim->nq, sizeof *self->work);
    self->by = rico_alloc(ctx, self->with_count, sizeof *self->by);
    self->carried = rico_alloc(ctx, self->with_count, sizeof *self->carried);
    double *start = rico_alloc(ctx, size * 2 * nv, sizeof *start);
    if (!self->S || !self->before || !self->work || !self->by || !self->carried || !start)
        status = RICO_NO_MEMORY;
    if (status == RICO_OK) status = rico_derivatives_start(self->d, start);
    for (int64_t w = 0; status == RICO_OK && w < self->with_count; w++) {
        cause *own = &self->with[w];
        double *column = self->S + w * size;
        self->by[w] = -1;
        if (own->parameter) {
            status = add_parameter(self, own, &options->scene, column);
            self->by[w] = own->index;
            continue;
        }
        int64_t j = own->start.index + (own->start.velocity ? nv : 0);
        memcpy(column, start + j * size, (size_t)size * sizeof *column);
    }
    rico_free(ctx, start);
    return status;
}


rico_status rico_sensitivity_create(rico_context *ctx, rico_scene *scene, rico_simulation *sim,
                                    const rico_sensitivity_options *options, rico_sensitivity **out)
{
    rico_sensitivity *self = rico_alloc(ctx, 1, sizeof *self);
    if (!self) return RICO_NO_MEMORY;
    self->ctx = ctx;
    self->scene = scene;
    self->sim = sim;
    rico_status status = RICO_OK;
    if (rico_scene_times(scene).adaptive)
        status =
            rico_fail(ctx, RICO_UNSUPPORTED,
                      "derivatives need steps of one length: those of an adaptive run depend on the state");
    if (status == RICO_OK) status = read_names(self, options);
    if (status == RICO_OK) status = name_columns(self);
    if (status == RICO_OK) status = begin(self, options);
    if (status != RICO_OK) {
        rico_sensitivity_destroy(self);
        return status;
    }
    *out = self;
    return RICO_OK;
}


void rico_sensitivity_destroy(rico_sensitivity *self)
{
    if (!self) return;
    rico_derivatives_destroy(self->d);
    for (int64_t w = 0; self->with && w < self->with_count; w++) release_twins(&self->with[w]);
    rico_free(self->ctx, self->of);
    rico_free(self->ctx, self->with);
    rico_free(self->ctx, self->name);
    rico_free(self->ctx, self->S);
    rico_free(self->ctx, self->before);
    rico_free(self->ctx, self->work);
    rico_free(self->ctx, self->by);
    rico_free(self->ctx, self->carried);
    rico_free(self->ctx, self);
}


// Whether a contact came in and was stopped: in schemes that step over impacts, when that happens does not move with what is changed.
static bool blow(const rico_simulation *sim)
{
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *contact = rico_step_constraint(sim, c);
        if (!contact->joint && sim->now.p[contact->row] > 0.0 &&
            sim->now.u_before[contact->row] < -BLOW * *sim->now.scale)
            return true;
    }
    return false;
}


// Whether what is carried leads off a threshold of the last step; S as it was before it.
static bool leads_off(rico_sensitivity *self)
{
    for (int64_t w = 0; rico_derivatives_doubts(self->d) > 0 && w < self->with_count; w++) {
        memset(self->carried, 0, (size_t)self->with_count * sizeof *self->carried);
        if (self->by[w] >= 0) self->carried[self->by[w]] = 1.0;
        if (rico_derivatives_crosses(self->d, self->before + w * self->size, self->carried)) return true;
    }
    return false;
}


rico_status rico_sensitivity_step(rico_sensitivity *self)
{
    rico_sensitivity_report *report = &self->report;
    memcpy(self->before, self->S, (size_t)(self->size * self->with_count) * sizeof *self->S);
    rico_status status = rico_derivatives_advance(self->d, self->with_count, self->by, self->S);
    if (status != RICO_OK) return status;
    report->steps++;
    report->blows += !self->sim->scheme->finds_events && blow(self->sim);
    report->differences += !rico_derivatives_analytic(self->d);
    if (leads_off(self) && report->one_sided++ == 0) {
        report->first_time = rico_simulation_time(self->sim);
        rico_derivatives_sentence(self->d, 0, report->first, sizeof report->first);
    }
    return RICO_OK;
}


int64_t rico_sensitivity_count(const rico_sensitivity *self)
{
    return self->of_count * self->with_count;
}


int64_t rico_sensitivity_of_count(const rico_sensitivity *self)
{
    return self->of_count;
}


int64_t rico_sensitivity_with_count(const rico_sensitivity *self)
{
    return self->with_count;
}


int64_t rico_sensitivity_coordinate(const rico_sensitivity *self, int64_t of, bool *velocity)
{
    *velocity = self->of[of].velocity;
    return self->of[of].index;
}


const char *rico_sensitivity_name(const rico_sensitivity *self, int64_t index)
{
    return self->name[index];
}


const rico_sensitivity_report *rico_sensitivity_tell(const rico_sensitivity *self)
{
    return &self->report;
}


// The change of all positions along a column of increments: by differences of the retraction where it is more than an addition.
static rico_status positions_along(rico_sensitivity *self, const double *column, double *change)
{
    static const double OFFSET[] = {-2.0, -1.0, 1.0, 2.0};
    static const double WEIGHT[] = {1.0 / 12.0, -2.0 / 3.0, 2.0 / 3.0, -1.0 / 12.0};
    rico_simulation *sim = self->sim;
    int64_t nq = sim->nq;
    double *moved = change + nq, largest = 0.0;
    if (sim->system->flat) {
        memcpy(change, column, (size_t)nq * sizeof *change);
        return RICO_OK;
    }
    memset(change, 0, (size_t)nq * sizeof *change);
    for (int64_t i = 0; i < sim->nv; i++) largest = fmax(largest, fabs(column[i]));
    double stride = largest > 0.0 ? 1e-3 / largest : 1.0;
    for (int k = 0; k < 4; k++) {
        rico_status status =
            rico_assembly_retract(sim->assembly, *sim->now.t, sim->now.q, OFFSET[k] * stride, column, moved);
        if (status != RICO_OK) return status;
        for (int64_t i = 0; i < nq; i++) change[i] += WEIGHT[k] / stride * moved[i];
    }
    return RICO_OK;
}


rico_status rico_sensitivity_values(rico_sensitivity *self, double *values)
{
    for (int64_t w = 0; w < self->with_count; w++) {
        const double *column = self->S + w * self->size;
        rico_status status = positions_along(self, column, self->work);
        if (status != RICO_OK) return status;
        for (int64_t o = 0; o < self->of_count; o++) {
            const coordinate *of = &self->of[o];
            values[o * self->with_count + w] =
                of->velocity ? column[self->sim->nv + of->index] : self->work[of->index];
        }
    }
    return RICO_OK;
}
