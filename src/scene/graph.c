// The terms of a graph: made, found again, simplified.

#include "scene/graph_private.h"

#include <math.h>
#include <string.h>

enum { MOST_TERMS = 1 << 24, FIRST_ROOM = 64 };

rico_status rico_graph_create(rico_context *ctx, int64_t variables, rico_graph **out)
{
    rico_graph *graph = rico_alloc(ctx, 1, sizeof *graph);
    if (!graph) return RICO_NO_MEMORY;
    graph->ctx = ctx;
    graph->variables = variables;
    rico_graph_constant(graph, 0.0);
    rico_graph_constant(graph, 1.0);
    if (graph->status != RICO_OK) {
        rico_status status = graph->status;
        rico_graph_destroy(graph);
        return status;
    }
    *out = graph;
    return RICO_OK;
}


void rico_graph_destroy(rico_graph *graph)
{
    if (!graph) return;
    void *all[] = {graph->term,  graph->table, graph->adjoint, graph->seen,
                   graph->reach, graph->stack, graph->slot,    graph->derivative};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(graph->ctx, all[i]);
    rico_free(graph->ctx, graph);
}


int64_t rico_graph_variables(const rico_graph *graph)
{
    return graph->variables;
}


rico_status rico_graph_status(const rico_graph *graph)
{
    return graph->status;
}


int64_t rico_graph_count(const rico_graph *graph)
{
    return graph->count;
}


rico_term_info rico_graph_term(const rico_graph *graph, rico_term term)
{
    const rico_graph_node *node = &graph->term[term];
    return (rico_term_info){node->code, node->a, node->b, node->c, node->value};
}


bool rico_graph_is_constant(const rico_graph *graph, rico_term term)
{
    return graph->term[term].code == RICO_DO_CONSTANT;
}


// --- finding and keeping ---------------------------------------------------------------------------------------

