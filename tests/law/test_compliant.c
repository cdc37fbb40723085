// Compliant contacts against closed forms: durations, restitutions, eigenvalues; the books of energy; chains
// against LZB. Cases by the numbers of docs/theory/compliant.md.

#include "impacts.h"
#include "law/compliant_damping.h"

#include <complex.h>

static const double PI = 3.14159265358979323846;

typedef struct contact {
    double K, eta, e;
} contact;


static rico_impact *two_balls(rico_context *ctx, const double *mass, contact c)
{
    rico_impact *impact = chain_of(ctx, 2, mass, RICO_CHAIN_FREE);
    assert_ok(ctx, rico_impact_set_exponent(impact, RICO_ALL_CONTACTS, c.eta));
    assert_ok(ctx, rico_impact_set_restitution(impact, RICO_ALL_CONTACTS, c.e));
    assert_ok(ctx, rico_impact_set_stiffness(impact, RICO_ALL_CONTACTS, c.K));
    return impact;
}


// Restitution of two balls under a law with a damping of its own. v is the approach velocity, r what came of
// it.
static double restitution_of(rico_context *ctx, const char *name, contact c, double damping, double v,
                             const char *option, rico_impact_result *r)
{
    static const double mass[] = {1.0, 3.0};
    rico_impact *impact = two_balls(ctx, mass, c);
    const double u[] = {v, 0.0};
    rico_impact_law *law = law_on(ctx, name, impact);
    assert_ok(ctx, rico_impact_set_damping(impact, 0, damping));
    assert_ok(ctx, rico_impact_law_set_number(law, "tol", 1e-12));
    if (option) assert_ok(ctx, rico_impact_law_set(law, option, "true"));
    rico_impact_result got = apply(ctx, law, u);
    assert_int_equal(got.stop, RICO_IMPACT_DONE);
    assert_books(ctx, impact, u, &got, 1e-11);
    double e = got.gap_after[0] / v;
    *r = got;
    r->velocity = r->impulse = NULL; // they go with the law
    rico_impact_law_destroy(law);
    rico_impact_destroy(impact);
    return e;
}


// K1: elastic contacts. Hertz: t = 2.943276 delta_M / v, delta_M = (5 m v^2 / (4 K))^(2/5); linear: t = pi
// sqrt(m/K).
static void test_elastic(void **state)
{
    rico_context *ctx = *state;
    const double m = 0.75, K = 7.0, v = 2.0;
    rico_impact_result r;
    assert_near(restitution_of(ctx, "hertz", (contact){K, 9.0, 0.3}, NAN, v, NULL, &r), 1.0, 1e-10);
    assert_near(r.duration, 2.943276 * pow(1.25 * m * v * v / K, 0.4) / v, 1e-6);
    assert_near(restitution_of(ctx, "linear", (contact){K, 9.0, 0.3}, NAN, v, NULL, &r), 1.0, 1e-10);
    assert_near(r.duration, PI * sqrt(m / K), 1e-9);
    for (double eta = 0.25; eta < 4.0; eta *= 1.7) {
        double inverse = 1.0 / (1.0 + eta), deepest = pow((1.0 + eta) * m * v * v / (2.0 * K), inverse);
        assert_near(restitution_of(ctx, "elastic", (contact){K, eta, 1.0}, NAN, v, NULL, &r), 1.0, 1e-9);
        assert_near(r.duration, 2.0 * deepest / v * sqrt(PI) * tgamma(1.0 + inverse) / tgamma(0.5 + inverse),
                    1e-7);
    }
}


