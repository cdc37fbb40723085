// Waves in a bar against a wall: shifts of characteristic variables by one cell a step, and boundary elements in time.
//
// right = v - c u_x moves to the right, left = v + c u_x to the left. At the wall right comes in: an end that stays free returns it, one
// in contact returns its opposite, and the wall carries rho c times what came in.

#include "base/context.h"
#include "orbit/bar.h"

#include <math.h>
#include <string.h>

static const double ROUNDING = 1e-9; // of a step's displacement: what counts as just arrived

struct rico_bar_wave {
    rico_context *ctx;
    rico_bar bar;
    int64_t cells;
    double h, dt;
    double spring; // a in u_x(0) = a u(0); infinite: held
    bool averages; // of a step in which contact begins
    double end, held, push;
    double gap; // at the end of the step before
    double *right, *left;
};


static rico_status check(rico_context *ctx, const rico_bar *bar, int64_t cells)
{
    double low, high;
    if (cells < 1)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "waves in a bar need a cell, got %lld", (long long)cells);
    return rico_bar_mode_range(ctx, bar, 1, &low, &high); // refuses a bar that is none
}


rico_status rico_bar_wave_create(rico_context *ctx, const rico_bar *bar, int64_t cells, rico_bar_wave **out)
{
    *out = NULL;
    rico_status status = check(ctx, bar, cells);
    if (status != RICO_OK) return status;
    rico_bar_wave *wave = rico_alloc(ctx, 1, sizeof *wave);
    if (!wave) return RICO_NO_MEMORY;
    *wave = (rico_bar_wave){.ctx = ctx, .bar = *bar, .cells = cells, .spring = INFINITY};
    wave->h = bar->length / (double)cells;
    wave->dt = wave->h / bar->speed;
    wave->right = rico_alloc(ctx, cells, sizeof(double));
    wave->left = rico_alloc(ctx, cells, sizeof(double));
    if (!wave->right || !wave->left) {
        rico_bar_wave_destroy(wave);
        return RICO_NO_MEMORY;
    }
    *out = wave;
    return RICO_OK;
}


void rico_bar_wave_destroy(rico_bar_wave *wave)
{
    if (!wave) return;
    rico_free(wave->ctx, wave->right);
    rico_free(wave->ctx, wave->left);
    rico_free(wave->ctx, wave);
}


void rico_bar_wave_start(rico_bar_wave *wave, const double *velocity, const double *strain, double held_end)
{
    double c = wave->bar.speed;
    wave->end = wave->held = held_end;
    wave->push = 0.0;
    wave->gap = wave->bar.gap;
    for (int64_t i = 0; i < wave->cells; i++) {
        wave->right[i] = velocity[i] - c * strain[i];
        wave->left[i] = velocity[i] + c * strain[i];
        wave->end += wave->h * strain[i];
    }
}


rico_status rico_bar_wave_set_spring(rico_bar_wave *wave, double a)
{
    if (!(a > 0.0))
        return rico_fail(wave->ctx, RICO_BAD_ARGUMENT, "the spring of a bar must be positive, got %g", a);
    wave->spring = a;
    return RICO_OK;
}


void rico_bar_wave_set_averages(rico_bar_wave *wave, bool averages)
{
    wave->averages = averages;
}


// u0' = left - c a u0, right = left - 2 c a u0, by the midpoint rule: what the wave loses over a step is what the spring gains, exactly.
static double reflect_at_spring(rico_bar_wave *wave, double in)
{
    double half = 0.5 * wave->bar.speed * wave->spring * wave->dt;
    double next = ((1.0 - half) * wave->held + wave->dt * in) / (1.0 + half);
    double speed = (next - wave->held) / wave->dt;
    wave->held = next;
    return 2.0 * speed - in;
}


void rico_bar_wave_step(rico_bar_wave *wave, double gap, const double *force)
{
    int64_t last = wave->cells - 1;
    size_t moved = (size_t)last * sizeof(double);
    for (int64_t i = 0; force && i <= last; i++) {
        wave->right[i] += wave->dt * force[i];
        wave->left[i] += wave->dt * force[i];
    }
    double in = wave->right[last], back = wave->left[0];
    memmove(wave->right + 1, wave->right, moved);
    memmove(wave->left, wave->left + 1, moved);
    wave->right[0] = isinf(wave->spring) ? -back : reflect_at_spring(wave, back);

    // free unless that takes the end into the wall; then it moves as the wall does, and a wall that stands keeps the energy; or, averaged,
    // as far as there is room
    double free_end = wave->end + wave->dt * in;
    double wall = (gap - (wave->averages ? wave->end : wave->gap)) / wave->dt;
    bool touches =
        free_end - gap >
        ROUNDING * fabs(wave->dt * in); // one that arrives at the end of the step does not push yet
    wave->left[last] = touches ? 2.0 * wall - in : in;
    wave->push = touches ? wave->bar.stiffness / wave->bar.speed * (in - wall) : 0.0; // rho c S (in - wall)
    wave->end = fmin(gap, free_end);
    wave->gap = gap;
}


