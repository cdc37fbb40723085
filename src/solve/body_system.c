// Newton systems in the velocities of the bodies: assembly, factorization, solves.

#include "solve/body_system.h"

#include <math.h>
#include <string.h>

// C of a row of a joint is 1 over this share of its W_ii; refinement takes it out again.
static const double give = 1e-8;

// Steps of refinement where there are joints, when asked for and when not; one or none without.
enum { JOINT_PASSES = 3, JOINT_PASSES_AT_LEAST = 1 };

struct rico_body_system {
    rico_context *ctx;
    rico_problem *problem;
    rico_body_graph *graph;
    int64_t *first;   // of each block of the problem: its first cell
    double *softness; // of each cell: C of a row of a joint, 0 for contacts
    bool joints;      // there are some

    // H' by cell: for each body that a cell touches a dense piece, rows of the cell x dofs of the body
    int64_t *piece_value; // pieces + 1: where the numbers of each begin
    double *H;
    int64_t *
        pair; // block of the matrix that each pair of pieces of a cell adds to, row piece by row piece, cell by cell

    double *value; // of M + H C H'
    double *mass;  // M on the diagonal blocks, one after the other
    int32_t *active;
    double *v;              // n entries, in the order of the places
    double *left, *further; // m entries each: for the refinement
    double *soft;           // m: c with the rows of joints times their softness
    double *product;        // m: H' v = W dr of the last solve
};


void rico_body_system_destroy(rico_body_system *s)
{
    if (!s) return;
    rico_body_graph_destroy(s->graph);
    void *const owned[] = {s->first,  s->softness, s->piece_value, s->H,       s->pair, s->value,  s->mass,
                           s->active, s->v,        s->left,        s->further, s->soft, s->product};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++) rico_free(s->ctx, owned[i]);
    rico_free(s->ctx, s);
}


static int64_t dofs_of(const rico_body_system *s, int64_t body)
{
    return s->graph->bodies->start[body + 1] - s->graph->bodies->start[body];
}


static int64_t rows_of(const rico_body_system *s, int64_t a)
{
    return s->graph->offset[a + 1] - s->graph->offset[a];
}


static rico_status find_joints(rico_body_system *s)
{
    const rico_problem *p = s->problem;
    s->first = rico_alloc(s->ctx, p->block_count, sizeof *s->first);
    s->softness = rico_alloc(s->ctx, s->graph->cells, sizeof *s->softness);
    if (!s->first || !s->softness) return RICO_NO_MEMORY;
    for (int64_t cell = s->graph->cells - 1; cell >= 0; cell--) s->first[s->graph->block[cell]] = cell;
    for (int64_t a = 0; a < p->block_count; a++) s->joints = s->joints || rico_problem_is_joint(p, a);
    return RICO_OK;
}


static void measure_pieces(rico_body_system *s)
{
    const rico_body_graph *g = s->graph;
    for (int64_t a = 0; a < g->cells; a++)
        for (int64_t k = g->piece_start[a]; k < g->piece_start[a + 1]; k++)
            s->piece_value[k + 1] = s->piece_value[k] + dofs_of(s, g->body[k]) * rows_of(s, a);
}


// H, piece by piece. at: work space, an entry for each body.
static void fill_pieces(rico_body_system *s, int64_t *at)
{
    const rico_problem *p = s->problem;
    const rico_body_graph *g = s->graph;
    for (int64_t a = 0; a < g->cells; a++) {
        for (int64_t k = g->piece_start[a]; k < g->piece_start[a + 1]; k++)
            at[g->body[k]] = s->piece_value[k];
        for (int64_t row = g->offset[a]; row < g->offset[a + 1]; row++)
            for (int64_t k = p->H.start[row]; k < p->H.start[row + 1]; k++) {
                int64_t b = g->bodies->of_dof[p->H.row[k]];
                int64_t place = g->bodies->place[p->H.row[k]] - g->bodies->start[b];
                s->H[at[b] + (row - g->offset[a]) * dofs_of(s, b) + place] = p->H.value[k];
            }
    }
}


static rico_status gather_pieces(rico_body_system *s)
{
    const rico_body_graph *g = s->graph;
    s->H = rico_alloc(s->ctx, s->piece_value[g->piece_start[g->cells]], sizeof *s->H);
    int64_t *at = rico_alloc(s->ctx, g->bodies->count, sizeof *at);
    bool room = s->H && at;
    if (room) fill_pieces(s, at);
    rico_free(s->ctx, at);
    return room ? RICO_OK : RICO_NO_MEMORY;
}


