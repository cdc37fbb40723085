// One sticking per period: symmetric motions that leave the obstacle, fly, come back without speed of the gap and stick.
//
// In flight q = A cos(omega (t - s/2)); at rest on the obstacle the modes c_k, nu_k of the held system move by cos(nu (t + r/2)). With the
// state (q0, v0) at leaving, n + 2 equations for A, the flight s and the rest r, linear in A:
//     b'q0 = -g0,   b'v0 = 0,   b'omega^2 q0 = 0 (no force),   c_k'v0 cos(nu_k r/2) + nu_k c_k'(q0 - q_e) sin(nu_k r/2) = 0.
//
// With an impact p in the middle of the flight, q = A cos(omega t) + (b p/2) sin(omega |t|)/omega from there on, one unknown more, and one equation
// more: b'A = -g0.

#include "la/dense.h"
#include "orbit/modes.h"

#include <math.h>
#include <string.h>

enum { NEWTON = 60 };

typedef struct held {
    const rico_modes *modes;
    int64_t n;
    int64_t u,
        m; // linear unknowns: n amplitudes, and the impulse if there is one; equations: two more, for flight and rest
    double *nu;                                        // n - 1, ascending
    double *mode;                                      // n x (n - 1)
    double *rest;                                      // q_e: the equilibrium on the obstacle
    double *matrix, *right, *square, *x, *step, *work; // of the equations and of their solution
    int32_t *pivot;
} held;


static void release(held *h)
{
    rico_context *ctx = h->modes->ctx;
    void *blocks[] = {h->nu,     h->mode, h->rest, h->matrix, h->right,
                      h->square, h->x,    h->step, h->work,   h->pivot};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) rico_free(ctx, blocks[i]);
}


// The modes of P omega^2 P, P the projection across b: that of eigenvalue zero, b itself, comes first and is dropped.
static rico_status hold(held *h)
{
    const rico_modes *modes = h->modes;
    int64_t n = h->n;
    const double *b = modes->b, *omega = modes->omega;
    double shift = 0.0, *a = h->square;
    for (int64_t j = 0; j < n; j++) shift += b[j] * b[j] * omega[j] * omega[j];
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++)
            a[i + j * n] = (i == j ? omega[i] * omega[i] : 0.0) + shift / modes->W * b[i] * b[j] / modes->W -
                           (omega[i] * omega[i] + omega[j] * omega[j]) * b[i] * b[j] / modes->W;
    rico_status status = rico_dense_eigen(modes->ctx, n, a, true, h->right);
    if (status != RICO_OK) return status;
    for (int64_t k = 0; k + 1 < n; k++) {
        h->nu[k] = sqrt(h->right[k + 1]);
        memcpy(h->mode + n * k, a + n * (k + 1), (size_t)n * sizeof *a);
    }
    // held at q_p = -g0 b/W + sum of modes: nu^2 y = -c'omega^2 q_p
    for (int64_t j = 0; j < n; j++) h->rest[j] = -modes->g0 * b[j] / modes->W;
    memcpy(h->x, h->rest, (size_t)n * sizeof *h->x);
    for (int64_t k = 0; k + 1 < n; k++) {
        double force = 0.0;
        for (int64_t j = 0; j < n; j++) force -= h->mode[j + n * k] * omega[j] * omega[j] * h->x[j];
        rico_axpy(n, force / (h->nu[k] * h->nu[k]), h->mode + n * k, h->rest);
    }
    return RICO_OK;
}


static rico_status prepare(const rico_modes *modes, bool impact, held *h)
{
    rico_context *ctx = modes->ctx;
    int64_t n = modes->n, u = n + (impact ? 1 : 0), m = u + 2;
    *h = (held){.modes = modes, .n = n, .u = u, .m = m};
    if (n < 2) {
        rico_fail(ctx, RICO_BAD_ARGUMENT, "sticking needs two degrees of freedom, got %lld", (long long)n);
        return RICO_BAD_ARGUMENT;
    }
    h->nu = rico_alloc(ctx, n, sizeof(double));
    h->mode = rico_alloc(ctx, n * n, sizeof(double));
    h->rest = rico_alloc(ctx, n, sizeof(double));
    h->matrix = rico_alloc(ctx, m * u, sizeof(double));
    h->right = rico_alloc(ctx, m, sizeof(double));
    h->square = rico_alloc(ctx, m * m, sizeof(double));
    h->x = rico_alloc(ctx, m, sizeof(double));
    h->step = rico_alloc(ctx, m, sizeof(double));
    h->work = rico_alloc(ctx, rico_dense_minimum_norm_work(m), sizeof(double));
    h->pivot = rico_alloc(ctx, m, sizeof(int32_t));
    if (!h->nu || !h->mode || !h->rest || !h->matrix || !h->right || !h->square || !h->x || !h->step ||
        !h->work || !h->pivot)
        return RICO_NO_MEMORY;
    return hold(h);
}


