// The robust controller of a drill-string: plant (31), weights of table 3, filters taken into the plant (43-44).

#include "ricochet/drill_robust.h"

#include "control/matrix.h"
#include "la/dense.h"

#include <math.h>

static const double PI = 3.14159265358979323846;
static const double CROSS_OVER = 0.6; // Hz

enum { V, N, D = 3, U, INPUTS };                        // n has two
enum { Q, E, U_OUT = 3, Y, MEASURED = 2, OUTPUTS = 6 }; // e and y have two


rico_drill_weights rico_drill_low_gain(void)
{
    return (rico_drill_weights){.wsc1 = 1.0,
                                .wsc2 = 10.0,
                                .v1 = 0.1,
                                .f1 = 0.517,
                                .f2 = 0.517,
                                .b1 = 0.125,
                                .b2 = 0.91,
                                .w1 = 1.2,
                                .v21 = 4.0,
                                .v22 = 0.125,
                                .v3 = 1.286,
                                .P_I = 0.1,
                                .f_I = 0.134,
                                .w22 = 0.5,
                                .w3 = 0.243,
                                .f_R = 0.469,
                                .beta = 0.1};
}


rico_drill_weights rico_drill_high_gain(void)
{
    return (rico_drill_weights){.wsc1 = 1.0,
                                .wsc2 = 10.0,
                                .v1 = 0.7,
                                .f1 = 0.518,
                                .f2 = 0.518,
                                .b1 = 0.033,
                                .b2 = 0.8,
                                .w1 = 1.0,
                                .v21 = 5.0,
                                .v22 = 0.167,
                                .v3 = 1.135,
                                .P_I = 0.01,
                                .f_I = 1.0,
                                .w22 = 0.01,
                                .w3 = 0.0044,
                                .f_R = 1.0,
                                .beta = 0.1};
}


static rico_status check_plant(rico_context *ctx, const rico_drill_plant *plant)
{
    int64_t n = plant->states;
    if (n < 1 || !plant->A || !plant->G || !plant->B || !plant->H || !plant->C)
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "a drill-string with %lld states or without one of the matrices A, G, B, H, C",
                         (long long)n);
    if (!isfinite(plant->delta))
        return rico_fail(ctx, RICO_BAD_INPUT, "a drill-string with the slope delta = %g", plant->delta);
    return RICO_OK;
}


static rico_status check_weights(rico_context *ctx, const rico_drill_weights *w)
{
    const struct {
        const char *name;
        double value;
    } positive[] = {{"wsc1", w->wsc1}, {"wsc2", w->wsc2}, {"v1", w->v1},   {"f1", w->f1},   {"f2", w->f2},
                    {"b1", w->b1},     {"b2", w->b2},     {"w1", w->w1},   {"v21", w->v21}, {"v22", w->v22},
                    {"v3", w->v3},     {"P_I", w->P_I},   {"f_I", w->f_I}, {"w22", w->w22}, {"w3", w->w3},
                    {"f_R", w->f_R},   {"beta", w->beta}};
    for (size_t i = 0; i < sizeof positive / sizeof *positive; i++)
        if (!(positive[i].value > 0.0 && isfinite(positive[i].value)))
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "the weight %s = %g of a drill-string is not positive",
                             positive[i].name, positive[i].value);
    return RICO_OK;
}


