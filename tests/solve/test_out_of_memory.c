// Every allocation of a solve fails in turn: each time a clear status, nothing leaked, nothing half done. And a
// sweep allocates nothing at all.
//
// SuiteSparse allocates for itself; its own hooks are pointed at the same counter. The sanitizers' leak check
// covers what the count of live blocks here does not see.

#include "counting_memory.h"

#include "ricochet/generate.h"
#include "ricochet/solver.h"

// A heap that a solver of this mask takes: in space, else in the plane, else without friction.
static rico_problem *heap_problem(rico_context *ctx, unsigned takes, bool reduced)
{
    rico_random_heap heap = rico_random_heap_default();
    if (!(takes & RICO_TAKES_COULOMB_3D)) heap.dimension = 2;
    if (!(takes & (RICO_TAKES_COULOMB_3D | RICO_TAKES_COULOMB_2D))) heap.friction = 0.0;
    heap.contacts = 8;
    heap.bodies = 6;
    heap.joints = 1;
    heap.reduced = reduced;
    rico_problem *p = NULL;
    rico_status status = rico_generate_random(ctx, &heap, &p);
    return status ? NULL : p;
}


// A whole life: generate, set up, solve, new vectors, solve again. Returns the status that ended it.
static rico_status live(rico_context *ctx, const char *name, bool reduced)
{
    rico_problem *p = heap_problem(ctx, rico_solver_find(name)->takes, reduced);
    if (!p) return RICO_NO_MEMORY;
    double *r = rico_alloc(ctx, rico_problem_rows(p), sizeof *r);
    rico_solver *solver = NULL;
    rico_report report;
    rico_status status = r ? rico_solver_create(ctx, name, &solver) : RICO_NO_MEMORY;
    if (!status) status = rico_solver_set(solver, "history", "true");
    if (!status) status = rico_solver_set(solver, "max-iter", "20");
    // its sweeps would solve the heap before any other stage allocates
    if (!status && strcmp(name, "auto") == 0) status = rico_solver_set(solver, "sweeps", "no");
    if (!status) status = rico_solver_setup(solver, p);
    if (!status) status = rico_solver_solve(solver, r, NULL, &report);
    if (!status && !reduced)
        status = rico_problem_set_force(p, rico_problem_force(p), rico_problem_offset(p));
    if (!status) status = rico_solver_update(solver);
    if (!status) status = rico_solver_solve(solver, r, NULL, &report);
    for (int64_t i = 0; !status && i < rico_problem_rows(p); i++)
        if (!isfinite(r[i])) status = RICO_INTERNAL;
    rico_solver_destroy(solver);
    rico_free(ctx, r);
    rico_problem_destroy(p);
    return status;
}


static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    for (int index = 0; rico_solver_at(index); index++) {
        const rico_solver_info *info = rico_solver_at(index);
        if (!(info->takes & RICO_TAKES_EQUALITY)) continue; // the heap has a joint
        for (int reduced = 0; reduced < (info->takes & RICO_TAKES_REDUCED ? 2 : 1); reduced++) {
            int failures = 0;
            for (int64_t k = 0;; k++) {
                memory.until_failure = -1;
                memory.live = 0;
                rico_context *ctx = rico_context_create(&allocator);
                memory.until_failure = k;
                rico_status status = live(ctx, info->name, reduced);
                bool survived = memory.until_failure >= 0; // the k-th allocation never came
                memory.until_failure = -1;
                if (status && status != RICO_NO_MEMORY)
                    fail_msg("%s: allocation %lld failing gives \"%s: %s\"", info->name, (long long)k,
                             rico_status_name(status), rico_message(ctx));
                if (status) {
                    failures++;
                    assert_non_null(strstr(rico_message(ctx), "memory"));
                }
                rico_context_destroy(ctx);
                assert_int_equal(memory.live, 0);
                if (survived) {
                    assert_int_equal(status, RICO_OK);
                    break;
                }
            }
            assert_true(failures > 20);
        }
    }
}


static void test_solving_allocates_nothing(void **state)
{
    (void)state;
    memory.until_failure = -1;
    static const char *const names[] = {"nsgs", "nsgs-ac-gp", "nsgs-fp-vi-upk", "psor-ac",   "nsgs-anderson",
                                        "pcg",  "nsn-ac-gp",  "nsn-nm",         "ppa-nsn-ac"};
    rico_context *ctx = rico_context_create(&allocator);
    for (int run = 0; run < 2 * (int)(sizeof names / sizeof names[0]); run++) {
        rico_problem *p = heap_problem(ctx, rico_solver_find(names[run / 2])->takes, run % 2 == 1);
        double *r = rico_alloc(ctx, rico_problem_rows(p), sizeof *r);
        rico_solver *solver = NULL;
        rico_report report;
        assert_ok(ctx, rico_solver_create(ctx, names[run / 2], &solver));
        assert_ok(ctx, rico_solver_set(solver, "tol", "0"));
        assert_ok(ctx, rico_solver_set(solver, "max-iter", "30"));
        assert_ok(ctx, rico_solver_setup(solver, p));
        int64_t before = memory.total;
        assert_ok(ctx, rico_solver_solve(solver, r, NULL, &report));
        assert_true(report.iterations > 3);
        assert_int_equal(memory.total, before);
        rico_solver_destroy(solver);
        rico_free(ctx, r);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


int main(void)
{
    count_suitesparse_memory();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_solving_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
