// MJCF: poses, masses and inertias against a computation of their own, classes, replicas, pairs, drives, keyframes.

#include "sample.h"

// --- matrices of our own, row by row -----------------------------------------------------------------------------------

typedef struct place {
    double R[3][3], p[3];
} place;

static const place SAME = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}};


static place chain(place a, place b)
{
    place out = {{{0}}, {0}};
    for (int i = 0; i < 3; i++) {
        out.p[i] = a.p[i];
        for (int k = 0; k < 3; k++) out.p[i] += a.R[i][k] * b.p[k];
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) out.R[i][j] += a.R[i][k] * b.R[k][j];
    }
    return out;
}


// Rodrigues' formula: R = 1 + sin K + (1 - cos) K^2.
static place turn(double x, double y, double z, double degrees)
{
    double n = sqrt(x * x + y * y + z * z), a = degrees * M_PI / 180.0;
    const double K[3][3] = {{0, -z / n, y / n}, {z / n, 0, -x / n}, {-y / n, x / n, 0}};
    place out = SAME;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double square = 0.0;
            for (int k = 0; k < 3; k++) square += K[i][k] * K[k][j];
            out.R[i][j] += sin(a) * K[i][j] + (1.0 - cos(a)) * square;
        }
    return out;
}


static place shift(double x, double y, double z)
{
    place out = SAME;
    out.p[0] = x, out.p[1] = y, out.p[2] = z;
    return out;
}


