// Primal-dual interior point method for Coulomb friction, the non-associated term inside Newton's system.
//
// In the self-dual variables x = (mu r_N, r_T) and z = (hat_N / mu, hat_T), both in the Lorentz cone L, the law reads
// x.z = 0 with W r + q + g(u) = (mu z_N, z_T) (Acary et al. 2018, eq. 68). Each step solves the linearized equations
// with the Nesterov-Todd scaling w, W_nt z = W_nt^-1 x = lambda:
//
//     dr = c - C W dr,   C = D^-1 W_nt^2 D^-1 (I + G),   G = dg/du,   D = diag(mu, 1, 1),
//
// which needs no inverse of anything (compressed.h). Predictor and corrector after Mehrotra; Acary et al. 2023 for the
// friction problem. Frictionless contacts are one-dimensional cones, equalities have none.

#include "solve/stage.h"

#include "cone/lorentz.h"
#include "la/dense.h"
#include "solve/mehrotra.h"

#include <math.h>
#include <string.h>

// Steps shorter than this, several times in a row, end the stage: the central path has been lost.
static const double short_step = 0.1;
static const double nearly = 1e-5;
enum { SHORT_STEPS = 4 };

typedef struct interior {
    rico_stage *stage;
    rico_problem *p;
    double *x, *z, *u, *dr, *dx, *dz, *residual, *d, *lambda, *slip; // m each; slip: u_T/|u_T|
    double *scaling, *inverse, *theta;                               // 3x3 per block: W_nt, W_nt^-1, W_nt^-2
    double gap;                                                      // x'z per contact
    bool near; // to where it began: predictors need no refinement
    const double
        *shift; // of u_N for each block, held: the convex problem; NULL: g(u) is part of Newton's system
} interior;


rico_interior_options rico_interior_default(void)
{
    return (rico_interior_options){.steps = 45, .centre = 1.0, .fraction = 0.95, .stall = 12};
}


static void times(int n, const double *M, const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        y[i] = 0.0;
        for (int j = 0; j < n; j++) y[i] += M[3 * i + j] * x[j];
    }
}


// Moves r into the interior of the cone and makes x and z from it.
static void start(interior *s, const rico_interior_options *options, double *r)
{
    rico_problem *p = s->p;
    const rico_stage *stage = s->stage;
    double stiffness = 0.0, load = rico_norm_inf(p->rows, p->q), count = (double)stage->contacts;
    for (int64_t a = 0; a < p->block_count; a++)
        if (!rico_problem_is_joint(p, a)) stiffness += stage->normal[a] / count;
    double impulse = rico_norm(p->rows, r) / sqrt(count);
    if (impulse == 0.0) impulse = load / stiffness;

    for (int64_t a = 0; a < p->block_count; a++) {
        if (rico_problem_is_joint(p, a)) continue;
        int64_t at = p->offset[a], size = p->offset[a + 1] - at;
        int n = stage->dimension[a];
        double mu = stage->cone[a], t = 0.0, margin = options->centre * mu * impulse;
        for (int i = n; i < size; i++) r[at + i] = 0.0;
        for (int i = 1; i < n; i++) {
            s->x[at + i] = r[at + i];
            t = hypot(t, r[at + i]);
        }
        s->x[at] = fmax(mu * r[at], t + margin);
        r[at] = s->x[at] / mu;
    }
    rico_stage_velocity(stage, r, s->u);
    double velocity = fmax(rico_norm(p->rows, s->u) / sqrt(count), 0.1 * impulse * stiffness);
    for (int64_t a = 0; a < p->block_count; a++) {
        if (rico_problem_is_joint(p, a)) continue;
        int64_t at = p->offset[a];
        double t = 0.0;
        for (int i = 1; i < stage->dimension[a]; i++) {
            s->z[at + i] = s->u[at + i];
            t = hypot(t, s->u[at + i]);
        }
        s->z[at] = fmax(s->u[at] / stage->cone[a] + t, t + options->centre * velocity);
    }
}


