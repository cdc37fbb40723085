// Gauss-Seidel sweeps over the blocks of a problem, on whichever form it has.
//
// Reduced form: a block reads its row of W. Global form with a mass matrix that falls apart into small blocks (rigid
// bodies): v = M^-1 (H r + f) is kept up to date instead, u_a = H_a' v + w_a, v += M^-1 H_a dr_a, and W is never
// formed. Any other M is condensed into W first.

#include "solve/sweep.h"

#include "problem/mass.h"
#include "solve/local.h"

#include <string.h>

enum { REFRESH = 16 }; // sweeps between two recomputations of v from r, which bound the drift by round-off

// Problems of so many blocks do not fit into a cache: colours go to units of successive blocks there.
enum { MANY_BLOCKS = 6000, LARGE_UNIT = 1024 };

// The global form by contact: H_a and M^-1 H_a as dense strips over the dofs that the block touches.
typedef struct strips {
    int64_t *start; // block_count + 1: first dof of each strip
    int64_t *value; // block_count + 1: where its values begin
    int64_t *dof;
    double *H, *B;  // dof-major: `size` values for each dof; B = M^-1 H_a
    double *v;      // velocities
    double *v_free; // M^-1 f
} strips;

struct rico_sweeper {
    rico_context *ctx;
    rico_problem *problem;
    rico_local *local;
    strips *global; // NULL when the sweeps run on W
    int64_t sweeps; // since v was last recomputed

    // for sweeps by colour: work space of every block, so that threads need none of their own
    rico_colouring *colouring;
    double *velocity, *step; // m entries each
    double *moved;           // squared change of each block
};


static void diagonal_of_delassus(void *user, int64_t a, double *block)
{
    const rico_block_matrix *W = user;
    int64_t k = W->diagonal[a];
    memcpy(block, &W->value[W->place[k]], (size_t)(W->place[k + 1] - W->place[k]) * sizeof *block);
}


typedef struct strip_diagonal {
    const rico_problem *problem;
    const strips *global;
} strip_diagonal;


// W_aa = H_a' B_a
static void diagonal_of_strip(void *user, int64_t a, double *block)
{
    const strip_diagonal *from = user;
    const strips *g = from->global;
    int64_t size = from->problem->offset[a + 1] - from->problem->offset[a];
    int64_t dofs = g->start[a + 1] - g->start[a];
    const double *H = &g->H[g->value[a]], *B = &g->B[g->value[a]];
    memset(block, 0, (size_t)(size * size) * sizeof *block);
    for (int64_t d = 0; d < dofs; d++)
        for (int64_t i = 0; i < size; i++)
            for (int64_t j = 0; j < size; j++) block[i * size + j] += H[d * size + i] * B[d * size + j];
}


static void free_strips(rico_context *ctx, strips *g)
{
    if (!g) return;
    rico_free(ctx, g->start);
    rico_free(ctx, g->value);
    rico_free(ctx, g->dof);
    rico_free(ctx, g->H);
    rico_free(ctx, g->B);
    rico_free(ctx, g->v);
    rico_free(ctx, g->v_free);
    rico_free(ctx, g);
}


// Sizes of the strips: block a touches every dof of every body that one of its columns touches.
static rico_status measure_strips(const rico_problem *p, const rico_mass_blocks *bodies, strips *g)
{
    int64_t *seen = rico_alloc(p->ctx, bodies->count, sizeof *seen);
    if (!seen) return RICO_NO_MEMORY;
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t dofs = 0;
        for (int64_t k = p->H.start[p->offset[a]]; k < p->H.start[p->offset[a + 1]]; k++) {
            int64_t body = bodies->of_dof[p->H.row[k]];
            if (seen[body] == a + 1) continue;
            seen[body] = a + 1;
            dofs += bodies->start[body + 1] - bodies->start[body];
        }
        g->start[a + 1] = g->start[a] + dofs;
        g->value[a + 1] = g->value[a] + dofs * (p->offset[a + 1] - p->offset[a]);
    }
    rico_free(p->ctx, seen);
    return RICO_OK;
}


