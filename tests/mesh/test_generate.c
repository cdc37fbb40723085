// Generators: numbers of nodes and elements, volumes, sides, places of nodes.

#include "failing_memory.h"
#include "mesh/measure.h"
#include "one_context.h"
#include "ricochet/mesh.h"

static const double PI = 3.14159265358979323846;

static rico_mesh *mesh;


// Volume, all elements positive, number of nodes and elements; the groups of faces together are the whole boundary, seen from outside.
static void expect(int64_t nodes, int64_t elements, double volume, int sides, const char *const *side,
                   const double *size)
{
    double least, flux = 0.0;
    rico_mesh_view v = rico_mesh_look(mesh);
    if (nodes >= 0) assert_int_equal(v.nodes, nodes);
    assert_int_equal(count_elements(mesh), elements);
    assert_near(measure_mesh(mesh, &least), volume, 1e-12 * volume);
    assert_true(least > 0.0);
    int64_t faces = 0, outer;
    for (int i = 0; i < sides; i++) {
        face_measure m = measure_group(mesh, side[i]);
        if (size) assert_near(m.size, size[i], 1e-12 * (1.0 + size[i]));
        flux += m.flux;
        faces += rico_mesh_group_at(mesh, rico_mesh_group_find(mesh, side[i])).count;
    }
    if (v.dimension > 1) assert_near(flux, volume, 1e-12 * volume);
    rico_mesh_face *face;
    assert_ok(ctx, rico_mesh_boundary(ctx, mesh, &outer, &face));
    assert_int_equal(outer, faces);
    rico_mesh_faces_free(ctx, face);
    assert_int_equal(rico_mesh_group_at(mesh, rico_mesh_group_find(mesh, "all")).count, elements);
    rico_mesh_destroy(mesh);
    mesh = NULL;
}


static void bars(void **state)
{
    (void)state;
    static const char *const SIDE[] = {"start", "end"};
    rico_mesh_bar o = rico_mesh_bar_default();
    o.origin = -2.0;
    o.length = 3.0;
    o.cells = 7;
    o.grading = 4.0;
    for (int toward = 0; toward < 4; toward++)
        for (int second = 0; second < 2; second++) {
            o.toward = (rico_mesh_toward)toward;
            o.kind = second ? RICO_CELL_LINE3 : RICO_CELL_LINE2;
            assert_ok(ctx, rico_mesh_make_bar(ctx, &o, &mesh));
            expect(second ? 15 : 8, 7, 3.0, 2, SIDE, (double[]){1, 1});
        }
}


// Sizes are a geometric series from smallest to largest with their ratio as asked for.
static void gradings(void **state)
{
    (void)state;
    static const int64_t SMALL[4] = {0, 5, 2, 0}, LARGE[4] = {5, 0, 0, 2};
    rico_mesh_bar o = rico_mesh_bar_default();
    o.cells = 6;
    o.grading = 8.0;
    for (int toward = 0; toward < 4; toward++) {
        o.toward = (rico_mesh_toward)toward;
        assert_ok(ctx, rico_mesh_make_bar(ctx, &o, &mesh));
        const double *x = rico_mesh_look(mesh).position;
        double h[6];
        for (int i = 0; i < 6; i++) h[i] = x[3 * (i + 1)] - x[3 * i];
        assert_near(h[LARGE[toward]] / h[SMALL[toward]], 8.0, 1e-12);
        assert_true(x[0] == 0.0 && x[18] == 1.0);
        for (int i = 0; i < 6; i++)
            if (toward > 1) assert_near(h[i], h[5 - i], 1e-14);
        assert_near(h[1] / h[0],
                    toward == 0   ? pow(8.0, 0.2)
                    : toward == 1 ? pow(8.0, -0.2)
                                  : h[1] / h[0],
                    1e-12);
        rico_mesh_destroy(mesh);
    }
}


