// A block that is pushed up a slope and let down it (NAFEMS CGS-4; spec/10, P3): once every contact slides the resultant is that of a rigid
// block, whatever the elasticity, the mesh and the way in which contact is found.

#include "elastic_bodies.h"

static const double SLOPE = 0.1, LOAD = 1000.0;

typedef enum ground { RIGID, MATCHING, MORTAR, MORTAR_SWAPPED } ground;


static bool plane_at(void *user, double t, const double x[3], double *g, double gradient[3], double *rate)
{
    double along = cos(atan(SLOPE)), up = sin(atan(SLOPE));
    (void)user, (void)t;
    gradient[0] = -up, gradient[1] = along, gradient[2] = 0.0;
    *g = along * x[1] - up * x[0];
    *rate = 0.0;
    return true;
}


static void turn(rico_elastic_part *part)
{
    double c = cos(atan(SLOPE)), s = sin(atan(SLOPE));
    const double R[9] = {c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0};
    memcpy(part->rotation, R, sizeof R);
}


// A block of 4 x 2 on a slope, or on an elastic slab of 6 x 1 whose underside is held.
static couple stand(rico_context *ctx, ground kind, double mu, course *push)
{
    int64_t n = kind == MORTAR || kind == MORTAR_SWAPPED ? 7 : 8;
    couple c = {.ctx = ctx, .mesh = {rectangle(ctx, 0.0, 0.0, 4.0, 2.0, n, 4), NULL}};
    rico_elastic_material soft = stuff(1e6, 0.3), hard = stuff(3e6, 0.3);
    rico_elastic_load load = {
        .kind = RICO_LOAD_TRACTION, .group = "top", .value = {0.0, -LOAD / 4.0, 0.0}, .steady = true};
    rico_elastic_part block = rico_elastic_default(c.mesh[0], RICO_PLANE_STRAIN);
    rico_touch how = {.law = {.friction = mu}, .small = true};
    rico_touch_side side[2] = {{.part = 0, .mesh = c.mesh[0], .group = "bottom"},
                               {.part = 1, .group = "top"}};
    good(rico_system_create(ctx, &c.system));
    turn(&block);
    block.materials = 1, block.material = &soft;
    block.loads = 1, block.load = &load;
    good(rico_system_add_elastic(c.system, "block", &block, &c.place[0]));
    move_group(c.system, "push", 0, c.mesh[0], "left", 0, by_course(push));
    if (kind == RIGID) {
        good(rico_system_touch_surface(c.system, "slope", &side[0], plane_at, NULL, false, &how));
        c.sim = statics(c.system);
        return c;
    }
    rico_elastic_support held = {"bottom", RICO_HOLD_X | RICO_HOLD_Y};
    side[1].mesh = c.mesh[1] = rectangle(ctx, -1.0, -1.0, 6.0, 1.0, 12, 2);
    rico_elastic_part slab = rico_elastic_default(c.mesh[1], RICO_PLANE_STRAIN);
    turn(&slab);
    slab.materials = 1, slab.material = &hard;
    slab.supports = 1, slab.support = &held;
    good(rico_system_add_elastic(c.system, "slab", &slab, &c.place[1]));
    if (kind == MATCHING)
        good(rico_system_touch_faces(c.system, "slope", &side[0], &side[1], false, &how));
    else
        good(rico_system_touch_mortar(c.system, "slope", &side[kind == MORTAR_SWAPPED], &side[kind == MORTAR],
                                      false, &how));
    c.sim = statics(c.system);
    return c;
}


static double up(double mu)
{
    return (SLOPE + mu) / (1.0 - mu * SLOPE);
}


// Pushed up until everything slides, then let back until everything slides down: horizontal forces over the load.
static void wedge(void **state)
{
    static const double CORNER[][2] = {{0.0, 0.0}, {1.0, 0.05}, {2.0, 0.0}};
    static const double FAR[][2] = {{0.0, 0.0}, {1.0, 20.0}, {2.0, 0.0}};
    static const double MU[] = {0.0, 0.1, 0.2, 0.3};
    for (int kind = RIGID; kind <= MORTAR_SWAPPED; kind++)
        for (int m = 0; m < 4; m++) {
            course push = {3, kind == RIGID ? FAR : CORNER};
            couple c = stand(*state, (ground)kind, MU[m], &push);
            double h = 0.1, force = 0.0;
            for (int k = 0; k < 20; k++) {
                int64_t sliding, closed;
                step(c.ctx, c.sim, h);
                force = force_of(c.sim, "push", h) / LOAD;
                closed = count_contacts(c.sim, &sliding);
                assert_int_equal(closed, kind == MORTAR ? 8 : 9);
                assert_int_equal(sliding, closed);
                if (k == 9) assert_near(force, up(MU[m]), 1e-8);
            }
            // down the slope friction holds back
            assert_near(force, up(-MU[m]), 1e-8);
            couple_end(&c);
        }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        with_context(wedge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
