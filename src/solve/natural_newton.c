// Newton's method on the natural map of any blocks: natural_newton.h.

#include "solve/natural_newton.h"

#include "la/dense.h"

#include <math.h>
#include <string.h>

enum {
    MOST_STEPS = 300,
    MOST_NEWTON = 25,
    BACKTRACKS = 10,
    HISTORY = 4,
    PATIENCE = 30,
    LARGEST = RICO_LARGEST_CONE
};

static const double FIRST_ALPHA = 1e-2, SMALLEST_ALPHA = 1e-8, LARGEST_ALPHA = 10.0;
static const double ACCURACY = 0.03; // of an inner problem

struct rico_natural_newton {
    rico_context *ctx;
    rico_problem *problem;
    double alpha;
    double *W, *J; // column-major
    int32_t *pivot;
    double *u, *F, *trial, *centre, *kept;
};


rico_status rico_natural_newton_update(rico_natural_newton *own)
{
    const rico_problem *p = own->problem;
    const rico_block_matrix *W = &p->W;
    int64_t n = p->rows;
    memset(own->W, 0, (size_t)(n * n) * sizeof *own->W);
    for (int64_t a = 0; a < p->block_count; a++)
        for (int64_t k = W->start[a]; k < W->start[a + 1]; k++) {
            int64_t b = W->col[k], rows = p->offset[a + 1] - p->offset[a],
                    cols = p->offset[b + 1] - p->offset[b];
            for (int64_t i = 0; i < rows; i++)
                for (int64_t j = 0; j < cols; j++)
                    own->W[p->offset[a] + i + (p->offset[b] + j) * n] = W->value[W->place[k] + i * cols + j];
        }
    return RICO_OK;
}


rico_status rico_natural_newton_create(rico_problem *problem, rico_natural_newton **out)
{
    rico_context *ctx = problem->ctx;
    rico_status status = rico_problem_reduce(problem);
    if (status) return status;
    rico_natural_newton *own = rico_alloc(ctx, 1, sizeof *own);
    if (!own) return RICO_NO_MEMORY;
    int64_t n = problem->rows;
    own->ctx = ctx;
    own->problem = problem;
    own->pivot = rico_alloc(ctx, n, sizeof *own->pivot);
    double **square[] = {&own->W, &own->J},
           **line[] = {&own->u, &own->F, &own->trial, &own->centre, &own->kept};
    bool whole = own->pivot != NULL;
    for (int i = 0; i < 2; i++) whole = (*square[i] = rico_alloc(ctx, n * n, sizeof(double))) && whole;
    for (int i = 0; i < 5; i++) whole = (*line[i] = rico_alloc(ctx, n, sizeof(double))) && whole;
    if (!whole) {
        rico_natural_newton_destroy(own);
        return RICO_NO_MEMORY;
    }
    *out = own;
    return rico_natural_newton_update(own);
}


void rico_natural_newton_destroy(rico_natural_newton *own)
{
    if (!own) return;
    void *all[] = {own->W, own->J, own->pivot, own->u, own->F, own->trial, own->centre, own->kept};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(own->ctx, all[i]);
    rico_free(own->ctx, own);
}


// d hat / du of a block at u, row-major: the law's own tangential velocities, and the slope of the shift by them in the first row.
static void hat_jacobian(const rico_block *block, const double *u, double *J)
{
    const rico_cone_kind *kind = &rico_cone_kinds[block->kind];
    int64_t n = block->size;
    double factor[2] = {1.0, 1.0}, seen[LARGEST], gradient[LARGEST] = {0.0};
    memset(J, 0, (size_t)(n * n) * sizeof *J);
    for (int64_t i = 0; i < n; i++) J[i * n + i] = 1.0;
    if (!kind->shift) return;
    memcpy(seen, u, (size_t)n * sizeof *u);
    if (kind->slip) {
        kind->slip(block, factor);
        for (int i = 0; i < 2; i++) {
            seen[1 + i] *= factor[i];
            J[(1 + i) * (n + 1)] = factor[i];
        }
    }
    kind->shift(block, seen, gradient);
    for (int64_t j = 1; j < n; j++) J[j] = gradient[j - 1] * (kind->slip ? factor[j - 1] : 1.0);
}


// Rows of the Jacobian of the natural map of a block: I - P'(I - rho hat' (W + alpha D)).
static void fill_rows(rico_natural_newton *own, int64_t a, double rho, double shift, const double *z)
{
    const rico_problem *p = own->problem;
    const rico_block *block = rico_problem_cone(p, a);
    int64_t n = p->rows, at = p->offset[a], size = block->size;
    double point[LARGEST], P[LARGEST * LARGEST], H[LARGEST * LARGEST], PH[LARGEST * LARGEST];
    memcpy(point, z, (size_t)size * sizeof *z);
    rico_cone_kinds[block->kind].jacobian(block, point, P);
    hat_jacobian(block, &own->u[at], H);
    for (int64_t i = 0; i < size; i++)
        for (int64_t j = 0; j < size; j++) {
            double sum = 0.0;
            for (int64_t k = 0; k < size; k++) sum += P[i * size + k] * H[k * size + j];
            PH[i * size + j] = rho * sum;
        }
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < size; i++) {
            double sum = 0.0;
            for (int64_t k = 0; k < size; k++) sum += PH[i * size + k] * own->W[at + k + j * n];
            own->J[at + i + j * n] = sum;
        }
    for (int64_t i = 0; i < size; i++)
        for (int64_t j = 0; j < size; j++)
            own->J[at + i + (at + j) * n] +=
                (i == j ? 1.0 : 0.0) - P[i * size + j] + shift * PH[i * size + j];
}


