// A solver with its options, as a benchmark names it: "nsgs", or "nsgs:order=shuffled:omega=0.9".

#ifndef RICO_LAB_CONTENDER_H
#define RICO_LAB_CONTENDER_H

#include "base/context.h"
#include "ricochet/solver.h"

typedef struct rico_contender {
    char *label; // as typed
    const rico_solver_info *info;
} rico_contender;

typedef struct rico_contenders {
    int64_t count;
    rico_contender *item;
} rico_contenders;

// What every contender gets.
typedef struct rico_contest {
    double tol, time_limit;
    int64_t option_count;
    const char *const *options; // "name=value", from --set
} rico_contest;

// Reads a list separated by commas; "all" is every solver there is. Each is created once with its options, so
// that a mistake shows before anything runs.
rico_status rico_contenders_read(rico_context *ctx, const char *list, const rico_contest *contest,
                                 rico_contenders *out);
void rico_contenders_release(rico_context *ctx, rico_contenders *contenders);

// A new solver with every option set: tol and time-limit, then those of the contest, then its own. Iterations
// are not limited unless an option says so: time is what all have in common.
rico_status rico_contender_create(rico_context *ctx, const rico_contender *contender,
                                  const rico_contest *contest, rico_solver **out);

#endif
