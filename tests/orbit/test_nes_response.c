// Responses of the chapter's oscillator with its sink: strongly modulated ones and their jumps, periodic ones, rest, and designs. Numbers are
// those recomputed for the chapter by another program, whose windows are 4 pi long, one after the other.

#include "ricochet/nes.h"
#include "support.h"

static const double PI = 3.14159265358979323846;

enum { MOST = 8, PARTS = 256 };

typedef struct windows {
    int downs;
    double down[MOST];     // end of the first window with a mean of N2 below 2.5
    double early_g, all_g; // largest |g| for t < 4800, and over all
    double low, high;      // of the mean of N1 after the first jump down
} windows;


static windows watch(rico_context *ctx, const rico_nes *nes, rico_dai_scheme scheme, double dt, double end)
{
    windows seen = {.low = INFINITY};
    rico_dai_master master;
    rico_dai_sink sink;
    rico_dai_model model = rico_nes_as_dai(nes, &master, &sink);
    const double two = 2.0, zero = 0.0, w = model.w, e = nes->eps;
    rico_dai *dai;
    assert_ok(ctx, rico_dai_create(ctx, &model, &dai));
    assert_ok(ctx, rico_dai_start(dai, &two, &zero, &two, &zero));
    int64_t steps = 0;
    bool above = false;
    for (int64_t window = 0; rico_dai_time(dai) < end; window++) {
        double n1 = 0.0, n2 = 0.0;
        for (int i = 1; i <= PARTS; i++) {
            int64_t to = llround(4.0 * PI * ((double)window + (double)i / PARTS) / dt);
            assert_ok(ctx, rico_dai_advance(dai, scheme, dt, to - steps));
            steps = to;
            double x = *rico_dai_x(dai), v = *rico_dai_v(dai), y = *rico_dai_y(dai), u = *rico_dai_u(dai);
            n1 += hypot(v + e * u, w * (x + e * y)) / ((1.0 + e) * PARTS);
            n2 += hypot(v - u, w * (x - y)) / PARTS;
            double g = rico_dai_constraint(dai);
            seen.all_g = fmax(seen.all_g, g);
            if (rico_dai_time(dai) < 4800.0) seen.early_g = seen.all_g;
        }
        if (above && n2 < 2.5 && seen.downs < MOST) seen.down[seen.downs++] = rico_dai_time(dai);
        above = n2 >= 2.5;
        if (seen.downs) seen.low = fmin(seen.low, n1), seen.high = fmax(seen.high, n1);
    }
    rico_dai_destroy(dai);
    return seen;
}


// f0 = 4.019, accurate: jumps down at 3506, 7188, 10983, 14778; N1 in [0.240, 2.304].
static void test_accurate(void **state)
{
    (void)state;
    static const double DOWN[] = {3506, 7188, 10983, 14778};
    rico_context *ctx = rico_context_create(NULL);
    rico_nes nes = rico_nes_table();
    windows seen = watch(ctx, &nes, RICO_DAI_MIDPOINT, 5e-3, 15000.0);
    assert_int_equal(seen.downs, 4);
    for (int i = 0; i < 4; i++) assert_near(seen.down[i], DOWN[i], 0.5);
    assert_near(seen.low, 0.240, 1e-3);
    assert_near(seen.high, 2.304, 1e-3);
    assert_true(seen.all_g == 0.0);
    // the library's own windows, a row apart, with a step ten times as long: the period is 3801, jumps up at N1 = 1.45, down at 0.265
    rico_nes_response *r;
    assert_ok(ctx, rico_nes_respond(ctx, &nes, RICO_NES_ACCURATE, 2.0, 1e-2, 25000.0, 2.5, &r));
    assert_true(r->downs == 6 && r->ups == 6);
    assert_near(r->period, 3801.0, 1.0);
    for (int i = 0; i < 4; i++) assert_true(r->down[i] > DOWN[i] - 4.0 * PI && r->down[i] < DOWN[i] + 0.5);
    for (int i = 1; i < 6; i++) {
        assert_near(r->up_n1[i], 1.45, 0.01);
        assert_near(r->down_n1[i], 0.265, 0.005);
        assert_true(r->up[i - 1] > r->down[i - 1] && r->up[i - 1] < r->down[i]);
    }
    assert_near(r->low, 0.240, 1e-3);
    assert_near(r->high, 2.304, 1e-3);
    rico_nes_response_destroy(ctx, r);
    rico_context_destroy(ctx);
}


