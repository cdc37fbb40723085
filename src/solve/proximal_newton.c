// Extrapolated proximal point method with a reduced Newton method inside.
//
// Proximal step k solves the problem with W + alpha D in place of W and q - alpha D r_k in place of q, D = diag(W_NN)
// (Acary et al. 2018, eq. 122), which is regular whatever the rank of W, by Newton's method on Alart and Curnier's map
// or on the exact local solutions, with systems in the compressed form of compressed.h.
//
// The natural residual of a friction problem has positive local minima, where proximal steps crawl along r_k+1 - r_k.
// So the method extrapolates along that direction, twice as far each time it pays, and lets the residual rise within
// bounds: going back to the best point would lead into the same valley again.

#include "solve/stage.h"

#include "la/dense.h"
#include "solve/one_contact.h"

#include <math.h>
#include <string.h>

enum { OPEN, STICK, SLIDE, SMOOTH }; // SMOOTH: closed without friction, the normal row alone
enum { HISTORY = 4, BACKTRACKS = 12 };

typedef struct proximal {
    rico_stage *stage;
    const rico_problem *p;
    bool exact;
    double *alpha; // of each block
    double *u, *F, *d, *trial, *centre, *previous;
    double *face;            // per block: state, slip direction (2), curvature of the sliding row
    rico_one_contact *local; // for the exact map
} proximal;


rico_proximal_options rico_proximal_default(void)
{
    return (rico_proximal_options){.alpha = 1e-2,
                                   .shrink = 0.2,
                                   .grow = 5.0,
                                   .accuracy = 0.03,
                                   .tolerance = 5.0,
                                   .jump = 0.05,
                                   .exact = false,
                                   .inner = 30,
                                   .stall = 60,
                                   .steps = 2000};
}


static void set_face(proximal *s, int64_t a, int state, double t1, double t2, double curvature)
{
    double *face = &s->face[4 * a];
    face[0] = state;
    face[1] = t1;
    face[2] = t2;
    face[3] = curvature;
}


// Alart and Curnier's map of one contact at x with velocity v; alpha is part of v and of the steps rho.
static void map_alart_curnier(proximal *s, int64_t a, const double *x, const double *v, double *f)
{
    const rico_problem *p = s->p;
    int64_t size = p->offset[a + 1] - p->offset[a];
    double mu = p->friction[a];
    double rho_n = 1.0 / (s->stage->normal[a] + s->alpha[a]),
           rho_t = 1.0 / (s->stage->tangent[a] + s->alpha[a]);
    double z_n = x[0] - rho_n * v[0];
    if (z_n <= 0.0) {
        memcpy(f, x, (size_t)size * sizeof *f);
        set_face(s, a, OPEN, 0.0, 0.0, 0.0);
        return;
    }
    f[0] = rho_n * v[0];
    if (size == 1 || mu == 0.0) {
        for (int64_t i = 1; i < size; i++) f[i] = x[i];
        set_face(s, a, SMOOTH, 0.0, 0.0, 0.0);
        return;
    }
    double z1 = x[1] - rho_t * v[1], z2 = size == 3 ? x[2] - rho_t * v[2] : 0.0,
           z_t = sqrt(z1 * z1 + z2 * z2);
    if (z_t <= mu * z_n) {
        for (int64_t i = 1; i < size; i++) f[i] = rho_t * v[i];
        set_face(s, a, STICK, 0.0, 0.0, 0.0);
        return;
    }
    double k = mu * z_n / z_t;
    f[1] = x[1] - k * z1;
    if (size == 3) f[2] = x[2] - k * z2;
    set_face(s, a, SLIDE, z1 / z_t, z2 / z_t, (1.0 - k) / k * (s->stage->tangent[a] + s->alpha[a]));
}


