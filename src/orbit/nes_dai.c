// Differential algebraic inclusions of oscillators with friction and nonlinear energy sinks: the model, its start, its energy.
// nes_step.c moves them.

#include "orbit/nes_dai.h"

#include "la/dense.h"

#include <math.h>
#include <string.h>


static rico_status check_master(rico_context *ctx, int64_t i, const rico_dai_master *m)
{
    static const char *const NAMES[] = {"omega", "a0", "alpha0"};
    const double values[] = {m->omega, m->a0, m->alpha0};
    for (int k = 0; k < 3; k++)
        if (!(values[k] >= 0.0 && isfinite(values[k])))
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "%s of master %lld must not be negative, got %g",
                             NAMES[k], (long long)i + 1, values[k]);
    if (!isfinite(m->beta + m->f0))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "beta %g or f0 %g of master %lld is no number", m->beta,
                         m->f0, (long long)i + 1);
    if (m->friction < RICO_NES_SIGN || m->friction > RICO_NES_BOUC_WEN)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "master %lld has no kind of friction %d", (long long)i + 1,
                         (int)m->friction);
    if (m->friction != RICO_NES_SIGN && !(m->stiffness > 0.0 && isfinite(m->stiffness)))
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "friction with memory needs a positive stiffness, master %lld has %g",
                         (long long)i + 1, m->stiffness);
    if (m->friction == RICO_NES_BOUC_WEN && !(m->shape >= 0.5 && m->shape <= 1.0 && m->exponent >= 1.0))
        return rico_fail(
            ctx, RICO_BAD_ARGUMENT,
            "Bouc and Wen's friction dissipates for a shape from 0.5 to 1 and an exponent of 1 or more, "
            "master %lld has %g and %g",
            (long long)i + 1, m->shape, m->exponent);
    return RICO_OK;
}


static rico_status check_sink(rico_context *ctx, int64_t i, const rico_dai_sink *k, int64_t masters)
{
    if (k->on < 0 || k->on >= masters)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "sink %lld hangs on master %lld of %lld", (long long)i + 1,
                         (long long)k->on + 1, (long long)masters);
    rico_nes alone = {.eps = k->eps,
                      .omega1 = 1.0,
                      .lambda = k->lambda,
                      .gamma = k->gamma,
                      .coupling = k->coupling,
                      .gap = k->gap,
                      .force = k->force};
    return rico_nes_check(ctx, &alone);
}


rico_status rico_dai_check(rico_context *ctx, const rico_dai_model *model)
{
    if (model->masters < 1 || model->sinks < 0)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "an inclusion has masters, got %lld with %lld sinks",
                         (long long)model->masters, (long long)model->sinks);
    if (!(model->eps > 0.0 && isfinite(model->eps)) || !(model->w > 0.0 && isfinite(model->w)))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "eps and w of an inclusion must be positive, got %g and %g",
                         model->eps, model->w);
    const rico_dai_algebra *algebra = model->algebra;
    if (algebra && (algebra->count < 1 || !algebra->constraint || !algebra->force))
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "an algebra needs variables, their constraint and their force, got %lld variables",
                         (long long)algebra->count);
    rico_status status = RICO_OK;
    for (int64_t i = 0; i < model->masters && status == RICO_OK; i++)
        status = check_master(ctx, i, &model->master[i]);
    for (int64_t i = 0; i < model->sinks && status == RICO_OK; i++)
        status = check_sink(ctx, i, &model->sink[i], model->masters);
    return status;
}


rico_dai_model rico_nes_as_dai(const rico_nes *nes, rico_dai_master *master, rico_dai_sink *sink)
{
    *master = (rico_dai_master){
        .omega = nes->omega1, .a0 = nes->a0, .alpha0 = nes->alpha0, .beta = nes->beta, .f0 = nes->f0};
    *sink = (rico_dai_sink){.eps = nes->eps,
                            .lambda = nes->lambda,
                            .gamma = nes->gamma,
                            .coupling = nes->coupling,
                            .gap = nes->gap,
                            .force = nes->force,
                            .user = nes->user};
    return (rico_dai_model){.eps = nes->eps,
                            .w = nes->omega1 + nes->sigma * nes->eps,
                            .masters = 1,
                            .sinks = 1,
                            .master = master,
                            .sink = sink};
}


