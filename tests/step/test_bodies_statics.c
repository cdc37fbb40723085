// Things that stand, and that just do not (spec 09, F15, F16, F19): cards, books, a ball in a groove, boxes on boxes.

#include "step/bodies.h"

static const char SCHEME[] = "moreau-jean-projected";


// --- cards ---------------------------------------------------------------------------------------------------------

static void begin_exact(scene *s)
{
    build_scene(s, SCHEME);
    assert_ok(s->ctx, rico_simulation_set_number(s->sim, "tol", 1e-13));
    start_scene(s, 1e-2);
}


// One of two cards that lean on each other at the angle phi from the vertical: the other one is its mirror image, a wall without friction. A
// plate with sharp edges, thick in the middle, whose center is half way. How fast it moves after a few steps.
static double leaning_card(double phi, double friction, int ground)
{
    scene s;
    double corner[8][3];
    int count = 0;
    rico_shape *hull;
    open_scene(&s, 0.0, -EARTH, 2);
    use_material(&s, friction, 0.0);
    put_ground(&s, ground, 2.0);
    for (int end = 0; end < 2; end++) {
        double y = end ? 0.3 : -0.3;
        rico_vec3_set(sin(phi), y, 0.0, corner[count++]);
        rico_vec3_set(0.0, y, cos(phi), corner[count++]);
        for (int face = 0; face < 2; face++) {
            double t = face ? 0.01 : -0.01;
            rico_vec3_set(0.5 * sin(phi) + t * cos(phi), y, 0.5 * cos(phi) + t * sin(phi), corner[count++]);
        }
    }
    assert_ok(s.ctx, rico_shape_hull(s.ctx, &corner[0][0], count, &hull));
    rico_body card = free_body(keep_shape(&s, hull), 700.0, 0.0, 0.0, 0.0);
    put_body(&s, &card);
    int rough = s.material;
    use_material(&s, 0.0, 0.0);
    assert_ok(s.ctx, rico_bodies_set_pair(s.bodies, rough, s.material, (rico_contact_law){.friction = 0.0}));
    put_fixed(&s, make_shape(&s, "box", 1.0, 2.0, 4.0), -0.5, 0.0, 0.0);
    begin_exact(&s);
    step_scene(&s, 20);
    double speed = restless(&s);
    close_scene(&s);
    return speed;
}


// Both of them, as rods with round ends of radius r: mu >= L sin / (2 (L cos + r)).
static double leaning_rods(double phi, double friction, double r, int ground)
{
    scene s;
    open_scene(&s, 0.0, -EARTH, 2);
    use_material(&s, friction, 0.0);
    put_ground(&s, ground, 2.0);
    int rough = s.material;
    use_material(&s, 0.0, 0.0);
    assert_ok(s.ctx,
              rico_bodies_set_pair(s.bodies, rough, s.material, (rico_contact_law){.friction = friction}));
    const rico_shape *rod = make_shape(&s, "capsule", r, 1.0, 0.0);
    for (int side = 0; side < 2; side++) {
        double sign = side ? 1.0 : -1.0;
        rico_body body = free_body(rod, 700.0, sign * (r + 0.5 * sin(phi)), 0.0, r + 0.5 * cos(phi));
        turn_body(&body, 0.0, -sign * phi, 0.0);
        put_body(&s, &body);
    }
    begin_exact(&s);
    step_scene(&s, 20);
    double speed = restless(&s);
    close_scene(&s);
    return speed;
}


static void test_cards(void **state)
{
    (void)state;
    static const double FRICTION[3] = {0.2, 0.3, 0.5}, DEGREES[3] = {21.80140949, 30.96375653, 45.0};
    for (int ground = 0; ground < GROUNDS; ground++)
        for (int k = 0; k < 3; k++) {
            double exact = atan(2.0 * FRICTION[k]);
            assert_near(exact * 180.0 / M_PI, DEGREES[k], 1e-8);
            double below = leaning_card(exact - 1e-8, FRICTION[k], ground);
            double above = leaning_card(exact + 1e-8, FRICTION[k], ground);
            assert_at_most(below, 1e-10);
            assert_true(above > 1e-8);
            double r = 0.02, mu = sin(exact) / (2.0 * (cos(exact) + r));
            assert_at_most(leaning_rods(exact, mu * (1.0 + 1e-8), r, ground), 1e-11);
            assert_true(leaning_rods(exact, mu * (1.0 - 1e-8), r, ground) > 1e-8);
        }
}


// --- books ---------------------------------------------------------------------------------------------------------

