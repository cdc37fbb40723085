// A picture of rigid bodies, from a result file to patches in the axes of the view.

#include "draw/body_picture.h"

#include "base/context.h"
#include "draw/body_paint.h"
#include "store/body_surface.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const rico_view_names[] = {"iso", "x", "y", "z", NULL};

// Right, up and towards the eye: from above on the right; from the right; from the front; from above.
static const double AXES[][9] = {
    [RICO_VIEW_ISO] = {0.84804809615642596, 0.5299192642332049, 0, -0.22395355831314745, 0.35840061227013825,
                       0.90630778703664994, 0.48026995567528569, -0.76859259332817453, 0.42261826174069944},
    [RICO_VIEW_X] = {0, 1, 0, 0, 0, 1, 1, 0, 0},
    [RICO_VIEW_Y] = {1, 0, 0, 0, 0, 1, 0, -1, 0},
    [RICO_VIEW_Z] = {1, 0, 0, 0, 1, 0, 0, 0, 1},
};


const double *rico_view_axes(rico_view_from from)
{
    return AXES[from];
}


// Okabe and Ito's colours, lightened for faces; what does not move is grey.
static const rico_paint_colour PALETTE[] = {{{0.34, 0.65, 0.87}}, {{0.93, 0.60, 0.28}}, {{0.30, 0.72, 0.58}},
                                            {{0.85, 0.58, 0.74}}, {{0.95, 0.86, 0.40}}, {{0.55, 0.55, 0.80}},
                                            {{0.70, 0.50, 0.36}}};
static const rico_paint_colour FIXED = {{0.82, 0.82, 0.80}}, MOVED = {{0.66, 0.70, 0.74}};

typedef struct picture {
    rico_context *ctx;
    rico_body_view *view;
    const double *axes;
    rico_stand *stand;
    rico_painting painting;
    rico_polygons polygons;
    double low[3], high[3]; // of what is to be seen, in the world
    int around;
} picture;


