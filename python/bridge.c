// Loops without the interpreter, memory that views may point into, Ctrl-C.

#include "bridge.h"

#include "draw/body_picture.h"
#include "draw/page.h"
#include "store/recording.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// --- memory that outlives what it was allocated for while a view points into it ------------------------------------

// In front of every block; its size keeps what follows aligned as malloc does.
typedef struct block {
    size_t size;
    struct block *next; // among the graves
} block;
_Static_assert(sizeof(block) % 16 == 0, "blocks must stay aligned");

typedef struct pin {
    const char *at;
    int64_t views;
} pin;

struct rico_py {
    rico_context *ctx;
    rico_scene *scene;
    rico_simulation *sim;
    atomic_bool busy;
    atomic_int_fast64_t users; // Python's own, parts and views
    void *force_callback, *step_callback, *log_callback;
    int64_t positions, velocities;
    double *held;

    // what views point at; the lock because a view may be let go by any thread while a step runs
    pthread_mutex_t lock;
    int64_t pin_count, pin_room, grave_count;
    pin *pins;
    block *graves;

    // t, q, v of a run
    double *trace;
    int64_t trace_rows, trace_room, every, countdown;
    bool trace_full;
};


static bool pinned(const rico_py *self, const block *of)
{
    const char *from = (const char *)(of + 1);
    for (int64_t i = 0; i < self->pin_count; i++)
        if (self->pins[i].at >= from && self->pins[i].at < from + of->size) return true;
    return false;
}


static void *allocate(void *user, size_t size)
{
    (void)user;
    if (size > SIZE_MAX - sizeof(block)) return NULL;
    block *made = malloc(sizeof *made + size);
    if (!made) return NULL;
    made->size = size;
    return made + 1;
}


static void release(void *user, void *memory)
{
    rico_py *self = user;
    if (!memory) return;
    block *of = (block *)memory - 1;
    pthread_mutex_lock(&self->lock);
    bool keep = pinned(self, of);
    if (keep) {
        of->next = self->graves;
        self->graves = of;
        self->grave_count++;
    }
    pthread_mutex_unlock(&self->lock);
    if (!keep) free(of);
}


bool rico_py_hold(rico_py *self, const void *at)
{
    pthread_mutex_lock(&self->lock);
    int64_t i = 0;
    while (i < self->pin_count && self->pins[i].at != at) i++;
    bool there = i < self->pin_count, room = there || self->pin_count < self->pin_room;
    if (!room) {
        int64_t more = self->pin_room ? 2 * self->pin_room : 16;
        pin *grown = realloc(self->pins, (size_t)more * sizeof *grown);
        if (grown) {
            self->pins = grown;
            self->pin_room = more;
            room = true;
        }
    }
    if (room && !there) self->pins[self->pin_count++] = (pin){at, 0};
    if (room) self->pins[i].views++;
    pthread_mutex_unlock(&self->lock);
    if (room) atomic_fetch_add(&self->users, 1);
    return room;
}


// Frees the graves that no view points into any more.
static void sweep(rico_py *self)
{
    block **link = &self->graves;
    while (*link) {
        block *one = *link;
        if (pinned(self, one)) {
            link = &one->next;
            continue;
        }
        *link = one->next;
        self->grave_count--;
        free(one);
    }
}


void rico_py_let_go(rico_py *self, const void *at)
{
    pthread_mutex_lock(&self->lock);
    int64_t i = 0;
    while (i < self->pin_count && self->pins[i].at != at) i++;
    if (i < self->pin_count && --self->pins[i].views == 0) {
        self->pins[i] = self->pins[--self->pin_count];
        sweep(self);
    }
    pthread_mutex_unlock(&self->lock);
    rico_py_destroy(self);
}


int64_t rico_py_graves(rico_py *self)
{
    pthread_mutex_lock(&self->lock);
    int64_t count = self->grave_count;
    pthread_mutex_unlock(&self->lock);
    return count;
}


// --- life -----------------------------------------------------------------------------------------------------------

static atomic_int_fast64_t living; // for tests


int64_t rico_py_living(void)
{
    return atomic_load(&living);
}


