// rico ring: periodic orbits of a ring of impact oscillators, their stability and their branches.

#include "app/ring.h"
#include "base/table.h"
#include "lab/ring_pattern.h"
#include "lab/ring_report.h"
#include "store/target.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const FOLLOW[] = {"nothing", "coupling", "period", NULL};

static const rico_cli_option OPTIONS[] = {
    {.name = "particles",
     .value = "N",
     .help = "particles of the ring, numbered from 0",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(orbit_settings, particles),
     .low = 1,
     .high = MOST_PARTICLES},
    {.name = "coupling",
     .value = "GAMMA",
     .help = "stiffness between neighbours, over that of a particle's own spring",
     .kind = RICO_CLI_REAL,
     .field = offsetof(orbit_settings, coupling),
     .low = 0.0,
     .high = 1e6},
    {.name = "period",
     .value = "T",
     .help = "period of the orbit; 2 pi is that of a particle alone without its wall",
     .kind = RICO_CLI_REAL,
     .field = offsetof(orbit_settings, period),
     .low = 1e-6,
     .high = 1e6},
    {.name = "at-start",
     .value = "LIST",
     .help = "particles that strike at 0: 50 or 3,5 or 45:55 or 0:98:2",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(orbit_settings, at_start)},
    {.name = "at-half",
     .value = "LIST",
     .help = "particles that strike at T/2",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(orbit_settings, at_half)},
    {.name = "continue",
     .help = "follow the branch of the orbit in a parameter",
     .kind = RICO_CLI_CHOICE,
     .field = offsetof(orbit_settings, follow),
     .choices = FOLLOW},
    {.name = "to",
     .value = "X",
     .help = "where to follow it",
     .kind = RICO_CLI_REAL,
     .field = offsetof(orbit_settings, to),
     .low = 0.0,
     .high = 1e6},
    {.name = "step",
     .value = "H",
     .help = "largest step on the way; 0 is a hundredth of it",
     .kind = RICO_CLI_REAL,
     .field = offsetof(orbit_settings, step),
     .low = 0.0,
     .high = 1e6},
    {.name = "switch",
     .help = "go on with another pattern where a particle grazes at 0 or T/2",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(orbit_settings, switching)},
    {.name = "strikes",
     .value = "LIST",
     .help = "instead of a pattern: about when who strikes, in shares of the period, 1@0,0@0.25; 0^0.5 at an "
             "upper wall",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(orbit_settings, strikes)},
    {.name = "upper",
     .value = "B",
     .help = "place of an upper wall, for --strikes; 0: none",
     .kind = RICO_CLI_REAL,
     .field = offsetof(orbit_settings, upper),
     .low = 0.0,
     .high = 1e6},
    {.name = "intervals",
     .value = "RANGE",
     .help = "all intervals with orbits of the pattern: period=2:6.28 or coupling=0:1, --step the scan's",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(orbit_settings, intervals)},
    {.name = "map",
     .value = "RANGE",
     .help = "the same over couplings LOW:HIGH:N, for the periods of --periods",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(orbit_settings, map)},
    {.name = "periods",
     .value = "RANGE",
     .help = "periods LOW:HIGH of --map",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(orbit_settings, periods)},
    {.name = "tol",
     .value = "TOL",
     .help =
         "distance from the unit circle that counts for multipliers; 0 is 1e-5 or what round-off asks for",
     .kind = RICO_CLI_REAL,
     .field = offsetof(orbit_settings, tolerance),
     .low = 0.0,
     .high = 1.0},
    {.name = "output",
     .value = "FIGURE",
     .help = "draw the orbit, or the branch: a file .svg, .png or .pdf",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(orbit_settings, output)},
    {.name = "csv",
     .value = "FILE",
     .help = "write a period of the orbit, or the points of the branch",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(orbit_settings, csv)},
    {0},
};


// --- tables --------------------------------------------------------------------------------------------------

