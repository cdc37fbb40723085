// A simulation from inside: what schemes read and write.

#ifndef RICO_STEP_SIMULATION_H
#define RICO_STEP_SIMULATION_H

#include "law/contact_law.h"
#include "model/assembly.h"
#include "ricochet/events.h"
#include "ricochet/simulation.h"
#include "step/contacts.h"
#include "step/impacts.h"
#include "step/iteration.h"
#include "step/share.h"

// Everything that a later step depends on, and what can be read of the last one, in two blocks of numbers: saved and
// restored as a whole. Steps read `now`, write `next`, and a step that succeeds becomes `now`, at the same addresses. What
// has an entry for each row or constraint is in the second block: contacts come and go, state.c lays it out anew when they do.
typedef struct rico_state {
    double *head, *tail;
    double *t, *late; // time, and what its rounding has left out so far: t + late is the sum of the steps
    double *scale;    // velocity against which round-off is judged, from the last contact problem
    double *worst;    // of contacts that come and go: depth, share, and bits of source and key (audit.c)
    double *q, *v;
    double *extra;      // the scheme's own numbers
    double *low, *high; // smallest and largest position since the start
    double *p;          // impulses of the last step, all rows: the next one's starting point
    double *u;          // relative velocities at the end of the last step, all rows
    double *deep;       // and the largest violation of each row
    double *u_before;   // relative velocities at the start of the last step
    double *doing;      // what each constraint did in the last step: rico_contact_state
    double *normal_work, *tangential_work;
    double *bond;    // 1 where a bond holds, of laws of friction with cohesion
    double *row_own; // the scheme's own numbers of rows: all rows of the first, then of the second, ...
    double *constraint_own; // and of constraints, those of one together
    char *active;           // whether the step let it act
} rico_state;

// What a step works with, each by what it holds: of velocities, then of positions.
typedef struct rico_vectors {
    double *load;    // of the step, weighted by the scheme
    double *right;   // right-hand side of an iteration
    double *iterate; // the velocity that it starts from
    double *acceleration,
        *past;            // of Newmark's schemes: of the iterate; forces and accelerations that are known
    double *mean;         // a mean velocity
    double *displacement; // what moves the positions
    double *change;       // of velocities or positions over the step
    double *applied, *damping, *spring;      // forces in their shares
    double *applied_before, *damping_before; // the same at the start of the step
    double *before, *after;                  // of Schatzman and Paoli's scheme: velocities of two steps
    double *column;                          // a column of H and what becomes of it
    double *ahead;                           // positions: where an iterate leads
    double *weighted;                        // where forces are taken
    double *half;                            // half way, or a step ago
} rico_vectors;
enum { RICO_VELOCITY_VECTORS = 16, RICO_POSITION_VECTORS = 3 };

typedef struct rico_scheme rico_scheme;

// Events of a step; the array only grows.
typedef struct rico_event_list {
    rico_event *event;
    int64_t count, room;
} rico_event_list;

struct rico_simulation {
    rico_context *ctx;
    const rico_system *system;
    rico_assembly *assembly;
    const rico_scheme *scheme;
    double *option;
    int64_t nq, nv;
    int64_t rows, constraints; // of the step: what is always there, and what the sources emitted
    bool created, started;     // created: the scheme has made its own

    int64_t extra_size, now_room, next_room; // rooms of the second blocks
    rico_state now, next;
    bool level;                        // next is a copy of now: what a step that succeeds leaves
    int64_t row_room, constraint_room; // of the arrays below
    struct rico_snapshot *before;      // the state that a step began from, where contacts come and go
    int64_t steps;

    // of the step being done, rows or constraints; the first, and active, are those of next
    double *u_before, *u_after, *gap;
    double *offset;             // constant part of the law's velocities
    double *u_last;             // relative velocities at the end of the step before
    double *w_before, *w_after; // motion of obstacles at its start, as u_before has it, and at its end
    double
        *shift; // frames in the middle: what relative velocities at the end have beyond those of the middle
    double *posed; // what Newton's loop last asked of the contacts: free velocities, then relative ones
    bool shifted;
    char *active;
    bool gap_current;

