// Orbits of rings with any number of impacts, against closed forms, the boundary value problem and the event-driven integrator.

#include "../step/systems.h"
#include "ring_patterns.h"

#include <string.h>

enum { SMALL = 6 };


static rico_ring_sequence *find(int64_t p, double coupling, double period, double upper, int64_t count,
                                const rico_ring_strike *strikes)
{
    rico_ring_strike copy[16];
    memcpy(copy, strikes, (size_t)count * sizeof *copy);
    const rico_ring_sequence start = {.particles = p,
                                      .coupling = coupling,
                                      .period = period,
                                      .upper = upper,
                                      .count = count,
                                      .strike = copy};
    rico_ring_sequence *found;
    assert_ok(ctx, rico_ring_sequence_solve(ctx, &start, &found));
    assert_at_most(found->residual, 1e-11);
    return found;
}


static rico_ring_sequence *find_feasible(int64_t p, double coupling, double period, double upper,
                                         int64_t count, const rico_ring_strike *strikes)
{
    rico_ring_sequence *found = find(p, coupling, period, upper, count, strikes);
    if (found->verdict != RICO_RING_FEASIBLE)
        fail_msg("period %g: %s (gap %g of %lld at %g, slowest %g)", period,
                 rico_ring_verdict_words(found->verdict), found->gap, (long long)found->gap_particle,
                 found->gap_time, found->slowest);
    return found;
}


// One particle between walls at -1 and b: y = R sin(t + phase), from wall to wall in T/2, leaves the lower one with (b + cos(T/2))/sin(T/2).
static void between_walls(void **state)
{
    (void)state;
    for (double T = 1.0; T < 6.2; T += 0.65)
        for (double b = 0.4; b < 2.1; b += 0.55) {
            double D = 0.5 * T, speed = (b + cos(D)) / sin(D), other = (1.0 + b * cos(D)) / sin(D);
            if (speed < 0.05 || other < 0.05) continue;
            const rico_ring_strike two[] = {{0, false, 0.0, 0.0}, {0, true, 0.45 * T, 0.0}};
            rico_ring_sequence *found = find(1, 0.0, T, b, 2, two);
            assert_int_equal(found->verdict, RICO_RING_FEASIBLE);
            int64_t low = found->strike[0].upper ? 1 : 0;
            double apart = fabs(found->strike[1].time - found->strike[0].time);
            assert_near(apart, D, 1e-10);
            assert_near(found->strike[low].impulse, 2.0 * speed, 1e-9 * (1.0 + speed));
            assert_near(found->strike[1 - low].impulse, -2.0 * other, 1e-9 * (1.0 + other));
            assert_near(found->energy, 0.5 * speed * speed + 0.5, 1e-9 * (1.0 + found->energy));
            rico_ring_sequence_destroy(found);
        }
}


// One impact of each particle: the boundary value problem, its positions, its multipliers; repeated, their squares.
static void one_each(void **state)
{
    (void)state;
    const pattern mixed = pattern_of(SMALL, (const int[]){0, 2, -1}, (const int[]){3, -1});
    rico_ring_orbit *orbit = solve_feasible(SMALL, 0.06, PERIOD, &mixed);
    rico_ring_strike strikes[6] = {
        {0, false, 0.02, 0.0}, {2, false, -0.03, 0.0}, {3, false, 0.5 * PERIOD + 0.01, 0.0}};
    rico_ring_sequence *found = find_feasible(SMALL, 0.06, PERIOD, INFINITY, 3, strikes);
    assert_near(found->energy, orbit->energy, 1e-10);
    assert_near(found->slowest, orbit->slowest, 1e-10);
    assert_near(found->gap, orbit->gap, 2e-6);

    double y[SMALL], v[SMALL], other[SMALL], speed[SMALL], shift = found->strike[2].time - 0.5 * PERIOD;
    for (double t = 0.1; t < PERIOD; t += 0.37) {
        rico_ring_orbit_at(orbit, t, y, v);
        rico_ring_sequence_at(found, t + shift, other, speed);
        for (int n = 0; n < SMALL; n++) {
            assert_near(other[n], y[n], 1e-9);
            assert_near(speed[n], v[n], 1e-9);
        }
    }

    rico_ring_stability *once, *same, *twice;
    assert_ok(ctx, rico_ring_stability_create(orbit, 0.0, &once));
    assert_ok(ctx, rico_ring_sequence_stability(found, 0.0, &same));
    assert_near(same->largest, once->largest, 1e-6);
    assert_at_most(same->symplectic, 1e-10);
    for (int j = 0; j < 3; j++) {
        strikes[j] = found->strike[j];
        strikes[3 + j] = found->strike[j];
        strikes[3 + j].time += PERIOD;
    }
    rico_ring_sequence *repeated = find_feasible(SMALL, 0.06, 2.0 * PERIOD, INFINITY, 6, strikes);
    assert_near(repeated->energy, found->energy, 1e-9);
    assert_ok(ctx, rico_ring_sequence_stability(repeated, 0.0, &twice));
    assert_near(twice->largest, once->largest * once->largest, 1e-5);
    rico_ring_stability_destroy(once);
    rico_ring_stability_destroy(same);
    rico_ring_stability_destroy(twice);
    rico_ring_sequence_destroy(repeated);
    rico_ring_sequence_destroy(found);
    rico_ring_orbit_destroy(orbit);
}


