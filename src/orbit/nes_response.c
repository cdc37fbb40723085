// Responses of an oscillator with a nonlinear energy sink: amplitudes along a motion, jumps between the branches of the manifold,
// and what they say of a design.

#include "orbit/nes.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

enum { ROWS = 32, PER_ROW = 8, ARRAYS = 11, PLACES = 16 };

// A motion that can go on: the inclusion, or the averaged model.
typedef struct motion {
    rico_context *ctx;
    const rico_nes *nes;
    rico_nes_model model;
    rico_dai *dai; // NULL for the averaged model
    double phi[4];
    double dt, w;
    int64_t steps; // done
} motion;

typedef struct sample {
    double x, y, z, n[3];
} sample;


void rico_nes_response_destroy(rico_context *ctx, rico_nes_response *response)
{
    if (!response) return;
    rico_free(ctx, response->t); // all rows are one block, and so are all jumps
    rico_free(ctx, response->down);
    rico_free(ctx, response);
}


static rico_status start(motion *m, double x0)
{
    m->phi[1] = m->w * x0;
    if (m->model == RICO_NES_AVERAGED) return RICO_OK;
    rico_dai_master master;
    rico_dai_sink sink;
    rico_dai_model model = rico_nes_as_dai(m->nes, &master, &sink);
    const double rest = 0.0;
    rico_status status = rico_dai_create(m->ctx, &model, &m->dai);
    if (status == RICO_OK) status = rico_dai_start(m->dai, &x0, &rest, &x0, &rest);
    return status;
}


static rico_status go_on(motion *m, int64_t to)
{
    int64_t steps = to - m->steps;
    m->steps = to;
    if (m->model == RICO_NES_AVERAGED) return rico_nes_averaged_advance(m->ctx, m->nes, m->dt, steps, m->phi);
    return rico_dai_advance(m->dai, m->model == RICO_NES_LITERAL ? RICO_DAI_LITERAL : RICO_DAI_MIDPOINT,
                            m->dt, steps);
}


static sample look(const motion *m)
{
    double e = m->nes->eps, w = m->w, t = (double)m->steps * m->dt;
    if (m->model == RICO_NES_AVERAGED) {
        double v, s, rate, n1 = hypot(m->phi[0], m->phi[1]);
        rico_realify(w, t, m->phi, &v, &rate);
        rico_realify(w, t, m->phi + 2, &s, &rate);
        double x = v + e * s / (1.0 + e);
        return (sample){
            x,
            v - s / (1.0 + e),
            x * x * x / 3.0,
            {n1, hypot(m->phi[2], m->phi[3]), n1 * n1 * n1 / (4.0 * m->nes->omega1 * m->nes->omega1)}};
    }
    double x = *rico_dai_x(m->dai), v = *rico_dai_v(m->dai), y = *rico_dai_y(m->dai), u = *rico_dai_u(m->dai),
           z = *rico_dai_z(m->dai);
    return (sample){
        x,
        y,
        z,
        {hypot(v + e * u, w * (x + e * y)) / (1.0 + e), hypot(v - u, w * (x - y)), hypot(x * x * v, w * z)}};
}


// ---- rows -----------------------------------------------------------------------------------------------------

// One row: PER_ROW samples, whose mean goes into n1 .. n3 for now.
static rico_status fill_row(motion *m, rico_nes_response *r, int64_t row, double window)
{
    double *const MEAN[] = {r->n1, r->n2, r->n3};
    sample now = {0};
    r->g[row] = 0.0;
    for (int k = 0; k < 3; k++) MEAN[k][row] = 0.0;
    for (int i = 1; i <= PER_ROW; i++) {
        // boundaries are rounded one by one, so that windows do not drift against periods
        double part = (double)(row * PER_ROW + i) / (double)(ROWS * PER_ROW);
        if (rico_context_interrupted(m->ctx))
            return rico_fail(m->ctx, RICO_INTERRUPTED, "interrupted at t = %g", (double)m->steps * m->dt);
        rico_status status = go_on(m, (int64_t)llround(part * window / m->dt));
        if (status != RICO_OK) return status;
        now = look(m);
        for (int k = 0; k < 3; k++) MEAN[k][row] += now.n[k] / PER_ROW;
        if (m->dai) r->g[row] = fmax(r->g[row], rico_dai_constraint(m->dai));
    }
    r->t[row] = (double)m->steps * m->dt;
    r->x[row] = now.x, r->y[row] = now.y, r->z[row] = now.z;
    r->now1[row] = now.n[0], r->now2[row] = now.n[1], r->now3[row] = now.n[2];
    return RICO_OK;
}


