// Power series along the curve of proximal points: a step must end where solvers that know of no curve find the proximal point.

#include "support.h"

#include "base/random.h"
#include "la/dense.h"
#include "problem/problem.h"
#include "ricochet/generate.h"
#include "ricochet/solver.h"
#include "solve/curve.h"

typedef struct place {
    rico_context *ctx;
    rico_problem *p;
    rico_stage *stage;
    rico_curve curve;
    double *vectors;
} place;

// The problem of one proximal step by Gauss-Seidel sweeps: W + alpha D and q - alpha D r_0.
static void solve_proximal(const place *at, double alpha, double *r)
{
    rico_context *ctx = at->ctx;
    const rico_problem *p = at->p;
    int64_t m = p->rows, blocks = p->block_count;
    double *dense = calloc((size_t)(m * m), sizeof *dense), *q = malloc((size_t)m * sizeof *q);
    int64_t *start = malloc((size_t)(m + 1) * sizeof *start), *row = malloc((size_t)(m * m) * sizeof *row);
    rico_block *block = calloc((size_t)blocks, sizeof *block);
    for (int64_t a = 0; a < blocks; a++) {
        block[a] = rico_problem_block(p, a);
        for (int64_t k = p->W.start[a]; k < p->W.start[a + 1]; k++)
            for (int64_t i = 0; i < 3; i++)
                for (int64_t j = 0; j < 3; j++)
                    dense[(3 * p->W.col[k] + j) * m + 3 * a + i] = p->W.value[p->W.place[k] + 3 * i + j];
        for (int64_t i = 3 * a; i < 3 * a + 3; i++) {
            dense[i * m + i] += alpha * at->stage->normal[a];
            q[i] = p->q[i] - alpha * at->stage->normal[a] * at->curve.centre[i];
        }
    }
    for (int64_t j = 0; j <= m; j++) start[j] = j * m;
    for (int64_t k = 0; k < m * m; k++) row[k] = k % m;
    rico_sparse_view W = {.rows = m, .cols = m, .start = start, .row = row, .value = dense};
    rico_problem *proximal = NULL;
    rico_solver *solver = NULL;
    rico_report report;
    assert_ok(ctx, rico_problem_create_reduced(ctx, blocks, block, &W, q, &proximal));
    assert_ok(ctx, rico_solver_create(ctx, "nsgs", &solver));
    assert_ok(ctx, rico_solver_set_number(solver, "tol", 1e-13));
    assert_ok(ctx, rico_solver_set_number(solver, "max-iter", 200000));
    assert_ok(ctx, rico_solver_setup(solver, proximal));
    assert_ok(ctx, rico_solver_solve(solver, r, NULL, &report));
    assert_true(report.residual.relative < 1e-11);
    rico_solver_destroy(solver);
    rico_problem_destroy(proximal);
    free(dense);
    free(q);
    free(start);
    free(row);
    free(block);
}


static void make_place(place *at, uint64_t seed)
{
    rico_random_heap heap = rico_random_heap_default();
    heap.contacts = 16;
    heap.bodies = 5;
    heap.friction = 0.4;
    heap.reduced = true;
    heap.seed = seed;
    at->ctx = rico_context_create(NULL);
    assert_ok(at->ctx, rico_generate_random(at->ctx, &heap, &at->p));
    assert_ok(at->ctx, rico_stage_create(at->p, NULL, &at->stage));
    rico_curve *s = &at->curve;
    *s = (rico_curve){.stage = at->stage, .p = at->p, .state = at->stage->state, .alpha = 0.5};
    double **const own[] = {&s->r,     &s->centre, &s->v,       &s->newton,  &s->drift, &s->step,
                            &s->slope, &s->W_step, &s->W_slope, &s->tangent, &s->base,  &s->kept};
    int64_t m = at->p->rows, count = (int64_t)(sizeof own / sizeof own[0]);
    at->vectors = calloc((size_t)(count * m), sizeof *at->vectors);
    for (int64_t i = 0; i < count; i++) *own[i] = &at->vectors[i * m];
    rico_random random;
    rico_random_seed(&random, seed);
    for (int64_t i = 0; i < m; i++) s->centre[i] = 0.02 * rico_random_normal(&random);
    solve_proximal(at, s->alpha, s->r);
    s->size = rico_norm(m, s->r);
    s->negligible = (rico_curve_tolerance){1e-9, 1e-8, 1e-8};
}


// Open, sticking or sliding, as the impulse says.
static int count_states(place *at, int sought)
{
    int found = 0;
    for (int64_t a = 0; a < at->p->block_count; a++) {
        const double *r = &at->curve.r[3 * a];
        double length = hypot(r[1], r[2]), bound = at->p->friction[a] * r[0];
        at->curve.state[a] = r[0] < 1e-9             ? RICO_CURVE_OPEN
                             : length < bound - 1e-9 ? RICO_CURVE_STICK
                                                     : RICO_CURVE_SLIDE;
        found += at->curve.state[a] == sought;
    }
    return found;
}


static double distance(int64_t n, const double *x, const double *y)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) sum += (x[i] - y[i]) * (x[i] - y[i]);
    return sqrt(sum);
}


