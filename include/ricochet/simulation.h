// Time stepping: a system, a scheme by name, a ledger that closes.
//
//     rico_simulation *sim;
//     rico_simulation_create(system, "moreau-jean", &sim);
//     rico_simulation_set(sim, "theta", "0.5");
//     rico_simulation_start(sim, 0.0, q, v);
//     while (rico_simulation_time(sim) < 1.0) rico_simulation_step(sim, 1e-3);
//
// A step that fails leaves the state as it was before it; the message names the step, the time and the culprit. What
// the functions return by pointer belongs to the simulation and stays valid until its next step. Any number of
// simulations share one system, on any number of threads: complete it (rico_system_complete()), then create each in a
// context of its own.

#ifndef RICOCHET_SIMULATION_H
#define RICOCHET_SIMULATION_H

#include "ricochet/cone.h"
#include "ricochet/impact.h"
#include "ricochet/model.h"
#include "ricochet/option.h"
#include "ricochet/solver.h"

RICO_API_BEGIN

enum { RICO_NUMERICAL_TERMS = 4 };

typedef struct rico_scheme_info {
    const char *name;
    const char *summary;   // one line
    const char *reference; // where it is described
    const char *identity;  // the balance that its ledger closes, in the symbols of docs/theory/schemes.md
    const char *numerical[RICO_NUMERICAL_TERMS]; // names of its numerical dissipation terms, NULL for none
    int option_count;                            // its own options, beside the common ones
    const rico_option_info *options;
    int order;            // in smooth motion, with its default options; 0 where nothing is claimed
    bool equal_steps;     // its steps must have one length: no adaptive runs
    bool own_error;       // it controls its error itself, from event to event: no adaptive runs
    bool levels;          // it has forces and accelerations of rows: rico_simulation_force(), _acceleration()
    bool rates;           // it has accelerations: rico_simulation_velocity_rate()
    bool statics;         // it leaves inertia out: states of equilibrium, no velocities
    bool explicit_forces; // forces are taken where they are known: a stiff system bounds its steps
} rico_scheme_info;

// The table of schemes; NULL past its end or for an unknown name.
const rico_scheme_info *rico_scheme_at(int index);
const rico_scheme_info *rico_scheme_find(const char *name);
// The options that schemes share: law, activation, tol, ...; and whether a scheme takes one, by its place in that table.
const rico_option_info *rico_scheme_common_options(int *count);
bool rico_scheme_takes(const rico_scheme_info *scheme, int option);
// What a scheme takes for one of them, by its place in that table, unless told otherwise.
double rico_scheme_common_default(const rico_scheme_info *scheme, int option);

// Contact laws between impulses and velocities: "newton", "fremond".
typedef struct rico_contact_law_info {
    const char *name;
    const char *summary;
    const char *reference;
} rico_contact_law_info;
const rico_contact_law_info *rico_contact_law_at(int index);

typedef struct rico_simulation rico_simulation;

// The system must outlive the simulation; nothing can be added to it any more. In the system's own context, completing it
// first; or in another, for a system that is complete.
rico_status rico_simulation_create(rico_system *system, const char *scheme, rico_simulation **out);
rico_status rico_simulation_create_in(rico_context *ctx, const rico_system *system, const char *scheme,
                                      rico_simulation **out);
void rico_simulation_destroy(rico_simulation *sim);

// Options, from text or numbers, before rico_simulation_start().
rico_status rico_simulation_set(rico_simulation *sim, const char *name, const char *value);
rico_status rico_simulation_set_number(rico_simulation *sim, const char *name, double value);
rico_status rico_simulation_get_number(const rico_simulation *sim, const char *name, double *value);

// The friction solver for contact problems that are large or resist Gauss-Seidel: "auto" unless told otherwise. The
// solver returned is the simulation's; set its options through it.
rico_status rico_simulation_set_solver(rico_simulation *sim, const char *name, rico_solver **solver);

