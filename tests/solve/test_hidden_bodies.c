// Bodies found behind a Delassus matrix: they give it back, and Newton's systems on them are those of W.

#include "failing_memory.h"
#include "heavy_tower.h"

#include "base/random.h"
#include "solve/hidden_bodies.h"
#include "solve/stage.h"

enum { POINTS = 3 }; // contacts of a pair of bodies

// A grid of bodies on the ground, each joined with the next in its row and in its column by contacts at the corners of a triangle.
typedef struct grid {
    int64_t width, height, pairs;
    int64_t end[300][2]; // bodies of each pair; the first is -1 for the ground
    double twist;        // unsymmetric part of the masses
} grid;


static grid make_grid(int64_t width, int64_t height, double twist)
{
    grid g = {.width = width, .height = height, .twist = twist};
    for (int64_t y = 0; y < height; y++)
        for (int64_t x = 0; x < width; x++) {
            int64_t body = y * width + x;
            g.end[g.pairs][0] = y > 0 ? body - width : -1;
            g.end[g.pairs++][1] = body;
            if (x + 1 == width) continue;
            g.end[g.pairs][0] = body;
            g.end[g.pairs++][1] = body + 1;
        }
    return g;
}


// Six rows of velocity for each of the 9 rows of contacts of a pair, as the body of its end feels them.
static void pair_rows(const grid *g, int64_t pair, int end, double rows[9][6])
{
    static const double corner[POINTS][3] = {{0.3, 0.1, 0.0}, {-0.2, 0.3, 0.1}, {0.0, -0.4, -0.1}};
    int64_t body = g->end[pair][end];
    double sign = end ? 1.0 : -1.0;
    bool upright = g->end[pair][0] < 0 || g->end[pair][1] - g->end[pair][0] == g->width;
    double half = end ? -0.5 : 0.5,
           centre[3] = {upright ? 0.0 : half, 0.01 * (double)(body % 7), upright ? half : 0.0};
    for (int k = 0; k < POINTS; k++)
        for (int i = 0; i < 3; i++) {
            double arm[3], e[3] = {0.0, 0.0, 0.0};
            // the triangle lies in the face between the two
            arm[0] = centre[0] + (upright ? corner[k][0] : corner[k][2]);
            arm[1] = centre[1] + corner[k][1];
            arm[2] = centre[2] + (upright ? corner[k][2] : corner[k][0]);
            e[upright ? (i + 2) % 3 : i] = sign;
            double turn[3] = {arm[1] * e[2] - arm[2] * e[1], arm[2] * e[0] - arm[0] * e[2],
                              arm[0] * e[1] - arm[1] * e[0]};
            for (int j = 0; j < 3; j++) {
                rows[3 * k + i][j] = e[j];
                rows[3 * k + i][3 + j] = turn[j];
            }
        }
}


// M^-1 of a body: heavier ones among lighter, turning coupled in an unsymmetric way as gyroscopic terms couple it.
static void response_of(const grid *g, int64_t body, double A[6][6])
{
    double mass = 1.0 + (double)(body % 5);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) A[i][j] = i == j ? (i < 3 ? 1.0 : 8.0 + i) / mass : 0.0;
    A[3][4] = g->twist;
    A[4][3] = -g->twist;
    A[4][5] = 0.5 * g->twist;
    A[5][4] = -0.5 * g->twist;
}


static void add_response(const grid *g, double *W, int64_t m, int64_t p, int end, int64_t q, int other)
{
    double left[9][6], right[9][6], A[6][6];
    pair_rows(g, p, end, left);
    pair_rows(g, q, other, right);
    response_of(g, g->end[p][end], A);
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 9; j++)
            for (int x = 0; x < 6; x++)
                for (int y = 0; y < 6; y++)
                    W[(9 * p + i) * m + 9 * q + j] += left[i][x] * A[x][y] * right[j][y];
}


