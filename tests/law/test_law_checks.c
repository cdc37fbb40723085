// Checks of laws: what has a superpotential, what has a bipotential, with witnesses that are weighed again here; Rockafellar's construction,
// covers and the larger of two against closed forms.

#include "failing_memory.h"
#include "support.h"

#include "ricochet/bipotential.h"
#include "ricochet/law.h"

enum { MOST = 300, N = RICO_BIPOTENTIAL_ROWS };

typedef struct samples {
    double x[MOST * N], y[MOST * N];
} samples;


static double b_of(void *user, const double *x, const double *y)
{
    return rico_bipotential_value(user, x, y);
}


static rico_law_trial trial_of(int64_t count, int size, const samples *s)
{
    return (rico_law_trial){.count = count, .size = size, .x = s->x, .y = s->y, .seed = 1};
}


static rico_law_trial draw(const rico_bipotential *law, int64_t count, samples *s)
{
    int n = law->info->size;
    for (int64_t i = 0; i < count; i++) rico_bipotential_sample(law, (uint64_t)i, s->x + i * n, s->y + i * n);
    rico_law_trial trial = trial_of(count, n, s);
    trial.value = b_of;
    trial.user = (void *)(uintptr_t)law;
    return trial;
}


// The left side of eq. 1 along the witness.
static double weight_of(const rico_law_trial *t, const rico_law_verdict *v)
{
    double sum = 0.0;
    for (int64_t k = 0; k < v->count; k++) {
        int64_t i = v->sample[k], j = v->sample[(k + 1) % v->count];
        for (int c = 0; c < t->size; c++)
            sum += (t->x[j * t->size + c] - t->x[i * t->size + c]) * t->y[i * t->size + c];
    }
    return sum;
}


// P10: slip 2 at pressure 1 and slip 1 at pressure 2 with mu = 0.5 give <dx, dy> = -0.5.
static void friction_is_not_monotone(void **state)
{
    rico_context *ctx = *state;
    samples two = {.x = {0}};
    memcpy(two.x, (double[]){0, 2, 0, 1}, 4 * sizeof(double));
    memcpy(two.y, (double[]){1, 0.5, 2, 1}, 4 * sizeof(double));
    rico_law_trial t = trial_of(2, 2, &two);
    rico_law_verdict v;
    assert_ok(ctx, rico_law_check_monotone(ctx, &t, &v));
    assert_false(v.holds);
    double size = 3.0 * (hypot(1.0, 0.5) + hypot(2.0, 1.0));
    assert_near(v.excess * size, 0.5, 1e-15);
    assert_ok(ctx, rico_law_check_cyclic(ctx, &t, &v));
    assert_false(v.holds);
    assert_int_equal(v.count, 2);
    assert_near(weight_of(&t, &v), 0.5, 1e-15);
}


// Which laws have a superpotential, and that all have a bipotential.
static void every_law_of_the_table_passes_where_it_should(void **state)
{
    rico_context *ctx = *state;
    static samples s;
    const rico_bipotential_info *info;
    for (int l = 0; (info = rico_bipotential_at(l)) != NULL; l++) {
        rico_bipotential law;
        assert_ok(ctx, rico_bipotential_make(ctx, info->name, &law));
        bool standard = strcmp(info->name, "frictionless") == 0 || strcmp(info->name, "tresca") == 0;
        rico_law_trial t = draw(&law, 120, &s);
        t.trials = 100;
        const rico_law_check *check;
        for (int c = 0; (check = rico_law_check_at(c)) != NULL; c++) {
            rico_law_verdict v;
            assert_ok(ctx, check->run(ctx, &t, &v));
            bool graph_alone = strcmp(check->name, "monotone") == 0 || strcmp(check->name, "cyclic") == 0;
            if (v.holds != (standard || !graph_alone))
                fail_msg("%s, %s: %d with excess %g", info->name, check->name, v.holds, v.excess);
            assert_true(v.tried > 0);
            if (!v.holds && strcmp(check->name, "cyclic") == 0) assert_true(weight_of(&t, &v) > 0.0);
        }
    }
}


