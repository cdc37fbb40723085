// What holds for every scheme of the table: the ledger closes, terms keep their signs where that is proved, energy is
// gained outside with a warning, and every scheme runs on every kind of contact and system.

#include "moving_schemes.h"
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


static void set(rico_context *ctx, rico_simulation *sim, const char *name, double value)
{
    assert_ok(ctx, rico_simulation_set_number(sim, name, value));
}


static bool is(const rico_scheme_info *scheme, const char *name)
{
    return strcmp(scheme->name, name) == 0;
}


// Whether it has a common option.
static bool takes(const rico_scheme_info *scheme, const char *option)
{
    int count;
    const rico_option_info *options = rico_scheme_common_options(&count);
    for (int i = 0; i < count; i++)
        if (strcmp(options[i].name, option) == 0) return rico_scheme_takes(scheme, i);
    return false;
}


// Parameters at random within the range in which the scheme is proved to dissipate, e_max being the largest
// restitution. False for schemes about which nothing is proved here: they keep their defaults.
static bool draw_inside(rico_context *ctx, rico_random *random, const rico_scheme_info *scheme, double e_max,
                        rico_simulation *sim)
{
    if (is(scheme, "moreau-jean") || is(scheme, "moreau-jean-fremond")) {
        set(ctx, sim, "theta", rico_random_range(random, 0.5, 1.0 / (1.0 + e_max)));
        return true;
    }
    if (is(scheme, "moreau-jean-variant")) {
        set(ctx, sim, "theta", rico_random_range(random, 0.5, 1.0));
        return true;
    }
    double nu = is(scheme, "hht") || is(scheme, "newmark") ? 0.5 : rico_random_range(random, 0.0, 1.5);
    double damp = rico_random_range(random, 0.0, nu), eta = rico_random_range(random, 0.0, damp);
    double gamma = 0.5 + damp, beta = 0.5 * gamma + rico_random_range(random, 0.0, 0.5);
    if (is(scheme, "newmark")) {
        set(ctx, sim, "gamma", gamma);
        set(ctx, sim, "beta", rico_random_below(random, 3) == 0 ? 0.5 * gamma : beta);
        return true;
    }
    if (is(scheme, "hht")) {
        set(ctx, sim, "alpha", eta);
        if (rico_random_below(random, 2) == 0) return true; // gamma and beta of second order
        set(ctx, sim, "gamma", gamma);
        set(ctx, sim, "beta", beta);
        return true;
    }
    if (!is(scheme, "generalized-alpha") && !is(scheme, "kh-generalized-alpha")) return false;
    if (rico_random_below(random, 2) == 0) {
        int64_t end =
            rico_random_below(random, 10); // both ends of the range are special: nu = 0 and alpha_f = 0
        set(ctx, sim, "rho-inf", end == 0 ? 0.0 : end == 1 ? 1.0 : rico_random_unit(random));
        return true;
    }
    set(ctx, sim, "alpha-m", 0.5 - nu);
    set(ctx, sim, "alpha-f", 0.5 - nu + eta);
    set(ctx, sim, "gamma", gamma);
    set(ctx, sim, "beta", beta);
    return true;
}


// Parameters at random, anywhere: identities know no range.
static void draw_anywhere(rico_context *ctx, rico_random *random, const rico_scheme_info *scheme,
                          rico_simulation *sim)
{
    if (strncmp(scheme->name, "moreau-jean", 11) == 0)
        set(ctx, sim, "theta", rico_random_range(random, 0.3, 1.0));
    double gamma = rico_random_range(random, 0.3, 1.2), beta = rico_random_range(random, 0.1, 0.9);
    bool newmark = is(scheme, "newmark"), hht = is(scheme, "hht");
    bool alpha = is(scheme, "generalized-alpha") || is(scheme, "kh-generalized-alpha");
    if (newmark || hht || alpha) {
        set(ctx, sim, "gamma", gamma);
        set(ctx, sim, "beta", beta);
    }
    if (hht) set(ctx, sim, "alpha", rico_random_range(random, -0.2, 0.5));
    if (alpha) {
        // 1/2 is where the filters lose their time scale: nu = 0
        set(ctx, sim, "alpha-m", rico_random_below(random, 4) ? rico_random_range(random, -1.0, 0.5) : 0.5);
        set(ctx, sim, "alpha-f", rico_random_range(random, -0.2, 0.6));
    }
}


