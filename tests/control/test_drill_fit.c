// Identification of four discs, and what drill-strings refuse or survive.

#include "failing_memory.h"

#include "control/drill_numbers.h"

static const double TABLE[] = {0.630, 1.799, 1.097, 0.0, 0.0, 0.0, 0.0, 0.0018, 0.0024, 0.0, 0.0005, 0.0};


static rico_drill_fit boxed(const double *value)
{
    rico_drill_fit fit = {0};
    for (int i = 0; i < RICO_DRILL_UNKNOWNS; i++) {
        fit.high[i] = i < 6 ? 10.0 : 0.1;
        fit.value[i] = value[i];
    }
    return fit;
}


// Four modes of the table are the table: its numbers come back from a start that is wrong by half.
static void table_comes_back(void **state)
{
    const double starts[][RICO_DRILL_UNKNOWNS] = {
        {0.9, 1.2, 1.6, 0.01, 0.01, 0.01, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3},
        {0.8, 1.4, 1.3, 0.0, 0.0, 0.0, 0.0, 4e-3, 1e-3, 0.0, 0.0, 0.0}};
    rico_drill_linear *table, *reduced;
    (void)state;
    assert_ok(ctx, rico_drill_matrices(ctx, rico_drill_table(), &table));
    assert_ok(ctx, rico_drill_reduce(ctx, table, 4, &reduced));
    for (int s = 0; s < 2; s++) {
        rico_drill_fit fit = boxed(starts[s]);
        assert_ok(ctx, rico_drill_identify(ctx, reduced, 400, &fit));
        assert_true(fit.first_cost > 1.0);
        assert_at_most(fit.cost, 1e-12 * fit.first_cost);
        for (int i = 0; i < 4; i++) assert_near(fit.inertia[i], rico_drill_table()->inertia[i], 1e-12);
        for (int i = 0; i < RICO_DRILL_UNKNOWNS; i++) assert_near(fit.value[i], TABLE[i], 1e-7);
        rico_drill_string *string;
        rico_drill_linear *model;
        double hertz[4];
        assert_ok(ctx, rico_drill_fitted(ctx, &fit, rico_drill_table(), &string));
        assert_ok(ctx, rico_drill_matrices(ctx, string, &model));
        assert_ok(ctx, rico_drill_frequencies(ctx, model, hertz));
        assert_near(hertz[3], 0.5310982476, 1e-7);
        rico_drill_linear_destroy(ctx, model);
        rico_drill_destroy(ctx, string);
    }
    rico_drill_linear_destroy(ctx, table);
    rico_drill_linear_destroy(ctx, reduced);
}


// For a chain the numerator of T_td -> w_bit is a constant: without damping, every chain with these inertias and frequencies has this
// response. There are others than the table, and a start nearer to one of them finds it.
static void another_chain_with_the_same_response(void **state)
{
    const double start[] = {0.4, 2.5, 0.8, 0.0, 0.0, 0.0, 0.0, 4e-3, 1e-3, 0.0, 0.0, 0.0};
    rico_drill_linear *table, *model;
    rico_drill_string *string;
    rico_drill_fit fit = boxed(start);
    double hertz[4], expected[4], product[2] = {1.0, 1.0};
    (void)state;
    assert_ok(ctx, rico_drill_matrices(ctx, rico_drill_table(), &table));
    assert_ok(ctx, rico_drill_identify(ctx, table, 400, &fit));
    assert_at_most(fit.cost, 1e-5 * fit.first_cost);
    assert_true(fabs(fit.value[0] - TABLE[0]) > 0.2);
    assert_ok(ctx, rico_drill_fitted(ctx, &fit, rico_drill_table(), &string));
    assert_ok(ctx, rico_drill_matrices(ctx, string, &model));
    assert_ok(ctx, rico_drill_frequencies(ctx, table, expected));
    assert_ok(ctx, rico_drill_frequencies(ctx, model, hertz));
    for (int i = 1; i < 4; i++) assert_near(hertz[i], expected[i], 1e-4 * expected[i]);
    for (int i = 0; i < 3; i++) product[0] *= fit.value[i], product[1] *= TABLE[i];
    assert_near(product[0], product[1], 1e-4 * product[1]);
    rico_drill_linear_destroy(ctx, table);
    rico_drill_linear_destroy(ctx, model);
    rico_drill_destroy(ctx, string);
}


