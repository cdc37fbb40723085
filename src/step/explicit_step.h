// What the position scheme borrows from Schatzman and Paoli's: contacts at the level of positions over two steps.

#ifndef RICO_STEP_EXPLICIT_STEP_H
#define RICO_STEP_EXPLICIT_STEP_H

#include "step/simulation.h"

// The offset c of y = H'w + rate + c, for which y_N = (1+e)/h g(q_k + h (w - e w-)/(1+e)) to first order at w and
// y_T = H_T'w. w- is vector.before. late: frames at the same points too, otherwise they stay. plastic: e = 0 for all.
rico_status rico_position_offset(rico_simulation *sim, double h, const double *w, bool late, bool plastic,
                                 double *c);

#endif
