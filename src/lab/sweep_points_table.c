// Many values of every run of a sweep: as a table, as a picture.

#include "lab/sweep_points.h"

#include "base/csv.h"
#include "base/system.h"
#include "draw/curves.h"
#include "store/target.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>


static int width_of(const rico_sweep_points *points)
{
    return points->column_count + 1;
}


void rico_points_put(rico_sweep_points *points, int64_t cell, rico_points_cell *taken)
{
    rico_free(points->ctx, points->cell[cell].value);
    points->cell[cell] = *taken;
    *taken = (rico_points_cell){0};
}


// --- the table -----------------------------------------------------------------------------------------------

static const char *head_of(const rico_sweep_points *points, int field)
{
    const rico_sweep_grid *grid = points->grid;
    if (field < grid->axis_count) return grid->axis[field].name;
    field -= grid->axis_count;
    return field == 0 ? "t" : points->column[field - 1];
}


static int field_count(const rico_sweep_points *points)
{
    return points->grid->axis_count + width_of(points);
}


void rico_points_write(const rico_sweep_points *points, int64_t cell, FILE *out)
{
    const rico_sweep_grid *grid = points->grid;
    const rico_points_cell *own = &points->cell[cell];
    int64_t place[RICO_SWEEP_AXES];
    rico_sweep_place(grid, cell, place);
    for (int64_t row = 0; row < own->count; row++) {
        for (int i = 0; i < grid->axis_count; i++) {
            rico_csv_field(out, grid->axis[i].text[place[i]]);
            fputc(',', out);
        }
        for (int i = 0; i < width_of(points); i++)
            fprintf(out, "%.17g%c", own->value[row * width_of(points) + i],
                    i + 1 < width_of(points) ? ',' : '\n');
    }
}


rico_status rico_points_save(const rico_sweep_points *points, const char *path)
{
    rico_target target;
    rico_status status = rico_target_open(points->ctx, path, RICO_TARGET_TABLE, &target);
    if (status != RICO_OK) return status;
    for (int i = 0; i < field_count(points); i++) {
        if (i > 0) fputc(',', target.out);
        rico_csv_field(target.out, head_of(points, i));
    }
    fputc('\n', target.out);
    for (int64_t cell = 0; cell < points->grid->count; cell++) rico_points_write(points, cell, target.out);
    return rico_target_close(&target, RICO_OK);
}


static rico_status add_row(rico_sweep_points *points, int64_t cell, char **field)
{
    rico_points_cell *into = &points->cell[cell];
    int width = width_of(points);
    double *more =
        rico_grow(points->ctx, into->value, into->count * width, (into->count + 1) * width, sizeof *more);
    if (!more) return RICO_NO_MEMORY;
    into->value = more;
    for (int i = 0; i < width; i++) more[into->count * width + i] = strtod(field[i], NULL);
    into->count++;
    return RICO_OK;
}


rico_status rico_points_load(rico_sweep_points *points, const char *path)
{
    rico_context *ctx = points->ctx;
    const rico_sweep_grid *grid = points->grid;
    if (access(path, F_OK) != 0) return RICO_OK;
    rico_csv csv = {0};
    rico_status status = rico_csv_load(ctx, path, &csv);
    if (status != RICO_OK) return status;
    char *field[RICO_CSV_FIELDS];
    int wanted = field_count(points), got = rico_csv_next(&csv, field);
    bool same = got == wanted;
    for (int i = 0; same && i < wanted; i++) same = strcmp(field[i], head_of(points, i)) == 0;
    if (got > 0 && !same)
        status = rico_fail(ctx, RICO_BAD_INPUT, "%s: holds points of other columns; choose another --output",
                           path);
    while (status == RICO_OK && got > 0 && (got = rico_csv_next(&csv, field)) > 0) {
        int64_t cell = got == wanted ? rico_sweep_find(grid, field) : -1;
        // points of a run that a kill cut short come again
        if (cell >= 0 && grid->cell[cell].end == RICO_SWEEP_DONE)
            status = add_row(points, cell, field + grid->axis_count);
    }
    rico_free(ctx, csv.text);
    return status;
}


// --- the picture ---------------------------------------------------------------------------------------------

static int find_axis(const rico_sweep_grid *grid)
{
    for (int i = 0; i < grid->axis_count; i++)
        if (grid->axis[i].numbers) return i;
    return -1;
}


// All points of a column over the axis, as one cloud.
static rico_status add_cloud(const rico_sweep_points *points, int axis, int column, rico_curves *curves)
{
    const rico_sweep_grid *grid = points->grid;
    int64_t count = 0, at = 0, place[RICO_SWEEP_AXES];
    for (int64_t cell = 0; cell < grid->count; cell++) count += points->cell[cell].count;
    double *x = rico_alloc(points->ctx, count, sizeof *x), *y = rico_alloc(points->ctx, count, sizeof *y);
    if (!x || !y) {
        rico_free(points->ctx, x);
        rico_free(points->ctx, y);
        return RICO_NO_MEMORY;
    }
    for (int64_t cell = 0; cell < grid->count; cell++) {
        rico_sweep_place(grid, cell, place);
        for (int64_t row = 0; row < points->cell[cell].count; row++, at++) {
            x[at] = grid->axis[axis].number[place[axis]];
            y[at] = points->cell[cell].value[row * width_of(points) + 1 + column];
        }
    }
    rico_status status = rico_curves_add(points->ctx, curves, "", count, x, y);
    if (status == RICO_OK) curves->series[curves->count - 1].style = RICO_SERIES_POINTS;
    return status;
}


rico_status rico_points_draw(const rico_sweep_points *points, const char *path, bool *drawn)
{
    int axis = find_axis(points->grid);
    rico_curves curves[RICO_POINTS_COLUMNS] = {{0}};
    rico_figure_panel panels[RICO_POINTS_COLUMNS];
    rico_status status = RICO_OK;
    *drawn = false;
    if (axis < 0) return RICO_OK;
    for (int c = 0; status == RICO_OK && c < points->column_count; c++) {
        status = add_cloud(points, axis, c, &curves[c]);
        panels[c] = (rico_figure_panel){.x_label = points->grid->axis[axis].name,
                                        .y_label = points->column[c],
                                        .log_x = points->grid->axis[axis].log,
                                        .series_count = curves[c].count,
                                        .series = curves[c].series};
    }
    const rico_figure figure = {.panel_count = points->column_count, .panels = panels};
    if (status == RICO_OK) status = rico_figure_write(points->ctx, &figure, path);
    for (int c = 0; c < points->column_count; c++) rico_curves_release(points->ctx, &curves[c]);
    *drawn = status == RICO_OK;
    return status;
}
