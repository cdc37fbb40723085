// Cone programs by the homogeneous self-dual embedding: data, scaling, the iteration and its verdicts. See cone_program.h.

#include "limit/cone_program.h"

#include "la/blas.h"
#include "limit/cone_program_private.h"
#include "solve/mehrotra.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ITERATIONS = 150, PATIENCE = 12 };
static const double SOLVED = 1e-13; // largest error at which the iteration ends
static const double WELL = 1e-10;   // below which an error that grows ends it
static const double ACCEPTED =
    1e-8; // at which the best point still counts as a solution when nothing gets better
static const double LEAST_VALUE = 1e-3; // scaled: below it the gap counts as it is
static const double PROVED = 1e-9;      // what may be left of A'y + s for b'y = 1, or of A x for c'x = -1
static const double SUSPECT = 1e-6;     // the same, when the iteration has ended for want of progress
static const double FRACTION = 0.995;   // of the way to the boundary


// --- data ----------------------------------------------------------------------------------------------------------

static double safe(double largest)
{
    return largest > 0.0 ? 1.0 / largest : 1.0;
}


// Rows to a largest entry of 1, then the columns of each part by one number, twice: bodies of any size and loads of any unit look alike.
static void scale(rico_cone_program *p)
{
    rico_csc *A = &p->A;
    for (int64_t i = 0; i < p->rows; i++) p->row_scale[i] = 1.0;
    for (int64_t j = 0; j < p->cols; j++) p->col_scale[j] = 1.0;
    double *largest = p->y; // not yet in use
    for (int turn = 0; turn < 2; turn++) {
        memset(largest, 0, (size_t)p->rows * sizeof *largest);
        for (int64_t k = 0; k < rico_csc_count(A); k++)
            largest[A->row[k]] = fmax(largest[A->row[k]], fabs(A->value[k]));
        for (int64_t i = 0; i < p->rows; i++) p->row_scale[i] *= safe(largest[i]);
        for (int64_t k = 0; k < rico_csc_count(A); k++) A->value[k] *= safe(largest[A->row[k]]);
        for (int64_t k = 0; k < p->part_count; k++) {
            int64_t first = p->part[k].column, last = first + p->part[k].size;
            double most = 0.0;
            for (int64_t at = A->start[first]; at < A->start[last]; at++)
                most = fmax(most, fabs(A->value[at]));
            for (int64_t at = A->start[first]; at < A->start[last]; at++) A->value[at] *= safe(most);
            for (int64_t j = first; j < last; j++) p->col_scale[j] *= safe(most);
        }
    }
    memset(largest, 0, (size_t)p->rows * sizeof *largest);
}


static double largest_of(int64_t count, const double *x)
{
    double most = 0.0;
    for (int64_t i = 0; i < count; i++) most = fmax(most, fabs(x[i]));
    return most;
}


static rico_status allocate(rico_cone_program *p)
{
    int64_t m = p->rows, n = p->cols;
    int64_t sizes[] = {m, n, m, n, n, m, n, m, n, n, m, n, m, n, m, 2 * n, m, 2 * n + m, m};
    double **vector[] = {&p->row_scale, &p->col_scale, &p->b,  &p->c,    &p->x,    &p->y,  &p->s,
                         &p->rp,        &p->rd,        &p->x1, &p->y1,   &p->x2,   &p->y2, &p->r1,
                         &p->r2,        &p->flat,      &p->dy, &p->best, &p->proof};
    int64_t total = 0;
    enum { COUNT = sizeof sizes / sizeof *sizes };
    for (int i = 0; i < COUNT; i++) total += sizes[i];
    p->memory = rico_alloc(p->ctx, total, sizeof *p->memory);
    if (!p->memory) return RICO_NO_MEMORY;
    total = 0;
    for (int i = 0; i < COUNT; i++) {
        *vector[i] = p->memory + total;
        total += sizes[i];
    }
    return RICO_OK;
}


