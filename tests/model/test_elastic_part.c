// The elastic part: what it refuses, its points, loads, supports and reactions, damping, placement, memory.

#include "failing_memory.h"

#include "elastic_bench.h"
#include "la/vec3.h"
#include "ricochet/simulation.h"

// --- what is refused ---------------------------------------------------------------------------------------------------

typedef struct trial {
    rico_elastic_part part;
    rico_elastic_material material[3];
    rico_elastic_support support[1];
    rico_elastic_load load[1];
} trial;

static void no_density(trial *t)
{
    t->material[0].density = 0.0;
}
static void negative_density(trial *t)
{
    t->material[0].density = -1.0;
}
static void no_young(trial *t)
{
    t->material[0].young = 0.0;
}
static void negative_young(trial *t)
{
    t->material[0].young = -5.0;
}
static void infinite_young(trial *t)
{
    t->material[0].young = INFINITY;
}
static void half_poisson(trial *t)
{
    t->material[0].poisson = 0.5;
}
static void low_poisson(trial *t)
{
    t->material[0].poisson = -1.0;
}
static void no_thickness(trial *t)
{
    t->material[0].thickness = 0.0;
}
static void bad_damping(trial *t)
{
    t->material[0].beta = -1.0;
}
static void missing_group(trial *t)
{
    t->material[0].group = "core";
}
static void group_of_edges(trial *t)
{
    t->material[0].group = "left";
}
static void no_material(trial *t)
{
    t->part.materials = 0;
}
static void two_materials(trial *t)
{
    t->part.materials = 2;
}
static void wrong_hypothesis(trial *t)
{
    t->part.hypothesis = RICO_SOLID;
}
static void no_hypothesis(trial *t)
{
    t->part.hypothesis = (rico_hypothesis)17;
}
static void no_mesh(trial *t)
{
    t->part.mesh = NULL;
}
static void bar_in_plane_stress(trial *t)
{
    t->part.hypothesis = RICO_PLANE_STRESS, t->part.remedy = RICO_REMEDY_BAR;
}
static void modes_in_a_ring(trial *t)
{
    t->part.hypothesis = RICO_AXISYMMETRIC, t->part.remedy = RICO_REMEDY_MODES;
}
static void missing_support(trial *t)
{
    t->part.supports = 1, t->support[0] = (rico_elastic_support){"floor", RICO_HOLD_X};
}
static void support_along_z(trial *t)
{
    t->part.supports = 1, t->support[0] = (rico_elastic_support){"left", RICO_HOLD_Z};
}
static void all_held(trial *t)
{
    t->part.supports = 1, t->support[0] = (rico_elastic_support){"body", RICO_HOLD_X | RICO_HOLD_Y};
}
static void turning_and_held(trial *t)
{
    t->part.turning = true, t->part.supports = 1, t->support[0] = (rico_elastic_support){"left", RICO_HOLD_X};
}
static void turning_ring(trial *t)
{
    t->part.turning = true, t->part.hypothesis = RICO_AXISYMMETRIC;
}
static void turning_pressure(trial *t)
{
    t->part.turning = true, t->part.loads = 1, t->load[0] = (rico_elastic_load){RICO_LOAD_PRESSURE, "left"};
}
static void missing_load(trial *t)
{
    t->part.loads = 1, t->load[0] = (rico_elastic_load){RICO_LOAD_TRACTION, "roof"};
}
static void nameless_load(trial *t)
{
    t->part.loads = 1, t->load[0] = (rico_elastic_load){RICO_LOAD_TRACTION, NULL};
}
static void traction_on_elements(trial *t)
{
    t->part.loads = 1, t->load[0] = (rico_elastic_load){RICO_LOAD_TRACTION, "body"};
}
static void load_not_finite(trial *t)
{
    t->part.loads = 1, t->load[0] = (rico_elastic_load){RICO_LOAD_BODY, NULL, .value = {NAN}};
}
static void no_such_load(trial *t)
{
    t->part.loads = 1, t->load[0] = (rico_elastic_load){(rico_elastic_load_kind)9, NULL};
}
static void no_rotation(trial *t)
{
    t->part.rotation[0] = 2.0;
}
static void leaning(trial *t)
{
    t->part.rotation[4] = t->part.rotation[8] = 0.0, t->part.rotation[5] = -1.0, t->part.rotation[7] = 1.0;
}
static void far_away(trial *t)
{
    t->part.position[1] = INFINITY;
}
static void ring_beside_its_axis(trial *t)
{
    t->part.hypothesis = RICO_AXISYMMETRIC, t->part.position[0] = 1.0;
}


