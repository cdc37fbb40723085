// Contacts of surfaces with everything that is no compound.
//
// A surface acts on its outer side, triangle by triangle, but a contact belongs to a feature of the surface: a triangle, a ridge (an edge that
// stands out) or a corner, and its normal lies in that feature's cone of normals. Edges between triangles of one plane and edges
// of valleys have no normals of their own, so nothing catches on them. What does not reach through a triangle from its outer side
// does not touch it; a body wholly inside a closed surface is pushed out all the same, surface_inside.c.

#include "collide/surface_meet.h"
#include "collide/polytope_feature.h"
#include "collide/round.h"

#include "la/mat3.h"
#include "la/vec3.h"

#include <math.h>
#include <string.h>

// Directions within 26 degrees of a triangle's normal share a manifold with it.
static const double NEARLY_PARALLEL = 0.9;

static void pose_between(const rico_pose *A, const rico_pose *B, rico_pose *seen)
{
    double d[3], transposed[9];
    rico_vec3_subtract(B->x, A->x, d);
    rico_mat3_transpose_times(A->R, d, seen->x);
    rico_mat3_transpose(A->R, transposed);
    rico_mat3_multiply(transposed, B->R, seen->R);
}


bool rico_surface_stands_out(const rico_surface *s, uint32_t feature)
{
    int32_t index;
    int rank = rico_feature_rank(s->mesh, feature, &index);
    return rank == 2 || (rank == 1 ? s->ridge[index] : s->corner[index]);
}


static bool counts(void *user, uint32_t feature_a, uint32_t feature_b)
{
    const rico_encounter *it = user;
    return rico_surface_stands_out(it->s, feature_a) &&
           (!it->other || rico_surface_stands_out(it->other, feature_b));
}


// Whether n, in the surface's axes, is a normal of the feature.
bool rico_surface_is_normal(const rico_surface *s, uint32_t feature, const double n[3])
{
    int32_t index;
    int rank = rico_feature_rank(s->mesh, feature, &index);
    if (rank == 2) return rico_vec3_dot(n, &s->mesh->plane[4 * index]) > 0.0;
    if (rank == 0) return rico_surface_in_cone(s, index, n);
    const int32_t *edge = &s->mesh->edge[4 * index];
    double along[3], inward[3];
    rico_vec3_subtract(&s->mesh->vertex[3 * edge[1]], &s->mesh->vertex[3 * edge[0]], along);
    double limit = 1e-10 * rico_vec3_norm(along);
    rico_vec3_cross(&s->mesh->plane[4 * edge[2]], along, inward);
    if (rico_vec3_dot(n, inward) > limit) return false;
    rico_vec3_cross(along, &s->mesh->plane[4 * edge[3]], inward);
    return rico_vec3_dot(n, inward) <= limit;
}


// Whether a point of a face's plane lies in the face.
bool rico_surface_in_face(const rico_polytope *p, int32_t f, const double x[3], double slack)
{
    for (int32_t k = p->loop[f]; k < p->loop[f + 1]; k++) {
        const double *from = &p->vertex[3 * p->loop_vertex[k]];
        const double *to = &p->vertex[3 * p->loop_vertex[k + 1 < p->loop[f + 1] ? k + 1 : p->loop[f]]];
        double along[3], out[3], d[3];
        rico_vec3_subtract(to, from, along);
        rico_vec3_cross(along, &p->plane[4 * f], out);
        rico_vec3_subtract(x, from, d);
        if (rico_vec3_dot(d, out) > slack * rico_vec3_norm(along)) return false;
    }
    return true;
}


static bool in_edge(const rico_polytope *p, int32_t e, const double x[3], double slack)
{
    const double *from = &p->vertex[3 * p->edge[4 * e]];
    double along[3], d[3];
    rico_vec3_subtract(&p->vertex[3 * p->edge[4 * e + 1]], from, along);
    rico_vec3_subtract(x, from, d);
    double length = rico_vec3_norm(along), at = rico_vec3_dot(d, along) / length;
    return at >= -slack && at <= length + slack;
}


