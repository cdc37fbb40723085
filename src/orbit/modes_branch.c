// Backbones: ranges of one impact per period, branches of several by pseudo-arclength, and how they end.

#include "la/dense.h"
#include "orbit/modes.h"

#include <math.h>

enum { MOST = RICO_MODES_IMPACTS, HALVINGS = 27, BISECTIONS = 60 };


const char *rico_modes_end_name(rico_modes_end end)
{
    static const char *const NAMES[] = {"open",
                                        "energy without bound",
                                        "linear mode that grazes",
                                        "impact is lost",
                                        "touches between impacts",
                                        "no further orbit",
                                        "approaches an orbit that sticks"};
    return (unsigned)end < sizeof NAMES / sizeof *NAMES ? NAMES[end] : "";
}


// The least energy of a linear mode that touches: the unit of energy of all orbits.
static double unit_energy(const rico_modes *modes)
{
    double least = INFINITY;
    for (int64_t j = 0; j < modes->n; j++)
        if (modes->b[j] != 0.0) least = fmin(least, rico_modes_grazing_energy(modes, j));
    return least;
}


// Of an orbit so near to the end of its branch that nothing but what vanishes, or grows, is small, or large.
static rico_modes_end name_end(const rico_modes *modes, const rico_modes_orbit *last, double small)
{
    double most = 0.0, least = INFINITY, unit = sqrt(2.0 * last->energy / modes->W);
    for (int64_t i = 0; i < last->impacts; i++) {
        most = fmax(most, last->impulse[i]);
        least = fmin(least, last->impulse[i]);
    }
    if (last->energy > unit_energy(modes) / (small * small)) return RICO_MODES_END_ENERGY;
    if (most < small * unit) return RICO_MODES_END_GRAZING;
    return least < small * unit ? RICO_MODES_END_LOST : RICO_MODES_END_TOUCH;
}


// --- one impact ----------------------------------------------------------------------------------------------

static bool is_admissible(const rico_modes *modes, double T, rico_modes_orbit *orbit)
{
    return rico_modes_one(modes, T, orbit) == RICO_OK && orbit->admissible;
}


// Where admissibility changes between two periods; `in` has it.
static double boundary(const rico_modes *modes, double in, double out, rico_modes_end *end)
{
    rico_modes_orbit orbit, last;
    rico_modes_one(modes, in, &last);
    for (int i = 0; i < BISECTIONS && fabs(in - out) > 1e-11 * in; i++) {
        double middle = 0.5 * (in + out);
        if (is_admissible(modes, middle, &orbit)) {
            in = middle;
            last = orbit;
        } else {
            out = middle;
        }
    }
    *end = name_end(modes, &last, 1e-6);
    return in;
}


rico_status rico_modes_ranges(const rico_modes *modes, double low, double high, double step, int64_t room,
                              rico_modes_range *ranges, int64_t *count)
{
    rico_modes_orbit orbit;
    rico_modes_range range = {0};
    bool inside = false;
    *count = 0;
    if (!(low > 0.0 && high > low && isfinite(high) && step > 0.0 && (high - low) / step < 1e8))
        return rico_fail(modes->ctx, RICO_BAD_ARGUMENT, "no range of periods from %g to %g in steps of %g",
                         low, high, step);
    int64_t steps = (int64_t)ceil((high - low) / step);
    for (int64_t i = 0; i <= steps; i++) {
        double before = low + (high - low) * (double)(i - 1) / (double)steps;
        double T = low + (high - low) * (double)i / (double)steps;
        if (rico_context_interrupted(modes->ctx))
            return rico_fail(modes->ctx, RICO_INTERRUPTED, "interrupted at the period %g", T);
        bool now = is_admissible(modes, T, &orbit);
        if (now && !inside) {
            range.low = T;
            range.low_end = RICO_MODES_END_OPEN;
            if (i > 0) range.low = boundary(modes, T, before, &range.low_end);
        }
        if (inside && !now) range.high = boundary(modes, before, T, &range.high_end);
        if (now && i == steps) {
            range.high = T;
            range.high_end = RICO_MODES_END_OPEN;
        }
        if ((inside && !now) || (now && i == steps)) {
            if (*count < room) ranges[*count] = range;
            ++*count;
        }
        inside = now;
    }
    return RICO_OK;
}