static bool refusing(void *user, double t, const double *x, double *value)
{
    (void)user, (void)t, (void)x, (void)value;
    return false;
}

static void refused_load(trial *t)
{
    t->part.loads = 1,
    t->load[0] = (rico_elastic_load){RICO_LOAD_BODY, NULL, .function = refusing, .steady = true};
}


static void orthotropic(trial *t)
{
    rico_elastic_material *m = &t->material[0];
    m->young = 0.0;
    for (int i = 0; i < 3; i++) m->youngs[i] = 1.0, m->poissons[i] = 0.3, m->shears[i] = 0.4;
}

static void orthotropic_no_young(trial *t)
{
    orthotropic(t), t->material[0].youngs[1] = 0.0;
}
static void orthotropic_no_shear(trial *t)
{
    orthotropic(t), t->material[0].shears[2] = 0.0;
}
static void orthotropic_pair(trial *t)
{
    orthotropic(t), t->material[0].poissons[0] = 1.01;
}
static void orthotropic_all(trial *t)
{
    orthotropic(t),
        t->material[0].poissons[0] = t->material[0].poissons[1] = t->material[0].poissons[2] = 0.6;
}
static void orthotropic_axes(trial *t)
{
    orthotropic(t), t->material[0].axes[0] = 0.5;
}
static void orthotropic_leaning(trial *t)
{
    static const double AXES[9] = {0.6, 0.0, 0.8, 0.0, 1.0, 0.0, -0.8, 0.0, 0.6};
    orthotropic(t);
    t->material[0].youngs[0] = 2.0;
    memcpy(t->material[0].axes, AXES, sizeof AXES);
}


static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    static const struct {
        void (*change)(trial *t);
        const char *sentence;
    } CASES[] = {
        {no_density, "part body: the density of all elements is 0, expected a number above 0"},
        {negative_density, "the density of all elements is -1"},
        {no_young, "the young of all elements is 0"},
        {negative_young, "the young of all elements is -5"},
        {infinite_young, "the young of all elements is inf"},
        {half_poisson, "the poisson of all elements is 0.5, expected a number between -1 and 1/2"},
        {low_poisson, "the poisson of all elements is -1"},
        {no_thickness, "the thickness of all elements is 0"},
        {bad_damping, "the damping of all elements is alpha = 0, beta = -1"},
        {missing_group, "material 0 is for group core, which the mesh does not have"},
        {group_of_edges,
         "material 0 is for group left of cells of dimension 1, expected elements, of dimension 2"},
        {no_material, "element 0 has no material"},
        {two_materials, "element 0 has two materials, 0 and 1"},
        {wrong_hypothesis, "its hypothesis, solid, needs a mesh of dimension 3, and this one has 2"},
        {no_hypothesis, "hypothesis 17 is none"},
        {no_mesh, "part body has no mesh"},
        {bar_in_plane_stress,
         "B-bar cures the locking of nearly incompressible bodies, and plane stress has none of it"},
        {modes_in_a_ring, "incompatible modes are not for the hypothesis axisymmetric"},
        {missing_support, "support 0 is on group floor, which the mesh does not have"},
        {support_along_z, "support 0, on group left, holds directions 4, expected a sum of 1 (x) and 2 (y)"},
        {all_held, "its supports hold every node"},
        {turning_and_held, "part body turns and has supports"},
        {turning_ring, "a body of the hypothesis axisymmetric cannot turn"},
        {turning_pressure, "part body turns, and a pressure (load 0) does not turn with it"},
        {missing_load, "load 0 is on group roof, which the mesh does not have"},
        {nameless_load, "load 0 names no group"},
        {traction_on_elements, "load 0 needs cells of dimension 1, and those of group body have 2"},
        {load_not_finite, "load 0 is not finite"},
        {no_such_load, "load 0 is of kind 9"},
        {refused_load, "the function of load 0 refused"},
        {no_rotation, "its rotation is none"},
        {leaning, "a body in the plane turns about z alone"},
        {far_away, "its position is not finite"},
        {ring_beside_its_axis, "an axisymmetric body is placed along its axis, y, alone"},
        {orthotropic_no_young, "the Young's modulus of one of the axes of all elements is 0"},
        {orthotropic_no_shear, "the shear modulus of two of the axes of all elements is 0"},
        {orthotropic_pair, "the material of all elements gains energy: nu_12 is 1.01, expected less than "
                           "sqrt(E_1/E_2) = 1 in size"},
        {orthotropic_all, "is -0.512, expected more than 0"},
        {orthotropic_axes, "the axes of the material of all elements are no right-handed unit vectors"},
        {orthotropic_leaning, "the axes of the material of all elements lean out of the plane"},
    };
    hand_mesh mesh;
    hand_rectangle(&mesh, RICO_CELL_Q4, 2, 2, false, NULL, NULL);
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
        rico_system *system;
        trial t = {.part = rico_elastic_default(&mesh.mesh, RICO_PLANE_STRAIN)};
        for (int i = 0; i < 3; i++) t.material[i] = stuff(10.0, 0.3);
        t.part.materials = 1, t.part.material = t.material, t.part.support = t.support, t.part.load = t.load;
        CASES[k].change(&t);
        assert_ok(ctx, rico_system_create(ctx, &system));
        assert_int_not_equal(rico_system_add_elastic(system, "body", &t.part, NULL), RICO_OK);
        if (!strstr(rico_message(ctx), CASES[k].sentence))
            fail_msg("\"%s\" is not in \"%s\"", CASES[k].sentence, rico_message(ctx));
        assert_int_equal(rico_system_velocities(system), 0);
        rico_system_destroy(system);
    }
    hand_end(&mesh);
}


