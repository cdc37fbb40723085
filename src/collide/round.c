// Round shapes: sphere, capsule, cylinder, cone, ellipsoid, and the half-space beside them. Sizes, support, bounds, mass.

#include "collide/round.h"

#include <math.h>

#define PI 3.14159265358979323846

rico_form rico_form_of(const rico_shape *shape)
{
    if (shape->kind->class == RICO_POLYTOPE) return RICO_FORM_POLYTOPE;
    return (rico_form)(shape->kind - rico_round_kinds);
}


bool rico_meeting_put(rico_meeting_list *list, const rico_meeting *m)
{
    rico_meeting *item = rico_meeting_add(list);
    if (item) *item = *m;
    return item;
}


static void set_mass(rico_shape *shape, double mass, double center, double across, double along_y,
                     double along)
{
    shape->unit = (rico_mass_properties){.mass = mass, .center = {0.0, 0.0, center}};
    shape->unit.inertia[0] = across;
    shape->unit.inertia[4] = along_y;
    shape->unit.inertia[8] = along;
}


// --- sphere ----------------------------------------------------------------------------------------------------------

static rico_status complete_sphere(rico_context *ctx, rico_shape *shape)
{
    (void)ctx;
    double r = shape->size[0], mass = 4.0 / 3.0 * PI * r * r * r, inertia = 0.4 * mass * r * r;
    shape->reach = r;
    set_mass(shape, mass, 0.0, inertia, inertia, inertia);
    return RICO_OK;
}


static void support_sphere(const rico_shape *shape, const double n[3], double x[3])
{
    rico_vec3_scale(shape->size[0] / rico_vec3_norm(n), n, x);
}


static void bounds_sphere(const rico_shape *shape, const rico_pose *pose, double lower[3], double upper[3])
{
    for (int i = 0; i < 3; i++) {
        lower[i] = pose->x[i] - shape->size[0];
        upper[i] = pose->x[i] + shape->size[0];
    }
}


// --- capsule ---------------------------------------------------------------------------------------------------------

// A cylinder and two half balls; 3/8 r is how far the center of a half ball stands above its disc.
static rico_status complete_capsule(rico_context *ctx, rico_shape *shape)
{
    (void)ctx;
    double r = shape->size[0], l = shape->size[1], r2 = r * r;
    double tube = PI * r2 * l, ball = 4.0 / 3.0 * PI * r2 * r;
    double along = 0.5 * tube * r2 + 0.4 * ball * r2;
    double across = tube * (l * l / 12.0 + 0.25 * r2) + ball * (0.4 * r2 + 0.25 * l * l + 0.375 * r * l);
    shape->reach = 0.5 * l + r;
    shape->features = RICO_CAPSULE_FEATURES;
    set_mass(shape, tube + ball, 0.0, across, across, along);
    return RICO_OK;
}


static void support_capsule(const rico_shape *shape, const double n[3], double x[3])
{
    support_sphere(shape, n, x);
    x[2] += copysign(0.5 * shape->size[1], n[2]);
}


static void bounds_capsule(const rico_shape *shape, const rico_pose *pose, double lower[3], double upper[3])
{
    for (int i = 0; i < 3; i++) {
        double half = shape->size[0] + 0.5 * shape->size[1] * fabs(pose->R[3 * i + 2]);
        lower[i] = pose->x[i] - half;
        upper[i] = pose->x[i] + half;
    }
}


// --- cylinder --------------------------------------------------------------------------------------------------------

static rico_status complete_cylinder(rico_context *ctx, rico_shape *shape)
{
    (void)ctx;
    double r = shape->size[0], h = shape->size[1], mass = PI * r * r * h;
    double across = mass * (r * r / 4.0 + h * h / 12.0);
    shape->reach = rico_hypot(r, 0.5 * h);
    shape->features = RICO_ROUND_FEATURES;
    set_mass(shape, mass, 0.0, across, across, 0.5 * mass * r * r);
    return RICO_OK;
}


// The point of a circle of radius r about the z axis that is farthest along n; on the axis where all are.
static void support_circle(double r, const double n[3], double x[2])
{
    double across = rico_hypot(n[0], n[1]);
    double factor = across > 0.0 ? r / across : 0.0;
    x[0] = factor * n[0];
    x[1] = factor * n[1];
}


static void support_cylinder(const rico_shape *shape, const double n[3], double x[3])
{
    support_circle(shape->size[0], n, x);
    x[2] = copysign(0.5 * shape->size[1], n[2]);
}


// Half the extent along world axis i of a disc of radius r across the axis.
static double disc_extent(const rico_pose *pose, int i, double r)
{
    return r * rico_hypot(pose->R[3 * i], pose->R[3 * i + 1]);
}


static void bounds_cylinder(const rico_shape *shape, const rico_pose *pose, double lower[3], double upper[3])
{
    for (int i = 0; i < 3; i++) {
        double half = disc_extent(pose, i, shape->size[0]) + 0.5 * shape->size[1] * fabs(pose->R[3 * i + 2]);
        lower[i] = pose->x[i] - half;
        upper[i] = pose->x[i] + half;
    }
}


// --- cone: the origin is half way up, the apex on top ----------------------------------------------------------------

