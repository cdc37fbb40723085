// Computations of forced chains: what they settle to over periods of the force, one motion, continued branches; and two masses with a cubic spring.

#include "lab/chain_given.h"
#include "lab/smooth_duffing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// What every forced chain is given. A table of keys cannot be a function.
#define DRIVE_KEYS                                                                                             \
    RICO_CHAIN_KEYS,                                                                                           \
        {"force", RICO_WANT_REAL, .standard = "1", .low = -1e9, .high = 1e9, .help = "amplitude"},             \
        {"at",     RICO_WANT_INTEGER, .standard = "0",                                                         \
         .low = 0, .high = 5000,      .help = "the mass it acts on; 0: shared by all alike"},                  \
        {"mass-damping", RICO_WANT_REAL, .standard = "0",                                                      \
         .low = 0,       .high = 1e9,    .help = "a in C = a M + b K"},                                        \
        {"stiffness-damping",         RICO_WANT_REAL, .standard = "0", .low = 0, .high = 1e9,                  \
         .help = "b in C = a M + b K"},                                                                        \
        {"restitution", RICO_WANT_REAL, .standard = "1", .low = 0, .high = 1, .help = "of the impacts"},       \
        {"transient", RICO_WANT_INTEGER, .standard = "300", .low = 0, .high = 1e6, .help = "periods to wait"}, \
        {"longest", RICO_WANT_INTEGER, .standard = "12",                                                       \
         .low = 1,  .high = 1000,      .help = "periods of the response to try"},                              \
        {"tolerance",  RICO_WANT_REAL, .standard = "1e-6",                                                     \
         .low = 1e-14, .high = 1,      .help = "of the state's return"},                                       \
    {                                                                                                          \
        "steps", RICO_WANT_INTEGER,                                                                            \
            .standard = "0", .low = 0, .high = 1e6,                                                            \
            .help = "of Moreau and Jean's scheme in a period; 0: from impact to impact"                        \
    }

static const rico_schema_key SWEEP[] = {
    DRIVE_KEYS,
    {"periods", RICO_WANT_REALS, .flags = RICO_KEY_REQUIRED, .least = 3, .most = 3,
     .help = "of the force: [first, last, how many]"},
    {"follow", RICO_WANT_FLAG, .standard = "no",
     .help = "each starts from where the one before has settled; else from rest"},
    {NULL},
};

static const rico_schema_key MOTION[] = {
    DRIVE_KEYS,
    {"period", RICO_WANT_REAL, .flags = RICO_KEY_REQUIRED, .low = 1e-9, .high = 1e9, .help = "of the force"},
    {"shown", RICO_WANT_INTEGER, .standard = "0", .low = 0, .high = 1000,
     .help = "periods of the force to show; 0: one of the response"},
    {"samples", RICO_WANT_INTEGER, .standard = "400", .low = 2, .high = 1e6,
     .help = "rows for a period of the force; its steps where there are any"},
    {NULL},
};

static const rico_schema_key BRANCH[] = {
    DRIVE_KEYS,
    {"period", RICO_WANT_REAL, .low = 1e-9, .high = 1e9,
     .help = "of the force where the branch starts, from what rest settles to"},
    {"durations", RICO_WANT_REALS, .least = 2, .most = RICO_MODES_IMPACTS,
     .help = "instead: from the free orbit of these durations, whose period the force then has, at the phase "
             "that keeps it"},
    {"settle-with", RICO_WANT_REAL, .standard = "1", .low = 1e-6, .high = 1e6,
     .help = "rest settles under so many times the force and the damping, which then come down step by step"},
    {"step", RICO_WANT_REAL, .standard = "0.05", .low = 1e-6, .high = 1e3, .help = "along the branch"},
    {"points", RICO_WANT_INTEGER, .standard = "2000", .low = 2, .high = 1e5, .help = "at most, each way"},
    {NULL},
};

