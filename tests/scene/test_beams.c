// Beams in scenes: how they move, what holds on to them, every scheme, and what is refused and with which words.

#include "failing_memory.h"
#include "moving_schemes.h"
#include "one_context.h"

#include "la/dense.h"
#include "la/quaternion.h"
#include "model/bodies_look.h"
#include "ricochet/beams.h"
#include "ricochet/simulation.h"
#include "scene/scene.h"

#define SOFT "section: {rectangle: [0.01, 0.02]}, young: 2.1e9, density: 7800"
#define STEEL "section: {area: 1e-4, bending: 8.33e-10}, young: 2.1e11, density: 7800"
#define ALPHA "scheme: {name: generalized-alpha-constrained, levels: PVA, strategy: 3, rho-inf: 0.8}\n"


static rico_scene *parse(const char *text)
{
    rico_scene *scene = NULL;
    assert_ok(ctx, rico_scene_parse(ctx, "s", text, (int64_t)strlen(text), 0, NULL, NULL, 0, &scene));
    return scene;
}


static rico_simulation *run(rico_scene *scene, double t)
{
    rico_simulation *sim;
    assert_ok(ctx, rico_scene_simulate(scene, &sim));
    rico_run_options options = rico_run_defaults(rico_scene_times(scene).step);
    assert_ok(ctx, rico_simulation_run(sim, t, &options, NULL, NULL, NULL));
    return sim;
}


static void close_both(rico_simulation *sim, rico_scene *scene)
{
    rico_simulation_destroy(sim);
    rico_scene_destroy(scene);
}


// Where a body is, in the system's q.
static const double *place_of(rico_scene *scene, const rico_simulation *sim, const char *name)
{
    rico_place place;
    const rico_bodies *bodies = rico_scene_body_set(scene, &place, NULL);
    int64_t body = rico_bodies_find(bodies, name);
    assert_true(body >= 0);
    return rico_simulation_position(sim) + place.q + rico_bodies_position(bodies, body);
}


// --- motions ---------------------------------------------------------------------------------------------------------

// The flexible pendulum of Bruls, Acary and Cardona, as a program written independently has it: its fall, and at the wall the first impulse.
static void pendulum(void **state)
{
    (void)state;
    rico_scene *scene =
        parse("beams:\n  rod: {from: [0, 0], to: [1, 0], elements: 4, ends: [pinned, free], " STEEL "}\n"
              "gravity: [0, -10]\ncontacts: {wall: {gap: 'rod_x[4] - sqrt(2)/2'}}\n"
              "time: {end: 1, step: 5e-6}\n" ALPHA);
    rico_simulation *sim = run(scene, 0.1);
    const double *tip = place_of(scene, sim, "rod-4");
    assert_near(tip[0] - sqrt(0.5), 0.2900827464, 1e-10);
    assert_near(tip[1], -0.0749208159, 1e-10);
    assert_near(tip[2], -0.0750594634, 1e-10);
    rico_run_options options = rico_run_defaults(5e-6);
    assert_ok(ctx, rico_simulation_run(sim, 0.327025, &options, NULL, NULL, NULL));
    assert_near(rico_simulation_impulse(sim)[2], 0.183731881, 1e-8);
    assert_true(fabs(rico_simulation_position(sim)[0]) < 1e-14);
    close_both(sim, scene);
}


// What twists an element of space by half a turn is told, not taken as a twist to the other side.
static void half_a_turn(void **state)
{
    (void)state;
    rico_scene *scene =
        parse("beams:\n  rod: {from: [0, 0, 0], to: [1, 0, 0], elements: 1, ends: [clamped, free], " SOFT
              ", loads: {tip: {at: end, torque: [100*t, 0, 0]}}}\ntime: {end: 1, step: 1e-3}\n");
    rico_simulation *sim;
    assert_ok(ctx, rico_scene_simulate(scene, &sim));
    rico_run_options options = rico_run_defaults(1e-3);
    assert_int_not_equal(rico_simulation_run(sim, 1.0, &options, NULL, NULL, NULL), RICO_OK);
    assert_non_null(strstr(rico_message(ctx), "half a turn"));
    const double *turn = place_of(scene, sim, "rod-1") + 3;
    assert_in_range((long)(100.0 * 2.0 * acos(fabs(turn[0]))), 200, 283);
    close_both(sim, scene);
}


