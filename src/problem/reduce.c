// From the global form to the reduced one: W = H' M^-1 H and q = H' M^-1 f + w (Acary et al. 2018, eq. 31-33).
//
// Column by column: x = M^-1 h_j touches only the connected parts of M that h_j touches. When M falls apart into
// small diagonal blocks (rigid bodies: 6x6, or 3x3 in the plane) each column costs a few small solves; otherwise
// the columns go through the sparse factor of M, a batch at a time.

#include "problem/problem.h"

#include "problem/mass.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { BATCH = 32 };

rico_status rico_problem_factor_mass(rico_problem *p)
{
    if (p->bodies || p->mass_factor) return RICO_OK;
    rico_status status = rico_mass_blocks_create(&p->M, &p->bodies);
    if (status != RICO_UNSUPPORTED) return status;

    // symmetric positive definite matrices take Cholesky; all others, and those where it fails, LU
    double defect = rico_csc_symmetry_defect(&p->M);
    if (defect < 0.0) return RICO_NO_MEMORY;
    status = RICO_SINGULAR;
    if (defect == 0.0) status = rico_factor_create(RICO_CHOLESKY, &p->M, &p->mass_factor);
    if (status == RICO_SINGULAR) status = rico_factor_create(RICO_LU, &p->M, &p->mass_factor);
    if (status) return rico_fail_in(p->ctx, status, "the mass matrix M");
    return RICO_OK;
}


rico_status rico_problem_solve_mass(rico_problem *p, int64_t count, double *x)
{
    if (!p->bodies) return rico_factor_solve(p->mass_factor, count, x, x);
    for (int64_t k = 0; k < count; k++) rico_mass_blocks_solve_all(p->bodies, &x[k * p->dofs]);
    return RICO_OK;
}


// What round-off leaves undecided in q = H' v + w, v being in dof_work: terms that cancel leave theirs behind.
static double resolution(const rico_problem *p)
{
    double largest = 0.0;
    for (int64_t j = 0; j < p->rows; j++) {
        double sum = fabs(p->w[j]);
        for (int64_t k = p->H.start[j]; k < p->H.start[j + 1]; k++)
            sum += fabs(p->H.value[k] * p->dof_work[p->H.row[k]]);
        largest = fmax(largest, sum);
    }
    return 4.0 * DBL_EPSILON * largest;
}


rico_status rico_problem_free_velocity_update(rico_problem *p)
{
    rico_status status = rico_problem_factor_mass(p);
    if (status) return status;
    if (p->dofs > 0) memcpy(p->dof_work, p->f, (size_t)p->dofs * sizeof *p->f);
    status = rico_problem_solve_mass(p, 1, p->dof_work);
    if (status) return status;
    if (p->rows > 0) memcpy(p->q, p->w, (size_t)p->rows * sizeof *p->q);
    rico_csc_transpose_times(&p->H, 1.0, p->dof_work, 1.0, p->q);
    p->noise = resolution(p);
    return RICO_OK;
}


rico_status rico_problem_need_free_velocity(rico_problem *p)
{
    if (p->q) return RICO_OK;
    p->q = rico_alloc(p->ctx, p->rows, sizeof *p->q);
    if (!p->q) return RICO_NO_MEMORY;
    rico_status status = rico_problem_free_velocity_update(p);
    if (status) {
        rico_free(p->ctx, p->q);
        p->q = NULL;
    }
    return status;
}


// W = H' X with X = M^-1 H given as sparse columns.
static rico_status gather_product(rico_problem *p, const rico_csc *X)
{
    rico_csc transpose = {0}, product = {0};
    rico_status status = rico_csc_transpose(&p->H, &transpose);
    if (!status) status = rico_csc_multiply(&transpose, X, &product);
    if (!status) status = rico_block_from_csc(&product, p->block_count, p->offset, &p->W);
    rico_csc_destroy(&transpose);
    rico_csc_destroy(&product);
    return status;
}


// X = M^-1 H through the small diagonal blocks of M: column j fills the bodies it touches.
static rico_status solve_by_bodies(rico_problem *p, const rico_mass_blocks *bodies, rico_csc *X)
{
    rico_context *ctx = p->ctx;
    rico_status status = RICO_NO_MEMORY;
    int64_t *touched =
        rico_alloc(ctx, bodies->count, sizeof *touched); // column that last touched each body, plus 1
    double *dense = rico_alloc(ctx, p->dofs, sizeof *dense);
    int64_t *list = rico_alloc(ctx, bodies->count, sizeof *list);
    X->ctx = ctx;
    X->rows = p->dofs;
    X->cols = p->rows;
    X->start = rico_alloc(ctx, p->rows + 1, sizeof *X->start);
    if (!touched || !dense || !list || !X->start) goto done;

    // count, then fill
    for (int64_t j = 0; j < p->rows; j++) {
        int64_t count = 0;
        for (int64_t k = p->H.start[j]; k < p->H.start[j + 1]; k++) {
            int64_t body = bodies->of_dof[p->H.row[k]];
            if (touched[body] == j + 1) continue;
            touched[body] = j + 1;
            count += bodies->start[body + 1] - bodies->start[body];
        }
        X->start[j + 1] = X->start[j] + count;
    }
    X->row = rico_alloc(ctx, X->start[p->rows], sizeof *X->row);
    X->value = rico_alloc(ctx, X->start[p->rows], sizeof *X->value);
    if (!X->row || !X->value) goto done;

    memset(touched, 0, (size_t)bodies->count * sizeof *touched);
    for (int64_t j = 0; j < p->rows; j++) {
        int64_t bodies_here = 0, at = X->start[j];
        for (int64_t k = p->H.start[j]; k < p->H.start[j + 1]; k++) {
            int64_t body = bodies->of_dof[p->H.row[k]];
            dense[bodies->place[p->H.row[k]]] = p->H.value[k];
            if (touched[body] == j + 1) continue;
            touched[body] = j + 1;
            list[bodies_here++] = body;
        }
        for (int64_t b = 0; b < bodies_here; b++) {
            int64_t first = bodies->start[list[b]], last = bodies->start[list[b] + 1];
            rico_mass_blocks_solve(bodies, list[b], &dense[first]);
            for (int64_t i = first; i < last; i++, at++) {
                X->row[at] = bodies->dof[i];
                X->value[at] = dense[i];
                dense[i] = 0.0;
            }
        }
    }
    status = RICO_OK;

done:
    rico_free(ctx, touched);
    rico_free(ctx, dense);
    rico_free(ctx, list);
    if (status) rico_csc_destroy(X);
    return status;
}


