// Patch tests of contact at rest (El-Abbasi and Bathe 2001; spec/10, P1 and P2): a constant pressure through an interface of meshes that do not match.

#include "elastic_bodies.h"

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
    move_group(system, "top", 1, mesh[1], "top", 1, by_ramp(&down));
    // one node of each block is held sideways: nothing else is
    ramp still = {0.0};
    for (int k = 0; k < 2; k++) move_node(system, k ? "upper" : "lower", k, 0, 0, by_ramp(&still));
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
    move_group(system, "down", 0, mesh, "top", 1, by_ramp(&down));
    move_group(system, "still", 0, mesh, "top", 0, by_ramp(&still));
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


// --- in space ----------------------------------------------------------------------------------------------------------

static rico_mesh *box(rico_context *ctx, rico_cell_kind kind, double z, double side, int64_t n)
{
    rico_mesh_box options = rico_mesh_box_default();
    rico_mesh *mesh;
    options.kind = kind;
    options.origin[2] = z;
    options.size[0] = options.size[1] = side, options.size[2] = 1.0;
    options.cells[0] = options.cells[1] = n, options.cells[2] = n > 1 ? 2 : 1;
    good(rico_mesh_make_box(ctx, &options, &mesh));
    return mesh;
}


// Two boxes of height 1, the upper pressed by `down`, free to widen: stresses are -E down / 2 upwards and 0 otherwise. Returns the run.
static couple press_boxes(rico_context *ctx, const rico_cell_kind kind[2], const int64_t n[2], double side,
                          double young, double poisson, ramp *down, bool mortar, bool upper_slave)
{
    couple c = {.ctx = ctx, .mesh = {box(ctx, kind[0], 0.0, side, n[0]), box(ctx, kind[1], 1.0, side, n[1])}};
    rico_elastic_material material = stuff(young, poisson);
    rico_elastic_support held[] = {{"left", RICO_HOLD_X}, {"front", RICO_HOLD_Y}, {"bottom", RICO_HOLD_Z}};
    good(rico_system_create(ctx, &c.system));
    for (int k = 0; k < 2; k++) {
        rico_elastic_part part = rico_elastic_default(c.mesh[k], RICO_SOLID);
        part.materials = 1, part.material = &material;
        part.supports = k ? 2 : 3, part.support = held;
        good(rico_system_add_elastic(c.system, k ? "upper" : "lower", &part, &c.place[k]));
    }
    move_group(c.system, "top", 1, c.mesh[1], "top", 2, by_ramp(down));
    rico_touch_side face[2] = {{.part = 0, .mesh = c.mesh[0], .group = "top"},
                               {.part = 1, .mesh = c.mesh[1], .group = "bottom"}};
    const rico_touch_side *slave = &face[upper_slave], *master = &face[!upper_slave];
    rico_touch how = {.small = true};
    if (mortar)
        good(rico_system_touch_mortar(c.system, "joint", slave, master, false, &how));
    else
        good(rico_system_touch_faces(c.system, "joint", slave, master, false, &how));
    c.sim = statics(c.system);
    step(ctx, c.sim, 1.0);
    return c;
}


static void space_mortar(void **state)
{
    static const rico_cell_kind KINDS[][2] = {{RICO_CELL_H8, RICO_CELL_H8}, {RICO_CELL_TET4, RICO_CELL_H8}};
    for (int t = 0; t < 8; t++) {
        double poisson = t & 1 ? 0.3 : 0.0;
        ramp down = {-0.1};
        couple c =
            press_boxes(*state, KINDS[t >> 2], (int64_t[]){4, 3}, 2.0, 2e6, poisson, &down, true, t >> 1 & 1);
        const double *q = rico_simulation_position(c.sim);
        for (int k = 0; k < 2; k++) {
            rico_mesh_view view = rico_mesh_look(c.mesh[k]);
            double *cell = calloc((size_t)(6 * view.cells), sizeof *cell);
            good(rico_elastic_stress(c.system, c.ctx, k, q + c.place[k].q, NULL, cell));
            for (int64_t e = 0; e < view.cells; e++)
                for (int i = 0; i < 6; i++)
                    if (view.kind[e] == KINDS[t >> 2][k])
                        assert_near(cell[6 * e + i], i == 2 ? -1e5 : 0.0, 1e-5);
            for (int64_t n = 0; n < view.nodes; n++)
                if (view.position[3 * n + 2] == 1.0)
                    assert_near(q[rico_elastic_velocity(c.system, k, n, 2)], -0.05, 1e-11);
            free(cell);
        }
        couple_end(&c);
    }
}


// Two cubes, face on face: what presses is shared equally by the four nodes.
static void space_cubes(void **state)
{
    for (int t = 0; t < 4; t++) {
        ramp down = {-0.2};
        couple c = press_boxes(*state, (rico_cell_kind[]){RICO_CELL_H8, RICO_CELL_H8}, (int64_t[]){1, 1}, 1.0,
                               4e5, 0.0, &down, t & 1, t >> 1);
        int64_t count = 0;
        for (int64_t k = 0; k < rico_simulation_constraints(c.sim); k++) {
            rico_constraint_info own = rico_simulation_constraint(c.sim, k);
            if (own.joint) continue;
            assert_near(rico_simulation_impulse(c.sim)[own.row], 1e4, 1e-6);
            count++;
        }
        assert_int_equal(count, 4);
        assert_near(force_of(c.sim, "top", 1.0), -4e4, 1e-5);
        couple_end(&c);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        with_context(patch_mortar), with_context(patch_nodes), with_context(pressed_from_afar),
        with_context(space_mortar), with_context(space_cubes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