// Impacts by a law of multiple impacts ("lzb", "binary", ...) instead of the contact law; NULL goes back to that. For
// Moreau-Jean's schemes and the event-driven one, and systems without joints and friction. A time step in which a contact
// closes begins with the impact of all contacts that are closed or close in it, and goes on from the velocity after it;
// from event to event, an impact is that of all contacts that touch: docs/theory/impact-laws.md.
// The law returned (unless NULL) is the simulation's; set its options through it.
rico_status rico_simulation_set_impact(rico_simulation *sim, const char *name, rico_impact_law **law);

// The initial state; copied. Also what a user calls to begin anew.
rico_status rico_simulation_start(rico_simulation *sim, double t, const double *q, const double *v);

// One step of length h > 0.
rico_status rico_simulation_step(rico_simulation *sim, double h);

// Many steps. A fixed run takes steps of h; with exact_end the last one is shortened so that the run ends at t_end, else
// whole steps are taken until one ends within h/2 of t_end or beyond.
//
// An adaptive run starts with h and always ends at t_end; schemes of several steps, and those that control their error
// themselves, refuse it. Each step is compared with two of half its length; their
// difference estimates its error, which must not exceed atol + rtol |x| in any position or velocity, |x| counting at least
// as a thousandth of the largest one. A step in which a
// contact receives a blow has no such error: it is taken with h_impact at most, so that the moment of the blow is known
// as well as that, and steps grow again afterwards. Steps that do not settle are tried again at half the length; a run
// whose step falls below h_min, or that has tried max_steps, stops with a sentence that names step, time and culprit. Whatever stops a run, the state
// is that of the last accepted step.
typedef struct rico_run_options {
    double h;
    bool exact_end;
    bool adaptive;
    double rtol, atol;
    double h_min, h_max, h_impact;
    int64_t max_steps; // that may be tried; 0: 1000 for each of length h that fits, and 1e5 more
    double t_blow;     // an impact that an earlier run has seen ahead (its report's t_blow); -INFINITY: none
} rico_run_options;

// Fixed steps of h, exact_end; for an adaptive run rtol = 1e-6, atol = 0, h_min = 1e-9 h, h_max without bound,
// h_impact = 1e-4 h.
rico_run_options rico_run_defaults(double h);

// Called after each accepted step; returns false to stop the run there.
typedef bool (*rico_step_function)(void *user, rico_simulation *sim);

typedef struct rico_run_report {
    int64_t accepted, rejected; // steps; those beside them that only estimate errors are not counted
    int64_t blows;              // accepted steps with an impact, not controlled by their error
    double h_smallest, h_largest, h_next;
    double
        t_blow; // with h_next, what the next run needs to go on as if there had been one; set before on_step is called
    bool stopped; // by on_step
} rico_run_report;

// on_step and report may be NULL. Nothing is allocated after the first adaptive run of a simulation.
rico_status rico_simulation_run(rico_simulation *sim, double t_end, const rico_run_options *options,
                                rico_step_function on_step, void *user, rico_run_report *report);

// State, readable without a copy.
double rico_simulation_time(const rico_simulation *sim);
int64_t rico_simulation_steps(const rico_simulation *sim);
const double *rico_simulation_position(const rico_simulation *sim);
const double *rico_simulation_velocity(const rico_simulation *sim);

// A number made of every bit of time, positions and velocities: runs that end with the same one are the same.
uint64_t rico_simulation_hash(const rico_simulation *sim);

// The constraints of the last step: first those of the system, in their order, then the contacts that its sources emitted
// (ricochet/source.h), by source and key. Rows count in this list.
int64_t rico_simulation_constraints(const rico_simulation *sim);
int64_t rico_simulation_rows(const rico_simulation *sim);
rico_constraint_info rico_simulation_constraint(const rico_simulation *sim, int64_t index);

// Of the last step, one entry per row of every constraint: impulses, relative velocities before and after it, and the
// gaps (joints: values) at its end. active has one entry per constraint: 1 where the step let it act.
const double *rico_simulation_impulse(const rico_simulation *sim);
const double *rico_simulation_velocity_before(const rico_simulation *sim);
const double *rico_simulation_velocity_after(const rico_simulation *sim);
rico_status rico_simulation_gap(rico_simulation *sim, const double **gap);
const char *rico_simulation_active(const rico_simulation *sim);

