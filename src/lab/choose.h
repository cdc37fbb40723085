// Solvers as the command line names them: the default one, and a refusal that helps.

#ifndef RICO_LAB_CHOOSE_H
#define RICO_LAB_CHOOSE_H

#include "base/context.h"
#include "ricochet/solver.h"

// The solver that runs when none is asked for.
const char *rico_default_solver(void);

// The row of a solver's name; RICO_BAD_ARGUMENT with the nearest name when there is none such.
rico_status rico_choose_solver(rico_context *ctx, const char *name, const rico_solver_info **out);

// Checks that a solver has an option of this name, its own or common; suggests the nearest when not.
rico_status rico_choose_option(rico_context *ctx, const rico_solver_info *info, const char *name);

#endif
