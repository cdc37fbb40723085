// Coulomb's cone: Euclidean projections, De Saxce's change of variable, the law by its cases.
//
// K = { r : |r_T| <= mu r_N } and K* = { u : mu |u_T| <= u_N } are closed and convex, so both projections are
// unique, idempotent and nonexpansive, and x = P_K(x) - P_K*(-x) (Moreau). At mu = 0, K is the half line r_N >= 0,
// which has no interior, and K* the half space u_N >= 0. docs/theory/cone.md derives what is used here.

#include "cone/coulomb.h"

#include <math.h>
#include <string.h>

rico_cone_side rico_coulomb_project(double mu, double r[3])
{
    return rico_coulomb_onto(mu, r);
}


// Projects u onto K* in place. Written out rather than as u + P_K(-u), which would cancel near the surface and
// has no slope 1/mu at mu = 0.
rico_cone_side rico_coulomb_project_dual(double mu, double u[3])
{
    double normal = u[0];
    double slip = rico_hypot(u[1], u[2]);

    if (mu * slip <= normal) return RICO_INSIDE;

    // the polar of K* is -K
    if (normal <= 0.0 && slip <= -mu * normal) {
        u[0] = u[1] = u[2] = 0.0;
        return RICO_APEX;
    }

    double off_axis = (mu * normal + slip) / (1.0 + mu * mu);
    double shrink = off_axis / slip;
    u[0] = mu * off_axis;
    u[1] *= shrink;
    u[2] *= shrink;
    return RICO_SURFACE;
}


// Projects t onto the disk |t| <= radius in place. A disk without interior counts as an apex: whatever moves, the
// projection stays, so its Jacobian is zero.
rico_cone_side rico_disk_project(double radius, double t[2])
{
    if (radius <= 0.0) {
        t[0] = t[1] = 0.0;
        return RICO_APEX;
    }

    double length = rico_hypot(t[0], t[1]);
    if (length <= radius) return RICO_INSIDE;
    t[0] *= radius / length;
    t[1] *= radius / length;
    return RICO_SURFACE;
}


// On the surface of K the identity is chosen (limit from inside), on that of the polar cone zero (limit from
// within it): both are limits of Jacobians, hence elements of the B-subdifferential.
rico_cone_side rico_coulomb_project_jacobian(double mu, double r[3], double jacobian[9])
{
    double normal = r[0];
    double slip = rico_hypot(r[1], r[2]);
    double t[2] = {r[1], r[2]};

    rico_cone_side side = rico_coulomb_onto(mu, r);
    memset(jacobian, 0, 9 * sizeof *jacobian);

    // a half line: being on it does not make the projection the identity around it
    if (mu == 0.0) {
        jacobian[0] = normal > 0.0 ? 1.0 : 0.0;
        return side;
    }

    switch (side) {
    case RICO_APEX:
        break;
    case RICO_INSIDE:
        jacobian[0] = jacobian[4] = jacobian[8] = 1.0;
        break;
    case RICO_SURFACE: {
        // J = e e' + (|P_T| / |r_T|) f f': e along the generatrix, f tangent to the cone's circle
        double along[2] = {t[0] / slip, t[1] / slip};
        double scale = 1.0 / (1.0 + mu * mu);
        double around = mu * (normal + mu * slip) * scale / slip;
        double radial = mu * mu * scale;
        jacobian[0] = scale;
        jacobian[1] = jacobian[3] = mu * scale * along[0];
        jacobian[2] = jacobian[6] = mu * scale * along[1];
        jacobian[4] = radial * along[0] * along[0] + around * along[1] * along[1];
        jacobian[5] = jacobian[7] = (radial - around) * along[0] * along[1];
        jacobian[8] = radial * along[1] * along[1] + around * along[0] * along[0];
        break;
    }
    }
    return side;
}


void rico_desaxce(double mu, const double u[3], double hat[3])
{
    hat[0] = u[0] + mu * rico_hypot(u[1], u[2]);
    hat[1] = u[1];
    hat[2] = u[2];
}


// Without slip the row mu u_T'/|u_T| is replaced by zero, the mean of its limits along w and -w: an element of
// Clarke's Jacobian that does not depend on the tangent frame.
void rico_desaxce_jacobian(double mu, const double u[3], double jacobian[9])
{
    double slip = rico_hypot(u[1], u[2]);

    memset(jacobian, 0, 9 * sizeof *jacobian);
    jacobian[0] = jacobian[4] = jacobian[8] = 1.0;
    if (slip > 0.0) {
        jacobian[1] = mu * (u[1] / slip);
        jacobian[2] = mu * (u[2] / slip);
    }
}


double rico_desaxce_work(double mu, const double u[3], const double r[3])
{
    return r[0] * (u[0] + mu * rico_hypot(u[1], u[2])) + (r[1] * u[1] + r[2] * u[2]);
}


// Eq. 20 asks for some alpha > 0 with u_T = -alpha r_T, which no sliding contact meets at mu = 0; read here as
// r_T = -mu r_N u_T/|u_T|, the same wherever mu r_N > 0. NaN obeys no law.
rico_contact_state rico_coulomb_state(double mu, const double u[3], const double r[3], double tol)
{
    double speed = rico_hypot(u[1], u[2]), friction = rico_hypot(r[1], r[2]);
    double u_size = rico_hypot(u[0], speed), r_size = rico_hypot(r[0], friction);
    double bound = mu * r[0];

    if (r_size <= tol * u_size && u[0] >= -tol * u_size) return RICO_OPEN;
    if (!(r[0] >= -tol * r_size)) return RICO_NO_LAW;

    double slack = tol * (friction + fabs(bound));
    if (u_size <= tol * r_size && friction <= bound + slack) return RICO_STICKING;

    if (fabs(u[0]) <= tol * u_size && speed > 0.0) {
        double off[2] = {r[1] + bound * (u[1] / speed), r[2] + bound * (u[2] / speed)};
        if (rico_hypot(off[0], off[1]) <= slack) return RICO_SLIDING;
    }
    return RICO_NO_LAW;
}