// The forces of all rows at the end of the last step, for a scheme that has forces beside impulses ("event-driven",
// "generalized-alpha-constrained"); NULL for others.
const double *rico_simulation_force(const rico_simulation *sim);

// The relative accelerations of all rows at the end of the last step, dw/dt and turning of the rows included, for a scheme
// that asks for them ("generalized-alpha-constrained": those of the smooth motion); NULL for others.
const double *rico_simulation_acceleration(const rico_simulation *sim);

// dv/dt at the end of the last step, one entry per velocity: the acceleration that those forces give, without what impacts do, for the
// same two schemes; NULL for others, which know velocities alone.
const double *rico_simulation_velocity_rate(const rico_simulation *sim);

// What a contact did in the last step, by its impulse and its relative velocity at the end: open, without impulse; sliding,
// with friction at its limit and a velocity; sticking otherwise, as joints do. A contact opens when it leaves: one whose
// impulse fails for a step while it does not, as happens in schemes that let go by a forecast, goes on as before.
rico_contact_state rico_simulation_contact_state(const rico_simulation *sim, int64_t constraint);

// Where the energy went, over one step or since the start. Works are positive when they bring energy in.
typedef struct rico_ledger {
    double kinetic, potential; // at the end of the step
    double algorithmic;        // what the scheme's own energy has beyond those two
    double external;           // work of loads and of callback forces
    double damping;            // of the damping matrices
    double normal, tangential; // of contacts, along the relative velocities there
    double joint;              // of joints, likewise, and of relations
    double obstacle;           // of obstacles that move, belts and driven joints: what they bring
    double projection;         // of the correction of positions
    double numerical[RICO_NUMERICAL_TERMS]; // term by term, named in rico_scheme_info
    double residual;                        // change of energy less all of the above
    double
        doubt; // what the tolerance of the contact solver may hide in the works of contacts; no term of the balance
} rico_ledger;

const rico_ledger *rico_simulation_ledger(const rico_simulation *sim);       // of the last step
const rico_ledger *rico_simulation_ledger_total(const rico_simulation *sim); // works since the start

// Works of the last step per constraint (joints: under normal).
const double *rico_simulation_normal_work(const rico_simulation *sim);
const double *rico_simulation_tangential_work(const rico_simulation *sim);

// The largest violation of a constraint since the start: how deep a contact was entered or how far a joint stood open, in
// the unit of its gap; and the largest share that such a depth has of the way that the coordinates of its gap have moved,
// with the constraint of the system that has it, -1 for none, or the source and key of a contact that came and went
// (source -1: none). Kept with the ledger: all 0 without it.
typedef struct rico_breach {
    double depth, share;
    int64_t constraint, source;
    uint64_t key;
} rico_breach;
rico_breach rico_simulation_breach(const rico_simulation *sim);

// Counters since the start.
typedef struct rico_step_stats {
    int64_t newton_iterations, factorizations, contact_problems, solver_calls, sweeps;
    int64_t newton_last;                 // iterations of the last step
    int64_t projections, index_sets;     // of schemes that project: iterations of both loops
    int64_t events, impacts;             // ricochet/events.h: all of them, and the impacts among them
    int64_t loose_steps;                 // with impulses beyond tol that were accepted: option `accept`
    double loose_residual, loose_time;   // the largest residual of those, and when
    int64_t internal_steps, evaluations; // of the integrator from event to event
    double drift; // and the largest gap or velocity that it left at what holds, over the sizes of those
} rico_step_stats;
const rico_step_stats *rico_simulation_statistics(const rico_simulation *sim);

// The complete state as bytes: a simulation on an equal system that loads it continues bit for bit.
int64_t rico_simulation_state_size(const rico_simulation *sim);
void rico_simulation_save(const rico_simulation *sim, void *bytes);
rico_status rico_simulation_load(rico_simulation *sim, const void *bytes, int64_t size);

RICO_API_END

#endif