    rico_iteration iteration;
    double matrix
        [3]; // weights of M, C and K in its matrix at the last step that was done: they tell a saved state apart
    rico_iteration mass; // M alone, made by the schemes that solve with it
    rico_contacts contacts;
    rico_ledger ledger, total;
    rico_step_stats stats;
    rico_event_list events, happening; // of the last step, and of the one being done
    double h;                          // of the step being done
    double fastest;                    // largest velocity at its start
    double span; // largest position at its start, where positions are not velocities integrated
    double
        closed; // share of its reach up to which a gap counts as closed: what a scheme that projects leaves

    rico_vectors vector;
    void *own; // what a scheme keeps beside them

    rico_impacts *impacts; // NULL: the contact law deals with impacts
    double *struck, *blow; // with them: the velocity before the impact of the step, relative velocities then
    char *hit;             // and the contacts that are closed, or close, in the step

    int64_t massless_count, *massless; // velocities without mass

    bool loading; // start() on behalf of a saved state: its numbers follow

    bool watched;                    // by derivatives: `before` is kept for every step
    bool frictional, warned_paradox; // has contacts with friction; has spoken about them
    struct rico_adaptive *adaptive;  // made by the first adaptive run

    const rico_step_share *share; // of a simulation of some bodies of a larger one; NULL: it is whole
    double still;                 // slower than this is at rest, at the end of the step
};

// Schemes and nodes without mass, mass_check.c.
typedef enum rico_massless {
    RICO_MASSLESS_NONE,      // divides by the mass
    RICO_MASSLESS_VELOCITY,  // stops them by their velocities: with theta = 1 alone
    RICO_MASSLESS_PROJECTED, // by velocities and positions
    RICO_MASSLESS_POSITION   // by their positions
} rico_massless;

// A scheme. `advance` fills next (q, v, p, extra; t and scale are set around it), u_before, u_after, active; `book` the
// ledger's works and numerical terms from now, next and what advance left in the simulation.
struct rico_scheme {
    rico_scheme_info info;
    rico_status (*resize)(
        rico_simulation *sim); // after rows or constraints changed; NULL: nothing of its own has any
    int default_law;           // index in rico_contact_laws
    int default_activation, default_frames; // of the common options
    bool impacts;                           // steps from any velocity: an impact may come before them
    bool relations;                         // takes relations
    bool boxes;                             // takes joints with bounded forces
    bool laws;                              // takes laws of friction beyond Coulomb's
    bool middle;                            // takes frames in the middle of the step
    bool approach;                          // restitution for contacts that come in alone
    bool shares;                            // takes its steps on some bodies of many: share.h
    rico_massless massless;                 // whether it takes nodes without mass
    bool mean;                              // positions move with the mean velocity, whatever theta
    bool finds_events; // goes from event to event: impacts, states of contacts and events are its own
    unsigned common;   // the common options that it takes, a bit for each; 0: all
    int row_own, constraint_own; // its own numbers of each row and of each constraint, in every state
    int64_t (*extra_size)(const rico_simulation *sim); // or NULL: none
    int (*order)(const rico_simulation *sim);          // in smooth motion, with its options; NULL: info.order
    rico_status (*create)(rico_simulation *sim); // makes sim->own, or NULL; leaves what it made on failure
    void (*destroy)(rico_simulation *sim);       // and frees it; takes an unfinished one
    rico_status (*check)(rico_simulation *sim);  // options against each other; warns of ranges; or NULL
    rico_status (*start)(rico_simulation *sim);  // fills now.extra; or NULL
    rico_status (*advance)(rico_simulation *sim, double h);
    rico_status (*book)(rico_simulation *sim, double h);
    int force, acceleration; // 1 + the places of both among its own numbers of rows; 0: it has none
    int velocity_rate;       // 1 + the place of dv/dt in its extra numbers; 0: it has none
    // What its next step depends on beside q and v: so many vectors of velocities, at this place of its extra numbers; -1: more than that,
    // and its steps are not differentiated. Its equations, derivative.h; NULL: they are by differences.
    int memory;
    int64_t memory_at;
    const struct rico_step_equations *equations;
};

