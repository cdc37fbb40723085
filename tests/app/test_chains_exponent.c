// Chains of balls over the exponent of their contacts, and those that dissipate: Nguyen and Brogliato 2018,
// in the sizes that take seconds.

#include "chains.h"

static void test_chains(void **state)
{
    (void)state;
    assert_reproduces("chains-exponent", 15);
    assert_reproduces("chains-dissipation", 8);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_chains)};
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
