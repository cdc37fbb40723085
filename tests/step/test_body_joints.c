// Joints between bodies in motion: the histories that ADAMS computed of them (skipped without the files, RICO_DATA), where
// bodies are after 5 s by an independent program, mechanisms with closed forms, stops and drives.
//
// Histories: mass 1, released at rest, g = 9.80665 downwards, output every 0.01 s. Bounds are three times what a program of
// tolerance 1e-11 reached, the files having errors of their own.

#include "support.h"

#include "la/quaternion.h"
#include "ricochet/joints.h"
#include "ricochet/simulation.h"

#include <float.h>

#define G0 9.80665
#define HALF 0.70710678118654752440

enum { QUANTITIES = 8, ROWS = 501 };

// One pendulum: a joint at a point of the world with the axes of Q, the body's center and its orientation at the start.
typedef struct story {
    const char *folder, *name; // of the files
    const char *kind;
    double point[3], turn[4]; // of the joint's frame
    double on_body[3];        // the joint's point of the body in the world, at the start
    double center[3], orientation[4];
    double inertia[3];
    double length;
    const char *axis_name;
    double
        off[QUANTITIES]; // Pos, Vel, Acc, Quat, Avel, Aacc, Rforce, Rtorque: what another program was off by
    double end[3];       // center after 5 s
} story;

static const char *const QUANTITY[QUANTITIES] = {"Pos",  "Vel",  "Acc",    "Quat",
                                                 "Avel", "Aacc", "Rforce", "Rtorque"};
static const int WIDTH[QUANTITIES] = {3, 3, 3, 4, 3, 3, 3, 3};

#define IDENTITY                                                                                             \
    {                                                                                                        \
        1.0, 0.0, 0.0, 0.0                                                                                   \
    }
#define BACK_90                                                                                              \
    {                                                                                                        \
        HALF, -HALF, 0.0, 0.0                                                                                \
    }
#define BACK_45                                                                                              \
    {                                                                                                        \
        0.92387953251128675613, -0.38268343236508977173, 0.0, 0.0                                            \
    }
#define ROD                                                                                                  \
    {                                                                                                        \
        0.04, 0.1, 0.1                                                                                       \
    }
#define ROD_Y                                                                                                \
    {                                                                                                        \
        0.1, 0.04, 0.1                                                                                       \
    }
#define TINY 1e-9

