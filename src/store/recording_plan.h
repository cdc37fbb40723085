// The tables of a recording: which there are, their columns, and the notes beside them.

#ifndef RICO_STORE_RECORDING_PLAN_H
#define RICO_STORE_RECORDING_PLAN_H

#include "base/text.h"
#include "store/recording.h"
#include "store/recording_bodies.h"
#include "store/recording_joints.h"
#include "store/recording_meshes.h"

enum {
    STATE,
    CONTACTS,
    LEDGER,
    TOTAL,
    COUNTERS,
    EVENTS,
    SLIDING,
    SAMPLES,
    EMITTED,
    TABLES
}; // and those of bodies behind them
enum {
    STATE_COLUMNS = 3,
    CONTACT_COLUMNS = 6, // and two more of schemes that have levels
    LEVEL_COLUMNS = 2,
    COUNTER_COLUMNS = 7,
    EVENT_COLUMNS = 8,
    SLIDING_COLUMNS = 7,
    KEY_COLUMNS = 2, // the last of these two, where there are sources
    SAMPLE_COLUMNS = 3,
    LEDGER_COLUMNS = 15,
    NOTE_COUNT = 13,
    DERIVATIVE_COLUMNS = 2 // and one for each derivative
};

// Columns of the contacts that come and go.
enum {
    EMITTED_T,
    EMITTED_SOURCE,
    EMITTED_KEY,
    EMITTED_STATE,
    EMITTED_ACTIVE,
    EMITTED_GAP,
    EMITTED_IMPULSE,
    EMITTED_BEFORE,
    EMITTED_AFTER,
    EMITTED_NORMAL_WORK,
    EMITTED_TANGENTIAL_WORK,
    EMITTED_A,
    EMITTED_B,
    EMITTED_FRAME,
    EMITTED_BODY_A,
    EMITTED_BODY_B,
    EMITTED_COLUMNS
};
extern const rico_column rico_emitted_columns[EMITTED_COLUMNS];

// An entry of a ledger, for a column of its own.
typedef struct rico_ledger_entry {
    const char *name;
    size_t place;
    const char *help;
} rico_ledger_entry;
extern const rico_ledger_entry rico_ledger_entries[LEDGER_COLUMNS];

typedef struct rico_recording_plan {
    rico_column state[STATE_COLUMNS], contacts[CONTACT_COLUMNS + LEVEL_COLUMNS], ledger[LEDGER_COLUMNS],
        total[LEDGER_COLUMNS], samples[SAMPLE_COLUMNS];
    rico_column *derivatives; // of their table
    rico_table tables[TABLES + RICO_BODY_TABLES + RICO_JOINT_TABLES + RICO_MESH_TABLES + 1];
    rico_archive_plan archive;
    rico_note notes[NOTE_COUNT + RICO_BODY_NOTES + RICO_JOINT_NOTES + RICO_MESH_NOTES], *parameters;
    rico_body_plan bodies;
    rico_joint_plan joints;
    rico_mesh_plan meshes;
    int64_t joint_table, mesh_table; // the first of those of joints, of elastic parts
    int64_t derivative_table;        // -1: none
    rico_text positions, velocities, constraints, terms, sources;
} rico_recording_plan;

// What it points at must outlive the plan: scene, options.
rico_status rico_recording_plan_make(rico_context *ctx, const rico_scene *scene, const rico_system *system,
                                     const rico_recording_options *options, rico_recording_plan *out);
void rico_recording_plan_release(rico_recording_plan *plan, rico_context *ctx);

#endif
