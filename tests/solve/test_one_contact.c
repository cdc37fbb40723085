// The exact one-contact solver against Coulomb's law evaluated in long double, and against a scan of all cases.

#include "support.h"

#include "solve/one_contact.h"

#include <float.h>

#if defined(__SANITIZE_ADDRESS__)
enum { DRAWS = 100000, SCANS = 400 };
#else
enum { DRAWS = 1000000, SCANS = 6000 };
#endif

// |r - P_K(r - hat(u))| / max(|q|, |r|, |u|) of a contact with `size` - 1 tangents, everything in long double.
static double residual(int size, const double *W, double mu, const double *q, const double *r)
{
    long double u[3], trial[3], q_norm = 0.0L, r_norm = 0.0L, u_norm = 0.0L, slip = 0.0L, distance = 0.0L;
    for (int i = 0; i < size; i++) {
        u[i] = q[i];
        for (int j = 0; j < size; j++) u[i] += (long double)W[size * i + j] * r[j];
        q_norm += (long double)q[i] * q[i];
        r_norm += (long double)r[i] * r[i];
        u_norm += u[i] * u[i];
        if (i > 0) slip += u[i] * u[i];
    }
    for (int i = 0; i < size; i++) trial[i] = r[i] - u[i];
    trial[0] -= mu * sqrtl(slip);

    long double length = size == 3 ? hypotl(trial[1], trial[2]) : fabsl(trial[1]);
    if (mu * length <= -trial[0]) {
        for (int i = 0; i < size; i++) trial[i] = 0.0L;
    } else if (length > mu * trial[0]) {
        long double on_axis = (trial[0] + mu * length) / (1.0L + (long double)mu * mu);
        trial[0] = on_axis;
        for (int i = 1; i < size; i++) trial[i] *= mu * on_axis / length;
    }
    for (int i = 0; i < size; i++) distance += (trial[i] - r[i]) * (trial[i] - r[i]);
    long double scale = sqrtl(fmaxl(q_norm, fmaxl(r_norm, u_norm)));
    return (double)(scale > 0.0L ? sqrtl(distance) / scale : sqrtl(distance));
}


static double norm_of(int count, const double *x)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++) sum += x[i] * x[i];
    return sqrt(sum);
}


// The state that the solver names must be what r and u show.
static void assert_state(int size, const double *W, double mu, const double *q, const double *r,
                         rico_contact_state found)
{
    double rounding = 1e-13 * (1.0 + mu) * (norm_of(size * size, W) * norm_of(size, r) + norm_of(size, q));
    double u[3] = {0.0}, work = 0.0;
    for (int i = 0; i < size; i++) {
        u[i] = q[i];
        for (int j = 0; j < size; j++) u[i] += W[size * i + j] * r[j];
    }
    for (int i = 1; i < size; i++) work += u[i] * r[i];
    double friction = norm_of(size - 1, r + 1);
    assert_at_most(friction, mu * r[0] * (1.0 + 1e-14));
    if (found == RICO_OPEN) {
        assert_true(norm_of(size, r) == 0.0);
        assert_true(u[0] >= -rounding);
    } else if (found == RICO_STICKING) {
        assert_at_most(norm_of(size, u), rounding);
    } else {
        assert_int_equal(found, RICO_SLIDING);
        assert_at_most(fabs(u[0]), rounding);
        assert_near(friction, mu * r[0], 1e-14 * mu * r[0]);
        assert_at_most(work, rounding * friction);
    }
}


static double log_range(rico_random *random, double low, double high)
{
    return low * pow(high / low, rico_random_unit(random));
}


static void draw_unit(rico_random *random, int size, double *x)
{
    double length = 0.0;
    while (length < 1e-3) {
        for (int i = 0; i < size; i++) x[i] = rico_random_normal(random);
        length = norm_of(size, x);
    }
    for (int i = 0; i < size; i++) x[i] /= length;
}


