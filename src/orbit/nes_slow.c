// The slow flow of an oscillator with a nonlinear energy sink: the averaged model, its equilibria in closed form, and the flow on
// the slow invariant manifold (docs/theory/nes.md).
//
// With r = N2^2/N1, p = kappa/w1^2:   f0 sin(delta1) = -S,  S = lambda r + 4 alpha0/pi + a0 N1,
//                                     f0 cos(delta1) =  C,  C = w1 r (1 - p) - (w1 + 2 sigma) N1 + beta N1^3/(4 w1^3).

#include "la/eigenvalues.h"
#include "orbit/nes.h"

#include <complex.h>
#include <math.h>

static const double PI = 3.14159265358979323846;


static double complex pair(const double *x)
{
    return x[0] + I * x[1];
}


// d phi1/d tau1.
static double complex slow_rate(const rico_nes *nes, double complex phi1, double complex phi2)
{
    double w = nes->omega1, size = cabs(phi1);
    double complex friction = size > 0.0 ? 2.0 / PI * nes->alpha0 * phi1 / size : 0.0;
    return -0.5 * I * ((w + 2.0 * nes->sigma) * phi1 - w * phi2) - friction +
           I * nes->beta * size * size * phi1 / (8.0 * w * w * w) - 0.5 * I * nes->f0 - 0.5 * nes->a0 * phi1;
}


void rico_nes_averaged_flow(const rico_nes *nes, const double phi[4], double rate[4])
{
    double complex phi1 = pair(phi), phi2 = pair(phi + 2);
    double w = nes->omega1, kappa = rico_nes_stiffness(nes, cabs(phi2));
    double complex one = nes->eps * slow_rate(nes, phi1, phi2),
                   two = -0.5 * I * w * (phi2 - phi1) - 0.5 * nes->lambda * phi2 + 0.5 * I * kappa / w * phi2;
    rate[0] = creal(one), rate[1] = cimag(one);
    rate[2] = creal(two), rate[3] = cimag(two);
}


static void runge_kutta(const rico_nes *nes, double dt, double phi[4])
{
    static const double AT[] = {0.0, 0.5, 0.5, 1.0}, WEIGHT[] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    double slope[4] = {0.0}, sum[4] = {0.0}, place[4];
    for (int stage = 0; stage < 4; stage++) {
        for (int i = 0; i < 4; i++) place[i] = phi[i] + AT[stage] * dt * slope[i];
        rico_nes_averaged_flow(nes, place, slope);
        for (int i = 0; i < 4; i++) sum[i] += WEIGHT[stage] * slope[i];
    }
    for (int i = 0; i < 4; i++) phi[i] += dt * sum[i];
}


rico_status rico_nes_averaged_advance(rico_context *ctx, const rico_nes *nes, double dt, int64_t steps,
                                      double phi[4])
{
    rico_status status = rico_nes_check(ctx, nes);
    if (status != RICO_OK) return status;
    if (!(dt > 0.0 && isfinite(dt)) || steps < 0)
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "the averaged model takes steps of a positive time, got %lld of %g",
                         (long long)steps, dt);
    for (int64_t i = 0; i < steps; i++) runge_kutta(nes, dt, phi);
    if (!isfinite(phi[0] + phi[1] + phi[2] + phi[3]))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "the averaged model does not bear steps of %g", dt);
    return RICO_OK;
}


void rico_nes_slow_flow(const rico_nes *nes, double n2, double delta2, double rate[2])
{
    rico_nes_point at = rico_nes_manifold(nes, n2);
    double p, q, a = nes->lambda / nes->omega1;
    rico_nes_bend(nes, n2, &p, &q);
    double complex to1 = cexp(I * (delta2 + at.phase)),
                   R = slow_rate(nes, at.n1 * to1, n2 * cexp(I * delta2)) / to1;
    // delta1 = delta2 + H3(N2), H3 the argument of 1 - p - ia
    double turning = -2.0 * a * q / (n2 * (a * a + (1.0 - p) * (1.0 - p)));
    rate[0] = creal(R) / at.slope;
    rate[1] = cimag(R) / at.n1 - turning * rate[0];
}


// ---- equilibria -----------------------------------------------------------------------------------------------

// S and C, and their derivatives by N2.
typedef struct demand {
    double S, C, dS, dC;
} demand;


static demand demand_at(const rico_nes *nes, const rico_nes_point *at)
{
    double p, q, w = nes->omega1, n1 = at->n1, n2 = at->n2, d1 = at->slope;
    rico_nes_bend(nes, n2, &p, &q);
    double r = n2 * n2 / n1, dr = 2.0 * n2 / n1 - r * d1 / n1, cube = nes->beta / (4.0 * w * w * w);
    return (demand){.S = nes->lambda * r + 4.0 * nes->alpha0 / PI + nes->a0 * n1,
                    .C = w * r * (1.0 - p) - (w + 2.0 * nes->sigma) * n1 + cube * n1 * n1 * n1,
                    .dS = nes->lambda * dr + nes->a0 * d1,
                    .dC = w * (dr * (1.0 - p) - 2.0 * r * q / n2) - (w + 2.0 * nes->sigma) * d1 +
                          3.0 * cube * n1 * n1 * d1};
}