// At a fixed pressure friction of largest dissipation has a superpotential, in x as in y; a slip rule of its own has none.
static void parts_at_a_pressure_are_cyclically_monotone(void **state)
{
    rico_context *ctx = *state;
    static samples s;
    rico_random random;
    rico_random_seed(&random, 10);
    for (int own = 0; own < 2; own++) {
        double mu[2] = {0.3, 0.15}, p[2] = {own ? 0.05 : 0.3, own ? 0.2 : 0.15};
        for (int64_t i = 0; i < MOST; i++) {
            double *x = s.x + 3 * i, *y = s.y + 3 * i, f[2], length;
            for (int k = 0; k < 2; k++) x[1 + k] = rico_random_normal(&random);
            // r_t = p P^2 x_t / |F^-1 P^2 x_t|: on the rim, along the gradient of the slip potential
            for (int k = 0; k < 2; k++) f[k] = p[k] * p[k] * x[1 + k];
            length = hypot(f[0] / mu[0], f[1] / mu[1]);
            x[0] = 0.0, y[0] = 2.0, y[1] = 2.0 * f[0] / length, y[2] = 2.0 * f[1] / length;
            if (i % 4 == 0) x[1] = x[2] = 0.0, y[1] *= 0.7, y[2] *= 0.7;
        }
        rico_law_trial t = trial_of(MOST, 3, &s), turned = t;
        turned.x = t.y, turned.y = t.x;
        rico_law_verdict v, w;
        assert_ok(ctx, rico_law_check_cyclic(ctx, &t, &v));
        assert_ok(ctx, rico_law_check_cyclic(ctx, &turned, &w));
        assert_int_equal(v.holds, !own);
        assert_int_equal(w.holds, !own);
        if (!own) continue;
        assert_true(weight_of(&t, &v) > 0.0 && weight_of(&turned, &w) > 0.0);
        assert_int_equal(v.count, w.count);
    }
}


// A turn of the plane by pi/n is monotone along cycles of n, not along those of n + 1 (Bauschke et al. 2007): the shortest witness.
static void the_witness_is_a_shortest_cycle(void **state)
{
    rico_context *ctx = *state;
    static samples s;
    for (int n = 2; n <= 5; n++) {
        double angle = M_PI / n, turn = 2.0 * M_PI / 60.0;
        for (int64_t i = 0; i < 60; i++)
            for (int k = 0; k < 2; k++) {
                s.x[2 * i + k] = cos(turn * (double)i - k * M_PI / 2.0);
                s.y[2 * i + k] = cos(turn * (double)i + angle - k * M_PI / 2.0);
            }
        rico_law_trial t = trial_of(60, 2, &s);
        rico_law_verdict v;
        assert_ok(ctx, rico_law_check_monotone(ctx, &t, &v));
        assert_true(v.holds);
        assert_ok(ctx, rico_law_check_cyclic(ctx, &t, &v));
        assert_false(v.holds);
        assert_int_equal(v.count, n + 1);
        // the regular polygon is the worst: (n + 1)(cos(2 pi/(n + 1) - pi/n) - cos(pi/n))
        double best = (n + 1) * (cos(2.0 * M_PI / (n + 1) - angle) - cos(angle));
        assert_near(weight_of(&t, &v), best, 0.02);
        assert_at_most(weight_of(&t, &v), best + 1e-12);
    }
}


