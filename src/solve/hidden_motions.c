// The bodies behind a Delassus matrix: frames, shares of the diagonal, what is left over.

#include "solve/hidden_motions.h"

#include "la/blas.h"
#include "la/dense.h"
#include "la/small_lu.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { SQUARE = RICO_HIDDEN_SQUARE, MOST_EQUATIONS = 400, MOST_ROWS = 60, LAPACK_WORK = 40 * SQUARE };

// In units of W of the groups: what counts as nothing, what can still be a body of its own, and by how much bodies may miss W, of which they give
// directions alone (round-off of ill-placed frames comes to 2.5e-7 with some BLAS). How regular the equations of a body must be,
// and how regular they and its frame are where no better one is looked for.
static const double nothing = 1e-8, round_off = 1e-12, missed = 1e-6, regular = 1e-7, sufficient = 1e-3;

// Where the numbers of a body come from besides the blocks between its groups.
typedef enum help { NOTHING, OTHERS, THE_GROUND } help;


static int64_t width_of(const rico_hidden_motions *m, int64_t g)
{
    return m->s->Wc.offset[g + 1] - m->s->Wc.offset[g];
}


static const double *block_of(const rico_hidden_motions *m, int64_t g, int64_t h)
{
    return &m->W[m->s->Wc.place[rico_block_find(&m->s->Wc, g, h)]];
}


void rico_hidden_motions_destroy(rico_hidden_motions *m)
{
    if (m->cover.ctx) rico_clique_cover_destroy(&m->cover);
    void *const owned[] = {m->size, m->W,         m->unit, m->rank,      m->G, m->mass, m->response,
                           m->rest, m->rest_mass, m->A,    m->rest_rank, m->b, m->work};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++) rico_free(m->ctx, owned[i]);
}


// L L' = a, both row-major of order n; false where a is not definite.
static bool cholesky(int64_t n, const double *a, double *L)
{
    memset(L, 0, (size_t)(n * n) * sizeof *L);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i < n; i++) {
            double sum = a[i * n + j];
            for (int64_t k = 0; k < j; k++) sum -= L[i * n + k] * L[j * n + k];
            if (i == j && !(sum > 0.0)) return false;
            L[i * n + j] = i == j ? sqrt(sum) : sum / L[j * n + j];
        }
    return true;
}


static bool invert(int64_t n, const double *a, double *inverse)
{
    double factors[SQUARE];
    memcpy(factors, a, (size_t)(n * n) * sizeof *factors);
    return rico_small_inverse(n, factors, inverse);
}


// x <- L^-1 x for `count` columns of the row-major x.
static void solve_lower(int64_t n, const double *L, int64_t count, double *x)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t y = 0; y < count; y++) {
            for (int64_t k = 0; k < i; k++) x[i * count + y] -= L[i * n + k] * x[k * count + y];
            x[i * count + y] /= L[i * n + i];
        }
}


// W with the mean of each group's own diagonal as one, and L of the groups. False where that is not definite.
static bool normalize(rico_hidden_motions *m)
{
    const rico_block_matrix *W = &m->s->Wc;
    for (int64_t g = 0; g < W->blocks; g++) {
        int64_t d = width_of(m, g);
        double trace = 0.0;
        for (int64_t i = 0; i < d; i++) trace += W->value[W->place[W->diagonal[g]] + i * (d + 1)];
        if (!(trace > 0.0)) return false;
        m->size[g] = sqrt(trace / (double)d);
    }
    for (int64_t g = 0; g < W->blocks; g++)
        for (int64_t k = W->start[g]; k < W->start[g + 1]; k++)
            for (int64_t i = W->place[k]; i < W->place[k + 1]; i++)
                m->W[i] = W->value[i] / (m->size[g] * m->size[W->col[k]]);
    for (int64_t g = 0; g < W->blocks; g++)
        if (!cholesky(width_of(m, g), &m->W[W->place[W->diagonal[g]]], &m->unit[SQUARE * g])) return false;
    return true;
}


// The transpose of a rows x cols matrix.
static void transpose(int64_t rows, int64_t cols, const double *x, double *out)
{
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++) out[j * rows + i] = x[i * cols + j];
}


