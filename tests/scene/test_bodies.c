// Rigid bodies in scenes: what is read, where copies stand, what is refused and with which words.

#include "failing_memory.h"
#include "one_context.h"

#include "model/bodies_look.h"
#include "scene/scene.h"

#define TIME "\ntime: {end: 1, step: 1e-2}\n"


static rico_scene *parse(const char *text)
{
    rico_scene *scene = NULL;
    assert_ok(ctx, rico_scene_parse(ctx, "s", text, (int64_t)strlen(text), 0, NULL, NULL, 0, &scene));
    return scene;
}


// The scene is refused with these words.
static void refuse(const char *text, const char *words)
{
    rico_scene *scene = NULL;
    rico_status status = rico_scene_parse(ctx, "s", text, (int64_t)strlen(text), 0, NULL, NULL, 0, &scene);
    if (status == RICO_OK) fail_msg("taken: %s", text);
    if (!strstr(rico_message(ctx), words)) fail_msg("'%s' instead of '%s'", rico_message(ctx), words);
    assert_null(scene);
}


static const rico_bodies *bodies_of(const rico_scene *scene)
{
    const rico_bodies *bodies = rico_scene_body_set(scene, NULL, NULL);
    assert_non_null(bodies);
    return bodies;
}


static rico_stand stand_of(const rico_scene *scene, const char *name)
{
    rico_place place;
    rico_stand stand;
    const rico_bodies *bodies = rico_scene_body_set(scene, &place, NULL);
    int64_t body = rico_bodies_find(bodies, name);
    if (body < 0) fail_msg("there is no body %s", name);
    assert_true(rico_bodies_stand(bodies, body, 0.0, rico_scene_position(scene) + place.q, &stand));
    return stand;
}


static void assert_at(const rico_scene *scene, const char *name, double x, double y, double z)
{
    rico_stand stand = stand_of(scene, name);
    const double expected[3] = {x, y, z};
    for (int i = 0; i < 3; i++)
        if (!(fabs(stand.position[i] - expected[i]) <= 1e-15))
            fail_msg("%s[%d] = %.17g, expected %.17g", name, i, stand.position[i], expected[i]);
}


// --- what is read ------------------------------------------------------------------------------------------------

static void test_reads(void **state)
{
    (void)state;
    rico_scene *scene = parse(
        "parameters: {r: 0.05, rho: 800}\n"
        "gravity: [0, 0, -9.81]\n"
        "materials: {wood: {friction: 0.5, restitution: 0.1}, steel: {friction: 0.2}}\n"
        "pairs: [{between: [wood, steel], friction: 0.3, restitution: 0.25}]\n"
        "bodies:\n"
        "  floor: {shape: plane, fixed: yes, material: wood}\n"
        "  ball: {shape: {sphere: {radius: r}}, density: rho, position: [0, 0, 1], velocity: [1, 2, 3],\n"
        "         spin: [0, 0, 2*pi], material: steel, rotation: {axis: [0, 0, 2], angle: 90}}\n"
        "  nut: {mass: 2, inertia: [1, 2, 2.5], center: [0.1, 0, 0], position: [1, 0, 1], sensor: "
        "yes}\n" TIME);
    const rico_bodies *bodies = bodies_of(scene);
    assert_int_equal(rico_bodies_count(bodies), 3);
    assert_int_equal(rico_bodies_type(bodies, 0), RICO_BODY_FIXED);
    assert_near(rico_bodies_mass(bodies, 1), 800.0 * 4.0 / 3.0 * M_PI * 1.25e-4, 1e-14);
    rico_contact_law law =
        rico_bodies_pair(bodies, rico_bodies_look(bodies, 0).material, rico_bodies_look(bodies, 1).material);
    assert_true(law.friction == 0.3 && law.restitution == 0.25);
    assert_true(rico_bodies_look(bodies, 2).sensor && rico_bodies_look(bodies, 2).inertia[4] == 2.0);

    // coordinates of the center of mass, names, velocities with the spin in the axes of the body
    const double *q = rico_scene_position(scene), *v = rico_scene_velocity(scene);
    assert_true(q[2] == 1.0 && q[7] == 1.1);
    assert_near(q[3], sqrt(0.5), 1e-15);
    assert_near(q[6], sqrt(0.5), 1e-15);
    assert_true(v[0] == 1.0 && v[1] == 2.0 && v[2] == 3.0 && v[5] == 2.0 * M_PI);
    char name[RICO_SCENE_NAME];
    rico_scene_position_name(scene, 7, name);
    assert_string_equal(name, "nut.x");
    rico_scene_position_name(scene, 6, name);
    assert_string_equal(name, "ball.q3");
    rico_scene_velocity_name(scene, 11, name);
    assert_string_equal(name, "nut.w_z");
    assert_string_equal(rico_scene_scheme(scene), "moreau-jean-projected");
    rico_scene_destroy(scene);
}


