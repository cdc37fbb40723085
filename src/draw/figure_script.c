// The script that makes gnuplot draw a figure: layout in pixels, legends and marks of axes set by ourselves.

#include "draw/figure_script.h"

#include "draw/figure_points.h"
#include "draw/figure_text.h"
#include "draw/figure_ticks.h"

#include <math.h>
#include <string.h>

// Pixels of one panel, from its left and top edges inwards, for letters of size FONT; those of other sizes scale all but the
// axes.
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
    ABOVE = 10,      // from there to the axes
    BELOW = 32,      // numbers on the x-axis
    X_LABEL = 22,
    FIGURE_TITLE = 34,
    SCALE = 74,  // colours of a map, with their numbers
    SAMPLE = 24, // line in a legend
    GAP = 16,    // from one label to the next
    FONT = 13,
    CROWD = 1000
};

// Okabe and Ito's palette: eight colours that colour-blind readers tell apart.
static const char *const COLOURS[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#e69f00", "#56b4e9", "#000000", "#f0e442"};
static const char *const GREY = "#888888";

static const double PIXELS_PER_MM = 96.0 / 25.4, PIXELS_PER_POINT = 96.0 / 72.0;

// Sizes of a pixel of ours; of what stands in the picture; of letters, as gnuplot counts them (pdfcairo takes 3/4 of a
// point for one); of a figure unless it is told otherwise, in millimetres for one column of panels and for more.
static const struct {
    const char *ending, *terminal;
    double unit, scale, points;
    double font_size, narrow, wide; // 0: panels of their usual size
} TERMINALS[] = {
    {".svg", "svg enhanced font '%s,%g' fontscale %g linewidth %g background 'white' size %g,%g dynamic", 1.0,
     1.0, 1.0, 0.0, 0.0, 0.0},
    {".png", "pngcairo enhanced font '%s,%g' fontscale %g linewidth %g background 'white' size %g,%g", 2.0,
     2.0, 0.75, 0.0, 0.0, 0.0},
    {".pdf", "pdfcairo enhanced font '%s,%g' fontscale %g linewidth %g background 'white' size %gin,%gin",
     1.0 / 96.0, 1.0, 0.5625, 8.0, 88.0, 180.0},
};

// Where things stand, in pixels of 1/96 inch from the left and the bottom edge of the figure.
typedef struct layout {
    double width, height;     // of the figure
    double plot_width, left;  // of axes; beside them
    double plot_height, head; // of axes; above them, of the row that is drawn
    double bottom, right;     // below them; to their right
    double scale;             // of letters and what goes with them, over FONT
    double points, title;     // of the font, as gnuplot counts; head of panels above legends
    double dot;               // of points, as gnuplot counts
    double x, top;            // of the panel that is drawn
} layout;

// Marks of both axes, and what the numbers of each have in common.
typedef struct axes {
    rico_figure_window window;
    bool nothing; // to show
    rico_ticks x, y;
} axes;


int rico_figure_terminal(const char *path)
{
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof TERMINALS / sizeof *TERMINALS; i++) {
        size_t end = strlen(TERMINALS[i].ending);
        if (length > end && strcmp(path + length - end, TERMINALS[i].ending) == 0) return (int)i;
    }
    return -1;
}


static bool has_text(const char *text)
{
    return text && text[0];
}


static void widen(rico_figure_range *r, double value, bool log)
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
static void find_ranges(const rico_figure_panel *panel, rico_figure_range *x, rico_figure_range *y)
{
    *x = *y = (rico_figure_range){INFINITY, -INFINITY};
    bool limited = panel->x_low < panel->x_high;
    for (int64_t s = 0; s < panel->series_count; s++) {
        const rico_figure_series *series = &panel->series[s];
        for (int64_t i = 0; i < series->count; i++) {
            if (!isfinite(series->x[i]) || !isfinite(series->y[i])) continue;
            if (limited && (series->x[i] < panel->x_low || series->x[i] > panel->x_high)) continue;
            widen(x, series->x[i], panel->log_x);
            widen(y, series->y[i], panel->log_y);
        }
        if (series->style == RICO_SERIES_STEMS && series->count > 0) widen(y, 0.0, panel->log_y);
    }
    const rico_figure_map *map = panel->map;
    for (int i = 0; map && i < 2; i++) {
        widen(x, edge(map->x, map->x_count, i * map->x_count, panel->log_x), panel->log_x);
        widen(y, edge(map->y, map->y_count, i * map->y_count, panel->log_y), panel->log_y);
    }
    if (limited) *x = (rico_figure_range){panel->x_low, panel->x_high};
    if (panel->y_low < panel->y_high) *y = (rico_figure_range){panel->y_low, panel->y_high};
}


