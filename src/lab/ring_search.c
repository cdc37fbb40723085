// A search for orbits of a ring in which each particle strikes a given number of times.

#include "lab/ring_search.h"

#include "base/random.h"

#include <math.h>

enum { SOLUTIONS, PUSHING, ORBITS, DIFFERENT, COUNTS };
enum { PERIOD, ENERGY, GAP, SLOWEST, LARGEST, EVEN, FIELDS };
enum { MOST_STRIKES = 64 };
static const double SAME = 1e-6;

typedef struct hunt {
    rico_context *ctx;
    const rico_ring_search *of;
    rico_random random;
    int64_t count, room; // of orbits that differ
    double *value;       // FIELDS for each
} hunt;


static rico_status note(hunt *self, const double field[FIELDS])
{
    if (self->count == self->room) {
        int64_t room = 2 * self->room + 32;
        double *more = rico_grow(self->ctx, self->value, FIELDS * self->room, FIELDS * room, sizeof *more);
        if (!more) return RICO_NO_MEMORY;
        self->value = more;
        self->room = room;
    }
    for (int i = 0; i < FIELDS; i++) self->value[FIELDS * self->count + i] = field[i];
    self->count++;
    return RICO_OK;
}


static double distance(int64_t p, const double *a, const double *b)
{
    double far = 0.0;
    for (int64_t i = 0; i < p; i++) far = fmax(far, fabs(a[i] - b[i]));
    return far;
}


// Is it an orbit of half or a third of the period?
static bool repeats(const rico_ring_sequence *orbit)
{
    double here[2 * RICO_RING_SEARCHED], there[2 * RICO_RING_SEARCHED];
    int64_t p = orbit->particles;
    double quiet = 0.37 * orbit->period;
    rico_ring_sequence_at(orbit, quiet, here, here + p);
    for (int part = 2; part <= 5; part++) {
        rico_ring_sequence_at(orbit, quiet + orbit->period / part, there, there + p);
        if (distance(2 * p, here, there) < SAME * (1.0 + orbit->amplitude)) return true;
    }
    return false;
}


// Even about a moment: impacts come in pairs around it. Candidates are moments of impacts and the middles between two.
static bool is_even(const rico_ring_sequence *orbit)
{
    int64_t p = orbit->particles, K = orbit->count;
    double before[2 * RICO_RING_SEARCHED], after[2 * RICO_RING_SEARCHED];
    for (int64_t i = 0; i < K; i++)
        for (int64_t j = i; j < K; j++) {
            double centre = 0.5 * (orbit->strike[i].time + orbit->strike[j].time);
            bool mirrored = true;
            for (int k = 1; k <= 5 && mirrored; k++) {
                double away = 0.0873 * k * orbit->period;
                rico_ring_sequence_at(orbit, centre - away, before, before + p);
                rico_ring_sequence_at(orbit, centre + away, after, after + p);
                mirrored = distance(p, before, after) < SAME * (1.0 + orbit->amplitude);
            }
            if (mirrored) return true;
        }
    return false;
}


// One start; what it leads to is counted.
static rico_status try_once(hunt *self, double period, double counts[COUNTS], int64_t first)
{
    rico_ring_strike strike[MOST_STRIKES];
    rico_ring_sequence start = {.particles = self->of->particles,
                                .coupling = self->of->coupling,
                                .period = period,
                                .upper = self->of->upper,
                                .strike = strike};
    rico_ring_sequence *orbit = NULL;
    for (int64_t n = 0; n < start.particles; n++)
        for (int64_t k = 0; k < self->of->strikes[n]; k++)
            strike[start.count++] = (rico_ring_strike){n, isfinite(start.upper) && k % 2 == 1,
                                                       rico_random_range(&self->random, 0.0, period), 0.0};
    rico_status status = rico_ring_sequence_solve(self->ctx, &start, &orbit);
    if (status == RICO_SINGULAR) return RICO_OK;
    if (status != RICO_OK) return status;
    counts[SOLUTIONS] += 1.0;
    counts[PUSHING] += orbit->slowest > 0.0;
    bool new = orbit->verdict == RICO_RING_FEASIBLE;
    counts[ORBITS] += new;
    for (int64_t i = first; i < self->count && new; i++)
        new = fabs(self->value[FIELDS * i + ENERGY] - orbit->energy) > SAME *(1.0 + orbit->energy);
    if (new && !repeats(orbit)) {
        rico_ring_stability *stability = NULL;
        status = rico_ring_sequence_stability(orbit, 0.0, &stability);
        if (status == RICO_OK) {
            const double field[FIELDS] = {period,         orbit->energy,      orbit->gap,
                                          orbit->slowest, stability->largest, is_even(orbit)};
            status = note(self, field);
            counts[DIFFERENT] += 1.0;
        }
        rico_ring_stability_destroy(stability);
    }
    rico_ring_sequence_destroy(orbit);
    return status;
}


static rico_status add_orbits(const hunt *self, rico_sheet *sheet)
{
    static const char *const NAMES[FIELDS] = {"period", "energy", "gap", "slowest", "largest_multiplier",
                                              "even"};
    rico_status status = RICO_OK;
    double *column;
    for (int field = 0; field < FIELDS && status == RICO_OK; field++) {
        status = rico_sheet_add(sheet, NAMES[field], self->count, NULL, &column);
        for (int64_t i = 0; i < self->count && status == RICO_OK; i++)
            column[i] = self->value[FIELDS * i + field];
    }
    return status;
}


static rico_status check(rico_context *ctx, const rico_ring_search *search)
{
    int64_t all = 0;
    if (search->particles < 1 || search->particles > RICO_RING_SEARCHED)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a search is for 1 to %d particles, got %lld",
                         RICO_RING_SEARCHED, (long long)search->particles);
    for (int64_t n = 0; n < search->particles; n++) all += search->strikes[n];
    if (all < 1 || all > MOST_STRIKES)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a search is for 1 to %d impacts in a period, got %lld",
                         MOST_STRIKES, (long long)all);
    return RICO_OK;
}


rico_status rico_ring_search_sheet(const rico_ring_search *search, int64_t count, const double *periods,
                                   rico_sheet *sheet)
{
    static const char *const NAMES[COUNTS] = {"solutions", "pushing", "orbits", "different"};
    hunt self = {.ctx = sheet->ctx, .of = search};
    double *column[COUNTS];
    rico_status status = check(sheet->ctx, search);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "T", count, periods, NULL);
    for (int k = 0; k < COUNTS && status == RICO_OK; k++)
        status = rico_sheet_add(sheet, NAMES[k], count, NULL, &column[k]);
    rico_random_seed(&self.random, search->seed);
    for (int64_t i = 0; i < count && status == RICO_OK; i++) {
        double counts[COUNTS] = {0.0};
        int64_t first = self.count;
        for (int64_t k = 0; k < search->starts && status == RICO_OK; k++)
            status = try_once(&self, periods[i], counts, first);
        for (int k = 0; k < COUNTS && status == RICO_OK; k++) column[k][i] = counts[k];
        if (rico_context_interrupted(sheet->ctx)) break;
    }
    if (status == RICO_OK) status = add_orbits(&self, sheet);
    rico_free(sheet->ctx, self.value);
    return status;
}
