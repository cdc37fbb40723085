// Harmonic balance of a system against one obstacle, the contact law as it is, by a semismooth Newton method.
//
// Harmonic j of the gap is H_j l_j with H_j = sum b^2/(omega_i^2 - (j omega)^2), so that the harmonics of the force are the only unknowns.

#include "la/dense.h"
#include "orbit/modes.h"

#include <math.h>
#include <string.h>

enum { NEWTON = 200, DEFAULT_POINTS = 512, LARGEST = 4096 };

typedef struct work {
    const rico_modes *modes;
    int64_t unknowns, points;
    double alpha, push, compliance;
    double *cosine; // points x unknowns
    double *H;      // unknowns
    double *residual, *trial, *jacobian;
    int32_t *pivot;
    double largest_force, deepest;
} work;


double rico_modes_complementarity(double lambda, double gap, double alpha)
{
    return lambda - fmax(lambda - alpha * gap, 0.0);
}


static void release(work *w)
{
    rico_context *ctx = w->modes->ctx;
    void *blocks[] = {w->cosine, w->H, w->residual, w->trial, w->jacobian, w->pivot};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) rico_free(ctx, blocks[i]);
}


static rico_status check(const rico_modes *modes, const rico_modes_balance *b, int64_t points)
{
    rico_context *ctx = modes->ctx;
    if (!(b->omega > 0.0 && isfinite(b->omega)))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "harmonic balance needs a positive frequency, got %g",
                         b->omega);
    if (b->harmonics < 0 || b->harmonics > LARGEST)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "harmonic balance takes up to %d harmonics, got %lld",
                         LARGEST, (long long)b->harmonics);
    if (points != b->harmonics + 1 && points <= 2 * b->harmonics)
        return rico_fail(
            ctx, RICO_BAD_ARGUMENT,
            "%lld harmonics need more than %lld points, or %lld to be asked for at points, got %lld",
            (long long)b->harmonics, 2 * (long long)b->harmonics, (long long)b->harmonics + 1,
            (long long)points);
    if (!(b->alpha > 0.0 && isfinite(b->alpha)))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "alpha of the contact law must be positive, got %g",
                         b->alpha);
    if (!(b->compliance >= 0.0 && isfinite(b->compliance)))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "the compliance of a wall must not be negative, got %g",
                         b->compliance);
    if (!isfinite(b->push) || (b->push != 0.0 && b->harmonics < 1))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a force of %g needs a harmonic at least", b->push);
    return RICO_OK;
}


// Receptances H_j; RICO_SINGULAR where a harmonic resonates.
static rico_status receptances(work *w, double omega)
{
    const rico_modes *modes = w->modes;
    for (int64_t j = 0; j < w->unknowns; j++)
        for (int64_t i = 0; i < modes->n; i++) {
            double square = modes->omega[i] * modes->omega[i], drive = (double)j * omega;
            double stiffness = square - drive * drive;
            if (modes->b[i] == 0.0) continue;
            if (fabs(stiffness) < 1e-13 * square)
                return rico_fail(modes->ctx, RICO_SINGULAR,
                                 "harmonic %lld of %g is the frequency of a linear mode", (long long)j,
                                 omega);
            w->H[j] += modes->b[i] * modes->b[i] / stiffness;
        }
    return RICO_OK;
}


static rico_status prepare(work *w, const rico_modes *modes, const rico_modes_balance *b)
{
    rico_context *ctx = modes->ctx;
    int64_t points = b->points > 0 ? b->points : DEFAULT_POINTS, n = b->harmonics + 1;
    *w = (work){.modes = modes,
                .unknowns = n,
                .points = points,
                .alpha = b->alpha,
                .push = b->push,
                .compliance = b->compliance};
    rico_status status = check(modes, b, points);
    if (status != RICO_OK) return status;
    w->cosine = rico_alloc(ctx, points * n, sizeof(double));
    w->H = rico_alloc(ctx, n, sizeof(double));
    w->residual = rico_alloc(ctx, n, sizeof(double));
    w->trial = rico_alloc(ctx, n, sizeof(double));
    w->jacobian = rico_alloc(ctx, n * n, sizeof(double));
    w->pivot = rico_alloc(ctx, n, sizeof(int32_t));
    if (!w->cosine || !w->H || !w->residual || !w->trial || !w->jacobian || !w->pivot) return RICO_NO_MEMORY;
    double pi = acos(-1.0);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < points; i++) {
            double phase =
                points == n ? pi * ((double)i + 0.5) / (double)n : 2.0 * pi * (double)i / (double)points;
            w->cosine[i + points * j] = cos((double)j * phase);
        }
    return receptances(w, b->omega);
}


