// LZB with Coulomb friction: one contact against Darboux and Keller's equations integrated by hand, the point
// mass in space, several contacts by their books, and no friction against lzb.

#include "impacts.h"

// An impact of one contact in the plane with inverse mass [a, b; b, c] between normal and tangent.
static rico_impact *corner(rico_context *ctx, double a, double b, double c, double mu, double e)
{
    const double scale = 1.0 / (a * c - b * b), M[] = {c * scale, -b * scale, -b * scale, a * scale},
                 W[] = {1.0, 0.0};
    const int64_t start[] = {0, 1}, row[] = {1};
    const double value[] = {1.0};
    const rico_sparse_view T = {2, 1, start, row, value};
    rico_impact *impact = impact_of(ctx, 2, 1, M, W);
    assert_ok(ctx, rico_impact_set_restitution(impact, 0, e));
    assert_ok(ctx, rico_impact_set_friction(impact, &T, &mu));
    return impact;
}


// dQ/dP for the slip s: against it, or what keeps it at rest if the cone allows, or against the slip that
// sets in.
static double direction(double b, double c, double mu, double s)
{
    if (s != 0.0) return s > 0.0 ? -mu : mu;
    return fabs(b / c) <= mu ? -b / c : b > 0.0 ? -mu : mu;
}


// The same in closed form, piece by piece over the normal impulse: gamma and s are linear in it between
// changes of the slip; the work of expansion is e^2 of that of compression.
static void by_hand(double a, double b, double c, double mu, double e, double gamma, double s, double out[2])
{
    double work = 0.0;
    bool expands = false;
    for (int pieces = 0; pieces < 10; pieces++) {
        double q = direction(b, c, mu, s), slope = a + b * q, turn = b + c * q;
        if (fabs(turn) < 1e-14) turn = 0.0;
        double stops = s != 0.0 && s * turn < 0.0 ? -s / turn : INFINITY;
        assert_true(slope > 0.0);
        double P = expands ? (-gamma + sqrt(gamma * gamma + 2.0 * slope * work)) / slope : -gamma / slope;
        bool ends = P <= stops;
        if (!ends) P = stops;
        work -= gamma * P + 0.5 * slope * P * P;
        gamma += slope * P;
        s = ends ? s + turn * P : 0.0;
        if (!ends) continue;
        if (expands) break;
        expands = true;
        gamma = 0.0;
        work *= e * e;
    }
    out[0] = gamma;
    out[1] = s;
}


