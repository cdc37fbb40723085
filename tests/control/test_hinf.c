// H-infinity controllers: plants whose least bound is known in closed form, D11 of any kind, and what is refused.

#include "systems.h"

// x' = a x + w1 + u, z = (x, u), y = x + w2: both Riccati equations are 2 a X - X^2 (1 - 1/gamma^2) + 1 = 0, and X^2 < gamma^2 for
// gamma > a + sqrt(a^2 + 2).
static rico_state_space *first_order(double a)
{
    const double b[] = {1.0, 0.0, 1.0}, c[] = {1.0, 0.0, 1.0};
    const double d[] = {0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0};
    rico_state_space *plant = NULL;
    assert_ok(ctx, rico_state_space_create(ctx, 1, 3, 3, &a, b, c, d, &plant));
    return plant;
}


static double largest_gain(const rico_state_space *sys)
{
    enum { FREQUENCIES = 4000 };
    double largest = 0.0, values[8];
    for (int k = 0; k < FREQUENCIES; k++) {
        assert_ok(ctx,
                  rico_state_space_singular_values(sys, 1e-5 * pow(1e11, (double)k / FREQUENCIES), values));
        largest = fmax(largest, values[0]);
    }
    return largest;
}


static void test_least_bound(void **state)
{
    (void)state;
    const double a[] = {-3.0, -1.0, 0.0, 0.5, 1.0, 4.0};
    for (size_t i = 0; i < sizeof a / sizeof *a; i++) {
        rico_state_space *plant = first_order(a[i]), *closed;
        double want = a[i] + sqrt(a[i] * a[i] + 2.0), abscissa;
        rico_hinf found;
        assert_ok(ctx, rico_hinf_synthesis(plant, 1, 1, 1e-7, &found));
        assert_near(found.gamma, want, 2e-7 * want);
        assert_at_most(found.norm, found.gamma * (1.0 + 1e-6));
        assert_ok(ctx, rico_state_space_lft(plant, found.controller, &closed));
        assert_ok(ctx, rico_state_space_abscissa(closed, &abscissa));
        assert_true(abscissa < 0.0);
        // a central controller keeps below the bound everywhere, and at the least bound there is no room left
        assert_near(largest_gain(closed), found.norm, 1e-4 * want);
        rico_state_space_destroy(closed);
        rico_state_space_destroy(found.controller);
        rico_state_space_destroy(plant);
    }
}


// Closed by a gamma-unitary matrix [gamma J11, J12; J21, J22/gamma], J orthogonal, exactly the loops below gamma stay below gamma (Redheffer): the
// plant seen through it, with D11 = gamma J11 and more, has controllers for gamma exactly if the one behind has.
static void test_direct_gain(void **state)
{
    (void)state;
    const double a = 0.5, least = a + sqrt(a * a + 2.0), off[] = {0.95, 0.999, 1.001, 1.05, 2.0};
    // a rotation of four axes in two planes: blocks of 2 x 2
    const double turn = 0.7, twist = 0.4;
    double c = cos(turn), s = sin(turn), u = cos(twist), v = sin(twist);
    for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
        double gamma = off[i] * least;
        // J = [c R, s I; -s R, c I] with R the turn by twist; columns (w', z), rows (z', w)
        const double j[] = {gamma * c * u, gamma * c * v, -s * u, -s * v, -gamma * c * v,
                            gamma * c * u, s * v,         -s * u, s,      0.0,
                            c / gamma,     0.0,           0.0,    s,      0.0,
                            c / gamma};
        rico_state_space *plant = first_order(a), *wrap, *seen, *controller, *closed;
        bool found;
        double norm;
        assert_ok(ctx, rico_state_space_gain(ctx, 4, 4, j, &wrap));
        assert_ok(ctx, rico_state_space_star(wrap, plant, 2, 2, &seen));
        assert_true(fabs(seen->d[0]) > 0.1);
        assert_ok(ctx, rico_hinf_controller(seen, 1, 1, gamma, &found, &controller));
        assert_int_equal(found, off[i] > 1.0);
        if (found) {
            assert_ok(ctx, rico_state_space_lft(seen, controller, &closed));
            assert_ok(ctx, rico_hinf_norm(closed, 1e-8, &norm, NULL));
            assert_at_most(norm, gamma * (1.0 + 1e-7));
            rico_state_space_destroy(closed);
            assert_ok(ctx, rico_state_space_lft(plant, controller, &closed));
            assert_ok(ctx, rico_hinf_norm(closed, 1e-8, &norm, NULL));
            assert_at_most(norm, gamma * (1.0 + 1e-7));
            rico_state_space_destroy(closed);
        }
        rico_state_space *all[] = {plant, wrap, seen, controller};
        for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) rico_state_space_destroy(all[k]);
    }
}