// phi_p and psi_p of friction in the plane from a handful of its pairs (eq. 3 and 4): mu p |u_t| - p u_n, and the disc, exactly.
static void rockafellar_finds_the_superpotentials(void **state)
{
    rico_context *ctx = *state;
    static samples s;
    const double mu = 0.5, p = 3.0, slip = 1e6;
    double pair[6][4] = {{0, 0, p, 0},      {0, 0, p, mu * p},    {0, 0, p, -mu * p},
                         {0, 1, p, mu * p}, {0, slip, p, mu * p}, {0, -slip, p, -mu * p}};
    for (int i = 0; i < 6; i++) {
        memcpy(s.x + 2 * i, pair[i], 2 * sizeof(double));
        memcpy(s.y + 2 * i, pair[i] + 2, 2 * sizeof(double));
    }
    rico_law_trial t = trial_of(6, 2, &s);
    rico_rockafellar *phi, *psi;
    rico_bipotential law;
    assert_ok(ctx, rico_bipotential_make(ctx, "coulomb-2d", &law));
    assert_ok(ctx, rico_rockafellar_create(ctx, &t, 0, false, NULL, &phi));
    assert_ok(ctx, rico_rockafellar_create(ctx, &t, 0, true, NULL, &psi));
    rico_random random;
    rico_random_seed(&random, 3);
    for (int k = 0; k < 2000; k++) {
        double x[2] = {rico_random_normal(&random), rico_random_normal(&random)};
        double y[2] = {rico_random_normal(&random), 2.0 * rico_random_normal(&random)};
        rico_bipotential_section at;
        assert_true(rico_bipotential_cut(&law, p, x, y, &at));
        assert_near(rico_rockafellar_value(phi, x), at.phi, 1e-9);
        double value = rico_rockafellar_value(psi, y);
        if (at.psi == 0.0)
            assert_near(value, 0.0, 1e-9);
        else
            assert_near(value, slip * (fabs(y[1]) - mu * p), 1e-6 * value + 1e-9);
    }
    rico_rockafellar_destroy(phi);
    rico_rockafellar_destroy(psi);
    rico_rockafellar_destroy(NULL);
}


// Of y = A x with A symmetric, x'Ax/2 from below, within half of <dx, A dx> of the spacing; of a turned A there is none.
static void rockafellar_of_a_quadratic(void **state)
{
    rico_context *ctx = *state;
    static samples s;
    int64_t n = 0;
    const double A[3] = {2.0, 0.5, 1.0}, step = 0.25;
    for (int i = -8; i <= 8; i++)
        for (int j = -8; j <= 8; j++, n++) {
            double x[2] = {step * i, step * j};
            memcpy(s.x + 2 * n, x, sizeof x);
            s.y[2 * n] = A[0] * x[0] + A[1] * x[1];
            s.y[2 * n + 1] = A[1] * x[0] + A[2] * x[1];
        }
    rico_law_trial t = trial_of(n, 2, &s);
    rico_rockafellar *phi;
    assert_ok(ctx, rico_rockafellar_create(ctx, &t, n / 2, false, NULL, &phi));
    for (double a = -2.0; a <= 2.0; a += 0.1) {
        double x[2] = {a, -0.4 * a},
               exact = 0.5 * (A[0] * x[0] * x[0] + 2.0 * A[1] * x[0] * x[1] + A[2] * x[1] * x[1]);
        double value = rico_rockafellar_value(phi, x);
        assert_at_most(value, exact + 1e-12);
        assert_at_most(exact - value, 17.0 * 0.5 * 3.5 * step * step * 0.5);
    }
    rico_rockafellar_destroy(phi);
    for (int64_t i = 0; i < n; i++) s.y[2 * i] += s.x[2 * i + 1], s.y[2 * i + 1] -= s.x[2 * i];
    rico_law_verdict v;
    phi = NULL;
    assert_int_equal(rico_rockafellar_create(ctx, &t, 0, false, &v, &phi), RICO_BAD_INPUT);
    assert_null(phi);
    assert_non_null(strstr(rico_message(ctx), "not cyclically monotone"));
    assert_true(v.count >= 3 && weight_of(&t, &v) > 0.0);
}


// ---- functions that are no bipotentials ----

static double product_of_norms(void *user, const double *x, const double *y)
{
    const double *how = user; // factor, constant, power of |x|
    return how[0] * pow(hypot(x[0], x[1]), how[2]) * hypot(y[0], y[1]) + how[1];
}


