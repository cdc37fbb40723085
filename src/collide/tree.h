// The broad phase: a bounding-volume tree over boxes along the axes, and all pairs of them that overlap.
//
// The caller brings all boxes anew for each step. The tree keeps its form while it serves, fitted to the boxes, and is built anew
// top-down when it has grown loose: that decides how long the search takes, never what it finds. Pairs come sorted.

#ifndef RICO_COLLIDE_TREE_H
#define RICO_COLLIDE_TREE_H

#include "ricochet/context.h"

typedef struct rico_box {
    double lower[3], upper[3];
} rico_box;

static inline bool rico_box_overlap(const rico_box *a, const rico_box *b)
{
    return a->lower[0] <= b->upper[0] && b->lower[0] <= a->upper[0] && a->lower[1] <= b->upper[1] &&
           b->lower[1] <= a->upper[1] && a->lower[2] <= b->upper[2] && b->lower[2] <= a->upper[2];
}


// How far a box is from the half-space normal.x <= offset; not above 0 where they overlap.
double rico_box_above_plane(const rico_box *box, const double normal[3], double offset);

typedef struct rico_pair {
    int32_t a, b; // a < b
} rico_pair;

// Numbers in single precision, rounded outwards: half the memory to walk through. In the order of a walk: the first child of a node
// stands right behind it, `next` is where to go on when nothing below it is wanted. A leaf has next = its own place + 1.
typedef struct rico_tree_node {
    float lower[3], upper[3];
    int32_t next;
    int32_t first; // of the items below it; they end where those of node `next` begin
} rico_tree_node;

// What one thread finds.
typedef struct rico_pair_list {
    rico_context *ctx;
    int64_t count, room;
    rico_pair *pair;
} rico_pair_list;

typedef struct rico_tree {
    rico_context *ctx;
    int64_t count, room; // boxes
    const rico_box *box; // the caller's, of the last update
    int64_t bounded;
    int32_t *item;    // the bounded ones in the order of the leaves, then those without an end
    rico_box *sorted; // their boxes in this order
    int64_t nodes;
    rico_tree_node *node; // and one behind the last
    double cost;          // of the form when it was built: sum of the widths of all nodes
    int age;              // updates since; -1: there is none
    void *key;            // work space of building
    int lists;
    rico_pair_list *list; // one per thread
    int64_t pair_count, pair_room;
    rico_pair *pair, *other; // sorted by a, then b; work space of sorting
    int64_t *bucket;         // likewise
} rico_tree;

void rico_tree_create(rico_context *ctx, rico_tree *tree);
void rico_tree_destroy(rico_tree *tree);

// Forgets the form: the next update builds it anew.
void rico_tree_forget(rico_tree *tree);

// Brings the boxes up to date; they must stay where they are until the next update. Refused, with the number of the box: NaN, lower
// above upper.
rico_status rico_tree_update(rico_tree *tree, int64_t count, const rico_box *box);

// Calls `visit` with every item whose box overlaps; false from it ends the search and is returned. Items come in no order that means anything.
bool rico_tree_query(const rico_tree *tree, const rico_box *box, bool (*visit)(void *user, int64_t item),
                     void *user);

// All pairs that overlap and that `wants` (on several threads at once; NULL: all) agrees to, into tree->pair. More than `limit` of them
// are refused: *whole is false then and the list is of no use.
typedef bool (*rico_pair_filter)(const void *user, int64_t a, int64_t b);
rico_status rico_tree_pairs(rico_tree *tree, rico_pair_filter wants, const void *user, int64_t limit,
                            bool *whole);

#endif
