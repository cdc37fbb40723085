// Derivatives of a step by parameters of the system: its equations at the same modes in systems built beside the value.

#include "la/dense.h"
#include "step/derivative.h"

#include <math.h>
#include <string.h>

// Off a threshold by this much of the terms: a change along a contact that persists stays on it up to round-off.
static const double ALONG = 1e-7;
static const double NOISE = 1e-12; // of what is at a threshold, over its terms


// Weights of the derivative at 0 of the polynomial through 0 and the offsets (Lagrange).
static void weigh(rico_twins *twins, const double *offset)
{
    twins->own = 0.0;
    for (int i = 0; i < twins->count; i++) {
        double weight = 1.0 / offset[i];
        twins->own -= weight;
        for (int j = 0; j < twins->count; j++)
            if (j != i) weight *= -offset[j] / (offset[i] - offset[j]);
        twins->weight[i] = weight;
    }
    double largest = 0.0;
    for (int i = 0; i < twins->count; i++) largest = fmax(largest, fabs(twins->weight[i]));
    if (fabs(twins->own) <= 1e-12 * largest) twins->own = 0.0;
}


static rico_status check_twin(const rico_derivatives *self, const rico_simulation *twin)
{
    const rico_simulation *sim = self->sim;
    if (twin->scheme == sim->scheme && twin->nq == sim->nq && twin->nv == sim->nv && twin->started &&
        twin->system->constraint_count == sim->system->constraint_count &&
        twin->system->rows == sim->system->rows)
        return RICO_OK;
    return rico_fail(self->ctx, RICO_BAD_ARGUMENT,
                     "a system built beside the value of a parameter is another one: %lld velocities and "
                     "%lld constraints with %s, expected %lld and %lld with %s",
                     (long long)twin->nv, (long long)twin->system->constraint_count, twin->scheme->info.name,
                     (long long)sim->nv, (long long)sim->system->constraint_count, sim->scheme->info.name);
}


rico_status rico_derivatives_add_parameter(rico_derivatives *self, int count, rico_simulation *const *twin,
                                           const double *offset, int64_t *index)
{
    rico_twins made = {.count = count};
    if (count < 2 || count > RICO_MOST_TWINS)
        return rico_fail(self->ctx, RICO_BAD_ARGUMENT, "a parameter needs 2 to %d systems beside it, got %d",
                         RICO_MOST_TWINS, count);
    for (int i = 0; i < count; i++) {
        rico_status status = check_twin(self, twin[i]);
        if (status != RICO_OK) return status;
        for (int j = 0; j < i; j++)
            if (offset[i] == offset[j] || offset[j] == 0.0)
                return rico_fail(self->ctx, RICO_BAD_ARGUMENT,
                                 "offsets of a parameter must differ from 0 and each other, got %g and %g",
                                 offset[j], offset[i]);
        made.sim[i] = twin[i];
    }
    weigh(&made, offset);
    if (self->parameters == self->parameter_room) {
        int64_t room = 2 * self->parameter_room + 2;
        rico_twins *more = rico_grow(self->ctx, self->parameter, self->parameter_room, room, sizeof *more);
        if (!more) return RICO_NO_MEMORY;
        self->parameter = more;
        self->parameter_room = room;
    }
    made.derivative = rico_alloc(self->ctx, self->size, sizeof *made.derivative);
    made.dp = rico_alloc(self->ctx, self->sim->rows, sizeof *made.dp);
    if (!made.derivative || !made.dp) {
        rico_free(self->ctx, made.derivative);
        rico_free(self->ctx, made.dp);
        return RICO_NO_MEMORY;
    }
    if (index) *index = self->parameters;
    self->parameter[self->parameters++] = made;
    return RICO_OK;
}


const double *rico_derivatives_parameter(const rico_derivatives *self, int64_t index)
{
    return self->parameter[index].derivative;
}


int64_t rico_derivatives_parameters(const rico_derivatives *self)
{
    return self->parameters;
}


// weight times the residuals in one system, added up.
static rico_status add_values(rico_derivatives *self, rico_simulation *at, double weight)
{
    rico_step_values found = {self->values[0], self->twin_y, self->values[0] + self->n};
    memset(self->twin_y, 0, (size_t)self->sim->rows * sizeof *self->twin_y);
    rico_status status = self->equations->values(self, at, &found);
    if (status != RICO_OK && at != self->sim)
        return rico_fail(self->ctx, status, "beside the value of a parameter: %s", rico_message(at->ctx));
    if (status != RICO_OK) return status;
    rico_axpy(self->n + self->size, weight, self->values[0], self->values[1]);
    rico_axpy(self->sim->rows, weight, self->twin_y, self->y_sum);
    for (int64_t c = 0; c < at->constraints; c++)
        self->friction[c] += weight * rico_step_constraint(at, c)->friction;
    return RICO_OK;
}


