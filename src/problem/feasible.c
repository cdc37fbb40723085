// A primal-dual interior-point method for the largest margin (problem in feasible.h).
//
// Cones are brought to the second-order cone by scaling tangential rows with mu; mu = 0 leaves the normal row
// alone. Each Newton step has a proximal term delta/2 |dx|_W^2, which vanishes as the steps do and removes x from
// the system: du = W (r + dr) / delta. What is left has the pattern of W,
//
//     (W / delta + S^2) dr = rhs + e dt,     S the Nesterov-Todd scaling of each cone (S r = S^-1 z),
//
// and one row for dt, eliminated by hand. Equality rows get a small proximal term in their multiplier instead of
// S^2. Steps follow Mehrotra's predictor and corrector.
//
// The iteration carries u alone. An x behind it, of least norm so that rounding in W x stays small, is sought when a
// point is measured: the kernel of W, where x would otherwise grow without bound, is taken out.

#include "problem/feasible.h"

#include "cone/lorentz.h"
#include "la/dense.h"
#include "problem/subsystem.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_ITERATIONS = 40, MAX_CONE = 3 };

static const double delta = 1e-6;        // proximal weight of the velocity, where W is of order 1
static const double rho = 1e-8;          // proximal weight of the impulse
static const double gap_goal = 1e-10;    // complementarity at which the search ends
static const double enough = 1.0 - 1e-4; // a margin this close to its cap of 1 ends the search
static const double clean = 1e-10;       // equality rows count as satisfied below this

typedef struct cone {
    int64_t first; // row of the subsystem
    int size;
    rico_lorentz_scaling scaling;
    int64_t entry[MAX_CONE][MAX_CONE]; // where A keeps the lower triangle of the diagonal block
} cone;

typedef struct search {
    rico_problem *problem;
    rico_feasible_cone kind;
    rico_subsystem system;
    rico_subsystem range;  // the same rows; holds the factor of S + shift I
    rico_subsystem joints; // the equality rows alone, factored; empty if there are none
    double shift;          // of range
    int64_t cone_count;
    cone *cones;
    double unit;   // velocity that counts as 1: the largest |q_i|
    double W_norm; // largest row sum

    // one entry per row of the subsystem
    double *q, *e, *r, *z;       // e: 1 on normal rows; z: slack in the cone, 0 on equality rows
    double *u;                   // S x + q
    double *dr, *dz, *du, *step; // step: the right-hand side c of each cone
    double *lambda, *rhs, *along;
    double *x, *goal, *spare;
    double t, tau, dt, dtau;

    // one entry per row of the problem
    double *full_x, *full_u;
} search;


static void release(search *s)
{
    rico_context *ctx = s->problem->ctx;
    rico_subsystem_destroy(&s->system);
    rico_subsystem_destroy(&s->range);
    rico_subsystem_destroy(&s->joints);
    rico_free(ctx, s->cones);
    rico_free(ctx, s->q); // the first of one allocation
    rico_free(ctx, s->full_x);
    rico_free(ctx, s->full_u);
}


// Rows that take part, with their scale: 1, or mu on tangential rows of the dual cone.
static void choose_rows(const rico_problem *p, rico_feasible_cone kind, double *scale)
{
    for (int64_t a = 0; a < p->block_count; a++) {
        for (int64_t i = p->offset[a]; i < p->offset[a + 1]; i++) {
            if (rico_problem_is_joint(p, a))
                scale[i] = 1.0;
            else if (kind == RICO_CONE_NONE || !rico_problem_is_contact(p, a))
                scale[i] = 0.0;
            else if (i == p->offset[a])
                scale[i] = 1.0;
            else
                scale[i] = kind == RICO_CONE_DUAL ? p->friction[a] : 0.0;
        }
    }
}


static void list_cones(search *s)
{
    const rico_problem *p = s->problem;
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t first = s->system.place[p->offset[a]];
        if (rico_problem_is_joint(p, a) || first < 0) continue;
        cone *c = &s->cones[s->cone_count++];
        c->first = first;
        for (int64_t i = p->offset[a]; i < p->offset[a + 1]; i++) c->size += s->system.place[i] >= 0;
        for (int i = 0; i < c->size; i++)
            for (int j = 0; j <= i; j++)
                c->entry[i][j] = rico_subsystem_entry(&s->system, first + i, first + j);
    }
}


