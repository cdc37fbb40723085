// Modes of the contacts of a step, and which of them are about to change: then its derivative belongs to one side.
//
// Velocities count as 0 below NEAR times the terms that they are made of, and FLOOR times the largest velocity of the contact problem, whose
// solver leaves less; impulses through the velocity W p that they make; gaps below NEAR_GAP times the size of their terms.

#include "la/dense.h"
#include "step/activation.h"
#include "step/derivative.h"

#include <math.h>
#include <string.h>

static const double NEAR = 1e-6, FLOOR = 1e-9, NEAR_GAP = 1e-9;


static double tangential(const rico_constraint *contact, const double *x)
{
    return contact->size > 2 ? hypot(x[contact->row + 1], x[contact->row + 2]) : fabs(x[contact->row + 1]);
}


static bool frictional(const rico_constraint *contact)
{
    return contact->size > 1 && contact->friction > 0.0;
}


// Whether its tangential rows are in the equations: friction of 0 that slides is some, for a derivative by it.
static bool rubs(const rico_derivatives *self, const rico_constraint *contact)
{
    return contact->size > 1 &&
           (contact->friction > 0.0 || tangential(contact, self->y) > FLOOR * *self->sim->now.scale);
}


// Room for what has an entry for each row or constraint of the step.
static rico_status reserve(rico_derivatives *self)
{
    const rico_simulation *sim = self->sim;
    int64_t slopes = 1, rows = 1;
    if (sim->rows + sim->constraints > self->constraint_room || !self->mode) {
        int64_t room = sim->rows + sim->constraints + 1;
        bool whole = rico_renew(self->ctx, &self->first, room, sizeof *self->first) &&
                     rico_renew(self->ctx, &self->count, room, sizeof *self->count) &&
                     rico_renew(self->ctx, &self->row, room, sizeof *self->row) &&
                     rico_renew(self->ctx, &self->mode, room, 1) &&
                     rico_renew(self->ctx, &self->y, room, sizeof *self->y) &&
                     rico_renew(self->ctx, &self->normal, room, sizeof *self->normal) &&
                     rico_renew(self->ctx, &self->local, room, sizeof *self->local) &&
                     rico_renew(self->ctx, &self->twin_y, room, sizeof *self->local) &&
                     rico_renew(self->ctx, &self->law, room, sizeof *self->local) &&
                     rico_renew(self->ctx, &self->y_sum, room, sizeof *self->local) &&
                     rico_renew(self->ctx, &self->friction, room, sizeof *self->local);
        if (!whole) return RICO_NO_MEMORY;
        self->constraint_room = room;
    }
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *constraint = rico_step_constraint(sim, c);
        int64_t n = constraint->dof_count, entries = n * constraint->size;
        rows = entries * 2 > rows ? entries * 2 : rows;
        rows = n * n > rows ? n * n : rows;
        if (!constraint->gradient || constraint->moves) slopes = n * entries > slopes ? n * entries : slopes;
    }
    if (rows > self->row_room || slopes > self->slope_room) {
        bool whole = rico_renew(self->ctx, &self->rows_at, rows, sizeof(double)) &&
                     rico_renew(self->ctx, &self->slopes, slopes, sizeof(double)) &&
                     rico_renew(self->ctx, &self->drifts, rows, sizeof(double)) &&
                     rico_renew(self->ctx, &self->stencil, rows + self->n, sizeof(double));
        if (!whole) return RICO_NO_MEMORY;
        self->row_room = rows;
        self->slope_room = slopes;
    }
    return RICO_OK;
}


// Closed or open, sticking or sliding: whichever of the two that exclude each other is the larger share of its kind.
static rico_contact_mode mode_of(const rico_derivatives *self, const rico_constraint *contact, double impulse,
                                 double speed)
{
    const double *p = self->sim->now.p, *y = self->y;
    int64_t row = contact->row;
    if (!(p[row] > 0.0) || p[row] * speed < y[row] * impulse) return RICO_MODE_OPEN;
    if (!frictional(contact)) return RICO_MODE_SLIDING;
    double limit = contact->friction * p[row], slack = (limit - tangential(contact, p)) / limit;
    return tangential(contact, y) > slack * speed ? RICO_MODE_SLIDING : RICO_MODE_STICKING;
}