// Means over rows become means over windows, from the last on.
static void take_windows(int64_t count, double *mean)
{
    for (int64_t row = count - 1; row >= 0; row--) {
        double sum = 0.0;
        for (int64_t i = 0; i < ROWS && row >= ROWS - 1; i++) sum += mean[row - i];
        mean[row] = row >= ROWS - 1 ? sum / ROWS : NAN;
    }
}


// ---- jumps ----------------------------------------------------------------------------------------------------

// Calls of both passes: counts alone while nothing is there to write to.
static void walk_jumps(rico_nes_response *r, double threshold)
{
    r->downs = r->ups = 0;
    for (int64_t i = ROWS; i < r->count; i++) {
        bool was = r->n2[i - 1] > threshold, is = r->n2[i] > threshold;
        if (was == is) continue;
        double part = (threshold - r->n2[i - 1]) / (r->n2[i] - r->n2[i - 1]),
               t = r->t[i - 1] + part * (r->t[i] - r->t[i - 1]),
               n1 = r->n1[i - 1] + part * (r->n1[i] - r->n1[i - 1]);
        if (is && r->up) r->up[r->ups] = t, r->up_n1[r->ups] = n1;
        if (was && r->down) r->down[r->downs] = t, r->down_n1[r->downs] = n1;
        r->ups += is, r->downs += was;
    }
}


static rico_status find_jumps(rico_context *ctx, rico_nes_response *r, double threshold)
{
    walk_jumps(r, threshold);
    int64_t downs = r->downs, ups = r->ups;
    double *block = rico_alloc(ctx, 2 * (downs + ups), sizeof *block);
    if (!block) return RICO_NO_MEMORY;
    r->down = block, r->down_n1 = block + downs;
    r->up = block + 2 * downs, r->up_n1 = r->up + ups;
    walk_jumps(r, threshold);
    r->period = downs > 1 ? r->down[downs - 1] - r->down[downs - 2] : NAN;
    r->low = INFINITY, r->high = -INFINITY;
    double from = downs ? r->down[0] : 0.5 * r->t[r->count - 1];
    for (int64_t i = ROWS - 1; i < r->count; i++) {
        if (r->t[i] < from) continue;
        r->low = fmin(r->low, r->n1[i]);
        r->high = fmax(r->high, r->n1[i]);
    }
    return RICO_OK;
}


static rico_status allocate(rico_context *ctx, int64_t count, rico_nes_response **out)
{
    rico_nes_response *r = rico_alloc(ctx, 1, sizeof *r);
    *out = r;
    if (!r) return RICO_NO_MEMORY;
    double *block = rico_alloc(ctx, ARRAYS * count, sizeof *block);
    if (!block) return RICO_NO_MEMORY;
    double **const PARTS[ARRAYS] = {&r->t,    &r->x,  &r->y,  &r->z,  &r->now1, &r->now2,
                                    &r->now3, &r->n1, &r->n2, &r->n3, &r->g};
    for (int i = 0; i < ARRAYS; i++) *PARTS[i] = block + i * count;
    r->count = count;
    return RICO_OK;
}


rico_status rico_nes_respond(rico_context *ctx, const rico_nes *nes, rico_nes_model model, double x0,
                             double dt, double end, double threshold, rico_nes_response **out)
{
    *out = NULL;
    rico_status status = rico_nes_check(ctx, nes);
    if (status != RICO_OK) return status;
    double w = nes->omega1 + nes->sigma * nes->eps, window = 4.0 * PI / w;
    if (!(w > 0.0))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "the force's frequency must be positive, got %g", w);
    if (model < RICO_NES_ACCURATE || model > RICO_NES_AVERAGED || !isfinite(x0) || !(threshold > 0.0))
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "a response has a model, a start and a threshold, got %d, %g, %g", (int)model, x0,
                         threshold);
    if (!(dt > 0.0 && dt <= window / ROWS))
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "a response takes steps up to a sixteenth of a period, %g, got %g", window / ROWS,
                         dt);
    if (!(end >= 2.0 * window && end / dt < 1e15))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a response takes at least four periods, %g, got %g",
                         2.0 * window, end);
    motion m = {.ctx = ctx, .nes = nes, .model = model, .dt = dt, .w = w};
    rico_nes_response *r = NULL;
    status = allocate(ctx, (int64_t)(end / window * ROWS), &r);
    if (status == RICO_OK) status = start(&m, x0);
    for (int64_t row = 0; status == RICO_OK && row < r->count; row++) status = fill_row(&m, r, row, window);
    rico_dai_destroy(m.dai);
    if (status == RICO_OK) {
        double *const MEANS[] = {r->n1, r->n2, r->n3};
        for (int k = 0; k < 3; k++) take_windows(r->count, MEANS[k]);
        status = find_jumps(ctx, r, threshold);
    }
    if (status != RICO_OK) {
        rico_nes_response_destroy(ctx, r);
        return status;
    }
    *out = r;
    return RICO_OK;
}


