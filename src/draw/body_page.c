// A painting of bodies on its page: as SVG, or through gnuplot as PNG and PDF.

#include "draw/body_paint.h"

#include "base/context.h"
#include "draw/gnuplot.h"
#include "draw/svg.h"
#include "store/target.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char INK[] = "#222222", FORCE[] = "#c1121f";
static const double HEAD = 7.0; // of an arrow, in pixels


// A colour as "#rrggbb", times a brightness; above 1 it goes to white.
static void name_colour(const rico_paint_colour *colour, double light, char text[8])
{
    int rgb[3];
    for (int i = 0; i < 3; i++) {
        double c = light <= 1.0 ? colour->rgb[i] * light : 1.0 - (1.0 - colour->rgb[i]) * (2.0 - light);
        rgb[i] = (int)lrint(255.0 * fmin(fmax(c, 0.0), 1.0));
    }
    snprintf(text, 8, "#%02x%02x%02x", (unsigned)rgb[0] & 255U, (unsigned)rgb[1] & 255U,
             (unsigned)rgb[2] & 255U);
}


// How bright a face is: lit from above on the left, behind the eye.
static double brightness(const rico_patch *patch)
{
    static const double LIGHT[3] = {-0.40, 0.62, 0.67};
    const double *n = patch->normal;
    if (patch->plain) return 1.0;
    if (patch->flat) return 0.8;
    return 0.55 + 0.55 * fmax(0.0, n[0] * LIGHT[0] + n[1] * LIGHT[1] + n[2] * LIGHT[2]);
}


// The three corners of an arrow's head on the page; false where the arrow is too short to have one.
static bool arrow_head(const double from[2], const double to[2], double corner[6])
{
    double dx = to[0] - from[0], dy = to[1] - from[1], length = hypot(dx, dy);
    double head = fmin(HEAD, 0.6 * length);
    if (length < 1.0) return false;
    dx /= length, dy /= length;
    const double all[6] = {to[0],
                           to[1],
                           to[0] - head * dx - 0.4 * head * dy,
                           to[1] - head * dy + 0.4 * head * dx,
                           to[0] - head * dx + 0.4 * head * dy,
                           to[1] - head * dy - 0.4 * head * dx};
    memcpy(corner, all, sizeof all);
    return true;
}


// A length of 1, 2 or 5 times a power of ten that takes about a fifth of the page.
static double scale_bar(const rico_painting *p)
{
    double most = 0.25 * p->width / p->scale, power = pow(10.0, floor(log10(most)));
    return power * (most >= 5.0 * power ? 5.0 : most >= 2.0 * power ? 2.0 : 1.0);
}


// --- SVG ---------------------------------------------------------------------------------------------------------

static void svg_polygon(FILE *out, const rico_painting *p, const rico_patch *patch)
{
    char fill[8], edge[8];
    double light = brightness(patch);
    name_colour(&patch->colour, light, fill);
    name_colour(&patch->colour, patch->outlined ? 0.35 : light, edge);
    fprintf(out, "<polygon points=\"");
    for (int64_t k = 0; k < patch->count; k++) {
        double at[2];
        rico_painting_place(p, p->point + 3 * (patch->first + k), at);
        fprintf(out, "%s%.2f,%.2f", k > 0 ? " " : "", at[0], at[1]);
    }
    fprintf(out, "\" fill=\"%s\" stroke=\"%s\" stroke-width=\"%g\" stroke-linejoin=\"round\"%s/>\n", fill,
            edge,
            patch->count == 2 ? 0.35
            : patch->outlined ? 0.8
                              : 0.7,
            patch->faint ? " fill-opacity=\"0.25\"" : "");
}


static void svg_disc(FILE *out, const rico_painting *p, const rico_patch *patch, int gradient)
{
    char edge[8];
    double at[2];
    name_colour(&patch->colour, 0.35, edge);
    rico_painting_place(p, patch->center, at);
    fprintf(out,
            "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\" fill=\"url(#ball%d)\" stroke=\"%s\" "
            "stroke-width=\"0.6\"%s/>\n",
            at[0], at[1], p->scale * patch->radius, gradient, edge,
            patch->faint ? " fill-opacity=\"0.25\"" : "");
}


enum { MOST_COLOURS = 16 };


static bool same_colour(const rico_paint_colour *a, const rico_paint_colour *b)
{
    return a->rgb[0] == b->rgb[0] && a->rgb[1] == b->rgb[1] && a->rgb[2] == b->rgb[2];
}