rico_py *rico_py_create(void)
{
    rico_py *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    atomic_fetch_add(&living, 1);
    pthread_mutex_init(&self->lock, NULL);
    atomic_init(&self->busy, false);
    atomic_init(&self->users, 1);
    const rico_allocator memory = {allocate, release, self};
    self->ctx = rico_context_create(&memory);
    if (self->ctx) return self;
    rico_py_destroy(self);
    return NULL;
}


void rico_py_destroy(rico_py *self)
{
    if (!self || atomic_fetch_sub(&self->users, 1) > 1) return;
    rico_simulation_destroy(self->sim);
    rico_scene_destroy(self->scene);
    rico_context_destroy(self->ctx);
    self->pin_count = 0;
    sweep(self);
    free(self->pins);
    free(self->trace);
    free(self->held);
    pthread_mutex_destroy(&self->lock);
    free(self);
    atomic_fetch_sub(&living, 1);
}


struct rico_py_part {
    rico_py *owner;
    rico_py_part *on;
    rico_py_kind kind;
    void *object;
    atomic_int_fast64_t users; // Python's own, and those that stand on it
};


static void destroy_object(rico_py_kind kind, void *object)
{
    switch (kind) {
    case RICO_PY_PROBLEM:
        rico_problem_destroy(object);
        return;
    case RICO_PY_SOLVER:
        rico_solver_destroy(object);
        return;
    case RICO_PY_RESULTS:
        rico_results_destroy(object);
        return;
    case RICO_PY_FAMILY:
        rico_scene_family_destroy(object);
        return;
    case RICO_PY_ORBITS:
        rico_orbits_destroy(object);
        return;
    case RICO_PY_ORBIT:
        rico_orbit_destroy(object);
        return;
    case RICO_PY_DERIVATIVES:
        rico_derivatives_destroy(object);
        return;
    }
}


rico_py_part *rico_py_own(rico_py *self, rico_py_part *on, rico_py_kind kind, void *object)
{
    rico_py_part *made = malloc(sizeof *made);
    if (!made) {
        destroy_object(kind, object);
        return NULL;
    }
    made->owner = self;
    made->on = on;
    made->kind = kind;
    made->object = object;
    atomic_init(&made->users, 1);
    atomic_fetch_add(&self->users, 1);
    if (on) atomic_fetch_add(&on->users, 1);
    return made;
}


void rico_py_disown(rico_py_part *part)
{
    while (part && atomic_fetch_sub(&part->users, 1) == 1) {
        rico_py_part *on = part->on;
        destroy_object(part->kind, part->object);
        rico_py_destroy(part->owner);
        free(part);
        part = on;
    }
}


rico_context *rico_py_context(rico_py *self)
{
    return self->ctx;
}


rico_scene *rico_py_scene(rico_py *self)
{
    return self->scene;
}


rico_simulation *rico_py_simulation(rico_py *self)
{
    return self->sim;
}


double *rico_py_held(rico_py *self)
{
    return self->held;
}


static void log_on(void *user, rico_log_level level, const char *text)
{
    rico_py *self = user;
    if (self->log_callback) rico_py_call_log(self->log_callback, (int)level, text);
}


void rico_py_log_to(rico_py *self, void *callback)
{
    self->log_callback = callback;
    rico_context_set_log(self->ctx, callback ? log_on : NULL, self, RICO_LOG_WARNING);
}


// Whoever begins must end, unless it is told false: another thread, or a callback of this one, is inside.
static bool begin(rico_py *self, void **outer)
{
    if (atomic_exchange(&self->busy, true)) return false;
    *outer = rico_py_enter(self->ctx);
    return true;
}


static int end(rico_py *self, void *outer, rico_status status)
{
    rico_py_leave(self->ctx, outer);
    if (status == RICO_INTERRUPTED) rico_context_clear_interrupt(self->ctx);
    atomic_store(&self->busy, false);
    return (int)status;
}


// --- scenes and forces ----------------------------------------------------------------------------------------------

static bool force(void *user, double t, const double *q, const double *v, double *f)
{
    rico_py *self = user;
    memcpy(f, self->held, (size_t)self->velocities * sizeof *f);
    if (!self->force_callback) return true;
    return rico_py_call_force(self->force_callback, t, q, v, f, self->positions, self->velocities);
}


