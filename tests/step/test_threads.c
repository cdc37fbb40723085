// Several simulations in one process, side by side and on several threads: each has the bits that it has alone.

#include "moving_schemes.h"
#include "plants.h"

#include <pthread.h>

enum { THREADS = PLANTS };

typedef struct job {
    int kind;
    const char *scheme;
    plant machine;
    rico_context *ctx;
    rico_simulation *sim;
    rico_status status;
    double q[16], v[16];
    rico_ledger total;
} job;

static void open_job(job *self, int kind, const char *scheme)
{
    memset(self, 0, sizeof *self);
    self->kind = kind;
    self->scheme = scheme;
    self->ctx = rico_context_create(NULL);
    assert_non_null(self->ctx);
    plant_create(self->ctx, kind, &self->machine);
    assert_ok(self->ctx, rico_simulation_create(self->machine.system, scheme, &self->sim));
    assert_ok(self->ctx, rico_simulation_start(self->sim, 0.0, self->machine.q, self->machine.v));
}


// No assertion here: cmocka belongs to the main thread.
static void *work(void *user)
{
    job *self = user;
    for (int k = 0; self->status == RICO_OK && k < self->machine.steps; k++)
        self->status = rico_simulation_step(self->sim, self->machine.h);
    return NULL;
}


static void close_job(job *self)
{
    if (self->status != RICO_UNSUPPORTED) assert_ok(self->ctx, self->status); // impacts may accumulate
    memcpy(self->q, rico_simulation_position(self->sim), (size_t)self->machine.nq * sizeof *self->q);
    memcpy(self->v, rico_simulation_velocity(self->sim), (size_t)self->machine.nv * sizeof *self->v);
    self->total = *rico_simulation_ledger_total(self->sim);
    rico_simulation_destroy(self->sim);
    plant_destroy(&self->machine);
    rico_context_destroy(self->ctx);
}


static void assert_same(const job *a, const job *b)
{
    assert_memory_equal(a->q, b->q, sizeof a->q);
    assert_memory_equal(a->v, b->v, sizeof a->v);
    assert_memory_equal(&a->total, &b->total, sizeof a->total);
}


static void threads(void **state)
{
    (void)state;
    const rico_scheme_info *scheme;
    for (int s = 0; (scheme = moving_scheme_at(s)); s++) {
        job alone[THREADS], beside[THREADS];
        pthread_t thread[THREADS];
        for (int k = 0; k < THREADS; k++) {
            open_job(&alone[k], k, scheme->name);
            work(&alone[k]);
            close_job(&alone[k]);
        }
        for (int k = 0; k < THREADS; k++) open_job(&beside[k], k, scheme->name);
        for (int k = 0; k < THREADS; k++)
            assert_int_equal(pthread_create(&thread[k], NULL, work, &beside[k]), 0);
        for (int k = 0; k < THREADS; k++) pthread_join(thread[k], NULL);
        for (int k = 0; k < THREADS; k++) {
            close_job(&beside[k]);
            assert_same(&alone[k], &beside[k]);
        }
    }
}


// One thread, all of them in turn, step by step: no state is shared.
static void in_turn(void **state)
{
    (void)state;
    job alone[THREADS], beside[THREADS];
    int most = 0;
    for (int k = 0; k < THREADS; k++) {
        open_job(&alone[k], k, "moreau-jean");
        work(&alone[k]);
        close_job(&alone[k]);
        open_job(&beside[k], k, "moreau-jean");
        if (beside[k].machine.steps > most) most = beside[k].machine.steps;
    }
    for (int step = 0; step < most; step++)
        for (int k = 0; k < THREADS; k++)
            if (step < beside[k].machine.steps && beside[k].status == RICO_OK)
                beside[k].status = rico_simulation_step(beside[k].sim, beside[k].machine.h);
    for (int k = 0; k < THREADS; k++) {
        close_job(&beside[k]);
        assert_same(&alone[k], &beside[k]);
    }
}


// The event-driven integrator too has a world of its own in each context.
typedef struct run {
    rico_context *ctx;
    plant machine;
    rico_simulation *exact;
    rico_status status;
} run;

static rico_status run_event_driven(rico_simulation *sim, double t_end)
{
    const rico_run_options options = rico_run_defaults(0.01);
    return rico_simulation_run(sim, t_end, &options, NULL, NULL, NULL);
}


static void *integrate(void *user)
{
    run *self = user;
    self->status = run_event_driven(self->exact, 0.12);
    return NULL;
}


static void event_driven(void **state)
{
    (void)state;
    static const int KINDS[] = {1, 2, 1, 2};
    run runs[4];
    pthread_t thread[4];
    for (int k = 0; k < 4; k++) {
        memset(&runs[k], 0, sizeof runs[k]);
        runs[k].ctx = rico_context_create(NULL);
        plant_create(runs[k].ctx, KINDS[k], &runs[k].machine);
        assert_ok(runs[k].ctx,
                  rico_simulation_create(runs[k].machine.system, "event-driven", &runs[k].exact));
        assert_ok(runs[k].ctx,
                  rico_simulation_start(runs[k].exact, 0.0, runs[k].machine.q, runs[k].machine.v));
    }
    // two alone, two side by side
    integrate(&runs[0]);
    integrate(&runs[1]);
    for (int k = 2; k < 4; k++) assert_int_equal(pthread_create(&thread[k], NULL, integrate, &runs[k]), 0);
    for (int k = 2; k < 4; k++) pthread_join(thread[k], NULL);
    for (int k = 0; k < 4; k++) assert_ok(runs[k].ctx, runs[k].status);
    for (int k = 0; k < 2; k++) {
        size_t size = (size_t)runs[k].machine.nq * sizeof(double);
        assert_memory_equal(rico_simulation_position(runs[k].exact),
                            rico_simulation_position(runs[k + 2].exact), size);
        assert_memory_equal(rico_simulation_velocity(runs[k].exact),
                            rico_simulation_velocity(runs[k + 2].exact), size);
    }
    for (int k = 0; k < 4; k++) {
        rico_simulation_destroy(runs[k].exact);
        plant_destroy(&runs[k].machine);
        rico_context_destroy(runs[k].ctx);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads),
        cmocka_unit_test(in_turn),
        cmocka_unit_test(event_driven),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
