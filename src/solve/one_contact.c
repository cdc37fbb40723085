// Exact solution of one Coulomb contact by cases: open, sticking, sliding in a direction found on a circle.
//
// With W = [n b; a T] split into normal and tangential parts and u = W r + q, Coulomb's law leaves three cases:
//
//     open       r = 0                            lawful if q_N >= 0
//     sticking   r = -W^-1 q                      lawful if |r_T| <= mu r_N
//     sliding    u_N = 0, r_T = -mu r_N d,        lawful if r_N >= 0 and s >= 0
//                u_T = s d, |d| = 1
//
// Sliding: u_N = 0 gives r_N = -q_N / (n - mu b.d). What is left, d_perp . u_T = 0, becomes after multiplication by
// the denominator a trigonometric polynomial of degree two in the angle of d = (c, s),
//
//     f = alpha c + beta s + gamma c^2 + delta s^2 + epsilon c s,
//
// which has at most four zeros. A call tries the cases in the order above, sliding by Newton's method on the angle
// from the direction of the guess; this settles nearly every contact of a Gauss-Seidel sweep. If no case passes
// strictly, all candidates are computed, polished and compared by the residual of the natural map.
//
// Accuracy. Evaluated plainly, u = W r + q carries an error of order eps |W| |r|, which exceeds eps max(|q|, |u|)
// when W is badly conditioned. Where that may happen, r is corrected by Newton steps on u evaluated in twice the
// working precision; what remains is the effect of rounding the entries of r itself.

#include "solve/one_contact.h"

#include "la/polynomial.h"
#include "la/precise.h"

#include <float.h>
#include <math.h>

// Below this ratio of |W||r| to |q| + |u| plain evaluation is good to about 1e-14 and corrections are skipped.
static const double cancellation = 64.0;


// The residual of the natural map that passes as the law: 1e-13, or what rounding leaves of it with strong friction.
static double lawful(double mu)
{
    return fmax(1e-13, 32.0 * DBL_EPSILON * (1.0 + mu));
}


// As fmax, which without a matching instruction is a call, but careless of NaN.
static double larger(double x, double y)
{
    return x > y ? x : y;
}


static double largest(const double x[3])
{
    return larger(fabs(x[0]), larger(fabs(x[1]), fabs(x[2])));
}


static double length_of(const double x[3])
{
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}


static void velocity(const double W[9], const double q[3], const double r[3], double u[3])
{
    for (int i = 0; i < 3; i++) u[i] = q[i] + W[3 * i] * r[0] + W[3 * i + 1] * r[1] + W[3 * i + 2] * r[2];
}


static void velocity_precise(const double W[9], const double q[3], const double r[3], double u[3])
{
    for (int i = 0; i < 3; i++) u[i] = rico_dot_precise(q[i], 3, W + 3 * i, r);
}


static bool in_cone(double mu, const double r[3])
{
    double radius = mu * r[0];
    return r[0] >= 0.0 && r[1] * r[1] + r[2] * r[2] <= radius * radius;
}


static void project(double mu, double r[3])
{
    double slip = sqrt(r[1] * r[1] + r[2] * r[2]);
    if (r[0] >= 0.0 && slip <= mu * r[0]) return;
    if (mu * slip <= -r[0]) {
        r[0] = r[1] = r[2] = 0.0;
        return;
    }
    double on_axis = (r[0] + mu * slip) / (1.0 + mu * mu);
    double shrink = slip > 0.0 ? mu * on_axis / slip : 0.0;
    r[0] = on_axis;
    r[1] *= shrink;
    r[2] *= shrink;
}


// |r - P_K(r - hat(u))| / max(|q|, |r|, |u|): meant for units in which |W| is of order one.
static double natural_residual(double mu, const double q[3], const double r[3], const double u[3])
{
    double trial[3] = {r[0] - (u[0] + mu * sqrt(u[1] * u[1] + u[2] * u[2])), r[1] - u[1], r[2] - u[2]};
    project(mu, trial);
    for (int i = 0; i < 3; i++) trial[i] -= r[i];
    double scale = larger(length_of(q), larger(length_of(r), length_of(u)));
    return scale == 0.0 ? 0.0 : length_of(trial) / scale; // NaN stays NaN
}


