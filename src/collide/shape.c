// Shapes: the table of their kinds, and what all of them share.

#include "collide/shape.h"

#include "base/context.h"
#include "la/quaternion.h"

#include <math.h>
#include <string.h>

static const struct {
    const rico_shape_kind *kinds;
    const int *count;
} FAMILIES[] = {
    {rico_round_kinds, &rico_round_kind_count},     {rico_polytope_kinds, &rico_polytope_kind_count},
    {rico_surface_kinds, &rico_surface_kind_count}, {rico_compound_kinds, &rico_compound_kind_count},
    {rico_planar_kinds, &rico_planar_kind_count},
};


static const rico_shape_kind *kind_at(int index)
{
    for (size_t f = 0; f < sizeof FAMILIES / sizeof *FAMILIES; f++) {
        if (index >= 0 && index < *FAMILIES[f].count) return &FAMILIES[f].kinds[index];
        index -= *FAMILIES[f].count;
    }
    return NULL;
}


const rico_shape_info *rico_shape_kind_at(int index)
{
    const rico_shape_kind *kind = kind_at(index);
    return kind ? &kind->info : NULL;
}


rico_stand rico_stand_at(double x, double y, double z)
{
    return (rico_stand){.position = {x, y, z}, .orientation = {1.0, 0.0, 0.0, 0.0}};
}


bool rico_pose_of(const rico_stand *stand, rico_pose *pose)
{
    double turn[4];
    memcpy(turn, stand->orientation, sizeof turn);
    bool whole = rico_quaternion_normalise(turn);
    for (int i = 0; i < 3; i++) whole &= isfinite(stand->position[i]);
    if (!whole) return false;
    rico_vec3_copy(stand->position, pose->x);
    rico_quaternion_to_matrix(turn, pose->R);
    return true;
}


rico_status rico_shape_begin(rico_context *ctx, const rico_shape_kind *kind, rico_shape **out)
{
    rico_shape *shape = *out = rico_alloc(ctx, 1, sizeof *shape);
    if (!shape) return RICO_NO_MEMORY;
    *shape = (rico_shape){.kind = kind, .ctx = ctx, .features = 1, .solid = kind->info.solid};
    return RICO_OK;
}


static rico_status check_sizes(rico_context *ctx, const rico_shape_kind *kind, const double *sizes, int count)
{
    if (count != kind->size_count)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a %s has %d sizes%s%s, got %d", kind->info.name,
                         kind->size_count, kind->size_count ? ": " : "", kind->info.sizes, count);
    for (int i = 0; i < count; i++)
        if (!(sizes[i] > 0.0 && isfinite(sizes[i])))
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "sizes of a %s (%s) are positive, got %g",
                             kind->info.name, kind->info.sizes, sizes[i]);
    return RICO_OK;
}


rico_status rico_shape_create(rico_context *ctx, const char *name, const double *sizes, int count,
                              rico_shape **out)
{
    const rico_shape_kind *kind = NULL, *each;
    *out = NULL;
    for (int i = 0; (each = kind_at(i)); i++)
        if (each->size_count >= 0 && strcmp(each->info.name, name) == 0) kind = each;
    if (!kind) return rico_fail(ctx, RICO_BAD_ARGUMENT, "there is no shape named '%s'", name);
    rico_status status = check_sizes(ctx, kind, sizes, count);
    if (status != RICO_OK) return status;
    rico_shape *shape;
    status = rico_shape_begin(ctx, kind, &shape);
    if (status != RICO_OK) return status;
    if (count > 0) memcpy(shape->size, sizes, (size_t)count * sizeof *sizes);
    if (kind->complete) status = kind->complete(ctx, shape);
    if (status != RICO_OK) {
        rico_shape_destroy(shape);
        return status;
    }
    *out = shape;
    return RICO_OK;
}


void rico_shape_destroy(rico_shape *shape)
{
    if (!shape) return;
    if (shape->kind->release) shape->kind->release(shape);
    rico_free(shape->ctx, shape);
}


const rico_shape_info *rico_shape_kind_of(const rico_shape *shape)
{
    return &shape->kind->info;
}


rico_status rico_shape_mass(rico_context *ctx, const rico_shape *shape, rico_mass_properties *out)
{
    if (!shape->solid)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a %s has no volume, so density gives it no mass",
                         shape->kind->info.name);
    *out = shape->unit;
    return RICO_OK;
}


void rico_shape_bounds(const rico_shape *shape, const rico_stand *at, double lower[3], double upper[3])
{
    rico_pose pose;
    if (!rico_pose_of(at, &pose)) {
        for (int i = 0; i < 3; i++) lower[i] = -INFINITY, upper[i] = INFINITY;
        return;
    }
    shape->kind->bounds(shape, &pose, lower, upper);
}
