// What the parts of `auto` share: its options, what it holds, and the parts themselves.

#ifndef RICO_SOLVE_AUTO_H
#define RICO_SOLVE_AUTO_H

#include "solve/accelerate.h"
#include "solve/natural_newton.h"
#include "solve/stage.h"

typedef enum rico_auto_option {
    RICO_AUTO_SWEEPS,
    RICO_AUTO_INTERIOR,
    RICO_AUTO_PROXIMAL,
    RICO_AUTO_SMOOTHING,
    RICO_AUTO_PATH,
    RICO_AUTO_PROXIMAL_PATH,
    RICO_AUTO_ASSOCIATED,
    RICO_AUTO_ROUNDS,
    RICO_AUTO_THREADS,
    RICO_AUTO_WARM,
    RICO_AUTO_APART
} rico_auto_option;

// Rows up to which a global problem is condensed at once: a Newton stage needs W, sweeps can do without. Sweeps take an
// order for large problems beyond.
enum { RICO_AUTO_CONDENSE_ROWS = 20000 };

// Sweeps before the acceleration begins, on small problems.
enum { RICO_AUTO_PLAIN_SWEEPS = 4 };

// |W_aa| |r_a| over |q| beyond which an answer is believed only if there is no proof against it.
static const double RICO_AUTO_SUSPICIOUS = 1e5;

typedef struct rico_auto {
    rico_sweeper *sweeper;
    rico_sweep_order order;       // made with the accelerator
    rico_accelerator accelerator; // made when first needed
    rico_stage *stage;            // made when first needed
    rico_body_graph *graph;       // what its systems cost, told before; the stage takes it
    double *origin, *interior;    // where the sweeps and the interior point method left
    bool warm;                    // the present run began near its end, and few Newton systems may do
    double first;                 // residual that it began with
    rico_problem *round; // elliptic contacts in units that make them Coulomb's, and who solves them so
    rico_solver *inner;
    rico_solver *proximal;       // where contacts stand apart; made when first needed
    rico_natural_newton *newton; // for kinds that the stages do not know; made when first needed
} rico_auto;

// Is nothing left to do? Iterates that ran away leave the word to the next stage, which begins at the best one.
static inline bool over(rico_run *run)
{
    return run->done && !rico_run_forgive(run);
}

// Accelerated sweeps from run->r (auto_sweeps.c). The first call allocates.
rico_status rico_auto_begin_sweeps(rico_solver *solver);

// Sweeps until they converge or promise to take longer than Newton-like stages. After a warm start that sweeps are slow at,
// work->warm stays true; otherwise it is false.
rico_status rico_auto_sweep(rico_solver *solver, rico_run *run);

// Makes work->stage if it is not there.
rico_status rico_auto_need_stage(rico_solver *solver);

// Seconds of one of its systems, roughly; what it needs for that is made once.
rico_status rico_auto_price(rico_solver *solver, double *seconds);

// Sweeps after which a warm start is judged.
enum { RICO_AUTO_WARM_SWEEPS = 20 };

// Does the run begin with an impulse that is nearly right, on a problem whose systems are made body by body (auto_warm.c)?
bool rico_auto_is_warm(const rico_solver *solver, const rico_run *run);

// After RICO_AUTO_WARM_SWEEPS from such a start: are sweeps slow, and Newton-like stages cheap enough? Also into work->warm.
rico_status rico_auto_leaves_sweeps(rico_solver *solver, const rico_run *run, bool *slow);

// Newton-like stages from such a start, after sweeps that left work->origin. Where they fail, run->r is as it was.
rico_status rico_auto_step_warmly(rico_solver *solver, rico_run *run);

// Where contacts stand apart: proximal steps from zero (auto_apart.c). Where they fail, run->r is work->origin.
rico_status rico_auto_step_apart(rico_solver *solver, rico_run *run);

#endif
