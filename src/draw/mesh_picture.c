// A picture of elastic parts, from a result file to patches in the axes of the view.
//
// In the plane every element is seen, in space the faces of the boundary that look at the eye, those far away first. Each is cut into triangles
// and quadrilaterals so small that one colour does for each.

#include "draw/mesh_picture.h"

#include "base/context.h"
#include "base/suggest.h"
#include "draw/body_paint.h"
#include "la/vec3.h"
#include "store/elastic_view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PATCHES = 10000, MOST_EDGES = 8000, FINEST = 8, LEGEND = 64, RING = 8 };

// Viridis of matplotlib, which grows evenly in brightness, at nine places.
static const double COLOURS[9][3] = {{68, 1, 84},    {71, 44, 122},  {59, 81, 139},
                                     {44, 113, 142}, {33, 144, 141}, {39, 173, 129},
                                     {92, 200, 99},  {170, 220, 50}, {253, 231, 37}};
static const rico_paint_colour EDGE = {{1.3, 1.3, 1.3}}; // a grey, once outlines are darkened

// What is drawn of an element: its corners, between them the middles of its edges where it has some.
typedef struct drawn_face {
    const rico_viewed_mesh *mesh;
    const double *value;
    int64_t node[RING];
    int corners, nodes; // nodes: corners, or twice as many
    double depth;
} drawn_face;

typedef struct mesh_picture {
    rico_context *ctx;
    rico_elastic_view *view;
    const rico_mesh_picture_options *options;
    const double *axes;
    bool space;
    double **value; // of each mesh
    double low, high;
    int64_t count, room;
    drawn_face *face;
    rico_painting painting;
} mesh_picture;


static rico_paint_colour colour_of(double share)
{
    rico_paint_colour out;
    double at = 8.0 * fmin(fmax(share, 0.0), 1.0);
    int k = at >= 8.0 ? 7 : (int)at;
    for (int i = 0; i < 3; i++)
        out.rgb[i] = (COLOURS[k][i] + (at - k) * (COLOURS[k + 1][i] - COLOURS[k][i])) / 255.0;
    return out;
}


// --- what is to be seen --------------------------------------------------------------------------------------------

static void place(const mesh_picture *p, const rico_viewed_mesh *mesh, int64_t node, double out[3])
{
    double x[3];
    rico_vec3_copy(mesh->X + 3 * node, x);
    rico_vec3_add_scaled(p->options->scale, mesh->displacement + 3 * node, x);
    for (int i = 0; i < 3; i++) out[i] = rico_vec3_dot(p->axes + 3 * i, x);
}


// Twice the area that is seen, positive where the face looks at the eye; its depth.
static double look_at(const mesh_picture *p, drawn_face *face)
{
    double area = 0.0, a[3], b[3];
    face->depth = 0.0;
    for (int k = 0; k < face->corners; k++) {
        place(p, face->mesh, face->node[k], a);
        place(p, face->mesh, face->node[(k + 1) % face->corners], b);
        area += a[0] * b[1] - b[0] * a[1];
        face->depth += a[2] / face->corners;
    }
    return area;
}


static rico_status add_face(mesh_picture *p, const rico_viewed_mesh *mesh, const double *value,
                            rico_cell_kind kind, const int64_t *node)
{
    static const int CORNERS[RICO_CELL_KINDS] = {1, 2, 2, 3, 3, 4, 4, 0, 0, 0},
                     NODES[RICO_CELL_KINDS] = {1, 2, 2, 3, 6, 4, 8, 0, 0, 0};
    drawn_face face = {.mesh = mesh, .value = value, .corners = CORNERS[kind], .nodes = NODES[kind]};
    memcpy(face.node, node, (size_t)face.nodes * sizeof *node);
    double area = look_at(p, &face);
    if (p->space && !(area > 0.0)) return RICO_OK;
    if (p->count == p->room) {
        int64_t more = 2 * p->room + 256;
        drawn_face *grown = rico_grow(p->ctx, p->face, p->count, more, sizeof *grown);
        if (!grown) return RICO_NO_MEMORY;
        p->face = grown;
        p->room = more;
    }
    p->face[p->count++] = face;
    return RICO_OK;
}


