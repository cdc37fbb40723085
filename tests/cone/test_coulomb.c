// Projections, De Saxce's change of variable and the disjunctive law.

#include "support.h"

#include "law.h"

#include "ricochet/cone.h"

typedef rico_cone_side (*projection)(double mu, double x[3]);


// How far x is outside K or K*, by the definitions.
static double outside(bool dual, double mu, const double x[3])
{
    double slip = hypot(x[1], x[2]);
    return dual ? mu * slip - x[0] : fmax(slip - mu * x[0], -x[0]);
}


static void random_in_cone(rico_random *random, bool dual, double mu, double x[3])
{
    double unit[2], height = pow(10.0, rico_random_range(random, -2.0, 2.0));
    double free_slip = pow(10.0, rico_random_range(random, -2.0, 2.0));
    random_unit(random, unit);
    double slip = dual ? free_slip : mu * height * rico_random_unit(random);
    x[0] = dual ? mu * slip + (rico_random_below(random, 2) ? height : 0.0) : height;
    x[1] = slip * unit[0];
    x[2] = slip * unit[1];
}


static void check_projection(bool dual, double mu, rico_random *random)
{
    projection project = dual ? rico_coulomb_project_dual : rico_coulomb_project;
    double x[3], y[3], Px[3], Py[3], again[3], s[3];
    random_vector(random, -3.0, 3.0, 3, x);
    random_vector(random, -3.0, 3.0, 3, y);
    memcpy(Px, x, sizeof x);
    memcpy(Py, y, sizeof y);
    rico_cone_side side = project(mu, Px);
    project(mu, Py);
    double round_off = 1e-15 * (1.0 + mu) * (norm3(x) + norm3(y));

    // in the cone, idempotent, nonexpansive
    assert_at_most(outside(dual, mu, Px), round_off);
    memcpy(again, Px, sizeof Px);
    project(mu, again);
    double before[3], after[3];
    for (int i = 0; i < 3; i++) {
        assert_near(again[i], Px[i], round_off);
        before[i] = x[i] - y[i];
        after[i] = Px[i] - Py[i];
    }
    assert_at_most(norm3(after), norm3(before) + round_off);

    // the side says what happened
    if (side == RICO_INSIDE) {
        assert_memory_equal(Px, x, sizeof x);
        assert_at_most(outside(dual, mu, x), 0.0);
    }
    if (side == RICO_APEX) assert_at_most(norm3(Px), 0.0);
    if (side == RICO_SURFACE) assert_true(outside(dual, mu, x) > 0.0);

    // characterization: (x - Px).s <= 0 for every s of the cone, and = 0 for Px itself
    double along = 0.0, towards = 0.0;
    random_in_cone(random, dual, mu, s);
    for (int i = 0; i < 3; i++) {
        along += (x[i] - Px[i]) * Px[i];
        towards += (x[i] - Px[i]) * s[i];
    }
    assert_near(along, 0.0, round_off * (norm3(x) + norm3(s)));
    assert_at_most(towards, round_off * (norm3(x) + norm3(s)));

    // against minimization by search
    if (!dual) {
        double gap[3] = {x[0] - Px[0], x[1] - Px[1], x[2] - Px[2]};
        assert_near(norm3(gap), cone_gap(mu, x), 1e-7 * norm3(x));
    }
}


static void test_projections(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 1);
    for (int i = 0; i < 100000; i++) {
        double mu = FRICTIONS[rico_random_below(&random, FRICTION_COUNT)];
        check_projection(false, mu, &random);
        check_projection(true, mu, &random);

        // Moreau: x = P_K(x) - P_K*(-x)
        double x[3], P[3], D[3];
        random_vector(&random, -3.0, 3.0, 3, x);
        for (int k = 0; k < 3; k++) {
            P[k] = x[k];
            D[k] = -x[k];
        }
        rico_coulomb_project(mu, P);
        rico_coulomb_project_dual(mu, D);
        for (int k = 0; k < 3; k++) assert_near(P[k] - D[k], x[k], 2e-15 * norm3(x));
    }
}


static void test_disk(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 2);
    for (int i = 0; i < 100000; i++) {
        double t[2], P[2];
        random_vector(&random, -3.0, 3.0, 2, t);
        double radius = pow(10.0, rico_random_range(&random, -3.0, 3.0));
        memcpy(P, t, sizeof t);
        rico_cone_side side = rico_disk_project(radius, P);

        double length = hypot(t[0], t[1]);
        assert_int_equal(side, length <= radius ? RICO_INSIDE : RICO_SURFACE);
        assert_near(hypot(P[0], P[1]), fmin(length, radius), 1e-15 * length);
        assert_near(P[0] * t[1], P[1] * t[0], 1e-15 * length * length);
        assert_true(P[0] * t[0] >= 0.0 && P[1] * t[1] >= 0.0);

        assert_int_equal(rico_disk_project(rico_random_below(&random, 2) ? 0.0 : -radius, t), RICO_APEX);
        assert_true(t[0] == 0.0 && t[1] == 0.0);
    }
}


