// Surfaces of shapes as polygons: for pictures and for other programs.

#ifndef RICO_STORE_BODY_SURFACE_H
#define RICO_STORE_BODY_SURFACE_H

#include "store/body_view.h"

// Polygons that share corners; lists only grow. Start it with {.ctx = ctx}.
typedef struct rico_polygons {
    rico_context *ctx;
    int64_t vertices, vertex_room, faces, face_room, corners, corner_room;
    double *vertex;     // 3 numbers each
    int64_t *face_end;  // where the corners of each end in the next
    int64_t *corner;    // against the clock seen from outside
    rico_status status; // of the first failure, which stops everything
} rico_polygons;

void rico_polygons_release(rico_polygons *to);
void rico_polygons_clear(rico_polygons *to);

// Adds the surface of a shape, standing as told. Round ones get `around` corners to a circle, at least 3; what is endless gets a
// square of half width `span` about `middle`. Shapes in the plane are one polygon, a segment one of two corners.
rico_status rico_polygons_add(rico_polygons *to, const rico_body_view *view, const rico_viewed_shape *shape,
                              const rico_stand *stand, int around, double span, const double middle[3]);

#endif