static rico_status add_mesh(mesh_picture *p, const rico_viewed_mesh *mesh, const double *value)
{
    rico_mesh_view look = rico_mesh_look(mesh->mesh);
    rico_mesh_face *face = NULL;
    int64_t count = 0;
    rico_status status = RICO_OK;
    if (look.dimension == 3) status = rico_mesh_boundary(p->ctx, mesh->mesh, &count, &face);
    for (int64_t f = 0; status == RICO_OK && f < count; f++)
        status = add_face(p, mesh, value, face[f].kind, face[f].node);
    rico_mesh_faces_free(p->ctx, face);
    for (int64_t c = 0; status == RICO_OK && look.dimension < 3 && c < look.cells; c++) {
        bool plane = look.kind[c] >= RICO_CELL_T3 && look.kind[c] <= RICO_CELL_Q8;
        if (look.dimension == 2 ? plane : look.kind[c] != RICO_CELL_POINT)
            status = add_face(p, mesh, value, (rico_cell_kind)look.kind[c], look.node + look.start[c]);
    }
    return status;
}


static int far_first(const void *a, const void *b)
{
    const drawn_face *one = a, *two = b;
    return (one->depth > two->depth) - (one->depth < two->depth);
}


static void find_bounds(mesh_picture *p)
{
    rico_painting *to = &p->painting;
    for (int i = 0; i < 2; i++) to->low[i] = INFINITY, to->high[i] = -INFINITY;
    p->low = INFINITY, p->high = -INFINITY;
    for (int64_t m = 0; m < p->view->count; m++)
        for (int64_t i = 0; i < p->view->mesh[m].nodes; i++) {
            double x[3];
            place(p, &p->view->mesh[m], i, x);
            for (int k = 0; k < 2; k++) {
                to->low[k] = fmin(to->low[k], x[k]);
                to->high[k] = fmax(to->high[k], x[k]);
            }
            p->low = fmin(p->low, p->value[m][i]);
            p->high = fmax(p->high, p->value[m][i]);
        }
}


// --- patches -------------------------------------------------------------------------------------------------------

typedef struct corner {
    double x[3], value;
} corner;

static corner corner_of(const mesh_picture *p, const drawn_face *face, int k)
{
    corner out = {.value = face->value[face->node[k]]};
    place(p, face->mesh, face->node[k], out.x);
    return out;
}


// Between four corners: of a triangle the last two are the same.
static corner blend(const corner c[4], double a, double b)
{
    corner out;
    const double share[4] = {(1 - a) * (1 - b), a * (1 - b), a * b, (1 - a) * b};
    memset(&out, 0, sizeof out);
    for (int k = 0; k < 4; k++) {
        rico_vec3_add_scaled(share[k], c[k].x, out.x);
        out.value += share[k] * c[k].value;
    }
    return out;
}


static rico_status add_patch(mesh_picture *p, int count, const corner *corners, bool edge)
{
    rico_painting *to = &p->painting;
    if (to->patch_count == to->patch_room) {
        int64_t more = 2 * to->patch_room + 1024;
        rico_patch *grown = rico_grow(p->ctx, to->patch, to->patch_count, more, sizeof *grown);
        if (!grown) return RICO_NO_MEMORY;
        to->patch = grown;
        to->patch_room = more;
    }
    if (to->point_count + count > to->point_room) {
        int64_t more = 2 * to->point_room + 4096;
        double *grown = rico_grow(p->ctx, to->point, 3 * to->point_count, 3 * more, sizeof *grown);
        if (!grown) return RICO_NO_MEMORY;
        to->point = grown;
        to->point_room = more;
    }
    double mean = 0.0, span = p->high - p->low, a[3], b[3];
    rico_patch patch = {.first = to->point_count, .count = count, .plain = !p->space, .outlined = edge};
    for (int k = 0; k < count; k++) {
        rico_vec3_copy(corners[k].x, to->point + 3 * to->point_count++);
        mean += corners[k].value / count;
    }
    patch.colour = edge ? EDGE : colour_of(span > 0.0 ? (mean - p->low) / span : 0.5);
    if (!edge) {
        rico_vec3_subtract(corners[1].x, corners[0].x, a);
        rico_vec3_subtract(corners[2].x, corners[0].x, b);
        rico_vec3_cross(a, b, patch.normal);
        double length = rico_vec3_norm(patch.normal);
        if (length > 0.0) rico_vec3_scale(1.0 / length, patch.normal, patch.normal);
    }
    to->patch[to->patch_count++] = patch;
    return RICO_OK;
}


