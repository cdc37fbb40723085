// Shapes of bodies in a scene, and where things stand.

#include "la/quaternion.h"
#include "la/vec3.h"
#include "scene/scene_bodies.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- vectors and rotations ---------------------------------------------------------------------------------------

rico_status rico_scene_read_vector(rico_scene *scene, const rico_node *node, int dimension, double x[3])
{
    int64_t count;
    double *value = NULL;
    rico_status status = rico_document_reals(scene->document, node, &count, &value);
    if (status == RICO_OK && count != dimension) {
        char name[RICO_NODE_NAME];
        status = rico_document_fail(scene->document, node, "%s has %lld numbers, expected %d%s",
                                    rico_node_name(node, name), (long long)count, dimension,
                                    dimension == 2 ? ": the scene lies in the plane" : "");
    }
    for (int i = 0; status == RICO_OK && i < 3; i++) x[i] = i < dimension ? value[i] : 0.0;
    rico_free(scene->ctx, value);
    return status;
}


// sin and cos of an angle in degrees, without error at multiples of 90.
static void sine_of_degrees(double degrees, double *s, double *c)
{
    double turn = remainder(degrees, 360.0), quarter = rint(turn / 90.0), rest = turn - 90.0 * quarter;
    double rest_s = sin(rest * M_PI / 180.0), rest_c = cos(rest * M_PI / 180.0);
    int which = ((int)quarter + 4) % 4;
    const double sines[4] = {rest_s, rest_c, -rest_s, -rest_c},
                 cosines[4] = {rest_c, -rest_s, -rest_c, rest_s};
    *s = sines[which];
    *c = cosines[which];
}


void rico_scene_turn(const double axis[3], double degrees, double orientation[4])
{
    double s;
    sine_of_degrees(0.5 * degrees, &s, &orientation[0]);
    for (int i = 0; i < 3; i++) orientation[1 + i] = s * axis[i];
}


rico_status rico_scene_read_axis(rico_scene *scene, const rico_node *node, double axis[3])
{
    axis[0] = axis[1] = 0.0;
    axis[2] = 1.0;
    if (!node) return RICO_OK;
    rico_status status = rico_scene_read_vector(scene, node, 3, axis);
    if (status != RICO_OK) return status;
    double length = hypot(hypot(axis[0], axis[1]), axis[2]);
    if (length == 0.0) return rico_document_fail(scene->document, node, "the axis has no length");
    for (int i = 0; i < 3; i++) axis[i] /= length;
    return RICO_OK;
}


static rico_status read_quaternion(rico_scene *scene, const rico_node *node, double orientation[4])
{
    int64_t count;
    double *value = NULL;
    rico_status status = rico_document_reals(scene->document, node, &count, &value);
    if (status != RICO_OK) return status;
    double length = hypot(hypot(value[0], value[1]), hypot(value[2], value[3]));
    for (int i = 0; i < 4; i++) orientation[i] = value[i] / length;
    rico_free(scene->ctx, value);
    if (length > 0.0) return RICO_OK;
    return rico_document_fail(scene->document, node, "the quaternion has no length");
}


static rico_status read_rotation(rico_scene *scene, const rico_node *node, int dimension,
                                 double orientation[4])
{
    const rico_node *given = rico_node_at(node, "quaternion"), *about = rico_node_at(node, "axis");
    double axis[3], degrees;
    if (dimension == 2 && (given || about))
        return rico_document_fail_key(scene->document, given ? given : about,
                                      "in the plane a rotation is an angle alone, about z");
    if (given) return read_quaternion(scene, given, orientation);
    rico_status status = rico_scene_read_axis(scene, about, axis);
    if (status == RICO_OK)
        status = rico_document_real(scene->document, rico_node_at(node, "angle"), &degrees);
    if (status == RICO_OK) rico_scene_turn(axis, degrees, orientation);
    return status;
}


rico_status rico_scene_read_stand(rico_scene *scene, const rico_node *node, int dimension, rico_stand *out)
{
    const rico_node *position = rico_node_at(node, "position"), *rotation = rico_node_at(node, "rotation");
    *out = (rico_stand){.orientation = {1.0}};
    rico_status status = RICO_OK;
    if (position) status = rico_scene_read_vector(scene, position, dimension, out->position);
    if (status == RICO_OK && rotation) status = read_rotation(scene, rotation, dimension, out->orientation);
    return status;
}


