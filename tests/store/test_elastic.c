// Elastic parts in result files: meshes come back as they were, fields are those of exact solutions, VTU files hold them, runs go on.

#include "failing_memory.h"
#include "one_context.h"

#include "ricochet/run.h"
#include "ricochet/scene.h"
#include "store/columns.h"
#include "store/elastic_view.h"
#include "store/reductions.h"
#include "store/vtk.h"

#include <unistd.h>

// A plate of plane stress under tension along x, and a heavy block on the ground: sigma = 6, u = sigma x/E; the ground bears its weight.
#define CONTACT                                                                                              \
    "contacts: {ground: {nodes: block.bottom, against: {plane: {normal: [0, 0, 1]}}, friction: 0.5}}\n"      \
    "output: {probes: {corner: {part: plate, at: [2, 1]}}, reactions: {wall: plate.left}}\n"
#define SCENE_WITH(plate, block)                                                                             \
    "elastic:\n"                                                                                             \
    "  plate: {mesh: {rectangle: {size: [2, 1], cells: [4, 2]}}, model: plane stress, material: {young: "    \
    "100, poisson: 0.25, density: 1, thickness: 0.1}, fixed: {left: [x], bottom: [y]}, loads: {a: {on: "     \
    "right, traction: [6*t, 0]}}" plate "}\n"                                                                \
    "  block: {mesh: {box: {cells: [2, 2, 2]}}, material: {young: 1e4, poisson: 0, density: 2}, position: "  \
    "[5, 0, 0], loads: {w: {body: [0, 0, -20]}}" block "}\n" CONTACT                                         \
    "time: {end: 1, step: 0.25}\nscheme: quasi-static\n"
static const char SCENE[] = SCENE_WITH("", "");
// The load of the plate acts on kept nodes, so that few modes do; the block needs all it has.
static const char REDUCED[] = SCENE_WITH(", reduce: {modes: 2, keep: [right]}", ", reduce: {modes: 54}");


static void run_into(const char *text, const char *path, rico_results **out)
{
    rico_runner_options options = rico_runner_defaults();
    rico_runner_result how;
    options.scene = "here";
    options.text = text;
    options.output = path;
    options.overwrite = true;
    options.results = path ? NULL : out;
    assert_ok(ctx, rico_runner_run(ctx, &options, &how));
    assert_true(how.finished);
    if (path) assert_ok(ctx, rico_results_open(ctx, path, out));
}


static void check_fields(const rico_elastic_view *view)
{
    const rico_viewed_mesh *plate = &view->mesh[0], *block = &view->mesh[1];
    assert_string_equal(plate->name, "plate");
    assert_int_equal(plate->nodes, 15);
    assert_int_equal(block->nodes, 27);
    for (int64_t i = 0; i < plate->nodes; i++) {
        assert_near(plate->displacement[3 * i], 0.06 * plate->X[3 * i], 1e-12);
        assert_near(plate->position[3 * i + 1], plate->X[3 * i + 1] * (1.0 - 0.25 * 0.06), 1e-12);
        assert_near(plate->stress[6 * i], 6.0, 1e-10);
        for (int k = 1; k < 6; k++) assert_near(plate->stress[6 * i + k], 0.0, 1e-10);
        assert_near(plate->von_mises[i], 6.0, 1e-10);
        assert_int_equal(plate->status[i], 0);
    }
    // the foot of the block: 40 N in all, pressure 20 where elements of one size bear it evenly
    double force = 0.0;
    int64_t foot = 0;
    for (int64_t i = 0; i < block->nodes; i++) {
        force += block->force[3 * i + 2];
        assert_near(block->X[3 * i], 5.0 + 0.5 * round(2.0 * (block->X[3 * i] - 5.0)), 1e-15);
        if (block->X[3 * i + 2] > 0.25) continue;
        foot++;
        assert_int_equal(block->status[i], 1);
        assert_near(block->pressure[i], 20.0, 1e-4);
    }
    assert_near(force, 20.0, 1e-7);
    assert_int_equal(foot, 9);
}