static const rico_schema_key DUFFING[] = {
    {"cubic", RICO_WANT_REAL, .standard = "0", .low = -1e6, .high = 1e6,
     .help = "of the spring between the masses; positive stiffens"},
    {"gap", RICO_WANT_REAL, .standard = "1", .low = 1e-9, .high = 1e9,
     .help = "between the second and the wall"},
    {"force", RICO_WANT_REAL, .standard = "0", .low = -1e9, .high = 1e9,
     .help = "amplitude, on the first mass"},
    {"damping", RICO_WANT_REAL, .standard = "0", .low = 0, .high = 1e9, .help = "b in C = b K"},
    {"period", RICO_WANT_REAL, .flags = RICO_KEY_REQUIRED, .low = 1e-9, .high = 1e9,
     .help = "where the branch starts, without the cubic spring"},
    {"ramp", RICO_WANT_INTEGER, .standard = "10", .low = 1, .high = 1e4,
     .help = "steps in which the cubic spring grows from 0"},
    {"step", RICO_WANT_REAL, .standard = "0.05", .low = 1e-6, .high = 1e3, .help = "along the branch"},
    {"points", RICO_WANT_INTEGER, .standard = "300", .low = 2, .high = 1e5, .help = "at most, each way"},
    {NULL},
};

static const rico_schema_key SMOOTH[] = {
    {"cubic", RICO_WANT_REAL, .standard = "0", .low = -1e6, .high = 1e6,
     .help = "of the spring between the masses; positive stiffens"},
    {"force", RICO_WANT_REAL, .standard = "0", .low = -1e9, .high = 1e9,
     .help = "amplitude, on the first mass; 0: a backbone"},
    {"damping", RICO_WANT_REAL, .standard = "0", .low = 0, .high = 1e9, .help = "b in C = b K"},
    {"mode", RICO_WANT_INTEGER, .standard = "1", .low = 1, .high = 2, .help = "of the backbone"},
    {"frequencies", RICO_WANT_REALS, .standard = "[0.3, 3]", .least = 2, .most = 2, .help = "[first, last]"},
    {"energy", RICO_WANT_REAL, .standard = "100", .low = 1e-9, .high = 1e9, .help = "highest of a backbone"},
    {"step", RICO_WANT_REAL, .standard = "0.05", .low = 1e-6, .high = 1e3, .help = "along the branch"},
    {"points", RICO_WANT_INTEGER, .standard = "2000", .low = 2, .high = 1e5, .help = "at most"},
    {NULL},
};


// --- what is given -------------------------------------------------------------------------------------------

typedef struct driven {
    rico_chain chain;
    rico_forced drive;
    rico_forced_search search;
    double *force; // what the drive has
} driven;


static void release(driven *d)
{
    if (d->chain.ctx) rico_free(d->chain.ctx, d->force);
    rico_chain_release(&d->chain);
}


static rico_status read_driven(rico_document *document, const rico_node *given, driven *d)
{
    *d = (driven){0};
    rico_status status = rico_chain_read(document, given, &d->chain);
    if (status != RICO_OK) return status;
    int64_t n = d->chain.n, at = rico_given_integer(document, given, "at");
    double F = rico_given_real(document, given, "force");
    if (at > n)
        return rico_document_fail(document, rico_node_at(given, "at"),
                                  "there are %lld masses, and none is %lld", (long long)n, (long long)at);
    d->force = rico_alloc(d->chain.ctx, n, sizeof *d->force);
    if (!d->force) return RICO_NO_MEMORY;
    for (int64_t p = 1; p <= n; p++)
        for (int64_t j = at > 0 ? at : 1; j <= (at > 0 ? at : n); j++)
            d->force[p - 1] += (at > 0 ? F : F / (double)n) * rico_bar_chain_shape(&d->chain.bar, n, p, j);
    d->drive = (rico_forced){.period = rico_given_real(document, given, "period"),
                             .force = d->force,
                             .mass_damping = rico_given_real(document, given, "mass-damping"),
                             .stiffness_damping = rico_given_real(document, given, "stiffness-damping"),
                             .restitution = rico_given_real(document, given, "restitution")};
    d->search = (rico_forced_search){.transient = rico_given_integer(document, given, "transient"),
                                     .longest = rico_given_integer(document, given, "longest"),
                                     .tolerance = rico_given_real(document, given, "tolerance"),
                                     .steps = rico_given_integer(document, given, "steps")};
    return RICO_OK;
}


// --- over periods of the force -------------------------------------------------------------------------------

enum { PERIOD, RESPONSE_PERIOD, IMPACTS, MULTIPLE, ENERGY, RESIDUAL, SWEPT, SHOWN = 8 };

