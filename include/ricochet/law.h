// Checks of laws: has a relation between x and y a superpotential, has it a bipotential, and is this function one?
//
// A law is given by samples of its graph, pairs (x_i, y_i), and for the checks of a bipotential by a function b(x, y), which is infinite
// where it is. Each check looks for a contradiction among the samples and what can be made of them: one that is found refutes, none found is no
// proof. docs/theory/bipotential.md has the statements, with their numbers in de Saxce (2018).

#ifndef RICOCHET_LAW_H
#define RICOCHET_LAW_H

#include "ricochet/context.h"

RICO_API_BEGIN

enum { RICO_LAW_WITNESS = 16 };

// b(x, y), or a potential of one of them, where the other is NULL.
typedef double (*rico_law_function)(void *user, const double *x, const double *y);

typedef struct rico_law_trial {
    int64_t count;           // samples
    int size;                // components of x and of y
    const double *x, *y;     // sample i at i size
    rico_law_function value; // b; NULL for monotone and cyclic, which need the graph alone
    void *user;
    double tol;     // what counts as round-off, over the sizes of the terms; 0: 1e-10
    int64_t trials; // made at random, for who asks for such; 0: 1000
    uint64_t seed;
} rico_law_trial;

typedef struct rico_law_verdict {
    bool holds;    // no contradiction
    int64_t tried; // cases that could have been one
    double excess; // the worst of them: what must not be positive, over the sizes of its terms
    int64_t count; // of the samples that contradict
    int64_t sample[RICO_LAW_WITNESS]; // the first of them
} rico_law_verdict;

// Definition 1 (b): b(x_i, y_j) >= <x_i, y_j> for all i and j; and b(x_i, y_i) = <x_i, y_i> on the graph.
rico_status rico_law_check_bound(rico_context *ctx, const rico_law_trial *trial, rico_law_verdict *out);
rico_status rico_law_check_graph(rico_context *ctx, const rico_law_trial *trial, rico_law_verdict *out);

// Definition 1 (a): b is convex in x at y_j, and in y at x_i, between samples.
rico_status rico_law_check_convex(rico_context *ctx, const rico_law_trial *trial, rico_law_verdict *out);

// Definition 2: for every y_j the infimum of b(x, y_j) - <x, y_j> over x is 0 or infinite, and so with x and y exchanged. Infima are looked for
// from the best sample by a search without derivatives, which counts as at 0 within 1e-3 of the sizes of x and y.
rico_status rico_law_check_strong(rico_context *ctx, const rico_law_trial *trial, rico_law_verdict *out);

// Theorem 3.1: the sections of the graph of b are convex. Pairs of samples with one x, or one y, and b = <x, y> between them.
rico_status rico_law_check_sections(rico_context *ctx, const rico_law_trial *trial, rico_law_verdict *out);

// <x_i - x_j, y_i - y_j> >= 0, and eq. 1 for cycles of any length. The witness of the latter is a shortest cycle that violates it.
rico_status rico_law_check_monotone(rico_context *ctx, const rico_law_trial *trial, rico_law_verdict *out);
rico_status rico_law_check_cyclic(rico_context *ctx, const rico_law_trial *trial, rico_law_verdict *out);

// All of them as a table; NULL past its end.
typedef struct rico_law_check {
    const char *name;
    const char *summary; // one line
    rico_status (*run)(rico_context *ctx, const rico_law_trial *trial, rico_law_verdict *out);
} rico_law_check;

const rico_law_check *rico_law_check_at(int index);

// ---- Rockafellar's construction (eq. 3 and 4) -----------------------------------------------------------------

// phi(x) = sup <x - x_m, y_m> + <x_m - x_{m-1}, y_{m-1}> + ... + <x_1 - x_0, y_0> over chains of samples that begin with `start`, where phi is 0; the
// longest paths are found once. `dual`: psi(y), with x and y exchanged. Samples that are not cyclically monotone have no such function:
// RICO_BAD_INPUT, with a shortest cycle in *verdict (which may be NULL) and in the message.
typedef struct rico_rockafellar rico_rockafellar;

rico_status rico_rockafellar_create(rico_context *ctx, const rico_law_trial *trial, int64_t start, bool dual,
                                    rico_law_verdict *verdict, rico_rockafellar **out);
void rico_rockafellar_destroy(rico_rockafellar *potential);
double rico_rockafellar_value(const rico_rockafellar *potential, const double *z);

// ---- covers (Theorem 4.2) and the largest of two (Theorem 5.1) ------------------------------------------------

// A family b(lambda, x, y). Where b is finite at one lambda alone, `choose` says which; without it the infimum is looked for between `low`
// and `high`, from `count` values on.
typedef struct rico_law_cover {
    double (*value)(void *user, double lambda, const double *x, const double *y);
    double (*choose)(void *user, const double *x, const double *y);
    void *user;
    double low, high;
    int64_t count; // >= 2, not read with `choose`
} rico_law_cover;

// inf over lambda of b(lambda, x, y), and where it was found; lambda may be NULL.
double rico_law_cover_value(const rico_law_cover *cover, const double *x, const double *y, double *lambda);

// Definition 4, at x_i in y and at y_j in x: between two members of the family there is one below the chord. trial->value is not read.
rico_status rico_law_check_cover(rico_context *ctx, const rico_law_cover *cover, const rico_law_trial *trial,
                                 rico_law_verdict *out);

// Two superpotentials with their conjugates: max(phi_1 + phi_1*, phi_2 + phi_2*).
typedef struct rico_law_pair {
    rico_law_function phi[2], conjugate[2]; // phi of x with y NULL, conjugates of y with x NULL
    void *user;
} rico_law_pair;

double rico_law_max_value(const rico_law_pair *pair, const double *x, const double *y);

// Eq. 10 and 11: the conjugate of l phi_1 + (1 - l) phi_2 is l phi_1* + (1 - l) phi_2* where both are finite, and the same with phi and phi*
// exchanged. Suprema are looked for as the infima of rico_law_check_strong(). trial->value is not read.
rico_status rico_law_check_max(rico_context *ctx, const rico_law_pair *pair, const rico_law_trial *trial,
                               rico_law_verdict *out);

RICO_API_END

#endif
