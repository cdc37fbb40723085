// Contacts of polytopes: the best direction, and the whole manifold that belongs to it.
//
// The manifold is the overlap of the two faces that look at each other, seen along the best direction; a corner of it is a vertex of one in
// the face of the other, or a crossing of two edges, and each has the gap and the normal of its own two features. So nothing depends on
// which of the faces is called the reference, and a contact keeps its name for as long as its features meet.

#include "collide/clip.h"
#include "collide/polytope_feature.h"

#include "la/mat3.h"
#include "la/vec3.h"

#include <math.h>

// Faces within 26 degrees of each other share a manifold.
static const double NEARLY_PARALLEL = 0.9;
// Sides within this of each other, over the size of the pair, lie along each other.
static const double LEVEL = 1e-9;


// The face with the given feature in it whose normal is nearest to n (in p's axes).
static int32_t aligned_face(const rico_polytope *p, uint32_t feature, const double n[3])
{
    int32_t index, best = -1;
    double most = -INFINITY;
    int rank = rico_feature_rank(p, feature, &index);
    if (rank == 2) return index;
    int32_t begin = rank ? 0 : p->star[index], end = rank ? 1 : p->star[index + 1];
    for (int32_t k = begin; k < end; k++)
        for (int side = 2; side < 4; side++) {
            int32_t face = p->edge[4 * (rank ? index : p->star_edge[k]) + side];
            double along = rico_vec3_dot(n, &p->plane[4 * face]);
            if (face < p->faces && along > most) most = along, best = face;
        }
    return best;
}


// A face seen along n: corners by two axes at right angles to n, in the order that is against the clock there.
static int project_face(const rico_polytope_pair *pair, bool second, int32_t face, const double axes[2][3],
                        bool reverse, rico_clip_corner *out)
{
    const rico_polytope *p = second ? pair->b : pair->a;
    int32_t begin = p->loop[face], count = p->loop[face + 1] - begin;
    for (int32_t k = 0; k < count; k++) {
        // reversed, the side that begins at a corner is the one that ended there
        int32_t from = reverse ? count - 1 - k : k, side = reverse ? (2 * count - 2 - k) % count : k;
        double x[3];
        if (second)
            rico_pair_point(pair, p->loop_vertex[begin + from], x);
        else
            rico_vec3_copy(&p->vertex[3 * p->loop_vertex[begin + from]], x);
        out[k].x = rico_vec3_dot(axes[0], x);
        out[k].y = rico_vec3_dot(axes[1], x);
        out[k].side = second ? -1 - side : side;
    }
    return count;
}


// The vertex where side i of a face ends and side j begins (or the reverse); -1: they have none in common.
static int32_t corner_of(const rico_polytope *p, int32_t face, int32_t i, int32_t j)
{
    const int32_t *e = &p->edge[4 * p->loop_edge[p->loop[face] + i]];
    const int32_t *g = &p->edge[4 * p->loop_edge[p->loop[face] + j]];
    if (e[0] == g[0] || e[0] == g[1]) return e[0];
    if (e[1] == g[0] || e[1] == g[1]) return e[1];
    return -1;
}


// What meets in a corner of the overlap, by the side before it and the side after it.
static bool name_corner(const rico_polytope_pair *pair, int32_t fa, int32_t fb, int32_t before, int32_t after,
                        uint32_t *feature_a, uint32_t *feature_b)
{
    const rico_polytope *a = pair->a, *b = pair->b;
    if (before >= 0 && after >= 0) {
        int32_t v = corner_of(a, fa, before, after);
        *feature_a = (uint32_t)v;
        *feature_b = rico_face_feature(b, fb);
        return v >= 0;
    }
    if (before < 0 && after < 0) {
        int32_t v = corner_of(b, fb, -1 - before, -1 - after);
        *feature_a = rico_face_feature(a, fa);
        *feature_b = (uint32_t)v;
        return v >= 0;
    }
    int32_t of_a = before >= 0 ? before : after, of_b = -1 - (before >= 0 ? after : before);
    *feature_a = rico_edge_feature(a, a->loop_edge[a->loop[fa] + of_a]);
    *feature_b = rico_edge_feature(b, b->loop_edge[b->loop[fb] + of_b]);
    return true;
}


