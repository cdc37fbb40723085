// The linear systems of a cone program: normal equations, borders for dense columns, refinement.
//
// S^2 X - A'Y = r1, A X = r2 is solved by M Y = r2 - A S^-2 r1 with M = A S^-2 A', which has a row for each equation alone. A free part
// has S = 0; M holds a large weight in its place, and refinement against the true system takes its error away, together with that
// of the shift which keeps M definite where equations depend on one another. A column with many entries (the load, which acts on every
// body) would fill M: it is a border instead (Sherman, Morrison and Woodbury).

#include "la/dense.h"
#include "limit/cone_program_private.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    DENSE_ENTRIES = 48,
    DENSE_MOST = 16,
    DISSECTED = 1500,
    REFINEMENTS = 6,
    SHIFTS = 6,
    SMALL_ROWS = 150,
    SMALL_WORK = 6000000
};
static const double SMALL_FREE_WEIGHT = 1e10;
static const double FREE_WEIGHT = 1e6;   // of free parts, over what M has in their rows
static const double FIRST_SHIFT = 1e-14; // of the diagonal, relative
static const double LOST = 1e-8;         // beyond which the whole system is factored
static const double REFINED = 1e-10;     // relative residual at which refinement ends


void rico_cone_program_to_frames(const rico_cone_program *p, const double *plain, double *coordinates)
{
    for (int64_t k = 0; k < p->part_count; k++) {
        const rico_cone_program_part *part = &p->part[k];
        if (part->kind == RICO_PROGRAM_CONE)
            rico_nt_coordinates(&part->frame, plain + part->column, coordinates + part->column);
        else
            coordinates[part->column] = plain[part->column];
    }
}


void rico_cone_program_from_frames(const rico_cone_program *p, const double *coordinates, double *plain)
{
    for (int64_t k = 0; k < p->part_count; k++) {
        const rico_cone_program_part *part = &p->part[k];
        if (part->kind == RICO_PROGRAM_CONE)
            rico_nt_vector(&part->frame, coordinates + part->column, plain + part->column);
        else
            plain[part->column] = coordinates[part->column];
    }
}


// --- layout --------------------------------------------------------------------------------------------------------

static bool is_dense(const rico_cone_program *p, const rico_cone_program_part *part)
{
    int64_t entries = p->A.start[part->column + 1] - p->A.start[part->column];
    return !p->system.small && part->size == 1 && entries > DENSE_ENTRIES && 8 * entries > p->rows;
}


// The rows that a part touches, in ascending order, and its entries there. Returns how many; `entry` and `row` may be NULL.
static int64_t gather(const rico_cone_program *p, const rico_cone_program_part *part, int64_t *row,
                      double *entry)
{
    const rico_csc *A = &p->A;
    int64_t at[3], count = 0;
    for (int j = 0; j < part->size; j++) at[j] = A->start[part->column + j];
    for (;;) {
        int64_t next = p->rows;
        for (int j = 0; j < part->size; j++)
            if (at[j] < A->start[part->column + j + 1] && A->row[at[j]] < next) next = A->row[at[j]];
        if (next == p->rows) return count;
        for (int j = 0; j < part->size; j++) {
            bool here = at[j] < A->start[part->column + j + 1] && A->row[at[j]] == next;
            if (entry) entry[count * part->size + j] = here ? A->value[at[j]] : 0.0;
            at[j] += here;
        }
        if (row) row[count] = next;
        count++;
    }
}


