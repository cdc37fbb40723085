// Fits to data from theory with noise of a known seed: values within their predicted deviations.

#include "support.h"

#include "lab/fit.h"

#include <unistd.h>

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}


static const char SLOPE[] =
    "parameters: {mu: 0.3, a: pi/6, m: 1.5, v0: 1}\n"
    "parts:\n"
    "  block: {coordinates: [x, y], mass: [m, m], potential: 'm*9.81*(y*cos(a) - x*sin(a))'}\n"
    "contacts: {slope: {gap: y, tangent: x, friction: mu}}\n"
    "initial: {velocity: {x: v0}}\n"
    "time: {end: 1, step: 0.01}\n"
    "scheme: moreau-jean\n";

static const char BALL[] = "parameters: {e: 0.8, height: 1}\n"
                           "parts: {ball: {coordinates: [y], mass: [1], potential: 9.81*y}}\n"
                           "contacts: {ground: {gap: y, restitution: e}}\n"
                           "initial: {position: {y: height}}\n"
                           "time: {end: 1.5, step: 2e-3}\n"
                           "scheme: event-driven\n";

typedef struct files {
    char scene[64], data[64];
} files;


static void name_files(files *out)
{
    snprintf(out->scene, sizeof out->scene, "lab_fit_%ld.yaml", (long)getpid());
    snprintf(out->data, sizeof out->data, "lab_fit_%ld.csv", (long)getpid());
}


static void remove_files(const files *it)
{
    remove(it->scene);
    remove(it->data);
}


// x = v0 t + g (sin a - mu cos a) t^2/2 with mu = 0.37, v0 = 1.4. Over many seeds, four fifths of the values are within 1.5 deviations at least
// (87 % are expected), and all within 5.
static void slope(void **state)
{
    (void)state;
    enum { SEEDS = 40 };
    const double truth[] = {0.37, 1.4};
    rico_context *ctx = rico_context_create(NULL);
    files it = {0};
    name_files(&it);
    write_text(it.scene, SLOPE);
    int near = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
        rico_random random;
        rico_random_seed(&random, (uint64_t)seed);
        FILE *data = fopen(it.data, "w");
        assert_non_null(data);
        fprintf(data, "t,x\n");
        for (int i = 1; i <= 40; i++) {
            double t = i / 41.0, x = truth[1] * t + 9.81 * (0.5 - truth[0] * cos(M_PI / 6.0)) * t * t / 2.0;
            fprintf(data, "%.17g,%.17g\n", t, x + 0.01 * rico_random_normal(&random));
        }
        assert_int_equal(fclose(data), 0);
        rico_fit_options options = {.scene = it.scene, .data = it.data, .fit = "mu,v0", .most = 50};
        rico_fit fit;
        assert_ok(ctx, rico_fit_run(ctx, &options, &fit));
        assert_true(fit.converged);
        assert_true(fit.rms > 0.005 && fit.rms < 0.015);
        assert_int_equal(fit.one_sided, 0);
        for (int i = 0; i < 2; i++) {
            double off = fabs(fit.value[i] - truth[i]) / fit.deviation[i];
            assert_at_most(off, 5.0);
            near += off <= 1.5;
        }
        rico_fit_release(ctx, &fit);
    }
    assert_true(near >= 2 * SEEDS * 4 / 5);
    remove_files(&it);
    rico_context_destroy(ctx);
}


