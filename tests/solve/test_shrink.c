// Smaller impulses for the same velocities: against least squares where no cone is in the way, and what must hold where one is.

#include "support.h"

#include "heavy_tower.h"
#include "la/dense.h"
#include "problem/problem.h"
#include "solve/method.h"
#include "solve/stage.h"

// A stage, and a run of a solver that nobody asks to solve.
typedef struct place {
    rico_context *ctx;
    rico_problem *p;
    rico_solver *solver;
    rico_stage *stage;
    rico_run run;
    double *r, *u;
} place;


static void begin(place *at, rico_problem *p)
{
    at->p = p;
    assert_ok(at->ctx, rico_solver_create(at->ctx, "ppa-nsn-ac", &at->solver));
    assert_ok(at->ctx, rico_solver_setup_inner(at->solver, p));
    assert_ok(at->ctx, rico_stage_create(p, NULL, &at->stage));
    at->r = calloc((size_t)p->rows, sizeof *at->r);
    at->u = calloc((size_t)p->rows, sizeof *at->u);
    at->run = (rico_run){
        .solver = at->solver, .r = at->r, .u = at->u, .max_iterations = 1000000, .deadline = INFINITY};
}


static void end(place *at)
{
    rico_stage_destroy(at->stage);
    rico_solver_destroy(at->solver);
    rico_problem_destroy(at->p);
    free(at->r);
    free(at->u);
}


// r'D r
static double size_of(const place *at, const double *r)
{
    double sum = 0.0;
    for (int64_t a = 0; a < at->p->block_count; a++)
        for (int64_t i = at->p->offset[a]; i < at->p->offset[a + 1]; i++)
            sum += at->stage->normal[a] * r[i] * r[i];
    return sum;
}


// y = D^-1/2 x or D^1/2 x
static void scale(const place *at, bool up, const double *x, double *y)
{
    for (int64_t a = 0; a < at->p->block_count; a++) {
        double root = sqrt(at->stage->normal[a]);
        for (int64_t i = at->p->offset[a]; i < at->p->offset[a + 1]; i++)
            y[i] = up ? root * x[i] : x[i] / root;
    }
}


// What W sees of r_0: the smallest impulses with W r = W r_0 and no cones, through the eigenvectors of D^-1/2 W D^-1/2.
static void find_seen(const place *at, const double *r0, double *out)
{
    int64_t m = at->p->rows;
    double *A = calloc((size_t)(m * m), sizeof *A), *value = malloc((size_t)m * sizeof *value);
    double *x = malloc((size_t)m * sizeof *x), *column = malloc((size_t)m * sizeof *column);
    for (int64_t j = 0; j < m; j++) {
        memset(x, 0, (size_t)m * sizeof *x);
        x[j] = 1.0;
        scale(at, false, x, x);
        rico_block_times(&at->p->W, x, NULL, column);
        scale(at, false, column, &A[j * m]);
    }
    assert_ok(at->ctx, rico_dense_eigen(at->ctx, m, A, true, value));
    scale(at, true, r0, x);
    memset(out, 0, (size_t)m * sizeof *out);
    for (int64_t k = 0; k < m; k++)
        if (value[k] > 1e-10 * value[m - 1]) rico_axpy(m, rico_dot(m, &A[k * m], x), &A[k * m], out);
    scale(at, false, out, out);
    free(A);
    free(value);
    free(x);
    free(column);
}


// Cubes that part as they are, without turning: D^-1 times the velocities of their contacts has nothing in the kernel. With something of it on top,
// too little to leave the cones, these impulses come back.
static void test_least_squares(void **state)
{
    (void)state;
    place at = {.ctx = rico_context_create(NULL)};
    begin(&at, heavy_tower(at.ctx, 6, 0.5));
    int64_t m = at.p->rows;
    double *least = calloc((size_t)m, sizeof *least), *x = malloc((size_t)m * sizeof *x);
    double *seen = malloc((size_t)m * sizeof *seen);
    for (uint64_t seed = 1; seed <= 5; seed++) {
        rico_random random;
        rico_random_seed(&random, seed);
        double part[3] = {0.0}, most = INFINITY;
        for (int64_t i = 0; i < m; i++) {
            if (i % 12 == 0)
                for (int k = 0; k < 3; k++)
                    part[k] =
                        k > 0 ? rico_random_range(&random, -0.2, 0.2) : rico_random_range(&random, 1.0, 2.0);
            least[i] = part[i % 3] / at.stage->normal[i / 3];
            x[i] = rico_random_normal(&random);
        }
        find_seen(&at, x, seen);
        for (int64_t i = 0; i < m; i++) most = fmin(most, 0.05 * least[i / 3 * 3] / fabs(x[i] - seen[i]));
        for (int64_t i = 0; i < m; i++) at.r[i] = least[i] + most * (x[i] - seen[i]);
        double before = size_of(&at, at.r);
        assert_ok(at.ctx, rico_stage_shrink(at.stage, &at.run));
        assert_true(size_of(&at, at.r) < before);
        for (int64_t i = 0; i < m; i++) assert_near(at.r[i], least[i], 1e-6 * least[i / 3 * 3]);
    }
    free(least);
    free(x);
    free(seen);
    end(&at);
    rico_context_destroy(at.ctx);
}


// Loads of a tower, with forces between the corners of each face that no cube feels, one corner in seven on its cone and one in five open:
// velocities stay, impulses become smaller and stay in their cones, and those two kinds are as they were.
static void test_within_cones(void **state)
{
    (void)state;
    static const double mu = 0.5;
    place at = {.ctx = rico_context_create(NULL)};
    begin(&at, heavy_tower(at.ctx, 8, mu));
    int64_t m = at.p->rows, blocks = at.p->block_count;
    double *before = malloc((size_t)m * sizeof *before), *u = malloc((size_t)m * sizeof *u);
    rico_random random;
    rico_random_seed(&random, 3);
    for (int64_t a = 0; a < blocks; a++) {
        double *r = &at.r[3 * a], load = rico_random_range(&random, 500.0, 1000.0);
        r[0] = a % 5 == 0 ? 0.0 : load;
        r[1] = (a % 2 ? 0.9 : -0.9) * mu * r[0];
        r[2] = a % 7 == 0 ? sqrt(mu * mu * r[0] * r[0] - r[1] * r[1]) : 0.0;
    }
    memcpy(before, at.r, (size_t)m * sizeof *before);
    rico_stage_velocity(at.stage, before, u);
    double size = size_of(&at, before);
    assert_ok(at.ctx, rico_stage_shrink(at.stage, &at.run));
    rico_stage_velocity(at.stage, at.r, at.u);
    assert_at_most(size_of(&at, at.r), 0.95 * size);
    for (int64_t i = 0; i < m; i++) assert_near(at.u[i], u[i], 1e-9);
    for (int64_t a = 0; a < blocks; a++) {
        const double *r = &at.r[3 * a];
        assert_true(r[0] >= 0.0 && hypot(r[1], r[2]) <= (1.0 + 1e-12) * mu * r[0]);
        for (int i = 0; i < 3 && (a % 5 == 0 || a % 7 == 0); i++) assert_true(r[i] == before[3 * a + i]);
    }
    end(&at);
    free(before);
    free(u);
    rico_context_destroy(at.ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_least_squares),
        cmocka_unit_test(test_within_cones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