static rico_status prepare(rico_problem *p, rico_feasible_cone kind, search *s)
{
    enum { VECTORS = 15 };
    *s = (search){.problem = p,
                  .kind = kind,
                  .system = {.ctx = p->ctx},
                  .range = {.ctx = p->ctx},
                  .joints = {.ctx = p->ctx}};
    s->full_x = rico_alloc(p->ctx, p->rows, sizeof *s->full_x);
    s->full_u = rico_alloc(p->ctx, p->rows, sizeof *s->full_u);
    s->cones = rico_alloc(p->ctx, p->block_count, sizeof *s->cones);
    if (!s->full_x || !s->full_u || !s->cones) return RICO_NO_MEMORY;

    choose_rows(p, RICO_CONE_NONE, s->full_x);
    rico_status status = rico_subsystem_create(p, s->full_x, &s->joints);
    double shift;
    if (!status && s->joints.size > 0) status = rico_subsystem_factor_shifted(&s->joints, &shift);
    choose_rows(p, kind, s->full_x);
    if (!status) status = rico_subsystem_create(p, s->full_x, &s->system);
    if (!status) status = rico_subsystem_create(p, s->full_x, &s->range);
    if (!status) status = rico_subsystem_factor_shifted(&s->range, &s->shift);
    if (status) return status;

    int64_t n = s->system.size;
    double *block = rico_alloc(p->ctx, VECTORS * n, sizeof *block);
    if (!block) return RICO_NO_MEMORY;
    double **vectors[VECTORS] = {&s->q,    &s->e,      &s->r,   &s->z,     &s->u, &s->dr,   &s->dz,   &s->du,
                                 &s->step, &s->lambda, &s->rhs, &s->along, &s->x, &s->goal, &s->spare};
    for (int i = 0; i < VECTORS; i++) *vectors[i] = block + i * n;

    s->unit = rico_norm_inf(p->rows, p->q);
    if (s->unit == 0.0) s->unit = 1.0;
    s->W_norm = rico_block_norm_inf(&p->W);
    for (int64_t i = 0; i < n; i++) s->q[i] = s->system.scale[i] * p->q[s->system.row[i]] / s->unit;
    list_cones(s);
    for (int64_t k = 0; k < s->cone_count; k++) s->e[s->cones[k].first] = 1.0;
    return RICO_OK;
}


// Leaves the component of b in the kernel of S, as rico_subsystem_kernel() does, on the factor at hand.
static rico_status keep_kernel(search *s, double *b)
{
    enum { PASSES = 4 };
    for (int pass = 0; pass < PASSES; pass++) {
        rico_status status = rico_factor_solve(s->range.factor, 1, b, b);
        if (status) return status;
        for (int64_t i = 0; i < s->range.size; i++) b[i] *= s->shift;
    }
    return RICO_OK;
}


// full_x of least norm with W full_x = u - q, as nearly as the range of W allows, and full_u = W full_x + q. W is the
// problem's own here, unsymmetric as it may be: the passes refine that away too.
static rico_status restore_velocity(search *s)
{
    enum { PASSES = 4 };
    const rico_problem *p = s->problem;
    const rico_subsystem *system = &s->system;
    int64_t n = system->size;

    // the part of u that velocities can reach
    for (int64_t i = 0; i < n; i++) s->spare[i] = s->u[i] - s->q[i];
    rico_status status = keep_kernel(s, s->spare);
    if (status) return status;
    for (int64_t i = 0; i < n; i++) s->goal[i] = s->u[i] - s->spare[i];

    memset(s->x, 0, (size_t)n * sizeof *s->x);
    memset(s->full_x, 0, (size_t)p->rows * sizeof *s->full_x);
    rico_block_times(&p->W, s->full_x, p->q, s->full_u);
    for (int pass = 0; pass < PASSES; pass++) {
        for (int64_t i = 0; i < n; i++)
            s->spare[i] = s->goal[i] - s->full_u[system->row[i]] * system->scale[i] / s->unit;
        status = rico_factor_solve(s->range.factor, 1, s->spare, s->spare);
        if (status) return status;
        rico_axpy(n, 1.0, s->spare, s->x);
        for (int64_t i = 0; i < n; i++)
            s->full_x[system->row[i]] = s->x[i] * system->scale[i] * s->unit / system->omega;
        rico_block_times(&p->W, s->full_x, p->q, s->full_u);
    }
    return RICO_OK;
}


