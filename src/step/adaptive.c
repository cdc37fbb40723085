// Runs of many steps: fixed, or adaptive by step doubling between impacts.
//
// Two half steps and one whole step from the same state differ by about (1 - 2^-p) times the error of the whole one, p
// the order of the scheme (Hairer, Norsett and Wanner 1993, section II.4). The whole one is kept, so that an adaptive run is a sequence of plain
// steps, each with its own impulses and its own line in the ledger. An impact is no smooth motion: the two ways may
// find it in different half steps, and their difference says nothing. Such steps are only made short.

#include "step/adaptive.h"

#include "la/dense.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Steps that an adaptive run may try for each of the length asked for, and beside those: thirty or so for each impact.
static const double MOST_PER_STEP = 1000.0, MOST_AT_ALL = 1e5;

rico_run_options rico_run_defaults(double h)
{
    return (rico_run_options){.h = h,
                              .exact_end = true,
                              .rtol = 1e-6,
                              .atol = 0.0,
                              .h_min = 1e-9 * h,
                              .h_max = INFINITY,
                              .h_impact = 1e-4 * h,
                              .max_steps = 0,
                              .t_blow = -INFINITY};
}


void rico_adaptive_destroy(rico_simulation *sim)
{
    rico_adaptive *self = sim->adaptive;
    if (!self) return;
    void *all[] = {self->before.bytes, self->q, self->v, self->gap};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(sim->ctx, all[i]);
    rico_free(sim->ctx, self);
    sim->adaptive = NULL;
}


static rico_status create(rico_simulation *sim)
{
    if (sim->adaptive) return RICO_OK;
    rico_context *ctx = sim->ctx;
    rico_adaptive *self = sim->adaptive = rico_alloc(ctx, 1, sizeof *self);
    if (!self) return RICO_NO_MEMORY;
    self->q = rico_alloc(ctx, sim->nq, sizeof(double));
    self->v = rico_alloc(ctx, sim->nv, sizeof(double));
    if (self->q && self->v) return RICO_OK;
    rico_adaptive_destroy(sim);
    return RICO_NO_MEMORY;
}


// Room for a number of each row.
static rico_status reserve(rico_simulation *sim)
{
    rico_adaptive *self = sim->adaptive;
    if (sim->rows <= self->room && self->gap) return RICO_OK;
    int64_t room = sim->rows + sim->rows / 2;
    rico_free(sim->ctx, self->gap);
    self->gap = rico_alloc(sim->ctx, room, sizeof(double));
    self->room = self->gap ? room : 0;
    return self->gap ? RICO_OK : RICO_NO_MEMORY;
}


static void copy(double *to, const double *from, int64_t count)
{
    memcpy(to, from, (size_t)count * sizeof *to);
}


// What an error may be: of the number itself, of the largest of its kind by a thousandth (so that one which passes through
// zero does not stop the run, in whatever units), and what the user allows beside.
static double allowed(const rico_run_options *options, double size, double largest)
{
    return options->atol + options->rtol * fmax(size, 1e-3 * largest);
}


// Did the last step give a blow to a contact? It pushed one that was coming in already when the step before it ended, by
// the frames of then: what slides along a curved constraint comes in by the turn of the frames alone, and that is no
// blow. Or, forecast too far ahead, it let one through that was open before.
static rico_status look_for_blow(rico_simulation *sim, const rico_run_options *options, bool *blow)
{
    const double *gap, *last = sim->u_last;
    double *open = sim->adaptive->gap;
    double fastest = fmax(rico_norm_inf(sim->rows, last), rico_norm_inf(sim->rows, sim->now.u));
    rico_status status = rico_simulation_gap(sim, &gap);
    // where contacts come and go, those of this step were not all there when the trial began
    if (status == RICO_OK && sim->system->source_count > 0) {
        status = reserve(sim);
        if (status == RICO_OK)
            status = rico_assembly_gaps(sim->assembly, rico_snapshot_time(sim->before),
                                        rico_snapshot_position(sim->before), sim->adaptive->gap);
        open = sim->adaptive->gap;
    }
    for (int64_t c = 0; status == RICO_OK && c < sim->constraints; c++) {
        const rico_constraint *constraint = rico_step_constraint(sim, c);
        int64_t row = constraint->row;
        if (constraint->joint) continue;
        if (sim->now.active[c] && sim->now.p[row] > 0.0) {
            double speed = rico_norm_inf(constraint->size, last + row);
            *blow |= -last[row] > 10.0 * allowed(options, speed, fastest);
        } else {
            double before = open[row];
            *blow |= before >= 0.0 && gap[row] < -allowed(options, before, rico_step_reach(sim, row));
        }
    }
    return status;
}