// The chapter's scheme at its step: a jump down at 3720, |g| up to 2.67e-4 for t < 4800. All of it to 1e4 and beyond is in
// examples/nes-response.
static void test_literal(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_nes nes = rico_nes_table();
    windows seen = watch(ctx, &nes, RICO_DAI_LITERAL, 1e-4, 4800.0);
    assert_int_equal(seen.downs, 1);
    assert_near(seen.down[0], 3720.0, 0.5);
    assert_near(seen.early_g, 2.67e-4, 1e-6);
    // it is the accurate motion without damping
    nes.a0 = 0.0;
    windows undamped = watch(ctx, &nes, RICO_DAI_MIDPOINT, 1e-2, 4800.0);
    assert_int_equal(undamped.downs, 1);
    assert_near(undamped.down[0], 3720.0, 4.0 * PI + 0.5);
    rico_context_destroy(ctx);
}


// The averaged model from phi1 = 2i: periods of 3679 s, and 3891 s without a0; N1 in [0.243, 2.274].
static void test_averaged(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_nes nes = rico_nes_table();
    rico_nes_response *r;
    assert_ok(ctx, rico_nes_respond(ctx, &nes, RICO_NES_AVERAGED, 2.0, 0.05, 25000.0, 2.5, &r));
    assert_near(r->period, 3679.0, 1.0);
    assert_near(r->low, 0.243, 5e-4);
    assert_near(r->high, 2.274, 5e-4);
    for (int64_t i = 0; i < r->count; i += 97) assert_near(r->now3[i], pow(r->now1[i], 3) / 4.0, 1e-12);
    rico_nes_response_destroy(ctx, r);
    nes.a0 = 0.0;
    assert_ok(ctx, rico_nes_respond(ctx, &nes, RICO_NES_AVERAGED, 2.0, 0.05, 25000.0, 2.5, &r));
    assert_near(r->period, 3891.0, 1.0);
    rico_nes_response_destroy(ctx, r);
    rico_context_destroy(ctx);
}


// Periodic responses after 50000 s, when the transient at f0 = 0.4 is still seen in the third digit, and a strongly modulated one of a period
// of 13245 s at f0 = 0.6.
static void test_periodic(void **state)
{
    (void)state;
    static const double F0[] = {0.2, 0.242, 0.4, 0.5, 0.55}, N2[] = {0.313, 0.487, 1.34, 1.7075, 1.818},
                        N1[] = {0.312, 0.480, 1.165, 1.3402, 1.373},
                        DIGIT2[] = {5e-4, 5e-4, 5e-3, 2e-4, 5e-4}, DIGIT1[] = {5e-4, 5e-4, 5e-4, 2e-4, 5e-4},
                        DT[] = {5e-2, 5e-2, 5e-2, 2e-2, 2e-2};
    rico_context *ctx = rico_context_create(NULL);
    rico_nes nes = rico_nes_table();
    rico_nes_response *r;
    for (int i = 0; i < 5; i++) {
        nes.f0 = F0[i];
        assert_ok(ctx, rico_nes_respond(ctx, &nes, RICO_NES_ACCURATE, 2.0, DT[i], 50000.0, 2.5, &r));
        assert_near(r->n2[r->count - 1], N2[i], DIGIT2[i]);
        assert_near(r->n1[r->count - 1], N1[i], DIGIT1[i]);
        rico_nes_response_destroy(ctx, r);
    }
    nes.f0 = 0.6;
    assert_ok(ctx, rico_nes_respond(ctx, &nes, RICO_NES_ACCURATE, 2.0, 4e-2, 45000.0, 2.5, &r));
    assert_int_equal(r->downs, 4);
    assert_near(r->period, 13245.0, 10.0);
    rico_nes_response_destroy(ctx, r);
    // f0 = alpha0: the oscillator sticks
    nes.f0 = 0.1;
    assert_ok(ctx, rico_nes_respond(ctx, &nes, RICO_NES_ACCURATE, 2.0, 4e-2, 47000.0, 2.5, &r));
    assert_at_most(r->now1[r->count - 1], 1.5 * nes.eps * nes.alpha0);
    rico_nes_response_destroy(ctx, r);
    rico_context_destroy(ctx);
}


