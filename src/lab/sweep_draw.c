// The figure of a sweep.

#include "lab/sweep_draw.h"

#include "draw/curves.h"

#include <math.h>
#include <string.h>

enum { CURVES_MAX = 8, PALETTE = 3 };


static int find_axis(const rico_sweep_grid *grid)
{
    for (int i = 0; i < grid->axis_count; i++)
        if (grid->axis[i].numbers && grid->axis[i].count > 1) return i;
    return -1;
}


// Cells that differ in the axis alone lie this far from each other.
static int64_t stride_of(const rico_sweep_grid *grid, int axis)
{
    int64_t stride = 1;
    for (int i = axis + 1; i < grid->axis_count; i++) stride *= grid->axis[i].count;
    return stride;
}


// "mu = 0.1, scheme = hht": the other parameters of a cell.
static void label_of(const rico_sweep_grid *grid, int axis, int64_t cell, char *text, size_t size)
{
    int64_t place[RICO_SWEEP_AXES];
    size_t used = 0;
    text[0] = '\0';
    rico_sweep_place(grid, cell, place);
    for (int i = 0; i < grid->axis_count && used < size; i++) {
        if (i == axis) continue;
        const rico_sweep_axis *own = &grid->axis[i];
        used += (size_t)snprintf(text + used, size - used, "%s%s = %s", used ? ", " : "", own->name,
                                 own->text[place[i]]);
    }
}


static rico_status add_curve(const rico_sweep_grid *grid, int axis, int64_t first, int measure,
                             rico_curves *curves)
{
    const rico_sweep_axis *along = &grid->axis[axis];
    int64_t stride = stride_of(grid, axis);
    double *x = rico_alloc(grid->ctx, along->count, sizeof *x),
           *y = rico_alloc(grid->ctx, along->count, sizeof *y);
    if (!x || !y) {
        rico_free(grid->ctx, x);
        rico_free(grid->ctx, y);
        return RICO_NO_MEMORY;
    }
    for (int64_t i = 0; i < along->count; i++) {
        const rico_sweep_cell *cell = &grid->cell[first + i * stride];
        x[i] = along->number[i];
        y[i] = cell->end == RICO_SWEEP_DONE ? cell->value[measure] : NAN;
    }
    char label[400];
    label_of(grid, axis, first, label, sizeof label);
    rico_status status = rico_curves_add(grid->ctx, curves, label, along->count, x, y);
    if (status == RICO_OK)
        curves->series[curves->count - 1].style = along->count > 60 ? RICO_SERIES_LINE : RICO_SERIES_BOTH;
    return status;
}


static rico_status draw_curves(const rico_sweep_grid *grid, int axis, const char *path)
{
    int64_t count = grid->axis[axis].count, stride = stride_of(grid, axis);
    rico_curves curves[RICO_SWEEP_MEASURES] = {{0}};
    rico_figure_panel panels[RICO_SWEEP_MEASURES];
    rico_status status = RICO_OK;
    for (int m = 0; status == RICO_OK && m < grid->measure_count; m++) {
        // curves begin where the axis has its first value
        for (int64_t cell = 0; status == RICO_OK && cell < grid->count; cell++)
            if (cell / stride % count == 0) status = add_curve(grid, axis, cell, m, &curves[m]);
        // few curves take colours that differ, many a scale from dark to bright
        panels[m] = (rico_figure_panel){.title = grid->measure_count > 1 ? grid->measure[m].text : NULL,
                                        .x_label = grid->axis[axis].name,
                                        .y_label = grid->measure_count > 1 ? NULL : grid->measure[m].text,
                                        .log_x = grid->axis[axis].log,
                                        .colour_scale = curves[m].count > PALETTE,
                                        .series_count = curves[m].count,
                                        .series = curves[m].series};
    }
    const rico_figure figure = {.panel_count = grid->measure_count, .panels = panels};
    if (status == RICO_OK) status = rico_figure_write(grid->ctx, &figure, path);
    for (int m = 0; m < grid->measure_count; m++) rico_curves_release(grid->ctx, &curves[m]);
    return status;
}


// Two parameters of many values: colours over the plane of both.
static rico_status draw_maps(const rico_sweep_grid *grid, const char *path)
{
    const rico_sweep_axis *x = &grid->axis[0], *y = &grid->axis[1];
    rico_figure_panel panels[RICO_SWEEP_MEASURES];
    rico_figure_map maps[RICO_SWEEP_MEASURES];
    double *z = rico_alloc(grid->ctx, grid->count * grid->measure_count, sizeof *z);
    if (!z) return RICO_NO_MEMORY;
    for (int m = 0; m < grid->measure_count; m++) {
        double *own = z + m * grid->count;
        for (int64_t i = 0; i < grid->count; i++)
            own[i] = grid->cell[i].end == RICO_SWEEP_DONE ? grid->cell[i].value[m] : NAN;
        maps[m] = (rico_figure_map){x->count, y->count, x->number, y->number, own};
        panels[m] = (rico_figure_panel){.title = grid->measure[m].text,
                                        .x_label = x->name,
                                        .y_label = y->name,
                                        .log_x = x->log,
                                        .log_y = y->log,
                                        .map = &maps[m]};
    }
    const rico_figure figure = {.panel_count = grid->measure_count, .panels = panels};
    rico_status status = rico_figure_write(grid->ctx, &figure, path);
    rico_free(grid->ctx, z);
    return status;
}


static bool in_order(const rico_sweep_axis *axis)
{
    for (int64_t i = 2; i < axis->count; i++)
        if ((axis->number[i] - axis->number[i - 1]) * (axis->number[1] - axis->number[0]) <= 0.0)
            return false;
    return axis->numbers && axis->count > 1 && axis->number[0] != axis->number[1];
}


rico_status rico_sweep_draw(const rico_sweep_grid *grid, const char *path, bool *drawn)
{
    int axis = find_axis(grid);
    bool few = axis >= 0 && grid->count / grid->axis[axis].count <= CURVES_MAX;
    bool plane = grid->axis_count == 2 && in_order(&grid->axis[0]) && in_order(&grid->axis[1]);
    *drawn = false;
    if (!few && !plane) return RICO_OK;
    rico_status status = few ? draw_curves(grid, axis, path) : draw_maps(grid, path);
    *drawn = status == RICO_OK;
    return status;
}
