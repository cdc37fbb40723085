// Structured singular values of two full complex blocks: the bound by D scaling, which is exact for up to three blocks (Doyle 1982).
//
// sigma_max(diag(d I, I) N diag(I/d, I)) is convex in log d. The skewed value with a given d needs no search: with M = N diag(I/d, I) in rows
// M1 over M2, |diag(k d I, I) M| <= 1 exactly when k^2 d^2 M1 (I - M2* M2)^-1 M1* <= I, so k d = 1/sigma_max(L^-1 M1*), L L* = I - M2* M2.

#include "control/mu.h"

#include "control/complex.h"
#include "la/dense.h"

#include <math.h>

static const double CLOSE = 1e-11; // of log d


rico_status rico_mu_check(rico_context *ctx, int64_t rows, int64_t cols, rico_blocks blocks)
{
    if (blocks.outputs >= 1 && blocks.inputs >= 1 && blocks.outputs < rows && blocks.inputs < cols)
        return RICO_OK;
    return rico_fail(ctx, RICO_BAD_ARGUMENT,
                     "a first block of %lld x %lld does not leave a second one in a matrix of %lld x %lld",
                     (long long)blocks.outputs, (long long)blocks.inputs, (long long)rows, (long long)cols);
}


rico_mu_work rico_mu_work_on(rico_pad *pad, int64_t rows, int64_t cols, rico_blocks blocks)
{
    int64_t most = rows > cols ? rows : cols;
    rico_mu_work w = {.ctx = pad->ctx, .rows = rows, .cols = cols, .blocks = blocks};
    w.a = rico_pad_take(pad, most * most, sizeof *w.a);
    w.b = rico_pad_take(pad, most * most, sizeof *w.b);
    w.values = rico_pad_take(pad, most, sizeof *w.values);
    return w;
}


// Largest singular value of w->a, rows x cols, which is destroyed.
static rico_status largest(rico_mu_work *w, int64_t rows, int64_t cols, double *sigma)
{
    if (!rico_complex_singular(rows, cols, w->a, w->values))
        return rico_fail(w->ctx, RICO_SINGULAR, "a response of %lld x %lld is not finite", (long long)rows,
                         (long long)cols);
    *sigma = w->values[0];
    return RICO_OK;
}


rico_status rico_mu_scaled(rico_mu_work *w, const double complex *n, double k, double d, double *sigma)
{
    for (int64_t j = 0; j < w->cols; j++)
        for (int64_t i = 0; i < w->rows; i++)
            w->a[i + j * w->rows] =
                n[i + j * w->rows] * (i < w->blocks.outputs ? k * d : 1.0) / (j < w->blocks.inputs ? d : 1.0);
    return largest(w, w->rows, w->cols, sigma);
}


// Norm of one of the four blocks of N.
static rico_status block_norm(rico_mu_work *w, const double complex *n, bool lower, bool right, double *norm)
{
    int64_t row = lower ? w->blocks.outputs : 0, rows = lower ? w->rows - row : w->blocks.outputs;
    int64_t col = right ? w->blocks.inputs : 0, cols = right ? w->cols - col : w->blocks.inputs;
    for (int64_t j = 0; j < cols; j++)
        for (int64_t i = 0; i < rows; i++) w->a[i + j * rows] = n[row + i + (col + j) * w->rows];
    return largest(w, rows, cols, norm);
}


// Cholesky's factor L of I - M* M into w->b, lower; false when the norm of M is not below 1.
static bool defect(rico_mu_work *w, int64_t rows, int64_t cols, const double complex *m)
{
    for (int64_t j = 0; j < cols; j++)
        for (int64_t i = j; i < cols; i++) {
            double complex sum = i == j ? 1.0 : 0.0;
            for (int64_t k = 0; k < rows; k++) sum -= conj(m[k + i * rows]) * m[k + j * rows];
            w->b[i + j * cols] = sum;
        }
    return rico_complex_cholesky(cols, w->b);
}


rico_status rico_mu_skewed_with(rico_mu_work *w, const double complex *n, double d, double *mu)
{
    int64_t top = w->blocks.outputs, low = w->rows - top, cols = w->cols;
    for (int64_t j = 0; j < cols; j++)
        for (int64_t i = 0; i < low; i++)
            w->a[i + j * low] = n[top + i + j * w->rows] / (j < w->blocks.inputs ? d : 1.0);
    *mu = INFINITY;
    if (!defect(w, low, cols, w->a)) return RICO_OK;
    for (int64_t j = 0; j < top; j++)
        for (int64_t i = 0; i < cols; i++)
            w->a[i + j * cols] = conj(n[j + i * w->rows]) * (i < w->blocks.inputs ? 1.0 : d);
    rico_complex_forward(cols, w->b, top, w->a);
    return largest(w, cols, top, mu);
}


// Minimum of a quasiconvex function of log d between two values, by golden section.
typedef struct section {
    rico_mu_work *work;
    const double complex *n;
    bool skewed;
} section;


static rico_status value_at(const section *s, double log_d, double *value)
{
    return s->skewed ? rico_mu_skewed_with(s->work, s->n, exp(log_d), value)
                     : rico_mu_scaled(s->work, s->n, 1.0, exp(log_d), value);
}


