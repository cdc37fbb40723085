// The friction problem as a dense linear complementarity problem: facets, equalities eliminated, the way back to impulses.

#include "problem/lcp.h"

#include "la/dense.h"

#include <math.h>
#include <string.h>

// An equality row whose pivot falls below this part of the largest is a consequence of the others.
static const double redundancy = 1e-11;

enum { UNKNOWNS = 4 }; // of a plane contact with friction: r_N, l+, l-, s


static bool has_friction(const rico_problem *p, int64_t a)
{
    return p->kind[a] == RICO_COULOMB_2D && p->friction[a] > 0.0;
}


// In space, where the cone is cut into facets.
static bool has_facets(const rico_problem *p, int64_t a)
{
    return p->kind[a] == RICO_COULOMB_3D && p->friction[a] > 0.0;
}


static bool is_box(const rico_problem *p, int64_t a)
{
    return p->kind[a] == RICO_BOX;
}


// A box with two finite bounds has an unknown for each.
static bool has_width(const rico_problem *p, int64_t a)
{
    return is_box(p, a) && isfinite(p->block[a].low) && isfinite(p->block[a].high);
}


static int64_t unknowns_of(const rico_lcp *lcp, int64_t a)
{
    const rico_problem *p = lcp->problem;
    if (has_facets(p, a)) return 2 + lcp->facets;
    return has_friction(p, a) ? UNKNOWNS : has_width(p, a) ? 2 : 1;
}


// Sizes, before anything large is allocated.
static rico_status measure(rico_lcp *lcp, int64_t limit)
{
    const rico_problem *p = lcp->problem;
    int64_t equalities = 0;
    for (int64_t a = 0; a < p->block_count; a++) {
        if (has_facets(p, a) && lcp->facets < 3)
            return rico_fail(lcp->ctx, RICO_UNSUPPORTED,
                             "block %lld has friction in space: it is no linear complementarity problem",
                             (long long)a);
        if (is_box(p, a) && !isfinite(p->block[a].low) && !isfinite(p->block[a].high))
            return rico_fail(lcp->ctx, RICO_UNSUPPORTED,
                             "block %lld is a box from %g to %g: pivots need a finite bound to start from",
                             (long long)a, p->block[a].low, p->block[a].high);
        if (rico_problem_is_joint(p, a)) {
            equalities += p->offset[a + 1] - p->offset[a];
        } else {
            lcp->contacts += has_facets(p, a) ? 3 : has_friction(p, a) ? 2 : 1;
            lcp->size += unknowns_of(lcp, a);
        }
    }
    lcp->rows = lcp->contacts + equalities;
    if (lcp->size > limit || lcp->rows > limit)
        return rico_fail(
            lcp->ctx, RICO_UNSUPPORTED,
            "as a dense complementarity problem it has %lld rows and %lld unknowns, more than the "
            "limit of %lld",
            (long long)lcp->rows, (long long)lcp->size, (long long)limit);
    return RICO_OK;
}


