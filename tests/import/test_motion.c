// Models that were imported move as mechanics says: MuJoCo's complaints about creep, URDF's links, actuators, memory that runs out.

#include "failing_memory.h"
#include "sample.h"

// To the end time, or `until`; the state is the scene's simulation's.
static rico_simulation *run(sample *self, double until)
{
    rico_simulation *sim = NULL;
    double step = rico_scene_times(self->scene).step;
    int64_t steps = (int64_t)floor(until / step + 0.5);
    assert_ok(self->ctx, rico_scene_simulate(self->scene, &sim));
    for (int64_t i = 0; i < steps; i++) assert_ok(self->ctx, rico_simulation_step(sim, step));
    return sim;
}


static double speed(const sample *self, rico_simulation *sim, const char *name, int axis)
{
    int64_t at = self->place.v + sample_body(self, name)->v;
    return rico_simulation_velocity(sim)[at + axis];
}


// A block on a plane that leans: tan(angle) as given, friction 0.5.
static void incline(double tangent, char *text, size_t size)
{
    snprintf(
        text, size,
        "<mujoco model='Incline'><compiler angle='radian'/>"
        "<option timestep='0.001' cone='elliptic' impratio='10' noslip_iterations='3'/>"
        "<default><geom friction='0.5 0.005 0.0001' condim='3' solref='0.004 1'/></default>"
        "<worldbody><frame axisangle='0 1 0 %.17g'><geom name='ground' type='plane' size='0 0 1'/>"
        "<body name='block' pos='0 0 0.1'><freejoint/><geom type='box' size='0.2 0.2 0.1' mass='1'/></body>"
        "</frame></worldbody></mujoco>",
        atan(tangent));
}


static void test_incline(void **state)
{
    (void)state;
    static const double TANGENT[] = {0.25, 0.49, 0.499999, 0.51, 0.7};
    for (int i = 0; i < 5; i++) {
        char text[1000];
        sample self;
        incline(TANGENT[i], text, sizeof text);
        sample_read(&self, text, NULL);
        rico_simulation *sim = run(&self, 5.0);
        double angle = atan(TANGENT[i]), x = speed(&self, sim, "block", 0), z = speed(&self, sim, "block", 2);
        double along = x * cos(angle) - z * sin(angle),
               expected = 5.0 * 9.81 * (sin(angle) - 0.5 * cos(angle));
        if (expected < 0.0) expected = 0.0;
        assert_near(along, expected, expected == 0.0 ? 1e-12 : 1e-10);
        rico_simulation_destroy(sim);
        sample_release(&self);
    }
}


// Two pads press a box of 1 kg with 10 N each: 2 mu 10 N against 9.81 N.
typedef struct fingers {
    const char *pad; // attributes of its geom
    double at;       // the distance of its middle
} fingers;

static const fingers ROUND = {"size='0.02'", 0.05}, FLAT = {"type='box' size='0.01 0.02 0.02'", 0.04},
                     WIDE = {"type='box' size='0.01 0.04 0.04'", 0.04};


static void gripper(const fingers *of, double friction, int condim, char *text, size_t size)
{
    snprintf(
        text, size,
        "<mujoco model='Gripper'><option timestep='0.002' cone='elliptic' impratio='10' "
        "noslip_iterations='3'/>"
        "<default><geom friction='%.17g 0.005 0.0001' condim='%d'/><motor ctrlrange='0 "
        "20'/></default><worldbody>"
        "<body name='left' pos='-%g 0 0.3'><joint name='left' type='slide' axis='1 0 0'/>"
        "<geom %s mass='0.2'/></body>"
        "<body name='right' pos='%g 0 0.3'><joint name='right' type='slide' axis='-1 0 0'/>"
        "<geom %s mass='0.2'/></body>"
        "<body name='box' pos='0 0 0.3'><freejoint/><geom type='box' size='0.03 0.03 0.03' mass='1'/></body>"
        "</worldbody><actuator><motor name='left' joint='left'/><motor name='right' "
        "joint='right'/></actuator>"
        "<keyframe><key name='grip' qpos='0 0  0 0 0.3 1 0 0 0' ctrl='10 10'/></keyframe></mujoco>",
        friction, condim, of->at, of->pad, of->at, of->pad);
}


