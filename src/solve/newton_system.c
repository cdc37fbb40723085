// The linear system of one Newton step on the maps of the cones: assembly and factorization.

#include "solve/newton_system.h"

#include "la/dense.h"

#include <math.h>
#include <string.h>

// A dense factorization runs about this many times faster, per operation, than one by fronts.
static const double DENSE_SPEED = 3.0;
enum { DENSE_ALWAYS = 24, DENSE_EVER = 3000 };

// Numbers that factors by fronts may have.
static const double FRONT_ENTRIES = 5e7;

// A pivot this much smaller than the largest is round-off of zero.
static const double SMALLEST_PIVOT = 1e-15;

// A step by fronts is refined while its residual exceeds the first of these times |G|, and given up for one by a
// pivoting factorization if it then still exceeds the second.
static const double REFINE_ABOVE = 1e-9, REFUSE_ABOVE = 1e-4;
enum { REFINEMENTS = 2 };

// After so many systems that only a pivoting factorization could solve, fronts are not tried any more.
enum { REFUSALS = 3 };

// Added to W in a Jacobian that is singular otherwise, relative to |W_aa|.
static const double FIRST_SHIFT = 1e-9, SECOND_SHIFT = 1e-6;
enum { SHIFTS = 3 }; // none, and these

// A step may change velocities, block by block, by this many times |q|; solutions of stacks and wedges need hundreds.
// Beyond, the Jacobian is singular for all that matters.
static const double REACH = 1e3;

typedef enum newton_way { WAY_DENSE, WAY_FRONTS, WAY_SPARSE } newton_way;


static int64_t entries(const rico_block_matrix *W)
{
    return W->place[rico_block_count(W)];
}


// The number of active rows up to which dense is faster. With n of m rows active, a factorization by fronts costs
// about (n/m)^2 of its full work, a dense one 2 n^3 / 3.
static int64_t choose_dense_limit(const rico_problem *p, rico_newton_linear linear,
                                  const rico_front_lu *front)
{
    if (linear == RICO_NEWTON_SPARSE) return 0;
    if (linear == RICO_NEWTON_DENSE) return p->rows;
    double rows = (double)p->rows, limit = (double)DENSE_ALWAYS;
    if (front) limit = fmax(limit, 1.5 * DENSE_SPEED * rico_front_lu_flops(front) / (rows * rows));
    return (int64_t)fmin(fmin(limit, (double)DENSE_EVER), rows);
}


// Makes the fronts, and a first factorization (of W + 1) for the room that it needs. They are left out where dense
// serves as well or their factors would be too large.
static rico_status create_fronts(rico_newton_system *s, rico_newton_linear linear)
{
    const rico_problem *p = s->problem;
    rico_status status = RICO_OK;
    if (linear == RICO_NEWTON_AUTO && p->rows > DENSE_ALWAYS) status = rico_front_lu_create(&p->W, &s->front);
    if (status) return status;
    s->dense_limit = choose_dense_limit(p, linear, s->front);
    if (!s->front) return RICO_OK;
    if (s->dense_limit == p->rows || rico_front_lu_entries(s->front) > FRONT_ENTRIES) {
        rico_front_lu_destroy(s->front);
        s->front = NULL;
        return RICO_OK;
    }
    s->value = rico_alloc(s->ctx, entries(&p->W), sizeof *s->value);
    if (!s->value) return RICO_NO_MEMORY;
    memcpy(s->value, p->W.value, (size_t)entries(&p->W) * sizeof *s->value);
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t at = p->W.place[p->W.diagonal[a]], size = p->offset[a + 1] - p->offset[a];
        s->active[a] = (int32_t)size;
        for (int64_t i = 0; i < size; i++) s->value[at + i * size + i] += 1.0;
    }
    status = rico_front_lu_factor(s->front, s->active, s->value);
    return status == RICO_SINGULAR ? RICO_OK : status;
}