// Whether the points of a contact lie in its features, and not beyond them.
static bool within(const rico_polytope_pair *pair, uint32_t feature_a, uint32_t feature_b,
                   const double hint[3])
{
    rico_touch touch;
    double own[3], slack = 1e-12 * pair->scale;
    int32_t i, j;
    int rank_a = rico_feature_rank(pair->a, feature_a, &i),
        rank_b = rico_feature_rank(pair->b, feature_b, &j);
    if (!rico_feature_touch(pair, feature_a, feature_b, hint, &touch)) return false;
    rico_vec3_subtract(touch.on_b, pair->t, own);
    rico_mat3_transpose_times(pair->R, own, own);
    if (rank_a == 2 && !rico_surface_in_face(pair->a, i, touch.on_a, slack)) return false;
    if (rank_b == 2 && !rico_surface_in_face(pair->b, j, own, slack)) return false;
    if (rank_a == 1 && !in_edge(pair->a, i, touch.on_a, slack)) return false;
    return rank_b != 1 || in_edge(pair->b, j, own, slack);
}


// --- the best direction that is a normal of the surface ----------------------------------------------------------------

// Only features that stand out have directions other than those of their triangles; a vertex of a ridge has the ridge's.
static bool has_directions(const rico_surface *s, uint32_t feature)
{
    int32_t index;
    int rank = rico_feature_rank(s->mesh, feature, &index);
    if (rank != 0 || s->corner[index]) return rico_surface_stands_out(s, feature);
    for (int32_t k = s->mesh->star[index]; k < s->mesh->star[index + 1]; k++)
        if (s->ridge[s->mesh->star_edge[k]]) return true;
    return false;
}


static void consider(const rico_encounter *it, const rico_axis *axis, rico_axis *best)
{
    // apart, points tell directions from each other that have the same gap to round-off
    double turned[3], noise = 2e-15 * it->pair.scale;
    rico_vec3_subtract(axis->normal, best->normal, turned);
    bool other = axis->gap > best->gap - noise && rico_vec3_norm(turned) * axis->gap > noise;
    if (!(axis->gap > best->gap + noise) && !other) return;
    if (!has_directions(it->s, axis->feature_a)) return;
    if (!rico_surface_is_normal(it->s, axis->feature_a, axis->normal)) return;
    if (it->other) {
        double back[3];
        rico_pair_turn_back(&it->pair, axis->normal, back);
        if (!rico_surface_is_normal(it->other, axis->feature_b, back)) return;
    }
    *best = *axis;
}


// A face of b against the three vertices of the triangle.
static void consider_face(const rico_encounter *it, int32_t triangle, int32_t face, rico_axis *best)
{
    const rico_polytope *a = it->pair.a, *b = it->pair.b;
    const double *plane = &b->plane[4 * face];
    rico_axis axis = {.gap = INFINITY, .feature_b = rico_face_feature(b, face)};
    for (int k = 0; k < 3; k++) {
        int32_t v = a->loop_vertex[3 * triangle + k];
        double x[3];
        rico_vec3_subtract(&a->vertex[3 * v], it->pair.t, x);
        rico_mat3_transpose_times(it->pair.R, x, x);
        double gap = rico_vec3_dot(plane, x) - plane[3];
        if (gap < axis.gap) axis.gap = gap, axis.feature_a = (uint32_t)v;
    }
    rico_pair_turn(&it->pair, plane, axis.normal);
    rico_vec3_scale(-1.0, axis.normal, axis.normal);
    consider(it, &axis, best);
}


// A triangle against all of b, or of its tile; *depth: how far b reaches out of it.
static void consider_triangle(const rico_encounter *it, int32_t triangle, double *depth, rico_axis *best)
{
    const rico_polytope *a = it->pair.a, *b = it->pair.b;
    const double *plane = &a->plane[4 * triangle];
    rico_axis axis = {.gap = INFINITY, .feature_a = rico_face_feature(a, triangle)};
    int32_t count = it->other ? 3 : b->vertices;
    rico_vec3_copy(plane, axis.normal);
    *depth = -INFINITY;
    for (int32_t k = 0; k < count; k++) {
        int32_t v = it->other ? b->loop_vertex[3 * it->tile_face + k] : k;
        double x[3];
        rico_pair_point(&it->pair, v, x);
        double height = rico_vec3_dot(plane, x) - plane[3];
        if (height < axis.gap) axis.gap = height, axis.feature_b = (uint32_t)v;
        *depth = fmax(*depth, height);
    }
    // of a tile, a vertex that does not stand out still is where it is deepest
    if (axis.gap > best->gap) *best = axis;
}