static void rectangles(void **state)
{
    (void)state;
    static const char *const SIDE[] = {"left", "right", "bottom", "top"};
    rico_mesh_rectangle o = rico_mesh_rectangle_default();
    o.origin[0] = -1.0;
    o.size[0] = 4.0;
    o.size[1] = 1.5;
    o.cells[0] = 5;
    o.cells[1] = 3;
    o.grading[0] = 3.0;
    o.toward[1] = RICO_TOWARD_MIDDLE;
    o.grading[1] = 2.0;
    static const struct {
        rico_cell_kind kind;
        int64_t nodes, elements;
    } CASES[] = {{RICO_CELL_Q4, 24, 15},
                 {RICO_CELL_T3, 24, 30},
                 {RICO_CELL_Q8, 24 + 5 * 4 + 6 * 3, 15},
                 {RICO_CELL_T6, 24 + 5 * 4 + 6 * 3 + 15, 30}};
    for (int c = 0; c < 4; c++)
        for (int d = 0; d < 3; d++) {
            o.kind = CASES[c].kind;
            o.diagonal = (rico_mesh_diagonal)d;
            assert_ok(ctx, rico_mesh_make_rectangle(ctx, &o, &mesh));
            assert_int_equal(rico_mesh_look(mesh).dimension, 2);
            expect(CASES[c].nodes, CASES[c].elements, 6.0, 4, SIDE, (double[]){1.5, 1.5, 4, 4});
        }
}


// Lower left to upper right where column + row is even, the other way elsewhere.
static void diagonals(void **state)
{
    (void)state;
    rico_mesh_rectangle o = rico_mesh_rectangle_default();
    o.kind = RICO_CELL_T3;
    o.cells[0] = o.cells[1] = 2;
    for (int d = 0; d < 3; d++) {
        o.diagonal = (rico_mesh_diagonal)d;
        assert_ok(ctx, rico_mesh_make_rectangle(ctx, &o, &mesh));
        rico_mesh_view v = rico_mesh_look(mesh);
        for (int64_t cell = 0; cell < 4; cell++) {
            int64_t a = cell / 2 * 3 + cell % 2; // lower left
            int up = 0;
            for (int64_t k = 6 * cell; k < 6 * cell + 3; k++) up += v.node[k] == a || v.node[k] == a + 4;
            bool expected = d == 0 || (d == 2 && cell % 3 == 0);
            assert_int_equal(up == 2, expected);
        }
        rico_mesh_destroy(mesh);
    }
}


static void boxes(void **state)
{
    (void)state;
    static const char *const SIDE[] = {"left", "right", "front", "back", "bottom", "top"};
    rico_mesh_box o = rico_mesh_box_default();
    o.size[0] = 2.0;
    o.size[1] = 3.0;
    o.size[2] = 5.0;
    o.cells[0] = 2;
    o.cells[1] = 3;
    o.cells[2] = 4;
    o.grading[2] = 5.0;
    o.toward[2] = RICO_TOWARD_END;
    const double area[] = {15, 15, 10, 10, 6, 6};
    assert_ok(ctx, rico_mesh_make_box(ctx, &o, &mesh));
    expect(60, 24, 30.0, 6, SIDE, area);
    o.kind = RICO_CELL_TET4;
    assert_ok(ctx, rico_mesh_make_box(ctx, &o, &mesh));
    expect(60, 144, 30.0, 6, SIDE, area);
    // Tet10: a node more for each edge; those of Kuhn's cut are all of (2n + 1)^3 points of a finer lattice
    o.kind = RICO_CELL_TET10;
    assert_ok(ctx, rico_mesh_make_box(ctx, &o, &mesh));
    expect(5 * 7 * 9, 144, 30.0, 6, SIDE, area);
}


// Kuhn 1960: six tetrahedra around the diagonal, each of one sixth.
static void kuhn(void **state)
{
    (void)state;
    rico_mesh_box o = rico_mesh_box_default();
    o.kind = RICO_CELL_TET4;
    o.cells[0] = o.cells[1] = o.cells[2] = 2;
    assert_ok(ctx, rico_mesh_make_box(ctx, &o, &mesh));
    rico_mesh_view v = rico_mesh_look(mesh);
    for (int64_t c = 0; c < 48; c++) {
        double low = INFINITY, high = -INFINITY;
        assert_near(measure_element(v, c), 1.0 / 48.0, 1e-15);
        for (int64_t k = v.start[c]; k < v.start[c + 1]; k++) {
            const double *x = v.position + 3 * v.node[k];
            low = fmin(low, x[0] + x[1] + x[2]);
            high = fmax(high, x[0] + x[1] + x[2]);
        }
        assert_near(high - low, 1.5, 1e-15); // both ends of the diagonal of its brick
    }
    rico_mesh_destroy(mesh);
}


