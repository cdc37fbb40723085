// One block: see one_block.h.

#include "solve/one_block.h"

#include "la/dense.h"
#include "la/small_lu.h"
#include "solve/vi.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    MOST_NEWTON = 30,      // steps of one attempt
    MOST_CUTS = 6,         // halvings of a step
    MOST_PROJECTIONS = 60, // iterations between two attempts
    ATTEMPTS = 100,        // for a convex problem, which they are bound to solve
    MOST_ROOTS = 200,      // values of the shift
    LARGEST = RICO_LARGEST_CONE
};

static const double longest = 1e3;   // a step of projections may grow to so many 1/|W|
static const double shortest = 1e-3; // and shrink to so many


void rico_one_block_prepare(rico_one_block *own, const rico_block *block, const double *W)
{
    int64_t n = block->size;
    own->block = *block;
    memcpy(own->W, W, (size_t)(n * n) * sizeof *W);
    own->norm = rico_norm(n * n, W);
    own->step = own->norm > 0.0 ? 1.0 / own->norm : 1.0;
    own->round = block->kind == RICO_ELLIPTIC && block->friction > 0.0 && block->friction_2 > 0.0;
    if (!own->round) return;
    double scaled[9];
    rico_elliptic_units(block, own->u_unit, own->r_unit);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) scaled[3 * i + j] = own->u_unit[i] * W[3 * i + j] * own->r_unit[j];
    rico_one_contact_prepare(&own->contact, scaled, block->friction);
}


static void solve_round(const rico_one_block *own, const double *q, double *r)
{
    double scaled[3], fresh[3];
    for (int i = 0; i < 3; i++) {
        scaled[i] = own->u_unit[i] * q[i];
        fresh[i] = r[i] / own->r_unit[i];
    }
    rico_one_contact_solve(&own->contact, scaled, fresh);
    for (int i = 0; i < 3; i++) r[i] = own->r_unit[i] * fresh[i];
}


// --- Newton's method ---------------------------------------------------------------------------------------------------

// F = r - P_K(r - rho hat(u)), and its Jacobian unless NULL: I - P'(I - rho hat' W), column by column. With `fixed` the shift is that.
static double natural_map(const rico_one_block *own, double rho, const double *q, const double *fixed,
                          const double *r, double *F, double *jacobian)
{
    const rico_cone_kind *kind = &rico_cone_kinds[own->block.kind];
    int64_t n = own->block.size;
    double u[LARGEST] = {0.0}, gradient[LARGEST] = {0.0}, z[LARGEST], P[LARGEST * LARGEST];
    for (int64_t i = 0; i < n; i++) u[i] = q[i] + rico_dot(n, &own->W[i * n], r);
    bool moves = kind->shift && !fixed;
    double normal = u[0] + (moves ? kind->shift(&own->block, u, gradient) : fixed ? *fixed : 0.0);
    for (int64_t i = 0; i < n; i++) z[i] = r[i] - rho * (i == 0 ? normal : u[i]);
    if (jacobian)
        kind->jacobian(&own->block, z, P);
    else
        kind->project(&own->block, z);
    for (int64_t i = 0; i < n; i++) F[i] = r[i] - z[i];
    for (int64_t j = 0; jacobian && j < n; j++) {
        double inner[LARGEST];
        for (int64_t i = 0; i < n; i++) inner[i] = (i == j ? 1.0 : 0.0) - rho * own->W[i * n + j];
        for (int64_t i = 1; moves && i < n; i++) inner[0] -= rho * gradient[i - 1] * own->W[i * n + j];
        for (int64_t i = 0; i < n; i++)
            jacobian[i + j * n] = (i == j ? 1.0 : 0.0) - rico_dot(n, P + i * n, inner);
    }
    return rico_norm(n, F);
}


// Whether r has come to round-off; it never gets worse.
static bool newton(const rico_one_block *own, const double *q, const double *fixed, double *r)
{
    int64_t n = own->block.size;
    double rho = 1.0 / own->norm, F[LARGEST], J[LARGEST * LARGEST], trial[LARGEST];
    int32_t pivot[LARGEST];
    double size = natural_map(own, rho, q, fixed, r, F, J);
    for (int k = 0; k < MOST_NEWTON; k++) {
        double round_off = 4.0 * DBL_EPSILON * (rico_norm(n, r) + rho * rico_norm(n, q));
        if (size <= round_off) return true;
        if (!rico_small_lu(n, J, pivot)) return false;
        rico_small_lu_solve(n, J, pivot, 1, F);
        double weight = 1.0, next = INFINITY, G[LARGEST];
        for (int cut = 0; cut < MOST_CUTS; cut++, weight *= 0.5) {
            for (int64_t i = 0; i < n; i++) trial[i] = r[i] - weight * F[i];
            next = natural_map(own, rho, q, fixed, trial, G, J);
            if (next < size) break;
        }
        if (!(next < size)) return size <= 16.0 * round_off;
        memcpy(r, trial, (size_t)n * sizeof *r);
        memcpy(F, G, (size_t)n * sizeof *F);
        size = next;
    }
    return false;
}