static void test_projection_jacobian(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 3);
    int smooth = 0, seen[3] = {0};
    enum { POINTS = 100000 };
    for (int n = 0; n < POINTS; n++) {
        double mu = FRICTIONS[rico_random_below(&random, FRICTION_COUNT)];
        double x[3], P[3], Q[3], J[9], D[9];
        for (int i = 0; i < 3; i++) x[i] = rico_random_normal(&random);
        if (rico_random_below(&random, 2))
            x[0] *= 1.0 + mu;
        else
            x[0] /= 1.0 + mu;
        memcpy(P, x, sizeof x);
        memcpy(Q, x, sizeof x);
        rico_cone_side side = rico_coulomb_project_jacobian(mu, P, J);
        assert_int_equal(rico_coulomb_project(mu, Q), side);
        assert_memory_equal(P, Q, sizeof P);
        for (int i = 0; i < 9; i++) assert_true(J[i] == J[3 * (i % 3) + i / 3]);

        // one-sided differences that disagree mark a kink within reach
        double h = 1e-6 * norm3(x), bend = 0.0;
        for (int j = 0; j < 3; j++) {
            double plus[3], minus[3];
            memcpy(plus, x, sizeof x);
            memcpy(minus, x, sizeof x);
            plus[j] += h;
            minus[j] -= h;
            rico_coulomb_project(mu, plus);
            rico_coulomb_project(mu, minus);
            for (int i = 0; i < 3; i++) {
                D[3 * i + j] = (plus[i] - minus[i]) / (2.0 * h);
                bend = fmax(bend, fabs(plus[i] + minus[i] - 2.0 * P[i]) / h);
            }
        }
        if (bend > 1e-5) continue;
        smooth++;
        seen[side]++;
        for (int i = 0; i < 9; i++) assert_near(J[i], D[i], 1e-5);
    }
    assert_true(smooth > 0.95 * POINTS);
    for (int i = 0; i < 3; i++) assert_true(seen[i] > 0.05 * POINTS);
}


// On the kinks: surface of K from inside, surface of the polar cone from within, the half line of mu = 0.
static void test_projection_jacobian_at_kinks(void **state)
{
    (void)state;
    static const struct {
        double mu, x[3], expected[3]; // diagonal; the rest is zero
    } kinks[] = {
        {0.5, {10.0, 3.0, 4.0}, {1, 1, 1}}, // on the surface
        {0.5, {0, 0, 0}, {1, 1, 1}},        // apex
        {0.5, {-2.5, 3.0, 4.0}, {0, 0, 0}}, // on the polar surface
        {1e3, {5e-3, 3.0, 4.0}, {1, 1, 1}}, {1e3, {-5e3, 3.0, -4.0}, {0, 0, 0}},
        {0.0, {1.0, 0, 0}, {1, 0, 0}},      {0.0, {0, 0, 0}, {0, 0, 0}},
        {0.0, {0, 3, 4}, {0, 0, 0}},        {0.0, {-1, 0, 0}, {0, 0, 0}},
    };
    for (size_t n = 0; n < sizeof kinks / sizeof *kinks; n++) {
        double x[3], J[9];
        memcpy(x, kinks[n].x, sizeof x);
        rico_coulomb_project_jacobian(kinks[n].mu, x, J);
        for (int i = 0; i < 9; i++) assert_near(J[i], i % 4 == 0 ? kinks[n].expected[i / 4] : 0.0, 0.0);
    }
}


static void test_desaxce(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 4);
    for (int n = 0; n < 100000; n++) {
        double mu = FRICTIONS[rico_random_below(&random, FRICTION_COUNT)];
        double u[3], r[3], hat[3], J[9], plus[3], minus[3];
        for (int i = 0; i < 3; i++) u[i] = rico_random_normal(&random);
        rico_desaxce(mu, u, hat);
        rico_desaxce_jacobian(mu, u, J);
        double round_off = 1e-15 * (1.0 + mu) * norm3(u);
        assert_near(hat[0] - u[0], mu * sqrt(u[1] * u[1] + u[2] * u[2]), round_off);

        double h = 1e-4 * hypot(u[1], u[2]);
        for (int j = 0; j < 3; j++) {
            double moved[3] = {u[0], u[1], u[2]};
            moved[j] += h;
            rico_desaxce(mu, moved, plus);
            moved[j] = u[j] - h;
            rico_desaxce(mu, moved, minus);
            for (int i = 0; i < 3; i++)
                assert_near(J[3 * i + j], (plus[i] - minus[i]) / (2.0 * h),
                            1e-8 * (1.0 + mu) + round_off / h);
        }

        // u_N >= 0 is the same as hat(u) in K* (eq. 82)
        if (fabs(u[0]) > 10.0 * round_off) {
            memcpy(plus, hat, sizeof hat);
            assert_int_equal(rico_coulomb_project_dual(mu, plus) == RICO_INSIDE, u[0] > 0.0);
        }

        // the work is r'hat, nonnegative on K* x K, zero on the law
        random_in_cone(&random, false, mu, r);
        u[0] = fabs(u[0]);
        rico_desaxce(mu, u, hat);
        double work = rico_desaxce_work(mu, u, r);
        assert_at_most(-work, round_off * norm3(r));
        assert_near(work, r[0] * hat[0] + r[1] * hat[1] + r[2] * hat[2], round_off * norm3(r));
        lawful_pair(&random, mu, (int)rico_random_below(&random, LAW_KINDS), u, r);
        assert_near(rico_desaxce_work(mu, u, r), 0.0, 1e-15 * (1.0 + mu) * norm3(u) * norm3(r));
    }

    // no slip: the mean of the limits along w and -w
    double J[9];
    rico_desaxce_jacobian(3.0, (double[3]){1.0, 0.0, 0.0}, J);
    for (int i = 0; i < 9; i++) assert_near(J[i], i % 4 == 0 ? 1.0 : 0.0, 0.0);
}