// --- lists -------------------------------------------------------------------------------------------------------

// Rows of `width` numbers each, one after the other.
static rico_status read_rows(rico_scene *scene, const rico_node *node, int64_t width, const char *what,
                             int64_t *count, double **out)
{
    rico_document *document = scene->document;
    char name[RICO_NODE_NAME];
    if (node->kind != RICO_NODE_LIST || node->count == 0)
        return rico_document_fail(document, node, "%s must be a list of %s", rico_node_name(node, name),
                                  what);
    double *x = rico_alloc(scene->ctx, node->count * width, sizeof *x);
    if (!x) return RICO_NO_MEMORY;
    rico_status status = RICO_OK;
    int64_t at = 0;
    for (const rico_node *row = node->first; status == RICO_OK && row; row = row->next) {
        if (row->kind != RICO_NODE_LIST || row->count != width)
            status = rico_document_fail(document, row, "%s must be a list of %s, each of %lld numbers",
                                        rico_node_name(node, name), what, (long long)width);
        for (const rico_node *cell = row->first; status == RICO_OK && cell; cell = cell->next)
            status = rico_document_real(document, cell, &x[at++]);
    }
    if (status != RICO_OK) {
        rico_free(scene->ctx, x);
        return status;
    }
    *count = node->count;
    *out = x;
    return RICO_OK;
}


// --- kinds -------------------------------------------------------------------------------------------------------

// "scale: 2" is positive; "scale: [1, -1, 1]" may mirror.
static rico_status read_file(rico_scene *scene, const rico_node *node, bool hull, rico_shape **out)
{
    const rico_node *scale = rico_node_at(node, "scale");
    const char *path;
    double times[3];
    rico_status status = rico_document_path(scene->document, rico_node_at(node, "file"), &path);
    if (status != RICO_OK) return status;
    if (scale->kind == RICO_NODE_LIST) {
        status = rico_scene_read_vector(scene, scale, 3, times);
        return status == RICO_OK ? rico_shape_read_scaled(scene->ctx, path, times, hull, out) : status;
    }
    status = rico_document_real(scene->document, scale, times);
    return status == RICO_OK ? rico_shape_read(scene->ctx, path, times[0], hull, out) : status;
}


static rico_status build_hull(rico_scene *scene, rico_node *node, int dimension, rico_shape **out)
{
    int64_t count;
    double *point = NULL;
    if (rico_node_at(node, "file")) return read_file(scene, node, true, out);
    rico_status status = read_rows(scene, rico_node_at(node, "points"), dimension, "points", &count, &point);
    if (status == RICO_OK)
        status = (dimension == 2 ? rico_shape_polygon : rico_shape_hull)(scene->ctx, point, count, out);
    rico_free(scene->ctx, point);
    return status;
}


static rico_status build_space_hull(rico_scene *scene, rico_node *node, rico_shape **out)
{
    return build_hull(scene, node, 3, out);
}


static rico_status build_polygon(rico_scene *scene, rico_node *node, rico_shape **out)
{
    return build_hull(scene, node, 2, out);
}


// Numbers of vertices as they are counted in C.
static rico_status whole(rico_scene *scene, const rico_node *node, int64_t count, const double *x,
                         int64_t *to)
{
    for (int64_t i = 0; i < count; i++) {
        if (!(x[i] >= 0.0 && x[i] < 9e15 && x[i] == floor(x[i])))
            return rico_document_fail(scene->document, node, "triangle %lld has the vertex %g, which is none",
                                      (long long)(i / 3), x[i]);
        to[i] = (int64_t)x[i];
    }
    return RICO_OK;
}


static rico_status build_mesh(rico_scene *scene, rico_node *node, rico_shape **out)
{
    rico_document *document = scene->document;
    const rico_node *faces = rico_node_at(node, "triangles");
    double *vertex = NULL, *corner = NULL;
    int64_t vertices, triangles = 0, *triangle = NULL;
    if (rico_node_at(node, "file")) return read_file(scene, node, false, out);
    if (!faces)
        return rico_document_fail(document, node,
                                  "a mesh of 'vertices' needs 'triangles'; add them, or "
                                  "write hull for the convex hull of points");
    rico_status status = read_rows(scene, rico_node_at(node, "vertices"), 3, "points", &vertices, &vertex);
    if (status == RICO_OK) status = read_rows(scene, faces, 3, "triangles", &triangles, &corner);
    if (status == RICO_OK) {
        triangle = rico_alloc(scene->ctx, 3 * triangles, sizeof *triangle);
        status = triangle ? whole(scene, faces, 3 * triangles, corner, triangle) : RICO_NO_MEMORY;
    }
    if (status == RICO_OK) status = rico_shape_mesh(scene->ctx, vertex, vertices, triangle, triangles, out);
    rico_free(scene->ctx, vertex);
    rico_free(scene->ctx, corner);
    rico_free(scene->ctx, triangle);
    return status;
}


