// What rico plot may be told: its options, and those among them that hold more than a number or a word.

#ifndef RICO_APP_PLOT_OPTIONS_H
#define RICO_APP_PLOT_OPTIONS_H

#include "app/options.h"
#include "draw/figure.h"

typedef struct rico_plot_settings {
    const char *x, *y, *output, *title, *labels, *x_label, *y_label, *x_range, *y_range, *font, *field;
    rico_cli_words panel, unit;
    double from, to, width, height, font_size;
    bool equal, merge, bodies, mesh, no_forces, no_edges;
    int view;
    double at, scale;
    int log, style;
    int64_t columns;
} rico_plot_settings;

enum { RICO_PLOT_LOG_NONE, RICO_PLOT_LOG_X, RICO_PLOT_LOG_Y, RICO_PLOT_LOG_XY };

// Styles: what suits a column, or one of rico_series_style, counted from 1.
enum { RICO_PLOT_STYLE_AUTO };

extern const rico_cli_option rico_plot_options[];

// "LOW:HIGH" of --x-range and --y-range; NULL gives two equal numbers, which a panel takes for the data's.
rico_status rico_plot_range(rico_context *ctx, const char *option, const char *text, double *low,
                            double *high);

// The unit that --unit gives a column, "" without one.
void rico_plot_unit(const rico_plot_settings *settings, const char *column, char *unit, size_t size);

// Refuses what --unit cannot read.
rico_status rico_plot_check_units(rico_context *ctx, const rico_plot_settings *settings);

#endif