// Moves x on the equality rows so that they hold to rounding rather than to the accuracy of the search.
static rico_status settle_equalities(search *s)
{
    enum { PASSES = 3 };
    rico_subsystem *joints = &s->joints;
    if (joints->size == 0) return RICO_OK;
    for (int pass = 0; pass < PASSES; pass++) {
        for (int64_t i = 0; i < joints->size; i++) s->spare[i] = s->full_u[joints->row[i]] / joints->omega;
        rico_status status = rico_factor_solve(joints->factor, 1, s->spare, s->spare);
        if (status) return status;
        for (int64_t i = 0; i < joints->size; i++) s->full_x[joints->row[i]] -= s->spare[i];
        rico_block_times(&s->problem->W, s->full_x, s->problem->q, s->full_u);
    }
    return RICO_OK;
}


// The margin of full_u, and how far its equality rows are from 0.
static void measure(const search *s, rico_feasible *found)
{
    const rico_problem *p = s->problem;
    found->margin = 1.0;
    found->violation = 0.0;
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t first = p->offset[a], size = p->offset[a + 1] - first;
        const double *u = &s->full_u[first];
        if (rico_problem_is_joint(p, a)) {
            found->violation = fmax(found->violation, rico_norm_inf(size, u) / s->unit);
        } else if (s->kind != RICO_CONE_NONE && rico_problem_is_contact(p, a)) {
            double slip = s->kind == RICO_CONE_DUAL && size > 1 ? rico_norm(size - 1, u + 1) : 0.0;
            found->margin = fmin(found->margin, (u[0] - p->friction[a] * slip) / s->unit);
        }
    }
    found->rounding = 8.0 * DBL_EPSILON * (1.0 + s->W_norm * rico_norm_inf(p->rows, s->full_x) / s->unit);
}


// Keeps the x of the best margin among those that satisfy the equality rows, of the least violation otherwise.
static rico_status keep_best(search *s, double *x, rico_feasible *best)
{
    rico_feasible now = *best;
    rico_status status = restore_velocity(s);
    if (!status) status = settle_equalities(s);
    if (status) return status;
    measure(s, &now);
    bool now_clean = now.violation <= clean, best_clean = best->violation <= clean;
    bool better = now_clean && best_clean ? now.margin > best->margin : now.violation < best->violation;
    if (!better) return RICO_OK;
    *best = now;
    memcpy(x, s->full_x, (size_t)s->problem->rows * sizeof *x);
    return RICO_OK;
}


// Starts from W x + q as close to 0 as it gets: there when q is in the range of W.
static rico_status start_interior(search *s)
{
    memcpy(s->u, s->q, (size_t)s->system.size * sizeof *s->u);
    rico_status status = keep_kernel(s, s->u);
    if (status) return status;

    // t one unit below the margin of u, which puts every slack one unit inside its cone or further
    s->t = 0.0;
    for (int64_t k = 0; k < s->cone_count; k++)
        s->t = fmin(s->t, rico_lorentz_depth(s->cones[k].size, &s->u[s->cones[k].first]));
    s->t -= 1.0;
    s->tau = 0.5;
    for (int64_t k = 0; k < s->cone_count; k++) {
        const cone *c = &s->cones[k];
        for (int i = 0; i < c->size; i++) s->z[c->first + i] = s->u[c->first + i];
        s->z[c->first] -= s->t;
        s->r[c->first] = 0.5 / (double)s->cone_count;
    }
    return RICO_OK;
}


static double complementarity(const search *s)
{
    double sum = (1.0 - s->t) * s->tau;
    for (int64_t i = 0; i < s->system.size; i++) sum += s->z[i] * s->r[i];
    return sum;
}


// Rounding can put a point that a step brought near the boundary on it or beyond; the search then ends.
static bool is_interior(const search *s)
{
    if (!(s->t < 1.0 && s->tau > 0.0)) return false;
    for (int64_t k = 0; k < s->cone_count; k++) {
        const cone *c = &s->cones[k];
        if (!(rico_lorentz_depth(c->size, &s->r[c->first]) > 0.0)) return false;
        if (!(rico_lorentz_depth(c->size, &s->z[c->first]) > 0.0)) return false;
    }
    return true;
}


