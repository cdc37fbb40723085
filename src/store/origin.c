// Where a result file comes from, and whether a run would be the same.

#include "store/origin.h"

#include "base/digest.h"
#include "base/file.h"
#include "base/number.h"
#include "ricochet/store.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME = 128 };


// --- what the file holds -------------------------------------------------------------------------------------

static rico_status copy_note(rico_origin *origin, const rico_results *results, const char *name, char **out)
{
    const char *text = "";
    for (int64_t i = 0; i < rico_results_note_count(results); i++) {
        const rico_note *note = rico_results_note(results, i);
        if (strcmp(note->name, name) == 0 && note->text) text = note->text;
    }
    *out = rico_alloc(origin->ctx, (int64_t)strlen(text) + 1, 1);
    if (!*out) return RICO_NO_MEMORY;
    memcpy(*out, text, strlen(text));
    return RICO_OK;
}


// Cuts the note into its lines.
static rico_status read_overrides(rico_origin *origin)
{
    int64_t count = 0;
    for (const char *c = origin->overrides; *c; c++) count += *c == '\n';
    origin->override = rico_alloc(origin->ctx, count, sizeof *origin->override);
    if (!origin->override) return RICO_NO_MEMORY;
    char *from = origin->overrides;
    for (char *end; (end = strchr(from, '\n')); from = end + 1) {
        *end = '\0';
        origin->override[origin->override_count++] = from;
    }
    return RICO_OK;
}


static rico_status read_parameters(rico_origin *origin, const rico_results *results)
{
    int64_t count = rico_results_parameter_count(results);
    origin->parameter = rico_alloc(origin->ctx, count, sizeof *origin->parameter);
    origin->value = rico_alloc(origin->ctx, count, sizeof *origin->value);
    if (!origin->parameter || !origin->value) return RICO_NO_MEMORY;
    for (int64_t i = 0; i < count; i++) {
        const rico_note *own = rico_results_parameter(results, i);
        size_t length = strlen(own->name);
        origin->parameter[i] = rico_alloc(origin->ctx, (int64_t)length + 1, 1);
        if (!origin->parameter[i]) return RICO_NO_MEMORY;
        memcpy(origin->parameter[i], own->name, length);
        origin->value[origin->parameter_count++] = own->real;
    }
    return RICO_OK;
}


// Energies of the first row: the bill of a resumed run begins with them.
static rico_status read_first(rico_origin *origin, rico_results *results)
{
    int64_t table = rico_results_find_table(results, "ledger");
    const struct {
        const char *name;
        double *into;
    } COLUMNS[] = {{"kinetic", &origin->first.kinetic},
                   {"potential", &origin->first.potential},
                   {"algorithmic", &origin->first.algorithmic}};
    if (table < 0 || rico_results_rows(results, table) < 1) return RICO_OK;
    for (int i = 0; i < 3; i++) {
        int64_t column = rico_results_find_column(results, table, COLUMNS[i].name);
        rico_status status =
            column < 0 ? RICO_OK : rico_results_read(results, table, column, 0, 1, COLUMNS[i].into);
        if (status != RICO_OK) return status;
    }
    return RICO_OK;
}


static rico_status read_all(rico_origin *origin, rico_results *results)
{
    origin->finished = rico_results_finished(results);
    origin->end = rico_results_end(results);
    rico_status status = copy_note(origin, results, "scene", &origin->scene);
    if (status == RICO_OK) status = copy_note(origin, results, "scene_path", &origin->scene_path);
    if (status == RICO_OK) status = copy_note(origin, results, "rico", &origin->version);
    if (status == RICO_OK) status = copy_note(origin, results, "files", &origin->files);
    if (status == RICO_OK) status = copy_note(origin, results, "overrides", &origin->overrides);
    if (status == RICO_OK) status = read_overrides(origin);
    if (status == RICO_OK) status = read_parameters(origin, results);
    if (status == RICO_OK) status = read_first(origin, results);
    return status;
}


rico_status rico_origin_read(rico_context *ctx, const char *path, rico_origin *out)
{
    rico_origin origin = {.ctx = ctx, .end = NAN};
    rico_results *results = NULL;
    rico_status status = rico_results_open(ctx, path, &results);
    if (status != RICO_OK) return status;
    origin.path = rico_alloc(ctx, (int64_t)strlen(path) + 1, 1);
    if (origin.path) memcpy(origin.path, path, strlen(path));
    status = origin.path ? read_all(&origin, results) : RICO_NO_MEMORY;
    rico_results_destroy(results);
    if (status != RICO_OK) {
        rico_origin_release(&origin);
        return status;
    }
    *out = origin;
    return RICO_OK;
}


