// Every combination of open, sticking and sliding contacts, for problems with a handful of them: what is left to try when
// all else stalls, and in the plane a proof when nothing fits.

#ifndef RICO_SOLVE_STATES_H
#define RICO_SOLVE_STATES_H

#include "solve/method.h"

// Few enough contacts to search their states?
bool rico_states_takes(const rico_problem *problem);

// Searches on a reduced problem whose W and q are of order one. Ends the run when an answer is found, or when it is
// proved that there is none; else leaves it as it is.
rico_status rico_states_search(rico_problem *problem, rico_run *run);

#endif
