// Colouring: proper, complete, the same every time; sweeps by colour are bitwise the same on any number of threads.

#include "solve/solver_runs.h"

#include "problem/problem.h"
#include "solve/colour.h"
#include "solve/sweep.h"

// Colour of each block, -1 for the remainder; checks that order is a permutation that increases within each colour.
static int *colour_of(const rico_colouring *c)
{
    int *colour = malloc(((size_t)c->count + 1) * sizeof *colour);
    char *seen = calloc((size_t)c->count + 1, 1);
    assert_int_equal(c->start[0], 0);
    for (int k = 0; k <= c->colours; k++) {
        int64_t end = k < c->colours ? c->start[k + 1] : c->count;
        if (k < c->colours) assert_true(end > c->start[k]); // no colour is empty
        for (int64_t s = c->start[k]; s < end; s++) {
            int64_t a = c->order[s];
            assert_true(a >= 0 && a < c->count && !seen[a]);
            seen[a] = 1;
            colour[a] = k < c->colours ? k : -1;
            if (s > c->start[k]) assert_true(a > c->order[s - 1]);
        }
    }
    for (int64_t a = 0; a < c->count; a++) assert_true(seen[a]);
    free(seen);
    return colour;
}


static void test_neighbours_differ(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (uint64_t seed = 1; seed <= 5; seed++) {
        rico_problem *p = heap_of(ctx, 200, 60, 0.5, 5, 3, true, seed);
        rico_colouring *c = NULL, *again = NULL;
        assert_ok(ctx, rico_colour_matrix(&p->W, 1, &c));
        assert_ok(ctx, rico_colour_matrix(&p->W, 1, &again));
        assert_int_equal(c->colours, again->colours);
        assert_memory_equal(c->order, again->order, (size_t)c->count * sizeof *c->order);
        int *colour = colour_of(c);
        int64_t degree = 0;
        for (int64_t a = 0; a < p->block_count; a++) {
            int64_t around = p->W.start[a + 1] - p->W.start[a] - 1;
            if (around > degree) degree = around;
            for (int64_t k = p->W.start[a]; k < p->W.start[a + 1]; k++)
                if (p->W.col[k] != a && colour[a] >= 0) assert_true(colour[a] != colour[p->W.col[k]]);
        }
        assert_true(c->colours <= degree + 1); // what first fit promises
        free(colour);
        rico_colouring_destroy(c);
        rico_colouring_destroy(again);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


// A pattern with (a, b) but not (b, a): the two may still not share a colour, whichever comes first.
static void test_one_sided_neighbours(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (int below = 0; below < 2; below++) {
        int64_t start[] = {0, 1, 3}, row_above[] = {0, 0, 1}, start_below[] = {0, 2, 3},
                row_below[] = {0, 1, 1};
        double value[] = {1, 0.5, 1}, q[] = {-1, -1};
        rico_sparse_view W = {2, 2, below ? start_below : start, below ? row_below : row_above, value};
        const rico_block blocks[] = {{RICO_UNILATERAL, 1, 0}, {RICO_UNILATERAL, 1, 0}};
        rico_problem *p = NULL;
        rico_colouring *c = NULL;
        assert_ok(ctx, rico_problem_create_reduced(ctx, 2, blocks, &W, q, &p));
        assert_int_equal(rico_block_count(&p->W), 3);
        assert_ok(ctx, rico_colour_matrix(&p->W, 1, &c));
        assert_int_equal(c->colours, 2);
        rico_colouring_destroy(c);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


// A hundred contacts on one body are all neighbours: 64 get a colour each, the rest is left over. Two bodies that
// never meet share the colours.
static void test_remainder(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    int64_t start[151], item[150];
    for (int64_t a = 0; a < 150; a++) {
        start[a] = a;
        item[a] = a < 100 ? 0 : 1;
    }
    start[150] = 150;
    rico_colouring *c = NULL;
    assert_ok(ctx, rico_colour_incidence(ctx, 150, 1, start, item, 2, &c));
    assert_int_equal(c->colours, RICO_COLOUR_LIMIT);
    assert_int_equal(c->count - c->start[c->colours], 100 - RICO_COLOUR_LIMIT);
    int *colour = colour_of(c);
    for (int a = 0; a < 50; a++) {
        assert_int_equal(colour[a], a);
        assert_int_equal(colour[100 + a], a);
    }
    free(colour);
    rico_colouring_destroy(c);

    c = NULL; // nothing at all
    assert_ok(ctx, rico_colour_incidence(ctx, 0, 1, start, item, 0, &c));
    assert_int_equal(c->colours, 0);
    rico_colouring_destroy(c);
    rico_colouring_destroy(NULL);
    rico_context_destroy(ctx);
}


// Both forms of a problem have the same neighbours, hence the same colours.
static void test_both_forms_have_the_same_colours(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_problem *global = heap_of(ctx, 100, 50, 0.5, 4, 3, false, 2);
    rico_problem *reduced = heap_of(ctx, 100, 50, 0.5, 4, 3, true, 2);
    rico_sweeper *first = NULL, *second = NULL;
    assert_ok(ctx, rico_sweeper_create(global, &first));
    assert_ok(ctx, rico_sweeper_create(reduced, &second));
    assert_null(rico_sweeper_colouring(first));
    assert_ok(ctx, rico_sweeper_colour(first));
    assert_ok(ctx, rico_sweeper_colour(second));
    const rico_colouring *a = rico_sweeper_colouring(first), *b = rico_sweeper_colouring(second);
    assert_int_equal(a->colours, b->colours);
    assert_memory_equal(a->order, b->order, (size_t)a->count * sizeof *a->order);
    rico_sweeper_destroy(first);
    rico_sweeper_destroy(second);
    rico_problem_destroy(global);
    rico_problem_destroy(reduced);
    rico_context_destroy(ctx);
}


// Sweeps by colour on 1, 2 and 3 threads against the serial sweep in the same order: r and change, bit for bit. The
// second heap has a body that all contacts share, so that there is a remainder.
static void test_threads_change_nothing(void **state)
{
    (void)state;
    enum { SWEEPS = 20 };
    static const int threads[] = {1, 2, 3};
    rico_context *ctx = rico_context_create(NULL);
    for (int variant = 0; variant < 4; variant++) {
        rico_problem *p = variant < 2 ? heap_of(ctx, 300, 150, 0.6, 6, 3, variant == 1, 11)
                                      : heap_of(ctx, 80, 1, 0.6, 0, 3, variant == 3, 12);
        size_t m = (size_t)rico_problem_rows(p);
        rico_sweeper *sweeper = NULL;
        assert_ok(ctx, rico_sweeper_create(p, &sweeper));
        assert_ok(ctx, rico_sweeper_colour(sweeper));
        const rico_colouring *c = rico_sweeper_colouring(sweeper);
        if (variant >= 2) assert_true(c->start[c->colours] < c->count);

        double *serial = calloc(m, sizeof *serial), *r = malloc(m * sizeof *r), change[SWEEPS];
        for (int s = 0; s < SWEEPS; s++) change[s] = rico_sweep(sweeper, c->order, serial);
        for (size_t k = 0; k < sizeof threads / sizeof threads[0]; k++) {
            memset(r, 0, m * sizeof *r);
            rico_sweeper_restart(sweeper);
            for (int s = 0; s < SWEEPS; s++)
                assert_true(rico_sweep_by_colour(sweeper, threads[k], r) == change[s]);
            assert_memory_equal(r, serial, m * sizeof *r);
        }
        free(serial);
        free(r);
        rico_sweeper_destroy(sweeper);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


// The same through the solvers' options; `coloured` may be asked for before or after setup.
static void test_solvers_by_colour(void **state)
{
    (void)state;
    static const char *const names[] = {"nsgs", "nsgs-ac", "nsgs-fp-vi-upk", "nsgs-anderson"};
    static const char *const threads[] = {"1", "2", "0"};
    rico_context *ctx = rico_context_create(NULL);
    rico_problem *p = heap_of(ctx, 120, 140, 0.4, 3, 3, false, 5);
    size_t bytes = (size_t)rico_problem_rows(p) * sizeof(double);
    double *first = malloc(bytes), *r = malloc(bytes);
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        rico_report one;
        for (int k = 0; k < 3; k++) {
            memset(r, 0, bytes);
            const char *const options[] = {"order", "coloured", "threads", threads[k], NULL};
            rico_report report = run_solver(ctx, p, names[n], options, r);
            assert_int_equal(report.stop, RICO_CONVERGED);
            if (k == 0) {
                one = report;
                memcpy(first, r, bytes);
            }
            assert_int_equal(report.iterations, one.iterations);
            assert_memory_equal(r, first, bytes);
        }
        rico_solver *solver = NULL;
        rico_report late;
        assert_ok(ctx, rico_solver_create(ctx, names[n], &solver));
        assert_ok(ctx, rico_solver_setup(solver, p));
        assert_ok(ctx, rico_solver_set(solver, "order", "coloured"));
        memset(r, 0, bytes);
        assert_ok(ctx, rico_solver_solve(solver, r, NULL, &late));
        assert_memory_equal(r, first, bytes);
        rico_solver_destroy(solver);
    }
    free(first);
    free(r);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


// Units of several blocks: no two of one colour share a dof, the last one may be short, and all blocks are there once.
static void test_units(void **state)
{
    (void)state;
    enum { BLOCKS = 157, CHUNK = 10, DOFS = 400 };
    rico_context *ctx = rico_context_create(NULL);
    int64_t start[BLOCKS + 1] = {0}, item[2 * BLOCKS];
    rico_random random;
    rico_random_seed(&random, 5);
    for (int64_t a = 0; a < BLOCKS; a++) {
        // near dofs, as in a scene, and one that may be anywhere
        item[start[a]] = 2 * a + (int64_t)rico_random_range(&random, 0.0, 30.0);
        item[start[a] + 1] = a % 7 ? item[start[a]] : (int64_t)rico_random_range(&random, 0.0, DOFS - 1.0);
        start[a + 1] = start[a] + 2;
    }
    rico_colouring *c = NULL;
    assert_ok(ctx, rico_colour_incidence(ctx, BLOCKS, CHUNK, start, item, DOFS, &c));
    assert_int_equal(c->count, (BLOCKS + CHUNK - 1) / CHUNK);
    int *colour = colour_of(c);
    int64_t owner[DOFS], total = 0;
    for (int k = 0; k < c->colours; k++) {
        for (int d = 0; d < DOFS; d++) owner[d] = -1;
        for (int64_t s = c->start[k]; s < c->start[k + 1]; s++) {
            int64_t first, last;
            rico_colouring_unit(c, c->order[s], &first, &last);
            assert_true(last > first && last <= BLOCKS);
            total += last - first;
            for (int64_t i = start[first]; i < start[last]; i++) {
                assert_true(owner[item[i]] < 0 || owner[item[i]] == c->order[s]);
                owner[item[i]] = c->order[s];
            }
        }
    }
    assert_int_equal(c->start[c->colours], c->count); // no remainder here
    assert_int_equal(total, BLOCKS);
    free(colour);
    rico_colouring_destroy(c);

    // the same by a matrix
    rico_problem *p = heap_of(ctx, 200, 60, 0.5, 5, 3, true, 2);
    assert_ok(ctx, rico_colour_matrix(&p->W, CHUNK, &c));
    colour = colour_of(c);
    for (int64_t a = 0; a < p->block_count; a++)
        for (int64_t k = p->W.start[a]; k < p->W.start[a + 1]; k++) {
            int64_t u = a / CHUNK, v = p->W.col[k] / CHUNK;
            if (u != v && colour[u] >= 0) assert_true(colour[u] != colour[v]);
        }
    free(colour);
    rico_colouring_destroy(c);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_neighbours_differ),
        cmocka_unit_test(test_one_sided_neighbours),
        cmocka_unit_test(test_remainder),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_both_forms_have_the_same_colours),
        cmocka_unit_test(test_threads_change_nothing),
        cmocka_unit_test(test_solvers_by_colour),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
