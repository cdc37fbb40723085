// One row between two bounds: a relay, the friction of a joint, the limit of a motor.
//
// low <= r <= high with u >= 0 at low, u <= 0 at high and u = 0 between: u is in minus the normal cone of the interval.
// The interval is convex but no cone, so there is no dual and nothing is shifted; the natural map is the law all the same.

#include "cone/rows.h"

#include <math.h>

rico_cone_fault rico_box_fault(const rico_block *block)
{
    if (!(block->low < INFINITY)) return (rico_cone_fault){"lower bound", block->low, "below infinity"};
    if (!(block->high > -INFINITY))
        return (rico_cone_fault){"upper bound", block->high, "above minus infinity"};
    if (block->low > block->high)
        return (rico_cone_fault){"lower bound", block->low, "at most the upper one"};
    return (rico_cone_fault){0};
}


void rico_box_project(const rico_block *block, double *r)
{
    // a NaN passes: neither comparison holds
    if (r[0] < block->low) r[0] = block->low;
    if (r[0] > block->high) r[0] = block->high;
}


// Bounds count as reached from within: the identity there, as inside a cone.
void rico_box_jacobian(const rico_block *block, double *r, double *jacobian)
{
    jacobian[0] = block->low <= r[0] && r[0] <= block->high && block->low < block->high ? 1.0 : 0.0;
    rico_box_project(block, r);
}


double rico_box_judge(const rico_block *block, double norm, const double *u, const double *r)
{
    rico_block scaled = *block;
    scaled.low *= norm;
    scaled.high *= norm;
    double s = norm * r[0];
    return rico_cone_natural_map(&scaled, 1.0, u, &s, NULL);
}
