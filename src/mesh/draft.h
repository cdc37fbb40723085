// A mesh while it grows: nodes, cells, groups, one after the other.
//
// Out of memory stops the growing and stays in `failed`, so that only the end needs to look.

#ifndef RICO_MESH_DRAFT_H
#define RICO_MESH_DRAFT_H

#include "mesh/mesh.h"

typedef struct rico_draft_member {
    int64_t group, cell;
} rico_draft_member;

typedef struct rico_draft {
    rico_context *ctx;
    bool failed;
    int64_t nodes, node_room;
    double *position;
    unsigned char *mask;  // the sides that each node lies on, one bit a side: generators
    int64_t *node_number; // what files call it
    int64_t cells, cell_room;
    unsigned char *kind;
    int64_t *start, *cell_number;
    int64_t list_room;
    int64_t *node;
    int64_t groups, group_room;
    char **name;
    int64_t members, member_room;
    rico_draft_member *member;
} rico_draft;

// Start it with {.ctx = ctx}.
void rico_draft_release(rico_draft *d);

// Each returns the number of what it added, -1 without memory.
int64_t rico_draft_node(rico_draft *d, const double x[3], unsigned mask, int64_t number);
int64_t rico_draft_cell(rico_draft *d, rico_cell_kind kind, const int64_t *node, int64_t number);
int64_t rico_draft_group(rico_draft *d, const char *name); // a new one, even if there is one of that name
void rico_draft_join(rico_draft *d, int64_t group, int64_t cell);

// Q4, or two T3: cut from node 1 to node 3 instead of node 0 to node 2 if `other`.
void rico_draft_quad(rico_draft *d, bool triangles, const int64_t node[4], bool other);

// H8, or six Tet4 around the node of the smallest number. Each face is cut from its smallest node, so that neighbours agree (Dompierre, Labbe,
// Vallet, Camarero 1999); on a lattice numbered along its axes these are Kuhn's six.
void rico_draft_brick(rico_draft *d, bool tetrahedra, const int64_t node[8]);

// A circle or sphere on which the middles of edges have to lie that run along a side.
typedef struct rico_draft_round {
    unsigned side; // bit of the mask; 0: nothing is round
    int axes;      // 2: around an axis along z, 3: around a point
    double centre[3], radius;
} rico_draft_round;

// Makes all cells of second order: line2 to line3, T3 to T6, Q4 to Q8, Tet4 to Tet10.
void rico_draft_elevate(rico_draft *d, const rico_draft_round *round);

// Adds `all`, and for each name the faces on the outside whose nodes all have its bit: 1, 2, 4, ...
void rico_draft_sides(rico_draft *d, int count, const char *const *names);

// Cells of one kind on the same corners become one, the first, in the groups of all.
rico_status rico_draft_merge_twins(rico_draft *d);

// Makes the mesh and releases the draft, also on failure.
rico_status rico_draft_finish(rico_draft *d, rico_mesh **out);

#endif
