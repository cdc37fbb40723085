// Systems put together: all are one system with its outputs fed back, u = M y + E r, z = G y.

#include "ricochet/control.h"

#include "control/matrix.h"
#include "la/dense.h"

rico_status rico_state_space_append(const rico_state_space *one, const rico_state_space *other,
                                    rico_state_space **out)
{
    rico_pad pad = rico_pad_open(one->ctx);
    rico_quad p = rico_quad_of(&pad, one), q = rico_quad_of(&pad, other);
    const rico_mat *first[] = {&p.a, &p.b, &p.c, &p.d}, *second[] = {&q.a, &q.b, &q.c, &q.d};
    rico_mat both[4];
    for (int i = 0; i < 4; i++) {
        both[i] = rico_mat_zero(&pad, first[i]->rows + second[i]->rows, first[i]->cols + second[i]->cols);
        rico_mat_put(&pad, both[i], 0, 0, *first[i]);
        rico_mat_put(&pad, both[i], first[i]->rows, first[i]->cols, *second[i]);
    }
    rico_quad_make(&pad, (rico_quad){both[0], both[1], both[2], both[3]}, out);
    return rico_pad_close(&pad);
}


// u = (I - M D)^-1 (M C x + E r) into x' = A x + B u, z = G (C x + D u).
static void connect(rico_pad *pad, const rico_state_space *sys, rico_mat m, rico_mat e, rico_mat g,
                    rico_state_space **out)
{
    rico_quad q = rico_quad_of(pad, sys);
    *out = NULL;
    rico_mat loop =
        rico_mat_sum(pad, 1.0, rico_mat_eye(pad, sys->inputs), -1.0, rico_mat_product(pad, m, q.d));
    if (pad->status != RICO_OK) return;
    rico_mat from_state = rico_mat_divide(pad, loop, rico_mat_product(pad, m, q.c));
    rico_mat from_reference = rico_mat_divide(pad, loop, e);
    if (pad->status == RICO_SINGULAR)
        pad->status = rico_fail(pad->ctx, RICO_SINGULAR,
                                "the loop is not well posed: its direct gains D make I - M D singular");
    rico_quad closed = {
        rico_mat_sum(pad, 1.0, q.a, 1.0, rico_mat_product(pad, q.b, from_state)),
        rico_mat_product(pad, q.b, from_reference),
        rico_mat_product(pad, g, rico_mat_sum(pad, 1.0, q.c, 1.0, rico_mat_product(pad, q.d, from_state))),
        rico_mat_product3(pad, g, q.d, from_reference)};
    rico_quad_make(pad, closed, out);
}


rico_status rico_state_space_connect(const rico_state_space *sys, const double *m, int64_t references,
                                     const double *e, int64_t results, const double *g,
                                     rico_state_space **out)
{
    *out = NULL;
    if (references < 1 || results < 1)
        return rico_fail(sys->ctx, RICO_BAD_ARGUMENT, "a connection with %lld references and %lld results",
                         (long long)references, (long long)results);
    if (!rico_all_finite(sys->inputs * sys->outputs, m) || !rico_all_finite(sys->inputs * references, e) ||
        !rico_all_finite(results * sys->outputs, g))
        return rico_fail(sys->ctx, RICO_BAD_INPUT, "an entry of a connection's M, E or G is not finite");
    rico_pad pad = rico_pad_open(sys->ctx);
    connect(&pad, sys, rico_mat_copy(&pad, sys->inputs, sys->outputs, m),
            rico_mat_copy(&pad, sys->inputs, references, e), rico_mat_copy(&pad, results, sys->outputs, g),
            out);
    return rico_pad_close(&pad);
}


// Ones at (row + i, col + i): lines that run side by side.
static void wires(rico_pad *pad, rico_mat into, int64_t row, int64_t col, int64_t count, double gain)
{
    if (pad->status != RICO_OK) return;
    for (int64_t i = 0; i < count; i++) *rico_mat_at(into, row + i, col + i) = gain;
}


rico_status rico_state_space_star(const rico_state_space *upper, const rico_state_space *lower, int64_t down,
                                  int64_t up, rico_state_space **out)
{
    rico_context *ctx = upper->ctx;
    int64_t in_up = upper->inputs - up, out_up = upper->outputs - down;
    int64_t in_low = lower->inputs - down, out_low = lower->outputs - up;
    *out = NULL;
    if (down < 0 || up < 0 || in_up < 0 || out_up < 0 || in_low < 0 || out_low < 0 || in_up + in_low < 1 ||
        out_up + out_low < 1)
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "no star product over %lld lines down and %lld up between a system of %lld x %lld "
                         "and one of %lld "
                         "x %lld (outputs x inputs)",
                         (long long)down, (long long)up, (long long)upper->outputs, (long long)upper->inputs,
                         (long long)lower->outputs, (long long)lower->inputs);
    rico_state_space *both;
    rico_status status = rico_state_space_append(upper, lower, &both);
    if (status != RICO_OK) return status;
    rico_pad pad = rico_pad_open(ctx);
    rico_mat m = rico_mat_zero(&pad, both->inputs, both->outputs);
    rico_mat e = rico_mat_zero(&pad, both->inputs, in_up + in_low);
    rico_mat g = rico_mat_zero(&pad, out_up + out_low, both->outputs);
    wires(&pad, m, in_up, upper->outputs, up, 1.0);
    wires(&pad, m, upper->inputs, out_up, down, 1.0);
    wires(&pad, e, 0, 0, in_up, 1.0);
    wires(&pad, e, upper->inputs + down, in_up, in_low, 1.0);
    wires(&pad, g, 0, 0, out_up, 1.0);
    wires(&pad, g, out_up, upper->outputs + up, out_low, 1.0);
    connect(&pad, both, m, e, g, out);
    rico_state_space_destroy(both);
    return rico_pad_close(&pad);
}


