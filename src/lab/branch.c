// Following branches of orbits into a file.

#include "lab/branch.h"

#include "base/digest.h"
#include "ricochet/store.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EACH = 60, COLUMNS = 13 };

// A place to begin, or to go on: a state and what to do there, as numbers, so that a checkpoint can hold it.
enum { HEADING, MULTIPLE, DEPTH, FLIP, VALUE, TIME, PERIOD, STATE };

typedef struct walk {
    rico_branches *out;
    const rico_branch_order *order;
    rico_archive *archive;
    int64_t width; // numbers of a place
    int64_t count, room, now;
    double *place;    // count * width: what is to be done, in its order
    double *position; // where the present one has come to; its HEADING is 0 before there is any
    double *shift;    // of twice the period
    rico_orbits *orbits;
    double last; // value of the point before
    rico_status failure;
    // a row of the file
    int64_t branch, kind, events, marks;
    double value, period, time, growth, mark[RICO_BRANCH_MARKS];
    const double *q, *v, *real, *imag;
} walk;


// ---- the file -----------------------------------------------------------------------------------------------------

// A number of all that the branches depend on: one that goes on must ask for the same.
static rico_status fingerprint(const walk *self, char text[20])
{
    const rico_orbit_order *where = &self->order->where;
    uint64_t sum = RICO_DIGEST_START;
    int64_t size;
    rico_status status = rico_digest_file(self->out->ctx, where->scene, &sum, &size);
    const char *words[] = {where->parameter, where->period, self->order->measure};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        sum = rico_digest_bytes(sum, words[i] ? words[i] : "", words[i] ? strlen(words[i]) + 1 : 1);
    for (int64_t i = 0; i < where->set_count; i++)
        sum = rico_digest_bytes(sum, where->set[i], strlen(where->set[i]) + 1);
    for (int64_t i = 0; i < where->free_count; i++)
        sum = rico_digest_bytes(sum, where->free[i], strlen(where->free[i]) + 1);
    for (int64_t i = 0; i < where->shift_count; i++)
        sum = rico_digest_bytes(sum, where->shift[i], strlen(where->shift[i]) + 1);
    double numbers[] = {self->order->low, self->order->high, (double)where->conservative,
                        (double)where->over_period};
    sum = rico_digest_bytes(sum, numbers, sizeof numbers);
    snprintf(text, 20, "%016" PRIx64, sum);
    return status;
}


// Refuses to go on with a file that other settings, or another scene, have made.
static rico_status check_same(const walk *self, const char *print)
{
    rico_results *results = NULL;
    bool same = false;
    rico_status status = rico_results_open(self->out->ctx, self->order->output, &results);
    for (int64_t i = 0; status == RICO_OK && i < rico_results_note_count(results); i++) {
        const rico_note *note = rico_results_note(results, i);
        same |= strcmp(note->name, "fingerprint") == 0 && note->text && strcmp(note->text, print) == 0;
    }
    rico_results_destroy(results);
    if (status == RICO_OK && !same)
        return rico_fail(
            self->out->ctx, RICO_BAD_INPUT,
            "%s was made with another scene, parameter, range or settings: it cannot be gone on with",
            self->order->output);
    return status;
}


