// Follows the central path by arc length.
//
// In self-dual variables x = (mu r_N, r_T) and y = (hat_N / mu, hat_T) the points with x.(h y) = tau e inside the cones
// form curves that begin far out and end, as tau goes to zero, in a solution. For a convex problem tau decreases all the
// way. The non-associated term makes the path fold: at a fold it turns back towards larger tau before it goes on, and
// methods that insist on decreasing tau (interior.c) lose it there. So tau is an unknown like r here, and
// the curve's own length the parameter (Allgower, Georg 2003, chapters 2 and 4).
//
// The equations are F = x - p(x - h y) = 0 with the smoothed projection p of smoothing.c, whose zeros are that path. All
// that Newton's method needs is known in closed form: with p_1, p_2 the spectral values of p and Q(p) its quadratic
// representation, (I - dp)^-1 dp = Q(p) / tau and (I - dp)^-1 tau dp/dtau = p, free of cancellation however small tau is.

#include "solve/stage.h"

#include "la/dense.h"

#include <math.h>
#include <string.h>

static const double smooth_slip = 0.1; // width of the smoothed |u_T|, relative to sqrt(tau) / h
static const double on_path = 1e-3;    // |F| there, relative to sqrt(tau) per contact
static const double shortest = 1e-8;   // arc that is worth a step
static const double escape =
    1e6; // tau, relative to the first one, of a path that leads back to where it came from
enum { STARTS = 20, NEWTON_STEPS = 12, CORRECTIONS = 8, BACKTRACKS = 10 };

typedef struct path {
    rico_stage *stage;
    const rico_problem *p;
    double tau;
    double *h;              // of each block
    double *u;              // m each, as all below
    double *newton, *drift; // right-hand sides of Newton's step and of dr/dlog(tau)
    double *step, *slope;   // their solutions
    double *tangent;        // of the path in r; in log(tau):
    double descent;
    double *kept;
} path;


rico_path_options rico_path_default(void)
{
    return (rico_path_options){.warm = 10.0, .steps = 1000};
}


// The smoothed max(0, l) with root = sqrt(l^2 + 4 tau), without cancellation.
static double smooth_plus(double l, double root, double tau)
{
    return l > 0.0 ? 0.5 * (l + root) : 2.0 * tau / (root - l);
}


// The matrix with values f1, f2 along the two spectral directions (1, +-c) and `across` at right angles to them.
static void spectral_matrix(int n, const double *c, double f1, double f2, double across, double *M)
{
    double mean = 0.5 * (f1 + f2), half = 0.5 * (f1 - f2);
    M[0] = mean;
    for (int i = 1; i < n; i++) {
        M[i] = M[3 * i] = half * c[i];
        for (int j = 1; j < n; j++) M[3 * i + j] = (i == j ? across : 0.0) + (mean - across) * c[i] * c[j];
    }
}


