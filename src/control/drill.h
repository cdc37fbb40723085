// What the files of drill-strings share.

#ifndef RICO_CONTROL_DRILL_H
#define RICO_CONTROL_DRILL_H

#include "base/context.h"
#include "ricochet/drill.h"

#define RICO_DRILL_PI 3.14159265358979323846

// Refuses what is no string.
rico_status rico_drill_check(rico_context *ctx, const rico_drill_string *string);

// Refuses what is no controller: a system with two inputs and one output.
rico_status rico_drill_check_controller(rico_context *ctx, const rico_state_space *controller);

// Angles of the discs in steady rotation under a torque of the bit, that of the top drive being 0.
rico_status rico_drill_twist(rico_context *ctx, const rico_drill_string *string, double bit, double *angle);

#endif