// q0 and v0 of mode j for a unit of an unknown, its amplitude or the impulse, and their derivatives by the flight.
typedef struct leaving {
    double q, v, dq, dv;
} leaving;


static leaving at_leaving(const rico_modes *modes, int64_t j, double s, bool impulse)
{
    double omega = modes->omega[j], half = 0.5 * modes->b[j], c = cos(0.5 * omega * s),
           d = sin(0.5 * omega * s);
    if (impulse) return (leaving){half * d / omega, -half * c, 0.5 * half * c, 0.5 * half * omega * d};
    return (leaving){c, omega * d, -0.5 * omega * d, 0.5 * omega * omega * c};
}


// What mode j adds to the column of an unknown, and with `by` to the derivatives by flight and rest, for its value x.
static void add_mode(const held *h, int64_t j, const leaving *l, double r, double x, double *col, double *by)
{
    double omega = h->modes->omega[j], b = h->modes->b[j];
    col[0] += b * l->q;
    col[1] += b * l->v;
    col[2] += b * omega * omega * l->q;
    if (by) {
        by[0] += b * l->dq * x;
        by[1] += b * l->dv * x;
        by[2] += b * omega * omega * l->dq * x;
    }
    for (int64_t k = 0; k + 1 < h->n; k++) {
        double mode = h->mode[j + h->n * k], nu = h->nu[k], ck = cos(0.5 * nu * r), sk = sin(0.5 * nu * r);
        col[3 + k] += mode * (l->v * ck + nu * l->q * sk);
        if (!by) continue;
        by[3 + k] += mode * (l->dv * ck + nu * l->dq * sk) * x;
        by[h->m + 3 + k] += 0.5 * nu * mode * (-l->v * sk + nu * l->q * ck) * x;
    }
}


// The equations as matrix A = right, and with `by` their derivatives by flight and rest for the amplitudes in x.
static void equations(held *h, double s, double r, double *by)
{
    const rico_modes *modes = h->modes;
    int64_t n = h->n, m = h->m;
    memset(h->right, 0, (size_t)m * sizeof(double));
    memset(h->matrix, 0, (size_t)(m * h->u) * sizeof(double));
    h->right[0] = -modes->g0;
    if (h->u > n) h->right[m - 1] = -modes->g0; // closed in the middle, too
    for (int64_t i = 0; by && i < 2 * m; i++) by[i] = 0.0;
    for (int64_t j = 0; j < n; j++) {
        leaving l = at_leaving(modes, j, s, false);
        add_mode(h, j, &l, r, h->x[j], h->matrix + m * j, by);
        if (h->u > n) {
            h->matrix[m - 1 + m * j] = modes->b[j];
            l = at_leaving(modes, j, s, true);
            add_mode(h, j, &l, r, h->x[n], h->matrix + m * n, by);
        }
        for (int64_t k = 0; k + 1 < n; k++) {
            double mode = h->mode[j + n * k], nu = h->nu[k];
            h->right[3 + k] += mode * nu * h->rest[j] * sin(0.5 * nu * r);
            if (by) by[m + 3 + k] -= 0.5 * nu * nu * mode * h->rest[j] * cos(0.5 * nu * r);
        }
    }
}


// The amplitudes that satisfy the equations best; returns what is left of them.
static double best_amplitudes(held *h, double s, double r)
{
    int64_t n = h->u, m = h->m, rank = 0;
    equations(h, s, r, NULL);
    for (int64_t j = 0; j < n; j++) {
        h->x[j] = rico_dot(m, h->matrix + m * j, h->right);
        for (int64_t i = 0; i < n; i++)
            h->square[i + n * j] = rico_dot(m, h->matrix + m * i, h->matrix + m * j);
    }
    if (rico_dense_minimum_norm(h->modes->ctx, n, h->square, h->x, 1e-12, h->work, h->pivot, &rank) !=
        RICO_OK)
        return INFINITY;
    rico_dense_times(m, n, -1.0, h->matrix, h->x, 1.0, h->right);
    return rico_norm(m, h->right);
}