static void to_view(const picture *p, const double x[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = p->axes[3 * i] * x[0] + p->axes[3 * i + 1] * x[1] + p->axes[3 * i + 2] * x[2];
}


// --- what is to be seen ----------------------------------------------------------------------------------------------

static bool endless(const rico_viewed_shape *shape)
{
    return shape->faces == 0 && shape->kind->sizes[0] == '\0';
}


// Takes a point into the bounds, in the world and on the page.
static void reach_out(picture *p, const double x[3], const double limit[2][3])
{
    double held[3], page[3];
    for (int c = 0; c < 3; c++) {
        held[c] = limit ? fmin(fmax(x[c], limit[0][c]), limit[1][c]) : x[c];
        p->low[c] = fmin(p->low[c], held[c]);
        p->high[c] = fmax(p->high[c], held[c]);
    }
    to_view(p, held, page);
    for (int i = 0; i < 2; i++) {
        p->painting.low[i] = fmin(p->painting.low[i], page[i]);
        p->painting.high[i] = fmax(p->painting.high[i], page[i]);
    }
}


// Bounds of the bodies, the free ones or the others; those that stand still count as far as they are near the free ones.
static rico_status widen(picture *p, bool free, const double limit[2][3])
{
    static const double NOWHERE[3] = {0.0};
    for (int64_t i = 0; i < p->view->body_count; i++) {
        const rico_viewed_body *body = &p->view->body[i];
        if ((body->type == RICO_BODY_FREE) != free) continue;
        for (int64_t s = body->shape; s < body->shape + body->shapes; s++) {
            const rico_viewed_shape *shape = &p->view->shape[s];
            rico_stand stand = rico_stand_within(&p->stand[i], &shape->stand);
            if (endless(shape)) continue;
            rico_polygons_clear(&p->polygons);
            rico_status status = rico_polygons_add(&p->polygons, p->view, shape, &stand, 16, 1.0, NOWHERE);
            if (status != RICO_OK) return status;
            for (int64_t k = 0; k < p->polygons.vertices; k++)
                reach_out(p, p->polygons.vertex + 3 * k, limit);
        }
    }
    return RICO_OK;
}


static void widen_beams(picture *p)
{
    for (int64_t b = 0; b < p->view->beam_count; b++)
        for (int64_t i = 0; i < p->view->beam[b].nodes; i++)
            reach_out(p, p->stand[p->view->beam[b].first + i].position, NULL);
}


static rico_status find_bounds(picture *p)
{
    for (int i = 0; i < 3; i++) p->low[i] = INFINITY, p->high[i] = -INFINITY;
    for (int i = 0; i < 2; i++) p->painting.low[i] = INFINITY, p->painting.high[i] = -INFINITY;
    rico_status status = widen(p, true, NULL);
    if (status != RICO_OK) return status;
    widen_beams(p);
    bool some = isfinite(p->low[0]);
    double limit[2][3], size = 0.0;
    for (int i = 0; some && i < 3; i++) size = fmax(size, p->high[i] - p->low[i]);
    for (int i = 0; some && i < 3; i++) {
        limit[0][i] = p->low[i] - 0.5 * size;
        limit[1][i] = p->high[i] + 0.5 * size;
    }
    status = widen(p, false, some ? (const double(*)[3])limit : NULL);
    if (status == RICO_OK && !isfinite(p->low[0]))
        status = rico_fail(p->ctx, RICO_BAD_INPUT, "no body has a shape that could be drawn");
    return status;
}


// --- patches ---------------------------------------------------------------------------------------------------------

static rico_patch *add_patch(picture *p)
{
    rico_painting *to = &p->painting;
    if (to->patch_count == to->patch_room) {
        rico_patch *more =
            rico_grow(p->ctx, to->patch, to->patch_count, 2 * to->patch_room + 64, sizeof *more);
        if (!more) return NULL;
        to->patch = more;
        to->patch_room = 2 * to->patch_room + 64;
    }
    to->patch[to->patch_count] = (rico_patch){0};
    return &to->patch[to->patch_count++];
}


static bool add_point(picture *p, const double x[3])
{
    rico_painting *to = &p->painting;
    if (to->point_count == to->point_room) {
        double *more =
            rico_grow(p->ctx, to->point, 3 * to->point_count, 6 * to->point_room + 768, sizeof *more);
        if (!more) return false;
        to->point = more;
        to->point_room = 2 * to->point_room + 256;
    }
    to_view(p, x, to->point + 3 * to->point_count++);
    return true;
}


// Bounds, and the plane by Newell's sum over the edges; a polygon that looks away is turned round.
static void measure(picture *p, rico_patch *patch)
{
    double n[3] = {0.0}, middle[3] = {0.0}, area = 0.0;
    for (int i = 0; i < 3; i++) patch->low[i] = INFINITY, patch->high[i] = -INFINITY;
    for (int64_t k = 0; k < patch->count; k++) {
        const double *a = p->painting.point + 3 * (patch->first + k),
                     *b = p->painting.point + 3 * (patch->first + (k + 1) % patch->count);
        n[0] += (a[1] - b[1]) * (a[2] + b[2]);
        n[1] += (a[2] - b[2]) * (a[0] + b[0]);
        n[2] += (a[0] - b[0]) * (a[1] + b[1]);
        for (int i = 0; i < 3; i++) {
            middle[i] += a[i] / (double)patch->count;
            patch->low[i] = fmin(patch->low[i], a[i]);
            patch->high[i] = fmax(patch->high[i], a[i]);
        }
    }
    area = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    patch->flat = !(area > 0.0) || fabs(n[2]) < 1e-6 * area;
    double towards = n[2] < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < 3; i++) patch->normal[i] = area > 0.0 ? towards * n[i] / area : 0.0;
    patch->offset =
        patch->normal[0] * middle[0] + patch->normal[1] * middle[1] + patch->normal[2] * middle[2];
}


// Does the face look away from the eye? Those of closed surfaces are not seen.
static bool looks_away(const picture *p, int64_t begin, int64_t end)
{
    double area = 0.0;
    for (int64_t k = begin; k < end; k++) {
        double a[3], b[3];
        int64_t next = k + 1 < end ? k + 1 : begin;
        to_view(p, p->polygons.vertex + 3 * p->polygons.corner[k], a);
        to_view(p, p->polygons.vertex + 3 * p->polygons.corner[next], b);
        area += a[0] * b[1] - b[0] * a[1];
    }
    return area <= 0.0;
}


static rico_status add_faces(picture *p, const rico_patch *like, bool closed)
{
    for (int64_t f = 0, begin = 0; f < p->polygons.faces; f++) {
        int64_t end = p->polygons.face_end[f];
        if (!closed || !looks_away(p, begin, end)) {
            rico_patch *patch = add_patch(p);
            if (!patch) return RICO_NO_MEMORY;
            *patch = *like;
            patch->first = p->painting.point_count;
            patch->count = end - begin;
            for (int64_t k = begin; k < end; k++)
                if (!add_point(p, p->polygons.vertex + 3 * p->polygons.corner[k])) return RICO_NO_MEMORY;
            measure(p, patch);
            if (closed && patch->flat) p->painting.patch_count--; // seen edge on
        }
        begin = end;
    }
    return RICO_OK;
}