// Inverts W by Gauss-Jordan elimination with full pivoting. Cofactors would be shorter, but the determinant of a
// matrix with two small singular values drowns in rounding. Returns false if W is singular to working precision.
static bool invert(const double W[9], double inverse[9])
{
    double work[3][6];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            work[i][j] = W[3 * i + j];
            work[i][3 + j] = i == j ? 1.0 : 0.0;
        }

    int column_of[3] = {0, 1, 2}; // which unknown stands in each column
    double first = 0.0;
    for (int k = 0; k < 3; k++) {
        int row = k, column = k;
        for (int i = k; i < 3; i++)
            for (int j = k; j < 3; j++)
                if (fabs(work[i][j]) > fabs(work[row][column])) row = i, column = j;
        double pivot = work[row][column];
        if (k == 0) first = fabs(pivot);
        if (!(fabs(pivot) > 4.0 * DBL_EPSILON * first)) return false;

        for (int j = 0; j < 6; j++) {
            double kept = work[k][j];
            work[k][j] = work[row][j];
            work[row][j] = kept;
        }
        for (int i = 0; i < 3; i++) {
            double kept = work[i][k];
            work[i][k] = work[i][column];
            work[i][column] = kept;
        }
        int unknown = column_of[k];
        column_of[k] = column_of[column];
        column_of[column] = unknown;

        for (int j = 0; j < 6; j++) work[k][j] /= pivot;
        for (int i = 0; i < 3; i++) {
            if (i == k) continue;
            double factor = work[i][k];
            for (int j = k; j < 6; j++) work[i][j] -= factor * work[k][j];
        }
    }
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 3; j++) inverse[3 * column_of[k] + j] = work[k][3 + j];
    return isfinite(largest(inverse)) && isfinite(largest(inverse + 3)) && isfinite(largest(inverse + 6));
}


void rico_one_contact_prepare(rico_one_contact *contact, const double W[9], double mu)
{
    contact->mu = mu;
    contact->norm = 0.0;
    for (int i = 0; i < 9; i++) contact->W[i] = W[i];
    for (int i = 0; i < 3; i++)
        contact->norm = larger(contact->norm, fabs(W[3 * i]) + fabs(W[3 * i + 1]) + fabs(W[3 * i + 2]));
    contact->regular = invert(W, contact->inverse);
    if (!contact->regular)
        for (int i = 0; i < 9; i++) contact->inverse[i] = 0.0;
}


// Improves r towards W r + q = 0. Each step gains the digits that the inverse is good for. Returns whether what is
// left can be put down to the rounding of r; it cannot if W is singular for all practical purposes.
static bool refine_sticking(const rico_one_contact *contact, const double q[3], double r[3])
{
    enum { STEPS = 20 };
    const double *inverse = contact->inverse;
    double least = INFINITY, best[3] = {r[0], r[1], r[2]};
    for (int step = 0; step < STEPS; step++) {
        double u[3];
        velocity_precise(contact->W, q, r, u);
        double left = largest(u);
        bool gained = left < 0.75 * least;
        if (left < least) {
            least = left;
            for (int i = 0; i < 3; i++) best[i] = r[i];
        }
        if (!gained || left <= 0.5 * DBL_EPSILON * largest(q)) break;
        for (int i = 0; i < 3; i++)
            r[i] -= inverse[3 * i] * u[0] + inverse[3 * i + 1] * u[1] + inverse[3 * i + 2] * u[2];
    }
    for (int i = 0; i < 3; i++) r[i] = best[i];
    return least <= 4.0 * DBL_EPSILON * (contact->norm * largest(r) + largest(q));
}


// How far r, supposed to slide along d = -r_T/|r_T|, is from it.
typedef struct slip {
    double d[2];
    double u[3];
    double along, across; // u_T . d and u_T . d_perp
} slip;

static slip slip_of(const rico_one_contact *contact, const double q[3], const double r[3])
{
    slip x;
    double length = sqrt(r[1] * r[1] + r[2] * r[2]);
    x.d[0] = -r[1] / length;
    x.d[1] = -r[2] / length;
    velocity_precise(contact->W, q, r, x.u);
    x.along = x.u[1] * x.d[0] + x.u[2] * x.d[1];
    x.across = x.u[2] * x.d[0] - x.u[1] * x.d[1];
    return x;
}


