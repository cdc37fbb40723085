// Laws by their bipotentials: P9 to P13 of the properties of chapter 6 (de Saxce 2018) on 1e5 samples each, and one contact at its digits.

#include "support.h"

#include "ricochet/bipotential.h"

enum { SAMPLES = 100000, N = RICO_BIPOTENTIAL_ROWS };

// Table 1 of the chapter.
static const double CASES[5][4] = {{0.20, 0.20, 0.20, 0.20},
                                   {0.30, 0.25, 0.30, 0.25},
                                   {0.30, 0.15, 0.30, 0.15},
                                   {0.30, 0.15, 0.20, 0.20},
                                   {0.30, 0.15, 0.05, 0.20}};


static rico_bipotential orthotropic(rico_context *ctx, const double value[4])
{
    static const char *const NAMES[] = {"friction-1", "friction-2", "slip-1", "slip-2"};
    rico_bipotential law;
    assert_ok(ctx, rico_bipotential_make(ctx, "orthotropic", &law));
    for (int i = 0; i < 4; i++) assert_ok(ctx, rico_bipotential_set(ctx, &law, NAMES[i], value[i]));
    assert_ok(ctx, rico_bipotential_check(ctx, &law));
    return law;
}


static double dot(int n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}


static double length(int n, const double *a)
{
    return sqrt(dot(n, a, a));
}


// Every law of the table, orthotropic with slip rules of its own among them.
static int all_laws(rico_context *ctx, rico_bipotential *laws)
{
    const rico_bipotential_info *info;
    int count = 0;
    for (int i = 0; (info = rico_bipotential_at(i)) != NULL; i++)
        assert_ok(ctx, rico_bipotential_make(ctx, info->name, &laws[count++]));
    assert_int_equal(count, 10);
    for (int c = 0; c < 5; c++) laws[count++] = orthotropic(ctx, CASES[c]);
    assert_ok(ctx, rico_bipotential_make(ctx, "drucker-prager", &laws[count]));
    assert_ok(ctx, rico_bipotential_set(ctx, &laws[count++], "dilatancy", 0.0));
    assert_ok(ctx, rico_bipotential_make(ctx, "drucker-prager", &laws[count]));
    assert_ok(ctx, rico_bipotential_set(ctx, &laws[count++], "dilatancy", 0.6));
    return count;
}


// A point of the domain of b in x, not lawful in general: of a lawful pair, moved into the open.
static void some_x(const rico_bipotential *law, rico_random *random, double *x)
{
    double y[N];
    rico_bipotential_sample(law, rico_random_bits(random), x, y);
    double sign = strcmp(law->info->name, "drucker-prager") == 0 ? 1.0 : -1.0;
    x[0] += sign * (rico_random_unit(random) < 0.5 ? 0.0 : fabs(rico_random_normal(random)));
}


static void some_y(const rico_bipotential *law, rico_random *random, double *y)
{
    for (int i = 0; i < law->info->size; i++) y[i] = 2.0 * rico_random_normal(random);
    rico_bipotential_project(law, y);
}


// P9: b is what the chapter prints, at least <x, y>, equal to it on the law, and the gap is the difference.
static void the_gap_is_never_negative_and_zero_on_the_law(void **state)
{
    rico_context *ctx = *state;
    rico_bipotential laws[20];
    rico_random random;
    rico_random_seed(&random, 9);
    int count = all_laws(ctx, laws);
    for (int l = 0; l < count; l++) {
        const rico_bipotential *law = &laws[l];
        int n = law->info->size;
        for (int s = 0; s < SAMPLES / 10; s++) {
            double x[N], y[N];
            some_x(law, &random, x);
            some_y(law, &random, y);
            double size = (1.0 + length(n, x)) * (1.0 + length(n, y));
            double b = rico_bipotential_value(law, x, y), gap = rico_bipotential_gap(law, x, y);
            assert_true(isfinite(b));
            assert_near(b - dot(n, x, y), gap, 1e-13 * size);
            assert_true(gap >= -1e-12 * size);
            rico_bipotential_sample(law, rico_random_bits(&random), x, y);
            size = (1.0 + length(n, x)) * (1.0 + length(n, y));
            assert_near(rico_bipotential_gap(law, x, y), 0.0, 1e-12 * size);
            assert_near(rico_bipotential_trivial(law, x, y), dot(n, x, y), 0.0);
        }
    }
}


