// A run as one block of bytes: its frames, its head.

#include "draw/film_private.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 8, BYTES_OF_BODY = 20, BYTES_OF_CONTACT = 34, BYTES_OF_NUMBER = 4 };


rico_film_options rico_film_defaults(void)
{
    return (rico_film_options){.name = "run", .most_frames = 1000, .most_bytes = (int64_t)256 << 20};
}


void rico_film_release(rico_context *ctx, rico_film *film)
{
    rico_free(ctx, film->bytes);
    *film = (rico_film){0};
}


// --- arrays ------------------------------------------------------------------------------------------------------

static int64_t size_of(const char *type)
{
    return strtol(type + 1, NULL, 10) / 8;
}


void *rico_film_add(rico_film_writer *w, const char *name, const char *type, int64_t count, int64_t width)
{
    if (w->status != RICO_OK) return NULL;
    if (w->array_count == RICO_FILM_ARRAYS) {
        w->status = rico_fail(w->ctx, RICO_INTERNAL, "a film has no room for the array '%s'", name);
        return NULL;
    }
    int64_t bytes = count * width * size_of(type), padded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (w->size + padded > w->room) {
        int64_t room = w->size + padded + w->room / 2;
        unsigned char *larger = rico_grow(w->ctx, w->data, w->size, room, 1);
        if (!larger) {
            w->status = RICO_NO_MEMORY;
            return NULL;
        }
        w->data = larger;
        w->room = room;
    }
    rico_film_array *array = &w->array[w->array_count++];
    *array = (rico_film_array){.type = type, .width = width, .count = count, .offset = w->size};
    snprintf(array->name, sizeof array->name, "%s", name);
    void *at = w->data + w->size;
    w->size += padded;
    return at;
}


int64_t rico_film_row(const rico_film_writer *w, int64_t frame)
{
    int64_t row = frame * w->stride;
    return row < w->rows ? row : w->rows - 1;
}


const char *rico_film_note(const rico_results *results, const char *name)
{
    for (int64_t i = 0; i < rico_results_note_count(results); i++) {
        const rico_note *note = rico_results_note(results, i);
        if (strcmp(note->name, name) == 0 && note->text) return note->text;
    }
    return "";
}


int64_t rico_film_column(const rico_film_writer *w, const char *table, const char *column, int64_t *in)
{
    *in = rico_results_find_table(w->results, table);
    return *in >= 0 ? rico_results_find_column(w->results, *in, column) : -1;
}


// --- frames ------------------------------------------------------------------------------------------------------

// Rows that all tables have which a frame is read from: those of a run that goes on may be one apart.
static int64_t common_rows(const rico_film_writer *w, int64_t state)
{
    const struct {
        const char *table;
        bool needed;
    } all[] = {
        {"emitted", w->view || w->elastic}, {"probes", w->elastic}, {"joints", rico_film_joint_count(w) > 0}};
    int64_t rows = rico_results_rows(w->results, state);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        int64_t table = all[i].needed ? rico_results_find_table(w->results, all[i].table) : -1;
        if (table >= 0 && rico_results_rows(w->results, table) < rows)
            rows = rico_results_rows(w->results, table);
    }
    return rows;
}


// About what a frame takes. Coordinates of meshes are not among those that are shown as numbers.
static int64_t bytes_of_frame(const rico_film_writer *w, int64_t width)
{
    int64_t emitted = rico_results_find_table(w->results, "emitted");
    int64_t contacts = emitted >= 0 ? rico_results_items(w->results, emitted) / w->rows : 0;
    int64_t bytes = contacts * BYTES_OF_CONTACT + rico_film_joint_bytes(w) + rico_film_mesh_bytes(w) +
                    rico_film_beam_bytes(w) + 1;
    if (w->view) return bytes + w->view->body_count * BYTES_OF_BODY;
    return bytes + (w->elastic ? 0 : width * BYTES_OF_NUMBER);
}