// Scalings of all cones, and the factor of W / delta + S^2.
static rico_status factor_step(search *s)
{
    rico_subsystem *system = &s->system;
    for (int64_t k = 0; k < s->cone_count; k++) {
        cone *c = &s->cones[k];
        rico_lorentz_scale(c->size, &s->r[c->first], &s->z[c->first], &c->scaling);
        rico_lorentz_times(c->size, &c->scaling, &s->r[c->first], &s->lambda[c->first]);
    }

    // a W that is semidefinite only up to the rounding of its file needs more than rho
    rico_status status = RICO_SINGULAR;
    double shift = rho;
    for (int attempt = 0; attempt < 8 && status == RICO_SINGULAR; attempt++, shift *= 10.0) {
        rico_subsystem_reset(system, 1.0 / delta, shift);
        for (int64_t k = 0; k < s->cone_count; k++) {
            const cone *c = &s->cones[k];
            for (int i = 0; i < c->size; i++)
                for (int j = 0; j <= i; j++)
                    system->A.value[c->entry[i][j]] += rico_lorentz_square(c->size, &c->scaling, i, j);
        }
        status = rico_subsystem_factor(system);
    }
    return status;
}


// One Newton direction. s->step holds c, the right-hand side of S dr + S^-1 dz = c in each cone; slack_target that
// of tau ds + (1 - t) dtau. Everything else is taken from the current point.
static rico_status direction(search *s, double slack_target)
{
    rico_subsystem *system = &s->system;
    int64_t n = system->size;

    // rhs = -(u - t e - z) + S c - W r / delta
    rico_subsystem_times(system, s->r, s->rhs);
    for (int64_t i = 0; i < n; i++) s->rhs[i] = -s->rhs[i] / delta - s->u[i] + s->t * s->e[i] + s->z[i];
    for (int64_t k = 0; k < s->cone_count; k++) {
        const cone *c = &s->cones[k];
        double moved[MAX_CONE];
        rico_lorentz_times(c->size, &c->scaling, &s->step[c->first], moved);
        for (int i = 0; i < c->size; i++) s->rhs[c->first + i] += moved[i];
    }
    rico_status status = rico_factor_solve(system->factor, 1, s->rhs, s->dr);
    if (!status) status = rico_factor_solve(system->factor, 1, s->e, s->along);
    if (status) return status;

    // dtau = (slack_target + tau dt) / (1 - t), and sum r_N + tau = 1 after the step
    double slack = 1.0 - s->t;
    double missing = 1.0 - rico_dot(n, s->e, s->r) - s->tau - slack_target / slack - rico_dot(n, s->e, s->dr);
    s->dt = missing / (rico_dot(n, s->e, s->along) + s->tau / slack);
    s->dtau = (slack_target + s->tau * s->dt) / slack;
    rico_axpy(n, s->dt, s->along, s->dr);
    for (int64_t i = 0; i < n; i++) s->spare[i] = (s->r[i] + s->dr[i]) / delta;
    rico_subsystem_times(system, s->spare, s->du);

    // dz = S c - S^2 dr
    for (int64_t k = 0; k < s->cone_count; k++) {
        const cone *c = &s->cones[k];
        double left[MAX_CONE];
        rico_lorentz_times(c->size, &c->scaling, &s->dr[c->first], left);
        for (int i = 0; i < c->size; i++) left[i] = s->step[c->first + i] - left[i];
        rico_lorentz_times(c->size, &c->scaling, left, &s->dz[c->first]);
    }
    return RICO_OK;
}


// How far the direction may be followed before the boundary of a cone, at most 1: velocities, then impulses.
static void reach(const search *s, double *primal, double *dual)
{
    *primal = s->dt > 0.0 ? fmin(1.0, (1.0 - s->t) / s->dt) : 1.0;
    *dual = s->dtau < 0.0 ? fmin(1.0, -s->tau / s->dtau) : 1.0;
    for (int64_t k = 0; k < s->cone_count; k++) {
        const cone *c = &s->cones[k];
        *primal = fmin(*primal, rico_lorentz_reach(c->size, &s->z[c->first], &s->dz[c->first]));
        *dual = fmin(*dual, rico_lorentz_reach(c->size, &s->r[c->first], &s->dr[c->first]));
    }
}


