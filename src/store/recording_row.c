// One row of the tables of steps: captured from the simulation, appended to the archive.

#include "store/recording_private.h"

#include "step/simulation.h"

#include <math.h>
#include <string.h>


// --- contacts that come and go ---------------------------------------------------------------------------------

int64_t rico_emitted_width(int column)
{
    return rico_emitted_columns[column].width > 0 ? rico_emitted_columns[column].width : 1;
}


rico_status rico_emitted_reserve(rico_context *ctx, rico_emitted_rows *rows, int64_t count)
{
    int64_t words = 0, room = count + count / 2 + 8;
    if (count <= rows->room) return RICO_OK;
    for (int c = 0; c < EMITTED_COLUMNS; c++) words += rico_emitted_width(c);
    double *block = rico_alloc(ctx, words * room, sizeof *block);
    if (!block) return RICO_NO_MEMORY;
    rico_free(ctx, rows->block);
    *rows = (rico_emitted_rows){.room = room, .block = block};
    for (int c = 0; c < EMITTED_COLUMNS; c++) {
        rows->column[c] = block;
        block += room * rico_emitted_width(c);
    }
    return RICO_OK;
}


// The entries of a contact's rows as a vector of three, zeros where it has fewer.
static void put_vector(double *to, const double *from, int64_t rows)
{
    for (int64_t i = 0; i < 3; i++) to[i] = i < rows ? from[i] : 0.0;
}


static void put_integer(double *to, int64_t value)
{
    memcpy(to, &value, sizeof value);
}


// Where the two points of a contact are.
static rico_status put_points(rico_recording *recording, int64_t c, double *a, double *b)
{
    const rico_emitted *between = &rico_step_constraint(recording->sim, c)->between;
    const rico_system *system = recording->sim->system;
    const double *q = rico_simulation_position(recording->sim);
    if (rico_emitted_places(system, q, between, a, b)) return RICO_OK;
    return rico_fail(recording->ctx, RICO_BAD_INPUT, "a point of contact %s has no place at t = %.17g",
                     rico_simulation_constraint(recording->sim, c).name,
                     rico_simulation_time(recording->sim));
}


// The axes that its impulse is given along.
static void put_frame(rico_recording *recording, int64_t c, double *frame)
{
    const rico_emitted *between = &rico_step_constraint(recording->sim, c)->between;
    for (int i = 0; i < 9; i++) frame[i] = i < 3 * between->dimension ? between->frame[i] : 0.0;
}


// Which bodies it is between.
static void put_bodies(const rico_recording *recording, const rico_constraint_info *info, double *a,
                       double *b)
{
    int64_t body_a = -1, body_b = -1;
    uint32_t on_a, on_b;
    if (recording->bodies && info->source == recording->source)
        rico_bodies_contact(recording->bodies, info->key, &body_a, &body_b, &on_a, &on_b);
    put_integer(a, body_a);
    put_integer(b, body_b);
}


static rico_status capture_emitted(rico_recording *recording, const double *gap, rico_emitted_rows *rows)
{
    rico_simulation *sim = recording->sim;
    const double *p = rico_simulation_impulse(sim), *before = rico_simulation_velocity_before(sim),
                 *after = rico_simulation_velocity_after(sim);
    int64_t first = recording->constraints, count = rico_simulation_constraints(sim) - first;
    rico_status status = rico_emitted_reserve(recording->ctx, rows, count);
    if (status == RICO_OK) rows->count = count;
    double *const *to = rows->column;
    for (int64_t i = 0; status == RICO_OK && i < count; i++) {
        int64_t c = first + i;
        rico_constraint_info info = rico_simulation_constraint(sim, c);
        to[EMITTED_T][i] = rico_simulation_time(sim);
        put_integer(to[EMITTED_SOURCE] + i, info.source);
        memcpy(to[EMITTED_KEY] + i, &info.key, sizeof info.key);
        put_integer(to[EMITTED_STATE] + i, rico_simulation_contact_state(sim, c));
        put_integer(to[EMITTED_ACTIVE] + i, rico_simulation_active(sim)[c] != 0);
        to[EMITTED_GAP][i] = gap[info.row];
        put_vector(to[EMITTED_IMPULSE] + 3 * i, p + info.row, info.rows - info.moments);
        put_vector(to[EMITTED_BEFORE] + 3 * i, before + info.row, info.rows - info.moments);
        put_vector(to[EMITTED_AFTER] + 3 * i, after + info.row, info.rows - info.moments);
        to[EMITTED_NORMAL_WORK][i] = rico_simulation_normal_work(sim)[c];
        to[EMITTED_TANGENTIAL_WORK][i] = rico_simulation_tangential_work(sim)[c];
        status = put_points(recording, c, to[EMITTED_A] + 3 * i, to[EMITTED_B] + 3 * i);
        put_frame(recording, c, to[EMITTED_FRAME] + 9 * i);
        put_bodies(recording, &info, to[EMITTED_BODY_A] + i, to[EMITTED_BODY_B] + i);
    }
    return status;
}