// x minus the exact solution of the contact's own problem, the others standing still.
static void map_exact(proximal *s, int64_t a, const double *x, const double *v, double *f)
{
    const rico_one_contact *contact = &s->local[a];
    const double *D = contact->W;
    double b[3], z[3] = {x[0], x[1], x[2]}, mu = s->p->friction[a];
    for (int i = 0; i < 3; i++) b[i] = v[i] - (D[3 * i] * x[0] + D[3 * i + 1] * x[1] + D[3 * i + 2] * x[2]);
    rico_contact_state state = rico_one_contact_solve(contact, b, z);
    for (int i = 0; i < 3; i++) f[i] = x[i] - z[i];
    if (state == RICO_OPEN) {
        set_face(s, a, OPEN, 0.0, 0.0, 0.0);
    } else if (state == RICO_SLIDING && hypot(z[1], z[2]) > 0.0) {
        double t = hypot(z[1], z[2]), t1 = z[1] / t, t2 = z[2] / t;
        double u1 = b[1] + D[3] * z[0] + D[4] * z[1] + D[5] * z[2];
        double u2 = b[2] + D[6] * z[0] + D[7] * z[1] + D[8] * z[2];
        double speed = fmax(-(t1 * u1 + t2 * u2), 0.0);
        set_face(s, a, SLIDE, t1, t2, fmin(speed / fmax(mu * z[0], 1e-300), 1e14 * D[0]));
    } else {
        set_face(s, a, STICK, 0.0, 0.0, 0.0);
    }
}


static bool uses_exact(const proximal *s, int64_t a)
{
    return s->exact && s->p->kind[a] == RICO_COULOMB_3D && s->p->friction[a] > 0.0;
}


// F(r) for the present centre and alpha, with the state of every contact; returns |F|^2.
static double evaluate(proximal *s, const double *r)
{
    const rico_problem *p = s->p;
    double square = 0.0;
    rico_stage_velocity(s->stage, r, s->u);
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t at = p->offset[a], size = p->offset[a + 1] - at;
        double *v = &s->u[at], *f = &s->F[at];
        const double *x = &r[at];
        for (int64_t i = 0; i < size; i++) v[i] += s->alpha[a] * (x[i] - s->centre[at + i]);
        if (p->kind[a] == RICO_EQUALITY) {
            double rho = 1.0 / (s->stage->normal[a] + s->alpha[a]);
            for (int64_t i = 0; i < size; i++) f[i] = rho * v[i];
            set_face(s, a, STICK, 0.0, 0.0, 0.0);
        } else if (uses_exact(s, a)) {
            map_exact(s, a, x, v, f);
        } else {
            map_alart_curnier(s, a, x, v, f);
        }
        for (int64_t i = 0; i < size; i++) square += f[i] * f[i];
    }
    return square;
}


// The step of one contact as dr = c - C W dr. A sticking contact moves as alpha lets it, C = I / alpha; a sliding one
// keeps to the surface of its cone: along L = [(1, mu t), (0, t_perp)] with rows R = (N, t_perp) of the velocity,
// C = L diag(1/alpha, 1/(alpha + curvature)) R. What the map knows of the step (`known`) comes on top.
static void step_of_contact(proximal *s, int64_t a, const double *r)
{
    const rico_problem *p = s->p;
    rico_stage *stage = s->stage;
    int64_t at = p->offset[a], size = p->offset[a + 1] - at;
    const double *face = &s->face[4 * a], *f = &s->F[at], *v = &s->u[at];
    double *C = &stage->C[9 * a], *c = &stage->c[at], mu = p->friction[a], alpha = s->alpha[a];
    bool exact = uses_exact(s, a);
    memset(C, 0, 9 * sizeof *C);

    // the exact map's known step is -f; W_aa times it belongs to the contact's own problem and is taken out again
    double own[3] = {0.0, 0.0, 0.0};
    if (exact) {
        const double *W = &stage->diagonal[9 * a];
        for (int i = 0; i < 3; i++) own[i] = -(W[3 * i] * f[0] + W[3 * i + 1] * f[1] + W[3 * i + 2] * f[2]);
    }
    switch ((int)face[0]) {
    case OPEN:
        for (int64_t i = 0; i < size; i++) c[i] = -f[i];
        return;
    case STICK:
        for (int64_t i = 0; i < size; i++) {
            C[4 * i] = 1.0 / alpha;
            c[i] = exact ? -f[i] + own[i] / alpha : -v[i] / alpha;
        }
        return;
    case SMOOTH:
        C[0] = 1.0 / alpha;
        c[0] = -v[0] / alpha;
        for (int64_t i = 1; i < size; i++) c[i] = -r[at + i];
        return;
    default:
        break;
    }

    double t[2] = {face[1], face[2]}, across[2] = {-t[1], t[0]}, curvature = face[3];
    double known[3] = {0.0, 0.0, 0.0}, normal = v[0], sideways = 0.0;
    if (exact) {
        for (int i = 0; i < 3; i++) known[i] = -f[i];
        normal = -own[0];
        sideways = -(across[0] * own[1] + across[1] * own[2]);
    } else {
        double along = mu * v[0] / (stage->normal[a] + alpha);
        for (int64_t i = 1; i < size; i++) along -= t[i - 1] * f[i];
        for (int64_t i = 1; i < size; i++) {
            known[i] = along * t[i - 1];
            sideways += across[i - 1] * (v[i] + curvature * r[at + i]);
        }
    }
    double slack = 1.0 / alpha, stiff = size == 3 ? 1.0 / (alpha + curvature) : 0.0;
    c[0] = known[0] - slack * normal;
    C[0] = slack;
    for (int64_t i = 1; i < size; i++) {
        c[i] = known[i] - mu * t[i - 1] * slack * normal - across[i - 1] * stiff * sideways;
        C[3 * i] = mu * t[i - 1] * slack;
        for (int64_t j = 1; j < size; j++) C[3 * i + j] = across[i - 1] * across[j - 1] * stiff;
    }
}


