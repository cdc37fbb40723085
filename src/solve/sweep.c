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
    free_strips(sweeper->ctx, sweeper->global);
    rico_free(sweeper->ctx, sweeper);
}


// One sweep over the reduced form; returns the squared change of r.
static double sweep_reduced(const rico_problem *p, rico_sweeper *sweeper, const int64_t *order, double *r)
{
    double change = 0.0, *u = sweeper->local->velocity;
    for (int64_t s = 0; s < p->block_count; s++) {
        int64_t a = order ? order[s] : s, first = p->offset[a];
        rico_block_row_times(&p->W, a, r, &p->q[first], u);
        change += rico_local_solve(sweeper->local, a, u, &r[first], sweeper->local->step);
    }
    return change;
}


// One sweep over the global form: v follows r.
static double sweep_global(const rico_problem *p, rico_sweeper *sweeper, const int64_t *order, double *r)
{
    strips *g = sweeper->global;
    double change = 0.0;
    for (int64_t s = 0; s < p->block_count; s++) {
        int64_t a = order ? order[s] : s, first = p->offset[a], size = p->offset[a + 1] - first;
        int64_t dofs = g->start[a + 1] - g->start[a];
        const int64_t *dof = &g->dof[g->start[a]];
        const double *H = &g->H[g->value[a]], *B = &g->B[g->value[a]];
        double *u = sweeper->local->velocity, *step = sweeper->local->step;

        for (int64_t i = 0; i < size; i++) u[i] = p->w[first + i];
        for (int64_t d = 0; d < dofs; d++)
            for (int64_t i = 0; i < size; i++) u[i] += H[d * size + i] * g->v[dof[d]];
        double moved = rico_local_solve(sweeper->local, a, u, &r[first], step);
        if (moved == 0.0) continue;
        change += moved;
        for (int64_t d = 0; d < dofs; d++)
            for (int64_t i = 0; i < size; i++) g->v[dof[d]] += B[d * size + i] * step[i];
    }
    return change;
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


double rico_sweep(rico_sweeper *sweeper, const int64_t *order, double *r)
{
    if (!sweeper->global) return sweep_reduced(sweeper->problem, sweeper, order, r);
    if (sweeper->sweeps++ % REFRESH == 0) refresh_velocity(sweeper->problem, sweeper->global, r);
    return sweep_global(sweeper->problem, sweeper, order, r);
}


void rico_sweeper_restart(rico_sweeper *sweeper)
{
    sweeper->sweeps = 0;
}
