// The scene of a model, from its head to its end.

#include "import/write.h"

#include <stdlib.h>
#include <string.h>

void rico_write_list(rico_text *text, const double *x, int count)
{
    for (int i = 0; i < count; i++) rico_text_add(text, "%s%.17g", i == 0 ? "[" : ", ", x[i]);
    rico_text_add(text, "]");
}


void rico_write_frame(rico_text *text, const rico_frame_in *frame)
{
    if (frame->p[0] != 0.0 || frame->p[1] != 0.0 || frame->p[2] != 0.0) {
        rico_text_add(text, ", position: ");
        rico_write_list(text, frame->p, 3);
    }
    if (frame->q[1] != 0.0 || frame->q[2] != 0.0 || frame->q[3] != 0.0) {
        rico_text_add(text, ", rotation: {quaternion: ");
        rico_write_list(text, frame->q, 4);
        rico_text_add(text, "}");
    }
}


// One line, whatever the words hold.
static void write_plain(rico_text *text, const char *words, bool quoted)
{
    for (const char *c = words; *c; c++) {
        unsigned char u = (unsigned char)*c;
        if (u < 32 || u == 127)
            rico_text_add(text, " ");
        else if (quoted && (u == '"' || u == '\\'))
            rico_text_add(text, "\\%c", *c);
        else
            rico_text_add(text, "%c", *c);
    }
}


// Files as the scene will find them: beside the model, or by their whole path.
static rico_status name_files(rico_import *import)
{
    const char *slash = strrchr(import->path, '/');
    size_t folder = slash ? (size_t)(slash - import->path) + 1 : 0;
    for (int64_t g = 0; g < import->geom_count; g++) {
        rico_import_geom *geom = &import->geom[g];
        if (!geom->path) continue;
        if (strpbrk(geom->path, "\"\\\n\r\t"))
            return rico_element_fail(import->ctx, geom->from,
                                     "names a file with quotes or control characters");
        bool inside = strncmp(geom->path, import->path, folder) == 0 && geom->path[0] != '/';
        if (!import->options->folder && (inside || folder > 0) &&
            strncmp(geom->path, import->path, folder) == 0) {
            geom->path += folder;
            continue;
        }
        char *whole = realpath(geom->path, NULL);
        if (whole) geom->path = rico_arena_text(&import->arena, "%s", whole);
        free(whole);
        if (!geom->path) return RICO_NO_MEMORY;
    }
    return RICO_OK;
}


// Meshes are there, and have a hull.
static rico_status check_meshes(rico_import *import)
{
    rico_status status = RICO_OK;
    for (int64_t g = 0; status == RICO_OK && g < import->geom_count; g++) {
        rico_shape *shape = NULL;
        if (import->geom[g].kind != RICO_GEOM_MESH || !import->geom[g].touches) continue;
        status = rico_geom_shape(import, &import->geom[g], &shape);
        rico_shape_destroy(shape);
    }
    return status;
}


static void write_head(rico_writing *writing)
{
    const rico_import *import = writing->import;
    rico_text *text = &writing->text;
    rico_text_add(text, "# Imported from %s, ", import->format);
    write_plain(text, import->path, false);
    rico_text_add(text, "\n");
    for (const rico_warning *w = import->first_warning; w; w = w->next) {
        rico_text_add(text, "#   line %lld: <", (long long)w->from->line);
        write_plain(text, w->from->name, false);
        rico_text_add(text, "> ");
        write_plain(text, w->text, false);
        if (w->count > 1) rico_text_add(text, " (%lld times)", (long long)w->count);
        rico_text_add(text, "\n");
    }
    if (import->looks > 0)
        rico_text_add(text, "#   %lld elements and attributes for the eye, sensors and sizes are left out\n",
                      (long long)import->looks);
    rico_text_add(text, "title: \"");
    write_plain(text, import->title, true);
    rico_text_add(text, "\"\n");
    if (import->control_count > 0) rico_text_add(text, "parameters:\n");
    for (int64_t i = 0; i < import->control_count; i++)
        rico_text_add(text, "  %s: %.17g\n", import->control[i].name, import->control[i].value);
    rico_text_add(text, "gravity: ");
    rico_write_list(text, import->gravity, 3);
    rico_text_add(text, "\n");
}


static void write_tail(rico_writing *writing)
{
    const rico_import *import = writing->import;
    rico_text *text = &writing->text;
    double step = import->options->step > 0.0 ? import->options->step : import->step;
    rico_text_add(text, "initial: {overlap: true%s}\n", import->repair ? ", repair: true" : "");
    rico_text_add(text, "time: {end: %.17g, step: %.17g}\n", import->options->end, step);
    if (import->carriers)
        rico_text_add(text, "scheme: {name: moreau-jean-projected, tol: 1e-8} # light bodies between joints "
                            "leave no more digits\n");
    else if (import->loss)
        rico_text_add(text, "scheme: moreau-jean-projected # joints that rub have bounds, which it knows\n");
}


rico_status rico_import_write(rico_import *import, char **out)
{
    rico_writing writing = {.import = import, .text = {.ctx = import->ctx}};
    static const char RESERVED[] = "world"; // a word of scenes
    writing.name_room =
        4 * (import->body_count + import->joint_count + import->geom_count + import->tie_count) + 64;
    writing.name = rico_arena_take(&import->arena, writing.name_room, sizeof *writing.name);
    if (!writing.name || !rico_writing_name(&writing, 'b', RESERVED, "", 0)) return RICO_NO_MEMORY;
    int64_t moving = 0;
    for (int64_t b = 0; b < import->body_count; b++)
        moving += import->body[b].host == b && !import->body[b].still;
    rico_status status = RICO_OK;
    if (moving == 0)
        status = rico_element_fail(import->ctx, import->body_count > 0 ? import->body[0].from : import->root,
                                   "holds nothing that moves");
    if (status == RICO_OK) status = check_meshes(import);
    if (status == RICO_OK) status = name_files(import);
    if (status == RICO_OK) status = rico_write_sort(&writing);
    // joints tell of warnings that the head prints: the body of the text first
    if (status == RICO_OK) {
        rico_write_materials(&writing);
        status = rico_write_bodies(&writing);
    }
    if (status == RICO_OK) status = rico_write_joints(&writing);
    if (status == RICO_OK) rico_write_apart(&writing);
    rico_writing whole = {.import = import, .text = {.ctx = import->ctx}};
    if (status == RICO_OK) status = writing.text.status;
    if (status == RICO_OK) {
        write_head(&whole);
        rico_text_add(&whole.text, "%s", writing.text.data ? writing.text.data : "");
        write_tail(&whole);
        status = whole.text.status;
    }
    rico_free(import->ctx, writing.text.data);
    if (status == RICO_OK)
        *out = whole.text.data;
    else
        rico_free(import->ctx, whole.text.data);
    return status;
}
