// Anderson's acceleration (type II) of a fixed-point iteration x <- G(x).
//
// With f = G(x) - x and the last differences dF, dG of f and G as columns, the next point is
//
//     x+ = G(x) - dG c,     c = argmin |f - dF c|^2 + lambda |c|^2
//
// (Anderson 1965; Walker and Ni 2011). Where G is affine this is GMRES in disguise. Whether the point may be trusted
// is the caller's to judge: for G with kinks it may be worse than G(x).
//
// Sums run over chunks of fixed length, chunk after chunk, so that threads change no bit of the result.

#ifndef RICO_SOLVE_ANDERSON_H
#define RICO_SOLVE_ANDERSON_H

#include "base/context.h"

enum { RICO_ANDERSON_WINDOW = 50 }; // largest window

typedef struct rico_anderson {
    rico_context *ctx;
    int64_t size;
    int window;              // differences kept at most
    int used, next;          // kept now; where the next one goes
    bool has_last;           // f and G of the point before are there
    double *dF, *dG;         // window columns of `size`
    double *last_f, *last_G; // of the last point noted; G(x) stays there after a restart
    double *weight;          // of each row in the least squares, all 1 at first; the caller may write it
    double *gram;            // dF' dF, window x window
    double *factor, *c;
    double *along;   // dF' f
    double *partial; // of each chunk: its share of the products, 2 window numbers
    int threads;     // 1 at first; the caller may write it

    // vectors that follow x affinely, mixed with the same coefficients
    int64_t passengers;
    double *dV, *last_V;
    bool has_last_V;
} rico_anderson;

// 1 <= window <= RICO_ANDERSON_WINDOW.
rico_status rico_anderson_create(rico_context *ctx, int64_t size, int window, rico_anderson *out);
void rico_anderson_destroy(rico_anderson *state);

// Makes room for a vector of `count` entries that follows x affinely (the velocities of x = impulses, say).
rico_status rico_anderson_board(rico_anderson *state, int64_t count);

// Right after rico_anderson_mix(), with the v that belongs to G(x): takes note of it. With `mix`, v becomes that of the
// accelerated point; only if `used`, the number that mix() returned, is not zero.
void rico_anderson_carry(rico_anderson *state, int used, bool mix, double *v);

// Forgets all differences.
void rico_anderson_restart(rico_anderson *state);

// |weight (G(x) - x)|, the size of the step that a plain iteration takes.
double rico_anderson_step(const rico_anderson *state, const double *x, const double *G);

// Takes note of x and G(x) and puts the accelerated point into next (which may be x or G). Without differences, or
// where the least squares break down, that is G(x). Returns how many differences were used.
int rico_anderson_mix(rico_anderson *state, const double *x, const double *G, double *next);

#endif