// K2: Kelvin and Voigt. Pulling until the overlap is gone: e = exp(-pi z/sqrt(1 - z^2)). Parting where the
// force ends: Schwager and Poeschel 2007, eq. 21 (under- and overdamped alike, with a complex root).
static void test_kelvin_voigt(void **state)
{
    rico_context *ctx = *state;
    const double m = 0.75, K = 7.0, w0 = sqrt(K / m), z[] = {0.01, 0.1, 0.4, 0.69, 0.9, 1.5, 4.0};
    rico_impact_result r;
    for (int k = 0; k < 7; k++) {
        double C = 2.0 * z[k] * sqrt(K * m), b = z[k] * w0;
        contact c = {K, 1.0, 1.0};
        double complex w = csqrt(w0 * w0 - b * b);
        // F = 0 at tan(w t) = -2 b w / (w0^2 - 2 b^2)... as roots of the motion: d = sin(w t) exp(-b t)/w
        double t = 0.0, e;
        if (z[k] < 1.0) {
            double angle = atan2(2.0 * b * creal(w), creal(w) * creal(w) - b * b);
            t = (PI - angle) / creal(w);
            e = exp(-b * t);
        } else {
            double W = cimag(w);
            t = log((b + W) / (b - W)) / (2.0 * W) * 2.0;
            e = exp(-b * t);
        }
        assert_near(restitution_of(ctx, "kelvin-voigt", c, C, 2.0, NULL, &r), e, 1e-8);
        assert_near(r.duration, t, 1e-7);
        if (z[k] >= 0.95) continue;
        double classic = exp(-PI * z[k] / sqrt(1.0 - z[k] * z[k]));
        assert_near(restitution_of(ctx, "kelvin-voigt", c, C, 2.0, "pull", &r), classic, 1e-9);
        assert_near(r.duration, PI / creal(w), 1e-8);
    }
}


// K3: Maxwell. F'' + F' K/C + F K/m = 0: e = exp(-pi z/sqrt(1 - z^2)), z = K/(2 C w0), after pi/w; a stronger
// damper never lets go, and the balls go on together.
static void test_maxwell(void **state)
{
    rico_context *ctx = *state;
    const double m = 0.75, K = 7.0, w0 = sqrt(K / m), z[] = {0.01, 0.2, 0.5, 0.8};
    rico_impact_result r;
    for (int k = 0; k < 4; k++) {
        double root = sqrt(1.0 - z[k] * z[k]);
        assert_near(
            restitution_of(ctx, "maxwell", (contact){K, 1.0, 1.0}, K / (2.0 * z[k] * w0), 2.0, NULL, &r),
            exp(-PI * z[k] / root), 1e-9);
        assert_near(r.duration, PI / (w0 * root), 1e-8);
    }
    assert_near(restitution_of(ctx, "maxwell", (contact){K, 1.0, 1.0}, K / (2.0 * 3.0 * w0), 2.0, NULL, &r),
                0.0, 2e-6);
}


