// The impact in which a scene begins, resolved by several laws, and what came of it in numbers.

#ifndef RICO_LAB_OUTCOME_H
#define RICO_LAB_OUTCOME_H

#include "lab/sheet.h"
#include "ricochet/impact.h"
#include "scene/scene.h"

enum { RICO_OUTCOME_LAWS = 24 }; // room for the table of laws

// What is asked of the laws. Names and words belong to the caller.
typedef struct rico_outcome_options {
    int64_t law_count;       // 0: those of rigid bodies
    const char *const *laws; // names, or rigid, compliant, all
    int64_t option_count;
    const char *const *options; // "lzb.relative-step=1e-3", or a formula of the scene's parameters
    int64_t waves;              // contacts whose energy is followed under the first law in time; 0: none
    double waves_until;         // up to this time; 0: to the end
} rico_outcome_options;

typedef struct rico_outcome {
    const char *law;
    rico_impact_stop stop;
    char note[256];
    double *velocity, *impulse; // after; of each contact
    double *measure;            // in the order of rico_outcome_measure_at()
} rico_outcome;

// The energies of the first contacts in time, thinned to what fits.
typedef struct rico_waves {
    int64_t contacts, rows, stride, room, seen;
    double until;          // INFINITY: to the end
    double *time, *energy; // rows; row by row, `contacts` each
} rico_waves;

typedef struct rico_outcomes {
    rico_context *ctx;
    const rico_scope *scope;        // the scene's parameters, while the laws are applied
    int64_t dofs, contacts, closed; // closed: how many contacts take part
    double speed;                   // fastest approach
    double *before;                 // velocity
    char *active;                   // contacts: 1 when closed
    double *mass;                   // diagonal of M; NULL when there is more in it
    int count;
    rico_outcome outcome[RICO_OUTCOME_LAWS];
    rico_waves waves;
    char skipped
        [512]; // where a group of laws was asked for: those that refuse this impact, with their sentences
} rico_outcomes;

// Applies the laws to the scene's initial state; contacts whose gap is at most a round-off of positions are closed.
// rico_outcomes_release() takes what failed half way, and zeros.
rico_status rico_outcomes_make(rico_context *ctx, rico_scene *scene, const rico_outcome_options *options,
                               rico_outcomes *out);
void rico_outcomes_release(rico_outcomes *outcomes);

// The numbers of an outcome: name, and what it is in a line. NULL past the last.
typedef struct rico_outcome_measure {
    const char *name, *title, *help;
} rico_outcome_measure;
const rico_outcome_measure *rico_outcome_measure_at(int index);
int rico_outcome_measure_count(void);

// One impact as columns: i, v (before), LAW.v, contact, LAW.impulse; time and energy[0], ... of waves; and LAW.MEASURE
// of one row.
rico_status rico_outcomes_sheet(const rico_outcomes *outcomes, rico_sheet *sheet);

// --- over a parameter ----------------------------------------------------------------------------------------

// "eta=0.1:3:30", "eta=log:0.001:10:20", "eta=0.4,1,1.5": a name (kept in `name`) and its values, to be freed.
rico_status rico_range_read(rico_context *ctx, const char *text, char name[RICO_SHEET_NAME], int64_t *count,
                            double **value);

// The scene again and again with the name set to each value: columns NAME and LAW.MEASURE, a row for each.
typedef struct rico_outcome_sweep {
    const char *scene;
    int64_t override_count;
    const char *const *overrides;
    const rico_outcome_options *options;
    const char *over; // as rico_range_read() takes it
    void (*progress)(void *user, int64_t done, int64_t all);
    void *user;
    char excerpt[512]; // of a scene that was refused
} rico_outcome_sweep;
rico_status rico_outcome_sweep_run(rico_context *ctx, rico_outcome_sweep *sweep, rico_sheet *sheet);

#endif
