// Heights over a grid as a surface of triangles.

#include "collide/surface.h"

#include "base/context.h"

#include <math.h>

static void fill_grid(int32_t nx, int32_t ny, double dx, double dy, const double *height, double *vertex,
                      int32_t *triangle)
{
    for (int32_t j = 0; j < ny; j++)
        for (int32_t i = 0; i < nx; i++) {
            double *x = &vertex[3 * (i + (int64_t)j * nx)];
            x[0] = (i - 0.5 * (nx - 1)) * dx;
            x[1] = (j - 0.5 * (ny - 1)) * dy;
            x[2] = height[i + (int64_t)j * nx];
        }
    for (int32_t j = 0; j + 1 < ny; j++)
        for (int32_t i = 0; i + 1 < nx; i++) {
            int32_t *t = &triangle[6 * (i + (int64_t)j * (nx - 1))], here = i + j * nx;
            t[0] = here, t[1] = here + 1, t[2] = here + nx + 1;
            t[3] = here, t[4] = here + nx + 1, t[5] = here + nx;
        }
}


rico_status rico_shape_height_field(rico_context *ctx, int64_t nx, int64_t ny, double dx, double dy,
                                    const double *height, rico_shape **out)
{
    *out = NULL;
    if (nx < 2 || ny < 2 || nx > INT32_MAX / 32 / ny)
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "a height field has at least 2 x 2 points and no more than %d, got %lld x %lld",
                         INT32_MAX / 32, (long long)nx, (long long)ny);
    if (!(dx > 0.0 && dy > 0.0 && isfinite(dx) && isfinite(dy)))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "the steps of a height field are positive, got %g and %g",
                         dx, dy);
    for (int64_t k = 0; k < nx * ny; k++)
        if (!isfinite(height[k]))
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "height %lld, %lld of a height field is not finite",
                             (long long)(k % nx + 1), (long long)(k / nx + 1));
    double *vertex = rico_alloc(ctx, 3 * nx * ny, sizeof *vertex);
    int32_t *triangle = rico_alloc(ctx, 6 * (nx - 1) * (ny - 1), sizeof *triangle);
    rico_polytope *mesh = NULL;
    rico_status status = RICO_NO_MEMORY;
    bool closed;
    if (vertex && triangle) {
        fill_grid((int32_t)nx, (int32_t)ny, dx, dy, height, vertex, triangle);
        status = rico_surface_join(ctx, vertex, (int32_t)(nx * ny), triangle,
                                   (int32_t)(2 * (nx - 1) * (ny - 1)), &mesh, &closed);
    }
    rico_free(ctx, vertex);
    rico_free(ctx, triangle);
    if (status != RICO_OK) return status;
    return rico_surface_finish(ctx, &rico_surface_kinds[1], mesh, false, out);
}