// --- a row -----------------------------------------------------------------------------------------------------

static int64_t derivatives_of(const rico_recording *recording)
{
    return recording->sensitivity ? rico_sensitivity_count(recording->sensitivity) : 0;
}


rico_status rico_recording_row_create(const rico_recording *recording, rico_recording_row *out)
{
    int64_t entries = recording->rows > 0 ? recording->rows : 1,
            flags = recording->constraints > 0 ? recording->constraints : 1;
    bool levels = rico_simulation_acceleration(recording->sim) != NULL;
    int64_t words = 1 + recording->nq + recording->nv + (5 + (levels ? LEVEL_COLUMNS : 0)) * entries +
                    2 * LEDGER_COLUMNS + flags + COUNTER_COLUMNS + 7 * recording->moved + recording->sensors +
                    RICO_JOINT_WORDS * recording->joints + (recording->rates ? recording->nv : 0) +
                    recording->probes + (recording->sensitivity ? derivatives_of(recording) + 1 : 0);
    out->block = rico_alloc(recording->ctx, words, sizeof *out->block);
    if (!out->block) return RICO_NO_MEMORY;
    out->words = words;
    out->t = out->block;
    out->q = out->t + 1;
    out->v = out->q + recording->nq;
    out->impulse = out->v + recording->nv;
    out->before = out->impulse + entries;
    out->after = out->before + entries;
    out->gap = out->after + entries;
    out->force = out->gap + entries;
    out->smooth = out->force + entries;
    out->acceleration = levels ? out->smooth + entries : out->smooth;
    out->ledger = levels ? out->acceleration + entries : out->smooth;
    out->total = out->ledger + LEDGER_COLUMNS;
    out->active = (int64_t *)(void *)(out->total + LEDGER_COLUMNS);
    out->counters = out->active + flags;
    out->moved = (double *)(void *)(out->counters + COUNTER_COLUMNS);
    out->inside = (int64_t *)(void *)(out->moved + 7 * recording->moved);
    out->joints = (double *)(void *)(out->inside + recording->sensors);
    out->rates = out->joints + RICO_JOINT_WORDS * recording->joints;
    out->probes = out->rates + (recording->rates ? recording->nv : 0);
    out->derivatives = out->probes + recording->probes;
    out->one_sided = (int64_t *)(void *)(out->derivatives + derivatives_of(recording));
    return RICO_OK;
}


void rico_recording_row_release(rico_context *ctx, rico_recording_row *row)
{
    rico_free(ctx, row->block);
    rico_free(ctx, row->emitted.block);
}


static void copy(double *to, const double *from, int64_t count)
{
    memcpy(to, from, (size_t)count * sizeof *to);
}