// Faults of the mesh itself.
static void meshes_that_cannot_be_are_refused(void **state)
{
    (void)state;
    static const char *const SENTENCE[] = {"element 3, a Q4, is turned inside out or has no volume",
                                           "part body has no elements",
                                           "node 0 of an axisymmetric body stands at radius -0.5",
                                           "element 0, a Q4, is turned inside out or has no volume",
                                           "asks for a remedy against locking, which only Q4 and H8 have"};
    for (int k = 0; k < 5; k++) {
        hand_mesh mesh;
        rico_system *system;
        rico_elastic_material steel = stuff(10.0, 0.3);
        hand_rectangle(&mesh, k == 4 ? RICO_CELL_T3 : RICO_CELL_Q4, 2, 2, false, NULL, NULL);
        rico_elastic_part part =
            rico_elastic_default(&mesh.mesh, k == 2 ? RICO_AXISYMMETRIC : RICO_PLANE_STRAIN);
        part.materials = 1, part.material = &steel;
        int64_t *last = mesh.mesh.node + mesh.mesh.start[3];
        if (k == 0) {
            int64_t kept = last[1];
            last[1] = last[3], last[3] = kept;
        }
        if (k == 1) memset(mesh.mesh.kind, RICO_CELL_LINE2, (size_t)mesh.mesh.cells), steel.group = NULL;
        for (int64_t i = 0; k == 2 && i < mesh.mesh.nodes; i++) mesh.mesh.position[3 * i] -= 0.5;
        for (int64_t i = 0; k == 3 && i < mesh.mesh.nodes; i++) mesh.mesh.position[3 * i + 1] = 0.0;
        if (k == 4) part.remedy = RICO_REMEDY_MODES;
        assert_ok(ctx, rico_system_create(ctx, &system));
        assert_int_equal(rico_system_add_elastic(system, "body", &part, NULL), RICO_BAD_INPUT);
        if (!strstr(rico_message(ctx), SENTENCE[k]))
            fail_msg("\"%s\" is not in \"%s\"", SENTENCE[k], rico_message(ctx));
        rico_system_destroy(system);
        hand_end(&mesh);
    }
}


// --- points ----------------------------------------------------------------------------------------------------------

