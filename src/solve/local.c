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


// How the blocks of a kind are solved: where their data are kept, what prepares and what solves them.
typedef enum store { STORE_SQUARE, STORE_PIVOT, STORE_PLANE, STORE_CONTACT, STORE_GENERAL, STORES } store;

typedef struct local_kind {
    store store;
    rico_status (*prepare)(rico_local *local, int64_t a);
    double (*solve)(const rico_local *local, int64_t a, const double *u, double *r, double *step);
} local_kind;

static const local_kind kinds[RICO_BLOCK_KINDS];


// Counts the blocks of each store, and the rows of the largest block.
static int64_t count_blocks(const rico_problem *p, int64_t count[STORES])
{
    int64_t largest = 0;
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t size = p->offset[a + 1] - p->offset[a];
        store where = kinds[p->kind[a]].store;
        count[where] += where == STORE_SQUARE ? size * size : 1;
        if (size > largest) largest = size;
    }
    return largest;
}


// All that the blocks of a problem need, in one piece; NULL when memory runs out.
static rico_local *make_room(const rico_problem *p)
{
    int64_t count[STORES] = {0}, largest = count_blocks(p, count);
    rico_local *local, with = {.ctx = p->ctx, .problem = p, .largest = largest};
    const rico_array parts[] = {{&local, 1, sizeof *local},
                                {&with.slot, p->block_count, sizeof *with.slot},
                                {&with.contact, count[STORE_CONTACT], sizeof *with.contact},
                                {&with.tuning, count[STORE_CONTACT], sizeof *with.tuning},
                                {&with.plane, count[STORE_PLANE], sizeof *with.plane},
                                {&with.pivot, count[STORE_PIVOT], sizeof *with.pivot},
                                {&with.general, count[STORE_GENERAL], sizeof *with.general},
                                {&with.inverse, count[STORE_SQUARE], sizeof *with.inverse},
                                {&with.velocity, largest, sizeof *with.velocity},
                                {&with.step, largest, sizeof *with.step},
                                {&with.block, largest * largest, sizeof *with.block},
                                {&with.columns, largest * largest, sizeof *with.columns}};
    if (!rico_alloc_together(p->ctx, sizeof parts / sizeof parts[0], parts)) return NULL;
    *local = with;

    // each block has a number among those of its store
    memset(count, 0, sizeof count);
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t size = p->offset[a + 1] - p->offset[a];
        store where = kinds[p->kind[a]].store;
        local->slot[a] = count[where];
        count[where] += where == STORE_SQUARE ? size * size : 1;
    }
    return local;
}


static rico_status prepare_joint(rico_local *local, int64_t a)
{
    const rico_problem *p = local->problem;
    int64_t size = p->offset[a + 1] - p->offset[a];
    for (int64_t i = 0; i < size; i++)
        for (int64_t j = 0; j < size; j++) local->columns[j * size + i] = local->block[i * size + j];
    return invert_equality(local->ctx, size, local->columns, &local->inverse[local->slot[a]]);
}


static rico_status prepare_row(rico_local *local, int64_t a)
{
    local->pivot[local->slot[a]] = local->block[0];
    return RICO_OK;
}


static rico_status prepare_plane(rico_local *local, int64_t a)
{
    rico_one_contact_2d *plane = &local->plane[local->slot[a]];
    memcpy(plane->W, local->block, sizeof plane->W);
    plane->mu = local->problem->friction[a];
    return RICO_OK;
}


static rico_status prepare_contact(rico_local *local, int64_t a)
{
    rico_one_contact_prepare(&local->contact[local->slot[a]], local->block, local->problem->friction[a]);
    return RICO_OK;
}


static rico_status prepare_general(rico_local *local, int64_t a)
{
    rico_one_block_prepare(&local->general[local->slot[a]], rico_problem_cone(local->problem, a),
                           local->block);
    return RICO_OK;
}


// The steps of each contact by the rule in force, for local solvers that have any.
static void tune(rico_local *local)
{
    const rico_problem *p = local->problem;
    if (!local->settings.solver->iterates) return;
    for (int64_t a = 0; a < p->block_count; a++) {
        if (kinds[p->kind[a]].store != STORE_CONTACT) continue;
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
        status = kinds[local->problem->kind[a]].prepare(local, a);
    }
    if (!status) tune(local);
    return status;
}


rico_local_settings rico_local_default_settings(void)
{
    return (rico_local_settings){.solver = rico_local_solver_at(RICO_LOCAL_EXACT), .omega = 1.0};
}


void rico_local_configure(rico_local *local, const rico_local_settings *settings)
{
    local->settings = *settings;
    tune(local);
}


rico_status rico_local_create(const rico_problem *p, rico_diagonal_function diagonal, void *user,
                              rico_local **out)
{
    rico_local *local = make_room(p);
    if (!local) return RICO_NO_MEMORY;
    local->settings = rico_local_default_settings();
    rico_status status = rico_local_prepare(local, diagonal, user);
    if (status) {
        rico_local_destroy(local);
        return status;
    }
    *out = local;
    return RICO_OK;
}


void rico_local_destroy(rico_local *local)
{
    if (local) rico_free(local->ctx, local); // with its arrays
}


