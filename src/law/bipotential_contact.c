// Bipotentials of contact with friction: the cones of src/cone, a pull that the contact bears, a slip rule of its own.
//
// With c the cohesion, r' = r + c e_N in the cone K, g the support function of its section r_N = 1, Q = P F^-1 = diag(p_i / mu_i):
//
//     b(-u, r) = (r_N + c) g(Q^2 u_T) + (I - Q^2)(-u_T).r_T + c u_N      for u_N >= 0 and r' in K       (eq. 14, 24)
//     b - <-u, r> = r'.(u_N + g(Q^2 u_T), Q^2 u_T)
//     r = P(r - rho (u_N + g(Q^2 u_T), Q^2 u_T))                                                         (eq. 31)
//
// Eq. 24 is printed without the factor -u_T of its linear term. Q = I is friction of largest dissipation. p_i alone by their ratio shape
// the law: a factor of both changes b and the effective step along the tangents.

#include "law/bipotential.h"

#include "cone/cone.h"

#include <string.h>

static rico_bipotential_contact shape_of(const rico_bipotential *law)
{
    rico_bipotential_contact contact = {.square = {1.0, 1.0}};
    rico_bipotential_row(law)->shape(law, &contact);
    return contact;
}


static bool own_slip(const rico_bipotential_contact *c)
{
    return c->square[0] != c->square[1];
}


// Q^2 times a vector, the first component untouched.
static void weigh(const rico_bipotential_contact *c, const double *x, double *out)
{
    for (int i = 0; i < (int)c->block.size; i++) out[i] = i == 1 || i == 2 ? c->square[i - 1] * x[i] : x[i];
}


// g at a vector, with its gradient by the tangential components unless NULL.
static double support(const rico_bipotential_contact *c, const double *v, double *gradient)
{
    const rico_cone_kind *cone = &rico_cone_kinds[c->block.kind];
    return cone->shift ? cone->shift(&c->block, v, gradient) : 0.0;
}


static void project(const rico_bipotential *law, double *y)
{
    rico_bipotential_contact c = shape_of(law);
    y[0] += c.cohesion;
    rico_cone_project(&c.block, y);
    y[0] -= c.cohesion;
}


static bool near_set(const rico_bipotential *law, const double *y, double pull)
{
    double z[RICO_BIPOTENTIAL_ROWS];
    int n = law->info->size;
    memcpy(z, y, (size_t)n * sizeof *z);
    project(law, z);
    for (int i = 0; i < n; i++) z[i] -= y[i];
    return rico_bipotential_length(n, z) <= RICO_BIPOTENTIAL_SLACK * (rico_bipotential_length(n, y) + pull);
}


static bool admits(const rico_bipotential *law, const double *x, const double *y)
{
    double size = rico_bipotential_length(law->info->size, x);
    return x[0] <= RICO_BIPOTENTIAL_SLACK * size && near_set(law, y, shape_of(law).cohesion);
}


static double value(const rico_bipotential *law, const double *x, const double *y)
{
    rico_bipotential_contact c = shape_of(law);
    double v[RICO_BIPOTENTIAL_ROWS], linear = -c.cohesion * x[0];
    weigh(&c, x, v);
    for (int i = 1; i < law->info->size; i++) linear += (x[i] - v[i]) * y[i];
    return linear + (y[0] + c.cohesion) * support(&c, v, NULL);
}


static void direction(const rico_bipotential *law, const double *x, double *d)
{
    rico_bipotential_contact c = shape_of(law);
    weigh(&c, x, d);
    d[0] -= support(&c, d, NULL);
}


static double gap(const rico_bipotential *law, const double *x, const double *y)
{
    double d[RICO_BIPOTENTIAL_ROWS];
    direction(law, x, d);
    return -rico_bipotential_product(law->info->size, d, y) - d[0] * shape_of(law).cohesion;
}


static bool reaches(const rico_bipotential *law, double p)
{
    return p >= -shape_of(law).cohesion;
}


// Groups of tangents that are at rest keep what y holds.
static void flow(const rico_bipotential *law, double p, const double *x, double *lawful, double *y)
{
    rico_bipotential_contact c = shape_of(law);
    double v[RICO_BIPOTENTIAL_ROWS] = {0.0}, gradient[RICO_BIPOTENTIAL_ROWS] = {0.0};
    weigh(&c, x, v);
    support(&c, v, gradient);
    memcpy(lawful, x, (size_t)law->info->size * sizeof *lawful);
    lawful[0] = 0.0;
    y[0] = p;
    const int *group = rico_cone_kinds[c.block.kind].group;
    for (int g = 0, row = 1; g < RICO_CONE_GROUPS && group[g]; row += group[g++]) {
        if (rico_bipotential_length(group[g], x + row) == 0.0) continue;
        for (int i = row; i < row + group[g]; i++) y[i] = (p + c.cohesion) * gradient[i - 1];
    }
}