// Over a ridge or a corner: the normals of the triangles on the other side are normals of those, too, and may be the better way out.
static void consider_around(const rico_encounter *it, int32_t triangle, rico_axis *best)
{
    const rico_polytope *a = it->pair.a;
    for (int k = 0; k < 3; k++) {
        int32_t v = a->loop_vertex[3 * triangle + k];
        for (int32_t j = a->star[v]; j < a->star[v + 1]; j++) {
            const int32_t *edge = &a->edge[4 * a->star_edge[j]];
            int32_t other = edge[0] == v ? edge[2] : edge[3];
            if (other == triangle || other >= a->faces) continue;
            const double *plane = &a->plane[4 * other];
            bool below = rico_vec3_dot(plane, &a->plane[4 * triangle]) < 1.0 - 1e-14;
            for (int i = 0; i < 3 && below; i++)
                below = rico_vec3_dot(plane, &a->vertex[3 * a->loop_vertex[3 * triangle + i]]) - plane[3] <=
                        1e-10 * it->pair.scale;
            double depth;
            if (below && has_directions(it->s, (uint32_t)v) && rico_surface_in_cone(it->s, v, plane))
                consider_triangle(it, other, &depth, best);
        }
    }
}


static void consider_edges(const rico_encounter *it, int32_t triangle, rico_axis *best)
{
    const rico_polytope *a = it->pair.a, *b = it->pair.b;
    int32_t count = it->other ? 3 : b->edges;
    for (int k = 0; k < 3; k++) {
        int32_t e = a->loop_edge[3 * triangle + k];
        if (!it->s->ridge[e]) continue;
        for (int32_t m = 0; m < count; m++) {
            int32_t g = it->other ? b->loop_edge[3 * it->tile_face + m] : m;
            rico_axis axis;
            if (it->other && !it->other->ridge[g]) continue;
            if (rico_polytope_arcs(&it->pair, e, g, &axis) && axis.gap > best->gap + 2e-15 * it->pair.scale)
                *best = axis;
        }
    }
}


// Whether b reaches to a vertex of the surface, or passes it by no more than `depth`.
static bool reaches_vertex(const rico_encounter *it, int32_t v, double depth)
{
    const rico_polytope *b = it->pair.b;
    double x[3];
    rico_vec3_subtract(&it->pair.a->vertex[3 * v], it->pair.t, x);
    rico_mat3_transpose_times(it->pair.R, x, x);
    int32_t faces = it->other ? 1 : b->faces;
    for (int32_t k = 0; k < faces; k++) {
        const double *plane = &b->plane[4 * (it->other ? it->tile_face : k)];
        if (rico_vec3_dot(plane, x) - plane[3] > depth) return false;
    }
    return true;
}


// In each other at a corner: the ridges on its other side hold ways out, too.
static void consider_ridges_around(const rico_encounter *it, int32_t triangle, rico_axis *best)
{
    const rico_polytope *a = it->pair.a, *b = it->pair.b;
    int32_t count = it->other ? 3 : b->edges;
    for (int k = 0; k < 3; k++) {
        int32_t v = a->loop_vertex[3 * triangle + k];
        if (!it->s->corner[v] || !reaches_vertex(it, v, -64.0 * best->gap)) continue;
        for (int32_t j = a->star[v]; j < a->star[v + 1]; j++) {
            int32_t e = a->star_edge[j];
            if (!it->s->ridge[e] || a->edge[4 * e + 2] == triangle || a->edge[4 * e + 3] == triangle)
                continue;
            for (int32_t m = 0; m < count; m++) {
                int32_t g = it->other ? b->loop_edge[3 * it->tile_face + m] : m;
                rico_axis axis;
                if (it->other && !it->other->ridge[g]) continue;
                if (rico_polytope_arcs(&it->pair, e, g, &axis) &&
                    axis.gap > best->gap + 2e-15 * it->pair.scale &&
                    rico_surface_in_cone(it->s, v, axis.normal))
                    *best = axis;
            }
        }
    }
}


