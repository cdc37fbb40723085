// Draws what bench_scaling --csv wrote: microseconds for a contact over contacts, both axes logarithmic.
//
// A colour for each scene, solid from zero, dashed from the step before; a cross where the time ran out. A solver
// that scales draws level lines.    bench_plot_scaling scaling.csv > docs/figures/scaling.svg

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS_MAX = 4096, NAME_MAX_LENGTH = 32, COLOURS = 6 };

typedef struct point {
    char kind[NAME_MAX_LENGTH], start[NAME_MAX_LENGTH];
    double contacts, time;
    bool solved;
} point;

typedef struct plot {
    int count;
    point points[POINTS_MAX];
    char solver[NAME_MAX_LENGTH];
    double x_low, x_high, y_low, y_high; // decades
} plot;

// the frame on the page
static const double left = 70, right = 560, top = 40, bottom = 400, page_width = 690, page_height = 450;
// told apart also by the colour-blind (Okabe and Ito 2008)
static const char *const colours[COLOURS] = {"#0072b2", "#d55e00", "#009e73",
                                             "#cc79a7", "#e69f00", "#000000"};


// Reads the file; false, with a message, when it is not of bench_scaling.
static bool read_points(FILE *in, plot *p)
{
    char line[512];
    if (!fgets(line, sizeof line, in) || strncmp(line, "kind,contacts,solver,start,", 27) != 0) {
        fprintf(stderr, "bench_plot_scaling: this is no file of bench_scaling --csv\n");
        return false;
    }
    while (p->count < POINTS_MAX && fgets(line, sizeof line, in)) {
        point *q = &p->points[p->count];
        char stop[NAME_MAX_LENGTH];
        int fields = sscanf(line, "%31[^,],%lf,%31[^,],%31[^,],%*[^,],%*[^,],%*[^,],%*[^,],%31[^,],%lf",
                            q->kind, &q->contacts, p->solver, q->start, stop, &q->time);
        if (fields != 6 ||
            !(q->contacts > 0.0 && q->time > 0.0 && isfinite(q->contacts) && isfinite(q->time))) {
            fprintf(stderr, "bench_plot_scaling: line %d cannot be read\n", p->count + 2);
            return false;
        }
        q->solved = strcmp(stop, "converged") == 0;
        p->count++;
    }
    if (p->count == 0) fprintf(stderr, "bench_plot_scaling: there is nothing to draw\n");
    return p->count > 0;
}


// Axes of whole decades around the points.
static void fit_axes(plot *p)
{
    p->x_low = p->y_low = INFINITY;
    p->x_high = p->y_high = -INFINITY;
    for (int i = 0; i < p->count; i++) {
        double x = log10(p->points[i].contacts), y = log10(p->points[i].time);
        p->x_low = fmin(p->x_low, floor(x + 0.05)); // 104 contacts for 100 asked do not need a decade more
        p->x_high = fmax(p->x_high, ceil(x - 0.05));
        p->y_low = fmin(p->y_low, floor(y));
        p->y_high = fmax(p->y_high, ceil(y));
    }
    if (p->x_high <= p->x_low) p->x_high = p->x_low + 1.0;
    if (p->y_high <= p->y_low) p->y_high = p->y_low + 1.0;
}


static double x_of(const plot *p, double contacts)
{
    return left + (right - left) * (log10(contacts) - p->x_low) / (p->x_high - p->x_low);
}


static double y_of(const plot *p, double time)
{
    return bottom - (bottom - top) * (log10(time) - p->y_low) / (p->y_high - p->y_low);
}


static void draw_line(double x1, double y1, double x2, double y2, const char *style)
{
    printf("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s/>\n", x1, y1, x2, y2, style);
}


static void draw_axes(const plot *p)
{
    const char *grid = "stroke=\"#dddddd\"", *frame = "stroke=\"#444444\"";
    for (double decade = p->x_low; decade <= p->x_high; decade++) {
        double x = x_of(p, pow(10.0, decade));
        draw_line(x, top, x, bottom, grid);
        printf("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">10<tspan dy=\"-5\" "
               "font-size=\"9\">%.0f</tspan>"
               "</text>\n",
               x, bottom + 18, decade);
    }
    for (double decade = p->y_low; decade <= p->y_high; decade++) {
        double y = y_of(p, pow(10.0, decade));
        draw_line(left, y, right, y, grid);
        printf(
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">10<tspan dy=\"-5\" font-size=\"9\">%.0f</tspan>"
            "</text>\n",
            left - 8, y + 4, decade);
    }
    draw_line(left, bottom, right, bottom, frame);
    draw_line(left, top, left, bottom, frame);
    printf("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">contacts</text>\n", 0.5 * (left + right),
           bottom + 38);
    printf(
        "<text transform=\"translate(22 %.1f) rotate(-90)\" text-anchor=\"middle\">microseconds for a contact"
        "</text>\n",
        0.5 * (top + bottom));
}


