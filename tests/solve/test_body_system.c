// (M + H C H') v = H c: what comes out solves dr = c - C W dr, on heaps and scenes, in the plane and in space.

#include "support.h"

#include "ricochet/generate.h"
#include "solve/stage.h"

// C = A A' plus a little of something unsymmetric, zero for every fourth block; nine numbers with the stride 3.
static double *random_scaling(rico_random *random, int64_t blocks)
{
    double *C = calloc((size_t)(9 * blocks), sizeof *C);
    for (int64_t a = 0; a < blocks; a++) {
        double A[9];
        for (int i = 0; i < 9; i++) A[i] = rico_random_range(random, -1.0, 1.0);
        for (int i = 0; a % 4 != 3 && i < 3; i++)
            for (int j = 0; j < 3; j++)
                for (int k = 0; k < 3; k++)
                    C[9 * a + 3 * i + j] += A[3 * i + k] * A[3 * j + k] + 0.01 * A[3 * i + j];
    }
    return C;
}


static double *random_vector(rico_random *random, int64_t count)
{
    double *x = malloc((size_t)count * sizeof *x);
    for (int64_t i = 0; i < count; i++) x[i] = rico_random_range(random, -1.0, 1.0);
    return x;
}


// dr + C W dr = c, with W dr through the problem's own velocity: u(dr) - u(0).
static void check_system(rico_context *ctx, rico_problem *p, uint64_t seed)
{
    rico_random random;
    rico_random_seed(&random, seed);
    int64_t rows = rico_problem_rows(p), blocks = rico_problem_block_count(p);
    double *C = random_scaling(&random, blocks), *c = random_vector(&random, rows);
    double *dr = calloc((size_t)rows, sizeof *dr), *u = calloc((size_t)rows, sizeof *u);
    double *mine = calloc((size_t)rows, sizeof *mine), *q = calloc((size_t)rows, sizeof *q);
    assert_ok(ctx, rico_problem_factor_mass(p));
    assert_true(rico_body_graph_takes(p));
    rico_body_system *s = NULL;
    assert_ok(ctx, rico_body_system_create(p, NULL, &s));
    assert_true(rico_body_system_flops(s) > 0.0);
    for (int refine = 0; refine < 2; refine++) {
        assert_ok(ctx, rico_body_system_factor(s, C));
        rico_body_system_solve(s, C, c, dr, refine);
        assert_ok(ctx, rico_problem_velocity(p, dr, u, NULL));
        assert_ok(ctx, rico_problem_velocity(p, mine, q, NULL)); // of zero
        for (int64_t a = 0; a < blocks; a++) {
            int64_t first = rico_problem_block_offset(p, a), size = rico_problem_block(p, a).size;
            bool joint = rico_problem_block(p, a).kind == RICO_EQUALITY;
            // a joint asks (W dr) = c of its rows
            for (int64_t i = 0; joint && i < size; i++)
                assert_near(u[first + i] - q[first + i], c[first + i], refine ? 1e-9 : 1e-5);
            for (int64_t i = 0; !joint && i < size; i++) {
                double sum = dr[first + i] - c[first + i];
                for (int64_t j = 0; j < size; j++)
                    sum += C[9 * a + 3 * i + j] * (u[first + j] - q[first + j]);
                assert_near(sum, 0.0, 1e-9);
            }
        }
    }

    // its own velocities and diagonal blocks are those of the problem
    double *velocity = calloc((size_t)rows, sizeof *velocity), *zero = calloc((size_t)rows, sizeof *zero),
           block[9];
    rico_body_system_velocity(s, dr, true, velocity);
    for (int64_t i = 0; i < rows; i++) assert_near(velocity[i], u[i], 1e-10);
    rico_body_system_velocity(s, zero, true, zero);
    rico_body_system_velocity(s, dr, false, velocity);
    for (int64_t i = 0; i < rows; i++) assert_near(velocity[i], u[i] - zero[i], 1e-10);
    free(zero);
    assert_ok(ctx, rico_problem_reduce(p));
    for (int64_t a = 0; a < blocks; a++) {
        int64_t k = p->W.diagonal[a], size = rico_problem_block(p, a).size;
        if (rico_problem_block(p, a).kind == RICO_EQUALITY) {
            double largest = 0.0;
            for (int64_t i = 0; i < size; i++)
                largest = fmax(largest, p->W.value[p->W.place[k] + i * size + i]);
            assert_near(rico_body_system_joint_scale(s, a), largest, 1e-11);
            continue;
        }
        rico_body_system_diagonal(s, a, block);
        for (int64_t i = 0; i < p->W.place[k + 1] - p->W.place[k]; i++)
            assert_near(block[i], p->W.value[p->W.place[k] + i], 1e-11);
    }
    rico_body_system_destroy(s);
    free(C);
    free(c);
    free(dr);
    free(u);
    free(mine);
    free(q);
    free(velocity);
}


