// The explicit schemes of vibro-impact problems: the figures and formulas of Paoli's chapter, and the schemes written down once more.

#include "nearest_point.h"
#include "plain.h"

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


// ---- the ball without forces, from 1 with the velocity -1 ---------------------------------------------------

// Positions q^0 .. q^count of the scheme, and the velocities it reports with them.
static void run_ball(rico_context *ctx, const char *scheme, double e, double h, int count, double *q,
                     double *v)
{
    rico_system *system = bouncing_ball(ctx, 0.0, e);
    rico_simulation *sim = start_ball(ctx, system, scheme, 1.0, -1.0);
    for (int n = 0; n <= count; n++) {
        q[n] = rico_simulation_position(sim)[0];
        v[n] = rico_simulation_velocity(sim)[0];
        assert_ok(ctx, rico_simulation_step(sim, h));
    }
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
}


// Figures 2, 3 and 4: the positions that the text gives for steps of 0.15.
static void figures(void **state)
{
    rico_context *ctx = *state;
    static const double PLASTIC[] = {1, .85, .7, .55, .4, .25, .1, 0, 0, 0, 0},
                        POSITION[] = {1, .85, .7, .55, .4, .25, .1, -.05, -.03, .015, .06, .105, .15},
                        VELOCITY[] = {1, .85, .7, .55, .4, .25, .1, -.05, -.005, .04, .085, .13};
    double q[16], v[16];
    run_ball(ctx, "paoli-position", 0.0, 0.15, 12, q, v);
    for (int n = 0; n <= 10; n++) assert_near(q[n], PLASTIC[n], 1e-14);
    assert_near(v[7], -2.0 / 3.0, 1e-13); // u^6, with which q^7 is reached
    run_ball(ctx, "paoli-position", 0.3, 0.15, 12, q, v);
    for (int n = 0; n <= 12; n++) assert_near(q[n], POSITION[n], 1e-14);
    assert_near(v[8], 0.4 / 3.0, 1e-13);
    for (int n = 9; n <= 12; n++) assert_near(v[n], 0.3, 1e-13);
    run_ball(ctx, "paoli-velocity", 0.3, 0.15, 11, q, v);
    for (int n = 0; n <= 11; n++) assert_near(q[n], VELOCITY[n], 1e-14);
    assert_near(v[6], -1.0, 1e-14);
    assert_near(v[7], 0.3, 1e-14); // at once
    run_ball(ctx, "paoli-velocity", 0.0, 0.15, 12, q, v);
    for (int n = 7; n <= 12; n++) assert_near(q[n], -0.05, 1e-14);
    // the sweeping process sees the contact one step later, with the same positions
    run_ball(ctx, "sweeping", 0.3, 0.15, 11, q, v);
    for (int n = 0; n <= 11; n++) assert_near(q[n], VELOCITY[n], 1e-14);
    assert_near(v[7], -1.0, 1e-14);
    assert_near(v[8], 0.3, 1e-14);
}


// The formulas behind them, for any step and restitution: n_e*, the four identities of the reversal, u in (-1, e] on the way.
static void reversal(void **state)
{
    rico_context *ctx = *state;
    rico_random random;
    rico_random_seed(&random, 11);
    for (int trial = 0; trial < 200; trial++) {
        double h = rico_random_range(&random, 0.02, 0.45),
               e = trial % 5 ? rico_random_unit(&random) : trial % 2;
        double q[64], v[64], W[64];
        int m = 0, count = (int)(1.0 / h) + 6;
        while (1.0 + 2.0 * e * h / (1.0 + e) >= (m + 2) * h) m++;
        if (fabs(1.0 + 2.0 * e * h / (1.0 + e) - (m + 2) * h) < 1e-9 || m < 1) continue; // round-off decides
        run_ball(ctx, "paoli-position", e, h, count, q, v);
        for (int n = 1; n < count; n++) W[n] = (2.0 * q[n] - (1.0 - e) * q[n - 1]) / (1.0 + e);
        for (int n = 0; n <= m; n++) assert_near(q[n + 1], 1.0 - (n + 1) * h, 1e-12);
        assert_true(W[m + 1] < 0.0 && W[m] >= -1e-14);
        assert_near(q[m + 2], -e * q[m], 1e-12);
        assert_near(W[m + 2], -W[m], 1e-12);
        assert_near(q[m + 3], -e * q[m + 1], 1e-12);
        assert_near(W[m + 3], -e * W[m + 1], 1e-12);
        assert_true(v[m + 2] > -1.0 && v[m + 2] <= e + 1e-12);
        for (int n = m + 3; n <= count; n++) assert_near(v[n], e, 1e-11);

        double first = floor(1.0 / h);
        if (fabs(1.0 / h - round(1.0 / h)) < 1e-9) continue;
        run_ball(ctx, "paoli-velocity", e, h, count, q, v);
        for (int n = (int)first + 1; n <= count; n++)
            assert_near(q[n], 1.0 - (first + 1.0) * h + e * (n - first - 1.0) * h, 1e-12);
    }
}


