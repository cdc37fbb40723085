// Forced motions against an obstacle, from impact to impact or by Moreau and Jean's scheme, and what they settle to.

#include "orbit/forced.h"

#include "la/dense.h"

#include <math.h>
#include <string.h>

enum { SAMPLES = 64, MARCH = 100000 };
static const double CLOSED = 1e-13; // of the gap at rest: what counts as closed

struct rico_forced_motion {
    const rico_modes *modes;
    rico_forced drive;
    double rate; // of the force, 2 pi/T0
    double time;
    int64_t impacts;
    bool touching; // a step before this one had an impulse
    double *force, *q, *v;
    rico_damped *mode;
    rico_steady *steady;
};


void rico_forced_motion_destroy(rico_forced_motion *motion)
{
    if (!motion) return;
    rico_context *ctx = motion->modes->ctx;
    rico_free(ctx, motion->force);
    rico_free(ctx, motion->mode);
    rico_free(ctx, motion->steady);
    rico_free(ctx, motion);
}


rico_status rico_forced_motion_create(const rico_modes *modes, const rico_forced *drive,
                                      rico_forced_motion **out)
{
    rico_context *ctx = modes->ctx;
    int64_t n = modes->n;
    *out = NULL;
    rico_status status = rico_forced_check(modes, drive);
    if (status != RICO_OK) return status;
    rico_forced_motion *motion = rico_alloc(ctx, 1, sizeof *motion);
    if (!motion) return RICO_NO_MEMORY;
    *motion = (rico_forced_motion){.modes = modes, .drive = *drive};
    motion->rate = 2.0 * acos(-1.0) / drive->period;
    motion->force = rico_alloc(ctx, 3 * n, sizeof(double));
    motion->mode = rico_alloc(ctx, n, sizeof *motion->mode);
    motion->steady = rico_alloc(ctx, n, sizeof *motion->steady);
    if (!motion->force || !motion->mode || !motion->steady) {
        rico_forced_motion_destroy(motion);
        return RICO_NO_MEMORY;
    }
    motion->q = motion->force + n;
    motion->v = motion->q + n;
    motion->drive.force = motion->force;
    if (drive->force) memcpy(motion->force, drive->force, (size_t)n * sizeof(double));
    for (int64_t j = 0; j < n; j++) {
        motion->mode[j] = rico_damped_mode(modes, drive, j);
        rico_damped_steady(motion->mode[j], motion->force[j], motion->rate, &motion->steady[j]);
    }
    *out = motion;
    return RICO_OK;
}


rico_status rico_forced_motion_start(rico_forced_motion *motion, double time, const double *q,
                                     const double *v)
{
    const rico_modes *modes = motion->modes;
    double gap = modes->g0 + rico_dot(modes->n, modes->b, q);
    if (!(gap >= -1e-9 * modes->g0))
        return rico_fail(modes->ctx, RICO_BAD_ARGUMENT, "a motion cannot start below the obstacle: gap %g",
                         gap);
    memcpy(motion->q, q, (size_t)modes->n * sizeof *q);
    memcpy(motion->v, v, (size_t)modes->n * sizeof *v);
    motion->time = time;
    motion->impacts = 0;
    motion->touching = false;
    return RICO_OK;
}


const rico_modes *rico_forced_motion_parts(const rico_forced_motion *motion, const rico_forced **drive)
{
    *drive = &motion->drive;
    return motion->modes;
}


double rico_forced_motion_time(const rico_forced_motion *motion)
{
    return motion->time;
}


int64_t rico_forced_motion_impacts(const rico_forced_motion *motion)
{
    return motion->impacts;
}


const double *rico_forced_motion_position(const rico_forced_motion *motion)
{
    return motion->q;
}


const double *rico_forced_motion_velocity(const rico_forced_motion *motion)
{
    return motion->v;
}


double rico_forced_motion_gap(const rico_forced_motion *motion)
{
    return motion->modes->g0 + rico_dot(motion->modes->n, motion->modes->b, motion->q);
}


double rico_forced_motion_energy(const rico_forced_motion *motion)
{
    double energy = 0.0;
    for (int64_t j = 0; j < motion->modes->n; j++) {
        double stretch = motion->modes->omega[j] * motion->q[j];
        energy += 0.5 * (motion->v[j] * motion->v[j] + stretch * stretch);
    }
    return energy;
}


// --- from impact to impact -----------------------------------------------------------------------------------