rico_status rico_derivative_find_modes(rico_derivatives *self)
{
    rico_simulation *sim = self->sim;
    double impulse = 0.0, speed = *sim->now.scale;
    rico_status status = reserve(self);
    if (status != RICO_OK) return status;
    self->turned.constraint = -1;
    self->stride = rico_derivative_stride(self);
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *contact = rico_step_constraint(sim, c);
        bool acts = !self->equations->activates || sim->now.active[c];
        self->mode[c] = contact->joint ? RICO_MODE_HOLDING : acts ? RICO_MODE_OPEN : RICO_MODE_INACTIVE;
        if (!contact->joint) impulse = fmax(impulse, sim->now.p[contact->row]);
    }
    rico_step_values found = {self->values[0], self->y, self->values[0] + self->n};
    memset(self->y, 0, (size_t)sim->rows * sizeof *self->y);
    status = self->equations->law ? self->equations->law(self, sim, self->y)
                                  : self->equations->values(self, sim, &found);
    self->rows = 0;
    for (int64_t c = 0; status == RICO_OK && c < sim->constraints; c++) {
        const rico_constraint *contact = rico_step_constraint(sim, c);
        if (self->mode[c] == RICO_MODE_OPEN) self->mode[c] = (char)mode_of(self, contact, impulse, speed);
        rico_contact_mode mode = rico_derivatives_mode(self, c);
        bool holds = mode != RICO_MODE_INACTIVE && mode != RICO_MODE_OPEN;
        self->first[c] = self->rows;
        self->count[c] = !holds ? 0 : contact->joint || rubs(self, contact) ? contact->size : 1;
        for (int64_t i = 0; i < self->count[c]; i++) self->row[self->rows++] = contact->row + i;
        if (mode != RICO_MODE_SLIDING || self->count[c] < 2) continue;
        for (int64_t i = 1; i < contact->size; i++)
            self->normal[contact->row + i] = self->y[contact->row + i] / tangential(contact, self->y);
    }
    return status;
}


void rico_derivative_law_change(const rico_derivatives *self, const double *dy, const double *dmu,
                                double *law)
{
    for (int64_t c = 0; c < self->sim->constraints; c++) {
        const rico_constraint *contact = rico_step_constraint(self->sim, c);
        int64_t row = contact->row, first = self->first[c];
        for (int64_t i = 0; i < self->count[c]; i++) law[first + i] = dy[row + i];
        if (self->mode[c] != RICO_MODE_SLIDING || self->count[c] < 2) continue;
        const double *d = self->normal + row;
        double p = self->sim->now.p[row], along = 0.0,
               turn = contact->friction * p / tangential(contact, self->y);
        for (int64_t i = 1; i < contact->size; i++) along += d[i] * dy[row + i];
        for (int64_t i = 1; i < contact->size; i++)
            law[first + i] =
                dmu[c] * p * d[i] + (contact->size > 2 ? turn * (dy[row + i] - along * d[i]) : 0.0);
    }
}


rico_status rico_derivative_push_doubt(rico_derivatives *self, rico_doubt_kind kind, rico_threshold threshold,
                                       int64_t constraint, double extent, double **slope)
{
    if (self->doubts == self->doubt_room) {
        int64_t old = self->doubt_room, room = 2 * old + 4;
        rico_doubt *doubt = rico_grow(self->ctx, self->doubt, old, room, sizeof *doubt);
        if (!doubt) return RICO_NO_MEMORY;
        self->doubt = doubt;
        rico_threshold *which = rico_grow(self->ctx, self->threshold, old, room, sizeof *which);
        if (!which) return RICO_NO_MEMORY;
        self->threshold = which;
        double *sizes = rico_grow(self->ctx, self->extent, old, room, sizeof *sizes);
        if (!sizes) return RICO_NO_MEMORY;
        self->extent = sizes;
        double *slopes =
            rico_grow(self->ctx, self->slope, old * self->size, room * self->size, sizeof *slopes);
        if (!slopes) return RICO_NO_MEMORY;
        self->slope = slopes;
        self->doubt_room = room;
        for (int64_t i = 0; i < self->doubts; i++) // the slopes have moved
            if (self->doubt[i].slope) self->doubt[i].slope = self->slope + i * self->size;
    }
    int64_t at = self->doubts++;
    self->doubt[at] = (rico_doubt){kind, constraint, slope ? self->slope + at * self->size : NULL};
    self->threshold[at] = threshold;
    self->extent[at] = extent;
    if (slope) {
        *slope = self->slope + at * self->size;
        memset(*slope, 0, (size_t)self->size * sizeof **slope);
    }
    return RICO_OK;
}


