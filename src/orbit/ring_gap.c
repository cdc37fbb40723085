// The smallest gap along an orbit of a ring, found with a bound on what it may miss.
//
// On an interval of length h with positions and velocities at both ends, the cubic through them differs from the motion by no more
// than h^4 m / 384, m a bound of the fourth derivative. Its minimum less that bounds the gap from below, any value that the
// motion takes bounds the smallest gap from above; intervals are split until the two meet, to a millionth of the gap: many particles
// far from the blows rest with nearly the same one.
//
// At an impact the gap is zero. From there on the speed is positive while v + a s - b s^2 / 2 is, b a bound of the third derivative:
// steps of that length reach the first rest of the particle, which is where its search begins.

#include "orbit/ring.h"

#include <float.h>
#include <math.h>

static const double RELATIVE = 1e-6;
enum { DEEPEST = 40, MARCH = 400 };

typedef rico_ring_sample sample;

typedef struct search {
    const rico_ring_motion *motion;
    const rico_ring_stretch *stretch;
    int64_t particle;
    rico_ring_wall wall;
    double third, fourth; // bounds of derivatives
    rico_ring_gap *found;
} search;


static double may_miss(const rico_ring_gap *found)
{
    return fmax(found->tolerance, RELATIVE * fabs(found->gap));
}


// The particle as the wall sees it: for the upper one in a mirror, so that y + 1 is the gap.
static sample look(const search *self, double t)
{
    sample seen = rico_ring_motion_of(self->motion, self->particle, t);
    if (self->wall != RICO_RING_UPPER) return seen;
    return (sample){t, self->stretch->upper - 1.0 - seen.y, -seen.v, -seen.a};
}


static void offer(search *self, const sample *seen)
{
    if (seen->y + 1.0 >= self->found->gap) return;
    self->found->gap = seen->y + 1.0;
    self->found->time = seen->t;
    self->found->particle = self->particle;
}


// The minimum of the cubic of Hermite over the interval, as a value, and where, as a share of the interval.
static double cubic_minimum(const sample *a, const sample *b, double *where)
{
    double h = b->t - a->t, c1 = h * a->v, end = h * b->v, rise = b->y - a->y;
    double c2 = 3.0 * rise - 2.0 * c1 - end, c3 = c1 + end - 2.0 * rise;
    double lowest = a->y < b->y ? a->y : b->y;
    *where = a->y < b->y ? 0.0 : 1.0;

    // rests of the cubic: 3 c3 x^2 + 2 c2 x + c1 = 0, both roots without cancellation
    double inside = c2 * c2 - 3.0 * c3 * c1;
    if (inside < 0.0) return lowest;
    double q = -(c2 + copysign(sqrt(inside), c2));
    double root[2] = {q / (3.0 * c3), c1 / q};
    for (int k = 0; k < 2; k++) {
        double x = root[k];
        if (!(x > 0.0 && x < 1.0)) continue; // not a number where there is no such root
        double value = a->y + x * (c1 + x * (c2 + x * c3));
        if (value < lowest) {
            lowest = value;
            *where = x;
        }
    }
    return lowest;
}


static void split(search *self, const sample *a, const sample *b, int depth)
{
    double h = b->t - a->t, where;
    double low = 1.0 + cubic_minimum(a, b, &where) - h * h * h * h * self->fourth / 384.0;
    if (depth == 0 || low >= self->found->gap - may_miss(self->found)) return;

    double share = where > 0.1 && where < 0.9 ? where : 0.5;
    sample middle = look(self, a->t + share * h);
    offer(self, &middle);
    split(self, a, &middle, depth - 1);
    split(self, &middle, b, depth - 1);
}


// From an impact, forwards from the start (direction 1) or backwards from the end (-1), to the particle's first rest or as near as it gets
// by the length of the stretch.
static double first_rest(const search *self, double direction)
{
    double length = self->stretch->length, from = direction > 0.0 ? 0.0 : length, gone = 0.0;
    sample here = look(self, from);
    for (int step = 0; step < MARCH && gone < length && direction * here.v > 0.0; step++) {
        double v = direction * here.v, root = sqrt(here.a * here.a + 2.0 * self->third * v);
        double safe = here.a >= 0.0 ? (here.a + root) / self->third : 2.0 * v / (root - here.a);
        if (safe <= 1e-9 * length) break;
        gone += safe;
        here = look(self, from + direction * gone);
    }
    return gone < length ? gone : length;
}


static void search_particle(search *self, int64_t pieces)
{
    const rico_ring_stretch *stretch = self->stretch;
    double low = 0.0, high = stretch->length;
    if (stretch->leaves[self->particle] == self->wall) low = first_rest(self, 1.0);
    if (stretch->comes[self->particle] == self->wall) high -= first_rest(self, -1.0);

    // a flight that rises to one rest and falls from there has no minimum: its top stands for it
    if (low > high) low = high = 0.5 * (low + high);
    sample a = look(self, low);
    offer(self, &a);
    for (int64_t k = 1; k <= pieces && low < high; k++) {
        sample b = look(self, low + (high - low) * (double)k / (double)pieces);
        offer(self, &b);
        split(self, &a, &b, DEEPEST);
        a = b;
    }
}


void rico_ring_gap_look(const rico_ring_motion *motion, const rico_ring_stretch *stretch,
                        rico_ring_gap *found)
{
    double fastest = motion->frequency[motion->modes - 1];
    int64_t pieces = 4 + (int64_t)(3.0 * stretch->length * fastest);
    search self = {.motion = motion, .stretch = stretch, .found = found};
    for (self.particle = 0; self.particle < motion->particles; self.particle++) {
        rico_ring_motion_bounds(motion, self.particle, &self.third, &self.fourth);
        self.wall = RICO_RING_LOWER;
        search_particle(&self, pieces);
        self.wall = RICO_RING_UPPER;
        if (isfinite(stretch->upper)) search_particle(&self, pieces);
    }
    found->uncertainty = may_miss(found);
}


rico_status rico_ring_find_gap(rico_ring_orbit *orbit)
{
    const rico_ring *ring = &orbit->ring;
    int64_t p = ring->particles;
    double size = orbit->amplitude > 1.0 ? orbit->amplitude : 1.0;
    if (!(size < sqrt(DBL_MAX)))
        return rico_fail(orbit->ctx, RICO_SINGULAR,
                         "the orbit of period %g at coupling %g is too large to be judged", ring->period,
                         ring->coupling);

    rico_ring_wall *wall = rico_alloc(orbit->ctx, 2 * p, sizeof *wall);
    if (!wall) return RICO_NO_MEMORY;
    for (int64_t n = 0; n < p; n++) {
        if (ring->pattern[n] == RICO_RING_AT_START) wall[n] = RICO_RING_LOWER;
        if (ring->pattern[n] == RICO_RING_AT_HALF) wall[n + p] = RICO_RING_LOWER;
    }
    const rico_ring_stretch stretch = {0.5 * ring->period, INFINITY, wall, wall + p};
    rico_ring_gap found = {.gap = INFINITY, .tolerance = 1e-12 * size};
    rico_ring_gap_look(orbit->motion, &stretch, &found);
    rico_free(orbit->ctx, wall);
    orbit->gap = found.gap;
    orbit->gap_time = found.time;
    orbit->gap_particle = found.particle;
    orbit->gap_uncertainty = found.uncertainty;
    return RICO_OK;
}
