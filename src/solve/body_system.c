// Newton systems in the velocities of the bodies: assembly, factorization, solves.

#include "solve/body_system.h"

#include "problem/mass.h"
#include "solve/cells.h"

#include <math.h>
#include <string.h>

// C of a row of a joint is 1 over this share of its W_ii; refinement takes it out again.
static const double give = 1e-8;

// Steps of refinement where there are joints, when asked for and when not; one or none without.
enum { JOINT_PASSES = 3, JOINT_PASSES_AT_LEAST = 1 };

struct rico_body_system {
    rico_context *ctx;
    rico_problem *problem;
    rico_mass_blocks *bodies; // those of the problem, what belongs to one body together

    // A cell is a contact, or a single row of a joint: what C does not couple is kept apart, however large the block.
    int64_t cells;
    int64_t *offset;  // cells + 1: first row of each
    int64_t *block;   // of each
    int64_t *first;   // of each block of the problem: its first cell
    double *softness; // of each: C of a row of a joint, 0 for contacts
    bool joints;      // there are some

    // H by cell: for each body that cell a touches a dense piece, dofs of the body x rows of the cell
    int64_t *piece_start; // cells + 1: the pieces of each cell
    int64_t *body;        // of each piece
    int64_t *piece_value; // pieces + 1: where its numbers begin
    double *H;
    int64_t *pair_start; // cells + 1: where the places of its pairs of pieces begin
    int64_t *pair; // block of `matrix` that each pair of pieces of a contact adds to, row piece by row piece

    rico_block_matrix matrix; // M + H C H', bodies in the order of `bodies`
    double *mass;             // M on the diagonal blocks, one after the other
    int32_t *active;
    rico_front_lu *lu;
    double *v;              // n entries, in the order of the places
    double *left, *further; // m entries each: for the refinement
    double *soft;           // m: c with the rows of joints times their softness
};


bool rico_body_system_takes(const rico_problem *p)
{
    return p->global && p->bodies && !p->shaped;
}


void rico_body_system_destroy(rico_body_system *s)
{
    if (!s) return;
    rico_front_lu_destroy(s->lu);
    rico_block_destroy(&s->matrix);
    rico_mass_blocks_destroy(s->bodies);
    void *const owned[] = {s->offset,      s->block,   s->first,      s->softness, s->piece_start, s->body,
                           s->piece_value, s->H,       s->pair_start, s->pair,     s->mass,        s->v,
                           s->left,        s->further, s->active,     s->soft};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++) rico_free(s->ctx, owned[i]);
    rico_free(s->ctx, s);
}


// Which blocks of the problem touch each block of M, increasing: a list per block of M.
static rico_status list_touches(const rico_problem *p, int64_t *start, int64_t **list)
{
    const rico_mass_blocks *parts = p->bodies;
    int64_t *seen = rico_alloc(p->ctx, parts->count, sizeof *seen);
    *list = NULL;
    if (!seen) return RICO_NO_MEMORY;
    for (int fill = 0; fill < 2; fill++) {
        for (int64_t b = 0; b < parts->count; b++) seen[b] = 0;
        for (int64_t a = 0; a < p->block_count; a++)
            for (int64_t k = p->H.start[p->offset[a]]; k < p->H.start[p->offset[a + 1]]; k++) {
                int64_t b = parts->of_dof[p->H.row[k]];
                if (seen[b] == a + 1) continue;
                seen[b] = a + 1;
                if (fill)
                    (*list)[start[b]++] = a;
                else
                    start[b + 1]++;
            }
        if (fill) break;
        for (int64_t b = 0; b < parts->count; b++) start[b + 1] += start[b];
        *list = rico_alloc(p->ctx, start[parts->count], sizeof **list);
        if (!*list) break;
    }
    rico_free(p->ctx, seen);
    if (!*list) return RICO_NO_MEMORY;
    for (int64_t b = parts->count; b > 0; b--) start[b] = start[b - 1];
    start[0] = 0;
    return RICO_OK;
}


