// Springs and forces between parts, forces of matrix parts that depend on their state, indices, written matrices and random
// numbers: each against the same system written another way.

#include "model/system.h"
#include "moving_schemes.h"
#include "scene/scene.h"
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


static rico_scene *parse(rico_context *ctx, const char *text, const char *scheme)
{
    rico_scene *scene = NULL;
    char word[64];
    const char *override = word;
    snprintf(word, sizeof word, "scheme=%s", scheme ? scheme : "moreau-jean");
    assert_ok(ctx, rico_scene_parse(ctx, "s", text, (int64_t)strlen(text), 1, &override, NULL, 0, &scene));
    return scene;
}


// Two scenes of one system under one scheme: the same motion, or the same refusal.
static void same_motion(rico_context *ctx, const char *one, const char *other, const char *scheme, int steps,
                        double h)
{
    rico_scene *scene[2] = {parse(ctx, one, scheme), parse(ctx, other, scheme)};
    rico_simulation *sim[2] = {NULL, NULL};
    rico_status begun[2];
    for (int s = 0; s < 2; s++) begun[s] = rico_scene_simulate(scene[s], &sim[s]);
    assert_int_equal(begun[0], begun[1]);
    rico_status status = begun[0];
    for (int k = 0; status == RICO_OK && k < steps; k++) {
        status = rico_simulation_step(sim[0], h);
        rico_status too = rico_simulation_step(sim[1], h);
        if (status != too) fail_msg("%s, step %d: %s", scheme, k, rico_message(ctx));
    }
    for (int64_t i = 0; status == RICO_OK && i < rico_system_positions(rico_scene_system(scene[0])); i++) {
        assert_near(rico_simulation_position(sim[0])[i], rico_simulation_position(sim[1])[i], 1e-9);
        assert_near(rico_simulation_velocity(sim[0])[i], rico_simulation_velocity(sim[1])[i], 1e-9);
    }
    if (status == RICO_OK) {
        rico_ledger a = *rico_simulation_ledger_total(sim[0]), b = *rico_simulation_ledger_total(sim[1]);
        assert_near(a.kinetic + a.potential, b.kinetic + b.potential, 1e-9);
        assert_near(a.external + a.damping, b.external + b.damping, 1e-9);
    }
    for (int s = 0; s < 2; s++) {
        rico_simulation_destroy(sim[s]);
        rico_scene_destroy(scene[s]);
    }
}


#define START                                                                                                \
    "contacts: {floor: {gap: y2, tangent: x2, friction: 0.3, restitution: 0.4}}\n"                           \
    "initial: {position: {x1: 0.2, y1: 2, x2: 0.5, y2: 0.4}}\ntime: {end: 2, step: 2e-3}\n"

static const char TWO_PARTS[] =
    "parameters: {k: 50, c: 0.3, L: 1}\n"
    "parts:\n"
    "  p: {coordinates: [x1, y1], mass: [1, 1], potential: 9.81*y1}\n"
    "  q: {coordinates: [x2, y2], mass: [2, 2], potential: 2*9.81*y2}\n"
    "springs:\n"
    "  s: {length: \"hypot(x2 - x1, y2 - y1)\", rest: L, stiffness: k, damping: c}\n"
    "  top: {length: \"hypot(x1 - 0.1*sin(3*t), y1 - 3)\", rest: 1, stiffness: k}\n" START;

#define DRAG "((x2-x1)*(v_x2-v_x1)+(y2-y1)*(v_y2-v_y1))/((x2-x1)^2+(y2-y1)^2)"
#define PULL "k*(1 - 1/hypot(x1 - 0.1*sin(3*t), y1 - 3))"

// The same as one part, its forces written by hand.
static const char ONE_PART[] =
    "parameters: {k: 50, c: 0.3, L: 1}\n"
    "parts:\n"
    "  p:\n"
    "    coordinates: [x1, y1, x2, y2]\n"
    "    mass: [1, 1, 2, 2]\n"
    "    potential: \"9.81*y1 + 2*9.81*y2 + k/2*(hypot(x2 - x1, y2 - y1) - L)^2\"\n"
    "    force:\n"
    "      - \"-c*" DRAG "*(x1-x2) - " PULL "*(x1 - 0.1*sin(3*t))\"\n"
    "      - \"-c*" DRAG "*(y1-y2) - " PULL "*(y1 - 3)\"\n"
    "      - \"-c*" DRAG "*(x2-x1)\"\n"
    "      - \"-c*" DRAG "*(y2-y1)\"\n" START;


