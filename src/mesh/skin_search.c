// Where a point meets a skin.
//
// The nearest face of each patch counts, so that a point that slides over the edge of two faces has one contact all the way. Inside a
// face the normal is the face's. At an edge or corner between faces it is the way from there to the point, which follows on continuously;
// whether the point is inside or outside is told by the mean of the normals around, weighted by their angles (J. A. Baerentzen, H. Aanaes, IEEE
// TVCG 11, 2005). Where that way is too short to have a direction, the mean itself is the normal.
//
// A second patch counts where the two face each other, as in a notch: a point in its corner is held by both walls. Around a convex
// edge only the nearest does. A point beyond an open border has no contact, but for a little that the border may be passed by.

#include "mesh/skin_search.h"

#include "base/context.h"
#include "la/vec3.h"

#include <math.h>
#include <string.h>

// How far an open border may be passed, as a share of the size of the face; what distance has no direction, likewise.
static const double PASSED = 0.05, SHORT = 1e-6;

rico_status rico_skin_search_create(rico_context *ctx, const rico_skin *skin, rico_skin_search *out)
{
    *out = (rico_skin_search){.ctx = ctx, .skin = skin};
    rico_tree_create(ctx, &out->tree);
    out->box = rico_alloc(ctx, skin->faces, sizeof *out->box);
    return out->box ? RICO_OK : RICO_NO_MEMORY;
}


void rico_skin_search_destroy(rico_skin_search *search)
{
    if (!search->ctx) return;
    rico_tree_destroy(&search->tree);
    rico_free(search->ctx, search->box);
    *search = (rico_skin_search){0};
}


// A curved side leaves the box of its nodes by less than an eighth of its bend: by that the box is larger.
static void box_of(const rico_skin *skin, const double *x, int64_t face, rico_box *box)
{
    double own[3 * RICO_FACE_NODES], grow = 0.0;
    int nodes = rico_cells[skin->kind[face]].nodes;
    rico_skin_gather(skin, x, face, own);
    for (int i = 0; i < 3; i++) {
        box->lower[i] = box->upper[i] = own[i];
        for (int k = 1; k < nodes; k++) {
            box->lower[i] = fmin(box->lower[i], own[3 * k + i]);
            box->upper[i] = fmax(box->upper[i], own[3 * k + i]);
        }
        grow = fmax(grow, box->upper[i] - box->lower[i]);
    }
    bool curved = skin->kind[face] == RICO_CELL_LINE3 || skin->kind[face] == RICO_CELL_T6;
    for (int i = 0; curved && i < 3; i++) {
        box->lower[i] -= 0.25 * grow;
        box->upper[i] += 0.25 * grow;
    }
}


rico_status rico_skin_search_update(rico_skin_search *search, const double *x)
{
    search->x = x;
    for (int64_t f = 0; f < search->skin->faces; f++) box_of(search->skin, x, f, &search->box[f]);
    return rico_tree_update(&search->tree, search->skin->faces, search->box);
}


// --- the nearest of each patch -------------------------------------------------------------------------------------

typedef struct asked {
    const rico_skin_search *search;
    const double *p;
    double reach;
    int count;
    rico_skin_hit *hit; // in order
} asked;


static bool is_before(const rico_skin_hit *a, const rico_skin_hit *b)
{
    if (a->near.distance != b->near.distance) return a->near.distance < b->near.distance;
    return a->face < b->face;
}


// How far a point is from a box, at least.
static double box_distance(const rico_box *box, const double p[3])
{
    double way[3];
    for (int i = 0; i < 3; i++) way[i] = fmax(0.0, fmax(box->lower[i] - p[i], p[i] - box->upper[i]));
    return rico_vec3_norm(way);
}


