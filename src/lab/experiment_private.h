// What the files of the experiments share: runs with their sweeps, and columns with formulas on top of them.

#ifndef RICO_LAB_EXPERIMENT_PRIVATE_H
#define RICO_LAB_EXPERIMENT_PRIVATE_H

#include "lab/experiment.h"
#include "lab/sheet.h"

struct rico_columns;

// The results of one entry of `runs`: one, or one for each value of its sweep.
typedef struct rico_family {
    const rico_node *node;
    const rico_node *over; // NULL: no sweep; else the list of values, its key what is swept
    int64_t count;
    double *swept;                 // values of the sweep
    char **result;                 // paths, NULL until run
    struct rico_columns **columns; // of runs of scenes
    rico_sheet
        *sheet; // columns of impacts and computations, which have no result file; their ctx is NULL otherwise
} rico_family;

// Columns that were read or computed, since figures and values ask for the same ones again and again.
typedef struct rico_kept_column {
    const char *path; // of the result file, as the family holds it
    char *name;       // of the column, a copy: names of coordinates go with the file that is open
    int64_t count;
    double *values;
} rico_kept_column;

struct rico_experiment {
    rico_context *ctx;
    rico_document *document;
    int64_t family_count;
    rico_family *family;
    int64_t value_count;
    rico_symbol *value; // constants, in the order of the file
    rico_scope scope;   // the values taken so far
    int64_t kept_count, kept_room;
    rico_kept_column *kept;
};

// Leaves out the long runs of a document that its schema has passed, and what depends on them.
rico_status rico_experiment_shorten(rico_experiment *experiment);

// Numbers and places of a key of the file; NULL when it is not there.
rico_node *rico_experiment_at(const rico_experiment *experiment, const char *key);

// The run that a node names: "moreau", or "moreau[2]" for one of a sweep; *index is -1 for a whole sweep.
rico_status rico_experiment_family(rico_experiment *experiment, const rico_node *named,
                                   const rico_family **family, int64_t *index);

// The numbers of a column of a result file: one of the experiment's own, or one of the file. A new array. Messages get
// the place of `node`.
rico_status rico_experiment_column(rico_experiment *experiment, const char *path, const rico_node *node,
                                   const char *name, int64_t *count, double **values);

// Applies the laws of impact of a run: the impact itself, or its measures over a range.
rico_status rico_experiment_impact(rico_experiment *experiment, const rico_node *run, const char *scene,
                                   int64_t set_count, const char *const *set, rico_sheet *sheet);

// Gives a computation the value of its sweep, if it has one, and checks all that it is given.
rico_status rico_experiment_give(rico_experiment *experiment, const rico_family *family, int64_t index);

// Runs all scenes, on as many threads: into memory, or into files where they are to be kept. The first that failed, in the order
// of the file, is the one that is told.
rico_status rico_experiment_run_scenes(rico_experiment *experiment, const char *dir, bool keep, int threads,
                                       const rico_experiment_listener *listener);

// Forgets what was read.
void rico_experiment_forget_columns(rico_experiment *experiment);

// One number of a column of a result file, over the rows of a stretch of time.
rico_status rico_experiment_measure(rico_experiment *experiment, const char *path, const rico_node *column,
                                    int measure, double from, double to, double *value);

rico_status rico_experiment_take_values(rico_experiment *experiment);
rico_status rico_experiment_make_checks(rico_experiment *experiment, const rico_experiment_listener *listener,
                                        int64_t *failed);
rico_status rico_experiment_draw(rico_experiment *experiment, const rico_node *figure, const char *dir,
                                 const rico_experiment_listener *listener);

#endif
