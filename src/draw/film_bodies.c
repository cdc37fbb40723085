// A run as one block of bytes: where bodies stand, and what they look like.
//
// Shapes become triangles of a few prototypes, which bodies share: a thousand spheres of any radii are one prototype with a
// scale each, so that the viewer draws them at once.

#include "draw/film_private.h"
#include "store/body_surface.h"

#include <math.h>
#include <string.h>

enum { FINE = 24, COARSE = 12, COARSEST = 8, MANY = 500, VERY_MANY = 4000 };


// --- stands ------------------------------------------------------------------------------------------------------

static int16_t to_16(double x)
{
    return (int16_t)lround(32767.0 * fmax(-1.0, fmin(1.0, isnan(x) ? 0.0 : x)));
}


// Which bodies may move, in their order, and where all stand at the start.
static int64_t add_list(rico_film_writer *w)
{
    const rico_body_view *view = w->view;
    int64_t moving = 0;
    int32_t *place = rico_film_add(w, "body_place", "i32", view->body_count, 1);
    for (int64_t i = 0; place && i < view->body_count; i++)
        place[i] = view->body[i].type == RICO_BODY_FIXED ? -1 : (int32_t)moving++;
    float *start = rico_film_add(w, "body_stand", "f32", view->body_count, 7);
    for (int64_t i = 0; start && i < view->body_count; i++) {
        for (int k = 0; k < 3; k++) start[7 * i + k] = (float)view->body[i].stand.position[k];
        for (int k = 0; k < 4; k++) start[7 * i + 3 + k] = (float)view->body[i].stand.orientation[k];
    }
    int32_t *look = rico_film_add(w, "body_look", "i32", view->body_count, 4);
    for (int64_t i = 0; look && i < view->body_count; i++) {
        const rico_viewed_body *body = &view->body[i];
        const int64_t all[4] = {body->shape, body->shapes, body->type, body->sensor};
        for (int k = 0; k < 4; k++) look[4 * i + k] = (int32_t)all[k];
    }
    float *center = rico_film_add(w, "body_center", "f32", view->body_count, 3);
    for (int64_t i = 0; center && i < 3 * view->body_count; i++)
        center[i] = (float)view->body[i / 3].center[i % 3];
    return moving;
}


void rico_film_bodies(rico_film_writer *w)
{
    if (w->status != RICO_OK) return;
    const rico_body_view *view = w->view;
    int64_t moving = add_list(w);
    rico_stand *stand = rico_alloc(w->ctx, view->body_count, sizeof *stand);
    if (!stand) w->status = RICO_NO_MEMORY;
    rico_film_add(w, "position", "f32", w->frames, 3 * moving);
    rico_film_add(w, "turn", "i16", w->frames, 4 * moving);
    for (int64_t f = 0; stand && w->status == RICO_OK && f < w->frames; f++) {
        if (rico_context_interrupted(w->ctx)) w->status = rico_fail(w->ctx, RICO_INTERRUPTED, "stopped");
        if (w->status == RICO_OK)
            w->status = rico_body_view_stands(w->view, rico_film_row(w, f), stand, NULL);
        if (w->status != RICO_OK) break;
        // both arrays stand last, and nothing is added meanwhile
        float *position = (float *)(void *)(w->data + w->array[w->array_count - 2].offset) + f * 3 * moving;
        int16_t *turn = (int16_t *)(void *)(w->data + w->array[w->array_count - 1].offset) + f * 4 * moving;
        for (int64_t i = 0; i < view->body_count; i++) {
            if (view->body[i].type == RICO_BODY_FIXED) continue;
            for (int k = 0; k < 3; k++) *position++ = (float)stand[i].position[k];
            for (int k = 0; k < 4; k++) *turn++ = to_16(stand[i].orientation[k]);
        }
    }
    rico_free(w->ctx, stand);
}


// --- shapes ------------------------------------------------------------------------------------------------------

// How a kind of shape comes from one of size 1: which of its sizes stretches each axis, -1 for none.
static const struct {
    const char *kind, *made_as;
    int axis[3];
    bool smooth;
} STRETCHED[] = {
    {"sphere", "sphere", {0, 0, 0}, true},
    {"ellipsoid", "sphere", {0, 1, 2}, true},
    {"box", "box", {0, 1, 2}, false},
    {"cylinder", "cylinder", {0, 0, 1}, false},
    {"cone", "cone", {0, 0, 1}, false},
    {"disc", "disc", {0, 0, -1}, false},
    {"rectangle", "rectangle", {0, 1, -1}, false},
};
enum { STRETCHED_COUNT = sizeof STRETCHED / sizeof *STRETCHED };

typedef struct shape_maker {
    rico_film_writer *w;
    rico_polygons triangles;        // all prototypes; each face has three corners
    rico_polygons one;              // that is being made
    int64_t prototypes, *prototype; // 4 numbers each: first vertex, vertices, first face, faces
    bool *smooth;
    int64_t shared[STRETCHED_COUNT]; // prototype of a kind, -1 before there is one
    int around;
    double span, middle[3];
} shape_maker;