// Newton's method on all unknowns; false where it leads nowhere.
static bool refine(held *h, double *s, double *r)
{
    int64_t n = h->u, m = h->m;
    for (int round = 0; round < NEWTON; round++) {
        equations(h, *s, *r, h->square + m * n);
        memcpy(h->square, h->matrix, (size_t)(m * n) * sizeof(double));
        memcpy(h->step, h->right, (size_t)m * sizeof(double));
        rico_dense_times(m, n, -1.0, h->matrix, h->x, 1.0, h->step);
        if (rico_dense_lu(h->modes->ctx, m, h->square, h->pivot) != RICO_OK) return false;
        rico_dense_lu_solve(m, h->square, h->pivot, 1, h->step);
        double far = fmax(fabs(h->step[n]), fabs(h->step[n + 1])), shrink = fmin(1.0, 0.3 / far);
        rico_axpy(n, shrink, h->step, h->x);
        *s += shrink * h->step[n];
        *r += shrink * h->step[n + 1];
        if (!(*s > 0.0 && *r > 0.0)) return false;
        if (far <= 1e-14 * (*s + *r) && rico_norm_inf(n, h->step) <= 1e-12 * rico_norm_inf(n, h->x))
            return true;
    }
    return false;
}


// --- whether it is a motion ----------------------------------------------------------------------------------

typedef struct flight {
    const held *h;
    double s, r;
} flight;


static double gap_in_flight(void *user, double t)
{
    const flight *f = user;
    const rico_modes *modes = f->h->modes;
    double gap = modes->g0, from = t - 0.5 * f->s, p = f->h->u > f->h->n ? f->h->x[f->h->n] : 0.0;
    for (int64_t j = 0; j < modes->n; j++) {
        double omega = modes->omega[j], b = modes->b[j];
        gap += b * (f->h->x[j] * cos(omega * from) + 0.5 * b * p * sin(omega * fabs(from)) / omega);
    }
    return gap;
}


// lambda = b'omega^2 q / W with q = q_e + sum c_k B_k cos(nu_k t), t from the middle of the rest.
static double force_at_rest(void *user, double t)
{
    const flight *f = user;
    const held *h = f->h;
    const rico_modes *modes = h->modes;
    double force = 0.0;
    for (int64_t j = 0; j < h->n; j++)
        force += modes->b[j] * modes->omega[j] * modes->omega[j] / modes->W * h->rest[j];
    for (int64_t k = 0; k + 1 < h->n; k++) force += h->step[k] * cos(h->nu[k] * t);
    return force;
}


// Position and velocity of a mode at leaving, for the unknowns in x.
static void leave(const held *h, double s, int64_t j, double *q, double *v)
{
    leaving l = at_leaving(h->modes, j, s, false);
    *q = l.q * h->x[j];
    *v = l.v * h->x[j];
    if (h->u == h->n) return;
    l = at_leaving(h->modes, j, s, true);
    *q += l.q * h->x[h->n];
    *v += l.v * h->x[h->n];
}


// Into h->step: the share of each held mode in the force, from its position and velocity at leaving. Returns the bound of the force's
// second derivative.
static double force_amplitudes(held *h, double s, double r)
{
    const rico_modes *modes = h->modes;
    double curve = 0.0;
    for (int64_t k = 0; k + 1 < h->n; k++) {
        double y = 0.0, speed = 0.0, weight = 0.0, nu = h->nu[k];
        for (int64_t j = 0; j < h->n; j++) {
            double omega = modes->omega[j], mode = h->mode[j + h->n * k], q, v;
            leave(h, s, j, &q, &v);
            y += mode * (q - h->rest[j]);
            speed += mode * v;
            weight += modes->b[j] * omega * omega / modes->W * mode;
        }
        // y = B cos(nu r/2), speed = -B nu sin(nu r/2)
        h->step[k] = weight * (y * cos(0.5 * nu * r) - speed / nu * sin(0.5 * nu * r));
        curve += fabs(h->step[k]) * nu * nu;
    }
    return curve;
}


static rico_modes_stick judge(held *h, double s, double r)
{
    const rico_modes *modes = h->modes;
    int64_t n = h->n, m = h->m;
    rico_modes_stick out = {.flight = s, .rest = r, .period = s + r, .impulse = h->u > n ? h->x[n] : 0.0};
    flight f = {h, s, r};
    double curve = 0.0, unit = 0.0;
    for (int64_t j = 0; j < n; j++) { // in the middle, after the impact
        double stretch = modes->omega[j] * h->x[j], speed = 0.5 * modes->b[j] * out.impulse;
        out.energy += 0.5 * (stretch * stretch + speed * speed);
        curve += fabs(modes->b[j] * modes->omega[j]) * hypot(stretch, speed);
    }
    equations(h, s, r, NULL);
    rico_dense_times(m, h->u, -1.0, h->matrix, h->x, 1.0, h->right);
    out.residual = rico_norm(m, h->right) / (modes->g0 + sqrt(out.energy));
    // two halves: an impact in the middle is a kink
    out.penetration = -rico_below(gap_in_flight, &f, 0.0, 0.5 * s, 1e-9 * modes->g0, curve);
    curve = force_amplitudes(h, s, r);
    for (int64_t k = 0; k + 1 < n; k++) unit += fabs(h->step[k]);
    out.pull = -rico_below(force_at_rest, &f, 0.0, 0.5 * r, 1e-9 * unit, curve);
    out.admissible = out.penetration == 0.0 && out.pull == 0.0 && out.residual < 1e-9 && out.impulse >= 0.0;
    return out;
}


