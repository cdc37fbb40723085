// Formulas: their life, and the stack machine that evaluates them with derivatives.
//
// An entry of the stack is a value, its gradient (n numbers) and the lower triangle of its Hessian by rows
// (n (n + 1) / 2 numbers), as far as the order asks. The chain rule is the same for every function, so each only
// knows its own slopes: for f(a, b),
//
//     f_i  = fa a_i + fb b_i
//     f_ij = fa a_ij + fb b_ij + faa a_i a_j + fab (a_i b_j + a_j b_i) + fbb b_i b_j
//
// A derivative that is exactly 0 stays 0 even under an infinite slope: sqrt(x^2 + y^2) has gradient 0 at the origin.

#include "scene/tape.h"

#include <math.h>
#include <string.h>

double rico_function_value(const rico_function *function, const double *argument)
{
    rico_taylor taylor = {0};
    function->taylor(0, argument[0], argument[1], &taylor);
    return taylor.f;
}


// --- life ----------------------------------------------------------------------------------------------------

// Inserts a slot into the ascending list, unless it is there.
static void note_slot(rico_formula *formula, int64_t slot)
{
    int64_t low = 0, high = formula->slot_count;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (formula->slot[middle] < slot)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < formula->slot_count && formula->slot[low] == slot) return;
    memmove(formula->slot + low + 1, formula->slot + low,
            (size_t)(formula->slot_count - low) * sizeof *formula->slot);
    formula->slot[low] = slot;
    formula->slot_count++;
}


static rico_status list_slots(rico_formula *formula)
{
    int64_t reads = 0;
    for (int64_t i = 0; i < formula->count; i++) reads += formula->tape[i].code == RICO_PUSH_VARIABLE;
    formula->slot = rico_alloc(formula->ctx, reads, sizeof *formula->slot);
    if (!formula->slot) return RICO_NO_MEMORY;
    for (int64_t i = 0; i < formula->count; i++) {
        if (formula->tape[i].code == RICO_PUSH_VARIABLE) note_slot(formula, formula->tape[i].slot);
    }
    return RICO_OK;
}


rico_status rico_formula_create(rico_context *ctx, const char *text, const rico_scope *scope,
                                rico_formula_fault *fault, rico_formula **out)
{
    rico_formula *formula = rico_alloc(ctx, 1, sizeof *formula);
    if (!formula) return RICO_NO_MEMORY;
    formula->ctx = ctx;

    rico_status status = rico_formula_parse(formula, text, scope, fault);
    if (status == RICO_OK) status = list_slots(formula);
    if (status != RICO_OK) {
        rico_formula_destroy(formula);
        return status;
    }
    *out = formula;
    return RICO_OK;
}


void rico_formula_destroy(rico_formula *formula)
{
    if (!formula) return;
    rico_free(formula->ctx, formula->tape);
    rico_free(formula->ctx, formula->slot);
    rico_free(formula->ctx, formula);
}


const int64_t *rico_formula_slots(const rico_formula *formula, int64_t *count)
{
    *count = formula->slot_count;
    return formula->slot;
}


bool rico_formula_is_variable(const rico_formula *formula)
{
    return formula->count == 1 && formula->tape[0].code == RICO_PUSH_VARIABLE;
}


// --- evaluation ----------------------------------------------------------------------------------------------

// What one evaluation is asked for.
typedef struct request {
    int order;
    int64_t count;
    const int64_t *wrt;
    int64_t stride; // numbers of one entry of the stack
} request;


static int64_t entry_size(int order, int64_t count)
{
    return 1 + (order >= 1 ? count : 0) + (order >= 2 ? count * (count + 1) / 2 : 0);
}


int64_t rico_formula_work(const rico_formula *formula, int order, int64_t count)
{
    return formula->height * entry_size(order, count);
}


static double times(double slope, double derivative)
{
    return derivative == 0.0 ? 0.0 : slope * derivative;
}


// a becomes f(a), with its derivatives.
static void chain_one(const request *ask, const rico_taylor *f, double *a)
{
    a[0] = f->f;
    if (ask->order == 0) return;
    double *slope = a + 1, *curvature = slope + ask->count;
    if (ask->order >= 2) {
        for (int64_t i = 0, k = 0; i < ask->count; i++) {
            for (int64_t j = 0; j <= i; j++, k++)
                curvature[k] = times(f->fa, curvature[k]) + times(f->faa, slope[i] * slope[j]);
        }
    }
    for (int64_t i = 0; i < ask->count; i++) slope[i] = times(f->fa, slope[i]);
}