// W_ig and W_gi' in the units of the frame i: L^-1 times these, n x d each.
static void see_from(const rico_hidden_motions *m, int64_t i, int64_t g, double *ahead, double *back)
{
    int64_t n = width_of(m, i), d = width_of(m, g);
    memcpy(ahead, block_of(m, i, g), (size_t)(n * d) * sizeof *ahead);
    solve_lower(n, &m->unit[SQUARE * i], d, ahead);
    transpose(d, n, block_of(m, g, i), back);
    solve_lower(n, &m->unit[SQUARE * i], d, back);
}


// x -= G_g' M^-1 G_h, dg x dh, of a body of rank n.
static void take_product(int64_t n, const double *response, int64_t dg, const double *Gg, int64_t dh,
                         const double *Gh, double *x)
{
    for (int64_t p = 0; p < n; p++)
        for (int64_t j = 0; j < dh; j++) {
            double t = 0.0;
            for (int64_t q = 0; q < n; q++) t += response[p * n + q] * Gh[q * dh + j];
            for (int64_t i = 0; i < dg; i++) x[i * dh + j] -= Gg[p * dg + i] * t;
        }
}


// x -= what the body at a place has of W_gg.
static void take_share(const rico_hidden_motions *m, int64_t slot, double *x)
{
    int64_t d = width_of(m, m->cover.member[slot]), body = m->cover.owner[slot];
    const double *G = &m->G[SQUARE * slot];
    take_product(m->rank[body], &m->response[SQUARE * body], d, G, d, G, x);
}


// What the body has of W_gg at a place, where the other one of the group is known; all of it where there is none and that is believed.
static bool find_share(const rico_hidden_motions *m, int64_t slot, help from, double *x)
{
    int64_t g = m->cover.member[slot], d = width_of(m, g), *slots = &m->cover.slot[2 * g];
    int64_t other = slots[0] == slot ? slots[1] : slots[0];
    if (other < 0 ? from < THE_GROUND : from < OTHERS || m->rank[m->cover.owner[other]] == 0) return false;
    memcpy(x, block_of(m, g, g), (size_t)(d * d) * sizeof *x);
    if (other >= 0) take_share(m, other, x);
    return true;
}


// The equations X = A' M B for M of order n, of A of so many columns and B; returns their number.
static int64_t add_equations(rico_hidden_motions *m, int64_t count, int64_t n, int64_t rows, int64_t cols,
                             const double *X, const double *A, const double *B)
{
    for (int64_t x = 0; x < rows; x++)
        for (int64_t y = 0; y < cols && count < MOST_EQUATIONS; y++, count++) {
            for (int64_t p = 0; p < n; p++)
                for (int64_t q = 0; q < n; q++)
                    m->A[count + (p * n + q) * MOST_EQUATIONS] = A[p * rows + x] * B[q * cols + y];
            m->b[count] = X[x * cols + y];
        }
    return count;
}


// The equations M A = M' B: G of a group is the same whether seen from the frame or back.
static int64_t add_symmetry(rico_hidden_motions *m, int64_t count, int64_t n, int64_t cols, const double *A,
                            const double *B)
{
    for (int64_t p = 0; p < n; p++)
        for (int64_t y = 0; y < cols && count < MOST_EQUATIONS; y++, count++) {
            for (int64_t k = 0; k < n * n; k++) m->A[count + k * MOST_EQUATIONS] = 0.0;
            for (int64_t q = 0; q < n; q++) {
                m->A[count + (p * n + q) * MOST_EQUATIONS] += A[q * cols + y];
                m->A[count + (q * n + p) * MOST_EQUATIONS] -= B[q * cols + y];
            }
            m->b[count] = 0.0;
        }
    return count;
}


// Least squares. Returns how regular they are, the least over the largest on the diagonal of R; 0 when not at all.
static double solve_equations(rico_hidden_motions *m, int64_t count, int64_t n, double *M)
{
    int64_t unknowns = n * n;
    if (count < unknowns) return 0.0;
    bool held = rico_blas_hold();
    lapack_int info = LAPACKE_dgels_work(LAPACK_COL_MAJOR, 'N', (lapack_int)count, (lapack_int)unknowns, 1,
                                         m->A, MOST_EQUATIONS, m->b, MOST_EQUATIONS, m->work, LAPACK_WORK);
    rico_blas_release(held);
    if (info) return 0.0;
    double least = INFINITY, most = 0.0;
    for (int64_t k = 0; k < unknowns; k++) {
        double r = fabs(m->A[k + k * MOST_EQUATIONS]);
        least = fmin(least, r);
        most = fmax(most, r);
    }
    memcpy(M, m->b, (size_t)unknowns * sizeof *M);
    return most > 0.0 ? least / most : 0.0;
}


