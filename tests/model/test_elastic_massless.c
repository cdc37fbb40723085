// Nodes without mass: total mass, centre and inertia of a body stay what they were, the others keep a positive mass, and what cannot be is said.

#include "failing_memory.h"

#include "elastic_bench.h"

#include "ricochet/simulation.h"

static const double SHEAR[3] = {0.3, 0.2, 0.1};

// Nothing is at right angles, nothing at the origin.
static void skew(void *user, const double unit[3], double x[3])
{
    (void)user;
    x[0] = 3.0 + 2.0 * unit[0] + SHEAR[0] * unit[1] + 0.1 * unit[0] * unit[1];
    x[1] = -1.0 + unit[1] + SHEAR[1] * unit[2] + 0.05 * unit[0];
    x[2] = 0.5 * unit[2] + SHEAR[2] * unit[0] * unit[1];
}


static void make(hand_mesh *mesh, rico_cell_kind kind)
{
    int dimension = rico_cells[kind].dimension;
    if (dimension == 1) hand_bar(mesh, kind, 12, NULL, NULL);
    if (dimension == 2) hand_rectangle(mesh, kind, 8, 8, false, skew, NULL);
    if (dimension == 3) hand_box(mesh, kind, 4, 4, 4, skew, NULL);
}


// a'M b of two fields that are linear in the places: sum m_ij p_i p_j'. Nothing is held, so that unknowns go by used nodes.
static double moment(const elastic_bench *b, int direction, int first, int second)
{
    const rico_elastic *own = b->own;
    const rico_csc *pattern = &b->part->pattern;
    int n = own->directions;
    double sum = 0.0;
    for (int64_t w = 0; w < own->used; w++)
        for (int64_t k = pattern->start[n * w + direction]; k < pattern->start[n * w + direction + 1]; k++) {
            const double *x = own->place + 3 * own->used_node[pattern->row[k] / n],
                         *y = own->place + 3 * own->used_node[w];
            if (pattern->row[k] % n != direction) continue;
            sum += own->M[k] * (first ? x[first - 1] : 1.0) * (second ? y[second - 1] : 1.0);
        }
    return sum;
}


// Rows of marked nodes are empty, and Cholesky finds the others positive.
static void others_are_positive(const elastic_bench *b, const double *before)
{
    rico_csc M = b->part->pattern;
    int64_t count = rico_csc_count(&M), without = 0;
    M.value = malloc((size_t)count * sizeof *M.value);
    memcpy(M.value, b->own->M, (size_t)count * sizeof *M.value);
    for (int64_t j = 0; j < b->n; j++) {
        int64_t diagonal = rico_csc_find(&M, j, j);
        double row = 0.0;
        for (int64_t k = M.start[j]; k < M.start[j + 1]; k++) row += fabs(M.value[k]);
        assert_true(before[diagonal] > 0.0);
        if (M.value[diagonal] != 0.0) continue;
        assert_true(row == 0.0);
        M.value[diagonal] = 1.0;
        without++;
    }
    assert_int_equal(without, b->part->massless);
    rico_factor *factor = NULL;
    assert_ok(ctx, rico_factor_create(RICO_CHOLESKY, &M, &factor));
    rico_factor_destroy(factor);
    free(M.value);
}


static void moments_stay(void **state)
{
    (void)state;
    static const char *const SIDES[] = {"left", "bottom"};
    static const rico_cell_kind KINDS[] = {RICO_CELL_LINE2, RICO_CELL_LINE3, RICO_CELL_T3,
                                           RICO_CELL_T6,    RICO_CELL_Q4,    RICO_CELL_Q8,
                                           RICO_CELL_TET4,  RICO_CELL_TET10, RICO_CELL_H8};
    for (size_t k = 0; k < sizeof KINDS / sizeof *KINDS; k++)
        for (int lumped = 0; lumped < 2; lumped++) {
            hand_mesh mesh;
            elastic_bench plain, without;
            int dimension = rico_cells[KINDS[k]].dimension;
            rico_elastic_material steel = stuff(100.0, 0.3);
            make(&mesh, KINDS[k]);
            rico_elastic_part part = rico_elastic_default(&mesh.mesh, dimension == 1   ? RICO_ROD
                                                                      : dimension == 2 ? RICO_PLANE_STRAIN
                                                                                       : RICO_SOLID);
            part.materials = 1, part.material = &steel, part.lumped = lumped;
            bench_open(&plain, &part);
            part.massless = dimension == 2 ? 2 : 1, part.massless_group = SIDES;
            bench_open(&without, &part);
            assert_int_equal(plain.part->massless, 0);
            assert_true(without.part->massless > 0);
            others_are_positive(&without, plain.own->M);
            for (int direction = 0; direction < plain.own->directions; direction++)
                for (int a = 0; a <= dimension; a++)
                    for (int b = a; b <= dimension; b++)
                        assert_near(moment(&without, direction, a, b), moment(&plain, direction, a, b),
                                    2e-12 * moment(&plain, 0, 1, 1));
            bench_close(&plain);
            bench_close(&without);
            hand_end(&mesh);
        }
}


