// What a recording holds of rigid bodies.

#include "store/recording_bodies.h"

#include "base/context.h"
#include "collide/look.h"
#include "model/bodies_look.h"

#include <math.h>
#include <string.h>

enum { BODIES, SHAPES, VERTICES, FACES, MATERIALS, STEADY_TABLES };

static const rico_column BODY[] = {
    {"type", RICO_NUMBER_INTEGER, 0, NULL, "0: free, 1: fixed, 2: moved by a function of time"},
    {"q", RICO_NUMBER_INTEGER, 0, NULL, "first of its positions in state/q, those of its center; -1: none"},
    {"v", RICO_NUMBER_INTEGER, 0, NULL, "first of its velocities in state/v; -1: none"},
    {"shape", RICO_NUMBER_INTEGER, 0, NULL, "first of its rows in shapes"},
    {"shapes", RICO_NUMBER_INTEGER, 0, NULL, "how many they are"},
    {"material", RICO_NUMBER_INTEGER, 0, NULL, "in notes/materials"},
    {"group", RICO_NUMBER_INTEGER, 0, NULL, "one bit"},
    {"meets", RICO_NUMBER_INTEGER, 0, NULL, "bits of the groups that it may touch"},
    {"sensor", RICO_NUMBER_INTEGER, 0, NULL, "1: it reports and does not act"},
    {"mass", RICO_NUMBER_REAL, 0, NULL, "0 for one that is not free"},
    {"center", RICO_NUMBER_REAL, 3, NULL, "of mass, in its own axes"},
    {"inertia", RICO_NUMBER_REAL, 9, NULL, "about the center in its own axes, row by row"},
    {"stand", RICO_NUMBER_REAL, 7, NULL, "of its own axes at the start: position, quaternion"},
};

static const rico_column SHAPE[] = {
    {"kind", RICO_NUMBER_INTEGER, 0, NULL, "in notes/shape_kinds"},
    {"size", RICO_NUMBER_REAL, 3, NULL, "its sizes, 0 for those that it does not have"},
    {"stand", RICO_NUMBER_REAL, 7, NULL, "in the axes of the body: position, quaternion"},
    {"vertex", RICO_NUMBER_INTEGER, 0, NULL, "first of its rows in vertices"},
    {"vertices", RICO_NUMBER_INTEGER, 0, NULL, "how many they are"},
    {"face", RICO_NUMBER_INTEGER, 0, NULL, "first of its rows in faces"},
    {"faces", RICO_NUMBER_INTEGER, 0, NULL, "how many they are"},
};

static const rico_column VERTEX[] = {{"x", RICO_NUMBER_REAL, 3, NULL, "in the axes of the shape"}};

static const rico_column FACE[] = {
    {"vertex", RICO_NUMBER_INTEGER, 0, NULL, "corners, counted from the shape's first, seen from outside"}};

static const rico_column MATERIAL[] = {
    {"a", RICO_NUMBER_INTEGER, 0, NULL, "in notes/materials"},
    {"b", RICO_NUMBER_INTEGER, 0, NULL, "likewise, not before a"},
    {"friction", RICO_NUMBER_REAL, 0, NULL, "Coulomb's mu"},
    {"restitution", RICO_NUMBER_REAL, 0, NULL, "Newton's e"},
};

#define COLUMNS(list) (int64_t)(sizeof(list) / sizeof *(list)), list


// --- plan --------------------------------------------------------------------------------------------------------

