// Angles between contacts: detectors of corners, and the verdict of proposition 1, on systems whose angles are known.

#include "failing_memory.h"
#include "ricochet/ricochet.h"
#include "support.h"

static int setup(void **state)
{
    *state = rico_context_create(NULL);
    return *state ? 0 : 1;
}


static int teardown(void **state)
{
    rico_context_destroy(*state);
    return 0;
}


// A point of masses (1, m) in the plane with two straight sides.
static rico_system *sides(rico_context *ctx, double m, const double first[2], const double second[2],
                          double e)
{
    const int64_t column[] = {0, 1, 2}, dof[] = {0, 1};
    const double mass[] = {1.0, m};
    rico_system *system;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_matrix_part part = {.size = 2, .M = {2, 2, column, dof, mass}};
    assert_ok(ctx, rico_system_add_matrices(system, "point", &part, NULL));
    for (int c = 0; c < 2; c++) {
        rico_contact side = {.dimension = 1,
                             .restitution = e,
                             .reach = {2, dof},
                             .gradient = c ? second : first,
                             .offset = c ? 0.5 : 0.25};
        assert_ok(ctx, rico_system_add_contact(system, c ? "right" : "left", &side, NULL));
    }
    return system;
}


// The wedge of the chapter has c = 2/sqrt(5), which continuity forbids for every e; right angles are fine for all, acute ones for e = 0.
static void wedges(void **state)
{
    rico_context *ctx = *state;
    const double floor[] = {0.0, 1.0}, slope[] = {-1.0, 2.0}, wall[] = {-1.0, 0.0}, back[] = {1.0, -0.5};
    const struct {
        const double *second;
        double cosine;
        bool plastic, elastic; // continuous
    } CASES[] = {{slope, 2.0 / sqrt(5.0), false, false},
                 {wall, 0.0, true, true},
                 {back, -0.5 / sqrt(1.25), true, false}};
    for (int k = 0; k < 3; k++)
        for (int e = 0; e < 3; e++) {
            rico_system *system = sides(ctx, 1.0, floor, CASES[k].second, 0.5 * e);
            const double q[] = {3.0, 7.0};
            rico_angles *angles;
            assert_ok(ctx, rico_angles_find(system, 0.0, q, 0.0, &angles));
            assert_int_equal(angles->count, 1);
            assert_int_equal(angles->angle[0].kind, RICO_CORNER_FOUND);
            assert_near(angles->angle[0].cosine, CASES[k].cosine, 1e-14);
            assert_near(cos(M_PI - angles->angle[0].angle), CASES[k].cosine, 1e-14);
            assert_true(angles->angle[0].continuous == (e ? CASES[k].elastic : CASES[k].plastic));
            assert_true(angles->continuous == angles->angle[0].continuous);
            assert_string_equal(angles->angle[0].name[1], "right");
            assert_string_equal(rico_corner_name(angles->angle[0].kind), "found");
            // the corner: both gaps vanish there
            assert_near(angles->position[1], -0.25, 1e-12);
            double gap =
                0.5 + CASES[k].second[0] * angles->position[0] + CASES[k].second[1] * angles->position[1];
            assert_near(gap, 0.0, 1e-12);
            rico_angles_destroy(ctx, angles);
            // from the corner itself
            assert_ok(ctx, rico_angles_find(system, 0.0, (const double[]){100.0, -2.0}, 1e3, &angles));
            assert_int_equal(angles->angle[0].kind, RICO_CORNER_TOUCHING);
            rico_angles_destroy(ctx, angles);
            rico_system_destroy(system);
        }
}


// The metric counts: gradients (1, 1) and (1, -1) under masses 1 and m have c = (1 - 1/m)/(1 + 1/m).
static void metric(void **state)
{
    rico_context *ctx = *state;
    const double up[] = {1.0, 1.0}, down[] = {1.0, -1.0}, q[] = {0.0, 0.0}, parallel[] = {-2.0, -2.0};
    for (double m = 0.25; m < 5.0; m *= 2.0) {
        rico_system *system = sides(ctx, m, up, down, 0.0);
        rico_angles *angles;
        assert_ok(ctx, rico_angles_find(system, 0.0, q, 0.0, &angles));
        assert_near(angles->angle[0].cosine, (1.0 - 1.0 / m) / (1.0 + 1.0 / m), 1e-14);
        assert_true(angles->continuous == (m <= 1.0));
        rico_angles_destroy(ctx, angles);
        rico_system_destroy(system);
    }
    // opposite walls are never closed at once
    rico_system *system = sides(ctx, 1.0, up, parallel, 1.0);
    rico_angles *angles;
    assert_ok(ctx, rico_angles_find(system, 0.0, q, 0.0, &angles));
    assert_true(angles->count == 0 && angles->apart == 1 && angles->continuous);
    rico_angles_destroy(ctx, angles);
    assert_int_equal(rico_angles_find(system, 0.0, q, -1.0, &angles), RICO_BAD_ARGUMENT);
    rico_system_destroy(system);
}


