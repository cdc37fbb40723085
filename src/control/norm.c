// Norms of systems: H-infinity by the Hamiltonian matrix, H2 by Lyapunov's equation.
//
// sigma_max(G(i w)) = gamma exactly where the Hamiltonian of gamma has the eigenvalue i w (Boyd, Balakrishnan and Kabamba 1989). Bruinsma and
// Steinbuch (1990): raise the bound to the largest gain between such frequencies until there are none.

#include "ricochet/control.h"

#include "control/response.h"
#include "la/eigenvalues.h"

#include <math.h>
#include <stdlib.h>

typedef struct search {
    const rico_state_space *sys;
    double bound, frequency; // largest gain seen, and where
} search;


static rico_status look(search *s, double omega)
{
    double gain = 0.0;
    rico_status status = rico_largest_gain(s->sys, omega, &gain);
    if (status == RICO_OK && gain > s->bound) {
        s->bound = gain;
        s->frequency = omega;
    }
    return status;
}


// The direct gain, rest, and the frequencies of the poles: where lightly damped systems have their peaks.
static rico_status begin(search *s, rico_pad *pad)
{
    int64_t n = s->sys->states;
    double *real = rico_pad_take(pad, 2 * n, sizeof *real), *imag = real + n;
    s->bound = rico_mat_norm(pad, rico_quad_of(pad, s->sys).d);
    s->frequency = INFINITY;
    if (pad->status == RICO_OK) pad->status = rico_state_space_poles(s->sys, real, imag);
    for (int64_t i = 0; i < n && pad->status == RICO_OK; i++)
        if (!(real[i] < 0.0))
            pad->status = rico_fail(pad->ctx, RICO_BAD_ARGUMENT,
                                    "the system has no H-infinity or H2 norm: its pole %g %+gi is not stable",
                                    real[i], imag[i]);
    if (pad->status == RICO_OK && n > 0) pad->status = look(s, 0.0);
    for (int64_t i = 0; i < n && pad->status == RICO_OK; i++) {
        if (imag[i] < 0.0) continue;
        pad->status = look(s, hypot(real[i], imag[i]));
        if (pad->status == RICO_OK && imag[i] > 0.0) pad->status = look(s, imag[i]);
    }
    return pad->status;
}


// [A + B R^-1 D'C, B R^-1 B'; -C'(I + D R^-1 D')C, -(A + B R^-1 D'C)'], R = gamma^2 I - D'D.
static rico_mat hamiltonian(rico_pad *pad, const rico_state_space *sys, double gamma)
{
    int64_t n = sys->states;
    rico_quad q = rico_quad_of(pad, sys);
    rico_mat bt = rico_mat_transpose(pad, q.b), ct = rico_mat_transpose(pad, q.c),
             dt = rico_mat_transpose(pad, q.d);
    rico_mat r = rico_mat_sum(pad, gamma * gamma, rico_mat_eye(pad, sys->inputs), -1.0,
                              rico_mat_product(pad, dt, q.d));
    rico_mat via_d = rico_mat_divide(pad, r, rico_mat_product(pad, dt, q.c)),
             via_b = rico_mat_divide(pad, r, bt);
    rico_mat a = rico_mat_sum(pad, 1.0, q.a, 1.0, rico_mat_product(pad, q.b, via_d));
    rico_mat cost =
        rico_mat_product(pad, ct, rico_mat_sum(pad, 1.0, q.c, 1.0, rico_mat_product(pad, q.d, via_d)));
    rico_mat h = rico_mat_zero(pad, 2 * n, 2 * n);
    rico_mat_put(pad, h, 0, 0, a);
    rico_mat_put(pad, h, 0, n, rico_mat_product(pad, q.b, via_b));
    rico_mat_put(pad, h, n, 0, rico_mat_sum(pad, -1.0, cost, 0.0, cost));
    rico_mat_put(pad, h, n, n, rico_mat_sum(pad, -1.0, rico_mat_transpose(pad, a), 0.0, a));
    return h;
}


