// Runs of reduced elastic parts beside the same with all nodes: impact, sliding, equilibrium, and the estimated error beside the true one.

#include "one_context.h"

#include "ricochet/elastic.h"
#include "ricochet/simulation.h"
#include "scene/scene.h"

#include <stdio.h>

// A scene and its run.
typedef struct running {
    rico_scene *scene;
    rico_simulation *sim;
    int64_t part, nodes;
    rico_place place;
    double *u, h, end;
} running;


static running begin(const char *text)
{
    running own = {0};
    assert_ok(ctx, rico_scene_parse(ctx, "s", text, (int64_t)strlen(text), 0, NULL, NULL, 0, &own.scene));
    assert_ok(ctx, rico_scene_simulate(own.scene, &own.sim));
    const rico_elastic_part *part = rico_scene_elastic_part(own.scene, 0, NULL, &own.part, &own.place);
    own.nodes = rico_mesh_look(part->mesh).nodes;
    own.u = calloc((size_t)(3 * own.nodes), sizeof *own.u);
    own.h = rico_scene_times(own.scene).step;
    own.end = rico_scene_times(own.scene).end;
    return own;
}


static void recover(running *own)
{
    assert_ok(ctx, rico_elastic_recover(rico_scene_system(own->scene), ctx, own->part,
                                        rico_simulation_position(own->sim) + own->place.q, own->u));
}


static void finish(running *own)
{
    rico_simulation_destroy(own->sim);
    rico_scene_destroy(own->scene);
    free(own->u);
}


// sqrt(u'K u) of a field over the nodes of a whole part.
static double norm_of(const running *whole, const double *u)
{
    const rico_system *system = rico_scene_system(whole->scene);
    double *q = calloc((size_t)whole->place.q_size, sizeof *q),
           *v = calloc((size_t)whole->place.v_size, sizeof *v), kinetic, potential;
    assert_ok(ctx, rico_elastic_fit(system, ctx, whole->part, u, q));
    assert_ok(ctx, rico_elastic_energies(system, ctx, whole->part, q, v, &kinetic, &potential));
    free(q), free(v);
    return sqrt(2.0 * potential);
}


// Largest norms over two runs side by side.
typedef struct compared {
    double farthest;        // of two nodes, over the largest displacement
    double error, estimate; // in the norm of energy, over the largest of the whole
    int64_t unknowns;
} compared;

static compared compare(const char *full, const char *reduced)
{
    running a = begin(full), b = begin(reduced);
    compared out = {.unknowns = b.place.v_size};
    double longest = 0.0, scale = 0.0, *d = calloc((size_t)(3 * a.nodes), sizeof *d);
    rico_elastic_error *watch = NULL;
    assert_ok(ctx, rico_elastic_error_create(rico_scene_system(b.scene), ctx, b.part, &watch));
    assert_int_equal(a.nodes, b.nodes);
    rico_elastic_error_follow(watch, rico_simulation_time(b.sim),
                              rico_simulation_velocity(b.sim) + b.place.v);
    while (rico_simulation_time(a.sim) < a.end - 1e-9 * a.h) {
        rico_elastic_error_norms now;
        assert_ok(ctx, rico_simulation_step(a.sim, a.h));
        assert_ok(ctx, rico_simulation_step(b.sim, b.h));
        recover(&a), recover(&b);
        for (int64_t i = 0; i < 3 * a.nodes; i++) {
            d[i] = b.u[i] - a.u[i];
            out.farthest = fmax(out.farthest, fabs(d[i]));
            longest = fmax(longest, fabs(a.u[i]));
        }
        const double *q = rico_simulation_position(b.sim) + b.place.q,
                     *v = rico_simulation_velocity(b.sim) + b.place.v;
        rico_elastic_error_follow(watch, rico_simulation_time(b.sim), v);
        assert_ok(ctx, rico_elastic_error_look(watch, q, v, &now));
        out.error = fmax(out.error, norm_of(&a, d));
        out.estimate = fmax(out.estimate, now.error);
        scale = fmax(scale, norm_of(&a, a.u));
    }
    out.farthest /= longest, out.error /= scale, out.estimate /= scale;
    rico_elastic_error_destroy(watch);
    free(d);
    finish(&a);
    finish(&b);
    return out;
}


// --- impact ----------------------------------------------------------------------------------------------------------

// A block falls onto the ground, turned by an angle, slides and leaves it.
static const char *block(char text[2048], int cells, double angle, const char *reduce, const char *scheme)
{
    snprintf(
        text, 2048,
        "elastic:\n"
        "  block:\n"
        "    mesh: {rectangle: {size: [4, 4], cells: [%d, %d]}}\n"
        "    rotation: {angle: %g}\n"
        "    model: plane strain\n"
        "    material: {young: 100, poisson: 0.3, density: 1, damping: {beta: 0.005}}\n"
        "    position: [0, 0.0513]\n" // at 0.05 the gap closes at the end of a step, and round-off decides in which
        "    velocity: [0.5, -1]\n"
        "%s"
        "contacts: {ground: {nodes: block.bottom, against: {plane: {normal: [0, 1]}}, friction: 0.3}}\n"
        "time: {end: %g, step: 0.005}\n"
        "scheme: %s\n",
        cells, cells, angle, reduce, angle == 0.0 ? 1.2 : 0.5, scheme);
    return text;
}