// K4: Zener by its eigenvalues. x' = v, v' = -(K1 x + K2 s)/m, s' = v - (K2/C) s: modes from the cubic
// p^3 + f p^2 + (K1 + K2)/m p + f K1/m, f = K2/C (Laplace), the force followed to its first zero.
static void test_zener(void **state)
{
    rico_context *ctx = *state;
    const double m = 0.75, K = 7.0, v = 2.0, shares[] = {0.2, 0.5, 0.8}, flows[] = {0.1, 1.0, 5.0, 40.0};
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 4; b++) {
            double K1 = shares[a] * K, K2 = K - K1, f = flows[b] * sqrt(K / m);
            const double complex c2 = f, c1 = K / m, c0 = f * K1 / m;
            double complex p[3] = {1.0, 0.4 + 0.9 * I, -0.65 + 0.72 * I}; // Durand and Kerner
            for (int it = 0; it < 400; it++)
                for (int i = 0; i < 3; i++) {
                    double complex value = ((p[i] + c2) * p[i] + c1) * p[i] + c0;
                    p[i] -= value / ((p[i] - p[(i + 1) % 3]) * (p[i] - p[(i + 2) % 3]));
                }
            // v(t) = sum A_i exp(p_i t), v = v0 (p^2 + f p)/(cubic)' at the root
            double t = 1e-3, step = 1e-3, velocity = v;
            for (double low = 0.0; step > 1e-14;) {
                double complex force = 0.0, speed = 0.0;
                for (int i = 0; i < 3; i++) {
                    double complex A = v * (p[i] + f) * p[i] / ((3.0 * p[i] + 2.0 * c2) * p[i] + c1);
                    speed += A * cexp(p[i] * t);
                    force -= m * A * p[i] * cexp(p[i] * t);
                }
                velocity = creal(speed);
                if (creal(force) < 0.0) {
                    t = low;
                    step *= 0.5;
                } else {
                    low = t;
                }
                t += step;
            }
            static const double mass[] = {1.0, 3.0};
            rico_impact *impact = two_balls(ctx, mass, (contact){K, 1.0, 1.0});
            const double u[] = {v, 0.0};
            rico_impact_law *law = law_on(ctx, "zener", impact);
            assert_ok(ctx, rico_impact_set_damping(impact, 0, K2 / f));
            assert_ok(ctx, rico_impact_law_set_number(law, "share", shares[a]));
            assert_ok(ctx, rico_impact_law_set_number(law, "tol", 1e-12));
            rico_impact_result r = apply(ctx, law, u);
            assert_int_equal(r.stop, RICO_IMPACT_DONE);
            assert_near(r.gap_after[0], -velocity, 1e-8);
            assert_near(r.duration, t, 1e-7);
            assert_books(ctx, impact, u, &r, 1e-11);
            rico_impact_law_destroy(law);
            rico_impact_destroy(impact);
        }
}


// K5: Hunt and Crossley, a = C v / K: a (1 + e) = log((1 + a)/(1 - a e)), whatever the exponent.
static void test_hunt_crossley(void **state)
{
    rico_context *ctx = *state;
    const double K = 7.0, v = 2.0, exponents[] = {0.7, 1.0, 1.5, 2.5}, numbers[] = {0.05, 0.4, 2.0, 12.0};
    rico_impact_result r;
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++) {
            double n = numbers[b];
            double e =
                restitution_of(ctx, "hunt-crossley", (contact){K, exponents[a], 1.0}, n * K / v, v, NULL, &r);
            double low = 0.0, high = fmin(1.0, 1.0 / n); // of e: the left side is the larger below
            for (int k = 0; k < 100; k++) {
                double middle = 0.5 * (low + high);
                *(n * (1.0 + middle) > log((1.0 + n) / (1.0 - n * middle)) ? &low : &high) = middle;
            }
            assert_near(e, low, 1e-9);
        }

    // the formulas of the literature, at e near 1 where all agree to first order but Lee and Wang's, which
    // halves the loss
    const char *const close[] = {"hunt-crossley", "lankarani-nikravesh", "herbert-mcwhannell", "exact"};
    for (int k = 0; k < 5; k++) {
        rico_impact *impact = two_balls(ctx, NULL, (contact){K, 1.5, 0.999});
        rico_impact_law *law = law_on(ctx, "hunt-crossley", impact);
        assert_ok(ctx, rico_impact_law_set(law, "formula", k < 4 ? close[k] : "lee-wang"));
        double e = apply(ctx, law, (double[]){v, 0.0}).gap_after[0] / v;
        assert_near(1.0 - e, k < 4 ? 1e-3 : 5e-4, 5e-6);
        rico_impact_law_destroy(law);
        rico_impact_destroy(impact);
    }
}


