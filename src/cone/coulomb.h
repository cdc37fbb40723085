// The projection onto Coulomb's cone where a call would cost as much as the projection: every residual makes two for each contact.

#ifndef RICO_CONE_COULOMB_H
#define RICO_CONE_COULOMB_H

#include "la/vec3.h"
#include "ricochet/cone.h"

// Projects r onto K in place. mu is finite and nonnegative, as the caller has checked.
static inline rico_cone_side rico_coulomb_onto(double mu, double r[3])
{
    double normal = r[0];
    double slip = rico_hypot(r[1], r[2]);

    if (normal >= 0.0 && slip <= mu * normal) return RICO_INSIDE;

    // polar cone: nearest point is the apex
    if (mu * slip <= -normal) {
        r[0] = r[1] = r[2] = 0.0;
        return RICO_APEX;
    }

    // otherwise drop onto the surface along its normal, in the plane of r and the axis
    double on_axis = (normal + mu * slip) / (1.0 + mu * mu);
    double shrink = mu * on_axis / slip;
    r[0] = on_axis;
    r[1] *= shrink;
    r[2] *= shrink;
    return RICO_SURFACE;
}

#endif
