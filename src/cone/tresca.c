// Tresca's friction: a bound on the tangential impulse that is given beforehand, whatever the normal one.
//
// K = { r : r_N >= 0, |r_T| <= s }: u is in minus its normal cone, so 0 <= u_N across r_N >= 0, and r_T = -s u_T / |u_T| where
// u_T is not 0. K is convex and no cone; the law is that of a convex minimum, with one solution wherever W is positive definite.

#include "cone/rows.h"

#include <math.h>
#include <string.h>

rico_cone_fault rico_tresca_fault(const rico_block *block)
{
    if (block->high >= 0.0 && isfinite(block->high)) return (rico_cone_fault){0};
    return (rico_cone_fault){"bound of Tresca's friction", block->high, "finite, >= 0"};
}


static double length_of(const rico_block *block, const double *r)
{
    return block->size == 2 ? fabs(r[1]) : hypot(r[1], r[2]);
}


void rico_tresca_project(const rico_block *block, double *r)
{
    double length = length_of(block, r);
    if (r[0] < 0.0) r[0] = 0.0; // a NaN passes
    if (!(length > block->high)) return;
    for (int64_t i = 1; i < block->size; i++) r[i] *= block->high / length;
}


// Borders count as inside, unless the disc is a point.
void rico_tresca_jacobian(const rico_block *block, double *r, double *jacobian)
{
    int64_t n = block->size;
    double length = length_of(block, r);
    memset(jacobian, 0, (size_t)(n * n) * sizeof *jacobian);
    jacobian[0] = r[0] >= 0.0 ? 1.0 : 0.0;
    for (int64_t i = 1; i < n; i++)
        for (int64_t j = 1; j < n; j++) {
            double same = i == j ? 1.0 : 0.0;
            jacobian[i * n + j] = length > block->high
                                      ? block->high / length * (same - r[i] / length * (r[j] / length))
                                      : (block->high > 0.0 ? same : 0.0);
        }
    rico_tresca_project(block, r);
}


double rico_tresca_judge(const rico_block *block, double norm, const double *u, const double *r)
{
    rico_block scaled = *block;
    double s[3] = {0.0};
    scaled.high *= norm;
    for (int64_t i = 0; i < block->size; i++) s[i] = norm * r[i];
    return rico_cone_natural_map(&scaled, 1.0, u, s, NULL);
}
