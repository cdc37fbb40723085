// Newton systems compressed to twists of body pairs: the compressed matrix, its factors, solves.

#include "solve/compressed_groups.h"

#include "la/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Redundant equalities get this much of their diagonal.
static const double joint_regularization = 1e-12;


void rico_compressed_destroy(rico_compressed *s)
{
    if (!s) return;
    rico_context *ctx = s->ctx;
    rico_front_lu_destroy(s->lu);
    rico_block_destroy(&s->Wc);
    void *const owned[] = {s->member_start,
                           s->member,
                           s->group,
                           s->row,
                           s->width,
                           s->basis_start,
                           s->basis,
                           s->S,
                           s->left,
                           s->pivot,
                           s->square_start,
                           s->value,
                           s->rows,
                           s->factor,
                           s->active,
                           s->x,
                           s->y,
                           s->v,
                           s->e};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++) rico_free(ctx, owned[i]);
    rico_free(ctx, s);
}


static int64_t rows_of(const rico_problem *p, int64_t a)
{
    return p->offset[a + 1] - p->offset[a];
}


static int compare_columns(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}


// The pattern of Wc: which group touches which.
static rico_status make_pattern(rico_compressed *s, const int64_t *offset)
{
    rico_context *ctx = s->ctx;
    const rico_problem *p = s->p;
    const rico_block_matrix *W = &p->W;
    rico_block_matrix *c = &s->Wc;
    int64_t groups = s->groups;
    c->ctx = ctx;
    c->blocks = groups;
    c->rows = offset[groups];
    c->offset = rico_alloc(ctx, groups + 1, sizeof *c->offset);
    c->start = rico_alloc(ctx, groups + 1, sizeof *c->start);
    c->diagonal = rico_alloc(ctx, groups, sizeof *c->diagonal);
    c->col = rico_alloc(ctx, W->start[W->blocks], sizeof *c->col);
    c->place = rico_alloc(ctx, W->start[W->blocks] + 1, sizeof *c->place);
    int64_t *mark = rico_alloc(ctx, groups, sizeof *mark);
    if (!c->offset || !c->start || !c->diagonal || !c->col || !c->place || !mark) {
        rico_free(ctx, mark);
        return RICO_NO_MEMORY;
    }
    memcpy(c->offset, offset, (size_t)(groups + 1) * sizeof *offset);
    int64_t count = 0;
    for (int64_t g = 0; g < groups; g++) {
        for (int64_t i = s->member_start[g]; i < s->member_start[g + 1]; i++)
            for (int64_t k = W->start[s->member[i]]; k < W->start[s->member[i] + 1]; k++) {
                int64_t h = s->group[W->col[k]];
                if (mark[h] == g + 1) continue;
                mark[h] = g + 1;
                c->col[count++] = (int32_t)h;
            }
        qsort(&c->col[c->start[g]], (size_t)(count - c->start[g]), sizeof *c->col, compare_columns);
        c->start[g + 1] = count;
        for (int64_t k = c->start[g]; k < count; k++) {
            c->place[k + 1] =
                c->place[k] + (offset[g + 1] - offset[g]) * (offset[c->col[k] + 1] - offset[c->col[k]]);
            if (c->col[k] == g) c->diagonal[g] = k;
        }
    }
    rico_free(ctx, mark);
    c->value = rico_alloc(ctx, c->place[count], sizeof *c->value);
    return c->value ? RICO_OK : RICO_NO_MEMORY;
}


// Row `row` of the group, seen by the basis: the entry (i, row) of E, or of the identity.
static double basis_entry(const rico_compressed *s, int64_t g, int64_t i, int64_t row)
{
    if (s->basis_start[g] < 0) return i == row ? 1.0 : 0.0;
    return s->basis[s->basis_start[g] + i * s->width[g] + row];
}