rico_status rico_body_plan_make(rico_context *ctx, const rico_bodies *bodies, rico_body_plan *out)
{
    int64_t moved = rico_bodies_moved_count(bodies), sensors = rico_bodies_sensor_count(bodies);
    *out = (rico_body_plan){.names = {.ctx = ctx},
                            .kinds = {.ctx = ctx},
                            .materials = {.ctx = ctx},
                            .gravity = {.ctx = ctx},
                            .sensors = {.ctx = ctx}};
    out->moved[0] = (rico_column){"stand", RICO_NUMBER_REAL, 7 * moved, NULL,
                                  "position and quaternion of each moved body, in their order in bodies"};
    out->inside[0] = (rico_column){"inside", RICO_NUMBER_INTEGER, sensors, NULL,
                                   "how many bodies each sensor of notes/sensors touches"};
    const rico_table table[STEADY_TABLES] = {
        [BODIES] = {"bodies", "rigid bodies, one a row", false, 1, COLUMNS(BODY)},
        [SHAPES] = {"shapes", "pieces of their shapes", false, 1, COLUMNS(SHAPE)},
        [VERTICES] = {"vertices", "corners of shapes that have some", false, 1, COLUMNS(VERTEX)},
        [FACES] = {"faces", "faces of shapes that have some, a list of corners each", true, 1, COLUMNS(FACE)},
        [MATERIALS] = {"materials", "pairs of materials", false, 1, COLUMNS(MATERIAL)},
    };
    memcpy(out->table, table, sizeof table);
    out->table_count = STEADY_TABLES;
    if (moved > 0)
        out->table[out->table_count++] =
            (rico_table){"moved", "where moved bodies stand, for each row of state", false, 0, 1, out->moved};
    if (sensors > 0)
        out->table[out->table_count++] =
            (rico_table){"sensors", "what sensors see, for each row of state", false, 0, 1, out->inside};
    const char *name;
    for (int64_t i = 0; i < rico_bodies_count(bodies); i++) {
        rico_text_add(&out->names, "%s\n", rico_bodies_name(bodies, i));
        if (rico_bodies_look(bodies, i).sensor)
            rico_text_add(&out->sensors, "%s\n", rico_bodies_name(bodies, i));
    }
    for (int i = 0; rico_shape_kind_at(i); i++)
        rico_text_add(&out->kinds, "%s\n", rico_shape_kind_at(i)->name);
    for (int i = 0; (name = rico_bodies_material(bodies, i)); i++)
        rico_text_add(&out->materials, "%s\n", name);
    double g[3];
    rico_bodies_gravity(bodies, g);
    rico_text_add(&out->gravity, "%.17g %.17g %.17g", g[0], g[1], g[2]);
    const rico_text *const text[RICO_BODY_NOTES] = {&out->names, &out->kinds, &out->materials, &out->gravity,
                                                    &out->sensors};
    static const char *const NAMES[RICO_BODY_NOTES] = {"bodies", "shape_kinds", "materials", "gravity",
                                                       "sensors"};
    rico_status status = RICO_OK;
    for (int i = 0; i < RICO_BODY_NOTES; i++) {
        out->note[i] = (rico_note){.name = NAMES[i], .text = text[i]->data ? text[i]->data : ""};
        if (text[i]->status != RICO_OK) status = text[i]->status;
    }
    if (status != RICO_OK) rico_body_plan_release(ctx, out);
    return status;
}


void rico_body_plan_release(rico_context *ctx, rico_body_plan *plan)
{
    rico_free(ctx, plan->names.data);
    rico_free(ctx, plan->kinds.data);
    rico_free(ctx, plan->materials.data);
    rico_free(ctx, plan->gravity.data);
    rico_free(ctx, plan->sensors.data);
    memset(plan, 0, sizeof *plan);
}


// --- rows that never change --------------------------------------------------------------------------------------

// Shapes that were written, by their address: bodies share them.
typedef struct written_shape {
    const rico_shape *shape;
    int64_t first, count;
} written_shape;

typedef struct writer {
    rico_context *ctx;
    rico_archive *archive;
    int64_t first; // of the tables
    int64_t count, room, slots;
    written_shape *shape; // a hash table, at most half full
    int64_t corner_room;
    int64_t *corner;
} writer;


static void put_stand(double to[7], const rico_stand *stand)
{
    memcpy(to, stand->position, sizeof stand->position);
    memcpy(to + 3, stand->orientation, sizeof stand->orientation);
}


static int64_t kind_index(const rico_shape *shape)
{
    int index = 0;
    while (rico_shape_kind_at(index) && rico_shape_kind_at(index) != rico_shape_kind_of(shape)) index++;
    return index;
}