static void points_hang_on_nodes_and_faces(void **state)
{
    (void)state;
    hand_mesh mesh;
    elastic_bench b;
    rico_elastic_material steel = stuff(10.0, 0.3);
    rico_elastic_support floor = {"bottom", RICO_HOLD_X | RICO_HOLD_Y};
    hand_rectangle(&mesh, RICO_CELL_Q8, 2, 2, false, NULL, NULL);
    rico_elastic_part part = rico_elastic_default(&mesh.mesh, RICO_PLANE_STRESS);
    part.materials = 1, part.material = &steel, part.supports = 1, part.support = &floor;
    // a quarter turn and a shift
    part.rotation[0] = part.rotation[4] = 0.0, part.rotation[1] = -1.0, part.rotation[3] = 1.0,
    part.position[0] = 3.0;
    bench_open(&b, &part);
    for (int64_t i = 0; i < b.n; i++) b.u[i] = 0.001 * (double)i;

    // the corner (1, 1) of the square stands at (3 - 1, 1)
    int64_t corner = hand_node(&mesh, 4, 4, 0), at = rico_elastic_velocity(b.system, 0, corner, 0);
    double x[3];
    assert_ok(ctx, rico_system_point(b.system, ctx, b.u, (rico_point){0, corner, {0.0}}, x));
    assert_near(x[0], 2.0 + b.u[at], 1e-15);
    assert_near(x[1], 1.0 + b.u[at + 1], 1e-15);
    assert_int_equal(rico_elastic_velocity(b.system, 0, corner, 1), at + 1);
    assert_int_equal(rico_elastic_velocity(b.system, 0, corner, 2), -1);
    assert_int_equal(rico_elastic_velocity(b.system, 0, 0, 0), -1);                         // held
    assert_int_equal(rico_elastic_velocity(b.system, 0, hand_node(&mesh, 1, 1, 0), 0), -1); // of no element
    assert_int_equal(rico_elastic_velocity(b.system, 0, -1, 0), -1);
    assert_int_equal(rico_elastic_velocity(b.system, 1, 0, 0), -1);

    // on an edge: shape functions of three nodes, x = N1 x1 + N2 x2 + N3 x3
    int64_t cell = mesh.mesh.group[2].cell[1], nodes = mesh.mesh.nodes;
    rico_point on = {0, nodes + cell, {0.3, 0.0, 0.0}};
    double expected[3] = {0.0}, shape[3] = {0.5 * 0.3 * (0.3 - 1.0), 0.5 * 0.3 * 1.3, 1.0 - 0.09}, rows[16],
           frame[9] = {0.6, 0.8, 0.0, -0.8, 0.6, 0.0, 0.0, 0.0, 1.0};
    int64_t dof[16];
    for (int a = 0; a < 3; a++) {
        double own[3];
        assert_ok(ctx,
                  rico_system_point(b.system, ctx, b.u,
                                    (rico_point){0, mesh.mesh.node[mesh.mesh.start[cell] + a], {0.0}}, own));
        rico_vec3_add_scaled(shape[a], own, expected);
    }
    assert_ok(ctx, rico_system_point(b.system, ctx, b.u, on, x));
    for (int i = 0; i < 3; i++) assert_near(x[i], expected[i], 1e-15);
    int64_t reach = b.part->kind->point_reach(b.part, &on, dof);
    assert_int_equal(reach, 6);
    assert_true(b.part->kind->point_rows(b.part, b.u, &on, frame, 2, rows));
    for (int a = 0; a < 3; a++)
        for (int j = 0; j < 2; j++)
            for (int i = 0; i < 2; i++)
                assert_near(rows[2 * a + i + j * reach], shape[a] * frame[3 * j + i], 1e-16);

    // on a side that is held one end moves not at all
    rico_point low = {0, nodes + mesh.mesh.group[2].cell[0], {-1.0, 0.0, 0.0}};
    assert_int_equal(b.part->kind->point_reach(b.part, &low, dof), 4);

    // none: an offset, an element, beyond the end, a node of no element
    const rico_point none[] = {{0, corner, {0.1, 0.0, 0.0}},
                               {0, nodes, {0.0}},
                               {0, nodes + mesh.mesh.cells, {0.0}},
                               {0, -1, {0.0}},
                               {0, hand_node(&mesh, 1, 1, 0), {0.0}}};
    for (int k = 0; k < 5; k++)
        assert_int_not_equal(rico_system_point(b.system, ctx, b.u, none[k], x), RICO_OK);
    bench_close(&b);
    hand_end(&mesh);
}


// A rod placed anywhere has one displacement a node, along itself.
static void rods_move_along_themselves(void **state)
{
    (void)state;
    hand_mesh mesh;
    elastic_bench b;
    rico_elastic_material steel = stuff(10.0, 0.3);
    rico_elastic_support wall = {"left", RICO_HOLD_X};
    rico_elastic_load pull = {RICO_LOAD_TRACTION, "right", .value = {0.6, 0.8, 5.0}},
                      press = {RICO_LOAD_PRESSURE, "right", .value = {-1.0}};
    steel.thickness = 2.0;
    static const double R[9] = {0.6, -0.8, 0.0, 0.8, 0.6, 0.0, 0.0, 0.0, 1.0};
    for (int k = 0; k < 2; k++) {
        hand_bar(&mesh, RICO_CELL_LINE2, 4, NULL, NULL);
        rico_elastic_part part = rico_elastic_default(&mesh.mesh, RICO_ROD);
        part.materials = 1, part.material = &steel, part.supports = 1, part.support = &wall, part.loads = 1,
        part.load = k ? &press : &pull;
        memcpy(part.rotation, R, sizeof R);
        bench_open(&b, &part);
        bench_solve(&b);
        // stress 1 along the rod: strain 1/10
        double x[3], stress[6 * 5], reaction[3 * 5];
        assert_ok(ctx, rico_system_point(b.system, ctx, b.u, (rico_point){0, 4, {0.0}}, x));
        assert_near(x[0], 0.6 * 1.1, 1e-15);
        assert_near(x[1], 0.8 * 1.1, 1e-15);
        assert_ok(ctx, rico_elastic_stress(b.system, ctx, 0, b.u, stress, NULL));
        assert_near(stress[12], 1.0, 1e-14);
        assert_ok(ctx, rico_elastic_reactions(b.system, ctx, 0, 0.0, b.u, NULL, NULL, reaction));
        assert_near(reaction[0], -2.0 * 0.6, 1e-14);
        assert_near(reaction[1], -2.0 * 0.8, 1e-14);
        assert_near(reaction[12], 0.0, 1e-14);
        bench_close(&b);
        hand_end(&mesh);
    }
}


