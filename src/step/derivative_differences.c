// The derivative of a step by differences of the step itself: for schemes and systems that have no equations in derivative.h.
//
// Central differences of fourth order. Their stride is shortened until all steps of the stencil have the contacts of the step itself pressing,
// sticking and sliding; where none is short enough, the side is taken that has, and the column is reported as one-sided.

#include "la/dense.h"
#include "step/derivative.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TRIES = 6, TRIES_FOR_CURVATURE = 3 };
static const double STRIDE = 3e-4, SHORTER = 0.2;
// Second and fourth order that are farther apart tell of a stride too long for both: the fourth is good to about the square of it.
static const double CURVED = 3e-5;
static const double OFFSET[] = {-2.0, -1.0, 1.0, 2.0};
static const double CENTRAL[] = {1.0 / 12.0, -2.0 / 3.0, 2.0 / 3.0, -1.0 / 12.0};

// A contact that presses: who it is and what it does.
struct rico_pressing {
    int64_t source;
    uint64_t key;
    int64_t doing;
};
typedef struct rico_pressing pressing;

// What is put aside while steps are tried.
typedef struct aside {
    rico_event_list events;
    double ledger;
} aside;


static int64_t list_pressing(const rico_simulation *sim, pressing *list)
{
    int64_t count = 0;
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *contact = rico_step_constraint(sim, c);
        if (contact->joint || !(sim->now.p[contact->row] > 0.0)) continue;
        uint64_t key = contact->source < 0 ? (uint64_t)c : rico_constraint_describe(contact).key;
        list[count++] = (pressing){contact->source, key, (int64_t)sim->now.doing[c]};
    }
    return count;
}


// Whether the same contacts press in a step that was tried, doing the same.
static bool same_contacts(const rico_derivatives *self, const rico_simulation *sim)
{
    int64_t count = 0;
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *contact = rico_step_constraint(sim, c);
        if (contact->joint || !(sim->now.p[contact->row] > 0.0)) continue;
        uint64_t key = contact->source < 0 ? (uint64_t)c : rico_constraint_describe(contact).key;
        if (count >= self->seen_count) return false;
        const pressing *seen = &self->seen[count++];
        if (seen->source != contact->source || seen->key != key || seen->doing != (int64_t)sim->now.doing[c])
            return false;
    }
    return count == self->seen_count;
}


static rico_status copy_snapshot(rico_context *ctx, const rico_snapshot *from, rico_snapshot *to)
{
    if (from->room > to->room) {
        rico_free(ctx, to->bytes);
        to->bytes = rico_alloc(ctx, from->room, 1);
        to->room = to->bytes ? from->room : 0;
        if (!to->bytes) return RICO_NO_MEMORY;
    }
    memcpy(to->bytes, from->bytes, (size_t)from->room);
    return RICO_OK;
}


// Modes as the state after the step tells them.
static rico_status report_modes(rico_derivatives *self)
{
    static const rico_contact_mode MODES[] = {[RICO_OPEN] = RICO_MODE_OPEN,
                                              [RICO_STICKING] = RICO_MODE_STICKING,
                                              [RICO_SLIDING] = RICO_MODE_SLIDING};
    const rico_simulation *sim = self->sim;
    if (sim->constraints > self->seen_room || !self->seen) {
        if (!rico_renew(self->ctx, &self->seen, sim->constraints + 1, sizeof *self->seen) ||
            !rico_renew(self->ctx, &self->mode, sim->constraints + 1, 1))
            return RICO_NO_MEMORY;
        self->seen_room = sim->constraints + 1;
        self->constraint_room = 0; // equations make theirs anew
    }
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *contact = rico_step_constraint(sim, c);
        bool presses = sim->now.p[contact->row] > 0.0;
        self->mode[c] = (char)(contact->joint            ? RICO_MODE_HOLDING
                               : presses                 ? MODES[(int)sim->now.doing[c]]
                               : sim->now.active[c] != 0 ? RICO_MODE_OPEN
                                                         : RICO_MODE_INACTIVE);
    }
    self->seen_count = list_pressing(sim, self->seen);
    self->doubts = 0;
    return RICO_OK;
}