// A square for what is endless that holds all that moves, at any frame, and as much again around it.
static void measure(shape_maker *m)
{
    const rico_film_writer *w = m->w;
    double low[3] = {0}, high[3] = {0};
    int64_t seen = 0;
    for (int64_t a = 0; a < w->array_count; a++) {
        if (strcmp(w->array[a].name, "position") != 0) continue;
        const float *x = (const float *)(const void *)(w->data + w->array[a].offset);
        for (int64_t i = 0; i < w->array[a].count * w->array[a].width; i += 3, seen++)
            for (int k = 0; k < 3; k++) {
                low[k] = seen ? fmin(low[k], x[i + k]) : x[i + k];
                high[k] = seen ? fmax(high[k], x[i + k]) : x[i + k];
            }
    }
    m->span = 0.0;
    for (int k = 0; k < 3; k++) {
        m->middle[k] = 0.5 * (low[k] + high[k]);
        m->span = fmax(m->span, high[k] - low[k]);
    }
    for (int64_t i = 0; i < w->view->shape_count; i++)
        for (int k = 0; k < 3; k++) m->span = fmax(m->span, fmin(2.0 * w->view->shape[i].size[k], 1e6));
    if (m->span == 0.0) m->span = 1.0;
}


// A segment has no area: it gets the width of a line.
static void widen_segment(rico_polygons *p)
{
    double length = fabs(p->vertex[3] - p->vertex[0]);
    double corner[4][3] = {{p->vertex[0], -0.01 * length, 0},
                           {p->vertex[3], -0.01 * length, 0},
                           {p->vertex[3], 0.01 * length, 0},
                           {p->vertex[0], 0.01 * length, 0}};
    // a polygon has room for 64 of everything from the start
    memcpy(p->vertex, corner, sizeof corner);
    p->vertices = p->corners = p->face_end[0] = 4;
    for (int i = 0; i < 4; i++) p->corner[i] = i;
}


// Polygons are convex: triangles about their first corner.
static rico_status keep_triangles(shape_maker *m, bool smooth)
{
    rico_polygons *from = &m->one;
    rico_context *ctx = m->w->ctx;
    int64_t faces = 0, begin = 0;
    for (int64_t f = 0; f < from->faces; begin = from->face_end[f++])
        if (from->face_end[f] - begin > 2) faces += from->face_end[f] - begin - 2;
    rico_polygons *to = &m->triangles;
    double *vertex =
        rico_grow(ctx, to->vertex, 3 * to->vertices, 3 * (to->vertices + from->vertices), sizeof *vertex);
    if (vertex) to->vertex = vertex;
    int64_t *corner = rico_grow(ctx, to->corner, 3 * to->faces, 3 * (to->faces + faces), sizeof *corner);
    if (corner) to->corner = corner;
    int64_t *list = rico_grow(ctx, m->prototype, 4 * m->prototypes, 4 * (m->prototypes + 1), sizeof *list);
    if (list) m->prototype = list;
    bool *flags = rico_grow(ctx, m->smooth, m->prototypes, m->prototypes + 1, sizeof *flags);
    if (flags) m->smooth = flags;
    if (!vertex || !corner || !list || !flags) return RICO_NO_MEMORY;
    memcpy(vertex + 3 * to->vertices, from->vertex, (size_t)(3 * from->vertices) * sizeof *vertex);
    int64_t *at = corner + 3 * to->faces;
    begin = 0;
    for (int64_t f = 0; f < from->faces; begin = from->face_end[f++])
        for (int64_t k = begin + 2; k < from->face_end[f]; k++) {
            *at++ = from->corner[begin];
            *at++ = from->corner[k - 1];
            *at++ = from->corner[k];
        }
    const int64_t row[4] = {to->vertices, from->vertices, to->faces, faces};
    memcpy(list + 4 * m->prototypes, row, sizeof row);
    flags[m->prototypes++] = smooth;
    to->vertices += from->vertices;
    to->faces += faces;
    return RICO_OK;
}


// The middle of the motion in the axes of a shape, by the body that has it.
static void middle_of(const shape_maker *m, int64_t shape, double own[3])
{
    const rico_body_view *view = m->w->view;
    rico_stand stand = view->shape[shape].stand;
    for (int64_t i = 0; i < view->body_count; i++)
        if (shape >= view->body[i].shape && shape < view->body[i].shape + view->body[i].shapes) {
            stand = rico_stand_within(&view->body[i].stand, &view->shape[shape].stand);
            break;
        }
    double away[3];
    const rico_stand back = {.orientation = {stand.orientation[0], -stand.orientation[1],
                                             -stand.orientation[2], -stand.orientation[3]}};
    for (int k = 0; k < 3; k++) away[k] = m->middle[k] - stand.position[k];
    rico_stand_turn(&back, away, own);
}