static int ascending(const void *one, const void *other)
{
    double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}


// Looks between the frequencies where the largest gain is gamma, and at them. Eigenvalues beside the axis do no harm: what counts are the gains
// that were seen.
static rico_status raise_bound(search *s, double gamma)
{
    rico_pad pad = rico_pad_open(s->sys->ctx);
    int64_t n = 2 * s->sys->states, count = 1;
    rico_mat h = hamiltonian(&pad, s->sys, gamma);
    double *real = rico_pad_take(&pad, n, sizeof *real), *imag = rico_pad_take(&pad, n, sizeof *imag);
    double *at = rico_pad_take(&pad, n + 1, sizeof *at);
    if (pad.status == RICO_OK) pad.status = rico_eigenvalues(pad.ctx, n, h.a, real, imag);
    if (pad.status == RICO_OK) {
        double scale = 0.0;
        for (int64_t i = 0; i < n; i++) scale = fmax(scale, hypot(real[i], imag[i]));
        for (int64_t i = 0; i < n; i++)
            if (imag[i] >= 0.0 && fabs(real[i]) <= 1e-4 * imag[i] + 1e-8 * scale) at[count++] = imag[i];
        qsort(at, (size_t)count, sizeof *at, ascending);
        for (int64_t i = 0; i < count && pad.status == RICO_OK; i++) {
            pad.status = look(s, at[i]);
            if (pad.status == RICO_OK && i + 1 < count) pad.status = look(s, 0.5 * (at[i] + at[i + 1]));
        }
    }
    return rico_pad_close(&pad);
}


rico_status rico_hinf_norm(const rico_state_space *sys, double tolerance, double *norm, double *frequency)
{
    enum { MOST = 100 };
    search s = {.sys = sys};
    if (!(tolerance > 0.0 && tolerance < 1.0))
        return rico_fail(sys->ctx, RICO_BAD_ARGUMENT,
                         "an H-infinity norm to the tolerance %g: between 0 and 1", tolerance);
    rico_pad pad = rico_pad_open(sys->ctx);
    begin(&s, &pad);
    for (int turn = 0; turn < MOST && pad.status == RICO_OK && sys->states > 0 && s.bound > 0.0; turn++) {
        double before = s.bound;
        pad.status = raise_bound(&s, before * (1.0 + tolerance));
        if (s.bound <= before * (1.0 + tolerance)) break;
    }
    if (pad.status == RICO_OK) {
        *norm = s.bound;
        if (frequency) *frequency = s.frequency;
    }
    return rico_pad_close(&pad);
}


rico_status rico_h2_norm(const rico_state_space *sys, double *norm)
{
    int64_t n = sys->states;
    rico_pad pad = rico_pad_open(sys->ctx);
    rico_quad q = rico_quad_of(&pad, sys);
    search s = {.sys = sys};
    begin(&s, &pad);
    if (pad.status == RICO_OK && rico_mat_largest(q.d) > 0.0)
        pad.status =
            rico_fail(pad.ctx, RICO_BAD_ARGUMENT, "the H2 norm is infinite: the matrix D is not zero");
    rico_mat noise = rico_mat_product(&pad, q.b, rico_mat_transpose(&pad, q.b)),
             p = rico_mat_zero(&pad, n, n);
    if (pad.status == RICO_OK) pad.status = rico_lyapunov(pad.ctx, n, sys->a, noise.a, p.a);
    rico_mat power = rico_mat_product3(&pad, q.c, p, rico_mat_transpose(&pad, q.c));
    double sum = 0.0;
    for (int64_t i = 0; i < sys->outputs && pad.status == RICO_OK; i++) sum += *rico_mat_at(power, i, i);
    if (pad.status == RICO_OK) *norm = sqrt(fmax(sum, 0.0));
    return rico_pad_close(&pad);
}