static rico_status add_disc(picture *p, const rico_patch *like, const rico_stand *stand, double radius)
{
    rico_patch *patch = add_patch(p);
    if (!patch) return RICO_NO_MEMORY;
    *patch = *like;
    patch->disc = true;
    patch->radius = radius;
    to_view(p, stand->position, patch->center);
    for (int i = 0; i < 3; i++) {
        patch->low[i] = patch->center[i] - radius;
        patch->high[i] = patch->center[i] + radius;
    }
    return RICO_OK;
}


// Kinds that are drawn with the edges of their faces; of fine surfaces they would be all that one sees.
static bool has_edges(const rico_viewed_shape *shape)
{
    return (shape->faces > 0 && shape->faces < 100) || shape->kind->planar || endless(shape);
}


static rico_status add_body(picture *p, int64_t index)
{
    const rico_viewed_body *body = &p->view->body[index];
    double span = 0.0, middle[3];
    for (int i = 0; i < 3; i++) {
        span = fmax(span, 0.75 * (p->high[i] - p->low[i]));
        middle[i] = 0.5 * (p->low[i] + p->high[i]);
    }
    rico_patch like = {.body = index,
                       .faint = body->sensor != 0,
                       .colour = body->type == RICO_BODY_FREE
                                     ? PALETTE[body->shape % (int64_t)(sizeof PALETTE / sizeof *PALETTE)]
                                 : body->type == RICO_BODY_FIXED ? FIXED
                                                                 : MOVED};
    rico_status status = RICO_OK;
    for (int64_t s = body->shape; status == RICO_OK && s < body->shape + body->shapes; s++) {
        const rico_viewed_shape *shape = &p->view->shape[s];
        rico_stand stand = rico_stand_within(&p->stand[index], &shape->stand);
        bool ball = strcmp(shape->kind->name, "sphere") == 0;
        like.outlined = has_edges(shape);
        if (ball) {
            status = add_disc(p, &like, &stand, shape->size[0]);
            continue;
        }
        rico_polygons_clear(&p->polygons);
        status = rico_polygons_add(&p->polygons, p->view, shape, &stand, p->around, span, middle);
        if (status == RICO_OK)
            status = add_faces(p, &like, !shape->kind->planar && !endless(shape) && shape->kind->solid);
    }
    return status;
}


// An element of a beam: a strip across the line of sight, as wide as the beam is and no finer than a hair.
static rico_status add_element(picture *p, const rico_viewed_beam *beam, int64_t element)
{
    int64_t body = beam->first + element;
    double a[3], b[3], across[2], half = fmax(0.5 * beam->width, 1.0 / p->painting.scale);
    to_view(p, p->stand[body].position, a);
    to_view(p, p->stand[body + 1].position, b);
    double length = hypot(b[0] - a[0], b[1] - a[1]);
    if (!(length > 0.0)) return RICO_OK; // seen end on
    across[0] = -half * (b[1] - a[1]) / length;
    across[1] = half * (b[0] - a[0]) / length;
    rico_patch *patch = add_patch(p);
    if (!patch) return RICO_NO_MEMORY;
    patch->body = body;
    patch->colour = PALETTE[0];
    patch->first = p->painting.point_count;
    patch->count = 4;
    for (int k = 0; k < 4; k++) {
        const double *end = k == 0 || k == 3 ? a : b, side = k < 2 ? -1.0 : 1.0;
        double *to;
        if (!add_point(p, end)) return RICO_NO_MEMORY;
        to = p->painting.point + 3 * (p->painting.point_count - 1);
        for (int i = 0; i < 3; i++) to[i] = end[i] + (i < 2 ? side * across[i] : 0.0);
    }
    measure(p, patch);
    return RICO_OK;
}


static rico_status add_beams(picture *p)
{
    rico_status status = RICO_OK;
    for (int64_t b = 0; b < p->view->beam_count; b++)
        for (int64_t e = 0; status == RICO_OK && e + 1 < p->view->beam[b].nodes; e++)
            status = add_element(p, &p->view->beam[b], e);
    return status;
}


// --- forces ----------------------------------------------------------------------------------------------------------

// What the first body feels of the impulse goes the other way; the arrow shows what the second one feels.
static void impulse_in_world(const rico_viewed_contact *contact, double f[3])
{
    for (int i = 0; i < 3; i++)
        f[i] = contact->frame[i] * contact->impulse[0] + contact->frame[3 + i] * contact->impulse[1] +
               contact->frame[6 + i] * contact->impulse[2];
}