// The mass of a body whose frame's share of W_ii is known: its inverse, in the units of the frame.
static double invert_share(const rico_hidden_motions *m, int64_t i, const double *share, double *M)
{
    int64_t n = width_of(m, i);
    double x[SQUARE], y[SQUARE];
    const double *L = &m->unit[SQUARE * i];
    memcpy(x, share, (size_t)(n * n) * sizeof *x);
    solve_lower(n, L, n, x);
    transpose(n, n, x, y);
    solve_lower(n, L, n, y);
    transpose(n, n, y, x);
    return cholesky(n, x, y) && invert(n, x, M) ? y[n * n - 1] * y[n * n - 1] : 0.0;
}


// M of a body in the units of its group at place `frame`. Returns how well it is determined, 0 when not at all.
static double find_mass(rico_hidden_motions *m, int64_t frame, help from, double *M)
{
    const rico_clique_cover *c = &m->cover;
    int64_t body = c->owner[frame], i = c->member[frame], n = width_of(m, i), count = 0;
    double X[SQUARE], ahead[SQUARE], back[SQUARE], other_ahead[SQUARE], other_back[SQUARE];
    if (find_share(m, frame, from, X)) return invert_share(m, i, X, M);
    for (int64_t k = c->start[body]; k < c->start[body + 1]; k++) {
        int64_t g = c->member[k], dg = width_of(m, g);
        if (k == frame) continue;
        see_from(m, i, g, ahead, back);
        count = add_symmetry(m, count, n, dg, ahead, back);
        if (find_share(m, k, from, X)) count = add_equations(m, count, n, dg, dg, X, back, ahead);
        for (int64_t l = k + 1; l < c->start[body + 1]; l++) {
            int64_t h = c->member[l], dh = width_of(m, h);
            if (l == frame) continue;
            see_from(m, i, h, other_ahead, other_back);
            count = add_equations(m, count, n, dg, dh, block_of(m, g, h), back, other_ahead);
            count = add_equations(m, count, n, dh, dg, block_of(m, h, g), other_back, ahead);
        }
    }
    return solve_equations(m, count, n, M);
}


// G of the groups of a body from its M: L' for the frame, M L^-1 W_ih for others.
static bool place_body(rico_hidden_motions *m, int64_t frame, const double *M)
{
    const rico_clique_cover *c = &m->cover;
    int64_t body = c->owner[frame], i = c->member[frame], n = width_of(m, i);
    double ahead[SQUARE], back[SQUARE];
    if (!invert(n, M, &m->response[SQUARE * body])) return false;
    memcpy(&m->mass[SQUARE * body], M, (size_t)(n * n) * sizeof *M);
    for (int64_t k = c->start[body]; k < c->start[body + 1]; k++) {
        int64_t g = c->member[k], d = width_of(m, g);
        double *G = &m->G[SQUARE * k];
        if (k == frame) {
            transpose(n, n, &m->unit[SQUARE * i], G);
            continue;
        }
        see_from(m, i, g, ahead, back);
        memset(G, 0, (size_t)(n * d) * sizeof *G);
        for (int64_t p = 0; p < n; p++)
            for (int64_t q = 0; q < n; q++)
                for (int64_t y = 0; y < d; y++) G[p * d + y] += M[p * n + q] * ahead[q * d + y];
    }
    m->rank[body] = (int32_t)n;
    return true;
}


// The least over the largest on the diagonal of L.
static double regularity(const rico_hidden_motions *m, int64_t g)
{
    int64_t d = width_of(m, g);
    double least = INFINITY, most = 0.0;
    for (int64_t i = 0; i < d; i++) {
        double l = m->unit[SQUARE * g + i * (d + 1)];
        least = fmin(least, l);
        most = fmax(most, l);
    }
    return least / most;
}


// Does a body give the blocks between its groups back?
static bool is_reproduced(const rico_hidden_motions *m, int64_t b)
{
    const rico_clique_cover *c = &m->cover;
    for (int64_t k = c->start[b]; k < c->start[b + 1]; k++)
        for (int64_t l = c->start[b]; l < c->start[b + 1]; l++) {
            if (k == l) continue;
            int64_t g = c->member[k], h = c->member[l], dg = width_of(m, g), dh = width_of(m, h);
            double X[SQUARE];
            memcpy(X, block_of(m, g, h), (size_t)(dg * dh) * sizeof *X);
            take_product(m->rank[b], &m->response[SQUARE * b], dg, &m->G[SQUARE * k], dh, &m->G[SQUARE * l],
                         X);
            for (int64_t i = 0; i < dg * dh; i++)
                if (!(fabs(X[i]) <= missed)) return false;
        }
    return true;
}


