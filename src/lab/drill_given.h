// Drill-strings and controllers by name, for computations.

#ifndef RICO_LAB_DRILL_GIVEN_H
#define RICO_LAB_DRILL_GIVEN_H

#include "base/context.h"
#include "ricochet/drill.h"

// Names of models and controllers; NULL past the last.
//   table    four discs, tables 1 and 2 of the chapter: the set-up in the laboratory
//   pipes    a string of 6249 m of our own in the field, 18 nodes; where it moves, its masses are lumped
//   reduced  its four lowest modes, linear alone
//   fitted   four discs identified from these
const char *rico_drill_model_name(int index);
const char *rico_drill_controller_name(int index);

// The linear model.
rico_status rico_drill_given_linear(rico_context *ctx, const char *model, rico_drill_linear **out);

// The string with friction; `reduced` has none.
rico_status rico_drill_given_string(rico_context *ctx, const char *model, rico_drill_string **out);

// The better fit of two starts.
rico_status rico_drill_given_fit(rico_context *ctx, rico_drill_fit *fit);

// none (NULL), soft-torque, observer, low-gain, high-gain, about a speed.
rico_status rico_drill_given_controller(rico_context *ctx, const char *name, const char *model,
                                        const rico_drill_string *string, double speed,
                                        rico_state_space **out);

// diag(k d, 1) P diag(1/d, 1) of a weighted plant.
rico_status rico_drill_given_scaled(const rico_state_space *plant, double k, double d,
                                    rico_state_space **out);

#endif