static rico_status open_file(walk *self, rico_checkpoint *checkpoint)
{
    const rico_orbit_search *search = &self->out->search;
    int64_t nq = search->nq, nv = search->nv;
    char print[20];
    rico_status status = fingerprint(self, print);
    if (status == RICO_OK && self->order->resume) status = check_same(self, print);
    if (status != RICO_OK) return status;
    const rico_column columns[COLUMNS] = {
        {.name = "branch", .number = RICO_NUMBER_INTEGER, .help = "its number"},
        {.name = "kind",
         .number = RICO_NUMBER_INTEGER,
         .help = "0 orbit, 1 fold, 2 period doubling, 3 torus, 4 crossing, 5 grazing, 6 end"},
        {.name = "events", .number = RICO_NUMBER_INTEGER, .help = "in one period"},
        {.name = "marks", .number = RICO_NUMBER_INTEGER, .help = "how many of mark count"},
        {.name = "value", .help = "of the parameter"},
        {.name = "period"},
        {.name = "time", .help = "phase of the driving at which the state is taken"},
        {.name = "growth", .help = "largest modulus of a multiplier that is not 1 for all such orbits"},
        {.name = "mark",
         .width = RICO_BRANCH_MARKS,
         .help = "the measure, once in each period of the driving, or its maxima"},
        {.name = "q", .width = nq},
        {.name = "v", .width = nv},
        {.name = "multiplier_real", .width = 2 * nv},
        {.name = "multiplier_imag", .width = 2 * nv},
    };
    const rico_table table = {.name = "branch",
                              .help = "points of branches of periodic orbits",
                              .column_count = COLUMNS,
                              .columns = columns};
    const rico_note notes[] = {
        {.name = "kind", .text = "branches of periodic orbits"},
        {.name = "scene", .text = self->order->where.scene},
        {.name = "parameter", .text = self->order->where.parameter ? self->order->where.parameter : "period"},
        {.name = "title", .text = rico_scene_title(rico_scene_family_scene(search->family))},
        {.name = "fingerprint", .text = print}};
    rico_archive_plan plan = rico_archive_plan_default();
    plan.table_count = 1;
    plan.tables = &table;
    plan.note_count = 5;
    plan.notes = notes;
    plan.overwrite = self->order->overwrite;
    rico_context *ctx = self->out->ctx;
    if (!self->order->resume) return rico_archive_create(ctx, self->order->output, &plan, &self->archive);
    status = rico_archive_resume(ctx, self->order->output, &plan, &self->archive, checkpoint);
    if (status == RICO_OK && !self->archive)
        return rico_fail(ctx, RICO_BAD_INPUT, "%s has no checkpoint: its branches are finished",
                         self->order->output);
    return status;
}


static rico_status append(walk *self)
{
    const void *values[COLUMNS] = {&self->branch, &self->kind, &self->events, &self->marks, &self->value,
                                   &self->period, &self->time, &self->growth, self->mark,   self->q,
                                   self->v,       self->real,  self->imag};
    return rico_archive_append(self->archive, 0, values);
}


// All that is needed to go on.
static rico_status checkpoint(walk *self)
{
    int64_t size = 3 + (self->count + 1) * self->width;
    double *bytes = rico_alloc(self->out->ctx, size, sizeof *bytes);
    if (!bytes) return RICO_NO_MEMORY;
    bytes[0] = (double)self->width;
    bytes[1] = (double)self->count;
    bytes[2] = (double)self->now;
    memcpy(bytes + 3, self->place, (size_t)(self->count * self->width) * sizeof *bytes);
    memcpy(bytes + 3 + self->count * self->width, self->position, (size_t)self->width * sizeof *bytes);
    rico_status status = rico_archive_checkpoint(self->archive, bytes, size * (int64_t)sizeof *bytes);
    rico_free(self->out->ctx, bytes);
    return status;
}


static rico_status add_place(walk *self, const double *place)
{
    if (self->count == self->room) {
        int64_t room = self->room ? 2 * self->room : 8;
        double *grown = rico_grow(self->out->ctx, self->place, self->room * self->width, room * self->width,
                                  sizeof *grown);
        if (!grown) return RICO_NO_MEMORY;
        self->place = grown;
        self->room = room;
    }
    memcpy(self->place + self->count++ * self->width, place, (size_t)self->width * sizeof *place);
    return RICO_OK;
}


static rico_status take_up(walk *self, const rico_checkpoint *from)
{
    const double *bytes = from->state;
    int64_t count = from->size / (int64_t)sizeof *bytes;
    bool good =
        count > 3 && bytes[0] == (double)self->width && (double)count == 3.0 + (bytes[1] + 1.0) * bytes[0];
    if (!good)
        return rico_fail(self->out->ctx, RICO_BAD_INPUT,
                         "%s was made with another scene: it cannot be gone on with", self->order->output);
    self->now = (int64_t)bytes[2];
    rico_status status = RICO_OK;
    for (int64_t i = 0; status == RICO_OK && i < (int64_t)bytes[1]; i++)
        status = add_place(self, bytes + 3 + i * self->width);
    memcpy(self->position, bytes + 3 + (int64_t)bytes[1] * self->width, (size_t)self->width * sizeof *bytes);
    return status;
}


