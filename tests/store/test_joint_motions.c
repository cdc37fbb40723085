// Joints in motion against independent solutions in coordinates of their own: universal, rack and pinion, planar, gear, screw; the same turned and
// shifted, with a joint twice, and action against reaction.

#include "joint_runs.h"

#include "la/quaternion.h"

#define TIGHT "scheme: {name: event-driven, rtol: 1e-12}\n"

// --- closed forms ----------------------------------------------------------------------------------------------------

// A nut of inertia J and mass m on an upright screw of pitch p falls with g m p^2/(m p^2 + 4 pi^2 J).
static void test_screw(void **state)
{
    (void)state;
    rico_columns *columns = run_text(
        "gravity: [0, 0, -10]\nbodies: {nut: {mass: 3, inertia: [1, 1, 0.02], position: [1, 2, 3]}}\n"
        "joints: {screw: {kind: screw, between: [world, nut], at: [1, 2, 3], axis: [0, 0, 1], pitch: 0.7}}\n"
        "time: {end: 3, step: 1e-2}\n" TIGHT);
    double k = 3.0 * 0.49, fall = 10.0 * k / (k + 4.0 * M_PI * M_PI * 0.02);
    assert_near(last(columns, "nut.z"), 3.0 - 4.5 * fall, 1e-8);
    assert_near(last(columns, "nut.w_z"), -3.0 * fall * 2.0 * M_PI / 0.7, 1e-8);
    assert_true(largest(columns, "screw.fz - 30 - 3*nut.a_z", 1) <= 1e-9);
    assert_true(largest(columns, "screw.tz - 0.02*nut.dw_z", 1) <= 1e-9);
    assert_true(largest(columns, "screw.displacement - nut.z + 3", 0) <= 1e-12);
    rico_columns_destroy(columns);
}


// A rack of mass m that falls turns its pinion: a = m g/(m + J/r^2); behind a gear of 20 and 50 teeth a flywheel adds J2 (20/50)^2 to J.
static void test_train(void **state)
{
    (void)state;
    rico_columns *columns =
        run_text("gravity: [0, -10]\nbodies:\n  rack: {mass: 2, inertia: 1, position: [0.1, 0]}\n"
                 "  pinion: {mass: 1, inertia: 0.04, position: [0, 0]}\n  fly: {mass: 5, inertia: 0.9, "
                 "position: [1, 0]}\n"
                 "joints:\n  rail: {kind: prismatic, between: [world, rack], at: [0.1, 0], axis: [0, 1]}\n"
                 "  pin: {kind: revolute, between: [world, pinion], at: [0, 0]}\n"
                 "  axle: {kind: revolute, between: [world, fly], at: [1, 0]}\n"
                 "  teeth: {kind: rack-and-pinion, of: [pin, rail], radius: 0.1}\n"
                 "  mesh: {kind: gear, of: [pin, axle], teeth: [20, 50]}\n"
                 "time: {end: 2, step: 1e-2}\n" TIGHT);
    double J = 0.04 + 0.9 * 0.16, a = 20.0 / (2.0 + J / 0.01);
    assert_near(last(columns, "rack.y"), -2.0 * a, 1e-9);
    assert_near(last(columns, "pinion.w"), -20.0 * a, 1e-9);
    assert_near(last(columns, "fly.w"), 8.0 * a, 1e-9);
    // the tooth: what the rack lacks to fall freely; the gear: what the flywheel takes
    assert_true(largest(columns, "teeth.second.fy - 20 - 2*rack.a_y", 1) <= 1e-9);
    assert_true(largest(columns, "mesh.second.tz - 0.9*fly.dw", 1) <= 1e-9);
    assert_true(largest(columns, "teeth.tz + mesh.tz - 0.04*pinion.dw", 1) <= 1e-9);
    rico_columns_destroy(columns);
}


