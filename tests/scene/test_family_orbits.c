// Periodic orbits of scenes against closed forms: a forced oscillator, a ball on a table, two masses, Den Hartog's dry friction.

#include "family_orbits.h"
#include "impact_oscillator.h"

static void forced_oscillator(void **state)
{
    static const double OMEGA[] = {2.1, 2.4, 2.6};
    (void)state;
    for (size_t i = 0; i < sizeof OMEGA / sizeof *OMEGA; i++) {
        char text[512];
        rico_orbit *orbit;
        int64_t count;
        snprintf(text, sizeof text, "%s", OSCILLATOR);
        strstr(text, "2.4")[2] = "146"[i]; // the last digit
        opened of = open_family(text, "omega", "2*pi/omega", NULL);
        assert_ok(ctx, find_orbit(&of, 50.0 * 2.0 * acos(-1.0) / OMEGA[i], 0.0, &orbit));
        closed_form want = exact(OMEGA[i], 0.6);
        const rico_event *event = rico_orbit_events(orbit, &count);
        assert_true(rico_orbit_lawful(orbit));
        assert_int_equal(count, 1);
        assert_near(-event[0].speed, want.speed, 1e-9);
        assert_near(trace_of(orbit), want.trace, 1e-8);
        const double *M = rico_orbit_monodromy(orbit);
        assert_near(M[0] * M[3] - M[1] * M[2], 0.36, 1e-9);
        assert_at_most(rico_orbit_return_error(orbit), 1e-9);
        rico_orbit_destroy(orbit);
        close_family(&of);
    }
}


// A ball on a table A sin(omega t), once each period: cos f = g T (1 - e)/(2 A omega (1 + e)), speed before the impact g T/(1 + e) relative
// to the table, trace -2 e - T (1 + e) a/u with a = A omega^2 sin f - g and u that speed.
static void ball_on_table(void **state)
{
    static const char TABLE[] = "parameters: {A: 0.03, omega: 5, e: 0.8, g: 1}\n"
                                "parts: {ball: {coordinates: [y], mass: 1, force: -g}}\n"
                                "contacts: {table: {gap: y - A*sin(omega*t), restitution: e}}\n"
                                "initial: {position: {y: 0.2}, velocity: {y: 0.6}}\n"
                                "time: {end: 10, step: 0.01}\n";
    const double A = 0.03, omega = 5.0, e = 0.8, T = 2.0 * acos(-1.0) / omega;
    rico_orbit *orbit;
    int64_t count;
    (void)state;
    opened of = open_family(TABLE, NULL, "2*pi/omega", NULL);
    assert_ok(ctx, find_orbit(&of, 60.0 * T, 0.0, &orbit));
    double f = acos(T * (1.0 - e) / (2.0 * A * omega * (1.0 + e))), u = T / (1.0 + e);
    const rico_event *event = rico_orbit_events(orbit, &count);
    assert_int_equal(count, 1);
    assert_near(-event[0].speed, u, 1e-9);
    // of the two phases the stable one
    double phase = fmod(event[0].t * omega, 2.0 * acos(-1.0));
    assert_near(fabs(remainder(phase, 2.0 * acos(-1.0))), f, 1e-8);
    double a = A * omega * omega * sin(remainder(phase, 2.0 * acos(-1.0))) - 1.0;
    assert_near(trace_of(orbit), -2.0 * e - T * (1.0 + e) * a / u, 1e-8);
    assert_true(rico_orbit_stable(orbit));
    rico_orbit_destroy(orbit);
    close_family(&of);
}


// Two masses against a wall, elastic: one impact each period. Energy and trace of the monodromy matrix as an independent program has them (the first
// two multipliers are 1); that of period 8 is unstable.
static void two_masses(void **state)
{
    static const char MASSES[] =
        "parts: {p: {coordinates: [a, b], mass: [1, 1], potential: a^2/2 + (a - b)^2/2}}\n"
        "contacts: {wall: {gap: 1 - b, restitution: 1}}\n"
        "initial: {velocity: {a: %.17g, b: %.17g}, position: {a: %.17g, b: %.17g}}\n"
        "time: {end: 10, step: 0.01}\n";
    static const struct {
        double period, impulse, energy, trace;
    } WANT[] = {{9.0, 0.66750455, 0.34579761, 0.06776439},
                {7.0, 1.94720121, 0.88619927, 2.93837003},
                {8.0, 3.41167746, 14.13247979, -3.19237866}};
    (void)state;
    for (size_t i = 0; i < sizeof WANT / sizeof *WANT; i++) {
        // half a period before the impact everything stands still: modes cos(omega t) p b/(2 omega sin(omega T/2)), docs/theory/modes.md
        double s5 = sqrt(5.0), omega[2] = {(s5 - 1.0) / 2.0, (s5 + 1.0) / 2.0}, q[2] = {0.0, 0.0},
               T = WANT[i].period;
        for (int j = 0; j < 2; j++) {
            double mode[2] = {1.0, 2.0 - omega[j] * omega[j]}, size = hypot(mode[0], mode[1]);
            double share = -WANT[i].impulse * (mode[1] / size) / (2.0 * omega[j] * sin(omega[j] * T / 2.0));
            for (int k = 0; k < 2; k++) q[k] += share * mode[k] / size;
        }
        char text[512];
        rico_orbit *orbit;
        snprintf(text, sizeof text, MASSES, 0.01, -0.01, q[0] * 1.001, q[1] * 0.999);
        rico_orbit_options options = rico_orbit_defaults();
        options.conservative = true;
        opened of = open_family(text, NULL, NULL, &options);
        assert_ok(ctx, find_orbit(&of, 0.0, T, &orbit));
        const double *x = rico_orbit_position(orbit), *v = rico_orbit_velocity(orbit);
        double energy = 0.5 * (v[0] * v[0] + v[1] * v[1] + x[0] * x[0] + (x[0] - x[1]) * (x[0] - x[1]));
        assert_near(energy, WANT[i].energy, 1e-7 * WANT[i].energy);
        assert_near(trace_of(orbit) - 2.0, WANT[i].trace - 2.0, 1e-6 * (1.0 + fabs(WANT[i].trace)));
        assert_at_most(fabs(rico_orbit_unfolding(orbit)), 1e-10);
        assert_true(rico_orbit_lawful(orbit));
        assert_int_equal(rico_orbit_stable(orbit), fabs(WANT[i].trace - 2.0) < 2.0);
        rico_orbit_destroy(orbit);
        close_family(&of);
    }
}


