// Elastic bodies in motion: the bar that hits a wall as a rod, a strip and a prism, a cube that swings, rigid translation (spec/10, 2.4, D1 and D3; S8).

#include "elastic_bench.h"
#include "la/dense.h"
#include "la/lowest_modes.h"
#include "ricochet/simulation.h"

static const double LENGTH = 1.0, SECTION = M_PI * 1e-4, STEEL = 2.1e11, DENSITY = 7800.0, SPEED = 0.1;

static void bar_map(void *user, const double unit[3], double x[3])
{
    (void)user;
    x[0] = LENGTH * unit[0], x[1] = 0.02 * unit[1], x[2] = 0.01 * unit[2];
}


typedef struct impact {
    double loss;           // of the energy, a few steps after the blow
    double force;          // of the first step, all contacts
    double impulse, until; // of all steps, and the end of the last with a force
    int64_t nodes;
    double *v; // along x, of each used node
    double *x; // where it stands
} impact;


// A bar with its left side at the wall x = 0, moving into it.
static impact hit(rico_cell_kind kind, int n, int across, bool lumped, double poisson, double h, int steps)
{
    hand_mesh mesh;
    elastic_bench b;
    rico_simulation *sim;
    int dimension = rico_cells[kind].dimension;
    rico_elastic_material steel = stuff(STEEL, poisson);
    steel.density = DENSITY;
    steel.thickness = dimension == 1 ? SECTION : SECTION / 0.02;
    rico_hypothesis hypothesis = dimension == 1 ? RICO_ROD : dimension == 2 ? RICO_PLANE_STRESS : RICO_SOLID;
    if (dimension == 1)
        hand_bar(&mesh, kind, n, bar_map, NULL);
    else if (dimension == 2)
        hand_rectangle(&mesh, kind, n, across, false, bar_map, NULL);
    else
        hand_box(&mesh, kind, n, across, across, bar_map, NULL);
    rico_elastic_part part = rico_elastic_default(&mesh.mesh, hypothesis);
    part.materials = 1, part.material = &steel, part.lumped = lumped;
    bench_open(&b, &part);
    int64_t contacts = 0;
    for (int64_t u = 0; u < b.own->used; u++) {
        int64_t node = b.own->used_node[u], dof = rico_elastic_velocity(b.system, 0, node, 0);
        if (b.own->X[3 * node] > 0.0) continue;
        rico_contact wall = {.dimension = 1, .reach = {1, &dof}, .gradient = &(double){1.0}};
        char name[32];
        snprintf(name, sizeof name, "wall%lld", (long long)node);
        assert_ok(ctx, rico_system_add_contact(b.system, name, &wall, NULL));
        contacts++;
    }
    double *v = calloc((size_t)b.n, sizeof *v);
    for (int64_t i = 0; i < b.n; i += dimension) v[i] = -SPEED;
    assert_ok(ctx, rico_simulation_create(b.system, "moreau-jean", &sim));
    assert_ok(ctx, rico_simulation_set_number(sim, "theta", 0.5));
    assert_ok(ctx, rico_simulation_set(sim, "activation", "explicit"));
    assert_ok(ctx, rico_simulation_start(sim, 0.0, b.u, v));
    double first = rico_simulation_ledger(sim)->kinetic,
           mass = DENSITY * SECTION * LENGTH * (dimension == 3 ? 2e-4 / SECTION : 1.0);
    assert_near(first, 0.5 * mass * SPEED * SPEED, 1e-12 * first);
    impact out = {.nodes = b.own->used};
    for (int s = 0; s < steps; s++) {
        assert_ok(ctx, rico_simulation_step(sim, h));
        double force = 0.0;
        for (int64_t c = 0; c < contacts; c++) force += rico_simulation_impulse(sim)[c] / h;
        if (s == 0) out.force = force;
        if (force > 0.0) out.until = rico_simulation_time(sim);
        out.impulse += h * force;
    }
    const rico_ledger *ledger = rico_simulation_ledger(sim);
    out.loss = 1.0 - (ledger->kinetic + ledger->potential) / first;
    out.v = calloc((size_t)out.nodes, sizeof *out.v);
    out.x = calloc((size_t)out.nodes, sizeof *out.x);
    for (int64_t u = 0; u < out.nodes; u++) {
        out.v[u] = rico_simulation_velocity(sim)[dimension * u];
        out.x[u] = b.own->X[3 * b.own->used_node[u]];
        for (int i = 1; poisson == 0.0 && i < dimension; i++)
            assert_near(rico_simulation_velocity(sim)[dimension * u + i], 0.0, 1e-12 * SPEED);
    }
    rico_simulation_destroy(sim);
    free(v);
    bench_close(&b);
    hand_end(&mesh);
    return out;
}