// --- loads and reactions -----------------------------------------------------------------------------------------------

static bool rising(void *user, double t, const double *x, double *value)
{
    (void)user;
    value[0] = t * x[1], value[1] = -t * x[0], value[2] = 0.0;
    return true;
}


static bool linear_in_time(void *user, double t, double *factor)
{
    (void)user;
    *factor = t;
    return true;
}


static bool without_time(void *user, double t, const double *x, double *value)
{
    return rising(user, t + 1.0 - t, x, value);
}


static void load_at(const elastic_bench *b, double t, double *f)
{
    memset(f, 0, (size_t)b->n * sizeof *f);
    assert_true(b->part->kind->load(b->part, NULL, t, f));
}


// The same load by a function of time and place, and by a steady one times a history; on elements, sides and nodes.
static void separable_loads_are_the_same(void **state)
{
    (void)state;
    static const rico_elastic_load_kind LOADS[] = {RICO_LOAD_BODY, RICO_LOAD_TRACTION, RICO_LOAD_PRESSURE,
                                                   RICO_LOAD_NODAL};
    for (int k = 0; k < 4; k++) {
        hand_mesh mesh;
        elastic_bench one, two;
        rico_elastic_material steel = stuff(10.0, 0.3);
        const char *group = k == 0 ? NULL : "top";
        rico_elastic_load whole = {LOADS[k], group, .function = rising},
                          apart = {LOADS[k], group, .function = without_time, .steady = true,
                                   .history = linear_in_time};
        hand_rectangle(&mesh, RICO_CELL_T6, 3, 2, true, NULL, NULL);
        rico_elastic_part part = rico_elastic_default(&mesh.mesh, RICO_AXISYMMETRIC);
        part.materials = 1, part.material = &steel, part.loads = 1, part.load = &whole;
        bench_open(&one, &part);
        part.load = &apart;
        bench_open(&two, &part);
        assert_false(one.part->constant_load || two.part->constant_load);
        double *f = calloc((size_t)one.n, sizeof *f), *g = calloc((size_t)one.n, sizeof *g), most = 0.0;
        load_at(&one, 2.5, f);
        load_at(&two, 2.5, g);
        for (int64_t i = 0; i < one.n; i++) {
            assert_near(f[i], g[i], 1e-14);
            most = fmax(most, fabs(f[i]));
        }
        assert_true(most > 1e-2);
        free(f);
        free(g);
        bench_close(&one);
        bench_close(&two);
        hand_end(&mesh);
    }
}


// Pressure around a block, whichever way its faces are listed, has no sum; on one side it pushes inwards.
static void pressures_push_inwards(void **state)
{
    (void)state;
    static const char *const SIDES[] = {"left", "right", "bottom", "top", "back", "front"};
    static const rico_cell_kind KINDS[] = {RICO_CELL_Q4, RICO_CELL_T6, RICO_CELL_H8, RICO_CELL_TET4,
                                           RICO_CELL_TET10};
    for (int k = 0; k < 5; k++)
        for (int side = 0; side < 2 * rico_cells[KINDS[k]].dimension; side++) {
            hand_mesh mesh;
            elastic_bench b;
            rico_elastic_material steel = stuff(10.0, 0.3);
            rico_elastic_load press = {RICO_LOAD_PRESSURE, SIDES[side], .value = {3.0}};
            int dimension = rico_cells[KINDS[k]].dimension;
            if (dimension == 3)
                hand_box(&mesh, KINDS[k], 2, 2, 2, NULL, NULL);
            else
                hand_rectangle(&mesh, KINDS[k], 2, 2, false, NULL, NULL);
            rico_elastic_part part =
                rico_elastic_default(&mesh.mesh, dimension == 3 ? RICO_SOLID : RICO_PLANE_STRAIN);
            part.materials = 1, part.material = &steel, part.loads = 1, part.load = &press;
            bench_open(&b, &part);
            double sum[3] = {0.0}, *f = calloc((size_t)b.n, sizeof *f);
            load_at(&b, 0.0, f);
            for (int64_t i = 0; i < b.n; i++) sum[i % dimension] += f[i];
            for (int i = 0; i < dimension; i++)
                assert_near(sum[i], i == side / 2 ? (side % 2 ? -3.0 : 3.0) : 0.0, 1e-14);
            free(f);
            bench_close(&b);
            hand_end(&mesh);
        }
}