// W column by column through the sparse factor of M; exact zeros are left out.
static rico_status solve_by_factor(rico_problem *p)
{
    rico_context *ctx = p->ctx;
    rico_status status = RICO_OK;
    int64_t capacity = rico_csc_count(&p->H) + p->rows, count = 0;
    double *batch = rico_alloc(ctx, p->dofs * BATCH, sizeof *batch);
    double *column = rico_alloc(ctx, p->rows, sizeof *column);
    rico_csc product = {.ctx = ctx, .rows = p->rows, .cols = p->rows};
    product.start = rico_alloc(ctx, p->rows + 1, sizeof *product.start);
    product.row = rico_alloc(ctx, capacity, sizeof *product.row);
    product.value = rico_alloc(ctx, capacity, sizeof *product.value);
    if (!batch || !column || !product.start || !product.row || !product.value) status = RICO_NO_MEMORY;

    for (int64_t first = 0; !status && first < p->rows; first += BATCH) {
        int64_t width = p->rows - first < BATCH ? p->rows - first : BATCH;
        memset(batch, 0, (size_t)(p->dofs * width) * sizeof *batch);
        for (int64_t j = 0; j < width; j++)
            for (int64_t k = p->H.start[first + j]; k < p->H.start[first + j + 1]; k++)
                batch[j * p->dofs + p->H.row[k]] = p->H.value[k];
        status = rico_problem_solve_mass(p, width, batch);

        for (int64_t j = 0; !status && j < width; j++) {
            rico_csc_transpose_times(&p->H, 1.0, &batch[j * p->dofs], 0.0, column);
            if (count + p->rows > capacity) {
                int64_t larger = 2 * capacity + p->rows;
                int64_t *rows = rico_grow(ctx, product.row, count, larger, sizeof *rows);
                if (rows) product.row = rows;
                double *values = rows ? rico_grow(ctx, product.value, count, larger, sizeof *values) : NULL;
                if (!values) {
                    status = RICO_NO_MEMORY;
                    break;
                }
                product.value = values;
                capacity = larger;
            }
            for (int64_t i = 0; i < p->rows; i++) {
                if (column[i] == 0.0) continue;
                product.row[count] = i;
                product.value[count++] = column[i];
            }
            product.start[first + j + 1] = count;
        }
    }

    if (!status) status = rico_block_from_csc(&product, p->block_count, p->offset, &p->W);
    rico_free(ctx, batch);
    rico_free(ctx, column);
    rico_csc_destroy(&product);
    return status;
}


rico_status rico_problem_reduce(rico_problem *p)
{
    if (p->reduced) return RICO_OK;

    rico_status status = rico_problem_factor_mass(p);
    if (status) return status;
    if (p->bodies) {
        rico_csc X = {0};
        status = solve_by_bodies(p, p->bodies, &X);
        if (!status) status = gather_product(p, &X);
        rico_csc_destroy(&X);
    } else {
        status = solve_by_factor(p);
    }
    if (status) return status;

    status = rico_problem_need_free_velocity(p);
    if (status) {
        rico_block_destroy(&p->W);
        return status;
    }
    p->reduced = true;
    return RICO_OK;
}


rico_status rico_problem_keep_reduced(rico_problem *p, double factor, bool *apart)
{
    *apart = false;
    if (!p->bodies && !p->mass_factor) {
        rico_status status = rico_mass_blocks_create(&p->M, &p->bodies);
        if (status == RICO_UNSUPPORTED) return RICO_OK;
        if (status) return status;
    }
    if (!p->bodies) return RICO_OK;
    rico_status status = rico_problem_reduce(p);
    if (status) return status;
    int64_t count = p->W.place[rico_block_count(&p->W)];
    for (int64_t k = 0; factor != 1.0 && k < count; k++) p->W.value[k] *= factor;
    rico_csc_destroy(&p->M);
    rico_csc_destroy(&p->H);
    rico_free(p->ctx, p->f);
    rico_free(p->ctx, p->w);
    rico_mass_blocks_destroy(p->bodies);
    p->f = p->w = NULL;
    p->bodies = NULL;
    p->dofs = 0;
    p->global = false;
    *apart = true;
    return RICO_OK;
}


rico_status rico_problem_delassus(rico_problem *p, rico_sparse_view *W)
{
    rico_status status = rico_problem_reduce(p);
    if (status) return status;
    rico_csc columns = {0};
    status = rico_block_to_csc(&p->W, &columns);
    if (status) return status;
    *W = rico_csc_view(&columns);
    return RICO_OK;
}


void rico_sparse_release(rico_context *ctx, rico_sparse_view *matrix)
{
    // the view came from a matrix of ours: its arrays are ours to free
    rico_csc owned = {.ctx = ctx,
                      .start = (int64_t *)matrix->start,
                      .row = (int64_t *)matrix->row,
                      .value = (double *)matrix->value};
    rico_csc_destroy(&owned);
    *matrix = (rico_sparse_view){0};
}