// The impulse on the surface of the cone that opposes sliding along d = (c, s). Its size comes from both
// equations, den r_N = -q_N and (d_perp.g) r_N = -d_perp.q_T with g = a - mu T d, by least squares: near a zero of den
// = n - mu b.d, where a weak load calls for a large impulse, the first alone would lose it. False if it would pull.
static bool surface_impulse(const rico_one_contact *contact, const double q[3], double c, double s,
                            double r[3])
{
    const double *W = contact->W;
    double mu = contact->mu;
    double denominator = W[0] - mu * (W[1] * c + W[2] * s);
    double across = (W[6] - mu * (W[7] * c + W[8] * s)) * c - (W[3] - mu * (W[4] * c + W[5] * s)) * s;
    double normal = -(denominator * q[0] + across * (q[2] * c - q[1] * s)) /
                    (denominator * denominator + across * across);
    if (!(normal > 0.0 && isfinite(normal * (1.0 + mu)))) return false;
    r[0] = normal;
    r[1] = -mu * normal * c;
    r[2] = -mu * normal * s;
    return true;
}


// Newton's method on u_N = 0, d_perp . u_T = 0 in the unknowns r_N and the angle of d, r staying on the surface of
// the cone. Better than the zeros of f alone: where n - mu b.d is small, an angle known to rounding leaves r_N in
// doubt. Small steps are added to r, so that its entries end up rounded once. Returns the largest error left over
// |W||r| + |q| + |u|, INFINITY where the method has no meaning.
static double polish_sliding(const rico_one_contact *contact, const double q[3], double r[3])
{
    enum { STEPS = 16 };
    const double *W = contact->W;
    double mu = contact->mu, best = INFINITY, best_r[3] = {r[0], r[1], r[2]};
    for (int step = 0; step < STEPS; step++) {
        slip x = slip_of(contact, q, r);
        double scale = largest(q) + fabs(x.along), backward = x.along < 0.0 ? -x.along : 0.0;
        double error = larger(fabs(x.u[0]), fabs(x.across));
        // on the border of sticking, with a second zero close by, rounding of r may turn the slip around: among the
        // iterates that rounding allows, prefer one where it does not
        if (backward <= 1e-10 * scale) error = larger(error, backward);
        double size = error / (contact->norm * largest(r) + scale);
        bool gained = size < 0.5 * best;
        if (size < best) {
            best = size;
            for (int i = 0; i < 3; i++) best_r[i] = r[i];
        }
        if (!(size < INFINITY) || error <= 0.5 * DBL_EPSILON * scale) break;
        if (!gained && best < 4.0 * DBL_EPSILON) break;

        // columns: change of r_N, change of angle (as -tau)
        double c = x.d[0], s = x.d[1];
        double push[2] = {W[3] - mu * (W[4] * c + W[5] * s), W[6] - mu * (W[7] * c + W[8] * s)};
        double turn[2] = {-W[4] * s + W[5] * c, -W[7] * s + W[8] * c};
        double a11 = W[0] - mu * (W[1] * c + W[2] * s), a12 = mu * r[0] * (-W[1] * s + W[2] * c);
        double a21 = push[1] * c - push[0] * s, a22 = mu * r[0] * (turn[1] * c - turn[0] * s) + x.along;
        double determinant = a11 * a22 - a12 * a21;
        double normal = (-x.u[0] * a22 + x.across * a12) / determinant;
        double tau = (-x.across * a11 + x.u[0] * a21) / determinant;
        if (!isfinite(normal) || !isfinite(tau)) break;

        if (fabs(tau) < 1e-8 && fabs(normal) < 0.1 * r[0]) {
            // a step so short that r leaves the surface by no more than rounding
            double side = mu * r[0] * tau;
            r[0] += normal;
            r[1] += -mu * normal * c - side * s;
            r[2] += -mu * normal * s + side * c;
            continue;
        }
        // a long one: rotate d by -tau, a quarter turn at most; r_N goes along if the turn is small, else starts anew
        double h = larger(-1.0, -larger(-1.0, 0.5 * tau)), k = 1.0 / (1.0 + h * h);
        double cosine = (1.0 - h * h) * k, sine = 2.0 * h * k, moved = r[0] + normal;
        double turned_c = c * cosine - s * sine, turned_s = s * cosine + c * sine;
        if (fabs(tau) < 1e-8 && moved > 0.0) {
            r[0] = moved;
            r[1] = -mu * moved * turned_c;
            r[2] = -mu * moved * turned_s;
        } else if (!surface_impulse(contact, q, turned_c, turned_s, r)) {
            break;
        }
    }
    for (int i = 0; i < 3; i++) r[i] = best_r[i];
    return best;
}


// Coefficients of f.
typedef struct circle {
    double alpha, beta, gamma, delta, epsilon;
} circle;

