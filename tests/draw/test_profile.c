// Performance profiles: rho_s(tau) on a table worked out by hand, and the figure as a reader of XML sees it.


#include "draw/profile.h"
#include "draw/svg.h"
#include "one_context.h"

#include <unistd.h>

// Costs of four problems for three solvers; rows are problems. The third is solved by nobody.
//
//           A     B     C      best     ratios
//     p1    1     2     4        1      1    2    4
//     p2    6     3     -        3      2    1    inf
//     p3    -     -     -        -      inf  inf  inf
//     p4    5     5    20        5      1    1    4
static const double COST[] = {1, 2, 4, 6, 3, INFINITY, INFINITY, INFINITY, INFINITY, 5, 5, 20};


static void test_values_by_hand(void **state)
{
    (void)state;
    rico_profile profile;
    assert_ok(ctx, rico_profile_create(ctx, 4, 3, COST, &profile));
    static const struct {
        int64_t solver;
        double tau, rho;
    } expected[] = {
        {0, 1.0, 0.50}, {0, 1.99, 0.50}, {0, 2.0, 0.75}, {0, 1e9, 0.75},      {0, INFINITY, 0.75},
        {1, 1.0, 0.50}, {1, 2.0, 0.75},  {1, 1e9, 0.75}, {2, 1.0, 0.0},       {2, 3.99, 0.0},
        {2, 4.0, 0.50}, {2, 5.0, 0.50},  {2, 1e9, 0.50}, {2, INFINITY, 0.50},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        double rho = rico_profile_value(&profile, expected[i].solver, expected[i].tau);
        if (rho != expected[i].rho)
            fail_msg("rho_%lld(%g) = %g, expected %g", (long long)expected[i].solver, expected[i].tau, rho,
                     expected[i].rho);
    }
    assert_int_equal(rico_profile_solved(&profile, 0), 3);
    assert_int_equal(rico_profile_solved(&profile, 1), 3);
    assert_int_equal(rico_profile_solved(&profile, 2), 2);
    rico_profile_release(ctx, &profile);
}


// On any table rho_s rises with tau, the rho_s(1) sum up to at least the fraction that somebody solves, and
// costs in another unit change nothing.
static void test_properties(void **state)
{
    (void)state;
    enum { PROBLEMS = 60, SOLVERS = 5 };
    double cost[PROBLEMS * SOLVERS], scaled[PROBLEMS * SOLVERS];
    rico_random random;
    rico_random_seed(&random, 11);
    double solvable = 0.0;
    for (int p = 0; p < PROBLEMS; p++) {
        bool any = false;
        for (int s = 0; s < SOLVERS; s++) {
            int i = p * SOLVERS + s;
            cost[i] = rico_random_unit(&random) < 0.4 ? INFINITY : exp(8.0 * rico_random_unit(&random));
            scaled[i] = cost[i] * 1024.0; // exact in binary
            any = any || cost[i] < INFINITY;
        }
        solvable += any ? 1.0 / PROBLEMS : 0.0;
    }
    rico_profile profile, other;
    assert_ok(ctx, rico_profile_create(ctx, PROBLEMS, SOLVERS, cost, &profile));
    assert_ok(ctx, rico_profile_create(ctx, PROBLEMS, SOLVERS, scaled, &other));
    double first = 0.0;
    for (int s = 0; s < SOLVERS; s++) {
        double before = 0.0;
        for (double tau = 1.0; tau < 1e5; tau *= 1.3) {
            double rho = rico_profile_value(&profile, s, tau);
            assert_true(rho >= before && rho <= 1.0);
            assert_true(rho == rico_profile_value(&other, s, tau));
            before = rho;
        }
        first += rico_profile_value(&profile, s, 1.0);
    }
    assert_true(first >= solvable - 1e-12);
    rico_profile_release(ctx, &profile);
    rico_profile_release(ctx, &other);
}