static void insert(const rico_modes_stick *stick, int64_t room, rico_modes_stick *sticks, int64_t *count)
{
    int64_t at = 0;
    for (int64_t i = 0; i < *count; i++)
        if (fabs(sticks[i].flight - stick->flight) + fabs(sticks[i].rest - stick->rest) <
            1e-8 * stick->period)
            return;
    while (at < *count && sticks[at].flight < stick->flight) at++;
    if (at == room) return;
    if (*count < room) ++*count;
    for (int64_t i = *count - 1; i > at; i--) sticks[i] = sticks[i - 1];
    sticks[at] = *stick;
}


static void try_cell(held *h, double s, double r, double limit, int64_t room, rico_modes_stick *sticks,
                     int64_t *count)
{
    double longest = 2.0 * acos(-1.0) / h->nu[0];
    if (!isfinite(best_amplitudes(h, s, r)) || !refine(h, &s, &r) || s > limit || r > longest) return;
    rico_modes_stick stick = judge(h, s, r);
    if (stick.residual < 1e-9) insert(&stick, room, sticks, count);
}


// What the equations leave over at each point of the grid; Newton's method starts where no neighbour leaves less.
static void search(held *h, double limit, int64_t cells, const double *left, int64_t room,
                   rico_modes_stick *sticks, int64_t *count)
{
    double longest = 2.0 * acos(-1.0) / h->nu[0];
    for (int64_t i = 0; i < cells; i++)
        for (int64_t j = 0; j < cells; j++) {
            bool least = true;
            for (int64_t di = -1; di <= 1; di++)
                for (int64_t dj = -1; dj <= 1; dj++) {
                    int64_t a = i + di, b = j + dj;
                    if (a < 0 || b < 0 || a >= cells || b >= cells) continue;
                    if (left[a * cells + b] < left[i * cells + j]) least = false;
                }
            if (least)
                try_cell(h, limit * ((double)i + 0.5) / (double)cells,
                         longest * ((double)j + 0.5) / (double)cells, limit, room, sticks, count);
        }
}


static rico_status find(const rico_modes *modes, bool impact, double longest_flight, int64_t cells,
                        int64_t room, rico_modes_stick *sticks, int64_t *count)
{
    held h;
    double *left = NULL;
    *count = 0;
    if (!(longest_flight > 0.0 && isfinite(longest_flight)) || cells < 3 || cells > 4096)
        return rico_fail(modes->ctx, RICO_BAD_ARGUMENT,
                         "sticking needs a flight and 3 to 4096 cells, got %g and %lld", longest_flight,
                         (long long)cells);
    rico_status status = prepare(modes, impact, &h);
    if (status == RICO_OK) {
        left = rico_alloc(modes->ctx, cells * cells, sizeof *left);
        status = left ? RICO_OK : RICO_NO_MEMORY;
    }
    if (status == RICO_OK) {
        double longest = 2.0 * acos(-1.0) / h.nu[0];
        for (int64_t i = 0; i < cells; i++)
            for (int64_t j = 0; j < cells; j++)
                left[i * cells + j] = best_amplitudes(&h, longest_flight * ((double)i + 0.5) / (double)cells,
                                                      longest * ((double)j + 0.5) / (double)cells);
        search(&h, longest_flight, cells, left, room, sticks, count);
    }
    rico_free(modes->ctx, left);
    release(&h);
    return status;
}


rico_status rico_modes_sticks(const rico_modes *modes, double longest, int64_t cells, int64_t room,
                              rico_modes_stick *sticks, int64_t *count)
{
    return find(modes, false, longest, cells, room, sticks, count);
}


rico_status rico_modes_sticks_with_impact(const rico_modes *modes, double longest, int64_t cells,
                                          int64_t room, rico_modes_stick *sticks, int64_t *count)
{
    return find(modes, true, longest, cells, room, sticks, count);
}


rico_status rico_modes_stick_state(const rico_modes *modes, const rico_modes_stick *stick, double *q,
                                   double *v)
{
    held h;
    rico_status status = prepare(modes, stick->impulse != 0.0, &h);
    if (status == RICO_OK && !isfinite(best_amplitudes(&h, stick->flight, stick->rest)))
        status = rico_fail(modes->ctx, RICO_SINGULAR, "no amplitudes for a flight of %g", stick->flight);
    for (int64_t j = 0; status == RICO_OK && j < modes->n; j++) leave(&h, stick->flight, j, &q[j], &v[j]);
    release(&h);
    return status;
}
