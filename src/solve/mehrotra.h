// One step of an interior-point method by predictor and corrector (Mehrotra 1992), whatever the point and the system are.
//
// The predictor aims at a gap of 0; the better it would do, the less the corrector is centred: sigma is the cube of the
// share of the gap that the predictor would leave.

#ifndef RICO_SOLVE_MEHROTRA_H
#define RICO_SOLVE_MEHROTRA_H

#include "base/context.h"

typedef struct rico_mehrotra {
    double caution;  // share of the way to the boundary at which the predictor is looked at
    double fraction; // of the way to the boundary that the step goes
    bool
        eager; // or more of it, as much as the predictor would lower the gap: the last steps converge superlinearly

    // Each direction says how far it reaches into the cones, possibly INFINITY. RICO_SINGULAR when there is none.
    rico_status (*predict)(void *user, double *reach);
    double (*gap_left)(void *user, double step); // along the predictor, over the present gap
    rico_status (*correct)(void *user, double sigma, double step, double *reach);
    void *user;
} rico_mehrotra;

// The directions and the length of the step, at most 1; the caller takes it.
rico_status rico_mehrotra_step(const rico_mehrotra *method, double *length);

#endif