// Columns energy_1 ... energy_8 have responses of so many impacts alone, energy_0 those without, energy_more all others that repeat.
static void note(rico_sheet *sheet, int64_t row, double period, const rico_forced_response *r)
{
    const double values[SWEPT] = {period,
                                  r->multiple > 0 ? period * (double)r->multiple : NAN,
                                  (double)r->impacts,
                                  (double)r->multiple,
                                  r->energy,
                                  r->residual};
    for (int c = 0; c < SWEPT; c++) sheet->column[c].value[row] = values[c];
    if (r->multiple > 0) {
        int64_t shown = r->impacts <= SHOWN ? r->impacts : SHOWN + 1;
        sheet->column[SWEPT + shown].value[row] = r->energy;
    }
}


// count_k: how many responses of k impacts there are; peak_k: the largest energy among them.
static rico_status add_counts(rico_sheet *sheet, int64_t rows)
{
    rico_status status = RICO_OK;
    for (int k = 0; status == RICO_OK && k <= SHOWN; k++) {
        char name[RICO_SHEET_NAME];
        int64_t count = 0;
        double peak = 0.0;
        for (int64_t i = 0; i < rows; i++) {
            double energy = sheet->column[SWEPT + k].value[i];
            if (isnan(energy)) continue;
            count++;
            peak = fmax(peak, energy);
        }
        snprintf(name, sizeof name, "count_%d", k);
        status = rico_sheet_add_number(sheet, name, (double)count);
        snprintf(name, sizeof name, "peak_%d", k);
        if (status == RICO_OK) status = rico_sheet_add_number(sheet, name, peak);
    }
    return status;
}


static rico_status compute_sweep(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    static const char *const NAMES[SWEPT] = {"period",   "response_period", "impacts",
                                             "multiple", "energy",          "residual"};
    driven d;
    double *T = NULL, *state = NULL;
    int64_t count = 0, settled = 0;
    bool follow = rico_given_flag(document, given, "follow");
    rico_status status = read_driven(document, given, &d);
    if (status == RICO_OK) status = rico_given_range(document, given, "periods", &count, &T);
    if (status == RICO_OK) state = rico_alloc(sheet->ctx, 2 * d.chain.n, sizeof *state);
    if (status == RICO_OK && !state) status = RICO_NO_MEMORY;
    for (int c = 0; status == RICO_OK && c < SWEPT + SHOWN + 2; c++) {
        char name[RICO_SHEET_NAME];
        snprintf(name, sizeof name, "energy_%d", c - SWEPT);
        if (c == SWEPT + SHOWN + 1) snprintf(name, sizeof name, "energy_more");
        status = rico_sheet_add(sheet, c < SWEPT ? NAMES[c] : name, count, NULL, NULL);
    }
    for (int64_t i = 0; status == RICO_OK && i < count; i++) {
        rico_forced_motion *motion = NULL;
        rico_forced_response response;
        d.drive.period = T[i];
        status = rico_forced_motion_create(d.chain.modes, &d.drive, &motion);
        if (status == RICO_OK && follow && i > 0)
            status = rico_forced_motion_start(motion, 0.0, state, state + d.chain.n);
        if (status == RICO_OK) status = rico_forced_settle(motion, &d.search, &response);
        if (status == RICO_OK) {
            note(sheet, i, T[i], &response);
            size_t size = (size_t)d.chain.n * sizeof(double);
            settled += response.multiple > 0;
            memcpy(state, rico_forced_motion_position(motion), size);
            memcpy(state + d.chain.n, rico_forced_motion_velocity(motion), size);
        }
        rico_forced_motion_destroy(motion);
    }
    if (status == RICO_OK) status = rico_sheet_add_number(sheet, "settled", (double)settled);
    if (status == RICO_OK) status = add_counts(sheet, count);
    rico_free(sheet->ctx, T);
    rico_free(sheet->ctx, state);
    release(&d);
    return status;
}


// --- one motion ----------------------------------------------------------------------------------------------