// A body from the frame that determines it best, or well enough. False where none does.
static bool find_by_frame(rico_hidden_motions *m, int64_t body, help from)
{
    const rico_clique_cover *c = &m->cover;
    double best = 0.0, M[SQUARE], kept[SQUARE];
    int64_t frame = -1, widest = 0;
    for (int64_t k = c->start[body]; k < c->start[body + 1]; k++)
        if (width_of(m, c->member[k]) > widest) widest = width_of(m, c->member[k]);
    for (int64_t k = c->start[body]; k < c->start[body + 1] && best < sufficient; k++) {
        double how = regularity(m, c->member[k]);
        if (width_of(m, c->member[k]) < widest || how <= best) continue;
        double determined = find_mass(m, k, from, M);
        if (determined < regular || determined * how <= best) continue;
        best = determined * how;
        frame = k;
        memcpy(kept, M, sizeof M);
    }
    return frame >= 0 && place_body(m, frame, kept) && is_reproduced(m, body);
}


// What a body has of W, with all its groups one after the other, row-major into X. Returns the order, 0 where it is not known.
static int64_t gather_body(const rico_hidden_motions *m, int64_t body, help from, double *X)
{
    const rico_clique_cover *c = &m->cover;
    int64_t order = 0, row = 0, col;
    double share[SQUARE];
    for (int64_t k = c->start[body]; k < c->start[body + 1]; k++) order += width_of(m, c->member[k]);
    if (order > MOST_ROWS) return 0;
    for (int64_t k = c->start[body]; k < c->start[body + 1]; k++, row += width_of(m, c->member[k - 1])) {
        if (!find_share(m, k, from, share)) return 0;
        col = 0;
        for (int64_t l = c->start[body]; l < c->start[body + 1]; l++) {
            int64_t g = c->member[k], h = c->member[l], dg = width_of(m, g), dh = width_of(m, h);
            const double *block = k == l ? share : block_of(m, g, h);
            for (int64_t i = 0; i < dg; i++)
                memcpy(&X[(row + i) * order + col], &block[i * dh], (size_t)dh * sizeof *X);
            col += dh;
        }
    }
    return order;
}


static bool find_eigen(rico_hidden_motions *m, int64_t order, double *V, double *value)
{
    rico_status status = rico_dense_eigen(m->ctx, order, V, true, value);
    if (status == RICO_NO_MEMORY) m->status = status;
    return !status;
}


// A body all of whose W is known, from the range of that: none of its groups need see all of its motions then.
static bool find_by_range(rico_hidden_motions *m, int64_t body, help from)
{
    const rico_clique_cover *c = &m->cover;
    double *X = m->A, *V = &m->A[MOST_ROWS * MOST_ROWS], value[MOST_ROWS], response[SQUARE] = {0.0};
    int64_t order = gather_body(m, body, from, X), n = 0, col = 0;
    for (int64_t i = 0; i < order; i++)
        for (int64_t j = 0; j < order; j++) V[i * order + j] = 0.5 * (X[i * order + j] + X[j * order + i]);
    if (order == 0 || !find_eigen(m, order, V, value)) return false;
    while (n < order && value[order - 1 - n] > round_off) n++;
    if (n == 0 || n > RICO_TWIST) return false;
    V += (order - n) * order; // vectors as rows
    for (int64_t p = 0; p < n; p++)
        for (int64_t q = 0; q < n; q++)
            for (int64_t i = 0; i < order; i++)
                response[p * n + q] += V[p * order + i] * rico_dot(order, &X[i * order], &V[q * order]);
    for (int64_t k = c->start[body]; k < c->start[body + 1]; k++) {
        int64_t d = width_of(m, c->member[k]);
        for (int64_t p = 0; p < n; p++)
            memcpy(&m->G[SQUARE * k + p * d], &V[p * order + col], (size_t)d * sizeof *V);
        col += d;
    }
    memcpy(&m->response[SQUARE * body], response, sizeof response);
    m->rank[body] = (int32_t)n;
    return invert(n, response, &m->mass[SQUARE * body]) && is_reproduced(m, body);
}


