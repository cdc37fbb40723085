// A block of mass 1 on a moving belt, held by a spring k = 1, pressed by gravity 1: q = (height, along).

#ifndef RICO_TESTS_STEP_BELT_H
#define RICO_TESTS_STEP_BELT_H

#include "systems.h"

static inline bool belt_rate(void *user, double t, const double *q, double *w)
{
    (void)t, (void)q;
    w[0] = 0.0;
    w[1] = -*(const double *)user;
    return true;
}


// It sticks until the spring pulls with mu, then slides as an oscillator about mu and is caught again. The belt's speed is
// read at `speed` as long as the system lives.
static inline rico_system *block_on_belt(rico_context *ctx, double *speed, double mu)
{
    const int64_t two[] = {0, 1, 2}, index[] = {0, 1}, spring[] = {0, 0, 1}, row[] = {1};
    const double ones[] = {1.0, 1.0}, force[] = {-1.0, 0.0}, frame[] = {1.0, 0.0, 0.0, 1.0};
    rico_system *system;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_matrix_part part = {
        .size = 2, .M = {2, 2, two, index, ones}, .K = {2, 2, spring, row, ones}, .force = force};
    assert_ok(ctx, rico_system_add_matrices(system, "block", &part, NULL));
    rico_contact contact = {.dimension = 2,
                            .friction = mu,
                            .reach = {2, index},
                            .gradient = frame,
                            .rate = belt_rate,
                            .user = speed};
    assert_ok(ctx, rico_system_add_contact(system, "belt", &contact, NULL));
    return system;
}

#endif
