// Surfaces of shapes as polygons.

#include "store/body_surface.h"

#include "base/context.h"

#include <math.h>
#include <string.h>

enum { MOST_AROUND = 512, PROFILE = 2 * MOST_AROUND };


void rico_polygons_release(rico_polygons *to)
{
    rico_free(to->ctx, to->vertex);
    rico_free(to->ctx, to->face_end);
    rico_free(to->ctx, to->corner);
}


void rico_polygons_clear(rico_polygons *to)
{
    to->vertices = to->faces = to->corners = 0;
}


static void *grow(rico_polygons *to, void *list, int64_t count, int64_t *room, size_t size)
{
    if (to->status != RICO_OK) return NULL;
    if (count < *room) return list;
    void *more = rico_grow(to->ctx, list, count, 2 * *room + 64, size);
    if (!more)
        to->status = RICO_NO_MEMORY;
    else
        *room = 2 * *room + 64;
    return more;
}


static void add_vertex(rico_polygons *to, double x, double y, double z)
{
    double *list = grow(to, to->vertex, to->vertices, &to->vertex_room, 3 * sizeof *list);
    if (!list) return;
    to->vertex = list;
    list[3 * to->vertices] = x;
    list[3 * to->vertices + 1] = y;
    list[3 * to->vertices++ + 2] = z;
}


static void add_corner(rico_polygons *to, int64_t vertex)
{
    int64_t *list = grow(to, to->corner, to->corners, &to->corner_room, sizeof *list);
    if (!list) return;
    to->corner = list;
    list[to->corners++] = vertex;
}


static void end_face(rico_polygons *to)
{
    int64_t *list = grow(to, to->face_end, to->faces, &to->face_room, sizeof *list);
    if (!list) return;
    to->face_end = list;
    list[to->faces++] = to->corners;
}


// --- round shapes --------------------------------------------------------------------------------------------------

// A line in the half plane r >= 0 from the lowest point to the highest, turned about z.
typedef struct profile {
    int count;
    double r[PROFILE], z[PROFILE];
} profile;


static void point(profile *p, double r, double z)
{
    p->r[p->count] = r;
    p->z[p->count++] = z;
}


// A quarter of a circle of `steps` pieces; from the pole below to the equator, or from there to the pole above.
static void quarter(profile *p, double radius, double z, bool above, int steps)
{
    for (int i = 0; i <= steps; i++) {
        double a = 0.5 * M_PI * (double)i / steps;
        bool pole = above ? i == steps : i == 0;
        point(p, pole ? 0.0 : radius * (above ? cos(a) : sin(a)), z + radius * (above ? sin(a) : -cos(a)));
    }
}


static void add_ring(rico_polygons *to, double r, double z, int around)
{
    if (r == 0.0) {
        add_vertex(to, 0.0, 0.0, z);
        return;
    }
    for (int i = 0; i < around; i++) {
        double a = 2.0 * M_PI * i / around;
        add_vertex(to, r * cos(a), r * sin(a), z);
    }
}


static void add_band(rico_polygons *to, int64_t low, bool low_tip, int64_t high, bool high_tip, int around)
{
    for (int i = 0; i < around; i++) {
        int j = (i + 1) % around;
        add_corner(to, low_tip ? low : low + i);
        if (!low_tip) add_corner(to, low + j);
        add_corner(to, high_tip ? high : high + j);
        if (!high_tip) add_corner(to, high + i);
        end_face(to);
    }
}


static void revolve(rico_polygons *to, const profile *p, int around)
{
    int64_t before = 0;
    for (int k = 0; k < p->count; k++) {
        int64_t ring = to->vertices;
        add_ring(to, p->r[k], p->z[k], around);
        if (k > 0) add_band(to, before, p->r[k - 1] == 0.0, ring, p->r[k] == 0.0, around);
        bool first = k == 0, last = k == p->count - 1;
        for (int i = 0; (first || last) && p->r[k] > 0.0 && i < around; i++)
            add_corner(to, first ? ring + around - 1 - i : ring + i);
        if ((first || last) && p->r[k] > 0.0) end_face(to);
        before = ring;
    }
}


// --- kinds ---------------------------------------------------------------------------------------------------------

static void make_sphere(rico_polygons *to, const double size[3], int around)
{
    profile p = {0};
    quarter(&p, size[0], 0.0, false, around / 4);
    p.count--; // the equator comes with the other half
    quarter(&p, size[0], 0.0, true, around / 4);
    revolve(to, &p, around);
}


static void make_ellipsoid(rico_polygons *to, const double size[3], int around)
{
    const double unit[3] = {1.0, 0.0, 0.0};
    int64_t first = to->vertices;
    make_sphere(to, unit, around);
    for (int64_t i = first; to->status == RICO_OK && i < to->vertices; i++)
        for (int k = 0; k < 3; k++) to->vertex[3 * i + k] *= size[k];
}


static void make_capsule(rico_polygons *to, const double size[3], int around)
{
    profile p = {0};
    quarter(&p, size[0], -0.5 * size[1], false, around / 4);
    quarter(&p, size[0], 0.5 * size[1], true, around / 4);
    revolve(to, &p, around);
}


static void make_cylinder(rico_polygons *to, const double size[3], int around)
{
    profile p = {0};
    point(&p, size[0], -0.5 * size[1]);
    point(&p, size[0], 0.5 * size[1]);
    revolve(to, &p, around);
}


