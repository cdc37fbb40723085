// Motions of drill-strings: smooth torques at the beginning of a step, friction at its end, angles with the new speeds.

#include "base/random.h"
#include "control/drill.h"
#include "control/drill_hold.h"
#include "la/dense.h"

#include <math.h>
#include <string.h>

struct rico_drill_run {
    rico_context *ctx;
    rico_drill_string *string;
    double step;
    int64_t steps; // taken
    double *angle, *speed, *torque;
    double *rate;              // step/J
    double *grip;              // step T_w/J
    double walls, walls_below; // sums of T_w, with and without that of the top drive
    rico_drill_link *sensed;   // links of the top drive that T_pipe is made of
    int64_t sensed_count;

    rico_drill_schedule schedule;
    rico_drill_asked asked; // now
    double base, drop;      // friction of the bit now
    double feed, feed_pipe; // u_c and T_ref now
    bool settled;           // the schedule asks for nothing new

    rico_drill_hold control;
    rico_drill_sensors sensors;
    rico_random random;
    double counted; // angle of the encoder at the last sample, NAN before the first
    double reply;   // u - u_c, held between samples
    double drive;   // torque of the top drive in the last step

    rico_drill_interval *interval;
    int64_t intervals, room;
    rico_drill_range range; // its torques are sums
    int64_t watched;
};


static rico_status check_schedule(rico_context *ctx, const rico_drill_schedule *schedule)
{
    if (schedule->points < 1 || schedule->points > RICO_DRILL_POINTS)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a schedule has 1 to %d points, not %lld", RICO_DRILL_POINTS,
                         (long long)schedule->points);
    if (!(schedule->initial >= 0.0 && isfinite(schedule->initial)))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "the friction T_ini of a schedule is %g", schedule->initial);
    for (int64_t i = 0; i < schedule->points; i++) {
        const double values[] = {schedule->time[i], schedule->speed[i], schedule->alpha[i],
                                 schedule->feed[i]};
        if (!rico_all_finite(4, values) || !(schedule->alpha[i] >= 0.0 && schedule->alpha[i] <= 1.0))
            return rico_fail(ctx, RICO_BAD_ARGUMENT,
                             "point %lld of a schedule is t = %g, speed = %g, alpha = %g, feed = %g",
                             (long long)i + 1, values[0], values[1], values[2], values[3]);
        if (i && !(schedule->time[i] > schedule->time[i - 1]))
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "times of a schedule grow, and %g is after %g",
                             values[0], schedule->time[i - 1]);
    }
    return RICO_OK;
}


static rico_status check_sensors(rico_context *ctx, const rico_drill_sensors *s)
{
    if (!(s->speed_noise >= 0.0 && s->torque_noise >= 0.0 && s->counts >= 0.0 && s->every >= 0) ||
        !isfinite(s->speed_noise + s->torque_noise + s->counts))
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "sensors with the noise %g and %g, %g counts per turn, %lld steps per sample",
                         s->speed_noise, s->torque_noise, s->counts, (long long)s->every);
    return RICO_OK;
}


static rico_status check_step(rico_context *ctx, const rico_drill_string *string, double step)
{
    double bound = string->inertia[0] / (string->bit.decay * (string->bit.still - string->bit.dynamic));
    if (!(step > 0.0 && isfinite(step)))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a step is above 0, not %g", step);
    if (!(step < bound))
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "the speed of the bit after a step of %g s is not unique: its friction wants steps "
                         "below J_1/(v_d (T_s - T_d)) = %g s",
                         step, bound);
    return RICO_OK;
}


