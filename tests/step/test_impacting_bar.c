// The elastic bar that hits a wall (Acary 2012, section 6.2, table 1, figures 11-18): contact for 2 L / c under a
// constant force in the continuum, e = 0.

#include "exact.h"
#include "mechanisms.h"

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


static const double SPEED = 0.1;

typedef struct outcome {
    double begin, end;      // of contact
    double violation;       // largest penetration
    double peak;            // largest contact force
    double low, high, mean; // of the force in the middle half of the contact
    double unrest;          // largest speed of the tip there
    int flips, middle;      // sign changes of that speed, and steps
    double impulse;         // of the wall
    double energy;          // at the end over that of the start
} outcome;

static outcome run(rico_context *ctx, const char *scheme, int64_t elements, double h, double gap,
                   double theta, double until)
{
    bar steel = steel_bar();
    steel.gap = gap;
    exact_bar exact = impacting_bar_solution(steel.length, steel.section, steel.young, steel.density, SPEED);
    rico_system *system = impacting_bar(ctx, &steel, elements);
    double *q = calloc((size_t)elements + 1, sizeof *q), *v = calloc((size_t)elements + 1, sizeof *v);
    for (int64_t i = 0; i <= elements; i++) v[i] = -SPEED;
    rico_simulation *sim;
    assert_ok(ctx, rico_simulation_create(system, scheme, &sim));
    assert_ok(ctx, rico_simulation_set_number(sim, "theta", theta));
    if (strcmp(scheme, "moreau-jean") == 0)
        assert_ok(ctx, rico_simulation_set(sim, "activation", "explicit"));
    assert_ok(ctx, rico_simulation_start(sim, 0.0, q, v));
    double initial = rico_simulation_ledger(sim)->kinetic, before = 0.0;
    outcome out = {.begin = -1.0, .low = INFINITY, .high = -INFINITY};
    while (rico_simulation_time(sim) < until) {
        const double *g;
        assert_ok(ctx, rico_simulation_step(sim, h));
        assert_ok(ctx, rico_simulation_gap(sim, &g));
        double t = rico_simulation_time(sim), force = rico_simulation_impulse(sim)[0] / h;
        double u = rico_simulation_velocity_after(sim)[0], since = t - gap / SPEED;
        out.violation = fmax(out.violation, -g[0]);
        if (force > 0.0) {
            if (out.begin < 0.0) out.begin = t - h;
            out.end = t;
            out.peak = fmax(out.peak, force);
        }
        if (since > 0.25 * exact.duration && since < 0.75 * exact.duration) {
            out.low = fmin(out.low, force);
            out.high = fmax(out.high, force);
            out.mean += force;
            out.unrest = fmax(out.unrest, fabs(u));
            out.flips += u * before < 0.0;
            out.middle++;
        }
        out.impulse += force * h;
        before = u;
    }
    out.mean /= out.middle;
    out.energy = (rico_simulation_ledger(sim)->kinetic + rico_simulation_ledger(sim)->potential) / initial;
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
    free(q);
    free(v);
    return out;
}


// The continuum's figures for table 1, as printed.
static void solution(void **state)
{
    (void)state;
    bar steel = steel_bar();
    exact_bar exact = impacting_bar_solution(steel.length, steel.section, steel.young, steel.density, SPEED);
    assert_near(exact.duration, 3.8545e-4, 1e-8);
    assert_near(exact.force, 1271.472, 1e-3);
}


// Contact begins in time, lasts 3.8545e-4 s to a few steps, under a force of 1271.472 N (figures 12 and 16). The tip
// does not move in it, and the bar leaves as fast as it came but for what its oscillations keep.
static void contact(void **state)
{
    static const char *const SCHEMES[] = {"moreau-jean", "combined-projection"};
    const double h = 2e-6, gap = 1e-5;
    bar steel = steel_bar();
    double momentum = steel.density * steel.section * steel.length * SPEED;
    for (int s = 0; s < 2; s++) {
        outcome out = run(*state, SCHEMES[s], 1000, h, gap, 0.5, 6e-4);
        assert_near(out.begin, gap / SPEED, 1.01 * h);
        assert_near(out.end - out.begin, 3.8545e-4, 3.0 * h);
        assert_near(out.mean, 1271.472, 1e-3 * 1271.472);
        assert_near(out.low, 1271.472, 0.02 * 1271.472);
        assert_near(out.high, 1271.472, 0.02 * 1271.472);
        assert_at_most(out.unrest, 1e-14);
        assert_near(out.impulse, 2.0 * momentum, 0.02 * momentum);
        assert_at_most(out.energy, 1.0 + 1e-9);
        assert_true(out.energy > 0.99);
    }
}


