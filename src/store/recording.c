// What a run of a scene leaves in its archive: rows, events, checkpoints.

#include "step/helper.h"
#include "store/memory.h"
#include "store/recording_private.h"

#include <string.h>

// What a checkpoint keeps of the recording itself: in front, and behind it the bytes of the simulation, what is remembered of
// each constraint and, where rows around impacts are asked for, the row before.
typedef struct kept {
    double violation;
    rico_pace pace;
    int64_t last_row;
    int64_t sim_size, memory_count, emitted_count; // bytes; constraints; contacts of the row before
} kept;


static void copy(double *to, const double *from, int64_t count)
{
    memcpy(to, from, (size_t)count * sizeof *to);
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
    for (int64_t i = 0; i < rico_simulation_rows(recording->sim); i++) smooth = smooth && p[i] == 0.0;
    for (int64_t i = 0; i < recording->nv; i++) v[i] = v0[i] + part * (v1[i] - v0[i]);
    for (int64_t i = 0; i < recording->nq; i++) {
        double line = q0[i] + part * (q1[i] - q0[i]);
        double bend =
            smooth ? part * (1.0 - part) *
                         ((1.0 - part) * (h * v0[i] - (q1[i] - q0[i])) - part * (h * v1[i] - (q1[i] - q0[i])))
                   : 0.0;
        q[i] = line + bend;
    }
    if (recording->bodies)
        rico_bodies_interpolate(recording->bodies, q0 + recording->place.q, q1 + recording->place.q, part,
                                q + recording->place.q);
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


// --- steps -----------------------------------------------------------------------------------------------------

static void remember_state(rico_recording *recording)
{
    recording->t_before = rico_simulation_time(recording->sim);
    copy(recording->q_before, rico_simulation_position(recording->sim), recording->nq);
    copy(recording->v_before, rico_simulation_velocity(recording->sim), recording->nv);
}


// The row of now becomes the one before; its place is free for the next.
static void turn_over(rico_recording *recording)
{
    const rico_recording_row swap = recording->previous;
    recording->previous = recording->now;
    recording->now = swap;
}


// A helper that takes the steps and has left the simulation behind, NULL where the simulation stands at the last one.
static const rico_helper *helper_ahead(const rico_recording *recording)
{
    const rico_helper *helper = rico_context_lent(recording->ctx);
    return helper && helper->is_ahead && helper->is_ahead(helper->user, recording->sim) ? helper : NULL;
}


static rico_status catch_up(rico_recording *recording)
{
    const rico_helper *helper = helper_ahead(recording);
    return helper ? helper->catch_up(helper->user) : RICO_OK;
}


// Where rows around impacts are asked for, every row is captured: which one comes before an impact shows later.
rico_status rico_recording_step(rico_recording *recording, bool last)
{
    bool impact = false, around = recording->output.impacts;
    const rico_helper *helper = helper_ahead(recording);
    rico_status status = helper ? helper->tell(helper->user, &recording->watch)
                                : rico_contact_watch_step(&recording->watch, &impact);
    if (status == RICO_OK && !helper) status = append_samples(recording);
    int64_t step = rico_simulation_steps(recording->sim);
    bool due = last || step % recording->every == 0 || (around && impact);
    if (status == RICO_OK && due) status = catch_up(recording);
    if (status == RICO_OK && (due || around)) status = rico_recording_row_capture(recording, &recording->now);
    if (status == RICO_OK && around && impact && recording->last_row < recording->previous.counters[0])
        status = rico_recording_row_append(recording, &recording->previous);
    if (status == RICO_OK && due) status = rico_recording_row_append(recording, &recording->now);
    if (around) turn_over(recording);
    if (helper)
        recording->t_before = rico_simulation_time(recording->sim);
    else
        remember_state(recording);
    return status;
}


rico_contact_watch *rico_recording_watch(rico_recording *recording, bool *every_step)
{
    *every_step =
        recording->output.impacts || recording->output.interval > 0.0 || recording->output.count > 0;
    return &recording->watch;
}


bool rico_recording_wrote(const rico_recording *recording)
{
    return recording->last_row == rico_simulation_steps(recording->sim);
}


// --- life ----------------------------------------------------------------------------------------------------

// Rows of events, and of slipping and sticking.
static rico_status write_happening(void *user, const rico_contact_happening *what)
{
    rico_recording *recording = user;
    const void *event[EVENT_COLUMNS] = {&what->t,     &what->step,    &what->place,  &what->flag,
                                        &what->speed, &what->impulse, &what->source, &what->key};
    const void *slip[SLIDING_COLUMNS] = {&what->t,     &what->step,   &what->place, &what->flag,
                                         &what->speed, &what->source, &what->key};
    bool slides = what->kind == RICO_CONTACT_RUBBED;
    return rico_archive_append(recording->archive, slides ? SLIDING : EVENTS, slides ? slip : event);
}


static rico_status allocate(rico_context *ctx, rico_scene *scene, rico_simulation *sim,
                            rico_sensitivity *sensitivity, rico_recording **out)
{
    rico_recording *recording = rico_alloc(ctx, 1, sizeof *recording);
    if (!recording) return RICO_NO_MEMORY;
    const rico_system *system = rico_scene_system(scene);
    recording->ctx = ctx;
    recording->scene = scene;
    recording->sim = sim;
    recording->sensitivity = sensitivity;
    recording->every = rico_scene_times(scene).every;
    recording->start = rico_scene_times(scene).start;
    recording->rows = rico_system_rows(system);
    recording->constraints = rico_system_constraints(system);
    recording->sources = rico_system_sources(system);
    recording->bodies = rico_scene_body_set(scene, &recording->place, &recording->source);
    recording->moved = recording->bodies ? rico_bodies_moved_count(recording->bodies) : 0;
    recording->sensors = recording->bodies ? rico_bodies_sensor_count(recording->bodies) : 0;
    recording->joints = rico_system_joint_elements(system);
    recording->rates = recording->bodies && rico_simulation_velocity_rate(sim);
    recording->probes = rico_scene_elastic_count(scene) > 0 ? 1 + rico_scene_probes(scene) : 0;
    recording->nq = rico_system_positions(system);
    recording->nv = rico_system_velocities(system);
    recording->q_before = rico_alloc(ctx, recording->nq, sizeof(double));
    recording->v_before = rico_alloc(ctx, recording->nv, sizeof(double));
    rico_status status = recording->q_before && recording->v_before
                             ? rico_scene_read_output(scene, &recording->output)
                             : RICO_NO_MEMORY;
    recording->watch =
        (rico_contact_watch){.ctx = ctx,
                             .sim = sim,
                             .constraints = recording->constraints,
                             .emits = recording->sources > 0,
                             .finds_events = rico_scheme_find(rico_scene_scheme(scene))->own_error,
                             .write = write_happening,
                             .user = recording};
    if (status == RICO_OK) status = rico_contact_watch_begin(&recording->watch);
    if (status == RICO_OK) status = rico_recording_row_create(recording, &recording->now);
    if (status == RICO_OK) status = rico_recording_row_create(recording, &recording->previous);
    if (status != RICO_OK) {
        rico_recording_destroy(recording);
        return status;
    }
    *out = recording;
    return RICO_OK;
}


// The first row, and the first sample where one is due at the start.
static rico_status begin(rico_recording *recording)
{
    remember_state(recording);
    rico_status status = rico_contact_watch_follow(&recording->watch);
    if (status == RICO_OK && recording->bodies)
        status = rico_bodies_append(recording->ctx, recording->bodies, &recording->place, recording->archive,
                                    TABLES);
    if (status == RICO_OK && recording->probes > 0)
        status = rico_meshes_append(recording->scene, rico_scene_system(recording->scene), recording->archive,
                                    recording->mesh_table);
    if (status == RICO_OK) status = append_samples(recording);
    if (status == RICO_OK) status = rico_contact_watch_resting(&recording->watch);
    if (status == RICO_OK) status = rico_recording_row_capture(recording, &recording->now);
    if (status == RICO_OK) status = rico_recording_row_append(recording, &recording->now);
    turn_over(recording);
    return status;
}


// --- checkpoints -------------------------------------------------------------------------------------------------

// Moves bytes between the recording and a checkpoint, to it or from it.
typedef struct cursor {
    char *at;
    bool out;
} cursor;

static void pass(cursor *where, void *data, int64_t size)
{
    if (size > 0 && where->out) memcpy(where->at, data, (size_t)size);
    if (size > 0 && !where->out) memcpy(data, where->at, (size_t)size);
    where->at += size;
}


// What stands behind the bytes of the simulation; what is read has room already.
static void pass_own(rico_recording *recording, char *bytes, bool out)
{
    cursor where = {bytes, out};
    rico_emitted_rows *emitted = &recording->previous.emitted;
    pass(&where, recording->watch.memory,
         recording->watch.memory_count * (int64_t)sizeof *recording->watch.memory);
    if (!recording->output.impacts) return;
    pass(&where, recording->previous.block, recording->previous.words * (int64_t)sizeof(double));
    for (int c = 0; c < EMITTED_COLUMNS; c++)
        pass(&where, emitted->column[c],
             emitted->count * rico_emitted_width(c) * (int64_t)sizeof *emitted->column[c]);
}


// Bytes of a checkpoint with these counts.
static int64_t total_size(const rico_recording *recording, const kept *own)
{
    int64_t words = 0;
    for (int c = 0; c < EMITTED_COLUMNS; c++) words += own->emitted_count * rico_emitted_width(c);
    words = recording->output.impacts ? words + recording->previous.words : 0;
    return (int64_t)sizeof *own + own->sim_size +
           own->memory_count * (int64_t)sizeof *recording->watch.memory + words * (int64_t)sizeof(double);
}


// The checkpoint of now, in recording->state.
static rico_status gather(rico_recording *recording, int64_t *size)
{
    const kept own = {
        recording->violation,          recording->pace,
        recording->last_row,           rico_simulation_state_size(recording->sim),
        recording->watch.memory_count, recording->output.impacts ? recording->previous.emitted.count : 0};
    *size = total_size(recording, &own);
    if (*size > recording->state_room) {
        rico_free(recording->ctx, recording->state);
        recording->state_room = 0;
        recording->state = rico_alloc(recording->ctx, *size + *size / 2, 1);
        if (!recording->state) return RICO_NO_MEMORY;
        recording->state_room = *size + *size / 2;
    }
    memcpy(recording->state, &own, sizeof own);
    rico_simulation_save(recording->sim, recording->state + sizeof own);
    pass_own(recording, recording->state + sizeof own + own.sim_size, true);
    return RICO_OK;
}


static rico_status wrong_checkpoint(const rico_recording *recording, const char *path)
{
    return rico_fail(recording->ctx, RICO_BAD_INPUT, "%s: its checkpoint is of another scene", path);
}


// A checkpoint into the simulation and the recording.
static rico_status load(rico_recording *recording, const char *path, const rico_checkpoint *checkpoint)
{
    kept own;
    int64_t size = checkpoint->size;
    if (size < (int64_t)sizeof own) return wrong_checkpoint(recording, path);
    memcpy(&own, checkpoint->state, sizeof own);
    if (own.sim_size < 0 || own.sim_size > size || own.memory_count < 0 || own.memory_count > size ||
        own.emitted_count < 0 || own.emitted_count > size || total_size(recording, &own) != size)
        return wrong_checkpoint(recording, path);
    char *bytes = (char *)checkpoint->state + sizeof own;
    rico_status status = rico_simulation_load(recording->sim, bytes, own.sim_size);
    if (status != RICO_OK) return status;
    if (own.memory_count != rico_simulation_constraints(recording->sim))
        return wrong_checkpoint(recording, path);
    status = rico_contact_watch_reserve(&recording->watch, own.memory_count);
    if (status == RICO_OK)
        status = rico_emitted_reserve(recording->ctx, &recording->previous.emitted, own.emitted_count);
    if (status != RICO_OK) return status;
    recording->violation = own.violation;
    recording->pace = own.pace;
    recording->last_row = own.last_row;
    recording->watch.memory_count = own.memory_count;
    recording->previous.emitted.count = own.emitted_count;
    pass_own(recording, bytes + own.sim_size, false);
    remember_state(recording);
    return RICO_OK;
}


rico_status rico_recording_checkpoint(rico_recording *recording)
{
    int64_t size;
    rico_status status = catch_up(recording);
    if (status == RICO_OK) status = gather(recording, &size);
    return status == RICO_OK ? rico_archive_checkpoint(recording->archive, recording->state, size) : status;
}


rico_status rico_recording_keep(rico_recording *recording)
{
    int64_t size;
    rico_status status = catch_up(recording);
    if (status == RICO_OK) status = gather(recording, &size);
    return status == RICO_OK ? rico_archive_keep(recording->archive, recording->state, size) : status;
}


// --- opening and closing -------------------------------------------------------------------------------------------

static void take_places(rico_recording *recording, const rico_recording_plan *plan)
{
    recording->joint_table = plan->joint_table;
    recording->mesh_table = plan->mesh_table;
    recording->derivative_table = plan->derivative_table;
    recording->moving_table = plan->joint_table - (recording->moved > 0) - (recording->sensors > 0);
}


rico_status rico_recording_create(rico_context *ctx, const char *path, rico_scene *scene,
                                  rico_simulation *sim, const rico_recording_options *options,
                                  rico_recording **out)
{
    rico_recording_plan made;
    rico_recording *recording = NULL;
    rico_status status = rico_recording_plan_make(ctx, scene, rico_scene_system(scene), options, &made);
    if (status != RICO_OK) return status;
    status = allocate(ctx, scene, sim, options->sensitivity, &recording);
    if (status == RICO_OK) take_places(recording, &made);
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
    status = allocate(ctx, scene, sim, options->sensitivity, &recording);
    if (status == RICO_OK) take_places(recording, &made);
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
    rico_recording_row_release(recording->ctx, &recording->now);
    rico_recording_row_release(recording->ctx, &recording->previous);
    rico_contact_watch_release(&recording->watch);
    void *const all[] = {recording->q_before, recording->v_before, recording->output.time, recording->state};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(recording->ctx, all[i]);
    rico_free(recording->ctx, recording);
}