// The friction of the bit and the torques of steady rotation, as the schedule has them now.
static void follow_schedule(rico_drill_run *run)
{
    const rico_drill_bit *bit = &run->string->bit;
    double t = rico_drill_run_time(run), initial = run->schedule.initial;
    run->asked = rico_drill_schedule_at(&run->schedule, t);
    run->settled = t >= run->schedule.time[run->schedule.points - 1];
    run->base = initial + run->asked.alpha * (bit->dynamic - initial);
    run->drop = run->asked.alpha * (bit->still - bit->dynamic);
    double phi = run->base + run->drop * exp(-bit->decay * fabs(run->asked.speed));
    run->feed = run->asked.feed * (phi + run->walls);
    run->feed_pipe = run->asked.feed * (phi + run->walls_below);
}


static rico_status push_interval(rico_drill_run *run, bool sticks)
{
    if (run->intervals == run->room) {
        int64_t room = run->room ? 2 * run->room : 64;
        rico_drill_interval *more =
            rico_grow(run->ctx, run->interval, run->room, room, sizeof *run->interval);
        if (!more) return RICO_NO_MEMORY;
        run->interval = more;
        run->room = room;
    }
    double t = rico_drill_run_time(run);
    if (run->intervals) run->interval[run->intervals - 1].end = t;
    run->interval[run->intervals++] =
        (rico_drill_interval){t, NAN, sticks, run->angle[0], run->angle[run->string->discs - 1]};
    return RICO_OK;
}


// Places of what is needed in every step.
static rico_status prepare(rico_drill_run *run)
{
    const rico_drill_string *string = run->string;
    int64_t n = string->discs;
    run->angle = rico_alloc(run->ctx, 5 * n, sizeof *run->angle);
    run->sensed = rico_alloc(run->ctx, string->links, sizeof *run->sensed);
    if (!run->angle || !run->sensed) return RICO_NO_MEMORY;
    run->speed = run->angle + n;
    run->torque = run->speed + n;
    run->rate = run->torque + n;
    run->grip = run->rate + n;
    for (int64_t i = 0; i < n; i++) {
        run->rate[i] = run->step / string->inertia[i];
        run->grip[i] = i ? run->rate[i] * string->wall[i] : 0.0;
        if (i) run->walls += string->wall[i];
    }
    run->walls_below = run->walls - string->wall[n - 1];
    for (int64_t l = 0; l < string->links; l++) {
        const rico_drill_link *link = &string->link[l];
        int64_t other = link->a == n - 1 ? link->b : link->a;
        if (link->a != n - 1 && link->b != n - 1) continue;
        run->sensed[run->sensed_count++] =
            (rico_drill_link){other, n - 1, link->stiffness, other == n - 2 ? link->damping : 0.0};
    }
    return RICO_OK;
}


rico_status rico_drill_run_create(rico_context *ctx, const rico_drill_string *string,
                                  const rico_state_space *controller, const rico_drill_schedule *schedule,
                                  const rico_drill_sensors *sensors, double step, rico_drill_run **out)
{
    const rico_drill_sensors EXACT = {0};
    *out = NULL;
    if (!sensors) sensors = &EXACT;
    rico_status status = rico_drill_check(ctx, string);
    if (status == RICO_OK) status = check_schedule(ctx, schedule);
    if (status == RICO_OK) status = check_sensors(ctx, sensors);
    if (status == RICO_OK) status = check_step(ctx, string, step);
    if (status != RICO_OK) return status;
    rico_drill_run *run = rico_alloc(ctx, 1, sizeof *run);
    if (!run) return RICO_NO_MEMORY;
    run->ctx = ctx;
    run->step = step;
    run->schedule = *schedule;
    run->sensors = *sensors;
    if (run->sensors.every == 0) run->sensors.every = 1;
    run->counted = NAN;
    rico_random_seed(&run->random, sensors->seed);
    status = rico_drill_scaled(ctx, string, 1.0, 1.0, &run->string);
    if (status == RICO_OK) status = prepare(run);
    if (status == RICO_OK) status = rico_drill_run_control(run, controller);
    if (status == RICO_OK) status = push_interval(run, true);
    if (status != RICO_OK) {
        rico_drill_run_destroy(run);
        return status;
    }
    follow_schedule(run);
    rico_drill_run_watch(run);
    *out = run;
    return RICO_OK;
}