// A ball that bounces, e = 0.72 from 1.1 m, measured now and then with sigma = 5 mm, some values missing.
static void ball(void **state)
{
    (void)state;
    const double e = 0.72, g = 9.81, height = 1.1;
    rico_context *ctx = rico_context_create(NULL);
    files it = {0};
    rico_random random;
    rico_random_seed(&random, 9);
    name_files(&it);
    write_text(it.scene, BALL);
    FILE *data = fopen(it.data, "w");
    assert_non_null(data);
    fprintf(data, "t,y,sigma_y\n");
    for (int i = 0; i < 60; i++) {
        double end = 1.5 * i / 59.0, t = sqrt(2.0 * height / g), speed = e * g * t, y;
        while (end > t && t + 2.0 * speed / g < end) {
            t += 2.0 * speed / g;
            speed *= e;
        }
        y = end < t ? height - g * end * end / 2.0 : speed * (end - t) - g * (end - t) * (end - t) / 2.0;
        fprintf(data, i % 10 == 7 ? "%.17g,,\n" : "%.17g,%.17g,0.005\n", end,
                y + 0.005 * rico_random_normal(&random));
    }
    fprintf(data, "1.5,0.25"); // no end of line, one field short
    assert_int_equal(fclose(data), 0);
    rico_fit_options options = {.scene = it.scene, .data = it.data, .fit = "e,height", .most = 50};
    rico_fit fit;
    assert_int_equal(rico_fit_run(ctx, &options, &fit), RICO_BAD_INPUT);
    assert_non_null(strstr(rico_message(ctx), "2 fields, expected 3"));
    data = fopen(it.data, "a");
    assert_non_null(data);
    fprintf(data, ",1000"); // says nothing
    assert_int_equal(fclose(data), 0);
    assert_ok(ctx, rico_fit_run(ctx, &options, &fit));
    assert_true(fit.converged && fit.data.weighted);
    assert_int_equal(fit.data.measured, 55);
    assert_int_equal(fit.blows, 0);
    assert_at_most(fabs(fit.value[0] - e), 3.0 * fit.deviation[0]);
    assert_at_most(fabs(fit.value[1] - height), 3.0 * fit.deviation[1]);
    assert_true(fit.deviation[0] < 1e-3 && fit.deviation[1] < 2e-3);
    assert_true(fit.rms > 0.7 && fit.rms < 1.3);
    assert_near(fit.correlation[0], 1.0, 1e-12);
    rico_fit_release(ctx, &fit);
    remove_files(&it);
    rico_context_destroy(ctx);
}


// From friction 0, at the end of its range; what has no effect; too few iterations; names and numbers that are none.
static void edges(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    files it = {0};
    rico_fit fit;
    name_files(&it);
    write_text(it.scene, SLOPE);
    FILE *data = fopen(it.data, "w");
    assert_non_null(data);
    fprintf(data, "t,x\n");
    for (int i = 1; i <= 10; i++) {
        double t = i / 10.0;
        fprintf(data, "%.17g,%.17g\n", t, t + 9.81 * (0.5 - 0.2 * cos(M_PI / 6.0)) * t * t / 2.0);
    }
    assert_int_equal(fclose(data), 0);
    const char *none[] = {"mu=0"};
    rico_fit_options options = {
        .scene = it.scene, .data = it.data, .fit = "mu", .most = 50, .override_count = 1, .overrides = none};
    assert_ok(ctx, rico_fit_run(ctx, &options, &fit));
    assert_true(fit.converged);
    assert_near(fit.value[0], 0.2, 1e-8);
    rico_fit_release(ctx, &fit);

    options.override_count = 0;
    options.fit = "m";
    assert_int_equal(rico_fit_run(ctx, &options, &fit), RICO_BAD_INPUT);
    assert_non_null(strstr(rico_message(ctx), "'m' does not change the data"));
    options.fit = "nu";
    assert_int_equal(rico_fit_run(ctx, &options, &fit), RICO_BAD_ARGUMENT);
    assert_non_null(strstr(rico_message(ctx), "'nu'"));
    options.fit = "mu";
    write_text(it.data, "t,x\n0.5,1\n0.4,2\n");
    assert_int_equal(rico_fit_run(ctx, &options, &fit), RICO_BAD_INPUT);
    assert_non_null(strstr(rico_message(ctx), ":3: times must"));
    write_text(it.data, "t,x\n0.5,one\n");
    assert_int_equal(rico_fit_run(ctx, &options, &fit), RICO_BAD_INPUT);
    write_text(it.data, "x\n0.5\n");
    assert_int_equal(rico_fit_run(ctx, &options, &fit), RICO_BAD_INPUT);
    write_text(it.data, "t,z\n0.5,1\n");
    assert_int_equal(rico_fit_run(ctx, &options, &fit), RICO_BAD_ARGUMENT);
    assert_non_null(strstr(rico_message(ctx), "'z'"));
    remove_files(&it);
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slope),
        cmocka_unit_test(ball),
        cmocka_unit_test(edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
