// Where a point meets a skin: the nearest place of each of its patches, with gap and normal.

#ifndef RICO_MESH_SKIN_SEARCH_H
#define RICO_MESH_SKIN_SEARCH_H

#include "collide/tree.h"
#include "mesh/skin.h"

enum { RICO_SKIN_HITS = 3 };

// A skin at a state: boxes of its faces in a tree.
typedef struct rico_skin_search {
    rico_context *ctx;
    const rico_skin *skin;
    const double *x; // three coordinates a node of the skin
    rico_tree tree;
    rico_box *box;
} rico_skin_search;

rico_status rico_skin_search_create(rico_context *ctx, const rico_skin *skin, rico_skin_search *out);
void rico_skin_search_destroy(rico_skin_search *search);

// Brings the boxes to the places x, which must stay until the next update.
rico_status rico_skin_search_update(rico_skin_search *search, const double *x);

typedef struct rico_skin_hit {
    int64_t face;
    rico_nearby near;
    double gap, normal[3]; // out of the skin, towards the point
} rico_skin_hit;

// The contacts of a point at p with the skin, gap <= above, depth <= below: at most one for each patch, the nearest first; how many. They
// do not depend on what was asked before.
int rico_skin_look(const rico_skin_search *search, const double p[3], double above, double below,
                   rico_skin_hit hit[RICO_SKIN_HITS]);

#endif
