// Faces of a mesh as surfaces in space: their points and derivatives, and the point of one that is nearest to another.

#ifndef RICO_MESH_FACE_H
#define RICO_MESH_FACE_H

#include "mesh/cell.h"

enum { RICO_FACE_NODES = 6, RICO_FACE_SIDES = 4 }; // at most: T6, Q4

// Whether cells of this kind can be faces for contact: line2, line3, T3, T6, Q4.
bool rico_face_is_one(rico_cell_kind kind);

// Values of the shape functions and their derivatives in the local coordinates xi: on [-1, 1] for lines, the triangle of 0 <= xi, eta,
// xi + eta <= 1, the square [-1, 1]^2. derivative: those by xi of all nodes, then those by eta; or NULL.
void rico_face_shape(rico_cell_kind kind, const double xi[2], double *value, double *derivative);

// The point at xi, from three coordinates a node; tangents by xi and by eta (0 for lines), or NULL.
void rico_face_point(rico_cell_kind kind, const double *x, const double xi[2], double at[3],
                     double tangent[6]);

// The outward unit normal there: to the right of the way along an edge in the plane, the side from which the nodes of a face run against
// the clock. Zero where the face has no area.
void rico_face_normal(rico_cell_kind kind, const double *x, const double xi[2], double normal[3]);

// How long it is: the largest distance of two corners.
double rico_face_size(rico_cell_kind kind, const double *x);

// What of a face a point is on: its inside, or one of its sides or corners (their numbers as those of the corners: side k begins
// at corner k). A line has no sides.
typedef enum rico_face_place { RICO_FACE_INSIDE, RICO_FACE_SIDE, RICO_FACE_CORNER } rico_face_place;

typedef struct rico_nearby {
    double xi[2], at[3], distance;
    rico_face_place place;
    int which; // side or corner
} rico_nearby;

// The point of the face that is nearest to p, to round-off; the first of several.
void rico_face_nearest(rico_cell_kind kind, const double *x, const double p[3], rico_nearby *out);

#endif