static const story STORIES[] = {
    {"revolute_joint",
     "Revolute_Case01",
     "revolute",
     {0, 0, 0},
     BACK_90,
     {0, 0, 0},
     {2, 0, 0},
     BACK_90,
     ROD,
     0,
     "",
     {5e-6, 5e-6, 6e-4, 5e-7, 5e-6, 6e-4, 6e-4, 1e-9},
     {-1.99968387, 0, -0.03555875}},
    {"revolute_joint",
     "Revolute_Case02",
     "revolute",
     {1, 2, 3},
     BACK_45,
     {1, 2, 3},
     {3, 2, 3},
     BACK_45,
     ROD,
     0,
     "",
     {5e-6, 5e-6, 1.1e-3, 5e-7, 5e-6, 5e-4, 1.1e-3, 1.6e-3},
     {1.20996051, 3.40639905, 1.59360095}},
    {"spherical_joint",
     "Spherical_Case01",
     "spherical",
     {0, 0, 0},
     IDENTITY,
     {0, 0, 0},
     {2, 0, 0},
     IDENTITY,
     ROD,
     0,
     "",
     {8.4e-4, 2.6e-3, 1.3e-2, 2.1e-4, 1.0e-3, 2.3e-3, 1.3e-2, TINY},
     {-1.99968387, 0, -0.03555875}},
    {"cylindrical_joint",
     "Cylindrical_Case01",
     "cylindrical",
     {0, 0, 0},
     IDENTITY,
     {0, 0, 0},
     {2, 0, 0},
     IDENTITY,
     ROD,
     0,
     "",
     {4.7e-4, 5e-5, TINY, 2e-7, TINY, TINY, TINY, TINY},
     {2, 0, -122.583125}},
    {"cylindrical_joint",
     "Cylindrical_Case02",
     "cylindrical",
     {0, 0, 0},
     BACK_90,
     {0, 0, 0},
     {2, 0, 0},
     BACK_90,
     ROD,
     0,
     "",
     {5e-6, 5e-6, 6e-4, 5e-7, 5e-6, 6e-4, 6e-4, 1e-9},
     {-1.99968387, 0, -0.03555875}},
    {"cylindrical_joint",
     "Cylindrical_Case03",
     "cylindrical",
     {1, 2, 3},
     BACK_45,
     {1, 2, 3},
     {3, 2, 3},
     BACK_45,
     ROD,
     0,
     "",
     {5e-5, 5e-5, 7e-4, 5e-7, 5e-6, 6e-4, 7e-4, 7e-2},
     {1.20996051, -57.88516345, -59.69796155}},
    {"prismatic_joint",
     "Prismatic_Case01",
     "prismatic",
     {0, 0, 0},
     IDENTITY,
     {0, 0, 0},
     {2, 0, 0},
     IDENTITY,
     ROD,
     0,
     "",
     {4.7e-4, 5e-5, TINY, 2e-7, TINY, TINY, TINY, TINY},
     {2, 0, -122.583125}},
    {"prismatic_joint",
     "Prismatic_Case03",
     "prismatic",
     {1, 2, 3},
     BACK_90,
     {1, 2, 3},
     {3, 2, 3},
     BACK_90,
     ROD,
     0,
     "",
     {TINY, TINY, TINY, 2e-7, TINY, TINY, TINY, TINY},
     {3, 2, 3}},
    {"distance_constraint",
     "Distance_Case01",
     "distance",
     {0, 0, 0},
     IDENTITY,
     {0, 2, 0},
     {0, 2, 0},
     IDENTITY,
     ROD,
     2,
     "",
     {5e-7, 5e-7, 1.4e-3, TINY, TINY, TINY, 1.4e-3, TINY},
     {0, -1.99999807, -0.00277957}},
    {"distance_constraint",
     "Distance_Case02",
     "distance",
     {1, 2, 3},
     IDENTITY,
     {1, 4, 3},
     {-1, 4, 3},
     IDENTITY,
     ROD,
     2,
     "",
     {1.8e-5, 3e-4, 1.7e-2, 1e-5, 1.4e-3, 0.2, 1.7e-2, TINY},
     {0.36524491, 2.66492164, -0.7909668}},
    {"distance_constraint",
     "Distance_Case03",
     "distance",
     {0, 0, 0},
     IDENTITY,
     {0, 2, 0},
     {0, 4, 0},
     {HALF, 0, 0, -HALF},
     ROD,
     2,
     "",
     {6e-7, 1e-6, 1.3e-3, 5e-6, 2.8e-6, 1.2e-3, 1.3e-3, TINY},
     {0, 3.95575938, -0.30158653}},
    {"revsph_constraint",
     "RevSpherical_Case01",
     "revolute-spherical",
     {0, 0, 0},
     IDENTITY,
     {2, 0, 0},
     {2, 2, 0},
     IDENTITY,
     ROD_Y,
     2,
     "_Body1",
     {5e-6, 4e-5, 4.4e-3, 8e-7, 6e-5, 1.2e-2, 3.8e-3, 6e-3},
     {-1.32782152, 1.24003028, -1.28682703}},
    {"revsph_constraint",
     "RevSpherical_Case02",
     "revolute-spherical",
     {1, 2, 3},
     BACK_45,
     {3, 2, 3},
     {3, 4, 3},
     IDENTITY,
     ROD_Y,
     2,
     "_Body1",
     {1e-5, 1.5e-4, 2.7e-2, 5e-6, 3.4e-4, 5e-2, 2.7e-2, 5e-2},
     {0.06287851, 5.2833595, 1.65207252}},
};

enum { STORIES_TOLD = sizeof STORIES / sizeof *STORIES };

// --- a pendulum ----------------------------------------------------------------------------------------------------

typedef struct bench {
    rico_context *ctx;
    rico_bodies *bodies;
    rico_system *system;
    rico_simulation *sim;
    const double *inertia;
    double gravity[3];
    int64_t joint;
} bench;


