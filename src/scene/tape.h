// What the compiler of formulas writes and the evaluator reads: instructions for a stack machine.

#ifndef RICO_SCENE_TAPE_H
#define RICO_SCENE_TAPE_H

#include "scene/formula.h"
#include "scene/function.h"

typedef enum rico_instruction_code {
    RICO_PUSH_CONSTANT,
    RICO_PUSH_VARIABLE,
    RICO_APPLY, // replaces the arguments on top of the stack by the function's value
    RICO_SELECT // replaces condition, then, else by one of the latter two
} rico_instruction_code;

typedef struct rico_instruction {
    rico_instruction_code code;
    double constant;
    int64_t slot;
    const rico_function *function;
} rico_instruction;

struct rico_formula {
    rico_context *ctx;
    int64_t count, capacity;
    rico_instruction *tape;
    int64_t height; // most entries on the stack at any time
    int64_t slot_count;
    int64_t *slot; // read by the tape, ascending
};

// Runs one function, for the compiler, which computes at once what is constant.
double rico_function_value(const rico_function *function, const double *argument);

// Fills the tape and height of an empty formula; on failure what is there is the caller's to release.
rico_status rico_formula_parse(rico_formula *formula, const char *text, const rico_scope *scope,
                               rico_formula_fault *fault);

#endif