// What stands in for inertia in a free flight: a block that turns and flies with large rotations keeps doing so, and its energy.
static void a_block_flies_as_before(void **state)
{
    (void)state;
    static const char *const BOTTOM[] = {"bottom"};
    double kinetic[2];
    for (int pass = 0; pass < 2; pass++) {
        hand_mesh mesh;
        elastic_bench b;
        rico_simulation *sim;
        rico_elastic_material steel = stuff(1e5, 0.3);
        hand_rectangle(&mesh, RICO_CELL_Q4, 6, 6, false, NULL, NULL);
        rico_elastic_part part = rico_elastic_default(&mesh.mesh, RICO_PLANE_STRESS);
        part.materials = 1, part.material = &steel, part.turning = true;
        part.massless = pass, part.massless_group = BOTTOM;
        bench_open(&b, &part);
        double *v = calloc((size_t)b.n, sizeof *v);
        for (int64_t u = 0; u < b.own->used; u++) {
            const double *X = b.own->X + 3 * b.own->used_node[u];
            v[2 * u] = 0.4 - 0.5 * (X[1] - 0.5);
            v[2 * u + 1] = 0.5 * (X[0] - 0.5);
        }
        assert_ok(ctx, rico_simulation_create(b.system, "combined-projection", &sim));
        assert_ok(ctx, rico_simulation_start(sim, 0.0, b.u, v));
        for (int s = 0; s < 100; s++) assert_ok(ctx, rico_simulation_step(sim, 0.01));
        kinetic[pass] = rico_simulation_ledger(sim)->kinetic;
        // m v^2/2 + J w^2/2 with m = 1, J = 1/6
        assert_near(kinetic[pass], 0.5 * 0.16 + 0.5 * 0.25 / 6.0, 2e-6);
        rico_simulation_destroy(sim);
        free(v);
        bench_close(&b);
        hand_end(&mesh);
    }
}


// What accelerates a body as one: nothing at nodes without mass that are free, the whole mass in all.
static void nothing_accelerates_them(void **state)
{
    (void)state;
    static const char *const BOTTOM[] = {"bottom"};
    static const rico_elastic_support HELD = {"right", RICO_HOLD_Y};
    hand_mesh mesh;
    elastic_bench b;
    rico_elastic_material steel = stuff(100.0, 0.3);
    hand_rectangle(&mesh, RICO_CELL_Q4, 6, 6, false, NULL, NULL);
    rico_elastic_part part = rico_elastic_default(&mesh.mesh, RICO_PLANE_STRAIN);
    part.materials = 1, part.material = &steel, part.massless = 1, part.massless_group = BOTTOM;
    part.supports = 1, part.support = &HELD;
    bench_open(&b, &part);
    double *a = calloc((size_t)b.n, sizeof *a), *force = calloc((size_t)(3 * mesh.mesh.nodes), sizeof *force),
           sum = 0.0;
    for (int64_t u = 0; u < b.own->used; u++) a[b.own->dof[2 * b.own->used_node[u]]] = 1.0;
    assert_ok(ctx, rico_elastic_reactions(b.system, ctx, 0, 0.0, b.u, NULL, a, force));
    for (int64_t i = 0; i < mesh.mesh.nodes; i++) {
        sum += force[3 * i];
        assert_near(force[3 * i + 1], 0.0, 1e-15);
        if (b.own->X[3 * i + 1] == 0.0) assert_near(force[3 * i], 0.0, 1e-15);
    }
    assert_near(sum, 1.0, 1e-13);
    free(a);
    free(force);
    bench_close(&b);
    hand_end(&mesh);
}


