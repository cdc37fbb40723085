// Computations of a bar against a wall: its modes, the search on a grid, forced responses, and what a chain of masses makes of it.

#include "lab/chain_given.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Length, speed of sound, stiffness and gap are one: periods are in units of L/c.
static const rico_bar UNIT = {1.0, 1.0, 1.0, 1.0};

static const rico_schema_key BACKBONES[] = {
    {"modes", RICO_WANT_INTEGER, .standard = "4", .low = 1, .high = 20, .help = "1 to so many"},
    {"points", RICO_WANT_INTEGER, .standard = "200", .low = 2, .high = 1e5, .help = "of each"},
    {"energy", RICO_WANT_REAL, .standard = "1000", .low = 1e-9, .high = 1e12, .help = "up to which"},
    {NULL},
};

static const rico_schema_key SEARCH[] = {
    {"cells", RICO_WANT_INTEGER, .standard = "12", .low = 1, .high = 100, .help = "of the grid"},
    {"longest", RICO_WANT_REAL, .standard = "4", .low = 0.1, .high = 100, .help = "period"},
    {"spring", RICO_WANT_REAL, .standard = "0", .low = 0, .high = 1e12,
     .help = "at the other end; 0: it is held"},
    {NULL},
};

static const rico_schema_key FIELD[] = {
    {"mode", RICO_WANT_INTEGER, .standard = "1", .low = 1, .high = 20, .help = "which"},
    {"period", RICO_WANT_REAL, .standard = "0", .low = 0, .high = 100,
     .help = "of the nonsmooth mode; 0: the linear mode that touches"},
    {"cells", RICO_WANT_INTEGER, .standard = "40", .low = 2, .high = 1000, .help = "places along the bar"},
    {"samples", RICO_WANT_INTEGER, .standard = "160", .low = 2, .high = 1e5, .help = "times of a period"},
    {NULL},
};

#define DRIVE_KEYS                                                                                             \
    {"cells", RICO_WANT_INTEGER, .standard = "100", .low = 2, .high = 10000, .help = "of the grid"},           \
        {"wall",    RICO_WANT_REAL, .standard = "0",                                                           \
         .low = -1, .high = 1,      .help = "amplitude of the wall's motion"},                                 \
        {"force", RICO_WANT_REAL, .standard = "0", .low = -1e6, .high = 1e6, .help = "amplitude per mass"},    \
        {"damping", RICO_WANT_REAL, .standard = "0", .low = 0, .high = 1e6, .help = "per mass"},               \
        {"transient", RICO_WANT_INTEGER, .standard = "100", .low = 0, .high = 1e6, .help = "periods to wait"}, \
        {"longest", RICO_WANT_INTEGER, .standard = "6",                                                        \
         .low = 1,  .high = 100,       .help = "periods of the response to try"},                              \
    {                                                                                                          \
        "tolerance", RICO_WANT_REAL, .standard = "1e-3", .low = 1e-14, .high = 1,                              \
                                     .help = "of the state's return"                                           \
    }

static const rico_schema_key SWEEP[] = {
    DRIVE_KEYS,
    {"periods", RICO_WANT_REALS, .flags = RICO_KEY_REQUIRED, .least = 2, .most = 2,
     .help = "[first, last], rounded to steps"},
    {"every", RICO_WANT_INTEGER, .standard = "1", .low = 1, .high = 10000, .help = "so many steps apart"},
    {"from-mode", RICO_WANT_REAL, .standard = "0", .low = 0, .high = 100,
     .help = "starts from the first nonsmooth mode of this period; 0: from rest"},
    {NULL},
};

static const rico_schema_key RESPONSE[] = {
    DRIVE_KEYS,
    {"period", RICO_WANT_REAL, .flags = RICO_KEY_REQUIRED, .low = 1e-3, .high = 1000,
     .help = "rounded to steps"},
    {"from-mode", RICO_WANT_REAL, .standard = "0", .low = 0, .high = 100,
     .help = "starts from the first nonsmooth mode of this period; 0: from rest"},
    {"places", RICO_WANT_INTEGER, .standard = "20", .low = 1, .high = 1000, .help = "of the field shown"},
    {"every", RICO_WANT_INTEGER, .standard = "4", .low = 1, .high = 10000, .help = "steps between its rows"},
    {NULL},
};

