// Lemke's method: complementary pivoting with a lexicographic ratio test.
//
// Lemke 1965; Cottle, Pang, Stone 1992, Algorithm 4.4.5 and section 4.9. An artificial z0 makes every w nonnegative,
// w = M z + q + d z0; each pivot brings in the complement of what went out, until z0 goes. The lexicographic rule
// keeps the path from turning in circles at degenerate corners. It ends after finitely many pivots, at a solution or
// on a ray; on a ray with M copositive-plus (W semidefinite, no friction) there is no solution at all.

#include "solve/lemke.h"

#include "la/dense.h"

#include <math.h>
#include <string.h>

// entries this small beside the largest of their column are taken for zero
static const double pivot_threshold = 1e-11;

// ratios and lexicographic entries closer than this count as equal
static const double tie = 1e-12;


rico_status rico_lemke_create(rico_context *ctx, int64_t size, rico_lemke **out)
{
    rico_lemke *lemke = rico_alloc(ctx, 1, sizeof *lemke);
    if (!lemke) return RICO_NO_MEMORY;
    lemke->ctx = ctx;
    lemke->size = size;
    lemke->T = rico_alloc(ctx, size * (size + 1), sizeof *lemke->T);
    lemke->rhs = rico_alloc(ctx, size, sizeof *lemke->rhs);
    lemke->basic = rico_alloc(ctx, size, sizeof *lemke->basic);
    lemke->slot = rico_alloc(ctx, size + 1, sizeof *lemke->slot);
    lemke->place = rico_alloc(ctx, 2 * size + 1, sizeof *lemke->place);
    lemke->ray = rico_alloc(ctx, size, sizeof *lemke->ray);
    bool room = lemke->T && lemke->rhs && lemke->basic && lemke->slot && lemke->place && lemke->ray;
    if (!room) {
        rico_lemke_destroy(lemke);
        return RICO_NO_MEMORY;
    }
    *out = lemke;
    return RICO_OK;
}


void rico_lemke_destroy(rico_lemke *lemke)
{
    if (!lemke) return;
    rico_context *ctx = lemke->ctx;
    rico_free(ctx, lemke->T);
    rico_free(ctx, lemke->rhs);
    rico_free(ctx, lemke->basic);
    rico_free(ctx, lemke->slot);
    rico_free(ctx, lemke->place);
    rico_free(ctx, lemke->ray);
    rico_free(ctx, lemke);
}


static void begin(rico_lemke *l, const double *M, const double *q)
{
    int64_t n = l->size;
    memcpy(l->T, M, (size_t)(n * n) * sizeof *M);
    memcpy(l->rhs, q, (size_t)n * sizeof *q);
    for (int64_t i = 0; i < n; i++) {
        l->T[n * n + i] = 1.0;
        l->basic[i] = i;
        l->place[i] = i;
    }
    for (int64_t j = 0; j <= n; j++) {
        l->slot[j] = n + j;
        l->place[n + j] = -1 - j;
    }
    l->pivots = 0;
}


// Exchanges the variable of a row with that of a column.
static void pivot(rico_lemke *l, int64_t row, int64_t col)
{
    int64_t n = l->size;
    double *entering = &l->T[col * n], p = entering[row];

    // x_e = (x_r - rhs_r - sum T_rj x_j) / p goes into all the other rows
    for (int64_t j = 0; j <= n; j++) {
        double *column = &l->T[j * n], factor = -column[row] / p;
        if (j == col || factor == 0.0) continue;
        rico_axpy(n, factor, entering, column);
        column[row] = factor;
    }
    double value = -l->rhs[row] / p;
    rico_axpy(n, value, entering, l->rhs);
    l->rhs[row] = value;
    for (int64_t i = 0; i < n; i++) entering[i] /= p;
    entering[row] = 1.0 / p;

    int64_t leaving = l->basic[row];
    l->basic[row] = l->slot[col];
    l->slot[col] = leaving;
    l->place[l->basic[row]] = row;
    l->place[leaving] = -1 - col;
    l->pivots++;
}


// Entry j of row i of the inverse of the basis: minus the column of w_j, or a unit vector while w_j is basic.
static double inverse_entry(const rico_lemke *l, int64_t i, int64_t j)
{
    int64_t place = l->place[j];
    return place < 0 ? -l->T[(-1 - place) * l->size + i] : (place == i ? 1.0 : 0.0);
}


