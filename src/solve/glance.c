// The first sweeps of `auto` over a few contacts, on the stack: see glance.h.

#include "solve/glance.h"

#include "la/dense.h"
#include "problem/units.h"
#include "solve/auto.h"
#include "solve/one_contact.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_BLOCKS = 16, MOST_ROWS = 3 * MOST_BLOCKS };

// All in the problem's own units but for `impulse`.
typedef struct glance {
    const rico_problem *p;
    int64_t blocks;
    rico_units units;
    double norm[MOST_BLOCKS], q[MOST_ROWS], q_size;
    double r[MOST_ROWS], u[MOST_ROWS];
    // ratio * r: its product with the caller's W is that of r with the W of the units, to the bit
    double impulse[MOST_ROWS];
    union {
        double pivot;
        rico_one_contact_2d plane;
        rico_one_contact space;
    } local[MOST_BLOCKS];
    rico_residual residual, of_zero;
} glance;


bool rico_glance_takes(const rico_problem *p)
{
    if (p->global || !p->reduced || p->block_count > MOST_BLOCKS) return false;
    for (int64_t a = 0; a < p->block_count; a++)
        if (p->kind[a] != RICO_UNILATERAL && p->kind[a] != RICO_COULOMB_2D && p->kind[a] != RICO_COULOMB_3D)
            return false;
    return true;
}


// Norms of the diagonal blocks, units, and q in these.
static void choose_units(glance *g)
{
    const rico_problem *p = g->p;
    double sum = 0.0, largest = 0.0;
    for (int64_t a = 0; a < g->blocks; a++) {
        int64_t k = p->W.diagonal[a];
        g->norm[a] = rico_norm(p->W.place[k + 1] - p->W.place[k], &p->W.value[p->W.place[k]]);
        sum += g->norm[a];
        if (g->norm[a] > largest) largest = g->norm[a];
    }
    if (largest == 0.0) largest = 1.0;
    g->units = rico_own_units(g->blocks > 0 ? sum / (double)g->blocks : 0.0, rico_norm_inf(p->rows, p->q));
    for (int64_t a = 0; a < g->blocks; a++)
        g->norm[a] = g->units.ratio * (g->norm[a] > 0.0 ? g->norm[a] : largest);
    double slowness = 1.0 / g->units.velocity; // a power of two: rounds nothing
    for (int64_t i = 0; i < p->rows; i++) g->q[i] = slowness * p->q[i];
    g->q_size = rico_norm(p->rows, g->q);
}


// The local problem of each block.
static void prepare(glance *g)
{
    const rico_problem *p = g->p;
    for (int64_t a = 0; a < g->blocks; a++) {
        double W[9], mu = p->friction[a];
        int64_t k = p->W.diagonal[a], size = p->W.place[k + 1] - p->W.place[k];
        for (int64_t i = 0; i < size; i++) W[i] = g->units.ratio * p->W.value[p->W.place[k] + i];
        if (p->kind[a] == RICO_UNILATERAL) {
            g->local[a].pivot = W[0];
        } else if (p->kind[a] == RICO_COULOMB_2D) {
            g->local[a].plane = (rico_one_contact_2d){{W[0], W[1], W[2], W[3]}, mu};
        } else {
            rico_one_contact_prepare(&g->local[a].space, W, mu);
        }
    }
}


// One block while the others stand still, as solve/local.c has it.
static void relax(glance *g, int64_t a)
{
    const rico_problem *p = g->p;
    int64_t first = p->offset[a], size = p->offset[a + 1] - first;
    double u[3] = {0.0}, q[3], *r = &g->r[first];
    rico_block_row_times(&p->W, a, g->impulse, &g->q[first], u);
    if (size == 1) {
        double pivot = g->local[a].pivot;
        if (pivot > 0.0) r[0] = fmax(0.0, r[0] - u[0] / pivot);
    } else if (size == 2) {
        const double *W = g->local[a].plane.W;
        for (int i = 0; i < 2; i++) q[i] = u[i] - (W[2 * i] * r[0] + W[2 * i + 1] * r[1]);
        rico_one_contact_2d_solve(&g->local[a].plane, q, r);
    } else {
        const double *W = g->local[a].space.W;
        for (int i = 0; i < 3; i++)
            q[i] = u[i] - (W[3 * i] * r[0] + W[3 * i + 1] * r[1] + W[3 * i + 2] * r[2]);
        rico_one_contact_solve(&g->local[a].space, q, r);
    }
    for (int64_t i = 0; i < size; i++) g->impulse[first + i] = g->units.ratio * r[i];
}


