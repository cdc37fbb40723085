// What a run of a scene leaves in its archive: rows, events, checkpoints.

#include "ricochet/events.h"
#include "store/memory.h"
#include "store/recording_plan.h"

#include <math.h>
#include <string.h>

// A contact slips when its tangential velocity exceeds this part of the largest relative velocity that it has had:
// what a solver leaves of a velocity that should be zero is far below.
static const double SLIP = 1e-6;

// All that a row of the tables of steps holds, copied: in one block of words, so that a checkpoint can keep it.
typedef struct row {
    int64_t words;
    double *block;
    double *t, *q, *v, *impulse, *before, *after, *gap, *force, *ledger, *total;
    int64_t *active, *counters;
} row;

struct rico_recording {
    rico_context *ctx;
    rico_scene *scene;
    rico_simulation *sim;
    rico_archive *archive;
    int64_t every, rows, constraints, nq, nv;
    rico_scene_output output;
    double start;      // of time
    row now, previous; // of the last step, and of the one before where rows around impacts are asked for
    char *pressed;     // a constraint had an impulse in the last step
    char *slips;       // it slipped
    double *fastest;   // largest relative velocity of a constraint so far
    double t_before, *q_before, *v_before; // at the start of the last step
    int64_t last_row;                      // number of the step that was written last
    double violation;
    rico_pace pace;
    char *state; // checkpoint: the simulation's, then ours
    int64_t sim_size, state_size;
};

// What a checkpoint keeps of the recording itself, in front of what each constraint has and the row before.
typedef struct kept {
    double violation;
    rico_pace pace;
    int64_t last_row;
} kept;


// --- rows ----------------------------------------------------------------------------------------------------

static rico_status allocate_row(rico_context *ctx, const rico_recording *recording, row *out)
{
    int64_t width = recording->rows > 0 ? recording->rows : 1,
            flags = recording->constraints > 0 ? recording->constraints : 1;
    int64_t words =
        1 + recording->nq + recording->nv + 5 * width + 2 * LEDGER_COLUMNS + flags + COUNTER_COLUMNS;
    out->block = rico_alloc(ctx, words, sizeof *out->block);
    if (!out->block) return RICO_NO_MEMORY;
    out->words = words;
    out->t = out->block;
    out->q = out->t + 1;
    out->v = out->q + recording->nq;
    out->impulse = out->v + recording->nv;
    out->before = out->impulse + width;
    out->after = out->before + width;
    out->gap = out->after + width;
    out->force = out->gap + width;
    out->ledger = out->force + width;
    out->total = out->ledger + LEDGER_COLUMNS;
    out->active = (int64_t *)(void *)(out->total + LEDGER_COLUMNS);
    out->counters = out->active + flags;
    return RICO_OK;
}


static void copy(double *to, const double *from, int64_t count)
{
    memcpy(to, from, (size_t)count * sizeof *to);
}


static rico_status capture_contacts(rico_recording *recording, row *out)
{
    rico_simulation *sim = recording->sim;
    const double *gap;
    if (recording->rows == 0) return RICO_OK;
    rico_status status = rico_simulation_gap(sim, &gap);
    if (status != RICO_OK) return status;
    double h = *out->t - recording->t_before;
    copy(out->impulse, rico_simulation_impulse(sim), recording->rows);
    copy(out->before, rico_simulation_velocity_before(sim), recording->rows);
    copy(out->after, rico_simulation_velocity_after(sim), recording->rows);
    copy(out->gap, gap, recording->rows);
    for (int64_t i = 0; i < recording->rows; i++) out->force[i] = h > 0.0 ? out->impulse[i] / h : 0.0;

    const char *active = rico_simulation_active(sim);
    rico_system *system = rico_scene_system(recording->scene);
    for (int64_t c = 0; c < recording->constraints; c++) {
        rico_constraint_info info = rico_system_constraint(system, c);
        out->active[c] = info.joint || active[c];
    }
    return RICO_OK;
}


// A copy of all that the simulation says about its last step.
static rico_status capture(rico_recording *recording, row *out)
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
    return capture_contacts(recording, out);
}


// Violations count where rows are written.
static void look_at_gaps(rico_recording *recording, const row *from)
{
    rico_system *system = rico_scene_system(recording->scene);
    for (int64_t c = 0; c < recording->constraints; c++) {
        rico_constraint_info info = rico_system_constraint(system, c);
        for (int64_t i = 0; i < (info.joint ? info.rows : 1); i++)
            recording->violation =
                fmax(recording->violation, info.joint ? fabs(from->gap[info.row + i]) : -from->gap[info.row]);
    }
}