static rico_status capture_contacts(rico_recording *recording, rico_recording_row *out)
{
    rico_simulation *sim = recording->sim;
    const double *gap;
    if (rico_simulation_rows(sim) == 0) {
        out->emitted.count = 0;
        return RICO_OK;
    }
    rico_status status = rico_simulation_gap(sim, &gap);
    if (status != RICO_OK) return status;
    double h = *out->t - recording->t_before;
    copy(out->impulse, rico_simulation_impulse(sim), recording->rows);
    copy(out->before, rico_simulation_velocity_before(sim), recording->rows);
    copy(out->after, rico_simulation_velocity_after(sim), recording->rows);
    copy(out->gap, gap, recording->rows);
    for (int64_t i = 0; i < recording->rows; i++) out->force[i] = h > 0.0 ? out->impulse[i] / h : 0.0;

    const double *levels = rico_simulation_acceleration(sim);
    if (levels) {
        copy(out->smooth, rico_simulation_force(sim), recording->rows);
        copy(out->acceleration, levels, recording->rows);
    }
    const char *active = rico_simulation_active(sim);
    for (int64_t c = 0; c < recording->constraints; c++)
        out->active[c] = rico_simulation_constraint(sim, c).joint || active[c];
    return recording->sources > 0 ? capture_emitted(recording, gap, &out->emitted) : RICO_OK;
}


// The length of the step, and what the scene asks for of its elastic parts.
static rico_status capture_probes(rico_recording *recording, rico_recording_row *out)
{
    const rico_scene_state state = {.t = *out->t,
                                    .h = *out->t - recording->t_before,
                                    .q = out->q,
                                    .v = out->v,
                                    .v_before = recording->v_before};
    out->probes[0] = state.h;
    if (recording->probes == 1) return RICO_OK;
    return rico_scene_read_probes(recording->scene, recording->ctx, recording->sim, &state, out->probes + 1);
}


rico_status rico_recording_row_capture(rico_recording *recording, rico_recording_row *out)
{
    rico_simulation *sim = recording->sim;
    *out->t = rico_simulation_time(sim);
    copy(out->q, rico_simulation_position(sim), recording->nq);
    copy(out->v, rico_simulation_velocity(sim), recording->nv);
    const rico_ledger *ledger = rico_simulation_ledger(sim), *total = rico_simulation_ledger_total(sim);
    for (int i = 0; i < LEDGER_COLUMNS; i++) {
        memcpy(&out->ledger[i], (const char *)ledger + rico_ledger_entries[i].place, sizeof(double));
        memcpy(&out->total[i], (const char *)total + rico_ledger_entries[i].place, sizeof(double));
    }
    const rico_step_stats *stats = rico_simulation_statistics(sim);
    const int64_t counters[COUNTER_COLUMNS] = {rico_simulation_steps(sim),
                                               stats->newton_iterations,
                                               stats->factorizations,
                                               stats->contact_problems,
                                               stats->sweeps,
                                               stats->solver_calls,
                                               stats->projections};
    memcpy(out->counters, counters, sizeof counters);
    if (recording->rates) copy(out->rates, rico_simulation_velocity_rate(sim), recording->nv);
    rico_status status = recording->moved > 0
                             ? rico_bodies_moved(recording->ctx, recording->bodies, *out->t, out->moved)
                             : RICO_OK;
    if (status == RICO_OK && recording->sensors > 0)
        status = rico_bodies_inside(recording->ctx, recording->bodies, *out->t, out->q + recording->place.q,
                                    out->inside);
    if (status == RICO_OK) status = capture_contacts(recording, out);
    if (status == RICO_OK && recording->probes > 0) status = capture_probes(recording, out);
    if (status == RICO_OK && recording->sensitivity) {
        *out->one_sided = rico_sensitivity_tell(recording->sensitivity)->one_sided;
        status = rico_sensitivity_values(recording->sensitivity, out->derivatives);
    }
    if (status != RICO_OK || recording->joints == 0) return status;
    const double *smooth = rico_simulation_force(sim);
    return rico_joints_capture(sim->system, *out->t, out->q, out->v, smooth ? smooth : out->force,
                               out->joints);
}


// Violations count where rows are written.
static void look_at_gaps(rico_recording *recording, const rico_recording_row *from)
{
    const rico_system *system = rico_scene_system(recording->scene);
    for (int64_t c = 0; c < recording->constraints; c++) {
        rico_constraint_info info = rico_system_constraint(system, c);
        for (int64_t i = 0; i < (info.joint ? info.rows : 1); i++)
            recording->violation =
                fmax(recording->violation, info.joint ? fabs(from->gap[info.row + i]) : -from->gap[info.row]);
    }
    for (int64_t i = 0; i < from->emitted.count; i++)
        recording->violation = fmax(recording->violation, -from->emitted.column[EMITTED_GAP][i]);
}


