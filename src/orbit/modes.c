// A linear system against one obstacle: its modes, and what an impact does to them.

#include "orbit/modes.h"

#include "la/dense.h"

#include <math.h>
#include <string.h>

static rico_status check_numbers(rico_context *ctx, int64_t n, double g0)
{
    if (n < 1)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "nonsmooth modes need a degree of freedom, got %lld",
                         (long long)n);
    if (!(g0 > 0.0 && isfinite(g0)))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "the gap at rest must be positive, got %g", g0);
    return RICO_OK;
}


static rico_status make(rico_context *ctx, int64_t n, double g0, bool shapes, rico_modes **out)
{
    *out = NULL;
    rico_status status = check_numbers(ctx, n, g0);
    if (status != RICO_OK) return status;
    rico_modes *modes = rico_alloc(ctx, 1, sizeof *modes);
    if (!modes) return RICO_NO_MEMORY;
    modes->ctx = ctx;
    modes->n = n;
    modes->g0 = g0;
    modes->omega = rico_alloc(ctx, n, sizeof(double));
    modes->b = rico_alloc(ctx, n, sizeof(double));
    modes->shape = shapes ? rico_alloc(ctx, n * n, sizeof(double)) : NULL;
    if (!modes->omega || !modes->b || (shapes && !modes->shape)) {
        rico_modes_destroy(modes);
        return RICO_NO_MEMORY;
    }
    *out = modes;
    return RICO_OK;
}


static rico_status check_symmetric(rico_context *ctx, const char *name, int64_t n, const double *a)
{
    double size = rico_norm_inf(n * n, a);
    if (!isfinite(size)) return rico_fail(ctx, RICO_BAD_INPUT, "the matrix %s is not finite", name);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < j; i++)
            if (fabs(a[i + j * n] - a[j + i * n]) > 1e-12 * size)
                return rico_fail(ctx, RICO_BAD_INPUT,
                                 "the matrix %s is not symmetric: %g and %g in row %lld and column %lld",
                                 name, a[i + j * n], a[j + i * n], (long long)i + 1, (long long)j + 1);
    return RICO_OK;
}


// x <- L^-1 x, and L^-T x, for the lower triangle of a Cholesky factor.
static void forward(int64_t n, const double *l, double *x)
{
    for (int64_t i = 0; i < n; i++) {
        x[i] /= l[i + i * n];
        for (int64_t r = i + 1; r < n; r++) x[r] -= l[r + i * n] * x[i];
    }
}


static void backward(int64_t n, const double *l, double *x)
{
    for (int64_t i = n - 1; i >= 0; i--) {
        for (int64_t r = i + 1; r < n; r++) x[i] -= l[r + i * n] * x[r];
        x[i] /= l[i + i * n];
    }
}


// K Phi = M Phi diag(omega^2) by M = L L', L^-1 K L^-T = V diag(omega^2) V', Phi = L^-T V.
static rico_status decompose(rico_modes *modes, const double *M, const double *K, double *l)
{
    int64_t n = modes->n;
    double *a = modes->shape;
    memcpy(l, M, (size_t)(n * n) * sizeof *l);
    if (rico_dense_cholesky(modes->ctx, n, l) != RICO_OK)
        return rico_fail(modes->ctx, RICO_SINGULAR, "the mass matrix is not positive definite");
    for (int pass = 0; pass < 2; pass++) { // columns of K, then of (L^-1 K)'
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i < n; i++)
                if (pass == 0) a[i + j * n] = K[i + j * n];
        for (int64_t j = 0; j < n; j++) forward(n, l, a + j * n);
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i < j; i++) {
                double kept = a[i + j * n];
                a[i + j * n] = a[j + i * n];
                a[j + i * n] = kept;
            }
    }
    rico_status status = rico_dense_eigen(modes->ctx, n, a, true, modes->omega);
    if (status != RICO_OK) return status;
    for (int64_t j = 0; j < n; j++) {
        if (!(modes->omega[j] > 0.0))
            return rico_fail(modes->ctx, RICO_SINGULAR,
                             "the stiffness matrix is not positive definite: omega^2 = %g", modes->omega[j]);
        modes->omega[j] = sqrt(modes->omega[j]);
        backward(n, l, a + j * n);
    }
    return RICO_OK;
}