static rico_status by_equations(rico_derivatives *self, rico_twins *twins)
{
    int64_t n = self->n, size = self->size, m = self->rows;
    double *motion = self->values[1], *direct = motion + n, *moved = self->values[0];
    memset(motion, 0, (size_t)(n + size) * sizeof *motion);
    memset(self->y_sum, 0, (size_t)self->sim->rows * sizeof *self->y_sum);
    memset(self->friction, 0, (size_t)self->sim->constraints * sizeof *self->friction);
    rico_status status = twins->own != 0.0 ? add_values(self, self->sim, twins->own) : RICO_OK;
    for (int i = 0; status == RICO_OK && i < twins->count; i++)
        status = add_values(self, twins->sim[i], twins->weight[i]);
    if (status != RICO_OK) return status;
    for (int64_t i = 0; i < n; i++) motion[i] = -motion[i];
    rico_derivative_law_change(self, self->y_sum, self->friction, self->law);
    for (int64_t i = 0; i < m; i++) self->law[i] = -self->law[i];
    status = rico_derivative_respond(self, motion, self->law);
    if (status != RICO_OK) return status;
    rico_derivative_after(self, motion, self->law, moved);
    for (int64_t i = 0; i < size; i++) twins->derivative[i] = direct[i] + moved[i];
    memset(twins->dp, 0, (size_t)self->sim->rows * sizeof *twins->dp);
    for (int64_t i = 0; i < m; i++) twins->dp[self->row[i]] = self->law[i];
    return RICO_OK;
}


rico_status rico_derivative_by_parameters(rico_derivatives *self)
{
    rico_status status = RICO_OK;
    for (int64_t i = 0; status == RICO_OK && i < self->parameters; i++)
        status = self->equations ? by_equations(self, &self->parameter[i])
                                 : rico_derivative_twin_differences(self, &self->parameter[i]);
    return status;
}


// Derivative of what is at a threshold by a parameter, at the same state.
static double parameter_slope(rico_derivatives *self, const rico_twins *twins, int64_t index)
{
    int64_t c = self->doubt[index].constraint;
    const rico_constraint *contact = rico_step_constraint(self->sim, c);
    const double *p = self->sim->now.p + contact->row, *dp = twins->dp + contact->row;
    rico_threshold which = self->threshold[index];
    double sum = 0.0, value;
    if (which == RICO_THRESHOLD_IMPULSE) return dp[0];
    if (which == RICO_THRESHOLD_FRICTION) {
        double friction = contact->size > 2 ? hypot(p[1], p[2]) : fabs(p[1]);
        for (int i = 0; i < twins->count; i++)
            sum += twins->weight[i] * rico_step_constraint(twins->sim[i], c)->friction;
        sum = (sum + twins->own * contact->friction) * p[0] + contact->friction * dp[0];
        for (int64_t k = 1; friction > 0.0 && k < contact->size; k++) sum -= p[k] / friction * dp[k];
        return sum;
    }
    for (int i = 0; i <= twins->count; i++) {
        rico_simulation *at = i < twins->count ? twins->sim[i] : self->sim;
        double weight = i < twins->count ? twins->weight[i] : twins->own;
        if (weight == 0.0) continue;
        if (rico_derivative_threshold(self, at, which, c, &value) != RICO_OK) return NAN;
        sum += weight * value;
    }
    return sum;
}


// The largest weight of its differences: what round-off of a number grows by in a derivative by the parameter.
static double sharpness(const rico_twins *twins)
{
    double largest = fabs(twins->own);
    for (int i = 0; i < twins->count; i++) largest = fmax(largest, fabs(twins->weight[i]));
    return largest;
}


// One threshold: whether a change of state and parameters leads off it, beyond round-off.
static bool leads_off(rico_derivatives *self, int64_t k, const double *state, const double *parameter)
{
    const double *slope = self->doubt[k].slope;
    double sum = 0.0, terms = 0.0, noise = 0.0;
    if (!slope) return true;
    for (int64_t block = 0; block < self->size; block += self->n) {
        double weight = 0.0;
        for (int64_t i = block; i < block + self->n; i++) {
            sum += slope[i] * state[i];
            weight += fabs(slope[i]);
        }
        terms += weight * rico_norm_inf(self->n, state + block);
    }
    for (int64_t i = 0; parameter && self->equations && i < self->parameters; i++) {
        if (parameter[i] == 0.0) continue;
        double own = parameter_slope(self, &self->parameter[i], k) * parameter[i];
        sum += own;
        terms += fabs(own);
        noise += NOISE * self->extent[k] * sharpness(&self->parameter[i]) * fabs(parameter[i]);
    }
    return !(fabs(sum) <= ALONG * terms + noise);
}


bool rico_derivatives_crosses(const rico_derivatives *given, const double *state, const double *parameter)
{
    rico_derivatives *self = (rico_derivatives *)given; // its work space alone is written
    for (int64_t k = 0; k < self->doubts; k++)
        if (leads_off(self, k, state, parameter)) return true;
    return false;
}