// In the plane everything has two coordinates and an angle; parts stand beside bodies.
static void test_plane(void **state)
{
    (void)state;
    rico_scene *scene =
        parse("parts: {cart: {coordinates: [s, r], mass: [1, 2]}}\n"
              "initial: {velocity: {r: 3}}\n"
              "gravity: [0, -9.81]\n"
              "bodies:\n"
              "  ground: {shape: line, fixed: yes}\n"
              "  wheel: {shape: {disc: 0.5}, density: 1, position: [0, 2], rotation: 30, spin: -1}\n" TIME);
    char name[RICO_SCENE_NAME];
    assert_int_equal(rico_bodies_dimension(bodies_of(scene)), 2);
    assert_int_equal(rico_system_positions(rico_scene_system(scene)), 5);
    rico_scene_position_name(scene, 4, name);
    assert_string_equal(name, "wheel.angle");
    rico_scene_position_name(scene, 1, name);
    assert_string_equal(name, "r");
    assert_near(rico_scene_position(scene)[4], M_PI / 6.0, 1e-15);
    assert_true(rico_scene_velocity(scene)[4] == -1.0 && rico_scene_velocity(scene)[1] == 3.0);
    rico_scene_destroy(scene);
}


// Forces, torques and motions are those of the formulas; springs pull.
static void test_formulas(void **state)
{
    (void)state;
    rico_scene *scene = parse(
        "parameters: {k: 4}\n"
        "scheme: {name: moreau-jean, theta: 0.5}\n"
        "bodies:\n"
        "  ball: {shape: {sphere: 0.1}, mass: 2, position: [1, 0, 0], force: [-k*x, 2*t, 0.1*v_z]}\n"
        "  top: {mass: 1, inertia: [1, 1, 1], position: [9, 0, 0], torque: [0, 0, 3 - w_z]}\n"
        "  bob: {mass: 1, inertia: [1, 1, 1], position: [0, 19.5, 0]}\n"
        "  arm: {shape: {box: {size: [1, 0.1, 0.1]}}, position: [0, 9, 0],\n"
        "        motion: {shift: [0, 0, sin(2*t)], turn: {axis: [0, 0, 1], angle: 90*t}}}\n"
        "springs: {rope: {between: [bob, world], at: [[0, 0, 0], [0, 18, 0]], stiffness: 100, rest: 1}}\n"
        "time: {end: 1, step: 1e-3}\n");
    rico_simulation *sim;
    assert_ok(ctx, rico_scene_simulate(scene, &sim));
    for (int k = 0; k < 1000; k++) assert_ok(ctx, rico_simulation_step(sim, 1e-3));
    const double *q = rico_simulation_position(sim), *v = rico_simulation_velocity(sim);
    assert_near(q[0], cos(sqrt(2.0)), 1e-5);
    assert_near(q[1], 1.0 / 6.0, 1e-5);                // 2 y'' = 2 t
    assert_near(v[11], 3.0 * (1.0 - exp(-1.0)), 1e-5); // w' = 3 - w
    assert_near(q[15], 19.0 + 0.5 * cos(10.0), 1e-3);  // about the rest length, with sqrt(100)

    rico_stand stand;
    const rico_bodies *bodies = bodies_of(scene);
    assert_true(rico_bodies_stand(bodies, 3, 1.0, NULL, &stand));
    assert_near(stand.position[2], sin(2.0), 1e-15);
    assert_near(stand.orientation[3], sqrt(0.5), 1e-15);
    rico_simulation_destroy(sim);
    rico_scene_destroy(scene);
}


