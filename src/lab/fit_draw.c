// Data and fit as a figure.

#include "draw/figure.h"
#include "lab/fit.h"

rico_status rico_fit_draw(rico_context *ctx, const rico_fit *fit, const char *path)
{
    int64_t columns = fit->data.columns, rows = fit->curve_rows;
    rico_figure_panel panel[RICO_FIT_COLUMNS];
    rico_figure_series series[RICO_FIT_COLUMNS][2];
    double *curve = rico_alloc(ctx, rows * columns, sizeof *curve);
    if (!curve) return RICO_NO_MEMORY;
    for (int64_t c = 0; c < columns; c++) {
        for (int64_t i = 0; i < rows; i++) curve[c * rows + i] = fit->curve[i * columns + c];
        series[c][0] = (rico_figure_series){.label = "data",
                                            .words = true,
                                            .style = RICO_SERIES_POINTS,
                                            .count = fit->data.rows,
                                            .x = fit->data.t,
                                            .y = fit->data.value + c * fit->data.rows};
        series[c][1] = (rico_figure_series){.label = "fit",
                                            .words = true,
                                            .style = RICO_SERIES_LINE,
                                            .count = rows,
                                            .x = fit->curve_t,
                                            .y = curve + c * rows};
        panel[c] = (rico_figure_panel){
            .x_label = "t", .y_label = fit->data.name[c], .series_count = 2, .series = series[c]};
    }
    const rico_figure figure = {.panel_count = columns, .panels = panel};
    rico_status status = rico_figure_write(ctx, &figure, path);
    rico_free(ctx, curve);
    return status;
}
