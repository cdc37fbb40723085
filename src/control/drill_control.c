// Controllers of drill-strings that are told the speed of the top drive and the torque below it: SoftTorque, and state feedback from an observer.

#include "control/drill.h"
#include "control/response.h"

#include <math.h>

rico_status rico_drill_soft_torque(rico_context *ctx, double c_t, double k_t, rico_state_space **out)
{
    const double a = 0.0, b[] = {1.0, 0.0}, d[] = {c_t, 0.0};
    return rico_state_space_create(ctx, 1, 2, 1, &a, b, &k_t, d, out);
}


// Row or column i of the matrices of a system, scaled.
static rico_mat output_row(rico_pad *pad, const rico_state_space *sys, int64_t i, double scale)
{
    rico_mat row = rico_mat_zero(pad, 1, sys->states);
    for (int64_t j = 0; pad->status == RICO_OK && j < sys->states; j++)
        row.a[j] = scale * sys->c[i + j * sys->outputs];
    return row;
}


static rico_mat input_column(rico_pad *pad, const rico_state_space *sys, int64_t i, double scale)
{
    rico_mat column = rico_mat_zero(pad, sys->states, 1);
    for (int64_t j = 0; pad->status == RICO_OK && j < sys->states; j++)
        column.a[j] = scale * sys->b[j + i * sys->states];
    return column;
}


static rico_mat times_transpose(rico_pad *pad, rico_mat a)
{
    return rico_mat_product(pad, a, rico_mat_transpose(pad, a));
}


// u = -F x^ with F = B'X/effort^2 and x^' = A x^ + B u + L (y - C x^), L = Y C'/noise^2; the controller is given e = -y.
static void observe(rico_pad *pad, const rico_state_space *lure, const rico_drill_observer *o,
                    rico_state_space **out)
{
    int64_t n = lure->states;
    rico_mat A = rico_mat_copy(pad, n, n, lure->a), B = input_column(pad, lure, 1, 1.0);
    rico_mat kept = rico_mat_transpose(pad, output_row(pad, lure, 0, o->bit)),
             pushed = input_column(pad, lure, 1, 1.0 / o->effort),
             shaken = input_column(pad, lure, 0, o->bit_noise),
             seen = rico_mat_transpose(pad, rico_mat_over(pad, output_row(pad, lure, 1, 1.0 / o->speed_noise),
                                                          output_row(pad, lure, 2, 1.0 / o->torque_noise)));
    bool feeds = false, sees = false;
    rico_mat X = rico_mat_riccati(pad, A, times_transpose(pad, pushed), times_transpose(pad, kept), &feeds);
    rico_mat Y = rico_mat_riccati(pad, rico_mat_transpose(pad, A), times_transpose(pad, seen),
                                  times_transpose(pad, shaken), &sees);
    if (pad->status != RICO_OK) return;
    if (!feeds || !sees) {
        pad->status = rico_fail(pad->ctx, RICO_SINGULAR, "the string cannot be %s from its top drive",
                                feeds ? "observed" : "stabilized");
        return;
    }
    rico_mat F = rico_mat_product(pad, rico_mat_transpose(pad, pushed), X);
    F = rico_mat_sum(pad, 1.0 / o->effort, F, 0.0, F);
    rico_mat C = rico_mat_over(pad, output_row(pad, lure, 1, 1.0), output_row(pad, lure, 2, 1.0));
    rico_mat L = rico_mat_product(pad, Y, seen);
    for (int64_t i = 0; pad->status == RICO_OK && i < n; i++) {
        *rico_mat_at(L, i, 0) /= o->speed_noise;
        *rico_mat_at(L, i, 1) /= o->torque_noise;
    }
    rico_mat fed = rico_mat_sum(pad, 1.0, A, -1.0, rico_mat_product(pad, B, F));
    rico_quad_make(pad,
                   (rico_quad){rico_mat_sum(pad, 1.0, fed, -1.0, rico_mat_product(pad, L, C)),
                               rico_mat_sum(pad, -1.0, L, 0.0, L), rico_mat_sum(pad, -1.0, F, 0.0, F),
                               rico_mat_zero(pad, 1, 2)},
                   out);
}


rico_status rico_drill_observer_create(rico_context *ctx, const rico_drill_string *string, double delta,
                                       const rico_drill_observer *observer, rico_state_space **out)
{
    const struct {
        const char *name;
        double value;
    } POSITIVE[] = {{"bit", observer->bit},
                    {"effort", observer->effort},
                    {"bit_noise", observer->bit_noise},
                    {"speed_noise", observer->speed_noise},
                    {"torque_noise", observer->torque_noise}};
    *out = NULL;
    for (size_t i = 0; i < sizeof POSITIVE / sizeof *POSITIVE; i++)
        if (!(POSITIVE[i].value > 0.0 && isfinite(POSITIVE[i].value)))
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "%s = %g of an observer is not above 0",
                             POSITIVE[i].name, POSITIVE[i].value);
    rico_state_space *lure = NULL;
    rico_status status = rico_drill_lure(ctx, string, delta, &lure);
    if (status != RICO_OK) return status;
    rico_pad pad = rico_pad_open(ctx);
    observe(&pad, lure, observer, out);
    status = rico_pad_close(&pad);
    rico_state_space_destroy(lure);
    return status;
}