rico_status rico_cone_program_create(rico_context *ctx, const rico_csc *A, const double *b,
                                     int64_t part_count, const rico_cone_program_kind *kind,
                                     rico_cone_program **out)
{
    rico_cone_program *p = rico_alloc(ctx, 1, sizeof *p);
    if (!p) return RICO_NO_MEMORY;
    p->ctx = ctx;
    p->rows = A->rows;
    p->cols = A->cols;
    p->part_count = part_count;
    p->part = rico_alloc(ctx, part_count, sizeof *p->part);
    rico_status status = p->part ? rico_csc_copy(A, &p->A) : RICO_NO_MEMORY;
    if (status == RICO_OK) status = allocate(p);
    int64_t column = 0;
    for (int64_t k = 0; status == RICO_OK && k < part_count; k++) {
        int size = kind[k] == RICO_PROGRAM_CONE ? 3 : 1;
        p->part[k] = (rico_cone_program_part){.kind = kind[k], .column = column, .size = size};
        p->degree += kind[k] != RICO_PROGRAM_FREE;
        column += size;
    }
    if (status == RICO_OK && column != p->cols)
        status = rico_fail(ctx, RICO_INTERNAL, "a cone program of %lld columns with parts for %lld",
                           (long long)p->cols, (long long)column);
    if (status == RICO_OK) {
        scale(p);
        for (int64_t i = 0; i < p->rows; i++) p->b[i] = p->row_scale[i] * b[i];
        p->b_scale = largest_of(p->rows, p->b);
        for (int64_t i = 0; i < p->rows; i++) p->b[i] *= safe(p->b_scale);
        if (p->b_scale == 0.0) p->b_scale = 1.0;
        status = rico_cone_program_lay_out(p);
        if (status == RICO_OK) status = rico_cone_program_contradiction(p, p->proof, &p->contradiction);
    }
    if (status != RICO_OK) {
        rico_cone_program_destroy(p);
        return status;
    }
    *out = p;
    return RICO_OK;
}


void rico_cone_program_destroy(rico_cone_program *p)
{
    if (!p) return;
    rico_cone_program_release_system(p);
    rico_csc_destroy(&p->A);
    rico_free(p->ctx, p->part);
    rico_free(p->ctx, p->memory);
    rico_free(p->ctx, p);
}


// --- the point -----------------------------------------------------------------------------------------------------

static void begin(rico_cone_program *p, const double *c)
{
    for (int64_t j = 0; j < p->cols; j++) p->c[j] = p->col_scale[j] * c[j];
    p->c_scale = largest_of(p->cols, p->c);
    for (int64_t j = 0; j < p->cols; j++) p->c[j] *= safe(p->c_scale);
    if (p->c_scale == 0.0) p->c_scale = 1.0;
    memset(p->y, 0, (size_t)p->rows * sizeof *p->y);
    for (int64_t k = 0; k < p->part_count; k++)
        p->part[k].x = p->part[k].s = (rico_lorentz_point){.depth = 1.0};
    memset(p->x, 0, (size_t)p->cols * sizeof *p->x);
    p->tau = p->kappa = 1.0;
}


// Plain x and s from the points; free parts keep theirs in x.
static void spread(rico_cone_program *p)
{
    for (int64_t k = 0; k < p->part_count; k++) {
        const rico_cone_program_part *part = &p->part[k];
        double *x = p->x + part->column, *s = p->s + part->column;
        s[0] = 0.0;
        if (part->kind == RICO_PROGRAM_FREE) continue;
        x[0] = rico_lorentz_point_normal(&part->x);
        s[0] = rico_lorentz_point_normal(&part->s);
        for (int i = 1; i < part->size; i++) {
            x[i] = part->x.t[i - 1];
            s[i] = part->s.t[i - 1];
        }
    }
}


static double dot(int64_t count, const double *x, const double *y)
{
    double sum = 0.0;
    for (int64_t i = 0; i < count; i++) sum += x[i] * y[i];
    return sum;
}


static void measure(rico_cone_program *p)
{
    double inner = p->tau * p->kappa;
    spread(p);
    for (int64_t k = 0; k < p->part_count; k++)
        if (p->part[k].kind != RICO_PROGRAM_FREE)
            inner += rico_lorentz_point_inner(&p->part[k].x, &p->part[k].s);
    p->mu = inner / (double)(p->degree + 1);
    for (int64_t i = 0; i < p->rows; i++) p->rp[i] = p->b[i] * p->tau;
    rico_csc_times(&p->A, -1.0, p->x, 1.0, p->rp);
    for (int64_t j = 0; j < p->cols; j++) p->rd[j] = p->c[j] * p->tau - p->s[j];
    rico_csc_transpose_times(&p->A, -1.0, p->y, 1.0, p->rd);
    p->rg = p->kappa + dot(p->cols, p->c, p->x) - dot(p->rows, p->b, p->y);
}


// --- the step ------------------------------------------------------------------------------------------------------

