// The damping that gives a single contact its restitution.

#ifndef RICO_LAW_COMPLIANT_DAMPING_H
#define RICO_LAW_COMPLIANT_DAMPING_H

#include "law/compliant.h"

// Damping of Hunt and Crossley's contact from e, as the literature approximates it: a = C v / K. The first is
// exact.
typedef enum rico_hunt_formula { RICO_HUNT_EXACT } rico_hunt_formula;
extern const char *const rico_hunt_formula_names[];

typedef struct rico_damping_wanted {
    const rico_rheology *kind;
    double eta, share; // of the spring; of the stiffness without a damper
    bool pull;
    rico_hunt_formula formula;
    double restitution;
} rico_damping_wanted;

// A contact of that kind without its damper.
rico_bond rico_bond_of(const rico_rheology *kind, double K, double eta, double share);

// Restitution of a single contact of mass, stiffness and approach velocity 1.
double rico_damping_restitution(const rico_damping_wanted *wanted, double damping);

// The damping in those units; of a slider, one over the force at which it yields. Refused: restitutions that
// no damping gives.
rico_status rico_damping_for(rico_context *ctx, const char *law, const rico_damping_wanted *wanted,
                             double *out);

#endif
