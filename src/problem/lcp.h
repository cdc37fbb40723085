// The friction problem as a dense linear complementarity problem: w = M z + q, w >= 0, z >= 0, w'z = 0.
//
// For contacts without friction and in the plane, and boxes. Equality rows are eliminated (a mixed problem condensed by its Schur
// complement). A plane contact with friction brings four unknowns, r_N, l+, l- and s, with r_T = l+ - l- and
//
//     u_N >= 0  _|_  r_N,     u_T + s >= 0  _|_  l+,     s - u_T >= 0  _|_  l-,     mu r_N - l+ - l- >= 0  _|_  s,
//
// s = |u_T| where it slides. In space the cone may be given facets, F directions d_j of friction for the two of the plane,
// r_T = sum l_j d_j (Stewart and Trinkle 1996): another problem than Coulomb's, exact as F grows. A box brings two, z above one bound and s at the other (one where that is infinite),
//
//     u + s >= 0  _|_  z,     (high - low) - z >= 0  _|_  s,     r = low + z.
//
// z'Mz = r'Wr + mu r_N s, so M is copositive wherever W is positive semidefinite (Stewart,
// Trinkle 1996; Anitescu, Potra 1997), though not symmetric. Rows and columns are scaled to diagonals near one.

#ifndef RICO_PROBLEM_LCP_H
#define RICO_PROBLEM_LCP_H

#include "problem/problem.h"

typedef struct rico_lcp {
    rico_context *ctx;
    rico_problem *problem;
    int64_t size;
    double *M; // size x size, column-major
    double *q; // size entries

    // the rows of the problem that take part: contacts first, then equalities
    int64_t rows, contacts;
    int64_t *row;   // their places in the problem
    int64_t *place; // for each row of the problem its place here, -1 for a tangent without friction
    double *A;      // rows x rows, column-major: W with the equalities eliminated
    double *a; // rows entries: q likewise; -a, less A times the contacts, is the impulse of an eliminated row
    double *diagonal; // of W, before the elimination
    int64_t *pivot;   // eliminated rows in the order in which that was done
    int64_t pivots;   // how many: fewer than the equality rows when some of those are redundant
    bool *done;       // for each row here: eliminated
    bool *held;       // or left without freedom by the equalities

    // the unknowns
    int64_t facets; // directions of friction in space
    int64_t *from;  // row here that each belongs to; RICO_LCP_SLIP or RICO_LCP_BOUND for an s
    int64_t *other; // the second tangent of a direction in space, -1 for others
    double *sign;   // +1 or -1: its sign in the impulse; of a direction its cosine
    double *turn;   // and its sine
    int64_t *arms;  // for a slip speed: how many directions it belongs to, which stand before it
    double *scale;  // impulse (or slip speed) per unit of z
    double *normal; // for a slip speed: its mu; 0 for others
    double *base;   // of each contact row: the impulse at z = 0
} rico_lcp;

enum { RICO_LCP_SLIP = -1, RICO_LCP_BOUND = -2 };

// Refuses problems whose LCP, or whose rows, number more than `limit`. Boxes without a finite bound must not be there, nor
// contacts with friction in space unless their cone gets `facets`, 3 or more.
rico_status rico_lcp_create(rico_problem *problem, int64_t limit, int64_t facets, rico_lcp **out);
void rico_lcp_destroy(rico_lcp *lcp);

// New vectors of the problem; with `matrix`, new values of W too.
void rico_lcp_update(rico_lcp *lcp, bool matrix);

// The impulses (rows of the problem) that z stands for, equalities included.
void rico_lcp_impulse(const rico_lcp *lcp, const double *z, double *r);

// The impulses of the equalities that were eliminated, from those of the contacts.
void rico_lcp_substitute(const rico_lcp *lcp, double *r);

// The z that stands for r with velocities u; negative parts that z cannot hold are cut off.
void rico_lcp_guess(const rico_lcp *lcp, const double *r, const double *u, double *z);

#endif
