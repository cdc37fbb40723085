// Laws of friction from inside: what they make of a contact's rows, and its cone in a step.

#ifndef RICO_MODEL_FRICTION_H
#define RICO_MODEL_FRICTION_H

#include "model/system.h"
#include "ricochet/friction.h"
#include "ricochet/problem.h"

typedef struct rico_bound_friction {
    char *name;
    rico_friction given;
    double length;  // moments are forces at this arm: the larger of `rolling` and `spinning`; 0: no moments
    double nominal; // the largest coefficient, sticking
    bool elliptic;
    bool follows; // the coefficient is found with the step: it depends on how the contact slides
} rico_bound_friction;

// The law that an index names, NULL for 0; and whether there is one.
rico_status rico_friction_find(const rico_system *system, rico_context *ctx, const char *name, int index,
                               const rico_bound_friction **out);

// Rows of moments behind those of the normal and the tangents.
int rico_friction_moments(const rico_bound_friction *law, int dimension);

// Whether a contact of so many dimensions can have it, in words if not.
rico_status rico_friction_check(rico_context *ctx, const char *name, const rico_bound_friction *law,
                                int dimension);

// The same for one that is listed, whose tangents are its own.
rico_status rico_friction_check_listed(rico_context *ctx, const char *name, const rico_bound_friction *law,
                                       int dimension);

// The coefficient along d, a unit vector across the normal n, of what cannot slip any other way.
double rico_friction_along(const rico_bound_friction *law, const double n[3], const double d[3]);

// The block of a contact: the kind and the numbers of its cone with `factor` on its coefficients, bounds of forces over a step of
// length h. Cohesion is not in it: a cone that is shifted, contacts.c.
rico_block rico_constraint_block(const rico_constraint *constraint, double factor, double h);

#endif
