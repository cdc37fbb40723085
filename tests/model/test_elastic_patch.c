// Patches of distorted elements: rank, constant and linear strains, isotropic and orthotropic (spec/10, 1.1, E1 to E3).

#include "elastic_bench.h"

#include "la/dense.h"
#include "la/vec3.h"

typedef struct sample {
    rico_cell_kind kind;
    rico_hypothesis hypothesis;
    rico_remedy remedy;
} sample;

static const sample SAMPLES[] = {
    {RICO_CELL_LINE2, RICO_ROD, RICO_REMEDY_NONE},
    {RICO_CELL_LINE3, RICO_ROD, RICO_REMEDY_NONE},
    {RICO_CELL_T3, RICO_PLANE_STRAIN, RICO_REMEDY_NONE},
    {RICO_CELL_T3, RICO_PLANE_STRESS, RICO_REMEDY_NONE},
    {RICO_CELL_T6, RICO_PLANE_STRAIN, RICO_REMEDY_NONE},
    {RICO_CELL_T6, RICO_PLANE_STRESS, RICO_REMEDY_NONE},
    {RICO_CELL_Q4, RICO_PLANE_STRAIN, RICO_REMEDY_NONE},
    {RICO_CELL_Q4, RICO_PLANE_STRESS, RICO_REMEDY_NONE},
    {RICO_CELL_Q4, RICO_PLANE_STRAIN, RICO_REMEDY_BAR},
    {RICO_CELL_Q4, RICO_PLANE_STRAIN, RICO_REMEDY_MODES},
    {RICO_CELL_Q4, RICO_PLANE_STRESS, RICO_REMEDY_MODES},
    {RICO_CELL_Q8, RICO_PLANE_STRAIN, RICO_REMEDY_NONE},
    {RICO_CELL_Q8, RICO_PLANE_STRESS, RICO_REMEDY_NONE},
    {RICO_CELL_T3, RICO_AXISYMMETRIC, RICO_REMEDY_NONE},
    {RICO_CELL_T6, RICO_AXISYMMETRIC, RICO_REMEDY_NONE},
    {RICO_CELL_Q4, RICO_AXISYMMETRIC, RICO_REMEDY_NONE},
    {RICO_CELL_Q4, RICO_AXISYMMETRIC, RICO_REMEDY_BAR},
    {RICO_CELL_Q8, RICO_AXISYMMETRIC, RICO_REMEDY_NONE},
    {RICO_CELL_TET4, RICO_SOLID, RICO_REMEDY_NONE},
    {RICO_CELL_TET10, RICO_SOLID, RICO_REMEDY_NONE},
    {RICO_CELL_H8, RICO_SOLID, RICO_REMEDY_NONE},
    {RICO_CELL_H8, RICO_SOLID, RICO_REMEDY_BAR},
    {RICO_CELL_H8, RICO_SOLID, RICO_REMEDY_MODES},
};
enum { SAMPLE_COUNT = sizeof SAMPLES / sizeof *SAMPLES };


static void away(void *user, const double unit[3], double x[3])
{
    x[0] = unit[0] + *(const double *)user, x[1] = unit[1], x[2] = unit[2];
}


// A patch of 3, 3 x 3 or 2 x 2 x 2, its inner corners moved.
static void patch(const sample *s, hand_mesh *mesh)
{
    double offset = s->hypothesis == RICO_AXISYMMETRIC ? 1.0 : 0.0;
    switch (rico_hypotheses[s->hypothesis].dimension) {
    case 1:
        hand_bar(mesh, s->kind, 3, away, &offset);
        break;
    case 2:
        hand_rectangle(mesh, s->kind, 3, 3, true, away, &offset);
        break;
    default:
        hand_box(mesh, s->kind, 2, 2, 2, away, &offset);
        break;
    }
    hand_distort(mesh, 0.09, 11);
}


static rico_elastic_material wood(void)
{
    rico_elastic_material material = rico_elastic_material_default();
    material.density = 1.0;
    double E[3] = {12.0, 0.9, 0.5}, nu[3] = {0.4, 0.45, 0.5}, G[3] = {0.7, 0.65, 0.05};
    double axes[9] = {0.6, 0.8, 0.0, -0.8, 0.6, 0.0, 0.0, 0.0, 1.0};
    memcpy(material.youngs, E, sizeof E);
    memcpy(material.poissons, nu, sizeof nu);
    memcpy(material.shears, G, sizeof G);
    memcpy(material.axes, axes, sizeof axes);
    return material;
}