static bool find_body(rico_hidden_motions *m, int64_t body, help from)
{
    bool found = (from > NOTHING && find_by_range(m, body, from)) || find_by_frame(m, body, from);
    if (!found) m->rank[body] = 0;
    return found;
}


// All bodies: by themselves, then with the help of those found, at last with the ground where nothing else is known to be.
static bool find_bodies(rico_hidden_motions *m)
{
    int64_t found = 0;
    for (help from = NOTHING; from <= THE_GROUND; from++)
        for (bool more = true; more;) {
            more = false;
            for (int64_t b = 0; b < m->cover.cliques; b++) {
                if (m->rank[b] > 0 || !find_body(m, b, from)) continue;
                found++;
                more = true;
            }
        }
    return found == m->cover.cliques;
}


// What the bodies of a group leave of its W_gg: nothing, or a body of its own where it has but one other.
static bool find_rest(rico_hidden_motions *m, int64_t g)
{
    int64_t d = width_of(m, g), n = 0;
    const int64_t *slot = &m->cover.slot[2 * g];
    double X[SQUARE], V[SQUARE], value[RICO_TWIST], *G = &m->rest[SQUARE * g], response[SQUARE] = {0.0};
    memcpy(X, block_of(m, g, g), (size_t)(d * d) * sizeof *X);
    for (int side = 0; side < 2; side++)
        if (slot[side] >= 0) take_share(m, slot[side], X);
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = 0; j < d; j++) V[i * d + j] = 0.5 * (X[i * d + j] + X[j * d + i]);
    if (!find_eigen(m, d, V, value)) return false;
    for (int64_t k = 0; k < d; k++) {
        if (value[k] <= nothing) continue;
        memcpy(&G[n * d], &V[k * d], (size_t)d * sizeof *G);
        n++;
    }
    for (int64_t p = 0; p < n; p++)
        for (int64_t q = 0; q < n; q++)
            for (int64_t i = 0; i < d; i++)
                for (int64_t j = 0; j < d; j++)
                    response[p * n + q] += G[p * d + i] * X[i * d + j] * G[q * d + j];
    take_product(n, response, d, G, d, G, X);
    for (int64_t k = 0; k < d * d; k++)
        if (!(fabs(X[k]) <= missed)) return false;
    m->rest_rank[g] = (int32_t)n;
    return n == 0 || invert(n, response, &m->rest_mass[SQUARE * g]);
}


static rico_status make_room(rico_hidden_motions *m)
{
    rico_context *ctx = m->ctx;
    const rico_block_matrix *W = &m->s->Wc;
    int64_t n = W->blocks;
    m->size = rico_alloc(ctx, n, sizeof *m->size);
    m->W = rico_alloc(ctx, W->place[W->start[n]], sizeof *m->W);
    m->unit = rico_alloc(ctx, SQUARE * n, sizeof *m->unit);
    m->rank = rico_alloc(ctx, n, sizeof *m->rank);
    m->G = rico_alloc(ctx, 2 * SQUARE * n, sizeof *m->G);
    m->mass = rico_alloc(ctx, SQUARE * n, sizeof *m->mass);
    m->response = rico_alloc(ctx, SQUARE * n, sizeof *m->response);
    m->rest = rico_alloc(ctx, SQUARE * n, sizeof *m->rest);
    m->rest_mass = rico_alloc(ctx, SQUARE * n, sizeof *m->rest_mass);
    m->rest_rank = rico_alloc(ctx, n, sizeof *m->rest_rank);
    m->A = rico_alloc(ctx, MOST_EQUATIONS * SQUARE, sizeof *m->A);
    m->b = rico_alloc(ctx, MOST_EQUATIONS, sizeof *m->b);
    m->work = rico_alloc(ctx, LAPACK_WORK, sizeof *m->work);
    bool bodies = m->rank && m->G && m->mass && m->response && m->rest && m->rest_mass && m->rest_rank;
    return m->size && m->W && m->unit && bodies && m->A && m->b && m->work ? RICO_OK : RICO_NO_MEMORY;
}


rico_status rico_hidden_motions_find(rico_hidden_motions *m, bool *found)
{
    *found = false;
    rico_status status = rico_clique_cover_create(&m->s->Wc, &m->cover);
    if (status) return status == RICO_UNSUPPORTED ? RICO_OK : status;
    status = make_room(m);
    bool all = !status && normalize(m) && find_bodies(m);
    for (int64_t g = 0; all && g < m->s->groups; g++) all = find_rest(m, g);
    *found = all && !m->status;
    return status ? status : m->status;
}
