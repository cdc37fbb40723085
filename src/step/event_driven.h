// Event-driven integration from inside: a scheme whose steps go through all events between their ends.

#ifndef RICO_STEP_EVENT_DRIVEN_H
#define RICO_STEP_EVENT_DRIVEN_H

#include "step/simulation.h"
#include "step/sundials.h"

// Its own options, by index.
enum {
    RICO_EVENT_RTOL,
    RICO_EVENT_ATOL,
    RICO_EVENT_GAP_TOL,
    RICO_EVENT_DRIFT,
    RICO_EVENT_MAX_STEP,
    RICO_EVENT_MIN_INTERVAL,
    RICO_EVENT_MAX_EVENTS,
    RICO_EVENT_ACCUMULATION,
    RICO_EVENT_OPTIONS
};

// What a contact remembers of its impacts, to tell an accumulation from a busy life.
typedef struct rico_impact_memory {
    double count;     // impacts that were blows
    double last;      // time of the last one
    double interval;  // between the last two
    double longest;   // the first of the series
    double ratio;     // of the last two intervals
    double shrinking; // impacts in a row whose intervals shrank by about the same factor
    double over;      // 1: the series counts as done, its next impact ends it without a rebound
} rico_impact_memory;

// The problem that decides which contacts stay closed and stick, over the rows that hold.
typedef struct rico_event_decision {
    int64_t count;     // blocks
    int64_t *owner;    // their constraints
    rico_block *block; // and their cones
    bool spatial;
    int64_t *start, *index; // W, full, as a sparse matrix
    double *W, *free;
    double *lambda, *acceleration; // the answer
    double *shift, *kept;          // forces that are there beforehand; free accelerations without them
    double scale;                  // largest free acceleration
} rico_event_decision;

typedef struct rico_event_driven rico_event_driven;

// The moments of an event: the states of contacts are known at the start of a step; an event is about to be dealt with; its
// impact is about to happen among the touching contacts; everything is settled.
typedef enum rico_event_moment {
    RICO_MOMENT_START,
    RICO_MOMENT_BEFORE,
    RICO_MOMENT_BLOW,
    RICO_MOMENT_AFTER
} rico_event_moment;
typedef void (*rico_event_watch)(void *watcher, const rico_event_driven *self, double t, const double *y,
                                 rico_event_moment moment);

struct rico_event_driven {
    rico_simulation *sim;
    rico_context *ctx;
    const rico_system *system;
    rico_assembly *assembly;
    rico_iteration *mass; // the simulation's
    int64_t nq, nv, rows, constraints;
    int64_t row_room, constraint_room; // of the arrays below

    // y = (q, v, works, impulses of each row since the start of the step); works: of loads, of damping, of obstacles, then
    // normal and tangential of each constraint. Impulses are part of the error control as well: where contacts rest
    // nothing else moves, and steps would pass over a force that vanishes.
    int64_t size;
    double t;
    double *y;         // the last good state
    double *moving;    // the one that SUNDIALS and events work on
    double *tolerance; // absolute, for each number
    SUNContext sun;
    void *ark;
    N_Vector vector, bound;          // over `moving` and `tolerance`
    char words[RICO_SUNDIALS_WORDS]; // of SUNDIALS, the last it had to say
    bool fresh;                      // the integrator must start anew before its next step
    double first;                    // and with a step of that length; 0: it finds one
    double shorter;                  // first step after a restart that lost a root, 0 for none
    rico_status failure;             // of a function that SUNDIALS called; its message is in the context

    // contacts
    char *state;   // rico_contact_state of each constraint; joints: sticking
    char *onset;   // slides that began from rest and are still slow
    double *slide; // rows: direction of sliding of a sliding contact, in its tangential rows
    double
        *anchor; // rows: forces that redundant rows stay nearest to; 0 unless those of least norm break a law
    rico_impact_memory *memory;
    double recent; // time of the event that opens the present crowd
    int64_t crowd; // events since then, each closer to the one before than min-interval

