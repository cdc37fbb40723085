// Computations of rings of impact oscillators whose particles strike several times: orbits, branches, searches, and the bridge of neighbours that
// strike twice each.

#include "lab/computation.h"
#include "lab/ring_run.h"
#include "lab/ring_search.h"
#include "lab/ring_strikes.h"

#include <math.h>
#include <string.h>

// What every orbit is given. A table of keys cannot be a function.
#define SEQUENCE_KEYS                                                                                        \
    {"particles", RICO_WANT_INTEGER, .standard = "2", .low = 1, .high = 200, .help = "numbered from 0"},     \
        {"coupling", RICO_WANT_REAL, .standard = "0.1",                                                      \
         .low = 0,   .high = 1e6,    .help = "stiffness between neighbours"},                                \
        {"period", RICO_WANT_REAL, .standard = "3*pi/2", .low = 1e-6, .high = 1e6, .help = "of the orbit"},  \
        {"upper", RICO_WANT_REAL, .low = 1e-6, .high = 1e6, .help = "place of an upper wall"},               \
    {                                                                                                        \
        "strikes", RICO_WANT_TEXTS,                                                                          \
            .flags = RICO_KEY_REQUIRED, .least = 1, .most = 200,                                             \
            .help =                                                                                          \
                "who strikes when, about: [\"1@0\", \"0@0.25\"], shares of the period; \"0^0.5\" at the "    \
                "upper wall"                                                                                 \
    }

static const rico_schema_key SEQUENCE[] = {
    SEQUENCE_KEYS,
    {"samples", RICO_WANT_INTEGER, .standard = "400", .low = 2, .high = 1e6, .help = "times of a period"},
    {NULL},
};

static const char *parameter_name(int index)
{
    static const char *const NAMES[] = {"period", "coupling", NULL};
    return NAMES[index];
}


static const rico_schema_key FOLLOW[] = {
    SEQUENCE_KEYS,
    {"follow", RICO_WANT_CHOICE, .standard = "period", .choice = parameter_name, .help = "in what"},
    {"to", RICO_WANT_REAL, .flags = RICO_KEY_REQUIRED, .low = 0, .high = 1e6, .help = "where to"},
    {"step", RICO_WANT_REAL, .standard = "0", .low = 0, .high = 1e6,
     .help = "largest step; 0 is a two-hundredth of the way"},
    {NULL},
};

static const rico_schema_key SEARCH[] = {
    {"coupling", RICO_WANT_REAL, .standard = "0.1", .low = 0, .high = 1e6,
     .help = "stiffness between neighbours"},
    {"strikes", RICO_WANT_REALS, .flags = RICO_KEY_REQUIRED, .least = 1, .most = RICO_RING_SEARCHED, .low = 0,
     .high = 16, .help = "impacts of each particle in a period; as many particles as entries"},
    {"upper", RICO_WANT_REAL, .low = 1e-6, .high = 1e6,
     .help = "place of an upper wall, where every second impact of a particle is"},
    {"periods", RICO_WANT_REALS, .flags = RICO_KEY_REQUIRED, .least = 3, .most = 3,
     .help = "[first, last, how many]"},
    {"starts", RICO_WANT_INTEGER, .standard = "100", .low = 1, .high = 1e6, .help = "at each period"},
    {"seed", RICO_WANT_INTEGER, .standard = "1", .low = 0, .high = 1e9, .help = "of the random times"},
    {NULL},
};

static const rico_schema_key SCAN[] = {
    {"coupling", RICO_WANT_REAL, .standard = "0.1", .low = 0, .high = 1e6,
     .help = "stiffness between neighbours"},
    {"periods", RICO_WANT_REALS, .flags = RICO_KEY_REQUIRED, .least = 3, .most = 3,
     .help = "[first, last, how many]"},
    {"cells", RICO_WANT_INTEGER, .standard = "1000", .low = 10, .high = 1e7, .help = "of a period"},
    {NULL},
};

static const rico_schema_key BRIDGE[] = {
    {"coupling", RICO_WANT_REAL, .standard = "0.4", .flags = RICO_KEY_ABOVE | RICO_KEY_BELOW, .low = 0,
     .high = 0.75, .help = "stiffness between neighbours"},
    {"share", RICO_WANT_REAL, .standard = "0.5", .low = 0, .high = 1,
     .help = "0: all together, 1: neighbours in turn, grazing"},
    {"shares", RICO_WANT_INTEGER, .standard = "50", .low = 2, .high = 1e5, .help = "of the curves over it"},
    {"samples", RICO_WANT_INTEGER, .standard = "400", .low = 2, .high = 1e6, .help = "times of a period"},
    {NULL},
};


