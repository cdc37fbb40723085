// How steps fail: one sentence with step, time and culprit, and the last good state untouched.

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


// A machine whose every function can be made to fail from a moment on, or from a position on where it knows no time.
typedef enum fault {
    NO_FAULT,
    IN_MASS,
    IN_LOAD,
    IN_FORCE,
    IN_POTENTIAL,
    IN_GRADIENT,
    IN_STIFFNESS,
    IN_DAMPING,
    IN_RETRACT,
    IN_GAP,
    IN_FRAME,
    IN_RATE,
    IN_VALUE,
    FAULTS
} fault;

static const char *const WORDS[FAULTS] = {
    [IN_MASS] = "mass of part body",
    [IN_LOAD] = "load of part body",
    [IN_FORCE] = "force of part body",
    [IN_POTENTIAL] = "potential of part body",
    [IN_GRADIENT] = "body",
    [IN_STIFFNESS] = "stiffness of part body",
    [IN_DAMPING] = "body",
    [IN_RETRACT] = "position of part body",
    [IN_GAP] = "gap of contact floor",
    [IN_FRAME] = "frame of contact floor",
    [IN_RATE] = "rate of contact floor",
    [IN_VALUE] = "joint guide",
};

typedef struct machine {
    fault where;
    bool refuse; // return false, rather than a NaN
    bool armed;
} machine;

// The answer of a function that may be the faulty one: spoils out[last] or refuses.
static bool answer(const machine *self, fault here, double *out, int last)
{
    if (!self->armed || self->where != here) return true;
    if (self->refuse) return false;
    out[last] = NAN;
    return true;
}


static bool mass(void *user, const double *q, double *M)
{
    M[0] = 1.0 + 0.1 * q[0] * q[0];
    M[1] = M[2] = 0.0;
    M[3] = 2.0;
    return answer(user, IN_MASS, M, 3);
}


static bool load(void *user, double t, double *f)
{
    f[0] = sin(t);
    f[1] = -1.0;
    return answer(user, IN_LOAD, f, 1);
}


static bool force(void *user, double t, const double *q, const double *v, double *f)
{
    (void)t;
    f[0] = -0.1 * v[0];
    f[1] = -0.1 * v[1] * q[1];
    return answer(user, IN_FORCE, f, 0);
}


static bool potential(void *user, const double *q, double *V)
{
    *V = 0.5 * q[0] * q[0];
    return answer(user, IN_POTENTIAL, V, 0);
}


static bool gradient(void *user, const double *q, double *g)
{
    g[0] = q[0];
    g[1] = 0.0;
    return answer(user, IN_GRADIENT, g, 0);
}


static bool stiffness(void *user, double t, const double *q, const double *v, double *K)
{
    (void)t, (void)q;
    K[0] = 1.0;
    K[1] = K[2] = 0.0;
    K[3] = 0.1 * v[1];
    return answer(user, IN_STIFFNESS, K, 3);
}


static bool damping(void *user, double t, const double *q, const double *v, double *C)
{
    (void)t, (void)v;
    C[0] = 0.1;
    C[1] = C[2] = 0.0;
    C[3] = 0.1 * q[1];
    return answer(user, IN_DAMPING, C, 0);
}


static bool retract(void *user, const double *q, const double *dq, double *out)
{
    out[0] = q[0] + dq[0];
    out[1] = q[1] + dq[1];
    return answer(user, IN_RETRACT, out, 1);
}


static bool gap(void *user, double t, const double *q, double *g)
{
    (void)t;
    *g = q[1];
    return answer(user, IN_GAP, g, 0);
}


static bool frame(void *user, double t, const double *q, double *H)
{
    (void)t, (void)q;
    H[0] = H[3] = 0.0;
    H[1] = H[2] = 1.0;
    return answer(user, IN_FRAME, H, 1);
}


static bool rate(void *user, double t, const double *q, double *w)
{
    (void)q;
    w[0] = 0.0;
    w[1] = 0.1 * cos(t);
    return answer(user, IN_RATE, w, 1);
}


static bool value(void *user, double t, const double *q, double *g)
{
    (void)t;
    *g = q[2];
    return answer(user, IN_VALUE, g, 0);
}