static void springs(void **state)
{
    for (int i = 0; moving_scheme_at(i); i++)
        same_motion(*state, TWO_PARTS, ONE_PART, moving_scheme_at(i)->name, 200, 2e-3);
}


// Linear springs between matrices are matrices, and leave the system linear.
static void linear(void **state)
{
    rico_context *ctx = *state;
    static const char SPRUNG[] = "parts:\n"
                                 "  a: {kind: matrices, mass: {identity: 2}, stiffness: [[3, -1], [-1, 2]]}\n"
                                 "  b: {kind: matrices, mass: {diagonal: 2, size: 2}}\n"
                                 "springs:\n"
                                 "  s: {length: \"b[0] - a[1]\", stiffness: 7, damping: 0.5}\n"
                                 "  u: {length: \"2*b[1] - a[0]\", stiffness: 2}\n"
                                 "contacts: {c: \"b[1] - b[0] + 0.1\"}\n"
                                 "initial: {velocity: {a: [1, 0]}}\ntime: {end: 1, step: 1e-2}\n";
    static const char WHOLE[] =
        "parts:\n"
        "  a:\n"
        "    kind: matrices\n"
        "    mass: {diagonal: [1, 1, 2, 2]}\n"
        "    stiffness: [[5, -1, 0, -4], [-1, 9, -7, 0], [0, -7, 7, 0], [-4, 0, 0, 8]]\n"
        "    damping: [[0, 0, 0, 0], [0, 0.5, -0.5, 0], [0, -0.5, 0.5, 0], [0, 0, 0, 0]]\n"
        "contacts: {c: \"a[3] - a[2] + 0.1\"}\n"
        "initial: {velocity: {a: [1, 0, 0, 0]}}\ntime: {end: 1, step: 1e-2}\n";
    rico_scene *scene = parse(ctx, SPRUNG, NULL);
    assert_true(rico_system_is_linear(rico_scene_system(scene)));
    rico_scene_destroy(scene);
    for (int i = 0; moving_scheme_at(i); i++)
        same_motion(ctx, SPRUNG, WHOLE, moving_scheme_at(i)->name, 100, 1e-2);
}


// Forces by state on a matrix part, and 'force' and 'potential' between parts, against one part by formulas.
static void forces(void **state)
{
    static const char MATRICES[] =
        "parts:\n"
        "  b: {kind: matrices, mass: {identity: 3}, stiffness: {band: [-1, 2, -1], size: 3},\n"
        "      force: [\"-b[0]^3 - 0.1*v_b[0]\", \"sin(t) - 0.2*b[1]\", 0]}\n"
        "  x: {coordinates: [u], mass: 1}\n"
        "forces:\n"
        "  magnet: {potential: \"0.1*cos(u - b[0])\"}\n"
        "  push:\n"
        "    force:\n"
        "      u: sin(t) - v_b[1]\n"
        "      b[1]: -v_b[1] - u\n"
        "initial: {velocity: {u: 1}}\ntime: {end: 5, step: 1e-2}\n";
    static const char FORMULAS[] = "parts:\n"
                                   "  p:\n"
                                   "    coordinates: [x, y, z, u]\n"
                                   "    mass: [1, 1, 1, 1]\n"
                                   "    potential: x^2 + y^2 + z^2 - x*y - y*z + 0.1*cos(u - x)\n"
                                   "    force: [-x^3 - 0.1*v_x, sin(t) - 0.2*y - v_y - u, 0, sin(t) - v_y]\n"
                                   "initial: {velocity: {u: 1}}\ntime: {end: 5, step: 1e-2}\n";
    for (int i = 0; moving_scheme_at(i); i++)
        same_motion(*state, MATRICES, FORMULAS, moving_scheme_at(i)->name, 100, 1e-2);
}


