// Bodies whose boundary carries no mass strike a plane and each other: no energy is lost without friction, in the plane and in space, with small and
// large rotations; the stabilised scheme loses what an impact without restitution does, and never gains.

#include "one_context.h"
#include "ricochet/run.h"

#define BLOCK "mesh: {rectangle: {size: [0.2, 0.1], cells: [8, 6]}}, model: plane stress"
#define BRICK "mesh: {box: {size: [0.1, 0.1, 0.1], cells: [3, 3, 5]}}"
#define RUBBER "material: {young: 1e6, poisson: 0.3, density: 1000, thickness: 0.05}"
#define SOLID "material: {young: 1e6, poisson: 0.3, density: 1000}"

// Flat on a plane; of a block, a brick, and a block with large rotations that comes down on an edge.
#define PLANE                                                                                                \
    "elastic:\n  b: {" BLOCK ", " RUBBER ", velocity: [0.3, -1], massless: bottom}\n"                        \
    "contacts: {floor: {nodes: b.bottom, against: {plane: {normal: [0, 1]}}, friction: mu}}\n"
#define SPACE                                                                                                \
    "elastic:\n  b: {" BRICK ", " SOLID ", velocity: [0.3, 0, -1], massless: bottom}\n"                      \
    "contacts: {floor: {nodes: b.bottom, against: {plane: {normal: [0, 0, 1]}}, friction: mu}}\n"
#define TUMBLING                                                                                             \
    "elastic:\n  b: {" BLOCK ", " RUBBER ", velocity: [0.3, -1], massless: bottom, rotations: large, "       \
    "rotation: {angle: 0.3}}\n"                                                                              \
    "contacts: {floor: {nodes: b.bottom, against: {plane: {normal: [0, 1]}}, friction: mu}}\n"

static rico_runner_result run(const char *scene, const char *mu, const char *scheme, double h, bool plain)
{
    char text[2048];
    const char *const none[] = {"elastic.b.massless=[]"};
    snprintf(text, sizeof text, "parameters: {mu: %s}\n%stime: {end: 0.02, step: %g}\nscheme: %s\n", mu,
             scene, h, scheme);
    rico_runner_options options = rico_runner_defaults();
    rico_runner_result result;
    options.scene = "test.yaml";
    options.text = text;
    options.override_count = plain, options.overrides = none;
    assert_ok(ctx, rico_runner_run(ctx, &options, &result));
    assert_true(result.finished);
    return result;
}


static double lost(const rico_runner_result *result)
{
    const rico_ledger *a = &result->first, *b = &result->total;
    return 1.0 - (b->kinetic + b->potential) / (a->kinetic + a->potential);
}


static void nothing_is_lost(void **state)
{
    (void)state;
    static const char *const SCENES[] = {PLANE, SPACE};
    for (size_t s = 0; s < sizeof SCENES / sizeof *SCENES; s++) {
        rico_runner_result without = run(SCENES[s], "0", "trapezoidal-position", 1e-4, false);
        rico_runner_result with = run(SCENES[s], "0", "moreau-jean", 1e-4, true);
        rico_runner_result stable = run(SCENES[s], "0", "contact-stabilized", 1e-4, true);
        assert_true(without.events > 0);
        assert_near(lost(&without), 0.0, 1e-12); // it starts at gap 0
        assert_true(lost(&with) > 0.02);
        assert_true(lost(&stable) > 0.01 && lost(&stable) < 1.2 * lost(&with));
        assert_at_most(without.violation, 1e-16);
        assert_at_most(stable.violation, 1e-16);
        assert_near(without.total.residual, 0.0, 1e-12);
        assert_near(stable.total.residual, 0.0, 1e-12);
    }
}


// With friction energy goes there, and into nothing else.
static void friction_takes_the_rest(void **state)
{
    (void)state;
    static const char *const SCENES[] = {PLANE, SPACE};
    for (size_t s = 0; s < sizeof SCENES / sizeof *SCENES; s++) {
        rico_runner_result end = run(SCENES[s], "0.4", "trapezoidal-position", 1e-4, false);
        double before = end.first.kinetic + end.first.potential;
        assert_true(end.total.tangential < -1e-3 * before);
        assert_at_most(end.total.normal, 1e-14);
        assert_near(lost(&end) * before, -end.total.tangential - end.total.normal, 1e-12);
    }
}


// On an edge, with large rotations: as steps get shorter, what contacts and projections take vanishes.
static void shorter_steps_lose_less(void **state)
{
    (void)state;
    double before = 0.0, loss[2];
    for (int k = 0; k < 2; k++) {
        rico_runner_result end = run(TUMBLING, "0", "trapezoidal-position", k == 0 ? 4e-4 : 5e-5, false);
        before = end.first.kinetic + end.first.potential;
        loss[k] = -end.total.normal / before;
        assert_true(loss[k] > -1e-3);
        assert_at_most(fabs(end.total.residual), 1e-4 * before);
    }
    assert_at_most(loss[1], 0.3 * loss[0]);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_lost),
        cmocka_unit_test(friction_takes_the_rest),
        cmocka_unit_test(shorter_steps_lose_less),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
