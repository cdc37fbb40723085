// Formulas: values against C, derivatives against hand calculation and differences, kinks, limits, sharing.


#include "failing_memory.h"
#include "one_context.h"
#include "scene/formula.h"
#include "scene/function.h"

#include <float.h>

static const rico_symbol symbols[] = {
    {"x", RICO_SYMBOL_VARIABLE, .slot = 0},           {"y", RICO_SYMBOL_VARIABLE, .slot = 1},
    {"gamma", RICO_SYMBOL_VARIABLE, .slot = 2},       {"t", RICO_SYMBOL_VARIABLE, .slot = 3},
    {"q", RICO_SYMBOL_VECTOR, .slot = 4, .count = 3},
};
static const rico_symbol parameters[] = {
    {"k", RICO_SYMBOL_CONSTANT, .value = 3.0},
    {"omega", RICO_SYMBOL_CONSTANT, .value = 0.5},
};
static const rico_scope outer = {2, parameters, NULL};
static const rico_scope scope = {5, symbols, &outer};
enum { VARIABLES = 7, WORK = 4096 };
static const int64_t wrt[VARIABLES] = {0, 1, 2, 3, 4, 5, 6};


static rico_formula *compile(const char *text)
{
    rico_formula *formula = NULL;
    rico_status status = rico_formula_create(ctx, text, &scope, NULL, &formula);
    if (status != RICO_OK) fail_msg("%s: %s", text, rico_message(ctx));
    return formula;
}


static double value_at(const char *text, const double *variables)
{
    double work[WORK];
    rico_formula *formula = compile(text);
    assert_true(rico_formula_work(formula, 0, 0) <= WORK);
    double value = rico_formula_value(formula, variables, work);
    rico_formula_destroy(formula);
    return value;
}


