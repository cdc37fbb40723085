// Elastic parts in scenes: states against exact solutions, loads, motions, contacts of every form, and all of it beside other parts.

#include "one_context.h"

#include "ricochet/simulation.h"
#include "scene/scene.h"

#define STATIC "time: {end: 1, step: 0.5}\nscheme: quasi-static\n"
#define PLATE "mesh: {rectangle: {size: [2, 1], cells: [4, 2]}}, model: plane stress, "


static rico_scene *parse(const char *text)
{
    rico_scene *scene = NULL;
    assert_ok(ctx, rico_scene_parse(ctx, "s", text, (int64_t)strlen(text), 0, NULL, NULL, 0, &scene));
    return scene;
}


// The end of a run: the number of a probe by its name.
typedef struct ended {
    rico_scene *scene;
    rico_simulation *sim;
    double *v_before, *values, t_before;
} ended;

static bool remember(void *user, rico_simulation *sim)
{
    (void)sim;
    ended *own = user;
    own->t_before = rico_simulation_time(own->sim);
    return true;
}


static ended finish(const char *text)
{
    ended own = {.scene = parse(text)};
    rico_scene_time time = rico_scene_times(own.scene);
    assert_ok(ctx, rico_scene_simulate(own.scene, &own.sim));
    int64_t nv = rico_system_velocities(rico_scene_system(own.scene));
    own.v_before = calloc((size_t)nv + 1, sizeof(double));
    own.values = calloc((size_t)rico_scene_probes(own.scene) + 1, sizeof(double));
    while (rico_simulation_time(own.sim) < time.end - 1e-9 * time.step) {
        remember(&own, own.sim);
        memcpy(own.v_before, rico_simulation_velocity(own.sim), (size_t)nv * sizeof(double));
        assert_ok(ctx, rico_simulation_step(own.sim, time.step));
    }
    const rico_scene_state state = {.t = rico_simulation_time(own.sim),
                                    .h = rico_simulation_time(own.sim) - own.t_before,
                                    .q = rico_simulation_position(own.sim),
                                    .v = rico_simulation_velocity(own.sim),
                                    .v_before = own.v_before};
    assert_ok(ctx, rico_scene_read_probes(own.scene, ctx, own.sim, &state, own.values));
    return own;
}


static double at(const ended *own, const char *name)
{
    char label[RICO_SCENE_NAME];
    for (int64_t i = 0; i < rico_scene_probes(own->scene); i++) {
        rico_scene_probe_name(own->scene, i, label);
        if (strcmp(label, name) == 0) return own->values[i];
    }
    fail_msg("there is no probe %s", name);
    return 0.0;
}


static void release(ended *own)
{
    rico_simulation_destroy(own->sim);
    rico_scene_destroy(own->scene);
    free(own->v_before);
    free(own->values);
}


// --- statics ---------------------------------------------------------------------------------------------------------

// A hanging rod: u = rho g L^2/(2 E), exact at nodes; the support bears its weight. And turned: it hangs along its axis.
static void hanging_rod(void **state)
{
    (void)state;
    ended own = finish(
        "elastic:\n"
        "  rod: {mesh: {bar: {length: 2, cells: 5}}, material: {young: 100, density: 3, thickness: 0.5}, "
        "rotation: {angle: -90}, fixed: {start: all}}\n"
        "gravity: [0, -10]\n" STATIC
        "output: {probes: {tip: {part: rod, at: [0, -2]}}, reactions: {top: rod.start}}\n");
    assert_near(at(&own, "tip.u_x"), 3.0 * 10.0 * 4.0 / (2.0 * 100.0), 1e-12);
    assert_near(fabs(at(&own, "top.fx")), 0.0, 1e-9); // along x of the world nothing acts
    release(&own);
}


