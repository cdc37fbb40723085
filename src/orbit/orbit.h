// Orbits from inside: pieces between events, the equations that join them, their derivatives.

#ifndef RICO_ORBIT_ORBIT_H
#define RICO_ORBIT_ORBIT_H

#include "base/context.h"
#include "ricochet/orbit.h"
#include "step/segment.h"

enum { RICO_ORBIT_NOTE = 240, RICO_ORBIT_NAME = 96, RICO_ORBIT_BLOWS = 8 };

// From one event to the next.
typedef struct rico_orbit_piece {
    rico_segment segment;
    double *x; // where it begins: q, v
    double s;  // how long it lasts
    double
        fall; // how fast the number that vanishes at its event changes then, once its multipliers are known
} rico_orbit_piece;

typedef struct rico_orbit_name {
    char text[RICO_ORBIT_NAME];
} rico_orbit_name;

struct rico_orbit {
    rico_context *ctx;
    int64_t nq, nv, constraints, rows;
    int64_t count, room;
    rico_orbit_piece *piece;
    double t, period, value, unfolding; // t: of a driven system phase * period
    double phase;
    double residual;
    int64_t iterations, trivial;
    bool conservative;
    double *scale; // 2 nv: sizes of positions, in velocities, and of velocities along the motion
    double *monodromy, *real, *imag; // 4 nv nv, 2 nv
    // of the run that confirms it
    double return_error;
    bool lawful;
    char note[RICO_ORBIT_NOTE];
    int64_t
        graze; // a contact that an open piece passes through, -1 for none, and when: what a run need not see
    double graze_time;
    int64_t event_count;
    rico_event *event;
    rico_orbit_name *name; // of their contacts
};

// The derivatives of a piece: of the state after it and of the number that vanishes at its end, by where it begins (2 nv columns),
// when, how long it lasts, the parameter and the unfolding.
enum { RICO_BY_TIME, RICO_BY_DURATION, RICO_BY_VALUE, RICO_BY_UNFOLDING, RICO_BY_OTHERS };
typedef struct rico_orbit_slope {
    double *state; // 2 nv x (2 nv + RICO_BY_OTHERS)
    double *event; // 2 nv + RICO_BY_OTHERS
    double *end;   // nq + nv: the state after it itself
    double value;  // and the number
} rico_orbit_slope;

enum { RICO_FAN = 5 }; // members of the family: the value itself, and one and two strides to both sides

struct rico_orbits {
    rico_context *ctx;
    const rico_family *family;
    rico_orbit_options options;
    int64_t nq, nv, constraints, rows; // 0 before the first simulation
    bool made;
    double value, stride; // those of the fan
    double span;          // of the values that matter: 0 is max(1, |value|)
    bool wide;            // all members are there
    rico_simulation *sim[RICO_FAN];
    void *owner[RICO_FAN];
};

// --- orbits.c: the members of the family

// sim[0] at a value, ready near (t, q, v); wide: the others too.
rico_status rico_orbits_at(rico_orbits *orbits, double value, bool wide, double t, const double *q,
                           const double *v);
// The period of the orbit at a value where the system is driven, multiples included.
rico_status rico_orbits_period(const rico_orbits *orbits, double value, double *period);
static inline bool rico_orbits_driven(const rico_orbits *orbits)
{
    return orbits->family->period != NULL;
}

// --- orbit.c: the thing itself

rico_status rico_orbit_create(const rico_orbits *orbits, rico_orbit **out);
rico_status rico_orbit_copy(const rico_orbit *from, rico_orbit **out);
// The same orbit gone through so many times.
rico_status rico_orbit_repeat(const rico_orbit *from, int64_t times, rico_orbit **out);
// Room for one piece more, its arrays made.
rico_status rico_orbit_add(rico_orbit *orbit, rico_orbit_piece **out);
// A copy of a piece at the end of an orbit.
rico_status rico_orbit_add_copy(rico_orbit *orbit, const rico_orbit_piece *piece, rico_orbit_piece **out);
// Piece i of `from` in so many parts of equal length, at the end of `to`.
rico_status rico_orbit_add_parts(rico_orbits *orbits, const rico_orbit *from, int64_t i, int64_t parts,
                                 rico_orbit *to);
double rico_orbit_piece_time(const rico_orbit *orbit, int64_t piece); // when it begins

// --- orbit_record.c: a run of the event-driven scheme over a period, cut at its events

