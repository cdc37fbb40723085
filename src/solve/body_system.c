// Newton systems in the velocities of the bodies: assembly, factorization, solves.

#include "solve/body_system.h"

#include "problem/mass.h"

#include <string.h>

struct rico_body_system {
    rico_context *ctx;
    rico_problem *problem;
    const rico_mass_blocks *bodies;

    // H by contact: for each body that block a touches a dense piece, dofs of the body x rows of the block
    int64_t *piece_start; // block_count + 1: the pieces of each block
    int64_t *body;        // of each piece
    int64_t *piece_value; // pieces + 1: where its numbers begin
    double *H;
    int64_t *pair_start; // block_count + 1: where the places of its pairs of pieces begin
    int64_t *pair; // block of `matrix` that each pair of pieces of a contact adds to, row piece by row piece

    rico_block_matrix matrix; // M + H C H', bodies in the order of `bodies`
    double *mass;             // M on the diagonal blocks, one after the other
    int32_t *active;
    rico_front_lu *lu;
    double *v;              // n entries, in the order of the places
    double *left, *further; // m entries each: for the refinement
};


bool rico_body_system_takes(const rico_problem *p)
{
    if (!p->global || !p->bodies) return false;
    for (int64_t a = 0; a < p->block_count; a++)
        if (p->kind[a] == RICO_EQUALITY) return false;
    return true;
}


void rico_body_system_destroy(rico_body_system *s)
{
    if (!s) return;
    rico_front_lu_destroy(s->lu);
    rico_block_destroy(&s->matrix);
    void *const owned[] = {s->piece_start, s->body, s->piece_value, s->H,       s->pair_start, s->pair,
                           s->mass,        s->v,    s->left,        s->further, s->active};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++) rico_free(s->ctx, owned[i]);
    rico_free(s->ctx, s);
}


static int64_t dofs_of(const rico_body_system *s, int64_t body)
{
    return s->bodies->start[body + 1] - s->bodies->start[body];
}


static int64_t rows_of(const rico_problem *p, int64_t a)
{
    return p->offset[a + 1] - p->offset[a];
}


// Counts the pieces of every block and their numbers, then fills both: `fill` says which.
static void scan_pieces(rico_body_system *s, bool fill, int64_t *seen, int64_t *at)
{
    const rico_problem *p = s->problem;
    const rico_mass_blocks *bodies = s->bodies;
    int64_t pieces = 0, numbers = 0;
    for (int64_t b = 0; b < bodies->count; b++) seen[b] = -1;
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t rows = rows_of(p, a);
        for (int64_t row = p->offset[a]; row < p->offset[a + 1]; row++)
            for (int64_t k = p->H.start[row]; k < p->H.start[row + 1]; k++) {
                int64_t dof = p->H.row[k], b = bodies->of_dof[dof];
                if (seen[b] != a) {
                    seen[b] = a;
                    at[b] = numbers;
                    if (fill) {
                        s->body[pieces] = b;
                        s->piece_value[pieces] = numbers;
                    }
                    pieces++;
                    numbers += dofs_of(s, b) * rows;
                }
                if (!fill) continue;
                int64_t place = bodies->place[dof] - bodies->start[b];
                s->H[at[b] + place * rows + row - p->offset[a]] = p->H.value[k];
            }
        s->piece_start[a + 1] = pieces;
        int64_t count = pieces - s->piece_start[a];
        s->pair_start[a + 1] = s->pair_start[a] + count * count;
    }
    if (fill)
        s->piece_value[pieces] = numbers;
    else
        s->pair_start[0] = numbers; // for the caller, who puts it back
}


static rico_status gather_pieces(rico_body_system *s)
{
    rico_context *ctx = s->ctx;
    int64_t blocks = s->problem->block_count;
    s->piece_start = rico_alloc(ctx, blocks + 1, sizeof *s->piece_start);
    s->pair_start = rico_alloc(ctx, blocks + 1, sizeof *s->pair_start);
    int64_t *seen = rico_alloc(ctx, s->bodies->count, sizeof *seen);
    int64_t *at = rico_alloc(ctx, s->bodies->count, sizeof *at);
    rico_status status = RICO_NO_MEMORY;
    if (s->piece_start && s->pair_start && seen && at) {
        scan_pieces(s, false, seen, at);
        int64_t numbers = s->pair_start[0], pieces = s->piece_start[blocks];
        s->pair_start[0] = 0;
        s->body = rico_alloc(ctx, pieces, sizeof *s->body);
        s->piece_value = rico_alloc(ctx, pieces + 1, sizeof *s->piece_value);
        s->H = rico_alloc(ctx, numbers, sizeof *s->H);
        if (s->body && s->piece_value && s->H) {
            scan_pieces(s, true, seen, at);
            status = RICO_OK;
        }
    }
    rico_free(ctx, seen);
    rico_free(ctx, at);
    return status;
}