// W = Q diag(lambda) Q' + skew: condition of the symmetric part 1 .. `worst`, its largest eigenvalue 0.01 .. 100,
// the skew part from nothing to four times as large. Q is a product of two reflections.
static void draw_matrix(rico_random *random, int size, double worst, double *W)
{
    double Q[3][3], v[2][3], lambda[3];
    draw_unit(random, size, v[0]);
    draw_unit(random, size, v[1]);
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) {
            double dot = 0.0;
            for (int k = 0; k < size; k++) dot += v[0][k] * v[1][k];
            Q[i][j] = (i == j ? 1.0 : 0.0) - 2.0 * v[0][i] * v[0][j] - 2.0 * v[1][i] * v[1][j] +
                      4.0 * dot * v[0][i] * v[1][j];
        }
    double greatest = log_range(random, 0.01, 100.0), condition = log_range(random, 1.0, worst);
    lambda[2] = greatest / log_range(random, 1.0, condition);
    lambda[0] = greatest;
    lambda[1] = greatest / condition;

    for (int i = 0; i < size; i++)
        for (int j = 0; j <= i; j++) {
            double sum = 0.0;
            for (int k = 0; k < size; k++) sum += lambda[k] * Q[i][k] * Q[j][k];
            W[size * i + j] = W[size * j + i] = sum;
        }
    if (rico_random_below(random, 3) == 0) return;
    double skew = rico_random_range(random, 0.0, 4.0) * greatest;
    if (rico_random_below(random, 2) == 0) skew *= log_range(random, 1e-6, 1.0);
    for (int i = 0; i < size; i++)
        for (int j = 0; j < i; j++) {
            double turn = skew * rico_random_range(random, -1.0, 1.0) / sqrt(3.0);
            W[size * i + j] += turn;
            W[size * j + i] -= turn;
        }
}


static double draw_friction(rico_random *random)
{
    return rico_random_below(random, 20) == 0 ? 0.0 : log_range(random, 1e-3, 10.0);
}


// Loads of every kind; one in two stands on or near a border between two cases.
enum { LOAD_KINDS = 12 };
static void draw_load(rico_random *random, int size, const double *W, double mu, double *q)
{
    double magnitude = log_range(random, 1e-6, 1e6), r[3] = {0.0}, slip[3] = {0.0};
    int64_t kind = rico_random_below(random, LOAD_KINDS);
    draw_unit(random, size, q);
    for (int i = 0; i < size; i++) q[i] *= magnitude;
    if (kind < 2) return; // anything
    q[0] = -fabs(q[0]);
    if (kind < 5) return; // pressing
    if (kind == 5) {      // every component of its own size
        for (int i = 0; i < size; i++) q[i] *= log_range(random, 1e-8, 1.0);
        return;
    }
    if (kind == 6) { // take-off: q_N zero or tiny
        q[0] *= rico_random_below(random, 2) == 0 ? 0.0 : log_range(random, 1e-20, 1e-8);
        return;
    }
    if (kind == 7) { // no tangential load
        q[1] = q[size - 1] = 0.0;
        return;
    }
    if (kind == 8 && rico_random_below(random, 10) == 0) {
        for (int i = 0; i < size; i++) q[i] = 0.0;
        return;
    }

    // q = u - W r with r on the surface of the cone and u against it: no slip (border of sticking), tiny or plain
    draw_unit(random, size - 1, r + 1);
    double speed = kind <= 9    ? 0.0
                   : kind == 10 ? log_range(random, 1e-18, 1e-6)
                                : log_range(random, 1e-6, 1e6);
    r[0] = magnitude;
    for (int i = 1; i < size; i++) {
        slip[i] = -r[i] * speed * magnitude;
        r[i] *= mu * magnitude;
    }
    for (int i = 0; i < size; i++) {
        q[i] = slip[i];
        for (int j = 0; j < size; j++) q[i] -= W[size * i + j] * r[j];
    }
}


// The bound 1e-13 leaves room for the rounding of r alone: its entries are known to half a unit in the last place,
// which moves u by up to eps/2 |W| |r| and hat(u) by 1 + mu times as much. With |W| <= 400 and mu <= 10 that could in
// the worst of cases, all roundings conspiring, come to 5e-13; in millions of draws it stays below 1e-13.
static void solve_and_check(const double W[9], double mu, const double q[3], double r[3])
{
    rico_one_contact contact;
    rico_one_contact_prepare(&contact, W, mu);
    rico_contact_state found = rico_one_contact_solve(&contact, q, r);
    assert_at_most(residual(3, W, mu, q, r), 1e-13);
    assert_state(3, W, mu, q, r, found);
}