// --- copies --------------------------------------------------------------------------------------------------------

static void test_patterns(void **state)
{
    (void)state;
    static const char BRICK[] =
        "bodies:\n  b: {shape: {box: {size: [0.2, 0.1, 0.06]}}, density: 1, fixed: no,\n"
        "      position: [0, 0, 1], copies: {%s}}\n"
        "initial: {overlap: true}\n" TIME;
    static const struct {
        const char *copies;
        int64_t count;
        const char *name;
        double x, y, z;
    } CASES[] = {
        {"grid: {count: [2, 3, 2], spacing: [0.3, 0.2, 0.1]}", 12, "b-6", 0.3, 0.4, 1.0},
        {"grid: {count: [2, 3, 2], spacing: [0.3, 0.2, 0.1]}", 12, "b-7", 0.0, 0.0, 1.1},
        {"stack: 3", 3, "b-3", 0.0, 0.0, 1.15},
        {"stack: {count: 3, gap: 0.04}", 3, "b-2", 0.0, 0.0, 1.13},
        {"wall: {length: 3, courses: 2}", 6, "b-1", -0.25, 0.0, 1.03},
        {"wall: {length: 3, courses: 2}", 6, "b-6", 0.25, 0.0, 1.09},
        {"pyramid: 3", 6, "b-6", 0.0, 0.0, 1.15},
        {"pyramid: {base: 3, gap: 0.02}", 6, "b-1", -0.22, 0.0, 1.03},
        {"tower: {layers: 3}", 6, "b-1", 0.0, -0.05, 1.03},
        {"tower: {layers: 3}", 6, "b-4", 0.05, 0.0, 1.09},
        {"pour: {count: [2, 2, 2], spacing: [0.3], turned: no}", 8, "b-1", -0.15, -0.15, 1.0},
        {"pour: {count: [2, 2, 2], spacing: [0.3], turned: no}", 8, "b-8", 0.15, 0.15, 1.3},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char text[512];
        snprintf(text, sizeof text, BRICK, CASES[i].copies);
        rico_scene *scene = parse(text);
        assert_int_equal(rico_bodies_count(bodies_of(scene)), CASES[i].count);
        rico_stand stand = stand_of(scene, CASES[i].name);
        assert_near(stand.position[0], CASES[i].x, 1e-15);
        assert_near(stand.position[1], CASES[i].y, 1e-15);
        assert_near(stand.position[2], CASES[i].z, 1e-15);
        rico_scene_destroy(scene);
    }
}


// The pattern goes where the body stands, as the body is turned.
static void test_pattern_turned(void **state)
{
    (void)state;
    rico_scene *scene =
        parse("bodies:\n  b: {shape: {sphere: 0.1}, density: 1, position: [1, 0, 0], rotation: 90,\n"
              "      copies: {grid: {count: [3], spacing: [0.5]}}}\n" TIME);
    assert_at(scene, "b-3", 1.0, 1.0, 0.0);
    rico_scene_destroy(scene);
}