static rico_status make_room(rico_lcp *lcp)
{
    rico_context *ctx = lcp->ctx;
    int64_t n = lcp->size, m = lcp->rows;
    lcp->M = rico_alloc(ctx, n * n, sizeof *lcp->M);
    lcp->q = rico_alloc(ctx, n, sizeof *lcp->q);
    lcp->from = rico_alloc(ctx, n, sizeof *lcp->from);
    lcp->sign = rico_alloc(ctx, n, sizeof *lcp->sign);
    lcp->other = rico_alloc(ctx, n, sizeof *lcp->other);
    lcp->turn = rico_alloc(ctx, n, sizeof *lcp->turn);
    lcp->arms = rico_alloc(ctx, n, sizeof *lcp->arms);
    lcp->scale = rico_alloc(ctx, n, sizeof *lcp->scale);
    lcp->normal = rico_alloc(ctx, n, sizeof *lcp->normal);
    bool unknowns = lcp->M && lcp->q && lcp->from && lcp->sign && lcp->scale && lcp->normal && lcp->other &&
                    lcp->turn && lcp->arms;
    lcp->row = rico_alloc(ctx, m, sizeof *lcp->row);
    lcp->place = rico_alloc(ctx, lcp->problem->rows, sizeof *lcp->place);
    lcp->A = rico_alloc(ctx, m * m, sizeof *lcp->A);
    lcp->a = rico_alloc(ctx, m, sizeof *lcp->a);
    lcp->diagonal = rico_alloc(ctx, m, sizeof *lcp->diagonal);
    lcp->pivot = rico_alloc(ctx, m, sizeof *lcp->pivot);
    lcp->done = rico_alloc(ctx, m, sizeof *lcp->done);
    lcp->held = rico_alloc(ctx, m, sizeof *lcp->held);
    lcp->base = rico_alloc(ctx, m, sizeof *lcp->base);
    bool matrix = lcp->A && lcp->a && lcp->diagonal && lcp->base;
    bool rows = lcp->row && lcp->place && lcp->pivot && lcp->done && lcp->held;
    return unknowns && matrix && rows ? RICO_OK : RICO_NO_MEMORY;
}


// The unknowns of a contact in space behind its normal one, i: directions evenly around the circle, and the slip speed.
static void number_facets(rico_lcp *lcp, int64_t a, int64_t normal, int64_t i)
{
    const double turn = 8.0 * atan(1.0) / (double)lcp->facets;
    for (int64_t j = 1; j <= lcp->facets; j++) {
        lcp->from[i + j] = normal + 1;
        lcp->other[i + j] = normal + 2;
        lcp->sign[i + j] = cos(turn * (double)(j - 1));
        lcp->turn[i + j] = sin(turn * (double)(j - 1));
    }
    int64_t slip = i + 1 + lcp->facets;
    lcp->from[slip] = RICO_LCP_SLIP;
    lcp->arms[slip] = lcp->facets;
    lcp->normal[slip] = lcp->problem->friction[a];
}


static void number_rows(rico_lcp *lcp)
{
    const rico_problem *p = lcp->problem;
    int64_t contact = 0, equality = lcp->contacts, unknown = 0;
    for (int64_t a = 0; a < p->block_count; a++)
        for (int64_t i = p->offset[a]; i < p->offset[a + 1]; i++) {
            int64_t place = -1;
            if (rico_problem_is_joint(p, a))
                place = equality++;
            else if (i == p->offset[a] || has_friction(p, a) || has_facets(p, a))
                place = contact++;
            lcp->place[i] = place;
            if (place >= 0) lcp->row[place] = i;
        }

    for (int64_t i = 0; i < lcp->size; i++) lcp->other[i] = -1;
    for (int64_t a = 0; a < p->block_count; a++) {
        if (rico_problem_is_joint(p, a)) continue;
        int64_t normal = lcp->place[p->offset[a]], i = unknown;
        lcp->from[i] = normal;
        lcp->sign[i] = is_box(p, a) && !isfinite(p->block[a].low) ? -1.0 : 1.0;
        unknown += unknowns_of(lcp, a);
        if (has_width(p, a)) lcp->from[i + 1] = RICO_LCP_BOUND;
        if (has_facets(p, a)) number_facets(lcp, a, normal, i);
        if (!has_friction(p, a)) continue;
        lcp->arms[i + 3] = 2;
        lcp->from[i + 1] = lcp->from[i + 2] = normal + 1;
        lcp->sign[i + 1] = 1.0;
        lcp->sign[i + 2] = -1.0;
        lcp->from[i + 3] = RICO_LCP_SLIP;
        lcp->normal[i + 3] = p->friction[a];
    }
}


