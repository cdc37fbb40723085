// Smoothing Newton method on the natural map in self-dual variables.
//
// x = (mu r_N, r_T) and y = (hat_N / mu, hat_T) solve x = P_L(x - h y). The projection is smoothed spectrally,
// p(l) = (l + sqrt(l^2 + 4 tau)) / 2 for max(0, l) (Chen, Harker, Kanzow, Smale; Fukushima, Luo, Tseng 2001), and
// |u_T| as sqrt(|u_T|^2 + eps^2) - eps; tau goes to zero as fast as Newton's method follows. The systems are those of the
// interior point method, but iterates may start and go anywhere.

#include "solve/stage.h"

#include "la/dense.h"
#include "la/mat3.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double smooth_slip = 0.1; // eps relative to sqrt(tau) / h
enum { HISTORY = 3, INNER = 12, BACKTRACKS = 10 };

typedef struct smoothing {
    rico_stage *stage;
    const rico_problem *p;
    double tau, alpha;
    double *h;                                 // of each block
    double *u, *F, *d, *trial, *centre, *slip; // m each; slip: derivative of the smoothed |u_T|
    double *derivative;                        // 3x3 per block: dp at x - h y
} smoothing;


rico_smoothing_options rico_smoothing_default(void)
{
    return (rico_smoothing_options){.warm = 10.0, .alpha = 1e-8, .steps = 60, .stall = 6};
}


// The smoothed max(0, l) without cancellation, and its derivative.
static double smooth_plus(double l, double tau, double *derivative)
{
    double root = sqrt(l * l + 4.0 * tau), value = l > 0.0 ? 0.5 * (l + root) : 2.0 * tau / (root - l);
    *derivative = root > 0.0 ? value / root : 0.5;
    return value;
}


// F = x - p(x - h y) of one contact with n rows and, if wanted, the derivative of p there.
static void map_contact(smoothing *s, int64_t a, const double *r, const double *v, double *f,
                        bool derivatives)
{
    int n = s->stage->dimension[a];
    double mu = s->stage->cone[a], h = s->h[a], tau = s->tau, w[3], *D = &s->derivative[9 * a];
    double speed = 0.0, eps = smooth_slip * sqrt(tau) / h;
    if (n > 1) {
        double square = eps * eps;
        for (int i = 1; i < n; i++) square += v[i] * v[i];
        speed = sqrt(square);
    }
    w[0] = mu * r[0] - h * (v[0] / mu + (n > 1 ? speed - eps : 0.0));
    double t = 0.0, c[3] = {0.0, 1.0, 0.0};
    for (int i = 1; i < n; i++) {
        w[i] = r[i] - h * v[i];
        t = hypot(t, w[i]);
    }
    for (int i = 1; t > 0.0 && i < n; i++) c[i] = w[i] / t;

    double d1, d2, p1 = smooth_plus(w[0] + t, tau, &d1),
                   p2 = n > 1 ? smooth_plus(w[0] - t, tau, &d2) : (d2 = d1, p1);
    f[0] = mu * r[0] - 0.5 * (p1 + p2);
    for (int i = 1; i < n; i++) f[i] = r[i] - 0.5 * (p1 - p2) * c[i];
    if (!derivatives) return;

    // spectral derivative: d1, d2 along the two spectral directions, their difference quotient across
    double across = t > 1e-14 * (fabs(w[0]) + 1e-300) ? (p1 - p2) / (2.0 * t) : d1;
    double mean = 0.5 * (d1 + d2), half = 0.5 * (d1 - d2);
    D[0] = mean;
    for (int i = 1; i < n; i++) {
        D[i] = D[3 * i] = half * c[i];
        for (int j = 1; j < n; j++) D[3 * i + j] = (i == j ? across : 0.0) + (mean - across) * c[i] * c[j];
        s->slip[s->p->offset[a] + i] = speed > 0.0 ? v[i] / speed : 0.0;
    }
}


// F(r), in impulse units; returns |F|^2.
static double evaluate(smoothing *s, const double *r, bool derivatives)
{
    const rico_problem *p = s->p;
    double square = 0.0;
    rico_stage_velocity(s->stage, r, s->u);
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t at = p->offset[a];
        int n = s->stage->dimension[a];
        double *v = &s->u[at], *f = &s->F[at], scale = 1.0;
        for (int i = 0; i < n; i++) v[i] += s->alpha * s->stage->normal[a] * (r[at + i] - s->centre[at + i]);
        if (rico_problem_is_joint(p, a)) {
            for (int i = 0; i < n; i++) f[i] = s->h[a] * v[i];
        } else {
            map_contact(s, a, &r[at], v, f, derivatives);
            scale = 1.0 / s->stage->cone[a];
        }
        square += f[0] * f[0] * scale * scale;
        for (int i = 1; i < n; i++) square += f[i] * f[i];
    }
    return square;
}


// The inverse of the leading n x n part of a 3x3 matrix, others zero; a huge diagonal when there is none.
static void invert(int n, const double *D, double *inverse)
{
    double full[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) full[3 * i + j] = D[3 * i + j];
    if (rico_mat3_inverse(full, inverse)) return;
    memset(inverse, 0, 9 * sizeof *inverse);
    for (int i = 0; i < n; i++) inverse[4 * i] = 1e15;
}