static rico_status append_ledger(rico_recording *recording, int64_t table, const double *ledger)
{
    const void *values[LEDGER_COLUMNS];
    for (int i = 0; i < LEDGER_COLUMNS; i++) values[i] = &ledger[i];
    return rico_archive_append(recording->archive, table, values);
}


static rico_status append_row(rico_recording *recording, const row *from)
{
    const void *state[STATE_COLUMNS] = {from->t, from->q, from->v};
    const void *contacts[CONTACT_COLUMNS] = {from->impulse, from->before, from->after,
                                             from->gap,     from->active, from->force};
    const void *counters[COUNTER_COLUMNS];
    for (int i = 0; i < COUNTER_COLUMNS; i++) counters[i] = &from->counters[i];
    look_at_gaps(recording, from);
    rico_status status = rico_archive_append(recording->archive, STATE, state);
    if (status == RICO_OK) status = rico_archive_append(recording->archive, CONTACTS, contacts);
    if (status == RICO_OK) status = append_ledger(recording, LEDGER, from->ledger);
    if (status == RICO_OK) status = append_ledger(recording, TOTAL, from->total);
    if (status == RICO_OK) status = rico_archive_append(recording->archive, COUNTERS, counters);
    recording->last_row = from->counters[0];
    return status;
}


// --- the state at given times --------------------------------------------------------------------------------

// The time of the sample with that number; false past the last.
static bool sample_time(const rico_recording *recording, int64_t index, double *t)
{
    const rico_scene_output *output = &recording->output;
    if (output->interval > 0.0) {
        *t = recording->start + (double)index * output->interval;
        return true;
    }
    if (index >= output->count) return false;
    *t = output->time[index];
    return true;
}


// Between the ends of a step: positions by the cubic through positions and velocities at both where the step was smooth,
// by a straight line where a contact pushed; velocities by a straight line.
static void interpolate(rico_recording *recording, double part, double h, double *q, double *v)
{
    const double *q1 = rico_simulation_position(recording->sim),
                 *v1 = rico_simulation_velocity(recording->sim), *q0 = recording->q_before,
                 *v0 = recording->v_before, *p = rico_simulation_impulse(recording->sim);
    bool smooth = recording->nq == recording->nv;
    for (int64_t i = 0; i < recording->rows; i++) smooth = smooth && p[i] == 0.0;
    for (int64_t i = 0; i < recording->nv; i++) v[i] = v0[i] + part * (v1[i] - v0[i]);
    for (int64_t i = 0; i < recording->nq; i++) {
        double line = q0[i] + part * (q1[i] - q0[i]);
        double bend =
            smooth ? part * (1.0 - part) *
                         ((1.0 - part) * (h * v0[i] - (q1[i] - q0[i])) - part * (h * v1[i] - (q1[i] - q0[i])))
                   : 0.0;
        q[i] = line + bend;
    }
}


// Writes the samples up to the end of the last step. One that lies there to a billionth of the step is its end.
static rico_status append_samples(rico_recording *recording)
{
    double t, t1 = rico_simulation_time(recording->sim), h = t1 - recording->t_before, close = 1e-9 * h;
    while (sample_time(recording, rico_archive_rows(recording->archive, SAMPLES), &t) && t <= t1 + close) {
        const double *q = rico_simulation_position(recording->sim),
                     *v = rico_simulation_velocity(recording->sim);
        if (t < t1 - close) {
            // the row of now is free: rows are captured behind the samples
            interpolate(recording, (t - recording->t_before) / h, h, recording->now.q, recording->now.v);
            q = recording->now.q;
            v = recording->now.v;
        }
        const void *values[SAMPLE_COLUMNS] = {&t, q, v};
        rico_status status = rico_archive_append(recording->archive, SAMPLES, values);
        if (status != RICO_OK) return status;
    }
    return RICO_OK;
}


// --- events --------------------------------------------------------------------------------------------------

// Does a contact slip after this step? Its fastest velocity so far is the measure.
static bool slipping(rico_recording *recording, const rico_constraint_info *info, int64_t c, double *speed)
{
    const double *before = rico_simulation_velocity_before(recording->sim) + info->row,
                 *after = rico_simulation_velocity_after(recording->sim) + info->row;
    for (int64_t i = 0; i < info->rows; i++)
        recording->fastest[c] = fmax(recording->fastest[c], fmax(fabs(before[i]), fabs(after[i])));
    *speed = info->rows > 2 ? hypot(after[1], after[2]) : info->rows > 1 ? after[1] : 0.0;
    return fabs(*speed) > SLIP * recording->fastest[c];
}