// The two eigenvalues of x and z that lie as far apart as `apart` and have the product `product`.
static void split(double apart, double product, double *x, double *z)
{
    double larger = 0.5 * (fabs(apart) + sqrt(apart * apart + 4.0 * product)), smaller = product / larger;
    *x = apart > 0.0 ? larger : smaller;
    *z = apart > 0.0 ? smaller : larger;
}


// The point of the central path nearest to r and its velocity, for each contact by itself: x - rho z stays, and x o z = gap e, by
// the smoothed projection of Chen, Harker, Kanzow and Smale. What was at rest against a side stays near it, and no contact is nearer
// to the boundary than the others, so that the first steps are long already.
static void start_near(interior *s, const rico_interior_options *options, double *r)
{
    rico_problem *p = s->p;
    const rico_stage *stage = s->stage;
    double count = (double)stage->contacts, softness = 0.0, impulse = rico_norm(p->rows, r) / sqrt(count);
    for (int64_t a = 0; a < p->block_count; a++)
        if (!rico_problem_is_joint(p, a)) softness += 1.0 / (stage->normal[a] * count);
    if (impulse == 0.0) impulse = rico_norm_inf(p->rows, p->q) * softness;
    double gap = options->centre * impulse * options->centre * impulse / softness;
    rico_stage_velocity(stage, r, s->u);
    for (int64_t a = 0; a < p->block_count; a++) {
        if (rico_problem_is_joint(p, a)) continue;
        int64_t at = p->offset[a], size = p->offset[a + 1] - at;
        int n = stage->dimension[a];
        double mu = stage->cone[a], rho = 1.0 / fmax(stage->normal[a], stage->tangent[a]);
        double slip = 0.0, length = 0.0, difference[3] = {0.0}; // x - rho z
        const double *u = &s->u[at];
        double *x = &s->x[at], *z = &s->z[at];
        for (int i = 1; i < n; i++) slip = hypot(slip, u[i]);
        difference[0] = mu * r[at] - rho * (u[0] / mu + slip);
        for (int i = 1; i < n; i++) {
            difference[i] = r[at + i] - rho * u[i];
            length = hypot(length, difference[i]);
        }
        double x1, x2, z1, z2;
        split(difference[0] - length, rho * gap, &x1, &z1);
        split(difference[0] + length, rho * gap, &x2, &z2);
        x[0] = 0.5 * (x1 + x2);
        z[0] = 0.5 * (z1 + z2) / rho;
        for (int i = 1; i < n; i++) {
            double along = length > 0.0 ? difference[i] / length : 0.0;
            x[i] = 0.5 * (x2 - x1) * along;
            z[i] = 0.5 * (z2 - z1) * along / rho;
        }
        r[at] = x[0] / mu;
        for (int i = 1; i < n; i++) r[at + i] = x[i];
        for (int64_t i = n; i < size; i++) r[at + i] = 0.0;
    }
}


// In the middle of the cones, far from any equation, at the impulses and velocities that the load asks for: from here
// convex problems are solved whatever the masses.
static void start_cold(interior *s, double *r)
{
    static const double ample = 10.0;
    rico_problem *p = s->p;
    const rico_stage *stage = s->stage;
    double impulse = 0.0, velocity = rico_norm_inf(p->rows, p->q);
    memset(r, 0, (size_t)p->rows * sizeof *r);
    for (int64_t a = 0; a < p->block_count; a++) {
        if (rico_problem_is_joint(p, a)) continue;
        double load = 0.0;
        for (int64_t i = p->offset[a]; i < p->offset[a + 1]; i++) load = fmax(load, fabs(p->q[i]));
        impulse = fmax(impulse, ample * load / stage->normal[a]);
    }
    for (int64_t a = 0; a < p->block_count; a++) {
        if (rico_problem_is_joint(p, a)) continue;
        int64_t at = p->offset[a];
        for (int i = 0; i < stage->dimension[a]; i++) s->x[at + i] = s->z[at + i] = 0.0;
        s->x[at] = impulse;
        s->z[at] = velocity;
        r[at] = impulse / stage->cone[a];
    }
}


