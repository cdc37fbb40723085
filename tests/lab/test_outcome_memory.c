// Every allocation of the context fails in turn while a scene is struck and stepped: a clear status, nothing leaked.

#include "failing_memory.h"
#include "lab/outcome.h"

static const char SCENE[] = "parts: {b: {kind: chain, balls: 3, mass: 1 + i, exponent: [1, 2]}}\n"
                            "initial: {velocity: {b: i == 0}}\n"
                            "time: {end: 1, step: 0.1}\n"
                            "impact: {name: lzb, relative-step: 1e-2}\n";


// Laws side by side, their columns, and one step of a simulation.
static rico_status strike(rico_context *ctx, void *user)
{
    (void)user;
    rico_scene *scene = NULL;
    rico_simulation *sim = NULL;
    rico_outcomes outcomes = {0};
    rico_sheet sheet = {.ctx = ctx};
    const char *word = "lzb.relative-step=1e-2";
    const rico_outcome_options options = {.option_count = 1, .options = &word, .waves = 2};
    rico_status status = rico_scene_parse(ctx, "s", SCENE, (int64_t)strlen(SCENE), 0, NULL, NULL, 0, &scene);
    if (status == RICO_OK) status = rico_outcomes_make(ctx, scene, &options, &outcomes);
    if (status == RICO_OK) status = rico_outcomes_sheet(&outcomes, &sheet);
    if (status == RICO_OK) status = rico_scene_simulate(scene, &sim);
    if (status == RICO_OK) status = rico_simulation_step(sim, 0.1);
    rico_simulation_destroy(sim);
    rico_sheet_release(&sheet);
    rico_outcomes_release(&outcomes);
    rico_scene_destroy(scene);
    return status;
}


static void test_every_allocation_fails(void **state)
{
    (void)state;
    assert_true(every_allocation_fails(strike, NULL) > 100);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_allocation_fails)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
