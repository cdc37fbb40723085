// Which contacts a step lets act: a forecast of the gap at the end of the step.

#ifndef RICO_STEP_ACTIVATION_H
#define RICO_STEP_ACTIVATION_H

#include "step/simulation.h"

// The rules, in the order of the option's choices.
typedef enum rico_activation {
    RICO_ACTIVATE_CLOSING,  // g(q_k + h v_k) <= 0 and u_N,k <= 0        (Acary 2016, eq. 24)
    RICO_ACTIVATE_EXPLICIT, // g_k + gamma h u_N,k <= 0                  (Acary 2012, eq. 61)
    RICO_ACTIVATE_FREE      // g_k + h (theta u_N,free + (1 - theta) u_N,k) <= 0, without impulses (eq. 62)
} rico_activation;

extern const char *const rico_activation_names[];

// Fills sim->active from the state `now`, sim->u_before and, for the rule "free", the velocity without impulses. theta
// is the weight of the end of the step in the mean velocity. Uses sim->gap and vector.ahead.
rico_status rico_step_activate(rico_simulation *sim, double h, double theta, const double *v_free);

#endif
