// Branches of orbits of scenes: closed forms, bifurcations where theory has them, grazing, and ends that are told.

#include "family_orbits.h"
#include "impact_oscillator.h"

static const double PI = 3.14159265358979323846;

typedef struct seen {
    int count, kinds[RICO_POINTS];
    double value[RICO_POINTS]; // of the last of each kind
    double worst;              // distance from the closed form
    int64_t most_events;
    rico_orbit_point last;
} seen;


static bool look(void *user, const rico_orbit *orbit, rico_orbit_point kind, const char *note)
{
    seen *self = user;
    int64_t events;
    const rico_event *event = rico_orbit_events(orbit, &events);
    assert_int_equal(note[0] == '\0', kind == RICO_POINT_ORDINARY);
    self->count++;
    self->kinds[kind]++;
    self->value[kind] = rico_orbit_value(orbit);
    self->last = kind;
    if (events > self->most_events) self->most_events = events;
    assert_true(rico_orbit_lawful(orbit));
    if (events == 1 && event[0].kind == RICO_EVENT_IMPACT) {
        closed_form want = exact(rico_orbit_value(orbit), 0.6);
        self->worst = fmax(self->worst, fabs(-event[0].speed - want.speed));
        self->worst = fmax(self->worst, fabs(trace_of(orbit) - want.trace) / (1.0 + fabs(want.trace)));
    }
    return true;
}