// Eq. 14 and 24 written out.
static void bipotentials_are_those_of_the_chapter(void **state)
{
    rico_context *ctx = *state;
    rico_bipotential coulomb;
    rico_random random;
    rico_random_seed(&random, 14);
    assert_ok(ctx, rico_bipotential_make(ctx, "coulomb", &coulomb));
    for (int s = 0; s < SAMPLES; s++) {
        const double *c = CASES[s % 5], q[2] = {c[2] / c[0], c[3] / c[1]};
        rico_bipotential law = orthotropic(ctx, c);
        double u[3] = {fabs(rico_random_normal(&random)), rico_random_normal(&random),
                       rico_random_normal(&random)};
        double x[3] = {-u[0], -u[1], -u[2]}, r[3], f[2];
        some_y(&coulomb, &random, r);
        assert_near(rico_bipotential_value(&coulomb, x, r), 0.5 * r[0] * hypot(u[1], u[2]),
                    1e-13 * (1.0 + r[0]));
        some_y(&law, &random, r);
        double linear = 0.0;
        for (int i = 0; i < 2; i++) {
            linear += (1.0 - q[i] * q[i]) * x[1 + i] * r[1 + i];
            f[i] = c[i] * q[i] * q[i] * x[1 + i];
        }
        assert_near(rico_bipotential_value(&law, x, r), linear + r[0] * hypot(f[0], f[1]),
                    1e-13 * (1.0 + r[0]));
        x[0] = fabs(x[0]) + 1e-6; // closing
        assert_true(rico_bipotential_value(&law, x, r) == INFINITY);
        x[0] = 0.0;
        r[0] -= 1e-6 * (1.0 + r[0]); // outside of the cone
        if (hypot(r[1] / c[0], r[2] / c[1]) > r[0] + 1e-9) {
            assert_true(rico_bipotential_gap(&law, x, r) == INFINITY);
            assert_true(rico_bipotential_trivial(&law, x, r) == INFINITY);
        }
    }
}


// P9: convex in x and in y.
static void bipotentials_are_convex_in_each_argument(void **state)
{
    rico_context *ctx = *state;
    rico_bipotential laws[20];
    rico_random random;
    rico_random_seed(&random, 99);
    int count = all_laws(ctx, laws);
    for (int l = 0; l < count; l++) {
        const rico_bipotential *law = &laws[l];
        int n = law->info->size;
        for (int s = 0; s < SAMPLES / 10; s++) {
            double p[2][N], q[N], z[N], a = rico_random_unit(&random);
            bool in_x = s % 2;
            for (int k = 0; k < 2; k++) {
                if (in_x)
                    some_x(law, &random, p[k]);
                else
                    some_y(law, &random, p[k]);
            }
            if (in_x)
                some_y(law, &random, q);
            else
                some_x(law, &random, q);
            for (int i = 0; i < n; i++) z[i] = a * p[0][i] + (1.0 - a) * p[1][i];
            double b[3];
            const double *at[3] = {p[0], p[1], z};
            for (int k = 0; k < 3; k++)
                b[k] = in_x ? rico_bipotential_value(law, at[k], q) : rico_bipotential_value(law, q, at[k]);
            double size = 1.0 + length(n, q) * (length(n, p[0]) + length(n, p[1]) + 1.0);
            assert_at_most(b[2], a * b[0] + (1.0 - a) * b[1] + 1e-12 * size);
        }
    }
}


