// Event-driven integration from inside.

#ifndef RICO_STEP_EVENT_DRIVEN_H
#define RICO_STEP_EVENT_DRIVEN_H

#include "law/contact_law.h"
#include "ricochet/events.h"
#include "step/contacts.h"
#include "step/impacts.h"
#include "step/iteration.h"
#include "step/sundials.h"

enum {
    RICO_EVENT_RTOL,
    RICO_EVENT_ATOL,
    RICO_EVENT_LAW,
    RICO_EVENT_GAP_TOL,
    RICO_EVENT_DRIFT,
    RICO_EVENT_MAX_STEP,
    RICO_EVENT_MIN_INTERVAL,
    RICO_EVENT_MAX_EVENTS,
    RICO_EVENT_OPTIONS
};

// What a contact remembers of its impacts, to tell an accumulation from a busy life.
typedef struct rico_impact_memory {
    double last, interval,
        longest;       // time of the last impact, the time between the last two, the series' first
    double ratio;      // of the last two intervals
    int64_t shrinking; // impacts in a row whose intervals shrank by about the same factor
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

struct rico_event_driven {
    rico_context *ctx;
    const rico_system *system;
    rico_assembly *assembly;
    int64_t nq, nv, rows, constraints;
    double option[RICO_EVENT_OPTIONS];
    bool started;
    bool fresh; // the integrator must start anew before its next step

    // y = (q, v, external work, damping work, normal and tangential work of each constraint, integral of each row's force
    // since the last event). The last are there for the error control alone: where contacts rest nothing else moves,
    // and steps would pass over a force that vanishes.
    int64_t size;
    double t;
    double *y;      // the last good state
    double *moving; // the one that SUNDIALS and events work on
    SUNContext sun;
    void *ark;
    N_Vector vector;                 // over `moving`
    char words[RICO_SUNDIALS_WORDS]; // of SUNDIALS, the last it had to say
    double shorter;                  // first step after a restart that lost a root, 0 for none
    rico_status failure;             // of a function that SUNDIALS called; its message is in the context

    // contacts
    char *state;   // rico_contact_state of each constraint; joints: sticking
    double *slide; // rows: direction of sliding of a sliding contact, in its tangential rows
    double
        *anchor; // rows: forces that redundant rows stay nearest to; 0 unless those of least norm break a law
    rico_impact_memory *memory;
    double speed;  // largest relative velocity met: round-off in velocities is judged by it
    double recent; // time of the event that opens the present crowd
    int64_t crowd; // events since then, each closer to the one before than min-interval

    // the constraints that hold now: one unknown force each
    int64_t count;
    int64_t *row;   // their rows in the system
    bool redundant; // these depend on one another: their forces are not unique

    // filled by rico_event_accelerations(), all rows
    double *u, *gamma, *force;
    double *a; // acceleration

    rico_iteration mass;
    rico_contacts contacts;
    rico_impacts *impacts; // NULL: impacts by the contact law
    rico_event_decision decision;
    double *X;                                // M^-1 times the columns of the forces, one per unknown
    double *A, *b, *work;                     // their equations
    int32_t *pivot;                           // and those of LAPACK
    double *load, *applied, *damping, *right; // velocities
    double *gap, *p, *c, *before;             // rows
    double *place, *v, *column;               // positions; velocities
    char *onset;                              // constraints: slides that began from rest and are still slow
    char *touching, *old;                     // constraints
    char *kept_state;                         // of the last good state
    double *kept_slide, *kept_anchor;
    rico_event *queue; // events of this instant, reported once all is settled
    int64_t queued, queue_room;
    double *roots; // two per constraint
    int *found;

    rico_ledger ledger;
    double energy; // at the start
    double projected, drift;
    rico_event_stats stats;
};

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

// The right-hand side of the differential equation.
rico_status rico_event_derivative(rico_event_driven *self, double t, const double *y, double *derivative);

// Two numbers for each constraint that are positive as long as its state lasts.
rico_status rico_event_roots(rico_event_driven *self, double t, const double *y, double *root);

// Moves positions and velocities onto the constraints that hold where they left them by more than the option drift, or,
// strictly, by anything at all. *moved tells whether y changed.
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

// Deals with the event at (t, y): found[] marks the roots. Sets states, changes velocities, fills the queue.
rico_status rico_event_handle(rico_event_driven *self, double t, double *y);

// Does the event send a contact that was on its way out, and is not past the obstacle's surface yet, back in? Another event
// is due then at the same instant; it is marked in found[].
bool rico_event_again(rico_event_driven *self);

// Lets the directions of contacts that slide in space follow their velocities; after a step without event.
void rico_event_turn(rico_event_driven *self);

// Marks in found[] what a state that is not at a root breaks already; true when there is anything.
rico_status rico_event_overdue(rico_event_driven *self, double t, const double *y, bool *any);

#endif