// The forces at the corners of a flat finger are not determined, the motion of the box is as long as they are shared evenly.
static void test_gripper(void **state)
{
    (void)state;
    static const double FRICTION[] = {1.0, 0.6, 0.5, 0.4906, 0.49, 0.45};
    const fingers *kinds[] = {&ROUND, &FLAT, &WIDE};
    for (int i = 0; i < 18; i++) {
        char text[1600];
        sample self;
        double friction = FRICTION[i % 6];
        gripper(kinds[i / 6], friction, 3, text, sizeof text);
        sample_read(&self, text, "grip");
        rico_simulation *sim = run(&self, 0.2);
        double expected = -0.2 * fmax(0.0, 9.81 - 20.0 * friction);
        double near = expected == 0.0 ? 1e-12 : 1e-10;
        for (int axis = 0; axis < 6; axis++)
            assert_near(speed(&self, sim, "box", axis), axis == 2 ? expected : 0.0, near);
        rico_simulation_destroy(sim);
        sample_release(&self);
    }
}


// A hand whose fingers stand at different distances takes a box from the floor and lifts it by 5 cm.
static void test_lift(void **state)
{
    (void)state;
    sample self;
    sample_read(
        &self,
        "<mujoco model='Lift'><option timestep='0.002'/><default><geom friction='0.6 0.005 "
        "0.0001'/></default>"
        "<worldbody><geom type='plane' size='1 1 .1'/><body name='hand' pos='0 0 0.15'>"
        "<joint name='up' type='slide' axis='0 0 1'/><geom type='box' size='.05 .02 .01' mass='0.5'/>"
        "<body name='left' pos='-0.045 0 -0.12'><joint name='left' type='slide' axis='1 0 0'/>"
        "<geom type='box' size='0.01 0.02 0.02' mass='0.2'/></body>"
        "<body name='right' pos='0.042 0 -0.12'><joint name='right' type='slide' axis='-1 0 0'/>"
        "<geom type='box' size='0.01 0.02 0.02' mass='0.2'/></body></body>"
        "<body name='box' pos='0 0 0.03'><freejoint/><geom type='box' size='0.03 0.03 0.03' mass='1'/></body>"
        "</worldbody><actuator><motor name='left' joint='left'/><motor name='right' joint='right'/>"
        "<position name='up' joint='up' kp='400' kv='80'/></actuator>"
        "<keyframe><key name='grip' qpos='0 0 0  0 0 0.03 1 0 0 0' ctrl='15 15 0.1'/></keyframe></mujoco>",
        "grip");
    rico_simulation *sim = run(&self, 4.0);
    for (int axis = 0; axis < 6; axis++) assert_near(speed(&self, sim, "box", axis), 0.0, 1e-9);
    // the servo gives way by the weight of 1.9 kg over its stiffness, the box has come along
    const double *q = rico_simulation_position(sim);
    double up = 0.1 - 1.9 * 9.81 / 400.0;
    int64_t box = self.place.q + sample_body(&self, "box")->q,
            hand = self.place.q + sample_body(&self, "hand")->q;
    assert_near(q[hand + 2], 0.15 + up, 1e-8);
    assert_true(q[box + 2] - 0.03 > 0.9 * up && q[box + 2] - 0.03 <= up + 1e-8);
    assert_near(fabs(q[box + 3]), 1.0, 1e-12);
    rico_simulation_destroy(sim);
    sample_release(&self);
}


// A servo without damping or gravity: q'' = kp (ctrl - q) / I, so that q = ctrl (1 - cos(omega t)).
static void test_servo(void **state)
{
    (void)state;
    sample self;
    sample_read(&self,
                "<mujoco><option gravity='0 0 0' timestep='1e-4'/><worldbody><body name='a'><joint name='j'/>"
                "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/></body></worldbody>"
                "<actuator><position name='servo' joint='j' kp='4' gear='1'/></actuator>"
                "<keyframe><key name='k' qpos='0' ctrl='0.3'/></keyframe></mujoco>",
                "k");
    rico_simulation *sim = run(&self, 0.5);
    assert_near(speed(&self, sim, "a", 5), 0.3 * 2.0 * sin(1.0), 1e-7);
    rico_simulation_destroy(sim);
    sample_release(&self);
}


