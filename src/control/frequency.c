// Responses on the imaginary axis, poles, invariant zeros and root loci.

#include "ricochet/control.h"

#include "control/complex.h"
#include "control/response.h"
#include "la/eigenvalues.h"

#include <float.h>
#include <math.h>

// X = (i omega I - A)^-1 B.
static void resolvent(rico_pad *pad, const rico_state_space *sys, double omega, double complex *matrix,
                      double complex *x)
{
    int64_t n = sys->states, m = sys->inputs;
    if (pad->status != RICO_OK) return;
    for (int64_t i = 0; i < n * n; i++) matrix[i] = -sys->a[i];
    for (int64_t i = 0; i < n; i++) matrix[i + i * n] += omega * I;
    for (int64_t i = 0; i < n * m; i++) x[i] = sys->b[i];
    if (!rico_complex_solve(n, matrix, m, x))
        pad->status =
            rico_fail(pad->ctx, RICO_SINGULAR, "the system has a pole at the frequency %g itself", omega);
}


rico_status rico_response_at(const rico_state_space *sys, double omega, double complex *out)
{
    int64_t n = sys->states, m = sys->inputs, p = sys->outputs;
    if (!isfinite(omega))
        return rico_fail(sys->ctx, RICO_BAD_ARGUMENT, "a response at the frequency %g", omega);
    rico_pad pad = rico_pad_open(sys->ctx);
    double complex *matrix = rico_pad_take(&pad, n * n, sizeof *matrix);
    double complex *x = rico_pad_take(&pad, n * m, sizeof *x);
    if (n > 0) resolvent(&pad, sys, omega, matrix, x);
    for (int64_t j = 0; j < m && pad.status == RICO_OK; j++)
        for (int64_t i = 0; i < p; i++) {
            double complex sum = sys->d[i + j * p];
            for (int64_t k = 0; k < n; k++) sum += sys->c[i + k * p] * x[k + j * n];
            out[i + j * p] = sum;
        }
    return rico_pad_close(&pad);
}


rico_status rico_complex_singular_values(rico_context *ctx, int64_t rows, int64_t cols,
                                         const double complex *a, double *values)
{
    rico_pad pad = rico_pad_open(ctx);
    double complex *copy = rico_pad_take(&pad, rows * cols, sizeof *copy);
    if (pad.status == RICO_OK) {
        for (int64_t i = 0; i < rows * cols; i++) copy[i] = a[i];
        if (!rico_complex_singular(rows, cols, copy, values))
            pad.status = rico_fail(ctx, RICO_SINGULAR, "a response of %lld x %lld is not finite",
                                   (long long)rows, (long long)cols);
    }
    return rico_pad_close(&pad);
}


rico_status rico_state_space_response(const rico_state_space *sys, double omega, double *response)
{
    rico_pad pad = rico_pad_open(sys->ctx);
    int64_t count = sys->inputs * sys->outputs;
    double complex *g = rico_pad_take(&pad, count, sizeof *g);
    if (pad.status == RICO_OK) pad.status = rico_response_at(sys, omega, g);
    for (int64_t i = 0; i < count && pad.status == RICO_OK; i++) {
        response[2 * i] = creal(g[i]);
        response[2 * i + 1] = cimag(g[i]);
    }
    return rico_pad_close(&pad);
}


rico_status rico_state_space_singular_values(const rico_state_space *sys, double omega, double *values)
{
    rico_pad pad = rico_pad_open(sys->ctx);
    double complex *g = rico_pad_take(&pad, sys->inputs * sys->outputs, sizeof *g);
    if (pad.status == RICO_OK) pad.status = rico_response_at(sys, omega, g);
    if (pad.status == RICO_OK)
        pad.status = rico_complex_singular_values(sys->ctx, sys->outputs, sys->inputs, g, values);
    return rico_pad_close(&pad);
}


rico_status rico_largest_gain(const rico_state_space *sys, double omega, double *gain)
{
    rico_pad pad = rico_pad_open(sys->ctx);
    double *values = rico_pad_take(&pad, sys->inputs + sys->outputs, sizeof *values);
    if (pad.status == RICO_OK) pad.status = rico_state_space_singular_values(sys, omega, values);
    if (pad.status == RICO_OK) *gain = values[0];
    return rico_pad_close(&pad);
}


rico_status rico_state_space_poles(const rico_state_space *sys, double *real, double *imag)
{
    rico_pad pad = rico_pad_open(sys->ctx);
    rico_mat a = rico_mat_copy(&pad, sys->states, sys->states, sys->a);
    if (pad.status == RICO_OK) pad.status = rico_eigenvalues(sys->ctx, sys->states, a.a, real, imag);
    return rico_pad_close(&pad);
}


rico_status rico_state_space_abscissa(const rico_state_space *sys, double *abscissa)
{
    rico_pad pad = rico_pad_open(sys->ctx);
    double *real = rico_pad_take(&pad, 2 * sys->states, sizeof *real);
    if (pad.status == RICO_OK) pad.status = rico_state_space_poles(sys, real, real + sys->states);
    *abscissa = -INFINITY;
    for (int64_t i = 0; i < sys->states && pad.status == RICO_OK; i++) *abscissa = fmax(*abscissa, real[i]);
    return rico_pad_close(&pad);
}


