// The functions and operators of formulas: one table, one row for each, with derivatives.

#ifndef RICO_SCENE_FUNCTION_H
#define RICO_SCENE_FUNCTION_H

#include "scene/operation.h"

#include <stdbool.h>
#include <stdint.h>

// A function of up to two arguments a and b at one point: its value, slopes and curvatures.
typedef struct rico_taylor {
    double f;
    double fa, fb;
    double faa, fab, fbb;
} rico_taylor;

// Fills what `order` (0, 1, 2) asks for; all of it is zero on entry.
typedef void (*rico_taylor_function)(int order, double a, double b, rico_taylor *out);

typedef struct rico_function {
    const char *name; // operators have theirs as well: "+"
    int arguments;    // 1 or 2
    bool folds;       // takes more than two by pairs: max(a, b, c) = max(max(a, b), c)
    const char *help;
    rico_taylor_function taylor;
    bool jumps; // somewhere
    rico_operation code;
} rico_function;

// By index, NULL past the end; by name, which need not end with NUL, NULL when unknown. Operators come last in the
// table and are not found by rico_function_find().
const rico_function *rico_function_at(int index);
const rico_function *rico_function_find(const char *name, int64_t length);

// An operator ("+", "<=", "neg"; "^constant" when the exponent is one), which must exist.
const rico_function *rico_operator(const char *name);

#endif
