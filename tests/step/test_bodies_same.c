// The same scene gives the same bits: on one thread and two, after a state was saved and loaded; and in any order of its bodies the
// same motion, to what the tolerance of the solver covers (issue H, done-when 5).

#include "step/bodies.h"

#ifdef _OPENMP
#include <omp.h>
#endif

enum { COUNT = 13 };


// Bodies of several kinds that fall into a heap; `order` permutes them. index: by what they are.
static void heap(scene *s, int order, int64_t index[COUNT])
{
    rico_random random;
    rico_random_seed(&random, 11);
    open_scene(s, 0.0, -EARTH, 2);
    use_material(s, 0.4, 0.0);
    rico_body body[COUNT];
    const rico_shape *shape[4] = {
        make_shape(s, "sphere", 0.1, 0.0, 0.0), make_shape(s, "box", 0.2, 0.15, 0.1),
        make_shape(s, "capsule", 0.06, 0.15, 0.0), make_shape(s, "cylinder", 0.08, 0.12, 0.0)};
    for (int i = 0; i < COUNT; i++) {
        body[i] = free_body(shape[i % 4], 1000.0, rico_random_range(&random, -0.2, 0.2),
                            rico_random_range(&random, -0.2, 0.2), 0.15 + 0.1 * i);
        turn_body(&body[i], rico_random_range(&random, -1.0, 1.0), rico_random_range(&random, -1.0, 1.0),
                  0.3);
        for (int j = 0; j < 3; j++) body[i].spin[j] = rico_random_range(&random, -2.0, 2.0);
    }
    if (!order) put_ground(s, ON_MESH, 1.5);
    for (int i = 0; i < COUNT; i++) {
        int which = order ? (7 * i + 5) % COUNT : i;
        index[which] = put_body(s, &body[which]);
    }
    if (order) put_ground(s, ON_MESH, 1.5);
    begin_scene(s, "moreau-jean-projected", 1e-2);
}


static void same_bits(const scene *a, const scene *b)
{
    assert_memory_equal(rico_simulation_position(a->sim), rico_simulation_position(b->sim),
                        (size_t)rico_system_positions(a->system) * sizeof(double));
    assert_memory_equal(rico_simulation_velocity(a->sim), rico_simulation_velocity(b->sim),
                        (size_t)rico_system_velocities(a->system) * sizeof(double));
}


static void test_threads(void **state)
{
    (void)state;
#ifndef _OPENMP
    skip();
#else
    scene s[2];
    int64_t index[COUNT];
    int before = omp_get_max_threads();
    for (int k = 0; k < 2; k++) {
        omp_set_num_threads(k + 1);
        heap(&s[k], 0, index);
        step_scene(&s[k], 40);
    }
    omp_set_num_threads(before);
    same_bits(&s[0], &s[1]);
    for (int k = 0; k < 2; k++) close_scene(&s[k]);
#endif
}


static void test_resume(void **state)
{
    (void)state;
    scene whole, half;
    int64_t index[COUNT];
    heap(&whole, 0, index);
    step_scene(&whole, 30);
    int64_t size = rico_simulation_state_size(whole.sim);
    void *bytes = malloc((size_t)size);
    assert_non_null(bytes);
    rico_simulation_save(whole.sim, bytes);
    step_scene(&whole, 10);
    heap(&half, 0, index);
    assert_ok(half.ctx, rico_simulation_load(half.sim, bytes, size));
    step_scene(&half, 10);
    same_bits(&whole, &half);
    free(bytes);
    close_scene(&whole);
    close_scene(&half);
}


static void test_order(void **state)
{
    (void)state;
    scene s[2];
    int64_t index[2][COUNT];
    for (int k = 0; k < 2; k++) {
        heap(&s[k], k, index[k]);
        step_scene(&s[k], 36); // before one of them lands flat, where friction has more than one answer
    }
    double worst = 0.0;
    for (int i = 0; i < COUNT; i++) {
        rico_stand one = stand_of(&s[0], index[0][i]), two = stand_of(&s[1], index[1][i]);
        for (int j = 0; j < 3; j++) worst = fmax(worst, fabs(one.position[j] - two.position[j]));
    }
    assert_at_most(worst, 1e-10);
    for (int k = 0; k < 2; k++) close_scene(&s[k]);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_threads), cmocka_unit_test(test_resume),
                                       cmocka_unit_test(test_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