// K6: Tsuji's restitution does not depend on the velocity, and with z = C/(2 sqrt(m K)) sqrt(...) is Kelvin
// and Voigt's; those of Kuwabara and Kono fall as 1 - e ~ v^(1/5), those of Hunt and Crossley as 1 - e ~ v
// (both for weak damping).
static void test_velocities(void **state)
{
    rico_context *ctx = *state;
    rico_impact_result r;
    contact c = {7.0, 1.5, 1.0};
    double slow = restitution_of(ctx, "tsuji", c, 0.5, 0.01, NULL, &r);
    assert_near(restitution_of(ctx, "tsuji", c, 0.5, 100.0, NULL, &r), slow, 1e-7);
    slow = 1.0 - restitution_of(ctx, "kuwabara-kono", c, 1e-4, 1.0, NULL, &r);
    assert_near((1.0 - restitution_of(ctx, "kuwabara-kono", c, 1e-4, 32.0, NULL, &r)) / slow, 2.0, 1e-3);
    slow = 1.0 - restitution_of(ctx, "hunt-crossley", c, 1e-4, 1.0, NULL, &r);
    assert_near((1.0 - restitution_of(ctx, "hunt-crossley", c, 1e-4, 10.0, NULL, &r)) / slow, 10.0, 1e-2);

    // 1 - e = 1.153 C/K^... of Kuwabara and Kono: the loss of Hertz's motion, int C sqrt(d) d'^2 dt over m
    // v^2, by quadrature
    double K = 7.0, m = 0.75, v = 1.0, C = 1e-5, deepest = pow(1.25 * m * v * v / K, 0.4), loss = 0.0;
    enum { PIECES = 20000 };
    for (int i = 0; i < PIECES; i++) { // d = deepest sin(angle)
        double angle = 0.5 * PI * (i + 0.5) / PIECES, d = deepest * sin(angle);
        double speed = v * sqrt(1.0 - pow(sin(angle), 2.5));
        loss += 2.0 * C * sqrt(d) * speed * deepest * cos(angle) * 0.5 * PI / PIECES;
    }
    double e = restitution_of(ctx, "kuwabara-kono", c, C, v, NULL, &r);
    assert_near((1.0 - e) / (loss / (m * v * v)), 1.0, 1e-3);
}


// K8: plastic contacts. With a bounded force F the spring holds F^((1+eta)/eta) K^(-1/eta)/(1+eta) when the
// balls turn, so that they leave at one velocity however fast they came; below it they are elastic. Linear
// with the tangent stiffness share K beyond F: the work of compression m v^2/2 = F^2/(2K) + F p' + share K
// p'^2/2 over the approach p' behind the yield, the force at the end F + share K p', and what comes back its
// square over 2K.
static void test_plastic(void **state)
{
    rico_context *ctx = *state;
    const double mass[] = {1.0, 3.0}, m = 0.75, K = 7.0, F = 1.3, speeds[] = {0.2, 1.0, 2.0, 9.0};
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 3; b++) {
            double eta = b == 0 ? 1.5 : 1.0, share = b == 2 ? 0.3 : 0.0, v = speeds[a];
            double held = pow(F, (1.0 + eta) / eta) * pow(K, -1.0 / eta) / (1.0 + eta), e = 1.0;
            if (0.5 * m * v * v > held) {
                double rest = 0.5 * m * v * v - held, far = rest / F;
                if (share > 0.0) far = (sqrt(F * F + 2.0 * share * K * rest) - F) / (share * K);
                double last = F + share * K * far;
                e = sqrt(pow(last, (1.0 + eta) / eta) * pow(K, -1.0 / eta) / (1.0 + eta) / (0.5 * m * v * v));
            }
            rico_impact *impact = two_balls(ctx, mass, (contact){K, eta, 1.0});
            rico_impact_law *law = law_on(ctx, "plastic", impact);
            assert_ok(ctx, rico_impact_law_set_number(law, "yield", F));
            assert_ok(ctx, rico_impact_law_set_number(law, "share", share));
            rico_impact_result r = apply(ctx, law, (double[]){v, 0.0});
            assert_int_equal(r.stop, RICO_IMPACT_DONE);
            assert_near(r.gap_after[0] / v, e, 1e-7);
            assert_books(ctx, impact, (double[]){v, 0.0}, &r, 1e-11);
            assert_ok(ctx, rico_impact_law_set_number(law, "yield", 0.0));
            assert_int_equal(rico_impact_law_apply(law, (double[]){v, 0.0}, &r), RICO_BAD_ARGUMENT);
            rico_impact_law_destroy(law);
            rico_impact_destroy(impact);
        }
}


