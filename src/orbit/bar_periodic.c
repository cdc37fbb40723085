// Periodic motions of a bar against a wall on the grid of its waves: free ones with prescribed contacts, and what forced ones settle to.

#include "base/context.h"
#include "la/dense.h"
#include "orbit/bar.h"

#include <math.h>
#include <string.h>

enum { LARGEST = 400 };

// --- prescribed contacts -------------------------------------------------------------------------------------

// One step of the state (right, left, u0 times `unit`), units chosen so that its square is the energy over (mass h/4).
typedef struct grid {
    int64_t N;
    double half, unit, dt; // c a dt/2, and of the spring
} grid;


static void shift(const grid *g, bool touches, double *x)
{
    int64_t N = g->N;
    double *right = x, *left = x + N, in = right[N - 1], back = left[0], out = -back;
    if (g->half > 0.0) { // the midpoint rule of rico_bar_wave_step
        double held = x[2 * N] / g->unit, next = ((1.0 - g->half) * held + g->dt * back) / (1.0 + g->half);
        out = 2.0 * (next - held) / g->dt - back;
        x[2 * N] = next * g->unit;
    }
    memmove(right + 1, right, (size_t)(N - 1) * sizeof *x);
    memmove(left, left + 1, (size_t)(N - 1) * sizeof *x);
    right[0] = out;
    left[N - 1] = touches ? -in : in;
}


// B = (A - 1)'(A - 1), whose kernel is that of A - 1.
static rico_status squared(rico_context *ctx, const grid *g, const rico_bar_periodic *search, int64_t size,
                           double *B)
{
    double *A = rico_alloc(ctx, size * size, sizeof *A);
    if (!A) return RICO_NO_MEMORY;
    for (int64_t c = 0; c < size; c++) {
        double *x = A + size * c;
        x[c] = 1.0;
        for (int64_t n = 0; n < search->free_steps; n++) shift(g, false, x);
        for (int64_t n = 0; n < search->contact_steps; n++) shift(g, true, x);
        x[c] -= 1.0;
    }
    rico_dense_transpose_product(size, size, size, A, A, B);
    rico_free(ctx, A);
    return RICO_OK;
}


// The functional u(L) = u0 + h sum strain, projected onto the kernel; its product with itself.
static double project(const grid *g, double h, double c, const double *vectors, int64_t size, int64_t kernel,
                      double *x)
{
    double sum = 0.0;
    memset(x, 0, (size_t)size * sizeof *x);
    for (int64_t k = 0; k < kernel; k++) {
        const double *v = vectors + size * k;
        double part = g->half > 0.0 ? v[2 * g->N] / g->unit : 0.0;
        for (int64_t i = 0; i < g->N; i++) part += 0.5 * h / c * (v[g->N + i] - v[i]);
        rico_axpy(size, part, v, x);
        sum += part * part;
    }
    return sum;
}


// Runs the motion under the contact law and says how far it comes from where it was.
static rico_status replay(rico_context *ctx, const rico_bar *bar, rico_bar_periodic *search,
                          const double *velocity, const double *strain, double held)
{
    rico_bar_wave *wave = NULL;
    int64_t N = search->cells;
    double *now = rico_alloc(ctx, 2 * N, sizeof *now), off = 0.0, size = 0.0, c = bar->speed;
    rico_status status = now ? rico_bar_wave_create(ctx, bar, N, &wave) : RICO_NO_MEMORY;
    if (status == RICO_OK && !isinf(search->spring)) status = rico_bar_wave_set_spring(wave, search->spring);
    if (status == RICO_OK) {
        rico_bar_wave_start(wave, velocity, strain, held);
        search->period = rico_bar_wave_time_step(wave) * (double)(search->free_steps + search->contact_steps);
        search->energy = rico_bar_wave_energy(wave);
        bool as_told = true;
        for (int64_t n = 0; n < search->free_steps + search->contact_steps; n++) {
            rico_bar_wave_step(wave, bar->gap, NULL);
            double push = rico_bar_wave_push(wave);
            if (push < 0.0 || (push > 1e-9 * bar->stiffness && n < search->free_steps)) as_told = false;
        }
        rico_bar_wave_state(wave, now, now + N);
        for (int64_t i = 0; i < N; i++) {
            double dv = now[i] - velocity[i], ds = c * (now[N + i] - strain[i]);
            off += dv * dv + ds * ds;
            size += velocity[i] * velocity[i] + c * c * strain[i] * strain[i];
        }
        search->residual = sqrt(off / size);
        search->admissible = as_told && search->residual < 1e-9;
    }
    rico_bar_wave_destroy(wave);
    rico_free(ctx, now);
    return status;
}


static rico_status check(rico_context *ctx, const rico_bar_periodic *search)
{
    if (search->cells < 1 || search->cells > LARGEST)
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "a search for periodic motions takes 1 to %d cells, got %lld", LARGEST,
                         (long long)search->cells);
    if (search->free_steps < 1 || search->contact_steps < 0)
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "a period needs free steps, then steps in contact: got %lld and %lld",
                         (long long)search->free_steps, (long long)search->contact_steps);
    if (!(search->spring > 0.0))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "the spring of a bar must be positive, got %g",
                         search->spring);
    return RICO_OK;
}