static void take_down(bench *self)
{
    rico_simulation_destroy(self->sim);
    rico_system_destroy(self->system);
    rico_bodies_destroy(self->bodies);
    rico_context_destroy(self->ctx);
}


static void begin(bench *self, int dimension, double gravity_y, double gravity_z)
{
    memset(self, 0, sizeof *self);
    self->ctx = rico_context_create(NULL);
    rico_vec3_set(0.0, gravity_y, gravity_z, self->gravity);
    assert_ok(self->ctx, rico_bodies_create(self->ctx, dimension, &self->bodies));
    assert_ok(self->ctx, rico_system_create(self->ctx, &self->system));
    assert_ok(self->ctx, rico_bodies_set_gravity(self->bodies, self->gravity));
}


static void start(bench *self, const char *scheme)
{
    double q[70], v[60];
    rico_bodies_start(self->bodies, q, v);
    assert_ok(self->ctx, rico_simulation_create(self->system, scheme, &self->sim));
    if (strcmp(scheme, "event-driven") == 0) {
        assert_ok(self->ctx, rico_simulation_set_number(self->sim, "rtol", 1e-12));
        assert_ok(self->ctx, rico_simulation_set_number(self->sim, "drift", 1e-13));
    }
    assert_ok(self->ctx, rico_simulation_start(self->sim, 0.0, q, v));
}


// The whole world, gravity included, turned by `turn` about the origin and shifted.
static void tell(bench *self, const story *of, const double turn[4], const double shift[3],
                 const char *scheme)
{
    rico_body body = rico_body_default();
    rico_body_joint joint = rico_body_joint_default();
    double down[3] = {0.0, 0.0, -G0}, arm[3], axes[2][3] = {{1, 0, 0}, {0, 0, 1}}, point[3];
    begin(self, 3, 0.0, -G0);
    rico_quaternion_rotate(turn, down, self->gravity);
    assert_ok(self->ctx, rico_bodies_set_gravity(self->bodies, self->gravity));
    self->inertia = of->inertia;
    body.mass = 1.0;
    body.has_inertia = true;
    for (int i = 0; i < 3; i++) body.inertia[4 * i] = of->inertia[i];
    rico_quaternion_rotate(turn, of->center, body.stand.position);
    rico_vec3_add(body.stand.position, shift, body.stand.position);
    rico_quaternion_multiply(turn, of->orientation, body.stand.orientation);
    assert_ok(self->ctx, rico_bodies_add(self->bodies, &body, &joint.b));
    assert_ok(self->ctx, rico_system_add_bodies(self->system, "bodies", self->bodies, NULL));
    joint.name = "joint";
    joint.kind = of->kind;
    joint.length = of->length;
    for (int k = 0; k < 2; k++) {
        rico_quaternion_rotate(of->turn, axes[k], axes[k]);
        rico_quaternion_rotate(turn, axes[k], axes[k]);
    }
    rico_quaternion_rotate(turn, of->point, point);
    rico_vec3_add(point, shift, point);
    assert_true(rico_body_joint_place(self->bodies, &joint, point, axes[1], axes[0]));
    rico_vec3_subtract(of->on_body, of->center, arm);
    rico_quaternion_rotate_back(of->orientation, arm, joint.on_b);
    assert_ok(self->ctx, rico_system_add_body_joint(self->system, self->bodies, &joint, &self->joint));
    start(self, scheme);
}