// A rod held at one end, without mass at the other: its lowest frequency is still c pi/(2 L), and finite ones are what is left.
static void modes_are_those_of_what_has_mass(void **state)
{
    (void)state;
    static const char *const RIGHT[] = {"right"};
    static const rico_elastic_support HELD = {"left", RICO_HOLD_X};
    hand_mesh mesh;
    elastic_bench b;
    double omega[3];
    rico_elastic_material steel = stuff(1.0, 0.0);
    hand_bar(&mesh, RICO_CELL_LINE2, 30, NULL, NULL);
    rico_elastic_part part = rico_elastic_default(&mesh.mesh, RICO_ROD);
    part.materials = 1, part.material = &steel, part.massless = 1, part.massless_group = RIGHT;
    part.supports = 1, part.support = &HELD;
    bench_open(&b, &part);
    assert_ok(ctx, rico_elastic_modes(b.system, ctx, 0, 3, omega, NULL));
    for (int k = 0; k < 3; k++) assert_near(omega[k], (k + 0.5) * M_PI, 0.01 * omega[k]);
    bench_close(&b);
    hand_end(&mesh);
}


static rico_status add(const rico_mesh *mesh, const char *group, const char *scheme, const char *option)
{
    rico_elastic_material steel = stuff(100.0, 0.3);
    rico_elastic_part part = rico_elastic_default(mesh, RICO_PLANE_STRAIN);
    rico_system *system = NULL;
    rico_simulation *sim = NULL;
    part.materials = 1, part.material = &steel, part.massless = 1, part.massless_group = &group;
    rico_status status = rico_system_create(ctx, &system);
    if (status == RICO_OK) status = rico_system_add_elastic(system, "body", &part, NULL);
    if (status == RICO_OK && scheme) status = rico_simulation_create(system, scheme, &sim);
    if (status == RICO_OK && option) status = rico_simulation_set(sim, "metric", option);
    double *q = calloc(200, sizeof *q);
    if (status == RICO_OK && scheme) status = rico_simulation_start(sim, 0.0, q, q);
    free(q);
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
    return status;
}


static void what_cannot_be_is_said(void **state)
{
    (void)state;
    hand_mesh mesh;
    hand_rectangle(&mesh, RICO_CELL_Q4, 4, 1, false, NULL, NULL);
    assert_int_equal(add(&mesh.mesh, "roof", NULL, NULL), RICO_BAD_INPUT);
    assert_non_null(strstr(rico_message(ctx), "group roof, which the mesh does not have"));
    // one row of nodes is left, without any height of its own
    assert_int_equal(add(&mesh.mesh, "bottom", NULL, NULL), RICO_BAD_INPUT);
    assert_non_null(strstr(rico_message(ctx), "5 of its 10 nodes are to be without mass"));
    assert_int_equal(add(&mesh.mesh, "body", NULL, NULL), RICO_BAD_INPUT);
    hand_end(&mesh);

    hand_rectangle(&mesh, RICO_CELL_Q4, 4, 4, false, NULL, NULL);
    static const char *const DIVIDE[] = {"newmark",
                                         "hht",
                                         "schatzman-paoli",
                                         "event-driven",
                                         "contact-stabilized",
                                         "generalized-alpha-constrained"};
    for (size_t s = 0; s < sizeof DIVIDE / sizeof *DIVIDE; s++) {
        assert_int_equal(add(&mesh.mesh, "bottom", DIVIDE[s], NULL), RICO_UNSUPPORTED);
        assert_non_null(strstr(rico_message(ctx), "part body has nodes without mass"));
        assert_non_null(strstr(rico_message(ctx), DIVIDE[s]));
    }
    assert_int_equal(add(&mesh.mesh, "bottom", "moreau-jean", NULL), RICO_UNSUPPORTED);
    assert_non_null(strstr(rico_message(ctx), "theta = 1"));
    assert_int_equal(add(&mesh.mesh, "bottom", "combined-projection", "mass"), RICO_UNSUPPORTED);
    assert_non_null(strstr(rico_message(ctx), "metric = identity"));
    assert_ok(ctx, add(&mesh.mesh, "bottom", "combined-projection", NULL));
    assert_ok(ctx, add(&mesh.mesh, "bottom", "trapezoidal-position", NULL));
    hand_end(&mesh);
}


static rico_status short_of_memory(rico_context *given, void *user)
{
    rico_context *kept = ctx;
    ctx = given;
    rico_status status = add(user, "bottom", "trapezoidal-position", NULL);
    ctx = kept;
    return status;
}


static void memory_may_be_short(void **state)
{
    (void)state;
    hand_mesh mesh;
    hand_rectangle(&mesh, RICO_CELL_Q4, 4, 4, false, NULL, NULL);
    assert_true(every_allocation_fails(short_of_memory, &mesh.mesh) > 20);
    hand_end(&mesh);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moments_stay),
        cmocka_unit_test(a_block_flies_as_before),
        cmocka_unit_test(nothing_accelerates_them),
        cmocka_unit_test(modes_are_those_of_what_has_mass),
        cmocka_unit_test(what_cannot_be_is_said),
        cmocka_unit_test(memory_may_be_short),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
