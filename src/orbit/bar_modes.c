// Nonsmooth modes of a bar against a wall, in closed form.
//
// d'Alembert: u(x, t) = integral of phi over [ct - x, ct + x] vanishes at x = 0. A free end makes phi 2L-antiperiodic, a closed gap 2L-periodic.
// With eps 2L-antiperiodic and 1 on [-L, L), phi_m = (-1)^(m+1) alpha prod_{j=0}^{2m-2} eps(x + j c T + c t2) solves the conditions of
// periodicity, phi(x + cT) = eps(x) eps(x + c t2) phi(x), for (2m-1) c T = 4L - c t2.

#include "base/context.h"
#include "ricochet/bar.h"

#include <math.h>
#include <stdlib.h>

enum { LARGEST_MODE = 64 };


static rico_status check(rico_context *ctx, const rico_bar *bar, int64_t m)
{
    const double values[] = {bar->length, bar->speed, bar->stiffness, bar->gap};
    static const char *const NAMES[] = {"length", "speed of sound", "stiffness", "gap"};
    for (int i = 0; i < 4; i++)
        if (!(values[i] > 0.0 && isfinite(values[i])))
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "the %s of a bar must be positive, got %g", NAMES[i],
                             values[i]);
    if (m < 1 || m > LARGEST_MODE)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "modes of a bar are counted from 1 to %d, got %lld",
                         LARGEST_MODE, (long long)m);
    return RICO_OK;
}


rico_status rico_bar_mode_range(rico_context *ctx, const rico_bar *bar, int64_t m, double *low, double *high)
{
    rico_status status = check(ctx, bar, m);
    if (status != RICO_OK) return status;
    double order = (double)m, unit = bar->length / bar->speed;
    *low = (2.0 * order + 1.0) / (order * order) * unit;
    *high = 4.0 / (2.0 * order - 1.0) * unit;
    return RICO_OK;
}


rico_status rico_bar_mode_at(rico_context *ctx, const rico_bar *bar, int64_t m, double period,
                             rico_bar_mode *out)
{
    double low, high, order = (double)m, L = bar->length, path = bar->speed * period;
    rico_status status = rico_bar_mode_range(ctx, bar, m, &low, &high);
    if (status != RICO_OK) return status;
    if (!(period > low && period <= high))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "mode %lld of the bar has periods above %g, to %g, got %g",
                         (long long)m, low, high, period);
    double alpha = bar->gap / (2.0 * (order * order * path - (2.0 * order + 1.0) * L));
    *out = (rico_bar_mode){.bar = *bar,
                           .m = m,
                           .period = period,
                           .contact = fmax(0.0, 4.0 * L / bar->speed - (2.0 * order - 1.0) * period),
                           .alpha = alpha,
                           .energy = 2.0 * L * bar->stiffness * alpha * alpha};
    return RICO_OK;
}


// The product of signs for x in [-L, L + cT): free up to L + c t1, where contact begins and phi repeats itself.
static double sign_of(const rico_bar_mode *mode, double x)
{
    double L = mode->bar.length, path = mode->bar.speed * mode->period,
           rest = mode->bar.speed * mode->contact;
    double sign = mode->m % 2 ? 1.0 : -1.0;
    if (x >= L + path - rest) x -= 2.0 * L;
    for (int64_t j = 0; j < 2 * mode->m - 1; j++) {
        double turns = floor((x + (double)j * path + rest + L) / (2.0 * L));
        if (fmod(fabs(turns), 2.0) != 0.0) sign = -sign;
    }
    return sign;
}


static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}


// Where the sign may change in (from, to): ends of a piece between two of them share it.
static int corners(const rico_bar_mode *mode, double from, double to, double *out)
{
    double L = mode->bar.length, path = mode->bar.speed * mode->period,
           rest = mode->bar.speed * mode->contact;
    double join = L + path - rest;
    int count = 0;
    out[count++] = from;
    if (join > from && join < to) out[count++] = join;
    for (int64_t j = 0; j < 2 * mode->m - 1; j++)
        for (int side = 0; side < 2; side++) { // before the join, and behind it, where phi(x) = phi(x - 2L)
            double offset = (double)j * path + rest - (side ? 2.0 * L : 0.0);
            double low = side ? fmax(from, join) : from, high = side ? to : fmin(to, join);
            for (double turn = ceil((low + offset - L) / (2.0 * L)); low < high; turn += 1.0) {
                double x = L + 2.0 * L * turn - offset;
                if (!(x < high)) break;
                if (x > low && count < 8 * LARGEST_MODE) out[count++] = x;
            }
        }
    out[count++] = to;
    qsort(out, (size_t)count, sizeof *out, by_size);
    return count;
}


