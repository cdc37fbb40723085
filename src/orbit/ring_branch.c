// Branches of orbits of a ring in the coupling or the period, with one pattern: followed to their end, which is bisected and named.
//
// The boundary value problem is linear, so that every point is solved for itself and nothing is predicted; steps are kept so small
// that orbits at their ends are near each other. A step that crosses a singular matrix shows in the sign of the determinant: at a
// pole the speeds change their signs with it, and the branch ends; where the kernel has another symmetry than the orbit, the orbit goes on.

#include "orbit/ring_branch.h"

#include <math.h>
#include <string.h>

static const double PRECISION = 1e-9, LARGE = 1e5, NEAR = 0.2;


static double *parameter_of(rico_ring *ring, rico_ring_parameter parameter)
{
    return parameter == RICO_RING_COUPLING ? &ring->coupling : &ring->period;
}


rico_status rico_ring_branch_solve(rico_context *ctx, const rico_ring *ring, rico_ring_parameter parameter,
                                   double value, rico_ring_orbit **orbit)
{
    rico_ring there = *ring;
    *parameter_of(&there, parameter) = value;
    rico_status status = rico_ring_solve(ctx, &there, orbit);
    return status == RICO_SINGULAR ? RICO_OK : status;
}


static bool feasible(const rico_ring_orbit *orbit)
{
    return orbit && orbit->verdict == RICO_RING_FEASIBLE;
}


// How far two orbits of one pattern are from each other, in units of the smaller, not below 1.
static double distance(const rico_ring_orbit *a, const rico_ring_orbit *b)
{
    double size = fmax(1.0, fmin(a->amplitude, b->amplitude)), largest = 0.0;
    for (int64_t n = 0; n < a->ring.particles; n++) {
        double far = fmax(fabs(a->y[n] - b->y[n]), fabs(a->v[n] - b->v[n]));
        if (far > largest) largest = far;
    }
    return largest / size;
}


rico_status rico_ring_branch_bisect(rico_context *ctx, const rico_ring *ring, rico_ring_parameter parameter,
                                    double good, double bad, rico_ring_orbit **last, rico_ring_end *end)
{
    rico_ring_orbit *inside = NULL, *outside = NULL;
    rico_status status = rico_ring_branch_solve(ctx, ring, parameter, good, &inside);
    if (status == RICO_OK) status = rico_ring_branch_solve(ctx, ring, parameter, bad, &outside);
    while (status == RICO_OK && fabs(bad - good) > 0.25 * PRECISION) {
        double middle = 0.5 * (good + bad);
        if (middle == good || middle == bad) break;
        rico_ring_orbit *orbit;
        status = rico_ring_branch_solve(ctx, ring, parameter, middle, &orbit);
        if (status != RICO_OK) break;
        rico_ring_orbit **place = feasible(orbit) ? &inside : &outside;
        *(feasible(orbit) ? &good : &bad) = middle;
        rico_ring_orbit_destroy(*place);
        *place = orbit;
    }
    if (status == RICO_OK) {
        end->value = good;
        rico_ring_branch_name(inside, outside, end);
    }
    rico_ring_orbit_destroy(outside);
    if (status == RICO_OK && last)
        *last = inside;
    else
        rico_ring_orbit_destroy(inside);
    return status;
}


void rico_ring_branch_name(const rico_ring_orbit *inside, const rico_ring_orbit *outside, rico_ring_end *end)
{
    end->particle = -1;
    end->time = 0.0;
    bool flipped = !outside || inside->determinant_sign != outside->determinant_sign;
    if (inside->amplitude > LARGE) {
        end->reason = RICO_RING_DIVERGES;
    } else if (inside->slowest < 1e-3 && (!outside || outside->verdict == RICO_RING_NO_IMPACT)) {
        end->reason = RICO_RING_NO_IMPACT;
        end->particle = inside->slowest_particle;
        end->time =
            inside->ring.pattern[end->particle] == RICO_RING_AT_HALF ? 0.5 * inside->ring.period : 0.0;
    } else if (!outside || (flipped && distance(inside, outside) > NEAR)) {
        end->reason = RICO_RING_SINGULAR;
    } else {
        bool grazing = outside->verdict != RICO_RING_NO_IMPACT;
        end->reason = outside->verdict;
        end->particle = grazing ? outside->gap_particle : outside->slowest_particle;
        end->time = grazing ? outside->gap_time : 0.0;
    }
}


