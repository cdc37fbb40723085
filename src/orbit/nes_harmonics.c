// The slow invariant manifold with several harmonics of s = x - y: the equation of s over one period of v = one harmonic,
// (i h w1 + lambda) phi_h/2 + <Gamma>_h = 0 for h = 3, 5, ..., by Newton's method; that of h = 1 then gives phi1.

#include "la/small_lu.h"
#include "orbit/nes.h"

#include <math.h>
#include <string.h>

enum { UNKNOWNS = 2 * (RICO_NES_HARMONICS - 1), HIGHEST = 2 * RICO_NES_HARMONICS - 1, SAMPLES = 256 };

typedef struct balance {
    rico_context *ctx;
    const rico_nes *nes;
    int64_t harmonics;
    double n2;
} balance;


static double coupling(void *user, const double *r, const double *v)
{
    (void)v;
    return rico_nes_gamma(user, r[0]);
}


// <Gamma>_h of the odd harmonics, phi being those of the motion.
static rico_status project(const balance *b, const double *phi, double *out)
{
    double all[2 * HIGHEST] = {0.0}, every[2 * (HIGHEST + 1)];
    int64_t highest = 2 * b->harmonics - 1;
    for (int64_t i = 0; i < b->harmonics; i++) memcpy(all + 4 * i, phi + 2 * i, 2 * sizeof *phi);
    rico_status status = rico_project(b->ctx, b->nes->omega1, 1, highest, all, coupling, (void *)b->nes,
                                      highest, SAMPLES, every);
    for (int64_t i = 0; i < b->harmonics; i++) memcpy(out + 2 * i, every + 2 * (2 * i + 1), 2 * sizeof *out);
    return status;
}


static rico_status left_over(const balance *b, const double *phi, double *residual)
{
    double force[2 * RICO_NES_HARMONICS];
    rico_status status = project(b, phi, force);
    for (int64_t i = 1; i < b->harmonics; i++) {
        double hw = (double)(2 * i + 1) * b->nes->omega1, lambda = b->nes->lambda;
        const double *p = phi + 2 * i;
        residual[2 * i - 2] = 0.5 * (lambda * p[0] - hw * p[1]) + force[2 * i];
        residual[2 * i - 1] = 0.5 * (lambda * p[1] + hw * p[0]) + force[2 * i + 1];
    }
    return status;
}


// One step of Newton's method with a Jacobian by differences; how far it went.
static rico_status newton(const balance *b, double *phi, double *moved)
{
    int64_t n = 2 * b->harmonics - 2;
    double at[UNKNOWNS], J[UNKNOWNS * UNKNOWNS], step = 1e-6 * b->n2;
    int32_t pivot[UNKNOWNS];
    rico_status status = left_over(b, phi, at);
    for (int64_t j = 0; j < n && status == RICO_OK; j++) {
        double *column = J + j * n, kept = phi[j + 2];
        phi[j + 2] = kept + step;
        status = left_over(b, phi, column);
        phi[j + 2] = kept;
        for (int64_t i = 0; i < n; i++) column[i] = (column[i] - at[i]) / step;
    }
    if (status != RICO_OK) return status;
    if (!rico_small_lu(n, J, pivot))
        return rico_fail(b->ctx, RICO_SINGULAR, "harmonics of s are not determined at N2 = %g", b->n2);
    rico_small_lu_solve(n, J, pivot, 1, at);
    *moved = 0.0;
    for (int64_t i = 0; i < n; i++) {
        phi[i + 2] -= at[i];
        *moved = fmax(*moved, fabs(at[i]));
    }
    return RICO_OK;
}


rico_status rico_nes_manifold_harmonics(rico_context *ctx, const rico_nes *nes, double n2, int64_t harmonics,
                                        double *phi, double *n1)
{
    rico_status status = rico_nes_check(ctx, nes);
    if (status != RICO_OK) return status;
    if (!(n2 > 0.0 && isfinite(n2)) || harmonics < 1 || harmonics > RICO_NES_HARMONICS)
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "the manifold has points at N2 > 0 with 1 to %d odd harmonics, got N2 = %g and %lld",
                         RICO_NES_HARMONICS, n2, (long long)harmonics);
    balance b = {ctx, nes, harmonics, n2};
    double moved = harmonics > 1 ? INFINITY : 0.0, force[2 * RICO_NES_HARMONICS], w = nes->omega1;
    memset(phi, 0, (size_t)(2 * harmonics) * sizeof *phi);
    phi[0] = n2;
    for (int i = 0; i < 50 && moved > 1e-12 * n2 && status == RICO_OK; i++) status = newton(&b, phi, &moved);
    if (status != RICO_OK) return status;
    if (!(moved <= 1e-12 * n2))
        return rico_fail(ctx, RICO_SINGULAR, "harmonics of s were not found at N2 = %g", n2);
    status = project(&b, phi, force);
    // phi1 = phi2 (1 - i lambda/w1) - (2i/w1) <Gamma>_1
    *n1 = hypot(n2 + 2.0 / w * force[1], -n2 * nes->lambda / w - 2.0 / w * force[0]);
    return status;
}
