// Formulas as one graph: derivatives of every order against forward differentiation along the tape, which shares no code
// with it, and against differences; conventions at kinks; a cost that grows with the number of nonzeros.

#include "support.h"

#include "scene/formula.h"
#include "scene/program.h"

static rico_context *ctx;

enum { VARIABLES = 5, WORK = 8192 };
static const rico_symbol symbols[] = {
    {"x", RICO_SYMBOL_VARIABLE, .slot = 0}, {"y", RICO_SYMBOL_VARIABLE, .slot = 1},
    {"z", RICO_SYMBOL_VARIABLE, .slot = 2}, {"t", RICO_SYMBOL_VARIABLE, .slot = 3},
    {"w", RICO_SYMBOL_VARIABLE, .slot = 4}, {"k", RICO_SYMBOL_CONSTANT, .value = 3.0},
};
static const rico_scope scope = {6, symbols, NULL};
static const int64_t wrt[VARIABLES] = {0, 1, 2, 3, 4};


static int setup(void **state)
{
    (void)state;
    ctx = rico_context_create(NULL);
    return ctx ? 0 : 1;
}


static int teardown(void **state)
{
    (void)state;
    rico_context_destroy(ctx);
    return 0;
}


static rico_formula *compile(const char *text)
{
    rico_formula *formula = NULL;
    rico_status status = rico_formula_create(ctx, text, &scope, NULL, &formula);
    if (status != RICO_OK) fail_msg("%s: %s", text, rico_message(ctx));
    return formula;
}


// Value, gradient, Hessian and third derivatives of a formula as one program: 1 + 5 + 25 + 125 outputs.
enum { OUTPUTS = 1 + VARIABLES + VARIABLES * VARIABLES + VARIABLES * VARIABLES * VARIABLES };


static void spread(rico_graph *graph, rico_term term, rico_term *out)
{
    int64_t count;
    const int64_t *slot;
    const rico_term *derivative;
    rico_graph_gradient(graph, term, 0, VARIABLES - 1, &count, &slot, &derivative);
    for (int64_t k = 0; k < count; k++) out[slot[k]] = derivative[k];
}


static rico_program *derive(const rico_formula *formula)
{
    rico_graph *graph = NULL;
    rico_program *program = NULL;
    rico_term term[OUTPUTS] = {0};
    assert_ok(ctx, rico_graph_create(ctx, VARIABLES, &graph));
    term[0] = rico_graph_formula(graph, formula, NULL);
    spread(graph, term[0], term + 1);
    for (int i = 0; i < VARIABLES; i++) spread(graph, term[1 + i], term + 1 + VARIABLES + i * VARIABLES);
    for (int i = 0; i < VARIABLES * VARIABLES; i++)
        spread(graph, term[1 + VARIABLES + i], term + 1 + VARIABLES + VARIABLES * VARIABLES + i * VARIABLES);
    assert_ok(ctx, rico_program_create(graph, OUTPUTS, term, &program));
    rico_graph_destroy(graph);
    return program;
}


// The numbers of a run, for whoever frees them.
static double *run(const rico_program *program, const double *v)
{
    double *x = malloc((size_t)rico_program_room(program) * sizeof *x);
    assert_non_null(x);
    rico_program_prepare(program, x);
    memcpy(x, v, VARIABLES * sizeof *v);
    rico_program_run(program, x);
    return x;
}