// A triangle or quadrilateral in n x n pieces.
static rico_status add_pieces(mesh_picture *p, const corner c[4], bool triangle, int n)
{
    rico_status status = RICO_OK;
    for (int i = 0; status == RICO_OK && i < n; i++)
        for (int j = 0; status == RICO_OK && j < n; j++) {
            double a = (double)i / n, b = (double)j / n, d = 1.0 / n;
            const corner piece[4] = {blend(c, a, b), blend(c, a + d, b), blend(c, a + d, b + d),
                                     blend(c, a, b + d)};
            // towards the point of a triangle pieces have three corners
            status = add_patch(p, triangle && j == n - 1 ? 3 : 4, piece, false);
        }
    return status;
}


// With middles of edges: its corners cut off, and what is left.
static rico_status add_curved(mesh_picture *p, const drawn_face *face, int n)
{
    rico_status status = RICO_OK;
    int corners = face->corners;
    corner c[4];
    for (int k = 0; status == RICO_OK && k < corners; k++) {
        c[0] = corner_of(p, face, corners + (k + corners - 1) % corners);
        c[1] = corner_of(p, face, k);
        c[2] = c[3] = corner_of(p, face, corners + k);
        status = add_pieces(p, c, true, n);
    }
    for (int k = 0; k < 4; k++) c[k] = corner_of(p, face, corners + (k < corners ? k : corners - 1));
    return status == RICO_OK ? add_pieces(p, c, corners == 3, n) : status;
}


// A rod: a strip of some pixels across.
static rico_status add_strip(mesh_picture *p, const drawn_face *face)
{
    corner end[2] = {corner_of(p, face, 0), corner_of(p, face, 1)}, c[4];
    double dx = end[1].x[0] - end[0].x[0], dy = end[1].x[1] - end[0].x[1], length = hypot(dx, dy),
           half = 4.0 / p->painting.scale;
    if (!(length > 0.0)) return RICO_OK;
    for (int k = 0; k < 4; k++) {
        double side = k < 2 ? -half : half;
        c[k] = end[k == 0 || k == 3 ? 0 : 1];
        c[k].x[0] -= side * dy / length;
        c[k].x[1] += side * dx / length;
    }
    return add_pieces(p, c, false, 4);
}


static rico_status add_edges(mesh_picture *p, const drawn_face *face)
{
    int corners = face->corners, ring = face->nodes;
    rico_status status = RICO_OK;
    for (int k = 0; status == RICO_OK && k < ring; k++) {
        // corner, middle, corner, ... where there are middles
        int one = ring == corners ? k
                  : k % 2         ? corners + k / 2
                                  : k / 2,
            next = (k + 1) % ring,
            two = ring == corners ? next
                  : next % 2      ? corners + next / 2
                                  : next / 2;
        const corner ends[2] = {corner_of(p, face, one), corner_of(p, face, two)};
        status = add_patch(p, 2, ends, true);
    }
    return status;
}


static rico_status add_patches(mesh_picture *p)
{
    int n = (int)sqrt((double)MOST_PATCHES / (double)(p->count > 0 ? p->count : 1));
    bool edges = p->count <= MOST_EDGES && !p->options->no_edges;
    rico_status status = RICO_OK;
    n = n < 1 ? 1 : n > FINEST ? FINEST : n;
    for (int64_t f = 0; status == RICO_OK && f < p->count; f++) {
        const drawn_face *face = &p->face[f];
        if (face->corners == 2) {
            status = add_strip(p, face);
            continue;
        }
        if (face->nodes > face->corners) {
            status = add_curved(p, face, (n + 1) / 2);
        } else {
            corner c[4];
            for (int k = 0; k < 4; k++) c[k] = corner_of(p, face, k < face->corners ? k : face->corners - 1);
            status = add_pieces(p, c, face->corners == 3, n);
        }
        if (status == RICO_OK && edges) status = add_edges(p, face);
    }
    return status;
}


// --- the page --------------------------------------------------------------------------------------------------------

static void lay_out(mesh_picture *p)
{
    rico_painting *to = &p->painting;
    double wide = to->high[0] - to->low[0], tall = to->high[1] - to->low[1], room = 0.5 * (wide + tall);
    wide = fmax(wide, 0.1 * room), tall = fmax(tall, 0.1 * room);
    to->width = p->options->width > 0.0 ? p->options->width : 720.0;
    to->margin = 110.0;
    to->scale = fmin((to->width - to->margin - 40.0) / wide, to->width * 0.8 / tall);
    to->height = fmax(to->scale * tall, 0.3 * to->width) + 90.0;
}


