// Harmonic balance with a nonsmooth shape function, and Gauss' principle in its weak form: motions even in time, one impact per period.

#include "orbit/modes.h"

#include <math.h>

enum { DEFAULT_POINTS = 512, LARGEST = 4096 };

static rico_status check(const rico_modes *modes, double omega, int64_t harmonics)
{
    rico_context *ctx = modes->ctx;
    if (!(omega > 0.0 && isfinite(omega)))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a frequency must be positive, got %g", omega);
    if (harmonics < 0 || harmonics > LARGEST)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "there may be up to %d harmonics, got %lld", LARGEST,
                         (long long)harmonics);
    for (int64_t i = 0; i < modes->n; i++)
        for (int64_t j = 0; j <= harmonics && modes->b[i] != 0.0; j++)
            if (fabs(modes->omega[i] - (double)j * omega) < 1e-13 * modes->omega[i])
                return rico_fail(ctx, RICO_SINGULAR, "harmonic %lld of %g is the frequency of a linear mode",
                                 (long long)j, omega);
    return RICO_OK;
}


// --- a kink --------------------------------------------------------------------------------------------------

// sum_{j > N} cos(j x)/j^2 = pi^2 B_2(x/2pi) - sum_{j <= N}: the parabola beyond the harmonics.
static double tail(double x, int64_t N)
{
    double pi = acos(-1.0), part = x / (2.0 * pi) - floor(x / (2.0 * pi));
    double sum = pi * pi * (part * part - part + 1.0 / 6.0);
    for (int64_t j = N; j >= 1; j--) sum -= cos((double)j * x) / ((double)j * (double)j);
    return sum;
}


// Gap at the phase x per unit of impulse: harmonics of the system up to N, of a free mass beyond.
static double kink(const rico_modes *modes, double omega, int64_t N, double x)
{
    double sum = 0.0, unit = omega / acos(-1.0); // 2/T
    for (int64_t j = 0; j <= N; j++)
        for (int64_t i = 0; i < modes->n; i++) {
            double drive = (double)j * omega, b = modes->b[i], own = modes->omega[i];
            if (b != 0.0)
                sum += (j ? unit : 0.5 * unit) * b * b * cos((double)j * x) / (own * own - drive * drive);
        }
    return sum - unit * modes->W * tail(x, N) / (omega * omega);
}


static double kink_energy(const rico_modes *modes, double omega, int64_t N, double p)
{
    double pi = acos(-1.0), unit = omega / pi * p, sum = 0.0, squares = pi * pi / 6.0,
           fourths = pow(pi, 4.0) / 90.0;
    for (int64_t j = 1; j <= N; j++) {
        double square = (double)j * (double)j;
        squares -= 1.0 / square;
        fourths -= 1.0 / (square * square);
    }
    for (int64_t i = 0; i < modes->n; i++) {
        double own = modes->omega[i] * modes->omega[i], b = modes->b[i] * unit;
        for (int64_t j = 0; j <= N && b != 0.0; j++) {
            double drive = (double)j * omega, q = (j ? b : 0.5 * b) / (own - drive * drive);
            sum += (j ? 0.25 : 0.5) * (own + drive * drive) * q * q;
        }
        sum += 0.25 * b * b * (own * fourths / pow(omega, 4.0) + squares / (omega * omega));
    }
    return sum;
}


rico_status rico_modes_balance_kink(const rico_modes *modes, rico_modes_balance *balance, double *impulse)
{
    rico_status status = check(modes, balance->omega, balance->harmonics);
    if (status != RICO_OK) return status;
    int64_t points = balance->points > 0 ? balance->points : DEFAULT_POINTS;
    double at_impact = kink(modes, balance->omega, balance->harmonics, 0.0);
    if (!(at_impact < 0.0))
        return rico_fail(modes->ctx, RICO_SINGULAR, "no impulse closes the gap at the frequency %g",
                         balance->omega);
    *impulse = -modes->g0 / at_impact;
    balance->penetration = 0.0;
    for (int64_t i = 1; i < points; i++) {
        double x = 2.0 * acos(-1.0) * (double)i / (double)points;
        double gap = modes->g0 + *impulse * kink(modes, balance->omega, balance->harmonics, x);
        balance->penetration = fmax(balance->penetration, -gap);
    }
    balance->energy = kink_energy(modes, balance->omega, balance->harmonics, *impulse);
    balance->residual = 0.0;
    balance->iterations = 0;
    return RICO_OK;
}


// --- Gauss' principle ----------------------------------------------------------------------------------------

// Cost, energy and the part astray, by the mean over a fine grid of the period.
static void look(const rico_modes *modes, rico_modes_gauss *gauss, const double *q)
{
    int64_t n = modes->n, grid = 64 * (gauss->harmonics + 1);
    double away = 0.0;
    gauss->cost = gauss->energy = 0.0;
    for (int64_t k = 0; k < grid; k++) {
        double x = 2.0 * acos(-1.0) * ((double)k + 0.5) / (double)grid, square = 0.0;
        for (int64_t i = 0; i < n; i++) {
            double own = modes->omega[i], position = 0.0, velocity = 0.0, force = 0.0;
            for (int64_t j = 0; j <= gauss->harmonics; j++) {
                double drive = (double)j * gauss->omega, part = q[i + n * j] * cos((double)j * x);
                position += part;
                force += (own * own - drive * drive) * part;
                velocity -= drive * q[i + n * j] * sin((double)j * x);
            }
            square += force * force;
            gauss->energy += 0.5 * (velocity * velocity + own * own * position * position) / (double)grid;
        }
        gauss->cost += square / (double)grid;
        if (cos(x) < 0.0) away += square / (double)grid;
    }
    gauss->astray = gauss->cost > 0.0 ? away / gauss->cost : 0.0;
}


// Stationary where weight q = mu b: the gap is g0 (1 - k(t)/k(0)) with k(t) = sum b^2 cos(j x)/weight, which is nowhere above k(0).
rico_status rico_modes_gauss_solve(const rico_modes *modes, rico_modes_gauss *gauss, double *q)
{
    int64_t n = modes->n;
    double sum = 0.0;
    rico_status status = check(modes, gauss->omega, gauss->harmonics);
    if (status != RICO_OK) return status;
    for (int64_t j = 0; j <= gauss->harmonics; j++)
        for (int64_t i = 0; i < n; i++) {
            double drive = (double)j * gauss->omega, own = modes->omega[i], lag = own * own - drive * drive;
            q[i + n * j] = modes->b[i] == 0.0 ? 0.0 : modes->b[i] * (j ? 2.0 : 1.0) / (lag * lag);
            sum += modes->b[i] * q[i + n * j];
        }
    for (int64_t i = 0; i < n * (gauss->harmonics + 1); i++) q[i] *= -modes->g0 / sum;
    look(modes, gauss, q);
    return RICO_OK;
}
