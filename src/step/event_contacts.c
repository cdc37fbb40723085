// What happens at an event: impacts, and which contacts stay closed, slide or stick after it.
//
// Impacts and decisions are the same friction problem, once between velocities and impulses with the law of impact, once
// between accelerations and forces: a closed contact that slides has lambda_T = -mu lambda_N d and its normal row alone
// obeys 0 <= a_N, lambda_N >= 0; one at rest obeys Coulomb's law with its acceleration in the place of the velocity
// (Lotstedt 1981; Glocker 2001, chapter 7; Acary and Brogliato 2008, section 8.6).

#include "la/dense.h"
#include "step/event_driven.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Velocities up to which a slide that began from rest goes where it accelerates, over those that count as zero.
static const double ONSET = 100.0;
static const double FEEBLE =
    1e-2; // speed of a blow that ends an accumulation, over its share and the speeds met so far
enum {
    SERIES = 3, // intervals in a row that shrink alike before an accumulation is believed, if by 1000 in all
    CROWD = 40, // events in a row, closer to each other than min-interval
    REPORTED = RICO_NO_LAW + 1 // the state before of a contact whose event is listed already
};

static const rico_constraint *contact_of(const rico_event_driven *self, int64_t c)
{
    return self->assembly->set.constraint[c];
}


static double tangential_speed(const rico_event_driven *self, int64_t c)
{
    const rico_constraint *contact = contact_of(self, c);
    return rico_norm(contact->size - 1, self->u + contact->row + 1);
}


static rico_status push(rico_event_driven *self, const rico_event *event)
{
    rico_event_list *list = &self->sim->happening;
    int64_t most = (int64_t)rico_event_option(self, RICO_EVENT_MAX_EVENTS);
    rico_status status = rico_event_push(self->ctx, list, event);
    if (status != RICO_OK) return status;
    list->event[list->count - 1].name = contact_of(self, event->contact)->name;
    if (++self->sim->stats.events <= most) return RICO_OK;
    return rico_fail(self->ctx, RICO_UNSUPPORTED, "more than max-events = %lld events before t = %.17g",
                     (long long)most, event->t);
}


// Impacts whose intervals shrink by the same factor again and again have a limit: t + d r/(1 - r).
static rico_status remember_impact(rico_event_driven *self, int64_t c, double t)
{
    rico_impact_memory *memory = &self->memory[c];
    double interval = t - memory->last, ratio = memory->count > 1.0 ? interval / memory->interval : 1.0;
    memory->last = t;
    memory->count += 1.0;
    if (memory->count < 2.0) return RICO_OK;
    memory->interval = interval;
    bool alike = ratio < 1.0 && (memory->shrinking == 0.0 ||
                                 fabs(ratio - memory->ratio) <= 0.1 * fmax(ratio, memory->ratio));
    if (!alike) memory->longest = interval;
    memory->shrinking = alike ? memory->shrinking + 1.0 : 0.0;
    memory->ratio = ratio;
    double share = rico_event_option(self, RICO_EVENT_ACCUMULATION);
    if (memory->shrinking < SERIES || interval > (share > 0.0 ? share : 1e-3) * memory->longest)
        return RICO_OK;
    if (share > 0.0 && !self->sim->impacts) {
        memory->over = 1.0;
        return RICO_OK;
    }
    return rico_fail(
        self->ctx, RICO_UNSUPPORTED,
        "the impacts of contact %s accumulate at t = %.10g: the last at t = %.10g, each interval "
        "%.4g times the one before; the option accumulation lets a run pass such a point, and time stepping "
        "does",
        contact_of(self, c)->name, t + interval * ratio / (1.0 - ratio), t, ratio);
}