// As many modes as inner unknowns: only other coordinates for the same motion, with schemes of every kind. direct-projection is not among them: it moves
// coordinates by as little as it can, which depends on what they are.
static void all_modes_are_the_whole(void **state)
{
    (void)state;
    static const char *const SCHEMES[] = {"moreau-jean",
                                          "{name: moreau-jean, theta: 1}",
                                          "moreau-jean-fremond",
                                          "newmark",
                                          "hht",
                                          "kh-generalized-alpha",
                                          "schatzman-paoli",
                                          "trapezoidal-position",
                                          "midpoint-projection",
                                          "moreau-jean-projected",
                                          "generalized-alpha-constrained",
                                          "event-driven"};
    for (size_t i = 0; i < sizeof SCHEMES / sizeof *SCHEMES; i++) {
        char full[2048], less[2048];
        compared got = compare(block(full, 4, 10.0, "", SCHEMES[i]),
                               block(less, 4, 10.0, "    reduce: {modes: 40}\n", SCHEMES[i]));
        assert_int_equal(got.unknowns, 50);
        if (!(got.farthest < 1e-9)) fail_msg("%s: %g", SCHEMES[i], got.farthest);
        assert_near(got.estimate, 0.0, 0.0);
    }
}


// The error falls as modes come in, and the estimate is it within a factor of 2.5.
static void more_modes_are_nearer(void **state)
{
    (void)state;
    static const int64_t MODES[] = {5, 10, 20, 40};
    compared last = {.error = INFINITY, .estimate = INFINITY};
    for (int i = 0; i < 4; i++) {
        char full[2048], less[2048], reduce[64];
        snprintf(reduce, sizeof reduce, "    reduce: {modes: %d}\n", (int)MODES[i]);
        compared got =
            compare(block(full, 6, 0.0, "", "moreau-jean"), block(less, 6, 0.0, reduce, "moreau-jean"));
        assert_true(got.error < last.error);
        assert_true(got.estimate < last.estimate);
        assert_true(got.estimate > 0.4 * got.error && got.estimate < 2.5 * got.error);
        last = got;
    }
}

// Without an impact: a body held below is shaken by a load inside that rises and falls once, slowly for the modes that are left out.
static void a_load_inside(void **state)
{
    (void)state;
    static const char TEXT[] =
        "elastic:\n"
        "  p: {mesh: {rectangle: {size: [2, 1], cells: [8, 4]}}, model: plane stress, fixed: {left: all},\n"
        "    material: {young: 100, density: 1}, loads: {a: {body: [0, 'sin(4*t)*x']}, b: {on: top, "
        "pressure: "
        "0.5, times: cos(3*t)}}%s}\n"
        "time: {end: 1.5, step: 0.005}\nscheme: moreau-jean\n";
    compared last = {.error = INFINITY};
    for (int modes = 4; modes <= 16; modes *= 2) {
        char full[1024], less[1024], reduce[64];
        snprintf(reduce, sizeof reduce, ", reduce: {modes: %d, keep: [right]}", modes);
        snprintf(full, sizeof full, TEXT, "");
        snprintf(less, sizeof less, TEXT, reduce);
        compared got = compare(full, less);
        assert_true(got.error < last.error);
        assert_true(got.estimate > 0.4 * got.error && got.estimate < 2.5 * got.error);
        last = got;
    }
}


// --- rest and sliding ------------------------------------------------------------------------------------------------

// A block pressed and pushed on the ground, without inertia: everything acts on kept nodes, so no mode is needed.
static void quasi_static_contact_is_exact(void **state)
{
    (void)state;
    static const char TEXT[] =
        "elastic:\n"
        "  p: {mesh: {rectangle: {size: [2, 1], cells: [8, 4]}}, model: plane strain, moved: {top: {x: "
        "'0.02*sin(3*t)', y: -0.01}}, material: {young: 100, density: 1}%s}\n"
        "contacts: {ground: {nodes: p.bottom, against: {plane: {normal: [0, 1]}}, friction: 0.4}}\n"
        "time: {end: 1, step: 0.1}\nscheme: quasi-static\n";
    char full[1024], less[1024];
    snprintf(full, sizeof full, TEXT, "");
    snprintf(less, sizeof less, TEXT, ", reduce: {modes: 0}");
    compared got = compare(full, less);
    assert_int_equal(got.unknowns, 4 * 9);
    assert_true(got.farthest < 1e-10);
    assert_true(got.error < 1e-9);
    assert_true(got.estimate < 1e-9);
}