static void print_impacts(FILE *out, const rico_ring_orbit *orbit)
{
    rico_print_column columns[] = {{"particle", 8, true}, {"strikes at", 10, false}, {"speed", 14, true}};
    int64_t listed = 0, left = 0;
    rico_table_head(out, columns, 3);
    for (int64_t n = 0; n < orbit->ring.particles; n++) {
        if (orbit->ring.pattern[n] == RICO_RING_NEVER) continue;
        if (listed++ >= LISTED) {
            left++;
            continue;
        }
        char number[CELL], speed[CELL];
        bool start = orbit->ring.pattern[n] == RICO_RING_AT_START;
        snprintf(number, sizeof number, "%lld", (long long)n);
        snprintf(speed, sizeof speed, "%.10g", start ? orbit->v[n] : -orbit->v_half[n]);
        const char *cells[] = {number, start ? "0" : "T/2", speed};
        rico_table_row(out, columns, 3, cells);
    }
    if (left > 0) fprintf(out, "... and %lld more\n", (long long)left);
}


static void print_orbit(FILE *out, const rico_ring_orbit *orbit)
{
    fprintf(out, "ring of %lld particles, coupling %.10g, period %.10g\n\n", (long long)orbit->ring.particles,
            orbit->ring.coupling, orbit->ring.period);
    print_impacts(out, orbit);
    fprintf(out, "\nenergy        %.10g\n", orbit->energy);
    fprintf(out, "amplitude     %.10g\n", orbit->amplitude);
    fprintf(out, "smallest gap  %.6g, of particle %lld at t = %.6g\n", orbit->gap,
            (long long)orbit->gap_particle, orbit->gap_time);
    fprintf(out, "residual      %.1e, condition %.3g\n", orbit->residual, orbit->condition);
    if (orbit->verdict == RICO_RING_FEASIBLE) return;
    bool slow = orbit->verdict == RICO_RING_NO_IMPACT;
    fprintf(out, "verdict       no orbit: %s (particle %lld)\n", rico_ring_verdict_words(orbit->verdict),
            (long long)(slow ? orbit->slowest_particle : orbit->gap_particle));
}


void rico_orbit_print_stability(FILE *out, const rico_ring_stability *stability)
{
    fprintf(out, "multipliers   largest modulus %.8g, %lld of %lld off the unit circle\n", stability->largest,
            (long long)stability->off_circle, (long long)stability->count);
    for (int64_t k = 0; k < stability->off_circle / 2 && k < LISTED; k++)
        fprintf(out, "              %.8g %+.8g i\n", stability->real[k], stability->imag[k]);
    fprintf(out, "symplectic    to %.1e\n", stability->symplectic);
    fprintf(out, "verdict       %s\n", stability->stable ? "stable (linearly)" : "unstable");
}


static void print_branch(FILE *out, const rico_ring_points *points, const rico_ring_end *end,
                         rico_ring_parameter parameter)
{
    static const int SHOWN[] = {0, 1, 2, 3, 4, 6, 7};
    enum { COUNT = sizeof SHOWN / sizeof *SHOWN };
    rico_print_column columns[COUNT];
    for (int k = 0; k < COUNT; k++)
        columns[k] = (rico_print_column){rico_ring_column_name(SHOWN[k]), 12, true};
    fprintf(out, "\n");
    rico_table_head(out, columns, COUNT);
    int64_t rows = points->count < ROWS ? points->count : ROWS;
    for (int64_t i = 0; i < rows; i++) {
        int64_t at = rows > 1 ? i * (points->count - 1) / (rows - 1) : 0;
        char text[COUNT][CELL];
        const char *cells[COUNT];
        for (int k = 0; k < COUNT; k++) {
            snprintf(text[k], CELL, "%.8g", points->value[at * RICO_RING_COLUMNS + SHOWN[k]]);
            cells[k] = text[k];
        }
        rico_table_row(out, columns, COUNT, cells);
    }
    fprintf(out, "\n%lld points, %lld changes of pattern, %lld crossings of a singular problem\n",
            (long long)end->points, (long long)end->switches, (long long)end->crossings);
    rico_orbit_print_end(out, end, parameter);
}


void rico_orbit_print_end(FILE *out, const rico_ring_end *end, rico_ring_parameter parameter)
{
    const char *what = parameter == RICO_RING_COUPLING ? "coupling" : "period";
    if (end->reason == RICO_RING_FEASIBLE)
        fprintf(out, "followed to %s %.12g\n", what, end->value);
    else
        fprintf(out, "ends at %s %.9f: %s", what, end->value, rico_ring_verdict_words(end->reason));
    if (end->reason != RICO_RING_FEASIBLE && end->particle >= 0)
        fprintf(out, " (particle %lld, t = %.6g)", (long long)end->particle, end->time);
    if (end->reason != RICO_RING_FEASIBLE) fprintf(out, "\n");
}


