// Vibro-impact problems as mathematics has them: is a motion a solution, is it continuous on its data, what do penalties and
// rounded corners make of it (docs/theory/vibro-impact.md).
//
// K is the set of positions where no gap g_a(q) is negative, J(q) the contacts that are closed at q, T_K(q) the velocities
// with grad g_a'v >= 0 for all of J(q), N_K(q) its polar; e is the restitution.

#ifndef RICOCHET_VIBRO_H
#define RICOCHET_VIBRO_H

#include "ricochet/model.h"

RICO_API_BEGIN

// ---- angles between contacts --------------------------------------------------------------------------------

// Where the gradients of a pair of contacts were compared.
typedef enum rico_corner_kind {
    RICO_CORNER_TOUCHING, // both are closed in the state given
    RICO_CORNER_FOUND,    // both are closed at a position of K found from there
    RICO_CORNER_OUTSIDE,  // both are closed at a position found, but another contact is broken there
    RICO_CORNER_KINDS
} rico_corner_kind;

const char *rico_corner_name(rico_corner_kind kind); // "touching", "found", "outside"

// Two contacts a and b and c_ab = grad g_a'M^-1 grad g_b over the norms of both; joints are kept. Motions depend continuously on
// their data (Paoli 2018, proposition 1) if at every position of K the pairs that are closed have c_ab <= 0 with e = 0, and
// c_ab = 0 otherwise.
typedef struct rico_angle {
    int64_t a, b;     // contacts, in the order of the system
    char name[2][64]; // theirs
    rico_corner_kind kind;
    int64_t place;                // row of `position` where they were compared; -1: the state given
    double cosine;                // c_ab
    double angle;                 // inside K between the two surfaces, in the metric of M: pi - acos(c_ab)
    double restitution, friction; // the larger of the two
    bool continuous;              // c_ab is what continuity asks for, within 1e-9
} rico_angle;

typedef struct rico_angles {
    int64_t count;
    rico_angle *angle;
    int64_t places; // of corners found, and the coordinates of each
    double *position;
    int64_t apart;   // pairs without a common position that could be found
    int64_t left;    // and pairs that were not looked at, beyond 20000 that touch or 20000 that do not
    bool continuous; // all are, those outside K left out
} rico_angles;

// Every pair of contacts that is closed (gap at most `closed`) at (t, q), and, of the contacts that are always there, every other
// pair at the position nearest to q in the metric of M where both are closed. Contacts that come and go count where they are closed.
rico_status rico_angles_find(rico_system *system, double t, const double *q, double closed,
                             rico_angles **out);
void rico_angles_destroy(rico_context *ctx, rico_angles *angles);

// ---- motions whose velocities jump --------------------------------------------------------------------------

// A motion by samples: positions q and velocities just before and just after each of `count` times, one row after the other. Times
// increase; between two of them the motion is smooth. At the first, `before` counts as the velocity given, u(0 - 0) = u(0).
typedef struct rico_bv_motion {
    int64_t count, positions, velocities; // samples, and numbers of each
    const double *t, *q, *before, *after;
} rico_bv_motion;

// Var(u): the sum of |u(t_i + 0) - u(t_i - 0)| and of |u(t_{i+1} - 0) - u(t_i + 0)|, the 2-norm over coordinates. It is what the samples see:
// a lower bound, reached where u is monotone between them.
double rico_bv_variation(const rico_bv_motion *motion);

// The Stieltjes measure du of an interval from sample i to sample j, its ends in it or not: u(b + 0) - u(a - 0) for [a, b], and so on;
// i = j with both ends is the jump there. du has as many entries as there are velocities.
rico_status rico_bv_measure(rico_context *ctx, const rico_bv_motion *motion, int64_t i, bool with_first,
                            int64_t j, bool with_last, double *du);

// What a motion of a system without friction comes to, by the worst over its samples. Between samples forces are integrated by the
// trapezoidal rule, whose error, of the third order in their distance, stands in the numbers below.
typedef struct rico_bv_findings {
    double penetration; // largest -g_a                                                       (P2)
    double drift;       // largest |q_{i+1} - q_i - integral of u|, by the trapezoidal rule    (P2)
    double reaction;    // largest part of M du - f dt that no impulses lambda_a >= 0 of closed contacts make,
                        // in the norm of velocities |.|_M                                     (P3)
    double viability;   // largest -grad g_a'u after an instant, over closed contacts          (lemma 6)
    double law;         // largest |u+ - (Proj_T u- - e Proj_N u-)|_M at a jump                 (P4)
    double gain;        // largest (|u+|_M^2 - |u-|_M^2)/2 at an instant                        (P**4)
    double imbalance;   // largest change of energy beyond the work of forces since the start   (P*4)
    double dissipated;  // energy that impacts took in all
    double kinetic;     // largest kinetic energy, against which the others are small or not
    double variation;   // of the velocity
    int64_t jumps;      // samples where the velocity jumps
    int64_t law_at, reaction_at, imbalance_at; // samples of the worst
} rico_bv_findings;

// Checks the motion against the system: solution of (P) with restitution e if penetration, drift, reaction, viability and law are
// small; energy-dissipative if `gain` is; energy-conservative if `imbalance` is. A gap of at most `closed` counts as closed.
// Joints, friction and moving obstacles are refused.
rico_status rico_bv_check(rico_system *system, const rico_bv_motion *motion, double e, double closed,
                          rico_bv_findings *findings);

// ---- penalties ----------------------------------------------------------------------------------------------

// eps of q'' + 2 eps sqrt(n) G(q, q') + n W'(q) = f, whose blows have the restitution e as n grows: -ln e/sqrt(pi^2 + ln^2 e),
// 0 for e = 1, 1 for e = 0; NAN outside [0, 1]. And its inverse, e = exp(-pi eps/sqrt(1 - eps^2)).
double rico_penalty_damping(double e);
double rico_penalty_restitution(double damping);

// One blow on a half line under a constant force f per mass, entered with the velocity `approach` < 0, in closed form.
typedef struct rico_penalty_blow {
    bool leaves;          // false: it comes to rest inside
    double duration;      // of the contact; INFINITY where it does not leave
    double exit;          // velocity where it leaves; 0 where it does not
    double depth, lowest; // largest penetration, and when
} rico_penalty_blow;

rico_status rico_penalty_blow_of(rico_context *ctx, double stiffness, double e, double approach, double force,
                                 rico_penalty_blow *out);

// ---- rounded corners ----------------------------------------------------------------------------------------

// A corner of the plane: K = { x : normal[a].x >= 0 for a = 0, 1 }, rounded to K + B_p, B_p the unit ball of the p-norm, 1 < p < infinity.
// As eps tends to 0, elastic motions in K + eps B_p that aim at the corner leave it as this one does.
typedef struct rico_round_corner {
    double normal[2][2];
    double p;
} rico_round_corner;

// The elastic motion in K + B_p that comes in with `velocity`, on a line at the distance `miss` beside the corner (to its left, seen
// along the velocity), until it bounces no more. path, unless NULL, receives up to `room` points x, y where it bounces.
rico_status rico_round_corner_reflect(rico_context *ctx, const rico_round_corner *corner,
                                      const double velocity[2], double miss, double after[2],
                                      int64_t *bounces, int64_t room, double *path);

RICO_API_END

#endif
