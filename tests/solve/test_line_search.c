// Line searches on functions whose every mean slope is known by hand.

#include "support.h"

#include "solve/line_search.h"

// phi(t) = (t - bottom)^2 / 2, phi'(0) = -bottom
static double parabola(void *user, double t)
{
    double bottom = *(const double *)user;
    return 0.5 * (t - bottom) * (t - bottom);
}


static rico_merit parabola_with(double *bottom)
{
    return (rico_merit){parabola, bottom, 0.5 * *bottom * *bottom, -*bottom};
}


// The mean slope of the parabola over [0, t] is -bottom + t/2. Goldstein-Price asks for one between m1 and m2 times
// -bottom: t between 2 (1 - m2) bottom and 2 (1 - m1) bottom, here 0.2 and 1.8 times the bottom.
static void test_goldstein_price_finds_its_interval(void **state)
{
    (void)state;
    rico_line_search_options options = {.m1 = 0.1, .m2 = 0.9, .growth = 2.0, .tries = 50};
    static const struct {
        double bottom, t;
        int evaluations;
    } cases[] = {
        {1.0, 1.0, 1},       // in the interval at once
        {50.0, 16.0, 5},     // 1, 2, 4, 8 are below 10
        {0.1, 0.125, 4},     // 1, 1/2, 1/4 are above 0.18
        {0.555, 0.5, 2},     // 1 > 0.999
        {4.9, 1.0, 1},       // 0.98 < 1
        {5.1, 2.0, 2},       // 1.02 > 1
        {1e-3, 0x1p-10, 11}, // 2^-9 > 1.8e-3 > 2^-10
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double bottom = cases[i].bottom;
        rico_merit merit = parabola_with(&bottom);
        rico_line_search_result found = rico_line_search_goldstein_price(&merit, 1.0, &options);
        assert_true(found.accepted);
        assert_near(found.t, cases[i].t, 0.0);
        assert_int_equal(found.evaluations, cases[i].evaluations);
        assert_near(found.value, parabola(&bottom, found.t), 0.0);
    }
}


// A step that was too short and one that was too long leave an interval to halve: with growth 100 the steps are
// 1, 100, 50.5, 25.75, 13.375 for a bottom of 10.5 (interval 2.1 to 18.9).
static void test_goldstein_price_halves_between_its_ends(void **state)
{
    (void)state;
    rico_line_search_options options = {.m1 = 0.1, .m2 = 0.9, .growth = 100.0, .tries = 50};
    double bottom = 10.5;
    rico_merit merit = parabola_with(&bottom);
    rico_line_search_result found = rico_line_search_goldstein_price(&merit, 1.0, &options);
    assert_true(found.accepted);
    assert_near(found.t, 13.375, 0.0);
    assert_int_equal(found.evaluations, 5);
}


// Armijo: the mean slope may be anything up to m1 phi'(0), t up to 1.8 times the bottom.
static void test_armijo_shortens_and_grows(void **state)
{
    (void)state;
    rico_line_search_options options = {.m1 = 0.1, .m2 = 0.9, .growth = 2.0, .tries = 50};
    static const struct {
        double bottom, t;
        int evaluations;
    } cases[] = {
        {1.0, 1.0, 2},   // accepted; 2 is refused
        {50.0, 64.0, 8}, // 1, 2, ..., 64 each lower; 128 is refused
        {0.1, 0.125, 4}, // 1, 1/2, 1/4 refused: halved, never grown
        {1.2, 1.0, 2},   // 2 passes the test (2 < 2.16) but lies higher than 1
        {1.6, 2.0, 3},   // 2 is nearer to the bottom than 1, 4 is refused
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double bottom = cases[i].bottom;
        rico_merit merit = parabola_with(&bottom);
        rico_line_search_result found = rico_line_search_armijo(&merit, 1.0, &options);
        assert_true(found.accepted);
        assert_near(found.t, cases[i].t, 0.0);
        assert_near(found.value, parabola(&bottom, found.t), 0.0);
        assert_int_equal(found.evaluations, cases[i].evaluations);
    }

    // without growth one evaluation is enough
    options.growth = 1.0;
    double bottom = 50.0;
    rico_merit merit = parabola_with(&bottom);
    rico_line_search_result found = rico_line_search_armijo(&merit, 1.0, &options);
    assert_near(found.t, 1.0, 0.0);
    assert_int_equal(found.evaluations, 1);
}


// -log(1 - 3 t) - 5 t: not a number beyond 1/3, least at t = 2/15.
static double barrier(void *user, double t)
{
    (void)user;
    return -log(1.0 - 3.0 * t) - 5.0 * t;
}


