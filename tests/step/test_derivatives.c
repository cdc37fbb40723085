// Derivatives of a step against central differences of the step itself with Richardson's extrapolation, away from changes of mode.

#include "random_steps.h"

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


typedef struct draw {
    random_step problem;
    rico_system *system;
    rico_simulation *sim;
} draw;


// A simulation of the problem with a scheme, at tolerances near round-off.
static void prepare(rico_context *ctx, const random_step *problem, const char *scheme, draw *out)
{
    out->problem = *problem;
    out->system = random_step_build(ctx, &out->problem);
    assert_ok(ctx, rico_simulation_create(out->system, scheme, &out->sim));
    rico_simulation_set_number(out->sim, "theta", problem->theta);
    rico_simulation_set_number(out->sim, "activation", problem->activation);
    if (strncmp(scheme, "moreau", 6) == 0 || problem->frames < 2)
        rico_simulation_set_number(out->sim, "frames", problem->frames);
    assert_ok(ctx, rico_simulation_set_number(out->sim, "tol", 1e-14));
    assert_ok(ctx, rico_simulation_set_number(out->sim, "newton-tol", 1e-13));
    assert_ok(ctx, rico_simulation_start(out->sim, problem->t, problem->q, problem->v));
}


static void dispose(draw *it)
{
    rico_simulation_destroy(it->sim);
    rico_system_destroy(it->system);
}


// What each contact does, in digits: pressing or not, at the limit of friction or not; acting or not.
static void modes_of(const draw *it, int *mode)
{
    const double *p = rico_simulation_impulse(it->sim);
    for (int c = 0; c < it->problem.touches; c++) {
        rico_constraint_info info = rico_simulation_constraint(it->sim, c);
        const double *own = p + info.row;
        double friction = info.rows > 1 ? hypot(own[1], info.rows > 2 ? own[2] : 0.0) : 0.0;
        bool limit = info.friction > 0.0 && friction > info.friction * own[0] * (1.0 - 1e-9);
        mode[c] = (own[0] > 0.0) + 2 * limit + 4 * rico_simulation_active(it->sim)[c];
    }
}


enum { STEPS = 2, MOST_ENTRIES = 3 * MOST_UNKNOWNS };

// x' of two steps from the state moved by s along entry j; from 2n on, of the system with a parameter moved by s. False: a mode is another one.
static bool moved_steps(rico_context *ctx, const random_step *at, const char *scheme, int j, double s,
                        const int (*mode)[MOST_TOUCHES], double *after)
{
    int n = at->n, now[MOST_TOUCHES];
    random_step problem = *at;
    draw other;
    if (j < n)
        problem.q[j] += s;
    else if (j < 2 * n)
        problem.v[j - n] += s;
    else
        random_step_change(&problem, j - 2 * n, s);
    prepare(ctx, &problem, scheme, &other);
    bool same = true;
    for (int k = 0; same && k < STEPS; k++) {
        same = rico_simulation_step(other.sim, problem.h) == RICO_OK;
        if (same) modes_of(&other, now);
        for (int c = 0; same && c < problem.touches; c++) same = now[c] == mode[k][c];
    }
    memcpy(after, rico_simulation_position(other.sim), (size_t)n * sizeof *after);
    memcpy(after + n, rico_simulation_velocity(other.sim), (size_t)n * sizeof *after);
    dispose(&other);
    return same;
}


// d x'/dx_j by central differences of strides s, s/2 and s/4, extrapolated twice (Romberg), and how far the last two orders are apart;
// false where a mode changes between them.
static bool reference(rico_context *ctx, const random_step *at, const char *scheme, int j,
                      const int (*mode)[MOST_TOUCHES], double *column, double *unsure)
{
    double f[6][2 * MOST_UNKNOWNS], s = 4e-4;
    static const double PLACE[] = {-1.0, 1.0, -0.5, 0.5, -0.25, 0.25};
    for (int k = 0; k < 6; k++)
        if (!moved_steps(ctx, at, scheme, j, PLACE[k] * s, mode, f[k])) return false;
    for (int i = 0; i < 2 * at->n; i++) {
        double slope[3];
        for (int k = 0; k < 3; k++) slope[k] = (f[2 * k + 1][i] - f[2 * k][i]) / (2.0 * PLACE[2 * k + 1] * s);
        double coarse = (4.0 * slope[1] - slope[0]) / 3.0, fine = (4.0 * slope[2] - slope[1]) / 3.0;
        column[i] = (16.0 * fine - coarse) / 15.0;
        *unsure = fmax(*unsure, fabs(column[i] - fine));
    }
    return true;
}


