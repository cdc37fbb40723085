// Oscillators with a nonlinear energy sink: parameters, couplings, and the stiffness that a coupling has at an amplitude.

#include "orbit/nes.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

enum { SAMPLES = 2048 };


rico_nes rico_nes_table(void)
{
    return (rico_nes){.eps = 1e-3,
                      .omega1 = 1.0,
                      .a0 = 0.1,
                      .alpha0 = 0.1,
                      .beta = 0.1,
                      .sigma = 0.1,
                      .lambda = 0.1,
                      .gamma = 0.1,
                      .f0 = 4.019};
}


rico_status rico_nes_check(rico_context *ctx, const rico_nes *nes)
{
    static const char *const NAMES[] = {"eps", "omega1", "gamma", "a0", "alpha0", "lambda", "f0"};
    const double values[] = {nes->eps, nes->omega1, nes->gamma, nes->a0, nes->alpha0, nes->lambda, nes->f0};
    for (int i = 0; i < 7; i++) {
        bool positive = i < 2 || (i == 2 && nes->coupling != RICO_NES_OTHER);
        if (!isfinite(values[i]) || values[i] < 0.0 || (positive && values[i] == 0.0))
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "%s of the sink's model must %s, got %g", NAMES[i],
                             positive ? "be positive" : "not be negative", values[i]);
    }
    if (!isfinite(nes->beta + nes->sigma))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "beta %g or sigma %g is no number", nes->beta, nes->sigma);
    if (nes->coupling < RICO_NES_CUBIC || nes->coupling > RICO_NES_OTHER)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a sink has no coupling %d", (int)nes->coupling);
    if (nes->coupling == RICO_NES_GAP && !(nes->gap >= 0.0 && isfinite(nes->gap)))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "the gap of the coupling must not be negative, got %g",
                         nes->gap);
    if (nes->coupling == RICO_NES_OTHER && !nes->force)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a coupling of the caller's needs its function");
    return RICO_OK;
}


double rico_coupling_force(rico_nes_coupling coupling, double gamma, double gap,
                           double (*force)(void *, double), void *user, double s)
{
    if (coupling == RICO_NES_CUBIC) return gamma * s * s * s;
    if (coupling == RICO_NES_OTHER) return force(user, s);
    double beyond = fabs(s) - gap;
    return beyond > 0.0 ? copysign(gamma * beyond, s) : 0.0;
}


double rico_coupling_energy(rico_nes_coupling coupling, double gamma, double gap,
                            double (*force)(void *, double), void *user, double s)
{
    if (coupling == RICO_NES_CUBIC) return 0.25 * gamma * s * s * s * s;
    if (coupling == RICO_NES_GAP) {
        double beyond = fmax(fabs(s) - gap, 0.0);
        return 0.5 * gamma * beyond * beyond;
    }
    double sum = 0.0, h = s / 128.0;
    for (int i = 0; i < 64; i++)
        sum += force(user, 2 * i * h) + 4.0 * force(user, (2 * i + 1) * h) + force(user, (2 * i + 2) * h);
    return sum * h / 3.0;
}


double rico_nes_gamma(const rico_nes *nes, double s)
{
    return rico_coupling_force(nes->coupling, nes->gamma, nes->gap, nes->force, nes->user, s);
}


double rico_nes_stiffness(const rico_nes *nes, double n2)
{
    double a = n2 / nes->omega1; // amplitude of s
    if (nes->coupling == RICO_NES_CUBIC) return 0.75 * nes->gamma * a * a;
    if (a == 0.0) return 0.0;
    if (nes->coupling == RICO_NES_GAP) {
        double ratio = nes->gap / a;
        if (ratio >= 1.0) return 0.0;
        return 2.0 * nes->gamma / PI * (acos(ratio) - ratio * sqrt(1.0 - ratio * ratio));
    }
    double sum = 0.0; // the projection of s = a cos(theta)
    for (int i = 0; i < SAMPLES; i++) {
        double c = cos(2.0 * PI * i / SAMPLES);
        sum += rico_nes_gamma(nes, a * c) * c;
    }
    return 2.0 * sum / (SAMPLES * a);
}


void rico_nes_bend(const rico_nes *nes, double n2, double *p, double *q)
{
    double w2 = nes->omega1 * nes->omega1, a = n2 / nes->omega1;
    *p = rico_nes_stiffness(nes, n2) / w2;
    if (nes->coupling == RICO_NES_CUBIC) {
        *q = *p;
    } else if (nes->coupling == RICO_NES_GAP) {
        double ratio = a > 0.0 ? nes->gap / a : 1.0; // a dkappa/da = (4 gamma/pi) ratio sqrt(1 - ratio^2)
        *q = ratio < 1.0 ? 2.0 * nes->gamma / (PI * w2) * ratio * sqrt(1.0 - ratio * ratio) : 0.0;
    } else {
        double h = 1e-5;
        *q = (rico_nes_stiffness(nes, n2 * (1.0 + h)) - rico_nes_stiffness(nes, n2 * (1.0 - h))) /
             (4.0 * h * w2);
    }
}
