// Identification of four discs from the response of a longer string: weighted least squares in a box.
//
// Levenberg and Marquardt's method with diagonal scaling; unknowns at a bound that would leave the box are held, steps are clipped to it.
// Resonances are so sharp that J has a minimum for nearly every order of peaks: the responses are first compared beside the imaginary
// axis, at s = sigma + i w, where peaks are wide, for sigma that falls to 0.

#include "control/drill.h"
#include "control/matrix.h"
#include "la/blas.h"
#include "la/dense.h"

#include <complex.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { N = RICO_DRILL_UNKNOWNS, PAIRS = 6, DISCS = 4 };

static const int64_t PAIR[PAIRS][2] = {{0, 1}, {1, 2}, {2, 3}, {0, 2}, {0, 3}, {1, 3}};

typedef struct problem {
    int64_t count;
    const double *omega, *weight; // weight: sqrt(w) |W|
    const double complex *target; // H_r at sigma + i omega
    double sigma;
    const double *inertia;
} problem;


// x = Z^-1 b for Z = s^2 M + s D + K, in place, `count` columns.
static bool solve(int64_t n, const double *M, const double *D, const double *K, double complex s,
                  double complex *Z, int32_t *pivot, int64_t count, double complex *b)
{
    for (int64_t i = 0; i < n * n; i++) Z[i] = s * s * M[i] + s * D[i] + K[i];
    return LAPACKE_zgesv_work(LAPACK_COL_MAJOR, (lapack_int)n, (lapack_int)count, Z, (lapack_int)n, pivot, b,
                              (lapack_int)n) == 0;
}


// H_r from T_td to w_bit.
static rico_status respond(rico_pad *pad, const rico_drill_linear *target, const problem *p,
                           double complex *H)
{
    int64_t n = target->n;
    double complex *Z = rico_pad_take(pad, n * n, sizeof *Z), *b = rico_pad_take(pad, n, sizeof *b);
    int32_t *pivot = rico_pad_take(pad, n, sizeof *pivot);
    for (int64_t l = 0; pad->status == RICO_OK && l < p->count; l++) {
        double complex s = p->sigma + I * p->omega[l];
        for (int64_t i = 0; i < n; i++) b[i] = target->top[i];
        if (!solve(n, target->M, target->D, target->K, s, Z, pivot, 1, b))
            return rico_fail(pad->ctx, RICO_SINGULAR, "no response at %g Hz, an undamped resonance",
                             p->omega[l] / (2.0 * RICO_DRILL_PI));
        H[l] = 0.0;
        for (int64_t i = 0; i < n; i++) H[l] += s * target->bit[i] * b[i];
    }
    return pad->status;
}


// J(p), and J'J and J'r of its residuals where wanted. A singular Z, an undamped resonance hit, counts as an infinite J.
static double cost_of(const problem *p, const double *value, double *normal, double *gradient)
{
    double M[DISCS * DISCS] = {0}, D[DISCS * DISCS] = {0}, K[DISCS * DISCS] = {0}, cost = 0.0;
    for (int64_t i = 0; i < DISCS; i++) M[i * DISCS + i] = p->inertia[i];
    for (int64_t q = 0; q < PAIRS; q++) {
        int64_t a = PAIR[q][0], b = PAIR[q][1],
                at[] = {a * DISCS + a, b * DISCS + b, a * DISCS + b, b * DISCS + a};
        for (int i = 0; i < 4; i++) {
            K[at[i]] += i < 2 ? value[q] : -value[q];
            D[at[i]] += i < 2 ? value[PAIRS + q] : -value[PAIRS + q];
        }
    }
    if (normal) memset(normal, 0, sizeof(double[N * N])), memset(gradient, 0, sizeof(double[N]));
    for (int64_t l = 0; l < p->count; l++) {
        double complex Z[DISCS * DISCS], x[2 * DISCS] = {0}, s = p->sigma + I * p->omega[l], slope[N];
        int32_t pivot[DISCS];
        x[0] = x[2 * DISCS - 1] = 1.0; // bit and top drive
        if (!solve(DISCS, M, D, K, s, Z, pivot, 2, x)) return INFINITY;
        double complex r = p->weight[l] * (s * x[DISCS] - p->target[l]);
        cost += creal(r) * creal(r) + cimag(r) * cimag(r);
        if (!normal) continue;
        for (int64_t q = 0; q < PAIRS; q++) {
            int64_t a = PAIR[q][0], b = PAIR[q][1];
            slope[q] = -p->weight[l] * s * (x[a] - x[b]) * (x[DISCS + a] - x[DISCS + b]);
            slope[PAIRS + q] = s * slope[q];
        }
        for (int64_t i = 0; i < N; i++) {
            gradient[i] += creal(conj(slope[i]) * r);
            for (int64_t j = 0; j < N; j++) normal[i * N + j] += creal(conj(slope[i]) * slope[j]);
        }
    }
    return cost;
}