// |F|^2 of one contact and, if wanted, its C and right-hand sides.
static double map_contact(path *s, int64_t a, const double *r, const double *v, bool derivatives)
{
    rico_stage *stage = s->stage;
    int n = stage->dimension[a];
    double mu = stage->cone[a], h = s->h[a], tau = s->tau, eps = 0.0, speed = 0.0;
    if (n > 1) {
        eps = smooth_slip * sqrt(tau) / h;
        double square = eps * eps;
        for (int i = 1; i < n; i++) square += v[i] * v[i];
        speed = sqrt(square);
    }
    double y[3] = {v[0] / mu + speed - eps}, w[3] = {mu * r[0] - h * y[0]}, c[3] = {0.0, 1.0, 0.0}, t = 0.0;
    for (int i = 1; i < n; i++) {
        y[i] = v[i];
        w[i] = r[i] - h * v[i];
        t = hypot(t, w[i]);
    }
    for (int i = 1; t > 0.0 && i < n; i++) c[i] = w[i] / t;
    double l1 = w[0] + t, l2 = w[0] - t;
    double root1 = sqrt(l1 * l1 + 4.0 * tau), root2 = sqrt(l2 * l2 + 4.0 * tau);
    double p1 = smooth_plus(l1, root1, tau), p2 = smooth_plus(l2, root2, tau);
    double p[3] = {0.5 * (p1 + p2), 0.5 * (p1 - p2) * c[1], 0.5 * (p1 - p2) * c[2]};

    // x - p(w), or the same as h y - p(-w) where that cancels less
    double f[3];
    if (w[0] > 0.0) {
        double m1 = tau / p1, m2 = tau / p2;
        f[0] = h * y[0] - 0.5 * (m1 + m2);
        for (int i = 1; i < n; i++) f[i] = h * y[i] - 0.5 * (m1 - m2) * c[i];
    } else {
        f[0] = mu * r[0] - p[0];
        for (int i = 1; i < n; i++) f[i] = r[i] - p[i];
    }
    double square = f[0] * f[0] / (mu * mu);
    for (int i = 1; i < n; i++) square += f[i] * f[i];
    if (!derivatives) return square;

    // dr = c - C W dr with C = D^-1 h Q(p)/tau D^-1 (I + G), D = diag(mu, 1, 1), G = dg/du
    int64_t at = s->p->offset[a];
    double Q[9], R[9], *C = &stage->C[9 * a], *newton = &s->newton[at], *drift = &s->drift[at];
    spectral_matrix(n, c, p1 * p1 / tau, p2 * p2 / tau, p1 * p2 / tau, Q);
    spectral_matrix(n, c, p1 * root1 / tau, p2 * root2 / tau, p1 * p2 / tau * (root1 + root2) / (p1 + p2), R);
    double widening = n > 1 ? 0.5 * h * eps * (1.0 - eps / speed) : 0.0;
    memset(C, 0, 9 * sizeof *C);
    for (int i = 0; i < n; i++) {
        double scale = i ? 1.0 : 1.0 / mu;
        newton[i] = 0.0;
        for (int j = 0; j < n; j++) newton[i] -= scale * R[3 * i + j] * f[j];
        drift[i] = scale * (p[i] + Q[3 * i] * widening);
        for (int j = 0; j < n; j++) C[3 * i + j] = h * scale * Q[3 * i + j] / (j ? 1.0 : mu);
        for (int j = 1; j < n; j++) C[3 * i + j] += C[3 * i] * mu * v[j] / speed;
    }
    return square;
}


// |F| relative to sqrt(tau) per contact.
static double evaluate(path *s, const double *r, bool derivatives)
{
    const rico_problem *p = s->p;
    double square = 0.0;
    rico_stage_velocity(s->stage, r, s->u);
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t at = p->offset[a], size = p->offset[a + 1] - at;
        const double *v = &s->u[at];
        if (!rico_problem_is_joint(p, a)) {
            square += map_contact(s, a, &r[at], v, derivatives);
            continue;
        }
        for (int64_t i = 0; i < size; i++) {
            square += s->h[a] * s->h[a] * v[i] * v[i];
            s->newton[at + i] = -v[i];
            s->drift[at + i] = 0.0;
        }
    }
    return sqrt(square / ((double)s->stage->contacts * s->tau));
}


static void solve(path *s, const double *right, double *d)
{
    rico_stage *stage = s->stage;
    const rico_problem *p = s->p;
    memcpy(stage->c, right, (size_t)p->rows * sizeof *right);
    rico_stage_solve(stage, d, true);
    for (int64_t a = 0; a < p->block_count; a++)
        for (int64_t i = p->offset[a] + stage->dimension[a]; i < p->offset[a + 1]; i++) d[i] = 0.0;
}


// Newton's method at a fixed tau, which grows until it succeeds: the path is easier to find farther out.
static bool find_path(path *s, rico_run *run)
{
    int64_t rows = s->p->rows;
    double *trial = s->tangent;
    memcpy(s->kept, run->r, (size_t)rows * sizeof *run->r);
    for (int start = 0; start < STARTS; start++, s->tau *= 10.0) {
        memcpy(run->r, s->kept, (size_t)rows * sizeof *run->r);
        double size = evaluate(s, run->r, true);
        for (int k = 0; k < NEWTON_STEPS && size > on_path; k++) {
            if (rico_run_limits(run, run->iterations + 1)) return false;
            if (rico_stage_factor(s->stage)) break;
            solve(s, s->newton, s->step);
            double t = 1.0;
            int tries = 0;
            for (; tries < BACKTRACKS; tries++, t *= 0.5) {
                for (int64_t i = 0; i < rows; i++) trial[i] = run->r[i] + t * s->step[i];
                if (evaluate(s, trial, false) <= size * (1.0 - 1e-3 * t)) break;
            }
            if (tries == BACKTRACKS) break;
            memcpy(run->r, trial, (size_t)rows * sizeof *run->r);
            size = evaluate(s, run->r, true);
        }
        if (size <= on_path) return true;
    }
    return false;
}


