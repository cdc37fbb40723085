// Systems of the tests of control: by chance, and what a test asks of any.

#ifndef RICO_TESTS_CONTROL_SYSTEMS_H
#define RICO_TESTS_CONTROL_SYSTEMS_H

#include "one_context.h"

#include "ricochet/control.h"

#include <complex.h>

enum { LARGEST = 64 }; // entries of a response


// A system with random entries, A shifted so that it is stable with some room, or left as it is.
static inline rico_state_space *random_system(rico_random *random, int64_t n, int64_t m, int64_t p,
                                              bool stable)
{
    double a[256], b[256], c[256], d[256], real[16], imag[16], abscissa = 0.0;
    rico_state_space *sys = NULL;
    for (int64_t i = 0; i < n * n; i++) a[i] = rico_random_range(random, -1.0, 1.0);
    for (int64_t i = 0; i < n * m; i++) b[i] = rico_random_range(random, -1.0, 1.0);
    for (int64_t i = 0; i < p * n; i++) c[i] = rico_random_range(random, -1.0, 1.0);
    for (int64_t i = 0; i < p * m; i++) d[i] = rico_random_range(random, -1.0, 1.0);
    for (int turn = 0; turn < 2; turn++) {
        assert_ok(ctx, rico_state_space_create(ctx, n, m, p, a, b, c, d, &sys));
        if (turn == 1 || !stable) break;
        assert_ok(ctx, rico_state_space_poles(sys, real, imag));
        for (int64_t i = 0; i < n; i++) abscissa = fmax(abscissa, real[i]);
        for (int64_t i = 0; i < n; i++) a[i + i * n] -= abscissa + 0.2;
        rico_state_space_destroy(sys);
    }
    return sys;
}


static inline void response(const rico_state_space *sys, double omega, double complex *g)
{
    double numbers[2 * LARGEST];
    assert_true(sys->inputs * sys->outputs <= LARGEST);
    assert_ok(ctx, rico_state_space_response(sys, omega, numbers));
    for (int64_t i = 0; i < sys->inputs * sys->outputs; i++) g[i] = numbers[2 * i] + numbers[2 * i + 1] * I;
}


static inline double complex scalar(const rico_state_space *sys, double omega)
{
    double complex g[LARGEST];
    response(sys, omega, g);
    return g[0];
}


// The call fails with that status, and its sentence has these words.
#define assert_refused(call, expected, words)                                                                \
    do {                                                                                                     \
        assert_int_equal((call), (expected));                                                                \
        if (!strstr(rico_message(ctx), (words))) fail_msg("%s: %s", #call, rico_message(ctx));               \
    } while (0)

#endif