// Dampings from restitutions, for every law that has a damper; and restitutions that no damping gives are
// refused.
static void test_wanted(void **state)
{
    rico_context *ctx = *state;
    const char *const names[] = {"kelvin-voigt",  "maxwell",       "zener",  "tsuji",
                                 "kuwabara-kono", "hunt-crossley", "plastic"};
    const double wanted[] = {0.95, 0.8, 0.3}, mass[] = {0.3, 40.0}, u[] = {50.0, 0.0};
    for (int l = 0; l < 7; l++)
        for (int k = 0; k < 3; k++) {
            rico_impact *impact = two_balls(ctx, mass, (contact){1e9, 1.5, wanted[k]});
            rico_impact_law *law = law_on(ctx, names[l], impact);
            if (l == 2 || l == 6)
                assert_ok(ctx, rico_impact_law_set(law, "share", "0.02")); // else 0.3 is out of reach
            rico_impact_result r = apply(ctx, law, u);
            assert_int_equal(r.stop, RICO_IMPACT_DONE);
            assert_near(r.gap_after[0], 50.0 * wanted[k], 50.0 * 2e-7);
            assert_near(r.loss[0], 0.5 * (0.3 * 40.0 / 40.3) * 2500.0 * (1.0 - wanted[k] * wanted[k]), 1e-3);
            rico_impact_law_destroy(law);
            rico_impact_destroy(impact);
        }
    rico_impact_result r;
    rico_impact *impact = two_balls(ctx, NULL, (contact){1.0, 1.0, 0.1});
    rico_impact_law *law = law_on(ctx, "zener", impact);
    assert_int_equal(rico_impact_law_apply(law, (double[]){1.0, 0.0}, &r), RICO_BAD_ARGUMENT);
    assert_non_null(strstr(rico_message(ctx), "restitution of 0.1"));
    rico_impact_law_destroy(law);
    law = law_on(ctx, "kuwabara-kono", impact);
    assert_ok(ctx, rico_impact_set_exponent(impact, 0, 0.5));
    assert_int_equal(rico_impact_law_apply(law, (double[]){1.0, 0.0}, &r), RICO_BAD_ARGUMENT);
    assert_non_null(strstr(rico_message(ctx), "exponents of at least 1"));
    assert_int_equal(rico_impact_set_damping(impact, 0, -1.0), RICO_BAD_ARGUMENT);
    rico_impact_law_destroy(law);
    law = law_on(ctx, "maxwell", impact);
    assert_ok(ctx, rico_impact_set_damping(impact, 0, 0.0));
    assert_int_equal(rico_impact_law_apply(law, (double[]){1.0, 0.0}, &r), RICO_BAD_ARGUMENT);
    rico_impact_law_destroy(law);
    rico_impact_destroy(impact);
}


