// Mixed harmonic balance and shooting of a forced chain: the mass that strikes in time, the others in harmonics of its motion.
//
// Mass n: m u'' + (a m + b k) u' + k u = F_n cos + c(t), c = k u_{n-1} + b k u'_{n-1}, and impacts. The others: a tridiagonal system for each harmonic of u.
// Unknown are the 2N + 1 harmonics of c and the state of mass n at time 0; what must hold is that both come back.

#include "base/context.h"
#include "la/dense.h"
#include "ricochet/bar.h"

#include <math.h>
#include <string.h>

enum { LARGEST = 200, NEWTON = 40, BISECTIONS = 60, MOST = 10000 };

typedef struct complex_number {
    double re, im;
} complex_number;

typedef struct mixed {
    const rico_bar_mixed *given;
    double m, k, gap, rate;
    int64_t N, size; // harmonics, unknowns 2N + 3
    double *end;     // of the last mass, steps + 1
    double *push;    // force on it at every half step, 2 steps + 1
    int64_t impacts;
} mixed;


static complex_number over(complex_number a, complex_number b)
{
    double size = b.re * b.re + b.im * b.im;
    return (complex_number){(a.re * b.re + a.im * b.im) / size, (a.im * b.re - a.re * b.im) / size};
}


static complex_number times(complex_number a, complex_number b)
{
    return (complex_number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}


// --- the linear part -----------------------------------------------------------------------------------------

// Harmonic h of c from that of u, both as the amplitude of exp(i h rate t): elimination from mass 1 on.
static complex_number answer(const mixed *x, int64_t h, complex_number u)
{
    const rico_bar_mixed *g = x->given;
    double w = (double)h * x->rate;
    complex_number spring = {x->k, w * g->stiffness_damping * x->k}, pivot = {0.0, 0.0}, load = {0.0, 0.0};
    for (int64_t j = 0; j + 1 < g->masses; j++) {
        complex_number diagonal = {2.0 * spring.re - w * w * x->m,
                                   2.0 * spring.im + w * g->mass_damping * x->m};
        complex_number right = {h == 1 ? g->load[j] : 0.0, 0.0};
        if (j > 0) { // what the mass before leaves: (spring^2, spring load)/pivot
            complex_number part = over(spring, pivot), less = times(part, spring), more = times(part, load);
            diagonal.re -= less.re;
            diagonal.im -= less.im;
            right.re += more.re;
            right.im += more.im;
        }
        pivot = diagonal;
        load = right;
    }
    complex_number pull = times(spring, u);
    complex_number last = over((complex_number){load.re + pull.re, load.im + pull.im}, pivot);
    return times(spring, last);
}


// Harmonics of the motion in `end` through the linear part: y has c_0, then real and imaginary parts.
static void respond(const mixed *x, double *y)
{
    int64_t steps = x->given->steps;
    for (int64_t h = 0; h <= x->N; h++) {
        complex_number u = {0.0, 0.0};
        for (int64_t i = 0; i < steps; i++) { // u is continuous: the trapezoidal rule
            double angle = 2.0 * acos(-1.0) * (double)(h * i % steps) / (double)steps;
            u.re += x->end[i] * cos(angle);
            u.im -= x->end[i] * sin(angle);
        }
        double scale = (h ? 2.0 : 1.0) / (double)steps;
        complex_number c = answer(x, h, (complex_number){scale * u.re, scale * u.im});
        if (h == 0)
            y[0] = c.re;
        else
            y[2 * h - 1] = c.re, y[2 * h] = c.im;
    }
}


// --- the mass that strikes -----------------------------------------------------------------------------------

static double push_at(const mixed *x, const double *y, double t)
{
    double sum = y[0];
    for (int64_t h = 1; h <= x->N; h++)
        sum += y[2 * h - 1] * cos((double)h * x->rate * t) - y[2 * h] * sin((double)h * x->rate * t);
    return sum + x->given->load[x->given->masses - 1] * cos(x->rate * t);
}


static double acceleration(const mixed *x, double push, double u, double v)
{
    const rico_bar_mixed *g = x->given;
    return (push - x->k * u - (g->mass_damping * x->m + g->stiffness_damping * x->k) * v) / x->m;
}


// Runge and Kutta's method over h with the push at its begin, middle and end.
static void advance(const mixed *x, const double push[3], double h, double *u, double *v)
{
    static const double AT[] = {0.0, 0.5, 0.5, 1.0}, WEIGHT[] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    static const int WHEN[] = {0, 1, 1, 2};
    double du = 0.0, dv = 0.0, sum_u = 0.0, sum_v = 0.0;
    for (int stage = 0; stage < 4; stage++) {
        double now_u = *u + AT[stage] * h * du, now_v = *v + AT[stage] * h * dv;
        du = now_v;
        dv = acceleration(x, push[WHEN[stage]], now_u, now_v);
        sum_u += WEIGHT[stage] * du;
        sum_v += WEIGHT[stage] * dv;
    }
    *u += h * sum_u;
    *v += h * sum_v;
}


static void advance_between(const mixed *x, const double *y, double t, double h, double *u, double *v)
{
    const double push[3] = {push_at(x, y, t), push_at(x, y, t + 0.5 * h), push_at(x, y, t + h)};
    advance(x, push, h, u, v);
}


// A step in which the wall is met: to the impact by bisection, back, and on to the end of the step, as often as that happens.
static void strike(mixed *x, const double *y, double t, double h, double *u, double *v)
{
    double left = h;
    while (left > 0.0 && x->impacts < MOST) {
        double a = 0.0, b = left, try_u = *u, try_v = *v;
        advance_between(x, y, t, left, &try_u, &try_v);
        if (!(try_u > x->gap && try_v > 0.0)) {
            *u = try_u;
            *v = try_v;
            return;
        }
        for (int i = 0; i < BISECTIONS; i++) {
            double middle = 0.5 * (a + b);
            try_u = *u;
            try_v = *v;
            advance_between(x, y, t, middle, &try_u, &try_v);
            if (try_u > x->gap)
                b = middle;
            else
                a = middle;
        }
        advance_between(x, y, t, b, u, v);
        *v = -x->given->restitution * *v;
        x->impacts++;
        t += b;
        left -= b;
    }
}


// A period from the state in y; fills `end` and returns how far the state is from it: y has c, then u and v at time 0.
static void shoot(mixed *x, const double *y, double *off)
{
    int64_t steps = x->given->steps;
    double h = x->given->period / (double)steps, u = y[2 * x->N + 1], v = y[2 * x->N + 2];
    for (int64_t i = 0; i <= 2 * steps; i++) x->push[i] = push_at(x, y, 0.5 * h * (double)i);
    x->impacts = 0;
    for (int64_t i = 0; i < steps; i++) {
        double next_u = u, next_v = v;
        x->end[i] = u;
        advance(x, x->push + 2 * i, h, &next_u, &next_v);
        if (next_u > x->gap)
            strike(x, y, h * (double)i, h, &u, &v);
        else
            u = next_u, v = next_v;
    }
    x->end[steps] = u;
    off[0] = u - y[2 * x->N + 1];
    off[1] = v - y[2 * x->N + 2];
}


// --- both ----------------------------------------------------------------------------------------------------

static double residual(mixed *x, const double *y, double *F)
{
    shoot(x, y, F + 2 * x->N + 1);
    respond(x, F);
    for (int64_t i = 0; i <= 2 * x->N; i++) F[i] -= y[i];
    return rico_norm_inf(x->size, F);
}


static rico_status newton(rico_context *ctx, mixed *x, rico_bar_mixed *out, double *y, double *work,
                          int32_t *pivot)
{
    int64_t size = x->size;
    double *F = work, *moved = F + size, *J = moved + size, before = INFINITY;
    for (out->iterations = 0; out->iterations < NEWTON; out->iterations++) {
        double now = residual(x, y, F);
        out->residual = now / x->gap;
        out->impacts = x->impacts;
        if (!isfinite(now)) break;
        if (out->residual < 1e-9 && now > 0.1 * before) return RICO_OK;
        if (out->residual < 1e-13) return RICO_OK;
        before = now;
        for (int64_t c = 0; c < size; c++) {
            double kept = y[c], step = 1e-7 * fmax(x->gap, fabs(kept));
            y[c] = kept + step;
            residual(x, y, moved);
            y[c] = kept;
            for (int64_t r = 0; r < size; r++) J[r + size * c] = (moved[r] - F[r]) / step;
        }
        if (rico_dense_lu(ctx, size, J, pivot) != RICO_OK) break;
        rico_dense_lu_solve(size, J, pivot, 1, F);
        for (int64_t c = 0; c < size; c++) y[c] -= F[c];
    }
    return rico_fail(ctx, RICO_SINGULAR, "harmonics and shooting find no response of period %g: %g is left",
                     out->period, out->residual);
}


static rico_status check(rico_context *ctx, const rico_bar *bar, const rico_bar_mixed *given)
{
    rico_modes *chain = NULL;
    rico_status status = rico_bar_chain(ctx, bar, given->masses, &chain); // refuses what is no chain
    rico_modes_destroy(chain);
    if (status != RICO_OK) return status;
    if (given->masses < 2 || given->harmonics < 1 || given->harmonics > LARGEST ||
        given->steps < 4 * given->harmonics)
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "%lld masses with %lld harmonics and %lld steps: two masses, 1 to %d harmonics and "
                         "four steps for each are needed",
                         (long long)given->masses, (long long)given->harmonics, (long long)given->steps,
                         LARGEST);
    if (!(given->period > 0.0 && isfinite(given->period)))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "the period of a force must be positive, got %g",
                         given->period);
    if (!(given->restitution >= 0.0 && given->restitution <= 1.0))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "restitution must lie between 0 and 1, got %g",
                         given->restitution);
    return RICO_OK;
}


rico_status rico_bar_chain_mixed(rico_context *ctx, const rico_bar *bar, rico_bar_mixed *given, double *end)
{
    rico_status status = check(ctx, bar, given);
    if (status != RICO_OK) return status;
    int64_t size = 2 * given->harmonics + 3, n = given->masses;
    mixed x = {.given = given, .gap = bar->gap, .N = given->harmonics, .size = size, .end = end};
    x.m = bar->stiffness / (bar->speed * bar->speed) * bar->length / (double)n;
    x.k = (double)n * bar->stiffness / bar->length;
    x.rate = 2.0 * acos(-1.0) / given->period;
    double *y = rico_alloc(ctx, 3 * size + size * size + 2 * given->steps + 1, sizeof *y);
    int32_t *pivot = rico_alloc(ctx, size, sizeof *pivot);
    if (!y || !pivot) {
        status = RICO_NO_MEMORY;
    } else {
        x.push = y + 3 * size + size * size;
        respond(&x, y); // of the motion given
        y[size - 2] = end[0];
        y[size - 1] = given->velocity;
        status = newton(ctx, &x, given, y, y + size, pivot);
        given->velocity = y[size - 1];
    }
    rico_free(ctx, y);
    rico_free(ctx, pivot);
    return status;
}
