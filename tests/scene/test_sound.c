// What a scene may not say: masses that are none, names with two meanings, contacts without a direction, starts that
// constraints forbid, times that never end. Each is refused with its place and a remedy, or told in a warning.

#include "scene/scene.h"
#include "support.h"

// The last warnings, one after the other.
typedef struct warnings {
    char text[4096];
    int count;
} warnings;


static void keep(void *user, rico_log_level level, const char *text)
{
    (void)level;
    warnings *all = user;
    size_t used = strlen(all->text);
    snprintf(all->text + used, sizeof all->text - used, "%s\n", text);
    all->count++;
}


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


static rico_status parse(rico_context *ctx, const char *text, warnings *heard, rico_scene **scene)
{
    *scene = NULL;
    *heard = (warnings){.count = 0};
    rico_context_set_log(ctx, keep, heard, RICO_LOG_WARNING);
    rico_status status = rico_scene_parse(ctx, "s", text, (int64_t)strlen(text), 0, NULL, NULL, 0, scene);
    rico_context_set_log(ctx, NULL, NULL, RICO_LOG_WARNING);
    return status;
}


// Scenes on which a release was silently wrong; what must be said of each now.
static void trusted(void **state)
{
    rico_context *ctx = *state;
    static const struct {
        const char *file;
        bool refused;
        const char *place, *words[3];
    } CASES[] = {
        {"04-unsymmetric-mass-accepted.yaml", true, ":2:44:", {"part 'p'", "(y, x) is 0", "(x, y) is 1"}},
        {"07-gap-not-a-distance.yaml",
         false,
         ":3:20:",
         {"'floor'", "0.3 acts like 0.075", "divide the gap by 4"}},
        {"09-parameter-x-clash.yaml", true, ":3:21:", {"'x' is taken", "parameter", "line 1"}},
        {"09-parameter-v_x-clash.yaml", true, ":4:21:", {"'v_x' is taken", "velocity of 'x'", "line 2"}},
        {"10-kinetic-not-quadratic.yaml", true, ":2:40:", {"part 'p'", "not quadratic", ""}},
        {"11-initial-penetration.yaml", true, ":10:3:", {"'table'", "gap is -1", "y = 0"}},
        {"11-joint-violated-at-start.yaml", true, ":10:3:", {"joint 'a'", "is -5", "x = 5"}},
        {"12-tangent-parallel-to-normal.yaml", true, ":8:28:", {"'table'", "parallel", "normal"}},
        {"13-constant-gap-with-tangent.yaml", true, ":2:21:", {"'c'", "no coordinate", "distance"}},
        {"14-check-prints-good-and-error.yaml", true, ":5:12:", {"part 'ball'", "x gets -1", "expected > 0"}},
        {"19-sign-force.yaml", false, ":1:40:", {"part 'p'", "sign", "'friction'"}},
    };
    const char *here = strstr(__FILE__, "tests/scene/");
    assert_non_null(here);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char path[512];
        snprintf(path, sizeof path, "%.*stests/trust/%s", (int)(here - __FILE__), __FILE__, CASES[i].file);
        warnings heard = {.count = 0};
        rico_scene *scene = NULL;
        rico_context_set_log(ctx, keep, &heard, RICO_LOG_WARNING);
        rico_status status = rico_scene_load(ctx, path, 0, NULL, NULL, 0, &scene);
        rico_context_set_log(ctx, NULL, NULL, RICO_LOG_WARNING);
        assert_int_equal(status, CASES[i].refused ? RICO_BAD_INPUT : RICO_OK);
        const char *said = CASES[i].refused ? rico_message(ctx) : heard.text;
        bool right = strstr(said, CASES[i].place) != NULL;
        for (int k = 0; k < 3; k++) right = right && strstr(said, CASES[i].words[k]);
        if (!right) fail_msg("%s: %s", CASES[i].file, said);
        rico_scene_destroy(scene);
    }
}


#define TIME "\ntime: {end: 1, step: 0.1}\n"

