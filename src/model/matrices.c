// Parts given by constant matrices: M dv + (K q + C v) dt = F(t) dt.

#include "la/dense.h"
#include "model/add.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct matrices {
    double *M, *K, *C; // values on the part's pattern
    double *force;     // constant load or NULL
    rico_load_function load;
    void *user;
    rico_scratch_load scratch_load; // in its place
    int dimension;                  // of its nodes, 0: no points
    double *reference;              // where they stand
} matrices;


// y -= A x, with the values of A on the part's pattern.
static void subtract(const rico_csc *pattern, const double *value, const double *x, double *y)
{
    for (int64_t j = 0; j < pattern->cols; j++)
        for (int64_t k = pattern->start[j]; k < pattern->start[j + 1]; k++)
            y[pattern->row[k]] -= value[k] * x[j];
}


// The same with a symmetric A, whose columns are its rows: no entry of y waits for another.
static void subtract_symmetric(const rico_csc *pattern, const double *value, const double *x, double *y)
{
    for (int64_t j = 0; j < pattern->cols; j++) {
        double sum = 0.0;
        for (int64_t k = pattern->start[j]; k < pattern->start[j + 1]; k++)
            sum += value[k] * x[pattern->row[k]];
        y[j] -= sum;
    }
}


static bool mass(const rico_part *part, double *scratch, const double *q, double *value)
{
    (void)scratch, (void)q;
    const matrices *own = part->data;
    memcpy(value, own->M, (size_t)rico_csc_count(&part->pattern) * sizeof *value);
    return true;
}


static bool load(const rico_part *part, double *scratch, double t, double *f)
{
    const matrices *own = part->data;
    int64_t n = part->place.v_size;
    if (own->force) rico_axpy(n, 1.0, own->force, f);
    if (own->scratch_load.fill) {
        if (!own->scratch_load.fill(own->scratch_load.user, scratch + n, t, scratch)) return false;
    } else if (!own->load) {
        return true;
    } else if (!own->load(own->user, t, scratch)) {
        return false;
    }
    rico_axpy(n, 1.0, scratch, f);
    return true;
}


static void prepare(const rico_part *part, double *scratch)
{
    const matrices *own = part->data;
    if (own->scratch_load.prepare)
        own->scratch_load.prepare(own->scratch_load.user, scratch + part->place.v_size);
}


void rico_matrices_set_load(rico_part *part, const rico_scratch_load *load)
{
    matrices *own = part->data;
    own->scratch_load = *load;
    part->scratch = part->place.v_size + load->scratch;
    part->loaded = true;
    part->constant_load = false;
}


static bool forces(const rico_part *part, double *scratch, double t, const double *q, const double *v,
                   double *applied, double *damping, double *conservative)
{
    (void)scratch, (void)t, (void)applied;
    const matrices *own = part->data;
    if (part->damped) subtract(&part->pattern, own->C, v, damping);
    if (part->stiff) subtract_symmetric(&part->pattern, own->K, q, conservative);
    return true;
}


static bool tangents(const rico_part *part, double *scratch, double t, const double *q, const double *v,
                     double *K, double *C)
{
    (void)scratch, (void)t, (void)q, (void)v;
    const matrices *own = part->data;
    size_t bytes = (size_t)rico_csc_count(&part->pattern) * sizeof *K;
    memcpy(K, own->K, bytes);
    memcpy(C, own->C, bytes);
    return true;
}


static bool potential(const rico_part *part, double *scratch, const double *q, double *V)
{
    (void)scratch;
    const matrices *own = part->data;
    double sum = 0.0;
    if (part->stiff)
        for (int64_t j = 0; j < part->pattern.cols; j++) {
            double column = 0.0;
            for (int64_t k = part->pattern.start[j]; k < part->pattern.start[j + 1]; k++)
                column += own->K[k] * q[part->pattern.row[k]];
            sum += column * q[j];
        }
    *V = 0.5 * sum;
    return true;
}


static bool retract(const rico_part *part, double *scratch, const double *q, double h, const double *v,
                    double *out)
{
    (void)scratch;
    for (int64_t i = 0; i < part->place.v_size; i++) out[i] = q[i] + h * v[i];
    return true;
}


static void release(rico_part *part)
{
    matrices *own = part->data;
    if (!own) return;
    rico_free(part->ctx, own->M);
    rico_free(part->ctx, own->K);
    rico_free(part->ctx, own->C);
    rico_free(part->ctx, own->force);
    rico_free(part->ctx, own->reference);
    rico_free(part->ctx, own);
}


