// Two masses with a cubic spring and no wall, by shooting: half a period of a free motion from rest to rest, a whole one of a forced motion.

#include "lab/smooth_duffing.h"

#include "orbit/curve.h"

#include <math.h>
#include <string.h>

enum { STEPS = 400, FREE = 2, FORCED = 4 };

typedef struct shot {
    const rico_smooth_duffing *system;
    bool forced;
} shot;


static void derivative(const rico_smooth_duffing *s, double drive, const double *x, double *out)
{
    double apart = x[0] - x[1], cube = s->cubic * apart * apart * apart;
    double first = x[0] + s->damping * x[2], second = x[1] + s->damping * x[3];
    out[0] = x[2];
    out[1] = x[3];
    out[2] = s->force * drive - 2.0 * first + second - cube;
    out[3] = first - second + cube;
}


static void runge_kutta(const rico_smooth_duffing *s, double rate, double t, double h, double *x)
{
    static const double AT[] = {0.0, 0.5, 0.5, 1.0}, WEIGHT[] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    double slope[4] = {0.0}, sum[4] = {0.0}, place[4];
    for (int stage = 0; stage < 4; stage++) {
        for (int i = 0; i < 4; i++) place[i] = x[i] + AT[stage] * h * slope[i];
        derivative(s, cos(rate * (t + AT[stage] * h)), place, slope);
        for (int i = 0; i < 4; i++) sum[i] += WEIGHT[stage] * slope[i];
    }
    for (int i = 0; i < 4; i++) x[i] += h * sum[i];
}


// Unknowns: u1, u2, with v1, v2 of a forced motion, then the frequency.
static rico_status left_over(void *user, const double *y, double *F)
{
    const shot *now = user;
    int64_t m = now->forced ? FORCED : FREE;
    double x[4] = {y[0], y[1], now->forced ? y[2] : 0.0, now->forced ? y[3] : 0.0}, rate = y[m];
    if (!(rate > 0.0)) return RICO_BAD_ARGUMENT;
    double end = 2.0 * acos(-1.0) / rate * (now->forced ? 1.0 : 0.5);
    for (int i = 0; i < STEPS; i++) runge_kutta(now->system, rate, end * i / STEPS, end / STEPS, x);
    F[0] = now->forced ? x[0] - y[0] : x[2];
    F[1] = now->forced ? x[1] - y[1] : x[3];
    if (now->forced) {
        F[2] = x[2] - y[2];
        F[3] = x[3] - y[3];
    }
    return isfinite(F[0] + F[1]) ? RICO_OK : RICO_SINGULAR;
}


static double mean_energy(const shot *now, const double *y)
{
    const rico_smooth_duffing *s = now->system;
    int64_t m = now->forced ? FORCED : FREE;
    double x[4] = {y[0], y[1], now->forced ? y[2] : 0.0, now->forced ? y[3] : 0.0}, sum = 0.0;
    double T = 2.0 * acos(-1.0) / y[m];
    for (int i = 0; i < STEPS; i++) {
        double apart = x[0] - x[1], square = apart * apart;
        sum += 0.5 * (x[2] * x[2] + x[3] * x[3] + x[0] * x[0] + square) + 0.25 * s->cubic * square * square;
        runge_kutta(s, y[m], T * i / STEPS, T / STEPS, x);
    }
    return sum / STEPS;
}


// The linear mode at a small size, or the linear response without damping.
static void start(const shot *now, double *y)
{
    const rico_smooth_duffing *s = now->system;
    double golden = 0.5 * (sqrt(5.0) - 1.0), rate = s->mode == 1 ? golden : golden + 1.0, w = s->low * s->low;
    if (!now->forced) { // (1, 2 - rate^2) of K = [2 -1; -1 1]
        y[0] = 0.01;
        y[1] = 0.01 * (2.0 - rate * rate);
        y[2] = rate;
        return;
    }
    double det = (2.0 - w) * (1.0 - w) - 1.0;
    y[0] = s->force * (1.0 - w) / det;
    y[1] = s->force / det;
    y[2] = y[3] = 0.0;
    y[4] = s->low;
}


static bool goes_on(const shot *now, double rate, double energy)
{
    const rico_smooth_duffing *s = now->system;
    return rate <= s->high && rate >= 0.99 * s->low && (now->forced || energy <= s->energy);
}


rico_status rico_smooth_duffing_branch(const rico_smooth_duffing *system, rico_sheet *sheet)
{
    shot now = {system, system->force != 0.0};
    int64_t m = now.forced ? FORCED : FREE, count = 0;
    rico_curve curve = {
        .ctx = sheet->ctx, .equations = m, .function = left_over, .user = &now, .tolerance = 1e-9};
    double y[RICO_CURVE_UNKNOWNS], along[RICO_CURVE_UNKNOWNS], border[RICO_CURVE_UNKNOWNS] = {0.0},
                                                               h = system->step;
    double *found = rico_alloc(sheet->ctx, 2 * system->points, sizeof *found);
    if (!found) return RICO_NO_MEMORY;
    start(&now, y);
    border[now.forced ? m : 0] = 1.0; // a backbone starts at a given size, a response at a given frequency
    bool ok = rico_curve_newton(&curve, border, y) && rico_curve_tangent(&curve, y, border, along);
    while (ok && count < system->points && h > 1e-6 * system->step) {
        double next[RICO_CURVE_UNKNOWNS], turned[RICO_CURVE_UNKNOWNS];
        found[2 * count] = y[m];
        found[2 * count + 1] = mean_energy(&now, y);
        if (!goes_on(&now, y[m], found[2 * count + 1])) break;
        if (!rico_curve_advance(&curve, y, along, h, next, turned)) {
            h *= 0.5;
            continue;
        }
        memcpy(y, next, sizeof y);
        memcpy(along, turned, sizeof along);
        h = fmin(system->step, 1.5 * h);
        count++;
    }
    rico_status status = RICO_OK;
    double *frequency = NULL, *energy = NULL;
    if (count < 2)
        status = rico_fail(sheet->ctx, RICO_SINGULAR,
                           "no smooth vibration was found from the frequency %g on", y[m]);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "frequency", count, NULL, &frequency);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "energy", count, NULL, &energy);
    for (int64_t i = 0; status == RICO_OK && i < count; i++) {
        frequency[i] = found[2 * i];
        energy[i] = found[2 * i + 1];
    }
    rico_free(sheet->ctx, found);
    return status;
}
