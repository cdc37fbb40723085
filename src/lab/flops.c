// Choosing the events that count floating-point operations, and testing them on operations that are known.
//
// AMD, since Zen: event 0x03, retired SSE and AVX operations, lanes and both halves of a fused operation counted; bits of
// its mask are kinds of operations, of both precisions from Zen 2 on, of double precision the upper four in Zen 1.
// Intel, since Broadwell: event 0xc7, instructions retired, fused ones twice; one mask for each width of vectors. Only
// those of double precision are taken, as nothing here computes in another. Intel counts min and max too.
// (Linux, tools/perf/pmu-events/arch/x86/amdzen1, amdzen4 and skylakex, floating-point.json.)

#include "lab/flops.h"

#include "base/system.h"

#include <errno.h>
#include <math.h>
#include <string.h>

typedef struct event_set {
    const char *vendor;
    int count;
    uint64_t event[RICO_FLOPS_EVENTS]; // mask in the second byte
    double weight[RICO_FLOPS_EVENTS];
} event_set;

// Tried in this order.
static const event_set SETS[] = {
    {"AuthenticAMD", 1, {0x0f03}, {1.0}},
    {"AuthenticAMD", 1, {0xf003}, {1.0}},
    {"GenuineIntel", 4, {0x01c7, 0x04c7, 0x10c7, 0x40c7}, {1.0, 2.0, 4.0, 8.0}},
};
enum { SET_COUNT = sizeof SETS / sizeof SETS[0] };

enum { ROUNDS = 100000 };
static const double TRUST =
    0.01; // a counter may be off by that share of the loop, which calls of the system around it take


double rico_flops_loop(int64_t rounds)
{
    double x = 1.0;
    for (int64_t i = 0; i < rounds; i++) x = x * 0.75 + 0.5;
    return x;
}


void rico_flops_close(rico_flops *flops)
{
    for (int i = 0; i < flops->count; i++) flops->source.close(flops->source.user, flops->counter[i]);
    flops->count = 0;
}


static rico_status cannot_read(rico_context *ctx, const rico_flops *flops)
{
    return rico_fail(ctx, RICO_UNSUPPORTED,
                     "cannot count floating-point operations on '%s': a counter cannot be read",
                     flops->source.processor);
}


rico_status rico_flops_start(rico_context *ctx, rico_flops *flops)
{
    for (int i = 0; i < flops->count; i++)
        if (!flops->source.read(flops->source.user, flops->counter[i], &flops->began[i]))
            return cannot_read(ctx, flops);
    return RICO_OK;
}


rico_status rico_flops_stop(rico_context *ctx, rico_flops *flops, double *operations)
{
    double sum = 0.0;
    for (int i = 0; i < flops->count; i++) {
        rico_flops_reading now, *began = &flops->began[i];
        if (!flops->source.read(flops->source.user, flops->counter[i], &now)) return cannot_read(ctx, flops);
        if (now.ran - began->ran != now.wanted - began->wanted)
            return rico_fail(ctx, RICO_UNSUPPORTED,
                             "cannot count floating-point operations on '%s': another program took the "
                             "counters for a part of the time",
                             flops->source.processor);
        sum += flops->weight[i] * (double)(now.count - began->count);
    }
    *operations = sum;
    return RICO_OK;
}


static rico_status open_set(rico_context *ctx, const event_set *set, rico_flops *flops)
{
    const rico_flops_source *source = &flops->source;
    for (int i = 0; i < set->count; i++) {
        int counter = source->open(source->user, set->event[i]);
        if (counter < 0) {
            bool kept = counter == -EACCES || counter == -EPERM;
            return rico_fail(ctx, RICO_UNSUPPORTED,
                             "cannot count floating-point operations on '%s': perf_event_open() of event "
                             "0x%04llx: %s (errno %d)%s",
                             source->processor, (unsigned long long)set->event[i],
                             rico_system_words(-counter), -counter,
                             kept ? "; /proc/sys/kernel/perf_event_paranoid has to be 2 or less" : "");
        }
        flops->counter[i] = counter;
        flops->weight[i] = set->weight[i];
        flops->count++;
    }
    return RICO_OK;
}


// Whether the set counts what is known, in *good; otherwise the message tells what it counted.
static rico_status check_set(rico_context *ctx, const event_set *set, rico_flops *flops, bool *good)
{
    const double known = 2.0 * ROUNDS;
    double counted = 0.0;
    rico_status status = rico_flops_start(ctx, flops);
    volatile double result = rico_flops_loop(ROUNDS);
    (void)result;
    if (status == RICO_OK) status = rico_flops_stop(ctx, flops, &counted);
    if (status != RICO_OK) return status;
    *good = fabs(counted - known) <= TRUST * known;
    if (*good) return RICO_OK;
    return rico_fail(ctx, RICO_UNSUPPORTED,
                     "cannot count floating-point operations on '%s': event 0x%04llx says %.0f for %.0f",
                     flops->source.processor, (unsigned long long)set->event[0], counted, known);
}


rico_status rico_flops_open(rico_context *ctx, const rico_flops_source *source, rico_flops *flops)
{
    *flops = (rico_flops){.source = *source};
    bool known = false;
    for (int i = 0; i < SET_COUNT; i++) {
        if (strcmp(SETS[i].vendor, source->vendor) != 0) continue;
        known = true;
        bool good = false;
        rico_status status = open_set(ctx, &SETS[i], flops);
        bool opened = status == RICO_OK;
        if (opened) status = check_set(ctx, &SETS[i], flops, &good);
        if (good) return RICO_OK;
        rico_flops_close(flops);
        // another mask helps against a wrong count alone
        if (!opened) return status;
    }
    if (known) return RICO_UNSUPPORTED;
    return rico_fail(ctx, RICO_UNSUPPORTED,
                     "cannot count floating-point operations on '%s': no event for them is known here",
                     source->processor);
}
