// Multipliers of orbits of rings against the numbers of the chapter and their own symmetries.

#include "ring_patterns.h"

static rico_ring_stability *multipliers(int64_t p, double coupling, const pattern *of)
{
    rico_ring_stability *found;
    rico_ring_orbit *orbit = solve_feasible(p, coupling, PERIOD, of);
    assert_ok(ctx, rico_ring_stability_create(orbit, 0.0, &found));
    rico_ring_orbit_destroy(orbit);
    return found;
}


static void expect(int64_t p, int k, const pattern *of, double largest, double bound, int64_t off)
{
    rico_ring_stability *found = multipliers(p, k * CRITICAL / 15.0, of);
    assert_near(found->largest, largest, bound);
    if (off >= 0) assert_int_equal(found->off_circle, off);
    assert_int_equal(found->stable, found->off_circle == 0);
    rico_ring_stability_destroy(found);
}


static void site_centred(void **state)
{
    (void)state;
    const pattern one = at_start(100, (const int[]){50, -1});
    expect(100, 14, &one, 5.715092, 6e-7, 2);
    expect(100, 13, &one, 3.412285, 6e-7, 2);
    expect(100, 12, &one, 2.368293, 6e-7, 2);
    expect(100, 11, &one, 1.681841, 6e-7, 2);
    expect(100, 10, &one, 1.0, 1e-5, 0);
    for (int k = 0; k < 10; k += 3) expect(100, k, &one, 1.0, 1e-5, 0);

    // a real pair leaves through +1
    const double around[] = {0.132075, 0.132085};
    for (int i = 0; i < 2; i++) {
        rico_ring_stability *found;
        rico_ring_orbit *orbit = solve_feasible(100, around[i] + (i == 0 ? -5e-6 : 5e-6), PERIOD, &one);
        assert_ok(ctx, rico_ring_stability_create(orbit, 1e-4, &found));
        assert_int_equal(found->off_circle, 2 * i);
        rico_ring_stability_destroy(found);
        rico_ring_orbit_destroy(orbit);
    }
}


static void bond_centred_opposite(void **state)
{
    (void)state;
    const pattern opposite = pattern_of(100, (const int[]){50, -1}, (const int[]){49, -1});
    expect(100, 1, &opposite, 1.441814, 6e-7, 2);
    expect(100, 5, &opposite, 2.652086, 6e-7, 2);
    expect(100, 10, &opposite, 6.367071, 6e-7, 2);
    expect(100, 14, &opposite, 34.923451, 6e-7, 4);

    // a second pair leaves at 0.14635
    const double around[] = {0.14634, 0.14636};
    for (int i = 0; i < 2; i++) {
        rico_ring_stability *found = multipliers(100, around[i], &opposite);
        assert_int_equal(found->off_circle, 2 + 2 * i);
        rico_ring_stability_destroy(found);
    }
}


// Mon' J Mon = J; the spectrum is closed under s -> 1/s and s -> conj s; two multipliers at +1.
static void symmetries(void **state)
{
    (void)state;
    enum { P = 8 };
    const pattern mixed = pattern_of(P, (const int[]){1, 2, 5, -1}, (const int[]){4, 6, -1});
    rico_ring_stability *found = multipliers(P, 0.05, &mixed);
    assert_at_most(found->symplectic, 1e-12);
    assert_int_equal(found->count, 2 * P);
    int at_one = 0;
    for (int i = 0; i < 2 * P; i++) {
        double re = found->real[i], im = found->imag[i], size = re * re + im * im;
        bool partner = false, twin = false;
        for (int j = 0; j < 2 * P; j++) {
            double other_re = found->real[j], other_im = found->imag[j];
            partner |= hypot(other_re - re / size, other_im + im / size) < 1e-6;
            twin |= hypot(other_re - re, other_im + im) < 1e-6;
        }
        assert_true(partner && twin);
        at_one += hypot(re - 1.0, im) < 1e-6;
        if (i > 0) assert_true(hypot(found->real[i - 1], found->imag[i - 1]) >= hypot(re, im));
    }
    assert_int_equal(at_one, 2);
    rico_ring_stability_destroy(found);
}


// Coupling 0: a pair at +1 for who strikes, exp(+-i T) for who does not, -+i at T = 3 pi / 2.
static void uncoupled(void **state)
{
    (void)state;
    const pattern some = at_start(6, (const int[]){1, 4, -1});
    rico_ring_stability *found = multipliers(6, 0.0, &some);
    int at_one = 0, at_i = 0;
    for (int i = 0; i < 12; i++) {
        at_one += hypot(found->real[i] - 1.0, found->imag[i]) < 1e-7;
        at_i += hypot(found->real[i], fabs(found->imag[i]) - 1.0) < 1e-12;
    }
    assert_int_equal(at_one, 4);
    assert_int_equal(at_i, 8);
    assert_true(found->stable);
    rico_ring_stability_destroy(found);
}


static void refusal(void **state)
{
    (void)state;
    const pattern one = at_start(6, (const int[]){1, -1});
    rico_ring_orbit *orbit = solve(6, 0.1, 6.5, &one);
    rico_ring_stability *found;
    assert_int_not_equal(orbit->verdict, RICO_RING_FEASIBLE);
    assert_int_equal(rico_ring_stability_create(orbit, 0.0, &found), RICO_BAD_ARGUMENT);
    assert_null(found);
    rico_ring_orbit_destroy(orbit);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(site_centred), cmocka_unit_test(bond_centred_opposite),
        cmocka_unit_test(symmetries),   cmocka_unit_test(uncoupled),
        cmocka_unit_test(refusal),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
