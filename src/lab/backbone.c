// Backbones of nonsmooth modes: the search for branches of k impacts per period.

#include "lab/backbone.h"

#include "base/random.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PAIRS = 64, TRIES = 60, PERIODS = 12, MOST_POINTS = 3000 };
static const double STABLE =
    1e-4; // beyond 1: the two multipliers at 1 are only known to the root of round-off


void rico_backbones_release(rico_backbones *all)
{
    for (int64_t i = 0; i < all->count; i++) {
        rico_free(all->ctx, all->branch[i].orbit);
        rico_free(all->ctx, all->branch[i].largest);
    }
    rico_free(all->ctx, all->branch);
    *all = (rico_backbones){.ctx = all->ctx};
}


static rico_status multipliers(const rico_modes *modes, rico_backbone *branch, rico_context *ctx)
{
    int64_t size = 2 * rico_modes_count(modes);
    double *real = rico_alloc(ctx, 2 * size, sizeof *real);
    if (!real) return RICO_NO_MEMORY;
    rico_status status = RICO_OK;
    for (int64_t i = 0; status == RICO_OK && i < branch->count; i++) {
        status = rico_modes_multipliers(modes, &branch->orbit[i], real, real + size);
        for (int64_t j = 0; status == RICO_OK && j < size; j++)
            branch->largest[i] = fmax(branch->largest[i], hypot(real[j], real[size + j]));
    }
    rico_free(ctx, real);
    return status;
}


// A branch with room for its orbits.
static rico_status add(rico_backbones *all, int64_t impacts, int64_t count, rico_backbone **out)
{
    if (all->count == all->room) {
        int64_t room = 2 * all->room + 8;
        rico_backbone *grown = rico_grow(all->ctx, all->branch, all->room, room, sizeof *grown);
        if (!grown) return RICO_NO_MEMORY;
        all->branch = grown;
        all->room = room;
    }
    rico_backbone *branch = &all->branch[all->count];
    *branch = (rico_backbone){.impacts = impacts, .count = count};
    branch->orbit = rico_alloc(all->ctx, count, sizeof *branch->orbit);
    branch->largest = rico_alloc(all->ctx, count, sizeof *branch->largest);
    all->count++; // releases what there is
    *out = branch;
    return branch->orbit && branch->largest ? RICO_OK : RICO_NO_MEMORY;
}


// --- one impact ----------------------------------------------------------------------------------------------

// Points crowd towards the ends, where the energy changes fast.
static rico_status find_one(rico_backbones *all, const rico_modes *modes, double low, double high,
                            int64_t points)
{
    enum { RANGES = 256 };
    rico_modes_range range[RANGES];
    int64_t count;
    rico_status status = rico_modes_ranges(modes, low, high, (high - low) / 4000.0, RANGES, range, &count);
    for (int64_t i = 0; status == RICO_OK && i < count && i < RANGES; i++) {
        rico_backbone *branch;
        status = add(all, 1, points, &branch);
        if (status != RICO_OK) break;
        branch->begin = range[i].low_end;
        branch->end = range[i].high_end;
        branch->count = 0;
        for (int64_t k = 0; k < points; k++) {
            double angle = acos(-1.0) * ((double)k + 0.5) / (double)points;
            double T = range[i].low + (range[i].high - range[i].low) * 0.5 * (1.0 - cos(angle));
            rico_modes_orbit *orbit = &branch->orbit[branch->count];
            if (rico_modes_one(modes, T, orbit) == RICO_OK && orbit->admissible) branch->count++;
        }
        status = multipliers(modes, branch, all->ctx);
    }
    return status;
}


// --- several -------------------------------------------------------------------------------------------------

// The same orbit, its first impact chosen differently or its time reversed?
static bool alike(const rico_modes_orbit *a, const rico_modes_orbit *b, double tol)
{
    int64_t k = a->impacts;
    for (int64_t shift = 0; shift < k; shift++)
        for (int back = 0; back < 2; back++) {
            double worst = 0.0;
            for (int64_t i = 0; i < k; i++) {
                int64_t at = back ? (shift + k - i) % k : (shift + i) % k;
                worst = fmax(worst, fabs(a->duration[i] - b->duration[at]));
            }
            if (worst < tol) return true;
        }
    return false;
}


