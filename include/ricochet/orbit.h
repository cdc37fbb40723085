// Periodic orbits of any system whose contacts are listed: found by shooting from event to event, followed over a parameter.
//
//     rico_orbits *orbits;
//     rico_orbits_create(ctx, &family, NULL, &orbits);
//     rico_orbit *orbit;
//     rico_orbit_find(orbits, &(rico_orbit_start){.value = 2.4, .q = q, .v = v}, &orbit);
//
// An orbit is cut at its events (impacts, lift-offs, slips, sticks). Each piece is a smooth function of where it begins and how
// long it lasts, with its contacts held to their states; Newton's method asks that pieces join, that each event happens at the end
// of its piece, and that the last joins the first. The product of the pieces' derivatives, the times of events included, is the
// monodromy matrix: what the literature calls saltation is part of it. Beside the states an orbit may have one parameter of the
// system as an unknown: a branch is followed through its folds, and where the sequence of its events changes (an impact is gained
// or lost by grazing) the point is located and, where the motion goes on with another sequence, the branch with it.
// docs/theory/orbits.md.

#ifndef RICOCHET_ORBIT_H
#define RICOCHET_ORBIT_H

#include "ricochet/events.h"

RICO_API_BEGIN

// ---- the systems --------------------------------------------------------------------------------------------

// Simulations with the scheme "event-driven" over a parameter; all of the same coordinates and contacts.
typedef struct rico_family {
    // A simulation at a value of the parameter, not started; `owner` is handed back to drop(), which destroys both.
    rico_status (*make)(void *user, double value, rico_simulation **sim, void **owner);
    void (*drop)(void *user, rico_simulation *sim, void *owner);
    // The period of what drives the system; NULL: nothing does, the period is an unknown.
    rico_status (*period)(void *user, double value, double *period);
    void *user;
    double stride; // of difference quotients in the parameter; 0: 1e-4 max(1, |value|)
} rico_family;

typedef struct rico_orbit_options {
    double tol;         // last correction of Newton's method, over the sizes of the motion
    int64_t iterations; // of it, at most
    int64_t pieces;     // cut into so many at least: multiple shooting for what is very unstable
    int64_t multiple;   // periods of the driving in one of the orbit
    bool
        conservative; // nothing drives it and its energy is kept: orbits come in families, the period is given
    bool
        over_period; // of a conservative system: a branch is followed over the period, the parameter keeps its value
    const char *free;    // for each position 1 where its change over a period does not matter (NULL: none)
    const double *shift; // what a period adds to each position (NULL: nothing): a crank's 2 pi
} rico_orbit_options;
rico_orbit_options rico_orbit_defaults(void); // 1e-10, 30, 1, 1; all else 0

typedef struct rico_orbits rico_orbits;

// The family and the arrays of the options must live as long. options NULL: the defaults.
rico_status rico_orbits_create(rico_context *ctx, const rico_family *family,
                               const rico_orbit_options *options, rico_orbits **out);
void rico_orbits_destroy(rico_orbits *orbits);

// ---- one orbit ----------------------------------------------------------------------------------------------

typedef struct rico_orbit rico_orbit;

// Where to look: a motion from (t, q, v) over a period is near the orbit and has its events.
typedef struct rico_orbit_start {
    double value; // of the parameter
    double t;     // the phase of the driving at which the orbit begins
    const double *q, *v;
    double period; // a guess, or of a conservative system the period; not read where the system is driven
} rico_orbit_start;

// RICO_UNSUPPORTED where there is no orbit nearby, with a sentence; *out stays NULL then.
rico_status rico_orbit_find(rico_orbits *orbits, const rico_orbit_start *start, rico_orbit **out);
void rico_orbit_destroy(rico_orbit *orbit);

double rico_orbit_value(const rico_orbit *orbit);
double rico_orbit_period(const rico_orbit *orbit);
double rico_orbit_time(const rico_orbit *orbit); // its phase
const double *rico_orbit_position(const rico_orbit *orbit);
const double *rico_orbit_velocity(const rico_orbit *orbit);
double rico_orbit_residual(const rico_orbit *orbit); // of Newton's method, over the sizes of the motion
int64_t rico_orbit_iterations(const rico_orbit *orbit);
double rico_orbit_unfolding(
    const rico_orbit *orbit); // of a conservative system: the damping that was asked for, 0 but for round-off