// A box that does not hold the table: values stay inside, some at its bounds, and the cost is lower than at the start.
static void box_is_kept(void **state)
{
    const double start[] = {0.65, 1.6, 1.2, 0.0, 0.0, 0.0, 1e-3, 1e-3, 1e-3, 0.0, 1e-3, 0.0};
    rico_drill_linear *table;
    rico_drill_fit fit = boxed(start);
    (void)state;
    fit.high[1] = 1.7;
    assert_ok(ctx, rico_drill_matrices(ctx, rico_drill_table(), &table));
    assert_ok(ctx, rico_drill_identify(ctx, table, 200, &fit));
    assert_true(fit.cost < fit.first_cost);
    for (int i = 0; i < RICO_DRILL_UNKNOWNS; i++)
        assert_true(fit.low[i] <= fit.value[i] && fit.value[i] <= fit.high[i]);
    assert_near(fit.value[1], 1.7, 1e-12);
    rico_drill_linear_destroy(ctx, table);
}


static void refuse(rico_status got, rico_status status, const char *words)
{
    assert_int_equal(got, status);
    if (!strstr(rico_message(ctx), words)) fail_msg("'%s' is not in '%s'", words, rico_message(ctx));
}


static void refusals(void **state)
{
    const rico_drill_string *table = rico_drill_table();
    const rico_drill_schedule constant = rico_drill_constant(1.0);
    rico_drill_run *run;
    rico_drill_linear *linear;
    rico_drill_steady steady;
    rico_state_space *system, *gain;
    (void)state;

    // steps above the bound of uniqueness are told the bound: J_1/(v_d (T_s - T_d)) = 3.49e-3 s
    refuse(rico_drill_run_create(ctx, table, NULL, &constant, NULL, 0.0035, &run), RICO_BAD_ARGUMENT,
           "= 0.00349066 s");
    assert_null(run);
    assert_ok(ctx, rico_drill_run_create(ctx, table, NULL, &constant, NULL, 0.00349, &run));
    rico_drill_run_destroy(run);
    refuse(rico_drill_run_create(ctx, table, NULL, &constant, NULL, 0.0, &run), RICO_BAD_ARGUMENT, "not 0");

    const double inertia[] = {0.064, -1.0, 0.7, 2.8}, nothing[] = {0.064, 0.7, 0.0, 2.8};
    rico_drill_string bad = *table;
    bad.inertia = inertia;
    refuse(rico_drill_matrices(ctx, &bad, &linear), RICO_BAD_ARGUMENT, "disc 2 has the inertia -1");
    bad.inertia = nothing;
    refuse(rico_drill_run_create(ctx, &bad, NULL, &constant, NULL, 1e-4, &run), RICO_BAD_ARGUMENT,
           "disc 3 has the inertia 0");
    bad = *table;
    bad.discs = 1;
    refuse(rico_drill_lure(ctx, &bad, 0.0, &system), RICO_BAD_ARGUMENT, "2 discs or more, not 1");
    const rico_drill_link stray = {0, 4, 1.0, 0.0}, bare = {0, 1, 1.0, 0.0};
    bad = *table;
    bad.link = &stray;
    bad.links = 1;
    refuse(rico_drill_matrices(ctx, &bad, &linear), RICO_BAD_ARGUMENT, "between discs 1 and 5 of 4");
    double x[7];
    bad.link = &bare;
    refuse(rico_drill_equilibrium(ctx, &bad, 1.0, &steady, x), RICO_SINGULAR, "discs 2 and 3 is 0");

    refuse(rico_drill_equilibrium(ctx, table, 0.0, &steady, NULL), RICO_BAD_ARGUMENT, "above 0, not 0");
    refuse(rico_drill_equilibrium(ctx, table, -0.5, &steady, NULL), RICO_BAD_ARGUMENT, "above 0, not -0.5");

    // misfit matrices: a controller with one input
    const double one = 1.0;
    assert_ok(ctx, rico_state_space_gain(ctx, 1, 1, &one, &gain));
    refuse(rico_drill_mobility(ctx, table, 0.0, gain, &system), RICO_BAD_ARGUMENT, "not 1 and 1");
    refuse(rico_drill_run_create(ctx, table, gain, &constant, NULL, 1e-4, &run), RICO_BAD_ARGUMENT,
           "not 1 and 1");
    rico_state_space_destroy(gain);
}


