// The overlap of two convex polygons.

#include "collide/clip.h"

#include "la/vec3.h"

#include <string.h>

int rico_clip(const rico_clip_corner *first, int first_count, double slack, rico_clip_corner *polygon,
              int count)
{
    rico_clip_corner cut[RICO_CLIP_MOST];
    double out[RICO_CLIP_MOST];
    for (int k = 0; k < first_count && count > 0; k++) {
        const rico_clip_corner *p = &first[k], *q = &first[(k + 1) % first_count];
        double nx = q->y - p->y, ny = p->x - q->x, length = rico_hypot(nx, ny);
        if (!(length > 0.0)) continue;
        nx /= length, ny /= length;
        int outside = 0;
        for (int i = 0; i < count; i++) {
            out[i] = nx * (polygon[i].x - p->x) + ny * (polygon[i].y - p->y) - slack;
            outside += out[i] > 0.0;
        }
        if (outside == 0) continue;
        int kept = 0;
        for (int i = 0; i < count && kept + 2 <= RICO_CLIP_MOST; i++) {
            int j = i + 1 < count ? i + 1 : 0;
            if (out[i] <= 0.0) cut[kept++] = polygon[i];
            if ((out[i] <= 0.0) == (out[j] <= 0.0)) continue;
            double at = out[i] / (out[i] - out[j]);
            // leaving, the polygon goes on along the cutting side; coming back, along its own
            cut[kept++] = (rico_clip_corner){polygon[i].x + at * (polygon[j].x - polygon[i].x),
                                             polygon[i].y + at * (polygon[j].y - polygon[i].y),
                                             out[i] <= 0.0 ? first[k].side : polygon[i].side};
        }
        memcpy(polygon, cut, (size_t)kept * sizeof *cut);
        count = kept;
    }
    return count;
}