// A beam that spins about its pivot stretches until r(L) = tan(k L)/k, k^2 = rho w^2/E; its damping ends what else there is.
static void spinning(void **state)
{
    (void)state;
    double stretch[2];
    for (int dimension = 2; dimension <= 3; dimension++) {
        rico_scene *scene =
            parse(dimension == 2 ? "beams:\n  rod: {from: [0, 0], to: [1, 0], elements: 16, ends: [pinned, "
                                   "free], damping: 1e-3, "
                                   "spin: 600, " STEEL "}\ntime: {end: 1, step: 5e-5}\n" ALPHA
                                 : "beams:\n  rod: {from: [0, 0, 0], to: [0, 1, 0], elements: 16, ends: "
                                   "[pinned, free], damping: "
                                   "1e-3, spin: [0, 0, 600], " STEEL "}\ntime: {end: 1, step: 5e-5}\n" ALPHA);
        rico_simulation *sim = run(scene, 0.15);
        const double *tip = place_of(scene, sim, "rod-16"), *v = rico_simulation_velocity(sim);
        double r = rico_norm(dimension, tip), spin = v[dimension == 2 ? 2 : 5];
        double k = spin * sqrt(7800.0 / 2.1e11);
        assert_true(spin > 580.0 && spin < 600.0);
        stretch[dimension - 2] = r - 1.0;
        assert_near(r, tan(k) / k, 1e-6);
        close_both(sim, scene);
    }
    assert_near(stretch[0], stretch[1], 1e-6);
}


// Momenta of all bodies: linear, and angular about the origin.
static void momenta(rico_scene *scene, const rico_simulation *sim, double linear[3], double angular[3])
{
    const rico_bodies *bodies = rico_scene_body_set(scene, NULL, NULL);
    const double *q = rico_simulation_position(sim), *v = rico_simulation_velocity(sim);
    int64_t count = rico_bodies_count(bodies);
    rico_vec3_set(0.0, 0.0, 0.0, linear);
    rico_vec3_set(0.0, 0.0, 0.0, angular);
    for (int64_t b = 0; b < count; b++) {
        const rico_body_look look = rico_bodies_look(bodies, b);
        const double *x = q + 7 * b, *u = v + 6 * b;
        double p[3] = {0.0}, L[3], own[3], turned[3];
        // equal elements: masses 2 1; 1 2 of each, from the lumped ones
        double sixth = rico_bodies_mass(bodies, 1) / 6.0;
        for (int side = -1; side <= 1; side += 2) {
            if (b + side < 0 || b + side >= count) continue;
            rico_vec3_add_scaled(2.0 * sixth, u, p);
            rico_vec3_add_scaled(sixth, u + 6 * side, p);
        }
        rico_vec3_cross(x, p, L);
        rico_mat3_times(look.inertia, u + 3, own);
        rico_quaternion_rotate(x + 3, own, turned);
        rico_vec3_add(linear, p, linear);
        rico_vec3_add(angular, L, angular);
        rico_vec3_add(angular, turned, angular);
    }
}


// Nothing holds it: momenta stay, the linear one to round-off, the angular one with the square of the step.
static void free_flight(void **state)
{
    (void)state;
    double drift[2];
    for (int k = 0; k < 2; k++) {
        char text[600];
        snprintf(text, sizeof text,
                 "beams:\n  rod: {from: [0, 0, 0], to: [1, 0.5, 0.2], elements: 8, spin: [3, 5, -8], "
                 "velocity: [1, 2, 3], "
                 "about: [0.4, 0.2, 0.1], " SOFT
                 "}\ntime: {end: 1, step: %s}\nscheme: moreau-jean-projected\n",
                 k ? "5e-5" : "1e-4");
        rico_scene *scene = parse(text);
        rico_simulation *sim;
        double before[2][3], after[2][3];
        assert_ok(ctx, rico_scene_simulate(scene, &sim));
        momenta(scene, sim, before[0], before[1]);
        rico_run_options options = rico_run_defaults(rico_scene_times(scene).step);
        assert_ok(ctx, rico_simulation_run(sim, 0.05, &options, NULL, NULL, NULL));
        momenta(scene, sim, after[0], after[1]);
        for (int i = 0; i < 3; i++) assert_near(after[0][i], before[0][i], 1e-11);
        drift[k] = 0.0;
        for (int i = 0; i < 3; i++) drift[k] = fmax(drift[k], fabs(after[1][i] - before[1][i]));
        assert_true(drift[k] < 1e-4 * rico_vec3_norm(before[1]));
        close_both(sim, scene);
    }
    assert_true(drift[1] < 0.35 * drift[0]);
}


