// Projection methods for variational inequalities: prediction, the rule for the step, correction.

#include "solve/vi.h"

#include <math.h>

// The step shrinks at most this many times in one iteration; beyond, F is not Lipschitz anywhere near.
enum { SHRINKS = 60 };

rico_vi_options rico_vi_default_options(void)
{
    // L = 0.9, L_min = 0.3, nu = 2/3 as advised in section 4.2
    return (rico_vi_options){.method = RICO_VI_EXTRAGRADIENT,
                             .rule = RICO_VI_UPK,
                             .rho = 1.0,
                             .safety = 0.9,
                             .growth = 0.3,
                             .factor = 2.0 / 3.0,
                             .gamma = 1.8};
}


rico_status rico_vi_state_create(rico_context *ctx, int64_t size, rico_vi_state *out)
{
    rico_vi_state state = {.ctx = ctx};
    state.z = rico_alloc(ctx, size, sizeof *state.z);
    state.F = rico_alloc(ctx, size, sizeof *state.F);
    state.bar = rico_alloc(ctx, size, sizeof *state.bar);
    state.F_bar = rico_alloc(ctx, size, sizeof *state.F_bar);
    state.d = rico_alloc(ctx, size, sizeof *state.d);
    state.Rd = rico_alloc(ctx, size, sizeof *state.Rd);
    if (!state.z || !state.F || !state.bar || !state.F_bar || !state.d || !state.Rd) {
        rico_vi_state_destroy(&state);
        return RICO_NO_MEMORY;
    }
    *out = state;
    return RICO_OK;
}


void rico_vi_state_destroy(rico_vi_state *state)
{
    if (!state->ctx) return;
    rico_free(state->ctx, state->z);
    rico_free(state->ctx, state->F);
    rico_free(state->ctx, state->bar);
    rico_free(state->ctx, state->F_bar);
    rico_free(state->ctx, state->d);
    rico_free(state->ctx, state->Rd);
    *state = (rico_vi_state){0};
}


void rico_vi_begin(rico_vi_state *state, const rico_vi_options *options)
{
    state->rho = options->rho;
    state->has_map = false;
}


// bar = P_X(z - step R^-1 F) for a map F.
static void project_step(const rico_vi *vi, rico_vi_state *s, double step, const double *F)
{
    const double *change = F;
    if (vi->raise) {
        vi->raise(vi->user, F, s->d);
        change = s->d;
    }
    for (int64_t i = 0; i < vi->size; i++) s->bar[i] = s->z[i] - step * change[i];
    vi->project(vi->user, s->bar);
}


// The ratio that judges a step: rho times the local Lipschitz constant, or the local monotonicity (eq. 101, 102), in the metric.
static double ratio(const rico_vi *vi, rico_vi_rule rule, const rico_vi_state *s)
{
    double moved = 0.0, turned = 0.0, inner = 0.0;
    if (vi->raise) {
        for (int64_t i = 0; i < vi->size; i++) s->d[i] = s->F[i] - s->F_bar[i];
        vi->raise(vi->user, s->d, s->Rd);
        for (int64_t i = 0; i < vi->size; i++) turned += s->d[i] * s->Rd[i];
        for (int64_t i = 0; i < vi->size; i++) inner += s->d[i] * (s->z[i] - s->bar[i]);
        for (int64_t i = 0; i < vi->size; i++) s->d[i] = s->z[i] - s->bar[i];
        vi->lower(vi->user, s->d, s->Rd);
        for (int64_t i = 0; i < vi->size; i++) moved += s->d[i] * s->Rd[i];
    }
    for (int64_t i = 0; !vi->raise && i < vi->size; i++) {
        double dz = s->z[i] - s->bar[i], dF = s->F[i] - s->F_bar[i];
        moved += dz * dz;
        turned += dF * dF;
        inner += dz * dF;
    }
    if (!(moved > 0.0)) return 0.0;
    return rule == RICO_VI_UPK ? s->rho * sqrt(turned / moved) : s->rho * inner / moved;
}


// He and Liao's alpha, at least 1/2 where the ratio of eq. 101 is below 1.
static double correction(const rico_vi *vi, const rico_vi_state *s)
{
    double along = 0.0, square = 0.0;
    for (int64_t i = 0; i < vi->size; i++) s->Rd[i] = s->F[i] - s->F_bar[i];
    if (vi->raise)
        vi->raise(vi->user, s->Rd, s->d);
    else
        for (int64_t i = 0; i < vi->size; i++) s->d[i] = s->Rd[i];
    for (int64_t i = 0; i < vi->size; i++) s->d[i] = s->z[i] - s->bar[i] - s->rho * s->d[i];
    if (vi->lower)
        vi->lower(vi->user, s->d, s->Rd);
    else
        for (int64_t i = 0; i < vi->size; i++) s->Rd[i] = s->d[i];
    for (int64_t i = 0; i < vi->size; i++) {
        along += (s->z[i] - s->bar[i]) * s->Rd[i];
        square += s->d[i] * s->Rd[i];
    }
    return square > 0.0 && along > 0.0 ? along / square : 1.0;
}


static void swap(double **a, double **b)
{
    double *kept = *a;
    *a = *b;
    *b = kept;
}


double rico_vi_step(const rico_vi *vi, const rico_vi_options *options, rico_vi_state *s)
{
    bool adaptive = options->rule != RICO_VI_FIXED, corrects = options->method != RICO_VI_FIXED_POINT;
    if (vi->settle) vi->settle(vi->user, s->z);
    if (!s->has_map) vi->map(vi->user, s->z, s->F);
    project_step(vi, s, s->rho, s->F);

    // Algorithm 3: shorten until the step is within the safety bound
    double measure = 0.0;
    if (adaptive || corrects) vi->map(vi->user, s->bar, s->F_bar);
    if (adaptive) {
        measure = ratio(vi, options->rule, s);
        for (int i = 0; i < SHRINKS && measure > options->safety; i++) {
            s->rho *= options->by_ratio ? options->factor * fmin(1.0, 1.0 / measure) : options->factor;
            project_step(vi, s, s->rho, s->F);
            vi->map(vi->user, s->bar, s->F_bar);
            measure = ratio(vi, options->rule, s);
        }
    }

    double change = 0.0;
    if (corrects) {
        // correction from z with the map of the prediction; the prediction's array becomes the new iterate
        double factor = options->method == RICO_VI_CORRECTION ? options->gamma * correction(vi, s) : 1.0;
        project_step(vi, s, factor * s->rho, s->F_bar);
        s->has_map = false;
    } else {
        // the prediction is the new iterate, and its map is known when the rule asked for it
        if (adaptive) swap(&s->F, &s->F_bar);
        s->has_map = adaptive;
    }
    for (int64_t i = 0; i < vi->size; i++) {
        double d = s->bar[i] - s->z[i];
        change += d * d;
    }
    swap(&s->z, &s->bar);

    if (adaptive && measure < options->growth) s->rho /= options->factor;
    return change;
}