// P11: nearest point, by the variational inequality against other points of K; idempotent, nonexpansive.
static void projections_are_nearest_points(void **state)
{
    rico_context *ctx = *state;
    rico_bipotential laws[20];
    rico_random random;
    rico_random_seed(&random, 11);
    int count = all_laws(ctx, laws);
    for (int l = 0; l < count; l++) {
        const rico_bipotential *law = &laws[l];
        int n = law->info->size;
        for (int s = 0; s < SAMPLES / 10; s++) {
            double tau[2][N], r[2][N], z[N], off[N], apart[N], before[N], inside[N];
            for (int k = 0; k < 2; k++) {
                for (int i = 0; i < n; i++) tau[k][i] = r[k][i] = 3.0 * rico_random_normal(&random);
                rico_bipotential_project(law, r[k]);
            }
            some_y(law, &random, z);
            for (int i = 0; i < n; i++) {
                off[i] = tau[0][i] - r[0][i];
                inside[i] = z[i] - r[0][i];
                apart[i] = r[0][i] - r[1][i];
                before[i] = tau[0][i] - tau[1][i];
            }
            assert_at_most(dot(n, off, inside),
                           1e-11 * (1.0 + length(n, tau[0])) * (1.0 + length(n, inside)));
            assert_at_most(length(n, apart), length(n, before) * (1.0 + 1e-11));
            memcpy(z, r[0], sizeof z);
            rico_bipotential_project(law, z);
            for (int i = 0; i < n; i++) assert_near(z[i], r[0][i], 1e-12 * (1.0 + length(n, r[0])));
        }
    }
}


// P11: a cone's projection is orthogonal to what it takes away, positively homogeneous, closed form for a round one, and turns with the axes.
static void the_elliptic_projection_is_that_of_a_cone(void **state)
{
    rico_context *ctx = *state;
    rico_random random;
    rico_random_seed(&random, 1111);
    for (int s = 0; s < SAMPLES; s++) {
        double mu[2] = {exp(rico_random_range(&random, -4.6, 1.1)),
                        exp(rico_random_range(&random, -4.6, 1.1))};
        if (s % 3 == 0) mu[1] = mu[0];
        rico_bipotential law = orthotropic(ctx, (double[]){mu[0], mu[1], 0.0, 0.0});
        rico_bipotential turned = orthotropic(ctx, (double[]){mu[1], mu[0], 0.0, 0.0});
        double tau[3], r[3], k = exp(3.0 * rico_random_normal(&random));
        for (int i = 0; i < 3; i++) r[i] = tau[i] = rico_random_normal(&random);
        rico_bipotential_project(&law, r);
        double off[3] = {tau[0] - r[0], tau[1] - r[1], tau[2] - r[2]}, size = length(3, tau);
        assert_near(dot(3, off, r), 0.0, 1e-11 * size * size);
        assert_at_most(hypot(mu[0] * off[1], mu[1] * off[2]) + off[0], 1e-11 * size); // the polar cone
        double scaled[3] = {k * tau[0], k * tau[1], k * tau[2]}, swapped[3] = {tau[0], tau[2], tau[1]};
        rico_bipotential_project(&law, scaled);
        rico_bipotential_project(&turned, swapped);
        for (int i = 0; i < 3; i++) assert_near(scaled[i], k * r[i], 1e-11 * k * size);
        assert_near(swapped[1], r[2], 1e-11 * size);
        assert_near(swapped[2], r[1], 1e-11 * size);
        if (mu[0] != mu[1]) continue;
        double slip = hypot(tau[1], tau[2]), out = (slip - mu[0] * tau[0]) / (1.0 + mu[0] * mu[0]);
        double expected[3] = {tau[0], tau[1], tau[2]};
        if (slip > mu[0] * tau[0] && mu[0] * slip > -tau[0])
            expected[0] += mu[0] * out, expected[1] *= 1.0 - out / slip, expected[2] *= 1.0 - out / slip;
        else if (slip > mu[0] * tau[0])
            memset(expected, 0, sizeof expected);
        for (int i = 0; i < 3; i++) assert_near(r[i], expected[i], 1e-11 * size);
    }
}


// Values found by a bracketed Newton's method of another program.
static void the_elliptic_projection_has_its_digits(void **state)
{
    rico_context *ctx = *state;
    static const double TAU[5][3] = {{1, 1, 1}, {.5, 3, -2}, {-.2, 1, 2}, {0, 1, 1}, {.5, 0, 2}};
    static const double R[5][3] = {{1.2461993840, .3129779570, .1022447552},
                                   {1.3385392788, .3768536607, -.0693418786},
                                   {.2124930667, .0443086264, .0229158402},
                                   {.3118843923, .0825688073, .0220048900},
                                   {.7823960880, 0, .1173594132}};
    rico_bipotential law = orthotropic(ctx, (double[]){0.3, 0.15, 0.0, 0.0});
    for (int k = 0; k < 5; k++) {
        double r[3];
        memcpy(r, TAU[k], sizeof r);
        rico_bipotential_project(&law, r);
        for (int i = 0; i < 3; i++) assert_near(r[i], R[k][i], 6e-11);
    }
}


