// A small writer of SVG 1.1: lines, step curves, rectangles and text, in a page of fixed size.

#ifndef RICO_DRAW_SVG_H
#define RICO_DRAW_SVG_H

#include <stdint.h>
#include <stdio.h>

typedef struct rico_svg {
    FILE *out;
} rico_svg;

typedef struct rico_svg_stroke {
    const char *colour; // "#0072b2"
    double width;
    const char *dash; // lengths of marks and gaps, "6 3"; NULL for a solid line
} rico_svg_stroke;

typedef enum rico_svg_anchor { RICO_SVG_START, RICO_SVG_MIDDLE, RICO_SVG_END } rico_svg_anchor;

typedef struct rico_svg_font {
    double size;
    const char *colour;
    rico_svg_anchor anchor;
    double turn; // degrees, clockwise about the anchor
} rico_svg_font;

// Opens a white page. `title` is what readers of the document are told it shows.
rico_svg rico_svg_begin(FILE *out, double width, double height, const char *title);
void rico_svg_end(rico_svg *svg);

void rico_svg_line(rico_svg *svg, double x1, double y1, double x2, double y2, const rico_svg_stroke *stroke);
void rico_svg_rectangle(rico_svg *svg, double x, double y, double width, double height,
                        const rico_svg_stroke *stroke);

// A line through points, each joined to the next by straight segments.
void rico_svg_curve(rico_svg *svg, int64_t count, const double *x, const double *y,
                    const rico_svg_stroke *stroke);

// Text; any characters may stand in it. `power`, where not NULL, is set as an exponent behind.
void rico_svg_text(rico_svg *svg, double x, double y, const rico_svg_font *font, const char *text,
                   const char *power);

#endif
