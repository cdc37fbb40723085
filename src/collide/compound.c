// Several shapes that move as one.
//
// The parts keep their own features; those of part k are counted from first[k] on, so that every feature of the compound has one name. Parts
// may be compounds themselves.

#include "collide/polytope.h"

#include "base/context.h"
#include "la/mat3.h"
#include "la/vec3.h"

#include <math.h>

typedef struct rico_part_of {
    const rico_shape *shape;
    rico_pose pose; // in the compound's axes
    uint32_t first; // of its features
} rico_part_of;

typedef struct rico_compound {
    int64_t count;
    rico_part_of *part;
} rico_compound;


static void pose_in(const rico_pose *whole, const rico_pose *part, rico_pose *out)
{
    rico_pose_point(whole, part->x, out->x);
    rico_mat3_multiply(whole->R, part->R, out->R);
}


static void bounds(const rico_shape *shape, const rico_pose *pose, double lower[3], double upper[3])
{
    const rico_compound *c = shape->data;
    for (int i = 0; i < 3; i++) lower[i] = INFINITY, upper[i] = -INFINITY;
    for (int64_t k = 0; k < c->count; k++) {
        rico_pose at;
        double low[3], high[3];
        pose_in(pose, &c->part[k].pose, &at);
        c->part[k].shape->kind->bounds(c->part[k].shape, &at, low, high);
        for (int i = 0; i < 3; i++) {
            lower[i] = fmin(lower[i], low[i]);
            upper[i] = fmax(upper[i], high[i]);
        }
    }
}


static void release(rico_shape *shape)
{
    rico_compound *c = shape->data;
    if (!c) return;
    rico_free(shape->ctx, c->part);
    rico_free(shape->ctx, c);
}


const rico_shape_kind rico_compound_kinds[] = {
    {.info = {"compound", "several shapes that move as one", "", false, true},
     .class = RICO_COMPOUND,
     .size_count = -1,
     .bounds = bounds,
     .release = release},
};
const int rico_compound_kind_count = 1;


// Adds a part's mass, first moments, and inertia about the origin of the compound: R I R' + m (|x|^2 1 - x x').
static void add_mass(const rico_shape *part, const rico_pose *at, rico_mass_properties *sum)
{
    const rico_mass_properties *unit = &part->unit;
    double x[3], turned[9], transposed[9], inertia[9];
    rico_pose_point(at, unit->center, x);
    rico_mat3_multiply(at->R, unit->inertia, turned);
    rico_mat3_transpose(at->R, transposed);
    rico_mat3_multiply(turned, transposed, inertia);
    double square = rico_vec3_dot(x, x);
    sum->mass += unit->mass;
    rico_vec3_add_scaled(unit->mass, x, sum->center);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            sum->inertia[3 * i + j] +=
                inertia[3 * i + j] + unit->mass * ((i == j ? square : 0.0) - x[i] * x[j]);
}


static void set_mass(rico_shape *shape)
{
    const rico_compound *c = shape->data;
    rico_mass_properties sum = {0};
    for (int64_t k = 0; k < c->count; k++) {
        shape->solid &= c->part[k].shape->solid;
        add_mass(c->part[k].shape, &c->part[k].pose, &sum);
    }
    if (!shape->solid) return;
    double *x = sum.center;
    rico_vec3_scale(1.0 / sum.mass, x, x);
    double square = rico_vec3_dot(x, x);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            sum.inertia[3 * i + j] -= sum.mass * ((i == j ? square : 0.0) - x[i] * x[j]);
    shape->unit = sum;
}


static rico_status set_parts(rico_context *ctx, rico_shape *shape, const rico_shape *const *part,
                             const rico_stand *stand, int64_t count)
{
    rico_compound *c = shape->data = rico_alloc(ctx, 1, sizeof *c);
    if (!c) return RICO_NO_MEMORY;
    *c = (rico_compound){.part = rico_alloc(ctx, count, sizeof *c->part)};
    if (!c->part) return RICO_NO_MEMORY;
    uint64_t features = 0;
    for (int64_t k = 0; k < count; k++) {
        rico_part_of *p = &c->part[k];
        if (!part[k] || part[k]->kind->class == RICO_PLANAR || part[k]->kind->class == RICO_HALFSPACE)
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "part %lld of a compound is %s%s", (long long)(k + 1),
                             part[k] ? "a " : "missing", part[k] ? part[k]->kind->info.name : "");
        if (!rico_pose_of(&stand[k], &p->pose))
            return rico_fail(ctx, RICO_BAD_ARGUMENT,
                             "the stand of part %lld of a compound is not finite, or its quaternion is zero",
                             (long long)(k + 1));
        p->shape = part[k];
        p->first = (uint32_t)features;
        features += part[k]->features;
        if (features > UINT32_MAX / 2)
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "a compound of %lld parts has too many features",
                             (long long)count);
        shape->reach = fmax(shape->reach, rico_vec3_norm(p->pose.x) + part[k]->reach);
    }
    c->count = count;
    shape->features = (uint32_t)features;
    return RICO_OK;
}


