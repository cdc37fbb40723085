// The choice between rows and velocities, assembly of either matrix, and its solves.

#include "solve/cone_system.h"

#include "la/dense.h"
#include "la/low_rank.h"
#include "solve/cells.h"

#include <math.h>
#include <string.h>

// Below this order dense factors win whatever the pattern; above it, where less than this share is filled.
static const int64_t dense_order = 150;
static const double dense_rows = 0.12, dense_dofs = 0.10;
static const int64_t low_rank_rows = 20000;   // beyond, finding the factors of W is not tried
static const double symmetric_defect = 1e-12; // |W - W'| over |W| that counts as none
static const double worthwhile = 0.55;        // rank over rows up to which velocities are the better space

typedef struct rico_cone_matrix {
    bool dense, cholesky;
    int64_t order;
    rico_csc A; // the matrix, unless dense
    rico_factor *factor;
    double *full; // dense: the matrix and its factors, column-major
    int32_t *pivot;
    double *y, *t; // order, rows

    // rows: the transpose of W in cells, and how many rows stand above each of its blocks in a column of A
    rico_block_matrix transpose;
    int64_t *above;
    double *scaled_left, *scaled_right; // d^-1/2 F, G d^-1/2

    // dofs
    rico_low_rank factors; // B and C
    const rico_csc *N;     // M of the problem; NULL means I
    double *compliance;    // X
    int64_t *row_start;    // order + 1: row i of B and C meets the cells row_cell[row_start[i]] ..
    int64_t *row_cell, *row_entry;
} rico_cone_matrix;


static int64_t cell_size(const rico_cone_system *s, int64_t a)
{
    return s->offset[a + 1] - s->offset[a];
}


static rico_status split_into_cells(rico_cone_system *s)
{
    s->rows = s->problem->rows;
    rico_status status = rico_list_cells(s->problem, &s->cells, &s->offset, NULL);
    if (status) return status;
    s->place = rico_alloc(s->ctx, s->cells + 1, sizeof *s->place);
    if (!s->place) return RICO_NO_MEMORY;
    for (int64_t a = 0; a < s->cells; a++) s->place[a + 1] = s->place[a] + cell_size(s, a) * cell_size(s, a);
    s->left = rico_alloc(s->ctx, s->place[s->cells], sizeof *s->left);
    s->right = rico_alloc(s->ctx, s->place[s->cells], sizeof *s->right);
    s->shift = rico_alloc(s->ctx, s->rows, sizeof *s->shift);
    if (!s->left || !s->right || !s->shift) return RICO_NO_MEMORY;
    for (int64_t a = 0; a < s->cells; a++)
        for (int64_t i = 0, size = cell_size(s, a); i < size; i++)
            s->left[s->place[a] + i * size + i] = s->right[s->place[a] + i * size + i] = 1.0;
    return RICO_OK;
}


// W with cells for blocks: p->W itself, or gathered again into *own where joints have several rows.
static rico_status delassus_in_cells(rico_cone_system *s, rico_block_matrix *own, const rico_block_matrix **W)
{
    rico_problem *p = s->problem;
    *W = &p->W;
    if (s->cells == p->block_count) return RICO_OK;
    rico_csc columns = {0};
    rico_status status = rico_block_to_csc(&p->W, &columns);
    if (!status) status = rico_block_from_csc(&columns, s->cells, s->offset, own);
    rico_csc_destroy(&columns);
    *W = own;
    return status;
}


// --- rows ---------------------------------------------------------------------------------------------------


// Columns of A: those of a cell have the same rows, block after block of the transpose.
static rico_status pattern_of_rows(rico_cone_system *s)
{
    rico_cone_matrix *m = s->matrix;
    const rico_block_matrix *T = &m->transpose;
    int64_t count = T->place[rico_block_count(T)];
    m->A = (rico_csc){.ctx = s->ctx, .rows = s->rows, .cols = s->rows};
    m->A.start = rico_alloc(s->ctx, s->rows + 1, sizeof *m->A.start);
    m->A.row = rico_alloc(s->ctx, count, sizeof *m->A.row);
    m->A.value = rico_alloc(s->ctx, count, sizeof *m->A.value);
    if (!m->A.start || !m->A.row || !m->A.value) return RICO_NO_MEMORY;
    for (int64_t b = 0; b < s->cells; b++) {
        for (int64_t j = s->offset[b]; j < s->offset[b + 1]; j++) {
            int64_t at = m->A.start[j];
            for (int64_t k = T->start[b]; k < T->start[b + 1]; k++)
                for (int64_t i = s->offset[T->col[k]]; i < s->offset[T->col[k] + 1]; i++) m->A.row[at++] = i;
            m->A.start[j + 1] = at;
        }
    }
    return RICO_OK;
}


