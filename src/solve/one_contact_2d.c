// Exact solution of one Coulomb contact in the plane: open, sticking, sliding one way or the other.
//
// With W = [n b; a t], sliding with velocity along d = +1 or -1 gives r_N = -q_N / (n - mu b d), r_T = -mu r_N d, and
// is lawful if r_N >= 0 and d u_T >= 0. A case that passes strictly and without cancellation is taken at once;
// otherwise all of them are computed again with precise velocities and compared by the residual of the natural map.

#include "solve/one_contact.h"

#include "la/precise.h"

#include <float.h>
#include <math.h>

// Below this ratio of |W||r| to |q| + |u| plain evaluation is good to about 1e-14.
static const double cancellation = 64.0;


static double larger(double x, double y)
{
    return x > y ? x : y;
}


// |r - P_K(r - hat(u))| / max(|q|, |r|, |u|), u precise: meant for units in which |W| is of order one.
static double natural_residual(const rico_one_contact_2d *contact, const double q[2], const double r[2])
{
    const double *W = contact->W;
    double mu = contact->mu;
    double u[2] = {rico_dot_precise(q[0], 2, W, r), rico_dot_precise(q[1], 2, W + 2, r)};
    double normal = r[0] - (u[0] + mu * fabs(u[1])), tangent = r[1] - u[1];
    if (mu * fabs(tangent) <= -normal) {
        normal = tangent = 0.0;
    } else if (fabs(tangent) > mu * normal) {
        normal = (normal + mu * fabs(tangent)) / (1.0 + mu * mu);
        tangent = copysign(mu * normal, tangent);
    }
    double scale = larger(hypot(q[0], q[1]), larger(hypot(r[0], r[1]), hypot(u[0], u[1])));
    return scale == 0.0 ? 0.0 : hypot(r[0] - normal, r[1] - tangent) / scale; // NaN stays NaN
}


typedef struct choice {
    rico_contact_state state;
    double residual;
    double r[2];
} choice;

// Takes r if it is clearly better than what came before: earlier cases win ties to rounding.
static void consider(const rico_one_contact_2d *contact, const double q[2], rico_contact_state state,
                     const double r[2], choice *best)
{
    double residual = natural_residual(contact, q, r);
    if (!(residual < best->residual) || best->residual <= 4.0 * DBL_EPSILON * (1.0 + contact->mu)) return;
    best->state = state;
    best->residual = residual;
    best->r[0] = r[0];
    best->r[1] = r[1];
}


// r = -W^-1 q by Cramer's rule with precise determinants, refined: each step is then good for nearly all digits of u,
// however close to singular W is.
static bool sticking_impulse(const rico_one_contact_2d *contact, const double q[2], double r[2])
{
    enum { STEPS = 6 };
    const double *W = contact->W;
    double determinant = rico_dot_precise(0.0, 2, (double[]){W[0], -W[1]}, (double[]){W[3], W[2]});
    double least = INFINITY, trial[2] = {0.0, 0.0};
    for (int step = 0; step < STEPS; step++) {
        double u[2] = {rico_dot_precise(q[0], 2, W, trial), rico_dot_precise(q[1], 2, W + 2, trial)};
        double left = larger(fabs(u[0]), fabs(u[1]));
        if (!(left < least)) break;
        least = left;
        r[0] = trial[0];
        r[1] = trial[1];
        trial[0] += rico_dot_precise(0.0, 2, (double[]){W[1], -W[3]}, (double[]){u[1], u[0]}) / determinant;
        trial[1] += rico_dot_precise(0.0, 2, (double[]){W[2], -W[0]}, (double[]){u[0], u[1]}) / determinant;
        if (!isfinite(trial[0]) || !isfinite(trial[1])) return false;
    }
    return true;
}


// The power of two just above |x|, so that scaling by it rounds nothing.
static int exponent_of(double x)
{
    int exponent = 0;
    if (x > 0.0 && isfinite(x)) frexp(x, &exponent);
    return exponent;
}


