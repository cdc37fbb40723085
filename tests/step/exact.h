// Exact solutions that tests compare with.

#ifndef RICO_TESTS_STEP_EXACT_H
#define RICO_TESTS_STEP_EXACT_H

#include <math.h>

// Position and velocity (right limit) at one time.
typedef struct exact_state {
    double q, v;
} exact_state;


// Ballard's bouncing ball: f = -2, e = 1/2, q = 1 at rest at t = 0. Flights of lengths 1, 1/2, 1/4, ... after the fall
// of length 1, each leaving with speed equal to its length; rest from t = 3 on.
static inline exact_state ballard_ball(double t)
{
    exact_state at = {0.0, 0.0};
    if (t < 1.0) {
        at.q = 1.0 - t * t;
        at.v = -2.0 * t;
        return at;
    }
    double start = 1.0, length = 1.0;
    for (int flight = 0; flight < 1000 && t < 3.0; flight++) {
        double s = t - start;
        if (s < length) {
            at.q = s * (length - s);
            at.v = length - 2.0 * s;
            return at;
        }
        start += length;
        length *= 0.5;
    }
    return at;
}


// m q'' + k q = 0 above the ground q >= 0, restitution e, q = 1 at rest at t = 0: a quarter of a period, then half
// periods, each leaving e times as fast as the one before.
static inline exact_state oscillator(double omega, double e, double t)
{
    exact_state at = {cos(omega * t), -omega * sin(omega * t)};
    double s = omega * t - 0.5 * M_PI;
    if (s < 0.0) return at;
    double flights = floor(s / M_PI), speed = omega * pow(e, flights + 1.0);
    s -= flights * M_PI;
    at.q = speed / omega * sin(s);
    at.v = speed * cos(s);
    return at;
}


// An elastic bar of length L that hits a rigid wall with its end at speed v: contact lasts 2 L / c, c = sqrt(E / rho),
// under the constant force E S v / c (Acary 2012, section 6.2); then the bar leaves with speed v.
typedef struct exact_bar {
    double duration, force;
} exact_bar;

static inline exact_bar impacting_bar_solution(double length, double section, double young, double density,
                                               double speed)
{
    double c = sqrt(young / density);
    exact_bar bar = {2.0 * length / c, young * section * speed / c};
    return bar;
}

#endif