// Every velocity that the parts of the scene have.
static rico_status add_force(void *user, rico_system *system)
{
    rico_py *self = user;
    self->positions = rico_system_positions(system);
    self->velocities = rico_system_velocities(system);
    free(self->held);
    self->held = calloc((size_t)self->velocities + 1, sizeof *self->held);
    int64_t *dof = malloc(((size_t)self->velocities + 1) * sizeof *dof);
    rico_status status = self->held && dof ? RICO_OK : RICO_NO_MEMORY;
    for (int64_t i = 0; status == RICO_OK && i < self->velocities; i++) dof[i] = i;
    const rico_force given = {.reach = {self->velocities, dof}, .force = force, .user = self};
    if (status == RICO_OK) status = rico_system_add_force(system, "python", &given);
    free(dof);
    return status;
}


int rico_py_open(rico_py *self, const rico_scene_options *options, bool forces, void *callback)
{
    void *outer;
    if (!begin(self, &outer)) return RICO_PY_BUSY;
    rico_scene_options with = *options;
    self->force_callback = callback;
    if (forces) {
        with.extend = add_force;
        with.user = self;
    }
    rico_status status = rico_scene_create(self->ctx, &with, &self->scene);
    if (status == RICO_OK) status = rico_scene_simulate(self->scene, &self->sim);
    return end(self, outer, status);
}


// --- time -----------------------------------------------------------------------------------------------------------

int rico_py_start(rico_py *self, double t, const double *q, const double *v)
{
    void *outer;
    if (!begin(self, &outer)) return RICO_PY_BUSY;
    return end(self, outer, rico_simulation_start(self->sim, t, q, v));
}


int rico_py_step(rico_py *self, double h, int64_t n)
{
    void *outer;
    if (n < 0) return RICO_PY_NEGATIVE;
    if (!begin(self, &outer)) return RICO_PY_BUSY;
    rico_status status = RICO_OK;
    for (int64_t i = 0; i < n && status == RICO_OK; i++) status = rico_simulation_step(self->sim, h);
    return end(self, outer, status);
}


// One more row; false without memory.
static bool keep_row(rico_py *self)
{
    const rico_system *system = rico_scene_system(self->scene);
    int64_t nq = rico_system_positions(system), nv = rico_system_velocities(system), width = 1 + nq + nv;
    if (self->trace_rows == self->trace_room) {
        int64_t more = self->trace_room ? 2 * self->trace_room : 256;
        double *grown = realloc(self->trace, (size_t)(more * width) * sizeof *grown);
        if (!grown) return false;
        self->trace = grown;
        self->trace_room = more;
    }
    double *row = self->trace + self->trace_rows++ * width;
    row[0] = rico_simulation_time(self->sim);
    memcpy(row + 1, rico_simulation_position(self->sim), (size_t)nq * sizeof *row);
    memcpy(row + 1 + nq, rico_simulation_velocity(self->sim), (size_t)nv * sizeof *row);
    return true;
}


static bool after_step(void *user, rico_simulation *sim)
{
    (void)sim;
    rico_py *self = user;
    if (self->every > 0 && --self->countdown == 0) {
        self->countdown = self->every;
        if (!keep_row(self)) {
            self->trace_full = true;
            return false;
        }
    }
    return !self->step_callback || rico_py_call_step(self->step_callback);
}


int rico_py_run(rico_py *self, double until, const rico_run_options *options, int64_t every, void *callback,
                rico_run_report *report)
{
    void *outer;
    if (!begin(self, &outer)) return RICO_PY_BUSY;
    self->trace_rows = 0; // of a run that nobody asked about
    self->every = self->countdown = every;
    self->step_callback = callback;
    self->trace_full = every > 0 && !keep_row(self);
    rico_status status = RICO_NO_MEMORY;
    if (!self->trace_full)
        status = rico_simulation_run(self->sim, until, options, every > 0 || callback ? after_step : NULL,
                                     self, report);
    if (self->trace_full) status = RICO_NO_MEMORY;
    self->step_callback = NULL;
    return end(self, outer, status);
}


const double *rico_py_trace(const rico_py *self, int64_t *rows)
{
    *rows = self->trace_rows;
    return self->trace;
}


