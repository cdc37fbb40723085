// Follows the curve of proximal points around its folds.
//
// A proximal step with centre r_0 solves the problem with W + alpha D in place of W and q - alpha D r_0 in place of q,
// D = diag(W_NN). For large alpha its solution is unique and near r_0; as alpha goes to zero it becomes a solution of the
// problem itself. Friction is not monotone, so the solutions do not depend on alpha alone: they form a curve in
// (r, alpha) that may turn back towards larger alpha before it goes on. Newton's method at a prescribed alpha finds
// nothing beyond such a fold. The curve itself goes on: it cannot come back to alpha = infinity, where only its own
// beginning is, so it has to end in a solution (the argument of Lemke's method and of its relatives; Allgower, Georg
// 2003, chapters 11 and 12).
//
// On a piece of the curve every contact keeps its state (open, sticking, sliding) and the equations are smooth; at the
// end of a piece one contact changes state. Where to go from there is said by the sign of det(I + C W): beta = 1 / alpha
// grows along the curve where it is positive and falls where it is negative. This rule looks at one point only, so that
// a step which lands on another piece still knows its way. On a piece r is nearly linear in beta.

#include "solve/curve.h"

#include "base/random.h"
#include "la/dense.h"

#include <math.h>
#include <string.h>

enum { STARTS = 60, CORRECTIONS = 6, HALVINGS = 12 };

static const double longest_rise = 3.0;   // of beta in one step, relative to beta
static const double longest_fall = 0.5;   // likewise
static const double longest_step = 0.3;   // of r, relative to |r|
static const double shortest_step = 1e-7; // likewise
static const double at_once = 1e-9;       // events nearer than this, likewise, happen without a step
static const double close_enough = 1e-3;  // a correction, relative to its step, that needs no other one
static const double contraction = 0.7;    // of the violation from one correction to the next
static const double landing = 1e-3;       // precision of an event, relative to its distance before the step
static const double turned_far = 0.3;     // radians that a direction of slip may turn in one step
static const double negligible_violation = 1e-3; // of an equation, relative to the residual per contact
static const double negligible_velocity = 1e-3;  // violation of an inequality, relative to the residual
static const double negligible_impulse = 1e-7;   // likewise, relative to the mean impulse
// Velocities that rounding of W r leaves, over eps |W| |r| of the residual: a row of W sums up more than its own block. Without such a floor no
// point of the curve satisfies its equations where impulses are large beside the velocities that they leave (towers of growing mass).
static const double round_off = 32.0;

rico_proximal_path_options rico_proximal_path_default(void)
{
    return (rico_proximal_path_options){.alpha = 0.1, .goal = 0.2, .noise = 1e-7, .steps = 400, .seed = 1};
}


// States after Alart and Curnier's map at r, and unless they have settled the directions of slip that it gives.
static int64_t guess_states(rico_curve *s, bool settled)
{
    const rico_problem *p = s->p;
    int64_t changes = 0;
    rico_curve_find_velocity(s);
    for (int64_t a = 0; a < p->block_count; a++) {
        if (rico_problem_is_joint(p, a)) continue;
        int64_t at = p->offset[a];
        int n = s->stage->dimension[a];
        double mu = s->stage->cone[a], z[3] = {0.0};
        for (int i = 0; i < n; i++) {
            double stiffness = (i ? s->stage->tangent[a] : s->stage->normal[a]) + rico_curve_pull(s, a);
            z[i] = s->r[at + i] - s->v[at + i] / stiffness;
        }
        double length = hypot(z[1], z[2]);
        int32_t state = z[0] <= 0.0                     ? RICO_CURVE_OPEN
                        : n == 1 || length <= mu * z[0] ? RICO_CURVE_STICK
                                                        : RICO_CURVE_SLIDE;
        if (state != s->state[a])
            changes++;
        else if (settled)
            continue;
        s->state[a] = state;
        for (int i = 1; state == RICO_CURVE_SLIDE && i < n; i++)
            s->r[at + i] = mu * fmax(s->r[at], 0.0) * z[i] / length;
    }
    rico_curve_retract(s);
    return changes;
}


// The point of the curve for a large alpha, by Newton's method from the centre; larger still if it does not settle.
static bool find_start(rico_curve *s, rico_run *run)
{
    static const int patience = 6;
    int64_t rows = s->p->rows;
    for (int64_t a = 0; a < s->p->block_count; a++) s->state[a] = RICO_CURVE_STICK;
    int64_t changes = 1;
    for (int k = 1; k <= STARTS; k++) {
        changes = guess_states(s, changes == 0);
        rico_curve_find_velocity(s);
        rico_curve_build(s);
        if (rico_run_limits(run, run->iterations + 1) || rico_stage_factor(s->stage)) return false;
        rico_curve_solve(s, s->newton, s->step, s->W_step, true);
        for (int64_t i = 0; i < rows; i++) s->r[i] += s->step[i];
        rico_curve_retract(s);
        double moved = rico_curve_norm(s, s->step);
        if (!isfinite(moved)) return false;
        if (changes == 0 && moved <= 1e-8 * s->size) return true;
        if (k % patience == 0) {
            s->alpha *= 3.0;
            memcpy(s->r, s->centre, (size_t)rows * sizeof *s->r);
        }
    }
    return false;
}


