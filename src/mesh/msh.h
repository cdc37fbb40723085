// Gmsh's MSH files from inside: what is collected while sections are read.

#ifndef RICO_MESH_MSH_H
#define RICO_MESH_MSH_H

#include "mesh/draft.h"
#include "mesh/scan.h"

// A cell in a physical group, or a physical group of a geometrical entity.
typedef struct rico_msh_claim {
    int dimension;
    int64_t tag;   // the physical group, or the entity
    int64_t other; // the cell, or the physical group
} rico_msh_claim;

typedef struct rico_msh_claims {
    int64_t count, room;
    rico_msh_claim *claim;
} rico_msh_claims;

typedef struct rico_msh_name {
    int dimension;
    int64_t tag;
    char *name;
} rico_msh_name;

// Cells of one entity that stand one after the other.
typedef struct rico_msh_block {
    int dimension;
    int64_t entity, first, count;
} rico_msh_block;

typedef struct rico_msh {
    rico_scan scan;
    rico_draft draft; // cells hold tags of nodes until all is read
    bool binary;      // the file; sections of text set scan.binary to false
    bool nodes, elements;
    rico_msh_claims member;   // of cells in physical groups
    rico_msh_claims physical; // of entities, 4.1
    int64_t names, name_room;
    rico_msh_name *name;
    int64_t blocks, block_room;
    rico_msh_block *block;
} rico_msh;

// Adds to a list; false without memory.
bool rico_msh_claim_add(rico_msh *m, rico_msh_claims *list, int dimension, int64_t tag, int64_t other);

// Sorts a list by dimension, tag, other.
void rico_msh_claims_sort(rico_msh_claims *list);

// In a sorted list, the first of that dimension and tag, or where it would stand.
int64_t rico_msh_claims_find(const rico_msh_claims *list, int dimension, int64_t tag);

// The kind of a type of Gmsh's, by element in the sentence if there is none.
rico_status rico_msh_kind(const rico_msh *m, int64_t type, int64_t element, rico_cell_kind *kind);

// Groups of the draft from `member` and the names, by dimension and number.
rico_status rico_msh_make_groups(rico_msh *m);
void rico_msh_release(rico_msh *m);

// Sections of 2.2 and 4.1; the scan stands behind the line with their name.
rico_status rico_msh2_nodes(rico_msh *m);
rico_status rico_msh2_parametric_nodes(rico_msh *m);
rico_status rico_msh2_elements(rico_msh *m);
rico_status rico_msh4_entities(rico_msh *m);
rico_status rico_msh4_partitioned_entities(rico_msh *m);
rico_status rico_msh4_nodes(rico_msh *m);
rico_status rico_msh4_elements(rico_msh *m);

// Cells of blocks into the physical groups of their entities.
rico_status rico_msh4_settle(rico_msh *m);

#endif