// A pressure on a face between two elements has two sides; a traction does not mind.
static void inner_faces_take_tractions_alone(void **state)
{
    (void)state;
    hand_mesh mesh;
    rico_elastic_material steel = stuff(10.0, 0.3);
    hand_rectangle(&mesh, RICO_CELL_Q4, 2, 1, false, NULL, NULL);
    int64_t edge = mesh.mesh.group[1].cell[0]; // the left side's edge becomes the one between
    mesh.mesh.node[mesh.mesh.start[edge]] = 1, mesh.mesh.node[mesh.mesh.start[edge] + 1] = 4;
    for (int k = 0; k < 2; k++) {
        rico_system *system;
        rico_elastic_load load = {k ? RICO_LOAD_PRESSURE : RICO_LOAD_TRACTION, "left", .value = {1.0}};
        rico_elastic_part part = rico_elastic_default(&mesh.mesh, RICO_PLANE_STRAIN);
        part.materials = 1, part.material = &steel, part.loads = 1, part.load = &load;
        assert_ok(ctx, rico_system_create(ctx, &system));
        assert_int_equal(rico_system_add_elastic(system, "body", &part, NULL), k ? RICO_BAD_INPUT : RICO_OK);
        rico_system_destroy(system);
    }
    assert_non_null(strstr(rico_message(ctx), "is a face of 2 elements, expected 1"));
    hand_end(&mesh);
}


// A hanging block: its support bears the weight, whatever its elements.
static void supports_bear_the_weight(void **state)
{
    (void)state;
    static const rico_cell_kind KINDS[] = {RICO_CELL_T3, RICO_CELL_Q8, RICO_CELL_H8, RICO_CELL_TET10};
    for (int k = 0; k < 4; k++) {
        hand_mesh mesh;
        elastic_bench b;
        int dimension = rico_cells[KINDS[k]].dimension;
        rico_elastic_material steel = stuff(10.0, 0.3);
        rico_elastic_support roof = {"top", dimension == 3 ? 7 : 3};
        steel.alpha = 0.2, steel.beta = 0.05;
        rico_elastic_load weight = {RICO_LOAD_BODY, "body", .value = {0.0, -0.5, 0.0}};
        if (dimension == 3)
            hand_box(&mesh, KINDS[k], 2, 2, 2, NULL, NULL);
        else
            hand_rectangle(&mesh, KINDS[k], 2, 2, false, NULL, NULL);
        rico_elastic_part part =
            rico_elastic_default(&mesh.mesh, dimension == 3 ? RICO_SOLID : RICO_PLANE_STRESS);
        part.materials = 1, part.material = &steel, part.supports = 1, part.support = &roof, part.loads = 1,
        part.load = &weight;
        bench_open(&b, &part);
        bench_solve(&b);
        double *force = calloc((size_t)(3 * mesh.mesh.nodes), sizeof *force), sum = 0.0;
        assert_ok(ctx, rico_elastic_reactions(b.system, ctx, 0, 0.0, b.u, NULL, NULL, force));
        for (int64_t i = 0; i < mesh.mesh.nodes; i++) {
            bool held = mesh.mesh.position[3 * i + 1] == 1.0;
            for (int d = 0; d < 3; d++)
                if (!held) assert_near(force[3 * i + d], 0.0, 1e-13);
            sum += force[3 * i + 1];
        }
        assert_near(sum, 0.5, 1e-13);

        // away from equilibrium: in free directions what the matrices say
        double *v = calloc((size_t)b.n, sizeof *v), *a = calloc((size_t)b.n, sizeof *a),
               *rest = calloc((size_t)b.n, sizeof *rest);
        const rico_csc *pattern = &b.part->pattern;
        for (int64_t i = 0; i < b.n; i++)
            v[i] = cos((double)i), a[i] = sin(2.0 * (double)i), b.u[i] += 0.1 * sin(5.0 * (double)i);
        assert_true(b.part->kind->load(b.part, NULL, 0.0, rest));
        for (int64_t i = 0; i < b.n; i++) rest[i] = -rest[i];
        for (int64_t j = 0; j < b.n; j++)
            for (int64_t e = pattern->start[j]; e < pattern->start[j + 1]; e++)
                rest[pattern->row[e]] += b.own->K[e] * b.u[j] + b.own->C[e] * v[j] + b.own->M[e] * a[j];
        assert_ok(ctx, rico_elastic_reactions(b.system, ctx, 0, 0.0, b.u, v, a, force));
        for (int64_t i = 0; i < mesh.mesh.nodes; i++)
            for (int d = 0; d < dimension; d++) {
                int64_t at = rico_elastic_velocity(b.system, 0, i, d);
                if (at >= 0) assert_near(force[3 * i + d], rest[at], 1e-12);
            }
        free(v);
        free(a);
        free(rest);
        free(force);
        bench_close(&b);
        hand_end(&mesh);
    }
}