static const rico_schema_key CHAIN[] = {
    {"masses", RICO_WANT_INTEGER, .standard = "20", .low = 2, .high = 400, .help = "of the chain"},
    {"mode", RICO_WANT_INTEGER, .standard = "1", .low = 1, .high = 400, .help = "whose shape is shown"},
    {NULL},
};

static const rico_schema_key PULSE[] = {
    {"masses", RICO_WANT_INTEGER, .standard = "100", .low = 2, .high = 400, .help = "of the chain"},
    {"end", RICO_WANT_REAL, .standard = "2", .low = 1e-3, .high = 100, .help = "time"},
    {"samples", RICO_WANT_INTEGER, .standard = "100", .low = 2, .high = 1e5, .help = "rows"},
    {NULL},
};

static const rico_schema_key COLLISION[] = {
    {"masses", RICO_WANT_INTEGER, .standard = "20", .low = 2, .high = 400, .help = "of the chain"},
    {"period", RICO_WANT_REAL, .standard = "3.5", .low = 3.01, .high = 4, .help = "of the bar's first mode"},
    {"periods", RICO_WANT_INTEGER, .standard = "2", .low = 1, .high = 100, .help = "shown"},
    {"samples", RICO_WANT_INTEGER, .standard = "2000", .low = 2, .high = 1e6, .help = "rows of a period"},
    {NULL},
};


// --- modes in closed form ------------------------------------------------------------------------------------

// Rows of all modes, an empty one after each; the frequency over that of the first linear mode.
static rico_status compute_backbones(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    int64_t modes = rico_given_integer(document, given, "modes"),
            points = rico_given_integer(document, given, "points");
    double most = rico_given_real(document, given, "energy"), *ratio = NULL, *period = NULL, *energy = NULL,
           *linear = NULL, *touch = NULL;
    rico_status status = rico_sheet_add(sheet, "ratio", modes * (points + 1), NULL, &ratio);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "period", modes * (points + 1), NULL, &period);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "energy", modes * (points + 1), NULL, &energy);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "linear_ratio", modes, NULL, &linear);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "linear_energy", modes, NULL, &touch);
    for (int64_t m = 1; status == RICO_OK && m <= modes; m++) {
        double low, high, order = (double)m;
        status = rico_bar_mode_range(sheet->ctx, &UNIT, m, &low, &high);
        // E = 1/(2 (m^2 T - 2m - 1)^2) rises from high on: rows at equal steps of its logarithm
        double least = 0.5 / pow(order * order * high - 2.0 * order - 1.0, 2.0);
        for (int64_t i = 0; status == RICO_OK && i < points && most > least; i++) {
            double E = least * pow(most / least, (double)i / (double)(points - 1));
            double T = (sqrt(0.5 / E) + 2.0 * order + 1.0) / (order * order);
            rico_bar_mode mode;
            status = rico_bar_mode_at(sheet->ctx, &UNIT, m, fmin(T, high), &mode);
            int64_t row = (m - 1) * (points + 1) + i;
            ratio[row] = 4.0 / mode.period;
            period[row] = mode.period;
            energy[row] = mode.energy;
        }
        linear[m - 1] = 2.0 * order - 1.0;
        touch[m - 1] = rico_bar_grazing_energy(&UNIT, m);
    }
    return status;
}


// --- the search on a grid ------------------------------------------------------------------------------------

enum { RATIO, PERIOD, ENERGY, CONTACT, FREEDOM, LEAST, FOUND };

