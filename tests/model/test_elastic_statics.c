// Elastic bodies at rest against exact solutions and published benchmarks (spec/10, 1.3, S1 to S4).

#include "elastic_bench.h"

typedef struct kind_row {
    rico_cell_kind kind;
    rico_remedy remedy;
    double value[5];
} kind_row;


// --- S1: cantilever under a parabolic shear (Timoshenko and Goodier 1970, 21) ----------------------------------------------

static const double L = 48.0, HEIGHT = 12.0, YOUNG = 3e7, NU = 0.3, P = 1000.0;

static void beam_map(void *user, const double unit[3], double x[3])
{
    (void)user;
    x[0] = L * unit[0], x[1] = HEIGHT * (unit[1] - 0.5), x[2] = 0.0;
}


static bool beam_shear(void *user, double t, const double *x, double *value)
{
    (void)user, (void)t;
    double I = HEIGHT * HEIGHT * HEIGHT / 12.0;
    value[0] = value[2] = 0.0;
    value[1] = P / (2.0 * I) * (HEIGHT * HEIGHT / 4.0 - x[1] * x[1]);
    return true;
}


static bool beam_exact(void *user, const double *at, double *u)
{
    (void)user;
    double I = HEIGHT * HEIGHT * HEIGHT / 12.0, x = at[0], y = at[1], f = P / (6.0 * YOUNG * I);
    u[0] = -f * y * ((6.0 * L - 3.0 * x) * x + (2.0 + NU) * (y * y - HEIGHT * HEIGHT / 4.0));
    u[1] = f * (3.0 * NU * y * y * (L - x) + (4.0 + 5.0 * NU) * HEIGHT * HEIGHT * x / 4.0 +
                (3.0 * L - x) * x * x);
    return x == 0.0;
}


static double cantilever(rico_cell_kind kind, rico_remedy remedy, int nx)
{
    hand_mesh mesh;
    elastic_bench b;
    rico_elastic_material steel = stuff(YOUNG, NU);
    rico_elastic_load shear = {RICO_LOAD_TRACTION, "right", .function = beam_shear, .steady = true};
    hand_rectangle(&mesh, kind, nx, nx / 2, false, beam_map, NULL);
    rico_elastic_part part = rico_elastic_default(&mesh.mesh, RICO_PLANE_STRESS);
    part.materials = 1, part.material = &steel, part.loads = 1, part.load = &shear, part.remedy = remedy;
    bench_open(&b, &part);
    bench_impose(&b, beam_exact, NULL);
    bench_solve(&b);
    double tip = bench_at(&b, hand_node(&mesh, mesh.grid[0] - 1, mesh.grid[1] / 2, 0), 1);
    bench_close(&b);
    hand_end(&mesh);
    return tip / 0.0089;
}


static void a_cantilever_bends_as_known(void **state)
{
    (void)state;
    static const kind_row ROWS[] = {{RICO_CELL_T3, RICO_REMEDY_NONE, {.39565, .71124, .90610, .97457}},
                                    {RICO_CELL_Q4, RICO_REMEDY_NONE, {.71498, .90832, .97525, .99368}},
                                    {RICO_CELL_Q4, RICO_REMEDY_MODES, {.98611, .99653, .99913, .99978}},
                                    {RICO_CELL_T6, RICO_REMEDY_NONE, {.99710, .99975, .99998, 1.0000}},
                                    {RICO_CELL_Q8, RICO_REMEDY_NONE, {.99899, .99993, .99999, 1.0000}}};
    for (size_t r = 0; r < sizeof ROWS / sizeof *ROWS; r++) {
        double error[4];
        for (int k = 0; k < 4; k++) {
            double ratio = cantilever(ROWS[r].kind, ROWS[r].remedy, 4 << k);
            assert_near(ratio, ROWS[r].value[k], 5.1e-6 * (ROWS[r].value[k] == 1.0 ? 10.0 : 1.0));
            error[k] = fabs(1.0 - ratio);
        }
        double order = log2(error[2] / error[3]);
        bool quadratic = ROWS[r].kind == RICO_CELL_T6 || ROWS[r].kind == RICO_CELL_Q8;
        assert_true(quadratic ? order > 3.4 && order < 4.1 : order > 1.85 && order < 2.1);
    }
}


// --- S2: Cook's membrane (Cook 1974) -----------------------------------------------------------------------------------

static void cook_map(void *user, const double unit[3], double x[3])
{
    (void)user;
    x[0] = 48.0 * unit[0], x[1] = 44.0 * unit[0] + unit[1] * (44.0 - 28.0 * unit[0]), x[2] = 0.0;
}