// out += E_a W_ab E_b' for one block of W; t is scratch.
static void add_compressed(const rico_compressed *s, int64_t a, int64_t b, const double *block, double *t,
                           double *out)
{
    const rico_problem *p = s->p;
    const int64_t *offset = s->Wc.offset;
    int64_t g = s->group[a], h = s->group[b], dg = offset[g + 1] - offset[g], dh = offset[h + 1] - offset[h];
    int64_t rows = rows_of(p, a), cols = rows_of(p, b);
    if (s->basis_start[g] < 0 && s->basis_start[h] < 0) {
        for (int64_t x = 0; x < rows; x++)
            for (int64_t y = 0; y < cols; y++)
                out[(s->row[a] + x) * dh + s->row[b] + y] += block[x * cols + y];
        return;
    }
    for (int64_t y = 0; y < cols; y++) {
        for (int64_t i = 0; i < dg; i++) {
            t[i] = 0.0;
            for (int64_t x = 0; x < rows; x++)
                t[i] += basis_entry(s, g, i, s->row[a] + x) * block[x * cols + y];
        }
        for (int64_t j = 0; j < dh; j++) {
            double e = basis_entry(s, h, j, s->row[b] + y);
            for (int64_t i = 0; e != 0.0 && i < dg; i++) out[i * dh + j] += t[i] * e;
        }
    }
}


// Wc = E W E'
static void fill_matrix(rico_compressed *s)
{
    const rico_block_matrix *W = &s->p->W;
    const rico_block_matrix *c = &s->Wc;
    for (int64_t a = 0; a < s->p->block_count; a++) {
        int64_t g = s->group[a];
        for (int64_t k = W->start[a]; k < W->start[a + 1]; k++) {
            int64_t h = s->group[W->col[k]];
            add_compressed(s, a, W->col[k], &W->value[W->place[k]], s->x,
                           &c->value[c->place[rico_block_find(c, g, h)]]);
        }
    }
}


static rico_status compress(rico_compressed *s, int64_t *offset)
{
    rico_context *ctx = s->ctx;
    rico_status status = rico_compressed_find_groups(s, offset);
    if (!status) status = make_pattern(s, offset);
    if (status) return status;

    s->square_start = rico_alloc(ctx, s->groups + 1, sizeof *s->square_start);
    s->value = rico_alloc(ctx, s->Wc.place[s->Wc.start[s->groups]], sizeof *s->value);
    s->active = rico_alloc(ctx, s->groups, sizeof *s->active);
    s->x = rico_alloc(ctx, s->Wc.rows, sizeof *s->x);
    s->y = rico_alloc(ctx, s->Wc.rows, sizeof *s->y);
    s->v = rico_alloc(ctx, s->Wc.rows, sizeof *s->v);
    s->e = rico_alloc(ctx, s->Wc.rows, sizeof *s->e);
    s->left = rico_alloc(ctx, s->Wc.rows, sizeof *s->left);
    s->pivot = rico_alloc(ctx, s->Wc.rows, sizeof *s->pivot);
    bool vectors = s->x && s->y && s->v && s->e && s->left && s->pivot;
    if (!s->square_start || !s->value || !s->active || !vectors) return RICO_NO_MEMORY;
    fill_matrix(s);
    for (int64_t g = 0; g < s->groups; g++) {
        int64_t d = offset[g + 1] - offset[g];
        bool equality = rico_problem_is_joint(s->p, s->member[s->member_start[g]]);
        s->square_start[g + 1] = s->square_start[g] + (equality ? 0 : d * d);
    }
    s->S = rico_alloc(ctx, s->square_start[s->groups], sizeof *s->S);
    s->rows = rico_alloc(ctx, s->square_start[s->groups], sizeof *s->rows);
    s->factor = rico_alloc(ctx, s->square_start[s->groups], sizeof *s->factor);
    if (!s->S || !s->rows || !s->factor) return RICO_NO_MEMORY;
    return rico_front_lu_create(&s->Wc, &s->lu);
}


