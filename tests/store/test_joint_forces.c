// Forces in joints: the histories that ADAMS computed of springs and actuators (skipped without the files, RICO_DATA), where their
// bodies are after 5 s by an independent program, bushings, torques and what is conserved.

#include "joint_runs.h"

#include "la/quaternion.h"

enum { QUANTITIES = 8, ROWS = 501 };

static const char *const QUANTITY[QUANTITIES] = {"Pos",  "Vel",  "Acc",    "Quat",
                                                 "Avel", "Aacc", "Rforce", "Rtorque"};
static const int WIDTH[QUANTITIES] = {3, 3, 3, 4, 3, 3, 3, 3};

typedef struct story {
    const char *folder, *name, *text; // of a body called b
    const char *force[3], *torque[3]; // on the ground, as columns
    double off[QUANTITIES];           // what an independent program at 1e-11 was off by
    double end[3];
    const char *tail; // of the names of the last two files
} story;

#define TINY 1e-9
#define BODY(position, more)                                                                                 \
    "bodies: {b: {mass: 1, inertia: [0.04, 0.1, 0.1], position: " position more "}}\n"
#define PIN "joints: {pin: {kind: revolute, between: [world, b], at: [0, 0, 0], axis: [0, 1, 0], spring: "
#define TURNED ", rotation: {axis: [1, 0, 0], angle: -90}"
#define ASIDE ", rotation: {axis: [0, 0, 1], angle: -90}"
#define BAR(at, law) "springs: {s: {between: [world, b], at: " at ", " law "}}\n"
#define ON_PIN                                                                                               \
    {"pin.a.fx", "pin.a.fy", "pin.a.fz"},                                                                    \
    {                                                                                                        \
        "pin.a.tx + pin.spring.a.tx", "pin.a.ty + pin.spring.a.ty", "pin.a.tz + pin.spring.a.tz"             \
    }
#define ON_SPRING                                                                                            \
    {"s.a.fx", "s.a.fy", "s.a.fz"},                                                                          \
    {                                                                                                        \
        "s.a.tx", "s.a.ty", "s.a.tz"                                                                         \
    }
#define ON_GUIDE                                                                                             \
    {"guide.a.fx", "guide.a.fy", "guide.a.fz"},                                                              \
    {                                                                                                        \
        "guide.a.tx", "guide.a.ty", "guide.a.tz"                                                             \
    }
#define ON_PLATE                                                                                             \
    {"guide.motor.fx", "guide.motor.fy", "guide.motor.fz"},                                                  \
    {                                                                                                        \
        "guide.motor.tx", "guide.motor.ty", "guide.motor.tz"                                                 \
    }
#define HARD "law: -50*(u - 2) - 10*abs(u - 2)*(u - 2) - 5*w"