static void test_steps_out_of_the_domain_are_refused(void **state)
{
    (void)state;
    rico_merit merit = {barrier, NULL, 0.0, -2.0};
    rico_line_search_options options = rico_line_search_defaults();
    static rico_line_search *const searches[] = {rico_line_search_goldstein_price, rico_line_search_armijo};
    for (int i = 0; i < 2; i++) {
        rico_line_search_result found = searches[i](&merit, 1.0, &options);
        assert_true(found.accepted);
        assert_true(found.t > 0.0 && found.t < 1.0 / 3.0);
        assert_true(found.value < 0.0);
    }
}


static double uphill(void *user, double t)
{
    int *calls = user;
    (*calls)++;
    return 1.0 + t;
}


// A slope that is a lie: the tries run out, and the last and shortest step comes back.
static void test_tries_run_out(void **state)
{
    (void)state;
    rico_line_search_options options = rico_line_search_defaults();
    static rico_line_search *const searches[] = {rico_line_search_goldstein_price, rico_line_search_armijo};
    for (int i = 0; i < 2; i++)
        for (options.tries = 1; options.tries < 20; options.tries++) {
            int calls = 0;
            rico_merit merit = {uphill, &calls, 1.0, -1.0};
            rico_line_search_result found = searches[i](&merit, 1.0, &options);
            assert_false(found.accepted);
            assert_int_equal(calls, options.tries);
            assert_int_equal(found.evaluations, options.tries);
            assert_near(found.t, ldexp(1.0, 1 - options.tries), 0.0);
        }
}


// |1 - t| / 2, what eq. 113 prints as the merit of a Newton step that lands on the solution at t = 1.
static double norm_of_newton(void *user, double t)
{
    (void)user;
    return 0.5 * fabs(1.0 - t);
}


static double square_of_newton(void *user, double t)
{
    (void)user;
    return 0.5 * (1.0 - t) * (1.0 - t);
}


// With the norm, the mean slope over the full step is phi'(0) itself and Goldstein-Price refuses the perfect step;
// with the square it is half of it, in the middle of the interval.
static void test_merit_must_be_the_square(void **state)
{
    (void)state;
    rico_line_search_options options = {.m1 = 0.1, .m2 = 0.9, .growth = 2.0, .tries = 50};
    rico_merit norm = {norm_of_newton, NULL, 0.5, -0.5}, square = {square_of_newton, NULL, 0.5, -1.0};
    assert_true(rico_line_search_goldstein_price(&norm, 1.0, &options).value > 0.1);
    rico_line_search_result full = rico_line_search_goldstein_price(&square, 1.0, &options);
    assert_near(full.t, 1.0, 0.0);
    assert_near(full.value, 0.0, 0.0);
    assert_int_equal(full.evaluations, 1);
}


// Random piecewise linear functions with kinks: what is accepted passes the test that was asked for.
static double kinked(void *user, double t)
{
    const double *c = user;
    return fabs(t - c[0]) + c[1] * fabs(t - c[2]) + c[3] * fmax(0.0, t - c[4]);
}


static void test_accepted_means_passed(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 7);
    int accepted = 0;
    for (int i = 0; i < 2000; i++) {
        double c[5];
        for (int j = 0; j < 5; j++) c[j] = exp(rico_random_range(&random, -4.0, 2.0));
        rico_line_search_options options = {.m1 = rico_random_range(&random, 0.01, 0.4),
                                            .m2 = rico_random_range(&random, 0.6, 0.99),
                                            .growth = rico_random_range(&random, 1.5, 10.0),
                                            .tries = 40};
        rico_merit merit = {kinked, c, kinked(c, 0.0), -1.0 - c[1]};
        rico_line_search_result gp = rico_line_search_goldstein_price(&merit, 1.0, &options);
        rico_line_search_result armijo = rico_line_search_armijo(&merit, 1.0, &options);

        // exactly the comparisons of the algorithms, on values computed here
        double slope = (kinked(c, gp.t) - merit.start) / gp.t;
        bool passes = slope <= options.m1 * merit.slope && slope >= options.m2 * merit.slope;
        assert_int_equal(gp.accepted, passes);
        accepted += gp.accepted;
        assert_true(armijo.accepted);
        assert_true((kinked(c, armijo.t) - merit.start) / armijo.t <= options.m1 * merit.slope);
    }
    assert_true(accepted > 1900);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_goldstein_price_finds_its_interval),
        cmocka_unit_test(test_goldstein_price_halves_between_its_ends),
        cmocka_unit_test(test_armijo_shortens_and_grows),
        cmocka_unit_test(test_steps_out_of_the_domain_are_refused),
        cmocka_unit_test(test_tries_run_out),
        cmocka_unit_test(test_merit_must_be_the_square),
        cmocka_unit_test(test_accepted_means_passed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
