// Contacts that close, open, begin to slip or to stick, found by what each did in the step before: see contact_watch.h.

#include "store/contact_watch.h"

#include "base/context.h"
#include "ricochet/events.h"

#include <math.h>
#include <string.h>

// A contact slips when its tangential velocity exceeds this part of the largest relative velocity that it has had:
// what a solver leaves of a velocity that should be zero is far below.
static const double SLIP = 1e-6;


// --- what is remembered ----------------------------------------------------------------------------------------

static bool reserve(rico_context *ctx, rico_contact_memory **list, int64_t *room, int64_t count)
{
    if (count <= *room) return true;
    int64_t more = count + count / 2 + 8;
    rico_contact_memory *grown = rico_grow(ctx, *list, *room, more, sizeof *grown);
    if (!grown) return false;
    *list = grown;
    *room = more;
    return true;
}


rico_status rico_contact_watch_begin(rico_contact_watch *watch)
{
    rico_status status = rico_contact_watch_reserve(watch, watch->constraints);
    for (int64_t c = 0; status == RICO_OK && c < watch->constraints; c++)
        watch->memory[c] = (rico_contact_memory){.source = -1, .slips = 1};
    watch->memory_count = status == RICO_OK ? watch->constraints : 0;
    return status;
}


void rico_contact_watch_release(rico_contact_watch *watch)
{
    if (!watch->ctx) return;
    rico_free(watch->ctx, watch->memory);
    rico_free(watch->ctx, watch->spare);
    watch->memory = watch->spare = NULL;
    watch->memory_count = watch->memory_room = watch->spare_room = 0;
}


rico_status rico_contact_watch_reserve(rico_contact_watch *watch, int64_t count)
{
    rico_context *ctx = watch->ctx;
    bool whole = reserve(ctx, &watch->memory, &watch->memory_room, count) &&
                 reserve(ctx, &watch->spare, &watch->spare_room, count);
    return whole ? RICO_OK : RICO_NO_MEMORY;
}


// A contact that closes slips, until a row of `sliding` says that it sticks.
static rico_contact_memory blank(const rico_constraint_info *info)
{
    return (rico_contact_memory){.source = info->source, .key = info->key, .slips = 1};
}


static rico_status hand_on(const rico_contact_watch *watch, rico_happening_kind kind, double t, int64_t c,
                           const rico_contact_memory *contact, int64_t flag, double speed, double impulse)
{
    const rico_contact_happening what = {.kind = kind,
                                         .t = t,
                                         .speed = speed,
                                         .impulse = impulse,
                                         .step = rico_simulation_steps(watch->sim),
                                         .place = contact->source < 0 ? c : -1,
                                         .flag = flag,
                                         .source = contact->source,
                                         .key = contact->key};
    return watch->write(watch->user, &what);
}


// A contact closes, or opens.
static rico_status append_event(rico_contact_watch *watch, double t, int64_t c,
                                const rico_contact_memory *contact, int64_t closes, const double *speed,
                                const double *impulse)
{
    return hand_on(watch, c < 0 ? RICO_CONTACT_LEFT : RICO_CONTACT_TURNED, t, c, contact, closes, *speed,
                   *impulse);
}


// It begins to slip, or to stick.
static rico_status append_slip(rico_contact_watch *watch, double t, int64_t c,
                               const rico_contact_memory *contact, const double *speed)
{
    return hand_on(watch, RICO_CONTACT_RUBBED, t, c, contact, contact->slips, *speed, 0.0);
}


// A contact that is not emitted any more has opened, if it had not before.
static rico_status leave(rico_contact_watch *watch, rico_contact_memory *contact)
{
    const double none = 0.0;
    if (!contact->pressed) return RICO_OK;
    contact->pressed = 0;
    return append_event(watch, rico_simulation_time(watch->sim), -1, contact, 0, &contact->leaving, &none);
}


static int order(const rico_contact_memory *a, const rico_contact_memory *b)
{
    if (a->source != b->source) return a->source < b->source ? -1 : 1;
    return a->key < b->key ? -1 : a->key > b->key;
}


// Both lists are sorted by source and key: one walk through them.
static rico_status follow_emitted(rico_contact_watch *watch, int64_t count)
{
    rico_contact_memory *old = watch->memory, *next = watch->spare;
    int64_t fixed = watch->constraints, j = fixed;
    rico_status status = RICO_OK;
    if (fixed > 0) memcpy(next, old, (size_t)fixed * sizeof *next);
    for (int64_t c = fixed; status == RICO_OK && c < count; c++) {
        rico_constraint_info info = rico_simulation_constraint(watch->sim, c);
        next[c] = blank(&info);
        while (status == RICO_OK && j < watch->memory_count && order(&old[j], &next[c]) < 0)
            status = leave(watch, &old[j++]);
        if (j < watch->memory_count && order(&old[j], &next[c]) == 0) next[c] = old[j++];
    }
    while (status == RICO_OK && j < watch->memory_count) status = leave(watch, &old[j++]);
    return status;
}


rico_status rico_contact_watch_follow(rico_contact_watch *watch)
{
    int64_t count = rico_simulation_constraints(watch->sim);
    if (!watch->emits) return RICO_OK;
    rico_status status = rico_contact_watch_reserve(watch, count);
    if (status == RICO_OK) status = follow_emitted(watch, count);
    if (status != RICO_OK) return status;
    rico_contact_memory *swap = watch->memory;
    int64_t room = watch->memory_room;
    watch->memory = watch->spare;
    watch->memory_room = watch->spare_room;
    watch->spare = swap;
    watch->spare_room = room;
    watch->memory_count = count;
    return RICO_OK;
}


