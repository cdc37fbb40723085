// The order of blocks in a sweep, from the options of a method.

#include "solve/sweep_order.h"

#ifdef _OPENMP
#include <omp.h>
#endif

const char *const rico_sweep_order_names[] = {"given", "shuffled-once", "shuffled", "coloured", NULL};


static int all_threads(void)
{
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}


rico_status rico_sweep_order_create(rico_sweeper *sweeper, rico_context *ctx, int64_t blocks,
                                    rico_sweep_order *out)
{
    int64_t *sequence = rico_alloc(ctx, blocks, sizeof *sequence);
    if (!sequence) return RICO_NO_MEMORY;
    *out = (rico_sweep_order){.ctx = ctx, .sweeper = sweeper, .count = blocks, .sequence = sequence};
    return RICO_OK;
}


void rico_sweep_order_destroy(rico_sweep_order *order)
{
    if (!order->ctx) return;
    rico_free(order->ctx, order->sequence);
    *order = (rico_sweep_order){0};
}


rico_status rico_sweep_order_begin(rico_sweep_order *order, rico_sweep_order_kind kind, uint64_t seed,
                                   int threads)
{
    order->kind = kind;
    order->threads = threads > 0 ? threads : all_threads();
    rico_random_seed(&order->random, seed);
    for (int64_t a = 0; a < order->count; a++) order->sequence[a] = a;
    if (kind == RICO_ORDER_SHUFFLED_ONCE) rico_random_shuffle(&order->random, order->sequence, order->count);
    rico_sweeper_restart(order->sweeper);
    return kind == RICO_ORDER_COLOURED ? rico_sweeper_colour(order->sweeper) : RICO_OK;
}


double rico_sweep_order_next(rico_sweep_order *order, double *r)
{
    if (order->kind == RICO_ORDER_COLOURED) return rico_sweep_by_colour(order->sweeper, order->threads, r);
    if (order->kind == RICO_ORDER_SHUFFLED)
        rico_random_shuffle(&order->random, order->sequence, order->count);
    return rico_sweep(order->sweeper, order->kind == RICO_ORDER_GIVEN ? NULL : order->sequence, r);
}
