// The iteration matrix: a M + b C + c K, or the identity in its place, whichever was asked for last.

#include "support.h"

#include "step/iteration.h"

#include "ricochet/model.h"

// M = diag(2, 4)
static rico_assembly *make_assembly(rico_context *ctx, rico_system **system)
{
    static const int64_t start[] = {0, 1, 2}, row[] = {0, 1};
    static const double mass[] = {2.0, 4.0};
    const rico_matrix_part part = {.size = 2, .M = {2, 2, start, row, mass}};
    const double q[] = {0.0, 0.0};
    rico_place place;
    rico_assembly *assembly = NULL;
    assert_ok(ctx, rico_system_create(ctx, system));
    assert_ok(ctx, rico_system_add_matrices(*system, "pair", &part, &place));
    assert_ok(ctx, rico_system_complete(*system));
    assert_ok(ctx, rico_assembly_create(ctx, *system, &assembly));
    assert_ok(ctx, rico_assembly_mass(assembly, 0.0, q));
    return assembly;
}


static void assert_solves(rico_context *ctx, rico_iteration *iteration, double first, double second)
{
    double x[] = {8.0, 8.0};
    assert_ok(ctx, rico_iteration_solve(iteration, 1, x, x));
    assert_true(x[0] == first && x[1] == second);
}


// A factor that is valid may be that of another matrix.
static void test_mass_and_identity_take_turns(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_system *system = NULL;
    rico_assembly *assembly = make_assembly(ctx, &system);
    rico_iteration iteration = {0};
    bool changed = false;
    assert_ok(ctx, rico_iteration_create(assembly, &iteration));
    for (int turn = 0; turn < 2; turn++) {
        assert_ok(ctx, rico_iteration_set(&iteration, 1.0, 0.0, 0.0, &changed));
        assert_true(changed);
        assert_solves(ctx, &iteration, 4.0, 2.0);
        assert_ok(ctx, rico_iteration_set(&iteration, 1.0, 0.0, 0.0, &changed));
        assert_false(changed);
        assert_ok(ctx, rico_iteration_set_identity(&iteration, &changed));
        assert_true(changed);
        assert_solves(ctx, &iteration, 8.0, 8.0);
        assert_ok(ctx, rico_iteration_set_identity(&iteration, &changed));
        assert_false(changed);
    }
    rico_iteration_destroy(&iteration);
    rico_assembly_destroy(assembly);
    rico_system_destroy(system);
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mass_and_identity_take_turns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
