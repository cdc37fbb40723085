// Contact laws of one contact with friction and restitution, in discrete time.
//
// Each writes Coulomb's law with Signorini's condition on a velocity of the step,
//
//     K* contains hat(y), orthogonal to p in K,    y = omega u_{k+1} + (1 - omega) u_k + (bias u_N,k, 0, 0),
//
// and differs from the others in omega and bias alone. theta is the weight of the scheme's own mean velocity.

#ifndef RICO_LAW_CONTACT_LAW_H
#define RICO_LAW_CONTACT_LAW_H

#include "ricochet/simulation.h"

typedef struct rico_contact_rule {
    rico_contact_law_info info;
    double (*omega)(double theta);
    double (*bias)(double theta, double restitution);
} rico_contact_rule;

extern const rico_contact_rule rico_contact_laws[];
extern const int rico_contact_law_count;

#endif
