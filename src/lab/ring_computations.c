// Computations of rings of impact oscillators: orbits, branches, multipliers, maps of feasible orbits, closed forms.

#include "lab/computation.h"
#include "lab/ring_map.h"
#include "lab/ring_pattern.h"
#include "lab/ring_report.h"
#include "lab/ring_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// What every orbit is given. A table of keys cannot be a function.
#define RING_KEYS                                                                                            \
    {"particles", RICO_WANT_INTEGER, .standard = "100",                                                      \
     .low = 1,    .high = 2000,      .help = "particles of the ring, numbered from 0"},                      \
        {"coupling", RICO_WANT_REAL, .standard = "0.1",                                                      \
         .low = 0,   .high = 1e6,    .help = "stiffness between neighbours"},                                \
        {"period", RICO_WANT_REAL, .standard = "3*pi/2", .low = 1e-6, .high = 1e6, .help = "of the orbit"},  \
        {"at-start", RICO_WANT_TEXT,                                                                         \
         .help = "particles that strike at 0: 50 or \"3,5\" or \"45:55\" or \"0:98:2\""},                    \
    {                                                                                                        \
        "at-half", RICO_WANT_TEXT, .help = "particles that strike at T/2"                                    \
    }

static const rico_schema_key ORBIT[] = {
    RING_KEYS,
    {"samples", RICO_WANT_INTEGER, .standard = "400", .low = 2, .high = 1e6, .help = "times of a period"},
    {NULL},
};

static const char *parameter_name(int index)
{
    static const char *const NAMES[] = {"coupling", "period", NULL};
    return NAMES[index];
}


static const rico_schema_key BRANCH[] = {
    RING_KEYS,
    {"follow", RICO_WANT_CHOICE, .standard = "coupling", .choice = parameter_name, .help = "in what"},
    {"to", RICO_WANT_REAL, .flags = RICO_KEY_REQUIRED, .low = 0, .high = 1e6, .help = "where to"},
    {"step", RICO_WANT_REAL, .standard = "0", .low = 0, .high = 1e6,
     .help = "largest step; 0 is a two-hundredth of the way"},
    {"switch", RICO_WANT_FLAG, .standard = "no",
     .help = "go on with another pattern where a particle grazes"},
    {NULL},
};

static const rico_schema_key MULTIPLIERS[] = {
    RING_KEYS,
    {"couplings", RICO_WANT_REALS, .least = 1, .low = 0, .high = 1e6,
     .help = "several couplings instead of one"},
    {NULL},
};

static const rico_schema_key MAP[] = {
    RING_KEYS,
    {"couplings", RICO_WANT_REALS, .flags = RICO_KEY_REQUIRED, .least = 3, .most = 3,
     .help = "[first, last, how many]"},
    {"periods", RICO_WANT_REALS, .flags = RICO_KEY_REQUIRED, .least = 3, .most = 3,
     .help = "[first, last, step of the scan]"},
    {NULL},
};

static const rico_schema_key LINEAR[] = {
    {"particles", RICO_WANT_INTEGER, .standard = "30", .low = 1, .high = 2000,
     .help = "particles of the ring, numbered from 0"},
    {"coupling", RICO_WANT_REAL, .standard = "1", .low = 0, .high = 1e6,
     .help = "stiffness between neighbours"},
    {"mode", RICO_WANT_INTEGER, .standard = "1", .low = 0, .high = 1000, .help = "waves around the ring"},
    {NULL},
};

static const rico_schema_key RUN[] = {
    RING_KEYS,
    {"periods", RICO_WANT_INTEGER, .standard = "25", .low = 1, .high = 1e5, .help = "how long"},
    {"samples", RICO_WANT_INTEGER, .standard = "20", .low = 1, .high = 1e5, .help = "rows for each period"},
    {"first", RICO_WANT_INTEGER, .standard = "0", .low = 0, .high = 2000, .help = "first particle shown"},
    {"last", RICO_WANT_INTEGER, .flags = RICO_KEY_REQUIRED, .low = 0, .high = 2000, .help = "last one"},
    {"tolerance", RICO_WANT_REAL, .standard = "1e-13", .low = 1e-13, .high = 1e-2,
     .help = "of the integrator"},
    {NULL},
};