// An orbit of fewer impacts told several times?
static bool repeats(const rico_modes_orbit *orbit)
{
    int64_t k = orbit->impacts;
    for (int64_t part = 1; part < k; part++) {
        if (k % part) continue;
        double worst = 0.0;
        for (int64_t i = 0; i < k; i++)
            worst = fmax(worst, fabs(orbit->duration[i] - orbit->duration[(i + part) % k]));
        if (worst < 1e-6 * orbit->period) return true;
    }
    return false;
}


static bool is_known(const rico_backbones *all, const rico_modes_orbit *orbit, double tol)
{
    for (int64_t b = 0; b < all->count; b++)
        for (int64_t i = 0; all->branch[b].impacts == orbit->impacts && i < all->branch[b].count; i++)
            if (alike(&all->branch[b].orbit[i], orbit, tol)) return true;
    return false;
}


// Follows a branch both ways and joins what comes.
static rico_status follow(rico_backbones *all, const rico_modes *modes, const rico_modes_orbit *start,
                          double step)
{
    rico_backbone *branch;
    rico_modes_orbit *work = rico_alloc(all->ctx, 2 * MOST_POINTS, sizeof *work);
    int64_t back = 0, ahead = 0;
    rico_modes_end begin = RICO_MODES_END_OPEN, end = RICO_MODES_END_OPEN;
    rico_status status = work ? RICO_OK : RICO_NO_MEMORY;
    if (status == RICO_OK)
        status = rico_modes_follow(modes, start, -1, step, MOST_POINTS, work, &back, &begin);
    if (status == RICO_OK)
        status = rico_modes_follow(modes, start, 1, step, MOST_POINTS, work + MOST_POINTS, &ahead, &end);
    if (status == RICO_OK) status = add(all, start->impacts, back + ahead - 1, &branch);
    if (status == RICO_OK) {
        for (int64_t i = 0; i < back; i++) branch->orbit[i] = work[back - 1 - i];
        memcpy(branch->orbit + back, work + MOST_POINTS + 1, (size_t)(ahead - 1) * sizeof *work);
        branch->begin = begin;
        branch->end = end;
        status = multipliers(modes, branch, all->ctx);
    }
    rico_free(all->ctx, work);
    return status == RICO_SINGULAR ? RICO_OK : status; // a start at which the branch has no direction
}


static rico_status consider(rico_backbones *all, const rico_modes *modes, const rico_modes_orbit *orbit,
                            double step)
{
    if (!orbit->admissible || repeats(orbit) || is_known(all, orbit, 2.0 * step)) return RICO_OK;
    return follow(all, modes, orbit, step);
}


static rico_status find_two(rico_backbones *all, const rico_modes *modes, double low, double high,
                            int64_t points)
{
    double step = (high - low) / (double)points;
    rico_status status = RICO_OK;
    for (int64_t i = 0; status == RICO_OK && i <= points; i++) {
        double T = low + step * (double)i, s[PAIRS];
        int64_t count;
        if (rico_context_interrupted(all->ctx))
            return rico_fail(all->ctx, RICO_INTERRUPTED, "interrupted at the period %g", T);
        if (rico_modes_pairs(modes, T, PAIRS, s, &count) != RICO_OK) continue;
        for (int64_t c = 0; status == RICO_OK && c < count && c < PAIRS; c++) {
            double durations[2] = {s[c], T - s[c]};
            rico_modes_orbit orbit;
            if (rico_modes_at(modes, 2, durations, &orbit) == RICO_OK)
                status = consider(all, modes, &orbit, 0.5 * step);
        }
    }
    return status;
}


static rico_status find_several(rico_backbones *all, const rico_modes *modes, int64_t k, double low,
                                double high, int64_t points)
{
    rico_random random;
    rico_random_seed(&random, 1);
    rico_status status = RICO_OK;
    for (int64_t i = 0; status == RICO_OK && i < PERIODS * TRIES * k; i++) {
        rico_modes_orbit orbit = {.impacts = k};
        double sum = 0.0, T = rico_random_range(&random, low, high);
        if (rico_context_interrupted(all->ctx))
            return rico_fail(all->ctx, RICO_INTERRUPTED, "interrupted after %lld starts", (long long)i);
        for (int64_t m = 0; m < k; m++) sum += orbit.duration[m] = rico_random_range(&random, 0.05, 1.0);
        for (int64_t m = 0; m < k; m++) orbit.duration[m] *= T / sum;
        if (rico_modes_refine(modes, &orbit) == RICO_OK)
            status = consider(all, modes, &orbit, 0.5 * (high - low) / (double)points);
    }
    return status;
}