// Who touches whom, body by body: the blocks of each body in `list`, from list_start on.
static void list_contacts(const rico_body_system *s, int64_t *list_start, int64_t *list)
{
    int64_t blocks = s->problem->block_count, bodies = s->bodies->count;
    for (int64_t k = 0; k < s->piece_start[blocks]; k++) list_start[s->body[k] + 1]++;
    for (int64_t b = 0; b < bodies; b++) list_start[b + 1] += list_start[b];
    for (int64_t a = 0; a < blocks; a++)
        for (int64_t k = s->piece_start[a]; k < s->piece_start[a + 1]; k++)
            list[list_start[s->body[k]]++] = a;
    for (int64_t b = bodies; b > 0; b--) list_start[b] = list_start[b - 1];
    list_start[0] = 0;
}


// The columns of body b's row, the diagonal among them, into col; returns their number.
static int64_t list_neighbours(const rico_body_system *s, int64_t b, const int64_t *list_start,
                               const int64_t *list, int64_t *mark, int32_t *col)
{
    int64_t count = 0;
    mark[b] = b + 1;
    col[count++] = (int32_t)b;
    for (int64_t i = list_start[b]; i < list_start[b + 1]; i++)
        for (int64_t k = s->piece_start[list[i]]; k < s->piece_start[list[i] + 1]; k++) {
            int64_t other = s->body[k];
            if (mark[other] == b + 1) continue;
            mark[other] = b + 1;
            // sorted in: rows are short
            int64_t at = count++;
            for (; at > 0 && col[at - 1] > other; at--) col[at] = col[at - 1];
            col[at] = (int32_t)other;
        }
    return count;
}


static rico_status make_pattern(rico_body_system *s)
{
    rico_context *ctx = s->ctx;
    rico_block_matrix *m = &s->matrix;
    int64_t bodies = s->bodies->count, blocks = s->problem->block_count;
    int64_t most = bodies + s->pair_start[blocks];
    m->ctx = ctx;
    m->blocks = bodies;
    m->rows = s->problem->dofs;
    m->offset = rico_alloc(ctx, bodies + 1, sizeof *m->offset);
    m->start = rico_alloc(ctx, bodies + 1, sizeof *m->start);
    m->diagonal = rico_alloc(ctx, bodies, sizeof *m->diagonal);
    m->col = rico_alloc(ctx, most, sizeof *m->col);
    m->place = rico_alloc(ctx, most + 1, sizeof *m->place);
    int64_t *list_start = rico_alloc(ctx, bodies + 1, sizeof *list_start);
    int64_t *list = rico_alloc(ctx, s->piece_start[blocks], sizeof *list);
    int64_t *mark = rico_alloc(ctx, bodies, sizeof *mark);
    bool room = m->offset && m->start && m->diagonal && m->col && m->place && list_start && list && mark;
    if (room) {
        memcpy(m->offset, s->bodies->start, (size_t)(bodies + 1) * sizeof *m->offset);
        list_contacts(s, list_start, list);
        int64_t count = 0;
        for (int64_t b = 0; b < bodies; b++) {
            count += list_neighbours(s, b, list_start, list, mark, &m->col[m->start[b]]);
            m->start[b + 1] = count;
            for (int64_t k = m->start[b]; k < count; k++) {
                m->place[k + 1] = m->place[k] + dofs_of(s, b) * dofs_of(s, m->col[k]);
                if (m->col[k] == b) m->diagonal[b] = k;
            }
        }
        m->value = rico_alloc(ctx, m->place[count], sizeof *m->value);
    }
    rico_free(ctx, list_start);
    rico_free(ctx, list);
    rico_free(ctx, mark);
    return room && m->value ? RICO_OK : RICO_NO_MEMORY;
}


// The block (row, col) of the matrix, which is there.
static int64_t find_block(const rico_block_matrix *m, int64_t row, int64_t col)
{
    int64_t low = m->start[row], high = m->start[row + 1] - 1;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (m->col[middle] < col)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}


// Where pairs of pieces go, and M by diagonal blocks.
static rico_status place_numbers(rico_body_system *s)
{
    rico_context *ctx = s->ctx;
    const rico_problem *p = s->problem;
    const rico_mass_blocks *bodies = s->bodies;
    s->pair = rico_alloc(ctx, s->pair_start[p->block_count], sizeof *s->pair);
    s->mass = rico_alloc(ctx, bodies->factor_start[bodies->count], sizeof *s->mass);
    if (!s->pair || !s->mass) return RICO_NO_MEMORY;
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t at = s->pair_start[a];
        for (int64_t i = s->piece_start[a]; i < s->piece_start[a + 1]; i++)
            for (int64_t j = s->piece_start[a]; j < s->piece_start[a + 1]; j++)
                s->pair[at++] = find_block(&s->matrix, s->body[i], s->body[j]);
    }
    for (int64_t j = 0; j < p->dofs; j++) {
        int64_t b = bodies->of_dof[j], first = bodies->start[b], size = dofs_of(s, b);
        double *block = &s->mass[bodies->factor_start[b]];
        for (int64_t k = p->M.start[j]; k < p->M.start[j + 1]; k++)
            block[(bodies->place[p->M.row[k]] - first) * size + bodies->place[j] - first] = p->M.value[k];
    }
    return RICO_OK;
}