// What the files have: position, velocity, acceleration, quaternion, angular velocity and acceleration, and on the ground force and torque.
static void read_state(const bench *self, const double on_body[3], double out[QUANTITIES][4])
{
    const double *q = rico_simulation_position(self->sim), *v = rico_simulation_velocity(self->sim);
    const double *force = rico_simulation_force(self->sim), *I = self->inertia;
    rico_joint_reaction is;
    double arm[3], torque[3], own[3], momentum[3], gyro[3];
    assert_ok(self->ctx, rico_system_joint_reaction(self->system, self->joint, 0,
                                                    rico_simulation_time(self->sim), q, force, &is));
    memcpy(out[0], q, 3 * sizeof *q);
    memcpy(out[1], v, 3 * sizeof *v);
    rico_vec3_add(self->gravity, is.force_b, out[2]);
    memcpy(out[3], q + 3, 4 * sizeof *q);
    rico_quaternion_rotate(q + 3, v + 3, out[4]);
    rico_quaternion_rotate(q + 3, on_body, arm);
    rico_vec3_cross(arm, is.force_b, torque);
    rico_vec3_add(torque, is.torque_b, torque);
    rico_quaternion_rotate_back(q + 3, torque, own);
    for (int i = 0; i < 3; i++) momentum[i] = I[i] * v[3 + i];
    rico_vec3_cross(momentum, v + 3, gyro);
    for (int i = 0; i < 3; i++) own[i] = (own[i] + gyro[i]) / I[i];
    rico_quaternion_rotate(q + 3, own, out[5]);
    memcpy(out[6], is.force_a, sizeof is.force_a);
    memcpy(out[7], is.torque_a, sizeof is.torque_a);
}


// --- histories -----------------------------------------------------------------------------------------------------

static const char *data(void)
{
    const char *given = getenv("RICO_DATA");
    return given ? given : "../shared/data";
}


