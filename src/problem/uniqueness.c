// Whether a problem has at most one solution: a bound on the friction below which its variational inequality is strictly monotone.
//
// With d = x - y, F(r) = W r + q + g(W r + q) has (Acary, Bremond, Huber 2018, eq. 41)
//
//     (F(x) - F(y))'d  >=  d'W d - sum mu_a |d_N,a| |(W d)_T,a|  >=  d'(W - X) d,
//     X = 1/2 (tau N S N' + 1/tau W'T (mu^2/S) T'W)        for any tau > 0 and S = diag(s_a) > 0, by 2ab <= a^2 + b^2.
//
// Where W - X is positive definite there is one solution at most; X grows with mu. The search for tau and the largest factor on mu
// runs on estimates, what it finds is proved by a Cholesky factorization. docs/theory/existence.md has the whole.

#include "problem/problem.h"

#include "la/dense.h"
#include "la/spectrum.h"

#include <math.h>
#include <string.h>

enum { ROW_LIMIT = 1000, LANCZOS_STEPS = 40, TAU_STEPS = 14, ATTEMPTS = 8 };

static const double tau_range = 3.0; // of its logarithm, either way
static const double safety = 0.995;  // on the factor that the estimates suggest
static const double indefinite =
    1e-13; // of the largest diagonal entry: W - X counts as definite only beyond this

typedef struct bound {
    rico_problem *problem;
    int64_t m;
    double *W;      // column-major
    double *L;      // Cholesky factor of the symmetric part
    double *X;      // W - t X, and its factor
    double *weight; // of each row: s_a on normals, mu_a^2 / s_a on tangents, 0 on rows without friction
    bool *tangent;  // is the row one?
    double *x, *y;
    double tau;
} bound;


static void release(bound *b)
{
    rico_context *ctx = b->problem->ctx;
    void *all[] = {b->W, b->L, b->X, b->weight, b->tangent, b->x, b->y};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(ctx, all[i]);
}


// y = L^-1 X L^-T x
static void apply(void *user, const double *from, double *to)
{
    bound *b = user;
    int64_t m = b->m;
    memcpy(b->x, from, (size_t)m * sizeof *b->x);
    for (int64_t i = m - 1; i >= 0; i--) {
        double sum = b->x[i] - rico_dot(m - 1 - i, &b->L[i * m + i + 1], &b->x[i + 1]);
        b->x[i] = sum / b->L[i * m + i];
    }
    rico_dense_times(m, m, 1.0, b->W, b->x, 0.0, b->y);
    for (int64_t i = 0; i < m; i++) b->y[i] = b->tangent[i] ? 0.5 / b->tau * b->weight[i] * b->y[i] : 0.0;
    rico_dense_transpose_times(m, m, 1.0, b->W, b->y, 0.0, to);
    for (int64_t i = 0; i < m; i++)
        if (!b->tangent[i]) to[i] += 0.5 * b->tau * b->weight[i] * b->x[i];
    for (int64_t j = 0; j < m; j++) {
        to[j] /= b->L[j * m + j];
        rico_axpy(m - 1 - j, -to[j], &b->L[j * m + j + 1], &to[j + 1]);
    }
}


// The dense W, its symmetric part factored, and what rows weigh. RICO_SINGULAR, without a word, where W is not positive definite.
static rico_status prepare(bound *b)
{
    const rico_problem *p = b->problem;
    rico_context *ctx = p->ctx;
    int64_t m = b->m;
    rico_csc W = {0};
    rico_status status = rico_block_to_csc(&p->W, &W);
    if (status) return status;
    for (int64_t j = 0; j < m; j++)
        for (int64_t k = W.start[j]; k < W.start[j + 1]; k++) b->W[j * m + W.row[k]] = W.value[k];
    rico_csc_destroy(&W);
    for (int64_t j = 0; j < m; j++)
        for (int64_t i = 0; i < m; i++) b->L[j * m + i] = 0.5 * (b->W[j * m + i] + b->W[i * m + j]);
    double largest = 0.0, smallest = INFINITY;
    for (int64_t i = 0; i < m; i++) largest = fmax(largest, b->L[i * m + i]);
    status = rico_dense_cholesky(ctx, m, b->L);
    if (status) return status;
    for (int64_t i = 0; i < m; i++) smallest = fmin(smallest, b->L[i * m + i] * b->L[i * m + i]);
    if (!(smallest > indefinite * (double)m * largest)) return RICO_SINGULAR;

    // s_a balances the two parts: s_a (W^-1)_NN = mu_a^2 / s_a |W_TT|, both on the contact alone
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t first = p->offset[a], size = p->offset[a + 1] - first;
        double mu = p->friction[a], trace = 0.0, inverse = 0.0;
        if (!(mu > 0.0) || size < 2 || !rico_cone_kinds[p->kind[a]].frictional) continue;
        for (int64_t i = 1; i < size; i++) trace += b->W[(first + i) * m + first + i];
        memset(b->x, 0, (size_t)m * sizeof *b->x);
        b->x[first] = 1.0;
        rico_dense_cholesky_solve(m, b->L, 1, b->x);
        inverse = b->x[first];
        double s = mu * sqrt(trace / inverse);
        b->weight[first] = s;
        for (int64_t i = 1; i < size; i++) {
            b->weight[first + i] = mu * mu / s;
            b->tangent[first + i] = true;
        }
    }
    return RICO_OK;
}


// The largest eigenvalue of L^-1 X L^-T, estimated from below.
static rico_status spread(bound *b, double log_tau, double *value)
{
    rico_spectrum spectrum;
    b->tau = exp(log_tau);
    rico_status status = rico_lanczos(b->problem->ctx, b->m, apply, b, LANCZOS_STEPS, 1, &spectrum);
    if (!status) *value = spectrum.largest;
    return status;
}


