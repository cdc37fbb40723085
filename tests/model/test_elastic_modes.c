// Natural frequencies of elastic bodies: rods, slender beams, the free cube (spec/10, 1.3, S6 to S8).

#include "elastic_bench.h"
#include "la/lowest_modes.h"

// --- S6 --------------------------------------------------------------------------------------------------------------

// Fixed and free at its ends, by the closed forms of the discrete rod.
static void a_rod_swings_as_its_formula_says(void **state)
{
    (void)state;
    const int n = 10;
    for (int lumped = 0; lumped < 2; lumped++) {
        hand_mesh mesh;
        elastic_bench b;
        double value[10];
        rico_elastic_material steel = stuff(1.0, 0.0);
        rico_elastic_support wall = {"left", RICO_HOLD_X};
        steel.thickness = 0.3;
        hand_bar(&mesh, RICO_CELL_LINE2, n, NULL, NULL);
        rico_elastic_part part = rico_elastic_default(&mesh.mesh, RICO_ROD);
        part.materials = 1, part.material = &steel, part.supports = 1, part.support = &wall,
        part.lumped = lumped;
        bench_open(&b, &part);
        assert_ok(ctx, rico_lowest_modes(ctx, &b.part->pattern, b.own->K, b.own->M, 0.0, n, value, NULL));
        for (int k = 1; k <= n; k++) {
            double kappa = (2 * k - 1) * M_PI / (2 * n);
            double omega =
                lumped ? 2.0 * n * sin(0.5 * kappa) : n * sqrt(6.0 * (1.0 - cos(kappa)) / (2.0 + cos(kappa)));
            assert_near(sqrt(value[k - 1]), omega, 1e-12 * omega);
        }
        assert_near(sqrt(value[0]), lumped ? 1.56918191 : 1.57241173, 5e-9);
        assert_near(sqrt(value[1]), lumped ? 4.66890728 : 4.75610398, 5e-9);
        bench_close(&b);
        hand_end(&mesh);
    }
}


// A quadratic rod: eigenvalues fall as h^4.
static void a_quadratic_rod_converges(void **state)
{
    (void)state;
    double error[2];
    for (int k = 0; k < 2; k++) {
        hand_mesh mesh;
        elastic_bench b;
        double value[1];
        rico_elastic_material steel = stuff(1.0, 0.0);
        rico_elastic_support wall = {"left", RICO_HOLD_X};
        hand_bar(&mesh, RICO_CELL_LINE3, 4 << k, NULL, NULL);
        rico_elastic_part part = rico_elastic_default(&mesh.mesh, RICO_ROD);
        part.materials = 1, part.material = &steel, part.supports = 1, part.support = &wall;
        bench_open(&b, &part);
        assert_ok(ctx, rico_lowest_modes(ctx, &b.part->pattern, b.own->K, b.own->M, 0.0, 1, value, NULL));
        error[k] = value[0] - 0.25 * M_PI * M_PI;
        assert_true(error[k] > 0.0);
        bench_close(&b);
        hand_end(&mesh);
    }
    assert_near(log2(error[0] / error[1]), 4.0, 0.05);
}


// --- S7 --------------------------------------------------------------------------------------------------------------

static void slender_map(void *user, const double unit[3], double x[3])
{
    x[0] = *(const double *)user * unit[0], x[1] = unit[1], x[2] = 0.0;
}


static void a_beam_of_the_plane_swings_slower_than_eulers(void **state)
{
    (void)state;
    static const double BETA[2] = {1.87510407, 4.69409113},
                        RATIO[2][2] = {{.99365, .95126}, {.99875, .98739}};
    for (int k = 0; k < 2; k++) {
        hand_mesh mesh;
        elastic_bench b;
        double value[2], length = k == 0 ? 10.0 : 20.0;
        rico_elastic_material steel = stuff(1.0, 0.3);
        rico_elastic_support wall = {"left", RICO_HOLD_X | RICO_HOLD_Y};
        hand_rectangle(&mesh, RICO_CELL_Q8, k == 0 ? 40 : 80, 4, false, slender_map, &length);
        rico_elastic_part part = rico_elastic_default(&mesh.mesh, RICO_PLANE_STRESS);
        part.materials = 1, part.material = &steel, part.supports = 1, part.support = &wall;
        bench_open(&b, &part);
        assert_ok(ctx, rico_lowest_modes(ctx, &b.part->pattern, b.own->K, b.own->M, 0.0, 2, value, NULL));
        for (int m = 0; m < 2; m++) {
            double euler = BETA[m] * BETA[m] / (length * length) * sqrt(1.0 / 12.0);
            assert_near(sqrt(value[m]) / euler, RATIO[k][m], 1.5e-5);
        }
        bench_close(&b);
        hand_end(&mesh);
    }
}


