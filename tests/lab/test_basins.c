// Basins of attraction against runs of a Runge-Kutta method written here, cell by cell, and against what symmetry says.

#include "lab/basins.h"

#include "one_context.h"

#include <unistd.h>

enum { CELLS = 20, STEPS = 300 };

static const char WELLS[] =
    "parameters: {c: 0.5}\n"
    "parts:\n"
    "  ball: {coordinates: [x], mass: 1, potential: \"x^4/4 - x^2/2\", force: -c*v_x}\n"
    "time: {end: 100, step: 0.01}\n";
static const char BESIDE[] =
    "parameters: {c: 0.5}\n"
    "parts:\n"
    "  ball: {coordinates: [x], mass: 1, potential: \"x^4/4 - x^2/2\", force: -c*v_x}\n"
    "  other: {coordinates: [y], mass: 1, potential: 2*y^2, force: -v_y}\n"
    "initial: {position: {y: 1}, velocity: {x: 0.5}}\n"
    "time: {end: 100, step: 0.01}\n";
static const char WALL[] =
    "parameters: {omega: 1.5, f: 0.5, c: 0.1, g: 1, e: 0.8}\n"
    "parts:\n"
    "  mass: {coordinates: [x], mass: 1, potential: x^2/2, force: f*cos(omega*t) - c*v_x}\n"
    "contacts:\n"
    "  wall: {gap: x + g, restitution: e}\n"
    "time: {end: 100, step: 0.01}\n";
static const char OSCILLATOR[] =
    "parameters: {omega: 2.67}\n"
    "parts:\n"
    "  mass: {coordinates: [x], mass: 1, potential: x^2/2, force: cos(omega*t)}\n"
    "contacts:\n"
    "  wall: {gap: x, restitution: 0.6}\n"
    "time: {end: 100, step: 0.01}\n";

static char path[] = "/tmp/rico-basins-XXXXXX";


static void write_scene(const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}


static rico_basins_order plane(double x_low, double x_high, double v_low, double v_high)
{
    return (rico_basins_order){.scene = path,
                               .name = {"x", "v_x"},
                               .low = {x_low, v_low},
                               .high = {x_high, v_high},
                               .cells = {CELLS, CELLS},
                               .periods = 200,
                               .checks = 50,
                               .threads = 2};
}


// ---- another path ------------------------------------------------------------------------------------------------------

typedef void rate_function(double t, const double x[2], double rate[2]);

static void wells_rate(double t, const double x[2], double rate[2])
{
    (void)t;
    rate[0] = x[1];
    rate[1] = x[0] - x[0] * x[0] * x[0] - 0.5 * x[1];
}


static void wall_rate(double t, const double x[2], double rate[2])
{
    rate[0] = x[1];
    rate[1] = -x[0] + 0.5 * cos(1.5 * t) - 0.1 * x[1];
}


static void classical_step(rate_function *rate, double t, double h, const double x[2], double to[2])
{
    static const double NODES[] = {0.0, 0.5, 0.5, 1.0},
                        WEIGHTS[] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    double k[2] = {0.0, 0.0}, at[2], sum[2] = {x[0], x[1]};
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < 2; i++) at[i] = x[i] + NODES[s] * h * k[i];
        rate(t + NODES[s] * h, at, k);
        for (int i = 0; i < 2; i++) sum[i] += WEIGHTS[s] * h * k[i];
    }
    to[0] = sum[0];
    to[1] = sum[1];
}


static void chaotic_rate(double t, const double x[2], double rate[2])
{
    rate[0] = x[1];
    rate[1] = -x[0] + cos(2.85 * t);
}


// A step in which a wall may be struck, once: when, by bisection.
static void step_with_wall(rate_function *rate, double place, double e, double t, double h, double x[2])
{
    double to[2], low = 0.0, high = h;
    classical_step(rate, t, h, x, to);
    if (to[0] < place) {
        for (int n = 0; n < 60; n++) {
            double middle = 0.5 * (low + high);
            classical_step(rate, t, middle, x, to);
            *(to[0] < place ? &high : &low) = middle;
        }
        classical_step(rate, t, low, x, to);
        double after[2] = {place, -e * to[1]};
        classical_step(rate, t + low, h - low, after, to);
    }
    x[0] = to[0];
    x[1] = to[1];
}


// The attractor nearest to where the motion is after many periods.
static int ends_at(const rico_basins *basins, rate_function *rate, bool wall, double x[2])
{
    double best = INFINITY, h = basins->period / STEPS;
    int end = -1;
    for (int64_t n = 0; n < 80 * STEPS; n++) {
        if (wall)
            step_with_wall(rate, -1.0, 0.8, (double)n * h, h, x);
        else
            classical_step(rate, 0.0, h, x, x);
    }
    for (int a = 0; a < (int)basins->attractors; a++)
        for (int64_t k = 0; k < basins->attractor[a].points; k++) {
            const double *at = basins->attractor[a].x + k * (basins->nq + basins->nv);
            double d = hypot(x[0] - at[0], x[1] - at[basins->nq]);
            if (d >= best) continue;
            best = d;
            end = a;
        }
    assert_at_most(best, 1e-3);
    return end;
}