// A step, and whether it gave a blow.
static rico_status step_and_look(rico_simulation *sim, double h, const rico_run_options *options, bool *blow)
{
    rico_status status = rico_simulation_step(sim, h);
    return status == RICO_OK ? look_for_blow(sim, options, blow) : status;
}


// Two halves of a trial, and what they lead to.
static rico_status halves(rico_simulation *sim, double h, const rico_run_options *options, bool *blow)
{
    rico_status status = step_and_look(sim, 0.5 * h, options, blow);
    if (status == RICO_OK) status = step_and_look(sim, 0.5 * h, options, blow);
    copy(sim->adaptive->q, sim->now.q, sim->nq);
    copy(sim->adaptive->v, sim->now.v, sim->nv);
    return status;
}


// Largest error over its tolerance; *culprit names the number that has it.
typedef struct worst {
    double ratio;
    const char *what;
    int64_t index;
} worst;

static void compare(int64_t count, const double *whole, const double *halves, const double *start,
                    const char *what, double factor, const rico_run_options *options, worst *out)
{
    double largest = fmax(rico_norm_inf(count, whole), rico_norm_inf(count, start));
    for (int64_t i = 0; i < count; i++) {
        double size = fmax(fabs(whole[i]), fabs(start[i])), error = factor * fabs(whole[i] - halves[i]);
        if (error > out->ratio * allowed(options, size, largest))
            *out = (worst){error / allowed(options, size, largest), what, i};
    }
}


// Velocities by what they move positions in the step: as constrained ones are judged whose constraint was linearized at
// the start. Across a curved one they turn by O(h) late, in every step anew and without adding up, and no step is short
// enough for a tolerance on them (Hairer and Wanner 1996, section VII.2, scales such components by h likewise).
static void compare_moves(const rico_simulation *sim, double h, double factor,
                          const rico_run_options *options, worst *out)
{
    const rico_adaptive *self = sim->adaptive;
    double largest = rico_norm_inf(sim->nq, sim->now.q);
    for (int64_t i = 0; i < sim->nv; i++) {
        double place = sim->nq == sim->nv ? fabs(sim->now.q[i]) : largest, v = sim->now.v[i];
        double error = factor * h * fabs(v - self->v[i]);
        double most = allowed(options, fmax(place, h * fabs(v)), largest);
        if (error > out->ratio * most) *out = (worst){error / most, "velocity", i};
    }
}


// Does the last step hold something to a curved constraint by its frames at the start?
static bool lags(const rico_simulation *sim)
{
    if (sim->system->constant_frames || rico_step_option(sim, RICO_STEP_FRAMES) != RICO_FRAMES_START)
        return false;
    for (int64_t i = 0; i < sim->rows; i++)
        if (sim->now.p[i] != 0.0) return true;
    return false;
}


static int order_of(const rico_simulation *sim)
{
    int order = sim->scheme->order ? sim->scheme->order(sim) : sim->scheme->info.order;
    return order > 0 ? order : 1;
}