// Does a scheme put its constraints on positions, beside or instead of velocities?
static bool on_positions(const rico_scheme_info *scheme)
{
    static const char *const NAMES[] = {"schatzman-paoli",       "direct-projection",
                                        "combined-projection",   "midpoint-projection",
                                        "trapezoidal-position",  "contact-stabilized",
                                        "moreau-jean-projected", "generalized-alpha-constrained",
                                        "paoli-position"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (strcmp(scheme->name, NAMES[i]) == 0) return true;
    return false;
}


// The identity closes to round-off at every step of random linear systems, 1 to 50 contacts, in every dimension, with
// and without damping, under both laws and with a step that changes on the way.
static void identity(void **state)
{
    rico_context *ctx = *state;
    static const int64_t CONTACTS[] = {1, 2, 3, 5, 8, 12, 20, 50};
    rico_random random;
    rico_random_seed(&random, 1);
    const rico_scheme_info *scheme;
    for (int s = 0; (scheme = moving_scheme_at(s)); s++) {
        if (!scheme->identity) continue;
        double used = 0.0;
        for (int trial = 0; trial < 48; trial++) {
            int64_t contacts = CONTACTS[trial % 8],
                    n = 4 + rico_random_below(&random, contacts > 12 ? 50 : 20);
            int dimension = 1 + trial / 8 % 3;
            // more half-spaces than coordinates need have no position in common
            if (on_positions(scheme) && n < contacts + 2) n = contacts + 2;
            random_system system;
            random_system_create(ctx, &random, n, contacts, dimension, 0.9, 0.8, trial % 2, &system);
            rico_simulation *sim;
            assert_ok(ctx, rico_simulation_create(system.system, scheme->name, &sim));
            if (trial % 4) draw_anywhere(ctx, &random, scheme, sim);
            if (trial % 3 == 0 && takes(scheme, "law"))
                assert_ok(ctx, rico_simulation_set(sim, "law", "fremond"));
            set(ctx, sim, "tol", 1e-6);
            assert_ok(ctx, rico_simulation_start(sim, 0.0, system.q, system.v));
            for (int k = 0; k < 12; k++) {
                rico_status status = rico_simulation_step(sim, k < 8 ? 0.01 : 0.02);
                if (scheme->own_error && status == RICO_UNSUPPORTED) break; // impacts accumulate
                assert_ok(ctx, status);
                const rico_ledger *ledger = rico_simulation_ledger(sim);
                if (!(fabs(ledger->residual) <= 1e-12 * energy_scale(ledger)))
                    fail_msg("%s, trial %d, step %d: residual %g of %g", scheme->name, trial, k,
                             ledger->residual, energy_scale(ledger));
                used += fabs(ledger->normal) + fabs(ledger->tangential);
            }
            rico_simulation_destroy(sim);
            random_system_destroy(&system);
        }
        assert_true(used > 1.0);
    }
}


// No term of dissipation is ever positive inside the proved range: numerical terms, normal works, and the works of
// friction under Fremond's law. The first step opens the account of an algorithmic energy that depends on h and is
// no dissipation: terms count from the second.
static void signs(void **state)
{
    rico_context *ctx = *state;
    enum { DRAWS = 10000 };
    rico_random random;
    rico_random_seed(&random, 2);
    double dissipated[3] = {0.0};
    int draws = 0;
    for (int s = 0; draws < DRAWS; s++) {
        const rico_scheme_info *scheme = moving_scheme_at(s);
        if (!scheme) {
            s = -1;
            continue;
        }
        if (scheme->own_error)
            continue; // its works are integrals, with the error of the integration: test_event_random.c
        int64_t n = 1 + rico_random_below(&random, 6), contacts = 1 + rico_random_below(&random, 3);
        int dimension = n < 3 ? 1 : 1 + (int)rico_random_below(&random, 3);
        bool fremond = is(scheme, "moreau-jean-fremond") || rico_random_below(&random, 2);
        double e_max = rico_random_unit(&random), h = pow(10.0, rico_random_range(&random, -3.0, 0.5));
        random_system system;
        random_system_create(ctx, &random, n, contacts, dimension, e_max, fremond ? 0.8 : 0.0,
                             rico_random_below(&random, 2), &system);
        rico_simulation *sim;
        assert_ok(ctx, rico_simulation_create(system.system, scheme->name, &sim));
        if (draw_inside(ctx, &random, scheme, e_max, sim)) {
            draws++;
            assert_ok(ctx, rico_simulation_set(sim, "law", fremond ? "fremond" : "newton"));
            assert_ok(ctx, rico_simulation_start(sim, 0.0, system.q, system.v));
            for (int k = 0; k < 4; k++) {
                assert_ok(ctx, rico_simulation_step(sim, h));
                const rico_ledger *ledger = rico_simulation_ledger(sim);
                double bound = 1e-12 * energy_scale(ledger);
                for (int i = 0; k > 0 && i < RICO_NUMERICAL_TERMS; i++) {
                    if (!(ledger->numerical[i] <= bound))
                        fail_msg("%s: %s = %g", scheme->name, scheme->numerical[i], ledger->numerical[i]);
                    dissipated[0] -= ledger->numerical[i];
                }
                for (int64_t c = 0; c < contacts; c++) {
                    assert_at_most(rico_simulation_normal_work(sim)[c], bound);
                    assert_at_most(rico_simulation_tangential_work(sim)[c], bound);
                }
                if (is(scheme, "contact-stabilized")) assert_at_most(ledger->projection, bound);
                dissipated[1] -= ledger->normal;
                dissipated[2] -= ledger->tangential;
            }
        }
        rico_simulation_destroy(sim);
        random_system_destroy(&system);
    }
    for (int i = 0; i < 3; i++) assert_true(dissipated[i] > 1.0);
}


enum { WARNINGS = 1024 };

// Appends a warning to the text that the user data holds.
static void keep_warning(void *user, rico_log_level level, const char *text)
{
    char *kept = user;
    size_t used = strlen(kept);
    if (level == RICO_LOG_WARNING) snprintf(kept + used, WARNINGS - used, "%s\n", text);
}


// One bound of one scheme, broken: a mass of 1 on a spring k, its ground at -offset, started from (q, v).
typedef struct gain {
    const char *scheme, *bound; // what the warning says of it
    const char *option[4];
    double value[4];
    double k, offset, e, q, v, h;
    int steps;
    bool own_energy; // it is the scheme's own energy that grows, in some step; else E doubles
} gain;

#define GAMMA "2 beta >= gamma >= 1/2"
#define ALPHA "0 <= alpha_f - alpha_m <= gamma - 1/2 <= 1/2 - alpha_m"

static const gain GAINS[] = {
    // theta-methods: theta < 1/2 feeds the spring; theta = 1 and e = 1 leave an impact on a stiff spring behind the ground
    {"moreau-jean", "[1/2, 1]", {"theta"}, {0.4}, 1, 10, 0, 1, 0, 0.5, 100, false},
    {"moreau-jean", "[1/2, 1/(1 + max e)]", {"theta"}, {1.0}, 100, 0, 1, 0, -1, 1.0, 1, false},
    {"moreau-jean-fremond", "[1/2, 1]", {"theta"}, {0.4}, 1, 10, 0, 1, 0, 0.5, 100, false},
    {"moreau-jean-fremond", "[1/2, 1/(1 + max e)]", {"theta"}, {1.0}, 100, 0, 1, 0, -1, 1.0, 1, false},
    {"moreau-jean-variant", "[1/2, 1]", {"theta"}, {0.4}, 1, 10, 0, 1, 0, 0.5, 100, false},
    {"contact-stabilized", "[1/2, 1]", {"theta"}, {0.4}, 1, 10, 0, 1, 0, 0.5, 100, false},

    // gamma < 1/2 feeds every frequency, 2 beta < gamma the high ones
    {"newmark", GAMMA, {"gamma", "beta"}, {0.4, 0.25}, 1, 10, 0, 1, 0, 0.5, 100, false},
    {"newmark", GAMMA, {"gamma", "beta"}, {0.5, 0.1}, 100, 10, 0, 1, 0, 1.0, 100, false},
    {"newmark", "exceeds 1", {NULL}, {0}, 0, 0, 2.0, 0, -1, 0.1, 1, false},
    {"hht", GAMMA, {"alpha", "gamma", "beta"}, {0.0, 0.4, 0.25}, 1, 10, 0, 1, 0, 0.5, 100, false},
    {"hht", GAMMA, {"alpha", "gamma", "beta"}, {0.0, 0.5, 0.1}, 100, 10, 0, 1, 0, 1.0, 100, false},
    {"hht", "exceeds 1", {"alpha"}, {0.1}, 0, 0, 2.0, 0, -1, 0.1, 1, false},

    // eta < 0, eta > gamma - 1/2, gamma - 1/2 > nu
    {"hht", ALPHA, {"alpha", "gamma", "beta"}, {-0.2, 0.5, 0.25}, 1, 10, 0, 1, 0, 0.5, 100, true},
    {"hht", ALPHA, {"alpha", "gamma", "beta"}, {0.2, 0.5, 0.25}, 1, 10, 0, 1, 0, 0.5, 100, false},
    {"hht", ALPHA, {"alpha", "gamma", "beta"}, {0.7, 1.3, 0.65}, 100, 10, 0, 1, 0, 1.0, 100, false},
    {"generalized-alpha",
     GAMMA,
     {"alpha-m", "alpha-f", "gamma", "beta"},
     {0, 0, 0.4, 0.25},
     1,
     10,
     0,
     1,
     0,
     0.5,
     100,
     false},
    {"generalized-alpha",
     GAMMA,
     {"alpha-m", "alpha-f", "gamma", "beta"},
     {0, 0, 0.5, 0.1},
     100,
     10,
     0,
     1,
     0,
     1,
     100,
     false},
    {"generalized-alpha",
     ALPHA,
     {"alpha-m", "alpha-f", "gamma", "beta"},
     {0, -0.2, 0.5, 0.25},
     1,
     10,
     0,
     1,
     0,
     0.5,
     100,
     true},
    {"generalized-alpha",
     ALPHA,
     {"alpha-m", "alpha-f", "gamma", "beta"},
     {0, 0.2, 0.5, 0.25},
     1,
     10,
     0,
     1,
     0,
     0.5,
     100,
     false},
    {"generalized-alpha",
     ALPHA,
     {"alpha-m", "alpha-f", "gamma", "beta"},
     {0.4, 0.7, 0.9, 0.45},
     100,
     10,
     0,
     1,
     0,
     1,
     100,
     false},
    {"generalized-alpha", "exceeds 1", {"rho-inf"}, {0.8}, 0, 0, 2.0, 0, -1, 0.1, 1, false},
    {"kh-generalized-alpha",
     GAMMA,
     {"alpha-m", "alpha-f", "gamma", "beta"},
     {0, 0, 0.4, 0.25},
     1,
     10,
     0,
     1,
     0,
     0.5,
     100,
     false},
    {"kh-generalized-alpha",
     GAMMA,
     {"alpha-m", "alpha-f", "gamma", "beta"},
     {0, 0, 0.5, 0.1},
     100,
     10,
     0,
     1,
     0,
     1,
     100,
     false},
    {"kh-generalized-alpha",
     ALPHA,
     {"alpha-m", "alpha-f", "gamma", "beta"},
     {0, -0.2, 0.5, 0.25},
     1,
     10,
     0,
     1,
     0,
     0.5,
     100,
     true},
    {"kh-generalized-alpha",
     ALPHA,
     {"alpha-m", "alpha-f", "gamma", "beta"},
     {0, 0.2, 0.5, 0.25},
     1,
     10,
     0,
     1,
     0,
     0.5,
     100,
     false},
    {"kh-generalized-alpha",
     ALPHA,
     {"alpha-m", "alpha-f", "gamma", "beta"},
     {0.4, 0.7, 0.9, 0.45},
     100,
     10,
     0,
     1,
     0,
     1,
     100,
     false},
    {"kh-generalized-alpha", "exceeds 1", {"rho-inf"}, {0.8}, 0, 0, 2.0, 0, -1, 0.1, 1, false},
};


// Runs one; returns whether energy was gained.
static bool gains(rico_context *ctx, const gain *g, char warning[WARNINGS])
{
    rico_system *system = bouncing_oscillator(ctx, g->k, 0.0, g->offset, g->e);
    rico_simulation *sim;
    warning[0] = '\0';
    assert_ok(ctx, rico_simulation_create(system, g->scheme, &sim));
    for (int i = 0; i < 4 && g->option[i]; i++) set(ctx, sim, g->option[i], g->value[i]);
    assert_ok(ctx, rico_simulation_start(sim, 0.0, &g->q, &g->v));
    double first = rico_simulation_ledger(sim)->kinetic + rico_simulation_ledger(sim)->potential, most = 0.0,
           own = 0.0;
    for (int k = 0; k < g->steps; k++) {
        assert_ok(ctx, rico_simulation_step(sim, g->h));
        const rico_ledger *ledger = rico_simulation_ledger(sim);
        assert_at_most(fabs(ledger->residual), 1e-12 * energy_scale(ledger));
        most = fmax(most, ledger->kinetic + ledger->potential);
        double sum = ledger->normal;
        for (int i = 0; i < RICO_NUMERICAL_TERMS; i++) sum += ledger->numerical[i];
        if (k > 0) own = fmax(own, sum / energy_scale(ledger));
    }
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
    return g->own_energy ? own > 1e-3 : most > 2.0 * first;
}


static void gains_outside(void **state)
{
    rico_context *ctx = *state;
    char warning[WARNINGS];
    rico_context_set_log(ctx, keep_warning, warning, RICO_LOG_WARNING);
    for (size_t i = 0; i < sizeof GAINS / sizeof *GAINS; i++) {
        if (!gains(ctx, &GAINS[i], warning))
            fail_msg("%s did not gain beyond %s", GAINS[i].scheme, GAINS[i].bound);
        if (!strstr(warning, GAINS[i].bound)) fail_msg("%s warned of \"%s\"", GAINS[i].scheme, warning);
    }
}


// Nothing is said inside the range, nor with the defaults.
static void quiet_inside(void **state)
{
    rico_context *ctx = *state;
    char warning[WARNINGS] = "";
    rico_random random;
    rico_random_seed(&random, 3);
    rico_context_set_log(ctx, keep_warning, warning, RICO_LOG_WARNING);
    const rico_scheme_info *scheme;
    for (int s = 0; (scheme = moving_scheme_at(s)); s++)
        for (int trial = 0; trial < 50; trial++) {
            // contacts at positions alone have no use for a restitution, and say so
            bool none = strcmp(scheme->name, "trapezoidal-position") == 0 ||
                        strcmp(scheme->name, "contact-stabilized") == 0;
            double e = none ? 0.0 : 0.6;
            rico_system *system = bouncing_oscillator(ctx, 1.0, 0.1, 1.0, e);
            rico_simulation *sim;
            const double q = 1.0, v = 0.0;
            assert_ok(ctx, rico_simulation_create(system, scheme->name, &sim));
            if (trial > 0) draw_inside(ctx, &random, scheme, 0.6, sim);
            assert_ok(ctx, rico_simulation_start(sim, 0.0, &q, &v));
            assert_string_equal(warning, "");
            rico_simulation_destroy(sim);
            rico_system_destroy(system);
        }
}


static void run(rico_context *ctx, rico_system *system, const rico_scheme_info *scheme, const double *q,
                const double *v, bool late)
{
    rico_simulation *sim;
    assert_ok(ctx, rico_simulation_create(system, scheme->name, &sim));
    if (late && takes(scheme, "frames")) assert_ok(ctx, rico_simulation_set(sim, "frames", "end"));
    rico_status status = rico_simulation_start(sim, 0.0, q, v);
    int64_t n = rico_system_velocities(system);
    for (int k = 0; status == RICO_OK && k < 200; k++) {
        status = rico_simulation_step(sim, 0.02);
        for (int64_t i = 0; i < n; i++) {
            assert_true(isfinite(rico_simulation_position(sim)[i]));
            assert_true(fabs(rico_simulation_velocity(sim)[i]) < 1e3);
        }
    }
    // a scheme may say that it cannot; it may not fail
    if (status != RICO_UNSUPPORTED) assert_ok(ctx, status);
    rico_simulation_destroy(sim);
}


// Every scheme on contacts without friction, with friction in the plane and in space, on linear and nonlinear systems.
static void runs(void **state)
{
    rico_context *ctx = *state;
    rico_random random;
    rico_random_seed(&random, 4);
    const double q[CURVED] = {0.5, 0.2, -0.3, 0.1}, v[CURVED] = {-1.0, 0.5, 1.0, -2.0};
    const rico_scheme_info *scheme;
    for (int s = 0; (scheme = moving_scheme_at(s)); s++)
        for (int dimension = 1; dimension <= 3; dimension++) {
            random_system linear;
            random_system_create(ctx, &random, 6, 3, dimension, 0.8, 0.5, true, &linear);
            run(ctx, linear.system, scheme, linear.q, linear.v, false);
            random_system_destroy(&linear);
            for (int late = 0; late < 2; late++) {
                rico_system *curved = curved_system(ctx, dimension, 0.5, 0.3);
                run(ctx, curved, scheme, q, v, late);
                rico_system_destroy(curved);
            }
        }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(identity, setup, teardown),
        cmocka_unit_test_setup_teardown(signs, setup, teardown),
        cmocka_unit_test_setup_teardown(gains_outside, setup, teardown),
        cmocka_unit_test_setup_teardown(quiet_inside, setup, teardown),
        cmocka_unit_test_setup_teardown(runs, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