// Counts, then fills, the lists of rows and entries of all parts that are not dense.
static rico_status gather_all(rico_cone_program *p, int64_t *places)
{
    rico_cone_program_system *own = &p->system;
    int64_t rows = 0, entries = 0;
    *places = 0;
    for (int64_t k = 0; k < p->part_count; k++) {
        rico_cone_program_part *part = &p->part[k];
        bool dense = own->dense < DENSE_MOST && is_dense(p, part);
        if (dense) own->dense_part[own->dense++] = k;
        int64_t count = dense ? 0 : gather(p, part, NULL, NULL);
        own->outer[k] =
            (rico_cone_program_outer){.row = rows, .rows = count, .entry = entries, .place = *places};
        rows += count;
        entries += count * part->size;
        *places += count * (count + 1) / 2;
    }
    own->row = rico_alloc(p->ctx, rows, sizeof *own->row);
    own->entry = rico_alloc(p->ctx, entries, sizeof *own->entry);
    own->place = rico_alloc(p->ctx, *places, sizeof *own->place);
    if (!own->row || !own->entry || !own->place) return RICO_NO_MEMORY;
    for (int64_t k = 0; k < p->part_count; k++) {
        const rico_cone_program_outer *outer = &own->outer[k];
        if (outer->rows > 0) gather(p, &p->part[k], own->row + outer->row, own->entry + outer->entry);
    }
    return RICO_OK;
}


// The pattern of M, with all of its diagonal, and where the products of every part go.
static rico_status lay_out_products(rico_cone_program *p, int64_t places)
{
    rico_cone_program_system *own = &p->system;
    int64_t count = places + p->rows;
    int64_t *row = rico_alloc(p->ctx, count, sizeof *row), *col = rico_alloc(p->ctx, count, sizeof *col);
    double *zero = rico_alloc(p->ctx, count, sizeof *zero);
    rico_status status = row && col && zero ? RICO_OK : RICO_NO_MEMORY;
    int64_t n = 0;
    for (int64_t k = 0; status == RICO_OK && k < p->part_count; k++) {
        const int64_t *at = own->row + own->outer[k].row;
        for (int64_t j = 0; j < own->outer[k].rows; j++)
            for (int64_t i = j; i < own->outer[k].rows; i++, n++) row[n] = at[i], col[n] = at[j];
    }
    for (int64_t i = 0; status == RICO_OK && i < p->rows; i++, n++) row[n] = col[n] = i;
    if (status == RICO_OK)
        status = rico_csc_from_triplets(p->ctx, "M", p->rows, p->rows, count, row, col, zero, &own->M);
    for (int64_t k = 0; status == RICO_OK && k < places; k++)
        own->place[k] = rico_csc_find(&own->M, row[k], col[k]);
    for (int64_t i = 0; status == RICO_OK && i < p->rows; i++) own->diagonal[i] = own->M.start[i];
    rico_free(p->ctx, row);
    rico_free(p->ctx, col);
    rico_free(p->ctx, zero);
    return status;
}


rico_status rico_cone_program_lay_out(rico_cone_program *p)
{
    rico_cone_program_system *own = &p->system;
    rico_context *ctx = p->ctx;
    int64_t places;
    if (p->rows <= SMALL_ROWS && p->rows * p->rows * (p->cols + p->rows) <= SMALL_WORK) {
        rico_status small = rico_cone_program_small_create(p);
        if (small != RICO_OK) return small;
    }
    own->outer = rico_alloc(ctx, p->part_count, sizeof *own->outer);
    own->weight = rico_alloc(ctx, p->part_count, sizeof *own->weight);
    own->dense_part = rico_alloc(ctx, DENSE_MOST, sizeof *own->dense_part);
    own->diagonal = rico_alloc(ctx, p->rows, sizeof *own->diagonal);
    own->padding = rico_alloc(ctx, p->rows, sizeof *own->padding);
    if (!own->outer || !own->weight || !own->dense_part || !own->diagonal || !own->padding)
        return RICO_NO_MEMORY;
    rico_status status = gather_all(p, &places);
    if (status == RICO_OK) status = lay_out_products(p, places);
    if (status != RICO_OK) return status;
    int64_t d = own->dense, n = p->rows;
    own->F = rico_alloc(ctx, 2 * n * d + d * d, sizeof *own->F);
    own->work[0] = rico_alloc(ctx, 2 * n + p->cols + DENSE_MOST, sizeof *own->work[0]);
    if (!own->F || !own->work[0]) return RICO_NO_MEMORY;
    own->Z = own->F + n * d;
    own->border = own->Z + n * d;
    own->work[1] = own->work[0] + n;
    own->work[2] = own->work[1] + p->cols;
    own->work[3] = own->work[2] + n;
    for (int64_t k = 0; k < d; k++) {
        int64_t column = p->part[own->dense_part[k]].column;
        for (int64_t at = p->A.start[column]; at < p->A.start[column + 1]; at++)
            own->F[k * n + p->A.row[at]] = p->A.value[at];
    }
    return RICO_OK;
}