// A load at the end, put on at once and damped: the deflection of statics.
static void loaded(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        rico_scene *scene = parse(
            dimension == 2
                ? "beams:\n  rod: {from: [0, 0], to: [1, 0], elements: 4, ends: [clamped, free], damping: "
                  "1e-2, " STEEL
                  ", loads: {tip: {force: [0, '-500*min(t, 1)']}}}\ntime: {end: 9, step: 2e-3}\n"
                  "scheme: {name: generalized-alpha-constrained, rho-inf: 0}\n"
                : "beams:\n  rod: {from: [0, 0, 0], to: [0, 0, 1], elements: 4, ends: [clamped, free], "
                  "damping: "
                  "1e-2, " STEEL ", loads: {tip: {at: end, force: ['-500*min(t, 1)', 0, 0]}}}\n"
                  "time: {end: 9, step: 2e-3}\nscheme: {name: generalized-alpha-constrained, rho-inf: 0}\n");
        rico_simulation *sim = run(scene, 3.0);
        const double *tip = place_of(scene, sim, "rod-4");
        // spec/03, part E
        assert_near(tip[dimension == 2 ? 0 : 2], 0.76247128838, 1e-9);
        assert_near(tip[dimension == 2 ? 1 : 0], -0.587779659822, 1e-9);
        close_both(sim, scene);
    }
}


// --- what holds on to them ---------------------------------------------------------------------------------------------

// Joints and springs at any length make a node there; the joint holds.
static void points_of_beams(void **state)
{
    (void)state;
    rico_scene *scene = parse(
        "parameters: {s: 0.37}\n"
        "beams:\n  rod: {from: [0, 0, 0], to: [1, 0, 0], elements: 4, ends: [clamped, clamped], " SOFT "}\n"
        "bodies:\n  bob: {mass: 0.1, inertia: [1e-4, 1e-4, 1e-4], position: [0.37, 0, -0.2]}\n"
        "joints:\n  hook: {kind: spherical, between: [rod@s, bob], at: [0.37, 0, 0]}\n"
        "springs:\n  line: {between: [rod@0.9, world], at: [[0, 0, 0], [0.9, 0, -1]], rest: 1, stiffness: "
        "50}\n"
        "gravity: [0, 0, -10]\ntime: {end: 1, step: 1e-4}\nscheme: generalized-alpha-constrained\n");
    const rico_bodies *bodies = rico_scene_body_set(scene, NULL, NULL);
    int64_t first, nodes;
    assert_string_equal(rico_bodies_beam(bodies, 0, &first, &nodes), "rod");
    assert_int_equal(nodes, 7);
    assert_near(rico_bodies_look(bodies, first + 2).stand.position[0], 0.37, 1e-15);
    rico_simulation *sim = run(scene, 0.1);
    const double *bob = place_of(scene, sim, "bob"), *hook = place_of(scene, sim, "rod-2");
    double arm[3], up[3] = {0.0, 0.0, 0.2};
    rico_quaternion_rotate(bob + 3, up, arm);
    for (int i = 0; i < 3; i++) assert_near(bob[i] + arm[i], hook[i], 1e-13);
    assert_true(hook[2] < -1e-4);
    close_both(sim, scene);
}