// --- several materials, damping ------------------------------------------------------------------------------------------

// Two bars in a row of different stiffness, as a strip: u = F (L1/E1 + L2/E2). Rayleigh's damping, material by material.
static void materials_lie_side_by_side(void **state)
{
    (void)state;
    hand_mesh mesh;
    elastic_bench b;
    rico_elastic_material both[2] = {stuff(10.0, 0.0), stuff(40.0, 0.0)};
    rico_elastic_support wall = {"left", RICO_HOLD_X | RICO_HOLD_Y};
    rico_elastic_load pull = {RICO_LOAD_TRACTION, "right", .value = {1.0}};
    hand_rectangle(&mesh, RICO_CELL_Q4, 4, 1, false, NULL, NULL);
    rico_mesh_set sets[6];
    int64_t soft[2] = {0, 1}, hard[2] = {2, 3};
    memcpy(sets, mesh.mesh.group, 5 * sizeof *sets);
    sets[0] = (rico_mesh_set){"soft", 2, 2, soft};
    sets[5] = (rico_mesh_set){"hard", 2, 2, hard};
    rico_mesh two = mesh.mesh;
    two.group = sets, two.groups = 6;
    both[0].group = "soft", both[1].group = "hard", both[0].thickness = both[1].thickness = 2.0;
    both[0].alpha = 0.3, both[1].beta = 0.02, both[1].density = 5.0;
    rico_elastic_part part = rico_elastic_default(&two, RICO_PLANE_STRESS);
    part.materials = 2, part.material = both, part.supports = 1, part.support = &wall, part.loads = 1,
    part.load = &pull;
    bench_open(&b, &part);
    bench_solve(&b);
    assert_near(bench_at(&b, 4, 0), 0.5 / 10.0 + 0.5 / 40.0, 1e-15);
    // C v for a rigid velocity is alpha M v of the first material alone, which has mass 1/2 * 2: along x its sum is 0.3 but for the held nodes' share
    double *v = calloc((size_t)b.n, sizeof *v), *f = calloc((size_t)b.n, sizeof *f),
           *none = calloc((size_t)b.n, sizeof *none), sum = 0.0;
    for (int64_t i = 0; i < b.n; i += 2) v[i] = 1.0;
    assert_true(b.part->kind->forces(b.part, NULL, 0.0, none, v, none, f, none));
    for (int64_t i = 0; i < b.n; i += 2) sum += f[i];
    // columns of the held nodes are gone: of the first element's mass of 1/2, 2/3 (1/3 off the diagonal on either side) of one half is left
    assert_near(sum, -0.3 * (0.5 + 0.5 / 3.0), 1e-13);
    free(v);
    free(f);
    free(none);
    bench_close(&b);
    hand_end(&mesh);
}


// --- prescribed motion -----------------------------------------------------------------------------------------------------

static bool ramp(void *user, double t, double *x)
{
    (void)user;
    *x = 0.01 * t;
    return true;
}


static bool ramp_rate(void *user, double t, double *x)
{
    (void)user, (void)t;
    *x = 0.01;
    return true;
}