// |x| |y| is the bipotential of parallel vectors; less of it breaks the bound, more the graph, a constant the strong condition, a root convexity.
static void what_is_no_bipotential_is_found_out(void **state)
{
    rico_context *ctx = *state;
    static samples s;
    rico_random random;
    rico_random_seed(&random, 77);
    for (int64_t i = 0; i < 100; i++) {
        double k = fabs(rico_random_normal(&random));
        for (int c = 0; c < 2; c++) {
            s.x[2 * i + c] = rico_random_normal(&random);
            s.y[2 * i + c] = k * s.x[2 * i + c];
        }
    }
    static const struct {
        double how[3];
        bool graph, bound, convex, strong;
    } CASES[] = {{{1, 0, 1}, true, true, true, true},
                 {{0.9, 0, 1}, false, false, true, false},
                 {{1.1, 0, 1}, false, true, true, true},
                 {{1, 1, 1}, false, true, true, false},
                 {{1, 0, 0.5}, false, false, false, false}};
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
        rico_law_trial t = trial_of(100, 2, &s);
        double how[3];
        memcpy(how, CASES[k].how, sizeof how);
        t.value = product_of_norms;
        t.user = how;
        rico_law_verdict v[4];
        assert_ok(ctx, rico_law_check_graph(ctx, &t, &v[0]));
        assert_ok(ctx, rico_law_check_bound(ctx, &t, &v[1]));
        assert_ok(ctx, rico_law_check_convex(ctx, &t, &v[2]));
        assert_ok(ctx, rico_law_check_strong(ctx, &t, &v[3]));
        assert_int_equal(v[0].holds, CASES[k].graph);
        assert_int_equal(v[1].holds, CASES[k].bound);
        assert_int_equal(v[2].holds, CASES[k].convex);
        if (CASES[k].bound) assert_int_equal(v[3].holds, CASES[k].strong);
    }
}


// Two points of a section without what is between them: no bipotential (Theorem 3.1).
static double two_branches(void *user, const double *x, const double *y)
{
    (void)user;
    return x[0] == 0.0 && fabs(fabs(y[0]) - 1.0) < 1e-12 ? x[0] * y[0]
                                                         : fabs(x[0]) + (fabs(y[0]) <= 1.0 ? 1.0 : INFINITY);
}


static void sections_must_be_convex(void **state)
{
    rico_context *ctx = *state;
    samples s = {.x = {0, 0}, .y = {1, -1}};
    rico_law_trial t = trial_of(2, 1, &s);
    t.value = two_branches;
    rico_law_verdict v;
    assert_ok(ctx, rico_law_check_sections(ctx, &t, &v));
    assert_false(v.holds);
    assert_int_equal(v.count, 2);
}


// ---- covers ----

static double at_pressure(void *user, double p, const double *x, const double *y)
{
    rico_bipotential_section at;
    return rico_bipotential_cut(user, p, x, y, &at) ? at.both : INFINITY;
}


static double pressure_of(void *user, const double *x, const double *y)
{
    (void)user;
    (void)x;
    return y[0];
}


// Friction from its parts at fixed pressure: the infimum of b_p is b where nothing opens under pressure.
static void friction_is_covered_by_its_parts(void **state)
{
    rico_context *ctx = *state;
    static samples s;
    static const char *const NAMES[] = {"coulomb", "cohesive", "tresca", "rolling-spinning", "orthotropic"};
    for (int l = 0; l < 5; l++) {
        rico_bipotential law;
        assert_ok(ctx, rico_bipotential_make(ctx, NAMES[l], &law));
        rico_law_trial t = draw(&law, 200, &s);
        rico_law_cover cover = {.value = at_pressure, .choose = pressure_of, .user = &law};
        rico_law_verdict v;
        assert_ok(ctx, rico_law_check_cover(ctx, &cover, &t, &v));
        assert_true(v.holds && v.tried > 200);
        int n = law.info->size;
        for (int64_t i = 0; i < 200; i++)
            for (int64_t j = 0; j < 200; j++) {
                double p, covered = rico_law_cover_value(&cover, s.x + n * i, s.y + n * j, &p);
                double b = rico_bipotential_value(&law, s.x + n * i, s.y + n * j);
                assert_true(p == s.y[n * j]);
                if (covered < INFINITY) assert_near(covered, b, 1e-11 * (1.0 + fabs(b)));
                if (s.x[n * i] == 0.0) assert_true(covered < INFINITY);
            }
    }
}


// phi(x) = (x - l)^2/2 and its conjugate, l between -1 and 1: a band. The infimum is known; two members alone are not implicitly convex.
static double band(void *user, double l, const double *x, const double *y)
{
    if (user) l = l < 0.0 ? -1.0 : 1.0;
    return 0.5 * (x[0] - l) * (x[0] - l) + 0.5 * y[0] * y[0] + l * y[0];
}