// Area of the polygon of N corners on a circle of radius 1, and with parabolas through the middles of its arcs: 2/3 chord times sagitta each.
static double polygon(double N)
{
    return 0.5 * N * sin(2.0 * PI / N);
}


static double parabolas(double N)
{
    return polygon(N) + N * 2.0 / 3.0 * 2.0 * sin(PI / N) * (1.0 - cos(PI / N));
}


static void discs(void **state)
{
    (void)state;
    static const char *const SIDE[] = {"rim", "top", "axis"};
    rico_mesh_disc o = rico_mesh_disc_default();
    o.centre[0] = 3.0;
    o.centre[1] = -1.0;
    o.radius = 2.0;
    for (int portion = 0; portion < 3; portion++)
        for (int kind = 0; kind < 4; kind++) {
            static const rico_cell_kind KINDS[] = {RICO_CELL_Q4, RICO_CELL_Q8, RICO_CELL_T3, RICO_CELL_T6};
            double share = portion == 0 ? 1.0 : portion == 1 ? 0.5 : 0.25;
            o.kind = KINDS[kind];
            o.portion = (rico_mesh_portion)portion;
            o.core = 8;
            o.rings = 3;
            int64_t nodes = portion == 0 ? 177 : portion == 1 ? 45 + 3 * 17 : 25 + 3 * 9;
            int64_t quads = portion == 0 ? 160 : portion == 1 ? 80 : 40;
            bool second = kind % 2 == 1;
            double area = share * 4.0 * (second ? parabolas(32) : polygon(32));
            double rim = share * 2.0 * 32.0 * 2.0 * sin(PI / 32.0);
            double size[] = {rim, portion == 1 ? 4.0 : 2.0, 2.0};
            assert_ok(ctx, rico_mesh_make_disc(ctx, &o, &mesh));
            // the chords of second-order edges are measured, as if straight
            expect(second ? -1 : nodes, kind < 2 ? quads : 2 * quads, area, 1 + portion, SIDE, size);
        }
    // smallest cells at the lowest point
    o = (rico_mesh_disc){RICO_CELL_Q4, {0, 0}, 1.0, 16, 8, RICO_DISC_HALF, 10.0};
    assert_ok(ctx, rico_mesh_make_disc(ctx, &o, &mesh));
    rico_mesh_view v = rico_mesh_look(mesh);
    double near = INFINITY, least = INFINITY;
    for (int64_t c = 0; c < 8 * 16 + 8 * 32; c++) {
        double size = measure_element(v, c);
        bool lowest = false;
        for (int64_t k = v.start[c]; k < v.start[c + 1]; k++)
            lowest = lowest || fabs(v.position[3 * v.node[k] + 1] + 1.0) < 1e-12;
        if (lowest) near = fmin(near, size);
        least = fmin(least, size);
    }
    assert_true(near == least);
    rico_mesh_destroy(mesh);
}