// --- E1 --------------------------------------------------------------------------------------------------------------

static void patches_have_rigid_motions_and_no_others(void **state)
{
    (void)state;
    static const int RIGID[] = {[RICO_ROD] = 1,
                                [RICO_PLANE_STRAIN] = 3,
                                [RICO_PLANE_STRESS] = 3,
                                [RICO_AXISYMMETRIC] = 1,
                                [RICO_SOLID] = 6};
    for (int s = 0; s < SAMPLE_COUNT; s++) {
        hand_mesh mesh;
        elastic_bench b;
        rico_elastic_material steel = stuff(10.0, 0.3);
        patch(&SAMPLES[s], &mesh);
        rico_elastic_part part = rico_elastic_default(&mesh.mesh, SAMPLES[s].hypothesis);
        part.materials = 1, part.material = &steel, part.remedy = SAMPLES[s].remedy;
        bench_open(&b, &part);
        double *K = calloc((size_t)(b.n * b.n), sizeof *K), *value = calloc((size_t)b.n, sizeof *value);
        const rico_csc *pattern = &b.part->pattern;
        for (int64_t j = 0; j < b.n; j++)
            for (int64_t k = pattern->start[j]; k < pattern->start[j + 1]; k++)
                K[pattern->row[k] + b.n * j] = b.own->K[k];
        assert_ok(ctx, rico_dense_eigen(ctx, b.n, K, false, value));
        int zeros = 0;
        for (int64_t i = 0; i < b.n; i++) zeros += fabs(value[i]) < 1e-12 * value[b.n - 1];
        assert_int_equal(zeros, RIGID[SAMPLES[s].hypothesis]);
        assert_true(value[zeros] > 1e-6 * value[b.n - 1]);
        free(K);
        free(value);
        bench_close(&b);
        hand_end(&mesh);
    }
}


// --- E2: imposed on the boundary ---------------------------------------------------------------------------------------

typedef struct field {
    bool ring, everywhere;
    int dimension;
} field;

static bool linear(void *user, const double *x, double *u)
{
    const field *f = user;
    u[0] = 1e-3 * (0.3 + 1.0 * x[0] - 0.7 * x[1] + 0.4 * x[2]);
    u[1] = 1e-3 * (-0.2 + 0.5 * x[0] + 0.8 * x[1] - 0.3 * x[2]);
    u[2] = 1e-3 * (0.1 - 0.6 * x[0] + 0.2 * x[1] + 0.9 * x[2]);
    if (f->ring) u[0] = 1e-3 * 0.7 * x[0], u[1] = 1e-3 * (0.2 - 0.4 * x[1]);
    bool boundary = f->everywhere;
    double low = f->ring ? 1.0 : 0.0;
    for (int i = 0; i < f->dimension; i++) {
        double at = i == 0 ? x[0] - low : x[i];
        boundary |= at < 1e-12 || at > 1.0 - 1e-12;
    }
    return boundary;
}


static double patch_error(const elastic_bench *b, bench_field exact, field f)
{
    double worst = 0.0;
    f.everywhere = true;
    for (int64_t k = 0; k < b->own->used; k++) {
        double u[3];
        int64_t node = b->own->used_node[k];
        exact(&f, b->own->X + 3 * node, u);
        for (int i = 0; i < b->own->directions; i++) worst = fmax(worst, fabs(bench_at(b, node, i) - u[i]));
    }
    return worst;
}


