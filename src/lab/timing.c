// Timing by repetition.

#include "lab/timing.h"

#include "base/clock.h"

#include <math.h>
#include <sys/resource.h>

static const double ENOUGH = 0.020; // seconds of measured runs
static const double AT_MOST = 1.0;  // seconds with their preparations, which may take longer than the runs

// Not clock_gettime(): under a limit of processor time, Linux counts that clock in ticks of milliseconds.
static double cpu_clock(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}


// Runs the work between two looks at the clocks, inside two at the counters.
static rico_status run_once(const rico_trial *trial, bool *again, rico_timing *one)
{
    *one = (rico_timing){.flops = NAN};
    rico_status status = trial->flops != NULL ? rico_flops_start(trial->ctx, trial->flops) : RICO_OK;
    if (status != RICO_OK) return status;
    // the wall clock inside: reading it costs nothing, reading the processor's is a call into the system
    double cpu = cpu_clock();
    double wall = rico_clock();
    status = trial->run(trial->user, again);
    one->wall = rico_clock() - wall;
    one->cpu = cpu_clock() - cpu;
    if (status == RICO_OK && trial->flops != NULL)
        status = rico_flops_stop(trial->ctx, trial->flops, &one->flops);
    return status;
}


rico_status rico_time_trial(const rico_trial *trial, int64_t most, rico_timing *timing)
{
    double began = rico_clock(), total = 0.0;
    bool again = true;
    *timing = (rico_timing){.wall = INFINITY, .cpu = INFINITY, .flops = NAN};
    while (again && (timing->runs == 0 || timing->runs < most) && total < ENOUGH &&
           rico_clock() - began < AT_MOST) {
        rico_status status = trial->prepare(trial->user);
        rico_timing one;
        if (status == RICO_OK) status = run_once(trial, &again, &one);
        trial->discard(trial->user);
        if (status != RICO_OK) return status;

        timing->wall = fmin(timing->wall, one.wall);
        timing->cpu = fmin(timing->cpu, one.cpu);
        timing->flops = fmin(timing->flops, one.flops); // a NaN gives way
        timing->runs++;
        total += one.wall;
    }
    return RICO_OK;
}
