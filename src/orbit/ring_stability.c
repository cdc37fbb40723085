// Floquet multipliers of an orbit of a ring: the flow between impacts and a saltation matrix for each impact.
//
// The saltation of particle i differs from the identity in the block of (y_i, v_i) alone,
//
//     [ -1            0 ]
//     [ 2 a_i / v_i  -1 ],     a_i = 1 + coupling (y_{i+1} + 2 + y_{i-1}),  v_i the speed before the impact,
//
// where a_i is the acceleration, the same before and after. Blocks of particles that strike together do not meet and commute: the
// flow is differentiable there all the same, and its derivative is their product.

#include "orbit/ring.h"

#include "la/blas.h"
#include "la/dense.h"
#include "la/eigenvalues.h"

#include <cblas.h>
#include <float.h>
#include <math.h>
#include <string.h>


void rico_ring_flow_matrix(const rico_ring_motion *motion, double t, double *space, double *F)
{
    int64_t p = motion->particles, order = 2 * p;
    double *c = space, *s = c + p, *w = s + p;
    rico_ring_flow(motion, t, c, s, w);
    for (int64_t i = 0; i < p; i++) {
        for (int64_t j = 0; j < p; j++) {
            int64_t d = j >= i ? j - i : j - i + p;
            F[i * order + j] = F[(i + p) * order + j + p] = c[d];
            F[(i + p) * order + j] = s[d];
            F[i * order + j + p] = -w[d];
        }
    }
}


void rico_ring_saltate(int64_t particles, double coupling, int64_t i, const double *y, double v, double *F)
{
    int64_t p = particles, order = 2 * p;
    double a = -y[i] + coupling * rico_ring_laplacian(p, y, i), shear = 2.0 * a / v;
    for (int64_t column = 0; column < order; column++) {
        double *at = F + column * order;
        at[i + p] = shear * at[i] - at[i + p];
        at[i] = -at[i];
    }
}


// All particles that strike at `when`, positions y and `sign` times the speeds before that given.
static void saltate_all(const rico_ring *ring, rico_ring_impact when, const double *y, const double *v,
                        double sign, double *F)
{
    for (int64_t i = 0; i < ring->particles; i++)
        if (ring->pattern[i] == when)
            rico_ring_saltate(ring->particles, ring->coupling, i, y, sign * v[i], F);
}


// The largest entry of Mon' J Mon - J; `space` as large as Mon, twice.
static double symplectic_defect(int64_t p, const double *monodromy, double *space)
{
    int64_t order = 2 * p;
    double *turned = space, *product = space + order * order, defect = 0.0;
    for (int64_t column = 0; column < order; column++)
        for (int64_t i = 0; i < p; i++) {
            turned[column * order + i] = monodromy[column * order + i + p];
            turned[column * order + i + p] = -monodromy[column * order + i];
        }
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, (int)order, (int)order, (int)order, 1.0, monodromy,
                (int)order, turned, (int)order, 0.0, product, (int)order);
    for (int64_t column = 0; column < order; column++)
        for (int64_t row = 0; row < order; row++) {
            double J = row + p == column ? 1.0 : row == column + p ? -1.0 : 0.0;
            defect = fmax(defect, fabs(product[column * order + row] - J));
        }
    return defect;
}


// By falling modulus: a few hundred of them, nearly sorted in no way.
static void sort(int64_t count, double *real, double *imag)
{
    for (int64_t i = 1; i < count; i++) {
        double re = real[i], im = imag[i], size = hypot(re, im);
        int64_t at = i;
        for (; at > 0 && hypot(real[at - 1], imag[at - 1]) < size; at--) {
            real[at] = real[at - 1];
            imag[at] = imag[at - 1];
        }
        real[at] = re;
        imag[at] = im;
    }
}


