// The sizes against which numbers of event-driven integration are small: round-off, rest, closed gaps, errors.
//
// None is absolute. A system with the kinetic energy T has no relative velocity u_i = H_i'v above sqrt(2 T W_ii),
// W = H'M^-1 H, whatever the units of the row: lengths, angles, squares of lengths. The largest T met so far gives the size
// of every velocity; the terms that a gap is made of give the size of gaps.

#include "la/dense.h"
#include "step/event_driven.h"

#include <math.h>
#include <string.h>

// Relative velocities that count as zero, over the largest ones that could have been; and the energy to count with at
// least, over what free forces would bring in a step.
static const double AT_REST = 1e-9, FROM_REST = 1e-6;


double rico_event_still(const rico_event_driven *self, int64_t row)
{
    return AT_REST * self->speed[row];
}


double rico_event_slow(const rico_event_driven *self, int64_t c)
{
    const rico_constraint *contact = self->assembly->set.constraint[c];
    return AT_REST * rico_norm_inf(contact->size - 1, self->speed + contact->row + 1);
}


double rico_event_gap_tol(const rico_event_driven *self, int64_t row)
{
    return rico_event_option(self, RICO_EVENT_GAP_TOL) * self->span[row];
}


void rico_event_note_speed(rico_event_driven *self, const double *v)
{
    self->kinetic = fmax(self->kinetic, 0.5 * rico_assembly_square(self->assembly, self->assembly->M, v));
    for (int64_t i = 0; i < self->rows; i++)
        self->speed[i] =
            fmax(self->speed[i], sqrt(2.0 * self->kinetic * self->response[i]) + fabs(self->assembly->w[i]));
}


// What a row's gradient makes of the positions. Coordinates that are not velocities integrated count with the largest.
static double reach(const rico_event_driven *self, int64_t row, const double *q)
{
    const rico_csc *H = &self->assembly->H;
    bool paired = self->nq == self->nv;
    double largest = paired ? 0.0 : rico_norm_inf(self->nq, q), sum = 0.0;
    for (int64_t k = H->start[row]; k < H->start[row + 1]; k++)
        sum += fabs(H->value[k]) * (paired ? fabs(q[H->row[k]]) : largest);
    return sum;
}


void rico_event_note_gaps(rico_event_driven *self, const double *q)
{
    for (int64_t i = 0; i < self->rows; i++)
        self->span[i] = fmax(self->span[i], reach(self, i, q) + fabs(self->gap[i]));
    // of bodies, whose positions are not those of their velocities
    for (int64_t c = 0; c < self->constraints; c++) {
        const rico_constraint *of = self->assembly->set.constraint[c];
        double size[RICO_DRIFT_MOST];
        if (!of->kind->size) continue;
        of->kind->size(of, self->t, q, size);
        for (int64_t i = 0; i < of->size; i++)
            self->span[of->row + i] = fmax(self->span[of->row + i], size[i]);
    }
}


rico_status rico_event_measure(rico_event_driven *self, const double *q, const double *v)
{
    const rico_csc *H = &self->assembly->H;
    for (int64_t i = 0; i < self->rows; i++) {
        double *x = self->column;
        memset(x, 0, (size_t)self->nv * sizeof *x);
        for (int64_t k = H->start[i]; k < H->start[i + 1]; k++) x[H->row[k]] += H->value[k];
        rico_status status = rico_iteration_solve(self->mass, 1, x, x);
        if (status != RICO_OK) return status;
        self->response[i] = fmax(0.0, rico_event_row_times(self, i, x));
    }
    rico_event_note_gaps(self, q);
    rico_event_note_speed(self, v);
    return RICO_OK;
}


// Velocities that the energy allows, coordinate by coordinate, into self->v.
static void coordinate_speeds(rico_event_driven *self, double energy)
{
    const rico_csc *pattern = &self->system->pattern;
    for (int64_t i = 0; i < self->nv; i++) {
        double mass = 0.0;
        for (int64_t k = pattern->start[i]; k < pattern->start[i + 1]; k++)
            if (pattern->row[k] == i) mass += self->assembly->M[k];
        self->v[i] = mass > 0.0 ? sqrt(2.0 * energy / mass) : 1.0;
    }
}


void rico_event_set_tolerances(rico_event_driven *self, double h)
{
    const double atol = rico_event_option(self, RICO_EVENT_ATOL);
    double *bound = self->tolerance, *works = rico_event_works(self, bound);
    double forced = 0.5 * h * h * rico_assembly_square(self->assembly, self->assembly->M, self->right);
    double energy = fmax(self->kinetic, FROM_REST * forced);
    if (!(energy > 0.0)) energy = 1.0; // nothing moves and nothing pushes: there is nothing to err by
    coordinate_speeds(self, energy);

    for (int64_t p = 0; p < self->system->part_count; p++) {
        const rico_place *place = &self->system->part[p]->place;
        double widest = rico_norm_inf(place->q_size, self->moving + place->q);
        bool paired = place->q_size == place->v_size;
        widest = fmax(widest, h * rico_norm_inf(place->v_size, self->v + place->v));
        for (int64_t i = 0; i < place->q_size; i++)
            bound[place->q + i] = atol * (paired ? h * self->v[place->v + i] : widest);
    }
    for (int64_t i = 0; i < self->nv; i++) bound[self->nq + i] = atol * self->v[i];
    for (int64_t i = 0; i < RICO_EVENT_CONTACTS + 2 * self->constraints; i++) works[i] = atol * energy;
    for (int64_t i = 0; i < self->rows; i++) {
        double response = self->response[i] > 0.0 ? self->response[i] : 1.0;
        rico_event_impulses(self, bound)[i] = atol * sqrt(2.0 * energy / response);
    }
}


void rico_event_guess_pace(rico_event_driven *self, const double *q, const double *v, double h)
{
    double longest = 0.0;
    for (int64_t i = 0; self->nq == self->nv && i < self->nv; i++) {
        double way = fabs(q[i]), pace = fmin(way / fabs(v[i]), sqrt(way / fabs(self->right[i])));
        if (isfinite(pace)) longest = fmax(longest, pace);
    }
    self->pace = longest > 0.0 && (h == 0.0 || longest < h) ? longest : h > 0.0 ? h : 1.0;
}