// The points that a file holds already.
static rico_status read_points(walk *self)
{
    rico_results *results = NULL;
    rico_branches *out = self->out;
    int64_t rows = rico_archive_rows(self->archive, 0);
    rico_status status = rico_results_open(out->ctx, self->order->output, &results);
    for (int64_t i = 0; status == RICO_OK && i < rows; i++) {
        rico_branch_point point = {0};
        struct {
            const char *name;
            void *to;
        } parts[] = {{"branch", &point.branch}, {"kind", &point.kind},   {"events", &point.events},
                     {"marks", &point.marks},   {"value", &point.value}, {"period", &point.period},
                     {"growth", &point.growth}, {"mark", point.mark}};
        for (size_t k = 0; status == RICO_OK && k < sizeof parts / sizeof *parts; k++)
            status = rico_results_read(results, 0, rico_results_find_column(results, 0, parts[k].name), i, 1,
                                       parts[k].to);
        if (self->order->where.over_period) point.value = point.period;
        point.stable = point.growth < 1.0 + (self->order->where.conservative ? 1e-5 : 0.0);
        if (point.marks < 0 || point.marks > RICO_BRANCH_MARKS) point.marks = 0;
        if (status == RICO_OK) {
            rico_branch_point *grown =
                rico_grow(out->ctx, out->point, out->count, out->count + 1, sizeof *grown);
            if (!grown) status = RICO_NO_MEMORY;
            if (grown) {
                out->point = grown;
                out->point[out->count++] = point;
                out->room = out->count;
            }
        }
    }
    rico_results_destroy(results);
    return status;
}


// ---- points -------------------------------------------------------------------------------------------------------

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}


int64_t rico_branch_maxima(int64_t count, const double *y, int64_t stride, int64_t room, double *out)
{
    int64_t found = 0;
    for (int64_t i = 1; i + 1 < count && found < room; i++) {
        double a = y[(i - 1) * stride], b = y[i * stride], c = y[(i + 1) * stride];
        if (!(b >= a && b > c)) continue;
        double bend = a - 2.0 * b + c;
        out[found++] = bend < 0.0 ? b - (a - c) * (a - c) / (8.0 * bend) : b;
    }
    return found;
}


static rico_status take_marks(walk *self, const rico_orbit *orbit)
{
    rico_orbit_search *search = &self->out->search;
    int64_t size = search->nq + search->nv, measure = self->out->measure;
    const rico_family *systems = rico_scene_family_systems(search->family);
    rico_status status = RICO_OK;
    self->marks = 0;
    for (int i = 0; i < RICO_BRANCH_MARKS; i++) self->mark[i] = NAN;
    if (systems->period) {
        double driving = 0.0, *x = rico_alloc(search->ctx, size, sizeof *x);
        status = x ? systems->period(systems->user, self->value, &driving) : RICO_NO_MEMORY;
        int64_t periods = (int64_t)llround(self->period / driving);
        for (int64_t k = 0; status == RICO_OK && k < periods && k < RICO_BRANCH_MARKS; k++) {
            status = rico_orbit_state(self->orbits, orbit, (double)k * driving, x);
            self->mark[self->marks++] = x[measure];
        }
        rico_free(search->ctx, x);
    } else {
        rico_orbit_samples samples;
        status = rico_orbit_sample(self->orbits, orbit, EACH, &samples);
        if (status != RICO_OK) return status;
        self->marks =
            rico_branch_maxima(samples.count, samples.x + measure, size, RICO_BRANCH_MARKS, self->mark);
        if (self->marks == 0) { // it begins at its maximum, or has none
            double most = -INFINITY;
            for (int64_t i = 0; i < samples.count; i++) most = fmax(most, samples.x[i * size + measure]);
            self->mark[self->marks++] = most;
        }
        rico_orbit_samples_free(self->orbits, &samples);
    }
    qsort(self->mark, (size_t)self->marks, sizeof *self->mark, ascending);
    return status;
}


static rico_status keep_point(walk *self, const rico_orbit *orbit)
{
    rico_branches *out = self->out;
    if (out->count == out->room) {
        int64_t room = out->room ? 2 * out->room : 256;
        rico_branch_point *point = rico_grow(out->ctx, out->point, out->room, room, sizeof *point);
        if (!point) return RICO_NO_MEMORY;
        out->point = point;
        out->room = room;
    }
    rico_branch_point *point = &out->point[out->count++];
    *point = (rico_branch_point){.branch = self->branch,
                                 .kind = self->kind,
                                 .value = self->order->where.over_period ? self->period : self->value,
                                 .period = self->period,
                                 .growth = self->growth,
                                 .stable = rico_orbit_stable(orbit),
                                 .events = self->events,
                                 .marks = self->marks};
    memcpy(point->mark, self->mark, sizeof point->mark);
    return RICO_OK;
}


