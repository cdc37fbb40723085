// The loop that keeps several isolated processes busy.

#include "lab/pool.h"

typedef struct slots {
    rico_cell *cell;
    rico_cell **cells; // of them, for waiting
    bool *taken;
} slots;


// Fills the free slots; *running says how many are taken afterwards.
static rico_status fill(const rico_pool *pool, slots *all, int *running)
{
    *running = 0;
    bool dry = false;
    for (int i = 0; i < pool->jobs; i++) {
        if (!all->taken[i] && !dry) {
            void *task = NULL;
            size_t size = 0;
            bool any = false;
            rico_status status = pool->next(pool->user, i, &task, &size, &any);
            dry = !any;
            if (status == RICO_OK && any)
                status = rico_cell_start(pool->ctx, &pool->limits, pool->work, task, size, &all->cell[i]);
            if (status != RICO_OK) return status;
            all->taken[i] = any;
            if (any) pool->begun(pool->user, i, &all->cell[i]);
        }
        *running += all->taken[i];
    }
    return RICO_OK;
}


static rico_status collect(const rico_pool *pool, slots *all)
{
    rico_status status = rico_cell_wait(pool->ctx, all->cells, pool->jobs, 1.0);
    for (int i = 0; status == RICO_OK && i < pool->jobs; i++) {
        if (!all->taken[i] || all->cell[i].end == RICO_CELL_RUNNING) continue;
        all->taken[i] = false;
        status = pool->ended(pool->user, i, &all->cell[i]);
        rico_cell_release(pool->ctx, &all->cell[i]);
    }
    return status;
}


rico_status rico_pool_run(const rico_pool *pool)
{
    rico_context *ctx = pool->ctx;
    slots all = {rico_alloc(ctx, pool->jobs, sizeof *all.cell),
                 rico_alloc(ctx, pool->jobs, sizeof(rico_cell *)),
                 rico_alloc(ctx, pool->jobs, sizeof *all.taken)};
    rico_status status = all.cell && all.cells && all.taken ? RICO_OK : RICO_NO_MEMORY;
    for (int i = 0; status == RICO_OK && i < pool->jobs; i++) all.cells[i] = &all.cell[i];
    while (status == RICO_OK && !rico_context_interrupted(ctx) && !pool->stop(pool->user)) {
        int running;
        status = fill(pool, &all, &running);
        if (status != RICO_OK || running == 0) break;
        status = collect(pool, &all);
    }
    for (int i = 0; all.cell && i < pool->jobs; i++) rico_cell_release(ctx, &all.cell[i]);
    rico_free(ctx, all.cell);
    rico_free(ctx, all.cells);
    rico_free(ctx, all.taken);
    return status;
}
