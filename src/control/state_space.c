// Systems in state space: made from matrices, gains and transfer functions.

#include "ricochet/control.h"

#include "control/matrix.h"
#include "la/dense.h"

static rico_status check(rico_context *ctx, const char *name, int64_t count, const double *a)
{
    if (count > 0 && !a)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "the matrix %s of a system is missing", name);
    for (int64_t i = 0; i < count; i++)
        if (!rico_all_finite(1, &a[i]))
            return rico_fail(ctx, RICO_BAD_INPUT, "entry %lld of the matrix %s of a system is not finite",
                             (long long)i, name);
    return RICO_OK;
}


static double *keep(rico_context *ctx, int64_t count, const double *a)
{
    double *copy = rico_alloc(ctx, count, sizeof *copy);
    if (copy && a)
        for (int64_t i = 0; i < count; i++) copy[i] = a[i];
    return copy;
}


rico_status rico_state_space_create(rico_context *ctx, int64_t states, int64_t inputs, int64_t outputs,
                                    const double *a, const double *b, const double *c, const double *d,
                                    rico_state_space **out)
{
    enum { MOST = 10000 };
    *out = NULL;
    if (states < 0 || inputs < 1 || outputs < 1 || states > MOST || inputs > MOST || outputs > MOST)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a system with %lld states, %lld inputs and %lld outputs",
                         (long long)states, (long long)inputs, (long long)outputs);
    rico_status status = check(ctx, "A", states * states, a);
    if (status == RICO_OK) status = check(ctx, "B", states * inputs, b);
    if (status == RICO_OK) status = check(ctx, "C", outputs * states, c);
    if (status == RICO_OK && d) status = check(ctx, "D", outputs * inputs, d);
    if (status != RICO_OK) return status;
    rico_state_space *sys = rico_alloc(ctx, 1, sizeof *sys);
    if (!sys) return RICO_NO_MEMORY;
    *sys = (rico_state_space){.ctx = ctx, .states = states, .inputs = inputs, .outputs = outputs};
    sys->a = keep(ctx, states * states, a);
    sys->b = keep(ctx, states * inputs, b);
    sys->c = keep(ctx, outputs * states, c);
    sys->d = keep(ctx, outputs * inputs, d);
    if (!sys->a || !sys->b || !sys->c || !sys->d) {
        rico_state_space_destroy(sys);
        return RICO_NO_MEMORY;
    }
    *out = sys;
    return RICO_OK;
}


void rico_state_space_destroy(rico_state_space *sys)
{
    if (!sys) return;
    rico_free(sys->ctx, sys->a);
    rico_free(sys->ctx, sys->b);
    rico_free(sys->ctx, sys->c);
    rico_free(sys->ctx, sys->d);
    rico_free(sys->ctx, sys);
}


rico_status rico_state_space_gain(rico_context *ctx, int64_t outputs, int64_t inputs, const double *d,
                                  rico_state_space **out)
{
    *out = NULL;
    if (!d) return rico_fail(ctx, RICO_BAD_ARGUMENT, "a static gain without its matrix");
    return rico_state_space_create(ctx, 0, inputs, outputs, NULL, NULL, NULL, d, out);
}


// The controllable companion form: with a monic denominator s^n + a_1 s^(n-1) + ..., D = b_0 and C holds b_i - a_i b_0.
rico_status rico_state_space_transfer(rico_context *ctx, int64_t numerator_degree, const double *numerator,
                                      int64_t denominator_degree, const double *denominator,
                                      rico_state_space **out)
{
    int64_t n = denominator_degree, lag = n - numerator_degree;
    *out = NULL;
    if (numerator_degree < 0 || lag < 0)
        return rico_fail(
            ctx, RICO_BAD_ARGUMENT,
            "a transfer function with a numerator of degree %lld over a denominator of degree %lld",
            (long long)numerator_degree, (long long)n);
    if (!rico_all_finite(n + 1, denominator) || !rico_all_finite(numerator_degree + 1, numerator))
        return rico_fail(ctx, RICO_BAD_INPUT, "a coefficient of a transfer function is not finite");
    if (denominator[0] == 0.0)
        return rico_fail(ctx, RICO_BAD_INPUT, "the denominator of a transfer function begins with 0");
    rico_pad pad = rico_pad_open(ctx);
    rico_quad quad = {rico_mat_zero(&pad, n, n), rico_mat_zero(&pad, n, 1), rico_mat_zero(&pad, 1, n),
                      rico_mat_zero(&pad, 1, 1)};
    if (pad.status == RICO_OK) {
        double lead = denominator[0], direct = lag == 0 ? numerator[0] / lead : 0.0;
        quad.d.a[0] = direct;
        for (int64_t i = 0; i < n; i++) {
            double over = i + 1 >= lag ? numerator[i + 1 - lag] / lead : 0.0,
                   under = denominator[i + 1] / lead;
            *rico_mat_at(quad.a, 0, i) = -under;
            quad.c.a[i] = over - direct * under;
            if (i + 1 < n) *rico_mat_at(quad.a, i + 1, i) = 1.0;
        }
        if (n > 0) quad.b.a[0] = 1.0;
        rico_quad_make(&pad, quad, out);
    }
    return rico_pad_close(&pad);
}


rico_status rico_state_space_sections(rico_context *ctx, int64_t count, const double *sections,
                                      rico_state_space **out)
{
    const double one = 1.0;
    rico_state_space *all;
    *out = NULL;
    rico_status status = rico_state_space_gain(ctx, 1, 1, &one, &all);
    for (int64_t i = 0; i < count && status == RICO_OK; i++) {
        const double *over = &sections[6 * i], *under = over + 3;
        rico_state_space *section = NULL, *longer = NULL;
        int64_t skip = 0;
        while (skip < 2 && under[skip] == 0.0 && over[skip] == 0.0) skip++;
        status = rico_state_space_transfer(ctx, 2 - skip, over + skip, 2 - skip, under + skip, &section);
        if (status == RICO_OK) status = rico_state_space_series(all, section, &longer);
        rico_state_space_destroy(section);
        if (status != RICO_OK) break;
        rico_state_space_destroy(all);
        all = longer;
    }
    if (status == RICO_OK)
        *out = all;
    else
        rico_state_space_destroy(all);
    return status;
}
