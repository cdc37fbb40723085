// What a picture of bodies is painted of, in the order of painting.

#ifndef RICO_DRAW_BODY_PAINT_H
#define RICO_DRAW_BODY_PAINT_H

#include "base/context.h"

typedef struct rico_paint_colour {
    double rgb[3]; // 0 to 1
} rico_paint_colour;

// A polygon, or a disc that is a sphere seen from anywhere. Points are in the axes of the view: right, up, towards the eye.
typedef struct rico_patch {
    bool disc;
    bool outlined;            // its edges are edges of the body
    bool faint;               // of a sensor: seen through
    bool plain;               // its colour as it is, whatever the light
    bool flat;                // has no plane of its own: a line, or a face seen edge on
    int64_t first, count;     // its points
    double center[3], radius; // of a disc
    double normal[3], offset; // of its plane, normal.x = offset, normal towards the eye
    double low[3], high[3];   // bounds
    int64_t body;
    rico_paint_colour colour;
} rico_patch;

typedef struct rico_arrow {
    double from[3], to[3];
} rico_arrow;

// Colours and what they stand for, from low to high; count 0: none.
typedef struct rico_paint_legend {
    int count;
    const rico_paint_colour *colour;
    double low, high;
    const char *name;
} rico_paint_legend;

typedef struct rico_painting {
    rico_context *ctx;
    int64_t patch_count, patch_room, point_count, point_room, arrow_count, arrow_room;
    rico_patch *patch;
    double *point; // 3 numbers each
    rico_arrow *arrow;
    int64_t *order;           // of painting
    double low[2], high[2];   // what the page shows
    double width, height;     // of the page, in pixels
    double margin;            // at its right, for the legend
    double scale;             // pixels for a unit of length
    const char *title, *note; // above; below
    rico_paint_legend legend;
} rico_painting;

// Finds an order in which no patch hides one that is before it. body_order.c
rico_status rico_painting_sort(rico_painting *painting);

// Where a point of the view is on the page, from its left and upper edges.
static inline void rico_painting_place(const rico_painting *p, const double x[3], double page[2])
{
    page[0] = 0.5 * (p->width - p->margin) + p->scale * (x[0] - 0.5 * (p->low[0] + p->high[0]));
    page[1] = 0.5 * p->height - p->scale * (x[1] - 0.5 * (p->low[1] + p->high[1]));
}

// Writes it: body_page.c
rico_status rico_painting_write(rico_painting *painting, const char *path);

#endif
