// Proximal steps over ranks: see proximal.h.
//
// A step solves the problem with W + alpha D in place of W and q - alpha D r_k in place of q, D = diag(W_NN) (Acary et al.
// 2018, eq. 122). Newton's systems are solved as far as |F| asks for, and |F|^2 decides on the length of a step.

#include "proximal.h"

#include "cone/cone.h"

#include <math.h>
#include <string.h>

typedef enum state { OPEN, STICK, SLIDE, SMOOTH } state; // SMOOTH: closed without friction
enum { HISTORY = 4, BACKTRACKS = 10, INNER = 30, MOST_STEPS = 2000 };
static const double SMALLEST_ALPHA = 1e-12, LARGEST_ALPHA = 10.0;
static const double SHRINK = 0.2, GROW = 5.0; // of alpha after an easy, after a failed step
static const double REACHED = 0.03;           // |F| at the end of a step, over its first
static const double JUMP = 0.05;              // longest extrapolation, over |r|
static const double ACCURACY = 0.05;          // of a system, over |F|

typedef struct proximal {
    rico_mpi_newton *n;
    double alpha;
} proximal;

typedef struct face {
    double state, slip[2], curvature;
} face;


static face *face_of(const rico_mpi_newton *n, int64_t c)
{
    return (face *)&n->face[4 * c];
}


// --- the map ------------------------------------------------------------------------------------------------------


// Alart and Curnier's map of one contact at x with velocity v; alpha is part of v and of the steps.
static void map_contact(const proximal *s, int64_t c, const double *x, const double *v, double *f)
{
    const rico_mpi_newton *n = s->n;
    int size = n->share->dimension;
    double mu = n->share->mu[c], pull = s->alpha * n->normal[c];
    double rho_n = 1.0 / (n->normal[c] + pull), rho_t = 1.0 / (n->tangent[c] + pull);
    double z_n = x[0] - rho_n * v[0];
    face *own = face_of(n, c);
    f[2] = 0.0;
    if (z_n <= 0.0) {
        memcpy(f, x, (size_t)size * sizeof *f);
        *own = (face){.state = OPEN};
        return;
    }
    f[0] = rho_n * v[0];
    if (mu == 0.0) {
        for (int i = 1; i < size; i++) f[i] = x[i];
        *own = (face){.state = SMOOTH};
        return;
    }
    double z1 = x[1] - rho_t * v[1], z2 = size == 3 ? x[2] - rho_t * v[2] : 0.0,
           z_t = sqrt(z1 * z1 + z2 * z2);
    if (z_t <= mu * z_n) {
        for (int i = 1; i < size; i++) f[i] = rho_t * v[i];
        *own = (face){.state = STICK};
        return;
    }
    double k = mu * z_n / z_t;
    f[1] = x[1] - k * z1;
    if (size == 3) f[2] = x[2] - k * z2;
    *own = (face){
        .state = SLIDE, .slip = {z1 / z_t, z2 / z_t}, .curvature = (1.0 - k) / k * (n->tangent[c] + pull)};
}


static void square_of(const rico_mpi_newton *n, int64_t c, const void *user, double *terms)
{
    (void)n;
    const double *f = &((const double *)user)[3 * c];
    terms[0] = f[0] * f[0] + f[1] * f[1] + f[2] * f[2];
}


// F(r) for the present centre and alpha with the face of every contact; *square: |F|^2, NAN where it is none.
static rico_status evaluate(const proximal *s, const double *r, double *square)
{
    rico_mpi_newton *n = s->n;
    rico_status status = rico_mpi_newton_velocity(n, r, n->u);
    if (status) return status;
    for (int64_t c = 0; c < n->share->contacts; c++) {
        double *v = &n->u[3 * c], pull = s->alpha * n->normal[c];
        for (int i = 0; i < n->share->dimension; i++) v[i] += pull * (r[3 * c + i] - n->centre[3 * c + i]);
        map_contact(s, c, &r[3 * c], v, &n->F[3 * c]);
    }
    rico_mpi_newton_sum(n, 1, square_of, n->F, square);
    return RICO_OK;
}


// --- Newton's method ------------------------------------------------------------------------------------------------


