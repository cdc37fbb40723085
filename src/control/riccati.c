// Riccati's and Lyapunov's equations by real Schur forms.
//
// X = U2 U1^-1 where the columns of [U1; U2] span the stable invariant subspace of the Hamiltonian [A -R; -Q -A'] (Laub 1979), balanced
// first and refined by Newton's method then. R may have any sign, as the Riccati equations of H-infinity control need it. What is
// returned is judged by the equation and by A - R X, never by the flags of the routines on the way.

#include "ricochet/control.h"

#include "control/complex.h"
#include "control/response.h"
#include "la/blas.h"
#include "la/dense.h"

#include <lapacke.h>
#include <math.h>

enum { REFINEMENTS = 6, BALANCES = 60 };
static const double UNEVEN = 1e-6;   // largest |X - X'| and imaginary part of a subspace's X, against X
static const double RESIDUAL = 1e-9; // of A'X + X A - X R X + Q, against the sizes of its terms

// The equation A'X + X A - X R X + Q = 0.
typedef struct equation {
    rico_mat a, r, q;
} equation;


// --- scales --------------------------------------------------------------------------------------------------

static double squares(rico_mat a, int64_t i, bool row)
{
    double sum = 0.0;
    for (int64_t k = 0; k < a.rows; k++) {
        double entry = row ? *rico_mat_at(a, i, k) : *rico_mat_at(a, k, i);
        if (k != i) sum += entry * entry;
    }
    return sum;
}


// A -> D^-1 A D, R -> D^-1 R D^-1, Q -> D Q D with one entry of D other than 1.
static void rescale(equation e, int64_t i, double d)
{
    for (int64_t k = 0; k < e.a.rows; k++) {
        *rico_mat_at(e.a, k, i) *= d, *rico_mat_at(e.q, k, i) *= d;
        *rico_mat_at(e.r, k, i) /= d;
    }
    for (int64_t k = 0; k < e.a.rows; k++) {
        *rico_mat_at(e.a, i, k) /= d, *rico_mat_at(e.r, i, k) /= d;
        *rico_mat_at(e.q, i, k) *= d;
    }
}


// Powers of 2 for a D that makes the Hamiltonian small (Benner 2000): one entry after the other, as long as the sum of squares falls. That
// of an entry d is p d^4 + q d^2 + r/d^2 + s/d^4, convex in log d. X = D^-1 X_scaled D^-1.
static void balance(equation e, double *d)
{
    int64_t n = e.a.rows;
    bool moved = true;
    for (int64_t i = 0; i < n; i++) d[i] = 1.0;
    for (int turn = 0; turn < BALANCES && moved; turn++) {
        moved = false;
        for (int64_t i = 0; i < n; i++) {
            double qi = *rico_mat_at(e.q, i, i), ri = *rico_mat_at(e.r, i, i);
            double p4 = qi * qi, m4 = ri * ri, p2 = 2.0 * (squares(e.a, i, false) + squares(e.q, i, false)),
                   m2 = 2.0 * (squares(e.a, i, true) + squares(e.r, i, true)), sum = p4 + p2 + m2 + m4;
            for (int way = 0; way < 2; way++) {
                double f = way == 0 ? 2.0 : 0.5, g = f * f;
                if (!(p4 * g * g + p2 * g + m2 / g + m4 / (g * g) < 0.95 * sum)) continue;
                rescale(e, i, f);
                d[i] *= f;
                moved = true;
                break;
            }
        }
    }
}


// --- the subspace --------------------------------------------------------------------------------------------