// Dry friction and a harmonic force, motion without stops: the amplitude is sqrt(V^2 F^2 - (H f)^2) with V = 1/(1 - r^2),
// H = sin(pi/r)/(r (1 + cos(pi/r))), r = omega (Den Hartog 1931).
static void dry_friction(void **state)
{
    static const char BLOCK[] = "parameters: {omega: 0.6, mu: 0.2}\n"
                                "parts: {block: {coordinates: [x, y], mass: [1, 1], potential: x^2/2 + y, "
                                "force: [cos(omega*t), 0]}}\n"
                                "contacts: {floor: {gap: y, tangent: x, friction: mu}}\n"
                                "time: {end: 100, step: 0.01}\n";
    const double r = 0.6, pi = acos(-1.0), V = 1.0 / (1.0 - r * r),
                 H = sin(pi / r) / (r * (1.0 + cos(pi / r)));
    rico_orbit *orbit;
    rico_orbit_samples samples;
    double most = 0.0;
    (void)state;
    opened of = open_family(BLOCK, NULL, "2*pi/omega", NULL);
    assert_ok(ctx, find_orbit(&of, 50.0 * 2.0 * pi / r, 0.0, &orbit));
    assert_true(rico_orbit_lawful(orbit));
    assert_ok(ctx, rico_orbit_sample(of.orbits, orbit, 4, &samples));
    for (int64_t i = 0; i < samples.count; i++) most = fmax(most, fabs(samples.x[4 * i]));
    // it turns at events: both ends of pieces are among the samples
    assert_near(most, sqrt(V * V - 0.04 * H * H), 1e-9);
    rico_orbit_samples_free(of.orbits, &samples);
    rico_orbit_destroy(orbit);
    close_family(&of);
}


// The monodromy matrix against differences of runs of the event-driven scheme.
static void monodromy(void **state)
{
    rico_orbit *orbit;
    (void)state;
    opened of = open_family(OSCILLATOR, NULL, "2*pi/omega", NULL);
    assert_ok(ctx, find_orbit(&of, 50.0 * 2.0 * acos(-1.0) / 2.4, 0.0, &orbit));
    const rico_family *systems = rico_scene_family_systems(of.family);
    rico_simulation *sim;
    void *owner;
    assert_ok(ctx, systems->make(systems->user, 0.0, &sim, &owner));
    for (int j = 0; j < 2; j++) {
        double end[2][2], d = 1e-5;
        for (int k = 0; k < 2; k++) {
            double q = *rico_orbit_position(orbit), v = *rico_orbit_velocity(orbit);
            *(j == 0 ? &q : &v) += k == 0 ? -d : d;
            assert_ok(ctx, rico_simulation_start(sim, rico_orbit_time(orbit), &q, &v));
            assert_ok(ctx, rico_simulation_step(sim, rico_orbit_period(orbit)));
            end[k][0] = *rico_simulation_position(sim);
            end[k][1] = *rico_simulation_velocity(sim);
        }
        for (int i = 0; i < 2; i++)
            assert_near(rico_orbit_monodromy(orbit)[2 * j + i], (end[1][i] - end[0][i]) / (2.0 * d), 1e-5);
    }
    systems->drop(systems->user, sim, owner);
    rico_orbit_destroy(orbit);
    close_family(&of);
}


// One piece or many: the same orbit, also where it is cut between events.
static void multiple_shooting(void **state)
{
    rico_orbit *orbit[2];
    (void)state;
    for (int k = 0; k < 2; k++) {
        rico_orbit_options options = rico_orbit_defaults();
        options.pieces = k == 0 ? 1 : 7;
        opened of = open_family(OSCILLATOR, NULL, "2*pi/omega", &options);
        assert_ok(ctx, find_orbit(&of, 50.0 * 2.0 * acos(-1.0) / 2.4, 0.0, &orbit[k]));
        close_family(&of);
    }
    assert_near(*rico_orbit_position(orbit[0]), *rico_orbit_position(orbit[1]), 1e-10);
    assert_near(*rico_orbit_velocity(orbit[0]), *rico_orbit_velocity(orbit[1]), 1e-10);
    for (int i = 0; i < 4; i++)
        assert_near(rico_orbit_monodromy(orbit[0])[i], rico_orbit_monodromy(orbit[1])[i], 1e-8);
    rico_orbit_destroy(orbit[0]);
    rico_orbit_destroy(orbit[1]);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forced_oscillator), cmocka_unit_test(ball_on_table),
        cmocka_unit_test(two_masses),        cmocka_unit_test(dry_friction),
        cmocka_unit_test(monodromy),         cmocka_unit_test(multiple_shooting),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
