// One block of any kind while the others stand still: u = W r + q with hat(u) in K*, orthogonal to r in K.
//
// An elliptic contact is a round one in other units of its tangents: with d = mu_2 / mu_1, r_2 = d r'_2 and u'_2 = d u_2 the ellipse
// is the disc of mu_1, work and shift are the same, and one_contact.h solves it exactly; a slip potential of its own, which is
// S u_T in place of u_T (cone/elliptic.c), makes W unsymmetric and nothing else. Kinds that have no exact solver are
// solved by Newton's method on the natural map, which is piecewise smooth (Qi and Sun 1993: quadratic near the solution). Where that
// does not get there: for a given shift s of the normal velocity the problem is convex, and solved by Newton's method and Khobotov's
// extragradient method (solve/vi.h; it converges for a monotone map) in turn; what is left is one equation g(u(s)) = s, continuous in
// s and with a change of sign, for a root between two bounds.

#ifndef RICO_SOLVE_ONE_BLOCK_H
#define RICO_SOLVE_ONE_BLOCK_H

#include "cone/cone.h"
#include "solve/one_contact.h"

typedef struct rico_one_block {
    rico_block block;
    double W[RICO_LARGEST_CONE * RICO_LARGEST_CONE]; // row-major
    double norm;                                     // |W|_F
    double step;                                     // carried from one solve to the next
    bool round;                                      // an ellipse that is a disc in other units
    double u_unit[3], r_unit[3];                     // then: q' = u_unit q, r = r_unit r'
    rico_one_contact contact;
} rico_one_block;

void rico_one_block_prepare(rico_one_block *own, const rico_block *block, const double *W);

// Replaces r, on entry a guess, by the solution to round-off, or brings it as close as its iterations allow. A block that no
// motion answers to (W = 0) keeps its impulse: no value of it changes u.
void rico_one_block_solve(rico_one_block *own, const double *q, double *r);

#endif
