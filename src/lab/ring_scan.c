// All orbits of two neighbours with two impacts each and y_2(t) = y_1(t + T/2), by going through the one unknown time.

#include "lab/ring_search.h"

#include <math.h>

enum { HALVINGS = 60 };


// What a unit impulse and its image under the symmetry, on the neighbour half a period later, do to a particle, `who` places away, at `time` after
// the impulse: place and velocity.
static void respond(double coupling, double period, int64_t who, double time, double response[2])
{
    response[0] = response[1] = 0.0;
    for (int image = 0; image < 2; image++) {
        double green[3], since = time - 0.5 * image * period;
        since -= period * floor(since / period);
        rico_ring_green(2, coupling, period, (who + image) % 2, since < period ? since : 0.0, green);
        response[0] += green[0];
        response[1] += green[1];
    }
}


// Impulses a (at 0 on one, at T/2 on the other) and b (at s on the other, at s + T/2 on the one) that close the gaps; returned is the mean velocity at 0.
static double mismatch(double coupling, double T, double s, double impulse[2])
{
    double aa[2], ab[2], ba[2], half[3];
    respond(coupling, T, 0, 0.0, aa); // of a at its own impact
    respond(coupling, T, 1, -s, ab);  // of b at that of a
    respond(coupling, T, 1, s, ba);   // of a at that of b
    double det = aa[0] * aa[0] - ab[0] * ba[0];
    impulse[0] = (ab[0] - aa[0]) / det;
    impulse[1] = (ba[0] - aa[0]) / det;
    // its own impulse gives an impact no mean velocity, its image half a period later does
    rico_ring_green(2, coupling, T, 1, 0.5 * T, half);
    return impulse[0] * half[1] + impulse[1] * ab[1];
}


typedef struct tally {
    double roots, pushing, orbits;
} tally;


// Is it an orbit, and of the whole period?
static rico_status judge(rico_context *ctx, double coupling, double T, double s, tally *count)
{
    rico_ring_strike strike[] = {
        {1, false, 0.0, 0.0}, {0, false, 0.5 * T, 0.0}, {0, false, s, 0.0}, {1, false, s + 0.5 * T, 0.0}};
    const rico_ring_sequence start = {
        .particles = 2, .coupling = coupling, .period = T, .upper = INFINITY, .count = 4, .strike = strike};
    rico_ring_sequence *orbit = NULL;
    rico_status status = rico_ring_sequence_solve(ctx, &start, &orbit);
    if (status != RICO_OK) return status == RICO_SINGULAR ? RICO_OK : status;
    double here[4], there[4], off = 0.0;
    rico_ring_sequence_at(orbit, 0.3 * T, here, here + 2);
    rico_ring_sequence_at(orbit, 0.8 * T, there, there + 2);
    for (int i = 0; i < 4; i++) off = fmax(off, fabs(here[i] - there[i]));
    count->orbits += orbit->verdict == RICO_RING_FEASIBLE && off > 1e-6 * (1.0 + orbit->amplitude);
    rico_ring_sequence_destroy(orbit);
    return RICO_OK;
}


static rico_status scan(rico_context *ctx, double coupling, double T, int64_t cells, tally *count)
{
    double before = NAN, low, impulse[2];
    rico_status status = RICO_OK;
    for (int64_t i = 0; i < cells && status == RICO_OK; i++) {
        double high = T * ((double)i + 0.3) / (double)cells, value = mismatch(coupling, T, high, impulse);
        double start = T * ((double)i - 0.7) / (double)cells, first = before;
        before = value;
        if (!(first * value < 0.0)) continue;
        low = start;
        for (int k = 0; k < HALVINGS; k++) {
            double middle = 0.5 * (low + high);
            *(mismatch(coupling, T, middle, impulse) * first > 0.0 ? &low : &high) = middle;
        }
        // a pole changes the sign as well, with a value that grows
        double left = mismatch(coupling, T, low, impulse);
        if (!(fabs(left) < 1e-6 * (1.0 + fabs(impulse[0]) + fabs(impulse[1])))) continue;
        count->roots += 1.0;
        if (!(impulse[0] > 0.0 && impulse[1] > 0.0)) continue;
        count->pushing += 1.0;
        status = judge(ctx, coupling, T, low, count);
    }
    return status;
}


rico_status rico_ring_scan_sheet(double coupling, int64_t cells, int64_t count, const double *periods,
                                 rico_sheet *sheet)
{
    double *roots = NULL, *pushing = NULL, *orbits = NULL;
    rico_status status = rico_sheet_add(sheet, "T", count, periods, NULL);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "roots", count, NULL, &roots);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "pushing", count, NULL, &pushing);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "orbits", count, NULL, &orbits);
    for (int64_t i = 0; i < count && status == RICO_OK; i++) {
        tally found = {0};
        status = scan(sheet->ctx, coupling, periods[i], cells, &found);
        if (status != RICO_OK) break;
        roots[i] = found.roots;
        pushing[i] = found.pushing;
        orbits[i] = found.orbits;
        if (rico_context_interrupted(sheet->ctx)) break;
    }
    return status;
}
