// The table of kinds (cone.h), with what is the same for all contacts.

#include "cone/cone.h"

#include "cone/coulomb.h"
#include "cone/rows.h"
#include "la/vec3.h"
#include "ricochet/solver.h"

#include <math.h>
#include <string.h>

// ---- joints and half lines ----

static void project_nothing(const rico_block *block, double *r)
{
    (void)block;
    (void)r;
}


static void project_to_zero(const rico_block *block, double *u)
{
    memset(u, 0, (size_t)block->size * sizeof *u);
}


static void identity(const rico_block *block, double *r, double *jacobian)
{
    (void)r;
    memset(jacobian, 0, (size_t)(block->size * block->size) * sizeof *jacobian);
    for (int64_t i = 0; i < block->size; i++) jacobian[i * block->size + i] = 1.0;
}


static double judge_joint(const rico_block *block, double norm, const double *u, const double *r)
{
    (void)norm;
    (void)r;
    double square = 0.0;
    for (int64_t i = 0; i < block->size; i++) square += u[i] * u[i];
    return square;
}


static void project_half_line(const rico_block *block, double *r)
{
    (void)block;
    r[0] = fmax(r[0], 0.0);
}


static void half_line_jacobian(const rico_block *block, double *r, double *jacobian)
{
    jacobian[0] = r[0] > 0.0 ? 1.0 : 0.0;
    project_half_line(block, r);
}


// ---- Coulomb's cones, by coulomb.c; in the plane the second tangent is 0 throughout ----

static rico_cone_fault friction_fault(const rico_block *block)
{
    return rico_cone_check_slope("friction coefficient", block->friction);
}


static void project_plane(const rico_block *block, double *r)
{
    double z[3] = {r[0], r[1], 0.0};
    rico_coulomb_project(block->friction, z);
    r[0] = z[0];
    r[1] = z[1];
}


static void project_plane_dual(const rico_block *block, double *u)
{
    double z[3] = {u[0], u[1], 0.0};
    rico_coulomb_project_dual(block->friction, z);
    u[0] = z[0];
    u[1] = z[1];
}


static void plane_jacobian(const rico_block *block, double *r, double *jacobian)
{
    double z[3] = {r[0], r[1], 0.0}, whole[9];
    rico_coulomb_project_jacobian(block->friction, z, whole);
    for (int i = 0; i < 2; i++) {
        r[i] = z[i];
        for (int j = 0; j < 2; j++) jacobian[2 * i + j] = whole[3 * i + j];
    }
}


static double plane_shift(const rico_block *block, const double *u, double *gradient)
{
    if (gradient) gradient[0] = u[1] == 0.0 ? 0.0 : copysign(block->friction, u[1]);
    return block->friction * fabs(u[1]);
}


static void project_space(const rico_block *block, double *r)
{
    rico_coulomb_project(block->friction, r);
}


static void project_space_dual(const rico_block *block, double *u)
{
    rico_coulomb_project_dual(block->friction, u);
}


static void space_jacobian(const rico_block *block, double *r, double *jacobian)
{
    rico_coulomb_project_jacobian(block->friction, r, jacobian);
}


static double space_shift(const rico_block *block, const double *u, double *gradient)
{
    double slip = rico_hypot(u[1], u[2]);
    if (!gradient) return block->friction * slip;
    for (int i = 0; i < 2; i++) gradient[i] = slip > 0.0 ? block->friction * (u[1 + i] / slip) : 0.0;
    return block->friction * slip;
}


// ---- what is the same for all contacts ----

// P_K*(u) = u + P_K(-u) (Moreau), for cones whose dual is not written out. Cancels near the surface of K*.
static void project_dual_by_moreau(const rico_block *block, double *u)
{
    double z[RICO_LARGEST_CONE];
    for (int64_t i = 0; i < block->size; i++) z[i] = -u[i];
    rico_cone_project(block, z);
    for (int64_t i = 0; i < block->size; i++) u[i] += z[i];
}


