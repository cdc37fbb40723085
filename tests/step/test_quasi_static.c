// Quasi-static motion: friction with a spring and its loop, contact of springs with a wall, bodies that joints alone hold, and what has no
// equilibrium.

#include "support.h"

#include "ricochet/ricochet.h"

static const double STIFF = 40.0, NORMAL = 3.0, FRICTION = 0.5;

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


// Height and place of a block that a spring pulls to and fro: up to 1, back to -1, up again.
static double pull(double t)
{
    return t < 1.0 ? t : t < 3.0 ? 2.0 - t : t - 4.0;
}


static bool pulled(void *user, double t, double *f)
{
    (void)user;
    f[0] = -NORMAL;
    f[1] = STIFF * pull(t);
    return true;
}


// A diagonal stiffness; `size` unknowns of unit mass.
static rico_status add_diagonal(rico_system *system, int64_t size, const double *k, rico_load_function load)
{
    int64_t start[5], row[4];
    double one[4] = {1.0, 1.0, 1.0, 1.0};
    for (int64_t i = 0; i <= size; i++) start[i] = i;
    for (int64_t i = 0; i < size; i++) row[i] = i;
    rico_matrix_part part = {
        .size = size, .M = {size, size, start, row, one}, .K = {size, size, start, row, k}, .load = load};
    return rico_system_add_matrices(system, "block", &part, NULL);
}


static rico_simulation *statics(rico_system *system)
{
    rico_simulation *sim = NULL;
    double zero[8] = {0.0};
    assert_int_equal(rico_simulation_create(system, "quasi-static", &sim), RICO_OK);
    assert_int_equal(rico_simulation_start(sim, 0.0, zero, zero), RICO_OK);
    return sim;
}


// The block follows the spring's end at a distance of mu N / k, or rests: Jenkins' element.
static double follow(double x, double end)
{
    double slack = FRICTION * NORMAL / STIFF;
    return x < end - slack ? end - slack : x > end + slack ? end + slack : x;
}


static void spring_and_friction(void **state)
{
    rico_context *ctx = *state;
    rico_system *system;
    double k[2] = {1000.0, STIFF}, gradient[4] = {1.0, 0.0, 0.0, 1.0}, x = 0.0, slid = 0.0, loop = 0.0;
    const int64_t dof[2] = {0, 1};
    assert_int_equal(rico_system_create(ctx, &system), RICO_OK);
    assert_int_equal(add_diagonal(system, 2, k, pulled), RICO_OK);
    rico_contact floor = {.dimension = 2, .friction = FRICTION, .reach = {2, dof}, .gradient = gradient};
    assert_int_equal(rico_system_add_contact(system, "floor", &floor, NULL), RICO_OK);
    rico_simulation *sim = statics(system);
    for (int i = 1; i <= 500; i++) {
        double before = x;
        assert_int_equal(rico_simulation_step(sim, 0.01), RICO_OK);
        x = follow(x, pull(0.01 * i));
        slid += fabs(x - before);
        assert_near(rico_simulation_position(sim)[1], x, 1e-12);
        assert_near(rico_simulation_position(sim)[0], 0.0, 1e-15);
        rico_ledger ledger = *rico_simulation_ledger(sim);
        assert_near(ledger.tangential, -FRICTION * NORMAL * fabs(x - before), 1e-12);
        assert_near(ledger.kinetic, 0.0, 0.0);
        assert_at_most(fabs(ledger.residual), 1e-12);
        loop -= ledger.tangential;
    }
    assert_near(loop, FRICTION * NORMAL * slid, 1e-10);
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
}


// Two masses with a spring between them, nothing else: the first is moved, the second meets a wall.
static bool moved(void *user, double t, double *x)
{
    (void)user;
    *x = 0.5 * t;
    return true;
}


static bool moved_rate(void *user, double t, double *x)
{
    (void)user, (void)t;
    *x = 0.5;
    return true;
}


static void held_by_a_joint(void **state)
{
    rico_context *ctx = *state;
    rico_system *system;
    const int64_t start[] = {0, 2, 4}, row[] = {0, 1, 0, 1}, second = 1;
    const double m[] = {2.0, 0.0, 0.0, 1.0}, k[] = {STIFF, -STIFF, -STIFF, STIFF}, gradient = -1.0;
    rico_matrix_part part = {.size = 2, .M = {2, 2, start, row, m}, .K = {2, 2, start, row, k}};
    rico_motion motion = {
        .position_index = 0, .velocity_index = 0, .position = moved, .velocity = moved_rate};
    rico_contact wall = {
        .dimension = 1, .reach = {1, &second}, .gradient = &gradient, .offset = 0.2}; // 0.2 - x
    assert_int_equal(rico_system_create(ctx, &system), RICO_OK);
    assert_int_equal(rico_system_add_matrices(system, "pair", &part, NULL), RICO_OK);
    assert_int_equal(rico_system_prescribe(system, "drive", &motion, NULL), RICO_OK);
    assert_int_equal(rico_system_add_contact(system, "wall", &wall, NULL), RICO_OK);
    rico_simulation *sim = statics(system);
    for (int i = 1; i <= 20; i++) {
        double h = 0.05, end = 0.5 * h * i;
        assert_int_equal(rico_simulation_step(sim, h), RICO_OK);
        const double *q = rico_simulation_position(sim), *p = rico_simulation_impulse(sim);
        double pressed = end > 0.2 ? STIFF * (end - 0.2) : 0.0;
        assert_near(q[0], end, 1e-13);
        assert_near(q[1], end > 0.2 ? 0.2 : end, 1e-9);
        assert_near(p[0] / h, pressed, 1e-7);
        assert_near(p[1] / h, pressed, 1e-7);
        assert_at_most(fabs(rico_simulation_ledger(sim)->residual), 1e-9);
    }
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
}


static bool pushed(void *user, double t, double *f)
{
    (void)user, (void)t;
    f[0] = -NORMAL;
    f[1] = 2.0 * FRICTION * NORMAL;
    return true;
}


static void no_equilibrium(void **state)
{
    rico_context *ctx = *state;
    rico_system *system;
    const double k[2] = {0.0, 0.0}, gradient[4] = {1.0, 0.0, 0.0, 1.0}, fast[2] = {0.0, 0.1};
    const int64_t dof[2] = {0, 1};
    assert_int_equal(rico_system_create(ctx, &system), RICO_OK);
    assert_int_equal(add_diagonal(system, 2, k, pushed), RICO_OK);
    rico_contact floor = {.dimension = 2, .friction = FRICTION, .reach = {2, dof}, .gradient = gradient};
    assert_int_equal(rico_system_add_contact(system, "floor", &floor, NULL), RICO_OK);
    rico_simulation *sim = statics(system);
    assert_int_not_equal(rico_simulation_step(sim, 0.1), RICO_OK);
    assert_non_null(strstr(rico_message(ctx), "no equilibrium"));
    assert_int_not_equal(rico_simulation_start(sim, 0.0, fast, fast), RICO_OK);
    assert_non_null(strstr(rico_message(ctx), "starts from rest"));
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(spring_and_friction, setup, teardown),
        cmocka_unit_test_setup_teardown(held_by_a_joint, setup, teardown),
        cmocka_unit_test_setup_teardown(no_equilibrium, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
