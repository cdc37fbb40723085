// Events of a run: contacts that close, open, begin to slip or to stick, found by what each did in the step before.

#include "ricochet/events.h"
#include "store/recording_private.h"

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


rico_status rico_recording_reserve_memory(rico_recording *recording, int64_t count)
{
    rico_context *ctx = recording->ctx;
    bool whole = reserve(ctx, &recording->memory, &recording->memory_room, count) &&
                 reserve(ctx, &recording->spare, &recording->spare_room, count);
    return whole ? RICO_OK : RICO_NO_MEMORY;
}


// A contact that closes slips, until a row of `sliding` says that it sticks.
static rico_contact_memory blank(const rico_constraint_info *info)
{
    return (rico_contact_memory){.source = info->source, .key = info->key, .slips = 1};
}


// A row where a contact closes, or opens.
static rico_status append_event(rico_recording *recording, double t, int64_t c,
                                const rico_contact_memory *contact, int64_t closes, const double *speed,
                                const double *impulse)
{
    const int64_t step = rico_simulation_steps(recording->sim), place = contact->source < 0 ? c : -1;
    const void *values[EVENT_COLUMNS] = {&t,    &step,   &place,           &closes,
                                         speed, impulse, &contact->source, &contact->key};
    return rico_archive_append(recording->archive, EVENTS, values);
}


// A row where it begins to slip, or to stick.
static rico_status append_slip(rico_recording *recording, double t, int64_t c,
                               const rico_contact_memory *contact, const double *speed)
{
    const int64_t step = rico_simulation_steps(recording->sim), place = contact->source < 0 ? c : -1;
    const void *values[SLIDING_COLUMNS] = {
        &t, &step, &place, &contact->slips, speed, &contact->source, &contact->key};
    return rico_archive_append(recording->archive, SLIDING, values);
}


// A contact that is not emitted any more has opened, if it had not before.
static rico_status leave(rico_recording *recording, rico_contact_memory *contact)
{
    const double none = 0.0;
    if (!contact->pressed) return RICO_OK;
    contact->pressed = 0;
    return append_event(recording, rico_simulation_time(recording->sim), -1, contact, 0, &contact->leaving,
                        &none);
}


static int order(const rico_contact_memory *a, const rico_contact_memory *b)
{
    if (a->source != b->source) return a->source < b->source ? -1 : 1;
    return a->key < b->key ? -1 : a->key > b->key;
}


// Both lists are sorted by source and key: one walk through them.
static rico_status follow_emitted(rico_recording *recording, int64_t count)
{
    rico_contact_memory *old = recording->memory, *next = recording->spare;
    int64_t fixed = recording->constraints, j = fixed;
    rico_status status = RICO_OK;
    if (fixed > 0) memcpy(next, old, (size_t)fixed * sizeof *next);
    for (int64_t c = fixed; status == RICO_OK && c < count; c++) {
        rico_constraint_info info = rico_simulation_constraint(recording->sim, c);
        next[c] = blank(&info);
        while (status == RICO_OK && j < recording->memory_count && order(&old[j], &next[c]) < 0)
            status = leave(recording, &old[j++]);
        if (j < recording->memory_count && order(&old[j], &next[c]) == 0) next[c] = old[j++];
    }
    while (status == RICO_OK && j < recording->memory_count) status = leave(recording, &old[j++]);
    return status;
}


rico_status rico_recording_follow(rico_recording *recording)
{
    int64_t count = rico_simulation_constraints(recording->sim);
    if (recording->sources == 0) return RICO_OK;
    rico_status status = rico_recording_reserve_memory(recording, count);
    if (status == RICO_OK) status = follow_emitted(recording, count);
    if (status != RICO_OK) return status;
    rico_contact_memory *swap = recording->memory;
    int64_t room = recording->memory_room;
    recording->memory = recording->spare;
    recording->memory_room = recording->spare_room;
    recording->spare = swap;
    recording->spare_room = room;
    recording->memory_count = count;
    return RICO_OK;
}


// --- events ------------------------------------------------------------------------------------------------------

// Impulses that appear or vanish with this step.
static rico_status append_closing(rico_recording *recording, bool *impact)
{
    const double *p = rico_simulation_impulse(recording->sim);
    const double *before = rico_simulation_velocity_before(recording->sim),
                 *after = rico_simulation_velocity_after(recording->sim);
    for (int64_t c = 0; c < recording->memory_count; c++) {
        rico_constraint_info info = rico_simulation_constraint(recording->sim, c);
        rico_contact_memory *contact = &recording->memory[c];
        bool pressed = !info.joint && rico_simulation_contact_state(recording->sim, c) != RICO_OPEN;
        contact->leaving = after[info.row];
        if (pressed == (contact->pressed != 0)) continue;
        contact->pressed = pressed;
        *impact |= pressed;
        rico_status status = append_event(recording, rico_simulation_time(recording->sim), c, contact,
                                          pressed, &before[info.row], &p[info.row]);
        if (status != RICO_OK) return status;
    }
    return RICO_OK;
}