static rico_status complete_cone(rico_context *ctx, rico_shape *shape)
{
    (void)ctx;
    double r = shape->size[0], h = shape->size[1], mass = PI / 3.0 * r * r * h;
    double across = 3.0 / 80.0 * mass * (4.0 * r * r + h * h);
    shape->reach = rico_hypot(r, 0.5 * h);
    shape->features = RICO_ROUND_FEATURES;
    set_mass(shape, mass, -0.25 * h, across, across, 0.3 * mass * r * r);
    return RICO_OK;
}


static void support_cone(const rico_shape *shape, const double n[3], double x[3])
{
    double r = shape->size[0], h = shape->size[1];
    if (h * n[2] >= r * rico_hypot(n[0], n[1])) {
        rico_vec3_set(0.0, 0.0, 0.5 * h, x);
        return;
    }
    support_circle(r, n, x);
    x[2] = -0.5 * h;
}


static void bounds_cone(const rico_shape *shape, const rico_pose *pose, double lower[3], double upper[3])
{
    for (int i = 0; i < 3; i++) {
        double apex = 0.5 * shape->size[1] * pose->R[3 * i + 2], disc = disc_extent(pose, i, shape->size[0]);
        lower[i] = pose->x[i] + fmin(apex, -apex - disc);
        upper[i] = pose->x[i] + fmax(apex, -apex + disc);
    }
}


// --- ellipsoid -------------------------------------------------------------------------------------------------------

static rico_status complete_ellipsoid(rico_context *ctx, rico_shape *shape)
{
    (void)ctx;
    const double *s = shape->size;
    double mass = 4.0 / 3.0 * PI * s[0] * s[1] * s[2], x2 = s[0] * s[0], y2 = s[1] * s[1], z2 = s[2] * s[2];
    shape->reach = rico_vec3_norm_inf(s);
    set_mass(shape, mass, 0.0, 0.2 * mass * (y2 + z2), 0.2 * mass * (x2 + z2), 0.2 * mass * (x2 + y2));
    return RICO_OK;
}


static void support_ellipsoid(const rico_shape *shape, const double n[3], double x[3])
{
    const double *s = shape->size;
    double scaled[3] = {s[0] * n[0], s[1] * n[1], s[2] * n[2]};
    double norm = rico_vec3_norm(scaled);
    for (int i = 0; i < 3; i++) x[i] = s[i] * scaled[i] / norm;
}


static void bounds_ellipsoid(const rico_shape *shape, const rico_pose *pose, double lower[3], double upper[3])
{
    for (int i = 0; i < 3; i++) {
        const double *row = pose->R + 3 * i, *s = shape->size;
        double half = rico_vec3_norm((double[]){s[0] * row[0], s[1] * row[1], s[2] * row[2]});
        lower[i] = pose->x[i] - half;
        upper[i] = pose->x[i] + half;
    }
}


// --- half-space ------------------------------------------------------------------------------------------------------

static rico_status complete_plane(rico_context *ctx, rico_shape *shape)
{
    (void)ctx;
    shape->reach = INFINITY;
    return RICO_OK;
}


// It ends only along its own normal, so in the world's box only where that is one of the axes.
static void bounds_plane(const rico_shape *shape, const rico_pose *pose, double lower[3], double upper[3])
{
    (void)shape;
    double n[3] = {pose->R[2], pose->R[5], pose->R[8]};
    for (int i = 0; i < 3; i++) {
        bool across = n[(i + 1) % 3] == 0.0 && n[(i + 2) % 3] == 0.0;
        lower[i] = across && n[i] < 0.0 ? pose->x[i] : -INFINITY;
        upper[i] = across && n[i] > 0.0 ? pose->x[i] : INFINITY;
    }
}


// The order is that of rico_form.
const rico_shape_kind rico_round_kinds[] = {
    {.info = {"sphere", "a ball", "radius", false, true},
     .class = RICO_ROUND,
     .size_count = 1,
     .complete = complete_sphere,
     .support = support_sphere,
     .bounds = bounds_sphere},
    {.info = {"capsule", "a cylinder along z with a half ball at each end; length without these",
              "radius length", false, true},
     .class = RICO_ROUND,
     .size_count = 2,
     .complete = complete_capsule,
     .support = support_capsule,
     .bounds = bounds_capsule},
    {.info = {"cylinder", "a cylinder along z, its middle at the origin", "radius height", false, true},
     .class = RICO_ROUND,
     .size_count = 2,
     .complete = complete_cylinder,
     .support = support_cylinder,
     .bounds = bounds_cylinder},
    {.info = {"cone", "a cone along z, its apex at height/2 and its base at -height/2", "radius height",
              false, true},
     .class = RICO_ROUND,
     .size_count = 2,
     .complete = complete_cone,
     .support = support_cone,
     .bounds = bounds_cone},
    {.info = {"ellipsoid", "an ellipsoid by its semi-axes", "x y z", false, true},
     .class = RICO_ROUND,
     .size_count = 3,
     .complete = complete_ellipsoid,
     .support = support_ellipsoid,
     .bounds = bounds_ellipsoid},
    {.info = {"plane", "the half-space z <= 0", "", false, false},
     .class = RICO_HALFSPACE,
     .size_count = 0,
     .complete = complete_plane,
     .bounds = bounds_plane},
};
const int rico_round_kind_count = sizeof rico_round_kinds / sizeof *rico_round_kinds;
