// Distance and contacts of shapes in the plane.
//
// With h(n) = h_core(n) + radius the gap of two round-cornered polygons is that of their cores less the radii, through touching and
// however deep. Cores that overlap: the maximum over n lies at the normal of an edge, as the shortest way out of a polygon does (here of
// their Minkowski difference). Cores apart: a vertex and an edge it stands over, or two vertices. Everything is taken relative to the
// place of the first shape, so that distance from the origin costs no digits.
//
// Contacts are named by a vertex and an edge, or two vertices. Their gap and normal follow from the names and the poses alone, whoever
// asks: the search, the same contact at another state, the derivatives.

#include "collide/narrow.h"
#include "collide/planar.h"

#include "la/vec3.h"

#include <float.h>
#include <math.h>
#include <string.h>

// One shape in its place: x = place + (c -s; s c) own, the place counted from that of the first.
typedef struct side {
    const rico_polygon *core; // NULL: half-plane
    double c, s, place[2];
    double radius;
} side;

typedef struct couple {
    side a, b;
    double origin[2];
} couple;

// Where the cores are nearest.
typedef struct nearest_core {
    uint32_t a, b; // features
    double normal[2];
    bool smooth;
} nearest_core;


static couple couple_of(const rico_shape *a, const rico_pose *A, const rico_shape *b, const rico_pose *B)
{
    couple two = {.a = {.core = rico_polygon_of(a), .c = A->R[0], .s = A->R[3]},
                  .b = {.core = rico_polygon_of(b), .c = B->R[0], .s = B->R[3]}};
    for (int i = 0; i < 2; i++) {
        two.origin[i] = A->x[i];
        two.b.place[i] = B->x[i] - A->x[i];
    }
    two.a.radius = two.a.core ? two.a.core->radius : 0.0;
    two.b.radius = two.b.core ? two.b.core->radius : 0.0;
    return two;
}


static void turn(const side *own, const double x[2], double out[2])
{
    double y[2] = {own->c * x[0] - own->s * x[1], own->s * x[0] + own->c * x[1]};
    out[0] = y[0], out[1] = y[1];
}


static void turn_back(const side *own, const double x[2], double out[2])
{
    double y[2] = {own->c * x[0] + own->s * x[1], own->c * x[1] - own->s * x[0]};
    out[0] = y[0], out[1] = y[1];
}


static double dot(const double a[2], const double b[2])
{
    return a[0] * b[0] + a[1] * b[1];
}


static bool is_edge(const side *own, uint32_t feature)
{
    return !own->core || feature >= (uint32_t)own->core->count;
}


static void vertex_at(const side *own, int32_t i, double out[2])
{
    turn(own, own->core->vertex + 2 * i, out);
    out[0] += own->place[0], out[1] += own->place[1];
}


// Normal of an edge, or of the half-plane, and a point of it.
static void edge_at(const side *own, uint32_t feature, double normal[2], double point[2])
{
    static const double UP[2] = {0.0, 1.0};
    if (!own->core) {
        turn(own, UP, normal);
        memcpy(point, own->place, sizeof own->place);
        return;
    }
    int32_t i = (int32_t)feature - own->core->count;
    turn(own, own->core->normal + 2 * i, normal);
    vertex_at(own, i, point);
}


// --- the contact of two features -----------------------------------------------------------------------------------

// Gap, normal and points, from the features of m. Two vertices that are sharp keep the normal of m: their distance could not tell
// the one side from the other. False: two edges.
static bool contact_of(const couple *two, rico_meeting *m)
{
    const side *a = &two->a, *b = &two->b;
    bool edge_a = is_edge(a, m->feature_a), edge_b = is_edge(b, m->feature_b);
    double n[2] = {m->normal[0], m->normal[1]}, on_a[2], on_b[2], gap, foot[2];
    if (edge_a && edge_b) return false;
    if (edge_a) {
        edge_at(a, m->feature_a, n, foot);
        vertex_at(b, (int32_t)m->feature_b, on_b);
        gap = n[0] * (on_b[0] - foot[0]) + n[1] * (on_b[1] - foot[1]);
        for (int i = 0; i < 2; i++) on_a[i] = on_b[i] - gap * n[i];
    } else if (edge_b) {
        edge_at(b, m->feature_b, n, foot);
        vertex_at(a, (int32_t)m->feature_a, on_a);
        gap = n[0] * (on_a[0] - foot[0]) + n[1] * (on_a[1] - foot[1]);
        for (int i = 0; i < 2; i++) {
            on_b[i] = on_a[i] - gap * n[i];
            n[i] = -n[i];
        }
    } else {
        vertex_at(a, (int32_t)m->feature_a, on_a);
        vertex_at(b, (int32_t)m->feature_b, on_b);
        double way[2] = {on_b[0] - on_a[0], on_b[1] - on_a[1]}, far = rico_hypot(way[0], way[1]);
        bool round = a->radius + b->radius > 0.0 && far > 0.0;
        for (int i = 0; round && i < 2; i++) n[i] = way[i] / far;
        gap = round ? far : dot(n, way);
    }
    m->gap = gap - (a->radius + b->radius);
    for (int i = 0; i < 2; i++) {
        m->normal[i] = n[i];
        m->on_a[i] = two->origin[i] + (on_a[i] + a->radius * n[i]);
        m->on_b[i] = two->origin[i] + (on_b[i] - b->radius * n[i]);
    }
    m->normal[2] = m->on_a[2] = m->on_b[2] = 0.0;
    return true;
}