// Two particles, each striking twice, run by the event-driven integrator over two periods from a moment without impacts.
static rico_system *pair(double coupling, double upper)
{
    const int64_t place[] = {0, 1, 2}, diagonal[] = {0, 1}, start[] = {0, 2, 4}, column[] = {0, 1, 0, 1};
    const double ones[] = {1.0, 1.0}, up = 1.0, down = -1.0;
    const double K[] = {1.0 + 2.0 * coupling, -2.0 * coupling, -2.0 * coupling, 1.0 + 2.0 * coupling};
    rico_system *system;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_matrix_part part = {.size = 2, .M = {2, 2, place, diagonal, ones}, .K = {2, 2, start, column, K}};
    assert_ok(ctx, rico_system_add_matrices(system, "pair", &part, NULL));
    for (int64_t n = 0; n < 2; n++) {
        char name[16];
        snprintf(name, sizeof name, "wall%d", (int)n);
        rico_contact wall = {
            .dimension = 1, .restitution = 1.0, .reach = {1, &n}, .gradient = &up, .offset = 1.0};
        assert_ok(ctx, rico_system_add_contact(system, name, &wall, NULL));
        if (!isfinite(upper)) continue;
        snprintf(name, sizeof name, "upper%d", (int)n);
        wall.gradient = &down;
        wall.offset = upper;
        assert_ok(ctx, rico_system_add_contact(system, name, &wall, NULL));
    }
    return system;
}


static double return_error(double coupling, double upper, double period, const double *y, const double *v)
{
    rico_system *system = pair(coupling, upper);
    rico_simulation *exact;
    assert_ok(ctx, rico_simulation_create(system, "event-driven", &exact));
    assert_ok(ctx, rico_simulation_set_number(exact, "rtol", 1e-13));
    assert_ok(ctx, rico_simulation_set_number(exact, "atol", 1e-13));
    assert_ok(ctx, rico_simulation_start(exact, 0.0, y, v));
    rico_run_options options = rico_run_defaults(0.02 * period);
    assert_ok(ctx, rico_simulation_run(exact, period, &options, NULL, NULL, NULL));
    double off = 0.0;
    for (int n = 0; n < 2; n++) {
        off = fmax(off, fabs(rico_simulation_position(exact)[n] - y[n]));
        off = fmax(off, fabs(rico_simulation_velocity(exact)[n] - v[n]));
    }
    rico_simulation_destroy(exact);
    rico_system_destroy(system);
    return off;
}


// Neighbours strike twice each, T > 4 pi / Omega, at times that are no halves of a period: y_2(t) = y_1(t + T/2), all speeds equal.
static void twice_each(void **state)
{
    (void)state;
    const double coupling = 0.5, fast = sqrt(3.0);
    for (double share = 1.12; share < 1.45; share += 0.06) {
        double T = share * 4.0 * M_PI / fast, s = 0.4 * (share - 1.07) * T;
        const rico_ring_strike four[] = {
            {1, false, 0.0, 0.0}, {0, false, 0.5 * T, 0.0}, {0, false, s, 0.0}, {1, false, s + 0.5 * T, 0.0}};
        rico_ring_sequence *found = find_feasible(2, coupling, T, INFINITY, 4, four);
        for (int j = 1; j < 4; j++)
            assert_near(found->strike[j].impulse, found->strike[0].impulse, 1e-9 * found->strike[0].impulse);
        double y[2], v[2], there[2], speed[2], quiet = 0.5 * (found->strike[0].time + found->strike[1].time);
        rico_ring_sequence_at(found, quiet, y, v);
        rico_ring_sequence_at(found, quiet + 0.5 * T, there, speed);
        assert_near(there[0], y[1], 1e-10);
        assert_near(speed[1], v[0], 1e-10);
        assert_at_most(return_error(coupling, INFINITY, T, y, v), 1e-9);
        rico_ring_sequence_destroy(found);
    }
}


