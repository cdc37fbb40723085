// The rigid bodies of a result file.

#include "store/body_view.h"

#include "base/context.h"
#include "la/quaternion.h"
#include "la/vec3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- tables ------------------------------------------------------------------------------------------------------

static rico_status missing(const rico_body_view *view, const char *what)
{
    return rico_fail(view->ctx, RICO_BAD_INPUT, "there are no bodies in it: it has no %s", what);
}


// All numbers of a column of a table, eight bytes each, as a new array.
static rico_status fetch(rico_body_view *view, const char *table, const char *column, int64_t *count,
                         void **out)
{
    int64_t t = rico_results_find_table(view->results, table);
    int64_t c = t >= 0 ? rico_results_find_column(view->results, t, column) : -1;
    if (c < 0) return missing(view, table);
    int64_t width = rico_results_table(view->results, t)->columns[c].width;
    *count = rico_results_items(view->results, t);
    *out = rico_alloc(view->ctx, *count * (width > 0 ? width : 1), sizeof(double));
    if (!*out) return RICO_NO_MEMORY;
    return rico_results_read(view->results, t, c, 0, *count, *out);
}


// One column into a field of every entry of a list; `width` numbers of eight bytes each.
static rico_status spread(rico_body_view *view, const char *table, const char *column, int64_t width,
                          int64_t count, void *field, size_t stride)
{
    int64_t found = 0;
    void *values = NULL;
    rico_status status = fetch(view, table, column, &found, &values);
    if (status == RICO_OK && found < count) status = missing(view, column);
    for (int64_t i = 0; status == RICO_OK && i < count; i++)
        memcpy((char *)field + (size_t)i * stride, (char *)values + i * width * 8, (size_t)width * 8);
    rico_free(view->ctx, values);
    return status;
}


typedef struct field {
    const char *column;
    int64_t width;
    size_t place;
} field;


static rico_status spread_all(rico_body_view *view, const char *table, int64_t count, void *list,
                              size_t stride, const field *fields, size_t field_count)
{
    rico_status status = RICO_OK;
    for (size_t i = 0; status == RICO_OK && i < field_count; i++)
        status = spread(view, table, fields[i].column, fields[i].width, count, (char *)list + fields[i].place,
                        stride);
    return status;
}


static const char *note_of(const rico_results *results, const char *name)
{
    for (int64_t i = 0; i < rico_results_note_count(results); i++)
        if (strcmp(rico_results_note(results, i)->name, name) == 0)
            return rico_results_note(results, i)->text;
    return NULL;
}


// Names, one a line, into pieces of one copy.
static rico_status read_names(rico_body_view *view)
{
    const char *text = note_of(view->results, "bodies");
    if (!text) return missing(view, "names of bodies");
    size_t length = strlen(text);
    view->names = rico_alloc(view->ctx, (int64_t)length + 1, 1);
    if (!view->names) return RICO_NO_MEMORY;
    memcpy(view->names, text, length);
    char *at = view->names;
    for (int64_t i = 0; i < view->body_count; i++) {
        view->body[i].name = at;
        char *end = strchr(at, '\n');
        if (!end) return missing(view, "name for each body");
        *end = '\0';
        at = end + 1;
    }
    return RICO_OK;
}


static rico_status read_bodies(rico_body_view *view)
{
    static const field FIELDS[] = {
        {"type", 1, offsetof(rico_viewed_body, type)},     {"q", 1, offsetof(rico_viewed_body, q)},
        {"v", 1, offsetof(rico_viewed_body, v)},           {"shape", 1, offsetof(rico_viewed_body, shape)},
        {"shapes", 1, offsetof(rico_viewed_body, shapes)}, {"sensor", 1, offsetof(rico_viewed_body, sensor)},
        {"mass", 1, offsetof(rico_viewed_body, mass)},     {"center", 3, offsetof(rico_viewed_body, center)},
        {"stand", 7, offsetof(rico_viewed_body, stand)}};
    int64_t table = rico_results_find_table(view->results, "bodies");
    if (table < 0) return missing(view, "table 'bodies'");
    view->body_count = rico_results_rows(view->results, table);
    view->body = rico_alloc(view->ctx, view->body_count, sizeof *view->body);
    if (!view->body) return RICO_NO_MEMORY;
    rico_status status = spread_all(view, "bodies", view->body_count, view->body, sizeof *view->body, FIELDS,
                                    sizeof FIELDS / sizeof *FIELDS);
    for (int64_t i = 0; status == RICO_OK && i < view->body_count; i++)
        view->body[i].moved = view->body[i].type == RICO_BODY_MOVED ? view->moved_count++ : -1;
    return status == RICO_OK ? read_names(view) : status;
}


