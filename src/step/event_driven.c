// The scheme "event-driven": a step goes through all events between its start and its end.
//
// Its works and impulses are integrals over the step and sums over its impacts, its contact states those at the end. Whatever
// later steps depend on is in the state of the simulation.

#include "step/event_driven.h"
#include "la/dense.h"
#include "step/registry.h"

#include <math.h>
#include <string.h>

static const rico_option_info OPTIONS[RICO_EVENT_OPTIONS] = {
    [RICO_EVENT_RTOL] = {.name = "rtol",
                         .help = "relative local error of the integration",
                         .type = RICO_REAL,
                         .low = 1e-13,
                         .high = 1e-2,
                         .standard = 1e-10},
    [RICO_EVENT_ATOL] = {.name = "atol",
                         .help = "local error of what is near zero, over the size that its energy allows",
                         .type = RICO_REAL,
                         .low = 1e-16,
                         .high = 1.0,
                         .standard = 1e-12},
    [RICO_EVENT_GAP_TOL] = {.name = "gap-tol",
                            .help = "gap, over the size of its terms, below which a contact that does not "
                                    "separate is closed",
                            .type = RICO_REAL,
                            .low = 0.0,
                            .high = 1.0,
                            .standard = 1e-8},
    [RICO_EVENT_DRIFT] = {.name = "drift",
                          .help = "gap or velocity, over its size, that a closed contact or a joint may have "
                                  "after an internal step",
                          .type = RICO_REAL,
                          .low = 1e-15,
                          .high = 1.0,
                          .standard = 1e-10},
    [RICO_EVENT_MAX_STEP] =
        {.name = "max-step",
         .help = "longest internal step, 0 for no limit; a gap that closes and opens within one "
                 "step goes unseen",
         .type = RICO_REAL,
         .low = 0.0,
         .high = 1e300,
         .standard = 0.0},
    [RICO_EVENT_MIN_INTERVAL] = {.name = "min-interval",
                                 .help = "time, over max(h, t), within which 40 events are too many",
                                 .type = RICO_REAL,
                                 .low = 0.0,
                                 .high = 1.0,
                                 .standard = 1e-9},
    [RICO_EVENT_MAX_EVENTS] = {.name = "max-events",
                               .help = "events since the start that end a run",
                               .type = RICO_INTEGER,
                               .low = 1,
                               .high = 1e15,
                               .standard = 1e6},
    [RICO_EVENT_ACCUMULATION] =
        {.name = "accumulation",
         .help = "interval, over the first of a series of impacts that accumulate, at which "
                 "the series counts as done and the contact closes, as it does at blows of a hundredth "
                 "of that over the speeds met so far; 0: refuse to pass one",
         .type = RICO_REAL,
         .low = 0.0,
         .high = 0.1,
         .standard = 0.0},
};


static int64_t extra_size(const rico_simulation *sim)
{
    return RICO_EVENT_EXTRA + sim->nv;
}


// Gaps, velocities and sizes of the state that was taken.
static rico_status look(rico_event_driven *self, double h)
{
    const double *q = self->moving, *v = self->moving + self->nq;
    int64_t held = self->count;
    if (!(self->pace > 0.0)) { // accelerations of the free motion give one
        self->pace = h > 0.0 ? h : 1.0;
        self->count = 0;
        rico_status status = rico_event_accelerations(self, self->t, q, v);
        self->count = held;
        if (status != RICO_OK) return status;
        rico_event_guess_pace(self, q, v, h);
    }
    rico_status status = rico_assembly_gaps(self->assembly, self->t, q, self->gap);
    if (status == RICO_OK) status = rico_event_kinematics(self, self->t, q, v, false);
    return status == RICO_OK ? rico_event_measure(self, q, v) : status;
}


// A contact that begins too deep, or a joint too far open.
static rico_status check_gaps(const rico_event_driven *self)
{
    for (int64_t c = 0; c < self->constraints; c++) {
        const rico_constraint *constraint = self->assembly->set.constraint[c];
        for (int64_t i = 0; i < (constraint->joint ? constraint->size : 1); i++) {
            double gap = self->gap[constraint->row + i], tol = rico_event_gap_tol(self, constraint->row + i);
            if (constraint->joint ? fabs(gap) > 1e3 * tol : gap < -tol)
                return rico_fail(self->ctx, RICO_BAD_INPUT, "%s %s starts with %s %g, beyond gap-tol: %g",
                                 constraint->joint ? "joint" : "contact", constraint->name,
                                 constraint->joint ? "the value" : "a gap of", gap, tol);
        }
    }
    return RICO_OK;
}


// What holds from the start is no event; an impact is.
static void drop_what_held(rico_event_driven *self, double t)
{
    rico_event_list *list = &self->sim->happening;
    int64_t kept = 0;
    for (int64_t k = 0; k < list->count; k++)
        if (list->event[k].kind == RICO_EVENT_IMPACT || list->event[k].t != t)
            list->event[kept++] = list->event[k];
    self->sim->stats.events -= list->count - kept;
    list->count = kept;
}


// As nothing had been before: contacts are open, joints hold.
static void forget(rico_event_driven *self)
{
    for (int64_t c = 0; c < self->constraints; c++) {
        self->state[c] = self->assembly->set.constraint[c]->joint ? RICO_STICKING : RICO_OPEN;
        self->onset[c] = 0;
        memset(&self->memory[c], 0, sizeof self->memory[c]);
    }
    memset(self->slide, 0, (size_t)self->rows * sizeof *self->slide);
    memset(self->anchor, 0, (size_t)self->rows * sizeof *self->anchor);
    rico_event_hold(self);
}


