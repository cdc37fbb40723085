// The LZB model on few contacts, against closed forms and the books of energy. Cases by the numbers of
// docs/theory/impact-laws.md.

#include "impacts.h"

typedef struct springs {
    double eta, e, K;
} springs;


static rico_impact *chain_with(rico_context *ctx, int64_t balls, const double *mass, springs s)
{
    rico_impact *impact = chain_of(ctx, balls, mass, RICO_CHAIN_FREE);
    assert_ok(ctx, rico_impact_set_exponent(impact, RICO_ALL_CONTACTS, s.eta));
    assert_ok(ctx, rico_impact_set_restitution(impact, RICO_ALL_CONTACTS, s.e));
    assert_ok(ctx, rico_impact_set_stiffness(impact, RICO_ALL_CONTACTS, s.K));
    return impact;
}


static rico_impact_result integrate(rico_context *ctx, rico_impact_law *law, double step, const double *u)
{
    assert_ok(ctx, rico_impact_law_set_number(law, "step", step));
    rico_impact_result r = apply(ctx, law, u);
    assert_int_equal(r.stop, RICO_IMPACT_DONE);
    return r;
}


// Velocities with the first-order error of the step taken out: 2 v(step) - v(2 step).
static void extrapolate(rico_context *ctx, rico_impact_law *law, double step, int64_t n, const double *u,
                        double *v)
{
    rico_impact_result r = integrate(ctx, law, 2.0 * step, u);
    for (int64_t i = 0; i < n; i++) v[i] = -r.velocity[i];
    r = integrate(ctx, law, step, u);
    for (int64_t i = 0; i < n; i++) v[i] += 2.0 * r.velocity[i];
}


// C1: two balls, any exponent: kinematic restitution e, impulse (1+e) m_eff v, and the duration by Gamma functions.
static void test_two_balls(void **state)
{
    rico_context *ctx = *state;
    const double exponents[] = {0.5, 1.0, 1.5, 2.0, 3.0}, restitutions[] = {0.0, 0.5, 0.9, 1.0};
    const double mass[] = {1.0, 3.0}, u[] = {2.0, -1.0}, v = 3.0, m = 0.75, K = 7.0, pi = acos(-1.0);
    for (int a = 0; a < 5; a++)
        for (int b = 0; b < 4; b++) {
            double eta = exponents[a], e = restitutions[b], inverse = 1.0 / (1.0 + eta);
            rico_impact *impact = chain_with(ctx, 2, mass, (springs){eta, e, K});
            rico_impact_law *law = law_on(ctx, "lzb", impact);
            double unit = rico_contact_time_unit(m, K, eta, v);
            rico_impact_result r = integrate(ctx, law, 1e-5 * unit, u);
            assert_near(r.gap_after[0], e * v, 3e-4 * v);
            assert_near(r.impulse[0], (1.0 + e) * m * v, 3e-4 * m * v);
            double indentation = pow((1.0 + eta) * m * v * v / (2.0 * K), inverse);
            double duration =
                (1.0 + e) * (indentation / v) * sqrt(pi) * tgamma(1.0 + inverse) / tgamma(0.5 + inverse);
            assert_near(r.duration, duration, 3e-4 * duration);
            assert_near(r.compression[0], 0.5 * m * v * v, 1e-4 * m * v * v);
            assert_near(r.loss[0], (1.0 - e * e) * 0.5 * m * v * v, 3e-4 * m * v * v);
            assert_int_equal(r.impacts[0], 1);
            assert_books(ctx, impact, u, &r, 1e-11);
            rico_impact_law_destroy(law);
            rico_impact_destroy(impact);
        }

    // the figures of the specification: m = K = v = 1, Hertz, 24388 steps of 1e-4
    const double unit_speed[] = {1.0, 0.0};
    rico_impact *impact = chain_with(ctx, 2, NULL, (springs){1.5, 1.0, 1.0});
    rico_impact_law *law = law_on(ctx, "lzb", impact);
    rico_impact_result r = integrate(ctx, law, 1e-4, unit_speed);
    assert_near(r.duration, 2.4388, 2e-4);
    assert_ok(ctx, rico_impact_set_restitution(impact, 0, 0.5));
    r = integrate(ctx, law, 1e-4, unit_speed);
    assert_near(r.duration, 1.8291, 2e-4);
    rico_impact_law_destroy(law);
    rico_impact_destroy(impact);
}


