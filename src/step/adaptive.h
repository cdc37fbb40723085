// Runs of many steps, fixed or adaptive.

#ifndef RICO_STEP_ADAPTIVE_H
#define RICO_STEP_ADAPTIVE_H

#include "step/simulation.h"

typedef struct rico_adaptive {
    rico_snapshot before; // the last accepted state
    double *q, *v;        // what two half steps lead to
    int64_t room;         // rows that the following holds
    double *gap;          // at the last accepted state, all rows
} rico_adaptive;

void rico_adaptive_destroy(rico_simulation *sim);

#endif