// Neighbours in turn between two walls: no minimum of a gap is overlooked at either.
static void two_walls(void **state)
{
    (void)state;
    const double T = 4.0, upper = 1.2;
    const rico_ring_strike four[] = {
        {0, false, 0.0, 0.0}, {1, false, 0.5 * T, 0.0}, {0, true, 0.47 * T, 0.0}, {1, true, 0.97 * T, 0.0}};
    rico_ring_sequence *found = find_feasible(2, 0.1, T, upper, 4, four);
    double y[2], v[2], low = 1.0, high = -1.0;
    for (double t = 0.0; t < T; t += 1e-3) {
        rico_ring_sequence_at(found, t, y, v);
        low = fmin(low, fmin(y[0], y[1]));
        high = fmax(high, fmax(y[0], y[1]));
    }
    assert_true(low > -1.0 - 1e-9 && low < -0.99);
    assert_true(high < upper + 1e-9 && high > upper - 0.01);
    rico_ring_sequence_at(found, 0.3, y, v);
    assert_at_most(return_error(0.1, upper, T, y, v), 1e-9);

    // the same orbit is none without the upper wall
    rico_ring_sequence start = *found;
    start.upper = INFINITY;
    rico_ring_sequence *wrong;
    assert_int_equal(rico_ring_sequence_solve(ctx, &start, &wrong), RICO_BAD_ARGUMENT);
    assert_null(wrong);
    rico_ring_sequence_destroy(found);
}


// The bridge at T = 4 pi / Omega: both strike at 0 and at T/2, for every share; it begins where all move together and ends at the graze of the mode in turn.
static void bridge(void **state)
{
    (void)state;
    for (double coupling = 0.05; coupling < 0.74; coupling += 0.11) {
        double fast = sqrt(1.0 + 4.0 * coupling), T = 4.0 * M_PI / fast, y[2], v[2], other[2];
        for (double share = 0.0; share < 0.95; share += 0.15) {
            for (int half = 0; half < 2; half++) {
                rico_ring_bridge(coupling, share, half * 0.5 * T, y, v);
                for (int n = 0; n < 2; n++) {
                    assert_near(y[n], -1.0, 1e-12);
                    assert_true(half ? v[n] < 0.0 : v[n] > 0.0);
                }
            }
            // free in between: y'' = -A y by differences
            double ahead[2], behind[2], h = 1e-4, t = 0.31 * T;
            rico_ring_bridge(coupling, share, t, y, v);
            rico_ring_bridge(coupling, share, t + h, ahead, other);
            rico_ring_bridge(coupling, share, t - h, behind, other);
            for (int n = 0; n < 2; n++) {
                double force = -y[n] + 2.0 * coupling * (y[1 - n] - y[n]);
                assert_near((ahead[n] - 2.0 * y[n] + behind[n]) / (h * h), force, 1e-6 * (1.0 + fabs(force)));
                assert_near((ahead[n] - behind[n]) / (2.0 * h), v[n], 1e-6 * (1.0 + fabs(v[n])));
            }
            rico_ring_bridge(coupling, share, 0.1 * T, y, v);
            assert_at_most(return_error(coupling, INFINITY, T, y, v), 1e-8);
        }
        rico_ring_bridge(coupling, 0.0, 0.3, y, v);
        assert_near(y[0], -cos(0.3 - 0.25 * T) / cos(0.25 * T), 1e-12);
        rico_ring_bridge(coupling, 1.0, 0.3, y, v);
        rico_ring_out_of_phase(coupling, T, 0.3, other);
        assert_near(y[0], other[0], 1e-9);
        assert_near(y[1], other[1], 1e-9);
    }
    double y[2], v[2];
    rico_ring_bridge(0.8, 0.5, 0.1, y, v);
    assert_true(isnan(y[0]) && isnan(v[1]));
}