// P12: the law is the fixed point of prediction and correction, whatever rho; what breaks the law is none.
static void the_law_is_a_fixed_point_for_every_rho(void **state)
{
    rico_context *ctx = *state;
    rico_bipotential laws[20];
    rico_random random;
    rico_random_seed(&random, 12);
    int count = all_laws(ctx, laws);
    for (int l = 0; l < count; l++) {
        const rico_bipotential *law = &laws[l];
        int n = law->info->size;
        int64_t broken = 0;
        for (int s = 0; s < SAMPLES / 10; s++) {
            double x[N], y[N], rho = exp(4.0 * rico_random_normal(&random));
            rico_bipotential_sample(law, rico_random_bits(&random), x, y);
            double size = 1.0 + length(n, y) + rho * length(n, x);
            assert_near(rico_bipotential_miss(law, rho, x, y), 0.0, 1e-12 * size);
            some_x(law, &random, x);
            some_y(law, &random, y);
            double gap = rico_bipotential_gap(law, x, y);
            if (gap < 1e-3) continue;
            broken++;
            assert_true(rico_bipotential_miss(law, 1.0, x, y) > 1e-6);
        }
        assert_true(broken > SAMPLES / 100);
    }
}


// P12: a factor of the slip potential changes b and leaves the law.
static void scaling_the_slip_potential_leaves_the_law(void **state)
{
    rico_context *ctx = *state;
    double x[3], y[3];
    for (int s = 0; s < SAMPLES; s++) {
        const double *c = CASES[s % 5], k = 0.3 + 0.001 * (double)(s % 4000);
        rico_bipotential law = orthotropic(ctx, c);
        rico_bipotential scaled = orthotropic(ctx, (double[]){c[0], c[1], k * c[2], k * c[3]});
        rico_bipotential_sample(&law, (uint64_t)s, x, y);
        assert_near(rico_bipotential_gap(&scaled, x, y), 0.0,
                    1e-11 * k * k * (1.0 + length(3, x) * length(3, y)));
    }
}


// P13: -u_t = l P^-2 r_t on the rim of the ellipse; never a gain; with P = F the power is r_n times the dual norm.
static void slip_follows_its_potential(void **state)
{
    rico_context *ctx = *state;
    rico_random random;
    rico_random_seed(&random, 13);
    int slipping = 0;
    for (int s = 0; s < SAMPLES; s++) {
        const double *c = CASES[s % 5];
        rico_bipotential law = orthotropic(ctx, c);
        double x[3], y[3];
        rico_bipotential_sample(&law, rico_random_bits(&random), x, y);
        double power = x[1] * y[1] + x[2] * y[2], size = 1e-12 * (1.0 + length(3, x) * length(3, y));
        if (hypot(x[1], x[2]) == 0.0 || y[0] == 0.0) continue;
        slipping++;
        double along[2] = {c[2] * c[2] * x[1], c[3] * c[3] * x[2]};
        assert_near(along[0] * y[2] - along[1] * y[1], 0.0, size);
        assert_true(along[0] * y[1] + along[1] * y[2] > 0.0);
        assert_near(hypot(y[1] / c[0], y[2] / c[1]), y[0], 1e-12 * y[0]);
        assert_true(power > 0.0);
        assert_near(rico_bipotential_dissipation(&law, y[0], x), power, size);
        if (c[0] == c[2] && c[1] == c[3]) assert_near(power, y[0] * hypot(c[0] * x[1], c[1] * x[2]), size);
    }
    assert_true(slipping > SAMPLES / 5);
}


