// The bodies behind a Delassus matrix.
//
// W = H' M^-1 H of small bodies tells which they are. Groups of contacts (compressed.h) join two bodies each, or one with the ground, and
// are neighbours in W where they share one: the bodies are the cliques of that graph (la/clique_cover.h). In the block of
// groups g and h that share the body b stands G_bg' M_b^-1 G_bh, of rank six at most, and in that of a group itself the sum over its two
// bodies. The motions of a body may be counted in any six numbers: those that the group i, its frame, sees, so that G_bi = 1. Then
//
//     W_ih = M_b^-1 G_bh,   W_gh = W_gi M_b W_ih,   M_b W_ih = M_b' W_hi',
//
// linear equations in M_b from the blocks beside the frame's. Nothing here wants W symmetric: gyroscopic terms make it a little less than that.
// Where the equations do not determine M_b, bodies that have been found tell what of W_ii is left to it, M_b^-1. What remains of a W_gg after
// all is a body that no other group touches.

#ifndef RICO_SOLVE_HIDDEN_BODIES_H
#define RICO_SOLVE_HIDDEN_BODIES_H

#include "solve/compressed.h"

// A global problem with f = 0, w = q and the same blocks, whose H' M^-1 H is the W of the compressed system to some ten digits. *out stays
// NULL where there is none: W is not of bodies, or does not tell them, or their motions leave more of W than that.
rico_status rico_hidden_bodies_create(const rico_compressed *system, rico_problem **out);

#endif
