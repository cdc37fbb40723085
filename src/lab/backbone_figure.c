// The energy-frequency picture of backbones.

#include "draw/curves.h"
#include "lab/backbone.h"

#include <math.h>
#include <stdio.h>

static const double HIGHEST =
    1e3; // times the largest energy of a linear mode that grazes: more hides the rest


static double highest(const rico_backbones *all, const rico_modes *modes)
{
    double most = 0.0, shortest = INFINITY;
    for (int64_t b = 0; b < all->count; b++)
        for (int64_t i = 0; i < all->branch[b].count; i++)
            shortest = fmin(shortest, all->branch[b].orbit[i].period);
    for (int64_t j = 0; j < rico_modes_count(modes); j++) {
        double energy = rico_modes_grazing_energy(modes, j);
        double period = 2.0 * acos(-1.0) / rico_modes_frequencies(modes)[j];
        if (isfinite(energy) && (period >= 0.9 * shortest || j == 0)) most = fmax(most, energy);
    }
    return HIGHEST * most;
}


// The stable, or unstable, orbits of a branch; the others are gaps in the line. Where they meet, both have the point.
static rico_status add_part(const rico_backbones *all, const rico_backbone *branch, bool stable, double limit,
                            const char *label, rico_curves *curves)
{
    double *x = rico_alloc(all->ctx, branch->count, sizeof *x),
           *y = rico_alloc(all->ctx, branch->count, sizeof *y);
    if (!x || !y) {
        rico_free(all->ctx, x);
        rico_free(all->ctx, y);
        return RICO_NO_MEMORY;
    }
    int64_t shown = 0;
    for (int64_t i = 0; i < branch->count; i++) {
        const rico_modes_orbit *orbit = &branch->orbit[i];
        bool here = rico_backbone_is_stable(branch, i) == stable;
        if (i > 0) here = here || rico_backbone_is_stable(branch, i - 1) == stable;
        x[i] = 2.0 * acos(-1.0) / orbit->period;
        y[i] = here && orbit->energy <= limit ? orbit->energy : NAN;
        if (isfinite(y[i])) shown++;
    }
    if (shown < 2) {
        rico_free(all->ctx, x);
        rico_free(all->ctx, y);
        return RICO_OK;
    }
    rico_status status = rico_curves_add(all->ctx, curves, label, branch->count, x, y);
    if (status != RICO_OK) return status;
    rico_figure_series *series = &curves->series[curves->count - 1];
    series->colour = (int)((branch->impacts - 1) % 8) + 1;
    series->dashed = stable ? 0 : 2;
    series->words = true;
    return RICO_OK;
}


static rico_status add_linear(const rico_backbones *all, const rico_modes *modes, double low, double high,
                              rico_curves *curves)
{
    int64_t n = rico_modes_count(modes), count = 0;
    double *x = rico_alloc(all->ctx, n, sizeof *x), *y = rico_alloc(all->ctx, n, sizeof *y);
    for (int64_t j = 0; x && y && j < n; j++) {
        double omega = rico_modes_frequencies(modes)[j], energy = rico_modes_grazing_energy(modes, j);
        if (!isfinite(energy) || omega < 0.95 * low || omega > 1.05 * high) continue;
        x[count] = omega;
        y[count++] = energy;
    }
    if (!x || !y || count == 0) {
        rico_free(all->ctx, x);
        rico_free(all->ctx, y);
        return x && y ? RICO_OK : RICO_NO_MEMORY;
    }
    rico_status status = rico_curves_add(all->ctx, curves, "linear modes that graze", count, x, y);
    if (status != RICO_OK) return status;
    curves->series[curves->count - 1].style = RICO_SERIES_POINTS;
    curves->series[curves->count - 1].colour = -1;
    curves->series[curves->count - 1].words = true;
    return RICO_OK;
}


rico_status rico_backbones_draw(const rico_backbones *all, const rico_modes *modes, const char *title,
                                const char *path)
{
    rico_curves curves = {0};
    rico_status status = RICO_OK;
    double limit = highest(all, modes), low = INFINITY, high = 0.0;
    bool named[RICO_MODES_IMPACTS + 1] = {false};
    for (int64_t b = 0; b < all->count; b++)
        for (int64_t i = 0; i < all->branch[b].count; i++) {
            low = fmin(low, 2.0 * acos(-1.0) / all->branch[b].orbit[i].period);
            high = fmax(high, 2.0 * acos(-1.0) / all->branch[b].orbit[i].period);
        }
    // stable parts first: the legend names each number of impacts once, by a stable part where there is one
    for (int stable = 1; stable >= 0; stable--)
        for (int64_t b = 0; status == RICO_OK && b < all->count; b++) {
            const rico_backbone *branch = &all->branch[b];
            char label[64] = "";
            int64_t before = curves.count;
            if (!named[branch->impacts])
                snprintf(label, sizeof label, "%lld impact%s", (long long)branch->impacts,
                         branch->impacts == 1 ? "" : "s");
            status = add_part(all, branch, stable, limit, label, &curves);
            if (curves.count > before) named[branch->impacts] = true;
        }
    if (status == RICO_OK) status = add_linear(all, modes, low, high, &curves);
    rico_figure_panel panel = {.title = "impacts per period; dotted: unstable",
                               .x_label = "frequency",
                               .y_label = "energy",
                               .log_y = true,
                               .series_count = curves.count,
                               .series = curves.series};
    const rico_figure figure = {.title = title, .panel_count = 1, .panels = &panel};
    if (status == RICO_OK) status = rico_figure_write(all->ctx, &figure, path);
    rico_curves_release(all->ctx, &curves);
    return status;
}