// --- points: nodes with as many displacements as there are dimensions ------------------------------------------------

static int64_t point_reach(const rico_part *part, const rico_point *point, int64_t *dof)
{
    const matrices *own = part->data;
    if (point->item < 0 || (point->item + 1) * own->dimension > part->place.v_size) return -1;
    for (int i = 0; i < own->dimension; i++) dof[i] = point->item * own->dimension + i;
    return own->dimension;
}


static bool point_at(const rico_part *part, const double *q, const rico_point *point, double *x)
{
    const matrices *own = part->data;
    for (int i = 0; i < 3; i++) x[i] = point->local[i];
    for (int i = 0; i < own->dimension; i++) {
        int64_t at = point->item * own->dimension + i;
        x[i] += own->reference[at] + q[at];
    }
    return true;
}


static bool point_rows(const rico_part *part, const double *q, const rico_point *point, const double *frame,
                       int size, double *rows)
{
    (void)q, (void)point;
    const matrices *own = part->data;
    for (int j = 0; j < size; j++)
        for (int i = 0; i < own->dimension; i++) rows[i + j * own->dimension] = frame[3 * j + i];
    return true;
}


static const rico_part_kind MATRICES = {.point_reach = point_reach,
                                        .point = point_at,
                                        .point_rows = point_rows,
                                        .prepare = prepare,
                                        .mass = mass,
                                        .load = load,
                                        .forces = forces,
                                        .tangents = tangents,
                                        .potential = potential,
                                        .retract = retract,
                                        .release = release};


// One of the matrices, checked; an empty view is a zero matrix.
static rico_status take(rico_context *ctx, const char *name, char letter, int64_t n,
                        const rico_sparse_view *view, rico_csc *out)
{
    char label[128];
    snprintf(label, sizeof label, "%c of %s", letter, name);
    rico_sparse_view empty = {n, n, NULL, NULL, NULL};
    rico_status status;
    if (!view->start && letter != 'M') {
        int64_t *zeros = rico_alloc(ctx, n + 1, sizeof *zeros);
        if (!zeros) return RICO_NO_MEMORY;
        empty.start = zeros;
        status = rico_csc_from_view(ctx, label, &empty, out);
        rico_free(ctx, zeros);
    } else if (view->rows != n || view->cols != n) {
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "%s is %lld x %lld, expected %lld x %lld", label,
                         (long long)view->rows, (long long)view->cols, (long long)n, (long long)n);
    } else {
        status = rico_csc_from_view(ctx, label, view, out);
    }
    if (status != RICO_OK || letter == 'C') return status;
    double defect = rico_csc_symmetry_defect(out);
    if (defect < 0.0) status = RICO_NO_MEMORY;
    if (defect > 1e-12)
        status = rico_fail(ctx, RICO_BAD_INPUT, "%s is not symmetric: |%c - %c'| / |%c| = %.3g", label,
                           letter, letter, letter, defect);
    if (status != RICO_OK) rico_csc_destroy(out);
    return status;
}


// The union of three patterns, by adding the matrices' absolute ones.
static rico_status unite(rico_context *ctx, const rico_csc *matrix[3], rico_csc *out)
{
    int64_t total = 0, at = 0;
    for (int m = 0; m < 3; m++) total += rico_csc_count(matrix[m]);
    int64_t *row = rico_alloc(ctx, total, sizeof *row), *col = rico_alloc(ctx, total, sizeof *col);
    double *value = rico_alloc(ctx, total, sizeof *value);
    rico_status status = RICO_NO_MEMORY;
    if (row && col && value) {
        for (int m = 0; m < 3; m++)
            for (int64_t j = 0; j < matrix[m]->cols; j++)
                for (int64_t k = matrix[m]->start[j]; k < matrix[m]->start[j + 1]; k++) {
                    row[at] = matrix[m]->row[k];
                    col[at] = j;
                    value[at++] = 1.0;
                }
        int64_t n = matrix[0]->rows;
        status = rico_csc_from_triplets(ctx, "pattern", n, n, total, row, col, value, out);
    }
    rico_free(ctx, row);
    rico_free(ctx, col);
    rico_free(ctx, value);
    return status;
}


