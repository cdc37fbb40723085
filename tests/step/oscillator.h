// The exact motion of a mass on a spring above a ground: q'' = -omega^2 q between impacts, v+ = -e v- at q = -offset.

#ifndef RICO_TESTS_STEP_OSCILLATOR_H
#define RICO_TESTS_STEP_OSCILLATOR_H

#include <math.h>

typedef struct oscillator {
    double omega, offset, e; // offset > 0: the ground is below the spring's rest
    double q, v;             // at t = 0, above the ground
} oscillator;

// The state at time t, from impact to impact. With q = R cos(phase), v = -omega R sin(phase), the mass comes down
// through -offset at phase pi - acos(offset / R), if it swings that far, and leaves again from 2 pi minus that one.
static inline void oscillator_at(const oscillator *self, double t, double *q, double *v)
{
    double radius = hypot(self->q, self->v / self->omega);
    double phase = atan2(-self->v / self->omega, self->q);
    for (;;) {
        double touch = radius > self->offset ? M_PI - acos(self->offset / radius) : INFINITY;
        if (phase > touch) phase -= 2.0 * M_PI;
        double wait = (touch - phase) / self->omega;
        if (wait > t) break;
        t -= wait;
        double speed = self->e * self->omega * radius * sin(touch);
        radius = hypot(self->offset, speed / self->omega);
        phase = atan2(-speed / self->omega, -self->offset); // upwards: in (-pi, -pi/2)
    }
    phase += self->omega * t;
    *q = radius * cos(phase);
    *v = -self->omega * radius * sin(phase);
}

#endif