// In turn: open, sticking, slipping with all groups or with some of them.
static void sample(const rico_bipotential *law, rico_random *random, double *x, double *y)
{
    rico_bipotential_contact c = shape_of(law);
    int n = law->info->size, state = (int)rico_random_below(random, 3);
    double p = -c.cohesion + exp(2.0 * rico_random_normal(random)), lawful[RICO_BIPOTENTIAL_ROWS];
    for (int i = 0; i < n; i++) y[i] = i == 0 ? p : p * rico_random_normal(random);
    project(law, y);
    p = y[0];
    if (state == 1) return;
    for (int i = 0; i < n; i++) x[i] = rico_random_normal(random);
    const int *group = rico_cone_kinds[c.block.kind].group;
    for (int g = 0, row = 1; g < RICO_CONE_GROUPS && group[g]; row += group[g++])
        if (rico_random_unit(random) < 0.2)
            for (int i = row; i < row + group[g]; i++) x[i] = 0.0;
    if (state == 0) {
        memset(y, 0, (size_t)n * sizeof *y);
        y[0] = -c.cohesion;
        x[0] = -fabs(x[0]);
        return;
    }
    flow(law, p, x, lawful, y);
    x[0] = 0.0;
}


static void cut(const rico_bipotential *law, double p, const double *x, const double *y,
                rico_bipotential_section *out)
{
    rico_bipotential_contact c = shape_of(law);
    int n = law->info->size;
    double z[RICO_BIPOTENTIAL_ROWS];
    memcpy(z, y, (size_t)n * sizeof *z);
    z[0] = p;
    rico_bipotential_cutting at = {.p = p,
                                   .lowest = -c.cohesion,
                                   .support = (p + c.cohesion) * support(&c, x, NULL),
                                   .in_section = near_set(law, z, c.cohesion),
                                   .x_size = rico_bipotential_length(n, x),
                                   .y_size = rico_bipotential_length(n, y)};
    rico_bipotential_cut_contact(&at, x, y, out);
    if (!own_slip(&c)) return;
    bool inside = out->phi_conjugate + out->psi + out->psi_conjugate < INFINITY;
    *out = (rico_bipotential_section){NAN, NAN, NAN, NAN, inside ? value(law, x, z) : INFINITY};
}


// ---- the rows ----

static void shape_frictionless(const rico_bipotential *law, rico_bipotential_contact *out)
{
    (void)law;
    out->block = (rico_block){.kind = RICO_UNILATERAL, .size = 1};
}


static void shape_plane(const rico_bipotential *law, rico_bipotential_contact *out)
{
    out->block = (rico_block){.kind = RICO_COULOMB_2D, .size = 2, .friction = law->value[0]};
}


static void shape_space(const rico_bipotential *law, rico_bipotential_contact *out)
{
    out->block = (rico_block){.kind = RICO_COULOMB_3D, .size = 3, .friction = law->value[0]};
}


static void shape_cohesive(const rico_bipotential *law, rico_bipotential_contact *out)
{
    shape_space(law, out);
    out->cohesion = law->value[1];
}


static void shape_orthotropic(const rico_bipotential *law, rico_bipotential_contact *out)
{
    const double *value_of = law->value;
    out->block =
        (rico_block){.kind = RICO_ELLIPTIC, .size = 3, .friction = value_of[0], .friction_2 = value_of[1]};
    for (int i = 0; i < 2 && value_of[2] > 0.0; i++) {
        double q = value_of[2 + i] / value_of[i];
        out->square[i] = q * q;
    }
}


static const char *orthotropic_fault(const rico_bipotential *law)
{
    const double *v = law->value;
    if ((v[2] > 0.0) != (v[3] > 0.0)) return "slip-1 and slip-2 are given both or not at all";
    if (v[2] > 0.0 && (v[0] == 0.0 || v[1] == 0.0)) return "a slip rule needs friction along both tangents";
    return NULL;
}


static double orthotropic_weight(const rico_bipotential *law)
{
    rico_bipotential_contact c = shape_of(law);
    return fmax(c.square[0], c.square[1]);
}