static void test_values(void **state)
{
    (void)state;
    const double v[VARIABLES] = {0.7, -1.3, 0.4, 2.5, 10.0, 20.0, 30.0};
    const double x = v[0], y = v[1], gamma = v[2], t = v[3], pi = acos(-1.0);
    const struct {
        const char *text;
        double expected;
    } cases[] = {
        {"1", 1.0},
        {" .5e1 ", 5.0},
        {"2.", 2.0},
        {"1+2*3", 7.0},
        {"(1+2)*3", 9.0},
        {"7-4-2", 1.0},
        {"8/4/2", 1.0},
        {"2^3^2", 512.0},
        {"-2^2", -4.0},
        {"2^-1", 0.5},
        {"--3", 3.0},
        {"+3", 3.0},
        {"2*-3", -6.0},
        {"1 < 2", 1.0},
        {"1 >= 2", 0.0},
        {"1 + 1 == 2 && 3 != 4", 1.0},
        {"0 || !0", 1.0},
        {"!1 || 0", 0.0},
        {"1 ? 2 : 3", 2.0},
        {"0 ? 2 : 0 ? 3 : 4", 4.0},
        {"if(0, 2, 3)", 3.0},
        {"x > 0 ? y : t", y},
        {"x < 0 ? sqrt(-1) : 5", 5.0},
        {"pi", pi},
        {"log(exp(1))", 1.0},
        {"k*x^2/2", 3.0 * x * x / 2.0},
        {"2*sign(sin(4*pi*t))", 2.0 * ((sin(4.0 * pi * t) > 0.0) - (sin(4.0 * pi * t) < 0.0))},
        {"q[0] + 2*q[1] - q[2]", 20.0},
        {"q[k - 1] + q[2*omega] - 3*q[ k-3 ] + q[(1 + 1)]", 50.0},
        {"cos(omega*t + gamma)", cos(0.5 * t + gamma)},
        {"min(3, x, y, 2)", y},
        {"max(3, x, y, 2)", 3.0},
        {"mod(-1, 3)", 2.0},
        {"mod(7, 3)", 1.0},
        {"mod(-7, -3)", -1.0},
        {"mod(1, -3)", -2.0},
        {"floor(-0.5) + ceil(-0.5)", -1.0},
        {"hypot(3, 4)", 5.0},
        {"atan2(1, -1)", 3.0 * pi / 4.0},
        {"abs(y)", -y},
        {"sign(0)", 0.0},
        {"log10(1000)", 3.0},
        {"asin(x) + acos(x)", pi / 2.0},
        {"tanh(x) - sinh(x)/cosh(x)", 0.0},
        {"exp(log(x))", x},
        {"tan(x)*cos(x) - sin(x)", 0.0},
        {"1\n+ 2\t* 3", 7.0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double got = value_at(cases[i].text, v);
        if (!(fabs(got - cases[i].expected) <= 4.0 * DBL_EPSILON * fmax(1.0, fabs(cases[i].expected))))
            fail_msg("%s = %.17g, expected %.17g", cases[i].text, got, cases[i].expected);
    }
    assert_true(isnan(value_at("sqrt(y)", v)));
    assert_true(isnan(value_at("max(1, sqrt(y))", v)));
    assert_true(isnan(value_at("min(sqrt(y), 1)", v)));
    assert_true(isnan(value_at("sign(sqrt(y))", v)));
    assert_true(isinf(value_at("1/0", v)));
}


// By hand: f, all of its gradient and Hessian.
static void test_hand_derivatives(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 11);
    rico_formula *formula = compile("k*x^2*sin(y) + exp(omega*x)/gamma");
    double work[WORK];
    for (int round = 0; round < 200; round++) {
        double v[VARIABLES] = {rico_random_range(&random, -2.0, 2.0), rico_random_range(&random, -2.0, 2.0),
                               rico_random_range(&random, 0.5, 2.0)};
        double x = v[0], y = v[1], g = v[2], ex = exp(0.5 * x);
        double gradient[3], hessian[9];
        double f = rico_formula_hessian(formula, v, 3, wrt, work, gradient, hessian);
        const double first[3] = {6.0 * x * sin(y) + 0.5 * ex / g, 3.0 * x * x * cos(y), -ex / (g * g)};
        const double second[9] = {6.0 * sin(y) + 0.25 * ex / g, 6.0 * x * cos(y),
                                  -0.5 * ex / (g * g),          6.0 * x * cos(y),
                                  -3.0 * x * x * sin(y),        0.0,
                                  -0.5 * ex / (g * g),          0.0,
                                  2.0 * ex / (g * g * g)};
        assert_near(f, 3.0 * x * x * sin(y) + ex / g, 1e-13);
        for (int i = 0; i < 3; i++) assert_near(gradient[i], first[i], 1e-13);
        for (int i = 0; i < 9; i++) assert_near(hessian[i], second[i], 1e-12);
    }
    rico_formula_destroy(formula);
}


// Compares a formula's derivatives at one point with central differences of its value and of its gradient.
static void check_differences(const rico_formula *formula, const char *text, const double *point)
{
    static double work[WORK];
    double gradient[VARIABLES], hessian[VARIABLES * VARIABLES], same[VARIABLES];
    assert_true(rico_formula_work(formula, 2, VARIABLES) <= WORK);
    double value = rico_formula_hessian(formula, point, VARIABLES, wrt, work, gradient, hessian);
    assert_true(value == rico_formula_value(formula, point, work));
    rico_formula_gradient(formula, point, VARIABLES, wrt, work, same);
    assert_memory_equal(gradient, same, sizeof same);

    for (int i = 0; i < VARIABLES; i++) {
        double v[VARIABLES], above[VARIABLES], below[VARIABLES], h = 1e-5;
        memcpy(v, point, sizeof v);
        v[i] = point[i] + h;
        double high = rico_formula_gradient(formula, v, VARIABLES, wrt, work, above);
        v[i] = point[i] - h;
        double low = rico_formula_gradient(formula, v, VARIABLES, wrt, work, below);
        double slope = (high - low) / (2.0 * h), scale = 1.0 + fabs(value) + fabs(slope);
        if (!(fabs(slope - gradient[i]) <= 1e-7 * scale))
            fail_msg("%s: slope %d is %.12g, differences say %.12g", text, i, gradient[i], slope);
        for (int j = 0; j < VARIABLES; j++) {
            double curve = (above[j] - below[j]) / (2.0 * h);
            scale = 1.0 + fabs(gradient[j]) + fabs(curve);
            if (!(fabs(curve - hessian[i * VARIABLES + j]) <= 1e-6 * scale))
                fail_msg("%s: curvature %d %d is %.12g, differences say %.12g", text, i, j,
                         hessian[i * VARIABLES + j], curve);
        }
    }
}


