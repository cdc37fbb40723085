// Newton's cradle (spec 09, F4; spec 05): balls in a row that touch, or all but touch, under the laws of multiple impacts.

#include "step/bodies.h"

enum { MOST = 7 };
static const double R = 0.05;


// n balls along x, `gap` apart, of which the first `in` come in at speed 1; velocities once they have met.
static void cradle(int n, int in, double gap, const char *scheme, const char *law, const double *mass,
                   double restitution, int64_t steps, double *out)
{
    scene s;
    int64_t ball[MOST];
    open_scene(&s, 0.0, 0.0, 3);
    use_material(&s, 0.0, restitution);
    const rico_shape *shape = make_shape(&s, "sphere", R, 0.0, 0.0);
    for (int i = 0; i < n; i++) {
        rico_body body = free_body(shape, 0.0, (2.0 * R + gap) * i, 0.0, 0.0);
        body.mass = mass ? mass[i] : 1.0;
        if (i < in) body.stand.position[0] -= 0.003, body.velocity[0] = 1.0;
        ball[i] = put_body(&s, &body);
    }
    build_scene(&s, scheme);
    if (law) assert_ok(s.ctx, rico_simulation_set_impact(s.sim, law, NULL));
    start_scene(&s, 1e-3);
    step_scene(&s, steps);
    for (int i = 0; i < n; i++) {
        double v[3];
        velocity_of(&s, ball[i], v);
        out[i] = v[0];
        assert_at_most(hypot(v[1], v[2]), 1e-11);
    }
    close_scene(&s);
}


// k balls in, k out, to round-off; touching, and apart by 1e-9.
static void test_binary(void **state)
{
    (void)state;
    static const char *const SCHEMES[] = {"moreau-jean-projected", "moreau-jean"};
    for (int k = 0; k < 2; k++)
        for (int apart = 0; apart < 2; apart++)
            for (int in = 1; in < 5; in++) {
                double v[5];
                cradle(5, in, apart ? 1e-9 : 0.0, SCHEMES[k], "binary", NULL, 1.0, 20, v);
                for (int i = 0; i < 5; i++) assert_near(v[i], i < 5 - in ? 0.0 : 1.0, 1e-13);
            }
}


// Moreau's: v1 = (2 - n)/n, all others 2/n.
static void test_moreau(void **state)
{
    (void)state;
    static const char *const SCHEMES[] = {"moreau-jean-projected", "midpoint-projection", "moreau-jean"};
    for (int k = 0; k < 3; k++)
        for (int named = 0; named < 2; named++)
            for (int n = 3; n <= 5; n += 2) {
                double v[5];
                if (named && k == 1) continue;
                cradle(n, 1, 0.0, SCHEMES[k], named ? "moreau" : NULL, NULL, 1.0, 20, v);
                for (int i = 0; i < n; i++) assert_near(v[i], (i ? 2.0 : 2.0 - n) / n, 1e-12);
            }
}


// LZB with Hertz' springs: the three balls of spec 05, to the law's own step.
static void test_lzb(void **state)
{
    (void)state;
    static const char *const SCHEMES[] = {"moreau-jean-projected", "moreau-jean"};
    static const double AFTER[2][3] = {{-0.0709520, 0.0764026, 0.9945494},
                                       {-0.0086119, 0.1041392, 0.9044727}};
    for (int k = 0; k < 2; k++)
        for (int soft = 0; soft < 2; soft++) {
            double v[3];
            cradle(3, 1, 0.0, SCHEMES[k], "lzb", NULL, soft ? 0.9 : 1.0, 20, v);
            for (int i = 0; i < 3; i++) assert_near(v[i], AFTER[soft][i], 1e-4);
        }
}


// Two unequal balls: v1 = (m1 - e m2) / (m1 + m2), v2 = (1 + e) m1 / (m1 + m2).
static void test_two(void **state)
{
    (void)state;
    static const char *const SCHEMES[] = {"moreau-jean-projected", "midpoint-projection", "moreau-jean",
                                          "event-driven"};
    static const char *const LAWS[] = {NULL, "binary", "moreau", "lzb", "poisson"};
    for (int k = 0; k < 4; k++)
        for (int law = 0; law < 5; law++)
            for (int soft = 0; soft < 2; soft++) {
                const double mass[2] = {0.7, 2.3}, e = soft ? 0.6 : 1.0;
                double v[2];
                if (k == 1 && law > 0) continue;
                if (k == 3 && law == 3) continue;
                cradle(2, 1, 0.0, SCHEMES[k], LAWS[law], mass, e, 20, v);
                double bound = LAWS[law] && !strcmp(LAWS[law], "lzb") ? 1e-4 : 1e-12;
                assert_near(v[0], (mass[0] - e * mass[1]) / 3.0, bound);
                assert_near(v[1], (1.0 + e) * mass[0] / 3.0, bound);
            }
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_binary), cmocka_unit_test(test_moreau),
                                       cmocka_unit_test(test_lzb), cmocka_unit_test(test_two)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
