// (W + D) x = b in both spaces and both kinds of storage, against plain elimination.

#include "dense_reference.h"
#include "failing_memory.h"

#include "ricochet/generate.h"
#include "solve/cone_system.h"

static rico_random random_state;

static rico_problem *make_heap(rico_context *ctx, int64_t contacts, int64_t bodies, int64_t joints,
                               bool reduced, uint64_t seed)
{
    rico_random_heap heap = rico_random_heap_default();
    heap.contacts = contacts;
    heap.bodies = bodies;
    heap.joints = joints;
    heap.reduced = reduced;
    heap.seed = seed;
    rico_problem *p = NULL;
    assert_ok(ctx, rico_generate_random(ctx, &heap, &p));
    return p;
}


// An invertible block: identity plus noise. Row-major.
static void random_block(int64_t size, double *block)
{
    for (int64_t i = 0; i < size * size; i++)
        block[i] = (i % (size + 1) == 0 ? 1.0 : 0.0) + rico_random_range(&random_state, -0.3, 0.3);
}


static void transpose(int64_t size, const double *block, double *out)
{
    for (int64_t i = 0; i < size; i++)
        for (int64_t j = 0; j < size; j++) out[i * size + j] = block[j * size + i];
}


// F r + (what is left of the system at x): F (W x) + d G^-1 x - F b = 0.
static void check_solution(const rico_cone_system *s, const double *Wx, const double *b, const double *x)
{
    for (int64_t a = 0; a < s->cells; a++) {
        int64_t first = s->offset[a], size = s->offset[a + 1] - first;
        double G[9], y[3], largest = 0.0;
        memcpy(G, &s->right[s->place[a]], (size_t)(size * size) * sizeof *G);
        memcpy(y, &x[first], (size_t)size * sizeof *y);
        dense_solve(size, G, y);
        for (int64_t i = 0; i < size; i++) {
            if (!isfinite(s->shift[first + i])) {
                assert_near(y[i], 0.0, 1e-12);
                continue;
            }
            double sum = s->shift[first + i] * y[i];
            for (int64_t j = 0; j < size; j++)
                sum += s->left[s->place[a] + i * size + j] * (Wx[first + j] - b[first + j]);
            largest = fmax(largest, fabs(sum));
        }
        assert_at_most(largest, 1e-8);
    }
}


static void check(rico_context *ctx, rico_problem *p, rico_space space, rico_storage storage, bool symmetric)
{
    int64_t m = rico_problem_rows(p);
    rico_cone_system *s = NULL;
    assert_ok(ctx, rico_cone_system_create(p, space, storage, symmetric, &s));
    if (space == RICO_SPACE_ROWS) assert_false(s->dofs);
    if (space == RICO_SPACE_DOFS) assert_true(s->dofs);
    bool dense;
    int64_t order = rico_cone_system_order(s, &dense);
    assert_true(s->dofs || order == m);
    if (storage != RICO_STORAGE_AUTO) assert_true(dense == (storage == RICO_STORAGE_DENSE));

    double *b = calloc((size_t)m, sizeof *b), *x = calloc((size_t)m, sizeof *x),
           *y = calloc((size_t)m, sizeof *y);
    for (int round = 0; round < 2; round++) { // the second on the same analysis
        for (int64_t a = 0; a < s->cells; a++) {
            int64_t size = s->offset[a + 1] - s->offset[a];
            random_block(size, &s->right[s->place[a]]);
            random_block(size, &s->left[s->place[a]]);
            if (symmetric) transpose(size, &s->right[s->place[a]], &s->left[s->place[a]]);
        }
        for (int64_t i = 0; i < m; i++) {
            b[i] = rico_random_normal(&random_state);
            // sizes far apart; now and then a coordinate is held
            s->shift[i] =
                i % 11 == 5 ? INFINITY : pow(10.0, rico_random_range(&random_state, -1.0, round ? 3.0 : 1.0));
        }
        assert_ok(ctx, rico_cone_system_factor(s));
        assert_ok(ctx, rico_cone_system_solve(s, b, x));
        assert_ok(ctx, rico_cone_system_response(s, x, y));
        check_solution(s, y, b, x);

        // in place
        assert_ok(ctx, rico_cone_system_solve(s, b, b));
        for (int64_t i = 0; i < m; i++) assert_true(b[i] == x[i]);
    }
    if (!s->exact) {
        rico_cone_system_model(s, x, b);
        assert_ok(ctx, rico_cone_system_response(s, x, y));
        for (int64_t i = 0; i < m; i++) assert_near(b[i], y[i], 1e-8);
    }
    free(b);
    free(x);
    free(y);
    rico_cone_system_destroy(s);
}


