// How the rows of constraints turn: what kinds answer exactly, and differences for those that do not.

#include "model/turning.h"

#include "la/dense.h"

#include <math.h>
#include <string.h>

static const double STRIDE = 0.02; // of differences along the motion: the largest velocity times the time
static const double SMALL_STRIDE = 6e-6; // of those along one velocity: cube root of the round-off

enum { BLOCKS = 3 }; // of H, in `rows`


rico_status rico_turning_create(rico_assembly *assembly, rico_turning_space *out)
{
    memset(out, 0, sizeof *out);
    out->ctx = assembly->ctx;
    out->moved = rico_alloc(out->ctx, assembly->nq, sizeof *out->moved);
    out->along = rico_alloc(out->ctx, assembly->nv, sizeof *out->along);
    return out->moved && out->along ? rico_turning_reserve(assembly, out) : RICO_NO_MEMORY;
}


void rico_turning_destroy(rico_turning_space *space)
{
    if (!space->ctx) return;
    rico_free(space->ctx, space->moved);
    rico_free(space->ctx, space->along);
    rico_free(space->ctx, space->rows);
    rico_free(space->ctx, space->slopes);
    memset(space, 0, sizeof *space);
}


// Rows that are constant and at rest, or whose kind knows: no differences are needed.
static bool exact(const rico_constraint *constraint)
{
    return constraint->kind->turn || (constraint->gradient && !constraint->moves);
}


rico_status rico_turning_reserve(rico_assembly *assembly, rico_turning_space *space)
{
    int64_t rows = 1, slopes = 1;
    for (int64_t c = 0; c < assembly->set.count; c++) {
        const rico_constraint *constraint = assembly->set.constraint[c];
        int64_t n = constraint->dof_count, block = (n + 1) * constraint->size;
        if (exact(constraint)) continue;
        if (BLOCKS * block > rows) rows = BLOCKS * block;
        if (n * block > slopes) slopes = n * block;
    }
    if (rows > space->row_room) {
        if (!rico_renew(space->ctx, &space->rows, rows, sizeof *space->rows)) return RICO_NO_MEMORY;
        space->row_room = rows;
    }
    if (slopes > space->slope_room) {
        if (!rico_renew(space->ctx, &space->slopes, slopes, sizeof *space->slopes)) return RICO_NO_MEMORY;
        space->slope_room = slopes;
    }
    return RICO_OK;
}


static rico_status refuse(const rico_assembly *assembly, const rico_constraint *constraint, double t)
{
    return rico_fail(
        assembly->ctx, RICO_BAD_INPUT,
        "the frame of %s %s is refused or no number beside t = %.17g, where it is differentiated",
        constraint->joint ? "joint" : "contact", constraint->name, t);
}


// The block of H of a constraint and, behind it, its rates, with the system moved by s times `along`.
static rico_status rows_at(rico_assembly *assembly, rico_turning_space *space,
                           const rico_constraint *constraint, double t, const double *q, double s,
                           double *rows)
{
    int64_t n = constraint->dof_count, size = constraint->size;
    double *scratch = assembly->scratch + constraint->scratch_at, *rate = rows + n * size;
    rico_status status = rico_assembly_retract(assembly, t, q, s, space->along, space->moved);
    if (status != RICO_OK) return status;
    if (constraint->gradient)
        memcpy(rows, constraint->gradient, (size_t)(n * size) * sizeof *rows);
    else if (!constraint->kind->frame(constraint, assembly, scratch, t, space->moved, rows))
        return refuse(assembly, constraint, t);
    memset(rate, 0, (size_t)size * sizeof *rate);
    if (constraint->moves && !constraint->kind->rate(constraint, assembly, scratch, t, space->moved, rate))
        return refuse(assembly, constraint, t);
    return rico_all_finite((n + 1) * size, rows) ? RICO_OK : refuse(assembly, constraint, t);
}


// gamma along the motion t + s, q moved by s v: central differences of sixth order. Their stride turns what moves fastest by
// 0.02, which leaves 1e-13 of rows that turn with it.
static rico_status drift(rico_assembly *assembly, rico_turning_space *space,
                         const rico_constraint *constraint, double t, const double *q, double pace,
                         const rico_turning *x)
{
    static const double SIXTH[] = {3.0 / 4.0, -3.0 / 20.0, 1.0 / 60.0};
    int64_t n = constraint->dof_count, size = constraint->size;
    double fastest = rico_norm_inf(n, x->v), stride = constraint->moves ? pace : INFINITY;
    memset(x->gamma, 0, (size_t)size * sizeof *x->gamma);
    if (constraint->kind->drift)
        return constraint->kind->drift(constraint, t, q, x->v, x->gamma) ? RICO_OK
                                                                         : refuse(assembly, constraint, t);
    if (fastest > 0.0) stride = fmin(stride, STRIDE / fastest);
    if (!isfinite(stride)) return RICO_OK;
    memset(space->along, 0, (size_t)assembly->nv * sizeof *space->along);
    for (int64_t i = 0; i < n; i++) space->along[constraint->dof[i]] = x->v[i];
    for (int k = 0; k < 3; k++)
        for (int side = -1; side <= 1; side += 2) {
            double s = side * (k + 1) * stride, weight = side * SIXTH[k] / stride;
            rico_status status =
                rows_at(assembly, space, constraint, constraint->moves ? t + s : t, q, s, space->rows);
            if (status != RICO_OK) return status;
            for (int64_t j = 0; j < size; j++) {
                double u = space->rows[n * size + j];
                for (int64_t i = 0; i < n; i++) u += space->rows[i + j * n] * x->v[i];
                x->gamma[j] += weight * u;
            }
        }
    return RICO_OK;
}