static void linear_fields_are_reproduced(void **state)
{
    (void)state;
    for (int s = 0; s < 2 * SAMPLE_COUNT; s++) {
        const sample *own = &SAMPLES[s % SAMPLE_COUNT];
        // a ring under u_r = c r has equal stresses outwards and around only if it is as stiff both ways
        if (s >= SAMPLE_COUNT && own->hypothesis == RICO_AXISYMMETRIC) continue;
        hand_mesh mesh;
        elastic_bench b;
        rico_elastic_material material = s < SAMPLE_COUNT ? stuff(10.0, 0.3) : wood();
        field f = {own->hypothesis == RICO_AXISYMMETRIC, false, rico_hypotheses[own->hypothesis].dimension};
        patch(own, &mesh);
        rico_elastic_part part = rico_elastic_default(&mesh.mesh, own->hypothesis);
        part.materials = 1, part.material = &material, part.remedy = own->remedy;
        bench_open(&b, &part);
        bench_impose(&b, linear, &f);
        bench_solve(&b);
        assert_at_most(patch_error(&b, linear, f), 1e-14 * 2e-3);

        // one stress everywhere, at nodes and in cells
        double *node = calloc((size_t)(6 * mesh.mesh.nodes), sizeof *node),
               *cell = calloc((size_t)(6 * mesh.mesh.cells), sizeof *cell);
        assert_ok(ctx, rico_elastic_stress(b.system, ctx, 0, b.u, node, cell));
        for (int64_t k = 0; k < b.own->used; k++)
            for (int i = 0; i < 6; i++) assert_near(node[6 * b.own->used_node[k] + i], cell[i], 1e-15 * 60.0);
        free(node);
        free(cell);
        bench_close(&b);
        hand_end(&mesh);
    }
}


// --- E2: with tractions ------------------------------------------------------------------------------------------------

// Displacements under one stress of a body that is held at the origin and kept from turning there: u = e x, e by Hooke's law in the axes of the
// material (z is one of them).
static void hooke(const rico_elastic_material *m, const double s[6], rico_hypothesis hypothesis, double e[6])
{
    double c = m->axes[0], d = m->axes[1];
    const double *E = m->youngs, *nu = m->poissons, *G = m->shears;
    // stresses along the axes 1, 2
    double s11 = c * c * s[0] + d * d * s[1] + 2.0 * c * d * s[3],
           s22 = d * d * s[0] + c * c * s[1] - 2.0 * c * d * s[3],
           s12 = c * d * (s[1] - s[0]) + (c * c - d * d) * s[3], s33 = s[2], s23 = -d * s[5] + c * s[4],
           s13 = c * s[5] + d * s[4];
    if (hypothesis == RICO_PLANE_STRAIN) s33 = E[2] * (nu[1] / E[0] * s11 + nu[2] / E[1] * s22); // e33 = 0
    double e11 = s11 / E[0] - nu[0] / E[0] * s22 - nu[1] / E[0] * s33,
           e22 = -nu[0] / E[0] * s11 + s22 / E[1] - nu[2] / E[1] * s33,
           e33 = -nu[1] / E[0] * s11 - nu[2] / E[1] * s22 + s33 / E[2], e12 = 0.5 * s12 / G[0],
           e13 = 0.5 * s13 / G[1], e23 = 0.5 * s23 / G[2];
    e[0] = c * c * e11 + d * d * e22 - 2.0 * c * d * e12;
    e[1] = d * d * e11 + c * c * e22 + 2.0 * c * d * e12;
    e[2] = e33;
    e[3] = c * d * (e11 - e22) + (c * c - d * d) * e12;
    e[4] = d * e13 + c * e23;
    e[5] = c * e13 - d * e23;
}


typedef struct stressed {
    double e[6];
    bool everywhere;
} stressed;

static bool under_stress(void *user, const double *x, double *u)
{
    const stressed *s = user;
    const double *e = s->e;
    double exact[3] = {e[0] * x[0] + e[3] * x[1] + e[5] * x[2], e[3] * x[0] + e[1] * x[1] + e[4] * x[2],
                       e[5] * x[0] + e[4] * x[1] + e[2] * x[2]};
    // held at three corners as an isostatic body is
    bool origin = x[0] == 0.0 && x[1] == 0.0 && x[2] == 0.0,
         along_x = x[0] == 1.0 && x[1] == 0.0 && x[2] == 0.0,
         along_y = x[0] == 0.0 && x[1] == 1.0 && x[2] == 0.0;
    if (origin || s->everywhere) memcpy(u, exact, sizeof exact);
    if (along_x) u[1] = exact[1], u[2] = exact[2];
    if (along_y) u[2] = exact[2];
    return origin || along_x || along_y || s->everywhere;
}