// The values of a on the larger pattern.
static double *spread(rico_context *ctx, const rico_csc *pattern, const rico_csc *a)
{
    double *value = rico_alloc(ctx, rico_csc_count(pattern), sizeof *value);
    if (!value) return NULL;
    for (int64_t j = 0; j < a->cols; j++) {
        int64_t at = pattern->start[j];
        for (int64_t k = a->start[j]; k < a->start[j + 1]; k++) {
            while (pattern->row[at] != a->row[k]) at++;
            value[at] = a->value[k];
        }
    }
    return value;
}


static rico_status fill(rico_part *part, const rico_matrix_part *given, const rico_csc *M, const rico_csc *K,
                        const rico_csc *C)
{
    rico_context *ctx = part->ctx;
    matrices *own = part->data = rico_alloc(ctx, 1, sizeof *own);
    if (!own) return RICO_NO_MEMORY;
    const rico_csc *all[3] = {M, K, C};
    rico_status status = unite(ctx, all, &part->pattern);
    if (status != RICO_OK) return status;
    own->M = spread(ctx, &part->pattern, M);
    own->K = spread(ctx, &part->pattern, K);
    own->C = spread(ctx, &part->pattern, C);
    own->reference = rico_alloc(ctx, given->size, sizeof *own->reference);
    if (!own->M || !own->K || !own->C || !own->reference) return RICO_NO_MEMORY;
    if (given->reference)
        memcpy(own->reference, given->reference, (size_t)given->size * sizeof *own->reference);
    own->dimension = given->dimension;
    part->point_reach = given->dimension;
    if (given->force) {
        own->force = rico_alloc(ctx, given->size, sizeof *own->force);
        if (!own->force) return RICO_NO_MEMORY;
        memcpy(own->force, given->force, (size_t)given->size * sizeof *own->force);
    }
    own->load = given->load;
    own->user = given->user;
    part->constant_mass = part->constant_tangents = true;
    part->symmetric = rico_csc_symmetry_defect(C) <= 1e-12;
    part->damped = rico_csc_count(C) > 0;
    part->stiff = rico_csc_count(K) > 0;
    part->loaded = given->force || given->load;
    part->constant_load = !given->load;
    part->trusted = true;
    part->idle = !part->damped && !part->stiff;
    part->scratch = given->load ? given->size : 0;
    return RICO_OK;
}


static rico_status check_points(rico_context *ctx, const char *name, const rico_matrix_part *given)
{
    if (given->dimension < 0 || given->dimension > 3)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "part %s has points of dimension %d, expected 0 to 3", name,
                         given->dimension);
    if (given->dimension > 0 && given->size % given->dimension != 0)
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "part %s has %lld velocities, no multiple of its dimension %d", name,
                         (long long)given->size, given->dimension);
    for (int64_t i = 0; given->reference && i < given->size; i++)
        if (!isfinite(given->reference[i]))
            return rico_fail(ctx, RICO_BAD_INPUT, "reference[%lld] of part %s is %g", (long long)i, name,
                             given->reference[i]);
    return RICO_OK;
}


rico_status rico_system_add_matrices(rico_system *system, const char *name, const rico_matrix_part *given,
                                     rico_place *place)
{
    rico_context *ctx = system->ctx;
    if (given->size < 1)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "part %s has %lld velocities, expected at least 1", name,
                         (long long)given->size);
    for (int64_t i = 0; given->force && i < given->size; i++)
        if (!isfinite(given->force[i]))
            return rico_fail(ctx, RICO_BAD_INPUT, "force[%lld] of part %s is %g", (long long)i, name,
                             given->force[i]);

    rico_csc M = {0}, K = {0}, C = {0};
    rico_part *part = NULL;
    rico_status status = check_points(ctx, name, given);
    if (status == RICO_OK) status = take(ctx, name, 'M', given->size, &given->M, &M);
    if (status == RICO_OK) status = take(ctx, name, 'K', given->size, &given->K, &K);
    if (status == RICO_OK) status = take(ctx, name, 'C', given->size, &given->C, &C);
    if (status == RICO_OK) status = rico_part_create(system, name, &MATRICES, &part);
    if (status == RICO_OK) status = fill(part, given, &M, &K, &C);
    if (status == RICO_OK) status = rico_part_add(system, part, given->size, given->size, place);
    if (status != RICO_OK) rico_part_destroy(part);
    rico_csc_destroy(&M);
    rico_csc_destroy(&K);
    rico_csc_destroy(&C);
    return status;
}