// An equality: u = 0, whatever its size.
static void fill_joint(rico_natural_newton *own, int64_t a, double rho, double shift)
{
    const rico_problem *p = own->problem;
    int64_t n = p->rows, at = p->offset[a], size = p->offset[a + 1] - at;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = at; i < at + size; i++) own->J[i + j * n] = rho * own->W[i + j * n];
    for (int64_t i = at; i < at + size; i++) own->J[i + i * n] += rho * shift;
}


// F at r, with its Jacobian on request; returns |F|^2 in units of velocity.
static double evaluate(rico_natural_newton *own, const double *r, bool derive)
{
    const rico_problem *p = own->problem;
    int64_t n = p->rows;
    double square = 0.0;
    memcpy(own->u, p->q, (size_t)n * sizeof *own->u);
    rico_dense_times(n, n, 1.0, own->W, r, 1.0, own->u);
    for (int64_t a = 0; a < p->block_count; a++) {
        const rico_block *block = rico_problem_cone(p, a);
        int64_t at = p->offset[a], size = block->size;
        double norm = rico_problem_block_scale(p, a), shift = own->alpha * norm, rho = 1.0 / (norm + shift);
        for (int64_t i = at; i < at + size; i++) own->u[i] += shift * (r[i] - own->centre[i]);
        if (rico_problem_is_joint(p, a)) {
            for (int64_t i = at; i < at + size; i++) own->F[i] = rho * own->u[i];
            if (derive) fill_joint(own, a, rho, shift);
        } else {
            double z[LARGEST], hat[LARGEST];
            memcpy(hat, &own->u[at], (size_t)size * sizeof *hat);
            rico_cone_shift(block, hat);
            for (int64_t i = 0; i < size; i++) z[i] = r[at + i] - rho * hat[i];
            if (derive) fill_rows(own, a, rho, shift, z);
            rico_cone_project(block, z);
            for (int64_t i = 0; i < size; i++) own->F[at + i] = r[at + i] - z[i];
        }
        for (int64_t i = at; i < at + size; i++) square += norm * norm * own->F[i] * own->F[i];
    }
    return square;
}


// Newton's method for the proximal problem about the centre, with a search that may go uphill for some steps.
static rico_status solve_inner(rico_natural_newton *own, rico_run *run, int *steps, bool *reached)
{
    int64_t n = own->problem->rows;
    double square = evaluate(own, run->r, true), goal = ACCURACY * ACCURACY * square;
    double past[HISTORY] = {square, square, square, square};
    *reached = false;
    for (*steps = 0; *steps < MOST_NEWTON; ++*steps) {
        if (square <= goal) {
            *reached = true;
            return RICO_OK;
        }
        if (rico_run_limits(run, run->iterations + 1)) return RICO_OK;
        rico_status status = rico_dense_lu(own->ctx, n, own->J, own->pivot);
        if (status) return status == RICO_SINGULAR ? RICO_OK : status;
        rico_dense_lu_solve(n, own->J, own->pivot, 1, own->F);
        if (!rico_all_finite(n, own->F)) return RICO_OK;
        double reference = fmax(fmax(past[0], past[1]), fmax(past[2], past[3])), t = 1.0;
        double *d = own->kept;
        memcpy(d, own->F, (size_t)n * sizeof *d);
        int tries = 0;
        for (; tries < BACKTRACKS; tries++, t *= 0.5) {
            for (int64_t i = 0; i < n; i++) own->trial[i] = run->r[i] - t * d[i];
            square = evaluate(own, own->trial, true);
            if (square <= reference * (1.0 - 1e-3 * t)) break;
        }
        if (tries == BACKTRACKS) return RICO_OK;
        memcpy(run->r, own->trial, (size_t)n * sizeof *run->r);
        past[*steps % HISTORY] = square;
    }
    *reached = square <= goal;
    return RICO_OK;
}


rico_status rico_natural_newton_solve(rico_natural_newton *own, rico_run *run)
{
    size_t bytes = (size_t)own->problem->rows * sizeof *run->r;
    double best = run->best_residual.relative;
    int since = 0;
    own->alpha = FIRST_ALPHA;
    for (int k = 0; k < MOST_STEPS; k++) {
        int steps;
        bool reached;
        memcpy(own->centre, run->r, bytes);
        rico_status status = solve_inner(own, run, &steps, &reached);
        if (status || run->done) return status;
        if (!reached) { // not the problem that was asked: an iterate far from anything
            memcpy(run->r, own->centre, bytes);
            own->alpha = 5.0 * own->alpha;
            if (own->alpha > LARGEST_ALPHA) return RICO_OK;
            continue;
        }
        if (rico_run_check(run, run->iterations + 1)) return RICO_OK;
        if (steps <= 6) own->alpha = fmax(0.2 * own->alpha, SMALLEST_ALPHA);
        if (run->best_residual.relative < 0.5 * best) {
            best = run->best_residual.relative;
            since = k;
        }
        if (k - since > PATIENCE) return RICO_OK;
    }
    return RICO_OK;
}