// Branches that begin where one of fewer impacts, already there, touches.
static rico_status find_beyond(rico_backbones *all, const rico_modes *modes, int64_t k, double step)
{
    rico_status status = RICO_OK;
    for (int64_t b = 0; status == RICO_OK && b < all->count; b++)
        for (int side = 0; status == RICO_OK && side < 2; side++) {
            const rico_backbone *branch = &all->branch[b];
            rico_modes_end end = side ? branch->end : branch->begin;
            rico_modes_orbit next;
            int direction;
            if (branch->impacts >= k || branch->count == 0 || end != RICO_MODES_END_TOUCH) continue;
            if (rico_modes_beyond(modes, &branch->orbit[side ? branch->count - 1 : 0], &next, &direction) !=
                RICO_OK)
                continue;
            if (next.impacts == k) status = consider(all, modes, &next, step);
        }
    return status;
}


rico_status rico_backbones_find(rico_backbones *all, const rico_modes *modes, int64_t k, double low,
                                double high, int64_t points)
{
    if (!(low > 0.0 && high > low && isfinite(high)) || points < 2)
        return rico_fail(all->ctx, RICO_BAD_ARGUMENT,
                         "no backbones for periods from %g to %g and %lld points", low, high,
                         (long long)points);
    if (k < 1 || k > RICO_MODES_IMPACTS)
        return rico_fail(all->ctx, RICO_BAD_ARGUMENT, "an orbit has 1 to %d impacts, got %lld",
                         RICO_MODES_IMPACTS, (long long)k);
    if (k == 1) return find_one(all, modes, low, high, points);
    if (k == 2) return find_two(all, modes, low, high, points);
    rico_status status = find_beyond(all, modes, k, 0.5 * (high - low) / (double)points);
    return status == RICO_OK ? find_several(all, modes, k, low, high, points) : status;
}


// --- what came of it -----------------------------------------------------------------------------------------

rico_status rico_backbones_sheet(const rico_backbones *all, rico_sheet *sheet)
{
    enum { FIXED = 6 };
    static const char *const NAMES[FIXED] = {"branch",    "impacts", "period",
                                             "frequency", "energy",  "multiplier"};
    int64_t rows = 0, most = 0, row = 0;
    double *column[FIXED + 2 * RICO_MODES_IMPACTS];
    rico_status status = RICO_OK;
    for (int64_t b = 0; b < all->count; b++) {
        rows += all->branch[b].count;
        if (all->branch[b].impacts > most) most = all->branch[b].impacts;
    }
    for (int c = 0; status == RICO_OK && c < FIXED; c++)
        status = rico_sheet_add(sheet, NAMES[c], rows, NULL, &column[c]);
    for (int64_t i = 0; status == RICO_OK && i < 2 * most; i++) {
        char name[RICO_SHEET_NAME];
        snprintf(name, sizeof name, "%s_%lld", i < most ? "duration" : "impulse", (long long)(i % most) + 1);
        status = rico_sheet_add(sheet, name, rows, NULL, &column[FIXED + i]);
    }
    for (int64_t b = 0; status == RICO_OK && b < all->count; b++)
        for (int64_t i = 0; i < all->branch[b].count; i++, row++) {
            const rico_modes_orbit *orbit = &all->branch[b].orbit[i];
            const double fixed[FIXED] = {(double)b + 1.0, (double)orbit->impacts,
                                         orbit->period,   2.0 * acos(-1.0) / orbit->period,
                                         orbit->energy,   all->branch[b].largest[i]};
            for (int c = 0; c < FIXED; c++) column[c][row] = fixed[c];
            for (int64_t m = 0; m < orbit->impacts; m++) {
                column[FIXED + m][row] = orbit->duration[m];
                column[FIXED + most + m][row] = orbit->impulse[m];
            }
        }
    return status;
}


bool rico_backbone_is_stable(const rico_backbone *branch, int64_t i)
{
    return branch->largest[i] < 1.0 + STABLE;
}