// a becomes f(a, b), with its derivatives.
static void chain_two(const request *ask, const rico_taylor *f, double *a, const double *b)
{
    a[0] = f->f;
    if (ask->order == 0) return;
    double *a_slope = a + 1, *a_curvature = a_slope + ask->count;
    const double *b_slope = b + 1, *b_curvature = b_slope + ask->count;
    if (ask->order >= 2) {
        for (int64_t i = 0, k = 0; i < ask->count; i++) {
            for (int64_t j = 0; j <= i; j++, k++) {
                double mixed = a_slope[i] * b_slope[j] + a_slope[j] * b_slope[i];
                a_curvature[k] = times(f->fa, a_curvature[k]) + times(f->fb, b_curvature[k]) +
                                 times(f->faa, a_slope[i] * a_slope[j]) + times(f->fab, mixed) +
                                 times(f->fbb, b_slope[i] * b_slope[j]);
            }
        }
    }
    for (int64_t i = 0; i < ask->count; i++) a_slope[i] = times(f->fa, a_slope[i]) + times(f->fb, b_slope[i]);
}


static void push_number(const request *ask, double value, double *entry)
{
    entry[0] = value;
    for (int64_t i = 1; i < ask->stride; i++) entry[i] = 0.0;
}


// Runs the tape; the result is the one entry left on the stack, at its bottom.
static void run(const rico_formula *formula, const double *variables, const request *ask, double *stack)
{
    size_t entry_bytes = (size_t)ask->stride * sizeof *stack;
    double *top = stack; // the first free entry
    for (int64_t k = 0; k < formula->count; k++) {
        const rico_instruction *step = &formula->tape[k];
        rico_taylor taylor = {0};
        switch (step->code) {
        case RICO_PUSH_CONSTANT:
            push_number(ask, step->constant, top);
            top += ask->stride;
            break;
        case RICO_PUSH_VARIABLE:
            push_number(ask, variables[step->slot], top);
            for (int64_t i = 0; ask->order > 0 && i < ask->count; i++) {
                if (ask->wrt[i] == step->slot) top[1 + i] = 1.0;
            }
            top += ask->stride;
            break;
        case RICO_APPLY:
            if (step->function->arguments == 1) {
                double *a = top - ask->stride;
                step->function->taylor(ask->order, a[0], 0.0, &taylor);
                chain_one(ask, &taylor, a);
            } else {
                double *b = top - ask->stride, *a = b - ask->stride;
                step->function->taylor(ask->order, a[0], b[0], &taylor);
                chain_two(ask, &taylor, a, b);
                top = b;
            }
            break;
        case RICO_SELECT: {
            double *other = top - ask->stride, *then = other - ask->stride, *condition = then - ask->stride;
            memcpy(condition, condition[0] != 0.0 ? then : other, entry_bytes);
            top = then;
            break;
        }
        }
    }
}


double rico_formula_value(const rico_formula *formula, const double *variables, double *work)
{
    request ask = {.stride = 1};
    run(formula, variables, &ask, work);
    return work[0];
}


double rico_formula_gradient(const rico_formula *formula, const double *variables, int64_t count,
                             const int64_t *wrt, double *work, double *gradient)
{
    request ask = {1, count, wrt, entry_size(1, count)};
    run(formula, variables, &ask, work);
    for (int64_t i = 0; i < count; i++) gradient[i] = work[1 + i];
    return work[0];
}


double rico_formula_hessian(const rico_formula *formula, const double *variables, int64_t count,
                            const int64_t *wrt, double *work, double *gradient, double *hessian)
{
    request ask = {2, count, wrt, entry_size(2, count)};
    run(formula, variables, &ask, work);
    const double *curvature = work + 1 + count;
    for (int64_t i = 0; i < count; i++) {
        gradient[i] = work[1 + i];
        for (int64_t j = 0; j <= i; j++) hessian[i * count + j] = hessian[j * count + i] = *curvature++;
    }
    return work[0];
}


rico_status rico_formula_constant(rico_context *ctx, const char *text, const rico_scope *scope,
                                  rico_formula_fault *fault, double *value)
{
    rico_formula *formula = NULL;
    rico_status status = rico_formula_create(ctx, text, scope, fault, &formula);
    if (status != RICO_OK) return status;

    // the compiler has computed all that is constant
    rico_instruction only = formula->tape[0];
    bool constant = formula->count == 1 && only.code == RICO_PUSH_CONSTANT;
    rico_formula_destroy(formula);
    if (fault) *fault = (rico_formula_fault){0, (int64_t)strlen(text)};
    if (!constant) {
        return rico_fail(ctx, RICO_BAD_INPUT,
                         "'%.60s' changes with the variables; use numbers and parameters alone", text);
    }
    if (!isfinite(only.constant)) {
        return rico_fail(ctx, RICO_BAD_INPUT,
                         "'%.60s' is %s, not a finite number; check its divisions and domains", text,
                         isnan(only.constant) ? "undefined" : "infinite");
    }
    *value = only.constant;
    return RICO_OK;
}