// A name in the surface for the feature of a triangle, 6 and 7 being its two faces.
static bool rename_axis(const rico_encounter *it, const rico_triangle *tile, rico_axis *axis)
{
    if (axis->feature_a == 7 || (it->other && axis->feature_b == 7)) return false;
    axis->feature_a = tile->name[axis->feature_a];
    if (it->other) axis->feature_b = it->tile.name[axis->feature_b];
    return true;
}


// --- one triangle -------------------------------------------------------------------------------------------------------

// A vertex over the line between two triangles of one plane is a contact of the first of them only.
static bool is_known(const rico_encounter *it, uint32_t feature_b, const double n[3])
{
    double world[3], d[3];
    int32_t index;
    rico_mat3_times(it->A->R, n, world);
    for (int64_t k = it->first; k < it->out->count; k++) {
        const rico_meeting *m = &it->out->item[k];
        if (m->feature_b != feature_b || rico_feature_rank(it->s->mesh, m->feature_a, &index) != 2) continue;
        rico_vec3_subtract(m->normal, world, d);
        if (rico_vec3_norm(d) < 1e-9) return true;
    }
    return false;
}


// All vertices of b over the triangle, as over a plane.
static bool add_vertices(const rico_encounter *it, const rico_manifold *manifold, int32_t triangle)
{
    const rico_polytope *b = it->pair.b;
    const double *plane = &it->pair.a->plane[4 * triangle];
    int32_t count = it->other ? 3 : b->vertices;
    for (int32_t k = 0; k < count; k++) {
        int32_t v = it->other ? b->loop_vertex[3 * it->tile_face + k] : k;
        double x[3];
        rico_pair_point(&it->pair, v, x);
        if (rico_vec3_dot(plane, x) - plane[3] > it->margin) continue;
        if (!rico_surface_in_face(it->pair.a, triangle, x, 1e-12 * it->pair.scale)) continue;
        if (is_known(it, (uint32_t)v, plane)) continue;
        if (!rico_polytope_add(manifold, rico_face_feature(it->pair.a, triangle), (uint32_t)v, it->out))
            return false;
    }
    return true;
}


// Corners of the overlap that belong to ridges and corners; vertices of b are found over the triangles they are over.
static bool counts_beside_vertices(void *user, uint32_t feature_a, uint32_t feature_b)
{
    const rico_encounter *it = user;
    int32_t index;
    return rico_feature_rank(it->s->mesh, feature_a, &index) != 2 && counts(user, feature_a, feature_b) &&
           within(&it->pair, feature_a, feature_b, it->axis->normal);
}


static bool longest_reached(const rico_encounter *it, int32_t triangle, double depth)
{
    if (!it->other) return depth > 0.0;
    // skins have no thickness: how deep is too deep is told by the size of the triangles
    double lower[3], upper[3], most = 0.0;
    const rico_polytope *mesh[2] = {it->s->mesh, it->other->mesh};
    const int32_t face[2] = {triangle, it->tile_face};
    for (int m = 0; m < 2; m++)
        for (int k = 0; k < 3; k++) {
            rico_vec3_copy(&mesh[m]->vertex[3 * mesh[m]->loop_vertex[3 * face[m] + k]], lower);
            rico_vec3_copy(&mesh[m]->vertex[3 * mesh[m]->loop_vertex[3 * face[m] + (k + 1) % 3]], upper);
            rico_vec3_subtract(upper, lower, upper);
            most = fmax(most, rico_vec3_norm(upper));
        }
    return depth > -most;
}


// The nearest points of a triangle that b passes by: where a face points the same way to round-off, its vertices may yet be beside it.
static bool add_nearest(const rico_encounter *it, rico_manifold *manifold, const rico_axis *plain)
{
    rico_axis none = {.gap = -INFINITY};
    for (int64_t k = it->first; k < it->out->count; k++)
        if (it->out->item[k].feature_b == plain->feature_b &&
            it->out->item[k].gap <= plain->gap + 1e-12 * it->pair.scale)
            return true;
    consider(it, plain, &none);
    if (!(none.gap > -INFINITY) || !within(&it->pair, plain->feature_a, plain->feature_b, plain->normal))
        return true;
    manifold->axis = plain;
    return rico_polytope_add(manifold, plain->feature_a, plain->feature_b, it->out);
}