// Shades of balls, one for each colour in the picture.
static int svg_gradients(FILE *out, const rico_painting *p, rico_paint_colour *colour)
{
    int count = 0;
    fprintf(out, "<defs>\n");
    for (int64_t i = 0; i < p->patch_count; i++) {
        int at = 0;
        if (!p->patch[i].disc) continue;
        while (at < count && !same_colour(&colour[at], &p->patch[i].colour)) at++;
        if (at < count || count == MOST_COLOURS) continue;
        char light[8], middle[8], dark[8];
        colour[count] = p->patch[i].colour;
        name_colour(&colour[count], 1.5, light);
        name_colour(&colour[count], 0.95, middle);
        name_colour(&colour[count], 0.5, dark);
        fprintf(out,
                "<radialGradient id=\"ball%d\" cx=\"0.36\" cy=\"0.3\" r=\"0.75\"><stop offset=\"0\" "
                "stop-color=\"%s\"/>"
                "<stop offset=\"0.55\" stop-color=\"%s\"/><stop offset=\"1\" "
                "stop-color=\"%s\"/></radialGradient>\n",
                count++, light, middle, dark);
    }
    fprintf(out, "</defs>\n");
    return count;
}


static void svg_arrows(FILE *out, const rico_painting *p)
{
    for (int64_t i = 0; i < p->arrow_count; i++) {
        double from[2], to[2], head[6];
        rico_painting_place(p, p->arrow[i].from, from);
        rico_painting_place(p, p->arrow[i].to, to);
        fprintf(out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"1.6\" fill=\"%s\"/>\n", from[0], from[1], FORCE);
        if (!arrow_head(from, to, head)) continue;
        fprintf(
            out,
            "<line x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\" stroke=\"%s\" stroke-width=\"1.2\"/>\n",
            from[0], from[1], to[0], to[1], FORCE);
        fprintf(out, "<polygon points=\"%.2f,%.2f %.2f,%.2f %.2f,%.2f\" fill=\"%s\"/>\n", head[0], head[1],
                head[2], head[3], head[4], head[5], FORCE);
    }
}


// Where the bar of the legend stands: left, top, width, height of the page.
static void legend_box(const rico_painting *p, double box[4])
{
    box[0] = p->width - 82.0;
    box[2] = 14.0;
    box[3] = fmin(0.6 * p->height, 260.0);
    box[1] = 0.5 * (p->height - box[3]) + 6.0;
}


static void legend_number(const rico_paint_legend *legend, int tick, char text[32])
{
    double share = tick / 4.0, value = legend->low + share * (legend->high - legend->low);
    double size = fmax(fabs(legend->low), fabs(legend->high));
    snprintf(text, 32, "%.3g", fabs(value) < 1e-12 * size ? 0.0 : value);
}


static void svg_legend(rico_svg *svg, const rico_painting *p)
{
    const rico_paint_legend *legend = &p->legend;
    const rico_svg_font number = {11.0, INK, RICO_SVG_START, 0.0}, name = {11.0, INK, RICO_SVG_END, 0.0};
    double box[4];
    legend_box(p, box);
    for (int i = 0; i < legend->count; i++) {
        char fill[8];
        double each = box[3] / legend->count, top = box[1] + box[3] - (i + 1) * each;
        name_colour(&legend->colour[i], 1.0, fill);
        fprintf(svg->out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\"/>\n",
                box[0], top, box[2], each + 0.3, fill);
    }
    for (int tick = 0; legend->count > 0 && tick <= 4; tick++) {
        char text[32];
        legend_number(legend, tick, text);
        rico_svg_text(svg, box[0] + box[2] + 5.0, box[1] + box[3] * (1.0 - tick / 4.0) + 4.0, &number, text,
                      NULL);
    }
    if (legend->count > 0) rico_svg_text(svg, p->width - 12.0, box[1] - 12.0, &name, legend->name, NULL);
}


static void write_svg(FILE *out, const rico_painting *p)
{
    rico_paint_colour colour[MOST_COLOURS];
    rico_svg svg = rico_svg_begin(out, p->width, p->height, p->title);
    int colours = svg_gradients(out, p, colour);
    for (int64_t i = 0; i < p->patch_count; i++) {
        const rico_patch *patch = &p->patch[p->order[i]];
        int at = 0;
        while (at + 1 < colours && !same_colour(&colour[at], &patch->colour)) at++;
        if (patch->disc)
            svg_disc(out, p, patch, at);
        else
            svg_polygon(out, p, patch);
    }
    svg_arrows(out, p);
    svg_legend(&svg, p);
    const rico_svg_font title = {14.0, INK, RICO_SVG_START, 0.0}, note = {11.0, INK, RICO_SVG_END, 0.0};
    const rico_svg_stroke bar = {INK, 1.5, NULL};
    double length = scale_bar(p);
    char text[32];
    snprintf(text, sizeof text, "%g", length);
    rico_svg_text(&svg, 12.0, 22.0, &title, p->title, NULL);
    rico_svg_text(&svg, p->width - 12.0, p->height - 10.0, &note, p->note, NULL);
    rico_svg_line(&svg, 12.0, p->height - 12.0, 12.0 + length * p->scale, p->height - 12.0, &bar);
    const rico_svg_font name = {11.0, INK, RICO_SVG_START, 0.0};
    rico_svg_text(&svg, 12.0, p->height - 18.0, &name, text, NULL);
    rico_svg_end(&svg);
}


