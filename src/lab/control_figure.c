// Bode's two pictures, poles and zeros, and the root locus.

#include "lab/control_figure.h"

#include "draw/curves.h"
#include "store/target.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { GAINS = 400 };

// Directions of the complex plane below this share of the largest pole are taken for its origin.
static const double SMALL = 1e-9;


rico_status rico_control_range(const rico_state_space *sys, double *from, double *to)
{
    rico_context *ctx = sys->ctx;
    double *real = rico_alloc(ctx, sys->states, sizeof *real),
           *imag = rico_alloc(ctx, sys->states, sizeof *imag);
    rico_status status = real && imag ? rico_state_space_poles(sys, real, imag) : RICO_NO_MEMORY;
    double least = INFINITY, most = 0.0;
    for (int64_t i = 0; status == RICO_OK && i < sys->states; i++) most = fmax(most, hypot(real[i], imag[i]));
    for (int64_t i = 0; status == RICO_OK && i < sys->states; i++) {
        double size = hypot(real[i], imag[i]);
        if (size > SMALL * most) least = fmin(least, size);
    }
    *from = most > 0.0 ? 0.1 * least : 0.01;
    *to = most > 0.0 ? 10.0 * most : 100.0;
    rico_free(ctx, real);
    rico_free(ctx, imag);
    return status;
}


double rico_control_frequency(const rico_control_view *view, int64_t k)
{
    return view->from * pow(view->to / view->from, (double)k / (double)(view->points - 1));
}


// --- responses -----------------------------------------------------------------------------------------------------

typedef struct responses {
    int64_t count, pairs;
    double *omega;             // count
    double *magnitude, *phase; // pairs x count; degrees without jumps
} responses;


static void release(rico_context *ctx, responses *all)
{
    rico_free(ctx, all->omega);
    rico_free(ctx, all->magnitude);
    rico_free(ctx, all->phase);
}


static rico_status respond(const rico_control_view *view, responses *all)
{
    const rico_state_space *sys = view->sys;
    rico_context *ctx = sys->ctx;
    int64_t count = view->points, pairs = sys->inputs * sys->outputs;
    double *g = rico_alloc(ctx, 2 * pairs, sizeof *g), degree = 180.0 / acos(-1.0);
    *all = (responses){.count = count,
                       .pairs = pairs,
                       .omega = rico_alloc(ctx, count, sizeof(double)),
                       .magnitude = rico_alloc(ctx, pairs * count, sizeof(double)),
                       .phase = rico_alloc(ctx, pairs * count, sizeof(double))};
    rico_status status = g && all->omega && all->magnitude && all->phase ? RICO_OK : RICO_NO_MEMORY;
    for (int64_t k = 0; status == RICO_OK && k < count; k++) {
        all->omega[k] = rico_control_frequency(view, k);
        status = rico_state_space_response(sys, all->omega[k], g);
        bool pole = status == RICO_SINGULAR; // a gap in the line
        if (pole) status = RICO_OK;
        for (int64_t p = 0; p < pairs; p++) {
            double phase = degree * atan2(g[2 * p + 1], g[2 * p]),
                   before = k > 0 ? all->phase[p * count + k - 1] : 0.0;
            if (k > 0 && isfinite(before)) phase -= 360.0 * nearbyint((phase - before) / 360.0);
            all->magnitude[p * count + k] = pole ? NAN : hypot(g[2 * p], g[2 * p + 1]);
            all->phase[p * count + k] = pole ? NAN : phase;
        }
    }
    rico_free(ctx, g);
    if (status != RICO_OK) release(ctx, all);
    return status;
}


static void name_pair(const rico_control_view *view, int64_t pair, char *name, size_t room)
{
    snprintf(name, room, "%.40s to %.40s", view->input[pair / view->sys->outputs],
             view->output[pair % view->sys->outputs]);
}


