// The pieces of a convergence study, for whoever has its runs done side by side.

#ifndef RICO_AUDIT_STUDY_H
#define RICO_AUDIT_STUDY_H

#include "base/context.h"
#include "ricochet/audit.h"

// The finest run at all its times, positions and velocities of one time behind one another. rico_free() releases the points.
typedef struct rico_study_path {
    double begin, h;
    int64_t steps, width;
    double *point; // steps + 1 of them
} rico_study_path;

// Refuses steps that are none; *finest is the index of the smallest.
rico_status rico_study_check(rico_context *ctx, const rico_study *study, int *finest);

// One run. Exactly one of `made` (this run is the reference) and errors is wanted; errors are against the exact solution, or
// against `reference`, which is only read.
rico_status rico_study_run_one(rico_context *ctx, const rico_study *study, int index,
                               const rico_study_path *reference, rico_study_path *made, rico_study_row *row);

rico_status rico_study_fit(rico_context *ctx, int count, rico_study_row *rows, rico_orders *orders);

#endif
