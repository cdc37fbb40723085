// Compliant contacts beside the laws of impact, and copies of a system that agree: their experiments hold.

#include "chains.h"

static void test_chains(void **state)
{
    (void)state;
    assert_reproduces("chains-compliant", 5);
    assert_reproduces("synchronization", 5);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_chains)};
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