// --- URDF ---------------------------------------------------------------------------------------------------------------

// A file beside this one; free() releases it.
static char *beside(const char *name)
{
    const char *here = strrchr(__FILE__, '/');
    char path[1024], *text = calloc(1, 8192);
    snprintf(path, sizeof path, "%.*s/%s", (int)(here - __FILE__), __FILE__, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(text);
    assert_true(fread(text, 1, 8191, file) < 8191);
    fclose(file);
    return text;
}


static void test_urdf(void **state)
{
    (void)state;
    sample self;
    char *model = beside("arm.urdf");
    sample_read(&self, model, NULL);
    free(model);
    const rico_bound_body *arm = sample_body(&self, "arm");
    assert_near(arm->mass, 5.0, 1e-15);
    assert_near(arm->center[0], (2 * .5 + 3 * 1.0) / 5.0, 1e-15);
    // the first inertia is turned by a quarter: xx and yy change places, xy its sign
    double apart = 2.0 * 3.0 / 5.0 * .25;
    assert_near(arm->inertia[0], 1.5 + 1.0, 1e-14);
    assert_near(arm->inertia[4], 1.0 + 1.5 + apart, 1e-14);
    assert_near(arm->inertia[8], 4.0 + apart, 1e-14);
    assert_near(arm->inertia[1], 0.0, 1e-14);
    // x of the arm is y of the world; the tip slides by the offset along x of the tool
    const rico_body *tip = &sample_body(&self, "tip")->given;
    assert_near(tip->stand.position[0], -2.0, 1e-14);
    assert_near(tip->stand.position[1], 1.125, 1e-14);
    assert_near(tip->stand.position[2], 1.0, 1e-14);
    assert_non_null(strstr(self.text, "factors: [1, 0.25]"));
    assert_non_null(strstr(self.text, "between: [base, arm]"));
    rico_simulation *sim = run(&self, 0.05);
    rico_simulation_destroy(sim);
    sample_release(&self);
}


// A pendulum on a hinge that rubs: it stays where the weight's torque is within the friction, and falls where it is not.
static void test_joint_friction(void **state)
{
    (void)state;
    for (int moves = 0; moves < 2; moves++) {
        char text[700];
        snprintf(text, sizeof text,
                 "<robot name='p'><link name='base'/><link name='bob'><inertial><origin xyz='1 0 0'/><mass "
                 "value='1'/>"
                 "<inertia ixx='1' iyy='1' izz='1'/></inertial></link><joint name='j' type='continuous'>"
                 "<parent link='base'/><child link='bob'/><axis xyz='0 1 0'/><dynamics "
                 "friction='%g'/></joint></robot>",
                 moves ? 9.0 : 10.0);
        sample self;
        sample_read(&self, text, NULL);
        rico_simulation *sim = run(&self, 0.01);
        double w = speed(&self, sim, "bob", 4);
        // (9.81 - 9) / (1 + 1) a second, first order in the angle
        if (moves)
            assert_near(w, 0.01 * 0.81 / 2.0, 1e-6);
        else
            assert_at_most(fabs(w), 1e-12);
        rico_simulation_destroy(sim);
        sample_release(&self);
    }
}


static rico_status import_once(rico_context *ctx, void *user)
{
    const char *text = user;
    rico_import_options options = rico_import_defaults();
    char *out = NULL;
    rico_status status = rico_import_text(ctx, "model.xml", text, (int64_t)strlen(text), &options, &out);
    rico_import_free(ctx, out);
    return status;
}


static void test_memory(void **state)
{
    (void)state;
    char text[1600];
    gripper(&ROUND, 0.5, 6, text, sizeof text);
    assert_true(allocations_fail(import_once, text, 0) > 10);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_incline), cmocka_unit_test(test_gripper), cmocka_unit_test(test_lift),
        cmocka_unit_test(test_servo),   cmocka_unit_test(test_urdf),    cmocka_unit_test(test_joint_friction),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