rico_status rico_lcp_create(rico_problem *problem, int64_t limit, int64_t facets, rico_lcp **out)
{
    rico_lcp *lcp = rico_alloc(problem->ctx, 1, sizeof *lcp);
    if (!lcp) return RICO_NO_MEMORY;
    lcp->ctx = problem->ctx;
    lcp->problem = problem;
    lcp->facets = facets;
    rico_status status = rico_problem_reduce(problem);
    if (!status) status = measure(lcp, limit);
    if (!status) status = make_room(lcp);
    if (status) {
        rico_lcp_destroy(lcp);
        return status;
    }
    number_rows(lcp);
    rico_lcp_update(lcp, true);
    *out = lcp;
    return RICO_OK;
}


void rico_lcp_destroy(rico_lcp *lcp)
{
    if (!lcp) return;
    rico_context *ctx = lcp->ctx;
    rico_free(ctx, lcp->M);
    rico_free(ctx, lcp->q);
    rico_free(ctx, lcp->from);
    rico_free(ctx, lcp->sign);
    rico_free(ctx, lcp->other);
    rico_free(ctx, lcp->turn);
    rico_free(ctx, lcp->arms);
    rico_free(ctx, lcp->scale);
    rico_free(ctx, lcp->normal);
    rico_free(ctx, lcp->row);
    rico_free(ctx, lcp->place);
    rico_free(ctx, lcp->A);
    rico_free(ctx, lcp->a);
    rico_free(ctx, lcp->diagonal);
    rico_free(ctx, lcp->pivot);
    rico_free(ctx, lcp->done);
    rico_free(ctx, lcp->held);
    rico_free(ctx, lcp->base);
    rico_free(ctx, lcp);
}


// The dense W of the rows that take part.
static void gather(rico_lcp *lcp)
{
    const rico_block_matrix *W = &lcp->problem->W;
    int64_t m = lcp->rows;
    memset(lcp->A, 0, (size_t)(m * m) * sizeof *lcp->A);
    for (int64_t b = 0; b < W->blocks; b++)
        for (int64_t k = W->start[b]; k < W->start[b + 1]; k++) {
            const double *value = &W->value[W->place[k]];
            for (int64_t i = W->offset[b]; i < W->offset[b + 1]; i++)
                for (int64_t j = W->offset[W->col[k]]; j < W->offset[W->col[k] + 1]; j++, value++)
                    if (lcp->place[i] >= 0 && lcp->place[j] >= 0)
                        lcp->A[lcp->place[j] * m + lcp->place[i]] = *value;
        }
    for (int64_t i = 0; i < m; i++) lcp->diagonal[i] = lcp->A[i * m + i];
}


// Column y minus its pivot entry over the pivot times the pivot's column; the entry itself is left divided.
static void eliminate_from(int64_t m, const double *pivot_column, int64_t e, double *y)
{
    double factor = y[e] / pivot_column[e];
    if (factor != 0.0) rico_axpy(m, -factor, pivot_column, y);
    y[e] = factor;
}


// Gauss-Jordan on the equality rows, largest diagonal entry first, which shows the rank of a semidefinite block. The
// columns of eliminated rows stay as they were when it was their turn: q goes the same way later.
static void eliminate_equalities(rico_lcp *lcp)
{
    int64_t m = lcp->rows;
    double largest = 0.0;
    memset(lcp->done, 0, (size_t)m * sizeof *lcp->done);
    for (lcp->pivots = 0; lcp->pivots < m - lcp->contacts; lcp->pivots++) {
        int64_t best = -1;
        for (int64_t e = lcp->contacts; e < m; e++)
            if (!lcp->done[e] && (best < 0 || lcp->A[e * m + e] > lcp->A[best * m + best])) best = e;
        const double *column = &lcp->A[best * m];
        largest = fmax(largest, column[best]);
        if (!(column[best] > redundancy * largest)) return;

        lcp->pivot[lcp->pivots] = best;
        lcp->done[best] = true;
        for (int64_t j = 0; j < m; j++)
            if (!lcp->done[j]) eliminate_from(m, column, best, &lcp->A[j * m]);
    }
}