static void views(void **state)
{
    (void)state;
    char path[64];
    snprintf(path, sizeof path, "store_elastic_%ld.h5", (long)getpid());
    for (int kind = 0; kind < 4; kind++) {
        rico_results *results = NULL;
        rico_elastic_view *view = NULL;
        run_into(kind < 2 ? SCENE : REDUCED, kind % 2 ? path : NULL, &results);
        assert_true(rico_elastic_view_there(results));
        assert_ok(ctx, rico_elastic_view_open(ctx, results, &view));
        assert_int_equal(view->rows, 5);
        assert_int_equal(view->count, 2);
        assert_int_equal(rico_elastic_view_find(view, 0.6), 2);
        assert_int_equal(rico_elastic_view_find(view, NAN), 4);
        assert_ok(ctx, rico_elastic_view_read(view, 4));
        check_fields(view);
        // fields by name
        double u[15], s[15];
        rico_elastic_field_values(&view->mesh[0], rico_elastic_field_find("ux"), u);
        rico_elastic_field_values(&view->mesh[0], rico_elastic_field_find("sxx"), s);
        for (int i = 0; i < 15; i++) {
            assert_near(u[i], view->mesh[0].displacement[3 * i], 0.0);
            assert_near(s[i], 6.0, 1e-10);
        }
        for (int i = 0; rico_elastic_field_name(i); i++) {
            assert_int_equal(rico_elastic_field_find(rico_elastic_field_name(i)), i);
            rico_elastic_field_values(&view->mesh[0], i, u);
        }
        assert_int_equal(rico_elastic_field_find("heat"), -1);
        rico_elastic_view_destroy(view);
        rico_results_destroy(results);
    }
    unlink(path);
}


// Groups, kinds and coordinates are those of the scene.
static void meshes(void **state)
{
    (void)state;
    rico_results *results = NULL;
    rico_elastic_view *view = NULL;
    rico_scene *scene = NULL;
    run_into(SCENE, NULL, &results);
    assert_ok(ctx, rico_elastic_view_open(ctx, results, &view));
    assert_ok(ctx, rico_scene_parse(ctx, "s", SCENE, (int64_t)strlen(SCENE), 0, NULL, NULL, 0, &scene));
    for (int64_t m = 0; m < 2; m++) {
        int64_t part;
        rico_place place;
        const rico_elastic_part *given = rico_scene_elastic_part(scene, m, NULL, &part, &place);
        rico_mesh_view a = rico_mesh_look(given->mesh), b = rico_mesh_look(view->mesh[m].mesh);
        assert_int_equal(a.nodes, b.nodes);
        assert_int_equal(a.cells, b.cells);
        assert_int_equal(a.groups, b.groups);
        assert_memory_equal(a.position, b.position, (size_t)a.nodes * 3 * sizeof(double));
        assert_memory_equal(a.kind, b.kind, (size_t)a.cells);
        assert_memory_equal(a.node, b.node, (size_t)a.start[a.cells] * sizeof(int64_t));
        for (int64_t g = 0; g < a.groups; g++) {
            rico_mesh_group one = rico_mesh_group_at(given->mesh, g),
                            two = rico_mesh_group_at(view->mesh[m].mesh, g);
            assert_string_equal(one.name, two.name);
            assert_int_equal(one.count, two.count);
            assert_memory_equal(one.cell, two.cell, (size_t)one.count * sizeof(int64_t));
        }
        for (int64_t i = 0; i < a.nodes; i++)
            for (int k = 0; k < 3; k++) {
                int64_t dof = rico_elastic_velocity(rico_scene_system(scene), part, i, k);
                assert_int_equal(view->mesh[m].coordinate[3 * i + k], dof < 0 ? -1 : place.q + dof - place.v);
            }
    }
    rico_scene_destroy(scene);
    rico_elastic_view_destroy(view);
    rico_results_destroy(results);
}