// The inclusion from an equilibrium of the averaged model: the range of N1 over 20000 s.
static void stay(rico_context *ctx, const rico_nes *nes, const rico_nes_equilibrium *at, double *low,
                 double *high)
{
    rico_dai_master master;
    rico_dai_sink sink;
    rico_dai_model model = rico_nes_as_dai(nes, &master, &sink);
    double e = nes->eps, r[2], v[2];
    for (int i = 0; i < 2; i++) {
        double n = i ? at->at.n2 : at->at.n1, delta = i ? at->delta2 : at->delta1,
               phi[] = {n * cos(delta), n * sin(delta)};
        rico_realify(model.w, 0.0, phi, &r[i], &v[i]);
    }
    double x = r[0] + e / (1.0 + e) * r[1], rate = v[0] + e / (1.0 + e) * v[1], y = x - r[1], u = rate - v[1];
    rico_dai *dai;
    assert_ok(ctx, rico_dai_create(ctx, &model, &dai));
    assert_ok(ctx, rico_dai_start(dai, &x, &rate, &y, &u));
    *low = INFINITY, *high = 0.0;
    for (int i = 0; i < 20000; i++) {
        assert_ok(ctx, rico_dai_advance(dai, RICO_DAI_MIDPOINT, 4e-2, 25));
        double n1 = hypot(*rico_dai_v(dai) + e * *rico_dai_u(dai),
                          model.w * (*rico_dai_x(dai) + e * *rico_dai_y(dai)));
        *low = fmin(*low, n1), *high = fmax(*high, n1);
    }
    rico_dai_destroy(dai);
}


// Beside the strongly modulated response there are others. From the equilibria at f0 = 4.019, N1 = 0.3873, and at f0 = 0.6, N1 = 1.4013, the inclusion
// stays close; under f0 = 4.019 from x = -8 it ends near that at N1 = 9.43.
static void test_coexistence(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (int i = 0; i < 2; i++) {
        rico_nes nes = rico_nes_table();
        rico_nes_equilibrium at[4];
        int64_t count;
        double low, high;
        if (i) nes.f0 = 0.6;
        assert_ok(ctx, rico_nes_equilibria(ctx, &nes, 0.0, 4, at, &count));
        assert_near(at[0].at.n1, i ? 1.4013 : 0.3873, 5e-5);
        stay(ctx, &nes, &at[0], &low, &high);
        assert_true(low > (i ? 1.38 : 0.35) && high < (i ? 1.42 : 0.45));
    }
    rico_nes nes = rico_nes_table();
    rico_nes_response *far;
    assert_ok(ctx, rico_nes_respond(ctx, &nes, RICO_NES_ACCURATE, -8.0, 4e-2, 30000.0, 2.5, &far));
    assert_near(far->n1[far->count - 1], 9.43, 0.25);
    rico_nes_response_destroy(ctx, far);
    rico_context_destroy(ctx);
}


// As eps tends to 0, the averaged model and the inclusion agree at the same eps t: their distance halves with eps.
static void test_averaging(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    double off[3];
    for (int k = 0; k < 3; k++) {
        rico_nes nes = rico_nes_table();
        rico_nes_response *full, *averaged;
        nes.eps = 8e-3 / (1 << k), nes.f0 = 0.5;
        double end = 6.0 / nes.eps;
        assert_ok(ctx, rico_nes_respond(ctx, &nes, RICO_NES_ACCURATE, 0.5, 1e-2, end, 2.5, &full));
        assert_ok(ctx, rico_nes_respond(ctx, &nes, RICO_NES_AVERAGED, 0.5, 1e-2, end, 2.5, &averaged));
        off[k] = 0.0;
        for (int64_t i = full->count / 4; i < full->count; i++)
            off[k] = fmax(off[k], fabs(full->n1[i] - averaged->n1[i]));
        rico_nes_response_destroy(ctx, full);
        rico_nes_response_destroy(ctx, averaged);
    }
    assert_near(off[0] / off[1], 2.0, 0.3);
    assert_near(off[1] / off[2], 2.0, 0.3);
    assert_at_most(off[2], 1e-3);
    rico_context_destroy(ctx);
}


