// The point between the cones and one Newton step of the interior-point method (ipm.h).

#include "solve/ipm.h"

#include "la/dense.h"
#include "solve/mehrotra.h"

#include <math.h>
#include <string.h>

typedef rico_ipm_cone cone;
typedef rico_ipm ipm;

static const double cold = 5.0;      // impulses to start with, over those that would stop the fastest contact
static const double long_step = 0.5; // from here on further correctors are tried,
static const double tolerated = 0.8; // and taken as long as they shorten the step by no more than this
static const double accurate = 1e-6, inaccurate = 1e-3; // error of a direction, over c


// --- the point ----------------------------------------------------------------------------------------------


// The rows of a contact as a vector of R^3, zeros beyond those that take part.
static void rows_of(const cone *k, const double *rows, double v[3])
{
    for (int i = 0; i < 3; i++) v[i] = i < k->size ? rows[k->row + i] : 0.0;
}


// The point with the given tangential part, as deep as `normal` says but `least` deep at least.
static rico_lorentz_point interior(double normal, double t0, double t1, double least)
{
    return (rico_lorentz_point){.depth = fmax(normal - hypot(t0, t1), least), .t = {t0, t1}};
}


// mu |u_T| as it is now.
void rico_ipm_renew_shift(ipm *work)
{
    double u[3];
    for (int64_t i = 0; i < work->cone_count; i++) {
        rows_of(&work->cones[i], work->u, u);
        work->cones[i].shift = work->cones[i].mu * hypot(u[1], u[2]);
    }
}


// From r as given: moved into the cones, with velocities that fit as far as they are in theirs.
rico_status rico_ipm_begin(rico_problem *p, ipm *work, double inside)
{
    double count = fmax(1.0, (double)work->cone_count), v[3];
    double impulse = rico_norm(p->rows, work->r) / sqrt(count);
    if (impulse == 0.0) impulse = cold * rico_norm_inf(p->rows, p->q) / work->norm;
    for (int64_t i = 0; i < work->cone_count; i++) {
        cone *k = &work->cones[i];
        rows_of(k, work->r, v);
        k->x = interior(k->mu * v[0], v[1], v[2], inside * k->mu * impulse);
        work->r[k->row] = rico_lorentz_point_normal(&k->x) / k->mu;
        for (int64_t j = k->row + k->size; j < work->main->offset[k->cell + 1]; j++) work->r[j] = 0.0;
    }
    rico_status status = rico_problem_velocity(p, work->r, work->u, NULL);
    if (status) return status;
    double velocity = fmax(rico_norm(p->rows, work->u) / sqrt(count), 0.1 * impulse * work->norm);
    for (int64_t i = 0; i < work->cone_count; i++) {
        cone *k = &work->cones[i];
        rows_of(k, work->u, v);
        k->z = interior((v[0] + k->shift) / k->mu, v[1], v[2], inside * velocity);
    }
    return RICO_OK;
}


double rico_ipm_gap(const ipm *work)
{
    double sum = 0.0;
    for (int64_t i = 0; i < work->cone_count; i++)
        sum += rico_lorentz_point_inner(&work->cones[i].x, &work->cones[i].z);
    return work->cone_count > 0 ? sum / (double)work->cone_count : 0.0;
}


// hat(u) - T z with the term of friction as told.
void rico_ipm_measure(ipm *work, rico_ipm_friction term, double gap)
{
    double u[3];
    for (int64_t i = 0; i < work->cone_count; i++) {
        cone *k = &work->cones[i];
        rows_of(k, work->u, u);
        double corner = term.smoothing * sqrt(gap * k->norm), slip = hypot(hypot(u[1], u[2]), corner);
        if (!term.frozen) k->shift = k->mu * (slip - corner);
        for (int j = 0; j < 2; j++) k->g[j] = term.linearized && slip > 0.0 ? u[j + 1] / slip : 0.0;
        k->defect[0] = u[0] + k->shift - k->mu * rico_lorentz_point_normal(&k->z);
        for (int j = 1; j < 3; j++) k->defect[j] = u[j] - k->z.t[j - 1];
    }
}


