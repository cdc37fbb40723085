// Shapes, their mass, and the exact distance between them.
//
//     rico_shape *ball, *slab;
//     rico_shape_create(ctx, "sphere", (double[]){0.05}, 1, &ball);
//     rico_shape_create(ctx, "box", (double[]){1.0, 1.0, 0.1}, 3, &slab);
//     rico_distance(ctx, ball, &at, slab, &origin, &nearest);
//
// A shape stands in axes of its own and never changes: any number of bodies share it, on any number of threads. Shapes
// with an axis have it along z; sizes are radii and full lengths. Shapes in the plane lie in z = 0 and meet only their like.
//
// The signed distance of two convex shapes is gap = max over unit n of n.(c_B - c_A) - h_A(n) - h_B(-n), h being the support
// functions: how far they are apart, or with a minus sign the shortest way out of each other. n points from A to B.

#ifndef RICOCHET_SHAPE_H
#define RICOCHET_SHAPE_H

#include "ricochet/context.h"

RICO_API_BEGIN

typedef struct rico_shape rico_shape;

// Where something stands: x_world = position + R(orientation) x_own, orientation a unit quaternion, the scalar first.
typedef struct rico_stand {
    double position[3], orientation[4];
} rico_stand;

rico_stand rico_stand_at(double x, double y, double z); // not turned

// The kinds that are given by a few numbers, in the order of their table; NULL past its end.
typedef struct rico_shape_info {
    const char *name, *summary;
    const char *sizes; // their names, separated by spaces; "" for kinds that are made in another way
    bool planar;       // lives in the plane
    bool solid;        // has a volume, and so a mass by its density
} rico_shape_info;

const rico_shape_info *rico_shape_kind_at(int index);

// A shape by the name of its kind and its sizes: sphere (radius), box (x y z), capsule (radius length), cylinder (radius
// height), cone (radius height), ellipsoid (x y z semi-axes), plane () which is the half-space z <= 0; in the plane disc (radius),
// rectangle (x y), capsule-2d (radius length, along x), segment (length, along x), line () which is the half-plane y <= 0.
rico_status rico_shape_create(rico_context *ctx, const char *kind, const double *sizes, int count,
                              rico_shape **out);

// The convex hull of points in space, or in the plane (polygon: convex, either order).
rico_status rico_shape_hull(rico_context *ctx, const double *points, int64_t count, rico_shape **out);
rico_status rico_shape_polygon(rico_context *ctx, const double *points, int64_t count, rico_shape **out);

// A surface of triangles, seen from outside against the clock. Closed ones are solid; a surface that is open is a skin that acts on
// its outer side and has no mass. Vertices that are the same to the last bit are joined. Refused, with the
// triangle: vertices that are not there, triangles without area, edges with three faces, edges whose two faces disagree,
// closed surfaces that are inside out, triangles that cross each other.
rico_status rico_shape_mesh(rico_context *ctx, const double *vertex, int64_t vertices,
                            const int64_t *triangle, int64_t triangles, rico_shape **out);

// Heights over a grid of nx x ny points (height[i + j nx] at x = i dx, y = j dy, counted from the middle), two triangles to a cell.
rico_status rico_shape_height_field(rico_context *ctx, int64_t nx, int64_t ny, double dx, double dy,
                                    const double *height, rico_shape **out);

// From a file, STL (text or binary) or OBJ, times `scale`; hull: of its vertices, else the mesh as it is.
rico_status rico_shape_read(rico_context *ctx, const char *path, double scale, bool hull, rico_shape **out);
// With a scale for each axis; a negative one mirrors.
rico_status rico_shape_read_scaled(rico_context *ctx, const char *path, const double scale[3], bool hull,
                                   rico_shape **out);

// Several shapes that move as one; they may overlap, and then their masses add up. They are kept, not copied.
rico_status rico_shape_compound(rico_context *ctx, const rico_shape *const *part, const rico_stand *stand,
                                int64_t count, rico_shape **out);

void rico_shape_destroy(rico_shape *shape);
const rico_shape_info *rico_shape_kind_of(const rico_shape *shape);

// What a shape of unit density has. Shapes in the plane have unit thickness, and only inertia[8].
typedef struct rico_mass_properties {
    double mass, center[3], inertia[9]; // inertia about the center, in the shape's axes
} rico_mass_properties;

rico_status rico_shape_mass(rico_context *ctx, const rico_shape *shape, rico_mass_properties *out);

// The smallest box along the axes of the world that holds it; infinite for a plane.
void rico_shape_bounds(const rico_shape *shape, const rico_stand *at, double lower[3], double upper[3]);

// Where two shapes are nearest, or deepest in each other.
typedef struct rico_nearest {
    double gap, normal[3]; // from A to B
    double on_a[3], on_b[3];
    uint32_t feature_a, feature_b; // vertex, edge, face, rim ... of each
    // How the gap changes as the bodies move: d gap = along.(dx_b - dx_a) + about_b.dw_b - about_a.dw_a with dx of the positions of their
    // stands and dw small turns about them in the axes of the world: along = n, about = (on - position) x n.
    double along[3], about_a[3], about_b[3];
    // d normal = turn (motion), 3 x 12 row by row: motion = (dx_a, dw_a, dx_b, dw_b); zero rows where it is held by a face.
    double turn[36];
    bool smooth; // the normal is unique and both derivatives are those of a differentiable function
} rico_nearest;

rico_status rico_distance(rico_context *ctx, const rico_shape *a, const rico_stand *at_a, const rico_shape *b,
                          const rico_stand *at_b, rico_nearest *out);

// All contacts of two shapes with a gap of at most `margin`: every vertex in a face, every crossing of edges, as clipping finds them.
// Each is named by the pair of its features. Writes at most `room` of them; *count is how many there are.
typedef struct rico_meeting {
    uint32_t feature_a, feature_b;
    double gap, normal[3], on_a[3], on_b[3];
} rico_meeting;

rico_status rico_meetings(rico_context *ctx, const rico_shape *a, const rico_stand *at_a, const rico_shape *b,
                          const rico_stand *at_b, double margin, int64_t room, rico_meeting *out,
                          int64_t *count);

RICO_API_END

#endif