// A step that divides 1 puts a position on the obstacle up to round-off, which must not decide: the formula for 1/h a whole number.
static void whole_steps(void **state)
{
    rico_context *ctx = *state;
    for (int steps = 2; steps <= 60; steps++) {
        double q[64], v[64], h = 1.0 / steps;
        run_ball(ctx, "paoli-velocity", 0.5, h, steps + 2, q, v);
        assert_near(v[steps], 0.5, 1e-12);
        assert_near(q[steps + 2], h, 1e-12);
    }
}


// ---- the schemes once more ----------------------------------------------------------------------------------

// M^-1 (load(t) - K q - C v)
static void plain_acceleration(const plain *self, double t, const double *q, const double *v, double *a)
{
    double system[NEAREST_MOST][NEAREST_MOST + 1] = {{0.0}}, f[FEW];
    int n = self->n;
    plain_load((void *)self, t, f);
    for (int i = 0; i < n; i++) {
        system[i][n] = f[i];
        for (int j = 0; j < n; j++) {
            system[i][j] = self->M[i + j * n];
            system[i][n] -= self->K[i + j * n] * q[j] + self->C[i + j * n] * v[j];
        }
    }
    assert_true(gauss(n, system));
    for (int i = 0; i < n; i++) a[i] = system[i][n];
}


// (12), (16) and (17): q^{n+1} from q^n and q^{n-1}; impulses of the step.
static void position_scheme(const plain *self, double t, double h, const double *last, const double *q,
                            double *next, double *impulse)
{
    double W[FEW], z[FEW], u[FEW], a[FEW], e = last ? self->e : 0.0;
    int n = self->n;
    for (int i = 0; i < n; i++) u[i] = last ? (q[i] - last[i]) / h : self->v[i];
    plain_acceleration(self, t, q, u, a);
    for (int i = 0; i < n; i++)
        W[i] = last ? (2.0 * q[i] - (1.0 - e) * last[i] + h * h * a[i]) / (1.0 + e) : q[i] + h * u[i];
    nearest_point(n, self->M, self->count, self->A, self->b, W, z, impulse);
    for (int i = 0; i < n; i++) next[i] = (last ? -e * last[i] : 0.0) + (1.0 + e) * z[i];
    for (int c = 0; c < self->count; c++) impulse[c] *= (1.0 + e) / h;
}


// (19) at (t, q): u+ from u-; impulses.
static void velocity_jump(const plain *self, double t, double h, const double *q, const double *u,
                          double *next, double *impulse)
{
    static const double ZERO[FEW] = {0.0};
    double w[FEW], z[FEW], a[FEW], A[FEW * FEW], lambda[FEW], e = self->e;
    int n = self->n, closed[FEW], count = 0;
    for (int c = 0; c < self->count; c++) {
        double gap = self->b[c];
        for (int i = 0; i < n; i++) gap += self->A[c * n + i] * q[i];
        if (gap > 0.0) continue;
        memcpy(A + (ptrdiff_t)count * n, self->A + (ptrdiff_t)c * n, (size_t)n * sizeof *A);
        closed[count++] = c;
    }
    plain_acceleration(self, t, q, u, a);
    for (int i = 0; i < n; i++) w[i] = u[i] + h / (1.0 + e) * a[i];
    nearest_point(n, self->M, count, A, ZERO, w, z, lambda);
    for (int i = 0; i < n; i++) next[i] = -e * u[i] + (1.0 + e) * z[i];
    memset(impulse, 0, (size_t)self->count * sizeof *impulse);
    for (int k = 0; k < count; k++) impulse[closed[k]] = (1.0 + e) * lambda[k];
}


// One step of the scheme by name, written down: state (last, q, v).
static void plain_step(const plain *self, const char *scheme, int k, double h, double *last, double *q,
                       double *v, double *impulse)
{
    double next[FEW], t = k * h;
    int n = self->n;
    if (strcmp(scheme, "paoli-position") == 0) {
        position_scheme(self, t, h, k ? last : NULL, q, next, impulse);
        for (int i = 0; i < n; i++) {
            v[i] = (next[i] - q[i]) / h;
            last[i] = q[i];
            q[i] = next[i];
        }
        return;
    }
    bool first = strcmp(scheme, "paoli-velocity") == 0;
    if (first)
        for (int i = 0; i < n; i++) q[i] += h * v[i];
    velocity_jump(self, first ? t + h : t, h, q, v, next, impulse);
    memcpy(v, next, (size_t)n * sizeof *v);
    if (!first)
        for (int i = 0; i < n; i++) q[i] += h * v[i];
}


