// Joints between bodies in scenes: what they hold, drive and stop, and what is refused and with which words.

#include "failing_memory.h"
#include "one_context.h"

#include "ricochet/joints.h"
#include "ricochet/simulation.h"
#include "scene/scene.h"

#define HEAD                                                                                                 \
    "bodies:\n  a: {mass: 1, inertia: [1, 1, 1]}\n  b: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}\n" \
    "time: {end: 1, step: 1e-2}\nscheme: generalized-alpha-constrained\njoints:\n"


static rico_scene *parse(const char *text)
{
    rico_scene *scene = NULL;
    assert_ok(ctx, rico_scene_parse(ctx, "s", text, (int64_t)strlen(text), 0, NULL, NULL, 0, &scene));
    return scene;
}


static void refuse(const char *text, const char *words)
{
    rico_scene *scene = NULL;
    rico_status status = rico_scene_parse(ctx, "s", text, (int64_t)strlen(text), 0, NULL, NULL, 0, &scene);
    if (status == RICO_OK) fail_msg("taken: %s", text);
    if (!strstr(rico_message(ctx), words)) fail_msg("'%s' instead of '%s'", rico_message(ctx), words);
    assert_null(scene);
}


static void run(rico_scene *scene, double t, rico_simulation **sim)
{
    assert_ok(ctx, rico_scene_simulate(scene, sim));
    rico_run_options options = rico_run_defaults(rico_scene_times(scene).step);
    assert_ok(ctx, rico_simulation_run(*sim, t, &options, NULL, NULL, NULL));
}


static const char CRANK[] =
    "bodies:\n"
    "  crank: {position: [0.25, 0], spin: 2*pi, velocity: [0, 0.5*pi], mass: 1, inertia: 0.02, shape: {disc: "
    "0.3}}\n"
    "  rod: {position: [1.25, 0], spin: -2*pi/3, velocity: [0, 0.5*pi], mass: 2, inertia: 0.4, shape: {disc: "
    "0.8}}\n"
    "  slider: {position: [2, 0], mass: 3, inertia: 0.1, shape: {disc: 0.1}}\n"
    "joints:\n"
    "  shaft: {kind: revolute, between: [world, crank], at: [0, 0], motor: {velocity: 360}}\n"
    "  crank-pin: {kind: revolute, between: [crank, rod], at: [0.5, 0]}\n"
    "  wrist-pin: {kind: revolute, between: [rod, slider], at: [2, 0]}\n"
    "  guide: {kind: prismatic, between: [world, slider], at: [2, 0], axis: [1, 0]}\n"
    "time: {end: 2, step: 5e-3}\n";


// A slider and crank in the plane, where the slider is known; under three schemes.
static void crank(void **state)
{
    (void)state;
    static const char *const SCHEME[] = {"generalized-alpha-constrained", "moreau-jean-projected",
                                         "event-driven"};
    for (int k = 0; k < 3; k++) {
        char text[2000];
        rico_simulation *sim;
        snprintf(text, sizeof text, "%sscheme: %s\n", CRANK, SCHEME[k]);
        rico_scene *scene = parse(text);
        run(scene, 1.3, &sim);
        double a = 2.0 * M_PI * 1.3, x = 0.5 * cos(a) + sqrt(2.25 - 0.25 * sin(a) * sin(a));
        assert_near(rico_simulation_position(sim)[6], x, 1e-9);
        assert_near(rico_simulation_position(sim)[2], a, 1e-9);
        assert_near(rico_simulation_position(sim)[7], 0.0, 1e-12);
        rico_simulation_destroy(sim);
        rico_scene_destroy(scene);
    }
}


