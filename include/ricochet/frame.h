// Plane frames of straight bars with plastic hinges, on supports that are clamped, pinned, on rollers, or unilateral with friction: the load
// factor at which they collapse, and how.
//
//     rico_frame_node nodes[] = {{"A", 0, 0, RICO_SUPPORT_CLAMPED}, {"B", 0, 1, .live = {1.0, 0.0}}, {"C", 1, 1}};
//     rico_frame_bar bars[] = {{"column", 0, 1, .capacity = 1.0}, {"beam", 1, 2, .capacity = 1.0}};
//     rico_frame_create(ctx, &(rico_frame_given){2, nodes, ...}, &frame);
//     rico_frame_load(frame, &state);                  // state.factor, state.stress, state.velocity
//
// Bars do not stretch and bend at critical sections alone, their ends, where the moment reaches the capacity. Generalized stresses are
// Q = (N, T of every support with friction; M of every hinge), and the rates that they do work on are q = (closing, slip against T; rotation):
//
//     C Q = dead + factor live,     q = C' w,
//
// with one row of C for each independent mechanism w, the velocity of a node along an axis that gives it its name. There are
// e = 2 l + n - h of them (de Saxce 2018, eq. 33-35): l supports with friction, n hinges, h times redundant.
//
// Signs: N presses on the frame and T pushes it along the tangent, which is the normal turned clockwise, so that their q are minus the velocities of
// the foot. M has the sign of the rotation that it resists: of two bars that of the later one against the earlier; of a bar at a support or in a joint of three, that
// of the bar against the node where the bar begins, of the node against the bar where it ends.
// docs/theory/frames.md has all of it.

#ifndef RICOCHET_FRAME_H
#define RICOCHET_FRAME_H

#include "ricochet/limit.h"

RICO_API_BEGIN

typedef enum rico_support {
    RICO_SUPPORT_NONE,
    RICO_SUPPORT_CLAMPED,
    RICO_SUPPORT_PINNED,
    RICO_SUPPORT_ROLLER, // free along the tangent, held both ways along the normal
    RICO_SUPPORT_CONTACT // pinned to a foot that may slide with friction and lift off
} rico_support;

// "clamped", ...; NULL past the last.
const char *rico_support_name(int support);

typedef struct rico_frame_node {
    const char *name; // NULL: node-1, ...
    double x, y;
    rico_support support;
    double friction; // of a contact
    double normal;   // of a contact or a roller: degrees from the way up, to the left; 0: level ground
    double dead[3], live[3]; // force along x and y, moment against the clock
} rico_frame_node;

typedef struct rico_frame_bar {
    const char *name; // NULL: bar-1, ...
    int64_t from, to; // nodes
    double capacity;  // plastic moment, > 0; INFINITY: it does not yield
    bool pinned_from, pinned_to;
} rico_frame_bar;

typedef struct rico_frame_given {
    int64_t node_count, bar_count;
    const rico_frame_node *nodes;
    const rico_frame_bar *bars;
} rico_frame_given;

typedef struct rico_frame rico_frame;

// Copies and checks. Refused: bars without length, nodes that no bar meets, frames that move without any hinge, and what has no load that varies.
rico_status rico_frame_create(rico_context *ctx, const rico_frame_given *given, rico_frame **out);
void rico_frame_destroy(rico_frame *frame);

// From a file, or `length` bytes of text that messages call `path` where `text` is not NULL; docs/guide/structures.md explains it. Overrides are "name=value" for
// parameters. On failure `excerpt` (unless NULL, room for `size` bytes) receives the line with a caret, or "".
typedef struct rico_frame_source {
    const char *path, *text;
    int64_t length, override_count;
    const char *const *overrides;
    char *excerpt;
    size_t excerpt_size;
} rico_frame_source;
rico_status rico_frame_read(rico_context *ctx, const rico_frame_source *source, rico_frame **out);
// Whether a file is meant to be one: it has a key `frame` and no bodies or parts. False where it cannot be read.
bool rico_frame_recognise(rico_context *ctx, const char *path);
const char *rico_frame_title(const rico_frame *frame);
void rico_frame_set_title(rico_frame *frame, const char *title); // copied, cut where it is long

