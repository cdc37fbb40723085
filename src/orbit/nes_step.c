// Two schemes for differential algebraic inclusions with nonlinear energy sinks.
//
// Literal, as the chapter's appendix 2: everything old on the right hand side, friction by its resolvent, z by z' = x^2 x'. An explicit
// oscillator grows at the rate dt w1^2/2, which at dt = 1e-4 is the eps a0/2 that damping takes (docs/theory/nes.md).
//
// Midpoint: with mean velocities vm, um, positions go by dt vm, dt um, and forces are their averages along that way, so that they take
// from the energy what potentials give. d vm + (dt/2) friction = held, d and held from all other forces, is solved by the resolvent, and
// with the nonlinear forces by a fixed point, which contracts by about (dt w)^2. The end has v = 2 vm - v0; where the mean sticks and
// friction can also hold the end, it rests: else v0 and -v0 would alternate for good.
//
// A mean velocity's step is not dt but (2/w) tan(w dt/2), longer by (w dt)^2/12 of it, and the force is the mean of both ends, so that a
// linear system answers sin(wt) exactly. The plain midpoint rule is slow by that part: eps sigma = 1e-4 does not bear it at dt = 1e-2.

#include "orbit/nes_dai.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS = 200, BETWEEN_LOOKS = 1 << 16 };
static const double CONVERGED = 1e-15; // of all velocities together


double rico_nes_resolvent(double a, double h)
{
    if (fabs(a) <= h) return 0.0;
    return a > 0.0 ? a - h : a + h;
}


// ---- friction with memory -------------------------------------------------------------------------------------

static double memory_rate(const rico_dai_master *m, double v, double q)
{
    if (m->friction == RICO_NES_SAINT_VENANT) return m->stiffness * v;
    if (m->friction == RICO_NES_DAHL) return m->stiffness * (v - fabs(v) * q);
    double power = pow(fabs(q), m->exponent);
    return m->stiffness * (v - m->shape * fabs(v) * copysign(power, q) - (1.0 - m->shape) * v * power);
}


// Mean velocity and mean q over a step, d vm + force qm = held, where force is dt/2 eps alpha0.
static double memory_mean(const rico_dai_master *m, double dt, double q, double force, double d, double held,
                          double guess, double *qm)
{
    if (m->friction == RICO_NES_SAINT_VENANT) {
        double half = 0.5 * dt * m->stiffness, vm = (held - force * q) / (d + force * half);
        *qm = q + half * vm;
        if (fabs(q + 2.0 * half * vm) <= 1.0) return vm;
        *qm = 0.5 * (q + copysign(1.0, vm)); // it slips at the end
    } else if (m->friction == RICO_NES_DAHL) {
        double half = 0.5 * dt * m->stiffness;
        *qm = (q + half * guess) / (1.0 + half * fabs(guess));
    } else {
        *qm = q + 0.5 * dt * memory_rate(m, guess, *qm);
    }
    return (held - force * *qm) / d;
}


// ---- midpoint -------------------------------------------------------------------------------------------------

// Mean velocities of sinks from those of masters, and what they pull.
static double move_sinks(rico_dai *dai, double dt)
{
    double moved = 0.0;
    memset(dai->pull, 0, (size_t)dai->model.masters * sizeof *dai->pull);
    for (int64_t i = 0; i < dai->model.sinks; i++) {
        const rico_dai_sink *k = &dai->sink[i];
        double vm = dai->vm[k->on], half = 0.5 * dt, s = dai->x[k->on] - dai->y[i],
               ds = dt * (vm - dai->um[i]), force = rico_sink_average(k, s, ds), slope = 0.0;
        // the slope of the force at its middle makes this Newton's method, nearly: the fixed point is the same without
        if (k->coupling == RICO_NES_CUBIC) slope = 3.0 * k->gamma * half * (s + 0.5 * ds) * (s + 0.5 * ds);
        double um = (dai->u[i] + half * (k->lambda * vm + force + slope * dai->um[i])) /
                    (1.0 + half * (k->lambda + slope));
        dai->pull[k->on] += k->eps * (force - k->lambda * um);
        moved += fabs(um - dai->um[i]);
        dai->um[i] = um;
    }
    return moved;
}


// h0 averaged along the step.
static rico_status algebraic_forces(rico_dai *dai, double dt)
{
    int64_t n = dai->model.masters;
    if (dai->algebra.count) {
        for (int64_t i = 0; i < n; i++) dai->xm[i] = dai->x[i] + 0.5 * dt * dai->vm[i];
        rico_status status = rico_dai_solve_algebra(dai, dai->xm, dai->z);
        if (status == RICO_OK) dai->algebra.force(dai->algebra.user, dai->z, dai->h);
        return status;
    }
    for (int64_t i = 0; i < n; i++) {
        double from = dai->x[i], to = from + dt * dai->vm[i];
        dai->h[i] = dai->master[i].beta / 12.0 * (from + to) * (from * from + to * to);
    }
    return RICO_OK;
}