rico_status rico_compressed_create(const rico_problem *p, rico_compressed **out)
{
    rico_context *ctx = p->ctx;
    rico_compressed *s = rico_alloc(ctx, 1, sizeof *s);
    if (!s) return RICO_NO_MEMORY;
    s->ctx = ctx;
    s->p = p;
    int64_t *offset = rico_alloc(ctx, p->block_count + 1, sizeof *offset);
    rico_status status = offset ? compress(s, offset) : RICO_NO_MEMORY;
    rico_free(ctx, offset);
    if (status) {
        rico_compressed_destroy(s);
        return status;
    }
    *out = s;
    return RICO_OK;
}


rico_compressed_stats rico_compressed_statistics(const rico_compressed *s)
{
    return (rico_compressed_stats){s->groups, s->Wc.rows, rico_front_lu_flops(s->lu)};
}


static bool is_equality(const rico_compressed *s, int64_t g)
{
    return s->square_start[g + 1] == s->square_start[g];
}


// S = E C E' of one group; false when it is zero.
static bool gather_scaling(rico_compressed *s, int64_t g, const double *C)
{
    const rico_problem *p = s->p;
    int64_t d = s->Wc.offset[g + 1] - s->Wc.offset[g], width = s->width[g];
    double *S = &s->S[s->square_start[g]];
    bool any = false;
    memset(S, 0, (size_t)(d * d) * sizeof *S);
    for (int64_t m = s->member_start[g]; m < s->member_start[g + 1]; m++) {
        int64_t a = s->member[m], n = rows_of(p, a), row = s->row[a];
        const double *c = &C[9 * a];
        bool zero = true;
        for (int i = 0; i < n && zero; i++)
            for (int j = 0; j < n; j++) zero = zero && c[3 * i + j] == 0.0;
        if (zero) continue;
        any = true;
        if (s->basis_start[g] < 0) {
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++) S[(row + i) * d + row + j] = c[3 * i + j];
            continue;
        }
        const double *E = &s->basis[s->basis_start[g]] + row;
        for (int64_t x = 0; x < d; x++) {
            double t[3] = {0.0, 0.0, 0.0};
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++) t[j] += E[x * width + i] * c[3 * i + j];
            for (int64_t y = 0; y < d; y++)
                for (int j = 0; j < n; j++) S[x * d + y] += t[j] * E[y * width + j];
        }
    }
    return any;
}


// Combines the rows x + S (Wc x) of one group to L x + U (Wc x) with graded rows, by elimination in S with complete
// pivoting, and scales each to one. Where S has large and small parts, as at a contact that sticks in one direction and
// slides in the other, the small rows would otherwise vanish beside the large ones, and with them the pivots of the
// factorization, which does not exchange rows between groups.
static void grade_rows(rico_compressed *s, int64_t g)
{
    static const double telling = 1e-3; // of S Wc beside the identity
    int64_t d = s->Wc.offset[g + 1] - s->Wc.offset[g];
    double *L = &s->rows[s->square_start[g]], *U = &s->factor[s->square_start[g]];
    const double *own = &s->Wc.value[s->Wc.place[s->Wc.diagonal[g]]];
    double stiffness = 0.0;
    for (int64_t i = 0; i < d; i++) stiffness = fmax(stiffness, fabs(own[i * d + i]));
    memcpy(U, &s->S[s->square_start[g]], (size_t)(d * d) * sizeof *U);
    memset(L, 0, (size_t)(d * d) * sizeof *L);
    for (int64_t i = 0; i < d; i++) L[i * d + i] = 1.0;

    for (int64_t k = 0; k < d; k++) {
        int64_t best = k, column = 0;
        double pivot = 0.0;
        for (int64_t i = k; i < d; i++)
            for (int64_t j = 0; j < d; j++)
                if (fabs(U[i * d + j]) > fabs(pivot)) {
                    pivot = U[i * d + j];
                    best = i;
                    column = j;
                }
        if (best != k) s->parity = -s->parity;
        for (int64_t j = 0; best != k && j < d; j++) {
            double u = U[k * d + j], l = L[k * d + j];
            U[k * d + j] = U[best * d + j];
            L[k * d + j] = L[best * d + j];
            U[best * d + j] = u;
            L[best * d + j] = l;
        }
        for (int64_t i = k + 1; pivot != 0.0 && i < d; i++) {
            double factor = U[i * d + column] / pivot;
            if (factor == 0.0) continue;
            for (int64_t j = 0; j < d; j++) {
                U[i * d + j] -= factor * U[k * d + j];
                L[i * d + j] -= factor * L[k * d + j];
            }
            U[i * d + column] = 0.0;
        }
        s->pivot[s->Wc.offset[g] + k] = fabs(pivot) * stiffness > telling ? (int32_t)column : -1;
        double scale = 1.0 / (1.0 + fabs(pivot) * stiffness);
        for (int64_t j = 0; j < d; j++) {
            U[k * d + j] *= scale;
            L[k * d + j] *= scale;
        }
    }
}


