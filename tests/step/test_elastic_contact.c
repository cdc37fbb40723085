// Elastic bodies in contact at rest, against closed forms and the numbers of benchmarks: patch tests of contact (El-Abbasi and Bathe 2001), a
// block pushed up a wedge, Hertz's line contact and Cattaneo's partial slip.

#include "support.h"

#include "ricochet/bodies.h"
#include "ricochet/elastic.h"
#include "ricochet/ricochet.h"
#include "ricochet/touch.h"

static int setup(void **state)
{
    *state = rico_context_create(NULL);
    return *state ? 0 : 1;
}


static int teardown(void **state)
{
    rico_context_destroy(*state);
    return 0;
}


#define good(call) assert_int_equal((call), RICO_OK)

// A displacement that grows with time along one direction, on every node of a group.
typedef struct ramp {
    double rate;
} ramp;


static bool ramp_at(void *user, double t, double *x)
{
    *x = ((const ramp *)user)->rate * t;
    return true;
}


static bool ramp_rate(void *user, double t, double *x)
{
    (void)t;
    *x = ((const ramp *)user)->rate;
    return true;
}


static int64_t prescribe(rico_system *system, int64_t part, const rico_mesh *mesh, const char *group,
                         int direction, ramp *user)
{
    rico_mesh_view view = rico_mesh_look(mesh);
    rico_mesh_group cells = rico_mesh_group_at(mesh, rico_mesh_group_find(mesh, group));
    char *done = calloc((size_t)view.nodes, 1);
    int64_t count = 0;
    for (int64_t c = 0; c < cells.count; c++)
        for (int64_t k = view.start[cells.cell[c]]; k < view.start[cells.cell[c] + 1]; k++) {
            int64_t node = view.node[k], at = rico_elastic_velocity(system, part, node, direction);
            if (done[node] || at < 0) continue;
            done[node] = 1;
            char name[64];
            snprintf(name, sizeof name, "%s-%lld-%d", group, (long long)node, direction);
            rico_motion motion = {.position_index = at,
                                  .velocity_index = at,
                                  .position = ramp_at,
                                  .velocity = ramp_rate,
                                  .user = user};
            good(rico_system_prescribe(system, name, &motion, NULL));
            count++;
        }
    free(done);
    return count;
}


static rico_mesh *rectangle(rico_context *ctx, double x, double y, double width, double height, int64_t nx,
                            int64_t ny)
{
    rico_mesh_rectangle options = rico_mesh_rectangle_default();
    rico_mesh *mesh;
    options.kind = RICO_CELL_Q4;
    options.origin[0] = x, options.origin[1] = y;
    options.size[0] = width, options.size[1] = height;
    options.cells[0] = nx, options.cells[1] = ny;
    good(rico_mesh_make_rectangle(ctx, &options, &mesh));
    return mesh;
}


static rico_elastic_material stuff(double young, double poisson)
{
    rico_elastic_material material = rico_elastic_material_default();
    material.young = young;
    material.poisson = poisson;
    material.density = 1.0;
    return material;
}


static rico_simulation *statics(rico_system *system)
{
    rico_simulation *sim;
    int64_t n = rico_system_positions(system);
    double *zero = calloc((size_t)n, sizeof *zero);
    good(rico_simulation_create(system, "quasi-static", &sim));
    good(rico_simulation_start(sim, 0.0, zero, zero));
    free(zero);
    return sim;
}


static void step(rico_context *ctx, rico_simulation *sim, double h)
{
    if (rico_simulation_step(sim, h) != RICO_OK) fail_msg("%s", rico_message(ctx));
}


// --- patch test (spec P1) --------------------------------------------------------------------------------------------


// Two blocks of height 1, the upper pressed by 0.1, E = 2e6: the interface goes down by 0.05 and bears 1e5 everywhere. Returns the range
// of the interface's displacement and of sigma_yy over the exact one.
static void press_blocks(rico_context *ctx, double poisson, bool mortar, bool upper_slave, double u[2],
                         double stress[2])
{
    rico_mesh *mesh[2] = {rectangle(ctx, 0.0, 0.0, 2.0, 1.0, 4, 2), rectangle(ctx, 0.0, 1.0, 2.0, 1.0, 3, 2)};
    rico_elastic_material material = stuff(2e6, poisson);
    double exact = 1e5 / (1.0 - poisson * poisson);
    ramp down = {-0.1};
    rico_system *system;
    rico_place place[2];
    good(rico_system_create(ctx, &system));
    for (int k = 0; k < 2; k++) {
        rico_elastic_support held[2] = {{k ? "top" : "bottom", k ? 0 : RICO_HOLD_Y}, {"left", 0}};
        rico_elastic_part part = rico_elastic_default(mesh[k], RICO_PLANE_STRAIN);
        part.materials = 1, part.material = &material;
        part.supports = k ? 0 : 1, part.support = held;
        good(rico_system_add_elastic(system, k ? "upper" : "lower", &part, &place[k]));
    }
    prescribe(system, 1, mesh[1], "top", 1, &down);
    // one node of each block is held sideways: nothing else is
    for (int k = 0; k < 2; k++) {
        static ramp still = {0.0};
        int64_t at = rico_elastic_velocity(system, k, 0, 0);
        rico_motion motion = {.position_index = at,
                              .velocity_index = at,
                              .position = ramp_at,
                              .velocity = ramp_rate,
                              .user = &still};
        good(rico_system_prescribe(system, k ? "upper-side" : "lower-side", &motion, NULL));
    }
    rico_touch_side side[2] = {{.part = 0, .mesh = mesh[0], .group = "top"},
                               {.part = 1, .mesh = mesh[1], .group = "bottom"}};
    const rico_touch_side *slave = &side[upper_slave], *master = &side[!upper_slave];
    rico_touch how = {.small = true}; // the numbers of the benchmark are those of a linear problem
    if (mortar)
        good(rico_system_touch_mortar(system, "joint", slave, master, false, &how));
    else
        good(rico_system_touch_faces(system, "joint", slave, master, false, &how));
    rico_simulation *sim = statics(system);
    step(ctx, sim, 1.0);

    const double *q = rico_simulation_position(sim);
    u[0] = stress[0] = INFINITY;
    u[1] = stress[1] = -INFINITY;
    for (int k = 0; k < 2; k++) {
        rico_mesh_view view = rico_mesh_look(mesh[k]);
        double *cell = calloc((size_t)(6 * view.cells), sizeof *cell);
        good(rico_elastic_stress(system, ctx, k, q + place[k].q, NULL, cell));
        for (int64_t c = 0; c < view.cells; c++)
            if (view.kind[c] == RICO_CELL_Q4) {
                stress[0] = fmin(stress[0], cell[6 * c + 1] / -exact);
                stress[1] = fmax(stress[1], cell[6 * c + 1] / -exact);
            }
        for (int64_t n = 0; n < view.nodes; n++)
            if (fabs(view.position[3 * n + 1] - 1.0) < 1e-12) {
                double down_by = q[rico_elastic_velocity(system, k, n, 1)];
                u[0] = fmin(u[0], down_by);
                u[1] = fmax(u[1], down_by);
            }
        free(cell);
    }
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
    for (int k = 0; k < 2; k++) rico_mesh_destroy(mesh[k]);
}