// The design: N1 at the folds, what the oscillator does alone, what it does with the sink, and the detached branch.
static void test_design(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_nes nes = rico_nes_table();
    rico_nes_design design;
    assert_ok(ctx, rico_nes_design_judge(ctx, &nes, 2.0, 0.05, 15000.0, &design));
    assert_int_equal(design.outcome, RICO_NES_MODULATED);
    assert_near(design.up, 1.4212980354, 5e-11);
    assert_near(design.down, 0.3646893394, 5e-11);
    assert_near(design.high, 2.274, 5e-4);
    assert_int_equal(design.equilibria, 3);
    assert_near(design.worst, 9.43, 5e-3);
    assert_true(design.detached);
    // alone: f0^2 = (4 alpha0/pi + a0 N)^2 + (beta N^3/4 - 2 sigma N)^2
    double n = design.alone;
    assert_near(hypot(0.4 / PI + 0.1 * n, 0.1 * n * n * n / 4.0 - 0.2 * n), nes.f0, 1e-12);
    nes.f0 = 0.5;
    assert_ok(ctx, rico_nes_design_judge(ctx, &nes, 2.0, 0.1, 80000.0, &design));
    assert_int_equal(design.outcome, RICO_NES_PERIODIC);
    assert_near(design.high, 1.3461, 1e-3);
    assert_near(design.worst, 1.3461, 5e-5);
    assert_false(design.detached);
    nes.f0 = 0.05;
    assert_ok(ctx, rico_nes_design_judge(ctx, &nes, 2.0, 0.1, 30000.0, &design));
    assert_int_equal(design.outcome, RICO_NES_REST);
    assert_at_most(design.high, 1e-3);
    // without folds nothing jumps
    nes.f0 = 2.0, nes.lambda = 0.7;
    assert_ok(ctx, rico_nes_design_judge(ctx, &nes, 2.0, 0.1, 30000.0, &design));
    assert_int_equal(design.outcome, RICO_NES_PERIODIC);
    assert_true(isnan(design.up) && !design.detached);
    // nothing that damps: the amplitude alone has no bound
    nes.a0 = nes.beta = nes.sigma = 0.0;
    assert_ok(ctx, rico_nes_design_judge(ctx, &nes, 2.0, 0.05, 100.0, &design));
    assert_true(isinf(design.alone));
    rico_context_destroy(ctx);
}


static void test_refusals(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_nes nes = rico_nes_table(), wrong = nes;
    rico_nes_response *r;
    rico_nes_design design;
    wrong.eps = -1.0;
    assert_int_equal(rico_nes_respond(ctx, &wrong, RICO_NES_ACCURATE, 2.0, 0.01, 100.0, 2.5, &r),
                     RICO_BAD_ARGUMENT);
    assert_null(r);
    assert_int_equal(rico_nes_design_judge(ctx, &wrong, 2.0, 0.01, 100.0, &design), RICO_BAD_ARGUMENT);
    wrong = nes, wrong.sigma = -2000.0;
    assert_int_equal(rico_nes_respond(ctx, &wrong, RICO_NES_ACCURATE, 2.0, 0.01, 100.0, 2.5, &r),
                     RICO_BAD_ARGUMENT);
    assert_int_equal(rico_nes_respond(ctx, &nes, (rico_nes_model)9, 2.0, 0.01, 100.0, 2.5, &r),
                     RICO_BAD_ARGUMENT);
    assert_int_equal(rico_nes_respond(ctx, &nes, RICO_NES_ACCURATE, NAN, 0.01, 100.0, 2.5, &r),
                     RICO_BAD_ARGUMENT);
    assert_int_equal(rico_nes_respond(ctx, &nes, RICO_NES_ACCURATE, 2.0, 0.5, 100.0, 2.5, &r),
                     RICO_BAD_ARGUMENT);
    assert_int_equal(rico_nes_respond(ctx, &nes, RICO_NES_ACCURATE, 2.0, 0.01, 20.0, 2.5, &r),
                     RICO_BAD_ARGUMENT);
    assert_string_equal(rico_message(ctx), "a response takes at least four periods, 25.1302, got 20");
    assert_int_equal(rico_nes_respond(ctx, &nes, RICO_NES_ACCURATE, 2.0, 0.01, 100.0, 0.0, &r),
                     RICO_BAD_ARGUMENT);
    rico_nes_response_destroy(ctx, NULL);
    rico_dai_destroy(NULL);
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accurate),    cmocka_unit_test(test_literal),   cmocka_unit_test(test_averaged),
        cmocka_unit_test(test_periodic),    cmocka_unit_test(test_averaging), cmocka_unit_test(test_design),
        cmocka_unit_test(test_coexistence), cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