// Where pairs of pieces go, and M by diagonal blocks.
static rico_status place_numbers(rico_body_system *s)
{
    rico_context *ctx = s->ctx;
    const rico_problem *p = s->problem;
    const rico_mass_blocks *bodies = s->graph->bodies;
    const rico_block_matrix *m = &s->graph->matrix;
    s->pair = rico_alloc(ctx, s->graph->pairs, sizeof *s->pair);
    s->mass = rico_alloc(ctx, bodies->factor_start[bodies->count], sizeof *s->mass);
    s->value = rico_alloc(ctx, m->place[m->start[m->blocks]], sizeof *s->value);
    if (!s->pair || !s->mass || !s->value) return RICO_NO_MEMORY;
    for (int64_t a = 0, at = 0; a < s->graph->cells; a++) {
        for (int64_t i = s->graph->piece_start[a]; i < s->graph->piece_start[a + 1]; i++)
            for (int64_t j = s->graph->piece_start[a]; j < s->graph->piece_start[a + 1]; j++)
                s->pair[at++] = rico_block_find(&s->graph->matrix, s->graph->body[i], s->graph->body[j]);
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
    for (int64_t k = s->graph->piece_start[a]; k < s->graph->piece_start[a + 1]; k++) {
        const double *H = &s->H[s->piece_value[k]];
        int64_t dofs = dofs_of(s, s->graph->body[k]);
        for (int64_t j = 0; j < rows; j++) {
            for (int64_t d = 0; d < dofs; d++) x[d] = H[j * dofs + d];
            rico_mass_blocks_solve(s->graph->bodies, s->graph->body[k], x);
            for (int64_t i = 0; i < rows; i++)
                for (int64_t d = 0; d < dofs; d++) block[i * rows + j] += H[i * dofs + d] * x[d];
        }
    }
}


// A row that moves nothing has no softness, and no impulse.
static void soften_joints(rico_body_system *s)
{
    for (int64_t a = 0; a < s->graph->cells; a++) {
        if (!rico_problem_is_joint(s->problem, s->graph->block[a])) continue;
        double entry;
        diagonal_of_cell(s, a, &entry);
        s->softness[a] = entry > 0.0 ? 1.0 / (give * entry) : 0.0;
    }
}


// C of a cell, rows with the stride 3.
static const double *scaling_of(const rico_body_system *s, const double *C, int64_t a)
{
    return rico_problem_is_joint(s->problem, s->graph->block[a]) ? &s->softness[a]
                                                                 : &C[9 * s->graph->block[a]];
}


// Numbers of the matrix, of H and M, and places of pairs.
static rico_status foresee_numbers(const rico_body_system *s)
{
    const rico_block_matrix *m = &s->graph->matrix;
    int64_t pieces = s->graph->piece_start[s->graph->cells];
    double numbers = (double)m->place[m->start[m->blocks]] + (double)s->piece_value[pieces] +
                     (double)s->graph->bodies->factor_start[m->blocks];
    return rico_foresee(s->ctx, numbers * sizeof *s->value + (double)s->graph->pairs * sizeof *s->pair,
                        "Newton's systems");
}


static rico_status prepare(rico_body_system *s)
{
    rico_context *ctx = s->ctx;
    const rico_problem *p = s->problem;
    const rico_block_matrix *m = &s->graph->matrix;
    int64_t pieces = s->graph->piece_start[s->graph->cells];
    s->v = rico_alloc(ctx, p->dofs, sizeof *s->v);
    s->left = rico_alloc(ctx, p->rows, sizeof *s->left);
    s->further = rico_alloc(ctx, p->rows, sizeof *s->further);
    s->soft = rico_alloc(ctx, p->rows, sizeof *s->soft);
    s->product = rico_alloc(ctx, p->rows, sizeof *s->product);
    s->active = rico_alloc(ctx, m->blocks, sizeof *s->active);
    s->piece_value = rico_alloc(ctx, pieces + 1, sizeof *s->piece_value);
    if (!s->v || !s->left || !s->further || !s->soft || !s->product || !s->active || !s->piece_value)
        return RICO_NO_MEMORY;
    for (int64_t b = 0; b < m->blocks; b++) s->active[b] = (int32_t)dofs_of(s, b);
    measure_pieces(s);
    rico_status status = foresee_numbers(s);
    if (!status) status = find_joints(s);
    if (!status) status = gather_pieces(s);
    if (!status) status = place_numbers(s);
    if (!status) soften_joints(s);
    return status;
}


rico_status rico_body_system_create(rico_problem *problem, rico_body_graph **graph, rico_body_system **out)
{
    rico_body_system *s = rico_alloc(problem->ctx, 1, sizeof *s);
    if (!s) return RICO_NO_MEMORY;
    s->ctx = problem->ctx;
    s->problem = problem;
    if (graph) {
        s->graph = *graph;
        *graph = NULL;
    }
    rico_status status = s->graph ? RICO_OK : rico_body_graph_create(problem, &s->graph);
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
    return rico_front_lu_flops(s->graph->lu);
}


void rico_body_system_diagonal(const rico_body_system *s, int64_t a, double *block)
{
    diagonal_of_cell(s, s->first[a], block);
}


double rico_body_system_joint_scale(const rico_body_system *s, int64_t a)
{
    double largest = 0.0, entry;
    for (int64_t cell = s->first[a]; cell < s->graph->cells && s->graph->block[cell] == a; cell++) {
        diagonal_of_cell(s, cell, &entry);
        largest = fmax(largest, entry);
    }
    return largest;
}


int rico_body_system_sign(const rico_body_system *s)
{
    return rico_front_lu_sign(s->graph->lu);
}


// Adds H_i C H_j' to a block of the matrix; rows of C have the stride 3. The sizes are constants at the call that
// matters, for the compiler to unroll by.
static inline void add_sized(int64_t rows, int64_t height, int64_t width, const double *restrict Hi,
                             const double *restrict C, const double *restrict Hj, double *restrict block)
{
    for (int64_t x = 0; x < height; x++) {
        double t[3] = {0.0, 0.0, 0.0}, *line = &block[x * width];
        for (int64_t i = 0; i < rows; i++)
            for (int64_t j = 0; j < rows; j++) t[j] += Hi[i * height + x] * C[3 * i + j];
        for (int64_t j = 0; j < rows; j++)
            for (int64_t y = 0; y < width; y++) line[y] += t[j] * Hj[j * width + y];
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


// Is C of a cell zero, as where a contact is open?
static bool is_zero(int64_t rows, const double *C)
{
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < rows; j++)
            if (C[3 * i + j] != 0.0) return false;
    return true;
}


rico_status rico_body_system_factor(rico_body_system *s, const double *C)
{
    const rico_body_graph *g = s->graph;
    const rico_block_matrix *m = &g->matrix;
    memset(s->value, 0, (size_t)m->place[m->start[m->blocks]] * sizeof *s->value);
    for (int64_t b = 0; b < m->blocks; b++)
        memcpy(&s->value[m->place[m->diagonal[b]]], &s->mass[g->bodies->factor_start[b]],
               (size_t)(dofs_of(s, b) * dofs_of(s, b)) * sizeof *s->value);
    const int64_t *pair = s->pair;
    for (int64_t a = 0; a < g->cells; a++) {
        const double *own = scaling_of(s, C, a);
        int64_t pieces = g->piece_start[a + 1] - g->piece_start[a];
        if (is_zero(rows_of(s, a), own)) {
            pair += pieces * pieces;
            continue;
        }
        for (int64_t i = g->piece_start[a]; i < g->piece_start[a + 1]; i++)
            for (int64_t j = g->piece_start[a]; j < g->piece_start[a + 1]; j++)
                add_pair(rows_of(s, a), dofs_of(s, g->body[i]), dofs_of(s, g->body[j]),
                         &s->H[s->piece_value[i]], own, &s->H[s->piece_value[j]],
                         &s->value[m->place[*pair++]]);
    }
    return rico_front_lu_factor(g->lu, s->active, s->value);
}


// v_b += H r and u += H' v_b for one piece; constants as above.
static inline void push_piece(int64_t rows, int64_t dofs, const double *restrict H, const double *restrict r,
                              double *restrict v)
{
    for (int64_t i = 0; i < rows; i++)
        for (int64_t d = 0; d < dofs; d++) v[d] += H[i * dofs + d] * r[i];
}


static inline void read_piece(int64_t rows, int64_t dofs, const double *H, const double *v, double *u)
{
    for (int64_t i = 0; i < rows; i++) {
        const double *line = &H[i * dofs];
        double sum[2] = {0.0, 0.0}; // two chains of additions are half as long as one
        for (int64_t d = 0; d + 1 < dofs; d += 2) {
            sum[0] += line[d] * v[d];
            sum[1] += line[d + 1] * v[d + 1];
        }
        if (dofs % 2) sum[0] += line[dofs - 1] * v[dofs - 1];
        u[i] += sum[0] + sum[1];
    }
}


// v += H r, in the order of the places.
static void push(const rico_body_system *s, const double *r, double *v)
{
    for (int64_t a = 0; a < s->graph->cells; a++) {
        int64_t rows = rows_of(s, a);
        const double *ra = &r[s->graph->offset[a]];
        if (ra[0] == 0.0 && ra[rows / 2] == 0.0 && ra[rows - 1] == 0.0)
            continue; // at most three, of a contact that is open
        for (int64_t k = s->graph->piece_start[a]; k < s->graph->piece_start[a + 1]; k++) {
            const double *H = &s->H[s->piece_value[k]];
            int64_t body = s->graph->body[k], dofs = dofs_of(s, body);
            double *vb = &v[s->graph->bodies->start[body]];
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
    for (int64_t k = s->graph->piece_start[a]; k < s->graph->piece_start[a + 1]; k++) {
        int64_t body = s->graph->body[k], dofs = dofs_of(s, body);
        const double *H = &s->H[s->piece_value[k]], *vb = &v[s->graph->bodies->start[body]];
        if (rows == 3 && dofs == 6)
            read_piece(3, 6, H, vb, u);
        else
            read_piece(rows, dofs, H, vb, u);
    }
}


// out = c - C H' v, less `from` when that is given; H' v is added to `product` when there is one
static void pull(const rico_body_system *s, const double *C, const double *c, const double *from,
                 const double *v, double *out, double *product)
{
    for (int64_t a = 0; a < s->graph->cells; a++) {
        int64_t rows = rows_of(s, a), first = s->graph->offset[a];
        const double *own = scaling_of(s, C, a);
        double u[3] = {0.0, 0.0, 0.0};
        read_velocity(s, a, v, u);
        for (int64_t i = 0; i < rows; i++) {
            double sum = c[first + i] - (from ? from[first + i] : 0.0);
            for (int64_t j = 0; j < rows; j++) sum -= own[3 * i + j] * u[j];
            out[first + i] = sum;
            if (product) product[first + i] += u[i];
        }
    }
}


// Rows of joints of c over the softness of them: what (W dr)_i = c_i is as dr_i = c_i - C_i (W dr)_i.
static const double *soften(rico_body_system *s, const double *c)
{
    if (!s->joints) return c;
    memcpy(s->soft, c, (size_t)s->problem->rows * sizeof *s->soft);
    for (int64_t a = 0; a < s->graph->cells; a++)
        if (rico_problem_is_joint(s->problem, s->graph->block[a]))
            s->soft[s->graph->offset[a]] *= s->softness[a];
    return s->soft;
}


static void solve_once(rico_body_system *s, const double *C, const double *c, double *dr)
{
    const double *soft = soften(s, c);
    memset(s->v, 0, (size_t)s->problem->dofs * sizeof *s->v);
    push(s, soft, s->v);
    rico_front_lu_solve(s->graph->lu, s->v);
    pull(s, C, soft, NULL, s->v, dr, s->product);
}


static void solve_bodies(const rico_body_system *s, double *v)
{
    for (int64_t b = 0; b < s->graph->bodies->count; b++)
        rico_mass_blocks_solve(s->graph->bodies, b, &v[s->graph->bodies->start[b]]);
}


// What dr leaves of the equations, those of joints as they are.
static void find_defect(rico_body_system *s, const double *C, const double *c, const double *dr)
{
    memset(s->v, 0, (size_t)s->problem->dofs * sizeof *s->v);
    push(s, dr, s->v);
    solve_bodies(s, s->v);
    pull(s, C, c, dr, s->v, s->left, NULL);
    for (int64_t a = 0; s->joints && a < s->graph->cells; a++) {
        if (!rico_problem_is_joint(s->problem, s->graph->block[a])) continue;
        double u = 0.0;
        read_velocity(s, a, s->v, &u);
        s->left[s->graph->offset[a]] = c[s->graph->offset[a]] - u;
    }
}


void rico_body_system_solve(rico_body_system *s, const double *C, const double *c, double *dr, bool refine)
{
    int passes = refine ? 1 : 0;
    if (s->joints) passes = refine ? JOINT_PASSES : JOINT_PASSES_AT_LEAST;
    memset(s->product, 0, (size_t)s->problem->rows * sizeof *s->product);
    solve_once(s, C, c, dr);
    for (; passes > 0; passes--) {
        find_defect(s, C, c, dr);
        solve_once(s, C, s->left, s->further);
        for (int64_t i = 0; i < s->problem->rows; i++) dr[i] += s->further[i];
    }
}


void rico_body_system_product(const rico_body_system *s, double *W_dr)
{
    memcpy(W_dr, s->product, (size_t)s->problem->rows * sizeof *W_dr);
}


void rico_body_system_velocity(rico_body_system *s, const double *r, bool free, double *u)
{
    const rico_problem *p = s->problem;
    for (int64_t j = 0; j < p->dofs; j++) s->v[s->graph->bodies->place[j]] = free ? p->f[j] : 0.0;
    push(s, r, s->v);
    solve_bodies(s, s->v);
    for (int64_t i = 0; i < p->rows; i++) u[i] = free ? p->w[i] : 0.0;
    for (int64_t a = 0; a < s->graph->cells; a++) read_velocity(s, a, s->v, &u[s->graph->offset[a]]);
}