// A contact row that the joints leave no freedom has nothing but round-off left of W: its row and column are cleared,
// which is what they are for a semidefinite W whose diagonal entry is zero.
static void clear_held(rico_lcp *lcp)
{
    int64_t m = lcp->rows;
    for (int64_t k = 0; k < lcp->contacts; k++) {
        // an unsymmetric W may have entries beside a diagonal of zero
        lcp->held[k] =
            lcp->pivots > 0 && lcp->diagonal[k] > 0.0 && !(lcp->A[k * m + k] > redundancy * lcp->diagonal[k]);
        for (int64_t i = 0; lcp->held[k] && i < lcp->contacts; i++)
            lcp->A[k * m + i] = lcp->A[i * m + k] = 0.0;
    }
}


// d_i'A d_j for the directions of two unknowns.
static double couple(const rico_lcp *lcp, int64_t i, int64_t j)
{
    const double *A = lcp->A;
    int64_t m = lcp->rows, k = lcp->from[i], l = lcp->from[j];
    double sum = lcp->sign[i] * A[l * m + k] * lcp->sign[j];
    if (lcp->other[i] >= 0) sum += lcp->turn[i] * A[l * m + lcp->other[i]] * lcp->sign[j];
    if (lcp->other[j] >= 0) sum += lcp->sign[i] * A[lcp->other[j] * m + k] * lcp->turn[j];
    if (lcp->other[i] >= 0 && lcp->other[j] >= 0)
        sum += lcp->turn[i] * A[lcp->other[j] * m + lcp->other[i]] * lcp->turn[j];
    return sum;
}


// M from the condensed W by signs and scales, with the rows and columns of the slip speeds.
static void assemble(rico_lcp *lcp)
{
    int64_t n = lcp->size, m = lcp->rows;
    for (int64_t i = 0; i < n; i++) {
        int64_t k = lcp->from[i];
        if (k < 0) {
            lcp->scale[i] =
                1.0 / lcp->scale[i - 1]; // the entries of s in the rows of l+ and l-, or of z, become 1
            continue;
        }
        // one scale for all directions of a contact, so that the entries of s are alike
        double diagonal = lcp->A[k * m + k];
        if (lcp->other[i] >= 0) diagonal = 0.5 * (diagonal + lcp->A[(k + 1) * m + k + 1]);
        lcp->scale[i] = diagonal > 0.0 ? 1.0 / sqrt(diagonal) : 1.0;
    }
    memset(lcp->M, 0, (size_t)(n * n) * sizeof *lcp->M);
    for (int64_t j = 0; j < n; j++) {
        double *column = &lcp->M[j * n];
        if (lcp->from[j] < 0) {
            int64_t arms = lcp->from[j] == RICO_LCP_SLIP ? lcp->arms[j] : 1;
            for (int64_t i = j - arms; i < j; i++) column[i] = 1.0;
            continue;
        }
        for (int64_t i = 0; i < n; i++)
            if (lcp->from[i] >= 0) column[i] = lcp->scale[i] * couple(lcp, i, j) * lcp->scale[j];
    }
    for (int64_t s = 0; s < n; s++) {
        if (lcp->from[s] == RICO_LCP_BOUND) lcp->M[(s - 1) * n + s] = -1.0;
        if (lcp->from[s] != RICO_LCP_SLIP) continue;
        int64_t first = s - lcp->arms[s];
        lcp->M[(first - 1) * n + s] = lcp->normal[s] * lcp->scale[first - 1] * lcp->scale[s];
        for (int64_t i = first; i < s; i++) lcp->M[i * n + s] = -1.0;
    }
}


