// BLAS is at one thread while the library uses it, and at the program's own number before and after, however scopes nest
// and run side by side.

#include "la/blas.h"
#include "la/dense.h"
#include "support.h"

#include <cblas.h>
#include <pthread.h>

enum { THREADS = 4, ROUNDS = 2000 };


static void test_the_program_keeps_its_number(void **state)
{
    (void)state;
    double a[4] = {1.0, 0.0, 0.0, 1.0}, x[2] = {1.0, 2.0}, y[2];
    openblas_set_num_threads(2);
    rico_dense_times(2, 2, 1.0, a, x, 0.0, y);
    assert_int_equal(openblas_get_num_threads(), 2);
    bool outer = rico_blas_hold();
    assert_int_equal(openblas_get_num_threads(), 1);
    bool inner = rico_blas_hold();
    assert_int_equal(openblas_get_num_threads(), 1);
    rico_blas_release(outer); // in any order
    assert_int_equal(openblas_get_num_threads(), 1);
    rico_blas_release(inner);
    assert_int_equal(openblas_get_num_threads(), 2);
}


static void test_nothing_to_hold_at_one_thread(void **state)
{
    (void)state;
    openblas_set_num_threads(1);
    bool held = rico_blas_hold();
    assert_false(held);
    rico_blas_release(held);
    assert_int_equal(openblas_get_num_threads(), 1);
}


// Counts the scopes in which BLAS was seen with more than one thread.
static void *scopes(void *user)
{
    int *wrong = user;
    for (int i = 0; i < ROUNDS; i++) {
        bool held = rico_blas_hold();
        *wrong += openblas_get_num_threads() != 1;
        rico_blas_release(held);
    }
    return NULL;
}


static void test_scopes_side_by_side(void **state)
{
    (void)state;
    pthread_t thread[THREADS];
    int wrong[THREADS] = {0};
    openblas_set_num_threads(2);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, scopes, &wrong[i]), 0);
    for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
    for (int i = 0; i < THREADS; i++) assert_int_equal(wrong[i], 0);
    assert_int_equal(openblas_get_num_threads(), 2);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_program_keeps_its_number),
        cmocka_unit_test(test_nothing_to_hold_at_one_thread),
        cmocka_unit_test(test_scopes_side_by_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