// Guesses in turn: none, at random, the solution of the same problem.
static void test_a_million_contacts(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 1);
    for (int i = 0; i < DRAWS; i++) {
        double W[9], q[3], r[3] = {0.0};
        draw_matrix(&random, 3, 1e10, W);
        double mu = draw_friction(&random);
        draw_load(&random, 3, W, mu, q);
        if (i % 3 == 1) draw_unit(&random, 3, r);
        solve_and_check(W, mu, q, r);
        if (i % 3 == 2) solve_and_check(W, mu, q, r);
    }
}


static void test_a_million_contacts_in_the_plane(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 2);
    for (int i = 0; i < DRAWS; i++) {
        rico_one_contact_2d contact;
        double q[2], r[2] = {0.0};
        draw_matrix(&random, 2, 1e10, contact.W);
        contact.mu = draw_friction(&random);
        draw_load(&random, 2, contact.W, contact.mu, q);
        rico_contact_state found = rico_one_contact_2d_solve(&contact, q, r);
        assert_at_most(residual(2, contact.W, contact.mu, q, r), 1e-13);
        assert_state(2, contact.W, contact.mu, q, r, found);
    }
}


// d_perp . u_T times n - mu b.d for sliding along (c, s), with r_N and the speed of the slip.
static long double sliding_defect(const double W[9], double mu, const double q[3], long double c,
                                  long double s, long double *normal, long double *speed)
{
    long double m = mu, denominator = W[0] - m * (W[1] * c + W[2] * s);
    *normal = -q[0] / denominator;
    long double u1 = q[1] + *normal * (W[3] - m * (W[4] * c + W[5] * s));
    long double u2 = q[2] + *normal * (W[6] - m * (W[7] * c + W[8] * s));
    *speed = u1 * c + u2 * s;
    return denominator * (u2 * c - u1 * s);
}


static long double determinant3(const long double a[9])
{
    return a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) +
           a[2] * (a[3] * a[7] - a[4] * a[6]);
}


// True if some case obeys the law: open, sticking by Cramer's rule, sliding by a scan of the circle with bisection.
static bool scan_finds(const double W[9], double mu, const double q[3])
{
    if (q[0] >= 0.0) return true;
    long double a[9], r[3];
    for (int i = 0; i < 9; i++) a[i] = W[i];
    long double determinant = determinant3(a);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 9; i++) a[i] = i % 3 == k ? -q[i / 3] : W[i];
        r[k] = determinant3(a) / determinant;
    }
    if (hypotl(r[1], r[2]) <= mu * r[0]) return true;

    enum { POINTS = 1024 };
    const long double step = 2.0L * 3.14159265358979323846264L / POINTS;
    long double normal, speed, before = 0.0L;
    for (int point = 0; point <= POINTS; point++) {
        long double angle = 0.1L + point * step, low = angle - step, high = angle;
        long double here = sliding_defect(W, mu, q, cosl(angle), sinl(angle), &normal, &speed);
        if (point > 0 && (here < 0.0L) != (before < 0.0L)) {
            for (int halving = 0; halving < 60; halving++) {
                long double middle = 0.5L * (low + high);
                long double value = sliding_defect(W, mu, q, cosl(middle), sinl(middle), &normal, &speed);
                if ((value < 0.0L) == (before < 0.0L))
                    low = middle;
                else
                    high = middle;
            }
            if (normal > 0.0L && speed >= 0.0L) return true;
        }
        before = here;
    }
    return false;
}


// Any matrix: definite, at random, definite less a piece that leaves it indefinite.
static void draw_any_matrix(rico_random *random, double W[9])
{
    int64_t kind = rico_random_below(random, 5);
    if (kind == 0) {
        for (int i = 0; i < 9; i++) W[i] = rico_random_normal(random);
        return;
    }
    double x[3];
    draw_matrix(random, 3, 1e6, W);
    if (kind == 1) return;
    draw_unit(random, 3, x);
    double piece = norm_of(9, W) * log_range(random, 1e-6, 1.0);
    for (int i = 0; i < 9; i++) W[i] -= piece * x[i / 3] * x[i % 3];
}


