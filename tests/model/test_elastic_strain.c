// The largest principal strain of an elastic part, of displacements whose strains are known.

#include "elastic_bench.h"

#include "la/mat3.h"

static const double STRAIN[4] = {0.03, 0.02, 0.02, -0.05}; // eigenvalues -0.01 +- sqrt(0.002)

static void open_square(hand_mesh *mesh, elastic_bench *b, rico_hypothesis hypothesis, bool turning)
{
    static rico_elastic_material steel;
    steel = stuff(100.0, 0.3);
    hand_rectangle(mesh, RICO_CELL_Q4, 2, 2, false, NULL, NULL);
    rico_elastic_part part = rico_elastic_default(&mesh->mesh, hypothesis);
    part.materials = 1, part.material = &steel, part.turning = turning;
    if (hypothesis == RICO_AXISYMMETRIC)
        for (int64_t i = 0; i < mesh->mesh.nodes; i++) mesh->mesh.position[3 * i] += 1.0;
    bench_open(b, &part);
}


static void look(const elastic_bench *b, double expected, int64_t where)
{
    double strain = NAN;
    int64_t element = -2;
    assert_ok(ctx, rico_elastic_strain(b->system, ctx, 0, b->u, &strain, &element));
    assert_near(strain, expected, 1e-14);
    if (where >= -1) assert_int_equal(element, where);
}


static void affine_fields_have_theirs(void **state)
{
    (void)state;
    hand_mesh mesh;
    elastic_bench b;
    for (int turning = 0; turning < 2; turning++) {
        open_square(&mesh, &b, RICO_PLANE_STRAIN, turning);
        look(&b, 0.0, -1);
        double c = turning ? 0.5 : 1.0, s = turning ? sqrt(0.75) : 0.0;
        for (int64_t u = 0; u < b.own->used; u++) {
            const double *X = b.own->X + 3 * b.own->used_node[u];
            double x = X[0] + STRAIN[0] * X[0] + STRAIN[1] * X[1],
                   y = X[1] + STRAIN[2] * X[0] + STRAIN[3] * X[1];
            b.u[2 * u] = 7.0 + c * x - s * y - X[0];
            b.u[2 * u + 1] = s * x + c * y - X[1];
        }
        look(&b, 0.01 + sqrt(0.002), -2);
        bench_close(&b);
        hand_end(&mesh);
    }
}


// u_r = 0.1: around the axis 0.1/r, largest in the elements at r = 1.25, of which the first stands lowest.
static void rings_are_stretched_around(void **state)
{
    (void)state;
    hand_mesh mesh;
    elastic_bench b;
    open_square(&mesh, &b, RICO_AXISYMMETRIC, false);
    for (int64_t u = 0; u < b.own->used; u++) b.u[2 * u] = 0.1;
    look(&b, 0.08, -2);
    bench_close(&b);
    hand_end(&mesh);
}


static void rods_and_solids(void **state)
{
    (void)state;
    hand_mesh mesh;
    elastic_bench b;
    rico_elastic_material steel = stuff(100.0, 0.3);
    hand_bar(&mesh, RICO_CELL_LINE2, 4, NULL, NULL);
    rico_elastic_part part = rico_elastic_default(&mesh.mesh, RICO_ROD);
    part.materials = 1, part.material = &steel;
    bench_open(&b, &part);
    b.u[4] = -0.02; // the last of four elements, each of length 1/4
    look(&b, 0.08, 3);
    double strain;
    int64_t element;
    assert_int_equal(rico_elastic_strain(b.system, ctx, 1, b.u, &strain, &element), RICO_BAD_ARGUMENT);
    bench_close(&b);
    hand_end(&mesh);

    hand_box(&mesh, RICO_CELL_TET10, 1, 1, 1, NULL, NULL);
    part = rico_elastic_default(&mesh.mesh, RICO_SOLID);
    part.materials = 1, part.material = &steel;
    bench_open(&b, &part);
    for (int64_t u = 0; u < b.own->used; u++) // a simple shear of 0.3: principal strains +-0.15
        b.u[3 * u] = 0.3 * b.own->X[3 * b.own->used_node[u] + 2];
    look(&b, 0.15, -2);
    bench_close(&b);
    hand_end(&mesh);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(affine_fields_have_theirs),
        cmocka_unit_test(rings_are_stretched_around),
        cmocka_unit_test(rods_and_solids),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
