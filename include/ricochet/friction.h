// Laws of friction beyond Coulomb's with one coefficient.
//
//     rico_friction wood = rico_friction_default();
//     wood.along[0] = 0.4, wood.along[1] = 0.2;            // across the grain half as rough as along it
//     wood.direction[0] = 1.0;
//     rico_system_add_friction(system, "wood", &wood, &index);
//     contact.friction_law = index;                        // of a rico_contact, a rico_emitted, a rico_contact_law
//
// One law may have several of these at once; what contradicts is refused. docs/theory/friction.md has each with its bipotential and
// its dissipation.

#ifndef RICOCHET_FRICTION_H
#define RICOCHET_FRICTION_H

#include "ricochet/context.h"

RICO_API_BEGIN

// What a coefficient may depend on, at the end of a step.
typedef struct rico_friction_state {
    double t;
    double slip;     // sliding speed
    const double *q; // positions of the whole system at the start of the step
    const double *x; // place of the contact then; NULL where it has none: a contact of formulas
} rico_friction_state;

typedef struct rico_friction {
    // Coefficients along the two tangents: an ellipse where they differ. In the plane the first counts, and both must be equal.
    double along[2];
    // Half axes of the slip potential, by whose gradient it slides (Michalowski and Mroz 1978); their ratio counts. 0, 0: those of `along`.
    double slip[2];
    // In space, with an ellipse: where the first tangent points, in the axes of the world, projected on the surface. Contacts of
    // formulas have tangents of their own and do not read it.
    double direction[3];
    // Share of `along` that is left once it slides, in (0, 1]; while it sticks the whole of it holds.
    double kinetic;
    // Largest moments over the normal force, lengths: about the tangents, and about the normal. Both sides must turn, or be fixed.
    double rolling, spinning;
    // Largest tension, a force: |r_T| <= mu (r_N + cohesion), r_N >= -cohesion, while the contact is closed. A bond is there from the start of
    // a simulation alone, in contacts that are closed then, and gone for good once they have opened.
    double cohesion;
    bool bond;
    // Tresca: the largest tangential force, whatever the normal one, instead of coefficients. Negative: none.
    double tresca;
    // Factor on `along`, or NULL: 1. Of time, place and sliding speed; >= 0. False: refused.
    bool (*factor)(void *user, const rico_friction_state *state, double *factor);
    bool of_slip; // the factor depends on the sliding speed: it is solved for, with the step
    void *user;   // must live as long as the system
} rico_friction;

// No friction: all 0, kinetic = 1, tresca = -1.
rico_friction rico_friction_default(void);

typedef struct rico_system rico_system;

// Adds a law; *index (never 0) names it in contacts. It is copied. Before contacts that name it.
rico_status rico_system_add_friction(rico_system *system, const char *name, const rico_friction *law,
                                     int *index);

RICO_API_END

#endif
