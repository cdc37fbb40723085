// Formulas of a scene ("2*sign(sin(4*pi*t))"), with exact first and second derivatives.
//
// A formula is compiled once into a tape for a stack machine. Evaluating it allocates nothing and changes nothing in
// it, so that threads may share a formula, each with work space of its own. Derivatives come by forward automatic
// differentiation along the tape: every entry of the stack carries its gradient and Hessian with it (Griewank and
// Walther 2008, ch. 13). At a kink they are the mean of the two sides, so that abs has slope 0 at 0.
//
//     rico_symbol symbols[] = {{"x", RICO_SYMBOL_VARIABLE, .slot = 0}, {"k", RICO_SYMBOL_CONSTANT, .value = 3.0}};
//     rico_scope scope = {2, symbols, NULL};
//     rico_formula_create(ctx, "k*x^2/2", &scope, NULL, &potential);
//
// The language is described in docs/guide/scenes.md.

#ifndef RICO_SCENE_FORMULA_H
#define RICO_SCENE_FORMULA_H

#include "base/context.h"

typedef enum rico_symbol_kind {
    RICO_SYMBOL_CONSTANT, // a number known when the formula is compiled: a parameter
    RICO_SYMBOL_VARIABLE, // one entry of the array that evaluation is given
    RICO_SYMBOL_VECTOR,   // several, written name[0], name[1], ...
    RICO_SYMBOL_NOTE      // no name but a sentence, said where a name is unknown: what may stand here
} rico_symbol_kind;

typedef struct rico_symbol {
    const char *name;
    rico_symbol_kind kind;
    double value;          // of a constant
    int64_t slot;          // where a variable, or the first entry of a vector, stands among the variables
    int64_t count;         // of a vector
    int64_t stride, least; // of a vector: from one entry to the next, 0 counts as 1; its first index
} rico_symbol;

// The names that a formula may use, beside functions and pi. What one scope lacks is sought in its outer one.
typedef struct rico_scope {
    int64_t count;
    const struct rico_symbol *symbol;
    const struct rico_scope *outer; // may be NULL
} rico_scope;

typedef struct rico_formula rico_formula;

// Which bytes of the text a message is about, for a caret.
typedef struct rico_formula_fault {
    int64_t at, length;
} rico_formula_fault;

// Compiles; scope NULL means no names. On failure (RICO_BAD_INPUT) the sentence says what is wrong and what was
// likely meant, *fault (unless NULL) says where, and *out stays untouched. The scope is not needed afterwards.
rico_status rico_formula_create(rico_context *ctx, const char *text, const rico_scope *scope,
                                rico_formula_fault *fault, rico_formula **out);
void rico_formula_destroy(rico_formula *formula);

// The slots that the formula reads, ascending: what its derivatives can be nonzero for.
const int64_t *rico_formula_slots(const rico_formula *formula, int64_t *count);

// Nothing but the name of a variable?
bool rico_formula_is_variable(const rico_formula *formula);

// 0 when it is constant, 1 when it is affine in its variables, 2 when that cannot be told from its text.
rico_status rico_formula_degree(const rico_formula *formula, int *degree);

// Does the value jump as a variable in slots low ... high passes a point? *function is the first that makes it do so
// (sign, floor, a comparison), NULL when none does; a fraction such as x/abs(x) is not seen.
rico_status rico_formula_jumps(const rico_formula *formula, int64_t low, int64_t high, const char **function);

// Numbers of work space for derivatives up to `order` (0, 1, 2) with respect to `count` variables.
int64_t rico_formula_work(const rico_formula *formula, int order, int64_t count);

// The value for the variables given. Outside a function's domain it is NaN or infinite, as in C.
double rico_formula_value(const rico_formula *formula, const double *variables, double *work);

// The value, and its derivatives with respect to the variables in slots wrt[0 .. count-1]: gradient[i], and
// hessian[i * count + j], which is symmetric.
double rico_formula_gradient(const rico_formula *formula, const double *variables, int64_t count,
                             const int64_t *wrt, double *work, double *gradient);
double rico_formula_hessian(const rico_formula *formula, const double *variables, int64_t count,
                            const int64_t *wrt, double *work, double *gradient, double *hessian);

// Compiles and evaluates a formula without variables, whose value must be finite.
rico_status rico_formula_constant(rico_context *ctx, const char *text, const rico_scope *scope,
                                  rico_formula_fault *fault, double *value);

// Refuses what cannot name a symbol: anything but letters, digits and _, or a name that the language has taken.
rico_status rico_formula_check_name(rico_context *ctx, const char *name);
bool rico_formula_name_taken(const char *name); // the language has it: sin, if, pi


#endif
