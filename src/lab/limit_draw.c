// A picture of a structure: moved along its mechanism, where it stood behind it, and the forces of its contacts as arrows.

#include "collide/look.h"
#include "collide/stand.h"
#include "draw/body_paint.h"
#include "draw/body_picture.h"
#include "lab/limit_report.h"
#include "model/bodies_look.h"
#include "store/body_surface.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double MOVED = 0.06,
                    ARROW = 0.16; // largest way and longest arrow, over the size of the structure
static const rico_paint_colour RESTS = {{0.80, 0.80, 0.78}}, GOES = {{0.93, 0.66, 0.38}},
                               FIXED = {{0.62, 0.62, 0.60}}, HINGE = {{0.78, 0.10, 0.12}};

typedef struct picture {
    rico_context *ctx;
    const rico_limit_report *report;
    const rico_bodies *bodies;
    rico_place place;
    const double *q, *axes; // state, and axes of the view
    rico_painting painting;
    rico_polygons polygons;
    double low[3], high[3], size; // of the free bodies
    double way;                   // that the velocities are taken for
    double most;                  // the largest force
} picture;


static void to_view(const picture *p, const double x[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = p->axes[3 * i] * x[0] + p->axes[3 * i + 1] * x[1] + p->axes[3 * i + 2] * x[2];
}


// --- bodies --------------------------------------------------------------------------------------------------------

// The corners and faces of a piece of a shape, as pictures take them.
static rico_status add_piece(picture *p, const rico_shape *piece, const rico_stand *stand)
{
    rico_shape_faces faces;
    bool has = rico_shape_has_faces(piece, &faces);
    int64_t corners = !has ? 0 : faces.loop ? faces.loop[faces.faces] : faces.vertices;
    rico_viewed_shape shape = {
        .kind = rico_shape_kind_of(piece), .vertices = faces.vertices, .faces = faces.faces};
    rico_body_view view = {.ctx = p->ctx, .vertex_count = faces.vertices, .face_count = faces.faces};
    rico_shape_sizes(piece, shape.size);
    view.vertex = rico_alloc(p->ctx, 3 * faces.vertices, sizeof *view.vertex);
    view.face_start = rico_alloc(p->ctx, faces.faces + 1, sizeof *view.face_start);
    view.corner = rico_alloc(p->ctx, corners, sizeof *view.corner);
    rico_status status = view.vertex && view.face_start && view.corner ? RICO_OK : RICO_NO_MEMORY;
    for (int64_t i = 0; status == RICO_OK && i < faces.vertices; i++) {
        const double *x = faces.vertex ? faces.vertex + 3 * i : faces.planar + 2 * i;
        view.vertex[3 * i] = x[0], view.vertex[3 * i + 1] = x[1],
                        view.vertex[3 * i + 2] = faces.vertex ? x[2] : 0.0;
    }
    for (int64_t f = 0; status == RICO_OK && f < faces.faces; f++)
        view.face_start[f + 1] = faces.loop ? faces.loop[f + 1] : faces.vertices;
    for (int64_t k = 0; status == RICO_OK && k < corners; k++)
        view.corner[k] = faces.corner ? faces.corner[k] : k;
    double middle[3];
    for (int i = 0; i < 3; i++) middle[i] = 0.5 * (p->low[i] + p->high[i]);
    rico_polygons_clear(&p->polygons);
    if (status == RICO_OK)
        status = rico_polygons_add(&p->polygons, &view, &shape, stand, 32, 0.7 * p->size, middle);
    rico_free(p->ctx, view.vertex);
    rico_free(p->ctx, view.face_start);
    rico_free(p->ctx, view.corner);
    return status;
}


// The motion of a point of a body, in the axes of the world.
static void velocity_of(const picture *p, int64_t body, const double x[3], double out[3])
{
    int64_t at = rico_bodies_velocity(p->bodies, body), position = rico_bodies_position(p->bodies, body);
    out[0] = out[1] = out[2] = 0.0;
    if (at < 0 || !p->report->has_motion) return;
    const double *v = p->report->velocity + p->place.v + at, *c = p->q + p->place.q + position;
    if (rico_bodies_dimension(p->bodies) == 2) {
        out[0] = v[0] - v[2] * (x[1] - c[1]);
        out[1] = v[1] + v[2] * (x[0] - c[0]);
        return;
    }
    rico_stand stand;
    double spin[3], arm[3] = {x[0] - c[0], x[1] - c[1], x[2] - c[2]};
    if (!rico_bodies_stand(p->bodies, body, 0.0, p->q + p->place.q, &stand)) return;
    rico_stand_turn(&stand, v + 3, spin);
    for (int i = 0; i < 3; i++)
        out[i] = v[i] + spin[(i + 1) % 3] * arm[(i + 2) % 3] - spin[(i + 2) % 3] * arm[(i + 1) % 3];
}


// All polygons of a body where it stands, one piece after the other, handed to `take`.
static rico_status each_piece(picture *p, int64_t body, rico_status (*take)(picture *, int64_t))
{
    const rico_shape *shape = rico_bodies_shape(p->bodies, body);
    rico_stand stand, own;
    if (!shape || !rico_bodies_stand(p->bodies, body, 0.0, p->q + p->place.q, &stand)) return RICO_OK;
    rico_status status = RICO_OK;
    for (int64_t k = 0; status == RICO_OK && k < rico_shape_pieces(shape); k++) {
        const rico_shape *piece = rico_shape_piece(shape, k, &own);
        rico_stand at = rico_stand_within(&stand, &own);
        status = add_piece(p, piece, &at);
        if (status == RICO_OK) status = take(p, body);
    }
    return status;
}


static rico_status take_bounds(picture *p, int64_t body)
{
    for (int64_t k = 0; k < p->polygons.vertices; k++) {
        double v[3];
        velocity_of(p, body, p->polygons.vertex + 3 * k, v);
        p->way = fmax(p->way, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
        for (int i = 0; i < 3; i++) {
            p->low[i] = fmin(p->low[i], p->polygons.vertex[3 * k + i]);
            p->high[i] = fmax(p->high[i], p->polygons.vertex[3 * k + i]);
        }
    }
    return RICO_OK;
}


// --- patches -------------------------------------------------------------------------------------------------------

static rico_patch *begin_patch(picture *p, rico_paint_colour colour, int64_t body, int64_t points)
{
    rico_painting *to = &p->painting;
    if (to->patch_count == to->patch_room) {
        rico_patch *more =
            rico_grow(p->ctx, to->patch, to->patch_room, 2 * to->patch_room + 64, sizeof *more);
        if (!more) return NULL;
        to->patch = more;
        to->patch_room = 2 * to->patch_room + 64;
    }
    if (to->point_count + points > to->point_room) {
        int64_t room = 2 * (to->point_count + points) + 256;
        double *more = rico_grow(p->ctx, to->point, 3 * to->point_room, 3 * room, sizeof *more);
        if (!more) return NULL;
        to->point = more;
        to->point_room = room;
    }
    rico_patch *patch = &to->patch[to->patch_count++];
    *patch = (rico_patch){
        .body = body, .colour = colour, .outlined = true, .first = to->point_count, .count = points};
    to->point_count += points;
    return patch;
}


// Bounds and plane of a patch, turned towards the eye.
static void end_patch(picture *p, rico_patch *patch, double lift)
{
    double n[3] = {0.0}, middle[3] = {0.0}, *point = p->painting.point + 3 * patch->first;
    for (int i = 0; i < 3; i++) patch->low[i] = INFINITY, patch->high[i] = -INFINITY;
    for (int64_t k = 0; k < patch->count; k++) {
        double *a = point + 3 * k, *b = point + 3 * ((k + 1) % patch->count);
        if (k == 0) a[2] += lift;
        if (k + 1 < patch->count) b[2] += lift;
        for (int i = 0; i < 3; i++) {
            n[i] += (a[(i + 1) % 3] - b[(i + 1) % 3]) * (a[(i + 2) % 3] + b[(i + 2) % 3]);
            middle[i] += a[i] / (double)patch->count;
            patch->low[i] = fmin(patch->low[i], a[i]);
            patch->high[i] = fmax(patch->high[i], a[i]);
        }
    }
    double area = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), towards = n[2] < 0.0 ? -1.0 : 1.0;
    patch->flat = !(area > 0.0) || fabs(n[2]) < 1e-6 * area;
    for (int i = 0; i < 3; i++) patch->normal[i] = area > 0.0 ? towards * n[i] / area : 0.0;
    patch->offset =
        patch->normal[0] * middle[0] + patch->normal[1] * middle[1] + patch->normal[2] * middle[2];
    for (int i = 0; i < 2; i++) {
        p->painting.low[i] = fmin(p->painting.low[i], patch->low[i]);
        p->painting.high[i] = fmax(p->painting.high[i], patch->high[i]);
    }
}


// The polygons at hand, moved or as they stand. Of solids in space those faces that look away are left out.
static rico_status add_faces(picture *p, int64_t body, rico_paint_colour colour, bool moved, double lift)
{
    bool solid = rico_bodies_dimension(p->bodies) == 3 &&
                 rico_shape_kind_of(rico_bodies_shape(p->bodies, body))->solid;
    for (int64_t f = 0, begin = 0; f < p->polygons.faces; begin = p->polygons.face_end[f++]) {
        int64_t count = p->polygons.face_end[f] - begin;
        rico_patch *patch = begin_patch(p, colour, body, count);
        if (!patch) return RICO_NO_MEMORY;
        double area = 0.0, *point = p->painting.point + 3 * patch->first;
        for (int64_t k = 0; k < count; k++) {
            double v[3], x[3];
            memcpy(x, p->polygons.vertex + 3 * p->polygons.corner[begin + k], sizeof x);
            velocity_of(p, body, x, v);
            for (int i = 0; moved && i < 3; i++) x[i] += p->way * v[i];
            to_view(p, x, point + 3 * k);
        }
        for (int64_t k = 0; k < count; k++) {
            const double *a = point + 3 * k, *b = point + 3 * ((k + 1) % count);
            area += a[0] * b[1] - b[0] * a[1];
        }
        if (solid && area <= 0.0) {
            p->painting.patch_count--;
            p->painting.point_count -= count;
            continue;
        }
        patch->plain = !solid;
        end_patch(p, patch, lift);
        if (solid && patch->flat) p->painting.patch_count--;
    }
    return RICO_OK;
}


static int64_t limit_body(const picture *p, int64_t body)
{
    int64_t at = rico_bodies_velocity(p->bodies, body);
    return at < 0 ? -1 : rico_limit_body_of(p->report->study.limit, p->place.v + at);
}


static rico_status take_faces(picture *p, int64_t body)
{
    int64_t own = limit_body(p, body);
    bool goes = own >= 0 && p->report->has_motion && p->report->moves[own],
         plane = rico_bodies_dimension(p->bodies) == 2;
    rico_status status = RICO_OK;
    if (goes && plane) status = add_faces(p, body, RESTS, false, -1e-3 * p->size);
    if (status == RICO_OK) status = add_faces(p, body, own < 0 ? FIXED : goes ? GOES : RESTS, true, 0.0);
    return status;
}


// --- forces and hinges -----------------------------------------------------------------------------------------------

// Where a contact is and what it does to the first body in its columns: arms follow from moments, sum of d x (r x d) = (size - 1) r over axes d.
static bool contact_at(const picture *p, int64_t block, const double *force, double x[3], double f[3])
{
    const rico_limit *limit = p->report->study.limit;
    rico_sparse_view H = rico_limit_matrix(limit);
    rico_block own = rico_limit_block(limit, block);
    int64_t row = rico_limit_block_row(limit, block);
    int dimension = rico_bodies_dimension(p->bodies), dofs = dimension == 2 ? 3 : 6;
    if (own.kind == RICO_EQUALITY || own.kind == RICO_BOX || own.size != dimension) return false;
    int64_t first = H.row[H.start[row]], body = -1, item = (first - p->place.v) / dofs,
            base = p->place.v + item * dofs;
    for (int64_t b = 0; b < rico_bodies_count(p->bodies); b++)
        if (rico_bodies_velocity(p->bodies, b) == item * dofs) body = b;
    rico_stand stand;
    if (body < 0 || !rico_bodies_stand(p->bodies, body, 0.0, p->q + p->place.q, &stand)) return false;
    double arm[3] = {0.0};
    f[0] = f[1] = f[2] = 0.0;
    for (int j = 0; j < own.size; j++) {
        double d[3] = {0.0}, turn[3] = {0.0}, moment[3];
        for (int64_t at = H.start[row + j]; at < H.start[row + j + 1]; at++) {
            int64_t i = H.row[at] - base;
            if (i < 0 || i >= dofs) continue;
            *(i < dimension ? &d[i] : dimension == 2 ? &turn[2] : &turn[i - 3]) = H.value[at];
        }
        memcpy(moment, turn, sizeof moment);
        if (dimension == 3) rico_stand_turn(&stand, turn, moment);
        for (int i = 0; i < 3; i++) {
            arm[i] += (d[(i + 1) % 3] * moment[(i + 2) % 3] - d[(i + 2) % 3] * moment[(i + 1) % 3]) /
                      (dimension == 3 ? 2.0 : 1.0);
            f[i] += d[i] * force[row + j];
        }
    }
    const double *c = p->q + p->place.q + rico_bodies_position(p->bodies, body);
    for (int i = 0; i < 3; i++) x[i] = arm[i] + (i < dimension ? c[i] : 0.0);
    return true;
}


static rico_status add_forces(picture *p, const double *force)
{
    rico_painting *to = &p->painting;
    const rico_limit *limit = p->report->study.limit;
    int64_t blocks = rico_limit_block_count(limit);
    double x[3], f[3];
    to->arrow = rico_alloc(p->ctx, blocks, sizeof *to->arrow);
    if (!to->arrow) return RICO_NO_MEMORY;
    for (int64_t k = 0; k < blocks; k++)
        if (contact_at(p, k, force, x, f))
            p->most = fmax(p->most, sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]));
    for (int64_t k = 0; p->most > 0.0 && k < blocks; k++) {
        if (!contact_at(p, k, force, x, f)) continue;
        double tip[3], size = sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
        if (size < 1e-3 * p->most) continue;
        for (int i = 0; i < 3; i++) tip[i] = x[i] + ARROW * p->size * f[i] / p->most;
        rico_arrow *arrow = &to->arrow[to->arrow_count++];
        to_view(p, x, arrow->from);
        to_view(p, tip, arrow->to);
    }
    return RICO_OK;
}