// Adds a contact by its features unless it is there already. Planes and lines that go on beyond their faces may say less than the best
// direction does, by the square of the angle between the faces: there that direction holds, along which no two points are closer.
bool rico_polytope_add(const rico_manifold *manifold, uint32_t feature_a, uint32_t feature_b,
                       rico_meeting_list *out)
{
    const rico_polytope_pair *pair = manifold->pair;
    const rico_axis *axis = manifold->axis;
    rico_touch touch;
    if (manifold->counts && !manifold->counts(manifold->user, feature_a, feature_b)) return true;
    int64_t known = manifold->first;
    while (known < out->count &&
           (out->item[known].feature_a != feature_a || out->item[known].feature_b != feature_b))
        known++;
    if (known < out->count && !manifold->counts) return true;
    if (!rico_feature_touch(pair, feature_a, feature_b, axis->normal, &touch)) return true;
    if (touch.gap < axis->gap) {
        if (rico_vec3_dot(touch.normal, axis->normal) < NEARLY_PARALLEL) return true;
        // two points, or a point and a line, say less by round-off alone
        int32_t i, j;
        bool points =
            rico_feature_rank(pair->a, feature_a, &i) + rico_feature_rank(pair->b, feature_b, &j) < 2;
        if (!points && !rico_feature_touch_along(pair, feature_a, feature_b, axis->normal, &touch))
            return true;
        if (touch.gap < axis->gap) {
            rico_vec3_add_scaled(axis->gap - touch.gap, axis->normal, touch.on_b);
            touch.gap = axis->gap;
        }
    }
    if (touch.gap < manifold->least) {
        if (touch.gap < manifold->least - 1e-12 * pair->scale) return true;
        rico_vec3_add_scaled(manifold->least - touch.gap, touch.normal, touch.on_b);
        touch.gap = manifold->least;
    }
    if (touch.gap > manifold->margin) return true;
    // of a surface: seen from another triangle, along whose direction it may be nearer
    if (known < out->count && !(touch.gap < out->item[known].gap)) return true;
    rico_meeting *m = known < out->count ? &out->item[known] : rico_meeting_add(out);
    if (!m) return false;
    m->feature_a = feature_a;
    m->feature_b = feature_b;
    rico_touch_to_world(&touch, manifold->A, m);
    return true;
}


// Two unit vectors at right angles to n and to each other, n x first = second.
static void axes_across(const double n[3], double axes[2][3])
{
    int least = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(n[i]) < fabs(n[least])) least = i;
    double e[3] = {least == 0, least == 1, least == 2};
    rico_vec3_cross(n, e, axes[0]);
    rico_vec3_normalise(axes[0]);
    rico_vec3_cross(n, axes[0], axes[1]);
}


// The corners of the overlap of two faces. Sides that run along each other within LEVEL count as one: bodies at rest shift by more than round-off,
// and a corner that comes and goes with that takes its impulse along.
static bool add_overlap(const rico_manifold *manifold, int32_t fa, int32_t fb, rico_meeting_list *out)
{
    const rico_polytope_pair *pair = manifold->pair;
    rico_clip_corner p[RICO_CLIP_MOST], q[RICO_CLIP_MOST];
    double axes[2][3];
    axes_across(manifold->axis->normal, axes);
    int p_count = project_face(pair, false, fa, axes, false, p);
    int q_count = project_face(pair, true, fb, axes, true, q);
    int count = rico_clip(p, p_count, LEVEL * pair->scale, q, q_count);
    for (int k = 0; k < count; k++) {
        uint32_t feature_a, feature_b;
        if (name_corner(pair, fa, fb, q[k ? k - 1 : count - 1].side, q[k].side, &feature_a, &feature_b) &&
            !rico_polytope_add(manifold, feature_a, feature_b, out))
            return false;
    }
    return true;
}