static void check(const char *text, const double *v)
{
    static double work[WORK];
    rico_formula *formula = compile(text);
    rico_program *program = derive(formula);
    double gradient[VARIABLES], hessian[VARIABLES * VARIABLES], high[VARIABLES * VARIABLES],
        low[VARIABLES * VARIABLES], moved[VARIABLES];
    assert_true(rico_formula_work(formula, 2, VARIABLES) <= WORK);
    double *x = run(program, v);
    double value = rico_formula_hessian(formula, v, VARIABLES, wrt, work, gradient, hessian);
    if (!(fabs(rico_program_output(program, x, 0) - value) <= 1e-13 * (1.0 + fabs(value))))
        fail_msg("%s is %.17g, not %.17g", text, value, rico_program_output(program, x, 0));
    double size = 1.0 + fabs(value);
    for (int i = 0; i < VARIABLES; i++) size = fmax(size, fabs(gradient[i]));
    for (int i = 0; i < VARIABLES; i++)
        if (!(fabs(rico_program_output(program, x, 1 + i) - gradient[i]) <= 1e-11 * size))
            fail_msg("%s: slope %d is %.17g, not %.17g", text, i, gradient[i],
                     rico_program_output(program, x, 1 + i));
    for (int i = 0; i < VARIABLES * VARIABLES; i++) size = fmax(size, fabs(hessian[i]));
    for (int i = 0; i < VARIABLES * VARIABLES; i++) {
        double ours = rico_program_output(program, x, 1 + VARIABLES + i);
        if (!(fabs(ours - hessian[i]) <= 1e-10 * size))
            fail_msg("%s: curvature %d is %.17g, not %.17g", text, i, hessian[i], ours);
    }
    for (int j = 0; j < VARIABLES; j++) {
        const double h = 1e-5;
        memcpy(moved, v, sizeof moved);
        moved[j] = v[j] + h;
        rico_formula_hessian(formula, moved, VARIABLES, wrt, work, gradient, high);
        moved[j] = v[j] - h;
        rico_formula_hessian(formula, moved, VARIABLES, wrt, work, gradient, low);
        for (int i = 0; i < VARIABLES * VARIABLES; i++) {
            double third = (high[i] - low[i]) / (2.0 * h);
            double ours =
                rico_program_output(program, x, 1 + VARIABLES + VARIABLES * VARIABLES + i * VARIABLES + j);
            if (!(fabs(ours - third) <= 1e-5 * (size + fabs(third))))
                fail_msg("%s: third derivative %d %d is %.12g, differences say %.12g", text, i, j, ours,
                         third);
        }
    }
    free(x);
    rico_program_destroy(program);
    rico_formula_destroy(formula);
}


// Every function, composed, where all are smooth.
static void functions(void **state)
{
    (void)state;
    static const char *const TEXTS[] = {
        "sin(x*y) + cos(z*t)",
        "tan(x/3)*asin(y/4)",
        "acos(x/4) - atan(y*z)",
        "atan2(x + 4, y*t - 9)",
        "sinh(x)*cosh(y) + tanh(x*z)",
        "exp(-x^2)*log(4 + y)",
        "log10(5 + x*y/2)/sqrt(5 + z)",
        "hypot(x + 5, hypot(y, z + 4))",
        "(3 + x)^(y + 1/2) * (4 + z)^-2.5",
        "abs(x - 10)*max(x, 10 + y)*min(z, y + 20, t + 30)",
        "mod(x + 0.1*y, 100)*t",
        "mod(x + 45, y + 20)*t",
        "x > y - 10 ? x^2*y : x*y^2",
        "if(x < -9, sqrt(x - 100), x*z)",
        "-(x - y)^3/(t + 9) + sign(x + 9)*floor(y/100)*x + ceil(x/100)",
        "(x + 2)^5 + (y + 2)^-3 + z^4 + (t + 1)^0.5 + x^1 + y^0 + (x + 3)^7.5",
        "x*y*z*t*w - (x*y)*(x*y) + sin(x*y)/cos(x*y)",
        "!(x > 100)*x + (x < 100 && y < 100)*y*x + (x == y || z != t)*z^2",
        "k*(x - y)^2/2 + k*(y - z)^2/2",
    };
    rico_random random;
    rico_random_seed(&random, 21);
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++)
        for (int round = 0; round < 20; round++) {
            double v[VARIABLES];
            for (int j = 0; j < VARIABLES; j++) v[j] = rico_random_range(&random, 0.2, 1.8);
            check(TEXTS[i], v);
        }
}


static size_t write_random(rico_random *random, int depth, char *text, size_t room)
{
    static const char *const leaves[] = {"x", "y", "z", "t", "w", "0.7", "k"};
    static const char *const calls[] = {"sin(%s",  "cos(%s",         "tanh(%s",
                                        "atan(%s", "sqrt(4+sin(%s)", "log(3+cos(%s)",
                                        "-(%s",    "exp(cos(%s)",    "sinh(sin(%s)"};
    if (depth == 0) return (size_t)snprintf(text, room, "%s", leaves[rico_random_below(random, 7)]);
    char inner[2048];
    if (rico_random_below(random, 2) == 0) {
        write_random(random, depth - 1, inner, sizeof inner);
        size_t used = (size_t)snprintf(text, room, calls[rico_random_below(random, 9)], inner);
        return used + (size_t)snprintf(text + used, room - used, ")");
    }
    static const char *const pairs[] = {"(%s)+(",       "(%s)-(",   "(%s)*(",
                                        "(%s)/(5+sin(", "(%s)^2*(", "(2+sin(%s))^sin("};
    static const char *const ends[] = {")", ")", ")", "))", ")", ")"};
    int64_t which = rico_random_below(random, 6);
    write_random(random, depth - 1, inner, sizeof inner);
    size_t used = (size_t)snprintf(text, room, pairs[which], inner);
    used += write_random(random, depth - 1, text + used, room - used);
    return used + (size_t)snprintf(text + used, room - used, "%s", ends[which]);
}


