// The first harmonic of an inclusion with any number of masters, sinks and algebraic variables: equations (12) to (20) of the chapter,
// put right (docs/theory/nes.md), every nonlinearity by quadrature.
//
// phi_i' = -(w_i^2 - w^2)/(2iw) phi_i - eps (a0/2 phi_i + alpha0 F_i + H_i - f0/(2i)) - sum of eps_k (lambda_k/2 (phi_i - phi_k) + C_k),
// phi_k' = -(iw/2) phi_k - lambda_k/2 (phi_k - phi_i) + C_k.

#include "orbit/nes_dai.h"

#include <complex.h>
#include <math.h>

static const double PI = 3.14159265358979323846;

enum { LOOPS = 1000 };


static double coupling(void *user, const double *r, const double *v)
{
    const rico_dai_sink *k = user;
    (void)v;
    return rico_coupling_force(k->coupling, k->gamma, k->gap, k->force, k->user, r[0]);
}


typedef struct algebraic {
    rico_dai *dai;
    int64_t master;
    rico_status status; // first failure
} algebraic;


// h of one master, z by its constraint.
static double force_of_z(void *user, const double *r, const double *v)
{
    algebraic *a = user;
    rico_dai *dai = a->dai;
    double x = r[a->master];
    (void)v;
    if (!dai->algebra.count) return dai->master[a->master].beta * x * x * x / 3.0;
    if (a->status == RICO_OK) a->status = rico_dai_solve_algebra(dai, r, dai->z);
    if (a->status != RICO_OK) return 0.0;
    dai->algebra.force(dai->algebra.user, dai->z, dai->h);
    return dai->h[a->master];
}


// q after a stretch dx without a reversal: rates are those of nes_step.c over x', which drops out.
static double along(const rico_dai_master *m, double q, double dx)
{
    double side = dx < 0.0 ? -1.0 : 1.0, way = m->stiffness * fabs(dx);
    if (m->friction == RICO_NES_SAINT_VENANT) return fmax(-1.0, fmin(1.0, q + side * way));
    if (m->friction == RICO_NES_DAHL) return side + (q - side) * exp(-way);
    static const double AT[] = {0.0, 0.5, 0.5, 1.0}, WEIGHT[] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    double slope = 0.0, sum = 0.0;
    for (int i = 0; i < 4; i++) {
        double there = q + AT[i] * way * slope, power = pow(fabs(there), m->exponent);
        slope = side - m->shape * copysign(power, there) - (1.0 - m->shape) * side * power;
        sum += WEIGHT[i] * slope;
    }
    return q + way * sum;
}


// <q>_1 of friction with memory on its closed loop. The samples begin where the velocity is 0: an even number of them has both reversals.
static double complex memory_harmonic(const rico_dai_master *m, double w, double complex phi, int64_t samples)
{
    double from = 0.5 * PI - carg(phi), size = cabs(phi) / w, q = 0.0, closed = INFINITY;
    double complex sum = 0.0;
    for (int loop = 0; loop < LOOPS && closed > 1e-14; loop++) {
        double start = q;
        sum = 0.0;
        for (int64_t i = 0; i < samples; i++) {
            // x = size sin(turn + arg phi) = size cos(part), the part from its maximum on
            double part = 2.0 * PI * (double)i / (double)samples, step = 2.0 * PI / (double)samples;
            sum += q * cexp(-I * (from + part)) / (double)samples;
            q = along(m, q, size * (cos(part + step) - cos(part)));
        }
        closed = fabs(q - start);
    }
    return sum;
}


static rico_status masters_flow(rico_dai *dai, int64_t samples, const double *phi, double *rate)
{
    const rico_dai_model *model = &dai->model;
    double w = model->w;
    for (int64_t i = 0; i < model->masters; i++) {
        const rico_dai_master *m = &dai->master[i];
        double F[4] = {0.0}, H[4];
        double complex x = phi[2 * i] + I * phi[2 * i + 1];
        algebraic a = {dai, i, RICO_OK};
        rico_status status = rico_project(dai->ctx, w, model->masters, 1, phi, force_of_z, &a, 1, samples, H);
        if (status == RICO_OK) status = a.status;
        if (status == RICO_OK) status = rico_project_sign(dai->ctx, 1, phi + 2 * i, 1, F);
        if (status != RICO_OK) return status;
        double complex rub =
            m->friction == RICO_NES_SIGN ? F[2] + I * F[3] : memory_harmonic(m, w, x, samples);
        double complex d =
            0.5 * I * (m->omega * m->omega - w * w) / w * x -
            model->eps * (0.5 * m->a0 * x + m->alpha0 * rub + H[2] + I * H[3] + 0.5 * I * m->f0);
        rate[2 * i] = creal(d), rate[2 * i + 1] = cimag(d);
    }
    return RICO_OK;
}


static rico_status sinks_flow(rico_dai *dai, int64_t samples, const double *phi, double *rate)
{
    const rico_dai_model *model = &dai->model;
    for (int64_t k = 0; k < model->sinks; k++) {
        rico_dai_sink *sink = &dai->sink[k];
        const double *x = phi + 2 * sink->on, *y = phi + 2 * (model->masters + k),
                     apart[] = {x[0] - y[0], x[1] - y[1]};
        double C[4], *to_x = rate + 2 * sink->on, *to_y = rate + 2 * (model->masters + k);
        rico_status status = rico_project(dai->ctx, model->w, 1, 1, apart, coupling, sink, 1, samples, C);
        if (status != RICO_OK) return status;
        for (int c = 0; c < 2; c++) {
            double both = 0.5 * sink->lambda * apart[c] + C[2 + c];
            to_x[c] -= sink->eps * both;
            to_y[c] = both + 0.5 * model->w * (c ? -y[0] : y[1]); // -(iw/2) phi_k
        }
    }
    return RICO_OK;
}


rico_status rico_dai_projected_flow(rico_context *ctx, const rico_dai_model *model, int64_t samples,
                                    const double *phi, double *rate)
{
    rico_dai *dai = NULL;
    rico_status status = rico_dai_create(ctx, model, &dai);
    if (status == RICO_OK) status = masters_flow(dai, samples, phi, rate);
    if (status == RICO_OK) status = sinks_flow(dai, samples, phi, rate);
    rico_dai_destroy(dai);
    return status;
}
