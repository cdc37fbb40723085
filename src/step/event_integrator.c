// Event-driven integration: the loop between SUNDIALS and the events, from the start of a step to its end.
//
// One internal step of ARKODE at a time. After each the state is moved back onto the constraints if it drifted, which
// costs a one-step method nothing; at a root the event is dealt with and integration starts afresh. It starts afresh with
// every step of the simulation as well, with the length that the step before found: a run that is taken up again from a
// saved state does the same to the last bit.

#include "step/event_driven.h"

#include "la/dense.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

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


rico_status rico_event_energy(rico_event_driven *self, double t, const double *y, double *energy)
{
    rico_status status = rico_assembly_mass(self->assembly, t, y);
    if (status == RICO_OK) status = rico_assembly_potential(self->assembly, t, y, energy);
    if (status == RICO_OK)
        *energy += 0.5 * rico_assembly_square(self->assembly, self->assembly->M, y + self->nq);
    return status;
}


static rico_status fail_sundials(const rico_event_driven *self, const char *call, int code)
{
    return rico_fail(self->ctx, code == ARK_MEM_FAIL ? RICO_NO_MEMORY : RICO_INTERNAL,
                     "SUNDIALS: %s returned %d at t = %.17g (%s)", call, code, self->t, self->words);
}


// A gap that starts from zero must be open at the end of the first step, or its closing would have no sign to change:
// a tenth of the time in which the present acceleration stops it. *h: shortened to that.
static void open_gaps(rico_event_driven *self, double *h)
{
    for (int64_t c = 0; c < self->constraints; c++) {
        const rico_constraint *constraint = self->assembly->set.constraint[c];
        int64_t row = constraint->row;
        if (constraint->joint || self->state[c] != RICO_OPEN) continue;
        double acceleration = rico_event_row_times(self, row, self->a) + self->gamma[row];
        bool leaves =
            self->gap[row] <= rico_event_gap_tol(self, row) && self->u[row] > rico_event_still(self, row);
        if (!leaves || !(acceleration < 0.0)) continue;
        double limit = -0.1 * self->u[row] / acceleration;
        *h = *h > 0.0 ? fmin(*h, limit) : limit;
    }
}