// How many rows there are, and every which of them fits.
static void choose_frames(rico_film_writer *w, const rico_film_options *options)
{
    int64_t state, t = rico_film_column(w, "state", "t", &state);
    int64_t q = rico_film_column(w, "state", "q", &state);
    if (t < 0 || q < 0) {
        w->status = rico_fail(w->ctx, RICO_BAD_INPUT,
                              "there is no motion in it: it has no table 'state' with columns 't' and 'q'");
        return;
    }
    w->rows = common_rows(w, state);
    if (w->rows == 0) {
        w->status = rico_fail(w->ctx, RICO_BAD_INPUT, "there is no motion in it yet: no row was written");
        return;
    }
    if (rico_film_mesh_bytes_once(w) + 2 * rico_film_mesh_bytes(w) > options->most_bytes)
        rico_film_surfaces_drop(w, options->most_bytes);
    int64_t width = rico_results_table(w->results, state)->columns[q].width;
    int64_t most = (options->most_bytes - rico_film_mesh_bytes_once(w)) / bytes_of_frame(w, width);
    if (most < options->most_frames && w->elastic && most < w->rows)
        rico_text_add(&w->left_out, "rows between frames: meshes of all would exceed %lld MB\n",
                      (long long)(options->most_bytes >> 20));
    if (most > options->most_frames) most = options->most_frames;
    if (most < 2) most = 2;
    w->stride = w->rows > most ? (w->rows - 2) / (most - 1) + 1 : 1;
    w->frames = w->rows > 1 ? (w->rows - 2) / w->stride + 2 : 1;
}


static void add_times(rico_film_writer *w)
{
    int64_t table, column = rico_film_column(w, "state", "t", &table);
    double *t = rico_film_add(w, "t", "f64", w->frames, 1);
    for (int64_t f = 0; t && w->status == RICO_OK && f < w->frames; f++)
        w->status = rico_results_read(w->results, table, column, rico_film_row(w, f), 1, &t[f]);
}


// --- the head ----------------------------------------------------------------------------------------------------

static void write_beams(rico_json *json, const rico_body_view *view)
{
    rico_json_key(json, "beams");
    rico_json_open_array(json);
    for (int64_t i = 0; i < view->beam_count; i++) {
        rico_json_open_object(json);
        rico_json_set_integer(json, "first", view->beam[i].first);
        rico_json_set_integer(json, "nodes", view->beam[i].nodes);
        rico_json_set_number(json, "width", view->beam[i].width);
        rico_json_close(json);
    }
    rico_json_close(json);
}


static void write_arrays(rico_json *json, const rico_film_writer *w)
{
    rico_json_key(json, "arrays");
    rico_json_open_object(json);
    for (int64_t i = 0; i < w->array_count; i++) {
        rico_json_key(json, w->array[i].name);
        rico_json_open_object(json);
        rico_json_set_text(json, "type", w->array[i].type);
        rico_json_set_integer(json, "width", w->array[i].width);
        rico_json_set_integer(json, "count", w->array[i].count);
        rico_json_set_integer(json, "offset", w->array[i].offset);
        rico_json_close(json);
    }
    rico_json_close(json);
}


static int dimension_of(const rico_film_writer *w)
{
    int bodies = w->view ? w->view->dimension : 0, meshes = rico_film_mesh_dimension(w);
    return bodies > meshes ? bodies : meshes;
}


static void write_head(rico_film_writer *w, const rico_film_options *options, const rico_text *names,
                       FILE *out)
{
    rico_json json = rico_json_start(out);
    rico_json_open_object(&json);
    rico_json_set_text(&json, "file", options->name);
    static const char *const NOTES[] = {"title",        "rico",   "scheme",    "gravity",
                                        "constraints",  "bodies", "numerical", "joints",
                                        "joint_places", "meshes", "sources",   NULL};
    for (int i = 0; NOTES[i]; i++) rico_json_set_text(&json, NOTES[i], rico_film_note(w->results, NOTES[i]));
    rico_json_set_bool(&json, "finished", rico_results_finished(w->results));
    rico_json_set_integer(&json, "rows", w->rows);
    rico_json_set_integer(&json, "stride", w->stride);
    rico_json_set_integer(&json, "frames", w->frames);
    rico_json_set_integer(&json, "dimension", dimension_of(w));
    rico_json_set_text(&json, "coordinates", names->data ? names->data : "");
    rico_json_set_text(&json, "left_out", w->left_out.data ? w->left_out.data : "");
    if (w->view) write_beams(&json, w->view);
    write_arrays(&json, w);
    rico_json_close(&json);
}


