// Impacts inside a simulation by a law of multiple impacts: what time stepping and event-driven integration share.

#ifndef RICO_STEP_IMPACTS_H
#define RICO_STEP_IMPACTS_H

#include "model/assembly.h"
#include "ricochet/impact.h"

typedef struct rico_impacts {
    rico_context *ctx;
    rico_assembly *assembly;
    int64_t room;                // contacts that the arrays hold
    rico_impact_law *law, *rest; // the law chosen; Moreau's for the approach that it leaves
    rico_impact *impact;         // at the last impact; kept where M and the gradients are constant
    bool constant, warned;       // and has spoken once about an outcome of many
    double *gamma;               // contacts: gap velocities

    // of the impact, one entry for each contact; rico_impacts_begin() sets them to zero, applying adds
    double *impulse, *loss;
} rico_impacts;

// Refuses a system with joints, friction, moving obstacles or restitutions above 1, and unknown laws.
rico_status rico_impacts_create(rico_assembly *assembly, const char *law, rico_impacts **out);
void rico_impacts_destroy(rico_impacts *impacts);

rico_status rico_impacts_begin(rico_impacts *impacts);

// The impact at (t, q) among the contacts marked: v becomes the velocity after it. A contact that still closes then, by
// up to what lzb counts as none, is stopped by a perfectly inelastic impact. Fails with a sentence when the law has no answer.
rico_status rico_impacts_apply(rico_impacts *impacts, double t, const double *q, const char *marked,
                               double *v);

#endif