static rico_status add_arrows(picture *p, int64_t row, double *largest)
{
    rico_viewed_contact *contact = NULL;
    int64_t count;
    double size = 0.0;
    *largest = 0.0;
    rico_status status = rico_body_view_contacts(p->view, row, &count, &contact);
    if (status != RICO_OK) return status;
    rico_painting *to = &p->painting;
    to->arrow = rico_alloc(p->ctx, count, sizeof *to->arrow);
    if (!to->arrow) status = RICO_NO_MEMORY;
    for (int64_t i = 0; status == RICO_OK && i < count; i++) {
        double f[3];
        impulse_in_world(&contact[i], f);
        *largest = fmax(*largest, sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]));
    }
    for (int i = 0; i < 3; i++) size = fmax(size, p->high[i] - p->low[i]);
    for (int64_t i = 0; status == RICO_OK && *largest > 0.0 && i < count; i++) {
        double f[3], from[3], tip[3];
        if (!(contact[i].impulse[0] > 0.0)) continue;
        impulse_in_world(&contact[i], f);
        // seen on the body that moves
        double way = p->view->body[contact[i].body_b].type == RICO_BODY_FREE ? 1.0 : -1.0;
        for (int k = 0; k < 3; k++) {
            from[k] = 0.5 * (contact[i].a[k] + contact[i].b[k]);
            tip[k] = from[k] + way * 0.2 * size / *largest * f[k];
        }
        rico_arrow *arrow = &to->arrow[to->arrow_count++];
        to_view(p, from, arrow->from);
        to_view(p, tip, arrow->to);
    }
    rico_free(p->ctx, contact);
    return status;
}


// --- the page --------------------------------------------------------------------------------------------------------

static void lay_out(picture *p, double width)
{
    rico_painting *to = &p->painting;
    double wide = to->high[0] - to->low[0], tall = to->high[1] - to->low[1], room = 0.5 * (wide + tall);
    wide = fmax(wide, 0.1 * room), tall = fmax(tall, 0.1 * room);
    to->width = width > 0.0 ? width : 720.0;
    to->scale = fmin((to->width - 60.0) / wide, to->width * 0.9 / tall);
    to->height = fmax(to->scale * tall, 0.25 * to->width) + 90.0;
}


static const char *title_of(const picture *p, const rico_picture_options *options)
{
    if (options->title) return options->title;
    for (int64_t i = 0; i < rico_results_note_count(p->view->results); i++)
        if (strcmp(rico_results_note(p->view->results, i)->name, "title") == 0)
            return rico_results_note(p->view->results, i)->text;
    return "";
}


static rico_status paint(picture *p, const rico_picture_options *options, const char *path)
{
    int64_t row, bodies = p->view->body_count;
    double time, largest = 0.0;
    char note[120];
    rico_status status = rico_body_view_find(p->view, options->t, &row, &time);
    if (status == RICO_OK) status = rico_body_view_stands(p->view, row, p->stand, NULL);
    if (status == RICO_OK) status = find_bounds(p);
    if (status != RICO_OK) return status;
    p->around = bodies < 60 ? 48 : bodies < 600 ? 24 : 12;
    lay_out(p, options->width);
    status = add_beams(p);
    for (int64_t i = 0; status == RICO_OK && i < bodies; i++) status = add_body(p, i);
    if (status == RICO_OK && !options->no_forces) status = add_arrows(p, row, &largest);
    if (status == RICO_OK) status = rico_painting_sort(&p->painting);
    if (status != RICO_OK) return status;
    if (largest > 0.0)
        snprintf(note, sizeof note, "t = %.6g, largest impulse %.3g", time, largest);
    else
        snprintf(note, sizeof note, "t = %.6g", time);
    p->painting.title = title_of(p, options);
    p->painting.note = note;
    return rico_painting_write(&p->painting, path);
}


rico_status rico_body_picture(rico_context *ctx, rico_results *results, const rico_picture_options *options,
                              const char *path)
{
    picture p = {.ctx = ctx, .painting = {.ctx = ctx}, .polygons = {.ctx = ctx}};
    rico_status status = rico_body_view_open(ctx, results, &p.view);
    if (status != RICO_OK) return status;
    p.axes = rico_view_axes(p.view->dimension == 2 ? RICO_VIEW_Z : options->from);
    p.stand = rico_alloc(ctx, p.view->body_count, sizeof *p.stand);
    status = p.stand ? paint(&p, options, path) : RICO_NO_MEMORY;
    rico_polygons_release(&p.polygons);
    void *all[] = {p.painting.patch, p.painting.point, p.painting.arrow, p.painting.order, p.stand};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(ctx, all[i]);
    rico_body_view_destroy(p.view);
    return status;
}