static const char *title_of(const mesh_picture *p)
{
    if (p->options->title) return p->options->title;
    const rico_results *results = p->view->results;
    for (int64_t i = 0; i < rico_results_note_count(results); i++)
        if (strcmp(rico_results_note(results, i)->name, "title") == 0)
            return rico_results_note(results, i)->text;
    return "";
}


static rico_status find_field(rico_context *ctx, const char *name, int *field)
{
    rico_suggestion near;
    char hint[RICO_SUGGEST_SENTENCE];
    *field = rico_elastic_field_find(name);
    if (*field >= 0) return RICO_OK;
    rico_suggest_start(&near, name);
    for (int i = 0; rico_elastic_field_name(i); i++) rico_suggest_offer(&near, rico_elastic_field_name(i));
    return rico_fail(
        ctx, RICO_BAD_ARGUMENT,
        "there is no field '%.40s'%s; there are von-mises, pressure, status, u, ux, uy, uz, v, vx, vy, "
        "vz, sxx, syy, szz, sxy, syz, szx",
        name, rico_suggest_sentence(&near, "", hint));
}


static rico_status read_values(mesh_picture *p, int field)
{
    p->value = rico_alloc(p->ctx, p->view->count, sizeof(double *));
    if (!p->value) return RICO_NO_MEMORY;
    for (int64_t m = 0; m < p->view->count; m++) {
        p->value[m] = rico_alloc(p->ctx, p->view->mesh[m].nodes, sizeof(double));
        if (!p->value[m]) return RICO_NO_MEMORY;
        rico_elastic_field_values(&p->view->mesh[m], field, p->value[m]);
    }
    return RICO_OK;
}


static rico_status paint(mesh_picture *p, int field, const char *path)
{
    rico_paint_colour legend[LEGEND];
    char note[120];
    int64_t row = rico_elastic_view_find(p->view, p->options->t);
    if (row < 0) return rico_fail(p->ctx, RICO_BAD_INPUT, "there are no states in it yet");
    rico_status status = rico_elastic_view_read(p->view, row);
    if (status == RICO_OK) status = read_values(p, field);
    if (status != RICO_OK) return status;
    find_bounds(p);
    lay_out(p);
    for (int64_t m = 0; status == RICO_OK && m < p->view->count; m++)
        status = add_mesh(p, &p->view->mesh[m], p->value[m]);
    if (status == RICO_OK && p->space && p->count > 0)
        qsort(p->face, (size_t)p->count, sizeof *p->face, far_first);
    if (status == RICO_OK) status = add_patches(p);
    p->painting.order = rico_alloc(p->ctx, p->painting.patch_count, sizeof *p->painting.order);
    if (!p->painting.order) status = RICO_NO_MEMORY;
    if (status != RICO_OK) return status;
    for (int64_t i = 0; i < p->painting.patch_count; i++) p->painting.order[i] = i;
    for (int i = 0; i < LEGEND; i++) legend[i] = colour_of((i + 0.5) / LEGEND);
    snprintf(note, sizeof note, p->options->scale == 1.0 ? "t = %.6g" : "t = %.6g, displacements times %g",
             p->view->time[row], p->options->scale);
    p->painting.title = title_of(p);
    p->painting.note = note;
    p->painting.legend = (rico_paint_legend){LEGEND, legend, p->low, p->high, rico_elastic_field_help(field)};
    return rico_painting_write(&p->painting, path);
}


rico_status rico_mesh_picture(rico_context *ctx, rico_results *results,
                              const rico_mesh_picture_options *options, const char *path)
{
    mesh_picture p = {.ctx = ctx, .options = options, .painting = {.ctx = ctx}};
    int field;
    rico_status status = find_field(ctx, options->field ? options->field : "von-mises", &field);
    if (status == RICO_OK) status = rico_elastic_view_open(ctx, results, &p.view);
    if (status != RICO_OK) return status;
    for (int64_t m = 0; m < p.view->count; m++)
        p.space |= rico_mesh_look(p.view->mesh[m].mesh).dimension == 3;
    p.axes = rico_view_axes(p.space ? options->from : RICO_VIEW_Z);
    status = paint(&p, field, path);
    for (int64_t m = 0; p.value && m < p.view->count; m++) rico_free(ctx, p.value[m]);
    void *all[] = {(void *)p.value, p.face, p.painting.patch, p.painting.point, p.painting.order};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(ctx, all[i]);
    rico_elastic_view_destroy(p.view);
    return status;
}
