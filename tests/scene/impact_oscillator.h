// A forced oscillator against a wall, and its orbits of one impact in closed form.

#ifndef RICO_TESTS_IMPACT_OSCILLATOR_H
#define RICO_TESTS_IMPACT_OSCILLATOR_H

#include "support.h"

static const char OSCILLATOR[] =
    "parameters: {omega: 2.4, e: 0.6}\n"
    "parts: {mass: {coordinates: [x], mass: 1, potential: x^2/2, force: cos(omega*t)}}\n"
    "contacts: {wall: {gap: x, restitution: e}}\n"
    "time: {end: 10, step: 0.01}\n";

// One impact per period of x'' + x = cos(omega t), x >= 0. With T = 2 pi/omega, c = 1/(1 - omega^2), phase f of the impact and speed w after it:
//     tan f = -(1 - e) tan(T/2)/(omega (1 + e)),   w = -c (cos f tan(T/2) + omega sin f);
// the monodromy matrix has the determinant e^2 and the trace -2 e cos T - (1 + e) e cos f sin T/w.
typedef struct closed_form {
    double speed, trace; // speed: before the impact
    double phase, after;
} closed_form;

static inline closed_form exact(double omega, double e)
{
    double T = 2.0 * acos(-1.0) / omega, c = 1.0 / (1.0 - omega * omega);
    double f = atan(-(1.0 - e) * tan(T / 2.0) / (omega * (1.0 + e)));
    double w = -c * (cos(f) * tan(T / 2.0) + omega * sin(f));
    if (w < 0.0) { // the other half of the circle
        f += acos(-1.0);
        w = -w;
    }
    return (closed_form){w / e, -2.0 * e * cos(T) - (1.0 + e) * e * cos(f) * sin(T) / w, f, w};
}

#endif