static void test_one_contact(void **state)
{
    rico_context *ctx = *state;
    // slides all the way, comes to rest, reverses, starts to slip from rest, sticks from rest; both signs of
    // coupling
    const double cases[][6] = {{2.0, 0.3, 1.5, 0.2, 0.8, 3.0},  {2.0, 0.3, 1.5, 0.5, 0.8, 0.4},
                               {2.0, 1.2, 1.5, 0.3, 0.6, 0.2},  {2.0, 1.2, 1.5, 0.3, 0.6, 0.0},
                               {2.0, 0.3, 1.5, 0.9, 0.5, 0.0},  {2.0, -0.6, 1.0, 0.4, 1.0, 0.3},
                               {2.0, -0.6, 1.0, 0.7, 0.0, 0.2}, {1.0, 0.2, 4.0, 0.5, 0.7, -1.0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const double *p = cases[k], u[] = {-1.0, p[5]};
        double expected[2];
        by_hand(p[0], p[1], p[2], p[3], p[4], u[0], u[1], expected);
        rico_impact *impact = corner(ctx, p[0], p[1], p[2], p[3], p[4]);
        rico_impact_law *law = law_on(ctx, "lzb-friction", impact);
        assert_ok(ctx, rico_impact_law_set_number(law, "relative-step", 1e-5));
        rico_impact_result r = apply(ctx, law, u);
        assert_int_equal(r.stop, RICO_IMPACT_DONE);
        assert_near(r.gap_after[0], expected[0], 3e-4);
        assert_near(r.slip_after[0], expected[1], 3e-4);
        assert_near(r.velocity[0], r.gap_after[0], 1e-12);
        assert_near(r.velocity[1], r.slip_after[0], 1e-12);
        assert_at_most(fabs(r.tangential[0]), p[3] * r.impulse[0] * (1.0 + 1e-12));
        assert_near(r.energy_before - r.energy_after, r.loss[0], 1e-12);
        assert_at_most(-r.loss[0], 0.0);
        rico_impact_law_destroy(law);
        rico_impact_destroy(impact);
    }
}


// A point mass in space: friction takes mu (1+e) v_n of its speed along the plane and leaves its direction.
static void test_space(void **state)
{
    rico_context *ctx = *state;
    const double M[] = {2.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 2.0}, W[] = {0.0, 0.0, 1.0},
                 u[] = {3.0, -4.0, -2.0};
    const int64_t start[] = {0, 1, 2}, row[] = {0, 1};
    const double value[] = {1.0, 1.0};
    const rico_sparse_view T = {3, 2, start, row, value};
    for (int k = 0; k < 2; k++) {
        double mu = k == 0 ? 0.5 : 5.0, e = 0.6, left = fmax(0.0, 5.0 - mu * (1.0 + e) * 2.0);
        rico_impact *impact = impact_of(ctx, 3, 1, M, W);
        assert_ok(ctx, rico_impact_set_restitution(impact, 0, e));
        assert_ok(ctx, rico_impact_set_friction(impact, &T, &mu));
        rico_impact_law *law = law_on(ctx, "lzb-friction", impact);
        rico_impact_result r = apply(ctx, law, u);
        assert_all_near(3, r.velocity, (double[]){0.6 * left, -0.8 * left, 1.2}, 3e-3);
        rico_impact_law_destroy(law);
        rico_impact_destroy(impact);
    }
}


// A block on two corners: cones, books, and both corners at rest where friction is strong; without friction
// it is lzb to round-off.
static void test_block(void **state)
{
    rico_context *ctx = *state;
    const double M[] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.2}, W[] = {0.0, 0.0, 1.0, 1.0, -0.5, 0.5};
    const int64_t start[] = {0, 2, 4}, row[] = {0, 2, 0, 2};
    const double value[] = {1.0, 0.8, 1.0, 0.8}, u[] = {0.7, -1.0, 0.4};
    const rico_sparse_view T = {3, 2, start, row, value};
    for (double mu = 0.0; mu < 3.0; mu += 0.3) {
        const double friction[] = {mu, 0.5 * mu};
        rico_impact *impact = impact_of(ctx, 3, 2, M, W);
        assert_ok(ctx, rico_impact_set_restitution(impact, 0, 0.5));
        assert_ok(ctx, rico_impact_set_restitution(impact, 1, 0.7));
        assert_ok(ctx, rico_impact_set_friction(impact, &T, friction));
        rico_impact_law *law = law_on(ctx, "lzb-friction", impact);
        rico_impact_result r = apply(ctx, law, u);
        assert_int_equal(r.stop, RICO_IMPACT_DONE);
        assert_near(r.energy_before - r.energy_after, r.loss[0] + r.loss[1], 1e-12);
        assert_true(r.energy_after <= r.energy_before);
        for (int j = 0; j < 2; j++) {
            assert_at_most(fabs(r.tangential[j]), friction[j] * r.impulse[j] + 1e-14);
            assert_near(r.slip_after[j], r.velocity[0] + 0.8 * r.velocity[2], 1e-12);
            assert_at_most(-r.gap_after[j], 1e-5);
        }
        // momenta: P and Q account for all change of velocity
        assert_near(r.velocity[1] - u[1], r.impulse[0] + r.impulse[1], 1e-12);
        assert_near(r.velocity[0] - u[0], r.tangential[0] + r.tangential[1], 1e-12);
        if (mu == 0.0) {
            rico_impact *smooth = impact_of(ctx, 3, 2, M, W);
            assert_ok(ctx, rico_impact_set_restitution(smooth, 0, 0.5));
            assert_ok(ctx, rico_impact_set_restitution(smooth, 1, 0.7));
            for (int k = 0; k < 2; k++) { // with friction 0, and without a word of it
                rico_impact_law *same = law_on(ctx, k == 0 ? "lzb" : "lzb-friction", smooth);
                assert_all_near(3, apply(ctx, same, u).velocity, r.velocity, 1e-12);
                rico_impact_law_destroy(same);
            }
            rico_impact_destroy(smooth);
        } else {
            rico_impact_law *other = NULL;
            assert_ok(ctx, rico_impact_law_create(ctx, "newton", &other));
            assert_int_equal(rico_impact_law_setup(other, impact), RICO_BAD_ARGUMENT);
            assert_non_null(strstr(rico_message(ctx), "friction"));
            rico_impact_law_destroy(other);
        }
        rico_impact_law_destroy(law);
        rico_impact_destroy(impact);
    }
    rico_impact *impact = impact_of(ctx, 3, 2, M, W);
    const rico_sparse_view narrow = {3, 1, start, row, value};
    assert_int_equal(rico_impact_set_friction(impact, &narrow, (double[]){0.1, 0.1}), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_impact_set_friction(impact, &T, (double[]){0.1, -0.1}), RICO_BAD_ARGUMENT);
    rico_impact_destroy(impact);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_contact), cmocka_unit_test(test_space),
                                       cmocka_unit_test(test_block)};
    return cmocka_run_group_tests(tests, make_context, drop_context);
}