rico_status rico_drill_open_plant(rico_context *ctx, const rico_drill_plant *plant, rico_state_space **out)
{
    int64_t n = plant->states;
    *out = NULL;
    rico_status status = check_plant(ctx, plant);
    if (status != RICO_OK) return status;
    rico_pad pad = rico_pad_open(ctx);
    rico_mat g = rico_mat_copy(&pad, n, 1, plant->G), b = rico_mat_copy(&pad, n, 1, plant->B),
             h = rico_mat_copy(&pad, 1, n, plant->H), y = rico_mat_copy(&pad, MEASURED, n, plant->C);
    rico_mat error = rico_mat_sum(&pad, -1.0, y, 0.0, y);
    rico_quad q = {.a = rico_mat_sum(&pad, 1.0, rico_mat_copy(&pad, n, n, plant->A), plant->delta,
                                     rico_mat_product(&pad, g, h)),
                   .b = rico_mat_zero(&pad, n, INPUTS),
                   .c = rico_mat_zero(&pad, OUTPUTS, n),
                   .d = rico_mat_zero(&pad, OUTPUTS, INPUTS)};
    rico_mat_put(&pad, q.b, 0, V, g);
    rico_mat_put(&pad, q.b, 0, D, b);
    rico_mat_put(&pad, q.b, 0, U, b);
    rico_mat_put(&pad, q.c, Q, 0, h);
    rico_mat_put(&pad, q.c, E, 0, error);
    rico_mat_put(&pad, q.c, Y, 0, error);
    for (int64_t i = 0; i < MEASURED && pad.status == RICO_OK; i++)
        *rico_mat_at(q.d, E + i, N + i) = *rico_mat_at(q.d, Y + i, N + i) = -1.0;
    if (pad.status == RICO_OK) *rico_mat_at(q.d, U_OUT, U) = 1.0;
    rico_quad_make(&pad, q, out);
    return rico_pad_close(&pad);
}


rico_status rico_drill_cross_over(rico_context *ctx, const rico_drill_plant *plant, double *gain)
{
    const int64_t in = U, top = Y;
    rico_state_space *open = NULL, *g = NULL;
    double response[2] = {0.0, 0.0};
    rico_status status = rico_drill_open_plant(ctx, plant, &open);
    if (status == RICO_OK) status = rico_state_space_select(open, 1, &in, 1, &top, &g);
    if (status == RICO_OK) status = rico_state_space_response(g, 2.0 * PI * CROSS_OVER, response);
    if (status == RICO_OK) *gain = hypot(response[0], response[1]);
    rico_state_space_destroy(open);
    rico_state_space_destroy(g);
    return status;
}


// Filters with one input and one output, side by side; each is a section b2 b1 b0 a2 a1 a0.
static rico_status side_by_side(rico_context *ctx, int64_t count, double (*sections)[6],
                                rico_state_space **out)
{
    rico_state_space *all = NULL, *one = NULL, *more = NULL;
    rico_status status = rico_state_space_sections(ctx, 1, sections[0], &all);
    for (int64_t i = 1; i < count && status == RICO_OK; i++) {
        status = rico_state_space_sections(ctx, 1, sections[i], &one);
        if (status == RICO_OK) status = rico_state_space_append(all, one, &more);
        rico_state_space_destroy(one);
        if (status != RICO_OK) break;
        rico_state_space_destroy(all);
        all = more;
    }
    if (status == RICO_OK)
        *out = all;
    else
        rico_state_space_destroy(all);
    return status;
}


// `second` after *sys, in its place.
static rico_status follow(rico_state_space **sys, rico_state_space *second)
{
    rico_state_space *both = NULL;
    rico_status status = rico_state_space_series(*sys, second, &both);
    if (status != RICO_OK) return status;
    rico_state_space_destroy(*sys);
    *sys = both;
    return status;
}


static void set_roll_off(const rico_drill_weights *w, double section[6])
{
    double r = 2.0 * PI * w->f_R;
    const double values[6] = {0.0, 0.0, r * r, 1.0, 2.0 * w->beta * r, r * r};
    for (int i = 0; i < 6; i++) section[i] = values[i];
}


static void set_integral(const rico_drill_weights *w, double section[6])
{
    const double values[6] = {0.0, w->P_I, w->P_I * 2.0 * PI * w->f_I, 0.0, 1.0, 0.0};
    for (int i = 0; i < 6; i++) section[i] = values[i];
}


