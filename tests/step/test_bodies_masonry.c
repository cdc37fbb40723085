// Masonry (spec 09, F17, and the bars of issue H): an arch at its least thickness, a tower of planks, a stack for an hour.
//
// RICO_LONG=1 runs them for the full times.

#include "step/bodies.h"

static const char SCHEME[] = "moreau-jean-projected";


// --- an arch -------------------------------------------------------------------------------------------------------

// n voussoirs with true weights and radial joints, mean radius 1; how fast the fastest moves after `steps`.
static double arch(int n, double thickness, int ground, int64_t steps)
{
    scene s;
    open_scene(&s, 0.0, -EARTH, 0);
    use_material(&s, 2.0, 0.0);
    put_ground(&s, ground, 2.0);
    for (int i = 0; i < n; i++) {
        double corner[8][3];
        rico_shape *hull;
        for (int k = 0; k < 8; k++) {
            double angle = M_PI * (i + (k & 1)) / n, r = 1.0 + (k & 2 ? 0.5 : -0.5) * thickness;
            rico_vec3_set(r * cos(angle), k & 4 ? 0.25 : -0.25, r * sin(angle), corner[k]);
        }
        corner[0][2] = fabs(corner[0][2]);
        assert_ok(s.ctx, rico_shape_hull(s.ctx, &corner[0][0], 8, &hull));
        rico_body body = free_body(keep_shape(&s, hull), 2000.0, 0.0, 0.0, 0.0);
        put_body(&s, &body);
    }
    begin_scene(&s, SCHEME, 1e-2);
    step_scene(&s, steps);
    double speed = restless(&s);
    if (getenv("RICO_LONG")) printf("arch %.8g: %.3g m/s, %.3g m\n", thickness, speed, moved(&s));
    close_scene(&s);
    return speed;
}


static void test_arch(void **state)
{
    (void)state;
    for (int ground = 0; ground < GROUNDS; ground++) {
        assert_at_most(arch(20, 0.1076, ground, 40), 1e-9);
        assert_true(arch(20, 0.1073, ground, 10) > 5e-4);
    }
}


// --- planks --------------------------------------------------------------------------------------------------------

static void stands(scene *s, double end, const char *who)
{
    double fastest = 0.0, next = 0.1 * end;
    begin_scene(s, SCHEME, 1e-2);
    while (rico_simulation_time(s->sim) < end) {
        step_scene(s, 1);
        fastest = fmax(fastest, restless(s));
        if (!getenv("RICO_LONG") || rico_simulation_time(s->sim) < next) continue;
        printf("%s at %g s: %.3g m, %.3g m/s\n", who, rico_simulation_time(s->sim), moved(s), fastest);
        fflush(stdout);
        next += 0.1 * end;
    }
    assert_at_most(moved(s), 1e-8);
    assert_at_most(fastest, 1e-8);
    close_scene(s);
}


// Two planks to a layer, crosswise, as a child builds them.
static void test_tower(void **state)
{
    (void)state;
    double end = getenv("RICO_LONG") ? 60.0 : 0.15;
    scene s;
    open_scene(&s, 0.0, -EARTH, 0);
    use_material(&s, 0.5, 0.0);
    put_ground(&s, ON_PLANE, 2.0);
    const rico_shape *plank = make_shape(&s, "box", 0.3, 0.06, 0.02);
    for (int i = 0; i < 200; i++) {
        int layer = i / 2;
        double side = i % 2 ? 0.1 : -0.1;
        rico_body body =
            free_body(plank, 600.0, layer % 2 ? side : 0.0, layer % 2 ? 0.0 : side, 0.01 + 0.02 * layer);
        if (layer % 2) turn_body(&body, 0.0, 0.0, 0.5 * M_PI);
        put_body(&s, &body);
    }
    stands(&s, end, "200 planks");
}


// --- a stack -------------------------------------------------------------------------------------------------------

static void test_stack(void **state)
{
    (void)state;
    scene s;
    open_scene(&s, 0.0, -EARTH, 5);
    use_material(&s, 0.4, 0.0);
    put_ground(&s, ON_PLANE, 2.0);
    const rico_shape *box = make_shape(&s, "box", 0.3, 0.2, 0.1);
    for (int i = 0; i < 10; i++) {
        rico_body body = free_body(box, 1000.0, 0.005 * (i % 3), -0.004 * (i % 2), 0.05 + 0.1 * i);
        turn_body(&body, 0.0, 0.0, 0.02 * i);
        put_body(&s, &body);
    }
    stands(&s, getenv("RICO_LONG") ? 3600.0 : 10.0, "stack of 10");
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_arch), cmocka_unit_test(test_stack),
                                       cmocka_unit_test(test_tower)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