static void test_finds_what_a_scan_finds(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 3);
    int lawless = 0;
    for (int i = 0; i < SCANS; i++) {
        double W[9], q[3], r[3] = {0.0}, mu = log_range(&random, 1e-3, 10.0);
        draw_any_matrix(&random, W);
        draw_load(&random, 3, W, mu, q);
        if (i % 2 == 1) draw_unit(&random, 3, r);
        rico_one_contact contact;
        rico_one_contact_prepare(&contact, W, mu);
        rico_contact_state found = rico_one_contact_solve(&contact, q, r);
        if (found == RICO_NO_LAW) {
            lawless++;
            assert_false(scan_finds(W, mu, q));
        } else {
            assert_at_most(residual(3, W, mu, q, r), 1e-13);
            assert_state(3, W, mu, q, r, found);
        }
    }
    assert_in_range(lawless, SCANS / 50, SCANS / 2); // the draw holds problems of both sorts
}


// A law made to hold: r and u in one of the cases, q = u - W r, W anything, of rank 1, 2 or 3 or
// nearly so. Where q is but a small remainder of W r its rounding would put it out of the range of a singular W, and
// leave no law but by luck.
static void draw_solvable(rico_random *random, int size, double mu, double *W, double *q)
{
    double r[3] = {0.0}, u[3] = {0.0}, x[3], y[3];
    do {
        int64_t rank = 1 + rico_random_below(random, size), kind = rico_random_below(random, 3);
        for (int i = 0; i < size * size; i++) W[i] = 0.0;
        for (int64_t k = 0; k < rank; k++) {
            draw_unit(random, size, x);
            draw_unit(random, size, y);
            bool symmetric = rico_random_below(random, 2) == 0;
            for (int i = 0; i < size * size; i++) W[i] += x[i / size] * (symmetric ? x : y)[i % size];
        }
        double nearly = rico_random_below(random, 2) == 0 ? 0.0 : log_range(random, 1e-18, 1e-8);
        for (int i = 0; i < size * size; i++) W[i] += nearly * rico_random_normal(random);
        draw_unit(random, size - 1, r + 1);
        r[0] = log_range(random, 0.1, 10.0);
        double inside = kind == 0 ? rico_random_unit(random) : 1.0;
        double speed = kind == 2 ? log_range(random, 0.1, 10.0) : 0.0;
        for (int i = 1; i < size; i++) {
            u[i] = -speed * r[i];
            r[i] *= inside * mu * r[0];
        }
        for (int i = 0; i < size; i++) {
            q[i] = u[i];
            for (int j = 0; j < size; j++) q[i] -= W[size * i + j] * r[j];
        }
    } while (norm_of(size, q) < 0.01 * norm_of(size * size, W) * norm_of(size, r));
}


static void test_finds_a_law_that_exists(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 4);
    for (int i = 0; i < DRAWS / 10; i++) {
        double W[9], q[3], r[3] = {0.0}, mu = log_range(&random, 1e-2, 10.0);
        draw_solvable(&random, 3, mu, W, q);
        solve_and_check(W, mu, q, r);

        rico_one_contact_2d plane = {.mu = mu};
        draw_solvable(&random, 2, mu, plane.W, q);
        rico_contact_state found = rico_one_contact_2d_solve(&plane, q, r);
        assert_at_most(residual(2, plane.W, mu, q, r), 1e-13);
        assert_state(2, plane.W, mu, q, r, found);
    }
}