static const story STORIES[] = {
    {"rotspring_force",
     "RotSpring_Case01",
     BODY("[2, 0, 0]", TURNED) PIN "{stiffness: 200, damping: 10}}}\n",
     ON_PIN,
     {1.3e-6, 1e-5, 8e-4, 2e-7, 5e-6, 6e-4, 8e-4, 1.4e-4},
     {1.99043913, 0, -0.19532558},
     ""},
    {"rotspring_force",
     "RotSpring_Case02",
     BODY("[2, 0, 0]", TURNED) PIN "{law: -(50 + 10*abs(u))*u - 10*w}}}\n",
     ON_PIN,
     {7e-7, 3.6e-6, 2.5e-3, 2e-7, 1.7e-6, 9e-4, 2.5e-3, 3e-5},
     {1.88243175, 0, -0.67561135},
     ""},
    {"transpring_force",
     "TranSpring_Case01",
     BODY("[0, 0, -1e-200]", "") BAR("[[0, 0, 0], [0, 0, 0]]", "stiffness: 10, damping: 0.5"),
     ON_SPRING,
     {5e-6, 5e-6, 5e-6, TINY, TINY, TINY, 5e-5, TINY},
     {0, 0, -1.26242287},
     ""},
    {"transpring_force",
     "TranSpring_Case02",
     BODY("[0, 2, 0]", "") BAR("[[0, 0, 0], [0, 0, 0]]", "stiffness: 100, damping: 5, rest: 2"),
     ON_SPRING,
     {5e-7, 5e-7, 5e-6, TINY, TINY, TINY, 5e-6, TINY},
     {0, -1.94519785, -0.767401},
     ""},
    {"transpringcb_force",
     "TranSpringCB_Case01",
     BODY("[0, 0, -1e-200]", "") BAR("[[0, 0, 0], [0, 0, 0]]", "law: -10*u - 0.5*w"),
     ON_SPRING,
     {5e-6, 5e-6, 5e-6, TINY, TINY, TINY, 5e-5, TINY},
     {0, 0, -1.26242287},
     ""},
    {"transpringcb_force",
     "TranSpringCB_Case02",
     BODY("[0, 2, 0]", "") BAR("[[0, 0, 0], [0, 0, 0]]", "law: -100*(u - 2) - 5*w"),
     ON_SPRING,
     {5e-7, 5e-7, 5e-6, TINY, TINY, TINY, 5e-6, TINY},
     {0, -1.94519785, -0.767401},
     ""},
    {"transpringcb_force",
     "TranSpringCB_Case03",
     BODY("[-1, 4, 3]", "") BAR("[[1, 2, 3], [2, 0, 0]]", HARD),
     ON_SPRING,
     {6e-7, 1e-6, 7e-6, 6e-6, 4.5e-6, 1.4e-4, 7e-6, TINY},
     {-1.4449169, 4.41955858, 1.32242555},
     ""},
    {"transpringcb_force",
     "TranSpringCB_Case04",
     BODY("[0, 4, 0]", ASIDE) BAR("[[0, 0, 0], [2, 0, 0]]", HARD),
     ON_SPRING,
     {2.7e-5, 5e-5, 7.5e-4, 5.5e-6, 5e-4, 1.5e-2, 7.5e-4, TINY},
     {0, 3.97423876, -0.58578200},
     ""},
    {"lin_actuator",
     "LinActuator_Case01",
     "bodies: {b: {mass: 1, inertia: [1, 1, 1], velocity: [0, 0, 1]}}\n"
     "joints: {guide: {kind: prismatic, between: [world, b], at: [0, 0, 0], axis: [0, 0, 1], motor: "
     "{position: "
     "t}}}\n",
     ON_GUIDE,
     {1e-7, TINY, TINY, TINY, TINY, TINY, TINY, TINY},
     {0, 0, 5},
     "P"},
    {"lin_actuator",
     "LinActuator_Case02",
     "bodies: {b: {mass: 1, inertia: [1, 1, 1], rotation: {axis: [0, 1, 0], angle: 45}, velocity: "
     "[0.5/sqrt(2), "
     "0, 0.5/sqrt(2)]}}\n"
     "joints: {guide: {kind: prismatic, between: [world, b], at: [0, 0, 0], axis: [1, 0, 1], motor: "
     "{position: "
     "0.5*t}}}\n",
     ON_GUIDE,
     {5e-6, 5e-7, TINY, 5e-7, TINY, TINY, 5e-6, 5e-5},
     {1.7677669529663689, 0, 1.7677669529663689},
     "P"},
    {"lin_actuator",
     "LinActuator_Case02",
     "bodies: {b: {mass: 1, inertia: [1, 1, 1], rotation: {axis: [0, 1, 0], angle: 45}, velocity: "
     "[0.5/sqrt(2), "
     "0, 0.5/sqrt(2)]}}\n"
     "joints: {guide: {kind: prismatic, between: [world, b], at: [0, 0, 0], axis: [1, 0, 1], motor: "
     "{position: "
     "0.5*t}}}\n",
     ON_PLATE,
     {5e-6, 5e-7, TINY, 5e-7, TINY, TINY, 5e-6, TINY},
     {1.7677669529663689, 0, 1.7677669529663689},
     "A"},
};
enum { STORIES_TOLD = sizeof STORIES / sizeof *STORIES };


static bool read_history(const story *of, int quantity, double (*rows)[5])
{
    const char *given = getenv("RICO_DATA");
    char path[512], text[256];
    snprintf(path, sizeof path, "%s/adams-joints/%s/%s_ADAMS_%s%s.txt", given ? given : "../shared/data",
             of->folder, of->name, QUANTITY[quantity], quantity >= 6 ? of->tail : "");
    FILE *file = fopen(path, "r");
    if (!file) return false;
    for (int k = 0; k < 3; k++) assert_non_null(fgets(text, sizeof text, file));
    for (int r = 0; r < ROWS; r++) {
        assert_non_null(fgets(text, sizeof text, file));
        char *at = text;
        for (int k = 0; k <= WIDTH[quantity]; k++) rows[r][k] = strtod(at, &at);
    }
    fclose(file);
    return true;
}