// All pairs of free and contact steps; `least` marks what has the least energy of its period.
static rico_status search(rico_context *ctx, int64_t N, int64_t longest, double spring, int64_t room,
                          double (*row)[FOUND], int64_t *count)
{
    double *v = rico_alloc(ctx, 2 * N, sizeof *v), held;
    rico_status status = v ? RICO_OK : RICO_NO_MEMORY;
    *count = 0;
    for (int64_t T = 2; status == RICO_OK && T <= longest; T++) {
        int64_t first = *count, best = -1;
        if (rico_context_interrupted(ctx))
            status = rico_fail(ctx, RICO_INTERRUPTED, "interrupted in a search");
        for (int64_t c = 0; status == RICO_OK && c < T && c <= 2 * N; c++) {
            rico_bar_periodic p = {.cells = N, .free_steps = T - c, .contact_steps = c, .spring = spring};
            rico_status found = rico_bar_wave_periodic(ctx, &UNIT, &p, v, v + N, &held);
            if (found == RICO_NO_MEMORY) status = found;
            if (found != RICO_OK || !p.admissible || *count == room) continue;
            double *r = row[(*count)++];
            r[RATIO] = 4.0 / p.period;
            r[PERIOD] = p.period;
            r[ENERGY] = p.energy;
            r[CONTACT] = (double)c / (double)N;
            r[FREEDOM] = (double)p.freedom;
            r[LEAST] = NAN;
            if (best < first || p.energy < row[best][ENERGY]) best = *count - 1;
        }
        if (best >= first) row[best][LEAST] = row[best][ENERGY];
    }
    rico_free(ctx, v);
    return status;
}


// How many of what was found are modes in closed form, (2m-1) T = 4 - contact, how far their energies are off at most, and how many motions have between twice and three
// times the first frequency.
static rico_status add_verdict(rico_sheet *sheet, int64_t count, double (*row)[FOUND])
{
    double modes = 0.0, worst = 0.0, between = 0.0;
    for (int64_t i = 0; i < count; i++) {
        rico_bar_mode mode;
        double order = (4.0 - row[i][CONTACT]) / row[i][PERIOD];
        int64_t m = llround(0.5 * (order + 1.0));
        if (row[i][RATIO] >= 2.0 && row[i][RATIO] < 3.0 - 1e-9) between += 1.0;
        if (fabs(order - (2.0 * (double)m - 1.0)) > 1e-9 ||
            rico_bar_mode_at(sheet->ctx, &UNIT, m, row[i][PERIOD], &mode) != RICO_OK)
            continue;
        modes += 1.0;
        worst = fmax(worst, fabs(row[i][ENERGY] / mode.energy - 1.0));
    }
    rico_status status = rico_sheet_add_number(sheet, "modes", modes);
    if (status == RICO_OK) status = rico_sheet_add_number(sheet, "worst", worst);
    return status == RICO_OK ? rico_sheet_add_number(sheet, "between", between) : status;
}


static rico_status compute_search(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    enum { ROOM = 20000 };
    static const char *const NAMES[FOUND] = {"ratio", "period", "energy", "contact", "freedom", "least"};
    int64_t N = rico_given_integer(document, given, "cells"), count = 0;
    double spring = rico_given_real(document, given, "spring"),
           longest = rico_given_real(document, given, "longest");
    double(*row)[FOUND] = rico_alloc(sheet->ctx, ROOM, sizeof *row), *column;
    if (!row) return RICO_NO_MEMORY;
    rico_status status = search(sheet->ctx, N, (int64_t)floor(longest * (double)N + 1e-9),
                                spring > 0.0 ? spring : INFINITY, ROOM, row, &count);
    for (int c = 0; status == RICO_OK && c < FOUND; c++) {
        status = rico_sheet_add(sheet, NAMES[c], count, NULL, &column);
        for (int64_t i = 0; status == RICO_OK && i < count; i++) column[i] = row[i][c];
    }
    if (status == RICO_OK) status = add_verdict(sheet, count, row);
    rico_free(sheet->ctx, row);
    return status;
}


// --- fields --------------------------------------------------------------------------------------------------

// Columns x, when, u of a grid, the second varying faster, with room for `places` x `times`.
static rico_status add_grid(rico_sheet *sheet, int64_t places, int64_t times, double *column[3])
{
    static const char *const NAMES[] = {"x", "when", "u"};
    rico_status status = RICO_OK;
    for (int c = 0; status == RICO_OK && c < 3; c++)
        status = rico_sheet_add(sheet, NAMES[c], places * times, NULL, &column[c]);
    return status;
}


