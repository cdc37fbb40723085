// A picture of elastic parts: displaced, with a field in colour and its legend.

#ifndef RICO_DRAW_MESH_PICTURE_H
#define RICO_DRAW_MESH_PICTURE_H

#include "draw/body_picture.h"

typedef struct rico_mesh_picture_options {
    rico_view_from from; // of meshes in the plane: always z
    double t;            // NaN: the last row
    const char *field;   // of rico_elastic_field_name(); NULL: von-mises
    double scale;        // of displacements
    bool no_edges;       // of cells
    double width;        // of the page, in pixels of 1/96 inch; 0: as usual
    const char *title;   // NULL: that of the run
} rico_mesh_picture_options;

// Writes the picture; the end of the path (.svg, .png, .pdf) says as what. A field that there is none of is refused with the nearest one.
rico_status rico_mesh_picture(rico_context *ctx, rico_results *results,
                              const rico_mesh_picture_options *options, const char *path);

#endif
