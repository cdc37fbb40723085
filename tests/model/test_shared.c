// One system, two hundred simulations, two threads: each gives the bits that it gives alone.

#include "beads.h"
#include "moving_schemes.h"

#include "scene/scene.h"

#include <pthread.h>
#include <stdatomic.h>

enum { SIMULATIONS = 400, STEPS = 120, SYSTEMS = 2 };

// By formulas: a double pendulum at a rough wall, with a spring between its bobs.
static const char SCENE[] = "parts:\n"
                            "  arm:\n"
                            "    coordinates: [a, b]\n"
                            "    kinetic: v_a^2 + v_b^2/2 + v_a*v_b*cos(a - b)\n"
                            "    potential: -9.81*(2*cos(a) + cos(b))\n"
                            "    force: [-0.1*v_a, -0.1*v_b + 0.3*sin(3*t)]\n"
                            "  cart: {coordinates: [x], mass: [0.5], force: [0.2*cos(5*t)]}\n"
                            "springs:\n"
                            "  s: {length: sin(a) + sin(b) - x, stiffness: 40, rest: -0.5}\n"
                            "contacts:\n"
                            "  wall: {gap: 0.4 + sin(a) + sin(b), tangent: -cos(a) - cos(b), friction: 0.3, "
                            "restitution: 0.5}\n"
                            "  stop: {gap: x + 1.2 + 0.1*sin(t), restitution: 0.3}\n"
                            "initial: {position: {a: 0.7, b: 0.3, x: 1.5}}\n"
                            "time: {end: 1, step: 0.005}\n";

typedef struct job {
    const rico_system *system;
    const double *q, *v;
    int64_t nq;
    const char *scheme;
    double h;
    rico_status status;
    double end[2 * BEAD_DOFS];
    rico_ledger total;
    char message[256];
} job;

typedef struct pool {
    job *jobs;
    atomic_int next;
} pool;


// No assertion here: cmocka belongs to the main thread.
static void simulate(job *self)
{
    rico_context *ctx = rico_context_create(NULL);
    rico_simulation *sim = NULL;
    self->status = ctx ? rico_simulation_create_in(ctx, self->system, self->scheme, &sim) : RICO_NO_MEMORY;
    if (self->status == RICO_OK) self->status = rico_simulation_start(sim, 0.0, self->q, self->v);
    for (int k = 0; self->status == RICO_OK && k < STEPS; k++)
        self->status = rico_simulation_step(sim, self->h);
    if (ctx) snprintf(self->message, sizeof self->message, "%s", rico_message(ctx));
    if (self->status == RICO_OK) {
        memcpy(self->end, rico_simulation_position(sim), (size_t)self->nq * sizeof *self->end);
        memcpy(self->end + self->nq, rico_simulation_velocity(sim), (size_t)self->nq * sizeof *self->end);
        self->total = *rico_simulation_ledger_total(sim);
    }
    rico_simulation_destroy(sim);
    rico_context_destroy(ctx);
}


static void *work(void *user)
{
    pool *self = user;
    for (int k; (k = atomic_fetch_add(&self->next, 1)) < SIMULATIONS;) simulate(&self->jobs[k]);
    return NULL;
}


static void same_bits(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    beads own = {
        .order = 4, .chance = true, .counts = true, .margin = 0.05, .friction = 0.4, .restitution = 0.2};
    rico_scene *scene = NULL;
    rico_system *system = beads_system(ctx, &own);
    double q[BEAD_DOFS], v[BEAD_DOFS];
    beads_start(q, v);
    assert_ok(ctx, rico_system_complete(system));
    assert_ok(ctx, rico_scene_parse(ctx, "shared", SCENE, (int64_t)strlen(SCENE), 0, NULL, NULL, 0, &scene));

    static job jobs[SIMULATIONS];
    int schemes = 0;
    while (moving_scheme_at(schemes)) schemes++;
    for (int k = 0; k < SIMULATIONS; k++) {
        bool formulas = k % SYSTEMS == 0;
        jobs[k] = (job){.system = formulas ? rico_scene_system(scene) : system,
                        .q = formulas ? rico_scene_position(scene) : q,
                        .v = formulas ? rico_scene_velocity(scene) : v,
                        .nq = formulas ? 3 : BEAD_DOFS,
                        .scheme = moving_scheme_at(k / SYSTEMS % schemes)->name,
                        .h = 1e-3 * (1 + k % 3)};
    }
    static job alone[SIMULATIONS];
    memcpy(alone, jobs, sizeof jobs);
    int good = 0;
    for (int k = 0; k < SIMULATIONS; k++) simulate(&alone[k]);
    pool both = {.jobs = jobs};
    pthread_t thread[2];
    for (int k = 0; k < 2; k++) assert_int_equal(pthread_create(&thread[k], NULL, work, &both), 0);
    for (int k = 0; k < 2; k++) pthread_join(thread[k], NULL);
    for (int k = 0; k < SIMULATIONS; k++) {
        assert_int_equal(jobs[k].status, alone[k].status);
        assert_string_equal(jobs[k].message, alone[k].message);
        assert_memory_equal(jobs[k].end, alone[k].end, sizeof jobs[k].end);
        assert_memory_equal(&jobs[k].total, &alone[k].total, sizeof jobs[k].total);
        // impacts that follow each other ever faster are where an integrator that finds each of them ends
        bool ends = rico_scheme_find(jobs[k].scheme)->own_error && jobs[k].status == RICO_UNSUPPORTED;
        if (jobs[k].status != RICO_OK && !ends) fail_msg("%s: %s", jobs[k].scheme, jobs[k].message);
        good += !ends;
    }
    assert_true(good > SIMULATIONS * 9 / 10);
    rico_scene_destroy(scene);
    rico_system_destroy(system);
    rico_context_destroy(ctx);
}


static void incomplete(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    beads own = {.margin = 0.05};
    rico_system *system = beads_system(ctx, &own);
    rico_simulation *sim = NULL;
    assert_int_equal(rico_simulation_create_in(ctx, system, "moreau-jean", &sim), RICO_BAD_ARGUMENT);
    assert_ok(ctx, rico_system_complete(system));
    assert_ok(ctx, rico_simulation_create_in(ctx, system, "moreau-jean", &sim));
    rico_contact_source source = beads_source(&own);
    assert_int_equal(rico_system_add_source(system, "late", &source), RICO_BAD_ARGUMENT);
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits),
        cmocka_unit_test(incomplete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