static rico_status fill_strips(const rico_problem *p, const rico_mass_blocks *bodies, strips *g)
{
    int64_t *at = rico_alloc(p->ctx, bodies->count, sizeof *at); // where a body begins in the present strip
    int64_t *seen = rico_alloc(p->ctx, bodies->count, sizeof *seen); // block that last touched it, plus 1
    int64_t largest = 0;
    for (int64_t b = 0; b < bodies->count; b++)
        if (bodies->start[b + 1] - bodies->start[b] > largest)
            largest = bodies->start[b + 1] - bodies->start[b];
    double *column = rico_alloc(p->ctx, largest, sizeof *column);
    rico_status status = at && seen && column ? RICO_OK : RICO_NO_MEMORY;

    for (int64_t a = 0; !status && a < p->block_count; a++) {
        int64_t size = p->offset[a + 1] - p->offset[a], next = g->start[a];
        double *H = &g->H[g->value[a]], *B = &g->B[g->value[a]];
        for (int64_t j = 0; j < size; j++) {
            int64_t row = p->offset[a] + j;
            for (int64_t k = p->H.start[row]; k < p->H.start[row + 1]; k++) {
                int64_t body = bodies->of_dof[p->H.row[k]], first = bodies->start[body];
                if (seen[body] != a + 1) {
                    seen[body] = a + 1;
                    at[body] = next;
                    for (int64_t i = first; i < bodies->start[body + 1]; i++) g->dof[next++] = bodies->dof[i];
                }
                H[(at[body] - g->start[a] + bodies->place[p->H.row[k]] - first) * size + j] = p->H.value[k];
            }
        }
        for (int64_t d = g->start[a]; d < g->start[a + 1];) {
            int64_t body = bodies->of_dof[g->dof[d]], count = bodies->start[body + 1] - bodies->start[body];
            int64_t from = (d - g->start[a]) * size;
            for (int64_t j = 0; j < size; j++) {
                for (int64_t i = 0; i < count; i++) column[i] = H[from + i * size + j];
                rico_mass_blocks_solve(bodies, body, column);
                for (int64_t i = 0; i < count; i++) B[from + i * size + j] = column[i];
            }
            d += count;
        }
    }
    rico_free(p->ctx, at);
    rico_free(p->ctx, seen);
    rico_free(p->ctx, column);
    return status;
}


rico_status rico_sweeper_update(rico_sweeper *sweeper, bool matrix)
{
    rico_problem *p = sweeper->problem;
    sweeper->sweeps = 0;
    if (!sweeper->global)
        return matrix ? rico_local_prepare(sweeper->local, diagonal_of_delassus, &p->W) : RICO_OK;
    rico_status status = rico_problem_factor_mass(p);
    if (p->dofs > 0) memcpy(sweeper->global->v_free, p->f, (size_t)p->dofs * sizeof *p->f);
    return status ? status : rico_problem_solve_mass(p, 1, sweeper->global->v_free);
}


// Strips, local solvers, and the vectors of an acceleration over five sweeps, which mostly comes with them.
static rico_status foresee_sweeps(const rico_problem *p, const strips *g)
{
    enum { WINDOW = 5, BESIDE = 5 };
    double places = (double)g->start[p->block_count], values = (double)g->value[p->block_count];
    double vectors = (2.0 * WINDOW + BESIDE) * (double)p->rows + (WINDOW + 1.0) * (double)p->dofs;
    double blocks = (double)p->block_count * (sizeof(rico_one_contact) + 4 * sizeof(double));
    return rico_foresee(p->ctx, sizeof(double) * (places + 2.0 * values + vectors) + blocks,
                        "Gauss-Seidel sweeps");
}


static rico_status prepare_global(rico_sweeper *sweeper, const rico_mass_blocks *bodies)
{
    rico_context *ctx = sweeper->ctx;
    rico_problem *p = sweeper->problem;
    strips *g = sweeper->global = rico_alloc(ctx, 1, sizeof *g);
    if (!g) return RICO_NO_MEMORY;
    g->start = rico_alloc(ctx, p->block_count + 1, sizeof *g->start);
    g->value = rico_alloc(ctx, p->block_count + 1, sizeof *g->value);
    g->v = rico_alloc(ctx, p->dofs, sizeof *g->v);
    g->v_free = rico_alloc(ctx, p->dofs, sizeof *g->v_free);
    if (!g->start || !g->value || !g->v || !g->v_free) return RICO_NO_MEMORY;

    rico_status status = measure_strips(p, bodies, g);
    if (status) return status;
    status = foresee_sweeps(p, g);
    if (status) return status;
    g->dof = rico_alloc(ctx, g->start[p->block_count], sizeof *g->dof);
    g->H = rico_alloc(ctx, g->value[p->block_count], sizeof *g->H);
    g->B = rico_alloc(ctx, g->value[p->block_count], sizeof *g->B);
    if (!g->dof || !g->H || !g->B) return RICO_NO_MEMORY;
    status = fill_strips(p, bodies, g);
    if (!status) status = rico_sweeper_update(sweeper, false);
    if (status) return status;
    return rico_local_create(p, diagonal_of_strip, &(strip_diagonal){p, g}, &sweeper->local);
}


