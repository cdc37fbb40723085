// The arrays of event-driven integration, and what it keeps in the state of a simulation.

#include "la/dense.h"
#include "step/event_driven.h"

#include <string.h>

enum { BEGUN, KINETIC, CROWD, RECENT, FIRST, PACE }; // of the state's extra
enum { KNOWN, STATE, ONSET, MEMORY };                // of each constraint; the last is a rico_impact_memory


static bool make_rows(rico_event_driven *self, int64_t rows)
{
    rico_context *ctx = self->ctx;
    rico_event_decision *of = &self->decision;
    double **single[] = {&self->slide, &self->kept_slide, &self->anchor,   &self->kept_anchor,
                         &self->u,     &self->gamma,      &self->force,    &self->b,
                         &self->gap,   &self->p,          &self->c,        &self->before,
                         &self->speed, &self->span,       &self->response, &of->free,
                         &of->lambda,  &of->acceleration, &of->shift,      &of->kept};
    bool whole = true;
    for (size_t i = 0; whole && i < sizeof single / sizeof *single; i++)
        whole = rico_renew(ctx, single[i], rows, sizeof(double));
    whole = whole && rico_renew(ctx, &self->X, self->nv * rows, sizeof(double));
    whole = whole && rico_renew(ctx, &self->A, rows * rows, sizeof(double));
    whole = whole && rico_renew(ctx, &self->work, rico_dense_minimum_norm_work(rows), sizeof(double));
    whole = whole && rico_renew(ctx, &self->row, rows, sizeof *self->row);
    whole = whole && rico_renew(ctx, &self->pivot, rows, sizeof *self->pivot);
    whole = whole && rico_renew(ctx, &of->W, rows * rows, sizeof(double));
    whole = whole && rico_renew(ctx, &of->start, rows + 1, sizeof *of->start);
    return whole && rico_renew(ctx, &of->index, rows * rows, sizeof *of->index);
}


static bool make_constraints(rico_event_driven *self, int64_t count)
{
    rico_context *ctx = self->ctx;
    char **flags[] = {&self->state, &self->kept_state, &self->touching, &self->old, &self->onset};
    bool whole = true;
    for (size_t i = 0; whole && i < sizeof flags / sizeof *flags; i++)
        whole = rico_renew(ctx, flags[i], count, 1);
    whole = whole && rico_renew(ctx, &self->memory, count, sizeof *self->memory);
    whole = whole && rico_renew(ctx, &self->roots, 2 * count, sizeof *self->roots);
    whole = whole && rico_renew(ctx, &self->found, 2 * count, sizeof *self->found);
    whole = whole && rico_renew(ctx, &self->decision.owner, count, sizeof *self->decision.owner);
    return whole && rico_renew(ctx, &self->decision.block, count, sizeof *self->decision.block);
}


// The numbers that are integrated, and SUNDIALS' view of them.
static bool make_numbers(rico_event_driven *self)
{
    double **numbers[] = {&self->y, &self->moving, &self->tolerance};
    for (int i = 0; i < 3; i++)
        if (!rico_renew(self->ctx, numbers[i], self->size, sizeof(double))) return false;
    if (self->ark) ERKStepFree(&self->ark);
    if (self->vector) N_VDestroy(self->vector);
    if (self->bound) N_VDestroy(self->bound);
    self->vector = N_VMake_Serial((sunindextype)self->size, self->moving, self->sun);
    self->bound = N_VMake_Serial((sunindextype)self->size, self->tolerance, self->sun);
    return self->vector && self->bound;
}


rico_status rico_event_resize(rico_simulation *sim)
{
    rico_event_driven *self = sim->own;
    int64_t rows = sim->assembly->set.rows, count = sim->assembly->set.count;
    int64_t size = self->nq + self->nv + RICO_EVENT_CONTACTS + 2 * count + rows;
    bool first = !self->y, whole = true;
    self->rows = rows;
    self->constraints = count;
    if (first || rows > self->row_room) {
        int64_t room = first ? rows : rows + rows / 2;
        whole = make_rows(self, room);
        self->row_room = whole ? room : -1; // unfinished arrays are made again
    }
    if (whole && (first || count > self->constraint_room)) {
        int64_t room = first ? count : count + count / 2;
        whole = make_constraints(self, room);
        self->constraint_room = whole ? room : -1;
    }
    if (whole && (first || size != self->size)) {
        self->size = size;
        whole = make_numbers(self);
        if (!whole) self->size = -1;
    }
    return whole ? RICO_OK : rico_fail(sim->ctx, RICO_NO_MEMORY, "out of memory for the integrator");
}


rico_status rico_event_create(rico_simulation *sim)
{
    rico_context *ctx = sim->ctx;
    rico_event_driven *self = rico_alloc(ctx, 1, sizeof *self);
    if (!self) return RICO_NO_MEMORY;
    sim->own = self;
    self->sim = sim;
    self->ctx = ctx;
    self->system = sim->system;
    self->assembly = sim->assembly;
    self->mass = &sim->iteration;
    self->nq = sim->nq;
    self->nv = sim->nv;
    double **velocities[] = {&self->a,     &self->load, &self->applied, &self->damping,
                             &self->right, &self->v,    &self->column};
    bool whole = rico_renew(ctx, &self->place, self->nq, sizeof(double));
    for (size_t i = 0; whole && i < sizeof velocities / sizeof *velocities; i++)
        whole = rico_renew(ctx, velocities[i], self->nv, sizeof(double));
    if (!whole) return RICO_NO_MEMORY;
    if (!rico_sundials_open(self->words, &self->sun))
        return rico_fail(ctx, RICO_NO_MEMORY, "out of memory for the integrator");
    return rico_event_resize(sim);
}