// Heights by a formula of x and y at the corners of the cells.
static rico_status tabulate(rico_scene *scene, rico_node *node, const double size[3], int64_t nx, int64_t ny,
                            double *height)
{
    const rico_symbol symbol[] = {
        {.name = "x", .kind = RICO_SYMBOL_VARIABLE, .slot = 0},
        {.name = "y", .kind = RICO_SYMBOL_VARIABLE, .slot = 1},
        {.name = "it may depend on x, y and the parameters", .kind = RICO_SYMBOL_NOTE}};
    const rico_scope scope = {3, symbol, &scene->parameters.scope};
    rico_formula *formula = NULL;
    rico_status status = rico_document_formula(scene->document, node, &scope, &formula);
    if (status != RICO_OK) return status;
    double *work = rico_alloc(scene->ctx, rico_formula_work(formula, 0, 0), sizeof *work);
    if (!work) status = RICO_NO_MEMORY;
    for (int64_t k = 0; status == RICO_OK && k < nx * ny; k++) {
        int64_t i = k % nx, j = k / nx;
        const double at[2] = {((double)i / (double)(nx - 1) - 0.5) * size[0],
                              ((double)j / (double)(ny - 1) - 0.5) * size[1]};
        height[k] = rico_formula_value(formula, at, work);
        if (!isfinite(height[k]))
            status = rico_document_fail(scene->document, node, "the height is %g at x = %g, y = %g",
                                        height[k], at[0], at[1]);
    }
    rico_free(scene->ctx, work);
    rico_formula_destroy(formula);
    return status;
}


static rico_status build_height_field(rico_scene *scene, rico_node *node, rico_shape **out)
{
    rico_document *document = scene->document;
    const rico_node *rows = rico_node_at(node, "heights"), *cells = rico_node_at(node, "cells");
    double size[3], count[3], *height = NULL;
    int64_t nx = 0, ny = 0;
    rico_status status = rico_scene_read_vector(scene, rico_node_at(node, "size"), 2, size);
    if (status != RICO_OK) return status;
    if (rows) {
        if (rows->kind != RICO_NODE_LIST || !rows->first || rows->first->kind != RICO_NODE_LIST ||
            rows->count < 2 || rows->first->count < 2)
            return rico_document_fail(document, rows,
                                      "'heights' must be two rows or more of as many numbers");
        nx = rows->first->count;
        status = read_rows(scene, rows, nx, "rows", &ny, &height);
    } else if (!cells) {
        status = rico_document_fail(document, node, "heights by a 'formula' need 'cells: [nx, ny]'");
    } else {
        status = rico_scene_read_vector(scene, cells, 2, count);
        nx = (int64_t)count[0] + 1, ny = (int64_t)count[1] + 1;
        height = status == RICO_OK ? rico_alloc(scene->ctx, nx * ny, sizeof *height) : NULL;
        if (status == RICO_OK && !height) status = RICO_NO_MEMORY;
        if (status == RICO_OK) status = tabulate(scene, rico_node_at(node, "formula"), size, nx, ny, height);
    }
    if (status == RICO_OK)
        status = rico_shape_height_field(scene->ctx, nx, ny, size[0] / (double)(nx - 1),
                                         size[1] / (double)(ny - 1), height, out);
    rico_free(scene->ctx, height);
    return status;
}


static rico_status build_compound(rico_scene_bodies *bodies, rico_node *node, rico_shape **out)
{
    rico_scene *scene = bodies->scene;
    int64_t count = node->count, k = 0;
    const rico_shape **part = rico_alloc(scene->ctx, count, sizeof(rico_shape *));
    rico_stand *stand = rico_alloc(scene->ctx, count, sizeof *stand);
    rico_status status = part && stand ? RICO_OK : RICO_NO_MEMORY;
    for (rico_node *piece = node->first; status == RICO_OK && piece; piece = piece->next, k++) {
        status = rico_scene_build_shape(bodies, rico_node_at(piece, "shape"), &part[k]);
        if (status == RICO_OK) status = rico_scene_read_stand(scene, piece, bodies->dimension, &stand[k]);
    }
    if (status == RICO_OK) status = rico_shape_compound(scene->ctx, part, stand, count, out);
    rico_free(scene->ctx, part);
    rico_free(scene->ctx, stand);
    return status;
}