static rico_status put_aside(rico_derivatives *self, aside *out)
{
    rico_simulation *sim = self->sim;
    *out = (aside){sim->events, sim->option[RICO_STEP_LEDGER]};
    rico_status status = copy_snapshot(self->ctx, sim->before, &self->before);
    if (status == RICO_OK) status = rico_step_remember(sim, &self->after_step);
    if (status != RICO_OK) return status;
    sim->events = (rico_event_list){0};
    sim->option[RICO_STEP_LEDGER] = 0.0;
    sim->watched = false;
    // what was pointed at in the simulation's own copy is written over by steps
    self->q = rico_snapshot_position(&self->before);
    self->v = self->q + sim->nq;
    self->m = self->v + sim->nv + sim->scheme->memory_at;
    return RICO_OK;
}


static rico_status take_back(rico_derivatives *self, const aside *kept)
{
    rico_simulation *sim = self->sim;
    rico_free(sim->ctx, sim->events.event);
    sim->events = kept->events;
    sim->option[RICO_STEP_LEDGER] = kept->ledger;
    sim->watched = true;
    rico_status status = rico_step_restore(sim, &self->after_step);
    if (status == RICO_OK) status = copy_snapshot(self->ctx, &self->before, sim->before);
    return status;
}


// q', v' and what is remembered, one after the other.
static void take_state(const rico_derivatives *self, const rico_simulation *sim, double *out)
{
    memcpy(out, sim->now.q, (size_t)sim->nq * sizeof *out);
    memcpy(out + sim->nq, sim->now.v, (size_t)sim->nv * sizeof *out);
    memcpy(out + sim->nq + sim->nv, sim->now.extra + sim->scheme->memory_at,
           (size_t)(self->memory * self->n) * sizeof *out);
}


static int64_t width(const rico_derivatives *self)
{
    return self->sim->nq + self->size - self->n;
}


// The state before moved by s along a direction.
static rico_status perturb(rico_derivatives *self, const double *direction, double s)
{
    rico_simulation *sim = self->sim;
    int64_t n = self->n;
    rico_status status = rico_step_restore(sim, &self->before);
    if (status != RICO_OK) return status;
    rico_axpy(n, s, direction + n, sim->now.v);
    rico_axpy(self->memory * n, s, direction + 2 * n, sim->now.extra + sim->scheme->memory_at);
    return rico_assembly_retract(sim->assembly, self->t, self->q, s, direction, sim->now.q);
}


// d(positions)/d(increments) at q, by differences of the retraction, and the Cholesky factor of its square.
static rico_status make_chart(rico_derivatives *self, const double *q)
{
    rico_simulation *sim = self->sim;
    int64_t n = self->n, nq = sim->nq;
    double *along = self->values[0], *moved = self->place;
    if (!self->chart) return RICO_OK;
    memset(self->chart, 0, (size_t)(nq * n) * sizeof *self->chart);
    memset(along, 0, (size_t)n * sizeof *along);
    for (int64_t j = 0; j < n; j++) {
        along[j] = 1.0;
        for (int k = 0; k < 4; k++) {
            rico_status status =
                rico_assembly_retract(sim->assembly, self->t, q, STRIDE * OFFSET[k], along, moved);
            if (status != RICO_OK) return status;
            rico_axpy(nq, CENTRAL[k] / STRIDE, moved, self->chart + j * nq);
        }
        along[j] = 0.0;
    }
    rico_dense_transpose_product(nq, n, n, self->chart, self->chart, self->A);
    return rico_dense_cholesky(self->ctx, n, self->A);
}


// A change of positions, velocities and what is remembered as one of the state: increments for positions.
static void to_state(rico_derivatives *self, const double *change, double *column)
{
    int64_t n = self->n, nq = self->sim->nq;
    if (self->chart) {
        rico_dense_transpose_times(nq, n, 1.0, self->chart, change, 0.0, column);
        rico_dense_cholesky_solve(n, self->A, 1, column);
    } else {
        memcpy(column, change, (size_t)n * sizeof *column);
    }
    memcpy(column + n, change + nq, (size_t)(self->size - n) * sizeof *column);
}


// Steps of the stencil with a stride; same[k]: that one kept the modes.
static rico_status try_stencil(rico_derivatives *self, const double *direction, double stride, bool same[4])
{
    for (int k = 0; k < 4; k++) {
        rico_status status = perturb(self, direction, OFFSET[k] * stride);
        if (status == RICO_OK) status = rico_simulation_step(self->sim, self->h);
        if (status != RICO_OK) return status;
        same[k] = same_contacts(self, self->sim);
        take_state(self, self->sim, self->probe + k * width(self));
    }
    return RICO_OK;
}