// Nodes have discs: a beam falls on the ground and lies there with its weight.
static void lying(void **state)
{
    (void)state;
    rico_scene *scene = parse(
        "beams:\n  rod: {from: [0, 0.011], to: [1, 0.011], elements: 6, radius: 0.01, damping: 1e-3, " SOFT
        "}\n"
        "bodies: {ground: {shape: line, fixed: true}}\nmaterials: {default: {friction: 0.5}}\n"
        "gravity: [0, -10]\ntime: {end: 1, step: 1e-3}\n");
    assert_string_equal(rico_scene_scheme(scene), "midpoint-projection");
    rico_simulation *sim = run(scene, 0.5);
    double sum = 0.0;
    for (int64_t c = 0; c < rico_simulation_constraints(sim); c++)
        sum += rico_simulation_impulse(sim)[rico_simulation_constraint(sim, c).row];
    assert_near(sum, 7800.0 * 2e-4 * 10.0 * 1e-3, 1e-9);
    for (int i = 0; i < 7; i++) assert_near(rico_simulation_position(sim)[3 * i + 1], 0.01, 1e-9);
    close_both(sim, scene);
}


// What a joint holds to a beam does not touch it, and two beams do not where they meet.
static void joined(void **state)
{
    (void)state;
    rico_scene *scene = parse(
        "beams:\n  one: {from: [0, 0], to: [1, 0], elements: 40, ends: [pinned, free], radius: 0.02, " SOFT
        "}\n"
        "  two: {from: [1, 0], to: [1, -1], elements: 40, radius: 0.02, " SOFT "}\n"
        "bodies: {weight: {shape: {disc: 0.06}, mass: 0.2, position: [0.5, 0]}}\n"
        "joints:\n  clip: {kind: fixed, between: [one@0.5, weight], at: [0.5, 0]}\n"
        "  hinge: {kind: revolute, between: [one@end, two@start], at: [1, 0]}\n"
        "gravity: [0, -10]\ntime: {end: 1, step: 1e-4}\nscheme: generalized-alpha-constrained\n");
    rico_simulation *sim = run(scene, 0.01);
    const double *one = place_of(scene, sim, "one-40"), *two = place_of(scene, sim, "two-0");
    for (int i = 0; i < 2; i++) assert_near(one[i], two[i], 1e-13);
    for (int64_t c = 0; c < rico_simulation_constraints(sim); c++)
        assert_true(rico_simulation_constraint(sim, c).joint);
    close_both(sim, scene);
}


// An arc, a polygon and a steep beam stand where they should, free of stress.
static void lines(void **state)
{
    (void)state;
    rico_scene *scene =
        parse("beams:\n"
              "  arc: {from: [1, 0, 0], through: [0, 1, 0], to: [-1, 0, 0], elements: 6, " SOFT "}\n"
              "  bent: {points: [[0, 0, 1], [1, 0, 1], [1, 1, 1], [1, 1, 2]], " SOFT "}\n"
              "  steep: {from: [0, 0, 0], to: [0, 0, 2], elements: 3, up: [0, 1, 0], " SOFT "}\n"
              "  fine: {points: [[5, 0, 1], [6, 0, 1], [6, 1, 1]], elements: 4, " SOFT "}\n"
              "time: {end: 1, step: 1e-4}\n");
    const rico_bodies *bodies = rico_scene_body_set(scene, NULL, NULL);
    double kinetic, potential, third[3], strain[6], force[6];
    const double z[3] = {0.0, 0.0, 1.0};
    assert_ok(ctx, rico_system_energies(rico_scene_system(scene), rico_scene_position(scene),
                                        rico_scene_velocity(scene), &kinetic, &potential));
    assert_true(potential < 1e-20 && kinetic == 0.0);
    rico_body_look top = rico_bodies_look(bodies, rico_bodies_find(bodies, "arc-3"));
    assert_near(top.stand.position[0], 0.0, 1e-15);
    assert_near(top.stand.position[1], 1.0, 1e-15);
    top = rico_bodies_look(bodies, rico_bodies_find(bodies, "steep-2"));
    rico_quaternion_rotate(top.stand.orientation, z, third);
    assert_near(third[1], 1.0, 1e-15);
    top = rico_bodies_look(bodies, rico_bodies_find(bodies, "fine-3"));
    assert_near(top.stand.position[1], 0.5, 1e-15);
    assert_int_equal(rico_bodies_beam_section(bodies, 1, 2, rico_scene_position(scene), strain, force), 6);
    for (int i = 0; i < 6; i++) assert_true(fabs(strain[i]) < 1e-15);
    rico_scene_destroy(scene);
}


