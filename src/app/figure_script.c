// The script that makes gnuplot draw a figure: layout in pixels, legends set by ourselves, data thinned.

#include "app/figure_script.h"

#include <math.h>
#include <string.h>

// Pixels of one panel, from its left and top edges inwards.
enum {
    PLOT_WIDTH = 330,
    PLOT_HEIGHT = 200,
    SINGLE_WIDTH = 470,
    SINGLE_HEIGHT = 290,
    LEFT = 70,
    Y_LABEL = 18,
    RIGHT = 22,
    HEAD = 30,       // title of a panel
    LEGEND_ROW = 17, // each
    ABOVE = 8,       // from there to the axes
    BELOW = 32,      // numbers on the x-axis
    X_LABEL = 22,
    FIGURE_TITLE = 34,
    SCALE = 74,  // colours of a map, with their numbers
    SAMPLE = 24, // line in a legend
    GAP = 16,    // from one label to the next
    FONT = 13
};

enum { STRETCHES = 1200, FEW = 400, HELD = 64 };

// Okabe and Ito's palette: eight colours that colour-blind readers tell apart.
static const char *const COLOURS[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#e69f00", "#56b4e9", "#000000", "#f0e442"};
static const char *const GREY = "#888888";

static const struct {
    const char *ending, *terminal;
    double unit, scale,
        points; // size per pixel; of what stands in the picture; of letters, as gnuplot counts
} TERMINALS[] = {
    {".svg",
     "svg enhanced font 'Helvetica,%g' fontscale %g linewidth %g background 'white' size %g,%g dynamic", 1.0,
     1.0, 1.0},
    {".png", "pngcairo enhanced font 'Helvetica,%g' fontscale %g linewidth %g background 'white' size %g,%g",
     2.0, 2.0, 0.75},
    {".pdf",
     "pdfcairo enhanced font 'Helvetica,%g' fontscale %g linewidth %g background 'white' size %gin,%gin",
     1.0 / 96.0, 1.0, 0.58},
};

// Where things stand, in pixels from the left and the bottom edge of the figure.
typedef struct layout {
    double width, height;     // of the figure
    double plot_width, left;  // of axes; beside them
    double plot_height, head; // of axes; above them, of the row that is drawn
    double bottom, right;     // below them; to their right
    double points, title;     // of the font; head of panels above legends
    double x, top;            // of the panel that is drawn
} layout;


int rico_figure_terminal(const char *path)
{
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof TERMINALS / sizeof *TERMINALS; i++) {
        size_t end = strlen(TERMINALS[i].ending);
        if (length > end && strcmp(path + length - end, TERMINALS[i].ending) == 0) return (int)i;
    }
    return -1;
}


// --- text ----------------------------------------------------------------------------------------------------

// Text in single quotes for gnuplot: a quote is doubled, control characters and markup are made harmless.
static void quote(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; text && *text; text++) {
        if (*text == '\'')
            fputs("''", out);
        else if (strchr("_^{}@&~\\", *text))
            fprintf(out, "\\%c", *text);
        else
            fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
    }
    fputc('\'', out);
}


// About how wide a text comes out, in pixels: letters of Helvetica by three widths.
static double text_width(const char *text)
{
    double em = 0.0;
    for (; *text; text++) {
        if (((unsigned char)*text & 0xC0) == 0x80) continue; // inside a character of UTF-8
        em += strchr("ijl.,:;'|!ftrI()[] ", *text) ? 0.32 : strchr("mwMW%=+", *text) ? 0.82 : 0.57;
    }
    return em * FONT;
}


static bool has_text(const char *text)
{
    return text && text[0];
}


// --- data ----------------------------------------------------------------------------------------------------

// Points on their way to the script. Those that a straight line through their neighbours shows as well, to a tenth of a
// pixel, are left out: a curve of a run is smooth nearly everywhere.
typedef struct pen {
    FILE *out;
    double x_unit, y_unit; // of that tenth; 0: every point is written
    bool down;             // there is an anchor
    double x, y;           // the point last written
    int count;             // held back since, all on the line from there to the last of them
    double held_x[HELD], held_y[HELD];
} pen;