// What is left of hat(u) = (mu z_N, z_T), the directions of slip, and the complementarity x'z per contact.
static double residuals(interior *s)
{
    const rico_stage *stage = s->stage;
    const rico_problem *p = s->p;
    double gap = 0.0;
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t at = p->offset[a], size = p->offset[a + 1] - at;
        const double *u = &s->u[at], *x = &s->x[at], *z = &s->z[at];
        double *left = &s->residual[at], *slip = &s->slip[at];
        if (rico_problem_is_joint(p, a)) {
            memcpy(left, u, (size_t)size * sizeof *u);
            continue;
        }
        int n = stage->dimension[a];
        double mu = stage->cone[a], t = 0.0;
        for (int i = 0; i < n; i++) gap += x[i] * z[i];
        for (int i = 1; i < n; i++) t = hypot(t, u[i]);
        left[0] = u[0] + (s->shift ? s->shift[a] : n > 1 ? mu * t : 0.0) - mu * z[0];
        for (int i = 1; i < n; i++) {
            left[i] = u[i] - z[i];
            slip[i] = t > 0.0 ? u[i] / t : 0.0;
        }
    }
    return gap / (double)stage->contacts;
}


// The Nesterov-Todd scaling of each contact; false when an iterate has left the cone.
static bool scale(interior *s)
{
    const rico_problem *p = s->p;
    for (int64_t a = 0; a < p->block_count; a++) {
        if (rico_problem_is_joint(p, a)) continue;
        int n = s->stage->dimension[a];
        const double *x = &s->x[p->offset[a]], *z = &s->z[p->offset[a]];
        double *M = &s->scaling[9 * a], *N = &s->inverse[9 * a], *T = &s->theta[9 * a];
        bool inside = rico_lorentz_determinant(n, x) > 0.0 && rico_lorentz_determinant(n, z) > 0.0;
        if (!inside) return false;
        rico_lorentz_scaling own;
        rico_lorentz_scale(n, z, x, &own);
        rico_lorentz_matrices(n, &own, M, N);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                T[3 * i + j] = 0.0;
                for (int k = 0; k < n; k++) T[3 * i + j] += N[3 * i + k] * N[3 * k + j];
            }
        times(n, M, z, &s->lambda[p->offset[a]]);
    }
    return true;
}


// C = D^-1 W_nt^2 D^-1 (I + G)
static rico_status factor(interior *s)
{
    rico_stage *stage = s->stage;
    const rico_problem *p = s->p;
    for (int64_t a = 0; a < p->block_count; a++) {
        if (rico_problem_is_joint(p, a)) continue;
        int n = stage->dimension[a];
        const double *M = &s->scaling[9 * a], *slip = &s->slip[p->offset[a]];
        double *C = &stage->C[9 * a], mu = stage->cone[a];
        memset(C, 0, 9 * sizeof *C);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                for (int k = 0; k < n; k++) C[3 * i + j] += M[3 * i + k] * M[3 * k + j];
                C[3 * i + j] /= (i ? 1.0 : mu) * (j ? 1.0 : mu);
            }
            for (int j = 1; !s->shift && j < n; j++) C[3 * i + j] += C[3 * i] * mu * slip[j];
        }
    }
    return rico_stage_factor(stage);
}