// From (v, n, d, u') through V1, V2, V3 and W_R, the plant, and W1 and W_I, to (w1 q, e').
static rico_status inner_plant(rico_context *ctx, const rico_drill_plant *plant, const rico_drill_weights *w,
                               double cross, rico_state_space **out)
{
    const int64_t inputs[] = {V, N, N + 1, D, U}, outputs[] = {Q, Y, Y + 1};
    double o1 = 2.0 * PI * w->f1, o2 = 2.0 * PI * w->f2;
    double into[INPUTS][6] = {
        {w->v1 / (o1 * o1), 2.0 * w->v1 * w->b1 / o1, w->v1, 1.0 / (o2 * o2), 2.0 * w->b2 / o2, 1.0},
        {0.0, 0.0, w->v21, 0.0, 0.0, 1.0},
        {0.0, 0.0, w->v22, 0.0, 0.0, 1.0},
        {0.0, 0.0, w->v3 / (cross * w->wsc1), 0.0, 0.0, 1.0}};
    double from[1 + MEASURED][6] = {{0.0, 0.0, w->w1, 0.0, 0.0, 1.0}, {0.0}, {0.0, 0.0, 1.0, 0.0, 0.0, 1.0}};
    set_roll_off(w, into[U]);
    set_integral(w, from[1]);
    rico_state_space *open = NULL, *seen = NULL, *before = NULL, *after = NULL;
    rico_status status = rico_drill_open_plant(ctx, plant, &open);
    if (status == RICO_OK)
        status = rico_state_space_select(open, INPUTS, inputs, 1 + MEASURED, outputs, &seen);
    if (status == RICO_OK) status = side_by_side(ctx, INPUTS, into, &before);
    if (status == RICO_OK) status = side_by_side(ctx, 1 + MEASURED, from, &after);
    if (status == RICO_OK) status = follow(&before, seen);
    if (status == RICO_OK) status = follow(&before, after);
    rico_state_space_destroy(open);
    rico_state_space_destroy(seen);
    rico_state_space_destroy(after);
    if (status == RICO_OK)
        *out = before;
    else
        rico_state_space_destroy(before);
    return status;
}


rico_status rico_drill_weighted_plant(rico_context *ctx, const rico_drill_plant *plant,
                                      const rico_drill_weights *weights, rico_state_space **out)
{
    double cross = 0.0;
    rico_state_space *inner = NULL;
    *out = NULL;
    rico_status status = check_plant(ctx, plant);
    if (status == RICO_OK) status = check_weights(ctx, weights);
    if (status == RICO_OK) status = rico_drill_cross_over(ctx, plant, &cross);
    if (status == RICO_OK) status = inner_plant(ctx, plant, weights, cross, &inner);
    if (status != RICO_OK) return status;
    // what is judged is weighted, what is measured is not; u' is judged as it leaves the controller
    rico_pad pad = rico_pad_open(ctx);
    rico_mat to = rico_mat_zero(&pad, OUTPUTS, 1 + MEASURED);
    rico_quad q = rico_quad_of(&pad, inner);
    rico_quad weighted = {q.a, q.b, .c = {0}, .d = {0}};
    if (pad.status == RICO_OK) {
        *rico_mat_at(to, Q, 0) = *rico_mat_at(to, Y, 1) = *rico_mat_at(to, Y + 1, 2) = 1.0;
        *rico_mat_at(to, E, 1) = weights->wsc1;
        *rico_mat_at(to, E + 1, 2) = weights->w22 * weights->wsc2;
    }
    weighted.c = rico_mat_product(&pad, to, q.c);
    weighted.d = rico_mat_product(&pad, to, q.d);
    if (pad.status == RICO_OK) *rico_mat_at(weighted.d, U_OUT, U) = weights->w3 * weights->wsc1 * cross;
    rico_quad_make(&pad, weighted, out);
    rico_state_space_destroy(inner);
    return rico_pad_close(&pad);
}