// --- the step -----------------------------------------------------------------------------------------------


// In the frame of the contact S is diagonal: F = V' T^-1 E, G = T^-1 V and d = s^2 + floor give W + E^-1 T S^2 T.
static void fill_cell(const cone *k, double floor, rico_cone_system *s)
{
    int64_t full = s->offset[k->cell + 1] - s->offset[k->cell];
    double *F = &s->left[s->place[k->cell]], *G = &s->right[s->place[k->cell]], *d = &s->shift[k->row], V[9];

    // without friction: the normal as it is, r_T = 0
    if (k->size == 1) {
        d[0] = k->frame.s[2] * k->frame.s[2] + floor;
        for (int64_t i = 1; i < full; i++) d[i] = INFINITY;
        return;
    }

    // the second tangent of a plane contact has no row; with t along the first one it leaves no trace in the others
    rico_nt_matrix(&k->frame, V);
    for (int i = 0; i < k->size; i++) {
        for (int j = 0; j < k->size; j++) {
            G[i * full + j] = V[3 * i + j] / (i == 0 ? k->mu : 1.0);
            F[i * full + j] = V[3 * j + i] / (j == 0 ? k->mu : 1.0);
        }
        for (int j = 1; j < k->size; j++) F[i * full + j] += k->g[j - 1] * V[i];
        d[i] = k->frame.s[i] * k->frame.s[i] + floor;
    }
}


// Scalings of all contacts and the factors.
static rico_status factor(ipm *work)
{
    rico_cone_system *s = work->system;
    // what d is raised by, so that redundant contacts leave a regular matrix; refinement takes it out again
    double joint = 1e-8 * work->norm, floor = (s->dofs ? 1e-10 : 1e-13) * work->norm;
    for (int64_t i = 0; i < work->equality_count; i++) s->shift[work->equality[i]] = joint;
    for (int64_t i = 0; i < work->cone_count; i++) {
        cone *k = &work->cones[i];
        rico_nt_scale(&k->x, &k->z, &k->frame, k->lambda);
        fill_cell(k, floor, s);
    }
    return rico_cone_system_factor(s);
}


// E^-1 (T S c - defect - T S^2 T dr) - W dr, dr and du = W dr given: what the step does not yet satisfy.
static void residual_of_step(ipm *work)
{
    for (int64_t i = 0; i < work->equality_count; i++) {
        int64_t row = work->equality[i];
        work->rhs[row] = -work->u[row] - work->du[row];
    }
    for (int64_t i = 0; i < work->cone_count; i++) {
        const cone *k = &work->cones[i];
        double dr[3], left[3], v[3];
        rows_of(k, work->dr, dr);
        dr[0] *= k->mu;
        rico_nt_coordinates(&k->frame, dr, left);
        for (int j = 0; j < 3; j++) left[j] = k->frame.s[j] * (k->c[j] - k->frame.s[j] * left[j]);
        rico_nt_vector(&k->frame, left, v);
        v[0] *= k->mu;
        for (int j = 0; j < 3; j++) v[j] -= k->defect[j];
        v[0] -= k->mu * (k->g[0] * v[1] + k->g[1] * v[2]);
        for (int64_t j = k->row; j < work->system->offset[k->cell + 1]; j++)
            work->rhs[j] = j < k->row + k->size ? v[j - k->row] - work->du[j] : 0.0;
    }
}


// The same, scaled: what the step leaves of S dx + S^-1 dz = c, over |c|.
static double error_of_step(const ipm *work)
{
    double error = 0.0, size = 0.0, v[3], scaled[3];
    for (int64_t i = 0; i < work->cone_count; i++) {
        const cone *k = &work->cones[i];
        rows_of(k, work->rhs, v);
        v[0] = (v[0] + k->mu * (k->g[0] * v[1] + k->g[1] * v[2])) / k->mu;
        rico_nt_coordinates(&k->frame, v, scaled);
        for (int j = 0; j < 3; j++) {
            scaled[j] /= k->frame.s[j];
            error += scaled[j] * scaled[j];
            size += k->c[j] * k->c[j];
        }
    }
    return size > 0.0 ? sqrt(error / size) : 0.0;
}