// |F|^2 of Alart and Curnier's map, for s = n r: F_N = min(s_N, u_N), F_g = s_g - P(s_g - u_g) onto the disc of radius
// slope s_N of each group of tangents. These are the parts of one group, added to `square`.
static inline double add_disc(double square, int64_t rows, double radius, const double *u, const double *s)
{
    double slip = 0.0, shrink = 1.0;
    for (int64_t i = 0; i < rows; i++) slip += (s[i] - u[i]) * (s[i] - u[i]);
    if (slip > radius * radius) shrink = radius / sqrt(slip);
    for (int64_t i = 0; i < rows; i++) {
        double f = s[i] - shrink * (s[i] - u[i]);
        square += f * f;
    }
    return square;
}


// The larger of the law and the natural map, which is weighed down by what g magnifies (problem/residual.c).
static inline double larger(double slopes, double law, double natural)
{
    double weight = fmax(1.0, slopes);
    return fmax(law, natural / (weight * weight));
}


// F_N = min(s_N, u_N). Beyond a slope of 1 an s_N that is lost in round-off still holds tangents up that are not: there an open contact
// answers for its whole impulse.
static inline double normal_law(double slopes, int64_t rows, const double *u, const double *s)
{
    if (slopes <= 1.0 || s[0] < 0.0 || u[0] <= s[0]) return fmin(s[0], u[0]);
    double square = 0.0;
    for (int64_t i = 0; i < rows; i++) square += s[i] * s[i];
    return fmin(sqrt(square), u[0]);
}


static double judge_half_line(const rico_block *block, double norm, const double *u, const double *r)
{
    double s = norm * r[0], normal = normal_law(0.0, 1, u, &s);
    return larger(0.0, normal * normal, rico_cone_natural_map(block, 1.0, u, &s, NULL));
}


// The natural map of a Coulomb contact: with the judge below, what every residual spends its time on, hence apart from the table.
static inline double coulomb_map(double mu, double rho, const double u[3], const double r[3], double F[3])
{
    double z[3] = {r[0] - rho * (u[0] + mu * rico_hypot(u[1], u[2])), r[1] - rho * u[1], r[2] - rho * u[2]};
    rico_coulomb_onto(mu, z);
    rico_vec3_subtract(r, z, F);
    return rico_vec3_dot(F, F);
}


static inline double coulomb_judge(double mu, double norm, const double u[3], const double r[3])
{
    double s[3] = {norm * r[0], norm * r[1], norm * r[2]}, F[3];
    double normal = normal_law(mu, 3, u, s);
    double law = add_disc(normal * normal, 2, mu * fmax(s[0], 0.0), u + 1, s + 1);
    return larger(mu, law, coulomb_map(mu, 1.0, u, s, F));
}


static double judge_plane(const rico_block *block, double norm, const double *u, const double *r)
{
    return coulomb_judge(block->friction, norm, (double[]){u[0], u[1], 0.0}, (double[]){r[0], r[1], 0.0});
}


static double judge_space(const rico_block *block, double norm, const double *u, const double *r)
{
    return coulomb_judge(block->friction, norm, u, r);
}


static double judge_rolling(const rico_block *block, double norm, const double *u, const double *r)
{
    const rico_cone_kind *kind = &rico_cone_kinds[block->kind];
    double s[RICO_LARGEST_CONE] = {0.0}, slopes = 0.0;
    for (int64_t i = 0; i < block->size; i++) s[i] = norm * r[i];
    double pressed = fmax(s[0], 0.0), law = 0.0;
    int row = 1;
    for (int g = 0; g < RICO_CONE_GROUPS && kind->group[g]; row += kind->group[g++]) {
        double slope = rico_cone_slope(block, row);
        slopes += slope;
        law = add_disc(law, kind->group[g], slope * pressed, u + row, s + row);
    }
    double normal = normal_law(slopes, block->size, u, s);
    law += normal * normal;
    return larger(slopes, law, rico_cone_natural_map(block, 1.0, u, s, NULL));
}