// K7: without losses and with one blow for each contact the model is LZB's: three linear balls in closed form
// (C2), ten Hertz balls by LZB with its first-order error taken out.
static void test_chains(void **state)
{
    rico_context *ctx = *state;
    const double three[] = {-0.1302616951, 0.1502295694, 0.9800321256}, u[10] = {1.0};
    rico_impact *impact = chain_of(ctx, 3, NULL, RICO_CHAIN_FREE);
    rico_impact_law *law = law_on(ctx, "linear", impact);
    assert_all_near(3, apply(ctx, law, u).velocity, three, 1e-8);
    rico_impact_law_destroy(law);
    rico_impact_destroy(impact);

    impact = chain_of(ctx, 10, NULL, RICO_CHAIN_FREE);
    rico_impact_law *lzb = law_on(ctx, "lzb", impact);
    law = law_on(ctx, "hertz", impact);
    double limit[10];
    assert_ok(ctx, rico_impact_law_set_number(lzb, "step", 4e-5));
    rico_impact_result r = apply(ctx, lzb, u);
    for (int i = 0; i < 10; i++) limit[i] = -r.velocity[i];
    assert_ok(ctx, rico_impact_law_set_number(lzb, "step", 2e-5));
    r = apply(ctx, lzb, u);
    for (int i = 0; i < 10; i++) limit[i] += 2.0 * r.velocity[i];
    r = apply(ctx, law, u);
    assert_all_near(10, r.velocity, limit, 2e-6);
    for (int j = 0; j < 9; j++) assert_int_equal(r.impacts[j], 1);

    // scaling: K and v change the time, not the outcome
    double unit[10];
    memcpy(unit, r.velocity, sizeof unit);
    assert_ok(ctx, rico_impact_set_stiffness(impact, RICO_ALL_CONTACTS, 1e10));
    const double fast[10] = {1e-3};
    r = apply(ctx, law, fast);
    for (int i = 0; i < 10; i++) assert_near(1e3 * r.velocity[i], unit[i], 1e-8);
    rico_impact_law_destroy(lzb);
    rico_impact_law_destroy(law);
    rico_impact_destroy(impact);
}


// A free surface carries no force: along its recovery F(x, x') = 0, and the branch obeys its own equation.
static void test_recovery(void **state)
{
    (void)state;
    const rico_rheology *const kinds[] = {&rico_rheology_kelvin_voigt,  &rico_rheology_tsuji,
                                          &rico_rheology_kuwabara_kono, &rico_rheology_hunt_crossley,
                                          &rico_rheology_zener,         &rico_rheology_maxwell};
    const double h = 1e-5;
    for (int k = 0; k < 6; k++)
        for (double t = 0.1; t < 0.5; t += 0.1) {
            rico_bond bond = rico_bond_of(kinds[k], 3.0, k < 1 || k > 3 ? 1.0 : 1.5, k == 5 ? 0.0 : 0.4);
            if (kinds[k]->series)
                bond.flow = 2.0;
            else
                bond.C = 1.7;
            double x = rico_bond_recover(&bond, 1.3, t);
            double later = rico_bond_recover(&bond, 1.3, t + h),
                   earlier = rico_bond_recover(&bond, 1.3, t - h);
            double rate = (later - earlier) / (2.0 * h), s = rico_bond_free_stretch(&bond, x);
            double stretch =
                (rico_bond_free_stretch(&bond, later) - rico_bond_free_stretch(&bond, earlier)) / (2.0 * h);
            assert_near(rico_bond_force(&bond, x, s, rate), 0.0, 1e-7);
            if (kinds[k]->series) assert_near(stretch, rico_bond_stretch_rate(&bond, x, s, rate), 1e-7);
            assert_true(x >= rico_bond_rest(&bond, 1.3) && x <= 1.3);
        }
}