// Random masses, springs, dampers, loads and faces: states and impulses of every step are those of the formulas, projections being found
// by trying all sets of faces.
static void formulas(void **state)
{
    rico_context *ctx = *state;
    rico_random random;
    rico_random_seed(&random, 5);
    int pressed = 0, together = 0;
    for (int trial = 0; trial < 120; trial++) {
        const char *scheme = SCHEMES[trial % 3];
        int n = 2 + (int)rico_random_below(&random, 4),
            count = 1 + (int)rico_random_below(&random, n < 4 ? n : 4);
        double e = trial % 4 == 0 ? 0.0 : trial % 4 == 1 ? 1.0 : rico_random_unit(&random), h = 0.02;
        double q[FEW], v[FEW], last[FEW] = {0.0}, impulse[FEW];
        plain self;
        plain_create(ctx, &random, n, count, e, &self);
        rico_simulation *sim;
        assert_ok(ctx, rico_simulation_create(self.system, scheme, &sim));
        assert_ok(ctx, rico_simulation_start(sim, 0.0, self.q, self.v));
        memcpy(q, self.q, sizeof q);
        memcpy(v, self.v, sizeof v);
        for (int k = 0; k < 120; k++) {
            plain_step(&self, scheme, k, h, last, q, v, impulse);
            assert_ok(ctx, rico_simulation_step(sim, h));
            int acting = 0;
            double scale = 1.0;
            for (int i = 0; i < n; i++) scale = fmax(scale, fabs(v[i]));
            for (int i = 0; i < n; i++) {
                assert_near(rico_simulation_position(sim)[i], q[i], 1e-7 * scale);
                assert_near(rico_simulation_velocity(sim)[i], v[i], 1e-6 * scale);
            }
            for (int c = 0; c < count; c++) {
                assert_near(rico_simulation_impulse(sim)[c], impulse[c], 1e-5 * scale);
                acting += impulse[c] > 1e-9;
            }
            pressed += acting > 0;
            together += acting > 1;
            // go on from the same numbers: rounding must not grow along 120 steps of what may be unstable
            const rico_ledger *ledger = rico_simulation_ledger(sim);
            assert_at_most(fabs(ledger->residual), 1e-11 * energy_scale(ledger));
        }
        rico_simulation_destroy(sim);
        rico_system_destroy(self.system);
    }
    assert_true(pressed > 1000 && together > 100);
}


// ---- metric and curvature -----------------------------------------------------------------------------------

// M = diag(1, 1 + x^2), a line x + y + 1 >= 0, no forces but those of inertia: (17) in the metric of q^n.
static bool skew_mass(void *user, const double *q, double *M)
{
    (void)user;
    M[0] = 1.0, M[1] = M[2] = 0.0, M[3] = 1.0 + q[0] * q[0];
    return true;
}


static bool skew_force(void *user, double t, const double *q, const double *v, double *f)
{
    (void)user, (void)t;
    f[0] = q[0] * v[1] * v[1];
    f[1] = -2.0 * q[0] * v[0] * v[1];
    return true;
}


static void metric(void **state)
{
    rico_context *ctx = *state;
    const int64_t dof[] = {0, 1};
    const double gradient[] = {1.0, 1.0}, h = 0.01, e = 0.6;
    rico_system *system;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_callback_part part = {.size = 2, .mass = skew_mass, .force = skew_force};
    assert_ok(ctx, rico_system_add_callbacks(system, "skew", &part, NULL));
    rico_contact line = {
        .dimension = 1, .restitution = e, .reach = {2, dof}, .gradient = gradient, .offset = 1.0};
    assert_ok(ctx, rico_system_add_contact(system, "line", &line, NULL));
    rico_simulation *sim;
    double q[2] = {0.8, -0.5}, v[2] = {-1.5, -1.0}, last[2] = {0.0}, next[2];
    assert_ok(ctx, rico_simulation_create(system, "paoli-position", &sim));
    assert_ok(ctx, rico_simulation_start(sim, 0.0, q, v));
    int blows = 0;
    for (int k = 0; k < 200; k++) {
        double M = 1.0 + q[0] * q[0], f[2], W[2];
        skew_force(NULL, 0.0, q, v, f);
        for (int i = 0; i < 2; i++) {
            double a = f[i] / (i ? M : 1.0);
            W[i] = k ? (2.0 * q[i] - (1.0 - e) * last[i] + h * h * a) / (1.0 + e) : q[i] + h * v[i];
        }
        double gap = W[0] + W[1] + 1.0, push = gap < 0.0 ? -gap / (1.0 + 1.0 / M) : 0.0;
        blows += push > 0.0;
        W[0] += push;
        W[1] += push / M;
        for (int i = 0; i < 2; i++) {
            next[i] = k ? -e * last[i] + (1.0 + e) * W[i] : W[i];
            v[i] = (next[i] - q[i]) / h;
            last[i] = q[i];
            q[i] = next[i];
        }
        assert_ok(ctx, rico_simulation_step(sim, h));
        for (int i = 0; i < 2; i++) assert_near(rico_simulation_position(sim)[i], q[i], 1e-9);
        // the balance closes although the mass changes
        const rico_ledger *ledger = rico_simulation_ledger(sim);
        assert_at_most(fabs(ledger->residual), 1e-13 * energy_scale(ledger));
    }
    assert_true(blows >= 2);
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
}


