// Orbits of scenes that are texts, for tests.

#ifndef RICO_TESTS_FAMILY_ORBITS_H
#define RICO_TESTS_FAMILY_ORBITS_H

#include "one_context.h"
#include "ricochet/family.h"

// A family with its orbits; destroyed by close_family().
typedef struct opened {
    rico_scene_family *family;
    rico_orbits *orbits;
} opened;


static inline opened open_family(const char *text, const char *parameter, const char *period,
                                 const rico_orbit_options *options)
{
    opened out;
    rico_scene_family_options how = {
        .path = "test.yaml", .text = text, .parameter = parameter, .period = period};
    assert_ok(ctx, rico_scene_family_create(ctx, &how, &out.family));
    assert_ok(ctx, rico_orbits_create(ctx, rico_scene_family_systems(out.family), options, &out.orbits));
    return out;
}


static inline void close_family(opened *of)
{
    rico_orbits_destroy(of->orbits);
    rico_scene_family_destroy(of->family);
}


// From the scene's initial state, after so many periods (or a time) of the event-driven scheme.
static inline rico_status find_orbit(opened *of, double settle, double period, rico_orbit **out)
{
    rico_simulation *sim;
    void *owner;
    const rico_family *systems = rico_scene_family_systems(of->family);
    double value = rico_scene_family_value(of->family);
    assert_ok(ctx, systems->make(systems->user, value, &sim, &owner));
    rico_scene *scene = owner;
    assert_ok(ctx, rico_simulation_start(sim, 0.0, rico_scene_position(scene), rico_scene_velocity(scene)));
    for (int i = 0; i < 50 && settle > 0.0; i++) assert_ok(ctx, rico_simulation_step(sim, settle / 50.0));
    rico_orbit_start start = {.value = value,
                              .t = rico_simulation_time(sim),
                              .q = rico_simulation_position(sim),
                              .v = rico_simulation_velocity(sim),
                              .period = period};
    rico_status status = rico_orbit_find(of->orbits, &start, out);
    systems->drop(systems->user, sim, owner);
    return status;
}


// The trace of the monodromy matrix.
static inline double trace_of(const rico_orbit *orbit)
{
    const double *real, *imag;
    int64_t n = rico_orbit_multipliers(orbit, &real, &imag);
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) sum += real[i];
    return sum;
}

#endif
