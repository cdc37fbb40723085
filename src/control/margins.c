// Margins of a loop with one input and one output.
//
// |L(i w)| = 1 where 1 - L(-s) L(s) has a zero on the imaginary axis, Im L(i w) = 0 where L(s) - L(-s) has one: no frequency is missed for
// want of a fine grid. L(-s) has the matrices -A, B, -C, D.

#include "ricochet/control.h"

#include "control/response.h"

#include <math.h>

static const double ON_AXIS =
    1e-6; // |Re z| of a zero that counts as imaginary, against |z|; what it finds is looked at again
static const double AGREES = 1e-5;


static rico_status mirrored(const rico_state_space *loop, rico_state_space **out)
{
    rico_pad pad = rico_pad_open(loop->ctx);
    rico_quad q = rico_quad_of(&pad, loop);
    rico_quad turned = {rico_mat_sum(&pad, -1.0, q.a, 0.0, q.a), q.b, rico_mat_sum(&pad, -1.0, q.c, 0.0, q.c),
                        q.d};
    rico_quad_make(&pad, turned, out);
    return rico_pad_close(&pad);
}


// Imaginary zeros w > 0 of 1 - L(-s) L(s) (gain) or of L(s) - L(-s); frequency has room for 2 states.
static rico_status crossings(const rico_state_space *loop, bool gain, double *frequency, double *work,
                             int64_t *count)
{
    const double one = 1.0, minus = -1.0;
    int64_t n = 2 * loop->states, zeros = 0;
    rico_state_space *mirror = NULL, *product = NULL, *constant = NULL, *turned = NULL, *sum = NULL;
    *count = 0;
    rico_status status = mirrored(loop, &mirror);
    if (status == RICO_OK) status = rico_state_space_gain(loop->ctx, 1, 1, gain ? &one : &minus, &constant);
    if (status == RICO_OK && gain) {
        status = rico_state_space_series(loop, mirror, &product);
        if (status == RICO_OK) {
            for (int64_t i = 0; i < n; i++) product->c[i] = -product->c[i];
            product->d[0] = -product->d[0];
            status = rico_state_space_parallel(constant, product, &sum);
        }
    } else if (status == RICO_OK) {
        status = rico_state_space_series(mirror, constant, &turned);
        if (status == RICO_OK) status = rico_state_space_parallel(loop, turned, &sum);
    }
    if (status == RICO_OK) status = rico_state_space_zeros(sum, work, work + n, &zeros);
    for (int64_t i = 0; i < zeros && status == RICO_OK; i++) {
        double real = work[i], imag = work[n + i];
        if (imag > 0.0 && fabs(real) <= ON_AXIS * imag) frequency[(*count)++] = imag;
    }
    rico_state_space_destroy(mirror);
    rico_state_space_destroy(product);
    rico_state_space_destroy(constant);
    rico_state_space_destroy(turned);
    rico_state_space_destroy(sum);
    return status;
}


static void count_gain(double complex value, double omega, rico_margins *out)
{
    double factor = -1.0 / creal(value);
    if (!(creal(value) < 0.0) || fabs(cimag(value)) > AGREES * cabs(value)) return;
    if (factor > 1.0 && factor < out->gain) {
        out->gain = factor;
        out->gain_frequency = omega;
    }
    if (factor < 1.0 && factor > out->down) {
        out->down = factor;
        out->down_frequency = omega;
    }
}


static void count_phase(double complex value, double omega, rico_margins *out)
{
    if (fabs(cabs(value) - 1.0) > AGREES) return;
    double angle = carg(-value); // turning by -angle brings L to -1; a delay turns clockwise
    double late = angle >= 0.0 ? angle : angle + 2.0 * acos(-1.0);
    if (fabs(angle) < out->phase) {
        out->phase = fabs(angle);
        out->phase_frequency = omega;
    }
    if (late / omega < out->delay) {
        out->delay = late / omega;
        out->delay_frequency = omega;
    }
}


rico_status rico_state_space_margins(const rico_state_space *loop, rico_margins *out)
{
    int64_t n = 2 * loop->states, count;
    *out = (rico_margins){.gain = INFINITY, .phase = INFINITY, .delay = INFINITY};
    if (loop->inputs != 1 || loop->outputs != 1)
        return rico_fail(loop->ctx, RICO_BAD_ARGUMENT, "margins of a loop with %lld inputs and %lld outputs",
                         (long long)loop->inputs, (long long)loop->outputs);
    rico_pad pad = rico_pad_open(loop->ctx);
    double *frequency = rico_pad_take(&pad, n, sizeof *frequency),
           *work = rico_pad_take(&pad, 2 * n, sizeof *work);
    double complex value;
    for (int gain = 0; gain < 2 && pad.status == RICO_OK; gain++) {
        pad.status = crossings(loop, gain, frequency, work, &count);
        for (int64_t i = 0; i < count && pad.status == RICO_OK; i++) {
            pad.status = rico_response_at(loop, frequency[i], &value);
            if (pad.status != RICO_OK) break;
            if (gain)
                count_phase(value, frequency[i], out);
            else
                count_gain(value, frequency[i], out);
        }
    }
    // at rest L is real too, unless it integrates
    if (pad.status == RICO_OK) {
        rico_status rest = rico_response_at(loop, 0.0, &value);
        if (rest == RICO_OK)
            count_gain(value, 0.0, out);
        else if (rest != RICO_SINGULAR)
            pad.status = rest;
    }
    const double one = 1.0;
    rico_mat real = rico_mat_zero(&pad, loop->states, 2);
    if (pad.status == RICO_OK)
        pad.status = rico_state_space_root_locus(loop, 1, &one, real.a, &real.a[loop->states]);
    out->stable = pad.status == RICO_OK;
    for (int64_t i = 0; i < loop->states && out->stable; i++) out->stable = real.a[i] < 0.0;
    return rico_pad_close(&pad);
}
