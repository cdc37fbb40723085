// H-infinity synthesis inside others: what is asked of a plant, and one attempt at a bound.

#ifndef RICO_CONTROL_HINF_H
#define RICO_CONTROL_HINF_H

#include "control/matrix.h"

// A generalized plant, the last `measured` outputs and `controls` inputs of which are the controller's.
typedef struct rico_hinf_task {
    const rico_state_space *plant;
    int64_t measured, controls;
} rico_hinf_task;

// Refuses what the theory cannot treat, in one sentence.
rico_status rico_hinf_check(const rico_hinf_task *task);

// The central controller for gamma, of a plant that passed rico_hinf_check(). *found is false, *controller NULL, when there is none, or when it
// does not keep the bound in the arithmetic at hand.
rico_status rico_hinf_attempt(const rico_hinf_task *task, double gamma, bool *found,
                              rico_state_space **controller);

#endif
