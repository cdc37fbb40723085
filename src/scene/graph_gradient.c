// Derivatives of terms, by one sweep backwards.

#include "scene/graph_private.h"

#include <stdlib.h>

static rico_term apply(rico_graph *graph, rico_operation code, rico_term a, rico_term b)
{
    return rico_graph_apply(graph, code, a, b);
}


// --- what a term reads -------------------------------------------------------------------------------------------

static bool reserve(rico_graph *graph, void **block, int64_t used, int64_t *room, size_t size)
{
    if (used < *room) return true;
    void *grown = rico_grow(graph->ctx, *block, used, 2 * *room + 64, size);
    if (!grown) {
        graph->status = RICO_NO_MEMORY;
        return false;
    }
    *block = grown;
    *room = 2 * *room + 64;
    return true;
}


static int ascending(const void *a, const void *b)
{
    rico_term x = *(const rico_term *)a, y = *(const rico_term *)b;
    return (x > y) - (x < y);
}


// Arguments of a term, the condition of a selection last; how many.
static int arguments(const rico_graph_node *node, rico_term out[3])
{
    if (node->code == RICO_DO_CONSTANT || node->code == RICO_DO_VARIABLE) return 0;
    out[0] = node->a;
    out[1] = node->b;
    out[2] = node->c;
    return node->code == RICO_DO_SELECT
               ? 3
               : 2; // where there is no second one it is the term 0, which reads nothing
}


// Terms from which a variable in low ... high may be reached, ascending: arguments come before what takes them.
static int64_t collect(rico_graph *graph, rico_term from, int64_t low, int64_t high)
{
    int64_t count = 0, top = 0;
    graph->sweep += 2; // seen = sweep: met; sweep + 1: leads to a variable
    if (!reserve(graph, (void **)&graph->stack, top, &graph->stack_room, sizeof *graph->stack)) return 0;
    graph->stack[top++] = from;
    graph->seen[from] = graph->sweep;
    while (top > 0) {
        rico_term now = graph->stack[--top], argument[3];
        if (!reserve(graph, (void **)&graph->reach, count, &graph->reach_room, sizeof *graph->reach))
            return 0;
        graph->reach[count++] = now;
        graph->adjoint[now] = RICO_TERM_ZERO;
        int size = arguments(&graph->term[now], argument);
        for (int k = 0; k < size; k++) {
            const rico_graph_node *next = &graph->term[argument[k]];
            if (graph->seen[argument[k]] == graph->sweep || next->low > high || next->high < low) continue;
            if (!reserve(graph, (void **)&graph->stack, top, &graph->stack_room, sizeof *graph->stack))
                return 0;
            graph->seen[argument[k]] = graph->sweep;
            graph->stack[top++] = argument[k];
        }
    }
    qsort(graph->reach, (size_t)count, sizeof *graph->reach, ascending);
    return count;
}


static bool leads(const rico_graph *graph, rico_term term)
{
    return graph->seen[term] == graph->sweep + 1;
}


static void mark_leading(rico_graph *graph, int64_t count, int64_t low, int64_t high)
{
    for (int64_t i = 0; i < count; i++) {
        rico_term now = graph->reach[i], argument[3];
        const rico_graph_node *node = &graph->term[now];
        bool does = node->code == RICO_DO_VARIABLE && node->a >= low && node->a <= high;
        int size = arguments(node, argument);
        for (int k = 0; k < size; k++) does = does || leads(graph, argument[k]);
        if (does) graph->seen[now] = graph->sweep + 1;
    }
}


// --- the chain rule ------------------------------------------------------------------------------------------------

static rico_term times(rico_graph *graph, rico_term adjoint, rico_term slope)
{
    bool tame = graph->term[adjoint].tame && graph->term[slope].tame;
    return apply(graph, tame ? RICO_DO_MULTIPLY : RICO_DO_GUARD, adjoint, slope);
}


static void give(rico_graph *graph, rico_term to, rico_term share)
{
    if (!leads(graph, to)) return;
    rico_term sum = apply(graph, RICO_DO_ADD, graph->adjoint[to], share); // may move the array
    graph->adjoint[to] = sum;
}


static void take(rico_graph *graph, rico_term from, rico_term share)
{
    if (!leads(graph, from)) return;
    rico_term rest = apply(graph, RICO_DO_SUBTRACT, graph->adjoint[from], share);
    graph->adjoint[from] = rest;
}


static rico_term square(rico_graph *graph, rico_term a)
{
    return apply(graph, RICO_DO_MULTIPLY, a, a);
}