static bool guide(void *user, double t, const double *q, double *H)
{
    (void)user, (void)t, (void)q;
    *H = 1.0;
    return true;
}


static rico_system *build(rico_context *ctx, machine *self)
{
    const int64_t dof[] = {0, 1}, rail[] = {2}, column[] = {0, 1}, row[] = {0};
    const double one = 1.0;
    rico_system *system;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_callback_part part = {.size = 2,
                               .mass = mass,
                               .load = load,
                               .force = force,
                               .potential = potential,
                               .gradient = gradient,
                               .stiffness = stiffness,
                               .damping = damping,
                               .retract = retract,
                               .user = self};
    assert_ok(ctx, rico_system_add_callbacks(system, "body", &part, NULL));
    rico_matrix_part slider = {.size = 1, .M = {1, 1, column, row, &one}};
    assert_ok(ctx, rico_system_add_matrices(system, "slider", &slider, NULL));
    rico_contact contact = {.dimension = 2,
                            .restitution = 0.3,
                            .friction = 0.4,
                            .reach = {2, dof},
                            .gap = gap,
                            .frame = frame,
                            .rate = rate,
                            .user = self};
    assert_ok(ctx, rico_system_add_contact(system, "floor", &contact, NULL));
    rico_joint joint = {.size = 1, .reach = {1, rail}, .value = value, .frame = guide, .user = self};
    assert_ok(ctx, rico_system_add_joint(system, "guide", &joint, NULL));
    return system;
}


static const double Q[] = {0.3, 0.05, 0.0}, V[] = {0.5, -0.2, 0.0};


// The failure of a step: its sentence has the place and `culprit`; nothing of the state changed; `mend` called, the
// simulation goes on from there to the same numbers as one that never failed.
static void assert_failed_cleanly(rico_context *ctx, rico_simulation *sim, const void *before, size_t size,
                                  const char *culprit)
{
    void *after = malloc(size);
    if (!strstr(rico_message(ctx), "step ") || !strstr(rico_message(ctx), "t = ") ||
        !strstr(rico_message(ctx), culprit))
        fail_msg("\"%s\" lacks step, time or \"%s\"", rico_message(ctx), culprit);
    rico_simulation_save(sim, after);
    assert_memory_equal(before, after, size);
    free(after);
}


// Every function of the caller, NaN or refusal, in every scheme of the table: found at the step that meets it. Repaired,
// the step is done, and the run ends with the bits of one that had no fault.
static void callbacks(void **state)
{
    rico_context *ctx = *state;
    const rico_scheme_info *scheme;
    int failures[FAULTS] = {0};
    for (int s = 0; (scheme = moving_scheme_at(s)); s++) {
        machine sound = {0};
        rico_system *healthy = build(ctx, &sound);
        rico_simulation *good;
        assert_ok(ctx, rico_simulation_create(healthy, scheme->name, &good));
        assert_ok(ctx, rico_simulation_start(good, 0.0, Q, V));
        for (int k = 0; k < 40; k++) assert_ok(ctx, rico_simulation_step(good, 0.01));

        for (int where = IN_MASS; where < FAULTS; where++)
            for (int refuse = 0; refuse < 2; refuse++) {
                machine self = {.where = (fault)where, .refuse = refuse};
                rico_system *system = build(ctx, &self);
                rico_simulation *sim;
                assert_ok(ctx, rico_simulation_create(system, scheme->name, &sim));
                assert_ok(ctx, rico_simulation_start(sim, 0.0, Q, V));
                for (int k = 0; k < 20; k++) assert_ok(ctx, rico_simulation_step(sim, 0.01));
                size_t size = (size_t)rico_simulation_state_size(sim);
                void *before = malloc(size);
                rico_simulation_save(sim, before);
                self.armed = true;
                rico_status status = rico_simulation_step(sim, 0.01);
                if (status != RICO_OK) {
                    assert_int_equal(status, RICO_BAD_INPUT);
                    assert_failed_cleanly(ctx, sim, before, size, WORDS[where]);
                    failures[where]++;
                    self.armed = false;
                    assert_ok(ctx, rico_simulation_step(sim, 0.01));
                }
                self.armed = false;
                for (int k = 21; k < 40; k++) assert_ok(ctx, rico_simulation_step(sim, 0.01));
                assert_memory_equal(rico_simulation_position(sim), rico_simulation_position(good), sizeof Q);
                assert_memory_equal(rico_simulation_velocity(sim), rico_simulation_velocity(good), sizeof V);
                free(before);
                rico_simulation_destroy(sim);
                rico_system_destroy(system);
            }
        rico_simulation_destroy(good);
        rico_system_destroy(healthy);
    }
    // a scheme need not ask every function in every step, but none goes unheard in all of them
    for (int where = IN_MASS; where < FAULTS; where++)
        if (failures[where] == 0) fail_msg("no scheme noticed a fault in the %s", WORDS[where]);
}


