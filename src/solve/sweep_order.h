// In which order sweeps take the blocks: what every method on sweeps offers as options, and the sweep itself.

#ifndef RICO_SOLVE_SWEEP_ORDER_H
#define RICO_SOLVE_SWEEP_ORDER_H

#include "base/random.h"
#include "ricochet/solver.h"
#include "solve/sweep.h"

typedef enum rico_sweep_order_kind {
    RICO_ORDER_GIVEN,
    RICO_ORDER_SHUFFLED_ONCE,
    RICO_ORDER_SHUFFLED, // anew before every sweep
    RICO_ORDER_COLOURED  // colour after colour, blocks of one colour at once
} rico_sweep_order_kind;

// The options order, seed and threads, for a method to put into its table.
extern const char *const rico_sweep_order_names[];
#define RICO_ORDER_OPTION                                                                                    \
    {                                                                                                        \
        "order", "order of the blocks in a sweep", RICO_CHOICE, 0, 0, RICO_ORDER_GIVEN,                      \
            rico_sweep_order_names                                                                           \
    }
#define RICO_SEED_OPTION                                                                                     \
    {                                                                                                        \
        "seed", "seed of the shuffles", RICO_INTEGER, 0, 1e15, 1, NULL                                       \
    }
#define RICO_THREADS_OPTION                                                                                  \
    {                                                                                                        \
        "threads", "threads of a coloured sweep, 0 for all; the result does not depend on it", RICO_INTEGER, \
            0, 1024, 1, NULL                                                                                 \
    }

typedef struct rico_sweep_order {
    rico_context *ctx;
    rico_sweeper *sweeper;
    int64_t count;
    int64_t *sequence;
    rico_sweep_order_kind kind;
    int threads;
    rico_random random;
} rico_sweep_order;

// The sweeper must outlive it.
rico_status rico_sweep_order_create(rico_sweeper *sweeper, rico_context *ctx, int64_t blocks,
                                    rico_sweep_order *out);
void rico_sweep_order_destroy(rico_sweep_order *order);

// Before the first sweep of a solve; r may come from anywhere. Allocates only the first time that colours are asked
// for.
rico_status rico_sweep_order_begin(rico_sweep_order *order, rico_sweep_order_kind kind, uint64_t seed,
                                   int threads);

// One sweep; returns the squared norm of the change.
double rico_sweep_order_next(rico_sweep_order *order, double *r);

#endif