static void put(pen *p, double x, double y)
{
    fprintf(p->out, "%.9g %.9g\n", x, y);
    p->x = x;
    p->y = y;
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
        double ex = (p->held_x[i] - p->x) / p->x_unit, ey = (p->held_y[i] - p->y) / p->y_unit;
        double along = ex * dx + ey * dy, across = fabs(ex * dy - ey * dx);
        if (across > length || along < before || along > length * length) return false;
        before = along;
    }
    return true;
}


static void point(pen *p, double x, double y)
{
    if (!isfinite(x) || !isfinite(y)) {
        flush(p);
        fputs("\n", p->out);
        p->down = false;
        return;
    }
    if (!p->down || !(p->x_unit > 0.0) || !(p->y_unit > 0.0)) {
        put(p, x, y);
        return;
    }
    if (p->count == HELD || !in_line(p, x, y)) flush(p);
    p->held_x[p->count] = x;
    p->held_y[p->count++] = y;
}


static double tenth(int64_t count, const double *values, double pixels)
{
    double low = INFINITY, high = -INFINITY;
    for (int64_t i = 0; i < count; i++) {
        if (!isfinite(values[i])) continue;
        low = fmin(low, values[i]);
        high = fmax(high, values[i]);
    }
    return low < high ? 0.1 * (high - low) / pixels : 0.0;
}


// All points when they are few; else, stretch by stretch, the first and the extremes in the order they come. Extremes
// of both coordinates, for curves that are no functions of x.
static void write_points(FILE *out, const rico_figure_series *series, bool straight)
{
    int64_t n = series->count, width = n / STRETCHES + 1;
    const double *x = series->x, *y = series->y;
    pen p = {.out = out};
    if (n > FEW && straight && series->style == RICO_SERIES_LINE) {
        p.x_unit = tenth(n, x, SINGLE_WIDTH);
        p.y_unit = tenth(n, y, SINGLE_HEIGHT);
    }
    for (int64_t from = 0; from < n; from += width) {
        int64_t to = from + width < n ? from + width : n;
        int64_t kept[6] = {from, from, from, from, from, to - 1};
        for (int64_t i = from; i < to; i++) {
            if (width <= 5) {
                point(&p, x[i], y[i]);
                continue;
            }
            if (y[i] < y[kept[1]]) kept[1] = i;
            if (y[i] > y[kept[2]]) kept[2] = i;
            if (x[i] < x[kept[3]]) kept[3] = i;
            if (x[i] > x[kept[4]]) kept[4] = i;
            if (!isfinite(y[i]) || !isfinite(x[i])) kept[5] = i; // a gap stays one
        }
        for (int64_t last = from - 1; width > 5;) {
            int64_t next = to;
            for (int k = 0; k < 6; k++)
                if (kept[k] > last && kept[k] < next) next = kept[k];
            if (next == to) break;
            point(&p, x[next], y[next]);
            last = next;
        }
    }
    flush(&p);
}


typedef struct range {
    double low, high;
} range;


static void widen(range *r, double value, bool log)
{
    if (!isfinite(value) || (log && value <= 0.0)) return;
    r->low = fmin(r->low, value);
    r->high = fmax(r->high, value);
}


// The edge between value i - 1 and value i of an axis, halfway; beyond the ends as far as on their other side.
static double edge(const double *at, int64_t count, int64_t i, bool log)
{
    if (count == 1) return i == 0 ? at[0] - 0.5 : at[0] + 0.5;
    int64_t left = i == 0 ? 0 : i == count ? count - 2 : i - 1;
    double a = at[left], b = at[left + 1], part = i == 0 ? -0.5 : i == count ? 1.5 : 0.5;
    return log ? a * pow(b / a, part) : a + part * (b - a);
}


// What a panel has to show, within its limits where it has some.
static void find_ranges(const rico_figure_panel *panel, range *x, range *y)
{
    *x = *y = (range){INFINITY, -INFINITY};
    bool limited = panel->x_low < panel->x_high;
    for (int64_t s = 0; s < panel->series_count; s++) {
        const rico_figure_series *series = &panel->series[s];
        for (int64_t i = 0; i < series->count; i++) {
            if (!isfinite(series->x[i]) || !isfinite(series->y[i])) continue;
            if (limited && (series->x[i] < panel->x_low || series->x[i] > panel->x_high)) continue;
            widen(x, series->x[i], panel->log_x);
            widen(y, series->y[i], panel->log_y);
        }
    }
    const rico_figure_map *map = panel->map;
    for (int i = 0; map && i < 2; i++) {
        widen(x, edge(map->x, map->x_count, i * map->x_count, panel->log_x), panel->log_x);
        widen(y, edge(map->y, map->y_count, i * map->y_count, panel->log_y), panel->log_y);
    }
    if (limited) *x = (range){panel->x_low, panel->x_high};
    if (panel->y_low < panel->y_high) *y = (range){panel->y_low, panel->y_high};
}