// The same before the first step: start() refuses, and says what.
static void at_the_start(void **state)
{
    rico_context *ctx = *state;
    static const fault HEARD[] = {IN_MASS, IN_POTENTIAL, IN_STIFFNESS};
    for (size_t k = 0; k < sizeof HEARD / sizeof *HEARD; k++) {
        machine self = {.where = HEARD[k], .armed = true};
        rico_system *system = build(ctx, &self);
        rico_simulation *sim;
        assert_ok(ctx, rico_simulation_create(system, "moreau-jean", &sim));
        assert_int_equal(rico_simulation_start(sim, 0.0, Q, V), RICO_BAD_INPUT);
        assert_non_null(strstr(rico_message(ctx), WORDS[HEARD[k]]));
        assert_int_equal(rico_simulation_step(sim, 0.01), RICO_BAD_ARGUMENT);
        self.armed = false;
        assert_ok(ctx, rico_simulation_start(sim, 0.0, Q, V));
        assert_ok(ctx, rico_simulation_step(sim, 0.01));
        rico_simulation_destroy(sim);
        rico_system_destroy(system);
    }
}


// M dv + K q dt: one coordinate.
static rico_system *spring(rico_context *ctx, double m, double k)
{
    const int64_t column[] = {0, 1}, row[] = {0};
    rico_system *system;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_matrix_part part = {.size = 1, .M = {1, 1, column, row, &m}, .K = {1, 1, column, row, &k}};
    assert_ok(ctx, rico_system_add_matrices(system, "spring", &part, NULL));
    return system;
}


// 1 + theta^2 h^2 k = 0 with k = -4, theta = 1/2, h = 1: no step of that length, but shorter ones. A mass of 0 or less is
// refused at the start.
static void singular(void **state)
{
    rico_context *ctx = *state;
    rico_system *system = spring(ctx, 1.0, -4.0);
    rico_simulation *sim;
    const double q = 1.0, v = 0.0;
    assert_ok(ctx, rico_simulation_create(system, "moreau-jean", &sim));
    assert_ok(ctx, rico_simulation_start(sim, 0.0, &q, &v));
    assert_ok(ctx, rico_simulation_step(sim, 0.125));
    size_t size = (size_t)rico_simulation_state_size(sim);
    void *before = malloc(size);
    rico_simulation_save(sim, before);
    assert_int_equal(rico_simulation_step(sim, 1.0), RICO_SINGULAR);
    assert_failed_cleanly(ctx, sim, before, size, "iteration matrix is singular");
    assert_non_null(strstr(rico_message(ctx), "step 2"));
    assert_ok(ctx, rico_simulation_step(sim, 0.5));
    assert_true(rico_simulation_time(sim) == 0.625);

    // an adaptive run comes past it by itself
    assert_ok(ctx, rico_simulation_load(sim, before, (int64_t)size));
    rico_run_options options = rico_run_defaults(1.0);
    options.adaptive = true;
    options.rtol = options.atol = 1e-3;
    rico_run_report report;
    assert_ok(ctx, rico_simulation_run(sim, 2.0, &options, NULL, NULL, &report));
    assert_true(report.rejected >= 1);
    assert_near(rico_simulation_position(sim)[0], cosh(4.0), 0.05 * cosh(4.0));
    free(before);
    rico_simulation_destroy(sim);
    rico_system_destroy(system);

    for (int k = 0; k < 2; k++) {
        system = spring(ctx, k == 0 ? 0.0 : -1.0, 1.0);
        assert_ok(ctx, rico_simulation_create(system, "moreau-jean", &sim));
        assert_int_equal(rico_simulation_start(sim, 0.0, &q, &v), RICO_SINGULAR);
        assert_non_null(strstr(rico_message(ctx), "mass matrix"));
        rico_simulation_destroy(sim);
        rico_system_destroy(system);
    }
}