// --- nearest features ----------------------------------------------------------------------------------------------

// An edge of one shape and the vertex of the other that is deepest below it.
typedef struct axis {
    double separation;
    bool of_b;
    int32_t edge, vertex;
    bool tied; // another vertex, or another edge, is as good to round-off
} axis;


// The vertex of `own` that is lowest along the direction n of the world, its height there less that of the place; another as low?
static double lowest(const side *own, const double n[2], double noise, int32_t *which, bool *tied)
{
    double local[2], best = INFINITY, second = INFINITY;
    turn_back(own, n, local);
    for (int32_t j = 0; j < own->core->count; j++) {
        double height = dot(local, own->core->vertex + 2 * j);
        if (height < best) {
            second = best;
            best = height;
            *which = j;
        } else if (height < second) {
            second = height;
        }
    }
    *tied = second - best <= noise;
    return best;
}


// The edge of `one` that sees `two` farthest away, if it is farther than *best.
static void best_edge(const side *one, const side *two, bool of_b, double noise, axis *best)
{
    double way[2] = {two->place[0] - one->place[0], two->place[1] - one->place[1]};
    for (int32_t i = 0; one->core->count > 1 && i < one->core->count; i++) {
        const double *local = one->core->normal + 2 * i;
        axis own = {.of_b = of_b, .edge = i};
        double n[2];
        turn(one, local, n);
        own.separation = lowest(two, n, noise, &own.vertex, &own.tied) + dot(n, way) -
                         dot(local, one->core->vertex + 2 * i);
        double ahead = own.separation - best->separation;
        if (fabs(ahead) <= noise) own.tied = best->tied = true;
        if (ahead > 0.0) *best = own;
    }
}


// Whether `two` lies beyond an end of the segment `one`: an edge of length zero.
static bool beyond_end(const side *one, const side *two)
{
    if (one->core->count != 2) return false;
    double way[2] = {two->place[0] - one->place[0], two->place[1] - one->place[1]};
    for (int end = 0; end < 2; end++) {
        const double *v = one->core->vertex + 2 * end, *normal = one->core->normal;
        double sign = end == 0 ? 1.0 : -1.0, local[2] = {sign * normal[1], -sign * normal[0]}, n[2];
        int32_t which;
        bool tied;
        turn(one, local, n);
        if (lowest(two, n, 0.0, &which, &tied) + dot(n, way) - dot(local, v) > 0.0) return true;
    }
    return false;
}


// Where a vertex stands along an edge: 0 at its beginning, its length at its end.
static double along_edge(const side *one, int32_t edge, const double x[2])
{
    double from[2], n[2];
    vertex_at(one, edge, from);
    turn(one, one->core->normal + 2 * edge, n);
    return -n[1] * (x[0] - from[0]) + n[0] * (x[1] - from[1]);
}


// Vertices of `two` against edges of `one`: the nearest so far, its square in *best.
static void nearest_to_edges(const side *one, const side *two, bool of_b, double *best, nearest_core *out)
{
    for (int32_t j = 0; j < two->core->count; j++) {
        double x[2], own[2];
        vertex_at(two, j, x);
        for (int i = 0; i < 2; i++) own[i] = x[i] - one->place[i];
        turn_back(one, own, own);
        for (int32_t i = 0; i < one->core->count; i++) {
            const double *v = one->core->vertex + 2 * i, *n = one->core->normal + 2 * i;
            double length = one->core->count > 1 ? one->core->length[i] : 0.0;
            double from[2] = {own[0] - v[0], own[1] - v[1]}, t = -n[1] * from[0] + n[0] * from[1];
            // the end of an edge is the beginning of the next: each vertex is looked at once; of a segment, only the side that faces
            bool inside = one->core->count > 1 && t > 0.0 && t < length;
            inside &= one->core->count > 2 || dot(n, from) >= 0.0;
            double far = inside ? dot(n, from) * dot(n, from) : dot(from, from);
            if (far >= *best) continue;
            *best = far;
            uint32_t feature = inside ? (uint32_t)(one->core->count + i) : (uint32_t)i;
            out->a = of_b ? (uint32_t)j : feature;
            out->b = of_b ? feature : (uint32_t)j;
            out->smooth = inside || one->core->count == 1 || t != 0.0;
        }
    }
}


