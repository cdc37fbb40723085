// Orders of convergence and violated constraints, on motions whose errors are known.

#include "ricochet/ricochet.h"
#include "step/systems.h"

static int setup(void **state)
{
    *state = rico_context_create(NULL);
    return *state ? 0 : 1;
}


static int teardown(void **state)
{
    rico_context_destroy(*state);
    return 0;
}


static void fit(void **state)
{
    (void)state;
    const double h[] = {0.1, 0.05, 0.02, 0.01}, flat[] = {3, 3, 3, 3}, none[] = {0.0, 1.0, 0.0, 0.0};
    double cubic[4], gap[4];
    for (int i = 0; i < 4; i++) {
        cubic[i] = 7.0 * h[i] * h[i] * h[i];
        gap[i] = i == 1 ? 0.0 : cubic[i];
    }
    assert_near(rico_order_fit(4, h, cubic), 3.0, 1e-12);
    assert_near(rico_order_fit(4, h, gap), 3.0, 1e-12);
    assert_near(rico_order_fit(4, h, flat), 0.0, 1e-12);
    assert_true(isnan(rico_order_fit(4, h, none)));
    assert_true(isnan(rico_order_fit(0, h, none)));
}


// A mass that falls freely from rest under f = -2: q = 10 - t^2, v = -2 t. Moreau-Jean with theta = 1 gives
// v_k = -2 t_k and q_k = 10 - t_k (t_k + h): the error is t_k h in q, none in v.
typedef struct fall {
    rico_context *ctx;
    rico_system *system;
    int made, destroyed;
} fall;


static rico_status create(void *user, double h, rico_simulation **sim)
{
    (void)h;
    fall *self = user;
    const double q = 10.0, v = 0.0;
    self->system = bouncing_ball(self->ctx, -2.0, 0.0);
    self->made++;
    rico_status status = rico_simulation_create(self->system, "moreau-jean", sim);
    if (status == RICO_OK) status = rico_simulation_set_number(*sim, "theta", 1.0);
    return status == RICO_OK ? rico_simulation_start(*sim, 0.0, &q, &v) : status;
}


static void destroy(void *user, rico_simulation *sim)
{
    fall *self = user;
    self->destroyed++;
    rico_simulation_destroy(sim);
    rico_system_destroy(self->system);
}


static bool exact(void *user, double t, double *q, double *v)
{
    (void)user;
    *q = 10.0 - t * t;
    *v = -2.0 * t;
    return true;
}


static bool refuse(void *user, double t, double *q, double *v)
{
    return exact(user, t, q, v) && t < 0.5;
}


static void norms(void **state)
{
    fall self = {.ctx = *state};
    const double h[] = {0.11, 0.05, 0.025}; // the first is shortened to 0.1
    rico_study study = {3, h, 1.0, create, destroy, exact, &self};
    rico_study_row rows[3];
    rico_orders orders;
    assert_ok(self.ctx, rico_study_run(self.ctx, &study, rows, &orders));
    for (int i = 0; i < 3; i++) {
        double step = 1.0 / (double)rows[i].steps, l1 = 0.0, l2 = 0.0;
        assert_near(rows[i].h, step, 1e-15);
        for (int64_t k = 1; k <= rows[i].steps; k++) {
            double error = (double)k * step * step;
            l1 += step * error;
            l2 += step * error * error;
        }
        assert_false(rows[i].reference);
        assert_near(rows[i].position.uniform, step, 1e-12);
        assert_near(rows[i].position.l1, l1, 1e-12);
        assert_near(rows[i].position.l2, sqrt(l2), 1e-12);
        assert_at_most(rows[i].velocity.uniform, 1e-13);
    }
    assert_int_equal(rows[0].steps, 10);
    assert_near(orders.position.uniform, 1.0, 1e-10);
    assert_int_equal(self.made, 3);
    assert_int_equal(self.destroyed, 3);
}


// Without a solution the finest run takes its place: errors against it are t (h - h_min), its own row has none.
static void finest(void **state)
{
    fall self = {.ctx = *state};
    const double h[] = {0.1, 0.01, 0.05};
    rico_study study = {3, h, 1.0, create, destroy, NULL, &self};
    rico_study_row rows[3];
    rico_orders orders;
    assert_ok(self.ctx, rico_study_run(self.ctx, &study, rows, &orders));
    assert_true(rows[1].reference && !rows[0].reference && !rows[2].reference);
    assert_true(rows[1].position.uniform == 0.0);
    assert_near(rows[0].position.uniform, 0.09, 1e-12);
    assert_near(rows[2].position.uniform, 0.04, 1e-12);
    assert_near(orders.position.uniform, log(0.09 / 0.04) / log(2.0), 1e-9);
}


static void refusals(void **state)
{
    fall self = {.ctx = *state};
    const double h[] = {0.1, -0.05};
    rico_study study = {2, h, 1.0, create, destroy, exact, &self};
    rico_study_row rows[2];
    rico_orders orders;
    assert_int_equal(rico_study_run(self.ctx, &study, rows, &orders), RICO_BAD_ARGUMENT);
    study.count = 0;
    assert_int_equal(rico_study_run(self.ctx, &study, rows, &orders), RICO_BAD_ARGUMENT);
    study.count = 1;
    study.duration = INFINITY;
    assert_int_equal(rico_study_run(self.ctx, &study, rows, &orders), RICO_BAD_ARGUMENT);
    study.duration = 1.0;
    study.exact = refuse;
    assert_int_equal(rico_study_run(self.ctx, &study, rows, &orders), RICO_BAD_INPUT);
    assert_int_equal(self.made, self.destroyed);
}


// A ball that does not bounce, under the explicit forecast: the contact acts once the gap is closed, so the ball goes in
// by up to a step's way and, while it is stopped, by half another; then it rests at the depth that it has reached.
static void violation(void **state)
{
    rico_context *ctx = *state;
    rico_system *system = bouncing_ball(ctx, -2.0, 0.0);
    rico_simulation *sim;
    rico_violation seen = {0};
    const double q = 1.0, v = 0.0, h = 0.03;
    double sum = 0.0, deepest = 0.0;
    assert_ok(ctx, rico_simulation_create(system, "moreau-jean", &sim));
    assert_ok(ctx, rico_simulation_set(sim, "activation", "explicit"));
    assert_ok(ctx, rico_simulation_start(sim, 0.0, &q, &v));
    for (int k = 0; k < 100; k++) {
        assert_ok(ctx, rico_simulation_step(sim, h));
        assert_ok(ctx, rico_violation_observe(sim, h, &seen));
        double depth = fmax(0.0, -rico_simulation_position(sim)[0]);
        sum += depth;
        deepest = fmax(deepest, depth);
    }
    assert_near(seen.time, 3.0, 1e-12);
    assert_true(deepest > 0.0 && deepest <= 3.0 * h);
    assert_near(seen.position_max, deepest, 1e-15);
    assert_near(seen.position_mean, sum / 100.0, 1e-14);
    assert_near(seen.velocity_max, 2.0, 2.0 * h); // the step that goes in still falls at about 2
    assert_near(seen.velocity_mean, seen.velocity_max / 100.0, 1e-12);
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fit),
        cmocka_unit_test_setup_teardown(norms, setup, teardown),
        cmocka_unit_test_setup_teardown(finest, setup, teardown),
        cmocka_unit_test_setup_teardown(refusals, setup, teardown),
        cmocka_unit_test_setup_teardown(violation, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
