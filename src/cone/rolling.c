// Coulomb's cone with moments: rolling, spinning, or both (Acary, Bourrier 2021, the cone of rolling friction).
//
// Rows: normal impulse, two tangents, then two rolling moments, one spinning moment, or all three. K asks
// |r_g| <= mu_g r_N of each group g of rows, mu_g being the friction, the rolling and the spinning coefficient: an
// intersection of second-order cones, which is no second-order cone itself. Its dual is
// K* = { u : sum of mu_g |u_g| <= u_N }, hence the shift g(u) = sum of mu_g |u_g|.
//
// The projection is exact. With s_g = |r_g| it is the least of (x - r_N)^2 + sum (y_g - s_g)^2 over 0 <= y_g <= mu_g x.
// For given x the best y_g is min(s_g, mu_g x), and the derivative by x, x - r_N - sum over mu_g x < s_g of
// mu_g (s_g - mu_g x), is increasing and piecewise linear: groups join the sum in the order of s_g / mu_g, largest first.

#include "cone/rows.h"

#include <math.h>
#include <string.h>

// What the projection of a point is made of.
typedef struct fall {
    int count; // groups
    double slope[RICO_CONE_GROUPS];
    double length[RICO_CONE_GROUPS]; // |r_g|
    bool bound[RICO_CONE_GROUPS];    // y_g = mu_g x
    double x;                        // normal part of the projection
    double stiffness;                // 1 + sum of mu_g^2 over bound groups
} fall;


rico_cone_fault rico_rolling_fault(const rico_block *block)
{
    rico_cone_fault fault = rico_cone_check_slope("friction coefficient", block->friction);
    for (int64_t row = block->kind == RICO_ROLLING_2D ? 2 : 3; !fault.what && row < block->size; row++)
        fault = rico_cone_check_slope("rolling or spinning coefficient", rico_cone_slope(block, row));
    return fault;
}


// Norm of the rows of a group.
static double length_of(int rows, const double *x)
{
    return rows == 1 ? fabs(x[0]) : hypot(x[0], x[1]);
}


// Solves for x. While some group has s_g / mu_g > x, the one of the largest ratio is bound: the new x is a mean of the
// old one and of that ratio, so what was bound before, with ratios as large, stays so.
static fall find_fall(const rico_block *block, const double *r)
{
    const rico_cone_kind *kind = &rico_cone_kinds[block->kind];
    fall f = {.x = r[0], .stiffness = 1.0};
    int row = 1;
    for (; f.count < RICO_CONE_GROUPS && kind->group[f.count]; f.count++) {
        f.slope[f.count] = rico_cone_slope(block, row);
        f.length[f.count] = length_of(kind->group[f.count], r + row);
        row += kind->group[f.count];
    }

    for (int pass = 0; pass <= f.count; pass++) {
        double pull = r[0];
        f.stiffness = 1.0;
        for (int g = 0; g < f.count; g++) {
            if (!f.bound[g]) continue;
            pull += f.slope[g] * f.length[g];
            f.stiffness += f.slope[g] * f.slope[g];
        }
        f.x = pull > 0.0 ? pull / f.stiffness : 0.0;
        int worst = -1;
        double ratio = 0.0;
        for (int g = 0; g < f.count; g++) {
            if (f.bound[g] || f.length[g] <= f.slope[g] * f.x) continue;
            double own = f.length[g] / f.slope[g]; // INFINITY for a slope of 0, which is bound first
            if (worst < 0 || own > ratio) {
                worst = g;
                ratio = own;
            }
        }
        if (worst < 0) break;
        f.bound[worst] = true;
    }
    return f;
}


void rico_rolling_project(const rico_block *block, double *r)
{
    const rico_cone_kind *kind = &rico_cone_kinds[block->kind];
    fall f = find_fall(block, r);
    int row = 1;
    r[0] = f.x;
    for (int g = 0; g < f.count; row += kind->group[g++]) {
        if (!f.bound[g]) continue;
        double shrink = f.slope[g] * f.x / f.length[g];
        for (int i = row; i < row + kind->group[g]; i++) r[i] *= shrink;
    }
}


// With e_g = r_g / |r_g| and x = (r_N + sum mu_g |r_g|) / stiffness over the bound groups: dP_N = dx,
// dP_g = mu_g e_g dx + (mu_g x / |r_g|)(I - e_g e_g') dr_g where bound, dr_g elsewhere; 0 where x = 0. Borders count as
// inside, and as the apex where x = 0, like those of Coulomb's cone.
void rico_rolling_jacobian(const rico_block *block, double *r, double *jacobian)
{
    const rico_cone_kind *kind = &rico_cone_kinds[block->kind];
    fall f = find_fall(block, r);
    int64_t n = block->size;
    double gradient[RICO_LARGEST_CONE] = {1.0 / f.stiffness};
    memset(jacobian, 0, (size_t)(n * n) * sizeof *jacobian);
    int row = 1;
    for (int g = 0; g < f.count; row += kind->group[g++])
        for (int i = row; f.bound[g] && i < row + kind->group[g]; i++)
            gradient[i] = f.slope[g] * (r[i] / f.length[g]) / f.stiffness;

    row = 1;
    for (int g = 0; f.x > 0.0 && g < f.count; row += kind->group[g++]) {
        for (int i = row; i < row + kind->group[g]; i++) {
            // a group without slope stays at 0, whether or not it is there already
            if (!f.bound[g]) jacobian[i * n + i] = f.slope[g] > 0.0 ? 1.0 : 0.0;
            if (!f.bound[g]) continue;
            double along = r[i] / f.length[g], around = f.slope[g] * f.x / f.length[g];
            for (int64_t j = 0; j < n; j++) jacobian[i * n + j] = f.slope[g] * along * gradient[j];
            for (int j = row; j < row + kind->group[g]; j++)
                jacobian[i * n + j] += around * ((i == j ? 1.0 : 0.0) - along * (r[j] / f.length[g]));
        }
    }
    for (int64_t j = 0; f.x > 0.0 && j < n; j++) jacobian[j] = gradient[j];
    rico_rolling_project(block, r);
}


double rico_rolling_shift(const rico_block *block, const double *u, double *gradient)
{
    const rico_cone_kind *kind = &rico_cone_kinds[block->kind];
    double sum = 0.0;
    int row = 1;
    for (int g = 0; g < RICO_CONE_GROUPS && kind->group[g]; row += kind->group[g++]) {
        double slope = rico_cone_slope(block, row), length = length_of(kind->group[g], u + row);
        sum += slope * length;
        for (int i = row; gradient && i < row + kind->group[g]; i++)
            gradient[i - 1] = length > 0.0 ? slope * (u[i] / length) : 0.0;
    }
    return sum;
}