// With relaxation the block solves u_new = (1/omega) W (r_new - r) + u (eq. 119). The law does not feel a positive factor
// on u, so that is the problem W, q = omega u - W r, here for a W of order n; bounds on an impulse are the exception, and
// a single row has a closed form for them.
static inline void free_velocity(int64_t n, double omega, const double *W, const double *u, const double *r,
                                 double *q)
{
    for (int64_t i = 0; i < n; i++) {
        double moved = W[n * i] * r[0];
        for (int64_t j = 1; j < n; j++) moved += W[n * i + j] * r[j];
        q[i] = omega * u[i] - moved;
    }
}


// r <- fresh; returns the squared change.
static inline double replace(int64_t n, const double *fresh, double *r, double *step)
{
    double square = 0.0;
    for (int64_t i = 0; i < n; i++) {
        step[i] = fresh[i] - r[i];
        r[i] = fresh[i];
        square += step[i] * step[i];
    }
    return square;
}


static double solve_joint(const rico_local *local, int64_t a, const double *u, double *r, double *step)
{
    const rico_problem *p = local->problem;
    int64_t size = p->offset[a + 1] - p->offset[a];
    rico_dense_times(size, size, -local->settings.omega, &local->inverse[local->slot[a]], u, 0.0, step);
    double square = 0.0;
    for (int64_t i = 0; i < size; i++) {
        r[i] += step[i];
        square += step[i] * step[i];
    }
    return square;
}


// A row that no motion answers to (W_aa = 0) keeps its impulse: no value of it changes u.
static double solve_half_line(const rico_local *local, int64_t a, const double *u, double *r, double *step)
{
    double pivot = local->pivot[local->slot[a]], omega = local->settings.omega;
    double fresh = pivot > 0.0 ? fmax(0.0, r[0] - omega * u[0] / pivot) : r[0];
    return replace(1, &fresh, r, step);
}


static double solve_box(const rico_local *local, int64_t a, const double *u, double *r, double *step)
{
    double pivot = local->pivot[local->slot[a]], omega = local->settings.omega;
    double fresh = pivot > 0.0 ? r[0] - omega * u[0] / pivot : r[0];
    rico_problem_project_block(local->problem, a, &fresh);
    return replace(1, &fresh, r, step);
}


static double solve_plane(const rico_local *local, int64_t a, const double *u, double *r, double *step)
{
    const rico_one_contact_2d *contact = &local->plane[local->slot[a]];
    double q[2], fresh[2] = {r[0], r[1]};
    free_velocity(2, local->settings.omega, contact->W, u, r, q);
    rico_one_contact_2d_solve(contact, q, fresh);
    return replace(2, fresh, r, step);
}


static double solve_contact(const rico_local *local, int64_t a, const double *u, double *r, double *step)
{
    int64_t slot = local->slot[a];
    const rico_one_contact *contact = &local->contact[slot];
    double q[3], fresh[3] = {r[0], r[1], r[2]};
    free_velocity(3, local->settings.omega, contact->W, u, r, q);
    local->settings.solver->solve(contact, &local->tuning[slot], &local->settings.limits, q, fresh);
    return replace(3, fresh, r, step);
}


static double solve_general(const rico_local *local, int64_t a, const double *u, double *r, double *step)
{
    rico_one_block *own = &local->general[local->slot[a]];
    double q[RICO_LARGEST_CONE] = {0.0}, fresh[RICO_LARGEST_CONE];
    int64_t size = own->block.size;
    memcpy(fresh, r, (size_t)size * sizeof *r);
    free_velocity(size, local->settings.omega, own->W, u, r, q);
    rico_one_block_solve(own, q, fresh);
    return replace(size, fresh, r, step);
}


static const local_kind kinds[RICO_BLOCK_KINDS] = {
    [RICO_EQUALITY] = {STORE_SQUARE, prepare_joint, solve_joint},
    [RICO_UNILATERAL] = {STORE_PIVOT, prepare_row, solve_half_line},
    [RICO_COULOMB_2D] = {STORE_PLANE, prepare_plane, solve_plane},
    [RICO_COULOMB_3D] = {STORE_CONTACT, prepare_contact, solve_contact},
    [RICO_BOX] = {STORE_PIVOT, prepare_row, solve_box},
    [RICO_ELLIPTIC] = {STORE_GENERAL, prepare_general, solve_general},
    [RICO_SPINNING] = {STORE_GENERAL, prepare_general, solve_general},
    [RICO_ROLLING] = {STORE_GENERAL, prepare_general, solve_general},
    [RICO_ROLLING_SPINNING] = {STORE_GENERAL, prepare_general, solve_general},
    [RICO_ROLLING_2D] = {STORE_GENERAL, prepare_general, solve_general},
    [RICO_TRESCA_2D] = {STORE_GENERAL, prepare_general, solve_general},
    [RICO_TRESCA_3D] = {STORE_GENERAL, prepare_general, solve_general},
};


double rico_local_solve(const rico_local *local, int64_t a, const double *u, double *r, double *step)
{
    return kinds[local->problem->kind[a]].solve(local, a, u, r, step);
}