// --- gnuplot -------------------------------------------------------------------------------------------------------

// Text between quotes of gnuplot's, which doubles those inside.
static void quote(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; *text; text++) {
        if (*text == '\'') fputc('\'', out);
        fputc(*text == '\n' ? ' ' : *text, out);
    }
    fputc('\'', out);
}


enum { MOST_CLIPPED = 256 };

// What lies on one side of a line of the page: coordinate `axis` times `sign` at most `most` (Sutherland and Hodgman 1974).
static int clip_side(int count, double point[][2], int axis, double sign, double most)
{
    double kept[MOST_CLIPPED][2];
    int out = 0;
    for (int i = 0; i < count; i++) {
        const double *a = point[i], *b = point[(i + 1) % count];
        double at = sign * a[axis] - most, next = sign * b[axis] - most;
        if (at <= 0.0 && out < MOST_CLIPPED) memcpy(kept[out++], a, sizeof kept[0]);
        if ((at < 0.0) != (next < 0.0) && at != next && out < MOST_CLIPPED) {
            double part = at / (at - next);
            for (int c = 0; c < 2; c++) kept[out][c] = a[c] + part * (b[c] - a[c]);
            out++;
        }
    }
    memcpy(point, kept, (size_t)out * sizeof kept[0]);
    return out;
}


// The corners of a polygon on the page, and a little beyond it: gnuplot draws others wrong. 0 where it is not on it.
static int clip_polygon(const rico_painting *p, const rico_patch *patch, double point[MOST_CLIPPED][2])
{
    static const double BEYOND = 0.0;
    int count = 0;
    for (int64_t k = 0; k < patch->count && count < MOST_CLIPPED - 8; k++) {
        rico_painting_place(p, p->point + 3 * (patch->first + k), point[count]);
        point[count][1] = p->height - point[count][1];
        count++;
    }
    count = clip_side(count, point, 0, 1.0, p->width + BEYOND);
    count = clip_side(count, point, 0, -1.0, BEYOND);
    count = clip_side(count, point, 1, 1.0, p->height + BEYOND);
    return clip_side(count, point, 1, -1.0, BEYOND);
}


static void plot_polygon(FILE *out, const rico_painting *p, const rico_patch *patch)
{
    char fill[8], edge[8];
    double light = brightness(patch);
    name_colour(&patch->colour, light, fill);
    name_colour(&patch->colour, patch->outlined ? 0.35 : light, edge);
    double point[MOST_CLIPPED][2];
    int count = clip_polygon(p, patch, point);
    if (count == 0) return;
    fprintf(out, "set object polygon from ");
    for (int k = 0; k <= count; k++)
        fprintf(out, "%s%.2f,%.2f", k > 0 ? " to " : "", point[k % count][0], point[k % count][1]);
    fprintf(out, " fc rgb '%s' fs %s border rgb '%s' lw %g\n", fill,
            patch->faint ? "transparent solid 0.25" : "solid", edge,
            patch->count == 2     ? 0.3
            : patch->outlined     ? 0.8
            : p->legend.count > 0 ? 1.0
                                  : 0.4);
}


static void plot_disc(FILE *out, const rico_painting *p, const rico_patch *patch)
{
    static const double RINGS[][2] = {{1.0, 0.62},  {0.9, 0.78}, {0.75, 0.92},
                                      {0.58, 1.05}, {0.4, 1.18}, {0.22, 1.32}};
    double at[2], r = p->scale * patch->radius;
    rico_painting_place(p, patch->center, at);
    for (size_t i = 0; i < sizeof RINGS / sizeof *RINGS; i++) {
        char fill[8], edge[8];
        double shift = 0.3 * r * (1.0 - RINGS[i][0]);
        name_colour(&patch->colour, RINGS[i][1], fill);
        name_colour(&patch->colour, i == 0 ? 0.35 : RINGS[i][1], edge);
        fprintf(out, "set object circle at %.2f,%.2f size %.2f fc rgb '%s' fs %s border rgb '%s' lw 0.6\n",
                at[0] - shift, p->height - at[1] + 1.2 * shift, r * RINGS[i][0], fill,
                patch->faint ? "transparent solid 0.25" : "solid", edge);
    }
}