// A crank, a screw, wheels and a rack in one line each.
static void kinds(void **state)
{
    (void)state;
    rico_scene *scene =
        parse(HEAD "  train: {kind: gear, of: [one, two], teeth: [12, 36]}\n"
                   "  one: {kind: revolute, between: [world, a], at: [0, 0, 0], axis: [0, 0, 1],"
                   " motor: {position: 90*t^2}}\n"
                   "  two: {kind: revolute, between: [world, b], at: [1, 0, 0], axis: [0, 0, 1]}\n");
    rico_simulation *sim;
    run(scene, 1.0, &sim);
    const double *v = rico_simulation_velocity(sim);
    assert_near(v[5], M_PI, 1e-10);
    assert_near(v[11], -M_PI / 3.0, 1e-10);
    rico_simulation_destroy(sim);
    rico_scene_destroy(scene);
    scene = parse(HEAD "  rail: {kind: prismatic, between: [world, a], at: [0, 0, 0], axis: [1, 0, 0],"
                       " limits: {low: -1, high: 0.5, restitution: 0.5}}\n"
                       "  rod: {kind: distance, between: [a, b], at: [[0, 0, 0], [0, 0, 0]]}\n"
                       "  cross: {kind: universal, between: [a, b], at: [0.5, 0, 0], axis: [0, 1, 0],"
                       " second: [0, 0, 1]}\n");
    assert_int_equal(rico_system_constraints(rico_scene_system(scene)), 5);
    assert_string_equal(rico_system_constraint(rico_scene_system(scene), 1).name, "rail.low");
    assert_near(rico_system_constraint(rico_scene_system(scene), 2).restitution, 0.5, 0.0);
    rico_scene_destroy(scene);
}


// One-sided: a mass on a rail falls on its stop and stays.
static void stop(void **state)
{
    (void)state;
    rico_scene *scene =
        parse("gravity: [0, 0, -10]\nbodies: {a: {mass: 2, inertia: [1, 1, 1]}}\n"
              "joints: {rail: {kind: prismatic, between: [world, a], at: [0, 0, 0], axis: [0, 0, 1],"
              " limits: {low: -0.5}}}\ntime: {end: 1, step: 1e-3}\n");
    rico_simulation *sim;
    run(scene, 1.0, &sim);
    assert_near(rico_simulation_position(sim)[2], -0.5, 1e-9);
    assert_near(rico_simulation_velocity(sim)[2], 0.0, 1e-9);
    rico_simulation_destroy(sim);
    rico_scene_destroy(scene);
}


// A start that gapes is refused with the joint and by how much, or repaired.
static void gaping(void **state)
{
    (void)state;
    static const char JOINT[] =
        HEAD "  ball: {kind: spherical, between: [a, b], at: [[0.5, 0, 0], [-0.4, 0, 0]]}\n";
    char text[1000];
    refuse(JOINT, "joint 'ball' is violated at the start: equation 1 is 0.1");
    snprintf(text, sizeof text, "%sinitial: {repair: true}\n", JOINT);
    rico_scene *scene = parse(text);
    assert_near(rico_scene_position(scene)[0], 0.05, 1e-12);
    assert_near(rico_scene_position(scene)[7], 0.95, 1e-12);
    rico_scene_destroy(scene);
    // turned as well: along rotations
    snprintf(text, sizeof text, "%s%s", HEAD,
             "  weld: {kind: fixed, between: [world, b], at: [[0, 0.3, 0], [-1, 0, 0]]}\n"
             "  pin: {kind: spherical, between: [world, a], at: [[0.1, 0.2, 0], [0, 1, 0]]}\n"
             "initial: {repair: true}\n");
    scene = parse(text);
    const double *q = rico_scene_position(scene);
    assert_near(q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6], 1.0, 1e-14);
    assert_near(q[8], 0.3, 1e-11);
    rico_scene_destroy(scene);
}


