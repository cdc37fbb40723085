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

#include "solve/stage.h"

#include "base/random.h"
#include "la/dense.h"

#include <math.h>
#include <string.h>

enum { OPEN, STICK, SLIDE };
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

typedef struct curve {
    rico_stage *stage;
    const rico_problem *p;
    int32_t *state;
    double alpha, size; // size: |r| at the start
    double *r, *centre;
    double *v; // velocity with the proximal term: u + alpha D (r - centre)
    double *newton, *drift, *step, *slope, *W_step, *W_slope; // drift, slope: with respect to log(beta)
    double *tangent, *base;
} curve;

// An event that ends a piece: which contact, and which of its inequalities.
typedef struct event {
    int64_t contact; // -1: none
    int which;
} event;


rico_proximal_path_options rico_proximal_path_default(void)
{
    return (rico_proximal_path_options){.alpha = 0.1, .goal = 0.5, .noise = 1e-7, .steps = 4000, .seed = 1};
}


static double pull(const curve *s, int64_t a)
{
    return rico_problem_is_joint(s->p, a) ? 0.0 : s->alpha * s->stage->normal[a];
}


static void find_velocity(curve *s)
{
    rico_stage_velocity(s->stage, s->r, s->v);
    for (int64_t a = 0; a < s->p->block_count; a++)
        for (int64_t i = s->p->offset[a]; i < s->p->offset[a + 1]; i++)
            s->v[i] += pull(s, a) * (s->r[i] - s->centre[i]);
}


// Direction of the friction of a sliding contact: of its impulse, or against its velocity when it has just closed.
static void friction_direction(const curve *s, int64_t a, double t[2])
{
    const double *r = &s->r[s->p->offset[a]], *v = &s->v[s->p->offset[a]];
    bool plane = s->stage->dimension[a] == 2;
    double x = r[1], y = plane ? 0.0 : r[2];
    if (r[0] <= 0.0 || (x == 0.0 && y == 0.0)) {
        x = -v[1];
        y = plane ? 0.0 : -v[2];
    }
    double length = hypot(x, y);
    t[0] = length > 0.0 ? x / length : 1.0;
    t[1] = length > 0.0 ? y / length : 0.0;
}


// The sliding contact's part of the system: r = r_N (1, mu t), v_N = 0 and v_T along t. With the sideways step
// rho = mu r_N dt the last equation linearizes to (W dr)_p + (alpha D + s / (mu r_N)) rho = -v_p, s the speed.
static double build_sliding(curve *s, int64_t a, double *C, double *newton, double *drift)
{
    int64_t at = s->p->offset[a];
    int n = s->stage->dimension[a];
    const double *r = &s->r[at], *centre = &s->centre[at], *v = &s->v[at];
    double mu = s->stage->cone[a], alpha = pull(s, a), t[2], across[2] = {0.0, 0.0};
    friction_direction(s, a, t);
    double speed = 0.0, sideways = 0.0, away = 0.0, give = 0.0;
    if (n == 3) {
        across[0] = -t[1];
        across[1] = t[0];
    }
    for (int i = 1; i < n; i++) {
        speed -= t[i - 1] * v[i];
        sideways += across[i - 1] * v[i];
        away += across[i - 1] * (r[i] - centre[i]);
    }
    double radius = mu * fmax(r[0], 0.0), stiffness = alpha * radius + fmax(speed, 0.0);
    if (n == 3 && stiffness > 0.0) give = radius / stiffness;
    C[0] = 1.0 / alpha;
    newton[0] = -v[0] / alpha;
    drift[0] = r[0] - centre[0];
    for (int i = 1; i < n; i++) {
        C[3 * i] = mu * t[i - 1] / alpha;
        for (int j = 1; j < n; j++) C[3 * i + j] = across[i - 1] * across[j - 1] * give;
        newton[i] = mu * r[0] * t[i - 1] - r[i] + mu * t[i - 1] * newton[0] - across[i - 1] * give * sideways;
        drift[i] = mu * t[i - 1] * drift[0] + across[i - 1] * give * alpha * away;
    }
    return fmax(fabs(v[0]), fabs(sideways));
}


