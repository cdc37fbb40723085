// Damped modes under a harmonic force, as the files of forced motions see them.

#ifndef RICO_ORBIT_FORCED_H
#define RICO_ORBIT_FORCED_H

#include "orbit/modes.h"
#include "ricochet/forced.h"

// One mode: z'' + 2 delta z' + omega^2 z = f cos(rate t).
typedef struct rico_damped {
    double omega, delta;
} rico_damped;
rico_damped rico_damped_mode(const rico_modes *modes, const rico_forced *drive, int64_t j);

// The response S to a unit velocity after a time, and its rate S': z = (S' + 2 delta S) z0 + S v0, v = -omega^2 S z0 + S' v0. Modes may be overdamped.
typedef struct rico_decay {
    double value, rate;
} rico_decay;
rico_decay rico_damped_decay(rico_damped mode, double time);
void rico_damped_flow(rico_damped mode, double time, double *z, double *v);

// The state just after one of the unit impulses that come in every period T: x = Phi(T) x + (0, 1).
void rico_damped_after(rico_damped mode, double T, double *z, double *v);

// The steady motion under f cos(rate t): z = in cos(rate t) + out sin(rate t). False where an undamped mode resonates.
typedef struct rico_steady {
    double in, out;
} rico_steady;
bool rico_damped_steady(rico_damped mode, double f, double rate, rico_steady *out);

// What a motion is of.
const rico_modes *rico_forced_motion_parts(const rico_forced_motion *motion, const rico_forced **drive);

rico_status rico_forced_check(const rico_modes *modes, const rico_forced *drive);

#endif