// A contact that closes slips, until a row here says that it sticks.
static rico_status append_sliding(rico_recording *recording)
{
    const double *p = rico_simulation_impulse(recording->sim);
    const double t = rico_simulation_time(recording->sim);
    const int64_t step = rico_simulation_steps(recording->sim);
    rico_system *system = rico_scene_system(recording->scene);
    for (int64_t c = 0; c < recording->constraints; c++) {
        rico_constraint_info info = rico_system_constraint(system, c);
        if (info.joint || info.rows < 2) continue;
        double speed;
        bool slips = slipping(recording, &info, c, &speed) || p[info.row] <= 0.0;
        if (slips == (recording->slips[c] != 0)) continue;
        recording->slips[c] = slips;
        if (p[info.row] <= 0.0) continue; // it has opened: events say so
        const int64_t flag = slips;
        const void *values[SLIDING_COLUMNS] = {&t, &step, &c, &flag, &speed};
        rico_status status = rico_archive_append(recording->archive, SLIDING, values);
        if (status != RICO_OK) return status;
    }
    return RICO_OK;
}


// Impulses that appear or vanish with this step.
static rico_status append_events(rico_recording *recording, bool *impact)
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
        *impact |= pressed;
        const int64_t closes = pressed;
        const void *values[EVENT_COLUMNS] = {&t, &step, &c, &closes, &before[info.row], &p[info.row]};
        rico_status status = rico_archive_append(recording->archive, EVENTS, values);
        if (status != RICO_OK) return status;
    }
    return RICO_OK;
}


// One event of a scheme that finds them: a row where a contact closes, opens, sticks or slips.
static rico_status append_event(rico_recording *recording, const rico_event *event)
{
    const int64_t step = rico_simulation_steps(recording->sim), c = event->contact;
    bool closes = event->before == RICO_OPEN && event->kind <= RICO_EVENT_TOUCH;
    bool opens = event->after == RICO_OPEN && (closes || event->before != RICO_OPEN);
    rico_status status = RICO_OK;
    for (int64_t flag = 1; status == RICO_OK && flag >= 0; flag--) {
        if (!(flag ? closes : opens)) continue;
        const void *values[EVENT_COLUMNS] = {&event->t, &step, &c, &flag, &event->speed, &event->impulse[0]};
        status = rico_archive_append(recording->archive, EVENTS, values);
    }
    const int64_t slips = event->after != RICO_STICKING;
    bool changed = slips != (recording->slips[c] != 0);
    recording->slips[c] = (char)slips;
    if (status != RICO_OK || !changed || event->after == RICO_OPEN) return status;
    const double rest = 0.0; // where it begins to slip, or comes to rest
    const void *values[SLIDING_COLUMNS] = {&event->t, &step, &c, &slips, &rest};
    return rico_archive_append(recording->archive, SLIDING, values);
}


// The events of the step at their own times.
static rico_status append_found(rico_recording *recording, bool *impact)
{
    int64_t count;
    const rico_event *event = rico_simulation_events(recording->sim, &count);
    rico_status status = RICO_OK;
    for (int64_t k = 0; status == RICO_OK && k < count; k++) {
        *impact |= event[k].kind == RICO_EVENT_IMPACT;
        status = append_event(recording, &event[k]);
    }
    for (int64_t c = 0; c < recording->constraints; c++)
        recording->pressed[c] = rico_simulation_contact_state(recording->sim, c) != RICO_OPEN;
    return status;
}


static void remember_state(rico_recording *recording)
{
    recording->t_before = rico_simulation_time(recording->sim);
    copy(recording->q_before, rico_simulation_position(recording->sim), recording->nq);
    copy(recording->v_before, rico_simulation_velocity(recording->sim), recording->nv);
}


// Where rows around impacts are asked for, every row is captured: which one comes before an impact shows later.
rico_status rico_recording_step(rico_recording *recording, bool last)
{
    bool impact = false, around = recording->output.impacts;
    bool found = rico_scheme_find(rico_scene_scheme(recording->scene))->own_error;
    rico_status status = (found ? append_found : append_events)(recording, &impact);
    if (status == RICO_OK && !found) status = append_sliding(recording);
    if (status == RICO_OK) status = append_samples(recording);
    int64_t step = rico_simulation_steps(recording->sim);
    bool due = last || step % recording->every == 0 || (around && impact);
    if (status == RICO_OK && (due || around)) status = capture(recording, &recording->now);
    if (status == RICO_OK && around && impact && recording->last_row < recording->previous.counters[0])
        status = append_row(recording, &recording->previous);
    if (status == RICO_OK && due) status = append_row(recording, &recording->now);
    if (around) copy(recording->previous.block, recording->now.block, recording->now.words);
    remember_state(recording);
    return status;
}