static circle circle_of(const rico_one_contact *contact, const double q[3])
{
    const double *W = contact->W;
    double mu = contact->mu;
    circle f;
    f.alpha = W[0] * q[2] - q[0] * W[6];
    f.beta = q[0] * W[3] - W[0] * q[1];
    f.gamma = mu * (q[0] * W[7] - q[2] * W[1]);
    f.delta = mu * (q[1] * W[2] - q[0] * W[5]);
    f.epsilon = mu * (q[0] * (W[8] - W[4]) - q[2] * W[2] + q[1] * W[1]);
    return f;
}


// The same without cancellation: when q is close to a column of W, as in a contact that just holds, little is left
// of the products, and the zeros of f depend on it.
static circle circle_precise(const rico_one_contact *contact, const double q[3])
{
    const double *W = contact->W;
    double mu = contact->mu;
    circle f;
    f.alpha = rico_dot_precise(0.0, 2, (double[]){W[0], -W[6]}, (double[]){q[2], q[0]});
    f.beta = rico_dot_precise(0.0, 2, (double[]){W[3], -W[0]}, (double[]){q[0], q[1]});
    f.gamma = mu * rico_dot_precise(0.0, 2, (double[]){W[7], -W[1]}, (double[]){q[0], q[2]});
    f.delta = mu * rico_dot_precise(0.0, 2, (double[]){W[2], -W[5]}, (double[]){q[1], q[0]});
    f.epsilon = mu * rico_dot_precise(0.0, 4, (double[]){W[8], -W[4], -W[2], W[1]},
                                      (double[]){q[0], q[0], q[2], q[1]});
    return f;
}


// Sliding by Newton's method on f from the direction (c, s). True if it ends on a strictly lawful r.
static bool slide_from(const rico_one_contact *contact, const double q[3], double q_size, double c, double s,
                       double r[3])
{
    enum { STEPS = 12 };
    const double *W = contact->W;
    double mu = contact->mu;
    circle f = circle_of(contact, q);

    double bend = 2.0 * (f.delta - f.gamma);
    bool converged = false;
    for (int step = 0; step < STEPS && !converged; step++) {
        double value = c * (f.alpha + f.gamma * c + f.epsilon * s) + s * (f.beta + f.delta * s);
        double slope = f.beta * c - f.alpha * s + bend * c * s + f.epsilon * (c * c - s * s);
        double denominator = W[0] - mu * (W[1] * c + W[2] * s);

        // A lawful zero of d_perp . u_T = f / denominator has a negative slope when T is definite and b = 0 (the
        // slope is -s - mu r_N d_perp.T d_perp); stepping by the size of the slope keeps off the other zeros.
        double up = denominator > 0.0 ? value : -value, over = 2.0 * fabs(slope);
        if (fabs(up) > over) up = copysign(over, up);
        converged = fabs(up) <= 1e-9 * over;

        // rotation by 2 atan(up/over): no sine, one division
        double scale = 1.0 / (over * over + up * up);
        double cosine = (over * over - up * up) * scale, sine = 2.0 * over * up * scale;
        double turned = c * cosine - s * sine;
        s = s * cosine + c * sine;
        c = turned;
    }
    if (!converged) return false;
    double unit = 1.5 - 0.5 * (c * c + s * s);
    c *= unit;
    s *= unit;

    double denominator = W[0] - mu * (W[1] * c + W[2] * s);
    if (!(denominator > 0.0)) return false;
    double normal = -q[0] / denominator;
    double trial[3] = {normal, -mu * normal * c, -mu * normal * s};
    double u[3];
    velocity(W, q, trial, u);
    double along = u[1] * c + u[2] * s, across = u[2] * c - u[1] * s;
    double scale = q_size + fabs(along), tight = 8.0 * DBL_EPSILON * scale;
    if (fabs(u[0]) > tight || fabs(across) > tight || contact->norm * largest(trial) > cancellation * scale) {
        if (!(polish_sliding(contact, q, trial) <= 4.0 * DBL_EPSILON)) return false;
        along = slip_of(contact, q, trial).along;
    }
    if (!(along >= 0.0)) return false;
    for (int i = 0; i < 3; i++) r[i] = trial[i];
    return true;
}


// The best candidate so far.
typedef struct choice {
    rico_contact_state state;
    double residual;
    double r[3];
} choice;

