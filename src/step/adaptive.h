// Runs of many steps, fixed or adaptive.

#ifndef RICO_STEP_ADAPTIVE_H
#define RICO_STEP_ADAPTIVE_H

#include "step/simulation.h"

// A simulation's state at one moment, kept in memory; restored without start().
typedef struct rico_snapshot {
    double *block, *u_before, *u_after, *normal_work, *tangential_work;
    char *active;
    int64_t steps;
    rico_ledger ledger, total;
    rico_step_stats stats;
    double matrix[3]; // weights of the iteration matrix
} rico_snapshot;

typedef struct rico_adaptive {
    rico_snapshot before; // the last accepted state
    double *q, *v;        // what two half steps lead to
    double *gap;          // at the last accepted state, all rows
    double *last;         // relative velocities at the end of the step before the last
} rico_adaptive;

void rico_adaptive_destroy(rico_simulation *sim);

#endif