// How far along the slope the present piece may be followed, relative to beta, and what happens there. `entered` is the
// inequality through which the piece began.
static double first_event(const rico_curve *s, int direction, double reach, rico_curve_event entered,
                          rico_curve_event *next)
{
    const rico_problem *p = s->p;
    double value[2], rate[2], nearest = fmin(direction > 0 ? longest_rise : longest_fall, reach);
    *next = (rico_curve_event){-1, 0};
    for (int64_t a = 0; a < p->block_count; a++) {
        if (rico_problem_is_joint(p, a)) continue;
        int64_t at = p->offset[a];
        if (s->state[a] == RICO_CURVE_SLIDE && s->stage->dimension[a] == 3 && s->r[at] > 1e-10 * s->size) {
            double t[2];
            rico_curve_direction(s, a, t);
            double turn =
                fabs(t[0] * s->slope[at + 2] - t[1] * s->slope[at + 1]) / (s->stage->cone[a] * s->r[at]);
            if (turn * nearest > turned_far) {
                nearest = turned_far / turn;
                *next = (rico_curve_event){-1, 0};
            }
        }
        int count = rico_curve_inequalities(s, a, s->slope, s->W_slope, 1.0, value, rate);
        for (int k = 0; k < count; k++) {
            double approach = -direction * rate[k];
            if (approach <= 0.0 || (a == entered.contact && k == entered.which)) continue;
            double distance = fmax(value[k], 0.0) / approach;
            if (distance >= nearest) continue;
            nearest = distance;
            *next = (rico_curve_event){a, k};
        }
    }
    return nearest;
}


// Newton's method from the predicted point, in the plane across the tangent or onto the event. Returns the corrections
// made, -1 when it does not converge.
static int correct(rico_curve *s, rico_run *run, rico_curve_event onto, double predicted)
{
    double last = INFINITY;
    for (int k = 0; k < CORRECTIONS; k++) {
        rico_curve_find_velocity(s);
        double violation = rico_curve_build(s);
        if (violation < s->negligible.equation) return k;
        if (k > 1 && !(violation < contraction * last)) return -1;
        last = violation;
        if (rico_run_limits(run, run->iterations + 1) || rico_stage_factor(s->stage)) return -1;
        rico_curve_solve(s, s->drift, s->slope, s->W_slope, true);
        double moved = rico_curve_correct(s, onto);
        if (moved == INFINITY) return -1;
        if (k + 1 < CORRECTIONS && moved < close_enough * predicted) return k + 1;
    }
    return -1;
}


// One step along the tangent to the event, or half as far and so on until it succeeds without one. *onto becomes the
// event that was reached; returns the corrections, -1 when the curve is lost. *length: the step made.
static int advance(rico_curve *s, rico_run *run, int direction, double distance, rico_curve_event *onto,
                   double *length, bool *shortened)
{
    int64_t rows = s->p->rows;
    size_t bytes = (size_t)rows * sizeof *s->r;
    double norm = rico_curve_norm(s, s->tangent), alpha = s->alpha, value[2] = {0.0, 0.0}, rate[2];
    memcpy(s->base, s->r, bytes);
    if (onto->contact >= 0) rico_curve_inequalities(s, onto->contact, s->slope, s->W_slope, 1.0, value, rate);
    double before = fabs(value[onto->which]);

    for (int halving = 0; halving < HALVINGS; halving++, distance *= 0.5, onto->contact = -1) {
        double x = direction * distance;
        *shortened = halving > 0;
        *length = distance * norm;
        s->alpha = alpha / (1.0 + x);
        for (int64_t i = 0; i < rows; i++) s->r[i] = s->base[i] + x * s->tangent[i];
        rico_curve_retract(s);
        if (onto->contact >= 0 && *length <= at_once * s->size) return 0;
        int corrections = correct(s, run, *onto, *length);
        if (run->done) return -1;
        if (corrections < 0) continue;
        for (int64_t i = 0; i < rows; i++) s->step[i] = s->r[i] - s->base[i] - x * s->tangent[i];
        if (rico_curve_norm(s, s->step) > *length + 1e-10 * s->size) continue;
        rico_curve_find_velocity(s);
        rico_curve_polish(s, *onto);
        if (!rico_curve_is_consistent(s, *onto)) continue;
        if (onto->contact >= 0) {
            rico_curve_inequalities(s, onto->contact, s->step, s->W_step, 0.0, value, rate);
            if (fabs(value[onto->which]) > landing * before + 1e-14) continue;
        }
        return corrections;
    }
    s->alpha = alpha;
    memcpy(s->r, s->base, bytes);
    return -1;
}