// Books, signs and dissipation on random systems, of any rank, under every compliant law; energy that
// contacts hold when the impact begins comes out.
static void test_properties(void **state)
{
    rico_context *ctx = *state;
    rico_random random;
    rico_random_seed(&random, 91);
    for (int run = 0; run < 12; run++) {
        int64_t n = 2 + rico_random_below(&random, 4), h = 2 + rico_random_below(&random, 4);
        // all gaps open along some direction: else the system would be caught between its walls, and rattle
        // for ever
        double M[36] = {0.0}, W[36], u[16];
        for (int64_t i = 0; i < n; i++) {
            M[i * n + i] = 1.0 + rico_random_unit(&random);
            u[i] = rico_random_normal(&random);
            for (int64_t j = 0; j < h; j++)
                W[i * h + j] = i == 0 ? 0.2 + rico_random_unit(&random) : rico_random_normal(&random);
        }
        for (int64_t i = 0; i + 1 < n; i++) M[i * n + i + 1] = M[(i + 1) * n + i] = 0.3;
        for (int64_t i = 0; i < n && run % 3 == 0; i++) W[i * h + 1] = 2.0 * W[i * h]; // dependent
        rico_impact *impact = impact_of(ctx, n, h, M, W);
        for (int64_t j = 0; j < h; j++) {
            assert_ok(ctx, rico_impact_set_restitution(impact, j, rico_random_range(&random, 0.8, 1.0)));
            assert_ok(ctx, rico_impact_set_stiffness(impact, j, rico_random_range(&random, 0.5, 5.0)));
            assert_ok(ctx, rico_impact_set_exponent(impact, j, rico_random_range(&random, 1.0, 2.0)));
        }
        for (int l = 0; rico_impact_law_at(l); l++) {
            if (!rico_impact_law_at(l)->compliant) continue;
            rico_impact_law *law = law_on(ctx, rico_impact_law_at(l)->name, impact);
            rico_impact_result r = apply(ctx, law, u);
            assert_int_equal(r.stop, RICO_IMPACT_DONE);
            assert_books(ctx, impact, u, &r, 1e-11);
            assert_at_most(r.energy_after, r.energy_before * (1.0 + 1e-7));
            for (int64_t j = 0; j < h; j++) assert_at_most(-r.gap_after[j], 3e-6);
            rico_impact_law_destroy(law);
        }
        rico_impact_destroy(impact);
    }

    rico_impact *impact = chain_of(ctx, 2, NULL, RICO_CHAIN_FREE);
    // a preload F holds F^((1+eta)/eta) K^(-1/eta)/(1+eta): two balls of mass 1 part with half of it each
    static const char *const PRESSED[] = {"lzb", "hertz", "linear", "elastic"};
    assert_ok(ctx, rico_impact_set_stiffness(impact, 0, 3.0));
    for (int l = 0; l < 4; l++) {
        double eta = l == 2 ? 1.0 : 1.5, F = 0.7,
               held = pow(F, (1.0 + eta) / eta) * pow(3.0, -1.0 / eta) / (1.0 + eta);
        rico_impact_law *law = law_on(ctx, PRESSED[l], impact);
        assert_ok(ctx, rico_impact_law_set_number(law, "preload", F));
        if (l == 0) assert_ok(ctx, rico_impact_law_set_number(law, "relative-step", 1e-6));
        assert_near(apply(ctx, law, (double[]){0.0, 0.0}).velocity[1], sqrt(held), l == 0 ? 1e-5 : 1e-8);
        rico_impact_law_destroy(law);
    }
    assert_ok(ctx, rico_impact_set_stiffness(impact, 0, 1.0));
    assert_ok(ctx, rico_impact_set_energy(impact, 0, 0.25));
    for (int l = 0; l < 2; l++) {
        rico_impact_law *law = law_on(ctx, l == 0 ? "hertz" : "linear", impact);
        rico_impact_result r = apply(ctx, law, (double[]){0.0, 0.0});
        assert_near(r.energy_after, 0.25, 1e-8);
        assert_near(r.velocity[1], 0.5, 1e-8);
        rico_impact_law_destroy(law);
    }
    rico_impact_destroy(impact);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elastic),       cmocka_unit_test(test_kelvin_voigt),
        cmocka_unit_test(test_maxwell),       cmocka_unit_test(test_zener),
        cmocka_unit_test(test_hunt_crossley), cmocka_unit_test(test_velocities),
        cmocka_unit_test(test_plastic),       cmocka_unit_test(test_wanted),
        cmocka_unit_test(test_chains),        cmocka_unit_test(test_properties),
        cmocka_unit_test(test_recovery),
    };
    return cmocka_run_group_tests(tests, make_context, drop_context);
}
