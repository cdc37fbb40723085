// Which bodies may meet in a step, and where: what the source of their contacts remembers and searches.

#ifndef RICO_MODEL_BODIES_SEARCH_H
#define RICO_MODEL_BODIES_SEARCH_H

#include "collide/narrow.h"
#include "collide/tree.h"
#include "model/bodies.h"

// A body with a shape and its motion in the step.
typedef struct rico_body_sweep {
    const rico_bound_body *body;
    rico_pose pose;
    double arm[3], center[3];    // what it turns about: in its own axes, in those of the world
    double velocity[3], spin[3]; // of that, and angular, both in the axes of the world
    double reach;                // of its shape about the center; infinite for a plane
    double shift, turn;          // way and angle in the step, at most
    double fall;                 // what gravity may add to the way
    double drive;             // of a driven body: the way on which it may send what it hits in turn; else 0
    bool struck;              // something may drive it somewhere else than its velocity says
    double first;             // of a fast body: when in the step it first meets something; infinite: nothing
    double normal[3], offset; // of a half-space or half-plane: normal.x <= offset
} rico_body_sweep;

// Whom a body may meet: what the search for pairs reads, close together.
typedef struct rico_body_filter {
    uint32_t group, meets;
    bool free, fixed, sensor, plane;
} rico_body_filter;

// How contacts of a pair go through the step.
typedef enum rico_found_way {
    RICO_WAY_SLOW, // with the features that they are named by
    RICO_WAY_TURN, // the same, but others of their features may come in as the bodies turn
    RICO_WAY_LONE, // likewise, and this is the only one
    RICO_WAY_HELD, // along the normal that they were found with
} rico_found_way;

// A contact as it was found, by its key.
typedef struct rico_found {
    uint64_t key;
    int32_t a, b; // sweeps
    int32_t list; // of the thread that found it
    rico_found_way way;
    int64_t at; // place there
} rico_found;

// Where the contacts of a pair of bodies are.
typedef struct rico_pair_found {
    int32_t list;
    rico_found_way way;
    int64_t first, count;
    double moment; // of a fast pair: when in the step they meet; infinite: they do not, or are not fast
} rico_pair_found;

// The memory of the source. None of it but its speed depends on what was asked before.
typedef struct rico_bodies_memory {
    rico_context *ctx; // its own
    int64_t count;     // sweeps: bodies with shapes, in the order of the bodies
    rico_body_sweep *sweep;
    rico_body_filter *filter;
    rico_box *box;
    rico_tree tree;
    int lists;
    rico_meeting_list *list; // one per thread
    int64_t pair_room;
    rico_pair_found *pair;
    int64_t found_count, found_room;
    rico_found *found; // sorted by key
    int64_t sensed_count, sensed_room;
    int64_t *sensed;   // pairs of bodies, of which one is a sensor, that overlap at the start of the step
    rico_shape *point; // stands for a center
    rico_pose *after;  // by sweep, at the end of a step
    bool struck;       // in the last search some body may have been driven elsewhere by another
} rico_bodies_memory;

rico_bodies_memory *rico_bodies_memory_create(const rico_bodies *bodies); // NULL: out of memory
void rico_bodies_memory_destroy(rico_bodies_memory *memory);

// All contacts that may act in a step of length h, into memory->found; messages into `ctx`. q and v are the part's slices.
rico_status rico_bodies_search(const rico_bodies *bodies, rico_bodies_memory *memory, rico_context *ctx,
                               double t, double h, const double *q, const double *v);

// A box around a body with its motion in a step: bodies whose boxes are apart are no pair of the search, unless one is struck. False: it has
// no place. `reach`: of its shape about the center, infinite for a plane.
bool rico_bodies_step_box(const rico_bodies *bodies, int64_t body, double t, double h, const double *q,
                          const double *v, rico_box *box, double *reach);

// Whether filters let two sweeps touch.
bool rico_bodies_touch(const rico_bodies *bodies, const rico_bodies_memory *memory, int64_t a, int64_t b);

// After the step from t to t + h, of which the contacts were searched last: RICO_OK, or the sentence that one body went through another.
rico_status rico_bodies_passed(const rico_bodies *bodies, const rico_bodies_memory *memory, rico_context *ctx,
                               double t, double h, const double *next);
rico_status rico_bodies_center_shape(const rico_bodies *bodies, rico_context *ctx, rico_shape **out);

// Pairs of bodies, two indices each, that a sensor reported at the last emission.
int64_t rico_bodies_sensed(const rico_bodies_memory *memory, const int64_t **pairs);

// A pair that moves fast: what is known of it.
typedef struct rico_body_way {
    const rico_body_sweep *a, *b;
    double h, margin, slack; // gaps that are looked at: with the motion of the step, and without
    double rolling;          // way by turning
    bool struck;             // one of them may be driven elsewhere
    double first;            // from when on
} rico_body_way;

// Contacts of a fast pair from `out->first` on, in the place of those at the start of the step: none where the two pass by, unless one is struck; where convex
// bodies meet, those of the moment when they do, with gaps at the start along its normal, and out->way says so. What would happen after
// one of them was struck says nothing: the contacts of the start stand then. False: out of memory.
bool rico_bodies_follow_way(const rico_body_way *way, rico_meeting_list *list, rico_pair_found *out);

// Where a contact whose normal is held touches a body: a point that turns with it, or the farthest along n (towards the other body)
// where the body is round.
bool rico_shape_is_rolling(const rico_shape *shape);
void rico_shape_farthest(const rico_shape *shape, const rico_pose *pose, const double n[3], double x[3]);

#endif
