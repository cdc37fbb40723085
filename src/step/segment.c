// Segments: the event-driven scheme's vector field with contacts held to their states, by a Runge-Kutta method of order 8 with equal
// steps, so that neighbouring motions are integrated alike and their differences are free of the noise of a step control (internal
// numerical differentiation: Bock 1981).

#include "step/segment.h"

#include "la/dense.h"
#include "step/event_driven.h"

#include <arkode/arkode_butcher_erk.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { MOST_STEPS = 1 << 15, STAGES = 13 };


rico_status rico_segment_prepare(rico_simulation *sim, double t, const double *q, const double *v)
{
    if (!sim->scheme->finds_events)
        return rico_fail(sim->ctx, RICO_BAD_ARGUMENT, "orbits need the scheme event-driven, not %s",
                         sim->scheme->info.name);
    if (sim->system->source_count > 0)
        return rico_fail(
            sim->ctx, RICO_UNSUPPORTED,
            "contacts that are found by collision come and go in another order on every way: orbits "
            "take contacts that are listed, with gaps that are formulas");
    sim->loading = true; // without a look at the contacts
    rico_status status = rico_simulation_start(sim, t, q, v);
    sim->loading = false;
    return status;
}


double rico_segment_kinetic(rico_simulation *sim, double t, const double *x)
{
    const rico_event_driven *self = sim->own;
    if (rico_assembly_mass(self->assembly, t, x) != RICO_OK) return NAN;
    return 0.5 * rico_assembly_square(self->assembly, self->assembly->M, x + self->nq);
}


void rico_segment_scales(const rico_simulation *sim, double energy, double pace, double *scale)
{
    const rico_csc *pattern = &sim->system->pattern;
    for (int64_t i = 0; i < sim->nv; i++) {
        double mass = 0.0;
        for (int64_t k = pattern->start[i]; k < pattern->start[i + 1]; k++)
            if (pattern->row[k] == i) mass += sim->assembly->M[k];
        scale[sim->nv + i] = mass > 0.0 && energy > 0.0 ? sqrt(2.0 * energy / mass) : 1.0;
        scale[i] = pace * scale[sim->nv + i];
    }
}


static void take_mode(rico_event_driven *self, const rico_held_states *mode)
{
    memcpy(self->state, mode->state, (size_t)self->constraints);
    memcpy(self->onset, mode->onset, (size_t)self->constraints);
    memcpy(self->slide, mode->slide, (size_t)self->rows * sizeof *self->slide);
    memcpy(self->anchor, mode->anchor, (size_t)self->rows * sizeof *self->anchor);
    rico_event_hold(self);
}


// Onto the constraints that hold now, with the sizes that round-off is judged by.
static rico_status settle(rico_event_driven *self, double t, double *x)
{
    bool moved;
    rico_status status = rico_assembly_gaps(self->assembly, t, x, self->gap);
    if (status == RICO_OK) status = rico_event_kinematics(self, t, x, x + self->nq, false);
    if (status == RICO_OK) status = rico_event_measure(self, x, x + self->nq);
    return status == RICO_OK ? rico_event_project(self, t, x, true, &moved) : status;
}


// One step of the method of order 8 from (t, x), in place; k has room for all stages, y for a state.
static rico_status step(rico_event_driven *self, ARKodeButcherTable table, double t, double h, double *x,
                        double *k, double *y)
{
    int64_t size = self->nq + self->nv;
    self->pace = h;
    for (int i = 0; i < table->stages; i++) {
        memcpy(y, x, (size_t)size * sizeof *y);
        for (int j = 0; j < i; j++)
            if (table->A[i][j] != 0.0) rico_axpy(size, h * table->A[i][j], k + j * size, y);
        rico_status status = rico_event_motion(self, t + table->c[i] * h, y, k + i * size);
        if (status != RICO_OK) return status;
    }
    for (int i = 0; i < table->stages; i++)
        if (table->b[i] != 0.0) rico_axpy(size, h * table->b[i], k + i * size, x);
    return RICO_OK;
}


static rico_status integrate(rico_event_driven *self, int64_t steps, double t, double s, double *x)
{
    rico_context *ctx = self->ctx;
    int64_t size = self->nq + self->nv;
    ARKodeButcherTable table = ARKodeButcherTable_LoadERK(ARKODE_FEHLBERG_13_7_8);
    double *room = rico_alloc(ctx, (STAGES + 1) * size, sizeof *room), h = s / (double)steps;
    rico_status status = room ? RICO_OK : RICO_NO_MEMORY;
    if (!table) status = rico_fail(ctx, RICO_NO_MEMORY, "out of memory for the integrator");
    for (int64_t n = 0; status == RICO_OK && n < steps; n++) {
        status = step(self, table, t + (double)n * h, h, x, room, room + STAGES * size);
        if (status == RICO_OK)
            status = rico_event_kinematics(self, t + (double)(n + 1) * h, x, x + self->nq, false);
        if (status == RICO_OK) rico_event_turn(self);
    }
    if (table) ARKodeButcherTable_Free(table);
    rico_free(ctx, room);
    return status;
}