static double cook(rico_cell_kind kind, rico_remedy remedy, int n, rico_hypothesis hypothesis, double poisson)
{
    hand_mesh mesh;
    elastic_bench b;
    rico_elastic_material stone = stuff(1.0, poisson);
    rico_elastic_load shear = {RICO_LOAD_TRACTION, "right", .value = {0.0, 1.0 / 16.0}};
    rico_elastic_support clamp = {"left", RICO_HOLD_X | RICO_HOLD_Y};
    hand_rectangle(&mesh, kind, n, n, false, cook_map, NULL);
    rico_elastic_part part = rico_elastic_default(&mesh.mesh, hypothesis);
    part.materials = 1, part.material = &stone, part.loads = 1, part.load = &shear, part.remedy = remedy;
    part.supports = 1, part.support = &clamp;
    bench_open(&b, &part);
    bench_solve(&b);
    double tip = bench_at(&b, hand_node(&mesh, mesh.grid[0] - 1, mesh.grid[1] / 2, 0), 1);
    bench_close(&b);
    hand_end(&mesh);
    return tip;
}


static void cooks_membrane_gives_as_known(void **state)
{
    (void)state;
    static const kind_row ROWS[] = {
        {RICO_CELL_T3, RICO_REMEDY_NONE, {6.74253, 11.25199, 17.33116, 21.59215, 23.27512}},
        {RICO_CELL_Q4, RICO_REMEDY_NONE, {11.84518, 18.29917, 22.07918, 23.43041, 23.81763}},
        {RICO_CELL_Q4, RICO_REMEDY_MODES, {21.05030, 23.01644, 23.68883, 23.88328, 23.93977}},
        {RICO_CELL_T6, RICO_REMEDY_NONE, {21.65126, 23.48195, 23.85682, 23.92621, 23.95210}},
        {RICO_CELL_Q8, RICO_REMEDY_NONE, {22.71775, 23.70829, 23.88374, 23.93460, 23.95513}}};
    for (size_t r = 0; r < sizeof ROWS / sizeof *ROWS; r++)
        for (int k = 0; k < 5; k++)
            assert_near(cook(ROWS[r].kind, ROWS[r].remedy, 2 << k, RICO_PLANE_STRESS, 1.0 / 3.0),
                        ROWS[r].value[k], 5.1e-6);
}


// Nearly incompressible: Q4 locks, its remedies do not.
static void cooks_membrane_locks_and_is_cured(void **state)
{
    (void)state;
    static const kind_row ROWS[] = {{RICO_CELL_Q4, RICO_REMEDY_NONE, {5.2078, 5.3524, 5.7912, 7.1130}},
                                    {RICO_CELL_Q4, RICO_REMEDY_BAR, {15.9093, 17.6490, 18.2114, 18.3976}},
                                    {RICO_CELL_Q4, RICO_REMEDY_MODES, {17.0460, 17.9127, 18.2665, 18.4055}},
                                    {RICO_CELL_Q8, RICO_REMEDY_NONE, {16.0223, 17.6846, 18.1992, 18.3778}}};
    for (size_t r = 0; r < sizeof ROWS / sizeof *ROWS; r++)
        for (int k = 0; k < 4; k++)
            assert_near(cook(ROWS[r].kind, ROWS[r].remedy, 4 << k, RICO_PLANE_STRAIN, 0.4999),
                        ROWS[r].value[k], 5.1e-5);
}


// --- S3: the straight beam of MacNeal and Harder 1985 --------------------------------------------------------------------

static void slender_map(void *user, const double unit[3], double x[3])
{
    (void)user;
    x[0] = 6.0 * unit[0], x[1] = 0.2 * unit[1], x[2] = 0.1 * unit[2];
}


static void a_slender_beam_gives_as_known(void **state)
{
    (void)state;
    static const double REFERENCE[3] = {3e-5, 0.1081, 0.4321};
    static const kind_row ROWS[] = {{RICO_CELL_H8, RICO_REMEDY_NONE, {.9856, .0929, .0252}},
                                    {RICO_CELL_H8, RICO_REMEDY_MODES, {.9876, .9782, .9729}},
                                    {RICO_CELL_TET10, RICO_REMEDY_NONE, {.9931, .9619, .9570}}};
    for (size_t r = 0; r < sizeof ROWS / sizeof *ROWS; r++)
        for (int axis = 0; axis < 3; axis++) {
            hand_mesh mesh;
            elastic_bench b;
            rico_elastic_material metal = stuff(1e7, 0.3);
            rico_elastic_load pull = {RICO_LOAD_TRACTION, "right"};
            rico_elastic_support clamp = {"left", RICO_HOLD_X | RICO_HOLD_Y | RICO_HOLD_Z};
            pull.value[axis] = 1.0 / 0.02;
            hand_box(&mesh, ROWS[r].kind, 6, 1, 1, slender_map, NULL);
            rico_elastic_part part = rico_elastic_default(&mesh.mesh, RICO_SOLID);
            part.materials = 1, part.material = &metal, part.loads = 1, part.load = &pull;
            part.supports = 1, part.support = &clamp, part.remedy = ROWS[r].remedy;
            bench_open(&b, &part);
            bench_solve(&b);
            assert_near(bench_work(&b) / REFERENCE[axis], ROWS[r].value[axis], 5.1e-5);
            bench_close(&b);
            hand_end(&mesh);
        }
}