// --- work ----------------------------------------------------------------------------------------------------

static rico_status follow_branch(rico_app *app, const orbit_settings *settings, const rico_ring *ring)
{
    bool coupling = settings->follow == FOLLOW_COUPLING;
    double from = coupling ? ring->coupling : ring->period;
    rico_ring_points points = {.ctx = app->ctx};
    rico_ring_path path = {.parameter = coupling ? RICO_RING_COUPLING : RICO_RING_PERIOD,
                           .to = settings->to,
                           .largest_step =
                               settings->step > 0.0 ? settings->step : 0.01 * fabs(settings->to - from),
                           .switching = settings->switching,
                           .observe = rico_ring_points_note,
                           .user = &points};
    rico_ring_end end;
    rico_sheet sheet = {.ctx = app->ctx};
    rico_status status = rico_ring_continue(app->ctx, ring, &path, &end);
    if (status == RICO_OK) status = points.status;
    if (status == RICO_OK) print_branch(app->out, &points, &end, path.parameter);
    if (status == RICO_OK && settings->csv) status = rico_ring_points_sheet(&points, &sheet);
    if (status == RICO_OK && settings->csv) status = rico_sheet_write_csv(&sheet, settings->csv);
    if (status == RICO_OK && settings->output)
        status = rico_ring_points_draw(&points, path.parameter, "branch of a ring", settings->output);
    rico_sheet_release(&sheet);
    rico_ring_points_release(&points);
    return status;
}


static rico_status write_orbit(rico_app *app, const orbit_settings *settings, const rico_ring_orbit *orbit,
                               const rico_ring_stability *stability)
{
    rico_sheet sheet = {.ctx = app->ctx};
    rico_status status = RICO_OK;
    if (settings->csv) status = rico_ring_orbit_sheet(orbit, stability, &sheet);
    if (status == RICO_OK && settings->csv) status = rico_sheet_write_csv(&sheet, settings->csv);
    rico_sheet_release(&sheet);
    if (status == RICO_OK && settings->output) {
        char title[96];
        snprintf(title, sizeof title, "ring of %lld, coupling %.6g, period %.6g",
                 (long long)orbit->ring.particles, orbit->ring.coupling, orbit->ring.period);
        status = rico_ring_draw(app->ctx, orbit, stability, title, settings->output);
    }
    return status;
}


static rico_status find_orbit(rico_app *app, const orbit_settings *settings, const rico_ring *ring, int *code)
{
    rico_ring_orbit *orbit;
    rico_ring_stability *stability = NULL;
    rico_status status = rico_ring_solve(app->ctx, ring, &orbit);
    if (status != RICO_OK) return status;
    print_orbit(app->out, orbit);
    if (orbit->verdict == RICO_RING_FEASIBLE) {
        status = rico_ring_stability_create(orbit, settings->tolerance, &stability);
        if (status == RICO_OK) rico_orbit_print_stability(app->out, stability);
        if (status == RICO_OK && settings->follow != FOLLOW_NOTHING)
            status = follow_branch(app, settings, ring);
    } else {
        *code = RICO_EXIT_UNSOLVED;
    }
    if (status == RICO_OK && settings->follow == FOLLOW_NOTHING)
        status = write_orbit(app, settings, orbit, stability);
    rico_ring_stability_destroy(stability);
    rico_ring_orbit_destroy(orbit);
    return status;
}