// --- life ----------------------------------------------------------------------------------------------------

// Bytes of a checkpoint that are ours.
static int64_t own_size(const rico_recording *recording)
{
    int64_t row_bytes = recording->output.impacts ? recording->previous.words * (int64_t)sizeof(double) : 0;
    return (int64_t)sizeof(kept) + recording->constraints * (2 + (int64_t)sizeof(double)) + row_bytes;
}


static rico_status allocate(rico_context *ctx, rico_scene *scene, rico_simulation *sim, rico_recording **out)
{
    rico_recording *recording = rico_alloc(ctx, 1, sizeof *recording);
    if (!recording) return RICO_NO_MEMORY;
    rico_system *system = rico_scene_system(scene);
    recording->ctx = ctx;
    recording->scene = scene;
    recording->sim = sim;
    recording->every = rico_scene_times(scene).every;
    recording->start = rico_scene_times(scene).start;
    recording->rows = rico_system_rows(system);
    recording->constraints = rico_system_constraints(system);
    recording->nq = rico_system_positions(system);
    recording->nv = rico_system_velocities(system);
    recording->pressed = rico_alloc(ctx, recording->constraints + 1, 1);
    recording->slips = rico_alloc(ctx, recording->constraints + 1, 1);
    recording->fastest = rico_alloc(ctx, recording->constraints + 1, sizeof(double));
    recording->q_before = rico_alloc(ctx, recording->nq, sizeof(double));
    recording->v_before = rico_alloc(ctx, recording->nv, sizeof(double));
    rico_status status = recording->pressed && recording->slips && recording->fastest &&
                                 recording->q_before && recording->v_before
                             ? rico_scene_read_output(scene, &recording->output)
                             : RICO_NO_MEMORY;
    if (status == RICO_OK) status = allocate_row(ctx, recording, &recording->now);
    if (status == RICO_OK) status = allocate_row(ctx, recording, &recording->previous);
    recording->sim_size = rico_simulation_state_size(sim);
    recording->state_size = recording->sim_size + own_size(recording);
    if (status == RICO_OK) recording->state = rico_alloc(ctx, recording->state_size, 1);
    if (status == RICO_OK && !recording->state) status = RICO_NO_MEMORY;
    if (status != RICO_OK) {
        rico_recording_destroy(recording);
        return status;
    }
    memset(recording->slips, 1, (size_t)recording->constraints);
    *out = recording;
    return RICO_OK;
}


// Contacts that stick from the start, where the scheme knows.
static rico_status append_resting(rico_recording *recording)
{
    const double t = rico_simulation_time(recording->sim), rest = 0.0;
    const int64_t step = rico_simulation_steps(recording->sim), slips = 0;
    rico_status status = RICO_OK;
    for (int64_t c = 0; status == RICO_OK && c < recording->constraints; c++) {
        if (rico_system_constraint(rico_scene_system(recording->scene), c).joint) continue;
        if (rico_simulation_contact_state(recording->sim, c) != RICO_STICKING) continue;
        recording->slips[c] = 0;
        const void *values[SLIDING_COLUMNS] = {&t, &step, &c, &slips, &rest};
        status = rico_archive_append(recording->archive, SLIDING, values);
    }
    return status;
}


// The first row, and the first sample where one is due at the start.
static rico_status begin(rico_recording *recording)
{
    remember_state(recording);
    rico_status status = append_samples(recording);
    if (status == RICO_OK) status = append_resting(recording);
    if (status == RICO_OK) status = capture(recording, &recording->now);
    if (status == RICO_OK) status = append_row(recording, &recording->now);
    copy(recording->previous.block, recording->now.block, recording->now.words);
    return status;
}


// Moves bytes between the recording and a checkpoint, to it or from it.
typedef struct cursor {
    char *at;
    bool out;
} cursor;

static void pass(cursor *where, void *data, int64_t size)
{
    if (where->out)
        memcpy(where->at, data, (size_t)size);
    else
        memcpy(data, where->at, (size_t)size);
    where->at += size;
}