// What the mixed system needs beside itself: the blocks and the two vectors.
static rico_status create_mixed(rico_newton_system *s, rico_newton_system **out)
{
    const rico_problem *p = s->problem;
    s->du = rico_alloc(s->ctx, 9 * p->block_count, sizeof *s->du);
    s->dr = rico_alloc(s->ctx, 9 * p->block_count, sizeof *s->dr);
    s->d = rico_alloc(s->ctx, p->rows, sizeof *s->d);
    s->Wd = rico_alloc(s->ctx, p->rows, sizeof *s->Wd);
    rico_status status = s->du && s->dr && s->d && s->Wd ? RICO_OK : RICO_NO_MEMORY;
    if (!status) status = rico_newton_mixed_create(p, &s->mixed);
    if (status)
        rico_newton_system_destroy(s);
    else
        *out = s;
    return status;
}


rico_status rico_newton_system_create(rico_problem *p, rico_newton_linear linear, rico_newton_system **out)
{
    rico_context *ctx = p->ctx;
    rico_newton_system *s = rico_alloc(ctx, 1, sizeof *s);
    if (!s) return RICO_NO_MEMORY;
    s->ctx = ctx;
    s->problem = p;
    if (linear == RICO_NEWTON_MIXED) return create_mixed(s, out);
    int64_t n = p->rows, largest = 1; // rows of a block
    for (int64_t a = 0; a < p->block_count; a++)
        if (p->offset[a + 1] - p->offset[a] > largest) largest = p->offset[a + 1] - p->offset[a];

    rico_status status = RICO_NO_MEMORY;
    s->active = rico_alloc(ctx, p->block_count, sizeof *s->active);
    if (!s->active) goto failed;
    status = create_fronts(s, linear);
    if (status) goto failed;

    bool sparse = s->dense_limit < n;
    int64_t count = sparse ? entries(&p->W) : 0;
    s->du = rico_alloc(ctx, 9 * p->block_count, sizeof *s->du);
    s->dr = rico_alloc(ctx, 9 * p->block_count, sizeof *s->dr);
    s->place = rico_alloc(ctx, p->block_count, sizeof *s->place);
    s->d = rico_alloc(ctx, n, sizeof *s->d);
    s->Wd = rico_alloc(ctx, n, sizeof *s->Wd);
    s->right = rico_alloc(ctx, n, sizeof *s->right);
    s->buffer = rico_alloc(ctx, largest * largest, sizeof *s->buffer);
    s->pivot = rico_alloc(ctx, s->dense_limit, sizeof *s->pivot);
    s->dense = rico_alloc(ctx, s->dense_limit * s->dense_limit, sizeof *s->dense);
    s->transposed.ctx = ctx;
    s->transposed.start = rico_alloc(ctx, sparse ? n + 1 : 1, sizeof *s->transposed.start);
    s->transposed.row = rico_alloc(ctx, count, sizeof *s->transposed.row);
    s->transposed.value = rico_alloc(ctx, count, sizeof *s->transposed.value);
    if (!s->du || !s->dr || !s->place || !s->d || !s->Wd || !s->right || !s->buffer || !s->pivot ||
        !s->dense || !s->transposed.start || !s->transposed.row || !s->transposed.value) {
        status = RICO_NO_MEMORY;
        goto failed;
    }
    *out = s;
    return RICO_OK;

failed:
    rico_newton_system_destroy(s);
    return status;
}


void rico_newton_system_destroy(rico_newton_system *s)
{
    if (!s) return;
    rico_factor_destroy(s->factor);
    rico_newton_mixed_destroy(s->mixed);
    rico_front_lu_destroy(s->front);
    rico_free(s->ctx, s->value);
    rico_free(s->ctx, s->du);
    rico_free(s->ctx, s->dr);
    rico_free(s->ctx, s->active);
    rico_free(s->ctx, s->place);
    rico_free(s->ctx, s->d);
    rico_free(s->ctx, s->Wd);
    rico_free(s->ctx, s->right);
    rico_free(s->ctx, s->buffer);
    rico_free(s->ctx, s->pivot);
    rico_free(s->ctx, s->dense);
    rico_csc_destroy(&s->transposed);
    rico_free(s->ctx, s);
}


// True when a block asks for its own impulses alone, one by one: nothing in du, a diagonal dr.
static bool asks_itself(int64_t size, const double *du, const double *dr)
{
    for (int64_t i = 0; i < size; i++)
        for (int64_t j = 0; j < size; j++)
            if (du[i * size + j] != 0.0 || (dr[i * size + j] != 0.0) != (i == j)) return false;
    return true;
}


