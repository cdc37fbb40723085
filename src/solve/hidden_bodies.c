// The problem of the bodies behind a Delassus matrix, written down.

#include "solve/hidden_bodies.h"

#include "solve/hidden_motions.h"

// Column `row` of the group in units of the problem: the rank x d matrix G times the column of the basis.
static void write_column(const rico_hidden_motions *m, int64_t g, int64_t row, int64_t rank, const double *G,
                         double *out)
{
    const rico_compressed *s = m->s;
    int64_t d = s->Wc.offset[g + 1] - s->Wc.offset[g];
    double t[RICO_TWIST];
    for (int64_t i = 0; i < d; i++)
        t[i] = m->size[g] *
               (s->basis_start[g] < 0 ? (i == row) : s->basis[s->basis_start[g] + i * s->width[g] + row]);
    for (int64_t n = 0; n < rank; n++) {
        out[n] = 0.0;
        for (int64_t i = 0; i < d; i++) out[n] += G[n * d + i] * t[i];
    }
}


// First velocity of each clique, then of each group's own rest; returns how many there are.
static int64_t number_velocities(const rico_hidden_motions *m, int64_t *of_clique, int64_t *of_rest)
{
    int64_t dofs = 0;
    for (int64_t b = 0; b < m->cover.cliques; b++) {
        of_clique[b] = dofs;
        dofs += m->rank[b];
    }
    for (int64_t g = 0; g < m->s->groups; g++) {
        of_rest[g] = dofs;
        dofs += m->rest_rank[g];
    }
    return dofs;
}


// H by columns: `row` and `value` have room for three pieces of six each.
static void fill_columns(const rico_hidden_motions *m, const int64_t *of_clique, const int64_t *of_rest,
                         int64_t *start, int64_t *row, double *value)
{
    const rico_problem *p = m->s->p;
    int64_t count = 0;
    for (int64_t a = 0; a < p->block_count; a++)
        for (int64_t x = p->offset[a]; x < p->offset[a + 1]; x++) {
            int64_t g = m->s->group[a], at = m->s->row[a] + x - p->offset[a];
            for (int piece = 0; piece < 3; piece++) {
                int64_t slot = piece < 2 ? m->cover.slot[2 * g + piece] : -1;
                if (piece < 2 && slot < 0) continue;
                int64_t rank = piece < 2 ? m->rank[m->cover.owner[slot]] : m->rest_rank[g];
                int64_t first = piece < 2 ? of_clique[m->cover.owner[slot]] : of_rest[g];
                write_column(m, g, at, rank,
                             piece < 2 ? &m->G[RICO_HIDDEN_SQUARE * slot] : &m->rest[RICO_HIDDEN_SQUARE * g],
                             &value[count]);
                for (int64_t n = 0; n < rank; n++) row[count++] = first + n;
            }
            start[x + 1] = count;
        }
}


// M by columns, a square for each body.
static int64_t fill_mass(int64_t n, const double *mass, int64_t first, int64_t count, int64_t *start,
                         int64_t *row, double *value)
{
    for (int64_t j = 0; j < n; j++) {
        for (int64_t i = 0; i < n; i++) {
            row[count] = first + i;
            value[count++] = mass[i * n + j];
        }
        start[first + j + 1] = count;
    }
    return count;
}


static void fill_masses(const rico_hidden_motions *m, const int64_t *of_clique, const int64_t *of_rest,
                        int64_t *start, int64_t *row, double *value)
{
    int64_t count = 0;
    for (int64_t b = 0; b < m->cover.cliques; b++)
        count =
            fill_mass(m->rank[b], &m->mass[RICO_HIDDEN_SQUARE * b], of_clique[b], count, start, row, value);
    for (int64_t g = 0; g < m->s->groups; g++)
        count = fill_mass(m->rest_rank[g], &m->rest_mass[RICO_HIDDEN_SQUARE * g], of_rest[g], count, start,
                          row, value);
}


static rico_status write_problem(const rico_hidden_motions *m, rico_problem **out)
{
    enum { PIECES = 3 };
    rico_context *ctx = m->ctx;
    const rico_problem *p = m->s->p;
    int64_t groups = m->s->groups, most = p->rows * PIECES * RICO_TWIST;
    int64_t *of_clique = rico_alloc(ctx, m->cover.cliques + 1, sizeof *of_clique);
    int64_t *of_rest = rico_alloc(ctx, groups, sizeof *of_rest);
    int64_t *start = rico_alloc(ctx, p->rows + 1, sizeof *start), *row = rico_alloc(ctx, most, sizeof *row);
    double *value = rico_alloc(ctx, most, sizeof *value), *zero = NULL, *mass = NULL;
    int64_t *mass_start = NULL, *mass_row = NULL, dofs = 0;
    if (of_clique && of_rest && start && row && value) {
        dofs = number_velocities(m, of_clique, of_rest);
        fill_columns(m, of_clique, of_rest, start, row, value);
        zero = rico_alloc(ctx, dofs, sizeof *zero);
        mass = rico_alloc(ctx, RICO_TWIST * dofs, sizeof *mass);
        mass_row = rico_alloc(ctx, RICO_TWIST * dofs, sizeof *mass_row);
        mass_start = rico_alloc(ctx, dofs + 1, sizeof *mass_start);
    }
    rico_status status = RICO_NO_MEMORY;
    if (zero && mass && mass_row && mass_start) {
        fill_masses(m, of_clique, of_rest, mass_start, mass_row, mass);
        rico_sparse_view M = {dofs, dofs, mass_start, mass_row, mass}, H = {dofs, p->rows, start, row, value};
        status = rico_problem_create_global(ctx, p->block_count, p->block, &M, &H, zero, p->q, out);
    }
    void *const owned[] = {of_clique, of_rest, start, row, value, zero, mass, mass_row, mass_start};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++) rico_free(ctx, owned[i]);
    return status;
}


// Contacts alone, in groups that see no more than a twist.
static bool is_of_contacts(const rico_compressed *s)
{
    for (int64_t a = 0; a < s->p->block_count; a++)
        if (rico_problem_is_joint(s->p, a)) return false;
    for (int64_t g = 0; g < s->groups; g++)
        if (s->Wc.offset[g + 1] - s->Wc.offset[g] > RICO_TWIST) return false;
    return true;
}


rico_status rico_hidden_bodies_create(const rico_compressed *system, rico_problem **out)
{
    rico_hidden_motions m = {.ctx = system->ctx, .s = system};
    bool found = false;
    *out = NULL;
    if (!is_of_contacts(system)) return RICO_OK;
    rico_status status = rico_hidden_motions_find(&m, &found);
    if (found) status = write_problem(&m, out);
    rico_hidden_motions_destroy(&m);
    return status;
}
