// Points on the curve of proximal points: their equations, inequalities and states.

#include "solve/curve.h"

#include "la/dense.h"

#include <math.h>
#include <string.h>


void rico_curve_find_velocity(rico_curve *s)
{
    rico_stage_velocity(s->stage, s->r, s->v);
    for (int64_t a = 0; a < s->p->block_count; a++)
        for (int64_t i = s->p->offset[a]; i < s->p->offset[a + 1]; i++)
            s->v[i] += rico_curve_pull(s, a) * (s->r[i] - s->centre[i]);
}


// Direction of the friction of a sliding contact: of its impulse, or against its velocity when it has just closed.
void rico_curve_direction(const rico_curve *s, int64_t a, double t[2])
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
static void linearize_sliding(const rico_curve *s, int64_t a, double *C, double *drift)
{
    int64_t at = s->p->offset[a];
    int n = s->stage->dimension[a];
    const double *r = &s->r[at], *centre = &s->centre[at], *v = &s->v[at];
    double mu = s->stage->cone[a], alpha = rico_curve_pull(s, a), t[2];
    rico_curve_direction(s, a, t);
    double across[2] = {n == 3 ? -t[1] : 0.0, n == 3 ? t[0] : 0.0}, speed = 0.0, away = 0.0, give = 0.0;
    for (int i = 1; i < n; i++) {
        speed -= t[i - 1] * v[i];
        away += across[i - 1] * (r[i] - centre[i]);
    }
    double radius = mu * fmax(r[0], 0.0), stiffness = alpha * radius + fmax(speed, 0.0);
    if (n == 3 && stiffness > 0.0) give = radius / stiffness;
    C[0] = 1.0 / alpha;
    drift[0] = r[0] - centre[0];
    for (int i = 1; i < n; i++) {
        C[3 * i] = mu * t[i - 1] / alpha;
        for (int j = 1; j < n; j++) C[3 * i + j] = across[i - 1] * across[j - 1] * give;
        drift[i] = mu * t[i - 1] * drift[0] + across[i - 1] * give * alpha * away;
    }
}


// C and the drift for the present states.
static void linearize(rico_curve *s)
{
    const rico_problem *p = s->p;
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t at = p->offset[a];
        int n = s->stage->dimension[a];
        double *C = &s->stage->C[9 * a], *drift = &s->drift[at], alpha = rico_curve_pull(s, a);
        for (int64_t i = at; i < p->offset[a + 1]; i++) s->drift[i] = 0.0;
        if (rico_problem_is_joint(p, a)) continue;
        memset(C, 0, 9 * sizeof *C);
        if (s->state[a] == RICO_CURVE_SLIDE) linearize_sliding(s, a, C, drift);
        for (int i = 0; s->state[a] == RICO_CURVE_STICK && i < n; i++) {
            C[4 * i] = 1.0 / alpha;
            drift[i] = s->r[at + i] - s->centre[at + i];
        }
    }
}


// What of r leaves the surface that its state keeps it on, and what of v ought to be zero; returns the largest, as a velocity.
static double leave_state(const rico_curve *s, int64_t a, double *surface, double *off)
{
    int64_t at = s->p->offset[a];
    int n = s->stage->dimension[a];
    const double *r = &s->r[at], *v = &s->v[at];
    double worst = 0.0;
    for (int i = 0; i < n; i++) {
        surface[i] = s->state[a] == RICO_CURVE_OPEN ? -r[i] : 0.0;
        off[i] = s->state[a] == RICO_CURVE_STICK ? v[i] : 0.0;
        worst = fmax(worst, fmax(rico_curve_pull(s, a) * fabs(surface[i]), fabs(off[i])));
    }
    if (s->state[a] != RICO_CURVE_SLIDE) return worst;
    double t[2];
    rico_curve_direction(s, a, t);
    double sideways = n == 3 ? t[0] * v[2] - t[1] * v[1] : 0.0;
    off[0] = v[0];
    for (int i = 1; i < n; i++) {
        surface[i] = s->stage->cone[a] * r[0] * t[i - 1] - r[i];
        off[i] = (i == 1 ? -t[1] : t[0]) * sideways;
    }
    return fmax(fabs(v[0]), fabs(sideways));
}


