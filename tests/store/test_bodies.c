// Rigid bodies in result files: what a viewer finds there, columns by name, and runs that go on bit for bit.

#include "failing_memory.h"
#include "one_context.h"

#include "ricochet/run.h"
#include "store/body_surface.h"
#include "store/body_view.h"
#include "store/columns.h"

#include <unistd.h>

static const char SCENE[] =
    "gravity: [0, 0, -10]\n"
    "materials: {rubber: {friction: 0.5, restitution: 0.5}}\n"
    "bodies:\n"
    "  floor: {shape: plane, fixed: yes, material: rubber}\n"
    "  box: {shape: {box: {size: [0.2, 0.4, 0.6]}}, density: 100, position: [3, 0, 0.3], material: rubber}\n"
    "  ball: {shape: {sphere: 0.1}, density: 100, position: [0, 0, 0.5], velocity: [1, 0, 0], spin: [0, 3, "
    "0],\n"
    "         material: rubber}\n"
    "  lump: {shape: {sphere: 0.1}, mass: 1, center: [0.05, 0, 0], inertia: [0.01, 0.01, 0.01], position: "
    "[-3, 0, 5]}\n"
    "  arm: {shape: {capsule: {radius: 0.1, length: 1}}, position: [0, 7, 1], motion: {shift: [t, 0, 0], "
    "turn: 90*t}}\n"
    "time: {end: 0.6, step: 1e-2}\n"
    "output: {every: 2}\n";


static rico_results *run_text(const char *text)
{
    rico_results *results = NULL;
    rico_runner_options options = rico_runner_defaults();
    rico_runner_result end;
    options.scene = "s";
    options.text = text;
    options.results = &results;
    assert_ok(ctx, rico_runner_run(ctx, &options, &end));
    assert_non_null(results);
    return results;
}


static rico_results *run(void)
{
    return run_text(SCENE);
}


static void test_view(void **state)
{
    (void)state;
    rico_results *results = run();
    rico_body_view *view;
    assert_ok(ctx, rico_body_view_open(ctx, results, &view));
    assert_int_equal(view->body_count, 5);
    assert_int_equal(view->moved_count, 1);
    assert_string_equal(view->body[2].name, "ball");
    assert_int_equal(view->body[2].q, 7);
    assert_int_equal(view->body[0].type, RICO_BODY_FIXED);
    assert_string_equal(view->shape[view->body[1].shape].kind->name, "box");
    assert_int_equal(view->shape[view->body[1].shape].vertices, 8);
    assert_int_equal(view->shape[view->body[1].shape].faces, 6);

    int64_t row;
    double t, velocity[30];
    rico_stand stand[5];
    assert_ok(ctx, rico_body_view_find(view, 0.13, &row, &t));
    assert_near(t, 0.12, 1e-12);
    assert_ok(ctx, rico_body_view_stands(view, row, stand, velocity));
    assert_near(stand[2].position[0], 0.12, 1e-12);
    assert_near(velocity[6 * 2], 1.0, 1e-12);
    assert_near(velocity[6 * 2 + 4], 3.0, 1e-12);
    assert_near(stand[3].position[0], -3.0, 1e-12); // its own axes, not its center
    assert_near(stand[4].position[0], 0.12, 1e-12);
    assert_near(stand[4].orientation[3], sin(M_PI / 4.0 * 0.12), 1e-12);
    rico_body_view_destroy(view);
    rico_results_destroy(results);
}


// Bodies of the plane that have no shapes are told by their coordinates.
static void test_planar_points(void **state)
{
    (void)state;
    for (int planar = 0; planar < 2; planar++) {
        rico_results *results =
            run_text(planar ? "gravity: [0, -10]\nbodies: {a: {mass: 1, inertia: 1, position: [2, 1]}}\n"
                              "time: {end: 0.1, step: 1e-2}\n"
                            : "bodies: {a: {mass: 1, inertia: [1, 1, 1], position: [2, 1, 0]}}\n"
                              "time: {end: 0.1, step: 1e-2}\n");
        rico_body_view *view;
        rico_stand stand;
        double velocity[6];
        assert_ok(ctx, rico_body_view_open(ctx, results, &view));
        assert_int_equal(view->dimension, planar ? 2 : 3);
        assert_ok(ctx, rico_body_view_stands(view, 0, &stand, velocity));
        assert_near(stand.position[0], 2.0, 0.0);
        rico_body_view_destroy(view);
        rico_results_destroy(results);
    }
}