// The same family by another parameter, l = m^3 (Proposition 4.1).
static double renamed_band(void *user, double m, const double *x, const double *y)
{
    return band(user, m * m * m, x, y);
}


static void a_band_is_covered_and_two_lines_are_not(void **state)
{
    rico_context *ctx = *state;
    static samples s;
    for (int64_t i = 0; i < 100; i++) {
        int64_t column = i % 10, row = i / 10;
        s.y[i] = 0.3 * (double)row - 1.3;
        s.x[i] = 0.1 * (double)column - 0.5 + s.y[i];
    }
    rico_law_trial t = trial_of(100, 1, &s);
    rico_law_cover cover = {.value = band, .low = -1.0, .high = 1.0, .count = 9}, renamed = cover;
    renamed.value = renamed_band;
    rico_law_verdict v;
    for (int64_t i = 0; i < 100; i++)
        for (int64_t j = 0; j < 100; j++) {
            double l = fmin(fmax(s.x[i] - s.y[j], -1.0), 1.0), found;
            double value = rico_law_cover_value(&cover, s.x + i, s.y + j, &found);
            assert_near(value, band(NULL, l, s.x + i, s.y + j), 1e-12);
            assert_near(found, l, 1e-6);
            assert_near(rico_law_cover_value(&renamed, s.x + i, s.y + j, NULL), value, 1e-12);
        }
    assert_ok(ctx, rico_law_check_cover(ctx, &renamed, &t, &v));
    assert_true(v.holds);
    assert_ok(ctx, rico_law_check_cover(ctx, &cover, &t, &v));
    assert_true(v.holds && v.tried == 2000);
    int two = 2;
    cover.user = &two;
    cover.count = 2;
    assert_ok(ctx, rico_law_check_cover(ctx, &cover, &t, &v));
    assert_false(v.holds);
    cover.count = 1;
    assert_int_equal(rico_law_check_cover(ctx, &cover, &t, &v), RICO_BAD_ARGUMENT);
}


// ---- the larger of two ----

static rico_bipotential_section part(void *user, const double *x, const double *y)
{
    static const double NOTHING[N] = {0.0};
    rico_bipotential_section at;
    assert_true(rico_bipotential_cut(user, 3.0, x ? x : NOTHING, y ? y : NOTHING, &at));
    return at;
}


static double phi(void *user, const double *x, const double *y)
{
    return part(user, x, y).phi;
}


static double phi_conjugate(void *user, const double *x, const double *y)
{
    return part(user, x, y).phi_conjugate;
}


static double psi(void *user, const double *x, const double *y)
{
    return part(user, x, y).psi;
}


static double psi_conjugate(void *user, const double *x, const double *y)
{
    return part(user, x, y).psi_conjugate;
}


static double half_square(void *user, const double *x, const double *y)
{
    (void)user;
    double z = x ? x[0] : y[0];
    return 0.5 * z * z;
}


static double square(void *user, const double *x, const double *y)
{
    return 2.0 * half_square(user, x, y);
}


static double quarter(void *user, const double *x, const double *y)
{
    return 0.5 * half_square(user, x, y);
}


