// Derivatives of a step: of the state after it by the state before it, and by parameters of the system.
//
//     rico_derivatives *d;
//     rico_derivatives_create(sim, &d);             // the simulation keeps from now on where each step began
//     rico_simulation_step(sim, h);
//     rico_derivatives_evaluate(d);                 // of that step
//     const double *J = rico_derivatives_matrix(d); // size x size, column by column
//
// The state is x = (q, v, m): increments of q as velocities for a unit of time make them (the retraction of the system), so
// as many as there are velocities; then v; then what the scheme remembers beside them: the accelerations of Newmark's family, the velocity
// of the last step of Schatzman and Paoli's. Impulses only begin the search for the next ones and are no part of it. A scheme that remembers
// more (generalized-alpha-constrained) is refused.
//
// Through contacts, a derivative is that of the step's own equations with the modes of its contacts held: docs/theory/derivatives.md. Where a
// contact is about to change its mode the derivative belongs to one side, and the report says so (rico_doubt).

#ifndef RICOCHET_DERIVATIVES_H
#define RICOCHET_DERIVATIVES_H

#include "ricochet/simulation.h"

RICO_API_BEGIN

typedef struct rico_derivatives rico_derivatives;

// What a contact did in the step, as its equations see it.
typedef enum rico_contact_mode {
    RICO_MODE_INACTIVE, // the step did not let it act
    RICO_MODE_OPEN,     // it could act, and has no impulse
    RICO_MODE_STICKING,
    RICO_MODE_SLIDING, // or closed without friction
    RICO_MODE_HOLDING  // a joint
} rico_contact_mode;
const char *rico_contact_mode_name(rico_contact_mode mode); // "inactive", "open", ...

// Why a derivative belongs to one side: what a contact is about to do.
typedef enum rico_doubt_kind {
    RICO_DOUBT_ACTS,   // inactive, at the threshold of acting
    RICO_DOUBT_RESTS,  // acting, at the threshold of being let go
    RICO_DOUBT_CLOSES, // open with a relative velocity of nearly 0
    RICO_DOUBT_OPENS,  // closed with an impulse of nearly 0
    RICO_DOUBT_SLIPS,  // sticking with friction at its limit
    RICO_DOUBT_STICKS, // sliding with a velocity of nearly 0
    RICO_DOUBT_CLASHES, // it holds along with others that act in the same directions: a change of state that they cannot all follow
    RICO_DOUBT_CHANGES // by differences: a mode changes within the shortest stride
} rico_doubt_kind;

typedef struct rico_doubt {
    rico_doubt_kind kind;
    int64_t constraint;
    // derivative by the state before of what is at its threshold, `size` entries; a change of the state along which it does not change
    // stays on the threshold, and the derivative holds for it on both sides. NULL: not known.
    const double *slope;
} rico_doubt;

// The simulation must outlive this. One at a time for each simulation.
rico_status rico_derivatives_create(rico_simulation *sim, rico_derivatives **out);
void rico_derivatives_destroy(rico_derivatives *derivatives);

// Entries of the state: 2 or 3 times the velocities.
int64_t rico_derivatives_size(const rico_derivatives *derivatives);

// d(state)/d(q, v) where the simulation stands now, size x 2 velocities: what the scheme remembers follows from q and v when
// it starts. To be asked between the start and the first step.
rico_status rico_derivatives_start(rico_derivatives *derivatives, double *matrix);

// Of the last step, whose result stays as it is.
rico_status rico_derivatives_evaluate(rico_derivatives *derivatives);

// What is known then. Valid until the next evaluation.
const double *rico_derivatives_matrix(const rico_derivatives *derivatives);
bool rico_derivatives_analytic(const rico_derivatives *derivatives); // or by differences of the step
rico_contact_mode rico_derivatives_mode(const rico_derivatives *derivatives, int64_t constraint);
int64_t rico_derivatives_doubts(const rico_derivatives *derivatives); // 0: it holds on both sides
rico_doubt rico_derivatives_doubt(const rico_derivatives *derivatives, int64_t index);
// "contact floor sticks with friction at its limit"
void rico_derivatives_sentence(const rico_derivatives *derivatives, int64_t index, char *text, size_t size);
// Whether a change of the state before (and, unless NULL, of each parameter) leads off a threshold: then it is on one side.
bool rico_derivatives_crosses(const rico_derivatives *derivatives, const double *state,
                              const double *parameter);

// Y = J X and Y = J'X for count columns; X and Y must not overlap.
void rico_derivatives_forward(const rico_derivatives *derivatives, int64_t count, const double *X, double *Y);
void rico_derivatives_adjoint(const rico_derivatives *derivatives, int64_t count, const double *X, double *Y);

// A parameter of the system: simulations with the same scheme and options, started, of systems that were built at the values
// value + offset[i] of it, and are alike but for that. Two to four of them, offsets different; a derivative of as high an order as there are
// offsets follows: -2d, -d, d, 2d give the fourth, d and 2d stay on one side of a bound. They must outlive the derivatives; their states are written over.
enum { RICO_MOST_TWINS = 4 };
rico_status rico_derivatives_add_parameter(rico_derivatives *derivatives, int count,
                                           rico_simulation *const *twin, const double *offset,
                                           int64_t *index);
int64_t rico_derivatives_parameters(const rico_derivatives *derivatives);
// The derivative of the state after the step by a parameter, at the same state before: `size` entries.
const double *rico_derivatives_parameter(const rico_derivatives *derivatives, int64_t index);
// And that of the state where they all were started: to be asked between their starts and the first evaluation.
rico_status rico_derivatives_parameter_start(rico_derivatives *derivatives, int64_t index, double *column);

// Along many steps, forward: S (size x count) becomes J S, and where `by` is not NULL column j has the derivative by the parameter by[j]
// added; -1: none.
rico_status rico_derivatives_carry(rico_derivatives *derivatives, int64_t count, const int64_t *by,
                                   double *S);

// The same for the last step without its matrix: evaluation and carrying in one, at the cost of `count` columns where steps are differentiated by
// differences, however large the system is. A doubt then is one of some column: they have no slopes.
rico_status rico_derivatives_advance(rico_derivatives *derivatives, int64_t count, const int64_t *by,
                                     double *S);

// Along many steps, backward: the gradient of a sum over states, f = sum_k f_k(x_k), from the state that the simulation is in through
// `steps` steps of h. States in between are kept at about sqrt(steps) places and computed again from there, bit for bit the same;
// at most one stretch of steps has its matrices in memory.
typedef struct rico_adjoint_options {
    int64_t steps;
    double h;
    // adds d f_k/d x_k to `slope` (size entries), k = 0 for the state at the beginning; may be called more than once for a step
    rico_status (*weigh)(void *user, int64_t step, rico_simulation *sim, double *slope);
    void *user;
    int64_t stretch; // steps from one kept state to the next; 0: about sqrt(steps)
} rico_adjoint_options;

typedef struct rico_adjoint_report {
    int64_t one_sided;   // steps whose derivative belongs to one side: some contact was about to change
    int64_t differences; // steps differentiated by differences
    int64_t kept;        // states kept
} rico_adjoint_report;

// state: df/dx_0, `size` entries; parameter: df by each of them at the same x_0, or NULL. report may be NULL. The simulation ends at the last state.
rico_status rico_derivatives_gradient(rico_derivatives *derivatives, const rico_adjoint_options *options,
                                      double *state, double *parameter, rico_adjoint_report *report);

RICO_API_END

#endif
