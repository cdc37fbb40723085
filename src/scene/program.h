// Terms of a graph as a list of instructions on an array of numbers: each term once, no stack, no call where none is needed.
//
//     double *x = rico_program_variables(program);   // fill t, q, v here
//     rico_program_run(program);
//     f = rico_program_output(program, 0);
//
// Running allocates nothing. A program holds its numbers, so that each thread needs one of its own.

#ifndef RICO_SCENE_PROGRAM_H
#define RICO_SCENE_PROGRAM_H

#include "scene/graph.h"

typedef struct rico_program rico_program;

// A program for the terms given; the graph is not needed afterwards.
rico_status rico_program_create(const rico_graph *graph, int64_t count, const rico_term *term,
                                rico_program **out);
void rico_program_destroy(rico_program *program);

double *rico_program_variables(rico_program *program);
void rico_program_run(rico_program *program);
double rico_program_output(const rico_program *program, int64_t index);

// Instructions, for whoever counts them.
int64_t rico_program_length(const rico_program *program);

#endif