// C and the right-hand sides for the present states. Returns the largest violation of their equations, as a velocity.
static double build(curve *s)
{
    const rico_problem *p = s->p;
    double worst = 0.0;
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t at = p->offset[a], rows = p->offset[a + 1] - at;
        int n = s->stage->dimension[a];
        double *C = &s->stage->C[9 * a], *newton = &s->newton[at], *drift = &s->drift[at], alpha = pull(s, a);
        for (int64_t i = 0; i < rows; i++) newton[i] = drift[i] = 0.0;
        if (rico_problem_is_joint(p, a)) {
            for (int i = 0; i < n; i++) {
                newton[i] = -s->v[at + i];
                worst = fmax(worst, fabs(newton[i]));
            }
            continue;
        }
        memset(C, 0, 9 * sizeof *C);
        if (s->state[a] == SLIDE) {
            worst = fmax(worst, build_sliding(s, a, C, newton, drift));
            continue;
        }
        for (int i = 0; i < n; i++) {
            if (s->state[a] == OPEN) {
                newton[i] = -s->r[at + i];
                worst = fmax(worst, alpha * fabs(newton[i]));
            } else {
                C[4 * i] = 1.0 / alpha;
                newton[i] = -s->v[at + i] / alpha;
                drift[i] = s->r[at + i] - s->centre[at + i];
                worst = fmax(worst, fabs(s->v[at + i]));
            }
        }
    }
    return worst;
}


static void solve(curve *s, const double *right, double *d, double *W_d)
{
    memcpy(s->stage->c, right, (size_t)s->p->rows * sizeof *right);
    rico_stage_solve(s->stage, d, true);
    rico_block_times(&s->p->W, d, NULL, W_d);
}


// |d| over the contacts. Impulses of redundant joints are left to rounding and say nothing.
static double contact_norm(const curve *s, const double *d)
{
    double square = 0.0;
    for (int64_t a = 0; a < s->p->block_count; a++)
        for (int64_t i = s->p->offset[a]; !rico_problem_is_joint(s->p, a) && i < s->p->offset[a + 1]; i++)
            square += d[i] * d[i];
    return sqrt(square);
}


// Puts sliding contacts back onto their cones and open ones to zero.
static void retract(curve *s)
{
    for (int64_t a = 0; a < s->p->block_count; a++) {
        double *r = &s->r[s->p->offset[a]];
        int n = s->stage->dimension[a];
        if (rico_problem_is_joint(s->p, a)) continue;
        if (s->state[a] == OPEN)
            for (int i = 0; i < n; i++) r[i] = 0.0;
        if (s->state[a] != SLIDE) continue;
        double length = n == 3 ? hypot(r[1], r[2]) : fabs(r[1]);
        double radius = s->stage->cone[a] * fmax(r[0], 0.0);
        for (int i = 1; length > 0.0 && i < n; i++) r[i] *= radius / length;
    }
}


// The inequalities of a contact's state, >= 0 inside, and their rates along a direction (d, W d), which is the slope
// when `along` is 1 and leaves alpha as it is when 0. A sliding contact has two: its impulse and its speed.
static int inequalities(const curve *s, int64_t a, const double *d, const double *W_d, double along,
                        double value[2], double rate[2])
{
    int64_t at = s->p->offset[a];
    int n = s->stage->dimension[a];
    const double *r = &s->r[at], *v = &s->v[at];
    double mu = s->stage->cone[a], alpha = pull(s, a), dv[3];
    for (int i = 0; i < n; i++)
        dv[i] = W_d[at + i] + alpha * (d[at + i] - along * (r[i] - s->centre[at + i]));
    if (s->state[a] == OPEN) {
        value[0] = v[0];
        rate[0] = dv[0];
        return 1;
    }
    value[0] = r[0];
    rate[0] = d[at];
    if (n == 1) return 1;
    if (s->state[a] == STICK) {
        double length = n == 3 ? hypot(r[1], r[2]) : fabs(r[1]), outward = 0.0;
        for (int i = 1; length > 0.0 && i < n; i++) outward += r[i] * d[at + i] / length;
        value[0] = mu * r[0] - length;
        rate[0] = mu * d[at] - outward;
        return 1;
    }
    double t[2];
    friction_direction(s, a, t);
    value[1] = rate[1] = 0.0;
    for (int i = 1; i < n; i++) {
        value[1] -= t[i - 1] * v[i];
        rate[1] -= t[i - 1] * dv[i];
    }
    return 2;
}