static rico_status prepare_rows(rico_cone_system *s, rico_storage storage)
{
    rico_cone_matrix *m = s->matrix;
    rico_block_matrix own = {0};
    const rico_block_matrix *W;
    rico_status status = rico_problem_reduce(s->problem);
    if (!status) status = delassus_in_cells(s, &own, &W);
    if (!status) status = rico_block_transpose(W, &m->transpose);
    rico_block_destroy(&own);
    if (status) return status;

    m->order = s->rows;
    s->exact = true;
    const rico_block_matrix *T = &m->transpose;
    double all = (double)s->rows * (double)s->rows;
    double filled = s->rows > 0 ? (double)T->place[rico_block_count(T)] / all : 0.0;
    m->dense = storage == RICO_STORAGE_AUTO ? s->rows <= dense_order || filled > dense_rows
                                            : storage == RICO_STORAGE_DENSE;
    m->above = rico_alloc(s->ctx, rico_block_count(T), sizeof *m->above);
    m->scaled_left = rico_alloc(s->ctx, s->place[s->cells], sizeof *m->scaled_left);
    m->scaled_right = rico_alloc(s->ctx, s->place[s->cells], sizeof *m->scaled_right);
    if (!m->above || !m->scaled_left || !m->scaled_right) return RICO_NO_MEMORY;
    for (int64_t b = 0; b < s->cells; b++) {
        int64_t above = 0;
        for (int64_t k = T->start[b]; k < T->start[b + 1]; k++) {
            m->above[k] = m->dense ? s->offset[T->col[k]] : above;
            above += cell_size(s, T->col[k]);
        }
    }
    return m->dense ? RICO_OK : pattern_of_rows(s);
}


// I + d^-1/2 F W G d^-1/2, block by block.
static void assemble_rows(const rico_cone_system *s)
{
    rico_cone_matrix *m = s->matrix;
    const rico_block_matrix *T = &m->transpose;
    for (int64_t a = 0; a < s->cells; a++) {
        int64_t size = cell_size(s, a);
        for (int64_t i = 0; i < size; i++)
            for (int64_t j = 0; j < size; j++) {
                int64_t at = s->place[a] + i * size + j;
                m->scaled_left[at] = s->left[at] / sqrt(s->shift[s->offset[a] + i]);
                m->scaled_right[at] = s->right[at] / sqrt(s->shift[s->offset[a] + j]);
            }
    }

    if (m->dense) memset(m->full, 0, (size_t)(m->order * m->order) * sizeof *m->full);
    for (int64_t b = 0; b < s->cells; b++) {
        int64_t cols = cell_size(s, b);
        const double *G = &m->scaled_right[s->place[b]];
        for (int64_t k = T->start[b]; k < T->start[b + 1]; k++) {
            int64_t a = T->col[k], rows = cell_size(s, a);
            const double *F = &m->scaled_left[s->place[a]], *W = &T->value[T->place[k]]; // W_ab, column-major
            double FW[9];
            for (int64_t l = 0; l < cols; l++)
                for (int64_t i = 0; i < rows; i++) {
                    double sum = 0.0;
                    for (int64_t j = 0; j < rows; j++) sum += F[i * rows + j] * W[l * rows + j];
                    FW[l * rows + i] = sum;
                }
            for (int64_t j = 0; j < cols; j++) {
                int64_t column = s->offset[b] + j;
                double *to = m->dense ? &m->full[column * m->order + m->above[k]]
                                      : &m->A.value[m->A.start[column] + m->above[k]];
                for (int64_t i = 0; i < rows; i++) {
                    double sum = a == b && i == j ? 1.0 : 0.0;
                    for (int64_t l = 0; l < cols; l++) sum += FW[l * rows + i] * G[l * cols + j];
                    to[i] = sum;
                }
            }
        }
    }
}


// --- velocities ---------------------------------------------------------------------------------------------