// Dissipation by groups: what friction and moments take, and nothing at a pressure that no pair has.
static void moments_and_cohesion_dissipate(void **state)
{
    rico_context *ctx = *state;
    rico_bipotential law;
    double x[6] = {-1.0, 3.0, 4.0, 5.0, 12.0, -2.0};
    assert_ok(ctx, rico_bipotential_make(ctx, "rolling-spinning", &law));
    law.value[0] = 0.5, law.value[1] = 0.25, law.value[2] = 0.125;
    assert_near(rico_bipotential_dissipation(&law, 2.0, x), 2.0 * (0.5 * 5.0 + 0.25 * 13.0 + 0.125 * 2.0),
                1e-14);
    assert_true(isnan(rico_bipotential_dissipation(&law, -1e-3, x)));
    assert_ok(ctx, rico_bipotential_make(ctx, "cohesive", &law));
    law.value[0] = 0.5, law.value[1] = 3.0;
    assert_near(rico_bipotential_dissipation(&law, -1.0, x), 0.5 * 2.0 * 5.0, 1e-14);
    assert_true(isnan(rico_bipotential_dissipation(&law, -3.1, x)));
    assert_ok(ctx, rico_bipotential_make(ctx, "tresca", &law));
    law.value[0] = 7.0;
    assert_near(rico_bipotential_dissipation(&law, 0.0, x), 35.0, 1e-13);
    assert_ok(ctx, rico_bipotential_make(ctx, "drucker-prager", &law));
    double e[6] = {0.0, 2.0, 0.0, 0.0, 0.0, 0.0};
    // mu (C - p)|e| + p m |e| = 0.6 * 3 * 2 - 2 * 0.2 * 2
    assert_near(rico_bipotential_dissipation(&law, -2.0, e), 2.8, 1e-14);
}


// A cone shifted by c is Coulomb's for r + c e_N: what holds at (x, r + c) holds at (x, r), and the pull is borne.
static void cohesion_shifts_the_cone(void **state)
{
    rico_context *ctx = *state;
    rico_bipotential coulomb, cohesive;
    assert_ok(ctx, rico_bipotential_make(ctx, "coulomb", &coulomb));
    assert_ok(ctx, rico_bipotential_make(ctx, "cohesive", &cohesive));
    for (int s = 0; s < SAMPLES / 10; s++) {
        double x[3], y[3];
        rico_bipotential_sample(&cohesive, (uint64_t)s, x, y);
        assert_true(y[0] >= -1.0 - 1e-12);
        y[0] += 1.0;
        assert_near(rico_bipotential_gap(&coulomb, x, y), 0.0, 1e-11 * (1.0 + length(3, x) * length(3, y)));
    }
    assert_near(rico_bipotential_gap(&cohesive, (double[]){-2, 0, 0}, (double[]){-1, 0, 0}), 0.0, 0.0);
    assert_true(rico_bipotential_gap(&cohesive, (double[]){-2, 0, 0}, (double[]){-0.5, 0, 0}) == 1.0);
    assert_true(rico_bipotential_gap(&cohesive, (double[]){0, 0, 0}, (double[]){-1.5, 0, 0}) == INFINITY);
}