static bool meet_triangle(void *user, int32_t triangle)
{
    rico_encounter *it = user;
    rico_triangle tile;
    rico_polytope_pair flat;
    rico_axis plain, best = {.gap = -INFINITY};
    double depth;
    // near enough at all, whatever the side
    rico_triangle_set(&tile, it->s->mesh, triangle);
    rico_polytope_pair_set(&flat, &tile.polytope, it->A,
                           it->other ? &it->tile.polytope : rico_polytope_of(it->b), it->B);
    if (!rico_polytope_axis(&flat, it->margin, &plain)) return true;
    consider_triangle(it, triangle, &depth, &best);
    if (!longest_reached(it, triangle, depth)) return true;
    it->crossed = it->crossed || plain.gap < -1e-13 * it->pair.scale;
    bool named = plain.gap > 0.0 && rename_axis(it, &tile, &plain);
    if (named) consider(it, &plain, &best);
    int32_t faces = it->other ? 1 : it->pair.b->faces;
    for (int32_t f = 0; f < faces; f++) consider_face(it, triangle, it->other ? it->tile_face : f, &best);
    consider_edges(it, triangle, &best);
    consider_around(it, triangle, &best);
    if (best.gap < 0.0 && plain.gap <= 0.0) consider_ridges_around(it, triangle, &best);
    if (best.gap > it->margin) return true;
    it->axis = &best;
    // where b passes the triangle by, nothing of the two is nearer than that
    double least = plain.gap > 0.0 ? plain.gap : -INFINITY;
    rico_manifold manifold = {&it->pair, it->A, &best, least, it->margin, it->first, counts, it};
    int32_t index;
    bool over = rico_feature_rank(it->s->mesh, best.feature_a, &index) == 2;
    if (rico_vec3_dot(best.normal, &it->s->mesh->plane[4 * triangle]) > NEARLY_PARALLEL &&
        !add_vertices(it, &manifold, triangle))
        return false;
    manifold.counts = counts_beside_vertices;
    if (!rico_polytope_overlap(&manifold, it->out)) return false;
    manifold.counts = counts;
    if (!over && within(&it->pair, best.feature_a, best.feature_b, best.normal) &&
        !rico_polytope_add(&manifold, best.feature_a, best.feature_b, it->out))
        return false;
    return !named || add_nearest(it, &manifold, &plain);
}


// --- the kind -----------------------------------------------------------------------------------------------------------

static bool meet_tile(void *user, int32_t face)
{
    rico_encounter *it = user;
    double lower[3], upper[3];
    it->tile_face = face;
    rico_triangle_set(&it->tile, it->other->mesh, face);
    rico_polytope_shape_bounds(&it->tile.shape, &it->seen, lower, upper);
    for (int i = 0; i < 3; i++) lower[i] -= it->margin, upper[i] += it->margin;
    return rico_surface_visit(it->s, lower, upper, meet_triangle, it);
}


static bool meet_halfspace(const rico_surface *s, const rico_pose *A, const rico_pose *B, double margin,
                           rico_meeting_list *out)
{
    for (int32_t v = 0; v < s->mesh->vertices; v++) {
        double x[3], d[3], z[3] = {B->R[2], B->R[5], B->R[8]};
        if (!s->corner[v]) continue;
        rico_pose_point(A, &s->mesh->vertex[3 * v], x);
        rico_vec3_subtract(x, B->x, d);
        double gap = rico_vec3_dot(d, z);
        if (gap > margin) continue;
        rico_meeting *m = rico_meeting_add(out);
        if (!m) return false;
        *m = (rico_meeting){.feature_a = (uint32_t)v, .gap = gap};
        rico_vec3_scale(-1.0, z, m->normal);
        rico_vec3_copy(x, m->on_a);
        rico_vec3_copy(x, m->on_b);
        rico_vec3_add_scaled(gap, m->normal, m->on_b);
    }
    return true;
}


static bool meet_surfaces(rico_encounter *it)
{
    // the box of a in the axes of b, to choose among its triangles
    rico_pose back;
    double lower[3], upper[3];
    it->other = rico_surface_of(it->b);
    rico_polytope_pair_set(&it->pair, it->s->mesh, it->A, it->other->mesh, it->B);
    pose_between(it->B, it->A, &back);
    it->a->kind->bounds(it->a, &back, lower, upper);
    for (int i = 0; i < 3; i++) lower[i] -= it->margin, upper[i] += it->margin;
    return rico_surface_visit(it->other, lower, upper, meet_tile, it);
}


