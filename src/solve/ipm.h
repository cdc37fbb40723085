// The state of the interior-point method: a point strictly inside the cones, and one Newton step from it.
//
// Each contact is brought to the second-order cone L (Acary et al. 2018, eq. 68, scaled so that x'z = r'hat(u)),
//
//     x = T r,   z = T^-1 hat(u),   T = diag(mu, 1, 1),   hat(u) = u + mu |u_T| e_N,   L 3 x _|_ z in L,
//
// and the iterates follow x.z = sigma gap e (Jordan product) with gap -> 0, scaled by the symmetric S with
// S x = S^-1 z = lambda (Nesterov and Todd). With E = I + mu e_N g', g the derivative of |u_T| or 0,
//
//     (W + E^-1 T S^2 T) dr = E^-1 (T S c - defect),     defect = hat(u) - T z,     S dx + S^-1 dz = c,
//
// where the last is the linearized complementarity: a predictor with c = -lambda, then correctors (Mehrotra 1992).
// In the frame of the contact S is diagonal (cone/nesterov_todd.h), which is what cone_system.h is made for.

#ifndef RICO_SOLVE_IPM_H
#define RICO_SOLVE_IPM_H

#include "cone/nesterov_todd.h"
#include "solve/cone_system.h"

typedef enum rico_ipm_coulomb { RICO_IPM_NEWTON, RICO_IPM_FIXED_POINT, RICO_IPM_OUTER } rico_ipm_coulomb;

typedef struct rico_ipm_cone {
    int64_t row, cell; // first row of the problem, cell of the system
    int size;          // rows that take part: 1 for a unilateral or frictionless contact
    double mu;         // of T; 1 where size is 1
    double norm;       // |W_aa|
    double shift;      // mu |u_T| as taken
    double g[2];       // its derivative over mu, 0 unless in the Newton step
    rico_lorentz_point x, z;
    rico_nt_frame frame;
    double defect[3];       // hat(u) - T z
    double lambda[3], c[3]; // in coordinates of the frame, as are
    double dx[3], dz[3], kept_dx[3], kept_dz[3];
} rico_ipm_cone;

typedef struct rico_ipm {
    rico_ipm_coulomb coulomb;
    rico_cone_system *main, *rescue; // rescue, if any, works on rows: there main may run out of digits
    rico_cone_system *system;        // the one in use
    int64_t cone_count, equality_count;
    rico_ipm_cone *cones;
    int64_t *equality; // rows of joints
    double *vectors;   // the one allocation of the following, m entries each
    double *r, *u, *dr, *du, *correction, *rhs, *kept_dr;
    double norm; // mean |W_aa|
} rico_ipm;

// How the term of friction enters an iteration.
typedef struct rico_ipm_friction {
    bool frozen;      // as it was
    bool linearized;  // with its derivative
    double smoothing; // |u_T| rounded off over this share of sqrt(gap |W_aa|)
} rico_ipm_friction;

// Puts the point where r is, `inside` times the size of r and u deep in the cones, with the friction term as it is.
rico_status rico_ipm_begin(rico_problem *problem, rico_ipm *state, double inside);

// mu |u_T| of the present u.
void rico_ipm_renew_shift(rico_ipm *state);

// Mean of x'z over the contacts.
double rico_ipm_gap(const rico_ipm *state);

// The defects, with the term of friction as told.
void rico_ipm_measure(rico_ipm *state, rico_ipm_friction term, double gap);

// One iteration; *step is the one taken, 0 if none could be. RICO_SINGULAR when the factors cannot be made.
rico_status rico_ipm_iterate(rico_problem *problem, rico_ipm *state, double fraction, double gap,
                             double *step);

#endif
