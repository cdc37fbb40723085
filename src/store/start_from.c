// Starting a scene from a state of another run.

#include "store/start_from.h"

#include "ricochet/store.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The state table of the other run.
typedef struct source {
    rico_context *ctx;
    const char *path;
    rico_results *results;
    int64_t table, t, q, v, rows;
} source;


static const char *note_of(const rico_results *results, const char *name)
{
    for (int64_t i = 0; i < rico_results_note_count(results); i++) {
        const rico_note *note = rico_results_note(results, i);
        if (strcmp(note->name, name) == 0 && note->text) return note->text;
    }
    return "";
}


// Names, one a line, against those of the scene.
static rico_status check_names(const source *from, const char *what, const char *names,
                               const rico_scene *scene, int64_t count, bool velocity)
{
    for (int64_t i = 0, run = 1; i < count || *names; i += run) {
        char own[RICO_SCENE_NAME] = "nothing", other[RICO_SCENE_NAME];
        size_t length = strcspn(names, "\n");
        if (i < count) run = rico_scene_name_run(scene, i, velocity, own);
        snprintf(other, sizeof other, "%.*s", (int)length, *names ? names : "nothing");
        if (strcmp(own, other) != 0)
            return rico_fail(
                from->ctx, RICO_BAD_INPUT,
                "'%s': %s %lld is '%s' there and '%s' in the scene: one cannot start from the other",
                from->path, what, (long long)i, other, own);
        names += length + (names[length] == '\n');
    }
    return RICO_OK;
}


static rico_status open_source(source *from, const rico_scene *scene, rico_system *system)
{
    rico_status status = rico_results_open(from->ctx, from->path, &from->results);
    if (status != RICO_OK) return status;
    from->table = rico_results_find_table(from->results, "state");
    if (from->table >= 0) {
        from->t = rico_results_find_column(from->results, from->table, "t");
        from->q = rico_results_find_column(from->results, from->table, "q");
        from->v = rico_results_find_column(from->results, from->table, "v");
        from->rows = rico_results_rows(from->results, from->table);
    }
    if (from->table < 0 || from->t < 0 || from->q < 0 || from->v < 0 || from->rows < 1)
        return rico_fail(from->ctx, RICO_BAD_INPUT, "'%s': holds no states of a run", from->path);
    status = check_names(from, "position", note_of(from->results, "positions"), scene,
                         rico_system_positions(system), false);
    if (status == RICO_OK)
        status = check_names(from, "velocity", note_of(from->results, "velocities"), scene,
                             rico_system_velocities(system), true);
    return status;
}


static rico_status time_of(const source *from, int64_t row, double *t)
{
    return rico_results_read(from->results, from->table, from->t, row, 1, t);
}


// Times ascend: halving finds the first row that is not before t.
static rico_status find_row(const source *from, double t, int64_t *row)
{
    double first, last, at, before;
    rico_status status = time_of(from, 0, &first);
    if (status == RICO_OK) status = time_of(from, from->rows - 1, &last);
    if (status != RICO_OK) return status;
    double close = 1e-9 * fmax(last - first, fabs(last));
    int64_t low = 0, high = from->rows - 1;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        status = time_of(from, middle, &at);
        if (status != RICO_OK) return status;
        if (at < t - close)
            low = middle + 1;
        else
            high = middle;
    }
    status = time_of(from, low, &at);
    if (status == RICO_OK) status = time_of(from, low > 0 ? low - 1 : 0, &before);
    if (status != RICO_OK) return status;
    *row = low;
    if (fabs(at - t) <= close) return RICO_OK;
    return rico_fail(from->ctx, RICO_BAD_ARGUMENT,
                     "'%s': has no row at t = %.15g; the nearest are at %.15g and %.15g", from->path, t,
                     before, at);
}


static rico_status start(const source *from, double t, const rico_scene *scene, rico_simulation *sim,
                         rico_system *system, rico_text *note)
{
    int64_t row = from->rows - 1, nq = rico_system_positions(system), nv = rico_system_velocities(system);
    rico_status status = isnan(t) ? RICO_OK : find_row(from, t, &row);
    double at = 0.0, *q = rico_alloc(from->ctx, nq, sizeof *q), *v = rico_alloc(from->ctx, nv, sizeof *v);
    if (status == RICO_OK && (!q || !v)) status = RICO_NO_MEMORY;
    if (status == RICO_OK) status = time_of(from, row, &at);
    if (status == RICO_OK) status = rico_results_read(from->results, from->table, from->q, row, 1, q);
    if (status == RICO_OK) status = rico_results_read(from->results, from->table, from->v, row, 1, v);
    if (status == RICO_OK) status = rico_simulation_start(sim, rico_scene_times(scene).start, q, v);
    if (status == RICO_OK) rico_text_add(note, "%s at t = %.15g\n", from->path, at);
    rico_free(from->ctx, q);
    rico_free(from->ctx, v);
    return status;
}


rico_status rico_start_from(rico_context *ctx, const char *path, double t, rico_scene *scene,
                            rico_simulation *sim, rico_text *note)
{
    source from = {.ctx = ctx, .path = path};
    rico_system *system = rico_scene_system(scene);
    rico_status status = open_source(&from, scene, system);
    if (status == RICO_OK) status = start(&from, t, scene, sim, system, note);
    rico_results_destroy(from.results);
    return status == RICO_OK ? note->status : status;
}
