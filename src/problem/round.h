// A problem with elliptic contacts as one of Coulomb's, in other units of its tangents.
//
// With d = mu_2 / mu_1 and r_2 = d r'_2, u'_2 = d u_2 the ellipse is the disc of mu_1; work and shift are the same. A slip potential of
// its own is S u_T in place of u_T (cone/elliptic.c): W' = D S W D, unsymmetric where S is not a multiple of the identity.

#ifndef RICO_PROBLEM_ROUND_H
#define RICO_PROBLEM_ROUND_H

#include "problem/problem.h"

// Whether elliptic blocks with positive coefficients are all that sets it apart from one of Coulomb's.
bool rico_problem_can_be_round(const rico_problem *problem);

// The round problem, reduced; and anew from W and q of `base` after they changed.
rico_status rico_problem_create_round(rico_problem *base, rico_problem **out);
void rico_problem_renew_round(rico_problem *round, const rico_problem *base);

// Impulses of the one from those of the other.
void rico_problem_to_round(const rico_problem *base, const double *r, double *round);
void rico_problem_from_round(const rico_problem *base, const double *round, double *r);

#endif
