// Who does some of the work of a run in our place: a program that shares it with others, as rico-mpi does.

#ifndef RICO_STEP_HELPER_H
#define RICO_STEP_HELPER_H

#include "ricochet/simulation.h"
#include "ricochet/solver.h"

// A run that is about to take its steps, as others can make the same scene.
typedef struct rico_helped_run {
    const char *path, *text; // of the scene
    int64_t override_count;
    const char *const *overrides;
    bool adaptive, differentiated; // steps that are tried in several lengths; derivatives are carried along
    bool every_step; // the state is asked for after every step, not where rows are written alone
    rico_simulation *sim;
    struct rico_contact_watch *watch; // what is remembered of contacts: store/contact_watch.h
} rico_helped_run;

typedef struct rico_helper {
    int64_t least_contacts; // from which it is asked to solve

    // Solves from r to the tolerance, in place. Anything but RICO_CONVERGED in the report leaves the problem to the
    // usual ways; RICO_UNSUPPORTED does too.
    rico_status (*solve)(void *user, rico_problem *problem, double tol, double *r, rico_report *report);

    // Before the first step of a run; NULL: it does not care.
    rico_status (*begin)(void *user, const rico_helped_run *run);
    // A step in the place of the simulation's own, which then stands at its end; *done false: it is left to the simulation.
    rico_status (*step)(void *user, rico_simulation *sim, double h, bool *done);
    // Whether such steps have left the simulation behind: it has their time and sums, but not their state, nor the watch what it remembers.
    bool (*is_ahead)(void *user, const rico_simulation *sim);
    rico_status (*catch_up)(void *user); // brings both to the end of the last step
    // Hands on what contacts did in the last step in the place of the watch.
    rico_status (*tell)(void *user, const struct rico_contact_watch *watch);
    void *user;
} rico_helper;

#endif