// The state after a period from another.
static void carry(double coupling, double period, const double *from, double *to)
{
    rico_system *system = pair(coupling, INFINITY);
    rico_simulation *exact;
    assert_ok(ctx, rico_simulation_create(system, "event-driven", &exact));
    assert_ok(ctx, rico_simulation_set_number(exact, "rtol", 1e-13));
    assert_ok(ctx, rico_simulation_set_number(exact, "atol", 1e-13));
    // two impacts that nearly coincide are two
    assert_ok(ctx, rico_simulation_set_number(exact, "gap-tol", 1e-13));
    assert_ok(ctx, rico_simulation_start(exact, 0.0, from, from + 2));
    rico_run_options options = rico_run_defaults(0.02 * period);
    assert_ok(ctx, rico_simulation_run(exact, period, &options, NULL, NULL, NULL));
    memcpy(to, rico_simulation_position(exact), 2 * sizeof *to);
    memcpy(to + 2, rico_simulation_velocity(exact), 2 * sizeof *to);
    rico_simulation_destroy(exact);
    rico_system_destroy(system);
}


// Multipliers on the bridge: those of all together over two periods at its one end; traces of differences of a second integration on it.
static void bridge_multipliers(void **state)
{
    (void)state;
    const double coupling = 0.3, T = 4.0 * M_PI / sqrt(2.2);
    const pattern both = pattern_of(2, (const int[]){-1}, (const int[]){0, 1, -1});
    rico_ring_orbit *orbit = solve_feasible(2, coupling, 0.5 * T, &both);
    rico_ring_stability *once, *found;
    assert_ok(ctx, rico_ring_stability_create(orbit, 0.0, &once));
    assert_ok(ctx, rico_ring_bridge_stability(ctx, coupling, 0.0, &found));
    double sum = 0.0, squares = 0.0;
    for (int k = 0; k < 4; k++) {
        sum += found->real[k];
        squares += once->real[k] * once->real[k] - once->imag[k] * once->imag[k];
    }
    assert_near(sum, squares, 1e-9);
    rico_ring_stability_destroy(once);
    rico_ring_stability_destroy(found);
    rico_ring_orbit_destroy(orbit);

    for (double share = 0.3; share < 0.8; share += 0.2) {
        double Y[4], up[4], down[4], trace = 0.0, size = 1e-6;
        rico_ring_bridge(coupling, share, 0.2 * T, Y, Y + 2);
        for (int k = 0; k < 4; k++) {
            double more[4], less[4];
            memcpy(more, Y, sizeof more);
            memcpy(less, Y, sizeof less);
            more[k] += size;
            less[k] -= size;
            carry(coupling, T, more, up);
            carry(coupling, T, less, down);
            trace += (up[k] - down[k]) / (2.0 * size);
        }
        assert_ok(ctx, rico_ring_bridge_stability(ctx, coupling, share, &found));
        sum = 0.0;
        for (int k = 0; k < 4; k++) sum += found->real[k];
        assert_near(sum, trace,
                    1e-4 * (1.0 + fabs(trace))); // both strike at once: differences are of first order
        assert_at_most(found->symplectic, 1e-10);
        rico_ring_stability_destroy(found);
    }
    assert_int_equal(rico_ring_bridge_stability(ctx, 0.3, 1.0, &found), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_ring_bridge_stability(ctx, 0.75, 0.5, &found), RICO_BAD_ARGUMENT);
}


static bool count_points(void *user, const rico_ring_sequence *orbit)
{
    int64_t *left = user;
    assert_int_equal(orbit->verdict, RICO_RING_FEASIBLE);
    return --*left > 0;
}