static rico_problem *grid_problem(rico_context *ctx, const grid *g)
{
    int64_t m = 9 * g->pairs, contacts = POINTS * g->pairs;
    assert_in_range(contacts, 1, 1000);
    double *W = calloc((size_t)(m * m), sizeof *W), *q = calloc((size_t)m, sizeof *q);
    for (int64_t p = 0; p < g->pairs; p++)
        for (int64_t r = 0; r < g->pairs; r++)
            for (int x = 0; x < 2; x++)
                for (int y = 0; y < 2; y++)
                    if (g->end[p][x] >= 0 && g->end[p][x] == g->end[r][y]) add_response(g, W, m, p, x, r, y);
    rico_block *blocks = calloc((size_t)contacts, sizeof *blocks);
    for (int64_t c = 0; c < contacts; c++)
        blocks[c] = (rico_block){.kind = RICO_COULOMB_3D, .size = 3, .friction = 0.5};
    for (int64_t i = 0; i < m; i += 3) q[i] = -1.0;
    // what does not touch is not there, as in W of bodies
    int64_t *start = malloc((size_t)(m + 1) * sizeof *start), *row = malloc((size_t)(m * m) * sizeof *row);
    double *value = malloc((size_t)(m * m) * sizeof *value);
    int64_t count = 0;
    for (int64_t j = 0; j < m; j++) {
        start[j] = count;
        for (int64_t i = 0; i < m; i++) {
            if (W[i * m + j] == 0.0) continue;
            row[count] = i;
            value[count++] = W[i * m + j];
        }
    }
    start[m] = count;
    rico_sparse_view view = {m, m, start, row, value};
    rico_problem *out = NULL;
    assert_ok(ctx, rico_problem_create_reduced(ctx, contacts, blocks, &view, q, &out));
    free(start);
    free(row);
    free(value);
    free(W);
    free(q);
    free(blocks);
    return out;
}


// The largest difference between W and that of the bodies, over the largest entry of W.
static double difference(rico_context *ctx, const rico_problem *p, rico_problem *hidden)
{
    int64_t m = p->rows;
    double worst = 0.0, largest = 0.0, *x = calloc((size_t)m, sizeof *x), *u = malloc((size_t)m * sizeof *u),
           *v = malloc((size_t)m * sizeof *v);
    assert_ok(ctx, rico_problem_reduce(hidden));
    for (int64_t j = 0; j < m; j++) {
        x[j] = 1.0;
        rico_block_times(&p->W, x, NULL, u);
        rico_block_times(&hidden->W, x, NULL, v);
        for (int64_t i = 0; i < m; i++) {
            worst = fmax(worst, fabs(u[i] - v[i]));
            largest = fmax(largest, fabs(u[i]));
        }
        x[j] = 0.0;
    }
    free(x);
    free(u);
    free(v);
    return worst / largest;
}


static rico_problem *look_behind(rico_context *ctx, rico_problem *p)
{
    rico_compressed *system = NULL;
    rico_problem *hidden = NULL;
    assert_ok(ctx, rico_compressed_create(p, &system));
    assert_ok(ctx, rico_hidden_bodies_create(system, &hidden));
    rico_compressed_destroy(system);
    return hidden;
}