bool rico_polytope_overlap(const rico_manifold *manifold, rico_meeting_list *out)
{
    const rico_polytope_pair *pair = manifold->pair;
    const rico_axis *axis = manifold->axis;
    double back[3], normal[3];
    rico_pair_turn_back(pair, axis->normal, back);
    int32_t fa = aligned_face(pair->a, axis->feature_a, axis->normal);
    int32_t fb = aligned_face(pair->b, axis->feature_b, back);
    rico_pair_turn(pair, &pair->b->plane[4 * fb], normal);
    // two edges or vertices that meet away from all faces make one contact; where faces look at each other theirs belong to it
    int32_t index;
    bool face = rico_feature_rank(pair->a, axis->feature_a, &index) == 2 ||
                rico_feature_rank(pair->b, axis->feature_b, &index) == 2;
    if (!face && !(rico_vec3_dot(normal, &pair->a->plane[4 * fa]) < -NEARLY_PARALLEL)) return true;
    return add_overlap(manifold, fa, fb, out);
}


static bool meet_polytopes(const rico_shape *a, const rico_pose *A, const rico_shape *b, const rico_pose *B,
                           double margin, rico_meeting_list *out)
{
    rico_polytope_pair pair;
    rico_axis axis;
    rico_polytope_pair_set(&pair, rico_polytope_of(a), A, rico_polytope_of(b), B);
    if (!rico_polytope_axis(&pair, margin, &axis)) return true;
    rico_manifold manifold = {&pair, A, &axis, -INFINITY, margin, out->count, NULL, NULL};
    if (!rico_polytope_overlap(&manifold, out)) return false;
    // the features of the direction itself are a contact, whatever round-off made of the overlap
    double least = INFINITY;
    for (int64_t k = manifold.first; k < out->count; k++) least = fmin(least, out->item[k].gap);
    if (least <= axis.gap + 4e-15 * pair.scale) return true;
    return rico_polytope_add(&manifold, axis.feature_a, axis.feature_b, out);
}


static bool polytopes_again(const rico_shape *a, const rico_pose *A, const rico_shape *b, const rico_pose *B,
                            rico_meeting *m)
{
    rico_polytope_pair pair;
    rico_touch touch;
    double hint[3];
    rico_polytope_pair_set(&pair, rico_polytope_of(a), A, rico_polytope_of(b), B);
    rico_mat3_transpose_times(A->R, m->normal, hint);
    if (!rico_feature_touch(&pair, m->feature_a, m->feature_b, hint, &touch)) return false;
    rico_touch_to_world(&touch, A, m);
    return true;
}


// --- against a half-space ----------------------------------------------------------------------------------------------

// The plane in the axes of the polytope: height(x) = up.x + lift.
static void plane_seen(const rico_pose *A, const rico_pose *B, double up[3], double *lift)
{
    double z[3] = {B->R[2], B->R[5], B->R[8]}, between[3];
    rico_vec3_subtract(A->x, B->x, between);
    *lift = rico_vec3_dot(z, between);
    rico_mat3_transpose_times(A->R, z, up);
}


static void touch_plane(const rico_pose *A, const rico_pose *B, const double vertex[3], double height,
                        rico_meeting *m)
{
    m->gap = height;
    rico_vec3_set(-B->R[2], -B->R[5], -B->R[8], m->normal);
    rico_pose_point(A, vertex, m->on_a);
    rico_vec3_copy(m->on_a, m->on_b);
    rico_vec3_add_scaled(height, m->normal, m->on_b);
}


static bool meet_plane(const rico_polytope *p, const rico_pose *A, const rico_pose *B, double margin,
                       rico_meeting_list *out)
{
    double up[3], down[3], lift;
    plane_seen(A, B, up, &lift);
    rico_vec3_scale(-1.0, up, down);
    int32_t lowest = rico_polytope_support(p, down, 0);
    if (rico_vec3_dot(up, &p->vertex[3 * lowest]) + lift > margin) return true;
    for (int32_t v = 0; v < p->vertices; v++) {
        double height = rico_vec3_dot(up, &p->vertex[3 * v]) + lift;
        if (height > margin) continue;
        rico_meeting *m = rico_meeting_add(out);
        if (!m) return false;
        m->feature_a = (uint32_t)v;
        m->feature_b = 0;
        touch_plane(A, B, &p->vertex[3 * v], height, m);
    }
    return true;
}


static bool plane_again(const rico_polytope *p, const rico_pose *A, const rico_pose *B, rico_meeting *m)
{
    double up[3], lift;
    if (m->feature_a >= (uint32_t)p->vertices) return false;
    const double *vertex = &p->vertex[3 * m->feature_a];
    plane_seen(A, B, up, &lift);
    touch_plane(A, B, vertex, rico_vec3_dot(up, vertex) + lift, m);
    return true;
}


