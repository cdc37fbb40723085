// rico view: meshes, joints, beams and frictions in films, against the results themselves.

#include "failing_memory.h"
#include "film_reader.h"
#include "store/elastic_view.h"
#include "store/results.h"

// A block of bricks, held at one end, that meets a plane.
static const char BLOCK[] = "title: A block\n"
                            "elastic:\n"
                            "  block:\n"
                            "    mesh: {box: {size: [0.4, 0.3, 0.3], cells: [4, 3, 3], kind: H8}}\n"
                            "    material: {young: 1e6, poisson: 0.3, density: 1000}\n"
                            "    fixed: {left: all}\n"
                            "gravity: [0, 0, -9.81]\n"
                            "contacts:\n"
                            "  floor: {nodes: block.all, against: {plane: {normal: [0, 0, 1], through: [0, "
                            "0, -1e-3]}}, friction: 0.3}\n"
                            "time: {end: 0.04, step: 1e-3}\n";

// Elements of second order in the plane.
static const char SHEET[] = "elastic:\n"
                            "  sheet:\n"
                            "    mesh: {rectangle: {size: [2, 1], cells: [2, 1], kind: Q8}}\n"
                            "    model: plane stress\n"
                            "    material: {young: 1e6, poisson: 0.3, density: 1000, thickness: 1}\n"
                            "    fixed: {left: all}\n"
                            "gravity: [0, -9.81]\n"
                            "time: {end: 0.01, step: 1e-3}\n";

static const char ARM[] =
    "title: An arm\n"
    "materials: {wood: {friction: 0.5}, steel: {friction: 0.2}}\n"
    "bodies:\n"
    "  table: {position: [0, -2], fixed: yes, material: wood, shape: {rectangle: {size: [9, 1]}}}\n"
    "  arm: {position: [0.5, 0], velocity: [0, 0.25*pi], spin: 0.5*pi, mass: 2, inertia: 0.2, shape: "
    "{rectangle: {size: [1, 0.1]}}}\n"
    "  box: {position: [0, -1.25], mass: 1, inertia: 0.1, material: steel, shape: {rectangle: {size: [0.5, "
    "0.5]}}}\n"
    "joints:\n"
    "  pin: {kind: revolute, between: [world, arm], at: [0, 0], motor: {velocity: 90}}\n"
    "gravity: [0, -9.81]\n"
    "time: {end: 0.1, step: 1e-3}\n";

// A moment of 2 pi E I/L at its free end rolls a cantilever of length 1 up to a circle.
static const char ROLL[] = "parameters: {moment: 2*pi*2.1e11*8.33e-10}\n"
                           "beams:\n"
                           "  rod:\n"
                           "    from: [0, 0, 0]\n"
                           "    to: [1, 0, 0]\n"
                           "    elements: 4\n"
                           "    section: {area: 1e-4, bending: 8.33e-10}\n"
                           "    young: 2.1e11\n"
                           "    density: 7800\n"
                           "    ends: [clamped, free]\n"
                           "    damping: 2e-2\n"
                           "    loads: {end: {torque: [0, \"moment*min(t, 1)\", 0]}}\n"
                           "time: {end: 2, step: 2e-3}\n"
                           "scheme: {name: generalized-alpha-constrained, rho-inf: 0.5}\n"
                           "output: {every: 20}\n";

static int setup(void **state)
{
    (void)state;
    ctx = rico_context_create(NULL);
    if (!ctx || !shell_begin()) return 1;
    simulate(BLOCK, "block.h5");
    simulate(SHEET, "sheet.h5");
    simulate(ARM, "arm.h5");
    simulate(ROLL, "roll.h5");
    return 0;
}


static int teardown(void **state)
{
    (void)state;
    rico_context_destroy(ctx);
    return shell_end();
}


// --- meshes ------------------------------------------------------------------------------------------------------

