// The bound on friction below which a problem has one solution: never above a friction with two, and what it proves, inequality (41),
// looked at along random directions.

#include "support.h"

#include "ricochet/ricochet.h"

static rico_problem *from_dense(rico_context *ctx, int64_t blocks, const rico_block *block, int64_t n,
                                const double *W, const double *q)
{
    int64_t start[16], row[225];
    double value[225];
    for (int64_t j = 0; j <= n; j++) start[j] = j * n;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            row[j * n + i] = i;
            value[j * n + i] = W[i * n + j];
        }
    rico_sparse_view view = {n, n, start, row, value};
    rico_problem *p = NULL;
    assert_ok(ctx, rico_problem_create_reduced(ctx, blocks, block, &view, q, &p));
    return p;
}


static rico_uniqueness bound_of(rico_context *ctx, rico_problem *p)
{
    rico_uniqueness out;
    assert_ok(ctx, rico_problem_uniqueness(p, &out));
    assert_true(strlen(out.sentence) > 10);
    return out;
}


// One contact in the plane, W = (1 c; c 1). Of the states open, stick, slide right, slide left: how many answer q.
static int count_answers(double c, double mu, const double q[2])
{
    int count = q[0] > 0.0; // open
    double det = 1.0 - c * c, stick[2] = {(c * q[1] - q[0]) / det, (c * q[0] - q[1]) / det};
    count += stick[0] > 0.0 && fabs(stick[1]) < mu * stick[0];
    for (int sign = -1; sign <= 1; sign += 2) {
        double normal = -q[0] / (1.0 - sign * mu * c), slip = q[1] + (c - sign * mu) * normal;
        count += normal > 0.0 && sign * slip > 0.0;
    }
    return count;
}


// For c mu > 1 a contact may take off, or be pulled along: two answers (Klarbring 1990). Below the bound every q has exactly one.
static void test_one_contact_in_the_plane(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random random;
    rico_random_seed(&random, 3);
    for (int k = 1; k < 10; k++) {
        double c = 0.1 * k, W[4] = {1, c, c, 1}, q[2] = {0.2, 2.0};
        rico_block block = {RICO_COULOMB_2D, 2, 0.4};
        rico_problem *p = from_dense(ctx, 1, &block, 2, W, q);
        rico_uniqueness found = bound_of(ctx, p);
        assert_true(found.friction > 0.0);
        assert_true(found.friction <= 1.0 / c);
        assert_near(found.friction, 0.4 * found.factor, 1e-12);
        assert_int_equal(found.unique, found.factor > 1.0);
        rico_problem_destroy(p);

        for (int round = 0; round < 2000; round++) {
            double any[2] = {rico_random_normal(&random), rico_random_normal(&random)};
            assert_int_equal(count_answers(c, found.friction, any), 1);
        }

        // beyond 1/c, open and slipping both answer, and the library's own judge says so
        block.friction = 1.5 / c;
        p = from_dense(ctx, 1, &block, 2, W, q);
        double open[2] = {0.0, 0.0}, normal = q[0] / (block.friction * c - 1.0),
               slide[2] = {normal, -block.friction * normal};
        double slip = q[1] + c * slide[0] + slide[1];
        rico_residual residual;
        assert_ok(ctx, rico_problem_residual(p, open, NULL, &residual));
        assert_near(residual.relative, 0.0, 1e-14);
        if (slip > 0.0) {
            assert_true(count_answers(c, block.friction, q) > 1);
            assert_ok(ctx, rico_problem_residual(p, slide, NULL, &residual));
            assert_near(residual.relative, 0.0, 1e-14);
        } else {
            assert_true(k < 5); // only where friction is large does the slip need a larger q
        }
        assert_false(bound_of(ctx, p).unique);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


// d'W d - sum mu |d_N| |(W d)_T| stays positive at the bound, W unsymmetric too: along random directions and after going downhill.
static void test_inequality_holds(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random random;
    rico_random_seed(&random, 8);
    enum { CONTACTS = 3, N = 3 * CONTACTS };
    for (int round = 0; round < 20; round++) {
        double B[N][N], W[N * N] = {0}, q[N] = {-1};
        rico_block blocks[CONTACTS];
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) B[i][j] = rico_random_normal(&random);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                for (int k = 0; k < N; k++) W[i * N + j] += B[i][k] * B[j][k];
                W[i * N + j] += i == j ? 1.0 : round % 2 ? 0.0 : i < j ? 0.5 : -0.5;
            }
        for (int a = 0; a < CONTACTS; a++)
            blocks[a] = (rico_block){RICO_COULOMB_3D, 3, rico_random_range(&random, 0.2, 1.0)};
        rico_problem *p = from_dense(ctx, CONTACTS, blocks, N, W, q);
        rico_uniqueness found = bound_of(ctx, p);
        assert_true(found.factor > 0.0);
        rico_problem_destroy(p);

        double least = INFINITY, best[N] = {0};
        for (int trial = 0; trial < 20000; trial++) {
            double d[N], u[N] = {0}, value = 0.0, size = 0.0, step = trial < 1000 ? INFINITY : 0.1;
            for (int i = 0; i < N; i++) {
                double change = rico_random_normal(&random);
                d[i] = isinf(step) ? change : best[i] + step * change;
                size += d[i] * d[i];
            }
            for (int i = 0; i < N; i++) d[i] /= sqrt(size);
            for (int i = 0; i < N; i++) {
                for (int j = 0; j < N; j++) u[i] += W[i * N + j] * d[j];
                value += d[i] * u[i];
            }
            for (int a = 0; a < CONTACTS; a++)
                value -=
                    found.factor * blocks[a].friction * fabs(d[3 * a]) * hypot(u[3 * a + 1], u[3 * a + 2]);
            if (value >= least) continue;
            least = value;
            memcpy(best, d, sizeof best);
        }
        assert_true(least > 0.0);
    }
    rico_context_destroy(ctx);
}