// gnuplot chooses the ends unless there is nothing to choose from; round-off is no range either.
static void write_range(FILE *out, char axis, range r, bool log, bool tight)
{
    double size = fmax(fabs(r.low), fabs(r.high));
    if (!(r.low <= r.high)) {
        fprintf(out, "set %crange [%g:1]\n", axis, log ? 0.1 : 0.0);
    } else if (log) {
        if (r.high < 1.5 * r.low)
            fprintf(out, "set %crange [%.17g:%.17g]\n", axis, r.low / 3.0, r.high * 3.0);
        else
            fprintf(out, "set %crange [%.17g:%.17g]\n", axis, r.low / (tight ? 1.0 : 1.3),
                    r.high * (tight ? 1.0 : 1.3));
    } else if (r.high - r.low <= 1e-12 * size) {
        double half = size > 0.0 ? 0.05 * size : 1.0;
        fprintf(out, "set %crange [%.17g:%.17g]\n", axis, r.low - half, r.high + half);
    } else if (tight) {
        fprintf(out, "set %crange [%.17g:%.17g]\n", axis, r.low, r.high);
    } else {
        double margin = 0.04 * (r.high - r.low);
        fprintf(out, "set %crange [%.17g:%.17g]\n", axis, r.low - margin, r.high + margin);
    }
}


// --- looks ---------------------------------------------------------------------------------------------------

static bool draws_points(const rico_figure_series *series)
{
    return series->style == RICO_SERIES_POINTS || series->style == RICO_SERIES_BOTH;
}


static const char *style_of(const rico_figure_series *series)
{
    switch (series->style) {
    case RICO_SERIES_POINTS:
        return "points pt 7";
    case RICO_SERIES_BOTH:
        return "linespoints pt 7";
    case RICO_SERIES_STEPS:
        return "steps";
    case RICO_SERIES_LINE:
        break;
    }
    return "lines";
}


// From dark blue to bright yellow through green: lightness grows all the way, in print too.
static void level_colour(double part, char *text, size_t size)
{
    static const double STOPS[][3] = {
        {0.20, 0.10, 0.40}, {0.18, 0.38, 0.60}, {0.13, 0.60, 0.53}, {0.47, 0.77, 0.30}, {0.92, 0.80, 0.15}};
    double place = part * 4.0;
    int left = place >= 4.0 ? 3 : (int)place;
    double weight = place - left;
    int rgb[3];
    for (int i = 0; i < 3; i++)
        rgb[i] = (int)lround(255.0 * ((1.0 - weight) * STOPS[left][i] + weight * STOPS[left + 1][i]));
    snprintf(text, size, "#%02x%02x%02x", (unsigned)rgb[0] & 255u, (unsigned)rgb[1] & 255u,
             (unsigned)rgb[2] & 255u);
}


static void colour_of(const rico_figure_panel *panel, int64_t index, char *text, size_t size)
{
    const rico_figure_series *series = &panel->series[index];
    if (series->colour < 0)
        snprintf(text, size, "%s", GREY);
    else if (panel->colour_scale && panel->series_count > 1)
        level_colour((double)index / (double)(panel->series_count - 1), text, size);
    else
        snprintf(text, size, "%s", COLOURS[series->colour > 0 ? (series->colour - 1) % 8 : index % 8]);
}


static const char *dash_of(const rico_figure_series *series)
{
    static const char *const DASHES[] = {"1", "(7,4)", "(2,3)", "(8,3,2,3)"};
    return DASHES[series->dashed >= 0 ? series->dashed % 4 : 0];
}


// --- legend --------------------------------------------------------------------------------------------------