static bool finite(int64_t n, const double *x)
{
    for (int64_t i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}


// The smooth part alone.
static rico_status flow(rico_event_driven *self, const rico_segment *segment, int64_t steps, double t,
                        double s, double unfolding, double *x)
{
    self->unfolding = unfolding;
    self->t = t;
    if (!(self->pace > 0.0)) self->pace = fabs(s) > 0.0 ? fabs(s) : 1.0;
    take_mode(self, &segment->during);
    rico_status status = settle(self, t, x);
    if (status == RICO_OK) status = integrate(self, steps, t, s, x);
    if (status == RICO_OK && self->count > 0) status = settle(self, t + s, x);
    if (status == RICO_OK && !finite(self->nq + self->nv, x))
        status =
            rico_fail(self->ctx, RICO_UNSUPPORTED, "the motion becomes infinite before t = %.10g", t + s);
    return status;
}


// What the event at the end of a segment makes of the state.
static rico_status pass(rico_event_driven *self, const rico_segment *segment, double t, double *x)
{
    rico_status status = RICO_OK;
    for (int64_t n = 0; status == RICO_OK && n < segment->blows; n++) {
        status = rico_event_kinematics(self, t, x, x + self->nq, false);
        memcpy(self->touching, segment->strikes + n * self->constraints, (size_t)self->constraints);
        if (status == RICO_OK) status = rico_event_strike(self, t, x);
    }
    if (status != RICO_OK) return status;
    take_mode(self, &segment->after);
    return settle(self, t, x);
}


rico_status rico_segment_follow(rico_simulation *sim, const rico_segment *segment, double t, double s,
                                double unfolding, double *x, double *event)
{
    rico_event_driven *self = sim->own;
    if (event) *event = 0.0;
    rico_status status = flow(self, segment, segment->steps, t, s, unfolding, x);
    if (status == RICO_OK && segment->contact >= 0) {
        // where nothing holds, roots are gaps alone and u is not made for them
        if (event) status = rico_event_roots(self, t + s, x, self->roots);
        if (status == RICO_OK && event) *event = self->roots[2 * segment->contact + segment->which];
        if (status == RICO_OK) status = pass(self, segment, t + s, x);
    }
    self->unfolding = 0.0;
    return status;
}


static rico_status take_gaps(rico_event_driven *self, double t, const double *x, double *out)
{
    rico_status status = rico_assembly_gaps(self->assembly, t, x, self->gap);
    for (int64_t c = 0; c < self->constraints; c++) {
        const rico_constraint *constraint = self->assembly->set.constraint[c];
        out[c] = constraint->joint ? 0.0 : self->gap[constraint->row];
    }
    return status;
}


rico_status rico_segment_gaps(rico_simulation *sim, const rico_segment *segment, double t, double s,
                              double unfolding, const double *x, int64_t n, double *gaps)
{
    rico_event_driven *self = sim->own;
    int64_t size = self->nq + self->nv, steps = (segment->steps + n - 1) / n;
    double *now = rico_alloc(sim->ctx, size, sizeof *now);
    rico_status status = now ? RICO_OK : RICO_NO_MEMORY;
    if (status == RICO_OK) {
        memcpy(now, x, (size_t)size * sizeof *now);
        take_mode(self, &segment->during);
        self->unfolding = unfolding;
        status = settle(self, t, now);
    }
    if (status == RICO_OK) status = take_gaps(self, t, now, gaps);
    for (int64_t k = 0; status == RICO_OK && k < n; k++) {
        double part = s / (double)n;
        status = integrate(self, steps, t + (double)k * part, part, now);
        if (status == RICO_OK)
            status = take_gaps(self, t + (double)(k + 1) * part, now, gaps + (k + 1) * self->constraints);
    }
    self->unfolding = 0.0;
    rico_free(sim->ctx, now);
    return status;
}


rico_status rico_segment_choose_steps(rico_simulation *sim, rico_segment *segment, double t, double s,
                                      double unfolding, const double *x, const double *scale, double tol)
{
    rico_event_driven *self = sim->own;
    int64_t size = self->nq + self->nv, steps = 2;
    double *end = rico_alloc(sim->ctx, 2 * size, sizeof *end), error = INFINITY, before = INFINITY;
    rico_status status = end ? RICO_OK : RICO_NO_MEMORY;
    if (status == RICO_OK) {
        memcpy(end, x, (size_t)size * sizeof *end);
        status = flow(self, segment, steps, t, s, unfolding, end);
        // too few steps of something stiff may end anywhere, also where a force is infinite
        if (status != RICO_NO_MEMORY && status != RICO_INTERRUPTED) status = RICO_OK;
    }
    while (status == RICO_OK && error > tol && steps < MOST_STEPS) {
        double *finer = end + size;
        memcpy(finer, x, (size_t)size * sizeof *end);
        steps *= 2;
        rico_status now = flow(self, segment, steps, t, s, unfolding, finer);
        if (now == RICO_NO_MEMORY) status = now;
        before = error;
        error = now == RICO_OK ? 0.0 : INFINITY;
        for (int64_t i = 0; now == RICO_OK && i < size; i++) {
            double part = fabs(finer[i] - end[i]) / scale[i];
            error = part <= error ? error : part;
        }
        if (isnan(error)) error = INFINITY;
        if (now != RICO_OK && steps >= MOST_STEPS) status = now;
        memcpy(end, finer, (size_t)size * sizeof *end);
        if (error > 0.5 * before && error < 1e-9) break; // as good as numbers allow
    }
    if (status == RICO_OK && steps >= MOST_STEPS && error > 1e-9)
        status = rico_fail(
            sim->ctx, RICO_UNSUPPORTED,
            "the motion from t = %.10g to %.10g needs more than %d steps: a force that is not smooth, or "
            "too stiff",
            t, t + s, MOST_STEPS);
    segment->steps = steps > 4 ? steps / 2 : 4; // the finer one has confirmed the coarser
    self->unfolding = 0.0;
    rico_free(sim->ctx, end);
    return status;
}


rico_status rico_segment_rate(rico_simulation *sim, const rico_held_states *mode, double t, double unfolding,
                              const double *x, double *rate)
{
    rico_event_driven *self = sim->own;
    self->unfolding = unfolding;
    take_mode(self, mode);
    rico_status status = rico_event_motion(self, t, x, rate);
    self->unfolding = 0.0;
    return status;
}


rico_status rico_segment_walls_move(rico_simulation *sim, double t, double later, const double *x,
                                    double length, double speed, double *most)
{
    rico_event_driven *self = sim->own;
    *most = 0.0;
    rico_status status = rico_assembly_gaps(self->assembly, t, x, self->gap);
    if (status == RICO_OK) status = rico_assembly_rates(self->assembly, t, x);
    if (status != RICO_OK) return status;
    memcpy(self->c, self->gap, (size_t)self->rows * sizeof *self->c);
    memcpy(self->before, self->assembly->w, (size_t)self->rows * sizeof *self->before);
    status = rico_assembly_gaps(self->assembly, later, x, self->gap);
    if (status == RICO_OK) status = rico_assembly_rates(self->assembly, later, x);
    for (int64_t i = 0; status == RICO_OK && i < self->rows; i++) {
        *most = fmax(*most, fabs(self->gap[i] - self->c[i]) / length);
        *most = fmax(*most, fabs(self->assembly->w[i] - self->before[i]) / speed);
    }
    return status;
}


static bool curved(const rico_system *system)
{
    for (int64_t p = 0; p < system->part_count; p++)
        if (system->part[p]->curved || system->part[p]->place.q_size != system->part[p]->place.v_size)
            return true;
    return false;
}


rico_status rico_segment_tangent(rico_simulation *sim, double t, const double *q, const double *dq,
                                 double *dv)
{
    static const double STRIDE = 1e-3, WEIGHT[] = {2.0 / 3.0, -1.0 / 12.0};
    int64_t nq = sim->nq, nv = sim->nv;
    if (!curved(sim->system)) {
        memcpy(dv, dq, (size_t)nv * sizeof *dv);
        return RICO_OK;
    }
    double *G = rico_alloc(sim->ctx, nq * nv + 2 * nq + nv, sizeof *G);
    if (!G) return RICO_NO_MEMORY;
    double *right = G + nq * nv, *place = right + nq, *unit = place + nq;
    rico_status status = RICO_OK;
    memset(unit, 0, (size_t)nv * sizeof *unit);
    memset(G, 0, (size_t)(nq * nv) * sizeof *G);
    for (int64_t j = 0; status == RICO_OK && j < nv; j++) {
        unit[j] = 1.0;
        for (int k = -2; status == RICO_OK && k <= 2; k++) {
            if (k == 0) continue;
            status = rico_assembly_retract(sim->assembly, t, q, k * STRIDE, unit, place);
            double weight = (k > 0 ? WEIGHT[k - 1] : -WEIGHT[-k - 1]) / STRIDE;
            rico_axpy(nq, weight, place, G + j * nq);
        }
        unit[j] = 0.0;
    }
    memcpy(right, dq, (size_t)nq * sizeof *right);
    if (status == RICO_OK && LAPACKE_dgels(LAPACK_COL_MAJOR, 'N', (lapack_int)nq, (lapack_int)nv, 1, G,
                                           (lapack_int)nq, right, (lapack_int)nq) != 0)
        status = rico_fail(sim->ctx, RICO_SINGULAR, "velocities do not move the positions at t = %.10g", t);
    if (status == RICO_OK) memcpy(dv, right, (size_t)nv * sizeof *dv);
    rico_free(sim->ctx, G);
    return status;
}