// The rows of B and C: for each, the cells that it meets and its entry there.
static rico_status transpose_factors(rico_cone_system *s)
{
    rico_cone_matrix *m = s->matrix;
    const rico_low_rank *f = &m->factors;
    int64_t count = f->start[f->blocks];
    m->row_start = rico_alloc(s->ctx, m->order + 1, sizeof *m->row_start);
    m->row_cell = rico_alloc(s->ctx, count, sizeof *m->row_cell);
    m->row_entry = rico_alloc(s->ctx, count, sizeof *m->row_entry);
    if (!m->row_start || !m->row_cell || !m->row_entry) return RICO_NO_MEMORY;
    for (int64_t k = 0; k < count; k++) m->row_start[f->row[k] + 1]++;
    for (int64_t i = 0; i < m->order; i++) m->row_start[i + 1] += m->row_start[i];

    // backwards, so that the ends become the beginnings
    for (int64_t a = f->blocks - 1; a >= 0; a--)
        for (int64_t k = f->start[a]; k < f->start[a + 1]; k++) {
            int64_t at = --m->row_start[f->row[k] + 1];
            m->row_cell[at] = a;
            m->row_entry[at] = k;
        }
    memmove(m->row_start, m->row_start + 1, (size_t)m->order * sizeof *m->row_start);
    m->row_start[m->order] = count;
    return RICO_OK;
}


// Pattern of N + B X C': that of N (NULL means I), and every pair of rows that one cell meets. With the values
// of N, zeros elsewhere.
static rico_status pattern_of_dofs(rico_cone_system *s, const rico_csc *N)
{
    rico_cone_matrix *m = s->matrix;
    const rico_low_rank *f = &m->factors;
    rico_context *ctx = s->ctx;
    int64_t n = m->order, *seen = rico_alloc(ctx, n, sizeof *seen);
    m->A = (rico_csc){.ctx = ctx, .rows = n, .cols = n};
    m->A.start = rico_alloc(ctx, n + 1, sizeof *m->A.start);
    rico_status status = seen && m->A.start ? RICO_OK : RICO_NO_MEMORY;
    for (int fill = 0; !status && fill < 2; fill++) {
        int64_t count = 0;
        memset(seen, 0, (size_t)n * sizeof *seen);
        for (int64_t j = 0; j < n; j++) {
            int64_t low = j, high = j;
            seen[j] = j + 1;
            for (int64_t k = N ? N->start[j] : 0; N && k < N->start[j + 1]; k++) {
                seen[N->row[k]] = j + 1;
                if (N->row[k] < low) low = N->row[k];
                if (N->row[k] > high) high = N->row[k];
            }
            for (int64_t k = m->row_start[j]; k < m->row_start[j + 1]; k++) {
                int64_t begin = f->start[m->row_cell[k]], end = f->start[m->row_cell[k] + 1];
                for (int64_t e = begin; e < end; e++) seen[f->row[e]] = j + 1;
                if (f->row[begin] < low) low = f->row[begin];
                if (f->row[end - 1] > high) high = f->row[end - 1];
            }
            for (int64_t i = low; i <= high; i++) {
                if (seen[i] != j + 1) continue;
                if (fill) m->A.row[count] = i;
                count++;
            }
            m->A.start[j + 1] = count;
        }
        if (fill) break;
        m->A.row = rico_alloc(ctx, count, sizeof *m->A.row);
        m->A.value = rico_alloc(ctx, count, sizeof *m->A.value);
        if (!m->A.row || !m->A.value) status = RICO_NO_MEMORY;
    }
    rico_free(ctx, seen);
    return status;
}


// W = C'B with cells for blocks. RICO_UNSUPPORTED when the rank is above the limit.
static rico_status factor_delassus(rico_cone_system *s, int64_t limit)
{
    rico_block_matrix own = {0};
    const rico_block_matrix *W;
    rico_status status = delassus_in_cells(s, &own, &W);
    if (!status) status = rico_low_rank_create(W, limit, &s->matrix->factors);
    rico_block_destroy(&own);
    return status;
}