// Takes r if it is clearly better than what came before: earlier cases win ties to rounding. Returns true once
// nothing better needs to be looked for.
static bool consider(const rico_one_contact *contact, const double q[3], rico_contact_state state,
                     const double r[3], choice *best)
{
    double tight = 4.0 * DBL_EPSILON * (1.0 + contact->mu);
    double u[3];
    velocity_precise(contact->W, q, r, u);
    double residual = natural_residual(contact->mu, q, r, u);
    if (residual < best->residual && best->residual > tight) {
        best->state = state;
        best->residual = residual;
        for (int i = 0; i < 3; i++) best->r[i] = r[i];
    }
    return best->residual <= tight;
}


static bool consider_sliding(const rico_one_contact *contact, const double q[3], double c, double s,
                             choice *best)
{
    double length = sqrt(c * c + s * s), r[3];
    if (!(length > 0.0) || !surface_impulse(contact, q, c / length, s / length, r)) return false;
    if (!(polish_sliding(contact, q, r) < INFINITY)) return false;

    // friction that drives is not lawful, however small the impulse makes its residual
    double driving = -slip_of(contact, q, r).along;
    if (driving > 1e-12 * (contact->norm * largest(r) + largest(q))) return false;
    return consider(contact, q, RICO_SLIDING, r, best);
}


// f at one of eight directions, 45 degrees apart.
static double at_compass(const circle *f, int point, double *c, double *s)
{
    static const double half = 0.70710678118654752440;
    const double cosines[8] = {1.0, half, 0.0, -half, -1.0, -half, 0.0, half};
    *c = cosines[point];
    *s = cosines[(point + 6) % 8];
    return *c * (f->alpha + f->gamma * *c + f->epsilon * *s) + *s * (f->beta + f->delta * *s);
}


// Every sliding direction: with t the tangent of half the angle from -far, (1 + t^2)^2 f is a quartic whose leading
// coefficient is f(far). Taking `far` where |f| is largest among eight points, within a factor sqrt(2) of its
// maximum, keeps the roots t of moderate size.
static bool consider_directions(const rico_one_contact *contact, const double q[3], choice *best)
{
    circle f = circle_precise(contact, q);
    double c, s, far_value = 0.0, c0 = 1.0, s0 = 0.0;
    for (int point = 0; point < 8; point++) {
        double value = fabs(at_compass(&f, point, &c, &s));
        if (value > far_value) {
            far_value = value;
            c0 = -c;
            s0 = -s;
        }
    }
    // f vanishes to rounding when W has rank one and q lies in its range: all directions that press will do, above
    // all the one that presses most, against b
    double W_size =
        largest(contact->W) + contact->mu * larger(largest(contact->W + 3), largest(contact->W + 6));
    if (far_value <= 16.0 * DBL_EPSILON * W_size * largest(q)) {
        if (consider_sliding(contact, q, -contact->W[1], -contact->W[2], best)) return true;
        for (int point = 0; point < 8; point++) {
            at_compass(&f, point, &c, &s);
            if (consider_sliding(contact, q, c, s, best)) return true;
        }
    }
    if (far_value == 0.0) return false;

    double alpha = f.alpha * c0 + f.beta * s0, beta = f.beta * c0 - f.alpha * s0;
    double gamma = f.gamma * c0 * c0 + f.delta * s0 * s0 + f.epsilon * c0 * s0;
    double delta = f.gamma * s0 * s0 + f.delta * c0 * c0 - f.epsilon * c0 * s0;
    double epsilon = 2.0 * c0 * s0 * (f.delta - f.gamma) + f.epsilon * (c0 * c0 - s0 * s0);
    double quartic[5] = {gamma + alpha, 2.0 * (beta + epsilon), 4.0 * delta - 2.0 * gamma,
                         2.0 * (beta - epsilon), gamma - alpha};
    double cubic[4];
    for (int k = 1; k <= 4; k++) cubic[k - 1] = k * quartic[k];

    // the zeros first; then the extrema, where a pair of zeros may hide in rounding
    double t[8];
    int count = rico_polynomial_real_roots(4, quartic, t);
    count += rico_polynomial_real_roots(3, cubic, t + count);
    for (int i = 0; i < count; i++) {
        double x = 1.0 - t[i] * t[i], y = 2.0 * t[i];
        if (consider_sliding(contact, q, c0 * x - s0 * y, s0 * x + c0 * y, best)) return true;
    }
    return false;
}


// The power of two just above |x|, so that scaling by it rounds nothing.
static int exponent_of(double x)
{
    int exponent = 0;
    if (x > 0.0 && isfinite(x)) frexp(x, &exponent);
    return exponent;
}


