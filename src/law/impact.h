// The system of an impact as the laws see it: G, and the parameters of its contacts.

#ifndef RICO_LAW_IMPACT_H
#define RICO_LAW_IMPACT_H

#include "la/factor.h"
#include "model/assembly.h"
#include "ricochet/impact.h"

struct rico_impact {
    rico_context *ctx;
    int64_t dofs, contacts;
    rico_csc M, W, G;
    double *inverse_mass; // of a diagonal M, NULL otherwise
    rico_factor *factor;  // Cholesky of any other M
    double *diagonal;     // G_jj
    int64_t bandwidth;    // largest |i - j| with G_ij != 0

    // contact by contact
    double *restitution, *stiffness, *exponent, *energy;
    double *damping; // NAN: what gives the restitution
    bool *active;

    // with friction: one or two directions for each contact, coefficients, and the impact of [W T]; 0 and
    // NULL without
    int64_t directions;
    double *friction;
    struct rico_impact *full;
};

// x <- M^-1 x, n entries.
rico_status rico_impact_solve_mass(const rico_impact *impact, double *x);

// velocity = M^-1 W impulse, n entries.
rico_status rico_impact_velocity_change(const rico_impact *impact, const double *impulse, double *velocity);

// Potential energy of contact j when an impact begins: its own, and that of a spring K delta^eta pressed by
// `preload`.
double rico_impact_energy_at_start(const rico_impact *impact, int64_t j, double eta, double preload);

// Refuses a system that the laws of a simulation say nothing about: joints, friction, moving obstacles,
// restitutions above 1.
rico_status rico_impact_check_set(const rico_assembly *assembly);

// The impact at (t, q) among the contacts of the assembly's set; those closer than `closed` take part.
rico_status rico_impact_create_from(rico_assembly *assembly, double t, const double *q, double closed,
                                    rico_impact **out);

#endif
