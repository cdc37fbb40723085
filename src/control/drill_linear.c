// Linear models of drill-strings: graph Laplacians, finite elements, mode-displacement reduction, eigenfrequencies, state space.

#include "control/drill.h"
#include "control/matrix.h"
#include "la/blas.h"
#include "la/dense.h"

#include <math.h>
#include <string.h>


static rico_status create(rico_context *ctx, int64_t n, int64_t nodes, rico_drill_linear **out)
{
    *out = NULL;
    rico_drill_linear *linear = rico_alloc(ctx, 1, sizeof *linear);
    if (!linear) return RICO_NO_MEMORY;
    linear->n = n;
    linear->nodes = nodes;
    double **const BLOCKS[] = {&linear->M,     &linear->D,   &linear->K,
                               &linear->shape, &linear->bit, &linear->top};
    const int64_t SIZES[] = {n * n, n * n, n * n, nodes * n, n, n};
    for (int i = 0; i < 6; i++) {
        *BLOCKS[i] = rico_alloc(ctx, SIZES[i], sizeof(double));
        if (!*BLOCKS[i]) {
            rico_drill_linear_destroy(ctx, linear);
            return RICO_NO_MEMORY;
        }
    }
    *out = linear;
    return RICO_OK;
}


void rico_drill_linear_destroy(rico_context *ctx, rico_drill_linear *linear)
{
    if (!linear) return;
    double *const BLOCKS[] = {linear->M, linear->D, linear->K, linear->shape, linear->bit, linear->top};
    for (int i = 0; i < 6; i++) rico_free(ctx, BLOCKS[i]);
    rico_free(ctx, linear);
}


// Unknowns that are the angles of the nodes.
static void name_nodes(rico_drill_linear *linear)
{
    for (int64_t i = 0; i < linear->n; i++) linear->shape[i * linear->n + i] = 1.0;
    linear->bit[0] = 1.0;
    linear->top[linear->n - 1] = 1.0;
}


// A += value (e_a - e_b)(e_a - e_b)'.
static void add_laplacian(int64_t n, int64_t a, int64_t b, double value, double *A)
{
    A[a * n + a] += value;
    A[b * n + b] += value;
    A[a * n + b] -= value;
    A[b * n + a] -= value;
}


rico_status rico_drill_matrices(rico_context *ctx, const rico_drill_string *string, rico_drill_linear **out)
{
    *out = NULL;
    rico_status status = rico_drill_check(ctx, string);
    int64_t n = string->discs;
    if (status == RICO_OK) status = create(ctx, n, n, out);
    if (status != RICO_OK) return status;
    rico_drill_linear *linear = *out;
    for (int64_t i = 0; i < n; i++) {
        linear->M[i * n + i] = string->inertia[i];
        linear->total += string->inertia[i];
    }
    linear->top_inertia = string->inertia[n - 1];
    for (int64_t l = 0; l < string->links; l++) {
        const rico_drill_link *link = &string->link[l];
        add_laplacian(n, link->a, link->b, link->stiffness, linear->K);
        add_laplacian(n, link->a, link->b, link->damping, linear->D);
    }
    name_nodes(linear);
    return RICO_OK;
}


// The polar moment of a ring.
static double polar(const rico_drill_pipe *pipe)
{
    return RICO_DRILL_PI / 32.0 * (pow(pipe->outer, 4.0) - pow(pipe->inner, 4.0));
}


static rico_status check_pipes(rico_context *ctx, int64_t pipes, const rico_drill_pipe *pipe, int64_t *nodes)
{
    *nodes = 1;
    for (int64_t p = 0; p < pipes; p++) {
        if (pipe[p].elements < 1 || !(pipe[p].length > 0.0 && pipe[p].shear > 0.0 && pipe[p].density > 0.0) ||
            !(pipe[p].outer > pipe[p].inner && pipe[p].inner >= 0.0))
            return rico_fail(ctx, RICO_BAD_ARGUMENT,
                             "pipe %lld has %lld elements, length %g, diameters %g and %g", (long long)p + 1,
                             (long long)pipe[p].elements, pipe[p].length, pipe[p].outer, pipe[p].inner);
        *nodes += pipe[p].elements;
    }
    if (*nodes < 2) return rico_fail(ctx, RICO_BAD_ARGUMENT, "a string has one pipe or more");
    return RICO_OK;
}