// One direction: predictor (sigma = 0, second = 0) or corrector. Returns the longest step, 0 when it is not finite.
static double direction(interior *s, double centre, double second)
{
    rico_stage *stage = s->stage;
    const rico_problem *p = s->p;
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t at = p->offset[a], size = p->offset[a + 1] - at;
        double *right = &stage->c[at];
        const double *left = &s->residual[at];
        if (rico_problem_is_joint(p, a)) {
            for (int64_t i = 0; i < size; i++) right[i] = -left[i];
            continue;
        }
        int n = stage->dimension[a];
        double mu = stage->cone[a], q1[3] = {0.0}, q2[3] = {0.0};
        for (int64_t i = n; i < size; i++) right[i] = 0.0;
        if (second > 0.0) {
            times(n, &s->inverse[9 * a], &s->dx[at], q1);
            times(n, &s->scaling[9 * a], &s->dz[at], q2);
        }
        rico_lorentz_correct(n, &s->lambda[at], centre, second, q1, q2, &s->d[at]);
        // c = D^-1 M (d - M D^-1 left)
        for (int i = 0; i < n; i++) q1[i] = left[i] / (i ? 1.0 : mu);
        times(n, &s->scaling[9 * a], q1, q2);
        for (int i = 0; i < n; i++) q2[i] = s->d[at + i] - q2[i];
        times(n, &s->scaling[9 * a], q2, right);
        right[0] /= mu;
    }
    rico_stage_solve(stage, s->dr, second > 0.0 || !s->near);

    if (s->shift)
        rico_stage_velocity(stage, s->dr, s->slip); // W dr + q; nothing slips where the shift is held
    double longest = INFINITY;
    bool finite = true;
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t at = p->offset[a], size = p->offset[a + 1] - at;
        int n = stage->dimension[a];
        for (int64_t i = n; i < size; i++) s->dr[at + i] = 0.0;
        for (int i = 0; i < n; i++) finite = finite && isfinite(s->dr[at + i]);
        if (rico_problem_is_joint(p, a)) continue;
        double q1[3], q2[3];
        for (int i = 0; i < n; i++) s->dx[at + i] = (i ? 1.0 : stage->cone[a]) * s->dr[at + i];
        times(n, &s->inverse[9 * a], &s->d[at], q1);
        times(n, &s->theta[9 * a], &s->dx[at], q2);
        for (int i = 0; i < n; i++) s->dz[at + i] = q1[i] - q2[i];
        // of the convex problem dz is what the velocities do: equations that hold go on holding to round-off
        for (int i = 0; s->shift && i < n; i++)
            s->dz[at + i] =
                (s->slip[at + i] - p->q[at + i] + s->residual[at + i]) / (i ? 1.0 : stage->cone[a]);
        longest = fmin(longest, rico_lorentz_reach(n, &s->x[at], &s->dx[at]));
        longest = fmin(longest, rico_lorentz_reach(n, &s->z[at], &s->dz[at]));
    }
    return finite ? longest : 0.0;
}


// x'z after a step of the given length along the present direction, over the present one.
static double gap_left(void *user, double step)
{
    const interior *s = user;
    const rico_problem *p = s->p;
    double gap = 0.0;
    for (int64_t a = 0; a < p->block_count; a++) {
        if (rico_problem_is_joint(p, a)) continue;
        for (int i = 0; i < s->stage->dimension[a]; i++) {
            int64_t k = p->offset[a] + i;
            gap += (s->x[k] + step * s->dx[k]) * (s->z[k] + step * s->dz[k]);
        }
    }
    return gap / (double)s->stage->contacts / s->gap;
}


static rico_status predict(void *user, double *reach)
{
    *reach = direction(user, 0.0, 0.0);
    return *reach == 0.0 ? RICO_SINGULAR : RICO_OK;
}


static rico_status correct(void *user, double sigma, double step, double *reach)
{
    interior *s = user;
    // from far away the whole of the second order is what lets impulses grow; near a fold it would be too much
    *reach = direction(s, sigma * s->gap, s->shift ? 1.0 : step * step);
    return *reach == 0.0 ? RICO_SINGULAR : RICO_OK;
}