rico_status rico_compressed_factor(rico_compressed *s, const double *C)
{
    const rico_block_matrix *W = &s->Wc;
    s->parity = 1;
    for (int64_t g = 0; g < s->groups; g++) {
        bool equality = is_equality(s, g), any = equality || gather_scaling(s, g, C);
        s->active[g] = any ? (int32_t)(W->offset[g + 1] - W->offset[g]) : 0;
        if (any && !equality) grade_rows(s, g);
    }
    for (int64_t g = 0; g < s->groups; g++) {
        if (s->active[g] == 0) continue;
        int64_t d = s->active[g];
        const double *U = &s->factor[s->square_start[g]], *L = &s->rows[s->square_start[g]];
        for (int64_t k = W->start[g]; k < W->start[g + 1]; k++) {
            int64_t width = W->offset[W->col[k] + 1] - W->offset[W->col[k]];
            if (s->active[W->col[k]] == 0) continue;
            const double *w = &W->value[W->place[k]];
            double *out = &s->value[W->place[k]];
            if (is_equality(s, g)) {
                memcpy(out, w, (size_t)(d * width) * sizeof *out);
                continue;
            }
            for (int64_t x = 0; x < d; x++) {
                double *line = &out[x * width];
                for (int64_t y = 0; y < width; y++) line[y] = 0.0;
                for (int64_t z = 0; z < d; z++) {
                    double factor = U[x * d + z];
                    for (int64_t y = 0; y < width; y++) line[y] += factor * w[z * width + y];
                }
            }
        }
        double *own = &s->value[W->place[W->diagonal[g]]];
        if (is_equality(s, g))
            for (int64_t x = 0; x < d; x++) own[x * d + x] += joint_regularization * own[x * d + x];
        else
            for (int64_t k = 0; k < d * d; k++) own[k] += L[k];
    }
    return rico_front_lu_factor(s->lu, s->active, s->value);
}


int rico_compressed_sign(const rico_compressed *s)
{
    return s->parity * rico_front_lu_sign(s->lu);
}


// e = E c
static void to_groups(const rico_compressed *s, const double *c, double *e)
{
    const rico_problem *p = s->p;
    memset(e, 0, (size_t)s->Wc.rows * sizeof *e);
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t g = s->group[a], d = s->Wc.offset[g + 1] - s->Wc.offset[g];
        double *out = &e[s->Wc.offset[g]];
        const double *in = &c[p->offset[a]];
        for (int64_t j = 0; j < rows_of(p, a); j++) {
            if (s->basis_start[g] < 0)
                out[s->row[a] + j] = in[j];
            else
                for (int64_t i = 0; i < d; i++)
                    out[i] += s->basis[s->basis_start[g] + i * s->width[g] + s->row[a] + j] * in[j];
        }
    }
}