// dx and dz, from dr and du.
static void directions_of_cones(ipm *work)
{
    for (int64_t i = 0; i < work->cone_count; i++) {
        cone *k = &work->cones[i];
        double dr[3], du[3], dz[3];
        rows_of(k, work->dr, dr);
        rows_of(k, work->du, du);
        dr[0] *= k->mu;
        rico_nt_coordinates(&k->frame, dr, k->dx);
        for (int j = 1; j < 3; j++) dz[j] = du[j] + k->defect[j];
        dz[0] = (du[0] + k->mu * (k->g[0] * du[1] + k->g[1] * du[2]) + k->defect[0]) / k->mu;
        rico_nt_coordinates(&k->frame, dz, k->dz);

        // from the velocities, or from the complementarity where that carries less round-off
        for (int j = 0; j < 3; j++) {
            double s = k->frame.s[j];
            if (s * s < k->norm) k->dz[j] = s * (k->c[j] - s * k->dx[j]);
        }
        if (k->size == 1) {
            k->dz[0] = k->dz[1] = 0.5 * (k->dz[0] + k->dz[1]);
            k->dz[2] = 0.0;
        }
    }
}


// dr, dx and dz for the right-hand sides c, refined: velocities as unknowns lose digits where d is small, and d was
// raised. *error is what is left, over c.
static rico_status direction(rico_problem *p, ipm *work, double *error)
{
    enum { PASSES = 4 };
    memset(work->dr, 0, (size_t)p->rows * sizeof *work->dr);
    memset(work->du, 0, (size_t)p->rows * sizeof *work->du);
    residual_of_step(work);
    *error = INFINITY;
    for (int pass = 0; pass < PASSES; pass++) {
        rico_status status = rico_cone_system_solve(work->system, work->rhs, work->correction);
        if (status) return status;
        rico_axpy(p->rows, 1.0, work->correction, work->dr);
        status = rico_cone_system_response(work->main, work->dr, work->du);
        if (status) return status;
        residual_of_step(work);
        double before = *error;
        *error = error_of_step(work);
        if (*error <= accurate) break;
        if (*error > before) { // refinement diverges: back to the better step
            rico_axpy(p->rows, -1.0, work->correction, work->dr);
            status = rico_cone_system_response(work->main, work->dr, work->du);
            *error = before;
            if (status) return status;
            break;
        }
    }
    directions_of_cones(work);
    return RICO_OK;
}


static double reach(const ipm *work)
{
    double step = INFINITY;
    for (int64_t i = 0; i < work->cone_count; i++) {
        const cone *k = &work->cones[i];
        step = fmin(step, rico_nt_reach(&k->frame, &k->x, k->dx));
        step = fmin(step, rico_nt_reach(&k->frame, &k->z, k->dz));
    }
    return step;
}


// One iteration in progress.
typedef struct iteration {
    rico_problem *p;
    ipm *work;
    double gap;
} iteration;


// The gap after a step, over the present one.
static double gap_left(void *user, double step)
{
    const iteration *now = user;
    const ipm *work = now->work;
    double sum = 0.0;
    if (!(now->gap > 0.0)) return 0.0;
    for (int64_t i = 0; i < work->cone_count; i++) {
        const cone *k = &work->cones[i];
        for (int j = 0; j < 3; j++) {
            double x = k->lambda[j] + step * k->frame.s[j] * k->dx[j];
            double z = k->lambda[j] + step * k->dz[j] / k->frame.s[j];
            sum += x * z;
        }
    }
    return fmax(0.0, sum / ((double)work->cone_count * now->gap));
}


// lambda.c = sigma gap e - lambda.lambda - weight (S dx).(S^-1 dz)
static void correct(ipm *work, double target, double weight)
{
    const double root_half = sqrt(0.5);
    for (int64_t i = 0; i < work->cone_count; i++) {
        cone *k = &work->cones[i];
        double a[3], b[3], second[3], square[3];
        for (int j = 0; j < 3; j++) {
            a[j] = k->frame.s[j] * k->dx[j];
            b[j] = k->dz[j] / k->frame.s[j];
        }
        rico_nt_product(a, b, second);
        rico_nt_product(k->lambda, k->lambda, square);
        for (int j = 0; j < 3; j++)
            square[j] = (j < 2 ? root_half * target : 0.0) - square[j] - weight * second[j];
        rico_nt_divide(k->lambda, square, k->c);
    }
}


