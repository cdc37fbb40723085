// What the files of a recording share: rows on their way to the archive.

#ifndef RICO_STORE_RECORDING_PRIVATE_H
#define RICO_STORE_RECORDING_PRIVATE_H

#include "ricochet/source.h"
#include "store/contact_watch.h"
#include "store/recording_plan.h"

// The contacts of one row that sources emitted, column by column as the archive takes them.
typedef struct rico_emitted_rows {
    int64_t count, room;
    double *block;                   // of all columns
    double *column[EMITTED_COLUMNS]; // each has room for `room` contacts
} rico_emitted_rows;

// All that a row of the tables of steps holds, copied: what is always there in one block of words, so that a checkpoint
// can keep it.
typedef struct rico_recording_row {
    int64_t words;
    double *block;
    double *t, *q, *v, *impulse, *before, *after, *gap, *force, *smooth, *acceleration, *ledger, *total,
        *moved, *joints, *rates, *probes, *derivatives;
    int64_t *active, *counters, *inside, *one_sided;
    rico_emitted_rows emitted;
} rico_recording_row;

struct rico_recording {
    rico_context *ctx;
    rico_scene *scene;
    rico_simulation *sim;
    rico_archive *archive;
    int64_t every, nq, nv;
    int64_t rows, constraints; // those that are always there
    int64_t sources;
    const rico_bodies *bodies;     // or NULL
    rico_place place;              // of their coordinates
    int64_t source;                // of their contacts
    int64_t moved;                 // bodies that move as functions of time
    int64_t sensors;               // bodies that report and do not act
    int64_t moving_table;          // where the tables begin that have rows of both
    int64_t joints;                // what acts in joints between them
    bool rates;                    // the scheme has accelerations of bodies
    int64_t joint_table;           // where their tables begin
    int64_t probes;                // numbers of elastic parts, and the length of the step; 0: no such parts
    int64_t mesh_table;            // where the tables of elastic parts begin
    rico_sensitivity *sensitivity; // or NULL
    int64_t derivative_table;
    rico_scene_output output;
    double start; // of time
    rico_recording_row now,
        previous; // of the last step, and of the one before where rows around impacts are asked for
    rico_contact_watch watch;
    double t_before, *q_before, *v_before; // at the start of the last step
    int64_t last_row;                      // number of the step that was written last
    double violation;
    rico_pace pace;
    char *state; // a checkpoint on its way
    int64_t state_room;
};

// --- rows, recording_row.c

rico_status rico_recording_row_create(const rico_recording *recording, rico_recording_row *out);
void rico_recording_row_release(rico_context *ctx, rico_recording_row *row);

// A copy of all that the simulation says about its last step.
rico_status rico_recording_row_capture(rico_recording *recording, rico_recording_row *out);
rico_status rico_recording_row_append(rico_recording *recording, const rico_recording_row *row);

// Room for so many emitted contacts; what was there is lost. Numbers of a column for each of them.
rico_status rico_emitted_reserve(rico_context *ctx, rico_emitted_rows *rows, int64_t count);
int64_t rico_emitted_width(int column);

#endif