// dr = c - C E' v on contacts, dr = p on equalities.
static void from_groups(const rico_compressed *s, const double *C, const double *c, const double *pv,
                        const double *v, double *dr)
{
    const rico_problem *p = s->p;
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t g = s->group[a], at = s->Wc.offset[g], d = s->Wc.offset[g + 1] - at, n = rows_of(p, a);
        double *out = &dr[p->offset[a]], w[3];
        if (is_equality(s, g)) {
            memcpy(out, &pv[at], (size_t)n * sizeof *out);
            continue;
        }
        if (s->basis_start[g] < 0) { // the unknowns are the impulses themselves: C v would only lose digits
            memcpy(out, &pv[at + s->row[a]], (size_t)n * sizeof *out);
            continue;
        }
        for (int64_t j = 0; j < n; j++) {
            w[j] = s->basis_start[g] < 0 ? v[at + s->row[a] + j] : 0.0;
            if (s->basis_start[g] >= 0)
                for (int64_t i = 0; i < d; i++)
                    w[j] += s->basis[s->basis_start[g] + i * s->width[g] + s->row[a] + j] * v[at + i];
        }
        for (int64_t i = 0; i < n; i++) {
            out[i] = c[p->offset[a] + i];
            for (int64_t j = 0; j < n; j++) out[i] -= C[9 * a + 3 * i + j] * w[j];
        }
    }
}


// Adds C E' w to dr of each group such that E dr = p holds to round-off. Where C is large, C E' v is a large factor of a small difference
// and loses the digits that p still has: with bodies of very different mass all of them.
static void close_groups(const rico_compressed *s, const double *C, const double *pv, double *dr)
{
    const rico_problem *p = s->p;
    for (int64_t g = 0; g < s->groups; g++) {
        int64_t at = s->Wc.offset[g], d = s->active[g], width = s->width[g];
        if (d == 0 || s->basis_start[g] < 0 || is_equality(s, g)) continue;
        const double *E = &s->basis[s->basis_start[g]];
        const double *L = &s->rows[s->square_start[g]], *U = &s->factor[s->square_start[g]];
        double gap[RICO_TWIST], w[RICO_TWIST] = {0.0};
        for (int64_t i = 0; i < d; i++) gap[i] = pv[at + i];
        for (int64_t m = s->member_start[g]; m < s->member_start[g + 1]; m++) {
            int64_t a = s->member[m];
            for (int64_t j = 0; j < rows_of(p, a); j++)
                for (int64_t i = 0; i < d; i++) gap[i] -= E[i * width + s->row[a] + j] * dr[p->offset[a] + j];
        }
        // U w = L gap, from the last pivot back; what a row without a telling pivot asks for is nothing
        for (int64_t k = d - 1; k >= 0; k--) {
            int32_t column = s->pivot[at + k];
            if (column < 0) continue;
            double right = 0.0;
            for (int64_t j = 0; j < d; j++) right += L[k * d + j] * gap[j];
            for (int64_t j = 0; j < d; j++)
                if (j != column) right -= U[k * d + j] * w[j];
            w[column] = right / U[k * d + column];
        }
        for (int64_t m = s->member_start[g]; m < s->member_start[g + 1]; m++) {
            int64_t a = s->member[m], n = rows_of(p, a);
            double t[3] = {0.0};
            for (int64_t j = 0; j < n; j++)
                for (int64_t i = 0; i < d; i++) t[j] += E[i * width + s->row[a] + j] * w[i];
            for (int64_t i = 0; i < n; i++)
                for (int64_t j = 0; j < n; j++) dr[p->offset[a] + i] += C[9 * a + 3 * i + j] * t[j];
        }
    }
}