static rico_encounter encounter_of(const rico_shape *a, const rico_pose *A, const rico_shape *b,
                                   const rico_pose *B, double margin, rico_meeting_list *out)
{
    rico_encounter it = {a,         b, rico_surface_of(a), NULL, A, B, .margin = margin, .first = out->count,
                         .out = out};
    pose_between(A, B, &it.seen);
    it.pair.scale = fmax(a->reach, b->reach);
    return it;
}


static bool meet(const rico_shape *a, const rico_pose *A, const rico_shape *b, const rico_pose *B,
                 double margin, rico_meeting_list *out)
{
    if (b->kind->class == RICO_HALFSPACE) return meet_halfspace(rico_surface_of(a), A, B, margin, out);
    rico_encounter it = encounter_of(a, A, b, B, margin, out);
    double lower[3], upper[3];
    if (b->kind->class == RICO_TRIANGLES) {
        bool whole = meet_surfaces(&it);
        // which of two surfaces is asked first must not matter to what is found at all
        if (whole && it.crossed && out->count == it.first) {
            rico_encounter turned = encounter_of(b, B, a, A, margin, out);
            whole = meet_surfaces(&turned);
            for (int64_t k = it.first; k < out->count; k++) rico_meeting_turn_round(&out->item[k]);
        }
        return whole && rico_surface_push_out(&it);
    }
    if (b->kind->class == RICO_POLYTOPE)
        rico_polytope_pair_set(&it.pair, it.s->mesh, A, rico_polytope_of(b), B);
    b->kind->bounds(b, &it.seen, lower, upper);
    for (int i = 0; i < 3; i++) lower[i] -= margin, upper[i] += margin;
    return rico_surface_visit(it.s, lower, upper,
                              b->kind->class == RICO_ROUND ? rico_surface_meet_round : meet_triangle, &it) &&
           rico_surface_push_out(&it);
}


static bool again(const rico_shape *a, const rico_pose *A, const rico_shape *b, const rico_pose *B,
                  rico_meeting *m)
{
    const rico_polytope *mesh = rico_surface_of(a)->mesh;
    if (b->kind->class == RICO_POLYTOPE || b->kind->class == RICO_TRIANGLES) {
        rico_polytope_pair pair;
        rico_touch touch;
        double hint[3];
        rico_polytope_pair_set(
            &pair, mesh, A, b->kind->class == RICO_TRIANGLES ? rico_surface_of(b)->mesh : rico_polytope_of(b),
            B);
        rico_mat3_transpose_times(A->R, m->normal, hint);
        if (!rico_feature_touch(&pair, m->feature_a, m->feature_b, hint, &touch)) return false;
        rico_touch_to_world(&touch, A, m);
        return true;
    }
    rico_triangle tile;
    uint32_t feature = m->feature_a;
    rico_triangle_set(&tile, mesh, rico_triangle_of_feature(mesh, feature));
    m->feature_a = rico_triangle_local(&tile, feature);
    bool there = rico_meet_again(&tile.shape, A, b, B, m);
    m->feature_a = feature;
    return there;
}


// The smallest gap among all contacts, looked for farther and farther away.
static bool nearest(const rico_shape *a, const rico_pose *A, const rico_shape *b, const rico_pose *B,
                    rico_nearest *out)
{
    rico_meeting_list list = {.ctx = a->ctx};
    double far = 1e-3 * a->reach;
    bool whole = true;
    for (int round = 0; round < 64 && whole && list.count == 0; round++, far *= 4.0)
        whole = meet(a, A, b, B, far, &list);
    const rico_meeting *m = list.item;
    for (int64_t k = 1; k < list.count; k++)
        if (list.item[k].gap < m->gap) m = &list.item[k];
    if (list.count > 0) rico_nearest_of_meeting(m, A, B, out);
    whole = whole && list.count > 0;
    rico_meeting_list_destroy(&list);
    return whole;
}


const rico_meeting_kind rico_surface_meeting = {meet, again, nearest};