// (J'J + damping diag(J'J)) step = -J'r over the unknowns that are free; false where that is singular.
static bool propose(rico_context *ctx, const rico_drill_fit *fit, const double *normal,
                    const double *gradient, double damping, double *next)
{
    double A[N * N], step[N];
    memcpy(A, normal, sizeof A);
    for (int64_t i = 0; i < N; i++) {
        bool held = (fit->value[i] <= fit->low[i] && gradient[i] > 0.0) ||
                    (fit->value[i] >= fit->high[i] && gradient[i] < 0.0) || normal[i * N + i] == 0.0;
        step[i] = held ? 0.0 : -gradient[i];
        A[i * N + i] *= 1.0 + damping;
        if (!held) continue;
        for (int64_t j = 0; j < N; j++) A[i * N + j] = A[j * N + i] = 0.0;
        A[i * N + i] = 1.0;
    }
    // unknowns differ by powers of ten: the matrix is scaled to a unit diagonal
    double scale[N];
    for (int64_t i = 0; i < N; i++) scale[i] = 1.0 / sqrt(A[i * N + i]);
    for (int64_t i = 0; i < N; i++) {
        step[i] *= scale[i];
        for (int64_t j = 0; j < N; j++) A[i * N + j] *= scale[i] * scale[j];
    }
    if (rico_dense_cholesky(ctx, N, A) != RICO_OK) return false;
    rico_dense_cholesky_solve(N, A, 1, step);
    for (int64_t i = 0; i < N; i++)
        next[i] = fmin(fmax(fit->value[i] + scale[i] * step[i], fit->low[i]), fit->high[i]);
    return true;
}


// Steps until the cost falls by less than `enough` of itself, or no damping helps.
static void minimize(rico_context *ctx, const problem *p, double enough, rico_drill_fit *fit)
{
    enum { ITERATIONS = 2000, TRIES = 30 };
    double normal[N * N], gradient[N], next[N], damping = 1e-3;
    for (int64_t i = 0; i < ITERATIONS; i++, fit->iterations++) {
        double cost = cost_of(p, fit->value, normal, gradient), lower = INFINITY;
        int tries = 0;
        for (; tries < TRIES; tries++, damping *= 4.0) {
            if (!propose(ctx, fit, normal, gradient, damping, next)) continue;
            lower = cost_of(p, next, NULL, NULL);
            if (lower < cost) break;
        }
        if (tries == TRIES) break;
        memcpy(fit->value, next, sizeof next);
        damping = fmax(0.1 * damping, 1e-12);
        if (cost - lower <= enough * cost) break;
    }
}


// (14): W = J_tot i w, w = 1.5 for 0.14 < f < 0.165, 2 for 0.5 < f < 0.57, else 1.
static void set_grid(int64_t count, double total, double *omega, double *weight)
{
    const double FROM = 0.05, TO = 6.0;
    for (int64_t l = 0; l < count; l++) {
        double f = FROM * pow(TO / FROM, (double)l / (double)(count - 1));
        double w = f > 0.14 && f < 0.165 ? 1.5 : f > 0.5 && f < 0.57 ? 2.0 : 1.0;
        omega[l] = 2.0 * RICO_DRILL_PI * f;
        weight[l] = sqrt(w) * total * omega[l];
    }
}


