// A round shape over a half-space: the normal is that of the plane, and every contact is a point of the shape.

#include "collide/round.h"

#include <float.h>
#include <math.h>

// Where mark k of a rim stands: cos and sin of 2 pi k / 8 to the last bit, so that opposite marks are opposite.
static void mark_point(uint32_t k, double r, double x[2])
{
    static const double HALF = 0.70710678118654752440;
    static const double AT[RICO_MARKS][2] = {{1.0, 0.0},  {HALF, HALF},   {0.0, 1.0},  {-HALF, HALF},
                                             {-1.0, 0.0}, {-HALF, -HALF}, {0.0, -1.0}, {HALF, -HALF}};
    x[0] = r * AT[k][0];
    x[1] = r * AT[k][1];
}


static bool rim_point(const rico_shape *shape, bool top, const double n[3], double x[3])
{
    double half = 0.5 * shape->size[1], across = rico_hypot(n[0], n[1]);
    if (rico_form_of(shape) == RICO_FORM_CONE && top) {
        rico_vec3_set(0.0, 0.0, half, x);
        return true;
    }
    // along the axis up to round-off: no point of the rim is the lowest
    if (!(across > 8.0 * DBL_EPSILON * fabs(n[2]))) return false;
    double factor = shape->size[0] / across;
    rico_vec3_set(factor * n[0], factor * n[1], top ? half : -half, x);
    return true;
}


bool rico_feature_point(const rico_shape *shape, uint32_t feature, const double n[3], double x[3])
{
    rico_form form = rico_form_of(shape);
    if (form == RICO_FORM_SPHERE || form == RICO_FORM_ELLIPSOID) {
        shape->kind->support(shape, n, x);
        return true;
    }
    if (form == RICO_FORM_CAPSULE) {
        if (feature == RICO_CAPSULE_SIDE) return false;
        double norm = rico_vec3_norm(n);
        rico_vec3_scale(shape->size[0] / norm, n, x);
        x[2] += feature == RICO_CAPSULE_TOP ? 0.5 * shape->size[1] : -0.5 * shape->size[1];
        return true;
    }
    if (feature == RICO_BOTTOM_RIM || feature == RICO_TOP_RIM)
        return rim_point(shape, feature == RICO_TOP_RIM, n, x);
    if (feature < RICO_BOTTOM_MARK || feature >= RICO_BOTTOM_CROSSING) return false;
    bool top = feature >= RICO_TOP_MARK;
    uint32_t mark = feature - (top ? RICO_TOP_MARK : RICO_BOTTOM_MARK);
    if (top && form == RICO_FORM_CONE) return false;
    mark_point(mark, shape->size[0], x);
    x[2] = top ? 0.5 * shape->size[1] : -0.5 * shape->size[1];
    return true;
}


static bool again(const rico_shape *a, const rico_pose *A, const rico_shape *b, const rico_pose *B,
                  rico_meeting *m)
{
    (void)b;
    double up[3] = {B->R[2], B->R[5], B->R[8]}, down[3], own[3], x[3], over[3];
    rico_vec3_scale(-1.0, up, down);
    rico_mat3_transpose_times(A->R, down, own);
    if (!rico_feature_point(a, m->feature_a, own, x)) return false;
    rico_pose_point(A, x, m->on_a);
    rico_vec3_subtract(m->on_a, B->x, over);
    m->gap = rico_vec3_dot(up, over);
    rico_vec3_copy(down, m->normal);
    for (int i = 0; i < 3; i++) m->on_b[i] = m->on_a[i] - m->gap * up[i];
    return true;
}


// The features that can be lowest, first; then marks.
static uint32_t lowest_features(rico_form form, uint32_t *first)
{
    bool two = form == RICO_FORM_CAPSULE || form == RICO_FORM_CYLINDER || form == RICO_FORM_CONE;
    *first = form == RICO_FORM_CYLINDER || form == RICO_FORM_CONE ? RICO_BOTTOM_RIM : 0;
    return two ? 2 : 1;
}


static bool meet(const rico_shape *a, const rico_pose *A, const rico_shape *b, const rico_pose *B,
                 double margin, rico_meeting_list *out)
{
    rico_form form = rico_form_of(a);
    rico_meeting m = {0};
    uint32_t first, count = lowest_features(form, &first);
    for (uint32_t f = first; f < first + count; f++) {
        m.feature_a = f;
        if (again(a, A, b, B, &m) && m.gap <= margin && !rico_meeting_put(out, &m)) return false;
    }
    if (form != RICO_FORM_CYLINDER && form != RICO_FORM_CONE) return true;
    // marks of the cap that faces the plane, if one does
    double facing = 0.0;
    for (int i = 0; i < 3; i++) facing -= A->R[3 * i + 2] * B->R[3 * i + 2];
    if (fabs(facing) < 0.9) return true;
    uint32_t mark = facing > 0.0 ? RICO_TOP_MARK : RICO_BOTTOM_MARK;
    for (uint32_t f = mark; f < mark + RICO_MARKS; f++) {
        m.feature_a = f;
        if (again(a, A, b, B, &m) && m.gap <= margin && !rico_meeting_put(out, &m)) return false;
    }
    return true;
}


static bool nearest(const rico_shape *a, const rico_pose *A, const rico_shape *b, const rico_pose *B,
                    rico_nearest *out)
{
    rico_form form = rico_form_of(a);
    rico_meeting m = {0}, best = {.gap = INFINITY};
    uint32_t first, count = lowest_features(form, &first);
    double second = INFINITY;
    bool flat = false;
    for (uint32_t f = first; f < first + count; f++) {
        m.feature_a = f;
        if (!again(a, A, b, B, &m)) {
            // a cap that lies flat: any of its marks stands for it
            flat = true;
            m.feature_a = f == RICO_TOP_RIM ? RICO_TOP_MARK : RICO_BOTTOM_MARK;
            again(a, A, b, B, &m);
            m.feature_a = f == RICO_TOP_RIM ? RICO_TOP_CAP : RICO_BOTTOM_CAP;
        }
        second = fmax(fmin(second, m.gap), fmin(best.gap, fmax(second, m.gap)));
        if (m.gap < best.gap) best = m;
    }
    out->gap = best.gap;
    rico_vec3_copy(best.normal, out->normal);
    rico_vec3_copy(best.on_a, out->on_a);
    rico_vec3_copy(best.on_b, out->on_b);
    out->feature_a = best.feature_a;
    out->smooth = !flat && (count == 1 || second > best.gap + 1e-11 * a->reach);
    rico_nearest_turn(A, B, &(rico_bend){0}, &(rico_bend){.held = 2}, out);
    return true;
}


const rico_meeting_kind rico_over_plane_meeting = {meet, again, nearest};