// Moves without obstacle: the steady motion, and what decays beside it.
static void fly(rico_forced_motion *motion, double time)
{
    double c = cos(motion->rate * motion->time), s = sin(motion->rate * motion->time);
    double later = motion->time + time, cl = cos(motion->rate * later), sl = sin(motion->rate * later);
    for (int64_t j = 0; j < motion->modes->n; j++) {
        rico_steady p = motion->steady[j];
        double z = motion->q[j] - p.in * c - p.out * s;
        double v = motion->v[j] - motion->rate * (p.out * c - p.in * s);
        rico_damped_flow(motion->mode[j], time, &z, &v);
        motion->q[j] = z + p.in * cl + p.out * sl;
        motion->v[j] = v + motion->rate * (p.out * cl - p.in * sl);
    }
    motion->time = later;
}


// A bound of the gap's second derivative from now on: what decays loses its energy e = v^2 + omega^2 z^2, so that
// |z''| <= (omega + 2 delta) sqrt(e), and the steady motion has rate^2 times its size.
static double sharpest(const rico_forced_motion *motion)
{
    double sum = 0.0, c = cos(motion->rate * motion->time), s = sin(motion->rate * motion->time);
    for (int64_t j = 0; j < motion->modes->n; j++) {
        rico_steady p = motion->steady[j];
        double z = motion->q[j] - p.in * c - p.out * s, omega = motion->mode[j].omega;
        double v = motion->v[j] - motion->rate * (p.out * c - p.in * s);
        sum += fabs(motion->modes->b[j]) * ((omega + 2.0 * motion->mode[j].delta) * hypot(v, omega * z) +
                                            motion->rate * motion->rate * hypot(p.in, p.out));
    }
    return sum;
}


static double gap_rate(const rico_forced_motion *motion)
{
    return rico_dot(motion->modes->n, motion->modes->b, motion->v);
}


// v+ = v- - (1 + e) (b'v) b/W.
static void strike(rico_forced_motion *motion)
{
    const rico_modes *modes = motion->modes;
    rico_axpy(modes->n, -(1.0 + motion->drive.restitution) * gap_rate(motion) / modes->W, modes->b,
              motion->v);
    motion->impacts++;
}


// A gap g with the rate r cannot close before (r + sqrt(r^2 + 2 curve g))/curve: steps of that length come to the time of impact from before it, at
// last as Newton's method does.
bool rico_forced_motion_to(rico_forced_motion *motion, double time, int64_t most)
{
    double closed = CLOSED * motion->modes->g0;
    int64_t before = motion->impacts;
    while (motion->time < time) {
        double curve = sharpest(motion);
        for (int64_t i = 0; i < MARCH && motion->time < time; i++) {
            double gap = fmax(0.0, rico_forced_motion_gap(motion)), rate = gap_rate(motion);
            if (gap <= closed && rate < 0.0) {
                strike(motion);
                if (motion->impacts - before >= most) return false;
                break;
            }
            double safe = curve > 0.0 ? (rate + sqrt(rate * rate + 2.0 * curve * gap)) / curve : INFINITY;
            if (!(motion->time + safe > motion->time)) safe = 4e-16 * fmax(fabs(time), motion->drive.period);
            double left = time - motion->time;
            fly(motion, fmin(safe, left));
            if (safe >= left) motion->time = time;
        }
    }
    return true;
}


// --- by steps ------------------------------------------------------------------------------------------------

// W = M + h theta C + h^2 theta^2 K, v_free = v + W^-1 (-h C v - h K q - h^2 theta K v + h f_theta); where the gap at mid-step closes,
// 0 <= P _|_ b'v_new + e b'v >= 0.
void rico_forced_motion_step(rico_forced_motion *motion, double h)
{
    const rico_modes *modes = motion->modes;
    double early = cos(motion->rate * motion->time), late = cos(motion->rate * (motion->time + h));
    double rate = gap_rate(motion), free_rate = 0.0, compliance = 0.0, P = 0.0;
    bool active = rico_forced_motion_gap(motion) + 0.5 * h * rate <= 0.0;
    for (int64_t j = 0; j < modes->n; j++) {
        double k = modes->omega[j] * modes->omega[j], c = 2.0 * motion->mode[j].delta;
        double W = 1.0 + 0.5 * h * c + 0.25 * h * h * k, v = motion->v[j];
        double load = 0.5 * (early + late) * motion->force[j];
        motion->q[j] += 0.5 * h * v; // half of the old velocity now, of the new one below
        motion->v[j] = v + h * (load - c * v - k * motion->q[j]) / W;
        free_rate += modes->b[j] * motion->v[j];
        compliance += modes->b[j] * modes->b[j] / W;
    }
    if (active) P = fmax(0.0, -(free_rate + motion->drive.restitution * rate) / compliance);
    for (int64_t j = 0; j < modes->n; j++) {
        double k = modes->omega[j] * modes->omega[j], c = 2.0 * motion->mode[j].delta;
        motion->v[j] += modes->b[j] * P / (1.0 + 0.5 * h * c + 0.25 * h * h * k);
        motion->q[j] += 0.5 * h * motion->v[j];
    }
    if (P > 0.0 && !motion->touching) motion->impacts++;
    motion->touching = P > 0.0;
    motion->time += h;
}


