// Models that others wrote, RICO_DATA/models: each runs some steps, or is refused by element and line. Skipped without them.

#include "sample.h"

#include "ricochet/run.h"

#include <glob.h>

enum { STEPS = 5 };

static void try_model(rico_context *ctx, const char *path, int *good)
{
    const rico_import_options options = rico_import_defaults();
    char *text = NULL, place[1024];
    rico_status status = rico_import_file(ctx, path, &options, &text);
    if (status != RICO_OK) {
        snprintf(place, sizeof place, "%s:", path);
        if (strncmp(rico_message(ctx), place, strlen(place)) != 0 || !strchr(rico_message(ctx), '<'))
            fail_msg("refused without a place: %s", rico_message(ctx));
        return;
    }
    rico_scene *scene = NULL;
    rico_simulation *sim = NULL;
    assert_ok(ctx, rico_scene_parse(ctx, path, text, (int64_t)strlen(text), 0, NULL, NULL, 0, &scene));
    // a crowd takes its time: the first step tells
    int64_t bodies = rico_bodies_count(rico_scene_body_set(scene, NULL, NULL));
    assert_ok(ctx, rico_scene_simulate(scene, &sim));
    for (int i = 0; i < (bodies > 200 ? 1 : STEPS); i++)
        assert_ok(ctx, rico_simulation_step(sim, rico_scene_times(scene).step));
    (*good)++;
    rico_simulation_destroy(sim);
    rico_scene_destroy(scene);
    rico_import_free(ctx, text);
}


static void test_models(void **state)
{
    (void)state;
    static const char *const PATTERN[] = {"mjcf/*/*.xml", "mjcf/*/*/*.xml", "urdf/*.urdf"};
    const char *data = getenv("RICO_DATA");
    rico_context *ctx = rico_context_create(NULL);
    int tried = 0, good = 0;
    for (int i = 0; data && i < 3; i++) {
        char pattern[1024];
        glob_t found;
        snprintf(pattern, sizeof pattern, "%s/models/%s", data, PATTERN[i]);
        if (glob(pattern, 0, NULL, &found) != 0) continue;
        for (size_t k = 0; k < found.gl_pathc; k++, tried++) try_model(ctx, found.gl_pathv[k], &good);
        globfree(&found);
    }
    rico_context_destroy(ctx);
    if (tried == 0) skip();
    printf("%d models, %d of them run\n", tried, good);
    assert_true(good > tried / 2);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_models)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