// A disc of radius 1 about the origin, K inside (side 1) or outside (side -1).
static bool disc_gap(void *user, double t, const double *q, double *gap)
{
    (void)t;
    *gap = *(const double *)user * (1.0 - hypot(q[0], q[1]));
    return true;
}


static bool disc_frame(void *user, double t, const double *q, double *H)
{
    (void)t;
    double r = hypot(q[0], q[1]);
    for (int i = 0; i < 2; i++) H[i] = -*(const double *)user * q[i] / r;
    return true;
}


static void keep_warning(void *user, rico_log_level level, const char *text)
{
    if (level == RICO_LOG_WARNING) snprintf(user, 512, "%s", text);
}


static rico_simulation *disc(rico_context *ctx, const char *scheme, double *side, const double *q,
                             const double *v, rico_system **system)
{
    const int64_t column[] = {0, 1, 2}, dof[] = {0, 1};
    const double one[] = {1.0, 1.0};
    assert_ok(ctx, rico_system_create(ctx, system));
    rico_matrix_part part = {.size = 2, .M = {2, 2, column, dof, one}};
    assert_ok(ctx, rico_system_add_matrices(*system, "point", &part, NULL));
    rico_contact contact = {.dimension = 1,
                            .restitution = 1.0,
                            .reach = {2, dof},
                            .gap = disc_gap,
                            .frame = disc_frame,
                            .user = side};
    assert_ok(ctx, rico_system_add_contact(*system, "rim", &contact, NULL));
    rico_simulation *sim;
    assert_ok(ctx, rico_simulation_create(*system, scheme, &sim));
    assert_ok(ctx, rico_simulation_start(sim, 0.0, q, v));
    return sim;
}


// Inside a disc the nearest point is z = W/|W|; outside the set is not convex, which is said, and a step that lands beyond the point
// where the found point is nearest is refused. The scheme of velocities says nothing.
static void curvature(void **state)
{
    rico_context *ctx = *state;
    char warning[512] = "";
    double side = 1.0, q[2] = {0.3, 0.1}, v[2] = {1.0, 0.4}, last[2] = {0.0}, next[2];
    const double h = 0.02;
    rico_system *system;
    rico_context_set_log(ctx, keep_warning, warning, RICO_LOG_WARNING);
    rico_simulation *sim = disc(ctx, "paoli-position", &side, q, v, &system);
    for (int k = 0; k < 300; k++) {
        double z[2];
        for (int i = 0; i < 2; i++) z[i] = k ? q[i] : q[i] + h * v[i]; // W = q^n for e = 1 without force
        double r = fmax(1.0, hypot(z[0], z[1]));
        for (int i = 0; i < 2; i++) {
            next[i] = k ? -last[i] + 2.0 * z[i] / r : z[i] / r;
            last[i] = q[i];
            q[i] = next[i];
        }
        assert_ok(ctx, rico_simulation_step(sim, h));
        for (int i = 0; i < 2; i++) assert_near(rico_simulation_position(sim)[i], q[i], 1e-8);
    }
    assert_string_equal(warning, "");
    rico_simulation_destroy(sim);
    rico_system_destroy(system);

    static const char *const NAMES[] = {"paoli-velocity", "paoli-position"};
    for (int s = 0; s < 2; s++) {
        const double from[] = {-1.5, 0.3}, fast[] = {1.0, 0.0};
        side = -1.0;
        sim = disc(ctx, NAMES[s], &side, from, fast, &system);
        for (int k = 0; k < 100; k++) assert_ok(ctx, rico_simulation_step(sim, h));
        if (s == 0) assert_string_equal(warning, "");
        if (s == 1) assert_non_null(strstr(warning, "not convex at contact rim"));
        rico_simulation_destroy(sim);
        rico_system_destroy(system);
    }
    rico_context_set_log(ctx, NULL, NULL, RICO_LOG_WARNING);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures),  cmocka_unit_test(reversal), cmocka_unit_test(whole_steps),
        cmocka_unit_test(formulas), cmocka_unit_test(metric),   cmocka_unit_test(curvature),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