static bool visit(void *user, int64_t face)
{
    asked *own = user;
    const rico_skin *skin = own->search->skin;
    double x[3 * RICO_FACE_NODES];
    rico_skin_hit fresh = {.face = face};
    // the place of its patch, or a new one
    int at = 0;
    while (at < own->count && skin->patch[own->hit[at].face] != skin->patch[face]) at++;
    double bound = at < own->count ? own->hit[at].near.distance : own->reach;
    if (box_distance(&own->search->box[face], own->p) * (1.0 - 1e-12) > bound) return true;
    rico_skin_gather(skin, own->search->x, face, x);
    rico_face_nearest(skin->kind[face], x, own->p, &fresh.near);
    if (!(fresh.near.distance <= own->reach)) return true;
    if (at < own->count && !is_before(&fresh, &own->hit[at])) return true;
    if (at == own->count && own->count < RICO_SKIN_HITS) own->count++;
    if (at == RICO_SKIN_HITS && !is_before(&fresh, &own->hit[--at])) return true;
    for (; at > 0 && is_before(&fresh, &own->hit[at - 1]); at--) own->hit[at] = own->hit[at - 1];
    own->hit[at] = fresh;
    return true;
}


// --- gap and normal ------------------------------------------------------------------------------------------------

static void normal_near(const rico_skin_search *search, int64_t face, const double at[3], double normal[3])
{
    double x[3 * RICO_FACE_NODES];
    rico_nearby near;
    rico_skin_gather(search->skin, search->x, face, x);
    rico_face_nearest(search->skin->kind[face], x, at, &near);
    rico_face_normal(search->skin->kind[face], x, near.xi, normal);
}


// The angle of a face at its corner that is node n of the skin; 1 for lines.
static double angle_at(const rico_skin_search *search, int64_t face, int64_t n)
{
    const rico_skin *skin = search->skin;
    int corners = rico_cells[skin->kind[face]].corners, k = 0;
    const int64_t *node = skin->local + skin->start[face];
    if (corners == 2) return 1.0;
    while (k < corners && node[k] != n) k++;
    if (k == corners) return 0.0;
    double one[3], two[3], cross[3];
    const double *x = search->x;
    rico_vec3_subtract(x + 3 * node[(k + 1) % corners], x + 3 * n, one);
    rico_vec3_subtract(x + 3 * node[(k + corners - 1) % corners], x + 3 * n, two);
    rico_vec3_cross(one, two, cross);
    return atan2(rico_vec3_norm(cross), rico_vec3_dot(one, two));
}


// The mean normal at the side or corner of a hit. False: it is on an open border.
static bool mean_normal(const rico_skin_search *search, const rico_skin_hit *hit, double mean[3])
{
    const rico_skin *skin = search->skin;
    int64_t first = skin->start[hit->face], at = first + hit->near.which;
    double normal[3];
    normal_near(search, hit->face, hit->near.at, mean);
    if (hit->near.place == RICO_FACE_SIDE) {
        if (skin->beside[at] < 0) return false;
        normal_near(search, skin->beside[at], hit->near.at, normal);
        rico_vec3_add(mean, normal, mean);
        return true;
    }
    int64_t n = skin->local[at];
    rico_vec3_set(0.0, 0.0, 0.0, mean);
    for (int64_t k = skin->around_start[n]; k < skin->around_start[n + 1]; k++) {
        int64_t face = skin->around[k], start = skin->start[face];
        int corners = rico_cells[skin->kind[face]].corners;
        for (int side = 0; side < corners; side++) {
            bool meets = skin->local[start + side] == n ||
                         (corners > 2 && skin->local[start + (side + 1) % corners] == n);
            if (meets && skin->beside[start + side] < 0) return false;
        }
        normal_near(search, face, hit->near.at, normal);
        rico_vec3_add_scaled(angle_at(search, face, n), normal, mean);
    }
    return true;
}


static void middle_of(const rico_skin_search *search, int64_t face, double out[3])
{
    const rico_skin *skin = search->skin;
    int corners = rico_cells[skin->kind[face]].corners;
    rico_vec3_set(0.0, 0.0, 0.0, out);
    for (int k = 0; k < corners; k++)
        rico_vec3_add_scaled(1.0 / corners, search->x + 3 * skin->local[skin->start[face] + k], out);
}