static void fill_place(const walk *self, const rico_orbit *orbit, double heading, double depth, bool flip,
                       double *place)
{
    const rico_orbit_search *search = &self->out->search;
    const double *now = self->place + self->now * self->width;
    place[HEADING] = heading;
    place[MULTIPLE] = now[MULTIPLE];
    place[DEPTH] = depth;
    place[FLIP] = flip;
    place[VALUE] = rico_orbit_value(orbit);
    place[TIME] = rico_orbit_time(orbit);
    place[PERIOD] = rico_orbit_period(orbit);
    memcpy(place + STATE, rico_orbit_position(orbit), (size_t)search->nq * sizeof *place);
    memcpy(place + STATE + search->nq, rico_orbit_velocity(orbit), (size_t)search->nv * sizeof *place);
}


static bool on_point(void *user, const rico_orbit *orbit, rico_orbit_point kind, const char *note)
{
    walk *self = user;
    const double *now = self->place + self->now * self->width;
    self->kind = kind;
    self->value = rico_orbit_value(orbit);
    self->period = rico_orbit_period(orbit);
    self->time = rico_orbit_time(orbit);
    self->growth = rico_orbit_growth(orbit);
    self->q = rico_orbit_position(orbit);
    self->v = rico_orbit_velocity(orbit);
    rico_orbit_multipliers(orbit, &self->real, &self->imag);
    rico_orbit_events(orbit, &self->events);
    self->failure = take_marks(self, orbit);
    if (self->failure == RICO_OK) self->failure = append(self);
    if (self->failure == RICO_OK) self->failure = keep_point(self, orbit);
    if (self->failure == RICO_OK && kind == RICO_POINT_FLIP && now[DEPTH] < (double)self->order->doublings &&
        !self->order->where.conservative) {
        double *place = rico_alloc(self->out->ctx, self->width, sizeof *place);
        self->failure = place ? RICO_OK : RICO_NO_MEMORY;
        if (place) fill_place(self, orbit, 1.0, now[DEPTH] + 1.0, true, place);
        if (place) self->failure = add_place(self, place);
        rico_free(self->out->ctx, place);
    }
    double heading = self->value > self->last ? 1.0 : self->value < self->last ? -1.0 : now[HEADING];
    if (kind == RICO_POINT_ORDINARY) {
        fill_place(self, orbit, isnan(self->last) ? now[HEADING] : heading, now[DEPTH], false,
                   self->position);
        self->last = self->value;
    }
    if (self->failure == RICO_OK) self->failure = checkpoint(self);
    const rico_branch_point *point = &self->out->point[self->out->count - 1];
    bool on = self->failure == RICO_OK &&
              (!self->order->watch || self->order->watch(self->order->user, point, note));
    if (!on || rico_context_interrupted(self->out->ctx)) self->out->stopped = true;
    return !self->out->stopped;
}


// ---- branches -----------------------------------------------------------------------------------------------------

static rico_status make_orbits(walk *self, int64_t multiple, rico_orbits **out)
{
    rico_orbit_search *search = &self->out->search;
    rico_orbit_options options = search->options;
    double times = (double)multiple / (double)options.multiple;
    for (int64_t i = 0; i < search->nq; i++) self->shift[i] = times * search->shift[i];
    options.shift = self->shift;
    options.multiple = multiple;
    return rico_orbits_create(search->ctx, rico_scene_family_systems(search->family), &options, out);
}