static void test_state_of_lawful_pairs(void **state)
{
    (void)state;
    static const rico_contact_state expected[LAW_KINDS] = {
        [LAW_OPEN] = RICO_OPEN,    [LAW_STICKING] = RICO_STICKING, [LAW_SLIDING] = RICO_SLIDING,
        [LAW_GRAZING] = RICO_OPEN, [LAW_ON_RIM] = RICO_STICKING,   [LAW_NOTHING] = RICO_OPEN,
    };
    rico_random random;
    rico_random_seed(&random, 5);
    for (int n = 0; n < 100000; n++) {
        double mu = FRICTIONS[rico_random_below(&random, FRICTION_COUNT)];
        int kind = (int)rico_random_below(&random, LAW_KINDS);
        double u[3], r[3];
        lawful_pair(&random, mu, kind, u, r);
        assert_int_equal(rico_coulomb_state(mu, u, r, 1e-14), expected[kind]);
    }
}


static void test_state_refuses_the_rest(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 6);
    int lawful_count = 0;
    for (int n = 0; n < 100000; n++) {
        double mu = FRICTIONS[rico_random_below(&random, FRICTION_COUNT)];
        double u[3], r[3];
        random_vector(&random, -1.0, 1.0, 3, u);
        random_vector(&random, -1.0, 1.0, 3, r);
        if (rico_random_below(&random, 4) == 0) memset(r, 0, sizeof r);
        double distance = law_distance(mu, u, r), size = norm3(u) + norm3(r);
        bool lawful = rico_coulomb_state(mu, u, r, 1e-12) != RICO_NO_LAW;
        if (distance > 1e-5 * size)
            assert_false(lawful);
        else if (distance < 1e-15 * size)
            assert_true(lawful);
        lawful_count += lawful;
    }
    assert_in_range(lawful_count, 5000, 50000);

    static const struct {
        double mu, u[3], r[3];
        rico_contact_state expected;
    } cases[] = {
        {0.5, {-1, 0, 0}, {0, 0, 0}, RICO_NO_LAW},   // approaching unopposed
        {0.5, {1, 0, 0}, {1, 0, 0}, RICO_NO_LAW},    // separating under load
        {0.5, {0, 0, 0}, {-1, 0, 0}, RICO_NO_LAW},   // adhesion
        {0.5, {0, 0, 0}, {1, 0, 0.6}, RICO_NO_LAW},  // beyond the cone
        {0.5, {0, 1, 0}, {1, 0.5, 0}, RICO_NO_LAW},  // pushed along the slip
        {0.5, {0, 1, 0}, {1, 0, 0.5}, RICO_NO_LAW},  // pushed across it
        {0.5, {0, 1, 0}, {1, -0.4, 0}, RICO_NO_LAW}, // held too weakly
        {0.5, {0, 1, 0}, {1, -0.5, 0}, RICO_SLIDING}, {0.0, {0, 1, 0}, {1, 0, 0}, RICO_SLIDING},
        {0.0, {0, 0, 0}, {1, 0, 0}, RICO_STICKING},   {0.0, {0, 0, 0}, {1, 1e-9, 0}, RICO_NO_LAW},
        {0.5, {NAN, 0, 0}, {0, 0, 0}, RICO_NO_LAW},   {0.5, {0, 0, 0}, {1, NAN, 0}, RICO_NO_LAW},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++)
        assert_int_equal(rico_coulomb_state(cases[n].mu, cases[n].u, cases[n].r, 0.0), cases[n].expected);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_projections),
        cmocka_unit_test(test_disk),
        cmocka_unit_test(test_projection_jacobian),
        cmocka_unit_test(test_projection_jacobian_at_kinks),
        cmocka_unit_test(test_desaxce),
        cmocka_unit_test(test_state_of_lawful_pairs),
        cmocka_unit_test(test_state_refuses_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