// Solves (I + S Wc) x = x in place, with v as scratch; the entries of groups without S are known already.
static void solve_groups(rico_compressed *s, double *x)
{
    const rico_block_matrix *W = &s->Wc;
    double *b = s->y;
    for (int64_t g = 0; g < s->groups; g++) {
        int64_t at = W->offset[g], d = s->active[g];
        if (d == 0) continue;
        // what the known groups contribute
        double *known = &s->v[at];
        for (int64_t i = 0; i < d; i++) known[i] = 0.0;
        for (int64_t k = W->start[g]; k < W->start[g + 1]; k++) {
            int64_t h = W->col[k], width = W->offset[h + 1] - W->offset[h];
            if (s->active[h] > 0) continue;
            const double *w = &W->value[W->place[k]], *y = &x[W->offset[h]];
            for (int64_t i = 0; i < d; i++)
                for (int64_t j = 0; j < width; j++) known[i] += w[i * width + j] * y[j];
        }
        const double *L = &s->rows[s->square_start[g]], *U = &s->factor[s->square_start[g]];
        for (int64_t i = 0; i < d; i++) {
            b[at + i] = 0.0;
            if (is_equality(s, g))
                b[at + i] = x[at + i] - known[i];
            else
                for (int64_t j = 0; j < d; j++)
                    b[at + i] += L[i * d + j] * x[at + j] - U[i * d + j] * known[j];
        }
    }
    rico_front_lu_solve(s->lu, b);
    for (int64_t g = 0; g < s->groups; g++)
        for (int64_t i = 0; i < s->active[g]; i++) x[W->offset[g] + i] = b[W->offset[g] + i];
}


// What (I + S Wc) x = e leaves, with v = Wc x; zero where x is known.
static void residual_of_groups(const rico_compressed *s, const double *e, const double *x, const double *v,
                               double *left)
{
    const rico_block_matrix *W = &s->Wc;
    memset(left, 0, (size_t)W->rows * sizeof *left);
    for (int64_t g = 0; g < s->groups; g++) {
        int64_t at = W->offset[g], d = s->active[g];
        const double *S = &s->S[s->square_start[g]];
        for (int64_t i = 0; i < d; i++) {
            double sum = e[at + i];
            if (is_equality(s, g))
                sum -= v[at + i];
            else {
                sum -= x[at + i];
                for (int64_t j = 0; j < d; j++) sum -= S[i * d + j] * v[at + j];
            }
            left[at + i] = sum;
        }
    }
}


void rico_compressed_solve(rico_compressed *s, const double *C, const double *c, double *dr, bool refine)
{
    int64_t rows = s->Wc.rows;
    to_groups(s, c, s->x);
    if (refine && rows > 0) memcpy(s->e, s->x, (size_t)rows * sizeof *s->e);
    solve_groups(s, s->x);
    rico_block_times(&s->Wc, s->x, NULL, s->v);
    if (refine) {
        residual_of_groups(s, s->e, s->x, s->v, s->left);
        solve_groups(s, s->left);
        for (int64_t g = 0; g < s->groups; g++)
            for (int64_t i = 0; i < s->active[g]; i++)
                s->x[s->Wc.offset[g] + i] += s->left[s->Wc.offset[g] + i];
        rico_block_times(&s->Wc, s->x, NULL, s->v);
    }
    from_groups(s, C, c, s->x, s->v, dr);
    close_groups(s, C, s->x, dr);
}


void rico_compressed_product(const rico_compressed *s, double *W_dr)
{
    const rico_problem *p = s->p;
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t g = s->group[a], at = s->Wc.offset[g], d = s->Wc.offset[g + 1] - at;
        double *out = &W_dr[p->offset[a]];
        for (int64_t j = 0; j < rows_of(p, a); j++) {
            if (s->basis_start[g] < 0) {
                out[j] = s->v[at + s->row[a] + j];
                continue;
            }
            out[j] = 0.0;
            const double *E = &s->basis[s->basis_start[g] + s->row[a] + j];
            for (int64_t i = 0; i < d; i++) out[j] += E[i * s->width[g]] * s->v[at + i];
        }
    }
}