// The state beyond an event. Returns which inequality of the new state the contact has just entered through.
static int change_state(curve *s, event e)
{
    int32_t *state = &s->state[e.contact];
    bool frictionless = s->stage->dimension[e.contact] == 1;
    if (*state == OPEN) {
        *state = frictionless ? STICK : SLIDE;
        return 0;
    }
    if (*state == STICK) {
        *state = frictionless ? OPEN : SLIDE;
        return frictionless ? 0 : 1;
    }
    *state = e.which == 0 ? OPEN : STICK;
    return 0;
}


// States after Alart and Curnier's map at r, and unless they have settled the directions of slip that it gives.
static int64_t guess_states(curve *s, bool settled)
{
    const rico_problem *p = s->p;
    int64_t changes = 0;
    find_velocity(s);
    for (int64_t a = 0; a < p->block_count; a++) {
        if (rico_problem_is_joint(p, a)) continue;
        int64_t at = p->offset[a];
        int n = s->stage->dimension[a];
        double mu = s->stage->cone[a], z[3] = {0.0};
        for (int i = 0; i < n; i++) {
            double stiffness = (i ? s->stage->tangent[a] : s->stage->normal[a]) + pull(s, a);
            z[i] = s->r[at + i] - s->v[at + i] / stiffness;
        }
        double length = hypot(z[1], z[2]);
        int32_t state = z[0] <= 0.0 ? OPEN : n == 1 || length <= mu * z[0] ? STICK : SLIDE;
        if (state != s->state[a])
            changes++;
        else if (settled)
            continue;
        s->state[a] = state;
        for (int i = 1; state == SLIDE && i < n; i++) s->r[at + i] = mu * fmax(s->r[at], 0.0) * z[i] / length;
    }
    retract(s);
    return changes;
}