// |r| to be expected where nothing is known of it: what stops every contact on its own.
static double typical_impulse(const rico_curve *s)
{
    double square = 0.0;
    for (int64_t a = 0; a < s->p->block_count; a++)
        for (int64_t i = s->p->offset[a]; i < s->p->offset[a + 1]; i++) {
            double r = s->p->q[i] / s->stage->normal[a];
            square += r * r;
        }
    return sqrt(square);
}


// The centre is where the run stands, put onto the cones and shaken a little, so that no two events fall together.
static void place_centre(rico_curve *s, double relative_noise, int seed)
{
    const rico_problem *p = s->p;
    rico_random random;
    rico_random_seed(&random, (uint64_t)seed);
    s->size = rico_norm(p->rows, s->r);
    if (s->size == 0.0) s->size = typical_impulse(s);
    double noise = relative_noise * s->size / sqrt((double)s->stage->contacts);
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t at = p->offset[a], rows = p->offset[a + 1] - at;
        rico_problem_project_block(p, a, &s->r[at]);
        for (int64_t i = 0; i < rows; i++)
            s->centre[at + i] =
                s->r[at + i] + (i < s->stage->dimension[a] ? rico_random_range(&random, -noise, noise) : 0.0);
    }
}


// From piece to piece, until the residual is small enough, the curve is lost, or all systems are used up.
static void follow(rico_curve *s, rico_curve_series *series, rico_run *run, double goal, int steps)
{
    rico_stage *stage = s->stage;
    int64_t end = stage->factorizations + steps;
    rico_curve_event entered = {-1, 0}, next;
    double reach = longest_step * s->size;
    rico_curve_find_velocity(s);
    while (stage->factorizations < end && isfinite(s->alpha) && s->alpha < 1e3) {
        rico_curve_build(s);
        if (rico_run_limits(run, run->iterations + 1) || rico_stage_factor(stage)) return;
        int direction = rico_stage_sign(stage);
        rico_curve_solve(s, s->drift, s->slope, s->W_slope, true);
        double norm = rico_curve_norm(s, s->slope), length;
        if (!isfinite(norm)) return;
        memcpy(s->tangent, s->slope, (size_t)s->p->rows * sizeof *s->slope);
        int corrections = 0;
        bool shortened = false;
        bool by_series = rico_curve_series_advance(series, s, direction, entered, &next, &length);
        if (!by_series) {
            double distance = first_event(s, direction, reach / fmax(norm, 1e-300), entered, &next);
            corrections = advance(s, run, direction, distance, &next, &length, &shortened);
        }
        if (run->done || rico_run_check(run, run->iterations + 1)) return;
        if (corrections < 0 || run->residual.relative <= goal) return;
        entered = next;
        if (next.contact >= 0) entered.which = rico_curve_change_state(s, next);
        // v is that of the present point again, and what the step and its event left of the violation is gone
        rico_curve_retract(s);
        rico_curve_find_velocity(s);
        rico_curve_recentre(s);
        if (by_series) continue;

        // what was too long is not tried again; easy steps may grow
        if (shortened)
            reach = 1.2 * length;
        else if (next.contact < 0)
            reach = fmax(corrections <= 2 ? reach : 0.0, (corrections <= 2 ? 2.0 : 1.0) * length);
        reach = fmax(fmin(reach, longest_step * s->size), shortest_step * s->size);
    }
}


rico_status rico_stage_proximal_path(rico_stage *stage, const rico_proximal_path_options *options,
                                     rico_run *run)
{
    const rico_problem *p = stage->problem;
    rico_curve s = {.stage = stage, .p = p, .state = stage->state, .alpha = options->alpha, .r = run->r};
    rico_stage_lend(stage,
                    (double **const[]){&s.v, &s.newton, &s.drift, &s.step, &s.slope, &s.W_step, &s.W_slope,
                                       &s.tangent, &s.base, &s.kept, &s.centre, NULL},
                    NULL);
    if (stage->contacts == 0 || rico_run_check(run, run->iterations + 1)) return RICO_OK;
    double goal = options->goal * run->residual.relative, each = 1.0 / sqrt((double)stage->contacts);
    place_centre(&s, options->noise, options->seed);
    double floor = round_off * run->residual.rounding * run->residual.scale;
    s.negligible =
        (rico_curve_tolerance){.equation = fmax(negligible_violation * run->residual.absolute * each, floor),
                               .velocity = fmax(negligible_velocity * run->residual.absolute, floor),
                               .impulse = negligible_impulse * s.size * each};
    if (s.size == 0.0 || !find_start(&s, run)) return RICO_OK;
    rico_curve_series *series = NULL;
    rico_status status = rico_curve_series_create(&s, &series);
    if (!status) follow(&s, series, run, goal, options->steps);
    rico_curve_series_destroy(series);
    return status;
}
