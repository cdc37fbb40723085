// Hypotheses and materials: from nine constants in axes of their own to the stresses that a hypothesis asks for.
//
// Orthotropic, in its axes (Jones 1999, 2.2): e_1 = s_1/E_1 - nu_12/E_1 s_2 - ..., nu_21/E_2 = nu_12/E_1, e_12 = s_12/G_12. The stiffness is the inverse,
// turned by the matrix of strains under rotation. Plane strain and axisymmetric bodies take its entries; plane stress and rods are what remains once the
// stresses that are zero have been eliminated.

#include "base/context.h"
#include "la/mat3.h"
#include "mesh/element.h"

#include <math.h>

enum { XX = 1, YY = 2, ZZ = 4, XY = 8, YZ = 16, ZX = 32 };

const rico_hypothesis_info rico_hypotheses[RICO_HYPOTHESES] = {
    [RICO_ROD] = {.name = "rod",
                  .dimension = 1,
                  .directions = 1,
                  .strains = 1,
                  .kept = XX,
                  .freed = YY | ZZ | XY | YZ | ZX},
    [RICO_PLANE_STRAIN] = {.name = "plane strain",
                           .dimension = 2,
                           .directions = 2,
                           .strains = 4,
                           .bar = true,
                           .modes = true,
                           .kept = XX | YY | ZZ | XY},
    [RICO_PLANE_STRESS] = {.name = "plane stress",
                           .dimension = 2,
                           .directions = 2,
                           .strains = 4,
                           .modes = true,
                           .kept = XX | YY | ZZ | XY,
                           .freed = ZZ},
    [RICO_AXISYMMETRIC] = {.name = "axisymmetric",
                           .dimension = 2,
                           .directions = 2,
                           .strains = 4,
                           .ring = true,
                           .bar = true,
                           .kept = XX | YY | ZZ | XY},
    [RICO_SOLID] = {.name = "solid",
                    .dimension = 3,
                    .directions = 3,
                    .strains = 6,
                    .bar = true,
                    .modes = true,
                    .kept = XX | YY | ZZ | XY | YZ | ZX},
};


const char *rico_hypothesis_name(rico_hypothesis hypothesis)
{
    return (int)hypothesis >= 0 && hypothesis < RICO_HYPOTHESES ? rico_hypotheses[hypothesis].name : "?";
}


rico_elastic_material rico_elastic_material_default(void)
{
    return (rico_elastic_material){.thickness = 1.0, .axes = {[0] = 1.0, [4] = 1.0, [8] = 1.0}};
}


double rico_element_depth(const rico_element_law *law, const double x[3])
{
    return law->hypothesis->ring ? 2.0 * M_PI * x[0] : law->thickness;
}


// --- checks ----------------------------------------------------------------------------------------------------------

static const char *group_of(const rico_elastic_material *material)
{
    return material->group ? material->group : "all elements";
}


static rico_status positive(rico_context *ctx, const char *name, const rico_elastic_material *material,
                            const char *what, double value)
{
    if (value > 0.0 && isfinite(value)) return RICO_OK;
    return rico_fail(ctx, RICO_BAD_INPUT, "part %s: the %s of %s is %g, expected a number above 0", name,
                     what, group_of(material), value);
}


static rico_status check_isotropic(rico_context *ctx, const char *name, const rico_elastic_material *material)
{
    rico_status status = positive(ctx, name, material, "young", material->young);
    if (status == RICO_OK && !(material->poisson > -1.0 && material->poisson < 0.5))
        status =
            rico_fail(ctx, RICO_BAD_INPUT,
                      "part %s: the poisson of %s is %g, expected a number between -1 and 1/2, both excluded",
                      name, group_of(material), material->poisson);
    return status;
}


