// Shooting with boundary elements in time: states of a bar that come back under the contact law, by a semismooth Newton method.
//
// The state after n steps follows from the boundary alone, once the waves of the start have left (n >= N): with Q = U + PL,
//     2 u(x_j) = Q(n - N + j) - P0(n - j) + c^-1 integral of v0,   2 v_i dt = Q(n-N+i+1) - Q(n-N+i) - P0(n-i) + P0(n-i-1).

#include "base/context.h"
#include "la/dense.h"
#include "orbit/bar.h"

#include <math.h>
#include <string.h>

enum { LARGEST = 200, NEWTON = 100 };

typedef struct march {
    const rico_bar *bar;
    int64_t N, steps;
    double *nodes, *P0, *PL, *U; // N + 1, steps + 1 each
} march;


// x = (u at nodes 1 ... N, v of the cells); out the same after the steps.
static void carry(march *m, const double *x, double *out)
{
    int64_t N = m->N, n = m->steps;
    const double *v = x + N;
    double dt = m->bar->length / (double)N / m->bar->speed, moved = 0.0;
    m->nodes[0] = 0.0;
    memcpy(m->nodes + 1, x, (size_t)N * sizeof *x);
    rico_bar_boundary_march(m->bar, N, m->nodes, v, n, m->P0, m->PL, m->U);
    for (int64_t i = 0; i < N; i++) moved += v[i] * dt;
    for (int64_t j = 1; j <= N; j++)
        out[j - 1] = 0.5 * (m->U[n - N + j] + m->PL[n - N + j] - m->P0[n - j] + moved);
    for (int64_t i = 0; i < N; i++) {
        double Q = m->U[n - N + i + 1] + m->PL[n - N + i + 1] - m->U[n - N + i] - m->PL[n - N + i];
        out[N + i] = 0.5 * (Q - m->P0[n - i] + m->P0[n - i - 1]) / dt;
    }
}


// Velocities count as displacements of a time L/c.
static double distance(const march *m, const double *a, const double *b)
{
    double sum = 0.0, unit = m->bar->length / m->bar->speed;
    for (int64_t i = 0; i < m->N; i++) {
        double du = a[i] - (b ? b[i] : 0.0), dv = unit * (a[m->N + i] - (b ? b[m->N + i] : 0.0));
        sum += du * du + dv * dv;
    }
    return sqrt(sum);
}


// One Newton step of least size; the map is linear between changes of the contacts, so that differences are exact. The least part of the step, of 1, 1/2, ..., that brings
// the state nearer to its return is taken, or the whole where none does: the contacts have to change.
static rico_status improve(rico_context *ctx, march *m, double *x, double *work, int32_t *pivot)
{
    int64_t size = 2 * m->N, rank;
    double *J = work, *F = J + size * size, *moved = F + size, *trial = moved + size, *spare = trial + size;
    double unit = m->bar->length / m->bar->speed, step = 1e-9 * distance(m, x, NULL);
    memset(J, 0, (size_t)(size * size) * sizeof *J);
    carry(m, x, F);
    double before = distance(m, F, x);
    for (int64_t c = 0; c < size; c++) {
        double kept = x[c], scale = c < m->N ? 1.0 : unit;
        if (c == m->N - 1) continue; // the end stays on the wall: a column of zeros, and no step
        x[c] = kept + step / scale;
        carry(m, x, moved);
        x[c] = kept;
        for (int64_t r = 0; r < size; r++)
            J[r + size * c] =
                (r < m->N ? 1.0 : unit) * ((moved[r] - F[r]) / step - (r == c ? 1.0 / scale : 0.0));
    }
    for (int64_t r = 0; r < size; r++) F[r] = (r < m->N ? 1.0 : unit) * (F[r] - x[r]);
    rico_status status = rico_dense_minimum_norm(ctx, size, J, F, 1e-6, spare, pivot, &rank);
    if (status != RICO_OK) return status;
    for (double part = 1.0; part > 1e-3; part *= 0.5) {
        for (int64_t c = 0; c < size; c++) trial[c] = x[c] - part * F[c] / (c < m->N ? 1.0 : unit);
        carry(m, trial, moved);
        if (distance(m, moved, trial) < before) break;
        if (part * 0.5 <= 1e-3)
            for (int64_t c = 0; c < size; c++) trial[c] = x[c] - F[c] / (c < m->N ? 1.0 : unit);
    }
    memcpy(x, trial, (size_t)size * sizeof *x);
    return RICO_OK;
}


static rico_status check(rico_context *ctx, const rico_bar_shot *shot)
{
    if (shot->cells < 1 || shot->cells > LARGEST || shot->steps < shot->cells)
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "shooting takes 1 to %d cells and as many steps at least, got %lld and %lld",
                         LARGEST, (long long)shot->cells, (long long)shot->steps);
    return RICO_OK;
}


static double energy_of(const march *m, const double *x)
{
    double sum = 0.0, h = m->bar->length / (double)m->N, c = m->bar->speed;
    for (int64_t i = 0; i < m->N; i++) {
        double strain = (x[i] - (i > 0 ? x[i - 1] : 0.0)) / h, v = x[m->N + i];
        sum += strain * strain + v * v / (c * c);
    }
    return 0.5 * m->bar->stiffness * h * sum;
}


rico_status rico_bar_boundary_periodic(rico_context *ctx, const rico_bar *bar, rico_bar_shot *shot, double *u,
                                       double *v)
{
    rico_status status = check(ctx, shot);
    if (status != RICO_OK) return status;
    int64_t N = shot->cells, size = 2 * N, history = shot->steps + 1;
    march m = {bar, N, shot->steps, NULL, NULL, NULL, NULL};
    double *work = rico_alloc(ctx, size * size + 3 * size + rico_dense_minimum_norm_work(size), sizeof *work);
    double *x = rico_alloc(ctx, 2 * size + N + 1 + 3 * history, sizeof *x);
    int32_t *pivot = rico_alloc(ctx, size, sizeof *pivot);
    if (!work || !x || !pivot) {
        status = RICO_NO_MEMORY;
    } else {
        double *after = x + size;
        m.nodes = after + size;
        m.P0 = m.nodes + N + 1;
        m.PL = m.P0 + history;
        m.U = m.PL + history;
        memcpy(x, u, (size_t)N * sizeof *x);
        memcpy(x + N, v, (size_t)N * sizeof *x);
        x[N - 1] = bar->gap;
        shot->residual = INFINITY;
        for (shot->iterations = 0; status == RICO_OK && shot->iterations < NEWTON; shot->iterations++) {
            carry(&m, x, after);
            shot->residual = distance(&m, after, x) / fmax(distance(&m, x, NULL), 1e-300);
            if (shot->residual < 1e-10) break;
            status = improve(ctx, &m, x, work, pivot);
        }
        shot->period = bar->length / bar->speed * (double)shot->steps / (double)N;
        shot->energy = energy_of(&m, x);
        memcpy(u, x, (size_t)N * sizeof *x);
        memcpy(v, x + N, (size_t)N * sizeof *x);
        if (status == RICO_OK && !(shot->residual < 1e-10))
            status = rico_fail(ctx, RICO_SINGULAR,
                               "no state of the bar that comes back after %lld steps was found: %g is left",
                               (long long)shot->steps, shot->residual);
    }
    rico_free(ctx, work);
    rico_free(ctx, x);
    rico_free(ctx, pivot);
    return status;
}
