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

// A stretch of free motion, from 0 to its length, and which wall each particle leaves at its start and comes to at its end.
typedef enum rico_ring_wall { RICO_RING_NO_WALL, RICO_RING_LOWER, RICO_RING_UPPER } rico_ring_wall;
typedef struct rico_ring_stretch {
    double length;
    double upper; // place of the upper wall, or INFINITY
    const rico_ring_wall *leaves, *comes;
} rico_ring_stretch;

// The smallest gap seen so far; start it with {.gap = INFINITY, .tolerance = 1e-12 of the amplitude}.
typedef struct rico_ring_gap {
    double gap, time;
    int64_t particle;
    double tolerance;   // what may be missed in any case, by round-off
    double uncertainty; // the true minimum is no further below than that
} rico_ring_gap;

// Looks for a smaller one on a stretch.
void rico_ring_gap_look(const rico_ring_motion *motion, const rico_ring_stretch *stretch,
                        rico_ring_gap *found);

// Fills in gap, its place and its uncertainty.
rico_status rico_ring_find_gap(rico_ring_orbit *orbit);

// --- multipliers ---------------------------------------------------------------------------------------------

// The flow over t as a matrix of order 2 p, by columns; `space` holds 3 p.
void rico_ring_flow_matrix(const rico_ring_motion *motion, double t, double *space, double *F);

// F becomes S F, S the saltation of particle i that strikes with the speed v at positions y.
void rico_ring_saltate(int64_t particles, double coupling, int64_t i, const double *y, double v, double *F);

// Room for the multipliers of an orbit of p particles, the monodromy matrix not filled yet; then, once it is, its eigenvalues.
rico_status rico_ring_stability_room(rico_context *ctx, int64_t particles, rico_ring_stability **made);
rico_status rico_ring_stability_fill(rico_ring_stability *made, double tolerance);

// (y_{n+1} - 2 y_n + y_{n-1}) on the ring.
double rico_ring_laplacian(int64_t particles, const double *y, int64_t n);

#endif