// Pieces from the run of orbits->sim[0] that starts at (t, q, v); at its end, `end` (q, v; or NULL) and its events in the orbit.
// longest: step of the integrator, 0 for a share of the period.
rico_status rico_orbit_record(rico_orbits *orbits, rico_orbit *orbit, double t, const double *q,
                              const double *v, double period, double longest, double *end);
// So short that no blow of the orbit goes unseen.
double rico_orbit_longest_step(const rico_orbit *orbit);
// The sizes of the motion, from the pieces.
rico_status rico_orbit_measure(rico_orbits *orbits, rico_orbit *orbit);
// Do two have the same events in the same order? If not, what differs, in words.
bool rico_orbit_alike(const rico_orbit *a, const rico_orbit *b, rico_simulation *sim,
                      char note[RICO_ORBIT_NOTE]);

// The same orbit from the middle of its longest piece on, as a guess: nothing is near an event where it begins and ends.
rico_status rico_orbit_turn(rico_orbits *orbits, const rico_orbit *from, rico_orbit **out);
bool rico_orbit_needs_turn(const rico_orbit *orbit); // an event is near its start

// --- orbit_slope.c: derivatives of a piece

// One for each piece.
rico_status rico_orbit_slopes(const rico_orbit *orbit, rico_orbit_slope **out);
void rico_orbit_slopes_free(rico_context *ctx, int64_t count, rico_orbit_slope *slopes);
// value: with the derivative by the parameter, for which the fan must be wide.
rico_status rico_orbit_differentiate(rico_orbits *orbits, const rico_orbit *orbit, int64_t piece, bool value,
                                     rico_orbit_slope *slope);
// The state after a piece and the number alone.
rico_status rico_orbit_follow(rico_orbits *orbits, const rico_orbit *orbit, int64_t piece,
                              rico_orbit_slope *slope);

// --- orbit_newton.c: the equations

// What the last equation asks: 0 = gradient . (unknowns of z - those of `from`) - reach, over the unknowns as they stand in a
// tangent; NULL: the parameter keeps its value (conservative: as does the period).
typedef struct rico_orbit_along {
    const double *tangent; // N
    const rico_orbit *from;
    double reach;
} rico_orbit_along;

int64_t rico_orbit_unknowns(const rico_orbit *orbit); // N
// Newton's method from the orbit as it is. slopes: as many as pieces, left at the solution.
rico_status rico_orbit_solve(rico_orbits *orbits, rico_orbit *orbit, const rico_orbit_along *along,
                             rico_orbit_slope *slopes);
// The tangent of the branch at a solution with its slopes, of length 1 in sizes of the motion; continuing `before` (N) if not NULL.
rico_status rico_orbit_tangent(rico_orbits *orbits, const rico_orbit *orbit, const rico_orbit_slope *slopes,
                               const double *before, double *tangent);
// The orbit moved by `reach` along it.
rico_status rico_orbit_predict(rico_orbits *orbits, rico_orbit *orbit, const double *tangent, double reach);

// --- orbit_graze.c

// `at` with a blow of no strength where the motion from `beyond`, next to it, strikes once more: the first orbit of the branch on which it
// does. *piece: the one that ends with it; *out stays NULL where the motion changes in another way.
rico_status rico_orbit_graze(rico_orbits *orbits, const rico_orbit *at, const rico_orbit *beyond,
                             rico_orbit **out, int64_t *piece);

// Looks along all pieces for open contacts whose gaps fall below zero: into orbit->graze.
rico_status rico_orbit_look_for_grazing(rico_orbits *orbits, rico_orbit *orbit);

// --- orbit_floquet.c

// What was recorded, or turned, made ready to be solved: turned where an event is near its start, cut into enough pieces, measured.
rico_status rico_orbit_arrange(rico_orbits *orbits, rico_orbit **orbit);

// Carries neighbours over a piece: columns of Y (2 nv each), later by tau. At an event one arrives later by ds,
//     g_x y + g_t tau + g_s ds = 0;
// the last piece ends when all end. room: 2 nv numbers.
rico_status rico_orbit_carry(const rico_orbit *orbit, const rico_orbit_slope *slope, bool event, bool last,
                             double *Y, int64_t columns, double *tau, double *room);
rico_status rico_orbit_floquet(rico_orbits *orbits, rico_orbit *orbit, const rico_orbit_slope *slopes);
// The run that confirms it.
rico_status rico_orbit_confirm(rico_orbits *orbits, rico_orbit *orbit);

#endif