// The unit tangent from dr/dlog(tau), on in the direction of the last one; lengths are relative to sqrt(tau) per contact.
static void turn_tangent(path *s)
{
    double weight = 1.0 / ((double)s->stage->contacts * s->tau), length = 1.0, ahead = s->descent;
    for (int64_t i = 0; i < s->p->rows; i++) {
        length += weight * s->slope[i] * s->slope[i];
        ahead += weight * s->slope[i] * s->tangent[i];
    }
    s->descent = (ahead >= 0.0 ? 1.0 : -1.0) / sqrt(length);
    for (int64_t i = 0; i < s->p->rows; i++) s->tangent[i] = s->descent * s->slope[i];
}


// Newton's method from the predicted point in the plane across the tangent: unknowns r and log(tau), by one
// factorization and two right-hand sides each. Returns the steps taken, 0 when it does not converge.
static int correct(path *s, rico_run *run, double arc, double weight)
{
    static const double coarse = 50.0, fine = 0.3, contraction = 0.9, farthest = 10.0, largest = 2.0;
    double last = fmax(arc, coarse), goal = fine * last, level = log(s->tau);
    for (int k = 0; k < CORRECTIONS; k++) {
        double size = evaluate(s, run->r, true);
        if (!(size < farthest)) return 0;
        if (k > 0 && size < on_path && last < goal) return k;
        if (rico_run_limits(run, run->iterations + 1)) return 0;
        if (rico_stage_factor(s->stage)) return 0;
        solve(s, s->newton, s->step);
        solve(s, s->drift, s->slope);
        double across = 0.0, along = s->descent, moved = 0.0;
        for (int64_t i = 0; i < s->p->rows; i++) {
            across += weight * s->tangent[i] * s->step[i];
            along += weight * s->tangent[i] * s->slope[i];
        }
        double change = -across / along;
        if (!(fabs(change) < largest)) return 0;
        for (int64_t i = 0; i < s->p->rows; i++) {
            double d = s->step[i] + change * s->slope[i];
            run->r[i] += d;
            moved += weight * d * d;
        }
        moved = sqrt(moved + change * change);
        if (k > 0 && moved > contraction * last) return 0;
        last = moved;
        level += change;
        s->tau = exp(level);
    }
    return 0;
}


rico_status rico_stage_path(rico_stage *stage, const rico_path_options *options, rico_run *run)
{
    const rico_problem *p = stage->problem;
    if (stage->contacts == 0) return RICO_OK;
    path s = {.stage = stage, .p = p, .h = stage->step_length, .descent = -1.0};
    rico_stage_lend(
        stage, (double **const[]){&s.u, &s.newton, &s.drift, &s.step, &s.slope, &s.tangent, &s.kept, NULL},
        NULL);
    size_t bytes = (size_t)p->rows * sizeof *run->r;
    memset(s.newton, 0, bytes);
    memset(s.drift, 0, bytes);
    for (int64_t a = 0; a < p->block_count; a++) {
        s.h[a] = 2.0 / (stage->normal[a] + stage->tangent[a]);
        for (int64_t i = p->offset[a] + stage->dimension[a]; i < p->offset[a + 1]; i++) run->r[i] = 0.0;
    }
    if (rico_run_check(run, run->iterations + 1)) return RICO_OK;
    double first = options->warm * run->residual.absolute;
    s.tau = first * first / (double)stage->contacts;
    if (!find_path(&s, run)) return RICO_OK;
    if (rico_stage_factor(stage)) return RICO_OK;
    solve(&s, s.drift, s.slope);
    memset(s.tangent, 0, bytes);

    int64_t end = stage->factorizations + options->steps;
    double farthest = escape * s.tau;
    for (double arc = 0.5; stage->factorizations < end && s.tau < farthest;) {
        turn_tangent(&s);
        memcpy(s.kept, run->r, bytes);
        double tau = s.tau, weight = 1.0 / ((double)stage->contacts * tau);
        int corrections = 0;
        for (; arc > shortest; arc *= 0.5) {
            for (int64_t i = 0; i < p->rows; i++) run->r[i] = s.kept[i] + arc * s.tangent[i];
            s.tau = tau * exp(arc * s.descent);
            corrections = correct(&s, run, arc, weight);
            if (corrections > 0 || run->done) break;
        }
        if (run->done) return RICO_OK;
        if (corrections == 0) {
            memcpy(run->r, s.kept, bytes);
            rico_run_check(run, run->iterations + 1);
            return RICO_OK;
        }
        if (rico_run_check(run, run->iterations + 1)) return RICO_OK;
        if (corrections <= 2)
            arc *= 2.0;
        else if (corrections > 4)
            arc *= 0.7;
    }
    return RICO_OK;
}