static rico_status compute_field(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    int64_t m = rico_given_integer(document, given, "mode"),
            places = rico_given_integer(document, given, "cells") + 1,
            times = rico_given_integer(document, given, "samples") + 1;
    double T = rico_given_real(document, given, "period"), *column[3] = {NULL}, *time = NULL, *end = NULL,
           pi = acos(-1.0);
    double linear = (2.0 * (double)m - 1.0) * pi / 2.0;
    bool nonsmooth = T > 0.0;
    rico_bar_mode mode = {.energy = rico_bar_grazing_energy(&UNIT, m)};
    rico_status status = nonsmooth ? rico_bar_mode_at(sheet->ctx, &UNIT, m, T, &mode) : RICO_OK;
    if (!nonsmooth) T = 2.0 * pi / linear;
    if (status == RICO_OK) status = add_grid(sheet, places, times, column);
    for (int64_t i = 0; status == RICO_OK && i < places; i++)
        for (int64_t k = 0; k < times; k++) {
            int64_t row = i * times + k;
            double x = (double)i / (double)(places - 1), t = T * (double)k / (double)(times - 1), u;
            // the linear mode touches the wall at time 0, as the nonsmooth one leaves it then
            u = sin(linear * x) / sin(linear) * cos(linear * t);
            if (nonsmooth) rico_bar_mode_field(&mode, x, t, &u, NULL, NULL);
            column[0][row] = x;
            column[1][row] = t;
            column[2][row] = u;
        }
    if (status == RICO_OK) status = rico_sheet_add(sheet, "time", times, NULL, &time);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "end", times, NULL, &end);
    for (int64_t k = 0; status == RICO_OK && k < times; k++) {
        time[k] = column[1][k];
        end[k] = column[2][(places - 1) * times + k];
    }
    if (status == RICO_OK) status = rico_sheet_add_number(sheet, "energy", mode.energy);
    if (status == RICO_OK) status = rico_sheet_add_number(sheet, "contact", mode.contact);
    return status;
}


// --- forced --------------------------------------------------------------------------------------------------

static void read_drive(rico_document *document, const rico_node *given, rico_bar_forced *drive)
{
    *drive = (rico_bar_forced){.cells = rico_given_integer(document, given, "cells"),
                               .wall = rico_given_real(document, given, "wall"),
                               .force = rico_given_real(document, given, "force"),
                               .damping = rico_given_real(document, given, "damping"),
                               .transient = rico_given_integer(document, given, "transient"),
                               .longest = rico_given_integer(document, given, "longest"),
                               .tolerance = rico_given_real(document, given, "tolerance")};
}


// A wave at rest, or in the first nonsmooth mode of a period.
static rico_status make_wave(rico_context *ctx, int64_t N, double period, rico_bar_wave **out)
{
    rico_bar_mode mode;
    rico_status status = rico_bar_wave_create(ctx, &UNIT, N, out);
    double *v = status == RICO_OK ? rico_alloc(ctx, 2 * N, sizeof *v) : NULL;
    if (status == RICO_OK && !v) status = RICO_NO_MEMORY;
    if (status == RICO_OK && period > 0.0) status = rico_bar_mode_at(ctx, &UNIT, 1, period, &mode);
    if (status == RICO_OK) {
        for (int64_t i = 0; period > 0.0 && i < N; i++)
            rico_bar_mode_field(&mode, ((double)i + 0.5) / (double)N, 0.0, NULL, &v[i], &v[N + i]);
        rico_bar_wave_start(*out, v, v + N, 0.0);
    }
    rico_free(ctx, v);
    return status;
}