// A unit mass on a plane: W = 1, so impulses can be told by hand.
static void test_a_block_on_a_plane(void **state)
{
    (void)state;
    static const struct {
        double q[3], mu, r[3];
        rico_contact_state found;
    } cases[] = {
        {{1.0, 5.0, 0.0}, 0.5, {0.0, 0.0, 0.0}, RICO_OPEN},
        {{0.0, 5.0, 0.0}, 0.5, {0.0, 0.0, 0.0}, RICO_OPEN},
        {{0.0, 0.0, 0.0}, 0.5, {0.0, 0.0, 0.0}, RICO_OPEN},
        {{-1.0, 0.3, -0.3}, 0.5, {1.0, -0.3, 0.3}, RICO_STICKING},
        {{-1.0, 0.0, 0.0}, 0.5, {1.0, 0.0, 0.0}, RICO_STICKING},
        {{-1.0, 2.0, 0.0}, 0.5, {1.0, -0.5, 0.0}, RICO_SLIDING},
        {{-1.0, 3.0, -4.0}, 0.5, {1.0, -0.3, 0.4}, RICO_SLIDING},
        {{-2.0, 3.0, -4.0}, 0.0, {2.0, 0.0, 0.0}, RICO_SLIDING},
        {{-2.0, 0.0, 0.0}, 0.0, {2.0, 0.0, 0.0}, RICO_STICKING},
    };
    const double W[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int guess = 0; guess < 2; guess++) {
            rico_one_contact contact;
            rico_one_contact_prepare(&contact, W, cases[i].mu);
            assert_true(contact.regular);
            double r[3] = {guess, guess, -2.0 * guess};
            assert_int_equal(rico_one_contact_solve(&contact, cases[i].q, r), cases[i].found);
            for (int k = 0; k < 3; k++) assert_near(r[k], cases[i].r[k], 1e-15);
        }

    const rico_one_contact_2d plane = {{1.0, 0.0, 0.0, 1.0}, 0.5};
    double r[2];
    assert_int_equal(rico_one_contact_2d_solve(&plane, (double[]){-1.0, 0.3}, r), RICO_STICKING);
    assert_near(r[1], -0.3, 1e-15);
    assert_int_equal(rico_one_contact_2d_solve(&plane, (double[]){-1.0, 2.0}, r), RICO_SLIDING);
    assert_near(r[1], -0.5, 1e-15);
    assert_int_equal(rico_one_contact_2d_solve(&plane, (double[]){-1.0, -2.0}, r), RICO_SLIDING);
    assert_near(r[1], 0.5, 1e-15);
}


// Units do not matter: with W and q in other powers of two the same digits come out, down to where doubles end; with
// W of any size the law holds in the units in which |W| is one.
static void test_units_do_not_matter(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 5);
    for (int i = 0; i < DRAWS / 50; i++) {
        double W[9], q[3], mu = draw_friction(&random), r[3] = {0.0}, scaled[3] = {0.0};
        draw_matrix(&random, 3, 1e6, W);
        draw_load(&random, 3, W, mu, q);
        solve_and_check(W, mu, q, r);

        int size_W = (int)rico_random_below(&random, 81) - 40,
            size_q = (int)rico_random_below(&random, 101) - 50;
        double other_W[9], other_q[3];
        for (int k = 0; k < 9; k++) other_W[k] = ldexp(W[k], size_W);
        for (int k = 0; k < 3; k++) other_q[k] = ldexp(q[k], size_q);
        rico_one_contact contact;
        rico_one_contact_prepare(&contact, other_W, mu);
        rico_one_contact_solve(&contact, other_q, scaled);
        for (int k = 0; k < 3; k++) assert_true(scaled[k] == ldexp(r[k], size_q - size_W));

        rico_one_contact_2d plane = {{W[0], W[1], W[3], W[4]}, mu};
        rico_one_contact_2d other = {{other_W[0], other_W[1], other_W[3], other_W[4]}, mu};
        rico_one_contact_2d_solve(&plane, q, r);
        rico_one_contact_2d_solve(&other, other_q, scaled);
        for (int k = 0; k < 2; k++) assert_true(scaled[k] == ldexp(r[k], size_q - size_W));

        // far out, where squares overflow or vanish
        for (int far = -1; far <= 1; far += 2) {
            for (int k = 0; k < 3; k++) other_q[k] = ldexp(q[k], 600 * far), r[k] = scaled[k] = 0.0;
            rico_one_contact_prepare(&contact, W, mu);
            rico_contact_state found = rico_one_contact_solve(&contact, other_q, scaled);
            for (int k = 0; k < 3; k++) scaled[k] = ldexp(scaled[k], -600 * far);
            assert_at_most(residual(3, W, mu, q, scaled), 1e-13);
            assert_int_not_equal(found, RICO_NO_LAW);
        }

        double factor = log_range(&random, 1e-12, 1e12);
        for (int k = 0; k < 9; k++) other_W[k] = W[k] * factor;
        rico_one_contact_prepare(&contact, other_W, mu);
        scaled[0] = scaled[1] = scaled[2] = 0.0;
        rico_contact_state found = rico_one_contact_solve(&contact, q, scaled);
        double unit = ldexp(1.0, ilogb(norm_of(9, other_W)));
        for (int k = 0; k < 9; k++) other_W[k] /= unit;
        for (int k = 0; k < 3; k++) scaled[k] *= unit;
        assert_at_most(residual(3, other_W, mu, q, scaled), 1e-13);
        assert_state(3, other_W, mu, q, scaled, found);
    }
}