// From piece to piece as alpha falls: every end of a step, events among them, is the proximal point of its alpha, and a step along
// the tangent to the same alpha is far from it.
static void test_steps_end_at_proximal_points(void **state)
{
    (void)state;
    int steps = 0, events = 0, sliding = 0, much_better = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        place at;
        make_place(&at, seed);
        rico_curve *s = &at.curve;
        int64_t m = at.p->rows;
        double *check = calloc((size_t)m, sizeof *check), *along = calloc((size_t)m, sizeof *along), length;
        rico_curve_series *series = NULL;
        rico_curve_event entered = {-1, 0}, next;
        sliding += count_states(&at, RICO_CURVE_SLIDE);
        assert_ok(at.ctx, rico_curve_series_create(s, &series));
        for (int step = 0; step < 12 && s->alpha > 0.05; step++) {
            rico_curve_find_velocity(s);
            assert_true(rico_curve_build(s) < 1e-8);
            assert_ok(at.ctx, rico_stage_factor(at.stage));
            int direction = rico_stage_sign(at.stage);
            rico_curve_solve(s, s->drift, s->slope, s->W_slope, true);
            memcpy(s->tangent, s->slope, (size_t)m * sizeof *s->slope);
            memcpy(along, s->r, (size_t)m * sizeof *along);
            double before = s->alpha;
            assert_true(rico_curve_series_advance(series, s, direction, entered, &next, &length));
            for (int64_t i = 0; i < m; i++) along[i] += (before / s->alpha - 1.0) * s->tangent[i];
            memcpy(check, s->r, (size_t)m * sizeof *check);
            solve_proximal(&at, s->alpha, check);
            double off = distance(m, check, s->r);
            assert_true(off < 1e-7 * s->size);
            much_better +=
                distance(m, check, along) > 1e3 * off && distance(m, check, along) > 1e-5 * s->size;
            entered = next;
            if (next.contact >= 0) {
                entered.which = rico_curve_change_state(s, next);
                events++;
            }
            steps++;
        }
        rico_curve_series_destroy(series);
        rico_stage_destroy(at.stage);
        rico_problem_destroy(at.p);
        rico_context_destroy(at.ctx);
        free(at.vectors);
        free(check);
        free(along);
    }
    assert_true(steps >= 20 && events >= 5 && sliding >= 12 && much_better >= 5);
}


// A point that violates its equations, by impulses that stay on their cones, is the proximal point of the moved centre to the last digit, and the
// centre moves by the violation over alpha D.
static void test_recentred(void **state)
{
    (void)state;
    int sliding = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        place at;
        make_place(&at, seed);
        rico_curve *s = &at.curve;
        int64_t m = at.p->rows;
        double *check = calloc((size_t)m, sizeof *check), *before = calloc((size_t)m, sizeof *before);
        rico_random random;
        rico_random_seed(&random, seed);
        sliding += count_states(&at, RICO_CURVE_SLIDE);
        for (int64_t i = 0; i < m; i++)
            if (s->r[i] != 0.0) s->r[i] *= 1.0 + 1e-6 * rico_random_normal(&random);
        rico_curve_retract(s);
        rico_curve_find_velocity(s);
        double violation = rico_curve_build(s), moved = 0.0;
        assert_true(violation > 1e-8);
        memcpy(before, s->centre, (size_t)m * sizeof *before);
        rico_curve_recentre(s);
        for (int64_t i = 0; i < m; i++)
            moved = fmax(moved, rico_curve_pull(s, i / 3) * fabs(s->centre[i] - before[i]));
        assert_true(moved > 0.3 * violation && moved <= 1.001 * violation);
        rico_curve_find_velocity(s);
        assert_at_most(rico_curve_look(s), 1e-14);
        memcpy(check, before, (size_t)m * sizeof *check);
        solve_proximal(&at, s->alpha, check);
        assert_at_most(distance(m, check, s->r), 1e-9 * s->size);
        rico_stage_destroy(at.stage);
        rico_problem_destroy(at.p);
        rico_context_destroy(at.ctx);
        free(at.vectors);
        free(check);
        free(before);
    }
    assert_true(sliding >= 12);
}


// W dr as the compressed solve knows it against the product.
static void test_product_of_last_solve(void **state)
{
    (void)state;
    place at;
    make_place(&at, 7);
    rico_curve *s = &at.curve;
    int64_t m = at.p->rows;
    count_states(&at, RICO_CURVE_OPEN);
    rico_curve_find_velocity(s);
    rico_curve_build(s);
    assert_ok(at.ctx, rico_stage_factor(at.stage));
    rico_curve_solve(s, s->drift, s->slope, s->W_slope, true);
    rico_block_times(&at.p->W, s->slope, NULL, s->step);
    assert_true(rico_norm(m, s->step) > 0.0);
    assert_true(distance(m, s->step, s->W_slope) < 1e-11 * rico_norm(m, s->step));
    rico_stage_destroy(at.stage);
    rico_problem_destroy(at.p);
    rico_context_destroy(at.ctx);
    free(at.vectors);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps_end_at_proximal_points),
        cmocka_unit_test(test_recentred),
        cmocka_unit_test(test_product_of_last_solve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