static void put_32(unsigned char *at, int64_t value)
{
    for (int i = 0; i < 4; i++) at[i] = (unsigned char)(value >> 8 * i & 255);
}


// Prefix, head and arrays, one behind the other.
static rico_status bind(rico_film_writer *w, const char *head, size_t length, rico_film *out)
{
    int64_t padded = ((int64_t)length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    out->size = RICO_FILM_PREFIX + padded + w->size;
    out->bytes = rico_alloc(w->ctx, out->size, 1);
    if (!out->bytes) return RICO_NO_MEMORY;
    memcpy(out->bytes, "RICOFILM", 8);
    put_32(out->bytes + 8, RICO_FILM_VERSION);
    put_32(out->bytes + 12, padded);
    memset(out->bytes + RICO_FILM_PREFIX, ' ', (size_t)padded);
    memcpy(out->bytes + RICO_FILM_PREFIX, head, length);
    if (w->size > 0) memcpy(out->bytes + RICO_FILM_PREFIX + padded, w->data, (size_t)w->size);
    return RICO_OK;
}


static rico_status finish(rico_film_writer *w, const rico_film_options *options, const rico_text *names,
                          rico_film *out)
{
    char *head = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&head, &length);
    if (!file) return rico_fail(w->ctx, RICO_NO_MEMORY, "out of memory for the head of a film");
    write_head(w, options, names, file);
    bool failed = ferror(file) != 0;
    rico_status status = fclose(file) != 0 || failed
                             ? rico_fail(w->ctx, RICO_NO_MEMORY, "out of memory for the head of a film")
                             : bind(w, head, length, out);
    free(head);
    return status;
}


// The arrays are written as this machine has its numbers.
static bool little_endian(void)
{
    const uint32_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}


rico_status rico_film_make(rico_context *ctx, rico_results *results, const rico_film_options *options,
                           rico_film *out)
{
    rico_film_writer w = {.ctx = ctx, .results = results, .left_out = {.ctx = ctx}};
    rico_text names = {.ctx = ctx};
    *out = (rico_film){0};
    if (!little_endian())
        return rico_fail(ctx, RICO_UNSUPPORTED, "films are made on little-endian machines only");
    if (options->most_frames < 2)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a film has 2 frames at least, not %lld",
                         (long long)options->most_frames);
    if (rico_results_find_table(results, "bodies") >= 0)
        w.status = rico_body_view_open(ctx, results, &w.view);
    rico_film_surfaces_find(&w);
    if (w.status == RICO_OK) choose_frames(&w, options);
    add_times(&w);
    if (w.view) {
        rico_film_bodies(&w);
        rico_film_shapes(&w);
        rico_film_joints(&w);
        rico_film_beams(&w);
    }
    rico_film_meshes(&w);
    rico_film_contacts(&w);
    rico_film_coordinates(&w, &names);
    rico_film_constraints(&w);
    rico_film_ledger(&w);
    rico_film_events(&w);
    if (w.status == RICO_OK) w.status = names.status;
    if (w.status == RICO_OK) w.status = w.left_out.status;
    if (w.status == RICO_OK) w.status = finish(&w, options, &names, out);
    if (w.status == RICO_OK) out->rows = w.rows, out->stride = w.stride, out->frames = w.frames;
    rico_film_surfaces_release(&w);
    rico_body_view_destroy(w.view);
    rico_free(ctx, names.data);
    rico_free(ctx, w.left_out.data);
    rico_free(ctx, w.data);
    return w.status;
}
