// Performance profiles as a figure: rho over log tau, the legend in the order of robustness.

#include "draw/profile.h"
#include "draw/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The page, in points.
static const double LEFT = 64.0, TOP = 62.0, WIDTH = 520.0, HEIGHT = 340.0, BOTTOM = 56.0;
static const double LEGEND_GAP = 22.0, LEGEND_SAMPLE = 34.0, LEGEND_STEP = 18.0;
static const char INK[] = "#222222", FAINT[] = "#666666", GRID[] = "#e4e4e4";

// Okabe and Ito's colours, which colour-blind readers tell apart, without yellow, which paper does not show;
// dashes go on where they end.
static const char *const COLOURS[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#000000", "#56b4e9", "#e69f00", "#8c510a"};
static const char *const DASHES[] = {NULL, "7 3", "2 2.5", "9 3 2 3", "4 2", "12 4", "9 3 2 3 2 3"};
enum { COLOUR_COUNT = sizeof COLOURS / sizeof COLOURS[0], DASH_COUNT = sizeof DASHES / sizeof DASHES[0] };

typedef struct figure {
    const rico_profile *profile;
    const rico_profile_text *text;
    rico_svg svg;
    double tau_max;
    int64_t *order;            // of the legend: the most robust first
    double *curve_x, *curve_y; // 2 problems + 2 points of one curve
} figure;


static rico_svg_stroke stroke_of(int64_t solver)
{
    // along the diagonal: neighbours differ in both colour and dash
    return (rico_svg_stroke){.colour = COLOURS[solver % COLOUR_COUNT],
                             .width = 1.9,
                             .dash = DASHES[(solver + solver / COLOUR_COUNT) % DASH_COUNT]};
}


static double place_x(const figure *fig, double tau)
{
    return LEFT + WIDTH * log(tau) / log(fig->tau_max);
}


static double place_y(double rho)
{
    return TOP + HEIGHT * (1.0 - rho);
}


// The largest finite ratio, rounded up to 1, 2 or 5 times a power of ten; at least 10.
static double choose_tau_max(const rico_profile *profile)
{
    double largest = 1.0;
    for (int64_t i = 0; i < profile->problems * profile->solvers; i++) {
        if (profile->ratio[i] < INFINITY) largest = fmax(largest, profile->ratio[i]);
    }
    largest *= 1.0 + 1e-9;
    double decade = pow(10.0, floor(log10(largest)));
    double steps[] = {1.0, 2.0, 5.0, 10.0};
    for (int i = 0; i < 4; i++) {
        if (steps[i] * decade >= largest) return fmax(steps[i] * decade, 10.0);
    }
    return fmax(10.0 * decade, 10.0);
}


static void draw_tau_ticks(figure *fig)
{
    const rico_svg_stroke grid = {.colour = GRID, .width = 1.0}, tick = {.colour = INK, .width = 1.0};
    const rico_svg_font font = {.size = 12.0, .colour = INK, .anchor = RICO_SVG_MIDDLE};
    double base = place_y(0.0);
    bool wide = fig->tau_max > 200.0; // two decades and more are labelled by powers of ten
    for (int exponent = 0; pow(10.0, exponent) <= fig->tau_max; exponent++) {
        for (int digit = 1; digit <= 9; digit++) {
            double tau = digit * pow(10.0, exponent);
            if (tau > fig->tau_max * (1.0 + 1e-9)) break;
            double x = place_x(fig, tau);
            bool labelled = digit == 1 || (!wide && (digit == 2 || digit == 5));
            if (labelled && tau > 1.0 && tau < fig->tau_max * (1.0 - 1e-9))
                rico_svg_line(&fig->svg, x, TOP, x, base, &grid);
            rico_svg_line(&fig->svg, x, base, x, base + (labelled ? 6.0 : 3.0), &tick);
            if (!labelled) continue;
            char text[32];
            if (wide && exponent > 0) {
                snprintf(text, sizeof text, "%d", exponent);
                rico_svg_text(&fig->svg, x, base + 21.0, &font, "10", text);
            } else {
                snprintf(text, sizeof text, "%.0f", tau);
                rico_svg_text(&fig->svg, x, base + 21.0, &font, text, NULL);
            }
        }
    }
}


static void draw_axes(figure *fig)
{
    const rico_svg_stroke grid = {.colour = GRID, .width = 1.0}, tick = {.colour = INK, .width = 1.0};
    rico_svg_font font = {.size = 12.0, .colour = INK, .anchor = RICO_SVG_END};
    for (int fifth = 0; fifth <= 5; fifth++) {
        double y = place_y(fifth / 5.0);
        if (fifth > 0 && fifth < 5) rico_svg_line(&fig->svg, LEFT, y, LEFT + WIDTH, y, &grid);
        rico_svg_line(&fig->svg, LEFT - 6.0, y, LEFT, y, &tick);
        char text[16];
        snprintf(text, sizeof text, "%g", fifth / 5.0);
        rico_svg_text(&fig->svg, LEFT - 10.0, y + 4.2, &font, text, NULL);
    }
    draw_tau_ticks(fig);
    rico_svg_rectangle(&fig->svg, LEFT, TOP, WIDTH, HEIGHT, &tick);

    char axis[160];
    snprintf(axis, sizeof axis, "\xcf\x84: %s relative to the best solver of each problem", fig->text->axis);
    font = (rico_svg_font){.size = 13.0, .colour = INK, .anchor = RICO_SVG_MIDDLE};
    rico_svg_text(&fig->svg, LEFT + WIDTH / 2.0, TOP + HEIGHT + 44.0, &font, axis, NULL);
    font.turn = -90.0;
    rico_svg_text(&fig->svg, 20.0, TOP + HEIGHT / 2.0, &font,
                  "\xcf\x81(\xcf\x84): fraction of problems solved", NULL);
    font = (rico_svg_font){.size = 16.0, .colour = INK};
    rico_svg_text(&fig->svg, LEFT, 28.0, &font, fig->text->title, NULL);
    font = (rico_svg_font){.size = 12.0, .colour = FAINT};
    rico_svg_text(&fig->svg, LEFT, 47.0, &font, fig->text->subtitle, NULL);
}


// A staircase: it rises at every ratio, and runs on to the right edge.
static void draw_curve(figure *fig, int64_t solver)
{
    const rico_profile *profile = fig->profile;
    const double *ratio = profile->ratio + solver * profile->problems;
    double rho = 0.0;
    int64_t points = 0;
    for (int64_t i = 0; i < profile->problems && ratio[i] < INFINITY; i++) {
        // equal ratios make one step
        if (i + 1 < profile->problems && ratio[i + 1] == ratio[i]) continue;
        double x = place_x(fig, ratio[i]);
        if (ratio[i] > 1.0) {
            fig->curve_x[points] = x;
            fig->curve_y[points++] = place_y(rho);
        }
        rho = (double)(i + 1) / (double)profile->problems;
        fig->curve_x[points] = x;
        fig->curve_y[points++] = place_y(rho);
    }
    if (points == 0) return;
    fig->curve_x[points] = LEFT + WIDTH;
    fig->curve_y[points++] = place_y(rho);
    rico_svg_stroke stroke = stroke_of(solver);
    rico_svg_curve(&fig->svg, points, fig->curve_x, fig->curve_y, &stroke);
}


static bool more_robust(const rico_profile *profile, int64_t a, int64_t b)
{
    int64_t of_a = rico_profile_solved(profile, a), of_b = rico_profile_solved(profile, b);
    if (of_a != of_b) return of_a > of_b;
    return rico_profile_value(profile, a, 1.0) > rico_profile_value(profile, b, 1.0);
}


// Insertion: solvers are few, and equals keep the order in which they were named.
static void sort_legend(figure *fig)
{
    for (int64_t i = 0; i < fig->profile->solvers; i++) {
        int64_t at = i;
        while (at > 0 && more_robust(fig->profile, i, fig->order[at - 1])) {
            fig->order[at] = fig->order[at - 1];
            at--;
        }
        fig->order[at] = i;
    }
}


static void draw_legend(figure *fig)
{
    const rico_svg_font name = {.size = 12.0, .colour = INK}, count = {.size = 11.0, .colour = FAINT};
    double x = LEFT + WIDTH + LEGEND_GAP;
    for (int64_t i = 0; i < fig->profile->solvers; i++) {
        int64_t solver = fig->order[i];
        double y = TOP + 8.0 + LEGEND_STEP * (double)i;
        rico_svg_stroke stroke = stroke_of(solver);
        rico_svg_line(&fig->svg, x + 26.0, y, x + 26.0 + LEGEND_SAMPLE, y, &stroke);
        char solved[32];
        snprintf(solved, sizeof solved, "%lld", (long long)rico_profile_solved(fig->profile, solver));
        rico_svg_font right = count;
        right.anchor = RICO_SVG_END;
        rico_svg_text(&fig->svg, x + 20.0, y + 4.0, &right, solved, NULL);
        rico_svg_text(&fig->svg, x + 26.0 + LEGEND_SAMPLE + 8.0, y + 4.0, &name, fig->text->labels[solver],
                      NULL);
    }
    rico_svg_text(&fig->svg, x, TOP - 15.0, &count, "solved by", NULL);
}


// The page is as wide as its longest label needs, about seven points a character.
static double page_width(const figure *fig)
{
    size_t longest = 10;
    for (int64_t i = 0; i < fig->profile->solvers; i++) {
        size_t length = strlen(fig->text->labels[i]);
        if (length > longest) longest = length;
    }
    return LEFT + WIDTH + LEGEND_GAP + 26.0 + LEGEND_SAMPLE + 8.0 + 7.0 * (double)longest + 12.0;
}


rico_status rico_profile_draw(rico_context *ctx, const rico_profile *profile, const rico_profile_text *text,
                              FILE *out)
{
    figure fig = {.profile = profile, .text = text, .tau_max = choose_tau_max(profile)};
    fig.order = rico_alloc(ctx, profile->solvers, sizeof *fig.order);
    fig.curve_x = rico_alloc(ctx, 2 * profile->problems + 2, sizeof *fig.curve_x);
    fig.curve_y = rico_alloc(ctx, 2 * profile->problems + 2, sizeof *fig.curve_y);
    rico_status status =
        fig.order != NULL && fig.curve_x != NULL && fig.curve_y != NULL ? RICO_OK : RICO_NO_MEMORY;
    if (status == RICO_OK) {
        double legend = LEGEND_STEP * (double)profile->solvers + 16.0;
        double height = TOP + fmax(HEIGHT + BOTTOM, legend);
        sort_legend(&fig);
        fig.svg = rico_svg_begin(out, page_width(&fig), height, text->title);
        draw_axes(&fig);
        // the most robust last, on top of the others
        for (int64_t i = profile->solvers - 1; i >= 0; i--) draw_curve(&fig, fig.order[i]);
        draw_legend(&fig);
        rico_svg_end(&fig.svg);
    }
    rico_free(ctx, fig.order);
    rico_free(ctx, fig.curve_x);
    rico_free(ctx, fig.curve_y);
    return status;
}
