// The tables of a recording, their columns and notes.

#include "store/recording_plan.h"

#include "ricochet/source.h"

#include <string.h>

const rico_ledger_entry rico_ledger_entries[LEDGER_COLUMNS] = {
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
    {"source", RICO_NUMBER_INTEGER, 0, NULL, "of a contact that comes and goes, in notes/sources; else -1"},
    {"key", RICO_NUMBER_UNSIGNED, 0, NULL, "its name there"},
};


static const rico_column SLIDING_COLUMN[SLIDING_COLUMNS] = {
    {"t", RICO_NUMBER_REAL, 0, "s", "end of the step"},
    {"step", RICO_NUMBER_INTEGER, 0, NULL, "its number"},
    {"constraint", RICO_NUMBER_INTEGER, 0, NULL, "which contact, by its place in notes/constraints"},
    {"slips", RICO_NUMBER_INTEGER, 0, NULL, "1: begins to slip; 0: sticks from here on"},
    {"speed", RICO_NUMBER_REAL, 0, NULL, "tangential velocity after the step"},
    {"source", RICO_NUMBER_INTEGER, 0, NULL, "of a contact that comes and goes, in notes/sources; else -1"},
    {"key", RICO_NUMBER_UNSIGNED, 0, NULL, "its name there"},
};


const rico_column rico_emitted_columns[EMITTED_COLUMNS] = {
    [EMITTED_T] = {"t", RICO_NUMBER_REAL, 0, "s", "time of the row"},
    [EMITTED_SOURCE] = {"source", RICO_NUMBER_INTEGER, 0, NULL, "who emitted it, in notes/sources"},
    [EMITTED_KEY] = {"key", RICO_NUMBER_UNSIGNED, 0, NULL, "its name there"},
    [EMITTED_STATE] = {"state", RICO_NUMBER_INTEGER, 0, NULL, "0: open, 1: sticking, 2: sliding"},
    [EMITTED_ACTIVE] = {"active", RICO_NUMBER_INTEGER, 0, NULL, "1 where the step let it act"},
    [EMITTED_GAP] = {"gap", RICO_NUMBER_REAL, 0, NULL, "gap at the end of the step"},
    [EMITTED_IMPULSE] = {"impulse", RICO_NUMBER_REAL, 3, NULL, "impulse of the step, normal first"},
    [EMITTED_BEFORE] = {"before", RICO_NUMBER_REAL, 3, NULL, "relative velocity before it"},
    [EMITTED_AFTER] = {"after", RICO_NUMBER_REAL, 3, NULL, "relative velocity after it"},
    [EMITTED_NORMAL_WORK] = {"normal_work", RICO_NUMBER_REAL, 0, NULL, "normal work of the step"},
    [EMITTED_TANGENTIAL_WORK] = {"tangential_work", RICO_NUMBER_REAL, 0, NULL, "tangential work of the step"},
    [EMITTED_A] = {"a", RICO_NUMBER_REAL, 3, NULL, "where its first point is"},
    [EMITTED_B] = {"b", RICO_NUMBER_REAL, 3, NULL, "where its second point is"},
    [EMITTED_FRAME] = {"frame", RICO_NUMBER_REAL, 9, NULL, "normal, from a to b, and tangents, row by row"},
    [EMITTED_BODY_A] = {"body_a", RICO_NUMBER_INTEGER, 0, NULL, "the first body, in notes/bodies; -1: none"},
    [EMITTED_BODY_B] = {"body_b", RICO_NUMBER_INTEGER, 0, NULL, "the second body"},
};


void rico_recording_plan_release(rico_recording_plan *p, rico_context *ctx)
{
    rico_free(ctx, p->positions.data);
    rico_free(ctx, p->velocities.data);
    rico_free(ctx, p->constraints.data);
    rico_free(ctx, p->terms.data);
    rico_free(ctx, p->sources.data);
    rico_free(ctx, p->parameters);
    rico_free(ctx, p->derivatives);
    rico_body_plan_release(ctx, &p->bodies);
    rico_joint_plan_release(ctx, &p->joints);
    rico_mesh_plan_release(ctx, &p->meshes);
}


// The numbers that the scene was given, for /parameters.
static rico_status plan_parameters(rico_context *ctx, const rico_scene *scene, rico_recording_plan *out)
{
    const rico_parameters *parameters = rico_scene_parameters(scene);
    out->parameters = rico_alloc(ctx, parameters->count, sizeof *out->parameters);
    if (!out->parameters) return RICO_NO_MEMORY;
    for (int64_t i = 0; i < parameters->count; i++)
        out->parameters[i] = (rico_note){.name = parameters->symbol[i].name,
                                         .number = RICO_NUMBER_REAL,
                                         .real = parameters->symbol[i].value};
    out->archive.parameter_count = parameters->count;
    out->archive.parameters = out->parameters;
    return RICO_OK;
}