// The orbit at a place; at a flip the first of twice the period, with the way that it goes.
static rico_status begin(walk *self, double *place, rico_orbit **out)
{
    const rico_orbit_search *search = &self->out->search;
    rico_orbit_start start = {.value = place[VALUE],
                              .t = place[TIME],
                              .period = place[PERIOD],
                              .q = place + STATE,
                              .v = place + STATE + search->nq};
    rico_status status = make_orbits(self, (int64_t)place[MULTIPLE], &self->orbits);
    if (status == RICO_OK) status = rico_orbit_find(self->orbits, &start, out);
    if (status != RICO_OK || place[FLIP] == 0.0) return status;
    static const double BESIDE[] = {0.02, -0.02, 0.005, 0.05, -0.05};
    rico_orbit *flip = *out;
    *out = NULL;
    rico_orbits_destroy(self->orbits);
    self->orbits = NULL;
    place[MULTIPLE] *= 2.0;
    place[FLIP] = 0.0;
    status = make_orbits(self, (int64_t)place[MULTIPLE], &self->orbits);
    bool found = false;
    for (size_t k = 0; status == RICO_OK && !found && k < sizeof BESIDE / sizeof *BESIDE; k++) {
        rico_orbit_destroy(*out);
        *out = NULL;
        rico_status tried = rico_orbit_double(self->orbits, flip, BESIDE[k], out);
        if (tried == RICO_NO_MEMORY || tried == RICO_INTERRUPTED) status = tried;
        found = tried == RICO_OK && rico_orbit_lawful(*out) && rico_orbit_value(*out) != place[VALUE];
    }
    if (found) place[HEADING] = rico_orbit_value(*out) > place[VALUE] ? 1.0 : -1.0;
    if (status == RICO_OK && !found)
        status = rico_fail(search->ctx, RICO_UNSUPPORTED,
                           "no orbit of twice the period was found beside %.8g", place[VALUE]);
    rico_orbit_destroy(flip);
    return status;
}


static rico_status keep_ending(walk *self, const char *words)
{
    rico_branches *out = self->out;
    int64_t count = out->branches > self->branch ? out->branches : self->branch + 1;
    char(*ending)[RICO_BRANCH_ENDING] =
        rico_grow(out->ctx, out->ending, out->branches, count, sizeof *ending);
    if (!ending) return RICO_NO_MEMORY;
    out->ending = ending;
    out->branches = count;
    snprintf(out->ending[self->branch], RICO_BRANCH_ENDING, "%s", words);
    return RICO_OK;
}


static rico_status follow_one(walk *self)
{
    const rico_branch_order *order = self->order;
    double *place = self->place + self->now * self->width;
    char ending[RICO_BRANCH_ENDING] = "";
    rico_orbit *orbit = NULL;
    self->branch = self->now;
    self->last = NAN;
    bool going_on = self->position[HEADING] != 0.0;
    if (going_on) memcpy(place, self->position, (size_t)self->width * sizeof *place);
    rico_status status = begin(self, place, &orbit);
    if (status == RICO_UNSUPPORTED ||
        status == RICO_SINGULAR) { // a doubling that does not begin ends itself alone
        snprintf(ending, sizeof ending, "%.390s", rico_message(self->out->ctx));
        if (self->now > 1) status = RICO_OK;
    } else if (status == RICO_OK) {
        rico_branch_options options = {.low = order->low,
                                       .high = order->high,
                                       .direction = self->place[self->now * self->width + HEADING],
                                       .resolution = order->resolution,
                                       .points = order->points,
                                       .keep_sequence = order->keep_sequence};
        status = rico_branch_follow(self->orbits, orbit, &options, on_point, self, ending);
        if (self->failure != RICO_OK) status = self->failure;
        if (self->now > 1 && (status == RICO_UNSUPPORTED || status == RICO_SINGULAR)) status = RICO_OK;
    }
    rico_orbit_destroy(orbit);
    rico_orbits_destroy(self->orbits);
    self->orbits = NULL;
    rico_status kept = keep_ending(self, ending);
    return status == RICO_OK ? kept : status;
}


