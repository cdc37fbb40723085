// A shape from inside: its kind's table, its sizes, its features.

#ifndef RICO_COLLIDE_SHAPE_H
#define RICO_COLLIDE_SHAPE_H

#include "ricochet/shape.h"

// A stand with its rotation as a matrix, row by row: x_world = x + R x_own.
typedef struct rico_pose {
    double x[3], R[9];
} rico_pose;

// How two shapes are brought together depends on these classes alone, narrow.c.
typedef enum rico_shape_class {
    RICO_ROUND,     // convex, bounded, with a curved piece: sphere, capsule, cylinder, cone, ellipsoid
    RICO_POLYTOPE,  // convex, flat faces: box, hull, one triangle of a surface
    RICO_HALFSPACE, // plane
    RICO_TRIANGLES, // triangles: mesh, height field
    RICO_COMPOUND,
    RICO_PLANAR, // everything in the plane
} rico_shape_class;

typedef struct rico_shape_kind {
    rico_shape_info info;
    rico_shape_class class;
    int size_count; // -1: not made from sizes
    // the rest of a shape that was made from its sizes (features, reach, unit, polytope); NULL: nothing more
    rico_status (*complete)(rico_context *ctx, rico_shape *shape);
    // the point farthest along n (any length but 0), in the shape's axes; NULL for what is not convex and bounded
    void (*support)(const rico_shape *shape, const double n[3], double x[3]);
    void (*bounds)(const rico_shape *shape, const rico_pose *pose, double lower[3], double upper[3]);
    void (*release)(rico_shape *shape); // of `data`; or NULL
} rico_shape_kind;

struct rico_shape {
    const rico_shape_kind *kind;
    rico_context *ctx;
    double size[3];
    uint32_t features; // their ids count from 0
    double reach;      // radius of the ball about its origin that holds it
    bool solid;
    rico_mass_properties unit; // at density 1, where it is solid
    void *data;                // of polytopes (rico_polytope), surfaces, compounds, polygons
};

// The families of kinds, each defined in its own file: rows of one table (shape.c).
extern const rico_shape_kind rico_round_kinds[], rico_polytope_kinds[], rico_surface_kinds[],
    rico_compound_kinds[], rico_planar_kinds[];
extern const int rico_round_kind_count, rico_polytope_kind_count, rico_surface_kind_count,
    rico_compound_kind_count, rico_planar_kind_count;

// A shape with nothing but its kind.
rico_status rico_shape_begin(rico_context *ctx, const rico_shape_kind *kind, rico_shape **out);

// False: not finite, or no rotation.
bool rico_pose_of(const rico_stand *stand, rico_pose *pose);

static inline void rico_pose_point(const rico_pose *pose, const double own[3], double out[3])
{
    double x = own[0], y = own[1], z = own[2];
    for (int i = 0; i < 3; i++)
        out[i] = pose->x[i] + pose->R[3 * i] * x + pose->R[3 * i + 1] * y + pose->R[3 * i + 2] * z;
}

#endif
