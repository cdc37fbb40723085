// A copy of a problem in units of its own, in which W and q are of order one.
//
// Every solver works on such a copy, so that no constant of its own meets numbers of another size: a problem in grams
// and micrometres takes the same steps as in kilograms and metres. The units are powers of four; changing to them and
// back rounds nothing.

#ifndef RICO_PROBLEM_UNITS_H
#define RICO_PROBLEM_UNITS_H

#include "problem/problem.h"

// The units of a copy, from the mean of |W_aa| and the largest entry of q.
rico_units rico_own_units(double compliance, double speed);

// The copy, in the form that the original has (in both forms if it has been reduced), and its units.
rico_status rico_problem_in_own_units(const rico_problem *problem, rico_units *units, rico_problem **out);

// The vectors of the original changed: chooses the unit of velocity anew. With `matrix` W did, on the same pattern.
rico_status rico_problem_follow(const rico_problem *problem, bool matrix, rico_units *units,
                                rico_problem *copy);

#endif
