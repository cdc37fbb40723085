// The solver `dense`: a small problem as a dense W, its joints eliminated, its contacts by Gauss-Seidel (dense.h).
//
// Equality blocks may stand anywhere in a problem and come first here, so rows and blocks are reordered on the way in.
// Block elimination is that of the Schur complement; the sweeps are those of nsgs (Acary, Bremond, Huber 2018, Algorithm
// 7) on what it leaves.

#include "la/dense.h"
#include "solve/dense.h"
#include "solve/method.h"

#include <math.h>

enum { MOST_ROWS = 3000 }; // W and its copy take 144 MB then

typedef struct dense_work {
    rico_dense dense;
    rico_block *block;
    int64_t *offset, *place; // first row of each block here; row of the problem for each row here
    int64_t *from;           // first row here of each block of the problem
    double *c, *p;
} dense_work;


// Equality blocks first, then the others.
static void reorder(const rico_problem *p, dense_work *work)
{
    int64_t count = 0, row = 0;
    for (int contact = 0; contact < 2; contact++)
        for (int64_t a = 0; a < p->block_count; a++) {
            if ((p->kind[a] != RICO_EQUALITY) != contact) continue;
            work->block[count] = rico_problem_block(p, a);
            work->offset[count++] = work->from[a] = row;
            for (int64_t i = p->offset[a]; i < p->offset[a + 1]; i++) work->place[row++] = i;
        }
}


static void take_matrix(const rico_problem *p, dense_work *work)
{
    const rico_block_matrix *W = &p->W;
    double *to = work->dense.W;
    int64_t m = p->rows;
    for (int64_t k = 0; k < m * m; k++) to[k] = 0.0;
    for (int64_t a = 0; a < W->blocks; a++) {
        int64_t rows = W->offset[a + 1] - W->offset[a];
        for (int64_t k = W->start[a]; k < W->start[a + 1]; k++) {
            int64_t b = W->col[k], cols = W->offset[b + 1] - W->offset[b];
            const double *value = W->value + W->place[k];
            for (int64_t i = 0; i < rows; i++)
                for (int64_t j = 0; j < cols; j++)
                    to[(work->from[a] + i) * m + work->from[b] + j] = value[i * cols + j];
        }
    }
    rico_dense_prepare(&work->dense, p->block_count, work->block, work->offset, m);
}


static rico_status setup(rico_solver *solver)
{
    rico_context *ctx = solver->ctx;
    const rico_problem *p = solver->problem;
    if (p->rows > MOST_ROWS)
        return rico_fail(ctx, RICO_UNSUPPORTED, "the solver %s takes at most %d rows, got %lld",
                         solver->method->info.name, MOST_ROWS, (long long)p->rows);
    dense_work *work = solver->work = rico_alloc(ctx, 1, sizeof *work);
    if (!work) return RICO_NO_MEMORY;
    work->block = rico_alloc(ctx, p->block_count, sizeof *work->block);
    work->offset = rico_alloc(ctx, p->block_count, sizeof *work->offset);
    work->from = rico_alloc(ctx, p->block_count, sizeof *work->from);
    work->place = rico_alloc(ctx, p->rows, sizeof *work->place);
    work->c = rico_alloc(ctx, p->rows, sizeof *work->c);
    work->p = rico_alloc(ctx, p->rows, sizeof *work->p);
    if (!work->block || !work->offset || !work->from || !work->place || !work->c || !work->p)
        return RICO_NO_MEMORY;
    rico_status status = rico_dense_reserve(ctx, &work->dense, p->rows, p->block_count);
    if (status != RICO_OK) return status;
    reorder(p, work);
    take_matrix(p, work);
    return RICO_OK;
}


static rico_status update(rico_solver *solver, bool matrix)
{
    if (matrix) take_matrix(solver->problem, solver->work);
    return RICO_OK;
}


static void cleanup(rico_solver *solver)
{
    rico_context *ctx = solver->ctx;
    dense_work *work = solver->work;
    rico_dense_destroy(ctx, &work->dense);
    void *all[] = {work->block, work->offset, work->from, work->place, work->c, work->p, work};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(ctx, all[i]);
}


static rico_status solve(rico_solver *solver, rico_run *run)
{
    const rico_problem *problem = solver->problem;
    dense_work *work = solver->work;
    int64_t m = problem->rows;
    for (int64_t i = 0; i < m; i++) {
        work->c[i] = problem->q[work->place[i]];
        work->p[i] = run->r[work->place[i]];
    }
    double scale = rico_norm_inf(m, work->c);
    rico_dense_begin(&work->dense, work->c);
    for (int64_t sweep = 1;; sweep++) {
        double change = rico_dense_sweep(&work->dense, work->p);
        rico_dense_finish(&work->dense, work->p);
        for (int64_t i = 0; i < m; i++) run->r[work->place[i]] = work->p[i];
        if (rico_run_check(run, sweep)) return RICO_OK;
        if (!(change > 4e-16 * scale)) {
            rico_run_stop(run, RICO_STALLED, "a sweep changed nothing, at a residual of %.3g",
                          run->residual.relative);
            return RICO_OK;
        }
    }
}


const rico_method rico_dense_methods[] = {
    {.info = {.name = "dense",
              .family = "splitting",
              .summary = "small problems: joints eliminated exactly, then Gauss-Seidel on a dense W",
              .reference = "Acary, Bremond, Huber 2018, Algorithm 7; Jourdan, Alart, Jean 1998",
              .takes = RICO_TAKES_REDUCED | RICO_TAKES_ALL_BLOCKS | RICO_TAKES_UNSYMMETRIC},
     .setup = setup,
     .update = update,
     .solve = solve,
     .cleanup = cleanup},
};
const int rico_dense_count = sizeof rico_dense_methods / sizeof *rico_dense_methods;