void rico_drill_run_destroy(rico_drill_run *run)
{
    if (!run) return;
    rico_context *ctx = run->ctx;
    rico_drill_hold_destroy(ctx, &run->control);
    rico_drill_destroy(ctx, run->string);
    rico_free(ctx, run->angle);
    rico_free(ctx, run->sensed);
    rico_free(ctx, run->interval);
    rico_free(ctx, run);
}


rico_status rico_drill_run_control(rico_drill_run *run, const rico_state_space *controller)
{
    rico_drill_hold control;
    rico_status status =
        rico_drill_hold_create(run->ctx, controller, run->step * (double)run->sensors.every, &control);
    if (status != RICO_OK) return status;
    rico_drill_hold_destroy(run->ctx, &run->control);
    run->control = control;
    run->reply = 0.0;
    return RICO_OK;
}


rico_status rico_drill_run_follow(rico_drill_run *run, const rico_drill_schedule *schedule)
{
    rico_status status = check_schedule(run->ctx, schedule);
    if (status != RICO_OK) return status;
    run->schedule = *schedule;
    follow_schedule(run);
    return RICO_OK;
}


rico_status rico_drill_run_steady(rico_drill_run *run, double factor)
{
    int64_t n = run->string->discs;
    double speed = run->asked.speed;
    if (!(speed > 0.0) || !(run->asked.feed == 1.0) || !isfinite(factor))
        return rico_fail(run->ctx, RICO_BAD_ARGUMENT,
                         "no steady rotation at the speed %g with the feed %g, the bit's times %g", speed,
                         run->asked.feed, factor);
    double phi = run->base + run->drop * exp(-run->string->bit.decay * speed), turned = run->angle[n - 1];
    rico_status status = rico_drill_twist(run->ctx, run->string, phi, run->angle);
    if (status != RICO_OK) return status;
    for (int64_t i = 0; i < n; i++) {
        run->angle[i] += turned;
        run->speed[i] = i ? speed : factor * speed;
    }
    for (int64_t i = 0; i < run->control.states; i++) run->control.z[i] = 0.0;
    run->counted = NAN;
    run->intervals = 0;
    rico_drill_run_watch(run);
    return push_interval(run, run->speed[0] == 0.0);
}


// The angle of the top drive as its encoder counts it.
static double encoder(const rico_drill_run *run)
{
    double unit = 2.0 * RICO_DRILL_PI / run->sensors.counts;
    return unit * floor(run->angle[run->string->discs - 1] / unit);
}


// What sensors say, and what the controller makes of it.
static void sample(rico_drill_run *run)
{
    int64_t top = run->string->discs - 1;
    const rico_drill_sensors *s = &run->sensors;
    double speed = run->speed[top], pipe = 0.0;
    if (s->counts > 0.0) {
        double now = encoder(run);
        // the first sample knows none before it
        if (isfinite(run->counted)) speed = (now - run->counted) / (run->step * (double)s->every);
        run->counted = now;
    }
    for (int64_t l = 0; l < run->sensed_count; l++) {
        const rico_drill_link *link = &run->sensed[l];
        pipe += link->stiffness * (run->angle[top] - run->angle[link->a]) +
                link->damping * (run->speed[top] - run->speed[link->a]);
    }
    if (s->speed_noise > 0.0) speed += s->speed_noise * rico_random_normal(&run->random);
    if (s->torque_noise > 0.0) pipe += s->torque_noise * rico_random_normal(&run->random);
    run->reply = rico_drill_hold_step(&run->control,
                                      (const double[2]){run->asked.speed - speed, run->feed_pipe - pipe});
}


static inline double soft(double a, double grip)
{
    return a > grip ? a - grip : a < -grip ? a + grip : 0.0;
}