// Events that follow one another without room between them: the contacts chatter, or numbers cannot tell them apart.
static rico_status check_crowd(rico_event_driven *self, double t)
{
    double nearness = rico_event_option(self, RICO_EVENT_MIN_INTERVAL) * fmax(self->sim->h, fabs(t));
    if (self->crowd > 0 && t - self->recent > nearness) self->crowd = 0;
    self->recent = t;
    if (++self->crowd <= CROWD) return RICO_OK;
    int64_t c = 0;
    while (c < self->constraints - 1 && !self->found[2 * c] && !self->found[2 * c + 1]) c++;
    return rico_fail(
        self->ctx, RICO_UNSUPPORTED,
        "%d events in a row lie closer than min-interval to each other at t = %.17g; the last is of "
        "contact %s",
        CROWD, t, contact_of(self, c)->name);
}


// v and p by the contact law between velocities and impulses.
static rico_status resolve(rico_event_driven *self, double *v)
{
    const rico_contact_rule *law = rico_step_law(self->sim);
    double omega = law->omega(0.5), scale;
    for (int64_t i = 0; i < self->rows; i++) self->c[i] = (1.0 - omega) * self->u[i];
    for (int64_t c = 0; c < self->constraints; c++) {
        const rico_constraint *contact = contact_of(self, c);
        double restitution = self->touching[c] == RICO_TOUCHES_DULL ? 0.0 : contact->restitution;
        if (!contact->joint) self->c[contact->row] += law->bias(0.5, restitution) * self->u[contact->row];
    }
    rico_contacts *contacts = &self->sim->contacts;
    contacts->joint_offset = false;
    rico_contacts_activate(contacts, self->touching);
    return rico_contacts_solve(contacts, self->mass, true, omega, self->c, v, self->p, &scale);
}


// The same by the law of multiple impacts.
static rico_status resolve_multiple(rico_event_driven *self, double t, const double *q, double *v)
{
    rico_impacts *impacts = self->sim->impacts;
    rico_status status = rico_impacts_begin(impacts);
    if (status == RICO_OK) status = rico_impacts_apply(impacts, t, q, self->touching, v);
    for (int64_t c = 0; status == RICO_OK && c < self->constraints; c++)
        self->p[contact_of(self, c)->row] = impacts->impulse[c];
    return status;
}


// Works of the impact at constraint c: along the mean relative velocity, normal and tangential; and of its obstacle.
static void book_impact(rico_event_driven *self, int64_t c, double *works, double share[2])
{
    const rico_constraint *contact = contact_of(self, c);
    share[0] = share[1] = 0.0;
    for (int64_t i = 0; i < contact->size; i++) {
        int64_t row = contact->row + i;
        share[i > 0 && !contact->joint] += 0.5 * (self->before[row] + self->u[row]) * self->p[row];
        works[RICO_EVENT_OBSTACLE] -= self->assembly->w[row] * self->p[row];
    }
    if (self->sim->impacts)
        share[0] = -self->sim->impacts->loss[c]; // along the impact, not of its mean velocity
    works[RICO_EVENT_CONTACTS + 2 * c] += share[0];
    works[RICO_EVENT_CONTACTS + 2 * c + 1] += share[1];
}


static rico_status report_impact(rico_event_driven *self, int64_t c, double t, const double share[2])
{
    const rico_constraint *contact = contact_of(self, c);
    rico_event event = {.t = t,
                        .kind = RICO_EVENT_IMPACT,
                        .contact = c,
                        .before = (rico_contact_state)self->old[c],
                        .speed = self->before[contact->row],
                        .energy_lost = -(share[0] + share[1])};
    for (int64_t i = 0; i < contact->size; i++) event.impulse[i] = self->p[contact->row + i];
    self->sim->stats.impacts++;
    rico_status status = push(self, &event);
    // the velocity before it tells a blow from the rest that a neighbour's blow disturbs
    if (status == RICO_OK && event.speed < -rico_event_still(self, contact->row))
        status = remember_impact(self, c, t);
    return status;
}


rico_status rico_event_strike(rico_event_driven *self, double t, double *y)
{
    double *v = y + self->nq;
    memcpy(self->before, self->u, (size_t)self->rows * sizeof *self->before);
    memset(self->p, 0, (size_t)self->rows * sizeof *self->p);
    rico_status status = self->sim->impacts ? resolve_multiple(self, t, y, v) : resolve(self, v);
    if (status != RICO_OK) {
        char place[64];
        snprintf(place, sizeof place, "the impact at t = %.17g", t);
        return rico_fail_in(self->ctx, status, place);
    }
    for (int64_t i = 0; i < self->rows; i++)
        self->u[i] = rico_event_row_times(self, i, v) + self->assembly->w[i];
    return RICO_OK;
}


