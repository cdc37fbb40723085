// Scenes made linear: poles in closed form, joints left out, states kept or dropped, inputs and outputs, what is refused.

#include "failing_memory.h"
#include "one_context.h"
#include "ricochet/ricochet.h"

#define TIME "time: {end: 1, step: 0.01}\n"

static rico_scene *parse(const char *text)
{
    rico_scene *scene = NULL;
    assert_ok(ctx, rico_scene_parse(ctx, "s", text, (int64_t)strlen(text), 0, NULL, NULL, 0, &scene));
    return scene;
}


static rico_state_space *linearize(const char *text, const char *input, const char *output,
                                   rico_linear_notes *notes)
{
    rico_scene *scene = parse(text);
    rico_state_space *sys = NULL;
    rico_linear_options options = {.inputs = 1, .outputs = 1, .input = &input, .output = &output};
    assert_ok(ctx, rico_scene_linearize(scene, &options, notes, &sys));
    rico_scene_destroy(scene);
    return sys;
}


static void expect_response(const rico_state_space *sys, double omega, double real, double imag)
{
    double g[2];
    assert_ok(ctx, rico_state_space_response(sys, omega, g));
    assert_near(g[0], real, 1e-12 * (1.0 + fabs(real)));
    assert_near(g[1], imag, 1e-12 * (1.0 + fabs(imag)));
}


// M = 1, m = 0.2, l = 0.5: poles 0, 0 and +-sqrt((M + m) g/(M l)) upright; from the force to the angle 1/(M l) / (s^2 ...) with a minus.
static void test_cart(void **state)
{
    (void)state;
    rico_linear_notes notes;
    rico_state_space *sys = linearize(
        "parts: {cart: {coordinates: [x, phi], kinetic: v_x^2/2 + 0.1*((v_x + cos(phi)*v_phi/2)^2 + "
        "(sin(phi)*v_phi/2)^2), potential: 0.981*cos(phi)}}\n" TIME,
        "x", "phi", &notes);
    double w = 1.2 * 9.81 / 0.5, abscissa;
    assert_int_equal(sys->states, 4);
    assert_near(notes.imbalance, 0.0, 1e-15);
    assert_int_equal(notes.left_out, 0);
    assert_ok(ctx, rico_state_space_abscissa(sys, &abscissa));
    assert_near(abscissa, sqrt(w), 1e-12);
    expect_response(sys, 3.0, 2.0 / (9.0 + w), 0.0); // -2/(s^2 - w)
    rico_state_space_destroy(sys);
}


// A spring of 4 between two masses of 1 and 3 that a joint makes one, held by 2: (1 + 3) s^2 + 2.
static void test_joint(void **state)
{
    (void)state;
    rico_linear_notes notes;
    rico_state_space *sys =
        linearize("parts: {a: {coordinates: [x, y], mass: [1, 3], potential: 2*(x - y)^2 + x^2}}\n"
                  "joints: {weld: x - y}\ncontacts: {floor: {gap: x + 1}}\n" TIME,
                  "x", "2*y + v_x", &notes);
    assert_int_equal(sys->states, 2);
    assert_int_equal(notes.left_out, 1);
    double w = 1.5, real = 1.0 / (2.0 - 4.0 * w * w);
    expect_response(sys, w, 2.0 * real, w * real);
    rico_state_space_destroy(sys);
}


// A low pass with a PID around it: states alone, no integrals. Loop gain (2 + 3/s)/(s + 1), closed to the disturbance.
static void test_states(void **state)
{
    (void)state;
    rico_state_space *sys = linearize("parts: {plant: {kind: first-order, states: [T], rate: -T}}\n"
                                      "controllers: {c: {kind: pid, measured: T, reference: 1, proportional: "
                                      "2, integral: 3, acts: {T: 1}}}\n" TIME,
                                      "T", "T", NULL);
    assert_int_equal(sys->states, 2);
    double w = 2.0; // s/(s^2 + 3 s + 3) at 2i
    double re = -w * w + 3.0, im = 3.0 * w, size = re * re + im * im;
    expect_response(sys, w, w * im / size, w * re / size);
    rico_state_space_destroy(sys);
    // the integral is kept where it is read
    sys = linearize("parts: {plant: {kind: first-order, states: [T], mass: 2, rate: -T}}\n" TIME, "T",
                    "integral_T", NULL);
    assert_int_equal(sys->states, 2);
    expect_response(sys, 1.0, -2.0 / 5.0, -1.0 / 5.0); // 1/(s(2 s + 1))
    rico_state_space_destroy(sys);
}


static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *text, *input, *output, *words;
    } all[] = {
        {"parts: {a: {coordinates: [x], mass: 1}}\n" TIME, "y", "x",
         "the input 'y' is no coordinate and no state"},
        {"parts: {a: {coordinates: [x], mass: 1}}\n" TIME, "x", "z", "the output 'z': unknown name 'z'"},
        {"parts: {a: {coordinates: [x], mass: 1}}\n" TIME, "x", "sqrt(x)", "no finite derivative"},
        {"parts: {a: {coordinates: [x, y], mass: [1, 1]}}\njoints: {rod: x^2 + y^2 - 1}\n"
         "initial: {position: {x: 1}}\n" TIME,
         "x", "x", "joint rod turns with the positions"},
        {"parts: {a: {kind: sampled, states: [n], every: 0.1, update: n}}\n" TIME, "n", "n", "sampled parts"},
        {"bodies: {b: {shape: {sphere: 1}, mass: 1}}\n" TIME, "x", "x", "bodies that turn"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        rico_scene *scene = parse(all[i].text);
        rico_state_space *sys = NULL;
        rico_linear_options options = {
            .inputs = 1, .outputs = 1, .input = &all[i].input, .output = &all[i].output};
        assert_int_not_equal(rico_scene_linearize(scene, &options, NULL, &sys), RICO_OK);
        if (!strstr(rico_message(ctx), all[i].words)) fail_msg("%s: %s", all[i].words, rico_message(ctx));
        assert_null(sys);
        rico_scene_destroy(scene);
    }
}


static rico_status act(rico_context *own, void *user)
{
    static const char TEXT[] =
        "parts: {a: {coordinates: [x, y], mass: [1, 3], potential: x^2}}\njoints: {weld: x - y}\n" TIME;
    const char *input = "x", *output = "y";
    (void)user;
    rico_scene *scene = NULL;
    rico_state_space *sys = NULL;
    rico_linear_options options = {.inputs = 1, .outputs = 1, .input = &input, .output = &output};
    rico_status status = rico_scene_parse(own, "s", TEXT, (int64_t)strlen(TEXT), 0, NULL, NULL, 0, &scene);
    if (status == RICO_OK) status = rico_scene_linearize(scene, &options, NULL, &sys);
    rico_state_space_destroy(sys);
    rico_scene_destroy(scene);
    return status;
}


static void test_memory_runs_out(void **state)
{
    (void)state;
    assert_true(allocations_fail(act, NULL, 20) > 50);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cart),
        cmocka_unit_test(test_joint),
        cmocka_unit_test(test_states),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