void rico_py_trace_clear(rico_py *self)
{
    free(self->trace);
    self->trace = NULL;
    self->trace_rows = self->trace_room = 0;
}


int rico_py_load(rico_py *self, const void *bytes, int64_t size)
{
    void *outer;
    if (!begin(self, &outer)) return RICO_PY_BUSY;
    return end(self, outer, rico_simulation_load(self->sim, bytes, size));
}


// --- contacts -------------------------------------------------------------------------------------------------------

int rico_py_gap(rico_py *self, const double **gap)
{
    void *outer;
    if (!begin(self, &outer)) return RICO_PY_BUSY;
    return end(self, outer, rico_simulation_gap(self->sim, gap));
}


int rico_py_contacts(rico_py *self, int64_t room, rico_py_contact *out)
{
    void *outer;
    if (!begin(self, &outer)) return RICO_PY_BUSY;
    const double *gap, *impulse = rico_simulation_impulse(self->sim),
                       *after = rico_simulation_velocity_after(self->sim);
    const char *active = rico_simulation_active(self->sim);
    int64_t source = -1, count = rico_simulation_constraints(self->sim);
    const rico_bodies *bodies = rico_scene_body_set(self->scene, NULL, &source);
    rico_status status = rico_simulation_gap(self->sim, &gap);
    for (int64_t c = 0; status == RICO_OK && c < count && c < room; c++) {
        const rico_constraint_info info = rico_simulation_constraint(self->sim, c);
        rico_py_contact *row = &out[c];
        *row = (rico_py_contact){.key = info.key,
                                 .source = info.source,
                                 .index = c,
                                 .row = info.row,
                                 .rows = info.rows,
                                 .a = -1,
                                 .b = -1,
                                 .gap = gap[info.row],
                                 .friction = info.friction,
                                 .restitution = info.restitution,
                                 .joint = info.joint,
                                 .active = active[c],
                                 .status = rico_simulation_contact_state(self->sim, c)};
        if (bodies && info.source >= 0 && info.source == source) {
            uint32_t feature[2];
            rico_bodies_contact(bodies, info.key, &row->a, &row->b, &feature[0], &feature[1]);
        }
        for (int64_t i = 0; i < info.rows && i < 3; i++) {
            row->impulse[i] = impulse[info.row + i];
            row->velocity[i] = after[info.row + i];
        }
    }
    return end(self, outer, status);
}


// --- pictures -------------------------------------------------------------------------------------------------------

static rico_status draw(rico_context *ctx, rico_results *results, const char *view, double t,
                        const char *path)
{
    rico_picture_options options = {.t = t};
    for (int i = 0; rico_view_names[i]; i++)
        if (strcmp(rico_view_names[i], view) == 0) options.from = (rico_view_from)i;
    return rico_body_picture(ctx, results, &options, path);
}


int rico_py_picture(rico_context *ctx, rico_results *results, const char *view, double t, const char *path)
{
    return (int)draw(ctx, results, view, t, path);
}


// A recording of one row, the state of now.
int rico_py_picture_now(rico_py *self, const char *view, const char *path)
{
    void *outer;
    if (!begin(self, &outer)) return RICO_PY_BUSY;
    const rico_recording_options notes = {
        .scene_text = "", .scene_path = "", .overrides = "", .files = "", .from = ""};
    rico_recording *recording = NULL;
    rico_results *results = NULL;
    rico_status status = rico_recording_create(self->ctx, NULL, self->scene, self->sim, &notes, &recording);
    if (status == RICO_OK) status = rico_recording_results(recording, &results);
    if (status == RICO_OK) status = draw(self->ctx, results, view, NAN, path);
    rico_results_destroy(results);
    rico_recording_destroy(recording);
    return end(self, outer, status);
}


int rico_py_page(rico_context *ctx, rico_results *results, const char *title, int64_t frames,
                 const char *path)
{
    rico_film_options options = rico_film_defaults();
    options.name = title;
    options.most_frames = frames;
    rico_film film = {0};
    int64_t size = 0;
    rico_status status = rico_film_make(ctx, results, &options, &film);
    if (status == RICO_OK) status = rico_page_write(ctx, title, &(const rico_film *){&film}, 1, path, &size);
    rico_film_release(ctx, &film);
    return (int)status;
}