static double move_masters(rico_dai *dai, double dt, double drive)
{
    double moved = 0.0, eps = dai->model.eps;
    for (int64_t i = 0; i < dai->model.masters; i++) {
        const rico_dai_master *m = &dai->master[i];
        double others = eps * (m->f0 * drive - dai->h[i]) - m->omega * m->omega * dai->x[i] - dai->pull[i],
               held = dai->v[i] + 0.5 * dt * others, force = 0.5 * dt * eps * m->alpha0, vm;
        if (m->friction == RICO_NES_SIGN)
            vm = rico_nes_resolvent(held, force) / dai->resists[i];
        else
            vm = memory_mean(m, dt, dai->q[i], force, dai->resists[i], held, dai->vm[i], &dai->qm[i]);
        moved += fabs(vm - dai->vm[i]);
        dai->vm[i] = vm;
        dai->held[i] = held;
    }
    return moved;
}


static void finish_master(rico_dai *dai, int64_t i, double dt, double drive)
{
    const rico_dai_master *m = &dai->master[i];
    rico_dai_ledger *ledger = &dai->ledger;
    double vm = dai->vm[i], v = dai->v[i], eps = dai->model.eps, away = dt * vm, end = 2.0 * vm - v;
    ledger->work += eps * m->f0 * drive * away;
    ledger->viscous += eps * m->a0 * vm * away;
    if (dai->algebra.count) ledger->algebra += eps * dai->h[i] * away;
    if (m->friction != RICO_NES_SIGN) {
        ledger->friction += eps * m->alpha0 * dai->qm[i] * away;
        dai->q[i] = fmax(-1.0, fmin(1.0, 2.0 * dai->qm[i] - dai->q[i]));
    } else if (vm != 0.0) {
        ledger->friction += eps * m->alpha0 * fabs(away);
    } else if (fabs(2.0 * dai->held[i] - v) <= dt * eps * m->alpha0) {
        ledger->friction += 0.5 * v * v;
        end = 0.0;
    }
    dai->x[i] += away;
    dai->v[i] = end;
}


// The mean velocities of a step.
static rico_status settle(rico_dai *dai, double dt, double drive)
{
    double scale = dt * dai->model.eps, moved = INFINITY;
    // first guesses on the straight line through the last mean velocity and the one now
    for (int64_t i = 0; i < dai->model.masters; i++) {
        dai->vm[i] = 2.0 * dai->v[i] - dai->vm[i];
        scale += fabs(dai->v[i]) + (dai->master[i].omega + dt) * fabs(dai->x[i]);
    }
    for (int64_t i = 0; i < dai->model.sinks; i++) {
        dai->um[i] = 2.0 * dai->u[i] - dai->um[i];
        scale += fabs(dai->u[i]) + dt * fabs(dai->y[i]);
    }
    for (int k = 0; k < ITERATIONS && moved > CONVERGED * scale; k++) {
        moved = move_sinks(dai, dt);
        rico_status status = algebraic_forces(dai, dt);
        if (status != RICO_OK) return status;
        moved += move_masters(dai, dt, drive);
    }
    if (moved <= CONVERGED * scale) return RICO_OK;
    return rico_fail(dai->ctx, RICO_BAD_ARGUMENT, "a step of %g is too long for the inclusion at t = %g",
                     dai->dt, rico_dai_time(dai));
}


static rico_status midpoint_step(rico_dai *dai, double dt)
{
    double w = dai->model.w, drive = sin(w * (rico_dai_time(dai) + 0.5 * dai->dt)) * dai->shrink;
    rico_status status = settle(dai, dt, drive);
    if (status != RICO_OK) return status;
    for (int64_t i = 0; i < dai->model.sinks; i++) {
        const rico_dai_sink *k = &dai->sink[i];
        double apart = dai->vm[k->on] - dai->um[i];
        dai->ledger.damper += dt * k->eps * k->lambda * apart * apart;
        dai->y[i] += dt * dai->um[i];
        dai->u[i] = 2.0 * dai->um[i] - dai->u[i];
    }
    for (int64_t i = 0; i < dai->model.masters; i++) finish_master(dai, i, dt, drive);
    dai->steps++;
    if (dai->algebra.count) return rico_dai_solve_algebra(dai, dai->x, dai->z);
    for (int64_t i = 0; i < dai->model.masters; i++) dai->z[i] = dai->x[i] * dai->x[i] * dai->x[i] / 3.0;
    return RICO_OK;
}


// ---- literal --------------------------------------------------------------------------------------------------

static void literal_sinks(rico_dai *dai, double dt)
{
    memset(dai->pull, 0, (size_t)dai->model.masters * sizeof *dai->pull);
    for (int64_t i = 0; i < dai->model.sinks; i++) {
        const rico_dai_sink *k = &dai->sink[i];
        double u = dai->u[i], apart = dai->v[k->on] - u, s = dai->x[k->on] - dai->y[i];
        double both =
            k->lambda * apart + rico_coupling_force(k->coupling, k->gamma, k->gap, k->force, k->user, s);
        dai->ledger.damper += dt * k->eps * k->lambda * apart * apart;
        dai->pull[k->on] += k->eps * both;
        dai->u[i] = u + dt * both;
        dai->y[i] += dt * u;
    }
}