static const rico_schema_key COMPLIANT[] = {
    RING_KEYS,
    {"stiffness", RICO_WANT_REAL, .flags = RICO_KEY_REQUIRED | RICO_KEY_ABOVE, .low = 0, .high = 1e15,
     .help = "of the walls"},
    {"exponent", RICO_WANT_REAL, .standard = "1", .low = 1, .high = 3,
     .help = "of the depth in their force: 1 a spring, 3/2 Hertz's law"},
    {"tolerance", RICO_WANT_REAL, .standard = "1e-11", .low = 1e-14, .high = 1e-2,
     .help = "of the integration"},
    {NULL},
};

static const char *mode_name(int index)
{
    static const char *const NAMES[] = {"out-of-phase", "in-phase", NULL};
    return NAMES[index];
}


static const rico_schema_key CLOSED_FORM[] = {
    {"mode", RICO_WANT_CHOICE, .standard = "out-of-phase", .choice = mode_name,
     .help = "all together, or neighbours in turn"},
    {"coupling", RICO_WANT_REAL, .standard = "0.1", .low = 0, .high = 1e6,
     .help = "stiffness between neighbours"},
    {"period", RICO_WANT_REAL, .standard = "3*pi/2", .low = 1e-6, .high = 1e6, .help = "of the motion"},
    {"periods", RICO_WANT_REALS, .standard = "[1, 13, 1201]", .least = 3, .most = 3,
     .help = "of the speeds: [first, last, how many]"},
    {"samples", RICO_WANT_INTEGER, .standard = "400", .low = 2, .high = 1e6, .help = "times of a period"},
    {NULL},
};


// --- what is given -------------------------------------------------------------------------------------------

// The ring, with a pattern to be freed.
static rico_status read_ring(rico_document *document, const rico_node *given, rico_ring *ring)
{
    rico_context *ctx = rico_document_context(document);
    *ring = (rico_ring){rico_given_integer(document, given, "particles"),
                        rico_given_real(document, given, "coupling"),
                        rico_given_real(document, given, "period"), NULL};
    rico_ring_impact *pattern = rico_alloc(ctx, ring->particles, sizeof *pattern);
    if (!pattern) return RICO_NO_MEMORY;
    ring->pattern = pattern;
    rico_status status = rico_ring_pattern_read(ctx, "at-start", rico_given_text(given, "at-start"),
                                                ring->particles, RICO_RING_AT_START, pattern);
    if (status == RICO_OK)
        status = rico_ring_pattern_read(ctx, "at-half", rico_given_text(given, "at-half"), ring->particles,
                                        RICO_RING_AT_HALF, pattern);
    return status;
}


static void forget_ring(rico_context *ctx, const rico_ring *ring)
{
    rico_free(ctx, (void *)ring->pattern);
}


// --- orbits --------------------------------------------------------------------------------------------------

static rico_status add_motion(const rico_ring_orbit *orbit, int64_t samples, rico_sheet *sheet)
{
    int64_t p = orbit->ring.particles, first = sheet->count + 1;
    double *t = NULL, *state = rico_alloc(sheet->ctx, 2 * p, sizeof *state);
    rico_status status = state ? RICO_OK : RICO_NO_MEMORY;
    if (status == RICO_OK) status = rico_sheet_add(sheet, "time", samples + 1, NULL, &t);
    for (int64_t n = 0; n < p && status == RICO_OK; n++) {
        char name[RICO_SHEET_NAME];
        snprintf(name, sizeof name, "y%lld", (long long)n);
        status = rico_sheet_add(sheet, name, samples + 1, NULL, NULL);
    }
    for (int64_t i = 0; i <= samples && status == RICO_OK; i++) {
        t[i] = orbit->ring.period * (double)i / (double)samples;
        rico_ring_orbit_at(orbit, t[i], state, state + p);
        for (int64_t n = 0; n < p; n++) sheet->column[first + n].value[i] = state[n];
    }
    rico_free(sheet->ctx, state);
    return status;
}