static double judge_ellipse(const rico_block *block, double norm, const double *u, const double *r)
{
    double s[3] = {norm * r[0], norm * r[1], norm * r[2]};
    double slope = fmax(block->friction, block->friction_2), normal = normal_law(slope, 3, u, s);
    double pressed = fmax(s[0], 0.0), law = normal * normal;
    double axis[2] = {block->friction * pressed, block->friction_2 * pressed}, factor[2];
    rico_elliptic_slip(block, factor);
    double t[2] = {s[1] - factor[0] * u[1], s[2] - factor[1] * u[2]};
    rico_ellipse_project(axis, t);
    for (int i = 0; i < 2; i++) law += (s[1 + i] - t[i]) * (s[1 + i] - t[i]);
    return larger(slope, law, rico_cone_natural_map(block, 1.0, u, s, NULL));
}


// ---- the table ----

#define ROLLING(NAME, KEY, LABEL, SIZE, ...)                                                                 \
    {                                                                                                        \
        .info = {.name = NAME, .key = KEY, .label = LABEL, .size = SIZE}, .takes = RICO_TAKES_ROLLING,       \
        .contact = true, .frictional = true, .shaped = true, .group = {__VA_ARGS__},                         \
        .fault = rico_rolling_fault, .project = rico_rolling_project,                                        \
        .project_dual = project_dual_by_moreau, .jacobian = rico_rolling_jacobian,                           \
        .shift = rico_rolling_shift, .judge = judge_rolling                                                  \
    }

// No cone: a half line times a disc, so that tangents need not vanish with the normal.
#define TRESCA(NAME, KEY, LABEL, SIZE)                                                                       \
    {                                                                                                        \
        .info = {.name = NAME, .key = KEY, .label = LABEL, .size = SIZE}, .takes = RICO_TAKES_TRESCA,        \
        .shaped = true, .fault = rico_tresca_fault, .project = rico_tresca_project,                          \
        .jacobian = rico_tresca_jacobian, .judge = rico_tresca_judge                                         \
    }

const rico_cone_kind rico_cone_kinds[RICO_BLOCK_KINDS] = {
    [RICO_EQUALITY] = {.info = {.name = "equality", .key = "equality", .label = "equality"},
                       .takes = RICO_TAKES_EQUALITY,
                       .joint = true,
                       .project = project_nothing,
                       .project_dual = project_to_zero,
                       .jacobian = identity,
                       .judge = judge_joint},
    [RICO_UNILATERAL] =
        {.info = {.name = "unilateral", .key = "unilateral", .label = "unilateral", .size = 1},
         .takes = RICO_TAKES_UNILATERAL,
         .contact = true,
         .jordan = 1,
         .project = project_half_line,
         .project_dual = project_half_line,
         .jacobian = half_line_jacobian,
         .judge = judge_half_line},
    [RICO_COULOMB_2D] =
        {.info = {.name = "Coulomb 2D", .key = "coulomb_2d", .label = "friction in 2D", .size = 2},
         .takes = RICO_TAKES_COULOMB_2D,
         .contact = true,
         .frictional = true,
         .jordan = 2,
         .group = {1},
         .fault = friction_fault,
         .project = project_plane,
         .project_dual = project_plane_dual,
         .jacobian = plane_jacobian,
         .shift = plane_shift,
         .judge = judge_plane},
    [RICO_COULOMB_3D] =
        {.info = {.name = "Coulomb 3D", .key = "coulomb_3d", .label = "friction in 3D", .size = 3},
         .takes = RICO_TAKES_COULOMB_3D,
         .contact = true,
         .frictional = true,
         .jordan = 3,
         .group = {2},
         .fault = friction_fault,
         .project = project_space,
         .project_dual = project_space_dual,
         .jacobian = space_jacobian,
         .shift = space_shift,
         .judge = judge_space},
    [RICO_BOX] = {.info = {.name = "box", .key = "box", .label = "box", .size = 1},
                  .takes = RICO_TAKES_BOX,
                  .shaped = true,
                  .fault = rico_box_fault,
                  .project = rico_box_project,
                  .jacobian = rico_box_jacobian,
                  .judge = rico_box_judge},
    [RICO_ELLIPTIC] =
        {.info = {.name = "elliptic", .key = "elliptic", .label = "elliptic friction", .size = 3},
         .takes = RICO_TAKES_ELLIPTIC,
         .contact = true,
         .frictional = true,
         .shaped = true,
         .jordan = 3,
         .group = {2},
         .fault = rico_elliptic_fault,
         .project = rico_elliptic_project,
         .project_dual = project_dual_by_moreau,
         .jacobian = rico_elliptic_jacobian,
         .shift = rico_elliptic_shift,
         .slip = rico_elliptic_slip,
         .judge = judge_ellipse},
    [RICO_SPINNING] = ROLLING("spinning", "spinning", "spinning friction", 4, 2, 1),
    [RICO_ROLLING] = ROLLING("rolling", "rolling", "rolling friction", 5, 2, 2),
    [RICO_ROLLING_SPINNING] =
        ROLLING("rolling and spinning", "rolling_spinning", "rolling and spinning friction", 6, 2, 2, 1),
    [RICO_ROLLING_2D] = ROLLING("rolling 2D", "rolling_2d", "rolling friction in 2D", 3, 1, 1),
    [RICO_TRESCA_2D] = TRESCA("Tresca 2D", "tresca_2d", "Tresca's friction in 2D", 2),
    [RICO_TRESCA_3D] = TRESCA("Tresca 3D", "tresca_3d", "Tresca's friction in 3D", 3),
};


