// A simulation that holds some bodies of a larger one: its own, and copies of those of others that may touch them.
//
// Its steps are those of any simulation, but for what only all shares together know: largest numbers, sums, and contact
// problems, of velocities or of positions. Every share asks for the same things in the same order: what decides how a step goes on is
// known to all of them. Whoever has such a simulation gives it this table (mpi/space.h). What a share computes for a body or a contact is
// then the same whatever else it holds.

#ifndef RICO_STEP_SHARE_H
#define RICO_STEP_SHARE_H

#include "ricochet/simulation.h"

struct rico_contacts;
struct rico_iteration;

typedef struct rico_step_share {
    // Each of `count` numbers becomes the largest that any share has.
    void (*largest)(void *user, int count, double *x);
    // x'y, and x'A x with values A on the system's pattern, over the own bodies of all shares.
    double (*dot)(void *user, const double *x, const double *y);
    double (*square)(void *user, const double *values, const double *x);
    // Works of contacts into the ledger, each contact once: those of `next`, and of obstacles in sim->gap by the contact's first
    // row. Returns the sum of all |impulses|.
    double (*works)(void *user, rico_ledger *ledger);
    // The contacts of the step were collected, or not: RICO_OK when they were everywhere.
    rico_status (*collected)(void *user, rico_status mine);
    // rico_contacts_solve() of all shares.
    rico_status (*solve)(void *user, struct rico_contacts *contacts, struct rico_iteration *iteration,
                         double omega, const double *c, double *v, double *p, double *scale);
    void *user;
} rico_step_share;

#endif
