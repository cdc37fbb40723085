// When a method that sweeps looks at its residual: see pace.h.

#include "solve/pace.h"

#include "la/dense.h"

#include <math.h>

rico_pace rico_pace_begin(const rico_run *run, int64_t spacing)
{
    return (rico_pace){.spacing = spacing, .next_check = 1, .trigger = run->tol};
}


bool rico_pace_step(rico_pace *pace, rico_run *run, int64_t sweep, double change)
{
    bool small = sqrt(change) <= pace->trigger * rico_norm(run->solver->problem->rows, run->r);
    pace->checked = small || sweep >= pace->next_check || sweep == run->max_iterations;
    if (!pace->checked) {
        if (!rico_run_limits(run, sweep)) return false;
        rico_run_check(run, sweep);
        return true;
    }
    if (rico_run_check(run, sweep)) return true;
    if (small) pace->trigger *= 0.25; // the change of r was an optimist
    int64_t wait = 1 + sweep / 4;
    pace->next_check = sweep + (wait < pace->spacing ? wait : pace->spacing);
    return false;
}


void rico_pace_stall(rico_run *run)
{
    rico_run_stop(run, RICO_STALLED, "a sweep changed nothing, at a residual of %.3g",
                  run->residual.relative);
}