// All candidates, in units in which |W| and |q| are of order one.
static rico_contact_state solve_by_enumeration(const rico_one_contact *given, const double q_given[3],
                                               double r[3])
{
    int size_W = exponent_of(given->norm), size_q = exponent_of(largest(q_given));
    rico_one_contact contact = *given;
    double q[3];
    for (int i = 0; i < 9; i++) {
        contact.W[i] = ldexp(given->W[i], -size_W);
        contact.inverse[i] = ldexp(given->inverse[i], size_W);
    }
    contact.norm = ldexp(given->norm, -size_W);
    for (int i = 0; i < 3; i++) q[i] = ldexp(q_given[i], -size_q);

    choice best = {RICO_NO_LAW, INFINITY, {0.0, 0.0, 0.0}};
    double apex[3] = {0.0, 0.0, 0.0}, stick[3] = {0.0, 0.0, 0.0};
    bool found = false;
    if (contact.regular) {
        for (int i = 0; i < 3; i++)
            stick[i] = -(contact.inverse[3 * i] * q[0] + contact.inverse[3 * i + 1] * q[1] +
                         contact.inverse[3 * i + 2] * q[2]);
        refine_sticking(&contact, q, stick);
        found = in_cone(contact.mu, stick) && consider(&contact, q, RICO_STICKING, stick, &best);
    }
    if (!found) found = consider_directions(&contact, q, &best);
    // last, what rounding may have pushed off: q_N a little below zero, a sticking impulse a little outside the cone
    if (!found) found = consider(&contact, q, RICO_OPEN, apex, &best);
    if (!found && contact.regular) {
        project(contact.mu, stick);
        consider(&contact, q, RICO_STICKING, stick, &best);
    }
    if (!(best.residual <= lawful(contact.mu))) best.state = RICO_NO_LAW;
    for (int i = 0; i < 3; i++) r[i] = ldexp(best.r[i], size_q - size_W);
    return best.state;
}


// Frictionless: the cone is a half line and u_T is free.
static rico_contact_state solve_frictionless(const rico_one_contact *contact, const double q[3], double r[3])
{
    double normal = -q[0] / contact->W[0];
    r[0] = r[1] = r[2] = 0.0;
    if (!(contact->W[0] > 0.0 && isfinite(normal))) return RICO_NO_LAW;
    r[0] = normal;
    bool at_rest = q[1] + contact->W[3] * normal == 0.0 && q[2] + contact->W[6] * normal == 0.0;
    return at_rest ? RICO_STICKING : RICO_SLIDING;
}


// Squares and products of such numbers neither overflow nor vanish.
static bool is_ordinary(double x)
{
    return x > 1e-70 && x < 1e70;
}


rico_contact_state rico_one_contact_solve(const rico_one_contact *contact, const double q[3], double r[3])
{
    if (q[0] >= 0.0) {
        r[0] = r[1] = r[2] = 0.0;
        return RICO_OPEN;
    }
    double mu = contact->mu;
    if (mu == 0.0) return solve_frictionless(contact, q, r);

    double q_size = largest(q);
    if (!is_ordinary(q_size) || !is_ordinary(contact->norm)) return solve_by_enumeration(contact, q, r);

    double c = -r[1], s = -r[2];
    if (contact->regular) {
        const double *inverse = contact->inverse;
        double stick[3], u[3];
        for (int i = 0; i < 3; i++)
            stick[i] = -(inverse[3 * i] * q[0] + inverse[3 * i + 1] * q[1] + inverse[3 * i + 2] * q[2]);
        if (in_cone(mu, stick)) {
            velocity(contact->W, q, stick, u);
            bool rough = largest(u) > 8.0 * DBL_EPSILON * q_size ||
                         contact->norm * largest(stick) > cancellation * q_size;
            if (!rough || (refine_sticking(contact, q, stick) && in_cone(mu, stick))) {
                for (int i = 0; i < 3; i++) r[i] = stick[i];
                return RICO_STICKING;
            }
        }
        // without a guess the impulse that would hold the contact tells the direction best
        if (c == 0.0 && s == 0.0) {
            c = -stick[1];
            s = -stick[2];
        }
    }
    double length = sqrt(c * c + s * s);
    if (length > 0.0 && slide_from(contact, q, q_size, c / length, s / length, r)) return RICO_SLIDING;
    return solve_by_enumeration(contact, q, r);
}