rico_status rico_bar_wave_periodic(rico_context *ctx, const rico_bar *bar, rico_bar_periodic *search,
                                   double *velocity, double *strain, double *held)
{
    rico_status status = check(ctx, search);
    if (status != RICO_OK) return status;
    bool sprung = !isinf(search->spring);
    int64_t N = search->cells, size = 2 * N + (sprung ? 1 : 0);
    double h = bar->length / (double)N, c = bar->speed;
    grid g = {.N = N, .dt = h / c};
    if (sprung) { // ES a u0^2/2 over (mass h/4), mass = ES/c^2
        g.half = 0.5 * c * search->spring * g.dt;
        g.unit = c * sqrt(2.0 * search->spring / h);
    }
    double *B = rico_alloc(ctx, size * size + 2 * size, sizeof *B);
    if (!B) return RICO_NO_MEMORY;
    double *values = B + size * size, *x = values + size;
    status = squared(ctx, &g, search, size, B);
    if (status == RICO_OK) status = rico_dense_eigen(ctx, size, B, true, values);
    if (status == RICO_OK) {
        search->freedom = 0;
        while (search->freedom < size && values[search->freedom] < 1e-11) search->freedom++;
        double reach = project(&g, h, c, B, size, search->freedom, x);
        if (reach > 1e-12 * h * h) {
            for (int64_t i = 0; i < size; i++) x[i] *= bar->gap / reach;
            for (int64_t i = 0; i < N; i++) {
                velocity[i] = 0.5 * (x[i] + x[N + i]);
                strain[i] = 0.5 * (x[N + i] - x[i]) / c;
            }
            *held = sprung ? x[2 * N] / g.unit : 0.0;
            status = replay(ctx, bar, search, velocity, strain, *held);
        } else {
            status =
                rico_fail(ctx, RICO_SINGULAR,
                          "no state that closes the gap comes back after %lld free steps and %lld in contact",
                          (long long)search->free_steps, (long long)search->contact_steps);
        }
    }
    rico_free(ctx, B);
    return status;
}


// --- forced --------------------------------------------------------------------------------------------------

typedef struct passing {
    double *velocity, *strain, *force; // N each
} passing;


// One period; adds up energy and contact.
static void pass(rico_bar_wave *wave, const rico_bar_forced *drive, double gap, const passing *w, double *end,
                 double *energy, int64_t *touching)
{
    double turn = 2.0 * acos(-1.0) / (double)drive->steps;
    for (int64_t n = 0; n < drive->steps; n++) {
        rico_bar_wave_state(wave, w->velocity, w->strain);
        double load = drive->force * cos(turn * ((double)n + 0.5));
        for (int64_t i = 0; i < drive->cells; i++) w->force[i] = load - drive->damping * w->velocity[i];
        rico_bar_wave_step(wave, gap + drive->wall * cos(turn * (double)(n + 1)), w->force);
        *energy += rico_bar_wave_energy(wave);
        if (rico_bar_wave_push(wave) > 0.0) ++*touching;
        if (end) end[n] = rico_bar_wave_end(wave);
    }
}


static double distance(int64_t N, double c, const passing *now, const double *before)
{
    double off = 0.0, size = 0.0;
    for (int64_t i = 0; i < N; i++) {
        double dv = now->velocity[i] - before[i], ds = c * (now->strain[i] - before[N + i]);
        off += dv * dv + ds * ds;
        size += before[i] * before[i] + c * c * before[N + i] * before[N + i];
    }
    return sqrt(off / fmax(size, 1e-300));
}


rico_status rico_bar_wave_settle(rico_bar_wave *wave, rico_bar_forced *drive, double *end)
{
    const rico_bar *bar = rico_bar_wave_bar(wave);
    rico_context *ctx = rico_bar_wave_context(wave);
    int64_t N = rico_bar_wave_cells(wave), touching = 0;
    double tolerance = drive->tolerance > 0.0 ? drive->tolerance : 1e-6, energy = 0.0;
    if (drive->cells != N || drive->steps < 2 || drive->transient < 0 || drive->longest < 1)
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "a response needs the %lld cells of its wave, steps, and periods to look at: got "
                         "%lld, %lld, %lld",
                         (long long)N, (long long)drive->cells, (long long)drive->steps,
                         (long long)drive->longest);
    if (!(fabs(drive->wall) < bar->gap))
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "the wall must not reach the bar at rest: it moves by %g of %g", drive->wall,
                         bar->gap);
    double *work = rico_alloc(ctx, 5 * N, sizeof *work);
    if (!work) return RICO_NO_MEMORY;
    passing now = {work, work + N, work + 2 * N};
    rico_bar_wave_set_averages(wave, true);
    double *before = work + 3 * N;
    for (int64_t r = 0; r < drive->transient && !rico_context_interrupted(ctx); r++)
        pass(wave, drive, bar->gap, &now, NULL, &energy, &touching);
    rico_bar_wave_state(wave, before, before + N);
    energy = 0.0;
    touching = 0;
    drive->multiple = 0;
    for (int64_t r = 1; r <= drive->longest && drive->multiple == 0; r++) {
        pass(wave, drive, bar->gap, &now, end ? end + (r - 1) * drive->steps : NULL, &energy, &touching);
        rico_bar_wave_state(wave, now.velocity, now.strain);
        drive->residual = distance(N, bar->speed, &now, before);
        drive->energy = energy / (double)(r * drive->steps);
        drive->contact = (double)touching / (double)(r * drive->steps);
        if (drive->residual <= tolerance) drive->multiple = r;
    }
    rico_free(ctx, work);
    if (rico_context_interrupted(ctx))
        return rico_fail(ctx, RICO_INTERRUPTED, "interrupted in a response of a bar");
    return RICO_OK;
}
