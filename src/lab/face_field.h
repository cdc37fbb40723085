// Fields over a face of a mesh, for pictures: on a grid of places, and as lines of equal value.
//
// The face is cut into triangles, quadrilaterals by their bilinear shape functions, each corner with its two coordinates in the plane of the
// face and the numbers of all fields; between corners these are linear.

#ifndef RICO_LAB_FACE_FIELD_H
#define RICO_LAB_FACE_FIELD_H

#include "ricochet/mesh.h"

enum { RICO_FACE_FIELDS = 6 };

typedef struct rico_face_corner {
    double at[2], value[RICO_FACE_FIELDS];
} rico_face_corner;

typedef struct rico_face_triangles {
    rico_context *ctx;
    int64_t count, room;
    rico_face_corner *corner; // three each
} rico_face_triangles;

// Start it with {.ctx = ctx}. `corner` holds those of the face's nodes, in its order.
rico_status rico_face_add(rico_face_triangles *triangles, rico_cell_kind kind,
                          const rico_face_corner *corner);
void rico_face_release(rico_face_triangles *triangles);

// places x places of the smallest box around them, the second coordinate varying faster; what is outside of the face stays NAN.
void rico_face_grid(const rico_face_triangles *triangles, int64_t places, double *across, double *along,
                    double *const value[RICO_FACE_FIELDS]);

// Lines of equal value at `levels` values between the least and the largest: points, an empty one after each piece. Counted where `out` is NULL.
int64_t rico_face_lines(const rico_face_triangles *triangles, int field, int64_t levels, double (*out)[2]);

#endif