// The box rests on four corners: their forces carry it, along the normal from the floor to the box.
static void test_contacts(void **state)
{
    (void)state;
    rico_results *results = run();
    rico_body_view *view;
    rico_viewed_contact *contact;
    int64_t row, count, of_box = 0;
    double t, lift = 0.0;
    assert_ok(ctx, rico_body_view_open(ctx, results, &view));
    assert_ok(ctx, rico_body_view_find(view, 0.2, &row, &t));
    assert_ok(ctx, rico_body_view_contacts(view, row, &count, &contact));
    for (int64_t i = 0; i < count; i++) {
        if (contact[i].body_b != 1 && contact[i].body_a != 1) continue;
        double way = contact[i].body_b == 1 ? 1.0 : -1.0;
        of_box++;
        lift += way * contact[i].frame[2] * contact[i].impulse[0];
        assert_near(fabs(contact[i].b[0] - 3.0), 0.1, 1e-9);
        assert_near(fabs(contact[i].b[1]), 0.2, 1e-9);
    }
    assert_int_equal(of_box, 4);
    assert_near(lift, 100.0 * 0.048 * 10.0 * 1e-2, 1e-9);
    rico_free(ctx, contact);
    rico_body_view_destroy(view);
    rico_results_destroy(results);
}


// Polygons of a closed surface: Euler's number, and the volume by the divergence theorem near that of the shape.
static void test_surfaces(void **state)
{
    (void)state;
    rico_results *results = run();
    rico_body_view *view;
    assert_ok(ctx, rico_body_view_open(ctx, results, &view));
    static const double VOLUME[] = {0.0, 0.048, 4.0 / 3.0 * M_PI * 1e-3, 0.0,
                                    M_PI * 1e-2 + 4.0 / 3.0 * M_PI * 1e-3};
    for (int i = 1; i < 5; i++) {
        if (VOLUME[i] == 0.0) continue;
        rico_polygons to = {.ctx = ctx};
        const double middle[3] = {0.0};
        const rico_stand stand = {{1.0, 2.0, 3.0}, {0.8, 0.6, 0.0, 0.0}};
        assert_ok(ctx,
                  rico_polygons_add(&to, view, &view->shape[view->body[i].shape], &stand, 64, 1.0, middle));
        double volume = 0.0;
        for (int64_t f = 0, begin = 0; f < to.faces; begin = to.face_end[f++])
            for (int64_t k = begin + 1; k + 1 < to.face_end[f]; k++) {
                const double *a = to.vertex + 3 * to.corner[begin], *b = to.vertex + 3 * to.corner[k],
                             *c = to.vertex + 3 * to.corner[k + 1];
                volume += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                           a[2] * (b[0] * c[1] - b[1] * c[0])) /
                          6.0;
            }
        assert_int_equal(to.vertices - to.corners / 2 + to.faces, 2);
        assert_near(volume, VOLUME[i], 0.01 * VOLUME[i]);
        rico_polygons_release(&to);
    }
    rico_body_view_destroy(view);
    rico_results_destroy(results);
}


static double *column(rico_columns *columns, const char *name, int64_t *count)
{
    double *values = NULL;
    assert_ok(ctx, rico_columns_read(columns, name, count, &values));
    return values;
}


static void test_columns(void **state)
{
    (void)state;
    rico_columns *columns;
    int64_t count;
    assert_ok(ctx, rico_columns_take(ctx, run(), &columns));
    double *energy = column(columns, "ball.energy", &count),
           *kinetic = column(columns, "ball.kinetic", &count), *z = column(columns, "ball.z", &count),
           *sum = column(columns, "count:box:floor", &count),
           *all = column(columns, "count:floor - count:ball:floor - count:floor:box", &count),
           *ball = column(columns, "impulse:ball - impulse:ball:floor", &count);
    double mass = 100.0 * 4.0 / 3.0 * M_PI * 1e-3;
    assert_near(energy[0], mass * (0.5 + 0.2 * 0.01 * 9.0 + 10.0 * 0.5), 1e-12);
    for (int64_t i = 0; i < count; i++) {
        assert_near(energy[i], kinetic[i] + mass * 10.0 * z[i], 1e-12);
        assert_true(all[i] == 0.0 && ball[i] == 0.0);
        if (i > 0) assert_true(energy[i] <= energy[i - 1] + 1e-9);
        if (i > 0) assert_true(sum[i] == 4.0);
    }
    assert_true(rico_columns_has(columns, "lump.w_x") && !rico_columns_has(columns, "floor.x"));
    double *given[] = {energy, kinetic, z, sum, all, ball};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) rico_free(ctx, given[i]);
    rico_columns_destroy(columns);
}