// The impact among all touching contacts: velocities jump by M^-1 H p, works and impulses are booked.
static rico_status impact(rico_event_driven *self, double t, double *y)
{
    double share[2];
    rico_status status = rico_event_strike(self, t, y);
    if (status != RICO_OK) return status;
    rico_event_note_speed(self, y + self->nq);
    rico_axpy(self->rows, 1.0, self->p, rico_event_impulses(self, y));
    for (int64_t c = 0; status == RICO_OK && c < self->constraints; c++) {
        book_impact(self, c, rico_event_works(self, y), share);
        if (self->touching[c] && !contact_of(self, c)->joint && self->p[contact_of(self, c)->row] > 0.0)
            status = report_impact(self, c, t, share);
    }
    return status;
}


// A blow so weak that what bounces of it does not show: contacts that chatter together shrink in no regular way, but they end there.
static bool feeble(const rico_event_driven *self, int64_t row)
{
    double share = rico_event_option(self, RICO_EVENT_ACCUMULATION);
    return !self->sim->impacts && -self->u[row] < FEEBLE * share * self->speed[row];
}


// Which contacts touch: the closed ones, those whose gap just closed, and those as near that do not separate.
static bool gather_touching(rico_event_driven *self, bool *blow)
{
    bool any = false;
    *blow = false;
    for (int64_t c = 0; c < self->constraints; c++) {
        const rico_constraint *contact = contact_of(self, c);
        self->touching[c] = 0;
        if (contact->joint) continue;
        double gap = self->gap[contact->row], speed = self->u[contact->row];
        bool open = self->state[c] == RICO_OPEN;
        double still = rico_event_still(self, contact->row);
        bool near = gap <= rico_event_gap_tol(self, contact->row) && speed <= still;
        self->touching[c] = !open || near || (self->found[2 * c] && speed <= still);
        if (self->touching[c] && (self->memory[c].over > 0.0 || feeble(self, contact->row))) {
            self->touching[c] = RICO_TOUCHES_DULL;
            memset(&self->memory[c], 0, sizeof self->memory[c]);
        }
        any |= open && self->touching[c];
        *blow |= self->touching[c] && speed < -still;
    }
    return any;
}


// States of the touching contacts by their velocities; those at rest are left to the accelerations.
static void states_from_velocities(rico_event_driven *self)
{
    for (int64_t c = 0; c < self->constraints; c++) {
        const rico_constraint *contact = contact_of(self, c);
        if (!self->touching[c]) continue;
        if (self->u[contact->row] > rico_event_still(self, contact->row)) {
            self->state[c] = RICO_OPEN;
        } else if (rico_event_rough(contact) && tangential_speed(self, c) <= rico_event_slow(self, c)) {
            self->state[c] = RICO_STICKING;
        } else {
            self->state[c] = RICO_SLIDING;
            if (rico_event_rough(contact))
                rico_event_set_slide(self, c, self->u + contact->row + 1, 1.0, false);
        }
    }
}


// Is a force at the edge of what it may be all that was found?
static bool at_edge(const rico_event_driven *self)
{
    for (int64_t c = 0; c < self->constraints; c++)
        if (self->found[2 * c + 1] && self->state[c] == RICO_SLIDING) return false;
    return true;
}