// Does a contact slip after this step? Its fastest velocity so far is the measure.
static bool slipping(rico_recording *recording, const rico_constraint_info *info,
                     rico_contact_memory *contact, double *speed)
{
    const double *before = rico_simulation_velocity_before(recording->sim) + info->row,
                 *after = rico_simulation_velocity_after(recording->sim) + info->row;
    for (int64_t i = 0; i < info->rows; i++)
        contact->fastest = fmax(contact->fastest, fmax(fabs(before[i]), fabs(after[i])));
    *speed = info->rows > 2 ? hypot(after[1], after[2]) : info->rows > 1 ? after[1] : 0.0;
    return fabs(*speed) > SLIP * contact->fastest;
}


static rico_status append_sliding(rico_recording *recording)
{
    const double *p = rico_simulation_impulse(recording->sim);
    const double t = rico_simulation_time(recording->sim);
    for (int64_t c = 0; c < recording->memory_count; c++) {
        rico_constraint_info info = rico_simulation_constraint(recording->sim, c);
        rico_contact_memory *contact = &recording->memory[c];
        if (info.joint || info.rows < 2) continue;
        double speed;
        bool slips = slipping(recording, &info, contact, &speed) || p[info.row] <= 0.0;
        if (slips == (contact->slips != 0)) continue;
        contact->slips = slips;
        if (p[info.row] <= 0.0) continue; // it has opened: events say so
        rico_status status = append_slip(recording, t, c, contact, &speed);
        if (status != RICO_OK) return status;
    }
    return RICO_OK;
}


// --- events of a scheme that finds them --------------------------------------------------------------------------

// One event: rows where a contact closes, opens, sticks or slips. One that strikes and leaves at once does both.
static rico_status append_found(rico_recording *recording, const rico_event *event)
{
    rico_contact_memory *contact = &recording->memory[event->contact];
    bool closes = event->before == RICO_OPEN && event->kind <= RICO_EVENT_TOUCH;
    bool opens = event->after == RICO_OPEN && (closes || event->before != RICO_OPEN);
    rico_status status = RICO_OK;
    for (int64_t flag = 1; status == RICO_OK && flag >= 0; flag--)
        if (flag ? closes : opens)
            status = append_event(recording, event->t, event->contact, contact, flag, &event->speed,
                                  &event->impulse[0]);
    const int64_t slips = event->after != RICO_STICKING;
    bool changed = slips != contact->slips;
    const double rest = 0.0; // where it begins to slip, or comes to rest
    contact->slips = slips;
    if (status != RICO_OK || !changed || event->after == RICO_OPEN) return status;
    return append_slip(recording, event->t, event->contact, contact, &rest);
}


// The events of the step at their own times.
static rico_status append_all_found(rico_recording *recording, bool *impact)
{
    int64_t count;
    const rico_event *event = rico_simulation_events(recording->sim, &count);
    rico_status status = RICO_OK;
    for (int64_t k = 0; status == RICO_OK && k < count; k++) {
        *impact |= event[k].kind == RICO_EVENT_IMPACT;
        status = append_found(recording, &event[k]);
    }
    for (int64_t c = 0; c < recording->memory_count; c++)
        recording->memory[c].pressed = rico_simulation_contact_state(recording->sim, c) != RICO_OPEN;
    return status;
}


rico_status rico_recording_append_resting(rico_recording *recording)
{
    const double rest = 0.0;
    rico_status status = RICO_OK;
    for (int64_t c = 0; status == RICO_OK && c < recording->memory_count; c++) {
        if (rico_simulation_constraint(recording->sim, c).joint) continue;
        if (rico_simulation_contact_state(recording->sim, c) != RICO_STICKING) continue;
        recording->memory[c].slips = 0;
        status =
            append_slip(recording, rico_simulation_time(recording->sim), c, &recording->memory[c], &rest);
    }
    return status;
}


rico_status rico_recording_append_events(rico_recording *recording, bool *impact)
{
    rico_status status = rico_recording_follow(recording);
    if (status != RICO_OK) return status;
    if (rico_scheme_find(rico_scene_scheme(recording->scene))->own_error)
        return append_all_found(recording, impact);
    status = append_closing(recording, impact);
    return status == RICO_OK ? append_sliding(recording) : status;
}