double rico_curve_look(rico_curve *s)
{
    const rico_problem *p = s->p;
    double worst = 0.0;
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t at = p->offset[a];
        int n = s->stage->dimension[a];
        const double *C = &s->stage->C[9 * a];
        double *newton = &s->newton[at], off[3];
        for (int64_t i = at; i < p->offset[a + 1]; i++) s->newton[i] = 0.0;
        if (rico_problem_is_joint(p, a)) {
            for (int i = 0; i < n; i++) {
                newton[i] = -s->v[at + i];
                worst = fmax(worst, fabs(newton[i]));
            }
            continue;
        }
        worst = fmax(worst, leave_state(s, a, newton, off));
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) newton[i] -= C[3 * i + j] * off[j];
    }
    return worst;
}


void rico_curve_recentre(rico_curve *s)
{
    const rico_problem *p = s->p;
    for (int64_t a = 0; a < p->block_count; a++) {
        if (rico_problem_is_joint(p, a)) continue;
        int64_t at = p->offset[a];
        double surface[3] = {0.0}, off[3] = {0.0}, pull = rico_curve_pull(s, a);
        leave_state(s, a, surface, off);
        for (int i = 0; i < s->stage->dimension[a]; i++) {
            s->centre[at + i] += off[i] / pull;
            s->v[at + i] -= off[i];
        }
    }
}


double rico_curve_build(rico_curve *s)
{
    linearize(s);
    return rico_curve_look(s);
}


void rico_curve_solve(rico_curve *s, const double *right, double *d, double *W_d, bool refine)
{
    memcpy(s->stage->c, right, (size_t)s->p->rows * sizeof *right);
    rico_stage_solve(s->stage, d, refine);
    rico_stage_product(s->stage, W_d);
}


// |d| over the contacts. Impulses of redundant joints are left to rounding and say nothing.
double rico_curve_norm(const rico_curve *s, const double *d)
{
    double square = 0.0;
    for (int64_t a = 0; a < s->p->block_count; a++)
        for (int64_t i = s->p->offset[a]; !rico_problem_is_joint(s->p, a) && i < s->p->offset[a + 1]; i++)
            square += d[i] * d[i];
    return sqrt(square);
}


// Puts sliding contacts back onto their cones and open ones to zero.
void rico_curve_retract(rico_curve *s)
{
    for (int64_t a = 0; a < s->p->block_count; a++) {
        double *r = &s->r[s->p->offset[a]];
        int n = s->stage->dimension[a];
        if (rico_problem_is_joint(s->p, a)) continue;
        if (s->state[a] == RICO_CURVE_OPEN)
            for (int i = 0; i < n; i++) r[i] = 0.0;
        if (s->state[a] != RICO_CURVE_SLIDE) continue;
        double length = n == 3 ? hypot(r[1], r[2]) : fabs(r[1]);
        double radius = s->stage->cone[a] * fmax(r[0], 0.0);
        for (int i = 1; length > 0.0 && i < n; i++) r[i] *= radius / length;
    }
}


// The inequalities of a contact's state, >= 0 inside, and their rates along a direction (d, W d), which is the slope
// when `along` is 1 and leaves alpha as it is when 0. A sliding contact has two: its impulse and its speed.
int rico_curve_inequalities(const rico_curve *s, int64_t a, const double *d, const double *W_d, double along,
                            double value[2], double rate[2])
{
    int64_t at = s->p->offset[a];
    int n = s->stage->dimension[a];
    const double *r = &s->r[at], *v = &s->v[at];
    double mu = s->stage->cone[a], alpha = rico_curve_pull(s, a), dv[3];
    for (int i = 0; i < n; i++)
        dv[i] = W_d[at + i] + alpha * (d[at + i] - along * (r[i] - s->centre[at + i]));
    if (s->state[a] == RICO_CURVE_OPEN) {
        value[0] = v[0];
        rate[0] = dv[0];
        return 1;
    }
    value[0] = r[0];
    rate[0] = d[at];
    if (n == 1) return 1;
    if (s->state[a] == RICO_CURVE_STICK) {
        double length = n == 3 ? hypot(r[1], r[2]) : fabs(r[1]), outward = 0.0;
        for (int i = 1; length > 0.0 && i < n; i++) outward += r[i] * d[at + i] / length;
        value[0] = mu * r[0] - length;
        rate[0] = mu * d[at] - outward;
        return 1;
    }
    double t[2];
    rico_curve_direction(s, a, t);
    value[1] = rate[1] = 0.0;
    for (int i = 1; i < n; i++) {
        value[1] -= t[i - 1] * v[i];
        rate[1] -= t[i - 1] * dv[i];
    }
    return 2;
}


