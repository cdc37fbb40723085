// Intervals of the coupling or the period in which a pattern of a ring has orbits: a scan, its ends bisected.

#include "orbit/ring_branch.h"

#include <math.h>

typedef struct scan {
    rico_context *ctx;
    const rico_ring *ring;
    rico_ring_parameter parameter;
    int64_t room, count;
    rico_ring_interval *intervals, open;
} scan;


static rico_status bisect(const scan *self, double good, double bad, rico_ring_end *end)
{
    return rico_ring_branch_bisect(self->ctx, self->ring, self->parameter, good, bad, NULL, end);
}


static void close_interval(scan *self, double value, rico_ring_verdict reason, int64_t particle)
{
    self->open.high = value;
    self->open.high_end = reason;
    self->open.high_particle = particle;
    if (self->count < self->room) self->intervals[self->count] = self->open;
    self->count++;
}


static rico_status step(scan *self, double before, double value, bool was, bool is)
{
    rico_ring_end end;
    if (was == is) return RICO_OK;
    rico_status status = is ? bisect(self, value, before, &end) : bisect(self, before, value, &end);
    if (status != RICO_OK) return status;
    if (is)
        self->open =
            (rico_ring_interval){.low = end.value, .low_end = end.reason, .low_particle = end.particle};
    else
        close_interval(self, end.value, end.reason, end.particle);
    return RICO_OK;
}


rico_status rico_ring_intervals(rico_context *ctx, const rico_ring *ring, rico_ring_parameter parameter,
                                double from, double to, double length, int64_t room,
                                rico_ring_interval *intervals, int64_t *count)
{
    scan self = {.ctx = ctx, .ring = ring, .parameter = parameter, .room = room, .intervals = intervals};
    *count = 0;
    if (!(length > 0.0 && to > from && (to - from) / length < 1e9))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "no scan of a ring from %g to %g with step %g", from, to,
                         length);
    int64_t steps = (int64_t)ceil((to - from) / length * (1.0 - 1e-12));
    bool was = false;
    double before = from;
    for (int64_t k = 0; k <= steps; k++) {
        double value = k == steps ? to : from + (double)k * length;
        rico_ring_orbit *orbit;
        rico_status status = rico_ring_branch_solve(ctx, ring, parameter, value, &orbit);
        if (status != RICO_OK) return status;
        bool is = orbit && orbit->verdict == RICO_RING_FEASIBLE;
        rico_ring_orbit_destroy(orbit);
        if (k == 0 && is)
            self.open = (rico_ring_interval){.low = value, .low_particle = -1};
        else if (k > 0)
            status = step(&self, before, value, was, is);
        if (status != RICO_OK) return status;
        was = is;
        before = value;
    }
    if (was) close_interval(&self, to, RICO_RING_FEASIBLE, -1);
    *count = self.count;
    return RICO_OK;
}