// --- what it settles to --------------------------------------------------------------------------------------

// One period of the force, with the mean energy and the gap's extremes over it; false if it chatters.
static bool pass(rico_forced_motion *motion, const rico_forced_search *search, double begin,
                 rico_forced_response *out, double *energy)
{
    double T = motion->drive.period;
    int64_t steps = search->steps > 0 ? search->steps : SAMPLES,
            most = search->most > 0 ? search->most : 1000;
    int64_t before = motion->impacts;
    *energy = 0.0;
    for (int64_t i = 1; i <= steps; i++) {
        if (search->steps > 0)
            rico_forced_motion_step(motion, T / (double)steps);
        else if (!rico_forced_motion_to(motion, begin + T * (double)i / (double)steps,
                                        most - (motion->impacts - before)))
            return false;
        double gap = rico_forced_motion_gap(motion);
        *energy += rico_forced_motion_energy(motion) / (double)steps;
        out->largest = fmax(out->largest, gap);
        out->least = fmin(out->least, gap);
    }
    motion->time = begin + T;
    return motion->impacts - before < most;
}


// Distance of the state from one before, in the norm of the energy.
static double returned(const rico_forced_motion *motion, const double *before)
{
    double sum = 0.0, size = 0.0;
    int64_t n = motion->modes->n;
    for (int64_t j = 0; j < n; j++) {
        double omega = motion->modes->omega[j], dq = motion->q[j] - before[j],
               dv = motion->v[j] - before[n + j];
        sum += dv * dv + omega * omega * dq * dq;
        size += motion->v[j] * motion->v[j] + omega * omega * motion->q[j] * motion->q[j];
    }
    return sqrt(sum / fmax(size, 1e-300));
}


rico_status rico_forced_settle(rico_forced_motion *motion, const rico_forced_search *search,
                               rico_forced_response *out)
{
    rico_context *ctx = motion->modes->ctx;
    int64_t n = motion->modes->n, impacts = 0;
    double tolerance = search->tolerance > 0.0 ? search->tolerance : 1e-6, energy = 0.0, sum = 0.0;
    rico_forced_response answer = {.largest = -INFINITY, .least = INFINITY, .residual = INFINITY};
    *out = answer;
    if (search->transient < 0 || search->longest < 1)
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "a response needs a transient and a longest period, got %lld and %lld",
                         (long long)search->transient, (long long)search->longest);
    double *before = rico_alloc(ctx, 2 * n, sizeof *before);
    if (!before) return RICO_NO_MEMORY;
    bool calm = true;
    for (int64_t i = 0; calm && i < search->transient; i++) {
        if (rico_context_interrupted(ctx)) break;
        calm = pass(motion, search, motion->time, &answer, &energy);
    }
    memcpy(before, motion->q, (size_t)n * sizeof(double));
    memcpy(before + n, motion->v, (size_t)n * sizeof(double));
    impacts = motion->impacts;
    answer.largest = -INFINITY;
    answer.least = INFINITY;
    for (int64_t r = 1; calm && r <= search->longest && !answer.multiple; r++) {
        calm = pass(motion, search, motion->time, &answer, &energy);
        sum += energy;
        answer.energy = sum / (double)r;
        answer.residual = returned(motion, before);
        if (calm && answer.residual <= tolerance) answer.multiple = r;
    }
    answer.chatter = !calm;
    answer.impacts = motion->impacts - impacts;
    rico_free(ctx, before);
    if (rico_context_interrupted(ctx))
        return rico_fail(ctx, RICO_INTERRUPTED, "interrupted at the time %g", motion->time);
    *out = answer;
    return RICO_OK;
}