const rico_block_info *rico_block_describe(rico_block_kind kind)
{
    return (int)kind >= 0 && kind < RICO_BLOCK_KINDS ? &rico_cone_kinds[kind].info : NULL;
}


rico_cone_fault rico_cone_check_slope(const char *what, double value)
{
    if (value >= 0.0 && isfinite(value)) return (rico_cone_fault){0};
    return (rico_cone_fault){what, value, "finite, >= 0"};
}


// The coefficient of each row beyond the first three depends on which moments there are.
double rico_cone_slope(const rico_block *block, int64_t row)
{
    const rico_cone_kind *kind = &rico_cone_kinds[block->kind];
    if (row == 0 || !kind->frictional) return 0.0;
    if (row == 2 && block->kind == RICO_ELLIPTIC) return block->friction_2;
    if (row == 2 && block->kind == RICO_ROLLING_2D) return block->rolling;
    if (row < 3) return block->friction;
    return kind->group[1] == 2 && row < 5 ? block->rolling : block->spinning;
}


// A half line and a joint are worth their own lines: no projection, and no round-off of r in what measures u.
double rico_cone_natural_map(const rico_block *block, double rho, const double *u, const double *r, double *F)
{
    const rico_cone_kind *kind = &rico_cone_kinds[block->kind];
    double square = 0.0;
    if (kind->joint) {
        for (int64_t i = 0; i < block->size; i++) {
            double f = rho * u[i];
            if (F) F[i] = f;
            square += f * f;
        }
        return square;
    }
    if (block->kind == RICO_UNILATERAL) {
        double f = fmin(r[0], rho * u[0]);
        if (isnan(r[0]) || isnan(u[0])) f = NAN; // fmin would hide it
        if (F) F[0] = f;
        return f * f;
    }
    double z[RICO_LARGEST_CONE];
    if (block->kind == RICO_COULOMB_3D) return coulomb_map(block->friction, rho, u, r, F ? F : z);
    if (block->kind == RICO_COULOMB_2D) {
        square =
            coulomb_map(block->friction, rho, (double[]){u[0], u[1], 0.0}, (double[]){r[0], r[1], 0.0}, z);
        if (F) memcpy(F, z, 2 * sizeof *F);
        return square;
    }
    memcpy(z, u, (size_t)block->size * sizeof *u);
    rico_cone_shift(block, z);
    for (int64_t i = 0; i < block->size; i++) z[i] = r[i] - rho * z[i];
    kind->project(block, z);
    for (int64_t i = 0; i < block->size; i++) {
        double f = r[i] - z[i];
        if (F) F[i] = f;
        square += f * f;
    }
    return square;
}