// --- S8 --------------------------------------------------------------------------------------------------------------

// omega L/c_s: six rigid motions, then a pair, then three.
static void a_free_cube_swings_as_known(void **state)
{
    (void)state;
    static const struct {
        rico_cell_kind kind;
        rico_remedy remedy;
        int n;
        double first, second;
    } ROWS[] = {{RICO_CELL_H8, RICO_REMEDY_NONE, 4, 3.02334, 4.10284},
                {RICO_CELL_H8, RICO_REMEDY_NONE, 8, 2.90043, 3.91814},
                {RICO_CELL_H8, RICO_REMEDY_MODES, 8, 2.89876, 3.89892},
                {RICO_CELL_TET10, RICO_REMEDY_NONE, 2, 2.97730, 3.92283},
                {RICO_CELL_TET10, RICO_REMEDY_NONE, 4, 2.87098, 3.85447},
                {RICO_CELL_TET4, RICO_REMEDY_NONE, 8, 3.02257, 3.99118}};
    for (size_t r = 0; r < sizeof ROWS / sizeof *ROWS; r++) {
        hand_mesh mesh;
        elastic_bench b;
        double value[11];
        rico_elastic_material steel = stuff(2.6, 0.3);
        hand_box(&mesh, ROWS[r].kind, ROWS[r].n, ROWS[r].n, ROWS[r].n, NULL, NULL);
        rico_elastic_part part = rico_elastic_default(&mesh.mesh, RICO_SOLID);
        part.materials = 1, part.material = &steel, part.remedy = ROWS[r].remedy;
        bench_open(&b, &part);
        assert_ok(ctx, rico_lowest_modes(ctx, &b.part->pattern, b.own->K, b.own->M, -1.0, 11, value, NULL));
        for (int i = 0; i < 6; i++) assert_near(value[i], 0.0, 1e-10);
        assert_near(sqrt(value[6]), ROWS[r].first, 5.1e-6);
        assert_near(value[7], value[6], 1e-9);
        assert_near(sqrt(value[8]), ROWS[r].second, 5.1e-6);
        bench_close(&b);
        hand_end(&mesh);
    }
}


// --- by the public function ---

// The free cube of 4 x 4 x 4 H8 (S8): six rigid motions, two at 3.02334, three at 4.10284; shapes are orthonormal in M.
static void modes_of_a_free_cube(void **state)
{
    (void)state;
    enum { COUNT = 11 };
    rico_mesh *mesh;
    rico_mesh_box box = rico_mesh_box_default();
    elastic_bench b;
    double omega[COUNT], scale = sqrt(2.0 * 1.3); // c_s = sqrt(E/(2 (1 + nu) rho)), L = 1
    box.kind = RICO_CELL_H8;
    for (int i = 0; i < 3; i++) box.size[i] = 1.0, box.cells[i] = 4;
    assert_ok(ctx, rico_mesh_make_box(ctx, &box, &mesh));
    rico_elastic_material material = stuff(1.0, 0.3);
    rico_elastic_part part = rico_elastic_default(mesh, RICO_SOLID);
    part.materials = 1, part.material = &material;
    bench_open(&b, &part);
    double *shape = calloc((size_t)(COUNT * b.n), sizeof *shape);
    assert_non_null(shape);
    assert_ok(ctx, rico_elastic_modes(b.system, ctx, 0, COUNT, omega, shape));
    for (int k = 0; k < 6; k++) assert_true(omega[k] < 1e-5);
    for (int k = 6; k < 8; k++) assert_near(omega[k] * scale, 3.02334, 6e-6);
    for (int k = 8; k < COUNT; k++) assert_near(omega[k] * scale, 4.10284, 6e-6);
    const rico_csc *pattern = &b.part->pattern;
    for (int k = 0; k < COUNT; k++)
        for (int l = 0; l <= k; l++) {
            double sum = 0.0;
            for (int64_t j = 0; j < b.n; j++)
                for (int64_t e = pattern->start[j]; e < pattern->start[j + 1]; e++)
                    sum += shape[k * b.n + j] * b.own->M[e] * shape[l * b.n + pattern->row[e]];
            assert_near(sum, k == l ? 1.0 : 0.0, 1e-9);
        }
    assert_int_equal(rico_elastic_modes(b.system, ctx, 0, 0, omega, NULL), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_elastic_modes(b.system, ctx, 1, 1, omega, NULL), RICO_BAD_ARGUMENT);
    free(shape);
    bench_close(&b);
    rico_mesh_destroy(mesh);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modes_of_a_free_cube),
        cmocka_unit_test(a_rod_swings_as_its_formula_says),
        cmocka_unit_test(a_quadratic_rod_converges),
        cmocka_unit_test(a_beam_of_the_plane_swings_slower_than_eulers),
        cmocka_unit_test(a_free_cube_swings_as_known),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