static rico_status prepare(rico_sweeper *sweeper)
{
    rico_problem *p = sweeper->problem;
    if (p->global && !p->reduced) {
        rico_status status = rico_problem_factor_mass(p);
        if (status) return status;
        if (p->bodies) return prepare_global(sweeper, p->bodies);
        rico_log(p->ctx, RICO_LOG_INFO, "M is not block-diagonal: the sweeps run on W");
    }
    rico_status status = rico_problem_reduce(p);
    return status ? status : rico_local_create(p, diagonal_of_delassus, &p->W, &sweeper->local);
}


rico_status rico_sweeper_create(rico_problem *problem, rico_sweeper **out)
{
    rico_sweeper *sweeper = rico_alloc(problem->ctx, 1, sizeof *sweeper);
    if (!sweeper) return RICO_NO_MEMORY;
    sweeper->ctx = problem->ctx;
    sweeper->problem = problem;
    rico_status status = prepare(sweeper);
    if (status) {
        rico_sweeper_destroy(sweeper);
        return status;
    }
    *out = sweeper;
    return RICO_OK;
}


void rico_sweeper_destroy(rico_sweeper *sweeper)
{
    if (!sweeper) return;
    rico_local_destroy(sweeper->local);
    rico_colouring_destroy(sweeper->colouring);
    rico_free(sweeper->ctx, sweeper->velocity);
    rico_free(sweeper->ctx, sweeper->step);
    rico_free(sweeper->ctx, sweeper->moved);
    free_strips(sweeper->ctx, sweeper->global);
    rico_free(sweeper->ctx, sweeper);
}


void rico_sweeper_configure(rico_sweeper *sweeper, const rico_local_settings *settings)
{
    rico_local_configure(sweeper->local, settings);
}


void rico_sweeper_set_local_tolerance(rico_sweeper *sweeper, double tol)
{
    sweeper->local->settings.limits.tol = tol;
}


// Two blocks that share a body share its dofs in the strips; they are also those with W_ab /= 0.
rico_status rico_sweeper_colour(rico_sweeper *sweeper)
{
    const rico_problem *p = sweeper->problem;
    const strips *g = sweeper->global;
    if (sweeper->colouring) return RICO_OK;
    if (!sweeper->velocity) sweeper->velocity = rico_alloc(p->ctx, p->rows, sizeof *sweeper->velocity);
    if (!sweeper->step) sweeper->step = rico_alloc(p->ctx, p->rows, sizeof *sweeper->step);
    if (!sweeper->moved) sweeper->moved = rico_alloc(p->ctx, p->block_count, sizeof *sweeper->moved);
    if (!sweeper->velocity || !sweeper->step || !sweeper->moved) return RICO_NO_MEMORY;
    int64_t chunk = p->block_count < MANY_BLOCKS ? 1 : LARGE_UNIT;
    if (g)
        return rico_colour_incidence(p->ctx, p->block_count, chunk, g->start, g->dof, p->dofs,
                                     &sweeper->colouring);
    return rico_colour_matrix(&p->W, chunk, &sweeper->colouring);
}


const rico_colouring *rico_sweeper_colouring(const rico_sweeper *sweeper)
{
    return sweeper->colouring;
}


double *rico_sweeper_velocities(const rico_sweeper *sweeper, int64_t *count)
{
    if (count) *count = sweeper->global ? sweeper->problem->dofs : 0;
    return sweeper->global ? sweeper->global->v : NULL;
}


// Block a on the reduced form; u and step are work space of its size. Returns the squared change of r_a.
static double relax_reduced(const rico_sweeper *sweeper, int64_t a, double *r, double *u, double *step)
{
    const rico_problem *p = sweeper->problem;
    int64_t first = p->offset[a];
    rico_block_row_times(&p->W, a, r, &p->q[first], u);
    return rico_local_solve(sweeper->local, a, u, &r[first], step);
}


// u = H_a' v + w_a and v += B_a step for a block of `size` rows: a constant at the call that matters, for the compiler
// to unroll by.
static inline void read_strip(int64_t size, int64_t dofs, const int64_t *dof, const double *H,
                              const double *v, const double *w, double *u)
{
    for (int64_t i = 0; i < size; i++) u[i] = w[i];
    for (int64_t d = 0; d < dofs; d++)
        for (int64_t i = 0; i < size; i++) u[i] += H[d * size + i] * v[dof[d]];
}


static inline void write_strip(int64_t size, int64_t dofs, const int64_t *dof, const double *B,
                               const double *step, double *v)
{
    for (int64_t d = 0; d < dofs; d++) {
        double sum = 0.0;
        for (int64_t i = 0; i < size; i++) sum += B[d * size + i] * step[i];
        v[dof[d]] += sum;
    }
}