// How the keys of a shape become one: by the sizes of the library's table, or by a function.
typedef struct shape_row {
    const char *key;
    const char *size[2]; // keys of numbers, or of one list
    int sizes;           // numbers in all
    rico_status (*build)(rico_scene *scene, rico_node *node, rico_shape **out);
} shape_row;

static const shape_row ROWS[] = {
    {"sphere", {"radius"}, 1, NULL},
    {"box", {"size"}, 3, NULL},
    {"capsule", {"radius", "length"}, 2, NULL},
    {"cylinder", {"radius", "height"}, 2, NULL},
    {"cone", {"radius", "height"}, 2, NULL},
    {"ellipsoid", {"axes"}, 3, NULL},
    {"disc", {"radius"}, 1, NULL},
    {"rectangle", {"size"}, 2, NULL},
    {"capsule-2d", {"radius", "length"}, 2, NULL},
    {"segment", {"length"}, 1, NULL},
    {"hull", {NULL}, 0, build_space_hull},
    {"polygon", {NULL}, 0, build_polygon},
    {"mesh", {NULL}, 0, build_mesh},
    {"height-field", {NULL}, 0, build_height_field},
};


static rico_status build_row(rico_scene *scene, const shape_row *row, rico_node *node, rico_shape **out)
{
    if (row->build) return row->build(scene, node, out);
    double size[3] = {0.0};
    rico_status status = RICO_OK;
    if (row->sizes > 1 && !row->size[1])
        status = rico_scene_read_vector(scene, rico_node_at(node, row->size[0]), row->sizes, size);
    for (int i = 0; status == RICO_OK && (row->sizes == 1 || row->size[1]) && i < row->sizes; i++)
        status = rico_document_real(scene->document, rico_node_at(node, row->size[i]), &size[i]);
    return status == RICO_OK ? rico_shape_create(scene->ctx, row->key, size, row->sizes, out) : status;
}


// The first shape says whether the scene lies in the plane; all others must agree.
static rico_status agree(rico_scene_bodies *bodies, const rico_node *node, const rico_shape *shape)
{
    int dimension = rico_shape_kind_of(shape)->planar ? 2 : 3;
    if (bodies->dimension == 0) {
        bodies->dimension = dimension;
        bodies->said = node;
    }
    if (bodies->dimension == dimension) return RICO_OK;
    return rico_document_fail(
        bodies->scene->document, node,
        "a %s lies %s, the shape in line %lld %s; the bodies of a scene live in one or the "
        "other",
        rico_shape_kind_of(shape)->name, dimension == 2 ? "in the plane" : "in space",
        (long long)bodies->said->line, dimension == 2 ? "in space" : "in the plane");
}


rico_status rico_scene_keep_shape(rico_scene_bodies *bodies, rico_shape *shape)
{
    rico_status status = rico_scene_keep(bodies->scene->ctx, (void *)&bodies->shape, &bodies->shape_count,
                                         &bodies->shape_room, shape);
    if (status != RICO_OK) rico_shape_destroy(shape);
    return status;
}


rico_status rico_scene_build_shape(rico_scene_bodies *bodies, rico_node *node, const rico_shape **out)
{
    rico_scene *scene = bodies->scene;
    rico_node *given = node->first, *kind = rico_node_at(node, "kind"),
              *pieces = rico_node_at(node, "compound");
    rico_shape *shape = NULL;
    rico_status status = RICO_OK;
    if (kind) {
        status = rico_shape_create(scene->ctx, kind->text, NULL, 0, &shape);
    } else if (pieces) {
        status = build_compound(bodies, pieces, &shape);
    } else {
        for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
            if (strcmp(ROWS[i].key, given->key) == 0) status = build_row(scene, &ROWS[i], given, &shape);
    }
    if (status != RICO_OK) return rico_scene_place(scene, given, status);
    status = rico_scene_keep_shape(bodies, shape);
    if (status == RICO_OK) status = agree(bodies, given, shape);
    *out = shape;
    return status;
}