// Finds the active blocks; d receives the steps of the others and zeros.
static void find_active(rico_newton_system *s, const double *G)
{
    const rico_problem *p = s->problem;
    s->active_rows = 0;
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t first = p->offset[a], size = p->offset[a + 1] - first;
        const double *dr = &s->dr[9 * a];
        bool free = !rico_problem_is_joint(p, a) && asks_itself(size, &s->du[9 * a], dr);
        s->active[a] = free ? 0 : (int32_t)size;
        s->place[a] = s->active_rows;
        s->active_rows += s->active[a];
        for (int64_t i = 0; i < size; i++)
            s->d[first + i] = s->active[a] ? 0.0 : -G[first + i] / dr[i * size + i];
    }
}


// right = -G - J d and Wd = W d for the present d, right in the order of all rows, zero where a block is not active.
// Returns |right|^2.
static double linear_residual(rico_newton_system *s, const double *G, double shift)
{
    const rico_problem *p = s->problem;
    double square = 0.0;
    rico_block_times(&p->W, s->d, NULL, s->Wd);
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t first = p->offset[a], size = p->offset[a + 1] - first;
        const double *du = &s->du[9 * a], *dr = &s->dr[9 * a];
        const double *d = &s->d[first], *Wd = &s->Wd[first];
        double *right = &s->right[first], extra = shift * p->block_norm[a];
        for (int64_t i = 0; i < size; i++) {
            double sum = -G[first + i];
            if (!s->active[a]) {
                sum = 0.0;
            } else if (rico_problem_is_joint(p, a)) {
                sum -= du[0] * (Wd[i] + extra * d[i]);
            } else {
                for (int64_t j = 0; j < size; j++)
                    sum -= du[i * size + j] * (Wd[j] + extra * d[j]) + dr[i * size + j] * d[j];
            }
            right[i] = sum;
            square += sum * sum;
        }
    }
    return square;
}


// Block k of W, which stands in block row a, as a block of J.
static void jacobian_block(const rico_newton_system *s, int64_t a, int64_t k, double shift, double *J)
{
    const rico_problem *p = s->problem;
    int64_t b = p->W.col[k], size = p->offset[a + 1] - p->offset[a], width = p->offset[b + 1] - p->offset[b];
    const double *W = p->W.value + p->W.place[k], *du = &s->du[9 * a], *dr = &s->dr[9 * a];
    double extra = a == b ? shift * p->block_norm[a] : 0.0;

    if (rico_problem_is_joint(p, a)) {
        for (int64_t i = 0; i < size * width; i++) J[i] = du[0] * W[i];
        for (int64_t i = 0; a == b && i < size; i++) J[i * width + i] += du[0] * extra;
        return;
    }
    if (size == 3 && width == 3) {
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                J[3 * i + j] = du[3 * i] * W[j] + du[3 * i + 1] * W[3 + j] + du[3 * i + 2] * W[6 + j];
    } else {
        for (int64_t i = 0; i < size; i++)
            for (int64_t j = 0; j < width; j++) {
                double sum = 0.0;
                for (int64_t l = 0; l < size; l++) sum += du[i * size + l] * W[l * width + j];
                J[i * width + j] = sum;
            }
    }
    for (int64_t i = 0; a == b && i < size * size; i++) J[i] += dr[i] + extra * du[i];
}


static void fill_dense(rico_newton_system *s, double shift)
{
    const rico_problem *p = s->problem;
    int64_t n = s->active_rows;
    memset(s->dense, 0, (size_t)(n * n) * sizeof *s->dense);
    for (int64_t a = 0; a < p->block_count; a++) {
        if (!s->active[a]) continue;
        int64_t size = p->offset[a + 1] - p->offset[a];
        for (int64_t k = p->W.start[a]; k < p->W.start[a + 1]; k++) {
            int64_t b = p->W.col[k], width = p->offset[b + 1] - p->offset[b];
            if (!s->active[b]) continue;
            jacobian_block(s, a, k, shift, s->buffer);
            double *corner = &s->dense[s->place[b] * n + s->place[a]];
            for (int64_t j = 0; j < width; j++)
                for (int64_t i = 0; i < size; i++) corner[j * n + i] = s->buffer[i * width + j];
        }
    }
}


