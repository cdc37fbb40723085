// Levenberg and Marquardt's method for the parameters of a scene (Marquardt 1963): (J'J + lambda diag J'J) d = -J'r.
//
// A step is taken when it lowers the sum of squares; values that the scene refuses (a friction below 0) lower nothing. The covariance of the
// parameters is s^2 (J'J)^-1 with s^2 the sum of squares over the data less the parameters, or s = 1 where the data bring their standard
// deviations.

#include "la/dense.h"
#include "lab/fit_private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double ENOUGH = 1e-8; // relative change of every parameter that ends it
static const double SMALL = 1e-3;  // the same over the standard deviation: data tell no more
static const double SEEN = 1e-9;   // of the data: less than this is round-off of derivatives
static const double GENTLE = 1e-3, MOST_LAMBDA = 1e12;

typedef struct search {
    rico_context *ctx;
    const rico_fit_options *options;
    rico_fit *fit;
    rico_fit_residual now, trial;
    double *normal, *factor, *gradient, *step, *value;
    double *block;
    double scale; // of the data, over sigma
} search;


static rico_status read_names(rico_context *ctx, const rico_fit_options *options, rico_fit *fit)
{
    rico_scene *scene = NULL;
    rico_scene_options made = {.path = options->scene,
                               .override_count = options->override_count,
                               .overrides = options->overrides,
                               .excerpt = options->excerpt,
                               .excerpt_size = options->excerpt_size};
    rico_status status = rico_scene_create(ctx, &made, &scene);
    if (status != RICO_OK) return status;
    for (const char *at = options->fit; status == RICO_OK && *at;) {
        size_t length = strcspn(at, ",");
        if (fit->parameters == RICO_FIT_PARAMETERS || length >= RICO_SCENE_NAME) {
            status =
                rico_fail(ctx, RICO_BAD_ARGUMENT, "at most %d parameters can be fitted", RICO_FIT_PARAMETERS);
            break;
        }
        char *name = fit->name[fit->parameters];
        snprintf(name, RICO_SCENE_NAME, "%.*s", (int)length, at);
        bool found = false;
        for (int64_t i = 0; rico_scene_parameter(scene, i, NULL); i++) {
            if (strcmp(rico_scene_parameter(scene, i, NULL), name) != 0) continue;
            rico_scene_parameter(scene, i, &fit->begin[fit->parameters]);
            found = true;
        }
        if (!found)
            status = rico_fail(ctx, RICO_BAD_ARGUMENT, "the scene has no parameter '%.60s' to fit", name);
        fit->parameters++;
        at += length + (at[length] == ',');
    }
    rico_scene_destroy(scene);
    if (status == RICO_OK && fit->parameters == 0)
        status = rico_fail(ctx, RICO_BAD_ARGUMENT, "name the parameters to fit: --fit mu,k");
    if (status == RICO_OK && fit->data.measured < fit->parameters)
        status = rico_fail(ctx, RICO_BAD_INPUT, "%lld values cannot determine %lld parameters",
                           (long long)fit->data.measured, (long long)fit->parameters);
    return status;
}


static rico_status prepare(search *self)
{
    int64_t m = self->fit->data.measured, n = self->fit->parameters;
    double *at = self->block = rico_alloc(self->ctx, 2 * m * (n + 1) + 2 * n * n + 3 * n, sizeof *at);
    if (!at) return RICO_NO_MEMORY;
    self->now.r = at;
    self->now.J = self->now.r + m;
    self->trial.r = self->now.J + m * n;
    self->trial.J = self->trial.r + m;
    self->normal = self->trial.J + m * n;
    self->factor = self->normal + n * n;
    self->gradient = self->factor + n * n;
    self->step = self->gradient + n;
    self->value = self->step + n;
    const rico_fit_data *data = &self->fit->data;
    for (int64_t i = 0; i < data->rows * data->columns; i++)
        if (isfinite(data->value[i])) self->scale = hypot(self->scale, data->value[i] / data->sigma[i]);
    return RICO_OK;
}


// J'J and J'r.
static rico_status linearize(search *self)
{
    int64_t m = self->fit->data.measured, n = self->fit->parameters;
    rico_dense_transpose_product(m, n, n, self->now.J, self->now.J, self->normal);
    rico_dense_transpose_times(m, n, 1.0, self->now.J, self->now.r, 0.0, self->gradient);
    for (int64_t i = 0; i < n; i++)
        if (!(sqrt(self->normal[i + i * n]) * fmax(fabs(self->fit->value[i]), SEEN) > SEEN * self->scale))
            return rico_fail(self->ctx, RICO_BAD_INPUT,
                             "the parameter '%s' does not change the data: it cannot be fitted",
                             self->fit->name[i]);
    return RICO_OK;
}


static rico_status solve(search *self, double lambda)
{
    int64_t n = self->fit->parameters;
    memcpy(self->factor, self->normal, (size_t)(n * n) * sizeof *self->factor);
    for (int64_t i = 0; i < n; i++) {
        self->factor[i + i * n] *= 1.0 + lambda;
        self->step[i] = -self->gradient[i];
    }
    rico_status status = rico_dense_cholesky(self->ctx, n, self->factor);
    if (status == RICO_OK) rico_dense_cholesky_solve(n, self->factor, 1, self->step);
    return status;
}