// Whether the hit is on the edge to another patch that rises in front of its own: beyond is the other's.
static bool ends_at_wall(const rico_skin_search *search, const rico_skin_hit *hit)
{
    const rico_skin *skin = search->skin;
    bool edge = hit->near.place == RICO_FACE_SIDE || skin->dimension == 2;
    int64_t beyond = skin->beside[skin->start[hit->face] + hit->near.which];
    double middle[3];
    if (!edge || beyond < 0 || skin->patch[beyond] == skin->patch[hit->face]) return false;
    middle_of(search, beyond, middle);
    rico_vec3_subtract(middle, hit->near.at, middle);
    return rico_vec3_dot(middle, hit->normal) > 0.0;
}


// Gap and normal of a hit. False: the point is beyond the border of the skin.
static bool measure(const rico_skin_search *search, const double p[3], rico_skin_hit *hit)
{
    const rico_skin *skin = search->skin;
    double x[3 * RICO_FACE_NODES], way[3], mean[3];
    rico_cell_kind kind = skin->kind[hit->face];
    rico_skin_gather(skin, search->x, hit->face, x);
    rico_face_normal(kind, x, hit->near.xi, hit->normal);
    rico_vec3_subtract(p, hit->near.at, way);
    hit->gap = rico_vec3_dot(way, hit->normal);
    if (hit->near.place == RICO_FACE_INSIDE) return true;
    double size = rico_face_size(kind, x), beyond[3];
    if (ends_at_wall(search, hit) || !mean_normal(search, hit, mean)) {
        rico_vec3_copy(way, beyond);
        rico_vec3_add_scaled(-hit->gap, hit->normal, beyond);
        return rico_vec3_norm(beyond) <= PASSED * size;
    }
    double length = rico_vec3_norm(mean), side = rico_vec3_dot(way, mean);
    if (hit->near.distance > SHORT * size) {
        hit->gap = copysign(hit->near.distance, side);
        rico_vec3_scale(1.0 / hit->gap, way, hit->normal);
    } else if (length > 0.0) {
        rico_vec3_scale(1.0 / length, mean, hit->normal);
        hit->gap = rico_vec3_dot(way, hit->normal);
    }
    return true;
}


// Whether each of two hits lies in front of the other's face, as the walls of a notch do.
static bool face_each_other(const rico_skin_search *search, const rico_skin_hit *a, const rico_skin_hit *b)
{
    double middle[3];
    middle_of(search, b->face, middle);
    rico_vec3_subtract(middle, a->near.at, middle);
    if (rico_vec3_dot(middle, a->normal) <= 0.0) return false;
    middle_of(search, a->face, middle);
    rico_vec3_subtract(middle, b->near.at, middle);
    return rico_vec3_dot(middle, b->normal) > 0.0;
}


int rico_skin_look(const rico_skin_search *search, const double p[3], double above, double below,
                   rico_skin_hit hit[RICO_SKIN_HITS])
{
    double reach = fmax(above, below);
    asked own = {.search = search, .p = p, .reach = reach, .hit = hit};
    rico_box box;
    for (int i = 0; i < 3; i++) {
        box.lower[i] = p[i] - reach;
        box.upper[i] = p[i] + reach;
    }
    rico_tree_query(&search->tree, &box, visit, &own);
    int count = 0;
    for (int k = 0; k < own.count; k++) {
        rico_skin_hit next = hit[k];
        if (!measure(search, p, &next)) continue;
        bool counts = next.gap <= above && next.gap >= -below;
        for (int i = 0; counts && i < count; i++) counts = face_each_other(search, &hit[i], &next);
        if (counts)
            hit[count++] = next;
        else if (count == 0 && next.gap < -below)
            return 0; // deep behind the nearest face: whatever is farther cannot be meant
    }
    return count;
}