static void scale_parts(rico_cone_program *p)
{
    for (int64_t k = 0; k < p->part_count; k++) {
        rico_cone_program_part *part = &p->part[k];
        if (part->kind == RICO_PROGRAM_RAY) {
            part->frame.s[0] = sqrt(part->s.depth / part->x.depth);
            part->lambda[0] = sqrt(part->s.depth) * sqrt(part->x.depth);
        }
        if (part->kind == RICO_PROGRAM_CONE) rico_nt_scale(&part->x, &part->s, &part->frame, part->lambda);
    }
}


// target with lambda.target = centre e - lambda.lambda - S dx.S^-1 ds, the last with the predictor's direction.
static void aim(rico_cone_program_part *part, double centre, bool corrected)
{
    static const double ONE[3] = {0.70710678118654752440, 0.70710678118654752440, 0.0};
    double a[3], b[3], right[3], both[3] = {0.0};
    if (part->kind == RICO_PROGRAM_RAY) {
        double second = corrected ? part->dx[0] * part->ds[0] : 0.0;
        part->target[0] = (centre - second) / part->lambda[0] - part->lambda[0];
        return;
    }
    for (int i = 0; i < 3; i++) {
        a[i] = part->frame.s[i] * part->dx[i];
        b[i] = part->ds[i] / part->frame.s[i];
    }
    if (corrected) rico_nt_product(a, b, both);
    for (int i = 0; i < 3; i++) right[i] = centre * ONE[i] - both[i];
    rico_nt_divide(part->lambda, right, part->target);
    for (int i = 0; i < 3; i++) part->target[i] -= part->lambda[i];
}


static double reach_of(const rico_cone_program_part *part)
{
    if (part->kind == RICO_PROGRAM_RAY) {
        double x = part->dx[0] < 0.0 ? -part->x.depth / part->dx[0] : INFINITY;
        double s = part->ds[0] < 0.0 ? -part->s.depth / part->ds[0] : INFINITY;
        return fmin(x, s);
    }
    return fmin(rico_nt_reach(&part->frame, &part->x, part->dx),
                rico_nt_reach(&part->frame, &part->s, part->ds));
}


// The direction towards centre mu, with residuals lowered by the share `lower`.
static rico_status direction(rico_cone_program *p, double centre, double lower, bool corrected, double *reach)
{
    double second = corrected ? p->dtau * p->dkappa : 0.0;
    double *coordinates = p->flat;
    rico_cone_program_to_frames(p, p->rd, coordinates);
    for (int64_t k = 0; k < p->part_count; k++) {
        rico_cone_program_part *part = &p->part[k];
        bool free = part->kind == RICO_PROGRAM_FREE;
        if (!free) aim(part, centre, corrected);
        for (int i = 0; i < part->size; i++)
            p->r1[part->column + i] =
                (free ? 0.0 : part->frame.s[i] * part->target[i]) - lower * coordinates[part->column + i];
    }
    for (int64_t i = 0; i < p->rows; i++) p->r2[i] = lower * p->rp[i];
    rico_status status = rico_cone_program_kkt(p, p->r1, p->r2, p->x2, p->y2);
    if (status != RICO_OK) return status;

    double *c = p->r1; // in coordinates
    rico_cone_program_to_frames(p, p->c, c);
    double goal = centre - p->tau * p->kappa - second;
    double below = dot(p->rows, p->b, p->y1) - dot(p->cols, c, p->x1) + p->kappa / p->tau;
    double above = lower * p->rg + goal / p->tau - dot(p->rows, p->b, p->y2) + dot(p->cols, c, p->x2);
    p->dtau = above / below;
    p->dkappa = (goal - p->kappa * p->dtau) / p->tau;
    for (int64_t i = 0; i < p->rows; i++) p->dy[i] = p->y2[i] + p->dtau * p->y1[i];
    *reach = fmin(p->dtau < 0.0 ? -p->tau / p->dtau : INFINITY,
                  p->dkappa < 0.0 ? -p->kappa / p->dkappa : INFINITY);
    for (int64_t k = 0; k < p->part_count; k++) {
        rico_cone_program_part *part = &p->part[k];
        for (int i = 0; i < part->size; i++) {
            double s = part->frame.s[i];
            part->dx[i] = p->x2[part->column + i] + p->dtau * p->x1[part->column + i];
            part->ds[i] = part->kind == RICO_PROGRAM_FREE ? 0.0 : s * (part->target[i] - s * part->dx[i]);
        }
        if (part->kind != RICO_PROGRAM_FREE) *reach = fmin(*reach, reach_of(part));
    }
    return isfinite(p->dtau) && *reach == *reach ? RICO_OK : RICO_SINGULAR;
}


static rico_status predict(void *user, double *reach)
{
    return direction(user, 0.0, 1.0, false, reach);
}


