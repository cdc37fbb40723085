// A sweep from its words to its table: checks before anything runs, the description beside the table, the pictures.

#include "lab/sweep.h"

#include "base/file.h"
#include "base/paths.h"
#include "base/replace_file.h"
#include "base/text.h"
#include "lab/sweep_draw.h"
#include "scene/scene.h"
#include "store/origin.h"

#include <string.h>
#include <unistd.h>


// All that the runs have in common, as text: the scene, settings, points, other files, the program.
static rico_status describe(const rico_sweep *sweep, rico_text *out)
{
    rico_context *ctx = sweep->ctx;
    const rico_sweep_order *order = sweep->order;
    char *text = NULL;
    rico_swept swept;
    size_t length;
    int64_t count;
    rico_scene *scene = NULL;
    const char **overrides = rico_sweep_overrides(ctx, sweep, 0, swept, &count);
    if (!overrides) return RICO_NO_MEMORY;
    // a mistake in the scene or a name would cost every cell: the first one's scene is read before anything runs
    rico_status status = rico_scene_load(ctx, order->scene, count, overrides, NULL, 0, &scene);
    if (status == RICO_OK) status = rico_file_load(ctx, order->scene, &text, &length);
    if (status == RICO_OK) {
        rico_text_add(out, "%s%s", text, length > 0 && text[length - 1] != '\n' ? "\n" : "");
        for (int64_t i = 0; i < order->set_count; i++) rico_text_add(out, "# --set %s\n", order->set[i]);
        if (sweep->points.column_count > 0)
            rico_text_add(out, "# --section %s --after %s\n", order->section, sweep->points.after);
        rico_text files = {.ctx = ctx};
        rico_origin_list_files(scene, &files);
        for (const char *at = files.data; at && *at; at += strcspn(at, "\n") + 1)
            rico_text_add(out, "# file %.*s\n", (int)strcspn(at, "\n"), at);
        rico_text_add(out, "# rico %s\n", rico_version());
        status = files.status != RICO_OK ? files.status : out->status;
        rico_free(ctx, files.data);
    }
    rico_scene_destroy(scene);
    rico_free(ctx, text);
    rico_free(ctx, overrides);
    return status;
}


// The description stands beside the table: a sweep can only be resumed if it is the same.
static rico_status check_same(const rico_sweep *sweep, const char *now)
{
    rico_context *ctx = sweep->ctx;
    char *held = NULL, line_held[RICO_ORIGIN_LINE], line_now[RICO_ORIGIN_LINE];
    size_t size;
    bool described = access(sweep->note, F_OK) == 0;
    if (!described && access(sweep->table, F_OK) == 0)
        return rico_fail(ctx, RICO_BAD_INPUT,
                         "'%s' is there without '%s', which says what it is of; choose another --output",
                         sweep->table, sweep->note);
    if (!described) return rico_replace_file(ctx, sweep->note, now, (int64_t)strlen(now));
    rico_status status = rico_file_load(ctx, sweep->note, &held, &size);
    int64_t line = status == RICO_OK ? rico_origin_compare(held, now, line_held, line_now) : 0;
    rico_free(ctx, held);
    if (line == 0) return status;
    return rico_fail(
        ctx, RICO_BAD_INPUT,
        "'%s' holds a sweep of another scene or with other settings: line %lld of '%s' is '%s', and '%s' "
        "now; choose another --output",
        sweep->order->dir, (long long)line, sweep->note, line_held, line_now);
}


// The grid, its measures and points, from their words.
static rico_status make_grid(rico_sweep *sweep)
{
    const rico_sweep_order *order = sweep->order;
    rico_status status = RICO_OK;
    if (order->over_count == 0)
        status = rico_fail(sweep->ctx, RICO_BAD_ARGUMENT, "option '--over' is needed: what to sweep over");
    for (int64_t i = 0; status == RICO_OK && i < order->over_count; i++)
        status = rico_sweep_add_axis(&sweep->grid, order->over[i]);
    for (int64_t i = 0; status == RICO_OK && i < order->measure_count; i++)
        status = rico_sweep_add_measure(&sweep->grid, order->measure[i]);
    if (status == RICO_OK && order->measure_count == 0 && order->point_count == 0)
        status = rico_sweep_add_measure(&sweep->grid, "energy:last");
    if (status == RICO_OK) status = rico_sweep_make_cells(&sweep->grid);
    if (status == RICO_OK)
        status = rico_points_ask(&sweep->points, &sweep->grid, order->point_count, order->points,
                                 order->section, order->after);
    return status;
}


