// Newton systems of contact problems in the velocities of the bodies: for problems too large to form W.
//
// Every Newton-like method here ends in dr = c - C W dr with a block-diagonal C (stage.h). With W = H' M^-1 H and
// v = M^-1 H dr it becomes
//
//     (M + H C H') v = H c,      dr = c - C H' v,
//
// of six rows per body, sparse as the graph of who touches whom: a chain costs what it is long, a wall or a bed little
// more. Rows of joints, where (W dr)_i = c_i is asked for, are as soft as a small share of their own W_ii, C_i = 1/(give W_ii),
// and refinement on the equation itself takes that out again, so that redundant joints leave a regular matrix.
// compressed.h is the same system seen from the contacts; it takes any W, this one those of small bodies.

#ifndef RICO_SOLVE_BODY_SYSTEM_H
#define RICO_SOLVE_BODY_SYSTEM_H

#include "solve/body_graph.h"

typedef struct rico_body_system rico_body_system;

// The problem must outlive it. graph: NULL, or where the graph of the problem is, which the system takes, or makes if there is none yet.
rico_status rico_body_system_create(rico_problem *problem, rico_body_graph **graph, rico_body_system **out);
void rico_body_system_destroy(rico_body_system *system);

// W_aa of the contact a, row-major with the stride of its size; and the largest W_ii of the joint a.
void rico_body_system_diagonal(const rico_body_system *system, int64_t a, double *block);
double rico_body_system_joint_scale(const rico_body_system *system, int64_t a);

// Factors for C, laid out as for rico_compressed_factor().
rico_status rico_body_system_factor(rico_body_system *system, const double *C);

// dr from c, m entries each (not the same array); with iterative refinement when asked to, and always with joints.
void rico_body_system_solve(rico_body_system *system, const double *C, const double *c, double *dr,
                            bool refine);

// W dr for the dr of the last solve, which found it on its way: v = M^-1 H dr, with all the digits that dr lacks where C is large.
void rico_body_system_product(const rico_body_system *system, double *W_dr);

// u = H' M^-1 (H r + f) + w, without f and w unless they are asked for
void rico_body_system_velocity(rico_body_system *system, const double *r, bool free, double *u);

// The sign of det(I + C W) for the C of the last factorization; with joints, of the bordered matrix.
int rico_body_system_sign(const rico_body_system *system);

// Floating-point operations of one factorization.
double rico_body_system_flops(const rico_body_system *system);

#endif