// Uniaxial stress: u = sigma L/E, contraction nu u; reaction = stress x area. By a traction, a pressure, forces of one node and a motion.
static void uniaxial(void **state)
{
    (void)state;
    static const char *const HOW[] = {
        "loads: {a: {on: right, traction: [6*t, 0]}}", "loads: {a: {on: right, pressure: -6, times: t}}",
        "loads: {a: {on: right, traction: ['if(y > -1, 6*t, 0)', 0]}}",
        "loads: {a: {on: right, traction: ['6 + 0*x', 0], times: t^2}}", "moved: {right: {x: 0.12*t}}"};
    for (size_t i = 0; i < sizeof HOW / sizeof *HOW; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "elastic:\n  p: {" PLATE
                 "material: {young: 100, poisson: 0.25, density: 1, thickness: 0.1}, fixed: "
                 "{left: [x], bottom: [y]}, %s}\n" STATIC
                 "output: {probes: {c: {part: p, at: [2, 1]}}, reactions: {wall: p.left, end: p.right}}\n",
                 HOW[i]);
        ended own = finish(text);
        assert_near(at(&own, "c.u_x"), 0.12, 1e-12);
        assert_near(at(&own, "c.u_y"), -0.25 * 0.06, 1e-12);
        assert_near(at(&own, "c.x"), 2.12, 1e-12);
        assert_near(at(&own, "wall.fx"), -0.6, 1e-12);
        assert_near(at(&own, "end.fx"), i == 4 ? 0.6 : 0.0, 1e-12);
        assert_near(at(&own, "c.v_x"), 0.0, 0.0);
        release(&own);
    }
}


// Of a load that depends on t alone, on x alone, or on both, the resultant is its integral; weight acts once.
static void resultants(void **state)
{
    (void)state;
    ended own = finish(
        "parameters: {g: 10}\n"
        "elastic:\n  p: {" PLATE "material: {young: 100, density: 2, thickness: 0.5}, fixed: {bottom: "
        "all}, loads: {a: {on: top, traction: [3*t, 0]}, b: {on: top, traction: [0, x^2]}, c: {on: right, "
        "traction: [t*y, 0]}, d: {body: [0, x]}, e: {on: top, force: [0, 7]}, f: {on: left, pressure: "
        "4*t}}}\n"
        "gravity: [0, -g]\n" STATIC "output: {reactions: {foot: p.bottom}}\n");
    // thickness 0.5: a 3 x 2, c 1/2, f 4 x 1; b 8/3, d 2, e on 5 nodes, weight 2 x 10 x 2
    assert_near(at(&own, "foot.fx"), -0.5 * (6.0 + 0.5 + 4.0), 1e-11);
    assert_near(at(&own, "foot.fy"), -0.5 * (8.0 / 3.0 + 2.0) - 35.0 + 0.5 * 40.0, 1e-11);
    release(&own);
}