static void test_all_ways_solve_the_system(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random_seed(&random_state, 1);
    for (int kind = 0; kind < 8; kind++) {
        bool reduced = kind & 1, redundant = kind & 2, joints = kind & 4;
        rico_problem *p = make_heap(ctx, 30, redundant ? 6 : 40, joints ? 3 : 0, reduced, (uint64_t)kind);
        for (int storage = RICO_STORAGE_AUTO; storage <= RICO_STORAGE_DENSE; storage++)
            for (int symmetric = 0; symmetric < 2; symmetric++)
                for (int space = RICO_SPACE_DOFS; space >= RICO_SPACE_AUTO; space--)
                    check(ctx, p, (rico_space)space, (rico_storage)storage, symmetric);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


// Many contacts on few bodies: the choice is the space of velocities, and W is not formed on a global problem.
static void test_choice_of_the_space(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (int reduced = 0; reduced < 2; reduced++) {
        rico_cone_system *s = NULL;
        rico_problem *p = make_heap(ctx, 60, 5, 0, reduced, 7);
        assert_ok(ctx, rico_cone_system_create(p, RICO_SPACE_AUTO, RICO_STORAGE_AUTO, false, &s));
        assert_true(s->dofs);
        assert_int_equal(rico_cone_system_order(s, NULL), 30);
        assert_true(s->exact == !reduced);
        if (!reduced) assert_false(p->reduced);
        rico_cone_system_destroy(s);
        rico_problem_destroy(p);

        p = make_heap(ctx, 60, 200, 0, reduced, 7);
        assert_ok(ctx, rico_cone_system_create(p, RICO_SPACE_AUTO, RICO_STORAGE_AUTO, false, &s));
        assert_false(s->dofs);
        assert_true(s->exact);
        rico_cone_system_destroy(s);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


static void test_matrix_without_thin_factors_is_refused(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    int64_t start[] = {0, 1, 2}, row[] = {1, 0};
    double value[] = {1, 1}, q[] = {-1, -1};
    const rico_block blocks[] = {{RICO_UNILATERAL, 1, 0}, {RICO_UNILATERAL, 1, 0}};
    rico_sparse_view W = {2, 2, start, row, value};
    rico_problem *p = NULL;
    rico_cone_system *s = NULL;
    assert_ok(ctx, rico_problem_create_reduced(ctx, 2, blocks, &W, q, &p));
    assert_int_equal(rico_cone_system_create(p, RICO_SPACE_DOFS, RICO_STORAGE_AUTO, false, &s),
                     RICO_SINGULAR);
    assert_non_null(strstr(rico_message(ctx), "semidefinite"));
    assert_null(s);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


static void test_out_of_memory(void **state)
{
    (void)state;
    failing_memory memory;
    const rico_allocator allocator = {failing_allocate, failing_release, &memory};
    for (int kind = 0; kind < 8; kind++) {
        rico_space space = kind & 1 ? RICO_SPACE_DOFS : RICO_SPACE_ROWS;
        rico_storage storage = kind & 2 ? RICO_STORAGE_DENSE : RICO_STORAGE_SPARSE;
        for (int64_t k = 0;; k++) {
            memory.until_failure = -1;
            memory.live = 0;
            rico_context *ctx = rico_context_create(&allocator);
            rico_problem *p = make_heap(ctx, 8, 3, 1, kind & 4, 1);
            assert_ok(ctx, rico_problem_need_free_velocity(p));
            assert_ok(ctx, rico_problem_block_norms(p));
            rico_cone_system *s = NULL;
            memory.until_failure = k;
            rico_status status = rico_cone_system_create(p, space, storage, false, &s);
            bool survived = memory.until_failure >= 0;
            // factoring asks for nothing more
            memory.until_failure = 0;
            for (int64_t i = 0; !status && i < s->rows; i++) s->shift[i] = 1.0;
            if (!status) assert_ok(ctx, rico_cone_system_factor(s));
            memory.until_failure = -1;
            if (status) assert_int_equal(status, RICO_NO_MEMORY);
            rico_cone_system_destroy(s);
            rico_problem_destroy(p);
            rico_context_destroy(ctx);
            assert_int_equal(memory.live, 0);
            if (survived) break;
            assert_true(k < 1000);
        }
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_ways_solve_the_system),
        cmocka_unit_test(test_choice_of_the_space),
        cmocka_unit_test(test_matrix_without_thin_factors_is_refused),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