static void plot_arrows(FILE *out, const rico_painting *p)
{
    for (int64_t i = 0; i < p->arrow_count; i++) {
        double from[2], to[2], head[6];
        rico_painting_place(p, p->arrow[i].from, from);
        rico_painting_place(p, p->arrow[i].to, to);
        fprintf(out, "set object circle at %.2f,%.2f size 1.6 fc rgb '%s' fs solid noborder\n", from[0],
                p->height - from[1], FORCE);
        if (!arrow_head(from, to, head)) continue;
        fprintf(out,
                "set object polygon from %.2f,%.2f to %.2f,%.2f to %.2f,%.2f fc rgb '%s' fs solid border rgb "
                "'%s' lw 1\n",
                from[0], p->height - from[1], to[0], p->height - to[1], from[0], p->height - from[1], FORCE,
                FORCE);
        fprintf(out,
                "set object polygon from %.2f,%.2f to %.2f,%.2f to %.2f,%.2f to %.2f,%.2f fc rgb '%s' fs "
                "solid noborder\n",
                head[0], p->height - head[1], head[2], p->height - head[3], head[4], p->height - head[5],
                head[0], p->height - head[1], FORCE);
    }
}


static void plot_legend(FILE *out, const rico_painting *p)
{
    const rico_paint_legend *legend = &p->legend;
    double box[4];
    legend_box(p, box);
    for (int i = 0; i < legend->count; i++) {
        char fill[8];
        double each = box[3] / legend->count, bottom = p->height - box[1] - box[3] + i * each;
        name_colour(&legend->colour[i], 1.0, fill);
        fprintf(out, "set object rectangle from %.2f,%.2f to %.2f,%.2f fc rgb '%s' fs solid noborder\n",
                box[0], bottom, box[0] + box[2], bottom + each + 0.3, fill);
    }
    for (int tick = 0; legend->count > 0 && tick <= 4; tick++) {
        char text[32];
        legend_number(legend, tick, text);
        fprintf(out, "set label %d '%s' at %.2f,%.2f left front\n", 10 + tick, text, box[0] + box[2] + 5.0,
                p->height - box[1] - box[3] * (1.0 - tick / 4.0));
    }
    if (legend->count == 0) return;
    fprintf(out, "set label 20 ");
    quote(out, legend->name);
    fprintf(out, " at %.2f,%.2f right front\n", p->width - 12.0, p->height - box[1] + 16.0);
}


static void write_script(FILE *out, const void *user, const char *path)
{
    const rico_painting *p = user;
    size_t length = strlen(path);
    // the picture is made under another name first: its ending is that before the last two dots
    bool pdf = strstr(path, ".pdf.") != NULL && length > 5;
    double unit = pdf ? 1.0 / 96.0 : 2.0;
    fprintf(out, "set terminal %s font 'Helvetica,%g' background 'white' size %g%s,%g%s\nset output ",
            pdf ? "pdfcairo noenhanced" : "pngcairo noenhanced", pdf ? 8.0 : 16.0, unit * p->width,
            pdf ? "in" : "", unit * p->height, pdf ? "in" : "");
    quote(out, path);
    fprintf(out,
            "\nunset border\nunset tics\nunset key\nset lmargin at screen 0\nset rmargin at screen 1\n"
            "set bmargin at screen 0\nset tmargin at screen 1\nset xrange [0:%g]\nset yrange [0:%g]\n",
            p->width, p->height);
    for (int64_t i = 0; i < p->patch_count; i++) {
        const rico_patch *patch = &p->patch[p->order[i]];
        if (patch->disc)
            plot_disc(out, p, patch);
        else
            plot_polygon(out, p, patch);
    }
    plot_arrows(out, p);
    plot_legend(out, p);
    double bar = scale_bar(p);
    fprintf(out, "set object polygon from 12,12 to %g,12 to 12,12 fs solid border rgb '%s' lw 3\n",
            12.0 + bar * p->scale, INK);
    fprintf(out, "set label 1 '%g' at 12,24 left front\nset label 2 ", bar);
    quote(out, p->title);
    fprintf(out, " at 12,%g left front\nset label 3 ", p->height - 18.0);
    quote(out, p->note);
    fprintf(out, " at %g,14 right front\nplot -1 with lines lc rgb 'white'\n", p->width - 12.0);
}


rico_status rico_painting_write(rico_painting *p, const char *path)
{
    size_t length = strlen(path);
    if (length < 4 || strcmp(path + length - 4, ".svg") != 0)
        return rico_gnuplot_write(p->ctx, write_script, p, path);
    rico_target target;
    rico_status status = rico_target_open(p->ctx, path, RICO_TARGET_PICTURE, &target);
    if (status != RICO_OK) return status;
    write_svg(target.out, p);
    return rico_target_close(&target, RICO_OK);
}