// Two materials in series, one of them orthotropic with its axes turned by 90 degrees: strains sigma/E_1 and sigma/E_2.
static void materials(void **state)
{
    (void)state;
    rico_mesh_rectangle options = rico_mesh_rectangle_default();
    rico_mesh *mesh = NULL, *two = NULL;
    assert_ok(ctx, rico_mesh_make_rectangle(ctx, &options, &mesh));
    rico_mesh_view look = rico_mesh_look(mesh);
    // the lower and the upper half as groups, through a file
    int64_t *half = calloc((size_t)look.cells, sizeof *half), low = 0, high = 0, left = look.cells;
    for (int64_t c = 0; c < look.cells; c++) {
        double y = 0.0;
        if (look.kind[c] != RICO_CELL_Q4) continue;
        for (int64_t k = look.start[c]; k < look.start[c + 1]; k++) y += look.position[3 * look.node[k] + 1];
        if (y < 2.0)
            half[low++] = c;
        else
            half[left - ++high] = c;
    }
    rico_mesh_group bottom = rico_mesh_group_at(mesh, rico_mesh_group_find(mesh, "bottom")),
                    top = rico_mesh_group_at(mesh, rico_mesh_group_find(mesh, "top")),
                    side = rico_mesh_group_at(mesh, rico_mesh_group_find(mesh, "left"));
    int64_t *above = calloc((size_t)high + 1, sizeof *above);
    for (int64_t k = 0; k < high; k++) above[k] = half[left - high + k];
    const rico_mesh_group groups[] = {{"low", 2, low, half}, {"high", 2, high, above}, bottom, top, side};
    const rico_mesh_arrays arrays = {.dimension = 2,
                                     .nodes = look.nodes,
                                     .position = look.position,
                                     .cells = look.cells,
                                     .kind = look.kind,
                                     .node = look.node,
                                     .groups = 5,
                                     .group = groups};
    assert_ok(ctx, rico_mesh_create(ctx, &arrays, &two));
    assert_ok(ctx, rico_mesh_write_vtu(ctx, two, NULL, "test_scene_elastic.vtu"));
    ended own = finish(
        "elastic:\n  p:\n    mesh: test_scene_elastic.vtu\n    model: plane stress\n    materials:\n"
        "      low: {young: 10, poisson: 0, density: 1}\n"
        "      high: {density: 1, orthotropic: {young: [40, 7, 7], poisson: [0, 0, 0], shear: [3, 3, 3], "
        "rotation: 90}}\n"
        "    fixed: {bottom: [y], left: [x]}\n    moved: {top: {y: 0.5*t}}\n" STATIC
        "output: {reactions: {top: p.top}, probes: {m: {part: p, at: [0.5, 0.5]}}}\n");
    double force = 0.5 / (0.5 / 10.0 + 0.5 / 40.0);
    assert_near(at(&own, "top.fy"), force, 1e-11);
    assert_near(at(&own, "m.u_y"), force * 0.5 / 10.0, 1e-12);
    assert_non_null(strstr(rico_scene_file(own.scene, 0), "test_scene_elastic.vtu"));
    release(&own);
    remove("test_scene_elastic.vtu");
    rico_mesh_destroy(mesh);
    rico_mesh_destroy(two);
    free(half);
    free(above);
}


// --- contacts --------------------------------------------------------------------------------------------------------

// A block on a floor of every form: the floor bears its weight, and friction what pulls at it.
static void floors(void **state)
{
    (void)state;
    static const char *const WHAT[] = {
        "against: {plane: {normal: [0, 3], through: [7, 0]}}",
        "against: {shape: line}",
        "against: {shape: {rectangle: {size: [9, 2]}}, position: [0, -1]}",
        "surface: 2*y",
        "body: ground",
        "faces: base.top",
        "faces: base.top, method: nodes",
        "faces: base.top, method: both",
    };
    for (size_t i = 0; i < sizeof WHAT / sizeof *WHAT; i++) {
        char text[1536];
        snprintf(text, sizeof text,
                 "elastic:\n"
                 "  p: {" PLATE "material: {young: 1e4, density: 2}, loads: {a: {body: [3*t, 0]}}}\n"
                 "  base: {mesh: {rectangle: {size: [4, 1], cells: [7, 2]}}, model: plane stress, material: "
                 "{young: "
                 "1e6, density: 2}, position: [-1, -1], fixed: {bottom: all}}\n"
                 "bodies: {ground: {shape: {rectangle: {size: [9, 2]}}, position: [0, -1], fixed: true}}\n"
                 "gravity: [0, -10]\n"
                 "contacts: {c: {nodes: p.bottom, %s, friction: 0.5}}\n" STATIC,
                 WHAT[i]);
        ended own = finish(text);
        assert_near(at(&own, "c.fy"), 40.0, 1e-7);
        assert_near(at(&own, "c.fx"), -6.0, 1e-7);
        release(&own);
    }
}


// A cube of space on a plane that leans by arctan(1/2): with mu = 0.6 it sticks, and the plane bears all of its weight.
static void leaning(void **state)
{
    (void)state;
    ended own = finish(
        "elastic:\n  p: {mesh: {box: {cells: [2, 2, 2]}}, material: {young: 1e4, density: 2}, rotation: "
        "{angle: 'atan(0.5)*180/pi', axis: [0, -1, 0]}}\n"
        "gravity: [0, 0, -10]\n"
        "contacts: {c: {nodes: p.bottom, against: {plane: {normal: [-1, 0, 2]}}, friction: 0.6}}\n" STATIC);
    assert_near(at(&own, "c.fx"), 0.0, 1e-6);
    assert_near(at(&own, "c.fy"), 0.0, 1e-6);
    assert_near(at(&own, "c.fz"), 20.0, 1e-6);
    release(&own);
}