static rico_status finish(rico_modes *modes)
{
    modes->W = rico_dot(modes->n, modes->b, modes->b);
    if (!(modes->W > 0.0 && isfinite(modes->W)))
        return rico_fail(modes->ctx, RICO_BAD_ARGUMENT, "the gradient of the gap is zero or not finite");
    return RICO_OK;
}


rico_status rico_modes_create(rico_context *ctx, int64_t n, const double *M, const double *K, const double *w,
                              double g0, rico_modes **out)
{
    rico_modes *modes = NULL;
    rico_status status = make(ctx, n, g0, true, &modes);
    *out = NULL;
    if (status != RICO_OK) return status;
    double *l = rico_alloc(ctx, n * n, sizeof *l);
    status = l ? check_symmetric(ctx, "M", n, M) : RICO_NO_MEMORY;
    if (status == RICO_OK) status = check_symmetric(ctx, "K", n, K);
    if (status == RICO_OK) status = decompose(modes, M, K, l);
    rico_free(ctx, l);
    if (status == RICO_OK) {
        rico_dense_transpose_times(n, n, 1.0, modes->shape, w, 0.0, modes->b);
        // a mode that does not move the gap does so to round-off
        double size = rico_norm_inf(n, modes->b);
        for (int64_t j = 0; j < n; j++)
            if (fabs(modes->b[j]) < 1e-14 * size) modes->b[j] = 0.0;
        status = finish(modes);
    }
    if (status != RICO_OK) {
        rico_modes_destroy(modes);
        return status;
    }
    *out = modes;
    return RICO_OK;
}


rico_status rico_modes_create_spectral(rico_context *ctx, int64_t n, const double *omega, const double *b,
                                       double g0, rico_modes **out)
{
    rico_modes *modes = NULL;
    rico_status status = make(ctx, n, g0, false, &modes);
    *out = NULL;
    if (status != RICO_OK) return status;
    for (int64_t j = 0; j < n && status == RICO_OK; j++)
        if (!(omega[j] > 0.0 && isfinite(omega[j])) || (j > 0 && omega[j] < omega[j - 1]))
            status =
                rico_fail(ctx, RICO_BAD_ARGUMENT, "frequency %lld is %g: they must be positive and ascend",
                          (long long)j + 1, omega[j]);
    if (status == RICO_OK) {
        memcpy(modes->omega, omega, (size_t)n * sizeof *omega);
        memcpy(modes->b, b, (size_t)n * sizeof *b);
        status = finish(modes);
    }
    if (status != RICO_OK) {
        rico_modes_destroy(modes);
        return status;
    }
    *out = modes;
    return RICO_OK;
}


void rico_modes_destroy(rico_modes *modes)
{
    if (!modes) return;
    rico_free(modes->ctx, modes->omega);
    rico_free(modes->ctx, modes->b);
    rico_free(modes->ctx, modes->shape);
    rico_free(modes->ctx, modes);
}


int64_t rico_modes_count(const rico_modes *modes)
{
    return modes->n;
}


const double *rico_modes_frequencies(const rico_modes *modes)
{
    return modes->omega;
}


const double *rico_modes_participations(const rico_modes *modes)
{
    return modes->b;
}


const double *rico_modes_shapes(const rico_modes *modes)
{
    return modes->shape;
}


double rico_modes_gap_at_rest(const rico_modes *modes)
{
    return modes->g0;
}


void rico_modes_reflect(const rico_modes *modes, double *velocity)
{
    double rate = rico_dot(modes->n, modes->b, velocity);
    rico_axpy(modes->n, -2.0 * rate / modes->W, modes->b, velocity);
}


// q = (g0/|b|) cos(omega t): E = (omega g0 / b)^2 / 2.
double rico_modes_grazing_energy(const rico_modes *modes, int64_t j)
{
    double speed = modes->omega[j] * modes->g0 / modes->b[j];
    return 0.5 * speed * speed;
}