static void normal_of_vertices(const couple *two, nearest_core *out)
{
    double x[2], y[2];
    vertex_at(&two->a, (int32_t)out->a, x);
    vertex_at(&two->b, (int32_t)out->b, y);
    double way[2] = {y[0] - x[0], y[1] - x[1]}, far = rico_hypot(way[0], way[1]);
    for (int i = 0; i < 2; i++) out->normal[i] = way[i] / far;
}


static void use_axis(const couple *two, const axis *best, nearest_core *out)
{
    const side *one = best->of_b ? &two->b : &two->a;
    double foot[2];
    uint32_t edge = (uint32_t)(one->core->count + best->edge);
    out->a = best->of_b ? (uint32_t)best->vertex : edge;
    out->b = best->of_b ? edge : (uint32_t)best->vertex;
    out->smooth = !best->tied;
    edge_at(one, edge, out->normal, foot);
    if (best->of_b) out->normal[0] = -out->normal[0], out->normal[1] = -out->normal[1];
}


// Round-off of coordinates relative to the first shape's place.
static double noise_of(const couple *two)
{
    double size = fabs(two->b.place[0]) + fabs(two->b.place[1]);
    for (int k = 0; k < 2; k++) {
        const rico_polygon *core = k ? two->b.core : two->a.core;
        const double *v = core ? core->vertex : two->b.place;
        size += fabs(v[0]) + fabs(v[1]);
    }
    return 4.0 * DBL_EPSILON * size;
}


// One of the two is a half-plane: the lowest vertex of the other.
static void nearest_to_line(const couple *two, nearest_core *out)
{
    bool of_b = !two->b.core;
    const side *line = of_b ? &two->b : &two->a, *other = of_b ? &two->a : &two->b;
    double foot[2];
    int32_t which = 0;
    bool tied;
    edge_at(line, 0, out->normal, foot);
    lowest(other, out->normal, noise_of(two), &which, &tied);
    out->a = of_b ? (uint32_t)which : 0;
    out->b = of_b ? 0 : (uint32_t)which;
    out->smooth = !tied;
    if (of_b) out->normal[0] = -out->normal[0], out->normal[1] = -out->normal[1];
}


static bool nearest_cores(const couple *two, nearest_core *out)
{
    const side *a = &two->a, *b = &two->b;
    double noise = noise_of(two), best = INFINITY;
    axis deepest = {.separation = -INFINITY};
    *out = (nearest_core){.normal = {1.0, 0.0}};
    if (!a->core && !b->core) return false;
    if (!a->core || !b->core) {
        nearest_to_line(two, out);
        return true;
    }
    best_edge(a, b, false, noise, &deepest);
    best_edge(b, a, true, noise, &deepest);
    bool edges = a->core->count > 1 || b->core->count > 1;
    if (edges) use_axis(two, &deepest, out);
    if (edges && deepest.separation <= 0.0 && !beyond_end(a, b) && !beyond_end(b, a)) return true;
    if (edges && deepest.separation > 0.0) {
        // over the edge: nothing is nearer
        const side *one = deepest.of_b ? b : a, *other = deepest.of_b ? a : b;
        double x[2];
        vertex_at(other, deepest.vertex, x);
        double t = along_edge(one, deepest.edge, x), length = one->core->length[deepest.edge];
        out->smooth &= t > noise && t < length - noise;
        if (t >= -noise && t <= length + noise) return true;
    }

    nearest_core found = *out;
    nearest_to_edges(a, b, false, &best, &found);
    nearest_to_edges(b, a, true, &best, &found);
    // what touches to round-off has no direction of its own: an edge gives it, or any does
    if (!(sqrt(best) > noise)) {
        if (!edges) *out = (nearest_core){.normal = {1.0, 0.0}};
        out->smooth = false;
        return true;
    }
    *out = found;
    if (is_edge(a, out->a) || is_edge(b, out->b)) {
        axis over = {.of_b = is_edge(b, out->b), .tied = deepest.tied || !found.smooth};
        over.edge = over.of_b ? (int32_t)out->b - b->core->count : (int32_t)out->a - a->core->count;
        over.vertex = (int32_t)(over.of_b ? out->a : out->b);
        use_axis(two, &over, out);
    } else {
        normal_of_vertices(two, out);
    }
    return true;
}