// From the first period to the last, each from where the one before has settled.
static rico_status compute_sweep(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    static const char *const NAMES[] = {"period", "ratio", "energy", "contact", "multiple", "residual"};
    rico_bar_forced drive;
    rico_bar_wave *wave = NULL;
    double *ends = NULL, *column[6] = {NULL};
    int64_t two;
    read_drive(document, given, &drive);
    rico_status status = rico_document_reals(document, rico_node_at(given, "periods"), &two, &ends);
    if (status != RICO_OK) return status;
    int64_t first = llround(ends[0] * (double)drive.cells), last = llround(ends[1] * (double)drive.cells),
            every = rico_given_integer(document, given, "every"), sign = last >= first ? 1 : -1;
    int64_t rows = (sign * (last - first)) / every + 1;
    rico_free(sheet->ctx, ends);
    for (int c = 0; status == RICO_OK && c < 6; c++)
        status = rico_sheet_add(sheet, NAMES[c], rows, NULL, &column[c]);
    if (status == RICO_OK)
        status = make_wave(sheet->ctx, drive.cells, rico_given_real(document, given, "from-mode"), &wave);
    for (int64_t i = 0; status == RICO_OK && i < rows; i++) {
        drive.steps = first + sign * i * every;
        status = rico_bar_wave_settle(wave, &drive, NULL);
        double T = (double)drive.steps / (double)drive.cells;
        const double values[] = {
            T, 4.0 / T, drive.energy, drive.contact, (double)drive.multiple, drive.residual};
        for (int c = 0; c < 6; c++) column[c][i] = values[c];
    }
    rico_bar_wave_destroy(wave);
    return status;
}


// u(x, t) by summing strains from the held end.
static void note_field(const rico_bar_wave *wave, int64_t N, int64_t places, double *state, int64_t times,
                       int64_t k, double *const column[3])
{
    double u = 0.0;
    rico_bar_wave_state(wave, state, state + N);
    for (int64_t i = 0, cell = 0; i <= places; i++) {
        int64_t upto = i * N / places;
        for (; cell < upto; cell++) u += state[N + cell] / (double)N;
        column[0][i * times + k] = (double)upto / (double)N;
        column[2][i * times + k] = u;
    }
}


static rico_status compute_response(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    rico_bar_forced drive;
    rico_bar_wave *wave = NULL;
    int64_t places = rico_given_integer(document, given, "places"),
            every = rico_given_integer(document, given, "every");
    double *column[3] = {NULL}, *time = NULL, *end = NULL, *all = NULL, *state = NULL;
    read_drive(document, given, &drive);
    drive.steps = llround(rico_given_real(document, given, "period") * (double)drive.cells);
    rico_status status =
        make_wave(sheet->ctx, drive.cells, rico_given_real(document, given, "from-mode"), &wave);
    if (status == RICO_OK) {
        all = rico_alloc(sheet->ctx, drive.longest * drive.steps, sizeof *all);
        state = rico_alloc(sheet->ctx, 2 * drive.cells, sizeof *state);
        status = all && state ? rico_bar_wave_settle(wave, &drive, all) : RICO_NO_MEMORY;
    }
    // the time series of all that was looked at, then a period more for the field
    int64_t rows = (drive.multiple > 0 ? drive.multiple : drive.longest) * drive.steps,
            times = drive.steps / every + 1;
    if (status == RICO_OK) status = rico_sheet_add(sheet, "time", rows, NULL, &time);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "end", rows, all, &end);
    for (int64_t i = 0; status == RICO_OK && i < rows; i++) time[i] = (double)(i + 1) / (double)drive.cells;
    if (status == RICO_OK) status = add_grid(sheet, places + 1, times, column);
    for (int64_t n = 0; status == RICO_OK && n < times * every; n++) {
        double turn = 2.0 * acos(-1.0) / (double)drive.steps;
        if (n % every == 0) {
            note_field(wave, drive.cells, places, state, times, n / every, column);
            for (int64_t i = 0; i <= places; i++)
                column[1][i * times + n / every] = (double)n / (double)drive.cells;
        }
        rico_bar_wave_state(wave, state, state + drive.cells);
        for (int64_t i = 0; i < drive.cells; i++)
            state[i] = drive.force * cos(turn * ((double)n + 0.5)) - drive.damping * state[i];
        rico_bar_wave_step(wave, UNIT.gap + drive.wall * cos(turn * ((double)n + 1.0)), state);
    }
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"energy", drive.energy},
                   {"contact", drive.contact},
                   {"multiple", (double)drive.multiple},
                   {"residual", drive.residual}};
    for (size_t i = 0; status == RICO_OK && i < sizeof numbers / sizeof *numbers; i++)
        status = rico_sheet_add_number(sheet, numbers[i].name, numbers[i].value);
    rico_free(sheet->ctx, all);
    rico_free(sheet->ctx, state);
    rico_bar_wave_destroy(wave);
    return status;
}


