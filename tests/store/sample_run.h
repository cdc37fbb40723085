// A run made up for tests of the archive: every row follows from its number, the state from the rows before.

#ifndef RICO_TESTS_SAMPLE_RUN_H
#define RICO_TESTS_SAMPLE_RUN_H

#include "support.h"

#include "ricochet/store.h"

#include <unistd.h>

enum { SAMPLE_WIDTH = 700 };
enum { SAMPLE_STEPS, SAMPLE_CONTACTS, SAMPLE_TABLES };

// What a simulation would carry from step to step: the sum makes each row depend on all before it.
typedef struct sample_state {
    int64_t step;
    double sum;
    rico_random random;
    double q[SAMPLE_WIDTH];
} sample_state;

static const rico_column sample_step_columns[] = {
    {"time", RICO_NUMBER_REAL, 0, "s", "end of the step"},
    {"q", RICO_NUMBER_REAL, SAMPLE_WIDTH, "m", "positions"},
    {"sum", RICO_NUMBER_REAL, 0, NULL, NULL},
    {"iterations", RICO_NUMBER_INTEGER, 0, NULL, "of the solver"}};
static const rico_column sample_contact_columns[] = {{"contact", RICO_NUMBER_INTEGER, 0, NULL, "its number"},
                                                     {"impulse", RICO_NUMBER_REAL, 3, "N s", "normal first"}};


static inline sample_state sample_begin(void)
{
    sample_state state = {.step = 0};
    rico_random_seed(&state.random, 7);
    return state;
}


// The plan; `tables` has room for SAMPLE_TABLES.
static inline rico_archive_plan sample_plan(rico_table *tables, int compression)
{
    tables[SAMPLE_STEPS] = (rico_table){.name = "steps",
                                        .help = "one row per step",
                                        .compression = compression,
                                        .column_count = 4,
                                        .columns = sample_step_columns};
    tables[SAMPLE_CONTACTS] = (rico_table){.name = "contacts",
                                           .ragged = true,
                                           .compression = compression,
                                           .column_count = 2,
                                           .columns = sample_contact_columns};
    static const rico_note notes[] = {{.name = "scene", .text = "bodies:\n  - ball \xc3\xa9\n"},
                                      {.name = "step_size", .number = RICO_NUMBER_REAL, .real = 0.125},
                                      {.name = "seed", .number = RICO_NUMBER_INTEGER, .integer = -7}};
    rico_archive_plan plan = rico_archive_plan_default();
    plan.table_count = SAMPLE_TABLES;
    plan.tables = tables;
    plan.note_count = 3;
    plan.notes = notes;
    return plan;
}


// One step: moves the state on and appends its rows.
static inline rico_status sample_step(rico_archive *archive, sample_state *state)
{
    for (int k = 0; k < 20; k++) {
        int64_t i = rico_random_below(&state->random, SAMPLE_WIDTH);
        state->q[i] += rico_random_normal(&state->random);
        state->sum += sin(state->q[i]);
    }
    state->step++;
    double time = 0.125 * (double)state->step;
    int64_t iterations = rico_random_below(&state->random, 100);
    const void *row[] = {&time, state->q, &state->sum, &iterations};
    rico_status status = rico_archive_append(archive, SAMPLE_STEPS, row);
    if (status != RICO_OK) return status;

    int64_t count = rico_random_below(&state->random, 6), contact[6];
    double impulse[18];
    for (int64_t k = 0; k < count; k++) {
        contact[k] = rico_random_below(&state->random, 1000);
        for (int i = 0; i < 3; i++) impulse[3 * k + i] = rico_random_normal(&state->random) * state->sum;
    }
    const void *items[] = {contact, impulse};
    return rico_archive_append_items(archive, SAMPLE_CONTACTS, count, items);
}


// A name in the working folder that no test running beside this one has.
static inline void sample_path(char path[64], const char *name)
{
    snprintf(path, 64, "store_%s_%ld.h5", name, (long)getpid());
}


// A whole run of `steps` steps without interruption.
static inline void sample_write(rico_context *ctx, const char *path, int64_t steps, int compression)
{
    rico_table tables[SAMPLE_TABLES];
    rico_archive_plan plan = sample_plan(tables, compression);
    unlink(path); // whatever a test has made of it
    rico_archive *archive = NULL;
    assert_ok(ctx, rico_archive_create(ctx, path, &plan, &archive));
    sample_state state = sample_begin();
    while (state.step < steps) assert_ok(ctx, sample_step(archive, &state));
    assert_ok(ctx, rico_archive_close(archive, true));
    rico_archive_destroy(archive);
}

#endif
