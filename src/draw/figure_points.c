// The points of a curve, thinned to what the eye can tell.

#include "draw/figure_points.h"

#include <math.h>

enum { STRETCHES = 2000, FEW = 400, HELD = 64, MOST = 100000, WIDTH = 470, HEIGHT = 290 };

// Points on their way to the script. Those that a straight line through their neighbours shows as well, to a twenty-fifth of a
// pixel, are left out: a curve of a run is smooth nearly everywhere.
typedef struct pen {
    FILE *out; // NULL: only count
    const rico_figure_window *window;
    double x_unit, y_unit; // of that much; 0: every point is written
    int64_t written;
    bool down;   // there is an anchor
    double x, y; // the point last written, as the axes see it
    int count;   // held back since, all on the line from there to the last of them
    double held_x[HELD], held_y[HELD], seen_x[HELD], seen_y[HELD];
} pen;


static double seen(double value, bool log)
{
    return log ? log10(value) : value;
}


static void put(pen *p, double x, double y)
{
    if (p->out) fprintf(p->out, "%.9g %.9g\n", x, y);
    p->written++;
    p->x = seen(x, p->window->log_x);
    p->y = seen(y, p->window->log_y);
    p->down = true;
    p->count = 0;
}


static void flush(pen *p)
{
    if (p->count > 0) put(p, p->held_x[p->count - 1], p->held_y[p->count - 1]);
}


// Does the line from the anchor to (x, y) pass by all points held back, and in their order?
static bool in_line(const pen *p, double x, double y)
{
    double dx = (x - p->x) / p->x_unit, dy = (y - p->y) / p->y_unit, length = hypot(dx, dy), before = 0.0;
    for (int i = 0; i < p->count; i++) {
        double ex = (p->seen_x[i] - p->x) / p->x_unit, ey = (p->seen_y[i] - p->y) / p->y_unit;
        double along = ex * dx + ey * dy, across = fabs(ex * dy - ey * dx);
        if (across > length || along < before || along > length * length) return false;
        before = along;
    }
    return true;
}


static void point(pen *p, double x, double y)
{
    double at_x = seen(x, p->window->log_x), at_y = seen(y, p->window->log_y);
    if (!isfinite(at_x) || !isfinite(at_y)) {
        flush(p);
        if (p->out) fputs("\n", p->out);
        p->down = false;
        return;
    }
    if (!p->down || !(p->x_unit > 0.0) || !(p->y_unit > 0.0)) {
        put(p, x, y);
        return;
    }
    if (p->count == HELD || !in_line(p, at_x, at_y)) flush(p);
    p->held_x[p->count] = x;
    p->held_y[p->count] = y;
    p->seen_x[p->count] = at_x;
    p->seen_y[p->count++] = at_y;
}


static double tolerance(rico_figure_range r, bool log, double pixels)
{
    double span = seen(r.high, log) - seen(r.low, log);
    return span > 0.0 && isfinite(span) ? 0.04 * span / pixels : 0.0;
}


static bool ascends(int64_t count, const double *x)
{
    for (int64_t i = 1; i < count; i++)
        if (!(x[i] >= x[i - 1])) return false;
    return true;
}


// Stretch by stretch, the first, the last and the extremes in the order they come.
static void write_stretches(pen *p, const rico_figure_series *series)
{
    int64_t n = series->count, width = n / STRETCHES + 1;
    const double *x = series->x, *y = series->y;
    for (int64_t from = 0; from < n; from += width) {
        int64_t to = from + width < n ? from + width : n;
        int64_t kept[4] = {from, from, from, to - 1};
        for (int64_t i = from; i < to; i++) {
            if (y[i] < y[kept[1]]) kept[1] = i;
            if (y[i] > y[kept[2]]) kept[2] = i;
            if (!isfinite(y[i]) || !isfinite(x[i])) kept[3] = i; // a gap stays one
        }
        for (int64_t last = from - 1;;) {
            int64_t next = to;
            for (int k = 0; k < 4; k++)
                if (kept[k] > last && kept[k] < next) next = kept[k];
            if (next == to) break;
            point(p, x[next], y[next]);
            last = next;
        }
    }
    flush(p);
}


static void write_all(pen *p, const rico_figure_series *series)
{
    for (int64_t i = 0; i < series->count; i++) point(p, series->x[i], series->y[i]);
    flush(p);
}


// What the window shows of a curve over an ascending x, and a point on either side: a panel that shows a moment of a long run
// is thinned as little as that moment needs.
static rico_figure_series shown(const rico_figure_series *series, const rico_figure_window *window)
{
    rico_figure_series part = *series;
    int64_t first = 0, last = series->count - 1;
    while (first < last && series->x[first + 1] < window->x.low) first++;
    while (last > first && series->x[last - 1] > window->x.high) last--;
    part.x += first;
    part.y += first;
    part.count = last - first + 1;
    return part;
}


void rico_figure_points(FILE *out, const rico_figure_series *whole, const rico_figure_window *window)
{
    bool ascending = whole->count > 0 && ascends(whole->count, whole->x);
    const rico_figure_series part = ascending ? shown(whole, window) : *whole, *series = &part;
    pen p = {.out = out, .window = window};
    bool line = series->style == RICO_SERIES_LINE;
    if (series->count > FEW && line) {
        p.x_unit = tolerance(window->x, window->log_x, WIDTH);
        p.y_unit = tolerance(window->y, window->log_y, HEIGHT);
    }
    bool crowded = series->count > 5 * STRETCHES;
    if (crowded && ascending) {
        write_stretches(&p, series);
        return;
    }
    // coarser only for what would burst the figure: a tangle that no eye resolves
    while (crowded && line && p.x_unit > 0.0 && p.y_unit > 0.0) {
        pen count = p;
        count.out = NULL;
        write_all(&count, series);
        if (count.written <= MOST) break;
        p.x_unit *= 2.0;
        p.y_unit *= 2.0;
    }
    write_all(&p, series);
}