// Tables as they are, whole: what a kill left of a last line goes.
static rico_status load_tables(rico_sweep *sweep)
{
    bool points = sweep->points.column_count > 0;
    rico_status status = rico_sweep_load(&sweep->grid, sweep->table);
    if (status == RICO_OK) status = rico_sweep_save(&sweep->grid, sweep->table);
    if (status == RICO_OK && points) status = rico_points_load(&sweep->points, sweep->cloud);
    if (status == RICO_OK && points) status = rico_points_save(&sweep->points, sweep->cloud);
    return status;
}


static rico_status prepare(rico_sweep *sweep)
{
    rico_context *ctx = sweep->ctx;
    const char *dir = sweep->order->dir;
    rico_text now = {.ctx = ctx};
    rico_status status = make_grid(sweep);
    if (status == RICO_OK) status = describe(sweep, &now);
    bool there = rico_path_is_folder(dir);
    if (status == RICO_OK) status = rico_path_make_folder(ctx, dir);
    if (status == RICO_OK) status = rico_path_join(ctx, dir, "sweep.csv", &sweep->table);
    if (status == RICO_OK) status = rico_path_join(ctx, dir, "sweep.yaml", &sweep->note);
    if (status == RICO_OK) status = rico_path_join(ctx, dir, "points.csv", &sweep->cloud);
    if (status == RICO_OK) status = rico_sweep_check_columns(sweep);
    if (status != RICO_OK && !there) rmdir(dir); // bad usage leaves no trace
    if (status == RICO_OK) status = check_same(sweep, now.data);
    if (status == RICO_OK) status = load_tables(sweep);
    rico_free(ctx, now.data);
    return status;
}


// Draws the sweep or its points; *path stays NULL where nothing was.
static rico_status draw(rico_sweep *sweep, bool dots, char **path)
{
    rico_context *ctx = sweep->ctx;
    bool drawn = false;
    if (!sweep->order->figures || rico_context_interrupted(ctx)) return RICO_OK;
    rico_status status = rico_path_join(ctx, sweep->order->dir, dots ? "points.svg" : "sweep.svg", path);
    if (status == RICO_OK)
        status = dots ? rico_points_draw(&sweep->points, *path, &drawn)
                      : rico_sweep_draw(&sweep->grid, *path, &drawn);
    if (drawn) return status;
    rico_free(ctx, *path);
    *path = NULL;
    return status;
}


static rico_status finish(rico_sweep *sweep)
{
    bool points = sweep->points.column_count > 0;
    rico_status status = rico_sweep_save(&sweep->grid, sweep->table); // in order now
    if (status == RICO_OK && points) status = rico_points_save(&sweep->points, sweep->cloud);
    if (status == RICO_OK && sweep->grid.measure_count > 0) status = draw(sweep, false, &sweep->figure);
    if (status == RICO_OK && points) status = draw(sweep, true, &sweep->cloud_figure);
    return status;
}


rico_status rico_sweep_run(rico_context *ctx, const rico_sweep_order *order, rico_sweep *sweep)
{
    *sweep = (rico_sweep){.ctx = ctx, .order = order, .grid = {.ctx = ctx}};
    rico_status status = prepare(sweep);
    if (status == RICO_OK) status = rico_sweep_run_cells(sweep);
    return status == RICO_OK ? finish(sweep) : status;
}


void rico_sweep_close(rico_sweep *sweep)
{
    rico_points_release(&sweep->points);
    rico_sweep_release(&sweep->grid);
    void *const all[] = {sweep->table,  sweep->note,         sweep->cloud,
                         sweep->figure, sweep->cloud_figure, sweep->cell};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(sweep->ctx, all[i]);
}
