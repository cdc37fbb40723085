// Work in isolated processes, several at a time, until there is none left.

#ifndef RICO_LAB_POOL_H
#define RICO_LAB_POOL_H

#include "lab/cell.h"

typedef struct rico_pool {
    rico_context *ctx;
    int jobs; // slots, numbered from 0
    rico_cell_limits limits;
    rico_cell_work work;
    void *user; // of the functions below

    // Asks for the next piece of work. *task goes to the work, *size is that of its answer. *any stays false when
    // nothing is left.
    rico_status (*next)(void *user, int slot, void **task, size_t *size, bool *any);
    // The work has begun, and has ended one way or another; the cell is released afterwards.
    void (*begun)(void *user, int slot, const rico_cell *cell);
    rico_status (*ended)(void *user, int slot, const rico_cell *cell);
    // Asked between all of these; true ends everything.
    bool (*stop)(void *user);
} rico_pool;

// Runs until there is no work left, an interrupt, `stop`, or a failure of the functions above. Processes that still
// run are killed then.
rico_status rico_pool_run(const rico_pool *pool);

#endif