// The surface of a shape in its own axes; `unit` for one of size 1, which of boxes comes from the corners in the file.
static rico_status make_surface(shape_maker *m, int64_t index, bool unit)
{
    static const rico_stand HERE = {.orientation = {1.0, 0.0, 0.0, 0.0}};
    rico_viewed_shape shape = m->w->view->shape[index];
    double own[3], size[3];
    memcpy(size, shape.size, sizeof size);
    middle_of(m, index, own);
    for (int k = 0; unit && shape.faces == 0 && k < 3; k++) shape.size[k] = 1.0;
    rico_polygons_clear(&m->one);
    rico_status status = rico_polygons_add(&m->one, m->w->view, &shape, &HERE, m->around, m->span, own);
    if (status != RICO_OK) return status;
    for (int64_t i = 0; unit && shape.faces > 0 && i < 3 * m->one.vertices; i++)
        m->one.vertex[i] /= size[i % 3];
    if (m->one.faces == 1 && m->one.vertices == 2) widen_segment(&m->one);
    return RICO_OK;
}


// The prototype of a shape and what stretches it to its size.
static rico_status find_prototype(shape_maker *m, int64_t index, int64_t *prototype, double scale[3])
{
    const rico_viewed_shape *shape = &m->w->view->shape[index];
    const char *kind = shape->kind->name;
    for (int s = 0; s < STRETCHED_COUNT; s++) {
        if (strcmp(kind, STRETCHED[s].kind) != 0) continue;
        bool good = true;
        for (int k = 0; k < 3; k++) {
            scale[k] = STRETCHED[s].axis[k] < 0 ? 1.0 : shape->size[STRETCHED[s].axis[k]];
            good = good && scale[k] > 0.0;
        }
        if (!good) break;
        rico_status status = RICO_OK;
        if (m->shared[s] < 0) {
            status = make_surface(m, index, true);
            if (status == RICO_OK) status = keep_triangles(m, STRETCHED[s].smooth);
            m->shared[s] = m->prototypes - 1;
        }
        *prototype = m->shared[s];
        return status;
    }
    for (int k = 0; k < 3; k++) scale[k] = 1.0;
    *prototype = m->prototypes;
    rico_status status = make_surface(m, index, false);
    return status == RICO_OK ? keep_triangles(m, strcmp(kind, "capsule") == 0) : status;
}


static void add_prototypes(shape_maker *m)
{
    rico_film_writer *w = m->w;
    float *vertex = rico_film_add(w, "vertex", "f32", m->triangles.vertices, 3);
    for (int64_t i = 0; vertex && i < 3 * m->triangles.vertices; i++)
        vertex[i] = (float)m->triangles.vertex[i];
    uint32_t *corner = rico_film_add(w, "triangle", "u32", m->triangles.faces, 3);
    for (int64_t i = 0; corner && i < 3 * m->triangles.faces; i++)
        corner[i] = (uint32_t)m->triangles.corner[i];
    uint32_t *list = rico_film_add(w, "prototype", "u32", m->prototypes, 5);
    for (int64_t i = 0; list && i < m->prototypes; i++) {
        for (int k = 0; k < 4; k++) list[5 * i + k] = (uint32_t)m->prototype[4 * i + k];
        list[5 * i + 4] = m->smooth[i];
    }
}


void rico_film_shapes(rico_film_writer *w)
{
    if (w->status != RICO_OK) return;
    const rico_body_view *view = w->view;
    shape_maker m = {.w = w, .triangles = {.ctx = w->ctx}, .one = {.ctx = w->ctx}};
    m.around = view->body_count > VERY_MANY ? COARSEST : view->body_count > MANY ? COARSE : FINE;
    for (int s = 0; s < STRETCHED_COUNT; s++) m.shared[s] = -1;
    measure(&m);
    // prototype, scale, stand; endless ones are marked, since they say nothing of the size of a scene
    float *shape = rico_film_add(w, "shape", "f32", view->shape_count, 12);
    for (int64_t i = 0; shape && w->status == RICO_OK && i < view->shape_count; i++) {
        const rico_viewed_shape *own = &view->shape[i];
        int64_t prototype = 0;
        double scale[3] = {1.0, 1.0, 1.0};
        w->status = find_prototype(&m, i, &prototype, scale);
        shape[12 * i] = (float)prototype;
        for (int k = 0; k < 3; k++) shape[12 * i + 1 + k] = (float)scale[k];
        for (int k = 0; k < 3; k++) shape[12 * i + 4 + k] = (float)own->stand.position[k];
        for (int k = 0; k < 4; k++) shape[12 * i + 7 + k] = (float)own->stand.orientation[k];
        shape[12 * i + 11] = strcmp(own->kind->name, "plane") == 0 || strcmp(own->kind->name, "line") == 0;
    }
    add_prototypes(&m);
    rico_polygons_release(&m.triangles);
    rico_polygons_release(&m.one);
    rico_free(w->ctx, m.prototype);
    rico_free(w->ctx, m.smooth);
}