static void move(ipm *work, int64_t rows, double step)
{
    for (int64_t i = 0; i < work->cone_count; i++) {
        cone *k = &work->cones[i];
        rico_nt_move(&k->frame, step, k->dx, &k->x);
        rico_nt_move(&k->frame, step, k->dz, &k->z);
    }
    rico_axpy(rows, step, work->dr, work->r);
}


// --- one iteration ------------------------------------------------------------------------------------------


// Factors and the predictor: where the complementarity would go to 0 at once. Goes over to the rescue when the factors
// have run out of digits.
static rico_status predict(void *user, double *longest)
{
    const iteration *now = user;
    ipm *work = now->work;
    for (;;) {
        double error;
        rico_status status = factor(work);
        if (status) return status;
        for (int64_t i = 0; i < work->cone_count; i++)
            for (int j = 0; j < 3; j++) work->cones[i].c[j] = -work->cones[i].lambda[j];
        status = direction(now->p, work, &error);
        *longest = reach(work);
        if (status || error <= inaccurate || !work->rescue || work->system == work->rescue) return status;
        work->system = work->rescue;
    }
}


static void keep_direction(ipm *work, int64_t rows)
{
    for (int64_t i = 0; i < work->cone_count; i++) {
        cone *k = &work->cones[i];
        memcpy(k->kept_dx, k->dx, sizeof k->dx);
        memcpy(k->kept_dz, k->dz, sizeof k->dz);
    }
    memcpy(work->kept_dr, work->dr, (size_t)rows * sizeof *work->dr);
}


static void restore_direction(ipm *work, int64_t rows)
{
    for (int64_t i = 0; i < work->cone_count; i++) {
        cone *k = &work->cones[i];
        memcpy(k->dx, k->kept_dx, sizeof k->dx);
        memcpy(k->dz, k->kept_dz, sizeof k->dz);
    }
    memcpy(work->dr, work->kept_dr, (size_t)rows * sizeof *work->dr);
}


// The corrector, and others on the same factors with the products of the last one. A point off the central path by a
// share of the gap has its x turned from z by the root of that: the iterates converge with the gap and not with its
// root only if they are well centred.
static rico_status correct_repeatedly(void *user, double sigma, double affine, double *longest)
{
    enum { CORRECTORS = 5 };
    const iteration *now = user;
    ipm *work = now->work;
    int64_t rows = now->p->rows;
    double step = affine, error;
    for (int k = 0; work->cone_count > 0 && k < CORRECTORS; k++) {
        if (k > 0 && step < long_step) break;
        if (k > 0) keep_direction(work, rows);
        correct(work, sigma * now->gap, step * step);
        rico_status status = direction(now->p, work, &error);
        if (status) return status;
        double next = fmin(1.0, reach(work));
        if (k > 0 && !(next >= tolerated * step)) {
            restore_direction(work, rows);
            break;
        }
        step = next;
    }
    *longest = reach(work);
    return RICO_OK;
}


// One iteration; *step is the one taken, 0 if none could be.
rico_status rico_ipm_iterate(rico_problem *p, ipm *work, double fraction, double gap, double *step)
{
    iteration now = {p, work, gap};
    const rico_mehrotra method = {.caution = 1.0,
                                  .fraction = fraction,
                                  .eager = true,
                                  .predict = predict,
                                  .gap_left = gap_left,
                                  .correct = correct_repeatedly,
                                  .user = &now};
    double length;
    *step = 0.0;
    rico_status status = rico_mehrotra_step(&method, &length);
    if (status || !(length > 0.0) || !rico_all_finite(p->rows, work->dr)) return status;
    move(work, p->rows, length);
    *step = length;
    return RICO_OK;
}