static void test_differences(void **state)
{
    (void)state;
    // every function at least once, composed, at points where all are smooth
    static const char *const texts[] = {
        "sin(x*y) + cos(gamma*t)",
        "tan(x/3)*asin(y/4)",
        "acos(x/4) - atan(y*gamma)",
        "atan2(x + 4, y*t - 9)",
        "sinh(x)*cosh(y) + tanh(x*gamma)",
        "exp(-x^2)*log(4 + y)",
        "log10(5 + x*y/2)/sqrt(5 + gamma)",
        "hypot(x + 5, hypot(y, gamma + 4))",
        "(3 + x)^(y + 1/2) * (4 + gamma)^-2.5",
        "abs(x - 10)*max(x, 10 + y)*min(gamma, y + 20, t + 30)",
        "mod(x + 0.1*y, 100)*t",
        "mod(x + 45, y + 20)*t", // the quotient stays between 2 and 3
        "x > y - 10 ? x^2*y : x*y^2",
        "q[0]*q[1]*q[2]/(1 + q[0]^2) + k*x",
        "-(x - y)^3/(t + 9) + sign(x + 9)*floor(y/100)*x + ceil(x/100)",
    };
    rico_random random;
    rico_random_seed(&random, 12);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        rico_formula *formula = compile(texts[i]);
        for (int round = 0; round < 50; round++) {
            double v[VARIABLES];
            for (int j = 0; j < VARIABLES; j++) v[j] = rico_random_range(&random, 0.2, 1.8);
            check_differences(formula, texts[i], v);
        }
        rico_formula_destroy(formula);
    }
}


// Writes a random formula of smooth functions, whose size stays moderate whatever the depth.
static size_t write_random(rico_random *random, int depth, char *text, size_t room)
{
    static const char *const leaves[] = {"x", "y", "gamma", "t", "q[1]", "0.7", "omega"};
    static const char *const unary[] = {
        "sin(",           "cos(", "tanh(",         "atan(",         "exp(-abs(3+0.1*", "sqrt(2+0.1*sin(",
        "log(3+0.5*cos(", "-(",   "asin(0.5*sin(", "acos(0.5*cos(", "log10(3+sin("};
    static const char *const closing[] = {")", ")", ")", ")", "))", "))", "))", ")", "))", "))", "))"};
    static const char *const binary[] = {"+", "-", "*", "/(2+", "^2*", ",3+"};
    if (depth == 0) return (size_t)snprintf(text, room, "%s", leaves[rico_random_below(random, 7)]);
    size_t used = 0;
    if (rico_random_below(random, 2) == 0) {
        int64_t which = rico_random_below(random, 11);
        used = (size_t)snprintf(text, room, "%s", unary[which]);
        used += write_random(random, depth - 1, text + used, room - used);
        return used + (size_t)snprintf(text + used, room - used, "%s", closing[which]);
    }
    int64_t which = rico_random_below(random, 6);
    bool call = which == 5, quotient = which == 3;
    used = (size_t)snprintf(text, room, call ? "hypot(sin(" : "(sin(");
    used += write_random(random, depth - 1, text + used, room - used);
    used += (size_t)snprintf(text + used, room - used, ")%scos(", binary[which]);
    used += write_random(random, depth - 1, text + used, room - used);
    return used + (size_t)snprintf(text + used, room - used, quotient ? ")))" : "))");
}


