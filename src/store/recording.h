// What a run of a scene leaves in its archive: states, contacts, energies, counters, events; and its checkpoints.
//
//     state     t, q, v                               rows: the initial state, then every n-th step, and the last
//     contacts  impulse, before, after, gap, active, force   of the same rows
//     ledger    energies, works of that step, residual
//     total     the same works since the start
//     counters  steps, Newton iterations, factorizations, ...
//     events    t, step, constraint, closes, speed, impulse: whenever an impulse appears or vanishes
//     sliding   t, step, constraint, slips, speed: whenever a contact begins to slip or to stick
//     samples   t, q, v at the times that the scene asks for, between the ends of steps by interpolation
//     derivatives  t, one_sided, x_by_mu, ...: of coordinates by parameters, where a run is asked for them
//     emitted   contacts that come and go: for each row of state a list of source, key, state, gap, impulse, ...
//
// The last of these, and source and key of events, are there where the system has sources of contacts (ricochet/source.h).
//
// Notes hold the scene's text and name, the scheme, the names of positions, velocities and constraints, one a line, the
// files that the scene was read from and the state it began with; parameters stand in a group of their own.

#ifndef RICO_STORE_RECORDING_H
#define RICO_STORE_RECORDING_H

#include "ricochet/store.h"
#include "scene/scene.h"
#include "store/sensitivity.h"

typedef struct rico_recording rico_recording;

typedef struct rico_recording_options {
    const char *scene_text, *scene_path, *overrides; // notes; overrides: "mu=0.3", one a line, may be ""
    const char *files, *from;                        // notes; NULL is none
    bool overwrite;
    bool discard;                  // of a recording without a file: rows are counted and not kept
    bool extend;                   // resume a finished run, from before its last step
    rico_sensitivity *sensitivity; // derivatives that go with every row, or NULL
} rico_recording_options;

// A new file with the initial state as its first row; without a path the same in memory. The scene and the simulation must outlive the recording.
rico_status rico_recording_create(rico_context *ctx, const char *path, rico_scene *scene,
                                  rico_simulation *sim, const rico_recording_options *options,
                                  rico_recording **out);

// Goes on with a file at its last checkpoint, which is loaded into the simulation. *out is NULL, with RICO_OK, when the
// run has no checkpoint: it has finished, or had not come that far.
rico_status rico_recording_resume(rico_context *ctx, const char *path, rico_scene *scene,
                                  rico_simulation *sim, const rico_recording_options *options,
                                  rico_recording **out);

// To be called after every step; writes the rows that are due. `last` forces one.
rico_status rico_recording_step(rico_recording *recording, bool last);

// What it remembers of contacts; whether it asks for the state after every step.
struct rico_contact_watch *rico_recording_watch(rico_recording *recording, bool *every_step);

// Did the last step leave a row?
bool rico_recording_wrote(const rico_recording *recording);

// What an adaptive run needs to go on, kept with the checkpoints: set it before one, read it after a resume.
typedef struct rico_pace {
    double h_next, t_blow;
} rico_pace;
rico_pace *rico_recording_pace(rico_recording *recording);

rico_status rico_recording_checkpoint(rico_recording *recording);

// Keeps the state of now in the file, for an extension once the run has finished: to be called before the last step,
// which a longer run may take in another length.
rico_status rico_recording_keep(rico_recording *recording);
rico_status rico_recording_set_end(rico_recording *recording, double end);

// Largest violation of a gap or joint over the rows written so far, for the summary.
double rico_recording_violation(const rico_recording *recording);
int64_t rico_recording_events(const rico_recording *recording);

// The rows of a recording without a file, once; the recording is closed by that.
rico_status rico_recording_results(rico_recording *recording, rico_results **out);

// Closes the file; `finished` when the run came to its end. Destroying closes as not finished.
rico_status rico_recording_close(rico_recording *recording, bool finished);
void rico_recording_destroy(rico_recording *recording);

#endif
