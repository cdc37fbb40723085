// Coulomb's cone with an ellipse for its section: friction that differs along the two tangents.
//
// K = { r : (r_1/mu_1)^2 + (r_2/mu_2)^2 <= r_N^2 }, K* = { u : |(mu_1 u_1, mu_2 u_2)| <= u_N }; slip follows the law of
// largest dissipation on the ellipse, r_T = -r_N (mu_1^2 u_1, mu_2^2 u_2) / g(u), with g(u) = |(mu_1 u_1, mu_2 u_2)|.
//
// With a slip potential of its own, |(r_1/p_1, r_2/p_2)|, slip goes along its gradient instead (Michalowski and Mroz 1978):
// that is the law above for S u_T in place of u_T, S = diag(p_i^2 / mu_i^2) up to a factor (de Saxce and Feng; Hjiaj et al.
// 2002), and only the ratio of p_1 and p_2 counts.
//
// The projection p of r onto the surface has p_i = r_i mu_i^2 / (mu_i^2 + l), p_N = r_N / (1 - l) with a multiplier l > 0,
// and the constraint fixes l. In tau = l / (1 + l), between 0 and 1, it reads
//
//     (1 - 2 tau) S(tau) = r_N,   S(tau) = |r_i mu_i / (mu_i^2 (1 - tau) + tau)|,   p_N = (1 - tau) S(tau),
//
// where the left side falls from |r_i / mu_i|, at most r_N inside K, to -g(r), at least r_N in the polar cone: there is
// one root, also at r_N = 0 where it is tau = 1/2 and l = 1.

#include "cone/rows.h"

#include "la/vec3.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { BISECTIONS = 200 }; // a guard; Newton's steps make it a dozen


rico_cone_fault rico_elliptic_fault(const rico_block *block)
{
    rico_cone_fault fault = rico_cone_check_slope("friction coefficient", block->friction);
    if (!fault.what) fault = rico_cone_check_slope("second friction coefficient", block->friction_2);
    if (fault.what || (block->slip_1 == 0.0 && block->slip_2 == 0.0)) return fault;
    const double mu[2] = {block->friction, block->friction_2}, p[2] = {block->slip_1, block->slip_2};
    for (int i = 0; i < 2 && !fault.what; i++) {
        if (!(p[i] > 0.0 && isfinite(p[i])))
            fault = (rico_cone_fault){"half axis of the slip potential", p[i], "finite, > 0"};
        else if (!(mu[i] > 0.0))
            fault = (rico_cone_fault){"friction coefficient", mu[i], "> 0 with a slip potential of its own"};
    }
    return fault;
}


// The larger factor is 1, and both are where the potential is the ellipse's own.
void rico_elliptic_slip(const rico_block *block, double factor[2])
{
    factor[0] = factor[1] = 1.0;
    if (block->slip_1 == 0.0 || block->slip_1 * block->friction_2 == block->slip_2 * block->friction) return;
    double one = block->slip_1 / block->friction, two = block->slip_2 / block->friction_2;
    if (one > two)
        factor[1] = two / one * (two / one);
    else
        factor[0] = one / two * (one / two);
}


void rico_elliptic_units(const rico_block *block, double u_unit[3], double r_unit[3])
{
    double slip[2], d = block->friction_2 / block->friction;
    rico_elliptic_slip(block, slip);
    const double u[3] = {1.0, slip[0], d * slip[1]}, r[3] = {1.0, 1.0, d};
    memcpy(u_unit, u, sizeof u);
    memcpy(r_unit, r, sizeof r);
}


// S(tau) and its derivative.
static double spread(const double mu[2], const double t[2], double tau, double *slope)
{
    double part[2], fall[2];
    for (int i = 0; i < 2; i++) {
        double below = mu[i] * mu[i] * (1.0 - tau) + tau;
        part[i] = mu[i] > 0.0 ? t[i] * mu[i] / below : 0.0;
        fall[i] = mu[i] > 0.0 ? -part[i] * (1.0 - mu[i] * mu[i]) / below : 0.0;
    }
    double length = rico_hypot(part[0], part[1]);
    *slope = length > 0.0 ? (part[0] * fall[0] + part[1] * fall[1]) / length : 0.0;
    return length;
}


// The root tau of (1 - 2 tau) S(tau) = normal, by Newton's method within a bracket.
static double find_root(const double mu[2], const double t[2], double normal)
{
    double low = 0.0, high = 1.0, tau = 0.5;
    for (int k = 0; k < BISECTIONS; k++) {
        double slope, length = spread(mu, t, tau, &slope);
        double value = (1.0 - 2.0 * tau) * length - normal;
        if (value == 0.0) break;
        if (value > 0.0)
            low = tau;
        else
            high = tau;
        double next = tau - value / ((1.0 - 2.0 * tau) * slope - 2.0 * length);
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        if (fabs(next - tau) <= 0.5 * DBL_EPSILON * tau || next == low || next == high) break;
        tau = next;
    }
    return tau;
}