static rico_status set_inertias(rico_pad *pad, const rico_drill_linear *target, double *inertia)
{
    int64_t n = target->n;
    rico_mat bit = rico_mat_copy(pad, n, 1, target->bit);
    rico_mat per = rico_mat_product(pad, rico_mat_transpose(pad, bit),
                                    rico_mat_divide(pad, rico_mat_copy(pad, n, n, target->M), bit));
    if (pad->status != RICO_OK) return pad->status;
    // far above its resonances the mobility of the bit is 1/(J_1 s)
    inertia[0] = 1.0 / per.a[0];
    inertia[3] = target->top_inertia;
    inertia[1] = inertia[2] = 0.5 * (target->total - inertia[0] - inertia[3]);
    if (!(inertia[1] > 0.0 && inertia[3] > 0.0))
        return rico_fail(pad->ctx, RICO_BAD_INPUT,
                         "of the inertia %g, the bit's %g and the top drive's %g leave none for two discs",
                         target->total, inertia[0], inertia[3]);
    return RICO_OK;
}


static rico_status check_fit(rico_context *ctx, int64_t count, const rico_drill_fit *fit)
{
    if (count < N)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "%d unknowns are not identified from %lld frequencies", N,
                         (long long)count);
    for (int64_t i = 0; i < N; i++)
        if (!(fit->low[i] >= 0.0 && fit->low[i] <= fit->value[i] && fit->value[i] <= fit->high[i] &&
              isfinite(fit->high[i])))
            return rico_fail(
                ctx, RICO_BAD_ARGUMENT,
                "unknown %lld starts at %g in the box from %g to %g, which must hold it from 0 on",
                (long long)i + 1, fit->value[i], fit->low[i], fit->high[i]);
    return RICO_OK;
}


rico_status rico_drill_identify(rico_context *ctx, const rico_drill_linear *target, int64_t count,
                                rico_drill_fit *fit)
{
    static const double SIGMA[] = {1.0, 0.3, 0.1, 0.03, 0.01, 0.0};
    enum { STAGES = sizeof SIGMA / sizeof *SIGMA };
    rico_status status = check_fit(ctx, count, fit);
    if (status != RICO_OK) return status;
    rico_pad pad = rico_pad_open(ctx);
    double *omega = rico_pad_take(&pad, count, sizeof *omega),
           *weight = rico_pad_take(&pad, count, sizeof *weight);
    double complex *H = rico_pad_take(&pad, count, sizeof *H);
    problem p = {.count = count, .omega = omega, .weight = weight, .target = H, .inertia = fit->inertia};
    bool held = rico_blas_hold();
    if (pad.status == RICO_OK) pad.status = set_inertias(&pad, target, fit->inertia);
    if (pad.status == RICO_OK) {
        set_grid(count, target->total, omega, weight);
        pad.status = respond(&pad, target, &p, H);
        fit->first_cost = cost_of(&p, fit->value, NULL, NULL);
        fit->iterations = 0;
    }
    for (int i = 0; pad.status == RICO_OK && i < STAGES; i++) {
        p.sigma = SIGMA[i];
        if (respond(&pad, target, &p, H) == RICO_OK) minimize(ctx, &p, SIGMA[i] > 0.0 ? 1e-4 : 1e-10, fit);
    }
    if (pad.status == RICO_OK) fit->cost = cost_of(&p, fit->value, NULL, NULL);
    rico_blas_release(held);
    return rico_pad_close(&pad);
}


rico_status rico_drill_fitted(rico_context *ctx, const rico_drill_fit *fit, const rico_drill_string *friction,
                              rico_drill_string **out)
{
    *out = NULL;
    if (friction->discs != DISCS)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "the friction of a fit is that of %d discs, not %lld", DISCS,
                         (long long)friction->discs);
    rico_drill_link link[PAIRS];
    for (int64_t q = 0; q < PAIRS; q++)
        link[q] = (rico_drill_link){PAIR[q][0], PAIR[q][1], fit->value[q], fit->value[PAIRS + q]};
    const rico_drill_string string = {DISCS, PAIRS, fit->inertia, link, friction->wall, friction->bit};
    return rico_drill_scaled(ctx, &string, 1.0, 1.0, out);
}