static void compare(const rico_basins *basins, rate_function *rate, bool wall, double v)
{
    int64_t agree = 0, decided = 0;
    for (int64_t c = 0; c < basins->count; c++) {
        double at[2];
        rico_basins_centre(basins, c, at);
        if (basins->index[1] < 0) at[1] = v;
        if (basins->basin[c] == RICO_BASIN_IMPOSSIBLE) {
            assert_true(wall && at[0] < -1.0);
            continue;
        }
        assert_false(wall && at[0] < -1.0);
        decided++;
        agree += ends_at(basins, rate, wall, at) == basins->basin[c];
    }
    print_message("%lld of %lld cells agree\n", (long long)agree, (long long)decided);
    assert_at_most((double)(decided - agree), 0.01 * (double)decided);
}


// ---- the tests -------------------------------------------------------------------------------------------------------------

// Two places of rest, and nothing tells left from right.
static void two_wells(void **state)
{
    (void)state;
    rico_basins basins;
    rico_basins_order order = plane(-2.0, 2.0, -2.0, 2.0);
    order.time = 1.0;
    write_scene(WELLS);
    assert_ok(ctx, rico_basins_find(ctx, &order, &basins));
    assert_true(basins.plane);
    assert_int_equal(basins.attractors, 2);
    for (int a = 0; a < 2; a++) {
        assert_int_equal(basins.attractor[a].kind, RICO_ATTRACTOR_REST);
        assert_int_equal(basins.attractor[a].cells, CELLS * CELLS / 2);
        assert_near(fabs(basins.attractor[a].x[0]), 1.0, 1e-6);
        assert_near(basins.attractor[a].x[1], 0.0, 1e-6);
    }
    for (int64_t c = 0; c < basins.count; c++)
        assert_int_equal(basins.basin[c] + basins.basin[basins.count - 1 - c], 1);
    assert_int_equal(basins.agreed, basins.checked);
    compare(&basins, wells_rate, false, 0.0);
    rico_basins_release(&basins);
}


// One that strikes and one that does not. The latter is the oscillator's own: amplitude f/|1 - omega^2 + i c omega|.
static void wall_beyond(void **state)
{
    (void)state;
    rico_basins basins;
    rico_basins_order order = plane(-1.2, 2.8, -3.0, 3.0);
    order.period = "2*pi/omega";
    write_scene(WALL);
    assert_ok(ctx, rico_basins_find(ctx, &order, &basins));
    assert_int_equal(basins.attractors, 2);
    double real = 1.0 - 1.5 * 1.5, imaginary = 0.1 * 1.5, square = real * real + imaginary * imaginary;
    for (int a = 0; a < 2; a++) {
        const rico_attractor *one = &basins.attractor[a];
        assert_int_equal(one->kind, RICO_ATTRACTOR_ORBIT);
        assert_int_equal(one->points, 1);
        // the product of multipliers: what damping takes in a period, and e^2 for each blow
        double product = one->imag[0] != 0.0 ? one->real[0] * one->real[0] + one->imag[0] * one->imag[0]
                                             : one->real[0] * one->real[1];
        assert_near(product, exp(-0.1 * basins.period) * (one->events > 0 ? 0.64 : 1.0), 1e-7);
        if (one->events > 0) continue;
        assert_near(one->x[0], 0.5 * real / square, 1e-8);
        assert_near(one->x[1], 0.5 * 1.5 * imaginary / square, 1e-8);
    }
    assert_int_equal(basins.attractor[0].events + basins.attractor[1].events, 1);
    assert_int_equal(basins.ends[-RICO_BASIN_IMPOSSIBLE - 1],
                     1 * CELLS); // columns whose centres are beyond the wall
    compare(&basins, wall_rate, true, 0.0);
    rico_basins_release(&basins);
}


// A line of cells of a scene with coordinates that no axis has: all are simulated.
static void slice(void **state)
{
    (void)state;
    rico_basins basins;
    rico_basins_order order = plane(-2.5, 2.5, 0.0, 1.0);
    order.name[1] = NULL;
    order.cells[1] = 1;
    order.cells[0] = 60;
    order.time = 1.0;
    write_scene(BESIDE);
    assert_ok(ctx, rico_basins_find(ctx, &order, &basins));
    assert_false(basins.plane);
    assert_int_equal(basins.attractors, 2);
    for (int64_t c = 0; c < basins.count; c++) assert_true(basins.simulated[c]);
    compare(&basins, wells_rate, false, 0.5);
    rico_basins_release(&basins);
}


