// Gauss-Seidel sweeps under Anderson's acceleration, with its safeguards: what nsgs-anderson and auto share.
//
//     rico_accelerator_begin();
//     for (;;) {
//         change = rico_accelerator_sweep(); // r obeys the law block by block: a point to check
//         ...
//         rico_accelerator_advance();        // r becomes the point to sweep from next
//     }
//
// G is one sweep with exact local solutions, whose fixed points are the solutions of the problem. While the contacts
// keep their states G is nearly affine and the acceleration works as a Krylov method would; when states change, the
// differences lie. Hence two safeguards on the step |G(x) - x|, measured in energy (each block weighted by the root of
// |W_aa|). An accelerated point whose step exceeds `growth` times the smallest seen is given up for the plain sweep
// before it. And if the smallest step has not come down for a while, although no single point was that bad, the
// acceleration is walking in circles. Either way the differences are forgotten and plain sweeps follow, twice as many
// each time until acceleration makes progress again: at worst the method costs about twice what plain sweeps do.

#ifndef RICO_SOLVE_ACCELERATE_H
#define RICO_SOLVE_ACCELERATE_H

#include "solve/anderson.h"
#include "solve/sweep_order.h"

typedef struct rico_accelerator {
    rico_context *ctx; // its own: the problem may be gone when a solver forgets it
    const rico_problem *problem;
    rico_sweep_order *order;
    rico_anderson mixer;
    double *x; // the point before the sweep
    double growth;

    // what the safeguards remember
    double step;   // of the last sweep
    double least;  // smallest step of a point that was kept
    double mark;   // the same when progress was last noted
    int64_t idle;  // accelerated points since then
    int64_t pause; // plain sweeps that the last failure cost
    int64_t rest;  // plain sweeps left
    bool jumped;   // the present point is an accelerated one
} rico_accelerator;

// The order, and the problem with its block norms, must outlive it.
rico_status rico_accelerator_create(const rico_problem *problem, rico_sweep_order *order, int window,
                                    rico_accelerator *out);
void rico_accelerator_destroy(rico_accelerator *a); // also one of zeros

// Before the first sweep of a solve, after rico_sweep_order_begin(), whose threads it uses.
void rico_accelerator_begin(rico_accelerator *a, double growth);

// One sweep over r; returns the squared norm of the change.
double rico_accelerator_sweep(rico_accelerator *a, double *r);

// From the sweep's point to the next one to sweep from.
void rico_accelerator_advance(rico_accelerator *a, double *r);

#endif