void rico_cone_program_release_system(rico_cone_program *p)
{
    rico_cone_program_system *own = &p->system;
    rico_cone_program_small_destroy(p);
    rico_cone_program_lu_destroy(p);
    rico_factor_destroy(own->factor);
    rico_csc_destroy(&own->M);
    void *all[] = {own->outer, own->weight, own->dense_part, own->diagonal, own->padding,
                   own->row,   own->entry,  own->place,      own->F,        own->work[0]};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(p->ctx, all[i]);
}


// --- values --------------------------------------------------------------------------------------------------------

static void add_ray(rico_cone_program_system *own, const rico_cone_program_outer *outer, double weight)
{
    const double *a = own->entry + outer->entry;
    const int64_t *place = own->place + outer->place;
    for (int64_t j = 0; j < outer->rows; j++)
        for (int64_t i = j; i < outer->rows; i++) own->M.value[*place++] += weight * a[i] * a[j];
}


static void add_cone(rico_cone_program_system *own, const rico_cone_program_outer *outer,
                     const rico_nt_frame *frame)
{
    const double *a = own->entry + outer->entry;
    const int64_t *place = own->place + outer->place;
    double V[9], D[9] = {0.0};
    rico_nt_matrix(frame, V);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                D[3 * i + j] += V[3 * i + k] / (frame->s[k] * frame->s[k]) * V[3 * j + k];
    for (int64_t j = 0; j < outer->rows; j++) {
        const double *c = a + 3 * j;
        double e[3] = {D[0] * c[0] + D[1] * c[1] + D[2] * c[2], D[3] * c[0] + D[4] * c[1] + D[5] * c[2],
                       D[6] * c[0] + D[7] * c[1] + D[8] * c[2]};
        for (int64_t i = j; i < outer->rows; i++)
            own->M.value[*place++] += a[3 * i] * e[0] + a[3 * i + 1] * e[1] + a[3 * i + 2] * e[2];
    }
}


// Free parts last: their weight goes by what the others have put into their rows.
static void fill(rico_cone_program *p, double free_weight)
{
    rico_cone_program_system *own = &p->system;
    memset(own->M.value, 0, (size_t)rico_csc_count(&own->M) * sizeof *own->M.value);
    for (int64_t k = 0; k < p->part_count; k++) {
        const rico_cone_program_part *part = &p->part[k];
        if (part->kind == RICO_PROGRAM_RAY) own->weight[k] = 1.0 / (part->frame.s[0] * part->frame.s[0]);
        if (part->kind == RICO_PROGRAM_RAY) add_ray(own, &own->outer[k], own->weight[k]);
        if (part->kind == RICO_PROGRAM_CONE) add_cone(own, &own->outer[k], &part->frame);
    }
    double largest = 0.0;
    for (int64_t i = 0; i < p->rows; i++) {
        own->padding[i] = own->M.value[own->diagonal[i]];
        largest = fmax(largest, own->padding[i]);
    }
    for (int64_t k = 0; k < p->part_count; k++) {
        const rico_cone_program_outer *outer = &own->outer[k];
        if (p->part[k].kind != RICO_PROGRAM_FREE) continue;
        double there = 0.0;
        for (int64_t i = 0; i < outer->rows; i++) there = fmax(there, own->padding[own->row[outer->row + i]]);
        own->weight[k] = free_weight * (there > 0.0 ? there : largest > 0.0 ? largest : 1.0);
        add_ray(own, outer, own->weight[k]);
    }
}