// C2: three balls on linear springs. Until contact 1 opens at t1, delta = (sin t +- sin(sqrt(3) t)/sqrt(3))/2.
static void test_three_balls_linear(void **state)
{
    rico_context *ctx = *state;
    const double u[] = {1.0, 0.0, 0.0}, root = sqrt(3.0);
    double low = 2.0, high = 3.0;
    for (int k = 0; k < 100; k++) {
        double t = 0.5 * (low + high);
        *(sin(t) + sin(root * t) / root > 0.0 ? &low : &high) = t;
    }
    double t1 = low;
    assert_near(t1, 2.55481291, 5e-9);
    double v1 = 1.0 - 0.5 * ((1.0 - cos(t1)) + (1.0 - cos(root * t1)) / 3.0);
    double d2 = 0.5 * (sin(t1) - sin(root * t1) / root), rate2 = 0.5 * (cos(t1) - cos(root * t1));
    double apart = sqrt(rate2 * rate2 + 2.0 * d2 * d2); // balls 2 and 3 alone, to the end
    const double expected[] = {v1, 0.5 * (1.0 - v1 - apart), 0.5 * (1.0 - v1 + apart)};
    assert_all_near(3, expected, (double[]){-0.1302616951, 0.1502295694, 0.9800321256}, 5e-11);

    double v[3];
    rico_impact *impact = chain_with(ctx, 3, NULL, (springs){1.0, 1.0, 1.0});
    rico_impact_law *law = law_on(ctx, "lzb", impact);
    extrapolate(ctx, law, 5e-6, 3, u, v);
    assert_all_near(3, v, expected, 2e-8);
    rico_impact_law_destroy(law);
    rico_impact_destroy(impact);
}


