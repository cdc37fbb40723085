// Joints by the hundred, many of them redundant: the motion is that of as many as are needed, contacts see the mechanism,
// and the rows that follow from others are named.

#include "step/bar_mesh.h"
#include "support.h"

#include "la/dependent.h"

static char heard[1024];

static void hear(void *user, rico_log_level level, const char *text)
{
    (void)user;
    if (level == RICO_LOG_WARNING) snprintf(heard, sizeof heard, "%s", text);
}


// The mesh with a floor below two of its bars, after some steps.
static double *fall(rico_context *ctx, int64_t side, bool full, double floor, int steps, int64_t *size,
                    double *impulse)
{
    bar_mesh m;
    rico_system *system = NULL;
    rico_simulation *sim = NULL;
    assert_true(bar_mesh_create(side, full, &m));
    assert_ok(ctx, bar_mesh_system(ctx, &m, &system));
    const double up = 1.0;
    for (int k = 0; k < 2; k++) {
        int64_t dof = 3 * (m.bars - 1 - 3 * k) + 1;
        rico_contact contact = {.dimension = 1, .reach = {1, &dof}, .gradient = &up, .offset = floor};
        assert_ok(ctx, rico_system_add_contact(system, k ? "left" : "right", &contact, NULL));
    }
    double *v = calloc((size_t)(3 * m.bars + 1), sizeof *v), *q = calloc((size_t)(3 * m.bars + 1), sizeof *q);
    assert_ok(ctx, rico_simulation_create(system, "moreau-jean", &sim));
    assert_ok(ctx, rico_simulation_start(sim, 0.0, m.q, v));
    *impulse = 0.0;
    for (int k = 0; k < steps; k++) {
        assert_ok(ctx, rico_simulation_step(sim, 2e-3));
        for (int c = 0; c < 2; c++) *impulse += rico_simulation_impulse(sim)[2 * m.pins + c];
    }
    memcpy(q, rico_simulation_position(sim), (size_t)(3 * m.bars) * sizeof *q);
    *size = 3 * m.bars;
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
    bar_mesh_destroy(&m);
    free(v);
    return q;
}


// 168 joints without redundancy go the dense way, 258 with it the sparse one.
static void test_redundancy_changes_nothing(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_context_set_log(ctx, hear, NULL, RICO_LOG_WARNING);
    int64_t size[2];
    double impulse[2], *q[2];
    for (int full = 0; full < 2; full++) {
        heard[0] = '\0';
        q[full] = fall(ctx, 8, full, 6.6, 120, &size[full], &impulse[full]);
    }
    assert_non_null(strstr(heard, "rows of joints follow from the others (row "));
    assert_int_equal(size[0], size[1]);
    double moved = 0.0;
    for (int64_t i = 0; i < size[0]; i++) {
        assert_near(q[1][i], q[0][i], 1e-9);
        moved = fmax(moved, fabs(q[0][i]));
    }
    assert_true(impulse[0] > 0.1);
    assert_near(impulse[1], impulse[0], 1e-8 * impulse[0]);
    free(q[0]);
    free(q[1]);
    rico_context_destroy(ctx);
}


// Column 2 is the sum of the first two, column 4 is zero; of the first three any may be named.
static void test_dependent_columns(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    int64_t start[] = {0, 2, 4, 7, 8, 8}, row[] = {0, 1, 1, 2, 0, 1, 2, 3}, list[5], count;
    double value[] = {1, 1, 1, 1, 1, 2, 1, 5};
    rico_csc a = {.ctx = ctx, .rows = 4, .cols = 5, .start = start, .row = row, .value = value};
    assert_ok(ctx, rico_dependent_columns(&a, 1e-10, list, &count));
    assert_int_equal(count, 2);
    assert_in_range(list[0], 0, 2);
    assert_int_equal(list[1], 4);
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_redundancy_changes_nothing),
        cmocka_unit_test(test_dependent_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
