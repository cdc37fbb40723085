// A differential algebraic inclusion in time, inside: the model, its state, and work space of a step.

#ifndef RICO_ORBIT_NES_DAI_H
#define RICO_ORBIT_NES_DAI_H

#include "orbit/nes.h"

struct rico_dai {
    rico_context *ctx;
    rico_dai_model model; // its arrays are this object's
    rico_dai_master *master;
    rico_dai_sink *sink;
    rico_dai_algebra algebra; // count = 0: z_i = x_i^3/3

    // t = base + steps dt, so that time does not gather round-off
    double base, dt;
    int64_t steps;
    double shrink; // mean of sin(wt) at both ends of a step, over that in its middle

    double *x, *v, *q; // masters; q of friction with memory
    double *z;         // algebraic variables
    double *y, *u;     // sinks
    rico_dai_ledger ledger;

    // of a step
    double *vm, *um;   // mean velocities
    double *qm;        // mean of q
    double *held;      // v minus what friction must still take: d vm + (dt/2) friction = held
    double *pull;      // of all sinks on a master, but for lambda x'
    double *h;         // h0
    double *resists;   // d
    double *xm;        // mean positions, for the algebra
    double *G, *P, *Q; // of the algebra
    double *slope;     // z'
    int32_t *pivot;
};

rico_status rico_dai_check(rico_context *ctx, const rico_dai_model *model);

// Solves G(z, x) = 0 of the caller's algebra for z by Newton's method from the z given; P and pivot hold its last factors.
rico_status rico_dai_solve_algebra(rico_dai *dai, const double *x, double *z);

// z' = -P^{-1} Q v at z and x, into dai->slope.
rico_status rico_dai_algebra_rate(rico_dai *dai, const double *z, const double *x, const double *v);

// The average of a coupling's force from s to s + ds, by Simpson's rule.
static inline double rico_sink_average(const rico_dai_sink *k, double s, double ds)
{
    double mid = s + 0.5 * ds, end = s + ds;
    if (k->coupling == RICO_NES_CUBIC) return 0.25 * k->gamma * (s + end) * (s * s + end * end);
    return (rico_coupling_force(k->coupling, k->gamma, k->gap, k->force, k->user, s) +
            4.0 * rico_coupling_force(k->coupling, k->gamma, k->gap, k->force, k->user, mid) +
            rico_coupling_force(k->coupling, k->gamma, k->gap, k->force, k->user, end)) /
           6.0;
}

#endif