// --- what is given -------------------------------------------------------------------------------------------

static double upper_wall(rico_document *document, const rico_node *given)
{
    return rico_node_at(given, "upper") ? rico_given_real(document, given, "upper") : INFINITY;
}


static rico_status read_strike(rico_document *document, const rico_node *word, double period,
                               rico_ring_strike *strike)
{
    const char *rest = NULL;
    rico_status status =
        rico_ring_strike_read(rico_document_context(document), word->text, period, strike, &rest);
    if (status != RICO_OK) return rico_document_fail_in(document, word, status);
    if (*rest != '\0') return rico_document_fail(document, word, "'%s' is more than one impact", word->text);
    return RICO_OK;
}


// The start of an orbit, with strikes to be freed.
static rico_status read_start(rico_document *document, const rico_node *given, rico_ring_sequence *start)
{
    const rico_node *strikes = rico_node_at(given, "strikes");
    rico_context *ctx = rico_document_context(document);
    *start = (rico_ring_sequence){.particles = rico_given_integer(document, given, "particles"),
                                  .coupling = rico_given_real(document, given, "coupling"),
                                  .period = rico_given_real(document, given, "period"),
                                  .upper = upper_wall(document, given)};
    start->strike = rico_alloc(ctx, strikes->count, sizeof *start->strike);
    rico_status status = start->strike ? RICO_OK : RICO_NO_MEMORY;
    for (const rico_node *word = strikes->first; word && status == RICO_OK; word = word->next)
        status = read_strike(document, word, start->period, &start->strike[start->count++]);
    return status;
}


// --- orbits --------------------------------------------------------------------------------------------------

static rico_status add_numbers(const rico_ring_sequence *orbit, rico_sheet *sheet)
{
    rico_ring_stability *stability = NULL;
    double error = NAN;
    bool feasible = orbit->verdict == RICO_RING_FEASIBLE;
    rico_status status = RICO_OK;
    if (feasible) status = rico_ring_sequence_stability(orbit, 0.0, &stability);
    if (feasible && status == RICO_OK) status = rico_ring_return_error(orbit, &error);
    const struct {
        const char *name;
        double value;
    } numbers[] = {
        {"feasible", feasible},
        {"verdict", (double)orbit->verdict},
        {"energy", orbit->energy},
        {"gap", orbit->gap},
        {"slowest", orbit->slowest},
        {"residual", orbit->residual},
        {"largest", stability ? stability->largest : NAN},
        {"return_error", error},
    };
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers && status == RICO_OK; k++)
        status = rico_sheet_add_number(sheet, numbers[k].name, numbers[k].value);
    rico_ring_stability_destroy(stability);
    return status;
}


static rico_status compute_sequence(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    rico_ring_sequence start, *orbit = NULL;
    rico_status status = read_start(document, given, &start);
    if (status == RICO_OK) status = rico_ring_sequence_solve(sheet->ctx, &start, &orbit);
    if (status == RICO_OK)
        status = rico_ring_sequence_sheet(orbit, rico_given_integer(document, given, "samples"), sheet);
    if (status == RICO_OK) status = add_numbers(orbit, sheet);
    rico_ring_sequence_destroy(orbit);
    rico_free(sheet->ctx, start.strike);
    return status;
}


// --- branches ------------------------------------------------------------------------------------------------

static rico_status compute_follow(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    bool period = strcmp(rico_given_text(given, "follow"), "period") == 0;
    rico_ring_trail trail = {.ctx = sheet->ctx};
    rico_ring_sequence start;
    rico_ring_end end;
    const rico_ring_sequence_path path = {.parameter = period ? RICO_RING_PERIOD : RICO_RING_COUPLING,
                                          .to = rico_given_real(document, given, "to"),
                                          .largest_step = rico_given_real(document, given, "step"),
                                          .observe = rico_ring_trail_note,
                                          .user = &trail};
    rico_status status = read_start(document, given, &start);
    if (status == RICO_OK) status = rico_ring_sequence_follow(sheet->ctx, &start, &path, &end);
    if (status == RICO_OK) status = trail.status;
    if (status == RICO_OK) status = rico_ring_trail_sheet(&trail, sheet);
    if (status == RICO_OK) status = rico_sheet_add_number(sheet, "end", end.value);
    if (status == RICO_OK) status = rico_sheet_add_number(sheet, "end_reason", (double)end.reason);
    if (status == RICO_OK) status = rico_sheet_add_number(sheet, "end_particle", (double)end.particle);
    rico_ring_trail_release(&trail);
    rico_free(sheet->ctx, start.strike);
    return status;
}


