// A structure from inside: its equations, and the program that the last questions were put to.

#ifndef RICO_LIMIT_LIMIT_H
#define RICO_LIMIT_LIMIT_H

#include "la/csc.h"
#include "limit/force_set.h"
#include "ricochet/limit.h"

// A program of the forces of a structure: the columns of its blocks, then those of the question.
typedef struct rico_limit_program {
    rico_force_columns columns;
    rico_cone_program *program;
    int64_t cols;     // of blocks and question
    int64_t question; // first column of the question; -1: it has none
    double *cost;
} rico_limit_program;

struct rico_limit {
    rico_context *ctx;
    rico_limit_view view;
    rico_csc H;
    int64_t dofs, rows, block_count;
    rico_block *block;
    int64_t *block_row;        // of the first row of each
    int64_t *block_constraint; // or -1
    char **block_name;
    int64_t body_count;
    char **body_name;
    int64_t *body_of; // every degree of freedom
    double *dead, *live;
    double *force, *velocity; // of answers
    double *work;             // dofs + rows

    rico_limit_program held; // equilibrium at held_lambda, where ranges are asked for
    double held_lambda;
};

// What a program is asked: which rule each block has (NULL: its cone) and the normal forces that bound those that are frozen.
typedef struct rico_limit_question {
    const rico_force_rule *rule;
    const double *bound;  // forces of another state, all rows
    const double *slip;   // motion of all rows
    double lambda;        // the load factor where it is given
    bool load;            // it is an unknown, in a column of its own
    bool positive;        // and at least 0
    const double *before; // forces of all rows: their changes, up and down, in columns of their own
    double
        reserve; // > 0: normal forces of all contacts beyond their cones, in a column of its own, at most so much
} rico_limit_question;

rico_status rico_limit_program_create(const rico_limit *limit, const rico_limit_question *question,
                                      rico_limit_program *out);
void rico_limit_program_release(rico_context *ctx, rico_limit_program *program);

// Solves with the cost in program->cost and puts forces and motion of the answer into the structure's: value is cost'x.
rico_status rico_limit_program_solve(rico_limit *limit, rico_limit_program *program, rico_limit_answer *out);

// Is it a contact, with a normal force that pushes?
bool rico_limit_is_contact(const rico_block *block);

// Drops the program that is kept for ranges: loads or structure have changed.
void rico_limit_forget(rico_limit *limit);

// The size of the loads at lambda, as a force.
double rico_limit_force_size(const rico_limit *limit, double lambda);

#endif