// A contact solver that may take one iteration gives up on a pile; with enough of them the same step is done.
static void solver_gives_up(void **state)
{
    rico_context *ctx = *state;
    rico_random random;
    rico_random_seed(&random, 5);
    random_system pile;
    random_system_create(ctx, &random, 12, 10, 3, 0.5, 0.8, false, &pile);
    rico_simulation *sim;
    rico_solver *solver;
    assert_ok(ctx, rico_simulation_create(pile.system, "moreau-jean", &sim));
    assert_ok(ctx, rico_simulation_set(sim, "activation", "explicit"));
    assert_ok(ctx, rico_simulation_set_solver(sim, "nsgs", &solver));
    assert_ok(ctx, rico_simulation_start(sim, 0.0, pile.q, pile.v));
    size_t size = (size_t)rico_simulation_state_size(sim);
    void *before = malloc(size);
    assert_ok(ctx, rico_solver_set(solver, "max-iter", "1"));
    rico_status status = RICO_OK;
    for (int k = 0; status == RICO_OK && k < 50; k++) {
        rico_simulation_save(sim, before);
        status = rico_simulation_step(sim, 0.01);
    }
    assert_int_equal(status, RICO_SINGULAR);
    assert_failed_cleanly(ctx, sim, before, size, "was not solved");
    assert_ok(ctx, rico_solver_set(solver, "max-iter", "100000"));
    assert_ok(ctx, rico_simulation_step(sim, 0.01));
    assert_int_equal(rico_simulation_set_solver(sim, "abacus", NULL), RICO_BAD_ARGUMENT);
    free(before);
    rico_simulation_destroy(sim);
    random_system_destroy(&pile);
}


// Newton's loop that may not iterate often enough says so and names what to do.
static bool hard_force(void *user, double t, const double *q, const double *v, double *f)
{
    (void)user, (void)t, (void)v;
    f[0] = -50.0 * sin(5.0 * q[0]);
    return true;
}


static bool unit_mass(void *user, const double *q, double *M)
{
    (void)user, (void)q;
    *M = 1.0;
    return true;
}


static void newton(void **state)
{
    rico_context *ctx = *state;
    rico_system *system;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_callback_part part = {.size = 1, .constant_mass = true, .mass = unit_mass, .force = hard_force};
    assert_ok(ctx, rico_system_add_callbacks(system, "pendulum", &part, NULL));
    rico_simulation *sim;
    const double q = 1.0, v = 0.0;
    assert_ok(ctx, rico_simulation_create(system, "moreau-jean", &sim));
    assert_ok(ctx, rico_simulation_set(sim, "newton-max", "3"));
    assert_ok(ctx, rico_simulation_start(sim, 0.0, &q, &v));
    size_t size = (size_t)rico_simulation_state_size(sim);
    void *before = malloc(size);
    rico_simulation_save(sim, before);
    assert_int_equal(rico_simulation_step(sim, 0.5), RICO_SINGULAR);
    assert_failed_cleanly(ctx, sim, before, size, "Newton's loop did not settle in 3 iterations");
    assert_ok(ctx, rico_simulation_step(sim, 1e-4)); // shorter, as the sentence says

    // an adaptive run that finds no step short enough leaves its last good state too
    assert_ok(ctx, rico_simulation_load(sim, before, (int64_t)size));
    rico_run_options options = rico_run_defaults(0.5);
    options.adaptive = true;
    options.h_min = 0.1;
    options.h_impact = 0.1;
    assert_int_equal(rico_simulation_run(sim, 1.0, &options, NULL, NULL, NULL), RICO_SINGULAR);
    assert_failed_cleanly(ctx, sim, before, size, "h_min");
    free(before);
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
}


