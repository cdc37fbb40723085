// A cylinder pressed on a plate (de Saxce 2018, section 10): axisymmetric at the digits of another program, and in space against it.

#include "one_context.h"

#include "ricochet/run.h"
#include "store/elastic_view.h"

static const char RING[] =
    "parameters: {n: 10, mu: 0.2}\n"
    "elastic:\n"
    "  cylinder:\n"
    "    mesh: {rectangle: {size: [10, 10], cells: [n, n]}}\n"
    "    model: axisymmetric\n"
    "    material: {young: 210000, poisson: 0.3, density: 7.85e-9}\n"
    "    fixed: {left: [x]}\n"
    "    moved: {top: {y: -0.1*t}}\n"
    "contacts:\n"
    "  base: {nodes: cylinder.bottom, against: {plane: {normal: [0, 1]}}, friction: mu}\n"
    "time: {end: 1, step: 1}\n"
    "scheme: quasi-static\n";

// What the base of a pressed ring looks like: nodes from the axis to the rim.
typedef struct base {
    int64_t nodes;
    double force; // of all of them, along the axis
    double r[200], slip[200], pressure[200], friction[200];
    int64_t status[200];
} base;


static void press(const char *scene, int64_t count, const char *const *set, rico_elastic_view **view,
                  rico_results **results)
{
    rico_runner_options options = rico_runner_defaults();
    rico_runner_result how;
    options.scene = "here";
    options.text = scene;
    options.override_count = count;
    options.overrides = set;
    options.results = results;
    assert_ok(ctx, rico_runner_run(ctx, &options, &how));
    assert_true(how.finished);
    assert_ok(ctx, rico_elastic_view_open(ctx, *results, view));
    assert_ok(ctx, rico_elastic_view_read(*view, rico_elastic_view_find(*view, NAN)));
}


static base press_ring(const char *n, const char *mu)
{
    rico_elastic_view *view = NULL;
    rico_results *results = NULL;
    base out = {0};
    const char *set[] = {n, mu};
    press(RING, 2, set, &view, &results);
    const rico_viewed_mesh *mesh = &view->mesh[0];
    for (int64_t i = 0; i < mesh->nodes; i++) {
        if (mesh->X[3 * i + 1] != 0.0) continue;
        int64_t k = out.nodes++;
        out.r[k] = mesh->X[3 * i];
        out.slip[k] = mesh->displacement[3 * i];
        out.pressure[k] = mesh->pressure[i];
        out.friction[k] = mesh->force[3 * i];
        out.status[k] = mesh->status[i];
        out.force += mesh->force[3 * i + 1];
        assert_near(mesh->displacement[3 * i + 1], 0.0, 1e-12);
    }
    rico_elastic_view_destroy(view);
    rico_results_destroy(results);
    return out;
}


// Uniform compression: E depth/H over the base, nu depth/H R outwards, whatever the mesh; pressures of all nodes, the axis included.
static void without_friction_it_is_uniform(void **state)
{
    (void)state;
    base b = press_ring("n=10", "mu=0");
    assert_near(b.force, 2100.0 * M_PI * 100.0, 1e-6);
    for (int64_t i = 0; i < b.nodes; i++) {
        assert_near(b.slip[i], 0.003 * b.r[i], 1e-14);
        assert_near(b.pressure[i], 2100.0, 1e-7);
    }
}


// Full stick: one force for all large coefficients.
static void much_friction_holds_all_of_it(void **state)
{
    (void)state;
    base b = press_ring("n=40", "mu=0.5"), c = press_ring("n=40", "mu=2");
    assert_near(b.force, 695855.8, 0.05);
    assert_near(c.force, 695855.8, 0.05);
    for (int64_t i = 0; i < b.nodes; i++) assert_near(b.slip[i], 0.0, 1e-12);
}


typedef struct expected {
    const char *n;
    double force, stick, slides, rim, middle, edge;
} expected;


// Force, last node that sticks and first that slips, slip of the rim, pressures in the middle and at the rim.
static void rings_have_their_digits(void **state)
{
    (void)state;
    static const expected CASES[] = {{"n=10", 687616.1, 4.0, 5.0, .0107436, 1928.0, 3142.0},
                                     {"n=20", 687604.9, 4.0, 4.5, .0100931, 1927.2, 3600.0},
                                     {"n=40", 687597.9, 4.25, 4.5, .0097203, 1926.9, 4141.0},
                                     {"n=80", 687597.0, 4.25, 4.375, .0095051, 1926.8, 4770.0}};
    for (int k = 0; k < 4; k++) {
        const expected *e = &CASES[k];
        base b = press_ring(e->n, "mu=0.2");
        double stick = 0.0, slides = 10.0;
        for (int64_t i = 1; i < b.nodes; i++) {
            if (b.status[i] == 1) stick = fmax(stick, b.r[i]);
            if (b.status[i] == 2) slides = fmin(slides, b.r[i]);
            if (b.status[i] == 2) assert_true(b.slip[i] > b.slip[i - 1] && b.friction[i] < 0.0);
            if (b.status[i] == 1) assert_near(b.slip[i], 0.0, 1e-12);
        }
        int64_t last = b.nodes - 1;
        assert_near(b.force, e->force, 0.05);
        assert_near(stick, e->stick, 1e-9);
        assert_near(slides, e->slides, 1e-9);
        assert_near(b.slip[last], e->rim, 5.1e-8);
        assert_near(b.pressure[0], e->middle, 0.06);
        assert_near(b.pressure[last], e->edge, 0.6);
    }
}


static void rings_have_their_profiles(void **state)
{
    (void)state;
    static const double SLIP[] = {4.505e-4, 1.6604e-3, 3.2201e-3, 5.0014e-3, 6.9435e-3, 9.7203e-3};
    static const double PRESSURE[3][2] = {{5, 1970.7}, {7, 2047.9}, {9, 2309.0}};
    base b = press_ring("n=40", "mu=0.2"), fine = press_ring("n=80", "mu=0.2");
    for (int k = 0; k < 6; k++) assert_near(b.slip[4 * (5 + k)], SLIP[k], 6e-8);
    double least = INFINITY, where = 0.0;
    for (int64_t i = 0; i < fine.nodes; i++) {
        for (int k = 0; k < 3; k++)
            if (fabs(fine.r[i] - PRESSURE[k][0]) < 1e-9) assert_near(fine.pressure[i], PRESSURE[k][1], 0.06);
        if (!(fine.pressure[i] < least)) continue;
        least = fine.pressure[i];
        where = fine.r[i];
    }
    // the low of the pressure is off the axis, and shallow
    assert_near(where, 2.1, 0.2);
    assert_near(fine.pressure[0] - least, 0.3, 0.06);
    base less = press_ring("n=40", "mu=0.1"), more = press_ring("n=40", "mu=0.3");
    assert_near(less.force, 673493.8, 0.05);
    assert_near(more.force, 695441.2, 0.05);
    assert_near(more.slip[40], 1.4596e-3, 6e-8);
    for (int64_t i = 1; i < 41; i++) {
        assert_int_equal(less.status[i], less.r[i] < 0.51 ? 1 : 2);
        assert_int_equal(more.status[i], more.r[i] < 8.51 ? 1 : 2);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_friction_it_is_uniform),
        cmocka_unit_test(much_friction_holds_all_of_it),
        cmocka_unit_test(rings_have_their_digits),
        cmocka_unit_test(rings_have_their_profiles),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
