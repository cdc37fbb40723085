// Elastic motions in a corner of the plane that is rounded by a ball of the p-norm.
//
// K + B_p = { x : D(x) <= 1 }, D the distance to K in the p-norm: 0 in K; -n_a.x/|n_a|_{p'} where the nearest point lies on the
// side a, p' = p/(p-1); |x|_p where it is the corner. D is convex, so that a straight line leaves the set once.

#include "ricochet/vibro.h"

#include "base/context.h"

#include <math.h>

enum { MOST_BOUNCES = 10000, HALVINGS = 200 };


static double norm_of(double p, const double x[2])
{
    double large = fmax(fabs(x[0]), fabs(x[1]));
    if (large == 0.0) return 0.0;
    return large * pow(pow(fabs(x[0]) / large, p) + pow(fabs(x[1]) / large, p), 1.0 / p);
}


// The gradient of the norm: sign(x_i)(|x_i|/|x|)^(p-1), whose dual norm is 1.
static void norm_slope(double p, const double x[2], double slope[2])
{
    double size = norm_of(p, x);
    for (int i = 0; i < 2; i++) slope[i] = copysign(pow(fabs(x[i]) / size, p - 1.0), x[i]);
}


// D at x, and its gradient where x is outside K.
static double distance(const rico_round_corner *corner, const double x[2], double slope[2])
{
    double p = corner->p, dual = p / (p - 1.0), depth[2];
    slope[0] = slope[1] = 0.0;
    for (int a = 0; a < 2; a++) depth[a] = -(corner->normal[a][0] * x[0] + corner->normal[a][1] * x[1]);
    if (depth[0] <= 0.0 && depth[1] <= 0.0) return 0.0;
    for (int a = 0; a < 2; a++) {
        const double *n = corner->normal[a], *other = corner->normal[1 - a];
        if (depth[a] <= 0.0) continue;
        // the nearest point of the line along the side: x + d times the direction that the dual norm pairs n with
        double size = norm_of(dual, n), d = depth[a] / size, along[2];
        norm_slope(dual, n, along);
        double foot[2] = {x[0] + d * along[0], x[1] + d * along[1]};
        if (other[0] * foot[0] + other[1] * foot[1] < 0.0) continue;
        for (int i = 0; i < 2; i++) slope[i] = -n[i] / size;
        return d;
    }
    norm_slope(p, x, slope);
    return norm_of(p, x);
}


static bool leads_away(const rico_round_corner *corner, const double v[2])
{
    for (int a = 0; a < 2; a++)
        if (corner->normal[a][0] * v[0] + corner->normal[a][1] * v[1] < 0.0) return false;
    return true;
}


// From x inside along v to the boundary; v does not lead away for ever.
static void go(const rico_round_corner *corner, double x[2], const double v[2])
{
    double low = 0.0, high = 1.0, slope[2], at[2];
    for (int k = 0; k < HALVINGS; k++, high *= 2.0) {
        at[0] = x[0] + high * v[0], at[1] = x[1] + high * v[1];
        if (distance(corner, at, slope) > 1.0) break;
    }
    for (int k = 0; k < HALVINGS; k++) {
        double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high) break;
        at[0] = x[0] + middle * v[0], at[1] = x[1] + middle * v[1];
        *(distance(corner, at, slope) <= 1.0 ? &low : &high) = middle;
    }
    x[0] += low * v[0], x[1] += low * v[1];
}


static rico_status check(rico_context *ctx, const rico_round_corner *corner, const double velocity[2],
                         double miss)
{
    const double *a = corner->normal[0], *b = corner->normal[1];
    if (!(corner->p > 1.0) || !isfinite(corner->p))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "p = %g of the ball must be above 1 and finite", corner->p);
    double cross = a[0] * b[1] - a[1] * b[0];
    if (!(fabs(cross) > 1e-12 * hypot(a[0], a[1]) * hypot(b[0], b[1])))
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "the normals (%g, %g) and (%g, %g) are no two sides of a corner", a[0], a[1], b[0],
                         b[1]);
    if (!(hypot(velocity[0], velocity[1]) > 0.0) || !isfinite(velocity[0] + velocity[1] + miss))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "(%g, %g) beside the corner by %g is no way into it",
                         velocity[0], velocity[1], miss);
    return RICO_OK;
}


rico_status rico_round_corner_reflect(rico_context *ctx, const rico_round_corner *corner,
                                      const double velocity[2], double miss, double after[2],
                                      int64_t *bounces, int64_t room, double *path)
{
    rico_status status = check(ctx, corner, velocity, miss);
    if (status != RICO_OK) return status;
    double speed = hypot(velocity[0], velocity[1]), slope[2];
    double x[2] = {-miss * velocity[1] / speed, miss * velocity[0] / speed};
    // back along the line into K, if it passes beside: motions come from there
    if (distance(corner, x, slope) >= 1.0)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a way at %g beside the corner does not pass through it",
                         miss);
    after[0] = velocity[0], after[1] = velocity[1];
    for (*bounces = 0; !leads_away(corner, after); ++*bounces) {
        if (*bounces == MOST_BOUNCES)
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "more than %d bounces in one corner", MOST_BOUNCES);
        go(corner, x, after);
        distance(corner, x, slope);
        double square = slope[0] * slope[0] + slope[1] * slope[1],
               into = slope[0] * after[0] + slope[1] * after[1];
        for (int i = 0; i < 2; i++) after[i] -= 2.0 * into / square * slope[i];
        if (path && *bounces < room) {
            path[2 * *bounces] = x[0];
            path[2 * *bounces + 1] = x[1];
        }
    }
    return RICO_OK;
}