// RICO_UNSUPPORTED when there is nothing to gain and the choice is ours.
static rico_status prepare_dofs(rico_cone_system *s, rico_space space, rico_storage storage)
{
    rico_cone_matrix *m = s->matrix;
    rico_problem *p = s->problem;
    bool given = p->global && (space == RICO_SPACE_DOFS || p->dofs <= p->rows) && p->dofs <= INT32_MAX;
    rico_status status;
    if (given) {
        status = rico_low_rank_from_csc(&p->H, s->cells, s->offset, &m->factors);
    } else {
        status = rico_problem_reduce(p);
        if (status) return status;
        bool small = s->rows <= dense_order / 2 || s->rows > low_rank_rows;
        if (space == RICO_SPACE_AUTO && small) return RICO_UNSUPPORTED;
        int64_t limit = space == RICO_SPACE_AUTO ? (int64_t)(worthwhile * (double)s->rows) : s->rows;
        status = factor_delassus(s, limit);
        if (status == RICO_UNSUPPORTED && space == RICO_SPACE_DOFS)
            return rico_fail(s->ctx, RICO_SINGULAR,
                             "W is not positive semidefinite to round-off: it has no thin factors");
    }
    if (status) return status;

    const rico_csc *N = given ? &p->M : NULL;
    m->order = m->factors.rank;
    m->N = N;
    status = transpose_factors(s);
    if (!status) status = pattern_of_dofs(s, N);
    if (status) return status;
    double filled =
        m->order > 0 ? (double)rico_csc_count(&m->A) / ((double)m->order * (double)m->order) : 0.0;
    m->dense = storage == RICO_STORAGE_AUTO ? m->order <= dense_order || filled > dense_dofs
                                            : storage == RICO_STORAGE_DENSE;
    if (m->dense) rico_csc_destroy(&m->A);
    m->compliance = rico_alloc(s->ctx, s->place[s->cells], sizeof *m->compliance);
    if (!m->compliance) return RICO_NO_MEMORY;
    s->dofs = true;
    s->exact = given;
    return RICO_OK;
}


// Adds column j of B X C' to a dense column: from row j down when only the lower triangle is needed.
static void add_column(const rico_cone_system *s, int64_t j, double *column)
{
    const rico_cone_matrix *m = s->matrix;
    const rico_low_rank *f = &m->factors;
    for (int64_t k = m->row_start[j]; k < m->row_start[j + 1]; k++) {
        int64_t a = m->row_cell[k], here = m->row_entry[k], size = cell_size(s, a);
        const double *D = &m->compliance[s->place[a]], *c = &f->c[f->place[a] + (here - f->start[a]) * size];
        int64_t from = m->cholesky ? here : f->start[a], to = f->start[a + 1];
        const double *b = &f->b[f->place[a] + (from - f->start[a]) * size];
        const int32_t *row = &f->row[from];
        if (size == 3) {
            double g0 = D[0] * c[0] + D[1] * c[1] + D[2] * c[2];
            double g1 = D[3] * c[0] + D[4] * c[1] + D[5] * c[2];
            double g2 = D[6] * c[0] + D[7] * c[1] + D[8] * c[2];
            for (int64_t e = 0; e < to - from; e++, b += 3)
                column[row[e]] += b[0] * g0 + b[1] * g1 + b[2] * g2;
        } else if (size == 2) {
            double g0 = D[0] * c[0] + D[1] * c[1], g1 = D[2] * c[0] + D[3] * c[1];
            for (int64_t e = 0; e < to - from; e++, b += 2) column[row[e]] += b[0] * g0 + b[1] * g1;
        } else {
            double g0 = D[0] * c[0];
            for (int64_t e = 0; e < to - from; e++, b++) column[row[e]] += b[0] * g0;
        }
    }
}


static void assemble_dofs(const rico_cone_system *s)
{
    rico_cone_matrix *m = s->matrix;
    int64_t n = m->order;
    for (int64_t a = 0; a < s->cells; a++) {
        int64_t size = cell_size(s, a);
        const double *F = &s->left[s->place[a]], *G = &s->right[s->place[a]], *d = &s->shift[s->offset[a]];
        for (int64_t i = 0; i < size; i++)
            for (int64_t j = 0; j < size; j++) {
                double sum = 0.0;
                for (int64_t k = 0; k < size; k++) sum += G[i * size + k] * F[k * size + j] / d[k];
                m->compliance[s->place[a] + i * size + j] = sum;
            }
    }

    if (m->dense) memset(m->full, 0, (size_t)(n * n) * sizeof *m->full);
    for (int64_t j = 0; j < n; j++) {
        double *column = m->dense ? &m->full[j * n] : m->y;
        if (!m->dense)
            for (int64_t k = m->A.start[j]; k < m->A.start[j + 1]; k++) column[m->A.row[k]] = 0.0;
        if (m->N)
            for (int64_t k = m->N->start[j]; k < m->N->start[j + 1]; k++)
                column[m->N->row[k]] = m->N->value[k];
        else
            column[j] = 1.0;
        add_column(s, j, column);
        if (!m->dense)
            for (int64_t k = m->A.start[j]; k < m->A.start[j + 1]; k++) m->A.value[k] = column[m->A.row[k]];
    }
}


