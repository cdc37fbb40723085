// A graph of terms from inside.

#ifndef RICO_SCENE_GRAPH_PRIVATE_H
#define RICO_SCENE_GRAPH_PRIVATE_H

#include "scene/graph.h"
#include "scene/tape.h"

typedef struct rico_graph_node {
    rico_operation code;
    rico_term a, b, c;
    int32_t low, high; // slots that it reads lie between these; none where high < low
    bool tame;         // finite for finite variables
    double value;
} rico_graph_node;

struct rico_graph {
    rico_context *ctx;
    rico_status status;
    int64_t variables;
    int64_t count, room;
    rico_graph_node *term;
    rico_term *table; // open addressing; 0 is free, otherwise a term + 1

    // of a sweep: per term, its adjoint and the sweep that saw it last
    rico_term *adjoint;
    int32_t *seen, sweep;
    int64_t reach_room, stack_room, slot_room;
    rico_term *reach, *stack;
    int64_t *slot;
    rico_term *derivative;
};

#endif