// All particles at the moments of impact.
static rico_status add_snapshots(const rico_ring_orbit *orbit, rico_sheet *sheet)
{
    int64_t p = orbit->ring.particles;
    double *particle = NULL;
    const struct {
        const char *name;
        const double *value;
    } columns[] = {{"y", orbit->y}, {"v", orbit->v}, {"y_half", orbit->y_half}, {"v_half", orbit->v_half}};
    rico_status status = rico_sheet_add(sheet, "particle", p, NULL, &particle);
    for (int64_t n = 0; n < p && status == RICO_OK; n++) particle[n] = (double)n;
    for (size_t k = 0; k < sizeof columns / sizeof *columns && status == RICO_OK; k++)
        status = rico_sheet_add(sheet, columns[k].name, p, columns[k].value, NULL);
    return status;
}


static rico_status add_numbers(const rico_ring_orbit *orbit, rico_sheet *sheet)
{
    const struct {
        const char *name;
        double value;
    } numbers[] = {
        {"feasible", orbit->verdict == RICO_RING_FEASIBLE},
        {"verdict", (double)orbit->verdict},
        {"energy", orbit->energy},
        {"amplitude", orbit->amplitude},
        {"gap", orbit->gap},
        {"gap_particle", (double)orbit->gap_particle},
        {"gap_time", orbit->gap_time},
        {"slowest", orbit->slowest},
        {"condition", orbit->condition},
        {"residual", orbit->residual},
    };
    rico_status status = RICO_OK;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers && status == RICO_OK; k++)
        status = rico_sheet_add_number(sheet, numbers[k].name, numbers[k].value);
    return status;
}


static rico_status compute_orbit(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    rico_ring ring;
    rico_ring_orbit *orbit = NULL;
    rico_status status = read_ring(document, given, &ring);
    if (status == RICO_OK) status = rico_ring_solve(sheet->ctx, &ring, &orbit);
    if (status == RICO_OK) status = add_motion(orbit, rico_given_integer(document, given, "samples"), sheet);
    if (status == RICO_OK) status = add_snapshots(orbit, sheet);
    if (status == RICO_OK) status = add_numbers(orbit, sheet);
    rico_ring_orbit_destroy(orbit);
    forget_ring(sheet->ctx, &ring);
    return status;
}


// --- branches ------------------------------------------------------------------------------------------------

static rico_status compute_branch(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    rico_ring ring;
    rico_ring_points points = {.ctx = sheet->ctx};
    bool coupling = strcmp(rico_given_text(given, "follow"), "coupling") == 0;
    rico_ring_path path = {.parameter = coupling ? RICO_RING_COUPLING : RICO_RING_PERIOD,
                           .to = rico_given_real(document, given, "to"),
                           .largest_step = rico_given_real(document, given, "step"),
                           .switching = rico_given_flag(document, given, "switch"),
                           .observe = rico_ring_points_note,
                           .user = &points};
    rico_ring_end end;
    rico_status status = read_ring(document, given, &ring);
    if (status == RICO_OK) status = rico_ring_continue(sheet->ctx, &ring, &path, &end);
    if (status == RICO_OK) status = points.status;
    if (status == RICO_OK) status = rico_ring_points_sheet(&points, sheet);
    if (status == RICO_OK) status = rico_sheet_add_number(sheet, "end", end.value);
    if (status == RICO_OK) status = rico_sheet_add_number(sheet, "end_reason", (double)end.reason);
    if (status == RICO_OK) status = rico_sheet_add_number(sheet, "end_particle", (double)end.particle);
    if (status == RICO_OK) status = rico_sheet_add_number(sheet, "end_time", end.time);
    if (status == RICO_OK) status = rico_sheet_add_number(sheet, "switches", (double)end.switches);
    if (status == RICO_OK) status = rico_sheet_add_number(sheet, "crossings", (double)end.crossings);
    rico_ring_points_release(&points);
    forget_ring(sheet->ctx, &ring);
    return status;
}