// n books of unit length at the harmonic overhang times a share; how fast they move after a few steps.
static double books(int n, double share)
{
    scene s;
    double x = 0.0;
    open_scene(&s, 0.0, -EARTH, 3);
    use_material(&s, 0.5, 0.0);
    const rico_shape *book = make_shape(&s, "box", 1.0, 0.7, 0.05);
    put_fixed(&s, make_shape(&s, "box", 1.0, 1.0, 1.0), -0.5, 0.0, -0.5);
    for (int i = 0; i < n; i++) { // from the lowest, each by 1/(2 (n - i)) beyond the one below
        x += share * 0.5 / (n - i);
        rico_body body = free_body(book, 500.0, x - 0.5, 0.0, 0.025 + 0.05 * i);
        put_body(&s, &body);
    }
    begin_scene(&s, SCHEME, 1e-2);
    step_scene(&s, 30);
    double speed = restless(&s);
    close_scene(&s);
    return speed;
}


static void test_books(void **state)
{
    (void)state;
    static const int COUNT[] = {1, 2, 3, 4, 10, 31};
    for (int k = 0; k < 6; k++) {
        assert_at_most(books(COUNT[k], 1.0 - 1e-9), 1e-9);
        assert_true(books(COUNT[k], 1.0 + 1e-9) > 1e-8);
    }
}


// --- at rest -------------------------------------------------------------------------------------------------------

// The momentum of all bodies over that which their weight gives in a step: what the sum of all contact forces lacks of the weight.
static double weight_error(const scene *s)
{
    double sum[3] = {0.0}, weight = 0.0;
    for (int64_t b = 0; b < rico_bodies_count(s->bodies); b++)
        weight += rico_bodies_mass(s->bodies, b) * EARTH;
    for (int64_t b = 0; b < rico_bodies_count(s->bodies); b++) {
        if (rico_bodies_type(s->bodies, b) != RICO_BODY_FREE) continue;
        double v[3];
        velocity_of(s, b, v);
        for (int i = 0; i < 3; i++) sum[i] += rico_bodies_mass(s->bodies, b) * v[i];
    }
    return rico_vec3_norm(sum) / (weight * s->h);
}


static void rests(scene *s, int64_t steps, const char *who)
{
    begin_exact(s);
    double fastest = 0.0, weight = 0.0;
    for (int64_t n = 0; n < steps; n++) {
        step_scene(s, 1);
        fastest = fmax(fastest, restless(s));
        weight = fmax(weight, weight_error(s));
    }
    if (getenv("RICO_LONG")) printf("%s: %.3g m, %.3g m/s, weight %.3g\n", who, moved(s), fastest, weight);
    assert_at_most(moved(s), 1e-12);
    assert_at_most(fastest, 1e-12);
    assert_at_most(weight, 1e-12);
    close_scene(s);
}


static void test_at_rest(void **state)
{
    (void)state;
    int64_t steps = getenv("RICO_LONG") ? 100000 : 500;
    for (int k = 0; k < 2; k++) { // a ball in a groove
        scene s;
        // without friction nothing holds the ball along the groove: gravity must be across it to the last bit
        open_scene(&s, 0.0, -EARTH, k ? 4 : 0);
        use_material(&s, k ? 0.3 : 0.0, 0.0);
        for (int side = 0; side < 2; side++) {
            rico_body wall = rico_body_default();
            wall.type = RICO_BODY_FIXED;
            wall.shape = make_shape(&s, "plane", 0.0, 0.0, 0.0);
            turn_body(&wall, side ? 0.7 : -0.9, 0.0, 0.0);
            put_body(&s, &wall);
        }
        // touches both: |n_i . x| = R
        const double R = 0.1, a = 0.7, b = 0.9; // normals (0, -sin a, cos a), (0, sin b, cos b)
        double y = R * (cos(a) - cos(b)) / sin(a + b), z = R * (sin(a) + sin(b)) / sin(a + b);
        rico_body ball = free_body(make_shape(&s, "sphere", R, 0.0, 0.0), 1000.0, 0.0, y, z);
        put_body(&s, &ball);
        rests(&s, steps, "groove");
    }
    for (int ground = 0; ground < GROUNDS; ground++) { // a stack of ten boxes
        scene s;
        open_scene(&s, 0.0, -EARTH, 5);
        use_material(&s, 0.4, 0.0);
        put_ground(&s, ground, 1.0);
        const rico_shape *box = make_shape(&s, "box", 0.3, 0.2, 0.1);
        for (int i = 0; i < 10; i++) {
            rico_body body = free_body(box, 1000.0, 0.005 * (i % 3), -0.004 * (i % 2), 0.05 + 0.1 * i);
            turn_body(&body, 0.0, 0.0, 0.02 * i);
            put_body(&s, &body);
        }
        rests(&s, steps, "stack");
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cards), cmocka_unit_test(test_books),
                                       cmocka_unit_test(test_at_rest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
