// Complex amplitudes of real motions, and the projection of nonlinearities on harmonics over one period.

#include "orbit/nes.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;


void rico_complexify(double w, double t, double r, double v, double phi[2])
{
    double c = cos(w * t), s = sin(w * t);
    phi[0] = v * c + w * r * s;
    phi[1] = w * r * c - v * s;
}


void rico_realify(double w, double t, const double phi[2], double *r, double *v)
{
    double c = cos(w * t), s = sin(w * t);
    *v = phi[0] * c - phi[1] * s;
    *r = (phi[0] * s + phi[1] * c) / w;
}


// Position and velocity at a phase of w t of a motion with `count` harmonics.
static void motion(double w, int64_t count, const double *phi, double turn, double *r, double *v)
{
    *r = *v = 0.0;
    for (int64_t j = 1; j <= count; j++, phi += 2) {
        double c = cos((double)j * turn), s = sin((double)j * turn);
        *v += phi[0] * c - phi[1] * s;
        *r += (phi[0] * s + phi[1] * c) / ((double)j * w);
    }
}


rico_status rico_project(rico_context *ctx, double w, int64_t variables, int64_t count, const double *phi,
                         rico_projected f, void *user, int64_t harmonics, int64_t samples, double *out)
{
    if (!(w > 0.0 && isfinite(w)) || variables < 1 || count < 1 || harmonics < 0)
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "%lld harmonics of %lld variables at the frequency %g cannot be projected on %lld",
                         (long long)count, (long long)variables, w, (long long)harmonics);
    int64_t least = 2 * harmonics + 2;
    if (samples < least)
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "a projection on %lld harmonics takes at least %lld samples, got %lld",
                         (long long)harmonics, (long long)least, (long long)samples);
    double *r = rico_alloc(ctx, 2 * variables, sizeof *r), *v = r ? r + variables : NULL;
    if (!r) return RICO_NO_MEMORY;
    memset(out, 0, (size_t)(2 * (harmonics + 1)) * sizeof *out);
    for (int64_t i = 0; i < samples; i++) {
        double turn = 2.0 * PI * (double)i / (double)samples;
        for (int64_t j = 0; j < variables; j++) motion(w, count, phi + 2 * count * j, turn, &r[j], &v[j]);
        double value = f(user, r, v) / (double)samples;
        for (int64_t k = 0; k <= harmonics; k++) {
            // the angle is reduced in whole numbers, so that it is as good for the last harmonic as for the first
            double angle = 2.0 * PI * (double)((i * k) % samples) / (double)samples;
            out[2 * k] += value * cos(angle);
            out[2 * k + 1] -= value * sin(angle);
        }
    }
    rico_free(ctx, r);
    return RICO_OK;
}


static double velocity(int64_t count, const double *phi, double turn)
{
    double r, v;
    motion(1.0, count, phi, turn, &r, &v);
    return v;
}


// Adds sign times the integral of e^{-ik turn}/(2 pi) from a to b, for all k.
static void add_stretch(double sign, double a, double b, int64_t harmonics, double *out)
{
    out[0] += sign * (b - a) / (2.0 * PI);
    for (int64_t k = 1; k <= harmonics; k++) {
        double n = (double)k;
        out[2 * k] += sign * (sin(n * b) - sin(n * a)) / (2.0 * PI * n);
        out[2 * k + 1] += sign * (cos(n * b) - cos(n * a)) / (2.0 * PI * n);
    }
}


static double switching(int64_t count, const double *phi, double low, double high)
{
    double sign = velocity(count, phi, low);
    for (int i = 0; i < 80; i++) {
        double mid = 0.5 * (low + high);
        if (velocity(count, phi, mid) * sign > 0.0)
            low = mid;
        else
            high = mid;
    }
    return 0.5 * (low + high);
}


rico_status rico_project_sign(rico_context *ctx, int64_t count, const double *phi, int64_t harmonics,
                              double *out)
{
    if (count < 1 || harmonics < 0)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "Sign of %lld harmonics cannot be projected on %lld",
                         (long long)count, (long long)harmonics);
    memset(out, 0, (size_t)(2 * (harmonics + 1)) * sizeof *out);
    // between neighbours of a grid this fine for the highest harmonic the velocity changes its sign at most once, or grazes
    int64_t grid = 64 * (count + 1);
    double from = 0.0, last = 0.0, before = velocity(count, phi, 0.0);
    for (int64_t i = 1; i <= grid; i++) {
        double turn = 2.0 * PI * (double)i / (double)grid, now = velocity(count, phi, turn);
        if (before * now < 0.0) {
            double at = switching(count, phi, last, turn);
            add_stretch(before > 0.0 ? 1.0 : -1.0, from, at, harmonics, out);
            from = at;
        } else if (before == 0.0 && now != 0.0) {
            from = last; // rest, or a switch on the grid itself: the stretch before was closed there
        } else if (now == 0.0 && before != 0.0) {
            add_stretch(before > 0.0 ? 1.0 : -1.0, from, turn, harmonics, out);
            from = turn;
        }
        last = turn, before = now;
    }
    if (before != 0.0) add_stretch(before > 0.0 ? 1.0 : -1.0, from, 2.0 * PI, harmonics, out);
    return RICO_OK;
}