// Contacts whose force reached the edge of what it may be: they let go, exactly there. True when nothing else is open.
static bool let_go(rico_event_driven *self)
{
    bool settled = true;
    for (int64_t c = 0; c < self->constraints; c++) {
        const rico_constraint *contact = contact_of(self, c);
        if (contact->joint || self->state[c] == RICO_OPEN) continue;
        if (self->found[2 * c]) {
            self->state[c] = RICO_OPEN;
        } else if (self->found[2 * c + 1] && self->state[c] == RICO_STICKING) {
            self->state[c] = RICO_SLIDING;
            rico_event_set_slide(self, c, self->force + contact->row + 1, -1.0, true);
        } else if (self->found[2 * c + 1]) {
            bool rests = tangential_speed(self, c) <= rico_event_slow(self, c);
            if (rests) self->state[c] = RICO_STICKING;
            rico_event_set_slide(self, c, self->u + contact->row + 1, 1.0,
                                 false); // turned, where it does not rest
            settled &= !rests;
        }
    }
    return settled;
}


// Do the contacts that let go leave for where they are sent: the open ones away from the obstacle, the others along their
// slide? One that would come back at once did not let go: the forces of contacts that hold each other are not unique,
// and those of least norm reach the edge of what they may be before all of them do.
static bool parted(const rico_event_driven *self)
{
    double scale = 0.0;
    for (int64_t i = 0; i < self->rows; i++)
        scale = fmax(scale, fabs(rico_event_row_times(self, i, self->right) + self->gamma[i]));
    for (int64_t c = 0; c < self->constraints; c++) {
        const rico_constraint *contact = contact_of(self, c);
        if (contact->joint || self->state[c] == self->old[c]) continue;
        double along = 0.0;
        for (int64_t i = contact->row; i < contact->row + contact->size; i++) {
            double direction = self->state[c] == RICO_OPEN ? i == contact->row : self->slide[i];
            along += direction * (rico_event_row_times(self, i, self->a) + self->gamma[i]);
        }
        if (along < -1e-7 * scale) return false;
    }
    return true;
}


static rico_status push_changes(rico_event_driven *self, double t)
{
    for (int64_t c = 0; c < self->constraints; c++) {
        const rico_constraint *contact = contact_of(self, c);
        if (contact->joint) continue;
        rico_contact_state from = (rico_contact_state)self->old[c], to = (rico_contact_state)self->state[c];
        rico_event event = {
            .t = t, .contact = c, .before = from, .after = to, .speed = self->u[contact->row]};
        bool rough = rico_event_rough(contact);
        if (from == RICO_OPEN && to == RICO_OPEN) continue;
        if (from == to && !(to == RICO_SLIDING && rough && self->touching[c] == RICO_PASSED_REST)) continue;
        if (to == RICO_OPEN)
            event.kind = RICO_EVENT_LIFT_OFF;
        else if (from == RICO_OPEN)
            event.kind = RICO_EVENT_TOUCH;
        else if (from == to)
            event.kind = RICO_EVENT_REVERSE;
        else
            event.kind = to == RICO_STICKING ? RICO_EVENT_STICK : RICO_EVENT_SLIP;
        rico_status status = push(self, &event);
        if (status != RICO_OK) return status;
    }
    return RICO_OK;
}