static double gap_left(void *user, double step)
{
    const rico_cone_program *p = user;
    double inner = (p->tau + step * p->dtau) * (p->kappa + step * p->dkappa);
    for (int64_t k = 0; k < p->part_count; k++) {
        const rico_cone_program_part *part = &p->part[k];
        if (part->kind == RICO_PROGRAM_RAY)
            inner += (part->x.depth + step * part->dx[0]) * (part->s.depth + step * part->ds[0]);
        if (part->kind == RICO_PROGRAM_CONE) {
            double x[3], s[3];
            rico_nt_point(&part->frame, &part->x, x);
            rico_nt_point(&part->frame, &part->s, s);
            for (int i = 0; i < 3; i++) inner += (x[i] + step * part->dx[i]) * (s[i] + step * part->ds[i]);
        }
    }
    return fmax(0.0, inner / (double)(p->degree + 1) / p->mu);
}


static rico_status correct(void *user, double sigma, double step, double *reach)
{
    rico_cone_program *p = user;
    (void)step;
    return direction(p, sigma * p->mu, 1.0 - sigma, true, reach);
}


static void take(rico_cone_program *p, double step)
{
    for (int64_t k = 0; k < p->part_count; k++) {
        rico_cone_program_part *part = &p->part[k];
        if (part->kind == RICO_PROGRAM_FREE) p->x[part->column] += step * part->dx[0];
        if (part->kind == RICO_PROGRAM_RAY) {
            part->x.depth += step * part->dx[0];
            part->s.depth += step * part->ds[0];
        }
        if (part->kind == RICO_PROGRAM_CONE) {
            rico_nt_move(&part->frame, step, part->dx, &part->x);
            rico_nt_move(&part->frame, step, part->ds, &part->s);
        }
    }
    for (int64_t i = 0; i < p->rows; i++) p->y[i] += step * p->dy[i];
    p->tau += step * p->dtau;
    p->kappa += step * p->dkappa;
}


static rico_status iterate(rico_cone_program *p, double *step)
{
    *step = 0.0;
    scale_parts(p);
    rico_status status = rico_cone_program_factor(p);
    if (status != RICO_OK) return status;
    for (int64_t j = 0; j < p->cols; j++) p->x2[j] = -p->c[j];
    rico_cone_program_to_frames(p, p->x2, p->r1);
    status = rico_cone_program_kkt(p, p->r1, p->b, p->x1, p->y1);
    rico_mehrotra method = {.caution = 1.0,
                            .fraction = FRACTION,
                            .eager = true,
                            .predict = predict,
                            .gap_left = gap_left,
                            .correct = correct,
                            .user = p};
    if (status == RICO_OK) status = rico_mehrotra_step(&method, step);
    if (status == RICO_OK && *step > 0.0) take(p, *step);
    return status;
}


// --- the verdict ---------------------------------------------------------------------------------------------------

// How good the point is as a solution, as a proof of infeasibility and as a ray: what is left in each, INFINITY where it is none.
typedef struct verdict {
    double solution, proof, ray;
    double value, bound; // scaled
} verdict;


static verdict judge(rico_cone_program *p)
{
    double cx = dot(p->cols, p->c, p->x), by = dot(p->rows, p->b, p->y);
    verdict v = {.value = cx / p->tau, .bound = by / p->tau, .proof = INFINITY, .ray = INFINITY};
    double primal = largest_of(p->rows, p->rp) / p->tau / fmax(1.0, largest_of(p->rows, p->b)),
           dual = largest_of(p->cols, p->rd) / p->tau / fmax(1.0, largest_of(p->cols, p->c));
    double gap = fabs(v.value - v.bound) / fmax(LEAST_VALUE, fmin(fabs(v.value), fabs(v.bound)));
    v.solution = fmax(gap, fmax(primal, dual));
    if (by > 0.0) {
        double left = 0.0; // A'y + s = c tau - rd
        for (int64_t j = 0; j < p->cols; j++) left = fmax(left, fabs(p->c[j] * p->tau - p->rd[j]));
        v.proof = left / by;
    }
    if (cx < 0.0) {
        double left = 0.0;
        for (int64_t i = 0; i < p->rows; i++) left = fmax(left, fabs(p->b[i] * p->tau - p->rp[i]));
        v.ray = left / -cx;
    }
    return v;
}


static void keep(rico_cone_program *p, double factor)
{
    double *x = p->best, *s = x + p->cols, *y = s + p->cols;
    for (int64_t j = 0; j < p->cols; j++) {
        x[j] = factor * p->x[j] * p->col_scale[j] * p->b_scale;
        s[j] = factor * p->s[j] / p->col_scale[j] * p->c_scale;
    }
    for (int64_t i = 0; i < p->rows; i++) y[i] = factor * p->y[i] * p->row_scale[i] * p->c_scale;
}