static void patch_mortar(void **state)
{
    for (int k = 0; k < 4; k++) {
        double u[2], stress[2];
        press_blocks(*state, k / 2 ? 0.3 : 0.0, true, k % 2, u, stress);
        for (int i = 0; i < 2; i++) {
            assert_near(u[i], -0.05, 1e-11);
            assert_near(stress[i], 1.0, 1e-10);
        }
    }
}


// It fails with nodes on faces, by just so much.
static void patch_nodes(void **state)
{
    static const struct {
        double poisson;
        bool upper;
        double u[2], stress[2];
    } CASES[] = {{0.0, true, {-0.05713609, -0.04620874}, {0.92684, 1.07529}},
                 {0.0, false, {-0.05209359, -0.04618227}, {0.94843, 1.03311}},
                 {0.3, true, {0.0, 0.0}, {0.92675, 1.07720}},
                 {0.3, false, {0.0, 0.0}, {0.94760, 1.03363}}};
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
        double u[2], stress[2];
        press_blocks(*state, CASES[k].poisson, false, CASES[k].upper, u, stress);
        for (int i = 0; i < 2; i++) {
            if (CASES[k].u[0] != 0.0) assert_near(u[i], CASES[k].u[i], 6e-9);
            assert_near(stress[i], CASES[k].stress[i], 6e-6);
        }
    }
}


// One step brings a block down from far above the floor, farther than a face is long, and presses it: the contact is found.
static void pressed_from_afar(void **state)
{
    rico_context *ctx = *state;
    rico_mesh *mesh = rectangle(ctx, 0.0, 3.0, 1.0, 1.0, 4, 4);
    rico_elastic_material material = stuff(1000.0, 0.0);
    rico_elastic_part part = rico_elastic_default(mesh, RICO_PLANE_STRESS);
    part.materials = 1, part.material = &material;
    ramp down = {-3.5}, still = {0.0};
    rico_system *system;
    rico_shape *floor;
    good(rico_shape_create(ctx, "line", NULL, 0, &floor));
    good(rico_system_create(ctx, &system));
    good(rico_system_add_elastic(system, "block", &part, NULL));
    prescribe(system, 0, mesh, "top", 1, &down);
    prescribe(system, 0, mesh, "top", 0, &still);
    rico_touch_side side = {.part = 0, .mesh = mesh, .group = "bottom"};
    rico_touch_shape shape = {.shape = floor, .stand = {.orientation = {1.0, 0.0, 0.0, 0.0}}};
    rico_touch how = {.law = {.friction = 0.3}};
    good(rico_system_touch_shape(system, "floor", &side, &shape, &how));
    rico_simulation *sim = statics(system);
    step(ctx, sim, 1.0);
    const double *p = rico_simulation_impulse(sim), *q = rico_simulation_position(sim);
    int64_t rows = rico_simulation_rows(sim);
    double sum = 0.0;
    for (int64_t c = 0; c < rico_simulation_constraints(sim); c++) {
        rico_constraint_info info = rico_simulation_constraint(sim, c);
        if (!info.joint) sum += p[info.row];
        assert_in_range(info.row, 0, rows - 1);
    }
    // strain 0.5 over the height, nothing across: E 0.5 on a unit of length
    assert_near(sum, 500.0, 1e-6);
    assert_near(q[rico_elastic_velocity(system, 0, 0, 1)], -3.0, 1e-9);
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
    rico_shape_destroy(floor);
    rico_mesh_destroy(mesh);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(patch_mortar, setup, teardown),
        cmocka_unit_test_setup_teardown(patch_nodes, setup, teardown),
        cmocka_unit_test_setup_teardown(pressed_from_afar, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
