// Who solves large contact problems of a step in our place: a program that shares them with others, as rico-mpi does.

#ifndef RICO_STEP_HELPER_H
#define RICO_STEP_HELPER_H

#include "ricochet/solver.h"

typedef struct rico_helper {
    int64_t least_contacts; // from which it is asked

    // Solves from r to the tolerance, in place. Anything but RICO_CONVERGED in the report leaves the problem to the
    // usual ways; RICO_UNSUPPORTED does too.
    rico_status (*solve)(void *user, rico_problem *problem, double tol, double *r, rico_report *report);
    void *user;
} rico_helper;

#endif