// Positive definite: every two of the axes, and all three (Jones 1999, 2.4).
static rico_status check_orthotropic(rico_context *ctx, const char *name,
                                     const rico_elastic_material *material)
{
    static const int PAIR[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    const double *E = material->youngs, *nu = material->poissons;
    for (int i = 0; i < 3; i++) {
        rico_status status = positive(ctx, name, material, "Young's modulus of one of the axes", E[i]);
        if (status == RICO_OK)
            status = positive(ctx, name, material, "shear modulus of two of the axes", material->shears[i]);
        if (status != RICO_OK) return status;
    }
    double left = 1.0;
    for (int k = 0; k < 3; k++) {
        int a = PAIR[k][0], b = PAIR[k][1];
        double product = nu[k] * nu[k] * E[b] / E[a];
        if (!(product < 1.0))
            return rico_fail(ctx, RICO_BAD_INPUT,
                             "part %s: the material of %s gains energy: nu_%d%d is %g, expected less than "
                             "sqrt(E_%d/E_%d) = %g in size",
                             name, group_of(material), a + 1, b + 1, nu[k], a + 1, b + 1, sqrt(E[a] / E[b]));
        left -= product;
    }
    left -= 2.0 * nu[0] * nu[2] * nu[1] * E[2] / E[0]; // nu_21 nu_32 nu_13
    if (!(left > 0.0))
        return rico_fail(ctx, RICO_BAD_INPUT,
                         "part %s: the material of %s gains energy: 1 - nu_12 nu_21 - nu_13 nu_31 - nu_23 "
                         "nu_32 - 2 nu_21 nu_32 nu_13 is %g, expected more than 0",
                         name, group_of(material), left);
    return RICO_OK;
}


static rico_status check_axes(rico_context *ctx, const char *name, const rico_elastic_material *material)
{
    double worst = fabs(rico_mat3_determinant(material->axes) - 1.0);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double product = rico_vec3_dot(material->axes + 3 * i, material->axes + 3 * j);
            worst = fmax(worst, fabs(product - (i == j ? 1.0 : 0.0)));
        }
    if (worst <= 1e-9) return RICO_OK;
    return rico_fail(
        ctx, RICO_BAD_INPUT,
        "part %s: the axes of the material of %s are no right-handed unit vectors at right angles: off by %g",
        name, group_of(material), worst);
}


// --- stiffness -------------------------------------------------------------------------------------------------------

// The six-by-six stiffness in the material's axes.
static bool stiffness_of(const rico_elastic_material *material, double D[36])
{
    double E[3] = {material->young, material->young, material->young}, nu[3], G[3];
    for (int i = 0; i < 3; i++) {
        nu[i] = material->poisson;
        G[i] = material->young / (2.0 * (1.0 + material->poisson));
        if (material->young != 0.0) continue;
        E[i] = material->youngs[i], nu[i] = material->poissons[i], G[i] = material->shears[i];
    }
    double S[9] = {1.0 / E[0],    -nu[0] / E[0], -nu[1] / E[0], -nu[0] / E[0], 1.0 / E[1],
                   -nu[2] / E[1], -nu[1] / E[0], -nu[2] / E[1], 1.0 / E[2]},
           C[9];
    if (!rico_mat3_inverse(S, C)) return false;
    memset(D, 0, 36 * sizeof *D);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) D[6 * i + j] = 0.5 * (C[3 * i + j] + C[3 * j + i]);
    D[21] = G[0]; // 12
    D[28] = G[2]; // 23
    D[35] = G[1]; // 31
    return true;
}


// D becomes T'DT, with T the matrix that gives strains along `axes` (rows) from those along the world's: e_ab = a'e b.
static void turn(const double axes[9], double D[36])
{
    static const int AT[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}};
    double T[36], product[36];
    for (int s = 0; s < 6; s++)
        for (int k = 0; k < 6; k++) {
            const double *a = axes + 3 * AT[s][0], *b = axes + 3 * AT[s][1];
            int i = AT[k][0], j = AT[k][1];
            double both = k < 3 ? a[i] * b[i] : 0.5 * (a[i] * b[j] + a[j] * b[i]);
            T[6 * s + k] = s < 3 ? both : 2.0 * both; // shears as angles
        }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            product[6 * i + j] = 0.0;
            for (int k = 0; k < 6; k++) product[6 * i + j] += D[6 * i + k] * T[6 * k + j];
        }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            D[6 * i + j] = 0.0;
            for (int k = 0; k < 6; k++) D[6 * i + j] += T[6 * k + i] * product[6 * k + j];
        }
}


