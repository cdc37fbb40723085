// auto: every kind of problem, redundant contacts, proof of impossibility, honesty with parts switched off.

#include "heavy_tower.h"
#include "support.h"

#include "ricochet/generate.h"
#include "ricochet/solver.h"

static rico_stop solve_with(rico_context *ctx, rico_problem *p, const char *const *settings,
                            rico_report *report)
{
    rico_solver *solver = NULL;
    double *r = calloc((size_t)rico_problem_rows(p) + 1, sizeof *r);
    assert_ok(ctx, rico_solver_create(ctx, "auto", &solver));
    for (; settings && settings[0]; settings += 2)
        assert_ok(ctx, rico_solver_set(solver, settings[0], settings[1]));
    assert_ok(ctx, rico_solver_setup(solver, p));
    assert_ok(ctx, rico_solver_solve(solver, r, NULL, report));
    for (int64_t i = 0; i < rico_problem_rows(p); i++) assert_true(isfinite(r[i]));

    // the residual is that of what came out
    rico_residual residual;
    assert_ok(ctx, rico_problem_residual(p, r, NULL, &residual));
    assert_near(residual.relative, report->residual.relative, 1e-3 * residual.relative + 1e-14);
    rico_solver_destroy(solver);
    free(r);
    return report->stop;
}