// The same on the global form: v follows r.
static double relax_global(const rico_sweeper *sweeper, int64_t a, double *r, double *u, double *step)
{
    const rico_problem *p = sweeper->problem;
    const strips *g = sweeper->global;
    int64_t first = p->offset[a], size = p->offset[a + 1] - first, dofs = g->start[a + 1] - g->start[a];
    const int64_t *dof = &g->dof[g->start[a]];
    const double *H = &g->H[g->value[a]], *B = &g->B[g->value[a]];

    if (size == 3)
        read_strip(3, dofs, dof, H, g->v, &p->w[first], u);
    else
        read_strip(size, dofs, dof, H, g->v, &p->w[first], u);
    double moved = rico_local_solve(sweeper->local, a, u, &r[first], step);
    if (moved == 0.0) return 0.0;
    if (size == 3)
        write_strip(3, dofs, dof, B, step, g->v);
    else
        write_strip(size, dofs, dof, B, step, g->v);
    return moved;
}


// v = M^-1 f + sum B_a r_a, afresh.
static void refresh_velocity(const rico_problem *p, strips *g, const double *r)
{
    memcpy(g->v, g->v_free, (size_t)p->dofs * sizeof *g->v);
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t first = p->offset[a], size = p->offset[a + 1] - first, dofs = g->start[a + 1] - g->start[a];
        const double *B = &g->B[g->value[a]];
        for (int64_t d = 0; d < dofs; d++)
            for (int64_t i = 0; i < size; i++)
                g->v[g->dof[g->start[a] + d]] += B[d * size + i] * r[first + i];
    }
}


// What precedes every sweep: velocities made anew when they are due.
static void begin_sweep(rico_sweeper *sweeper, const double *r)
{
    if (sweeper->global && sweeper->sweeps++ % REFRESH == 0)
        refresh_velocity(sweeper->problem, sweeper->global, r);
}


double rico_sweep(rico_sweeper *sweeper, const int64_t *order, double *r)
{
    begin_sweep(sweeper, r);
    int64_t count = sweeper->problem->block_count;
    double change = 0.0, *u = sweeper->local->velocity, *step = sweeper->local->step;
    if (sweeper->global)
        for (int64_t s = 0; s < count; s++) change += relax_global(sweeper, order ? order[s] : s, r, u, step);
    else
        for (int64_t s = 0; s < count; s++)
            change += relax_reduced(sweeper, order ? order[s] : s, r, u, step);
    return change;
}


// The s-th unit of the colouring, each block in the work space of its own rows.
static void relax_unit(const rico_sweeper *sweeper, int64_t s, double *r)
{
    int64_t first, last;
    double own_u[3] = {0.0}, own_step[3] = {0.0};
    rico_colouring_unit(sweeper->colouring, sweeper->colouring->order[s], &first, &last);
    for (int64_t a = first; a < last; a++) {
        // work space of contacts is on the stack; joints may be larger and have their own rows
        int64_t row = sweeper->problem->offset[a];
        bool large = sweeper->problem->offset[a + 1] - row > 3;
        double *u = large ? &sweeper->velocity[row] : own_u, *step = large ? &sweeper->step[row] : own_step;
        sweeper->moved[a] =
            sweeper->global ? relax_global(sweeper, a, r, u, step) : relax_reduced(sweeper, a, r, u, step);
    }
}


// Within a colour no unit reads what another writes, so who does which unit, and when, changes nothing; the changes
// are summed afterwards, in order, because sums do notice.
double rico_sweep_by_colour(rico_sweeper *sweeper, int threads, double *r)
{
    begin_sweep(sweeper, r);
    const rico_colouring *c = sweeper->colouring;
#ifdef _OPENMP
#pragma omp parallel num_threads(threads) if (threads > 1)
#else
    (void)threads;
#endif
    for (int k = 0; k < c->colours; k++) {
#ifdef _OPENMP
#pragma omp for schedule(static)
#endif
        for (int64_t s = c->start[k]; s < c->start[k + 1]; s++) relax_unit(sweeper, s, r);
    }
    for (int64_t s = c->start[c->colours]; s < c->count; s++) relax_unit(sweeper, s, r);

    double change = 0.0;
    for (int64_t s = 0; s < c->count; s++) {
        int64_t first, last;
        rico_colouring_unit(c, c->order[s], &first, &last);
        for (int64_t a = first; a < last; a++) change += sweeper->moved[a];
    }
    return change;
}


double rico_sweeper_seconds(const rico_sweeper *sweeper)
{
    // measured on a 2.8 GHz core: a contact with its strips, or with its row of W by the block
    double blocks = (double)sweeper->problem->block_count;
    if (sweeper->global) return 1.2e-7 * blocks;
    return 1.0e-7 * blocks + 4e-9 * (double)rico_block_count(&sweeper->problem->W);
}


void rico_sweeper_restart(rico_sweeper *sweeper)
{
    sweeper->sweeps = 0;
}
