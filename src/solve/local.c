// One block while the others stand still.

#include "solve/local.h"

#include "la/dense.h"

#include <math.h>
#include <string.h>

// Equality blocks may be redundant (two joints that say the same), so W_aa may be singular. The step
// dr = -G u with G = (A'A + d^2 I)^-1 A' goes to a least-squares solution whatever the rank; d is small enough to
// be felt only along null directions.
static const double redundancy = 1e-5;


// G of one equality block A: its inverse, or the regularized pseudo-inverse above. n x n, column-major.
static rico_status invert_equality(rico_context *ctx, int64_t n, const double *A, double *G)
{
    double *matrix = rico_alloc(ctx, n * n, sizeof *matrix);
    int32_t *pivot = rico_alloc(ctx, n, sizeof *pivot);
    rico_status status = matrix && pivot ? RICO_OK : RICO_NO_MEMORY;
    if (status) goto done;

    double size = rico_norm(n * n, A);
    memcpy(matrix, A, (size_t)(n * n) * sizeof *A);
    status = rico_dense_lu(ctx, n, matrix, pivot);
    bool regular = status == RICO_OK;
    for (int64_t i = 0; regular && i < n; i++) regular = fabs(matrix[i * n + i]) > redundancy * size;

    if (regular) {
        memset(G, 0, (size_t)(n * n) * sizeof *G);
        for (int64_t i = 0; i < n; i++) G[i * n + i] = 1.0;
        rico_dense_lu_solve(n, matrix, pivot, n, G);
    } else if (status == RICO_OK || status == RICO_SINGULAR) {
        double shift = size > 0.0 ? redundancy * redundancy * size * size : 1.0;
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++) {
                matrix[j * n + i] = rico_dot(n, &A[i * n], &A[j * n]) + (i == j ? shift : 0.0);
                G[j * n + i] = A[i * n + j];
            }
        status = rico_dense_cholesky(ctx, n, matrix);
        if (!status) rico_dense_cholesky_solve(n, matrix, n, G);
    }

done:
    rico_free(ctx, matrix);
    rico_free(ctx, pivot);
    return status;
}


// Counts the blocks of each kind, numbering each among its own, and sizes the arrays.
static rico_status make_room(rico_local *local)
{
    rico_context *ctx = local->ctx;
    const rico_problem *p = local->problem;
    int64_t count[RICO_BLOCK_KINDS] = {0}, squares = 0;
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t size = p->offset[a + 1] - p->offset[a];
        local->slot[a] = count[p->kind[a]]++;
        if (p->kind[a] == RICO_EQUALITY) {
            local->slot[a] = squares;
            squares += size * size;
        }
        if (size > local->largest) local->largest = size;
    }
    local->contact = rico_alloc(ctx, count[RICO_COULOMB_3D], sizeof *local->contact);
    local->tuning = rico_alloc(ctx, count[RICO_COULOMB_3D], sizeof *local->tuning);
    local->plane = rico_alloc(ctx, count[RICO_COULOMB_2D], sizeof *local->plane);
    local->pivot = rico_alloc(ctx, count[RICO_UNILATERAL], sizeof *local->pivot);
    local->inverse = rico_alloc(ctx, squares, sizeof *local->inverse);
    local->velocity = rico_alloc(ctx, local->largest, sizeof *local->velocity);
    local->step = rico_alloc(ctx, local->largest, sizeof *local->step);
    local->block = rico_alloc(ctx, local->largest * local->largest, sizeof *local->block);
    local->columns = rico_alloc(ctx, local->largest * local->largest, sizeof *local->columns);
    bool kinds = local->contact && local->tuning && local->plane && local->pivot && local->inverse;
    bool room = local->velocity && local->step && local->block && local->columns;
    return kinds && room ? RICO_OK : RICO_NO_MEMORY;
}


static rico_status prepare_block(rico_local *local, int64_t a)
{
    const double *block = local->block;
    double *columns = local->columns;
    const rico_problem *p = local->problem;
    int64_t slot = local->slot[a], size = p->offset[a + 1] - p->offset[a];
    switch (p->kind[a]) {
    case RICO_COULOMB_3D:
        rico_one_contact_prepare(&local->contact[slot], block, p->friction[a]);
        return RICO_OK;
    case RICO_COULOMB_2D:
        memcpy(local->plane[slot].W, block, 4 * sizeof *block);
        local->plane[slot].mu = p->friction[a];
        return RICO_OK;
    case RICO_UNILATERAL:
        local->pivot[slot] = block[0];
        return RICO_OK;
    default:
        for (int64_t i = 0; i < size; i++)
            for (int64_t j = 0; j < size; j++) columns[j * size + i] = block[i * size + j];
        return invert_equality(local->ctx, size, columns, &local->inverse[slot]);
    }
}


