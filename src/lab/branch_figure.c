// The picture of branches of orbits: the measure and the largest multiplier over the parameter.

#include "draw/curves.h"
#include "lab/branch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double JUMP = 0.3;     // between neighbours, over the span of all marks: no line
enum { SPECIAL = RICO_POINTS - 2 }; // kinds that have a mark of their own: all but ordinary points and ends


static rico_status add(rico_context *ctx, rico_curves *curves, const char *label, int64_t count, double *x,
                       double *y, rico_series_style style, int colour, int dashed)
{
    rico_status status = rico_curves_add(ctx, curves, label, count, x, y);
    if (status != RICO_OK) return status;
    rico_figure_series *series = &curves->series[curves->count - 1];
    series->style = style;
    series->colour = colour;
    series->dashed = dashed;
    series->words = true;
    return RICO_OK;
}


static bool arrays(rico_context *ctx, int64_t count, double **x, double **y)
{
    *x = rico_alloc(ctx, count, sizeof **x);
    *y = rico_alloc(ctx, count, sizeof **y);
    if (*x && *y) return true;
    rico_free(ctx, *x);
    rico_free(ctx, *y);
    return false;
}


// How far apart the marks of all branches are.
static double span_of(const rico_branches *all)
{
    double low = INFINITY, high = -INFINITY;
    for (int64_t i = 0; i < all->count; i++)
        for (int64_t k = 0; k < all->point[i].marks; k++) {
            low = fmin(low, all->point[i].mark[k]);
            high = fmax(high, all->point[i].mark[k]);
        }
    return high - low;
}


// Mark k (-1: the growth) of one branch where it is stable, or is not. Lines break where it is the other, and where marks come or go.
static rico_status add_line(const rico_branches *all, int64_t branch, int64_t k, bool stable,
                            const char *label, rico_curves *curves)
{
    double *x, *y, jump = k < 0 ? INFINITY : JUMP * span_of(all), before = NAN;
    int64_t shown = 0, count = 0, marks = -1;
    if (!arrays(all->ctx, 2 * all->count, &x, &y)) return RICO_NO_MEMORY;
    for (int64_t i = 0; i < all->count; i++) {
        const rico_branch_point *point = &all->point[i];
        if (point->branch != branch) continue;
        bool meets =
            point->kind >= RICO_POINT_FOLD && point->kind <= RICO_POINT_CROSSING; // both parts have the point
        bool here = (meets || point->stable == stable) && (k < 0 || k < point->marks);
        double now = here ? (k < 0 ? point->growth : point->mark[k]) : NAN;
        // other marks, or an impact has passed the phase at which they are taken: no line between
        if ((marks >= 0 && marks != point->marks && k >= 0) || fabs(now - before) > jump) {
            x[count] = y[count] = NAN;
            count++;
        }
        marks = point->marks;
        before = now;
        x[count] = point->value;
        y[count++] = now;
        shown += isfinite(now);
    }
    if (shown < 2) {
        rico_free(all->ctx, x);
        rico_free(all->ctx, y);
        return RICO_OK;
    }
    return add(all->ctx, curves, label, count, x, y, RICO_SERIES_LINE, stable ? 1 : 2, stable ? 0 : 1);
}


static rico_status add_special(const rico_branches *all, rico_orbit_point kind, bool growth,
                               rico_curves *curves)
{
    double *x, *y;
    int64_t count = 0, most = 0;
    for (int64_t i = 0; i < all->count; i++)
        if (all->point[i].kind == (int64_t)kind) most += growth ? 1 : all->point[i].marks;
    if (most == 0) return RICO_OK;
    if (!arrays(all->ctx, most, &x, &y)) return RICO_NO_MEMORY;
    for (int64_t i = 0; i < all->count; i++) {
        const rico_branch_point *point = &all->point[i];
        if (point->kind != (int64_t)kind) continue;
        for (int64_t k = 0; k < (growth ? 1 : point->marks); k++) {
            x[count] = point->value;
            y[count++] = growth ? point->growth : point->mark[k];
        }
    }
    return add(all->ctx, curves, growth ? "" : rico_orbit_point_name(kind), count, x, y, RICO_SERIES_POINTS,
               2 + (int)kind, 0);
}