// ---- life -----------------------------------------------------------------------------------------------------

void rico_dai_destroy(rico_dai *dai)
{
    if (!dai) return;
    rico_context *ctx = dai->ctx;
    rico_free(ctx, dai->master);
    rico_free(ctx, dai->sink);
    rico_free(ctx, dai->x); // all numbers are one block
    rico_free(ctx, dai->pivot);
    rico_free(ctx, dai);
}


static rico_status lay_out(rico_dai *dai)
{
    int64_t n = dai->model.masters, sinks = dai->model.sinks, own = dai->algebra.count, m = own ? own : n;
    struct {
        double **at;
        int64_t count;
    } const PARTS[] = {{&dai->x, n},       {&dai->v, n},     {&dai->q, n},    {&dai->z, m},
                       {&dai->y, sinks},   {&dai->u, sinks}, {&dai->vm, n},   {&dai->um, sinks},
                       {&dai->qm, n},      {&dai->held, n},  {&dai->pull, n}, {&dai->h, n},
                       {&dai->resists, n}, {&dai->xm, n},    {&dai->G, m},    {&dai->P, own * own},
                       {&dai->Q, own * n}, {&dai->slope, m}};
    enum { COUNT = sizeof PARTS / sizeof *PARTS };
    int64_t total = 0;
    for (int i = 0; i < COUNT; i++) total += PARTS[i].count;
    double *block = rico_alloc(dai->ctx, total, sizeof *block);
    if (!block) return RICO_NO_MEMORY;
    for (int i = 0; i < COUNT; i++) *PARTS[i].at = block, block += PARTS[i].count;
    dai->pivot = rico_alloc(dai->ctx, own, sizeof *dai->pivot);
    return dai->pivot ? RICO_OK : RICO_NO_MEMORY;
}


rico_status rico_dai_create(rico_context *ctx, const rico_dai_model *model, rico_dai **out)
{
    *out = NULL;
    rico_status status = rico_dai_check(ctx, model);
    if (status != RICO_OK) return status;
    rico_dai *dai = rico_alloc(ctx, 1, sizeof *dai);
    if (!dai) return RICO_NO_MEMORY;
    dai->ctx = ctx;
    dai->model = *model;
    if (model->algebra) dai->algebra = *model->algebra;
    dai->master = rico_alloc(ctx, model->masters, sizeof *dai->master);
    dai->sink = rico_alloc(ctx, model->sinks, sizeof *dai->sink);
    status = dai->master && dai->sink ? lay_out(dai) : RICO_NO_MEMORY;
    if (status != RICO_OK) {
        rico_dai_destroy(dai);
        return status;
    }
    memcpy(dai->master, model->master, (size_t)model->masters * sizeof *dai->master);
    if (model->sinks) memcpy(dai->sink, model->sink, (size_t)model->sinks * sizeof *dai->sink);
    *out = dai;
    return RICO_OK;
}


// ---- algebra --------------------------------------------------------------------------------------------------

rico_status rico_dai_solve_algebra(rico_dai *dai, const double *x, double *z)
{
    const rico_dai_algebra *a = &dai->algebra;
    int64_t m = a->count;
    for (int i = 0; i < 50; i++) {
        a->constraint(a->user, z, x, dai->G, dai->P, dai->Q);
        rico_status status = rico_dense_lu(dai->ctx, m, dai->P, dai->pivot);
        if (status != RICO_OK) return rico_fail_in(dai->ctx, status, "dG/dz of the algebraic variables");
        rico_dense_lu_solve(m, dai->P, dai->pivot, 1, dai->G);
        rico_axpy(m, -1.0, dai->G, z);
        if (rico_norm_inf(m, dai->G) <= 1e-14 * (1.0 + rico_norm_inf(m, z))) return RICO_OK;
    }
    return rico_fail(dai->ctx, RICO_SINGULAR, "G(z, x) = 0 was not solved for z at t = %g",
                     rico_dai_time(dai));
}