// Beyond the period doubling at omega = 2.6558 every second blow is like the last; all cells end there, and threads change nothing.
static void doubled(void **state)
{
    (void)state;
    rico_basins basins, again;
    rico_basins_order order = plane(0.0, 1.2, -1.0, 1.0);
    order.cells[0] = order.cells[1] = 10;
    order.period = "2*pi/omega";
    write_scene(OSCILLATOR);
    assert_ok(ctx, rico_basins_find(ctx, &order, &basins));
    assert_int_equal(basins.attractors, 1);
    assert_int_equal(basins.attractor[0].kind, RICO_ATTRACTOR_ORBIT);
    assert_int_equal(basins.attractor[0].points, 2);
    assert_int_equal(basins.attractor[0].events, 2);
    assert_int_equal(basins.attractor[0].cells, basins.count);
    order.threads = 1;
    assert_ok(ctx, rico_basins_find(ctx, &order, &again));
    assert_memory_equal(basins.basin, again.basin, (size_t)basins.count * sizeof *basins.basin);
    assert_memory_equal(basins.attractor[0].x, again.attractor[0].x, 4 * sizeof(double));
    rico_basins_release(&basins);
    rico_basins_release(&again);
}


// Beyond a cascade of doublings no two blows are alike, as a run written here says too: no orbit is claimed.
static void chaotic(void **state)
{
    (void)state;
    static const char *const SET[] = {"omega=2.85"};
    rico_basins basins;
    rico_basins_order order = plane(0.0, 1.2, -1.0, 1.0);
    order.cells[0] = order.cells[1] = 6;
    order.period = "2*pi/omega";
    order.set_count = 1;
    order.periods = 60;
    order.set = SET;
    write_scene(OSCILLATOR);
    assert_ok(ctx, rico_basins_find(ctx, &order, &basins));
    assert_int_equal(basins.attractors, 1);
    assert_int_equal(basins.attractor[0].kind, RICO_ATTRACTOR_OTHER);
    double x[2] = {0.5, 0.0}, seen[2] = {0.0, 0.0}, nearest = INFINITY, h = basins.period / STEPS;
    for (int64_t n = 0; n <= 424 * STEPS; n++) {
        if (n == 400 * STEPS) memcpy(seen, x, sizeof seen);
        if (n > 400 * STEPS && n % STEPS == 0) nearest = fmin(nearest, hypot(x[0] - seen[0], x[1] - seen[1]));
        step_with_wall(chaotic_rate, 0.0, 0.6, (double)n * h, h, x);
    }
    assert_true(nearest > 1e-4);
    rico_basins_release(&basins);
}


// Van der Pol's oscillator, nothing drives it: its period is in the books, 6.6632868593 (Andersen and Geer 1982).
static void limit_cycle(void **state)
{
    (void)state;
    rico_basins basins;
    rico_basins_order order = plane(-2.5, 2.5, -2.5, 2.5);
    order.cells[0] = order.cells[1] = 6;
    order.time = 1.0;
    write_scene("parts: {mass: {coordinates: [x], mass: 1, potential: x^2/2, force: \"(1 - x^2)*v_x\"}}\n"
                "time: {end: 100, step: 0.01}\n");
    assert_ok(ctx, rico_basins_find(ctx, &order, &basins));
    assert_int_equal(basins.attractors, 1);
    assert_int_equal(basins.attractor[0].kind, RICO_ATTRACTOR_ORBIT);
    assert_int_equal(basins.attractor[0].cells, basins.count);
    assert_near(basins.attractor[0].period, 6.6632868593, 1e-8);
    assert_near(basins.attractor[0].real[0], 1.0, 1e-6);
    rico_basins_release(&basins);
}


// Without enough periods nothing is claimed.
static void too_short(void **state)
{
    (void)state;
    rico_basins basins;
    rico_basins_order order = plane(-2.0, 2.0, -2.0, 2.0);
    order.cells[0] = order.cells[1] = 8;
    order.time = 0.01;
    order.periods = 2;
    write_scene(WELLS);
    assert_ok(ctx, rico_basins_find(ctx, &order, &basins));
    for (int64_t a = 0; a < basins.attractors; a++)
        assert_int_not_equal(basins.attractor[a].kind, RICO_ATTRACTOR_ORBIT);
    for (int64_t a = 0; a < basins.attractors; a++)
        assert_int_not_equal(basins.attractor[a].kind, RICO_ATTRACTOR_REST);
    rico_basins_release(&basins);
}


static int begin(void **state)
{
    int made = mkstemp(path);
    if (made >= 0) close(made);
    return made < 0 || context_start(state);
}


static int end(void **state)
{
    unlink(path);
    return context_end(state);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(two_wells), cmocka_unit_test(wall_beyond),
                                       cmocka_unit_test(slice),     cmocka_unit_test(doubled),
                                       cmocka_unit_test(chaotic),   cmocka_unit_test(limit_cycle),
                                       cmocka_unit_test(too_short)};
    return cmocka_run_group_tests(tests, begin, end);
}
