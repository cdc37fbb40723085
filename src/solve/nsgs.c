// Nonsmooth Gauss-Seidel: block after block, each solved exactly while the others stand still.
//
// Acary et al. 2018, Algorithm 7 with omega = 1 (NSGS-EXACT); Jourdan, Alart, Jean 1998. On the reduced form a
// block reads its row of W. On the global form with a mass matrix that falls apart into small blocks (rigid
// bodies) it keeps v = M^-1 (H r + f) up to date instead: u_a = H_a' v + w_a, v += M^-1 H_a dr_a, and W is never
// formed; any other M is condensed into W first.

#include "base/random.h"
#include "la/dense.h"
#include "problem/mass.h"
#include "solve/local.h"
#include "solve/method.h"

#include <math.h>
#include <string.h>

typedef enum nsgs_option { OPTION_ORDER, OPTION_SEED, OPTION_CHECK } nsgs_option;
typedef enum nsgs_order { ORDER_GIVEN, ORDER_SHUFFLED_ONCE, ORDER_SHUFFLED } nsgs_order;

enum { REFRESH = 16 }; // sweeps between two recomputations of v from r, which bound the drift by round-off

static const char *const orders[] = {"given", "shuffled-once", "shuffled", NULL};

static const rico_option_info options[] = {
    [OPTION_ORDER] = {"order", "order of the blocks in a sweep", RICO_CHOICE, 0, 0, ORDER_GIVEN, orders},
    [OPTION_SEED] = {"seed", "seed of the shuffles", RICO_INTEGER, 0, 1e15, 1, NULL},
    [OPTION_CHECK] = {"check-every", "sweeps between two checks of the residual, at most", RICO_INTEGER, 1,
                      1e9, 50, NULL},
};

// The global form by contact: H_a and M^-1 H_a as dense strips over the dofs that the block touches.
typedef struct strips {
    int64_t *start; // block_count + 1: first dof of each strip
    int64_t *value; // block_count + 1: where its values begin
    int64_t *dof;
    double *H, *B;  // dof-major: `size` values for each dof; B = M^-1 H_a
    double *v;      // velocities
    double *v_free; // M^-1 f
} strips;

typedef struct nsgs {
    rico_local *local;
    int64_t *order;
    strips *global; // NULL when the sweeps run on W
} nsgs;


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


// M^-1 f, whenever f is new.
static rico_status update(rico_solver *solver)
{
    const nsgs *work = solver->work;
    rico_problem *p = solver->problem;
    if (!work->global) return RICO_OK;
    rico_status status = rico_problem_factor_mass(p);
    return status ? status : rico_factor_solve(p->mass_factor, 1, p->f, work->global->v_free);
}


static rico_status setup_global(rico_solver *solver, const rico_mass_blocks *bodies)
{
    rico_context *ctx = solver->ctx;
    nsgs *work = solver->work;
    rico_problem *p = solver->problem;
    strips *g = work->global = rico_alloc(ctx, 1, sizeof *g);
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
    if (!status) status = update(solver);
    if (status) return status;
    return rico_local_create(p, diagonal_of_strip, &(strip_diagonal){p, g}, &work->local);
}


static rico_status setup(rico_solver *solver)
{
    rico_context *ctx = solver->ctx;
    rico_problem *p = solver->problem;
    nsgs *work = solver->work = rico_alloc(ctx, 1, sizeof *work);
    if (!work) return RICO_NO_MEMORY;
    work->order = rico_alloc(ctx, p->block_count, sizeof *work->order);
    if (!work->order) return RICO_NO_MEMORY;

    rico_mass_blocks *bodies = NULL;
    rico_status status =
        p->global && !p->reduced ? rico_mass_blocks_create(&p->M, &bodies) : RICO_UNSUPPORTED;
    if (status == RICO_OK) {
        status = setup_global(solver, bodies);
        rico_mass_blocks_destroy(bodies);
        return status;
    }
    if (status != RICO_UNSUPPORTED) return status;

    if (p->global && !p->reduced) rico_log(ctx, RICO_LOG_INFO, "nsgs: M is not block-diagonal, forming W");
    status = rico_problem_reduce(p);
    return status ? status : rico_local_create(p, diagonal_of_delassus, &p->W, &work->local);
}