    // sizes met so far, by which round-off is judged: event_scales.c
    double kinetic;   // energy
    double *speed;    // rows: velocities
    double *span;     // rows: terms of gaps and joint values
    double *response; // rows: W_ii, at the start of the step or at the last event
    double pace;      // time in which the motion changes: strides of difference quotients are a share of it

    // the constraints that hold now: one unknown force each
    int64_t count;
    int64_t *row;   // their rows in the system
    bool redundant; // these depend on one another: their forces are not unique

    // filled by rico_event_accelerations(), all rows
    double *u, *gamma, *force;
    double *a; // acceleration

    rico_event_decision decision;
    double *X;                                // M^-1 times the columns of the forces, one per unknown
    double *A, *b, *work;                     // their equations
    int32_t *pivot;                           // and those of LAPACK
    double *load, *applied, *damping, *right; // velocities
    double *gap, *p, *c, *before;             // rows
    double *place, *v, *column;               // positions; velocities
    char *touching, *old;                     // constraints
    char *kept_state;                         // of the last good state
    double *kept_slide, *kept_anchor;
    double *roots; // two per constraint
    int *found;

    // what periodic orbits ask for (segment.h): a force unfolding * M v, with which orbits of systems that keep their energy
    // stand alone; and a look at each event
    double unfolding;
    rico_event_watch watch;
    void *watcher;

    double energy;                // of y
    double projected, integrated; // energy that projections and the integrator's errors brought in this step
    double drift;                 // after the last projection, over the sizes
};

// Places of the works in y, behind q and v.
enum { RICO_EVENT_EXTERNAL, RICO_EVENT_DAMPING, RICO_EVENT_OBSTACLE, RICO_EVENT_CONTACTS };

static inline double *rico_event_works(const rico_event_driven *self, double *y)
{
    return y + self->nq + self->nv;
}

static inline double *rico_event_impulses(const rico_event_driven *self, double *y)
{
    return y + self->size - self->rows;
}

static inline void rico_event_look(const rico_event_driven *self, double t, const double *y,
                                   rico_event_moment moment)
{
    if (self->watch) self->watch(self->watcher, self, t, y, moment);
}

static inline double rico_event_option(const rico_event_driven *self, int index)
{
    return rico_scheme_option(self->sim, index);
}

// --- event_memory.c: its arrays, and what it keeps in states

// behind the extra numbers, accelerations
enum { RICO_EVENT_EXTRA = 6, RICO_EVENT_FORCE = 1, RICO_EVENT_ROW_OWN = 5, RICO_EVENT_CONSTRAINT_OWN = 10 };

rico_status rico_event_create(rico_simulation *sim);
void rico_event_destroy(rico_simulation *sim);
rico_status rico_event_resize(rico_simulation *sim);

// From a state to here, with y at its start and nothing booked; and back. begun: contacts have got their states.
void rico_event_take(rico_event_driven *self, const rico_state *from, bool *begun);
void rico_event_give(const rico_event_driven *self, rico_state *to);
bool rico_event_known(const rico_state *state, int64_t constraint); // it was there in the step before

// --- event_scales.c: the sizes against which numbers are small

// Below these a velocity of the row counts as zero, and a gap as closed.
double rico_event_still(const rico_event_driven *self, int64_t row);
double rico_event_gap_tol(const rico_event_driven *self, int64_t row);
double rico_event_slow(const rico_event_driven *self, int64_t c); // tangential velocities of contact c

// Takes in the velocity v, which H, w and M belong to; the positions q, which H and the gaps belong to; both, with W_ii.
void rico_event_note_speed(rico_event_driven *self, const double *v);
void rico_event_note_gaps(rico_event_driven *self, const double *q);
rico_status rico_event_measure(rico_event_driven *self, const double *q, const double *v);

// The absolute tolerances of y, from those sizes and from what forces may do in a time h.
void rico_event_set_tolerances(rico_event_driven *self, double h);