// --- following -----------------------------------------------------------------------------------------------

typedef struct walk {
    rico_context *ctx;
    const rico_ring_path *path;
    rico_ring ring;
    rico_ring_orbit *here;
    double value, step, least, most;
    rico_ring_end *end;
} walk;


static bool arrived(const walk *self)
{
    return self->value == self->path->to;
}


static bool tell(const walk *self)
{
    self->end->points++;
    return !self->path->observe || self->path->observe(self->path->user, self->here);
}


// One step of the length that works; *ended where none does.
static rico_status advance(walk *self, bool *ended)
{
    double direction = self->path->to > self->value ? 1.0 : -1.0;
    *ended = false;
    for (;;) {
        double left = fabs(self->path->to - self->value);
        double next = self->step >= left ? self->path->to : self->value + direction * self->step;
        rico_ring_orbit *orbit;
        rico_status status =
            rico_ring_branch_solve(self->ctx, &self->ring, self->path->parameter, next, &orbit);
        if (status != RICO_OK) return status;

        // a step that is short enough and still fails has the end within it
        bool near = feasible(orbit) && distance(self->here, orbit) <= NEAR;
        if (!near && self->step > self->least) {
            rico_ring_orbit_destroy(orbit);
            self->step = fmax(0.5 * fmin(self->step, left), self->least);
            continue;
        }
        if (!feasible(orbit)) {
            rico_ring_orbit_destroy(orbit);
            *ended = true;
            rico_ring_orbit *last;
            status = rico_ring_branch_bisect(self->ctx, &self->ring, self->path->parameter, self->value, next,
                                             &last, self->end);
            if (status != RICO_OK) return status;
            rico_ring_orbit_destroy(self->here);
            self->here = last;
            self->value = self->end->value;
            return RICO_OK;
        }
        self->end->crossings += orbit->determinant_sign != self->here->determinant_sign;
        rico_ring_orbit_destroy(self->here);
        self->here = orbit;
        self->value = next;
        self->step = fmin(1.5 * self->step, self->most);
        return RICO_OK;
    }
}


// What grazes at the end of a branch strikes beyond it, what strikes no more is left alone. False where that cannot be: the graze is
// not at 0 or T/2.
static bool change_pattern(const walk *self, rico_ring_impact *pattern)
{
    const rico_ring_orbit *orbit = self->here;
    double half = 0.5 * orbit->ring.period, aside = fmin(self->end->time, half - self->end->time);
    bool touches = self->end->reason == RICO_RING_TOUCHES, slows = self->end->reason == RICO_RING_NO_IMPACT;
    bool changed = false;
    if (!slows && !(touches && aside < 1e-3 * half)) return false;
    for (int64_t n = 0; n < orbit->ring.particles; n++) {
        rico_ring_impact was = orbit->ring.pattern[n], now = was;
        double speed = was == RICO_RING_AT_START ? orbit->v[n] : -orbit->v_half[n];
        if (was == RICO_RING_NEVER && touches) {
            if (orbit->y[n] + 1.0 < 1e-6) now = RICO_RING_AT_START;
            if (orbit->y_half[n] + 1.0 < 1e-6) now = RICO_RING_AT_HALF;
        } else if (was != RICO_RING_NEVER && slows && speed < 1e-4) {
            now = RICO_RING_NEVER;
        }
        pattern[n] = now;
        changed |= now != was;
    }
    return changed;
}