// The mesh of 1280 bricks of the anisotropic cylinder: its numbers and its nodes along the axes.
static void cylinders(void **state)
{
    (void)state;
    static const char *const SIDE[] = {"bottom", "top", "side"};
    rico_mesh_cylinder o = rico_mesh_cylinder_default();
    o.radius = 10.0;
    o.height = 10.0;
    o.core = 8;
    o.rings = 3;
    o.layers = 8;
    double base = 100.0 * polygon(32), side = 32.0 * 20.0 * sin(PI / 32.0) * 10.0;
    assert_ok(ctx, rico_mesh_make_cylinder(ctx, &o, &mesh));
    rico_mesh_view v = rico_mesh_look(mesh);
    double found[4] = {0};
    for (int64_t i = 0; i < 177; i++) {
        const double *x = v.position + 3 * i,
                     expected[4] = {5.2 * 1.25, 5.2 * 1.25 + 3.5 / 3.0, 6.5 + 7.0 / 3.0, 10.0};
        for (int k = 0; k < 4; k++) found[k] += hypot(x[0] - expected[k], x[1]) < 1e-12 && x[2] == 0.0;
    }
    for (int k = 0; k < 4; k++) assert_true(found[k] == 1.0);
    assert_int_equal(rico_mesh_group_at(mesh, rico_mesh_group_find(mesh, "bottom")).count, 160);
    expect(177 * 9, 1280, 10.0 * base, 3, SIDE, (double[]){base, base, side});
    o.kind = RICO_CELL_TET4;
    assert_ok(ctx, rico_mesh_make_cylinder(ctx, &o, &mesh));
    expect(177 * 9, 6 * 1280, 10.0 * base, 3, SIDE, (double[]){base, base, side});
    o.kind = RICO_CELL_TET10;
    o.layers = 2;
    base = 100.0 * parabolas(32);
    assert_ok(ctx, rico_mesh_make_cylinder(ctx, &o, &mesh));
    expect(-1, 6 * 320, 10.0 * base, 3, SIDE, NULL);
}


// Inscribed: too small by a share that falls as h^2, for quadratic edges as h^4.
static void spheres(void **state)
{
    (void)state;
    static const rico_cell_kind KINDS[] = {RICO_CELL_H8, RICO_CELL_TET4, RICO_CELL_TET10};
    for (int kind = 0; kind < 3; kind++) {
        double error[2];
        for (int fine = 0; fine < 2; fine++) {
            rico_mesh_sphere o = rico_mesh_sphere_default();
            o.kind = KINDS[kind];
            o.core = fine ? 8 : 4;
            o.rings = fine ? 4 : 2;
            o.radius = 3.0;
            o.centre[2] = 1.0;
            double least;
            int64_t n = o.core, shell = (n + 1) * (n + 1) * (n + 1) - (n - 1) * (n - 1) * (n - 1);
            assert_ok(ctx, rico_mesh_make_sphere(ctx, &o, &mesh));
            rico_mesh_view v = rico_mesh_look(mesh);
            if (kind < 2) assert_int_equal(v.nodes, (n + 1) * (n + 1) * (n + 1) + o.rings * shell);
            assert_int_equal(count_elements(mesh), (n * n * n + o.rings * 6 * n * n) * (kind ? 6 : 1));
            error[fine] = 1.0 - measure_mesh(mesh, &least) / (4.0 / 3.0 * PI * 27.0);
            assert_true(least > 0.0);
            face_measure surface = measure_group(mesh, "surface");
            assert_near(surface.flux, measure_mesh(mesh, &least), 1e-10);
            assert_near(surface.size, 4.0 * PI * 9.0, fine ? 1.5 : 5.0);
            rico_mesh_destroy(mesh);
        }
        assert_true(fabs(error[0]) < (kind < 2 ? 0.08 : 0.002));
        double order = log2(error[0] / error[1]);
        assert_true(kind < 2 ? order > 1.8 && order < 2.2 : order > 3.5);
    }
}


// Rough meshes of every kind are sound too.
static void smallest(void **state)
{
    (void)state;
    for (int g = 0; g < 6; g++) {
        const rico_mesh_generator *about = rico_mesh_generator_at(g);
        for (int kind = 0; about->options[0].choices[kind]; kind++)
            for (int more = 1; more < 4; more++) {
                double values[16];
                for (int i = 0; i < about->option_count; i++) {
                    values[i] = about->options[i].standard;
                    if (about->options[i].type == RICO_INTEGER) values[i] = more;
                    if (strncmp(about->options[i].name, "grading", 7) == 0) values[i] = more > 1 ? 5.0 : 1.0;
                }
                values[0] = kind;
                assert_ok(ctx, rico_mesh_generate(ctx, about->name, values, &mesh));
                double least;
                measure_mesh(mesh, &least);
                assert_true(least > 0.0);
                rico_mesh_destroy(mesh);
            }
    }
}