typedef struct tally {
    int64_t compared, doubted, skipped, unsure, analytic, pressed, sliding, sticking, columns;
    double worst;
} tally;


// A draw with its derivatives and those by parameters.
typedef struct subject {
    draw it, twin[RANDOM_PARAMETERS][RICO_MOST_TWINS];
    rico_derivatives *d;
    int64_t size, columns;
    double S[MOST_ENTRIES * (2 * MOST_UNKNOWNS + RANDOM_PARAMETERS)]; // by q, v and the parameters
    int64_t by[2 * MOST_UNKNOWNS + RANDOM_PARAMETERS];
} subject;


static void subject_create(rico_context *ctx, const random_step *problem, const char *scheme, subject *self)
{
    static const double OFFSET[] = {-4e-4, -2e-4, 2e-4, 4e-4};
    int n = problem->n;
    memset(self, 0, sizeof *self);
    prepare(ctx, problem, scheme, &self->it);
    assert_ok(ctx, rico_derivatives_create(self->it.sim, &self->d));
    self->size = rico_derivatives_size(self->d);
    self->columns = 2 * n + RANDOM_PARAMETERS;
    assert_ok(ctx, rico_derivatives_start(self->d, self->S));
    for (int j = 0; j < 2 * n; j++) self->by[j] = -1;
    for (int i = 0; i < RANDOM_PARAMETERS; i++) {
        rico_simulation *twins[RICO_MOST_TWINS];
        for (int k = 0; k < RICO_MOST_TWINS; k++) {
            random_step beside = *problem;
            random_step_change(&beside, i, OFFSET[k]);
            prepare(ctx, &beside, scheme, &self->twin[i][k]);
            twins[k] = self->twin[i][k].sim;
        }
        assert_ok(ctx, rico_derivatives_add_parameter(self->d, RICO_MOST_TWINS, twins, OFFSET,
                                                      &self->by[2 * n + i]));
        assert_ok(ctx, rico_derivatives_parameter_start(self->d, i, self->S + (2 * n + i) * self->size));
    }
}


static void subject_destroy(subject *self)
{
    rico_derivatives_destroy(self->d);
    dispose(&self->it);
    for (int i = 0; i < RANDOM_PARAMETERS; i++)
        for (int k = 0; k < RICO_MOST_TWINS; k++) dispose(&self->twin[i][k]);
}


// Some columns without the matrix are what the matrix makes of them.
static void compare_advance(rico_context *ctx, subject *self, int n)
{
    enum { SOME = 3 };
    const int64_t pick[SOME] = {0, n, self->columns - 1};
    int64_t by[SOME];
    double X[SOME * MOST_ENTRIES], Y[SOME * MOST_ENTRIES], largest = 0.0;
    for (int k = 0; k < SOME; k++) {
        memcpy(X + k * self->size, self->S + pick[k] * self->size, (size_t)self->size * sizeof *X);
        by[k] = self->by[pick[k]];
    }
    memcpy(Y, X, sizeof Y);
    assert_ok(ctx, rico_derivatives_carry(self->d, SOME, by, X));
    bool done = rico_derivatives_advance(self->d, SOME, by, Y) == RICO_OK;
    assert_true(done || !rico_derivatives_analytic(self->d)); // differences may fail at such tolerances
    for (int64_t i = 0; i < SOME * self->size; i++) largest = fmax(largest, fabs(X[i]));
    for (int64_t i = 0; done && i < SOME * self->size; i++)
        assert_near(Y[i], X[i], (rico_derivatives_analytic(self->d) ? 1e-11 : 1e-7) * largest);
    assert_ok(ctx, rico_derivatives_evaluate(self->d));
}