static void fill_sparse(rico_newton_system *s, double shift)
{
    const rico_problem *p = s->problem;
    rico_csc *A = &s->transposed;
    A->rows = A->cols = s->active_rows;
    int64_t end = 0;
    for (int64_t a = 0; a < p->block_count; a++) {
        if (!s->active[a]) continue;
        int64_t size = p->offset[a + 1] - p->offset[a], length = 0;
        for (int64_t k = p->W.start[a]; k < p->W.start[a + 1]; k++)
            if (s->active[p->W.col[k]]) length += p->offset[p->W.col[k] + 1] - p->offset[p->W.col[k]];

        int64_t done = 0;
        for (int64_t k = p->W.start[a]; k < p->W.start[a + 1]; k++) {
            int64_t b = p->W.col[k], width = p->offset[b + 1] - p->offset[b];
            if (!s->active[b]) continue;
            jacobian_block(s, a, k, shift, s->buffer);
            for (int64_t i = 0; i < size; i++)
                for (int64_t j = 0; j < width; j++) {
                    int64_t at = end + i * length + done + j;
                    A->row[at] = s->place[b] + j;
                    A->value[at] = s->buffer[i * width + j];
                }
            done += width;
        }
        for (int64_t i = 0; i < size; i++) A->start[s->place[a] + i + 1] = end += length;
    }
}


// right, in the order of all rows, closed up to the active ones; and the way back, added to d.
static void close_up(rico_newton_system *s)
{
    const rico_problem *p = s->problem;
    for (int64_t a = 0; a < p->block_count; a++)
        if (s->active[a])
            memmove(&s->right[s->place[a]], &s->right[p->offset[a]],
                    (size_t)(p->offset[a + 1] - p->offset[a]) * sizeof *s->right);
}


static void open_up(rico_newton_system *s)
{
    const rico_problem *p = s->problem;
    for (int64_t a = 0; a < p->block_count; a++)
        for (int64_t i = p->offset[a]; s->active[a] && i < p->offset[a + 1]; i++)
            s->d[i] += s->right[s->place[a] + i - p->offset[a]];
}


static rico_status fail_singular(const rico_newton_system *s, const char *how)
{
    return rico_fail(s->ctx, RICO_SINGULAR, "the Newton matrix of %lld active rows is %s",
                     (long long)s->active_rows, how);
}


static rico_status solve_dense(rico_newton_system *s, double shift)
{
    int64_t n = s->active_rows;
    fill_dense(s, shift);
    rico_status status = rico_dense_lu(s->ctx, n, s->dense, s->pivot);
    if (status == RICO_BAD_INPUT) return fail_singular(s, "not finite");
    if (status) return status;

    double largest = 0.0, smallest = INFINITY;
    for (int64_t k = 0; k < n; k++) {
        double size = fabs(s->dense[k * n + k]);
        largest = fmax(largest, size);
        smallest = fmin(smallest, size);
    }
    if (smallest <= SMALLEST_PIVOT * largest) return fail_singular(s, "singular to round-off");
    close_up(s);
    rico_dense_lu_solve(n, s->dense, s->pivot, 1, s->right);
    open_up(s);
    s->dense_steps++;
    return RICO_OK;
}


// The analysis of the last step serves again as long as the active blocks are the same.
static rico_status solve_sparse(rico_newton_system *s, double shift)
{
    fill_sparse(s, shift);
    rico_csc *A = &s->transposed;
    if (!rico_all_finite(rico_csc_count(A), A->value)) return fail_singular(s, "not finite");
    rico_status status = s->factor ? rico_factor_refactor(s->factor, A) : RICO_BAD_ARGUMENT;
    if (status == RICO_BAD_ARGUMENT) {
        rico_factor_destroy(s->factor);
        s->factor = NULL;
        status = rico_factor_create(RICO_LU, A, &s->factor);
    }
    if (status) return status;
    if (rico_factor_statistics(s->factor).reciprocal_condition <= SMALLEST_PIVOT)
        return fail_singular(s, "singular to round-off");
    close_up(s);
    status = rico_factor_solve_transpose(s->factor, 1, s->right, s->right);
    if (status) return status;
    open_up(s);
    s->sparse_steps++;
    return RICO_OK;
}