// --- multipliers ---------------------------------------------------------------------------------------------

enum { COUPLING, REAL, IMAG, MODULUS, EACH, LARGEST, OFF_CIRCLE, SPECTRUM };


// The multipliers of one orbit, behind those of `at` others.
static rico_status add_spectrum(rico_context *ctx, const rico_ring *ring, int64_t at,
                                double *const column[SPECTRUM])
{
    rico_ring_orbit *orbit = NULL;
    rico_ring_stability *stability = NULL;
    rico_status status = rico_ring_solve(ctx, ring, &orbit);
    if (status == RICO_OK) status = rico_ring_stability_create(orbit, 0.0, &stability);
    for (int64_t k = 0; status == RICO_OK && k < stability->count; k++) {
        int64_t row = at * stability->count + k;
        column[COUPLING][row] = ring->coupling;
        column[REAL][row] = stability->real[k];
        column[IMAG][row] = stability->imag[k];
        column[MODULUS][row] = hypot(stability->real[k], stability->imag[k]);
    }
    if (status == RICO_OK) {
        column[EACH][at] = ring->coupling;
        column[LARGEST][at] = stability->largest;
        column[OFF_CIRCLE][at] = (double)stability->off_circle;
    }
    rico_ring_stability_destroy(stability);
    rico_ring_orbit_destroy(orbit);
    return status;
}


// Moduli that can be told apart, once each: most of them are 1.
static rico_status add_distinct(rico_sheet *sheet, int64_t each, int64_t couplings,
                                double *const column[SPECTRUM])
{
    double *at = NULL, *modulus = NULL;
    int64_t count = 0;
    for (int64_t pass = 0; pass < 2; pass++) {
        int64_t seen = 0;
        for (int64_t row = 0; row < each * couplings; row++) {
            bool again = row % each > 0 && column[MODULUS][row - 1] - column[MODULUS][row] < 1e-5;
            if (again) continue;
            if (pass == 1) {
                at[seen] = column[COUPLING][row];
                modulus[seen] = column[MODULUS][row];
            }
            seen++;
        }
        if (pass == 1) break;
        count = seen;
        rico_status status = rico_sheet_add(sheet, "distinct_coupling", count, NULL, &at);
        if (status == RICO_OK) status = rico_sheet_add(sheet, "distinct_modulus", count, NULL, &modulus);
        if (status != RICO_OK) return status;
    }
    return RICO_OK;
}


// Rows of all multipliers of all couplings; and one row for each coupling.
static rico_status compute_multipliers(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    static const char *const NAMES[SPECTRUM] = {"coupling", "real",    "imag",      "modulus",
                                                "each",     "largest", "off_circle"};
    const rico_node *list = rico_node_at(given, "couplings");
    rico_ring ring;
    double *couplings = NULL, *column[SPECTRUM] = {NULL};
    int64_t count = 1;
    rico_status status = read_ring(document, given, &ring);
    if (status == RICO_OK && list) status = rico_document_reals(document, list, &count, &couplings);
    for (int k = 0; k < SPECTRUM && status == RICO_OK; k++)
        status =
            rico_sheet_add(sheet, NAMES[k], k < EACH ? 2 * ring.particles * count : count, NULL, &column[k]);
    for (int64_t i = 0; i < count && status == RICO_OK; i++) {
        if (list) ring.coupling = couplings[i];
        status = add_spectrum(sheet->ctx, &ring, i, column);
    }
    if (status == RICO_OK) status = add_distinct(sheet, 2 * ring.particles, count, column);
    rico_free(sheet->ctx, couplings);
    forget_ring(sheet->ctx, &ring);
    return status;
}


// --- maps ----------------------------------------------------------------------------------------------------