// One trial of length h from the remembered state. On return the simulation stands after the whole step. A step that
// does not settle leaves its sentence and RICO_SINGULAR.
static rico_status attempt(rico_simulation *sim, double h, const rico_run_options *options, bool *blow,
                           worst *error)
{
    rico_adaptive *self = sim->adaptive;
    double power = ldexp(1.0, order_of(sim));
    *blow = false;
    *error = (worst){0.0, NULL, 0};
    const double *gap;
    rico_status found = rico_simulation_gap(sim, &gap);
    if (found != RICO_OK) return found;
    found = reserve(sim);
    if (found != RICO_OK) return found;
    copy(self->gap, gap, sim->rows);
    // shorter ones are accepted if they have a blow, so do not need to be looked at twice
    rico_status status = RICO_OK;
    if (h > options->h_impact) {
        status = halves(sim, h, options, blow);
        if (status != RICO_OK || *blow) return status;
        status = rico_step_restore(sim, &self->before);
        if (status != RICO_OK) return status;
    }
    status = step_and_look(sim, h, options, blow);
    if (status != RICO_OK || *blow) return status;
    if (h <= options->h_impact) {
        // no blow after all: the comparison is still owed, unless half steps see a blow that lies at the very end
        bool near = false;
        status = rico_step_restore(sim, &self->before);
        if (status == RICO_OK) status = halves(sim, h, options, &near);
        if (status == RICO_OK) status = rico_step_restore(sim, &self->before);
        if (status == RICO_OK) status = rico_simulation_step(sim, h);
        if (status != RICO_OK || near) return status;
    }
    double factor = power / (power - 1.0);
    const double *start = rico_snapshot_position(&self->before);
    compare(sim->nq, sim->now.q, self->q, start, "position", factor, options, error);
    if (lags(sim))
        compare_moves(sim, h, factor, options, error);
    else
        compare(sim->nv, sim->now.v, self->v, start + sim->nq, "velocity", factor, options, error);
    return RICO_OK;
}


static rico_status underflow(rico_simulation *sim, double h, const rico_run_options *options,
                             const worst *error, bool failed)
{
    char what[192];
    if (failed) {
        // the sentence of the step itself comes after
        snprintf(what, sizeof what, "the step fell below h_min = %g", options->h_min);
        return rico_fail_in(sim->ctx, RICO_SINGULAR, what);
    }
    sim->h = h;
    rico_fail(sim->ctx, RICO_SINGULAR,
              "the step fell below h_min = %g: %s[%lld] has an error of %.3g times its tolerance",
              options->h_min, error->what, (long long)error->index, error->ratio);
    return rico_step_fail(sim, RICO_SINGULAR);
}


static rico_status check(const rico_simulation *sim, double t_end, const rico_run_options *options)
{
    if (!sim->started)
        return rico_fail(sim->ctx, RICO_BAD_ARGUMENT, "a simulation must be started before it runs");
    if (!isfinite(t_end) || t_end < *sim->now.t)
        return rico_fail(sim->ctx, RICO_BAD_ARGUMENT, "a run from t = %.17g cannot end at %g", *sim->now.t,
                         t_end);
    if (!(options->h > 0.0) || !isfinite(options->h))
        return rico_fail(sim->ctx, RICO_BAD_ARGUMENT, "a run with steps of h = %g", options->h);
    if (!options->adaptive) return RICO_OK;
    if (sim->scheme->info.equal_steps)
        return rico_fail(sim->ctx, RICO_UNSUPPORTED,
                         "the scheme %s wants steps of one length: no adaptive run", sim->scheme->info.name);
    if (sim->scheme->info.own_error)
        return rico_fail(sim->ctx, RICO_UNSUPPORTED,
                         "the scheme %s controls its own error (rtol, atol): no adaptive run",
                         sim->scheme->info.name);
    if (!(options->rtol >= 0.0 && options->atol >= 0.0 && options->rtol + options->atol > 0.0))
        return rico_fail(sim->ctx, RICO_BAD_ARGUMENT, "an adaptive run with rtol = %g and atol = %g",
                         options->rtol, options->atol);
    if (!(options->h_min > 0.0 && options->h_impact >= options->h_min && options->h_max >= options->h_min))
        return rico_fail(sim->ctx, RICO_BAD_ARGUMENT,
                         "an adaptive run with h_min = %g, h_impact = %g, h_max = %g", options->h_min,
                         options->h_impact, options->h_max);
    return RICO_OK;
}


static void count(rico_run_report *report, double h, bool blow)
{
    report->h_smallest = report->accepted == 0 ? h : fmin(report->h_smallest, h);
    report->h_largest = fmax(report->h_largest, h);
    report->accepted++;
    report->blows += blow;
}


// What is left of the run when the rest is that short is one step: no crumb of round-off at its end.
static double clip(double h, double left)
{
    return h * (1.0 + 1e-9) >= left ? left : h;
}


static void arrive(rico_simulation *sim, double t_end)
{
    *sim->now.t = t_end;
    *sim->now.late = 0.0;
}