// By fronts, with a few refinements. What has no pivot or stays inaccurate counts as singular.
static rico_status solve_fronts(rico_newton_system *s, const double *G, double shift, double square)
{
    const rico_problem *p = s->problem;
    for (int64_t a = 0; a < p->block_count; a++)
        for (int64_t k = p->W.start[a]; s->active[a] && k < p->W.start[a + 1]; k++)
            if (s->active[p->W.col[k]]) jacobian_block(s, a, k, shift, s->value + p->W.place[k]);
    rico_status status = rico_front_lu_factor(s->front, s->active, s->value);
    if (status) return status;

    double left = square;
    for (int i = 0; i <= REFINEMENTS; i++) {
        rico_front_lu_solve(s->front, s->right);
        for (int64_t a = 0; a < p->block_count; a++)
            for (int64_t row = p->offset[a]; s->active[a] && row < p->offset[a + 1]; row++)
                s->d[row] += s->right[row];
        left = linear_residual(s, G, shift);
        if (left <= REFINE_ABOVE * REFINE_ABOVE * square) break;
    }
    s->front_steps++;
    return left <= REFUSE_ABOVE * REFUSE_ABOVE * square ? RICO_OK : fail_singular(s, "not solved accurately");
}


// One attempt, from scratch. RICO_SINGULAR for a matrix that cannot be factored this way.
static rico_status attempt(rico_newton_system *s, newton_way way, const double *G, double shift)
{
    find_active(s, G);
    double square = linear_residual(s, G, shift);
    if (s->active_rows == 0 || square == 0.0) return RICO_OK;
    if (way == WAY_FRONTS) return solve_fronts(s, G, shift, square);

    rico_status status = way == WAY_DENSE ? solve_dense(s, shift) : solve_sparse(s, shift);
    if (status) return status;
    if (!rico_all_finite(s->problem->rows, s->d)) return fail_singular(s, "singular to round-off");
    rico_block_times(&s->problem->W, s->d, NULL, s->Wd);
    return RICO_OK;
}


// How much of d keeps within reach.
static double longest_step(const rico_newton_system *s)
{
    const rico_problem *p = s->problem;
    double square = 0.0;
    for (int64_t a = 0; a < p->block_count; a++) {
        double norm = p->block_norm[a] > 0.0 ? p->block_norm[a] : 1.0;
        for (int64_t i = p->offset[a]; i < p->offset[a + 1]; i++) square += norm * norm * s->d[i] * s->d[i];
    }
    return fmin(1.0, REACH * rico_norm(p->rows, p->q) / sqrt(square));
}


static rico_status solve_mixed(rico_newton_system *s, const double *G, const double *shifts, double *shift)
{
    rico_status status = RICO_SINGULAR;
    for (int i = 0; i < SHIFTS && status == RICO_SINGULAR; i++) {
        *shift = shifts[i];
        status = rico_newton_mixed_solve(s->mixed, s->du, s->dr, G, *shift, s->d, s->Wd);
        if (status) continue;
        s->longest = longest_step(s);
        s->mixed_steps++;
    }
    return status;
}


rico_status rico_newton_system_solve(rico_newton_system *s, const double *G, double *shift)
{
    double shifts[SHIFTS] = {*shift, fmax(*shift, FIRST_SHIFT), fmax(*shift, SECOND_SHIFT)};
    if (s->mixed) return solve_mixed(s, G, shifts, shift);
    find_active(s, G);
    bool dense = s->active_rows <= s->dense_limit, fronts = !dense && s->front && s->refusals < REFUSALS;

    // fronts first: they are cheap, and a redundant contact, the usual reason for their failure, is cured by a shift
    for (int i = 0; fronts && i < 2; i++) {
        *shift = shifts[i];
        rico_status status = attempt(s, WAY_FRONTS, G, *shift);
        s->longest = longest_step(s);
        bool redo = status == RICO_SINGULAR || (s->longest < 1.0 && i == 0);
        if (!redo) return status;
    }
    if (fronts) s->refusals++;
    rico_status status = RICO_SINGULAR;
    for (int i = 0; i < SHIFTS && status == RICO_SINGULAR; i++) {
        *shift = shifts[i];
        status = attempt(s, dense ? WAY_DENSE : WAY_SPARSE, G, *shift);
        s->longest = longest_step(s);
    }
    return status;
}