// --- all contacts --------------------------------------------------------------------------------------------------

// Parts of an edge's length within which two vertices that stand on each other are one contact, named by the second shape's.
static const double SAME_PLACE = 1e-9;
// Vertices are looked at where an edge beside them faces the other shape by more than this (cosine).
static const double FACING = 0.1;


// The edge whose normal is nearest to n.
static int32_t facing_edge(const side *own, const double n[2])
{
    double local[2], best = -INFINITY;
    int32_t which = 0;
    turn_back(own, n, local);
    for (int32_t i = 0; i < own->core->count; i++) {
        double facing = dot(local, own->core->normal + 2 * i);
        if (facing > best) best = facing, which = i;
    }
    return which;
}


static bool faces(const side *own, int32_t vertex, const double n[2])
{
    double local[2];
    int32_t count = own->core->count;
    if (count == 1) return true;
    turn_back(own, n, local);
    return dot(local, own->core->normal + 2 * vertex) > FACING ||
           dot(local, own->core->normal + 2 * ((vertex + count - 1) % count)) > FACING;
}


static bool keep(const couple *two, const double n[2], uint32_t a, uint32_t b, double margin,
                 rico_meeting_list *out)
{
    rico_meeting m = {.feature_a = a, .feature_b = b, .normal = {n[0], n[1], 0.0}};
    if (!contact_of(two, &m) || !(m.gap <= margin)) return true;
    rico_meeting *item = rico_meeting_add(out);
    if (!item) return false;
    *item = m;
    return true;
}


// Vertices of `two` over the edge of `one` that faces it.
static bool meet_edge(const couple *both, bool of_b, const double n[2], double margin, rico_meeting_list *out)
{
    const side *one = of_b ? &both->b : &both->a, *two = of_b ? &both->a : &both->b;
    double outward[2] = {of_b ? -n[0] : n[0], of_b ? -n[1] : n[1]}, inward[2] = {-outward[0], -outward[1]};
    int32_t edge = one->core ? facing_edge(one, outward) : 0;
    uint32_t feature = one->core ? (uint32_t)(one->core->count + edge) : 0;
    for (int32_t j = 0; j < two->core->count; j++) {
        uint32_t a = of_b ? (uint32_t)j : feature, b = of_b ? feature : (uint32_t)j;
        if (!faces(two, j, inward)) continue;
        if (one->core) {
            double x[2], length = one->core->length[edge], slip = (of_b ? -1.0 : 1.0) * SAME_PLACE * length;
            vertex_at(two, j, x);
            double t = along_edge(one, edge, x);
            if (!(t >= -slip && t <= length + slip)) continue;
        }
        if (!keep(both, n, a, b, margin, out)) return false;
    }
    return true;
}


// Whether the vertex of a contact stands over its edge, and not beside it.
static bool stands_over(const couple *two, const rico_meeting *m)
{
    bool of_b = is_edge(&two->b, m->feature_b);
    const side *one = of_b ? &two->b : &two->a, *other = of_b ? &two->a : &two->b;
    uint32_t feature = of_b ? m->feature_b : m->feature_a;
    if (!one->core || !is_edge(one, feature)) return true;
    int32_t edge = (int32_t)feature - one->core->count;
    double x[2], length = one->core->length[edge];
    vertex_at(other, (int32_t)(of_b ? m->feature_a : m->feature_b), x);
    double t = along_edge(one, edge, x);
    return t >= -SAME_PLACE * length && t <= (1.0 + SAME_PLACE) * length;
}


// Whether the contact is among those from `first` on, by its name, or one with the same gap to round-off, in the same place or instead of one
// that stands beside its edge: of vertices that are tied the nearest may be any.
static bool is_there(const couple *two, const rico_meeting_list *list, int64_t first, const rico_meeting *m)
{
    double noise = noise_of(two), place = SAME_PLACE * noise / (4.0 * DBL_EPSILON);
    bool beside = !stands_over(two, m);
    for (int64_t k = first; k < list->count; k++) {
        const rico_meeting *other = &list->item[k];
        if (other->feature_a == m->feature_a && other->feature_b == m->feature_b) return true;
        double way[2] = {other->on_a[0] - m->on_a[0], other->on_a[1] - m->on_a[1]};
        if (fabs(other->gap - m->gap) <= noise && (beside || rico_hypot(way[0], way[1]) <= place))
            return true;
    }
    return false;
}


