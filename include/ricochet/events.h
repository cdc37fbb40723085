// Events: what contacts did in a step, and when.
//
//     int64_t count;
//     const rico_event *event = rico_simulation_events(sim, &count);
//     for (int64_t i = 0; i < count; i++) printf("%g %s\n", event[i].t, rico_event_kind_name(event[i].kind));
//
// Every scheme reports them. The scheme "event-driven" finds each at its own time: between events every contact is open,
// sliding or sticking, and M(q) a = F + H lambda is integrated with the accelerations that this implies (SUNDIALS:
// Dormand-Prince 5(4), root finding). An impact solves the contact problem with the law chosen; every other event decides
// anew, by the same problem between accelerations and forces, which contacts stay closed and which stick.
// docs/theory/events.md has the rules. A step of it goes through all events between its start and its end.
//
// It does not step over what it cannot resolve. A step fails with RICO_UNSUPPORTED and a sentence when impacts accumulate
// (the limit is named), when events come too densely, and when forces that keep contacts closed do not exist (Painleve).
//
// Schemes of time stepping know what a contact did before and after a step: their events have the time of its end, an
// impact the whole impulse of the step.

#ifndef RICOCHET_EVENTS_H
#define RICOCHET_EVENTS_H

#include "ricochet/cone.h"
#include "ricochet/simulation.h"

RICO_API_BEGIN

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
    int64_t contact; // index among the constraints of the step
    const char *name;
    rico_contact_state before, after;
    double speed;       // relative normal velocity before it
    double impulse[3];  // of an impact, normal first
    double energy_lost; // by an impact at this contact; negative when the law created energy
} rico_event;

// The events of the last step, in the order of their times; one for each contact that takes part. Valid until the next step.
// None after a start or a load.
const rico_event *rico_simulation_events(const rico_simulation *sim, int64_t *count);

RICO_API_END

#endif