// The monodromy matrix, 2 nv x 2 nv, column by column: changes of positions in velocities, then of velocities. Its
// eigenvalues, the largest modulus first; conjugates follow each other.
const double *rico_orbit_monodromy(const rico_orbit *orbit);
int64_t rico_orbit_multipliers(const rico_orbit *orbit, const double **real, const double **imag);
int64_t rico_orbit_trivial(const rico_orbit *orbit); // how many of them are 1 for every orbit of its kind

// The largest modulus of the others. An orbit is stable where it is below 1 (conservative: not above, but for round-off).
double rico_orbit_growth(const rico_orbit *orbit);
bool rico_orbit_stable(const rico_orbit *orbit);

// A run of the event-driven scheme over one period, which knows nothing of all this: where it ended, over the sizes of the
// motion; whether its events were those of the orbit; if not, what differs, in words ("" else). Its events.
double rico_orbit_return_error(const rico_orbit *orbit);
bool rico_orbit_lawful(const rico_orbit *orbit);
const char *rico_orbit_note(const rico_orbit *orbit);
const rico_event *rico_orbit_events(const rico_orbit *orbit, int64_t *count);

// Moments of the orbit, so many in each piece and both ends: times and states (q, v) behind one another, which rico_orbit_samples_free()
// releases. At an event there are two, before and after it.
typedef struct rico_orbit_samples {
    int64_t count;
    double *t, *x;
} rico_orbit_samples;
rico_status rico_orbit_sample(rico_orbits *orbits, const rico_orbit *orbit, int64_t each,
                              rico_orbit_samples *out);
void rico_orbit_samples_free(rico_orbits *orbits, rico_orbit_samples *samples);

// The state (q, v) at the phase t of the driving, or at a time after the start of the orbit.
rico_status rico_orbit_state(rico_orbits *orbits, const rico_orbit *orbit, double t, double *x);

// ---- branches ---------------------------------------------------------------------------------------------------

typedef enum rico_orbit_point {
    RICO_POINT_ORDINARY,
    RICO_POINT_FOLD,     // the branch turns back
    RICO_POINT_FLIP,     // a multiplier passes -1: orbits of twice the period begin
    RICO_POINT_TORUS,    // a pair of multipliers leaves the unit circle, or comes back
    RICO_POINT_CROSSING, // a multiplier passes 1 and the branch does not turn: another one crosses
    RICO_POINT_GRAZING,  // the sequence of events changes
    RICO_POINT_BOUND,    // the end of the range
    RICO_POINTS
} rico_orbit_point;
const char *rico_orbit_point_name(rico_orbit_point kind); // "fold", "period doubling", ...

typedef struct rico_branch_options {
    double low, high;   // values of the parameter, or periods
    double direction;   // +1 or -1: which way to begin
    double resolution;  // points differ by that share of the range at most; 0: 1/50
    int64_t points;     // at most; 0: 1000
    bool keep_sequence; // end where the sequence of events changes instead of going on with another one
} rico_branch_options;

// Called for each point; `note` says what happens there in words, "" at ordinary ones. Returns false to stop.
typedef bool (*rico_branch_function)(void *user, const rico_orbit *orbit, rico_orbit_point kind,
                                     const char *note);

// Follows the branch of an orbit, which is its first point. Whatever ends it, all points before have been handed over, and `ending`
// says why in words. RICO_OK where it ends by itself: at a bound, where no orbit goes on, at the last point that was asked for.
enum { RICO_BRANCH_ENDING = 400 };
rico_status rico_branch_follow(rico_orbits *orbits, const rico_orbit *start,
                               const rico_branch_options *options, rico_branch_function point, void *user,
                               char ending[RICO_BRANCH_ENDING]);

// The orbit of twice the period that begins at a flip, a little beside it; `doubled` has twice the multiple and twice the shift, and follows it. `beside`:
// how far, over the sizes of the motion.
rico_status rico_orbit_double(rico_orbits *doubled, const rico_orbit *flip, double beside, rico_orbit **out);

RICO_API_END

#endif
