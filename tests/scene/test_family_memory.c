// Allocations made to fail while orbits and branches of a scene are sought: each is told, and nothing is left behind.

#include "failing_memory.h"
#include "impact_oscillator.h"
#include "ricochet/family.h"

static bool few(void *user, const rico_orbit *orbit, rico_orbit_point kind, const char *note)
{
    (void)orbit, (void)kind, (void)note;
    return ++*(int *)user < 3;
}


static rico_status act(rico_context *ctx, void *user)
{
    (void)user;
    rico_scene_family *family = NULL;
    rico_orbits *orbits = NULL;
    rico_orbit *orbit = NULL;
    char ending[RICO_BRANCH_ENDING];
    int points = 0;
    // on the orbit but for some digits, in the middle between two impacts
    const double q = 0.96077, v = 0.034557;
    rico_scene_family_options how = {
        .path = "test.yaml", .text = OSCILLATOR, .parameter = "omega", .period = "2*pi/omega"};
    rico_status status = rico_scene_family_create(ctx, &how, &family);
    if (status == RICO_OK) status = rico_orbits_create(ctx, rico_scene_family_systems(family), NULL, &orbits);
    rico_orbit_start start = {.value = 2.4, .t = 1.231752098, .q = &q, .v = &v};
    if (status == RICO_OK) status = rico_orbit_find(orbits, &start, &orbit);
    rico_branch_options options = {.low = 2.3, .high = 2.5, .direction = 1.0};
    if (status == RICO_OK) status = rico_branch_follow(orbits, orbit, &options, few, &points, ending);
    rico_orbit_destroy(orbit);
    rico_orbits_destroy(orbits);
    rico_scene_family_destroy(family);
    return status;
}


static void failing(void **state)
{
    (void)state;
    assert_true(allocations_fail(act, NULL, 25) > 1000);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(failing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