// The columns of one quantity; spins and their rates turned into the axes of the world.
static void read_columns(const story *of, rico_columns *columns, int quantity, double (*out)[4])
{
    static const char *const NAMES[6][4] = {{"q[0]", "q[1]", "q[2]"},    {"v[0]", "v[1]", "v[2]"},
                                            {"b.a_x", "b.a_y", "b.a_z"}, {"q[3]", "q[4]", "q[5]", "q[6]"},
                                            {"b.w_x", "b.w_y", "b.w_z"}, {"b.dw_x", "b.dw_y", "b.dw_z"}};
    double *turn[4] = {NULL};
    int64_t count = 0;
    for (int k = 0; k < WIDTH[quantity]; k++) {
        const char *name = quantity < 6 ? NAMES[quantity][k] : quantity == 6 ? of->force[k] : of->torque[k];
        double *values;
        assert_ok(ctx, rico_columns_read(columns, name, &count, &values));
        assert_int_equal(count, ROWS);
        for (int r = 0; r < ROWS; r++) out[r][k] = values[r];
        rico_free(ctx, values);
    }
    if (quantity != 4 && quantity != 5) return;
    for (int k = 0; k < 4; k++) assert_ok(ctx, rico_columns_read(columns, NAMES[3][k], &count, &turn[k]));
    for (int r = 0; r < ROWS; r++) {
        const double q[4] = {turn[0][r], turn[1][r], turn[2][r], turn[3][r]};
        rico_quaternion_rotate(q, out[r], out[r]);
    }
    for (int k = 0; k < 4; k++) rico_free(ctx, turn[k]);
}


static void test_histories(void **state)
{
    (void)state;
    static double rows[ROWS][5], own[ROWS][4];
    for (int i = 0; i < STORIES_TOLD; i++) {
        const story *of = &STORIES[i];
        rico_columns *columns = run_print("gravity: [0, 0, -9.80665]\n%stime: {end: 5, step: 0.01}\n"
                                          "scheme: {name: event-driven, rtol: 1e-12}\n",
                                          of->text);
        for (int k = 0; k < 3; k++) {
            const char *const NAME[] = {"q[0]", "q[1]", "q[2]"};
            double off = fabs(last(columns, NAME[k]) - of->end[k]);
            if (!(off <= 1e-7)) fail_msg("%s: %s at the end is off by %g", of->name, NAME[k], off);
        }
        for (int k = 0; k < QUANTITIES; k++) {
            if (!read_history(of, k, rows)) continue;
            double worst = 0.0;
            read_columns(of, columns, k, own);
            for (int r = 1; r < ROWS; r++) {
                double plus = 0.0, minus = 0.0;
                for (int c = 0; c < WIDTH[k]; c++) {
                    minus = fmax(minus, fabs(own[r][c] - rows[r][c + 1]));
                    plus = fmax(plus, fabs(own[r][c] + rows[r][c + 1]));
                }
                worst = fmax(worst, k == 3 ? fmin(plus, minus) : minus); // q and -q are one rotation
            }
            if (!(worst <= 3.0 * of->off[k]))
                fail_msg("%s%s: %s is off by %.3g, expected at most 3 times %.3g", of->name, of->tail,
                         QUANTITY[k], worst, of->off[k]);
        }
        rico_columns_destroy(columns);
    }
}


