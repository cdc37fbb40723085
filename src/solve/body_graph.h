// Who touches whom: the bodies of a global problem, what each row of H acts on, the pattern of M + H C H', and what a factorization of that
// would cost. All of it indices, made long before any number is needed (body_system.h).

#ifndef RICO_SOLVE_BODY_GRAPH_H
#define RICO_SOLVE_BODY_GRAPH_H

#include "la/front_lu.h"
#include "problem/mass.h"
#include "problem/problem.h"

typedef struct rico_body_graph {
    rico_context *ctx;
    rico_mass_blocks *bodies; // those of the problem, what belongs to one body together

    // A cell is a contact, or a single row of a joint: what C does not couple is kept apart, however large the block.
    int64_t cells;
    int64_t *offset; // cells + 1: first row of each
    int64_t *block;  // of each

    // the bodies that a cell touches, each of them a piece of H
    int64_t *piece_start; // cells + 1
    int64_t *body;        // of each piece
    int64_t pairs;        // pairs of pieces, over all cells

    rico_block_matrix matrix; // of M + H C H', bodies in the order of `bodies`; without values
    rico_front_lu *lu;        // analysed
} rico_body_graph;

// Can the problem be taken? A global one of small bodies, joints and Coulomb contacts, M factored before.
bool rico_body_graph_takes(const rico_problem *problem);

rico_status rico_body_graph_create(const rico_problem *problem, rico_body_graph **out);
void rico_body_graph_destroy(rico_body_graph *graph);

#endif