// --- chains --------------------------------------------------------------------------------------------------

// Frequencies of all modes beside the bar's; the shape of one, largest value one, beside sin((2p-1) pi x/2).
static rico_status compute_chain(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    int64_t n = rico_given_integer(document, given, "masses"),
            p = rico_given_integer(document, given, "mode");
    enum { FINE = 400 };
    double *order = NULL, *chain = NULL, *bar = NULL, *ratio = NULL, *x = NULL, *shape = NULL, *fine = NULL,
           *wave = NULL, pi = acos(-1.0);
    rico_modes *modes = NULL;
    if (p > n)
        return rico_document_fail(document, rico_node_at(given, "mode"),
                                  "a chain of %lld masses has no mode %lld", (long long)n, (long long)p);
    rico_status status = rico_bar_chain(sheet->ctx, &UNIT, n, &modes);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "order", n, NULL, &order);
    if (status == RICO_OK)
        status = rico_sheet_add(sheet, "chain_frequency", n, rico_modes_frequencies(modes), &chain);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "bar_frequency", n, NULL, &bar);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "wave_number_ratio", n, NULL, &ratio);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "x", n + 1, NULL, &x);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "chain_shape", n + 1, NULL, &shape);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "bar_x", FINE + 1, NULL, &fine);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "bar_shape", FINE + 1, NULL, &wave);
    for (int64_t j = 0; status == RICO_OK && j <= FINE; j++) {
        fine[j] = (double)j / FINE;
        wave[j] = sin(0.5 * (2.0 * (double)p - 1.0) * pi * fine[j]);
    }
    for (int64_t j = 0; status == RICO_OK && j <= n; j++) {
        double k = (2.0 * (double)j + 1.0) * pi / 2.0, angle = (2.0 * (double)p - 1.0) * pi;
        x[j] = (double)j / (double)n;
        shape[j] = sin((double)j * angle / (2.0 * (double)n + 1.0));
        if (j == n) break;
        order[j] = (double)j + 1.0;
        bar[j] = k;
        ratio[j] = rico_bar_chain_wave_number(&UNIT, 1.0 / (double)n, chain[j]) / chain[j];
    }
    rico_modes_destroy(modes);
    return status;
}


// A unit velocity of the last mass, free of the wall: u of all masses as a grid.
static rico_status compute_pulse(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    int64_t n = rico_given_integer(document, given, "masses"),
            times = rico_given_integer(document, given, "samples") + 1;
    double end = rico_given_real(document, given, "end"), *column[3] = {NULL};
    rico_modes *modes = NULL;
    rico_status status = rico_bar_chain(sheet->ctx, &UNIT, n, &modes);
    if (status == RICO_OK) status = add_grid(sheet, n, times, column);
    for (int64_t j = 1; status == RICO_OK && j <= n; j++)
        for (int64_t k = 0; k < times; k++) {
            int64_t row = (j - 1) * times + k;
            double t = end * (double)k / (double)(times - 1), u = 0.0;
            for (int64_t p = 1; p <= n; p++) { // q_p(0)' = phi_p(n) m
                double omega = rico_modes_frequencies(modes)[p - 1];
                u += rico_bar_chain_shape(&UNIT, n, p, j) * rico_bar_chain_shape(&UNIT, n, p, n) / (double)n *
                     sin(omega * t) / omega;
            }
            column[0][row] = (double)j / (double)n;
            column[1][row] = t;
            column[2][row] = u;
        }
    // the wave of every fifth mass, for lines; names by place
    for (int64_t j = 5; status == RICO_OK && j <= n; j += 5) {
        char name[RICO_SHEET_NAME];
        snprintf(name, sizeof name, "u%lld", (long long)j);
        status = rico_sheet_add(sheet, name, times, column[2] + (j - 1) * times, NULL);
    }
    if (status == RICO_OK) status = rico_sheet_add(sheet, "time", times, column[1], NULL);
    rico_modes_destroy(modes);
    return status;
}