// x = (block diagonal) b, not in place.
static void times_blocks(const rico_cone_system *s, const double *blocks, const double *b, double *x)
{
    for (int64_t a = 0; a < s->cells; a++) {
        int64_t first = s->offset[a], size = cell_size(s, a);
        const double *D = &blocks[s->place[a]];
        for (int64_t i = 0; i < size; i++) {
            double sum = 0.0;
            for (int64_t j = 0; j < size; j++) sum += D[i * size + j] * b[first + j];
            x[first + i] = sum;
        }
    }
}


// --- both ---------------------------------------------------------------------------------------------------


// Cholesky needs W and N symmetric; what is said of F and G is the caller's.
static rico_status choose_factor(rico_cone_system *s, bool symmetric)
{
    rico_cone_matrix *m = s->matrix;
    m->cholesky = false;
    if (!symmetric) return RICO_OK;
    if (s->dofs && !m->N) {
        m->cholesky = m->factors.b == m->factors.c;
        return RICO_OK;
    }
    if (s->dofs) {
        double defect = rico_csc_symmetry_defect(m->N);
        if (defect < 0.0) return RICO_NO_MEMORY;
        m->cholesky = defect <= symmetric_defect;
        return RICO_OK;
    }

    // block by block, through the transpose
    rico_block_matrix W;
    rico_status status = rico_block_transpose(&m->transpose, &W);
    if (status) return status;
    int64_t blocks = rico_block_count(&W), count = W.place[blocks];
    bool same = memcmp(W.col, m->transpose.col, (size_t)blocks * sizeof *W.col) == 0 &&
                memcmp(W.start, m->transpose.start, (size_t)W.blocks * sizeof *W.start) == 0;
    double defect = 0.0, norm = 0.0;
    for (int64_t i = 0; same && i < count; i++) {
        defect = fmax(defect, fabs(W.value[i] - m->transpose.value[i]));
        norm = fmax(norm, fabs(W.value[i]));
    }
    rico_block_destroy(&W);
    m->cholesky = same && defect <= symmetric_defect * norm;
    return RICO_OK;
}


static void assemble(const rico_cone_system *s)
{
    if (s->dofs)
        assemble_dofs(s);
    else
        assemble_rows(s);
}


// The ordering, with d = |W_aa| as a stand-in for those to come.
static rico_status analyse(rico_cone_system *s)
{
    rico_cone_matrix *m = s->matrix;
    const rico_problem *p = s->problem;
    for (int64_t a = 0; a < p->block_count; a++)
        for (int64_t i = p->offset[a]; i < p->offset[a + 1]; i++)
            s->shift[i] = p->block_norm[a] > 0.0 ? p->block_norm[a] : 1.0;
    assemble(s);
    rico_status status = rico_factor_analyse(m->cholesky ? RICO_CHOLESKY : RICO_LU, &m->A, &m->factor);
    if (!status) rico_factor_set_refinement(m->factor, 0);
    return status;
}


rico_status rico_cone_system_create(rico_problem *problem, rico_space space, rico_storage storage,
                                    bool symmetric, rico_cone_system **out)
{
    rico_context *ctx = problem->ctx;
    rico_cone_system *s = rico_alloc(ctx, 1, sizeof *s);
    if (!s) return RICO_NO_MEMORY;
    s->ctx = ctx;
    s->problem = problem;
    s->matrix = rico_alloc(ctx, 1, sizeof *s->matrix);
    rico_status status = s->matrix ? split_into_cells(s) : RICO_NO_MEMORY;
    if (!status) status = rico_problem_block_norms(problem);
    if (!status && problem->global) status = rico_problem_factor_mass(problem);
    if (!status) status = space == RICO_SPACE_ROWS ? RICO_UNSUPPORTED : prepare_dofs(s, space, storage);
    if (status == RICO_UNSUPPORTED) status = prepare_rows(s, storage);
    if (!status) status = choose_factor(s, symmetric);

    rico_cone_matrix *m = s->matrix;
    if (!status) {
        m->y = rico_alloc(ctx, m->order, sizeof *m->y);
        m->t = rico_alloc(ctx, s->rows, sizeof *m->t);
        if (m->dense) m->full = rico_alloc(ctx, m->order * m->order, sizeof *m->full);
        if (m->dense) m->pivot = rico_alloc(ctx, m->order, sizeof *m->pivot);
        if (!m->y || !m->t || (m->dense && (!m->full || !m->pivot))) status = RICO_NO_MEMORY;
    }
    if (!status && !m->dense) status = analyse(s);
    if (status) {
        rico_cone_system_destroy(s);
        return status;
    }
    *out = s;
    return RICO_OK;
}


