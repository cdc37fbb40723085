// Is a formula constant, affine, or more? Decided from its tape, so that "yes" is a proof.

#include "scene/tape.h"

#include <string.h>

enum { BEYOND = 2 };

static int larger(int a, int b)
{
    return a > b ? a : b;
}


static int apply(const rico_function *function, int a, int b)
{
    if (a == 0 && (function->arguments == 1 || b == 0)) return 0;
    if (strcmp(function->name, "+") == 0 || strcmp(function->name, "-") == 0) return larger(a, b);
    if (strcmp(function->name, "neg") == 0) return a;
    if (strcmp(function->name, "*") == 0) return a == 0 || b == 0 ? larger(a, b) : BEYOND;
    if (strcmp(function->name, "/") == 0) return b == 0 ? a : BEYOND;
    return BEYOND;
}


rico_status rico_formula_degree(const rico_formula *formula, int *degree)
{
    int *stack = rico_alloc(formula->ctx, formula->height + 1, sizeof *stack);
    if (!stack) return RICO_NO_MEMORY;
    int64_t top = 0;
    for (int64_t i = 0; i < formula->count; i++) {
        const rico_instruction *next = &formula->tape[i];
        if (next->code == RICO_PUSH_CONSTANT) {
            stack[top++] = 0;
        } else if (next->code == RICO_PUSH_VARIABLE) {
            stack[top++] = 1;
        } else if (next->code == RICO_SELECT) {
            top -= 2;
            bool constant = stack[top - 1] == 0 && stack[top] == 0 && stack[top + 1] == 0;
            stack[top - 1] = constant ? 0 : BEYOND;
        } else if (next->function->arguments == 1) {
            stack[top - 1] = apply(next->function, stack[top - 1], 0);
        } else {
            top--;
            stack[top - 1] = apply(next->function, stack[top - 1], stack[top]);
        }
    }
    *degree = stack[0];
    rico_free(formula->ctx, stack);
    return RICO_OK;
}
