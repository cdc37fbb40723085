// Terms of a graph as a list of instructions on an array of numbers: each term once, no stack, no call where none is needed.
//
//     double *x = ...;                     // rico_program_room() numbers, of whoever runs it
//     rico_program_prepare(program, x);    // once: constants
//     x[0] = t, ...;                       // the variables come first
//     rico_program_run(program, x);
//     f = rico_program_output(program, x, 0);
//
// Running allocates nothing and changes nothing but x: any number of threads may run one program.

#ifndef RICO_SCENE_PROGRAM_H
#define RICO_SCENE_PROGRAM_H

#include "scene/graph.h"

typedef struct rico_program rico_program;

// A program for the terms given; the graph is not needed afterwards.
rico_status rico_program_create(const rico_graph *graph, int64_t count, const rico_term *term,
                                rico_program **out);
void rico_program_destroy(rico_program *program);

int64_t rico_program_room(const rico_program *program); // takes NULL: 0
void rico_program_prepare(const rico_program *program, double *x);
void rico_program_run(const rico_program *program, double *x);
double rico_program_output(const rico_program *program, const double *x, int64_t index);

// Instructions, for whoever counts them.
int64_t rico_program_length(const rico_program *program);

#endif
