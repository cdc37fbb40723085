// One contact with each law of friction, a hundred thousand times: the variational inequality that it is, written here from the sets
// themselves; dissipation; and the laws that it becomes at the ends of its parameters.
//
// hat(u)'(y - r) >= 0 for all y of K: for a cone that is hat(u) in K*, hat(u)'r = 0, r in K, with the support function of the section of K for
// K*; for Tresca's set the least of u'y over it is -s |u_T|, reached at r.

#include "base/random.h"
#include "solve/one_block.h"
#include "support.h"

enum { CONTACTS = 100000 };


static void random_contact(rico_random *random, int n, double *W, double *q)
{
    double A[36] = {0.0};
    for (int i = 0; i < n * n; i++) A[i] = rico_random_range(random, -1.0, 1.0);
    for (int i = 0; i < n; i++) {
        q[i] = rico_random_range(random, -1.0, i == 0 ? 0.5 : 1.0);
        for (int j = 0; j < n; j++) {
            W[i * n + j] = i == j ? 0.1 : 0.0;
            for (int k = 0; k < n; k++) W[i * n + j] += A[i * n + k] * A[j * n + k];
        }
    }
}


static rico_block random_law(rico_random *random, rico_block_kind kind, bool slips)
{
    rico_block b = {.kind = kind, .size = rico_block_describe(kind)->size};
    b.friction = rico_random_range(random, 0.05, 1.0);
    b.friction_2 = rico_random_range(random, 0.05, 1.0);
    b.rolling = rico_random_range(random, 0.0, 0.5);
    b.spinning = rico_random_range(random, 0.0, 0.5);
    b.high = rico_random_range(random, 0.0, 1.0);
    if (slips) {
        b.slip_1 = rico_random_range(random, 0.2, 1.0);
        b.slip_2 = rico_random_range(random, 0.2, 1.0);
    }
    return b;
}


// Tangential rows: where each group begins, its half axes.
static int sections(const rico_block *b, int first[4], double axis[6])
{
    for (int i = 1; i < 6; i++) axis[i] = b->friction;
    first[0] = 1;
    switch ((int)b->kind) {
    case RICO_ELLIPTIC:
        axis[2] = b->friction_2;
        first[1] = 3;
        return 1;
    case RICO_ROLLING_2D:
        axis[2] = b->rolling;
        first[1] = 2, first[2] = 3;
        return 2;
    case RICO_SPINNING:
        axis[3] = b->spinning;
        first[1] = 3, first[2] = 4;
        return 2;
    case RICO_ROLLING:
        axis[3] = axis[4] = b->rolling;
        first[1] = 3, first[2] = 5;
        return 2;
    default: // both moments
        axis[3] = axis[4] = b->rolling;
        axis[5] = b->spinning;
        first[1] = 3, first[2] = 5, first[3] = 6;
        return 3;
    }
}


// How far r and u are from the inequality, over the size of both.
static double violation(const rico_block *b, const double *u, const double *r)
{
    double size = 1e-300, work = 0.0, worst = fmax(0.0, -r[0]);
    for (int i = 0; i < b->size; i++) size = fmax(size, fmax(fabs(u[i]), fabs(r[i])));
    if (b->kind == RICO_TRESCA_2D || b->kind == RICO_TRESCA_3D) {
        double push = b->size == 2 ? fabs(r[1]) : hypot(r[1], r[2]),
               slip = b->size == 2 ? fabs(u[1]) : hypot(u[1], u[2]);
        for (int i = 0; i < b->size; i++) work += u[i] * r[i];
        return fmax(fmax(worst, -u[0]), fmax(push - b->high, fabs(work + b->high * slip))) / size;
    }
    int first[4], count;
    double axis[6], hat[6], support = 0.0;
    count = sections(b, first, axis);
    memcpy(hat, u, (size_t)b->size * sizeof *u);
    if (b->slip_1 > 0.0) { // the slip that the ellipse's own potential would have for the same force
        double p[2] = {b->slip_1, b->slip_2}, mu[2] = {b->friction, b->friction_2};
        for (int i = 0; i < 2; i++) hat[1 + i] *= p[i] * p[i] / (mu[i] * mu[i]);
    }
    for (int g = 0; g < count; g++) {
        double filled = 0.0, reach = 0.0;
        for (int i = first[g]; i < first[g + 1]; i++) {
            filled = hypot(filled, r[i] / axis[i]);
            reach = hypot(reach, axis[i] * hat[i]);
        }
        worst = fmax(worst, axis[first[g]] * (filled - r[0]));
        support += reach;
    }
    hat[0] += support;
    for (int i = 0; i < b->size; i++) work += hat[i] * r[i];
    return fmax(worst, fmax(support - hat[0], fabs(work) / fmax(size, 1.0))) / size;
}