// A block falls on another that is reduced, by both kinds of contact between meshes.
static void between_meshes(void **state)
{
    (void)state;
    static const char TEXT[] =
        "elastic:\n"
        "  low: {mesh: {rectangle: {size: [2, 1], cells: [6, 3]}}, model: plane strain, fixed: {bottom: "
        "all}, "
        "material: {young: 100, density: 1}%s}\n"
        "  high: {mesh: {rectangle: {size: [1, 0.5], cells: [4, 2]}}, model: plane strain, position: [0.52, "
        "1.02], velocity: [0.2, -1], material: {young: 100, density: 1}}\n"
        "contacts: {pair: {nodes: high.bottom, faces: low.top, friction: 0.5, method: %s}}\n"
        "time: {end: 0.15, step: 0.005}\nscheme: moreau-jean\n";
    static const char *const METHODS[] = {"mortar", "nodes"};
    for (int i = 0; i < 2; i++) {
        char full[2048], less[2048];
        snprintf(full, sizeof full, TEXT, "", METHODS[i]);
        snprintf(less, sizeof less, TEXT, ", reduce: {modes: 28}", METHODS[i]);
        compared got = compare(full, less);
        assert_int_equal(got.unknowns, 2 * 7 + 28);
        if (!(got.farthest < 1e-8)) fail_msg("%s: %g", METHODS[i], got.farthest);
    }
}


// Rods, rings and solids, placed and moving: as many modes as there are, and fewer by a frequency above all.
static void other_models(void **state)
{
    (void)state;
    static const char *const PARTS[] = {
        "mesh: {bar: {length: 2, cells: 6}}, rotation: {angle: 90}, position: [3, 0.05], velocity: [-1], "
        "material: {young: 100, density: 1}",
        "mesh: {rectangle: {size: [1, 2], cells: [2, 4]}}, model: axisymmetric, position: [0, 0.05], "
        "velocity: "
        "[0, -1], material: {young: 100, density: 1}",
        "mesh: {box: {size: [1, 1, 1], cells: [2, 2, 2]}}, mass: lumped, remedy: modes, position: [0, 0.05, "
        "0], "
        "velocity: [0.3, -1, 0.1], material: {young: 100, density: 1}"};
    static const char *const CONTACTS[] = {
        "nodes: p.start, against: {plane: {normal: [0, 1]}}",
        "nodes: p.bottom, against: {plane: {normal: [0, 1]}}, friction: 0.2",
        "nodes: p.front, against: {plane: {normal: [0, 1, 0]}}, friction: 0.2"};
    for (int i = 0; i < 3; i++) {
        char full[1024], less[1024];
        const char *text =
            "elastic: {p: {%s%s}}\ncontacts: {ground: {%s}}\ntime: {end: 0.3, step: 0.005}\nscheme: "
            "moreau-jean\n";
        snprintf(full, sizeof full, text, PARTS[i], "", CONTACTS[i]);
        snprintf(less, sizeof less, text, PARTS[i], ", reduce: {below: 1e4}", CONTACTS[i]);
        compared got = compare(full, less);
        if (!(got.farthest < 1e-9)) fail_msg("%s: %g", PARTS[i], got.farthest);
    }
}


// The equilibrium of a start, under a weight that all modes bear together; both are as near to it as their contacts are solved, against the
// velocities of bodies that nothing else holds.
static void starts_in_equilibrium(void **state)
{
    (void)state;
    static const char TEXT[] =
        "elastic: {p: {mesh: {rectangle: {size: [2, 1], cells: [6, 3]}}, model: plane strain, material: "
        "{young: 100, density: 1}%s}}\n"
        "gravity: [0, -1]\n"
        "contacts: {ground: {nodes: p.bottom, against: {plane: {normal: [0, 1]}}, friction: 0.5}}\n"
        "initial: {equilibrium: true, sticking: true}\n"
        "time: {end: 1, step: 0.01}\nscheme: {name: moreau-jean, tol: 1e-13}\n";
    char full[1024], less[1024];
    snprintf(full, sizeof full, TEXT, "");
    snprintf(less, sizeof less, TEXT, ", reduce: {modes: 42}");
    running a = begin(full), b = begin(less);
    recover(&a), recover(&b);
    double deepest = 0.0;
    for (int64_t i = 0; i < 3 * a.nodes; i++) {
        assert_near(b.u[i], a.u[i], 1e-8);
        deepest = fmin(deepest, a.u[i]);
    }
    assert_true(deepest < -0.003); // rho g h^2/2 over E/(1 - nu^2) or less
    finish(&a);
    finish(&b);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_modes_are_the_whole), cmocka_unit_test(more_modes_are_nearer),
        cmocka_unit_test(a_load_inside),           cmocka_unit_test(quasi_static_contact_is_exact),
        cmocka_unit_test(between_meshes),          cmocka_unit_test(other_models),
        cmocka_unit_test(starts_in_equilibrium)};
    return cmocka_run_group_tests(tests, context_start, context_end);
}
