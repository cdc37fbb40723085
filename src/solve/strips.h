// A global problem block by block, for sweeps without W: H_a as a dense strip over the places of the bodies that block a touches.
//
// With M = L L', body by body, the strips hold G_a = L^-1 H_a and beside them y = L' v goes along:
//
//     W_ab = G_a' G_b,      u_a = G_a' y + w_a,      y = L^-1 f + sum G_a r_a,
//
// so that one strip serves for reading and for writing, and a sweep over a problem that does not fit into a cache moves half as much.
// Where M is not symmetric or not positive, G_a = H_a and there is a second strip M^-1 H_a to write with.
//
// Places are those of the problem's bodies, in which the degrees of freedom of one body follow each other; a strip is a few runs of them.

#ifndef RICO_SOLVE_STRIPS_H
#define RICO_SOLVE_STRIPS_H

#include "la/pair.h"
#include "problem/mass.h"
#include "problem/problem.h"

// Successive places that a block touches.
typedef struct rico_run_of_places {
    int32_t first, count;
} rico_run_of_places;

typedef struct rico_strips {
    rico_context *ctx;
    int64_t *start; // block_count + 1: first run of each strip
    int64_t *
        value; // block_count + 1: where its numbers begin, run after run, and in a run row after row of the block
    rico_run_of_places *run;
    double *G;      // to read with
    double *B;      // to write with: the same array where M allows
    double *root;   // L of each body, laid out as bodies->factor; NULL where M does not allow
    double *y;      // n: what follows r
    double *y_free; // n: the same for r = 0
} rico_strips;

// The problem, with bodies (M factored), must outlive it.
rico_status rico_strips_create(const rico_problem *problem, rico_strips **out);
void rico_strips_destroy(rico_strips *strips);

// The forces of the problem changed.
void rico_strips_update(const rico_problem *problem, rico_strips *strips);

// W_aa, row-major.
void rico_strips_diagonal(const rico_problem *problem, const rico_strips *strips, int64_t a, double *block);

// y afresh from r.
void rico_strips_refresh(const rico_problem *problem, rico_strips *strips, const double *r);


// u += G y and y += B' step for a run of a body in space and a contact of three rows: what matters.
static inline void rico_strip_read_body(const double *G, const double *y, double *u)
{
    const rico_pair *g = (const rico_pair *)G, *v = (const rico_pair *)y;
    rico_pair s0 = g[0] * v[0] + g[1] * v[1] + g[2] * v[2], s1 = g[3] * v[0] + g[4] * v[1] + g[5] * v[2],
              s2 = g[6] * v[0] + g[7] * v[1] + g[8] * v[2];
    u[0] += s0[0] + s0[1];
    u[1] += s1[0] + s1[1];
    u[2] += s2[0] + s2[1];
}


static inline void rico_strip_write_body(const double *B, const double *step, double *y)
{
    const rico_pair *b = (const rico_pair *)B;
    rico_pair *v = (rico_pair *)y, s0 = {step[0], step[0]}, s1 = {step[1], step[1]}, s2 = {step[2], step[2]};
    for (int i = 0; i < 3; i++) v[i] += b[i] * s0 + b[3 + i] * s1 + b[6 + i] * s2;
}


// The same for any run and block.
static inline void rico_strip_read_run(int64_t size, int64_t count, const double *G, const double *y,
                                       double *u)
{
    for (int64_t i = 0; i < size; i++) {
        double sum = 0.0;
        for (int64_t d = 0; d < count; d++) sum += G[i * count + d] * y[d];
        u[i] += sum;
    }
}


static inline void rico_strip_write_run(int64_t size, int64_t count, const double *B, const double *step,
                                        double *y)
{
    for (int64_t d = 0; d < count; d++) {
        double sum = 0.0;
        for (int64_t i = 0; i < size; i++) sum += B[i * count + d] * step[i];
        y[d] += sum;
    }
}


// u_a = G_a' y + w_a
static inline void rico_strip_read(const rico_strips *s, int64_t a, int64_t size, const double *w, double *u)
{
    enum { BODY = 6 };
    const double *G = &s->G[s->value[a]];
    for (int64_t i = 0; i < size; i++) u[i] = w[i];
    for (int64_t k = s->start[a]; k < s->start[a + 1]; k++) {
        int64_t count = s->run[k].count;
        if (size == 3 && count == BODY)
            rico_strip_read_body(G, &s->y[s->run[k].first], u);
        else
            rico_strip_read_run(size, count, G, &s->y[s->run[k].first], u);
        G += size * count;
    }
}


// y += B_a step
static inline void rico_strip_write(const rico_strips *s, int64_t a, int64_t size, const double *step)
{
    enum { BODY = 6 };
    const double *B = &s->B[s->value[a]];
    for (int64_t k = s->start[a]; k < s->start[a + 1]; k++) {
        int64_t count = s->run[k].count;
        if (size == 3 && count == BODY)
            rico_strip_write_body(B, step, &s->y[s->run[k].first]);
        else
            rico_strip_write_run(size, count, B, step, &s->y[s->run[k].first]);
        B += size * count;
    }
}

#endif