static rico_status literal_step(rico_dai *dai, double dt)
{
    double drive = sin(dai->model.w * rico_dai_time(dai)), eps = dai->model.eps;
    int64_t n = dai->model.masters, own = dai->algebra.count;
    rico_dai_ledger *ledger = &dai->ledger;
    literal_sinks(dai, dt);
    if (own) {
        dai->algebra.force(dai->algebra.user, dai->z, dai->h);
        rico_status status = rico_dai_algebra_rate(dai, dai->z, dai->x, dai->v);
        if (status != RICO_OK) return status;
        for (int64_t i = 0; i < own; i++) dai->z[i] += dt * dai->slope[i];
    }
    for (int64_t i = 0; i < n; i++) {
        const rico_dai_master *m = &dai->master[i];
        double x = dai->x[i], v = dai->v[i], h = own ? dai->h[i] : m->beta * dai->z[i], taken = fabs(v);
        double force = m->omega * m->omega * x + eps * (m->a0 * v + h - m->f0 * drive) + dai->pull[i];
        if (m->friction == RICO_NES_SIGN) {
            dai->v[i] = rico_nes_resolvent(v - dt * force, dt * eps * m->alpha0);
        } else {
            taken = dai->q[i] * v;
            dai->v[i] = v - dt * (force + eps * m->alpha0 * dai->q[i]);
            dai->q[i] = fmax(-1.0, fmin(1.0, dai->q[i] + dt * memory_rate(m, v, dai->q[i])));
        }
        ledger->work += dt * eps * m->f0 * drive * v;
        ledger->viscous += dt * eps * m->a0 * v * v;
        ledger->friction += dt * eps * m->alpha0 * taken;
        if (own) ledger->algebra += dt * eps * h * v;
        if (!own) dai->z[i] += dt * x * x * v;
        dai->x[i] = x + dt * v;
    }
    dai->steps++;
    return RICO_OK;
}


// ---- steps ----------------------------------------------------------------------------------------------------

// d = 1 + (dt/2) (eps a0 + sum of eps_k lambda_k) + (dt w/2)^2: what resists the mean velocity linearly.
static void prepare(rico_dai *dai, double dt)
{
    dai->shrink = cos(0.5 * dai->model.w * dai->dt);
    for (int64_t i = 0; i < dai->model.masters; i++) {
        double half = 0.5 * dt, omega = dai->master[i].omega;
        dai->resists[i] = 1.0 + half * dai->model.eps * dai->master[i].a0 + half * half * omega * omega;
    }
    for (int64_t i = 0; i < dai->model.sinks; i++)
        dai->resists[dai->sink[i].on] += 0.5 * dt * dai->sink[i].eps * dai->sink[i].lambda;
}


rico_status rico_dai_advance(rico_dai *dai, rico_dai_scheme scheme, double dt, int64_t steps)
{
    if (!(dt > 0.0 && isfinite(dt)) || steps < 0)
        return rico_fail(dai->ctx, RICO_BAD_ARGUMENT,
                         "an inclusion takes steps of a positive time, got %lld of %g", (long long)steps, dt);
    if (scheme != RICO_DAI_MIDPOINT && scheme != RICO_DAI_LITERAL)
        return rico_fail(dai->ctx, RICO_BAD_ARGUMENT, "an inclusion has no scheme %d", (int)scheme);
    if (!(dt * dai->model.w < 1.0))
        return rico_fail(dai->ctx, RICO_BAD_ARGUMENT,
                         "a step of %g is too long for a force at the frequency %g", dt, dai->model.w);
    if (dt != dai->dt) {
        dai->base = rico_dai_time(dai);
        dai->steps = 0;
        dai->dt = dt;
    }
    double long_step = 2.0 / dai->model.w * tan(0.5 * dai->model.w * dt);
    if (scheme == RICO_DAI_MIDPOINT) prepare(dai, long_step);
    for (int64_t i = 0; i < steps; i++) {
        rico_status status =
            scheme == RICO_DAI_MIDPOINT ? midpoint_step(dai, long_step) : literal_step(dai, dt);
        if (status != RICO_OK) return status;
        if (i % BETWEEN_LOOKS == BETWEEN_LOOKS - 1 && rico_context_interrupted(dai->ctx))
            return rico_fail(dai->ctx, RICO_INTERRUPTED, "interrupted at t = %g", rico_dai_time(dai));
    }
    for (int64_t i = 0; i < dai->model.masters; i++)
        if (!isfinite(dai->x[i] + dai->v[i]))
            return rico_fail(dai->ctx, RICO_BAD_ARGUMENT,
                             "the inclusion does not bear steps of %g: it exploded", dt);
    return RICO_OK;
}