static rico_status prepare(rico_body_system *s)
{
    rico_context *ctx = s->ctx;
    const rico_problem *p = s->problem;
    s->v = rico_alloc(ctx, p->dofs, sizeof *s->v);
    s->left = rico_alloc(ctx, p->rows, sizeof *s->left);
    s->further = rico_alloc(ctx, p->rows, sizeof *s->further);
    s->active = rico_alloc(ctx, s->bodies->count, sizeof *s->active);
    if (!s->v || !s->left || !s->further || !s->active) return RICO_NO_MEMORY;
    for (int64_t b = 0; b < s->bodies->count; b++) s->active[b] = (int32_t)dofs_of(s, b);
    rico_status status = gather_pieces(s);
    if (!status) status = make_pattern(s);
    if (!status) status = place_numbers(s);
    return status ? status : rico_front_lu_create(&s->matrix, &s->lu);
}


rico_status rico_body_system_create(rico_problem *problem, rico_body_system **out)
{
    rico_body_system *s = rico_alloc(problem->ctx, 1, sizeof *s);
    if (!s) return RICO_NO_MEMORY;
    s->ctx = problem->ctx;
    s->problem = problem;
    s->bodies = problem->bodies;
    rico_status status = prepare(s);
    if (status) {
        rico_body_system_destroy(s);
        return status;
    }
    *out = s;
    return RICO_OK;
}


double rico_body_system_flops(const rico_body_system *s)
{
    return rico_front_lu_flops(s->lu);
}


void rico_body_system_diagonal(const rico_body_system *s, int64_t a, double *block)
{
    int64_t rows = rows_of(s->problem, a);
    double x[RICO_MASS_BLOCK_LIMIT];
    memset(block, 0, (size_t)(rows * rows) * sizeof *block);
    for (int64_t k = s->piece_start[a]; k < s->piece_start[a + 1]; k++) {
        const double *H = &s->H[s->piece_value[k]];
        int64_t dofs = dofs_of(s, s->body[k]);
        for (int64_t j = 0; j < rows; j++) {
            for (int64_t d = 0; d < dofs; d++) x[d] = H[d * rows + j];
            rico_mass_blocks_solve(s->bodies, s->body[k], x);
            for (int64_t i = 0; i < rows; i++)
                for (int64_t d = 0; d < dofs; d++) block[i * rows + j] += H[d * rows + i] * x[d];
        }
    }
}


// Adds H_i C H_j' to a block of the matrix; rows of C have the stride 3. The sizes are constants at the call that
// matters, for the compiler to unroll by.
static inline void add_sized(int64_t rows, int64_t height, int64_t width, const double *Hi, const double *C,
                             const double *Hj, double *block)
{
    for (int64_t x = 0; x < height; x++) {
        double t[3] = {0.0, 0.0, 0.0};
        for (int64_t i = 0; i < rows; i++)
            for (int64_t j = 0; j < rows; j++) t[j] += Hi[x * rows + i] * C[3 * i + j];
        for (int64_t y = 0; y < width; y++) {
            double sum = 0.0;
            for (int64_t j = 0; j < rows; j++) sum += t[j] * Hj[y * rows + j];
            block[x * width + y] += sum;
        }
    }
}


static void add_pair(int64_t rows, int64_t height, int64_t width, const double *Hi, const double *C,
                     const double *Hj, double *block)
{
    if (rows == 3 && height == 6 && width == 6)
        add_sized(3, 6, 6, Hi, C, Hj, block);
    else
        add_sized(rows, height, width, Hi, C, Hj, block);
}


rico_status rico_body_system_factor(rico_body_system *s, const double *C)
{
    const rico_problem *p = s->problem;
    rico_block_matrix *m = &s->matrix;
    memset(m->value, 0, (size_t)m->place[m->start[m->blocks]] * sizeof *m->value);
    for (int64_t b = 0; b < m->blocks; b++)
        memcpy(&m->value[m->place[m->diagonal[b]]], &s->mass[s->bodies->factor_start[b]],
               (size_t)(dofs_of(s, b) * dofs_of(s, b)) * sizeof *m->value);
    for (int64_t a = 0; a < p->block_count; a++) {
        const int64_t *pair = &s->pair[s->pair_start[a]];
        for (int64_t i = s->piece_start[a]; i < s->piece_start[a + 1]; i++)
            for (int64_t j = s->piece_start[a]; j < s->piece_start[a + 1]; j++)
                add_pair(rows_of(p, a), dofs_of(s, s->body[i]), dofs_of(s, s->body[j]),
                         &s->H[s->piece_value[i]], &C[9 * a], &s->H[s->piece_value[j]],
                         &m->value[m->place[*pair++]]);
    }
    return rico_front_lu_factor(s->lu, s->active, m->value);
}


