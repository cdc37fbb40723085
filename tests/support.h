// What every test includes: cmocka in the order that it wants, and a few shorthands.

#ifndef RICO_TESTS_SUPPORT_H
#define RICO_TESTS_SUPPORT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/context.h"
#include "base/random.h"

// Fails with the library's own sentence when a call that must work does not.
#define assert_ok(ctx, call)                                                                                 \
    do {                                                                                                     \
        rico_status status_ = (call);                                                                        \
        if (status_ != RICO_OK) fail_msg("%s: %s: %s", #call, rico_status_name(status_), rico_message(ctx)); \
    } while (0)

#define assert_at_most(value, bound)                                                                         \
    do {                                                                                                     \
        double value_ = (value), bound_ = (bound);                                                           \
        if (!(value_ <= bound_)) fail_msg("%s = %.17g exceeds %.3g", #value, value_, bound_);                \
    } while (0)

#define assert_near(value, expected, bound)                                                                  \
    do {                                                                                                     \
        double value_ = (value), expected_ = (expected);                                                     \
        if (!(fabs(value_ - expected_) <= (bound)))                                                          \
            fail_msg("%s = %.17g, expected %.17g within %.3g", #value, value_, expected_, (double)(bound));  \
    } while (0)

#endif
