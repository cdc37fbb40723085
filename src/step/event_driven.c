// Event-driven integration: its life, and the loop between SUNDIALS and the events.
//
// One internal step of ARKODE at a time. After each the state is moved back onto the constraints if it drifted, which
// costs a one-step method nothing; at a root the event is dealt with and integration starts afresh.

#include "step/event_driven.h"

#include "base/option.h"
#include "la/dense.h"
#include "step/simulation.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const LAWS[] = {"newton", "fremond", NULL};

static const rico_option_info OPTIONS[RICO_EVENT_OPTIONS] = {
    [RICO_EVENT_RTOL] = {.name = "rtol",
                         .help = "relative local error of the integration",
                         .type = RICO_REAL,
                         .low = 1e-13,
                         .high = 1e-2,
                         .standard = 1e-10},
    [RICO_EVENT_ATOL] = {.name = "atol",
                         .help = "absolute local error, the same for positions, velocities and works",
                         .type = RICO_REAL,
                         .low = 1e-16,
                         .high = 1.0,
                         .standard = 1e-12},
    [RICO_EVENT_LAW] = {.name = "law", .help = "law of impacts", .type = RICO_CHOICE, .choices = LAWS},
    [RICO_EVENT_GAP_TOL] = {.name = "gap-tol",
                            .help = "gap below which a contact that does not separate is closed",
                            .type = RICO_REAL,
                            .low = 0.0,
                            .high = 1.0,
                            .standard = 1e-8},
    [RICO_EVENT_DRIFT] = {.name = "drift",
                          .help = "gap or velocity that a closed contact or a joint may have after a step",
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
                                 .help = "time, relative to max(1, t), within which 40 events are too many",
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
};


const rico_option_info *rico_event_driven_options(int *count)
{
    if (count) *count = RICO_EVENT_OPTIONS;
    return OPTIONS;
}


const char *rico_event_kind_name(rico_event_kind kind)
{
    static const char *const NAMES[] = {"impact", "touch", "lift-off", "slip", "stick", "reverse"};
    return kind < RICO_EVENT_KINDS ? NAMES[kind] : "unknown";
}


static int derivative(double t, N_Vector y, N_Vector out, void *user)
{
    rico_event_driven *self = user;
    self->failure = rico_event_derivative(self, t, N_VGetArrayPointer(y), N_VGetArrayPointer(out));
    return self->failure == RICO_OK ? 0 : -1;
}


static int roots(double t, N_Vector y, double *out, void *user)
{
    rico_event_driven *self = user;
    self->failure = rico_event_roots(self, t, N_VGetArrayPointer(y), out);
    return self->failure == RICO_OK ? 0 : -1;
}


static rico_status allocate(rico_event_driven *self)
{
    rico_context *ctx = self->ctx;
    int64_t nq = self->nq, nv = self->nv, rows = self->rows, n = self->constraints;
    struct {
        double **array;
        int64_t count;
    } reals[] = {{&self->y, self->size},
                 {&self->moving, self->size},
                 {&self->slide, rows},
                 {&self->kept_slide, rows},
                 {&self->anchor, rows},
                 {&self->kept_anchor, rows},
                 {&self->u, rows},
                 {&self->gamma, rows},
                 {&self->force, rows},
                 {&self->a, nv},
                 {&self->X, nv * rows},
                 {&self->A, rows * rows},
                 {&self->b, rows},
                 {&self->work, rico_dense_minimum_norm_work(rows)},
                 {&self->load, nv},
                 {&self->applied, nv},
                 {&self->damping, nv},
                 {&self->right, nv},
                 {&self->gap, rows},
                 {&self->p, rows},
                 {&self->c, rows},
                 {&self->before, rows},
                 {&self->place, nq},
                 {&self->v, nv},
                 {&self->column, nv},
                 {&self->roots, 2 * n},
                 {&self->decision.W, rows * rows},
                 {&self->decision.free, 5 * rows}};
    rico_event_decision *of = &self->decision;
    bool whole = true;
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
        whole &= (*reals[i].array = rico_alloc(ctx, reals[i].count, sizeof(double))) != NULL;
    whole &= (self->state = rico_alloc(ctx, n, 1)) != NULL;
    whole &= (self->kept_state = rico_alloc(ctx, n, 1)) != NULL;
    whole &= (self->touching = rico_alloc(ctx, n, 1)) != NULL;
    whole &= (self->old = rico_alloc(ctx, n, 1)) != NULL;
    whole &= (self->onset = rico_alloc(ctx, n, 1)) != NULL;
    whole &= (self->memory = rico_alloc(ctx, n, sizeof *self->memory)) != NULL;
    whole &= (self->row = rico_alloc(ctx, rows, sizeof *self->row)) != NULL;
    whole &= (self->pivot = rico_alloc(ctx, rows, sizeof *self->pivot)) != NULL;
    whole &= (self->found = rico_alloc(ctx, 2 * n, sizeof *self->found)) != NULL;
    whole &= (of->owner = rico_alloc(ctx, n, sizeof *of->owner)) != NULL;
    whole &= (of->block = rico_alloc(ctx, n, sizeof *of->block)) != NULL;
    whole &= (of->start = rico_alloc(ctx, rows + 1, sizeof *of->start)) != NULL;
    whole &= (of->index = rico_alloc(ctx, rows * rows, sizeof *of->index)) != NULL;
    if (!whole) return RICO_NO_MEMORY;
    of->lambda = of->free + rows;
    of->acceleration = of->lambda + rows;
    of->shift = of->acceleration + rows;
    of->kept = of->shift + rows;
    return RICO_OK;
}


rico_status rico_event_driven_create(rico_system *system, rico_event_driven **out)
{
    rico_context *ctx = system->ctx;
    rico_status status = rico_system_complete(system);
    if (status == RICO_OK && system->source_count > 0)
        status = rico_fail(
            ctx, RICO_UNSUPPORTED,
            "event-driven integration wants contacts that are always there, and source %s emits them",
            system->source[0].name);
    if (status != RICO_OK) return status;
    rico_event_driven *self = rico_alloc(ctx, 1, sizeof *self);
    if (!self) return RICO_NO_MEMORY;
    self->ctx = ctx;
    self->system = system;
    self->nq = system->nq;
    self->nv = system->nv;
    self->rows = system->rows;
    self->constraints = system->constraint_count;
    self->size = self->nq + self->nv + 2 + 2 * self->constraints + self->rows;
    for (int i = 0; i < RICO_EVENT_OPTIONS; i++) self->option[i] = OPTIONS[i].standard;
    status = allocate(self);
    if (status == RICO_OK) status = rico_assembly_create(ctx, system, &self->assembly);
    if (status == RICO_OK) status = rico_iteration_create(self->assembly, &self->mass);
    if (status == RICO_OK) status = rico_contacts_create(self->assembly, &self->contacts);
    if (status == RICO_OK &&
        (!rico_sundials_open(self->words, &self->sun) ||
         !(self->vector = N_VMake_Serial((sunindextype)self->size, self->moving, self->sun))))
        status = rico_fail(ctx, RICO_NO_MEMORY, "out of memory for the integrator");
    if (status != RICO_OK) {
        rico_event_driven_destroy(self);
        return status;
    }
    *out = self;
    return RICO_OK;
}


void rico_event_driven_destroy(rico_event_driven *self)
{
    if (!self) return;
    rico_context *ctx = self->ctx;
    if (self->ark) ERKStepFree(&self->ark);
    if (self->vector) N_VDestroy(self->vector);
    if (self->sun) SUNContext_Free(&self->sun);
    rico_iteration_destroy(&self->mass);
    rico_contacts_destroy(&self->contacts);
    rico_impacts_destroy(self->impacts);
    rico_assembly_destroy(self->assembly);
    void *all[] = {self->y,
                   self->moving,
                   self->slide,
                   self->kept_slide,
                   self->u,
                   self->gamma,
                   self->force,
                   self->a,
                   self->X,
                   self->A,
                   self->b,
                   self->work,
                   self->load,
                   self->right,
                   self->applied,
                   self->damping,
                   self->gap,
                   self->p,
                   self->c,
                   self->before,
                   self->place,
                   self->v,
                   self->column,
                   self->roots,
                   self->state,
                   self->old,
                   self->memory,
                   self->kept_state,
                   self->touching,
                   self->queue,
                   self->onset,
                   self->row,
                   self->pivot,
                   self->found,
                   self->anchor,
                   self->kept_anchor,
                   self->decision.owner,
                   self->decision.block,
                   self->decision.start,
                   self->decision.index,
                   self->decision.W,
                   self->decision.free};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(ctx, all[i]);
    rico_free(ctx, self);
}


static const rico_option_info *option_of(const rico_event_driven *self, const char *name, int *index)
{
    *index = rico_option_find(OPTIONS, RICO_EVENT_OPTIONS, name);
    if (*index >= 0) return &OPTIONS[*index];
    rico_fail(self->ctx, RICO_BAD_ARGUMENT, "event-driven integration has no option \"%s\"", name);
    return NULL;
}


rico_status rico_event_driven_set(rico_event_driven *self, const char *name, const char *value)
{
    int index;
    const rico_option_info *option = option_of(self, name, &index);
    if (!option) return RICO_BAD_ARGUMENT;
    return rico_option_parse(self->ctx, option, value, &self->option[index]);
}


rico_status rico_event_driven_set_number(rico_event_driven *self, const char *name, double value)
{
    int index;
    const rico_option_info *option = option_of(self, name, &index);
    if (!option) return RICO_BAD_ARGUMENT;
    rico_status status = rico_option_check(self->ctx, option, value);
    if (status == RICO_OK) self->option[index] = value;
    return status;
}


rico_status rico_event_driven_set_impact(rico_event_driven *self, const char *name, rico_impact_law **law)
{
    rico_impacts *made = NULL;
    rico_status status = name ? rico_impacts_create(self->assembly, name, &made) : RICO_OK;
    if (status != RICO_OK) return status;
    rico_impacts_destroy(self->impacts);
    self->impacts = made;
    if (law) *law = made ? made->law : NULL;
    return RICO_OK;
}


static rico_status energies(rico_event_driven *self, const double *y, double *kinetic, double *potential)
{
    rico_status status = rico_assembly_mass(self->assembly, self->t, y);
    if (status == RICO_OK) status = rico_assembly_potential(self->assembly, self->t, y, potential);
    if (status == RICO_OK)
        *kinetic = 0.5 * rico_assembly_square(self->assembly, self->assembly->M, y + self->nq);
    return status;
}


static rico_status fail_sundials(const rico_event_driven *self, const char *call, int code)
{
    return rico_fail(self->ctx, code == ARK_MEM_FAIL ? RICO_NO_MEMORY : RICO_INTERNAL,
                     "SUNDIALS: %s returned %d at t = %.17g (%s)", call, code, self->t, self->words);
}


// A gap that starts from zero must be open at the end of the first step, or its closing would have no sign to change:
// a tenth of the time in which the present acceleration stops it. 0 where no contact asks for that.
static rico_status first_step(rico_event_driven *self, double t, double *h)
{
    *h = 0.0;
    if (self->rows == 0) return RICO_OK;
    rico_status status = rico_event_accelerations(self, t, self->moving, self->moving + self->nq);
    if (status == RICO_OK) status = rico_assembly_gaps(self->assembly, t, self->moving, self->gap);
    if (status != RICO_OK) return status;
    for (int64_t c = 0; c < self->constraints; c++) {
        int64_t row = self->assembly->set.constraint[c]->row;
        if (self->assembly->set.constraint[c]->joint || self->state[c] != RICO_OPEN) continue;
        double acceleration = rico_event_row_times(self, row, self->a) + self->gamma[row];
        bool leaves = self->gap[row] <= self->option[RICO_EVENT_GAP_TOL] && self->u[row] > 1e-9 * self->speed;
        if (!leaves || !(acceleration < 0.0)) continue;
        double limit = -0.1 * self->u[row] / acceleration;
        *h = *h > 0.0 ? fmin(*h, limit) : limit;
    }
    return RICO_OK;
}


// The integrator at (t, moving), as if nothing had been before. Made anew each time: ARKODE 5.4 remembers the last root
// across ERKStepReInit(), and then takes a gap that starts from zero for a second root at the same place.
static rico_status restart(rico_event_driven *self, double t)
{
    int code = 0, roots_count = (int)(2 * self->constraints);
    double h, most = self->option[RICO_EVENT_MAX_STEP];
    rico_status status = first_step(self, t, &h);
    if (status != RICO_OK) return status;
    if (self->shorter > 0.0 && (h == 0.0 || h > self->shorter)) h = self->shorter;
    if (most > 0.0 && h > most) h = most;
    memset(self->moving + self->size - self->rows, 0, (size_t)self->rows * sizeof *self->moving);

    if (self->ark) ERKStepFree(&self->ark);
    self->ark = ERKStepCreate(derivative, t, self->vector, self->sun);
    if (!self->ark) return fail_sundials(self, "ERKStepCreate", ARK_MEM_FAIL);
    for (int i = 0; i < roots_count; i++) self->found[i] = -1; // decreasing
    // the 5(4) pair of Dormand and Prince: its interpolant locates roots as well as its steps integrate
    if ((code = rico_sundials_listen(self->ark, self->words)) != 0 ||
        (code = ERKStepSetUserData(self->ark, self)) != 0 ||
        (code = ERKStepSetTableNum(self->ark, ARKODE_DORMAND_PRINCE_7_4_5)) != 0 ||
        (code = ERKStepSetInterpolantDegree(self->ark, 5)) != 0)
        return fail_sundials(self, "setting up", code);
    if (roots_count > 0 && ((code = ERKStepRootInit(self->ark, roots_count, roots)) != 0 ||
                            (code = ERKStepSetRootDirection(self->ark, self->found)) != 0 ||
                            (code = ERKStepSetNoInactiveRootWarn(self->ark)) != 0))
        return fail_sundials(self, "ERKStepRootInit", code);
    if ((code = ERKStepSStolerances(self->ark, self->option[RICO_EVENT_RTOL],
                                    self->option[RICO_EVENT_ATOL])) != 0 ||
        (code = ERKStepSetMaxStep(self->ark, most)) != 0 || (code = ERKStepSetInitStep(self->ark, h)) != 0)
        return fail_sundials(self, "setting tolerances", code);
    return RICO_OK;
}


// What was reached is good: kept, with the ledger as it stands there.
static rico_status commit(rico_event_driven *self, double t)
{
    rico_ledger *ledger = &self->ledger;
    double kinetic, potential;
    rico_status status = energies(self, self->moving, &kinetic, &potential);
    if (status != RICO_OK) return status;
    self->t = t;
    memcpy(self->y, self->moving, (size_t)self->size * sizeof *self->y);
    memcpy(self->kept_state, self->state, (size_t)self->constraints);
    memcpy(self->kept_slide, self->slide, (size_t)self->rows * sizeof *self->slide);
    memcpy(self->kept_anchor, self->anchor, (size_t)self->rows * sizeof *self->anchor);

    const double *work = self->y + self->nq + self->nv;
    ledger->kinetic = kinetic;
    ledger->potential = potential;
    ledger->external = work[0];
    ledger->damping = work[1];
    ledger->normal = ledger->tangential = ledger->joint = 0.0;
    for (int64_t c = 0; c < self->constraints; c++) {
        double *normal = self->assembly->set.constraint[c]->joint ? &ledger->joint : &ledger->normal;
        *normal += work[2 + 2 * c];
        ledger->tangential += work[3 + 2 * c];
    }
    ledger->projection = self->projected;
    ledger->residual = kinetic + potential - self->energy -
                       (ledger->external + ledger->damping + ledger->normal + ledger->tangential +
                        ledger->joint + ledger->projection);
    return RICO_OK;
}


// Projection with its work booked.
static rico_status project(rico_event_driven *self, double t, bool strict, bool *moved)
{
    double before[2], after[2];
    rico_status status = energies(self, self->moving, &before[0], &before[1]);
    if (status == RICO_OK) status = rico_event_project(self, t, self->moving, strict, moved);
    if (status != RICO_OK || !*moved) return status;
    status = energies(self, self->moving, &after[0], &after[1]);
    self->projected += after[0] + after[1] - before[0] - before[1];
    self->stats.projections++;
    return status;
}


// The event at t with its energies booked: what it changed beyond the works of its impulses was projection.
static rico_status settle(rico_event_driven *self, double t)
{
    const double *works = self->moving + self->nq + self->nv + 2;
    double before[2] = {0.0, 0.0}, after[2] = {0.0, 0.0}, work = 0.0;
    rico_status status = energies(self, self->moving, &before[0], &before[1]);
    for (int64_t i = 0; i < 2 * self->constraints; i++) work -= works[i];
    if (status == RICO_OK) status = rico_event_handle(self, t, self->moving);
    if (status == RICO_OK) status = energies(self, self->moving, &after[0], &after[1]);
    for (int64_t i = 0; i < 2 * self->constraints; i++) work += works[i];
    self->projected += after[0] + after[1] - before[0] - before[1] - work;
    return status;
}


rico_status rico_event_driven_start(rico_event_driven *self, double t, const double *q, const double *v)
{
    if (!isfinite(t) || !rico_all_finite(self->nq, q) || !rico_all_finite(self->nv, v))
        return rico_fail(self->ctx, RICO_BAD_INPUT, "the initial state holds a number that is not finite");
    self->started = false;
    self->t = t;
    self->failure = RICO_OK;
    self->mass.valid = false;
    memset(&self->stats, 0, sizeof self->stats);
    memset(&self->ledger, 0, sizeof self->ledger);
    memset(self->moving, 0, (size_t)self->size * sizeof *self->moving);
    memset(self->slide, 0, (size_t)self->rows * sizeof *self->slide);
    memset(self->anchor, 0, (size_t)self->rows * sizeof *self->anchor);
    memset(self->force, 0, (size_t)self->rows * sizeof *self->force);
    memset(self->found, 0, 2 * (size_t)self->constraints * sizeof *self->found);
    memcpy(self->moving, q, (size_t)self->nq * sizeof *q);
    memcpy(self->moving + self->nq, v, (size_t)self->nv * sizeof *v);
    self->projected = self->speed = self->shorter = 0.0;
    self->queued = 0;
    self->crowd = 0;
    self->recent = -INFINITY;
    for (int64_t c = 0; c < self->constraints; c++) {
        self->memory[c] = (rico_impact_memory){.last = -INFINITY, .interval = INFINITY, .longest = INFINITY};
        self->state[c] = self->assembly->set.constraint[c]->joint ? RICO_STICKING : RICO_OPEN;
    }
    rico_event_hold(self);
    rico_status status = rico_assembly_mass(self->assembly, t, q);
    if (status == RICO_OK) status = rico_assembly_gaps(self->assembly, t, q, self->gap);
    if (status == RICO_OK) status = rico_event_kinematics(self, t, q, v, false);
    if (status != RICO_OK) return status;
    double tol = self->option[RICO_EVENT_GAP_TOL];
    for (int64_t c = 0; c < self->constraints; c++) {
        const rico_constraint *constraint = self->assembly->set.constraint[c];
        for (int64_t i = 0; i < (constraint->joint ? constraint->size : 1); i++) {
            double gap = self->gap[constraint->row + i];
            if (constraint->joint ? fabs(gap) > 1e3 * tol : gap < -tol)
                return rico_fail(self->ctx, RICO_BAD_INPUT, "%s %s starts with %s %g, beyond gap-tol = %g",
                                 constraint->joint ? "joint" : "contact", constraint->name,
                                 constraint->joint ? "the value" : "a gap of", gap, tol);
        }
    }
    for (int64_t i = 0; i < self->rows; i++) self->speed = fmax(self->speed, fabs(self->u[i]));

    double kinetic = 0.0, potential = 0.0;
    bool moved;
    status = energies(self, self->moving, &kinetic, &potential);
    self->energy = kinetic + potential;
    if (status == RICO_OK) status = project(self, t, true, &moved);
    if (status == RICO_OK) status = settle(self, t);
    self->stats.events -= self->queued; // what holds from the start is no event
    self->stats.impacts = 0;
    if (status == RICO_OK) status = commit(self, t);
    self->fresh = true;
    self->started = status == RICO_OK;
    return status;
}


// What SUNDIALS gave up on, in our words.
static rico_status fail_step(rico_event_driven *self, int code)
{
    if (self->failure != RICO_OK) {
        char place[64];
        snprintf(place, sizeof place, "event-driven run after t = %.17g", self->t);
        return rico_fail_in(self->ctx, self->failure, place);
    }
    double h = 0.0;
    ERKStepGetCurrentStep(self->ark, &h);
    if (code == ARK_ERR_FAILURE || code == ARK_TOO_MUCH_ACC || code == ARK_CONV_FAILURE)
        return rico_fail(
            self->ctx, RICO_UNSUPPORTED,
            "the smooth motion cannot be followed to the tolerance after t = %.17g: the step fell to "
            "%.3g (a force that is not smooth, or one that grows without bound)",
            self->t, h);
    return fail_sundials(self, "ERKStepEvolve", code);
}


// Back to the last good state; the next run starts the integrator afresh.
static void roll_back(rico_event_driven *self)
{
    memcpy(self->moving, self->y, (size_t)self->size * sizeof *self->y);
    memcpy(self->state, self->kept_state, (size_t)self->constraints);
    memcpy(self->slide, self->kept_slide, (size_t)self->rows * sizeof *self->slide);
    memcpy(self->anchor, self->kept_anchor, (size_t)self->rows * sizeof *self->anchor);
    self->projected = self->ledger.projection;
    rico_event_hold(self);
    self->fresh = true;
}


// A contact whose gap is below zero at the end of a step without a root on the way: it opened and closed within the
// step. -1 for none.
static int64_t lost_root(const rico_event_driven *self)
{
    for (int64_t c = 0; c < self->constraints; c++)
        if (self->state[c] == RICO_OPEN && self->found[2 * c]) return c;
    return -1;
}


// One step of the integrator, its roots found.
static rico_status integrate(rico_event_driven *self, double t_end, double *t, bool *root)
{
    self->failure = RICO_OK;
    self->words[0] = '\0';
    if (self->fresh) {
        rico_status status = restart(self, self->t);
        if (status != RICO_OK) return status;
        self->fresh = false;
    }
    int code = ERKStepSetStopTime(self->ark, t_end);
    if (code == 0) code = ERKStepEvolve(self->ark, t_end, self->vector, t, ARK_ONE_STEP);
    if (code < 0) return fail_step(self, code);
    self->stats.steps++;
    *root = code == ARK_ROOT_RETURN;
    if (*root) ERKStepGetRootInfo(self->ark, self->found);
    return RICO_OK;
}


static rico_status advance(rico_event_driven *self, double t_end)
{
    double t = self->t;
    bool moved = false, root = false, late = false;
    self->queued = 0;
    for (;;) {
        rico_status status = integrate(self, t_end, &t, &root);
        if (status == RICO_OK) status = project(self, t, false, &moved);
        if (status == RICO_OK && !root) status = rico_event_overdue(self, t, self->moving, &late);
        if (status != RICO_OK) return status;
        int64_t lost = late ? lost_root(self) : -1;
        if (lost < 0) break;
        // again with a step so short that the gap is still open at its end
        self->shorter = 0.1 * (t - self->t);
        if (self->shorter <= 16.0 * DBL_EPSILON * fmax(1.0, fabs(t)))
            return rico_fail(
                self->ctx, RICO_UNSUPPORTED,
                "events come too densely at t = %.17g: the gap of contact %s closes again within "
                "%.3g of the last one",
                self->t, self->assembly->set.constraint[lost]->name, t - self->t);
        roll_back(self);
        late = false;
    }
    self->shorter = 0.0;
    self->stats.drift = fmax(self->stats.drift, self->drift);
    self->fresh = root || late;
    if (self->fresh) {
        rico_status status = RICO_OK;
        do status = settle(self, t);
        while (status == RICO_OK && rico_event_again(self));
        if (status != RICO_OK) return status;
    } else {
        rico_event_turn(self);
    }
    if (!self->fresh && moved) {
        int code = ERKStepReset(self->ark, t, self->vector);
        if (code != 0) return fail_sundials(self, "ERKStepReset", code);
    }
    return commit(self, t);
}


rico_status rico_event_driven_run(rico_event_driven *self, double t_end, rico_event_function on_event,
                                  void *user)
{
    if (!self->started)
        return rico_fail(self->ctx, RICO_BAD_ARGUMENT, "an event-driven run must be started before it runs");
    if (!(t_end >= self->t) || !isfinite(t_end))
        return rico_fail(self->ctx, RICO_BAD_ARGUMENT, "a run from t = %.17g cannot end at %g", self->t,
                         t_end);
    bool go = true;
    rico_status status = RICO_OK;
    while (status == RICO_OK && go && self->t < t_end) {
        if (rico_context_interrupted(self->ctx))
            return rico_fail(self->ctx, RICO_INTERRUPTED, "interrupted at t = %.17g", self->t);
        status = advance(self, t_end);
        for (int64_t k = 0; status == RICO_OK && on_event && go && k < self->queued; k++)
            go = on_event(user, &self->queue[k]);
    }
    if (status != RICO_OK) {
        roll_back(self);
        self->shorter = 0.0;
        return status;
    }
    return rico_event_accelerations(self, self->t, self->y, self->y + self->nq);
}


double rico_event_driven_time(const rico_event_driven *self)
{
    return self->t;
}


const double *rico_event_driven_position(const rico_event_driven *self)
{
    return self->y;
}


const double *rico_event_driven_velocity(const rico_event_driven *self)
{
    return self->y + self->nq;
}


const double *rico_event_driven_force(const rico_event_driven *self)
{
    return self->force;
}


rico_contact_state rico_event_driven_state(const rico_event_driven *self, int64_t contact)
{
    return (rico_contact_state)self->state[contact];
}


const rico_ledger *rico_event_driven_ledger(const rico_event_driven *self)
{
    return &self->ledger;
}


const rico_event_stats *rico_event_driven_statistics(const rico_event_driven *self)
{
    return &self->stats;
}