// The second measurement in the place of what the sensor tells gives its row; states are the same in both.
rico_status rico_drill_sensed_plant(rico_context *ctx, const rico_drill_plant *plant,
                                    const rico_drill_weights *weights, const double *row,
                                    rico_state_space **out)
{
    enum { SENSED = OUTPUTS, NOISE = N + MEASURED };
    rico_state_space *two = NULL, *other = NULL;
    *out = NULL;
    rico_status status = rico_drill_weighted_plant(ctx, plant, weights, &two);
    rico_pad pad = rico_pad_open(ctx);
    rico_mat c = rico_mat_zero(&pad, MEASURED, plant->states);
    for (int64_t i = 0; status == RICO_OK && pad.status == RICO_OK && i < plant->states; i++) {
        *rico_mat_at(c, 0, i) = plant->C[MEASURED * i];
        *rico_mat_at(c, 1, i) = row[i];
    }
    rico_drill_plant there = *plant;
    there.C = c.a;
    if (status == RICO_OK && pad.status == RICO_OK)
        status = rico_drill_weighted_plant(ctx, &there, weights, &other);
    if (status == RICO_OK && pad.status == RICO_OK) {
        int64_t n = two->states, last = OUTPUTS - 1, after = INPUTS - NOISE;
        rico_quad p = rico_quad_of(&pad, two), s = rico_quad_of(&pad, other);
        rico_quad q = {.a = p.a,
                       .b = rico_mat_zero(&pad, n, INPUTS + 1),
                       .c = rico_mat_over(&pad, p.c, rico_mat_part(&pad, s.c, last, 1, 0, n)),
                       .d = rico_mat_zero(&pad, OUTPUTS + 1, INPUTS + 1)};
        rico_mat_put(&pad, q.b, 0, 0, rico_mat_part(&pad, p.b, 0, n, 0, NOISE));
        rico_mat_put(&pad, q.b, 0, NOISE + 1, rico_mat_part(&pad, p.b, 0, n, NOISE, after));
        rico_mat_put(&pad, q.d, 0, 0, rico_mat_part(&pad, p.d, 0, OUTPUTS, 0, NOISE));
        rico_mat_put(&pad, q.d, 0, NOISE + 1, rico_mat_part(&pad, p.d, 0, OUTPUTS, NOISE, after));
        rico_mat_put(&pad, q.d, SENSED, NOISE, rico_mat_part(&pad, s.d, last, 1, N + 1, 1));
        rico_quad_make(&pad, q, out);
    }
    rico_state_space_destroy(two);
    rico_state_space_destroy(other);
    rico_status closed = rico_pad_close(&pad);
    return status == RICO_OK ? closed : status;
}


rico_status rico_drill_controller(const rico_state_space *k, const rico_drill_weights *weights,
                                  rico_state_space **out)
{
    double before[MEASURED][6] = {{0.0}, {0.0, 0.0, 1.0, 0.0, 0.0, 1.0}}, after[1][6];
    rico_state_space *all = NULL, *roll_off = NULL;
    *out = NULL;
    if (k->inputs != MEASURED || k->outputs != 1)
        return rico_fail(k->ctx, RICO_BAD_ARGUMENT,
                         "a controller of a drill-string has 2 inputs and 1 output, not %lld and %lld",
                         (long long)k->inputs, (long long)k->outputs);
    rico_status status = check_weights(k->ctx, weights);
    if (status != RICO_OK) return status;
    set_integral(weights, before[0]);
    set_roll_off(weights, after[0]);
    status = side_by_side(k->ctx, MEASURED, before, &all);
    if (status == RICO_OK) status = side_by_side(k->ctx, 1, after, &roll_off);
    rico_state_space *with_k = NULL;
    if (status == RICO_OK) status = rico_state_space_series(all, k, &with_k);
    if (status == RICO_OK) status = rico_state_space_series(with_k, roll_off, out);
    rico_state_space_destroy(all);
    rico_state_space_destroy(roll_off);
    rico_state_space_destroy(with_k);
    return status;
}


rico_status rico_drill_closed(rico_context *ctx, const rico_drill_plant *plant, const rico_state_space *k_i,
                              rico_state_space **out)
{
    const int64_t inputs[] = {V, U}, outputs[] = {Q, Y, Y + 1};
    rico_state_space *open = NULL, *loop = NULL;
    *out = NULL;
    if (k_i->inputs != MEASURED || k_i->outputs != 1)
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "a controller of a drill-string has 2 inputs and 1 output, not %lld and %lld",
                         (long long)k_i->inputs, (long long)k_i->outputs);
    rico_status status = rico_drill_open_plant(ctx, plant, &open);
    if (status == RICO_OK) status = rico_state_space_select(open, 2, inputs, 1 + MEASURED, outputs, &loop);
    if (status == RICO_OK) status = rico_state_space_lft(loop, k_i, out);
    rico_state_space_destroy(open);
    rico_state_space_destroy(loop);
    return status;
}