static uint64_t hash_of(const rico_graph_node *node)
{
    uint64_t bits, hash = (uint64_t)node->code;
    memcpy(&bits, &node->value, sizeof bits);
    const uint64_t words[] = {(uint32_t)node->a, (uint32_t)node->b, (uint32_t)node->c, bits};
    for (int i = 0; i < 4; i++) {
        hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return hash;
}


static bool same(const rico_graph_node *x, const rico_graph_node *y)
{
    return x->code == y->code && x->a == y->a && x->b == y->b && x->c == y->c &&
           memcmp(&x->value, &y->value, sizeof x->value) == 0; // tells -0 from 0, and finds NaN again
}


static bool grow(rico_graph *graph)
{
    int64_t room = graph->room ? 2 * graph->room : FIRST_ROOM;
    if (room > MOST_TERMS) {
        graph->status = rico_fail(
            graph->ctx, RICO_BAD_INPUT,
            "the formulas and their derivatives have more than %d terms; split the part", MOST_TERMS / 2);
        return false;
    }
    rico_graph_node *term = rico_grow(graph->ctx, graph->term, graph->count, room, sizeof *term);
    if (term) graph->term = term;
    rico_term *adjoint = rico_grow(graph->ctx, graph->adjoint, graph->count, room, sizeof *adjoint);
    if (adjoint) graph->adjoint = adjoint;
    int32_t *seen = rico_grow(graph->ctx, graph->seen, graph->count, room, sizeof *seen);
    if (seen) graph->seen = seen;
    rico_term *table = rico_alloc(graph->ctx, 2 * room, sizeof *table);
    if (!term || !adjoint || !seen || !table) {
        rico_free(graph->ctx, table);
        graph->status = RICO_NO_MEMORY;
        return false;
    }
    rico_free(graph->ctx, graph->table);
    graph->table = table;
    graph->room = room;
    uint64_t mask = (uint64_t)(2 * room - 1);
    for (int64_t i = 0; i < graph->count; i++) {
        uint64_t at = hash_of(&graph->term[i]) & mask;
        while (table[at] != 0) at = (at + 1) & mask;
        table[at] = (rico_term)i + 1;
    }
    return true;
}


// The term that is written so, old or new.
static rico_term keep(rico_graph *graph, rico_graph_node node)
{
    if (graph->status != RICO_OK) return RICO_TERM_ZERO;
    if (graph->count == graph->room && !grow(graph)) return RICO_TERM_ZERO;
    uint64_t mask = (uint64_t)(2 * graph->room - 1), at = hash_of(&node) & mask;
    while (graph->table[at] != 0) {
        if (same(&graph->term[graph->table[at] - 1], &node)) return graph->table[at] - 1;
        at = (at + 1) & mask;
    }
    graph->term[graph->count] = node;
    graph->table[at] = (rico_term)++graph->count;
    return (rico_term)graph->count - 1;
}


// --- making ------------------------------------------------------------------------------------------------------

rico_term rico_graph_constant(rico_graph *graph, double value)
{
    return keep(graph, (rico_graph_node){.code = RICO_DO_CONSTANT,
                                         .value = value,
                                         .low = INT32_MAX,
                                         .high = -1,
                                         .tame = isfinite(value) != 0});
}


rico_term rico_graph_variable(rico_graph *graph, int64_t slot)
{
    return keep(graph, (rico_graph_node){.code = RICO_DO_VARIABLE,
                                         .a = (rico_term)slot,
                                         .low = (int32_t)slot,
                                         .high = (int32_t)slot,
                                         .tame = true});
}


// Finite for finite arguments? Then a product with it needs no guard.
static bool is_tame(rico_operation code, const rico_graph_node *a, const rico_graph_node *b)
{
    if (!a->tame || (b && !b->tame)) return false;
    switch (code) {
    case RICO_DO_DIVIDE:
        return b && b->code == RICO_DO_CONSTANT && b->value != 0.0;
    case RICO_DO_POWER:
    case RICO_DO_ASIN:
    case RICO_DO_ACOS:
    case RICO_DO_LOG:
    case RICO_DO_LOG10:
    case RICO_DO_SQRT:
    case RICO_DO_MOD:
        return false;
    default:
        return true;
    }
}


static bool commutes(rico_operation code)
{
    return code == RICO_DO_ADD || code == RICO_DO_MULTIPLY || code == RICO_DO_HYPOT ||
           code == RICO_DO_EQUAL || code == RICO_DO_DIFFERS;
}


static bool is_binary(rico_operation code)
{
    switch (code) {
    case RICO_DO_ADD:
    case RICO_DO_SUBTRACT:
    case RICO_DO_MULTIPLY:
    case RICO_DO_DIVIDE:
    case RICO_DO_POWER:
    case RICO_DO_ATAN2:
    case RICO_DO_HYPOT:
    case RICO_DO_MIN:
    case RICO_DO_MAX:
    case RICO_DO_MOD:
    case RICO_DO_RANDOM:
    case RICO_DO_RANDOM_NORMAL:
    case RICO_DO_LESS:
    case RICO_DO_AT_MOST:
    case RICO_DO_GREATER:
    case RICO_DO_AT_LEAST:
    case RICO_DO_EQUAL:
    case RICO_DO_DIFFERS:
    case RICO_DO_AND:
    case RICO_DO_OR:
    case RICO_DO_GUARD:
    case RICO_DO_RATIO:
        return true;
    default:
        return false;
    }
}


// Powers that need no pow(): 0, 1/2, and small whole numbers.
static bool easy_power(rico_graph *graph, rico_term a, double p, rico_term *out)
{
    if (p < 0.0) {
        if (p < -4.0 || p != floor(p) || !easy_power(graph, a, -p, out)) return false;
        *out = rico_graph_apply(graph, RICO_DO_DIVIDE, RICO_TERM_ONE, *out);
        return true;
    }
    rico_term square =
        p >= 2.0 && p <= 4.0 ? rico_graph_apply(graph, RICO_DO_MULTIPLY, a, a) : RICO_TERM_ZERO;
    if (p == 0.0)
        *out = RICO_TERM_ONE;
    else if (p == 0.5)
        *out = rico_graph_apply(graph, RICO_DO_SQRT, a, 0);
    else if (p == 1.0)
        *out = a;
    else if (p == 2.0)
        *out = square;
    else if (p == 3.0)
        *out = rico_graph_apply(graph, RICO_DO_MULTIPLY, square, a);
    else if (p == 4.0)
        *out = rico_graph_apply(graph, RICO_DO_MULTIPLY, square, square);
    else
        return false;
    return true;
}


// What an operation with 0, 1 or -1 is without it; *out is the simpler term.
static bool simplify(rico_graph *graph, rico_operation code, rico_term a, rico_term b, rico_term *out)
{
    const rico_graph_node *x = &graph->term[a], *y = &graph->term[b];
    bool minus_a = x->code == RICO_DO_CONSTANT && x->value == -1.0;
    bool minus_b = y->code == RICO_DO_CONSTANT && y->value == -1.0;
    *out = a;
    switch (code) {
    case RICO_DO_ADD:
        if (b == RICO_TERM_ZERO) return true;
        *out = b;
        return a == RICO_TERM_ZERO;
    case RICO_DO_SUBTRACT:
        if (b == RICO_TERM_ZERO) return true;
        if (a == b && x->tame) return *out = RICO_TERM_ZERO, true;
        if (a != RICO_TERM_ZERO) return false;
        *out = rico_graph_apply(graph, RICO_DO_NEGATE, b, 0);
        return true;
    case RICO_DO_MULTIPLY:
        if (b == RICO_TERM_ONE) return true;
        if ((a == RICO_TERM_ZERO && y->tame) || (b == RICO_TERM_ZERO && x->tame))
            return *out = RICO_TERM_ZERO, true;
        if (minus_a || minus_b)
            return *out = rico_graph_apply(graph, RICO_DO_NEGATE, minus_a ? b : a, 0), true;
        *out = b;
        return a == RICO_TERM_ONE;
    case RICO_DO_GUARD:
        if (b == RICO_TERM_ONE) return true;
        if (a == RICO_TERM_ZERO || b == RICO_TERM_ZERO) return *out = RICO_TERM_ZERO, true;
        *out = b;
        return a == RICO_TERM_ONE;
    case RICO_DO_DIVIDE:
        return b == RICO_TERM_ONE;
    case RICO_DO_NEGATE:
        *out = x->a;
        return x->code == RICO_DO_NEGATE;
    case RICO_DO_POWER:
        return y->code == RICO_DO_CONSTANT && easy_power(graph, a, y->value, out);
    default:
        return false;
    }
}


rico_term rico_graph_apply(rico_graph *graph, rico_operation code, rico_term a, rico_term b)
{
    if (graph->status != RICO_OK) return RICO_TERM_ZERO;
    bool two = is_binary(code);
    if (!two) b = RICO_TERM_ZERO;
    if (graph->term[a].code == RICO_DO_CONSTANT && (!two || graph->term[b].code == RICO_DO_CONSTANT))
        return rico_graph_constant(
            graph, rico_operate(code, graph->term[a].value, two ? graph->term[b].value : 0.0, 0.0));
    if (commutes(code) && a > b) {
        rico_term swap = a;
        a = b;
        b = swap;
    }
    rico_term simpler;
    if (simplify(graph, code, a, b, &simpler)) return simpler;
    const rico_graph_node *x = &graph->term[a], *y = two ? &graph->term[b] : NULL;
    return keep(graph, (rico_graph_node){.code = code,
                                         .a = a,
                                         .b = b,
                                         .low = y && y->low < x->low ? y->low : x->low,
                                         .high = y && y->high > x->high ? y->high : x->high,
                                         .tame = is_tame(code, x, y)});
}


rico_term rico_graph_select(rico_graph *graph, rico_term condition, rico_term then, rico_term other)
{
    if (graph->status != RICO_OK) return RICO_TERM_ZERO;
    if (then == other) return then;
    const rico_graph_node *c = &graph->term[condition], *a = &graph->term[then], *b = &graph->term[other];
    if (c->code == RICO_DO_CONSTANT) return c->value != 0.0 ? then : other;
    int32_t low = a->low < b->low ? a->low : b->low, high = a->high > b->high ? a->high : b->high;
    return keep(graph, (rico_graph_node){.code = RICO_DO_SELECT,
                                         .a = then,
                                         .b = other,
                                         .c = condition,
                                         .low = c->low < low ? c->low : low,
                                         .high = c->high > high ? c->high : high,
                                         .tame = a->tame && b->tame});
}


// --- formulas ----------------------------------------------------------------------------------------------------

rico_term rico_graph_formula(rico_graph *graph, const rico_formula *formula, const int64_t *map)
{
    if (graph->status != RICO_OK) return RICO_TERM_ZERO;
    rico_term *stack = rico_alloc(graph->ctx, formula->height + 1, sizeof *stack);
    if (!stack) {
        graph->status = RICO_NO_MEMORY;
        return RICO_TERM_ZERO;
    }
    int64_t top = 0;
    for (int64_t i = 0; i < formula->count; i++) {
        const rico_instruction *next = &formula->tape[i];
        switch (next->code) {
        case RICO_PUSH_CONSTANT:
            stack[top++] = rico_graph_constant(graph, next->constant);
            break;
        case RICO_PUSH_VARIABLE:
            stack[top++] = rico_graph_variable(graph, map ? map[next->slot] : next->slot);
            break;
        case RICO_APPLY: {
            bool two = next->function->arguments == 2;
            if (two) top--;
            stack[top - 1] =
                rico_graph_apply(graph, next->function->code, stack[top - 1], two ? stack[top] : 0);
            break;
        }
        case RICO_SELECT:
            top -= 2;
            stack[top - 1] = rico_graph_select(graph, stack[top - 1], stack[top], stack[top + 1]);
            break;
        }
    }
    rico_term made = stack[0];
    rico_free(graph->ctx, stack);
    return made;
}


rico_context *rico_graph_context(const rico_graph *graph)
{
    return graph->ctx;
}