static double *copy(rico_context *ctx, int64_t count, const double *from)
{
    double *made = rico_alloc(ctx, count, sizeof *made);
    if (made) memcpy(made, from, (size_t)count * sizeof *made);
    return made;
}


static rico_status add(rico_context *ctx, rico_curves *curves, const char *label, int64_t count,
                       const double *x, const double *y)
{
    double *own_x = copy(ctx, count, x), *own_y = copy(ctx, count, y);
    if (!own_x || !own_y) {
        rico_free(ctx, own_x);
        rico_free(ctx, own_y);
        return RICO_NO_MEMORY;
    }
    rico_status status = rico_curves_add(ctx, curves, label, count, own_x, own_y);
    if (status == RICO_OK) curves->series[curves->count - 1].words = true;
    return status;
}


static rico_status add_responses(const rico_control_view *view, rico_curves *size, rico_curves *angle)
{
    rico_context *ctx = view->sys->ctx;
    responses all;
    rico_status status = respond(view, &all);
    if (status != RICO_OK) return status;
    for (int64_t p = 0; status == RICO_OK && p < all.pairs; p++) {
        char name[128];
        name_pair(view, p, name, sizeof name);
        if (all.pairs == 1) name[0] = '\0';
        status = add(ctx, size, name, all.count, all.omega, all.magnitude + p * all.count);
        if (status == RICO_OK)
            status = add(ctx, angle, name, all.count, all.omega, all.phase + p * all.count);
    }
    release(ctx, &all);
    return status;
}


// --- the complex plane ---------------------------------------------------------------------------------------------

static void mark(rico_curves *plane, int colour)
{
    plane->series[plane->count - 1].style = RICO_SERIES_POINTS;
    plane->series[plane->count - 1].colour = colour;
}


static rico_status add_points(const rico_control_view *view, rico_curves *plane)
{
    const rico_state_space *sys = view->sys;
    rico_context *ctx = sys->ctx;
    int64_t n = sys->states, zeros = 0;
    double *real = rico_alloc(ctx, n, sizeof *real), *imag = rico_alloc(ctx, n, sizeof *imag);
    rico_status status = real && imag ? rico_state_space_poles(sys, real, imag) : RICO_NO_MEMORY;
    if (status == RICO_OK) status = add(ctx, plane, "poles", n, real, imag);
    if (status == RICO_OK) mark(plane, 1);
    bool square = view->pairs && sys->inputs == 1 && sys->outputs == 1;
    if (status == RICO_OK && square) status = rico_state_space_zeros(sys, real, imag, &zeros);
    if (status == RICO_OK && square && zeros > 0) {
        status = add(ctx, plane, "zeros", zeros, real, imag);
        if (status == RICO_OK) mark(plane, 2);
    }
    rico_free(ctx, real);
    rico_free(ctx, imag);
    return status;
}


static rico_status add_locus(const rico_control_view *view, rico_curves *plane)
{
    const rico_state_space *sys = view->sys;
    rico_context *ctx = sys->ctx;
    int64_t n = sys->states;
    double *gain = rico_alloc(ctx, GAINS, sizeof *gain), *real = rico_alloc(ctx, GAINS * n, sizeof *real),
           *imag = rico_alloc(ctx, GAINS * n, sizeof *imag);
    for (int64_t k = 0; gain && k < GAINS; k++)
        gain[k] = view->gain_low * pow(view->gain_high / view->gain_low, (double)k / (GAINS - 1));
    rico_status status =
        gain && real && imag ? rico_state_space_root_locus(sys, GAINS, gain, real, imag) : RICO_NO_MEMORY;
    if (status == RICO_OK) status = add(ctx, plane, "of the loop, gains rising", GAINS * n, real, imag);
    if (status == RICO_OK) {
        mark(plane, -1);
        status = add_points(view, plane);
    }
    rico_free(ctx, gain);
    rico_free(ctx, real);
    rico_free(ctx, imag);
    return status;
}