// Where r falls, with tau where that is the surface. A tangent without friction is dropped first: K lies in the plane
// across it.
static rico_cone_side side_of(const rico_block *block, double *r, double *tau)
{
    const double mu[2] = {block->friction, block->friction_2};
    double inside = 0.0;
    for (int i = 0; i < 2; i++) {
        if (mu[i] == 0.0) r[1 + i] = 0.0;
        if (mu[i] > 0.0) inside = hypot(inside, r[1 + i] / mu[i]);
    }
    if (r[0] >= 0.0 && inside <= r[0]) return RICO_INSIDE;
    if (rico_hypot(mu[0] * r[1], mu[1] * r[2]) <= -r[0]) return RICO_APEX;
    *tau = find_root(mu, r + 1, r[0]);
    return RICO_SURFACE;
}


// The point of the surface that belongs to tau, in place.
static void fall_to(const rico_block *block, double tau, double *r)
{
    const double mu[2] = {block->friction, block->friction_2};
    double slope, normal = (1.0 - tau) * spread(mu, r + 1, tau, &slope);
    for (int i = 0; i < 2; i++) {
        double square = mu[i] * mu[i] * (1.0 - tau);
        r[1 + i] = square > 0.0 ? r[1 + i] * (square / (square + tau)) : 0.0;
    }
    r[0] = normal;
}


void rico_elliptic_project(const rico_block *block, double *r)
{
    double tau = 0.0;
    rico_cone_side side = side_of(block, r, &tau);
    if (side == RICO_APEX) r[0] = r[1] = r[2] = 0.0;
    if (side == RICO_SURFACE) fall_to(block, tau, r);
}


// On the surface J = e e' + f f' / (1 + l f'A f): e along the generatrix, f the other tangent of the surface, and
// A = diag(-1, 1/mu_1^2, 1/mu_2^2) half the Hessian of the constraint, for which e and f are conjugate and e'A e = 0.
void rico_elliptic_jacobian(const rico_block *block, double *r, double *jacobian)
{
    const double mu[2] = {block->friction, block->friction_2};
    double tau = 0.0, normal[3], f[3];
    rico_cone_side side = side_of(block, r, &tau);
    double before[2] = {r[1], r[2]};
    memset(jacobian, 0, 9 * sizeof *jacobian);
    if (side == RICO_INSIDE) {
        jacobian[0] = r[0] > 0.0 || mu[0] > 0.0 || mu[1] > 0.0 ? 1.0 : 0.0;
        jacobian[4] = mu[0] > 0.0 ? 1.0 : 0.0;
        jacobian[8] = mu[1] > 0.0 ? 1.0 : 0.0;
        return;
    }
    if (side == RICO_APEX) {
        r[0] = r[1] = r[2] = 0.0;
        return;
    }
    fall_to(block, tau, r);

    // the gradient of the constraint, A p, with p_i / mu_i^2 written without the division
    normal[0] = -r[0];
    for (int i = 0; i < 2; i++) {
        double below = mu[i] * mu[i] * (1.0 - tau) + tau;
        normal[1 + i] = before[i] * (1.0 - tau) / below;
    }
    double length = rico_vec3_norm(r);
    if (!(length > 0.0)) return;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) jacobian[3 * i + j] = r[i] / length * (r[j] / length);
    rico_vec3_cross(normal, r, f);
    if (!rico_vec3_normalise(f)) return;
    double bend = -f[0] * f[0];
    for (int i = 0; i < 2; i++)
        if (f[1 + i] != 0.0) bend += f[1 + i] / mu[i] * (f[1 + i] / mu[i]);
    double weight = (1.0 - tau) / (1.0 - tau + tau * bend);
    for (int i = 0; weight > 0.0 && i < 3; i++)
        for (int j = 0; j < 3; j++) jacobian[3 * i + j] += weight * f[i] * f[j];
}


double rico_elliptic_shift(const rico_block *block, const double *u, double *gradient)
{
    double part[2] = {block->friction * u[1], block->friction_2 * u[2]},
           length = rico_hypot(part[0], part[1]);
    if (gradient) {
        gradient[0] = length > 0.0 ? block->friction * (part[0] / length) : 0.0;
        gradient[1] = length > 0.0 ? block->friction_2 * (part[1] / length) : 0.0;
    }
    return length;
}


// t_i a_i^2 / (a_i^2 + l) with the l >= 0 that puts it on the rim: |t_i a_i / (a_i^2 + l)| = 1 is convex and falls in l,
// so Newton's method from l = 0 climbs to the root.
void rico_ellipse_project(const double axis[2], double t[2])
{
    for (int i = 0; i < 2; i++)
        if (!(axis[i] > 0.0)) t[i] = 0.0;
    double l = 0.0;
    for (int k = 0; k < BISECTIONS; k++) {
        double square = 0.0, slope = 0.0;
        for (int i = 0; i < 2; i++) {
            if (!(axis[i] > 0.0)) continue;
            double below = axis[i] * axis[i] + l, part = t[i] * axis[i] / below;
            square += part * part;
            slope -= part * part / below;
        }
        if (!(square > 1.0)) break;
        // on the root of the square rather than on the square: nearly straight far away
        double length = sqrt(square), step = (1.0 - length) * length / slope;
        l += step;
        if (step <= DBL_EPSILON * l) break;
    }
    for (int i = 0; i < 2; i++)
        if (axis[i] > 0.0) t[i] *= axis[i] * axis[i] / (axis[i] * axis[i] + l);
}
