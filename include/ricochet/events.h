// Event-driven integration: smooth motion between events, each event located and solved. The reference for small systems.
//
//     rico_event_driven *exact;
//     rico_event_driven_create(system, &exact);
//     rico_event_driven_start(exact, 0.0, q, v);
//     rico_event_driven_run(exact, 2.0, on_event, user);
//
// Between events every contact is open, sliding or sticking, and M(q) a = F + H lambda is integrated with the
// accelerations that this implies (SUNDIALS: Dormand-Prince 5(4), root finding). An impact solves the contact problem
// with the law chosen; every other event decides anew, by the same problem between accelerations and forces, which
// contacts stay closed and which stick. docs/theory/events.md has the rules.
//
// It does not step over what it cannot resolve. A run stops with RICO_UNSUPPORTED and a sentence when impacts
// accumulate (the limit is named), when events come too densely, and when forces that keep contacts closed do not exist
// (Painleve). The state is then that of the last event or step that was completed.

#ifndef RICOCHET_EVENTS_H
#define RICOCHET_EVENTS_H

#include "ricochet/cone.h"
#include "ricochet/impact.h"
#include "ricochet/simulation.h"

RICO_API_BEGIN

typedef struct rico_event_driven rico_event_driven;

// The system must outlive it; nothing can be added to it any more.
rico_status rico_event_driven_create(rico_system *system, rico_event_driven **out);
void rico_event_driven_destroy(rico_event_driven *self);

// Its options: rtol, atol, law, ...
const rico_option_info *rico_event_driven_options(int *count);
rico_status rico_event_driven_set(rico_event_driven *self, const char *name, const char *value);
rico_status rico_event_driven_set_number(rico_event_driven *self, const char *name, double value);

// Impacts by a law of multiple impacts ("lzb", "binary", ...) instead of the contact law, for systems without joints and
// friction; NULL goes back to that. The law returned (unless NULL) is the integrator's; set its options through it.
rico_status rico_event_driven_set_impact(rico_event_driven *self, const char *name, rico_impact_law **law);

// The initial state; copied. Contacts within gap-tol are closed; one that reaches deeper is refused.
rico_status rico_event_driven_start(rico_event_driven *self, double t, const double *q, const double *v);

typedef enum rico_event_kind {
    RICO_EVENT_IMPACT,   // velocities jump
    RICO_EVENT_TOUCH,    // a gap closes without a jump
    RICO_EVENT_LIFT_OFF, // the normal force vanishes
    RICO_EVENT_SLIP,     // a sticking contact begins to slide
    RICO_EVENT_STICK,    // a sliding contact comes to rest
    RICO_EVENT_REVERSE,  // a sliding contact passes through rest, into another direction
    RICO_EVENT_KINDS
} rico_event_kind;

const char *rico_event_kind_name(rico_event_kind kind); // "impact", "lift-off", ...

typedef struct rico_event {
    double t;
    rico_event_kind kind;
    int64_t contact; // index in the system
    const char *name;
    rico_contact_state before, after;
    double impulse[3];  // of an impact, normal first
    double energy_lost; // by an impact at this contact; negative when the law created energy
} rico_event;

// Called at each event, one call for each contact that takes part, with the state after it readable through the
// functions below. Returns false to stop the run there.
typedef bool (*rico_event_function)(void *user, const rico_event *event);

// Integrates to t_end exactly. on_event may be NULL. A run that on_event stopped returns RICO_OK with an earlier time.
rico_status rico_event_driven_run(rico_event_driven *self, double t_end, rico_event_function on_event,
                                  void *user);

// State, readable without a copy, valid until the next run.
double rico_event_driven_time(const rico_event_driven *self);
const double *rico_event_driven_position(const rico_event_driven *self);
const double *rico_event_driven_velocity(const rico_event_driven *self);
const double *rico_event_driven_force(const rico_event_driven *self); // of every row of every constraint
rico_contact_state rico_event_driven_state(const rico_event_driven *self, int64_t contact);

// Energies now and works since the start; the residual says what integration and projection lost.
const rico_ledger *rico_event_driven_ledger(const rico_event_driven *self);

typedef struct rico_event_stats {
    int64_t steps, evaluations, events, impacts, projections;
    double drift; // largest |g|, |u| of closed contacts and joints after any step, once projected
} rico_event_stats;
const rico_event_stats *rico_event_driven_statistics(const rico_event_driven *self);

RICO_API_END

#endif
