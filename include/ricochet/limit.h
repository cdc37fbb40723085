// Statics with friction: the forces that hold a structure, how far they are determined, and the loads at which it collapses.
//
//     rico_limit *limit;
//     rico_limit_create_at(system, 0.0, q, 1e-9, NULL, &limit); // contacts, joints and loads of a state
//     rico_limit_set_live(limit, live);
//     rico_limit_load(limit, 1, &answer);                       // answer.value: the largest load factor
//
// Unknown are the forces r of contacts, joints and bounded rows (hinges of a frame), in blocks with the cones of ricochet/problem.h:
//
//     H r + dead + lambda live = 0,     r in K,
//
// one equation for each degree of freedom, H of as many rows, as in a contact problem; u = H' v is what a virtual motion v does to the blocks.
// The largest lambda is a cone program. Its dual motion obeys the associated rule of sliding, opening = mu |slip|, so that the value
// bounds every load the structure can bear from above. Collapse by Coulomb's law, without that opening, is another question:
// its loads form a set, of which rico_limit_collapse() finds the least. docs/theory/limit.md has all of it.

#ifndef RICOCHET_LIMIT_H
#define RICOCHET_LIMIT_H

#include "ricochet/model.h"
#include "ricochet/problem.h"

RICO_API_BEGIN

typedef struct rico_limit rico_limit;

enum { RICO_LIMIT_FACETS = 64 }; // of a pyramid, at most

// How a structure is looked at.
typedef struct rico_limit_view {
    int facets;      // Coulomb's cone in space as a pyramid of so many facets, >= 3; 0: the cone itself
    bool outer;      // the pyramid around the cone, and not the one inside it
    double friction; // of all contacts that have any, in the place of their own; 0: their own
    bool smooth;     // no friction at all
} rico_limit_view;

// A structure by its matrices. Everything is copied and checked. Blocks of the kind equality are joints, whose forces are free; boxes
// are rows that yield at low and high, the plastic hinges of a frame.
typedef struct rico_limit_given {
    rico_sparse_view H; // degrees of freedom x rows of the blocks
    int64_t block_count;
    const rico_block *blocks;
    const double *dead, *live; // of every degree of freedom, or NULL: zero

    // Names, for answers and messages; each may be NULL. Degrees of freedom that belong to one body have the same number in `body_of`, -1: none.
    const char *const *block_name;
    int64_t body_count;
    const char *const *body_name;
    const int64_t *body_of;
    rico_limit_view view;
} rico_limit_given;

rico_status rico_limit_create(rico_context *ctx, const rico_limit_given *given, rico_limit **out);

// The structure that a system is in the state q, at rest at time t: contacts with gaps up to `touching`, joints, and as dead load all that acts
// there. touching = 0: a millionth of the largest body. Refused where a part has a stiffness of its own (elastic parts, beams), or where a joint's friction follows from its reaction.
// The view may be NULL: zeros.
rico_status rico_limit_create_at(rico_system *system, double t, const double *q, double touching,
                                 const rico_limit_view *view, rico_limit **out);
void rico_limit_destroy(rico_limit *limit);

int64_t rico_limit_dofs(const rico_limit *limit);
int64_t rico_limit_rows(const rico_limit *limit); // of H r: forces
int64_t rico_limit_block_count(const rico_limit *limit);
rico_block rico_limit_block(const rico_limit *limit, int64_t block);
int64_t rico_limit_block_row(const rico_limit *limit, int64_t block); // the first of its rows
const char *rico_limit_block_name(const rico_limit *limit, int64_t block);
int64_t rico_limit_block_constraint(const rico_limit *limit,
                                    int64_t block); // in the system's; -1: given by matrices
int64_t rico_limit_body_count(const rico_limit *limit);
const char *rico_limit_body_name(const rico_limit *limit, int64_t body);
int64_t rico_limit_body_of(const rico_limit *limit, int64_t dof); // -1: of none
rico_sparse_view rico_limit_matrix(const rico_limit *limit);      // H
const double *rico_limit_dead(const rico_limit *limit);
const double *rico_limit_live(const rico_limit *limit);

// A body that hangs on nothing that stands, directly or through others: no load but none can be borne by it; -1: there is no such body.
int64_t rico_limit_floating(const rico_limit *limit);

rico_status rico_limit_set_dead(rico_limit *limit, const double *dead);
rico_status rico_limit_set_live(rico_limit *limit, const double *live);

typedef enum rico_limit_finding {
    RICO_LIMIT_FOUND,     // value, force and velocity are an optimum
    RICO_LIMIT_UNBOUNDED, // force is the ray along which the value grows for ever
    RICO_LIMIT_NONE,      // no forces are in equilibrium: velocity is the motion that proves it
    RICO_LIMIT_UNSURE     // neither could be shown to the accuracy asked for; value is the best known
} rico_limit_finding;

