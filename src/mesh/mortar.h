// Dual mortar between two skins: what of the master each node of the slave lies over.
//
// docs/theory/mortar.md. On each face of the slave the functions psi_j, linear as the shape functions N_k, have
// int psi_j N_k = delta_jk D_j, D_j = int N_k, over what the master covers of the face. So node j meets the mean of the master
// x_a = sum_l M_jl x_l / D_j, M_jl = int psi_j N_l, with weights that add up to 1 and carry linear fields over exactly.

#ifndef RICO_MESH_MORTAR_H
#define RICO_MESH_MORTAR_H

#include "mesh/skin_search.h"

typedef struct rico_mortar_share {
    int64_t node; // of the master's skin
    double weight;
} rico_mortar_share;

typedef struct rico_mortar_entry { // M_jl of one face
    int64_t slave, master;
    double value;
} rico_mortar_entry;

typedef struct rico_mortar {
    rico_context *ctx;
    const rico_skin *slave, *master; // of linear faces, the slave's nodes split
    bool radial;                     // integrals weighted with the first coordinate: bodies of revolution
    rico_skin_search search;         // of the master

    // per node of the slave
    double *area;   // D_j
    double *whole;  // the same if all were covered
    double *normal; // unit mean of those of the faces around
    int64_t *start; // nodes + 1: shares of node j; none where it is not covered
    int64_t shares, share_room;
    rico_mortar_share *share;

    // work space
    int64_t entries, entry_room, near_count, near_room;
    rico_mortar_entry *entry, *sorted;
    int64_t *near;
} rico_mortar;

rico_status rico_mortar_create(rico_context *ctx, const rico_skin *slave, const rico_skin *master,
                               bool radial, rico_mortar *out);
void rico_mortar_destroy(rico_mortar *mortar);

// For places of the nodes of both skins; faces see each other up to a distance of `reach`, in front and behind.
rico_status rico_mortar_update(rico_mortar *mortar, const double *slave, const double *master, double reach);

// What the master's face covers of the slave's face: integrals over it in the plane of the slave's.
enum { RICO_MORTAR_NODES = 4 };
typedef struct rico_mortar_piece {
    double area;
    double own[RICO_MORTAR_NODES];                      // int N_j
    double mass[RICO_MORTAR_NODES * RICO_MORTAR_NODES]; // int N_j N_k, row by row
    double coupling[RICO_MORTAR_NODES *
                    RICO_MORTAR_NODES]; // int N_j N_l of the master, row by row, RICO_MORTAR_NODES to a row
} rico_mortar_piece;

// Adds to `mass` and `own`, overwrites the rest. False: nothing is covered.
bool rico_mortar_clip(rico_cell_kind slave, const double *xs, rico_cell_kind master, const double *xm,
                      double reach, bool radial, rico_mortar_piece *piece); // lines, mortar_clip.c
bool rico_mortar_clip_space(rico_cell_kind slave, const double *xs, rico_cell_kind master, const double *xm,
                            double reach, rico_mortar_piece *piece); // faces, mortar_space.c

// int N_j over a whole face.
void rico_mortar_whole(rico_cell_kind kind, const double *x, bool radial, double *own);

#endif
