// Contacts of one triangle of a surface with a round shape.
//
// The triangle alone, a thin plate, says where they touch, and whether that is a contact of the surface. In each other, a plate may be left
// on a way that the surface around it closes; then the ways that it leaves open are those along the normals of its corners,
// ridges and triangles.

#include "collide/surface_meet.h"

#include "collide/contact.h"
#include "la/mat3.h"
#include "la/vec3.h"

#include <math.h>
#include <string.h>

// Nearer than this part of the size, a plate has no say about the way: points do not tell the direction between them.
static const double NEAR = 1e-9;


// Of a contact that one triangle as a convex shape has: keeps it if it belongs to the surface, under its name there.
static bool keep_round(const rico_encounter *it, const rico_triangle *tile, int32_t triangle, rico_meeting *m)
{
    double n[3], own[3], d[3];
    const double *plane = &it->s->mesh->plane[4 * triangle];
    uint32_t local = m->feature_a;
    rico_mat3_transpose_times(it->A->R, m->normal, n);
    if (local == 7) {
        // through the middle: the way out is still the front
        double down[3], x[3];
        if (!it->b->kind->support) return false;
        rico_vec3_scale(-1.0, plane, d);
        rico_mat3_transpose_times(it->seen.R, d, down);
        it->b->kind->support(it->b, down, x);
        rico_pose_point(&it->seen, x, own);
        double back = m->gap;
        m->gap = rico_vec3_dot(plane, own) - plane[3];
        // but for what is behind it all but wholly, and passes by or is inside
        if (m->gap < 64.0 * back - NEAR * it->pair.scale) return false;
        rico_mat3_times(it->A->R, plane, m->normal);
        rico_pose_point(it->A, own, m->on_b);
        rico_vec3_copy(m->on_b, m->on_a);
        rico_vec3_add_scaled(-m->gap, m->normal, m->on_a);
        local = 6;
        if (!rico_surface_in_face(it->s->mesh, triangle, own, 1e-12 * it->pair.scale)) return false;
    } else if (local < 6) {
        // on the rim of the triangle: a normal of its plane makes it a contact of the triangle
        rico_vec3_subtract(n, plane, d);
        if (rico_vec3_norm(d) < 1e-9)
            local = 6;
        else if (!rico_surface_stands_out(it->s, tile->name[local]) ||
                 !rico_surface_is_normal(it->s, tile->name[local], n))
            return false;
    }
    m->feature_a = tile->name[local];
    return true;
}


// Whether the same place with the same normal is among the contacts up to `end`, seen from a neighbour.
static bool round_is_known(const rico_encounter *it, const rico_meeting *m, int64_t end)
{
    for (int64_t j = it->first; j < end; j++) {
        const rico_meeting *o = &it->out->item[j];
        double turned[3], moved[3];
        if (o->feature_b != m->feature_b) continue;
        rico_vec3_subtract(o->normal, m->normal, turned);
        rico_vec3_subtract(o->on_b, m->on_b, moved);
        if (o->feature_a == m->feature_a ||
            (rico_vec3_norm(turned) < 1e-9 && rico_vec3_norm(moved) < 1e-9 * it->b->reach))
            return true;
    }
    return false;
}


// What b rests on over the plane of the triangle, as far as that is within it.
static bool add_round_over(const rico_encounter *it, int32_t triangle)
{
    const double *plane = &it->s->mesh->plane[4 * triangle];
    rico_pose ground;
    double e[3], f[3], x[3], own[3];
    int64_t from = it->out->count, kept = from;
    rico_across(plane, e, f);
    for (int i = 0; i < 3; i++) rico_vec3_set(e[i], f[i], plane[i], &ground.R[3 * i]);
    rico_vec3_scale(plane[3], plane, x);
    rico_pose_point(it->A, x, ground.x);
    double turned[9];
    rico_mat3_multiply(it->A->R, ground.R, turned);
    memcpy(ground.R, turned, sizeof turned);
    if (!rico_over_plane_meeting.meet(it->b, it->B, it->b, &ground, it->margin, it->out)) return false;
    for (int64_t k = from; k < it->out->count; k++) {
        rico_meeting m = it->out->item[k];
        m.feature_b = m.feature_a;
        m.feature_a = rico_face_feature(it->s->mesh, triangle);
        rico_vec3_scale(-1.0, m.normal, m.normal);
        rico_vec3_copy(m.on_b, x);
        rico_vec3_copy(m.on_a, m.on_b);
        rico_vec3_copy(x, m.on_a);
        rico_vec3_subtract(x, it->A->x, x);
        rico_mat3_transpose_times(it->A->R, x, own);
        if (rico_surface_in_face(it->s->mesh, triangle, own, 1e-12 * it->pair.scale) &&
            !round_is_known(it, &m, kept))
            it->out->item[kept++] = m;
    }
    it->out->count = kept;
    return true;
}