// What a question came to. Its arrays are the structure's, and hold until the next question.
typedef struct rico_limit_answer {
    rico_limit_finding finding;
    double value;           // what was asked for
    double bound;           // of the dual problem: what the motion proves; equal to `value` up to `accuracy`
    double accuracy;        // largest relative error of equilibrium, of compatibility, and between the two
    int64_t iterations;     // of the interior-point method
    const double *force;    // one for each row
    const double *velocity; // the motion, one for each degree of freedom
} rico_limit_answer;

// Do forces in equilibrium exist at load factor lambda? The value is the largest normal force that all contacts can have beyond what they need, at most
// the size of the load: where it is negative there is no equilibrium (RICO_LIMIT_NONE) and the motion has v'(dead + lambda live) > 0
// although no contact resists it. Zero within the accuracy: the structure stands, with nothing to spare.
rico_status rico_limit_equilibrium(rico_limit *limit, double lambda, rico_limit_answer *out);

// The least (sign = -1) and the largest (+1) that equilibrium at lambda allows the force of a row, or weight'r.
rico_status rico_limit_row_extreme(rico_limit *limit, double lambda, int64_t row, int sign,
                                   rico_limit_answer *out);
rico_status rico_limit_extreme(rico_limit *limit, double lambda, const double *weight, int sign,
                               rico_limit_answer *out);

// The largest (sign = 1) or least (-1) load factor by the associated rule, with its forces and mechanism, v'live = sign.
rico_status rico_limit_load(rico_limit *limit, int sign, rico_limit_answer *out);

// One turn of the successive approximations: the largest load factor with friction bounded by what the normal forces of `before` allow, |T| <= mu N(before),
// in the place of the cone; NULL: not bounded at all. (De Saxce and Bousshine 1993; by its dual, the new forces come with the motion.)
rico_status rico_limit_frozen_load(rico_limit *limit, const double *before, rico_limit_answer *out);

// Successive approximations from `before` (NULL: from friction without a bound) until the normal forces stay as they are: a state in which the structure
// collapses by Coulomb's law. RICO_LIMIT_UNSURE: they went on changing.
typedef struct rico_limit_steps {
    int64_t turns;    // made
    double change;    // of the normal forces in the last one, relative
    double violation; // largest |T| - mu N there, over the largest force
} rico_limit_steps;
rico_status rico_limit_approach(rico_limit *limit, const double *before, int64_t turns,
                                rico_limit_steps *steps, rico_limit_answer *out);

// The least (sign = -1) or largest (1) load with which Coulomb's law lets the structure move by a given motion with v'live > 0: contacts that open have no force,
// those that slide all the friction against it. RICO_LIMIT_NONE: it cannot move like this under any load.
rico_status rico_limit_motion_load(rico_limit *limit, const double *velocity, int sign,
                                   rico_limit_answer *out);

// The load raised from zero, the forces changing as little as they can, until the structure can move by Coulomb's law: one load factor out of the set,
// by one history. `count` steps up to the associated bound.
rico_status rico_limit_path(rico_limit *limit, int64_t count, rico_limit_answer *out);

// The least load factor >= 0 at which the structure can collapse by Coulomb's law, by branching over the states of the contacts (open, sticking, sliding
// either way), in at most `nodes` of them. `proved`: nothing less is possible. Contacts in space with friction are refused.
typedef struct rico_limit_search {
    bool proved;
    int64_t nodes;
    double least; // no state is below
} rico_limit_search;
rico_status rico_limit_collapse(rico_limit *limit, int64_t nodes, rico_limit_search *search,
                                rico_limit_answer *out);

// What a motion does in each block, and what it is called.
typedef enum rico_limit_mode {
    RICO_LIMIT_REST,   // nothing
    RICO_LIMIT_OPENS,  // more than sliding by the associated rule does
    RICO_LIMIT_SLIDES, // with the opening of that rule, or none
    RICO_LIMIT_YIELDS, // a box at one of its ends
    RICO_LIMIT_ENTERS  // into the other body: no motion that an answer has
} rico_limit_mode;
const char *rico_limit_mode_name(rico_limit_mode mode);

typedef struct rico_limit_mechanism {
    const char *name;              // "sliding", "hinging", "mixed", "lifting", "yielding", "none"
    int64_t bodies;                // that move
    int64_t opens, slides, yields; // blocks that do
    double live, dead;             // v'live, v'dead
    double entering;               // largest speed of one body into another, over the largest speed
} rico_limit_mechanism;

// `mode` has room for one of each block, `moves` for one of each body; either may be NULL.
rico_status rico_limit_describe(const rico_limit *limit, const double *velocity, rico_limit_mode *mode,
                                bool *moves, rico_limit_mechanism *out);

RICO_API_END

#endif