static void shape_spinning(const rico_bipotential *law, rico_bipotential_contact *out)
{
    out->block =
        (rico_block){.kind = RICO_SPINNING, .size = 4, .friction = law->value[0], .spinning = law->value[1]};
}


static void shape_rolling(const rico_bipotential *law, rico_bipotential_contact *out)
{
    out->block =
        (rico_block){.kind = RICO_ROLLING, .size = 5, .friction = law->value[0], .rolling = law->value[1]};
}


static void shape_both(const rico_bipotential *law, rico_bipotential_contact *out)
{
    out->block = (rico_block){.kind = RICO_ROLLING_SPINNING,
                              .size = 6,
                              .friction = law->value[0],
                              .rolling = law->value[1],
                              .spinning = law->value[2]};
}


#define NUMBER(NAME, HELP, STANDARD)                                                                         \
    {                                                                                                        \
        .name = NAME, .help = HELP, .type = RICO_REAL, .low = 0.0, .high = 1e12, .standard = STANDARD        \
    }
#define FRICTION NUMBER("friction", "coefficient of friction", 0.5)

static const rico_option_info FRICTION_OPTIONS[] = {FRICTION};
static const rico_option_info COHESIVE[] = {FRICTION,
                                            NUMBER("cohesion", "pull that the contact bears, a force", 1.0)};
static const rico_option_info ORTHOTROPIC[] = {
    NUMBER("friction-1", "coefficient along the first tangent", 0.3),
    NUMBER("friction-2", "coefficient along the second", 0.15),
    NUMBER("slip-1", "axis of the slip potential along the first tangent; 0: as friction", 0.0),
    NUMBER("slip-2", "axis along the second; 0: as friction", 0.0)};
static const rico_option_info SPINNING[] = {
    FRICTION, NUMBER("spinning", "largest spinning moment over the pressure, over a length", 0.1)};
static const rico_option_info ROLLING[] = {
    FRICTION, NUMBER("rolling", "largest rolling moment over the pressure, over a length", 0.1)};
static const rico_option_info BOTH[] = {
    FRICTION, NUMBER("rolling", "largest rolling moment over the pressure, over a length", 0.1),
    NUMBER("spinning", "largest spinning moment over the pressure, over a length", 0.1)};

#define ABOUT(NAME, SUMMARY, REFERENCE, SIZE, OPTIONS)                                                       \
    .info = {NAME, SUMMARY, REFERENCE, SIZE, (int)(sizeof(OPTIONS) / sizeof *(OPTIONS)), OPTIONS}
#define CONTACT(SHAPE)                                                                                       \
    .shape = (SHAPE), .admits = admits, .value = value, .gap = gap, .direction = direction,                  \
    .project = project, .reaches = reaches, .flow = flow, .sample = sample, .cut = cut

const rico_bipotential_kind rico_bipotential_contacts[] = {
    {.info = {"frictionless", "unilateral contact without friction", "Signorini 1959", 1, 0, NULL},
     CONTACT(shape_frictionless)},
    {ABOUT("coulomb-2d", "unilateral contact with friction in a plane", "de Saxce and Feng 1991", 2,
           FRICTION_OPTIONS),
     CONTACT(shape_plane)},
    {ABOUT("coulomb", "unilateral contact with friction on a surface", "de Saxce and Feng 1991", 3,
           FRICTION_OPTIONS),
     CONTACT(shape_space)},
    {ABOUT("orthotropic", "friction that differs along two tangents, with a slip rule of its own",
           "Michalowski and Mroz 1978; Hjiaj et al. 2002", 3, ORTHOTROPIC),
     CONTACT(shape_orthotropic), .fault = orthotropic_fault, .weight = orthotropic_weight},
    {ABOUT("spinning", "friction and a spinning moment", "Acary and Bourrier 2021", 4, SPINNING),
     CONTACT(shape_spinning)},
    {ABOUT("rolling", "friction and a rolling moment", "Acary and Bourrier 2021", 5, ROLLING),
     CONTACT(shape_rolling)},
    {ABOUT("rolling-spinning", "friction, a rolling and a spinning moment", "Acary and Bourrier 2021", 6,
           BOTH),
     CONTACT(shape_both)},
    {ABOUT("cohesive", "friction of a contact that bears a pull: the cone is shifted", "Coulomb 1773", 3,
           COHESIVE),
     CONTACT(shape_cohesive)},
    {.info = {NULL}},
};
