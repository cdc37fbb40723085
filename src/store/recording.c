// What a run of a scene leaves in its archive.

#include "store/recording.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STATE, CONTACTS, LEDGER, TOTAL, COUNTERS, EVENTS, TABLES };
enum { STATE_COLUMNS = 3, CONTACT_COLUMNS = 5, COUNTER_COLUMNS = 7, EVENT_COLUMNS = 6, LEDGER_COLUMNS = 15 };

// A ledger as columns: name, place, help.
static const struct {
    const char *name;
    size_t place;
    const char *help;
} ENTRIES[LEDGER_COLUMNS] = {
    {"kinetic", offsetof(rico_ledger, kinetic), "kinetic energy"},
    {"potential", offsetof(rico_ledger, potential), "potential energy"},
    {"algorithmic", offsetof(rico_ledger, algorithmic), "energy of the scheme beyond those two"},
    {"external", offsetof(rico_ledger, external), "work of loads and forces"},
    {"damping", offsetof(rico_ledger, damping), "work of damping matrices"},
    {"normal", offsetof(rico_ledger, normal), "normal work of contacts"},
    {"tangential", offsetof(rico_ledger, tangential), "tangential work of contacts: friction"},
    {"joint", offsetof(rico_ledger, joint), "work of joints"},
    {"obstacle", offsetof(rico_ledger, obstacle), "work of moving obstacles and driven joints"},
    {"projection", offsetof(rico_ledger, projection), "work of the correction of positions"},
    {"numerical_0", offsetof(rico_ledger, numerical[0]), "numerical dissipation, first term"},
    {"numerical_1", offsetof(rico_ledger, numerical[1]), "numerical dissipation, second term"},
    {"numerical_2", offsetof(rico_ledger, numerical[2]), "numerical dissipation, third term"},
    {"numerical_3", offsetof(rico_ledger, numerical[3]), "numerical dissipation, fourth term"},
    {"residual", offsetof(rico_ledger, residual), "change of energy less all works"},
};

struct rico_recording {
    rico_context *ctx;
    rico_scene *scene;
    rico_simulation *sim;
    rico_archive *archive;
    int64_t every, rows, constraints;
    int64_t *active; // numbers for the file
    char *pressed;   // a constraint had an impulse in the last step
    double violation;
    rico_pace pace;
    char *state; // checkpoint: the simulation's, then ours
    int64_t sim_size, state_size;
};

// What a checkpoint keeps of the recording itself, in front of `pressed`.
typedef struct kept {
    double violation;
    rico_pace pace;
} kept;


// --- the plan ------------------------------------------------------------------------------------------------

typedef struct plan {
    rico_column state[STATE_COLUMNS], contacts[CONTACT_COLUMNS], ledger[LEDGER_COLUMNS],
        total[LEDGER_COLUMNS];
    rico_table tables[TABLES];
    rico_archive_plan archive;
    rico_note notes[10];
    rico_text positions, velocities, constraints, terms;
} plan;

static const rico_column COUNTER[COUNTER_COLUMNS] = {
    {"step", RICO_NUMBER_INTEGER, 0, NULL, "steps done"},
    {"newton", RICO_NUMBER_INTEGER, 0, NULL, "iterations of Newton's loop"},
    {"factorizations", RICO_NUMBER_INTEGER, 0, NULL, "factorizations of the iteration matrix"},
    {"problems", RICO_NUMBER_INTEGER, 0, NULL, "contact problems"},
    {"sweeps", RICO_NUMBER_INTEGER, 0, NULL, "Gauss-Seidel sweeps in them"},
    {"solver_calls", RICO_NUMBER_INTEGER, 0, NULL, "problems handed to the solver"},
    {"projections", RICO_NUMBER_INTEGER, 0, NULL, "iterations of the projection on constraints"},
};

static const rico_column EVENT[EVENT_COLUMNS] = {
    {"t", RICO_NUMBER_REAL, 0, "s", "end of the step"},
    {"step", RICO_NUMBER_INTEGER, 0, NULL, "its number"},
    {"constraint", RICO_NUMBER_INTEGER, 0, NULL, "which contact, by its place in notes/constraints"},
    {"closes", RICO_NUMBER_INTEGER, 0, NULL, "1: its impulse appears; 0: it vanishes"},
    {"speed", RICO_NUMBER_REAL, 0, NULL, "normal velocity before the step"},
    {"impulse", RICO_NUMBER_REAL, 0, NULL, "normal impulse of the step"},
};


static void plan_release(plan *p, rico_context *ctx)
{
    rico_free(ctx, p->positions.data);
    rico_free(ctx, p->velocities.data);
    rico_free(ctx, p->constraints.data);
    rico_free(ctx, p->terms.data);
}


