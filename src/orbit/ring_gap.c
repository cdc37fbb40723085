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
    int64_t particle;
    double fourth, tolerance; // what may be missed in any case, by round-off
    double best, best_time;   // of all particles so far
    int64_t best_particle;
} search;


static double may_miss(const search *self)
{
    return fmax(self->tolerance, RELATIVE * fabs(self->best));
}


static void offer(search *self, const sample *seen)
{
    if (seen->y + 1.0 >= self->best) return;
    self->best = seen->y + 1.0;
    self->best_time = seen->t;
    self->best_particle = self->particle;
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
    if (depth == 0 || low >= self->best - may_miss(self)) return;

    double share = where > 0.1 && where < 0.9 ? where : 0.5;
    sample middle = rico_ring_motion_of(self->motion, self->particle, a->t + share * h);
    offer(self, &middle);
    split(self, a, &middle, depth - 1);
    split(self, &middle, b, depth - 1);
}


// From an impact, forwards (direction 1) or backwards (-1), to the particle's first rest or as near as it gets by `length`.
static double first_rest(const rico_ring_orbit *orbit, int64_t n, double direction, double length)
{
    double from = direction > 0.0 ? 0.0 : 0.5 * orbit->ring.period, third, fourth, gone = 0.0;
    rico_ring_motion_bounds(orbit->motion, n, &third, &fourth);
    sample here = rico_ring_motion_of(orbit->motion, n, from);
    for (int step = 0; step < MARCH && gone < length && direction * here.v > 0.0; step++) {
        double v = direction * here.v, root = sqrt(here.a * here.a + 2.0 * third * v);
        double safe = here.a >= 0.0 ? (here.a + root) / third : 2.0 * v / (root - here.a);
        if (safe <= 1e-9 * length) break;
        gone += safe;
        here = rico_ring_motion_of(orbit->motion, n, from + direction * gone);
    }
    return gone < length ? gone : length;
}


static void search_particle(search *self, const rico_ring_orbit *orbit, int64_t n, int64_t pieces)
{
    double half = 0.5 * orbit->ring.period, low = 0.0, high = half, third;
    rico_ring_impact impact = orbit->ring.pattern[n];
    if (impact == RICO_RING_AT_START) low = first_rest(orbit, n, 1.0, half);
    if (impact == RICO_RING_AT_HALF) high = half - first_rest(orbit, n, -1.0, half);

    self->particle = n;
    rico_ring_motion_bounds(self->motion, n, &third, &self->fourth);
    sample a = rico_ring_motion_of(self->motion, n, low);
    offer(self, &a);
    for (int64_t k = 1; k <= pieces && low < high; k++) {
        sample b = rico_ring_motion_of(self->motion, n, low + (high - low) * (double)k / (double)pieces);
        offer(self, &b);
        split(self, &a, &b, DEEPEST);
        a = b;
    }
}


rico_status rico_ring_find_gap(rico_ring_orbit *orbit)
{
    const rico_ring *ring = &orbit->ring;
    double fastest = sqrt(1.0 + 4.0 * ring->coupling);
    double size = orbit->amplitude > 1.0 ? orbit->amplitude : 1.0;
    if (!(size < sqrt(DBL_MAX)))
        return rico_fail(orbit->ctx, RICO_SINGULAR,
                         "the orbit of period %g at coupling %g is too large to be judged", ring->period,
                         ring->coupling);

    search found = {.motion = orbit->motion, .tolerance = 1e-12 * size, .best = INFINITY};
    int64_t pieces = 4 + (int64_t)(1.5 * ring->period * fastest);
    for (int64_t n = 0; n < ring->particles; n++) search_particle(&found, orbit, n, pieces);
    orbit->gap = found.best;
    orbit->gap_time = found.best_time;
    orbit->gap_particle = found.best_particle;
    orbit->gap_uncertainty = may_miss(&found);
    return RICO_OK;
}
