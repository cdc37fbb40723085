// What tests of drill-strings share: speeds in rpm, SoftTorque with the chapter's numbers.

#ifndef RICO_TESTS_CONTROL_DRILL_NUMBERS_H
#define RICO_TESTS_CONTROL_DRILL_NUMBERS_H

#include "one_context.h"

#include "ricochet/drill.h"

static const double PI = 3.14159265358979323846;


static inline double rpm(double n)
{
    return n * PI / 30.0;
}


static inline rico_state_space *soft_torque(void)
{
    rico_state_space *controller;
    assert_ok(ctx, rico_drill_soft_torque(ctx, 2.93, 1.87, &controller));
    return controller;
}

#endif
