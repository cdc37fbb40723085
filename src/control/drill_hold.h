// A controller sampled: between two samples its input is held.

#ifndef RICO_CONTROL_DRILL_HOLD_H
#define RICO_CONTROL_DRILL_HOLD_H

#include "base/context.h"
#include "ricochet/control.h"

// u = C z + D e, z+ = F z + E e, exact for an e that is constant over the time h.
typedef struct rico_drill_hold {
    int64_t states;
    double *F, *E, *C; // states x states, states x 2, 1 x states
    double D[2];
    double *z, *next;
} rico_drill_hold;

// NULL: no controller. z begins at 0.
rico_status rico_drill_hold_create(rico_context *ctx, const rico_state_space *controller, double h,
                                   rico_drill_hold *out);
void rico_drill_hold_destroy(rico_context *ctx, rico_drill_hold *hold);

// u now; z moves on.
static inline double rico_drill_hold_step(rico_drill_hold *hold, const double e[2])
{
    int64_t n = hold->states;
    double u = hold->D[0] * e[0] + hold->D[1] * e[1];
    for (int64_t i = 0; i < n; i++) {
        u += hold->C[i] * hold->z[i];
        double sum = hold->E[i] * e[0] + hold->E[n + i] * e[1];
        for (int64_t j = 0; j < n; j++) sum += hold->F[j * n + i] * hold->z[j];
        hold->next[i] = sum;
    }
    double *keep = hold->z;
    hold->z = hold->next;
    hold->next = keep;
    return u;
}

#endif