// --- projections -------------------------------------------------------------------------------------------------------

typedef struct block_vi {
    const rico_one_block *own;
    const double *q;
    double shift;
} block_vi;


static void map(void *user, const double *r, double *F)
{
    const block_vi *vi = user;
    int64_t n = vi->own->block.size;
    for (int64_t i = 0; i < n; i++) F[i] = vi->q[i] + rico_dot(n, &vi->own->W[i * n], r);
    F[0] += vi->shift;
}


static void project(void *user, double *r)
{
    const block_vi *vi = user;
    rico_cone_project(&vi->own->block, r);
}


static void approach(rico_one_block *own, const double *q, double shift, double *r)
{
    int64_t n = own->block.size;
    double z[LARGEST], F[LARGEST], bar[LARGEST], F_bar[LARGEST];
    block_vi user = {own, q, shift};
    rico_vi vi = {.size = n, .map = map, .project = project, .user = &user};
    rico_vi_options options = rico_vi_default_options();
    rico_vi_state state = {.z = z, .F = F, .bar = bar, .F_bar = F_bar};
    options.method = RICO_VI_EXTRAGRADIENT;
    options.rho = own->step;
    memcpy(z, r, (size_t)n * sizeof *r);
    rico_vi_begin(&state, &options);

    double round_off = DBL_EPSILON * (rico_norm(n, r) + own->step * rico_norm(n, q));
    for (int k = 0; k < MOST_PROJECTIONS; k++)
        if (sqrt(rico_vi_step(&vi, &options, &state)) <= round_off) break;
    memcpy(r, state.z, (size_t)n * sizeof *r);
    // an open contact, which does not move, lengthens the step each time: it must not run away
    own->step = fmin(fmax(state.rho, shortest / own->norm), longest / own->norm);
}


// --- the shift -----------------------------------------------------------------------------------------------------------

// For a given shift s: the problem of a positive definite W over a convex set.
static void solve_convex(rico_one_block *own, const double *q, double s, double *r)
{
    for (int k = 0; k < ATTEMPTS && !newton(own, q, &s, r); k++) approach(own, q, s, r);
}


// g(u) - s at the solution for s: continuous in s, since that is; not below 0 at s = 0, and negative once s exceeds g(q) and holds the
// contact open.
static double excess(rico_one_block *own, const double *q, double s, double *r)
{
    int64_t n = own->block.size;
    double u[LARGEST] = {0.0};
    solve_convex(own, q, s, r);
    for (int64_t i = 0; i < n; i++) u[i] = q[i] + rico_dot(n, &own->W[i * n], r);
    return rico_cone_kinds[own->block.kind].shift(&own->block, u, NULL) - s;
}


// Its root between two values, by secants with halved weights (Illinois) and, every third time, the middle.
static void find_shift(rico_one_block *own, const double *q, double *r)
{
    double low = 0.0, at_low = excess(own, q, low, r), high = fmax(at_low, own->norm * DBL_MIN),
           at_high = INFINITY;
    if (!(at_low > 0.0)) return;
    for (int k = 0; k < 60; k++, high *= 2.0) {
        at_high = excess(own, q, high, r);
        if (!(at_high > 0.0)) break;
    }
    for (int k = 0; k < MOST_ROOTS && at_high < 0.0 && high - low > 2.0 * DBL_EPSILON * high; k++) {
        double s = k % 3 == 2 ? 0.5 * (low + high) : high - at_high * (high - low) / (at_high - at_low);
        if (!(s > low && s < high)) s = 0.5 * (low + high);
        double at = excess(own, q, s, r);
        if (at == 0.0) return;
        if (at > 0.0) {
            low = s;
            at_low = at;
            at_high *= 0.5;
        } else {
            high = s;
            at_high = at;
            at_low *= 0.5;
        }
    }
}


void rico_one_block_solve(rico_one_block *own, const double *q, double *r)
{
    if (!(own->norm > 0.0)) return;
    if (own->round) {
        solve_round(own, q, r);
        return;
    }
    if (newton(own, q, NULL, r)) return;
    if (rico_cone_kinds[own->block.kind].shift)
        find_shift(own, q, r);
    else
        solve_convex(own, q, 0.0, r);
    newton(own, q, NULL, r); // the last digits
}