// Beyond the end with another pattern. *done where there is an orbit a little further.
static rico_status change_branch(walk *self, rico_ring_impact *pattern, bool *done)
{
    *done = false;
    if (!self->path->switching || !change_pattern(self, pattern)) return RICO_OK;
    int64_t striking = 0;
    for (int64_t n = 0; n < self->ring.particles; n++) striking += pattern[n] != RICO_RING_NEVER;
    if (striking == 0) return RICO_OK;

    rico_ring other = self->ring;
    other.pattern = pattern;
    double direction = self->path->to > self->value ? 1.0 : -1.0;
    double left = fabs(self->path->to - self->value), over = fmin(10.0 * self->least, left);
    rico_ring_orbit *orbit;
    double value = self->value + direction * over;
    rico_status status = rico_ring_branch_solve(self->ctx, &other, self->path->parameter, value, &orbit);
    if (status != RICO_OK) return status;
    if (feasible(orbit) && distance(self->here, orbit) <= NEAR) {
        // the copy of the pattern that an orbit has lives as long as the orbit
        rico_ring_orbit_destroy(self->here);
        self->here = orbit;
        self->ring.pattern = pattern;
        self->value = value;
        self->step = over;
        self->end->switches++;
        *done = true;
        return RICO_OK;
    }
    rico_ring_orbit_destroy(orbit);
    return RICO_OK;
}


static rico_status follow(walk *self, rico_ring_impact *pattern)
{
    rico_ring_impact *spare = pattern + self->ring.particles;
    bool heard = tell(self);
    while (heard && !arrived(self)) {
        bool ended, changed;
        rico_status status = advance(self, &ended);
        if (status != RICO_OK) return status;
        heard = tell(self);
        if (!ended) continue;
        status = change_branch(self, spare, &changed);
        if (status != RICO_OK) return status;
        if (!changed) return RICO_OK;
        rico_ring_impact *before = pattern;
        pattern = spare;
        spare = before;
        heard = heard && tell(self);
    }
    *self->end = (rico_ring_end){.value = self->value,
                                 .particle = -1,
                                 .points = self->end->points,
                                 .switches = self->end->switches,
                                 .crossings = self->end->crossings};
    return RICO_OK;
}


rico_status rico_ring_continue(rico_context *ctx, const rico_ring *ring, const rico_ring_path *path,
                               rico_ring_end *end)
{
    rico_ring start = *ring;
    double from = *parameter_of(&start, path->parameter), length = fabs(path->to - from);
    if (!(isfinite(path->to) && path->to >= 0.0))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a branch of a ring cannot be followed to %g", path->to);
    rico_ring_impact *pattern =
        rico_alloc(ctx, 2 * (ring->particles > 0 ? ring->particles : 1), sizeof *pattern);
    if (!pattern) return RICO_NO_MEMORY;

    *end = (rico_ring_end){.value = from, .particle = -1};
    double most = path->largest_step > 0.0 ? path->largest_step : length / 200.0;
    walk self = {.ctx = ctx, .path = path, .ring = start, .value = from, .end = end};
    self.most = most;
    self.step = most;
    self.least = fmin(most, 1e-6 * fmax(length, 1e-3));
    rico_status status = rico_ring_solve(ctx, ring, &self.here);
    if (status == RICO_OK && !feasible(self.here))
        status = rico_fail(ctx, RICO_BAD_INPUT, "the branch has no orbit to begin with: %s (particle %lld)",
                           rico_ring_verdict_words(self.here->verdict),
                           (long long)(self.here->verdict == RICO_RING_NO_IMPACT ? self.here->slowest_particle
                                                                                 : self.here->gap_particle));
    if (status == RICO_OK) {
        memcpy(pattern, ring->pattern, (size_t)ring->particles * sizeof *pattern);
        self.ring.pattern = pattern;
        status = follow(&self, pattern);
    }
    rico_ring_orbit_destroy(self.here);
    rico_free(ctx, pattern);
    return status;
}