// The node of the mesh that stands at a place of the film.
static int64_t node_at(const rico_viewed_mesh *mesh, const float *place)
{
    for (int64_t i = 0; i < mesh->nodes; i++)
        if ((float)mesh->X[3 * i] == place[0] && (float)mesh->X[3 * i + 1] == place[1] &&
            (float)mesh->X[3 * i + 2] == place[2])
            return i;
    return -1;
}


// A block of 4 x 3 x 3 bricks has 80 nodes, 12 of them inside; its boundary 66 squares, 132 triangles, 132 edges (Euler: 68 - 132 + 66 = 2).
static void surfaces_are_what_is_seen(void **state)
{
    (void)state;
    rico_results *results;
    rico_film film;
    int64_t count;
    make("block.h5", 1000, &results, &film);
    array(&film, "mesh_node", &count);
    assert_int_equal(count, 3 * 68);
    const uint32_t *triangle = array(&film, "mesh_triangle", &count);
    assert_int_equal(count, 3 * 132);
    for (int64_t i = 0; i < count; i++) assert_true(triangle[i] < 68);
    const uint32_t *edge = array(&film, "mesh_edge", &count);
    assert_int_equal(count, 2 * 132);
    for (int64_t i = 0; i < count; i++) assert_true(edge[i] < 68);
    const int32_t *mesh = array(&film, "mesh", &count), own[6] = {0, 68, 0, 132, 0, 132};
    assert_int_equal(count, 6);
    for (int k = 0; k < 6; k++) assert_int_equal(mesh[k], own[k]);
    // positions of the mesh are no coordinates beside it
    array(&film, "q", &count);
    assert_int_equal(count, 0);
    rico_film_release(ctx, &film);
    rico_results_destroy(results);
}


// Triangles of faces of second order cover the sheet once.
static void faces_of_second_order_are_cut(void **state)
{
    (void)state;
    rico_results *results;
    rico_film film;
    int64_t count, nodes;
    make("sheet.h5", 1000, &results, &film);
    const float *x = array(&film, "mesh_node", &nodes);
    assert_int_equal(nodes, 3 * 13);
    const uint32_t *triangle = array(&film, "mesh_triangle", &count);
    assert_int_equal(count, 3 * 12);
    double area = 0.0;
    for (int64_t i = 0; i < count; i += 3) {
        const float *a = x + 3 * triangle[i], *b = x + 3 * triangle[i + 1], *c = x + 3 * triangle[i + 2];
        double own = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
        assert_true(own > 0.0);
        area += 0.5 * own;
    }
    assert_near(area, 2.0, 1e-6);
    array(&film, "mesh_edge", &count);
    assert_int_equal(count, 2 * 14);
    rico_film_release(ctx, &film);
    rico_results_destroy(results);
}


static void fields_are_those_of_the_library(void **state)
{
    (void)state;
    rico_results *results;
    rico_film film;
    rico_elastic_view *view = NULL;
    int64_t count, pressed = 0;
    make("block.h5", 1000, &results, &film);
    assert_int_equal(film.frames, 41);
    assert_ok(ctx, rico_elastic_view_open(ctx, results, &view));
    const float *place = array(&film, "mesh_node", &count), *u = array(&film, "mesh_displacement", &count),
                *mises = array(&film, "mesh_von_mises", &count),
                *pressure = array(&film, "mesh_pressure", &count);
    assert_int_equal(count, 68 * film.frames);
    const rico_viewed_mesh *mesh = &view->mesh[0];
    for (int64_t f = 0; f < film.frames; f += 10) {
        assert_ok(ctx, rico_elastic_view_read(view, f));
        for (int64_t i = 0; i < 68; i++) {
            int64_t node = node_at(mesh, place + 3 * i);
            assert_true(node >= 0);
            for (int k = 0; k < 3; k++)
                assert_true(u[3 * (68 * f + i) + k] == (float)mesh->displacement[3 * node + k]);
            assert_true(mises[68 * f + i] == (float)mesh->von_mises[node]);
            assert_true(pressure[68 * f + i] == (float)mesh->pressure[node]);
            pressed += mesh->pressure[node] > 0.0;
        }
    }
    assert_true(pressed > 0);
    rico_elastic_view_destroy(view);
    rico_film_release(ctx, &film);
    rico_results_destroy(results);
}