// Whether b reaches out of the triangle on its outer side.
static bool reaches_out(const rico_encounter *it, int32_t triangle)
{
    const double *plane = &it->s->mesh->plane[4 * triangle];
    double up[3], x[3], own[3];
    if (!it->b->kind->support) return false;
    rico_mat3_transpose_times(it->seen.R, plane, up);
    it->b->kind->support(it->b, up, x);
    rico_pose_point(&it->seen, x, own);
    return rico_vec3_dot(plane, own) > plane[3];
}


// --- the way out past a corner or a ridge ------------------------------------------------------------------------------

enum { VERTICES_MOST = 4 };

// The best normal among the features around some vertices, in the axes of the surface, from the round shape to it.
typedef struct rico_way {
    const rico_encounter *it;
    rico_duo duo;   // the round shape first
    rico_side mesh; // the whole of the surface, reflected as the second is
    rico_found best;
} rico_way;


// A unit vector between the normals of the triangles around a feature.
static void middle_normal(const rico_surface *s, uint32_t feature, double out[3])
{
    const rico_polytope *mesh = s->mesh;
    int32_t index;
    int rank = rico_feature_rank(mesh, feature, &index);
    rico_vec3_set(0.0, 0.0, 0.0, out);
    if (rank == 2) rico_vec3_copy(&mesh->plane[4 * index], out);
    int32_t begin = rank ? 0 : mesh->star[index], end = rank ? rank % 2 : mesh->star[index + 1];
    for (int32_t k = begin; k < end; k++)
        for (int side = 2; side < 4; side++)
            rico_vec3_add(out, &mesh->plane[4 * mesh->edge[4 * (rank ? index : mesh->star_edge[k]) + side]],
                          out);
    if (!rico_vec3_normalise(out)) rico_vec3_set(0.0, 0.0, 1.0, out);
}


static void try_normal(rico_way *way, const rico_piece *round, const rico_piece *of_mesh, const double n[3])
{
    double out[3], value = rico_side_reach(&way->duo.a, n) + rico_piece_reach(of_mesh, n);
    rico_vec3_scale(-1.0, n, out);
    if (!(value < way->best.value) || !rico_surface_is_normal(way->it->s, of_mesh->feature, out)) return;
    rico_found found = {.value = value, .gap = -value - way->duo.a.radius, .a = *round, .b = *of_mesh};
    rico_vec3_copy(n, found.n);
    // over a triangle it must be within it
    if (of_mesh->type == RICO_PIECE_FACE) {
        rico_spot t = {.gap = found.gap};
        int32_t face;
        rico_feature_rank(way->it->s->mesh, of_mesh->feature, &face);
        rico_vec3_copy(n, t.n);
        rico_side_farthest(&way->duo.a, n, &found.a);
        rico_contact_points(&way->duo, &found.a, &found.b, &t);
        if (!rico_surface_in_face(way->it->s->mesh, face, t.on_b, 1e-12 * way->it->pair.scale)) return;
    }
    way->best = found;
}


static void try_piece(rico_way *way, const rico_piece *of_mesh)
{
    // from the middle of its own normals, where iterations have to begin
    double start[3];
    middle_normal(way->it->s, of_mesh->feature, start);
    rico_vec3_scale(-1.0, start, start);
    if (!rico_surface_stands_out(way->it->s, of_mesh->feature)) return;
    for (int i = 0; i < way->duo.a.count; i++) {
        const rico_piece *round = &way->duo.a.piece[i];
        double n[2][3];
        bool cap = round->type == RICO_PIECE_FACE;
        if (cap && of_mesh->type != RICO_PIECE_POINT) continue;
        int count = rico_pieces_meet(round, of_mesh, start, INFINITY, n);
        for (int k = 0; k < count; k++) try_normal(way, round, of_mesh, n[k]);
        if (of_mesh->type == RICO_PIECE_FACE) return; // its normal is all there is
    }
}


static void try_around(rico_way *way, int32_t vertex)
{
    const rico_polytope *mesh = way->it->s->mesh;
    rico_piece piece;
    rico_polytope_vertex(&way->mesh, vertex, &piece);
    try_piece(way, &piece);
    for (int32_t k = mesh->star[vertex]; k < mesh->star[vertex + 1]; k++) {
        int32_t e = mesh->star_edge[k];
        rico_polytope_edge(&way->mesh, e, &piece);
        try_piece(way, &piece);
        int32_t face = mesh->edge[4 * e] == vertex ? mesh->edge[4 * e + 2] : mesh->edge[4 * e + 3];
        if (face >= mesh->faces) continue;
        rico_polytope_face(&way->mesh, face, &piece);
        try_piece(way, &piece);
    }
}