static void motions_are_prescribed_by_velocity_index(void **state)
{
    (void)state;
    hand_mesh mesh;
    elastic_bench b;
    rico_simulation *sim;
    rico_elastic_material steel = stuff(10.0, 0.0);
    rico_elastic_support wall = {"left", RICO_HOLD_X};
    steel.alpha = 40.0;
    hand_bar(&mesh, RICO_CELL_LINE2, 4, NULL, NULL);
    rico_elastic_part part = rico_elastic_default(&mesh.mesh, RICO_ROD);
    part.materials = 1, part.material = &steel, part.supports = 1, part.support = &wall;
    bench_open(&b, &part);
    int64_t end = rico_elastic_velocity(b.system, 0, 4, 0);
    assert_ok(ctx,
              rico_system_prescribe(b.system, "pull", &(rico_motion){end, end, ramp, ramp_rate, NULL}, NULL));
    assert_ok(ctx, rico_simulation_create(b.system, "moreau-jean", &sim));
    double v[4] = {0.0025, 0.005, 0.0075, 0.01};
    assert_ok(ctx, rico_simulation_start(sim, 0.0, b.u, v));
    for (int s = 0; s < 100; s++) assert_ok(ctx, rico_simulation_step(sim, 0.01));
    assert_near(rico_simulation_position(sim)[end], 0.01, 1e-12);
    rico_simulation_destroy(sim);
    bench_close(&b);
    hand_end(&mesh);
}


// --- memory ----------------------------------------------------------------------------------------------------------

static rico_status build(rico_context *own, void *user)
{
    const rico_elastic_part *part = user;
    rico_system *system = NULL;
    double u[36] = {0.0}, stress[6 * 18], force[3 * 18], kinetic, potential;
    rico_status status = rico_system_create(own, &system);
    if (status == RICO_OK) status = rico_system_add_elastic(system, "body", part, NULL);
    if (status == RICO_OK) status = rico_elastic_stress(system, own, 0, u, stress, NULL);
    if (status == RICO_OK) status = rico_elastic_reactions(system, own, 0, 0.0, u, u, u, force);
    if (status == RICO_OK) status = rico_elastic_energies(system, own, 0, u, u, &kinetic, &potential);
    rico_system_destroy(system);
    return status;
}


static void memory_may_fail(void **state)
{
    (void)state;
    hand_mesh mesh;
    rico_elastic_material steel = stuff(10.0, 0.3);
    rico_elastic_support floor = {"bottom", RICO_HOLD_Y};
    rico_elastic_load loads[3] = {{RICO_LOAD_PRESSURE, "top", .value = {1.0}, .history = linear_in_time},
                                  {RICO_LOAD_NODAL, "left", .value = {1.0}},
                                  {RICO_LOAD_BODY, NULL, .function = rising}};
    steel.beta = 0.1;
    hand_rectangle(&mesh, RICO_CELL_Q4, 2, 2, false, NULL, NULL);
    rico_elastic_part part = rico_elastic_default(&mesh.mesh, RICO_PLANE_STRAIN);
    part.materials = 1, part.material = &steel, part.supports = 1, part.support = &floor, part.loads = 3,
    part.load = loads;
    assert_true(every_allocation_fails(build, &part) > 25);
    part.turning = true, part.supports = 0, part.loads = 0;
    assert_true(every_allocation_fails(build, &part) > 20);
    hand_end(&mesh);
}


// Parts of another kind have no stresses.
static void other_parts_are_none_of_ours(void **state)
{
    (void)state;
    rico_system *system;
    double x[6];
    assert_ok(ctx, rico_system_create(ctx, &system));
    int64_t start[2] = {0, 1}, row[1] = {0};
    double one = 1.0;
    rico_matrix_part mass = {.size = 1, .M = {1, 1, start, row, &one}};
    assert_ok(ctx, rico_system_add_matrices(system, "mass", &mass, NULL));
    assert_int_equal(rico_elastic_stress(system, ctx, 0, x, x, NULL), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_elastic_reactions(system, ctx, 0, 0.0, x, NULL, NULL, x), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_elastic_energies(system, ctx, 2, x, x, x, x), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_elastic_velocity(system, 0, 0, 0), -1);
    rico_system_destroy(system);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(meshes_that_cannot_be_are_refused),
        cmocka_unit_test(points_hang_on_nodes_and_faces),
        cmocka_unit_test(rods_move_along_themselves),
        cmocka_unit_test(separable_loads_are_the_same),
        cmocka_unit_test(pressures_push_inwards),
        cmocka_unit_test(inner_faces_take_tractions_alone),
        cmocka_unit_test(supports_bear_the_weight),
        cmocka_unit_test(materials_lie_side_by_side),
        cmocka_unit_test(motions_are_prescribed_by_velocity_index),
        cmocka_unit_test(memory_may_fail),
        cmocka_unit_test(other_parts_are_none_of_ours),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