static rico_status newton_step(smoothing *s)
{
    rico_stage *stage = s->stage;
    const rico_problem *p = s->p;
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t at = p->offset[a], size = p->offset[a + 1] - at;
        int n = stage->dimension[a];
        double *c = &stage->c[at], *C = &stage->C[9 * a], mu = stage->cone[a];
        if (rico_problem_is_joint(p, a)) {
            for (int i = 0; i < n; i++) c[i] = -s->u[at + i];
            continue;
        }
        // (D^-1 - I)/h dx + dy = -D^-1 F / h, in the rows of u: the first times mu, less mu slip' the others; then
        // T dr + W dr = b, and dr = T^-1 b - T^-1 W dr
        double inverse[9], T[9] = {0.0}, b[3] = {0.0};
        invert(n, &s->derivative[9 * a], inverse);
        for (int i = 0; i < n; i++) {
            double sum = 0.0;
            for (int j = 0; j < n; j++) {
                sum += inverse[3 * i + j] * s->F[at + j];
                T[3 * i + j] = (inverse[3 * i + j] - (i == j ? 1.0 : 0.0)) / s->h[a];
            }
            b[i] = -sum / s->h[a];
        }
        b[0] *= mu;
        for (int i = 0; i < n; i++) {
            T[i] *= mu;
            T[3 * i] *= mu;
        }
        for (int i = 1; i < n; i++) {
            b[0] -= mu * s->slip[at + i] * b[i];
            for (int j = 0; j < n; j++) T[j] -= mu * s->slip[at + i] * T[3 * i + j];
        }
        for (int i = 0; i < n; i++) T[4 * i] += s->alpha * stage->normal[a];
        invert(n, T, inverse);
        memset(C, 0, 9 * sizeof *C);
        for (int64_t i = n; i < size; i++) c[i] = 0.0;
        for (int i = 0; i < n; i++) {
            c[i] = 0.0;
            for (int j = 0; j < n; j++) {
                C[3 * i + j] = inverse[3 * i + j];
                c[i] += inverse[3 * i + j] * b[j];
            }
        }
    }
    rico_status status = rico_stage_factor(stage);
    if (!status) rico_stage_solve(stage, s->d, true);
    return status;
}


// One level of tau. *steps: systems solved; returns through *reached whether F became small against tau.
static rico_status solve_level(smoothing *s, rico_run *run, double goal, int *steps, bool *reached)
{
    const rico_problem *p = s->p;
    double square = evaluate(s, run->r, true), past[HISTORY] = {square, square, square};
    *reached = false;
    for (*steps = 0; *steps < INNER; ++*steps) {
        if (square <= goal && *steps > 0) break;
        if (rico_run_limits(run, run->iterations + 1)) break;
        rico_status status = newton_step(s);
        if (status) return status == RICO_SINGULAR ? RICO_OK : status;
        double reference = fmax(past[0], fmax(past[1], past[2])), t = 1.0;
        int tries = 0;
        for (; tries < BACKTRACKS; tries++, t *= 0.5) {
            for (int64_t a = 0; a < p->block_count; a++)
                for (int64_t i = 0; i < s->stage->dimension[a]; i++) {
                    int64_t k = p->offset[a] + i;
                    s->trial[k] = run->r[k] + t * s->d[k];
                }
            if (evaluate(s, s->trial, false) <= reference * (1.0 - 1e-3 * t)) break;
        }
        if (tries == BACKTRACKS) return RICO_OK;
        memcpy(run->r, s->trial, (size_t)p->rows * sizeof *run->r);
        square = evaluate(s, run->r, true);
        past[*steps % HISTORY] = square;
    }
    *reached = square <= goal;
    return RICO_OK;
}


rico_status rico_stage_smoothing(rico_stage *stage, const rico_smoothing_options *options, rico_run *run)
{
    const rico_problem *p = stage->problem;
    if (stage->contacts == 0) return RICO_OK;
    smoothing s = {.stage = stage, .p = p, .alpha = options->alpha, .h = stage->step_length};
    rico_stage_lend(stage, (double **const[]){&s.u, &s.F, &s.d, &s.trial, &s.centre, &s.slip, NULL},
                    (double **const[]){&s.derivative, NULL});
    for (int64_t a = 0; a < p->block_count; a++) {
        s.h[a] = 2.0 / (stage->normal[a] + stage->tangent[a]);
        for (int64_t i = p->offset[a] + stage->dimension[a]; i < p->offset[a + 1]; i++)
            run->r[i] = s.trial[i] = 0.0;
    }
    if (rico_run_check(run, run->iterations + 1)) return RICO_OK;

    double best = run->residual.relative, milestone = best, count = (double)stage->contacts;
    memcpy(s.centre, run->r, (size_t)p->rows * sizeof *s.centre);
    s.tau = DBL_MIN; // as good as none, to see how far r is from a solution, in impulses
    double shrink = 0.1;
    s.tau = options->warm * options->warm * evaluate(&s, run->r, false) / count;
    double smallest = 1e-28 * s.tau;
    int since = 0;
    for (int level = 0, systems = 0; systems < options->steps && s.tau > smallest; level++) {
        int steps;
        bool reached;
        memcpy(s.centre, run->r, (size_t)p->rows * sizeof *s.centre);
        rico_status status = solve_level(&s, run, 0.01 * s.tau * count, &steps, &reached);
        if (status) return status;
        systems += steps > 0 ? steps : 1;
        if (rico_run_check(run, run->iterations + 1)) return RICO_OK;
        best = fmin(best, run->residual.relative);

        // the easier the last level, the larger the next step in tau
        if (reached) {
            if (steps <= 3)
                shrink = fmax(0.3 * shrink, 1e-3);
            else if (steps > 6)
                shrink = fmin(0.5, 2.0 * shrink);
            s.tau *= shrink;
        } else {
            s.tau *= 4.0;
            shrink = fmin(0.5, 2.0 * shrink);
        }
        if (best < 0.5 * milestone) {
            milestone = best;
            since = level;
        }
        if (level - since > options->stall) break;
    }
    return RICO_OK;
}