// Their relatives.
static const struct {
    const char *text, *place, *words[2];
} REFUSED[] = {
    // joints
    {"parts: {p: {coordinates: [x], mass: 1}}\njoints: {j: {equations: []}}" TIME,
     "s:2:25",
     {"joint 'j'", "formula"}},
    {"parts: {p: {coordinates: [x], mass: 1}}\njoints: {j: {equations: {a: x}}}" TIME,
     "s:2:25",
     {"joint 'j'", "formula"}},
    // masses
    {"parts: {p: {coordinates: [x, y], mass: [[1, x], [2*x, 5]]}}" TIME, "s:1:50", {"symmetric", "part 'p'"}},
    {"parts: {p: {coordinates: [x, y], mass: [[1, sin(y)], [sin(x), 5]]}}" TIME,
     "s:1:55",
     {"symmetric", "p"}},
    {"parts: {p: {coordinates: [x, y], mass: [[1, 2], [2, 1]]}}" TIME,
     "s:1:53",
     {"positive definite", "y gets -3"}},
    {"parts: {p: {coordinates: [x, y], mass: [[1, 1], [1, 1]]}}" TIME,
     "s:1:53",
     {"positive definite", "y gets 0"}},
    {"parts: {p: {coordinates: [x, y], mass: [1, 0]}}" TIME, "s:1:44", {"missing", "y gets 0"}},
    {"parts: {p: {coordinates: [x], mass: x}}" TIME, "s:1:37", {"missing", "x gets 0 at the start"}},
    {"parts: {p: {coordinates: [x, y], kinetic: v_x^2/2}}" TIME, "s:1:43", {"missing", "y gets 0"}},
    {"parts: {p: {coordinates: [x, y], kinetic: (v_x + v_y)^2/2}}" TIME, "s:1:43", {"definite", "y gets 0"}},
    {"parts: {p: {kind: matrices, mass: {diagonal: [1, -2]}}}" TIME, "s:1:35", {"part 'p'", "p[1] gets -2"}},
    {"parts: {p: {kind: matrices, mass: [[1, 3], [3, 1]]}}" TIME, "s:1:48", {"part 'p'", "p[1] gets -8"}},
    // kinetic energies
    {"parts: {p: {coordinates: [x], kinetic: v_x^2/2 + v_x}}" TIME, "s:1:40", {"not quadratic", "'p'"}},
    {"parts: {p: {coordinates: [x], kinetic: v_x^2/2 + cos(x)}}" TIME,
     "s:1:40",
     {"not quadratic", "potential"}},
    {"parts: {p: {coordinates: [x], kinetic: abs(v_x)}}" TIME, "s:1:40", {"not quadratic", "'p'"}},
    {"parts: {p: {coordinates: [x], kinetic: 9e16*(1/sqrt(1 - v_x^2/9e16) - 1)}}" TIME,
     "s:1:40",
     {"not quadratic", "'p'"}},
    // numbers
    {"parts: {p: {coordinates: [x], mass: 1, potential: log(x)}}" TIME, "s:1:51", {"potential", "x = 0"}},
    {"parts: {p: {coordinates: [x], mass: 1, force: 1/x}}" TIME, "s:1:47", {"force", "is inf"}},
    {"parts: {p: {coordinates: [x, y], mass: [1, 1], force: [0, sqrt(v_x - 1)]}}" TIME,
     "s:1:59",
     {"force", "v_x = 0"}},
    // names
    {"parameters: {t: 1}\nparts: {p: {coordinates: [x], mass: 1}}" TIME, "s:1:14", {"'t' is taken", "time"}},
    {"parts: {p: {coordinates: [x, v_x], mass: [1, 1]}}" TIME,
     "s:1:30",
     {"'v_x' is taken", "velocity of 'x'"}},
    {"parts:\n  p: {coordinates: [x], mass: 1}\n  q: {coordinates: [x], mass: 1}" TIME,
     "s:3:21",
     {"'x' is taken", "line 2"}},
    {"parts:\n  p: {coordinates: [b], mass: 1}\n  b: {kind: matrices, mass: 1}" TIME,
     "s:3:3",
     {"'b' is taken", "line 2"}},
    {"parameters: {b: 1}\nparts:\n  b: {kind: chain, balls: 2}" TIME, "s:3:3", {"'b' is taken", "line 1"}},
    {"parameters: {v_b: 1}\nparts:\n  b: {kind: chain, balls: 2}" TIME,
     "s:3:3",
     {"'v_b' is taken", "line 1"}},
    {"parts:\n  sin: {kind: matrices, mass: 1}" TIME, "s:2:3", {"'sin' already has a meaning", ""}},
    {"parameters: {scheme: 1}\nparts: {p: {coordinates: [x], mass: 1}}" TIME,
     "s:1:14",
     {"'scheme'", "--set"}},
    {"parameters: {i: 3}\nparts: {b: {kind: chain, balls: 2, mass: 1 + i}}" TIME,
     "s:2:42",
     {"index", "parameter"}},
    {"parts: {p: {coordinates: [x, y], mass: [1, 1]}}\njoints: {c: {equations: [x]}}\ncontacts: {c: "
     "y}" TIME,
     "s:3:12",
     {"'c'", "rename"}},
    // contacts
    {"parts: {p: {coordinates: [x, y], mass: [1, 1]}}\ncontacts: {c: {gap: y - y + 1, tangent: x, "
     "friction: 1}}" TIME,
     "s:2:21",
     {"'c'", "no coordinate"}},
    {"parts: {p: {coordinates: [x, y], mass: [1, 1]}}\ncontacts: {c: {gap: y, tangent: 2*t, friction: "
     "1}}" TIME,
     "s:2:33",
     {"'tangent'", "no coordinate"}},
    {"parts: {p: {coordinates: [x, y], mass: [1, 1]}}\ncontacts: {c: {gap: y + x, tangent: 3*(x + y), "
     "friction: "
     "1}}" TIME,
     "s:2:37",
     {"parallel", "normal"}},
    {"parts: {p: {coordinates: [x, y, z], mass: [1, 1, 1]}}\ncontacts: {c: {gap: z, tangent: [x, 2*x], "
     "friction: "
     "1}}" TIME,
     "s:2:37",
     {"parallel", "other tangent"}},
    {"parts: {p: {coordinates: [x, y], mass: [1, 1]}}\ncontacts: {c: {gap: floor(y), friction: 0}}" TIME,
     "s:2:21",
     {"'c'", "no coordinate"}},
    {"parts: {p: {coordinates: [x], mass: 1}}\ncontacts: {c: {gap: log(x)}}" TIME,
     "s:2:21",
     {"gap of 'c'", "-inf"}},
    {"parts: {p: {coordinates: [x], mass: 1}}\ncontacts: {c: {gap: sqrt(x)}}" TIME,
     "s:2:21",
     {"gradient", "'c'"}},
    {"parts: {p: {coordinates: [x, y], mass: [1, 1]}}\ncontacts: {c: {gap: y, tangent: sqrt(x), friction: "
     "1}}" TIME,
     "s:2:33",
     {"tangent of 'c'", "gradient"}},
    {"parts: {b: {kind: matrices, mass: 1, force: [1/t]}}" TIME, "s:1:46", {"part 'b'", "t = 0"}},
    {"parts: {b: {kind: matrices, mass: 1, force: [\"1/b[0]\"]}}" TIME, "s:1:46", {"part 'b'", "b[0] = 0"}},
    {"parts: {p: {coordinates: [x, y], mass: [1, 1], force: [0, sqrt(x)]}}" TIME,
     "s:1:9",
     {"part 'p' on y", "infinitely fast with x"}},
    {"parts: {p: {coordinates: [x], mass: 1, force: -v_x^0.5}}" TIME, "s:1:9", {"part 'p' on x", "with v_x"}},
    // joints
    {"parts: {p: {coordinates: [x], mass: 1}}\njoints: {j: {equations: [x, x - x + t - t]}}" TIME,
     "s:2:29",
     {"joint 'j'", "no coordinate"}},
    {"parts: {p: {coordinates: [x], mass: 1}}\njoints: {j: {equations: [x, 3]}}" TIME,
     "s:2:29",
     {"joint 'j'", "no coordinate"}},
    {"parts: {p: {coordinates: [x], mass: 1}}\njoints: {j: {equations: [1/x]}}" TIME,
     "s:2:26",
     {"'j'", "inf"}},
    {"parts: {p: {coordinates: [x], mass: 1}}\njoints: {j: {equations: [x - 1, x - 2]}}" TIME,
     "s:2:10",
     {"'j'", "no start that holds"}},
    // what a formula may depend on
    {"parts: {p: {coordinates: [x], mass: 1, potential: height}, q: {coordinates: [height], mass: 1}}" TIME,
     "s:1:51",
     {"unknown name 'height'", "'springs'"}},
    {"parts: {p: {coordinates: [x], mass: 1}}\ncontacts: {c: v_x}" TIME,
     "s:2:15",
     {"'v_x'", "not on velocities"}},
    {"parts: {p: {coordinates: [x], mass: 1, potential: x*t}}" TIME,
     "s:1:51",
     {"depends on 't'", "coordinates alone"}},
    {"parts: {b: {kind: chain, balls: 2, mass: k}}" TIME, "s:1:42", {"'k'", "index i and the parameters"}},
    // starts
    {"parts: {p: {coordinates: [x], mass: 1}}\ncontacts: {c: {gap: x - 1e-3}}" TIME,
     "s:2:12",
     {"'c'", "x = 0.001"}},
    {"parts: {p: {coordinates: [x], mass: 1}}\ncontacts: {a: x - 1, b: -x}" TIME,
     "s:2:12",
     {"'a'", "no start"}},
    {"parts: {p: {coordinates: [x], mass: 1}}\njoints: {c: {equations: [x - sin(t)]}}" TIME,
     "s:2:10",
     {"rate", "v_x = 1"}},
    {"parts: {p: {coordinates: [x, y], mass: [1, 3]}}\njoints: {c: {equations: [y, x - 2*y]}}\ninitial: "
     "{velocity: "
     "{x: 1}}" TIME,
     "s:3:11",
     {"equation 2", "v_x = 0"}},
    {"parts: {b: {kind: chain, balls: 2}}\ninitial: {position: {b: -i}}" TIME,
     "s:2:11",
     {"'b[0-1]'", "-0.5"}},
    // times
    {"parts: {p: {coordinates: [x], mass: 1}}\ntime: {end: 1, step: 2}\n", "s:2:22", {"longer", "at most 1"}},
    {"parts: {p: {coordinates: [x], mass: 1}}\ntime: {end: 1, step: 1e-20}\n",
     "s:2:22",
     {"stand still", "at least"}},
    {"parts: {p: {coordinates: [x], mass: 1}}\ntime: {end: 1e6, step: 1e-8}\n",
     "s:2:24",
     {"1e+14 steps", "1e-07"}},
    {"parts: {p: {coordinates: [x], mass: 1}}\ntime: {end: 1e6, step: 1e-7}\n",
     "s:2:24",
     {"written", "every: 3"}},
    {"parts: {p: {coordinates: [x], mass: 1}}\ntime: {end: 1, step: 0.1, adaptive: true, rtol: 0, atol: "
     "0}\n",
     "s:2:49",
     {"both 0", ""}},
};


