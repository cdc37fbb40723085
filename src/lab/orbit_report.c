// Orbits of scenes as a table and a picture.

#include "lab/orbit_report.h"

#include "draw/figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { EACH = 80, PORTRAITS = 2, CURVES = 4, CIRCLE = 181 };


rico_status rico_orbit_sheet(rico_orbit_search *search, const rico_orbit *orbit, rico_sheet *sheet)
{
    rico_orbit_samples samples;
    int64_t size = search->nq + search->nv;
    const double *real, *imag;
    rico_status status = rico_orbit_sample(search->orbits, orbit, EACH, &samples);
    if (status != RICO_OK) return status;
    status = rico_sheet_add(sheet, "t", samples.count, samples.t, NULL);
    for (int64_t i = 0; status == RICO_OK && i < size; i++) {
        char name[RICO_SCENE_NAME];
        double *column;
        rico_orbit_search_name_of(search, i, name);
        status = rico_sheet_add(sheet, name, samples.count, NULL, &column);
        for (int64_t k = 0; status == RICO_OK && k < samples.count; k++) column[k] = samples.x[k * size + i];
    }
    int64_t count = rico_orbit_multipliers(orbit, &real, &imag);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "multiplier_real", count, real, NULL);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "multiplier_imag", count, imag, NULL);
    rico_orbit_samples_free(search->orbits, &samples);
    return status;
}


// Positions that move, the widest first in sizes of their own: those that stay within a millionth of the widest are not shown.
static int64_t choose(const rico_orbit_search *search, const rico_sheet *sheet, int64_t chosen[CURVES])
{
    int64_t count = 0;
    for (int64_t i = 0; i < search->nq && count < CURVES; i++) {
        const rico_sheet_column *column = &sheet->column[1 + i];
        double low = INFINITY, high = -INFINITY;
        for (int64_t k = 0; k < column->count; k++) {
            low = fmin(low, column->value[k]);
            high = fmax(high, column->value[k]);
        }
        if (high - low > 1e-9 * fmax(fabs(high), fabs(low)) && high - low > 1e-12) chosen[count++] = i;
    }
    if (count == 0) chosen[count++] = 0;
    return count;
}


rico_status rico_orbit_draw(rico_orbit_search *search, const rico_orbit *orbit, const char *title,
                            const char *path)
{
    rico_sheet sheet = {.ctx = search->ctx};
    rico_figure_series portrait[PORTRAITS], curve[CURVES], spectrum[2];
    rico_figure_panel panel[PORTRAITS + 2];
    double circle[2][CIRCLE];
    int64_t chosen[CURVES], panels = 0;
    rico_status status = rico_orbit_sheet(search, orbit, &sheet);
    if (status != RICO_OK) {
        rico_sheet_release(&sheet);
        return status;
    }
    int64_t shown = choose(search, &sheet, chosen), rows = sheet.column[0].count;
    bool paired = search->nq == search->nv;
    for (int64_t i = 0; paired && i < shown && i < PORTRAITS; i++) {
        const rico_sheet_column *q = &sheet.column[1 + chosen[i]],
                                *v = &sheet.column[1 + search->nq + chosen[i]];
        portrait[i] = (rico_figure_series){.count = rows, .x = q->value, .y = v->value};
        panel[panels++] = (rico_figure_panel){.title = "portrait",
                                              .x_label = q->name,
                                              .y_label = v->name,
                                              .series_count = 1,
                                              .series = &portrait[i]};
    }
    for (int64_t i = 0; i < shown; i++)
        curve[i] = (rico_figure_series){.label = sheet.column[1 + chosen[i]].name,
                                        .count = rows,
                                        .x = sheet.column[0].value,
                                        .y = sheet.column[1 + chosen[i]].value};
    panel[panels++] =
        (rico_figure_panel){.title = "one period", .x_label = "t", .series_count = shown, .series = curve};
    for (int k = 0; k < CIRCLE; k++) {
        circle[0][k] = cos(2.0 * M_PI * k / (CIRCLE - 1));
        circle[1][k] = sin(2.0 * M_PI * k / (CIRCLE - 1));
    }
    const rico_sheet_column *real = &sheet.column[sheet.count - 2], *imag = &sheet.column[sheet.count - 1];
    spectrum[0] = (rico_figure_series){.count = CIRCLE, .x = circle[0], .y = circle[1], .colour = -1};
    spectrum[1] = (rico_figure_series){
        .style = RICO_SERIES_POINTS, .count = real->count, .x = real->value, .y = imag->value};
    panel[panels++] = (rico_figure_panel){.title = "Floquet multipliers",
                                          .x_label = "real part",
                                          .y_label = "imaginary part",
                                          .equal = true,
                                          .series_count = 2,
                                          .series = spectrum};
    rico_figure figure = {.title = title, .panel_count = panels, .panels = panel};
    status = rico_figure_write(search->ctx, &figure, path);
    rico_sheet_release(&sheet);
    return status;
}