rico_status rico_drill_pipes(rico_context *ctx, int64_t pipes, const rico_drill_pipe *pipe,
                             double top_inertia, double damping, rico_drill_linear **out)
{
    int64_t n;
    *out = NULL;
    rico_status status = check_pipes(ctx, pipes, pipe, &n);
    if (status == RICO_OK && !(top_inertia >= 0.0 && damping >= 0.0))
        status =
            rico_fail(ctx, RICO_BAD_ARGUMENT, "the top drive has the inertia %g, the string the damping %g",
                      top_inertia, damping);
    if (status == RICO_OK) status = create(ctx, n, n, out);
    if (status != RICO_OK) return status;
    rico_drill_linear *linear = *out;
    int64_t node = 0;
    for (int64_t p = 0; p < pipes; p++) {
        double length = pipe[p].length / (double)pipe[p].elements, moment = polar(&pipe[p]);
        double k = pipe[p].shear * moment / length, m = pipe[p].density * moment * length;
        for (int64_t e = 0; e < pipe[p].elements; e++, node++) {
            add_laplacian(n, node, node + 1, k, linear->K);
            add_laplacian(n, node, node + 1, damping * k, linear->D);
            // (m/6) [2 1; 1 2]
            linear->M[node * n + node] += m / 3.0;
            linear->M[(node + 1) * n + node + 1] += m / 3.0;
            linear->M[node * n + node + 1] += m / 6.0;
            linear->M[(node + 1) * n + node] += m / 6.0;
            linear->total += m;
        }
    }
    linear->M[n * n - 1] += top_inertia;
    linear->total += top_inertia;
    linear->top_inertia = top_inertia;
    name_nodes(linear);
    return RICO_OK;
}


// K v = w^2 M v by M = L L' and the eigenvectors of L^-1 K L^-T; V, n x n, receives v, M-orthonormal.
static rico_status modes_of(rico_context *ctx, const rico_drill_linear *linear, double *V, double *square)
{
    int64_t n = linear->n;
    double *L = rico_alloc(ctx, n * n, sizeof *L);
    if (!L) return RICO_NO_MEMORY;
    memcpy(L, linear->M, (size_t)(n * n) * sizeof *L);
    memcpy(V, linear->K, (size_t)(n * n) * sizeof *V);
    rico_status status = rico_dense_cholesky(ctx, n, L);
    // V := L^-1 K, then its transpose L^-1 (L^-1 K)' = L^-1 K L^-T, symmetric
    for (int pass = 0; status == RICO_OK && pass < 2; pass++) {
        for (int64_t c = 0; c < n; c++) {
            double *x = V + c * n;
            for (int64_t i = 0; i < n; i++) {
                x[i] /= L[i * n + i];
                for (int64_t k = i + 1; k < n; k++) x[k] -= L[i * n + k] * x[i];
            }
        }
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < i; j++) {
                double keep = V[i * n + j];
                V[i * n + j] = V[j * n + i];
                V[j * n + i] = keep;
            }
    }
    if (status == RICO_OK) status = rico_dense_eigen(ctx, n, V, true, square);
    // v = L^-T w
    for (int64_t c = 0; status == RICO_OK && c < n; c++) {
        double *x = V + c * n;
        for (int64_t i = n - 1; i >= 0; i--) {
            for (int64_t k = i + 1; k < n; k++) x[i] -= L[i * n + k] * x[k];
            x[i] /= L[i * n + i];
        }
    }
    rico_free(ctx, L);
    return status;
}


// T'A T of the first r columns of T, n x n.
static void reduced(int64_t n, int64_t r, const double *T, const double *A, double *work, double *out)
{
    for (int64_t c = 0; c < r; c++) {
        rico_dense_times(n, n, 1.0, A, T + c * n, 0.0, work);
        for (int64_t i = 0; i < r; i++) out[c * r + i] = rico_dot(n, T + i * n, work);
    }
}