// v_b += H r and u += H' v_b for one piece; constants as above.
static inline void push_piece(int64_t rows, int64_t dofs, const double *H, const double *r, double *v)
{
    for (int64_t d = 0; d < dofs; d++) {
        double sum = 0.0;
        for (int64_t i = 0; i < rows; i++) sum += H[d * rows + i] * r[i];
        v[d] += sum;
    }
}


static inline void read_piece(int64_t rows, int64_t dofs, const double *H, const double *v, double *u)
{
    for (int64_t d = 0; d < dofs; d++)
        for (int64_t i = 0; i < rows; i++) u[i] += H[d * rows + i] * v[d];
}


// v += H r, in the order of the places.
static void push(const rico_body_system *s, const double *r, double *v)
{
    const rico_problem *p = s->problem;
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t rows = rows_of(p, a);
        const double *ra = &r[p->offset[a]];
        for (int64_t k = s->piece_start[a]; k < s->piece_start[a + 1]; k++) {
            const double *H = &s->H[s->piece_value[k]];
            int64_t body = s->body[k], dofs = dofs_of(s, body);
            double *vb = &v[s->bodies->start[body]];
            if (rows == 3 && dofs == 6)
                push_piece(3, 6, H, ra, vb);
            else
                push_piece(rows, dofs, H, ra, vb);
        }
    }
}


// u += H_a' v of one block
static void read_velocity(const rico_body_system *s, int64_t a, const double *v, double *u)
{
    int64_t rows = rows_of(s->problem, a);
    for (int64_t k = s->piece_start[a]; k < s->piece_start[a + 1]; k++) {
        int64_t body = s->body[k], dofs = dofs_of(s, body);
        const double *H = &s->H[s->piece_value[k]], *vb = &v[s->bodies->start[body]];
        if (rows == 3 && dofs == 6)
            read_piece(3, 6, H, vb, u);
        else
            read_piece(rows, dofs, H, vb, u);
    }
}


// out = c - C H' v, less `from` when that is given
static void pull(const rico_body_system *s, const double *C, const double *c, const double *from,
                 const double *v, double *out)
{
    const rico_problem *p = s->problem;
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t rows = rows_of(p, a), first = p->offset[a];
        double u[3] = {0.0, 0.0, 0.0};
        read_velocity(s, a, v, u);
        for (int64_t i = 0; i < rows; i++) {
            double sum = c[first + i] - (from ? from[first + i] : 0.0);
            for (int64_t j = 0; j < rows; j++) sum -= C[9 * a + 3 * i + j] * u[j];
            out[first + i] = sum;
        }
    }
}


static void solve_once(rico_body_system *s, const double *C, const double *c, double *dr)
{
    memset(s->v, 0, (size_t)s->problem->dofs * sizeof *s->v);
    push(s, c, s->v);
    rico_front_lu_solve(s->lu, s->v);
    pull(s, C, c, NULL, s->v, dr);
}


static void solve_bodies(const rico_body_system *s, double *v)
{
    for (int64_t b = 0; b < s->bodies->count; b++)
        rico_mass_blocks_solve(s->bodies, b, &v[s->bodies->start[b]]);
}


void rico_body_system_solve(rico_body_system *s, const double *C, const double *c, double *dr, bool refine)
{
    solve_once(s, C, c, dr);
    if (!refine) return;
    memset(s->v, 0, (size_t)s->problem->dofs * sizeof *s->v);
    push(s, dr, s->v);
    solve_bodies(s, s->v);
    pull(s, C, c, dr, s->v, s->left);
    solve_once(s, C, s->left, s->further);
    for (int64_t i = 0; i < s->problem->rows; i++) dr[i] += s->further[i];
}


void rico_body_system_velocity(rico_body_system *s, const double *r, double *u)
{
    const rico_problem *p = s->problem;
    for (int64_t j = 0; j < p->dofs; j++) s->v[s->bodies->place[j]] = p->f[j];
    push(s, r, s->v);
    solve_bodies(s, s->v);
    for (int64_t a = 0; a < p->block_count; a++) {
        memcpy(&u[p->offset[a]], &p->w[p->offset[a]], (size_t)rows_of(p, a) * sizeof *u);
        read_velocity(s, a, s->v, &u[p->offset[a]]);
    }
}
