// Problems of elastic bodies have the sizes that the chapter's table 5 gives for its collections (spec/10, section 6).

#include "support.h"

#include "lab/elastic_recipe.h"
#include "lab/scene_problems.h"
#include "ricochet/ricochet.h"

typedef struct size {
    int64_t velocities, contacts;
} size;


static size first_problem(rico_context *ctx, const rico_elastic_recipe *recipe, rico_problem **problem)
{
    rico_elastic_stage stage;
    rico_scene_problems *problems = NULL;
    assert_ok(ctx, rico_elastic_stage_open(ctx, recipe, &stage));
    assert_ok(ctx, rico_scene_problems_create(ctx, stage.system, &problems));
    *problem = NULL;
    assert_ok(ctx, rico_scene_problems_make(problems, stage.sim, recipe->step, problem));
    assert_non_null(*problem);
    size found = {rico_system_velocities(stage.system), rico_problem_block_count(*problem)};
    rico_scene_problems_destroy(problems);
    rico_elastic_stage_close(&stage);
    return found;
}


static void cubes_have_the_sizes_of_the_table(void **state)
{
    rico_context *ctx = rico_context_create(NULL);
    (void)state;
    const struct {
        int64_t elements, velocities, least, most;
    } rows[] = {{2, 162, 3, 5}, {5, 1296, 17, 36}};
    for (int k = 0; k < 2; k++)
        for (uint64_t seed = 1; seed < 4; seed++) {
            rico_problem *problem;
            const rico_elastic_recipe recipe = {.elements = rows[k].elements,
                                                .friction = 0.3,
                                                .stiffness =
                                                    rico_elastic_recipe_stiffness(false, rows[k].elements),
                                                .step = 1e-3,
                                                .seed = seed};
            size found = first_problem(ctx, &recipe, &problem);
            assert_int_equal(found.velocities, rows[k].velocities);
            assert_in_range(found.contacts, rows[k].least, rows[k].most);
            rico_problem_destroy(problem);
        }
    rico_context_destroy(ctx);
}


static void the_wall_has_about_the_sizes_of_the_table(void **state)
{
    rico_context *ctx = rico_context_create(NULL);
    (void)state;
    rico_problem *problem;
    const rico_elastic_recipe recipe = {.wall = true,
                                        .friction = 0.83,
                                        .stiffness = rico_elastic_recipe_stiffness(true, 0),
                                        .step = 1e-3,
                                        .seed = 1};
    size found = first_problem(ctx, &recipe, &problem);
    assert_in_range(found.velocities, 7140, 7290); // 7212 within a percent
    assert_in_range(found.contacts, 600, 700);     // 624 to 688
    rico_problem_destroy(problem);
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cubes_have_the_sizes_of_the_table),
                                       cmocka_unit_test(the_wall_has_about_the_sizes_of_the_table)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