// The ends of an axis: those of the data and some air, unless they are given. Round-off is no range.
static rico_figure_range ends_of(rico_figure_range r, bool log, bool tight)
{
    double size = fmax(fabs(r.low), fabs(r.high));
    if (!(r.low <= r.high)) return (rico_figure_range){log ? 0.1 : 0.0, 1.0};
    if (log && r.high < 1.5 * r.low) return (rico_figure_range){r.low / 3.0, r.high * 3.0};
    if (log) return (rico_figure_range){r.low / (tight ? 1.0 : 1.3), r.high * (tight ? 1.0 : 1.3)};
    double margin = tight ? 0.0 : 0.04 * (r.high - r.low);
    if (r.high - r.low <= 1e-12 * size) margin = size > 0.0 ? 0.05 * size : 1.0;
    return (rico_figure_range){r.low - margin, r.high + margin};
}


// Gives both axes the same length per unit, by more room on one.
static void make_equal(rico_figure_window *window, const layout *at)
{
    double x = (window->x.high - window->x.low) / at->plot_width,
           y = (window->y.high - window->y.low) / at->plot_height;
    rico_figure_range *short_one = x < y ? &window->x : &window->y;
    double more = 0.5 * (x < y ? (y - x) * at->plot_width : (x - y) * at->plot_height);
    short_one->low -= more;
    short_one->high += more;
}


static bool draws_points(const rico_figure_series *series)
{
    return series->style == RICO_SERIES_POINTS || series->style == RICO_SERIES_BOTH;
}


static axes axes_of(const rico_figure_panel *panel, const layout *at)
{
    axes out = {.window = {.log_x = panel->log_x, .log_y = panel->log_y}};
    rico_figure_range x, y;
    find_ranges(panel, &x, &y);
    out.nothing = !(y.low <= y.high);
    bool marks = false; // at the edge they would be cut
    for (int64_t s = 0; s < panel->series_count; s++) marks |= draws_points(&panel->series[s]);
    bool given_x = panel->x_low < panel->x_high, given_y = panel->y_low < panel->y_high;
    // a curve that is no function of x needs air on its left and right, too
    bool loops = false;
    for (int64_t s = 0; s < panel->series_count && !loops; s++)
        for (int64_t i = 1; i < panel->series[s].count && !loops; i++)
            loops = panel->series[s].x[i] < panel->series[s].x[i - 1];
    out.window.x = ends_of(x, panel->log_x, panel->map || given_x || (!panel->log_x && !marks && !loops));
    out.window.y = ends_of(y, panel->log_y, panel->map || given_y);
    if (panel->equal && !panel->log_x && !panel->log_y) make_equal(&out.window, at);
    double letter = FONT * at->scale;
    if (!panel->log_x)
        rico_ticks_choose(out.window.x.low, out.window.x.high, at->plot_width / letter, true, &out.x);
    if (!panel->log_y)
        rico_ticks_choose(out.window.y.low, out.window.y.high, at->plot_height / letter, false, &out.y);
    return out;
}


// --- looks ---------------------------------------------------------------------------------------------------