// The step of one contact as dr = c - C W dr. A sticking contact moves as alpha lets it; a sliding one keeps to the surface
// of its cone: along (1, mu t) and t turned, with rows N and t turned of the velocity. What the map knows of the step
// comes on top. `S`: the same with rows on both sides.
static void step_of_contact(const proximal *s, int64_t a, const double *r)
{
    const rico_mpi_newton *n = s->n;
    const face *own = face_of(n, a);
    int size = n->share->dimension;
    const double *f = &n->F[3 * a], *v = &n->u[3 * a], *x = &r[3 * a];
    double *C = &n->matrix->C[9 * a], *S = &n->symmetric[9 * a], *c = &n->c[3 * a];
    double mu = n->share->mu[a], alpha = s->alpha * n->normal[a];
    memset(C, 0, 9 * sizeof *C);
    memset(S, 0, 9 * sizeof *S);
    memset(c, 0, 3 * sizeof *c);
    if ((int)own->state == SLIDE) {
        double t[2] = {own->slip[0], own->slip[1]}, across[2] = {-t[1], t[0]}, known[3] = {0.0},
               sideways = 0.0;
        double along = mu * v[0] / (n->normal[a] + alpha), slack = 1.0 / alpha;
        double stiff = size == 3 ? 1.0 / (alpha + own->curvature) : 0.0;
        for (int i = 1; i < size; i++) along -= t[i - 1] * f[i];
        for (int i = 1; i < size; i++) {
            known[i] = along * t[i - 1];
            sideways += across[i - 1] * (v[i] + own->curvature * x[i]);
        }
        c[0] = -slack * v[0];
        C[0] = S[0] = slack;
        for (int i = 1; i < size; i++) {
            c[i] = known[i] - mu * t[i - 1] * slack * v[0] - across[i - 1] * stiff * sideways;
            C[3 * i] = mu * t[i - 1] * slack;
            for (int j = 1; j < size; j++)
                C[3 * i + j] = S[3 * i + j] = across[i - 1] * across[j - 1] * stiff;
        }
        return;
    }
    int closed = (int)own->state == STICK ? size : (int)own->state == SMOOTH ? 1 : 0;
    for (int i = 0; i < size; i++) {
        if (i < closed) C[4 * i] = S[4 * i] = 1.0 / alpha;
        c[i] = i < closed ? -v[i] / alpha : -x[i];
    }
}


static rico_status newton_step(const proximal *s, const double *r, double size, bool *found)
{
    rico_mpi_newton *n = s->n;
    for (int64_t c = 0; c < n->share->contacts; c++) step_of_contact(s, c, r);
    rico_status status = rico_mpi_schwarz_factor(n->schwarz, n->symmetric);
    *found = status == RICO_OK;
    if (status) return status == RICO_SINGULAR ? RICO_OK : status;
    n->factorizations++;
    return rico_mpi_newton_solve(n, ACCURACY * n->stiffness * size);
}


// Newton's method with a search on |F|^2 that lets it rise now and then. *reached: it got there; *steps that it took.
static rico_status solve_inner(rico_mpi_run *run, const proximal *s, double *r, int *steps, bool *reached)
{
    rico_mpi_newton *n = s->n;
    int64_t rows = 3 * n->share->contacts;
    double square, past[HISTORY];
    *reached = false;
    *steps = 0;
    rico_status status = evaluate(s, r, &square);
    if (status || !isfinite(square)) return status;
    double goal = REACHED * REACHED * square;
    for (int i = 0; i < HISTORY; i++) past[i] = square;
    for (; *steps < INNER; ++*steps) {
        if (square <= goal) {
            *reached = true;
            return RICO_OK;
        }
        if (rico_mpi_run_spent(run) || rico_mpi_run_limits(run)) return RICO_OK;
        bool found;
        status = newton_step(s, r, sqrt(square), &found);
        if (status || !found) return status;
        run->systems++;
        double reference = fmax(fmax(past[0], past[1]), fmax(past[2], past[3])), t = 1.0;
        int tries = 0;
        for (; tries < BACKTRACKS; tries++, t *= 0.5) {
            for (int64_t i = 0; i < rows; i++) n->trial[i] = r[i] + t * n->dr[i];
            status = evaluate(s, n->trial, &square);
            if (status) return status;
            if (square <= reference * (1.0 - 1e-3 * t)) break; // never what is no number
        }
        if (tries == BACKTRACKS) return RICO_OK;
        memcpy(r, n->trial, (size_t)rows * sizeof *r);
        past[*steps % HISTORY] = square;
    }
    *reached = square <= goal;
    return RICO_OK;
}