// A puck on a plane that leans by 0.4 rad slides down with g sin(0.4) and keeps its spin about the normal.
static void test_planar(void **state)
{
    (void)state;
    rico_columns *columns = run_text(
        "gravity: [0, 0, -10]\n"
        "bodies: {puck: {mass: 2, inertia: [0.3, 0.3, 0.5], rotation: {axis: [0, 1, 0], angle: 0.4*180/pi},\n"
        "  velocity: [0, 0.7, 0], spin: [3*sin(0.4), 0, 3*cos(0.4)]}}\n"
        "joints: {floor: {kind: planar, between: [world, puck], at: [0, 0, 0], axis: [sin(0.4), 0, "
        "cos(0.4)]}}\n"
        "time: {end: 2, step: 1e-2}\n" TIGHT);
    assert_near(last(columns, "puck.x"), 20.0 * sin(0.4) * cos(0.4), 1e-9);
    assert_near(last(columns, "puck.z"), -20.0 * sin(0.4) * sin(0.4), 1e-9);
    assert_near(last(columns, "puck.y"), 1.4, 1e-10);
    assert_near(last(columns, "puck.w_z"), 3.0, 1e-10);
    assert_true(largest(columns, "floor.fx*sin(0.4) + floor.fz*cos(0.4) - 20*cos(0.4)", 1) <= 1e-9);
    rico_columns_destroy(columns);
}


// --- universal: two angles -----------------------------------------------------------------------------------------------

// A rod hangs from a cross: its axes are turned by alpha about x of the world, then by beta about its own y, and the center is l along its own
// -z. With w = (alpha' cos beta, beta', alpha' sin beta) in its axes and r = (0, 0, -l),
//     T = m l^2 (w_x^2 + w_y^2)/2 + sum I_i w_i^2/2,   V = -m g l cos alpha cos beta.
typedef struct cross {
    double m, l, g, I[3];
} cross;

static void accelerate(const cross *of, const double x[4], double out[4])
{
    double ml2 = of->m * of->l * of->l, A = of->I[0] + ml2, B = of->I[1] + ml2, C = of->I[2];
    double s = sin(x[1]), c = cos(x[1]), inertia = A * c * c + C * s * s;
    out[0] = x[2];
    out[1] = x[3];
    // d/dt(inertia alpha') = -dV/dalpha; B beta'' = dT/dbeta - dV/dbeta
    out[2] = (-of->m * of->g * of->l * sin(x[0]) * c - 2.0 * (C - A) * s * c * x[3] * x[2]) / inertia;
    out[3] = ((C - A) * s * c * x[2] * x[2] - of->m * of->g * of->l * cos(x[0]) * s) / B;
}


static void test_universal(void **state)
{
    (void)state;
    enum { STEPS = 20000 };
    const cross of = {2.0, 0.7, 10.0, {0.2, 0.3, 0.15}};
    double x[4] = {0.0, 0.0, 1.5, -2.0}, h = 2.0 / STEPS;
    for (int i = 0; i < STEPS; i++) {
        double k[4][4], at[4];
        for (int j = 0; j < 4; j++) {
            for (int n = 0; n < 4; n++) at[n] = x[n] + (j == 0 ? 0.0 : (j == 3 ? h : 0.5 * h) * k[j - 1][n]);
            accelerate(&of, at, k[j]);
        }
        for (int n = 0; n < 4; n++) x[n] += h / 6.0 * (k[0][n] + 2.0 * k[1][n] + 2.0 * k[2][n] + k[3][n]);
    }
    rico_columns *columns = run_text(
        "gravity: [0, 0, -10]\n"
        "bodies: {rod: {mass: 2, inertia: [0.2, 0.3, 0.15], position: [0, 0, -0.7], spin: [1.5, -2, 0],\n"
        "  velocity: [2*0.7, 1.5*0.7, 0]}}\n"
        "joints: {cross: {kind: universal, between: [world, rod], at: [0, 0, 0], axis: [1, 0, 0], second: "
        "[0, 1, 0]}}\n"
        "time: {end: 2, step: 1e-2}\n" TIGHT);
    // the center in the world: turned about x after it was about y
    assert_near(last(columns, "rod.x"), -0.7 * sin(x[1]), 1e-8);
    assert_near(last(columns, "rod.y"), 0.7 * cos(x[1]) * sin(x[0]), 1e-8);
    assert_near(last(columns, "rod.z"), -0.7 * cos(x[1]) * cos(x[0]), 1e-8);
    assert_near(last(columns, "rod.w_z"), x[2] * sin(x[1]), 1e-7);
    assert_true(largest(columns, "cross.fz - 20 - 2*rod.a_z", 1) <= 1e-8);
    // it holds neither a torque about the axis of the world, nor about that of the rod
    assert_true(largest(columns, "cross.tx", 1) <= 1e-9);
    rico_columns_destroy(columns);
}