static int64_t rank_of(rico_mat_svd svd, int64_t rows, int64_t cols, double below)
{
    int64_t rank = 0, least = rows < cols ? rows : cols;
    while (rank < least && svd.s[rank] > below) rank++;
    return rank;
}


// One step of Emami-Naeini and Van Dooren's reduction (Automatica 18, 1982): rows of y without direct gain are constraints C2 x = 0, whose
// states go, and whose rates become outputs. False once D has full row rank.
static bool reduce(rico_pad *pad, rico_quad *q, double below)
{
    int64_t n = q->a.rows, m = q->d.cols, p = q->d.rows;
    rico_mat_svd direct = rico_mat_svd_of(pad, q->d);
    if (pad->status != RICO_OK) return false;
    int64_t rank = rank_of(direct, p, m, below);
    if (rank == p) return false;
    rico_mat ut = rico_mat_transpose(pad, direct.u);
    rico_mat c = rico_mat_product(pad, ut, q->c), d = rico_mat_product(pad, ut, q->d);
    rico_mat_svd held = rico_mat_svd_of(pad, rico_mat_part(pad, c, rank, p - rank, 0, n));
    if (pad->status != RICO_OK) return false;
    int64_t gone = rank_of(held, p - rank, n, below), left = n - gone;
    rico_mat c1 = rico_mat_part(pad, c, 0, rank, 0, n), d1 = rico_mat_part(pad, d, 0, rank, 0, m);
    // the last `left` rows of V' span what C2 does not see
    rico_mat seen = rico_mat_part(pad, held.vt, 0, gone, 0, n),
             free = rico_mat_part(pad, held.vt, gone, left, 0, n);
    rico_mat back = rico_mat_transpose(pad, free), moved = rico_mat_product(pad, q->a, back);
    q->a = rico_mat_product(pad, free, moved);
    q->c = rico_mat_over(pad, rico_mat_product(pad, c1, back), rico_mat_product(pad, seen, moved));
    q->d = rico_mat_over(pad, d1, rico_mat_product(pad, seen, q->b));
    q->b = rico_mat_product(pad, free, q->b);
    return pad->status == RICO_OK && gone > 0;
}


rico_status rico_state_space_zeros(const rico_state_space *sys, double *real, double *imag, int64_t *count)
{
    rico_pad pad = rico_pad_open(sys->ctx);
    rico_quad q = rico_quad_of(&pad, sys);
    double below = 1e-11 * (rico_mat_largest(q.a) + rico_mat_largest(q.b) + rico_mat_largest(q.c) +
                            rico_mat_largest(q.d));
    *count = 0;
    for (int side = 0; side < 2; side++) {
        while (reduce(&pad, &q, below)) continue;
        rico_quad turned = {rico_mat_transpose(&pad, q.a), rico_mat_transpose(&pad, q.c),
                            rico_mat_transpose(&pad, q.b), rico_mat_transpose(&pad, q.d)};
        q = turned;
    }
    // D is square and regular now: the zeros are the poles of the inverse
    rico_mat inner = q.a;
    if (q.d.rows > 0 && q.d.rows == q.d.cols)
        inner =
            rico_mat_sum(&pad, 1.0, q.a, -1.0, rico_mat_product(&pad, q.b, rico_mat_divide(&pad, q.d, q.c)));
    if (pad.status == RICO_OK) pad.status = rico_eigenvalues(sys->ctx, inner.rows, inner.a, real, imag);
    if (pad.status == RICO_OK) *count = inner.rows;
    return rico_pad_close(&pad);
}


rico_status rico_state_space_root_locus(const rico_state_space *loop, int64_t count, const double *gain,
                                        double *real, double *imag)
{
    int64_t n = loop->states;
    if (loop->inputs != 1 || loop->outputs != 1)
        return rico_fail(loop->ctx, RICO_BAD_ARGUMENT,
                         "a root locus of a loop with %lld inputs and %lld outputs", (long long)loop->inputs,
                         (long long)loop->outputs);
    rico_pad pad = rico_pad_open(loop->ctx);
    rico_mat a = rico_mat_zero(&pad, n, n);
    for (int64_t g = 0; g < count && pad.status == RICO_OK; g++) {
        double direct = 1.0 + gain[g] * loop->d[0];
        if (!isfinite(gain[g]) || fabs(direct) < DBL_EPSILON) {
            pad.status =
                rico_fail(loop->ctx, RICO_SINGULAR, "the loop is not well posed with the gain %g: D = %g",
                          gain[g], loop->d[0]);
            break;
        }
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i < n; i++)
                *rico_mat_at(a, i, j) = loop->a[i + j * n] - gain[g] / direct * loop->b[i] * loop->c[j];
        pad.status = rico_eigenvalues(loop->ctx, n, a.a, &real[g * n], &imag[g * n]);
    }
    return rico_pad_close(&pad);
}