// Where the scene puts a body, against where it should be: three of its points.
static void assert_stands(const sample *self, const char *name, place expected)
{
    static const double POINT[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const rico_stand *stand = &sample_body(self, name)->given.stand;
    rico_pose pose;
    assert_true(rico_pose_of(stand, &pose));
    for (int k = 0; k < 3; k++) {
        double x[3];
        rico_pose_point(&pose, POINT[k], x);
        place at = chain(expected, shift(POINT[k][0], POINT[k][1], POINT[k][2]));
        for (int i = 0; i < 3; i++) assert_near(x[i], at.p[i], 1e-13);
    }
}


static void test_chain_of_hinges(void **state)
{
    (void)state;
    sample self;
    sample_read(&self,
                "<mujoco><compiler eulerseq='XYz'/><worldbody>"
                "<body name='a' pos='1 2 3' euler='10 20 30'>"
                "  <joint name='one' pos='0.1 0 0.2' axis='1 2 3' ref='5'/>"
                "  <geom type='box' size='.1 .2 .3' pos='.3 .1 0' euler='40 0 0' mass='2'/>"
                "  <geom type='capsule' size='.05' fromto='0 0 0 .3 .4 0' density='500'/>"
                "  <frame pos='0 0 1' axisangle='0 0 1 90'>"
                "    <body name='b' pos='1 0 0' xyaxes='0 1 0 -1 0 0'>"
                "      <joint name='two' type='slide' axis='0 1 1'/><joint name='three' axis='0 0 1'/>"
                "      <geom size='.1'/>"
                "      <body name='c' pos='0 0 .5' quat='1 1 0 0'><geom type='cylinder' size='.1 .2' "
                "mass='3'/></body>"
                "    </body>"
                "  </frame>"
                "</body></worldbody>"
                "<keyframe><key name='k' qpos='0.7 0.2 -0.4'/></keyframe></mujoco>",
                "k");
    double rad = 180.0 / M_PI;
    // capitals turn about axes that stand still: Z is missing here, z turns about its own
    place a = chain(shift(1, 2, 3), chain(turn(0, 1, 0, 20), chain(turn(1, 0, 0, 10), turn(0, 0, 1, 30))));
    place swing = chain(shift(.1, 0, .2), chain(turn(1, 2, 3, 0.7 * rad - 5.0), shift(-.1, 0, -.2)));
    a = chain(a, swing);
    assert_stands(&self, "a", a);
    place b =
        chain(chain(a, chain(shift(0, 0, 1), turn(0, 0, 1, 90))), chain(shift(1, 0, 0), turn(0, 0, 1, 90)));
    double s = 0.2 / sqrt(2.0);
    b = chain(chain(b, shift(0, s, s)), turn(0, 0, 1, -0.4 * rad));
    assert_stands(&self, "b", b);

    // b: a ball of density 1000 and a cylinder welded to it, by the parallel axis theorem
    const rico_bound_body *body = sample_body(&self, "b");
    double ball = 1000.0 * 4.0 / 3.0 * M_PI * 1e-3, all = ball + 3.0, z = 3.0 * 0.5 / all;
    double along = 3.0 * 0.01 / 2.0, across = 3.0 * (3.0 * 0.01 + 0.16) / 12.0, round = 0.4 * ball * 0.01;
    double apart = ball * 3.0 / all * 0.25;
    assert_near(body->mass, all, 1e-12 * all);
    assert_near(body->center[2], z, 1e-13);
    assert_near(body->inertia[0], round + across + apart, 1e-13); // the cylinder lies along y
    assert_near(body->inertia[4], round + along + apart, 1e-13);
    assert_near(body->inertia[8], round + across, 1e-13);

    // a: a turned box and a capsule
    body = sample_body(&self, "a");
    double r = .05, h = .5, tube = 500.0 * M_PI * r * r * h, caps = 500.0 * 4.0 / 3.0 * M_PI * r * r * r;
    double m = tube + caps;
    assert_near(body->mass, 2.0 + m, 1e-12 * m);
    assert_near(body->center[0], (2.0 * .3 + m * .15) / (2.0 + m), 1e-13);
    assert_near(body->center[1], (2.0 * .1 + m * .2) / (2.0 + m), 1e-13);
    // about z, through the center: box turned about x, capsule in the plane
    double c = cos(40 * M_PI / 180), s2 = sin(40 * M_PI / 180);
    double box = s2 * s2 * (2.0 * (.2 * .2 + .6 * .6) / 12) + c * c * (2.0 * (.2 * .2 + .4 * .4) / 12);
    double capsule = tube * (3 * r * r + h * h) / 12 + caps * (0.4 * r * r + h * h / 4 + 3.0 / 8.0 * r * h);
    double d2 = .15 * .15 + .1 * .1;
    assert_near(body->inertia[8], box + capsule + 2.0 * m / (2.0 + m) * d2, 1e-12);
    sample_release(&self);
}


static void test_inertial(void **state)
{
    (void)state;
    sample self;
    sample_read(
        &self,
        WORLD("<body name='a'><freejoint/><inertial pos='1 2 3' mass='4' fullinertia='3 4 5 .1 .2 .3'/>"
              "<geom size='9'/></body>"
              "<body name='b' pos='50 0 0'><freejoint/>"
              "<inertial pos='0 0 0' mass='1' diaginertia='1 2 2.5' euler='0 0 90'/><geom size='1'/></body>"),
        NULL);
    const rico_bound_body *a = sample_body(&self, "a"), *b = sample_body(&self, "b");
    const double I[9] = {3, .1, .2, .1, 4, .3, .2, .3, 5}, J[9] = {2, 0, 0, 0, 1, 0, 0, 0, 2.5};
    for (int i = 0; i < 9; i++) assert_true(a->inertia[i] == I[i]);
    for (int i = 0; i < 9; i++) assert_near(b->inertia[i], J[i], 1e-15);
    for (int i = 0; i < 3; i++) assert_true(a->center[i] == i + 1.0);
    assert_true(a->mass == 4.0);
    sample_release(&self);
}


// Velocities of a keyframe: v = w x r, joint by joint.
static void test_velocities(void **state)
{
    (void)state;
    sample self;
    sample_read(&self,
                "<mujoco><worldbody><body name='a'><joint axis='0 0 1'/><geom size='.1' pos='1 0 0'/>"
                "<body name='b' pos='2 0 0'><joint axis='0 0 1'/><geom size='.1' pos='0 1 0'/></body></body>"
                "</worldbody><keyframe><key qpos='0 0' qvel='3 4'/></keyframe></mujoco>",
                "0");
    const rico_body *a = &sample_body(&self, "a")->given, *b = &sample_body(&self, "b")->given;
    const double va[3] = {0, 3, 0}, vb[3] = {-7, 6, 0};
    for (int i = 0; i < 3; i++) {
        assert_near(a->velocity[i], va[i], 1e-14);
        assert_near(b->velocity[i], vb[i], 1e-14);
    }
    assert_near(a->spin[2], 3.0, 1e-14);
    assert_near(b->spin[2], 7.0, 1e-14);
    sample_release(&self);
}


// The law between two bodies.
static double friction_between(const sample *self, const char *one, const char *other)
{
    int a = sample_body(self, one)->given.material, b = sample_body(self, other)->given.material;
    for (int i = 0; i < self->bodies->pair_count; i++) {
        const rico_material_pair *pair = &self->bodies->pair[i];
        if ((pair->a == a && pair->b == b) || (pair->a == b && pair->b == a)) return pair->law.friction;
    }
    assert_int_equal(a, b);
    return self->bodies->material[a].law.friction;
}


#define BALL(name, more)                                                                                     \
    "<body name='" name "' pos='0 0 9'><freejoint/><geom name='" name "' size='.1' " more "/></body>"

static void test_friction_rule(void **state)
{
    (void)state;
    sample self;
    sample_read(&self,
                "<mujoco><worldbody><geom name='ground' type='plane' friction='.3'/>" BALL(
                    "a", "friction='.8'") BALL("b", "friction='.1'") BALL("c", "friction='.9' condim='1'")
                    BALL("d", "friction='.2' priority='1'") BALL("e", "friction='.2' condim='1'")
                        BALL("f", "friction='.2' condim='1'") "</worldbody>"
                                                              "<contact><pair geom1='f' geom2='b' "
                                                              "friction='.05'/></contact></mujoco>",
                NULL);
    assert_true(friction_between(&self, "ground", "a") == .8); // the larger one
    assert_true(friction_between(&self, "ground", "b") == .3);
    assert_true(friction_between(&self, "c", "b") == .9);  // of conditions the larger dimension counts
    assert_true(friction_between(&self, "c", "e") == 0.0); // both without friction
    assert_true(friction_between(&self, "d", "a") == .2);  // unless one has priority
    assert_true(friction_between(&self, "f", "b") == .05); // or a pair of its own
    sample_release(&self);
}


static bool may_meet(const sample *self, const char *one, const char *other)
{
    const rico_body *a = &sample_body(self, one)->given, *b = &sample_body(self, other)->given;
    return (a->group & b->meets) && (b->group & a->meets);
}


static void test_masks(void **state)
{
    (void)state;
    sample self;
    sample_read(
        &self,
        "<mujoco><worldbody>" BALL("a", "contype='1' conaffinity='2'")
            BALL("b", "contype='2' conaffinity='4'") BALL("c", "contype='4' conaffinity='8'") BALL(
                "d",
                "contype='0' conaffinity='0'") "</worldbody><contact><pair geom1='d' geom2='c'/><exclude "
                                               "body1='a' body2='b'/></contact></mujoco>",
        NULL);
    assert_true(may_meet(&self, "a", "b")); // b's type is in a's affinity
    assert_true(may_meet(&self, "b", "c"));
    assert_false(may_meet(&self, "a", "c"));
    assert_false(may_meet(&self, "a", "a"));
    assert_true(may_meet(&self, "d", "c")); // by the pair alone
    assert_false(may_meet(&self, "d", "b"));
    assert_int_equal(self.bodies->exclusion_count, 1);
    sample_release(&self);
}


static void test_classes(void **state)
{
    (void)state;
    sample self;
    sample_read(
        &self,
        "<mujoco><default><geom size='.5' density='10'/><default class='x'><geom type='box' size='.1 .2 .3'/>"
        "<default class='y'><geom density='20'/></default></default></default><worldbody>"
        "<body name='a' childclass='x'><freejoint/><geom/></body>"
        "<body name='b' pos='5 0 0' childclass='x'><freejoint/><geom class='y'/></body>"
        "<body name='c' pos='9 0 0'><freejoint/><geom/></body></worldbody></mujoco>",
        NULL);
    assert_near(sample_body(&self, "a")->mass, 10 * 8 * .006, 1e-14);
    assert_near(sample_body(&self, "b")->mass, 20 * 8 * .006, 1e-14);
    assert_near(sample_body(&self, "c")->mass, 10 * 4.0 / 3.0 * M_PI / 8.0, 1e-13);
    sample_release(&self);
}


static void test_replicas(void **state)
{
    (void)state;
    sample self;
    sample_read(
        &self,
        WORLD("<replicate count='12' offset='0 0 .5' euler='0 0 30'><body name='a' pos='3 0 0'><freejoint/>"
              "<geom size='.1'/></body></replicate>"),
        NULL);
    assert_int_equal(rico_bodies_count(self.bodies), 12);
    place at = SAME;
    for (int i = 0; i < 12; i++) {
        char name[8];
        snprintf(name, sizeof name, "a%02d", i);
        assert_stands(&self, name, chain(at, shift(3, 0, 0)));
        at = chain(at, chain(shift(0, 0, .5), turn(0, 0, 1, 30)));
    }
    sample_release(&self);
}


// --- refusals -----------------------------------------------------------------------------------------------------------

#define FREE "<freejoint/><geom size='.1'/>"

static const struct {
    const char *model, *says;
} REFUSED[] = {
    {"<mujoco>", "model.xml:1: this is no XML"},
    {"<mojoco/>", "<mojoco> opens neither"},
    {"<!DOCTYPE a [<!ENTITY b 'c'>]><mujoco model='&b;'/>", "model.xml:1: entities are not taken"},
    {"<mujoco/>", "<mujoco> holds nothing that moves"},
    {"<mujoco><wordlbody/></mujoco>", "<wordlbody> is no element of MJCF here; did you mean 'worldbody'?"},
    {WORLD("<body><freejoint/>\n<geom size='.1' colour='1'/></body>"),
     "model.xml:2: <geom> has an attribute 'colour'"},
    {WORLD("<body>" FREE "<flexcomp/></body>"), "<flexcomp> is refused"},
    {WORLD("<body><freejoint/><geom size='.1' adhesion='2'/></body>"), "attribute 'adhesion' is refused"},
    {WORLD("<body><freejoint/><geom size='x'/></body>"), "attribute 'size' holds 'x', which is no number"},
    {WORLD("<body><freejoint/><geom size='-1'/></body>"), "has a size of -1"},
    {WORLD("<body><freejoint/><geom type='box' size='1'/></body>"), "is a box with 1 of 3 sizes"},
    {WORLD("<body><freejoint/><geom type='sdf'/></body>"), "of the type 'sdf'"},
    {WORLD("<body><freejoint/></body>"), "<body> has a mass of 0 and moves"},
    {WORLD("<body><joint axis='0 0 0'/><geom size='1'/></body>"), "has an axis without a length"},
    {WORLD("<body quat='1 0 0 0' euler='0 0 0'>" FREE "</body>"), "comes beside another orientation"},
    {WORLD("<body childclass='no'>" FREE "</body>"), "names the class 'no', which is not there"},
    {WORLD("<body><freejoint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 3'/></body>"),
     "that no body has"},
    {WORLD("<body><freejoint/><geom type='mesh' mesh='m'/></body>"),
     "no asset with a file or vertices is called 'm'"},
    {WORLD("<replicate count='-1'/>"), "<replicate> has a count of -1"},
    {WORLD("<attach model='m' prefix='p'/>"), "names the model 'm', and no asset"},
    {"<mujoco><include file='absent.xml'/></mujoco>", "<include> cannot be included: "},
    {"<mujoco><worldbody><body>" FREE "</body></worldbody><actuator><muscle/></actuator></mujoco>",
     "<muscle> is refused"},
    {"<mujoco><worldbody><body>" FREE "</body></worldbody><actuator><motor joint='no'/></actuator></mujoco>",
     "acts on a joint that is not there"},
    {"<mujoco><worldbody><body>" FREE
     "</body></worldbody><contact><exclude body1='a' body2='b'/></contact></mujoco>",
     "names 'b', which is not there"},
    {"<robot name='r'><link/></robot>", "<link> needs a 'name'"},
    {"<robot name='r'><link name='a'><inertial><mass value='-1'/><inertia ixx='1' iyy='1' izz='1'/>"
     "</inertial></link></robot>",
     "<inertial> has a mass of -1"},
    {"<robot name='r'><link name='a'/><joint name='j' type='odd'><parent link='a'/><child "
     "link='b'/></joint></robot>",
     "has the child link 'b', which is not there"},
    {"<robot name='r'><link name='a'/><link name='b'/><joint name='j' type='odd'><parent link='a'/><child "
     "link='b'/>"
     "</joint></robot>",
     "is of the type 'odd'"},
};


static void test_refusals(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++) {
        sample self;
        sample_import(&self, REFUSED[i].model, NULL);
        if (self.text) fail_msg("taken: %s\n%s", REFUSED[i].model, self.text);
        if (!strstr(rico_message(self.ctx), REFUSED[i].says))
            fail_msg("%s\nsaid: %s\nnot: %s", REFUSED[i].model, rico_message(self.ctx), REFUSED[i].says);
        assert_non_null(strstr(rico_message(self.ctx), "model.xml:"));
        sample_release(&self);
    }
}


static void test_warnings(void **state)
{
    (void)state;
    sample self;
    sample_read(&self,
                WORLD("<body>\n<joint armature='1'/>\n<geom size='.1' solref='.1 1' rgba='1 1 1 1'/></body>"),
                NULL);
    assert_int_equal(self.warnings, 2);
    assert_non_null(strstr(self.said, "model.xml:2: <joint> attribute 'armature' is ignored"));
    assert_non_null(strstr(self.said, "model.xml:3: <geom> attribute 'solref' is ignored"));
    sample_release(&self);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chain_of_hinges), cmocka_unit_test(test_inertial),
        cmocka_unit_test(test_velocities),      cmocka_unit_test(test_friction_rule),
        cmocka_unit_test(test_masks),           cmocka_unit_test(test_classes),
        cmocka_unit_test(test_replicas),        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_warnings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
