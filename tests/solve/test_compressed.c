// The compressed systems dr = c - C W dr against dense elimination: solutions and the sign of the determinant.

#include "dense_reference.h"
#include "heavy_tower.h"

#include "base/random.h"
#include "problem/problem.h"
#include "ricochet/generate.h"
#include "solve/compressed.h"

// I + C W, row-major; the caller frees it.
static double *dense_system(const rico_problem *p, const double *C)
{
    int64_t m = p->rows;
    double *A = calloc((size_t)(m * m), sizeof *A);
    for (int64_t i = 0; i < m; i++) A[i * m + i] = 1.0;
    for (int64_t a = 0; a < p->block_count; a++)
        for (int64_t k = p->W.start[a]; k < p->W.start[a + 1]; k++)
            for (int64_t i = 0; i < 3; i++)
                for (int64_t j = 0; j < 3; j++)
                    for (int64_t l = 0; l < 3; l++)
                        A[(3 * a + i) * m + 3 * p->W.col[k] + j] +=
                            C[9 * a + 3 * i + l] * p->W.value[p->W.place[k] + 3 * l + j];
    return A;
}


// C of open, sticking and sliding contacts, and of any other kind; few bodies make groups of contacts.
static void test_against_elimination(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random random;
    rico_random_seed(&random, 3);
    int negative = 0;
    for (int round = 0; round < 40; round++) {
        rico_random_heap heap = rico_random_heap_default();
        heap.contacts = 24;
        heap.bodies = round % 2 ? 3 : 12;
        heap.reduced = true;
        heap.seed = (uint64_t)round + 1;
        rico_problem *p = NULL;
        rico_compressed *system = NULL;
        assert_ok(ctx, rico_generate_random(ctx, &heap, &p));
        assert_ok(ctx, rico_compressed_create(p, &system));
        int64_t m = p->rows;
        double *C = calloc((size_t)(9 * p->block_count), sizeof *C), *c = malloc((size_t)m * sizeof *c),
               *dr = malloc((size_t)m * sizeof *dr);
        for (int64_t a = 0; a < p->block_count; a++) {
            int kind = (int)rico_random_below(&random, 3);
            for (int i = 0; i < 9; i++) C[9 * a + i] = kind == 2 ? rico_random_normal(&random) : 0.0;
            for (int i = 0; kind == 1 && i < 3; i++) C[9 * a + 4 * i] = 10.0;
        }
        for (int64_t i = 0; i < m; i++) c[i] = rico_random_normal(&random);
        assert_ok(ctx, rico_compressed_factor(system, C));
        rico_compressed_solve(system, C, c, dr, true);

        double *A = dense_system(p, C), *again = dense_system(p, C);
        int sign = dense_sign(m, again);
        assert_int_equal(rico_compressed_sign(system), sign);
        negative += sign < 0;
        dense_solve(m, A, c);
        for (int64_t i = 0; i < m; i++) assert_near(dr[i], c[i], 1e-7 * (1.0 + fabs(c[i])));
        free(A);
        free(again);
        free(C);
        free(c);
        free(dr);
        rico_compressed_destroy(system);
        rico_problem_destroy(p);
    }
    assert_in_range(negative, 5, 35);
    rico_context_destroy(ctx);
}


// Where everything sticks, C is large and the velocities W dr are small differences of large terms. They must come out to round-off of those
// terms, not of C times them, whatever the masses.
static void test_masses_of_every_size(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random random;
    rico_random_seed(&random, 5);
    rico_problem *p = heavy_tower(ctx, 12, 0.5);
    rico_compressed *system = NULL;
    assert_ok(ctx, rico_compressed_create(p, &system));
    int64_t m = p->rows;
    double *C = calloc((size_t)(9 * p->block_count), sizeof *C), *x = malloc((size_t)m * sizeof *x),
           *v = malloc((size_t)m * sizeof *v), *c = malloc((size_t)m * sizeof *c),
           *dr = malloc((size_t)m * sizeof *dr), *left = malloc((size_t)m * sizeof *left);
    for (double slack = 1e2; slack < 1e11; slack *= 1e2) {
        double largest = 0.0;
        for (int64_t i = 0; i < m; i++) {
            int64_t storey = i / 12;
            x[i] = rico_random_normal(&random) * pow(3.0, (double)storey);
        }
        rico_block_times(&p->W, x, NULL, v);
        for (int64_t a = 0; a < p->block_count; a++)
            for (int i = 0; i < 3; i++) C[9 * a + 4 * i] = slack;
        for (int64_t i = 0; i < m; i++) c[i] = slack * v[i];
        assert_ok(ctx, rico_compressed_factor(system, C));
        rico_compressed_solve(system, C, c, dr, true);
        rico_block_times(&p->W, dr, NULL, left);
        for (int64_t i = 0; i < m; i++) largest = fmax(largest, fabs(x[i]));
        for (int64_t i = 0; i < m; i++) assert_near(left[i] + dr[i] / slack, v[i], 1e-10 * largest);
    }
    free(C);
    free(x);
    free(v);
    free(c);
    free(dr);
    free(left);
    rico_compressed_destroy(system);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_elimination),
                                       cmocka_unit_test(test_masses_of_every_size)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