rico_status rico_shape_compound(rico_context *ctx, const rico_shape *const *part, const rico_stand *stand,
                                int64_t count, rico_shape **out)
{
    *out = NULL;
    if (count < 1) return rico_fail(ctx, RICO_BAD_ARGUMENT, "a compound has at least one part");
    rico_shape *shape;
    rico_status status = rico_shape_begin(ctx, &rico_compound_kinds[0], &shape);
    if (status != RICO_OK) return status;
    status = set_parts(ctx, shape, part, stand, count);
    if (status != RICO_OK) {
        rico_shape_destroy(shape);
        return status;
    }
    set_mass(shape);
    *out = shape;
    return RICO_OK;
}


// --- meetings ------------------------------------------------------------------------------------------------------------

static bool meet(const rico_shape *a, const rico_pose *A, const rico_shape *b, const rico_pose *B,
                 double margin, rico_meeting_list *out)
{
    const rico_compound *c = a->data;
    double low[3], high[3];
    b->kind->bounds(b, B, low, high);
    for (int64_t k = 0; k < c->count; k++) {
        const rico_part_of *part = &c->part[k];
        rico_pose at;
        double lower[3], upper[3];
        bool apart = false;
        pose_in(A, &part->pose, &at);
        part->shape->kind->bounds(part->shape, &at, lower, upper);
        for (int i = 0; i < 3; i++) apart |= lower[i] > high[i] + margin || low[i] > upper[i] + margin;
        if (apart) continue;
        int64_t before = out->count;
        if (!rico_meet(part->shape, &at, b, B, margin, out)) return false;
        for (int64_t m = before; m < out->count; m++) out->item[m].feature_a += part->first;
    }
    return true;
}


// The part that a feature belongs to, by halving.
static const rico_part_of *part_of(const rico_compound *c, uint32_t feature)
{
    int64_t low = 0, high = c->count;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (c->part[middle].first <= feature)
            low = middle;
        else
            high = middle;
    }
    return &c->part[low];
}


static bool again(const rico_shape *a, const rico_pose *A, const rico_shape *b, const rico_pose *B,
                  rico_meeting *m)
{
    const rico_part_of *part = part_of(a->data, m->feature_a);
    rico_pose at;
    pose_in(A, &part->pose, &at);
    m->feature_a -= part->first;
    bool there = rico_meet_again(part->shape, &at, b, B, m);
    m->feature_a += part->first;
    return there;
}


static bool nearest(const rico_shape *a, const rico_pose *A, const rico_shape *b, const rico_pose *B,
                    rico_nearest *out)
{
    const rico_compound *c = a->data;
    bool there = false;
    for (int64_t k = 0; k < c->count; k++) {
        const rico_part_of *part = &c->part[k];
        rico_pose at;
        rico_nearest near = {0};
        pose_in(A, &part->pose, &at);
        if (!rico_meet_nearest(part->shape, &at, b, B, &near)) continue;
        if (there && near.gap >= out->gap) continue;
        near.feature_a += part->first;
        // turning the compound about its own position moves the part's, too: d x_part = d x + d w x (x_part - x)
        double arm[3];
        rico_vec3_subtract(at.x, A->x, arm);
        for (int r = 0; r < 3; r++) {
            double *row = &near.turn[12 * r], about[3];
            rico_vec3_cross(arm, row, about);
            rico_vec3_add(&row[3], about, &row[3]);
        }
        *out = near;
        there = true;
    }
    if (there) rico_nearest_slopes(A, B, out);
    return there;
}


const rico_meeting_kind rico_compound_meeting = {meet, again, nearest};