// Goes through the labels of a panel as they fill rows of the legend; draws them unless `out` is NULL. Returns the rows.
static int legend(FILE *out, const rico_figure_panel *panel, const layout *at)
{
    double x = 0.0;
    int rows = 0;
    for (int64_t s = 0; s < panel->series_count; s++) {
        const rico_figure_series *series = &panel->series[s];
        if (!has_text(series->label)) continue;
        double width = SAMPLE + 5 + text_width(series->label);
        if (rows == 0 || x + width > at->plot_width + at->right) {
            rows++;
            x = 0.0;
        }
        if (out) {
            char colour[16];
            colour_of(panel, s, colour, sizeof colour);
            double left = at->x + at->left + x, y = at->top - at->title - LEGEND_ROW * (rows - 0.5);
            if (series->style != RICO_SERIES_POINTS)
                fprintf(out,
                        "set arrow from screen %.6f,%.6f to screen %.6f,%.6f nohead lw 1.8 lc rgb '%s' dt "
                        "%s\n",
                        left / at->width, y / at->height, (left + SAMPLE) / at->width, y / at->height, colour,
                        dash_of(series));
            if (draws_points(series))
                fprintf(out, "set label '' at screen %.6f,%.6f point pt 7 lc rgb '%s'\n",
                        (left + SAMPLE / 2.0) / at->width, y / at->height, colour);
            fputs("set label ", out);
            quote(out, series->label);
            fprintf(out, " at screen %.6f,%.6f left\n", (left + SAMPLE + 5) / at->width, y / at->height);
        }
        x += width + GAP;
    }
    return rows;
}


// --- panels --------------------------------------------------------------------------------------------------

static void write_axes(FILE *out, const rico_figure_panel *panel, const layout *at)
{
    range x, y;
    find_ranges(panel, &x, &y);
    double left = at->x + at->left, top = at->top - at->head;
    fprintf(out, "set lmargin at screen %.6f\nset rmargin at screen %.6f\n", left / at->width,
            (left + at->plot_width) / at->width);
    fprintf(out, "set tmargin at screen %.6f\nset bmargin at screen %.6f\n", top / at->height,
            (top - at->plot_height) / at->height);
    fputs("set xlabel ", out);
    quote(out, panel->x_label);
    fputs(" offset 0,0.4\nset ylabel ", out);
    quote(out, panel->y_label);
    fprintf(out, " offset 0.5,0\n%sset logscale x\n%sset logscale y\n", panel->log_x ? "" : "un",
            panel->log_y ? "" : "un");
    // powers of ten where there is a decade to show, numbers where there is none
    bool decades_x = panel->log_x && x.high > 7.0 * x.low, decades_y = panel->log_y && y.high > 7.0 * y.low;
    fprintf(out, "set format x '%s'\nset format y '%s'\n", decades_x ? "10^{%L}" : "%g",
            decades_y ? "10^{%L}" : "%g");
    fputs(panel->log_x ? "set mxtics 10\n" : "unset mxtics\n", out);
    fputs(panel->log_y ? "set mytics 10\n" : "unset mytics\n", out);
    bool marks = false; // at the edge they would be cut
    for (int64_t s = 0; s < panel->series_count; s++) marks |= draws_points(&panel->series[s]);
    write_range(out, 'x', x, panel->log_x, panel->map || (!panel->log_x && !marks));
    write_range(out, 'y', y, panel->log_y, panel->map || panel->y_low < panel->y_high);
    if (!(y.low <= y.high))
        fprintf(out, "set label 'nothing to show' at graph 0.5,0.5 center textcolor rgb '%s'\n", GREY);
    else if (!panel->map && !panel->log_y && y.low < 0.0 && y.high > 0.0)
        fputs("set arrow from graph 0,first 0 to graph 1,first 0 nohead back lw 0.6 lc rgb '#999999'\n", out);
}


// Every cell of a map as x, y, its edges, and its number.
static void write_cells(FILE *out, const rico_figure_panel *panel)
{
    const rico_figure_map *map = panel->map;
    for (int64_t i = 0; i < map->x_count; i++)
        for (int64_t j = 0; j < map->y_count; j++) {
            double z = map->z[i * map->y_count + j];
            if (!isfinite(z)) continue;
            fprintf(out, "%.9g %.9g %.9g %.9g %.9g %.9g %.9g\n", map->x[i], map->y[j],
                    edge(map->x, map->x_count, i, panel->log_x),
                    edge(map->x, map->x_count, i + 1, panel->log_x),
                    edge(map->y, map->y_count, j, panel->log_y),
                    edge(map->y, map->y_count, j + 1, panel->log_y), z);
        }
}