static void columns_of(const char *scene, int64_t unknowns)
{
    rico_results *results = NULL;
    rico_columns *columns = NULL;
    run_into(scene, NULL, &results);
    assert_ok(ctx, rico_columns_take(ctx, results, &columns));
    static const struct {
        const char *name;
        double last;
    } EXPECTED[] = {{"corner.u_x", 0.12},        {"corner.x", 2.12}, {"wall.fx", -0.6},
                    {"ground.fz", 20.0},         {"ground.fx", 0.0}, {"2*corner.u_x - wall.fx", 0.84},
                    {"count:ground", 9.0},       {"probes.h", 0.25}, {"ground.fz/corner.u_x", 20.0 / 0.12},
                    {"corner.u_y", -0.25 * 0.06}};
    for (size_t i = 0; i < sizeof EXPECTED / sizeof *EXPECTED; i++) {
        int64_t count;
        double *value = NULL;
        assert_ok(ctx, rico_columns_read(columns, EXPECTED[i].name, &count, &value));
        assert_int_equal(count, 5);
        assert_near(value[4], EXPECTED[i].last, 1e-6);
        rico_free(ctx, value);
    }
    // all unknowns have names, though the file has a line for each part
    int64_t names = 0, count;
    while (rico_columns_position(columns, names)) names++;
    assert_int_equal(names, unknowns);
    assert_string_equal(rico_columns_position(columns, 1), "plate[1]");
    double *value = NULL;
    assert_int_not_equal(rico_columns_read(columns, "corner.u_xx", &count, &value), RICO_OK);
    if (!strstr(rico_message(ctx), "did you mean 'corner.u_x'?")) fail_msg("%s", rico_message(ctx));
    rico_columns_destroy(columns);
}


static void columns(void **state)
{
    (void)state;
    columns_of(SCENE, 15 * 2 - 3 - 5 + 27 * 3);
    columns_of(REDUCED, 3 * 2 - 1 + 2 + 27 * 3);
}


// A run tells of the reduced part that is worst off: its weight, in the modes that are left out.
static void reductions(void **state)
{
    (void)state;
    static const char HEAVY[] = SCENE_WITH(", reduce: {modes: 2, keep: [right]}", ", reduce: {modes: 20}");
    rico_runner_options options = rico_runner_defaults();
    rico_runner_result how;
    options.scene = "here";
    options.text = SCENE;
    assert_ok(ctx, rico_runner_run(ctx, &options, &how));
    assert_int_equal(how.reduced, 0);
    options.text = REDUCED;
    assert_ok(ctx, rico_runner_run(ctx, &options, &how));
    assert_string_equal(how.reduced_part, "plate");
    assert_int_equal(how.reduced, 22);
    assert_int_equal(how.reduced_to, 7);
    assert_true(how.reduction_error < 1e-10);
    options.text = HEAVY;
    assert_ok(ctx, rico_runner_run(ctx, &options, &how));
    assert_string_equal(how.reduced_part, "block");
    assert_int_equal(how.reduced, 81);
    assert_int_equal(how.reduced_to, 27 + 20);
    assert_true(how.reduction_error > 1e-3 && how.reduction_error < 0.5);
    assert_true(how.reduction_next > 0.0 && isfinite(how.reduction_next));
}


// What ParaView is given reads back as the mesh, displaced.
static void vtk(void **state)
{
    (void)state;
    char folder[] = "/tmp/rico-elastic-XXXXXX", path[128];
    rico_results *results = NULL;
    rico_mesh *mesh = NULL;
    int64_t rows = 0;
    assert_non_null(mkdtemp(folder));
    run_into(SCENE, NULL, &results);
    assert_ok(ctx, rico_vtk_write_meshes(ctx, results, folder, &rows));
    assert_int_equal(rows, 5);
    snprintf(path, sizeof path, "%s/plate-4.vtu", folder);
    assert_ok(ctx, rico_mesh_read(ctx, path, &mesh));
    rico_mesh_view look = rico_mesh_look(mesh);
    double largest = 0.0;
    assert_int_equal(look.nodes, 15);
    assert_int_equal(look.cells, 8);
    for (int64_t i = 0; i < look.nodes; i++) largest = fmax(largest, look.position[3 * i]);
    assert_near(largest, 2.12, 1e-12);
    rico_mesh_destroy(mesh);
    static const char *const PARTS_OF[] = {"plate", "block"};
    for (int p = 0; p < 2; p++) {
        snprintf(path, sizeof path, "%s/%s.pvd", folder, PARTS_OF[p]);
        assert_int_equal(unlink(path), 0);
        for (int i = 0; i < 5; i++) {
            snprintf(path, sizeof path, "%s/%s-%d.vtu", folder, PARTS_OF[p], i);
            assert_int_equal(unlink(path), 0);
        }
    }
    assert_int_equal(rmdir(folder), 0);
    rico_results_destroy(results);
}