rico_status rico_state_space_lft(const rico_state_space *plant, const rico_state_space *controller,
                                 rico_state_space **out)
{
    return rico_state_space_star(plant, controller, controller->inputs, controller->outputs, out);
}


rico_status rico_state_space_feedback(const rico_state_space *forward, const rico_state_space *back,
                                      rico_state_space **out)
{
    *out = NULL;
    if (back->inputs != forward->outputs || back->outputs != forward->inputs)
        return rico_fail(
            forward->ctx, RICO_BAD_ARGUMENT,
            "feedback of %lld outputs to %lld inputs through a system with %lld inputs and %lld outputs",
            (long long)forward->outputs, (long long)forward->inputs, (long long)back->inputs,
            (long long)back->outputs);
    rico_state_space *both;
    rico_status status = rico_state_space_append(forward, back, &both);
    if (status != RICO_OK) return status;
    rico_pad pad = rico_pad_open(forward->ctx);
    int64_t in = forward->inputs, results = forward->outputs;
    rico_mat m = rico_mat_zero(&pad, in + results, results + in), e = rico_mat_zero(&pad, in + results, in);
    rico_mat g = rico_mat_zero(&pad, results, results + in);
    wires(&pad, m, 0, results, in, -1.0);
    wires(&pad, m, in, 0, results, 1.0);
    wires(&pad, e, 0, 0, in, 1.0);
    wires(&pad, g, 0, 0, results, 1.0);
    connect(&pad, both, m, e, g, out);
    rico_state_space_destroy(both);
    return rico_pad_close(&pad);
}


rico_status rico_state_space_series(const rico_state_space *first, const rico_state_space *second,
                                    rico_state_space **out)
{
    *out = NULL;
    if (first->outputs != second->inputs)
        return rico_fail(first->ctx, RICO_BAD_ARGUMENT, "%lld outputs cannot drive %lld inputs",
                         (long long)first->outputs, (long long)second->inputs);
    rico_pad pad = rico_pad_open(first->ctx);
    rico_quad p = rico_quad_of(&pad, first), q = rico_quad_of(&pad, second);
    int64_t n = first->states, more = second->states;
    rico_mat a = rico_mat_zero(&pad, n + more, n + more);
    rico_mat_put(&pad, a, 0, 0, p.a);
    rico_mat_put(&pad, a, n, 0, rico_mat_product(&pad, q.b, p.c));
    rico_mat_put(&pad, a, n, n, q.a);
    rico_quad both = {a, rico_mat_over(&pad, p.b, rico_mat_product(&pad, q.b, p.d)),
                      rico_mat_beside(&pad, rico_mat_product(&pad, q.d, p.c), q.c),
                      rico_mat_product(&pad, q.d, p.d)};
    rico_quad_make(&pad, both, out);
    return rico_pad_close(&pad);
}


rico_status rico_state_space_parallel(const rico_state_space *one, const rico_state_space *other,
                                      rico_state_space **out)
{
    *out = NULL;
    if (one->inputs != other->inputs || one->outputs != other->outputs)
        return rico_fail(one->ctx, RICO_BAD_ARGUMENT,
                         "systems of %lld x %lld and %lld x %lld (outputs x inputs) cannot be added",
                         (long long)one->outputs, (long long)one->inputs, (long long)other->outputs,
                         (long long)other->inputs);
    rico_pad pad = rico_pad_open(one->ctx);
    rico_quad p = rico_quad_of(&pad, one), q = rico_quad_of(&pad, other);
    int64_t n = one->states, more = other->states;
    rico_mat a = rico_mat_zero(&pad, n + more, n + more);
    rico_mat_put(&pad, a, 0, 0, p.a);
    rico_mat_put(&pad, a, n, n, q.a);
    rico_quad both = {a, rico_mat_over(&pad, p.b, q.b), rico_mat_beside(&pad, p.c, q.c),
                      rico_mat_sum(&pad, 1.0, p.d, 1.0, q.d)};
    rico_quad_make(&pad, both, out);
    return rico_pad_close(&pad);
}


rico_status rico_state_space_select(const rico_state_space *sys, int64_t inputs, const int64_t *input,
                                    int64_t outputs, const int64_t *output, rico_state_space **out)
{
    *out = NULL;
    for (int64_t j = 0; j < inputs; j++)
        if (input[j] < 0 || input[j] >= sys->inputs)
            return rico_fail(sys->ctx, RICO_BAD_ARGUMENT, "there is no input %lld among %lld",
                             (long long)input[j], (long long)sys->inputs);
    for (int64_t i = 0; i < outputs; i++)
        if (output[i] < 0 || output[i] >= sys->outputs)
            return rico_fail(sys->ctx, RICO_BAD_ARGUMENT, "there is no output %lld among %lld",
                             (long long)output[i], (long long)sys->outputs);
    rico_pad pad = rico_pad_open(sys->ctx);
    rico_quad q = rico_quad_of(&pad, sys);
    rico_mat from = rico_mat_zero(&pad, sys->inputs, inputs), to = rico_mat_zero(&pad, outputs, sys->outputs);
    if (pad.status == RICO_OK) {
        for (int64_t j = 0; j < inputs; j++) *rico_mat_at(from, input[j], j) = 1.0;
        for (int64_t i = 0; i < outputs; i++) *rico_mat_at(to, i, output[i]) = 1.0;
    }
    rico_quad chosen = {q.a, rico_mat_product(&pad, q.b, from), rico_mat_product(&pad, to, q.c),
                        rico_mat_product3(&pad, to, q.d, from)};
    rico_quad_make(&pad, chosen, out);
    return rico_pad_close(&pad);
}