// More rows than dofs, joints, both dimensions, frictionless and rough: all to 1e-10, global and reduced.
static void test_heaps_of_every_kind(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    static const char *const tight[] = {"tol", "1e-10", NULL};
    static const double frictions[] = {0.0, 0.3, 0.8};
    for (int k = 0; k < 24; k++) {
        rico_random_heap heap = rico_random_heap_default();
        heap.contacts = 60;
        heap.bodies = k % 2 ? 15 : 50;
        heap.joints = k % 4 == 3 ? 4 : 0;
        heap.dimension = (k / 2) % 2 ? 2 : 3;
        heap.friction = frictions[k % 3];
        heap.reduced = k % 5 == 0;
        heap.seed = (uint64_t)k + 1;
        rico_problem *p = NULL;
        rico_report report;
        assert_ok(ctx, rico_generate_random(ctx, &heap, &p));
        if (solve_with(ctx, p, tight, &report) != RICO_CONVERGED)
            fail_msg("heap %d: %s at %.3g (%s)", k, rico_stop_name(report.stop), report.residual.relative,
                     report.note);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


// Each Newton-like stage alone, without the sweeps, solves a redundant heap.
static void test_every_stage_works_alone(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    static const char *const settings[][17] = {
        {"apart", "no", "sweeps", "no", "proximal", "no", "smoothing", "no", "path", "no", "proximal-path",
         "no", "tol", "1e-4", NULL}, // its last digits are proximal's
        {"apart", "no", "sweeps", "no", "interior", "no", "smoothing", "no", "path", "no", "proximal-path",
         "no", "tol", "1e-7", NULL}, // with joints, its last digit is another stage's
        {"apart", "no", "sweeps", "no", "interior", "no", "proximal", "no", "smoothing", "yes", "path", "no",
         "proximal-path", "no", NULL},
        {"apart", "no", "sweeps", "no", "interior", "no", "proximal", "no", "smoothing", "no",
         "proximal-path", "no", "tol", "1e-5", NULL}, // likewise
        {"apart", "no", "sweeps", "no", "interior", "no", "proximal", "no", "smoothing", "no", "path", "no",
         NULL},
        {"sweeps", "no", "interior", "no", "proximal", "no", "smoothing", "no", "path", "no", "proximal-path",
         "no", "associated", "no", NULL},
    };
    for (uint64_t seed = 1; seed <= 4; seed++) {
        rico_random_heap heap = rico_random_heap_default();
        heap.contacts = 40;
        heap.bodies = 20;
        heap.friction = 0.4;
        heap.joints = seed == 2 ? 3 : 0;
        heap.dimension = seed == 3 ? 2 : 3;
        heap.seed = seed;
        rico_problem *p = NULL;
        assert_ok(ctx, rico_generate_random(ctx, &heap, &p));
        for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
            rico_report report;
            if (i == 2 && heap.joints > 0)
                continue; // smoothing alone runs away with joints, one time in five
            // a step fails, which ends it: the word is the others'
            if (i == 5 && heap.dimension == 2) continue;
            if (solve_with(ctx, p, settings[i], &report) != RICO_CONVERGED)
                fail_msg("seed %d, stage %d: %s at %.3g", (int)seed, (int)i, rico_stop_name(report.stop),
                         report.residual.relative);
        }
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


// Friction far above one: the curve of proximal points has folds, and goes around them to a solution all the same, from
// no impulse at all.
static void test_rough_heaps_around_folds(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    static const char *const alone[] = {"sweeps",    "no", "interior", "no", "proximal", "no",
                                        "smoothing", "no", "path",     "no", NULL};
    for (uint64_t seed = 1; seed <= 8; seed++) {
        rico_random_heap heap = rico_random_heap_default();
        heap.contacts = 80;
        heap.bodies = 20;
        heap.friction = 2.0;
        heap.seed = seed;
        rico_problem *p = NULL;
        rico_report report;
        assert_ok(ctx, rico_generate_random(ctx, &heap, &p));
        if (solve_with(ctx, p, alone, &report) != RICO_CONVERGED)
            fail_msg("seed %d: %s at %.3g", (int)seed, rico_stop_name(report.stop), report.residual.relative);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


// A ball between two walls that close in: no impulse helps, and auto proves it.
static void test_says_when_there_is_no_solution(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    int64_t startM[] = {0, 1, 2, 3}, rowM[] = {0, 1, 2}, startH[] = {0, 1, 2, 3, 4, 5, 6},
            rowH[] = {0, 1, 2, 0, 1, 2};
    double mass[] = {1, 1, 1}, H[] = {1, 1, 1, -1, 1, -1}, f[] = {0, 0.1, 0}, w[] = {-1, 0, 0, -1, 0, 0};
    const rico_block blocks[] = {{RICO_COULOMB_3D, 3, 0.5}, {RICO_COULOMB_3D, 3, 0.5}};
    rico_sparse_view M = {3, 3, startM, rowM, mass}, Hv = {3, 6, startH, rowH, H};
    rico_problem *p = NULL;
    rico_report report;
    assert_ok(ctx, rico_problem_create_global(ctx, 2, blocks, &M, &Hv, f, w, &p));
    assert_int_equal(solve_with(ctx, p, NULL, &report), RICO_NO_SOLUTION);
    assert_non_null(strstr(report.note, "W'c = 0"));

    // the same walls at rest: jammed, but solvable
    const double still[6] = {0};
    assert_ok(ctx, rico_problem_set_force(p, NULL, still));
    assert_int_equal(solve_with(ctx, p, NULL, &report), RICO_CONVERGED);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


static void test_gives_up_honestly(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    static const char *const nothing[] = {
        "sweeps",        "no", "interior",   "no", "proximal", "no", "smoothing", "no", "path", "no",
        "proximal-path", "no", "associated", "no", "apart",    "no", NULL};
    static const char *const few[] = {"tol", "0", "max-iter", "9", NULL};
    rico_random_heap heap = rico_random_heap_default();
    heap.contacts = 30;
    heap.bodies = 20;
    rico_problem *p = NULL;
    rico_report report;
    assert_ok(ctx, rico_generate_random(ctx, &heap, &p));
    assert_int_equal(solve_with(ctx, p, nothing, &report), RICO_STALLED);
    assert_non_null(strstr(report.note, "residual"));
    assert_int_equal(solve_with(ctx, p, few, &report), RICO_MAX_ITERATIONS);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


static rico_problem *scene(rico_context *ctx, const char *kind, int64_t contacts)
{
    rico_scene_recipe recipe = rico_scene_recipe_default();
    recipe.kind = kind;
    recipe.contacts = contacts;
    rico_problem *p = NULL;
    assert_ok(ctx, rico_generate_scene(ctx, &recipe, &p));
    return p;
}


// A heap large enough for sweeps by colour: the same impulses to the last bit, whatever the number of threads.
static void test_threads_change_nothing(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_problem *p = scene(ctx, "spheres", 7500);
    size_t count = (size_t)rico_problem_rows(p);
    double *first = calloc(count, sizeof *first), *r = calloc(count, sizeof *r);
    int64_t iterations = 0;
    static const char *const threads[] = {"1", "2", "3", "0"};
    for (int k = 0; k < 4; k++) {
        rico_solver *solver = NULL;
        rico_report report;
        assert_ok(ctx, rico_solver_create(ctx, "auto", &solver));
        assert_ok(ctx, rico_solver_set(solver, "tol", "1e-6"));
        assert_ok(ctx, rico_solver_set(solver, "threads", threads[k]));
        assert_ok(ctx, rico_solver_setup(solver, p));
        memset(r, 0, count * sizeof *r);
        assert_ok(ctx, rico_solver_solve(solver, r, NULL, &report));
        assert_int_equal(report.stop, RICO_CONVERGED);
        if (k == 0) {
            memcpy(first, r, count * sizeof *r);
            iterations = report.iterations;
        }
        assert_int_equal(report.iterations, iterations);
        assert_memory_equal(r, first, count * sizeof *r);
        rico_solver_destroy(solver);
    }
    free(first);
    free(r);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


// Step 1 of a scene from the impulses of step 0: few iterations, and impulses that solve the problem with W too, which the
// solver has not formed.
static void check_next_step(rico_context *ctx, const char *kind, int64_t contacts, const char *warm,
                            int64_t *iterations)
{
    rico_scene_recipe recipe = rico_scene_recipe_default();
    recipe.kind = kind;
    recipe.contacts = contacts;
    rico_problem *p = NULL, *next = NULL, *reduced = NULL;
    assert_ok(ctx, rico_generate_scene(ctx, &recipe, &p));
    recipe.step = 1;
    assert_ok(ctx, rico_generate_scene(ctx, &recipe, &next));
    recipe.reduced = true;
    assert_ok(ctx, rico_generate_scene(ctx, &recipe, &reduced));
    double *r = calloc((size_t)rico_problem_rows(p), sizeof *r);
    rico_solver *solver = NULL;
    rico_report report;
    rico_residual residual;
    assert_ok(ctx, rico_solver_create(ctx, "auto", &solver));
    assert_ok(ctx, rico_solver_set(solver, "tol", "1e-6"));
    assert_ok(ctx, rico_solver_set(solver, "warm", warm));
    assert_ok(ctx, rico_solver_setup(solver, p));
    assert_ok(ctx, rico_solver_solve(solver, r, NULL, &report));
    assert_int_equal(report.stop, RICO_CONVERGED);
    assert_ok(ctx, rico_problem_set_force(p, rico_problem_force(next), rico_problem_offset(next)));
    assert_ok(ctx, rico_solver_update(solver));
    assert_ok(ctx, rico_solver_solve(solver, r, NULL, &report));
    assert_int_equal(report.stop, RICO_CONVERGED);
    assert_ok(ctx, rico_problem_residual(reduced, r, NULL, &residual));
    assert_true(residual.relative < 1.01e-6);
    *iterations = report.iterations;
    rico_solver_destroy(solver);
    rico_problem_destroy(p);
    rico_problem_destroy(next);
    rico_problem_destroy(reduced);
    free(r);
}


static void test_warm_steps(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    static const char *const kinds[] = {"wall", "tower", "chain", "bed", "spheres"};
    for (int k = 0; k < 5; k++) {
        int64_t with, without;
        check_next_step(ctx, kinds[k], 1000, "yes", &with);
        check_next_step(ctx, kinds[k], 1000, "no", &without);
        assert_true(with <= 100);
        if (k < 2) assert_true(with < without); // news go from one end to the other: Newton's from the start
    }
    // a wall whose systems are not slim: inside of the cones at once, a handful of systems after the sweeps
    int64_t inside;
    check_next_step(ctx, "wall", 2500, "yes", &inside);
    assert_true(inside <= 35);
    rico_context_destroy(ctx);
}


// Sweeps alone would take more than a hundred thousand: news travels one link a sweep, and the condition is that of a
// string.
static void test_long_chain(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_problem *p = scene(ctx, "chain", 10000);
    static const char *const settings[] = {"tol", "1e-6", "max-iter", "500", NULL};
    rico_report report;
    assert_int_equal(solve_with(ctx, p, settings, &report), RICO_CONVERGED);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


// A plate on two feet in the plane: three dofs, four rows, so that W is singular. Sweeps alone creep; a handful of
// accelerated ones is enough.
static void test_two_redundant_contacts(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    int64_t startM[] = {0, 1, 2, 3}, rowM[] = {0, 1, 2}, startH[] = {0, 2, 4, 6, 8};
    int64_t rowH[] = {1, 2, 0, 2, 1, 2, 0, 2}; // dofs: x, y, turn; feet at (-1, -0.1) and (1, -0.1)
    double mass[] = {1.0, 1.0, 0.35}, H[] = {1.0, -1.0, 1.0, 0.1, 1.0, 1.0, 1.0, 0.1};
    double f[] = {0.3, -1.0, 0.2}, w[] = {0.0, 0.0, 0.0, 0.0};
    const rico_block blocks[] = {{RICO_COULOMB_2D, 2, 0.01}, {RICO_COULOMB_2D, 2, 0.01}};
    rico_sparse_view M = {3, 3, startM, rowM, mass}, Hv = {3, 4, startH, rowH, H};
    rico_problem *p = NULL;
    rico_report report;
    static const char *const settings[] = {"tol", "1e-12", "max-iter", "40", NULL};
    assert_ok(ctx, rico_problem_create_global(ctx, 2, blocks, &M, &Hv, f, w, &p));
    assert_int_equal(solve_with(ctx, p, settings, &report), RICO_CONVERGED);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


// A body 500,000 times as heavy as the one at the bottom, by all stages, and by each of two alone with Newton's steps.
static void test_towers_of_growing_mass(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    static const char *const all[] = {"tol", "1e-8", NULL};
    static const char *const cold[] = {"tol", "1e-8", "sweeps", "no", "interior", "no", "path", "no", NULL};
    static const char *const *const settings[] = {all, cold};
    for (int cubes = 4; cubes <= 12; cubes += 4)
        for (int k = 0; k < 2; k++) {
            rico_problem *p = heavy_tower(ctx, cubes, 0.5);
            rico_report report;
            if (solve_with(ctx, p, settings[k], &report) != RICO_CONVERGED)
                fail_msg("%d cubes: %s at %.3g (%s)", cubes, rico_stop_name(report.stop),
                         report.residual.relative, report.note);
            rico_problem_destroy(p);
        }
    rico_context_destroy(ctx);
}


// Heavier still: impulses are 4e7 of |q| in the velocities that they give their contacts, and round-off 1e-8. A vector of normals that W nearly
// does not see is no proof against a solution at hand.
static void test_heavy_towers_are_possible(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    static const char *const tolerance[] = {"tol", "2e-8", NULL};
    const double frictions[] = {0.3, 0.5, 0.7, 0.9};
    for (int k = 0; k < 4; k++) {
        rico_problem *p = heavy_tower(ctx, 15, frictions[k]);
        rico_infeasibility proof;
        rico_report report;
        if (solve_with(ctx, p, tolerance, &report) != RICO_CONVERGED)
            fail_msg("friction %g: %s at %.3g (%s)", frictions[k], rico_stop_name(report.stop),
                     report.residual.relative, report.note);
        assert_ok(ctx, rico_problem_infeasibility(p, NULL, &proof));
        assert_false(proof.found);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_heaps_of_every_kind),
        cmocka_unit_test(test_every_stage_works_alone),
        cmocka_unit_test(test_rough_heaps_around_folds),
        cmocka_unit_test(test_says_when_there_is_no_solution),
        cmocka_unit_test(test_gives_up_honestly),
        cmocka_unit_test(test_threads_change_nothing),
        cmocka_unit_test(test_warm_steps),
        cmocka_unit_test(test_long_chain),
        cmocka_unit_test(test_two_redundant_contacts),
        cmocka_unit_test(test_towers_of_growing_mass),
        cmocka_unit_test(test_heavy_towers_are_possible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