static void advance(interior *s, double step, double *r)
{
    const rico_problem *p = s->p;
    for (int64_t a = 0; a < p->block_count; a++) {
        bool cone = !rico_problem_is_joint(p, a);
        for (int i = 0; i < s->stage->dimension[a]; i++) {
            int64_t k = p->offset[a] + i;
            r[k] += step * s->dr[k];
            if (!cone) continue;
            s->x[k] += step * s->dx[k];
            s->z[k] += step * s->dz[k];
        }
    }
}


static void lend(interior *s)
{
    rico_stage_lend(s->stage,
                    (double **const[]){&s->x, &s->z, &s->u, &s->dr, &s->dx, &s->dz, &s->residual, &s->d,
                                       &s->lambda, &s->slip, NULL},
                    (double **const[]){&s->scaling, &s->inverse, &s->theta, NULL});
}


rico_status rico_stage_interior(rico_stage *stage, const rico_interior_options *options, rico_run *run)
{
    rico_problem *p = stage->problem;
    if (stage->contacts == 0) return RICO_OK;
    interior s = {.stage = stage, .p = p, .near = options->near};
    lend(&s);
    if (options->near)
        start_near(&s, options, run->r);
    else
        start(&s, options, run->r);

    const rico_mehrotra method = {.caution = 0.99,
                                  .fraction = options->fraction,
                                  .predict = predict,
                                  .gap_left = gap_left,
                                  .correct = correct,
                                  .user = &s};
    double best = INFINITY, milestone = INFINITY;
    int since = 0, shorts = 0;
    for (int step = 0; step < options->steps; step++) {
        if (rico_run_check(run, run->iterations + 1)) return RICO_OK;
        memcpy(s.u, run->u, (size_t)p->rows * sizeof *s.u);
        best = fmin(best, run->residual.relative);
        if (best < 0.7 * milestone) {
            milestone = best;
            since = step;
        }
        if (step - since > options->stall || shorts >= SHORT_STEPS) return RICO_OK;
        if (best < nearly && step - since >= 2) return RICO_OK; // the last digits are a Newton method's

        s.gap = residuals(&s);
        if (!scale(&s)) return RICO_OK;
        double length;
        rico_status status = factor(&s);
        if (!status) status = rico_mehrotra_step(&method, &length);
        if (status) return status == RICO_SINGULAR ? RICO_OK : status;
        advance(&s, length, run->r);
        shorts = length < short_step ? shorts + 1 : 0;
    }
    rico_run_check(run, run->iterations + 1);
    return RICO_OK;
}


rico_status rico_stage_convex(rico_stage *stage, const double *shift, int steps, rico_run *run)
{
    static const double small_gap = 1e-15, small_left = 1e-9; // of the first
    static const double falling = 0.9;                        // a gap that stays is at round-off
    rico_problem *p = stage->problem;
    if (stage->contacts == 0) return RICO_OK;
    interior s = {.stage = stage, .p = p, .shift = shift};
    lend(&s);
    start_cold(&s, run->r);
    const rico_mehrotra method = {.caution = 0.99,
                                  .fraction = 0.99,
                                  .eager = true,
                                  .predict = predict,
                                  .gap_left = gap_left,
                                  .correct = correct,
                                  .user = &s};
    double first = 0.0, first_left = 0.0, before = INFINITY;
    for (int step = 0; step < steps; step++) {
        if (rico_run_limits(run, run->iterations + 1)) return RICO_OK;
        rico_stage_velocity(stage, run->r, s.u);
        s.gap = residuals(&s);
        double left = rico_norm_inf(p->rows, s.residual);
        if (step == 0) {
            first = s.gap;
            first_left = left;
        }
        bool feasible = left <= small_left * first_left;
        if (feasible && (s.gap <= small_gap * first || s.gap > falling * before)) break;
        before = s.gap;
        if (!scale(&s)) break;
        double length;
        rico_status status = factor(&s);
        if (!status) status = rico_mehrotra_step(&method, &length);
        if (status == RICO_SINGULAR) break;
        if (status) return status;
        advance(&s, length, run->r);
    }
    return RICO_OK;
}