static void test_edges(void **state)
{
    (void)state;
    rico_profile profile;
    // free costs are all equally good, and anything else is infinitely worse
    const double zeros[] = {0.0, 0.0, 3.0};
    assert_ok(ctx, rico_profile_create(ctx, 1, 3, zeros, &profile));
    assert_true(rico_profile_value(&profile, 0, 1.0) == 1.0);
    assert_true(rico_profile_value(&profile, 1, 1.0) == 1.0);
    assert_true(rico_profile_value(&profile, 2, 1e300) == 0.0);
    rico_profile_release(ctx, &profile);

    const double wrong[] = {1.0, NAN}, negative[] = {1.0, -1.0};
    assert_int_equal(rico_profile_create(ctx, 1, 2, wrong, &profile), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_profile_create(ctx, 1, 2, negative, &profile), RICO_BAD_ARGUMENT);
    assert_ok(ctx, rico_profile_create(ctx, 0, 2, NULL, &profile));
    assert_true(rico_profile_value(&profile, 1, 1.0) == 0.0);
    rico_profile_release(ctx, &profile);
}


// ---- the figure ----

// Draws into memory; the caller frees.
static char *draw(const rico_profile *profile, const rico_profile_text *text)
{
    char *drawn = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&drawn, &size);
    assert_ok(ctx, rico_profile_draw(ctx, profile, text, out));
    fclose(out);
    return drawn;
}


// Checked by a parser that is not ours, where there is one.
static void expect_well_formed(const char *document)
{
    if (access("/usr/bin/python3", X_OK) != 0) return;
    FILE *parser = popen("/usr/bin/python3 -c 'import sys, xml.dom.minidom as x; "
                         "x.parseString(sys.stdin.buffer.read())' 2>/dev/null",
                         "w");
    fputs(document, parser);
    if (pclose(parser) != 0) fail_msg("not XML:\n%s", document);
}


static int count_of(const char *text, const char *piece)
{
    int count = 0;
    while ((text = strstr(text, piece)) != NULL) {
        count++;
        text++;
    }
    return count;
}


static void test_figure(void **state)
{
    (void)state;
    const char *const labels[] = {"a<b>&\"'", "second", "third\x01\xff"};
    rico_profile_text text = {
        .title = "Profile & <more>", .subtitle = "4 problems", .axis = "time", .labels = labels};
    rico_profile profile;
    assert_ok(ctx, rico_profile_create(ctx, 4, 3, COST, &profile));
    char *drawn = draw(&profile, &text);
    expect_well_formed(drawn);
    assert_int_equal(count_of(drawn, "<polyline"), 3);
    assert_non_null(strstr(drawn, "a&lt;b&gt;&amp;"));
    assert_non_null(strstr(drawn, "third?\?</text>"));
    // A rises at tau = 1 to 1/2, at 2 to 3/4, then runs to tau = 10: with the axis 520 wide from x = 64 and 340
    // high from y = 62, log10(2) = 0.30103 of the way
    assert_non_null(strstr(drawn, "points=\"64.00,232.00 220.54,232.00 220.54,147.00 584.00,147.00\""));
    free(drawn);
    rico_profile_release(ctx, &profile);
}


// Nothing solved at all, and more solvers than there are colours: still a figure, no curve for the former.
static void test_strange_figures(void **state)
{
    (void)state;
    enum { MANY = 50 };
    double cost[2 * MANY];
    const char *labels[MANY];
    for (int i = 0; i < MANY; i++) labels[i] = "solver";
    rico_profile_text text = {.title = "t", .subtitle = "", .axis = "iterations", .labels = labels};
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 2 * MANY; i++) cost[i] = round == 0 ? INFINITY : pow(1.5, i % MANY);
        rico_profile profile;
        assert_ok(ctx, rico_profile_create(ctx, 2, MANY, cost, &profile));
        char *drawn = draw(&profile, &text);
        expect_well_formed(drawn);
        assert_int_equal(count_of(drawn, "<polyline"), round == 0 ? 0 : MANY);
        assert_null(strstr(drawn, "nan"));
        assert_null(strstr(drawn, "inf"));
        free(drawn);
        rico_profile_release(ctx, &profile);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_by_hand),  cmocka_unit_test(test_properties),
        cmocka_unit_test(test_edges),           cmocka_unit_test(test_figure),
        cmocka_unit_test(test_strange_figures),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