// Positions u1, u2, ... of shorter chains, and that of the end of all.
static rico_status show(const driven *d, rico_forced_motion *motion, int64_t periods, int64_t samples,
                        rico_sheet *sheet)
{
    int64_t n = d->chain.shape && d->chain.n <= 20 ? d->chain.n : 0, rows = periods * samples + 1;
    double *t = NULL, *end = NULL, *u = rico_alloc(sheet->ctx, d->chain.n, sizeof *u),
           begin = rico_forced_motion_time(motion);
    int64_t first = sheet->count + 2;
    rico_status status = u ? rico_sheet_add(sheet, "time", rows, NULL, &t) : RICO_NO_MEMORY;
    if (status == RICO_OK) status = rico_sheet_add(sheet, "end", rows, NULL, &end);
    for (int64_t j = 0; status == RICO_OK && j < n; j++) {
        char name[RICO_SHEET_NAME];
        snprintf(name, sizeof name, "u%lld", (long long)j + 1);
        status = rico_sheet_add(sheet, name, rows, NULL, NULL);
    }
    for (int64_t i = 0; status == RICO_OK && i < rows; i++) {
        t[i] = d->drive.period * (double)i / (double)samples;
        if (i > 0 && d->search.steps > 0) rico_forced_motion_step(motion, d->drive.period / (double)samples);
        if (i > 0 && d->search.steps == 0) rico_forced_motion_to(motion, begin + t[i], INT64_MAX);
        end[i] = d->chain.bar.gap - rico_forced_motion_gap(motion);
        if (n > 0) rico_chain_place(&d->chain, rico_forced_motion_position(motion), u);
        for (int64_t j = 0; j < n; j++) sheet->column[first + j].value[i] = u[j];
    }
    rico_free(sheet->ctx, u);
    return status;
}


static rico_status compute_motion(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    driven d;
    rico_forced_motion *motion = NULL;
    rico_forced_response r = {0};
    int64_t shown = rico_given_integer(document, given, "shown"),
            samples = rico_given_integer(document, given, "samples");
    rico_status status = read_driven(document, given, &d);
    if (status == RICO_OK) status = rico_forced_motion_create(d.chain.modes, &d.drive, &motion);
    if (status == RICO_OK) status = rico_forced_settle(motion, &d.search, &r);
    if (status == RICO_OK && shown == 0) shown = r.multiple > 0 ? r.multiple : 1;
    if (status == RICO_OK)
        status = show(&d, motion, shown, d.search.steps > 0 ? d.search.steps : samples, sheet);
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"impacts", (double)r.impacts}, {"multiple", (double)r.multiple},
                   {"energy", r.energy},           {"residual", r.residual},
                   {"chatter", r.chatter},         {"largest_gap", r.largest}};
    for (size_t i = 0; status == RICO_OK && i < sizeof numbers / sizeof *numbers; i++)
        status = rico_sheet_add_number(sheet, numbers[i].name, numbers[i].value);
    rico_forced_motion_destroy(motion);
    release(&d);
    return status;
}


// --- continued branches --------------------------------------------------------------------------------------

// Rows from one end to the other: backwards through what was followed to one side, then on through the other.
static rico_status add_branch(const rico_forced_orbit *back, int64_t back_count,
                              const rico_forced_orbit *ahead, int64_t ahead_count, rico_sheet *sheet)
{
    static const char *const NAMES[] = {"period",     "frequency",     "response_period", "energy",
                                        "multiplier", "stable_energy", "impulse"};
    enum { COLUMNS = sizeof NAMES / sizeof *NAMES };
    double *column[COLUMNS] = {NULL};
    int64_t rows = back_count + ahead_count - 1;
    rico_status status = RICO_OK;
    for (int c = 0; status == RICO_OK && c < COLUMNS; c++)
        status = rico_sheet_add(sheet, NAMES[c], rows, NULL, &column[c]);
    for (int64_t i = 0; status == RICO_OK && i < rows; i++) {
        const rico_forced_orbit *o = i < back_count ? &back[back_count - 1 - i] : &ahead[i - back_count + 1];
        double T = o->period * (double)o->multiple;
        const double values[COLUMNS] = {o->period,
                                        2.0 * acos(-1.0) / o->period,
                                        T,
                                        o->energy,
                                        o->multiplier,
                                        o->multiplier < 1.0 + 1e-9 ? o->energy : NAN,
                                        o->impulse[0]};
        for (int c = 0; c < COLUMNS; c++) column[c][i] = values[c];
    }
    return status;
}


// Force and damping so many times those given.
static void scale_drive(driven *d, const double *force, double mass_damping, double stiffness_damping,
                        double times)
{
    for (int64_t j = 0; j < d->chain.n; j++) d->force[j] = times * force[j];
    d->drive.mass_damping = times * mass_damping;
    d->drive.stiffness_damping = times * stiffness_damping;
}


