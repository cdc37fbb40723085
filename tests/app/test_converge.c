// rico converge: the orders that theory gives.

#include "shell.h"

// The oscillator x'' = -9 x from rest at 1: cos(3 t).
static const char OSCILLATOR[] = "parameters: {omega: 3}\n"
                                 "parts:\n"
                                 "  mass: {coordinates: [x], mass: [1], potential: omega^2*x^2/2}\n"
                                 "initial: {position: {x: 1}}\n"
                                 "time: {end: 2, step: 0.05}\n"
                                 "scheme: moreau-jean\n";

static const char BALL[] = "'z=t<fall ? height-g*t^2/2 : e*g*fall*(t-fall)-g*(t-fall)^2/2'";


static int setup(void **state)
{
    (void)state;
    if (!shell_begin()) return 1;
    shell_write("oscillator.yaml", OSCILLATOR, 0644);
    shell_scene("examples/ball/ball.yaml");
    return 0;
}


static int teardown(void **state)
{
    (void)state;
    return shell_end();
}


// The six numbers of the row `order`, the n-th of them in what was printed.
static void read_orders(int which, double order[6])
{
    long size;
    char *text = shell_load("out.txt", &size), *at = text;
    for (int i = 0; i <= which; i++) {
        at = strstr(at, " order ");
        assert_non_null(at);
        at += strlen(" order ");
    }
    assert_int_equal(sscanf(at, "%lf %lf %lf %lf %lf %lf", &order[0], &order[1], &order[2], &order[3],
                            &order[4], &order[5]),
                     6);
    free(text);
}


// The theta-method is of second order at theta = 1/2 and of first elsewhere.
static void test_smooth(void **state)
{
    (void)state;
    double order[6];
    shell_expect("rico converge oscillator.yaml --exact 'x=cos(omega*t)' --no-figure", 0, "");
    read_orders(0, order);
    for (int i = 0; i < 6; i++) assert_near(order[i], 2.0, 0.05);
    shell_expect("rico converge oscillator.yaml --exact 'x=cos(omega*t)' --steps 0.01,0.003,0.001 --set "
                 "scheme.theta=0.6 --no-figure",
                 0, "");
    read_orders(0, order);
    for (int i = 0; i < 6; i++) assert_near(order[i], 1.0, 0.1);
    // without the solution, against a run four times finer
    shell_expect("rico converge oscillator.yaml --halvings 3 --no-figure", 0, "");
    read_orders(0, order);
    for (int i = 0; i < 6; i++) assert_near(order[i], 2.0, 0.1);
    // a velocity given outright replaces the derivative: this wrong one leaves an error that no step lowers
    shell_expect("rico converge oscillator.yaml --exact 'x=cos(omega*t)' --exact v_x=0 --no-figure", 0, "");
    read_orders(0, order);
    assert_near(order[0], 2.0, 0.05);
    assert_near(order[4], 0.0, 0.05);
}


// An impact is caught in the step where it falls: first order for positions, and for velocities in l1. At the position
// level velocities pass through the impact over a step: their uniform error stays as large as the jump.
static void test_impact(void **state)
{
    (void)state;
    double order[6];
    char line[512];
    snprintf(
        line, sizeof line,
        "rico converge ball.yaml --halvings 8 --exact %s --scheme moreau-jean,schatzman-paoli --no-figure",
        BALL);
    shell_expect(line, 0, "");
    read_orders(0, order);
    assert_near(order[0], 1.0, 0.25);
    assert_near(order[1], 1.0, 0.25);
    assert_near(order[4], 1.0, 0.25);
    read_orders(1, order);
    assert_near(order[0], 1.0, 0.1);
    assert_near(order[3], 0.0, 0.1);
    assert_near(order[4], 1.0, 0.15);
    assert_near(order[5], 0.5, 0.15);
}


static void test_figure(void **state)
{
    (void)state;
    if (system("gnuplot --version >/dev/null 2>&1") != 0) skip();
    long size;
    shell_expect("rico converge oscillator.yaml --exact 'x=cos(omega*t)'", 0, "");
    char *svg = shell_load("oscillator-convergence.svg", &size);
    assert_non_null(strstr(svg, "slope 2"));
    free(svg);
}


static void test_refusals(void **state)
{
    (void)state;
    shell_expect("rico converge", 2, "one SCENE is needed");
    shell_expect("rico converge none.yaml", 3, "none.yaml");
    shell_expect("rico converge ball.yaml --exact z", 2, "needs NAME=FORMULA");
    shell_expect("rico converge ball.yaml --exact 'v_zz=1'", 2, "did you mean 'v_z'?");
    shell_expect("rico converge ball.yaml --exact 'z=heigth'", 2, "did you mean 'height'?");
    shell_expect("rico converge ball.yaml --steps 0.1,-1", 2, "needs positive numbers, got '-1'");
    shell_expect("rico converge ball.yaml --steps 0.1,,1", 2, "needs positive numbers");
    shell_expect("rico converge ball.yaml --scheme moreau-jeans", 2, "moreau-jean");
    shell_expect("rico converge ball.yaml --output a.gif", 2, ".svg, .png or .pdf");
}


// The table does not depend on how many runs go on at a time.
static void test_threads(void **state)
{
    (void)state;
    shell_expect(
        "rico converge ball.yaml --halvings 5 --no-figure --jobs 1 > one.txt && rico converge ball.yaml "
        "--halvings 5 --no-figure --jobs 3 > three.txt && cmp one.txt three.txt",
        0, "");
    shell_expect(
        "rico converge ball.yaml --halvings 5 --exact 'z=height' --no-figure --jobs 1 > one.txt && rico "
        "converge ball.yaml --halvings 5 --exact 'z=height' --no-figure --jobs 3 > three.txt && cmp "
        "one.txt three.txt",
        0, "");
}


int main(void)
{
    if (program_path() == NULL) return PROGRAM_SKIP;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_smooth), cmocka_unit_test(test_impact),
                                       cmocka_unit_test(test_figure), cmocka_unit_test(test_refusals),
                                       cmocka_unit_test(test_threads)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