static rico_status compute_map(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    rico_ring ring;
    double *gamma = NULL, *period = NULL;
    int64_t count = 0, three = 0;
    rico_status status = read_ring(document, given, &ring);
    if (status == RICO_OK) status = rico_given_range(document, given, "couplings", &count, &gamma);
    if (status == RICO_OK)
        status = rico_document_reals(document, rico_node_at(given, "periods"), &three, &period);
    if (status == RICO_OK) {
        const rico_ring_area area = {gamma[0], gamma[count - 1], count, period[0], period[1], period[2]};
        status = rico_ring_map(&ring, &area, sheet);
    }
    rico_free(sheet->ctx, gamma);
    rico_free(sheet->ctx, period);
    forget_ring(sheet->ctx, &ring);
    return status;
}


// --- runs ----------------------------------------------------------------------------------------------------

static rico_status compute_run(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    rico_ring ring;
    rico_ring_orbit *orbit = NULL;
    const rico_ring_run run = {.periods = rico_given_integer(document, given, "periods"),
                               .samples = rico_given_integer(document, given, "samples"),
                               .first = rico_given_integer(document, given, "first"),
                               .last = rico_given_integer(document, given, "last"),
                               .tolerance = rico_given_real(document, given, "tolerance")};
    rico_status status = read_ring(document, given, &ring);
    if (status == RICO_OK) status = rico_ring_solve(sheet->ctx, &ring, &orbit);
    if (status == RICO_OK) status = rico_ring_run_sheet(orbit, &run, sheet);
    rico_ring_orbit_destroy(orbit);
    forget_ring(sheet->ctx, &ring);
    return status;
}


// --- walls that give way -------------------------------------------------------------------------------------

static rico_status compute_compliant(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    rico_ring ring;
    rico_ring_orbit *rigid = NULL;
    rico_ring_compliant *soft = NULL;
    double off = 0.0, *state = NULL;
    rico_status status = read_ring(document, given, &ring);
    if (status == RICO_OK) status = rico_ring_solve(sheet->ctx, &ring, &rigid);
    if (status == RICO_OK)
        status = rico_ring_compliant_solve(rigid, rico_given_real(document, given, "stiffness"),
                                           rico_given_real(document, given, "exponent"),
                                           rico_given_real(document, given, "tolerance"), &soft);
    if (status == RICO_OK) {
        state = rico_alloc(sheet->ctx, 2 * ring.particles, sizeof *state);
        if (!state) status = RICO_NO_MEMORY;
    }
    if (status == RICO_OK) {
        // a quarter of the period from the impacts
        rico_ring_orbit_at(rigid, 0.25 * ring.period, state, state + ring.particles);
        for (int64_t n = 0; n < ring.particles; n++) off = fmax(off, fabs(soft->quarter[n] - state[n]));
        status = rico_sheet_add_number(sheet, "off", off);
    }
    if (status == RICO_OK) status = rico_sheet_add_number(sheet, "energy_off", soft->energy - rigid->energy);
    if (status == RICO_OK) status = rico_sheet_add_number(sheet, "deepest", soft->deepest);
    if (status == RICO_OK) status = rico_sheet_add_number(sheet, "residual", soft->residual);
    if (status == RICO_OK) status = rico_sheet_add_number(sheet, "iterations", (double)soft->iterations);
    if (status == RICO_OK) status = rico_sheet_add_number(sheet, "evaluations", (double)soft->evaluations);
    rico_free(sheet->ctx, state);
    rico_ring_compliant_destroy(soft);
    rico_ring_orbit_destroy(rigid);
    forget_ring(sheet->ctx, &ring);
    return status;
}


// --- closed forms --------------------------------------------------------------------------------------------