static void refused(void **state)
{
    rico_context *ctx = *state;
    int wrong = 0;
    for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++) {
        rico_scene *scene;
        warnings heard;
        rico_status status = parse(ctx, REFUSED[i].text, &heard, &scene);
        if (status != RICO_BAD_INPUT ||
            strncmp(rico_message(ctx), REFUSED[i].place, strlen(REFUSED[i].place)) != 0 ||
            !strstr(rico_message(ctx), REFUSED[i].words[0]) ||
            !strstr(rico_message(ctx), REFUSED[i].words[1]))
            print_error("%s\ngave %s: %s\n", REFUSED[i].text, rico_status_name(status), rico_message(ctx)),
                wrong++;
        rico_scene_destroy(scene);
    }
    assert_int_equal(wrong, 0);
}


// The cure that a message about steps offers must work as printed.
static void cures(void **state)
{
    rico_context *ctx = *state;
    static const char *const GOOD[] = {
        "parts: {p: {coordinates: [x, y], mass: [1, 1]}}\njoints: {rod: x^2 + y^2 - 1}\ninitial: {position: "
        "{x: 1}}" TIME,
        "parts: {p: {coordinates: [x, y], mass: [1, 1]}}\njoints: {rod: {equations: x - y}}" TIME,
        "parts: {p: {coordinates: [x], mass: 1}}\ntime: {end: 1e6, step: 1e-7}\noutput: {every: 3}\n",
        "parts: {p: {coordinates: [x], mass: 1}}\ntime: {end: 1, step: 1}\n",
        "parts: {p: {coordinates: [x], mass: 1}}\njoints: {c: {equations: [x - sin(t)]}}\ninitial: "
        "{velocity: {x: 1}}" TIME,
        "parts: {p: {coordinates: [x], mass: 1}}\ncontacts: {c: {gap: x - 1e-3}}\ninitial: {position: {x: "
        "0.001}}" TIME,
    };
    for (size_t i = 0; i < sizeof GOOD / sizeof *GOOD; i++) {
        rico_scene *scene;
        warnings heard;
        assert_ok(ctx, parse(ctx, GOOD[i], &heard, &scene));
        assert_int_equal(heard.count, 0);
        rico_scene_destroy(scene);
    }
}