static void test_heaps(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (uint64_t seed = 1; seed <= 6; seed++) {
        rico_random_heap heap = rico_random_heap_default();
        heap.contacts = 80;
        heap.bodies = seed % 2 ? 20 : 60;
        heap.dimension = seed % 3 ? 3 : 2;
        heap.friction = seed == 4 ? 0.0 : 0.5;
        heap.joints = seed > 4 ? 8 : 0;
        heap.seed = seed;
        rico_problem *p = NULL;
        assert_ok(ctx, rico_generate_random(ctx, &heap, &p));
        check_system(ctx, p, seed);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


static void test_scenes(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    static const char *const kinds[] = {"spheres", "bed", "chain", "wall", "tower"};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        rico_scene_recipe recipe = rico_scene_recipe_default();
        recipe.kind = kinds[k];
        recipe.contacts = 150;
        rico_problem *p = NULL;
        assert_ok(ctx, rico_generate_scene(ctx, &recipe, &p));
        check_system(ctx, p, k + 1);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


static void test_refuses_reduced_problems(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random_heap heap = rico_random_heap_default();
    heap.contacts = 20;
    heap.bodies = 10;
    heap.reduced = true;
    rico_problem *p = NULL;
    assert_ok(ctx, rico_generate_random(ctx, &heap, &p));
    assert_false(rico_body_graph_takes(p));
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


// A rod between two masses said twice, in one block and in two: W is singular, and the answer is one that holds both.
static void test_redundant_joints(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    int64_t start_M[] = {0, 1, 2}, row_M[] = {0, 1}, start_H[] = {0, 2, 4, 6, 7};
    int64_t row_H[] = {0, 1, 0, 1, 0, 1, 0};
    double mass[] = {2.0, 4.0}, H[] = {1, -1, 1, -1, 2, -2, 1}, f[2] = {0}, w[4] = {0};
    const rico_block blocks[] = {{RICO_EQUALITY, 2}, {RICO_EQUALITY, 1}, {RICO_UNILATERAL, 1}};
    rico_sparse_view M = {2, 2, start_M, row_M, mass}, J = {2, 4, start_H, row_H, H};
    rico_problem *p = NULL;
    rico_body_system *s = NULL;
    assert_ok(ctx, rico_problem_create_global(ctx, 3, blocks, &M, &J, f, w, &p));
    assert_ok(ctx, rico_problem_factor_mass(p));
    assert_ok(ctx, rico_body_system_create(p, NULL, &s));
    double C[27] = {[18] = 0.5}, c[4] = {0.3, 0.3, 0.6, -1.0}, dr[4], u[4];
    assert_ok(ctx, rico_body_system_factor(s, C));
    rico_body_system_solve(s, C, c, dr, true);
    assert_ok(ctx, rico_problem_velocity(p, dr, u, NULL));
    for (int i = 0; i < 3; i++) assert_near(u[i], c[i], 1e-10);
    assert_near(dr[3] + 0.5 * u[3], c[3], 1e-10);
    assert_true(fabs(dr[0]) < 10.0 && fabs(dr[2]) < 10.0); // nothing runs away in the kernel
    rico_body_system_destroy(s);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


// What a system costs is known from the graph alone, which the stage takes over.
static void test_price_before_the_stage(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_scene_recipe recipe = rico_scene_recipe_default();
    recipe.kind = "wall";
    recipe.contacts = 500;
    rico_problem *p = NULL;
    rico_body_graph *graph = NULL;
    rico_stage *stage = NULL;
    double told = 0.0;
    assert_ok(ctx, rico_generate_scene(ctx, &recipe, &p));
    assert_ok(ctx, rico_problem_factor_mass(p));
    assert_true(rico_stage_by_bodies(p));
    assert_ok(ctx, rico_stage_foretell(p, &graph, &told));
    assert_non_null(graph);
    assert_true(told > rico_stage_seconds_at_least(p));
    rico_body_graph *made = graph;
    assert_ok(ctx, rico_stage_foretell(p, &graph, &told));
    assert_ptr_equal(graph, made);
    assert_ok(ctx, rico_stage_create(p, &graph, &stage));
    assert_null(graph);
    assert_true(rico_stage_seconds(stage) == told);
    rico_stage_destroy(stage);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_heaps),
        cmocka_unit_test(test_scenes),
        cmocka_unit_test(test_refuses_reduced_problems),
        cmocka_unit_test(test_redundant_joints),
        cmocka_unit_test(test_price_before_the_stage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
