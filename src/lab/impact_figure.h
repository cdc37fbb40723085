// Pictures of impacts.

#ifndef RICO_LAB_IMPACT_FIGURE_H
#define RICO_LAB_IMPACT_FIGURE_H

#include "lab/outcome.h"

// Velocities and impulses of one impact under each law, energies of contacts in time where there are any. The sheet is
// that of rico_outcomes_sheet().
rico_status rico_impact_draw(rico_context *ctx, const rico_sheet *sheet, const char *title, const char *path);

// Measures over the first column of a sheet of rico_outcome_sweep_run().
rico_status rico_impact_draw_sweep(rico_context *ctx, const rico_sheet *sheet, const char *title, bool log_x,
                                   const char *path);

#endif