static void ledger_columns(rico_column *columns)
{
    for (int i = 0; i < LEDGER_COLUMNS; i++)
        columns[i] = (rico_column){ENTRIES[i].name, RICO_NUMBER_REAL, 0, NULL, ENTRIES[i].help};
}


static rico_status make_plan(rico_context *ctx, const rico_scene *scene, rico_system *system,
                             const rico_recording_options *options, plan *out)
{
    int64_t nq = rico_system_positions(system), nv = rico_system_velocities(system),
            rows = rico_system_rows(system), constraints = rico_system_constraints(system);
    memset(out, 0, sizeof *out);
    out->positions.ctx = out->velocities.ctx = out->constraints.ctx = out->terms.ctx = ctx;
    char name[RICO_SCENE_NAME];
    for (int64_t i = 0; i < nq; i++) {
        rico_scene_position_name(scene, i, name);
        rico_text_add(&out->positions, "%s\n", name);
    }
    for (int64_t i = 0; i < nv; i++) {
        rico_scene_velocity_name(scene, i, name);
        rico_text_add(&out->velocities, "%s\n", name);
    }
    for (int64_t c = 0; c < constraints; c++) {
        rico_constraint_info info = rico_system_constraint(system, c);
        rico_text_add(&out->constraints, "%s %lld %lld %s\n", info.joint ? "joint" : "contact",
                      (long long)info.row, (long long)info.rows, info.name);
    }
    const rico_scheme_info *scheme = rico_scheme_find(rico_scene_scheme(scene));
    for (int i = 0; i < RICO_NUMERICAL_TERMS; i++)
        rico_text_add(&out->terms, "%s\n", scheme->numerical[i] ? scheme->numerical[i] : "");
    if (out->positions.status || out->velocities.status || out->constraints.status || out->terms.status) {
        plan_release(out, ctx);
        return RICO_NO_MEMORY;
    }

    out->state[0] = (rico_column){"t", RICO_NUMBER_REAL, 0, "s", "time"};
    out->state[1] = (rico_column){"q", RICO_NUMBER_REAL, nq, NULL, "positions, named in notes/positions"};
    out->state[2] = (rico_column){"v", RICO_NUMBER_REAL, nv, NULL, "velocities, named in notes/velocities"};
    int64_t width = rows > 0 ? rows : 1, flags = constraints > 0 ? constraints : 1;
    out->contacts[0] = (rico_column){"impulse", RICO_NUMBER_REAL, width, NULL, "impulses of the step"};
    out->contacts[1] =
        (rico_column){"before", RICO_NUMBER_REAL, width, NULL, "relative velocities before it"};
    out->contacts[2] = (rico_column){"after", RICO_NUMBER_REAL, width, NULL, "relative velocities after it"};
    out->contacts[3] = (rico_column){"gap", RICO_NUMBER_REAL, width, NULL, "gaps; values of joints"};
    out->contacts[4] =
        (rico_column){"active", RICO_NUMBER_INTEGER, flags, NULL, "1 where the step let it act"};
    ledger_columns(out->ledger);
    ledger_columns(out->total);
    bool touch = constraints > 0;
    rico_table tables[TABLES] = {
        [STATE] = {"state", "positions and velocities", false, 0, STATE_COLUMNS, out->state},
        [CONTACTS] = {"contacts", "joints and contacts", false, touch ? 0 : 1, CONTACT_COLUMNS,
                      out->contacts},
        [LEDGER] = {"ledger", "energies, and works of the step", false, 0, LEDGER_COLUMNS, out->ledger},
        [TOTAL] = {"total", "energies, and works since the start", false, 0, LEDGER_COLUMNS, out->total},
        [COUNTERS] = {"counters", "what the steps cost", false, 1, COUNTER_COLUMNS, COUNTER},
        [EVENTS] = {"events", "impulses that appear or vanish", false, 1, EVENT_COLUMNS, EVENT},
    };
    memcpy(out->tables, tables, sizeof tables);
    const char *text[][2] = {
        {"scene", options->scene_text},         {"scene_path", options->scene_path},
        {"overrides", options->overrides},      {"title", rico_scene_title(scene)},
        {"scheme", rico_scene_scheme(scene)},   {"rico", rico_version()},
        {"positions", out->positions.data},     {"velocities", out->velocities.data},
        {"constraints", out->constraints.data}, {"numerical", out->terms.data},
    };
    for (int i = 0; i < 10; i++) {
        out->notes[i].name = text[i][0];
        out->notes[i].text = text[i][1] ? text[i][1] : "";
    }
    out->archive = rico_archive_plan_default();
    out->archive.table_count = TABLES;
    out->archive.tables = out->tables;
    out->archive.note_count = 10;
    out->archive.notes = out->notes;
    out->archive.overwrite = options->overwrite;
    return RICO_OK;
}