static void impact_end(impact *out)
{
    free(out->v);
    free(out->x);
}


// D1: the energy lost with the first contact step, and the force there.
static void a_rod_loses_what_its_first_element_has(void **state)
{
    (void)state;
    static const struct {
        int n;
        bool lumped;
        double h, loss, force;
    } ROWS[] = {{100, false, 2e-6, .00593771086, 727.5},   {100, false, 2e-7, .00293301280, 3593.6},
                {100, false, 2e-8, .00288721763, 35374.8}, {10, false, 2e-8, .0288675601, 0.0},
                {100, true, 2e-7, .00502685098, 0.0},      {1000, false, 2e-6, .00519676921, 0.0}};
    for (size_t r = 0; r < sizeof ROWS / sizeof *ROWS; r++) {
        impact out = hit(RICO_CELL_LINE2, ROWS[r].n, 1, ROWS[r].lumped, 0.0, ROWS[r].h, 12);
        assert_near(out.loss, ROWS[r].loss, 6e-11);
        if (ROWS[r].force > 0.0) assert_near(out.force, ROWS[r].force, 0.051);
        impact_end(&out);
    }
}


// D3: with nu = 0 a strip and a prism do what the rod does, row of nodes by row of nodes.
static void strips_and_prisms_do_as_the_rod(void **state)
{
    (void)state;
    static const rico_cell_kind KINDS[] = {RICO_CELL_Q4, RICO_CELL_H8};
    for (int lumped = 0; lumped < 2; lumped++) {
        impact rod = hit(RICO_CELL_LINE2, 100, 1, lumped, 0.0, 2e-6, 40);
        for (int k = 0; k < 2; k++) {
            impact wide = hit(KINDS[k], 100, k == 0 ? 2 : 1, lumped, 0.0, 2e-6, 40);
            assert_near(wide.loss, rod.loss, 1e-10);
            for (int64_t u = 0; u < wide.nodes; u++) {
                int64_t at = (int64_t)lround(wide.x[u] * 100.0);
                assert_near(wide.v[u], rod.v[at], 1e-10 * SPEED);
            }
            impact_end(&wide);
        }
        impact_end(&rod);
    }
}


// D3 with nu = 0.3: a slender strip of plane stress bears the force of the rod for as long, but for its dispersion.
static void a_strip_that_widens_bears_the_same_force(void **state)
{
    (void)state;
    impact out = hit(RICO_CELL_Q4, 100, 2, false, 0.3, 2e-6, 300);
    assert_near(out.until, 3.854496447e-4, 0.02 * 3.85e-4);
    assert_near(out.impulse / out.until, 1271.472061, 0.02 * 1271.5);
    assert_near(out.impulse, 0.490088454, 0.01 * 0.49);
    impact_end(&out);
}