static rico_status golden(const section *s, double low, double high, double *least, double *log_d)
{
    const double part = 0.5 * (3.0 - sqrt(5.0));
    double x[2] = {low + part * (high - low), high - part * (high - low)}, f[2];
    rico_status status = value_at(s, x[0], &f[0]);
    if (status == RICO_OK) status = value_at(s, x[1], &f[1]);
    while (status == RICO_OK && high - low > CLOSE * fmax(1.0, fabs(low))) {
        // infinite at both: below the least d that works, so look higher
        bool left = f[0] < f[1];
        if (left) {
            high = x[1];
            x[1] = x[0], f[1] = f[0];
            x[0] = low + part * (high - low);
            status = value_at(s, x[0], &f[0]);
        } else {
            low = x[0];
            x[0] = x[1], f[0] = f[1];
            x[1] = high - part * (high - low);
            status = value_at(s, x[1], &f[1]);
        }
    }
    if (status != RICO_OK) return status;
    *least = fmin(f[0], f[1]);
    *log_d = f[0] < f[1] ? x[0] : x[1];
    return RICO_OK;
}


// The norm at d exceeds d |N12| and |N21|/d, and at d0 = (|N21|/|N12|)^(1/2) is at most m + c with c = (|N12| |N21|)^(1/2) and m the larger
// of |N11|, |N22|: so the best d is within the factor 1 + m/c of d0.
static rico_status plain(rico_mu_work *w, const double complex *n, double *mu, double *d)
{
    double n11, n12, n21, n22, log_d;
    rico_status status = block_norm(w, n, false, false, &n11);
    if (status == RICO_OK) status = block_norm(w, n, false, true, &n12);
    if (status == RICO_OK) status = block_norm(w, n, true, false, &n21);
    if (status == RICO_OK) status = block_norm(w, n, true, true, &n22);
    if (status != RICO_OK) return status;
    double most = fmax(n11, n22), couple = sqrt(n12) * sqrt(n21);
    if (!(couple > 0.0)) {
        *mu = most;
        *d = n12 > 0.0 ? 0.0 : n21 > 0.0 ? INFINITY : 1.0;
        return RICO_OK;
    }
    double middle = 0.5 * (log(n21) - log(n12)), reach = log1p(most / couple);
    section s = {w, n, false};
    status = golden(&s, middle - reach, middle + reach, mu, &log_d);
    if (status == RICO_OK) *d = exp(log_d);
    return status;
}


// d must exceed d0 with |[N21/d0 N22]| = 1, and 1/k exceeds d |N12|: with the value at 2 d0, the best d is bounded above.
rico_status rico_mu_skewed(rico_mu_work *w, const double complex *n, double *mu, double *d)
{
    int64_t top = w->blocks.outputs, low = w->rows - top, left = w->blocks.inputs, right = w->cols - left;
    double n11, n12, least = 0.0, at_twice, log_d;
    rico_status status = block_norm(w, n, false, false, &n11);
    if (status == RICO_OK) status = block_norm(w, n, false, true, &n12);
    // L L* = I - N22 N22*, d0 = |L^-1 N21|; `defect` takes N22*
    for (int64_t j = 0; j < low; j++)
        for (int64_t i = 0; i < right; i++) w->a[i + j * right] = conj(n[top + j + (left + i) * w->rows]);
    if (status != RICO_OK) return status;
    *mu = INFINITY;
    *d = NAN;
    if (!defect(w, right, low, w->a)) return RICO_OK;
    for (int64_t j = 0; j < left; j++)
        for (int64_t i = 0; i < low; i++) w->a[i + j * low] = n[top + i + j * w->rows];
    rico_complex_forward(low, w->b, left, w->a);
    status = largest(w, low, left, &least);
    if (status != RICO_OK) return status;
    if (!(least > 0.0 && n12 > 0.0)) {
        *mu = n11;
        *d = least > 0.0 ? INFINITY : n12 > 0.0 ? 0.0 : 1.0;
        return RICO_OK;
    }
    status = rico_mu_skewed_with(w, n, 2.0 * least, &at_twice);
    section s = {w, n, true};
    if (status == RICO_OK)
        status = golden(&s, log(least), fmax(log(2.0 * least), log(at_twice / n12)), mu, &log_d);
    if (status == RICO_OK) *d = exp(log_d);
    return status;
}


static rico_status of_numbers(rico_context *ctx, int64_t rows, int64_t cols, const double *n,
                              rico_blocks blocks, bool skewed, double *mu, double *d)
{
    double value = 0.0, scale = 1.0;
    rico_status status = rico_mu_check(ctx, rows, cols, blocks);
    if (status != RICO_OK) return status;
    if (!rico_all_finite(2 * rows * cols, n))
        return rico_fail(ctx, RICO_BAD_INPUT,
                         "a structured singular value of a matrix of %lld x %lld that is not finite",
                         (long long)rows, (long long)cols);
    rico_pad pad = rico_pad_open(ctx);
    double complex *matrix = rico_pad_take(&pad, rows * cols, sizeof *matrix);
    rico_mu_work work = rico_mu_work_on(&pad, rows, cols, blocks);
    if (pad.status == RICO_OK) {
        for (int64_t i = 0; i < rows * cols; i++) matrix[i] = n[2 * i] + n[2 * i + 1] * I;
        pad.status =
            skewed ? rico_mu_skewed(&work, matrix, &value, &scale) : plain(&work, matrix, &value, &scale);
    }
    if (pad.status == RICO_OK) {
        *mu = value;
        if (d) *d = scale;
    }
    return rico_pad_close(&pad);
}


rico_status rico_mu(rico_context *ctx, int64_t rows, int64_t cols, const double *n, rico_blocks blocks,
                    double *mu, double *d)
{
    return of_numbers(ctx, rows, cols, n, blocks, false, mu, d);
}


rico_status rico_skewed_mu(rico_context *ctx, int64_t rows, int64_t cols, const double *n, rico_blocks blocks,
                           double *mu, double *d)
{
    return of_numbers(ctx, rows, cols, n, blocks, true, mu, d);
}