// Is every number of the first list, increasing as the second, in that?
static bool is_within(int64_t count, const int64_t *list, int64_t others, const int64_t *other)
{
    int64_t j = 0;
    for (int64_t i = 0; i < count; i++, j++) {
        while (j < others && other[j] < list[i]) j++;
        if (j == others || other[j] != list[i]) return false;
    }
    return true;
}


// A rigid body falls apart in M: each direction of its centre is a block of its own, its turning another. All of them are
// touched by the same contacts, and are one block of six here, of which the matrix has a quarter as many rows of blocks.
static rico_status join_parts(rico_body_system *s)
{
    enum { BODY = 6 };
    const rico_problem *p = s->problem;
    const rico_mass_blocks *parts = p->bodies;
    int64_t *start = rico_alloc(s->ctx, parts->count + 1, sizeof *start), *list = NULL;
    int64_t *partner = rico_alloc(s->ctx, p->dofs, sizeof *partner);
    rico_status status = start && partner ? list_touches(p, start, &list) : RICO_NO_MEMORY;
    int64_t size = 0, widest = 0,
            first = 0; // of the present body: dofs, its part of most contacts, its first dof
    for (int64_t b = 0; !status && b < parts->count; b++) {
        int64_t own = parts->start[b + 1] - parts->start[b], count = start[b + 1] - start[b];
        int64_t most = start[widest + 1] - start[widest];
        const int64_t *mine = &list[start[b]], *theirs = &list[start[widest]];
        bool joins =
            b > 0 && size + own <= BODY && count > 0 &&
            (count <= most ? is_within(count, mine, most, theirs) : is_within(most, theirs, count, mine));
        if (!joins) first = parts->dof[parts->start[b]];
        if (!joins || count > most) widest = b;
        size = joins ? size + own : own;
        for (int64_t k = parts->start[b]; k < parts->start[b + 1]; k++) partner[parts->dof[k]] = first;
    }
    if (!status) status = rico_mass_blocks_create_joined(&p->M, partner, &s->bodies);
    rico_free(s->ctx, start);
    rico_free(s->ctx, list);
    rico_free(s->ctx, partner);
    return status;
}


static int64_t dofs_of(const rico_body_system *s, int64_t body)
{
    return s->bodies->start[body + 1] - s->bodies->start[body];
}


static int64_t rows_of(const rico_body_system *s, int64_t a)
{
    return s->offset[a + 1] - s->offset[a];
}


static rico_status split_into_cells(rico_body_system *s)
{
    const rico_problem *p = s->problem;
    rico_status status = rico_list_cells(p, &s->cells, &s->offset, &s->block);
    if (status) return status;
    s->first = rico_alloc(s->ctx, p->block_count, sizeof *s->first);
    s->softness = rico_alloc(s->ctx, s->cells, sizeof *s->softness);
    if (!s->first || !s->softness) return RICO_NO_MEMORY;
    for (int64_t cell = s->cells - 1; cell >= 0; cell--) s->first[s->block[cell]] = cell;
    for (int64_t a = 0; a < p->block_count; a++) s->joints = s->joints || rico_problem_is_joint(p, a);
    return RICO_OK;
}