static rico_status factor_shifted(rico_cone_program *p)
{
    rico_cone_program_system *own = &p->system;
    for (int64_t i = 0; i < p->rows; i++) {
        double *value = &own->M.value[own->diagonal[i]];
        own->padding[i] = *value;
        *value = *value > 0.0 ? *value * (1.0 + own->shift) : 1.0;
    }
    rico_status status;
    if (own->factor)
        status = rico_factor_refactor(own->factor, &own->M);
    else
        status = rico_factor_create_ordered(
            RICO_CHOLESKY, p->rows > DISSECTED ? RICO_NESTED_DISSECTION : RICO_MINIMUM_DEGREE, &own->M,
            &own->factor);
    for (int64_t i = 0; i < p->rows; i++) own->M.value[own->diagonal[i]] = own->padding[i];
    return status;
}


// The small matrix of the borders: F'M^-1 F, and 1/weight of those that are not free.
static rico_status make_borders(rico_cone_program *p)
{
    rico_cone_program_system *own = &p->system;
    int64_t d = own->dense, n = p->rows;
    if (d == 0) return RICO_OK;
    rico_status status = rico_factor_solve(own->factor, d, own->F, own->Z);
    for (int64_t j = 0; status == RICO_OK && j < d; j++)
        for (int64_t i = 0; i < d; i++) {
            double sum = 0.0;
            for (int64_t k = 0; k < n; k++) sum += own->F[i * n + k] * own->Z[j * n + k];
            own->border[i + j * d] = sum;
        }
    for (int64_t j = 0; j < d; j++)
        if (p->part[own->dense_part[j]].kind == RICO_PROGRAM_RAY)
            own->border[j + j * d] += 1.0 / own->weight[own->dense_part[j]];
    return status;
}


rico_status rico_cone_program_factor(rico_cone_program *p)
{
    rico_cone_program_system *own = &p->system;
    rico_status status = RICO_SINGULAR;
    fill(p, own->small ? SMALL_FREE_WEIGHT : FREE_WEIGHT);
    if (own->small) return rico_cone_program_small_factor(p);
    if (own->lost && rico_cone_program_lu_factor(p) == RICO_OK) return RICO_OK;
    own->lost = false;
    own->shift = FIRST_SHIFT;
    for (int i = 0; i < SHIFTS && status == RICO_SINGULAR; i++, own->shift *= 30.0)
        status = factor_shifted(p);
    if (status == RICO_OK) status = make_borders(p);
    return status;
}


// --- solving -------------------------------------------------------------------------------------------------------

// The few unknowns of the borders, by elimination with the largest pivots; those that vanish give 0.
static void solve_borders(int64_t d, const double *matrix, double *rhs)
{
    double A[DENSE_MOST * DENSE_MOST];
    memcpy(A, matrix, (size_t)(d * d) * sizeof *A);
    for (int64_t k = 0; k < d; k++) {
        int64_t best = k;
        for (int64_t i = k + 1; i < d; i++)
            if (fabs(A[i + k * d]) > fabs(A[best + k * d])) best = i;
        for (int64_t j = 0; best != k && j < d; j++) {
            double kept = A[k + j * d];
            A[k + j * d] = A[best + j * d], A[best + j * d] = kept;
        }
        double kept = rhs[k];
        rhs[k] = rhs[best], rhs[best] = kept;
        if (A[k + k * d] == 0.0) continue;
        for (int64_t i = k + 1; i < d; i++) {
            double f = A[i + k * d] / A[k + k * d];
            for (int64_t j = k; j < d; j++) A[i + j * d] -= f * A[k + j * d];
            rhs[i] -= f * rhs[k];
        }
    }
    for (int64_t k = d - 1; k >= 0; k--) {
        for (int64_t j = k + 1; j < d; j++) rhs[k] -= A[k + j * d] * rhs[j];
        rhs[k] = A[k + k * d] != 0.0 ? rhs[k] / A[k + k * d] : 0.0;
    }
}


