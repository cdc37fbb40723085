// Drucker and Prager's plasticity with a dilatancy below its friction: a non-associated material with a bipotential.
//
// x = (rate of volume, rates of the deviator), y = (mean stress, deviator of stress), the latter by their five components in an orthonormal
// basis; tension is positive. With mu the slope of the cone, m <= mu that of the flow and C the mean stress at its apex,
//
//     K = { |s| <= mu (C - s_m) },     flow on its surface: e = l s/|s|, e_m = m |e|,     at the apex e_m >= m |e|,
//     b = C e_m + (m - mu)(s_m - C)|e|    for e_m >= m |e| and stresses in K
//     b - <x, y> = (C - s_m)(e_m + (mu - m)|e|) - e.s >= |e| (mu (C - s_m) - |s|) >= 0.
//
// (de Saxce and Bousshine 1998; the coefficients of their k_d, phi, theta and c are mu = k_d tan phi, m = k_d tan theta, C = c / tan phi.) m = mu is the
// associated law. A contact whose slip opens it is the same with r_N = -s_m.

#include "law/bipotential.h"

#include "ricochet/cone.h"

#include <string.h>

enum { SIZE = 6, SHEAR = 5, FRICTION = 0, DILATANCY, APEX };


// mu (C - p): the radius of K at a mean stress.
static double radius(const rico_bipotential *law, double p)
{
    return law->value[FRICTION] * (law->value[APEX] - p);
}


static double slack_of(const rico_bipotential *law, const double *y)
{
    return RICO_BIPOTENTIAL_SLACK * (1.0 + law->value[FRICTION]) *
           (rico_bipotential_length(SIZE, y) + fabs(law->value[APEX]));
}


// Is e_m >= m |e|?
static bool opens(const rico_bipotential *law, const double *x)
{
    double shear = rico_bipotential_length(SHEAR, x + 1);
    double slack = RICO_BIPOTENTIAL_SLACK * (1.0 + law->value[DILATANCY]) * rico_bipotential_length(SIZE, x);
    return x[0] >= law->value[DILATANCY] * shear - slack;
}


static bool in_cone(const rico_bipotential *law, const double *y)
{
    return rico_bipotential_length(SHEAR, y + 1) <= radius(law, y[0]) + slack_of(law, y);
}


static bool admits(const rico_bipotential *law, const double *x, const double *y)
{
    return opens(law, x) && in_cone(law, y);
}


static double value(const rico_bipotential *law, const double *x, const double *y)
{
    double apex = law->value[APEX], less = law->value[DILATANCY] - law->value[FRICTION];
    return apex * x[0] + less * (y[0] - apex) * rico_bipotential_length(SHEAR, x + 1);
}


static double gap(const rico_bipotential *law, const double *x, const double *y)
{
    double more = law->value[FRICTION] - law->value[DILATANCY];
    double volume = x[0] + more * rico_bipotential_length(SHEAR, x + 1);
    return (law->value[APEX] - y[0]) * volume - rico_bipotential_product(SHEAR, x + 1, y + 1);
}


static void direction(const rico_bipotential *law, const double *x, double *d)
{
    memcpy(d, x, SIZE * sizeof *d);
    d[0] += (law->value[FRICTION] - law->value[DILATANCY]) * rico_bipotential_length(SHEAR, x + 1);
}


// In the plane of the axis and the deviator it is Coulomb's cone.
static void project(const rico_bipotential *law, double *y)
{
    double shear = rico_bipotential_length(SHEAR, y + 1);
    double z[3] = {law->value[APEX] - y[0], shear, 0.0};
    rico_coulomb_project(law->value[FRICTION], z);
    y[0] = law->value[APEX] - z[0];
    for (int i = 1; i < SIZE && shear > 0.0; i++) y[i] *= z[1] / shear;
}


static bool reaches(const rico_bipotential *law, double p)
{
    return p <= law->value[APEX];
}