// Counts the pieces of every block and their numbers, then fills both: `fill` says which.
static void scan_pieces(rico_body_system *s, bool fill, int64_t *seen, int64_t *at)
{
    const rico_problem *p = s->problem;
    const rico_mass_blocks *bodies = s->bodies;
    int64_t pieces = 0, numbers = 0;
    for (int64_t b = 0; b < bodies->count; b++) seen[b] = -1;
    for (int64_t a = 0; a < s->cells; a++) {
        int64_t rows = rows_of(s, a);
        for (int64_t row = s->offset[a]; row < s->offset[a + 1]; row++)
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
                s->H[at[b] + place * rows + row - s->offset[a]] = p->H.value[k];
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
    int64_t blocks = s->cells;
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
    int64_t blocks = s->cells, bodies = s->bodies->count;
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


// Blocks of the pattern and places of pairs: at most one for each pair of pieces.
static rico_status foresee_pattern(const rico_body_system *s)
{
    double most = (double)s->bodies->count + (double)s->pair_start[s->cells];
    double indices = (double)(sizeof *s->matrix.col + sizeof *s->matrix.place + sizeof *s->pair);
    return rico_foresee(s->ctx, indices * most, "the pattern of Newton's systems");
}


static rico_status make_pattern(rico_body_system *s)
{
    rico_context *ctx = s->ctx;
    rico_block_matrix *m = &s->matrix;
    int64_t bodies = s->bodies->count, blocks = s->cells;
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
    s->pair = rico_alloc(ctx, s->pair_start[s->cells], sizeof *s->pair);
    s->mass = rico_alloc(ctx, bodies->factor_start[bodies->count], sizeof *s->mass);
    if (!s->pair || !s->mass) return RICO_NO_MEMORY;
    for (int64_t a = 0; a < s->cells; a++) {
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


// W_aa of a cell, row-major with the stride of its size.
static void diagonal_of_cell(const rico_body_system *s, int64_t a, double *block)
{
    int64_t rows = rows_of(s, a);
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


// A row that moves nothing has no softness, and no impulse.
static void soften_joints(rico_body_system *s)
{
    for (int64_t a = 0; a < s->cells; a++) {
        if (!rico_problem_is_joint(s->problem, s->block[a])) continue;
        double entry;
        diagonal_of_cell(s, a, &entry);
        s->softness[a] = entry > 0.0 ? 1.0 / (give * entry) : 0.0;
    }
}


// C of a cell, rows with the stride 3.
static const double *scaling_of(const rico_body_system *s, const double *C, int64_t a)
{
    return rico_problem_is_joint(s->problem, s->block[a]) ? &s->softness[a] : &C[9 * s->block[a]];
}


static rico_status prepare(rico_body_system *s)
{
    rico_context *ctx = s->ctx;
    const rico_problem *p = s->problem;
    s->v = rico_alloc(ctx, p->dofs, sizeof *s->v);
    s->left = rico_alloc(ctx, p->rows, sizeof *s->left);
    s->further = rico_alloc(ctx, p->rows, sizeof *s->further);
    s->soft = rico_alloc(ctx, p->rows, sizeof *s->soft);
    s->active = rico_alloc(ctx, s->bodies->count, sizeof *s->active);
    if (!s->v || !s->left || !s->further || !s->soft || !s->active) return RICO_NO_MEMORY;
    for (int64_t b = 0; b < s->bodies->count; b++) s->active[b] = (int32_t)dofs_of(s, b);
    rico_status status = split_into_cells(s);
    if (!status) status = gather_pieces(s);
    if (!status) status = foresee_pattern(s);
    if (!status) status = make_pattern(s);
    if (!status) status = place_numbers(s);
    if (!status) status = rico_front_lu_create(&s->matrix, &s->lu);
    if (!status) soften_joints(s);
    return status;
}


rico_status rico_body_system_create(rico_problem *problem, rico_body_system **out)
{
    rico_body_system *s = rico_alloc(problem->ctx, 1, sizeof *s);
    if (!s) return RICO_NO_MEMORY;
    s->ctx = problem->ctx;
    s->problem = problem;
    rico_status status = join_parts(s);
    if (!status) status = prepare(s);
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
    diagonal_of_cell(s, s->first[a], block);
}


double rico_body_system_joint_scale(const rico_body_system *s, int64_t a)
{
    double largest = 0.0, entry;
    for (int64_t cell = s->first[a]; cell < s->cells && s->block[cell] == a; cell++) {
        diagonal_of_cell(s, cell, &entry);
        largest = fmax(largest, entry);
    }
    return largest;
}


int rico_body_system_sign(const rico_body_system *s)
{
    return rico_front_lu_sign(s->lu);
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
    rico_block_matrix *m = &s->matrix;
    memset(m->value, 0, (size_t)m->place[m->start[m->blocks]] * sizeof *m->value);
    for (int64_t b = 0; b < m->blocks; b++)
        memcpy(&m->value[m->place[m->diagonal[b]]], &s->mass[s->bodies->factor_start[b]],
               (size_t)(dofs_of(s, b) * dofs_of(s, b)) * sizeof *m->value);
    for (int64_t a = 0; a < s->cells; a++) {
        const int64_t *pair = &s->pair[s->pair_start[a]];
        const double *own = scaling_of(s, C, a);
        for (int64_t i = s->piece_start[a]; i < s->piece_start[a + 1]; i++)
            for (int64_t j = s->piece_start[a]; j < s->piece_start[a + 1]; j++)
                add_pair(rows_of(s, a), dofs_of(s, s->body[i]), dofs_of(s, s->body[j]),
                         &s->H[s->piece_value[i]], own, &s->H[s->piece_value[j]],
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
    for (int64_t a = 0; a < s->cells; a++) {
        int64_t rows = rows_of(s, a);
        const double *ra = &r[s->offset[a]];
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
    int64_t rows = rows_of(s, a);
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
    for (int64_t a = 0; a < s->cells; a++) {
        int64_t rows = rows_of(s, a), first = s->offset[a];
        const double *own = scaling_of(s, C, a);
        double u[3] = {0.0, 0.0, 0.0};
        read_velocity(s, a, v, u);
        for (int64_t i = 0; i < rows; i++) {
            double sum = c[first + i] - (from ? from[first + i] : 0.0);
            for (int64_t j = 0; j < rows; j++) sum -= own[3 * i + j] * u[j];
            out[first + i] = sum;
        }
    }
}


// Rows of joints of c over the softness of them: what (W dr)_i = c_i is as dr_i = c_i - C_i (W dr)_i.
static const double *soften(rico_body_system *s, const double *c)
{
    if (!s->joints) return c;
    memcpy(s->soft, c, (size_t)s->problem->rows * sizeof *s->soft);
    for (int64_t a = 0; a < s->cells; a++)
        if (rico_problem_is_joint(s->problem, s->block[a])) s->soft[s->offset[a]] *= s->softness[a];
    return s->soft;
}


static void solve_once(rico_body_system *s, const double *C, const double *c, double *dr)
{
    const double *soft = soften(s, c);
    memset(s->v, 0, (size_t)s->problem->dofs * sizeof *s->v);
    push(s, soft, s->v);
    rico_front_lu_solve(s->lu, s->v);
    pull(s, C, soft, NULL, s->v, dr);
}


static void solve_bodies(const rico_body_system *s, double *v)
{
    for (int64_t b = 0; b < s->bodies->count; b++)
        rico_mass_blocks_solve(s->bodies, b, &v[s->bodies->start[b]]);
}


// What dr leaves of the equations, those of joints as they are.
static void find_defect(rico_body_system *s, const double *C, const double *c, const double *dr)
{
    memset(s->v, 0, (size_t)s->problem->dofs * sizeof *s->v);
    push(s, dr, s->v);
    solve_bodies(s, s->v);
    pull(s, C, c, dr, s->v, s->left);
    for (int64_t a = 0; s->joints && a < s->cells; a++) {
        if (!rico_problem_is_joint(s->problem, s->block[a])) continue;
        double u = 0.0;
        read_velocity(s, a, s->v, &u);
        s->left[s->offset[a]] = c[s->offset[a]] - u;
    }
}


void rico_body_system_solve(rico_body_system *s, const double *C, const double *c, double *dr, bool refine)
{
    int passes = refine ? 1 : 0;
    if (s->joints) passes = refine ? JOINT_PASSES : JOINT_PASSES_AT_LEAST;
    solve_once(s, C, c, dr);
    for (; passes > 0; passes--) {
        find_defect(s, C, c, dr);
        solve_once(s, C, s->left, s->further);
        for (int64_t i = 0; i < s->problem->rows; i++) dr[i] += s->further[i];
    }
}


void rico_body_system_velocity(rico_body_system *s, const double *r, double *u)
{
    const rico_problem *p = s->problem;
    for (int64_t j = 0; j < p->dofs; j++) s->v[s->bodies->place[j]] = p->f[j];
    push(s, r, s->v);
    solve_bodies(s, s->v);
    for (int64_t a = 0; a < s->cells; a++) {
        memcpy(&u[s->offset[a]], &p->w[s->offset[a]], (size_t)rows_of(s, a) * sizeof *u);
        read_velocity(s, a, s->v, &u[s->offset[a]]);
    }
}