// From the affine direction to the right-hand side of the corrector: c = lambda \ (sigma mu e - lambda.lambda -
// (S^-1 dz).(S dr)).
static void correct(search *s, double sigma_mu)
{
    for (int64_t k = 0; k < s->cone_count; k++) {
        const cone *c = &s->cones[k];
        double a[MAX_CONE], b[MAX_CONE];
        rico_lorentz_inverse(c->size, &c->scaling, &s->dz[c->first], a);
        rico_lorentz_times(c->size, &c->scaling, &s->dr[c->first], b);
        rico_lorentz_correct(c->size, &s->lambda[c->first], sigma_mu, 1.0, a, b, &s->step[c->first]);
    }
}


// One iteration. `moved` is the longer of the two steps taken; NaN anywhere makes it 0.
static rico_status iterate(search *s, double *moved)
{
    const double damping = 0.99;
    int64_t n = s->system.size;
    double degree = (double)(s->cone_count + 1);
    double primal, dual;
    *moved = 0.0;

    rico_status status = factor_step(s);
    if (status) return status;

    // predictor: c = -lambda
    for (int64_t i = 0; i < n; i++) s->step[i] = -s->lambda[i];
    double slack = 1.0 - s->t;
    status = direction(s, -slack * s->tau);
    if (status) return status;
    reach(s, &primal, &dual);

    // corrector, the more centred the shorter the predictor got
    double sigma = pow(1.0 - fmin(primal, dual), 3.0);
    double sigma_mu = sigma * complementarity(s) / degree;
    correct(s, sigma_mu);
    status = direction(s, sigma_mu - slack * s->tau + s->dt * s->dtau);
    if (status) return status;
    reach(s, &primal, &dual);
    bool finite =
        isfinite(s->dt) && isfinite(s->dtau) && rico_all_finite(n, s->dr) && rico_all_finite(n, s->dz);
    if (!finite) return RICO_OK;

    primal *= damping;
    dual *= damping;
    rico_axpy(n, primal, s->du, s->u);
    rico_axpy(n, primal, s->dz, s->z);
    rico_axpy(n, dual, s->dr, s->r);
    s->t += primal * s->dt;
    s->tau += dual * s->dtau;
    *moved = fmax(primal, dual);
    return RICO_OK;
}


static void copy_impulse(const search *s, double *r)
{
    for (int64_t i = 0; i < s->system.size; i++) r[s->system.row[i]] = s->r[i] * s->system.scale[i];
}


rico_status rico_feasible_search(rico_problem *p, rico_feasible_cone kind, double *x, double *r,
                                 rico_feasible *out)
{
    *out = (rico_feasible){.margin = -INFINITY, .violation = INFINITY, .dual_value = 1.0};
    memset(x, 0, (size_t)p->rows * sizeof *x);
    memset(r, 0, (size_t)p->rows * sizeof *r);

    search s;
    rico_status status = prepare(p, kind, &s);
    if (!status) status = start_interior(&s);
    if (!status) status = keep_best(&s, x, out);
    if (!status && s.cone_count > 0) {
        for (double moved = 1.0; moved > 1e-8 && out->iterations < MAX_ITERATIONS;) {
            if (out->margin >= enough || complementarity(&s) <= gap_goal || !is_interior(&s)) break;
            status = iterate(&s, &moved);
            if (status) break;
            out->iterations++;
            status = keep_best(&s, x, out);
            if (status) break;
        }
        copy_impulse(&s, r);
        out->dual_value = rico_dot(s.system.size, s.q, s.r) + s.tau;
    }

    out->regular = status == RICO_OK;
    if (status == RICO_SINGULAR) status = RICO_OK; // W is not semidefinite: a finding, not a failure
    release(&s);
    return status;
}


rico_status rico_feasible_kernel(rico_problem *p, const double *take, double *r)
{
    rico_subsystem system = {.ctx = p->ctx};
    double *work = rico_alloc(p->ctx, 2 * p->rows, sizeof *work);
    rico_status status = work ? RICO_OK : RICO_NO_MEMORY;
    if (!status) status = rico_subsystem_create(p, take, &system);
    if (!status) {
        double *b = work, *spare = work + p->rows;
        for (int64_t i = 0; i < system.size; i++) b[i] = r[system.row[i]];
        status = rico_subsystem_kernel(&system, b, spare);
        if (!status) {
            memset(r, 0, (size_t)p->rows * sizeof *r);
            for (int64_t i = 0; i < system.size; i++) r[system.row[i]] = b[i];
        }
    }
    rico_subsystem_destroy(&system);
    rico_free(p->ctx, work);
    return status;
}