static rico_term number(rico_graph *graph, double value)
{
    return rico_graph_constant(graph, value);
}


static rico_term inverse(rico_graph *graph, rico_term a)
{
    return apply(graph, RICO_DO_DIVIDE, RICO_TERM_ONE, a);
}


// The slope of a function of one argument a with value f.
static rico_term slope_of(rico_graph *graph, rico_operation code, rico_term a, rico_term f)
{
    static const double log_of_10 = 2.302585092994045684;
    switch (code) {
    case RICO_DO_SIN:
        return apply(graph, RICO_DO_COS, a, 0);
    case RICO_DO_COS:
        return apply(graph, RICO_DO_NEGATE, apply(graph, RICO_DO_SIN, a, 0), 0);
    case RICO_DO_TAN:
        return apply(graph, RICO_DO_ADD, RICO_TERM_ONE, square(graph, f));
    case RICO_DO_ASIN:
    case RICO_DO_ACOS: {
        rico_term rest = apply(graph, RICO_DO_MULTIPLY, apply(graph, RICO_DO_SUBTRACT, RICO_TERM_ONE, a),
                               apply(graph, RICO_DO_ADD, RICO_TERM_ONE, a));
        rico_term slope = inverse(graph, apply(graph, RICO_DO_SQRT, rest, 0));
        return code == RICO_DO_ASIN ? slope : apply(graph, RICO_DO_NEGATE, slope, 0);
    }
    case RICO_DO_ATAN:
        return inverse(graph, apply(graph, RICO_DO_ADD, RICO_TERM_ONE, square(graph, a)));
    case RICO_DO_SINH:
        return apply(graph, RICO_DO_COSH, a, 0);
    case RICO_DO_COSH:
        return apply(graph, RICO_DO_SINH, a, 0);
    case RICO_DO_TANH:
        return apply(graph, RICO_DO_SECH2, a, 0);
    case RICO_DO_SECH2:
        return apply(graph, RICO_DO_MULTIPLY, number(graph, -2.0),
                     apply(graph, RICO_DO_MULTIPLY, apply(graph, RICO_DO_TANH, a, 0), f));
    case RICO_DO_EXP:
        return f;
    case RICO_DO_LOG:
        return inverse(graph, a);
    case RICO_DO_LOG10:
        return apply(graph, RICO_DO_DIVIDE, number(graph, 1.0 / log_of_10), a);
    case RICO_DO_SQRT:
        return apply(graph, RICO_DO_DIVIDE, number(graph, 0.5), f);
    case RICO_DO_ABS:
        return apply(graph, RICO_DO_SIGN, a, 0);
    default:
        return RICO_TERM_ZERO; // jumps: sign, floor, ceil, not
    }
}


// 1, 1/2 or 0, as x is above, at or below y.
static rico_term step_from(rico_graph *graph, rico_term x, rico_term y)
{
    rico_term side = apply(graph, RICO_DO_SIGN, apply(graph, RICO_DO_SUBTRACT, x, y), 0);
    return apply(graph, RICO_DO_MULTIPLY, number(graph, 0.5), apply(graph, RICO_DO_ADD, RICO_TERM_ONE, side));
}


// Slopes of a function of two arguments with value f; false for jumps.
static bool slopes_of(rico_graph *graph, const rico_graph_node *node, rico_term f, rico_term *fa,
                      rico_term *fb)
{
    rico_term a = node->a, b = node->b;
    switch (node->code) {
    case RICO_DO_DIVIDE:
        *fa = inverse(graph, b);
        *fb = apply(graph, RICO_DO_NEGATE, apply(graph, RICO_DO_DIVIDE, f, b), 0);
        return true;
    case RICO_DO_RATIO:
        *fa = apply(graph, RICO_DO_RATIO, RICO_TERM_ONE, b);
        *fb = apply(graph, RICO_DO_NEGATE, apply(graph, RICO_DO_RATIO, f, b), 0);
        return true;
    case RICO_DO_POWER: {
        rico_term lower = apply(graph, RICO_DO_POWER, a, apply(graph, RICO_DO_SUBTRACT, b, RICO_TERM_ONE));
        *fa = times(graph, b, lower);
        *fb = leads(graph, b) ? apply(graph, RICO_DO_GUARD, f, apply(graph, RICO_DO_LOG, a, 0))
                              : RICO_TERM_ZERO;
        return true;
    }
    case RICO_DO_ATAN2: {
        rico_term length = apply(graph, RICO_DO_ADD, square(graph, a), square(graph, b));
        *fa = apply(graph, RICO_DO_DIVIDE, b, length);
        *fb = apply(graph, RICO_DO_NEGATE, apply(graph, RICO_DO_DIVIDE, a, length), 0);
        return true;
    }
    case RICO_DO_HYPOT:
        *fa = apply(graph, RICO_DO_RATIO, a, f);
        *fb = apply(graph, RICO_DO_RATIO, b, f);
        return true;
    case RICO_DO_MIN:
        *fa = step_from(graph, b, a);
        *fb = step_from(graph, a, b);
        return true;
    case RICO_DO_MAX:
        *fa = step_from(graph, a, b);
        *fb = step_from(graph, b, a);
        return true;
    case RICO_DO_MOD:
        *fa = RICO_TERM_ONE;
        *fb = apply(graph, RICO_DO_NEGATE, apply(graph, RICO_DO_FLOOR, apply(graph, RICO_DO_DIVIDE, a, b), 0),
                    0);
        return true;
    case RICO_DO_MULTIPLY:
    case RICO_DO_GUARD:
        *fa = b;
        *fb = a;
        return true;
    default:
        return false;
    }
}