// Exactly half of a Hamiltonian's eigenvalues are the stable ones, so the n of least real part are taken, whatever round-off did to those
// at the axis. False where the subspace has no X, or one that is not real and symmetric: eigenvalues on the axis itself.
static bool from_subspace(rico_pad *pad, equation e, rico_mat *x)
{
    int64_t n = e.a.rows, size = 2 * n;
    rico_mat h = rico_mat_zero(pad, size, size);
    rico_mat_put(pad, h, 0, 0, e.a);
    rico_mat_put(pad, h, 0, n, rico_mat_sum(pad, -1.0, e.r, 0.0, e.r));
    rico_mat_put(pad, h, n, 0, rico_mat_sum(pad, -1.0, e.q, 0.0, e.q));
    rico_mat_put(pad, h, n, n, rico_mat_sum(pad, -1.0, rico_mat_transpose(pad, e.a), 0.0, e.a));
    rico_mat_schur schur = rico_mat_schur_of(pad, h);
    double complex *t = rico_pad_take(pad, size * size, sizeof *t),
                   *u = rico_pad_take(pad, size * size, sizeof *u);
    double complex *u1 = rico_pad_take(pad, n * n, sizeof *u1), *u2 = rico_pad_take(pad, n * n, sizeof *u2);
    *x = rico_mat_zero(pad, n, n);
    if (pad->status != RICO_OK) return false;
    for (int64_t i = 0; i < size * size; i++) t[i] = schur.t.a[i], u[i] = schur.u.a[i];
    rico_complex_schur(size, t, u);
    rico_complex_schur_order(size, n, t, u);
    // X' = U1'^-1 U2'
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            u1[j + i * n] = u[i + j * size];
            u2[j + i * n] = u[n + i + j * size];
        }
    if (!rico_complex_solve(n, u1, n, u2)) return false;
    double uneven = 0.0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            double complex one = u2[i + j * n], other = u2[j + i * n];
            if (!isfinite(creal(one)) || !isfinite(cimag(one))) return false;
            uneven = fmax(uneven, fmax(fabs(cimag(one)), 0.5 * fabs(creal(one) - creal(other))));
            *rico_mat_at(*x, i, j) = 0.5 * (creal(one) + creal(other));
        }
    return uneven <= UNEVEN * rico_mat_largest(*x);
}


// --- the equation itself -------------------------------------------------------------------------------------

// With A = U T U': T Y + Y T' = -U'Q U and X = U Y U' (Bartels and Stewart 1972). False when two eigenvalues add up to zero.
static bool lyapunov(rico_pad *pad, const rico_mat_schur *schur, rico_mat q, bool transposed, rico_mat *x)
{
    rico_mat ut = rico_mat_transpose(pad, schur->u), y = rico_mat_product3(pad, ut, q, schur->u);
    *x = y;
    if (pad->status != RICO_OK || q.rows == 0) return false;
    double scale = 1.0;
    lapack_int order = (lapack_int)q.rows;
    bool held = rico_blas_hold();
    lapack_int info =
        LAPACKE_dtrsyl_work(LAPACK_COL_MAJOR, transposed ? 'T' : 'N', transposed ? 'N' : 'T', 1, order, order,
                            schur->t.a, order, schur->t.a, order, y.a, order, &scale);
    rico_blas_release(held);
    if (info != 0 || scale < 1e-300) return false;
    y = rico_mat_product3(pad, schur->u, rico_mat_sum(pad, -1.0 / scale, y, 0.0, y), ut);
    *x = rico_mat_sum(pad, 0.5, y, 0.5, rico_mat_transpose(pad, y));
    return pad->status == RICO_OK;
}


// A'X + X A - X R X + Q, and its largest entry against the sums of the absolute values of its terms'.
static double residual(rico_pad *pad, equation e, rico_mat x, rico_mat rx, rico_mat *out)
{
    rico_mat xa = rico_mat_product(pad, x, e.a), xrx = rico_mat_product(pad, x, rx);
    rico_mat linear = rico_mat_sum(pad, 1.0, xa, 1.0, rico_mat_transpose(pad, xa));
    *out = rico_mat_sum(pad, 1.0, linear, 1.0, rico_mat_sum(pad, 1.0, e.q, -1.0, xrx));
    double terms = 2.0 * rico_mat_largest(xa) + rico_mat_largest(xrx) + rico_mat_largest(e.q);
    return terms > 0.0 ? rico_mat_largest(*out) / terms : 0.0;
}


