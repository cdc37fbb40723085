// Sets of nodes, and the number under which each was first seen: faces, edges, cells.

#ifndef RICO_MESH_KEYS_H
#define RICO_MESH_KEYS_H

#include "base/context.h"

enum { RICO_KEY_LONGEST = 8 };

// Sets of up to `length` nodes, smaller ones filled with -1. Numbers are given in the order of the first sight, from 0.
typedef struct rico_keys {
    rico_context *ctx;
    int length;
    int64_t count, room; // sets
    int64_t *set;        // length each, sorted
    int64_t slots;       // a power of two
    int64_t *slot;       // number + 1, 0: empty
} rico_keys;

// Room for `expected` sets, and more as they come.
bool rico_keys_start(rico_keys *keys, rico_context *ctx, int length, int64_t expected);
void rico_keys_release(rico_keys *keys);

// The number of a set of `size` nodes in any order; a new one if it was not seen yet and `add`. -1: not there, or no memory for it.
int64_t rico_keys_number(rico_keys *keys, int size, const int64_t *node, bool add);

#endif