void rico_origin_release(rico_origin *origin)
{
    rico_context *ctx = origin->ctx;
    if (!ctx) return;
    char *const texts[] = {origin->path,    origin->scene, origin->scene_path,
                           origin->version, origin->files, origin->overrides};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) rico_free(ctx, texts[i]);
    for (int64_t i = 0; i < origin->parameter_count; i++) rico_free(ctx, origin->parameter[i]);
    rico_free(ctx, origin->override);
    rico_free(ctx, origin->parameter);
    rico_free(ctx, origin->value);
    *origin = (rico_origin){0};
}


// --- comparing -----------------------------------------------------------------------------------------------

// Length of a line without the blanks at its end.
static size_t line_length(const char *line)
{
    size_t length = strcspn(line, "\n");
    while (length > 0 && strchr(" \t\r", line[length - 1])) length--;
    return length;
}


int64_t rico_origin_compare(const char *held_text, const char *now_text, char held[RICO_ORIGIN_LINE],
                            char now[RICO_ORIGIN_LINE])
{
    const char *a = held_text, *b = now_text;
    for (int64_t line = 1; *a || *b; line++) {
        size_t of_a = line_length(a), of_b = line_length(b);
        if (of_a != of_b || memcmp(a, b, of_a) != 0) {
            snprintf(held, RICO_ORIGIN_LINE, "%.*s", (int)of_a, a);
            snprintf(now, RICO_ORIGIN_LINE, "%.*s", (int)of_b, b);
            return line;
        }
        a += strcspn(a, "\n");
        b += strcspn(b, "\n");
        a += *a == '\n';
        b += *b == '\n';
    }
    return 0;
}


static rico_status check_scene(const rico_origin *origin, const char *scene_path)
{
    char *text = NULL, held[RICO_ORIGIN_LINE], now[RICO_ORIGIN_LINE];
    size_t length;
    rico_status status = rico_file_load(origin->ctx, scene_path, &text, &length);
    if (status != RICO_OK) return status;
    int64_t line = rico_origin_compare(origin->scene, text, held, now);
    rico_free(origin->ctx, text);
    if (line == 0) return RICO_OK;
    return rico_fail(origin->ctx, RICO_BAD_INPUT,
                     "%s:%lld: the run in '%s' was started with '%s' in this line, which is '%s' now; "
                     "'rico run %s --resume' goes on with the scene that it holds",
                     scene_path, (long long)line, origin->path, held, now, origin->path);
}


// Value of the last setting of that name; NULL without one.
static const char *held_value(const rico_origin *origin, const char *name)
{
    size_t length = strlen(name);
    for (int64_t i = origin->override_count - 1; i >= 0; i--)
        if (strncmp(origin->override[i], name, length) == 0 && origin->override[i][length] == '=')
            return origin->override[i] + length + 1;
    return NULL;
}


static bool same_value(const char *a, const char *b)
{
    double x, y;
    return strcmp(a, b) == 0 || (rico_text_to_real(a, &x) && rico_text_to_real(b, &y) && x == y);
}


// A parameter may be given as a formula: what it comes to in the scene of the file counts.
static rico_status check_parameter(const rico_origin *origin, const char *override, const char *name,
                                   bool *known)
{
    rico_context *ctx = origin->ctx;
    rico_scene *scene = NULL;
    const char **all = rico_alloc(ctx, origin->override_count + 1, sizeof *all);
    if (!all) return RICO_NO_MEMORY;
    for (int64_t i = 0; i < origin->override_count; i++) all[i] = origin->override[i];
    all[origin->override_count] = override;
    rico_status status =
        rico_scene_parse(ctx, origin->scene_path, origin->scene, (int64_t)strlen(origin->scene),
                         origin->override_count + 1, all, NULL, 0, &scene);
    rico_free(ctx, all);
    if (status != RICO_OK) return status;
    const rico_parameters *now = rico_scene_parameters(scene);
    for (int64_t i = 0; status == RICO_OK && i < now->count; i++) {
        if (strcmp(now->symbol[i].name, name) != 0) continue;
        for (int64_t k = 0; k < origin->parameter_count; k++) {
            if (strcmp(origin->parameter[k], name) != 0) continue;
            *known = true;
            if (origin->value[k] != now->symbol[i].value)
                status = rico_fail(ctx, RICO_BAD_INPUT,
                                   "'%s': parameter %s is %.15g in the file, %.15g now; --resume without "
                                   "'--set %s' goes on with what the file holds",
                                   origin->path, name, origin->value[k], now->symbol[i].value, override);
        }
    }
    rico_scene_destroy(scene);
    return status;
}