// S^-2 r in coordinates as M has it; borders get 0: theirs comes from the borders.
static void unscale(const rico_cone_program *p, const double *r, double *X)
{
    for (int64_t k = 0; k < p->part_count; k++) {
        const rico_cone_program_part *part = &p->part[k];
        for (int i = 0; i < part->size; i++) {
            double s = part->frame.s[i];
            X[part->column + i] = part->kind == RICO_PROGRAM_CONE ? r[part->column + i] / (s * s)
                                                                  : r[part->column] * p->system.weight[k];
        }
    }
    for (int64_t j = 0; j < p->system.dense; j++) X[p->part[p->system.dense_part[j]].column] = 0.0;
}


// One solution by the factors: X and Y are overwritten. With borders z: M Y + F z = r2 - A S^-2 r1, F'Y - z/weight = -r1 (of them).
static rico_status solve_once(rico_cone_program *p, const double *r1, const double *r2, double *X, double *Y)
{
    rico_cone_program_system *own = &p->system;
    double *plain = own->work[1], *z = own->work[3];
    int64_t n = p->rows, d = own->dense;
    if (own->small && !own->shifted) return rico_cone_program_small_solve(p, r1, r2, X, Y);
    if (own->lost) return rico_cone_program_lu_solve(p, r1, r2, X, Y);
    unscale(p, r1, X);
    rico_cone_program_from_frames(p, X, plain);
    memcpy(Y, r2, (size_t)n * sizeof *Y);
    rico_csc_times(&p->A, -1.0, plain, 1.0, Y);
    rico_status status = rico_factor_solve(own->factor, 1, Y, Y);
    if (status != RICO_OK) return status;
    for (int64_t j = 0; j < d; j++) {
        z[j] = r1[p->part[own->dense_part[j]].column];
        for (int64_t i = 0; i < n; i++) z[j] += own->F[j * n + i] * Y[i];
    }
    if (d > 0) solve_borders(d, own->border, z);
    for (int64_t j = 0; j < d; j++)
        for (int64_t i = 0; i < n; i++) Y[i] -= z[j] * own->Z[j * n + i];

    // X = S^-2 (r1 + A'Y)
    rico_csc_transpose_times(&p->A, 1.0, Y, 0.0, plain);
    rico_cone_program_to_frames(p, plain, X);
    for (int64_t i = 0; i < p->cols; i++) X[i] += r1[i];
    unscale(p, X, X);
    for (int64_t j = 0; j < d; j++) X[p->part[own->dense_part[j]].column] = z[j];
    return RICO_OK;
}


// e1 = r1 - S^2 X + A'Y, e2 = r2 - A X. Returns the size of what is left, over that of the right-hand side, the larger of the two.
static double residual(rico_cone_program *p, const double *r1, const double *r2, const double *X,
                       const double *Y, double *e1, double *e2)
{
    double *plain = p->system.work[1], left[2] = {0.0, 0.0}, whole[2] = {DBL_MIN, DBL_MIN};
    rico_cone_program_from_frames(p, X, plain);
    memcpy(e2, r2, (size_t)p->rows * sizeof *e2);
    rico_csc_times(&p->A, -1.0, plain, 1.0, e2);
    rico_csc_transpose_times(&p->A, 1.0, Y, 0.0, plain);
    rico_cone_program_to_frames(p, plain, e1);
    for (int64_t k = 0; k < p->part_count; k++) {
        const rico_cone_program_part *part = &p->part[k];
        for (int i = 0; i < part->size; i++) {
            int64_t at = part->column + i;
            double s = part->kind == RICO_PROGRAM_FREE ? 0.0 : part->frame.s[i];
            e1[at] += r1[at] - s * s * X[at];
            // in units of the scaled step, where all parts weigh the same
            double unit = s > 0.0 ? 1.0 / s : 1.0;
            left[0] = fmax(left[0], fabs(e1[at]) * unit);
            whole[0] = fmax(whole[0], fabs(r1[at]) * unit);
        }
    }
    for (int64_t i = 0; i < p->rows; i++) {
        left[1] = fmax(left[1], fabs(e2[i]));
        whole[1] = fmax(whole[1], fabs(r2[i]));
    }
    return fmax(left[0] / fmax(whole[0], whole[1]), left[1] / fmax(whole[1], 1e-3 * whole[0]));
}


