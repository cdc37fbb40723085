// Coulomb friction as a fixed point of convex problems.
//
// With s in the place of mu |u_T|, the problem is the optimality condition of a convex program over the cones (Acary, Cadoux,
// Lemarechal, Malick 2011; Acary et al. 2018, eq. 94): its velocities u(s) are unique however redundant the contacts are, and s = mu |u_T(s)| is
// Coulomb's law. Each program is solved by the interior point method; s follows. Where one body weighs a hundred thousand times what
// its neighbour does, this gets through and methods that see the whole law at once do not.

#include "solve/stage.h"

#include <math.h>
#include <string.h>


rico_associated_options rico_associated_default(void)
{
    return (rico_associated_options){.rounds = 40, .steps = 100};
}


// mu |u_T| of each contact into shift; returns how far it moved, squared.
static double renew(const rico_problem *p, const double *u, double *shift)
{
    double moved = 0.0;
    for (int64_t a = 0; a < p->block_count; a++) {
        double speed = 0.0;
        if (!rico_problem_is_joint(p, a) && p->friction[a] > 0.0)
            for (int64_t i = p->offset[a] + 1; i < p->offset[a + 1]; i++) speed = hypot(speed, u[i]);
        double now = p->friction[a] * speed;
        moved += (now - shift[a]) * (now - shift[a]);
        shift[a] = now;
    }
    return moved;
}


rico_status rico_stage_associated(rico_stage *stage, const rico_associated_options *options, rico_run *run)
{
    enum { PATIENCE = 4 };
    const rico_problem *p = stage->problem;
    double *shift = stage->step_length, best = INFINITY;
    memset(shift, 0, (size_t)p->block_count * sizeof *shift);
    int since = 0;
    for (int round = 0; round < options->rounds; round++) {
        rico_status status = rico_stage_convex(stage, shift, options->steps, run);
        if (status || run->done) return status;
        if (rico_run_check(run, run->iterations + 1)) return RICO_OK;
        double moved = renew(p, run->u, shift);
        if (moved < 0.5 * best) {
            best = moved;
            since = round;
        }
        if (!(moved > 0.0) || round - since > PATIENCE) break;
    }
    return RICO_OK;
}
