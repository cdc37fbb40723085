// Newton systems of contact problems in the velocities of the bodies: for problems too large to form W.
//
// Every Newton-like method here ends in dr = c - C W dr with a block-diagonal C (stage.h). With W = H' M^-1 H and
// v = M^-1 H dr it becomes
//
//     (M + H C H') v = H c,      dr = c - C H' v,
//
// of six rows per body, sparse as the graph of who touches whom: a chain costs what it is long, a wall or a bed little
// more. compressed.h is the same system seen from the contacts; it takes joints and any W, this one neither.

#ifndef RICO_SOLVE_BODY_SYSTEM_H
#define RICO_SOLVE_BODY_SYSTEM_H

#include "la/front_lu.h"
#include "problem/problem.h"

typedef struct rico_body_system rico_body_system;

// Can the problem be taken? A global one of small bodies without equality blocks, M factored before.
bool rico_body_system_takes(const rico_problem *problem);

// Analyses the graph of bodies. The problem must outlive it.
rico_status rico_body_system_create(rico_problem *problem, rico_body_system **out);
void rico_body_system_destroy(rico_body_system *system);

// W_aa of block a, row-major with the stride of its size.
void rico_body_system_diagonal(const rico_body_system *system, int64_t a, double *block);

// Factors for C, laid out as for rico_compressed_factor().
rico_status rico_body_system_factor(rico_body_system *system, const double *C);

// dr from c, m entries each (not the same array); one step of iterative refinement when asked to.
void rico_body_system_solve(rico_body_system *system, const double *C, const double *c, double *dr,
                            bool refine);

// u = H' M^-1 (H r + f) + w
void rico_body_system_velocity(rico_body_system *system, const double *r, double *u);

// Floating-point operations of one factorization.
double rico_body_system_flops(const rico_body_system *system);

#endif