// slopes: for each velocity of the constraint, the derivative of its block of H and of its rates along it.
static rico_status differentiate(rico_assembly *assembly, rico_turning_space *space,
                                 const rico_constraint *constraint, double t, const double *q)
{
    int64_t n = constraint->dof_count, block = (n + 1) * constraint->size;
    double span = rico_norm_inf(assembly->nq, q), stride = SMALL_STRIDE * (span > 0.0 ? span : 1.0);
    double *ahead = space->rows, *behind = space->rows + block;
    memset(space->along, 0, (size_t)assembly->nv * sizeof *space->along);
    for (int64_t i = 0; i < n; i++) {
        space->along[constraint->dof[i]] = 1.0;
        rico_status status = rows_at(assembly, space, constraint, t, q, stride, ahead);
        if (status == RICO_OK) status = rows_at(assembly, space, constraint, t, q, -stride, behind);
        space->along[constraint->dof[i]] = 0.0;
        if (status != RICO_OK) return status;
        for (int64_t k = 0; k < block; k++)
            space->slopes[i * block + k] = (ahead[k] - behind[k]) / (2.0 * stride);
    }
    return RICO_OK;
}


// The tangents from all first derivatives of the rows; those of second order that d gamma/dq has are left out: a step's
// equations do not depend on them, only how soon Newton's loop ends.
static void contract(const rico_constraint *constraint, const double *slopes, const rico_turning *x)
{
    int64_t n = constraint->dof_count, size = constraint->size, block = (n + 1) * size;
    for (int64_t j = 0; j < size; j++)
        for (int64_t i = 0; i < n; i++) {
            double along_v = slopes[i * block + n * size + j], along_a = 0.0, across = 0.0;
            for (int64_t k = 0; k < n; k++) {
                double slope = slopes[i * block + k + j * n];
                along_v += slope * x->v[k];
                along_a += slope * x->a[k];
                across += slopes[k * block + i + j * n] * x->v[k];
            }
            x->Dv[i + j * n] = along_v;
            x->Da[i + j * n] = along_a;
            x->Cv[i + j * n] = along_v + across;
        }
}


static void clear(const rico_constraint *constraint, const rico_turning *x)
{
    size_t bytes = (size_t)(constraint->dof_count * constraint->size) * sizeof *x->gamma;
    memset(x->gamma, 0, (size_t)constraint->size * sizeof *x->gamma);
    if (!x->Dv) return;
    memset(x->Dv, 0, bytes);
    memset(x->Da, 0, bytes);
    memset(x->Cv, 0, bytes);
}


rico_status rico_assembly_turn(rico_assembly *assembly, rico_turning_space *space, int64_t c, double t,
                               const double *q, double pace, const rico_turning *x)
{
    const rico_constraint *constraint = assembly->set.constraint[c];
    double *scratch = assembly->scratch + constraint->scratch_at;
    clear(constraint, x);
    if (constraint->gradient && !constraint->moves) return RICO_OK;
    if (constraint->kind->turn) {
        if (constraint->kind->turn(constraint, assembly, scratch, t, q, x) &&
            rico_all_finite(constraint->size, x->gamma))
            return RICO_OK;
        return refuse(assembly, constraint, t);
    }
    rico_status status = drift(assembly, space, constraint, t, q, pace, x);
    if (status != RICO_OK || !x->Dv || constraint->gradient) return status;
    status = differentiate(assembly, space, constraint, t, q);
    if (status == RICO_OK) contract(constraint, space->slopes, x);
    return status;
}


rico_status rico_assembly_bend(rico_assembly *assembly, rico_turning_space *space, int64_t c, double t,
                               const double *q, const double *force, double *L)
{
    const rico_constraint *constraint = assembly->set.constraint[c];
    int64_t n = constraint->dof_count, size = constraint->size, block = (n + 1) * size;
    double *scratch = assembly->scratch + constraint->scratch_at;
    memset(L, 0, (size_t)(n * n) * sizeof *L);
    if (constraint->gradient) return RICO_OK;
    if (constraint->kind->bend)
        return constraint->kind->bend(constraint, assembly, scratch, t, q, force, L)
                   ? RICO_OK
                   : refuse(assembly, constraint, t);
    rico_status status = differentiate(assembly, space, constraint, t, q);
    for (int64_t i = 0; status == RICO_OK && i < n; i++)
        for (int64_t j = 0; j < size; j++)
            for (int64_t k = 0; k < n; k++) L[k + i * n] += force[j] * space->slopes[i * block + k + j * n];
    return status;
}