// Neighbours in turn: from T_0, where they diverge, to 2 pi/Omega, where they graze. All together, counted twice, graze at 4 pi.
static void branches(void **state)
{
    (void)state;
    rico_ring_strike four[] = {
        {0, false, 0.0, 0.0}, {1, false, 0.0, 0.0}, {0, false, 4.5, 0.0}, {1, false, 4.5, 0.0}};
    rico_ring_sequence start = {2, 0.5, 9.0, INFINITY, 4, four};
    rico_ring_sequence_path path = {.parameter = RICO_RING_PERIOD, .to = 14.0, .largest_step = 0.1};
    rico_ring_end end;
    assert_ok(ctx, rico_ring_sequence_follow(ctx, &start, &path, &end));
    assert_near(end.value, 4.0 * M_PI, 1e-8);
    assert_int_equal(end.reason, RICO_RING_NO_IMPACT);
    rico_ring_strike two[] = {{1, false, 0.0, 0.0}, {0, false, 2.0, 0.0}};
    rico_ring_sequence turn = {2, 0.2, 4.0, INFINITY, 2, two};
    path.to = 2.0;
    assert_ok(ctx, rico_ring_sequence_follow(ctx, &turn, &path, &end));
    assert_near(end.value, 2.9255359253, 1e-8);
    assert_int_equal(end.reason, RICO_RING_DIVERGES);
    path.to = 6.0;
    assert_ok(ctx, rico_ring_sequence_follow(ctx, &turn, &path, &end));
    assert_near(end.value, 2.0 * M_PI / sqrt(1.8), 1e-8);
    assert_int_equal(end.reason, RICO_RING_NO_IMPACT);

    // the coupling does not matter to them; the observer ends a branch
    int64_t left = 1000;
    path = (rico_ring_sequence_path){RICO_RING_COUPLING, 0.1, 0.05, count_points, &left};
    assert_ok(ctx, rico_ring_sequence_follow(ctx, &start, &path, &end));
    assert_int_equal(end.reason, RICO_RING_FEASIBLE);
    assert_near(end.value, 0.1, 1e-15);
    assert_int_equal(1000 - left, end.points);
    left = 3;
    assert_ok(ctx, rico_ring_sequence_follow(ctx, &start, &path, &end));
    assert_int_equal(end.points, 3);

    // what is no orbit begins no branch
    rico_ring_sequence wrong = {2, 0.5, 7.0, INFINITY, 1, four};
    assert_int_equal(rico_ring_sequence_follow(ctx, &wrong, &path, &end), RICO_BAD_ARGUMENT);
}


static void refusals(void **state)
{
    (void)state;
    rico_ring_strike one[] = {{0, false, 0.0, 0.0}};
    rico_ring_sequence *found;
    const rico_ring_sequence good = {2, 0.1, 4.0, INFINITY, 1, one};
    rico_ring_sequence bad = good;
    bad.count = 0;
    assert_int_equal(rico_ring_sequence_solve(ctx, &bad, &found), RICO_BAD_ARGUMENT);
    bad = good;
    bad.upper = -0.5;
    assert_int_equal(rico_ring_sequence_solve(ctx, &bad, &found), RICO_BAD_ARGUMENT);
    bad = good;
    bad.period = 2.0 * M_PI;
    assert_int_equal(rico_ring_sequence_solve(ctx, &bad, &found), RICO_SINGULAR);
    assert_non_null(strstr(rico_message(ctx), "linear mode 0"));
    bad = good;
    one[0].particle = 2;
    assert_int_equal(rico_ring_sequence_solve(ctx, &bad, &found), RICO_BAD_ARGUMENT);
    one[0].particle = 0;
    one[0].upper = true;
    assert_int_equal(rico_ring_sequence_solve(ctx, &bad, &found), RICO_BAD_ARGUMENT);
    one[0].upper = false;
    one[0].time = NAN;
    assert_int_equal(rico_ring_sequence_solve(ctx, &bad, &found), RICO_BAD_ARGUMENT);

    // a solution that is no orbit has no multipliers
    one[0].time = 0.0;
    bad.period = 7.0;
    rico_ring_stability *none;
    assert_ok(ctx, rico_ring_sequence_solve(ctx, &bad, &found));
    assert_int_not_equal(found->verdict, RICO_RING_FEASIBLE);
    assert_int_equal(rico_ring_sequence_stability(found, 0.0, &none), RICO_BAD_ARGUMENT);
    rico_ring_sequence_destroy(found);
    rico_ring_sequence_destroy(NULL);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(between_walls), cmocka_unit_test(one_each), cmocka_unit_test(twice_each),
        cmocka_unit_test(two_walls),     cmocka_unit_test(bridge),   cmocka_unit_test(bridge_multipliers),
        cmocka_unit_test(branches),      cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