// The point of the curve for a large alpha, by Newton's method from the centre; larger still if it does not settle.
static bool find_start(curve *s, rico_run *run)
{
    static const int patience = 6;
    int64_t rows = s->p->rows;
    for (int64_t a = 0; a < s->p->block_count; a++) s->state[a] = STICK;
    int64_t changes = 1;
    for (int k = 1; k <= STARTS; k++) {
        changes = guess_states(s, changes == 0);
        find_velocity(s);
        build(s);
        if (rico_run_limits(run, run->iterations + 1) || rico_stage_factor(s->stage)) return false;
        solve(s, s->newton, s->step, s->W_step);
        for (int64_t i = 0; i < rows; i++) s->r[i] += s->step[i];
        retract(s);
        double moved = contact_norm(s, s->step);
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
static double first_event(const curve *s, int direction, double reach, event entered, event *next)
{
    const rico_problem *p = s->p;
    double value[2], rate[2], nearest = fmin(direction > 0 ? longest_rise : longest_fall, reach);
    *next = (event){-1, 0};
    for (int64_t a = 0; a < p->block_count; a++) {
        if (rico_problem_is_joint(p, a)) continue;
        int64_t at = p->offset[a];
        if (s->state[a] == SLIDE && s->stage->dimension[a] == 3 && s->r[at] > 1e-10 * s->size) {
            double t[2];
            friction_direction(s, a, t);
            double turn =
                fabs(t[0] * s->slope[at + 2] - t[1] * s->slope[at + 1]) / (s->stage->cone[a] * s->r[at]);
            if (turn * nearest > turned_far) {
                nearest = turned_far / turn;
                *next = (event){-1, 0};
            }
        }
        int count = inequalities(s, a, s->slope, s->W_slope, 1.0, value, rate);
        for (int k = 0; k < count; k++) {
            double approach = -direction * rate[k];
            if (approach <= 0.0 || (a == entered.contact && k == entered.which)) continue;
            double distance = fmax(value[k], 0.0) / approach;
            if (distance >= nearest) continue;
            nearest = distance;
            *next = (event){a, k};
        }
    }
    return nearest;
}


// Newton's method from the predicted point, in the plane across the tangent or onto the event. Returns the corrections
// made, -1 when it does not converge.
static int correct(curve *s, rico_run *run, event onto, double predicted)
{
    int64_t rows = s->p->rows;
    double last = INFINITY,
           floor = negligible_violation * run->residual.absolute / sqrt((double)s->stage->contacts);
    for (int k = 0; k < CORRECTIONS; k++) {
        find_velocity(s);
        double violation = build(s), value[2], rate[2], other[2], change;
        if (violation < floor) return k;
        if (k > 1 && !(violation < contraction * last)) return -1;
        last = violation;
        if (rico_run_limits(run, run->iterations + 1) || rico_stage_factor(s->stage)) return -1;
        solve(s, s->newton, s->step, s->W_step);
        solve(s, s->drift, s->slope, s->W_slope);
        if (onto.contact >= 0) {
            inequalities(s, onto.contact, s->step, s->W_step, 0.0, value, other);
            inequalities(s, onto.contact, s->slope, s->W_slope, 1.0, value, rate);
            change = -(value[onto.which] + other[onto.which]) / rate[onto.which];
        } else {
            change = -rico_dot(rows, s->tangent, s->step) /
                     (s->size * s->size + rico_dot(rows, s->tangent, s->slope));
        }
        if (!(fabs(change) < 0.5)) return -1;
        for (int64_t i = 0; i < rows; i++) {
            s->step[i] += change * s->slope[i];
            s->r[i] += s->step[i];
        }
        s->alpha /= 1.0 + change;
        retract(s);
        if (k + 1 < CORRECTIONS && contact_norm(s, s->step) < close_enough * predicted) return k + 1;
    }
    return -1;
}


// True when no inequality of any contact's state is violated, but for the event's own.
static bool is_consistent(curve *s, event onto, double velocity, double impulse)
{
    double value[2], rate[2];
    find_velocity(s);
    for (int64_t a = 0; a < s->p->block_count; a++) {
        if (rico_problem_is_joint(s->p, a)) continue;
        int count = inequalities(s, a, s->step, s->W_step, 0.0, value, rate);
        for (int k = 0; k < count; k++) {
            bool is_velocity = s->state[a] == OPEN || k == 1;
            if (a == onto.contact && k == onto.which) continue;
            if (value[k] < -(is_velocity ? velocity : impulse)) return false;
        }
    }
    return true;
}


// One step along the tangent to the event, or half as far and so on until it succeeds without one. *onto becomes the
// event that was reached; returns the corrections, -1 when the curve is lost. *length: the step made.
static int advance(curve *s, rico_run *run, int direction, double distance, event *onto, double *length,
                   bool *shortened)
{
    int64_t rows = s->p->rows;
    size_t bytes = (size_t)rows * sizeof *s->r;
    double norm = contact_norm(s, s->tangent), alpha = s->alpha, value[2] = {0.0, 0.0}, rate[2];
    double velocity = negligible_velocity * run->residual.absolute;
    double impulse = negligible_impulse * s->size / sqrt((double)s->stage->contacts);
    memcpy(s->base, s->r, bytes);
    if (onto->contact >= 0) inequalities(s, onto->contact, s->slope, s->W_slope, 1.0, value, rate);
    double before = fabs(value[onto->which]);

    for (int halving = 0; halving < HALVINGS; halving++, distance *= 0.5, onto->contact = -1) {
        double x = direction * distance;
        *shortened = halving > 0;
        *length = distance * norm;
        s->alpha = alpha / (1.0 + x);
        for (int64_t i = 0; i < rows; i++) s->r[i] = s->base[i] + x * s->tangent[i];
        retract(s);
        if (onto->contact >= 0 && *length <= at_once * s->size) return 0;
        int corrections = correct(s, run, *onto, *length);
        if (run->done) return -1;
        if (corrections < 0) continue;
        for (int64_t i = 0; i < rows; i++) s->step[i] = s->r[i] - s->base[i] - x * s->tangent[i];
        if (contact_norm(s, s->step) > *length + 1e-10 * s->size) continue;
        if (!is_consistent(s, *onto, velocity, impulse)) continue;
        if (onto->contact >= 0) {
            inequalities(s, onto->contact, s->step, s->W_step, 0.0, value, rate);
            if (fabs(value[onto->which]) > landing * before + 1e-14) continue;
        }
        return corrections;
    }
    s->alpha = alpha;
    memcpy(s->r, s->base, bytes);
    return -1;
}


// |r| to be expected where nothing is known of it: what stops every contact on its own.
static double typical_impulse(const curve *s)
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
static void place_centre(curve *s, double relative_noise, int seed)
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


rico_status rico_stage_proximal_path(rico_stage *stage, const rico_proximal_path_options *options,
                                     rico_run *run)
{
    const rico_problem *p = stage->problem;
    curve s = {.stage = stage, .p = p, .state = stage->state, .alpha = options->alpha, .r = run->r};
    rico_stage_lend(stage,
                    (double **const[]){&s.v, &s.newton, &s.drift, &s.step, &s.slope, &s.W_step, &s.W_slope,
                                       &s.tangent, &s.base, &s.centre, NULL},
                    NULL);
    if (stage->contacts == 0 || rico_run_check(run, run->iterations + 1)) return RICO_OK;
    double goal = options->goal * run->residual.relative;
    place_centre(&s, options->noise, options->seed);
    if (s.size == 0.0 || !find_start(&s, run)) return RICO_OK;

    int64_t end = stage->factorizations + options->steps;
    event entered = {-1, 0}, next;
    double reach = longest_step * s.size;
    while (stage->factorizations < end && isfinite(s.alpha) && s.alpha < 1e3) {
        find_velocity(&s);
        build(&s);
        if (rico_run_limits(run, run->iterations + 1) || rico_stage_factor(stage)) return RICO_OK;
        int direction = rico_stage_sign(stage);
        solve(&s, s.drift, s.slope, s.W_slope);
        double norm = contact_norm(&s, s.slope), length;
        if (!isfinite(norm)) return RICO_OK;
        memcpy(s.tangent, s.slope, (size_t)p->rows * sizeof *s.slope);
        bool shortened;
        double distance = first_event(&s, direction, reach / fmax(norm, 1e-300), entered, &next);
        int corrections = advance(&s, run, direction, distance, &next, &length, &shortened);
        if (run->done) return RICO_OK;
        if (rico_run_check(run, run->iterations + 1)) return RICO_OK;
        if (corrections < 0 || run->residual.relative <= goal) return RICO_OK;
        entered = next;
        if (next.contact >= 0) entered.which = change_state(&s, next);

        // what was too long is not tried again; easy steps may grow
        if (shortened)
            reach = 1.2 * length;
        else if (next.contact < 0)
            reach = fmax(corrections <= 2 ? reach : 0.0, (corrections <= 2 ? 2.0 : 1.0) * length);
        reach = fmax(fmin(reach, longest_step * s.size), shortest_step * s.size);
    }
    return RICO_OK;
}
