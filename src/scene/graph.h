// Formulas as one graph: what several of them share is there once, and so are their derivatives.
//
// A term is a constant, a variable, or an operation on terms made before it; two terms that are written alike are the same
// term. Derivatives are terms as well, found by sweeping backwards from a term to the variables it reads (Griewank and
// Walther 2008, ch. 3 and 6), so that a gradient costs a small multiple of its formula, a Hessian that of its nonzeros, and
// third derivatives need nothing new. A program (program.h) then runs the terms asked for, each once.
//
// Slopes at kinks are those of function.c. A derivative that is exactly 0 stays 0 under an infinite slope, and what a
// condition has not chosen does not count, whatever it is there.

#ifndef RICO_SCENE_GRAPH_H
#define RICO_SCENE_GRAPH_H

#include "scene/formula.h"
#include "scene/operation.h"

typedef int32_t rico_term;
enum { RICO_TERM_ZERO = 0, RICO_TERM_ONE = 1 };

typedef struct rico_graph rico_graph;

// For variables in slots 0 ... variables - 1.
rico_status rico_graph_create(rico_context *ctx, int64_t variables, rico_graph **out);
void rico_graph_destroy(rico_graph *graph);
int64_t rico_graph_variables(const rico_graph *graph);
rico_context *rico_graph_context(const rico_graph *graph);

// Out of memory or out of bounds (2^24 terms) is remembered: later terms are 0, and this tells, so that only the end of a
// construction needs to look.
rico_status rico_graph_status(const rico_graph *graph);

// What a term is, for whoever runs it.
typedef struct rico_term_info {
    rico_operation code;
    rico_term a, b, c; // of a variable, a is its slot
    double value;      // of a constant
} rico_term_info;

rico_term_info rico_graph_term(const rico_graph *graph, rico_term term);
int64_t rico_graph_count(const rico_graph *graph);
bool rico_graph_is_constant(const rico_graph *graph, rico_term term);

// Making terms; arithmetic with constants is done at once.
rico_term rico_graph_constant(rico_graph *graph, double value);
rico_term rico_graph_variable(rico_graph *graph, int64_t slot);
rico_term rico_graph_apply(rico_graph *graph, rico_operation code, rico_term a, rico_term b);
rico_term rico_graph_select(rico_graph *graph, rico_term condition, rico_term then, rico_term other);

// The formula as a term; its slot s is the variable map[s], or s where map is NULL.
rico_term rico_graph_formula(rico_graph *graph, const rico_formula *formula, const int64_t *map);

// The derivatives of a term with respect to variables low ... high that are not 0 everywhere, by ascending slot. The arrays
// belong to the graph, until the next call.
void rico_graph_gradient(rico_graph *graph, rico_term term, int64_t low, int64_t high, int64_t *count,
                         const int64_t **slot, const rico_term **derivative);

#endif