int64_t rico_frame_node_count(const rico_frame *frame);
int64_t rico_frame_bar_count(const rico_frame *frame);
const rico_frame_node *rico_frame_node_at(const rico_frame *frame, int64_t node);
const rico_frame_bar *rico_frame_bar_at(const rico_frame *frame, int64_t bar);
int64_t rico_frame_contacts(const rico_frame *frame);   // l
int64_t rico_frame_hinges(const rico_frame *frame);     // n
int64_t rico_frame_redundancy(const rico_frame *frame); // h
int64_t rico_frame_mechanisms(const rico_frame *frame); // e
int64_t rico_frame_stresses(const rico_frame *frame);   // 2 l + n: length of Q

// Row s of Q: N or T of a contact, or the moment of a hinge.
typedef struct rico_frame_stress {
    int64_t node, bar; // bar -1: of a contact
    char symbol;       // 'N', 'T' or 'M'
    double capacity;   // of a hinge
    const char *name;  // "M at C", "N at E", "M of beam at C"
} rico_frame_stress;
rico_frame_stress rico_frame_stress_at(const rico_frame *frame, int64_t stress);

// "x of C", ...: the velocity that is 1 in this mechanism and 0 in all others.
const char *rico_frame_mechanism_name(const rico_frame *frame, int64_t mechanism);
// C, mechanisms x stresses by rows; dead and live of every mechanism.
const double *rico_frame_matrix(const rico_frame *frame);
const double *rico_frame_dead(const rico_frame *frame);
const double *rico_frame_live(const rico_frame *frame);

// The velocities of all nodes, x and y of each, under a motion of the mechanisms.
void rico_frame_motion(const rico_frame *frame, const double *w, double *velocity);

// The same as a structure of ricochet/limit.h, degrees of freedom being the mechanisms, forces Q, and blocks the contacts and the hinges. For force ranges, equilibrium, the least load of collapse.
rico_limit *rico_frame_limit(const rico_frame *frame);

// A state of collapse. Arrays are the frame's, and hold until the next question.
typedef struct rico_frame_state {
    rico_limit_finding finding;
    double factor;
    const double *stress;   // Q
    const double *velocity; // w, of unit live power
    const double *rate;     // q = C'w
    double
        dissipation; // beta(q, Q) - w'dead: of the hinges and of friction, mu N |slip|; equal to the factor at collapse
    double violation; // largest |T| - mu N over the largest contact force; 0 without contacts
    double entering;  // largest opening where N > 0, or its negative where it enters, over the largest rate
    int64_t turns;    // of an iteration
} rico_frame_state;

// The largest load factor that equilibrium and the capacities allow, by the associated rule: an upper bound of all.
rico_status rico_frame_load(rico_frame *frame, rico_frame_state *out);

// What an iteration is told after each turn; false stops it.
typedef bool (*rico_frame_watch)(void *user, int64_t turn, const rico_frame_state *state);

// De Saxce's successive approximations, eq. 43: the mechanism of least dissipation with the friction that the normal forces of the turn before allow,
// mu N_i |slip|, from supports that stick. Ends when no normal force changes by more than `tolerance` times the largest; RICO_LIMIT_UNSURE: not
// within `turns`. `watch` may be NULL.
rico_status rico_frame_kinematic(rico_frame *frame, int64_t turns, double tolerance, rico_frame_watch watch,
                                 void *user, rico_frame_state *out);

// Its twin by the static theorem, Proposition 11.3: the stress that has the largest factor - sum of mu N |slip_i| among the admissible ones, with the slip of the
// turn before, from none. Steps that grow are halved.
rico_status rico_frame_static(rico_frame *frame, int64_t turns, double tolerance, rico_frame_watch watch,
                              void *user, rico_frame_state *out);

// beta(C'w, Q) - w'dead over w'live: the kinematic factor of any motion, with the normal forces of Q; INFINITY where a support is entered or the live power is
// not positive.
double rico_frame_kinematic_factor(const rico_frame *frame, const double *w, const double *Q);

// What moves, in words: "hinges at A, C; E slides". Returns `out`.
const char *rico_frame_describe(const rico_frame *frame, const rico_frame_state *state, char *out,
                                size_t size);

RICO_API_END

#endif
