// Pictures of impacts: curves picked from a sheet by the end of their names.

#include "lab/impact_figure.h"

#include "draw/figure.h"

#include <stdio.h>
#include <string.h>

enum { PANELS = 4, CURVES = 64 };

typedef struct board {
    rico_figure_panel panel[PANELS];
    rico_figure_series series[PANELS][CURVES];
    char label[PANELS][CURVES][RICO_SHEET_NAME];
    int64_t count;
} board;


static bool ends_with(const char *name, const char *end)
{
    size_t length = strlen(name), tail = strlen(end);
    return length > tail && strcmp(name + length - tail, end) == 0;
}


// Adds to a panel every column that ends so, or begins so where `begins`; what stays of the name is the label.
static void add_curves(board *self, int64_t p, const rico_sheet *sheet, const rico_sheet_column *x,
                       const char *mark, bool begins, rico_series_style style)
{
    rico_figure_panel *panel = &self->panel[p];
    for (int64_t c = 0; c < sheet->count && panel->series_count < CURVES; c++) {
        const rico_sheet_column *y = &sheet->column[c];
        bool taken = begins ? strncmp(y->name, mark, strlen(mark)) == 0 : ends_with(y->name, mark);
        if (!taken || y->count != x->count) continue;
        int64_t s = panel->series_count++;
        char *label = self->label[p][s];
        if (begins)
            label[0] = '\0';
        else
            snprintf(label, RICO_SHEET_NAME, "%.*s", (int)(strlen(y->name) - strlen(mark)), y->name);
        self->series[p][s] = (rico_figure_series){.label = label,
                                                  .style = style,
                                                  .dashed = !begins && (s == 1 || s == 2),
                                                  .count = x->count,
                                                  .x = x->value,
                                                  .y = y->value};
    }
    panel->series = self->series[p];
}


static rico_status finish(rico_context *ctx, board *self, const char *title, const char *path)
{
    rico_figure figure = {.title = title, .columns = 2, .panel_count = self->count, .panels = self->panel};
    rico_status status = rico_figure_write(ctx, &figure, path);
    rico_free(ctx, self);
    return status;
}


rico_status rico_impact_draw(rico_context *ctx, const rico_sheet *sheet, const char *title, const char *path)
{
    const rico_sheet_column *i = NULL, *contact = NULL, *time = NULL;
    rico_status status = rico_sheet_find(sheet, "i", &i);
    if (status == RICO_OK) status = rico_sheet_find(sheet, "contact", &contact);
    if (status != RICO_OK) return status;
    board *self = rico_alloc(ctx, 1, sizeof *self);
    if (!self) return RICO_NO_MEMORY;
    self->count = 2;
    self->panel[0] = (rico_figure_panel){.title = "velocities after", .x_label = "ball", .y_label = "v"};
    self->panel[1] = (rico_figure_panel){.title = "impulses", .x_label = "contact", .y_label = "P"};
    add_curves(self, 0, sheet, i, ".v", false, RICO_SERIES_BOTH);
    add_curves(self, 1, sheet, contact, ".impulse", false, RICO_SERIES_BOTH);
    for (int64_t c = 0; c < sheet->count; c++)
        if (strcmp(sheet->column[c].name, "time") == 0) time = &sheet->column[c];
    if (time) {
        self->panel[self->count] =
            (rico_figure_panel){.title = "energy of the first contacts", .x_label = "time", .y_label = "E"};
        add_curves(self, self->count++, sheet, time, "energy[", true, RICO_SERIES_LINE);
    }
    return finish(ctx, self, title, path);
}


rico_status rico_impact_draw_sweep(rico_context *ctx, const rico_sheet *sheet, const char *title, bool log_x,
                                   const char *path)
{
    static const struct {
        const char *mark, *title, *label;
    } WHAT[PANELS] = {{".dispersion", "dispersion", "C_KE"},
                      {".ker", "energy after over before", "KER"},
                      {".last", "last velocity", "v"},
                      {".gap-lzb", "distance to lzb", "percent"}};
    board *self = rico_alloc(ctx, 1, sizeof *self);
    if (!self) return RICO_NO_MEMORY;
    const rico_sheet_column *x = &sheet->column[0];
    for (int p = 0; p < PANELS; p++) {
        self->panel[self->count] = (rico_figure_panel){
            .title = WHAT[p].title, .x_label = x->name, .y_label = WHAT[p].label, .log_x = log_x};
        add_curves(self, self->count, sheet, x, WHAT[p].mark, false, RICO_SERIES_BOTH);
        self->count++;
    }
    return finish(ctx, self, title, path);
}