// A stride along a direction that moves no position, velocity or what is remembered by more than a share of the largest of its kind; 0: the
// direction is none.
static double stride_of(const rico_derivatives *self, const double *direction)
{
    int64_t n = self->n, nq = self->sim->nq;
    double v = fmax(rico_norm_inf(n, self->v), *self->sim->now.scale);
    double q = fmax(rico_norm_inf(nq, self->q), self->h * v);
    double a = self->memory > 0 ? rico_norm_inf(self->memory * n, self->m) : 0.0;
    double share = rico_norm_inf(n, direction) / (q > 0.0 ? q : 1.0);
    share = fmax(share, rico_norm_inf(n, direction + n) / (v > 0.0 ? v : 1.0));
    if (self->memory > 0)
        share = fmax(share, rico_norm_inf(self->memory * n, direction + 2 * n) / (a > 0.0 ? a : 1.0));
    return share > 0.0 ? STRIDE / share : 0.0;
}


// Whether differences of second and fourth order agree.
static bool straight(const rico_derivatives *self)
{
    int64_t entries = width(self);
    double apart = 0.0, size = 0.0;
    const double *f = self->probe;
    for (int64_t i = 0; i < entries; i++) {
        double near = 0.5 * (f[2 * entries + i] - f[entries + i]), far = 0.25 * (f[3 * entries + i] - f[i]);
        apart = fmax(apart, fabs(near - far) / 3.0);
        size = fmax(size, fabs(near));
    }
    return apart <= CURVED * size;
}


// The derivative of the state after along a direction; unit: the entry that the direction is, or -1.
static rico_status differentiate_along(rico_derivatives *self, const double *direction, int64_t unit,
                                       double *column)
{
    // on one side: -1, -2 or 1, 2 strides away and the step itself
    static const double SIDE[2][5] = {{0.5, -2.0, 0.0, 0.0, 1.5}, {0.0, 0.0, 2.0, -0.5, -1.5}};
    const double *nominal = self->nominal;
    double stride = stride_of(self, direction), *change = self->values[1], *slope;
    bool same[4] = {false, false, false, false};
    const double *weight = CENTRAL;
    rico_status status = RICO_OK;
    if (stride == 0.0) {
        memset(column, 0, (size_t)self->size * sizeof *column);
        return RICO_OK;
    }
    for (int attempt = 0; attempt < TRIES; attempt++) {
        if (attempt > 0) stride *= SHORTER;
        status = try_stencil(self, direction, stride, same);
        if (status != RICO_OK) return status;
        bool all = same[0] && same[1] && same[2] && same[3];
        if (all && (attempt >= TRIES_FOR_CURVATURE || straight(self))) break;
    }
    bool both = same[0] && same[1] && same[2] && same[3], left = same[0] && same[1],
         right = same[2] && same[3];
    double own = 0.0;
    if (!both) {
        status = rico_derivative_push_doubt(self, RICO_DOUBT_CHANGES, RICO_THRESHOLD_OTHER, -1, 0.0,
                                            unit >= 0 && (left || right) ? &slope : NULL);
        if (status != RICO_OK) return status;
        if (unit >= 0 && (left || right)) slope[unit] = 1.0;
        if (left || right) {
            weight = SIDE[right];
            own = SIDE[right][4];
        }
    }
    int64_t entries = width(self);
    for (int64_t i = 0; i < entries; i++) {
        change[i] = own / stride * nominal[i];
        for (int k = 0; k < 4; k++) change[i] += weight[k] / stride * self->probe[k * entries + i];
    }
    to_state(self, change, column);
    return RICO_OK;
}


rico_status rico_derivative_by_differences(rico_derivatives *self, int64_t count, double *columns)
{
    rico_simulation *sim = self->sim;
    aside kept;
    int64_t size = self->size, wanted = columns ? count : size;
    double *direction = self->direction;
    rico_status status = report_modes(self);
    take_state(self, sim, self->nominal);
    if (status == RICO_OK) status = make_chart(self, sim->now.q);
    if (status == RICO_OK) status = put_aside(self, &kept);
    if (status != RICO_OK) return status;
    for (int64_t j = 0; status == RICO_OK && j < wanted; j++) {
        double *column = (columns ? columns : self->matrix) + j * size;
        memset(direction, 0, (size_t)size * sizeof *direction);
        if (columns)
            memcpy(direction, column, (size_t)size * sizeof *direction);
        else
            direction[j] = 1.0;
        status = differentiate_along(self, direction, columns ? -1 : j, column);
    }
    char sentence[1024];
    if (status != RICO_OK) snprintf(sentence, sizeof sentence, "%s", rico_message(self->ctx));
    rico_status back = take_back(self, &kept);
    if (status != RICO_OK)
        return rico_fail(self->ctx, status, "a step beside the one that is differentiated failed: %s",
                         sentence);
    return back;
}


