// A picture of rigid bodies: shaded, in depth order, with contact points and forces as arrows.
//
// The view is orthographic. Everything is brought into the axes of the view (right, up, towards the eye) and becomes a list
// of polygons, discs (spheres), and arrows on top of them, which SVG or gnuplot then draws.

#ifndef RICO_DRAW_BODY_PICTURE_H
#define RICO_DRAW_BODY_PICTURE_H

#include "store/body_view.h"

typedef enum rico_view_from { RICO_VIEW_ISO, RICO_VIEW_X, RICO_VIEW_Y, RICO_VIEW_Z } rico_view_from;
extern const char *const rico_view_names[];        // of --view, NULL at the end
const double *rico_view_axes(rico_view_from from); // right, up, towards the eye

typedef struct rico_picture_options {
    rico_view_from from; // of bodies in the plane: always z
    double t;            // NaN: the last row
    bool no_forces;
    double width;      // of the page, in pixels of 1/96 inch; 0: as usual
    const char *title; // NULL: that of the run
} rico_picture_options;

// Writes the picture; the end of the path (.svg, .png, .pdf) says as what.
rico_status rico_body_picture(rico_context *ctx, rico_results *results, const rico_picture_options *options,
                              const char *path);

#endif
