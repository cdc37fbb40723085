// A damped linear system against one obstacle, driven by a harmonic force: its motions, what they settle to, and branches of them.
//
//     M u'' + C u' + K u = F cos(2 pi t/T0) + w lambda,   0 <= lambda _|_ g = w'u + g0 >= 0,   C = a M + b K,
//
// and Newton's law with restitution e where the gap closes. Everything is in the modes of `rico_modes`, docs/theory/modes.md:
//
//     rico_forced drive = {.period = 4.4, .force = f, .stiffness_damping = 0.02, .restitution = 1.0};
//     rico_forced_motion *motion;
//     rico_forced_motion_create(modes, &drive, &motion);
//     rico_forced_response response;
//     rico_forced_settle(motion, &(rico_forced_search){.transient = 400, .longest = 10}, &response);   // k impacts in r periods

#ifndef RICOCHET_FORCED_H
#define RICOCHET_FORCED_H

#include "ricochet/modes.h"

RICO_API_BEGIN

typedef struct rico_forced {
    double period;                          // T0 > 0 of the force
    const double *force;                    // Phi'F, one amplitude for each mode; NULL: none
    double mass_damping, stiffness_damping; // a >= 0, b >= 0
    double restitution;                     // 0 <= e <= 1
} rico_forced;

// ---- motions ------------------------------------------------------------------------------------------------

typedef struct rico_forced_motion rico_forced_motion;

// At rest at time 0. The modes must outlive it; the forces are copied. RICO_SINGULAR where an undamped mode resonates with the force.
rico_status rico_forced_motion_create(const rico_modes *modes, const rico_forced *drive,
                                      rico_forced_motion **out);
void rico_forced_motion_destroy(rico_forced_motion *motion);
rico_status rico_forced_motion_start(rico_forced_motion *motion, double time, const double *q,
                                     const double *v);
double rico_forced_motion_time(const rico_forced_motion *motion);
int64_t rico_forced_motion_impacts(const rico_forced_motion *motion);        // since the start
const double *rico_forced_motion_position(const rico_forced_motion *motion); // in modes
const double *rico_forced_motion_velocity(const rico_forced_motion *motion);
double rico_forced_motion_gap(const rico_forced_motion *motion);
double rico_forced_motion_energy(const rico_forced_motion *motion);

// From impact to impact up to a time: exact between them, and none is missed, since a bound of the gap's second derivative says how long it stays open.
// Returns false after `most` impacts, a chattering that goes on; the motion then stands at the last of them.
bool rico_forced_motion_to(rico_forced_motion *motion, double time, int64_t most);
// One step of Moreau and Jean's scheme with theta = 1/2: any restitution, contact that lasts, energy kept for e = 1 without damping and force.
void rico_forced_motion_step(rico_forced_motion *motion, double h);

// ---- what a motion settles to: brute force ------------------------------------------------------------------

typedef struct rico_forced_search {
    int64_t transient; // periods of the force to wait
    int64_t longest;   // periods of the response to try: 1, 2, ... times that of the force
    double tolerance;  // of the state's return over its size; 0: 1e-6
    int64_t steps;     // of Moreau and Jean's scheme in a period; 0: from impact to impact
    int64_t most;      // impacts in a period beyond which it chatters; 0: 1000
} rico_forced_search;

typedef struct rico_forced_response {
    int64_t multiple;      // r: the response's period in those of the force; 0: none up to the longest
    int64_t impacts;       // in r periods; in all that were looked at where there is no r
    bool chatter;          // more than `most` impacts in a period
    double energy;         // mean over the time looked at
    double residual;       // of the return
    double largest, least; // of the gap
} rico_forced_response;

rico_status rico_forced_settle(rico_forced_motion *motion, const rico_forced_search *search,
                               rico_forced_response *out);

// ---- branches of k impacts in r periods ---------------------------------------------------------------------

