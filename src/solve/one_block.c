// One block by projections: see one_block.h.

#include "solve/one_block.h"

#include "la/dense.h"
#include "solve/vi.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_ITERATIONS = 100 };

static const double closer = 1e-3;   // the last move over the first
static const double longest = 1e3;   // a step may grow to so many 1/|W|
static const double shortest = 1e-3; // and shrink to so many


void rico_one_block_prepare(rico_one_block *own, const rico_block *block, const double *W)
{
    int64_t n = block->size;
    own->block = *block;
    memcpy(own->W, W, (size_t)(n * n) * sizeof *W);
    own->norm = rico_norm(n * n, W);
    own->step = own->norm > 0.0 ? 1.0 / own->norm : 1.0;
}


typedef struct block_vi {
    const rico_one_block *own;
    const double *q;
} block_vi;


static void map(void *user, const double *r, double *F)
{
    const block_vi *vi = user;
    int64_t n = vi->own->block.size;
    for (int64_t i = 0; i < n; i++) F[i] = vi->q[i] + rico_dot(n, &vi->own->W[i * n], r);
    rico_cone_shift(&vi->own->block, F);
}


static void project(void *user, double *r)
{
    const block_vi *vi = user;
    rico_cone_project(&vi->own->block, r);
}


void rico_one_block_solve(rico_one_block *own, const double *q, double *r)
{
    if (!(own->norm > 0.0)) return;
    int64_t n = own->block.size;
    double z[RICO_LARGEST_CONE], F[RICO_LARGEST_CONE], bar[RICO_LARGEST_CONE], F_bar[RICO_LARGEST_CONE];
    block_vi user = {own, q};
    rico_vi vi = {.size = n, .map = map, .project = project, .user = &user};
    rico_vi_options options = rico_vi_default_options();
    rico_vi_state state = {.z = z, .F = F, .bar = bar, .F_bar = F_bar};
    options.extragradient = true;
    options.rho = own->step;
    memcpy(z, r, (size_t)n * sizeof *r);
    rico_vi_begin(&state, &options);

    double first = INFINITY, round_off = DBL_EPSILON * (rico_norm(n, r) + own->step * rico_norm(n, q));
    for (int k = 0; k < MOST_ITERATIONS; k++) {
        double moved = sqrt(rico_vi_step(&vi, &options, &state));
        if (k == 0) first = moved;
        if (moved <= fmax(closer * first, round_off)) break;
    }
    memcpy(r, state.z, (size_t)n * sizeof *r);
    // an open contact, which does not move, lengthens the step each time: it must not run away
    own->step = fmin(fmax(state.rho, shortest / own->norm), longest / own->norm);
}
