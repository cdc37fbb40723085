// Shapes in the plane: convex polygons with round corners, and the half-plane.

#ifndef RICO_COLLIDE_PLANAR_H
#define RICO_COLLIDE_PLANAR_H

#include "collide/shape.h"

// All points within `radius` of a convex core: a point (disc), a segment, or a polygon against the clock. Edge i leaves vertex i;
// a segment has two, one for each of its sides, a point none. Features count vertices first, then edges. The half-plane has no
// core, and one feature.
typedef struct rico_polygon {
    int32_t count; // vertices
    double radius;
    double *vertex;  // 2 numbers each
    double *normal;  // 2 each: outer unit normals of the edges
    double *length;  // of the edges
    double number[]; // of all three
} rico_polygon;

// NULL: the half-plane y <= 0
static inline const rico_polygon *rico_polygon_of(const rico_shape *shape)
{
    return shape->data;
}

#endif