// Without states: min over K of |D11 + D12 K D21| is Parrott's, the larger norm of what K leaves of rows and of columns.
static void test_parrott(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 31);
    for (int turn = 0; turn < 10; turn++) {
        // D12 and D21 along axes, so that the parts can be read off
        double d[16], values[4], rows, cols;
        for (int i = 0; i < 16; i++) d[i] = rico_random_range(&random, -1.0, 1.0);
        // outputs z (3), y; inputs w (3), u
        d[0 + 4 * 3] = 0.0, d[1 + 4 * 3] = 0.0, d[2 + 4 * 3] = 0.3;
        d[3 + 4 * 0] = 0.0, d[3 + 4 * 1] = 0.0, d[3 + 4 * 2] = -5.0;
        rico_state_space *plant, *row, *col, *closed;
        const int64_t w[] = {0, 1, 2};
        rico_hinf found;
        assert_ok(ctx, rico_state_space_gain(ctx, 4, 4, d, &plant));
        assert_ok(ctx, rico_state_space_select(plant, 3, w, 2, w, &row));
        assert_ok(ctx, rico_state_space_select(plant, 2, w, 3, w, &col));
        assert_ok(ctx, rico_state_space_singular_values(row, 0.0, values));
        rows = values[0];
        assert_ok(ctx, rico_state_space_singular_values(col, 0.0, values));
        cols = values[0];
        assert_ok(ctx, rico_hinf_synthesis(plant, 1, 1, 1e-8, &found));
        assert_near(found.gamma, fmax(rows, cols), 1e-7);
        assert_ok(ctx, rico_state_space_lft(plant, found.controller, &closed));
        assert_ok(ctx, rico_state_space_singular_values(closed, 1.0, values));
        assert_at_most(values[0], found.gamma * (1.0 + 1e-6));
        rico_state_space *all[] = {plant, row, col, closed, found.controller};
        for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) rico_state_space_destroy(all[k]);
    }
}


static rico_state_space *transposed(const rico_state_space *sys)
{
    double a[256], b[256], c[256], d[256];
    rico_state_space *out = NULL;
    int64_t n = sys->states, m = sys->inputs, p = sys->outputs;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) a[j + i * n] = sys->a[i + j * n];
    for (int64_t j = 0; j < m; j++)
        for (int64_t i = 0; i < n; i++) c[j + i * m] = sys->b[i + j * n];
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < p; i++) b[j + i * n] = sys->c[i + j * p];
    for (int64_t j = 0; j < m; j++)
        for (int64_t i = 0; i < p; i++) d[j + i * m] = sys->d[i + j * p];
    assert_ok(ctx, rico_state_space_create(ctx, n, p, m, a, b, c, d, &out));
    return out;
}


