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


// A simulation of the problem with a scheme, tight tolerances; false where the scheme refuses the options.
static void prepare(rico_context *ctx, random_step *problem, const char *scheme, draw *out)
{
    out->problem = *problem;
    out->system = random_step_build(ctx, &out->problem);
    assert_ok(ctx, rico_simulation_create(out->system, scheme, &out->sim));
    rico_simulation_set_number(out->sim, "theta", problem->theta);
    rico_simulation_set_number(out->sim, "activation", problem->activation);
    if (strncmp(scheme, "moreau", 6) == 0 || problem->frames < 2)
        rico_simulation_set_number(out->sim, "frames", problem->frames);
    assert_ok(ctx, rico_simulation_set_number(out->sim, "tol", 1e-12));
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
        mode[c] = (own[0] > 0.0) + 2 * (info.friction > 0.0 && friction > info.friction * own[0] * (1 - 1e-9)) +
                  4 * rico_simulation_active(it->sim)[c];
    }
}


// x' of a step of h from the bytes of a state, moved by s along entry j; false: a mode is another one.
static bool moved_step(rico_context *ctx, const draw *it, const random_step *at, const char *scheme, int j, double s,
                       const int *mode, double *after)
{
    int n = it->problem.n, now[MOST_TOUCHES];
    random_step problem = *at;
    draw other;
    if (j < n)
        problem.q[j] += s;
    else
        problem.v[j - n] += s;
    prepare(ctx, &problem, scheme, &other);
    rico_status status = rico_simulation_step(other.sim, problem.h);
    bool same = status == RICO_OK;
    if (same) {
        modes_of(&other, now);
        for (int c = 0; c < problem.touches; c++) same &= now[c] == mode[c];
        memcpy(after, rico_simulation_position(other.sim), (size_t)n * sizeof *after);
        memcpy(after + n, rico_simulation_velocity(other.sim), (size_t)n * sizeof *after);
    }
    dispose(&other);
    return same;
}


// d x'/dx_j by central differences of strides s, s/2 and s/4, extrapolated twice (Romberg), and how far the last two orders are apart;
// false where a mode changes between them.
static bool reference(rico_context *ctx, const draw *it, const random_step *at, const char *scheme, int j,
                      const int *mode, double *column, double *unsure)
{
    int size = 2 * it->problem.n;
    double f[6][2 * MOST_UNKNOWNS], s = 4e-4;
    static const double PLACE[] = {-1.0, 1.0, -0.5, 0.5, -0.25, 0.25};
    for (int k = 0; k < 6; k++)
        if (!moved_step(ctx, it, at, scheme, j, PLACE[k] * s, mode, f[k])) return false;
    for (int i = 0; i < size; i++) {
        double slope[3];
        for (int k = 0; k < 3; k++) slope[k] = (f[2 * k + 1][i] - f[2 * k][i]) / (2.0 * PLACE[2 * k + 1] * s);
        double coarse = (4.0 * slope[1] - slope[0]) / 3.0, fine = (4.0 * slope[2] - slope[1]) / 3.0;
        column[i] = (16.0 * fine - coarse) / 15.0;
        *unsure = fmax(*unsure, fabs(column[i] - fine));
    }
    return true;
}


typedef struct tally {
    int64_t compared, doubted, skipped, unsure, analytic, pressed, sliding, sticking;
    double worst;
} tally;