// A window around the poles themselves: loci run far away.
static void frame(const rico_curves *points, rico_figure_panel *panel)
{
    double left = 0.0, right = 0.0, high = 0.0;
    for (int64_t s = 0; s < points->count; s++)
        for (int64_t i = 0; i < points->series[s].count; i++) {
            left = fmin(left, points->series[s].x[i]);
            right = fmax(right, points->series[s].x[i]);
            high = fmax(high, fabs(points->series[s].y[i]));
        }
    double size = fmax(right - left, fmax(high, 1e-3));
    panel->x_low = left - 0.5 * size;
    panel->x_high = right + 0.3 * size;
    panel->y_low = -high - 0.5 * size;
    panel->y_high = high + 0.5 * size;
}


rico_status rico_control_draw(const rico_control_view *view, const char *path)
{
    rico_context *ctx = view->sys->ctx;
    rico_curves size = {0}, angle = {0}, points = {0}, locus = {0};
    bool pairs = view->pairs, loop = pairs && view->sys->inputs == 1 && view->sys->outputs == 1;
    rico_status status = pairs ? add_responses(view, &size, &angle) : RICO_OK;
    if (status == RICO_OK) status = add_points(view, &points);
    if (status == RICO_OK && loop) status = add_locus(view, &locus);
    rico_figure_panel panel[4];
    int64_t count = 0;
    if (pairs) {
        panel[count++] = (rico_figure_panel){.title = "magnitude",
                                             .x_label = "frequency (rad/s)",
                                             .log_x = true,
                                             .log_y = true,
                                             .series_count = size.count,
                                             .series = size.series};
        panel[count++] = (rico_figure_panel){.title = "phase (degrees)",
                                             .x_label = "frequency (rad/s)",
                                             .log_x = true,
                                             .series_count = angle.count,
                                             .series = angle.series};
    }
    panel[count++] = (rico_figure_panel){.title = loop ? "poles and zeros" : "poles",
                                         .x_label = "real part (1/s)",
                                         .y_label = "imaginary part (rad/s)",
                                         .series_count = points.count,
                                         .series = points.series};
    if (loop) {
        panel[count] = (rico_figure_panel){.title = "root locus, negative feedback",
                                           .x_label = "real part (1/s)",
                                           .y_label = "imaginary part (rad/s)",
                                           .series_count = locus.count,
                                           .series = locus.series};
        frame(&points, &panel[count++]);
    }
    const rico_figure figure = {.title = view->title, .columns = 2, .panel_count = count, .panels = panel};
    if (status == RICO_OK) status = rico_figure_write(ctx, &figure, path);
    rico_curves *all[] = {&size, &angle, &points, &locus};
    for (int i = 0; i < 4; i++) rico_curves_release(ctx, all[i]);
    return status;
}


rico_status rico_control_write(const rico_control_view *view, const char *path)
{
    rico_context *ctx = view->sys->ctx;
    responses all;
    rico_target target;
    rico_status status = respond(view, &all);
    if (status != RICO_OK) return status;
    status = rico_target_open(ctx, path, RICO_TARGET_TABLE, &target);
    if (status == RICO_OK) {
        fprintf(target.out, "omega");
        for (int64_t p = 0; p < all.pairs; p++)
            fprintf(target.out, ",magnitude_%lld,phase_%lld", (long long)p + 1, (long long)p + 1);
        fprintf(target.out, "\n");
        for (int64_t k = 0; k < all.count; k++) {
            fprintf(target.out, "%.17g", all.omega[k]);
            for (int64_t p = 0; p < all.pairs; p++)
                fprintf(target.out, ",%.17g,%.17g", all.magnitude[p * all.count + k],
                        all.phase[p * all.count + k]);
            fprintf(target.out, "\n");
        }
        status = rico_target_close(&target, RICO_OK);
    }
    release(ctx, &all);
    return status;
}