void rico_cone_system_destroy(rico_cone_system *s)
{
    if (!s) return;
    rico_cone_matrix *m = s->matrix;
    if (m) {
        rico_csc_destroy(&m->A);
        rico_block_destroy(&m->transpose);
        rico_low_rank_destroy(&m->factors);
        rico_factor_destroy(m->factor);
        void *arrays[] = {m->above,     m->scaled_left, m->scaled_right, m->compliance, m->full, m->pivot,
                          m->row_start, m->row_cell,    m->row_entry,    m->y,          m->t};
        for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) rico_free(s->ctx, arrays[i]);
    }
    rico_free(s->ctx, m);
    rico_free(s->ctx, s->offset);
    rico_free(s->ctx, s->place);
    rico_free(s->ctx, s->left);
    rico_free(s->ctx, s->right);
    rico_free(s->ctx, s->shift);
    rico_free(s->ctx, s);
}


rico_status rico_cone_system_factor(rico_cone_system *s)
{
    rico_cone_matrix *m = s->matrix;
    assemble(s);
    if (m->dense)
        return m->cholesky ? rico_dense_cholesky(s->ctx, m->order, m->full)
                           : rico_dense_lu(s->ctx, m->order, m->full, m->pivot);
    return rico_factor_refactor(m->factor, &m->A);
}


static rico_status solve_matrix(rico_cone_matrix *m, double *x)
{
    if (!m->dense) return rico_factor_solve(m->factor, 1, x, x);
    if (m->cholesky)
        rico_dense_cholesky_solve(m->order, m->full, 1, x);
    else
        rico_dense_lu_solve(m->order, m->full, m->pivot, 1, x);
    return RICO_OK;
}


rico_status rico_cone_system_solve(rico_cone_system *s, const double *b, double *x)
{
    rico_cone_matrix *m = s->matrix;
    if (!s->dofs) {
        times_blocks(s, m->scaled_left, b, m->t);
        rico_status status = solve_matrix(m, m->t);
        if (status) return status;
        times_blocks(s, m->scaled_right, m->t, x);
        return RICO_OK;
    }
    times_blocks(s, m->compliance, b, m->t);
    rico_low_rank_times(&m->factors, m->t, m->y);
    rico_status status = solve_matrix(m, m->y);
    if (status) return status;
    rico_low_rank_transpose_times(&m->factors, m->y, m->t);
    for (int64_t i = 0; i < s->rows; i++) m->t[i] = b[i] - m->t[i];
    times_blocks(s, m->compliance, m->t, x);
    return RICO_OK;
}


rico_status rico_cone_system_response(rico_cone_system *s, const double *r, double *u)
{
    rico_problem *p = s->problem;
    if (p->reduced) {
        rico_block_times(&p->W, r, NULL, u);
        return RICO_OK;
    }
    rico_csc_times(&p->H, 1.0, r, 0.0, p->dof_work);
    rico_status status = rico_problem_solve_mass(p, 1, p->dof_work);
    if (!status) rico_csc_transpose_times(&p->H, 1.0, p->dof_work, 0.0, u);
    return status;
}


void rico_cone_system_model(rico_cone_system *s, const double *r, double *u)
{
    rico_cone_matrix *m = s->matrix;
    rico_low_rank_times(&m->factors, r, m->y);
    rico_low_rank_transpose_times(&m->factors, m->y, u);
}


int64_t rico_cone_system_order(const rico_cone_system *s, bool *dense)
{
    if (dense) *dense = s->matrix->dense;
    return s->matrix->order;
}