// Whether a step is nothing: over the values themselves, or over what the data can tell.
static bool small(const search *self)
{
    int64_t n = self->fit->parameters, m = self->fit->data.measured;
    double s = self->fit->data.weighted ? 1.0 : sqrt(self->now.sum / (double)(m > n ? m - n : 1));
    bool tiny = true, nothing = true;
    for (int64_t i = 0; i < n; i++) {
        tiny &= fabs(self->step[i]) <= ENOUGH * fmax(fabs(self->fit->value[i]), ENOUGH);
        nothing &= fabs(self->step[i]) * sqrt(self->normal[i + i * n]) <= ENOUGH * SMALL * s;
    }
    return tiny || nothing;
}


// One iteration: the damping grows until the sum of squares falls. *lower: it did.
static rico_status improve(search *self, double *lambda, bool *lower)
{
    rico_fit *fit = self->fit;
    *lower = false;
    while (!*lower && *lambda <= MOST_LAMBDA) {
        rico_status status = solve(self, *lambda);
        if (status == RICO_NO_MEMORY) return status;
        if (status == RICO_OK) {
            for (int64_t i = 0; i < fit->parameters; i++) self->value[i] = fit->value[i] + self->step[i];
            status = rico_fit_evaluate(self->ctx, self->options, fit, self->value, false, &self->trial);
            if (status == RICO_NO_MEMORY || status == RICO_INTERRUPTED) return status;
        }
        *lower = status == RICO_OK && self->trial.sum <= self->now.sum;
        // where derivatives are not exact, the last digits do not fall: the steps tell
        if (!*lower && status == RICO_OK && small(self)) return RICO_OK;
        if (!*lower) *lambda = fmax(*lambda, GENTLE) * 4.0;
    }
    if (!*lower) return RICO_OK;
    const rico_fit_residual swap = self->now;
    self->now = self->trial;
    self->trial = swap;
    memcpy(fit->value, self->value, (size_t)fit->parameters * sizeof *fit->value);
    *lambda *= 0.1;
    return RICO_OK;
}


// Standard deviations and correlations from (J'J)^-1.
static rico_status judge(search *self)
{
    rico_fit *fit = self->fit;
    int64_t n = fit->parameters, m = fit->data.measured;
    double s2 = fit->data.weighted ? 1.0 : m > n ? self->now.sum / (double)(m - n) : INFINITY;
    rico_status status = linearize(self);
    if (status != RICO_OK) return status;
    memcpy(self->factor, self->normal, (size_t)(n * n) * sizeof *self->factor);
    status = rico_dense_cholesky(self->ctx, n, self->factor);
    if (status == RICO_SINGULAR)
        return rico_fail(self->ctx, RICO_SINGULAR,
                         "the data do not tell the parameters apart: their derivatives are dependent");
    double *inverse = fit->correlation;
    memset(inverse, 0, (size_t)(n * n) * sizeof *inverse);
    for (int64_t i = 0; i < n; i++) inverse[i + i * n] = 1.0;
    if (status == RICO_OK) rico_dense_cholesky_solve(n, self->factor, n, inverse);
    for (int64_t i = 0; i < n; i++) fit->deviation[i] = sqrt(s2 * inverse[i + i * n]);
    double root[RICO_FIT_PARAMETERS];
    for (int64_t i = 0; i < n; i++) root[i] = sqrt(inverse[i + i * n]);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) inverse[i + j * n] /= root[i] * root[j];
    return status;
}


static rico_status iterate(search *self)
{
    rico_fit *fit = self->fit;
    double lambda = GENTLE, scale = 1.0 / (double)fit->data.measured;
    rico_status status = rico_fit_evaluate(self->ctx, self->options, fit, fit->value, false, &self->now);
    fit->rms_begin = sqrt(self->now.sum * scale);
    while (status == RICO_OK && !fit->converged && fit->iterations < self->options->most) {
        bool lower = false;
        status = linearize(self);
        if (status == RICO_OK) status = improve(self, &lambda, &lower);
        if (status != RICO_OK) break;
        fit->iterations++;
        fit->converged = small(self);
        if (self->options->progress)
            self->options->progress(self->options->user, fit->iterations, sqrt(self->now.sum * scale));
        if (!lower) break;
    }
    fit->rms = sqrt(self->now.sum * scale);
    return status;
}


rico_status rico_fit_run(rico_context *ctx, const rico_fit_options *options, rico_fit *out)
{
    search self = {.ctx = ctx, .options = options, .fit = out};
    memset(out, 0, sizeof *out);
    rico_status status = rico_fit_data_read(ctx, options->data, &out->data);
    if (status == RICO_OK) status = read_names(ctx, options, out);
    memcpy(out->value, out->begin, sizeof out->value);
    if (status == RICO_OK) status = prepare(&self);
    if (status == RICO_OK) status = iterate(&self);
    // once more where it ended, for the curve and the report
    if (status == RICO_OK) status = rico_fit_evaluate(ctx, options, out, out->value, true, &self.now);
    if (status == RICO_OK) status = judge(&self);
    rico_free(ctx, self.block);
    if (status != RICO_OK) rico_fit_release(ctx, out);
    return status;
}


void rico_fit_release(rico_context *ctx, rico_fit *fit)
{
    rico_fit_data_release(ctx, &fit->data);
    rico_free(ctx, fit->curve_t);
    rico_free(ctx, fit->curve);
    fit->curve_t = fit->curve = NULL;
}
