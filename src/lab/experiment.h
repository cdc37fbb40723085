// Experiments: YAML files that name runs of scenes, columns derived from their results, values taken
// of them, checks of those values, figures.
//
//     title: The impacting stick
//     reference: Acary and Collins-Craft 2024, section 5.1
//     runs:
//       newton: {scene: stick.yaml}
//       fremond: {scene: stick.yaml, set: [scheme=moreau-jean-fremond]}
//       fine: {scene: stick.yaml, over: {time.step: [1e-4, 5e-5]}}    # fine[0] and fine[1]
//       eta: {scene: chain.yaml, impact: [moreau, lzb], over: "eta=0.4,1,1.5"}   # one impact, columns as of `rico impact`
//       site: {compute: ring-orbit, given: {coupling: 0.1, at-start: 50}}   # a computation: see computation.h
//     columns:
//       height: y - l/2*cos(gamma)                 # formulas of the columns of a result, row by row
//     values:
//       l: 1
//       gain: {run: newton, column: tangential, take: max}
//       ratio: gain/1e-4                           # or a formula of the values above
//     checks:
//       - {that: gain > 1e-6, says: friction creates energy under Newton's law}
//     figures:
//       works.svg:
//         title: Work of friction
//         panels:
//           - {title: Newton, run: newton, x: t, y: [total.tangential]}

#ifndef RICO_LAB_EXPERIMENT_H
#define RICO_LAB_EXPERIMENT_H

#include "scene/schema.h"

typedef struct rico_experiment rico_experiment;

// `quick`: without the runs that the file calls long, and without the values, checks and panels that need them.
rico_status rico_experiment_load(rico_context *ctx, const char *path, bool quick, char *excerpt, size_t size,
                                 rico_experiment **out);
void rico_experiment_destroy(rico_experiment *experiment);

const char *rico_experiment_title(const rico_experiment *experiment);
const char *rico_experiment_reference(const rico_experiment *experiment);

typedef struct rico_experiment_check {
    const char *says, *that; // the sentence and its formula
    bool holds;
    char values[200]; // "gain = 0.00011": what the formula read
} rico_experiment_check;

typedef struct rico_experiment_listener {
    void (*run)(void *user, const char *name, int64_t index, int64_t count); // a run has ended
    void (*check)(void *user, const rico_experiment_check *check);
    void (*figure)(void *user, const char *path);
    void *user;
} rico_experiment_listener;

// Runs everything, on so many threads, which make no difference to what comes out. Figures go into the folder `dir`, which
// must exist, unless `draw` is false, result files too when `keep`. *failed counts the checks that do not hold.
rico_status rico_experiment_run(rico_experiment *experiment, const char *dir, bool keep, bool draw,
                                int threads, const rico_experiment_listener *listener, int64_t *failed);

const rico_schema *rico_experiment_schema(void);

#endif