// The chain from the state of the bar's first mode in the middle of its flight, where it is at rest: elastic impacts, and the bar beside it.
static rico_status compute_collision(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    int64_t n = rico_given_integer(document, given, "masses"),
            samples = rico_given_integer(document, given, "samples"),
            rows = samples * rico_given_integer(document, given, "periods") + 1;
    double T = rico_given_real(document, given, "period"), *time = NULL, *end = NULL, *exact = NULL,
           *q = NULL;
    rico_modes *modes = NULL;
    rico_forced_motion *motion = NULL;
    rico_bar_mode mode;
    rico_forced drive = {.period = T, .restitution = 1.0};
    rico_status status = rico_bar_mode_at(sheet->ctx, &UNIT, 1, T, &mode);
    if (status == RICO_OK) status = rico_bar_chain(sheet->ctx, &UNIT, n, &modes);
    if (status == RICO_OK) status = rico_forced_motion_create(modes, &drive, &motion);
    if (status == RICO_OK) q = rico_alloc(sheet->ctx, 2 * n, sizeof *q);
    if (status == RICO_OK && !q) status = RICO_NO_MEMORY;
    double middle = 0.5 * (T - (status == RICO_OK ? mode.contact : 0.0));
    for (int64_t p = 1; status == RICO_OK && p <= n; p++)
        for (int64_t j = 1; j <= n; j++) { // q_p = phi_p' M u
            double u;
            rico_bar_mode_field(&mode, (double)j / (double)n, middle, &u, NULL, NULL);
            q[p - 1] += rico_bar_chain_shape(&UNIT, n, p, j) * u / (double)n;
        }
    if (status == RICO_OK) status = rico_forced_motion_start(motion, 0.0, q, q + n);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "time", rows, NULL, &time);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "end", rows, NULL, &end);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "bar", rows, NULL, &exact);
    for (int64_t i = 0; status == RICO_OK && i < rows; i++) {
        time[i] = T * (double)i / (double)samples;
        rico_forced_motion_to(motion, time[i], INT64_MAX);
        end[i] = 1.0 - rico_forced_motion_gap(motion);
        rico_bar_mode_field(&mode, 1.0, middle + time[i], &exact[i], NULL, NULL);
    }
    if (status == RICO_OK)
        status = rico_sheet_add_number(sheet, "impacts", (double)rico_forced_motion_impacts(motion));
    rico_free(sheet->ctx, q);
    rico_forced_motion_destroy(motion);
    rico_modes_destroy(modes);
    return status;
}


const rico_computation rico_bar_computations[] = {
    {"bar-backbones", "energies of a bar's nonsmooth modes over their frequencies", BACKBONES,
     compute_backbones},
    {"bar-search", "all periodic motions of a bar on a grid with one contact per period", SEARCH,
     compute_search},
    {"bar-field", "displacements of a bar in a mode, nonsmooth or linear", FIELD, compute_field},
    {"bar-sweep", "what a forced bar settles to, over periods of the force", SWEEP, compute_sweep},
    {"bar-response", "the motion that a forced bar settles to", RESPONSE, compute_response},
    {"chain-linear", "frequencies and shapes of a chain beside those of a bar", CHAIN, compute_chain},
    {"chain-pulse", "a velocity given to the end of a chain runs along it", PULSE, compute_pulse},
    {"chain-collision", "a chain in the place of a bar in its first nonsmooth mode", COLLISION,
     compute_collision},
    {NULL, NULL, NULL, NULL},
};