// Contacts at the position level: no penetration, but the tip swings between -v0 and v0 at every step and the force
// oscillates (figure 11).
static void trapezoidal(void **state)
{
    outcome out = run(*state, "trapezoidal-position", 1000, 2e-6, 1e-5, 0.5, 6e-4);
    assert_at_most(out.violation, 1e-18);
    assert_near(out.unrest, SPEED, 0.05 * SPEED);
    assert_true(out.flips >= out.middle - 1);
    assert_near(out.mean, 1271.472, 0.01 * 1271.472);
    outcome moreau = run(*state, "moreau-jean", 1000, 2e-6, 1e-5, 0.5, 6e-4);
    assert_true(out.high - out.low > 2.0 * (moreau.high - moreau.low));
}


// A bar that starts at the wall enters it by v0 h / 2 with Moreau-Jean's scheme, theta = 1/2: one step from v0 to rest.
// Printed: 2.5e-8 m for h = 5e-7, and 2.5e-5 m for 5e-5, which must be 2.5e-6. Combined projection: none.
static void violation(void **state)
{
    for (double h = 5e-5; h > 4e-7; h *= 0.1) {
        outcome moreau = run(*state, "moreau-jean", 1000, h, 0.0, 0.5, 3e-4);
        assert_near(moreau.violation, 0.5 * SPEED * h, 1e-6 * SPEED * h);
        outcome combined = run(*state, "combined-projection", 1000, h, 0.0, 0.5, 3e-4);
        assert_at_most(combined.violation, 1e-18);
    }
}


// The first force is an impact of the last element: its impulse is there however short the step, so that the force
// grows as 1/h (figure 14), and shrinks with the element (figure 13).
static void peak(void **state)
{
    const double window = 1e-5;
    double coarse = run(*state, "moreau-jean", 100, 2e-6, 0.0, 0.5, window).peak;
    double fine = run(*state, "moreau-jean", 100, 2e-7, 0.0, 0.5, window).peak;
    double finest = run(*state, "moreau-jean", 100, 2e-8, 0.0, 0.5, window).peak;
    assert_true(fine > 2.0 * coarse);
    assert_near(finest, 10.0 * fine, 0.1 * finest);
    double small = run(*state, "moreau-jean", 1000, 2e-7, 0.0, 0.5, window).peak;
    assert_true(small < 0.5 * fine);
    // in the limit the element behaves as a free body of the mass that stands behind its tip
    bar steel = steel_bar();
    double le = steel.length / 100, mass = steel.density * steel.section * le;
    double behind =
        mass / 6.0 * sqrt(3.0); // of M^-1 at the end of a chain 2, 1 | 1, 4, 1 | ...: 6/(sqrt(3) rho S le)
    assert_near(finest * 2e-8, behind * SPEED, 0.02 * behind * SPEED);
}


// theta = 1 damps the oscillations, and much else with them (figure 18).
static void damping(void **state)
{
    outcome sharp = run(*state, "combined-projection", 1000, 2e-6, 1e-5, 0.5, 8e-4);
    outcome smooth = run(*state, "combined-projection", 1000, 2e-6, 1e-5, 1.0, 8e-4);
    assert_true(smooth.energy < 0.9);
    assert_true(sharp.energy > 0.99);
    assert_true(smooth.high - smooth.low < 0.2 * (sharp.high - sharp.low));
    assert_at_most(smooth.violation, 1e-18);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solution),
        cmocka_unit_test_setup_teardown(contact, setup, teardown),
        cmocka_unit_test_setup_teardown(trapezoidal, setup, teardown),
        cmocka_unit_test_setup_teardown(violation, setup, teardown),
        cmocka_unit_test_setup_teardown(peak, setup, teardown),
        cmocka_unit_test_setup_teardown(damping, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
