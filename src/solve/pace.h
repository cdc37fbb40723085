// When a method that sweeps looks at its residual.
//
// Checks are dear (a product with W costs as much as a sweep), so they come when the change of r says that it is worth it
// (Acary et al. 2018, eq. 132), and otherwise at growing distances.

#ifndef RICO_SOLVE_PACE_H
#define RICO_SOLVE_PACE_H

#include "solve/method.h"

typedef struct rico_pace {
    int64_t spacing;    // sweeps between two checks, at most
    int64_t next_check; // the sweep that is checked whatever its change
    double trigger;     // change of r, relative, at which a check is tried
    bool checked;       // the last sweep was
} rico_pace;

rico_pace rico_pace_begin(const rico_run *run, int64_t spacing);

// After a sweep that changed r by `change` (squared): checks run->r when it is time. True when the method must return,
// because the check or a limit says so.
bool rico_pace_step(rico_pace *pace, rico_run *run, int64_t sweep, double change);

// The run ends because a sweep changed nothing.
void rico_pace_stall(rico_run *run);

#endif