// Does row i come before row k in the lexicographic order of (inverse of the basis) / -entering?
static bool lexicographically_less(const rico_lemke *l, const double *entering, int64_t i, int64_t k)
{
    for (int64_t j = 0; j < l->size; j++) {
        double a = inverse_entry(l, i, j) / -entering[i], b = inverse_entry(l, k, j) / -entering[k];
        if (fabs(a - b) > tie * (fabs(a) + fabs(b))) return a < b;
    }
    return entering[i] < entering[k]; // the same to round-off: the larger pivot
}


// The row that blocks the entering column first; z0 goes whenever it may. -1 on a ray.
static int64_t ratio_test(const rico_lemke *l, int64_t col)
{
    int64_t n = l->size, artificial = l->place[2 * n];
    const double *entering = &l->T[col * n];
    double threshold = -pivot_threshold * fmax(rico_norm_inf(n, entering), 1.0);

    double least = INFINITY;
    for (int64_t i = 0; i < n; i++)
        if (entering[i] < threshold) least = fmin(least, fmax(l->rhs[i], 0.0) / -entering[i]);
    if (least == INFINITY) return -1;

    double bound = least + tie * (1.0 + least);
    int64_t best = -1;
    for (int64_t i = 0; i < n; i++) {
        if (!(entering[i] < threshold && fmax(l->rhs[i], 0.0) / -entering[i] <= bound)) continue;
        if (i == artificial) return i;
        if (best < 0 || lexicographically_less(l, entering, i, best)) best = i;
    }
    return best;
}


static int64_t complement(const rico_lemke *l, int64_t variable)
{
    return variable < l->size ? variable + l->size : variable - l->size;
}


rico_lemke_end rico_lemke_solve(rico_lemke *l, const double *M, const double *q, double *z, rico_run *run)
{
    int64_t n = l->size, artificial = 2 * n;
    begin(l, M, q);
    memset(z, 0, (size_t)n * sizeof *z);

    // the most negative q makes z0 basic; of equal ones the last, the lexicographic order of unit vectors
    int64_t row = -1;
    for (int64_t i = 0; i < n; i++)
        if (q[i] < 0.0 && (row < 0 || q[i] <= q[row])) row = i;
    if (row < 0) return RICO_LEMKE_SOLVED;
    int64_t leaving = l->basic[row];
    pivot(l, row, n);

    while (leaving != artificial) {
        if (rico_run_limits(run, l->pivots)) return RICO_LEMKE_CUT;
        int64_t entering = complement(l, leaving), col = -1 - l->place[entering];
        row = ratio_test(l, col);
        if (row < 0) {
            for (int64_t i = 0; i < n; i++) {
                int64_t place = l->place[n + i];
                l->ray[i] = place >= 0 ? fmax(l->T[col * n + place], 0.0) : n + i == entering ? 1.0 : 0.0;
            }
            return RICO_LEMKE_RAY;
        }
        leaving = l->basic[row];
        pivot(l, row, col);
    }
    for (int64_t i = 0; i < n; i++)
        if (l->place[n + i] >= 0) z[i] = fmax(l->rhs[l->place[n + i]], 0.0);
    return RICO_LEMKE_SOLVED;
}


bool rico_lemke_ray_is_proof(const rico_lemke *l, const double *M, const double *q, double *reach)
{
    int64_t n = l->size;
    double v_size = 0.0, q_size = 0.0, gain = 0.0, slack = 0.0;
    for (int64_t i = 0; i < n; i++) {
        v_size += l->ray[i];
        q_size += fabs(q[i]);
        gain -= l->ray[i] * q[i];
    }

    // for z >= 0: v'(M z + q) <= slack |z|_1 - gain, which is negative while |z|_1 < gain / slack
    for (int64_t j = 0; j < n; j++) slack = fmax(slack, rico_dot(n, &M[j * n], l->ray));
    *reach = slack > 0.0 ? gain / (slack * q_size) : INFINITY;
    return gain > 1e-8 * rico_norm_inf(n, q) * v_size && *reach >= 1e6;
}
