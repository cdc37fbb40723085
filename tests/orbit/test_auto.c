// A branch of orbits beside AUTO-07p's, of a system that both know: an oscillator against a smooth penalty wall (auto/penalty.yaml and .f90).
//
// AUTO solves a boundary value problem by collocation, knows nothing of shooting and shares no code with us. Skipped where it is absent.

#include "one_context.h"
#include "ricochet/family.h"

#include <sys/stat.h>
#include <unistd.h>

enum { MOST = 64, LINE = 512 };

typedef struct point {
    bool fold, flip;
    double value, x[2];
} point;

typedef struct record {
    rico_orbits *orbits;
    int64_t count;
    point point[MOST];
} record;

// Of AUTO: kind, value, a state with its place on the circle of the driving, two multipliers.
typedef struct other {
    char kind[8];
    double value, x, v, cosine, sine, real[2], imag[2];
} other;

static char folder[] = "/tmp/rico-auto-XXXXXX";
static int64_t other_count;
static other others[MOST];


static void source(const char *name, char path[LINE])
{
    const char *here = strstr(__FILE__, "tests/orbit/");
    assert_non_null(here);
    snprintf(path, LINE, "%.*stests/orbit/auto/%s", (int)(here - __FILE__), __FILE__, name);
}


// AUTO's points, from a run in a folder of its own.
static void ask_auto(void)
{
    static const char *const FILES[] = {"penalty.f90", "c.penalty", "penalty.auto"};
    char path[LINE], line[2 * LINE];
    assert_non_null(mkdtemp(folder));
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
        source(FILES[i], path);
        snprintf(line, sizeof line, "cp '%s' '%s'", path, folder);
        assert_int_equal(system(line), 0);
    }
    // what the sanitizers preload is none of its business
    snprintf(line, sizeof line,
             "cd '%s' && env -u LD_PRELOAD OMP_NUM_THREADS=1 \"$(command -v auto-07p || command -v auto)\" "
             "penalty.auto > log 2>&1",
             folder);
    assert_int_equal(system(line), 0);
    snprintf(path, sizeof path, "%s/points.txt", folder);
    FILE *file = fopen(path, "r");
    if (!file) fail_msg("AUTO wrote no points: %s/log", folder);
    while (other_count < MOST && fgets(line, sizeof line, file)) {
        other *o = &others[other_count++];
        assert_int_equal(sscanf(line, "%7s %lf %lf %lf %lf %lf %lf %lf %lf %lf", o->kind, &o->value, &o->x,
                                &o->v, &o->cosine, &o->sine, &o->real[0], &o->imag[0], &o->real[1],
                                &o->imag[1]),
                         10);
    }
    fclose(file);
    snprintf(line, sizeof line, "rm -rf '%s'", folder);
    assert_int_equal(system(line), 0);
}


static bool keep(void *user, const rico_orbit *orbit, rico_orbit_point kind, const char *note)
{
    record *all = user;
    (void)note;
    if (all->count == MOST) return false;
    point *to = &all->point[all->count++];
    *to = (point){
        .fold = kind == RICO_POINT_FOLD, .flip = kind == RICO_POINT_FLIP, .value = rico_orbit_value(orbit)};
    assert_ok(ctx, rico_orbit_state(all->orbits, orbit, 0.0, to->x));
    return true;
}


// The orbit that a run from rest settles to.
static void settled(const rico_family *systems, double value, double x[2])
{
    rico_simulation *sim = NULL;
    void *owner = NULL;
    double period;
    static const double rest[1] = {0.0};
    assert_ok(ctx, systems->make(systems->user, value, &sim, &owner));
    assert_ok(ctx, systems->period(systems->user, value, &period));
    assert_ok(ctx, rico_simulation_start(sim, 0.0, rest, rest));
    for (int n = 0; n < 30; n++) assert_ok(ctx, rico_simulation_step(sim, period));
    x[0] = rico_simulation_position(sim)[0];
    x[1] = rico_simulation_velocity(sim)[0];
    systems->drop(systems->user, sim, owner);
}


static void compare_special(const record *ours, const char *kind, bool flip, int64_t expected)
{
    int64_t next = 0, found = 0;
    for (int64_t i = 0; i < other_count; i++) {
        if (strcmp(others[i].kind, kind) != 0) continue;
        while (next < ours->count && !(flip ? ours->point[next].flip : ours->point[next].fold)) next++;
        if (next == ours->count) fail_msg("AUTO has a %s at omega = %.10g more", kind, others[i].value);
        print_message("%s: AUTO %.10g, difference %.1e\n", kind, others[i].value,
                      ours->point[next].value - others[i].value);
        assert_near(ours->point[next].value, others[i].value, 1e-8);
        next++;
        found++;
    }
    assert_int_equal(found, expected);
}