// The orbit that rest settles to under a multiple of force and damping, brought down to them.
static rico_status start_branch(rico_document *document, const rico_node *given, driven *d,
                                rico_forced_orbit *start)
{
    enum { RAMP = 40 };
    rico_forced_motion *motion = NULL;
    rico_forced_response r = {0};
    double times = rico_given_real(document, given, "settle-with"), a = d->drive.mass_damping,
           b = d->drive.stiffness_damping;
    double *force = rico_alloc(d->chain.ctx, d->chain.n, sizeof *force);
    if (!force) return RICO_NO_MEMORY;
    memcpy(force, d->force, (size_t)d->chain.n * sizeof *force);
    scale_drive(d, force, a, b, times);
    rico_status status = rico_forced_motion_create(d->chain.modes, &d->drive, &motion);
    if (status == RICO_OK) status = rico_forced_settle(motion, &d->search, &r);
    if (status == RICO_OK && r.multiple == 0)
        status = rico_document_fail(document, rico_node_at(given, "period"),
                                    "no periodic response was found there: the state comes back to %g",
                                    r.residual);
    if (status == RICO_OK) status = rico_forced_orbit_of(motion, r.multiple, start);
    for (int64_t i = 1; status == RICO_OK && times != 1.0 && i <= RAMP; i++) {
        scale_drive(d, force, a, b, pow(times, 1.0 - (double)i / RAMP));
        status = rico_forced_refine(d->chain.modes, &d->drive, start);
    }
    rico_forced_motion_destroy(motion);
    rico_free(d->chain.ctx, force);
    return status;
}


// A forced orbit near a free one: at all phases of the force but those where it puts in as much energy as damping takes the orbit is lost.
static rico_status start_from_mode(rico_document *document, const rico_node *given, driven *d,
                                   rico_forced_orbit *start)
{
    enum { PHASES = 96 };
    const rico_node *node = rico_node_at(given, "durations");
    rico_modes_orbit free_orbit = {0};
    double *s = NULL, far = INFINITY;
    rico_status status = rico_document_reals(document, node, &free_orbit.impacts, &s);
    if (status != RICO_OK) return status;
    memcpy(free_orbit.duration, s, (size_t)free_orbit.impacts * sizeof *s);
    rico_free(d->chain.ctx, s);
    status = rico_modes_refine(d->chain.modes, &free_orbit);
    if (status != RICO_OK) return status;
    d->drive.period = free_orbit.period;
    for (int64_t i = 0; i < PHASES; i++) {
        rico_forced_orbit trial = {.impacts = free_orbit.impacts, .multiple = 1};
        double off = 0.0;
        trial.time[0] = free_orbit.period * (double)i / PHASES;
        for (int64_t k = 1; k < trial.impacts; k++)
            trial.time[k] = trial.time[k - 1] + free_orbit.duration[k - 1];
        if (rico_forced_refine(d->chain.modes, &d->drive, &trial) != RICO_OK || !trial.admissible) continue;
        for (int64_t k = 1; k < trial.impacts; k++)
            off += fabs(trial.time[k] - trial.time[k - 1] - free_orbit.duration[k - 1]);
        if (off < far) *start = trial;
        far = fmin(far, off);
    }
    if (far < 0.1 * free_orbit.period) return RICO_OK;
    return rico_document_fail(document, node, "no phase of the force keeps the free orbit of period %g",
                              free_orbit.period);
}


// Positions of the masses over the response's period, from the first impact on.
static rico_status add_orbit(const driven *d, const rico_forced_orbit *orbit, rico_sheet *sheet)
{
    enum { SAMPLES = 400 };
    int64_t n = d->chain.n, first = sheet->count + 1;
    double *t = NULL, *q = rico_alloc(sheet->ctx, 2 * n, sizeof *q),
           T = orbit->period * (double)orbit->multiple;
    rico_status status = q ? rico_sheet_add(sheet, "time", SAMPLES + 1, NULL, &t) : RICO_NO_MEMORY;
    for (int64_t j = 0; status == RICO_OK && j < n; j++) {
        char name[RICO_SHEET_NAME];
        snprintf(name, sizeof name, "u%lld", (long long)j + 1);
        status = rico_sheet_add(sheet, name, SAMPLES + 1, NULL, NULL);
    }
    for (int64_t i = 0; status == RICO_OK && i <= SAMPLES; i++) {
        t[i] = T * (double)i / SAMPLES;
        rico_forced_orbit_state(d->chain.modes, &d->drive, orbit, orbit->time[0] + t[i], q, NULL);
        rico_chain_place(&d->chain, q, q + n);
        for (int64_t j = 0; j < n; j++) sheet->column[first + j].value[i] = q[n + j];
    }
    if (status == RICO_OK) status = rico_sheet_add_number(sheet, "start_energy", orbit->energy);
    if (status == RICO_OK) status = rico_sheet_add_number(sheet, "start_period", orbit->period);
    rico_free(sheet->ctx, q);
    return status;
}