static void refused(void **state)
{
    rico_context *ctx = *state;
#define PARTS "parts: {p: {coordinates: [x, y], mass: [1, 1]}}\ntime: {end: 1, step: 0.1}\n"
    static const struct {
        const char *text, *place, *words;
    } CASES[] = {
        {PARTS "springs: {s: {length: x - y}}\n", "s:3:11", "neither 'stiffness' nor 'damping'"},
        {PARTS "springs: {s: {length: 3, stiffness: 1}}\n", "s:3:23", "no coordinate"},
        {PARTS "springs: {s: {length: v_x, stiffness: 1}}\n", "s:3:23", "v_x"},
        {PARTS "springs: {s: {length: x, stiffness: 1, damping: -1}}\n", "s:3:49", "at least 0"},
        {PARTS "springs: {s: {length: 1/x, stiffness: 1}}\n", "s:3:11", "'s' is not a finite number"},
        {PARTS "forces: {f: {potential: x*t}}\n", "s:3:25", "'force'"},
        {PARTS "forces: {f: {force: x}}\n", "s:3:21", "mapping"},
        {PARTS "forces: {f: {force: {z: 1}}}\n", "s:3:22", "z"},
        {PARTS "forces: {f: {force: {2*x: 1}}}\n", "s:3:22", "no coordinate or state on which"},
        {PARTS "forces: {f: {force: {t: 1}}}\n", "s:3:22", "no coordinate or state on which"},
        {PARTS "forces: {f: {force: {x: sqrt(v_y - 1)}}}\n", "s:3:10", "'f' is not a finite number"},
        {PARTS "forces: {f: {potential: x, force: {x: 1}}}\n", "s:3:28", "exclude"},
        {"parts: {b: {kind: matrices, mass: {band: [1, 2], size: 3}}}\n", "s:1:42", "odd"},
        {"parts: {b: {kind: matrices, mass: {band: [1]}}}\n", "s:1:35", "'size' is missing"},
        {"parts: {b: {kind: matrices, mass: {identity: 2, size: 3}}}\n", "s:1:49", "goes with"},
        {"parts: {b: {kind: matrices, mass: {identity: 0}}}\n", "s:1:46", "must be"},
        {"parts: {b: {kind: matrices, mass: {diagonal: 1/i, size: 3}}}\n", "s:1:46", "inf in row i = 0"},
    };
    int wrong = 0;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        rico_scene *scene = NULL;
        rico_status status = rico_scene_parse(ctx, "s", CASES[i].text, (int64_t)strlen(CASES[i].text), 0,
                                              NULL, NULL, 0, &scene);
        if (status != RICO_BAD_INPUT ||
            strncmp(rico_message(ctx), CASES[i].place, strlen(CASES[i].place)) != 0 ||
            !strstr(rico_message(ctx), CASES[i].words))
            print_error("%s\ngave %s: %s\n", CASES[i].text, rico_status_name(status), rico_message(ctx)),
                wrong++;
        rico_scene_destroy(scene);
    }
    assert_int_equal(wrong, 0);
}


// The two bars of the trust scene: a[n] is a[100].
static void indices(void **state)
{
    rico_context *ctx = *state;
    const char *here = strstr(__FILE__, "tests/scene/");
    char path[512];
    assert_non_null(here);
    snprintf(path, sizeof path, "%.*stests/trust/17-index-by-parameter-refused.yaml", (int)(here - __FILE__),
             __FILE__);
    rico_scene *scene = NULL;
    assert_ok(ctx, rico_scene_load(ctx, path, 0, NULL, NULL, 0, &scene));
    const rico_constraint *contact = rico_scene_system(scene)->constraint[0];
    assert_int_equal(contact->dof_count, 2);
    assert_int_equal(contact->dof[0] + contact->dof[1], 100 + 101);
    assert_near(contact->offset, 1e-3, 0.0);
    rico_scene_destroy(scene);
}


// Values of splitmix64 on the bits of the arguments, computed by a program in Python.
static void random_numbers(void **state)
{
    rico_context *ctx = *state;
    static const struct {
        const char *text;
        double value, tolerance;
    } CASES[] = {
        {"random(7, 0)", 0.8707931619194909, 0.0},
        {"random(7, 1)", 0.2806754831765187, 0.0},
        {"random(8, 0)", 0.6841217405196109, 0.0},
        {"random(0.5, -3)", 0.5148403517238737, 0.0},
        {"random(7, -0)", 0.8707931619194909, 0.0},
        {"random_normal(7, 0)", 1.4370620949778399, 1e-14},
        {"random_normal(7, 1)", -0.0860724639080937, 1e-14},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        double value;
        assert_ok(ctx, rico_formula_constant(ctx, CASES[i].text, NULL, NULL, &value));
        assert_near(value, CASES[i].value, CASES[i].tolerance);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(springs, setup, teardown),
        cmocka_unit_test_setup_teardown(linear, setup, teardown),
        cmocka_unit_test_setup_teardown(forces, setup, teardown),
        cmocka_unit_test_setup_teardown(refused, setup, teardown),
        cmocka_unit_test_setup_teardown(indices, setup, teardown),
        cmocka_unit_test_setup_teardown(random_numbers, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