static void refused(void **state)
{
    (void)state;
#define WORLD_A "between: [world, a], at: [0, 0, 0]"
    refuse(HEAD "  j: {kind: revolute, between: [world, c], at: [0, 0, 0], axis: [0, 0, 1]}\n",
           "s:7:40: there is no body 'c'");
    refuse(HEAD "  j: {kind: revolute, " WORLD_A ", axis: [0, 0, 0]}\n",
           "the axis of joint 'j' has no length");
    refuse(HEAD "  j: {kind: revolute, " WORLD_A "}\n", "has no 'axis'; add 'axis: [0, 0, 1]'");
    refuse(HEAD "  j: {kind: spherical, between: [world, a]}\n", "has no 'at'");
    refuse(HEAD "  j: {kind: spherical, at: [0, 0, 0]}\n", "has no 'between'");
    refuse(HEAD "  j: {kind: hinge, " WORLD_A "}\n", "'kind' has no choice 'hinge'");
    refuse(HEAD "  j: {kind: revolute, " WORLD_A ", axis: [0, 0, 1], limits: {low: 10, high: -10}}\n",
           "the lower limit 10 of joint 'j' is not below the upper one, -10; swap them");
    refuse(HEAD "  j: {kind: revolute, " WORLD_A ", axis: [0, 0, 1], limits: {low: 10}}\n",
           "less than 360 degrees");
    refuse(HEAD "  j: {kind: revolute, " WORLD_A ", axis: [0, 0, 1], limits: {low: 10, high: 20}}\n",
           "s:7:3: contact 'j.low' is penetrated");
    refuse(HEAD "  j: {kind: revolute, " WORLD_A ", axis: [0, 0, 1], motor: {position: 10*t}}\n",
           "joint 'j.motor' forbids the velocities");
    refuse(HEAD "  j: {kind: revolute, " WORLD_A ", axis: [0, 0, 1], motor: {position: x}}\n",
           "a motor may depend on t");
    refuse(HEAD "  j: {kind: screw, " WORLD_A ", axis: [0, 0, 1]}\n", "has no 'pitch'");
    refuse(HEAD "  j: {kind: distance, between: [a, b], at: [0, 0, 0]}\n", "must be two points");
    refuse(HEAD "  j: {kind: distance, between: [a, b], at: [[1, 0, 0], [0, 0, 0]]}\n", "it has no length");
    refuse(HEAD "  j: {kind: spherical, " WORLD_A ", length: 1}\n",
           "'length' means nothing to a joint of kind");
    refuse(HEAD "  j: {kind: universal, " WORLD_A ", axis: [1, 0, 0], second: [1, 1, 0]}\n",
           "not at right angles");
    refuse(HEAD "  j: {kind: fixed, between: [a, a], at: [0, 0, 0]}\n", "holds a to itself");
    refuse(HEAD "  j: {equations: t, axis: [0, 0, 1]}\n", "belongs to a joint with a 'kind'");
#define PINS                                                                                                 \
    "  one: {kind: revolute, between: [world, a], at: [0, 0, 0], axis: [0, 0, 1]}\n"                         \
    "  two: {kind: prismatic, between: [world, b], at: [1, 0, 0], axis: [0, 0, 1]}\n"
    refuse(HEAD PINS "  j: {kind: gear, of: [one, two]}\n", "joint 'j' of kind 'gear' has no 'teeth'");
    refuse(HEAD PINS "  j: {kind: gear, of: [one, two], teeth: [1, 2]}\n",
           "joint two is prismatic and has no angle");
    refuse(HEAD PINS "  j: {kind: rack-and-pinion, of: [one, two]}\n", "has no 'radius'; add 'radius: 0.1'");
    refuse(HEAD PINS "  j: {kind: coupler, of: [one, three], factors: [1, 2]}\n",
           "there is no joint 'three'");
    refuse("parts: {p: {coordinates: [x], mass: 1}}\ntime: {end: 1, step: 1e-2}\n"
           "joints: {j: {kind: fixed, between: [world, a], at: [0, 0, 0]}}\n",
           "the scene has none");
    refuse("bodies: {a: {shape: {disc: 1}, mass: 1}}\ntime: {end: 1, step: 1e-2}\n"
           "joints: {j: {kind: spherical, between: [world, a], at: [0, 0]}}\n",
           "'spherical' belongs to space");
}