static void flow(const rico_bipotential *law, double p, const double *x, double *lawful, double *y)
{
    double shear = rico_bipotential_length(SHEAR, x + 1), r = radius(law, p);
    memcpy(lawful, x, SIZE * sizeof *lawful);
    lawful[0] = law->value[DILATANCY] * shear;
    y[0] = p;
    for (int i = 1; i < SIZE && shear > 0.0; i++) y[i] = r * (x[i] / shear);
}


static void sample(const rico_bipotential *law, rico_random *random, double *x, double *y)
{
    int state = (int)rico_random_below(random, 3);
    double lawful[SIZE], scale = exp(2.0 * rico_random_normal(random));
    y[0] = law->value[APEX] - scale;
    for (int i = 1; i < SIZE; i++) y[i] = scale * rico_random_normal(random);
    project(law, y);
    if (state == 1) return;
    for (int i = 1; i < SIZE; i++) x[i] = rico_random_normal(random);
    if (state == 0) {
        memset(y, 0, SIZE * sizeof *y);
        y[0] = law->value[APEX];
        x[0] =
            law->value[DILATANCY] * rico_bipotential_length(SHEAR, x + 1) + fabs(rico_random_normal(random));
        return;
    }
    flow(law, y[0], x, lawful, y);
    x[0] = lawful[0];
}


// phi = p e_m + R |e| and psi = 0 where |s| + m (s_m - p) <= R, with R the radius at p. Without dilatancy the cone of psi is a cylinder, cut
// at the apex when p is there.
static void cut(const rico_bipotential *law, double p, const double *x, const double *y,
                rico_bipotential_section *out)
{
    double m = law->value[DILATANCY], R = radius(law, p), shear = rico_bipotential_length(SHEAR, x + 1);
    double size = RICO_BIPOTENTIAL_SLACK * rico_bipotential_length(SIZE, x);
    double stress = rico_bipotential_length(SHEAR, y + 1), slack = slack_of(law, y);
    bool apex = p >= law->value[APEX];
    out->phi = p * x[0] + R * shear;
    out->phi_conjugate = fabs(y[0] - p) <= slack && stress <= R + slack ? 0.0 : INFINITY;
    out->psi = stress + m * (y[0] - p) <= R + slack && (!apex || y[0] <= p + slack) ? 0.0 : INFINITY;
    if (m > 0.0 || apex)
        out->psi_conjugate = opens(law, x) ? p * x[0] + (m > 0.0 ? R / m * x[0] : 0.0) : INFINITY;
    else
        out->psi_conjugate = fabs(x[0]) <= size ? R * shear : INFINITY;
    out->both = fmax(out->phi + out->phi_conjugate, out->psi_conjugate + out->psi);
}


static const char *fault(const rico_bipotential *law)
{
    return law->value[DILATANCY] > law->value[FRICTION] ? "dilatancy must not exceed friction" : NULL;
}


#define NUMBER(NAME, HELP, LOW, STANDARD)                                                                    \
    {                                                                                                        \
        .name = NAME, .help = HELP, .type = RICO_REAL, .low = LOW, .high = 1e12, .standard = STANDARD        \
    }
static const rico_option_info OPTIONS[] = {
    [FRICTION] = NUMBER("friction", "slope of the cone, |s| over mean pressure from the apex", 1e-12, 0.6),
    [DILATANCY] = NUMBER("dilatancy", "volume over shear of the flow, at most the friction", 0.0, 0.2),
    [APEX] = NUMBER("apex", "mean stress at the apex", 0.0, 1.0)};

const rico_bipotential_kind rico_bipotential_soil[] = {
    {.info = {"drucker-prager", "plasticity of soils, with a dilatancy below the friction",
              "de Saxce and Bousshine 1998", SIZE, (int)(sizeof OPTIONS / sizeof *OPTIONS), OPTIONS},
     .fault = fault,
     .admits = admits,
     .value = value,
     .gap = gap,
     .direction = direction,
     .project = project,
     .reaches = reaches,
     .flow = flow,
     .sample = sample,
     .cut = cut},
    {.info = {NULL}},
};