static rico_status refine(rico_cone_program *p, const double *r1, const double *r2, double *X, double *Y)
{
    double *e1 = p->flat, *e2 = p->system.work[2], *dX = p->flat + p->cols, *dY = p->system.work[0];
    double before = INFINITY;
    rico_status status = solve_once(p, r1, r2, X, Y);
    for (int turn = 0; status == RICO_OK && turn < REFINEMENTS; turn++) {
        double left = residual(p, r1, r2, X, Y, e1, e2);
        p->system.left = fmin(left, before);
        if (left > before) { // the last one did harm: back
            for (int64_t i = 0; i < p->cols; i++) X[i] -= dX[i];
            for (int64_t i = 0; i < p->rows; i++) Y[i] -= dY[i];
        }
        if (!(left > REFINED) || !(left < 0.5 * before)) break;
        before = left;
        status = solve_once(p, e1, e2, dX, dY);
        for (int64_t i = 0; i < p->cols; i++) X[i] += dX[i];
        for (int64_t i = 0; i < p->rows; i++) Y[i] += dY[i];
    }
    return status;
}


rico_status rico_cone_program_kkt(rico_cone_program *p, const double *r1, const double *r2, double *X,
                                  double *Y)
{
    rico_cone_program_system *own = &p->system;
    rico_status status = refine(p, r1, r2, X, Y);
    if (status != RICO_OK || own->small || !own->allowed || own->lost || own->left <= LOST) return status;
    own->lost = rico_cone_program_lu_factor(p) == RICO_OK;
    return own->lost ? refine(p, r1, r2, X, Y) : RICO_OK;
}


// --- equations that contradict each other --------------------------------------------------------------------------

// (M + shift D)^-1 shift D, D the diagonal of M, takes away from y what A' sees and leaves the rest: from D^-1 b it leads to the y with A'y = 0 and the largest
// b'y. Where b is in the range of A nothing of it stays.
rico_status rico_cone_program_contradiction(rico_cone_program *p, double *y, bool *found)
{
    static const double SHIFT = 1e-8, LEAST = 1e-9, SEEN = 1e-11;
    rico_cone_program_system *own = &p->system;
    double whole = 0.0, left = 0.0, value = 0.0, *x = p->x1;
    *found = false;
    for (int64_t k = 0; k < p->part_count; k++) {
        rico_nt_frame one = {.t = {1.0, 0.0}, .s = {1.0, 1.0, 1.0}};
        p->part[k].frame = one;
    }
    fill(p, 1.0);
    own->shift = SHIFT;
    own->shifted = true;
    rico_status status = factor_shifted(p);
    if (status == RICO_OK) status = make_borders(p);
    memset(p->r1, 0, (size_t)p->cols * sizeof *p->r1);
    for (int64_t i = 0; i < p->rows; i++) {
        double diagonal = own->padding[i];
        y[i] = diagonal > 0.0 ? p->b[i] / diagonal : p->b[i];
        whole += y[i] * p->b[i];
    }
    for (int turn = 0; status == RICO_OK && turn < 4; turn++) {
        for (int64_t i = 0; i < p->rows; i++) {
            double diagonal = own->padding[i];
            p->r2[i] = (diagonal > 0.0 ? SHIFT * diagonal : 1.0) * y[i];
        }
        status = solve_once(p, p->r1, p->r2, x, y);
    }
    own->shifted = false;
    if (status != RICO_OK) return status == RICO_SINGULAR ? RICO_OK : status;
    rico_csc_transpose_times(&p->A, 1.0, y, 0.0, x);
    for (int64_t j = 0; j < p->cols; j++) left = fmax(left, fabs(x[j]));
    for (int64_t i = 0; i < p->rows; i++) value += p->b[i] * y[i];
    *found = value > LEAST * whole && left <= SEEN * value;
    if (*found || !own->small) return RICO_OK;
    status = rico_cone_program_small_thin(p);
    return status == RICO_SINGULAR ? RICO_OK : status;
}