// The scale of colours to the right of the axes.
static void write_scale(FILE *out, const rico_figure_panel *panel, const layout *at)
{
    const rico_figure_map *map = panel->map;
    range z = {INFINITY, -INFINITY};
    for (int64_t i = 0; i < map->x_count * map->y_count; i++) widen(&z, map->z[i], false);
    char colour[16];
    fputs("set palette defined (", out);
    for (int i = 0; i <= 4; i++) {
        level_colour(i / 4.0, colour, sizeof colour);
        fprintf(out, "%s%d '%s'", i ? ", " : "", i, colour);
    }
    double left = at->x + at->left + at->plot_width + 12, bottom = at->top - at->head - at->plot_height;
    fprintf(out, ")\nset colorbox user origin screen %.6f,%.6f size screen %.6f,%.6f noborder\n",
            left / at->width, bottom / at->height, 12.0 / at->width, at->plot_height / at->height);
    fputs("set cbtics out nomirror scale 0.4\nset format cb '%g'\n", out);
    if (!(z.low < z.high)) {
        double half = z.low <= z.high && z.low != 0.0 ? 0.05 * fabs(z.low) : 1.0,
               middle = z.low <= z.high ? z.low : 0.0;
        z = (range){middle - half, middle + half};
    }
    fprintf(out, "set cbrange [%.17g:%.17g]\n", z.low, z.high);
}


static void write_panel(FILE *out, const rico_figure_panel *panel, int64_t index, int64_t panels,
                        const layout *at)
{
    for (int64_t s = 0; s < panel->series_count; s++) {
        fprintf(out, "$d%lld_%lld << EOD\n", (long long)index, (long long)s);
        write_points(out, &panel->series[s], !panel->log_x && !panel->log_y);
        fputs("EOD\n", out);
    }
    if (panel->map) {
        fprintf(out, "$m%lld << EOD\n", (long long)index);
        write_cells(out, panel);
        fputs("EOD\n", out);
    }
    fputs("unset label\nunset arrow\n", out);
    char title[256] = "";
    if (panels > 1) snprintf(title, sizeof title, "(%c)  ", (char)('a' + index % 26));
    snprintf(title + strlen(title), sizeof title - strlen(title), "%s", panel->title ? panel->title : "");
    fputs("set label ", out);
    quote(out, title);
    fprintf(out, " at screen %.6f,%.6f left font ',%g'\n", (at->x + at->left) / at->width,
            (at->top - HEAD / 2.0) / at->height, 1.08 * at->points);
    legend(out, panel, at);
    write_axes(out, panel, at);
    fputs(panel->map ? "unset grid\n" : "set grid lt 1 lc rgb '#e4e4e4' lw 0.5\n", out);
    if (panel->map) write_scale(out, panel, at);
    fputs("plot ", out);
    if (panel->map)
        fprintf(out, "$m%lld using 1:2:3:4:5:6:7 with boxxyerror fill solid 1 noborder lc palette notitle%s",
                (long long)index, panel->series_count > 0 ? ", " : "");
    for (int64_t s = 0; s < panel->series_count; s++) {
        char colour[16];
        colour_of(panel, s, colour, sizeof colour);
        fprintf(out, "%s$d%lld_%lld using 1:2 with %s lw 1.6 lc rgb '%s' dt %s notitle", s ? ", " : "",
                (long long)index, (long long)s, style_of(&panel->series[s]), colour,
                dash_of(&panel->series[s]));
    }
    fputs(panel->series_count > 0 || panel->map ? "\n" : "NaN notitle\n", out);
}


// The head of a row of panels: titles, and the longest of its legends.
static double head_of_row(const rico_figure *figure, int64_t first, int64_t columns, layout *at)
{
    int rows = 0;
    bool titled = figure->panel_count > 1; // panels are lettered
    for (int64_t p = first; p < first + columns && p < figure->panel_count; p++) {
        int own = legend(NULL, &figure->panels[p], at);
        if (own > rows) rows = own;
        titled |= has_text(figure->panels[p].title);
    }
    at->title = titled ? HEAD : ABOVE;
    return at->title + LEGEND_ROW * rows + ABOVE;
}


