// Rings of impact oscillators inside: free motion by its modes, and the smallest gap along it.

#ifndef RICO_ORBIT_RING_H
#define RICO_ORBIT_RING_H

#include "base/context.h"
#include "ricochet/ring.h"

// y_n(t) = sum over k of (a_k cos q_k n + b_k sin q_k n), q_k = 2 pi k / p, k = 0 ... p/2, whose amplitudes a and b each
// move like cos(w_k t) and sin(w_k t) / w_k.
struct rico_ring_motion {
    int64_t particles, modes;
    double *frequency;
    double *cosine, *sine; // of 2 pi j / p, j = 0 ... p - 1
    double *a, *b;         // positions at 0
    double *da, *db;       // velocities at 0
};

// A ring at rest; its tables.
rico_status rico_ring_motion_create(rico_context *ctx, int64_t particles, double coupling,
                                    rico_ring_motion **motion);
void rico_ring_motion_destroy(rico_context *ctx, rico_ring_motion *motion);

// Sets the motion through positions y and velocities v at 0; all particles at a time.
void rico_ring_motion_set(rico_ring_motion *motion, const double *y, const double *v);

void rico_ring_motion_at(const rico_ring_motion *motion, double t, double *y, double *v);

// One particle's position, velocity and acceleration.
typedef struct rico_ring_sample {
    double t, y, v, a;
} rico_ring_sample;
rico_ring_sample rico_ring_motion_of(const rico_ring_motion *motion, int64_t n, double t);

// Bounds of the third and fourth derivative of a particle's position, for all times.
void rico_ring_motion_bounds(const rico_ring_motion *motion, int64_t n, double *third, double *fourth);

// First columns of the circulant matrices of the flow over t: y = C y0 + S v0, v = -W y0 + C v0.
void rico_ring_flow(const rico_ring_motion *motion, double t, double *c, double *s, double *w);

// Fills in gap, its place and its uncertainty.
rico_status rico_ring_find_gap(rico_ring_orbit *orbit);

// (y_{n+1} - 2 y_n + y_{n-1}) on the ring.
double rico_ring_laplacian(int64_t particles, const double *y, int64_t n);

#endif