// 501 rows of up to 5 numbers; false without the file.
static bool read_history(const story *of, int quantity, double (*rows)[5])
{
    char path[512], text[256];
    snprintf(path, sizeof path, "%s/adams-joints/%s/%s_ADAMS_%s%s.txt", data(), of->folder, of->name,
             QUANTITY[quantity], quantity >= 6 ? of->axis_name : "");
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


static double difference(const double *x, const double *y, int width)
{
    double plus = 0.0, minus = 0.0;
    for (int k = 0; k < width; k++) {
        minus = fmax(minus, fabs(x[k] - y[k]));
        plus = fmax(plus, fabs(x[k] + y[k]));
    }
    return width == 4 ? fmin(plus, minus) : minus; // q and -q are one rotation
}


static void compare(const story *of, double (*history)[QUANTITIES][4])
{
    static double rows[ROWS][5];
    for (int k = 0; k < QUANTITIES; k++) {
        double worst = 0.0;
        if (!read_history(of, k, rows)) continue;
        for (int r = 1; r < ROWS; r++) worst = fmax(worst, difference(history[r][k], rows[r] + 1, WIDTH[k]));
        if (!(worst <= 3.0 * of->off[k]))
            fail_msg("%s: %s is off by %.3g, expected at most 3 times %.3g", of->name, QUANTITY[k], worst,
                     of->off[k]);
    }
}


static void run_story(const story *of, const char *scheme, double h, double bound)
{
    static double history[ROWS][QUANTITIES][4];
    const double still[4] = IDENTITY, here[3] = {0.0, 0.0, 0.0};
    double arm[3], on_body[3];
    bench self;
    tell(&self, of, still, here, scheme);
    rico_vec3_subtract(of->on_body, of->center, arm);
    rico_quaternion_rotate_back(of->orientation, arm, on_body);
    int64_t each = llround(0.01 / h);
    for (int r = 1; r < ROWS; r++) {
        for (int64_t k = 0; k < each; k++) assert_ok(self.ctx, rico_simulation_step(self.sim, h));
        read_state(&self, on_body, history[r]);
    }
    for (int i = 0; i < 3; i++) assert_near(history[ROWS - 1][0][i], of->end[i], bound);
    compare(of, history);
    take_down(&self);
}


static void histories(void **state)
{
    (void)state;
    for (int k = 0; k < STORIES_TOLD; k++) run_story(&STORIES[k], "event-driven", 0.01, 1e-7);
}


// --- anywhere ------------------------------------------------------------------------------------------------------

// The whole model turned and shifted, gravity too: results turn along.
static void elsewhere(void **state)
{
    (void)state;
    const double still[4] = IDENTITY, origin[3] = {0.0, 0.0, 0.0}, far[3] = {1.5, -2.5, 0.75};
    const double phi[3] = {0.7, -1.1, 0.4};
    double turn[4];
    rico_quaternion_exp(phi, turn);
    for (int k = 0; k < STORIES_TOLD; k++) {
        bench here, there;
        double x[3];
        tell(&here, &STORIES[k], still, origin, "generalized-alpha-constrained");
        tell(&there, &STORIES[k], turn, far, "generalized-alpha-constrained");
        for (int n = 0; n < 100; n++) {
            assert_ok(here.ctx, rico_simulation_step(here.sim, 0.005));
            assert_ok(there.ctx, rico_simulation_step(there.sim, 0.005));
        }
        rico_quaternion_rotate(turn, rico_simulation_position(here.sim), x);
        rico_vec3_add(x, far, x);
        for (int i = 0; i < 3; i++) assert_near(rico_simulation_position(there.sim)[i], x[i], 1e-11);
        take_down(&here);
        take_down(&there);
    }
}


// --- mechanisms with closed forms ----------------------------------------------------------------------------------

// A wheel or a carriage of unit mass and inertia J about every axis, at rest at x, or turning about z.
static int64_t add_wheel(bench *self, double x, double J, double spin)
{
    rico_body body = rico_body_default();
    int64_t index;
    body.mass = 1.0;
    body.has_inertia = true;
    for (int i = 0; i < 3; i++) body.inertia[4 * i] = J;
    body.stand.position[0] = x;
    body.spin[2] = spin;
    assert_ok(self->ctx, rico_bodies_add(self->bodies, &body, &index));
    return index;
}


static int64_t add_joint(bench *self, const char *name, const char *kind, int64_t a, int64_t b, double x,
                         const double axis[3], double pitch)
{
    rico_body_joint joint = rico_body_joint_default();
    const double point[3] = {x, 0.0, 0.0};
    int64_t index;
    joint.name = name;
    joint.kind = kind;
    joint.a = a;
    joint.b = b;
    joint.pitch = pitch;
    assert_true(rico_body_joint_place(self->bodies, &joint, point, axis, NULL));
    assert_ok(self->ctx, rico_system_add_body_joint(self->system, self->bodies, &joint, &index));
    return index;
}


static int64_t couple(bench *self, const char *kind, int64_t one, int64_t two, double f, double g)
{
    rico_body_joint joint = rico_body_joint_default();
    int64_t index;
    joint.name = joint.kind = kind;
    joint.of[0] = one;
    joint.of[1] = two;
    joint.factor[0] = f;
    joint.factor[1] = g;
    assert_ok(self->ctx, rico_system_add_body_joint(self->system, self->bodies, &joint, &index));
    return index;
}


static const double ALONG_X[3] = {1.0, 0.0, 0.0}, ALONG_Y[3] = {0.0, 1.0, 0.0}, ALONG_Z[3] = {0.0, 0.0, 1.0};


static bool twist(void *user, double t, const rico_stand *stand, const double velocity[3],
                  const double spin[3], double force[3], double torque[3])
{
    (void)user, (void)t, (void)stand, (void)velocity, (void)spin;
    rico_vec3_set(0.0, 0.0, 0.0, force);
    rico_vec3_set(0.0, 0.0, 2.0, torque);
    return true;
}


// A torque T turns a wheel of 20 teeth against one of 30, and a rack on a pinion of radius r. Angle of the first: with J_1 on it, J_2 (2/3)^2 and m r^2
// reduced to it, T t^2 / (2 J); many turns.
static void wheels(void **state)
{
    (void)state;
    bench self;
    begin(&self, 3, 0.0, 0.0);
    rico_body driven_wheel = rico_body_default();
    int64_t one;
    driven_wheel.mass = 1.0;
    driven_wheel.has_inertia = true;
    for (int i = 0; i < 3; i++) driven_wheel.inertia[4 * i] = 0.5;
    driven_wheel.force = twist;
    assert_ok(self.ctx, rico_bodies_add(self.bodies, &driven_wheel, &one));
    int64_t two = add_wheel(&self, 1.0, 0.9, 0.0), rack = add_wheel(&self, 2.0, 1.0, 0.0);
    assert_ok(self.ctx, rico_system_add_bodies(self.system, "bodies", self.bodies, NULL));
    int64_t pin = add_joint(&self, "pin", "revolute", -1, one, 0.0, ALONG_Z, 0.0);
    int64_t other = add_joint(&self, "other", "revolute", -1, two, 1.0, ALONG_Z, 0.0);
    int64_t slide = add_joint(&self, "slide", "prismatic", -1, rack, 2.0, ALONG_X, 0.0);
    int64_t gear = couple(&self, "gear", pin, other, 20.0, 30.0);
    couple(&self, "rack-and-pinion", pin, slide, 0.2, -1.0);
    start(&self, "generalized-alpha-constrained");
    for (int n = 0; n < 1000; n++) assert_ok(self.ctx, rico_simulation_step(self.sim, 0.01));
    double J = 0.5 + 0.9 * 4.0 / 9.0 + 0.04, turned = 2.0 / J, t = 10.0;
    const double *v = rico_simulation_velocity(self.sim), *q = rico_simulation_position(self.sim), *gap;
    assert_near(v[5], turned * t, 1e-9);
    assert_near(v[11], -2.0 / 3.0 * turned * t, 1e-9);
    assert_near(v[12], 0.2 * turned * t, 1e-9);
    assert_near(q[14], 2.0 + 0.2 * 0.5 * turned * t * t, 1e-9); // after 17 turns of the pinion
    assert_ok(self.ctx, rico_simulation_gap(self.sim, &gap));
    for (int64_t r = 0; r < rico_simulation_rows(self.sim); r++) assert_near(gap[r], 0.0, 1e-11);
    // the second wheel is turned by the gear alone
    rico_joint_reaction is;
    const double *force = rico_simulation_force(self.sim);
    int64_t row = rico_system_constraint(self.system, gear).row;
    assert_ok(self.ctx, rico_system_joint_reaction(self.system, gear, 1, t, q, force + row, &is));
    assert_near(is.torque_b[2], -0.9 * 2.0 / 3.0 * turned, 1e-9);
    assert_near(is.torque_a[2], 0.9 * 2.0 / 3.0 * turned, 1e-9);
    take_down(&self);
}


// A nut on a screw of pitch p falls: z'' = -g m / (m + J (2 pi/p)^2), turning as it goes.
static void lifted_by_a_screw(void **state)
{
    (void)state;
    bench self;
    const double pitch = 0.1, k = 2.0 * M_PI / pitch, J = 0.002, fall = 9.81 / (1.0 + J * k * k);
    begin(&self, 3, 0.0, -9.81);
    int64_t nut = add_wheel(&self, 0.0, J, 0.0);
    assert_ok(self.ctx, rico_system_add_bodies(self.system, "bodies", self.bodies, NULL));
    add_joint(&self, "thread", "screw", -1, nut, 0.0, ALONG_Z, pitch);
    start(&self, "generalized-alpha-constrained");
    for (int n = 0; n < 200; n++) assert_ok(self.ctx, rico_simulation_step(self.sim, 0.01));
    const double *v = rico_simulation_velocity(self.sim), *q = rico_simulation_position(self.sim);
    assert_near(q[2], -0.5 * fall * 4.0, 1e-10);
    assert_near(v[2], -fall * 2.0, 1e-10);
    assert_near(v[5], -fall * 2.0 * k, 1e-8);
    take_down(&self);
}


// --- drives and stops ----------------------------------------------------------------------------------------------

static bool swing(void *user, double t, double *position, double *velocity)
{
    (void)user;
    *position = 4.0 * sin(2.0 * t); // beyond half a turn
    *velocity = 8.0 * cos(2.0 * t);
    return true;
}


// A wheel that is driven: angle and torque J phi'' about the axis.
static void driven(void **state)
{
    (void)state;
    bench self;
    rico_joint_reaction is;
    begin(&self, 3, 0.0, 0.0);
    int64_t wheel = add_wheel(&self, 0.0, 0.5, 8.0), motor;
    assert_ok(self.ctx, rico_system_add_bodies(self.system, "bodies", self.bodies, NULL));
    int64_t pin = add_joint(&self, "pin", "revolute", -1, wheel, 0.0, ALONG_Z, 0.0);
    assert_ok(self.ctx, rico_system_drive_joint(self.system, "motor", pin, true, swing, NULL, &motor));
    start(&self, "generalized-alpha-constrained");
    for (int n = 1; n <= 500; n++) {
        double t, position, velocity, angle;
        assert_ok(self.ctx, rico_simulation_step(self.sim, 0.01));
        t = rico_simulation_time(self.sim);
        swing(NULL, t, &position, &velocity);
        const double *q = rico_simulation_position(self.sim), *v = rico_simulation_velocity(self.sim);
        assert_ok(self.ctx, rico_system_joint_coordinate(self.system, pin, true, t, q, &angle));
        assert_near(remainder(angle - position, 2.0 * M_PI), 0.0, 1e-11);
        assert_near(v[5], velocity, 1e-10);
        assert_ok(self.ctx, rico_system_joint_reaction(self.system, motor, 0, t, q,
                                                       rico_simulation_force(self.sim) +
                                                           rico_system_constraint(self.system, motor).row,
                                                       &is));
        assert_near(is.torque_b[2], -0.5 * 4.0 * position, 1e-7);
    }
    take_down(&self);
}


static bool creep(void *user, double t, double *position, double *velocity)
{
    *velocity = *(const double *)user;
    *position = *velocity * t;
    return true;
}


// LinActuator 01 and 02: a plate that is pushed along a rail at a constant speed; what the drive does to the plate, and what the rail does to the
// ground about its point.
static void actuator(void **state)
{
    (void)state;
    double speed[2] = {1.0, 0.5};
    const double axis[2][3] = {{0.0, 0.0, 1.0}, {HALF, 0.0, HALF}};
    for (int k = 0; k < 2; k++) {
        bench self;
        rico_body body = rico_body_default();
        int64_t plate, drive;
        begin(&self, 3, 0.0, -G0);
        body.mass = 1.0;
        body.has_inertia = true;
        for (int i = 0; i < 3; i++) body.inertia[4 * i] = 1.0;
        rico_vec3_scale(speed[k], axis[k], body.velocity);
        assert_ok(self.ctx, rico_bodies_add(self.bodies, &body, &plate));
        assert_ok(self.ctx, rico_system_add_bodies(self.system, "bodies", self.bodies, NULL));
        int64_t rail = add_joint(&self, "rail", "prismatic", -1, plate, 0.0, axis[k], 0.0);
        assert_ok(self.ctx,
                  rico_system_drive_joint(self.system, "drive", rail, false, creep, &speed[k], &drive));
        start(&self, "generalized-alpha-constrained");
        for (int n = 0; n < 500; n++) assert_ok(self.ctx, rico_simulation_step(self.sim, 0.01));
        const double *q = rico_simulation_position(self.sim), *force = rico_simulation_force(self.sim);
        rico_joint_reaction push, hold;
        assert_ok(self.ctx,
                  rico_system_joint_reaction(self.system, drive, 0, 5.0, q,
                                             force + rico_system_constraint(self.system, drive).row, &push));
        assert_ok(self.ctx,
                  rico_system_joint_reaction(self.system, rail, 0, 5.0, q,
                                             force + rico_system_constraint(self.system, rail).row, &hold));
        double along = G0 * axis[k][2];
        for (int i = 0; i < 3; i++) {
            assert_near(q[i], 5.0 * speed[k] * axis[k][i], 1e-11);
            assert_near(push.force_b[i], along * axis[k][i], 1e-9);
            assert_near(hold.force_a[i], along * axis[k][i] - (i == 2 ? G0 : 0.0), 1e-9);
            assert_near(hold.torque_a[i], i == 1 && k == 1 ? 3.46717437 * 5.0 : 0.0, 1e-6);
        }
        take_down(&self);
    }
}


// A carriage between two stops keeps its speed with e = 1 and halves it with e = 1/2.
static void stopped(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        bench self;
        begin(&self, 3, 0.0, 0.0);
        rico_body body = rico_body_default();
        int64_t index;
        body.mass = 2.0;
        body.has_inertia = true;
        for (int i = 0; i < 3; i++) body.inertia[4 * i] = 1.0;
        body.velocity[1] = 3.0;
        assert_ok(self.ctx, rico_bodies_add(self.bodies, &body, &index));
        assert_ok(self.ctx, rico_system_add_bodies(self.system, "bodies", self.bodies, NULL));
        int64_t rail = add_joint(&self, "rail", "prismatic", -1, index, 0.0, ALONG_Y, 0.0);
        assert_ok(self.ctx,
                  rico_system_limit_joint(self.system, "rail", rail, false, -0.5, 1.0, k ? 0.5 : 1.0));
        start(&self, "event-driven");
        assert_ok(self.ctx, rico_simulation_step(self.sim, 0.6));
        // at the stop after 1/3 s
        double e = k ? 0.5 : 1.0, expected = 1.0 - e * 3.0 * (0.6 - 1.0 / 3.0);
        assert_near(rico_simulation_position(self.sim)[1], expected, 1e-9);
        assert_near(rico_simulation_velocity(self.sim)[1], -3.0 * e, 1e-9);
        take_down(&self);
    }
}


