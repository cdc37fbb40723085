// Beams of a scene: what their builders share.

#ifndef RICO_SCENE_SCENE_BEAMS_H
#define RICO_SCENE_SCENE_BEAMS_H

#include "ricochet/beams.h"
#include "scene/scene_bodies.h"

// The line that a beam follows: a polygon where it has points, an arc where it has a radius, else straight.
typedef struct rico_beam_line {
    double length;
    double from[3], to[3];
    double middle[3], u[3], w[3], radius, angle; // of an arc: x = middle + radius (cos u + sin w)
    int64_t points;
    double *point, *at; // of a polygon: its corners, and where along it they are
} rico_beam_line;

rico_status rico_beam_line_read(rico_scene_bodies *bodies, const rico_node *node, rico_beam_line *out);
void rico_beam_line_destroy(rico_context *ctx, rico_beam_line *line);
// The place at the length s, and the unit tangent.
void rico_beam_line_place(const rico_beam_line *line, double s, double x[3], double tangent[3]);

// Axes of sections: of the first one, whose z is as near to `up` as it goes (false: that is along the tangent); and carried on.
bool rico_beam_first_axes(const double tangent[3], const double up[3], double orientation[4]);
void rico_beam_carry(const double from[3], const double to[3], double orientation[4]);

// A beam, once its nodes are among the bodies.
struct rico_scene_beam {
    const rico_node *node;
    rico_beam_line line;
    int64_t first, nodes; // among the bodies
    double *at;           // length along the beam at each node
    bool pinned[2];
    double radius;             // of the balls about its nodes, 0: none
    const char *coordinate[3]; // in formulas
};

#endif