rico_status rico_derivative_twin_differences(rico_derivatives *self, rico_twins *twins)
{
    int64_t entries = width(self);
    double *change = self->values[1], *moved = self->probe;
    bool same = true;
    take_state(self, self->sim, moved);
    for (int64_t i = 0; i < entries; i++) change[i] = twins->own * moved[i];
    for (int k = 0; k < twins->count; k++) {
        rico_simulation *twin = twins->sim[k];
        rico_status status = rico_step_restore(twin, self->sim->before);
        if (status == RICO_OK) status = rico_simulation_step(twin, self->h);
        if (status != RICO_OK)
            return rico_fail(self->ctx, status, "beside the value of a parameter: %s",
                             rico_message(twin->ctx));
        same &= same_contacts(self, twin);
        take_state(self, twin, moved);
        rico_axpy(entries, twins->weight[k], moved, change);
    }
    rico_status status = make_chart(self, self->sim->now.q);
    if (status == RICO_OK) to_state(self, change, twins->derivative);
    if (status != RICO_OK || same) return status;
    return rico_derivative_push_doubt(self, RICO_DOUBT_CHANGES, RICO_THRESHOLD_OTHER, -1, 0.0, NULL);
}


rico_status rico_derivatives_parameter_start(rico_derivatives *self, int64_t index, double *column)
{
    const rico_twins *twins = &self->parameter[index];
    int64_t entries = width(self);
    double *change = self->values[1], *there = self->probe;
    take_state(self, self->sim, there);
    for (int64_t i = 0; i < entries; i++) change[i] = twins->own * there[i];
    for (int k = 0; k < twins->count; k++) {
        if (twins->sim[k]->steps != 0)
            return rico_fail(
                self->ctx, RICO_BAD_ARGUMENT,
                "a system beside the value of a parameter has done %lld steps: its start is past",
                (long long)twins->sim[k]->steps);
        take_state(self, twins->sim[k], there);
        rico_axpy(entries, twins->weight[k], there, change);
    }
    self->t = *self->sim->now.t;
    rico_status status = make_chart(self, self->sim->now.q);
    if (status == RICO_OK) to_state(self, change, column);
    return status;
}


// What a scheme remembers when it starts, by q and v.
rico_status rico_derivative_start_by_differences(rico_derivatives *self, double *matrix)
{
    rico_simulation *sim = self->sim;
    int64_t n = self->n, nq = sim->nq, kept = self->memory * n;
    double *q = self->probe, *v = q + nq, *moved = v + n, t = self->t;
    rico_status status = RICO_OK;
    self->h = 0.0;
    memcpy(q, sim->now.q, (size_t)nq * sizeof *q);
    memcpy(v, sim->now.v, (size_t)n * sizeof *v);
    self->q = q;
    self->v = v;
    for (int64_t j = 0; status == RICO_OK && j < 2 * n; j++) {
        double *unit = self->direction, *column = matrix + j * self->size + 2 * n;
        memset(unit, 0, (size_t)self->size * sizeof *unit);
        unit[j] = 1.0;
        double stride = stride_of(self, unit);
        for (int k = 0; status == RICO_OK && k < 4; k++) {
            memcpy(moved, q, (size_t)nq * sizeof *moved);
            memcpy(moved + nq, v, (size_t)n * sizeof *moved);
            if (j < n)
                status = rico_assembly_retract(sim->assembly, t, q, OFFSET[k] * stride, unit, moved);
            else
                moved[nq + j - n] += OFFSET[k] * stride;
            if (status == RICO_OK) status = rico_simulation_start(sim, t, moved, moved + nq);
            if (status == RICO_OK)
                rico_axpy(kept, CENTRAL[k] / stride, sim->now.extra + sim->scheme->memory_at, column);
        }
    }
    rico_status again = rico_simulation_start(sim, t, q, v);
    return status == RICO_OK ? again : status;
}