// One curve: a kind and a start. Solved points are joined, the others crossed.
static void draw_curve(const plot *p, const char *kind, const char *start, const char *colour)
{
    bool cold = strcmp(start, "cold") == 0;
    printf("<g stroke=\"%s\" stroke-width=\"1.8\" fill=\"none\">\n<polyline%s points=\"", colour,
           cold ? "" : " stroke-dasharray=\"5 4\"");
    for (int i = 0; i < p->count; i++) {
        const point *q = &p->points[i];
        if (strcmp(q->kind, kind) == 0 && strcmp(q->start, start) == 0 && q->solved)
            printf("%.1f,%.1f ", x_of(p, q->contacts), y_of(p, q->time));
    }
    printf("\"/>\n");
    for (int i = 0; i < p->count; i++) {
        const point *q = &p->points[i];
        if (strcmp(q->kind, kind) != 0 || strcmp(q->start, start) != 0) continue;
        double x = x_of(p, q->contacts), y = y_of(p, q->time);
        if (q->solved)
            printf("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.2\" fill=\"%s\"/>\n", x, y,
                   cold ? colour : "white");
        else
            printf("<path d=\"M%.1f %.1fl8 8m0 -8l-8 8\"/>\n", x - 4, y - 4);
    }
    printf("</g>\n");
}


static void draw_legend_entry(int line, const char *style, const char *text)
{
    double y = top + 10 + 20 * line;
    draw_line(right + 15, y, right + 45, y, style);
    printf("<text x=\"%.1f\" y=\"%.1f\">%s</text>\n", right + 52, y + 4, text);
}


static void draw(const plot *p)
{
    printf(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" font-family=\"sans-serif\" "
        "font-size=\"12\">\n<title>Time for a contact over the number of contacts, solver %s</title>\n"
        "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
        page_width, page_height, p->solver);
    printf("<text x=\"%.1f\" y=\"22\" font-size=\"14\">Time for a contact, solver %s</text>\n", left,
           p->solver);
    draw_axes(p);

    int kinds = 0;
    for (int i = 0; i < p->count; i++) {
        const char *kind = p->points[i].kind;
        bool seen = false;
        for (int j = 0; j < i && !seen; j++) seen = strcmp(p->points[j].kind, kind) == 0;
        if (seen) continue;
        const char *colour = colours[kinds % COLOURS];
        draw_curve(p, kind, "warm", colour);
        draw_curve(p, kind, "cold", colour);
        char style[64];
        snprintf(style, sizeof style, "stroke=\"%s\" stroke-width=\"1.8\"", colour);
        draw_legend_entry(kinds++, style, kind);
    }
    draw_legend_entry(kinds + 1, "stroke=\"#444444\"", "from zero");
    draw_legend_entry(kinds + 2, "stroke=\"#444444\" stroke-dasharray=\"5 4\"", "warm");
    double y = top + 10 + 20 * (kinds + 3);
    printf("<path d=\"M%.1f %.1fl8 8m0 -8l-8 8\" stroke=\"#444444\"/>\n<text x=\"%.1f\" y=\"%.1f\">not "
           "solved</text>\n",
           right + 26, y - 4, right + 52, y + 4);
    printf("</svg>\n");
}


int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: bench_plot_scaling FILE.csv > FILE.svg\n");
        return EXIT_FAILURE;
    }
    FILE *in = fopen(argv[1], "r");
    if (!in) {
        fprintf(stderr, "bench_plot_scaling: %s cannot be opened\n", argv[1]);
        return EXIT_FAILURE;
    }
    plot *p = calloc(1, sizeof *p);
    bool good = p && read_points(in, p);
    if (good) {
        fit_axes(p);
        draw(p);
        good = fflush(stdout) == 0 && !ferror(stdout);
    }
    fclose(in);
    free(p);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