static void the_larger_of_two_is_a_bipotential_where_the_theorem_says(void **state)
{
    rico_context *ctx = *state;
    static samples s;
    rico_bipotential law;
    assert_ok(ctx, rico_bipotential_make(ctx, "coulomb", &law));
    rico_law_trial t = draw(&law, 200, &s);
    // pairs of one pressure, so that both potentials are finite
    for (int64_t i = 0; i < 200; i++) {
        double k = s.y[3 * i] > 0.0 ? 3.0 / s.y[3 * i] : 0.0;
        for (int c = 0; c < 3; c++) s.y[3 * i + c] *= k;
        if (k == 0.0) s.x[3 * i] = s.x[3 * i + 1] = s.x[3 * i + 2] = 0.0, s.y[3 * i] = 3.0;
    }
    rico_law_pair pair = {.phi = {phi, psi_conjugate}, .conjugate = {phi_conjugate, psi}, .user = &law};
    rico_law_verdict v;
    assert_ok(ctx, rico_law_check_max(ctx, &pair, &t, &v));
    assert_true(v.holds && v.tried > 100);
    for (int64_t i = 0; i < 200; i++)
        assert_near(rico_law_max_value(&pair, s.x + 3 * i, s.y + 3 * i),
                    part(&law, s.x + 3 * i, s.y + 3 * i).both, 0.0);
    // x^2/2 and x^2: the conjugate of a mean is not the mean of conjugates
    rico_law_pair squares = {.phi = {half_square, square}, .conjugate = {half_square, quarter}};
    rico_law_trial line = trial_of(200, 1, &s);
    for (int64_t i = 0; i < 200; i++) s.x[i] = s.y[i] = 0.01 * (double)(i - 100);
    assert_ok(ctx, rico_law_check_max(ctx, &squares, &line, &v));
    assert_false(v.holds);
    squares = (rico_law_pair){.phi = {half_square, half_square}, .conjugate = {half_square, half_square}};
    assert_ok(ctx, rico_law_check_max(ctx, &squares, &line, &v));
    assert_true(v.holds);
}


static void nonsense_is_refused(void **state)
{
    rico_context *ctx = *state;
    samples s = {.x = {0, 1}, .y = {0, NAN}};
    rico_law_trial t = trial_of(2, 1, &s);
    rico_law_verdict v;
    assert_int_equal(rico_law_check_monotone(ctx, &t, &v), RICO_BAD_INPUT);
    s.y[1] = 1.0;
    assert_int_equal(rico_law_check_bound(ctx, &t, &v), RICO_BAD_ARGUMENT);
    t.count = 0;
    assert_int_equal(rico_law_check_cyclic(ctx, &t, &v), RICO_BAD_ARGUMENT);
    t.count = 1 << 20;
    t.size = 17;
    assert_int_equal(rico_law_check_cyclic(ctx, &t, &v), RICO_BAD_ARGUMENT);
    t = trial_of(2, 1, &s);
    rico_rockafellar *none;
    assert_int_equal(rico_rockafellar_create(ctx, &t, 2, false, NULL, &none), RICO_BAD_ARGUMENT);
    assert_null(rico_law_check_at(-1));
    assert_null(rico_law_check_at(7));
}


// All checks of a law that fails some, so that witnesses are found too; and a superpotential.
static rico_status check_in(rico_context *own, void *user)
{
    rico_law_trial *t = user, line = *t;
    rico_law_verdict v;
    rico_rockafellar *potential = NULL;
    const rico_law_check *check;
    rico_status status = RICO_OK;
    for (int c = 0; status == RICO_OK && (check = rico_law_check_at(c)) != NULL; c++)
        status = check->run(own, t, &v);
    line.y = t->x;
    if (status == RICO_OK) status = rico_rockafellar_create(own, &line, 0, false, NULL, &potential);
    rico_rockafellar_destroy(potential);
    return status;
}


static void every_allocation_may_fail(void **state)
{
    static samples s;
    rico_bipotential law;
    assert_ok(*state, rico_bipotential_make(*state, "coulomb", &law));
    rico_law_trial t = draw(&law, 12, &s);
    t.trials = 5;
    assert_true(every_allocation_fails(check_in, &t) > 8);
}


static int setup(void **state)
{
    *state = rico_context_create(NULL);
    return *state ? 0 : -1;
}


static int teardown(void **state)
{
    rico_context_destroy(*state);
    return 0;
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_is_not_monotone),
        cmocka_unit_test(every_law_of_the_table_passes_where_it_should),
        cmocka_unit_test(parts_at_a_pressure_are_cyclically_monotone),
        cmocka_unit_test(the_witness_is_a_shortest_cycle),
        cmocka_unit_test(rockafellar_finds_the_superpotentials),
        cmocka_unit_test(rockafellar_of_a_quadratic),
        cmocka_unit_test(what_is_no_bipotential_is_found_out),
        cmocka_unit_test(sections_must_be_convex),
        cmocka_unit_test(friction_is_covered_by_its_parts),
        cmocka_unit_test(a_band_is_covered_and_two_lines_are_not),
        cmocka_unit_test(the_larger_of_two_is_a_bipotential_where_the_theorem_says),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