// The columns carried through the steps against the reference. What differences or Newton's loop cannot do at such tolerances is skipped.
static void compare(rico_context *ctx, const random_step *problem, const char *scheme, tally *sum)
{
    subject *self = malloc(sizeof *self);
    int n = problem->n, mode[STEPS][MOST_TOUCHES] = {{0}};
    bool good = true, doubt = false, other = false, analytic = true;
    int64_t pressed = 0, sticking = 0, sliding = 0;
    subject_create(ctx, problem, scheme, self);
    for (int k = 0; good && k < STEPS; k++) {
        good = rico_simulation_step(self->it.sim, problem->h) == RICO_OK;
        uint64_t before = rico_simulation_hash(self->it.sim);
        rico_status status = good ? rico_derivatives_evaluate(self->d) : RICO_OK;
        if (rico_derivatives_analytic(self->d)) assert_ok(ctx, status);
        assert_true(rico_simulation_hash(self->it.sim) == before);
        good = good && status == RICO_OK;
        if (!good) break;
        if (rico_derivatives_doubts(self->d) == 0) compare_advance(ctx, self, n);
        assert_ok(ctx, rico_derivatives_carry(self->d, self->columns, self->by, self->S));
        modes_of(&self->it, mode[k]);
        doubt |= rico_derivatives_doubts(self->d) > 0;
        analytic &= rico_derivatives_analytic(self->d);
        for (int c = 0; c < problem->touches; c++) {
            rico_contact_mode own = rico_derivatives_mode(self->d, c);
            pressed += own >= RICO_MODE_STICKING;
            sticking += own == RICO_MODE_STICKING;
            sliding += own == RICO_MODE_SLIDING && problem->touch[c].mu > 0.0;
        }
    }
    double largest = 0.0, apart = 0.0, unsure = 0.0, column[2 * MOST_UNKNOWNS];
    for (int j = 0; good && !doubt && !other && j < self->columns; j++) {
        other = !reference(ctx, problem, scheme, j, mode, column, &unsure);
        for (int i = 0; i < 2 * n && !other; i++) {
            largest = fmax(largest, fabs(column[i]));
            apart = fmax(apart, fabs(column[i] - self->S[j * self->size + i]));
        }
    }
    bool vague = good && !doubt && !other && unsure > 2e-8 * largest; // the differences themselves
    sum->doubted += good && doubt;
    sum->skipped += !good || (!doubt && other);
    sum->unsure += vague;
    if (good && !doubt && !other && !vague) {
        sum->compared++;
        sum->columns += self->columns;
        sum->analytic += analytic;
        sum->pressed += pressed;
        sum->sticking += sticking;
        sum->sliding += sliding;
        sum->worst = fmax(sum->worst, apart / largest);
    }
    subject_destroy(self);
    free(self);
}


static const char *const SCHEMES[] = {
    "moreau-jean", "moreau-jean-variant", "moreau-jean-fremond",  "newmark",
    "hht",         "generalized-alpha",   "kh-generalized-alpha", "schatzman-paoli"};


static void random_problems(void **state)
{
    rico_context *ctx = *state;
    int64_t draws = getenv("RICO_LONG") ? 10000 : 320;
    tally all[8] = {{0}};
    rico_random random;
    rico_random_seed(&random, 20);
    int64_t compared = 0, joints = 0;
    for (int64_t k = 0; compared < draws; k++) {
        random_step problem;
        random_step_draw(&random, k % 3 == 0, &problem);
        if (k % 5 == 0 && problem.n > 2 + problem.touches) random_step_join(&random, &problem);
        tally *own = &all[k % 8];
        joints += problem.jointed;
        compared -= own->compared;
        compare(ctx, &problem, SCHEMES[k % 8], own);
        compared += own->compared;
    }
    for (int s = 0; s < 8; s++) {
        printf("%-22s compared %lld (analytic %lld), doubted %lld, skipped %lld, vague %lld; pressed %lld, "
               "sticking %lld, sliding %lld; worst %.2g\n",
               SCHEMES[s], (long long)all[s].compared, (long long)all[s].analytic, (long long)all[s].doubted,
               (long long)all[s].skipped, (long long)all[s].unsure, (long long)all[s].pressed,
               (long long)all[s].sticking, (long long)all[s].sliding, all[s].worst);
        assert_at_most(all[s].worst, 1e-7);
        assert_true(all[s].compared > 20 && all[s].sticking > 0 && all[s].sliding > 0);
    }
    assert_true(joints > 10);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(random_problems, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
