// The kinds of blocks as a table: the set K of impulses of each, and what everybody else needs to know of it.
//
// A block is a rico_block: its kind and the numbers that shape its set. Whoever works by projection asks the table and
// never the kind, so that a new kind is a row of table.c with its functions; what a solver cannot take it refuses by
// the flag of the row (solve/solver.c). docs/theory/cone.md has the laws.

#ifndef RICO_CONE_CONE_H
#define RICO_CONE_CONE_H

#include "ricochet/cone.h"
#include "ricochet/problem.h"

#include <math.h>

enum {
    RICO_LARGEST_CONE = 6,
    RICO_CONE_GROUPS = 3
}; // rows of a contact with all moments; its groups of tangents

// What is wrong with a number of a block: "the WHAT VALUE; it must be RULE". No `what` means nothing.
typedef struct rico_cone_fault {
    const char *what;
    double value;
    const char *rule;
} rico_cone_fault;

typedef struct rico_cone_kind {
    rico_block_info info;
    unsigned takes;  // the flag RICO_TAKES_* that a solver must have
    bool joint;      // K is the whole space: u = 0, whatever r
    bool contact;    // the first row is a normal: u_N >= 0, r_N >= 0, and the others vanish with r_N
    bool frictional; // `friction` is read; at 0 a Coulomb block is frictionless
    bool shaped;     // more of the block than its friction is read
    int jordan;      // dimension of the second-order cone that K is up to a scaling of its rows, 0 for none

    // Groups of tangential rows, zero beyond the last: r is in K when |r_g| <= slope_g r_N for each of them. An elliptic
    // cone has one group with a slope for each of its rows.
    int group[RICO_CONE_GROUPS];

    // The first number of a block that shapes no set; NULL where no number is read.
    rico_cone_fault (*fault)(const rico_block *block);

    void (*project)(const rico_block *block, double *r);      // onto K, in place
    void (*project_dual)(const rico_block *block, double *u); // onto K*; NULL where K is no cone

    // The projection onto K in place with an element of its generalized Jacobian, size x size, row-major.
    void (*jacobian)(const rico_block *block, double *r, double *jacobian);

    // g(u) >= 0, the support function of the section r_N = 1 of K at -u_T, by which the normal velocity is shifted to
    // make the law a complementarity of cones. With the gradient by u_T unless NULL; 0 at u_T = 0, where it has a kink.
    // NULL where nothing is shifted.
    double (*shift)(const rico_block *block, const double *u, double *gradient);

    // Factors on the two tangential velocities as the law reads them, where slip follows another potential than the cone's
    // own: hat(u) = (u_N + g(S u_T), S u_T). NULL: 1.
    void (*slip)(const rico_block *block, double factor[2]);

    // What the judge sees of u and r, squared, as a velocity: norm is |W_aa| (problem/residual.c).
    double (*judge)(const rico_block *block, double norm, const double *u, const double *r);
} rico_cone_kind;

extern const rico_cone_kind rico_cone_kinds[RICO_BLOCK_KINDS];

// The fault of a coefficient that must be finite and not negative, if it is one.
rico_cone_fault rico_cone_check_slope(const char *what, double value);

// Slope of a row of a contact: |r_i| <= slope r_N, the friction bound; 0 for the normal itself and where there is none.
double rico_cone_slope(const rico_block *block, int64_t row);

// Units in which an elliptic contact with positive coefficients is Coulomb's of the first of them: u' = u_unit u, r = r_unit r'. With d = mu_2 / mu_1,
// r_2 = d r'_2 and u'_2 = d u_2 the ellipse is a disc, and work and shift are the same; a slip potential of its own is in u_unit alone.
void rico_elliptic_units(const rico_block *block, double u_unit[3], double r_unit[3]);

// |F|^2 of the natural map with step rho, F = r - P_K(r - rho hat(u)); F may be NULL.
double rico_cone_natural_map(const rico_block *block, double rho, const double *u, const double *r,
                             double *F);

// |u_T| of a Coulomb contact in the plane or in space, to the last digit.
static inline double rico_cone_slip(int64_t rows, const double *u)
{
    if (rows == 1) return 0.0;
    return rows == 2 ? fabs(u[1]) : hypot(u[1], u[2]);
}


static inline void rico_cone_project(const rico_block *block, double *r)
{
    rico_cone_kinds[block->kind].project(block, r);
}


// hat(u) = u + g(u) e_N, in place, with the tangential velocities that the law of slip reads.
static inline void rico_cone_shift(const rico_block *block, double *u)
{
    const rico_cone_kind *kind = &rico_cone_kinds[block->kind];
    if (kind->slip) {
        double factor[2];
        kind->slip(block, factor);
        u[1] *= factor[0];
        u[2] *= factor[1];
    }
    if (kind->shift) u[0] += kind->shift(block, u, NULL);
}

#endif