// --- the same elsewhere ----------------------------------------------------------------------------------------------------

typedef struct placed {
    double turn[4], shift[3];
} placed;

static void put_vector(const placed *at, const double x[3], bool point, char out[120])
{
    double y[3];
    rico_quaternion_rotate(at->turn, x, y);
    for (int i = 0; i < 3; i++) y[i] += point ? at->shift[i] : 0.0;
    snprintf(out, 120, "[%.17g, %.17g, %.17g]", y[0], y[1], y[2]);
}


// Two bodies in a chain, by a joint of the kind and a universal one; `twice`: the first joint is there two times.
static rico_columns *run_placed(const char *kind, const char *more, const placed *at, bool twice,
                                const char *scheme)
{
    static const double DOWN[3] = {0, 0, -10}, P[3] = {0.4, -0.1, 0.2}, Q[3] = {1.3, 0.2, -0.1},
                        ORIGIN[3] = {0, 0, 0}, AXIS[3] = {0.6, 0, 0.8}, SECOND[3] = {0, 1, 0},
                        FIRST[3] = {1, 0, 0}, J[3] = {0.9, 0.1, 0.1};
    char down[120], p[120], q[120], origin[120], axis[120], second[120], first[120], j[120],
        double_joint[600] = "";
    put_vector(at, DOWN, false, down);
    put_vector(at, P, true, p);
    put_vector(at, Q, true, q);
    put_vector(at, ORIGIN, true, origin);
    put_vector(at, AXIS, false, axis);
    put_vector(at, SECOND, false, second);
    put_vector(at, FIRST, false, first);
    put_vector(at, J, true, j);
    bool free = strcmp(kind, "fixed") == 0 || strcmp(kind, "spherical") == 0;
    if (twice)
        snprintf(double_joint, sizeof double_joint,
                 "  again: {kind: %s, between: [world, one], at: %s%s%s%s}\n", kind, origin,
                 free ? "" : ", axis: ", free ? "" : axis, more);
    return run_print("gravity: %s\nbodies:\n"
                     "  one: {mass: 2, inertia: [0.2, 0.3, 0.4], position: %s, rotation: {quaternion: "
                     "[%.17g, %.17g, %.17g, %.17g]}}\n"
                     "  two: {mass: 1, inertia: [0.3, 0.2, 0.1], position: %s, rotation: {quaternion: "
                     "[%.17g, %.17g, %.17g, %.17g]}}\n"
                     "joints:\n"
                     "  root: {kind: %s, between: [world, one], at: %s%s%s%s}\n%s"
                     "  link: {kind: universal, between: [one, two], at: %s, axis: %s, second: %s}\n"
                     "time: {end: 0.5, step: 1e-2}\nscheme: %s\n",
                     down, p, at->turn[0], at->turn[1], at->turn[2], at->turn[3], q, at->turn[0], at->turn[1],
                     at->turn[2], at->turn[3], kind, origin, free ? "" : ", axis: ", free ? "" : axis, more,
                     double_joint, j, first, second, scheme);
}


static void read_vector(rico_columns *columns, const char *name, double out[3])
{
    static const char *const AXIS[] = {"x", "y", "z"};
    for (int i = 0; i < 3; i++) {
        char full[64];
        snprintf(full, sizeof full, "%s%s", name, AXIS[i]);
        out[i] = last(columns, full);
    }
}