// The integrator at (t, moving), as if nothing had been before. Made anew each time: ARKODE 5.4 remembers the last root
// across ERKStepReInit(), and then takes a gap that starts from zero for a second root at the same place.
static rico_status restart(rico_event_driven *self, double t)
{
    int code = 0, roots_count = (int)(2 * self->constraints);
    double h = self->first, most = rico_event_option(self, RICO_EVENT_MAX_STEP);
    rico_status status = rico_event_accelerations(self, t, self->moving, self->moving + self->nq);
    if (status == RICO_OK) status = rico_assembly_gaps(self->assembly, t, self->moving, self->gap);
    if (status != RICO_OK) return status;
    open_gaps(self, &h);
    if (self->shorter > 0.0 && (h == 0.0 || h > self->shorter)) h = self->shorter;
    if (most > 0.0 && h > most) h = most;
    self->first = 0.0;
    rico_event_set_tolerances(self, self->sim->h);

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
    if ((code = ERKStepSVtolerances(self->ark, rico_event_option(self, RICO_EVENT_RTOL), self->bound)) != 0 ||
        (code = ERKStepSetMaxStep(self->ark, most)) != 0 || (code = ERKStepSetInitStep(self->ark, h)) != 0)
        return fail_sundials(self, "setting tolerances", code);
    return RICO_OK;
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


// What was reached is good: kept.
static rico_status keep(rico_event_driven *self, double t)
{
    self->t = t;
    memcpy(self->y, self->moving, (size_t)self->size * sizeof *self->y);
    memcpy(self->kept_state, self->state, (size_t)self->constraints);
    memcpy(self->kept_slide, self->slide, (size_t)self->rows * sizeof *self->slide);
    memcpy(self->kept_anchor, self->anchor, (size_t)self->rows * sizeof *self->anchor);
    return rico_event_energy(self, t, self->moving, &self->energy);
}


// Back to what was kept.
static void roll_back(rico_event_driven *self)
{
    memcpy(self->moving, self->y, (size_t)self->size * sizeof *self->y);
    memcpy(self->state, self->kept_state, (size_t)self->constraints);
    memcpy(self->slide, self->kept_slide, (size_t)self->rows * sizeof *self->slide);
    memcpy(self->anchor, self->kept_anchor, (size_t)self->rows * sizeof *self->anchor);
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


// One step of the integrator, its roots found; how much energy its error brought.
static rico_status evolve(rico_event_driven *self, double t_end, double *t, bool *root, double *error)
{
    double energy = 0.0, pace = 0.0;
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
    self->sim->stats.internal_steps++;
    *root = code == ARK_ROOT_RETURN;
    if (*root) ERKStepGetRootInfo(self->ark, self->found);
    ERKStepGetCurrentStep(self->ark, &pace);
    if (pace > 0.0) self->pace = fmin(pace, 2.0 * self->pace);

    rico_status status = rico_event_energy(self, *t, self->moving, &energy);
    if (status == RICO_OK) rico_event_note_speed(self, self->moving + self->nq);
    const double *before = rico_event_works(self, self->y), *after = rico_event_works(self, self->moving);
    *error = energy - self->energy;
    for (int64_t i = 0; i < RICO_EVENT_CONTACTS + 2 * self->constraints; i++) *error -= after[i] - before[i];
    return status;
}


rico_status rico_event_settle(rico_event_driven *self, double t)
{
    rico_status status = RICO_OK;
    do status = rico_event_handle(self, t, self->moving);
    while (status == RICO_OK && rico_event_again(self));
    if (status == RICO_OK) rico_event_look(self, t, self->moving, RICO_MOMENT_AFTER);
    return status;
}


static rico_status too_dense(const rico_event_driven *self, int64_t lost, double t)
{
    return rico_fail(self->ctx, RICO_UNSUPPORTED,
                     "events come too densely at t = %.17g: the gap of contact %s closes again within "
                     "%.3g of the last one",
                     self->t, self->assembly->set.constraint[lost]->name, t - self->t);
}


// One internal step, or up to the next event, which is dealt with.
static rico_status advance(rico_event_driven *self, double t_end)
{
    double t = self->t, error = 0.0, projected = self->projected;
    bool moved = false, root = false, late = false;
    for (;;) {
        rico_status status = evolve(self, t_end, &t, &root, &error);
        if (status == RICO_OK) status = rico_event_project(self, t, self->moving, false, &moved);
        if (status == RICO_OK && !root) status = rico_event_overdue(self, t, self->moving, &late);
        if (status != RICO_OK) return status;
        int64_t lost = late ? lost_root(self) : -1;
        if (lost < 0) break;
        // again with a step so short that the gap is still open at its end
        self->shorter = 0.1 * (t - self->t);
        if (self->shorter <= 16.0 * DBL_EPSILON * fmax(self->sim->h, fabs(t)))
            return too_dense(self, lost, t);
        roll_back(self);
        self->projected = projected;
        late = false;
    }
    self->shorter = 0.0;
    self->integrated += error;
    self->sim->stats.drift = fmax(self->sim->stats.drift, self->drift);
    self->fresh = root || late;
    if (self->fresh) {
        rico_status status = rico_event_settle(self, t);
        if (status != RICO_OK) return status;
    } else {
        rico_event_turn(self);
    }
    if (!self->fresh && moved) {
        int code = ERKStepReset(self->ark, t, self->vector);
        if (code != 0) return fail_sundials(self, "ERKStepReset", code);
    }
    return keep(self, t);
}


rico_status rico_event_integrate(rico_event_driven *self, double t_end, bool due)
{
    rico_status status = due ? rico_event_settle(self, self->t) : RICO_OK;
    if (status == RICO_OK) status = keep(self, self->t);
    if (status == RICO_OK) rico_event_look(self, self->t, self->moving, RICO_MOMENT_START);
    while (status == RICO_OK && self->t < t_end) {
        if (rico_context_interrupted(self->ctx))
            return rico_fail(self->ctx, RICO_INTERRUPTED, "interrupted at t = %.17g", self->t);
        status = advance(self, t_end);
    }
    if (status != RICO_OK) return status;
    if (!self->fresh) ERKStepGetCurrentStep(self->ark, &self->first);
    return rico_event_accelerations(self, self->t, self->moving, self->moving + self->nq);
}
