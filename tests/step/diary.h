// Events as they come, for tests of the event-driven scheme.

#ifndef TESTS_STEP_DIARY_H
#define TESTS_STEP_DIARY_H

#include "systems.h"

static inline int setup(void **state)
{
    *state = rico_context_create(NULL);
    return *state ? 0 : 1;
}


static inline int teardown(void **state)
{
    rico_context_destroy(*state);
    return 0;
}


typedef struct diary {
    int count;
    rico_event event[64];
    char name[64][24];
} diary;

static inline bool note(void *user, rico_simulation *sim)
{
    diary *self = user;
    int64_t count;
    const rico_event *event = rico_simulation_events(sim, &count);
    for (int64_t k = 0; k < count; k++, self->count++)
        if (self->count < 64) {
            self->event[self->count] = event[k];
            snprintf(self->name[self->count], sizeof *self->name, "%s", event[k].name);
        }
    return true;
}


// In 13 steps: where they end must not matter.
static inline rico_status run_to(rico_simulation *sim, double t_end, diary *log)
{
    double left = t_end - rico_simulation_time(sim);
    rico_run_options options = rico_run_defaults(left > 0.0 ? left / 13.0 : 1.0);
    return rico_simulation_run(sim, t_end, &options, log ? note : NULL, log, NULL);
}


static inline rico_simulation *start(rico_context *ctx, rico_system *system, const double *q, const double *v)
{
    rico_simulation *exact;
    assert_ok(ctx, rico_simulation_create(system, "event-driven", &exact));
    assert_ok(ctx, rico_simulation_start(exact, 0.0, q, v));
    return exact;
}


// What integration and projection lost is within tol, and nothing else is missing.
static inline void assert_ledger(const rico_simulation *exact, double tol)
{
    const rico_ledger *ledger = rico_simulation_ledger_total(exact);
    assert_at_most(fabs(ledger->numerical[0]), tol);
    assert_at_most(fabs(ledger->projection), tol);
    assert_at_most(fabs(ledger->residual), 1e-12 * (1.0 + ledger->kinetic + fabs(ledger->potential)));
    assert_at_most(rico_simulation_statistics(exact)->drift, 1.0000001e-10);
}

#endif
