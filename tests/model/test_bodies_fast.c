// Bodies that fly many times their size in a step: what stands in their way stops them, what does not leaves them alone.

#include "support.h"

#include "ricochet/bodies.h"
#include "ricochet/simulation.h"

// Those that keep positions out of each other, and of these the first two with the velocities of the impact.
static const char *const SCHEMES[] = {"combined-projection", "midpoint-projection", "moreau-jean-projected",
                                      "schatzman-paoli", "direct-projection"};
enum { SCHEME_COUNT = sizeof SCHEMES / sizeof *SCHEMES };


// A small world of its own: a bullet and a thin wall of the plane.
static int64_t shoot(rico_context *ctx, const char *scheme, double x, double vx, double vy, double *end,
                     double *after)
{
    rico_bodies *bodies;
    rico_system *system;
    rico_simulation *sim;
    rico_shape *disc, *wall;
    double r = 0.01, q[3], v[3];
    assert_ok(ctx, rico_bodies_create(ctx, 2, &bodies));
    assert_ok(ctx, rico_system_create(ctx, &system));
    assert_ok(ctx, rico_shape_create(ctx, "disc", &r, 1, &disc));
    assert_ok(ctx, rico_shape_create(ctx, "segment", (double[]){1.0}, 1, &wall));
    rico_body body = rico_body_default();
    body.type = RICO_BODY_FIXED;
    body.shape = wall;
    assert_ok(ctx, rico_bodies_add(bodies, &body, NULL));
    body = rico_body_default();
    body.shape = disc;
    body.density = 1.0;
    body.stand.position[0] = x;
    body.stand.position[1] = 0.3;
    body.velocity[0] = vx;
    body.velocity[1] = vy;
    assert_ok(ctx, rico_bodies_add(bodies, &body, NULL));
    assert_ok(ctx, rico_system_add_bodies(system, "bodies", bodies, NULL));
    rico_bodies_start(bodies, q, v);
    assert_ok(ctx, rico_simulation_create(system, scheme, &sim));
    assert_ok(ctx, rico_simulation_start(sim, 0.0, q, v));
    assert_ok(ctx, rico_simulation_step(sim, 0.01));
    int64_t contacts = rico_simulation_constraints(sim);
    *end = rico_simulation_position(sim)[1];
    memcpy(after, rico_simulation_velocity(sim), 2 * sizeof *after);
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
    rico_bodies_destroy(bodies);
    rico_shape_destroy(disc);
    rico_shape_destroy(wall);
    return contacts;
}


// What flies a hundred times its size in a step meets what stands in its way, and nothing beside it.
static void bullets(void **state)
{
    rico_context *ctx = *state;
    for (int k = 0; k < SCHEME_COUNT; k++) {
        double y, v[2];
        assert_int_equal(shoot(ctx, SCHEMES[k], 0.0, 0.0, -100.0, &y, v), 1);
        assert_true(y >= 0.01 - 1e-9);
        assert_int_equal(shoot(ctx, SCHEMES[k], 0.2, 20.0, -1000.0, &y, v), 1);
        assert_true(y >= 0.01 - 1e-9);
        // beside its end, and away from it
        assert_int_equal(shoot(ctx, SCHEMES[k], 0.52, 0.0, -100.0, &y, v), 0);
        assert_near(y, -0.7, 1e-12);
        assert_int_equal(shoot(ctx, SCHEMES[k], 0.0, 0.0, 100.0, &y, v), 0);
        // its end, so that it glances off: along the normal of where they touch, at 30 degrees
        assert_int_equal(shoot(ctx, SCHEMES[k], 0.505, 0.0, -100.0, &y, v), 1);
        if (k > 1) continue; // velocities of the others are not those after the impact
        assert_near(v[0], 25.0 * sqrt(3.0), 0.01);
        assert_near(v[1], -25.0, 0.01);
    }
}


// A disc falls fast on `between` discs at rest above another, that one before a thin wall: five steps.
static void fall_on(rico_context *ctx, const char *scheme, int between)
{
    rico_bodies *bodies;
    rico_system *system;
    rico_simulation *sim;
    rico_shape *disc, *wall;
    double r = 0.01, q[12], v[12];
    assert_ok(ctx, rico_bodies_create(ctx, 2, &bodies));
    assert_ok(ctx, rico_bodies_set_gravity(bodies, (double[]){0.0, -9.81, 0.0}));
    assert_ok(ctx, rico_system_create(ctx, &system));
    assert_ok(ctx, rico_shape_create(ctx, "disc", &r, 1, &disc));
    assert_ok(ctx, rico_shape_create(ctx, "segment", (double[]){1.0}, 1, &wall));
    rico_body body = rico_body_default();
    body.type = RICO_BODY_FIXED;
    body.shape = wall;
    assert_ok(ctx, rico_bodies_add(bodies, &body, NULL));
    body = rico_body_default();
    body.shape = disc;
    for (int k = 0; k < 2 + between; k++) {
        body.density = k == 1 + between ? 100.0 : 1.0;
        body.stand.position[1] = 0.05 * (k + 1);
        body.velocity[1] = k == 1 + between ? -50.0 : 0.0;
        assert_ok(ctx, rico_bodies_add(bodies, &body, NULL));
    }
    assert_ok(ctx, rico_system_add_bodies(system, "bodies", bodies, NULL));
    rico_bodies_start(bodies, q, v);
    assert_ok(ctx, rico_simulation_create(system, scheme, &sim));
    assert_ok(ctx, rico_simulation_start(sim, 0.0, q, v));
    for (int s = 0; s < 5; s++) {
        assert_ok(ctx, rico_simulation_step(sim, 0.01));
        for (int k = 0; k < 2 + between; k++) {
            double y = rico_simulation_position(sim)[3 * k + 1];
            if (!(y > 0.005))
                fail_msg("%s: disc %d of %d is at %g after step %d", scheme, k, 2 + between, y, s + 1);
        }
    }
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
    rico_bodies_destroy(bodies);
    rico_shape_destroy(disc);
    rico_shape_destroy(wall);
}


// What is hit by a fast and heavy body does not fly through a wall in the step in which it is hit, nor does what that hits.
static void struck(void **state)
{
    for (int k = 0; k < SCHEME_COUNT; k++)
        for (int between = 0; between <= 2; between++) fall_on(*state, SCHEMES[k], between);
}


static int context_start(void **state)
{
    *state = rico_context_create(NULL);
    return *state == NULL;
}


static int context_end(void **state)
{
    rico_context_destroy(*state);
    return 0;
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bullets), cmocka_unit_test(struck)};
    return cmocka_run_group_tests(tests, context_start, context_end);
}
