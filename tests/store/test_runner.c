// Runs from C: a text or a file, into memory or into a file, watched and stopped; the same numbers every way.

#include "failing_memory.h"
#include "support.h"

#include "ricochet/run.h"
#include "ricochet/scene.h"

#include <unistd.h>

static const char SCENE[] = "title: Ball\n"
                            "parameters: {e: 0.5, v: 2*e}\n"
                            "parts: {ball: {coordinates: [x, z], mass: [1, 1], force: [0, -10]}}\n"
                            "contacts: {floor: {gap: z, tangent: x, restitution: e, friction: 0.2}}\n"
                            "initial: {position: {z: 0.1}, velocity: {x: v}}\n"
                            "time: {end: 0.5, step: 0.01}\n";

typedef struct watcher {
    int64_t steps, most;
    double t;
} watcher;


static bool watch(void *user, rico_simulation *sim)
{
    watcher *self = user;
    assert_true(rico_simulation_time(sim) > self->t);
    self->t = rico_simulation_time(sim);
    return ++self->steps != self->most;
}


static rico_runner_options of_text(void)
{
    rico_runner_options options = rico_runner_defaults();
    options.scene = "here";
    options.text = SCENE;
    return options;
}


static void test_memory_and_file_agree(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    char path[64], difference[RICO_DIFFERENCE];
    snprintf(path, sizeof path, "store_runner_%ld.h5", (long)getpid());
    rico_results *memory = NULL, *file = NULL;
    rico_runner_result how;
    watcher seen = {0};
    const char *set[] = {"e=0.7"};
    rico_runner_options options = of_text();
    options.override_count = 1;
    options.overrides = set;
    options.results = &memory;
    options.step = watch;
    options.user = &seen;
    assert_ok(ctx, rico_runner_run(ctx, &options, &how));
    assert_true(how.finished);
    assert_int_equal(seen.steps, 50);
    assert_int_equal(how.steps, 50);
    rico_results_destroy(memory);
    options.output = path;
    options.overwrite = true;
    seen = (watcher){0};
    assert_ok(ctx, rico_runner_run(ctx, &options, &how));
    assert_int_equal(seen.steps, 50);
    rico_results *none = memory;
    assert_null(none); // of a run with a file there are none
    assert_ok(ctx, rico_results_open(ctx, path, &file));
    options.output = NULL;
    seen = (watcher){0};
    assert_ok(ctx, rico_runner_run(ctx, &options, &how));
    assert_ok(ctx, rico_results_compare(file, memory, difference));
    assert_string_equal(difference, "");
    assert_near(rico_results_parameter(memory, 1)->real, 1.4, 1e-15);
    rico_results_destroy(memory);
    rico_results_destroy(file);
    unlink(path);
    rico_context_destroy(ctx);
}


static void test_stopped_by_its_watcher(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    watcher seen = {.most = 7};
    rico_results *results = NULL;
    rico_runner_result how;
    rico_runner_options options = of_text();
    options.results = &results;
    options.step = watch;
    options.user = &seen;
    assert_int_equal(rico_runner_run(ctx, &options, &how), RICO_INTERRUPTED);
    assert_string_equal(rico_message(ctx), "stopped after 7 steps");
    assert_false(how.finished);
    assert_int_equal(how.steps, 7);
    assert_int_equal(rico_results_rows(results, rico_results_find_table(results, "state")), 8);
    assert_false(rico_results_finished(results));
    rico_results_destroy(results);
    rico_context_destroy(ctx);
}


static void test_nothing_kept(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_runner_result how;
    rico_runner_options options = of_text();
    assert_ok(ctx, rico_runner_run(ctx, &options, &how));
    assert_true(how.finished && how.events > 1);
    rico_context_destroy(ctx);
}


static void test_refusals(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_runner_result how;
    rico_results *results = NULL;
    rico_runner_options options = rico_runner_defaults();
    assert_int_equal(rico_runner_run(ctx, &options, &how), RICO_BAD_ARGUMENT);
    assert_non_null(strstr(rico_message(ctx), "needs a scene"));
    options = of_text();
    options.resume = true;
    assert_int_equal(rico_runner_run(ctx, &options, &how), RICO_BAD_ARGUMENT);
    assert_non_null(strstr(rico_message(ctx), "only go on in its result file"));
    options = of_text();
    options.text = "parts: {ball: {coordinates: [z], mess: 1}}\ntime: {end: 1, step: 0.1}\n";
    options.results = &results;
    assert_int_equal(rico_runner_run(ctx, &options, &how), RICO_BAD_INPUT);
    assert_non_null(strstr(rico_message(ctx), "here:1:"));
    assert_non_null(strchr(how.excerpt, '^'));
    assert_null(results);
    rico_context_destroy(ctx);
}


static void test_looking_into_a_scene(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_scene *scene = NULL;
    rico_simulation *sim = NULL;
    char name[RICO_SCENE_NAME];
    double value;
    assert_ok(ctx, rico_scene_parse(ctx, "here", SCENE, (int64_t)strlen(SCENE), 0, NULL, NULL, 0, &scene));
    assert_string_equal(rico_scene_title(scene), "Ball");
    assert_string_equal(rico_scene_parameter(scene, 1, &value), "v");
    assert_near(value, 1.0, 0.0);
    assert_string_equal(rico_scene_parameter(scene, 0, NULL), "e");
    assert_null(rico_scene_parameter(scene, 2, &value));
    assert_null(rico_scene_parameter(scene, -1, &value));
    rico_scene_velocity_name(scene, 1, name);
    assert_string_equal(name, "v_z");
    assert_near(rico_scene_velocity(scene)[0], 1.0, 0.0);
    rico_scene_time time = rico_scene_times(scene);
    assert_ok(ctx, rico_scene_simulate(scene, &sim));
    for (int i = 0; i < 5; i++) assert_ok(ctx, rico_simulation_step(sim, time.step));
    assert_near(rico_simulation_time(sim), 0.05, 1e-15);
    rico_simulation_destroy(sim);
    rico_scene_destroy(scene);
    rico_context_destroy(ctx);
}


static rico_status run_in_memory(rico_context *ctx, void *user)
{
    (void)user;
    rico_results *results = NULL;
    rico_runner_result how;
    rico_runner_options options = of_text();
    options.results = &results;
    rico_status status = rico_runner_run(ctx, &options, &how);
    rico_results_destroy(results);
    return status;
}


static void test_memory_runs_out(void **state)
{
    (void)state;
    assert_true(every_allocation_fails(run_in_memory, NULL) > 100);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory_and_file_agree), cmocka_unit_test(test_stopped_by_its_watcher),
        cmocka_unit_test(test_nothing_kept),          cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_looking_into_a_scene),  cmocka_unit_test(test_memory_runs_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