static bool meet(const rico_shape *a, const rico_pose *A, const rico_shape *b, const rico_pose *B,
                 double margin, rico_meeting_list *out)
{
    couple two = couple_of(a, A, b, B);
    nearest_core near;
    if (!nearest_cores(&two, &near)) return true;
    rico_meeting m = {
        .feature_a = near.a, .feature_b = near.b, .normal = {near.normal[0], near.normal[1], 0.0}};
    if (!contact_of(&two, &m) || !(m.gap <= margin)) return true;
    int64_t before = out->count;
    bool edges_a = !two.a.core || two.a.core->count > 1, edges_b = !two.b.core || two.b.core->count > 1;
    if (edges_a && edges_b) {
        if (two.b.core && !meet_edge(&two, false, near.normal, margin, out)) return false;
        if (two.a.core && !meet_edge(&two, true, near.normal, margin, out)) return false;
        if (is_there(&two, out, before, &m)) return true;
    }
    rico_meeting *item = rico_meeting_add(out);
    if (item) *item = m;
    return item != NULL;
}


static bool again(const rico_shape *a, const rico_pose *A, const rico_shape *b, const rico_pose *B,
                  rico_meeting *m)
{
    couple two = couple_of(a, A, b, B);
    return contact_of(&two, m);
}


// --- derivatives ---------------------------------------------------------------------------------------------------

// d normal: an edge takes it along as it turns; between two vertices it follows their difference, (I - n n')/distance.
static void turn_of_normal(const couple *two, const rico_meeting *m, const rico_pose *A, const rico_pose *B,
                           rico_nearest *out)
{
    const double *n = m->normal, across[2] = {-n[1], n[0]};
    bool edge_a = is_edge(&two->a, m->feature_a), edge_b = is_edge(&two->b, m->feature_b);
    if (edge_a || edge_b) {
        for (int i = 0; i < 2; i++) out->turn[12 * i + (edge_a ? 5 : 11)] = across[i];
        return;
    }
    double distance = m->gap + (two->a.radius + two->b.radius);
    for (int k = 0; k < 2; k++) {
        double sign = k == 0 ? -1.0 : 1.0, x[2];
        const rico_pose *pose = k == 0 ? A : B;
        const side *own = k == 0 ? &two->a : &two->b;
        vertex_at(own, (int32_t)(k == 0 ? m->feature_a : m->feature_b), x);
        double arm[2] = {x[0] + (two->origin[0] - pose->x[0]), x[1] + (two->origin[1] - pose->x[1])};
        double turning = across[1] * arm[0] - across[0] * arm[1];
        for (int i = 0; i < 2; i++) {
            for (int j = 0; j < 2; j++)
                out->turn[12 * i + 6 * k + j] = sign * across[i] * across[j] / distance;
            out->turn[12 * i + 6 * k + 5] = sign * across[i] * turning / distance;
        }
    }
}


static bool nearest(const rico_shape *a, const rico_pose *A, const rico_shape *b, const rico_pose *B,
                    rico_nearest *out)
{
    couple two = couple_of(a, A, b, B);
    nearest_core near;
    if (!nearest_cores(&two, &near)) return false;
    rico_meeting m = {
        .feature_a = near.a, .feature_b = near.b, .normal = {near.normal[0], near.normal[1], 0.0}};
    if (!contact_of(&two, &m)) return false;
    memset(out, 0, sizeof *out);
    out->gap = m.gap;
    out->feature_a = m.feature_a;
    out->feature_b = m.feature_b;
    out->smooth = near.smooth;
    for (int i = 0; i < 3; i++) {
        out->normal[i] = out->along[i] = m.normal[i];
        out->on_a[i] = m.on_a[i];
        out->on_b[i] = m.on_b[i];
    }
    double arm_a[3] = {m.on_a[0] - A->x[0], m.on_a[1] - A->x[1], 0.0};
    double arm_b[3] = {m.on_b[0] - B->x[0], m.on_b[1] - B->x[1], 0.0};
    rico_vec3_cross(arm_a, m.normal, out->about_a);
    rico_vec3_cross(arm_b, m.normal, out->about_b);
    if (out->smooth) turn_of_normal(&two, &m, A, B, out);
    return true;
}


const rico_meeting_kind rico_planar_meeting = {meet, again, nearest};