static void conclude(rico_cone_program *p, rico_cone_program_finding finding, const verdict *v,
                     int64_t iterations, rico_cone_program_answer *out)
{
    double unit = p->b_scale * p->c_scale;
    *out = (rico_cone_program_answer){.finding = finding,
                                      .value = v->value * unit,
                                      .bound = v->bound * unit,
                                      .accuracy = v->solution,
                                      .iterations = iterations,
                                      .x = p->best,
                                      .s = p->best + p->cols,
                                      .y = p->best + 2 * p->cols};
    if (finding == RICO_PROGRAM_INFEASIBLE) {
        keep(p, 1.0 / (dot(p->rows, p->b, p->y) * unit));
        out->accuracy = v->proof;
        out->value = out->bound = NAN;
    }
    if (finding == RICO_PROGRAM_UNBOUNDED) {
        keep(p, -1.0 / (dot(p->cols, p->c, p->x) * unit));
        out->accuracy = v->ray;
        out->value = out->bound = -INFINITY;
    }
}


rico_status rico_cone_program_solve(rico_cone_program *p, const double *c, rico_cone_program_answer *out)
{
    verdict best = {.solution = INFINITY}, v = {0};
    int64_t k = 0, waited = 0;
    double step = 1.0, mark = INFINITY; // mark: the error when progress was last made
    rico_status status = RICO_OK;
    bool held = rico_blas_hold(), proof = false, ray = false;
    begin(p, c);
    p->system.lost = p->system.allowed = false;
    if (p->contradiction) {
        memcpy(p->y, p->proof, (size_t)p->rows * sizeof *p->y);
        memset(p->s, 0, (size_t)p->cols * sizeof *p->s);
        rico_blas_release(held);
        conclude(p, RICO_PROGRAM_INFEASIBLE, &v, 0, out);
        return RICO_OK;
    }
    for (; k < ITERATIONS; k++) {
        measure(p);
        v = judge(p);
        if (rico_log_wanted(p->ctx, RICO_LOG_DEBUG))
            rico_log(p->ctx, RICO_LOG_DEBUG,
                     "program %3lld: solution %.1e proof %.1e ray %.1e value %.15g tau %.1e kappa %.1e mu "
                     "%.1e step %.3g",
                     (long long)k, v.solution, v.proof, v.ray, v.value * p->b_scale * p->c_scale, p->tau,
                     p->kappa, p->mu, step);
        waited++;
        if (v.solution < best.solution) {
            if (v.solution < 0.5 * mark) waited = 0, mark = v.solution;
            best = v;
            keep(p, 1.0 / p->tau);
        }
        // worse, and never good: the normal equations have lost their digits, the whole system from here on
        if (!p->system.allowed && v.solution > 10.0 * best.solution && best.solution > WELL) {
            p->system.allowed = true;
            waited = 0;
            mark = v.solution;
        }
        // digits end where the error grows again
        bool turned = best.solution <= WELL && (v.solution > 4.0 * best.solution || waited > 2);
        proof = v.proof <= PROVED && v.proof < v.solution;
        ray = v.ray <= PROVED && v.ray < v.solution;
        if (best.solution <= SOLVED || turned || proof || ray || waited > PATIENCE ||
            rico_context_interrupted(p->ctx))
            break;
        status = iterate(p, &step);
        if (status != RICO_OK || !(step > 1e-9)) break;
    }
    rico_blas_release(held);
    if (rico_context_interrupted(p->ctx)) return rico_fail(p->ctx, RICO_INTERRUPTED, "interrupted");
    // numbers that left the range of doubles end the iterations as a singular matrix does
    if (status != RICO_OK && status != RICO_SINGULAR && status != RICO_BAD_INPUT) return status;
    if (best.solution <= ACCEPTED) {
        conclude(p, RICO_PROGRAM_OPTIMAL, &best, k, out);
        return RICO_OK;
    }
    if (!proof && !ray) { // out of digits: what is left decides
        proof = v.proof <= SUSPECT && v.proof < v.ray;
        ray = v.ray <= SUSPECT && !proof;
    }
    conclude(p,
             proof ? RICO_PROGRAM_INFEASIBLE
             : ray ? RICO_PROGRAM_UNBOUNDED
                   : RICO_PROGRAM_UNSURE,
             proof || ray ? &v : &best, k, out);
    return RICO_OK;
}