static void write_script_of(FILE *out, const rico_figure *figure, int64_t columns, int64_t rows, layout *at)
{
    double row_top = at->height - (has_text(figure->title) ? FIGURE_TITLE : 0);
    for (int64_t r = 0; r < rows; r++) {
        at->head = head_of_row(figure, r * columns, columns, at);
        at->top = row_top;
        for (int64_t c = 0; c < columns && r * columns + c < figure->panel_count; c++) {
            at->x = (double)c * (at->left + at->plot_width + at->right);
            write_panel(out, &figure->panels[r * columns + c], r * columns + c, figure->panel_count, at);
        }
        row_top -= at->head + at->plot_height + at->bottom;
    }
}


static void measure(const rico_figure *figure, int64_t columns, int64_t rows, layout *at)
{
    bool x_label = false, y_label = false, map = false;
    for (int64_t p = 0; p < figure->panel_count; p++) {
        x_label |= has_text(figure->panels[p].x_label);
        y_label |= has_text(figure->panels[p].y_label);
        map |= figure->panels[p].map != NULL;
    }
    bool single = figure->panel_count == 1;
    at->plot_width = single ? SINGLE_WIDTH : PLOT_WIDTH;
    at->plot_height = single ? SINGLE_HEIGHT : PLOT_HEIGHT;
    at->left = LEFT + (y_label ? Y_LABEL : 0);
    at->right = RIGHT + (map ? SCALE : 0);
    at->bottom = BELOW + (x_label ? X_LABEL : 0);
    at->width = (double)columns * (at->left + at->plot_width + at->right);
    at->height = has_text(figure->title) ? FIGURE_TITLE : 0;
    for (int64_t r = 0; r < rows; r++)
        at->height += head_of_row(figure, r * columns, columns, at) + at->plot_height + at->bottom;
}


void rico_figure_script(FILE *out, const rico_figure *figure, int terminal, const char *path)
{
    int64_t columns = figure->columns;
    if (columns < 1) columns = figure->panel_count <= 1 ? 1 : figure->panel_count <= 4 ? 2 : 3;
    if (columns > figure->panel_count) columns = figure->panel_count;
    int64_t rows = (figure->panel_count + columns - 1) / columns;
    layout at = {0};
    measure(figure, columns, rows, &at);

    double unit = TERMINALS[terminal].unit, scale = TERMINALS[terminal].scale;
    at.points = FONT * TERMINALS[terminal].points;
    char kind[256];
    snprintf(kind, sizeof kind, TERMINALS[terminal].terminal, at.points, scale, scale, unit * at.width,
             unit * at.height);
    fprintf(out, "set terminal %s\nset output ", kind);
    fputc('\'', out); // a path: nothing but quotes needs care
    for (const char *c = path; *c; c++) fputs(*c == '\'' ? "''" : (char[]){*c, '\0'}, out);
    fputs("'\nset border 3 lw 0.8\nset xtics nomirror out scale 0.6\nset ytics nomirror out scale 0.6\nset "
          "grid lt 1 lc rgb '#e4e4e4' lw 0.5\n",
          out);
    fputs("set datafile missing NaN\nset encoding utf8\nunset key\n", out);
    fprintf(out, "set pointsize %g\nset multiplot\n", 0.5 * scale);
    if (has_text(figure->title)) {
        // a title belongs to the figure, not to a panel: an empty plot carries it
        fputs("set label ", out);
        quote(out, figure->title);
        fprintf(out, " at screen 0.5,%.6f center font ',%g'\n",
                (at.height - FIGURE_TITLE / 2.0 - 2.0) / at.height, 1.25 * at.points);
        fputs("unset border\nunset tics\nset xrange [0:1]\nset yrange [0:1]\nplot NaN notitle\n", out);
        fputs("set border 3 lw 0.8\nset xtics nomirror out scale 0.6\nset ytics nomirror out scale 0.6\n",
              out);
    }
    write_script_of(out, figure, columns, rows, &at);
    fputs("unset multiplot\nunset output\nexit\n", out);
}
