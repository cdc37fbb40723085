// Families of hybrid orbits with theory behind them: a rod that bounces on its ends, a block that rocks on its corners.

#include "family_orbits.h"

static const double PI = 3.14159265358979323846;

// A rod of length 2 that falls flat and strikes with one end, then with the other: angle a at the impacts. Half a period T/2 of flight turns it from a to
// -a; the impulse m g T/2 at the arm cos a turns its angular velocity 4 a/T around: a/cos a = 3 g T^2/16 for the moment of inertia m/3. Elastic.
typedef struct rods {
    int points;
    double worst, longest;
    rico_orbits *orbits;
} rods;


static bool look_at_rod(void *user, const rico_orbit *orbit, rico_orbit_point kind, const char *note)
{
    rods *self = user;
    rico_orbit_samples samples;
    double most = 0.0, T = rico_orbit_period(orbit);
    (void)note;
    if (kind != RICO_POINT_ORDINARY && kind != RICO_POINT_BOUND) return true;
    assert_ok(ctx, rico_orbit_sample(self->orbits, orbit, 2, &samples));
    for (int64_t i = 0; i < samples.count; i++) most = fmax(most, fabs(samples.x[4 * i + 1]));
    rico_orbit_samples_free(self->orbits, &samples);
    self->points++;
    self->worst = fmax(self->worst, fabs(most / cos(most) - 3.0 * T * T / 16.0));
    self->longest = fmax(self->longest, T);
    assert_at_most(fabs(rico_orbit_unfolding(orbit)), 1e-9);
    return true;
}


static void bouncing_rod(void **state)
{
    // the middle of the flight: flat, at its highest, a = 0.18435 for T = 1
    static const char ROD[] =
        "parts: {rod: {coordinates: [y, a], mass: [1, 1/3], force: [-1, 0]}}\n"
        "contacts: {left: {gap: y - sin(a), restitution: 1}, right: {gap: y + sin(a), restitution: 1}}\n"
        "initial: {position: {y: 0.2146}, velocity: {a: -0.7375}}\n"
        "time: {end: 10, step: 0.01}\n";
    rico_orbit *orbit;
    char ending[RICO_BRANCH_ENDING];
    rico_orbit_options options = rico_orbit_defaults();
    (void)state;
    options.conservative = options.over_period = true;
    opened of = open_family(ROD, NULL, NULL, &options);
    assert_ok(ctx, find_orbit(&of, 0.0, 1.0, &orbit));
    assert_true(rico_orbit_lawful(orbit));
    rods all = {.orbits = of.orbits};
    rico_branch_options way = {.low = 0.9, .high = 1.6, .direction = 1.0, .resolution = 0.2};
    assert_ok(ctx, rico_branch_follow(of.orbits, orbit, &way, look_at_rod, &all, ending));
    assert_true(all.points > 3);
    assert_near(all.longest, 1.6, 1e-9);
    assert_at_most(all.worst, 1e-8);
    rico_orbit_destroy(orbit);
    close_family(&of);
}


// A block that rocks without slip and rebound loses the share 1 - (1 - 3/2 sin^2 b)^2 of its energy at each blow (Housner 1963). In its angle and rate
// the flow between blows keeps areas, so that the product of both multipliers is the fourth power of 1 - 3/2 sin^2 b for two blows a period.
static void rocking_block(void **state)
{
    static const char BLOCK[] =
        "parameters: {A: 4, omega: 8}\n"
        "parts: {block: {coordinates: [x, y, a], mass: [1, 1, 1.0625/3], force: [-A*cos(omega*t), -9.81, "
        "0]}}\n"
        "contacts:\n"
        "  left: {gap: y - cos(a) - sin(a)/4, tangent: x + sin(a) - cos(a)/4, friction: 2}\n"
        "  right: {gap: y - cos(a) + sin(a)/4, tangent: x + sin(a) + cos(a)/4, friction: 2}\n"
        "initial: {position: {y: 1}}\n"
        "time: {end: 40, step: 0.01}\n";
    static const char FREE[] = {1, 0, 0};
    rico_orbit_options options = rico_orbit_defaults();
    const double *real, *imag;
    rico_orbit *orbit;
    double product = 1.0, left = 1.0 - 1.5 / 17.0; // sin^2 b = 1/17
    int kept = 0;
    (void)state;
    options.free = FREE;
    opened of = open_family(BLOCK, NULL, "2*pi/omega", &options);
    assert_ok(ctx, find_orbit(&of, 50.0 * 2.0 * PI / 8.0, 0.0, &orbit));
    assert_true(rico_orbit_lawful(orbit) && rico_orbit_stable(orbit));
    int64_t n = rico_orbit_multipliers(orbit, &real, &imag);
    for (int64_t i = 0; i < n; i++) {
        double size = hypot(real[i], imag[i]);
        if (size < 1e-6 || hypot(real[i] - 1.0, imag[i]) < 1e-6)
            continue; // held by the corner; anywhere on the floor
        product *= size;
        kept++;
    }
    assert_int_equal(kept, 2);
    assert_near(product, left * left * left * left, 1e-7);
    rico_orbit_destroy(orbit);
    close_family(&of);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bouncing_rod), cmocka_unit_test(rocking_block)};
    return cmocka_run_group_tests(tests, context_start, context_end);
}