static rico_status append_ledger(rico_recording *recording, int64_t table, const double *ledger)
{
    const void *values[LEDGER_COLUMNS];
    for (int i = 0; i < LEDGER_COLUMNS; i++) values[i] = &ledger[i];
    return rico_archive_append(recording->archive, table, values);
}


static rico_status append_emitted(rico_recording *recording, const rico_emitted_rows *rows)
{
    const void *values[EMITTED_COLUMNS] = {NULL};
    if (recording->sources == 0) return RICO_OK;
    for (int c = 0; c < EMITTED_COLUMNS; c++) values[c] = rows->column[c];
    return rico_archive_append_items(recording->archive, EMITTED, rows->count, values);
}


static rico_status append_joints(rico_recording *recording, const rico_recording_row *row)
{
    int64_t table = recording->joint_table, count = recording->joints;
    double *coordinate = row->joints + RICO_JOINT_REACTION * count;
    const void *joints[RICO_JOINT_COLUMNS] = {row->joints, coordinate,
                                              coordinate + RICO_JOINT_COORDINATES * count};
    const void *rates[] = {row->rates};
    rico_status status = count > 0 ? rico_archive_append(recording->archive, table++, joints) : RICO_OK;
    if (status == RICO_OK && recording->rates) status = rico_archive_append(recording->archive, table, rates);
    return status;
}


static rico_status append_derivatives(rico_recording *recording, const rico_recording_row *row)
{
    int64_t count = derivatives_of(recording);
    if (count == 0) return RICO_OK;
    const void **values = rico_alloc(recording->ctx, DERIVATIVE_COLUMNS + count, sizeof *values);
    if (!values) return RICO_NO_MEMORY;
    values[0] = row->t;
    values[1] = row->one_sided;
    for (int64_t i = 0; i < count; i++) values[DERIVATIVE_COLUMNS + i] = &row->derivatives[i];
    rico_status status = rico_archive_append(recording->archive, recording->derivative_table, values);
    rico_free(recording->ctx, values);
    return status;
}


rico_status rico_recording_row_append(rico_recording *recording, const rico_recording_row *row)
{
    const void *state[STATE_COLUMNS] = {row->t, row->q, row->v};
    // the last two are there where the table has them
    const void *contacts[CONTACT_COLUMNS + LEVEL_COLUMNS] = {row->impulse, row->before,      row->after,
                                                             row->gap,     row->active,      row->force,
                                                             row->smooth,  row->acceleration};
    const void *counters[COUNTER_COLUMNS];
    for (int i = 0; i < COUNTER_COLUMNS; i++) counters[i] = &row->counters[i];
    look_at_gaps(recording, row);
    rico_status status = rico_archive_append(recording->archive, STATE, state);
    if (status == RICO_OK) status = rico_archive_append(recording->archive, CONTACTS, contacts);
    if (status == RICO_OK) status = append_ledger(recording, LEDGER, row->ledger);
    if (status == RICO_OK) status = append_ledger(recording, TOTAL, row->total);
    if (status == RICO_OK) status = rico_archive_append(recording->archive, COUNTERS, counters);
    if (status == RICO_OK) status = append_emitted(recording, &row->emitted);
    const void *moved[] = {row->moved}, *inside[] = {row->inside};
    int64_t table = recording->moving_table;
    if (status == RICO_OK && recording->moved > 0)
        status = rico_archive_append(recording->archive, table++, moved);
    if (status == RICO_OK && recording->sensors > 0)
        status = rico_archive_append(recording->archive, table, inside);
    if (status == RICO_OK) status = append_joints(recording, row);
    const void *probes[] = {row->probes, row->probes + 1};
    if (status == RICO_OK && recording->probes > 0)
        status = rico_archive_append(recording->archive, recording->mesh_table + RICO_TABLE_PROBES, probes);
    if (status == RICO_OK) status = append_derivatives(recording, row);
    recording->last_row = row->counters[0];
    return status;
}