// From the start of a scheme: state (q, v) to (q', v') through what the scheme remembers.
static void compare(rico_context *ctx, random_step *problem, const char *scheme, tally *sum)
{
    draw it;
    int n = problem->n, mode[MOST_TOUCHES];
    double start[3 * MOST_UNKNOWNS * 2 * MOST_UNKNOWNS], J[3 * MOST_UNKNOWNS], column[2 * MOST_UNKNOWNS];
    prepare(ctx, problem, scheme, &it);
    rico_derivatives *d;
    assert_ok(ctx, rico_derivatives_create(it.sim, &d));
    int64_t size = rico_derivatives_size(d);
    assert_ok(ctx, rico_derivatives_start(d, start));
    if (rico_simulation_step(it.sim, problem->h) != RICO_OK) { // Newton's loop at 1e-15
        sum->skipped++;
    } else {
        uint64_t before = rico_simulation_hash(it.sim);
        assert_ok(ctx, rico_derivatives_evaluate(d));
        assert_true(rico_simulation_hash(it.sim) == before);
        modes_of(&it, mode);
        bool doubt = rico_derivatives_doubts(d) > 0, other = false;
        double largest = 0.0, apart = 0.0, unsure = 0.0;
        for (int j = 0; j < 2 * n && !other && !doubt; j++) {
            rico_derivatives_forward(d, 1, start + j * size, J);
            other = !reference(ctx, &it, problem, scheme, j, mode, column, &unsure);
            for (int i = 0; i < 2 * n && !other; i++) {
                largest = fmax(largest, fabs(column[i]));
                apart = fmax(apart, fabs(column[i] - J[i]));
            }
        }
        if (doubt) sum->doubted++;
        if (!doubt && other) sum->skipped++;
        bool vague = !doubt && !other && unsure > 2e-8 * largest; // the differences themselves
        sum->unsure += vague;
        if (!doubt && !other && !vague) {
            sum->compared++;
            sum->analytic += rico_derivatives_analytic(d);
            for (int c = 0; c < problem->touches; c++) {
                rico_contact_mode own = rico_derivatives_mode(d, c);
                sum->pressed += own >= RICO_MODE_STICKING;
                sum->sticking += own == RICO_MODE_STICKING;
                sum->sliding += own == RICO_MODE_SLIDING && problem->touch[c].mu > 0.0;
            }
            if (getenv("RICO_SHOW") && apart > 1e-8 * largest)
                printf("%s n %d touches %d frames %d activation %d apart %.2g analytic %d\n", scheme, n, problem->touches, problem->frames,
                       problem->activation, apart / largest, rico_derivatives_analytic(d));
            for (int c = 0; getenv("RICO_SHOW") && apart > 1e-8 * largest && c < problem->touches; c++) {
                rico_constraint_info info = rico_simulation_constraint(it.sim, c);
                const double *p = rico_simulation_impulse(it.sim) + info.row, *u = rico_simulation_velocity_after(it.sim) + info.row;
                printf("   %s p %.3g %.3g %.3g u %.3g %.3g %.3g mu %.3g largest %g unsure %g\n", rico_contact_mode_name(rico_derivatives_mode(d, c)), p[0], info.rows > 1 ? p[1] : 0, info.rows > 2 ? p[2] : 0, u[0], info.rows > 1 ? u[1] : 0, info.rows > 2 ? u[2] : 0, info.friction, largest, unsure);
            }
            sum->worst = fmax(sum->worst, apart / largest);
        }
    }
    rico_derivatives_destroy(d);
    dispose(&it);
}


static const char *const SCHEMES[] = {"moreau-jean", "moreau-jean-variant", "moreau-jean-fremond", "newmark",
                                      "hht", "generalized-alpha", "kh-generalized-alpha", "schatzman-paoli"};


static void random_problems(void **state)
{
    rico_context *ctx = *state;
    const char *many = getenv("RICO_DRAWS");
    int64_t draws = many ? atoll(many) : 320;
    tally all[8] = {{0}};
    rico_random random;
    rico_random_seed(&random, 20);
    int64_t compared = 0;
    for (int64_t k = 0; compared < draws; k++) {
        random_step problem;
        random_step_draw(&random, k % 3 == 0, &problem);
        tally *own = &all[k % 8];
        compared -= own->compared;
        compare(ctx, &problem, SCHEMES[k % 8], own);
        compared += own->compared;
    }
    for (int s = 0; s < 8; s++) {
        printf("%-22s compared %lld (analytic %lld), doubted %lld, skipped %lld, vague %lld; pressed %lld, sticking %lld, sliding %lld; worst %.2g\n", SCHEMES[s],
               (long long)all[s].compared, (long long)all[s].analytic, (long long)all[s].doubted,
               (long long)all[s].skipped, (long long)all[s].unsure, (long long)all[s].pressed, (long long)all[s].sticking,
               (long long)all[s].sliding, all[s].worst);
        assert_at_most(all[s].worst, 1e-7);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(random_problems, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
