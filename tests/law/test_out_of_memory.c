// Every allocation of an impact fails in turn: each time a clear status, nothing leaked. And applying a law allocates
// nothing at all, here nor in SuiteSparse.

#include "counting_memory.h"
#include "impacts.h"

// Three balls joined by a mass that couples them, or a plain chain.
static const int64_t start[] = {0, 2, 4, 5}, row[] = {0, 1, 0, 1, 2}, W_start[] = {0, 2, 4},
                     W_row[] = {0, 1, 1, 2};
static const double value[] = {2.0, 0.5, 0.5, 1.0, 1.0}, W_value[] = {-1.0, 1.0, -1.0, 1.0},
                    u[] = {1.0, 0.0, 0.0};


static rico_status build(rico_context *ctx, bool coupled, rico_impact **out)
{
    const rico_sparse_view M = {3, 3, start, row, value}, W = {3, 2, W_start, W_row, W_value};
    return coupled ? rico_impact_create(ctx, &M, &W, out)
                   : rico_chain_create(ctx, 3, NULL, RICO_CHAIN_FREE, out);
}


// Contacts that rub, under the law that knows it.
static rico_status live_rubbing(rico_context *ctx)
{
    static const int64_t T_start[] = {0, 1, 2}, T_row[] = {0, 2};
    static const double T_value[] = {1.0, 1.0}, friction[] = {0.3, 0.6};
    const rico_sparse_view T = {3, 2, T_start, T_row, T_value};
    rico_impact *impact = NULL;
    rico_impact_law *law = NULL;
    rico_impact_result result;
    rico_status status = build(ctx, true, &impact);
    if (!status) status = rico_impact_set_friction(impact, &T, friction);
    if (!status) status = rico_impact_set_friction(impact, &T, friction); // takes the place of the first
    if (!status) status = rico_impact_law_create(ctx, "lzb-friction", &law);
    if (!status) status = rico_impact_law_setup(law, impact);
    if (!status) status = rico_impact_law_apply(law, u, &result);
    rico_impact_law_destroy(law);
    rico_impact_destroy(impact);
    return status;
}


// The whole life of an impact and a law, and a check of it.
static rico_status live(rico_context *ctx, const char *name, bool coupled)
{
    rico_impact *impact = NULL;
    rico_impact_law *law = NULL;
    rico_impact_result result;
    rico_impact_law_findings findings;
    rico_impact_law_trial trial = rico_impact_law_trial_default();
    double margin = 0.0;
    trial.samples = 4;
    rico_status status = build(ctx, coupled, &impact);
    if (!status) status = rico_impact_law_create(ctx, name, &law);
    if (!status) status = rico_impact_law_setup(law, impact);
    if (!status) status = rico_impact_law_apply(law, u, &result);
    if (!status) status = rico_impact_law_check(law, &trial, &findings);
    if (!status) status = rico_impact_newton_margin(impact, &margin);
    rico_impact_law_destroy(law);
    rico_impact_destroy(impact);
    return status;
}


static void test_every_allocation_fails(void **state)
{
    (void)state;
    for (int coupled = 0; coupled < 2; coupled++)
        for (int l = 0; rico_impact_law_at(l); l++) {
            if (coupled && strcmp(rico_impact_law_at(l)->name, "cradle") == 0) continue; // wants other angles
            int64_t failures = 0;
            bool survived = false;
            for (int64_t n = 0; !survived; n++) {
                assert_true(n < 2000);
                memory.until_failure = -1;
                rico_context *ctx = rico_context_create(&allocator);
                assert_non_null(ctx);
                int64_t before = memory.live;
                memory.until_failure = n;
                rico_status status = live(ctx, rico_impact_law_at(l)->name, coupled);
                survived = memory.until_failure >= 0;
                memory.until_failure = -1;
                if (!survived && status != RICO_OK) {
                    assert_int_equal(status, RICO_NO_MEMORY);
                    assert_true(strlen(rico_message(ctx)) > 0);
                    failures++;
                }
                if (survived) assert_int_equal(status, RICO_OK);
                assert_int_equal(memory.live, before);
                rico_context_destroy(ctx);
                assert_int_equal(memory.live, 0);
            }
            assert_true(failures > 20);
        }
}


static void test_rubbing(void **state)
{
    (void)state;
    bool survived = false;
    for (int64_t n = 0; !survived; n++) {
        assert_true(n < 2000);
        memory.until_failure = -1;
        rico_context *ctx = rico_context_create(&allocator);
        memory.until_failure = n;
        rico_status status = live_rubbing(ctx);
        survived = memory.until_failure >= 0;
        memory.until_failure = -1;
        assert_true(status == RICO_OK || status == RICO_NO_MEMORY);
        if (survived) assert_int_equal(status, RICO_OK);
        rico_context_destroy(ctx);
        assert_int_equal(memory.live, 0);
    }
}


static void test_applying_allocates_nothing(void **state)
{
    (void)state;
    memory.until_failure = -1;
    rico_context *ctx = rico_context_create(&allocator);
    for (int coupled = 0; coupled < 2; coupled++)
        for (int l = 0; rico_impact_law_at(l); l++) {
            if (coupled && strcmp(rico_impact_law_at(l)->name, "cradle") == 0) continue; // wants other angles
            rico_impact *impact = NULL;
            assert_ok(ctx, build(ctx, coupled, &impact));
            rico_impact_law *law = law_on(ctx, rico_impact_law_at(l)->name, impact);
            apply(ctx, law, u);
            int64_t before = memory.total;
            for (int k = 0; k < 5; k++) apply(ctx, law, u);
            assert_int_equal(memory.total, before);
            rico_impact_law_destroy(law);
            rico_impact_destroy(impact);
        }
    rico_context_destroy(ctx);
}


int main(void)
{
    count_suitesparse_memory();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_allocation_fails),
        cmocka_unit_test(test_rubbing),
        cmocka_unit_test(test_applying_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