// --- rows ----------------------------------------------------------------------------------------------------

static rico_status append_state(rico_recording *recording)
{
    const double t = rico_simulation_time(recording->sim);
    const void *values[STATE_COLUMNS] = {&t, rico_simulation_position(recording->sim),
                                         rico_simulation_velocity(recording->sim)};
    return rico_archive_append(recording->archive, STATE, values);
}


static rico_status append_contacts(rico_recording *recording)
{
    static const double NOTHING = 0.0;
    rico_simulation *sim = recording->sim;
    const double *gap = &NOTHING;
    const char *active = rico_simulation_active(sim);
    const void *values[CONTACT_COLUMNS] = {&NOTHING, &NOTHING, &NOTHING, &NOTHING, recording->active};
    if (recording->rows > 0) {
        rico_status status = rico_simulation_gap(sim, &gap);
        if (status != RICO_OK) return status;
        values[0] = rico_simulation_impulse(sim);
        values[1] = rico_simulation_velocity_before(sim);
        values[2] = rico_simulation_velocity_after(sim);
        values[3] = gap;
    }
    rico_system *system = rico_scene_system(recording->scene);
    for (int64_t c = 0; c < recording->constraints; c++) {
        rico_constraint_info info = rico_system_constraint(system, c);
        recording->active[c] = info.joint || active[c];
        for (int64_t i = 0; i < (info.joint ? info.rows : 1); i++)
            recording->violation =
                fmax(recording->violation, info.joint ? fabs(gap[info.row + i]) : -gap[info.row]);
    }
    return rico_archive_append(recording->archive, CONTACTS, values);
}


static rico_status append_ledger(rico_recording *recording, int64_t table, const rico_ledger *ledger)
{
    const void *values[LEDGER_COLUMNS];
    for (int i = 0; i < LEDGER_COLUMNS; i++) values[i] = (const char *)ledger + ENTRIES[i].place;
    return rico_archive_append(recording->archive, table, values);
}


static rico_status append_counters(rico_recording *recording)
{
    const rico_step_stats *stats = rico_simulation_statistics(recording->sim);
    const int64_t steps = rico_simulation_steps(recording->sim);
    const void *values[COUNTER_COLUMNS] = {
        &steps,         &stats->newton_iterations, &stats->factorizations, &stats->contact_problems,
        &stats->sweeps, &stats->solver_calls,      &stats->projections};
    return rico_archive_append(recording->archive, COUNTERS, values);
}


static rico_status append_row(rico_recording *recording)
{
    rico_status status = append_state(recording);
    if (status == RICO_OK) status = append_contacts(recording);
    if (status == RICO_OK) status = append_ledger(recording, LEDGER, rico_simulation_ledger(recording->sim));
    if (status == RICO_OK)
        status = append_ledger(recording, TOTAL, rico_simulation_ledger_total(recording->sim));
    if (status == RICO_OK) status = append_counters(recording);
    return status;
}


// Impulses that appear or vanish with this step.
static rico_status append_events(rico_recording *recording)
{
    const double *p = rico_simulation_impulse(recording->sim);
    const double *before = rico_simulation_velocity_before(recording->sim);
    const double t = rico_simulation_time(recording->sim);
    const int64_t step = rico_simulation_steps(recording->sim);
    rico_system *system = rico_scene_system(recording->scene);
    for (int64_t c = 0; c < recording->constraints; c++) {
        rico_constraint_info info = rico_system_constraint(system, c);
        bool pressed = !info.joint && rico_simulation_contact_state(recording->sim, c) != RICO_OPEN;
        if (pressed == (recording->pressed[c] != 0)) continue;
        recording->pressed[c] = pressed;
        const int64_t closes = pressed;
        const void *values[EVENT_COLUMNS] = {&t, &step, &c, &closes, &before[info.row], &p[info.row]};
        rico_status status = rico_archive_append(recording->archive, EVENTS, values);
        if (status != RICO_OK) return status;
    }
    return RICO_OK;
}


rico_status rico_recording_step(rico_recording *recording, bool last)
{
    rico_status status = append_events(recording);
    bool due = last || rico_simulation_steps(recording->sim) % recording->every == 0;
    return status == RICO_OK && due ? append_row(recording) : status;
}


// --- life ----------------------------------------------------------------------------------------------------