// The steps of each contact by the rule in force, for local solvers that have any.
static void tune(rico_local *local)
{
    const rico_problem *p = local->problem;
    if (!local->settings.solver->iterates) return;
    for (int64_t a = 0; a < p->block_count; a++) {
        if (p->kind[a] != RICO_COULOMB_3D) continue;
        int64_t slot = local->slot[a];
        rico_rho rho = rico_rho_from_block(local->settings.rule, 3, local->contact[slot].W);
        local->tuning[slot] = (rico_local_tuning){rho, rho.normal};
    }
}


rico_status rico_local_prepare(rico_local *local, rico_diagonal_function diagonal, void *user)
{
    rico_status status = RICO_OK;
    for (int64_t a = 0; !status && a < local->problem->block_count; a++) {
        diagonal(user, a, local->block);
        status = prepare_block(local, a);
    }
    if (!status) tune(local);
    return status;
}


rico_local_settings rico_local_default_settings(void)
{
    return (rico_local_settings){.solver = rico_local_solver_find("exact"), .omega = 1.0};
}


void rico_local_configure(rico_local *local, const rico_local_settings *settings)
{
    local->settings = *settings;
    tune(local);
}


rico_status rico_local_create(const rico_problem *p, rico_diagonal_function diagonal, void *user,
                              rico_local **out)
{
    rico_context *ctx = p->ctx;
    rico_local *local = rico_alloc(ctx, 1, sizeof *local);
    if (!local) return RICO_NO_MEMORY;
    local->ctx = ctx;
    local->problem = p;
    local->settings = rico_local_default_settings();
    local->slot = rico_alloc(ctx, p->block_count, sizeof *local->slot);
    rico_status status = local->slot ? make_room(local) : RICO_NO_MEMORY;

    if (!status) status = rico_local_prepare(local, diagonal, user);
    if (status) {
        rico_local_destroy(local);
        return status;
    }
    *out = local;
    return RICO_OK;
}


void rico_local_destroy(rico_local *local)
{
    if (!local) return;
    rico_context *ctx = local->ctx;
    rico_free(ctx, local->slot);
    rico_free(ctx, local->contact);
    rico_free(ctx, local->tuning);
    rico_free(ctx, local->plane);
    rico_free(ctx, local->pivot);
    rico_free(ctx, local->inverse);
    rico_free(ctx, local->velocity);
    rico_free(ctx, local->block);
    rico_free(ctx, local->columns);
    rico_free(ctx, local->step);
    rico_free(ctx, local);
}


// With relaxation the block solves u_new = (1/omega) W (r_new - r) + u (eq. 119). The law does not feel a positive factor
// on u, so that is the problem W, omega u - W r.
double rico_local_solve(const rico_local *local, int64_t a, const double *u, double *r, double *step)
{
    const rico_problem *p = local->problem;
    int64_t slot = local->slot[a];
    double omega = local->settings.omega;
    switch (p->kind[a]) {
    case RICO_COULOMB_3D: {
        const rico_one_contact *contact = &local->contact[slot];
        const double *W = contact->W;
        double q[3], fresh[3] = {r[0], r[1], r[2]};
        for (int i = 0; i < 3; i++)
            q[i] = omega * u[i] - (W[3 * i] * r[0] + W[3 * i + 1] * r[1] + W[3 * i + 2] * r[2]);
        local->settings.solver->solve(contact, &local->tuning[slot], &local->settings.limits, q, fresh);
        for (int i = 0; i < 3; i++) {
            step[i] = fresh[i] - r[i];
            r[i] = fresh[i];
        }
        return step[0] * step[0] + step[1] * step[1] + step[2] * step[2];
    }
    case RICO_COULOMB_2D: {
        const rico_one_contact_2d *contact = &local->plane[slot];
        const double *W = contact->W;
        double q[2] = {omega * u[0] - (W[0] * r[0] + W[1] * r[1]),
                       omega * u[1] - (W[2] * r[0] + W[3] * r[1])};
        double fresh[2] = {r[0], r[1]};
        rico_one_contact_2d_solve(contact, q, fresh);
        for (int i = 0; i < 2; i++) {
            step[i] = fresh[i] - r[i];
            r[i] = fresh[i];
        }
        return step[0] * step[0] + step[1] * step[1];
    }
    case RICO_UNILATERAL: {
        // a row that no motion answers to (W_aa = 0) keeps its impulse: no value of it changes u
        double pivot = local->pivot[slot];
        double fresh = pivot > 0.0 ? fmax(0.0, r[0] - omega * u[0] / pivot) : r[0];
        step[0] = fresh - r[0];
        r[0] = fresh;
        return step[0] * step[0];
    }
    default: {
        int64_t size = p->offset[a + 1] - p->offset[a];
        rico_dense_times(size, size, -omega, &local->inverse[slot], u, 0.0, step);
        double square = 0.0;
        for (int64_t i = 0; i < size; i++) {
            r[i] += step[i];
            square += step[i] * step[i];
        }
        return square;
    }
    }
}
