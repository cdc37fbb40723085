// Orbits of rings run by the event-driven integrator, and multipliers against differences of a second integration.

#include "../step/systems.h"
#include "ring_patterns.h"

enum { P = 6 };

// y'' = -A y by its Taylor series, y and v behind one another; exact to round-off for t below 1.
static void drift(double coupling, double t, double *state)
{
    double term[2 * P], next[2 * P];
    memcpy(term, state, sizeof term);
    for (int order = 1; order <= 30; order++) {
        for (int n = 0; n < P; n++) {
            next[n] = t / order * term[n + P];
            next[n + P] = t / order *
                          (coupling * (term[(n + 1) % P] - 2.0 * term[n] + term[(n + P - 1) % P]) - term[n]);
        }
        for (int n = 0; n < 2 * P; n++) state[n] += next[n];
        memcpy(term, next, sizeof term);
    }
}


// Runs over `length` with impacts wherever a particle passes the wall, each for itself.
static void run(double coupling, double length, double *state)
{
    const double most = 0.02;
    while (length > 0.0) {
        double step = fmin(most, length), trial[2 * P];
        int who = -1;
        memcpy(trial, state, sizeof trial);
        drift(coupling, step, trial);
        for (int n = 0; n < P; n++) {
            if (trial[n] >= -1.0 || trial[n + P] > 0.0) continue;

            // the last moment at which this particle is above the wall
            double low = 0.0, high = step;
            for (int k = 0; k < 60; k++) {
                double middle = 0.5 * (low + high), there[2 * P];
                memcpy(there, state, sizeof there);
                drift(coupling, middle, there);
                *(there[n] > -1.0 ? &low : &high) = middle;
            }
            if (who < 0 || high < step) who = n;
            step = fmin(step, high);
        }
        drift(coupling, step, state);
        if (who >= 0) state[who + P] = fabs(state[who + P]);
        length -= step;
    }
}


// The derivative of the flow over a period has the spectrum of Mon from wherever it starts; here from T/4, where nobody strikes, by
// central differences. Compared are the traces of it and of its square, and the growth of a perturbation.
static void derivatives(const pattern *of, double coupling)
{
    rico_ring_orbit *orbit = solve_feasible(P, coupling, PERIOD, of);
    rico_ring_stability *found;
    assert_ok(ctx, rico_ring_stability_create(orbit, 0.0, &found));
    assert_at_most(found->symplectic, 1e-12);

    double Y[2 * P], J[2 * P][2 * P], square = 0.0, trace = 0.0, size = 1e-5;
    rico_ring_orbit_at(orbit, 0.25 * PERIOD, Y, Y + P);
    for (int k = 0; k < 2 * P; k++) {
        double up[2 * P], down[2 * P];
        memcpy(up, Y, sizeof up);
        memcpy(down, Y, sizeof down);
        up[k] += size;
        down[k] -= size;
        run(coupling, PERIOD, up);
        run(coupling, PERIOD, down);
        for (int i = 0; i < 2 * P; i++) J[i][k] = (up[i] - down[i]) / (2.0 * size);
    }
    for (int i = 0; i < 2 * P; i++) {
        trace += J[i][i];
        for (int k = 0; k < 2 * P; k++) square += J[i][k] * J[k][i];
    }
    double sum = 0.0, squares = 0.0;
    for (int k = 0; k < 2 * P; k++) {
        sum += found->real[k];
        squares += found->real[k] * found->real[k] - found->imag[k] * found->imag[k];
    }
    assert_near(sum, trace, 1e-6 * (1.0 + fabs(trace)));
    assert_near(squares, square, 1e-6 * (1.0 + fabs(square)));

    // a perturbation grows with the largest multiplier, once it has forgotten the others
    double power[2 * P], grown = 0.0;
    for (int i = 0; i < 2 * P; i++) power[i] = 1.0 + 0.1 * i;
    for (int turn = 0; turn < 60 && found->largest > 1.5; turn++) {
        double next[2 * P], norm = 0.0;
        for (int i = 0; i < 2 * P; i++) {
            next[i] = 0.0;
            for (int k = 0; k < 2 * P; k++) next[i] += J[i][k] * power[k];
            norm = fmax(norm, fabs(next[i]));
        }
        grown = norm;
        for (int i = 0; i < 2 * P; i++) power[i] = next[i] / norm;
    }
    if (found->largest > 1.5) assert_near(grown, found->largest, 1e-5 * found->largest);
    rico_ring_stability_destroy(found);
    rico_ring_orbit_destroy(orbit);
}