// b_p by superpotentials (eq. 12-14) has the graph of the law at that pressure, and the chapter's closed forms.
static void parts_at_a_pressure_have_superpotentials(void **state)
{
    rico_context *ctx = *state;
    rico_bipotential laws[20];
    int count = all_laws(ctx, laws);
    for (int l = 0; l < count; l++) {
        const rico_bipotential *law = &laws[l];
        int n = law->info->size;
        bool own = strcmp(law->info->name, "orthotropic") == 0 && law->value[2] > 0.0 &&
                   law->value[2] / law->value[0] != law->value[3] / law->value[1];
        for (int s = 0; s < SAMPLES / 20; s++) {
            double x[N], y[N];
            rico_bipotential_section at;
            rico_bipotential_sample(law, (uint64_t)s, x, y);
            double size = 1e-11 * (1.0 + length(n, x)) * (1.0 + length(n, y)), power = dot(n, x, y);
            assert_true(rico_bipotential_cut(law, y[0], x, y, &at));
            assert_near(at.both, power, size);
            assert_true(rico_bipotential_value(law, x, y) <=
                        at.both + size); // the infimum over p (Theorem 4.2)
            assert_int_equal(isnan(at.phi), own);
            if (own) continue;
            // Fenchel's equality, twice
            assert_near(at.phi + at.phi_conjugate, power, size);
            assert_near(at.psi + at.psi_conjugate, power, size);
            // at another pressure the pair is not of that part
            if (y[0] > 0.0 && rico_bipotential_cut(law, 0.5 * y[0], x, y, &at))
                assert_true(at.both == INFINITY);
        }
    }
    rico_bipotential coulomb;
    rico_bipotential_section at;
    assert_ok(ctx, rico_bipotential_make(ctx, "coulomb", &coulomb));
    double x[3] = {-2.0, 3.0, 4.0}, y[3] = {7.0, 0.5, 0.0};
    assert_true(rico_bipotential_cut(&coulomb, 3.0, x, y, &at));
    assert_near(at.phi, -6.0 + 0.5 * 3.0 * 5.0, 1e-14);
    assert_true(at.phi_conjugate == INFINITY && at.psi == 0.0 && at.psi_conjugate == INFINITY);
    assert_true(rico_bipotential_cut(&coulomb, 0.0, x, (double[]){7.0, 0.0, 0.0}, &at));
    assert_true(at.phi == 0.0 && at.psi == 0.0 && at.psi_conjugate == 0.0 && at.phi_conjugate == INFINITY);
    assert_false(rico_bipotential_cut(&coulomb, -1.0, x, y, &at));
}


static void numbers_out_of_range_are_refused(void **state)
{
    rico_context *ctx = *state;
    rico_bipotential law;
    assert_int_equal(rico_bipotential_make(ctx, "coulmb", &law), RICO_BAD_ARGUMENT);
    assert_non_null(strstr(rico_message(ctx), "did you mean 'coulomb'"));
    assert_ok(ctx, rico_bipotential_make(ctx, "orthotropic", &law));
    assert_int_equal(rico_bipotential_set(ctx, &law, "friction-1", -0.1), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_bipotential_set(ctx, &law, "friction-1", NAN), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_bipotential_set(ctx, &law, "slipp-1", 0.1), RICO_BAD_ARGUMENT);
    assert_ok(ctx, rico_bipotential_set(ctx, &law, "slip-1", 0.1));
    assert_int_equal(rico_bipotential_check(ctx, &law), RICO_BAD_ARGUMENT);
    assert_non_null(strstr(rico_message(ctx), "both"));
    assert_ok(ctx, rico_bipotential_set(ctx, &law, "slip-2", 0.1));
    assert_ok(ctx, rico_bipotential_check(ctx, &law));
    assert_ok(ctx, rico_bipotential_set(ctx, &law, "friction-2", 0.0));
    assert_int_equal(rico_bipotential_check(ctx, &law), RICO_BAD_ARGUMENT);
    assert_ok(ctx, rico_bipotential_make(ctx, "drucker-prager", &law));
    assert_ok(ctx, rico_bipotential_set(ctx, &law, "dilatancy", 0.7));
    assert_int_equal(rico_bipotential_check(ctx, &law), RICO_BAD_ARGUMENT);
    assert_null(rico_bipotential_at(-1));
    assert_null(rico_bipotential_find("nothing"));
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
        cmocka_unit_test(the_gap_is_never_negative_and_zero_on_the_law),
        cmocka_unit_test(bipotentials_are_those_of_the_chapter),
        cmocka_unit_test(bipotentials_are_convex_in_each_argument),
        cmocka_unit_test(projections_are_nearest_points),
        cmocka_unit_test(the_elliptic_projection_is_that_of_a_cone),
        cmocka_unit_test(the_elliptic_projection_has_its_digits),
        cmocka_unit_test(the_law_is_a_fixed_point_for_every_rho),
        cmocka_unit_test(scaling_the_slip_potential_leaves_the_law),
        cmocka_unit_test(slip_follows_its_potential),
        cmocka_unit_test(moments_and_cohesion_dissipate),
        cmocka_unit_test(cohesion_shifts_the_cone),
        cmocka_unit_test(parts_at_a_pressure_have_superpotentials),
        cmocka_unit_test(numbers_out_of_range_are_refused),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