static void random_formulas(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 22);
    for (int round = 0; round < 200; round++) {
        char text[4096];
        assert_true(write_random(&random, 1 + round % 4, text, sizeof text) < sizeof text);
        double v[VARIABLES];
        for (int j = 0; j < VARIABLES; j++) v[j] = rico_random_range(&random, -1.0, 1.0);
        check(text, v);
    }
}


// At kinks, edges and in branches not taken: what docs/guide/scenes.md promises.
static void kinks(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double x, y, value, slope_x, slope_y;
    } CASES[] = {
        {"abs(x)", 0.0, 0.0, 0.0, 0.0, 0.0},
        {"max(x, 0)", 0.0, 0.0, 0.0, 0.5, 0.0},
        {"min(x, y)", 2.0, 2.0, 2.0, 0.5, 0.5},
        {"sqrt(x^2 + y^2)", 0.0, 0.0, 0.0, 0.0, 0.0},
        {"hypot(x, y)", 0.0, 0.0, 0.0, 0.0, 0.0},
        {"x > 0 ? sqrt(x) : y", -1.0, 3.0, 3.0, 0.0, 1.0},
        {"x > 0 ? 1/x : x*y", 0.0, 3.0, 0.0, 3.0, 0.0},
        {"x*sqrt(x)", 0.0, 0.0, 0.0, 0.0, 0.0},
        {"x^1.5", 0.0, 0.0, 0.0, 0.0, 0.0},
        {"sign(x)*y + floor(x)", 0.5, 2.0, 2.0, 0.0, 1.0},
        {"tanh(1000*x)", 1.0, 0.0, 1.0, 0.0, 0.0},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        rico_formula *formula = compile(CASES[i].text);
        rico_program *program = derive(formula);
        const double v[VARIABLES] = {CASES[i].x, CASES[i].y};
        double *x = run(program, v);
        if (rico_program_output(program, x, 0) != CASES[i].value ||
            rico_program_output(program, x, 1) != CASES[i].slope_x ||
            rico_program_output(program, x, 2) != CASES[i].slope_y)
            fail_msg("%s: %g, %g, %g", CASES[i].text, rico_program_output(program, x, 0),
                     rico_program_output(program, x, 1), rico_program_output(program, x, 2));
        free(x);
        rico_program_destroy(program);
        rico_formula_destroy(formula);
    }
}


// Instructions for the Hessian of a chain of n springs.
static int64_t chain_length(int64_t n)
{
    rico_graph *graph = NULL;
    rico_program *program = NULL;
    assert_ok(ctx, rico_graph_create(ctx, n, &graph));
    rico_term V = RICO_TERM_ZERO;
    for (int64_t i = 0; i + 1 < n; i++) {
        rico_term d = rico_graph_apply(graph, RICO_DO_SUBTRACT, rico_graph_variable(graph, i),
                                       rico_graph_variable(graph, i + 1));
        V = rico_graph_apply(graph, RICO_DO_ADD, V, rico_graph_apply(graph, RICO_DO_COS, d, 0));
    }
    int64_t count, total = 0;
    const int64_t *slot;
    const rico_term *derivative;
    rico_graph_gradient(graph, V, 0, n - 1, &count, &slot, &derivative);
    assert_int_equal(count, n);
    rico_term *gradient = test_malloc((size_t)n * sizeof *gradient),
              *hessian = test_malloc((size_t)n * 3 * sizeof *hessian);
    memcpy(gradient, derivative, (size_t)n * sizeof *gradient);
    for (int64_t i = 0; i < n; i++) {
        rico_graph_gradient(graph, gradient[i], 0, n - 1, &count, &slot, &derivative);
        assert_true(count <= 3);
        for (int64_t k = 0; k < count; k++) {
            assert_true(slot[k] >= i - 1 && slot[k] <= i + 1);
            hessian[total++] = derivative[k];
        }
    }
    assert_int_equal(total, 3 * n - 2);
    assert_ok(ctx, rico_program_create(graph, total, hessian, &program));
    int64_t length = rico_program_length(program);
    rico_program_destroy(program);
    rico_graph_destroy(graph);
    test_free(gradient);
    test_free(hessian);
    return length;
}


static void sparse(void **state)
{
    (void)state;
    int64_t small = chain_length(100), large = chain_length(10000);
    assert_true(small <= 8 * 100);
    assert_true(large <= 8 * 10000);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions),
        cmocka_unit_test(random_formulas),
        cmocka_unit_test(kinks),
        cmocka_unit_test(sparse),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