static rico_status write_vertices(writer *w, const rico_shape_faces *faces)
{
    rico_status status = RICO_OK;
    for (int64_t i = 0; status == RICO_OK && i < faces->vertices; i++) {
        const double *p = faces->vertex ? faces->vertex + 3 * i : faces->planar + 2 * i;
        const double x[3] = {p[0], p[1], faces->vertex ? p[2] : 0.0};
        const void *values[] = {x};
        status = rico_archive_append(w->archive, w->first + VERTICES, values);
    }
    return status;
}


static rico_status write_faces(writer *w, const rico_shape_faces *faces)
{
    rico_status status = RICO_OK;
    for (int64_t f = 0; status == RICO_OK && f < faces->faces; f++) {
        int64_t begin = faces->loop ? faces->loop[f] : 0,
                end = faces->loop ? faces->loop[f + 1] : faces->vertices;
        if (!w->corner || end - begin > w->corner_room) {
            rico_free(w->ctx, w->corner);
            w->corner_room = 0;
            w->corner = rico_alloc(w->ctx, 2 * (end - begin), sizeof *w->corner);
            if (!w->corner) return RICO_NO_MEMORY;
            w->corner_room = 2 * (end - begin);
        }
        for (int64_t k = begin; k < end; k++) w->corner[k - begin] = faces->corner ? faces->corner[k] : k;
        const void *values[] = {w->corner};
        status = rico_archive_append_items(w->archive, w->first + FACES, end - begin, values);
    }
    return status;
}


static rico_status write_piece(writer *w, const rico_shape *piece, const rico_stand *stand)
{
    rico_shape_faces faces;
    bool has = rico_shape_has_faces(piece, &faces);
    int64_t kind = kind_index(piece), vertex = rico_archive_rows(w->archive, w->first + VERTICES),
            face = rico_archive_rows(w->archive, w->first + FACES);
    double size[3], at[7];
    rico_shape_sizes(piece, size);
    put_stand(at, stand);
    rico_status status = has ? write_vertices(w, &faces) : RICO_OK;
    if (status == RICO_OK && has) status = write_faces(w, &faces);
    const void *values[] = {&kind, size, at, &vertex, &faces.vertices, &face, &faces.faces};
    return status == RICO_OK ? rico_archive_append(w->archive, w->first + SHAPES, values) : status;
}


// Where the rows of a shape are; they are written when it is met first.
static rico_status find_shape(writer *w, const rico_shape *shape, int64_t *first, int64_t *count)
{
    *first = *count = 0;
    if (!shape) return RICO_OK;
    uint64_t at = ((uint64_t)(uintptr_t)shape >> 4) * UINT64_C(0x9e3779b97f4a7c15) % (uint64_t)w->slots;
    while (w->shape[at].shape && w->shape[at].shape != shape) at = (at + 1) % (uint64_t)w->slots;
    written_shape *own = &w->shape[at];
    rico_status status = RICO_OK;
    if (!own->shape) {
        *own = (written_shape){shape, rico_archive_rows(w->archive, w->first + SHAPES),
                               rico_shape_pieces(shape)};
        for (int64_t i = 0; status == RICO_OK && i < own->count; i++) {
            rico_stand stand;
            const rico_shape *piece = rico_shape_piece(shape, i, &stand);
            status = write_piece(w, piece, &stand);
        }
    }
    *first = own->first;
    *count = own->count;
    return status;
}


static rico_status write_body(writer *w, const rico_bodies *bodies, const rico_place *place, int64_t body)
{
    rico_body_look look = rico_bodies_look(bodies, body);
    int64_t type = rico_bodies_type(bodies, body), q = rico_bodies_position(bodies, body),
            v = rico_bodies_velocity(bodies, body), material = look.material, group = look.group,
            meets = look.meets, sensor = look.sensor, first, count;
    if (q >= 0) q += place->q, v += place->v;
    double stand[7];
    put_stand(stand, &look.stand);
    rico_status status = find_shape(w, rico_bodies_shape(bodies, body), &first, &count);
    const void *values[] = {&type,  &q,      &v,         &first,      &count,       &material, &group,
                            &meets, &sensor, &look.mass, look.center, look.inertia, stand};
    return status == RICO_OK ? rico_archive_append(w->archive, w->first + BODIES, values) : status;
}