// The best of them as a contact; false: there is none.
static bool way_out(const rico_encounter *it, const rico_triangle *tile, const int32_t *vertex, int count,
                    rico_meeting *m)
{
    rico_way way = {.it = it};
    rico_duo_of(it->b, it->B, &tile->shape, it->A, &way.duo);
    way.mesh = way.duo.b;
    way.mesh.polytope = it->s->mesh;
    way.best.value = INFINITY;
    for (int k = 0; k < count; k++) try_around(&way, vertex[k]);
    if (!(way.best.value < INFINITY)) return false;
    rico_spot t = {.gap = way.best.gap};
    rico_vec3_copy(way.best.n, t.n);
    rico_contact_points(&way.duo, &way.best.a, &way.best.b, &t);
    rico_spot_to_world(it->A, &t);
    *m = (rico_meeting){.feature_a = way.best.b.feature, .feature_b = way.best.a.feature, .gap = t.gap};
    rico_vec3_scale(-1.0, t.n, m->normal);
    rico_vec3_copy(t.on_b, m->on_a);
    rico_vec3_copy(t.on_a, m->on_b);
    return true;
}


// Vertices of a triangle by which a contact of its own may be blocked: its vertex, the ends of its edge, or all three.
static void add_vertices_of(const rico_triangle *tile, uint32_t local, int32_t list[VERTICES_MOST],
                            int *count)
{
    for (uint32_t k = 0; k < 3; k++) {
        bool has = local < 3   ? k == local
                   : local < 6 ? k == local - 3 || k == (local - 2) % 3
                               : true,
             new = true;
        for (int i = 0; i < *count; i++) new = new &&list[i] != (int32_t)tile->name[k];
        if (has && new) list[(*count)++] = (int32_t)tile->name[k];
    }
}


// Replaces what leads out on a longer way than `best`, of the contacts from `from` on.
static bool put_best(const rico_encounter *it, const rico_meeting *best, int64_t from)
{
    int64_t kept = from;
    for (int64_t k = from; k < it->out->count; k++)
        if (it->out->item[k].gap >= best->gap - 1e-14 * it->pair.scale)
            it->out->item[kept++] = it->out->item[k];
    it->out->count = kept;
    if (best->gap > it->margin || round_is_known(it, best, kept)) return true;
    return rico_meeting_put(it->out, best);
}


bool rico_surface_meet_round(void *user, int32_t triangle)
{
    rico_encounter *it = user;
    rico_triangle tile;
    int64_t from = it->out->count, kept = from;
    int32_t vertex[VERTICES_MOST];
    int count = 0;
    bool aside = false,
         smooth = rico_form_of(it->b) != RICO_FORM_CYLINDER && rico_form_of(it->b) != RICO_FORM_CONE;
    double deepest = 0.0;
    rico_meeting best;
    rico_triangle_set(&tile, it->s->mesh, triangle);
    if (!rico_meet(&tile.shape, it->A, it->b, it->B, it->margin, it->out)) return false;
    for (int64_t k = from; k < it->out->count; k++) {
        rico_meeting m = it->out->item[k];
        uint32_t local = m.feature_a;
        double gap = m.gap;
        bool keep = keep_round(it, &tile, triangle, &m);
        bool stands = local < 6 && rico_surface_stands_out(it->s, tile.name[local]);
        bool behind = local == 7 && m.gap < 64.0 * gap - NEAR * it->pair.scale; // keep_round says how far
        aside = aside || (!keep && !stands && !behind);
        it->crossed = it->crossed || (gap < -1e-13 * it->pair.scale && reaches_out(it, triangle));
        if (stands && gap < (keep ? 0.0 : NEAR * it->pair.scale) && !(keep && smooth))
            add_vertices_of(&tile, local, vertex, &count), deepest = fmin(deepest, gap);
        if (keep && !round_is_known(it, &m, kept)) it->out->item[kept++] = m;
    }
    it->out->count = kept;
    // a way that is far longer than the plate's is one past something else
    if (count > 0 && way_out(it, &tile, vertex, count, &best) &&
        best.gap > 64.0 * deepest - NEAR * it->pair.scale && !put_best(it, &best, from))
        return false;
    // the triangle alone would be left over a side where the surface goes on: that is no way out of the surface
    return !aside || !reaches_out(it, triangle) || add_round_over(it, triangle);
}