static rico_status read_all(rico_context *own, void *user)
{
    (void)user;
    static const char TEXT[] =
        HEAD PINS "  j: {kind: rack-and-pinion, of: [one, two], radius: 0.1}\n"
                  "  k: {kind: prismatic, between: [world, a], at: [0, 0, 0], axis: [0, 0, 1],"
                  " motor: {position: sin(t)^2}, limits: {low: -1, high: 2}}\n"
                  "  m: {kind: revolute, between: [a, b], at: [0.5, 0, 0], axis: [0, 0, 1],"
                  " clearance: {play: 1e-3, width: 0.1}, spring: {law: -u - w}}\n"
                  "  n: {kind: bushing, between: [a, b], at: [0.5, 0, 0], stiffness: [1, 1, 1, 1, 1, 1]}\n"
                  "springs: {s: {between: [a, b], law: 1 - u}}\n";
    rico_scene *scene = NULL;
    rico_status status = rico_scene_parse(own, "s", TEXT, (int64_t)strlen(TEXT), 0, NULL, NULL, 0, &scene);
    rico_scene_destroy(scene);
    return status;
}


// And in steps with bounded forces.
static rico_status step_all(rico_context *own, void *user)
{
    (void)user;
    static const char TEXT[] =
        "gravity: [0, -10]\nbodies: {a: {mass: 1, inertia: 1, position: [1, 0]}}\n"
        "joints: {j: {kind: revolute, between: [world, a], at: [0, 0], motor: {velocity: 9, bound: 1},"
        " friction: {friction: 0.1, radius: 0.1}}}\n"
        "time: {end: 1, step: 1e-2}\nscheme: moreau-jean\n";
    rico_scene *scene = NULL;
    rico_simulation *sim = NULL;
    rico_status status = rico_scene_parse(own, "s", TEXT, (int64_t)strlen(TEXT), 0, NULL, NULL, 0, &scene);
    if (status == RICO_OK) status = rico_scene_simulate(scene, &sim);
    for (int k = 0; status == RICO_OK && k < 3; k++) status = rico_simulation_step(sim, 1e-2);
    rico_simulation_destroy(sim);
    rico_scene_destroy(scene);
    return status;
}


static void memory(void **state)
{
    (void)state;
    assert_true(every_allocation_fails(step_all, NULL) > 50);
    assert_true(every_allocation_fails(read_all, NULL) > 50);
}