// Kinds go by the names that the file has for them: the table of the library may have grown since.
static rico_status name_kinds(rico_body_view *view, const int64_t *kind)
{
    const char *text = note_of(view->results, "shape_kinds");
    for (int64_t i = 0; i < view->shape_count; i++) {
        const char *at = text ? text : "";
        for (int64_t k = 0; k < kind[i] && *at; k++) at += strcspn(at, "\n") + 1;
        size_t length = strcspn(at, "\n");
        const rico_shape_info *known;
        for (int k = 0; (known = rico_shape_kind_at(k)); k++)
            if (strlen(known->name) == length && strncmp(known->name, at, length) == 0)
                view->shape[i].kind = known;
        if (!view->shape[i].kind) return missing(view, "kind of shape that is known");
        if (view->shape[i].kind->planar) view->dimension = 2;
    }
    return RICO_OK;
}


static rico_status read_shapes(rico_body_view *view)
{
    static const field FIELDS[] = {{"size", 3, offsetof(rico_viewed_shape, size)},
                                   {"stand", 7, offsetof(rico_viewed_shape, stand)},
                                   {"vertex", 1, offsetof(rico_viewed_shape, vertex)},
                                   {"vertices", 1, offsetof(rico_viewed_shape, vertices)},
                                   {"face", 1, offsetof(rico_viewed_shape, face)},
                                   {"faces", 1, offsetof(rico_viewed_shape, faces)}};
    void *kind = NULL;
    rico_status status = fetch(view, "shapes", "kind", &view->shape_count, &kind);
    if (status == RICO_OK) {
        view->shape = rico_alloc(view->ctx, view->shape_count, sizeof *view->shape);
        if (!view->shape) status = RICO_NO_MEMORY;
    }
    if (status == RICO_OK)
        status = spread_all(view, "shapes", view->shape_count, view->shape, sizeof *view->shape, FIELDS,
                            sizeof FIELDS / sizeof *FIELDS);
    if (status == RICO_OK) status = name_kinds(view, kind);
    rico_free(view->ctx, kind);
    return status;
}


static rico_status read_faces(rico_body_view *view)
{
    int64_t corners, table = rico_results_find_table(view->results, "faces");
    void *vertex = NULL, *corner = NULL;
    if (table < 0) return missing(view, "table 'faces'");
    rico_status status = fetch(view, "vertices", "x", &view->vertex_count, &vertex);
    view->vertex = vertex;
    if (status == RICO_OK) status = fetch(view, "faces", "vertex", &corners, &corner);
    view->corner = corner;
    if (status != RICO_OK) return status;
    view->face_count = rico_results_rows(view->results, table);
    view->face_start = rico_alloc(view->ctx, view->face_count + 1, sizeof *view->face_start);
    if (!view->face_start) return RICO_NO_MEMORY;
    return rico_results_starts(view->results, table, 0, view->face_count, view->face_start);
}


// A line for each beam; a file without the note has none.
static rico_status read_beams(rico_body_view *view)
{
    const char *text = note_of(view->results, "beams");
    int64_t lines = 0;
    if (!text) return RICO_OK;
    for (const char *at = text; *at; at++) lines += *at == '\n';
    view->beam = rico_alloc(view->ctx, lines, sizeof *view->beam);
    if (!view->beam) return RICO_NO_MEMORY;
    for (const char *at = text; view->beam_count < lines; at = strchr(at, '\n') + 1) {
        rico_viewed_beam *beam = &view->beam[view->beam_count++];
        char *end;
        beam->first = strtoll(at, &end, 10);
        beam->nodes = strtoll(end, &end, 10);
        beam->width = strtod(end, &end);
        if (beam->first < 0 || beam->nodes < 2 || beam->nodes > view->body_count - beam->first ||
            !isfinite(beam->width))
            return missing(view, "nodes of beams where its note says");
    }
    return RICO_OK;
}


