// Sequences of branches: where one ends by touching between impacts, the next begins with these touches as impacts of no strength.

#include "la/dense.h"
#include "orbit/modes.h"

#include <math.h>
#include <string.h>

enum { MOST = RICO_MODES_IMPACTS, SAMPLES = 400, BISECTIONS = 60, POINTS = 4000 };
static const double TOUCHING = 1e-4; // of the gap at rest: how near to a touch the end of a branch is

// --- touches -------------------------------------------------------------------------------------------------

// The time in (a, b), where the gap falls at first and rises at last, at which it is lowest.
static double lowest(const rico_modes *modes, const rico_modes_orbit *orbit, double a, double b)
{
    for (int i = 0; i < BISECTIONS; i++) {
        double middle = 0.5 * (a + b), rate;
        rico_modes_gap(modes, orbit, middle, NULL, &rate);
        if (rate < 0.0)
            a = middle;
        else
            b = middle;
    }
    return 0.5 * (a + b);
}


// The durations of an orbit with its touches among the impacts; false if there are none, or too many.
static bool with_touches(const rico_modes *modes, const rico_modes_orbit *orbit, rico_modes_orbit *out)
{
    double begin = 0.0;
    *out = (rico_modes_orbit){.impacts = 0};
    for (int64_t i = 0; i < orbit->impacts; i++) {
        double length = orbit->duration[i], from = begin, before = 0.0;
        for (int64_t k = 1; k < SAMPLES; k++) {
            double t = begin + length * (double)k / SAMPLES, gap, rate, at;
            rico_modes_gap(modes, orbit, t, NULL, &rate);
            if (k > 1 && before < 0.0 && rate >= 0.0) {
                at = lowest(modes, orbit, t - length / SAMPLES, t);
                rico_modes_gap(modes, orbit, at, &gap, NULL);
                if (gap < TOUCHING * modes->g0) {
                    if (out->impacts + 2 > MOST) return false;
                    out->duration[out->impacts++] = at - from;
                    from = at;
                }
            }
            before = rate;
        }
        if (out->impacts == MOST) return false;
        begin += length;
        out->duration[out->impacts++] = begin - from;
    }
    return out->impacts > orbit->impacts;
}


// --- beyond them ---------------------------------------------------------------------------------------------

// A step of either sign along the curve through the junction, as short as shows impulses that are all positive.
rico_status rico_modes_beyond(const rico_modes *modes, const rico_modes_orbit *last, rico_modes_orbit *next,
                              int *direction)
{
    rico_modes_orbit more;
    double border[MOST], along[MOST], s[MOST];
    if (!with_touches(modes, last, &more))
        return rico_fail(modes->ctx, RICO_SINGULAR,
                         "the orbit of period %g touches nowhere between its impacts, or too often",
                         last->period);
    int64_t k = more.impacts;
    for (int64_t m = 0; m < k; m++) border[m] = 1.0;
    if (rico_modes_tangent(modes, k, more.duration, border, along))
        for (double h = 1e-5; h < 0.02; h *= 2.0)
            for (int sign = -1; sign <= 1; sign += 2) {
                for (int64_t m = 0; m < k; m++) s[m] = more.duration[m] + sign * h * along[m];
                rico_modes_orbit orbit;
                if (rico_modes_newton(modes, k, along, s) != RICO_OK) continue;
                if (rico_modes_at(modes, k, s, &orbit) != RICO_OK || !orbit.admissible) continue;
                double sum = 0.0;
                for (int64_t m = 0; m < k; m++) sum += along[m];
                *direction = sum > 0.0 ? sign : -sign;
                *next = orbit;
                return RICO_OK;
            }
    return rico_fail(modes->ctx, RICO_SINGULAR, "no branch of %lld impacts begins at the period %g",
                     (long long)k, last->period);
}


// --- sequences -----------------------------------------------------------------------------------------------

static bool approaches(const rico_modes_junction *junctions, int64_t count, const rico_modes_stick *stick)
{
    double before = INFINITY;
    for (int64_t i = 0; i < count; i++) {
        double away = fabs(junctions[i].energy - stick->energy);
        if (!(away < before)) return false;
        before = away;
    }
    return count > 1 && fabs(junctions[count - 1].period - stick->period) < 1e-3 * stick->period;
}


rico_status rico_modes_sequence(const rico_modes *modes, const rico_modes_orbit *start, int direction,
                                double step, const rico_modes_stick *stick, int64_t room,
                                rico_modes_junction *junctions, rico_modes_orbit *orbits, int64_t *count,
                                rico_modes_end *end)
{
    rico_modes_orbit now = *start, *branch = rico_alloc(modes->ctx, POINTS, sizeof *branch);
    rico_status status = branch ? RICO_OK : RICO_NO_MEMORY;
    *count = 0;
    *end = RICO_MODES_END_OPEN;
    while (status == RICO_OK && *count < room) {
        int64_t points;
        status = rico_modes_follow(modes, &now, direction, step, POINTS, branch, &points, end);
        if (status != RICO_OK) break;
        const rico_modes_orbit *last = &branch[points - 1];
        if (orbits) orbits[*count] = *last;
        junctions[(*count)++] = (rico_modes_junction){last->impacts, last->period, last->energy};
        if (*end != RICO_MODES_END_TOUCH || *count == room) break;
        if (rico_modes_beyond(modes, last, &now, &direction) != RICO_OK) break;
    }
    rico_free(modes->ctx, branch);
    if (status == RICO_OK && *end == RICO_MODES_END_TOUCH && stick && approaches(junctions, *count, stick))
        *end = RICO_MODES_END_STICKING;
    return status;
}
