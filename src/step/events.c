// Events of a step: the record, and what schemes of time stepping can say of them.
//
// From event to event, each has its own time. A time step knows what a contact did in the step before and in this one, and the
// velocities at its ends: a contact closes with an impact when it came in, it is open again at once when it leaves with
// a velocity, whatever impulse the step had.

#include "step/simulation.h"

#include "la/dense.h"

#include <math.h>
#include <string.h>

const char *rico_event_kind_name(rico_event_kind kind)
{
    static const char *const NAMES[] = {"impact", "touch", "lift-off", "slip", "stick", "reverse"};
    return kind < RICO_EVENT_KINDS ? NAMES[kind] : "unknown";
}


const rico_event *rico_simulation_events(const rico_simulation *sim, int64_t *count)
{
    *count = sim->events.count;
    return sim->events.event;
}


rico_status rico_event_push(rico_context *ctx, rico_event_list *list, const rico_event *event)
{
    if (list->count == list->room) {
        int64_t room = 2 * list->room + 8;
        rico_event *more = rico_alloc(ctx, room, sizeof *more);
        if (!more) return RICO_NO_MEMORY;
        if (list->count > 0) memcpy(more, list->event, (size_t)list->count * sizeof *more);
        rico_free(ctx, list->event);
        list->event = more;
        list->room = room;
    }
    list->event[list->count++] = *event;
    return RICO_OK;
}


// One that leaves is open, though it had an impulse on its way.
static rico_contact_state at_end(double doing, double normal, double still)
{
    return normal > still ? RICO_OPEN : (rico_contact_state)doing;
}


// What happened between two states of a contact; false: nothing.
static bool name_change(const rico_simulation *sim, const rico_constraint *contact, double still,
                        rico_event *event)
{
    int64_t row = contact->row;
    const double *before = sim->u_before + row, *after = sim->u_after + row;
    bool rough = contact->size > 1 && (contact->friction > 0.0 || contact->rubs);
    if (event->before == RICO_OPEN) {
        if (!(sim->next.p[row] > 0.0)) return false;
        event->kind = before[0] < -still ? RICO_EVENT_IMPACT : RICO_EVENT_TOUCH;
        return event->kind == RICO_EVENT_IMPACT || event->after != RICO_OPEN;
    }
    if (event->after == RICO_OPEN) {
        event->kind = RICO_EVENT_LIFT_OFF;
        return true;
    }
    if (!rough) return false;
    if (event->before != event->after) {
        event->kind = event->after == RICO_STICKING ? RICO_EVENT_STICK : RICO_EVENT_SLIP;
        return true;
    }
    event->kind = RICO_EVENT_REVERSE;
    return event->after == RICO_SLIDING && rico_dot(contact->size - 1, before + 1, after + 1) < 0.0;
}


rico_status rico_step_observe_events(rico_simulation *sim)
{
    rico_status status = RICO_OK;
    const double still = sim->still;
    for (int64_t c = 0; status == RICO_OK && c < sim->constraints; c++) {
        const rico_constraint *contact = rico_step_constraint(sim, c);
        if (contact->joint || (sim->now.doing[c] == RICO_OPEN && sim->next.doing[c] == RICO_OPEN)) continue;
        int64_t row = contact->row;
        rico_event event = {.t = *sim->next.t, .contact = c, .name = contact->name};
        event.before = at_end(sim->now.doing[c], sim->now.u[row], still);
        event.after = at_end(sim->next.doing[c], sim->u_after[row], still);
        event.speed = sim->u_before[row];
        if (!name_change(sim, contact, still, &event)) continue;
        sim->stats.events++;
        if (event.kind == RICO_EVENT_IMPACT) {
            sim->stats.impacts++;
            if (rico_step_option(sim, RICO_STEP_LEDGER) != 0.0)
                event.energy_lost = -(sim->next.normal_work[c] + sim->next.tangential_work[c]);
            for (int64_t i = 0; i < contact->size && i < 3; i++) event.impulse[i] = sim->next.p[row + i];
        }
        status = rico_event_push(sim->ctx, &sim->happening, &event);
    }
    return status;
}
