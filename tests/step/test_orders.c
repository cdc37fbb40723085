// Empirical orders of convergence on the bouncing ball and the linear oscillator (Acary 2012, figures 2 and 3).

#include "exact.h"
#include "systems.h"

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


enum { LEVELS = 7, PHASES = 9, NORMS = 6 };
enum { Q_MAX, Q_1, Q_2, V_1, V_2, TAU };

// an end that is no multiple of the times of impacts, so that these fall anywhere in a step
static const double OMEGA = 2.0, RESTITUTION = 0.5, UNTIL = 1.3 * M_PI;

// Norms of the error over a run; the largest projection beside them.
typedef struct errors {
    double q_max, q_1, q_2, v_1, v_2, tau;
} errors;

static rico_system *linear_oscillator(rico_context *ctx)
{
    const int64_t start[] = {0, 1}, row[] = {0}, dof[] = {0};
    const double one[] = {1.0}, k[] = {OMEGA * OMEGA};
    rico_system *system;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_matrix_part part = {.size = 1, .M = {1, 1, start, row, one}, .K = {1, 1, start, row, k}};
    assert_ok(ctx, rico_system_add_matrices(system, "oscillator", &part, NULL));
    rico_contact contact = {.dimension = 1, .restitution = RESTITUTION, .reach = {1, dof}, .gradient = one};
    assert_ok(ctx, rico_system_add_contact(system, "ground", &contact, NULL));
    return system;
}


static errors run(rico_context *ctx, const char *scheme, bool spring, double theta, double until, int steps)
{
    rico_system *system = spring ? linear_oscillator(ctx) : bouncing_ball(ctx, -2.0, RESTITUTION);
    rico_simulation *sim;
    const double q = 1.0, v = 0.0, h = until / steps;
    errors out = {0};
    double before_q = q, before_v = v;
    assert_ok(ctx, rico_simulation_create(system, scheme, &sim));
    if (strcmp(scheme, "schatzman-paoli") != 0)
        assert_ok(ctx, rico_simulation_set(sim, "activation", "explicit")); // g_k <= 0, as there
    assert_ok(ctx, rico_simulation_set_number(sim, "theta", theta));
    assert_ok(ctx, rico_simulation_start(sim, 0.0, &q, &v));
    for (int k = 1; k <= steps; k++) {
        assert_ok(ctx, rico_simulation_step(sim, h));
        double t = k * h, now_q = rico_simulation_position(sim)[0], now_v = rico_simulation_velocity(sim)[0];
        exact_state exact = spring ? oscillator(OMEGA, RESTITUTION, t) : ballard_ball(t);
        double dq = fabs(now_q - exact.q), dv = fabs(now_v - exact.v);
        out.q_max = fmax(out.q_max, dq);
        out.q_1 += h * dq;
        out.q_2 += h * dq * dq;
        out.v_1 += h * dv;
        out.v_2 += h * dv * dv;
        // N G tau, by what the velocities leave of the displacement
        out.tau = fmax(out.tau, fabs(now_q - before_q - 0.5 * h * (now_v + before_v)));
        before_q = now_q;
        before_v = now_v;
    }
    out.q_2 = sqrt(out.q_2);
    out.v_2 = sqrt(out.v_2);
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
    return out;
}


// Slope of log(error) over log(h) by least squares, h halved from one level to the next.
static double slope(const double *error)
{
    double sum = 0.0, weight = 0.0, mean = 0.5 * (LEVELS - 1);
    for (int i = 0; i < LEVELS; i++) {
        sum += (i - mean) * -log2(error[i]);
        weight += (i - mean) * (i - mean);
    }
    return sum / weight;
}


// Where in a step an impact falls decides much of its error: the worst of several nearby steps is the smooth curve.
static void measure(rico_context *ctx, const char *scheme, bool spring, double order[NORMS],
                    double finest[NORMS])
{
    double list[NORMS][LEVELS] = {{0}};
    for (int i = 0; i < LEVELS; i++)
        for (int phase = 0; phase < PHASES; phase++) {
            errors e = run(ctx, scheme, spring, 0.5, UNTIL, (77 + 2 * phase) << i);
            const double values[] = {e.q_max, e.q_1, e.q_2, e.v_1, e.v_2, e.tau};
            for (int j = 0; j < NORMS; j++) list[j][i] = fmax(list[j][i], values[j]);
        }
    for (int j = 0; j < NORMS; j++) {
        order[j] = slope(list[j]);
        finest[j] = list[j][LEVELS - 1];
    }
}


// Positions are of order 1 in every norm, velocities in l1. A velocity is wrong by O(1) in the step of an impact, so
// that its l2 error goes with sqrt(h) and its uniform error does not go at all. The ball has log(1/h) impacts longer than
// a step, each with an error of h: h log(1/h), whose slope is 1 - 1/log(1/h), 0.85 here.
static void orders(void **state)
{
    static const char *const SCHEMES[] = {"schatzman-paoli", "moreau-jean", "direct-projection",
                                          "combined-projection"};
    double h = UNTIL / (77 << (LEVELS - 1));
    for (int spring = 0; spring < 2; spring++)
        for (int s = 0; s < 4; s++) {
            double order[NORMS], finest[NORMS];
            double slack = spring ? 0.12 : 0.2;
            measure(*state, SCHEMES[s], spring, order, finest);
            assert_near(order[Q_MAX], 1.0, slack);
            assert_near(order[Q_1], 1.0, slack);
            assert_near(order[Q_2], 1.0, slack);
            assert_near(order[V_1], 1.0, slack);
            assert_near(order[V_2], 0.5, slack);
            assert_at_most(finest[Q_MAX], 10.0 * h);
            assert_at_most(finest[V_1], 80.0 * h);
        }
}


// The projection vanishes with h (figure 3, proposition 1): at most the way of a step at the largest speed, 2.
static void multiplier(void **state)
{
    static const char *const SCHEMES[] = {"direct-projection", "combined-projection"};
    double h = UNTIL / (77 << (LEVELS - 1));
    for (int spring = 0; spring < 2; spring++)
        for (int s = 0; s < 2; s++) {
            double order[NORMS], finest[NORMS];
            double slack = spring ? 0.12 : 0.2;
            measure(*state, SCHEMES[s], spring, order, finest);
            assert_near(order[TAU], 1.0, slack);
            assert_at_most(finest[TAU], 2.0 * h);
            assert_true(finest[TAU] > 0.1 * h);
        }
}


// Before the first impact, at pi/4, the oscillator is smooth: order 2 for the theta-methods at 1/2 and for
// schatzman-paoli at 0, order 1 elsewhere.
static void smooth(void **state)
{
    static const struct {
        const char *scheme;
        double theta, order;
    } RUNS[] = {{"moreau-jean", 0.5, 2.0},       {"moreau-jean", 1.0, 1.0},
                {"direct-projection", 0.5, 2.0}, {"combined-projection", 0.5, 2.0},
                {"schatzman-paoli", 0.0, 2.0},   {"schatzman-paoli", 0.5, 1.0}};
    for (size_t r = 0; r < sizeof RUNS / sizeof *RUNS; r++) {
        double list[LEVELS];
        for (int i = 0; i < LEVELS; i++)
            list[i] = run(*state, RUNS[r].scheme, true, RUNS[r].theta, 0.7, 20 << i).q_max;
        assert_near(slope(list), RUNS[r].order, 0.05);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(orders, setup, teardown),
        cmocka_unit_test_setup_teardown(multiplier, setup, teardown),
        cmocka_unit_test_setup_teardown(smooth, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
