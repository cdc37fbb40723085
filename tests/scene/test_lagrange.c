// Parts by formulas: large sparse ones move as matrices do, tangents are those of a reference, memory may end anywhere.

#include "failing_memory.h"
#include "model/assembly.h"
#include "scene/scene.h"
#include "support.h"

static rico_scene *load(rico_context *ctx, const char *file)
{
    const char *here = strstr(__FILE__, "tests/scene/");
    char path[512];
    rico_scene *scene = NULL;
    assert_non_null(here);
    snprintf(path, sizeof path, "%.*stests/trust/%s", (int)(here - __FILE__), __FILE__, file);
    assert_ok(ctx, rico_scene_load(ctx, path, 0, NULL, NULL, 0, &scene));
    return scene;
}


// The chain of 1000 springs by one potential, against its mass and stiffness matrices written by hand.
static void chain(void **state)
{
    (void)state;
    enum { N = 1000, STEPS = 150 };
    rico_context *ctx = rico_context_create(NULL);
    rico_scene *scene = load(ctx, "15-1000-coordinates-hang.yaml");
    rico_system *ours = rico_scene_system(scene), *theirs = NULL;
    assert_int_equal(rico_system_positions(ours), N);
    assert_int_equal(rico_csc_count(&ours->pattern), 3 * N - 2); // sparse: nothing but neighbours

    static int64_t start[N + 1], mass_start[N + 1], row[3 * N], mass_row[N];
    static double K[3 * N], M[N];
    int64_t count = 0;
    for (int64_t j = 0; j < N; j++) {
        for (int64_t i = j - 1; i <= j + 1; i++) {
            if (i < 0 || i >= N) continue;
            row[count] = i;
            K[count++] = i != j ? -1.0 : j == 0 || j == N - 1 ? 1.0 : 2.0;
        }
        start[j + 1] = count;
        mass_start[j + 1] = j + 1;
        mass_row[j] = j;
        M[j] = 1.0;
    }
    const rico_matrix_part part = {
        .size = N, .M = {N, N, mass_start, mass_row, M}, .K = {N, N, start, row, K}};
    const int64_t first = 0;
    const double one = 1.0;
    const rico_contact wall = {.dimension = 1, .reach = {1, &first}, .gradient = &one, .offset = 1.0};
    assert_ok(ctx, rico_system_create(ctx, &theirs));
    assert_ok(ctx, rico_system_add_matrices(theirs, "p", &part, NULL));
    assert_ok(ctx, rico_system_add_contact(theirs, "w", &wall, NULL));

    rico_simulation *a, *b;
    assert_ok(ctx, rico_scene_simulate(scene, &a));
    assert_ok(ctx, rico_simulation_create(theirs, rico_scene_scheme(scene), &b));
    assert_ok(ctx, rico_simulation_start(b, 0.0, rico_scene_position(scene), rico_scene_velocity(scene)));
    for (int k = 0; k < STEPS; k++) {
        assert_ok(ctx, rico_simulation_step(a, 0.01));
        assert_ok(ctx, rico_simulation_step(b, 0.01));
    }
    for (int i = 0; i < N; i++) {
        assert_near(rico_simulation_position(a)[i], rico_simulation_position(b)[i], 1e-12);
        assert_near(rico_simulation_velocity(a)[i], rico_simulation_velocity(b)[i], 1e-12);
    }
    rico_simulation_destroy(a);
    rico_simulation_destroy(b);
    rico_scene_destroy(scene);
    rico_system_destroy(theirs);
    rico_context_destroy(ctx);
}


// K and C of a part with everything in it, against fourth-order differences of its forces.
static void tangents(void **state)
{
    (void)state;
    static const char TEXT[] =
        "parts:\n  p:\n    coordinates: [a, b, c]\n"
        "    kinetic: v_a^2 + v_b^2/2 + v_a*v_b*cos(a - b) + (1 + c^2)*v_c^2/2 + v_c*v_b*sin(a*c)/4\n"
        "    potential: -9.81*(2*cos(a) + cos(b)) + hypot(a, b + 2)^3*c\n"
        "    force: [sin(t)*v_b - v_a*abs(v_a), -tanh(v_b + c)*a, exp(-c^2)*v_c*v_a]\n"
        "time: {end: 1, step: 0.1}\n";
    enum { N = 3 };
    rico_context *ctx = rico_context_create(NULL);
    rico_scene *scene = NULL;
    assert_ok(ctx, rico_scene_parse(ctx, "s", TEXT, (int64_t)strlen(TEXT), 0, NULL, NULL, 0, &scene));
    rico_system *system = rico_scene_system(scene);
    rico_assembly *assembly = NULL;
    assert_ok(ctx, rico_assembly_create(ctx, system, &assembly));
    rico_random random;
    rico_random_seed(&random, 31);
    for (int round = 0; round < 50; round++) {
        double x[2 * N], f[N];
        for (int i = 0; i < 2 * N; i++) x[i] = rico_random_range(&random, -1.0, 1.0);
        assert_ok(ctx, rico_assembly_tangents(assembly, 0.7, x, x + N));
        for (int j = 0; j < 2 * N; j++) {
            static const double weight[4] = {1.0, -8.0, 8.0, -1.0}, side[4] = {-2.0, -1.0, 1.0, 2.0};
            const double h = 1e-3;
            double column[N] = {0.0}, keep = x[j];
            for (int k = 0; k < 4; k++) {
                x[j] = keep + side[k] * h;
                assert_ok(ctx, rico_assembly_forces(assembly, 0.7, x, x + N, f, NULL, NULL));
                for (int i = 0; i < N; i++) column[i] -= weight[k] * f[i] / (12.0 * h);
            }
            x[j] = keep;
            const double *value = j < N ? assembly->K : assembly->C;
            const rico_csc *pattern = &system->pattern;
            for (int64_t k = pattern->start[j % N]; k < pattern->start[j % N + 1]; k++)
                assert_near(value[k], column[pattern->row[k]], 1e-7);
        }
    }
    rico_assembly_destroy(assembly);
    rico_scene_destroy(scene);
    rico_context_destroy(ctx);
}


static rico_status read_scene(rico_context *ctx, void *user)
{
    const char *text = user;
    rico_scene *scene = NULL;
    rico_status status = rico_scene_parse(ctx, "s", text, (int64_t)strlen(text), 0, NULL, NULL, 0, &scene);
    if (status != RICO_OK) assert_null(scene);
    rico_scene_destroy(scene);
    return status;
}


// Every allocation fails once while a scene with all kinds of things is read.
static void memory(void **state)
{
    (void)state;
    static char TEXT[] =
        "parameters: {k: 2}\n"
        "parts:\n"
        "  p: {coordinates: [x, y], mass: [1, 2 + x^2], potential: k*x^2*y, force: [-v_x, sin(t)]}\n"
        "  b: {kind: bar, elements: 3, length: 1, section: 1, young: 1, density: 1}\n"
        "springs: {s: {length: x - y, stiffness: 1, damping: 1}}\n"
        "forces: {f: {potential: x*y^2}, g: {force: {x: v_y, y: sin(t)}}}\n"
        "contacts: {c: {gap: y - sin(x) + 3, tangent: x - t, friction: 0.1}}\n"
        "joints: {j: {equations: [x - y^2 - 2]}}\n"
        "initial: {position: {x: 1}, velocity: {x: 1}, repair: true}\n"
        "time: {end: 1, step: 0.1}\n";
    assert_true(every_allocation_fails(read_scene, TEXT) > 200);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chain),
        cmocka_unit_test(tangents),
        cmocka_unit_test(memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