// What is unusual is told, what is usual is not.
static void told(void **state)
{
    rico_context *ctx = *state;
    static const struct {
        const char *text, *words; // NULL: silence
    } CASES[] = {
        {"parts: {p: {coordinates: [x, y], mass: [1, 1]}}\ncontacts: {c: {gap: y, tangent: x, friction: "
         "0.3}}",
         NULL},
        {"parts: {p: {coordinates: [x, y], mass: [1, 1]}}\ncontacts: {c: {gap: 2*y, tangent: x, friction: "
         "0.3}}",
         "acts like 0.15"},
        {"parts: {p: {coordinates: [x, y], mass: [1, 1]}}\ncontacts: {c: {gap: y, tangent: 5*x, friction: "
         "0.3}}",
         "acts like 1.5"},
        {"parts: {p: {coordinates: [x, y], mass: [1, 1]}}\ncontacts: {c: {gap: y, tangent: x + y, friction: "
         "0.3}}",
         "acts like"},
        {"parts: {p: {coordinates: [x, y], mass: [1, 1]}}\ncontacts: {c: {gap: y, tangent: (x + y)/sqrt(2), "
         "friction: "
         "0.3}}",
         "45 degrees"},
        // a stick: rotations tell nothing, translations all
        {"parts: {p: {coordinates: [x, y, a], mass: [1, 1, 1/12]}}\ncontacts: {c: {gap: y + 1 - cos(a)/2, "
         "tangent: x + "
         "sin(a)/2, friction: 0.3}}",
         NULL},
        {"parts: {p: {coordinates: [x, y, a], mass: [1, 1, 1/12]}}\ncontacts: {c: {gap: 2*y + 1 - cos(a)/2, "
         "tangent: x + "
         "sin(a)/2, friction: 0.3}}",
         "acts like 0.15"},
        // lengths where they touch, whatever they are at the start
        {"parts: {p: {coordinates: [x, y], mass: [1, 1]}}\ncontacts: {c: {gap: \"hypot(x, y) - 1\", tangent: "
         "\"atan2(y, "
         "x)\", friction: 0.3}}\ninitial: {position: {x: 3, y: 4}}",
         NULL},
        {"parts: {p: {coordinates: [x, y], mass: [1, 1]}}\ncontacts: {c: {gap: \"hypot(x, y) - 2\", tangent: "
         "\"atan2(y, "
         "x)\", friction: 0.3}}\ninitial: {position: {x: 3, y: 4}}",
         "acts like 0.15"},
        {"parts: {p: {coordinates: [x, y], mass: [1, 1]}}\ncontacts: {c: {gap: (y + 2)^2 - 4, tangent: x, "
         "friction: 0.3}}\n"
         "initial: {position: {y: 1}}",
         "acts like 0.075"},
        // a pendulum of one angle: gap and tangent share it
        {"parts: {p: {coordinates: [a], mass: 1}}\ncontacts: {c: {gap: 1 - sin(a), tangent: cos(a + 1), "
         "friction: 0.3}}",
         NULL},
        {"parts: {p: {kind: matrices, mass: {diagonal: [1, 1]}, stiffness: {diagonal: [1, -4]}}}",
         "p[1] gets -4"},
        {"parts: {p: {kind: matrices, mass: {diagonal: [1, 1]}, damping: {diagonal: [-1, 4]}}}",
         "feeds energy"},
        {"parts: {p: {coordinates: [x], mass: 1}}\ncontacts: {c: {gap: x, restitution: 1}}", NULL},
        {"parts: {p: {coordinates: [x], mass: 1}}\ncontacts: {c: {gap: x, restitution: 1.5}}",
         "creates energy"},
        // forces
        {"parts: {p: {coordinates: [x], mass: 1, force: -v_x*abs(v_x)}}", NULL},
        {"parts: {p: {coordinates: [x], mass: 1, force: -tanh(1000*v_x)}}", NULL},
        {"parts: {p: {coordinates: [x], mass: 1, force: \"v_x > 0.1 ? -1 : 1\"}}", "(>)"},
        {"parts: {p: {coordinates: [x], mass: 1, force: \"-v_x/max(abs(v_x), 1e-300)\"}}", "(v_x)"},
        {"parts: {p: {coordinates: [x], mass: 1, force: -sign(x)*v_x}}", NULL},
        {"parts: {p: {coordinates: [x, y], mass: [1, 1]}}\nsprings: {s: {length: \"hypot(x, y)\", rest: 1, "
         "stiffness: 2}}",
         "no direction"},
        {"parts: {p: {coordinates: [x, y], mass: [1, 1]}}\njoints: {j: {equations: [x^2 - y^2]}}",
         "gradient of 'equation'"},
        // repairs
        {"parts: {p: {coordinates: [x, y], mass: [1, 1]}}\ncontacts: {c: y}\ninitial: {position: {y: -1}, "
         "repair: true}",
         "y = 0 (was -1)"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        rico_scene *scene;
        warnings heard;
        char text[512];
        snprintf(text, sizeof text, "%s" TIME, CASES[i].text);
        assert_ok(ctx, parse(ctx, text, &heard, &scene));
        if (heard.count != (CASES[i].words ? 1 : 0) ||
            (CASES[i].words && !strstr(heard.text, CASES[i].words)))
            fail_msg("%s\nheard %s", text, heard.text);
        rico_scene_destroy(scene);
    }
}


// Projection in the metric of the mass, against what Lagrange's conditions give by hand.
static void repaired(void **state)
{
    rico_context *ctx = *state;
    rico_scene *scene;
    warnings heard;

    // two masses, x2 >= x1: the centre of mass stays, x = (m1 x1 + m2 x2)/(m1 + m2)
    assert_ok(ctx, parse(ctx,
                         "parts: {p: {coordinates: [a, b], mass: [1, 3]}}\ncontacts: {c: b - a}\n"
                         "initial: {position: {a: 1, b: 0}, repair: true}" TIME,
                         &heard, &scene));
    assert_near(rico_scene_position(scene)[0], 0.25, 1e-12);
    assert_near(rico_scene_position(scene)[1], 0.25, 1e-12);
    rico_scene_destroy(scene);

    // a pendulum: radially onto the circle, then its velocity onto the tangent
    assert_ok(
        ctx,
        parse(ctx,
              "parts: {p: {coordinates: [x, y], mass: [2, 2]}}\njoints: {c: {equations: [x^2 + y^2 - 1]}}\n"
              "initial: {position: {x: 3, y: -4}, velocity: {x: 1}, repair: true}" TIME,
              &heard, &scene));
    assert_int_equal(heard.count, 2);
    assert_near(rico_scene_position(scene)[0], 0.6, 1e-9);
    assert_near(rico_scene_position(scene)[1], -0.8, 1e-9);
    assert_near(rico_scene_velocity(scene)[0], 0.64, 1e-9);
    assert_near(rico_scene_velocity(scene)[1], 0.48, 1e-9);
    rico_scene_destroy(scene);

    // a corner: the contact that need not push is let go
    assert_ok(
        ctx,
        parse(ctx,
              "parts: {p: {coordinates: [x, y], mass: [1, 1]}}\ncontacts: {a: x, b: \"(x + y)/sqrt(2)\"}\n"
              "initial: {position: {x: -1, y: 0}, repair: true}" TIME,
              &heard, &scene));
    assert_near(rico_scene_position(scene)[0], 0.0, 1e-12);
    assert_near(rico_scene_position(scene)[1], 0.0, 1e-12);
    rico_scene_destroy(scene);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(trusted, setup, teardown),
        cmocka_unit_test_setup_teardown(refused, setup, teardown),
        cmocka_unit_test_setup_teardown(cures, setup, teardown),
        cmocka_unit_test_setup_teardown(told, setup, teardown),
        cmocka_unit_test_setup_teardown(repaired, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