// --- proximal steps -------------------------------------------------------------------------------------------------


static void moved_and_size(const rico_mpi_newton *n, int64_t c, const void *user, double *terms)
{
    const double *r = &((const double *)user)[3 * c], *from = &n->centre[3 * c];
    terms[0] = terms[1] = 0.0;
    for (int i = 0; i < 3; i++) {
        terms[0] += (r[i] - from[i]) * (r[i] - from[i]);
        terms[1] += r[i] * r[i];
    }
}


// r + beta (r - centre), bounded and put back onto the cones.
static void extrapolate(rico_mpi_newton *n, double beta, double *r)
{
    const rico_mpi_share *share = n->share;
    double sums[2];
    rico_mpi_newton_sum(n, 2, moved_and_size, r, sums);
    if (sums[0] > 0.0) beta = fmin(beta, JUMP * sqrt(sums[1] / sums[0]));
    for (int64_t i = 0; i < 3 * share->contacts; i++) r[i] += beta * (r[i] - n->centre[i]);
    for (int64_t c = 0; c < share->contacts; c++) {
        rico_block block = {.kind = share->dimension == 3 ? RICO_COULOMB_3D : RICO_COULOMB_2D,
                            .size = share->dimension,
                            .friction = share->mu[c]};
        rico_cone_kinds[block.kind].project(&block, &r[3 * c]);
    }
}


// What the loop over proximal steps remembers (solve/proximal_newton.c).
typedef struct progress {
    double residual, best, milestone; // of the last step taken, the least, the last that was half of another
    double alpha, reach;              // regularization; how far to extrapolate
    bool extrapolated;                // the present centre is
    int since;                        // step of the milestone
} progress;


static bool takes_back(const progress *at, double tolerance, bool reached, double now)
{
    if (!isfinite(now)) return true;
    if (at->extrapolated) return !reached || now > tolerance * at->residual;
    return !reached && now > 2.0 * at->residual;
}


static void take_back(progress *at, bool reached)
{
    if (at->extrapolated) {
        at->reach = fmax(0.25 * at->reach, 0.25);
        if (!reached) at->alpha *= 2.0;
    } else {
        at->alpha *= GROW;
    }
    at->extrapolated = false;
    at->alpha = fmin(at->alpha, LARGEST_ALPHA);
}


static void adapt(progress *at, bool reached, int newton, double now)
{
    double ratio = now / at->residual;
    at->residual = now;
    if (!reached)
        at->alpha *= GROW;
    else if (newton <= 6)
        at->alpha *= SHRINK;
    else if (newton > 14)
        at->alpha *= 2.0;
    at->alpha = fmin(fmax(at->alpha, SMALLEST_ALPHA), LARGEST_ALPHA);
    at->extrapolated = reached && ratio > 0.3;
    at->reach = at->extrapolated ? fmin(2.0 * at->reach, 1e6) : 0.5;
}


rico_status rico_mpi_proximal(rico_mpi_run *run, rico_mpi_newton *n, const rico_mpi_proximal_options *options)
{
    double *r = run->p->r;
    size_t bytes = 3 * (size_t)n->share->contacts * sizeof *r;
    rico_status status = rico_mpi_run_check(run);
    if (status || run->done) return status;
    double first = run->residual.relative;
    progress at = {
        .residual = first, .best = first, .milestone = first, .alpha = options->alpha, .reach = 0.5};
    memcpy(n->previous, r, bytes);
    for (int k = 0; k < MOST_STEPS && k - at.since <= options->stall; k++) {
        memcpy(n->centre, r, bytes);
        proximal s = {.n = n, .alpha = at.alpha};
        int newton;
        bool reached;
        status = solve_inner(run, &s, r, &newton, &reached);
        if (!status) status = rico_mpi_run_check(run);
        if (status || run->done) return status;
        double now = run->residual.relative;
        if (takes_back(&at, options->tolerance, reached, now)) {
            memcpy(r, n->previous, bytes);
            take_back(&at, reached);
            continue;
        }
        at.best = fmin(at.best, now);
        if (at.best < 0.5 * at.milestone) {
            at.milestone = at.best;
            at.since = k;
        }
        adapt(&at, reached, newton, now);
        memcpy(n->previous, r, bytes);
        if (at.extrapolated) extrapolate(n, at.reach, r);
    }
    return RICO_OK;
}
