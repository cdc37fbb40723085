// Figures about a problem: sizes, friction, and what W is like.
//
// Up to DENSE_LIMIT rows, eigenvalues, rank and condition number come from dense factorizations and are exact to
// round-off. Beyond, Lanczos gives inner bounds of the extreme eigenvalues and the rank is left out: rank-revealing
// QR of a W with thousands of dense rows would take minutes.

#include "problem/problem.h"

#include "la/dense.h"
#include "la/lsmr.h"
#include "la/spectrum.h"

#include <float.h>
#include <math.h>

enum { DENSE_LIMIT = 1500, LANCZOS_STEPS = 80, LSMR_STEPS = 1000 };
static const double lsmr_tolerance = 1e-8; // of |A'r|

static void count_blocks(const rico_problem *p, rico_problem_stats *s)
{
    s->friction_min = s->friction_max = NAN;
    for (int64_t i = 0; i < p->block_count; i++) {
        s->blocks[p->kind[i]]++;
        if (!rico_cone_kinds[p->kind[i]].frictional) continue;
        // fmin and fmax pass over the NaN that stands for "none yet"
        s->friction_min = fmin(s->friction_min, p->friction[i]);
        s->friction_max = fmax(s->friction_max, p->friction[i]);
    }
    s->rows = p->rows;
    s->dofs = p->dofs;
    s->contact_density = p->dofs > 0 ? (double)p->rows / (double)p->dofs : NAN;
}


// Blocks of W that hold something: files may store zeros, and every diagonal block is stored, empty or not.
static int64_t count_filled(const rico_block_matrix *W)
{
    int64_t filled = 0;
    for (int64_t k = 0; k < rico_block_count(W); k++) {
        bool found = false;
        for (int64_t i = W->place[k]; i < W->place[k + 1] && !found; i++) found = W->value[i] != 0.0;
        filled += found;
    }
    return filled;
}


static void measure_diagonal(const rico_csc *W, rico_problem_stats *s)
{
    s->diagonal_min = s->diagonal_max = NAN;
    for (int64_t j = 0; j < W->cols; j++) {
        double entry = 0.0;
        for (int64_t k = W->start[j]; k < W->start[j + 1]; k++)
            if (W->row[k] == j) entry = W->value[k];
        s->diagonal_min = fmin(s->diagonal_min, entry);
        s->diagonal_max = fmax(s->diagonal_max, entry);
    }
}


// Rank and condition number from singular values in any order. A value counts as zero below m eps times the
// largest, the error that rounding leaves on a singular value.
static void judge_singular_values(int64_t m, const double *values, rico_problem_stats *s)
{
    double largest = rico_norm_inf(m, values), smallest = INFINITY;
    double threshold = largest * (double)m * DBL_EPSILON;
    s->rank = 0;
    for (int64_t i = 0; i < m; i++) {
        double value = fabs(values[i]);
        if (value <= threshold) continue;
        s->rank++;
        smallest = fmin(smallest, value);
    }
    s->condition = s->rank > 0 ? largest / smallest : NAN;
}


static rico_status describe_dense(rico_context *ctx, const rico_csc *W, rico_problem_stats *s)
{
    int64_t m = W->rows;
    double *dense = rico_alloc(ctx, m * m, sizeof *dense);
    double *values = rico_alloc(ctx, m, sizeof *values);
    rico_status status = dense && values ? RICO_OK : RICO_NO_MEMORY;

    // eigenvalues of the symmetric part
    if (!status) {
        for (int64_t j = 0; j < m; j++) {
            for (int64_t k = W->start[j]; k < W->start[j + 1]; k++) {
                dense[j * m + W->row[k]] += 0.5 * W->value[k];
                dense[W->row[k] * m + j] += 0.5 * W->value[k];
            }
        }
        status = rico_dense_eigen(ctx, m, dense, false, values);
    }
    if (!status) {
        s->eigenvalue_min = values[0];
        s->eigenvalue_max = values[m - 1];
    }

    // they are the singular values too, up to sign, when W is symmetric to round-off
    if (!status && s->symmetry_defect > DBL_EPSILON) {
        for (int64_t i = 0; i < m * m; i++) dense[i] = 0.0;
        for (int64_t j = 0; j < m; j++)
            for (int64_t k = W->start[j]; k < W->start[j + 1]; k++) dense[j * m + W->row[k]] = W->value[k];
        status = rico_dense_singular_values(ctx, m, m, dense, values);
    }
    if (!status) judge_singular_values(m, values, s);

    rico_free(ctx, dense);
    rico_free(ctx, values);
    return status;
}


static void symmetric_part_times(void *user, const double *x, double *y)
{
    const rico_csc *W = user;
    rico_csc_times(W, 0.5, x, 0.0, y);
    rico_csc_transpose_times(W, 0.5, x, 1.0, y);
}


static rico_status describe_by_products(rico_context *ctx, rico_csc *W, rico_problem_stats *s)
{
    rico_spectrum spectrum;
    rico_status status = rico_lanczos(ctx, W->rows, symmetric_part_times, W, LANCZOS_STEPS, 1, &spectrum);
    if (status) return status;
    s->eigenvalue_min = spectrum.smallest;
    s->eigenvalue_max = spectrum.largest;
    return RICO_OK;
}


static void forward(void *user, const double *x, double *y)
{
    rico_csc_times(user, 1.0, x, 0.0, y);
}


static void backward(void *user, const double *x, double *y)
{
    rico_csc_transpose_times(user, 1.0, x, 0.0, y);
}


rico_status rico_problem_describe(rico_problem *p, rico_problem_stats *out)
{
    rico_status status = rico_problem_reduce(p);
    if (status) return status;

    rico_problem_stats s = {.rank = -1, .condition = NAN, .eigenvalue_min = NAN, .eigenvalue_max = NAN};
    count_blocks(p, &s);
    s.delassus_blocks = count_filled(&p->W);
    s.q_norm = rico_norm(p->rows, p->q);

    rico_csc W = {0};
    status = rico_block_to_csc(&p->W, &W);
    if (status) return status;
    measure_diagonal(&W, &s);
    s.symmetry_defect = rico_csc_symmetry_defect(&W);
    if (s.symmetry_defect < 0.0) status = RICO_NO_MEMORY;
    s.asymmetry = s.symmetry_defect * rico_csc_norm_frobenius(&W);
    if (!status)
        status = rico_lsmr_condition(p->ctx, p->rows, &(rico_two_sided){forward, backward, &W}, p->q,
                                     lsmr_tolerance, LSMR_STEPS, &s.condition_lsmr);

    if (!status && p->rows == 0)
        s.rank = 0;
    else if (!status && p->rows <= DENSE_LIMIT)
        status = describe_dense(p->ctx, &W, &s);
    else if (!status)
        status = describe_by_products(p->ctx, &W, &s);
    rico_csc_destroy(&W);
    if (!status) *out = s;
    return status;
}