// --- several -------------------------------------------------------------------------------------------------

// F is constant along it.
bool rico_modes_tangent(const rico_modes *modes, int64_t k, const double *s, const double *border,
                        double *out)
{
    double p[MOST], F[MOST], J[MOST * MOST];
    int32_t pivot[MOST];
    int64_t most = 0;
    if (rico_modes_elastic(modes, k, s, p, F, J) != RICO_OK) return false;
    for (int64_t i = 1; i < k; i++)
        if (fabs(p[i]) > fabs(p[most])) most = i;
    for (int64_t m = 0; m < k; m++) {
        J[most + k * m] = border[m];
        out[m] = m == most ? 1.0 : 0.0;
    }
    if (rico_dense_lu(modes->ctx, k, J, pivot) != RICO_OK) return false;
    rico_dense_lu_solve(k, J, pivot, 1, out);
    double size = rico_norm(k, out);
    if (!(size > 0.0 && isfinite(size))) return false;
    for (int64_t m = 0; m < k; m++) out[m] /= size;
    return true;
}


// One step of length h along the direction; false where it leads to no orbit, or to one of another branch.
static bool advance(const rico_modes *modes, const rico_modes_orbit *from, const double *along, double h,
                    rico_modes_orbit *to, double *next)
{
    int64_t k = from->impacts;
    double s[MOST], moved = 0.0;
    for (int64_t m = 0; m < k; m++) {
        s[m] = from->duration[m] + h * along[m];
        if (!(s[m] > 0.0)) return false;
    }
    if (rico_modes_newton(modes, k, along, s) != RICO_OK) return false;
    for (int64_t m = 0; m < k; m++) {
        double off = s[m] - from->duration[m] - h * along[m];
        moved += off * off;
    }
    if (sqrt(moved) > 0.5 * h || !rico_modes_tangent(modes, k, s, along, next)) return false;
    return rico_dot(k, next, along) > 0.9 && rico_modes_at(modes, k, s, to) == RICO_OK;
}


rico_status rico_modes_follow(const rico_modes *modes, const rico_modes_orbit *start, int direction,
                              double step, int64_t room, rico_modes_orbit *orbits, int64_t *count,
                              rico_modes_end *end)
{
    int64_t k = start->impacts;
    double border[MOST], along[MOST], next[MOST], h = step;
    *count = 0;
    *end = RICO_MODES_END_OPEN;
    if (k < 2 || k > MOST || !(step > 0.0) || room < 1)
        return rico_fail(modes->ctx, RICO_BAD_ARGUMENT,
                         "a branch needs 2 to %d impacts and a positive step, got %lld and %g", MOST,
                         (long long)k, step);
    for (int64_t m = 0; m < k; m++) border[m] = direction < 0 ? -1.0 : 1.0;
    if (!rico_modes_tangent(modes, k, start->duration, border, along))
        return rico_fail(modes->ctx, RICO_SINGULAR, "the branch has no direction at its start, T = %g",
                         start->period);
    orbits[(*count)++] = *start;
    while (*count < room) {
        const rico_modes_orbit *last = &orbits[*count - 1];
        rico_modes_orbit trial = {0};
        if (rico_context_interrupted(modes->ctx))
            return rico_fail(modes->ctx, RICO_INTERRUPTED, "interrupted at the period %g", last->period);
        if (last->energy > 1e8 * unit_energy(modes)) {
            *end = RICO_MODES_END_ENERGY;
            return RICO_OK;
        }
        bool found = advance(modes, last, along, h, &trial, next);
        if (found && trial.admissible) {
            orbits[(*count)++] = trial;
            for (int64_t m = 0; m < k; m++) along[m] = next[m];
            h = fmin(step, 1.5 * h);
            continue;
        }
        h *= 0.5;
        if (h < ldexp(step, -HALVINGS)) {
            *end = found ? name_end(modes, last, 1e-4) : RICO_MODES_END_STUCK;
            return RICO_OK;
        }
    }
    return RICO_OK;
}