// u_N = H_N'v + w at the start of the step; unless NULL, what it is made of and its slope by (q, v).
static rico_status speed_before(rico_derivatives *self, rico_simulation *at, int64_t c, double *speed,
                                double *terms, double *slope)
{
    const rico_constraint *contact = rico_step_constraint(at, c);
    int64_t n = contact->dof_count, size = contact->size;
    double *rows = self->rows_at;
    bool turns = false, drifts = false;
    rico_status status = rico_derivative_rows(self, at, c, self->t, self->q, rows);
    if (status == RICO_OK) status = rico_derivative_rate(self, at, c, self->t, self->q, self->local);
    if (status != RICO_OK) return status;
    *speed = self->local[0];
    if (terms) *terms = fabs(self->local[0]);
    for (int64_t i = 0; i < n; i++) {
        *speed += rows[i] * self->v[contact->dof[i]];
        if (terms)
            *terms += fabs(rows[i]) * (fabs(self->v[contact->dof[i]]) + fabs(at->now.v[contact->dof[i]]));
        if (slope) slope[self->n + contact->dof[i]] += rows[i];
    }
    if (!slope) return RICO_OK;
    status = rico_derivative_row_slopes(self, c, self->t, self->q, &turns);
    for (int64_t i = 0; status == RICO_OK && turns && i < n; i++)
        for (int64_t k = 0; k < n; k++)
            slope[contact->dof[i]] += self->slopes[i * size * n + k] * self->v[contact->dof[k]];
    if (status == RICO_OK) status = rico_derivative_rate_slopes(self, c, self->t, self->q, &drifts);
    for (int64_t i = 0; status == RICO_OK && drifts && i < n; i++)
        slope[contact->dof[i]] += self->drifts[i * size];
    return status;
}


// The gap `way` h after the start, at q + way h v; and likewise.
static rico_status gap_ahead(rico_derivatives *self, rico_simulation *at, int64_t c, double way, double *gap,
                             double *terms, double *slope)
{
    const rico_constraint *contact = rico_step_constraint(at, c);
    double t = self->t + way * self->h, *q = self->place, *rows = self->rows_at;
    for (int64_t i = 0; i < self->n; i++) q[i] = self->q[i] + way * self->h * self->v[i];
    rico_status status = rico_derivative_gap(self, at, c, t, q, self->local);
    *gap = self->local[0];
    if (status == RICO_OK && (terms || slope)) status = rico_derivative_rows(self, at, c, t, q, rows);
    if (terms) *terms = self->h * *at->now.scale;
    for (int64_t i = 0; status == RICO_OK && (terms || slope) && i < contact->dof_count; i++) {
        int64_t dof = contact->dof[i];
        if (terms)
            *terms +=
                fabs(rows[i]) * (fabs(self->q[dof]) + at->system->extent + self->h * fabs(self->v[dof]));
        if (slope) slope[dof] += rows[i];
        if (slope) slope[self->n + dof] += way * self->h * rows[i];
    }
    return status;
}


rico_status rico_derivative_threshold(rico_derivatives *self, rico_simulation *at, rico_threshold which,
                                      int64_t c, double *value)
{
    double gap = 0.0, speed = 0.0;
    *value = 0.0;
    if (which == RICO_THRESHOLD_SPEED) return speed_before(self, at, c, value, NULL, NULL);
    if (which == RICO_THRESHOLD_GAP) return gap_ahead(self, at, c, 1.0, value, NULL, NULL);
    rico_status status = gap_ahead(self, at, c, 0.0, &gap, NULL, NULL);
    if (status == RICO_OK) status = speed_before(self, at, c, &speed, NULL, NULL);
    *value = gap + rico_step_option(at, RICO_STEP_GAMMA) * self->h * speed;
    return status;
}


// A doubt about the activation, with the slope of what is at its threshold.
static rico_status doubt_activation(rico_derivatives *self, int64_t c, rico_threshold which, double extent)
{
    double *slope, ignored, gamma = rico_step_option(self->sim, RICO_STEP_GAMMA) * self->h;
    bool acts = self->mode[c] != RICO_MODE_INACTIVE;
    rico_status status =
        rico_derivative_push_doubt(self, acts ? RICO_DOUBT_RESTS : RICO_DOUBT_ACTS, which, c, extent, &slope);
    if (status != RICO_OK) return status;
    if (which == RICO_THRESHOLD_GAP) return gap_ahead(self, self->sim, c, 1.0, &ignored, NULL, slope);
    status = speed_before(self, self->sim, c, &ignored, NULL, slope);
    if (status != RICO_OK || which == RICO_THRESHOLD_SPEED) return status;
    for (int64_t i = 0; i < self->size; i++) slope[i] *= gamma;
    return gap_ahead(self, self->sim, c, 0.0, &ignored, NULL, slope);
}