// Hands a term's adjoint on to its arguments.
static void hand_on(rico_graph *graph, rico_term term)
{
    const rico_graph_node node = graph->term[term]; // a copy: new terms may move it
    rico_term adjoint = graph->adjoint[term], fa, fb;
    switch (node.code) {
    case RICO_DO_CONSTANT:
    case RICO_DO_VARIABLE:
        return;
    case RICO_DO_ADD:
        give(graph, node.a, adjoint);
        give(graph, node.b, adjoint);
        return;
    case RICO_DO_SUBTRACT:
        give(graph, node.a, adjoint);
        take(graph, node.b, adjoint);
        return;
    case RICO_DO_NEGATE:
        take(graph, node.a, adjoint);
        return;
    case RICO_DO_SELECT:
        give(graph, node.a, rico_graph_select(graph, node.c, adjoint, RICO_TERM_ZERO));
        give(graph, node.b, rico_graph_select(graph, node.c, RICO_TERM_ZERO, adjoint));
        return;
    default:
        break;
    }
    if (slopes_of(graph, &node, term, &fa, &fb)) {
        if (leads(graph, node.a)) give(graph, node.a, times(graph, adjoint, fa));
        if (leads(graph, node.b)) give(graph, node.b, times(graph, adjoint, fb));
    } else if (leads(graph, node.a)) {
        rico_term slope = slope_of(graph, node.code, node.a, term);
        if (slope != RICO_TERM_ZERO) give(graph, node.a, times(graph, adjoint, slope));
    }
}


void rico_graph_gradient(rico_graph *graph, rico_term term, int64_t low, int64_t high, int64_t *count,
                         const int64_t **slot, const rico_term **derivative)
{
    *count = 0;
    if (graph->status != RICO_OK) return;
    int64_t reached = collect(graph, term, low, high);
    mark_leading(graph, reached, low, high);
    graph->adjoint[term] = RICO_TERM_ONE;
    for (int64_t i = reached - 1; i >= 0; i--) {
        rico_term now = graph->reach[i];
        if (leads(graph, now) && graph->adjoint[now] != RICO_TERM_ZERO) hand_on(graph, now);
    }
    for (int64_t i = 0; graph->status == RICO_OK && i < reached; i++) {
        rico_term now = graph->reach[i];
        const rico_graph_node *node = &graph->term[now];
        if (node->code != RICO_DO_VARIABLE || !leads(graph, now) || graph->adjoint[now] == RICO_TERM_ZERO)
            continue;
        int64_t room = graph->slot_room;
        if (!reserve(graph, (void **)&graph->slot, *count, &room, sizeof *graph->slot) ||
            !reserve(graph, (void **)&graph->derivative, *count, &graph->slot_room,
                     sizeof *graph->derivative))
            break;
        // by ascending slot: variables come in the order in which formulas first named them
        int64_t at = *count;
        while (at > 0 && graph->slot[at - 1] > node->a) {
            graph->slot[at] = graph->slot[at - 1];
            graph->derivative[at] = graph->derivative[at - 1];
            at--;
        }
        graph->slot[at] = node->a;
        graph->derivative[at] = graph->adjoint[now];
        ++*count;
    }
    *slot = graph->slot;
    *derivative = graph->derivative;
}