static rico_status run_fixed(rico_simulation *sim, double t_end, const rico_run_options *options,
                             rico_step_function on_step, void *user, rico_run_report *report)
{
    double h = options->h;
    for (;;) {
        double left = t_end - *sim->now.t;
        if (options->exact_end ? left <= 0.0 : left <= 0.5 * h) return RICO_OK;
        double step = options->exact_end ? clip(h, left) : h;
        rico_status status = rico_simulation_step(sim, step);
        if (status != RICO_OK) return status;
        if (options->exact_end && step == left) arrive(sim, t_end);
        count(report, step, false);
        report->stopped = on_step && !on_step(user, sim);
        if (report->stopped) return RICO_OK;
    }
}


// The next length after a step or trial of length h with that error: the usual rule, within [1/5, 4] h.
static double propose(const rico_simulation *sim, double h, double ratio)
{
    double factor = ratio > 0.0 ? 0.9 * pow(ratio, -1.0 / (order_of(sim) + 1.0)) : 4.0;
    return h * fmin(4.0, fmax(0.2, factor));
}


// A run that has tried so many steps is not getting anywhere, whatever the reason.
static rico_status give_up(rico_simulation *sim, double begin, double t_end, int64_t most,
                           const rico_run_report *report)
{
    return rico_fail(
        sim->ctx, RICO_SINGULAR,
        "the adaptive run has tried %lld steps, the most it may, and has come from t = %g to %.17g of "
        "%g: the last was of h = %.3g; larger tolerances (rtol, atol), fixed steps, or more of them "
        "(max-steps) get further",
        (long long)most, begin, *sim->now.t, t_end, report->h_next);
}


static rico_status run_adaptive(rico_simulation *sim, double t_end, const rico_run_options *options,
                                rico_step_function on_step, void *user, rico_run_report *report)
{
    double next = fmin(options->h, options->h_max),
           blow_at = options->t_blow; // time before which a blow was seen
    double begin = *sim->now.t;
    double asked = MOST_PER_STEP * (t_end - begin) / options->h + MOST_AT_ALL;
    int64_t most = options->max_steps > 0 ? options->max_steps : (int64_t)fmin(asked, 1e15);
    rico_status status = create(sim);
    if (status != RICO_OK) return status;
    while (*sim->now.t < t_end) {
        if (report->accepted + report->rejected >= most) return give_up(sim, begin, t_end, most, report);
        double left = t_end - *sim->now.t, h = clip(next, left);
        bool blow, failed;
        worst error;
        status = rico_step_remember(sim, &sim->adaptive->before);
        if (status != RICO_OK) return status;
        status = attempt(sim, h, options, &blow, &error);
        failed = status == RICO_SINGULAR;
        if (status != RICO_OK && !failed) {
            rico_step_restore(sim, &sim->adaptive->before);
            return status;
        }
        bool accepted = !failed && (blow ? h <= options->h_impact : error.ratio <= 1.0);
        if (!accepted) {
            status = rico_step_restore(sim, &sim->adaptive->before);
            if (status != RICO_OK) return status;
            report->rejected++;
            if (blow && !failed) {
                blow_at = *sim->now.t + h;
                next = fmax(0.5 * h, options->h_impact);
                continue;
            }
            double shorter = failed ? 0.5 * h : fmin(0.5 * h, propose(sim, h, error.ratio));
            if (shorter < options->h_min) return underflow(sim, h, options, &error, failed);
            next = shorter;
            continue;
        }
        if (h == left) arrive(sim, t_end);
        count(report, h, blow);
        // no growth on the way to a blow that longer steps have seen
        bool ahead = !blow && *sim->now.t < blow_at;
        double grown = blow ? 2.0 * h : propose(sim, h, error.ratio);
        next = fmin(options->h_max, ahead ? fmin(grown, h) : grown);
        if (h < left) report->h_next = next;
        report->t_blow = blow_at;
        report->stopped = on_step && !on_step(user, sim);
        if (report->stopped) return RICO_OK;
    }
    return RICO_OK;
}


rico_status rico_simulation_run(rico_simulation *sim, double t_end, const rico_run_options *options,
                                rico_step_function on_step, void *user, rico_run_report *report)
{
    rico_run_report own;
    if (!report) report = &own;
    memset(report, 0, sizeof *report);
    report->h_next = options->h;
    report->t_blow = options->t_blow;
    rico_status status = check(sim, t_end, options);
    if (status != RICO_OK) return status;
    return (options->adaptive ? run_adaptive : run_fixed)(sim, t_end, options, on_step, user, report);
}