static double within_period(const rico_bar_mode *mode, double t)
{
    t -= mode->period * floor(t / mode->period);
    return t < mode->period ? t : 0.0;
}


void rico_bar_mode_field(const rico_bar_mode *mode, double x, double t, double *u, double *v, double *strain)
{
    double place[8 * LARGEST_MODE + 2], at = mode->bar.speed * within_period(mode, t), sum = 0.0;
    if (u) {
        int count = corners(mode, at - x, at + x, place);
        for (int i = 0; i + 1 < count; i++)
            if (place[i + 1] > place[i])
                sum += sign_of(mode, 0.5 * (place[i] + place[i + 1])) * (place[i + 1] - place[i]);
        *u = mode->alpha * sum;
    }
    double ahead = mode->alpha * sign_of(mode, at + x), behind = mode->alpha * sign_of(mode, at - x);
    if (v) *v = mode->bar.speed * (ahead - behind);
    if (strain) *strain = ahead + behind;
}


double rico_bar_mode_force(const rico_bar_mode *mode, double t)
{
    double strain;
    t = within_period(mode, t);
    if (t < mode->period - mode->contact) return 0.0;
    rico_bar_mode_field(mode, mode->bar.length, t, NULL, NULL, &strain);
    return -mode->bar.stiffness * strain;
}


double rico_bar_grazing_energy(const rico_bar *bar, int64_t m)
{
    double slope = (2.0 * (double)m - 1.0) * acos(-1.0) * bar->gap;
    return bar->stiffness * slope * slope / (16.0 * bar->length);
}


// --- the chain -----------------------------------------------------------------------------------------------

// Unit masses would have shapes sin(j (2p-1) pi/(2n+1)), whose squares sum to (2n+1)/4.
rico_status rico_bar_chain(rico_context *ctx, const rico_bar *bar, int64_t n, rico_modes **out)
{
    rico_status status = check(ctx, bar, 1);
    *out = NULL;
    if (status != RICO_OK) return status;
    if (n < 1) return rico_fail(ctx, RICO_BAD_ARGUMENT, "a chain needs a mass, got %lld", (long long)n);
    double *omega = rico_alloc(ctx, 2 * n, sizeof *omega), size = (double)n, pi = acos(-1.0);
    if (!omega) return RICO_NO_MEMORY;
    double mass = bar->stiffness / (bar->speed * bar->speed) * bar->length / size;
    double spring = size * bar->stiffness / bar->length;
    for (int64_t p = 0; p < n; p++) {
        double angle = (2.0 * (double)p + 1.0) * pi / (2.0 * size + 1.0);
        omega[p] = 2.0 * sqrt(spring / mass) * sin(0.5 * angle); // 1 - cos a = 2 sin^2(a/2)
        omega[n + p] = -sin(size * angle) / sqrt(mass * (2.0 * size + 1.0) / 4.0);
    }
    status = rico_modes_create_spectral(ctx, n, omega, omega + n, bar->gap, out);
    rico_free(ctx, omega);
    return status;
}


double rico_bar_chain_shape(const rico_bar *bar, int64_t n, int64_t p, int64_t j)
{
    double size = (double)n, angle = (2.0 * (double)p - 1.0) * acos(-1.0) / (2.0 * size + 1.0);
    double mass = bar->stiffness / (bar->speed * bar->speed) * bar->length / size;
    return sin((double)j * angle) / sqrt(mass * (2.0 * size + 1.0) / 4.0);
}


double rico_bar_chain_wave_number(const rico_bar *bar, double dx, double omega)
{
    double ratio = omega * dx / bar->speed;
    return ratio <= 2.0 ? 2.0 * asin(0.5 * ratio) / dx : NAN;
}