static void test_frames(void **state)
{
    (void)state;
    static const char *const KINDS[][2] = {{"revolute", ""},
                                           {"prismatic", ""},
                                           {"cylindrical", ""},
                                           {"spherical", ""},
                                           {"screw", ", pitch: 0.3"},
                                           {"planar", ""},
                                           {"fixed", ""},
                                           {"point-on-line", ""},
                                           {"point-on-plane", ""},
                                           {"revolute", ", spring: {stiffness: 20, damping: 1}"},
                                           {"revolute", ", motor: {torque: 3 - w}"}};
    static const char *const SCHEMES[] = {"{name: generalized-alpha-constrained, newton-tol: 1e-14}",
                                          "{name: event-driven, rtol: 1e-10}"};
    placed here = {{1, 0, 0, 0}, {0, 0, 0}}, there = {{0.1, 0.5, -0.7, 0.5}, {0.3, -0.2, 0.5}};
    double norm = 0.0;
    for (int i = 0; i < 4; i++) norm += there.turn[i] * there.turn[i];
    for (int i = 0; i < 4; i++) there.turn[i] /= sqrt(norm);
    for (size_t k = 0; k < sizeof KINDS / sizeof *KINDS; k++)
        for (int s = 0; s < 2; s++) {
            rico_columns *a = run_placed(KINDS[k][0], KINDS[k][1], &here, false, SCHEMES[s]),
                         *b = run_placed(KINDS[k][0], KINDS[k][1], &there, false, SCHEMES[s]);
            static const char *const NAMES[] = {"two.", "two.v_", "root.f", "link.t"};
            for (int n = 0; n < 4; n++) {
                double x[3], y[3], turned[3], off = 0.0, size = 1.0;
                read_vector(a, NAMES[n], x);
                read_vector(b, NAMES[n], y);
                rico_quaternion_rotate(there.turn, x, turned);
                for (int i = 0; i < 3; i++) {
                    off = fmax(off, fabs(turned[i] + (n == 0 ? there.shift[i] : 0.0) - y[i]));
                    size = fmax(size, fabs(y[i]));
                }
                // positions and velocities to 1e-12, as much as round-off of 50 steps leaves; an integrator chooses its steps by it
                double bound = (s == 0 ? 1e-12 : 1e-9) * (n < 2 ? 1.0 : 1e2);
                if (!(off <= bound * size))
                    fail_msg("%s%s, %s: %s is off by %g of %g", KINDS[k][0], KINDS[k][1], SCHEMES[s],
                             NAMES[n], off, size);
            }
            rico_columns_destroy(a);
            rico_columns_destroy(b);
        }
}


// A joint that is there twice changes no motion, and both together do what the one did.
static void test_doubled(void **state)
{
    (void)state;
    static const char *const KINDS[] = {"revolute", "prismatic", "cylindrical", "spherical", "fixed"};
    static const char *const SCHEMES[] = {"moreau-jean-projected", "midpoint-projection",
                                          "{name: event-driven, rtol: 1e-10}"};
    placed here = {{1, 0, 0, 0}, {0, 0, 0}};
    for (size_t k = 0; k < sizeof KINDS / sizeof *KINDS; k++)
        for (int s = 0; s < 3; s++) {
            rico_columns *a = run_placed(KINDS[k], "", &here, false, SCHEMES[s]),
                         *b = run_placed(KINDS[k], "", &here, true, SCHEMES[s]);
            double x[3], y[3], force[3], again[3], whole[3];
            read_vector(a, "two.", x);
            read_vector(b, "two.", y);
            read_vector(a, "root.f", whole);
            read_vector(b, "root.f", force);
            read_vector(b, "again.f", again);
            for (int i = 0; i < 3; i++) {
                if (!(fabs(x[i] - y[i]) <= (s == 2 ? 1e-9 : 1e-10)))
                    fail_msg("%s, %s: off by %g", KINDS[k], SCHEMES[s], fabs(x[i] - y[i]));
                if (!(fabs(force[i] + again[i] - whole[i]) <= 1e-6))
                    fail_msg("%s, %s: force off by %g", KINDS[k], SCHEMES[s],
                             fabs(force[i] + again[i] - whole[i]));
            }
            rico_columns_destroy(a);
            rico_columns_destroy(b);
        }
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_screw),  cmocka_unit_test(test_train),
                                       cmocka_unit_test(test_planar), cmocka_unit_test(test_universal),
                                       cmocka_unit_test(test_frames), cmocka_unit_test(test_doubled)};
    return cmocka_run_group_tests(tests, context_start, context_end);
}