static void tractions_of_one_stress_give_its_strain(void **state)
{
    (void)state;
    static const char *const SIDES[] = {"left", "right", "bottom", "top", "back", "front"};
    for (int s = 0; s < SAMPLE_COUNT; s++) {
        const sample *own = &SAMPLES[s];
        int dimension = rico_hypotheses[own->hypothesis].dimension;
        if (own->hypothesis == RICO_AXISYMMETRIC || own->hypothesis == RICO_ROD) continue;
        hand_mesh mesh;
        elastic_bench b;
        rico_elastic_material material = wood();
        double stress[6] = {0.013, -0.004, 0.0, 0.003, 0.0, 0.0}; // xx yy zz xy yz zx
        if (dimension == 3) stress[2] = 0.006, stress[4] = -0.002, stress[5] = 0.001;
        double tensor[9] = {stress[0], stress[3], stress[5], stress[3], stress[1],
                            stress[4], stress[5], stress[4], stress[2]};
        rico_elastic_load load[6];
        for (int k = 0; k < 2 * dimension; k++) {
            load[k] = (rico_elastic_load){RICO_LOAD_TRACTION, SIDES[k]};
            for (int i = 0; i < 3; i++) load[k].value[i] = (k % 2 ? 1.0 : -1.0) * tensor[3 * i + k / 2];
        }
        patch(own, &mesh);
        rico_elastic_part part = rico_elastic_default(&mesh.mesh, own->hypothesis);
        part.materials = 1, part.material = &material, part.remedy = own->remedy, part.loads = 2 * dimension,
        part.load = load;
        bench_open(&b, &part);
        stressed exact = {.everywhere = false};
        hooke(&material, stress, own->hypothesis, exact.e);
        bench_impose(&b, under_stress, &exact);
        bench_solve(&b);
        exact.everywhere = true;
        double largest = 0.0;
        for (int i = 0; i < 6; i++) largest = fmax(largest, fabs(exact.e[i]));
        for (int64_t k = 0; k < b.own->used; k++) {
            double u[3];
            under_stress(&exact, b.own->X + 3 * b.own->used_node[k], u);
            for (int i = 0; i < dimension; i++)
                assert_near(bench_at(&b, b.own->used_node[k], i), u[i], 2e-12 * largest);
        }
        double *node = calloc((size_t)(6 * mesh.mesh.nodes), sizeof *node);
        assert_ok(ctx, rico_elastic_stress(b.system, ctx, 0, b.u, node, NULL));
        for (int64_t k = 0; k < b.own->used; k++)
            for (int i = 0; i < 6; i++)
                if (i != 2 || dimension == 3)
                    assert_near(node[6 * b.own->used_node[k] + i], stress[i], 1e-13);
        free(node);
        bench_close(&b);
        hand_end(&mesh);
    }
}


// --- E3 --------------------------------------------------------------------------------------------------------------

static const double Q[3][6] = {
    {0.3, -0.5, 0.8, 0.4, -0.2, 0.6}, {-0.7, 0.2, 0.1, 0.9, 0.3, -0.4}, {0.5, 0.1, -0.6, -0.3, 0.7, 0.2}};

// u_i = Q_i . (xx, yy, zz, xy, yz, zx); in the plane z = 0
static bool quadratic(void *user, const double *x, double *u)
{
    const field *f = user;
    for (int i = 0; i < 3; i++)
        u[i] = Q[i][0] * x[0] * x[0] + Q[i][1] * x[1] * x[1] + Q[i][2] * x[2] * x[2] + Q[i][3] * x[0] * x[1] +
               Q[i][4] * x[1] * x[2] + Q[i][5] * x[2] * x[0];
    return f->everywhere;
}


static void lean(void *user, const double unit[3], double x[3])
{
    (void)user;
    x[0] = 1.2 * unit[0] + 0.3 * unit[1] - 0.1 * unit[2],
    x[1] = 0.2 * unit[0] + 0.9 * unit[1] + 0.25 * unit[2], x[2] = unit[2];
}


