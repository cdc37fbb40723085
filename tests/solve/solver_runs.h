// Shorthands for tests that run solvers by name.

#ifndef RICO_TESTS_SOLVER_RUNS_H
#define RICO_TESTS_SOLVER_RUNS_H

#include "support.h"

#include "ricochet/generate.h"
#include "ricochet/solver.h"

// Solves from r with the named solver; `options` is a list of names and values that ends with NULL.
static inline rico_report run_solver(rico_context *ctx, rico_problem *p, const char *name,
                                     const char *const *options, double *r)
{
    rico_solver *solver = NULL;
    rico_report report = {0};
    assert_ok(ctx, rico_solver_create(ctx, name, &solver));
    for (; options && options[0]; options += 2)
        assert_ok(ctx, rico_solver_set(solver, options[0], options[1]));
    assert_ok(ctx, rico_solver_setup(solver, p));
    assert_ok(ctx, rico_solver_solve(solver, r, NULL, &report));
    rico_solver_destroy(solver);
    return report;
}


static inline rico_problem *heap_of(rico_context *ctx, int64_t contacts, int64_t bodies, double mu,
                                    int64_t joints, int dimension, bool reduced, uint64_t seed)
{
    rico_random_heap heap = rico_random_heap_default();
    heap.contacts = contacts;
    heap.bodies = bodies;
    heap.friction = mu;
    heap.joints = joints;
    heap.dimension = dimension;
    heap.reduced = reduced;
    heap.seed = seed;
    rico_problem *p = NULL;
    assert_ok(ctx, rico_generate_random(ctx, &heap, &p));
    return p;
}


// One Coulomb contact and one unilateral row that nothing answers to, both pressed: W = 0, q < 0, no solution.
static inline rico_problem *hopeless_problem(rico_context *ctx)
{
    int64_t start[] = {0, 0, 0, 0, 0}, none = 0;
    double nothing = 0.0, q[4] = {-1, 0.5, 0, -1};
    const rico_block blocks[] = {{RICO_COULOMB_3D, 3, 0.5}, {RICO_UNILATERAL, 1, 0}};
    rico_sparse_view W = {4, 4, start, &none, &nothing};
    rico_problem *p = NULL;
    assert_ok(ctx, rico_problem_create_reduced(ctx, 2, blocks, &W, q, &p));
    return p;
}

#endif