// The averaged flow is complex differentiable but for conjugates: d(rate) = A d(phi) + B conj(d(phi)). Column by column as a real matrix.
static void linearize(const rico_nes *nes, double complex phi1, double complex phi2, double J[16])
{
    double p, q, w = nes->omega1, size = cabs(phi1), cube = nes->beta / (8.0 * w * w * w), eps = nes->eps;
    double complex e1 = phi1 / size, e2 = phi2 / cabs(phi2);
    rico_nes_bend(nes, cabs(phi2), &p, &q);
    double complex A[2][2], B[2][2] = {{0.0}};
    A[0][0] = eps * (-0.5 * I * (w + 2.0 * nes->sigma) - nes->alpha0 / (PI * size) +
                     2.0 * I * cube * size * size - 0.5 * nes->a0);
    B[0][0] = eps * (nes->alpha0 / (PI * size) + I * cube * size * size) * e1 * e1;
    A[0][1] = eps * 0.5 * I * w;
    A[1][0] = 0.5 * I * w;
    A[1][1] = 0.5 * I * w * (p + q - 1.0) - 0.5 * nes->lambda;
    B[1][1] = 0.5 * I * w * q * e2 * e2;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            double complex along = A[i][j] + B[i][j], across = I * (A[i][j] - B[i][j]);
            J[2 * i + 8 * j] = creal(along), J[2 * i + 1 + 8 * j] = cimag(along);
            J[2 * i + 8 * j + 4] = creal(across), J[2 * i + 1 + 8 * j + 4] = cimag(across);
        }
}


rico_status rico_nes_equilibrium_at(rico_context *ctx, const rico_nes *nes, double n2,
                                    rico_nes_equilibrium *out)
{
    rico_status status = rico_nes_check(ctx, nes);
    if (status != RICO_OK) return status;
    rico_nes_point at = rico_nes_manifold(nes, n2);
    if (!(n2 > 0.0 && isfinite(n2)) || !(at.n1 > 0.0))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "an equilibrium has N2 > 0 and N1 > 0, got N2 = %g", n2);
    demand d = demand_at(nes, &at);
    *out = (rico_nes_equilibrium){.at = at, .f0 = hypot(d.S, d.C), .delta1 = atan2(-d.S, d.C)};
    out->delta2 = remainder(out->delta1 - at.phase, 2.0 * PI);
    double J[16], real[4], imag[4];
    linearize(nes, at.n1 * cexp(I * out->delta1), n2 * cexp(I * out->delta2), J);
    status = rico_eigenvalues(ctx, 4, J, real, imag);
    out->stable = true;
    for (int i = 0; i < 4; i++) {
        out->eigenvalue[i][0] = real[i], out->eigenvalue[i][1] = imag[i];
        out->stable = out->stable && real[i] < 0.0;
    }
    return status;
}


rico_status rico_nes_equilibrium_printed(rico_context *ctx, const rico_nes *nes, double n2, double eta,
                                         double *f0, double *delta1, bool *compatible)
{
    rico_status status = rico_nes_check(ctx, nes);
    if (status != RICO_OK) return status;
    if (fabs(eta) != 1.0 || !(n2 > 0.0 && isfinite(n2)))
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "equations (47) take eta = 1 or -1 and N2 > 0, got %g and %g", eta, n2);
    rico_nes_point at = rico_nes_manifold(nes, n2);
    double p, q, w = nes->omega1, slip = 4.0 * nes->alpha0 * eta / PI;
    rico_nes_bend(nes, n2, &p, &q);
    // slip e^{2i delta1} + f0 e^{i delta1} = W: the imaginary part of W e^{-i delta1} - slip e^{i delta1} = f0 gives delta1 up to pi
    double real = (w * n2 * n2 * (1.0 - p) - (w + 2.0 * nes->sigma) * at.n1 * at.n1) / at.n1,
           imag = nes->lambda * n2 * n2 / at.n1, angle = atan2(imag, slip + real);
    *f0 = real * cos(angle) + imag * sin(angle) - slip * cos(angle);
    *delta1 = *f0 >= 0.0 ? angle : remainder(angle + PI, 2.0 * PI);
    *f0 = fabs(*f0);
    double e = nes->eps / (1.0 + nes->eps), moving = at.n1 * cos(*delta1) + e * n2 * cos(*delta1 - at.phase);
    *compatible = moving * eta > 0.0;
    return RICO_OK;
}


static double turning(const void *user, double n2)
{
    rico_nes_point at = rico_nes_manifold(user, n2);
    demand d = demand_at(user, &at);
    return d.S * d.dS + d.C * d.dC;
}


static double missing(const void *user, double n2)
{
    rico_nes_point at = rico_nes_manifold(user, n2);
    demand d = demand_at(user, &at);
    return hypot(d.S, d.C) - ((const rico_nes *)user)->f0;
}


static rico_status fill(rico_context *ctx, const rico_nes *nes, const rico_nes_places *at, int64_t room,
                        rico_nes_equilibrium *out, int64_t *count)
{
    rico_status status = RICO_OK;
    for (int i = 0; i < at->count && i < room && status == RICO_OK; i++)
        status = rico_nes_equilibrium_at(ctx, nes, at->at[i], &out[i]);
    *count = at->count;
    return status;
}


rico_status rico_nes_turning_points(rico_context *ctx, const rico_nes *nes, double reach, int64_t room,
                                    rico_nes_equilibrium *out, int64_t *count)
{
    rico_status status = rico_nes_reach(ctx, nes, &reach);
    if (status != RICO_OK) return status;
    rico_nes_places turns;
    rico_nes_scan(turning, nes, reach, &turns);
    return fill(ctx, nes, &turns, room, out, count);
}


rico_status rico_nes_equilibria(rico_context *ctx, const rico_nes *nes, double reach, int64_t room,
                                rico_nes_equilibrium *out, int64_t *count)
{
    rico_status status = rico_nes_reach(ctx, nes, &reach);
    if (status != RICO_OK) return status;
    rico_nes_places turns, roots;
    rico_nes_scan(turning, nes, reach, &turns);
    rico_nes_solve(missing, nes, reach, &turns, &roots);
    return fill(ctx, nes, &roots, room, out, count);
}