// The bound on bytes holds with meshes: fewer frames, then no meshes at all, and the film says either.
static void meshes_keep_the_bound(void **state)
{
    (void)state;
    static const int64_t MOST[] = {40000, 20000, 8000, 3000};
    rico_results *results;
    assert_ok(ctx, rico_results_open(ctx, in_folder("block.h5"), &results));
    for (size_t i = 0; i < sizeof MOST / sizeof *MOST; i++) {
        rico_film film;
        rico_film_options options = rico_film_defaults();
        options.most_bytes = MOST[i];
        assert_ok(ctx, rico_film_make(ctx, results, &options, &film));
        char *head = head_of(&film);
        bool there = strstr(head, "mesh_displacement") != NULL;
        assert_true(film.frames < 41 && film.frames >= 2);
        assert_true(there == (MOST[i] >= 8000));
        assert_non_null(strstr(head, there ? "rows between frames: meshes of all would exceed"
                                           : "meshes: 68 nodes of their surfaces in two frames exceed"));
        int64_t count, sum = 0;
        static const char *const ARRAYS[] = {"mesh_node",         "mesh_triangle",  "mesh_edge",
                                             "mesh_displacement", "mesh_von_mises", "mesh_pressure"};
        for (size_t k = 0; there && k < sizeof ARRAYS / sizeof *ARRAYS; k++) {
            array(&film, ARRAYS[k], &count);
            sum += 4 * count;
        }
        assert_true(sum <= MOST[i]);
        free(head);
        rico_film_release(ctx, &film);
    }
    rico_results_destroy(results);
}


// --- joints, frictions -------------------------------------------------------------------------------------------

static void joints_are_where_they_are(void **state)
{
    (void)state;
    rico_results *results;
    rico_film film;
    int64_t count, rows;
    make("arm.h5", 1000, &results, &film);
    const int32_t *bodies = array(&film, "joint_bodies", &count);
    assert_int_equal(count, 4); // the pin and its motor
    assert_true(bodies[0] == -1 && bodies[1] == 1);
    const float *place = array(&film, "joint_place", &count), wanted[9] = {0, 0, 0, -0.5, 0, 0, 0, 0, 1};
    for (int k = 0; k < 9; k++) assert_near(place[k], wanted[k], 1e-7);
    char *head = head_of(&film);
    assert_non_null(strstr(head, "revolute -1 1"));
    assert_non_null(strstr(head, "effort -1 1"));
    free(head);
    double *r = column(results, "joints", "reaction", &rows);
    const float *own = array(&film, "joint_reaction", &count);
    assert_int_equal(count, 12 * film.frames);
    double most = 0.0;
    for (int64_t f = 0; f < film.frames; f++)
        for (int k = 0; k < 12; k++) {
            double value = r[24 * f + 12 * (k / 6) + k % 6];
            assert_true(own[12 * f + k] == (float)value);
            most = fmax(most, fabs(value));
        }
    assert_true(most > 10.0);
    free(r);
    rico_film_release(ctx, &film);
    rico_results_destroy(results);
}


