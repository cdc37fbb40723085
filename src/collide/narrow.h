// From two shapes to their contacts.

#ifndef RICO_COLLIDE_NARROW_H
#define RICO_COLLIDE_NARROW_H

#include "collide/shape.h"

// Contacts as they are found; the list only grows.
typedef struct rico_meeting_list {
    rico_context *ctx;
    int64_t count, room;
    rico_meeting *item;
} rico_meeting_list;

// Room for one more, not filled; NULL: out of memory.
rico_meeting *rico_meeting_add(rico_meeting_list *list);
void rico_meeting_list_destroy(rico_meeting_list *list);

// The same contact seen from the other shape.
void rico_meeting_turn_round(rico_meeting *m);

// Adds all contacts of the pair with gap <= margin, each pair of features at most once. The normal points from a to b. False: out of
// memory. narrow.c chooses by the classes of the two; the order of the arguments does not matter to the result.
bool rico_meet(const rico_shape *a, const rico_pose *A, const rico_shape *b, const rico_pose *B,
               double margin, rico_meeting_list *out);

// The contact that `m` names, at other poses: gap, normal and points of the same two features, their planes, lines and curved pieces taken
// as going on for as long as needed. What stands in `m` is the start of iterations. False: there is none (m keeps its values).
bool rico_meet_again(const rico_shape *a, const rico_pose *A, const rico_shape *b, const rico_pose *B,
                     rico_meeting *m);

// Where the two are nearest, or deepest in each other. False: they never meet, or it was not found.
bool rico_meet_nearest(const rico_shape *a, const rico_pose *A, const rico_shape *b, const rico_pose *B,
                       rico_nearest *out);

// What the classes bring; called with the classes in this order. Each pair of functions as above.
typedef struct rico_meeting_kind {
    bool (*meet)(const rico_shape *a, const rico_pose *A, const rico_shape *b, const rico_pose *B,
                 double margin, rico_meeting_list *out);
    bool (*again)(const rico_shape *a, const rico_pose *A, const rico_shape *b, const rico_pose *B,
                  rico_meeting *m);
    bool (*nearest)(const rico_shape *a, const rico_pose *A, const rico_shape *b, const rico_pose *B,
                    rico_nearest *out);
} rico_meeting_kind;

extern const rico_meeting_kind
    rico_round_meeting; // at least one of the two is round, the other round, polytope or half-space
extern const rico_meeting_kind rico_polytope_meeting; // polytope against polytope or half-space
extern const rico_meeting_kind rico_surface_meeting;  // a surface against anything but a compound
extern const rico_meeting_kind rico_compound_meeting; // a compound against anything
extern const rico_meeting_kind rico_planar_meeting;   // both in the plane

#endif