// Copies of a heap are as many as asked for, in their space, and do not overlap; the same seed gives the same.
static void test_heap(void **state)
{
    (void)state;
    static const char HEAP[] = "bodies:\n  b: {shape: {sphere: 0.1}, density: 1, position: [5, 0, 1],\n"
                               "      copies: {heap: {count: 100, size: [2, 2, 2], seed: 3}}}\n" TIME;
    rico_scene *scene = parse(HEAP), *again = parse(HEAP);
    const double *q = rico_scene_position(scene);
    for (int i = 0; i < 100; i++) {
        const double *x = q + 7 * i;
        assert_true(fabs(x[0] - 5.0) <= 0.9 && fabs(x[1]) <= 0.9 && x[2] >= 1.1 && x[2] <= 2.9);
        assert_near(hypot(hypot(x[3], x[4]), hypot(x[5], x[6])), 1.0, 1e-15);
        for (int j = 0; j < i; j++) {
            const double *y = q + 7 * j;
            assert_true(hypot(hypot(x[0] - y[0], x[1] - y[1]), x[2] - y[2]) > 0.2);
        }
    }
    assert_memory_equal(q, rico_scene_position(again), 700 * sizeof *q);
    rico_scene_destroy(scene);
    rico_scene_destroy(again);
}


// Voussoirs fill half a ring: their volumes, and where the first and the last touch the ground.
static void test_arch(void **state)
{
    (void)state;
    rico_scene *scene =
        parse("bodies:\n  v: {density: 2, copies: {arch: {radius: 1, thickness: 0.2, depth: 0.5, "
              "count: 8}}}\ninitial: {overlap: true}\n" TIME);
    const rico_bodies *bodies = bodies_of(scene);
    assert_int_equal(rico_bodies_count(bodies), 8);
    double half = M_PI / 16.0;
    assert_near(rico_bodies_mass(bodies, 0), 2.0 * 0.5 * 0.5 * sin(2.0 * half) * (1.1 * 1.1 - 0.9 * 0.9),
                1e-14);
    for (int i = 0; i < 8; i += 7) {
        rico_stand stand = stand_of(scene, i == 0 ? "v-1" : "v-8");
        double lower[3], upper[3];
        rico_shape_bounds(rico_bodies_shape(bodies, i), &stand, lower, upper);
        assert_near(lower[2], 0.0, 1e-15);
        assert_near(i == 0 ? -lower[0] : upper[0], 1.1, 1e-15);
    }
    rico_scene_destroy(scene);
}


// --- what is refused -------------------------------------------------------------------------------------------------

