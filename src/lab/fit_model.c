// The motion of a scene at given values of its parameters, at the times of the data, with its derivatives.

#include "base/file.h"
#include "lab/fit_private.h"
#include "store/sensitivity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Values and derivatives of the columns at the end of a step: of each column, then of the velocities of those that are positions.
typedef struct moment {
    double t;
    double *value, *slope; // wide; wide x parameters
} moment;

typedef struct model {
    rico_context *ctx;
    const rico_fit_options *options;
    rico_fit *fit;
    rico_scene *scene;
    rico_simulation *sim;
    rico_sensitivity *sensitivity;
    int64_t wide;                    // columns and rates
    int64_t rate[RICO_FIT_COLUMNS];  // where the velocity of a column stands; -1: none
    int64_t index[RICO_FIT_COLUMNS]; // first measured value of a column among the residuals
    moment before, now;
    double *block;
    int64_t next; // row of the data that comes next
} model;


// "x,y,v_x,v_y": columns of the data, and the velocities of those that are positions.
static rico_status list_names(model *self, char *text, size_t size)
{
    const rico_fit_data *data = &self->fit->data;
    const rico_system *system = rico_scene_system(self->scene);
    bool flat = rico_system_positions(system) == rico_system_velocities(system);
    size_t used = 0;
    self->wide = data->columns;
    text[0] = '\0';
    for (int64_t c = 0; c < data->columns; c++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", c ? "," : "", data->name[c]);
    for (int64_t c = 0; c < data->columns; c++) {
        char name[RICO_SCENE_NAME];
        self->rate[c] = -1;
        for (int64_t i = 0; flat && i < rico_system_positions(system); i++) {
            rico_scene_position_name(self->scene, i, name);
            if (strcmp(name, data->name[c]) != 0) continue;
            rico_scene_velocity_name(self->scene, i, name);
            self->rate[c] = self->wide++;
            used += (size_t)snprintf(text + used, size - used, ",%s", name);
        }
    }
    return used < size ? RICO_OK : rico_fail(self->ctx, RICO_BAD_INPUT, "the names of the data are too long");
}


static rico_status build(model *self, const double *value)
{
    const rico_fit_options *options = self->options;
    const rico_fit *fit = self->fit;
    rico_context *ctx = self->ctx;
    char words[RICO_FIT_PARAMETERS][RICO_SCENE_NAME + 32];
    char of[2 * RICO_FIT_COLUMNS * RICO_SCENE_NAME], *text = NULL;
    size_t length;
    const char **override = rico_alloc(ctx, options->override_count + fit->parameters, sizeof *override);
    if (!override) return RICO_NO_MEMORY;
    for (int64_t i = 0; i < options->override_count; i++) override[i] = options->overrides[i];
    for (int64_t i = 0; i < fit->parameters; i++) {
        snprintf(words[i], sizeof words[i], "%s=%.17g", fit->name[i], value[i]);
        override[options->override_count + i] = words[i];
    }
    rico_status status = rico_file_load(ctx, options->scene, &text, &length);
    rico_sensitivity_options with = {.scene = {.path = options->scene,
                                               .text = text,
                                               .length = text ? (int64_t)strlen(text) : 0,
                                               .override_count = options->override_count + fit->parameters,
                                               .overrides = override,
                                               .excerpt = options->excerpt,
                                               .excerpt_size = options->excerpt_size},
                                     .of = of,
                                     .with = options->fit};
    if (status == RICO_OK) status = rico_scene_create(ctx, &with.scene, &self->scene);
    if (status == RICO_OK) status = rico_scene_simulate(self->scene, &self->sim);
    if (status == RICO_OK) status = list_names(self, of, sizeof of);
    if (status == RICO_OK)
        status = rico_sensitivity_create(ctx, self->scene, self->sim, &with, &self->sensitivity);
    rico_free(ctx, text);
    rico_free(ctx, override);
    return status;
}


static rico_status capture(model *self, moment *out)
{
    const double *q = rico_simulation_position(self->sim), *v = rico_simulation_velocity(self->sim);
    out->t = rico_simulation_time(self->sim);
    for (int64_t o = 0; o < self->wide; o++) {
        bool velocity;
        int64_t i = rico_sensitivity_coordinate(self->sensitivity, o, &velocity);
        out->value[o] = velocity ? v[i] : q[i];
    }
    return rico_sensitivity_values(self->sensitivity, out->slope);
}


// Weights of both ends, and of the velocities there, at a share of the step: the cubic through positions and velocities, or the straight line where a
// contact pushed.
typedef struct blend {
    double before, now, rate_before, rate_now;
} blend;

static blend blend_at(double s, double h, bool cubic)
{
    if (!cubic) return (blend){1.0 - s, s, 0.0, 0.0};
    return (blend){(1.0 + 2.0 * s) * (1.0 - s) * (1.0 - s), s * s * (3.0 - 2.0 * s),
                   h * s * (1.0 - s) * (1.0 - s), h * s * s * (s - 1.0)};
}


static double blended(const blend *by, const double *before, const double *now, int64_t at, int64_t rate)
{
    double sum = by->before * before[at] + by->now * now[at];
    return rate < 0 ? sum : sum + by->rate_before * before[rate] + by->rate_now * now[rate];
}


static bool pushed(const rico_simulation *sim)
{
    const double *p = rico_simulation_impulse(sim);
    for (int64_t i = 0; i < rico_simulation_rows(sim); i++)
        if (p[i] != 0.0) return true;
    return false;
}


// Residuals of the data up to the end of the step.
static void compare(model *self, rico_fit_residual *out)
{
    const rico_fit_data *data = &self->fit->data;
    int64_t n = self->fit->parameters;
    double h = self->now.t - self->before.t;
    bool smooth = h > 0.0 && !pushed(self->sim);
    for (; self->next < data->rows && data->t[self->next] <= self->now.t + 1e-9 * h; self->next++) {
        double s = h > 0.0 ? fmin(1.0, (data->t[self->next] - self->before.t) / h) : 1.0;
        for (int64_t c = 0; c < data->columns; c++) {
            double measured = data->value[c * data->rows + self->next],
                   sigma = data->sigma[c * data->rows + self->next];
            int64_t rate = smooth ? self->rate[c] : -1, at = self->index[c];
            if (!isfinite(measured)) continue;
            const blend by = blend_at(s, h, rate >= 0);
            out->r[at] = (blended(&by, self->before.value, self->now.value, c, rate) - measured) / sigma;
            for (int64_t i = 0; i < n; i++)
                out->J[at + i * data->measured] = blended(&by, self->before.slope, self->now.slope, c * n + i,
                                                          rate < 0 ? -1 : rate * n + i) /
                                                  sigma;
            out->sum += out->r[at] * out->r[at];
            self->index[c]++;
        }
    }
}


static rico_status add_to_curve(model *self)
{
    rico_fit *fit = self->fit;
    int64_t row = fit->curve_rows++, columns = fit->data.columns;
    double *t = rico_grow(self->ctx, fit->curve_t, row, row + 1, sizeof *t);
    if (!t) return RICO_NO_MEMORY;
    fit->curve_t = t;
    double *curve = rico_grow(self->ctx, fit->curve, row * columns, (row + 1) * columns, sizeof *curve);
    if (!curve) return RICO_NO_MEMORY;
    fit->curve = curve;
    t[row] = self->now.t;
    for (int64_t c = 0; c < columns; c++) curve[row * columns + c] = self->now.value[c];
    return RICO_OK;
}


static rico_status go(model *self, bool curve, rico_fit_residual *out)
{
    const rico_fit_data *data = &self->fit->data;
    double last = data->t[data->rows - 1], h = rico_scene_times(self->scene).step;
    if (data->t[0] < rico_scene_times(self->scene).start)
        return rico_fail(self->ctx, RICO_BAD_INPUT,
                         "data at t = %g come before the start of the scene, t = %g", data->t[0],
                         rico_scene_times(self->scene).start);
    rico_status status = capture(self, &self->now);
    self->before.t = self->now.t;
    memcpy(self->before.value, self->now.value, (size_t)self->wide * sizeof(double));
    memcpy(self->before.slope, self->now.slope,
           (size_t)(self->wide * self->fit->parameters) * sizeof(double));
    if (status == RICO_OK) compare(self, out);
    if (status == RICO_OK && curve) status = add_to_curve(self);
    while (status == RICO_OK && self->next < data->rows && self->now.t < last + h) {
        const moment swap = self->before;
        self->before = self->now;
        self->now = swap;
        status = rico_simulation_step(self->sim, h);
        if (status == RICO_OK) status = rico_sensitivity_step(self->sensitivity);
        if (status == RICO_OK) status = capture(self, &self->now);
        if (status == RICO_OK) compare(self, out);
        if (status == RICO_OK && curve) status = add_to_curve(self);
    }
    return status;
}


rico_status rico_fit_evaluate(rico_context *ctx, const rico_fit_options *options, rico_fit *fit,
                              const double *value, bool curve, rico_fit_residual *out)
{
    model self = {.ctx = ctx, .options = options, .fit = fit};
    const rico_fit_data *data = &fit->data;
    int64_t n = fit->parameters, at = 0;
    out->sum = 0.0;
    fit->runs++;
    for (int64_t c = 0; c < data->columns; c++) {
        self.index[c] = at;
        for (int64_t i = 0; i < data->rows; i++) at += isfinite(data->value[c * data->rows + i]);
    }
    rico_status status = build(&self, value);
    if (status == RICO_OK) {
        self.block = rico_alloc(ctx, 2 * self.wide * (1 + n), sizeof *self.block);
        if (!self.block) status = RICO_NO_MEMORY;
    }
    if (status == RICO_OK) {
        self.before.value = self.block;
        self.now.value = self.before.value + self.wide;
        self.before.slope = self.now.value + self.wide;
        self.now.slope = self.before.slope + self.wide * n;
        status = go(&self, curve, out);
    }
    if (status == RICO_OK) {
        const rico_sensitivity_report *report = rico_sensitivity_tell(self.sensitivity);
        fit->one_sided = report->one_sided;
        fit->differences = report->differences;
        fit->blows = report->blows;
    }
    rico_free(ctx, self.block);
    rico_sensitivity_destroy(self.sensitivity);
    rico_simulation_destroy(self.sim);
    rico_scene_destroy(self.scene);
    return status;
}