static void pass_own(rico_recording *recording, char *bytes, bool out)
{
    cursor where = {bytes, out};
    kept own = {recording->violation, recording->pace, recording->last_row};
    pass(&where, &own, sizeof own);
    recording->violation = own.violation;
    recording->pace = own.pace;
    recording->last_row = own.last_row;
    pass(&where, recording->fastest, recording->constraints * (int64_t)sizeof(double));
    pass(&where, recording->pressed, recording->constraints);
    pass(&where, recording->slips, recording->constraints);
    if (recording->output.impacts)
        pass(&where, recording->previous.block, recording->previous.words * (int64_t)sizeof(double));
}


rico_status rico_recording_create(rico_context *ctx, const char *path, rico_scene *scene,
                                  rico_simulation *sim, const rico_recording_options *options,
                                  rico_recording **out)
{
    rico_recording_plan made;
    rico_recording *recording = NULL;
    rico_status status = rico_recording_plan_make(ctx, scene, rico_scene_system(scene), options, &made);
    if (status != RICO_OK) return status;
    status = allocate(ctx, scene, sim, &recording);
    if (status == RICO_OK)
        status = path ? rico_archive_create(ctx, path, &made.archive, &recording->archive)
                      : rico_archive_create_memory(ctx, &made.archive, &recording->archive);
    if (status == RICO_OK && options->discard) rico_memory_discard(recording->archive);
    if (status == RICO_OK) status = begin(recording);
    rico_recording_plan_release(&made, ctx);
    if (status != RICO_OK) {
        rico_recording_destroy(recording);
        return status;
    }
    *out = recording;
    return RICO_OK;
}


// A checkpoint into the simulation and the recording.
static rico_status load(rico_recording *recording, const char *path, const rico_checkpoint *checkpoint)
{
    if (checkpoint->size != recording->state_size)
        return rico_fail(recording->ctx, RICO_BAD_INPUT,
                         "%s: its checkpoint is of another scene: %lld bytes, expected %lld", path,
                         (long long)checkpoint->size, (long long)recording->state_size);
    rico_status status = rico_simulation_load(recording->sim, checkpoint->state, recording->sim_size);
    if (status != RICO_OK) return status;
    pass_own(recording, (char *)checkpoint->state + recording->sim_size, false);
    remember_state(recording);
    return RICO_OK;
}


rico_status rico_recording_resume(rico_context *ctx, const char *path, rico_scene *scene,
                                  rico_simulation *sim, const rico_recording_options *options,
                                  rico_recording **out)
{
    rico_recording_plan made;
    rico_recording *recording = NULL;
    rico_checkpoint checkpoint = {0};
    *out = NULL;
    rico_status status = rico_recording_plan_make(ctx, scene, rico_scene_system(scene), options, &made);
    if (status != RICO_OK) return status;
    status = allocate(ctx, scene, sim, &recording);
    if (status == RICO_OK)
        status = options->extend
                     ? rico_archive_extend(ctx, path, &made.archive, &recording->archive, &checkpoint)
                     : rico_archive_resume(ctx, path, &made.archive, &recording->archive, &checkpoint);
    rico_recording_plan_release(&made, ctx);
    bool found = status == RICO_OK && recording->archive;
    if (found) status = load(recording, path, &checkpoint);
    rico_checkpoint_release(ctx, &checkpoint);
    if (!found || status != RICO_OK) {
        rico_recording_destroy(recording);
        return status;
    }
    *out = recording;
    return RICO_OK;
}


static void gather(rico_recording *recording)
{
    rico_simulation_save(recording->sim, recording->state);
    pass_own(recording, recording->state + recording->sim_size, true);
}


rico_status rico_recording_checkpoint(rico_recording *recording)
{
    gather(recording);
    return rico_archive_checkpoint(recording->archive, recording->state, recording->state_size);
}


rico_status rico_recording_keep(rico_recording *recording)
{
    gather(recording);
    return rico_archive_keep(recording->archive, recording->state, recording->state_size);
}


rico_status rico_recording_set_end(rico_recording *recording, double end)
{
    return rico_archive_set_end(recording->archive, end);
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


rico_status rico_recording_results(rico_recording *recording, rico_results **out)
{
    return rico_archive_results(recording->archive, out);
}


rico_status rico_recording_close(rico_recording *recording, bool finished)
{
    return rico_archive_close(recording->archive, finished);
}


void rico_recording_destroy(rico_recording *recording)
{
    if (!recording) return;
    rico_archive_destroy(recording->archive);
    void *const all[] = {recording->now.block, recording->previous.block, recording->pressed,
                         recording->slips,     recording->fastest,        recording->q_before,
                         recording->v_before,  recording->output.time,    recording->state};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(recording->ctx, all[i]);
    rico_free(recording->ctx, recording);
}