// Positions y1 (it strikes at T/2) and y2 (at 0, or with the other) over a period: the second half is the first in a mirror.
static rico_status add_form(rico_sheet *sheet, bool in_phase, double coupling, double period, int64_t samples)
{
    double *t = NULL, *y1 = NULL, *y2 = NULL;
    rico_status status = rico_sheet_add(sheet, "time", samples + 1, NULL, &t);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "y1", samples + 1, NULL, &y1);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "y2", samples + 1, NULL, &y2);
    for (int64_t i = 0; i <= samples && status == RICO_OK; i++) {
        double both[2];
        t[i] = period * (double)i / (double)samples;
        double half = t[i] <= 0.5 * period ? t[i] : period - t[i];
        if (in_phase)
            both[0] = both[1] = rico_ring_in_phase(period, half);
        else
            rico_ring_out_of_phase(coupling, period, half, both);
        y1[i] = both[0];
        y2[i] = both[1];
    }
    return status;
}


static rico_status compute_closed_form(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    bool in_phase = strcmp(rico_given_text(given, "mode"), "in-phase") == 0;
    double coupling = rico_given_real(document, given, "coupling"), *periods = NULL, *speeds = NULL;
    double period = rico_given_real(document, given, "period");
    int64_t count = 0;
    rico_status status = rico_given_range(document, given, "periods", &count, &periods);
    if (status == RICO_OK)
        status = add_form(sheet, in_phase, coupling, period, rico_given_integer(document, given, "samples"));
    if (status == RICO_OK) status = rico_sheet_add(sheet, "T", count, periods, NULL);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "speeds", count, NULL, &speeds);
    for (int64_t i = 0; i < count && status == RICO_OK; i++)
        speeds[i] = in_phase ? rico_ring_in_phase_speed(periods[i])
                             : rico_ring_out_of_phase_speed(coupling, periods[i]);
    if (status == RICO_OK)
        status = rico_sheet_add_number(sheet, "speed",
                                       in_phase ? rico_ring_in_phase_speed(period)
                                                : rico_ring_out_of_phase_speed(coupling, period));
    if (status == RICO_OK)
        status =
            rico_sheet_add_number(sheet, "start", in_phase ? M_PI : rico_ring_out_of_phase_start(coupling));
    rico_free(sheet->ctx, periods);
    return status;
}


// The linear mode that just touches the wall, at 0: y_n = cos(2 pi k n/p), all at rest.
static rico_status compute_linear(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    int64_t p = rico_given_integer(document, given, "particles");
    int64_t k = rico_given_integer(document, given, "mode");
    double coupling = rico_given_real(document, given, "coupling"), *particle = NULL, *y = NULL, *v = NULL;
    rico_status status = rico_sheet_add(sheet, "particle", p, NULL, &particle);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "y", p, NULL, &y);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "v", p, NULL, &v);
    for (int64_t n = 0; n < p && status == RICO_OK; n++) {
        particle[n] = (double)n;
        y[n] = cos(2.0 * M_PI * (double)(k * n % p) / (double)p);
        v[n] = 0.0;
    }
    if (status == RICO_OK)
        status = rico_sheet_add_number(sheet, "period", 2.0 * M_PI / rico_ring_frequency(p, coupling, k));
    return status;
}


const rico_computation rico_ring_computations[] = {
    {"ring-orbit", "an orbit: a period of all positions, all particles at the impacts, its numbers", ORBIT,
     compute_orbit},
    {"ring-branch", "points of a branch in the coupling or the period, and where and why it ends", BRANCH,
     compute_branch},
    {"ring-multipliers", "Floquet multipliers of one orbit, or over couplings", MULTIPLIERS,
     compute_multipliers},
    {"ring-map", "where over coupling and period a pattern has orbits", MAP, compute_map},
    {"ring-run", "an orbit run by the event-driven integrator, and how far it goes astray", RUN, compute_run},
    {"ring-compliant", "the orbit of walls that give way, its distance from that of rigid ones, its cost",
     COMPLIANT, compute_compliant},
    {"ring-linear", "a linear mode that just touches the wall", LINEAR, compute_linear},
    {"ring-closed-form", "modes of spatial period one and two by their formulas", CLOSED_FORM,
     compute_closed_form},
    {NULL},
};
