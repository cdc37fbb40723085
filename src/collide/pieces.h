// The pieces of which a convex shape's surface is made, each a smooth piece of its support function, and the normals at which two of them meet.
//
// A pair is looked at in the own axes of its second shape B, and B reflected through their origin: with h' that of the
// reflected shape, gap = -min over unit n of F(n) = h_A(n) + h'_B(n), and both shapes are alike. On a piece h is
//
//     point       n.p                              at all n of a cone
//     disc        n.p + r |n - (n.u) u|            idem, but n = +-u
//     ellipsoid   n.p + sqrt(n'Q n)                everywhere
//     ring        n.p + r          on the circle n.u = t: sides (t = 0), edges (t = 0, r = 0), the side of a cone (p the apex)
//     face        n.p              at n = u alone
//
// What rounds a shape off (spheres, capsules) is a constant beside all that.

#ifndef RICO_COLLIDE_PIECES_H
#define RICO_COLLIDE_PIECES_H

#include "collide/polytope.h"
#include "collide/round.h"

typedef enum rico_piece_type {
    RICO_PIECE_POINT,
    RICO_PIECE_DISC,
    RICO_PIECE_ELLIPSOID,
    RICO_PIECE_RING,
    RICO_PIECE_FACE
} rico_piece_type;

typedef struct rico_piece {
    rico_piece_type type;
    uint32_t feature;
    double p[3], u[3], r, t;
    double low,
        high; // of a ring: where its line q + l g begins and ends, q = p + r n, g the direction of u across n
    const double *Q;
    const double *beside[2]; // of an edge of a polytope: the normals of its faces, not reflected
} rico_piece;

// A shape in the axes of the pair; sign -1: reflected.
typedef struct rico_side {
    rico_form form;
    const rico_shape *shape;
    const rico_polytope *polytope;
    double sign, x[3], R[9], u[3]; // of a polytope x = 0 and R = I
    double radius;                 // what rounds it off
    double Q[9];
    double size;
    int count;
    rico_piece piece[5]; // faces first, then rings, then the others; none of a polytope
} rico_side;

typedef struct rico_duo {
    rico_side a, b;
    double size;
} rico_duo;

void rico_duo_of(const rico_shape *a, const rico_pose *A, const rico_shape *b, const rico_pose *B,
                 rico_duo *duo);

// h of a side, without what rounds it off.
double rico_side_reach(const rico_side *side, const double n[3]);

// Pieces of a polytope.
void rico_polytope_face(const rico_side *side, int32_t face, rico_piece *out);
void rico_polytope_edge(const rico_side *side, int32_t edge, rico_piece *out);
void rico_polytope_vertex(const rico_side *side, int32_t vertex, rico_piece *out);

// The corner or curved piece of a side that reaches farthest.
void rico_side_farthest(const rico_side *side, const double n[3], rico_piece *out);

// h, gradient and Hessian (tangential) of a piece at n; those of a ring along its circle. G and H are added to.
double rico_piece_reach(const rico_piece *piece, const double n[3]);
void rico_piece_bend(const rico_piece *piece, const double n[3], double G[3], double H[9]);

// Normals at which two pieces meet: stationary F on what they share, from `start` where it takes iterations, which end early where F is above
// `worth`, if that is finite, or where an edge has no normals. Returns how many, at most 2, 0: none.
int rico_pieces_meet(const rico_piece *a, const rico_piece *b, const double start[3], double worth,
                     double n[2][3]);

#endif