// A free cube, plucked in its lowest mode, follows cos(w t) with the frequency that theta = 1/2 makes of S8's: tan(w h/2) = omega h/2.
static void a_plucked_cube_swings_at_its_frequency(void **state)
{
    (void)state;
    hand_mesh mesh;
    elastic_bench b;
    rico_simulation *sim;
    double value[7];
    const double h = 0.05;
    rico_elastic_material steel = stuff(2.6, 0.3);
    hand_box(&mesh, RICO_CELL_H8, 4, 4, 4, NULL, NULL);
    rico_elastic_part part = rico_elastic_default(&mesh.mesh, RICO_SOLID);
    part.materials = 1, part.material = &steel;
    bench_open(&b, &part);
    double *mode = calloc((size_t)(7 * b.n), sizeof *mode), *q = mode + 6 * b.n,
           *v = calloc((size_t)b.n, sizeof *v);
    assert_ok(ctx, rico_lowest_modes(ctx, &b.part->pattern, b.own->K, b.own->M, -1.0, 7, value, mode));
    assert_ok(ctx, rico_simulation_create(b.system, "moreau-jean", &sim));
    assert_ok(ctx, rico_simulation_set_number(sim, "theta", 0.5));
    assert_ok(ctx, rico_simulation_start(sim, 0.0, q, v));
    double w = 2.0 / h * atan(0.5 * 3.02334 * h);
    for (int s = 1; s <= 100; s++) {
        assert_ok(ctx, rico_simulation_step(sim, h));
        const double *now = rico_simulation_position(sim);
        double share = rico_dot(b.n, now, q) / rico_dot(b.n, q, q);
        assert_near(share, cos(w * h * s), 5e-6 * h * s + 1e-6);
    }
    assert_near(rico_simulation_ledger(sim)->kinetic + rico_simulation_ledger(sim)->potential, 0.5 * value[6],
                1e-9);
    rico_simulation_destroy(sim);
    free(mode);
    free(v);
    bench_close(&b);
    hand_end(&mesh);
}


// Gravity and a start in translation: x = v t + g t^2/2 exactly for all nodes, with theta = 1/2.
static void bodies_fall_as_one(void **state)
{
    (void)state;
    static const struct {
        rico_cell_kind kind;
        bool lumped;
    } ROWS[] = {{RICO_CELL_T3, false}, {RICO_CELL_T6, true},    {RICO_CELL_Q8, true},
                {RICO_CELL_Q8, false}, {RICO_CELL_TET10, true}, {RICO_CELL_H8, false}};
    for (size_t r = 0; r < sizeof ROWS / sizeof *ROWS; r++) {
        hand_mesh mesh;
        elastic_bench b;
        rico_simulation *sim;
        bool solid = rico_cells[ROWS[r].kind].dimension == 3;
        rico_elastic_material steel = stuff(100.0, 0.3);
        steel.density = 2.5;
        rico_elastic_load weight = {RICO_LOAD_BODY, NULL, .value = {0.0, -2.5 * 9.81}};
        if (solid)
            hand_box(&mesh, ROWS[r].kind, 2, 2, 2, NULL, NULL);
        else
            hand_rectangle(&mesh, ROWS[r].kind, 3, 2, false, NULL, NULL);
        rico_elastic_part part = rico_elastic_default(&mesh.mesh, solid ? RICO_SOLID : RICO_PLANE_STRAIN);
        part.materials = 1, part.material = &steel, part.loads = 1, part.load = &weight,
        part.lumped = ROWS[r].lumped;
        bench_open(&b, &part);
        int n = b.own->directions;
        double *v = calloc((size_t)b.n, sizeof *v);
        for (int64_t i = 0; i < b.n; i += n) v[i] = 0.7;
        assert_ok(ctx, rico_simulation_create(b.system, "moreau-jean", &sim));
        assert_ok(ctx, rico_simulation_set_number(sim, "theta", 0.5));
        assert_ok(ctx, rico_simulation_start(sim, 0.0, b.u, v));
        for (int s = 0; s < 50; s++) assert_ok(ctx, rico_simulation_step(sim, 0.01));
        // HRZ's masses are not the shares of a uniform load: quadratic bodies of lumped mass fall by the same way in the mean alone
        bool same = !ROWS[r].lumped;
        double mean = 0.0;
        for (int64_t i = 0; i < b.n; i++) {
            double exact = i % n == 0   ? 0.35
                           : i % n == 1 ? -9.81 * 0.125
                                        : 0.0,
                   found = rico_simulation_position(sim)[i];
            if (same) assert_near(found, exact, 1e-10);
            if (i % n == 1) mean += b.own->M[rico_csc_find(&b.part->pattern, i, i)] * found;
        }
        if (!same) assert_near(mean, -9.81 * 0.125 * 2.5, 1e-10);
        rico_simulation_destroy(sim);
        free(v);
        bench_close(&b);
        hand_end(&mesh);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rod_loses_what_its_first_element_has),
        cmocka_unit_test(strips_and_prisms_do_as_the_rod),
        cmocka_unit_test(a_strip_that_widens_bears_the_same_force),
        cmocka_unit_test(a_plucked_cube_swings_at_its_frequency),
        cmocka_unit_test(bodies_fall_as_one),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