// --- searches ------------------------------------------------------------------------------------------------

static rico_status compute_search(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    rico_ring_search search = {.coupling = rico_given_real(document, given, "coupling"),
                               .upper = upper_wall(document, given),
                               .starts = rico_given_integer(document, given, "starts"),
                               .seed = (uint64_t)rico_given_integer(document, given, "seed")};
    double *strikes = NULL, *periods = NULL;
    int64_t count = 0;
    rico_status status =
        rico_document_reals(document, rico_node_at(given, "strikes"), &search.particles, &strikes);
    for (int64_t n = 0; n < search.particles && status == RICO_OK; n++)
        search.strikes[n] = (int64_t)strikes[n];
    if (status == RICO_OK) status = rico_given_range(document, given, "periods", &count, &periods);
    if (status == RICO_OK) status = rico_ring_search_sheet(&search, count, periods, sheet);
    rico_free(sheet->ctx, strikes);
    rico_free(sheet->ctx, periods);
    return status;
}


static rico_status compute_scan(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    double *periods = NULL;
    int64_t count = 0;
    rico_status status = rico_given_range(document, given, "periods", &count, &periods);
    if (status == RICO_OK)
        status = rico_ring_scan_sheet(rico_given_real(document, given, "coupling"),
                                      rico_given_integer(document, given, "cells"), count, periods, sheet);
    rico_free(sheet->ctx, periods);
    return status;
}


// --- the bridge ----------------------------------------------------------------------------------------------

// Positions over a period: the second half is the first in a mirror.
static rico_status add_bridge(double coupling, double share, int64_t samples, rico_sheet *sheet)
{
    double *t = NULL, *y1 = NULL, *y2 = NULL, period = 4.0 * M_PI / sqrt(1.0 + 4.0 * coupling);
    rico_status status = rico_sheet_add(sheet, "time", samples + 1, NULL, &t);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "y1", samples + 1, NULL, &y1);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "y2", samples + 1, NULL, &y2);
    for (int64_t i = 0; i <= samples && status == RICO_OK; i++) {
        double y[2], v[2];
        t[i] = period * (double)i / (double)samples;
        rico_ring_bridge(coupling, share, fmin(t[i], period - t[i]), y, v);
        y1[i] = y[0];
        y2[i] = y[1];
    }
    return status == RICO_OK ? rico_sheet_add_number(sheet, "period", period) : status;
}


static rico_status compute_bridge(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    static const char *const NAMES[] = {"share", "T", "energy", "slowest", "largest"};
    double coupling = rico_given_real(document, given, "coupling"), *column[5];
    int64_t count = rico_given_integer(document, given, "shares");
    rico_status status = add_bridge(coupling, rico_given_real(document, given, "share"),
                                    rico_given_integer(document, given, "samples"), sheet);
    for (int k = 0; k < 5 && status == RICO_OK; k++)
        status = rico_sheet_add(sheet, NAMES[k], count, NULL, &column[k]);
    for (int64_t i = 0; i < count && status == RICO_OK; i++) {
        double y[2], v[2];
        rico_ring_stability *stability = NULL;
        column[0][i] = (double)i / (double)count; // at 1 an impact grazes
        rico_ring_bridge(coupling, column[0][i], 0.0, y, v);
        column[1][i] = 4.0 * M_PI / sqrt(1.0 + 4.0 * coupling);
        column[2][i] = 0.5 * (v[0] * v[0] + v[1] * v[1]) + 1.0;
        column[3][i] = v[0];
        status = rico_ring_bridge_stability(sheet->ctx, coupling, column[0][i], &stability);
        if (status == RICO_OK) column[4][i] = stability->largest;
        rico_ring_stability_destroy(stability);
    }
    return status;
}


const rico_computation rico_ring_many_computations[] = {
    {"ring-sequence", "an orbit with any impacts, found from their times: motion, impulses, its numbers",
     SEQUENCE, compute_sequence},
    {"ring-follow", "a branch of such orbits in the period or the coupling, and where and why it ends",
     FOLLOW, compute_follow},
    {"ring-search", "orbits in which particles strike so many times, from impacts at random", SEARCH,
     compute_search},
    {"ring-scan", "all orbits of two neighbours with two impacts each, one half a period after the other",
     SCAN, compute_scan},
    {"ring-bridge", "two particles that both strike at 0 and T/2, T = 4 pi/Omega", BRIDGE, compute_bridge},
    {NULL},
};