// Refuses, in words, a system with what the scheme does not take: scheme_suits.c.
rico_status rico_scheme_suits(rico_context *ctx, const rico_system *system, const rico_scheme *scheme);

// Common options, by index.
enum {
    RICO_STEP_LAW,
    RICO_STEP_ACTIVATION,
    RICO_STEP_GAMMA,
    RICO_STEP_GAP,
    RICO_STEP_FRAMES,
    RICO_STEP_TOL,
    RICO_STEP_ACCEPT,
    RICO_STEP_SWEEPS,
    RICO_STEP_NEWTON_TOL,
    RICO_STEP_NEWTON_MAX,
    RICO_STEP_LEDGER,
    RICO_STEP_ORDERING,
    RICO_STEP_OPTIONS
};

static inline double rico_step_option(const rico_simulation *sim, int index) // common
{
    return sim->option[index];
}


static inline double rico_scheme_option(const rico_simulation *sim, int index) // the scheme's own
{
    return sim->option[RICO_STEP_OPTIONS + index];
}


static inline const rico_contact_rule *rico_step_law(const rico_simulation *sim)
{
    return &rico_contact_laws[(int)sim->option[RICO_STEP_LAW]];
}


// Largest numbers over all shares, where the simulation is one; whether something is so in any of them; x'y over their own
// bodies, or over all velocities.
void rico_step_largest(const rico_simulation *sim, int count, double *x);
bool rico_step_anywhere(const rico_simulation *sim, bool here);
double rico_step_dot(const rico_simulation *sim, const double *x, const double *y);
double rico_step_square(const rico_simulation *sim, const double *values, const double *x);

// "step 12 at t = 0.3: " in front of the message of a failure.
rico_status rico_step_fail(rico_simulation *sim, rico_status status);

// Largest restitution of all contacts.
double rico_step_max_restitution(const rico_simulation *sim);

// Refuses a mass that is not positive definite, and nodes without mass where the scheme cannot have them: mass_check.c.
rico_status rico_step_check_mass(rico_simulation *sim);
// Velocities without mass into next.v: how fast the step has moved them.
void rico_step_settle_massless(rico_simulation *sim);

// --- the state, state.c

rico_status rico_state_create(rico_simulation *sim);
void rico_state_destroy(rico_simulation *sim);
void rico_state_clear(rico_simulation *sim);  // now: all 0
void rico_state_accept(rico_simulation *sim); // next becomes now
void rico_state_level(
    rico_simulation *sim); // and the reverse, where they differ; a step is about to change next
// Lays state and arrays out for the assembly's set; `keep` carries over what contacts have by their keys.
rico_status rico_state_adopt(rico_simulation *sim, bool keep);
// The contacts of a step of length h from the present state.
rico_status rico_step_collect(rico_simulation *sim, double h);

// The state at one moment, kept in memory; restored without start().
typedef struct rico_snapshot {
    char *bytes;
    int64_t room;
} rico_snapshot;
rico_status rico_step_remember(rico_simulation *sim, rico_snapshot *to);
rico_status rico_step_restore(rico_simulation *sim, const rico_snapshot *from);
double rico_snapshot_time(const rico_snapshot *snapshot);
const double *rico_snapshot_position(const rico_snapshot *snapshot); // q, then v

static inline const rico_constraint *rico_step_constraint(const rico_simulation *sim, int64_t c)
{
    return sim->assembly->set.constraint[c];
}

// --- an impact at the start of a step, step_impact.c