static rico_status add_brute(const rico_brute *brute, rico_curves *curves)
{
    double *x, *y;
    if (!brute || brute->count == 0) return RICO_OK;
    if (!arrays(brute->ctx, brute->count, &x, &y)) return RICO_NO_MEMORY;
    memcpy(x, brute->value, (size_t)brute->count * sizeof *x);
    memcpy(y, brute->mark, (size_t)brute->count * sizeof *y);
    return add(brute->ctx, curves, "simulations", brute->count, x, y, RICO_SERIES_POINTS, -1, 0);
}


static rico_status gather(const rico_branches *all, bool growth, rico_curves *curves)
{
    rico_status status = RICO_OK;
    bool named[2] = {false};
    for (int64_t b = 0; status == RICO_OK && b < all->branches; b++)
        for (int64_t k = growth ? -1 : 0; status == RICO_OK && k < (growth ? 0 : RICO_BRANCH_MARKS); k++)
            for (int stable = 1; status == RICO_OK && stable >= 0; stable--) {
                int64_t before = curves->count;
                status = add_line(all, b, k, stable,
                                  growth || named[stable] ? ""
                                  : stable                ? "stable"
                                                          : "unstable",
                                  curves);
                named[stable] |= curves->count > before;
            }
    for (int kind = RICO_POINT_FOLD; status == RICO_OK && kind <= SPECIAL; kind++)
        status = add_special(all, (rico_orbit_point)kind, growth, curves);
    return status;
}


// Large multipliers would hide what happens at 1.
static double highest(const rico_branches *all)
{
    double most = 1.5;
    for (int64_t i = 0; i < all->count; i++) most = fmax(most, fmin(4.0, all->point[i].growth));
    return most;
}


rico_status rico_branches_draw(const rico_branches *branches, const rico_brute *brute,
                               const rico_branch_order *order, const char *path)
{
    rico_curves states = {0}, growths = {0};
    char measure[RICO_SCENE_NAME], title[64];
    rico_orbit_search search = branches->search;
    double *x, *y;
    rico_orbit_search_name_of(&search, branches->measure, measure);
    rico_status status = add_brute(brute, &states);
    if (status == RICO_OK) status = gather(branches, false, &states);
    if (status == RICO_OK && arrays(branches->ctx, 2, &x, &y)) {
        x[0] = order->low;
        x[1] = order->high;
        y[0] = y[1] = 1.0;
        status = add(branches->ctx, &growths, "", 2, x, y, RICO_SERIES_LINE, -1, 0);
    }
    if (status == RICO_OK) status = gather(branches, true, &growths);
    bool driven = rico_scene_family_systems(search.family)->period != NULL;
    const char *over = order->where.over_period ? "period" : order->where.parameter;
    snprintf(title, sizeof title,
             driven ? "orbits, once in each period of the driving" : "maxima along the orbits");
    rico_figure_panel panels[] = {{.title = title,
                                   .x_label = over,
                                   .y_label = measure,
                                   .x_low = order->low,
                                   .x_high = order->high,
                                   .series_count = states.count,
                                   .series = states.series},
                                  {.title = "largest multiplier",
                                   .x_label = over,
                                   .y_label = "modulus",
                                   .x_low = order->low,
                                   .x_high = order->high,
                                   .y_low = 0.0,
                                   .y_high = highest(branches),
                                   .series_count = growths.count,
                                   .series = growths.series}};
    rico_figure figure = {.title = rico_scene_title(rico_scene_family_scene(search.family)),
                          .columns = 1,
                          .panel_count = 2,
                          .panels = panels,
                          .look = {.width = 160.0, .height = 170.0}};
    if (status == RICO_OK) status = rico_figure_write(branches->ctx, &figure, path);
    rico_curves_release(branches->ctx, &states);
    rico_curves_release(branches->ctx, &growths);
    return status;
}