static void test_bodies_of_a_grid(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (int twisted = 0; twisted < 2; twisted++) {
        grid g = make_grid(5, 4, twisted ? 1e-2 : 0.0);
        rico_problem *p = grid_problem(ctx, &g), *hidden = look_behind(ctx, p);
        assert_non_null(hidden);
        assert_int_equal(rico_problem_dofs(hidden), 6 * 5 * 4);
        assert_true(difference(ctx, p, hidden) < 1e-10);
        rico_problem_destroy(hidden);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


// Nothing but the ground tells the cubes of a tower apart, from below, one after the other, and the last is what remains.
static void test_tower(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_problem *p = heavy_tower(ctx, 8, 0.5), *hidden = look_behind(ctx, p);
    assert_non_null(hidden);
    assert_int_equal(rico_problem_dofs(hidden), 6 * 8);
    assert_true(difference(ctx, p, hidden) < 1e-10);
    rico_problem_destroy(hidden);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


// A dense W of full rank is not of bodies; neither is one that is by all but a thousandth.
static void test_not_of_bodies(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random random;
    rico_random_seed(&random, 2);
    enum { CONTACTS = 12, ROWS = 3 * CONTACTS };
    static double A[ROWS][ROWS], W[ROWS * ROWS], q[ROWS];
    rico_block blocks[CONTACTS];
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < ROWS; j++) A[i][j] = rico_random_normal(&random);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < ROWS; j++)
            for (int k = 0; k < ROWS; k++) W[i * ROWS + j] += A[i][k] * A[j][k];
    for (int c = 0; c < CONTACTS; c++)
        blocks[c] = (rico_block){.kind = RICO_COULOMB_3D, .size = 3, .friction = 0.5};
    rico_problem *p = NULL;
    assert_ok(ctx, rico_problem_create_dense(ctx, CONTACTS, blocks, ROWS, W, ROWS, 1, q, &p));
    assert_null(look_behind(ctx, p));
    rico_problem_destroy(p);

    grid g = make_grid(4, 4, 0.0);
    p = grid_problem(ctx, &g);
    for (int64_t k = p->W.place[1]; k < p->W.place[2]; k++) p->W.value[k] *= 1.001;
    assert_null(look_behind(ctx, p));
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


// A stage takes the bodies where they are the smaller system, and solves dr + C W dr = c with them for the W it was given.
static void test_stage(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    grid g = make_grid(8, 8, 1e-3);
    rico_problem *p = grid_problem(ctx, &g);
    rico_stage *stage = NULL;
    rico_random random;
    rico_random_seed(&random, 4);
    assert_ok(ctx, rico_stage_create(p, NULL, &stage));
    assert_null(stage->hidden);
    assert_ok(ctx, rico_stage_look_behind(stage));
    assert_non_null(stage->hidden);
    assert_null(stage->system);
    int64_t m = p->rows;
    double *c = malloc((size_t)m * sizeof *c), *dr = malloc((size_t)m * sizeof *dr),
           *u = malloc((size_t)m * sizeof *u), *W_dr = malloc((size_t)m * sizeof *W_dr);
    for (int64_t k = 0; k < 9 * p->block_count; k++) stage->C[k] = 0.0;
    for (int64_t a = 0; a < p->block_count; a++)
        for (int i = 0; a % 3 && i < 3; i++) stage->C[9 * a + 4 * i] = rico_random_range(&random, 0.1, 100.0);
    for (int64_t i = 0; i < m; i++) stage->c[i] = c[i] = rico_random_normal(&random);
    assert_ok(ctx, rico_stage_factor(stage));
    rico_stage_solve(stage, dr, true);
    rico_stage_product(stage, W_dr);
    rico_block_times(&p->W, dr, NULL, u);
    for (int64_t i = 0; i < m; i++) {
        assert_near(dr[i] + stage->C[9 * (i / 3) + 4 * (i % 3)] * u[i], c[i], 1e-7);
        assert_near(W_dr[i], u[i], 1e-8);
    }
    assert_int_equal(rico_stage_sign(stage), 1); // C and the symmetric part of W are definite

    // velocities are those of W itself, and a change of W is seen
    rico_stage_velocity(stage, dr, W_dr);
    for (int64_t i = 0; i < m; i++) assert_true(W_dr[i] == u[i] + p->q[i]);
    for (int64_t k = p->W.place[1]; k < p->W.place[2]; k++) p->W.value[k] *= 1.001;
    assert_ok(ctx, rico_stage_update(stage));
    assert_ok(ctx, rico_stage_look_behind(stage));
    assert_null(stage->hidden);
    assert_non_null(stage->system);
    free(c);
    free(dr);
    free(u);
    free(W_dr);
    rico_stage_destroy(stage);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


static rico_status look_once(rico_context *ctx, void *user)
{
    (void)user;
    grid g = make_grid(3, 2, 1e-3);
    rico_context *own = rico_context_create(NULL);
    rico_problem *p = grid_problem(own, &g), *hidden = NULL;
    rico_compressed *system = NULL;
    p->ctx = ctx;
    rico_status status = rico_compressed_create(p, &system);
    if (!status) status = rico_hidden_bodies_create(system, &hidden);
    rico_problem_destroy(hidden);
    rico_compressed_destroy(system);
    p->ctx = own;
    rico_problem_destroy(p);
    rico_context_destroy(own);
    return status;
}


static void test_no_memory(void **state)
{
    (void)state;
    assert_true(every_allocation_fails(look_once, NULL) > 40);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bodies_of_a_grid), cmocka_unit_test(test_tower),
                                       cmocka_unit_test(test_not_of_bodies), cmocka_unit_test(test_stage),
                                       cmocka_unit_test(test_no_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