// One step of all discs.
static void move(rico_drill_run *run)
{
    const rico_drill_string *string = run->string;
    int64_t n = string->discs;
    double *angle = run->angle, *speed = run->speed, *torque = run->torque;
    for (int64_t l = 0; l < string->links; l++) {
        const rico_drill_link *link = &string->link[l];
        double t = link->stiffness * (angle[link->b] - angle[link->a]) +
                   link->damping * (speed[link->b] - speed[link->a]);
        torque[link->a] += t;
        torque[link->b] -= t;
    }
    torque[n - 1] += run->drive;
    double free = speed[0] + run->rate[0] * torque[0];
    speed[0] = rico_drill_resolvent(free, run->rate[0], run->base, run->drop, string->bit.decay);
    run->range.bit_torque += (free - speed[0]) / run->rate[0];
    run->range.drive_torque += run->drive;
    angle[0] += run->step * speed[0];
    torque[0] = 0.0;
    for (int64_t i = 1; i < n; i++) {
        speed[i] = soft(speed[i] + run->rate[i] * torque[i], run->grip[i]);
        angle[i] += run->step * speed[i];
        torque[i] = 0.0;
    }
}


static rico_status advance_some(rico_drill_run *run, int64_t steps)
{
    int64_t n = run->string->discs;
    for (int64_t s = 0; s < steps; s++) {
        bool stuck = run->speed[0] == 0.0;
        if (!run->settled) follow_schedule(run);
        if (run->control.F && run->steps % run->sensors.every == 0) sample(run);
        run->drive = run->feed + run->reply;
        move(run);
        run->steps++;
        run->watched++;
        double bit = run->speed[0], top = run->speed[n - 1];
        if (bit < run->range.bit_low) run->range.bit_low = bit;
        if (bit > run->range.bit_high) run->range.bit_high = bit;
        if (top < run->range.top_low) run->range.top_low = top;
        if (top > run->range.top_high) run->range.top_high = top;
        if ((bit == 0.0) != stuck) {
            rico_status status = push_interval(run, bit == 0.0);
            if (status != RICO_OK) return status;
        }
    }
    if (!rico_all_finite(n, run->speed) || !rico_all_finite(n, run->angle))
        return rico_fail(
            run->ctx, RICO_BAD_INPUT,
            "the motion is not finite at t = %g: steps of %g s are too long for the string or its "
            "controller",
            rico_drill_run_time(run), run->step);
    return RICO_OK;
}


rico_status rico_drill_run_advance(rico_drill_run *run, int64_t steps)
{
    enum { AT_ONCE = 4096 };
    rico_status status = RICO_OK;
    for (int64_t left = steps; status == RICO_OK && left > 0; left -= AT_ONCE) {
        if (rico_context_interrupted(run->ctx))
            return rico_fail(run->ctx, RICO_INTERRUPTED, "interrupted at t = %g", rico_drill_run_time(run));
        status = advance_some(run, left < AT_ONCE ? left : AT_ONCE);
    }
    return status;
}


double rico_drill_run_time(const rico_drill_run *run)
{
    return run->step * (double)run->steps;
}


double rico_drill_run_torque(const rico_drill_run *run)
{
    return run->drive;
}


const double *rico_drill_run_angles(const rico_drill_run *run)
{
    return run->angle;
}


const double *rico_drill_run_speeds(const rico_drill_run *run)
{
    return run->speed;
}


const rico_drill_interval *rico_drill_run_intervals(const rico_drill_run *run, int64_t *count)
{
    *count = run->intervals;
    return run->interval;
}


void rico_drill_run_watch(rico_drill_run *run)
{
    double bit = run->speed[0], top = run->speed[run->string->discs - 1];
    run->range = (rico_drill_range){bit, bit, top, top, 0.0, 0.0};
    run->watched = 0;
}


rico_drill_range rico_drill_run_range(const rico_drill_run *run)
{
    rico_drill_range range = run->range;
    double steps = run->watched > 0 ? (double)run->watched : 1.0;
    range.bit_torque /= steps;
    range.drive_torque /= steps;
    return range;
}