// Boxes begin at a bound: its impulse moves q, and their width is what the other bound leaves.
static void take_bounds(rico_lcp *lcp)
{
    const rico_problem *p = lcp->problem;
    int64_t m = lcp->rows, unknown = 0;
    for (int64_t a = 0; a < p->block_count; a++) {
        if (rico_problem_is_joint(p, a)) continue;
        int64_t i = unknown, k = lcp->from[i];
        unknown += unknowns_of(lcp, a);
        if (!is_box(p, a)) continue;
        lcp->base[k] = isfinite(p->block[a].low) ? p->block[a].low : p->block[a].high;
        if (has_width(p, a)) lcp->q[i + 1] = (p->block[a].high - p->block[a].low) * lcp->scale[i + 1];
    }
    for (int64_t j = 0; j < lcp->contacts; j++)
        for (int64_t i = 0; lcp->base[j] != 0.0 && i < lcp->size; i++) {
            if (lcp->from[i] >= 0)
                lcp->q[i] += lcp->scale[i] * lcp->sign[i] * lcp->A[j * m + lcp->from[i]] * lcp->base[j];
            if (lcp->other[i] >= 0)
                lcp->q[i] += lcp->scale[i] * lcp->turn[i] * lcp->A[j * m + lcp->other[i]] * lcp->base[j];
        }
}


void rico_lcp_update(rico_lcp *lcp, bool matrix)
{
    int64_t m = lcp->rows;
    if (matrix) {
        gather(lcp);
        eliminate_equalities(lcp);
        clear_held(lcp);
        assemble(lcp);
    }
    for (int64_t i = 0; i < m; i++) lcp->a[i] = lcp->problem->q[lcp->row[i]];
    for (int64_t k = 0; k < lcp->pivots; k++)
        eliminate_from(m, &lcp->A[lcp->pivot[k] * m], lcp->pivot[k], lcp->a);
    double round_off = redundancy * rico_norm_inf(lcp->problem->rows, lcp->problem->q);
    for (int64_t k = 0; k < lcp->contacts; k++)
        if (lcp->held[k] && fabs(lcp->a[k]) <= round_off) lcp->a[k] = 0.0;
    for (int64_t i = 0; i < lcp->size; i++) {
        lcp->q[i] = lcp->from[i] >= 0 ? lcp->scale[i] * lcp->sign[i] * lcp->a[lcp->from[i]] : 0.0;
        if (lcp->other[i] >= 0) lcp->q[i] += lcp->scale[i] * lcp->turn[i] * lcp->a[lcp->other[i]];
    }
    take_bounds(lcp);
}


void rico_lcp_impulse(const rico_lcp *lcp, const double *z, double *r)
{
    memset(r, 0, (size_t)lcp->problem->rows * sizeof *r);
    for (int64_t k = 0; k < lcp->contacts; k++) r[lcp->row[k]] = lcp->base[k];
    for (int64_t i = 0; i < lcp->size; i++) {
        if (lcp->from[i] >= 0) r[lcp->row[lcp->from[i]]] += lcp->sign[i] * lcp->scale[i] * z[i];
        if (lcp->other[i] >= 0) r[lcp->row[lcp->other[i]]] += lcp->turn[i] * lcp->scale[i] * z[i];
    }
    rico_lcp_substitute(lcp, r);
}


void rico_lcp_substitute(const rico_lcp *lcp, double *r)
{
    int64_t m = lcp->rows;
    // an eliminated row reads r_e + A_e r + a_e = 0
    for (int64_t k = 0; k < lcp->pivots; k++) r[lcp->row[lcp->pivot[k]]] = -lcp->a[lcp->pivot[k]];
    for (int64_t j = 0; j < lcp->contacts; j++)
        for (int64_t k = 0; k < lcp->pivots; k++)
            r[lcp->row[lcp->pivot[k]]] -= lcp->A[j * m + lcp->pivot[k]] * r[lcp->row[j]];
}


void rico_lcp_guess(const rico_lcp *lcp, const double *r, const double *u, double *z)
{
    for (int64_t i = 0; i < lcp->size; i++) {
        double value = lcp->from[i] >= 0 ? lcp->sign[i] * r[lcp->row[lcp->from[i]]]
                                         : fabs(u[lcp->row[lcp->from[i - 1]]]);
        z[i] = fmax(value, 0.0) / lcp->scale[i];
    }
}
