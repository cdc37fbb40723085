// Mass taken from the nodes that may touch something and given to their neighbours.

#ifndef RICO_MESH_REDISTRIBUTE_H
#define RICO_MESH_REDISTRIBUTE_H

#include "la/csc.h"

// Changes m, the symmetric mass of nodes on the pattern of who shares an element with whom, so that rows and columns of nodes with massless[i] != 0 are
// 0 and the moments sum m_ij, sum m_ij x_j and sum m_ij x_i x_j' stay what they were, on the same pattern. X: three coordinates a node, of which
// `dimension` count. diagonal: m is, and stays so. RICO_BAD_INPUT, with the part's name, where the nodes left cannot take it.
rico_status rico_mass_redistribute(rico_context *ctx, const char *name, rico_csc *m, const double *X,
                                   int dimension, const char *massless, bool diagonal);

#endif