// A run that was stopped goes on bit for bit, moved bodies and all; its hash is that of the run that was not.
static void test_resume(void **state)
{
    (void)state;
    char folder[] = "/tmp/rico-bodies-XXXXXX", whole[64], part[64], difference[RICO_DIFFERENCE];
    assert_non_null(mkdtemp(folder));
    snprintf(whole, sizeof whole, "%s/whole.h5", folder);
    snprintf(part, sizeof part, "%s/part.h5", folder);
    rico_runner_options options = rico_runner_defaults();
    rico_runner_result end, stopped, resumed;
    options.scene = "s";
    options.text = SCENE;
    options.output = whole;
    assert_ok(ctx, rico_runner_run(ctx, &options, &end));
    options.output = part;
    options.most_steps = 37;
    assert_int_equal(rico_runner_run(ctx, &options, &stopped), RICO_INTERRUPTED);
    assert_true(stopped.hash != end.hash);
    rico_runner_options on = rico_runner_defaults();
    on.output = part;
    on.resume = true;
    assert_ok(ctx, rico_runner_run(ctx, &on, &resumed));
    assert_true(resumed.hash == end.hash);
    rico_results *a, *b;
    assert_ok(ctx, rico_results_open(ctx, whole, &a));
    assert_ok(ctx, rico_results_open(ctx, part, &b));
    assert_ok(ctx, rico_results_compare(a, b, difference));
    assert_string_equal(difference, "");
    rico_results_destroy(a);
    rico_results_destroy(b);
    unlink(whole);
    unlink(part);
    assert_int_equal(rmdir(folder), 0);
}


static rico_status view_all(rico_context *own, void *user)
{
    rico_results *results = NULL;
    rico_body_view *view = NULL;
    rico_columns *columns = NULL;
    rico_viewed_contact *contact = NULL;
    double *values = NULL;
    int64_t count;
    rico_runner_options options = rico_runner_defaults();
    rico_runner_result end;
    (void)user;
    options.scene = "s";
    options.text = SCENE;
    options.results = &results;
    const char *short_run = "time.end=0.02";
    options.override_count = 1;
    options.overrides = &short_run;
    rico_status status = rico_runner_run(own, &options, &end);
    if (status == RICO_OK) status = rico_body_view_open(own, results, &view);
    if (status == RICO_OK) status = rico_body_view_contacts(view, 0, &count, &contact);
    rico_free(own, contact);
    rico_body_view_destroy(view);
    if (status == RICO_OK) {
        status = rico_columns_take(own, results, &columns);
        results = NULL;
    }
    if (status == RICO_OK)
        status = rico_columns_read(columns, "ball.energy + impulse:ball:floor", &count, &values);
    rico_free(own, values);
    rico_columns_destroy(columns);
    rico_results_destroy(results);
    return status;
}


static void test_memory(void **state)
{
    (void)state;
    assert_true(every_allocation_fails(view_all, NULL) > 100);
}


// Samples between the ends of steps have unit quaternions too.
static void test_samples(void **state)
{
    (void)state;
    static const char SPIN[] = "bodies: {nut: {mass: 1, inertia: [1, 2, 2.5], spin: [0, 9, 1]}}\n"
                               "time: {end: 1, step: 0.1}\noutput: {interval: 0.03}\n";
    rico_results *results = NULL;
    rico_runner_options options = rico_runner_defaults();
    rico_runner_result end;
    options.scene = "s";
    options.text = SPIN;
    options.results = &results;
    assert_ok(ctx, rico_runner_run(ctx, &options, &end));
    int64_t table = rico_results_find_table(results, "samples"), rows = rico_results_rows(results, table);
    assert_int_equal(rows, 34);
    for (int64_t i = 0; i < rows; i++) {
        double q[7];
        assert_ok(ctx,
                  rico_results_read(results, table, rico_results_find_column(results, table, "q"), i, 1, q));
        assert_near(hypot(hypot(q[3], q[4]), hypot(q[5], q[6])), 1.0, 1e-14);
    }
    rico_results_destroy(results);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_view),     cmocka_unit_test(test_planar_points),
                                       cmocka_unit_test(test_contacts), cmocka_unit_test(test_surfaces),
                                       cmocka_unit_test(test_columns),  cmocka_unit_test(test_resume),
                                       cmocka_unit_test(test_memory),   cmocka_unit_test(test_samples)};
    return cmocka_run_group_tests(tests, context_start, context_end);
}