// Every scheme takes them, in the plane and in space, with a joint and a contact; those with explicit forces would need
// far shorter steps.
static void schemes(void **state)
{
    (void)state;
    for (int k = 0; moving_scheme_at(k); k++)
        for (int dimension = 2; dimension <= 3 && !moving_scheme_at(k)->explicit_forces; dimension++) {
            char text[900];
            snprintf(text, sizeof text,
                     dimension == 2
                         ? "beams:\n  rod: {from: [0, 0], to: [1, 0], elements: 3, ends: [pinned, free], "
                           "radius: 0.01, " SOFT "}\n"
                           "bodies: {ground: {shape: line, fixed: true, position: [0, -0.0105]}}\n"
                           "gravity: [0, -10]\ntime: {end: 1, step: 1e-4}\nscheme: %s\n"
                         : "beams:\n  rod: {from: [0, 0, 0], to: [1, 0, 0], elements: 3, ends: [pinned, "
                           "free], radius: 0.01, " SOFT
                           "}\nbodies: {ground: {shape: plane, fixed: true, position: [0, 0, -0.0105]}}\n"
                           "gravity: [0, 0, -10]\ntime: {end: 1, step: 1e-4}\nscheme: %s\n",
                     moving_scheme_at(k)->name);
            rico_scene *scene = parse(text);
            rico_simulation *sim = run(scene, 0.012);
            const double *tip = place_of(scene, sim, "rod-3"), *pin = place_of(scene, sim, "rod-0");
            assert_true(tip[dimension - 1] > -1e-3 && tip[dimension - 1] < -1e-4);
            assert_true(rico_norm(dimension, pin) < 1e-4);
            assert_true(fabs(rico_simulation_ledger_total(sim)->residual) < 1e-4);
            close_both(sim, scene);
        }
}


// --- what is refused -------------------------------------------------------------------------------------------------