// Calls in the wrong order and values out of range.
static void wrong_calls(void **state)
{
    rico_context *ctx = *state;
    machine self = {0};
    rico_system *system = build(ctx, &self), *empty;
    rico_simulation *sim = NULL;
    assert_int_equal(rico_simulation_create(system, "runge-kutta", &sim), RICO_BAD_ARGUMENT);
    assert_non_null(strstr(rico_message(ctx), "runge-kutta"));
    assert_ok(ctx, rico_simulation_create(system, "moreau-jean", &sim));
    assert_int_equal(rico_simulation_step(sim, 0.01), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_simulation_set(sim, "colour", "red"), RICO_BAD_ARGUMENT);
    assert_non_null(strstr(rico_message(ctx), "colour"));
    assert_int_equal(rico_simulation_set(sim, "law", "karnopp"), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_simulation_set_number(sim, "theta", 1.5), RICO_BAD_ARGUMENT);
    const double bad[] = {NAN, 0.0, 0.0};
    assert_int_equal(rico_simulation_start(sim, 0.0, bad, V), RICO_BAD_INPUT);
    assert_int_equal(rico_simulation_start(sim, 0.0, Q, bad), RICO_BAD_INPUT);
    assert_int_equal(rico_simulation_start(sim, INFINITY, Q, V), RICO_BAD_INPUT);
    assert_ok(ctx, rico_simulation_start(sim, 0.0, Q, V));
    static const double STEPS[] = {0.0, -0.1, NAN, INFINITY};
    for (int k = 0; k < 4; k++) assert_int_equal(rico_simulation_step(sim, STEPS[k]), RICO_BAD_ARGUMENT);
    rico_context_interrupt(ctx);
    assert_int_equal(rico_simulation_step(sim, 0.01), RICO_INTERRUPTED);
    rico_context_clear_interrupt(ctx);
    assert_ok(ctx, rico_simulation_step(sim, 0.01));

    // a system that is simulated takes nothing more
    const int64_t column[] = {0, 1}, row[] = {0};
    const double one = 1.0;
    rico_matrix_part part = {.size = 1, .M = {1, 1, column, row, &one}};
    assert_int_equal(rico_system_add_matrices(system, "late", &part, NULL), RICO_BAD_ARGUMENT);
    assert_non_null(strstr(rico_message(ctx), "late"));
    rico_contact contact = {.dimension = 1, .reach = {1, row}, .gradient = &one};
    assert_int_equal(rico_system_add_contact(system, "late", &contact, NULL), RICO_BAD_ARGUMENT);
    rico_simulation_destroy(sim);
    rico_system_destroy(system);

    assert_ok(ctx, rico_system_create(ctx, &empty));
    assert_int_equal(rico_simulation_create(empty, "moreau-jean", &sim), RICO_BAD_ARGUMENT);
    assert_ok(ctx, rico_system_add_matrices(empty, "mass", &part, NULL));
    contact.friction = -0.1;
    assert_int_equal(rico_system_add_contact(empty, "floor", &contact, NULL), RICO_BAD_ARGUMENT);
    assert_non_null(strstr(rico_message(ctx), "floor"));
    contact.friction = 0.0;
    contact.restitution = NAN;
    assert_int_equal(rico_system_add_contact(empty, "floor", &contact, NULL), RICO_BAD_ARGUMENT);
    contact.restitution = 0.0;
    contact.dimension = 4;
    assert_int_equal(rico_system_add_contact(empty, "floor", &contact, NULL), RICO_BAD_ARGUMENT);
    contact.dimension = 1;
    const int64_t outside[] = {7};
    contact.reach.dof = outside;
    assert_int_equal(rico_system_add_contact(empty, "floor", &contact, NULL), RICO_BAD_ARGUMENT);
    rico_system_destroy(empty);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(callbacks, setup, teardown),
        cmocka_unit_test_setup_teardown(at_the_start, setup, teardown),
        cmocka_unit_test_setup_teardown(singular, setup, teardown),
        cmocka_unit_test_setup_teardown(solver_gives_up, setup, teardown),
        cmocka_unit_test_setup_teardown(newton, setup, teardown),
        cmocka_unit_test_setup_teardown(wrong_calls, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