// The forecast that lets a contact act, near its threshold. A rule of two conditions lets go when one of them fails.
static rico_status look_at_activation(rico_derivatives *self, int64_t c)
{
    rico_simulation *sim = self->sim;
    rico_activation rule = (rico_activation)rico_step_option(sim, RICO_STEP_ACTIVATION);
    bool acts = self->mode[c] != RICO_MODE_INACTIVE;
    double speed, terms, gap, reach;
    rico_status status = speed_before(self, sim, c, &speed, &terms, NULL);
    if (status == RICO_OK)
        status = gap_ahead(self, sim, c, rule == RICO_ACTIVATE_CLOSING ? 1.0 : 0.0, &gap, &reach, NULL);
    if (status != RICO_OK) return status;
    double still = NEAR * terms + FLOOR * *sim->now.scale;
    double close = fmax(NEAR_GAP * reach, rico_step_option(sim, RICO_STEP_GAP));
    if (rule == RICO_ACTIVATE_CLOSING) {
        bool slow = fabs(speed) <= still, near = fabs(gap) <= close;
        bool about = acts ? slow || near : (slow || speed < 0.0) && (near || gap < 0.0);
        if (about && slow) status = doubt_activation(self, c, RICO_THRESHOLD_SPEED, terms + *sim->now.scale);
        if (status == RICO_OK && about && near) status = doubt_activation(self, c, RICO_THRESHOLD_GAP, reach);
        return status;
    }
    if (rule == RICO_ACTIVATE_EXPLICIT) {
        gap += rico_step_option(sim, RICO_STEP_GAMMA) * self->h * speed;
        return fabs(gap) <= close ? doubt_activation(self, c, RICO_THRESHOLD_FORECAST, reach) : RICO_OK;
    }
    // the velocity without impulses decides: how near it is, only its own equations could tell
    gap += self->h * speed;
    if (fabs(gap) > close) return RICO_OK;
    return rico_derivative_push_doubt(self, acts ? RICO_DOUBT_RESTS : RICO_DOUBT_ACTS, RICO_THRESHOLD_OTHER,
                                      c, 0.0, NULL);
}


// Complementarity: of a contact that may act.
static rico_status look_at_law(rico_derivatives *self, int64_t c)
{
    const rico_simulation *sim = self->sim;
    const rico_constraint *contact = rico_step_constraint(sim, c);
    int64_t row = contact->row, i = self->first[c], m = self->rows;
    const double *p = sim->now.p;
    double *rows = self->rows_at, *slope = NULL, still = FLOOR * *sim->now.scale;
    rico_status status = rico_derivative_rows(self, self->sim, c, self->t, self->q, rows);
    for (int64_t k = 0; status == RICO_OK && k < contact->dof_count; k++) {
        int64_t dof = contact->dof[k];
        still += NEAR * fabs(rows[k]) * (fabs(self->v[dof]) + fabs(sim->now.v[dof]));
    }
    if (status != RICO_OK) return status;
    if (self->mode[c] == RICO_MODE_OPEN)
        return self->y[row] > still
                   ? RICO_OK
                   : rico_derivative_push_doubt(self, RICO_DOUBT_CLOSES, RICO_THRESHOLD_OTHER, c, 0.0, NULL);
    double pushed = fabs(self->W[i + i * m]) * p[row];
    still += NEAR * pushed;
    if (pushed <= still) {
        status = rico_derivative_push_doubt(self, RICO_DOUBT_OPENS, RICO_THRESHOLD_IMPULSE, c, p[row],
                                            self->input ? NULL : &slope);
        for (int64_t j = 0; status == RICO_OK && slope && j < self->size; j++) slope[j] = self->dp[i + j * m];
    }
    if (status != RICO_OK || !frictional(contact)) return status;
    if (self->mode[c] == RICO_MODE_SLIDING)
        return tangential(contact, self->y) > still
                   ? RICO_OK
                   : rico_derivative_push_doubt(self, RICO_DOUBT_STICKS, RICO_THRESHOLD_OTHER, c, 0.0, NULL);
    double friction = tangential(contact, p), slack = contact->friction * p[row] - friction;
    if (fabs(self->W[i + 1 + (i + 1) * m]) * slack > still) return RICO_OK;
    slope = NULL;
    status = rico_derivative_push_doubt(self, RICO_DOUBT_SLIPS, RICO_THRESHOLD_FRICTION, c, friction,
                                        self->input ? NULL : &slope);
    for (int64_t j = 0; status == RICO_OK && slope && j < self->size; j++) {
        slope[j] = contact->friction * self->dp[i + j * m];
        for (int64_t k = 1; friction > 0.0 && k < contact->size; k++)
            slope[j] -= p[row + k] / friction * self->dp[i + k + j * m];
    }
    return status;
}


rico_status rico_derivative_find_doubts(rico_derivatives *self)
{
    rico_status status = RICO_OK;
    for (int64_t c = 0; status == RICO_OK && c < self->sim->constraints; c++) {
        if (self->mode[c] == RICO_MODE_HOLDING) continue;
        if (self->equations->activates) status = look_at_activation(self, c);
        if (status == RICO_OK && self->mode[c] != RICO_MODE_INACTIVE) status = look_at_law(self, c);
    }
    return status;
}