static void more_refusals(void **state)
{
    const rico_drill_string *table = rico_drill_table();
    const rico_drill_schedule constant = rico_drill_constant(1.0);
    rico_drill_string bad = *table;
    rico_drill_run *run;
    rico_drill_linear *linear;
    rico_state_space *system;
    (void)state;
    rico_drill_schedule odd = constant;
    odd.alpha[0] = 2.0;
    refuse(rico_drill_run_create(ctx, table, NULL, &odd, NULL, 1e-4, &run), RICO_BAD_ARGUMENT, "alpha = 2");
    odd = rico_drill_startup(1.0, 2.0, 0.1);
    odd.time[2] = 20.0;
    refuse(rico_drill_run_create(ctx, table, NULL, &odd, NULL, 1e-4, &run), RICO_BAD_ARGUMENT,
           "20 is after 30");
    const rico_drill_sensors deaf = {.speed_noise = -1.0};
    refuse(rico_drill_run_create(ctx, table, NULL, &constant, &deaf, 1e-4, &run), RICO_BAD_ARGUMENT,
           "noise -1");

    assert_ok(ctx, rico_drill_matrices(ctx, table, &linear));
    rico_drill_linear *small;
    refuse(rico_drill_reduce(ctx, linear, 5, &small), RICO_BAD_ARGUMENT, "not reduced to 5");
    rico_drill_fit fit = boxed(TABLE);
    refuse(rico_drill_identify(ctx, linear, 5, &fit), RICO_BAD_ARGUMENT, "5 frequencies");
    fit.value[2] = 20.0;
    refuse(rico_drill_identify(ctx, linear, 50, &fit), RICO_BAD_ARGUMENT, "unknown 3 starts at 20");
    rico_drill_linear_destroy(ctx, linear);
    const rico_drill_pipe pipe = {3, 100.0, 0.1, 0.2, 8e10, 7850.0};
    refuse(rico_drill_pipes(ctx, 1, &pipe, 1.0, 0.0, &linear), RICO_BAD_ARGUMENT, "diameters 0.1 and 0.2");

    double delta;
    rico_state_space *soft = soft_torque();
    refuse(rico_drill_critical_delta(ctx, table, soft, 1e-4, &delta), RICO_BAD_ARGUMENT, "still stable");
    refuse(rico_drill_critical_delta(ctx, table, NULL, 1e-2, &delta), RICO_BAD_ARGUMENT, "not stable");
    const rico_drill_observer blind = {1.0, 1.0, 1.0, 0.0, 1.0};
    refuse(rico_drill_observer_create(ctx, table, 0.0, &blind, &system), RICO_BAD_ARGUMENT,
           "speed_noise = 0");

    // a string too stiff for its steps, found once it is no longer finite
    const rico_drill_link stiff[] = {{0, 1, 1e9, 0.0}, {1, 2, 1e9, 0.0}, {2, 3, 1e9, 0.0}};
    bad.link = stiff;
    bad.links = 3;
    assert_ok(ctx, rico_drill_run_create(ctx, &bad, soft, &constant, NULL, 1e-3, &run));
    refuse(rico_drill_run_advance(run, 10000), RICO_BAD_INPUT, "steps of 0.001 s are too long");
    rico_drill_run_destroy(run);
    rico_state_space_destroy(soft);
}