// A dot where a contact rests or slides beside one between the same bodies that opens.
static rico_status add_hinges(picture *p, const double *force)
{
    const rico_limit *limit = p->report->study.limit;
    for (int64_t k = 0; p->report->has_motion && k < rico_limit_block_count(limit); k++) {
        double x[3], f[3];
        const char *name = rico_limit_block_name(limit, k), *dot = strrchr(name, '.');
        bool hinge = false;
        for (int64_t j = 0;
             dot && !hinge && p->report->mode[k] != RICO_LIMIT_OPENS && j < rico_limit_block_count(limit);
             j++)
            hinge = p->report->mode[j] == RICO_LIMIT_OPENS &&
                    strncmp(name, rico_limit_block_name(limit, j), (size_t)(dot - name) + 1) == 0;
        if (!hinge || !contact_at(p, k, force, x, f)) continue;
        rico_patch *patch = begin_patch(p, HINGE, -1, 0);
        if (!patch) return RICO_NO_MEMORY;
        patch->disc = patch->plain = true;
        patch->radius = 0.008 * p->size;
        to_view(p, x, patch->center);
        patch->center[2] += 2.0 * p->size; // in front of everything
        for (int i = 0; i < 3; i++) {
            patch->low[i] = patch->center[i] - patch->radius;
            patch->high[i] = patch->center[i] + patch->radius;
        }
    }
    return RICO_OK;
}