static void refused(void **state)
{
    (void)state;
#define TIME "time: {end: 1, step: 1e-4}\n"
#define LINE "from: [0, 0, 0], to: [1, 0, 0], elements: 2"
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"beams:\n  rod: {from: [0, 0, 0], elements: 2, " SOFT "}\n" TIME,
         "needs 'from' and 'to', or 'points'"},
        {"beams:\n  rod: {from: [0, 0, 0], to: [0, 0, 0], elements: 2, " SOFT "}\n" TIME,
         "ends where it begins"},
        {"beams:\n  rod: {from: [0, 0, 0], to: [1, 0, 0], " SOFT "}\n" TIME, "has no 'elements'"},
        {"beams:\n  rod: {from: [0, 0, 0], to: [2, 0, 0], through: [1, 0, 0], elements: 2, " SOFT "}\n" TIME,
         "no arc goes through"},
        {"beams:\n  rod: {points: [[0, 0, 0]], " SOFT "}\n" TIME, "two points or more"},
        {"beams:\n  rod: {points: [[0, 0, 0], [0, 0, 0]], " SOFT "}\n" TIME,
         "two points of the beam are one"},
        {"beams:\n  rod: {points: [[0, 0, 0], [1, 0, 0]], from: [0, 0, 0], " SOFT "}\n" TIME,
         "keep one of the two"},
        {"beams:\n  rod: {" LINE ", section: {area: 1e-4}, young: 1, density: 1}\n" TIME, "needs 'bending'"},
        {"beams:\n  rod: {" LINE ", section: {circle: 1e-2, inner: 2e-2}, young: 1, density: 1}\n" TIME,
         "as wide as the tube"},
        {"beams:\n  rod: {" LINE ", section: {circle: 1e-2, bending: 1}, young: 1, density: 1}\n" TIME,
         "given by its 'area'"},
        {"beams:\n  rod: {" LINE ", section: {rectangle: [1, 1], inner: 1}, young: 1, density: 1}\n" TIME,
         "belongs to a circle"},
        {"beams:\n  rod: {" LINE ", ends: [clamped, loose], " SOFT "}\n" TIME,
         "'free', 'pinned' or 'clamped', got 'loose'"},
        {"beams:\n  rod: {" LINE ", up: [2, 0, 0], " SOFT "}\n" TIME, "is along the beam"},
        {"beams:\n  rod: {" LINE ", loads: {a: {at: 3, force: [0, 0, 1]}}, " SOFT "}\n" TIME,
         "3 m is not on the beam, which is 1 m long"},
        {"beams:\n  rod: {" LINE ", loads: {a: {at: middle, force: [0, 0, 1]}}, " SOFT "}\n" TIME,
         "'middle' is no length along a beam"},
        {"beams:\n  rod: {" LINE ", loads: {a: {at: 1}}, " SOFT "}\n" TIME, "neither 'force' nor 'torque'"},
        {"beams:\n  rod: {" LINE ", loads: {a: {force: [0, 0, 1]}, b: {at: 1, force: [0, 0, 1]}}, " SOFT
         "}\n" TIME,
         "act on one point"},
        {"beams:\n  rod: {" LINE ", " SOFT
         "}\njoints: {a: {kind: spherical, between: [world, rot@0.5], at: [0.5, 0, 0]}}\n" TIME,
         "there is no beam 'rot'; did you mean 'rod'?"},
        {"beams:\n  rod: {" LINE ", " SOFT
         "}\njoints: {a: {kind: spherical, between: [world, rod@1.5], at: [0.5, 0, 0]}}\n" TIME,
         "1.5 m is not on the beam"},
        {"beams:\n  rod: {from: [0, 0], to: [1, 0], elements: 2, ends: [clamped, free], " SOFT
         "}\ncontacts: {a: {gap: 'rod_y[0]'}}\n" TIME,
         "rod_y[0] does not exist; rod_y[1] to rod_y[2] do"},
        {"parameters: {rod_x: 1}\nbeams:\n  rod: {from: [0, 0], to: [1, 0], elements: 2, " SOFT "}\n" TIME,
         "the name 'rod_x' is taken"},
        {"beams:\n  rod: {from: [0, 0], to: [1, 0], elements: 2, up: [0, 0, 1], " SOFT "}\n" TIME,
         "in the plane the third axis is z"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rico_scene *scene = NULL;
        rico_status status = rico_scene_parse(ctx, "s", cases[i].text, (int64_t)strlen(cases[i].text), 0,
                                              NULL, NULL, 0, &scene);
        if (status == RICO_OK) fail_msg("taken: %s", cases[i].text);
        if (!strstr(rico_message(ctx), cases[i].says))
            fail_msg("'%s' instead of '%s'", rico_message(ctx), cases[i].says);
    }
}


static rico_status build_and_step(rico_context *own, void *user)
{
    rico_scene *scene = NULL;
    rico_simulation *sim = NULL;
    rico_status status = rico_scene_parse(own, "s", user, (int64_t)strlen(user), 0, NULL, NULL, 0, &scene);
    if (status == RICO_OK) status = rico_scene_simulate(scene, &sim);
    if (status == RICO_OK) status = rico_simulation_step(sim, 1e-4);
    rico_simulation_destroy(sim);
    rico_scene_destroy(scene);
    return status;
}


static void memory(void **state)
{
    (void)state;
    static char text[] =
        "beams:\n  rod: {from: [0, 0], to: [1, 0], elements: 2, ends: [pinned, free], radius: 0.01, " SOFT
        ", loads: {a: {at: 0.3, force: [0, 1]}}}\n"
        "bodies: {bob: {mass: 1, inertia: 1, position: [0.5, 0]}}\n"
        "joints: {a: {kind: revolute, between: [bob, rod@0.5], at: [0.5, 0]}}\n" TIME;
    assert_true(every_allocation_fails(build_and_step, text) > 100);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pendulum),    cmocka_unit_test(half_a_turn), cmocka_unit_test(spinning),
        cmocka_unit_test(free_flight), cmocka_unit_test(loaded),      cmocka_unit_test(points_of_beams),
        cmocka_unit_test(lying),       cmocka_unit_test(joined),      cmocka_unit_test(lines),
        cmocka_unit_test(schemes),     cmocka_unit_test(refused),     cmocka_unit_test(memory),
    };
    return cmocka_run_group_tests_name("scene/beams", tests, context_start, context_end);
}
