// Branches of orbits of a ring with any number of impacts, in the coupling or the period.
//
// Each point is solved from the times of the one before, stretched with the period. A step that changes the orbit too much is halved, so
// that Newton's method stays on its branch; where steps shrink to nothing the branch ends, and what lay behind the last step says why.

#include "orbit/ring_sequence.h"

#include <math.h>

static const double PRECISION = 1e-9, LARGE = 1e5, NEAR = 0.3;

typedef struct walk {
    rico_context *ctx;
    const rico_ring_sequence_path *path;
    rico_ring_sequence *here;
    double value, step;
    rico_ring_verdict behind; // what the last failed step met
    int64_t particle;
    double time;
} walk;


static double value_of(const rico_ring_sequence *sequence, rico_ring_parameter parameter)
{
    return parameter == RICO_RING_COUPLING ? sequence->coupling : sequence->period;
}


// The orbit at another value from the times of this one; NULL where there is none.
static rico_status solve(rico_context *ctx, const rico_ring_sequence *from, rico_ring_parameter parameter,
                         double value, rico_ring_sequence **found)
{
    rico_ring_sequence start = *from;
    *found = NULL;
    if (parameter == RICO_RING_COUPLING)
        start.coupling = value;
    else
        start.period = value;
    start.strike = rico_alloc(ctx, from->count, sizeof *start.strike);
    if (!start.strike) return RICO_NO_MEMORY;
    for (int64_t j = 0; j < from->count; j++) {
        start.strike[j] = from->strike[j];
        start.strike[j].time *= start.period / from->period;
    }
    rico_status status = rico_ring_sequence_solve(ctx, &start, found);
    rico_free(ctx, start.strike);
    return status == RICO_SINGULAR ? RICO_OK : status;
}


// Is the next orbit a neighbour of this one? By its energy, and impact by impact: a time may have passed 0, and with it the order.
static bool near(const rico_ring_sequence *a, const rico_ring_sequence *b)
{
    if (fabs(a->energy - b->energy) > NEAR * fmin(a->energy, b->energy)) return false;
    for (int64_t j = 0; j < a->count; j++) {
        double nearest = 1.0;
        for (int64_t i = 0; i < b->count; i++) {
            double shift = a->strike[j].time / a->period - b->strike[i].time / b->period;
            if (a->strike[j].particle == b->strike[i].particle && a->strike[j].upper == b->strike[i].upper)
                nearest = fmin(nearest, fabs(shift - nearbyint(shift)));
        }
        if (nearest > 0.1 * NEAR) return false;
    }
    return true;
}


static void take(walk *self, rico_ring_sequence *next, double value)
{
    rico_ring_sequence_destroy(self->here);
    self->here = next;
    self->value = value;
}


// One step, taken or halved; *ended says whether the observer wants no more.
static rico_status advance(walk *self, double direction, bool *ended)
{
    double to = self->path->to, value = self->value + direction * self->step;
    rico_ring_sequence *next;
    if ((to - value) * direction <= 0.0) value = to;
    rico_status status = solve(self->ctx, self->here, self->path->parameter, value, &next);
    if (status != RICO_OK) return status;
    if (next && next->verdict == RICO_RING_FEASIBLE && near(self->here, next)) {
        take(self, next, value);
        self->step = fmin(1.5 * self->step, self->path->largest_step);
        *ended = self->path->observe && !self->path->observe(self->path->user, self->here);
        return RICO_OK;
    }
    bool graze = next && next->verdict != RICO_RING_FEASIBLE && near(self->here, next);
    bool slow = graze && next->verdict == RICO_RING_NO_IMPACT;
    self->behind = graze                           ? next->verdict
                   : self->here->amplitude > LARGE ? RICO_RING_DIVERGES
                                                   : RICO_RING_SINGULAR;
    self->particle = !graze ? -1 : slow ? next->slowest_particle : next->gap_particle;
    self->time = graze && !slow ? next->gap_time : 0.0;
    self->step *= 0.5;
    rico_ring_sequence_destroy(next);
    return RICO_OK;
}


rico_status rico_ring_sequence_follow(rico_context *ctx, const rico_ring_sequence *start,
                                      const rico_ring_sequence_path *path, rico_ring_end *end)
{
    rico_ring_sequence_path own = *path;
    walk self = {.ctx = ctx, .path = &own, .value = value_of(start, path->parameter)};
    double direction = path->to >= self.value ? 1.0 : -1.0;
    bool ended = false;
    *end = (rico_ring_end){.particle = -1};
    if (own.largest_step <= 0.0) own.largest_step = fabs(path->to - self.value) / 200.0;
    self.step = own.largest_step;
    rico_status status = rico_ring_sequence_solve(ctx, start, &self.here);
    if (status != RICO_OK) return status;
    if (self.here->verdict != RICO_RING_FEASIBLE) {
        status = rico_fail(ctx, RICO_BAD_ARGUMENT, "a branch begins at an orbit, and this is none: %s",
                           rico_ring_verdict_words(self.here->verdict));
    } else {
        ended = path->observe && !path->observe(path->user, self.here);
        end->points = 1;
    }
    while (status == RICO_OK && !ended && self.value != path->to && self.step > 0.25 * PRECISION) {
        double before = self.value;
        status = advance(&self, direction, &ended);
        end->points += self.value != before;
    }
    end->value = self.value;
    if (status == RICO_OK && !ended && self.value != path->to) {
        end->reason = self.behind;
        end->particle = self.particle;
        end->time = self.time;
    }
    rico_ring_sequence_destroy(self.here);
    return status;
}