// Friction from next to none to next to glue. hat(u) has a component mu |u_T|, so its rounding grows with mu.
static void test_weak_and_strong_friction(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 6);
    for (int i = 0; i < DRAWS / 10; i++) {
        double W[9], q[3], r[3] = {0.0}, mu = log_range(&random, 1e-12, 1e6);
        draw_matrix(&random, 3, 1e4, W);
        double unit = ldexp(1.0, ilogb(norm_of(9, W)));
        for (int k = 0; k < 9; k++) W[k] /= unit;
        draw_load(&random, 3, W, mu, q);
        rico_one_contact contact;
        rico_one_contact_prepare(&contact, W, mu);
        rico_contact_state found = rico_one_contact_solve(&contact, q, r);
        assert_at_most(residual(3, W, mu, q, r), fmax(1e-13, 16.0 * DBL_EPSILON * (1.0 + mu)));
        assert_state(3, W, mu, q, r, found);
    }
}


// Where no law exists the answer says so, with the least bad candidate; what is not a number does not hang.
static void test_says_when_there_is_no_law(void **state)
{
    (void)state;
    const double nothing[9] = {0.0}, pulling[9] = {-1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, -1.0};
    const double pressing[3] = {-1.0, 0.5, 0.0}, leaving[3] = {1.0, 0.5, 0.0};
    const double *matrices[] = {nothing, pulling};
    for (int i = 0; i < 2; i++)
        for (int rough = 0; rough < 2; rough++) {
            rico_one_contact contact;
            rico_one_contact_prepare(&contact, matrices[i], 0.5 * rough);
            assert_int_equal(contact.regular, i);
            double r[3] = {1.0, 1.0, 1.0};
            assert_int_equal(rico_one_contact_solve(&contact, pressing, r), RICO_NO_LAW);
            for (int k = 0; k < 3; k++) assert_true(isfinite(r[k]));
            assert_int_equal(rico_one_contact_solve(&contact, leaving, r), RICO_OPEN);

            rico_one_contact_2d plane = {{matrices[i][0], 0.0, 0.0, matrices[i][0]}, 0.5 * rough};
            assert_int_equal(rico_one_contact_2d_solve(&plane, pressing, r), RICO_NO_LAW);
            assert_int_equal(rico_one_contact_2d_solve(&plane, leaving, r), RICO_OPEN);
        }

    // sliding forwards friction drives (r_N = 1/4, u_T = -11/4), backwards r_N = -1/2 pulls, sticking r_N = -7/5 too
    rico_one_contact_2d jam = {{1.0, -3.0, -3.0, 4.0}, 1.0};
    double r[2];
    assert_int_equal(rico_one_contact_2d_solve(&jam, (double[]){-1.0, -1.0}, r), RICO_NO_LAW);

    const double W[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    rico_one_contact contact;
    rico_one_contact_prepare(&contact, W, 0.5);
    for (int k = 0; k < 3; k++) {
        double q[3] = {-1.0, 1.0, -1.0}, impulse[3] = {0.0};
        q[k] = NAN;
        assert_int_equal(rico_one_contact_solve(&contact, q, impulse), RICO_NO_LAW);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_block_on_a_plane),
        cmocka_unit_test(test_a_million_contacts),
        cmocka_unit_test(test_a_million_contacts_in_the_plane),
        cmocka_unit_test(test_finds_what_a_scan_finds),
        cmocka_unit_test(test_finds_a_law_that_exists),
        cmocka_unit_test(test_units_do_not_matter),
        cmocka_unit_test(test_weak_and_strong_friction),
        cmocka_unit_test(test_says_when_there_is_no_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
