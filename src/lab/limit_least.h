// The value of a parameter at which a scene begins to stand, or ceases to.

#ifndef RICO_LAB_LIMIT_LEAST_H
#define RICO_LAB_LIMIT_LEAST_H

#include "lab/limit_study.h"

typedef struct rico_limit_boundary {
    double value;     // of the parameter: the structure stands there, or fails by round-off alone
    bool rising;      // it stands above; false: below
    double width;     // of the interval that is left
    int64_t solved;   // equilibria that were asked for
    double low, high; // reserves of the normal forces at the ends, over the size of the loads
} rico_limit_boundary;

// Between two values of which the structure stands at one, by the sign of the reserve of its normal forces, which is solved for and not
// merely whether there is an equilibrium. `tolerance` is relative to the larger end. Refused: it stands at both ends, or at none. Loads of the order are
// taken at `factor`.
rico_status rico_limit_find_boundary(rico_context *ctx, const rico_limit_order *order, const char *parameter,
                                     const double between[2], double factor, double tolerance,
                                     rico_limit_boundary *out);

#endif