static rico_status check_override(const rico_origin *origin, const char *override)
{
    char name[NAME];
    size_t length = strcspn(override, "=");
    if (override[length] != '=' || length >= sizeof name) length = 0;
    snprintf(name, sizeof name, "%.*s", (int)length, override);
    const char *held = held_value(origin, name), *now = override + length + (override[length] == '=');
    if (held && same_value(held, now)) return RICO_OK;
    bool known = false;
    rico_status status = check_parameter(origin, override, name, &known);
    if (status != RICO_OK || known) return status;
    return rico_fail(
        origin->ctx, RICO_BAD_INPUT,
        "'%s': %s is %s in the file, %s now; --resume without '--set %s' goes on with what the file "
        "holds",
        origin->path, name, held ? held : "as the scene says", now, override);
}


rico_status rico_origin_check(const rico_origin *origin, const char *scene_path, int64_t override_count,
                              const char *const *overrides)
{
    if (strcmp(origin->version, rico_version()) != 0)
        return rico_fail(
            origin->ctx, RICO_BAD_INPUT,
            "'%s': was started by rico %s, this is rico %s, which may not give the same numbers; go "
            "on with the former, or begin anew",
            origin->path, origin->version[0] ? origin->version : "of unknown version", rico_version());
    rico_status status = scene_path ? check_scene(origin, scene_path) : RICO_OK;
    for (int64_t i = 0; status == RICO_OK && i < override_count; i++)
        status = check_override(origin, overrides[i]);
    return status;
}


// --- files ---------------------------------------------------------------------------------------------------

// "model.h5:/beam/K" is model.h5.
static size_t file_length(const char *path)
{
    static const char *const INSIDE[] = {".h5:", ".hdf5:"};
    for (int i = 0; i < 2; i++) {
        const char *at = strstr(path, INSIDE[i]);
        if (at) return (size_t)(at - path) + strlen(INSIDE[i]) - 1;
    }
    return strlen(path);
}


void rico_origin_list_files(const rico_scene *scene, rico_text *out)
{
    const char *path;
    for (int64_t i = 0; (path = rico_scene_file(scene, i)) != NULL; i++) {
        rico_text name = {.ctx = out->ctx};
        uint64_t digest = 0;
        int64_t size = 0;
        rico_text_add(&name, "%.*s", (int)file_length(path), path);
        // it was read a moment ago; should it be gone by now, that is a difference too
        if (name.data) (void)rico_digest_file(out->ctx, name.data, &digest, &size);
        rico_text_add(out, "%016" PRIx64 " %" PRId64 " %s\n", digest, size, name.data ? name.data : "");
        rico_free(out->ctx, name.data);
    }
}


// The path in a line of such a list. The file may be reached another way than when the run was started: its last part
// is what counts.
static const char *listed_path(const char *line)
{
    const char *path = line;
    for (int i = 0; i < 2 && path; i++) path = strchr(path, ' ') ? strchr(path, ' ') + 1 : NULL;
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : path ? path : line;
}


rico_status rico_origin_check_files(const rico_origin *origin, const rico_scene *scene)
{
    rico_text now = {.ctx = origin->ctx};
    rico_origin_list_files(scene, &now);
    rico_status status = now.status;
    const char *a = origin->files, *b = now.data ? now.data : "";
    while (status == RICO_OK && (*a || *b)) {
        char held[512], own[512];
        snprintf(held, sizeof held, "%.*s", (int)strcspn(a, "\n"), a);
        snprintf(own, sizeof own, "%.*s", (int)strcspn(b, "\n"), b);
        size_t numbers = (size_t)(strcspn(own, " ") + 1);
        numbers += strcspn(own + (numbers < strlen(own) ? numbers : strlen(own)), " ");
        if (strncmp(held, own, numbers) != 0 || strcmp(listed_path(held), listed_path(own)) != 0)
            status =
                rico_fail(origin->ctx, RICO_BAD_INPUT,
                          "'%s': the file '%s', which the scene reads, is not what it was when the run was "
                          "started; put it back, or begin anew",
                          origin->path, listed_path(*b ? own : held));
        a += strcspn(a, "\n") + (strchr(a, '\n') != NULL);
        b += strcspn(b, "\n") + (strchr(b, '\n') != NULL);
    }
    rico_free(origin->ctx, now.data);
    return status;
}