// A pattern or a list of strikes, and one thing to do with it.
static rico_status check_kind(rico_context *ctx, const orbit_settings *settings)
{
    bool pattern = settings->at_start || settings->at_half, follow = settings->follow != FOLLOW_NOTHING;
    if (!pattern && !settings->strikes)
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "who strikes? --at-start, --at-half or both are needed, or --strikes");
    if (pattern && settings->strikes)
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "--strikes says who strikes: --at-start and --at-half do not go with it");
    if (settings->upper > 0.0 && !settings->strikes)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "an upper wall needs --strikes");
    if ((settings->intervals || settings->map) && settings->strikes)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "intervals and maps are of patterns, not of --strikes");
    if ((settings->intervals != NULL) + (settings->map != NULL) + follow > 1)
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "--continue, --intervals and --map are three questions: ask one");
    if ((settings->map == NULL) != (settings->periods == NULL))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "--map and --periods go together");
    if (settings->intervals && settings->output)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "intervals are a table: --map draws them over couplings");
    return RICO_OK;
}


static rico_status check(rico_app *app, const orbit_settings *settings, const rico_cli_words *words)
{
    rico_context *ctx = app->ctx;
    if (words->count != 0)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a ring is all in its options; got '%s'", words->item[0]);
    rico_status status = check_kind(ctx, settings);
    if (status != RICO_OK) return status;
    if (settings->follow != FOLLOW_NOTHING && isnan(settings->to))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "--continue %s needs --to", FOLLOW[settings->follow]);
    if (settings->follow == FOLLOW_NOTHING && !isnan(settings->to))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "--to needs --continue coupling or period");
    if (settings->output) status = rico_target_check(ctx, settings->output, RICO_TARGET_PICTURE, NULL, NULL);
    if (status == RICO_OK && settings->csv)
        status = rico_target_check(ctx, settings->csv, RICO_TARGET_TABLE, NULL, NULL);
    return status;
}


static int run(rico_app *app, int argc, char **argv)
{
    const rico_command *self = &rico_command_ring;
    orbit_settings settings = {.particles = 100, .coupling = 0.1, .period = 1.5 * M_PI, .to = NAN};
    rico_cli_words words;
    int code;
    if (!rico_app_parse(app, self, argc, argv, &settings, &words, &code)) return code;
    code = RICO_EXIT_DONE;
    rico_ring_impact *pattern = NULL;
    rico_status status = check(app, &settings, &words);
    if (status == RICO_OK) {
        pattern = rico_alloc(app->ctx, settings.particles, sizeof *pattern);
        if (!pattern) status = RICO_NO_MEMORY;
    }
    if (status == RICO_OK)
        status = rico_ring_pattern_read(app->ctx, "--at-start", settings.at_start, settings.particles,
                                        RICO_RING_AT_START, pattern);
    if (status == RICO_OK)
        status = rico_ring_pattern_read(app->ctx, "--at-half", settings.at_half, settings.particles,
                                        RICO_RING_AT_HALF, pattern);
    rico_ring ring = {settings.particles, settings.coupling, settings.period, pattern};
    if (status == RICO_OK) {
        if (settings.strikes)
            status = rico_orbit_strikes(app, &settings, &code);
        else if (settings.intervals || settings.map)
            status = rico_orbit_intervals(app, &settings, &ring);
        else
            status = find_orbit(app, &settings, &ring, &code);
    }
    if (status != RICO_OK) code = rico_app_complain(app, self, status);
    rico_free(app->ctx, pattern);
    rico_cli_release(app->ctx, self->options, &settings, &words);
    return code;
}


const rico_command rico_command_ring = {
    .name = "ring",
    .operands = "[options]",
    .summary = "periodic orbits of a ring of impact oscillators, their stability, their branches",
    .text =
        "Particles of a ring, each with a spring of its own, springs to its neighbours and a wall, "
        "strike at 0,\n"
        "at T/2 or never, as the lists say, without loss. Prints the orbit of that pattern, if there is "
        "one,\n"
        "and its Floquet multipliers; with --continue the branch to its end, and why it ends there. With\n"
        "--strikes particles strike as often as the list says, at times that are found; --intervals and "
        "--map\n"
        "tell where a pattern has orbits.",
    .example = "  rico ring --at-start 50 --at-half 49 --output orbit.svg\n"
               "  rico ring --particles 30 --coupling 0.15 --at-start 15 --continue period --to 2\n"
               "  rico ring --particles 2 --coupling 0.5 --period 5.05 --strikes 1@0,0@0.23,0@0.77\n"
               "  rico ring --particles 30 --at-start 15 --map 0:1.1:12 --periods 2:6.28 --output map.svg",
    .options = OPTIONS,
    .run = run,
};