// A file from elsewhere may say anything: indices lead nowhere but into the lists.
static rico_status check(const rico_body_view *view)
{
    for (int64_t i = 0; i < view->body_count; i++) {
        const rico_viewed_body *body = &view->body[i];
        bool free = body->type == RICO_BODY_FREE;
        int64_t q = view->dimension == 2 ? 3 : 7, v = view->dimension == 2 ? 3 : 6;
        if (body->shape < 0 || body->shapes < 0 || body->shapes > view->shape_count - body->shape)
            return missing(view, "shapes where its table says");
        if (free && (body->q < 0 || body->q > view->nq - q || body->v < 0 || body->v > view->nv - v))
            return missing(view, "coordinates where its table says");
    }
    for (int64_t i = 0; i < view->shape_count; i++) {
        const rico_viewed_shape *shape = &view->shape[i];
        if (shape->vertex < 0 || shape->vertices < 0 ||
            shape->vertices > view->vertex_count - shape->vertex || shape->face < 0 || shape->faces < 0 ||
            shape->faces > view->face_count - shape->face)
            return missing(view, "faces where its table says");
        for (int64_t k = view->face_start[shape->face]; k < view->face_start[shape->face + shape->faces]; k++)
            if (view->corner[k] < 0 || view->corner[k] >= shape->vertices)
                return missing(view, "corners where its table says");
    }
    return RICO_OK;
}


static rico_status measure(rico_body_view *view)
{
    int64_t state = rico_results_find_table(view->results, "state");
    if (state < 0) return missing(view, "table 'state'");
    const rico_table *table = rico_results_table(view->results, state);
    int64_t q = rico_results_find_column(view->results, state, "q"),
            v = rico_results_find_column(view->results, state, "v");
    if (q < 0 || v < 0) return missing(view, "positions");
    view->nq = table->columns[q].width;
    view->nv = table->columns[v].width;
    // without shapes it is coordinates that tell: a free body of space has a position more than velocities, and nothing else has
    if (view->shape_count == 0 && view->nq == view->nv) view->dimension = 2;
    view->q = rico_alloc(view->ctx, view->nq, sizeof *view->q);
    view->v = rico_alloc(view->ctx, view->nv, sizeof *view->v);
    view->moved = rico_alloc(view->ctx, 7 * view->moved_count, sizeof *view->moved);
    return view->q && view->v && view->moved ? check(view) : RICO_NO_MEMORY;
}


rico_status rico_body_view_open(rico_context *ctx, rico_results *results, rico_body_view **out)
{
    rico_body_view *view = rico_alloc(ctx, 1, sizeof *view);
    if (!view) return RICO_NO_MEMORY;
    *view = (rico_body_view){.ctx = ctx, .results = results, .dimension = 3};
    rico_status status = read_bodies(view);
    if (status == RICO_OK) status = read_shapes(view);
    if (status == RICO_OK) status = read_faces(view);
    if (status == RICO_OK) status = read_beams(view);
    if (status == RICO_OK) status = measure(view);
    if (status != RICO_OK) {
        rico_body_view_destroy(view);
        return status;
    }
    *out = view;
    return RICO_OK;
}


void rico_body_view_destroy(rico_body_view *view)
{
    if (!view) return;
    void *all[] = {view->body, view->shape, view->vertex, view->face_start, view->corner,
                   view->q,    view->v,     view->moved,  view->names,      view->beam};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(view->ctx, all[i]);
    rico_free(view->ctx, view);
}


// --- rows --------------------------------------------------------------------------------------------------------

rico_status rico_body_view_find(rico_body_view *view, double t, int64_t *row, double *time)
{
    int64_t count;
    void *values = NULL;
    rico_status status = fetch(view, "state", "t", &count, &values);
    const double *times = values;
    if (status == RICO_OK && count == 0) status = missing(view, "row");
    if (status == RICO_OK) {
        *row = count - 1;
        for (int64_t i = 0; !isnan(t) && i < count; i++)
            if (fabs(times[i] - t) < fabs(times[*row] - t)) *row = i;
        *time = times[*row];
    }
    rico_free(view->ctx, values);
    return status;
}


static rico_status read_row(rico_body_view *view, const char *table, const char *column, int64_t row,
                            double *out)
{
    int64_t t = rico_results_find_table(view->results, table);
    int64_t c = t >= 0 ? rico_results_find_column(view->results, t, column) : -1;
    if (c < 0) return missing(view, table);
    return rico_results_read(view->results, t, c, row, 1, out);
}


// A free body, from its coordinates: center and quaternion, or x, y and an angle.
static void stand_free(const rico_body_view *view, const rico_viewed_body *body, rico_stand *stand,
                       double *velocity)
{
    const double *q = view->q + body->q, *v = view->v + body->v;
    double offset[3];
    bool plane = view->dimension == 2;
    *stand = (rico_stand){.position = {q[0], q[1], plane ? 0.0 : q[2]}};
    if (plane) {
        stand->orientation[0] = cos(0.5 * q[2]);
        stand->orientation[3] = sin(0.5 * q[2]);
    } else {
        memcpy(stand->orientation, q + 3, sizeof stand->orientation);
    }
    rico_stand_turn(stand, body->center, offset);
    for (int i = 0; i < 3; i++) stand->position[i] -= offset[i];
    if (!velocity) return;
    if (plane) {
        velocity[0] = v[0], velocity[1] = v[1], velocity[5] = v[2];
    } else {
        memcpy(velocity, v, 3 * sizeof *v);
        rico_stand_turn(stand, v + 3, velocity + 3); // from the axes of the body
    }
}