static rico_scene *parse(rico_context *ctx, const char *text)
{
    rico_scene *scene;
    char excerpt[256];
    assert_ok(ctx, rico_scene_parse(ctx, "here", text, (int64_t)strlen(text), 0, NULL, excerpt,
                                    sizeof excerpt, &scene));
    return scene;
}


// Three balls in a row: c = -1/sqrt((1 + m2/m1)(1 + m2/m3)) wherever they are. Continuous for e = 0 alone.
static void balls(void **state)
{
    rico_context *ctx = *state;
    rico_scene *scene = parse(ctx, "parts: {balls: {coordinates: [a, b, c], mass: [1, 2, 3]}}\n"
                                   "contacts: {left: {gap: b - a - 1}, right: {gap: c - b - 1}}\n"
                                   "initial: {position: {a: 0, b: 3, c: 9}}\n"
                                   "time: {end: 1, step: 0.1}\n");
    rico_angles *angles;
    assert_ok(ctx, rico_angles_find(rico_scene_system(scene), 0.0, rico_scene_position(scene), 0.0, &angles));
    assert_int_equal(angles->count, 1);
    assert_near(angles->angle[0].cosine, -1.0 / sqrt((1.0 + 2.0) * (1.0 + 2.0 / 3.0)), 1e-14);
    assert_true(angles->continuous);
    rico_angles_destroy(ctx, angles);
    rico_scene_destroy(scene);
}


// Curved sides: circles of radius 5 about (0, 0) and (6, 0), K outside both, meet at (3, 4) and (3, -4), with normals (3, 4)/5 and (-3, 4)/5. A third
// side that cuts the corner off leaves it outside; a joint y = 4 leaves x alone, against whose motion both normals stand: c = -1.
static void curved(void **state)
{
    rico_context *ctx = *state;
    static const char CIRCLES[] = "parts: {point: {coordinates: [x, y], mass: [1, 1]}}\n"
                                  "contacts:\n"
                                  "  one: {gap: 'hypot(x, y) - 5', restitution: 0.5}\n"
                                  "  two: {gap: 'hypot(x - 6, y) - 5', restitution: 0.5}\n";
    static const char *const ENDS[] = {"", "  cut: {gap: y - 5}\n", "joints: {rail: {equations: [y - 4]}}\n"};
    for (int k = 0; k < 3; k++) {
        char text[900];
        snprintf(text, sizeof text, "%s%sinitial: {position: {%s}}\ntime: {end: 1, step: 0.1}\n", CIRCLES,
                 ENDS[k], k == 2 ? "x: 3, y: 4" : "x: 3.5, y: 6");
        rico_scene *scene = parse(ctx, text);
        rico_angles *angles;
        assert_ok(ctx,
                  rico_angles_find(rico_scene_system(scene), 0.0, rico_scene_position(scene), 0.0, &angles));
        assert_near(angles->angle[0].cosine, k == 2 ? -1.0 : (-9.0 + 16.0) / 25.0, 1e-12);
        assert_int_equal(angles->angle[0].kind, k == 2   ? RICO_CORNER_TOUCHING
                                                : k == 1 ? RICO_CORNER_OUTSIDE
                                                         : RICO_CORNER_FOUND);
        assert_int_equal(angles->angle[0].place, k == 2 ? -1 : 0);
        if (k < 2) assert_near(angles->position[0], 3.0, 1e-9);
        if (k < 2) assert_near(angles->position[1], 4.0, 1e-9);
        assert_false(angles->continuous);
        rico_angles_destroy(ctx, angles);
        rico_scene_destroy(scene);
    }
}


