// What one step of a compiled formula does, to values or to derivatives.

#ifndef RICO_SCENE_OPERATION_H
#define RICO_SCENE_OPERATION_H

typedef enum rico_operation {
    RICO_DO_CONSTANT,
    RICO_DO_VARIABLE,
    RICO_DO_ADD,
    RICO_DO_SUBTRACT,
    RICO_DO_MULTIPLY,
    RICO_DO_DIVIDE,
    RICO_DO_NEGATE,
    RICO_DO_POWER,
    RICO_DO_SIN,
    RICO_DO_COS,
    RICO_DO_TAN,
    RICO_DO_ASIN,
    RICO_DO_ACOS,
    RICO_DO_ATAN,
    RICO_DO_ATAN2,
    RICO_DO_SINH,
    RICO_DO_COSH,
    RICO_DO_TANH,
    RICO_DO_EXP,
    RICO_DO_LOG,
    RICO_DO_LOG10,
    RICO_DO_SQRT,
    RICO_DO_HYPOT,
    RICO_DO_ABS,
    RICO_DO_SIGN,
    RICO_DO_MIN,
    RICO_DO_MAX,
    RICO_DO_FLOOR,
    RICO_DO_CEIL,
    RICO_DO_MOD,
    RICO_DO_RANDOM,
    RICO_DO_RANDOM_NORMAL,
    RICO_DO_LESS,
    RICO_DO_AT_MOST,
    RICO_DO_GREATER,
    RICO_DO_AT_LEAST,
    RICO_DO_EQUAL,
    RICO_DO_DIFFERS,
    RICO_DO_AND,
    RICO_DO_OR,
    RICO_DO_NOT,
    RICO_DO_SELECT, // a where c is not 0, else b
    // of derivatives alone
    RICO_DO_GUARD,  // a b, one of them a derivative: 0 where either is, even if the other is not a number
    RICO_DO_RATIO,  // a / b, 0 where either is: slopes at the tip of a cone
    RICO_DO_SECH2,  // 1 / cosh(a)^2
    RICO_DO_SINCOS, // of compiled programs: two values at once
    RICO_OPERATIONS
} rico_operation;

// The value of an operation on numbers; not of constants, variables and pairs.
double rico_operate(rico_operation code, double a, double b, double c);

#endif