// --- the nearest, with its derivatives ---------------------------------------------------------------------------------

// How the normal turns with each of the twelve motions, d n = (I - n n') d w / |w| with w what it is the direction of.
static void set_turn(const rico_polytope_pair *pair, const rico_pose *A, const rico_pose *B,
                     rico_nearest *out)
{
    int32_t i, j;
    int rank_a = rico_feature_rank(pair->a, out->feature_a, &i);
    int rank_b = rico_feature_rank(pair->b, out->feature_b, &j);
    double edge_a[3] = {0.0, 0.0, 0.0}, edge_b[3] = {0.0, 0.0, 0.0}, c[3], arm_a[3], arm_b[3];
    if (rank_a == 1) {
        const int32_t *e = &pair->a->edge[4 * i];
        rico_vec3_subtract(&pair->a->vertex[3 * e[1]], &pair->a->vertex[3 * e[0]], edge_a);
        rico_vec3_normalise(edge_a);
        rico_mat3_times(A->R, edge_a, edge_a);
    }
    if (rank_b == 1) {
        const int32_t *e = &pair->b->edge[4 * j];
        rico_vec3_subtract(&pair->b->vertex[3 * e[1]], &pair->b->vertex[3 * e[0]], edge_b);
        rico_vec3_normalise(edge_b);
        rico_mat3_times(B->R, edge_b, edge_b);
    }
    rico_vec3_cross(edge_a, edge_b, c);
    rico_vec3_subtract(out->on_a, A->x, arm_a);
    rico_vec3_subtract(out->on_b, B->x, arm_b);
    bool edges = rank_a == 1 && rank_b == 1, face = rank_a == 2 || rank_b == 2;
    for (int k = 0; k < 12; k++) {
        bool of_b = k >= 6, spin = k % 6 >= 3;
        double e[3] = {k % 3 == 0, k % 3 == 1, k % 3 == 2}, d[3], w[3] = {0.0, 0.0, 0.0}, scale = 1.0;
        if (face) {
            if (spin && of_b == (rank_b == 2)) rico_vec3_cross(e, out->normal, w);
        } else if (edges) {
            rico_vec3_cross(e, of_b ? edge_b : edge_a, d);
            if (spin) rico_vec3_cross(of_b ? edge_a : d, of_b ? d : edge_b, w);
            scale = rico_vec3_dot(c, out->normal);
        } else {
            // the difference of two points, less what runs along an edge that turns with its body
            rico_vec3_cross(e, of_b ? arm_b : arm_a, d);
            rico_vec3_scale(of_b ? 1.0 : -1.0, spin ? d : e, w);
            const double *edge = rank_a == 1 ? edge_a : edge_b;
            rico_vec3_cross(e, edge, d);
            double turned = spin && of_b == (rank_b == 1) ? out->gap * rico_vec3_dot(d, out->normal) : 0.0;
            rico_vec3_add_scaled(-rico_vec3_dot(edge, w) - turned, edge, w);
            scale = out->gap;
        }
        rico_vec3_add_scaled(-rico_vec3_dot(w, out->normal), out->normal, w);
        for (int r = 0; r < 3; r++) out->turn[12 * r + k] = scale != 0.0 ? w[r] / scale : 0.0;
    }
}


void rico_nearest_slopes(const rico_pose *A, const rico_pose *B, rico_nearest *out)
{
    double arm[3];
    rico_vec3_copy(out->normal, out->along);
    rico_vec3_subtract(out->on_a, A->x, arm);
    rico_vec3_cross(arm, out->normal, out->about_a);
    rico_vec3_subtract(out->on_b, B->x, arm);
    rico_vec3_cross(arm, out->normal, out->about_b);
}


void rico_nearest_of_meeting(const rico_meeting *m, const rico_pose *A, const rico_pose *B, rico_nearest *out)
{
    out->gap = m->gap;
    out->feature_a = m->feature_a;
    out->feature_b = m->feature_b;
    rico_vec3_copy(m->normal, out->normal);
    rico_vec3_copy(m->on_a, out->on_a);
    rico_vec3_copy(m->on_b, out->on_b);
    rico_nearest_slopes(A, B, out);
}