// --- S4: the thick cylinder (Lame) ---------------------------------------------------------------------------------------

static const double INNER = 3.0, OUTER = 9.0;

static void sector_map(void *user, const double unit[3], double x[3])
{
    (void)user;
    double r = INNER * pow(OUTER / INNER, unit[0]), angle = 0.5 * M_PI * unit[1];
    x[0] = r * cos(angle), x[1] = r * sin(angle), x[2] = 0.0;
    if (unit[1] == 0.0) x[1] = 0.0;
    if (unit[1] == 1.0) x[0] = 0.0;
}


static void strip_map(void *user, const double unit[3], double x[3])
{
    (void)user;
    x[0] = INNER + (OUTER - INNER) * unit[0], x[1] = unit[1], x[2] = 0.0;
}


typedef struct cylinder {
    double inner, mean;  // displacement of the inner wall at the x axis, and by the work of the pressure
    double radial, hoop; // stresses at its node on the x axis
} cylinder;

static cylinder thick_cylinder(rico_cell_kind kind, rico_remedy remedy, rico_hypothesis hypothesis, int n,
                               double poisson)
{
    hand_mesh mesh;
    elastic_bench b;
    bool ring = hypothesis == RICO_AXISYMMETRIC;
    rico_elastic_material rubber = stuff(1000.0, poisson);
    rico_elastic_load inside = {RICO_LOAD_PRESSURE, "left", .value = {1.0}};
    rico_elastic_support hold[2] = {{"bottom", RICO_HOLD_Y}, {"top", ring ? RICO_HOLD_Y : RICO_HOLD_X}};
    hand_rectangle(&mesh, kind, n, ring ? 1 : n, false, ring ? strip_map : sector_map, NULL);
    rico_elastic_part part = rico_elastic_default(&mesh.mesh, hypothesis);
    part.materials = 1, part.material = &rubber, part.loads = 1, part.load = &inside;
    part.supports = 2, part.support = hold, part.remedy = remedy;
    bench_open(&b, &part);
    bench_solve(&b);
    double *stress = malloc((size_t)(6 * mesh.mesh.nodes) * sizeof *stress);
    assert_ok(ctx, rico_elastic_stress(b.system, ctx, 0, b.u, stress, NULL));
    cylinder out = {bench_at(&b, 0, 0), bench_work(&b) / ((ring ? 2.0 : 0.5) * M_PI * INNER), stress[0],
                    ring ? stress[2] : stress[1]};
    free(stress);
    bench_close(&b);
    hand_end(&mesh);
    return out;
}


static void a_thick_cylinder_widens_as_lame_says(void **state)
{
    (void)state;
    static const double NUS[] = {0.3, 0.49, 0.499, 0.4999},
                        EXACT[] = {4.5825e-3, 5.039925e-3, 5.06024925e-3, 5.0622749925e-3};
    for (int k = 0; k < 4; k++) {
        cylinder plane = thick_cylinder(RICO_CELL_Q8, RICO_REMEDY_NONE, RICO_PLANE_STRAIN, 16, NUS[k]);
        cylinder ring = thick_cylinder(RICO_CELL_Q8, RICO_REMEDY_NONE, RICO_AXISYMMETRIC, 16, NUS[k]);
        assert_near(plane.inner, EXACT[k], 2e-4 * EXACT[k]);
        assert_near(ring.inner, EXACT[k], (k < 2 ? 2e-4 : 1e-2) * EXACT[k]);
        if (k == 0) assert_near(plane.radial, -1.0, 0.03);
        if (k == 0) assert_near(plane.hoop, 1.25, 0.02);
        if (k == 0) assert_near(ring.hoop, 1.25, 0.02);
        // remedies do not lock
        assert_near(thick_cylinder(RICO_CELL_Q4, RICO_REMEDY_BAR, RICO_AXISYMMETRIC, 32, NUS[k]).inner,
                    EXACT[k], 4e-3 * EXACT[k]);
        assert_near(thick_cylinder(RICO_CELL_Q4, RICO_REMEDY_MODES, RICO_PLANE_STRAIN, 32, NUS[k]).inner,
                    EXACT[k], 4e-3 * EXACT[k]);
    }
}


