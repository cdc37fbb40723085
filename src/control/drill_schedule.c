// What is asked of a drill-string over time.

#include "control/drill.h"

rico_drill_schedule rico_drill_startup(double first, double last, double initial)
{
    return (rico_drill_schedule){.points = 4,
                                 .time = {0.0, 30.0, 110.0, 170.0},
                                 .speed = {0.0, first, first, last},
                                 .alpha = {0.0, 0.0, 0.0, 1.0},
                                 .feed = {0.0, 1.0, 1.0, 1.0},
                                 .initial = initial};
}


rico_drill_schedule rico_drill_constant(double speed)
{
    return (rico_drill_schedule){.points = 1, .speed = {speed}, .alpha = {1.0}, .feed = {1.0}};
}


static rico_drill_asked point(const rico_drill_schedule *schedule, int64_t i)
{
    return (rico_drill_asked){schedule->speed[i], schedule->alpha[i], schedule->feed[i]};
}


rico_drill_asked rico_drill_schedule_at(const rico_drill_schedule *schedule, double t)
{
    int64_t last = schedule->points - 1, i = 0;
    if (t >= schedule->time[last]) return point(schedule, last);
    if (t <= schedule->time[0]) return point(schedule, 0);
    while (t >= schedule->time[i + 1]) i++;
    double share = (t - schedule->time[i]) / (schedule->time[i + 1] - schedule->time[i]);
    rico_drill_asked a = point(schedule, i), b = point(schedule, i + 1);
    return (rico_drill_asked){a.speed + share * (b.speed - a.speed), a.alpha + share * (b.alpha - a.alpha),
                              a.feed + share * (b.feed - a.feed)};
}