// Plants by chance, with all four direct gains: the bound is met by a stable loop, in a sweep too; the transposed plant has the same least bound.
static void test_random(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 32);
    for (int turn = 0; turn < 12; turn++) {
        rico_state_space *plant = random_system(&random, 4, 5, 6, false), *dual = transposed(plant), *closed;
        rico_hinf one, other;
        assert_ok(ctx, rico_hinf_synthesis(plant, 2, 2, 1e-6, &one));
        assert_ok(ctx, rico_hinf_synthesis(dual, 2, 2, 1e-6, &other));
        assert_near(one.gamma, other.gamma, 1e-5 * one.gamma);
        assert_ok(ctx, rico_state_space_lft(plant, one.controller, &closed));
        assert_at_most(one.norm, one.gamma * (1.0 + 1e-4));
        assert_at_most(largest_gain(closed), one.norm * (1.0 + 1e-5));
        rico_state_space *all[] = {plant, dual, closed, one.controller, other.controller};
        for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) rico_state_space_destroy(all[k]);
    }
}


// The plant of first order with one entry of a matrix changed.
static rico_state_space *changed(double a, char matrix, int at, double value)
{
    rico_state_space *good = first_order(a), *plant = NULL;
    double b[3], c[3], d[9];
    memcpy(b, good->b, sizeof b);
    memcpy(c, good->c, sizeof c);
    memcpy(d, good->d, sizeof d);
    *(matrix == 'b' ? &b[at] : matrix == 'c' ? &c[at] : &d[at]) = value;
    assert_ok(ctx, rico_state_space_create(ctx, 1, 3, 3, &a, b, c, d, &plant));
    rico_state_space_destroy(good);
    return plant;
}


static void assert_plant_refused(char matrix, int at, double value, const char *words)
{
    rico_state_space *plant = changed(1.0, matrix, at, value), *controller;
    bool found;
    rico_hinf hinf;
    assert_refused(rico_hinf_controller(plant, 1, 1, 10.0, &found, &controller), RICO_BAD_INPUT, words);
    assert_null(controller);
    assert_refused(rico_hinf_synthesis(plant, 1, 1, 1e-3, &hinf), RICO_BAD_INPUT, words);
    assert_null(hinf.controller);
    rico_state_space_destroy(plant);
}


static void test_refused(void **state)
{
    (void)state;
    assert_plant_refused('b', 2, 0.0, "no control reaches its mode with the eigenvalue 1 +0i");
    assert_plant_refused('c', 2, 0.0, "no measurement sees its mode with the eigenvalue 1 +0i");
    assert_plant_refused('d', 1 + 3 * 2, 0.0, "D12 of the plant, 2 x 1, has not the rank 1");
    assert_plant_refused('d', 2 + 3 * 1, 0.0, "D21 of the plant, 1 x 2, has not the rank 1");
    rico_state_space *plant = first_order(0.0), *still, *controller;
    rico_hinf hinf;
    bool found;
    assert_refused(rico_hinf_controller(plant, 1, 1, -1.0, &found, &controller), RICO_BAD_ARGUMENT,
                   "bound -1");
    assert_refused(rico_hinf_controller(plant, 3, 1, 1.0, &found, &controller), RICO_BAD_ARGUMENT,
                   "leaves nothing to judge");
    assert_refused(rico_hinf_synthesis(plant, 1, 0, 1e-3, &hinf), RICO_BAD_ARGUMENT,
                   "leaves nothing to judge");
    assert_refused(rico_hinf_synthesis(plant, 1, 1, 2.0, &hinf), RICO_BAD_ARGUMENT, "the tolerance 2");
    // an integrator that costs nothing: a zero at rest from u to z
    still = changed(0.0, 'c', 0, 0.0);
    assert_refused(rico_hinf_controller(still, 1, 1, 3.0, &found, &controller), RICO_BAD_INPUT,
                   "on the imaginary axis, from the controls");
    rico_state_space_destroy(plant);
    rico_state_space_destroy(still);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_least_bound), cmocka_unit_test(test_direct_gain),
                                       cmocka_unit_test(test_parrott), cmocka_unit_test(test_random),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, context_start, context_end);
}