static bool on_boundary(const hand_mesh *m, int64_t node)
{
    int64_t i = node % m->grid[0], j = node / m->grid[0] % m->grid[1], k = node / m->grid[0] / m->grid[1];
    bool on = i == 0 || i == m->grid[0] - 1;
    if (m->mesh.dimension > 1) on |= j == 0 || j == m->grid[1] - 1;
    if (m->mesh.dimension > 2) on |= k == 0 || k == m->grid[2] - 1;
    return on;
}


// The field imposed on the boundary, and the body force that balances it: -(lambda + mu) grad div u - mu div grad u.
static double quadratic_error(const sample *s, double distortion)
{
    hand_mesh mesh;
    elastic_bench b;
    double E = 10.0, nu = 0.3, mu = E / (2.0 * (1.0 + nu)), lambda = E * nu / ((1.0 + nu) * (1.0 - 2.0 * nu));
    if (s->hypothesis == RICO_PLANE_STRESS) lambda = 2.0 * lambda * mu / (lambda + 2.0 * mu);
    int dimension = rico_hypotheses[s->hypothesis].dimension;
    double H[3][9]; // second derivatives of each u
    for (int i = 0; i < 3; i++) {
        double *h = H[i];
        h[0] = 2.0 * Q[i][0], h[4] = 2.0 * Q[i][1], h[8] = 2.0 * Q[i][2];
        h[1] = h[3] = Q[i][3], h[5] = h[7] = Q[i][4], h[2] = h[6] = Q[i][5];
    }
    rico_elastic_load body = {RICO_LOAD_BODY, NULL};
    for (int i = 0; i < dimension; i++)
        for (int k = 0; k < dimension; k++)
            body.value[i] -= (lambda + mu) * H[k][3 * k + i] + mu * H[i][4 * k];
    rico_elastic_material material = stuff(E, nu);
    if (dimension == 3)
        hand_box(&mesh, s->kind, 2, 2, 2, lean, NULL);
    else
        hand_rectangle(&mesh, s->kind, 3, 3, false, lean, NULL);
    hand_distort(&mesh, distortion, 3);
    rico_elastic_part part = rico_elastic_default(&mesh.mesh, s->hypothesis);
    part.materials = 1, part.material = &material, part.loads = 1, part.load = &body;
    bench_open(&b, &part);
    field f = {.everywhere = true, .dimension = dimension};
    for (int64_t k = 0; k < b.own->used; k++) {
        double u[3];
        int64_t node = b.own->used_node[k];
        quadratic(&f, b.own->X + 3 * node, u);
        for (int i = 0; on_boundary(&mesh, node) && i < dimension; i++) {
            b.u[b.own->dof[node * dimension + i]] = u[i];
            b.imposed[b.own->dof[node * dimension + i]] = true;
        }
    }
    bench_solve(&b);
    double error = patch_error(&b, quadratic, f);
    bench_close(&b);
    hand_end(&mesh);
    return error;
}


static void quadratic_fields_are_reproduced(void **state)
{
    (void)state;
    static const sample EXACT[] = {{RICO_CELL_T6, RICO_PLANE_STRAIN, RICO_REMEDY_NONE},
                                   {RICO_CELL_T6, RICO_PLANE_STRESS, RICO_REMEDY_NONE},
                                   {RICO_CELL_TET10, RICO_SOLID, RICO_REMEDY_NONE}},
                        LEANING[] = {{RICO_CELL_Q8, RICO_PLANE_STRAIN, RICO_REMEDY_NONE},
                                     {RICO_CELL_Q8, RICO_PLANE_STRESS, RICO_REMEDY_NONE}};
    for (int s = 0; s < 3; s++) assert_at_most(quadratic_error(&EXACT[s], s == 2 ? 0.1 : 0.08), 1e-14);
    for (int s = 0; s < 2; s++) {
        assert_at_most(quadratic_error(&LEANING[s], 0.0), 1e-14);
        assert_true(quadratic_error(&LEANING[s], 0.08) > 1e-4); // a general quadrilateral does not
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patches_have_rigid_motions_and_no_others),
        cmocka_unit_test(linear_fields_are_reproduced),
        cmocka_unit_test(tractions_of_one_stress_give_its_strain),
        cmocka_unit_test(quadratic_fields_are_reproduced),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