// --- starts ----------------------------------------------------------------------------------------------------------

// v + w x r about the centre of mass; kinetic energy m v^2/2 + J w^2/2 with a consistent mass, J = m (a^2 + b^2)/12.
static void thrown(void **state)
{
    (void)state;
    rico_scene *scene =
        parse("elastic:\n  p: {" PLATE "material: {young: 1e4, density: 3}, rotations: large, position: [5, "
              "6], rotation: 30, velocity: [1, 2], spin: 4}\n"
              "time: {end: 1, step: 0.1}\n");
    double kinetic, potential, m = 6.0;
    assert_ok(ctx, rico_system_energies(rico_scene_system(scene), rico_scene_position(scene),
                                        rico_scene_velocity(scene), &kinetic, &potential));
    assert_near(kinetic, 0.5 * m * 5.0 + 0.5 * m * (4.0 + 1.0) / 12.0 * 16.0, 1e-10);
    assert_near(potential, 0.0, 1e-12);
    rico_scene_destroy(scene);
}


// The equilibrium of the start is that of a quasi-static run; a rod under its weight stays where it is.
static void equilibrium(void **state)
{
    (void)state;
    ended own = finish("elastic:\n  p: {" PLATE "material: {young: 1e3, density: 2}, position: [0, 0.001]}\n"
                       "gravity: [0, -10]\ninitial: {equilibrium: true}\n"
                       "contacts: {c: {nodes: p.bottom, against: {plane: {normal: [0, 1]}}, friction: 0.5}}\n"
                       "time: {end: 0.02, step: 1e-3}\n"
                       "output: {probes: {top: {part: p, at: [1, 1]}}}\n");
    assert_near(at(&own, "c.fy"), 40.0, 1e-5);
    assert_true(fabs(at(&own, "top.v_y")) < 1e-6);
    release(&own);
}


// Moved nodes start on their motion, with its velocity where there is inertia.
static void on_the_way(void **state)
{
    (void)state;
    static const char *const SCHEMES[] = {"midpoint-projection", "quasi-static"};
    for (int i = 0; i < 2; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "elastic:\n  r: {mesh: {bar: {cells: 2}}, material: {young: 1, density: 1}, moved: {start: "
                 "{x: 1 + "
                 "3*t}, all: {x: 1 + 3*t}}}\ntime: {end: 1, step: 0.1}\nscheme: %s\n",
                 SCHEMES[i]);
        rico_scene *scene = parse(text);
        for (int k = 0; k < 3; k++) {
            assert_near(rico_scene_position(scene)[k], 1.0, 0.0);
            assert_near(rico_scene_velocity(scene)[k], i == 0 ? 3.0 : 0.0, 0.0);
        }
        assert_int_equal(rico_system_constraints(rico_scene_system(scene)),
                         3); // what two groups say alike counts once
        rico_scene_destroy(scene);
    }
}


// --- with others -----------------------------------------------------------------------------------------------------

