// A graph as the line graph of another: its edges covered by cliques, each once, each vertex in two of them at most.
//
// Where vertices are what joins two bodies, and edges say that two of them share a body, the cliques are the bodies (Krausz 1943: such
// a cover exists exactly where the graph is a line graph). It is unique but for graphs of a few vertices (Whitney 1932).

#ifndef RICO_LA_CLIQUE_COVER_H
#define RICO_LA_CLIQUE_COVER_H

#include "la/block.h"

typedef struct rico_clique_cover {
    rico_context *ctx;
    int64_t vertices, cliques;
    int64_t *start;  // cliques + 1
    int64_t *member; // vertices of each clique
    int64_t *owner;  // clique of each place in member[]
    int64_t *slot;   // two for each vertex: its places in member[], -1 where it has fewer
} rico_clique_cover;

// Covers the graph of a pattern, whose diagonal says nothing. RICO_UNSUPPORTED, without a message, where there is no such cover, or the pattern
// is not symmetric.
rico_status rico_clique_cover_create(const rico_block_matrix *pattern, rico_clique_cover *out);
void rico_clique_cover_destroy(rico_clique_cover *cover);

#endif
