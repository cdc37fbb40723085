// Exact solution of one Coulomb contact: given a 3x3 matrix W, q and mu, find r with u = W r + q obeying the law.
//
// W need not be symmetric; its symmetric part is assumed positive definite for the guarantees, not for safety.

#ifndef RICO_SOLVE_ONE_CONTACT_H
#define RICO_SOLVE_ONE_CONTACT_H

#include "ricochet/cone.h"

// What can be computed once per contact, before the sweeps.
typedef struct rico_one_contact {
    double W[9];       // row-major
    double inverse[9]; // W^-1, for the sticking case; zero if W is singular
    double mu;
    double norm;  // largest row sum of |W|: what rounding in W r goes by
    bool regular; // inverse is usable
} rico_one_contact;

void rico_one_contact_prepare(rico_one_contact *contact, const double W[9], double mu);

// Solves for r; on entry r is a guess (the last sweep's impulse) that speeds up sliding. Returns the state found;
// RICO_NO_LAW when every case fails (possible only when the symmetric part of W is not definite), r then being
// the candidate of least residual.
rico_contact_state rico_one_contact_solve(const rico_one_contact *contact, const double q[3], double r[3]);

// The same in the plane: W 2x2 row-major, r and q with two entries.
typedef struct rico_one_contact_2d {
    double W[4];
    double mu;
} rico_one_contact_2d;
rico_contact_state rico_one_contact_2d_solve(const rico_one_contact_2d *contact, const double q[2],
                                             double r[2]);

#endif