static rico_status first_places(walk *self)
{
    rico_orbit_search *search = &self->out->search;
    rico_orbit *orbit = NULL;
    double *place = rico_alloc(search->ctx, self->width, sizeof *place);
    if (!place) return RICO_NO_MEMORY;
    rico_status status = rico_orbit_search_find(search, &orbit);
    if (status == RICO_OK && !rico_orbit_lawful(orbit))
        status = rico_fail(search->ctx, RICO_UNSUPPORTED, "the orbit to begin with is none of the motion: %s",
                           rico_orbit_note(orbit));
    if (status == RICO_OK) {
        double value = self->order->where.over_period ? rico_orbit_period(orbit) : rico_orbit_value(orbit);
        if (value < self->order->low || value > self->order->high)
            status = rico_fail(search->ctx, RICO_BAD_ARGUMENT,
                               "the branch begins at %.10g, outside of its range, %.10g to %.10g", value,
                               self->order->low, self->order->high);
    }
    if (status == RICO_OK) {
        place[MULTIPLE] = (double)search->options.multiple;
        status = add_place(self, place); // so that the ones below have a multiple to take
    }
    if (status == RICO_OK) {
        fill_place(self, orbit, self->order->down_only ? -1.0 : 1.0, 0.0, false, place);
        memcpy(self->place, place, (size_t)self->width * sizeof *place);
        place[HEADING] = -1.0;
        if (!self->order->down_only && !self->order->up_only) status = add_place(self, place);
    }
    rico_orbit_destroy(orbit);
    rico_free(search->ctx, place);
    return status;
}


static rico_status follow_all(walk *self)
{
    rico_branches *out = self->out;
    rico_checkpoint from = {0};
    rico_status status = RICO_OK;
    if (!self->order->resume) status = first_places(self); // nothing is written where there is no orbit
    if (status == RICO_OK) status = open_file(self, &from);
    if (status == RICO_OK && self->order->resume) {
        status = take_up(self, &from);
        if (status == RICO_OK) status = read_points(self);
    }
    rico_checkpoint_release(out->ctx, &from);
    for (; status == RICO_OK && self->now < self->count && !out->stopped; self->now++) {
        status = follow_one(self);
        if (status != RICO_OK || out->stopped) break;
        memset(self->position, 0, (size_t)self->width * sizeof *self->position);
    }
    if (self->archive) {
        rico_status closed = rico_archive_close(self->archive, status == RICO_OK && !out->stopped);
        if (status == RICO_OK) status = closed;
        rico_archive_destroy(self->archive);
    }
    return status;
}


rico_status rico_branches_follow(rico_context *ctx, const rico_branch_order *order, rico_branches *out)
{
    *out = (rico_branches){.ctx = ctx};
    rico_status status = rico_orbit_search_start(ctx, &order->where, &out->search);
    if (status != RICO_OK) return status;
    walk self = {.out = out, .order = order};
    self.width = STATE + out->search.nq + out->search.nv;
    self.position = rico_alloc(ctx, self.width, sizeof *self.position);
    self.shift = rico_alloc(ctx, out->search.nq, sizeof *self.shift);
    if (!self.position || !self.shift) status = RICO_NO_MEMORY;
    if (status == RICO_OK && order->measure)
        status = rico_orbit_search_name(&out->search, order->measure, &out->measure);
    if (status == RICO_OK) status = follow_all(&self);
    rico_free(ctx, self.position);
    rico_free(ctx, self.shift);
    rico_free(ctx, self.place);
    return status;
}


void rico_branches_release(rico_branches *branches)
{
    rico_free(branches->ctx, branches->point);
    rico_free(branches->ctx, branches->ending);
    if (branches->search.family) rico_orbit_search_release(&branches->search);
    rico_context *ctx = branches->ctx;
    *branches = (rico_branches){.ctx = ctx};
}


rico_status rico_branches_sheet(const rico_branches *branches, rico_sheet *sheet)
{
    static const char *const NAMES[] = {"branch", "kind", "value", "period", "growth", "events"};
    double *column[6] = {NULL};
    int64_t most = 0;
    rico_status status = RICO_OK;
    for (int k = 0; status == RICO_OK && k < 6; k++)
        status = rico_sheet_add(sheet, NAMES[k], branches->count, NULL, &column[k]);
    for (int64_t i = 0; status == RICO_OK && i < branches->count; i++) {
        const rico_branch_point *point = &branches->point[i];
        double row[6] = {(double)point->branch, (double)point->kind, point->value,
                         point->period,         point->growth,       (double)point->events};
        for (int k = 0; k < 6; k++) column[k][i] = row[k];
        if (point->marks > most) most = point->marks;
    }
    for (int64_t k = 0; status == RICO_OK && k < most; k++) {
        char name[32];
        double *mark;
        snprintf(name, sizeof name, "mark%lld", (long long)k);
        status = rico_sheet_add(sheet, name, branches->count, NULL, &mark);
        for (int64_t i = 0; status == RICO_OK && i < branches->count; i++)
            mark[i] = branches->point[i].mark[k];
    }
    return status;
}