rico_status rico_bodies_append(rico_context *ctx, const rico_bodies *bodies, const rico_place *place,
                               rico_archive *archive, int64_t first)
{
    int64_t count = rico_bodies_count(bodies);
    writer w = {.ctx = ctx, .archive = archive, .first = first, .slots = 2 * count + 1};
    w.shape = rico_alloc(ctx, w.slots, sizeof *w.shape);
    rico_status status = w.shape ? RICO_OK : RICO_NO_MEMORY;
    for (int64_t i = 0; status == RICO_OK && i < count; i++) status = write_body(&w, bodies, place, i);
    for (int64_t a = 0; status == RICO_OK && rico_bodies_material(bodies, (int)a); a++)
        for (int64_t b = a; status == RICO_OK && rico_bodies_material(bodies, (int)b); b++) {
            rico_contact_law law = rico_bodies_pair(bodies, (int)a, (int)b);
            const void *values[] = {&a, &b, &law.friction, &law.restitution};
            status = rico_archive_append(archive, first + MATERIALS, values);
        }
    rico_free(ctx, w.shape);
    rico_free(ctx, w.corner);
    return status;
}


// --- moved bodies --------------------------------------------------------------------------------------------------

int64_t rico_bodies_moved_count(const rico_bodies *bodies)
{
    int64_t moved = 0;
    for (int64_t i = 0; i < rico_bodies_count(bodies); i++)
        moved += rico_bodies_type(bodies, i) == RICO_BODY_MOVED;
    return moved;
}


rico_status rico_bodies_moved(rico_context *ctx, const rico_bodies *bodies, double t, double *out)
{
    for (int64_t i = 0; i < rico_bodies_count(bodies); i++) {
        rico_stand stand;
        if (rico_bodies_type(bodies, i) != RICO_BODY_MOVED) continue;
        if (!rico_bodies_stand(bodies, i, t, NULL, &stand))
            return rico_fail(ctx, RICO_BAD_INPUT, "the motion of body %s was refused at t = %.17g",
                             rico_bodies_name(bodies, i), t);
        put_stand(out, &stand);
        out += 7;
    }
    return RICO_OK;
}


// --- sensors -------------------------------------------------------------------------------------------------------

int64_t rico_bodies_sensor_count(const rico_bodies *bodies)
{
    int64_t count = 0;
    for (int64_t i = 0; i < rico_bodies_count(bodies); i++) count += rico_bodies_look(bodies, i).sensor;
    return count;
}


rico_status rico_bodies_inside(rico_context *ctx, const rico_bodies *bodies, double t, const double *q,
                               int64_t *inside)
{
    for (int64_t i = 0; i < rico_bodies_count(bodies); i++) {
        if (!rico_bodies_look(bodies, i).sensor) continue;
        *inside = rico_bodies_sense(bodies, i, t, q, 0, NULL);
        if (*inside++ < 0)
            return rico_fail(ctx, RICO_BAD_INPUT, "the motion of a body was refused at t = %.17g", t);
    }
    return RICO_OK;
}


void rico_bodies_interpolate(const rico_bodies *bodies, const double *from, const double *to, double part,
                             double *q)
{
    for (int64_t i = 0; rico_bodies_dimension(bodies) == 3 && i < rico_bodies_count(bodies); i++) {
        int64_t at = rico_bodies_position(bodies, i) + 3;
        if (rico_bodies_type(bodies, i) != RICO_BODY_FREE) continue;
        double turn[4], dot = 0.0, length = 0.0;
        for (int k = 0; k < 4; k++) dot += from[at + k] * to[at + k];
        for (int k = 0; k < 4; k++) {
            turn[k] = (1.0 - part) * from[at + k] + (dot < 0.0 ? -part : part) * to[at + k];
            length += turn[k] * turn[k];
        }
        for (int k = 0; k < 4; k++) q[at + k] = turn[k] / sqrt(length);
    }
}