// --- the page ------------------------------------------------------------------------------------------------------

static rico_status paint(picture *p, const char *path)
{
    const rico_limit_report *r = p->report;
    const double *force = r->has_collapse ? r->collapse : r->force;
    rico_limit_mechanism mechanism;
    rico_status status = rico_limit_describe(r->study.limit, r->velocity, r->mode, r->moves, &mechanism);
    for (int i = 0; i < 3; i++) p->low[i] = INFINITY, p->high[i] = -INFINITY;
    for (int64_t b = 0; status == RICO_OK && b < rico_bodies_count(p->bodies); b++)
        if (rico_bodies_type(p->bodies, b) == RICO_BODY_FREE) status = each_piece(p, b, take_bounds);
    if (status == RICO_OK && !isfinite(p->low[0]))
        return rico_fail(p->ctx, RICO_BAD_ARGUMENT, "no body has a shape that could be drawn");
    for (int i = 0; i < 3; i++) p->size = fmax(p->size, p->high[i] - p->low[i]);
    p->way = p->way > 0.0 ? MOVED * p->size / p->way : 0.0;
    for (int i = 0; i < 2; i++) p->painting.low[i] = INFINITY, p->painting.high[i] = -INFINITY;
    for (int64_t b = 0; status == RICO_OK && b < rico_bodies_count(p->bodies); b++)
        if (rico_bodies_type(p->bodies, b) == RICO_BODY_FREE) status = each_piece(p, b, take_faces);
    double frame[4] = {p->painting.low[0], p->painting.low[1], p->painting.high[0], p->painting.high[1]},
           edge = 0.08 * p->size;
    for (int64_t b = 0; status == RICO_OK && b < rico_bodies_count(p->bodies); b++)
        if (rico_bodies_type(p->bodies, b) != RICO_BODY_FREE) status = each_piece(p, b, take_faces);
    for (int i = 0; i < 2; i++) { // what stands is shown as far as it is near
        p->painting.low[i] = fmax(p->painting.low[i], frame[i] - edge);
        p->painting.high[i] = fmin(p->painting.high[i], frame[2 + i] + edge);
    }
    if (status == RICO_OK) status = add_forces(p, force);
    if (status == RICO_OK) status = add_hinges(p, force);
    if (status == RICO_OK) status = rico_painting_sort(&p->painting);
    if (status != RICO_OK) return status;
    double wide = p->painting.high[0] - p->painting.low[0], tall = p->painting.high[1] - p->painting.low[1];
    char note[160];
    int length = snprintf(note, sizeof note, "largest force %.4g", p->most);
    if (r->has_collapse)
        length += snprintf(note + length, sizeof note - (size_t)length, ", load factor %.8g", r->bound.value);
    if (r->has_motion)
        snprintf(note + length, sizeof note - (size_t)length, ", mechanism: %s", mechanism.name);
    p->painting.width = 720.0;
    p->painting.scale = fmin(660.0 / fmax(wide, 0.2 * tall), 640.0 / fmax(tall, 0.1 * wide));
    p->painting.height = fmax(p->painting.scale * tall, 180.0) + 90.0;
    p->painting.title = rico_scene_title(r->study.scene);
    p->painting.note = note;
    return rico_painting_write(&p->painting, path);
}


rico_status rico_limit_report_draw(rico_limit_report *report, const char *path)
{
    picture p = {.ctx = report->ctx, .report = report};
    p.bodies = rico_scene_body_set(report->study.scene, &p.place, NULL);
    if (!p.bodies)
        return rico_fail(report->ctx, RICO_BAD_ARGUMENT,
                         "%s: pictures are of bodies, and the scene has none; --csv has the numbers", path);
    p.q = rico_scene_position(report->study.scene);
    p.axes = rico_view_axes(rico_bodies_dimension(p.bodies) == 2 ? RICO_VIEW_Z : RICO_VIEW_ISO);
    p.painting.ctx = p.polygons.ctx = report->ctx;
    rico_status status = paint(&p, path);
    rico_polygons_release(&p.polygons);
    rico_free(p.ctx, p.painting.patch);
    rico_free(p.ctx, p.painting.point);
    rico_free(p.ctx, p.painting.arrow);
    rico_free(p.ctx, p.painting.order);
    return status;
}