// The Newton step s->d at r. RICO_SINGULAR when there is none.
static rico_status newton_step(proximal *s, const double *r)
{
    rico_stage *stage = s->stage;
    const rico_problem *p = s->p;
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t at = p->offset[a], size = p->offset[a + 1] - at;
        if (p->kind[a] == RICO_EQUALITY)
            for (int64_t i = 0; i < size; i++) stage->c[at + i] = -s->u[at + i];
        else
            step_of_contact(s, a, r);
    }
    rico_status status = rico_stage_factor(stage);
    if (status) return status;
    rico_stage_solve(stage, s->d, true);
    return rico_all_finite(p->rows, s->d) ? RICO_OK : RICO_SINGULAR;
}


// Newton's method with a non-monotone search on |F|^2. *steps: Newton steps taken; returns whether it got there.
static rico_status solve_inner(proximal *s, const rico_proximal_options *options, rico_run *run, double *r,
                               int *steps, bool *reached)
{
    int64_t rows = s->p->rows;
    double square = evaluate(s, r), goal = options->accuracy * options->accuracy * square;
    double past[HISTORY] = {square, square, square, square};
    *reached = false;
    for (*steps = 0; *steps < options->inner; ++*steps) {
        if (square <= goal) {
            *reached = true;
            return RICO_OK;
        }
        if (rico_run_limits(run, run->iterations + 1)) return RICO_OK;
        rico_status status = newton_step(s, r);
        if (status) return status == RICO_SINGULAR ? RICO_OK : status;
        double reference = fmax(fmax(past[0], past[1]), fmax(past[2], past[3])), t = 1.0;
        int tries = 0;
        for (; tries < BACKTRACKS; tries++, t *= 0.5) {
            for (int64_t i = 0; i < rows; i++) s->trial[i] = r[i] + t * s->d[i];
            square = evaluate(s, s->trial);
            if (square <= reference * (1.0 - 1e-3 * t)) break;
        }
        if (tries == BACKTRACKS) return RICO_OK;
        memcpy(r, s->trial, (size_t)rows * sizeof *r);
        past[*steps % HISTORY] = square;
    }
    *reached = square <= goal;
    return RICO_OK;
}


static void prepare_local(proximal *s)
{
    const rico_problem *p = s->p;
    for (int64_t a = 0; a < p->block_count; a++) {
        if (!uses_exact(s, a)) continue;
        double D[9];
        memcpy(D, &s->stage->diagonal[9 * a], sizeof D);
        for (int i = 0; i < 3; i++) D[4 * i] += s->alpha[a];
        rico_one_contact_prepare(&s->local[a], D, p->friction[a]);
    }
}