// A first guess of the pace from positions, velocities and accelerations without constraints; h: bound, or 0.
void rico_event_guess_pace(rico_event_driven *self, const double *q, const double *v, double h);

// --- event_integrator.c: smooth motion and events in turn

// From (t, moving) to t_end; sim->happening receives the events. due: there is one at t.
rico_status rico_event_integrate(rico_event_driven *self, double t_end, bool due);

// Deals with the events that are due at t.
rico_status rico_event_settle(rico_event_driven *self, double t);
rico_status rico_event_energy(rico_event_driven *self, double t, const double *y, double *energy);

// --- event_forces.c: the smooth motion

bool rico_event_rough(const rico_constraint *constraint); // a contact with friction

// Lists the rows that hold in the present states.
void rico_event_hold(rico_event_driven *self);

// M, H, w, u = H'v + w and gamma = d/dt (H'v + w) at fixed v.
rico_status rico_event_kinematics(rico_event_driven *self, double t, const double *q, const double *v,
                                  bool second);

// Everything of that, right = M^-1 F, the forces of the rows that hold, and the acceleration.
rico_status rico_event_accelerations(rico_event_driven *self, double t, const double *q, const double *v);

// x = M^-1 times the direction in which an unknown force acts on row `row`: H e, or for a sliding contact's normal
// H (e_N - mu d).
rico_status rico_event_column(rico_event_driven *self, int64_t row, double *x);

// dx/dt of x = (q, v); and of all of y.
rico_status rico_event_motion(rico_event_driven *self, double t, const double *x, double *rate);
rico_status rico_event_derivative(rico_event_driven *self, double t, const double *y, double *derivative);

// Two numbers for each constraint that are positive as long as its state lasts.
rico_status rico_event_roots(rico_event_driven *self, double t, const double *y, double *root);

// Moves positions and velocities onto the constraints that hold where they left them by more than the option drift, or,
// strictly, by anything at all. *moved tells whether y changed; the energy that this brought is booked.
rico_status rico_event_project(rico_event_driven *self, double t, double *y, bool strict, bool *moved);

double rico_event_row_times(const rico_event_driven *self, int64_t row, const double *v);

// --- event_decision.c: which contacts stay closed, which stick

// Direction of the slide of contact c; onset: it begins from rest, along a force or an acceleration.
void rico_event_set_slide(rico_event_driven *self, int64_t c, const double *along, double sign, bool onset);

// Do the forces of the states obey their laws, but for round-off?
bool rico_event_lawful(const rico_event_driven *self);

// States of the closed contacts by their accelerations.
rico_status rico_event_decide(rico_event_driven *self, double t, const double *y);

// Forces of redundant rows are not unique. Looks for some that keep every contact as it is and obey the laws, strictly or up
// to their edge, and has forces stay nearest to them from now on; held: there are any.
rico_status rico_event_share(rico_event_driven *self, double t, const double *y, bool strictly, bool *held);

// --- event_contacts.c: what happens at an event

// Marks of touching contacts: the last impact of an accumulation has no rebound.
enum { RICO_TOUCHES = 1, RICO_PASSED_REST, RICO_TOUCHES_DULL };

// Deals with the event at (t, y): found[] marks the roots. Sets states, changes velocities, lists what happened.
rico_status rico_event_handle(rico_event_driven *self, double t, double *y);

// The impact among the contacts that self->touching marks, at (t, y): v jumps, p and u tell how. Nothing is booked.
rico_status rico_event_strike(rico_event_driven *self, double t, double *y);

// Does the event send a contact that was on its way out, and is not past the obstacle's surface yet, back in? Another event
// is due then at the same instant; it is marked in found[].
bool rico_event_again(rico_event_driven *self);

// Lets the directions of contacts that slide in space follow their velocities; after a step without event.
void rico_event_turn(rico_event_driven *self);

// Marks in found[] what a state that is not at a root breaks already; true when there is anything.
rico_status rico_event_overdue(rico_event_driven *self, double t, const double *y, bool *any);

#endif