static void multipliers(void **state)
{
    (void)state;
    const pattern single = at_start(P, (const int[]){2, -1}), pair = at_start(P, (const int[]){2, 3, -1});
    const pattern turns = alternating(P),
                  mixed = pattern_of(P, (const int[]){0, 2, -1}, (const int[]){3, -1});
    const pattern *all[] = {&single, &pair, &turns, &mixed};
    for (int i = 0; i < 4; i++) {
        derivatives(all[i], 0.05);
        derivatives(all[i], 0.1);
    }
}


// The same ring as a mechanical system with elastic stops.
static rico_system *ring_system(double coupling)
{
    int64_t start_of[P + 1], diagonal[P], column[3 * P], place[P + 1];
    double stiffness[3 * P], ones[P];
    for (int n = 0; n < P; n++) {
        double row[P] = {0.0};
        row[n] = 1.0 + 2.0 * coupling;
        row[(n + 1) % P] -= coupling;
        row[(n + P - 1) % P] -= coupling;
        start_of[n] = 3 * n;
        place[n] = diagonal[n] = n;
        ones[n] = 1.0;
        for (int i = 0, at = 3 * n; i < P; i++) {
            if (i != n && i != (n + 1) % P && i != (n + P - 1) % P) continue;
            column[at] = i;
            stiffness[at++] = row[i];
        }
    }
    start_of[P] = 3 * P;
    place[P] = P;

    rico_system *system;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_matrix_part part = {
        .size = P, .M = {P, P, place, diagonal, ones}, .K = {P, P, start_of, column, stiffness}};
    assert_ok(ctx, rico_system_add_matrices(system, "ring", &part, NULL));
    for (int64_t n = 0; n < P; n++) {
        char name[16];
        snprintf(name, sizeof name, "wall%d", (int)n);
        const double one = 1.0;
        rico_contact wall = {
            .dimension = 1, .restitution = 1.0, .reach = {1, &n}, .gradient = &one, .offset = 1.0};
        assert_ok(ctx, rico_system_add_contact(system, name, &wall, NULL));
    }
    return system;
}


// Y(T/4 + T) = Y(T/4), the energy stays, and the motion is even about 0 and T/2.
static void run_by_events(void **state)
{
    (void)state;
    const double coupling = 0.06;
    const pattern all[] = {at_start(P, (const int[]){2, -1}), at_start(P, (const int[]){2, 3, -1}),
                           alternating(P), pattern_of(P, (const int[]){0, 2, -1}, (const int[]){3, -1})};
    for (int i = 0; i < 4; i++) {
        rico_ring_orbit *orbit = solve_feasible(P, coupling, PERIOD, &all[i]);
        rico_system *system = ring_system(coupling);
        rico_simulation *exact;
        double y[P], v[P];
        rico_ring_orbit_at(orbit, 0.25 * PERIOD, y, v);
        assert_ok(ctx, rico_simulation_create(system, "event-driven", &exact));
        assert_ok(ctx, rico_simulation_set_number(exact, "rtol", 1e-13));
        assert_ok(ctx, rico_simulation_set_number(exact, "atol", 1e-13));
        assert_ok(ctx, rico_simulation_start(exact, 0.0, y, v));
        rico_run_options options = rico_run_defaults(0.125 * PERIOD);
        for (int quarter = 1; quarter <= 4; quarter++) {
            double there[P], speed[P];
            assert_ok(ctx, rico_simulation_run(exact, 0.25 * PERIOD * quarter + (quarter % 2 ? 0.1 : 0.0),
                                               &options, NULL, NULL, NULL));
            rico_ring_orbit_at(orbit, 0.25 * PERIOD + rico_simulation_time(exact), there, speed);
            for (int n = 0; n < P; n++) {
                assert_near(rico_simulation_position(exact)[n], there[n], 1e-10);
                assert_near(rico_simulation_velocity(exact)[n], speed[n], 1e-10);
                if (quarter == 4) assert_near(there[n], y[n], 1e-12);
            }
        }
        const rico_ledger *ledger = rico_simulation_ledger_total(exact);
        assert_near(ledger->kinetic + ledger->potential, orbit->energy, 1e-10);
        rico_simulation_destroy(exact);
        rico_system_destroy(system);

        for (double t = 0.0; t < 3.0; t += 0.17) {
            double back[P], ahead[P], other[P];
            rico_ring_orbit_at(orbit, -t, back, other);
            rico_ring_orbit_at(orbit, t, ahead, other);
            for (int n = 0; n < P; n++) assert_near(back[n], ahead[n], 1e-12);
        }
        rico_ring_orbit_destroy(orbit);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(multipliers),
        cmocka_unit_test(run_by_events),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