// What acts in a joint and cannot: one sentence with line, column and remedy each.
static void refused_forces(void **state)
{
    (void)state;
#define AXIS_B "between: [world, b], at: [0, 0, 0], axis: [0, 0, 1]"
#define REVOLUTE "j: {kind: revolute, " AXIS_B ", "
#define SLIDERS                                                                                              \
    "p: {kind: prismatic, " AXIS_B                                                                           \
    "}\n  q: {kind: prismatic, between: [world, a], at: [0, 0, 0], axis: [1, 0, 0]}\n  "
    static const char *const CASES[][2] = {
        {"j: {kind: universal, " AXIS_B ", second: [0, 0, 0]}",
         "s:7:85: the second axis of joint 'j' has no length"},
        {SLIDERS "g: {kind: gear, of: [p, q], teeth: [20, 40]}",
         "s:9:3: g: joint p is prismatic and has no angle of one "
         "axis; 'coupler' takes two displacements"},
        {SLIDERS "g: {kind: rack-and-pinion, of: [p, q]}",
         "s:9:3: joint 'g' of kind 'rack-and-pinion' has no 'radius'; add"},
        {"j: {kind: revolute, between: [b, b], at: [0, 0, 0], axis: [0, 0, 1]}",
         "s:7:3: joint j holds b to itself; name"},
        {REVOLUTE "friction: {friction: -0.1, radius: 0.1}}",
         "s:7:97: 'friction' must be at least 0, got -0.1"},
        {REVOLUTE "friction: 0.1}", "s:7:76: j.friction: friction of a pin needs its radius; write"},
        {"j: {kind: spherical, between: [world, b], at: [0, 0, 0], friction: 0.1}",
         "s:7:60: 'friction' means nothing to a joint of kind 'spherical'; remove it"},
        {REVOLUTE "friction: {friction: 0.1, radius: 0/0}}", "s:7:"},
        {REVOLUTE "clearance: {play: 0}}", "s:7:94: 'play' must be above 0, got 0"},
        {REVOLUTE "clearance: {radius: 1e-3}}",
         "s:7:87: the key 'play' is missing in clearance; add 'play: ...'"},
        {REVOLUTE "clearance: {play: 1e-3, friction: -1}}", "'friction' must be at least 0, got -1"},
        {REVOLUTE "clearance: {play: 1e-3}, friction: {friction: 0.1, radius: 0.1}}",
         "s:7:101: j.friction: a joint with a clearance rubs at its contacts; give the friction there"},
        {"j: {kind: revolute, between: [world, b], at: [[0, 0, 0], [0, 0, 0]], axis: [0, 0, 1], clearance: "
         "{play: 1e-3}}",
         "s:7:3: contact 'j.play' is penetrated at the start: its gap is -0.999; the nearest start"},
        {REVOLUTE "motor: {velocity: 10, bound: -1}}", "s:7:105: 'bound' must be at least 0, got -1"},
        {REVOLUTE "motor: {position: t, bound: 1}}", "s:7:97: 'bound' is of a motor with a 'velocity'"},
        {REVOLUTE "motor: {force: 1}}", "s:7:84: joint 'j' turns; write 'torque' instead of 'force'"},
        {"j: {kind: prismatic, " AXIS_B ", motor: {torque: 1}}",
         "joint 'j' slides; write 'force' instead of 'torque'"},
        {REVOLUTE "motor: {torque: x}}", "s:7:92: in 'torque': unknown name 'x'"},
        {REVOLUTE "motor: {torque: 1/u}}", "s:7:92: 'torque' is inf at the start, where u = w = 0"},
        {REVOLUTE "motor: {torque: 1, velocity: 3}}",
         "'velocity' and 'torque' (line 7) exclude each other; keep one"},
        {REVOLUTE "spring: {free: 3}}", "s:7:84: the key 'stiffness' or 'damping' or 'law' is missing"},
        {REVOLUTE "spring: {law: u, stiffness: 3}}",
         "s:7:85: the spring of joint 'j' has a law and a stiffness; give one"},
        {REVOLUTE "spring: {stiffness: 3, damping: -1}}", "s:7:108: 'damping' must be at least 0, got -1"},
        {REVOLUTE "stiffness: [1, 2, 3, 4, 5, 6]}",
         "s:7:76: 'stiffness' means nothing to a joint of kind 'revolute'"},
        {"j: {kind: bushing, between: [world, b], at: [0, 0, 0]}",
         "has no 'stiffness'; add 'stiffness: [1e5"},
        {"j: {kind: bushing, between: [world, b], at: [0, 0, 0], stiffness: [1, 2, 3]}",
         "s:7:69: 'stiffness' has 3 numbers, expected 6"},
        {"j: {kind: bushing, between: [world, b], at: [0, 0, 0], stiffness: [1, 2, 3, 4, 5, -6]}",
         "s:7:85: 'stiffness' of a bushing is -6, expected at least 0"},
        {"j: {kind: bushing, between: [world, b], at: [0, 0, 0], stiffness: [0, 0, 0, 0, 0, 0]}",
         "s:7:3: joint j has neither stiffness nor damping; give one above 0"},
    };
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
        char text[1000];
        snprintf(text, sizeof text, HEAD "  %s\n", CASES[k][0]);
        refuse(text, CASES[k][1]);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crank),  cmocka_unit_test(kinds),   cmocka_unit_test(stop),
        cmocka_unit_test(gaping), cmocka_unit_test(refused), cmocka_unit_test(refused_forces),
        cmocka_unit_test(memory),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