// The state beyond an event. Returns which inequality of the new state the contact has just entered through.
int rico_curve_change_state(rico_curve *s, rico_curve_event e)
{
    int32_t *state = &s->state[e.contact];
    bool frictionless = s->stage->dimension[e.contact] == 1;
    if (*state == RICO_CURVE_OPEN) {
        *state = frictionless ? RICO_CURVE_STICK : RICO_CURVE_SLIDE;
        return 0;
    }
    if (*state == RICO_CURVE_STICK) {
        *state = frictionless ? RICO_CURVE_OPEN : RICO_CURVE_SLIDE;
        return frictionless ? 0 : 1;
    }
    *state = e.which == 0 ? RICO_CURVE_OPEN : RICO_CURVE_STICK;
    return 0;
}


bool rico_curve_is_consistent(const rico_curve *s, rico_curve_event onto)
{
    double value[2], rate[2];
    for (int64_t a = 0; a < s->p->block_count; a++) {
        if (rico_problem_is_joint(s->p, a)) continue;
        int count = rico_curve_inequalities(s, a, s->step, s->W_step, 0.0, value, rate);
        for (int k = 0; k < count; k++) {
            bool is_velocity = s->state[a] == RICO_CURVE_OPEN || k == 1;
            if (a == onto.contact && k == onto.which) continue;
            if (value[k] < -(is_velocity ? s->negligible.velocity : s->negligible.impulse)) return false;
        }
    }
    return true;
}


double rico_curve_correct(rico_curve *s, rico_curve_event onto)
{
    int64_t rows = s->p->rows;
    double value[2], rate[2], other[2], change;
    rico_curve_solve(s, s->newton, s->step, s->W_step, true);
    if (onto.contact >= 0) {
        rico_curve_inequalities(s, onto.contact, s->step, s->W_step, 0.0, value, other);
        rico_curve_inequalities(s, onto.contact, s->slope, s->W_slope, 1.0, value, rate);
        change = -(value[onto.which] + other[onto.which]) / rate[onto.which];
    } else {
        change =
            -rico_dot(rows, s->tangent, s->step) / (s->size * s->size + rico_dot(rows, s->tangent, s->slope));
    }
    if (!(fabs(change) < 0.5)) return INFINITY;
    for (int64_t i = 0; i < rows; i++) {
        s->step[i] += change * s->slope[i];
        s->r[i] += s->step[i];
    }
    s->alpha /= 1.0 + change;
    rico_curve_retract(s);
    return rico_curve_norm(s, s->step);
}


double rico_curve_polish(rico_curve *s, rico_curve_event onto)
{
    enum { CORRECTIONS = 3 };
    static const double worth = 0.3, near = 1e4;
    double violation = rico_curve_look(s), enough = s->negligible.equation;
    size_t bytes = (size_t)s->p->rows * sizeof *s->r;
    if (violation > near * enough) return violation;
    for (int k = 0; k < CORRECTIONS && violation > enough; k++) {
        double alpha = s->alpha;
        memcpy(s->kept, s->r, bytes);
        double moved = rico_curve_correct(s, onto), now = INFINITY;
        if (moved < INFINITY) {
            rico_curve_find_velocity(s);
            now = rico_curve_look(s);
        }
        if (now < worth * violation) {
            violation = now;
            continue;
        }
        s->alpha = alpha;
        memcpy(s->r, s->kept, bytes);
        rico_curve_find_velocity(s);
        break;
    }
    return violation;
}