static rico_status allocate(rico_context *ctx, rico_scene *scene, rico_simulation *sim, rico_recording **out)
{
    rico_recording *recording = rico_alloc(ctx, 1, sizeof *recording);
    if (!recording) return RICO_NO_MEMORY;
    rico_system *system = rico_scene_system(scene);
    recording->ctx = ctx;
    recording->scene = scene;
    recording->sim = sim;
    recording->every = rico_scene_times(scene).every;
    recording->rows = rico_system_rows(system);
    recording->constraints = rico_system_constraints(system);
    recording->active = rico_alloc(ctx, recording->constraints + 1, sizeof *recording->active);
    recording->pressed = rico_alloc(ctx, recording->constraints + 1, 1);
    recording->sim_size = rico_simulation_state_size(sim);
    recording->state_size = recording->sim_size + (int64_t)sizeof(kept) + recording->constraints;
    recording->state = rico_alloc(ctx, recording->state_size, 1);
    if (!recording->active || !recording->pressed || !recording->state) {
        rico_recording_destroy(recording);
        return RICO_NO_MEMORY;
    }
    *out = recording;
    return RICO_OK;
}


rico_status rico_recording_create(rico_context *ctx, const char *path, rico_scene *scene,
                                  rico_simulation *sim, const rico_recording_options *options,
                                  rico_recording **out)
{
    plan made;
    rico_recording *recording = NULL;
    rico_status status = make_plan(ctx, scene, rico_scene_system(scene), options, &made);
    if (status != RICO_OK) return status;
    status = allocate(ctx, scene, sim, &recording);
    if (status == RICO_OK) status = rico_archive_create(ctx, path, &made.archive, &recording->archive);
    if (status == RICO_OK) status = append_row(recording);
    plan_release(&made, ctx);
    if (status != RICO_OK) {
        rico_recording_destroy(recording);
        return status;
    }
    *out = recording;
    return RICO_OK;
}


rico_status rico_recording_resume(rico_context *ctx, const char *path, rico_scene *scene,
                                  rico_simulation *sim, const rico_recording_options *options,
                                  rico_recording **out)
{
    plan made;
    rico_recording *recording = NULL;
    rico_checkpoint checkpoint = {0};
    *out = NULL;
    rico_status status = make_plan(ctx, scene, rico_scene_system(scene), options, &made);
    if (status != RICO_OK) return status;
    status = allocate(ctx, scene, sim, &recording);
    if (status == RICO_OK)
        status = rico_archive_resume(ctx, path, &made.archive, &recording->archive, &checkpoint);
    plan_release(&made, ctx);
    bool found = status == RICO_OK && recording->archive;
    if (found && checkpoint.size != recording->state_size)
        status = rico_fail(ctx, RICO_BAD_INPUT,
                           "%s: its checkpoint is of another scene: %lld bytes, expected %lld", path,
                           (long long)checkpoint.size, (long long)recording->state_size);
    if (found && status == RICO_OK) {
        const char *bytes = checkpoint.state;
        kept own;
        status = rico_simulation_load(sim, bytes, recording->sim_size);
        memcpy(&own, bytes + recording->sim_size, sizeof own);
        recording->violation = own.violation;
        recording->pace = own.pace;
        memcpy(recording->pressed, bytes + recording->sim_size + sizeof own, (size_t)recording->constraints);
    }
    rico_checkpoint_release(ctx, &checkpoint);
    if (!found || status != RICO_OK) {
        rico_recording_destroy(recording);
        return status;
    }
    *out = recording;
    return RICO_OK;
}


rico_status rico_recording_checkpoint(rico_recording *recording)
{
    kept own = {recording->violation, recording->pace};
    rico_simulation_save(recording->sim, recording->state);
    memcpy(recording->state + recording->sim_size, &own, sizeof own);
    memcpy(recording->state + recording->sim_size + sizeof own, recording->pressed,
           (size_t)recording->constraints);
    return rico_archive_checkpoint(recording->archive, recording->state, recording->state_size);
}


rico_pace *rico_recording_pace(rico_recording *recording)
{
    return &recording->pace;
}


double rico_recording_violation(const rico_recording *recording)
{
    return recording->violation;
}


int64_t rico_recording_events(const rico_recording *recording)
{
    return rico_archive_rows(recording->archive, EVENTS);
}


rico_status rico_recording_close(rico_recording *recording, bool finished)
{
    return rico_archive_close(recording->archive, finished);
}


void rico_recording_destroy(rico_recording *recording)
{
    if (!recording) return;
    rico_archive_destroy(recording->archive);
    rico_free(recording->ctx, recording->active);
    rico_free(recording->ctx, recording->pressed);
    rico_free(recording->ctx, recording->state);
    rico_free(recording->ctx, recording);
}
