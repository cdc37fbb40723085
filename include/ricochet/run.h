// Running a scene: what `rico run` does, from C.
//
//     rico_runner_options options = rico_runner_defaults();
//     options.scene = "ball.yaml";
//     options.output = "ball.h5";
//     status = rico_runner_run(ctx, &options, &result);
//
// A run goes into a result file, which store.h reads, or stays in memory, or is only watched step by step. Several may run
// side by side, each on a thread with a context of its own.

#ifndef RICOCHET_RUN_H
#define RICOCHET_RUN_H

#include "ricochet/simulation.h"
#include "ricochet/store.h"

RICO_API_BEGIN

typedef struct rico_runner_options {
    const char *scene; // path of the scene; NULL: what the result file holds, of a run that goes on
    const char *text;  // the scene itself, and `scene` is what messages call it; NULL: read it from its path
    int64_t override_count;
    const char *const *overrides; // "name=value", "time.step=1e-5"
    const char *output;           // path of the result file; NULL: none
    rico_results *
        *results; // of a run without a file: where its results go, for the caller to destroy; NULL: nowhere
    bool overwrite, resume;
    bool extend;      // go on with a run that has finished or was stopped, until `until`
    double until;     // another end than the scene's; NaN: that
    const char *from; // a result file whose state to start from; NULL: the scene's initial state
    double from_time; // of which row; NaN: the last
    // derivatives to carry along, names between commas: of "x,v_x" with "mu,x@0" (docs/guide/derivatives.md); both or none. A run that goes
    // on, or starts from another's state, has none
    const char *derivatives_of, *derivatives_with;
    double checkpoint_seconds; // from one checkpoint to the next; 0: none
    int64_t checkpoint_steps;  // the same in steps; 0: none
    int64_t most_steps;        // of this run alone, then it stops as an interrupt does; 0: no limit
    bool only_start;           // write the first row and end
    // called with the system of the scene before it is complete, perhaps more than once and each time with another: adds what
    // a scene cannot say, contact sources (source.h) above all. A run that goes on needs the same. May be NULL
    rico_status (*add)(void *user, rico_system *system);
    // called now and then with the part of the time that is done, 0 to 1; may be NULL
    void (*progress)(void *user, double done, double t);
    // called after every step, which the simulation may be asked about until the call returns; false stops the run as an
    // interrupt does; may be NULL
    bool (*step)(void *user, rico_simulation *sim);
    void *user;
} rico_runner_options;

// A run of the whole scene, with no more than its path and that of the result to be set.
rico_runner_options rico_runner_defaults(void);

// How a run ended. Ledgers are those of the last step that was done.
typedef struct rico_runner_result {
    bool finished;              // came to the end of its time
    bool resumed, nothing_left; // went on from a checkpoint; or there was none because the run had finished
    bool nothing_there;         // no file to go on with
    double t_start, t, seconds;
    int64_t steps, events;
    double violation;   // largest, of gaps and joints
    double broken;      // its largest share of the way that the coordinates of a gap moved
    char breaker[160];  // and whose: "contact floor"
    double strain;      // largest principal strain of an elastic part that exceeds its limit; 0: none
    double strain_time; // of those looked at: at the start, at the end and every so many steps of this run
    int64_t strain_element;   // where, as a cell of the mesh
    char strained[80];        // and whose: "block"
    rico_ledger first, total; // energies at the start; works since the start and energies at the end
    rico_step_stats stats;
    // Of the reduced elastic part that is worst off, over the rows that this run has written: its unknowns before (0: there is none) and after, the largest estimated error in
    // the norm of elastic energy over the largest such norm of the state, when that was, the first frequency left out, an angle per time, and
    // how much of the largest velocity of kept nodes was faster than that.
    int64_t reduced, reduced_to;
    char reduced_part[64];
    double reduction_error, reduction_time, reduction_next, reduction_fast;
    uint64_t hash; // of the state at the end: rico_simulation_hash()
    // Of derivatives: steps differentiated, those by differences, those whose derivative belongs to one side; the first of these and why.
    // And steps with a blow, of schemes that step over impacts: there, the time of an impact does not move with what is changed.
    int64_t derivative_steps, derivative_differences, one_sided, derivative_blows;
    double one_sided_time;
    char one_sided_contact[160];
    char scheme[64], title[160];
    char excerpt[512]; // of a scene that was refused: the line, with a caret
} rico_runner_result;

// Runs. A step that fails, a full disk, Ctrl-C: the file is closed with everything up to the last good step, the status
// says why, and the result tells how far it came. Results in memory are there after such an end too, and NULL where the run
// did not begin.
rico_status rico_runner_run(rico_context *ctx, const rico_runner_options *options,
                            rico_runner_result *result);

RICO_API_END

#endif