static void table(void **state)
{
    (void)state;
    assert_null(rico_mesh_generator_at(6));
    assert_null(rico_mesh_generator_at(-1));
    for (int g = 0; rico_mesh_generator_at(g); g++) {
        const rico_mesh_generator *about = rico_mesh_generator_at(g);
        assert_int_equal(rico_mesh_generator_find(about->name), g);
        assert_true(strlen(about->summary) > 0 && strlen(about->groups) > 0);
        assert_ok(ctx, rico_mesh_generate(ctx, about->name, NULL, &mesh));
        // the table names the groups that there are
        for (int64_t i = 0; i < rico_mesh_look(mesh).groups; i++)
            assert_non_null(strstr(about->groups, rico_mesh_group_at(mesh, i).name));
        rico_mesh_destroy(mesh);
    }
}


static void refusals(void **state)
{
    (void)state;
    rico_mesh_bar bar = rico_mesh_bar_default();
    rico_mesh_disc disc = rico_mesh_disc_default();
    rico_mesh_box box = rico_mesh_box_default();
    double values[16] = {0};

    bar.kind = RICO_CELL_T3;
    assert_int_equal(rico_mesh_make_bar(ctx, &bar, &mesh), RICO_BAD_ARGUMENT);
    assert_string_equal(rico_message(ctx), "bar: there is no bar made of T3");
    bar = rico_mesh_bar_default();
    bar.cells = 0;
    assert_int_equal(rico_mesh_make_bar(ctx, &bar, &mesh), RICO_BAD_ARGUMENT);
    assert_string_equal(rico_message(ctx), "bar: cells = 0 is outside [1, 1e+06]");
    bar.cells = 1;
    bar.length = NAN;
    assert_int_equal(rico_mesh_make_bar(ctx, &bar, &mesh), RICO_BAD_ARGUMENT);
    disc.portion = RICO_DISC_QUARTER;
    disc.core = 5;
    assert_int_equal(rico_mesh_make_disc(ctx, &disc, &mesh), RICO_BAD_ARGUMENT);
    assert_string_equal(rico_message(ctx), "disc: core = 5; a half or a quarter needs an even number");
    box.cells[0] = box.cells[1] = box.cells[2] = 100000;
    assert_int_equal(rico_mesh_make_box(ctx, &box, &mesh), RICO_BAD_ARGUMENT);
    assert_string_equal(rico_message(ctx), "box: it would have 1e+15 cells; at most 2e+08 are made");
    assert_int_equal(rico_mesh_generate(ctx, "rectangel", NULL, &mesh), RICO_BAD_ARGUMENT);
    assert_string_equal(rico_message(ctx),
                        "there is no generator of meshes 'rectangel'; did you mean 'rectangle'?");
    assert_int_equal(rico_mesh_generate(ctx, "bar", values, &mesh), RICO_BAD_ARGUMENT);
}


static rico_status make(rico_context *failing, void *user)
{
    rico_mesh *made = NULL;
    const rico_mesh_generator *about = rico_mesh_generator_at(*(int *)user);
    double values[16];
    for (int i = 0; i < about->option_count; i++)
        values[i] = about->options[i].type == RICO_INTEGER ? 2 : about->options[i].standard;
    for (values[0] = 0; about->options[0].choices[(int)values[0] + 1]; values[0]++) {}
    rico_status status = rico_mesh_generate(failing, about->name, values, &made);
    rico_mesh_destroy(made);
    return status;
}


static void memory(void **state)
{
    (void)state;
    for (int g = 0; g < 6; g++) assert_true(every_allocation_fails(make, &g) > 10);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bars),      cmocka_unit_test(gradings),  cmocka_unit_test(rectangles),
        cmocka_unit_test(diagonals), cmocka_unit_test(boxes),     cmocka_unit_test(kuhn),
        cmocka_unit_test(discs),     cmocka_unit_test(cylinders), cmocka_unit_test(spheres),
        cmocka_unit_test(smallest),  cmocka_unit_test(table),     cmocka_unit_test(refusals),
        cmocka_unit_test(memory)};
    return cmocka_run_group_tests(tests, context_start, context_end);
}