// The specification's figures for 3, 5 and 10 balls, m = K = v = 1.
static void test_regression(void **state)
{
    rico_context *ctx = *state;
    const double u[10] = {1.0};
    // a step where the figures hold its error, 0 where they are the limit
    const struct {
        int64_t balls;
        double eta, e, step, tol, v[10];
    } cases[] = {
        {3, 1.5, 1.0, 0.0, 5e-7, {-0.0709520, 0.0764026, 0.9945494}},
        {3, 1.5, 0.9, 1e-5, 1e-7, {-0.0086119, 0.1041392, 0.9044727}},
        {3, 1.5, 0.5, 0.0, 6e-6, {0.20924, 0.21878, 0.57198}},
        {5, 1.5, 1.0, 0.0, 1e-6, {-0.0710846, -0.0302735, -0.0144635, 0.1270441, 0.9887776}},
        {5, 1.0, 1.0, 0.0, 1e-6, {-0.1322791, -0.0753290, -0.0310109, 0.2962170, 0.9424020}},
        {5, 1.5, 0.9, 1e-5, 1e-7, {-0.0086671, 0.0237787, 0.0330666, 0.1242565, 0.8275653}},
        {10,
         1.5,
         1.0,
         0.0,
         1.5e-6,
         {-0.0710846, -0.0302735, -0.0158332, -0.0088855, -0.0051265, -0.0029859, -0.0017376, 0.0026717,
          0.1473890, 0.9858661}},
        {10,
         1.0,
         1.0,
         0.0,
         1e-6,
         {-0.1322791, -0.0754118, -0.0546621, -0.0435723, -0.0365581, -0.0315845, -0.0212650, 0.0787637,
          0.4388975, 0.8776718}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        int64_t n = cases[k].balls;
        double v[10];
        rico_impact *impact = chain_with(ctx, n, NULL, (springs){cases[k].eta, cases[k].e, 1.0});
        rico_impact_law *law = law_on(ctx, "lzb", impact);
        if (cases[k].step > 0.0)
            memcpy(v, integrate(ctx, law, cases[k].step, u).velocity, (size_t)n * sizeof *v);
        else
            extrapolate(ctx, law, 2e-5, n, u, v);
        assert_all_near(n, v, cases[k].v, cases[k].tol);
        rico_impact_law_destroy(law);
        rico_impact_destroy(impact);
    }
}


// P10, by an observer at every step: T + sum E is constant for e = 1 except where a contact ends, and falls for e < 1,
// as does T + sum e^2 E; impulses never fall.
typedef struct ledger {
    const rico_impact *impact;
    const double *u;
    double e, total, recoverable, impulse[8], worst_rise, worst_change, ends;
    int64_t steps, calls;
    bool idle[8], closing[8];
} ledger;


static void keep_ledger(void *user, const rico_impact_state *state)
{
    ledger *l = user;
    int64_t h = rico_impact_contacts(l->impact);
    double v[8], total = 0.0, recoverable = 0.0;
    memcpy(v, l->u, sizeof v);
    for (int64_t j = 0; j < h; j++) {
        assert_at_most(l->impulse[j], state->impulse[j]);
        l->impulse[j] = state->impulse[j];
        v[j] -= state->impulse[j]; // balls of mass 1
        v[j + 1] += state->impulse[j];
        total += state->potential[j];
        recoverable += l->e * l->e * state->potential[j];
    }
    double kinetic = rico_impact_kinetic_energy(l->impact, v);
    total += kinetic;
    recoverable += kinetic;
    bool ended = false, turned = false;
    for (int64_t j = 0; j < h; j++) {
        bool idle = state->potential[j] == 0.0;
        bool closing = state->approach[j] >= 0.0;
        ended = ended || (idle && !l->idle[j]);
        turned = turned || (closing != l->closing[j] && !idle);
        l->idle[j] = idle;
        l->closing[j] = closing;
        assert_near(state->approach[j], v[j] - v[j + 1], 1e-11);
    }
    if (ended) {
        l->ends += 1.0;
    } else {
        // a step that turns from compression to expansion counts as expansion throughout, an error of second order
        double bound = turned && l->e < 1.0 ? 1e-6 : 0.0;
        l->worst_rise = fmax(l->worst_rise, fmax(total - l->total, recoverable - l->recoverable) - bound);
        l->worst_change = fmax(l->worst_change, fabs(total - l->total));
    }
    l->total = total;
    l->recoverable = recoverable;
    l->steps = state->step;
    l->calls++;
}


static void test_energy_at_every_step(void **state)
{
    rico_context *ctx = *state;
    const double u[8] = {1.0}, restitutions[] = {1.0, 0.9, 0.5};
    for (int k = 0; k < 3; k++) {
        double e = restitutions[k];
        rico_impact *impact = chain_with(ctx, 5, NULL, (springs){1.5, e, 1.0});
        rico_impact_law *law = law_on(ctx, "lzb", impact);
        ledger l = {.impact = impact, .u = u, .e = e, .total = 0.5, .recoverable = 0.5};
        rico_impact_law_set_observer(law, keep_ledger, &l, 1);
        rico_impact_result r = integrate(ctx, law, 1e-3, u);
        assert_int_equal(l.calls, r.steps);
        assert_int_equal(l.steps, r.steps);
        assert_true(l.ends >= 4.0);
        assert_at_most(l.worst_rise, 1e-14);
        if (e == 1.0) assert_at_most(l.worst_change, 1e-14);
        assert_at_most(r.energy_after, r.energy_before * (1.0 + 1e-3));

        // T- - T+ = sum (1 - e^2) W_c up to the step, repeated impacts included
        double lost = 0.0;
        rico_impact_law_set_observer(law, NULL, NULL, 0);
        r = integrate(ctx, law, 5e-5, u);
        for (int j = 0; j < 4; j++) lost += (1.0 - e * e) * r.compression[j];
        assert_near(r.energy_before - r.energy_after, lost, 1e-4);
        if (e == 0.5) assert_true(r.collisions > 4);
        rico_impact_law_destroy(law);
        rico_impact_destroy(impact);
    }
}


// P11: with one exponent, scaling all K by c and the step by c^(-1/(1+eta)) changes nothing; nor does the velocity
// scale, velocities apart. With two exponents it does.
static void test_invariances(void **state)
{
    rico_context *ctx = *state;
    const double mass[] = {1.0, 0.4, 2.0, 0.7}, c = 37.0, s = 5.0, step = 2e-4;
    double u[4] = {1.0, 0.2, 0.0, -0.3}, faster[4], kept[4];
    for (int i = 0; i < 4; i++) faster[i] = s * u[i];
    for (int k = 0; k < 3; k++) {
        double eta = 0.7 + 0.6 * k;
        rico_impact *impact = chain_with(ctx, 4, mass, (springs){eta, 0.95, 1.0});
        rico_impact_law *law = law_on(ctx, "lzb", impact);
        memcpy(kept, integrate(ctx, law, step, u).velocity, sizeof kept);
        rico_impact_result r = integrate(ctx, law, step * pow(s, (1.0 - eta) / (1.0 + eta)), faster);
        for (int i = 0; i < 4; i++) assert_near(r.velocity[i], s * kept[i], 1e-6);
        assert_ok(ctx, rico_impact_set_stiffness(impact, RICO_ALL_CONTACTS, c));
        r = integrate(ctx, law, step * pow(c, -1.0 / (1.0 + eta)), u);
        assert_all_near(4, r.velocity, kept, 1e-6);

        assert_ok(ctx, rico_impact_set_exponent(impact, 1, eta + 1.0));
        memcpy(kept, integrate(ctx, law, 1e-4, u).velocity, sizeof kept);
        r = integrate(ctx, law, 1e-4, faster);
        assert_true(fabs(r.velocity[3] / s - kept[3]) + fabs(r.velocity[0] / s - kept[0]) > 1e-3);
        rico_impact_law_destroy(law);
        rico_impact_destroy(impact);
    }
}


// P12: the time scale and the impulse scale agree to the first order of the step. With different exponents they do so
// more slowly: the first step in impulse takes a time of order dP^(1/(1+eta)), by which contacts are out of phase.
static void test_two_scales(void **state)
{
    rico_context *ctx = *state;
    const double mass[] = {1.0, 0.6, 1.5, 1.0, 0.8}, u[] = {1.0, 0.3, 0.0, 0.0, -0.2};
    for (int mixed = 0; mixed < 2; mixed++) {
        double by_time[5], error[2];
        rico_impact *impact = chain_with(ctx, 5, mass, (springs){1.5, 0.9, 2.0});
        if (mixed) {
            assert_ok(ctx, rico_impact_set_exponent(impact, 1, 1.0));
            assert_ok(ctx, rico_impact_set_exponent(impact, 2, 2.0));
            assert_ok(ctx, rico_impact_set_stiffness(impact, 3, 0.5));
        }
        rico_impact_law *law = law_on(ctx, "lzb", impact);
        extrapolate(ctx, law, 2e-5, 5, u, by_time);
        assert_ok(ctx, rico_impact_law_set(law, "scale", "impulse"));
        for (int k = 0; k < 2; k++) {
            rico_impact_result r = integrate(ctx, law, k ? 1.5625e-5 : 6.25e-5, u);
            error[k] = rico_outcome_gap(5, r.velocity, by_time) / 100.0;
            assert_books(ctx, impact, u, &r, 1e-10);
        }
        assert_at_most(error[0], mixed ? 2e-3 : 2e-4);
        assert_at_most(error[1], (mixed ? 0.75 : 0.35) * error[0]);
        rico_impact_law_destroy(law);
        rico_impact_destroy(impact);
    }
}


// P12: e = 0 is Moreau's law; a steep increase of stiffness and a small exponent go to it, a large exponent to binary.
static void test_limits(void **state)
{
    rico_context *ctx = *state;
    const double u[] = {1.0, 0.0, 0.0, 0.0};
    rico_impact *impact = chain_with(ctx, 4, NULL, (springs){1.5, 0.0, 1.0});
    rico_impact_law *law = law_on(ctx, "lzb", impact);
    rico_impact_result r = integrate(ctx, law, 1e-3, u);
    for (int i = 0; i < 4; i++) assert_near(r.velocity[i], 0.25, 1e-3);
    rico_impact_law_destroy(law);
    rico_impact_destroy(impact);

    double gap[3];
    const double moreau[] = {-0.5, 0.5, 0.5, 0.5}, binary[] = {0.0, 0.0, 0.0, 1.0};
    for (int k = 0; k < 3; k++) {
        impact = chain_with(ctx, 4, NULL, (springs){1.5, 1.0, 1.0});
        law = law_on(ctx, "lzb", impact);
        for (int j = 0; j < 3; j++)
            assert_ok(ctx, rico_impact_set_stiffness(impact, j, pow(10.0, 2.0 * j * k)));
        r = integrate(ctx, law, 2e-4 * pow(10.0, -1.4 * k), u);
        gap[k] = rico_outcome_gap(4, moreau, r.velocity);
        rico_impact_law_destroy(law);
        rico_impact_destroy(impact);
    }
    assert_true(gap[2] < 0.5 * gap[1] && gap[1] < 0.5 * gap[0]);

    for (int k = 0; k < 2; k++) {
        impact = chain_with(ctx, 4, NULL, (springs){k ? 4.0 : 0.02, 1.0, 1.0});
        law = law_on(ctx, "lzb", impact);
        r = integrate(ctx, law, k ? 1e-3 : 1e-5, u);
        assert_at_most(rico_outcome_gap(4, k ? binary : moreau, r.velocity), 10.0);
        rico_impact_law_destroy(law);
        rico_impact_destroy(impact);
    }
}


// Mono-stiffness loses at the end of expansion what bi-stiffness loses on the way: two balls feel no difference beyond
// the time that it takes, and e = 1 none at all.
static void test_mono_stiffness(void **state)
{
    rico_context *ctx = *state;
    const double u[] = {1.0, 0.0, 0.0};
    double bi[3];
    for (int elastic = 0; elastic < 2; elastic++)
        for (int64_t n = 2; n <= 3; n++) {
            rico_impact *impact = chain_with(ctx, n, NULL, (springs){1.5, elastic ? 1.0 : 0.6, 1.0});
            rico_impact_law *law = law_on(ctx, "lzb", impact);
            memcpy(bi, integrate(ctx, law, 1e-4, u).velocity, (size_t)n * sizeof *bi);
            assert_ok(ctx, rico_impact_law_set(law, "spring", "mono-stiffness"));
            rico_impact_result r = integrate(ctx, law, 1e-4, u);
            assert_books(ctx, impact, u, &r, 1e-11);
            if (n == 2) assert_near(r.gap_after[0], elastic ? 1.0 : 0.6, 5e-4);
            if (elastic) assert_memory_equal(r.velocity, bi, (size_t)n * sizeof *bi);
            if (!elastic) assert_at_most(r.energy_after, 0.5);
            rico_impact_law_destroy(law);
            rico_impact_destroy(impact);
        }
}


// A compressed spring between two balls at rest drives them apart with all its energy, e^2 of it for e < 1.
static void test_stored_energy(void **state)
{
    rico_context *ctx = *state;
    const double u[] = {0.0, 0.0};
    for (int k = 0; k < 2; k++) {
        double e = k ? 0.7 : 1.0;
        rico_impact *impact = chain_with(ctx, 2, NULL, (springs){1.5, e, 3.0});
        assert_ok(ctx, rico_impact_set_energy(impact, 0, 2.0));
        rico_impact_law *law = law_on(ctx, "lzb", impact);
        assert_ok(ctx, rico_impact_law_set_number(law, "relative-step", 1e-5));
        rico_impact_result r = apply(ctx, law, u);
        assert_int_equal(r.stop, RICO_IMPACT_DONE);
        assert_near(r.energy_after, 2.0 * e * e, 1e-3);
        assert_string_equal(r.note, "");
        rico_impact_law_destroy(law);
        rico_impact_destroy(impact);
    }
}


// A system that is no chain: a disk between two walls at an angle, with M not diagonal. LZB keeps the books, and with
// e = 1 the energy up to the step; u+ - u- lies in the range of M^-1 W by construction of the impulses.
static void test_general_system(void **state)
{
    rico_context *ctx = *state;
    rico_random random;
    rico_random_seed(&random, 21);
    for (int run = 0; run < 30; run++) {
        int64_t n = 2 + rico_random_below(&random, 4), h = 1 + rico_random_below(&random, 5);
        int64_t rank = 1 + rico_random_below(&random, n < h ? n : h);
        rico_impact *impact = random_impact(ctx, &random, n, h, rank);
        for (int64_t j = 0; j < h; j++) {
            assert_ok(ctx, rico_impact_set_stiffness(impact, j, rico_random_range(&random, 0.5, 4.0)));
            assert_ok(ctx, rico_impact_set_exponent(impact, j, rico_random_range(&random, 0.8, 2.0)));
        }
        rico_impact_law *law = law_on(ctx, "lzb", impact);
        double u[16];
        for (int64_t i = 0; i < n; i++) u[i] = rico_random_normal(&random);
        assert_ok(ctx, rico_impact_law_set_number(law, "relative-step", 1e-3));
        assert_ok(ctx, rico_impact_law_set_number(law, "start-tol", 1e-4));
        assert_ok(ctx, rico_impact_law_set_number(law, "max-steps", 200000.0));
        rico_impact_result r = apply(ctx, law, u);
        assert_books(ctx, impact, u, &r, 1e-9);
        if (r.stop == RICO_IMPACT_DONE) assert_near(r.energy_after, r.energy_before, 2e-2 * r.energy_before);
        rico_impact_law_destroy(law);
        rico_impact_destroy(impact);
    }
}


// Limits, steps that are too long, contacts that are open, the same bits twice.
static void test_ends(void **state)
{
    rico_context *ctx = *state;
    const double u[] = {1.0, 0.0, 0.0};
    rico_impact *impact = chain_with(ctx, 3, NULL, (springs){1.5, 1.0, 1.0});
    rico_impact_law *law = law_on(ctx, "lzb", impact);
    assert_ok(ctx, rico_impact_law_set(law, "max-steps", "100"));
    rico_impact_result r = apply(ctx, law, u);
    assert_int_equal(r.stop, RICO_IMPACT_MAX_COUNT);
    assert_int_equal(r.steps, 100);
    assert_true(r.potential[0] > 0.0);
    assert_books(ctx, impact, u, &r, 1e-12);
    assert_near(r.energy_after + r.potential[0] + r.potential[1], 0.5, 1e-13);

    assert_ok(ctx, rico_impact_law_set(law, "max-steps", "1e8"));
    r = integrate(ctx, law, 1.0, u); // half a contact's duration in one step
    assert_non_null(strstr(r.note, "too long"));

    double first[3];
    memcpy(first, integrate(ctx, law, 1e-3, u).velocity, sizeof first);
    assert_memory_equal(first, integrate(ctx, law, 1e-3, u).velocity, sizeof first);

    assert_ok(ctx, rico_impact_set_active(impact, 1, false));
    r = integrate(ctx, law, 1e-4, u);
    assert_all_near(3, r.velocity, (double[]){0.0, 1.0, 0.0}, 2e-4);
    assert_near(r.impulse[1], 0.0, 0.0);

    rico_context_interrupt(ctx);
    r = apply(ctx, law, u);
    rico_context_clear_interrupt(ctx);
    assert_int_equal(r.stop, RICO_IMPACT_STOPPED);
    assert_int_equal(rico_impact_law_set(law, "scale", "length"), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_impact_law_set(law, "step", "-1"), RICO_BAD_ARGUMENT);
    rico_impact_law_destroy(law);
    rico_impact_destroy(impact);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_balls),     cmocka_unit_test(test_three_balls_linear),
        cmocka_unit_test(test_regression),    cmocka_unit_test(test_energy_at_every_step),
        cmocka_unit_test(test_invariances),   cmocka_unit_test(test_two_scales),
        cmocka_unit_test(test_limits),        cmocka_unit_test(test_mono_stiffness),
        cmocka_unit_test(test_stored_energy), cmocka_unit_test(test_general_system),
        cmocka_unit_test(test_ends),
    };
    return cmocka_run_group_tests(tests, make_context, drop_context);
}