rico_context *rico_bar_wave_context(const rico_bar_wave *wave)
{
    return wave->ctx;
}


const rico_bar *rico_bar_wave_bar(const rico_bar_wave *wave)
{
    return &wave->bar;
}


int64_t rico_bar_wave_cells(const rico_bar_wave *wave)
{
    return wave->cells;
}


double rico_bar_wave_time_step(const rico_bar_wave *wave)
{
    return wave->dt;
}


double rico_bar_wave_end(const rico_bar_wave *wave)
{
    return wave->end;
}


double rico_bar_wave_held(const rico_bar_wave *wave)
{
    return wave->held;
}


double rico_bar_wave_push(const rico_bar_wave *wave)
{
    return wave->push;
}


// (rho S h/4) sum (right^2 + left^2), and ES a u0^2/2.
double rico_bar_wave_energy(const rico_bar_wave *wave)
{
    double sum = 0.0, mass = wave->bar.stiffness / (wave->bar.speed * wave->bar.speed);
    for (int64_t i = 0; i < wave->cells; i++)
        sum += wave->right[i] * wave->right[i] + wave->left[i] * wave->left[i];
    double energy = 0.25 * mass * wave->h * sum;
    if (!isinf(wave->spring)) energy += 0.5 * wave->bar.stiffness * wave->spring * wave->held * wave->held;
    return energy;
}


void rico_bar_wave_state(const rico_bar_wave *wave, double *velocity, double *strain)
{
    for (int64_t i = 0; i < wave->cells; i++) {
        velocity[i] = 0.5 * (wave->right[i] + wave->left[i]);
        strain[i] = 0.5 * (wave->left[i] - wave->right[i]) / wave->bar.speed;
    }
}


// --- boundary elements in time -------------------------------------------------------------------------------

// With P = c integral of u_x in time at either end, the representation at xi = 0 and xi = L for u(0) = 0, N steps being L/c:
//     P0(t) = U(t - L/c) + PL(t - L/c) + u0(ct) + (1/c) int_0^ct v0,
//     U(t)  = PL(t) - P0(t - L/c) + u0(L - ct) + (1/c) int_{L-ct}^L v0,
// the terms of the initial state dropped once they leave the bar, and the integrals cut off at its ends. Free: PL stays; in contact:
// U = g0 gives PL, which can only fall.
void rico_bar_boundary_march(const rico_bar *bar, int64_t cells, const double *u0, const double *v,
                             int64_t steps, double *P0, double *PL, double *U)
{
    int64_t N = cells;
    double dt = bar->length / (double)N / bar->speed, from_held = 0.0, from_end = 0.0;
    U[0] = u0[N];
    P0[0] = PL[0] = 0.0;
    for (int64_t n = 1; n <= steps; n++) {
        if (n <= N) {
            from_held += v[n - 1] * dt;
            from_end += v[N - n] * dt;
        }
        // at the moment the wave of the other end arrives both the initial value and the retarded one are there: half of each, which
        // are equal, so that one does
        P0[n] = from_held + (n < N ? u0[n] : U[n - N] + PL[n - N]);
        double known = from_end + (n < N ? u0[N - n] : 0.0) - (n >= N ? P0[n - N] : 0.0);
        PL[n] = PL[n - 1];
        U[n] = PL[n] + known;
        if (U[n] - bar->gap > ROUNDING * fabs(U[n] - U[n - 1])) PL[n] = bar->gap - known;
        U[n] = fmin(U[n], bar->gap);
    }
}


rico_status rico_bar_boundary(rico_context *ctx, const rico_bar *bar, int64_t cells, const double *u0,
                              const double *v0, int64_t steps, double *end, double *push)
{
    rico_status status = check(ctx, bar, cells);
    if (status != RICO_OK) return status;
    int64_t N = cells, room = steps + 1;
    double dt = bar->length / (double)N / bar->speed;
    double *P0 = rico_alloc(ctx, 3 * room + N, sizeof *P0);
    if (!P0) return RICO_NO_MEMORY;
    double *PL = P0 + room, *U = PL + room, *v = U + room;
    for (int64_t i = 0; i < N; i++) v[i] = 0.5 * (v0[i] + v0[i + 1]);
    rico_bar_boundary_march(bar, N, u0, v, steps, P0, PL, U);
    for (int64_t n = 1; n <= steps; n++) {
        end[n - 1] = U[n];
        push[n - 1] = -bar->stiffness * (PL[n] - PL[n - 1]) / (bar->speed * dt);
    }
    rico_free(ctx, P0);
    return RICO_OK;
}