// Errors fall as h^2 for linear kinds and h^4 for quadratic ones (energy, and so the displacement under the load).
static void a_thick_cylinder_converges(void **state)
{
    (void)state;
    static const struct {
        rico_cell_kind kind;
        rico_hypothesis hypothesis;
        double order;
    } ROWS[] = {{RICO_CELL_T3, RICO_PLANE_STRAIN, 2.0}, {RICO_CELL_Q4, RICO_PLANE_STRAIN, 2.0},
                {RICO_CELL_T6, RICO_PLANE_STRAIN, 4.0}, {RICO_CELL_Q8, RICO_PLANE_STRAIN, 4.0},
                {RICO_CELL_T3, RICO_AXISYMMETRIC, 2.0}, {RICO_CELL_Q4, RICO_AXISYMMETRIC, 2.0},
                {RICO_CELL_T6, RICO_AXISYMMETRIC, 4.0}, {RICO_CELL_Q8, RICO_AXISYMMETRIC, 4.0}};
    for (size_t r = 0; r < sizeof ROWS / sizeof *ROWS; r++) {
        double coarse =
            thick_cylinder(ROWS[r].kind, RICO_REMEDY_NONE, ROWS[r].hypothesis, 8, 0.3).mean - 4.5825e-3;
        double fine =
            thick_cylinder(ROWS[r].kind, RICO_REMEDY_NONE, ROWS[r].hypothesis, 16, 0.3).mean - 4.5825e-3;
        assert_near(log2(fabs(coarse / fine)), ROWS[r].order, 0.35);
    }
}


// --- S5: uniform pressure on a disc of radius 1 (Boussinesq; Timoshenko and Goodier 1970, 138 to 140) ------------------------

static const double FAR = 60.0;

// Finer to the middle: a third of the elements in [0, 1], the others to FAR in a geometric row.
static double graded(double unit)
{
    return unit <= 1.0 / 3.0 ? 3.0 * unit : pow(FAR, 1.5 * (unit - 1.0 / 3.0));
}


static void half_space_map(void *user, const double unit[3], double x[3])
{
    (void)user;
    x[0] = graded(unit[0]), x[1] = -graded(1.0 - unit[1]), x[2] = 0.0;
}


static bool on_disc(void *user, double t, const double *x, double *value)
{
    (void)user, (void)t;
    value[0] = value[2] = 0.0;
    value[1] = x[0] < 1.0 ? -1.0 : 0.0;
    return true;
}


// A finite body moves as a whole by something of the order 1/FAR: stresses and differences of displacements do not.
static void a_disc_presses_as_boussinesq_says(void **state)
{
    (void)state;
    hand_mesh mesh;
    elastic_bench b;
    rico_elastic_material ground = stuff(1.0, 0.3);
    rico_elastic_load press = {RICO_LOAD_TRACTION, "top", .function = on_disc, .steady = true};
    rico_elastic_support floor = {"bottom", RICO_HOLD_Y};
    hand_rectangle(&mesh, RICO_CELL_Q8, 36, 36, false, half_space_map, NULL);
    rico_elastic_part part = rico_elastic_default(&mesh.mesh, RICO_AXISYMMETRIC);
    part.materials = 1, part.material = &ground, part.loads = 1, part.load = &press, part.supports = 1,
    part.support = &floor;
    bench_open(&b, &part);
    bench_solve(&b);
    double *stress = malloc((size_t)(6 * mesh.mesh.nodes) * sizeof *stress);
    assert_ok(ctx, rico_elastic_stress(b.system, ctx, 0, b.u, stress, NULL));
    int top = mesh.grid[1] - 1;
    int64_t middle = hand_node(&mesh, 0, top, 0), rim = hand_node(&mesh, 24, top, 0),
            below = hand_node(&mesh, 0, top - 24, 0);
    assert_near(mesh.mesh.position[3 * rim], 1.0, 1e-12);
    assert_near(mesh.mesh.position[3 * below + 1], -1.0, 1e-12);
    assert_near(stress[6 * below + 1], -0.646447, 3e-3);
    assert_near(bench_at(&b, rim, 1) - bench_at(&b, middle, 1), 1.82 - 1.158648, 4e-3);
    free(stress);
    bench_close(&b);
    hand_end(&mesh);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cantilever_bends_as_known),
        cmocka_unit_test(cooks_membrane_gives_as_known),
        cmocka_unit_test(cooks_membrane_locks_and_is_cured),
        cmocka_unit_test(a_slender_beam_gives_as_known),
        cmocka_unit_test(a_thick_cylinder_widens_as_lame_says),
        cmocka_unit_test(a_thick_cylinder_converges),
        cmocka_unit_test(a_disc_presses_as_boussinesq_says),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