rico_status rico_drill_reduce(rico_context *ctx, const rico_drill_linear *linear, int64_t modes,
                              rico_drill_linear **out)
{
    int64_t n = linear->n;
    *out = NULL;
    if (modes < 1 || modes > n)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a model of %lld unknowns is not reduced to %lld",
                         (long long)n, (long long)modes);
    rico_drill_linear *small;
    rico_status status = create(ctx, modes, linear->nodes, &small);
    if (status != RICO_OK) return status;
    double *V = rico_alloc(ctx, n * n + 2 * n, sizeof *V);
    if (!V) {
        rico_drill_linear_destroy(ctx, small);
        return RICO_NO_MEMORY;
    }
    double *square = V + n * n, *work = square + n;
    bool held = rico_blas_hold();
    status = modes_of(ctx, linear, V, square);
    if (status == RICO_OK) {
        reduced(n, modes, V, linear->M, work, small->M);
        reduced(n, modes, V, linear->D, work, small->D);
        reduced(n, modes, V, linear->K, work, small->K);
        for (int64_t c = 0; c < modes; c++) {
            rico_dense_times(linear->nodes, n, 1.0, linear->shape, V + c * n, 0.0,
                             small->shape + c * linear->nodes);
            small->bit[c] = rico_dot(n, linear->bit, V + c * n);
            small->top[c] = rico_dot(n, linear->top, V + c * n);
        }
        small->total = linear->total;
        small->top_inertia = linear->top_inertia;
        *out = small;
    } else {
        rico_drill_linear_destroy(ctx, small);
    }
    rico_blas_release(held);
    rico_free(ctx, V);
    return status;
}


rico_status rico_drill_frequencies(rico_context *ctx, const rico_drill_linear *linear, double *hertz)
{
    int64_t n = linear->n;
    double *V = rico_alloc(ctx, n * n, sizeof *V);
    if (!V) return RICO_NO_MEMORY;
    bool held = rico_blas_hold();
    rico_status status = modes_of(ctx, linear, V, hertz);
    rico_blas_release(held);
    // round-off leaves the rigid mode on either side of 0
    for (int64_t i = 0; status == RICO_OK && i < n; i++)
        hertz[i] = sqrt(fmax(hertz[i], 0.0)) / (2.0 * RICO_DRILL_PI);
    rico_free(ctx, V);
    return status;
}


// x = (z, z'), z'' = M^-1 (bit T_bit + top T_td - K z - D z').
rico_status rico_drill_system(rico_context *ctx, const rico_drill_linear *linear, rico_state_space **out)
{
    int64_t n = linear->n;
    *out = NULL;
    rico_pad pad = rico_pad_open(ctx);
    rico_mat torques =
        rico_mat_beside(&pad, rico_mat_copy(&pad, n, 1, linear->bit), rico_mat_copy(&pad, n, 1, linear->top));
    rico_mat right = rico_mat_beside(
        &pad,
        rico_mat_beside(&pad, rico_mat_copy(&pad, n, n, linear->K), rico_mat_copy(&pad, n, n, linear->D)),
        torques);
    rico_mat rates = rico_mat_divide(&pad, rico_mat_copy(&pad, n, n, linear->M), right);
    rico_quad quad = {rico_mat_zero(&pad, 2 * n, 2 * n), rico_mat_zero(&pad, 2 * n, 2),
                      rico_mat_zero(&pad, 2, 2 * n), rico_mat_zero(&pad, 2, 2)};
    rico_mat_put(&pad, quad.a, 0, n, rico_mat_eye(&pad, n));
    rico_mat from_state = rico_mat_part(&pad, rates, 0, n, 0, 2 * n);
    rico_mat_put(&pad, quad.a, n, 0, rico_mat_sum(&pad, -1.0, from_state, 0.0, from_state));
    rico_mat_put(&pad, quad.b, n, 0, rico_mat_part(&pad, rates, 0, n, 2 * n, 2));
    rico_mat_put(&pad, quad.c, 0, n, rico_mat_transpose(&pad, torques));
    rico_quad_make(&pad, quad, out);
    return rico_pad_close(&pad);
}