static bool is_tip(const rico_polytope *p, int32_t v, const double n[3])
{
    for (int32_t k = p->star[v]; k < p->star[v + 1]; k++) {
        double d[3];
        rico_vec3_subtract(&p->vertex[3 * p->neighbour[k]], &p->vertex[3 * v], d);
        if (rico_vec3_dot(n, d) > -1e-9 * rico_vec3_norm(d)) return false;
    }
    return true;
}


static bool nearest_of_plane(const rico_polytope *p, const rico_pose *A, const rico_pose *B,
                             rico_nearest *out)
{
    double up[3], down[3], lift;
    rico_meeting m;
    plane_seen(A, B, up, &lift);
    rico_vec3_scale(-1.0, up, down);
    int32_t v = rico_polytope_support(p, down, 0);
    touch_plane(A, B, &p->vertex[3 * v], rico_vec3_dot(up, &p->vertex[3 * v]) + lift, &m);
    out->gap = m.gap;
    out->feature_a = (uint32_t)v;
    rico_vec3_copy(m.normal, out->normal);
    rico_vec3_copy(m.on_a, out->on_a);
    rico_vec3_copy(m.on_b, out->on_b);
    out->smooth = is_tip(p, v, down);
    rico_nearest_slopes(A, B, out);
    for (int k = 0; k < 3; k++) {
        double e[3] = {k == 0, k == 1, k == 2}, w[3];
        rico_vec3_cross(e, out->normal, w);
        for (int r = 0; r < 3; r++) out->turn[12 * r + 9 + k] = w[r];
    }
    return true;
}


static bool nearest(const rico_shape *a, const rico_pose *A, const rico_shape *b, const rico_pose *B,
                    rico_nearest *out)
{
    if (b->kind->class == RICO_HALFSPACE) return nearest_of_plane(rico_polytope_of(a), A, B, out);
    rico_polytope_pair pair;
    rico_axis axis;
    rico_touch touch;
    rico_meeting m;
    double back[3];
    int32_t i, j;
    rico_polytope_pair_set(&pair, rico_polytope_of(a), A, rico_polytope_of(b), B);
    rico_polytope_axis(&pair, INFINITY, &axis);
    if (!rico_feature_touch(&pair, axis.feature_a, axis.feature_b, axis.normal, &touch)) return false;
    touch.gap = axis.gap;
    rico_vec3_copy(axis.normal, touch.normal);
    rico_touch_to_world(&touch, A, &m);
    out->gap = m.gap;
    out->feature_a = axis.feature_a;
    out->feature_b = axis.feature_b;
    rico_vec3_copy(m.normal, out->normal);
    rico_vec3_copy(m.on_a, out->on_a);
    rico_vec3_copy(m.on_b, out->on_b);
    rico_nearest_slopes(A, B, out);
    set_turn(&pair, A, B, out);
    // a vertex in a face whose neighbours are as near is an edge that lies in it: the gap has a kink there
    int rank_a = rico_feature_rank(pair.a, axis.feature_a, &i),
        rank_b = rico_feature_rank(pair.b, axis.feature_b, &j);
    rico_pair_turn_back(&pair, axis.normal, back);
    out->smooth = (rank_a != 0 || rank_b != 2 || is_tip(pair.a, i, axis.normal)) &&
                  (rank_b != 0 || rank_a != 2 || is_tip(pair.b, j, back));
    return true;
}


static bool meet(const rico_shape *a, const rico_pose *A, const rico_shape *b, const rico_pose *B,
                 double margin, rico_meeting_list *out)
{
    if (b->kind->class == RICO_HALFSPACE) return meet_plane(rico_polytope_of(a), A, B, margin, out);
    return meet_polytopes(a, A, b, B, margin, out);
}


static bool again(const rico_shape *a, const rico_pose *A, const rico_shape *b, const rico_pose *B,
                  rico_meeting *m)
{
    if (b->kind->class == RICO_HALFSPACE) return plane_again(rico_polytope_of(a), A, B, m);
    return polytopes_again(a, A, b, B, m);
}


const rico_meeting_kind rico_polytope_meeting = {meet, again, nearest};