static void ledger_columns(rico_column *columns)
{
    for (int i = 0; i < LEDGER_COLUMNS; i++)
        columns[i] = (rico_column){rico_ledger_entries[i].name, RICO_NUMBER_REAL, 0, NULL,
                                   rico_ledger_entries[i].help};
}


// One a line; those of an elastic part share one.
static void list_coordinates(const rico_scene *scene, int64_t count, bool velocity, rico_text *out)
{
    char name[RICO_SCENE_NAME];
    for (int64_t i = 0, run; i < count; i += run) {
        run = rico_scene_name_run(scene, i, velocity, name);
        rico_text_add(out, "%s\n", name);
    }
}


// Names of positions, velocities, constraints, numerical terms and sources, one a line.
static rico_status list_names(rico_context *ctx, const rico_scene *scene, const rico_system *system,
                              rico_recording_plan *out)
{
    int64_t nq = rico_system_positions(system), nv = rico_system_velocities(system),
            constraints = rico_system_constraints(system);
    enum { TEXTS = 5 };
    rico_text *const all[TEXTS] = {&out->positions, &out->velocities, &out->constraints, &out->terms,
                                   &out->sources};
    for (int i = 0; i < TEXTS; i++) all[i]->ctx = ctx;
    list_coordinates(scene, nq, false, &out->positions);
    list_coordinates(scene, nv, true, &out->velocities);
    for (int64_t c = 0; c < constraints; c++) {
        rico_constraint_info info = rico_system_constraint(system, c);
        rico_text_add(&out->constraints, "%s %lld %lld %s\n", info.joint ? "joint" : "contact",
                      (long long)info.row, (long long)info.rows, info.name);
    }
    const rico_scheme_info *scheme = rico_scheme_find(rico_scene_scheme(scene));
    for (int i = 0; i < RICO_NUMERICAL_TERMS; i++)
        rico_text_add(&out->terms, "%s\n", scheme->numerical[i] ? scheme->numerical[i] : "");
    for (int64_t s = 0; s < rico_system_sources(system); s++)
        rico_text_add(&out->sources, "%s\n", rico_system_source_name(system, s));
    for (int i = 0; i < TEXTS; i++) {
        if (all[i]->status != RICO_OK) return RICO_NO_MEMORY;
    }
    return RICO_OK;
}


// Columns whose widths are those of the system.
static void wide_columns(const rico_system *system, rico_recording_plan *out)
{
    int64_t nq = rico_system_positions(system), nv = rico_system_velocities(system),
            rows = rico_system_rows(system), constraints = rico_system_constraints(system);
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
    out->contacts[5] =
        (rico_column){"force", RICO_NUMBER_REAL, width, NULL, "impulses over the length of the step"};
    out->contacts[6] = (rico_column){"smooth", RICO_NUMBER_REAL, width, NULL, "forces of the smooth motion"};
    out->contacts[7] =
        (rico_column){"acceleration", RICO_NUMBER_REAL, width, NULL, "relative accelerations of it"};
    memcpy(out->samples, out->state, sizeof out->samples);
}


// A system without sources has the tables, columns and notes that there were before there were any.
static void plan_tables(const rico_system *system, bool levels, rico_recording_plan *out)
{
    bool touch = rico_system_constraints(system) > 0, sources = rico_system_sources(system) > 0;
    int keys = sources ? 0 : KEY_COLUMNS;
    wide_columns(system, out);
    ledger_columns(out->ledger);
    ledger_columns(out->total);
    rico_table tables[TABLES] = {
        [STATE] = {"state", "positions and velocities", false, 0, STATE_COLUMNS, out->state},
        [CONTACTS] = {"contacts", "joints and contacts", false, touch ? 0 : 1,
                      levels ? CONTACT_COLUMNS + LEVEL_COLUMNS : CONTACT_COLUMNS, out->contacts},
        [LEDGER] = {"ledger", "energies, and works of the step", false, 0, LEDGER_COLUMNS, out->ledger},
        [TOTAL] = {"total", "energies, and works since the start", false, 0, LEDGER_COLUMNS, out->total},
        [COUNTERS] = {"counters", "what the steps cost", false, 1, COUNTER_COLUMNS, COUNTER},
        [EVENTS] = {"events", "impulses that appear or vanish", false, 1, EVENT_COLUMNS - keys, EVENT},
        [SLIDING] = {"sliding", "contacts that begin to slip or to stick", false, 1, SLIDING_COLUMNS - keys,
                     SLIDING_COLUMN},
        [SAMPLES] = {"samples", "the state at the times that the scene asks for", false, 0, SAMPLE_COLUMNS,
                     out->samples},
        [EMITTED] = {"emitted", "contacts that come and go, a list for each row of state", true, 0,
                     EMITTED_COLUMNS, rico_emitted_columns},
    };
    memcpy(out->tables, tables, sizeof tables);
    out->archive.table_count = sources ? TABLES : TABLES - 1;
    if (out->bodies.table_count > 0) {
        memcpy(out->tables + TABLES, out->bodies.table, sizeof out->bodies.table);
        out->archive.table_count += out->bodies.table_count;
    }
    out->joint_table = out->archive.table_count;
    for (int64_t i = 0; i < out->joints.table_count; i++)
        out->tables[out->archive.table_count++] = out->joints.table[i];
    out->mesh_table = out->archive.table_count;
    for (int64_t i = 0; i < out->meshes.table_count; i++)
        out->tables[out->archive.table_count++] = out->meshes.table[i];
    out->archive.tables = out->tables;
}