static void test_random_formulas(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 13);
    for (int round = 0; round < 300; round++) {
        char text[4096];
        size_t length = write_random(&random, 1 + round % 5, text, sizeof text);
        assert_true(length < sizeof text);
        rico_formula *formula = compile(text);
        double v[VARIABLES];
        for (int j = 0; j < VARIABLES; j++) v[j] = rico_random_range(&random, -1.0, 1.0);
        check_differences(formula, text, v);
        rico_formula_destroy(formula);
    }
}


// Second-order slopes at kinks and at the edge of domains.
static void test_kinks(void **state)
{
    (void)state;
    const struct {
        const char *text;
        double slope, curvature; // by x, at x = y = 0
    } cases[] = {
        {"abs(x)", 0.0, 0.0},
        {"max(x, 0)", 0.5, 0.0},
        {"max(x, -x)", 0.0, 0.0},
        {"min(x, 3*x)", 2.0, 0.0},
        {"sign(x)", 0.0, 0.0},
        {"hypot(x, y)", 0.0, 0.0},
        {"x^2", 0.0, 2.0},
        {"x^1", 1.0, 0.0},
        {"x^0", 0.0, 0.0},
        {"x^3", 0.0, 0.0},
        {"sqrt(4 + x)", 0.25, -1.0 / 32.0},
        {"sqrt(y) + x", 1.0, 0.0}, // an infinite slope by y is not one by x
        {"x*abs(x)", 0.0, 0.0},
        {"2^x", 0.69314718055994530942, 0.48045301391820142467}, // log(2), log(2)^2
    };
    const double origin[VARIABLES] = {0.0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double work[WORK], slope, curvature;
        rico_formula *formula = compile(cases[i].text);
        rico_formula_hessian(formula, origin, 1, wrt, work, &slope, &curvature);
        rico_formula_destroy(formula);
        if (!(fabs(slope - cases[i].slope) <= 1e-15 && fabs(curvature - cases[i].curvature) <= 1e-15))
            fail_msg("%s: slope %g, curvature %g", cases[i].text, slope, curvature);
    }

    double work[WORK], gradient[2];
    rico_formula *norm = compile("sqrt(x^2 + y^2)");
    rico_formula_gradient(norm, origin, 2, wrt, work, gradient);
    assert_true(gradient[0] == 0.0 && gradient[1] == 0.0);
    rico_formula_destroy(norm);
}


// Derivatives by some variables only, in any order; the others count as constants.
static void test_chosen_variables(void **state)
{
    (void)state;
    rico_formula *formula = compile("x^2*q[2]^3 + y");
    int64_t count;
    const int64_t *slots = rico_formula_slots(formula, &count);
    assert_int_equal(count, 3);
    assert_true(slots[0] == 0 && slots[1] == 1 && slots[2] == 6);

    const double v[VARIABLES] = {2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 5.0};
    const int64_t chosen[] = {6, 3, 0};
    double work[WORK], gradient[3], hessian[9];
    assert_true(rico_formula_hessian(formula, v, 3, chosen, work, gradient, hessian) == 500.0);
    const double first[3] = {300.0, 0.0, 500.0};
    const double second[9] = {120.0, 0.0, 300.0, 0.0, 0.0, 0.0, 300.0, 0.0, 250.0};
    for (int i = 0; i < 3; i++) assert_near(gradient[i], first[i], 1e-12);
    for (int i = 0; i < 9; i++) assert_near(hessian[i], second[i], 1e-12);
    rico_formula_destroy(formula);
}


