// Orbits of a ring along a parameter: what following a branch and scanning for intervals share.

#ifndef RICO_ORBIT_RING_BRANCH_H
#define RICO_ORBIT_RING_BRANCH_H

#include "orbit/ring.h"

// The orbit at one value of the parameter; NULL where the boundary value problem is singular.
rico_status rico_ring_branch_solve(rico_context *ctx, const rico_ring *ring, rico_ring_parameter parameter,
                                   double value, rico_ring_orbit **orbit);

// The end of feasible orbits between a value that has one and a value that has none, and its reason. The last orbit is returned where
// wanted.
rico_status rico_ring_branch_bisect(rico_context *ctx, const rico_ring *ring, rico_ring_parameter parameter,
                                    double good, double bad, rico_ring_orbit **last, rico_ring_end *end);

// Names what lies between a feasible orbit and a solution next to it that is none, or no solution (NULL).
void rico_ring_branch_name(const rico_ring_orbit *inside, const rico_ring_orbit *outside, rico_ring_end *end);

#endif
