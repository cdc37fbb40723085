// Gauss-Seidel sweeps over the blocks of a problem, on whichever form it has.
//
// Reduced form: a block reads its row of W. Global form with a mass matrix that falls apart into small blocks (rigid
// bodies): v = M^-1 (H r + f) is kept up to date instead, u_a = H_a' v + w_a, v += M^-1 H_a dr_a, and W is never
// formed. Any other M is condensed into W first.

#include "solve/sweep.h"

#include "solve/local.h"
#include "solve/strips.h"

#include <string.h>

enum { REFRESH = 16 }; // sweeps between two recomputations of v from r, which bound the drift by round-off

// Problems of so many blocks do not fit into a cache: colours go to units of successive blocks there.
enum { MANY_BLOCKS = 6000, LARGE_UNIT = 1024 };

struct rico_sweeper {
    rico_context *ctx;
    rico_problem *problem;
    rico_local *local;
    rico_strips *global; // NULL when the sweeps run on W
    int64_t sweeps;      // since velocities were last made anew

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


static void diagonal_of_strip(void *user, int64_t a, double *block)
{
    const rico_sweeper *sweeper = user;
    rico_strips_diagonal(sweeper->problem, sweeper->global, a, block);
}


rico_status rico_sweeper_update(rico_sweeper *sweeper, bool matrix)
{
    rico_problem *p = sweeper->problem;
    sweeper->sweeps = 0;
    if (!sweeper->global)
        return matrix ? rico_local_prepare(sweeper->local, diagonal_of_delassus, &p->W) : RICO_OK;
    rico_status status = rico_problem_factor_mass(p);
    if (!status) rico_strips_update(p, sweeper->global);
    return status;
}


// Local solvers, and the vectors of an acceleration over five sweeps, which mostly comes with them; strips foresee themselves.
static rico_status foresee_sweeps(const rico_problem *p)
{
    enum { WINDOW = 5, BESIDE = 5 };
    double vectors = (2.0 * WINDOW + BESIDE) * (double)p->rows + (WINDOW + 1.0) * (double)p->dofs;
    double blocks = (double)p->block_count * (sizeof(rico_one_contact) + 4 * sizeof(double));
    return rico_foresee(p->ctx, sizeof(double) * vectors + blocks, "Gauss-Seidel sweeps");
}


static rico_status prepare_global(rico_sweeper *sweeper)
{
    rico_problem *p = sweeper->problem;
    rico_status status = rico_strips_create(p, &sweeper->global);
    if (!status) status = foresee_sweeps(p);
    return status ? status : rico_local_create(p, diagonal_of_strip, sweeper, &sweeper->local);
}


static rico_status prepare(rico_sweeper *sweeper)
{
    rico_problem *p = sweeper->problem;
    if (p->global && !p->reduced) {
        rico_status status = rico_problem_factor_mass(p);
        if (status) return status;
        if (p->bodies) return prepare_global(sweeper);
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
    rico_strips_destroy(sweeper->global);
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


// Two blocks that share a body share its places in the strips; they are also those with W_ab /= 0.
static rico_status colour_strips(rico_sweeper *sweeper, int64_t chunk)
{
    const rico_problem *p = sweeper->problem;
    const rico_strips *g = sweeper->global;
    rico_context *ctx = p->ctx;
    int64_t runs = g->start[p->block_count], count = 0;
    for (int64_t k = 0; k < runs; k++) count += g->run[k].count;
    int64_t *start = rico_alloc(ctx, p->block_count + 1, sizeof *start);
    int64_t *place = rico_alloc(ctx, count, sizeof *place);
    rico_status status = start && place ? RICO_OK : RICO_NO_MEMORY;
    count = 0;
    for (int64_t a = 0; !status && a < p->block_count; a++) {
        for (int64_t k = g->start[a]; k < g->start[a + 1]; k++)
            for (int32_t d = 0; d < g->run[k].count; d++) place[count++] = g->run[k].first + d;
        start[a + 1] = count;
    }
    if (!status)
        status =
            rico_colour_incidence(ctx, p->block_count, chunk, start, place, p->dofs, &sweeper->colouring);
    rico_free(ctx, start);
    rico_free(ctx, place);
    return status;
}


rico_status rico_sweeper_colour(rico_sweeper *sweeper)
{
    const rico_problem *p = sweeper->problem;
    if (sweeper->colouring) return RICO_OK;
    if (!sweeper->velocity) sweeper->velocity = rico_alloc(p->ctx, p->rows, sizeof *sweeper->velocity);
    if (!sweeper->step) sweeper->step = rico_alloc(p->ctx, p->rows, sizeof *sweeper->step);
    if (!sweeper->moved) sweeper->moved = rico_alloc(p->ctx, p->block_count, sizeof *sweeper->moved);
    if (!sweeper->velocity || !sweeper->step || !sweeper->moved) return RICO_NO_MEMORY;
    int64_t chunk = p->block_count < MANY_BLOCKS ? 1 : LARGE_UNIT;
    if (sweeper->global) return colour_strips(sweeper, chunk);
    return rico_colour_matrix(&p->W, chunk, &sweeper->colouring);
}


const rico_colouring *rico_sweeper_colouring(const rico_sweeper *sweeper)
{
    return sweeper->colouring;
}


double *rico_sweeper_velocities(const rico_sweeper *sweeper, int64_t *count)
{
    if (count) *count = sweeper->global ? sweeper->problem->dofs : 0;
    return sweeper->global ? sweeper->global->y : NULL;
}


// Block a on the reduced form; u and step are work space of its size. Returns the squared change of r_a.
static double relax_reduced(const rico_sweeper *sweeper, int64_t a, double *r, double *u, double *step)
{
    const rico_problem *p = sweeper->problem;
    int64_t first = p->offset[a];
    rico_block_row_times(&p->W, a, r, &p->q[first], u);
    return rico_local_solve(sweeper->local, a, u, &r[first], step);
}


// The same on the global form: y follows r.
static double relax_global(const rico_sweeper *sweeper, int64_t a, double *r, double *u, double *step)
{
    const rico_problem *p = sweeper->problem;
    int64_t first = p->offset[a], size = p->offset[a + 1] - first;
    rico_strip_read(sweeper->global, a, size, &p->w[first], u);
    double moved = rico_local_solve(sweeper->local, a, u, &r[first], step);
    if (moved != 0.0) rico_strip_write(sweeper->global, a, size, step);
    return moved;
}


// What precedes every sweep: velocities made anew when they are due.
static void begin_sweep(rico_sweeper *sweeper, const double *r)
{
    if (sweeper->global && sweeper->sweeps++ % REFRESH == 0)
        rico_strips_refresh(sweeper->problem, sweeper->global, r);
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