void rico_event_destroy(rico_simulation *sim)
{
    rico_event_driven *self = sim->own;
    if (!self) return;
    rico_event_decision *of = &self->decision;
    if (self->ark) ERKStepFree(&self->ark);
    if (self->vector) N_VDestroy(self->vector);
    if (self->bound) N_VDestroy(self->bound);
    if (self->sun) SUNContext_Free(&self->sun);
    void *all[] = {self->y,          self->moving,     self->tolerance,   self->state,
                   self->onset,      self->slide,      self->anchor,      self->memory,
                   self->speed,      self->span,       self->response,    self->row,
                   self->u,          self->gamma,      self->force,       self->a,
                   self->X,          self->A,          self->b,           self->work,
                   self->pivot,      self->load,       self->applied,     self->damping,
                   self->right,      self->gap,        self->p,           self->c,
                   self->before,     self->place,      self->v,           self->column,
                   self->touching,   self->old,        self->roots,       self->found,
                   self->kept_state, self->kept_slide, self->kept_anchor, of->owner,
                   of->block,        of->start,        of->index,         of->W,
                   of->free,         of->lambda,       of->acceleration,  of->shift,
                   of->kept};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(sim->ctx, all[i]);
    rico_free(sim->ctx, self);
    sim->own = NULL;
}


// The state's own numbers of rows: forces first, RICO_EVENT_FORCE.
static void name_rows(const rico_event_driven *self, double *rows[RICO_EVENT_ROW_OWN])
{
    double *all[RICO_EVENT_ROW_OWN] = {self->force, self->slide, self->anchor, self->speed, self->span};
    memcpy(rows, all, sizeof all);
}


void rico_event_take(rico_event_driven *self, const rico_state *from, bool *begun)
{
    self->t = *from->t;
    memset(self->moving, 0, (size_t)self->size * sizeof *self->moving);
    memcpy(self->moving, from->q, (size_t)self->nq * sizeof *from->q);
    memcpy(self->moving + self->nq, from->v, (size_t)self->nv * sizeof *from->v);
    *begun = from->extra[BEGUN] != 0.0;
    self->kinetic = from->extra[KINETIC];
    self->crowd = (int64_t)from->extra[CROWD];
    self->recent = from->extra[RECENT];
    self->first = from->extra[FIRST];
    self->pace = from->extra[PACE];
    double *rows[RICO_EVENT_ROW_OWN];
    name_rows(self, rows);
    for (int k = 0; k < RICO_EVENT_ROW_OWN; k++)
        memcpy(rows[k], from->row_own + k * self->rows, (size_t)self->rows * sizeof(double));
    for (int64_t c = 0; c < self->constraints; c++) {
        const double *own = from->constraint_own + c * RICO_EVENT_CONSTRAINT_OWN;
        bool joint = self->assembly->set.constraint[c]->joint;
        self->state[c] = (char)(joint ? RICO_STICKING : (rico_contact_state)own[STATE]);
        self->onset[c] = own[ONSET] != 0.0;
        memcpy(&self->memory[c], own + MEMORY, sizeof self->memory[c]);
    }
    self->shorter = self->projected = self->integrated = 0.0;
    self->failure = RICO_OK;
    self->fresh = true;
    rico_event_hold(self);
}


void rico_event_give(const rico_event_driven *self, rico_state *to)
{
    to->extra[BEGUN] = 1.0;
    to->extra[KINETIC] = self->kinetic;
    to->extra[CROWD] = (double)self->crowd;
    to->extra[RECENT] = self->recent;
    to->extra[FIRST] = self->first;
    to->extra[PACE] = self->pace;
    memcpy(to->extra + RICO_EVENT_EXTRA, self->a, (size_t)self->nv * sizeof *self->a);
    double *rows[RICO_EVENT_ROW_OWN];
    name_rows(self, rows);
    for (int k = 0; k < RICO_EVENT_ROW_OWN; k++)
        memcpy(to->row_own + k * self->rows, rows[k], (size_t)self->rows * sizeof(double));
    for (int64_t c = 0; c < self->constraints; c++) {
        double *own = to->constraint_own + c * RICO_EVENT_CONSTRAINT_OWN;
        own[KNOWN] = 1.0;
        own[STATE] = self->state[c];
        own[ONSET] = self->onset[c];
        memcpy(own + MEMORY, &self->memory[c], sizeof self->memory[c]);
        to->doing[c] = self->state[c];
    }
}


bool rico_event_known(const rico_state *state, int64_t constraint)
{
    return state->constraint_own[constraint * RICO_EVENT_CONSTRAINT_OWN + KNOWN] != 0.0;
}