// All candidates, in units in which |W| and |q| are of order one.
static rico_contact_state solve_by_enumeration(const rico_one_contact_2d *given, const double q_given[2],
                                               double r[2])
{
    rico_one_contact_2d contact = *given;
    double norm = 0.0;
    for (int i = 0; i < 4; i++) norm = larger(norm, fabs(given->W[i]));
    int size_W = exponent_of(norm), size_q = exponent_of(larger(fabs(q_given[0]), fabs(q_given[1])));
    for (int i = 0; i < 4; i++) contact.W[i] = ldexp(given->W[i], -size_W);
    double q[2] = {ldexp(q_given[0], -size_q), ldexp(q_given[1], -size_q)};
    double mu = contact.mu, stick[2] = {0.0, 0.0};

    choice best = {RICO_NO_LAW, INFINITY, {0.0, 0.0}};
    bool regular = sticking_impulse(&contact, q, stick);
    if (regular && fabs(stick[1]) <= mu * stick[0]) consider(&contact, q, RICO_STICKING, stick, &best);

    for (double d = -1.0; d <= 1.0; d += 2.0) {
        double denominator = fma(-mu * d, contact.W[1], contact.W[0]);
        double normal = -q[0] / denominator;
        if (!(normal >= 0.0 && isfinite(normal))) continue;
        double slide[2] = {normal, -mu * normal * d};
        double change = -rico_dot_precise(q[0], 2, contact.W, slide) / denominator;
        slide[0] += change;
        slide[1] -= mu * change * d;
        consider(&contact, q, RICO_SLIDING, slide, &best);
    }

    // last, what rounding may have pushed off: q_N a little below zero, a sticking impulse a little outside the cone
    consider(&contact, q, RICO_OPEN, (double[]){0.0, 0.0}, &best);
    if (regular && stick[0] > 0.0)
        consider(&contact, q, RICO_STICKING, (double[]){stick[0], copysign(mu * stick[0], stick[1])}, &best);
    if (!(best.residual <= larger(1e-13, 32.0 * DBL_EPSILON * (1.0 + mu)))) best.state = RICO_NO_LAW;
    r[0] = ldexp(best.r[0], size_q - size_W);
    r[1] = ldexp(best.r[1], size_q - size_W);
    return best.state;
}


rico_contact_state rico_one_contact_2d_solve(const rico_one_contact_2d *contact, const double q[2],
                                             double r[2])
{
    if (q[0] >= 0.0) {
        r[0] = r[1] = 0.0;
        return RICO_OPEN;
    }
    double n = contact->W[0], b = contact->W[1], a = contact->W[2], t = contact->W[3], mu = contact->mu;
    double norm = larger(fabs(n) + fabs(b), fabs(a) + fabs(t)), q_size = larger(fabs(q[0]), fabs(q[1]));

    double determinant = n * t - a * b;
    double stick[2] = {(b * q[1] - t * q[0]) / determinant, (a * q[0] - n * q[1]) / determinant};
    if (fabs(stick[1]) <= mu * stick[0]) {
        double rest =
            larger(fabs(q[0] + n * stick[0] + b * stick[1]), fabs(q[1] + a * stick[0] + t * stick[1]));
        if (rest <= 8.0 * DBL_EPSILON * q_size &&
            norm * larger(stick[0], fabs(stick[1])) <= cancellation * q_size) {
            r[0] = stick[0];
            r[1] = stick[1];
            return RICO_STICKING;
        }
        return solve_by_enumeration(contact, q, r);
    }

    // most often friction opposes the sticking impulse's excess: try that way first
    double first = stick[1] > 0.0 ? -1.0 : 1.0;
    for (int way = 0; way < 2; way++) {
        double d = way == 0 ? first : -first;
        double normal = -q[0] / (n - mu * b * d);
        double tangent = -mu * normal * d;
        double slip = q[1] + a * normal + t * tangent, scale = q_size + fabs(slip);
        if (normal >= 0.0 && d * slip >= 0.0 &&
            fabs(q[0] + n * normal + b * tangent) <= 8.0 * DBL_EPSILON * scale &&
            norm * larger(normal, fabs(tangent)) <= cancellation * scale) {
            r[0] = normal;
            r[1] = tangent;
            return RICO_SLIDING;
        }
    }
    return solve_by_enumeration(contact, q, r);
}