// Stresses that are zero are eliminated with their strains; those kept are copied in order.
static void reduce(const rico_hypothesis_info *hypothesis, double D[36], double *out)
{
    for (int p = 0; p < 6; p++) {
        if (!(hypothesis->freed >> p & 1U)) continue;
        double pivot = D[7 * p];
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++)
                if (i != p && j != p) D[6 * i + j] -= D[6 * i + p] * D[6 * p + j] / pivot;
        for (int i = 0; i < 6; i++) D[6 * i + p] = D[6 * p + i] = 0.0;
    }
    int n = 0;
    for (int i = 0; i < 6; i++) {
        if (!(hypothesis->kept >> i & 1U)) continue;
        int m = 0;
        for (int j = 0; j < 6; j++)
            if (hypothesis->kept >> j & 1U)
                out[n * hypothesis->strains + m++] = 0.5 * (D[6 * i + j] + D[6 * j + i]);
        n++;
    }
}


// In the plane stresses must not shear out of it.
static bool leaves_plane(const double D[36])
{
    double largest = 0.0, out = 0.0;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            largest = fmax(largest, fabs(D[6 * i + j]));
            if (i < 4 && j > 3) out = fmax(out, fabs(D[6 * i + j]));
        }
    return out > 1e-9 * largest;
}


rico_status rico_element_law_make(rico_context *ctx, const char *name, const rico_elastic_material *material,
                                  rico_hypothesis hypothesis, rico_remedy remedy, const double rotation[9],
                                  rico_element_law *out)
{
    const rico_hypothesis_info *info = &rico_hypotheses[hypothesis];
    rico_status status = positive(ctx, name, material, "density", material->density);
    bool orthotropic = material->young == 0.0 && material->youngs[0] != 0.0;
    if (status == RICO_OK)
        status = orthotropic ? check_orthotropic(ctx, name, material) : check_isotropic(ctx, name, material);
    if (status == RICO_OK && orthotropic) status = check_axes(ctx, name, material);
    if (status == RICO_OK && info->dimension < 3 && !info->ring)
        status = positive(ctx, name, material, hypothesis == RICO_ROD ? "section" : "thickness",
                          material->thickness);
    if (status == RICO_OK &&
        !(material->alpha >= 0.0 && material->beta >= 0.0 && isfinite(material->alpha + material->beta)))
        status =
            rico_fail(ctx, RICO_BAD_INPUT,
                      "part %s: the damping of %s is alpha = %g, beta = %g, expected numbers of at least 0",
                      name, group_of(material), material->alpha, material->beta);
    if (status != RICO_OK) return status;

    // the rows of axes turned: those of axes R'
    double D[36], back[9], axes[9];
    rico_mat3_transpose(rotation, back);
    rico_mat3_multiply(material->axes, back, axes);
    if (!stiffness_of(material, D))
        return rico_fail(ctx, RICO_BAD_INPUT,
                         "part %s: the material of %s has no stiffness to double precision", name,
                         group_of(material));
    if (orthotropic) turn(axes, D);
    if (info->dimension == 2 && leaves_plane(D))
        return rico_fail(ctx, RICO_BAD_INPUT, "part %s: the axes of the material of %s lean out of the plane",
                         name, group_of(material));
    *out = (rico_element_law){.hypothesis = info, .remedy = remedy, .density = material->density};
    out->thickness = info->dimension < 3 && !info->ring ? material->thickness : 1.0;
    reduce(info, D, out->D);
    return RICO_OK;
}