static const char *style_of(const rico_figure_series *series)
{
    switch (series->style) {
    case RICO_SERIES_POINTS:
        return "points pt 7";
    case RICO_SERIES_BOTH:
        return "linespoints pt 7";
    case RICO_SERIES_STEPS:
        return "steps";
    case RICO_SERIES_STEMS:
        return "impulses";
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


// Past eight curves the colours come again, with other dashes.
static const char *dash_of(const rico_figure_panel *panel, int64_t index)
{
    static const char *const DASHES[] = {"1", "(7,4)", "(2,3)", "(8,3,2,3)"};
    const rico_figure_series *series = &panel->series[index];
    int64_t place = series->colour > 0 ? series->colour - 1 : series->colour < 0 ? 0 : index;
    int64_t round = panel->colour_scale ? 0 : place / 8;
    return DASHES[((series->dashed >= 0 ? series->dashed : 0) + round) % 4];
}


// --- legend --------------------------------------------------------------------------------------------------

// Points of a series: past CROWD of them, each is a speck. Those of one panel that are few stay visible among the many.
static double dot_of(const rico_figure_series *series, const layout *at)
{
    return at->dot * (series->style == RICO_SERIES_POINTS && series->count > CROWD ? 0.3 : 1.0);
}


// One line of a legend: a sample and its label.
static void write_sample(FILE *out, const rico_figure_panel *panel, int64_t index, const layout *at,
                         double left, double y)
{
    const rico_figure_series *series = &panel->series[index];
    double sample = SAMPLE * at->scale;
    char colour[16];
    colour_of(panel, index, colour, sizeof colour);
    if (series->style != RICO_SERIES_POINTS)
        fprintf(out, "set arrow from screen %.6f,%.6f to screen %.6f,%.6f nohead lw 1.8 lc rgb '%s' dt %s\n",
                left / at->width, y / at->height, (left + sample) / at->width, y / at->height, colour,
                dash_of(panel, index));
    if (draws_points(series))
        fprintf(out, "set label '' at screen %.6f,%.6f point pt 7 ps %g lc rgb '%s'\n",
                (left + 0.5 * sample) / at->width, y / at->height, dot_of(series, at), colour);
    fputs("set label ", out);
    rico_figure_quote(out, series->label, !series->words);
    fprintf(out, " at screen %.6f,%.6f left\n", (left + sample + 5 * at->scale) / at->width, y / at->height);
}


// Goes through the labels of a panel as they fill rows of the legend; draws them unless `out` is NULL. Returns the rows.
static int legend(FILE *out, const rico_figure_panel *panel, const layout *at)
{
    double x = 0.0, scale = at->scale;
    int rows = 0;
    for (int64_t s = 0; s < panel->series_count; s++) {
        const rico_figure_series *series = &panel->series[s];
        if (!has_text(series->label)) continue;
        double width = scale * (SAMPLE + 5 + FONT * rico_figure_text_width(series->label, !series->words));
        if (rows == 0 || x + width > at->plot_width + at->right) {
            rows++;
            x = 0.0;
        }
        if (out)
            write_sample(out, panel, s, at, at->x + at->left + x,
                         at->top - at->title - scale * LEGEND_ROW * (rows - 0.5));
        x += width + GAP * scale;
    }
    return rows;
}


// --- panels --------------------------------------------------------------------------------------------------

static void write_ticks(FILE *out, const char *axis, const rico_ticks *ticks, const char *look)
{
    fprintf(out, "set %stics %s (", axis, look);
    for (int i = 0; i < ticks->count; i++)
        fprintf(out, "%s'%s' %.17g", i ? ", " : "", ticks->label[i], ticks->at[i]);
    fputs(")\n", out);
}


// The power of ten or the number that the marks of an axis have in common: right below its end, or above it.
static void write_common(FILE *out, const axes *a, const layout *at)
{
    double left = at->x + at->left, top = at->top - at->head, bottom = top - at->plot_height;
    char text[64];
    rico_ticks_common(&a->x, text, sizeof text);
    if (text[0] && !a->window.log_x)
        fprintf(out, "set label '%s' at screen %.6f,%.6f right\n", text, (left + at->plot_width) / at->width,
                (bottom - at->scale * (BELOW + 6)) / at->height);
    rico_ticks_common(&a->y, text, sizeof text);
    if (text[0] && !a->window.log_y) {
        bool fits = a->y.offset == 0.0;
        fprintf(out, "set label '%s' at screen %.6f,%.6f %s\n", text,
                (fits ? left - 8.0 * at->scale : at->x + 2.0) / at->width,
                (top + at->scale * 14.0) / at->height, fits ? "right" : "left");
    }
}


// Powers of ten where there is a decade to show, numbers where there is none; marks of ours on linear axes.
static void write_axis(FILE *out, char axis, rico_figure_range range, bool log, const rico_ticks *ticks)
{
    static const char LOOK[] = "nomirror out scale 0.6";
    char name[2] = {axis, '\0'};
    fprintf(out, "%sset logscale %c\nset %crange [%.17g:%.17g]\n", log ? "" : "un", axis, axis, range.low,
            range.high);
    if (log)
        fprintf(out, "set %ctics %s autofreq\nset m%ctics 10\nset format %c '%s'\n", axis, LOOK, axis, axis,
                range.high > 7.0 * range.low ? "10^{%L}" : "%g");
    else {
        fprintf(out, "unset m%ctics\n", axis);
        write_ticks(out, name, ticks, LOOK);
    }
}


static void write_axes(FILE *out, const rico_figure_panel *panel, const axes *a, const layout *at)
{
    double left = at->x + at->left, top = at->top - at->head;
    fprintf(out, "set lmargin at screen %.6f\nset rmargin at screen %.6f\n", left / at->width,
            (left + at->plot_width) / at->width);
    fprintf(out, "set tmargin at screen %.6f\nset bmargin at screen %.6f\n", top / at->height,
            (top - at->plot_height) / at->height);
    fputs("set xlabel ", out);
    rico_figure_quote(out, panel->x_label, true);
    fputs(" offset 0,0.4\nset ylabel ", out);
    rico_figure_quote(out, panel->y_label, true);
    fputs(" offset -0.5,0\n", out);
    write_axis(out, 'x', a->window.x, panel->log_x, &a->x);
    write_axis(out, 'y', a->window.y, panel->log_y, &a->y);
    write_common(out, a, at);
    if (a->nothing)
        fprintf(out, "set label 'nothing to show' at graph 0.5,0.5 center textcolor rgb '%s'\n", GREY);
    else if (!panel->map && !panel->log_y && a->window.y.low < 0.0 && a->window.y.high > 0.0)
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


// Every run of cells of one class as one box with its colour; a little wider than it is, so that no seams show.
static void write_classes(FILE *out, const rico_figure_panel *panel)
{
    static const double OVERLAP = 0.03, PALE = 0.45;
    const rico_figure_map *map = panel->map;
    for (int64_t i = 0; i < map->x_count; i++)
        for (int64_t j = 0, next; j < map->y_count; j = next) {
            double z = map->z[i * map->y_count + j];
            for (next = j + 1; next < map->y_count && map->z[i * map->y_count + next] == z;) next++;
            if (!isfinite(z) || z < 1.0) continue;
            double left = edge(map->x, map->x_count, i, panel->log_x),
                   right = edge(map->x, map->x_count, i + 1, panel->log_x), more = OVERLAP * (right - left);
            unsigned rgb = 0, own = 0;
            char colour[16];
            if ((int64_t)z <= panel->series_count)
                colour_of(panel, (int64_t)z - 1, colour, sizeof colour);
            else
                snprintf(colour, sizeof colour, "%s", GREY);
            if (sscanf(colour, "#%x", &own) != 1) continue;
            for (int k = 0; k < 3; k++) {
                double light = PALE * ((own >> (8 * k)) & 255u) + (1.0 - PALE) * 255.0;
                rgb |= (unsigned)lround(light) << (8 * k);
            }
            fprintf(out, "%.9g %.9g %.9g %.9g %.9g %.9g %u\n", map->x[i], map->y[j], left - more,
                    right + more, edge(map->y, map->y_count, j, panel->log_y),
                    edge(map->y, map->y_count, next, panel->log_y), rgb);
        }
}


// The scale of colours to the right of the axes.
static void write_scale(FILE *out, const rico_figure_panel *panel, const layout *at)
{
    const rico_figure_map *map = panel->map;
    rico_figure_range z = {INFINITY, -INFINITY};
    for (int64_t i = 0; i < map->x_count * map->y_count; i++) widen(&z, map->z[i], false);
    char colour[16];
    fputs("set palette defined (", out);
    for (int i = 0; i <= 4; i++) {
        level_colour(i / 4.0, colour, sizeof colour);
        fprintf(out, "%s%d '%s'", i ? ", " : "", i, colour);
    }
    double left = at->x + at->left + at->plot_width + 12 * at->scale,
           bottom = at->top - at->head - at->plot_height;
    fprintf(out, ")\nset colorbox user origin screen %.6f,%.6f size screen %.6f,%.6f noborder\n",
            left / at->width, bottom / at->height, 12.0 * at->scale / at->width,
            at->plot_height / at->height);
    if (!(z.low < z.high)) {
        double half = z.low <= z.high && z.low != 0.0 ? 0.05 * fabs(z.low) : 1.0,
               middle = z.low <= z.high ? z.low : 0.0;
        z = (rico_figure_range){middle - half, middle + half};
    }
    fprintf(out, "set cbrange [%.17g:%.17g]\n", z.low, z.high);
    rico_ticks ticks;
    char text[64];
    rico_ticks_choose(z.low, z.high, at->plot_height / (FONT * at->scale), false, &ticks);
    write_ticks(out, "cb", &ticks, "out nomirror scale 0.4");
    rico_ticks_common(&ticks, text, sizeof text);
    if (text[0])
        fprintf(out, "set label '%s' at screen %.6f,%.6f left\n", text, left / at->width,
                (bottom + at->plot_height + at->scale * 12.0) / at->height);
}


static void write_panel(FILE *out, const rico_figure_panel *panel, int64_t index, int64_t panels,
                        const layout *at)
{
    axes a = axes_of(panel, at);
    for (int64_t s = 0; s < panel->series_count; s++) {
        fprintf(out, "$d%lld_%lld << EOD\n", (long long)index, (long long)s);
        rico_figure_points(out, &panel->series[s], &a.window);
        fputs("EOD\n", out);
    }
    if (panel->map) {
        fprintf(out, "$m%lld << EOD\n", (long long)index);
        (panel->map->classes ? write_classes : write_cells)(out, panel);
        fputs("EOD\n", out);
    }
    fputs("unset label\nunset arrow\n", out);
    char title[256] = "";
    if (panels > 1) snprintf(title, sizeof title, "(%c)  ", (char)('a' + index % 26));
    snprintf(title + strlen(title), sizeof title - strlen(title), "%s", panel->title ? panel->title : "");
    fputs("set label ", out);
    rico_figure_quote(out, title, false);
    fprintf(out, " at screen %.6f,%.6f left font ',%g'\n", (at->x + at->left) / at->width,
            (at->top - at->scale * HEAD / 2.0) / at->height, 1.08 * at->points);
    legend(out, panel, at);
    write_axes(out, panel, &a, at);
    fputs(panel->map ? "unset grid\n" : "set grid lt 1 lc rgb '#e4e4e4' lw 0.5\n", out);
    if (panel->map && !panel->map->classes) write_scale(out, panel, at);
    fputs("plot ", out);
    if (panel->map)
        fprintf(out, "$m%lld using 1:2:3:4:5:6:7 with boxxyerror fill solid 1 noborder lc %s notitle%s",
                (long long)index, panel->map->classes ? "rgb variable" : "palette",
                panel->series_count > 0 ? ", " : "");
    for (int64_t s = 0; s < panel->series_count; s++) {
        char colour[16];
        colour_of(panel, s, colour, sizeof colour);
        fprintf(out, "%s$d%lld_%lld using 1:2 with %s lw 1.6 lc rgb '%s' dt %s", s ? ", " : "",
                (long long)index, (long long)s, style_of(&panel->series[s]), colour, dash_of(panel, s));
        if (draws_points(&panel->series[s])) fprintf(out, " ps %g", dot_of(&panel->series[s], at));
        fputs(" notitle", out);
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
    at->title = at->scale * (titled ? HEAD : ABOVE);
    return at->title + at->scale * (LEGEND_ROW * rows + ABOVE);
}


static void write_script_of(FILE *out, const rico_figure *figure, int64_t columns, int64_t rows, layout *at)
{
    double row_top = at->height - (has_text(figure->title) ? at->scale * FIGURE_TITLE : 0.0);
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


// Sizes: the axes take what the figure leaves them, or the figure what they take.
static void measure(const rico_figure *figure, int terminal, int64_t columns, int64_t rows, layout *at)
{
    bool y_label = false, map = false;
    for (int64_t p = 0; p < figure->panel_count; p++) {
        y_label |= has_text(figure->panels[p].y_label);
        map |= figure->panels[p].map != NULL && !figure->panels[p].map->classes;
    }
    const rico_figure_look *look = &figure->look;
    double points = look->font_size > 0.0 ? look->font_size : TERMINALS[terminal].font_size;
    double usual = columns > 1 ? TERMINALS[terminal].wide : TERMINALS[terminal].narrow;
    at->scale = points > 0.0 ? points * PIXELS_PER_POINT / FONT : 1.0;
    at->points = FONT * at->scale * TERMINALS[terminal].points;
    at->left = at->scale * (LEFT + (y_label ? Y_LABEL : 0));
    at->right = at->scale * (RIGHT + (map ? SCALE : 0));
    at->bottom = at->scale * (BELOW + X_LABEL);
    at->width = PIXELS_PER_MM * (look->width > 0.0 ? look->width : usual);
    bool single = figure->panel_count == 1, fixed = at->width > 0.0;
    at->plot_width = single ? SINGLE_WIDTH : PLOT_WIDTH;
    if (fixed) at->plot_width = at->width / (double)columns - at->left - at->right;
    at->width = (double)columns * (at->left + at->plot_width + at->right);

    double rest = has_text(figure->title) ? at->scale * FIGURE_TITLE : 0.0;
    for (int64_t r = 0; r < rows; r++) rest += head_of_row(figure, r * columns, columns, at) + at->bottom;
    at->plot_height = fixed ? 0.64 * at->plot_width : single ? SINGLE_HEIGHT : PLOT_HEIGHT;
    if (look->height > 0.0) at->plot_height = (PIXELS_PER_MM * look->height - rest) / (double)rows;
    at->height = rest + (double)rows * at->plot_height;
}


// Panels side by side: as told, or as the paper has room for.
static int64_t columns_of(const rico_figure *figure, int terminal)
{
    int64_t columns = figure->columns, most = TERMINALS[terminal].wide > 0.0 ? 2 : 3;
    if (columns < 1) columns = figure->panel_count <= 1 ? 1 : figure->panel_count <= 4 ? 2 : most;
    return columns > figure->panel_count ? figure->panel_count : columns;
}


rico_status rico_figure_check_size(rico_context *ctx, const rico_figure *figure, int terminal)
{
    int64_t columns = columns_of(figure, terminal);
    layout at = {0};
    measure(figure, terminal, columns, (figure->panel_count + columns - 1) / columns, &at);
    double least = 4.0 * FONT * at.scale;
    if (at.plot_width < least)
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "a width of %g mm leaves no room for the axes; at least %.0f mm are needed",
                         at.width / PIXELS_PER_MM,
                         ceil((at.width + (double)columns * (least - at.plot_width)) / PIXELS_PER_MM));
    if (at.plot_height < least)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a height of %g mm leaves no room for the axes; try %.0f mm",
                         figure->look.height,
                         ceil(figure->look.height + (double)figure->panel_count * least / PIXELS_PER_MM));
    return RICO_OK;
}


void rico_figure_script(FILE *out, const rico_figure *figure, int terminal, const char *path)
{
    int64_t columns = columns_of(figure, terminal), rows = (figure->panel_count + columns - 1) / columns;
    layout at = {0};
    measure(figure, terminal, columns, rows, &at);
    double unit = TERMINALS[terminal].unit, scale = TERMINALS[terminal].scale;
    char kind[512], font[128] = "Helvetica";
    size_t used = 0; // a quote in its name would end the text that it stands in
    for (const char *c = figure->look.font; c && *c && used + 1 < sizeof font; c++)
        if (*c != '\'' && (unsigned char)*c >= ' ') font[used++] = *c;
    if (used > 0) font[used] = '\0';
    snprintf(kind, sizeof kind, TERMINALS[terminal].terminal, font, at.points, scale, scale, unit * at.width,
             unit * at.height);
    fprintf(out, "set terminal %s\nset output ", kind);
    fputc('\'', out); // a path: nothing but quotes needs care
    for (const char *c = path; *c; c++) fputs(*c == '\'' ? "''" : (char[]){*c, '\0'}, out);
    fputs("'\nset border 3 lw 0.8\nset xtics nomirror out scale 0.6\nset ytics nomirror out scale 0.6\nset "
          "grid lt 1 lc rgb '#e4e4e4' lw 0.5\n",
          out);
    fputs("set datafile missing NaN\nset encoding utf8\nunset key\n", out);
    at.dot = 0.5 * scale * at.scale;
    fputs("set multiplot\n", out);
    if (has_text(figure->title)) {
        // a title belongs to the figure, not to a panel: an empty plot carries it
        fputs("set label ", out);
        rico_figure_quote(out, figure->title, false);
        fprintf(out, " at screen 0.5,%.6f center font ',%g'\n",
                (at.height - at.scale * (FIGURE_TITLE / 2.0 + 2.0)) / at.height, 1.25 * at.points);
        fputs("unset border\nunset tics\nset xrange [0:1]\nset yrange [0:1]\nplot NaN notitle\n", out);
        fputs("set border 3 lw 0.8\nset xtics nomirror out scale 0.6\nset ytics nomirror out scale 0.6\n",
              out);
    }
    write_script_of(out, figure, columns, rows, &at);
    fputs("unset multiplot\nunset output\nexit\n", out);
}