// ---- design ---------------------------------------------------------------------------------------------------

// f0 that the oscillator alone takes at an amplitude, less what there is.
static double missing_alone(const void *user, double n)
{
    const rico_nes *nes = user;
    double w = nes->omega1;
    return hypot(4.0 * nes->alpha0 / PI + nes->a0 * n,
                 nes->beta * n * n * n / (4.0 * w * w * w) - 2.0 * nes->sigma * n) -
           nes->f0;
}


static double amplitude_alone(const rico_nes *nes)
{
    double w3 = pow(nes->omega1, 3), f0 = nes->f0, b = fabs(nes->beta), d = fabs(nes->sigma),
           reach = INFINITY;
    // each of the terms alone bounds the amplitude; b N^3/(4 w^3) is twice 2 d N at least beyond the first of the two
    if (nes->a0 > 0.0) reach = fmin(reach, f0 / nes->a0);
    if (b > 0.0) reach = fmin(reach, fmax(sqrt(16.0 * d * w3 / b), cbrt(8.0 * w3 * f0 / b)));
    if (b == 0.0 && d > 0.0) reach = fmin(reach, 0.5 * f0 / d);
    if (isinf(reach)) return f0 > 4.0 * nes->alpha0 / PI ? INFINITY : 0.0;
    rico_nes_places roots;
    rico_nes_scan(missing_alone, nes, 1.001 * reach, &roots);
    return roots.count ? roots.at[roots.count - 1] : 0.0;
}


static void judge_run(const rico_nes *nes, const rico_nes_response *r, rico_nes_design *out)
{
    double half = 0.5 * r->t[r->count - 1];
    out->high = 0.0;
    for (int64_t i = ROWS - 1; i < r->count; i++)
        if (r->t[i] >= half) out->high = fmax(out->high, r->n1[i]);
    bool jumps = r->downs > 1 && r->down[r->downs - 1] >= half;
    out->outcome = nes->f0 <= nes->alpha0 ? RICO_NES_REST : jumps ? RICO_NES_MODULATED : RICO_NES_PERIODIC;
}


rico_status rico_nes_design_judge(rico_context *ctx, const rico_nes *nes, double x0, double dt, double end,
                                  rico_nes_design *out)
{
    rico_nes_fold fold[PLACES];
    rico_nes_equilibrium rest[PLACES];
    rico_nes_response *r = NULL;
    int64_t folds = 0, found = 0;
    *out = (rico_nes_design){.up = NAN, .down = NAN, .worst = NAN};
    rico_status status = rico_nes_folds(ctx, nes, 0.0, PLACES, fold, &folds);
    if (status == RICO_OK) status = rico_nes_equilibria(ctx, nes, 0.0, PLACES, rest, &found);
    if (status != RICO_OK) return status;
    // without folds nothing jumps, wherever the threshold is
    double threshold = folds > 1 ? 0.5 * (fold[0].at.n2 + fold[1].at.n2) : 1.0;
    if (folds > 1) out->up = fold[0].at.n1, out->down = fold[1].at.n1;
    for (int64_t i = 0; i < found && i < PLACES; i++) {
        if (!rest[i].stable) continue;
        out->worst = fmax(rest[i].at.n1, isnan(out->worst) ? 0.0 : out->worst);
        out->detached = out->detached || (folds > 1 && rest[i].at.n1 > out->up);
    }
    out->equilibria = found;
    out->alone = amplitude_alone(nes);
    status = rico_nes_respond(ctx, nes, RICO_NES_AVERAGED, x0, dt, end, threshold, &r);
    if (!r) return status;
    judge_run(nes, r, out);
    if (folds < 2 && out->outcome == RICO_NES_MODULATED) out->outcome = RICO_NES_PERIODIC;
    rico_nes_response_destroy(ctx, r);
    return RICO_OK;
}