// Derivatives that go with the rows of the state.
static rico_status plan_derivatives(rico_context *ctx, const rico_sensitivity *sensitivity,
                                    rico_recording_plan *out)
{
    out->derivative_table = -1;
    if (!sensitivity) return RICO_OK;
    int64_t count = rico_sensitivity_count(sensitivity);
    out->derivatives = rico_alloc(ctx, DERIVATIVE_COLUMNS + count, sizeof *out->derivatives);
    if (!out->derivatives) return RICO_NO_MEMORY;
    out->derivatives[0] = (rico_column){"t", RICO_NUMBER_REAL, 0, "s", "time"};
    out->derivatives[1] = (rico_column){"one_sided", RICO_NUMBER_INTEGER, 0, NULL,
                                        "steps so far whose derivative belongs to one side"};
    for (int64_t i = 0; i < count; i++)
        out->derivatives[DERIVATIVE_COLUMNS + i] =
            (rico_column){rico_sensitivity_name(sensitivity, i), RICO_NUMBER_REAL, 0, NULL,
                          "derivative of the first by the second"};
    out->derivative_table = out->archive.table_count++;
    out->tables[out->derivative_table] =
        (rico_table){"derivatives",
                     "derivatives of coordinates by parameters and initial coordinates",
                     false,
                     0,
                     DERIVATIVE_COLUMNS + count,
                     out->derivatives};
    return RICO_OK;
}


static void plan_notes(const rico_scene *scene, const rico_system *system,
                       const rico_recording_options *options, rico_recording_plan *out)
{
    const char *text[][2] = {
        {"scene", options->scene_text},
        {"scene_path", options->scene_path},
        {"overrides", options->overrides},
        {"title", rico_scene_title(scene)},
        {"scheme", rico_scene_scheme(scene)},
        {"rico", rico_version()},
        {"positions", out->positions.data},
        {"velocities", out->velocities.data},
        {"constraints", out->constraints.data},
        {"numerical", out->terms.data},
        {"files", options->files},
        {"from", options->from},
        {"sources", out->sources.data},
    };
    for (int i = 0; i < NOTE_COUNT; i++) {
        out->notes[i].name = text[i][0];
        out->notes[i].text = text[i][1] ? text[i][1] : "";
    }
    out->archive.note_count = rico_system_sources(system) > 0 ? NOTE_COUNT : NOTE_COUNT - 1;
    if (out->bodies.table_count > 0) {
        memcpy(out->notes + NOTE_COUNT, out->bodies.note, sizeof out->bodies.note);
        out->archive.note_count += out->bodies.note_count;
    }
    if (out->joints.names.data) {
        out->notes[out->archive.note_count++] = (rico_note){.name = "joints", .text = out->joints.names.data};
        out->notes[out->archive.note_count++] =
            (rico_note){.name = "joint_places", .text = out->joints.places.data};
    }
    for (int64_t i = 0; i < out->meshes.note_count; i++)
        out->notes[out->archive.note_count++] = out->meshes.note[i];
    out->archive.notes = out->notes;
}


rico_status rico_recording_plan_make(rico_context *ctx, const rico_scene *scene, const rico_system *system,
                                     const rico_recording_options *options, rico_recording_plan *out)
{
    memset(out, 0, sizeof *out);
    rico_status status = list_names(ctx, scene, system, out);
    const rico_bodies *bodies = rico_scene_body_set(scene, NULL, NULL);
    bool rates = bodies && rico_scheme_find(rico_scene_scheme(scene))->rates;
    if (status == RICO_OK && bodies) status = rico_body_plan_make(ctx, bodies, &out->bodies);
    if (status == RICO_OK) status = rico_joint_plan_make(ctx, system, rates, &out->joints);
    if (status == RICO_OK) status = rico_mesh_plan_make(ctx, scene, &out->meshes);
    if (status != RICO_OK) {
        rico_recording_plan_release(out, ctx);
        return status;
    }
    out->archive = rico_archive_plan_default();
    out->archive.overwrite = options->overwrite;
    plan_tables(system, rico_scheme_find(rico_scene_scheme(scene))->levels, out);
    plan_notes(scene, system, options, out);
    status = plan_derivatives(ctx, options->sensitivity, out);
    if (status == RICO_OK) status = plan_parameters(ctx, scene, out);
    if (status != RICO_OK) rico_recording_plan_release(out, ctx);
    return status;
}