rico_status rico_dai_algebra_rate(rico_dai *dai, const double *z, const double *x, const double *v)
{
    const rico_dai_algebra *a = &dai->algebra;
    a->constraint(a->user, z, x, dai->G, dai->P, dai->Q);
    rico_status status = rico_dense_lu(dai->ctx, a->count, dai->P, dai->pivot);
    if (status != RICO_OK) return rico_fail_in(dai->ctx, status, "dG/dz of the algebraic variables");
    rico_dense_times(a->count, dai->model.masters, -1.0, dai->Q, v, 0.0, dai->slope);
    rico_dense_lu_solve(a->count, dai->P, dai->pivot, 1, dai->slope);
    return RICO_OK;
}


rico_status rico_dai_start(rico_dai *dai, const double *x, const double *v, const double *y, const double *u)
{
    int64_t n = dai->model.masters, sinks = dai->model.sinks;
    if (!rico_all_finite(n, x) || !rico_all_finite(n, v) || !rico_all_finite(sinks, y) ||
        !rico_all_finite(sinks, u))
        return rico_fail(dai->ctx, RICO_BAD_ARGUMENT, "a start of the inclusion is no number");
    memcpy(dai->x, x, (size_t)n * sizeof *x);
    memcpy(dai->v, v, (size_t)n * sizeof *v);
    if (sinks) memcpy(dai->y, y, (size_t)sinks * sizeof *y);
    if (sinks) memcpy(dai->u, u, (size_t)sinks * sizeof *u);
    memcpy(dai->vm, dai->v, (size_t)n * sizeof *v); // first guesses of the first step
    if (sinks) memcpy(dai->um, dai->u, (size_t)sinks * sizeof *u);
    memset(dai->q, 0, (size_t)n * sizeof *dai->q);
    memset(dai->qm, 0, (size_t)n * sizeof *dai->qm);
    dai->base = 0.0, dai->steps = 0;
    dai->ledger = (rico_dai_ledger){0};
    if (dai->algebra.count) {
        memset(dai->z, 0, (size_t)dai->algebra.count * sizeof *dai->z);
        return rico_dai_solve_algebra(dai, x, dai->z);
    }
    for (int64_t i = 0; i < n; i++) dai->z[i] = x[i] * x[i] * x[i] / 3.0;
    return RICO_OK;
}


// ---- what there is --------------------------------------------------------------------------------------------

double rico_dai_time(const rico_dai *dai)
{
    return dai->base + (double)dai->steps * dai->dt;
}


const double *rico_dai_x(const rico_dai *dai)
{
    return dai->x;
}


const double *rico_dai_v(const rico_dai *dai)
{
    return dai->v;
}


const double *rico_dai_z(const rico_dai *dai)
{
    return dai->z;
}


const double *rico_dai_y(const rico_dai *dai)
{
    return dai->y;
}


const double *rico_dai_u(const rico_dai *dai)
{
    return dai->u;
}


double rico_dai_constraint(const rico_dai *dai)
{
    double largest = 0.0;
    if (dai->algebra.count) {
        dai->algebra.constraint(dai->algebra.user, dai->z, dai->x, dai->G, dai->P, dai->Q);
        return rico_norm_inf(dai->algebra.count, dai->G);
    }
    for (int64_t i = 0; i < dai->model.masters; i++)
        largest = fmax(largest, fabs(dai->x[i] * dai->x[i] * dai->x[i] / 3.0 - dai->z[i]));
    return largest;
}


rico_dai_ledger rico_dai_energy(const rico_dai *dai)
{
    rico_dai_ledger ledger = dai->ledger;
    for (int64_t i = 0; i < dai->model.masters; i++) {
        const rico_dai_master *m = &dai->master[i];
        double x = dai->x[i], v = dai->v[i], square = x * x;
        ledger.energy += 0.5 * (v * v + m->omega * m->omega * square);
        if (!dai->algebra.count) ledger.energy += dai->model.eps * m->beta * square * square / 12.0;
    }
    for (int64_t i = 0; i < dai->model.sinks; i++) {
        const rico_dai_sink *k = &dai->sink[i];
        double held =
            rico_coupling_energy(k->coupling, k->gamma, k->gap, k->force, k->user, dai->x[k->on] - dai->y[i]);
        ledger.energy += k->eps * (0.5 * dai->u[i] * dai->u[i] + held);
    }
    return ledger;
}