static rico_status compute_branch(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    driven d;
    rico_forced_orbit start, *orbits = NULL;
    rico_modes_end end[2];
    int64_t room = rico_given_integer(document, given, "points"), count[2] = {0};
    double step = rico_given_real(document, given, "step");
    rico_status status = read_driven(document, given, &d);
    bool from_mode = rico_node_at(given, "durations") != NULL;
    if (status == RICO_OK && from_mode == (rico_node_at(given, "period") != NULL))
        status = rico_document_fail(document, given, "a branch starts at a 'period' or from 'durations'");
    if (status == RICO_OK)
        status = from_mode ? start_from_mode(document, given, &d, &start)
                           : start_branch(document, given, &d, &start);
    if (status == RICO_OK) orbits = rico_alloc(sheet->ctx, 2 * room, sizeof *orbits);
    if (status == RICO_OK && !orbits) status = RICO_NO_MEMORY;
    for (int side = 0; status == RICO_OK && side < 2; side++)
        status = rico_forced_follow(d.chain.modes, &d.drive, &start, side ? 1 : -1, step, room,
                                    orbits + side * room, &count[side], &end[side]);
    if (status == RICO_OK) status = add_branch(orbits, count[0], orbits + room, count[1], sheet);
    if (status == RICO_OK && d.chain.shape) status = add_orbit(&d, &start, sheet);
    if (status == RICO_OK) status = rico_sheet_add_number(sheet, "impacts", (double)start.impacts);
    if (status == RICO_OK) status = rico_sheet_add_number(sheet, "multiple", (double)start.multiple);
    rico_free(sheet->ctx, orbits);
    release(&d);
    return status;
}


// --- a cubic spring ------------------------------------------------------------------------------------------

// The orbit of one impact without the cubic spring: the free one, or what rest settles to.
static rico_status linear_start(rico_context *ctx, const rico_duffing *system, double T,
                                rico_duffing_orbit *out)
{
    const double k = system->stiffness, M[] = {1, 0, 0, 1}, K[] = {2 * k, -k, -k, k}, w[] = {0, -1};
    rico_modes *modes = NULL;
    rico_modes_orbit one;
    rico_forced_motion *motion = NULL;
    rico_forced_response r;
    rico_forced_orbit orbit;
    double u[2] = {0.0}, v[2] = {0.0}, q[2], p[2];
    rico_status status = rico_modes_create(ctx, 2, M, K, w, system->gap, &modes);
    if (status == RICO_OK && system->force[0] == 0.0) {
        status = rico_modes_one(modes, T, &one);
        if (status == RICO_OK) status = rico_modes_state(modes, &one, 0.0, u, v);
        *out = (rico_duffing_orbit){.period = T, .u1 = u[0], .v1 = v[0], .v2 = v[1]};
    } else if (status == RICO_OK) {
        const double *shape = rico_modes_shapes(modes);
        double force[] = {system->force[0] * shape[0], system->force[0] * shape[2]};
        rico_forced drive = {T, force, 0.0, system->damping, system->restitution};
        status = rico_forced_motion_create(modes, &drive, &motion);
        if (status == RICO_OK)
            status = rico_forced_settle(motion, &(rico_forced_search){.transient = 3000, .longest = 1}, &r);
        if (status == RICO_OK) status = rico_forced_orbit_of(motion, 1, &orbit);
        if (status == RICO_OK) {
            rico_forced_orbit_state(modes, &drive, &orbit, orbit.time[0], q, p);
            *out = (rico_duffing_orbit){.period = T,
                                        .u1 = shape[0] * q[0] + shape[2] * q[1],
                                        .v1 = shape[0] * p[0] + shape[2] * p[1],
                                        .v2 = shape[1] * p[0] + shape[3] * p[1],
                                        .phase = 2.0 * acos(-1.0) * orbit.time[0] / T};
        }
        rico_forced_motion_destroy(motion);
    }
    rico_modes_destroy(modes);
    return status;
}