static void test_refusals(void **state)
{
    (void)state;
    static const char *const CASES[][2] = {
        {"bodies: {b: {shape: {sphere: 0.1}}}" TIME, "s:1:10: body 'b' has no mass; add 'density: ...'"},
        {"bodies: {b: {shape: {sphere: 0.1}, density: 0}}" TIME, "'density' must be above 0, got 0"},
        {"bodies: {b: {shape: {sphere: 0.1}, mass: -1}}" TIME, "'mass' must be above 0, got -1"},
        {"bodies: {b: {shape: {sphere: -0.1}, density: 1}}" TIME, "'radius' must be above 0, got -0.1"},
        {"bodies: {b: {shape: {sphere: 0/0}, density: 1}}" TIME, "s:1:30: "},
        {"bodies: {b: {mass: 1, inertia: [1, 1, 3]}}" TIME, "no body has the principal moments 1, 1, 3"},
        {"bodies: {b: {mass: 1, inertia: [1, 1]}}" TIME, "'inertia' has 2 numbers, expected 3"},
        {"bodies: {b: {mass: 1}}" TIME,
         "s:1:10: body b has no shape: it needs a mass and an inertia of its own"},
        {"bodies: {b: {shape: {sphere: 0.1}, density: 1, mass: 2}}" TIME, "exclude each other; keep one"},
        {"bodies: {b: {shape: {sphere: 0.1}, inertia: [1, 1, 1]}}" TIME, "'inertia' needs 'mass'"},
        {"bodies: {b: {shape: {sphere: 0.1}, density: 1, material: wod}}\nmaterials: {wood: {}}" TIME,
         "s:1:58: there is no material 'wod'; did you mean 'wood'?"},
        {"bodies: {b: {shape: {sfere: 0.1}, density: 1}}" TIME,
         "unknown key 'sfere' in shape; did you mean 'sphere'?"},
        {"bodies: {b: {shape: ball, density: 1}}" TIME, "has no choice 'ball'"},
        {"bodies: {b: {shape: {sphere: 0.1, box: {size: [1, 1, 1]}}, density: 1}}" TIME,
         "exclude each other"},
        {"bodies: {b: {shape: {sphere: 0.1}, densty: 1}}" TIME,
         "unknown key 'densty' in body; did you mean 'density'?"},
        {"bodies: {b: {shape: {sphere: 0.1}, density: 1, position: [1, 2]}}" TIME,
         "'position' has 2 numbers, expected 3"},
        {"bodies: {b: {shape: {disc: 0.1}, density: 1, position: [1, 2, 3]}}" TIME,
         "has 3 numbers, expected 2: the scene lies in the plane"},
        {"bodies: {b: {shape: {disc: 0.1}, density: 1}, c: {shape: {sphere: 1}, density: 1}}" TIME,
         "a sphere lies in space, the shape in line 1 in the plane"},
        {"bodies: {b: {shape: plane, density: 1}}" TIME, "body b is an endless plane and cannot be free"},
        {"bodies: {b: {shape: plane, fixed: yes}}" TIME, "nothing moves in the scene: no body is free"},
        {"bodies: {b: {shape: {sphere: 1}, density: 1, fixed: yes, velocity: [1, 0, 0]}}" TIME,
         "body 'b' is fixed: 'velocity' belongs to a free one"},
        {"bodies: {b: {shape: {sphere: 1}, fixed: yes, motion: {shift: [t, 0, 0]}}}" TIME,
         "fixed has no 'motion'"},
        {"bodies: {b: {shape: {sphere: 1}, fixed: yes, force: [t, 0, 0]}}" TIME,
         "'force' means nothing to a body that is fixed"},
        {"bodies: {b: {shape: {sphere: 1}, density: 1, force: [t, vx, 0]}}" TIME,
         "unknown name 'vx'; did you mean 'x'?"},
        {"bodies: {b: {shape: {sphere: 1}, motion: {shift: [x, 0, 0]}}}" TIME, "unknown name 'x'"},
        {"bodies: {b: {shape: {sphere: 1}, density: 1, rotation: {axis: [0, 0, 0], angle: 3}}}" TIME,
         "the axis has no length"},
        {"bodies: {b: {shape: {sphere: 1}, density: 1}}\nsprings: {s: {between: [b, c], stiffness: 1}}" TIME,
         "s:2:28: there is no body 'c'"},
        {"bodies: {b: {shape: {sphere: 1}, density: 1, copies: {stack: 2}}, b-2: {shape: {sphere: 1}, "
         "density: 1}}" TIME,
         "two bodies are called 'b-2'"},
        {"bodies: {b: {density: 1, copies: {stack: 2}}}" TIME, "'stack' needs a 'shape' to be made of"},
        {"bodies: {b: {shape: {sphere: 1}, density: 1, copies: {arch: {radius: 1, thickness: 0.1, count: "
         "5}}}}" TIME,
         "'arch' makes its shapes itself; remove 'shape'"},
        {"bodies: {b: {shape: {sphere: 1}, density: 1, copies: {heap: {count: 100, size: [3, 3, 3]}}}}" TIME,
         "copies found a place without overlap"},
        {"bodies: {b: {shape: {sphere: 1}, density: 1, copies: {grid: {count: [1.5], spacing: [3]}}}}" TIME,
         "which is no whole number"},
        {"bodies: {b: {shape: {height-field: {formula: x, size: [1, 1]}}, fixed: yes}}" TIME,
         "need 'cells: [nx, ny]'"},
        {"gravity: [0, 0, -9.81]\nparts: {p: {coordinates: [x], mass: [1]}}" TIME,
         "s:1:1: 'gravity' belongs to bodies, and the scene has none"},
        {"title: nothing" TIME, "the key 'parts' or 'bodies' or 'beams' or 'elastic' is missing in scene"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) refuse(CASES[i][0], CASES[i][1]);
}


// Deep overlap is told with names and depth, a little of it is a warning, none at all is neither.
static void keep_warning(void *user, rico_log_level level, const char *text)
{
    (void)level;
    snprintf(user, 400, "%s", text);
}


static void test_overlap(void **state)
{
    (void)state;
    static const char SCENE[] = "bodies:\n  one: {shape: {sphere: 1}, density: 1}\n"
                                "  two: {shape: {sphere: 1}, density: 1, position: [%s, 0, 0]}\n"
                                "initial: {overlap: %s}\n" TIME;
    char text[512], warning[400] = "";
    snprintf(text, sizeof text, SCENE, "1.5", "false");
    refuse(text, "s:3:3: bodies 'one' and 'two' overlap by 0.5 at the start; move them apart, or write "
                 "'initial: {overlap: true}'");
    rico_context_set_log(ctx, keep_warning, warning, RICO_LOG_WARNING);
    snprintf(text, sizeof text, SCENE, "1.5", "true");
    rico_scene_destroy(parse(text));
    snprintf(text, sizeof text, SCENE, "2", "false");
    rico_scene_destroy(parse(text));
    assert_string_equal(warning, "");
    snprintf(text, sizeof text, SCENE, "1.9999", "false");
    rico_scene_destroy(parse(text));
    rico_context_set_log(ctx, NULL, NULL, RICO_LOG_WARNING);
    assert_non_null(strstr(warning, "bodies 'one' and 'two' overlap by 0.0001"));
}


// Bodies meet only groups that they may meet.
static void test_groups(void **state)
{
    (void)state;
    static const char SCENE[] =
        "bodies:\n  one: {shape: {sphere: 1}, density: 1, group: red, meets: [%s]}\n"
        "  two: {shape: {sphere: 1}, density: 1, position: [1.5, 0, 0], group: blue}\n" TIME;
    char text[512];
    snprintf(text, sizeof text, SCENE, "red, blue");
    refuse(text, "overlap by 0.5");
    snprintf(text, sizeof text, SCENE, "red");
    rico_scene_destroy(parse(text));
}


static rico_status load_all(rico_context *own, void *user)
{
    static const char SCENE[] =
        "gravity: [0, 0, -9.81]\nmaterials: {a: {friction: 0.5}, b: {}}\npairs: [{between: [a, b], friction: "
        "1}]\n"
        "bodies:\n"
        "  floor: {shape: plane, fixed: yes}\n"
        "  ball: {shape: {sphere: 0.1}, density: 1, position: [0, 0, 1], force: [x, 0, 0], material: a}\n"
        "  hull: {shape: {hull: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}}, density: 1, "
        "position: [9, 0, 1]}\n"
        "  hill: {shape: {height-field: {formula: 0.1*x, size: [1, 1], cells: [2, 2]}}, fixed: yes, "
        "position: [0, 9, 0]}\n"
        "  arm: {shape: {capsule: {radius: 0.1, length: 1}}, position: [0, 20, 1], motion: {shift: [t, 0, "
        "0]}}\n"
        "  heap: {shape: {sphere: 0.1}, density: 1, position: [30, 0, 1], copies: {heap: {count: 5, size: "
        "[1, 1, 1]}}}\n"
        "  arch: {density: 1, position: [40, 0, 1], copies: {arch: {radius: 1, thickness: 0.2, count: 3}}}\n"
        "springs: {s: {between: [ball, world], stiffness: 1}}\n" TIME;
    rico_scene *scene = NULL;
    (void)user;
    rico_status status = rico_scene_parse(own, "s", SCENE, (int64_t)strlen(SCENE), 0, NULL, NULL, 0, &scene);
    rico_scene_destroy(scene);
    return status;
}


static void test_memory(void **state)
{
    (void)state;
    assert_true(every_allocation_fails(load_all, NULL) > 100);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads),          cmocka_unit_test(test_plane),
        cmocka_unit_test(test_formulas),       cmocka_unit_test(test_patterns),
        cmocka_unit_test(test_pattern_turned), cmocka_unit_test(test_heap),
        cmocka_unit_test(test_arch),           cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_overlap),        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
