// Recurrent stick-slip of drill-strings, and diagrams of it over the speed asked for.

#include "control/drill.h"

#include <math.h>

static double duration(const rico_drill_interval *interval)
{
    return interval->end - interval->start;
}


// Do the `two_p` intervals before `end` repeat those before them?
static bool repeats(const rico_drill_interval *interval, int64_t end, int64_t two_p, double tol)
{
    for (int64_t i = end - two_p; i < end; i++)
        if (!(fabs(duration(&interval[i]) - duration(&interval[i - two_p])) <= tol)) return false;
    return true;
}


rico_drill_cycle rico_drill_run_cycle(const rico_drill_run *run, double tol)
{
    int64_t count, slips = 0;
    const rico_drill_interval *interval = rico_drill_run_intervals(run, &count);
    rico_drill_cycle cycle = {0};
    int64_t end = count - 1; // the last one is not over
    // patterns begin with a slip: they end with a stick
    if (end > 0 && !interval[end - 1].sticks) end--;
    for (int64_t p = 1; p <= RICO_DRILL_SLIPS && 4 * p <= end && !slips; p++)
        if (repeats(interval, end, 2 * p, tol)) slips = p;
    if (!slips) return cycle;
    // a motion that has left the pattern slips, or sticks, for longer than the pattern does
    const rico_drill_interval *open = &interval[count - 1];
    if (rico_drill_run_time(run) - open->start > duration(open - 2 * slips) + tol) return cycle;
    // one pattern earlier at most, it ends with the longest stick
    int64_t last = end;
    for (int64_t i = end - 2; i > end - 2 * slips; i -= 2)
        if (duration(&interval[i - 1]) > duration(&interval[last - 1])) last = i;
    const rico_drill_interval *first = &interval[last - 2 * slips], *after = &interval[last];
    cycle.slips = slips;
    cycle.period = after->start - first->start;
    for (int64_t i = 0; i < slips; i++) {
        cycle.slip[i] = duration(&first[2 * i]);
        cycle.stick[i] = duration(&first[2 * i + 1]);
    }
    cycle.bit_mean = (after->bit - first->bit) / cycle.period;
    cycle.top_mean = (after->top - first->top) / cycle.period;
    return cycle;
}


// From one speed to the next within `time`, from now on.
static rico_drill_schedule ramp(double now, double time, double from, double to)
{
    return (rico_drill_schedule){
        .points = 2, .time = {now, now + time}, .speed = {from, to}, .alpha = {1.0, 1.0}, .feed = {1.0, 1.0}};
}


rico_status rico_drill_diagram(rico_context *ctx, const rico_drill_string *string,
                               const rico_state_space *controller, const rico_drill_sweep *sweep,
                               int64_t count, const double *speed, rico_drill_range *range,
                               rico_drill_cycle *cycle)
{
    if (count < 1 || !(sweep->settle > 0.0 && sweep->watch > 0.0))
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "a diagram of %lld speeds, each settled for %g s and watched for %g s",
                         (long long)count, sweep->settle, sweep->watch);
    rico_drill_run *run = NULL;
    rico_drill_schedule schedule = rico_drill_constant(speed[0]);
    rico_status status = rico_drill_run_create(ctx, string, controller, &schedule, NULL, sweep->step, &run);
    if (status == RICO_OK) status = rico_drill_run_steady(run, sweep->factor);
    for (int64_t i = 0; status == RICO_OK && i < count; i++) {
        schedule = ramp(rico_drill_run_time(run), 0.25 * sweep->settle, speed[i ? i - 1 : 0], speed[i]);
        status = rico_drill_run_follow(run, &schedule);
        if (status == RICO_OK)
            status = rico_drill_run_advance(run, (int64_t)ceil(sweep->settle / sweep->step));
        if (status != RICO_OK) break;
        rico_drill_run_watch(run);
        status = rico_drill_run_advance(run, (int64_t)ceil(sweep->watch / sweep->step));
        range[i] = rico_drill_run_range(run);
        if (cycle) cycle[i] = rico_drill_run_cycle(run, sweep->tolerance);
    }
    rico_drill_run_destroy(run);
    return status;
}
