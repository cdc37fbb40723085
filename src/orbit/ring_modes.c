// Modes of a ring of impact oscillators in closed form, and the periods at which they begin.

#include "orbit/ring.h"

#include "la/blas.h"
#include "la/dense.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { HALVINGS = 200 };


// The root of a function that falls over (low, high), ends excluded.
static double fall(double (*function)(double T, int64_t p, double coupling), int64_t p, double coupling,
                   double low, double high)
{
    for (int k = 0; k < HALVINGS; k++) {
        double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high) break;
        if (function(middle, p, coupling) > 0.0)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}


// What a particle that strikes with the speed v = -1 / this feels of its own blows: 1/p sum_q cot(w_q T/2) / w_q. Falls
// from infinity at 0 to minus infinity at the first period of a linear mode.
static double answer(double T, int64_t p, double coupling)
{
    double sum = 0.0;
    for (int64_t k = 0; k < p; k++) {
        double w = rico_ring_frequency(p, coupling, k);
        sum += 1.0 / (w * tan(0.5 * w * T));
    }
    return sum / (double)p;
}


double rico_ring_blow_up_period(int64_t particles, double coupling)
{
    double fastest = rico_ring_frequency(particles, coupling, particles / 2);
    return fall(answer, particles, coupling, 0.0, 2.0 * M_PI / fastest);
}


double rico_ring_in_phase(double period, double t)
{
    return -cos(t) / cos(0.5 * period);
}


double rico_ring_in_phase_speed(double period)
{
    return -tan(0.5 * period);
}


static double beat(double T, int64_t p, double coupling)
{
    (void)p;
    double w = sqrt(1.0 + 4.0 * coupling);
    return 1.0 / tan(0.25 * T) - tan(0.25 * w * T) / w;
}


double rico_ring_out_of_phase_speed(double coupling, double period)
{
    return -2.0 / beat(period, 2, coupling);
}


double rico_ring_out_of_phase_start(double coupling)
{
    return fall(beat, 2, coupling, 0.0, 2.0 * M_PI / sqrt(1.0 + 4.0 * coupling));
}


void rico_ring_out_of_phase(double coupling, double period, double t, double y[2])
{
    double w = sqrt(1.0 + 4.0 * coupling), v = rico_ring_out_of_phase_speed(coupling, period);
    double apart = v / w * sin(w * (t - 0.25 * period)) / cos(0.25 * w * period);
    double mean = 0.5 * v * cos(t - 0.25 * period) / sin(0.25 * period);
    y[0] = mean - 0.5 * apart;
    y[1] = mean + 0.5 * apart;
}


// Both at the wall at 0 and at T/2: their distance is A sin(Omega t), which is 0 at T/2 for T = 4 pi / Omega alone, whatever A; their mean is the mode in
// which all move together at half the period. Speeds at 0 are w -+ A Omega / 2, w = -tan(T/4).
void rico_ring_bridge(double coupling, double share, double t, double y[2], double v[2])
{
    double fast = sqrt(1.0 + 4.0 * coupling), quarter = M_PI / fast, speed = -tan(quarter);
    bool there = coupling > 0.0 && coupling < 0.75 && share >= 0.0 && share <= 1.0;
    double mean = there ? -cos(t - quarter) / cos(quarter) : NAN, rate = sin(t - quarter) / cos(quarter);
    double half = share * speed / fast * sin(fast * t), half_rate = share * speed * cos(fast * t);
    y[0] = mean - half;
    y[1] = mean + half;
    v[0] = there ? rate - half_rate : NAN;
    v[1] = there ? rate + half_rate : NAN;
}


rico_status rico_ring_bridge_stability(rico_context *ctx, double coupling, double share,
                                       rico_ring_stability **stability)
{
    const double wall[2] = {-1.0, -1.0};
    double half = 2.0 * M_PI / sqrt(1.0 + 4.0 * coupling), y[2], v[2], F[16], second[16], space[6];
    rico_ring_motion *motion = NULL;
    rico_ring_stability *made = NULL;
    *stability = NULL;
    if (!(coupling > 0.0 && coupling < 0.75 && share >= 0.0 && share < 1.0))
        return rico_fail(
            ctx, RICO_BAD_ARGUMENT,
            "the bridge has couplings between 0 and 3/4 and shares from 0 to below 1, got %g and %g",
            coupling, share);
    rico_status status = rico_ring_motion_create(ctx, 2, coupling, &motion);
    if (status == RICO_OK) status = rico_ring_stability_room(ctx, 2, &made);
    if (status == RICO_OK) {
        // Mon = S_T F S_{T/2} F, both particles in each S
        rico_ring_flow_matrix(motion, half, space, F);
        memcpy(second, F, sizeof second);
        rico_ring_bridge(coupling, share, half, y, v);
        for (int64_t i = 0; i < 2; i++) rico_ring_saltate(2, coupling, i, wall, v[i], F);
        rico_ring_bridge(coupling, share, 0.0, y, v);
        for (int64_t i = 0; i < 2; i++) rico_ring_saltate(2, coupling, i, wall, -v[i], second);
        for (int j = 0; j < 4; j++)
            rico_dense_times(4, 4, 1.0, second, F + (ptrdiff_t)(4 * j), 0.0,
                             made->monodromy + (ptrdiff_t)(4 * j));
        bool held = rico_blas_hold();
        status = rico_ring_stability_fill(made, 0.0);
        rico_blas_release(held);
    }
    rico_ring_motion_destroy(ctx, motion);
    if (status != RICO_OK) {
        rico_ring_stability_destroy(made);
        return status;
    }
    *stability = made;
    return RICO_OK;
}