// --- events ------------------------------------------------------------------------------------------------------

// Impulses that appear or vanish with this step.
static rico_status append_closing(rico_contact_watch *watch, bool *impact)
{
    const double *p = rico_simulation_impulse(watch->sim);
    const double *before = rico_simulation_velocity_before(watch->sim),
                 *after = rico_simulation_velocity_after(watch->sim);
    for (int64_t c = 0; c < watch->memory_count; c++) {
        rico_constraint_info info = rico_simulation_constraint(watch->sim, c);
        rico_contact_memory *contact = &watch->memory[c];
        bool pressed = !info.joint && rico_simulation_contact_state(watch->sim, c) != RICO_OPEN;
        contact->leaving = after[info.row];
        if (pressed == (contact->pressed != 0)) continue;
        contact->pressed = pressed;
        *impact |= pressed;
        rico_status status = append_event(watch, rico_simulation_time(watch->sim), c, contact, pressed,
                                          &before[info.row], &p[info.row]);
        if (status != RICO_OK) return status;
    }
    return RICO_OK;
}


// Does a contact slip after this step? Its fastest velocity so far is the measure.
static bool slipping(rico_contact_watch *watch, const rico_constraint_info *info,
                     rico_contact_memory *contact, double *speed)
{
    const double *before = rico_simulation_velocity_before(watch->sim) + info->row,
                 *after = rico_simulation_velocity_after(watch->sim) + info->row;
    for (int64_t i = 0; i < info->rows; i++)
        contact->fastest = fmax(contact->fastest, fmax(fabs(before[i]), fabs(after[i])));
    *speed = info->rows > 2 ? hypot(after[1], after[2]) : info->rows > 1 ? after[1] : 0.0;
    return fabs(*speed) > SLIP * contact->fastest;
}


static rico_status append_sliding(rico_contact_watch *watch)
{
    const double *p = rico_simulation_impulse(watch->sim);
    const double t = rico_simulation_time(watch->sim);
    for (int64_t c = 0; c < watch->memory_count; c++) {
        rico_constraint_info info = rico_simulation_constraint(watch->sim, c);
        rico_contact_memory *contact = &watch->memory[c];
        if (info.joint || info.rows < 2) continue;
        double speed;
        bool slips = slipping(watch, &info, contact, &speed) || p[info.row] <= 0.0;
        if (slips == (contact->slips != 0)) continue;
        contact->slips = slips;
        if (p[info.row] <= 0.0) continue; // it has opened: events say so
        rico_status status = append_slip(watch, t, c, contact, &speed);
        if (status != RICO_OK) return status;
    }
    return RICO_OK;
}


// --- events of a scheme that finds them --------------------------------------------------------------------------

// One event: rows where a contact closes, opens, sticks or slips. One that strikes and leaves at once does both.
static rico_status append_found(rico_contact_watch *watch, const rico_event *event)
{
    rico_contact_memory *contact = &watch->memory[event->contact];
    bool closes = event->before == RICO_OPEN && event->kind <= RICO_EVENT_TOUCH;
    bool opens = event->after == RICO_OPEN && (closes || event->before != RICO_OPEN);
    rico_status status = RICO_OK;
    for (int64_t flag = 1; status == RICO_OK && flag >= 0; flag--)
        if (flag ? closes : opens)
            status = append_event(watch, event->t, event->contact, contact, flag, &event->speed,
                                  &event->impulse[0]);
    const int64_t slips = event->after != RICO_STICKING;
    bool changed = slips != contact->slips;
    const double rest = 0.0; // where it begins to slip, or comes to rest
    contact->slips = slips;
    if (status != RICO_OK || !changed || event->after == RICO_OPEN) return status;
    return append_slip(watch, event->t, event->contact, contact, &rest);
}


// The events of the step at their own times.
static rico_status append_all_found(rico_contact_watch *watch, bool *impact)
{
    int64_t count;
    const rico_event *event = rico_simulation_events(watch->sim, &count);
    rico_status status = RICO_OK;
    for (int64_t k = 0; status == RICO_OK && k < count; k++) {
        *impact |= event[k].kind == RICO_EVENT_IMPACT;
        status = append_found(watch, &event[k]);
    }
    for (int64_t c = 0; c < watch->memory_count; c++)
        watch->memory[c].pressed = rico_simulation_contact_state(watch->sim, c) != RICO_OPEN;
    return status;
}


rico_status rico_contact_watch_resting(rico_contact_watch *watch)
{
    const double rest = 0.0;
    rico_status status = RICO_OK;
    for (int64_t c = 0; status == RICO_OK && c < watch->memory_count; c++) {
        if (rico_simulation_constraint(watch->sim, c).joint) continue;
        if (rico_simulation_contact_state(watch->sim, c) != RICO_STICKING) continue;
        watch->memory[c].slips = 0;
        status = append_slip(watch, rico_simulation_time(watch->sim), c, &watch->memory[c], &rest);
    }
    return status;
}


rico_status rico_contact_watch_step(rico_contact_watch *watch, bool *impact)
{
    rico_status status = rico_contact_watch_follow(watch);
    if (status != RICO_OK) return status;
    if (watch->finds_events) return append_all_found(watch, impact);
    status = append_closing(watch, impact);
    return status == RICO_OK ? append_sliding(watch) : status;
}