// The states of contacts to begin with. The first step finds them again, with the impact that velocities may ask for.
static rico_status start(rico_simulation *sim)
{
    rico_event_driven *self = sim->own;
    bool begun;
    if (sim->loading) return RICO_OK;
    sim->h = 0.0;
    rico_event_take(self, &sim->now, &begun);
    rico_status status = look(self, 0.0);
    if (status == RICO_OK) status = check_gaps(self);
    memset(self->found, 0, 2 * (size_t)self->constraints * sizeof *self->found);
    if (status == RICO_OK) status = rico_event_settle(self, self->t);
    if (status != RICO_OK) return status;
    drop_what_held(self, self->t);
    if (sim->happening.count == 0) {
        rico_event_give(self, &sim->now);
        memset(sim->now.extra, 0, RICO_EVENT_EXTRA * sizeof *sim->now.extra);
    }
    sim->happening.count = 0;
    memset(&sim->stats, 0, sizeof sim->stats);
    return RICO_OK;
}


// A contact that is new in this step, or that its source sees otherwise now, may touch already.
static bool touches(rico_event_driven *self, const rico_state *now)
{
    bool any = false;
    for (int64_t c = 0; c < self->constraints; c++) {
        const rico_constraint *contact = self->assembly->set.constraint[c];
        int64_t row = contact->row;
        self->found[2 * c] = self->found[2 * c + 1] = 0;
        if (contact->joint || self->state[c] != RICO_OPEN) continue;
        double still = rico_event_still(self, row), gap = self->gap[row], u = self->u[row];
        bool fresh = !rico_event_known(now, c) && gap <= rico_event_gap_tol(self, row) && u <= still;
        self->found[2 * c] = fresh || (gap <= 0.0 && u < -still);
        any |= self->found[2 * c] != 0;
    }
    return any;
}


static rico_status advance(rico_simulation *sim, double h)
{
    rico_event_driven *self = sim->own;
    bool begun, moved;
    rico_event_take(self, &sim->now, &begun);
    if (!begun) forget(self);
    rico_status status = look(self, h);
    if (status == RICO_OK && !begun) status = rico_event_project(self, self->t, self->moving, true, &moved);
    if (status != RICO_OK) return status;
    memcpy(sim->u_before, self->u, (size_t)self->rows * sizeof *self->u);
    bool due = touches(self, &sim->now) || !begun;
    status = rico_event_integrate(self, *sim->next.t, due);
    if (status != RICO_OK) return status;
    if (!begun) drop_what_held(self, *sim->now.t);

    memcpy(sim->next.q, self->moving, (size_t)self->nq * sizeof *sim->next.q);
    memcpy(sim->next.v, self->moving + self->nq, (size_t)self->nv * sizeof *sim->next.v);
    memcpy(sim->next.p, rico_event_impulses(self, self->moving), (size_t)self->rows * sizeof *sim->next.p);
    memcpy(sim->u_after, self->u, (size_t)self->rows * sizeof *sim->u_after);
    *sim->next.scale = rico_norm_inf(self->rows, self->speed);
    rico_event_give(self, &sim->next);
    for (int64_t c = 0; c < self->constraints; c++) {
        const rico_constraint *constraint = self->assembly->set.constraint[c];
        sim->active[c] =
            constraint->joint || self->state[c] != RICO_OPEN || sim->next.p[constraint->row] > 0.0;
    }
    return RICO_OK;
}


static rico_status book(rico_simulation *sim, double h)
{
    const rico_event_driven *self = sim->own;
    rico_ledger *ledger = &sim->ledger;
    const double *works = rico_event_works(self, self->moving);
    (void)h;
    memset(ledger, 0, sizeof *ledger);
    ledger->external = works[RICO_EVENT_EXTERNAL];
    ledger->damping = works[RICO_EVENT_DAMPING];
    ledger->obstacle = works[RICO_EVENT_OBSTACLE];
    for (int64_t c = 0; c < self->constraints; c++) {
        const double *own = works + RICO_EVENT_CONTACTS + 2 * c;
        *(self->assembly->set.constraint[c]->joint ? &ledger->joint : &ledger->normal) += own[0];
        ledger->tangential += own[1];
        sim->next.normal_work[c] = own[0];
        sim->next.tangential_work[c] = own[1];
    }
    ledger->projection = self->projected;
    ledger->numerical[0] = self->integrated;
    return RICO_OK;
}


const rico_scheme rico_event_driven_schemes[] = {
    {.info = {.name = "event-driven",
              .own_error = true,
              .rates = true,
              .summary =
                  "smooth motion between events, each event found and solved: the reference for few contacts",
              .reference = "Lotstedt 1981; Pfeiffer and Glocker 1996; Acary and Brogliato 2008, chapter 8",
              .identity =
                  "dE = int v'(F - C v) dt + int u'lambda dt + sum (u- + u+)'p/2 - int w'lambda dt - sum w'p",
              .numerical = {"error of the integration"},
              .option_count = RICO_EVENT_OPTIONS,
              .options = OPTIONS},
     .impacts = true,
     .finds_events = true,
     .common = 1u << RICO_STEP_LAW | 1u << RICO_STEP_TOL | 1u << RICO_STEP_LEDGER,
     .row_own = RICO_EVENT_ROW_OWN,
     .constraint_own = RICO_EVENT_CONSTRAINT_OWN,
     .force = RICO_EVENT_FORCE,
     .velocity_rate = 1 + RICO_EVENT_EXTRA,
     .extra_size = extra_size,
     .create = rico_event_create,
     .destroy = rico_event_destroy,
     .resize = rico_event_resize,
     .start = start,
     .advance = advance,
     .book = book},
};
const int rico_event_driven_scheme_count =
    sizeof rico_event_driven_schemes / sizeof *rico_event_driven_schemes;