// An angle between stops, across the half-turn: a wheel turns from 0 to its stop at 200 degrees and stays there.
static void angle_stop(void **state)
{
    (void)state;
    bench self;
    begin(&self, 3, 0.0, 0.0);
    int64_t wheel = add_wheel(&self, 0.0, 0.5, 2.0);
    assert_ok(self.ctx, rico_system_add_bodies(self.system, "bodies", self.bodies, NULL));
    int64_t pin = add_joint(&self, "pin", "revolute", -1, wheel, 0.0, ALONG_Z, 0.0);
    double high = 200.0 * M_PI / 180.0, angle;
    assert_ok(self.ctx, rico_system_limit_joint(self.system, "pin", pin, true, -0.1, high, 0.0));
    start(&self, "generalized-alpha-constrained");
    for (int n = 0; n < 300; n++) assert_ok(self.ctx, rico_simulation_step(self.sim, 0.01));
    assert_ok(self.ctx, rico_system_joint_coordinate(self.system, pin, true, 3.0,
                                                     rico_simulation_position(self.sim), &angle));
    assert_near(remainder(angle - high, 2.0 * M_PI), 0.0, 1e-9);
    assert_near(rico_simulation_velocity(self.sim)[5], 0.0, 1e-9);
    take_down(&self);
}