// Puts the velocity after the impact in the place of now.v, if there is one; after the step, whatever became of it,
// rico_step_impact_end() undoes that and, where the step is good, adds impulses and works.
rico_status rico_step_impact_begin(rico_simulation *sim, double h);
void rico_step_impact_end(rico_simulation *sim, bool good);
void rico_step_impact_book(rico_simulation *sim); // works, before the residual of the balance is taken

// --- shared assembly, mechanics.c

// Where the contact frames of a step are taken: the choices of the option `frames`.
enum { RICO_FRAMES_START, RICO_FRAMES_END, RICO_FRAMES_MIDDLE };

// H at q, u_before = H' v_k + w(t_k), and w(t_k + h) left in the system for the end of the step.
rico_status rico_step_frames(rico_simulation *sim, double h, const double *q);

// The same within Newton's loop, for an iterate that moves now.q by d to q and ends with the velocity v, as the option
// asks. In the middle: impulses act along H half way, laws hold with H at the end, and u_before stays that of the start,
// so that what slides on a curved constraint neither loses energy nor seems to come in.
rico_status rico_step_frames_again(rico_simulation *sim, double h, const double *q, const double *d,
                                   const double *v);

// u of the contact laws at the end of the step: at the end of the step, wherever impulses act.
void rico_step_end_velocity(const rico_simulation *sim, const double *v, double *u);

// Size of the terms of a row's gap in this step: against it, gaps are round-off or not. Never negative.
double rico_step_reach(const rico_simulation *sim, int64_t row);

// Whether the contact problem that v_free and c pose is that of the iteration before, up to newton-tol: another solution
// would differ by the tolerance of the contact solver alone, and Newton's loop has nothing left to ask. first: there was
// none before.
bool rico_step_same_problem(rico_simulation *sim, bool first, const double *v_free, const double *c);

// u = H' v + w over all rows.
void rico_step_local_velocity(const rico_simulation *sim, const double *v, double *u);

// The constant part of the law's velocity y = omega u_{k+1} + c, omega = law->omega(weight), weight that of v_{k+1} in
// the scheme's mean velocity.
void rico_step_law_offset(rico_simulation *sim, double weight, double *c);

// load = (1 - weight) load(t) + weight load(t + h).
rico_status rico_step_load(rico_simulation *sim, double t, double h, double weight, double *load,
                           double *work);

// Kinetic and potential energies into the ledger at the end of the step, and their change since its start.
rico_status rico_step_energies(rico_simulation *sim, const rico_state *state, double *kinetic,
                               double *potential);

// What each contact did in this step, into next.doing. One that loses its impulse without leaving, because a scheme lets it
// fall back from the O(h) where it stood, goes on doing what it did.
void rico_step_observe_contacts(rico_simulation *sim);

// Cohesion, cohesion.c: what holds where the simulation starts; tension of this step's contacts; bonds that are left after it.
rico_status rico_step_bond_start(rico_simulation *sim);
rico_status rico_step_bond_begin(rico_simulation *sim);
void rico_step_bond_end(rico_simulation *sim);

// The events of the step, from what each contact did before and after it; into sim->happening: events.c.
rico_status rico_step_observe_events(rico_simulation *sim);
rico_status rico_event_push(rico_context *ctx, rico_event_list *list, const rico_event *event);

// Warns once when the friction of a contact that presses admits Painleve's paradox, status.c.
rico_status rico_step_look_for_paradox(rico_simulation *sim);

// Names the rows of joints that follow from others where the motion starts, redundancy.c.
rico_status rico_step_look_for_redundancy(rico_simulation *sim);

// The largest violations so far into next, from the gaps at its end.
rico_status rico_step_audit(rico_simulation *sim);

// Works v_mean' H p of contacts and joints into the ledger, weight that of the step's end in the mean: what is done along
// the relative velocities under normal, tangential and joint, what moving obstacles and driven joints bring under
// obstacle.
void rico_step_contact_works(rico_simulation *sim, double weight, const double *v_mean);

#endif