// Where the motion from q + shift w with the velocity -q is at t = 2; it aims at the corner, the origin, and reaches it at t = 1.
static void follow(rico_context *ctx, double m, const double normal[2][2], double e, const double *q,
                   const double *w, double shift, double end[2])
{
    const int64_t column[] = {0, 1, 2}, dof[] = {0, 1};
    const double mass[] = {1.0, m}, from[] = {q[0] + shift * w[0], q[1] + shift * w[1]}, v[] = {-q[0], -q[1]};
    rico_system *system;
    rico_simulation *sim;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_matrix_part part = {.size = 2, .M = {2, 2, column, dof, mass}};
    assert_ok(ctx, rico_system_add_matrices(system, "point", &part, NULL));
    for (int c = 0; c < 2; c++) {
        rico_contact side = {.dimension = 1, .restitution = e, .reach = {2, dof}, .gradient = normal[c]};
        assert_ok(ctx, rico_system_add_contact(system, c ? "right" : "left", &side, NULL));
    }
    assert_ok(ctx, rico_simulation_create(system, "event-driven", &sim));
    assert_ok(ctx, rico_simulation_start(sim, 0.0, from, v));
    rico_status status = RICO_OK;
    for (int k = 0; k < 20 && status == RICO_OK; k++) status = rico_simulation_step(sim, 0.1);
    // blows that accumulate in the corner end there
    if (status == RICO_UNSUPPORTED)
        end[0] = end[1] = 0.0;
    else
        assert_ok(ctx, status);
    for (int i = 0; i < 2 && status == RICO_OK; i++) end[i] = rico_simulation_position(sim)[i];
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
}


// Proposition 1 by simulation: random masses, sides and restitutions. Motions that start 2e-6 apart beside the way into the corner stay together
// where the angle says so, and part in most of the other corners.
static void continuity(void **state)
{
    rico_context *ctx = *state;
    rico_random random;
    rico_random_seed(&random, 12);
    int together = 0, flagged = 0, parted = 0;
    for (int trial = 0; trial < 300; trial++) {
        double m = rico_random_range(&random, 0.3, 3.0),
               e = trial % 3 ? rico_random_range(&random, 0.3, 1.0) : 0.0;
        double angle = rico_random_range(&random, 0.0, 6.28), normal[2][2] = {{cos(angle), sin(angle)}}, q[2],
               w[2], ends[2][2];
        double open = rico_random_range(&random, 0.5, 2.6);
        normal[1][0] = cos(angle + open), normal[1][1] = sin(angle + open);
        // perpendicular in the metric: n_b = M J n_a up to sign
        if (trial % 2) normal[1][0] = -normal[0][1] / m, normal[1][1] = normal[0][0];
        double cross = normal[0][0] * normal[1][1] - normal[0][1] * normal[1][0],
               a = rico_random_range(&random, 0.3, 1.0), b = rico_random_range(&random, 0.3, 1.0);
        q[0] = (a * normal[1][1] - b * normal[0][1]) / cross;
        q[1] = (b * normal[0][0] - a * normal[1][0]) / cross;
        double size = hypot(q[0], q[1]);
        w[0] = -q[1] / size, w[1] = q[0] / size;
        rico_system *system = sides(ctx, m, normal[0], normal[1], e);
        rico_angles *angles;
        assert_ok(ctx, rico_angles_find(system, 0.0, q, 0.0, &angles));
        bool continuous = angles->continuous;
        double cosine = fabs(angles->angle[0].cosine);
        rico_angles_destroy(ctx, angles);
        rico_system_destroy(system);
        for (int i = 0; i < 2; i++) follow(ctx, m, normal, e, q, w, i ? -1e-6 : 1e-6, ends[i]);
        double apart = hypot(ends[0][0] - ends[1][0], ends[0][1] - ends[1][1]);
        if (continuous) {
            assert_at_most(apart, 1e-4);
            together++;
        } else if (cosine > 0.2) {
            flagged++;
            parted += apart > 1e-2;
        }
    }
    assert_true(together > 100 && flagged > 50);
    assert_true(parted > flagged / 2);
}


static rico_status find(rico_context *ctx, void *user)
{
    (void)user;
    const int64_t column[] = {0, 1, 2}, dof[] = {0, 1};
    const double one[] = {1.0, 1.0}, first[] = {1.0, 0.0}, second[] = {0.3, 1.0}, q[] = {3.0, 4.0};
    rico_system *system = NULL;
    rico_angles *angles = NULL;
    rico_matrix_part part = {.size = 2, .M = {2, 2, column, dof, one}};
    rico_status status = rico_system_create(ctx, &system);
    if (status == RICO_OK) status = rico_system_add_matrices(system, "point", &part, NULL);
    for (int c = 0; c < 2 && status == RICO_OK; c++) {
        rico_contact side = {.dimension = 1, .reach = {2, dof}, .gradient = c ? second : first};
        status = rico_system_add_contact(system, "side", &side, NULL);
    }
    if (status == RICO_OK) status = rico_angles_find(system, 0.0, q, 0.0, &angles);
    rico_angles_destroy(ctx, angles);
    rico_system_destroy(system);
    return status;
}


static void out_of_memory(void **state)
{
    (void)state;
    assert_true(allocations_fail(find, NULL, 0) > 20);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wedges), cmocka_unit_test(metric),     cmocka_unit_test(balls),
        cmocka_unit_test(curved), cmocka_unit_test(continuity), cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