rico_status rico_event_handle(rico_event_driven *self, double t, double *y)
{
    double *q = y, *v = y + self->nq;
    rico_event_list *list = &self->sim->happening;
    bool blow, moved;
    int64_t first = list->count;
    rico_event_look(self, t, y, RICO_MOMENT_BEFORE);
    memcpy(self->old, self->state, (size_t)self->constraints);
    rico_status status = self->constraints > 0 ? check_crowd(self, t) : RICO_OK;
    if (status == RICO_OK) status = rico_event_accelerations(self, t, q, v);
    if (status == RICO_OK) status = rico_assembly_gaps(self->assembly, t, q, self->gap);
    if (status == RICO_OK) status = rico_event_measure(self, q, v);
    if (status != RICO_OK) return status;

    bool closing = gather_touching(self, &blow), settled = false, shared = false;
    if (blow) {
        rico_event_look(self, t, y, RICO_MOMENT_BLOW);
        status = impact(self, t, y);
        if (status != RICO_OK) return status;
        memcpy(self->old, self->state, (size_t)self->constraints);
        for (int64_t c = 0; c < self->constraints; c++)
            if (self->touching[c] && self->p[contact_of(self, c)->row] > 0.0) self->old[c] = REPORTED;
        states_from_velocities(self);
    } else if (closing) {
        states_from_velocities(self);
    } else {
        if (self->redundant && at_edge(self)) status = rico_event_share(self, t, y, true, &shared);
        if (status == RICO_OK && !shared) settled = let_go(self);
    }
    if (status != RICO_OK || shared) return status;
    rico_event_hold(self);
    status = rico_event_project(self, t, y, true, &moved);
    if (status == RICO_OK && settled) {
        status = rico_event_accelerations(self, t, q, v);
        if (status == RICO_OK) settled = rico_event_lawful(self) && parted(self);
        if (!settled) memcpy(self->state, self->old, (size_t)self->constraints);
    }
    // marks for a slide that passed through rest
    for (int64_t c = 0; c < self->constraints; c++)
        if (!blow && self->old[c] == RICO_SLIDING && self->state[c] == RICO_STICKING)
            self->touching[c] = RICO_PASSED_REST;
    if (status == RICO_OK && !settled) {
        status = rico_event_decide(self, t, y);
        if (status == RICO_OK) status = rico_event_project(self, t, y, true, &moved);
        if (status == RICO_OK) status = rico_event_accelerations(self, t, q, v);
        if (status == RICO_OK && self->redundant && !rico_event_lawful(self))
            status = rico_event_share(self, t, y, false, &shared);
    }
    if (status != RICO_OK) return status;
    for (int64_t c = 0; c < self->constraints; c++)
        if (self->old[c] == REPORTED) self->old[c] = self->state[c];
    for (int64_t k = first; k < list->count; k++)
        list->event[k].after = (rico_contact_state)self->state[list->event[k].contact];
    return push_changes(self, t);
}


bool rico_event_again(rico_event_driven *self)
{
    bool any = false;
    for (int64_t c = 0; c < self->constraints; c++) {
        const rico_constraint *contact = contact_of(self, c);
        bool back = !contact->joint && self->state[c] == RICO_OPEN && self->gap[contact->row] <= 0.0 &&
                    self->u[contact->row] < -rico_event_still(self, contact->row);
        self->found[2 * c] = back;
        self->found[2 * c + 1] = 0;
        any |= back;
    }
    return any;
}


rico_status rico_event_overdue(rico_event_driven *self, double t, const double *y, bool *any)
{
    *any = false;
    rico_status status = rico_event_roots(self, t, y, self->roots);
    if (status == RICO_OK && self->count == 0)
        status = rico_event_kinematics(self, t, y, y + self->nq, false);
    if (status != RICO_OK) return status;
    rico_event_note_speed(self, y + self->nq);
    double scale = rico_norm_inf(self->rows, self->force);
    for (int64_t c = 0; c < self->constraints; c++) {
        const rico_constraint *contact = contact_of(self, c);
        self->found[2 * c] = self->found[2 * c + 1] = 0;
        if (contact->joint) continue;
        double first = self->roots[2 * c], second = self->roots[2 * c + 1];
        bool open = self->state[c] == RICO_OPEN;
        self->found[2 * c] =
            open ? first < 0.0 && self->u[contact->row] < -rico_event_still(self, contact->row)
                 : first < -1e-9 * scale;
        if (!open && rico_event_rough(contact))
            self->found[2 * c + 1] =
                second < -(self->state[c] == RICO_SLIDING ? rico_event_slow(self, c) : 1e-9 * scale);
        *any |= self->found[2 * c] || self->found[2 * c + 1];
    }
    return RICO_OK;
}


void rico_event_turn(rico_event_driven *self)
{
    for (int64_t c = 0; c < self->constraints; c++) {
        const rico_constraint *contact = contact_of(self, c);
        if (contact->size == 3 && rico_event_rough(contact) && self->state[c] == RICO_SLIDING &&
            tangential_speed(self, c) > (self->onset[c] ? ONSET : 1.0) * rico_event_slow(self, c))
            rico_event_set_slide(self, c, self->u + contact->row + 1, 1.0, false);
    }
}
