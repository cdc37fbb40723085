// The overlap of two convex polygons, its corners named by what crosses there.

#ifndef RICO_COLLIDE_CLIP_H
#define RICO_COLLIDE_CLIP_H

#include <stdint.h>

enum { RICO_CLIP_MOST = 256 };

// Corners with the side that begins there: side k of the first polygon is k, side k of the second is -1 - k.
typedef struct rico_clip_corner {
    double x, y;
    int32_t side;
} rico_clip_corner;

// Sutherland and Hodgman (1974): cuts the second polygon, in place, by the sides of the first. Both run against the clock. Corners within
// `slack` of a side count as inside. Returns how many corners are left.
int rico_clip(const rico_clip_corner *first, int first_count, double slack, rico_clip_corner *second,
              int second_count);

#endif