static void cleanup(rico_solver *solver)
{
    nsgs *work = solver->work;
    rico_local_destroy(work->local);
    free_strips(solver->ctx, work->global);
    rico_free(solver->ctx, work->order);
    rico_free(solver->ctx, work);
}


// One sweep over the reduced form; returns the squared change of r.
static double sweep_reduced(const rico_problem *p, nsgs *work, double *r)
{
    double change = 0.0, *u = work->local->velocity;
    for (int64_t s = 0; s < p->block_count; s++) {
        int64_t a = work->order[s], first = p->offset[a];
        rico_block_row_times(&p->W, a, r, &p->q[first], u);
        change += rico_local_solve(work->local, a, u, &r[first], work->local->step);
    }
    return change;
}


// One sweep over the global form: v follows r.
static double sweep_global(const rico_problem *p, nsgs *work, double *r)
{
    strips *g = work->global;
    double change = 0.0;
    for (int64_t s = 0; s < p->block_count; s++) {
        int64_t a = work->order[s], first = p->offset[a], size = p->offset[a + 1] - first;
        int64_t dofs = g->start[a + 1] - g->start[a];
        const int64_t *dof = &g->dof[g->start[a]];
        const double *H = &g->H[g->value[a]], *B = &g->B[g->value[a]];
        double *u = work->local->velocity, *step = work->local->step;

        for (int64_t i = 0; i < size; i++) u[i] = p->w[first + i];
        for (int64_t d = 0; d < dofs; d++)
            for (int64_t i = 0; i < size; i++) u[i] += H[d * size + i] * g->v[dof[d]];
        double moved = rico_local_solve(work->local, a, u, &r[first], step);
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


// Checks are dear (a product with W costs as much as a sweep), so they come when the change of r says that it is
// worth it (eq. 132), and otherwise at growing distances.
static rico_status solve(rico_solver *solver, rico_run *run)
{
    rico_problem *p = solver->problem;
    nsgs *work = solver->work;
    nsgs_order order = (nsgs_order)rico_option(solver, OPTION_ORDER);
    int64_t spacing = (int64_t)rico_option(solver, OPTION_CHECK), next_check = 1;
    rico_random random;
    rico_random_seed(&random, (uint64_t)rico_option(solver, OPTION_SEED));
    for (int64_t a = 0; a < p->block_count; a++) work->order[a] = a;
    if (order == ORDER_SHUFFLED_ONCE) rico_random_shuffle(&random, work->order, p->block_count);

    double trigger = run->tol; // change of r, relative, at which a check is tried
    for (int64_t sweep = 1;; sweep++) {
        if (order == ORDER_SHUFFLED) rico_random_shuffle(&random, work->order, p->block_count);
        double change;
        if (work->global) {
            if (sweep % REFRESH == 1) refresh_velocity(p, work->global, run->r);
            change = sweep_global(p, work, run->r);
        } else {
            change = sweep_reduced(p, work, run->r);
        }

        bool small = sqrt(change) <= trigger * rico_norm(p->rows, run->r);
        if (small || sweep >= next_check || sweep == run->max_iterations) {
            if (rico_run_check(run, sweep)) return RICO_OK;
            if (change == 0.0) {
                rico_run_stop(run, RICO_STALLED, "a sweep changed nothing, at a residual of %.3g",
                              run->residual.relative);
                return RICO_OK;
            }
            if (small) trigger *= 0.25; // the change of r was an optimist
            int64_t wait = 1 + sweep / 4;
            next_check = sweep + (wait < spacing ? wait : spacing);
        } else if (rico_run_limits(run, sweep)) {
            rico_run_check(run, sweep);
            return RICO_OK;
        }
    }
}


const rico_method rico_method_nsgs = {
    .info = {.name = "nsgs",
             .family = "splitting",
             .summary = "projected Gauss-Seidel, one block at a time, each solved exactly",
             .reference = "Acary, Bremond, Huber 2018, Algorithm 7; Jourdan, Alart, Jean 1998",
             .takes = RICO_TAKES_REDUCED | RICO_TAKES_GLOBAL | RICO_TAKES_EQUALITY | RICO_TAKES_UNILATERAL |
                      RICO_TAKES_COULOMB_2D | RICO_TAKES_COULOMB_3D | RICO_TAKES_UNSYMMETRIC,
             .option_count = sizeof options / sizeof options[0],
             .options = options},
    .setup = setup,
    .update = update,
    .solve = solve,
    .cleanup = cleanup,
};
