// Figures for papers: panels with axes and curves, drawn by gnuplot into SVG, PNG or PDF.

#ifndef RICO_DRAW_FIGURE_H
#define RICO_DRAW_FIGURE_H

#include "base/context.h"

typedef enum rico_series_style {
    RICO_SERIES_LINE,
    RICO_SERIES_POINTS,
    RICO_SERIES_BOTH,
    RICO_SERIES_STEPS,
    RICO_SERIES_STEMS // from zero up to each point: impulses
} rico_series_style;

typedef struct rico_figure_series {
    const char *label; // for the legend; NULL or "": none
    rico_series_style style;
    int dashed; // 0: solid, 1: dashed, 2: dotted, 3: both; the next one for every eight colours used up
    bool words; // the label is prose or the name of a file: set as it stands, no Greek, no indices
    int64_t count;
    const double *x, *y; // what is not finite breaks the line
    int colour;          // 0: by its place in the panel; n: the n-th of the palette; -1: grey
} rico_figure_series;

// A quantity over a grid, shown by colours: z[i * y_count + j] at (x[i], y[j]). What is not finite stays white.
typedef struct rico_figure_map {
    int64_t x_count, y_count;
    const double *x, *y, *z; // x and y ascend or descend
    bool classes;            // z is 1, 2, ...: shades of the colour of that series, without a scale
} rico_figure_map;

typedef struct rico_figure_panel {
    const char *title, *x_label, *y_label; // may be NULL
    bool log_x, log_y;
    bool equal;           // a unit is as long on both axes
    double x_low, x_high; // equal: the data's
    double y_low, y_high; // the same
    bool colour_scale;    // series are levels of a third quantity: colours from dark to bright, in order
    int64_t series_count;
    const rico_figure_series *series;
    const rico_figure_map *map; // behind the series; may be NULL
} rico_figure_panel;

// How a figure is set; zeros for what the kind of picture has by default: a column of a paper for PDF.
typedef struct rico_figure_look {
    double width, height; // millimetres
    const char *font;     // its family
    double font_size;     // points
} rico_figure_look;

typedef struct rico_figure {
    const char *title; // may be NULL
    int64_t columns;   // of panels, 0: chosen
    int64_t panel_count;
    const rico_figure_panel *panels;
    rico_figure_look look;
} rico_figure;

// The ending of a path says what it becomes: true for .svg, .png, .pdf.
bool rico_figure_can_write(const char *path);

// Writes the figure; the end of the path (.svg, .png, .pdf) says as what. The file appears whole or not at all. Long series are thinned to what the eye can tell. Labels
// of axes and curves are set as in print: theta as a letter, v_x with an index.
rico_status rico_figure_write(rico_context *ctx, const rico_figure *figure, const char *path);

#endif