// The projected residual and, with `slope`, its derivative: where the contact is closed (lambda > alpha g) it is that of alpha g,
// elsewhere that of lambda.
static double evaluate(work *w, const double *l, double *out, bool slope)
{
    int64_t n = w->unknowns, points = w->points;
    memset(out, 0, (size_t)n * sizeof *out);
    if (slope) memset(w->jacobian, 0, (size_t)(n * n) * sizeof(double));
    w->largest_force = w->deepest = 0.0;
    for (int64_t i = 0; i < points; i++) {
        double lambda = 0.0, gap = w->modes->g0;
        for (int64_t j = 0; j < n; j++) {
            double part = l[j] * w->cosine[i + points * j];
            lambda += part;
            gap += w->H[j] * part;
        }
        if (w->push != 0.0) gap += w->H[1] * w->push * w->cosine[i + points];
        double room = gap + w->compliance * lambda; // between the system and a wall that gives way
        bool closed = lambda - w->alpha * room > 0.0;
        double value = rico_modes_complementarity(lambda, room, w->alpha);
        w->largest_force = fmax(w->largest_force, fabs(lambda));
        w->deepest = fmax(w->deepest, -gap);
        for (int64_t j = 0; j < n; j++) {
            double weight = w->cosine[i + points * j] / (double)points;
            out[j] += weight * value;
            for (int64_t k = 0; slope && k < n; k++)
                w->jacobian[j + n * k] += weight * w->cosine[i + points * k] *
                                          (closed ? w->alpha * (w->H[k] + w->compliance) : 1.0);
        }
    }
    return rico_norm_inf(n, out);
}


// The impulses of one impact per period are all harmonics alike: p/T, and 2p/T from the first on.
static rico_status first_guess(const rico_modes *modes, const rico_modes_balance *b, double *l)
{
    double T = 2.0 * acos(-1.0) / b->omega;
    rico_modes_orbit orbit;
    if (rico_norm_inf(b->harmonics + 1, l) > 0.0) return RICO_OK;
    rico_status status = rico_modes_one(modes, T, &orbit);
    for (int64_t j = 0; status == RICO_OK && j <= b->harmonics; j++)
        l[j] = (j ? 2.0 : 1.0) * orbit.impulse[0] / T;
    return status;
}


// A Newton step, halved while it makes the residual worse.
static rico_status newton(work *w, double *l, rico_modes_balance *b)
{
    int64_t n = w->unknowns;
    double size = evaluate(w, l, w->residual, true);
    for (b->iterations = 0; b->iterations < NEWTON; b->iterations++) {
        b->residual = size / fmax(w->largest_force, 1e-300);
        if (b->residual <= 1e-14) return RICO_OK;
        if (rico_dense_lu(w->modes->ctx, n, w->jacobian, w->pivot) != RICO_OK) break;
        rico_dense_lu_solve(n, w->jacobian, w->pivot, 1, w->residual);
        double part = 1.0, next = INFINITY;
        for (int halving = 0; halving < 30; halving++, part *= 0.5) {
            for (int64_t j = 0; j < n; j++) w->trial[j] = l[j] - part * w->residual[j];
            next = evaluate(w, w->trial, w->jacobian, false);
            if (next < size * (1.0 - 1e-4 * part) || next <= 1e-14 * w->largest_force) break;
        }
        if (!(next < size)) { // round-off, or nowhere to go
            if (b->residual <= 1e-11) return RICO_OK;
            memcpy(w->trial, l, (size_t)n * sizeof *l);
            for (int64_t j = 0; j < n; j++) w->trial[j] -= w->residual[j];
        }
        memcpy(l, w->trial, (size_t)n * sizeof *l);
        size = evaluate(w, l, w->residual, true);
    }
    return rico_fail(w->modes->ctx, RICO_SINGULAR,
                     "harmonic balance at %g with %lld harmonics found no motion: residual %g", b->omega,
                     (long long)b->harmonics, b->residual);
}


// Mean of kinetic and potential energies: modes have the harmonics b l_j / (omega_i^2 - (j omega)^2).
static double mean_energy(const rico_modes *modes, const rico_modes_balance *b, const double *l)
{
    double sum = 0.0;
    for (int64_t i = 0; i < modes->n; i++)
        for (int64_t j = 0; j <= b->harmonics; j++) {
            double square = modes->omega[i] * modes->omega[i], drive = (double)j * b->omega;
            if (modes->b[i] == 0.0) continue;
            double q = modes->b[i] * (l[j] + (j == 1 ? b->push : 0.0)) / (square - drive * drive);
            sum += (j ? 0.25 : 0.5) * (square + drive * drive) * q * q;
        }
    return sum;
}


double rico_modes_balance_gap(const rico_modes *modes, const rico_modes_balance *balance, const double *force,
                              double t)
{
    double gap = modes->g0;
    for (int64_t j = 0; j <= balance->harmonics; j++)
        for (int64_t i = 0; i < modes->n; i++) {
            double drive = (double)j * balance->omega, own = modes->omega[i], b = modes->b[i];
            double l = force[j] + (j == 1 ? balance->push : 0.0);
            if (b != 0.0) gap += b * b * l * cos(drive * t) / (own * own - drive * drive);
        }
    return gap;
}


rico_status rico_modes_balance_solve(const rico_modes *modes, rico_modes_balance *balance, double *force)
{
    work w;
    rico_status status = prepare(&w, modes, balance);
    if (status == RICO_OK) status = first_guess(modes, balance, force);
    if (status == RICO_OK) status = newton(&w, force, balance);
    if (status == RICO_OK) {
        balance->energy = mean_energy(modes, balance, force);
        balance->penetration = w.deepest;
    }
    release(&w);
    return status;
}