// A run with inertia starts from the end of one without: under the same load nothing moves.
static void from_statics(void **state)
{
    (void)state;
    char first[64], text[2048];
    snprintf(first, sizeof first, "store_elastic_first_%ld.h5", (long)getpid());
    rico_results *results = NULL;
    run_into(SCENE, first, &results);
    rico_results_destroy(results);
    snprintf(text, sizeof text, "%s", SCENE);
    // loads that depend on t go on from the end of the first run
    char *scheme = strstr(text, "time: {end: 1, step: 0.25}\nscheme: quasi-static");
    assert_non_null(scheme);
    strcpy(scheme, "time: {start: 1, end: 1.001, step: 1e-4}\n");
    rico_runner_options options = rico_runner_defaults();
    rico_runner_result how;
    options.scene = "here";
    options.text = text;
    options.from = first;
    options.results = &results;
    assert_ok(ctx, rico_runner_run(ctx, &options, &how));
    rico_columns *columns = NULL;
    int64_t count;
    double *u = NULL;
    assert_ok(ctx, rico_columns_take(ctx, results, &columns));
    assert_ok(ctx, rico_columns_read(columns, "corner.u_x", &count, &u));
    assert_near(u[0], 0.12, 1e-12);
    assert_near(u[count - 1], 0.12, 1e-3);
    rico_free(ctx, u);
    rico_columns_destroy(columns);
    unlink(first);
}


// A run that was stopped goes on to the same rows.
static void resume(void **state)
{
    (void)state;
    char whole[64], part[64], difference[RICO_DIFFERENCE];
    snprintf(whole, sizeof whole, "store_elastic_whole_%ld.h5", (long)getpid());
    snprintf(part, sizeof part, "store_elastic_part_%ld.h5", (long)getpid());
    rico_results *a = NULL, *b = NULL;
    run_into(SCENE, whole, &a);
    rico_runner_options options = rico_runner_defaults(), on = rico_runner_defaults();
    rico_runner_result how;
    options.scene = "here";
    options.text = SCENE;
    options.output = on.output = part;
    options.overwrite = on.resume = true;
    options.most_steps = 2;
    assert_int_equal(rico_runner_run(ctx, &options, &how), RICO_INTERRUPTED);
    assert_ok(ctx, rico_runner_run(ctx, &on, &how));
    assert_ok(ctx, rico_results_open(ctx, part, &b));
    assert_ok(ctx, rico_results_compare(a, b, difference));
    assert_string_equal(difference, "");
    rico_results_destroy(a);
    rico_results_destroy(b);
    unlink(whole);
    unlink(part);
}


static rico_status view_results(rico_context *own, void *user)
{
    rico_elastic_view *view = NULL;
    rico_status status = rico_elastic_view_open(own, user, &view);
    if (status == RICO_OK) status = rico_elastic_view_read(view, 1);
    rico_elastic_view_destroy(view);
    return status;
}


static rico_status follow_reductions(rico_context *own, void *user)
{
    rico_reductions *all = NULL;
    rico_scene *scene = user;
    rico_simulation *sim = NULL;
    assert_ok(ctx, rico_scene_simulate(scene, &sim));
    rico_status status = rico_reductions_create(own, scene, sim, &all);
    if (status == RICO_OK) status = rico_reductions_step(all, true);
    rico_reductions_destroy(all);
    rico_simulation_destroy(sim);
    return status;
}


static void memory(void **state)
{
    (void)state;
    rico_results *results = NULL;
    run_into(SCENE, NULL, &results);
    assert_true(every_allocation_fails(view_results, results) > 100);
    rico_results_destroy(results);
    run_into(REDUCED, NULL, &results);
    assert_true(every_allocation_fails(view_results, results) > 150);
    rico_results_destroy(results);
    rico_scene *scene = NULL;
    assert_ok(ctx, rico_scene_parse(ctx, "s", REDUCED, (int64_t)strlen(REDUCED), 0, NULL, NULL, 0, &scene));
    assert_true(every_allocation_fails(follow_reductions, scene) > 15);
    rico_scene_destroy(scene);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(views),  cmocka_unit_test(meshes),       cmocka_unit_test(columns),
        cmocka_unit_test(vtk),    cmocka_unit_test(from_statics), cmocka_unit_test(resume),
        cmocka_unit_test(memory), cmocka_unit_test(reductions),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