// The flip of the closed form: 1 + trace + e^2 = 0.
static double exact_flip(double low, double high)
{
    double sign = 1.36 + exact(low, 0.6).trace > 0.0 ? 1.0 : -1.0;
    for (int n = 0; n < 200; n++) {
        double middle = 0.5 * (low + high);
        *((1.36 + exact(middle, 0.6).trace) * sign > 0.0 ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}


static void flip(void **state)
{
    rico_orbit *orbit;
    char ending[RICO_BRANCH_ENDING];
    seen all = {0};
    (void)state;
    opened of = open_family(OSCILLATOR, "omega", "2*pi/omega", NULL);
    assert_ok(ctx, find_orbit(&of, 50.0 * 2.0 * PI / 2.4, 0.0, &orbit));
    rico_branch_options options = {.low = 2.2, .high = 3.0, .direction = 1.0, .resolution = 0.05};
    assert_ok(ctx, rico_branch_follow(of.orbits, orbit, &options, look, &all, ending));
    assert_int_equal(all.kinds[RICO_POINT_FLIP], 1);
    assert_int_equal(all.kinds[RICO_POINT_BOUND], 1);
    assert_near(all.value[RICO_POINT_FLIP], exact_flip(2.5, 2.8), 2e-8);
    assert_near(all.value[RICO_POINT_BOUND], 3.0, 1e-12);
    assert_at_most(all.worst, 1e-7);
    assert_non_null(strstr(ending, "end of the range"));
    rico_orbit_destroy(orbit);
    close_family(&of);
}


// The first orbits of twice the period: two unlike impacts, stable, and as far from the simple one as the square root says.
typedef struct caught {
    rico_orbit_point kind;
    double value, t, period, q, v;
} caught;

static bool catch_flip(void *user, const rico_orbit *orbit, rico_orbit_point kind, const char *note)
{
    caught *self = user;
    (void)note;
    if (kind != RICO_POINT_FLIP) return true;
    *self = (caught){kind,
                     rico_orbit_value(orbit),
                     rico_orbit_time(orbit),
                     rico_orbit_period(orbit),
                     *rico_orbit_position(orbit),
                     *rico_orbit_velocity(orbit)};
    return false;
}


static void doubling(void **state)
{
    rico_orbit *orbit, *at, *twice[2];
    char ending[RICO_BRANCH_ENDING];
    caught flip_at = {0};
    (void)state;
    opened of = open_family(OSCILLATOR, "omega", "2*pi/omega", NULL);
    rico_orbit_options options = rico_orbit_defaults();
    options.multiple = 2;
    opened two = open_family(OSCILLATOR, "omega", "2*pi/omega", &options);
    assert_ok(ctx, find_orbit(&of, 50.0 * 2.0 * PI / 2.4, 0.0, &orbit));
    rico_branch_options way = {.low = 2.2, .high = 3.0, .direction = 1.0};
    assert_ok(ctx, rico_branch_follow(of.orbits, orbit, &way, catch_flip, &flip_at, ending));
    assert_int_equal(flip_at.kind, RICO_POINT_FLIP);
    rico_orbit_start start = {.value = flip_at.value, .t = flip_at.t, .q = &flip_at.q, .v = &flip_at.v};
    assert_ok(ctx, rico_orbit_find(of.orbits, &start, &at));
    for (int k = 0; k < 2; k++) {
        int64_t events;
        assert_ok(ctx, rico_orbit_double(two.orbits, at, k == 0 ? 0.005 : 0.01, &twice[k]));
        const rico_event *event = rico_orbit_events(twice[k], &events);
        assert_true(rico_orbit_lawful(twice[k]) && rico_orbit_stable(twice[k]));
        assert_int_equal(events, 2);
        assert_true(fabs(event[0].speed - event[1].speed) > 1e-5);
        assert_near(rico_orbit_period(twice[k]), 4.0 * PI / rico_orbit_value(twice[k]), 1e-12);
    }
    double shift[2] = {rico_orbit_value(twice[0]) - flip_at.value,
                       rico_orbit_value(twice[1]) - flip_at.value};
    assert_true(shift[0] > 0.0);
    assert_near(shift[1] / shift[0], 4.0, 0.2);
    for (int k = 0; k < 2; k++) rico_orbit_destroy(twice[k]);
    rico_orbit_destroy(at);
    rico_orbit_destroy(orbit);
    close_family(&of);
    close_family(&two);
}


// The smallest value of the closed form away from its impacts; it grazes where this is 0.
static double clearance(double omega)
{
    closed_form f = exact(omega, 0.6);
    double T = 2.0 * PI / omega, c = 1.0 / (1.0 - omega * omega), A = -c * cos(f.phase),
           B = f.after + c * omega * sin(f.phase);
    double least = INFINITY, before = 0.0, now = 0.0;
    for (int n = 1; n < 40000; n++) {
        double t = T * n / 40000.0, x = A * cos(t) + B * sin(t) + c * cos(f.phase + omega * t);
        double bend = before - 2.0 * now + x; // a minimum of its own, by a parabola
        if (n > 2 && now < before && now < x)
            least = fmin(least, now - (before - x) * (before - x) / (8.0 * bend));
        before = now;
        now = x;
    }
    return least;
}


static void grazing(void **state)
{
    rico_orbit *orbit;
    char ending[RICO_BRANCH_ENDING];
    seen all = {0};
    double low = 1.0, high = 1.2;
    (void)state;
    opened of = open_family(OSCILLATOR, "omega", "2*pi/omega", NULL);
    assert_ok(ctx, find_orbit(&of, 50.0 * 2.0 * PI / 2.4, 0.0, &orbit));
    rico_branch_options options = {
        .low = 0.9, .high = 2.5, .direction = -1.0, .resolution = 0.1, .keep_sequence = true};
    assert_ok(ctx, rico_branch_follow(of.orbits, orbit, &options, look, &all, ending));
    assert_int_equal(all.last, RICO_POINT_GRAZING);
    for (int n = 0; n < 60; n++) {
        double middle = 0.5 * (low + high);
        *(clearance(middle) > 0.0 ? &high : &low) = middle;
    }
    assert_near(all.value[RICO_POINT_GRAZING], high, 1e-6);
    assert_non_null(strstr(ending, "wall closes"));

    // and with another sequence it goes on: two impacts
    memset(&all, 0, sizeof all);
    options.keep_sequence = false;
    assert_ok(ctx, rico_branch_follow(of.orbits, orbit, &options, look, &all, ending));
    assert_int_equal(all.most_events, 2);
    assert_int_equal(all.last, RICO_POINT_BOUND);
    rico_orbit_destroy(orbit);
    close_family(&of);
}


static bool keep_last(void *user, const rico_orbit *orbit, rico_orbit_point kind, const char *note)
{
    double *last = user;
    (void)note;
    if (kind != RICO_POINT_ORDINARY && kind != RICO_POINT_GRAZING) return true;
    const double *x = rico_orbit_position(orbit), *v = rico_orbit_velocity(orbit);
    last[0] = rico_orbit_period(orbit);
    last[1] = 0.5 * (v[0] * v[0] + v[1] * v[1] + x[0] * x[0] + (x[0] - x[1]) * (x[0] - x[1]));
    return true;
}


// A backbone of two masses ends at the linear mode that grazes: its period 2 pi/omega_1, its energy 0.26393202.
static void backbone(void **state)
{
    // half a period of 9 before its impact, of impulse 0.66750455 (test_family_orbits.c)
    static const char MASSES[] =
        "parts: {p: {coordinates: [a, b], mass: [1, 1], potential: a^2/2 + (a - b)^2/2}}\n"
        "contacts: {wall: {gap: 1 - b, restitution: 1}}\n"
        "initial: {position: {a: -0.57499179, b: -1.17580762}}\n"
        "time: {end: 10, step: 0.01}\n";
    double last[2] = {0.0, 0.0};
    char ending[RICO_BRANCH_ENDING];
    rico_orbit *orbit;
    rico_orbit_options options = rico_orbit_defaults();
    (void)state;
    options.conservative = options.over_period = true;
    opened of = open_family(MASSES, NULL, NULL, &options);
    assert_ok(ctx, find_orbit(&of, 0.0, 9.0, &orbit));
    rico_branch_options way = {.low = 8.9, .high = 11.0, .direction = 1.0, .resolution = 0.1, .points = 40};
    assert_ok(ctx, rico_branch_follow(of.orbits, orbit, &way, keep_last, last, ending));
    assert_near(last[0], 4.0 * PI / (sqrt(5.0) - 1.0), 5e-4);
    assert_near(last[1], 0.26393202, 1e-5);
    rico_orbit_destroy(orbit);
    close_family(&of);
}


static bool count_points(void *user, const rico_orbit *orbit, rico_orbit_point kind, const char *note)
{
    (void)orbit, (void)kind, (void)note;
    ++*(int *)user;
    return true;
}


// What cannot go on says so, and the points before are there.
static void bad_ways(void **state)
{
    rico_orbit *orbit = NULL;
    char ending[RICO_BRANCH_ENDING];
    int points = 0;
    (void)state;
    // a parameter that leaves its range: no restitution below 0
    opened of = open_family(OSCILLATOR, "e", "2*pi/omega", NULL);
    assert_ok(ctx, find_orbit(&of, 50.0 * 2.0 * PI / 2.4, 0.0, &orbit));
    rico_branch_options options = {.low = -1.0, .high = 1.0, .direction = -1.0};
    assert_ok(ctx, rico_branch_follow(of.orbits, orbit, &options, count_points, &points, ending));
    assert_true(points > 3);
    assert_non_null(strstr(ending, "restitution"));
    // a range that does not hold the start, or is none
    rico_branch_options outside = {.low = 0.7, .high = 0.9};
    assert_int_equal(rico_branch_follow(of.orbits, orbit, &outside, count_points, &points, ending),
                     RICO_BAD_ARGUMENT);
    assert_non_null(strstr(rico_message(ctx), "outside"));
    rico_branch_options none = {.low = 0.9, .high = 0.7};
    assert_int_equal(rico_branch_follow(of.orbits, orbit, &none, count_points, &points, ending),
                     RICO_BAD_ARGUMENT);
    rico_orbit_destroy(orbit);
    close_family(&of);

    // nothing repeats: a ball that comes to rest; a body that falls for ever
    static const char FALLING[] = "parts: {ball: {coordinates: [y], mass: 1, force: -1}}\n"
                                  "contacts: {floor: {gap: y + 1e6, restitution: 0.5}}\n"
                                  "time: {end: 10, step: 0.01}\n";
    of = open_family(FALLING, NULL, NULL, NULL);
    rico_status status = find_orbit(&of, 1.0, 2.0, &orbit);
    assert_true(status == RICO_UNSUPPORTED || status == RICO_SINGULAR);
    close_family(&of);

    // driven, and nobody said so
    of = open_family(OSCILLATOR, NULL, NULL, NULL);
    assert_int_equal(find_orbit(&of, 50.0, 2.6, &orbit), RICO_BAD_INPUT);
    assert_non_null(strstr(rico_message(ctx), "depend on time"));
    close_family(&of);

    // an unknown parameter
    rico_scene_family *family = NULL;
    rico_scene_family_options how = {.path = "test.yaml", .text = OSCILLATOR, .parameter = "gamma"};
    assert_int_equal(rico_scene_family_create(ctx, &how, &family), RICO_BAD_ARGUMENT);
    assert_null(family);
    assert_non_null(strstr(rico_message(ctx), "gamma"));
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flip),     cmocka_unit_test(doubling), cmocka_unit_test(grazing),
        cmocka_unit_test(backbone), cmocka_unit_test(bad_ways),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