// A part by formulas, bodies with a joint, a beam and an elastic part in one scene: each as if alone.
static void together(void **state)
{
    (void)state;
    ended own =
        finish("parts: {mass: {coordinates: [x], mass: 1, force: [2]}}\n"
               "elastic: {r: {mesh: {bar: {cells: 4}}, material: {young: 4, density: 1}, position: [50, 0], "
               "velocity: [3]}}\n"
               "bodies: {ball: {shape: {disc: 0.1}, density: 1, position: [0, 5], velocity: [1, 0]}, arm: "
               "{shape: {disc: 0.1}, density: 1, position: [9, 9]}}\n"
               "beams: {rod: {from: [20, 0], to: [21, 0], elements: 2, section: {circle: 0.01}, young: 1e9, "
               "density: 1000, velocity: [0, 1]}}\n"
               "joints: {pin: {kind: revolute, between: [world, arm], at: [9, 9]}}\n"
               "springs: {s: {length: x, stiffness: 1e-9}}\n"
               "contacts: {wall: {gap: 100 - x}}\n"
               "time: {end: 0.5, step: 0.01}\nscheme: moreau-jean\n"
               "output: {probes: {end: {part: r, at: [51, 0]}}}\n");
    assert_near(at(&own, "end.x"), 51.0 + 1.5, 1e-10);
    assert_near(at(&own, "end.v_x"), 3.0, 1e-10);
    const double *q = rico_simulation_position(own.sim);
    char name[RICO_SCENE_NAME];
    bool met = false;
    for (int64_t i = 0; i < rico_system_positions(rico_scene_system(own.scene)); i++) {
        rico_scene_position_name(own.scene, i, name);
        if (strcmp(name, "x") == 0) assert_near(q[i], 0.25, 0.02);
        if (strcmp(name, "ball.x") == 0) assert_near(q[i], 0.5, 1e-10);
        if (strcmp(name, "rod-1.y") == 0) assert_near(q[i], 0.5, 1e-8);
        met |= strcmp(name, "r[4]") == 0;
    }
    assert_true(met);
    const char *part_name;
    int64_t part;
    rico_place place;
    assert_int_equal(rico_scene_elastic_count(own.scene), 1);
    const rico_elastic_part *given = rico_scene_elastic_part(own.scene, 0, &part_name, &part, &place);
    assert_string_equal(part_name, "r");
    assert_int_equal(part, 1);
    assert_true(place.q == 1 && place.q_size == 5 && given->hypothesis == RICO_ROD);
    assert_null(rico_scene_elastic_part(own.scene, 1, NULL, NULL, NULL));
    release(&own);
}


// An elastic block and a rigid ball that falls on it: their momentum changes by the weight alone while the ground bears nothing.
static void ball_on_block(void **state)
{
    (void)state;
    ended own =
        finish("elastic: {p: {" PLATE "material: {young: 1e5, density: 1}}}\n"
               "bodies: {ball: {shape: {disc: 0.5}, density: 1, position: [1, 1.51], velocity: [0, -1]}}\n"
               "contacts: {hit: {nodes: p.top, body: ball}}\n"
               "time: {end: 0.05, step: 1e-3}\nscheme: moreau-jean\n");
    const double *v = rico_simulation_velocity(own.sim);
    double ball = M_PI * 0.25, block = 0.0;
    rico_place place;
    const rico_bodies *bodies = rico_scene_body_set(own.scene, &place, NULL);
    assert_non_null(bodies);
    // lumped by hand: momentum of a consistent mass is that of the mean over elements of four nodes
    int64_t part;
    const rico_elastic_part *given = rico_scene_elastic_part(own.scene, 0, NULL, &part, NULL);
    rico_mesh_view look = rico_mesh_look(given->mesh);
    for (int64_t c = 0; c < look.cells; c++)
        for (int64_t k = look.start[c]; look.kind[c] == RICO_CELL_Q4 && k < look.start[c + 1]; k++)
            block +=
                0.25 * 0.25 * v[rico_elastic_velocity(rico_scene_system(own.scene), part, look.node[k], 1)];
    assert_true(v[place.v + 1] > -0.99);
    assert_near(ball * v[place.v + 1] + block, -ball, 1e-9);
    release(&own);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hanging_rod), cmocka_unit_test(uniaxial),      cmocka_unit_test(resultants),
        cmocka_unit_test(materials),   cmocka_unit_test(floors),        cmocka_unit_test(leaning),
        cmocka_unit_test(thrown),      cmocka_unit_test(equilibrium),   cmocka_unit_test(on_the_way),
        cmocka_unit_test(together),    cmocka_unit_test(ball_on_block),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
