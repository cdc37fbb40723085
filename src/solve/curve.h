// A point on the curve of proximal points, and what is known of it (proximal_path.c).
//
// With W + alpha D in place of W and q - alpha D r_0 in place of q, D = diag(W_NN), every contact keeps to the equations of its
// state:
//
//     open    r = 0
//     stick   v = 0
//     slide   v_N = 0, |r_T| = mu r_N, v_T against r_T
//
// with v = u + alpha D (r - r_0), and to the inequalities of that state, one or two.

#ifndef RICO_SOLVE_CURVE_H
#define RICO_SOLVE_CURVE_H

#include "solve/stage.h"

enum { RICO_CURVE_OPEN, RICO_CURVE_STICK, RICO_CURVE_SLIDE };

// What is nothing: violation of an equation as a velocity, of an inequality as a velocity or an impulse.
typedef struct rico_curve_tolerance {
    double equation, velocity, impulse;
} rico_curve_tolerance;

typedef struct rico_curve {
    rico_stage *stage;
    const rico_problem *p;
    int32_t *state;
    double alpha, size; // size: |r| at the start
    rico_curve_tolerance negligible;
    double *r, *centre;
    double *v; // velocity with the proximal term: u + alpha D (r - centre)
    double *newton, *step, *W_step;
    double *drift, *slope, *W_slope; // with respect to log(beta), beta = 1 / alpha
    double *tangent, *base, *kept;
} rico_curve;

// An event that ends a piece: which contact, and which of its inequalities.
typedef struct rico_curve_event {
    int64_t contact; // -1: none
    int which;
} rico_curve_event;

static inline double rico_curve_pull(const rico_curve *s, int64_t a)
{
    return rico_problem_is_joint(s->p, a) ? 0.0 : s->alpha * s->stage->normal[a];
}

// v at the present r.
void rico_curve_find_velocity(rico_curve *s);

// Direction of the friction of a sliding contact: of its impulse, or against its velocity when it has just closed.
void rico_curve_direction(const rico_curve *s, int64_t a, double t[2]);

// C and the right-hand sides for the present states. Returns the largest violation of their equations, as a velocity.
double rico_curve_build(rico_curve *s);

// That violation at the present r and v, and Newton's right-hand side with the C at hand, which may be that of another point.
double rico_curve_look(rico_curve *s);

// Moves the centre so that nothing of the equations is violated at the present r and v: a point of another curve next to this one.
// A correction of r would move redundant impulses by 1 / alpha of what is violated, and they would leave their cones.
void rico_curve_recentre(rico_curve *s);

// d for a right-hand side, by the last factors, and W d.
void rico_curve_solve(rico_curve *s, const double *right, double *d, double *W_d, bool refine);

// |d| over the contacts. Impulses of redundant joints are left to rounding and say nothing.
double rico_curve_norm(const rico_curve *s, const double *d);

// Puts sliding contacts back onto their cones and open ones to zero.
void rico_curve_retract(rico_curve *s);

// The inequalities of a contact's state, >= 0 inside, and their rates along a direction (d, W d), which is the slope
// when `along` is 1 and leaves alpha as it is when 0. A sliding contact has two: its impulse and its speed.
int rico_curve_inequalities(const rico_curve *s, int64_t a, const double *d, const double *W_d, double along,
                            double value[2], double rate[2]);

// True when no inequality of any contact's state is violated by more than nothing, but for the event's own.
bool rico_curve_is_consistent(const rico_curve *s, rico_curve_event onto);

// Corrects r and alpha by the last factors and the last slope, in the plane across the tangent or onto an event. Returns how far r moved,
// infinity when there is no such correction.
double rico_curve_correct(rico_curve *s, rico_curve_event onto);

// Corrections as long as each takes most of what violates the equations away. Returns the violation that remains; v is up to date.
double rico_curve_polish(rico_curve *s, rico_curve_event onto);

// The state beyond an event. Returns which inequality of the new state the contact has just entered through.
int rico_curve_change_state(rico_curve *s, rico_curve_event e);

// The piece ahead as power series (curve_series.c).
typedef struct rico_curve_series rico_curve_series;
rico_status rico_curve_series_create(const rico_curve *s, rico_curve_series **out);
void rico_curve_series_destroy(rico_curve_series *series);

// Goes along the present piece as far as the series carries or to its end, with the factors, the slope and W slope of
// the present point. `entered` is the inequality through which the piece began; *onto becomes the event at which it ends, if
// that was reached. *length: of the step, in r over |r| and log(beta). False when it gets nowhere, and everything is as it was.
bool rico_curve_series_advance(rico_curve_series *series, rico_curve *s, int direction,
                               rico_curve_event entered, rico_curve_event *onto, double *length);

#endif