// r + beta (r - centre), bounded and put back onto the cones; returns the factor used.
static void extrapolate(const proximal *s, double beta, double jump, double *r)
{
    const rico_problem *p = s->p;
    double moved = 0.0, size = 0.0;
    for (int64_t i = 0; i < p->rows; i++) {
        double d = r[i] - s->centre[i];
        moved += d * d;
        size += r[i] * r[i];
    }
    if (moved > 0.0) beta = fmin(beta, jump * sqrt(size / moved));
    for (int64_t i = 0; i < p->rows; i++) r[i] += beta * (r[i] - s->centre[i]);
    for (int64_t a = 0; a < p->block_count; a++)
        rico_block_project((rico_block_kind)p->kind[a], p->offset[a + 1] - p->offset[a], p->friction[a],
                           &r[p->offset[a]]);
}


// Easy steps earn less regularization, hard ones more: the factor of alpha.
static double effort(const rico_proximal_options *options, bool reached, int newton)
{
    if (!reached) return options->grow;
    return newton <= 6 ? options->shrink : newton > 14 ? 2.0 : 1.0;
}


rico_status rico_stage_proximal(rico_stage *stage, const rico_proximal_options *options, rico_run *run)
{
    const rico_problem *p = stage->problem;
    double **v = stage->vector;
    proximal s = {.stage = stage,
                  .p = p,
                  .exact = options->exact,
                  .alpha = stage->block[0],
                  .u = v[0],
                  .F = v[1],
                  .d = v[2],
                  .trial = v[3],
                  .centre = v[4],
                  .previous = v[5],
                  .face = stage->matrix[2],
                  .local = stage->local};
    size_t bytes = (size_t)p->rows * sizeof(double);
    if (rico_run_check(run, run->iterations + 1)) return RICO_OK;
    double residual = run->residual.relative, best = residual, milestone = residual, alpha = options->alpha;
    double reach = 0.5, ceiling = 10.0, *best_r = v[8];
    int since = 0;
    bool extrapolated = false;
    memcpy(s.previous, run->r, bytes);
    memcpy(best_r, run->r, bytes);

    for (int k = 0; k < options->steps; k++) {
        memcpy(s.centre, run->r, bytes);
        for (int64_t a = 0; a < p->block_count; a++) s.alpha[a] = alpha * stage->normal[a];
        prepare_local(&s);
        int newton;
        bool reached;
        rico_status status = solve_inner(&s, options, run, run->r, &newton, &reached);
        if (status) return status;
        if (rico_run_check(run, run->iterations + 1)) return RICO_OK;
        double now = run->residual.relative;

        // a step that failed, or an extrapolation that went too far, is taken back
        if ((!reached && now > 2.0 * residual) ||
            (extrapolated && (!reached || now > options->tolerance * residual))) {
            memcpy(run->r, s.previous, bytes);
            if (extrapolated) {
                reach = fmax(0.25 * reach, 0.25);
                if (!reached) alpha *= 2.0;
            } else {
                alpha *= options->grow;
            }
            extrapolated = false;
            alpha = fmin(alpha, ceiling);
            if (k - since > options->stall) break;
            continue;
        }
        if (now < best) {
            best = now;
            memcpy(best_r, run->r, bytes);
        }
        if (best < 0.5 * milestone) {
            milestone = best;
            since = k;
        }
        if (k - since > options->stall) break;

        double ratio = now / residual;
        residual = now;
        alpha = fmin(fmax(alpha * effort(options, reached, newton), 1e-12), ceiling);

        memcpy(s.previous, run->r, bytes);
        extrapolated = reached && ratio > 0.3;
        if (extrapolated) {
            reach = fmin(2.0 * reach, 1e6);
            extrapolate(&s, reach, options->jump, run->r);
        } else {
            reach = 0.5;
        }
    }
    if (residual > 1e3 * best) memcpy(run->r, best_r, bytes);
    return RICO_OK;
}