static void test_laws(void **state)
{
    (void)state;
    static const struct {
        rico_block_kind kind;
        bool slips;
    } laws[] = {{RICO_ELLIPTIC, false},  {RICO_ELLIPTIC, true},          {RICO_SPINNING, false},
                {RICO_ROLLING, false},   {RICO_ROLLING_SPINNING, false}, {RICO_ROLLING_2D, false},
                {RICO_TRESCA_2D, false}, {RICO_TRESCA_3D, false}};
    rico_random random;
    rico_random_seed(&random, 21);
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
        double worst = 0.0, gain = 0.0;
        for (int trial = 0; trial < CONTACTS; trial++) {
            rico_block b = random_law(&random, laws[k].kind, laws[k].slips);
            int n = (int)b.size;
            double W[36], q[6], r[6] = {0.0}, u[6], power = 0.0;
            random_contact(&random, n, W, q);
            rico_one_block own;
            rico_one_block_prepare(&own, &b, W);
            rico_one_block_solve(&own, q, r);
            for (int i = 0; i < n; i++) {
                u[i] = q[i];
                for (int j = 0; j < n; j++) u[i] += W[i * n + j] * r[j];
                power += u[i] * r[i];
            }
            worst = fmax(worst, violation(&b, u, r));
            gain = fmax(gain, power);
        }
        if (!(worst <= 1e-10) || !(gain <= 1e-10))
            fail_msg("%s%s: off by %.3g, power %.3g", rico_block_describe(laws[k].kind)->name,
                     laws[k].slips ? " with its own slip" : "", worst, gain);
    }
}


// Equal coefficients, moments of no length, a slip potential that is the ellipse: Coulomb's answers.
static void test_limits(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 22);
    for (int trial = 0; trial < 10000; trial++) {
        double W[36], q[6], mu = rico_random_range(&random, 0.0, 1.0), coulomb[3] = {0.0};
        random_contact(&random, 3, W, q);
        rico_one_contact contact;
        rico_one_contact_prepare(&contact, W, mu);
        rico_one_contact_solve(&contact, q, coulomb);
        const rico_block same[] = {{.kind = RICO_ELLIPTIC, .size = 3, .friction = mu, .friction_2 = mu},
                                   {.kind = RICO_ELLIPTIC,
                                    .size = 3,
                                    .friction = mu,
                                    .friction_2 = mu,
                                    .slip_1 = 2.0,
                                    .slip_2 = 2.0}};
        for (int k = 0; k < 2 && mu > 0.0; k++) { // bit for bit: the same contact in the same units
            double r[3] = {0.0};
            rico_one_block own;
            rico_one_block_prepare(&own, &same[k], W);
            rico_one_block_solve(&own, q, r);
            for (int i = 0; i < 3; i++) assert_true(r[i] == coulomb[i]);
        }
        if (mu * hypot(W[1], W[2]) > 0.5 * W[0]) continue; // beyond, one contact may have several solutions
        // moments that cannot act, on rows that nothing couples to the others
        double V[25] = {0.0}, p[5] = {q[0], q[1], q[2], 0.3, -0.2}, r[5] = {0.0};
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) V[5 * i + j] = W[3 * i + j];
        V[18] = V[24] = 1.0;
        const rico_block wheel = {.kind = RICO_ROLLING, .size = 5, .friction = mu};
        rico_one_block own;
        rico_one_block_prepare(&own, &wheel, V);
        rico_one_block_solve(&own, p, r);
        for (int i = 0; i < 3; i++) assert_near(r[i], coulomb[i], 1e-11 * (1.0 + fabs(coulomb[0])));
        assert_true(r[3] == 0.0 && r[4] == 0.0);
    }
}


// The digits of five sets of coefficients, W = I: computed for the same law by Uzawa's method, elsewhere.
static void test_published(void **state)
{
    (void)state;
    static const struct {
        double mu[2], p[2], r[2];
    } sets[] = {{{0.20, 0.20}, {0.20, 0.20}, {-0.178885438, -0.089442719}},
                {{0.30, 0.25}, {0.30, 0.25}, {-0.273104069, -0.103461505}},
                {{0.30, 0.15}, {0.30, 0.15}, {-0.285873733, -0.045486835}},
                {{0.30, 0.15}, {0.20, 0.20}, {-0.212132034, -0.106066017}},
                {{0.30, 0.15}, {0.05, 0.20}, {-0.025951105, -0.149437730}}};
    const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-1.0, 1.0, 0.5};
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
        const rico_block b = {.kind = RICO_ELLIPTIC,
                              .size = 3,
                              .friction = sets[k].mu[0],
                              .friction_2 = sets[k].mu[1],
                              .slip_1 = sets[k].p[0],
                              .slip_2 = sets[k].p[1]};
        double r[3] = {0.0};
        rico_one_block own;
        rico_one_block_prepare(&own, &b, W);
        rico_one_block_solve(&own, q, r);
        assert_near(r[0], 1.0, 1e-12);
        for (int i = 0; i < 2; i++) assert_near(r[1 + i], sets[k].r[i], 6e-10);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_laws),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_published),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