static void interruption(void **state)
{
    rico_context *own = rico_context_create(NULL);
    const rico_drill_schedule constant = rico_drill_constant(1.0);
    rico_drill_run *run;
    (void)state;
    assert_ok(own, rico_drill_run_create(own, rico_drill_table(), NULL, &constant, NULL, 1e-4, &run));
    assert_ok(own, rico_drill_run_advance(run, 10000));
    rico_context_interrupt(own);
    assert_int_equal(rico_drill_run_advance(run, 10000), RICO_INTERRUPTED);
    assert_non_null(strstr(rico_message(own), "t = 1"));
    rico_drill_run_destroy(run);
    rico_context_destroy(own);
}


// Everything once, for each allocation that fails.
static rico_status everything(rico_context *context, void *user)
{
    const rico_drill_pipe pipe = {3, 100.0, 0.2, 0.1, 8e10, 7850.0};
    const rico_drill_observer want = {1.0, 0.5, 0.1, 0.02, 0.05};
    const rico_drill_schedule constant = rico_drill_constant(1.0);
    const rico_drill_string *table = rico_drill_table();
    rico_drill_linear *linear = NULL, *reduced = NULL;
    rico_drill_string *string = NULL;
    rico_state_space *system = NULL, *controller = NULL, *closed = NULL;
    rico_drill_run *run = NULL;
    rico_drill_fit fit = boxed(TABLE);
    rico_drill_steady steady;
    double hertz[4], x[7];
    (void)user;
    rico_status status = rico_drill_pipes(context, 1, &pipe, 3.0, 0.01, &linear);
    if (status == RICO_OK) status = rico_drill_reduce(context, linear, 4, &reduced);
    if (status == RICO_OK) status = rico_drill_frequencies(context, reduced, hertz);
    if (status == RICO_OK) status = rico_drill_system(context, reduced, &system);
    rico_drill_linear_destroy(context, linear);
    linear = NULL;
    if (status == RICO_OK) status = rico_drill_matrices(context, table, &linear);
    if (status == RICO_OK) status = rico_drill_identify(context, linear, 12, &fit);
    if (status == RICO_OK) status = rico_drill_fitted(context, &fit, table, &string);
    if (status == RICO_OK) status = rico_drill_equilibrium(context, table, 1.0, &steady, x);
    if (status == RICO_OK) status = rico_drill_observer_create(context, table, 1e-4, &want, &controller);
    if (status == RICO_OK) status = rico_drill_mobility(context, table, 1e-4, controller, &closed);
    if (status == RICO_OK)
        status = rico_drill_run_create(context, table, controller, &constant, NULL, 1e-3, &run);
    if (status == RICO_OK) status = rico_drill_run_steady(run, 1.0);
    if (status == RICO_OK) status = rico_drill_run_advance(run, 10);
    rico_drill_run_destroy(run);
    rico_state_space_destroy(system);
    rico_state_space_destroy(controller);
    rico_state_space_destroy(closed);
    rico_drill_destroy(context, string);
    rico_drill_linear_destroy(context, linear);
    rico_drill_linear_destroy(context, reduced);
    return status;
}


static void memory(void **state)
{
    (void)state;
    assert_true(every_allocation_fails(everything, NULL) > 40);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_comes_back), cmocka_unit_test(another_chain_with_the_same_response),
        cmocka_unit_test(box_is_kept),      cmocka_unit_test(refusals),
        cmocka_unit_test(more_refusals),    cmocka_unit_test(memory),
        cmocka_unit_test(interruption),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
