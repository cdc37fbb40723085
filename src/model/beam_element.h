// One element of a beam: strains of two nodes, how they change with velocities, and how that changes with positions.
//
// Reissner's strains in axes of the middle of the element (docs/theory/beams.md), x' = (x_2 - x_1)/l:
//
//     g = R_m' x'   stretch (1 + eps) and shear,      k = (turn from node 1 to node 2)/l.
//
// The energy l/2 (e - e_0)'C(e - e_0), e = (g, k), has the gradient l B's with s = C (e - e_0), de/dt = B v, and the second derivative
// l B'C B + l dB'/dq s. Derivatives by a turn are those along the retraction of bodies, R exp(dtheta).

#ifndef RICO_MODEL_BEAM_ELEMENT_H
#define RICO_MODEL_BEAM_ELEMENT_H

#include <stdbool.h>

enum { RICO_BEAM_STRAINS = 6, RICO_BEAM_VELOCITIES = 12 };

typedef struct rico_beam_state {
    double length;
    double strain[RICO_BEAM_STRAINS];
    double B[RICO_BEAM_STRAINS *
             RICO_BEAM_VELOCITIES]; // row by row, by the velocities of node 1 and then of node 2
    double c, s;                    // of the plane: of the mean angle
    double R[9], psi[3], b; // of space: axes of the middle, the turn between the nodes, a factor of it
} rico_beam_state;

typedef struct rico_beam_kind {
    int strains, velocities; // velocities of both nodes
    // At the positions of two nodes.
    void (*strain)(double length, const double *a, const double *b, rico_beam_state *out);
    // Adds l dB'/dq s to K, column by column.
    void (*bend)(const rico_beam_state *at, const double *s, double *K);
} rico_beam_kind;

extern const rico_beam_kind rico_beam_plane, rico_beam_space;

#endif