// The best tau: the largest eigenvalue is convex in its logarithm.
static rico_status choose_tau(bound *b, double *value)
{
    const double golden = 0.5 * (sqrt(5.0) - 1.0);
    double low = -tau_range, high = tau_range;
    double at[2] = {high - golden * (high - low), low + golden * (high - low)}, found[2];
    rico_status status = spread(b, at[0], &found[0]);
    if (!status) status = spread(b, at[1], &found[1]);
    for (int i = 0; !status && i < TAU_STEPS; i++) {
        int better = found[1] < found[0];
        if (better) {
            low = at[0];
            at[0] = at[1];
            found[0] = found[1];
            at[1] = low + golden * (high - low);
            status = spread(b, at[1], &found[1]);
        } else {
            high = at[1];
            at[1] = at[0];
            found[1] = found[0];
            at[0] = high - golden * (high - low);
            status = spread(b, at[0], &found[0]);
        }
    }
    return status ? status : spread(b, 0.5 * (low + high), value);
}


// Is the symmetric part of W - t X positive definite, with friction t times its own?
static rico_status prove(bound *b, double t, bool *proved)
{
    int64_t m = b->m;
    double largest = 0.0, smallest = INFINITY;
    for (int64_t j = 0; j < m; j++)
        for (int64_t i = 0; i < m; i++) b->X[j * m + i] = 0.5 * (b->W[j * m + i] + b->W[i * m + j]);
    for (int64_t i = 0; i < m; i++) largest = fmax(largest, b->X[i * m + i]);
    for (int64_t k = 0; k < m; k++) {
        if (b->weight[k] == 0.0) continue;
        if (!b->tangent[k]) {
            b->X[k * m + k] -= 0.5 * t * b->tau * b->weight[k];
            continue;
        }
        double factor = 0.5 * t / b->tau * b->weight[k];
        for (int64_t j = 0; j < m; j++) {
            double row = factor * b->W[j * m + k];
            for (int64_t i = j; row != 0.0 && i < m; i++) b->X[j * m + i] -= row * b->W[i * m + k];
        }
    }
    rico_status status = rico_dense_cholesky(b->problem->ctx, m, b->X);
    *proved = false;
    if (status) return status == RICO_SINGULAR ? RICO_OK : status;
    for (int64_t i = 0; i < m; i++) smallest = fmin(smallest, b->X[i * m + i] * b->X[i * m + i]);
    *proved = smallest > indefinite * (double)m * largest;
    return RICO_OK;
}


// Kinds whose own g(u) is mu |u_T| or nothing.
static bool is_within_theory(const rico_problem *p)
{
    for (int64_t a = 0; a < p->block_count; a++)
        if (rico_cone_kinds[p->kind[a]].shaped && rico_cone_kinds[p->kind[a]].frictional) return false;
    return true;
}


static rico_status search(bound *b, rico_uniqueness *out)
{
    rico_status status = prepare(b);
    if (status == RICO_SINGULAR) {
        out->sentence = "uniqueness is not known: W is not positive definite";
        return RICO_OK;
    }
    bool friction = false;
    for (int64_t i = 0; i < b->m; i++) friction |= b->weight[i] > 0.0;
    if (!status && !friction) {
        out->factor = INFINITY;
        out->unique = true;
        out->sentence = "there is one solution: W is positive definite, and there is no friction";
    }
    if (status || !friction) return status;

    double estimate = 0.0, largest = 0.0;
    bool proved = false;
    status = choose_tau(b, &estimate);
    if (status || !(estimate > 0.0)) return status;
    double t = safety / estimate;
    for (int i = 0; !status && !proved && i < ATTEMPTS; i++, t *= proved ? 1.0 : 0.9)
        status = prove(b, t, &proved);
    if (status || !proved) return status;
    for (int64_t a = 0; a < b->problem->block_count; a++) largest = fmax(largest, b->problem->friction[a]);
    out->factor = t;
    out->friction = t * largest;
    out->unique = t > 1.0;
    out->sentence = out->unique
                        ? "there is one solution: W is positive definite, and the friction is below the bound"
                        : "uniqueness is not known: the friction is above the bound";
    return RICO_OK;
}


rico_status rico_problem_uniqueness(rico_problem *p, rico_uniqueness *out)
{
    rico_status status = rico_problem_reduce(p);
    if (status) return status;
    rico_uniqueness found = {.friction = NAN, .sentence = "uniqueness is not known: no bound was found"};
    int64_t m = p->rows;
    if (m == 0) {
        found =
            (rico_uniqueness){true, INFINITY, NAN, "there is one solution: there is nothing to solve for"};
    } else if (m > ROW_LIMIT) {
        found.sentence = "uniqueness is not known: no bound is looked for beyond 1000 rows";
    } else if (!is_within_theory(p)) {
        found.sentence = "uniqueness is not known: the bound is for Coulomb's friction alone";
    } else {
        rico_context *ctx = p->ctx;
        bound b = {.problem = p, .m = m};
        double **square[] = {&b.W, &b.L, &b.X}, **line[] = {&b.weight, &b.x, &b.y};
        bool room = true;
        for (int i = 0; i < 3; i++) room = (*square[i] = rico_alloc(ctx, m * m, sizeof(double))) && room;
        for (int i = 0; i < 3; i++) room = (*line[i] = rico_alloc(ctx, m, sizeof(double))) && room;
        b.tangent = rico_alloc(ctx, m, sizeof *b.tangent);
        status = room && b.tangent ? search(&b, &found) : RICO_NO_MEMORY;
        release(&b);
    }
    if (!status) *out = found;
    return status;
}