// A turn about one axis: 2 tan(angle/2) is what the spring of a bushing is stretched by, and its energy is kept by all schemes.
static void test_bushing(void **state)
{
    (void)state;
    static const char *const SCHEMES[] = {"event-driven", "generalized-alpha-constrained",
                                          "midpoint-projection", "moreau-jean"};
    for (int k = 0; k < 4; k++) {
        rico_columns *columns = run_print("gravity: [0, 0, 0]\n"
                                          "bodies: {b: {mass: 2, inertia: [0.3, 0.4, 0.5], position: [1, 2, "
                                          "3], velocity: [0.1, 0.2, 0.3],\n"
                                          "  spin: [2, 1, -2]}}\n"
                                          "joints: {soft: {kind: bushing, between: [world, b], at: [1.1, "
                                          "2.1, 3.1], stiffness: [50, 60, 70, 5, 6, "
                                          "7]}}\n"
                                          "time: {end: 3, step: 1e-3}\nscheme: %s\n",
                                          SCHEMES[k]);
        double first = 0.5 * 2 * 0.14 + 0.5 * (0.3 * 4 + 0.4 + 0.5 * 4);
        double off = fabs(last(columns, "energy") / first - 1.0);
        if (!(off <= (k == 0 ? 1e-6 : 2e-3))) fail_msg("%s: the energy is off by %g", SCHEMES[k], off);
        // nonlinear springs leave the schemes of the midpoint an error of third order
        assert_true(largest(columns, "ledger.residual", 1) <= (k < 2 ? 1e-12 : 1e-8));
        assert_true(largest(columns, "soft.fx + soft.a.fx", 0) <= 1e-12);
        if (k == 0) {
            assert_true(largest(columns, "soft.fx - 2*b.a_x", 1) <= 1e-10);
            assert_true(largest(columns, "soft.fz - 2*b.a_z", 1) <= 1e-10);
        }
        rico_columns_destroy(columns);
    }
    rico_columns *twist =
        run_text("gravity: [0, 0]\nbodies: {b: {mass: 1, inertia: 1, position: [0, 0], spin: 2}}\n"
                 "joints: {soft: {kind: bushing, between: [world, b], at: [0, 0], stiffness: [10, 10, 3],"
                 " damping: [0, 0, 0.2]}}\n"
                 "time: {end: 1, step: 1e-2}\nscheme: event-driven\n");
    assert_true(largest(twist, "soft.tz + (3*2*tan(b.angle/2) + 0.2*b.w/cos(b.angle/2)^2)/cos(b.angle/2)^2",
                        0) <= 1e-10);
    assert_true(largest(twist, "soft.tz - b.dw", 1) <= 1e-9);
    rico_columns_destroy(twist);
}


// A torque of its own: a wheel with inertia 2 under 3 - w/2, from C^-1 by hand; its power is what the energy grows by.
static void test_torque(void **state)
{
    (void)state;
    static const char *const SCHEMES[] = {"event-driven", "generalized-alpha-constrained",
                                          "midpoint-projection", "moreau-jean-projected"};
    static const double BOUND[] = {1e-9, 1e-5, 1e-5, 1e-2};
    for (int k = 0; k < 4; k++) {
        rico_columns *columns =
            run_print("gravity: [0, 0]\nbodies: {wheel: {mass: 1, inertia: 2, position: [0, 0]}}\n"
                      "joints: {axle: {kind: revolute, between: [world, wheel], at: [0, 0],\n"
                      "  motor: {torque: 3 - w/2 + 0*u}}}\n"
                      "time: {end: 2, step: 1e-2}\nscheme: %s\n",
                      SCHEMES[k]);
        assert_near(last(columns, "wheel.w"), 6.0 * (1.0 - exp(-0.5)), BOUND[k]);
        assert_true(largest(columns, "axle.motor.torque - 3 + axle.w/2", 0) <= 1e-12);
        assert_true(largest(columns, "axle.motor.power - axle.motor.torque*axle.w", 0) <= 1e-12);
        if (k == 0) assert_near(last(columns, "total.external"), last(columns, "energy"), 1e-8);
        assert_true(largest(columns, "ledger.residual", 1) <= 1e-12);
        rico_columns_destroy(columns);
    }
    // what slides has a force: a mass of 2 under -8 u from 1 m
    rico_columns *columns =
        run_text("gravity: [0, 0, 0]\nbodies: {m: {mass: 2, inertia: [1, 1, 1], velocity: [0, 0, 2]}}\n"
                 "joints: {rail: {kind: prismatic, between: [world, m], at: [0, 0, 0], axis: [0, 0, 1],\n"
                 "  motor: {force: -8*u}, spring: {stiffness: 10, free: 0.5}}}\n"
                 "time: {end: 1, step: 1e-2}\nscheme: event-driven\n");
    // 2 u'' = -18 u + 5
    assert_near(last(columns, "m.z"), 5.0 / 18.0 * (1.0 - cos(3.0)) + 2.0 / 3.0 * sin(3.0), 1e-8);
    assert_true(largest(columns, "rail.spring.force + 10*(m.z - 0.5)", 0) <= 1e-12);
    rico_columns_destroy(columns);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_histories), cmocka_unit_test(test_bushing),
                                       cmocka_unit_test(test_torque)};
    return cmocka_run_group_tests(tests, context_start, context_end);
}