// The geometric mean of wood and steel; of a mesh what its contact says.
static void contacts_have_their_friction(void **state)
{
    (void)state;
    rico_results *results;
    rico_film film;
    int64_t count;
    make("arm.h5", 1000, &results, &film);
    const float *mu = array(&film, "key_friction", &count);
    assert_true(count > 0);
    for (int64_t i = 0; i < count; i++) assert_near(mu[i], sqrt(0.5 * 0.2), 1e-7);
    rico_film_release(ctx, &film);
    rico_results_destroy(results);
    make("block.h5", 1000, &results, &film);
    mu = array(&film, "key_friction", &count);
    assert_true(count > 0);
    for (int64_t i = 0; i < count; i++) assert_true(mu[i] == 0.3f);
    const int32_t *bodies = array(&film, "key_bodies", &count);
    for (int64_t i = 0; i < count; i++) assert_int_equal(bodies[i], -1);
    rico_film_release(ctx, &film);
    rico_results_destroy(results);
}


// The curvature of a circle of length 1 is 2 pi, in every element.
static void beams_bend(void **state)
{
    (void)state;
    rico_results *results;
    rico_film film;
    int64_t count;
    make("roll.h5", 1000, &results, &film);
    const float *bend = array(&film, "beam_curvature", &count);
    assert_int_equal(count, 4 * film.frames);
    for (int i = 0; i < 4; i++) {
        assert_true(bend[i] == 0.0f);
        assert_near(bend[count - 4 + i], 2.0 * acos(-1.0), 1e-3);
    }
    rico_film_release(ctx, &film);
    rico_results_destroy(results);
}


// A note of another program's, or none: a sentence, or joints without places.
static void strange_places_are_told(void **state)
{
    (void)state;
    static const char *const STRANGE[] = {"revolute -1 9 0 0 0 0 0 0 0 0 1\n",
                                          "revolute -1 1 0 0 0 0 0 0 0 0\n",
                                          "revolute -1 1 0 0 0 nan 0 0 0 0 1\n",
                                          "revolute\n",
                                          "\n\n",
                                          "x"};
    rico_results *results;
    rico_film film;
    rico_film_options options = rico_film_defaults();
    assert_ok(ctx, rico_results_open(ctx, in_folder("arm.h5"), &results));
    rico_note *note = NULL;
    for (int64_t i = 0; i < results->note_count; i++)
        if (strcmp(results->notes[i].name, "joint_places") == 0) note = &results->notes[i];
    assert_non_null(note);
    if (note == NULL) return;
    const char *kept = note->text;
    for (size_t i = 0; i < sizeof STRANGE / sizeof *STRANGE; i++) {
        note->text = STRANGE[i];
        assert_int_equal(rico_film_make(ctx, results, &options, &film), RICO_BAD_INPUT);
        assert_non_null(strstr(rico_message(ctx), "the joints in it are broken: line"));
    }
    note->text = "";
    assert_ok(ctx, rico_film_make(ctx, results, &options, &film));
    char *head = head_of(&film);
    assert_non_null(strstr(head, "places of 2 joints, which the file does not hold"));
    free(head);
    rico_film_release(ctx, &film);
    note->text = kept;
    rico_results_destroy(results);
}


static rico_status film_in(rico_context *own, void *user)
{
    rico_film film = {0};
    rico_film_options options = rico_film_defaults();
    options.most_frames = 3;
    rico_status status = rico_film_make(own, user, &options, &film);
    rico_film_release(own, &film);
    return status;
}


static void memory_runs_out(void **state)
{
    (void)state;
    static const char *const FILES[] = {"sheet.h5", "arm.h5", "roll.h5"};
    for (int i = 0; i < 3; i++) {
        rico_results *results;
        assert_ok(ctx, rico_results_open(ctx, in_folder(FILES[i]), &results));
        assert_true(allocations_fail(film_in, results, 0) > 10);
        rico_results_destroy(results);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(surfaces_are_what_is_seen),
        cmocka_unit_test(faces_of_second_order_are_cut),
        cmocka_unit_test(fields_are_those_of_the_library),
        cmocka_unit_test(meshes_keep_the_bound),
        cmocka_unit_test(joints_are_where_they_are),
        cmocka_unit_test(contacts_have_their_friction),
        cmocka_unit_test(beams_bend),
        cmocka_unit_test(strange_places_are_told),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
