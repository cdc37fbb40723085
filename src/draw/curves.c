// Curves that own their numbers.

#include "draw/curves.h"

#include "base/context.h"

#include <string.h>

rico_status rico_curves_add(rico_context *ctx, rico_curves *curves, const char *label, int64_t count,
                            double *x, double *y)
{
    char *text = rico_alloc(ctx, (int64_t)strlen(label) + 1, 1);
    if (text && curves->count == curves->room) {
        int64_t room = 2 * curves->room + 4;
        rico_figure_series *more = rico_grow(ctx, curves->series, curves->room, room, sizeof *more);
        if (more) {
            curves->series = more;
            curves->room = room;
        }
    }
    if (!text || curves->count == curves->room) {
        rico_free(ctx, text);
        rico_free(ctx, x);
        rico_free(ctx, y);
        return RICO_NO_MEMORY;
    }
    memcpy(text, label, strlen(label) + 1);
    curves->series[curves->count++] = (rico_figure_series){.label = text, .count = count, .x = x, .y = y};
    return RICO_OK;
}


void rico_curves_release(rico_context *ctx, rico_curves *curves)
{
    for (int64_t i = 0; i < curves->count; i++) {
        rico_free(ctx, (char *)curves->series[i].label);
        rico_free(ctx, (double *)curves->series[i].x);
        rico_free(ctx, (double *)curves->series[i].y);
    }
    rico_free(ctx, curves->series);
    *curves = (rico_curves){0};
}


// A parameter of the run has as many rows as what it is drawn with.
static rico_status stretch(rico_context *ctx, int64_t rows, int64_t *count, double **values)
{
    for (int64_t i = 1; i < *count; i++)
        if ((*values)[i] != (*values)[0]) return RICO_OK;
    if (*count == 0) return RICO_OK;
    double *more = rico_alloc(ctx, rows, sizeof *more);
    if (!more) return RICO_NO_MEMORY;
    for (int64_t i = 0; i < rows; i++) more[i] = (*values)[0];
    rico_free(ctx, *values);
    *values = more;
    *count = rows;
    return RICO_OK;
}


rico_status rico_curves_read(rico_context *ctx, rico_curves *curves, rico_columns *columns, const char *x,
                             const char *y, double from, double to, const char *label)
{
    double *t = NULL, *xs = NULL, *ys = NULL;
    int64_t rows = 0, x_rows = 0, y_rows = 0, kept = 0;
    const char *time = rico_columns_time_of(columns, y);
    rico_status status = rico_columns_read(columns, y, &y_rows, &ys);
    if (status == RICO_OK) status = rico_columns_read(columns, x ? x : time, &x_rows, &xs);
    if (status == RICO_OK) status = rico_columns_read(columns, time, &rows, &t);
    if (status == RICO_OK && x && x_rows != y_rows) status = stretch(ctx, y_rows, &x_rows, &xs);
    if (status == RICO_OK && x && x_rows != y_rows)
        status = rico_fail(ctx, RICO_BAD_ARGUMENT,
                           "'%s' and '%s' cannot be drawn over one another: they have %lld and %lld rows", y,
                           x, (long long)y_rows, (long long)x_rows);
    // of a run that goes on, one column may have come further than another
    if (x_rows < y_rows) y_rows = x_rows;
    if (rows < y_rows) y_rows = rows;
    for (int64_t i = 0; status == RICO_OK && i < y_rows; i++) {
        if (t[i] < from || t[i] > to) continue;
        xs[kept] = xs[i];
        ys[kept++] = ys[i];
    }
    rico_free(ctx, t);
    if (status == RICO_OK) return rico_curves_add(ctx, curves, label, kept, xs, ys);
    rico_free(ctx, xs);
    rico_free(ctx, ys);
    return status;
}