static rico_status add_duffing(const rico_duffing_orbit *back, int64_t back_count,
                               const rico_duffing_orbit *ahead, int64_t ahead_count, rico_sheet *sheet)
{
    static const char *const NAMES[] = {"period", "frequency", "energy", "speed"};
    double *column[4] = {NULL};
    int64_t rows = back_count + ahead_count - 1;
    rico_status status = RICO_OK;
    for (int c = 0; status == RICO_OK && c < 4; c++)
        status = rico_sheet_add(sheet, NAMES[c], rows, NULL, &column[c]);
    for (int64_t i = 0; status == RICO_OK && i < rows; i++) {
        const rico_duffing_orbit *o = i < back_count ? &back[back_count - 1 - i] : &ahead[i - back_count + 1];
        column[0][i] = o->period;
        column[1][i] = 2.0 * acos(-1.0) / o->period;
        column[2][i] = o->admissible ? o->energy : NAN;
        column[3][i] = -o->v2;
    }
    return status;
}


static rico_status compute_duffing(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    rico_duffing system = {.mass = {1.0, 1.0},
                           .stiffness = 1.0,
                           .gap = rico_given_real(document, given, "gap"),
                           .damping = rico_given_real(document, given, "damping"),
                           .force = {rico_given_real(document, given, "force"), 0.0},
                           .restitution = 1.0};
    rico_duffing_orbit start, *orbits = NULL;
    int64_t room = rico_given_integer(document, given, "points"), count[2] = {0},
            ramp = rico_given_integer(document, given, "ramp");
    double cubic = rico_given_real(document, given, "cubic"), step = rico_given_real(document, given, "step");
    rico_status status =
        linear_start(sheet->ctx, &system, rico_given_real(document, given, "period"), &start);
    for (int64_t i = 0; status == RICO_OK && i <= ramp; i++) {
        system.cubic = cubic * (double)i / (double)ramp;
        status = rico_duffing_refine(sheet->ctx, &system, &start);
    }
    if (status == RICO_OK) orbits = rico_alloc(sheet->ctx, 2 * room, sizeof *orbits);
    if (status == RICO_OK && !orbits) status = RICO_NO_MEMORY;
    for (int side = 0; status == RICO_OK && side < 2; side++)
        status = rico_duffing_follow(sheet->ctx, &system, &start, side ? 1 : -1, step, room,
                                     orbits + side * room, &count[side]);
    if (status == RICO_OK) status = add_duffing(orbits, count[0], orbits + room, count[1], sheet);
    rico_free(sheet->ctx, orbits);
    return status;
}


static rico_status compute_smooth(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    double *ends = NULL;
    int64_t two;
    rico_status status = rico_document_reals(document, rico_node_at(given, "frequencies"), &two, &ends);
    if (status != RICO_OK) return status;
    const rico_smooth_duffing system = {.cubic = rico_given_real(document, given, "cubic"),
                                        .force = rico_given_real(document, given, "force"),
                                        .damping = rico_given_real(document, given, "damping"),
                                        .mode = rico_given_integer(document, given, "mode"),
                                        .low = ends[0],
                                        .high = ends[1],
                                        .energy = rico_given_real(document, given, "energy"),
                                        .step = rico_given_real(document, given, "step"),
                                        .points = rico_given_integer(document, given, "points")};
    rico_free(sheet->ctx, ends);
    return rico_smooth_duffing_branch(&system, sheet);
}


const rico_computation rico_forced_computations[] = {
    {"forced-sweep", "what a forced chain settles to, over periods of the force", SWEEP, compute_sweep},
    {"forced-motion", "the motion that a forced chain settles to", MOTION, compute_motion},
    {"forced-branch", "orbits of a forced chain, continued through folds, stable or not", BRANCH,
     compute_branch},
    {"duffing-branch", "two masses with a cubic spring against a wall, free or forced, by shooting", DUFFING,
     compute_duffing},
    {"duffing-smooth", "the same without the wall", SMOOTH, compute_smooth},
    {NULL, NULL, NULL, NULL},
};