rico_status rico_body_view_stands(rico_body_view *view, int64_t row, rico_stand *stand, double *velocity)
{
    rico_status status = read_row(view, "state", "q", row, view->q);
    if (status == RICO_OK) status = read_row(view, "state", "v", row, view->v);
    if (status == RICO_OK && view->moved_count > 0)
        status = read_row(view, "moved", "stand", row, view->moved);
    if (velocity) memset(velocity, 0, (size_t)view->body_count * 6 * sizeof *velocity);
    for (int64_t i = 0; status == RICO_OK && i < view->body_count; i++) {
        const rico_viewed_body *body = &view->body[i];
        stand[i] = body->stand;
        if (body->moved >= 0) memcpy(&stand[i], view->moved + 7 * body->moved, sizeof stand[i]);
        if (body->type == RICO_BODY_FREE)
            stand_free(view, body, &stand[i], velocity ? velocity + 6 * i : NULL);
    }
    return status;
}


rico_status rico_emitted_contacts(rico_context *ctx, rico_results *results, int64_t row, int64_t *count,
                                  rico_viewed_contact **out)
{
    static const struct {
        const char *column;
        int64_t width;
        size_t place;
    } FIELDS[] = {{"source", 1, offsetof(rico_viewed_contact, source)},
                  {"body_a", 1, offsetof(rico_viewed_contact, body_a)},
                  {"body_b", 1, offsetof(rico_viewed_contact, body_b)},
                  {"state", 1, offsetof(rico_viewed_contact, state)},
                  {"key", 1, offsetof(rico_viewed_contact, key)},
                  {"gap", 1, offsetof(rico_viewed_contact, gap)},
                  {"impulse", 3, offsetof(rico_viewed_contact, impulse)},
                  {"frame", 9, offsetof(rico_viewed_contact, frame)},
                  {"a", 3, offsetof(rico_viewed_contact, a)},
                  {"b", 3, offsetof(rico_viewed_contact, b)}};
    const rico_body_view named = {.ctx = ctx, .results = results};
    int64_t table = rico_results_find_table(results, "emitted"), range[2];
    if (table < 0) return missing(&named, "table 'emitted'");
    rico_status status = rico_results_starts(results, table, row, 1, range);
    if (status != RICO_OK) return status;
    int64_t items = range[1] - range[0];
    rico_viewed_contact *contact = rico_alloc(ctx, items, sizeof *contact);
    double *values = rico_alloc(ctx, 9 * items, sizeof *values);
    if (!contact || !values) status = RICO_NO_MEMORY;
    for (size_t f = 0; status == RICO_OK && f < sizeof FIELDS / sizeof *FIELDS; f++) {
        int64_t column = rico_results_find_column(results, table, FIELDS[f].column);
        size_t bytes = (size_t)FIELDS[f].width * 8;
        status = column < 0 ? missing(&named, FIELDS[f].column)
                            : rico_results_read(results, table, column, range[0], items, values);
        for (int64_t i = 0; status == RICO_OK && i < items; i++)
            memcpy((char *)&contact[i] + FIELDS[f].place, (char *)values + (size_t)i * bytes, bytes);
    }
    rico_free(ctx, values);
    if (status != RICO_OK) {
        rico_free(ctx, contact);
        return status;
    }
    *count = items;
    *out = contact;
    return RICO_OK;
}


rico_status rico_body_view_contacts(rico_body_view *view, int64_t row, int64_t *count,
                                    rico_viewed_contact **out)
{
    rico_viewed_contact *contact = NULL;
    int64_t items = 0;
    rico_status status = rico_emitted_contacts(view->ctx, view->results, row, &items, &contact);
    if (status != RICO_OK) return status;
    // those of other sources have no bodies
    *count = 0;
    for (int64_t i = 0; i < items; i++)
        if (contact[i].body_a >= 0 && contact[i].body_a < view->body_count && contact[i].body_b >= 0 &&
            contact[i].body_b < view->body_count)
            contact[(*count)++] = contact[i];
    *out = contact;
    return RICO_OK;
}