// Newton's steps (Kleinman 1968) (A - R X)'D + D (A - R X) + residual = 0 as long as they halve the residual; whether X solves the
// equation and A - R X is stable.
static bool refine(rico_pad *pad, equation e, rico_mat *x)
{
    double least = INFINITY;
    bool stable = false;
    rico_mat at = *x;
    for (int turn = 0; turn < REFINEMENTS && pad->status == RICO_OK; turn++) {
        rico_mat rx = rico_mat_product(pad, e.r, at), rest, step;
        double size = residual(pad, e, at, rx, &rest);
        if (!(size < 0.5 * least)) break;
        rico_mat_schur loop = rico_mat_schur_of(pad, rico_mat_sum(pad, 1.0, e.a, -1.0, rx));
        if (pad->status != RICO_OK) break;
        bool steady = true;
        for (int64_t i = 0; i < at.rows; i++) steady = steady && loop.real[i] < 0.0;
        if (turn > 0 && !steady && stable) break; // a step too far
        least = size;
        stable = steady;
        *x = at;
        if (!stable || !lyapunov(pad, &loop, rest, true, &step)) break;
        at = rico_mat_sum(pad, 1.0, at, 1.0, step);
    }
    return pad->status == RICO_OK && stable && least <= RESIDUAL;
}


rico_mat rico_mat_riccati(rico_pad *pad, rico_mat a, rico_mat r, rico_mat q, bool *found)
{
    int64_t n = a.rows;
    equation e = {rico_mat_copy(pad, n, n, a.a), rico_mat_copy(pad, n, n, r.a),
                  rico_mat_copy(pad, n, n, q.a)};
    double *d = rico_pad_take(pad, n, sizeof *d);
    rico_mat x = rico_mat_zero(pad, n, n);
    *found = false;
    if (pad->status != RICO_OK) return x;
    balance(e, d);
    *found = n == 0 || (from_subspace(pad, e, &x) && refine(pad, e, &x));
    for (int64_t j = 0; j < n && *found; j++)
        for (int64_t i = 0; i < n; i++) *rico_mat_at(x, i, j) /= d[i] * d[j];
    return x;
}


rico_status rico_riccati(rico_context *ctx, int64_t n, const double *a, const double *r, const double *q,
                         double *x)
{
    bool found;
    if (n < 0 || !rico_all_finite(n * n, a) || !rico_all_finite(n * n, r) || !rico_all_finite(n * n, q))
        return rico_fail(ctx, RICO_BAD_INPUT,
                         "a Riccati equation of order %lld with entries that are not finite", (long long)n);
    rico_pad pad = rico_pad_open(ctx);
    rico_mat solution = rico_mat_riccati(&pad, rico_mat_copy(&pad, n, n, a), rico_mat_copy(&pad, n, n, r),
                                         rico_mat_copy(&pad, n, n, q), &found);
    if (pad.status == RICO_OK && !found)
        pad.status = rico_fail(
            ctx, RICO_SINGULAR,
            "the Riccati equation of order %lld has no solution that stabilizes: its Hamiltonian matrix "
            "has no stable subspace over all of x",
            (long long)n);
    for (int64_t i = 0; i < n * n && pad.status == RICO_OK; i++) x[i] = solution.a[i];
    return rico_pad_close(&pad);
}


rico_status rico_lyapunov(rico_context *ctx, int64_t n, const double *a, const double *q, double *x)
{
    if (n < 0 || !rico_all_finite(n * n, a) || !rico_all_finite(n * n, q))
        return rico_fail(ctx, RICO_BAD_INPUT,
                         "a Lyapunov equation of order %lld with entries that are not finite", (long long)n);
    if (n == 0) return RICO_OK;
    rico_pad pad = rico_pad_open(ctx);
    rico_mat_schur schur = rico_mat_schur_of(&pad, rico_mat_copy(&pad, n, n, a));
    rico_mat solution;
    bool solved = lyapunov(&pad, &schur, rico_mat_copy(&pad, n, n, q), false, &solution);
    if (pad.status == RICO_OK && !solved)
        pad.status = rico_fail(
            ctx, RICO_SINGULAR,
            "the Lyapunov equation of order %lld is singular: two eigenvalues add up to zero", (long long)n);
    for (int64_t i = 0; i < n * n && pad.status == RICO_OK; i++) x[i] = solution.a[i];
    return rico_pad_close(&pad);
}