// Responses to the impulses of a period are Green's functions of damped modes, so that an orbit is its times of impact: k equations
//     v(t_i+) = -e v(t_i-),   with impulses p that close the gap at all of them.
typedef struct rico_forced_orbit {
    int64_t impacts, multiple; // k, r
    double time[RICO_MODES_IMPACTS];
    double impulse[RICO_MODES_IMPACTS];
    double period;      // of the force; that of the orbit is r times as long
    double energy;      // mean over the orbit
    double residual;    // of the law of impact, over W times the largest impulse
    double penetration; // deepest that was found below the obstacle, 0 if nowhere
    double multiplier;  // modulus of the largest: it attracts below 1
    bool admissible;    // impulses positive, and the gap nowhere below -1e-9 g0
} rico_forced_orbit;

// Newton's method from the times in `orbit`, which says k and r; the period is the drive's.
rico_status rico_forced_refine(const rico_modes *modes, const rico_forced *drive, rico_forced_orbit *orbit);
// That of a motion that has settled, by the impacts of its next r periods.
rico_status rico_forced_orbit_of(rico_forced_motion *motion, int64_t multiple, rico_forced_orbit *out);
// Modal positions and velocities of an orbit at a time (either may be NULL).
void rico_forced_orbit_state(const rico_modes *modes, const rico_forced *drive,
                             const rico_forced_orbit *orbit, double t, double *q, double *v);
// Follows admissible orbits by pseudo-arclength in (times, period of the force), towards longer (direction > 0) or shorter periods at first, through folds,
// in steps of at most `step`, as rico_modes_follow does.
rico_status rico_forced_follow(const rico_modes *modes, const rico_forced *drive,
                               const rico_forced_orbit *start, int direction, double step, int64_t room,
                               rico_forced_orbit *orbits, int64_t *count, rico_modes_end *end);

// ---- two masses with a cubic spring: shooting ---------------------------------------------------------------

// m1 u1'' + 2k u1 - k u2 + eps (u1 - u2)^3 = F1 cos, m2 u2'' - k u1 + k u2 + eps (u2 - u1)^3 = F2 cos, and C = b K of the linear part;
// a wall at u2 <= gap. A positive eps stiffens; equation (36) of the chapter, as printed, is this with -eps.
typedef struct rico_duffing {
    double mass[2], stiffness, cubic, gap; // m1, m2, k, eps, g0
    double damping, force[2];              // b, amplitudes; all 0 for the free system
    double restitution;                    // above 0
} rico_duffing;

// One impact per period, at time 0. Energies are means over the period.
typedef struct rico_duffing_orbit {
    double period;
    double u1, v1, v2; // just after the impact, where u2 = gap
    double phase;      // of the force, cos(2 pi t/T + phase)
    double energy, residual;
    double least;    // gap between impacts, at the steps of the integration
    bool admissible; // v2 < 0, and that gap nowhere below -1e-9 g0
} rico_duffing_orbit;

// Newton's method on what 0+ and T- must have in common, from the orbit given; its period is held. Free systems (no damping, no force) conserve, which makes
// the equation of v2 follow from the others and the phase nothing.
rico_status rico_duffing_refine(rico_context *ctx, const rico_duffing *system, rico_duffing_orbit *orbit);
// Follows orbits by pseudo-arclength, as rico_forced_follow does, admissible or not, until `room` is full or none is found.
rico_status rico_duffing_follow(rico_context *ctx, const rico_duffing *system,
                                const rico_duffing_orbit *start, int direction, double step, int64_t room,
                                rico_duffing_orbit *orbits, int64_t *count);
// The state (u1, u2, v1, v2) at `samples` times from 0+ on, T apart in all: column after column, four rows.
rico_status rico_duffing_trace(rico_context *ctx, const rico_duffing *system, const rico_duffing_orbit *orbit,
                               int64_t samples, double *out);

RICO_API_END

#endif