// What is constant is computed by the compiler: no stack beyond one entry, no slots.
static void test_constants_are_folded(void **state)
{
    (void)state;
    double value = 0.0;
    assert_ok(ctx, rico_formula_constant(ctx, "2*pi/omega", &scope, NULL, &value));
    assert_near(value, 4.0 * acos(-1.0), 1e-14);
    assert_ok(ctx, rico_formula_constant(ctx, "k > 2 ? max(1, 2, k) : 0", &scope, NULL, &value));
    assert_true(value == 3.0);

    rico_formula_fault fault;
    assert_int_equal(rico_formula_constant(ctx, "2*x", &scope, &fault, &value), RICO_BAD_INPUT);
    assert_non_null(strstr(rico_message(ctx), "changes with the variables"));
    assert_int_equal(rico_formula_constant(ctx, "1/(k-3)", &scope, &fault, &value), RICO_BAD_INPUT);
    assert_non_null(strstr(rico_message(ctx), "infinite"));
    assert_int_equal(rico_formula_constant(ctx, "log(-k)", &scope, &fault, &value), RICO_BAD_INPUT);
    assert_non_null(strstr(rico_message(ctx), "undefined"));
    assert_true(value == 3.0);
}


static void test_names(void **state)
{
    (void)state;
    static const char *const good[] = {"x", "omega_2", "_a", "E", "sine"};
    static const char *const bad[] = {"", "2x", "a-b", "sin", "pi", "if", "q[0]", "a b", "\xc3\xa9"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        assert_ok(ctx, rico_formula_check_name(ctx, good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(rico_formula_check_name(ctx, bad[i]), RICO_BAD_INPUT);
}


// Deep nesting is refused, not run into the ground; a long flat formula is fine.
static void test_limits(void **state)
{
    (void)state;
    enum { LENGTH = 100000 };
    static char text[2 * LENGTH + 8];
    static const char *const deep[] = {"(", "-", "sin(", "2^", "1?1:", "1?", "!", "x<("};
    rico_formula *formula = NULL;
    for (size_t i = 0; i < sizeof deep / sizeof deep[0]; i++) {
        size_t unit = strlen(deep[i]);
        for (size_t at = 0; at + unit < LENGTH; at += unit) memcpy(text + at, deep[i], unit + 1);
        assert_int_equal(rico_formula_create(ctx, text, &scope, NULL, &formula), RICO_BAD_INPUT);
        assert_non_null(strstr(rico_message(ctx), "nested deeper"));
    }
    for (int i = 0; i < LENGTH; i++) memcpy(text + 2 * i, "x+", 2);
    text[2 * LENGTH - 1] = '\0';
    const double v[VARIABLES] = {1.0};
    assert_true(value_at(text, v) == LENGTH);
    assert_null(formula);
}


static void test_table_of_functions(void **state)
{
    (void)state;
    int count = 0;
    for (; rico_function_at(count) != NULL; count++) {
        const rico_function *function = rico_function_at(count);
        assert_ptr_equal(rico_function_find(function->name, (int64_t)strlen(function->name)), function);
        assert_non_null(function->help);
    }
    assert_int_equal(count, 24);
    assert_null(rico_function_find("+", 1));
    assert_null(rico_function_find("si", 2));
    assert_null(rico_function_at(-1));
}


static rico_status make_formula(rico_context *poor, void *user)
{
    (void)user;
    rico_formula *formula = NULL;
    rico_status status = rico_formula_create(poor, "x+x*x+x*x*x+x*x*x*x+x*x*x*x*x", &scope, NULL, &formula);
    rico_formula_destroy(formula);
    return status;
}


static void test_out_of_memory(void **state)
{
    (void)state;
    assert_in_range(every_allocation_fails(make_formula, NULL), 3, 10);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_hand_derivatives),
        cmocka_unit_test(test_differences),
        cmocka_unit_test(test_random_formulas),
        cmocka_unit_test(test_kinks),
        cmocka_unit_test(test_chosen_variables),
        cmocka_unit_test(test_constants_are_folded),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_table_of_functions),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