// Half the friction, twice the factor; different methods from different starts meet.
static void test_bound_scales_and_solutions_meet(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (uint64_t seed = 1; seed <= 5; seed++) {
        rico_random_heap heap = rico_random_heap_default();
        heap.contacts = 12;
        heap.bodies = 30;
        heap.friction = 0.5;
        heap.seed = seed;
        rico_problem *p = NULL;
        assert_ok(ctx, rico_generate_random(ctx, &heap, &p));
        rico_uniqueness whole = bound_of(ctx, p);
        rico_problem_destroy(p);
        assert_true(whole.factor > 0.0);
        heap.friction = 0.99 * whole.friction;
        assert_ok(ctx, rico_generate_random(ctx, &heap, &p));
        rico_uniqueness below = bound_of(ctx, p);
        assert_true(below.unique);
        assert_near(below.friction, whole.friction, 0.02 * whole.friction);

        static const char *const names[] = {"nsgs", "nsn-fb-gp", "eg-vi-upk"};
        int64_t m = rico_problem_rows(p);
        double *r = calloc((size_t)m, sizeof *r), *first = calloc((size_t)m, sizeof *first), size = 0.0;
        for (int i = 0; i < 3; i++) {
            rico_solver *solver = NULL;
            rico_report report;
            double *to = i ? r : first;
            for (int64_t k = 0; k < m; k++) to[k] = (double)i * (k % 3 == 0 ? 3.0 : 0.5);
            assert_ok(ctx, rico_solver_create(ctx, names[i], &solver));
            assert_ok(ctx, rico_solver_set(solver, "tol", "1e-11"));
            assert_ok(ctx, rico_solver_setup(solver, p));
            assert_ok(ctx, rico_solver_solve(solver, to, NULL, &report));
            assert_int_equal(report.stop, RICO_CONVERGED);
            for (int64_t k = 0; !i && k < m; k++) size = fmax(size, fabs(to[k]));
            for (int64_t k = 0; k < m; k++) assert_near(to[k], first[k], 1e-6 * size);
            rico_solver_destroy(solver);
        }
        free(r);
        free(first);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


// Where the theory says nothing, nothing is said.
static void test_what_is_not_claimed(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_block contact = {RICO_COULOMB_3D, 3, 0.5};
    double flat[9] = {1, 0, 0, 0, 1, 0, 0, 0, 0}, one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-1, 0.5, 0};
    rico_problem *p = from_dense(ctx, 1, &contact, 3, flat, q);
    rico_uniqueness found = bound_of(ctx, p);
    assert_false(found.unique);
    assert_true(found.factor == 0.0 && isnan(found.friction));
    assert_non_null(strstr(found.sentence, "positive definite"));
    rico_problem_destroy(p);

    contact.friction = 0.0;
    p = from_dense(ctx, 1, &contact, 3, one, q);
    assert_true(bound_of(ctx, p).unique);
    rico_problem_destroy(p);

    const rico_block elliptic = {RICO_ELLIPTIC, 3, 0.5, .friction_2 = 0.3};
    p = from_dense(ctx, 1, &elliptic, 3, one, q);
    found = bound_of(ctx, p);
    assert_false(found.unique);
    assert_non_null(strstr(found.sentence, "Coulomb"));
    rico_problem_destroy(p);

    rico_random_heap heap = rico_random_heap_default();
    heap.contacts = 400;
    heap.bodies = 800;
    assert_ok(ctx, rico_generate_random(ctx, &heap, &p));
    found = bound_of(ctx, p);
    assert_false(found.unique);
    assert_non_null(strstr(found.sentence, "1000 rows"));
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_contact_in_the_plane),
        cmocka_unit_test(test_inequality_holds),
        cmocka_unit_test(test_bound_scales_and_solutions_meet),
        cmocka_unit_test(test_what_is_not_claimed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