static void make_cone(rico_polygons *to, const double size[3], int around)
{
    profile p = {0};
    point(&p, size[0], -0.5 * size[1]);
    point(&p, 0.0, 0.5 * size[1]);
    revolve(to, &p, around);
}


// A polygon in the plane from the vertices that were added last.
static void close_polygon(rico_polygons *to, int64_t first)
{
    for (int64_t i = first; i < to->vertices; i++) add_corner(to, i);
    end_face(to);
}


static void make_disc(rico_polygons *to, const double size[3], int around)
{
    int64_t first = to->vertices;
    add_ring(to, size[0], 0.0, around);
    close_polygon(to, first);
}


static void make_rectangle(rico_polygons *to, const double size[3], int around)
{
    (void)around;
    int64_t first = to->vertices;
    static const double SIGN[4][2] = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
    for (int i = 0; i < 4; i++) add_vertex(to, SIGN[i][0] * size[0], SIGN[i][1] * size[1], 0.0);
    close_polygon(to, first);
}


static void make_capsule_2d(rico_polygons *to, const double size[3], int around)
{
    int64_t first = to->vertices;
    int half = around / 2;
    for (int i = 0; i <= half; i++) {
        double a = -0.5 * M_PI + M_PI * i / half;
        add_vertex(to, 0.5 * size[1] + size[0] * cos(a), size[0] * sin(a), 0.0);
    }
    for (int i = 0; i <= half; i++) {
        double a = 0.5 * M_PI + M_PI * i / half;
        add_vertex(to, -0.5 * size[1] + size[0] * cos(a), size[0] * sin(a), 0.0);
    }
    close_polygon(to, first);
}


static void make_segment(rico_polygons *to, const double size[3], int around)
{
    (void)around;
    int64_t first = to->vertices;
    add_vertex(to, -0.5 * size[0], 0.0, 0.0);
    add_vertex(to, 0.5 * size[0], 0.0, 0.0);
    close_polygon(to, first);
}


static const struct {
    const char *kind;
    void (*make)(rico_polygons *to, const double size[3], int around);
} MAKERS[] = {
    {"sphere", make_sphere},       {"ellipsoid", make_ellipsoid},
    {"capsule", make_capsule},     {"cylinder", make_cylinder},
    {"cone", make_cone},           {"disc", make_disc},
    {"rectangle", make_rectangle}, {"capsule-2d", make_capsule_2d},
    {"segment", make_segment},
};


// What is endless, about the point of it that is nearest to the middle; in the axes of the shape.
static void make_endless(rico_polygons *to, bool planar, double span, const rico_stand *stand,
                         const double middle[3])
{
    double away[3], own[3];
    const rico_stand back = {.orientation = {stand->orientation[0], -stand->orientation[1],
                                             -stand->orientation[2], -stand->orientation[3]}};
    for (int i = 0; i < 3; i++) away[i] = middle[i] - stand->position[i];
    rico_stand_turn(&back, away, own);
    int64_t first = to->vertices;
    if (planar) {
        add_vertex(to, own[0] - span, -0.1 * span, 0.0);
        add_vertex(to, own[0] + span, -0.1 * span, 0.0);
        add_vertex(to, own[0] + span, 0.0, 0.0);
        add_vertex(to, own[0] - span, 0.0, 0.0);
    } else {
        add_vertex(to, own[0] - span, own[1] - span, 0.0);
        add_vertex(to, own[0] + span, own[1] - span, 0.0);
        add_vertex(to, own[0] + span, own[1] + span, 0.0);
        add_vertex(to, own[0] - span, own[1] + span, 0.0);
    }
    close_polygon(to, first);
}


static void copy_faces(rico_polygons *to, const rico_body_view *view, const rico_viewed_shape *shape)
{
    int64_t first = to->vertices;
    for (int64_t i = shape->vertex; i < shape->vertex + shape->vertices; i++)
        add_vertex(to, view->vertex[3 * i], view->vertex[3 * i + 1], view->vertex[3 * i + 2]);
    for (int64_t f = shape->face; f < shape->face + shape->faces; f++) {
        for (int64_t k = view->face_start[f]; k < view->face_start[f + 1]; k++)
            add_corner(to, first + view->corner[k]);
        end_face(to);
    }
}


rico_status rico_polygons_add(rico_polygons *to, const rico_body_view *view, const rico_viewed_shape *shape,
                              const rico_stand *stand, int around, double span, const double middle[3])
{
    int64_t first = to->vertices;
    int corners = around < 4 ? 4 : around > MOST_AROUND ? MOST_AROUND : around / 4 * 4;
    bool made = shape->faces > 0;
    if (made) copy_faces(to, view, shape);
    for (size_t i = 0; !made && i < sizeof MAKERS / sizeof *MAKERS; i++) {
        if (strcmp(MAKERS[i].kind, shape->kind->name) != 0) continue;
        MAKERS[i].make(to, shape->size, corners);
        made = true;
    }
    if (!made) make_endless(to, shape->kind->planar, span, stand, middle);
    for (int64_t i = first; to->status == RICO_OK && i < to->vertices; i++)
        rico_stand_point(stand, to->vertex + 3 * i, to->vertex + 3 * i);
    return to->status;
}