// A mass at (0.1, 0.9) on a rope of length 1 falls freely to y = -sqrt(0.99), then swings on the circle.
static void rope(void **state)
{
    (void)state;
    bench self;
    rico_body body = rico_body_default();
    rico_body_joint joint = rico_body_joint_default();
    begin(&self, 3, -10.0, 0.0);
    body.mass = 1.0;
    body.has_inertia = true;
    for (int i = 0; i < 3; i++) body.inertia[4 * i] = 0.1;
    rico_vec3_set(0.1, 0.9, 0.0, body.stand.position);
    assert_ok(self.ctx, rico_bodies_add(self.bodies, &body, &joint.b));
    assert_ok(self.ctx, rico_system_add_bodies(self.system, "bodies", self.bodies, NULL));
    joint.name = joint.kind = "rope";
    joint.length = 1.0;
    assert_ok(self.ctx, rico_system_add_body_joint(self.system, self.bodies, &joint, NULL));
    start(&self, "generalized-alpha-constrained");
    for (int n = 1; n <= 260; n++) {
        assert_ok(self.ctx, rico_simulation_step(self.sim, 0.01));
        const double *q = rico_simulation_position(self.sim);
        double t = 0.01 * n;
        if (t < 0.615) assert_near(q[1], 0.9 - 5.0 * t * t, 1e-10); // falls until t = 0.615627718204
        if (t > 0.62) assert_near(rico_vec3_norm(q), 1.0, 1e-4);
    }
    take_down(&self);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(histories),         cmocka_unit_test(elsewhere), cmocka_unit_test(wheels),
        cmocka_unit_test(lifted_by_a_screw), cmocka_unit_test(driven),    cmocka_unit_test(rope),
        cmocka_unit_test(actuator),          cmocka_unit_test(stopped),   cmocka_unit_test(angle_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