static void multiply(const rico_ring_orbit *orbit, rico_ring_stability *made, double *space)
{
    const rico_ring *ring = &orbit->ring;
    int64_t order = 2 * ring->particles;
    double *first = space, *second = first + order * order;

    // Mon = S_T F S_{T/2} F: what strikes at T comes in with the speed opposite to that after 0
    rico_ring_flow_matrix(orbit->motion, 0.5 * ring->period, second + order * order, first);
    memcpy(second, first, (size_t)(order * order) * sizeof *first);
    saltate_all(ring, RICO_RING_AT_HALF, orbit->y_half, orbit->v_half, 1.0, first);
    saltate_all(ring, RICO_RING_AT_START, orbit->y, orbit->v, -1.0, second);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, (int)order, (int)order, (int)order, 1.0, second,
                (int)order, first, (int)order, 0.0, made->monodromy, (int)order);
}


void rico_ring_stability_destroy(rico_ring_stability *stability)
{
    if (!stability) return;
    rico_free(stability->ctx, stability->real);
    rico_free(stability->ctx, stability);
}


rico_status rico_ring_stability_room(rico_context *ctx, int64_t particles, rico_ring_stability **made)
{
    int64_t order = 2 * particles;
    rico_ring_stability *room = rico_alloc(ctx, 1, sizeof *room);
    if (!room) return RICO_NO_MEMORY;
    *room = (rico_ring_stability){.count = order, .ctx = ctx};
    room->real = rico_alloc(ctx, 2 * order + order * order, sizeof *room->real);
    if (!room->real) {
        rico_ring_stability_destroy(room);
        return RICO_NO_MEMORY;
    }
    room->imag = room->real + order;
    room->monodromy = room->imag + order;
    *made = room;
    return RICO_OK;
}


rico_status rico_ring_stability_fill(rico_ring_stability *made, double tolerance)
{
    int64_t order = made->count, size = order * order;
    if (!rico_all_finite(size, made->monodromy))
        return rico_fail(made->ctx, RICO_SINGULAR, "the orbit grazes: it has no multipliers");
    double *space = rico_alloc(made->ctx, 2 * size, sizeof *space);
    if (!space) return RICO_NO_MEMORY;
    made->symplectic = symplectic_defect(order / 2, made->monodromy, space);
    memcpy(space, made->monodromy, (size_t)size * sizeof *space);
    rico_status status = rico_eigenvalues(made->ctx, order, space, made->real, made->imag);
    rico_free(made->ctx, space);
    if (status != RICO_OK) return status;

    // a Jordan block at +1 splits by the root of round-off, which grows with the matrix
    double noise = 4.0 * sqrt(DBL_EPSILON * rico_norm_inf(size, made->monodromy));
    double bound = tolerance > 0.0 ? tolerance : fmax(1e-5, noise);
    sort(order, made->real, made->imag);
    made->largest = hypot(made->real[0], made->imag[0]);
    for (int64_t k = 0; k < order; k++)
        made->off_circle += fabs(hypot(made->real[k], made->imag[k]) - 1.0) > bound;
    made->stable = made->off_circle == 0;
    return RICO_OK;
}


rico_status rico_ring_stability_create(const rico_ring_orbit *orbit, double tolerance,
                                       rico_ring_stability **stability)
{
    rico_context *ctx = orbit->ctx;
    int64_t order = 2 * orbit->ring.particles;
    *stability = NULL;
    if (orbit->verdict != RICO_RING_FEASIBLE)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "multipliers of what is no orbit: %s",
                         rico_ring_verdict_words(orbit->verdict));
    rico_ring_stability *made = NULL;
    double *space = rico_alloc(ctx, 2 * order * order + 2 * order, sizeof *space);
    rico_status status = space ? rico_ring_stability_room(ctx, orbit->ring.particles, &made) : RICO_NO_MEMORY;
    if (status == RICO_OK) {
        bool held = rico_blas_hold();
        multiply(orbit, made, space);
        status = rico_ring_stability_fill(made, tolerance);
        rico_blas_release(held);
    }
    rico_free(ctx, space);
    if (status != RICO_OK) {
        rico_ring_stability_destroy(made);
        return status;
    }
    *stability = made;
    return RICO_OK;
}
