// A look at a formula's tape: does its value jump as some of its variables pass a point?

#include "scene/tape.h"

rico_status rico_formula_jumps(const rico_formula *formula, int64_t low, int64_t high, const char **function)
{
    bool *reads = rico_alloc(formula->ctx, formula->height + 1, sizeof *reads);
    if (!reads) return RICO_NO_MEMORY;
    int64_t top = 0;
    *function = NULL;
    for (int64_t i = 0; i < formula->count; i++) {
        const rico_instruction *next = &formula->tape[i];
        if (next->code == RICO_PUSH_CONSTANT) {
            reads[top++] = false;
        } else if (next->code == RICO_PUSH_VARIABLE) {
            reads[top++] = next->slot >= low && next->slot <= high;
        } else if (next->code == RICO_SELECT) {
            top -= 2; // a condition that reads them was met as a comparison
            reads[top - 1] = reads[top - 1] || reads[top] || reads[top + 1];
        } else {
            if (next->function->arguments == 2) {
                top--;
                reads[top - 1] = reads[top - 1] || reads[top];
            }
            if (next->function->jumps && reads[top - 1] && !*function) *function = next->function->name;
        }
    }
    rico_free(formula->ctx, reads);
    return RICO_OK;
}