// Ours at AUTO's value, between two neighbours of our branch; its state where AUTO's was taken, and its multipliers.
static void compare_state(record *ours, const point *a, const point *b, const other *with)
{
    double share = (with->value - a->value) / (b->value - a->value), guess[2], x[2];
    const double *real, *imag;
    rico_orbit *orbit = NULL;
    for (int i = 0; i < 2; i++) guess[i] = a->x[i] + share * (b->x[i] - a->x[i]);
    rico_orbit_start start = {.value = with->value, .q = guess, .v = guess + 1};
    assert_ok(ctx, rico_orbit_find(ours->orbits, &start, &orbit));
    assert_ok(ctx, rico_orbit_state(ours->orbits, orbit, atan2(with->sine, with->cosine) / with->value, x));
    print_message("omega = %.4g: x %+.1e, v %+.1e", with->value, x[0] - with->x, x[1] - with->v);
    assert_near(x[0], with->x, 1e-8);
    assert_near(x[1], with->v, 1e-8);
    assert_int_equal(rico_orbit_multipliers(orbit, &real, &imag), 2);
    for (int i = 0; i < 2; i++) { // AUTO prints six digits
        print_message(", multiplier %.8g %+.8g i against %.6g %+.6g i", real[i], imag[i], with->real[i],
                      with->imag[i]);
        assert_near(real[i], with->real[i], 2e-6);
        assert_near(fabs(imag[i]), fabs(with->imag[i]), 2e-6);
    }
    print_message("\n");
    rico_orbit_destroy(orbit);
}


// Every time that our branch passes a value, AUTO's does, at the same state.
static void compare_states(record *ours, double value, int64_t expected)
{
    int64_t next = 0, found = 0;
    for (int64_t i = 0; i + 1 < ours->count; i++) {
        const point *a = &ours->point[i], *b = &ours->point[i + 1];
        if ((a->value - value) * (b->value - value) > 0.0) continue;
        while (next < other_count &&
               (strcmp(others[next].kind, "UZ") != 0 || fabs(others[next].value - value) > 1e-6))
            next++;
        if (next == other_count) fail_msg("our branch passes omega = %g more often than AUTO's", value);
        compare_state(ours, a, b, &others[next++]);
        found++;
    }
    assert_int_equal(found, expected);
}


static void penalty_wall(void **state)
{
    (void)state;
    char path[LINE], ending[RICO_BRANCH_ENDING];
    double x[2];
    rico_scene_family *family = NULL;
    record ours = {0};
    rico_orbit *orbit = NULL;
    source("penalty.yaml", path);
    rico_scene_family_options options = {.path = path, .parameter = "omega", .period = "2*pi/omega"};
    assert_ok(ctx, rico_scene_family_create(ctx, &options, &family));
    const rico_family *systems = rico_scene_family_systems(family);
    assert_ok(ctx, rico_orbits_create(ctx, systems, NULL, &ours.orbits));
    settled(systems, 0.75, x);
    rico_orbit_start start = {.value = 0.75, .q = x, .v = x + 1};
    assert_ok(ctx, rico_orbit_find(ours.orbits, &start, &orbit));
    rico_branch_options way = {
        .low = 0.545, .high = 0.76, .direction = -1.0, .resolution = 0.1, .points = MOST};
    assert_ok(ctx, rico_branch_follow(ours.orbits, orbit, &way, keep, &ours, ending));
    compare_special(&ours, "LP", false, 2);
    compare_special(&ours, "PD", true, 1);
    compare_states(&ours, 0.7, 3);
    rico_orbit_destroy(orbit);
    rico_orbits_destroy(ours.orbits);
    rico_scene_family_destroy(family);
}


int main(void)
{
    if (system("{ command -v auto-07p || command -v auto; } >/dev/null 2>&1 && command -v gfortran "
               ">/dev/null 2>&1") != 0) {
        puts("AUTO-07p or gfortran is not installed: skipped");
        return 77;
    }
    ask_auto();
    const struct CMUnitTest tests[] = {cmocka_unit_test(penalty_wall)};
    return cmocka_run_group_tests(tests, context_start, context_end);
}