static bool judge(glance *g, double tol)
{
    const rico_problem *p = g->p;
    rico_tally tally = {.ratio = g->units.ratio};
    for (int64_t a = 0; a < g->blocks; a++) {
        int64_t first = p->offset[a];
        rico_tally_block(&tally, rico_problem_cone(p, a), g->norm[a], &g->u[first], &g->r[first]);
    }
    g->residual = rico_tally_close(&tally, g->q_size, p->noise / g->units.velocity);
    return rico_residual_within(&g->residual, tol);
}


// |W_aa| |r_a| over all against |q|: impulses much larger than what they have to do.
static bool are_large(const glance *g)
{
    return !(g->residual.rounding * g->residual.scale <= DBL_EPSILON * RICO_AUTO_SUSPICIOUS * g->q_size);
}


static bool start_from(glance *g, const double *r, double tol)
{
    const rico_problem *p = g->p;
    bool zero = true;
    double slowness = 1.0 / g->units.velocity, inertia = 1.0 / g->units.ratio;
    for (int64_t i = 0; i < p->rows; i++) {
        g->impulse[i] = slowness * r[i];
        g->r[i] = inertia * g->impulse[i];
        zero = zero && g->r[i] == 0.0;
    }
    if (zero) return rico_residual_within(&g->residual, tol); // as judged already
    rico_block_times(&p->W, g->impulse, g->q, g->u);
    return judge(g, tol);
}


static void take_zero(glance *g)
{
    memset(g->r, 0, (size_t)g->p->rows * sizeof *g->r);
    memcpy(g->u, g->q, (size_t)g->p->rows * sizeof *g->u);
}


// Normals that close by more than the tolerance: zero is no solution, and how bad it is need not be known.
static bool zero_fails(const glance *g, double tol)
{
    const rico_problem *p = g->p;
    double square = 0.0;
    for (int64_t a = 0; a < g->blocks; a++) {
        double normal = g->q[p->offset[a]];
        if (normal < 0.0) square += normal * normal;
    }
    return p->noise == 0.0 && sqrt(square) > tol * g->q_size;
}


// Zero first: where it is exact nobody wants anything else.
static bool look(glance *g, const double *r, double tol, int64_t *sweeps)
{
    const rico_problem *p = g->p;
    take_zero(g);
    *sweeps = 0;
    if (zero_fails(g, tol))
        g->residual = (rico_residual){.relative = 1.0, .scale = g->q_size};
    else
        judge(g, tol);
    g->of_zero = g->residual;
    if (g->residual.relative == 0.0 || start_from(g, r, tol)) return true;
    if (are_large(g)) return false; // a start that is off by orders of magnitude
    for (int64_t sweep = 1; sweep <= RICO_AUTO_PLAIN_SWEEPS; sweep++) {
        double before = g->residual.relative;
        for (int64_t a = 0; a < g->blocks; a++) relax(g, a);
        rico_block_times(&p->W, g->impulse, g->q, g->u);
        *sweeps = sweep;
        if (judge(g, tol)) return true;
        // those that are left must promise the tolerance at this pace
        double ratio = g->residual.relative / before;
        if (!(g->residual.relative * pow(ratio, (double)(RICO_AUTO_PLAIN_SWEEPS - sweep)) <= tol))
            return false;
    }
    return false;
}


bool rico_glance(const rico_problem *p, double tol, double *r, double *u, rico_residual *residual,
                 int64_t *sweeps)
{
    glance g;
    g.p = p;
    g.blocks = p->block_count;
    choose_units(&g);
    prepare(&g);
    if (!look(&g, r, tol, sweeps) || are_large(&g)) return false;

    // zero may do as well, where the start or a sweep does
    if (g.of_zero.relative <= g.residual.relative) {
        take_zero(&g);
        g.residual = g.of_zero;
    }
    double unit = g.units.ratio * g.units.velocity;
    if (!isfinite(unit * rico_norm_inf(p->rows, g.r)))
        return false; // more than a double holds: others say so
    // nobody wants to read -0
    for (int64_t i = 0; i < p->rows; i++) r[i] = unit * g.r[i] + 0.0;
    for (int64_t i = 0; u && i < p->rows; i++) u[i] = g.units.velocity * g.u[i] + 0.0;
    *residual = g.residual;
    residual->absolute *= g.units.velocity;
    residual->velocity *= g.units.velocity;
    residual->scale *= g.units.velocity;
    return true;
}
