// Forces of callers: a damper and a spring as functions, against the same as matrices and against theory.

#include "failing_memory.h"
#include "support.h"

#include "ricochet/simulation.h"

static const int64_t START[] = {0, 1, 2}, ROW[] = {0, 1};
static const double MASS[] = {2.0, 3.0};

typedef struct push {
    double value[2];
    bool refuse;
} push;


static bool constant(void *user, double t, const double *q, const double *v, double *f)
{
    (void)t, (void)q, (void)v;
    const push *own = user;
    assert_true(f[0] == 0.0);
    f[0] = own->value[0];
    f[1] = own->value[1];
    return !own->refuse;
}


// One velocity out of two, as its own number says.
static bool follow(void *user, double t, const double *q, const double *v, double *f)
{
    (void)user, (void)t;
    f[0] = -4.0 * q[1] - 0.5 * v[1];
    return true;
}


static rico_system *two_masses(rico_context *ctx)
{
    rico_system *system = NULL;
    const rico_matrix_part part = {.size = 2, .M = {2, 2, START, ROW, MASS}};
    assert_ok(ctx, rico_system_create(ctx, &system));
    assert_ok(ctx, rico_system_add_matrices(system, "masses", &part, NULL));
    return system;
}


// Constant forces: v = f t / m, and their work is the kinetic energy.
static void accelerates(void **state)
{
    rico_context *ctx = *state;
    static const char *const SCHEMES[] = {"moreau-jean", "newmark", "event-driven"};
    for (int s = 0; s < 3; s++) {
        rico_system *system = two_masses(ctx);
        push own = {.value = {1.0, -6.0}};
        const int64_t dof[] = {1, 0}; // crossed: f[0] acts on velocity 1
        const rico_force force = {.reach = {2, dof}, .force = constant, .user = &own};
        assert_ok(ctx, rico_system_add_force(system, "push", &force));
        rico_simulation *sim = NULL;
        assert_ok(ctx, rico_simulation_create(system, SCHEMES[s], &sim));
        const double zero[2] = {0.0};
        assert_ok(ctx, rico_simulation_start(sim, 0.0, zero, zero));
        for (int k = 0; k < 8; k++) assert_ok(ctx, rico_simulation_step(sim, 0.125));
        const double *v = rico_simulation_velocity(sim);
        assert_near(v[0], -6.0 / 2.0, 1e-12);
        assert_near(v[1], 1.0 / 3.0, 1e-12);
        assert_near(rico_simulation_ledger_total(sim)->external, 0.5 * (2.0 * 9.0 + 3.0 / 9.0), 1e-9);
        rico_simulation_destroy(sim);
        rico_system_destroy(system);
    }
}


// m x'' = -4 x - x'/2 with m = 3, against its closed solution.
static void feeds_back(void **state)
{
    rico_context *ctx = *state;
    rico_system *system = two_masses(ctx);
    const int64_t dof[] = {1};
    const rico_force force = {.reach = {1, dof}, .force = follow};
    assert_ok(ctx, rico_system_add_force(system, "spring", &force));
    assert_false(rico_system_is_linear(system));
    rico_simulation *sim = NULL;
    assert_ok(ctx, rico_simulation_create(system, "event-driven", &sim));
    const double q[2] = {0.0, 1.0}, v[2] = {0.0};
    assert_ok(ctx, rico_simulation_start(sim, 0.0, q, v));
    assert_ok(ctx, rico_simulation_step(sim, 2.0));
    double decay = 0.5 / 6.0, omega = sqrt(4.0 / 3.0 - decay * decay);
    double x = exp(-2.0 * decay) * (cos(2.0 * omega) + decay / omega * sin(2.0 * omega));
    assert_near(rico_simulation_position(sim)[1], x, 1e-6);
    assert_near(rico_simulation_position(sim)[0], 0.0, 0.0);
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
}


static void refuses(void **state)
{
    rico_context *ctx = *state;
    rico_system *system = two_masses(ctx);
    push own = {.refuse = true};
    const int64_t dof[] = {0, 1}, beyond[] = {0, 2};
    rico_force force = {.reach = {2, dof}, .user = &own};
    assert_int_equal(rico_system_add_force(system, "push", &force), RICO_BAD_ARGUMENT);
    assert_string_equal(rico_message(ctx), "force push has no function");
    force.force = constant;
    force.reach.dof = beyond;
    assert_int_equal(rico_system_add_force(system, "push", &force), RICO_BAD_ARGUMENT);
    assert_string_equal(rico_message(ctx), "force push acts on velocity 2, but there are 2");
    force.reach = (rico_reach){0, dof};
    assert_int_equal(rico_system_add_force(system, "push", &force), RICO_BAD_ARGUMENT);
    force.reach = (rico_reach){2, dof};
    assert_ok(ctx, rico_system_add_force(system, "push", &force));

    rico_simulation *sim = NULL;
    const double zero[2] = {0.0};
    assert_ok(ctx, rico_simulation_create(system, "moreau-jean", &sim));
    assert_ok(ctx, rico_simulation_start(sim, 0.0, zero, zero));
    assert_int_equal(rico_simulation_step(sim, 0.1), RICO_BAD_INPUT);
    assert_non_null(strstr(rico_message(ctx), "force of push"));
    own = (push){.value = {NAN, 0.0}};
    assert_int_equal(rico_simulation_step(sim, 0.1), RICO_BAD_INPUT);
    own = (push){.value = {2.0, 0.0}};
    assert_ok(ctx, rico_simulation_step(sim, 0.1));
    assert_near(rico_simulation_velocity(sim)[0], 0.1, 1e-15);
    assert_int_equal(rico_system_add_force(system, "late", &force), RICO_BAD_ARGUMENT);
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
}


static rico_status build(rico_context *ctx, void *user)
{
    rico_system *system = NULL;
    const rico_matrix_part part = {.size = 2, .M = {2, 2, START, ROW, MASS}};
    const int64_t dof[] = {0, 1};
    const rico_force force = {.reach = {2, dof}, .force = constant, .user = user};
    rico_status status = rico_system_create(ctx, &system);
    if (status != RICO_OK) return status;
    status = rico_system_add_matrices(system, "masses", &part, NULL);
    if (status == RICO_OK) status = rico_system_add_force(system, "push", &force);
    rico_system_destroy(system);
    return status;
}


static void out_of_memory(void **state)
{
    (void)state;
    push own = {.value = {1.0, 0.0}};
    assert_true(allocations_fail(build, &own, 0) > 5);
}


static int setup(void **state)
{
    *state = rico_context_create(NULL);
    return *state == NULL;
}


static int teardown(void **state)
{
    rico_context_destroy(*state);
    return 0;
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accelerates),
        cmocka_unit_test(feeds_back),
        cmocka_unit_test(refuses),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
